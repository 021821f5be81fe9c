//! Numbers in the writing systems Word knows.

/// `value` in a number format by its name in the file: `decimal`, `upperRoman`, `hebrew1`, …
///
/// What a system cannot write (0 in Roman numerals, 40 in a system of 30 letters) comes out in digits, and a
/// format nobody knows does too.
pub fn number(value: i64, format: &str) -> String {
    number_as(value, format, None)
}

/// The same, with the pattern of a custom format.
pub(super) fn number_as(value: i64, format: &str, pattern: Option<&str>) -> String {
    let digits = || value.to_string();
    let Ok(positive) = u64::try_from(value) else { return digits() };
    let written = match format {
        "none" => Some(String::new()),
        "decimal" | "bullet" => None,
        "custom" => pattern.and_then(|pattern| custom(positive, pattern)),
        "decimalZero" => Some(format!("{positive:02}")),
        "upperRoman" => roman(positive),
        "lowerRoman" => roman(positive).map(|roman| roman.to_lowercase()),
        "upperLetter" => repeated(positive, &LATIN),
        "lowerLetter" => repeated(positive, &LATIN).map(|letters| letters.to_lowercase()),
        "russianUpper" => repeated(positive, &RUSSIAN),
        "russianLower" => repeated(positive, &RUSSIAN).map(|letters| letters.to_lowercase()),
        "ordinal" => Some(format!("{positive}{}", ordinal_ending(positive))),
        "cardinalText" => words(positive).map(|words| capitalized(&words)),
        "ordinalText" => words(positive).map(|words| capitalized(&ordinal_words(&words))),
        "hex" => Some(format!("{positive:X}")),
        "chicago" => repeated(positive, &['*', '†', '‡', '§']),
        "numberInDash" => Some(format!("- {positive} -")),
        "decimalFullWidth" | "decimalFullWidth2" => Some(in_digits(positive, &FULL_WIDTH)),
        "decimalHalfWidth" => None,
        "decimalEnclosedCircle" | "decimalEnclosedCircleChinese" => enclosed(positive, '①', 20),
        "decimalEnclosedFullstop" => enclosed(positive, '⒈', 20),
        "decimalEnclosedParen" => enclosed(positive, '⑴', 20),
        "ideographEnclosedCircle" => enclosed(positive, '㊀', 10),
        "aiueo" => one_of(positive, AIUEO_HALF),
        "aiueoFullWidth" => one_of(positive, AIUEO),
        "iroha" => one_of(positive, IROHA_HALF),
        "irohaFullWidth" => one_of(positive, IROHA),
        "ganada" => one_of(positive, "가나다라마바사아자차카타파하"),
        "chosung" => one_of(positive, "ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ"),
        "ideographTraditional" => one_of(positive, "甲乙丙丁戊己庚辛壬癸"),
        "ideographZodiac" => one_of(positive, ZODIAC),
        "ideographZodiacTraditional" => sexagenary(positive),
        "ideographDigital" | "japaneseDigitalTenThousand" | "taiwaneseDigital" => {
            Some(in_digits(positive, &['〇', '一', '二', '三', '四', '五', '六', '七', '八', '九']))
        }
        "koreanDigital" | "koreanDigital2" => {
            let korean = ['영', '일', '이', '삼', '사', '오', '육', '칠', '팔', '구'];
            let chinese = ['零', '一', '二', '三', '四', '五', '六', '七', '八', '九'];
            Some(in_digits(positive, if format == "koreanDigital" { &korean } else { &chinese }))
        }
        "japaneseCounting" | "chineseCounting" | "taiwaneseCounting" => counting(positive, &COMMON),
        "chineseCountingThousand" | "taiwaneseCountingThousand" => counting(positive, &COMMON_ZERO),
        "chineseLegalSimplified" => counting(positive, &LEGAL_SIMPLIFIED),
        "ideographLegalTraditional" => counting(positive, &LEGAL_TRADITIONAL),
        "japaneseLegal" => counting(positive, &LEGAL_JAPANESE),
        "koreanCounting" => counting(positive, &KOREAN),
        "koreanLegal" => korean_legal(positive),
        "hebrew1" => hebrew(positive),
        "hebrew2" => repeated(positive, &HEBREW),
        "arabicAlpha" => repeated(positive, &ARABIC_ALPHA),
        "arabicAbjad" => repeated(positive, &ARABIC_ABJAD),
        "thaiLetters" => repeated(positive, &THAI),
        "thaiNumbers" => Some(in_digits(positive, &['๐', '๑', '๒', '๓', '๔', '๕', '๖', '๗', '๘', '๙'])),
        "thaiCounting" => thai_words(positive),
        "bahtText" => thai_words(positive).map(|words| format!("{words}บาทถ้วน")),
        "dollarText" => words(positive).map(|words| format!("{} and 00/100", capitalized(&words))),
        "hindiVowels" => repeated(positive, &HINDI_VOWELS),
        "hindiConsonants" => repeated(positive, &HINDI_CONSONANTS),
        "hindiNumbers" => Some(in_digits(positive, &['०', '१', '२', '३', '४', '५', '६', '७', '८', '९'])),
        "vietnameseCounting" => vietnamese(positive),
        _ => None,
    };
    written.unwrap_or_else(digits)
}

