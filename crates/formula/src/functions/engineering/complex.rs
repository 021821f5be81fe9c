//! Complex numbers, which Excel keeps as text.

use super::super::{Function, MANY, def};
use crate::coerce;
use crate::eval::args::{Args, Origin, fail, num, text};
use crate::eval::{Answer, Stop};
use crate::value::{ErrorKind, Value};

pub(in super::super) const FUNCTIONS: &[Function] = &[
    def("COMPLEX", "V", 2, 3, |a| {
        let (re, im) = (a.number(0)?, a.number(1)?);
        let suffix = if a.given(2) { a.text(2)? } else { "i".into() };
        match &*suffix {
            "i" | "" => text(show(Complex { re, im }, 'i')),
            "j" => text(show(Complex { re, im }, 'j')),
            _ => fail(ErrorKind::Value),
        }
    }),
    def("IMREAL", "V", 1, 1, |a| num(read(a, 0)?.0.re)),
    def("IMAGINARY", "V", 1, 1, |a| num(read(a, 0)?.0.im)),
    def("IMABS", "V", 1, 1, |a| num(read(a, 0)?.0.abs())),
    def("IMARGUMENT", "V", 1, 1, |a| {
        let z = read(a, 0)?.0;
        if z.re == 0.0 && z.im == 0.0 { fail(ErrorKind::Div0) } else { num(z.im.atan2(z.re)) }
    }),
    def("IMCONJUGATE", "V", 1, 1, |a| map(a, |z| Some(Complex { re: z.re, im: -z.im }))),
    def("IMEXP", "V", 1, 1, |a| map(a, |z| Some(z.exp()))),
    def("IMLN", "V", 1, 1, |a| map(a, Complex::ln)),
    def("IMLOG10", "V", 1, 1, |a| map(a, |z| Some(z.ln()?.scale(1.0 / std::f64::consts::LN_10)))),
    def("IMLOG2", "V", 1, 1, |a| map(a, |z| Some(z.ln()?.scale(1.0 / std::f64::consts::LN_2)))),
    def("IMSQRT", "V", 1, 1, |a| map(a, |z| Some(z.power(0.5)))),
    def("IMPOWER", "V", 2, 2, |a| {
        let (z, suffix) = read(a, 0)?;
        let n = a.number(1)?;
        if z.re == 0.0 && z.im == 0.0 {
            return if n > 0.0 { text("0") } else { fail(ErrorKind::Num) };
        }
        finish(z.power(n), suffix)
    }),
    def("IMSIN", "V", 1, 1, |a| map(a, |z| Some(z.sin()))),
    def("IMCOS", "V", 1, 1, |a| map(a, |z| Some(z.cos()))),
    def("IMTAN", "V", 1, 1, |a| map(a, |z| z.sin().over(z.cos()))),
    def("IMCOT", "V", 1, 1, |a| map(a, |z| z.cos().over(z.sin()))),
    def("IMSEC", "V", 1, 1, |a| map(a, |z| ONE.over(z.cos()))),
    def("IMCSC", "V", 1, 1, |a| map(a, |z| ONE.over(z.sin()))),
    def("IMSINH", "V", 1, 1, |a| map(a, |z| Some(z.sinh()))),
    def("IMCOSH", "V", 1, 1, |a| map(a, |z| Some(z.cosh()))),
    def("IMSECH", "V", 1, 1, |a| map(a, |z| ONE.over(z.cosh()))),
    def("IMCSCH", "V", 1, 1, |a| map(a, |z| ONE.over(z.sinh()))),
    def("IMSUB", "V", 2, 2, |a| pair(a, |x, y| Some(Complex { re: x.re - y.re, im: x.im - y.im }))),
    def("IMDIV", "V", 2, 2, |a| pair(a, Complex::over)),
    def("IMSUM", "R", 1, MANY, |a| {
        fold(a, Complex { re: 0.0, im: 0.0 }, |x, y| Complex { re: x.re + y.re, im: x.im + y.im })
    }),
    def("IMPRODUCT", "R", 1, MANY, |a| fold(a, ONE, Complex::times)),
];

#[derive(Clone, Copy, Debug, PartialEq)]
struct Complex {
    re: f64,
    im: f64,
}

const ONE: Complex = Complex { re: 1.0, im: 0.0 };

impl Complex {
    fn abs(self) -> f64 {
        self.re.hypot(self.im)
    }

    fn scale(self, by: f64) -> Complex {
        Complex { re: self.re * by, im: self.im * by }
    }

    fn times(self, other: Complex) -> Complex {
        Complex { re: self.re * other.re - self.im * other.im, im: self.re * other.im + self.im * other.re }
    }

    fn over(self, other: Complex) -> Option<Complex> {
        let size = other.re * other.re + other.im * other.im;
        (size != 0.0).then(|| self.times(Complex { re: other.re, im: -other.im }).scale(1.0 / size))
    }

    fn exp(self) -> Complex {
        let size = self.re.exp();
        Complex { re: size * self.im.cos(), im: size * self.im.sin() }
    }

