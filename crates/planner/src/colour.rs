//! Colours as people name them.

use word::op::Color;

/// `#RRGGBB`, `RRGGBB` after a `#` only, or a name. 'Dark gray' is the gray of text, not of the web.
pub(crate) fn colour(name: &str) -> Option<Color> {
    if let Some(digits) = name.strip_prefix('#') {
        let value = (digits.len() == 6).then(|| u32::from_str_radix(digits, 16).ok())??;
        let [_, red, green, blue] = value.to_be_bytes();
        return Some(Color::rgb(red, green, blue));
    }
    let name = name.to_lowercase().replace("grey", "gray");
    NAMES.iter().find(|(known, _)| *known == name).map(|(_, color)| *color)
}

/// What a colour is called.
pub(crate) fn name(color: Color) -> String {
    let known = NAMES.iter().find(|(_, known)| *known == color);
    known.map_or_else(|| "that colour".to_owned(), |(name, _)| (*name).to_owned())
}

pub(crate) const NAMES: &[(&str, Color)] = &[
    ("dark gray", Color::rgb(0x33, 0x33, 0x33)),
    ("light gray", Color::rgb(0xD3, 0xD3, 0xD3)),
    ("dark blue", Color::rgb(0x00, 0x00, 0x80)),
    ("light blue", Color::rgb(0xAD, 0xD8, 0xE6)),
    ("dark green", Color::rgb(0x00, 0x64, 0x00)),
    ("light green", Color::rgb(0x90, 0xEE, 0x90)),
    ("dark red", Color::rgb(0x80, 0x00, 0x00)),
    ("black", Color::rgb(0x00, 0x00, 0x00)),
    ("white", Color::rgb(0xFF, 0xFF, 0xFF)),
    ("gray", Color::rgb(0x80, 0x80, 0x80)),
    ("red", Color::rgb(0xFF, 0x00, 0x00)),
    ("green", Color::rgb(0x00, 0x80, 0x00)),
    ("blue", Color::rgb(0x00, 0x00, 0xFF)),
    ("yellow", Color::rgb(0xFF, 0xFF, 0x00)),
    ("orange", Color::rgb(0xFF, 0xA5, 0x00)),
    ("purple", Color::rgb(0x80, 0x00, 0x80)),
    ("pink", Color::rgb(0xFF, 0xC0, 0xCB)),
    ("brown", Color::rgb(0xA5, 0x2A, 0x2A)),
    ("navy", Color::rgb(0x00, 0x00, 0x80)),
    ("teal", Color::rgb(0x00, 0x80, 0x80)),
    ("cyan", Color::rgb(0x00, 0xFF, 0xFF)),
    ("magenta", Color::rgb(0xFF, 0x00, 0xFF)),
    ("turquoise", Color::rgb(0x40, 0xE0, 0xD0)),
    ("maroon", Color::rgb(0x80, 0x00, 0x00)),
];
