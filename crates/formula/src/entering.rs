//! How Excel keeps a formula that somebody types: as an ordinary one, or as one that spills.
//!
//! Since arrays spill, every formula that is typed computes over whole ranges. Excel writes it as an ordinary formula
//! where that cannot matter, and as a dynamic array where it can: where a range or an array stands in the place of one
//! value, or comes out at the end. Ordinary formulas keep the meaning they had before, so the choice is one of meaning
//! and is made from the text alone, before anything is calculated. Where the text does not tell, it is an array.

use crate::ast::{Expr, Formula, NameUse, Operator, Reference, Structured, TableColumns, Target};
use crate::eval::Mode;
use crate::eval::references;
use crate::functions;
use crate::key::folded;

/// What names of the workbook stand for.
type Names<'a> = &'a dyn Fn(&NameUse) -> Option<Formula>;

/// How a formula that is typed into a cell is kept. `names` tells what a name stands for, if it is defined.
#[must_use]
pub fn entered(expr: &Expr, names: Names<'_>) -> Mode {
    let mut reader = Reader { names, scope: Vec::new(), arrays: false, depth: 0 };
    let shape = reader.shape(expr);
    if reader.arrays || shape != Shape::One { Mode::Dynamic } else { Mode::Plain }
}

/// The `@` operators of a formula that an ordinary formula can do without, since one value is taken there anyway:
/// the byte of each.
#[must_use]
pub fn needless_singles(expr: &Expr) -> Vec<usize> {
    let mut found = Vec::new();
    one_value(expr, &mut found);
    found
}

/// Where an ordinary formula takes one value of a range without saying so, which Excel shows as `@`: the byte of each
/// range.
#[must_use]
pub fn implied_singles(expr: &Expr) -> Vec<usize> {
    let mut found = Vec::new();
    one_values(expr, &mut |expr| match expr {
        Expr::Reference(reference) if is_range(reference) => found.push(reference.span.start),
        Expr::Structured(structured) if table_shape(structured) == Shape::Range => {
            found.push(structured.span.start);
        }
        _ => {}
    });
    found
}

fn one_value(expr: &Expr, found: &mut Vec<usize>) {
    one_values(expr, &mut |expr| {
        if let Expr::Single(inner, span) = expr
            && matches!(&**inner, Expr::Reference(_) | Expr::Structured(_) | Expr::Name(_))
        {
            found.push(span.start);
        }
    });
}

/// Goes through places where an ordinary formula takes one value of a range.
fn one_values<'a>(expr: &'a Expr, visit: &mut dyn FnMut(&'a Expr)) {
    visit(expr);
    match expr {
        Expr::Negate(inner) | Expr::Plus(inner) | Expr::Percent(inner) | Expr::Paren(inner) => {
            one_values(inner, visit);
        }
        Expr::Chain { first, rest }
            if rest.iter().all(|(operator, _)| operator.level() < Operator::Union.level()) =>
        {
            one_values(first, visit);
            rest.iter().for_each(|(_, operand)| one_values(operand, visit));
        }
        Expr::Call { name, args, .. } => {
            let Some(function) = functions::find(functions::plain_name(name)) else { return };
            for (index, arg) in args.iter().enumerate() {
                if matches!(function.class(index), b'V' | b'E') {
                    one_values(arg, visit);
                }
            }
        }
        _ => {}
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    One,
    /// More than one cell.
    Range,
    /// Values that were computed.
    Array,
    /// Several references at once.
    References,
    Function,
}

struct Reader<'a> {
    names: Names<'a>,
    scope: Vec<(String, Shape)>,
    /// Whether something computes over an array.
    arrays: bool,
    depth: u32,
}

/// Functions that answer arrays, or may.
const ARRAYS: &[&str] = &[
    "BYCOL",
    "BYROW",
    "CELL",
    "CHOOSECOLS",
    "CHOOSEROWS",
    "DROP",
    "EXPAND",
    "FILTER",
    "FILTERXML",
    "FREQUENCY",
    "GROUPBY",
    "GROWTH",
    "HSTACK",
    "IMPORTCSV",
    "IMPORTTEXT",
    "LINEST",
    "LOGEST",
    "MAKEARRAY",
    "MAP",
    "MINVERSE",
    "MMULT",
    "MODE.MULT",
    "MUNIT",
    "PIVOTBY",
    "RANDARRAY",
    "REDUCE",
    "SCAN",
    "SEQUENCE",
    "SORT",
    "SORTBY",
    "STOCKHISTORY",
    "TAKE",
    "TEXTSPLIT",
    "TOCOL",
    "TOROW",
    "TRANSPOSE",
    "TREND",
    "TRIMRANGE",
    "UNIQUE",
    "VSTACK",
    "WRAPCOLS",
    "WRAPROWS",
];

