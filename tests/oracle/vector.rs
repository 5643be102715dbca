//! Cases of the vector core, element by element: arithmetic, logic, shifts, conversions, comparisons, selections.

use crate::case::{Arg, Case, Close, Tensor, from_f64, from_i64, is_float, to_f64, to_i64, vendor_name};
use toprope_abi::isa::DType::{self, *};

/// Element counts: one, less than a block, a repeat, not a multiple of anything, many repeats.
pub const COUNTS: [i64; 6] = [1, 7, 64, 100, 1000, 4096];

/// A small generator of test values (splitmix64).
pub struct Values(pub u64);

impl Values {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number that the type can hold, small enough that sums and products stay finite.
    pub fn element(&mut self, t: DType) -> u64 {
        if is_float(t) {
            from_f64(t, (self.next() % 4001) as f64 / 64.0 - 31.0)
        } else {
            from_i64(t, (self.next() % 401) as i64 - 200)
        }
    }

    pub fn many(&mut self, t: DType, n: i64) -> Vec<u64> {
        (0..n).map(|_| self.element(t)).collect()
    }

    /// Any bits, infinities and NaNs among them.
    pub fn bits(&mut self, t: DType, n: i64) -> Vec<u64> {
        (0..n).map(|_| from_i64(t, self.next() as i64)).collect()
    }

    /// Above 0.
    pub fn positive(&mut self, t: DType, n: i64) -> Vec<u64> {
        (0..n).map(|_| from_f64(t, (self.next() % 4000 + 1) as f64 / 64.0)).collect()
    }
}

/// A function on the bits of elements.
type Unary<'a> = &'a dyn Fn(DType, u64) -> u64;
type Binary<'a> = &'a dyn Fn(DType, u64, u64) -> u64;

/// An output of `n` elements in UB.
pub fn out(t: DType, shape: &[i64], want: Vec<u64>, close: Close) -> Arg {
    let n = shape.iter().product::<i64>() as usize;
    Arg::Out(Tensor::ub(t, shape, vec![0; n]), want, close)
}

/// An output whose rows are `strides` apart.
pub fn out_strided(t: DType, shape: &[i64], strides: &[i64], want: Vec<u64>, close: Close) -> Arg {
    let n = shape.iter().product::<i64>() as usize;
    Arg::Out(Tensor::ub(t, shape, vec![0; n]).strided(strides, 0), want, close)
}

/// Rows of `b` elements, each starting at a block.
pub fn padded(t: DType, b: i64) -> i64 {
    b.next_multiple_of_(256 / i64::from(t.bits()))
}

pub trait NextMultiple {
    fn next_multiple_of_(self, of: i64) -> i64;
}

impl NextMultiple for i64 {
    fn next_multiple_of_(self, of: i64) -> i64 {
        (self + of - 1) / of * of
    }
}

fn binary(cases: &mut Vec<Case>, name: &str, types: &[DType], any_bits: bool, close: Close, f: Binary<'_>) {
    for t in types {
        let values = |seed, n| if any_bits { Values(seed).bits(*t, n) } else { Values(seed).many(*t, n) };
        let want = |a: &[u64], b: &[u64]| a.iter().zip(b).map(|(a, b)| f(*t, *a, *b)).collect::<Vec<u64>>();
        for n in COUNTS {
            let (a, b) = (values(n as u64, n), values(n as u64 + 99, n));
            let want = want(&a, &b);
            cases.push(Case::new(
                format!("{name}_1d_{}", vendor_name(*t)),
                vec![
                    Arg::In(Tensor::ub(*t, &[n], a)),
                    Arg::In(Tensor::ub(*t, &[n], b)),
                    out(*t, &[n], want, close),
                    Arg::In(Tensor::scratch(*t, 2 * n.max(64))),
                ],
            ));
        }
        for (rows, columns) in [(3, 20), (17, 130)] {
            let stride = padded(*t, columns) + padded(*t, 1);
            let (a, b) = (values(5, rows * columns), values(6, rows * columns));
            let want = want(&a, &b);
            let shape = [rows, columns];
            cases.push(Case::new(
                format!("{name}_2d_{}", vendor_name(*t)),
                vec![
                    Arg::In(Tensor::ub(*t, &shape, a).strided(&[stride, 1], 0)),
                    Arg::In(Tensor::ub(*t, &shape, b).strided(&[stride, 1], 0)),
                    out_strided(*t, &shape, &[stride, 1], want, close),
                    Arg::In(Tensor::scratch(*t, 2 * rows * stride)),
                ],
            ));
        }
    }
}

