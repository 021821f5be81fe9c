//! Probability distributions and the tests built on them.

use std::sync::Arc;

use super::super::math::combinations;
use super::super::{Function, def};
use super::special::{
    beta_inc, f_share, f_tail, gamma, gamma_p, gamma_q, invert, ln_gamma, normal, normal_density,
    normal_inverse, student, student_tail,
};
use super::{Of, mean, variance};
use crate::eval::args::{Args, fail, num};
use crate::eval::{Answer, Stop};
use crate::value::{Array, ErrorKind, Value};

pub(in super::super) const FUNCTIONS: &[Function] = &[
    def("NORM.DIST", "V", 4, 4, norm_dist),
    def("NORMDIST", "V", 4, 4, norm_dist),
    def("NORM.INV", "V", 3, 3, norm_inv),
    def("NORMINV", "V", 3, 3, norm_inv),
    def("NORM.S.DIST", "V", 2, 2, |a| {
        let z = a.number(0)?;
        num(if a.flag(1)? { normal(z) } else { normal_density(z) })
    }),
    def("NORMSDIST", "V", 1, 1, |a| num(normal(a.number(0)?))),
    def("NORM.S.INV", "V", 1, 1, |a| num(normal_inverse(share(a, 0)?))),
    def("NORMSINV", "V", 1, 1, |a| num(normal_inverse(share(a, 0)?))),
    def("PHI", "V", 1, 1, |a| num(normal_density(a.number(0)?))),
    def("GAUSS", "V", 1, 1, |a| num(0.5 * super::special::erf(a.number(0)? / std::f64::consts::SQRT_2))),
    def("LOGNORM.DIST", "V", 4, 4, |a| {
        let (x, mean, spread) = (a.number(0)?, a.number(1)?, a.number(2)?);
        if x <= 0.0 || spread <= 0.0 {
            return fail(ErrorKind::Num);
        }
        let z = (x.ln() - mean) / spread;
        num(if a.flag(3)? { normal(z) } else { normal_density(z) / (x * spread) })
    }),
    def("LOGNORMDIST", "V", 3, 3, |a| {
        let (x, mean, spread) = (a.number(0)?, a.number(1)?, a.number(2)?);
        if x <= 0.0 || spread <= 0.0 { fail(ErrorKind::Num) } else { num(normal((x.ln() - mean) / spread)) }
    }),
    def("LOGNORM.INV", "V", 3, 3, log_inv),
    def("LOGINV", "V", 3, 3, log_inv),
    def("EXPON.DIST", "V", 3, 3, exponential),
    def("EXPONDIST", "V", 3, 3, exponential),
    def("POISSON.DIST", "V", 3, 3, poisson),
    def("POISSON", "V", 3, 3, poisson),
    def("BINOM.DIST", "V", 4, 4, binomial),
    def("BINOMDIST", "V", 4, 4, binomial),
    def("BINOM.DIST.RANGE", "V", 3, 4, |a| {
        let (n, p, low) = (a.int(0)?, a.number(1)?, a.int(2)?);
        let high = a.int_default(3, low)?;
        if n < 0.0 || !(0.0..=1.0).contains(&p) || low < 0.0 || low > n || high < low || high > n {
            return fail(ErrorKind::Num);
        }
        num(sum_range(a, low, high, |k| binomial_at(n, p, k))?)
    }),
    def("BINOM.INV", "V", 3, 3, critical_binomial),
    def("CRITBINOM", "V", 3, 3, critical_binomial),
    def("NEGBINOM.DIST", "V", 4, 4, |a| {
        let (failures, wins, p) = (a.int(0)?, a.int(1)?, a.number(2)?);
        if failures < 0.0 || wins < 1.0 || p <= 0.0 || p >= 1.0 {
            return fail(ErrorKind::Num);
        }
        num(if a.flag(3)? { beta_inc(wins, failures + 1.0, p) } else { negative_binomial(failures, wins, p) })
    }),
    def("NEGBINOMDIST", "V", 3, 3, |a| {
        let (failures, wins, p) = (a.int(0)?, a.int(1)?, a.number(2)?);
        if failures < 0.0 || wins < 1.0 || p <= 0.0 || p >= 1.0 {
            fail(ErrorKind::Num)
        } else {
            num(negative_binomial(failures, wins, p))
        }
    }),
    def("HYPGEOM.DIST", "V", 5, 5, |a| hypergeometric(a, a.flag(4)?)),
    def("HYPGEOMDIST", "V", 4, 4, |a| hypergeometric(a, false)),
    def("GAMMA", "V", 1, 1, |a| match a.number(0)? {
        x if x == 0.0 || (x < 0.0 && x == x.floor()) => fail(ErrorKind::Num),
        x => num(gamma(x)),
    }),
    def("GAMMALN", "V", 1, 1, log_gamma),
    def("GAMMALN.PRECISE", "V", 1, 1, log_gamma),
    def("GAMMA.DIST", "V", 4, 4, gamma_dist),
    def("GAMMADIST", "V", 4, 4, gamma_dist),
    def("GAMMA.INV", "V", 3, 3, gamma_inv),
    def("GAMMAINV", "V", 3, 3, gamma_inv),
    def("CHISQ.DIST", "V", 3, 3, |a| {
        let (x, df) = (a.number(0)?, degrees(a, 1)?);
        if x < 0.0 {
            return fail(ErrorKind::Num);
        }
        if a.flag(2)? {
            return num(gamma_p(df / 2.0, x / 2.0));
        }
        num(gamma_density(x, df / 2.0, 2.0))
    }),
    def("CHISQ.DIST.RT", "V", 2, 2, chi_tail),
    def("CHIDIST", "V", 2, 2, chi_tail),
    def("CHISQ.INV", "V", 2, 2, |a| {
        let (p, df) = (a.number(0)?, degrees(a, 1)?);
        if !(0.0..1.0).contains(&p) {
            fail(ErrorKind::Num)
        } else {
            num(invert(|x| gamma_p(df / 2.0, x / 2.0), p, 0.0, f64::INFINITY))
        }
    }),
    def("CHISQ.INV.RT", "V", 2, 2, chi_inverse_tail),
    def("CHIINV", "V", 2, 2, chi_inverse_tail),
    def("CHISQ.TEST", "AA", 2, 2, chi_test),
    def("CHITEST", "AA", 2, 2, chi_test),
    def("BETA.DIST", "V", 4, 6, |a| beta_dist(a, a.flag(3)?, 4)),
    def("BETADIST", "V", 3, 5, |a| beta_dist(a, true, 3)),
    def("BETA.INV", "V", 3, 5, beta_inv),
    def("BETAINV", "V", 3, 5, beta_inv),
    def("F.DIST", "V", 4, 4, |a| {
        let (x, d1, d2) = (a.number(0)?, degrees(a, 1)?, degrees(a, 2)?);
        if x < 0.0 {
            return fail(ErrorKind::Num);
        }
        if a.flag(3)? {
            return num(f_share(x, d1, d2));
        }
        if x == 0.0 {
            return num(if d1 < 2.0 {
                f64::NAN
            } else if d1 == 2.0 {
                1.0
            } else {
                0.0
            });
        }
        let log = ln_gamma((d1 + d2) / 2.0) - ln_gamma(d1 / 2.0) - ln_gamma(d2 / 2.0)
            + d1 / 2.0 * (d1 / d2).ln()
            + (d1 / 2.0 - 1.0) * x.ln()
            - (d1 + d2) / 2.0 * (d1 * x / d2).ln_1p();
        num(log.exp())
    }),
    def("F.DIST.RT", "V", 3, 3, f_right),
    def("FDIST", "V", 3, 3, f_right),
    def("F.INV", "V", 3, 3, |a| {
        let (p, d1, d2) = (a.number(0)?, degrees(a, 1)?, degrees(a, 2)?);
        if !(0.0..1.0).contains(&p) {
            fail(ErrorKind::Num)
        } else {
            num(invert(|x| f_share(x, d1, d2), p, 0.0, f64::INFINITY))
        }
    }),
    def("F.INV.RT", "V", 3, 3, f_inverse_right),
    def("FINV", "V", 3, 3, f_inverse_right),
    def("F.TEST", "RR", 2, 2, f_test),
    def("FTEST", "RR", 2, 2, f_test),
    def("T.DIST", "V", 3, 3, |a| {
        let (x, df) = (a.number(0)?, degrees(a, 1)?);
        if a.flag(2)? {
            return num(student(x, df));
        }
        let log = ln_gamma((df + 1.0) / 2.0)
            - ln_gamma(df / 2.0)
            - (df * std::f64::consts::PI).ln() / 2.0
            - (df + 1.0) / 2.0 * (x * x / df).ln_1p();
        num(log.exp())
    }),
    def("T.DIST.RT", "V", 2, 2, |a| num(student_tail(a.number(0)?, degrees(a, 1)?))),
    def("T.DIST.2T", "V", 2, 2, |a| {
        let (x, df) = (a.number(0)?, degrees(a, 1)?);
        if x < 0.0 { fail(ErrorKind::Num) } else { num(2.0 * student_tail(x, df)) }
    }),
    def("TDIST", "V", 3, 3, |a| {
        let (x, df, tails) = (a.number(0)?, degrees(a, 1)?, a.int(2)?);
        if x < 0.0 || (tails != 1.0 && tails != 2.0) {
            fail(ErrorKind::Num)
        } else {
            num(tails * student_tail(x, df))
        }
    }),
    def("T.INV", "V", 2, 2, |a| {
        let (p, df) = (share(a, 0)?, degrees(a, 1)?);
        num(if p == 0.5 {
            0.0
        } else if p < 0.5 {
            -student_point(p, df)
        } else {
            student_point(1.0 - p, df)
        })
    }),
    def("T.INV.2T", "V", 2, 2, student_two),
    def("TINV", "V", 2, 2, student_two),
    def("T.TEST", "AAVV", 4, 4, t_test),
    def("TTEST", "AAVV", 4, 4, t_test),
    def("WEIBULL.DIST", "V", 4, 4, weibull),
    def("WEIBULL", "V", 4, 4, weibull),
    def("CONFIDENCE", "V", 3, 3, confidence),
    def("CONFIDENCE.NORM", "V", 3, 3, confidence),
    def("CONFIDENCE.T", "V", 3, 3, |a| {
        let (alpha, spread, size) = (share(a, 0)?, a.number(1)?, a.int(2)?);
        if spread <= 0.0 || size < 1.0 {
            return fail(ErrorKind::Num);
        }
        if size == 1.0 {
            return fail(ErrorKind::Div0);
        }
        num(student_point(alpha / 2.0, size - 1.0) * spread / size.sqrt())
    }),
    def("Z.TEST", "RVV", 2, 3, z_test),
    def("ZTEST", "RVV", 2, 3, z_test),
];

