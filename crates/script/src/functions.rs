//! What a script can call: one table.
//!
//! A function is a type: its fields are the arguments in their order, its doc comment is what people read, and its
//! answer is a type too. Checks, declarations and the reference are made of those.

mod arrange;
mod cell_value;
mod chart_spec;
mod charts;
mod compute;
mod conditional;
mod images;
mod labels;
mod layout;
mod lines;
mod lint;
mod list_object;
mod matcher;
mod preview;
mod properties;
mod read;
mod search;
mod structure;
mod style;
mod trace;
mod typed_text;
mod validation;
mod write;

#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::OnceLock;

use schema::Side;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::host::{Fault, Host};

pub(crate) use layout::Layout;
pub(crate) use preview::MOST_PICTURES;

/// Something that a script can call.
pub(crate) trait Call: DeserializeOwned + JsonSchema + 'static {
    type Answer: Serialize + JsonSchema;
    const NAME: &'static str;
    /// The fields, in the order of the arguments.
    const FIELDS: &'static [&'static str];

    fn run(self, host: &mut Host) -> Result<Self::Answer, Fault>;
}

/// A list of which more may be there; a script sees an array with `truncated` beside its members.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(inline)]
pub(crate) struct Listed<T> {
    #[serde(rename = "$list")]
    list: Vec<T>,
    truncated: bool,
}

/// Declares a function: its arguments, its answer and what is called.
macro_rules! function {
    (
        $(#[$doc:meta])*
        $name:literal $type:ident { $($(#[$about:meta])* $field:ident: $kind:ty),* $(,)? } -> $answer:ty => $run:path
    ) => {
        $(#[$doc])*
        #[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        pub(crate) struct $type { $($(#[$about])* pub(crate) $field: $kind,)* }

        impl $crate::functions::Call for $type {
            type Answer = $answer;
            const NAME: &'static str = $name;
            const FIELDS: &'static [&'static str] = &[$(stringify!($field)),*];

            fn run(self, host: &mut $crate::host::Host) -> Result<Self::Answer, $crate::host::Fault> {
                $run(host, self)
            }
        }
    };
}
pub(crate) use function;

/// A function as the table has it.
pub(crate) struct Entry {
    pub(crate) name: &'static str,
    fields: &'static [&'static str],
    schema: OnceLock<Map<String, Value>>,
    define: fn() -> Map<String, Value>,
    run: fn(&mut Host, Value) -> Result<Value, Fault>,
    pub(crate) declare: fn(&mut crate::declare::Types) -> crate::declare::Signature,
}

fn entry<C: Call>() -> Entry {
    Entry {
        name: C::NAME,
        fields: C::FIELDS,
        schema: OnceLock::new(),
        define: || schema::of::<C>(Side::Input),
        run: |host, arguments| {
            let call: C =
                serde_json::from_value(arguments).map_err(|error| Fault::invalid(error.to_string()))?;
            let answer = call.run(host)?;
            serde_json::to_value(answer).map_err(|error| Fault::new("EXEC_RUNTIME_ERROR", error.to_string()))
        },
        declare: crate::declare::signature::<C>,
    }
}

/// Every function there is, in the order in which they are explained.
pub(crate) fn all() -> &'static [Entry] {
    static ALL: OnceLock<Vec<Entry>> = OnceLock::new();
    ALL.get_or_init(|| {
        [
            read::entries(),
            properties::entries(),
            style::entries(),
            search::entries(),
            structure::entries(),
            trace::entries(),
            compute::entries(),
            lint::entries(),
            write::entries(),
            lines::entries(),
            arrange::entries(),
            validation::entries(),
            conditional::entries(),
            list_object::entries(),
            charts::entries(),
            images::entries(),
            preview::entries(),
        ]
        .into_iter()
        .flatten()
        .collect()
    })
}

pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    all().iter().map(|entry| entry.name)
}

/// A workbook and its functions without JavaScript and without a cage: what a test needs that looks for calls which do
/// harm.
pub struct Probe(Rc<RefCell<Host>>);

impl std::fmt::Debug for Probe {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Probe")
    }
}