impl Reader<'_> {
    fn shape(&mut self, expr: &Expr) -> Shape {
        match expr {
            Expr::Number(_) | Expr::Text(_) | Expr::Bool(_) | Expr::Error(_) | Expr::Missing => Shape::One,
            Expr::Array(array) => {
                if array.len() == 1 {
                    Shape::One
                } else {
                    Shape::Array
                }
            }
            Expr::Reference(reference) => self.reference(reference),
            Expr::Structured(structured) => table_shape(structured),
            Expr::Name(name) => self.name(name),
            Expr::Negate(inner) | Expr::Plus(inner) | Expr::Percent(inner) => {
                let shape = self.shape(inner);
                self.computed([shape])
            }
            Expr::Paren(inner) => self.shape(inner),
            Expr::Single(inner, _) => {
                self.shape(inner);
                Shape::One
            }
            Expr::Spill(..) | Expr::Trimmed(..) => Shape::Range,
            Expr::Chain { first, rest } => {
                let mut shapes = vec![self.shape(first)];
                shapes.extend(rest.iter().map(|(_, operand)| self.shape(operand)));
                match rest.first() {
                    Some((operator, _)) if operator.level() >= Operator::Union.level() => Shape::Range,
                    _ => self.computed(shapes),
                }
            }
            Expr::Call { name, args, .. } => self.call(functions::plain_name(name), args),
            Expr::Apply { callee, args } => {
                self.shape(callee);
                args.iter().for_each(|arg| {
                    self.shape(arg);
                });
                Shape::Array
            }
        }
    }

    /// One value each is wanted of these; what comes of it.
    fn computed(&mut self, shapes: impl IntoIterator<Item = Shape>) -> Shape {
        let mut whole = Shape::One;
        for shape in shapes {
            // An array that is written down is one in ordinary formulas too.
            self.arrays |= shape == Shape::Range;
            if matches!(shape, Shape::Range | Shape::Array | Shape::References) {
                whole = Shape::Array;
            }
        }
        whole
    }

    fn reference(&self, reference: &Reference) -> Shape {
        if is_range(reference) { Shape::Range } else { Shape::One }
    }

    fn name(&mut self, name: &NameUse) -> Shape {
        let plain = name.name.strip_prefix("_xlpm.").unwrap_or(&name.name);
        if name.sheet.is_none()
            && let Some((_, shape)) = self.scope.iter().rev().find(|(known, _)| *known == folded(plain))
        {
            return *shape;
        }
        if self.depth < 8
            && let Some(formula) = (self.names)(name)
        {
            // Names compute over whole arrays anyway, so only what they come to counts.
            return match &formula.expr {
                Expr::Reference(Reference { sheet: Some(sheet), .. }) if sheet.book.is_some() => Shape::Range,
                Expr::Reference(reference) => self.reference(reference),
                Expr::Number(_) | Expr::Text(_) | Expr::Bool(_) | Expr::Error(_) => Shape::One,
                Expr::Name(other) => {
                    self.depth += 1;
                    let shape = self.name(other);
                    self.depth -= 1;
                    shape
                }
                _ => Shape::Range,
            };
        }
        let bare = plain.strip_prefix("_xleta.").unwrap_or(plain);
        match functions::find(bare).filter(|_| name.sheet.is_none()) {
            Some(_) => Shape::Function,
            // Tables, and what is not known.
            None => Shape::Range,
        }
    }

    fn call(&mut self, name: &str, args: &[Expr]) -> Shape {
        let upper = name.to_ascii_uppercase();
        match upper.as_str() {
            "LET" => return self.binding(args),
            "LAMBDA" => return self.lambda(args),
            "SINGLE" => {
                self.all(args);
                return Shape::One;
            }
            "ANCHORARRAY" | "OFFSET" | "INDIRECT" => {
                let shapes = self.all(args);
                let (own, asked) = shapes.split_at(shapes.len().min(usize::from(upper == "OFFSET")));
                let several = self.computed(asked.iter().copied()) != Shape::One;
                return match several || own.contains(&Shape::References) {
                    true => Shape::References,
                    false => Shape::Range,
                };
            }
            "IF" | "IFS" | "SWITCH" | "CHOOSE" | "IFERROR" | "IFNA" => return self.choice(&upper, args),
            "INDEX" => return self.index(args),
            "XLOOKUP" => return self.xlookup(args),
            _ => {}
        }
        if upper.starts_with("_TRO_") {
            return Shape::Range;
        }
        let local = folded(name.strip_prefix("_xlpm.").unwrap_or(name));
        let function = functions::find(name).filter(|_| !self.scope.iter().any(|(known, _)| *known == local));
        let shapes = self.all(args);
        // Functions of macros, and lambdas with a name, may answer anything.
        let Some(function) = function else { return Shape::Array };
        let singles: Vec<Shape> = shapes
            .iter()
            .enumerate()
            .filter(|(index, _)| matches!(function.class(*index), b'V' | b'E'))
            .map(|(_, shape)| *shape)
            .collect();
        let lifted = self.computed(singles);
        let whole = matches!(upper.as_str(), "ROW" | "COLUMN" | "FORMULATEXT" | "ISFORMULA")
            && shapes.first() == Some(&Shape::Range);
        let matches = upper == "REGEXEXTRACT" && args.get(2).is_some_and(|mode| !is_zero(mode));
        if ARRAYS.contains(&upper.as_str()) || whole {
            self.arrays = true;
        }
        if references::one_by_one(&upper) && shapes.contains(&Shape::References) {
            return Shape::Array;
        }
        if whole || matches || ARRAYS.contains(&upper.as_str()) { Shape::Array } else { lifted }
    }

    fn all(&mut self, args: &[Expr]) -> Vec<Shape> {
        args.iter().map(|arg| self.shape(arg)).collect()
    }

    /// Functions that give one of their arguments back, as it is.
    fn choice(&mut self, name: &str, args: &[Expr]) -> Shape {
        let shapes = self.all(args);
        let tested = |index: usize| match name {
            "IF" | "IFERROR" | "IFNA" | "CHOOSE" => index == 0,
            "IFS" => index.is_multiple_of(2),
            _ => index == 0 || (index % 2 == 1 && index + 1 < args.len()),
        };
        let tests = shapes.iter().enumerate().filter(|(index, _)| tested(*index)).map(|(_, shape)| *shape);
        if self.computed(tests.collect::<Vec<_>>()) != Shape::One {
            // Branches are paired with the tests, element by element.
            self.computed(shapes);
            return Shape::Array;
        }
        let given = shapes.iter().enumerate().filter(|(index, _)| !tested(*index) || name.starts_with("IFE"));
        given.map(|(_, shape)| *shape).find(|shape| *shape != Shape::One).unwrap_or(Shape::One)
    }

    /// One cell where row and column are told and cannot be zero, which means all of them.
    fn index(&mut self, args: &[Expr]) -> Shape {
        let shapes = self.all(args);
        if self.computed(shapes.iter().copied().skip(1)) != Shape::One {
            return Shape::Array;
        }
        let told = match (args.get(1), args.get(2)) {
            (Some(row), Some(column)) => counts_from_one(row) && counts_from_one(column),
            (Some(only), None) => counts_from_one(only) && args.first().is_some_and(is_line),
            _ => false,
        };
        if told { Shape::One } else { Shape::Range }
    }

    /// One cell where one thing is looked up in a line beside another.
    fn xlookup(&mut self, args: &[Expr]) -> Shape {
        let shapes = self.all(args);
        let wanted = shapes.first().copied().unwrap_or(Shape::One);
        if self.computed([wanted]) != Shape::One {
            return Shape::Array;
        }
        self.computed(shapes.iter().copied().skip(4));
        let lines = args.get(1).is_some_and(is_line) && args.get(2).is_some_and(is_line);
        let otherwise = shapes.get(3).copied().unwrap_or(Shape::One);
        if lines { otherwise } else { Shape::Range }
    }

    fn binding(&mut self, args: &[Expr]) -> Shape {
        let Some((body, pairs)) = args.split_last() else { return Shape::One };
        let height = self.scope.len();
        for pair in pairs.chunks(2) {
            let [Expr::Name(name), value] = pair else { continue };
            let shape = self.shape(value);
            let plain = name.name.strip_prefix("_xlpm.").unwrap_or(&name.name);
            self.scope.push((folded(plain).into_owned(), shape));
        }
        let shape = self.shape(body);
        self.scope.truncate(height);
        shape
    }

    fn lambda(&mut self, args: &[Expr]) -> Shape {
        let Some((body, params)) = args.split_last() else { return Shape::Function };
        let height = self.scope.len();
        for param in params {
            if let Expr::Name(name) = param {
                let plain = name.name.strip_prefix("_xlpm.").unwrap_or(&name.name);
                self.scope.push((folded(plain).into_owned(), Shape::Range));
            }
        }
        self.shape(body);
        self.scope.truncate(height);
        Shape::Function
    }
}