fn unary(
    cases: &mut Vec<Case>,
    name: &str,
    types: &[DType],
    make: fn(&mut Values, DType, i64) -> Vec<u64>,
    close: Close,
    f: Unary<'_>,
) {
    for t in types {
        for n in COUNTS {
            let a = make(&mut Values(n as u64), *t, n);
            let want = a.iter().map(|a| f(*t, *a)).collect();
            cases.push(Case::new(
                format!("{name}_1d_{}", vendor_name(*t)),
                vec![
                    Arg::In(Tensor::ub(*t, &[n], a)),
                    out(*t, &[n], want, close),
                    Arg::In(Tensor::scratch(*t, n.max(64))),
                ],
            ));
        }
        let (shape, stride) = ([9, 70], padded(*t, 70));
        let a = make(&mut Values(3), *t, shape[0] * shape[1]);
        let want = a.iter().map(|a| f(*t, *a)).collect();
        cases.push(Case::new(
            format!("{name}_2d_{}", vendor_name(*t)),
            vec![
                Arg::In(Tensor::ub(*t, &shape, a).strided(&[stride, 1], 0)),
                out_strided(*t, &shape, &[stride, 1], want, close),
                Arg::In(Tensor::scratch(*t, 9 * stride)),
            ],
        ));
    }
}

/// `vector ∘ scalar`, or the other way round.
fn scalar(
    cases: &mut Vec<Case>,
    name: &str,
    types: &[DType],
    scalars: &[f64],
    first: bool,
    close: Close,
    f: Binary<'_>,
) {
    for t in types {
        for (s, n) in scalars.iter().zip(COUNTS.iter().rev()) {
            let s = if is_float(*t) { from_f64(*t, *s) } else { from_i64(*t, *s as i64) };
            let a = Values(*n as u64).many(*t, *n);
            let want = a.iter().map(|a| if first { f(*t, s, *a) } else { f(*t, *a, s) }).collect();
            let mut args = vec![
                Arg::In(Tensor::ub(*t, &[*n], a)),
                Arg::Word(s),
                out(*t, &[*n], want, close),
                Arg::In(Tensor::scratch(*t, (*n).max(64))),
            ];
            if first {
                args.swap(0, 1);
            }
            cases.push(Case::new(format!("{name}_1d_{}", vendor_name(*t)), args));
        }
    }
}

/// Floats through f64 (one rounding is exact enough for half and float), integers modulo their width.
fn both(float: fn(f64, f64) -> f64, int: fn(i64, i64) -> i64) -> impl Fn(DType, u64, u64) -> u64 {
    move |t, a, b| {
        if is_float(t) {
            from_f64(t, float(to_f64(t, a), to_f64(t, b)))
        } else {
            from_i64(t, int(to_i64(t, a), to_i64(t, b)))
        }
    }
}

