//! Server-sent events, out of bytes that come in pieces of any size.

/// More than this in one event is no answer of a model or a tool.
const MOST_BYTES: usize = 16 << 20;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct SseEvent {
    /// Empty where the sender named none.
    pub(crate) event: String,
    pub(crate) data: String,
}

#[derive(Debug, Default)]
pub(crate) struct SseParser {
    line: Vec<u8>,
    /// The last byte was a carriage return, so that a line feed after it ends no second line.
    returned: bool,
    begun: bool,
    event: SseEvent,
    has_data: bool,
}

impl SseParser {
    /// The events that these bytes complete. An unfinished one at the end of a stream does not count.
    pub(crate) fn feed(&mut self, bytes: &[u8]) -> Result<Vec<SseEvent>, String> {
        let mut events = Vec::new();
        for &byte in bytes {
            let returned = std::mem::take(&mut self.returned);
            match byte {
                b'\n' if returned => {}
                b'\n' | b'\r' => {
                    self.returned = byte == b'\r';
                    self.line_ended(&mut events);
                }
                _ => self.line.push(byte),
            }
        }
        if self.line.len() + self.event.data.len() > MOST_BYTES {
            return Err(format!("an event of more than {MOST_BYTES} bytes"));
        }
        Ok(events)
    }

    fn line_ended(&mut self, events: &mut Vec<SseEvent>) {
        let line = std::mem::take(&mut self.line);
        let line = String::from_utf8_lossy(&line);
        let line = if self.begun { &*line } else { line.trim_start_matches('\u{feff}') };
        self.begun = true;
        if line.is_empty() {
            let event = std::mem::take(&mut self.event);
            if std::mem::take(&mut self.has_data) {
                events.push(event);
            }
            return;
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut self.event.event),
            "data" => {
                if std::mem::replace(&mut self.has_data, true) {
                    self.event.data.push('\n');
                }
                self.event.data.push_str(value);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_the_same_however_the_bytes_are_cut() {
        let text = "\u{feff}: hello\r\nevent: a\r\ndata: {\"ü\":1}\r\n\r\ndata:x\ndata: y\n\nid: 7\n\ndata: unfinished\n";
        let wanted = [("a", "{\"ü\":1}"), ("", "x\ny")];
        for size in 1..text.len() {
            let mut parser = SseParser::default();
            let mut found = Vec::new();
            for piece in text.as_bytes().chunks(size) {
                found.extend(parser.feed(piece).expect("small events"));
            }
            let found: Vec<_> = found.iter().map(|event| (&*event.event, &*event.data)).collect();
            assert_eq!(found, wanted, "in pieces of {size}");
        }
    }
}
