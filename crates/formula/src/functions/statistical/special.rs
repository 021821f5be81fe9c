//! The functions of analysis that distributions are made of.

use std::f64::consts::{PI, SQRT_2};

/// The natural logarithm of the gamma function, for positive numbers.
pub(in crate::functions) fn ln_gamma(x: f64) -> f64 {
    const LANCZOS: [f64; 9] = [
        0.999_999_999_999_809_9,
        676.520_368_121_885_1,
        -1_259.139_216_722_402_8,
        771.323_428_777_653_1,
        -176.615_029_162_140_6,
        12.507_343_278_686_905,
        -0.138_571_095_265_720_12,
        9.984_369_578_019_572e-6,
        1.505_632_735_149_311_6e-7,
    ];
    if x == 1.0 || x == 2.0 {
        return 0.0;
    }
    // Beside its zeros the logarithm keeps its digits only by its own series.
    if (x - 1.0).abs() < 1e-3 {
        let e = x - 1.0;
        return e
            * (-0.577_215_664_901_532_9
                + e * (0.822_467_033_424_113_2
                    + e * (-0.400_685_634_386_531_4
                        + e * (0.270_580_808_427_784_6 - e * 0.207_385_551_028_674))));
    }
    if (x - 2.0).abs() < 1e-3 {
        return (x - 1.0).ln() + ln_gamma(x - 1.0);
    }
    if x < 0.5 {
        return (PI / (PI * x).sin().abs()).ln() - ln_gamma(1.0 - x);
    }
    // Stirling's series has more digits far from zero.
    if x > 15.0 {
        let inverse = 1.0 / x;
        let square = inverse * inverse;
        let series = inverse
            * (1.0 / 12.0
                - square
                    * (1.0 / 360.0
                        - square
                            * (1.0 / 1260.0
                                - square
                                    * (1.0 / 1680.0
                                        - square * (1.0 / 1188.0 - square * 691.0 / 360_360.0)))));
        return (x - 0.5) * x.ln() - x + 0.5 * (2.0 * PI).ln() + series;
    }
    let shifted = x - 1.0;
    let t = shifted + 7.5;
    let mut sum = 0.0;
    for (index, coefficient) in LANCZOS.iter().enumerate() {
        sum += if index == 0 { *coefficient } else { coefficient / (shifted + index as f64) };
    }
    0.5 * (2.0 * PI).ln() + (shifted + 0.5) * t.ln() - t + sum.ln()
}

pub(in crate::functions) fn gamma(x: f64) -> f64 {
    if x == x.floor() && x > 0.0 && x < 172.0 {
        return super::super::math::factorial(x - 1.0);
    }
    if x < 0.5 {
        return PI / ((PI * x).sin() * gamma(1.0 - x));
    }
    if x > 16.0 {
        return ln_gamma(x).exp();
    }
    // Up to where the series is exact, then back down by division.
    let mut product = 1.0;
    let mut shifted = x;
    while shifted < 16.0 {
        product *= shifted;
        shifted += 1.0;
    }
    ln_gamma(shifted).exp() / product
}

/// The regularised lower incomplete gamma function; its complement is `gamma_q`.
pub(in crate::functions) fn gamma_p(a: f64, x: f64) -> f64 {
    if x <= 0.0 {
        0.0
    } else if x < a + 1.0 {
        gamma_series(a, x)
    } else {
        1.0 - gamma_fraction(a, x)
    }
}

pub(in crate::functions) fn gamma_q(a: f64, x: f64) -> f64 {
    if x <= 0.0 {
        1.0
    } else if x < a + 1.0 {
        1.0 - gamma_series(a, x)
    } else {
        gamma_fraction(a, x)
    }
}

fn gamma_series(a: f64, x: f64) -> f64 {
    let mut term = 1.0 / a;
    let mut sum = term;
    let mut n = a;
    for _ in 0..10_000 {
        n += 1.0;
        term *= x / n;
        sum += term;
        if term.abs() < sum.abs() * 1e-17 {
            break;
        }
    }
    sum * (a * x.ln() - x - ln_gamma(a)).exp()
}

fn gamma_fraction(a: f64, x: f64) -> f64 {
    let tiny = 1e-300;
    let mut b = x + 1.0 - a;
    let mut c = 1.0 / tiny;
    let mut d = 1.0 / b;
    let mut h = d;
    for i in 1..10_000 {
        let i = f64::from(i);
        let an = -i * (i - a);
        b += 2.0;
        d = an * d + b;
        if d.abs() < tiny {
            d = tiny;
        }
        c = b + an / c;
        if c.abs() < tiny {
            c = tiny;
        }
        d = 1.0 / d;
        let delta = d * c;
        h *= delta;
        if (delta - 1.0).abs() < 1e-16 {
            break;
        }
    }
    h * (a * x.ln() - x - ln_gamma(a)).exp()
}

