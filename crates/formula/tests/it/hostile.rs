//! Formulas written to hurt: none may panic, hang, recurse without end or take all memory.

use std::time::{Duration, Instant};

use formula::{Book, CellRef, Clock, DateSystem, Mode, Outcome, SheetId};

use crate::grid::Grid;

fn run(text: &str) -> Option<(Outcome, Duration)> {
    let parsed = formula::parse(text).ok()?;
    let mut book = Book::new(&["Sheet1", "Two"], DateSystem::D1900);
    book.define(None, "forever", "LAMBDA(n,forever(n+1))").unwrap();
    book.define(None, "twice", "LAMBDA(n,IF(n=0,1,twice(n-1)+twice(n-1)))").unwrap();
    book.define(None, "me", "me").unwrap();
    let grid = Grid::from_text("1\t2\tx\n3\t#N/A\ty\n5\t\tTRUE\n-1\t0.5\t\n");
    let start = Instant::now();
    let at = CellRef::new(SheetId(0), 20, 20);
    let outcome = formula::evaluate(&parsed.expr, &book, &grid, at, Mode::Dynamic, Clock::default());
    Some((outcome, start.elapsed()))
}

const BOMBS: &[&str] = &[
    "SEQUENCE(1000000,1000000)",
    "SEQUENCE(1e300,1e300)",
    "SEQUENCE(-1)",
    "RANDARRAY(100000,100000)",
    "REPT(\"x\",1000000000)",
    "REPT(REPT(\"xyz\",10000),10000)",
    "MAKEARRAY(100000,100000,LAMBDA(a,b,1))",
    "EXPAND(1,1000000,16000)",
    "MUNIT(100000)",
    "MMULT(SEQUENCE(5000,1),SEQUENCE(1,5000))",
    "forever(1)",
    "twice(60)",
    "me",
    "LET(f,LAMBDA(g,n,g(g,n+1)),f(f,1))",
    "REDUCE(0,SEQUENCE(1000000),LAMBDA(a,b,a+b))",
    "SUM(MAP(SEQUENCE(4000),LAMBDA(x,SUM(SEQUENCE(1000000)))))",
    "SUMPRODUCT((A:XFD=1)*1)",
    "SUM(A:XFD,1:1048576)",
    "COMBIN(1e15,5e14)",
    "FACT(1e9)",
    "FACTDOUBLE(1e9)",
    "BASE(1e15,2,1e9)",
    "GCD(1e15,1)",
    "LCM(9e15,7e15)",
    "TEXT(1,REPT(\"0\",30000))",
    "TEXT(1e300,\"0\")",
    "TEXT(-1,REPT(\"[\",9000))",
    "DOLLAR(1,1e9)",
    "FIXED(1,1e9)",
    "NETWORKDAYS(1,2958465)",
    "WORKDAY(1,1e9)",
    "WORKDAY.INTL(1,1e9,\"1111110\")",
    "NETWORKDAYS.INTL(1,2958465,1)",
];