    fn ln(self) -> Option<Complex> {
        let size = self.abs();
        (size != 0.0).then(|| Complex { re: size.ln(), im: self.im.atan2(self.re) })
    }

    fn power(self, n: f64) -> Complex {
        if self.re == 0.0 && self.im == 0.0 {
            return self;
        }
        let size = self.abs().powf(n);
        let angle = self.im.atan2(self.re) * n;
        Complex { re: size * angle.cos(), im: size * angle.sin() }
    }

    fn sin(self) -> Complex {
        Complex { re: self.re.sin() * self.im.cosh(), im: self.re.cos() * self.im.sinh() }
    }

    fn cos(self) -> Complex {
        Complex { re: self.re.cos() * self.im.cosh(), im: -self.re.sin() * self.im.sinh() }
    }

    fn sinh(self) -> Complex {
        Complex { re: self.re.sinh() * self.im.cos(), im: self.re.cosh() * self.im.sin() }
    }

    fn cosh(self) -> Complex {
        Complex { re: self.re.cosh() * self.im.cos(), im: self.re.sinh() * self.im.sin() }
    }
}

/// A complex number and its suffix, out of a text or a plain number.
fn read(a: &Args<'_>, index: usize) -> Result<(Complex, char), Stop> {
    parse(&a.sound(index)?)
}

fn parse(value: &Value) -> Result<(Complex, char), Stop> {
    match value {
        Value::Number(re) => Ok((Complex { re: *re, im: 0.0 }, 'i')),
        Value::Blank => Ok((Complex { re: 0.0, im: 0.0 }, 'i')),
        Value::Bool(_) => fail(ErrorKind::Value),
        Value::Error(kind) => fail(*kind),
        Value::Text(source) => match spelled(source) {
            Some(found) => Ok(found),
            None => fail(ErrorKind::Num),
        },
    }
}

fn spelled(source: &str) -> Option<(Complex, char)> {
    let source = source.trim();
    let number = |text: &str| -> Option<f64> {
        let usual = text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'+' | b'-' | b'.' | b'e' | b'E'));
        if usual { text.parse().ok() } else { None }
    };
    let suffix = match source.chars().last() {
        Some(letter @ ('i' | 'j')) => letter,
        _ => return number(source).map(|re| (Complex { re, im: 0.0 }, 'i')),
    };
    let body = source.get(..source.len() - 1)?;
    // The sign that begins the imaginary part; not one that belongs to an exponent.
    let bytes = body.as_bytes();
    let split = (1..bytes.len()).rev().find(|at| {
        matches!(bytes.get(*at), Some(b'+' | b'-')) && !matches!(bytes.get(at - 1), Some(b'e' | b'E'))
    });
    let (re, im) = match split {
        Some(at) => (number(body.get(..at)?)?, body.get(at..)?),
        None => (0.0, body),
    };
    let im = match im {
        "" | "+" => 1.0,
        "-" => -1.0,
        other => number(other)?,
    };
    Some((Complex { re, im }, suffix))
}

fn show(z: Complex, suffix: char) -> String {
    let re = coerce::number_to_text(z.re);
    if z.im == 0.0 {
        return re;
    }
    let im = if z.im == 1.0 {
        String::new()
    } else if z.im == -1.0 {
        "-".to_owned()
    } else {
        coerce::number_to_text(z.im)
    };
    if z.re == 0.0 {
        return format!("{im}{suffix}");
    }
    let plus = if z.im > 0.0 { "+" } else { "" };
    format!("{re}{plus}{im}{suffix}")
}

fn finish(z: Complex, suffix: char) -> Answer {
    if z.re.is_finite() && z.im.is_finite() { text(show(z, suffix)) } else { fail(ErrorKind::Num) }
}

fn map(a: &Args<'_>, each: impl Fn(Complex) -> Option<Complex>) -> Answer {
    let (z, suffix) = read(a, 0)?;
    match each(z) {
        Some(result) => finish(result, suffix),
        None => fail(ErrorKind::Num),
    }
}

fn pair(a: &Args<'_>, each: impl Fn(Complex, Complex) -> Option<Complex>) -> Answer {
    let ((x, first), (y, second)) = (read(a, 0)?, read(a, 1)?);
    let suffix = if x.im != 0.0 { first } else { second };
    if x.im != 0.0 && y.im != 0.0 && first != second {
        return fail(ErrorKind::Value);
    }
    match each(x, y) {
        Some(result) => finish(result, suffix),
        None => fail(ErrorKind::Num),
    }
}

fn fold(a: &Args<'_>, start: Complex, each: fn(Complex, Complex) -> Complex) -> Answer {
    let mut total = start;
    let mut suffix = None;
    let mut wrong = None;
    a.each(0, &mut |value, _: Origin| match parse(value) {
        Ok((z, letter)) => {
            if z.im != 0.0 && *suffix.get_or_insert(letter) != letter {
                wrong.get_or_insert(Stop::Error(ErrorKind::Value));
            }
            total = each(total, z);
        }
        Err(stop) => {
            wrong.get_or_insert(stop);
        }
    });
    match wrong {
        Some(stop) => Err(stop),
        None => finish(total, suffix.unwrap_or('i')),
    }
}