/// A probability strictly between zero and one.
fn share(a: &Args<'_>, index: usize) -> Result<f64, Stop> {
    let p = a.number(index)?;
    if p <= 0.0 || p >= 1.0 { fail(ErrorKind::Num) } else { Ok(p) }
}

fn degrees(a: &Args<'_>, index: usize) -> Result<f64, Stop> {
    let df = a.int(index)?;
    if !(1.0..=1e10).contains(&df) { fail(ErrorKind::Num) } else { Ok(df) }
}

fn norm_dist(a: &Args<'_>) -> Answer {
    let (x, mean, spread) = (a.number(0)?, a.number(1)?, a.number(2)?);
    let whole = a.flag(3)?;
    if spread <= 0.0 {
        return fail(ErrorKind::Num);
    }
    let z = (x - mean) / spread;
    num(if whole { normal(z) } else { normal_density(z) / spread })
}

fn norm_inv(a: &Args<'_>) -> Answer {
    let (p, mean, spread) = (share(a, 0)?, a.number(1)?, a.number(2)?);
    if spread <= 0.0 { fail(ErrorKind::Num) } else { num(mean + spread * normal_inverse(p)) }
}

fn log_inv(a: &Args<'_>) -> Answer {
    let (p, mean, spread) = (share(a, 0)?, a.number(1)?, a.number(2)?);
    if spread <= 0.0 { fail(ErrorKind::Num) } else { num((mean + spread * normal_inverse(p)).exp()) }
}

