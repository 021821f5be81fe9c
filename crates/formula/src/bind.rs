//! From text to evaluation: names of sheets, functions, tables and variables become what they stand for.
//!
//! A bound formula may serve many cells: relative references are kept with the cell they were written in, and
//! move along with the cell they are evaluated for.

use std::sync::Arc;

use crate::address::{Area, CellRef, MAX_COLS, MAX_ROWS, SheetId};
use crate::ast::{
    CellCoord, Coord, Expr, NameUse, Operator, Reference, SheetSpec, Structured, TableColumns, Target, Trim,
};
use crate::book::Book;
use crate::functions::{self, Function};
use crate::key::folded;
use crate::value::{Array, ErrorKind, Value};

/// A formula ready to evaluate.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    Value(Value),
    Array(Arc<Array>),
    Missing,
    Cell(SheetId, CellCoord),
    Area(SheetId, CellCoord, CellCoord),
    /// A reference over several sheets, as one per sheet.
    Areas(Arc<[SheetId]>, CellCoord, CellCoord),
    /// Columns of a table, in the row of the cell.
    ThisRow(Area),
    Name(usize),
    Local(usize),
    Negate(Box<Node>),
    Plus(Box<Node>),
    Percent(Box<Node>),
    Single(Box<Node>),
    Spill(Box<Node>),
    Paren(Box<Node>),
    Chain(Box<Node>, Box<[(Operator, Node)]>),
    Call(&'static Function, Box<[Node]>),
    /// Variables one after the other, then the body.
    Let(Box<[Node]>, Box<Node>),
    Lambda(Arc<LambdaNode>),
    /// A function itself, to be called by another.
    Function(&'static Function),
    Apply(Box<Node>, Box<[Node]>),
    /// Something this engine cannot know; the reason.
    Unanswerable(Arc<str>),
}

impl Node {
    /// Whether a variable is read anywhere inside.
    pub(crate) fn uses(&self, slot: usize) -> bool {
        match self {
            Node::Local(own) => *own == slot,
            Node::Negate(inner)
            | Node::Plus(inner)
            | Node::Percent(inner)
            | Node::Single(inner)
            | Node::Spill(inner)
            | Node::Paren(inner) => inner.uses(slot),
            Node::Chain(first, rest) => first.uses(slot) || rest.iter().any(|(_, node)| node.uses(slot)),
            Node::Call(_, args) => args.iter().any(|node| node.uses(slot)),
            Node::Let(values, body) => values.iter().any(|node| node.uses(slot)) || body.uses(slot),
            Node::Lambda(lambda) => lambda.body.uses(slot),
            Node::Apply(callee, args) => callee.uses(slot) || args.iter().any(|node| node.uses(slot)),
            _ => false,
        }
    }
}

#[derive(Debug)]
pub(crate) struct LambdaNode {
    /// How many variables around it the body sees.
    pub(crate) captured: usize,
    /// One per parameter: whether it may be left out.
    pub(crate) optional: Vec<bool>,
    pub(crate) body: Node,
}

/// Bind an expression as a formula of a cell on `home`. `at` is needed for references into the table the
/// cell stands in.
pub(crate) fn bind(expr: &Expr, book: &Book, home: SheetId, at: Option<CellRef>) -> Node {
    Binder { book, home, at, scope: Vec::new() }.node(expr)
}

struct Binder<'a> {
    book: &'a Book,
    home: SheetId,
    at: Option<CellRef>,
    scope: Vec<String>,
}