const LATIN: [char; 26] = letters::<26>('A');
const FULL_WIDTH: [char; 10] = letters::<10>('０');
const RUSSIAN: [char; 29] = [
    'А', 'Б', 'В', 'Г', 'Д', 'Е', 'Ж', 'З', 'И', 'К', 'Л', 'М', 'Н', 'О', 'П', 'Р', 'С', 'Т', 'У', 'Ф', 'Х',
    'Ц', 'Ч', 'Ш', 'Щ', 'Ы', 'Э', 'Ю', 'Я',
];
const HEBREW: [char; 22] = [
    'א', 'ב', 'ג', 'ד', 'ה', 'ו', 'ז', 'ח', 'ט', 'י', 'כ', 'ל', 'מ', 'נ', 'ס', 'ע', 'פ', 'צ', 'ק', 'ר', 'ש',
    'ת',
];
const ARABIC_ALPHA: [char; 28] = [
    'أ', 'ب', 'ت', 'ث', 'ج', 'ح', 'خ', 'د', 'ذ', 'ر', 'ز', 'س', 'ش', 'ص', 'ض', 'ط', 'ظ', 'ع', 'غ', 'ف', 'ق',
    'ك', 'ل', 'م', 'ن', 'ه', 'و', 'ي',
];
const ARABIC_ABJAD: [char; 28] = [
    'أ', 'ب', 'ج', 'د', 'ه', 'و', 'ز', 'ح', 'ط', 'ي', 'ك', 'ل', 'م', 'ن', 'س', 'ع', 'ف', 'ص', 'ق', 'ر', 'ش',
    'ت', 'ث', 'خ', 'ذ', 'ض', 'ظ', 'غ',
];
const THAI: [char; 41] = [
    'ก', 'ข', 'ค', 'ง', 'จ', 'ฉ', 'ช', 'ซ', 'ฌ', 'ญ', 'ฎ', 'ฏ', 'ฐ', 'ฑ', 'ฒ', 'ณ', 'ด', 'ต', 'ถ', 'ท', 'ธ',
    'น', 'บ', 'ป', 'ผ', 'ฝ', 'พ', 'ฟ', 'ภ', 'ม', 'ย', 'ร', 'ล', 'ว', 'ศ', 'ษ', 'ส', 'ห', 'ฬ', 'อ', 'ฮ',
];
const HINDI_VOWELS: [char; 37] = [
    'क', 'ख', 'ग', 'घ', 'ङ', 'च', 'छ', 'ज', 'झ', 'ञ', 'ट', 'ठ', 'ड', 'ढ', 'ण', 'त', 'थ', 'द', 'ध', 'न', 'ऩ',
    'प', 'फ', 'ब', 'भ', 'म', 'य', 'र', 'ऱ', 'ल', 'ळ', 'ऴ', 'व', 'श', 'ष', 'स', 'ह',
];
const HINDI_CONSONANTS: [char; 18] =
    ['अ', 'आ', 'इ', 'ई', 'उ', 'ऊ', 'ऋ', 'ऌ', 'ऍ', 'ऎ', 'ए', 'ऐ', 'ऑ', 'ऒ', 'ओ', 'औ', 'अ', 'अ'];
