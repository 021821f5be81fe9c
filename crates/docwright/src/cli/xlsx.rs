//! What can be said about Excel workbooks: `docwright xlsx`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{Destined, Signed};

/// Read and edit Excel workbooks
#[derive(Debug, Subcommand)]
pub(crate) enum Xlsx {
    Read(XlsxRead),
    Objects(XlsxObjects),
    Set(XlsxSet),
    Edit(XlsxEdit),
    Sort(XlsxSort),
    Autofit(XlsxAutofit),
    Exec(XlsxExec),
    Calc(XlsxCalc),
    Check(XlsxCheck),
    Lint(XlsxLint),
    Save(XlsxSave),
    Render(XlsxRender),
    New(XlsxNew),
}

/// The language of numbers and dates
#[derive(Debug, Args)]
pub(crate) struct Language {
    /// The language that numbers and dates are typed and shown in, such as de-DE; formulas stay English. Left out,
    /// typing and reading is English and formulas calculate in the language of the workbook's own values
    #[arg(long, value_name = "TAG")]
    pub(crate) locale: Option<String>,
}

/// Print cells of a workbook, or its sheets
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright xlsx read budget.xlsx                       the sheets and how far they reach
  docwright xlsx read budget.xlsx -r 'Model!A1:E4'      cells as they are shown
  docwright xlsx read budget.xlsx -r Summary --format csv > summary.csv
  docwright xlsx read budget.xlsx -r Summary --json     with formulas and raw values
  docwright xlsx read ledger.xls -r A1:F20              old binary workbooks can be read too")]
pub(crate) struct XlsxRead {
    /// The workbook
    pub(crate) file: PathBuf,

    /// A range such as 'Sheet!A1:C9' or A1:C9 (of the sheet that is shown on opening), a defined name, a table, or a
    /// sheet's name
    #[arg(short, long, value_name = "RANGE")]
    pub(crate) range: Option<String>,

    /// How cells are printed: between tabs, between commas, or as JSON with formulas
    #[arg(long, value_enum, ignore_case = true, default_value = "tsv")]
    pub(crate) format: Table,

    #[command(flatten)]
    pub(crate) language: Language,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Table {
    Tsv,
    Csv,
    Json,
}

/// Run JavaScript against a workbook, in a process that can do nothing else
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright xlsx exec budget.xlsx --expr 'await xlsx.readRangeTsv(wb, \"Model\")'
  docwright xlsx exec budget.xlsx --code 'return await xlsx.setCells(wb, [{address: \"Inputs!B2\", value: 1.1}])' --save
  docwright xlsx exec budget.xlsx --script clean.js --input-json '{\"year\": 2025}' -o clean.xlsx
Without --save or -o nothing is written.")]
pub(crate) struct XlsxExec {
    /// The workbook
    pub(crate) file: PathBuf,

    /// The script itself; its `return` is the answer. Without --code, --script and --expr it is read from stdin
    #[arg(long, value_name = "JS", group = "source", allow_hyphen_values = true)]
    pub(crate) code: Option<String>,

    /// A file with the script
    #[arg(long, value_name = "FILE", group = "source")]
    pub(crate) script: Option<PathBuf>,

    /// An expression whose value is the answer
    #[arg(long, value_name = "JS", group = "source", allow_hyphen_values = true)]
    pub(crate) expr: Option<String>,

    /// What the script finds as `input`
    #[arg(long, value_name = "JSON", allow_hyphen_values = true)]
    pub(crate) input_json: Option<String>,

    /// A file as a data URL in `input`, such as logo=@logo.png
    #[arg(long, value_name = "NAME=@FILE")]
    pub(crate) input_file: Vec<String>,

    /// How long the script may take; 0 is the default of 30,000, 120,000 is the most
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) timeout_ms: u64,

    /// Keep the changes in the file
    #[arg(long, conflicts_with = "output")]
    pub(crate) save: bool,

    /// Begin with a new workbook; the file must not exist
    #[arg(long)]
    pub(crate) create: bool,

    /// The language in whose manner numbers and dates are shown, such as de-DE
    #[arg(long, value_name = "TAG")]
    pub(crate) locale: Option<String>,

    /// Write the changed workbook to another file
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Where the pictures of previewStyles and previewChart go, as preview-1.png and so on
    #[arg(long, value_name = "FOLDER")]
    pub(crate) pictures: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) signed: Signed,
}