fn arithmetic(cases: &mut Vec<Case>) {
    let (numbers, floats) = ([F16, F32, S16, S32], [F16, F32]);
    let whole = [S16, U16, S32, U32];
    let (add, sub) = (both(|a, b| a + b, i64::wrapping_add), both(|a, b| a - b, i64::wrapping_sub));
    let (mul, div) = (both(|a, b| a * b, i64::wrapping_mul), both(|a, b| a / b, |_, _| 0));
    let (max, min) = (both(f64::max, i64::max), both(f64::min, i64::min));
    let exact = Close::Exact;
    binary(cases, "vadd", &numbers, false, exact, &add);
    binary(cases, "vsub", &numbers, false, exact, &sub);
    binary(cases, "vmul", &floats, false, exact, &mul);
    binary(cases, "vmul", &[S16, S32], false, exact, &mul);
    binary(cases, "vdiv", &floats, false, exact, &div);
    binary(cases, "vmax", &numbers, false, exact, &max);
    binary(cases, "vmin", &numbers, false, exact, &min);
    let scalars = [2.5, -1.0, 0.0, 7.0, 100.0, -31.5];
    scalar(cases, "vadds_vs", &numbers, &scalars, false, exact, &add);
    scalar(cases, "vmuls_vs", &numbers, &scalars, false, exact, &mul);
    scalar(cases, "vmaxs_vs", &numbers, &scalars, false, exact, &max);
    scalar(cases, "vmins_vs", &numbers, &scalars, false, exact, &min);
    scalar(cases, "vsub_vs", &numbers, &scalars, false, exact, &sub);
    scalar(cases, "vsub_sv", &numbers, &scalars, true, exact, &sub);
    scalar(cases, "vdiv_vs", &floats, &[2.0, -4.0, 0.5], false, exact, &div);
    scalar(cases, "vdiv_sv", &floats, &[2.0, -4.0, 0.5], true, exact, &div);
    // A signed left shift keeps the sign bit (page ShiftLeft).
    let left = |t: DType, a: u64, s: u64| {
        let keep = if matches!(t, S16 | S32) { 1 << (t.bits() - 1) } else { 0 };
        a & keep | from_i64(t, (a << s) as i64) & !keep
    };
    let right = both(|_, _| 0.0, |a, s| a >> s);
    scalar(cases, "vshls_vs", &whole, &[0.0, 1.0, 3.0, 7.0, 15.0], false, exact, &left);
    scalar(cases, "vshrs_vs", &whole, &[0.0, 1.0, 3.0, 7.0, 15.0], false, exact, &right);
}

fn logic(cases: &mut Vec<Case>) {
    let types = [S8, S16, U16, F16, Bf16, S32, U32, F32, S64];
    let exact = Close::Exact;
    binary(cases, "vand", &types, true, exact, &|_, a, b| a & b);
    binary(cases, "vor", &types, true, exact, &|_, a, b| a | b);
    binary(cases, "vxor", &[S8, U8, S16, U16, S32, U32, S64], true, exact, &|_, a, b| a ^ b);
    unary(cases, "vnot", &types, Values::bits, exact, &|t, a| from_i64(t, !(a as i64)));
}

fn functions(cases: &mut Vec<Case>) {
    let floats = [F16, F32];
    let float = |f: fn(f64) -> f64| move |t, a| from_f64(t, f(to_f64(t, a)));
    let exact = Close::Exact;
    unary(cases, "vabs", &floats, Values::many, exact, &float(f64::abs));
    unary(cases, "vrelu", &floats, Values::many, exact, &float(|x| x.max(0.0)));
    unary(cases, "vrelu", &[S32], Values::many, exact, &|t, a| from_i64(t, to_i64(t, a).max(0)));
    // The documents leave a unit in the last place; half results are those of a rounded f32.
    unary(cases, "vsqrt", &floats, Values::positive, Close::Ulp(1), &float(f64::sqrt));
    unary(
        cases,
        "vexp",
        &floats,
        |v, t, n| v.many(t, n).iter().map(|a| from_f64(t, to_f64(t, *a) / 8.0)).collect(),
        Close::Ulp(1),
        &float(f64::exp),
    );
    unary(cases, "vln", &floats, Values::positive, Close::Ulp(1), &float(f64::ln));
    unary(cases, "vrsqrt", &floats, Values::positive, Close::Relative(0.002), &float(|x| 1.0 / x.sqrt()));
    unary(cases, "vrec", &floats, Values::positive, Close::Relative(0.002), &float(|x| 1.0 / x));
}

/// Rounding modes in the library's numbering: to even, away from zero on ties, down, up, toward zero.
const ROUNDINGS: [fn(f64) -> f64; 5] = [f64::round_ties_even, f64::round, f64::floor, f64::ceil, f64::trunc];