fn is_range(reference: &Reference) -> bool {
    let several = reference.sheet.as_ref().is_some_and(|sheet| sheet.last.is_some());
    match reference.target {
        Target::Cell(_) | Target::Lost => several,
        Target::Area(first, last) => several || first.row.at != last.row.at || first.col.at != last.col.at,
        Target::Rows(..) | Target::Cols(..) => true,
    }
}

fn table_shape(structured: &Structured) -> Shape {
    let one_column = matches!(structured.columns, TableColumns::One(_));
    let rows = structured.rows;
    let one_row = rows.this_row || (!rows.data && rows.headers != rows.totals);
    if one_column && one_row { Shape::One } else { Shape::Range }
}

fn is_zero(expr: &Expr) -> bool {
    matches!(expr, Expr::Number(number) if *number == 0.0)
}

/// Whether a position is surely not zero.
fn counts_from_one(expr: &Expr) -> bool {
    match expr {
        Expr::Number(number) => *number >= 1.0,
        Expr::Paren(inner) => counts_from_one(inner),
        Expr::Call { name, .. } => {
            let name = functions::plain_name(name).to_ascii_uppercase();
            matches!(name.as_str(), "MATCH" | "XMATCH" | "ROW" | "COLUMN" | "ROWS" | "COLUMNS")
        }
        _ => false,
    }
}

