//! Formulas as text: what is read, how it prints, and what a mistake is told.

use formula::{Expr, Notation, Target, parse, parse_notation, print};

#[test]
fn prints_what_it_read() {
    for text in [
        "1+2*3",
        "-A1^2",
        "-(A1)%",
        "\"a\"\"b\"&C$4",
        "SUM(A1:B2,3:4,C:$D)",
        "'My Sheet'!A1+'it''s'!B2",
        "Sheet1:Sheet3!A1",
        "'Jan 1:Dec 31'!$A$1",
        "[1]Sheet1!A1",
        "'[1]My Sheet'!A1",
        "'C:\\dir\\[book.xlsx]Sheet'!A1",
        "[1]!Name",
        "Sheet1!Name",
        "IF(A1,,2)",
        "F()",
        "{1,\"a\";TRUE,#N/A}",
        "{-1,2.5}",
        "Table1[Col]",
        "Table1[[#This Row],[a b]]",
        "Table1[[#Headers],[#Data],[x]:[y]]",
        "Table1[#All]",
        "Table1[a'#b]",
        "A1#",
        "@A1:A3",
        "(A1,B2)",
        "A1:B2 B1:C3",
        "A1:INDEX(B:B,3)",
        "LET(x,1,x+1)",
        "LAMBDA(x,x*2)(3)",
        "_xlfn.XLOOKUP(1,A:A,B:B)",
        "_xlfn._xlws.SORT(A1:A3)",
        "Sheet1!#REF!",
        "1E+20",
        "TRUE",
        "LOG10(100)",
        "A1>=B1",
        "A1<>B1",
        "Größe+été",
    ] {
        let formula = parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(&*formula.text, text);
        assert_eq!(print(&formula.expr, Notation::A1), text);
    }
}

#[test]
fn spaces_and_the_sign_are_kept_or_dropped() {
    let formula = parse("= SUM( A1 , 2 ) ").expect("formula");
    assert_eq!(&*formula.text, " SUM( A1 , 2 ) ");
    assert_eq!(print(&formula.expr, Notation::A1), "SUM(A1,2)");
}

#[test]
fn names_that_look_like_cells() {
    for (text, is_cell) in [
        ("A1", true),
        ("XFD1048576", true),
        ("XFE1", false),
        ("A0", false),
        ("ABCD1", false),
        ("A1048577", false),
        ("R1C1", false),
        ("LOG10", true),
    ] {
        let formula = parse(text).expect(text);
        assert_eq!(matches!(formula.expr, Expr::Reference(_)), is_cell, "{text}");
    }
}

#[test]
fn rows_and_columns_by_number() {
    let at = Notation::R1C1 { row: 4, col: 2 };
    for (text, printed) in [
        ("R1C1", "$A$1"),
        ("RC", "C5"),
        ("R[-1]C[2]", "E4"),
        ("SUM(R1C:R[-1]C)", "SUM(C$1:C4)"),
        ("R2:R3", "$2:$3"),
        ("C1", "$A:$A"),
        ("Sheet1!R1C1", "Sheet1!$A$1"),
    ] {
        let formula = parse_notation(text, at).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(print(&formula.expr, Notation::A1), printed, "{text}");
    }
}

#[test]
fn signs_bind_tighter_than_powers() {
    let Expr::Chain { first, rest } = parse("-2^2").expect("formula").expr else { panic!("no chain") };
    assert!(matches!(*first, Expr::Negate(_)));
    assert_eq!(rest.len(), 1);
}

#[test]
fn a_lost_reference() {
    let Expr::Reference(reference) = parse("#REF!A1").expect("formula").expr else { panic!("no reference") };
    assert_eq!(reference.target, Target::Lost);
}

#[test]
fn a_mistake_is_told_where_it_is() {
    for (text, at, expected) in [
        ("SUM(A1", 6, "`,` or `)`"),
        ("1+", 2, "a value, a reference or a function"),
        ("\"abc", 0, "a closing `\"` for the text"),
        ("(1", 2, "`)`"),
        ("1 2 +", 5, "a value, a reference or a function"),
        ("{1,2;3}", 6, "rows of equal length in the array"),
        ("A1)", 2, "an operator or the end of the formula"),
        ("'a", 0, "a closing `'` for the sheet name"),
        ("T[a", 2, "a closing `]`"),
        ("", 0, "a value, a reference or a function"),
    ] {
        let error = parse(text).expect_err(text);
        assert_eq!((error.at, error.expected), (at, expected), "{text}: {error}");
    }
    let deep = "(".repeat(5000);
    assert!(parse(&deep).is_err());
    let long = format!("1{}", "+1".repeat(4000));
    assert!(parse(&long).is_ok());
}