/// `x` in the grid of `t` (a float type), rounded as `mode` says; `x` is in the normal range.
fn round_to(t: DType, x: f64, mode: usize) -> u64 {
    let fraction_bits = match t {
        F16 => 10,
        Bf16 => 7,
        _ => 23,
    };
    if x == 0.0 {
        return from_f64(t, x);
    }
    let unit = 2f64.powi(x.abs().log2().floor() as i32 - fraction_bits);
    from_f64(t, ROUNDINGS[mode](x / unit) * unit)
}

fn converted(from: DType, to: DType, bits: u64, mode: usize) -> u64 {
    let x = to_f64(from, bits);
    if is_float(to) {
        return round_to(to, x, mode);
    }
    from_i64(to, ROUNDINGS[mode](x) as i64)
}

fn conversions(cases: &mut Vec<Case>) {
    let pairs: &[(DType, DType, &[usize])] = &[
        (F32, F32, &[0, 1, 2, 3, 4]),
        (F32, F16, &[0, 1, 2, 3, 4]),
        (F32, Bf16, &[0, 1, 2, 3, 4]),
        (F32, S64, &[0, 1, 2, 3, 4]),
        (F32, S32, &[0, 1, 2, 3, 4]),
        (F32, S16, &[0, 1, 2, 3, 4]),
        (F16, F32, &[0]),
        (F16, S32, &[0, 1, 2, 3, 4]),
        (F16, S16, &[0, 1, 2, 3, 4]),
        (F16, S8, &[0, 1, 2, 3, 4]),
        (F16, U8, &[0, 1, 2, 3, 4]),
        (Bf16, F32, &[0]),
        (Bf16, S32, &[0, 1, 2, 3, 4]),
        (U8, F16, &[0]),
        (S8, F16, &[0]),
        (S16, F16, &[0, 1, 2, 3, 4]),
        (S16, F32, &[0]),
        (S32, F32, &[0, 1, 2, 3, 4]),
        (S32, S64, &[0]),
        (S32, S16, &[0]),
        (S64, S32, &[0]),
        (S64, F32, &[0, 1, 2, 3, 4]),
    ];
    for (from, to, modes) in pairs {
        for mode in *modes {
            for n in [7, 100, 1000] {
                let mut v = Values(n as u64);
                let wide = !is_float(*from) && from.bits() >= 32 && is_float(*to);
                let a: Vec<u64> = match (*from, *to) {
                    (F16, U8) => v.positive(*from, n),
                    (F32, F16 | Bf16) => {
                        (0..n).map(|_| from_f64(F32, (v.next() % 100_003) as f64 / 777.0 - 60.0)).collect()
                    }
                    // More digits than the float has.
                    _ if wide => {
                        (0..n).map(|_| from_i64(*from, (v.next() as i64) >> (64 - from.bits() + 2))).collect()
                    }
                    _ => v.many(*from, n),
                };
                let want = a
                    .iter()
                    .map(|a| {
                        if (*from, *to) == (F32, F32) {
                            from_f64(F32, ROUNDINGS[*mode](to_f64(F32, *a)) + 0.0)
                        } else {
                            converted(*from, *to, *a, *mode)
                        }
                    })
                    .collect();
                cases.push(Case::new(
                    format!("vcast_{}_to_{}_1d_with_mode", vendor_name(*from), vendor_name(*to)),
                    vec![
                        Arg::In(Tensor::ub(*from, &[n], a)),
                        out(*to, &[n], want, Close::Exact),
                        Arg::Word(*mode as u64),
                    ],
                ));
            }
        }
    }
}

/// Truths as packed bits, first element lowest.
pub fn packed(truths: &[bool]) -> Vec<u64> {
    truths.chunks(8).map(|c| c.iter().enumerate().fold(0, |b, (i, t)| b | u64::from(*t) << i)).collect()
}

/// A tensor of `n` packed truths.
pub fn mask(truths: &[bool]) -> Tensor {
    let bytes = packed(truths);
    Tensor::ub(U8, &[bytes.len() as i64], bytes).told(&[truths.len() as i64])
}