/// One row or column of a sheet or a table.
fn is_line(expr: &Expr) -> bool {
    match expr {
        Expr::Reference(reference) => match reference.target {
            Target::Cell(_) => true,
            Target::Area(first, last) => first.row.at == last.row.at || first.col.at == last.col.at,
            Target::Rows(first, last) | Target::Cols(first, last) => first.at == last.at,
            Target::Lost => false,
        },
        Expr::Structured(structured) => matches!(structured.columns, TableColumns::One(_)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(text: &str) -> Mode {
        let names = |name: &NameUse| match &*name.name {
            "rate" => crate::parse::parse("Sheet1!$A$1").ok(),
            "list" => crate::parse::parse("Sheet1!$A$1:$A$9").ok(),
            "total" => crate::parse::parse("SUM(Sheet1!$A$1:$A$9)").ok(),
            _ => None,
        };
        entered(&crate::parse::parse(text).unwrap().expr, &names)
    }

    #[test]
    fn ordinary_formulas_stay_ordinary() {
        for text in [
            "A1+B1*2",
            "SUM(A1:A3)",
            "SUMPRODUCT(A1:A3,B1:B3)",
            "SUMIFS(C:C,A:A,E1,B:B,\">2\")",
            "VLOOKUP(A1,B:D,3,FALSE)",
            "INDEX(B1:B9,MATCH(A1,A1:A9,0))",
            "INDEX(A1:C9,MATCH(E1,A1:A9,0),MATCH(E2,A1:C1,0))",
            "IF(A1>2,\"x\",B1)",
            "SUM(IF(A1>2,B1:B3,C1:C3))",
            "XLOOKUP(A1,B:B,C:C)",
            "rate*2",
            "SUM(list)",
            "SUM({1,2,3}*2)",
            "SUM(LARGE(A1:A9,{1,2,3}))",
            "Table1[[#This Row],[x]]*2",
            "SUM(Table1[x])",
            "@A1:A9*2",
            "REGEXTEST(A2,\"^x\")",
            "REGEXEXTRACT(A2,\"x\",0)",
            "LET(x,A1,x*2)",
            "COUNTIF(A:A,A1)",
            "TEXT(A1,\"0.00\")",
            "ROW()",
            "ROWS(A1:A3)",
        ] {
            assert_eq!(kept(text), Mode::Plain, "{text}");
        }
    }

    #[test]
    fn what_computes_over_arrays_spills() {
        for text in [
            "A1:A3",
            "A1:A3*2",
            "SUM((A1:A3>1)*A1:A3)",
            "SUMPRODUCT((A1:A3<>\"#\")*1)",
            "LET(r,A1:A3,SUM((r>1)*r))",
            "SUM(IFERROR(A1:A3,0))",
            "MAX(IF(A1:A3>1,B1:B3))",
            "INDEX(C1:C9,MATCH(1,(A1:A9=E1)*(B1:B9=E2),0))",
            "INDEX(A1:C3,0,1)",
            "INDEX(A1:C3,2)",
            "TRANSPOSE(A1:A3)",
            "FREQUENCY(A1:A9,B1:B3)",
            "XLOOKUP(A1,B:B,C:D)",
            "XLOOKUP(A1:A3,B:B,C:C)",
            "REGEXEXTRACT(A1,\"x\",1)",
            "{1,2,3}",
            "LARGE(A1:A9,{1,2,3})",
            "SUMIF(A:A,D1:D3,B:B)",
            "total",
            "list+1",
            "nobody",
            "Table1[x]*2",
            "LAMBDA(x,x+1)(5)",
            "LET(f,LAMBDA(x,x),f(2))",
            "MYMACRO(1)",
            "INDIRECT(A1)",
            "OFFSET(A1,1,0)",
            "CELL(\"address\",A1)",
            "CHOOSE(2,A1:C1,E1)",
            "BYCOL(A1:C3,SUM)",
            "A1#",
            "A1:.A30",
            "ROW(A1:A3)",
            "SUM(@A1:A9*B1:B9)",
        ] {
            assert_eq!(kept(text), Mode::Dynamic, "{text}");
        }
    }
}
