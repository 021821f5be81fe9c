//! Truths and errors as other languages type them.

use formula::{ErrorKind, Locale};

/// The words for true and false by language.
const TRUTHS: &[(&str, &str, &str)] = &[
    ("cs", "pravda", "nepravda"),
    ("da", "sand", "falsk"),
    ("de", "wahr", "falsch"),
    ("es", "verdadero", "falso"),
    ("fi", "tosi", "epätosi"),
    ("fr", "vrai", "faux"),
    ("hu", "igaz", "hamis"),
    ("it", "vero", "falso"),
    ("nb", "sann", "usann"),
    ("nl", "waar", "onwaar"),
    ("pl", "prawda", "fałsz"),
    ("pt", "verdadeiro", "falso"),
    ("ru", "истина", "ложь"),
    ("sv", "sant", "falskt"),
    ("tr", "doğru", "yanliş"),
];

/// The errors that have names of their own by language.
const ERRORS: &[(&str, &[(&str, ErrorKind)])] = &[
    (
        "de",
        &[
            ("#WERT!", ErrorKind::Value),
            ("#BEZUG!", ErrorKind::Ref),
            ("#ZAHL!", ErrorKind::Num),
            ("#NV", ErrorKind::NotAvailable),
        ],
    ),
    (
        "es",
        &[
            ("#¡NULO!", ErrorKind::Null),
            ("#¡DIV/0!", ErrorKind::Div0),
            ("#¡VALOR!", ErrorKind::Value),
            ("#¡REF!", ErrorKind::Ref),
            ("#¿NOMBRE?", ErrorKind::Name),
            ("#¡NUM!", ErrorKind::Num),
        ],
    ),
    (
        "fr",
        &[
            ("#NUL!", ErrorKind::Null),
            ("#VALEUR!", ErrorKind::Value),
            ("#NOM?", ErrorKind::Name),
            ("#NOMBRE!", ErrorKind::Num),
        ],
    ),
    (
        "it",
        &[
            ("#NULLO!", ErrorKind::Null),
            ("#VALORE!", ErrorKind::Value),
            ("#RIF!", ErrorKind::Ref),
            ("#NOME?", ErrorKind::Name),
            ("#N/D", ErrorKind::NotAvailable),
        ],
    ),
];

fn language(locale: Locale) -> &'static str {
    locale.tag().split('-').next().unwrap_or(locale.tag())
}

pub(super) fn truth(text: &str, locale: Locale) -> Option<bool> {
    let (_, yes, no) = TRUTHS.iter().find(|(tag, _, _)| *tag == language(locale))?;
    let typed = text.to_lowercase();
    [(*yes, true), (*no, false)].into_iter().find(|(word, _)| *word == typed).map(|(_, flag)| flag)
}

pub(super) fn error(text: &str, locale: Locale) -> Option<ErrorKind> {
    let (_, names) = ERRORS.iter().find(|(tag, _)| *tag == language(locale))?;
    let typed = text.to_uppercase();
    names.iter().find(|(name, _)| *name == typed).map(|(_, kind)| *kind)
}