fn exponential(a: &Args<'_>) -> Answer {
    let (x, rate) = (a.number(0)?, a.number(1)?);
    let whole = a.flag(2)?;
    if x < 0.0 || rate <= 0.0 {
        return fail(ErrorKind::Num);
    }
    num(if whole { -(-rate * x).exp_m1() } else { rate * (-rate * x).exp() })
}

fn poisson(a: &Args<'_>) -> Answer {
    let (x, mean) = (a.int(0)?, a.number(1)?);
    let whole = a.flag(2)?;
    if x < 0.0 || mean < 0.0 {
        return fail(ErrorKind::Num);
    }
    if mean == 0.0 {
        return num(if whole || x == 0.0 { 1.0 } else { 0.0 });
    }
    num(if whole { gamma_q(x + 1.0, mean) } else { (x * mean.ln() - mean - ln_gamma(x + 1.0)).exp() })
}

fn binomial_at(n: f64, p: f64, k: f64) -> f64 {
    if p == 0.0 {
        return f64::from(u8::from(k == 0.0));
    }
    if p == 1.0 {
        return f64::from(u8::from(k == n));
    }
    let ways = combinations(n, k);
    let direct = ways * p.powf(k) * (1.0 - p).powf(n - k);
    if ways.is_finite() && direct > 1e-290 {
        return direct;
    }
    (ln_gamma(n + 1.0) - ln_gamma(k + 1.0) - ln_gamma(n - k + 1.0) + k * p.ln() + (n - k) * (-p).ln_1p())
        .exp()
}

