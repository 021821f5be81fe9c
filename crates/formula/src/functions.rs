//! The function table. Each family is a file with one list; adding a function is adding a line there.

mod database;
mod date;
mod dynamic;
mod engineering;
mod financial;
mod higher_order;
mod information;
mod logical;
mod lookup;
mod math;
mod matrix;
mod statistical;
mod text;

use std::sync::LazyLock;

use crate::bind::Node;
use crate::eval::args::Args;
use crate::eval::index::Fold;
use crate::eval::{Answer, Cx};
use crate::hash::QuickMap;

/// Where Excel's own list has a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Category {
    Math,
    Statistical,
    Financial,
    Engineering,
    Text,
    Lookup,
    Date,
    Logical,
    Information,
    Database,
    Cube,
    Web,
}

/// One function: its name, how it is called, and what is known of it.
#[derive(Clone, Copy)]
pub struct Function {
    pub name: &'static str,
    pub category: Category,
    pub min: u8,
    pub max: u8,
    /// Computed anew at each recalculation.
    pub volatile: bool,
    /// Its value comes from the moment, from chance or from the machine, not from the workbook.
    pub moving: bool,
    /// Known differences from Excel; empty when there are none.
    pub note: &'static str,
    /// One letter per argument, the last for all that follow: `V` value, `E` value or error,
    /// `R` range, `A` array.
    classes: &'static str,
    pub(crate) run: Run,
    /// Whether it came from the old analysis add-in, which takes neither truths nor ranges for numbers.
    pub(crate) addin: bool,
    /// What it does with the numbers of ranges, if that is all it does.
    pub(crate) fold: Option<Fold>,
}

