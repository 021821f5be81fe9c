//! How a language writes numbers and dates: what `TEXT` shows, what `VALUE` reads, and the letters of format codes that
//! stand in formulas.
//!
//! Formulas and the formats of cells are stored as in the United States whatever the language; texts in formulas are
//! not, so that `TEXT(A1,"TT.MM.JJJJ")` means something only in German.

use crate::date::DateSystem;
use crate::numfmt::locale as names;

/// The date system of a workbook, and the language its texts are read and written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Region {
    pub dates: DateSystem,
    pub locale: Locale,
}

impl From<DateSystem> for Region {
    fn from(dates: DateSystem) -> Region {
        Region { dates, locale: Locale::default() }
    }
}

/// A language and country, such as `de-DE`.
#[derive(Clone, Copy, Debug)]
pub struct Locale(&'static Habits);

impl Default for Locale {
    fn default() -> Locale {
        Locale(&ENGLISH)
    }
}

impl PartialEq for Locale {
    fn eq(&self, other: &Locale) -> bool {
        self.0.tag == other.0.tag
    }
}

impl Eq for Locale {}

/// In which order the parts of a short date stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DateOrder {
    MonthFirst,
    DayFirst,
    YearFirst,
}

#[derive(Debug)]
struct Habits {
    tag: &'static str,
    decimal: char,
    group: char,
    order: DateOrder,
    date_separator: &'static str,
    /// The sign of the currency, and whether it stands behind the number.
    currency: (&'static str, bool),
    /// Year, month, day, hour, minute and second in format codes.
    letters: &'static str,
    /// What stands for `General`.
    general: &'static str,
}

/// A blank that does not break, as Windows has it between thousands.
const BLANK: char = '\u{a0}';

const fn habits(
    tag: &'static str,
    (decimal, group): (char, char),
    (order, date_separator): (DateOrder, &'static str),
    currency: (&'static str, bool),
    letters: &'static str,
    general: &'static str,
) -> Habits {
    Habits { tag, decimal, group, order, date_separator, currency, letters, general }
}

use DateOrder::{DayFirst, MonthFirst, YearFirst};

const ENGLISH: Habits = habits("en-US", ('.', ','), (MonthFirst, "/"), ("$", false), "ymdhms", "General");

/// The first of a language is the one meant where only the language is named.
const KNOWN: &[Habits] = &[
    ENGLISH,
    habits("en-GB", ('.', ','), (DayFirst, "/"), ("£", false), "ymdhms", "General"),
    habits("de-DE", (',', '.'), (DayFirst, "."), (" €", true), "jmthms", "Standard"),
    habits("de-AT", (',', BLANK), (DayFirst, "."), ("€ ", false), "jmthms", "Standard"),
    habits("de-CH", ('.', '’'), (DayFirst, "."), ("CHF ", false), "jmthms", "Standard"),
    habits("fr-FR", (',', '\u{202f}'), (DayFirst, "/"), (" €", true), "amjhms", "Standard"),
    habits("es-ES", (',', '.'), (DayFirst, "/"), (" €", true), "amdhms", "Estándar"),
    habits("es-MX", ('.', ','), (DayFirst, "/"), ("$", false), "amdhms", "General"),
    habits("it-IT", (',', '.'), (DayFirst, "/"), (" €", true), "amghms", "Standard"),
    habits("pt-BR", (',', '.'), (DayFirst, "/"), ("R$ ", false), "amdhms", "Geral"),
    habits("pt-PT", (',', BLANK), (DayFirst, "/"), (" €", true), "amdhms", "Geral"),
    habits("nl-NL", (',', '.'), (DayFirst, "-"), ("€ ", false), "jmdums", "Standaard"),
    habits("sv-SE", (',', BLANK), (YearFirst, "-"), (" kr", true), "åmdtms", "Standard"),
    habits("da-DK", (',', '.'), (DayFirst, "-"), (" kr.", true), "åmdtms", "Standard"),
    habits("nb-NO", (',', BLANK), (DayFirst, "."), (" kr", true), "åmdtms", "Standard"),
    habits("fi-FI", (',', BLANK), (DayFirst, "."), (" €", true), "vkptms", "Yleinen"),
    habits("pl-PL", (',', BLANK), (DayFirst, "."), (" zł", true), "rmdgms", "Standardowy"),
    habits("cs-CZ", (',', BLANK), (DayFirst, "."), (" Kč", true), "rmdhms", "Všeobecný"),
    habits("hu-HU", (',', BLANK), (YearFirst, "."), (" Ft", true), "éhnópm", "Normál"),
    habits("tr-TR", (',', '.'), (DayFirst, "."), ("₺", false), "yagsdn", "Genel"),
    habits("ru-RU", (',', BLANK), (DayFirst, "."), (" ₽", true), "гмдчмс", "Основной"),
    habits("uk-UA", (',', BLANK), (DayFirst, "."), (" ₴", true), "рмдгхс", "Загальний"),
    habits("el-GR", (',', '.'), (DayFirst, "/"), (" €", true), "εμηωλδ", "Γενικός τύπος"),
    habits("ja-JP", ('.', ','), (YearFirst, "/"), ("¥", false), "ymdhms", "G/標準"),
    habits("zh-CN", ('.', ','), (YearFirst, "/"), ("¥", false), "ymdhms", "G/通用格式"),
    habits("zh-TW", ('.', ','), (YearFirst, "/"), ("NT$", false), "ymdhms", "G/通用格式"),
    habits("ko-KR", ('.', ','), (YearFirst, "-"), ("₩", false), "ymdhms", "G/표준"),
];

impl Locale {
    /// The locale of a tag: `de-DE`, `de_DE` or `de`.
    #[must_use]
    pub fn of(tag: &str) -> Option<Locale> {
        let wanted = tag.trim().replace('_', "-").to_ascii_lowercase();
        let language = |tag: &str| tag.split('-').next().unwrap_or(tag).to_ascii_lowercase();
        let exact = KNOWN.iter().find(|known| known.tag.to_ascii_lowercase() == wanted);
        let found = exact.or_else(|| KNOWN.iter().find(|known| language(known.tag) == language(&wanted)))?;
        Some(Locale(found))
    }

    /// All that are known, English first.
    pub fn all() -> impl Iterator<Item = Locale> {
        KNOWN.iter().map(Locale)
    }

    #[must_use]
    pub fn tag(self) -> &'static str {
        self.0.tag
    }

    #[must_use]
    pub fn decimal(self) -> char {
        self.0.decimal
    }

    #[must_use]
    pub fn group(self) -> char {
        self.0.group
    }

    #[must_use]
    pub fn date_order(self) -> DateOrder {
        self.0.order
    }

    #[must_use]
    pub fn date_separator(self) -> &'static str {
        self.0.date_separator
    }

    /// The code of the short date, as formats of cells are stored.
    #[must_use]
    pub fn short_date(self) -> &'static str {
        match (self.0.order, self.0.tag) {
            (MonthFirst, _) => "m/d/yyyy",
            (YearFirst, "ja-JP" | "zh-TW" | "zh-CN") => "yyyy/m/d",
            (YearFirst, "hu-HU") => "yyyy/ mm/ dd/",
            (YearFirst, _) => "yyyy/mm/dd",
            (DayFirst, "fi-FI" | "el-GR") => "d/m/yyyy",
            (DayFirst, _) => "dd/mm/yyyy",
        }
    }

