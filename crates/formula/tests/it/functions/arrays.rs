//! Arrays of references, ranges in lambdas, whole columns, and what is too much.

use formula::{Mode, Outcome};

use super::{answer, check};

/// `OFFSET` and `INDIRECT` of several places at once.
#[test]
fn arrays_of_references() {
    check(
        r#"
        SUM(N(OFFSET(A1,{0;1;2},0))) => 6
        N(OFFSET(A1,{0;1;2},0)) => {1;2;3}
        T(INDIRECT({"B1","B2"})) => {apple,banana}
        SUMPRODUCT(SUBTOTAL(103,OFFSET(A1,ROW(A1:A5)-ROW(A1),0))) => 5
        SUM(SUBTOTAL(9,OFFSET(A1,{0;1;2},0))) => 6
        SUBTOTAL(9,OFFSET(A1,0,0,{1;2;3})) => {1;3;6}
        SUM(SUBTOTAL(9,INDIRECT({"A1","A2"}))) => 3
        SUM(COUNTIF(INDIRECT({"A1:A3","A2:A5"}),">2")) => 4
        COUNTIFS(INDIRECT({"A1:A3","A2:A5"}),">2",INDIRECT({"C1:C3","C2:C5"}),"<50") => {1,2}
        SUMPRODUCT(SUMIF(INDIRECT({"B1:B2","B3:B5"}),"apple",INDIRECT({"A1:A2","A3:A5"}))) => 5
        SUMIF(OFFSET(B1,{0;1},0,4),{"apple","banana"},OFFSET(A1,{0;1},0,4)) => {5,2;4,2}
        SUM(SUMIFS(OFFSET(A1,0,{0,2},5),B1:B5,"apple")) => 55
        AVERAGEIF(INDIRECT({"A1:A3","A2:A5"}),">2") => {3,4}
        MAXIFS(INDIRECT({"A1:A3","A3:A5"}),INDIRECT({"C1:C3","C3:C5"}),"<50") => {3,4}
        MINIFS(INDIRECT({"A1:A3","A3:A5"}),INDIRECT({"C1:C3","C3:C5"}),">0") => {1,3}
        RANK(3,OFFSET(A1,0,0,{3;5})) => {1;3}
        AGGREGATE(9,5,OFFSET(A1,{0;2},0,2)) => {3;7}
        ROWS(OFFSET(A1,0,0,{1;2;3})) => {1;2;3}
        ROW(OFFSET(A1,{2;4},0)) => {3;5}
        COUNTBLANK(OFFSET(A1,{0;9},0,2)) => {0;2}
        VLOOKUP(2,INDIRECT({"A1:B5","A1:C5"}),2,FALSE) => {banana,banana}
        SUM(OFFSET(A1,{0;1},0)*10) => 30
        OFFSET(OFFSET(A1,{0;1},0),1,0) => {2;3}
        N(OFFSET(A1,{0;-1},0)) => {1;#REF!}
        LET(r,OFFSET(A1,{0;1;2},0,2),SUM(SUBTOTAL(4,r))) => 9
        MAP(OFFSET(A1,{0;1},0,2),LAMBDA(r,SUM(r))) => {3;5}
        IF(N(OFFSET(A1,{0;1},0))>1,"b","a") => {a;b}
        SUM(OFFSET(A1,1,0,2)) => 5
        "#,
    );
}

/// The lambdas of the helpers are handed ranges where the array is one.
#[test]
fn helpers_hand_over_ranges() {
    check(
        r#"
        BYROW(A1:B3,LAMBDA(r,COUNTIF(r,">0"))) => {1;1;1}
        BYROW(A1:B3,LAMBDA(r,SUBTOTAL(103,r))) => {2;2;2}
        BYCOL(A1:C3,LAMBDA(c,COLUMN(c))) => {1,2,3}
        MAP(A1:A3,LAMBDA(x,SUBTOTAL(103,x))) => {1;1;1}
        MAP(A1:A3,LAMBDA(x,ROW(x))) => {1;2;3}
        MAP(A1:A3,LAMBDA(x,x+1)) => {2;3;4}
        SCAN(0,A1:A3,LAMBDA(a,v,a+ROW(v))) => {1;3;6}
        SCAN(,A1:A3,LAMBDA(a,v,a+v)) => {1;3;6}
        REDUCE(0,A1:A3,LAMBDA(a,v,a+SUM(OFFSET(v,0,2)))) => 60
        REDUCE("",B1:B3,LAMBDA(a,v,a&v)) => applebananaCherry
        MAP(A1:A3,LAMBDA(c,OFFSET(c,0,1))) => {apple;banana;Cherry}
        MAP(A1:A3,LAMBDA(x,SUM($A$1:x))) => {1;3;6}
        MAP(A1:A3,C1:C2,LAMBDA(x,y,x+y)) => {11;22;#N/A}
        MAP({1;2},LAMBDA(x,x*2)) => {2;4}
        MAP(A1:A2,{5;6},LAMBDA(x,y,x+y)) => {6;8}
        BYROW({1,2;3,4},LAMBDA(r,SUM(r))) => {3;7}
        REDUCE(0,A1:A3,LAMBDA(a,v,VSTACK(a,v))) => {0;1;2;3}
        MAP(A9,LAMBDA(x,ISBLANK(x))) => TRUE
        LET(start,A1,SUM(start:A3)) => 6
        LET(start,A1,end,A3,SUM(start:end)) => 6
        COUNTIF(TAKE(A1:A5,3),">1") => 2
        SUM(A1:TAKE(A1:A5,-2)) => 15
        SUM(DROP(A1:A5,3):A5) => 9
        ROW(TAKE(A1:A5,-2)) => {4;5}
        TAKE({1;2;3},-1) => 3
        "#,
    );
}

/// Whole columns have all the rows of a sheet.
#[test]
fn whole_columns() {
    check(
        r#"
        SUMPRODUCT(--(A:A="")) => 1048571
        SUM(--ISBLANK(A:A)) => 1048571
        SUM(IF(B:B<>"apple",1)) => 1048574
        MAX((A:A<>"")*ROW(A:A)) => 5
        SUMPRODUCT(MAX((A:A<>"")*ROW(A:A))) => 5
        SMALL(IF(B:B="apple",ROW(B:B)),2) => 4
        SUMPRODUCT(--(LEN(A:A)=0)) => 1048571
        ROWS(FILTER(A:A,A:A="")) => 1048571
        FILTER(A:B,B:B="apple") => {1,apple;4,apple}
        ROWS(A:A&"") => 1048576
        COLUMNS(1:1&"") => 16384
        ROWS(VSTACK(A:A,1)) => #NUM!
        ROWS(UNIQUE(B:B)) => 5
        COUNTA(UNIQUE(B:B,,TRUE)) => 3
        SUMPRODUCT((B:B="apple")*C:C) => 50
        SUMPRODUCT((B:B="apple")*1,C:C) => 50
        SUMPRODUCT(--(B:B="apple"),--(C:C<20)) => 1
        SUMPRODUCT((A:A<3)*(C:C<50)) => 1048573
        MATCH(1,(B:B="date")*(C:C=50),0) => 5
        MATCH(TRUE,A:A="",0) => 6
        XMATCH(TRUE,A:A="",0,-1) => 1048576
        XLOOKUP(1,(B:B="date")*(C:C=50),A:A) => 5
        INDEX(A:A,MATCH(1,(B:B="date")*(C:C=50),0)) => 5
        SUM(IFERROR(D:D,0)) => 0
        COUNT(IF(A:A>2,A:A)) => 3
        TAKE(SORT(A:A,,-1),2) => {5;4}
        ROWS(SORT(A:A)) => 1048576
        ROWS(TOCOL(A:A,1)) => 5
        SUM(CHOOSECOLS(A:C,3,1)) => 165
        SUM(HSTACK(A:A,C:C)) => 165
        TAKE(A:A*2,2) => {2;4}
        AND(A:A<9) => TRUE
        COUNTA(A:A&"") => 1048576
        SUM((A:A=5)*1) => 1
        SUM(--(ROW(A:A)=1048576)) => 1
        AVERAGE(--(A:A=5)) => 9.5367431640625E-07
        TEXTJOIN(",",TRUE,IF(B:B="apple",C:C,"")) => 10,40
        COUNTBLANK(A:A) => 1048571
        CORREL(A:A,C:C) => 1
        SUM(--(A1:A1000000="")) => 999995
        "#,
    );
}

#[test]
fn one_rule_of_equal_texts() {
    check(
        r#"
        LOWER("ΛΟΓΟΣ")="ΛΟΓΟΣ" => TRUE
        IF(LOWER("ΛΟΓΟΣ")<>"ΛΟΓΟΣ","differ","same") => same
        ROWS(UNIQUE(VSTACK("A"&UNICHAR(931),"a"&UNICHAR(963)))) => 1
        ROWS(UNIQUE(VSTACK("A"&UNICHAR(931),"a"&UNICHAR(962)))) => 1
        ROWS(UNIQUE({0;5}*{1;1}*{-1;1})) => 2
        ROWS(UNIQUE(VSTACK(0,5,0)*VSTACK(1,1,-1))) => 2
        COUNT(UNIQUE(VSTACK(0,5,0)*VSTACK(1,1,-1),,TRUE)) => 1
        ROWS(UNIQUE(VSTACK("a","A","b"))) => 2
        ROWS(UNIQUE(VSTACK(1,"1",TRUE))) => 3
        MATCH("straße",{"x","STRAßE"},0) => 2
        "#,
    );
}

#[test]
fn sorted_by_several_columns() {
    check(
        r#"
        SORT({"b",1;"a",2;"b",3;"a",4},{1,2},{1,-1}) => {a,4;a,2;b,3;b,1}
        SORT({"b",1;"a",2;"b",3;"a",4},{1,2}) => {a,2;a,4;b,1;b,3}
        SORT({"b",1;"a",2;"b",3;"a",4},{1,2},-1) => {b,3;b,1;a,4;a,2}
        SORT({"b",1;"a",2},2,-1) => {a,2;b,1}
        SORT({3,1,2},,-1,TRUE) => {3,2,1}
        SORT({3;1;2},1,2) => #VALUE!
        ISFORMULA(A1:B2) => {FALSE,FALSE;FALSE,FALSE}
        "#,
    );
}

/// What is too much is said, and no error is made up for it.
#[test]
fn large_arrays_are_left_to_excel() {
    for formula in ["SUM(SEQUENCE(3000,3000))", "ROWS(SEQUENCE(1048576,20))"] {
        assert!(matches!(answer(formula, Mode::Dynamic), Outcome::Unanswerable(_)), "{formula}");
    }
    check(
        r#"
        SEQUENCE(1048577) => #VALUE!
        COUNT(MATCH(SEQUENCE(9000),SEQUENCE(9000),-1)) => 1
        SUM(MATCH(SEQUENCE(3000),SEQUENCE(3000),0)) => 4501500
        SUM(XLOOKUP(SEQUENCE(3000),SEQUENCE(3000),SEQUENCE(3000)*2)) => 9003000
        XMATCH(3,VSTACK(SEQUENCE(30),3),0,{1,-1}) => {3,31}
        "#,
    );
}

#[test]
fn patterns_that_only_excel_knows_are_left_to_it() {
    for formula in [
        r#"REGEXEXTRACT("price: 45 EUR","(?<=: )\d+")"#,
        r#"REGEXTEST("abc","(?=b)")"#,
        r#"REGEXTEST("abc","(?!b)a")"#,
        r#"REGEXEXTRACT("aa bb","(\w)\1",1)"#,
        r#"REGEXREPLACE("aa","(a)\1","b")"#,
    ] {
        assert!(matches!(answer(formula, Mode::Dynamic), Outcome::Unanswerable(_)), "{formula}");
    }
    check(
        r#"
        REGEXTEST("abc","(") => #VALUE!
        REGEXEXTRACT("price: 45 EUR","\d+") => 45
        1234567890123456-1234567890123450 => 0
        0.1234567890123456789=0.123456789012345 => TRUE
        1E+20=100000000000000000000 => TRUE
        "#,
    );
}

#[test]
fn pivots_with_one_side() {
    check(
        r#"
        PIVOTBY(B1:B4,,C1:C4,SUM) => {apple,50;banana,20;Cherry,30;Total,100}
        PIVOTBY(,B1:B4,C1:C4,SUM) => {apple,banana,Cherry,Total;50,20,30,100}
        PIVOTBY(B1:B4,,C1:C4,SUM,,0) => {apple,50;banana,20;Cherry,30}
        PIVOTBY(,,C1:C4,SUM) => #VALUE!
        "#,
    );
}