fn sum_range(a: &Args<'_>, low: f64, high: f64, each: impl Fn(f64) -> f64) -> Result<f64, Stop> {
    a.cx.charge(((high - low) * 20.0) as usize)?;
    let mut total = 0.0;
    let mut k = low;
    while k <= high {
        total += each(k);
        k += 1.0;
    }
    Ok(total.min(1.0))
}

fn binomial(a: &Args<'_>) -> Answer {
    let (k, n, p) = (a.int(0)?, a.int(1)?, a.number(2)?);
    let whole = a.flag(3)?;
    if k < 0.0 || k > n || n > 9e15 || !(0.0..=1.0).contains(&p) {
        return fail(ErrorKind::Num);
    }
    if !whole {
        return num(binomial_at(n, p, k));
    }
    if n <= 1000.0 {
        return num(sum_range(a, 0.0, k, |k| binomial_at(n, p, k))?);
    }
    num(if k >= n { 1.0 } else { beta_inc(n - k, k + 1.0, 1.0 - p) })
}

fn critical_binomial(a: &Args<'_>) -> Answer {
    let (n, p, alpha) = (a.int(0)?, a.number(1)?, a.number(2)?);
    if n < 0.0 || p <= 0.0 || p >= 1.0 || alpha <= 0.0 || alpha >= 1.0 {
        return fail(ErrorKind::Num);
    }
    let mut total = 0.0;
    let mut k = 0.0;
    while k < n {
        a.cx.charge(20)?;
        total += binomial_at(n, p, k);
        if total >= alpha {
            break;
        }
        k += 1.0;
    }
    num(k)
}

fn negative_binomial(failures: f64, wins: f64, p: f64) -> f64 {
    combinations(failures + wins - 1.0, wins - 1.0) * p.powf(wins) * (1.0 - p).powf(failures)
}

fn hypergeometric(a: &Args<'_>, whole: bool) -> Answer {
    let (x, n, successes, population) = (a.int(0)?, a.int(1)?, a.int(2)?, a.int(3)?);
    let low = (n + successes - population).max(0.0);
    if x < 0.0
        || x > n.min(successes)
        || n < 0.0
        || n > population
        || successes < 0.0
        || successes > population
        || population <= 0.0
    {
        return fail(ErrorKind::Num);
    }
    if x < low {
        return if whole { num(0.0) } else { fail(ErrorKind::Num) };
    }
    let log_ways = |n: f64, k: f64| ln_gamma(n + 1.0) - ln_gamma(k + 1.0) - ln_gamma(n - k + 1.0);
    let at = |k: f64| {
        let direct = combinations(successes, k) * combinations(population - successes, n - k)
            / combinations(population, n);
        if direct.is_finite() && direct > 0.0 {
            return direct;
        }
        (log_ways(successes, k) + log_ways(population - successes, n - k) - log_ways(population, n)).exp()
    };
    num(if whole { sum_range(a, low, x, at)? } else { at(x) })
}

fn log_gamma(a: &Args<'_>) -> Answer {
    let x = a.number(0)?;
    if x <= 0.0 { fail(ErrorKind::Num) } else { num(ln_gamma(x)) }
}

fn gamma_density(x: f64, alpha: f64, beta: f64) -> f64 {
    if x == 0.0 {
        return if alpha < 1.0 {
            f64::NAN
        } else if alpha == 1.0 {
            1.0 / beta
        } else {
            0.0
        };
    }
    ((alpha - 1.0) * x.ln() - x / beta - alpha * beta.ln() - ln_gamma(alpha)).exp()
}

fn gamma_dist(a: &Args<'_>) -> Answer {
    let (x, alpha, beta) = (a.number(0)?, a.number(1)?, a.number(2)?);
    let whole = a.flag(3)?;
    if x < 0.0 || alpha <= 0.0 || beta <= 0.0 {
        return fail(ErrorKind::Num);
    }
    num(if whole { gamma_p(alpha, x / beta) } else { gamma_density(x, alpha, beta) })
}

