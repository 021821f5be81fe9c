//! What stands behind the question mark of an address.

/// Names and values; what has no value has an empty one.
pub(crate) fn read(query: &str) -> Vec<(String, String)> {
    let pairs = query.split('&').filter(|pair| !pair.is_empty());
    let read = pairs.map(|pair| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        (decoded(name), decoded(value))
    });
    read.collect()
}

/// `%2F` is a slash and `+` a blank; what is no such code stands for itself.
fn decoded(text: &str) -> String {
    let (mut bytes, mut rest) = (Vec::with_capacity(text.len()), text.as_bytes());
    while let [first, behind @ ..] = rest {
        rest = behind;
        let code = match (first, behind) {
            (b'%', [high, low, after @ ..]) => {
                hexadecimal(*high).zip(hexadecimal(*low)).map(|(high, low)| (high << 4 | low, after))
            }
            _ => None,
        };
        match (first, code) {
            (_, Some((byte, after))) => {
                bytes.push(byte);
                rest = after;
            }
            (b'+', None) => bytes.push(b' '),
            (other, None) => bytes.push(*other),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn hexadecimal(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_values_are_decoded() {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(read("a=1&b=x%2Fy+z&c"), [pair("a", "1"), pair("b", "x/y z"), pair("c", "")]);
        assert_eq!(read("&a=%&b=%zz&c=%f"), [pair("a", "%"), pair("b", "%zz"), pair("c", "%f")]);
        assert_eq!(read(""), []);
    }
}