/// Those that take their time in a build for tests: with `FORMULA_FUZZ`.
const SLOW_BOMBS: &[&str] = &[
    "CUMIPMT(0.01,1e9,1,1,1e9,0)",
    "CUMPRINC(0.01,1e9,1,1,1e9,0)",
    "DB(1,0.5,1e9,1e9)",
    "VDB(1,0,1e9,0,1e9)",
    "DDB(1,0,1e9,1e9)",
    "AMORDEGRC(1e9,1,2,0,1e9,0.0000001)",
    "AMORLINC(1e9,1,2,0,1e9,0.0000001)",
    "RATE(1e9,1,1,1)",
    "IRR({1,1,1})",
    "XIRR({1,1},{1,2})",
    "NPER(1e-300,1,1)",
    "MIRR({-1,1},1e300,1e300)",
    "BESSELJ(1e9,1000000)",
    "BESSELI(1e9,1e9)",
    "BESSELK(1e-300,1e9)",
    "BESSELY(1,1e9)",
    "HYPGEOM.DIST(1,1e9,1e9,1e10,TRUE)",
    "BINOM.DIST.RANGE(1e9,0.5,1,1e9)",
    "BINOM.INV(1e9,0.5,0.999)",
    "BINOM.DIST(5e8,1e9,0.5,TRUE)",
    "NEGBINOM.DIST(1e9,1e9,0.5,TRUE)",
    "POISSON.DIST(1e9,1e9,TRUE)",
    "BETA.INV(1e-300,1e-300,1e300)",
    "GAMMA.INV(0.5,1e300,1e300)",
    "CHISQ.INV(0.999999,1e10)",
    "F.INV(0.5,1e10,1e10)",
    "T.INV(1e-300,1e-5)",
    "SERIESSUM(1e300,1e300,1e300,{1,2,3})",
    "PRICE(1,2958465,0.1,0.1,100,4)",
    "YIELD(1,2958465,0.1,95,100,4)",
    "ODDFPRICE(1,2958465,1,2,0.1,0.1,100,4)",
    "ODDLYIELD(2,2958465,1,0.1,99,100,4)",
    "DURATION(1,2958465,0.1,0.1,4)",
    "COUPNUM(1,2958465,4)",
    "COUPDAYS(1,2958465,4)",
    "ROMAN(3999,4)",
    "ARABIC(REPT(\"M\",30000))",
    "DECIMAL(REPT(\"z\",255),36)",
    "SUBSTITUTE(REPT(\"a\",30000),\"a\",REPT(\"b\",30000))",
    "TEXTJOIN(REPT(\",\",30000),FALSE,SEQUENCE(30000))",
    "CONCAT(SEQUENCE(1000000))",
    "LEN(CONCAT(EXPAND(REPT(\"a\",32767),1000,1000,REPT(\"a\",32767))))",
    "TEXTJOIN(REPT(\",\",30000),FALSE,SEQUENCE(1000000))",
    "ARRAYTOTEXT(EXPAND(REPT(\"a\",32767),1000,1000,REPT(\"a\",32767)),1)",
    "REGEXREPLACE(REPT(\"a\",30000),\"a\",REPT(\"b\",30000))",
    "REGEXREPLACE(REPT(\"a\",30000),\"a+\",REPT(\"$0\",15000))",
    "TEXTSPLIT(REPT(\"a,\",16000),\",\")",
    "SEARCH(REPT(\"*a\",5000),REPT(\"a\",30000))",
    "COUNTIF(A1:A4,REPT(\"*?\",200))",
    "MATCH(REPT(\"*a\",100),C1:C4,0)",
    "REGEXTEST(REPT(\"a\",30000),\"(a+)+$\")",
    "REGEXREPLACE(\"a\",\"(\",\"\")",
    "REGEXEXTRACT(REPT(\"a\",9000),\"a{1000}{1000}\")",
    "OFFSET(A1,0,0,1048576,16384)",
    "INDIRECT(REPT(\"A\",30000))",
    "INDIRECT(\"A1:XFD1048576\")",
    "INDEX(A:XFD,0,0)",
    "SORT(SEQUENCE(1000000,1,1000000,-1))",
    "UNIQUE(SEQUENCE(1000000))",
    "TOCOL(SEQUENCE(3000,3000))",
    "WRAPROWS(SEQUENCE(1000000),1,0)",
    "PERMUTATIONA(1e300,1e300)",
    "MULTINOMIAL(1e9,1e9)",
    "POWER(1e300,1e300)",
    "EXP(1e300)",
    "MOD(1e300,1e-300)",
    "ROUND(1e300,-1e9)",
    "ROUND(1,1e9)",
    "CEILING.MATH(1e300,1e-300)",
    "DATE(1e9,1e9,1e9)",
    "EDATE(1,1e300)",
    "EOMONTH(1e300,1)",
    "DATEDIF(0,2958465,\"yd\")",
    "YEARFRAC(0,2958465,1)",
    "TREND(SEQUENCE(3000),SEQUENCE(3000),SEQUENCE(3000))",
    "LINEST(SEQUENCE(500),SEQUENCE(500,60))",
    "MINVERSE(SEQUENCE(200,200))",
    "MDETERM(SEQUENCE(300,300))",
    "FREQUENCY(SEQUENCE(100000),SEQUENCE(10000))",
    "PERCENTILE(SEQUENCE(1000000),0.5)",
    "MODE.MULT(SEQUENCE(100000))",
    "RANK.AVG(5,A:A)",
    "GROUPBY(SEQUENCE(100000),SEQUENCE(100000),SUM)",
    "CONVERT(1e300,\"m\",\"pm\")",
    "HEX2DEC(REPT(\"F\",30000))",
    "BIN2DEC(REPT(\"1\",30000))",
    "IMPOWER(\"1e300+1e300i\",1e300)",
    "IMPRODUCT(REPT(\"i\",30000))",
    "UNICHAR(1e300)",
    "CHAR(-1)",
    "CODE(\"\")",
    "MID(\"abc\",1e300,1e300)",
    "LEFT(\"abc\",1e300)",
    "REPLACE(\"abc\",1e300,1e300,\"x\")",
    "FIND(\"\",\"abc\",1e300)",
    "BITLSHIFT(1,1e300)",
    "BITRSHIFT(1,-1e300)",
    "CHOOSE(1e300,1)",
    "ADDRESS(1e300,1e300)",
    "SCAN(0,SEQUENCE(3000,300),LAMBDA(a,b,a+b))",
    "BYROW(SEQUENCE(100000,10),LAMBDA(r,SUM(r)))",
    "PHI(1e300)",
    "GAUSS(1e300)",
    "GAMMALN(1e300)",
    "ERF(1e300)",
    "FISHERINV(1e300)",
];