fn gamma_inv(a: &Args<'_>) -> Answer {
    let (p, alpha, beta) = (a.number(0)?, a.number(1)?, a.number(2)?);
    if !(0.0..1.0).contains(&p) || alpha <= 0.0 || beta <= 0.0 {
        return fail(ErrorKind::Num);
    }
    num(beta * invert(|x| gamma_p(alpha, x), p, 0.0, f64::INFINITY))
}

fn chi_tail(a: &Args<'_>) -> Answer {
    let (x, df) = (a.number(0)?, degrees(a, 1)?);
    if x < 0.0 { fail(ErrorKind::Num) } else { num(gamma_q(df / 2.0, x / 2.0)) }
}

fn chi_inverse_tail(a: &Args<'_>) -> Answer {
    let (p, df) = (a.number(0)?, degrees(a, 1)?);
    if p <= 0.0 || p > 1.0 {
        return fail(ErrorKind::Num);
    }
    num(if p == 1.0 { 0.0 } else { invert(|x| -gamma_q(df / 2.0, x / 2.0), -p, 0.0, f64::INFINITY) })
}

fn chi_test(a: &Args<'_>) -> Answer {
    let (seen, expected) = (a.array(0)?, a.array(1)?);
    let (rows, cols) = (seen.rows(), seen.cols());
    // Shapes may differ, numbers of cells may not.
    if seen.len() != expected.len() {
        return fail(ErrorKind::NotAvailable);
    }
    let df = if rows > 1 && cols > 1 { (rows - 1) * (cols - 1) } else { rows * cols - 1 };
    if df == 0 {
        return fail(ErrorKind::NotAvailable);
    }
    let mut total = 0.0;
    for (seen, expected) in seen.values().iter().zip(expected.values()) {
        match (seen, expected) {
            (Value::Error(kind), _) | (_, Value::Error(kind)) => return fail(*kind),
            (Value::Number(seen), Value::Number(expected)) => {
                if *expected == 0.0 {
                    return fail(ErrorKind::Div0);
                }
                if *expected < 0.0 {
                    return fail(ErrorKind::Num);
                }
                total += (seen - expected) * (seen - expected) / expected;
            }
            _ => {}
        }
    }
    num(gamma_q(df as f64 / 2.0, total / 2.0))
}

fn beta_dist(a: &Args<'_>, whole: bool, bounds: usize) -> Answer {
    let (x, alpha, beta) = (a.number(0)?, a.number(1)?, a.number(2)?);
    let (low, high) = (a.number_default(bounds, 0.0)?, a.number_default(bounds + 1, 1.0)?);
    if alpha <= 0.0 || beta <= 0.0 || x < low || x > high || low == high {
        return fail(ErrorKind::Num);
    }
    let z = (x - low) / (high - low);
    if whole {
        return num(beta_inc(alpha, beta, z));
    }
    let log = ln_gamma(alpha + beta) - ln_gamma(alpha) - ln_gamma(beta)
        + (alpha - 1.0) * z.ln()
        + (beta - 1.0) * (-z).ln_1p();
    num(log.exp() / (high - low))
}

fn beta_inv(a: &Args<'_>) -> Answer {
    let (p, alpha, beta) = (a.number(0)?, a.number(1)?, a.number(2)?);
    let (low, high) = (a.number_default(3, 0.0)?, a.number_default(4, 1.0)?);
    if p <= 0.0 || p > 1.0 || alpha <= 0.0 || beta <= 0.0 || low >= high {
        return fail(ErrorKind::Num);
    }
    let z = if p == 1.0 { 1.0 } else { invert(|x| beta_inc(alpha, beta, x), p, 0.0, 1.0) };
    num(low + z * (high - low))
}

fn f_right(a: &Args<'_>) -> Answer {
    let (x, d1, d2) = (a.number(0)?, degrees(a, 1)?, degrees(a, 2)?);
    if x < 0.0 { fail(ErrorKind::Num) } else { num(f_tail(x, d1, d2)) }
}

fn f_inverse_right(a: &Args<'_>) -> Answer {
    let (p, d1, d2) = (a.number(0)?, degrees(a, 1)?, degrees(a, 2)?);
    if p <= 0.0 || p > 1.0 {
        return fail(ErrorKind::Num);
    }
    num(if p == 1.0 { 0.0 } else { invert(|x| -f_tail(x, d1, d2), -p, 0.0, f64::INFINITY) })
}