/// The regularised incomplete beta function.
pub(in crate::functions) fn beta_inc(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    let front = (ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (-x).ln_1p()).exp();
    if x < (a + 1.0) / (a + b + 2.0) {
        front * beta_fraction(a, b, x) / a
    } else {
        1.0 - front * beta_fraction(b, a, 1.0 - x) / b
    }
}

fn beta_fraction(a: f64, b: f64, x: f64) -> f64 {
    let tiny = 1e-300;
    let fix = |v: f64| if v.abs() < tiny { tiny } else { v };
    let mut c = 1.0;
    let mut d = 1.0 / fix(1.0 - (a + b) * x / (a + 1.0));
    let mut h = d;
    for m in 1..20_000 {
        let m = f64::from(m);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / fix(1.0 + even * d);
        c = fix(1.0 + even / c);
        h *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / fix(1.0 + odd * d);
        c = fix(1.0 + odd / c);
        let delta = d * c;
        h *= delta;
        if (delta - 1.0).abs() < 1e-16 {
            break;
        }
    }
    h
}

pub(in crate::functions) fn erf(x: f64) -> f64 {
    if x < 0.0 { -gamma_p(0.5, x * x) } else { gamma_p(0.5, x * x) }
}

pub(in crate::functions) fn erfc(x: f64) -> f64 {
    if x < 0.0 { 1.0 + gamma_p(0.5, x * x) } else { gamma_q(0.5, x * x) }
}

pub(in crate::functions) fn normal_density(z: f64) -> f64 {
    (-z * z / 2.0).exp() / (2.0 * PI).sqrt()
}

pub(in crate::functions) fn normal(z: f64) -> f64 {
    0.5 * erfc(-z / SQRT_2)
}

/// The point below which a share of the standard normal lies.
pub(in crate::functions) fn normal_inverse(p: f64) -> f64 {
    if p == 0.5 {
        return 0.0;
    }
    if p > 0.5 {
        return -normal_inverse(1.0 - p);
    }
    // A rough start in the tail, then Halley's steps on the distribution itself.
    let t = (-2.0 * p.ln()).sqrt();
    let mut z = -(t
        - (2.515_517 + 0.802_853 * t + 0.010_328 * t * t)
            / (1.0 + 1.432_788 * t + 0.189_269 * t * t + 0.001_308 * t * t * t));
    for _ in 0..6 {
        let density = normal_density(z);
        if density == 0.0 {
            break;
        }
        let error = (normal(z) - p) / density;
        let step = error / (1.0 + z * error / 2.0);
        z -= step;
        if step.abs() < 1e-16 * z.abs() {
            break;
        }
    }
    z
}

/// Where a rising function reaches `p`, between `low` and `high` (which may be infinite).
pub(in crate::functions) fn invert(f: impl Fn(f64) -> f64, p: f64, low: f64, high: f64) -> f64 {
    let mut low = low;
    let mut high = high;
    if high.is_infinite() {
        high = low.max(0.0) + 1.0;
        while f(high) < p && high < 1e300 {
            low = high;
            high *= 2.0;
        }
    }
    if low.is_infinite() {
        low = high.min(0.0) - 1.0;
        while f(low) > p && low > -1e300 {
            high = low;
            low *= 2.0;
        }
    }
    for _ in 0..2000 {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            break;
        }
        if f(middle) < p { low = middle } else { high = middle }
    }
    low + (high - low) / 2.0
}

pub(in crate::functions) fn student(t: f64, df: f64) -> f64 {
    let tail = 0.5 * beta_inc(df / 2.0, 0.5, df / (df + t * t));
    if t > 0.0 { 1.0 - tail } else { tail }
}

/// The share of Student's distribution above `t`, without loss for large `t`.
pub(in crate::functions) fn student_tail(t: f64, df: f64) -> f64 {
    let tail = 0.5 * beta_inc(df / 2.0, 0.5, df / (df + t * t));
    if t >= 0.0 { tail } else { 1.0 - tail }
}

pub(in crate::functions) fn f_tail(x: f64, d1: f64, d2: f64) -> f64 {
    if x <= 0.0 { 1.0 } else { beta_inc(d2 / 2.0, d1 / 2.0, d2 / (d2 + d1 * x)) }
}

pub(in crate::functions) fn f_share(x: f64, d1: f64, d2: f64) -> f64 {
    if x <= 0.0 { 0.0 } else { beta_inc(d1 / 2.0, d2 / 2.0, d1 * x / (d2 + d1 * x)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        let near = |a: f64, b: f64| assert!((a - b).abs() <= 1e-13 * b.abs().max(1e-3), "{a} {b}");
        near(ln_gamma(4.5), 2.453_736_570_842_442_3);
        near(gamma(2.5), 1.329_340_388_179_137);
        near(erf(0.745), 0.707_928_920_095_737_4);
        near(normal(1.0), 0.841_344_746_068_542_9);
        near(normal_inverse(0.841_344_746_068_542_9), 1.0);
        near(gamma_p(1.0, 2.0), 0.864_664_716_763_387_3);
        near(student(1.0, 1.0), 0.75);
        near(beta_inc(2.0, 3.0, 0.5), 0.6875);
    }
}
