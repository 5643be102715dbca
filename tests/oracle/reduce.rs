//! Cases of the vector core that reduce an axis: `r` a vector, `ar` the last axis of two, `ra` the first.

use crate::case::{Arg, Case, Close, Tensor, from_f64, from_i64, is_float, to_f64, to_i64, vendor_name};
use crate::vector::{Values, out, padded};
use toprope_abi::isa::DType::{self, *};

/// An operation with what it starts from.
struct Reduction {
    name: &'static str,
    start: fn(DType) -> u64,
    float: fn(f64, f64) -> f64,
    int: fn(i64, i64) -> i64,
}

fn number(t: DType, float: f64, int: i64) -> u64 {
    if is_float(t) { from_f64(t, float) } else { from_i64(t, int) }
}

fn largest(t: DType) -> i64 {
    (1 << (t.bits() - 1)) - 1
}

const REDUCTIONS: [Reduction; 4] = [
    Reduction { name: "sum", start: |t| number(t, 0.0, 0), float: |a, b| a + b, int: i64::wrapping_add },
    Reduction { name: "prod", start: |t| number(t, 1.0, 1), float: |a, b| a * b, int: i64::wrapping_mul },
    Reduction {
        name: "max",
        start: |t| number(t, f64::NEG_INFINITY, -largest(t) - 1),
        float: f64::max,
        int: i64::max,
    },
    Reduction {
        name: "min",
        start: |t| number(t, f64::INFINITY, largest(t)),
        float: f64::min,
        int: i64::min,
    },
];

/// Name, start, function on bits.
type Bitwise = (&'static str, u64, fn(u64, u64) -> u64);

const BITWISE: [Bitwise; 3] =
    [("andi", u64::MAX, |a, b| a & b), ("ori", 0, |a, b| a | b), ("xori", 0, |a, b| a ^ b)];

impl Reduction {
    fn of(&self, t: DType, values: impl Iterator<Item = u64>) -> u64 {
        if is_float(t) {
            let start = to_f64(t, (self.start)(t));
            from_f64(t, values.fold(start, |a, v| (self.float)(a, to_f64(t, v))))
        } else {
            let start = to_i64(t, (self.start)(t));
            from_i64(t, values.fold(start, |a, v| (self.int)(a, to_i64(t, v))))
        }
    }

    /// Values whose results are exact in any order: the order of additions and multiplications is the library's.
    fn values(&self, t: DType, n: i64) -> Vec<u64> {
        let mut v = Values(n as u64);
        match self.name {
            "sum" if is_float(t) => (0..n).map(|_| from_f64(t, (v.next() % 17) as f64 - 8.0)).collect(),
            "prod" => (0..n)
                .map(|i| number(t, [1.0, -1.0, 2.0][factor(&mut v, i)], [1, -1, 3][factor(&mut v, i)]))
                .collect(),
            _ => v.many(t, n),
        }
    }
}

/// Ones of both signs, and one larger factor in five hundred.
fn factor(v: &mut Values, i: i64) -> usize {
    if i % 500 == 3 { 2 } else { v.next() as usize % 2 }
}

/// Families of templates for a type: by whole-vector instructions, by block instructions, by folding.
fn families(name: &str, t: DType) -> &'static [&'static str] {
    if is_float(t) && name != "prod" { &["enablevc_", "enablevcg_"] } else { &[""] }
}

/// One element, and room behind it: templates keep results of blocks there.
fn roomy(t: DType, n: i64) -> Tensor {
    let mut dst = Tensor::ub(t, &[1], vec![0]);
    dst.values.resize(n as usize, 0);
    dst
}

fn along(cases: &mut Vec<Case>, r: &Reduction, t: DType) {
    let tmp = || Arg::In(Tensor::scratch(t, 4096));
    let (name, close) = (vendor_name(t), Close::Exact);
    for family in families(r.name, t) {
        for n in [1, 7, 16, 64, 100, 128, 1000, 4096] {
            // Longer vectors reach the block form only in sizes that its callers choose; the template loses a rest.
            if *family == "enablevcg_" && n > 128 {
                continue;
            }
            let a = r.values(t, n);
            let want = vec![r.of(t, a.iter().copied())];
            cases.push(Case::new(
                format!("{family}reduce_{}_r_{name}", r.name),
                vec![
                    Arg::In(Tensor::ub(t, &[n], a)),
                    Arg::Out(roomy(t, n), want, close),
                    tmp(),
                    Arg::Word((r.start)(t)),
                ],
            ));
        }
        for (rows, n) in [(3, 16), (20, 64), (5, 100), (9, 300)] {
            let a = r.values(t, rows * n);
            let want = a.chunks(n as usize).map(|c| r.of(t, c.iter().copied())).collect();
            cases.push(Case::new(
                format!("{family}reduce_{}_ar_{name}", r.name),
                vec![
                    Arg::In(Tensor::ub(t, &[rows, n], a).strided(&[padded(t, n), 1], 0)),
                    out(t, &[rows, 1], want, close),
                    tmp(),
                    Arg::Word((r.start)(t)),
                ],
            ));
        }
    }
    for (rows, n) in [(2, 16), (7, 64), (16, 100)] {
        let a = r.values(t, rows * n);
        let column = |i: usize| a.iter().skip(i).step_by(n as usize).copied();
        let want = (0..n as usize).map(|i| r.of(t, column(i))).collect();
        cases.push(Case::new(
            format!("reduce_{}_ra_{name}", r.name),
            vec![
                Arg::In(Tensor::ub(t, &[rows, n], a.clone()).strided(&[padded(t, n), 1], 0)),
                out(t, &[1, n], want, close),
                tmp(),
                Arg::Word((r.start)(t)),
            ],
        ));
    }
}

fn bitwise(cases: &mut Vec<Case>) {
    for (name, start, f) in BITWISE {
        for t in [S8, S16, S32, S64] {
            for n in [7, 64, 1000] {
                let a = Values(n as u64).bits(t, n);
                let start = from_i64(t, start as i64);
                let want = vec![a.iter().fold(start, |x, y| f(x, *y))];
                cases.push(Case::new(
                    format!("reduce_{name}_r_{}", vendor_name(t)),
                    vec![
                        Arg::In(Tensor::ub(t, &[n], a)),
                        out(t, &[1], want, Close::Exact),
                        Arg::In(Tensor::scratch(t, 4096)),
                        Arg::Word(start),
                    ],
                ));
            }
        }
    }
}

/// The extreme value and where it first is.
fn with_index(cases: &mut Vec<Case>) {
    for r in &REDUCTIONS[2..] {
        for t in [F16, F32] {
            for n in [16, 64, 100, 1000] {
                let a = r.values(t, n);
                let best = r.of(t, a.iter().copied());
                let index = a.iter().position(|v| *v == best).unwrap_or_default() as u64;
                cases.push(Case::new(
                    format!("reduce_{}_with_index_left_r_{}", r.name, vendor_name(t)),
                    vec![
                        Arg::In(Tensor::ub(t, &[n], a)),
                        out(t, &[1], vec![best], Close::Exact),
                        out(S32, &[1], vec![index], Close::Exact),
                        Arg::In(Tensor::scratch(t, 4096)),
                        Arg::Word((r.start)(t)),
                    ],
                ));
            }
        }
    }
}

pub fn cases(cases: &mut Vec<Case>) {
    for r in &REDUCTIONS {
        for t in [F16, F32, S16, S32] {
            along(cases, r, t);
        }
    }
    bitwise(cases);
    with_index(cases);
}