fn f_test(a: &Args<'_>) -> Answer {
    let (xs, ys) = (a.numbers_of(0)?, a.numbers_of(1)?);
    let (vx, vy) = (variance(&xs, Of::Sample)?, variance(&ys, Of::Sample)?);
    if vx == 0.0 || vy == 0.0 {
        return fail(ErrorKind::Div0);
    }
    let (d1, d2) = (xs.len() as f64 - 1.0, ys.len() as f64 - 1.0);
    num(2.0 * f_tail(vx / vy, d1, d2).min(f_share(vx / vy, d1, d2)))
}

/// The point above which a share of Student's distribution lies.
fn student_point(tail: f64, df: f64) -> f64 {
    if tail >= 0.5 {
        return 0.0;
    }
    invert(|t| -student_tail(t, df), -tail, 0.0, f64::INFINITY)
}

fn student_two(a: &Args<'_>) -> Answer {
    let (p, df) = (a.number(0)?, degrees(a, 1)?);
    if p <= 0.0 || p > 1.0 { fail(ErrorKind::Num) } else { num(student_point(p / 2.0, df)) }
}

fn list(array: &Arc<Array>) -> Result<Vec<f64>, Stop> {
    let mut numbers = Vec::new();
    for value in array.values() {
        match value {
            Value::Number(number) => numbers.push(*number),
            Value::Error(kind) => return fail(*kind),
            _ => {}
        }
    }
    Ok(numbers)
}

fn t_test(a: &Args<'_>) -> Answer {
    let (tails, kind) = (a.int(2)?, a.int(3)?);
    if (tails != 1.0 && tails != 2.0) || !(1.0..=3.0).contains(&kind) {
        return fail(ErrorKind::Num);
    }
    let (t, df) = if kind == 1.0 {
        let pairs = super::rank::pairs(a, 0, 1)?;
        let differences: Vec<f64> = pairs.iter().map(|(x, y)| x - y).collect();
        let n = differences.len() as f64;
        let spread = variance(&differences, Of::Sample)?.sqrt();
        (mean(&differences) / (spread / n.sqrt()), n - 1.0)
    } else {
        let (xs, ys) = (list(&a.array(0)?)?, list(&a.array(1)?)?);
        let (nx, ny) = (xs.len() as f64, ys.len() as f64);
        let (vx, vy) = (variance(&xs, Of::Sample)?, variance(&ys, Of::Sample)?);
        let distance = mean(&xs) - mean(&ys);
        if kind == 2.0 {
            let df = nx + ny - 2.0;
            let pooled = ((nx - 1.0) * vx + (ny - 1.0) * vy) / df;
            (distance / (pooled * (1.0 / nx + 1.0 / ny)).sqrt(), df)
        } else {
            let (sx, sy) = (vx / nx, vy / ny);
            (
                distance / (sx + sy).sqrt(),
                (sx + sy) * (sx + sy) / (sx * sx / (nx - 1.0) + sy * sy / (ny - 1.0)),
            )
        }
    };
    if !t.is_finite() {
        return fail(ErrorKind::Div0);
    }
    num(tails * student_tail(t.abs(), df))
}

fn weibull(a: &Args<'_>) -> Answer {
    let (x, alpha, beta) = (a.number(0)?, a.number(1)?, a.number(2)?);
    let whole = a.flag(3)?;
    if x < 0.0 || alpha <= 0.0 || beta <= 0.0 {
        return fail(ErrorKind::Num);
    }
    let power = (x / beta).powf(alpha);
    num(if whole {
        -(-power).exp_m1()
    } else {
        alpha / beta.powf(alpha) * x.powf(alpha - 1.0) * (-power).exp()
    })
}

fn confidence(a: &Args<'_>) -> Answer {
    let (alpha, spread, size) = (share(a, 0)?, a.number(1)?, a.int(2)?);
    if spread <= 0.0 || size < 1.0 {
        fail(ErrorKind::Num)
    } else {
        num(-normal_inverse(alpha / 2.0) * spread / size.sqrt())
    }
}

fn z_test(a: &Args<'_>) -> Answer {
    let numbers = a.numbers_of(0)?;
    let x = a.number(1)?;
    if numbers.is_empty() {
        return fail(ErrorKind::NotAvailable);
    }
    let spread = if a.given(2) { a.number(2)? } else { variance(&numbers, Of::Sample)?.sqrt() };
    if spread == 0.0 {
        return fail(ErrorKind::Div0);
    }
    num(1.0 - normal((mean(&numbers) - x) / (spread / (numbers.len() as f64).sqrt())))
}