/// Calculate a workbook, or compare a calculation with the values in the file
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright xlsx calc budget.xlsx --verify --json     do we agree with whoever saved it?
  docwright xlsx calc budget.xlsx -o fresh.xlsx       write all values anew")]
pub(crate) struct XlsxCalc {
    /// The workbook
    pub(crate) file: PathBuf,

    /// Write nothing; report every cell whose value is another
    #[arg(long)]
    pub(crate) verify: bool,

    #[command(flatten)]
    pub(crate) into: Destined,

    #[command(flatten)]
    pub(crate) language: Language,
}

/// Check workbooks for what makes Excel complain, and that saving without an edit changes no byte
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright xlsx check budget.xlsx
  docwright xlsx check *.xlsx --json")]
pub(crate) struct XlsxCheck {
    /// The workbooks
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

/// Find what calculates and may still be wrong
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright xlsx lint budget.xlsx
  docwright xlsx lint budget.xlsx -r Model --skip-rule DW005 --json
  docwright xlsx lint --rules                            what is looked for
Ends with 2 if there is an error or a warning.")]
pub(crate) struct XlsxLint {
    /// The workbook
    #[arg(required_unless_present = "rules")]
    pub(crate) file: Option<PathBuf>,

    /// Only findings about this range, name, table or sheet; may be given several times
    #[arg(short, long, value_name = "RANGE")]
    pub(crate) range: Vec<String>,

    /// Only this rule, such as D001; may be given several times
    #[arg(long, value_name = "ID")]
    pub(crate) only_rule: Vec<String>,

    /// Not this rule; may be given several times
    #[arg(long, value_name = "ID")]
    pub(crate) skip_rule: Vec<String>,

    /// List the rules
    #[arg(long, conflicts_with_all = ["file", "range", "only_rule", "skip_rule"])]
    pub(crate) rules: bool,
}

/// Set one cell and recalculate what depends on it
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright xlsx set budget.xlsx --cell 'Inputs!B3' --value 1.08 -o scenario.xlsx
  docwright xlsx set budget.xlsx --cell 'Summary!B4' --formula '=AVERAGE(Model!B4:E4)'")]
pub(crate) struct XlsxSet {
    /// The workbook
    pub(crate) file: PathBuf,

    /// The cell, such as 'Inputs!B5', B5 (of the sheet that is shown on opening), or a name that stands for one
    #[arg(long, value_name = "CELL")]
    pub(crate) cell: String,

    /// What one would type into Excel: 1.08, 25%, 1,234.50, 2024-03-01, 13:30, TRUE, text, =A1*2; what begins with an
    /// apostrophe is text
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    pub(crate) value: Option<String>,

    /// A formula, with or without its equals sign
    #[arg(long, value_name = "FORMULA", conflicts_with = "value", allow_hyphen_values = true)]
    pub(crate) formula: Option<String>,

    #[command(flatten)]
    pub(crate) into: Destined,

    #[command(flatten)]
    pub(crate) language: Language,
}

/// List what a workbook has beside its cells: names, tables, links, notes, threads, rules, drawings, charts, pages
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright xlsx objects budget.xlsx
  docwright xlsx objects budget.xlsx --sheet Summary --json")]
pub(crate) struct XlsxObjects {
    /// The workbook
    pub(crate) file: PathBuf,

    /// Only this sheet
    #[arg(short, long, value_name = "SHEET")]
    pub(crate) sheet: Option<String>,
}

/// Make any edits, given as JSON: all of them or none
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright xlsx edit budget.xlsx --edits '[{\"op\":\"insert_rows\",\"sheet\":\"Model\",\"at\":5,\"count\":2}]' -o out.xlsx   two rows before row 5
  docwright xlsx edit budget.xlsx --edits '{\"op\":\"add_table\",\"sheet\":\"Model\",\"area\":\"A1:E4\",\"name\":\"Plan\"}'
  docwright xlsx edit budget.xlsx --edits @changes.json --dry-run")]
pub(crate) struct XlsxEdit {
    /// The workbook
    pub(crate) file: PathBuf,

    /// One edit or a list of them as JSON, rows counted from 1 and columns by letter, or @FILE to read it from there
    #[arg(long, value_name = "JSON")]
    pub(crate) edits: String,

    #[command(flatten)]
    pub(crate) into: Destined,

