//! Bessel functions: J, I and Y by their series and integrals, K by the polynomials that Excel uses.

use std::f64::consts::PI;

use super::super::{Function, def};
use crate::eval::args::{Args, fail, num};
use crate::eval::{Answer, Stop};
use crate::value::ErrorKind;

pub(in super::super) const FUNCTIONS: &[Function] = &[
    def("BESSELJ", "V", 2, 2, |a| {
        let (x, n) = read(a)?;
        a.cx.charge(((x.abs() + n) * 20.0) as usize)?;
        num(bessel_j(x, n))
    }),
    def("BESSELI", "V", 2, 2, |a| {
        let (x, n) = read(a)?;
        a.cx.charge(((x.abs() + n) * 20.0) as usize)?;
        num(bessel_i(x, n))
    }),
    def("BESSELK", "V", 2, 2, |a| positive(a, bessel_k)),
    def("BESSELY", "V", 2, 2, |a| positive(a, bessel_y)),
];

fn read(a: &Args<'_>) -> Result<(f64, f64), Stop> {
    let (x, n) = (a.number(0)?, a.int(1)?);
    if n < 0.0 { fail(ErrorKind::Num) } else { Ok((x, n)) }
}

fn positive(a: &Args<'_>, body: fn(f64, f64) -> f64) -> Answer {
    let (x, n) = read(a)?;
    if x <= 0.0 {
        return fail(ErrorKind::Num);
    }
    a.cx.charge(n as usize)?;
    num(body(x, n))
}

/// The trapezoid rule, which for a smooth periodic function converges faster than any power.
fn periodic_mean(f: impl Fn(f64) -> f64, points: usize) -> f64 {
    (0..points).map(|at| f(2.0 * PI * at as f64 / points as f64)).sum::<f64>() / points as f64
}

fn bessel_j(x: f64, n: f64) -> f64 {
    // The series keeps its digits near zero, where the integral's cancel.
    if x.abs() < 12.0 && x * x / 4.0 < 4.0 * (n + 1.0) {
        return series(x, n, -1.0);
    }
    let points = (2.0 * (x.abs() + n) + 80.0) as usize;
    periodic_mean(|t| (n * t - x * t.sin()).cos(), points)
}

fn bessel_i(x: f64, n: f64) -> f64 {
    if x.abs() < 30.0 {
        return series(x, n, 1.0);
    }
    let points = (2.0 * (x.abs() + n) + 80.0) as usize;
    periodic_mean(|t| (x * t.cos()).exp() * (n * t).cos(), points)
}

/// The power series about zero; the sign tells J from I.
fn series(x: f64, n: f64, sign: f64) -> f64 {
    let half = x / 2.0;
    let mut term = (1..=n as u64).fold(1.0, |term, k| term * half / k as f64);
    let mut sum = term;
    for k in 1..500 {
        let k = f64::from(k);
        term *= sign * half * half / (k * (k + n));
        sum += term;
        if term.abs() < sum.abs() * 1e-17 {
            break;
        }
    }
    sum
}

/// K by the polynomials of Abramowitz and Stegun (9.8.5 to 9.8.8) and upward recurrence, to eight digits or so: the
/// digits behind those are Excel's, not K's.
fn bessel_k(x: f64, n: f64) -> f64 {
    let (mut before, mut current) = (bessel_k0(x), bessel_k1(x));
    if n == 0.0 {
        return before;
    }
    for k in 1..n as u64 {
        (before, current) = (current, before + 2.0 * k as f64 / x * current);
    }
    current
}

fn polynomial(t: f64, factors: &[f64]) -> f64 {
    factors.iter().rev().fold(0.0, |sum, factor| sum * t + factor)
}

fn bessel_k0(x: f64) -> f64 {
    if x <= 2.0 {
        let t = x * x / 4.0;
        let rest = [
            -0.577_215_66,
            0.422_784_20,
            0.230_697_56,
            0.034_885_90,
            0.002_626_98,
            0.000_107_50,
            0.000_007_40,
        ];
        return polynomial(t, &rest) - (x / 2.0).ln() * bessel_i(x, 0.0);
    }
    let rest =
        [1.253_314_14, -0.078_323_58, 0.021_895_68, -0.010_624_46, 0.005_878_72, -0.002_515_40, 0.000_532_08];
    polynomial(2.0 / x, &rest) * (-x).exp() / x.sqrt()
}

fn bessel_k1(x: f64) -> f64 {
    if x <= 2.0 {
        let t = x * x / 4.0;
        let rest =
            [1.0, 0.154_431_44, -0.672_785_79, -0.181_568_97, -0.019_194_02, -0.001_104_04, -0.000_046_86];
        return polynomial(t, &rest) / x + (x / 2.0).ln() * bessel_i(x, 1.0);
    }
    let rest =
        [1.253_314_14, 0.234_986_19, -0.036_556_20, 0.015_042_68, -0.007_803_53, 0.003_256_14, -0.000_682_45];
    polynomial(2.0 / x, &rest) * (-x).exp() / x.sqrt()
}

fn bessel_y(x: f64, n: f64) -> f64 {
    // Recur upward from orders zero and one, which is stable for Y.
    let y0 = bessel_y_low(x, 0);
    if n == 0.0 {
        return y0;
    }
    let mut before = y0;
    let mut current = bessel_y_low(x, 1);
    for k in 1..n as u64 {
        let next = 2.0 * k as f64 / x * current - before;
        before = current;
        current = next;
    }
    current
}

fn bessel_y_low(x: f64, order: u32) -> f64 {
    const EULER: f64 = 0.577_215_664_901_532_9;
    if x < 25.0 {
        // Neumann's series in J of even or odd order.
        let j = |n: u32| bessel_j_stable(x, n);
        return if order == 0 {
            let mut sum = 0.0;
            for k in 1..60 {
                let sign = if k % 2 == 0 { 1.0 } else { -1.0 };
                sum += sign * j(2 * k) / f64::from(k);
            }
            2.0 / PI * ((x / 2.0).ln() + EULER) * j(0) - 4.0 / PI * sum
        } else {
            let mut sum = 0.0;
            for k in 1..60 {
                let (k, sign) = (f64::from(k), if k % 2 == 0 { 1.0 } else { -1.0 });
                sum += sign * (2.0 * k + 1.0) / (k * (k + 1.0)) * j(2 * k as u32 + 1);
            }
            -2.0 / (PI * x) * j(0) + 2.0 / PI * ((x / 2.0).ln() + EULER - 1.0) * j(1) - 2.0 / PI * sum
        };
    }
    // Hankel's expansion for large arguments.
    let mu = 4.0 * f64::from(order * order);
    let (mut p, mut q) = (0.0, 0.0);
    let mut term = 1.0;
    for k in 0..40 {
        match k % 4 {
            0 => p += term,
            1 => q += term,
            2 => p -= term,
            _ => q -= term,
        }
        let odd = f64::from(2 * k + 1);
        let next = term * (mu - odd * odd) / (f64::from(k + 1) * 8.0 * x);
        if next.abs() > term.abs() || next.abs() < 1e-18 {
            break;
        }
        term = next;
    }
    let angle = x - f64::from(order) * PI / 2.0 - PI / 4.0;
    (2.0 / (PI * x)).sqrt() * (p * angle.sin() + q * angle.cos())
}

fn bessel_j_stable(x: f64, n: u32) -> f64 {
    if f64::from(n) > x * x / 16.0 + 1.0 && f64::from(n) > x {
        return series(x, f64::from(n), -1.0);
    }
    bessel_j(x, f64::from(n))
}