const AIUEO: &str =
    "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン";
const AIUEO_HALF: &str = "ｱｲｳｴｵｶｷｸｹｺｻｼｽｾｿﾀﾁﾂﾃﾄﾅﾆﾇﾈﾉﾊﾋﾌﾍﾎﾏﾐﾑﾒﾓﾔﾕﾖﾗﾘﾙﾚﾛﾜｦﾝ";
const IROHA: &str =
    "イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセスン";
const IROHA_HALF: &str = "ｲﾛﾊﾆﾎﾍﾄﾁﾘﾇﾙｦﾜｶﾖﾀﾚｿﾂﾈﾅﾗﾑｳヰﾉｵｸﾔﾏｹﾌｺｴﾃｱｻｷﾕﾒﾐｼヱﾋﾓｾｽﾝ";
const ZODIAC: &str = "子丑寅卯辰巳午未申酉戌亥";

const fn letters<const N: usize>(first: char) -> [char; N] {
    let mut all = [first; N];
    let mut at = 0;
    while at < N {
        all[at] = match char::from_u32(first as u32 + at as u32) {
            Some(letter) => letter,
            None => first,
        };
        at += 1;
    }
    all
}

fn roman(value: u64) -> Option<String> {
    const PARTS: [(u64, &str); 13] = [
        (1000, "M"),
        (900, "CM"),
        (500, "D"),
        (400, "CD"),
        (100, "C"),
        (90, "XC"),
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    ];
    if !(1..=32_767).contains(&value) {
        return None;
    }
    let mut rest = value;
    let mut roman = String::new();
    for (part, letters) in PARTS {
        while rest >= part {
            roman.push_str(letters);
            rest -= part;
        }
    }
    Some(roman)
}

/// A to Z, then AA, BB, CC: Word repeats a letter instead of counting in base 26.
fn repeated(value: u64, letters: &[char]) -> Option<String> {
    let index = usize::try_from(value.checked_sub(1)?).ok()?;
    let letter = letters.get(index % letters.len())?;
    let times = index / letters.len() + 1;
    (times <= 64).then(|| std::iter::repeat_n(*letter, times).collect())
}

/// A letter of a system that starts over when its letters are used up.
fn one_of(value: u64, letters: &str) -> Option<String> {
    let index = usize::try_from(value.checked_sub(1)?).ok()?;
    letters.chars().nth(index % letters.chars().count()).map(String::from)
}

fn in_digits(value: u64, digits: &[char; 10]) -> String {
    let digit = |c: char| c.to_digit(10).and_then(|digit| digits.get(digit as usize)).copied().unwrap_or(c);
    value.to_string().chars().map(digit).collect()
}

fn enclosed(value: u64, first: char, count: u64) -> Option<String> {
    let within = (1..=count).contains(&value);
    within.then(|| char::from_u32(first as u32 + value as u32 - 1)).flatten().map(String::from)
}

fn sexagenary(value: u64) -> Option<String> {
    Some(one_of(value, "甲乙丙丁戊己庚辛壬癸")? + &one_of(value, ZODIAC)?)
}

/// `001, 002, …`: as many digits as the first example has. `α, β, …`: letters of the alphabet it starts.
fn custom(value: u64, pattern: &str) -> Option<String> {
    let example = pattern.split(',').next()?.trim();
    if let Some(greek) = ["αβγδεζηθικλμνξοπρστυφχψω", "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ"]
        .into_iter()
        .find(|letters| letters.get(..2) == Some(example))
    {
        return repeated(value, &greek.chars().collect::<Vec<char>>());
    }
    let width = example.len();
    let plain = example.bytes().all(|byte| byte.is_ascii_digit()) && (1..=12).contains(&width);
    plain.then(|| format!("{value:0width$}"))
}

fn ordinal_ending(value: u64) -> &'static str {
    match (value % 10, value % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    }
}

const ONES: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: [&str; 10] =
    ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];