impl Binder<'_> {
    fn boxed(&mut self, expr: &Expr) -> Box<Node> {
        Box::new(self.node(expr))
    }

    /// Of an operator, where the bare name of a function is a name that means nothing: `PI*2`.
    fn operand(&mut self, expr: &Expr) -> Node {
        match self.node(expr) {
            Node::Function(_) => Node::Value(Value::Error(ErrorKind::Name)),
            node => node,
        }
    }

    fn all(&mut self, exprs: &[Expr]) -> Box<[Node]> {
        exprs.iter().map(|expr| self.node(expr)).collect()
    }

    fn node(&mut self, expr: &Expr) -> Node {
        match expr {
            Expr::Number(number) => Node::Value(Value::Number(*number)),
            Expr::Text(text) => Node::Value(Value::Text(text.clone())),
            Expr::Bool(flag) => Node::Value(Value::Bool(*flag)),
            Expr::Error(kind) => Node::Value(Value::Error(*kind)),
            Expr::Missing => Node::Missing,
            Expr::Array(array) => Node::Array(array.clone()),
            Expr::Reference(reference) => self.reference(reference),
            Expr::Name(name) => self.name(name),
            Expr::Structured(structured) => self.structured(structured),
            Expr::Negate(inner) => Node::Negate(Box::new(self.operand(inner))),
            Expr::Plus(inner) => Node::Plus(Box::new(self.operand(inner))),
            Expr::Percent(inner) => Node::Percent(Box::new(self.operand(inner))),
            Expr::Single(inner, _) => Node::Single(self.boxed(inner)),
            Expr::Spill(inner, _) => Node::Spill(self.boxed(inner)),
            Expr::Trimmed(inner, trim) => self.trimmed(inner, *trim),
            Expr::Paren(inner) => Node::Paren(self.boxed(inner)),
            Expr::Chain { first, rest } => {
                let first = Box::new(self.operand(first));
                let rest =
                    rest.iter().map(|(operator, operand)| (*operator, self.operand(operand))).collect();
                Node::Chain(first, rest)
            }
            Expr::Call { name, args, .. } => self.call(name, args),
            Expr::Apply { callee, args } => {
                let callee = self.boxed(callee);
                Node::Apply(callee, self.all(args))
            }
        }
    }

    fn trimmed(&mut self, range: &Expr, trim: Trim) -> Node {
        let Some(function) = functions::find("TRIMRANGE") else { return Node::Missing };
        let mode = || Node::Value(Value::Number(trim.mode()));
        Node::Call(function, Box::new([self.node(range), mode(), mode()]))
    }

    fn reference(&mut self, reference: &Reference) -> Node {
        let (first, last) = match reference.target {
            Target::Cell(cell) => (cell, cell),
            Target::Area(first, last) => (first, last),
            Target::Rows(first, last) => {
                let edge = |at| Coord { at, absolute: true };
                (CellCoord { row: first, col: edge(0) }, CellCoord { row: last, col: edge(MAX_COLS - 1) })
            }
            Target::Cols(first, last) => {
                let edge = |at| Coord { at, absolute: true };
                (CellCoord { row: edge(0), col: first }, CellCoord { row: edge(MAX_ROWS - 1), col: last })
            }
            Target::Lost => return Node::Value(Value::Error(ErrorKind::Ref)),
        };
        let plain = |sheet| match reference.target {
            Target::Cell(cell) => Node::Cell(sheet, cell),
            _ => Node::Area(sheet, first, last),
        };
        let Some(spec) = &reference.sheet else { return plain(self.home) };
        match self.sheets(spec) {
            Ok(sheets) => match sheets.as_slice() {
                [only] => plain(*only),
                _ => Node::Areas(sheets.into(), first, last),
            },
            Err(node) => node,
        }
    }

    /// The sheets a prefix names, or what evaluates in their place.
    fn sheets(&self, spec: &SheetSpec) -> Result<Vec<SheetId>, Node> {
        if let Some(key) = &spec.book {
            // `[0]` is this workbook itself.
            if &**key != "0" {
                return self.external_sheet(key, spec).map(|id| vec![id]);
            }
        }
        let missing = || Node::Value(Value::Error(ErrorKind::Ref));
        let first = self.book.sheet(&spec.first);
        match &spec.last {
            None => match first {
                Some(id) => Ok(vec![id]),
                None => Err(missing()),
            },
            Some(last) => {
                let (Some(a), Some(b)) = (first, self.book.sheet(last)) else { return Err(missing()) };
                Ok((a.0.min(b.0)..=a.0.max(b.0)).map(SheetId).collect())
            }
        }
    }

    fn external_sheet(&self, key: &str, spec: &SheetSpec) -> Result<SheetId, Node> {
        let unknown = || Node::Unanswerable(Arc::from(format!("external workbook [{key}]{}", spec.first)));
        let (book, external) = self.book.external(key).ok_or_else(unknown)?;
        let wanted = folded(&spec.first);
        let found = external.sheets.iter().position(|sheet| folded(&sheet.name) == wanted);
        match found.and_then(|at| external.sheets.get(at).map(|sheet| (at, sheet))) {
            Some((at, sheet)) if sheet.cells.is_some() && spec.last.is_none() => {
                Ok(SheetId::external(book, at))
            }
            _ => Err(unknown()),
        }
    }

    fn name(&mut self, name: &NameUse) -> Node {
        let plain = name.name.strip_prefix("_xlpm.").unwrap_or(&name.name);
        if name.sheet.is_none()
            && let Some(slot) = self.local(plain)
        {
            return Node::Local(slot);
        }
        let from = match &name.sheet {
            None => self.home,
            Some(spec) => {
                if let Some(key) = spec.book.as_deref().filter(|key| *key != "0") {
                    return self.external_name(key, spec, plain);
                }
                match self.book.sheet(&spec.first) {
                    Some(id) => id,
                    None if spec.first.is_empty() => self.home,
                    // A workbook's own file name before `!` also qualifies its names.
                    None => self.home,
                }
            }
        };
        if name.sheet.is_none()
            && let Some(function) = plain.strip_prefix("_xleta.").and_then(functions::find)
        {
            return Node::Function(function);
        }
        match self.book.name_at(from, plain) {
            Some(at) => Node::Name(at),
            // A table's name alone is its data.
            None => match self.book.table(plain) {
                Some(table) => data_area(table),
                // A function's bare name where a lambda is wanted: BYROW(A1:B2, SUM).
                None => match functions::find(plain).filter(|_| name.sheet.is_none()) {
                    Some(function) => Node::Function(function),
                    None => Node::Value(Value::Error(ErrorKind::Name)),
                },
            },
        }
    }

    fn external_name(&mut self, key: &str, spec: &SheetSpec, name: &str) -> Node {
        let wanted = folded(name);
        let formula = self.book.external(key).and_then(|(_, external)| {
            let text =
                external.names.iter().find(|(known, _)| folded(known) == wanted).map(|(_, text)| text)?;
            crate::parse::parse(text).ok()
        });
        // The other workbook's names speak of its own sheets.
        if let Some(formula) = formula
            && let Expr::Reference(reference) = &formula.expr
            && let Some(sheet) = &reference.sheet
        {
            let inner = SheetSpec { book: Some(Arc::from(key)), ..sheet.clone() };
            return self.reference(&Reference { sheet: Some(inner), ..reference.clone() });
        }
        Node::Unanswerable(Arc::from(format!("name {name} of external workbook [{key}]{}", spec.first)))
    }

    /// The latest variable of that name.
    fn local(&self, name: &str) -> Option<usize> {
        if self.scope.is_empty() {
            return None;
        }
        let key = folded(name);
        self.scope.iter().rposition(|known| *known == key)
    }

    fn structured(&mut self, structured: &Structured) -> Node {
        let lost = || Node::Value(Value::Error(ErrorKind::Ref));
        if let Some(key) = structured.sheet.as_ref().and_then(|spec| spec.book.as_deref())
            && key != "0"
        {
            return Node::Unanswerable(Arc::from(format!("table of external workbook [{key}]")));
        }
        let table = match &structured.table {
            Some(name) => self.book.table(name),
            None => {
                self.at.and_then(|cell| self.book.tables().iter().find(|table| table.area.contains(cell)))
            }
        };
        let Some(table) = table else { return lost() };
        let (left, right) = match &structured.columns {
            TableColumns::All => (0, table.area.cols() as u32 - 1),
            TableColumns::One(name) => match table.column(name) {
                Some(at) => (at, at),
                None => return lost(),
            },
            TableColumns::Range(first, last) => match (table.column(first), table.column(last)) {
                (Some(a), Some(b)) => (a.min(b), a.max(b)),
                _ => return lost(),
            },
        };
        let mut area = table.area;
        area.right = area.left + right;
        area.left += left;
        let rows = structured.rows;
        if rows.this_row {
            area.top += table.header_rows;
            area.bottom = area.bottom.saturating_sub(table.totals_rows);
            return Node::ThisRow(area);
        }
        let (data_top, data_bottom) =
            (table.area.top + table.header_rows, table.area.bottom.saturating_sub(table.totals_rows));
        let top = if rows.headers {
            if table.header_rows == 0 && !rows.data {
                return lost();
            }
            table.area.top
        } else if rows.data {
            data_top
        } else {
            data_bottom + 1
        };
        let bottom = if rows.totals {
            if table.totals_rows == 0 && !rows.data {
                return lost();
            }
            table.area.bottom
        } else if rows.data {
            data_bottom
        } else {
            data_top.saturating_sub(1)
        };
        if top > bottom {
            return lost();
        }
        fixed(Area { top, bottom, ..area })
    }

    fn call(&mut self, name: &str, args: &[Expr]) -> Node {
        let plain = functions::plain_name(name);
        let local = plain.strip_prefix("_xlpm.").unwrap_or(plain);
        if let Some(slot) = self.local(local) {
            return Node::Apply(Box::new(Node::Local(slot)), self.all(args));
        }
        let is = |name: &str| plain.eq_ignore_ascii_case(name);
        match args {
            [_, _, _, ..] if is("LET") => return self.binding(args),
            [_, ..] if is("LAMBDA") => return self.lambda(args),
            [only] if is("SINGLE") => return Node::Single(self.boxed(only)),
            [only] if is("ANCHORARRAY") => return Node::Spill(self.boxed(only)),
            [only] => {
                if let Some(trim) = Trim::of_function(plain) {
                    return self.trimmed(only, trim);
                }
            }
            _ => {}
        }
        if let Some(function) = functions::find(plain) {
            let count = args.len();
            if count < usize::from(function.min) || count > usize::from(function.max) {
                return Node::Value(Value::Error(ErrorKind::Value));
            }
            return Node::Call(function, self.all(args));
        }
        if let Some(at) = self.book.name_at(self.home, plain) {
            return Node::Apply(Box::new(Node::Name(at)), self.all(args));
        }
        Node::Unanswerable(Arc::from(format!("function {name}")))
    }

    /// `LET(name, value, ..., body)`
    fn binding(&mut self, args: &[Expr]) -> Node {
        let depth = self.scope.len();
        let mut values = Vec::new();
        let (pairs, body) = args.split_at(args.len() - 1);
        for pair in pairs.chunks(2) {
            let [variable, value] = pair else { return Node::Value(Value::Error(ErrorKind::Value)) };
            let Some(name) = variable_name(variable) else {
                return Node::Value(Value::Error(ErrorKind::Value));
            };
            values.push(self.node(value));
            self.scope.push(folded(name).into_owned());
        }
        let body = body.first().map_or(Node::Missing, |body| self.node(body));
        self.scope.truncate(depth);
        Node::Let(values.into(), Box::new(body))
    }

    fn lambda(&mut self, args: &[Expr]) -> Node {
        let captured = self.scope.len();
        let (params, body) = args.split_at(args.len() - 1);
        let mut optional = Vec::new();
        for param in params {
            // An optional parameter is written `[x]`, which reads as a table column.
            match param {
                Expr::Structured(Structured { table: None, columns: TableColumns::One(name), .. }) => {
                    let name =
                        name.strip_prefix("_xlop.").or_else(|| name.strip_prefix("_xlpm.")).unwrap_or(name);
                    self.scope.push(folded(name).into_owned());
                    optional.push(true);
                }
                other => match variable_name(other) {
                    Some(name) => {
                        self.scope.push(folded(name).into_owned());
                        optional.push(matches!(other, Expr::Name(used) if used.name.starts_with("_xlop.")));
                    }
                    None => {
                        self.scope.truncate(captured);
                        return Node::Value(Value::Error(ErrorKind::Value));
                    }
                },
            }
        }
        let body = body.first().map_or(Node::Missing, |body| self.node(body));
        self.scope.truncate(captured);
        Node::Lambda(Arc::new(LambdaNode { captured, optional, body }))
    }
}

fn variable_name(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Name(name) if name.sheet.is_none() => {
            let text: &str = &name.name;
            Some(text.strip_prefix("_xlpm.").or_else(|| text.strip_prefix("_xlop.")).unwrap_or(text))
        }
        _ => None,
    }
}

fn data_area(table: &crate::book::Table) -> Node {
    let mut area = table.area;
    area.top += table.header_rows;
    area.bottom = area.bottom.saturating_sub(table.totals_rows).max(area.top);
    fixed(area)
}

/// An area that does not move with the cell.
fn fixed(area: Area) -> Node {
    let coord = |at| Coord { at, absolute: true };
    let corner = |row, col| CellCoord { row: coord(row), col: coord(col) };
    Node::Area(area.sheet, corner(area.top, area.left), corner(area.bottom, area.right))
}