#[test]
fn bombs_are_answered_in_time() {
    let slow: &[&str] = if std::env::var("FORMULA_FUZZ").is_ok() { SLOW_BOMBS } else { &[] };
    for text in BOMBS.iter().chain(slow) {
        if std::env::var("BOMB_TRACE").is_ok() {
            println!("={text}");
        }
        let Some((_, took)) = run(text) else { continue };
        // Unoptimised code is many times slower; what matters is that it ends.
        assert!(took < Duration::from_secs(60), "{text} took {took:?}");
        if took > Duration::from_secs(3) {
            println!("{text}: {took:?}");
        }
    }
}

#[test]
fn nesting_is_refused_or_answered() {
    for depth in [50, 500, 5_000, 100_000] {
        for (open, close) in [
            ("(", ")"),
            ("ABS(", ")"),
            ("-", ""),
            ("IF(1,", ")"),
            ("LAMBDA(x,", ")"),
            ("{", "}"),
            ("+", ""),
            ("@", ""),
            ("A1:", "A1"),
            ("1&", "1"),
            ("LET(a,1,", ")"),
        ] {
            let text = format!("{}1{}", open.repeat(depth), close.repeat(depth));
            if std::env::var("BOMB_TRACE").is_ok() {
                println!("{open} {depth}");
            }
            let _ = run(&text);
        }
    }
}

/// Pieces of formulas put together, cut and doubled: the same two thousand each time, or others for the seconds that
/// `FORMULA_FUZZ` says.
#[test]
fn mangled_formulas_do_no_harm() {
    let seconds = std::env::var("FORMULA_FUZZ").ok().and_then(|text| text.parse::<f64>().ok());
    let mut state = 0x2545_f491_4f6c_dd1du64
        ^ std::env::var("FORMULA_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(0);
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below.max(1) as u64) as usize
    };
    let names: Vec<&str> = formula::functions().iter().map(|function| function.name).collect();
    let atoms = [
        "A1",
        "B2:C4",
        "A:A",
        "1:3",
        "\"text\"",
        "\"\"",
        "0",
        "1",
        "-1",
        "1e308",
        "1e-308",
        "0.5",
        "TRUE",
        "{1,2;3,4}",
        "{\"a\",TRUE,#N/A}",
        "#REF!",
        "A1:A4",
        "Two!A1",
        "2958465",
        "44000",
        "\"1/2/2020\"",
        "\"*\"",
        "\">0\"",
        "LAMBDA(x,x+1)",
        "LAMBDA(a,b,a&b)",
        "C3",
        "B2",
        "",
        "XFD1048576",
        "3",
        "12",
        "\"m\"",
        "A1#",
        "(A1,B2)",
    ];
    let started = Instant::now();
    let mut count = 0u64;
    while seconds.map_or(count < 2000, |seconds| started.elapsed().as_secs_f64() < seconds) {
        let mut text = String::new();
        build(&mut text, 3, &names, &atoms, &mut random);
        if random(4) == 0 {
            // Bytes go missing or come twice.
            let mut bytes = text.into_bytes();
            for _ in 0..=random(3) {
                let at = random(bytes.len());
                match random(3) {
                    0 if !bytes.is_empty() => drop(bytes.remove(at)),
                    1 => bytes.insert(at, b"(){}[],;:!#@$\"'&^%+-*/<>=. \t09AaZz"[random(34)]),
                    _ => bytes.truncate(at),
                }
            }
            text = String::from_utf8_lossy(&bytes).into_owned();
        }
        let before = Instant::now();
        let caught = std::panic::catch_unwind(|| run(&text));
        assert!(caught.is_ok(), "panicked: ={text}");
        let took = before.elapsed();
        assert!(took < Duration::from_secs(60), "={text} took {took:?}");
        if took > Duration::from_secs(2) {
            println!("={text}: {took:?}");
        }
        count += 1;
    }
    println!("{count} formulas");
}

fn build(
    out: &mut String,
    depth: usize,
    names: &[&str],
    atoms: &[&str],
    random: &mut dyn FnMut(usize) -> usize,
) {
    match if depth == 0 { 0 } else { random(6) } {
        0 => out.push_str(atoms[random(atoms.len())]),
        1 => {
            build(out, depth - 1, names, atoms, random);
            out.push_str(["+", "-", "*", "/", "^", "&", "=", "<>", "<", ":", " ", ",", "%+"][random(13)]);
            build(out, depth - 1, names, atoms, random);
        }
        _ => {
            let name = names[random(names.len())];
            let arguments =
                formula::functions().iter().find(|function| function.name == name).map_or(1, |function| {
                    let spread = usize::from(function.max.min(function.min + 3) - function.min);
                    usize::from(function.min) + random(spread + 1)
                });
            out.push_str(name);
            out.push('(');
            for at in 0..arguments {
                if at > 0 {
                    out.push(',');
                }
                build(out, depth - 1, names, atoms, random);
            }
            out.push(')');
        }
    }
}