impl Probe {
    pub fn open(workbook: Vec<u8>, cx: edit::Context) -> Result<Self, edit::Refusal> {
        Ok(Self(Rc::new(RefCell::new(Host::open(std::sync::Arc::new(workbook), cx)?))))
    }

    /// What can be called: a name, and the shape of each argument.
    pub fn functions() -> impl Iterator<Item = (&'static str, Vec<Value>)> {
        all().iter().map(|entry| {
            let schema = entry.schema.get_or_init(entry.define);
            let known = |field: &&str| schema.get("properties")?.get(camel(field)).cloned();
            (entry.name, entry.fields.iter().map(|field| known(field).unwrap_or(Value::Null)).collect())
        })
    }

    /// The answer as a script gets it.
    pub fn call(&self, name: &str, arguments: &str) -> String {
        call(&self.0, name, arguments)
    }

    /// Whether what was done so far can be told to the parent.
    pub fn finish(&self) -> bool {
        self.0.borrow_mut().finish().is_ok()
    }
}

/// Call a function with its arguments as a JSON list; answers JSON with `value` or `error`.
pub(crate) fn call(host: &Rc<RefCell<Host>>, name: &str, arguments: &str) -> String {
    let answer = match host.try_borrow_mut() {
        Ok(mut host) => answered(&mut host, name, arguments),
        // A getter that calls back while a call is under way.
        Err(_) => Err(Fault::new(
            "EXEC_RUNTIME_ERROR",
            format!("{name} was called while another call was under way"),
        )),
    };
    match answer {
        Ok(value) => json!({ "value": value }),
        Err(fault) => json!({ "error": { "code": fault.code, "message": fault.message } }),
    }
    .to_string()
}

/// What functions are called in other programs.
const ELSEWHERE: &[(&str, &[&str])] = &[
    ("readCell", &["getcell", "getvalue", "getcellvalue", "cell", "readvalue", "getformula"]),
    ("readRange", &["getrange", "getvalues", "getcells", "readcells", "range", "getusedrange", "readsheet"]),
    ("listSheets", &["getsheets", "sheets", "getsheetnames", "sheetnames", "listworksheets", "worksheets"]),
    ("listSheets", &["getsheet", "getworksheet", "getworksheets", "activesheet", "getactivesheet"]),
    (
        "setCells",
        &["setcell", "writecell", "setvalue", "setvalues", "setformula", "setformulas", "writerange"],
    ),
    ("setCells", &["setrange", "writecells", "updatecell", "updatecells", "updaterange", "clearrange"]),
    (
        "setCells",
        &["addcomment", "addnote", "setcomment", "setnote", "addhyperlink", "setlink", "clearcells"],
    ),
    ("insertRowAfter", &["insertrow", "insertrows", "addrow", "addrows", "appendrow", "insertrowbefore"]),
    (
        "insertColumnAfter",
        &["insertcolumn", "insertcolumns", "addcolumn", "addcolumns", "insertcolumnbefore"],
    ),
    ("findCells", &["find", "search", "findcell", "searchcells", "grep"]),
    ("findAndReplace", &["replace", "replaceall"]),
    ("setSheetProperties", &["mergecells", "merge", "unmergecells", "freezepanes", "freeze", "hidesheet"]),
    ("setStyle", &["formatcells", "setformat", "setcellstyle", "format", "setnumberformat", "setfill"]),
    ("setColumnProperties", &["setcolumnwidth", "hidecolumn", "hidecolumns"]),
    ("setRowProperties", &["setrowheight", "hiderow", "hiderows"]),
    ("evaluateFormula", &["calculate", "evaluate", "calc", "compute", "recalculate"]),
    ("listDefinedNames", &["listnames", "getnames", "names", "getdefinednames", "getnamedranges"]),
    ("previewStyles", &["render", "screenshot", "preview", "previewrange"]),
    ("addSheet", &["createsheet", "addworksheet", "newsheet", "insertsheet"]),
    ("deleteSheet", &["removesheet", "deleteworksheet"]),
    ("detectTables", &["listtables", "gettables", "tables"]),
    ("getListObject", &["gettable"]),
    ("addListObject", &["createtable", "addtable"]),
    ("addChart", &["createchart", "insertchart"]),
    ("getCellPrecedents", &["getprecedents", "traceprecedents"]),
    ("getCellDependents", &["getdependents", "tracedependents"]),
];

