//! Cases of the cube core: copies between formats, constant fills, matrix products, Fixpipe, and whole products in GM.
//!
//! All values are small integers: every product and sum is exact in each format, whatever the order.

use crate::case::{ANY, Arg, Case, Close, Tensor, from_f64, from_i64, is_float, to_f64, vendor_name};
use crate::vector::{NextMultiple, Values};
use toprope_abi::isa::DType::{self, *};
use toprope_abi::isa::Space;

/// Elements of a fractal's row.
fn c0(t: DType) -> i64 {
    256 / i64::from(t.bits())
}

fn small(v: &mut Values, t: DType) -> u64 {
    let x = (v.next() % 9) as i64 - 4;
    if is_float(t) { from_f64(t, x as f64) } else { from_i64(t, x) }
}

/// A matrix of `rows` × `columns` small integers.
#[derive(Clone)]
struct Matrix {
    t: DType,
    rows: i64,
    columns: i64,
    values: Vec<u64>,
}

impl Matrix {
    fn new(t: DType, rows: i64, columns: i64, seed: u64) -> Matrix {
        let mut v = Values(seed);
        let values = (0..rows * columns).map(|_| small(&mut v, t)).collect();
        Matrix { t, rows, columns, values }
    }

    fn at(&self, r: i64, c: i64) -> Option<u64> {
        (r < self.rows && c < self.columns).then(|| self.values[(r * self.columns + c) as usize])
    }

    fn transposed(&self) -> Matrix {
        let values = (0..self.rows * self.columns)
            .map(|i| self.values[((i % self.rows) * self.columns + i / self.rows) as usize])
            .collect();
        Matrix { t: self.t, rows: self.columns, columns: self.rows, values }
    }

    /// Product in `t`.
    fn times(&self, other: &Matrix, t: DType) -> Matrix {
        let mut values = Vec::new();
        for r in 0..self.rows {
            for c in 0..other.columns {
                let term = |k: i64| Some(to_f64(self.t, self.at(r, k)?) * to_f64(other.t, other.at(k, c)?));
                values.push(from_f64(t, (0..self.columns).filter_map(term).sum()));
            }
        }
        Matrix { t, rows: self.rows, columns: other.columns, values }
    }

    /// In GM, row after row.
    fn nd(&self) -> Tensor {
        Tensor::new(Space::Gm, self.t, &[self.rows, self.columns], self.values.clone())
    }

    /// Columns in groups of `width`, rows in groups of 16: the Nz format. What is beyond the matrix is `filler`.
    fn nz(&self, space: Space, width: i64, filler: u64) -> Tensor {
        let (outer, groups) =
            (self.columns.next_multiple_of_(width) / width, self.rows.next_multiple_of_(16) / 16);
        let shape = [outer, groups, 16, width];
        let mut values = Vec::new();
        for o in 0..outer {
            for r in 0..groups * 16 {
                values.extend((0..width).map(|c| self.at(r, o * width + c).unwrap_or(filler)));
            }
        }
        Tensor::new(space, self.t, &shape, values)
    }
}

/// An output like `want`, empty before.
fn empty(want: &Tensor) -> Arg {
    let mut t = want.clone();
    t.values.fill(0);
    Arg::Out(t, want.values.clone(), Close::Exact)
}

fn formats(cases: &mut Vec<Case>) {
    for t in [S8, U8, S16, U16, F16, Bf16, S32, U32, F32] {
        for (rows, columns) in [(16, 2 * c0(t)), (32, 5 * c0(t)), (20, 3 * c0(t)), (7, 4 * c0(t) - 3)] {
            let m = Matrix::new(t, rows, columns, 1);
            cases.push(Case::new(
                format!("nd2nz_{}", vendor_name(t)),
                vec![Arg::In(m.nd()), empty(&m.nz(Space::L1, c0(t), 0))],
            ));
        }
        let m = Matrix::new(t, 4, 8 * c0(t), 2);
        let l1 = Tensor::new(Space::L1, t, &[m.rows * m.columns], m.values.clone());
        let gm = Tensor::new(Space::Gm, t, &[m.rows * m.columns], m.values.clone());
        cases.push(Case::new(
            format!("load_gm_to_cbuf_1d_{}", vendor_name(t)),
            vec![Arg::In(gm), empty(&l1), Arg::Word(0)],
        ));
    }
    for t in [F16, F32, S16, S32] {
        // A multiple of the width makes the template write one group of columns too many.
        let m = Matrix::new(t, 32, 3 * c0(t) - 2, 3);
        cases.push(Case::new(
            format!("nz2nd_4d_to_2d_{}", vendor_name(t)),
            vec![Arg::In(m.nz(Space::L1, c0(t), 0)), empty(&m.nd())],
        ));
    }
    for t in [F16, F32, Bf16, S8] {
        let s = small(&mut Values(6), t);
        let want = Tensor::new(Space::L1, t, &[512], vec![s; 512]);
        cases.push(Case::new(format!("set_l1_2d_{}", vendor_name(t)), vec![Arg::Word(s), empty(&want)]));
    }
}

/// The events and switches at the end of a tile's arguments: none.
fn no_events() -> Vec<Arg> {
    let mut args = vec![Arg::Word(u64::MAX); 7];
    args.push(Arg::Word(0));
    args
}

