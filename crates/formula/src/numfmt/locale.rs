//! Names of months and days in the languages that formats ask for, and the eras of Japan and Taiwan.
//!
//! A format names its language by Office's number (`[$-407]`) or by a tag (`[$-de-DE]`). What is not in the table is
//! shown in English, as Excel does where a language is not installed. Separators of numbers do not follow the format:
//! Excel takes those of the machine.

/// What a language calls the months and days; days from Sunday on.
#[derive(Debug)]
pub(crate) struct Names {
    tag: &'static str,
    /// Office's number of the language, without the country.
    number: u32,
    months: &'static str,
    /// As they stand behind a day, where that is another form.
    months_of: &'static str,
    short_months: &'static str,
    days: &'static str,
    short_days: &'static str,
}

/// The language and calendar that a format asks for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Locale {
    pub(super) names: &'static Names,
    pub(crate) calendar: Calendar,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Calendar {
    Western,
    /// Years of the emperors, for `g` and `e`.
    Japanese,
    /// Years since 1912, for `g` and `e`.
    Taiwanese,
    /// Years of Buddha throughout.
    Thai,
}

/// What stands behind the hyphen of `[$-407]`.
pub(crate) fn locale(text: &str) -> Option<Locale> {
    if let Ok(number) = u32::from_str_radix(text, 16) {
        let names = NAMES.iter().find(|names| names.number == number & 0x3ff)?;
        let calendar = match (number & 0xffff, (number >> 16) & 0xff) {
            (_, 7) => Calendar::Thai,
            (0x411, _) => Calendar::Japanese,
            (0x404, _) => Calendar::Taiwanese,
            _ => Calendar::Western,
        };
        return Some(Locale { names, calendar });
    }
    let lower = text.to_ascii_lowercase();
    let language = lower.split(['-', ',']).next().unwrap_or(&lower);
    let language = if language == "no" || language == "nn" { "nb" } else { language };
    let names = NAMES.iter().find(|names| names.tag == language)?;
    let calendar = match lower.get(..5) {
        _ if language == "ja" => Calendar::Japanese,
        Some("zh-tw") => Calendar::Taiwanese,
        _ => Calendar::Western,
    };
    Some(Locale { names, calendar })
}

impl Locale {
    /// The same language, its years counted as everywhere: only a format that asks for eras counts in them.
    pub(crate) fn western(self) -> Locale {
        Locale { calendar: Calendar::Western, ..self }
    }

    pub(crate) fn month_of(self, word: &str) -> Option<i64> {
        self.names.month_named(word)
    }
}

pub(crate) const ENGLISH: Locale = Locale { names: &NAMES[0], calendar: Calendar::Western };

fn word(list: &'static str, at: usize) -> &'static str {
    list.split(' ').nth(at).unwrap_or("")
}

impl Names {
    /// The month, counted from one; `beside_day` where a day stands with it.
    pub(super) fn month(&self, month: u32, beside_day: bool) -> &'static str {
        let list = if beside_day && !self.months_of.is_empty() { self.months_of } else { self.months };
        word(list, month as usize - 1)
    }

    pub(super) fn short_month(&self, month: u32) -> &'static str {
        word(self.short_months, month as usize - 1)
    }

    /// The month that a word names, in full or in short.
    fn month_named(&self, word: &str) -> Option<i64> {
        let word = word.trim_end_matches('.').to_lowercase();
        let same = |name: &str| name.trim_end_matches('.').to_lowercase() == word;
        let lists = [self.months, self.months_of, self.short_months];
        lists.into_iter().find_map(|list| list.split(' ').position(same)).map(|at| at as i64 + 1)
    }

    pub(super) fn day(&self, weekday: u32) -> &'static str {
        word(self.days, weekday as usize)
    }

    pub(super) fn short_day(&self, weekday: u32) -> &'static str {
        word(self.short_days, weekday as usize)
    }
}

/// First day of each era as a serial date of 1900, its names from short to long, and the year before its first.
const ERAS: [(i64, [&str; 3], i64); 5] = [
    (43_586, ["R", "令", "令和"], 2018),
    (32_516, ["H", "平", "平成"], 1988),
    (9_856, ["S", "昭", "昭和"], 1925),
    (4_595, ["T", "大", "大正"], 1911),
    (0, ["M", "明", "明治"], 1867),
];

/// The era of a day (a serial date of 1900) and the year in it.
pub(crate) fn era(day: i64, year: i64) -> (&'static [&'static str; 3], i64) {
    let [.., first] = &ERAS;
    let (_, names, before) = ERAS.iter().find(|(start, _, _)| day >= *start).unwrap_or(first);
    (names, year - before)
}