    /// A sum of money, its sign written before or behind.
    pub(crate) fn money(self, number: &str) -> String {
        match self.0.currency {
            (sign, true) => format!("{number}{sign}"),
            (sign, false) => format!("{sign}{number}"),
        }
    }

    /// The sign of the currency without blanks, and whether it stands behind the number.
    #[must_use]
    pub fn currency(self) -> (&'static str, bool) {
        (self.0.currency.0.trim(), self.0.currency.1)
    }

    /// The month that a word names in this language, counted from one.
    #[must_use]
    pub fn month_of(self, word: &str) -> Option<i64> {
        self.names().month_of(word)
    }

    pub(crate) fn names(self) -> names::Locale {
        names::locale(self.0.tag).map_or(names::ENGLISH, names::Locale::western)
    }

    fn is_english(self) -> bool {
        self == Locale::default()
    }

    /// A number spelled as in the United States, as this language writes it.
    pub(crate) fn spelled(self, number: String) -> String {
        match self.0.decimal {
            '.' => number,
            decimal => number.replace('.', decimal.encode_utf8(&mut [0; 4])),
        }
    }

    /// A number written in this language as it is spelled in the United States; nothing if it holds a sign that has no
    /// meaning here.
    pub fn unspelled(self, text: &str) -> Option<std::borrow::Cow<'_, str>> {
        if (self.0.decimal, self.0.group) == ('.', ',') {
            return Some(text.into());
        }
        let blank = |c: char| matches!(c, BLANK | '\u{202f}' | ' ');
        let mut plain = String::with_capacity(text.len());
        let mut before = None;
        for c in text.trim().chars() {
            let grouped = c == self.0.group || (blank(c) && blank(self.0.group));
            match c {
                c if c == self.0.decimal => plain.push('.'),
                _ if grouped && before.is_some_and(|c: char| c.is_ascii_digit()) => plain.push(','),
                '.' | ',' => return None,
                '\'' if self.0.group == '’' => plain.push(','),
                c => plain.push(c),
            }
            before = Some(c);
        }
        // Blanks around signs are no groups.
        Some(plain.trim_end_matches(',').replace(",%", "%").replace(",€", "€").into())
    }

    /// A format code that somebody wrote in this language, as it is written in the United States.
    pub(crate) fn format_code(self, code: &str) -> String {
        if self.is_english() {
            return code.to_owned();
        }
        let sections: Vec<String> = split_sections(code).into_iter().map(|part| self.section(part)).collect();
        sections.join(";")
    }

    fn letter(self, c: char) -> Option<char> {
        let lower = c.to_lowercase().next().unwrap_or(c);
        let at = self.0.letters.chars().position(|known| known == lower)?;
        "ymdhms".chars().nth(at)
    }

    fn section(self, code: &str) -> String {
        // Somebody who wrote years with a letter that has no meaning here wrote English.
        let plain = unquoted(code);
        let has = |letters: &str| plain.chars().any(|c| letters.contains(c.to_ascii_lowercase()));
        let english = has("y") && !self.0.letters.contains('y');
        if english {
            return code.to_owned();
        }
        let without_general = plain.replace(self.0.general, "");
        let is_date = without_general.chars().any(|c| self.letter(c).is_some());
        let mut out = String::new();
        let mut rest = code;
        while let Some(c) = rest.chars().next() {
            if let Some(behind) = rest.strip_prefix(self.0.general) {
                out.push_str("General");
                rest = behind;
                continue;
            }
            if let Some(half) =
                ["AM/PM", "am/pm", "A/P", "a/p"].into_iter().find(|half| rest.starts_with(half))
            {
                out.push_str(half);
                rest = &rest[half.len()..];
                continue;
            }
            let taken = match c {
                '"' => rest[1..].find('"').map_or(rest.len(), |end| end + 2),
                '\\' | '!' | '_' | '*' => 1 + rest[c.len_utf8()..].chars().next().map_or(0, char::len_utf8),
                '[' => rest.find(']').map_or(rest.len(), |end| end + 1),
                _ => 0,
            };
            if taken > 0 {
                let piece = &rest[..taken];
                match c {
                    '[' => out.push_str(&self.bracket(piece)),
                    _ => out.push_str(piece),
                }
                rest = &rest[taken..];
                continue;
            }
            rest = &rest[c.len_utf8()..];
            self.sign(c, is_date, rest, &mut out);
        }
        out
    }

    fn sign(self, c: char, is_date: bool, behind: &str, out: &mut String) {
        let blank = |c: char| matches!(c, BLANK | '\u{202f}');
        let digits = |text: &str| text.starts_with(['0', '#', '?']);
        match c {
            c if c == self.0.decimal && (!is_date || behind.starts_with('0')) => out.push('.'),
            c if !is_date && (c == self.0.group || (blank(c) && blank(self.0.group))) => out.push(','),
            // A blank typed between digits stands for the one that does not break.
            ' ' if !is_date && blank(self.0.group) && digits(behind) && out.ends_with(['0', '#']) => {
                out.push(',')
            }
            '.' | ',' => out.extend(['\\', c]),
            'E' | 'e' if behind.starts_with(['+', '-']) => out.push(c),
            c => match self.letter(c) {
                Some(letter) if c.is_uppercase() => out.push(letter.to_ascii_uppercase()),
                Some(letter) => out.push(letter),
                None if "ymdhsbega".contains(c.to_ascii_lowercase()) => out.extend(['\\', c]),
                None => out.push(c),
            },
        }
    }

    /// `[t]:mm` is an elapsed time too.
    fn bracket(self, piece: &str) -> String {
        let inside = piece.trim_matches(['[', ']']);
        match inside.chars().map(|c| self.letter(c)).collect::<Option<String>>() {
            Some(letters)
                if !letters.is_empty() && letters.bytes().all(|b| Some(&b) == letters.as_bytes().first()) =>
            {
                format!("[{letters}]")
            }
            _ => piece.to_owned(),
        }
    }
}