fn tiles(cases: &mut Vec<Case>) {
    let shapes = [(16, 32, 16), (32, 64, 32), (64, 128, 96), (128, 256, 64), (48, 96, 160)];
    for (a_type, c_type) in [(F16, F32), (Bf16, F32), (F32, F32), (S8, S32)] {
        for (m, k, n) in shapes {
            // 8-bit transposed loads take tiles of 32 columns.
            let n = if a_type == S8 { n.next_multiple_of_(32) } else { n };
            let (a, b) = (Matrix::new(a_type, m, k, 4), Matrix::new(a_type, k, n, 5));
            let c = a.times(&b, c_type);
            let width = c0(a_type);
            for (suffix, ta, tb) in
                [("", false, false), ("_ta", true, false), ("_tb", false, true), ("_ta_tb", true, true)]
            {
                let l1a = if ta { a.transposed().nz(Space::L1, width, 0) } else { a.nz(Space::L1, width, 0) };
                let l1b = if tb { b.transposed().nz(Space::L1, width, 0) } else { b.nz(Space::L1, width, 0) };
                let result = c.nz(Space::L0c, 16, ANY);
                let mut args = vec![
                    Arg::In(l1a),
                    Arg::In(l1b),
                    Arg::Word(1),
                    Arg::Word(m as u64),
                    Arg::Word(k as u64),
                    Arg::Word(n as u64),
                ];
                args.push(empty(&result));
                args.extend(no_events());
                cases.push(Case::new(
                    format!("mma_tile_{}_to_{}{suffix}", vendor_name(a_type), vendor_name(c_type)),
                    args,
                ));
            }
            let mut sum = c.clone();
            for (i, v) in sum.values.iter_mut().enumerate() {
                *v = from_f64(c_type, to_f64(c_type, *v) + (i as i64 % n % 7) as f64);
            }
            let bias = Matrix {
                t: c_type,
                rows: 1,
                columns: n,
                values: (0..n).map(|i| from_f64(c_type, (i % 7) as f64)).collect(),
            };
            let mut bias = Tensor::new(Space::L1, c_type, &[1, 1, 1, n], bias.values);
            bias.values.resize((n as usize).next_multiple_of(16), 0);
            let mut args =
                vec![Arg::In(a.nz(Space::L1, width, 0)), Arg::In(b.nz(Space::L1, width, 0)), Arg::Word(1)];
            args.extend([m, k, n].map(|x| Arg::Word(x as u64)));
            args.push(Arg::In(bias));
            args.push(empty(&sum.nz(Space::L0c, 16, ANY)));
            args.extend(no_events());
            cases.push(Case::new(
                format!(
                    "mma_tile_with_{}_bias_{}_to_{}",
                    vendor_name(c_type),
                    vendor_name(a_type),
                    vendor_name(c_type)
                ),
                args,
            ));
        }
    }
}

/// Pre-quantisation modes in the library's numbering (those of the instruction).
const QUANT: [(DType, DType, u64); 4] = [(F32, F32, 0), (F32, F16, 1), (F32, Bf16, 16), (S32, S32, 0)];

fn fixpipes(cases: &mut Vec<Case>) {
    for (from, to, quant) in QUANT {
        for (m, n) in [(16, 16), (32, 48), (20, 16), (64, 100)] {
            for relu in [0, 1] {
                let c = Matrix::new(from, m, n, 9);
                let convert = |v: &u64| {
                    let x = to_f64(from, *v);
                    from_f64(to, if relu == 1 { x.max(0.0) } else { x })
                };
                let want = Matrix { t: to, values: c.values.iter().map(convert).collect(), ..c.clone() };
                cases.push(Case::new(
                    format!("fixpipe_nz2nd_{}_to_{}_4d_to_2d", vendor_name(from), vendor_name(to)),
                    vec![
                        Arg::In(c.nz(Space::L0c, 16, 0)),
                        empty(&want.nd()),
                        Arg::Word(quant),
                        Arg::Word(relu),
                        Arg::Word(0),
                        Arg::Word(0),
                    ],
                ));
            }
        }
    }
}

/// Whole products: tiling, double buffers, flags and all.
fn products(cases: &mut Vec<Case>) {
    for (m, k, n) in [(16, 16, 16), (64, 64, 64), (256, 256, 128), (300, 520, 200)] {
        let (a, b) = (Matrix::new(F16, m, k, 7), Matrix::new(F16, k, n, 8));
        let c = a.times(&b, F16);
        for (ta, tb) in [(false, false), (true, false), (false, true), (true, true)] {
            let name = |is: bool| if is { "" } else { "X" };
            cases.push(Case::new(
                format!(
                    "matmul_Xbias_Xdescale_{}transposeA_{}transposeB_TAhalf_TBhalf_TChalf",
                    name(ta),
                    name(tb)
                ),
                vec![
                    Arg::In(if ta { a.transposed().nd() } else { a.nd() }),
                    Arg::In(if tb { b.transposed().nd() } else { b.nd() }),
                    empty(&c.nd()),
                ],
            ));
        }
    }
}

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    formats(&mut cases);
    tiles(&mut cases);
    fixpipes(&mut cases);
    products(&mut cases);
    cases
}