const NAMES: &[Names] = &[
    Names {
        tag: "en",
        number: 0x09,
        months: "January February March April May June July August September October November December",
        months_of: "",
        short_months: "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
        days: "Sunday Monday Tuesday Wednesday Thursday Friday Saturday",
        short_days: "Sun Mon Tue Wed Thu Fri Sat",
    },
    Names {
        tag: "de",
        number: 0x07,
        months: "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
        months_of: "",
        short_months: "Jan Feb Mrz Apr Mai Jun Jul Aug Sep Okt Nov Dez",
        days: "Sonntag Montag Dienstag Mittwoch Donnerstag Freitag Samstag",
        short_days: "So Mo Di Mi Do Fr Sa",
    },
    Names {
        tag: "fr",
        number: 0x0c,
        months: "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        months_of: "",
        short_months: "janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.",
        days: "dimanche lundi mardi mercredi jeudi vendredi samedi",
        short_days: "dim. lun. mar. mer. jeu. ven. sam.",
    },
    Names {
        tag: "es",
        number: 0x0a,
        months: "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        months_of: "",
        short_months: "ene feb mar abr may jun jul ago sep oct nov dic",
        days: "domingo lunes martes miércoles jueves viernes sábado",
        short_days: "dom lun mar mié jue vie sáb",
    },
    Names {
        tag: "it",
        number: 0x10,
        months: "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
        months_of: "",
        short_months: "gen feb mar apr mag giu lug ago set ott nov dic",
        days: "domenica lunedì martedì mercoledì giovedì venerdì sabato",
        short_days: "dom lun mar mer gio ven sab",
    },
    Names {
        tag: "pt",
        number: 0x16,
        months: "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
        months_of: "",
        short_months: "jan fev mar abr mai jun jul ago set out nov dez",
        days: "domingo segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado",
        short_days: "dom seg ter qua qui sex sáb",
    },
    Names {
        tag: "nl",
        number: 0x13,
        months: "januari februari maart april mei juni juli augustus september oktober november december",
        months_of: "",
        short_months: "jan feb mrt apr mei jun jul aug sep okt nov dec",
        days: "zondag maandag dinsdag woensdag donderdag vrijdag zaterdag",
        short_days: "zo ma di wo do vr za",
    },
    Names {
        tag: "sv",
        number: 0x1d,
        months: "januari februari mars april maj juni juli augusti september oktober november december",
        months_of: "",
        short_months: "jan feb mar apr maj jun jul aug sep okt nov dec",
        days: "söndag måndag tisdag onsdag torsdag fredag lördag",
        short_days: "sön mån tis ons tor fre lör",
    },
    Names {
        tag: "da",
        number: 0x06,
        months: "januar februar marts april maj juni juli august september oktober november december",
        months_of: "",
        short_months: "jan feb mar apr maj jun jul aug sep okt nov dec",
        days: "søndag mandag tirsdag onsdag torsdag fredag lørdag",
        short_days: "sø ma ti on to fr lø",
    },
    Names {
        tag: "nb",
        number: 0x14,
        months: "januar februar mars april mai juni juli august september oktober november desember",
        months_of: "",
        short_months: "jan feb mar apr mai jun jul aug sep okt nov des",
        days: "søndag mandag tirsdag onsdag torsdag fredag lørdag",
        short_days: "søn man tir ons tor fre lør",
    },
    Names {
        tag: "fi",
        number: 0x0b,
        months: "tammikuu helmikuu maaliskuu huhtikuu toukokuu kesäkuu heinäkuu elokuu syyskuu lokakuu marraskuu joulukuu",
        months_of: "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta marraskuuta joulukuuta",
        short_months: "tammi helmi maalis huhti touko kesä heinä elo syys loka marras joulu",
        days: "sunnuntai maanantai tiistai keskiviikko torstai perjantai lauantai",
        short_days: "su ma ti ke to pe la",
    },
    Names {
        tag: "pl",
        number: 0x15,
        months: "styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień",
        months_of: "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
        short_months: "sty lut mar kwi maj cze lip sie wrz paź lis gru",
        days: "niedziela poniedziałek wtorek środa czwartek piątek sobota",
        short_days: "niedz. pon. wt. śr. czw. pt. sob.",
    },
    Names {
        tag: "cs",
        number: 0x05,
        months: "leden únor březen duben květen červen červenec srpen září říjen listopad prosinec",
        months_of: "ledna února března dubna května června července srpna září října listopadu prosince",
        short_months: "led úno bře dub kvě čvn čvc srp zář říj lis pro",
        days: "neděle pondělí úterý středa čtvrtek pátek sobota",
        short_days: "ne po út st čt pá so",
    },
    Names {
        tag: "hu",
        number: 0x0e,
        months: "január február március április május június július augusztus szeptember október november december",
        months_of: "",
        short_months: "jan. febr. márc. ápr. máj. jún. júl. aug. szept. okt. nov. dec.",
        days: "vasárnap hétfő kedd szerda csütörtök péntek szombat",
        short_days: "V H K Sze Cs P Szo",
    },
    Names {
        tag: "tr",
        number: 0x1f,
        months: "Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık",
        months_of: "",
        short_months: "Oca Şub Mar Nis May Haz Tem Ağu Eyl Eki Kas Ara",
        days: "Pazar Pazartesi Salı Çarşamba Perşembe Cuma Cumartesi",
        short_days: "Paz Pzt Sal Çar Per Cum Cmt",
    },
    Names {
        tag: "el",
        number: 0x08,
        months: "Ιανουάριος Φεβρουάριος Μάρτιος Απρίλιος Μάιος Ιούνιος Ιούλιος Αύγουστος Σεπτέμβριος Οκτώβριος Νοέμβριος Δεκέμβριος",
        months_of: "Ιανουαρίου Φεβρουαρίου Μαρτίου Απριλίου Μαΐου Ιουνίου Ιουλίου Αυγούστου Σεπτεμβρίου Οκτωβρίου Νοεμβρίου Δεκεμβρίου",
        short_months: "Ιαν Φεβ Μαρ Απρ Μαϊ Ιουν Ιουλ Αυγ Σεπ Οκτ Νοε Δεκ",
        days: "Κυριακή Δευτέρα Τρίτη Τετάρτη Πέμπτη Παρασκευή Σάββατο",
        short_days: "Κυρ Δευ Τρι Τετ Πεμ Παρ Σαβ",
    },
    Names {
        tag: "ru",
        number: 0x19,
        months: "Январь Февраль Март Апрель Май Июнь Июль Август Сентябрь Октябрь Ноябрь Декабрь",
        months_of: "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
        short_months: "янв фев мар апр май июн июл авг сен окт ноя дек",
        days: "воскресенье понедельник вторник среда четверг пятница суббота",
        short_days: "Вс Пн Вт Ср Чт Пт Сб",
    },
    Names {
        tag: "uk",
        number: 0x22,
        months: "січень лютий березень квітень травень червень липень серпень вересень жовтень листопад грудень",
        months_of: "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня",
        short_months: "січ лют бер кві тра чер лип сер вер жов лис гру",
        days: "неділя понеділок вівторок середа четвер п'ятниця субота",
        short_days: "Нд Пн Вт Ср Чт Пт Сб",
    },
    Names {
        tag: "ja",
        number: 0x11,
        months: "1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月",
        months_of: "",
        short_months: "1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月",
        days: "日曜日 月曜日 火曜日 水曜日 木曜日 金曜日 土曜日",
        short_days: "日 月 火 水 木 金 土",
    },
    Names {
        tag: "zh",
        number: 0x04,
        months: "一月 二月 三月 四月 五月 六月 七月 八月 九月 十月 十一月 十二月",
        months_of: "",
        short_months: "1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月",
        days: "星期日 星期一 星期二 星期三 星期四 星期五 星期六",
        short_days: "周日 周一 周二 周三 周四 周五 周六",
    },
    Names {
        tag: "ko",
        number: 0x12,
        months: "1월 2월 3월 4월 5월 6월 7월 8월 9월 10월 11월 12월",
        months_of: "",
        short_months: "1 2 3 4 5 6 7 8 9 10 11 12",
        days: "일요일 월요일 화요일 수요일 목요일 금요일 토요일",
        short_days: "일 월 화 수 목 금 토",
    },
    Names {
        tag: "th",
        number: 0x1e,
        months: "มกราคม กุมภาพันธ์ มีนาคม เมษายน พฤษภาคม มิถุนายน กรกฎาคม สิงหาคม กันยายน ตุลาคม พฤศจิกายน ธันวาคม",
        months_of: "",
        short_months: "ม.ค. ก.พ. มี.ค. เม.ย. พ.ค. มิ.ย. ก.ค. ส.ค. ก.ย. ต.ค. พ.ย. ธ.ค.",
        days: "อาทิตย์ จันทร์ อังคาร พุธ พฤหัสบดี ศุกร์ เสาร์",
        short_days: "อา. จ. อ. พ. พฤ. ศ. ส.",
    },
];