fn split_sections(code: &str) -> Vec<&str> {
    let (mut sections, mut start, mut quoted, mut escaped) = (Vec::new(), 0, false, false);
    for (at, c) in code.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if !quoted => escaped = true,
            '"' => quoted = !quoted,
            ';' if !quoted => {
                sections.push(&code[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    sections.push(&code[start..]);
    sections
}

/// A code without its texts and brackets.
fn unquoted(code: &str) -> String {
    let (mut out, mut quoted, mut bracket, mut escaped) = (String::new(), false, false, false);
    for c in code.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' | '_' | '*' if !quoted => escaped = true,
            '"' => quoted = !quoted,
            '[' if !quoted => bracket = true,
            ']' if !quoted => bracket = false,
            c if !quoted && !bracket => out.push(c),
            _ => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coerce::{text, text_to_number};
    use crate::numfmt::text_function;
    use crate::value::Value;

    fn region(tag: &str) -> Region {
        Region { dates: DateSystem::D1900, locale: Locale::of(tag).expect("a known locale") }
    }

    #[test]
    fn formats_in_formulas_are_read_in_their_language() {
        for (tag, number, code, shown) in [
            ("de-DE", 45_000.0, "TT.MM.JJJJ", "15.03.2023"),
            ("de-DE", 45_000.0, "MMMM JJJJ", "März 2023"),
            ("de-DE", 1234.5, "#.##0,00", "1.234,50"),
            ("de-DE", 1234.5, "#.##0,00 €", "1.234,50 €"),
            ("de-DE", 0.5, "hh:mm", "12:00"),
            ("de-DE", 45_000.0, "yyyy-mm-dd", "2023-03-15"),
            ("de-DE", 1.5, "Standard", "1,5"),
            ("de-DE", 45_000.0, "T/M/JJ", "15.3.23"),
            ("fr-FR", 45_000.0, "jj/mm/aaaa", "15/03/2023"),
            ("fr-FR", 45_000.0, "jjjj j mmmm aaaa", "mercredi 15 mars 2023"),
            ("fr-FR", 1_234_567.5, "# ##0,0", "1\u{202f}234\u{202f}567,5"),
            ("es-ES", 45_000.0, "mmmm", "marzo"),
            ("es-ES", 45_000.0, "dd-mmm-aa", "15-mar-23"),
            ("es-MX", 1234.5, "#,##0.00", "1,234.50"),
            ("it-IT", 45_000.0, "gg/mm/aaaa", "15/03/2023"),
            ("nl-NL", 45_000.25, "dd-mm-jjjj uu:mm", "15-03-2023 06:00"),
            ("pl-PL", 45_000.0, "rrrr-mm-dd", "2023-03-15"),
            ("ru-RU", 45_000.0, "ДД.ММ.ГГГГ", "15.03.2023"),
            ("sv-SE", 45_000.0, "ÅÅÅÅ-MM-DD", "2023-03-15"),
            ("tr-TR", 45_000.0, "gg.aa.yyyy", "15.03.2023"),
            ("de-DE", 0.25, "0%", "25%"),
            ("de-DE", 1234.0, "0000", "1234"),
            ("en-US", 45_000.0, "mmmm", "March"),
        ] {
            let found = text_function(&Value::Number(number), code, region(tag));
            assert_eq!(found.as_deref(), Some(shown), "{tag} {code}");
        }
    }

    #[test]
    fn numbers_and_dates_are_read_in_their_language() {
        for (tag, typed, number) in [
            ("de-DE", "1.234,5", Some(1234.5)),
            ("de-DE", "1,5", Some(1.5)),
            ("de-DE", "31.12.2020", Some(44_196.0)),
            ("de-DE", "31. Dezember 2020", Some(44_196.0)),
            ("de-DE", "2020-12-31", Some(44_196.0)),
            ("de-DE", "12,5%", Some(0.125)),
            ("fr-FR", "1 234,5", Some(1234.5)),
            ("fr-FR", "1.5", None),
            ("fr-FR", "3/1/2020", Some(43_833.0)),
            ("en-GB", "3/1/2020", Some(43_833.0)),
            ("en-US", "3/1/2020", Some(43_891.0)),
            ("es-ES", "5 enero 2020", Some(43_835.0)),
        ] {
            assert_eq!(text_to_number(typed, region(tag)), number, "{tag} {typed}");
        }
        assert_eq!(text(&Value::Number(1.5), region("de-DE")).as_deref(), Ok("1,5"));
    }

    #[test]
    fn a_language_alone_is_its_first_country() {
        assert_eq!(Locale::of("DE").map(Locale::tag), Some("de-DE"));
        assert_eq!(Locale::of("pt_PT").map(Locale::tag), Some("pt-PT"));
        assert_eq!(Locale::of("es-AR").map(Locale::tag), Some("es-ES"));
        assert_eq!(Locale::of("tlh").map(Locale::tag), None);
    }
}