fn comparisons(cases: &mut Vec<Case>) {
    type Test = fn(f64, f64) -> bool;
    let tests: [(&str, Test); 6] = [
        ("eq", |a, b| a == b),
        ("ne", |a, b| a != b),
        ("lt", |a, b| a < b),
        ("gt", |a, b| a > b),
        ("ge", |a, b| a >= b),
        ("le", |a, b| a <= b),
    ];
    for (name, test) in tests {
        for t in [F16, F32, S32] {
            if t == S32 && !matches!(name, "eq" | "ne") {
                continue;
            }
            for n in [64, 128, 1024] {
                // Few values, so that some are equal.
                let few = |seed| {
                    Values(seed)
                        .many(t, n)
                        .iter()
                        .map(|a| if is_float(t) { from_f64(t, (to_f64(t, *a) / 8.0).floor()) } else { a & 3 })
                        .collect::<Vec<u64>>()
                };
                let (a, b) = (few(1), few(2));
                let truth = |b: &dyn Fn(usize) -> u64| {
                    a.iter()
                        .enumerate()
                        .map(|(i, a)| test(to_f64(t, *a), to_f64(t, b(i))))
                        .collect::<Vec<bool>>()
                };
                let result = |truths: &[bool]| {
                    let want = packed(truths);
                    let mut t = mask(truths);
                    t.values.fill(0);
                    Arg::Out(t, want, Close::Exact)
                };
                cases.push(Case::new(
                    format!("vcmp_{name}_1d_{}", vendor_name(t)),
                    vec![
                        Arg::In(Tensor::ub(t, &[n], a.clone())),
                        Arg::In(Tensor::ub(t, &[n], b.clone())),
                        result(&truth(&|i| b[i])),
                    ],
                ));
                cases.push(Case::new(
                    format!("vcmps_{name}_1d_{}", vendor_name(t)),
                    vec![Arg::In(Tensor::ub(t, &[n], a.clone())), Arg::Word(b[0]), result(&truth(&|_| b[0]))],
                ));
            }
        }
    }
}

fn selections(cases: &mut Vec<Case>) {
    for t in [F16, F32, S16, U16, S32, U32, Bf16] {
        for n in [64, 100, 1000] {
            let mut v = Values(n as u64 + 7);
            let truths: Vec<bool> = (0..n).map(|_| v.next().is_multiple_of(3)).collect();
            let (a, b) = (v.bits(t, n), v.bits(t, n));
            let pick = |a: &dyn Fn(usize) -> u64, b: &dyn Fn(usize) -> u64| {
                out(
                    t,
                    &[n],
                    truths.iter().enumerate().map(|(i, c)| if *c { a(i) } else { b(i) }).collect(),
                    Close::Exact,
                )
            };
            let tensor = |v: &[u64]| Arg::In(Tensor::ub(t, &[n], v.to_vec()));
            let tmp = || Arg::In(Tensor::scratch(t, 128));
            let name = vendor_name(t);
            let condition = || Arg::In(mask(&truths));
            cases.push(Case::new(
                format!("vsel_vv_1d_bool_{name}"),
                vec![condition(), tensor(&a), tensor(&b), pick(&|i| a[i], &|i| b[i]), tmp()],
            ));
            cases.push(Case::new(
                format!("vsel_vs_1d_{name}"),
                vec![condition(), tensor(&a), Arg::Word(b[0]), pick(&|i| a[i], &|_| b[0]), tmp()],
            ));
            cases.push(Case::new(
                format!("vsel_sv_1d_{name}"),
                vec![condition(), Arg::Word(a[0]), tensor(&b), pick(&|_| a[0], &|i| b[i]), tmp()],
            ));
            cases.push(Case::new(
                format!("vsel_ss_1d_{name}"),
                vec![condition(), Arg::Word(a[0]), Arg::Word(b[0]), pick(&|_| a[0], &|_| b[0]), tmp()],
            ));
        }
    }
}

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    arithmetic(&mut cases);
    logic(&mut cases);
    functions(&mut cases);
    conversions(&mut cases);
    comparisons(&mut cases);
    selections(&mut cases);
    cases
}