fn words(value: u64) -> Option<String> {
    if value >= 1_000_000 {
        return None;
    }
    let below_hundred = |value: u64| match value {
        0..20 => ONES.get(value as usize).map(|word| (*word).to_owned()),
        _ => {
            let tens = TENS.get(value as usize / 10)?;
            match value % 10 {
                0 => Some((*tens).to_owned()),
                ones => Some(format!("{tens}-{}", ONES.get(ones as usize)?)),
            }
        }
    };
    let below_thousand = |value: u64| {
        let (hundreds, rest) = (value / 100, value % 100);
        match (hundreds, rest) {
            (0, rest) => below_hundred(rest),
            (hundreds, 0) => Some(format!("{} hundred", ONES.get(hundreds as usize)?)),
            (hundreds, rest) => {
                Some(format!("{} hundred {}", ONES.get(hundreds as usize)?, below_hundred(rest)?))
            }
        }
    };
    match (value / 1000, value % 1000) {
        (0, rest) => below_thousand(rest),
        (thousands, 0) => Some(format!("{} thousand", below_thousand(thousands)?)),
        (thousands, rest) => {
            Some(format!("{} thousand {}", below_thousand(thousands)?, below_thousand(rest)?))
        }
    }
}

fn ordinal_words(words: &str) -> String {
    let cut = words.rfind([' ', '-']).map_or(0, |at| at + 1);
    let (head, last) = words.split_at(cut);
    let last = match last {
        "one" => "first".to_owned(),
        "two" => "second".to_owned(),
        "three" => "third".to_owned(),
        "five" => "fifth".to_owned(),
        "eight" => "eighth".to_owned(),
        "nine" => "ninth".to_owned(),
        "twelve" => "twelfth".to_owned(),
        word => match word.strip_suffix('y') {
            Some(stem) => format!("{stem}ieth"),
            None => format!("{word}th"),
        },
    };
    format!("{head}{last}")
}