/// The function that somebody seems to have meant.
fn meant(wrong: &str) -> Option<&'static str> {
    let folded = wrong.to_lowercase();
    let known = ELSEWHERE.iter().find(|(_, others)| others.contains(&folded.as_str()));
    // Who wants to read is not told how to write.
    let reads = |name: &str| ["get", "read", "list"].iter().any(|verb| name.starts_with(verb));
    let fitting = names().filter(|name| !reads(&folded) || reads(name));
    known.map(|(name, _)| *name).or_else(|| edit::nearest(wrong, fitting))
}

/// Two arguments that are one address.
fn joined(entry: &Entry, given: &[Value]) -> Option<String> {
    let first = *entry.fields.first()?;
    let [sheet, cells, ..] = given else { return None };
    let (sheet, cells) = (sheet.as_str()?, cells.as_str()?);
    let is_area = cells.to_ascii_uppercase().parse::<sheet::Area>().is_ok();
    let wants_one = matches!(first, "cell" | "range") && !sheet.contains('!') && is_area;
    wants_one
        .then(|| format!("sheet and cells are one argument, `\"{}!{cells}\"`", crate::host::quoted(sheet)))
}

fn answered(host: &mut Host, name: &str, arguments: &str) -> Result<Value, Fault> {
    let given: Vec<Value> =
        serde_json::from_str(arguments).map_err(|error| Fault::invalid(format!("{name}: {error}")))?;
    if name == "$nearest" {
        let wrong = given.first().and_then(Value::as_str).unwrap_or("");
        return Ok(json!(meant(wrong)));
    }
    let entry = all().iter().find(|entry| entry.name == name);
    let entry =
        entry.ok_or_else(|| Fault::new("UNKNOWN_FUNCTION", format!("there is no function {name}")))?;
    host.cx().stop.check()?;
    let most = entry.fields.len();
    if let Some(advice) = joined(entry, &given) {
        return Err(Fault::invalid(format!("{name}: {advice}")));
    }
    if given.len() > most {
        let names: Vec<String> = entry.fields.iter().map(|field| camel(field)).collect();
        let takes =
            if names.is_empty() { "nothing but wb".to_owned() } else { format!("wb, {}", names.join(", ")) };
        return Err(Fault::invalid(format!(
            "{name} takes {takes}; {} arguments were given",
            given.len() + 1
        )));
    }
    let named =
        entry.fields.iter().map(|field| camel(field)).zip(given).filter(|(_, value)| !value.is_null());
    let mut arguments = Value::Object(named.collect());
    let schema = entry.schema.get_or_init(entry.define);
    schema::arguments(name, schema, &mut arguments)
        .map_err(|fault| Fault::invalid(format!("{name}: {fault}")))?;
    (entry.run)(host, arguments)
        .map_err(|fault| Fault { message: format!("{name}: {}", fault.message), ..fault })
}

/// `start_col` as scripts write it.
pub(crate) fn camel(field: &str) -> String {
    let mut words = field.split('_');
    let first = words.next().unwrap_or(field).to_owned();
    words.fold(first, |name, word| {
        let mut letters = word.chars();
        match letters.next() {
            Some(letter) => format!("{name}{}{}", letter.to_uppercase(), letters.as_str()),
            None => name,
        }
    })
}