#[derive(Clone, Copy)]
pub(crate) enum Run {
    /// Gets its arguments evaluated.
    Eager(fn(&Args<'_>) -> Answer),
    /// Evaluates what it needs.
    Lazy(fn(&Cx<'_>, &[Node]) -> Answer),
    /// Needs what an engine cannot have: a server, a cube, another program.
    Unanswerable,
}

impl std::fmt::Debug for Function {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl Function {
    pub(crate) fn class(&self, index: usize) -> u8 {
        let classes = self.classes.as_bytes();
        classes.get(index).or_else(|| classes.last()).copied().unwrap_or(b'V')
    }

    /// Whether the argument is a number, as far as the kind of function tells.
    pub(crate) fn wants_number(&self, index: usize) -> bool {
        let numbers = match self.category {
            Category::Math | Category::Statistical | Category::Financial => {
                !matches!(self.name, "ARABIC" | "DECIMAL" | "EUROCONVERT")
            }
            Category::Date => !matches!(
                (self.name, index),
                ("DATEVALUE" | "TIMEVALUE", _) | ("NETWORKDAYS.INTL" | "WORKDAY.INTL", 2)
            ),
            _ => false,
        };
        numbers && self.class(index) == b'V'
    }

    const fn volatile(mut self) -> Function {
        self.volatile = true;
        self
    }

    const fn moving(mut self) -> Function {
        self.volatile = true;
        self.moving = true;
        self
    }

    const fn note(mut self, note: &'static str) -> Function {
        self.note = note;
        self
    }

    const fn folds(mut self, fold: Fold) -> Function {
        self.fold = Some(fold);
        self
    }

    const fn category(mut self, category: Category) -> Function {
        self.category = category;
        self
    }
}

const fn entry(name: &'static str, classes: &'static str, min: u8, max: u8, run: Run) -> Function {
    Function {
        name,
        category: Category::Math,
        min,
        max,
        volatile: false,
        moving: false,
        note: "",
        classes,
        run,
        addin: false,
        fold: None,
    }
}

/// A function of evaluated arguments.
const fn def(
    name: &'static str,
    classes: &'static str,
    min: u8,
    max: u8,
    body: fn(&Args<'_>) -> Answer,
) -> Function {
    entry(name, classes, min, max, Run::Eager(body))
}

/// A function that chooses what to evaluate.
const fn lazy(name: &'static str, min: u8, max: u8, body: fn(&Cx<'_>, &[Node]) -> Answer) -> Function {
    entry(name, "R", min, max, Run::Lazy(body))
}

const fn unanswerable(name: &'static str, min: u8, max: u8) -> Function {
    entry(name, "R", min, max, Run::Unanswerable)
        .note("not calculated here: the value that the file has is kept")
}

/// As many arguments as Excel allows.
const MANY: u8 = 255;

type Family = (Category, &'static [&'static [Function]]);

const FAMILIES: &[Family] = &[
    (Category::Logical, &[logical::FUNCTIONS, higher_order::FUNCTIONS]),
    (
        Category::Math,
        &[math::FUNCTIONS, math::criteria::FUNCTIONS, math::subtotal::FUNCTIONS, matrix::FUNCTIONS],
    ),
    (
        Category::Statistical,
        &[
            statistical::FUNCTIONS,
            statistical::rank::FUNCTIONS,
            statistical::distribution::FUNCTIONS,
            statistical::regression::FUNCTIONS,
            statistical::ets::FUNCTIONS,
        ],
    ),
    (Category::Text, &[text::FUNCTIONS, text::split::FUNCTIONS]),
    (
        Category::Lookup,
        &[
            lookup::FUNCTIONS,
            lookup::reference::FUNCTIONS,
            lookup::pivot::FUNCTIONS,
            dynamic::FUNCTIONS,
            dynamic::group::FUNCTIONS,
        ],
    ),
    (Category::Date, &[date::FUNCTIONS]),
    (
        Category::Financial,
        &[financial::FUNCTIONS, financial::bond::FUNCTIONS, financial::depreciation::FUNCTIONS],
    ),
    (
        Category::Engineering,
        &[engineering::FUNCTIONS, engineering::complex::FUNCTIONS, engineering::bessel::FUNCTIONS],
    ),
    (Category::Information, &[information::FUNCTIONS]),
    (Category::Database, &[database::FUNCTIONS]),
];

/// Functions of the old analysis add-in.
const ADDIN: &[&str] = &[
    "ACCRINT",
    "ACCRINTM",
    "AMORDEGRC",
    "AMORLINC",
    "BESSELI",
    "BESSELJ",
    "BESSELK",
    "BESSELY",
    "BIN2DEC",
    "BIN2HEX",
    "BIN2OCT",
    "COMPLEX",
    "CONVERT",
    "COUPDAYBS",
    "COUPDAYS",
    "COUPDAYSNC",
    "COUPNCD",
    "COUPNUM",
    "COUPPCD",
    "CUMIPMT",
    "CUMPRINC",
    "DEC2BIN",
    "DEC2HEX",
    "DEC2OCT",
    "DELTA",
    "DISC",
    "DOLLARDE",
    "DOLLARFR",
    "DURATION",
    "EDATE",
    "EFFECT",
    "EOMONTH",
    "ERF",
    "ERFC",
    "FACTDOUBLE",
    "GESTEP",
    "HEX2BIN",
    "HEX2DEC",
    "HEX2OCT",
    "INTRATE",
    "ISEVEN",
    "ISODD",
    "MDURATION",
    "MROUND",
    "NETWORKDAYS",
    "NOMINAL",
    "OCT2BIN",
    "OCT2DEC",
    "OCT2HEX",
    "ODDFPRICE",
    "ODDFYIELD",
    "ODDLPRICE",
    "ODDLYIELD",
    "PRICE",
    "PRICEDISC",
    "PRICEMAT",
    "QUOTIENT",
    "RANDBETWEEN",
    "RECEIVED",
    "SQRTPI",
    "TBILLEQ",
    "TBILLPRICE",
    "TBILLYIELD",
    "WEEKNUM",
    "WORKDAY",
    "YEARFRAC",
    "YIELD",
    "YIELDDISC",
    "YIELDMAT",
];

static TABLE: LazyLock<Vec<Function>> = LazyLock::new(|| {
    let mut all: Vec<Function> = FAMILIES
        .iter()
        .flat_map(|(category, lists)| {
            lists.iter().flat_map(|list| list.iter()).map(|function| {
                // Unless a function says otherwise it belongs where its file does.
                if function.category == Category::Math { function.category(*category) } else { *function }
            })
        })
        .collect();
    for function in &mut all {
        function.addin = ADDIN.contains(&function.name);
    }
    all.sort_by_key(|function| function.name);
    all
});

static INDEX: LazyLock<QuickMap<&'static str, &'static Function>> =
    LazyLock::new(|| TABLE.iter().map(|function| (function.name, function)).collect());

/// Every function known, by name.
#[must_use]
pub fn functions() -> &'static [Function] {
    &TABLE
}

/// A name as people type it, without the prefixes files carry.
#[must_use]
pub fn plain_name(name: &str) -> &str {
    let mut plain = name;
    if !name.starts_with('_') {
        return plain;
    }
    for prefix in ["_xlfn.", "_xlws.", "_xludf."] {
        if let Some(head) = plain.get(..prefix.len())
            && head.eq_ignore_ascii_case(prefix)
        {
            plain = plain.get(prefix.len()..).unwrap_or(plain);
        }
    }
    plain
}

pub(crate) fn find(name: &str) -> Option<&'static Function> {
    let plain = plain_name(name);
    if plain.bytes().any(|b| b.is_ascii_lowercase()) {
        return INDEX.get(plain.to_ascii_uppercase().as_str()).copied();
    }
    INDEX.get(plain).copied()
}