fn capitalized(words: &str) -> String {
    let mut characters = words.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

/// How a Chinese, Japanese or Korean system writes numbers out.
struct System {
    digits: [char; 10],
    ten: char,
    hundred: char,
    thousand: char,
    myriad: char,
    /// Whether gaps are marked with the digit for zero, and a leading one before ten is kept.
    zeros: bool,
    says_one_ten: bool,
}

const COMMON: System = System {
    digits: ['〇', '一', '二', '三', '四', '五', '六', '七', '八', '九'],
    ten: '十',
    hundred: '百',
    thousand: '千',
    myriad: '万',
    zeros: false,
    says_one_ten: false,
};
const COMMON_ZERO: System = System {
    digits: ['○', '一', '二', '三', '四', '五', '六', '七', '八', '九'],
    ten: '十',
    hundred: '百',
    thousand: '千',
    myriad: '万',
    zeros: true,
    says_one_ten: false,
};
const LEGAL_SIMPLIFIED: System = System {
    digits: ['零', '壹', '贰', '叁', '肆', '伍', '陆', '柒', '捌', '玖'],
    ten: '拾',
    hundred: '佰',
    thousand: '仟',
    myriad: '萬',
    zeros: true,
    says_one_ten: true,
};
const LEGAL_TRADITIONAL: System = System {
    digits: ['零', '壹', '貳', '參', '肆', '伍', '陸', '柒', '捌', '玖'],
    ten: '拾',
    hundred: '佰',
    thousand: '仟',
    myriad: '萬',
    zeros: true,
    says_one_ten: true,
};
const LEGAL_JAPANESE: System = System {
    digits: ['零', '壱', '弐', '参', '四', '伍', '六', '七', '八', '九'],
    ten: '拾',
    hundred: '百',
    thousand: '阡',
    myriad: '萬',
    zeros: false,
    says_one_ten: true,
};
const KOREAN: System = System {
    digits: ['영', '일', '이', '삼', '사', '오', '육', '칠', '팔', '구'],
    ten: '십',
    hundred: '백',
    thousand: '천',
    myriad: '만',
    zeros: false,
    says_one_ten: false,
};

fn counting(value: u64, system: &System) -> Option<String> {
    let digit = |digit: u64| system.digits.get(digit as usize).copied();
    if value == 0 {
        return digit(0).map(String::from);
    }
    if value >= 100_000_000 {
        return None;
    }
    let mut written = String::new();
    let (myriads, rest) = (value / 10_000, value % 10_000);
    if myriads > 0 {
        written = counting(myriads, system)?;
        written.push(system.myriad);
    }
    let mut gap = myriads > 0 && rest < 1000;
    let mut begun = myriads > 0;
    for (unit, name) in
        [(1000, Some(system.thousand)), (100, Some(system.hundred)), (10, Some(system.ten)), (1, None)]
    {
        let here = rest / unit % 10;
        if here == 0 {
            gap |= begun && !rest.is_multiple_of(unit);
            continue;
        }
        if gap && system.zeros {
            written.push(digit(0)?);
        }
        gap = false;
        // Ten is 十 and not 一十 at the start of a number; in the systems without zeros, anywhere.
        let silent_one = here == 1
            && name.is_some()
            && !system.says_one_ten
            && (if system.zeros { unit == 10 && !begun } else { true });
        if !silent_one {
            written.push(digit(here)?);
        }
        written.extend(name);
        begun = true;
    }
    Some(written)
}

fn korean_legal(value: u64) -> Option<String> {
    const ONES: [&str; 10] = ["", "하나", "둘", "셋", "넷", "다섯", "여섯", "일곱", "여덟", "아홉"];
    const TENS: [&str; 10] = ["", "열", "스물", "서른", "마흔", "쉰", "예순", "일흔", "여든", "아흔"];
    if !(1..100).contains(&value) {
        return counting(value, &KOREAN);
    }
    Some(format!("{}{}", TENS.get(value as usize / 10)?, ONES.get(value as usize % 10)?))
}

fn hebrew(value: u64) -> Option<String> {
    if !(1..=999).contains(&value) {
        return None;
    }
    let mut written = String::new();
    let mut hundreds = value / 100;
    while hundreds > 0 {
        let step = hundreds.min(4);
        written.push(*HEBREW.get(17 + step as usize)?);
        hundreds -= step;
    }
    match value % 100 {
        // 15 and 16 would spell parts of the divine name.
        15 => written.push_str("טו"),
        16 => written.push_str("טז"),
        rest => {
            if rest >= 10 {
                written.push(*HEBREW.get(8 + rest as usize / 10)?);
            }
            if !rest.is_multiple_of(10) {
                written.push(*HEBREW.get(rest as usize % 10 - 1)?);
            }
        }
    }
    Some(written)
}

fn thai_words(value: u64) -> Option<String> {
    const DIGITS: [&str; 10] = ["ศูนย์", "หนึ่ง", "สอง", "สาม", "สี่", "ห้า", "หก", "เจ็ด", "แปด", "เก้า"];
    const UNITS: [&str; 6] = ["", "สิบ", "ร้อย", "พัน", "หมื่น", "แสน"];
    if value == 0 {
        return DIGITS.first().map(|word| (*word).to_owned());
    }
    if value >= 1_000_000 {
        return None;
    }
    let mut written = String::new();
    for place in (0..UNITS.len()).rev() {
        let digit = value / 10u64.pow(place as u32) % 10;
        match (digit, place) {
            (0, _) => continue,
            (1, 1) => {}
            (2, 1) => written.push_str("ยี่"),
            (1, 0) if value > 10 => {
                written.push_str("เอ็ด");
                continue;
            }
            _ => written.push_str(DIGITS.get(digit as usize)?),
        }
        written.push_str(UNITS.get(place)?);
    }
    Some(written)
}

fn vietnamese(value: u64) -> Option<String> {
    const ONES: [&str; 10] = ["không", "một", "hai", "ba", "bốn", "năm", "sáu", "bảy", "tám", "chín"];
    let one = |digit: u64| ONES.get(digit as usize).copied();
    match (value / 10, value % 10) {
        (0, ones) => one(ones).map(str::to_owned),
        (1, 0) => Some("mười".to_owned()),
        (1, 5) => Some("mười lăm".to_owned()),
        (1, ones) => Some(format!("mười {}", one(ones)?)),
        (tens @ 2..=9, 0) => Some(format!("{} mươi", one(tens)?)),
        (tens @ 2..=9, 1) => Some(format!("{} mươi mốt", one(tens)?)),
        (tens @ 2..=9, 5) => Some(format!("{} mươi lăm", one(tens)?)),
        (tens @ 2..=9, ones) => Some(format!("{} mươi {}", one(tens)?, one(ones)?)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_are_written_as_word_writes_them() {
        let cases: &[(&str, &[(i64, &str)])] = &[
            ("decimal", &[(0, "0"), (12, "12"), (-3, "-3")]),
            ("decimalZero", &[(1, "01"), (10, "10"), (100, "100")]),
            ("upperRoman", &[(4, "IV"), (1994, "MCMXCIV"), (0, "0")]),
            ("lowerRoman", &[(9, "ix")]),
            ("upperLetter", &[(1, "A"), (26, "Z"), (27, "AA"), (28, "BB"), (53, "AAA")]),
            ("lowerLetter", &[(3, "c"), (30, "dd"), (0, "0")]),
            (
                "ordinal",
                &[(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (112, "112th"), (21, "21st")],
            ),
            ("cardinalText", &[(1, "One"), (21, "Twenty-one"), (115, "One hundred fifteen")]),
            ("ordinalText", &[(1, "First"), (12, "Twelfth"), (20, "Twentieth"), (33, "Thirty-third")]),
            ("hex", &[(255, "FF")]),
            ("chicago", &[(1, "*"), (4, "§"), (5, "**")]),
            ("numberInDash", &[(3, "- 3 -")]),
            ("decimalEnclosedCircle", &[(1, "①"), (20, "⑳"), (21, "21")]),
            ("decimalEnclosedParen", &[(2, "⑵")]),
            ("decimalFullWidth", &[(10, "１０")]),
            (
                "japaneseCounting",
                &[(10, "十"), (11, "十一"), (20, "二十"), (105, "百五"), (1234, "千二百三十四")],
            ),
            (
                "chineseCountingThousand",
                &[(10, "十"), (105, "一百○五"), (110, "一百一十"), (2005, "二千○五")],
            ),
            ("chineseLegalSimplified", &[(12, "壹拾贰"), (101, "壹佰零壹")]),
            ("ideographDigital", &[(10, "一〇")]),
            ("ideographTraditional", &[(1, "甲"), (11, "甲")]),
            ("ideographZodiac", &[(12, "亥")]),
            ("koreanCounting", &[(21, "이십일")]),
            ("koreanLegal", &[(21, "스물하나")]),
            ("ganada", &[(3, "다")]),
            ("aiueoFullWidth", &[(6, "カ")]),
            ("iroha", &[(1, "ｲ")]),
            ("hebrew1", &[(1, "א"), (15, "טו"), (16, "טז"), (21, "כא"), (500, "תק")]),
            ("hebrew2", &[(22, "ת"), (23, "אא")]),
            ("arabicAlpha", &[(2, "ب")]),
            ("arabicAbjad", &[(3, "ج")]),
            ("thaiNumbers", &[(12, "๑๒")]),
            ("thaiLetters", &[(1, "ก")]),
            ("thaiCounting", &[(21, "ยี่สิบเอ็ด"), (11, "สิบเอ็ด")]),
            ("russianUpper", &[(1, "А"), (29, "Я")]),
            ("hindiNumbers", &[(10, "१०")]),
            ("vietnameseCounting", &[(15, "mười lăm"), (21, "hai mươi mốt")]),
            ("none", &[(3, "")]),
            ("somethingNew", &[(3, "3")]),
        ];
        for (format, values) in cases {
            for (value, wanted) in *values {
                assert_eq!(number(*value, format), *wanted, "{format} {value}");
            }
        }
        assert_eq!(super::number_as(7, "custom", Some("001, 002, 003, ...")), "007");
        assert_eq!(super::number_as(2, "custom", Some("α, β, γ, ...")), "β");
        assert_eq!(super::number_as(24, "custom", Some("Α, Β, Γ, ...")), "Ω");
    }
}