    #[command(flatten)]
    pub(crate) language: Language,
}

/// Put rows into another order
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright xlsx sort budget.xlsx -r 'Inputs!A1:B4' --header --by Value:desc -o sorted.xlsx
  docwright xlsx sort budget.xlsx -r 'Inputs!A2:B4' --by B --no-header --dry-run")]
pub(crate) struct XlsxSort {
    /// The workbook
    pub(crate) file: PathBuf,

    /// The rows as a range, a defined name, a table (its rows without header and totals), or a sheet
    #[arg(short, long, value_name = "RANGE")]
    pub(crate) range: String,

    /// A column by its letter or by its heading, with :desc for the largest first; given several times, the first counts
    /// most
    #[arg(long, required = true, value_name = "COLUMN")]
    pub(crate) by: Vec<String>,

    /// The first row is a heading and stays where it is; this or --no-header has to be said, but for tables
    #[arg(long, conflicts_with = "no_header")]
    pub(crate) header: bool,

    /// The first row is sorted with the others
    #[arg(long)]
    pub(crate) no_header: bool,

    #[command(flatten)]
    pub(crate) into: Destined,
}

/// Make columns as wide as what they show
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright xlsx autofit budget.xlsx                    all columns of the sheet shown on opening
  docwright xlsx autofit budget.xlsx -r 'Model!A:E' --most 60 -o fitted.xlsx")]
pub(crate) struct XlsxAutofit {
    /// The workbook
    pub(crate) file: PathBuf,

    /// The columns as a range, a defined name, a table or a sheet
    #[arg(short, long, value_name = "RANGE")]
    pub(crate) range: Option<String>,

    /// The narrowest a column may become, in characters
    #[arg(long, value_name = "N", default_value_t = 0.0)]
    pub(crate) least: f64,

    /// The widest a column may become, in characters
    #[arg(long, value_name = "N", default_value_t = 255.0)]
    pub(crate) most: f64,

    #[command(flatten)]
    pub(crate) into: Destined,
}

/// Open and save without an edit, which changes no byte; an old .xls is converted
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright xlsx save budget.xlsx -o copy.xlsx
  docwright xlsx save ledger.xls -o ledger.xlsx     values, formulas and names; not looks and charts")]
pub(crate) struct XlsxSave {
    /// The workbook
    pub(crate) file: PathBuf,

    /// Where the copy goes; an old workbook becomes an .xlsx
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
}

/// Draw cells as a picture, as Excel shows them
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright xlsx render budget.xlsx                             the first page of the sheet shown on opening
  docwright xlsx render budget.xlsx -r 'Model!A1:H20' --dpr 2 -o model.png
  docwright xlsx render budget.xlsx -r Summary -o summary.svg
  docwright xlsx render budget.xlsx --chart '#1' -o chart.png
  docwright xlsx render budget.xlsx -r Summary --diff before.png -o changed.png")]
pub(crate) struct XlsxRender {
    /// The workbook
    pub(crate) file: PathBuf,

    /// A range such as 'Sheet!A1:C9', a defined name, a table, or a sheet's name
    #[arg(short, long, value_name = "RANGE")]
    pub(crate) range: Option<String>,

    /// One chart alone, by its name or as #1; -r may name its sheet
    #[arg(long, value_name = "NAME")]
    pub(crate) chart: Option<String>,

    /// Pixels of the picture for each pixel of the sheet, 1 to 3
    #[arg(long, value_name = "N", default_value_t = 1.0)]
    pub(crate) dpr: f32,

    /// Show the letters of columns and the numbers of rows
    #[arg(long)]
    pub(crate) headings: bool,

    /// Leave out the lines between cells
    #[arg(long)]
    pub(crate) no_gridlines: bool,

    /// Compare with an earlier picture: what changed is framed, the rest pale; ends with 2 if anything did
    #[arg(long, value_name = "BEFORE.png")]
    pub(crate) diff: Option<PathBuf>,

    /// Look among the machine's fonts for characters that the program's own do not have
    #[arg(long)]
    pub(crate) system_fonts: bool,

    /// Where to write, .png or .svg; the workbook's name with .png in this folder otherwise
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
}

/// Make a workbook with empty sheets
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  docwright xlsx new plan.xlsx
  docwright xlsx new model.xlsx --sheet Inputs --sheet Model")]
pub(crate) struct XlsxNew {
    /// The new workbook, which ends in .xlsx
    pub(crate) file: PathBuf,

    /// A sheet; may be given several times
    #[arg(short, long = "sheet", value_name = "NAME")]
    pub(crate) sheets: Vec<String>,
}
