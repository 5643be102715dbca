//! Cases of the vector core that move elements: copies, broadcasts, sequences, gathers, transposes, sorts.

use crate::case::{Arg, Case, Close, Tensor, from_f64, from_i64, is_float, to_f64, to_i64, vendor_name};
use crate::vector::{COUNTS, NextMultiple, Values, mask, out, out_strided, padded};
use toprope_abi::isa::DType::{self, *};
use toprope_abi::isa::Space;

const ALL: [DType; 10] = [S8, U8, S16, U16, F16, Bf16, S32, U32, F32, S64];
const WIDE: [DType; 7] = [S16, U16, F16, Bf16, S32, U32, F32];

fn gm(t: DType, shape: &[i64], values: Vec<u64>) -> Tensor {
    Tensor::new(Space::Gm, t, shape, values)
}

fn copies(cases: &mut Vec<Case>) {
    let shapes = [(1, 33), (5, 40), (13, 7)];
    for t in ALL {
        let name = vendor_name(t);
        for n in COUNTS {
            let a = Values(n as u64).bits(t, n);
            cases.push(Case::new(
                format!("load_gm_to_ubuf_1d_{name}"),
                vec![
                    Arg::In(gm(t, &[n], a.clone())),
                    out(t, &[n], a.clone(), Close::Exact),
                    Arg::Word(0),
                    Arg::Word(0),
                    Arg::Word(0),
                ],
            ));
            cases.push(Case::new(
                format!("store_ubuf_to_gm_1d_{name}"),
                vec![
                    Arg::In(Tensor::ub(t, &[n], a.clone())),
                    Arg::Out(gm(t, &[n], vec![0; n as usize]), a.clone(), Close::Exact),
                    Arg::Word(0),
                ],
            ));
            cases.push(Case::new(
                format!("copy_ubuf_to_ubuf_1d_{name}"),
                vec![Arg::In(Tensor::ub(t, &[n], a.clone())), out(t, &[n], a, Close::Exact)],
            ));
        }
        for (rows, columns) in shapes {
            let a = Values(columns as u64).bits(t, rows * columns);
            let (shape, local, far) = ([rows, columns], [padded(t, columns), 1], [columns + 3, 1]);
            let zeros = vec![0; a.len()];
            cases.push(Case::new(
                format!("load_gm_to_ubuf_2d_{name}"),
                vec![
                    Arg::In(gm(t, &shape, a.clone()).strided(&far, 1)),
                    out_strided(t, &shape, &local, a.clone(), Close::Exact),
                    Arg::Word(0),
                    Arg::Word(0),
                    Arg::Word(0),
                ],
            ));
            cases.push(Case::new(
                format!("store_ubuf_to_gm_2d_{name}"),
                vec![
                    Arg::In(Tensor::ub(t, &shape, a.clone()).strided(&local, 1)),
                    Arg::Out(gm(t, &shape, zeros).strided(&far, 1), a.clone(), Close::Exact),
                    Arg::Word(0),
                ],
            ));
            cases.push(Case::new(
                format!("copy_ubuf_to_ubuf_2d_{name}"),
                vec![
                    Arg::In(Tensor::ub(t, &shape, a.clone()).strided(&local, 1)),
                    out_strided(t, &shape, &[local[0] + padded(t, 1), 1], a, Close::Exact),
                ],
            ));
        }
    }
}

/// Stores that add, or keep the larger or the smaller.
fn atomics(cases: &mut Vec<Case>) {
    for t in [F16, F32, S16, S32] {
        for kind in 1..=3u64 {
            let n = 100;
            let (a, b) = (Values(kind).many(t, n), Values(kind + 9).many(t, n));
            let want = a
                .iter()
                .zip(&b)
                .map(|(a, b)| {
                    let (x, y) = (to_f64(t, *a), to_f64(t, *b));
                    from_f64(
                        t,
                        if kind == 1 {
                            x + y
                        } else if kind == 2 {
                            x.max(y)
                        } else {
                            x.min(y)
                        },
                    )
                })
                .collect();
            cases.push(Case::new(
                format!("store_ubuf_to_gm_1d_{}", vendor_name(t)),
                vec![
                    Arg::In(Tensor::ub(t, &[n], a)),
                    Arg::Out(gm(t, &[n], b), want, Close::Exact),
                    Arg::Word(kind),
                ],
            ));
        }
    }
}

fn broadcasts(cases: &mut Vec<Case>) {
    for t in ALL {
        let name = vendor_name(t);
        for n in COUNTS {
            let s = Values(n as u64).element(t);
            let want = vec![s; n as usize];
            cases.push(Case::new(
                format!("broadcast_scalar_{name}_to_1d"),
                vec![Arg::Word(s), out(t, &[n], want.clone(), Close::Exact)],
            ));
            cases.push(Case::new(
                format!("broadcast_1d_{name}"),
                vec![Arg::In(Tensor::ub(t, &[1], vec![s])), out(t, &[n], want, Close::Exact)],
            ));
        }
        let (rows, aligned) = (5, 3 * padded(t, 1));
        let row = Values(4).bits(t, aligned);
        let want = row.repeat(rows as usize);
        cases.push(Case::new(
            format!("broadcast_first_axis_align_2d_{name}"),
            vec![Arg::In(Tensor::ub(t, &[1, aligned], row)), out(t, &[rows, aligned], want, Close::Exact)],
        ));
    }
    for t in WIDE {
        let (name, block) = (vendor_name(t), padded(t, 1));
        for (rows, columns) in [(9, 2 * block), (20, block)] {
            let column = Values(rows as u64).bits(t, rows);
            let want: Vec<u64> = column.iter().flat_map(|v| vec![*v; columns as usize]).collect();
            let tmp = Tensor::scratch(t, (rows + 8) * block * 2);
            cases.push(Case::new(
                format!("broadcast_last_axis_align_2d_{name}"),
                vec![
                    Arg::In(Tensor::ub(t, &[rows, 1], column)),
                    out(t, &[rows, columns], want, Close::Exact),
                    Arg::In(tmp),
                ],
            ));
        }
        let (rows, columns) = (12, 5);
        let column = Values(rows as u64).bits(t, rows);
        let want: Vec<u64> = column.iter().flat_map(|v| vec![*v; columns as usize]).collect();
        cases.push(Case::new(
            format!("broadcast_last_axis_unalign_2d_{name}"),
            vec![
                Arg::In(Tensor::ub(t, &[rows, 1], column)),
                out(t, &[rows, columns], want, Close::Exact),
                Arg::In(Tensor::scratch(t, (rows + 8) * block * 2)),
            ],
        ));
        let (a, b, c) = (3, 4, 2 * block);
        let src = Values(8).bits(t, a * c);
        let want: Vec<u64> = src.chunks(c as usize).flat_map(|r| r.repeat(b as usize)).collect();
        cases.push(Case::new(
            format!("broadcast_middle_axis_align_3d_{name}"),
            vec![Arg::In(Tensor::ub(t, &[a, 1, c], src)), out(t, &[a, b, c], want, Close::Exact)],
        ));
    }
}

fn sequences(cases: &mut Vec<Case>) {
    for t in [S16, S32, F16, F32, S64] {
        for n in [1, 7, 64, 100, 1000] {
            let want = (0..n)
                .map(|i| if is_float(t) { from_f64(t, (3 + i) as f64) } else { from_i64(t, 3 + i) })
                .collect();
            cases.push(Case::new(
                format!("arange_1d_{}", vendor_name(t)),
                vec![out(t, &[n], want, Close::Exact), Arg::Word(3), Arg::Word(1)],
            ));
        }
    }
    for t in [S16, S32] {
        let (rows, columns) = (6, 2 * padded(t, 1));
        let a = Values(2).many(t, rows * columns);
        let mut want = a.clone();
        for i in columns as usize..want.len() {
            want[i] = from_i64(t, to_i64(t, want[i]).wrapping_add(to_i64(t, want[i - columns as usize])));
        }
        cases.push(Case::new(
            format!("cumsum_ra_{}", vendor_name(t)),
            vec![Arg::In(Tensor::ub(t, &[rows, columns], a)), out(t, &[rows, columns], want, Close::Exact)],
        ));
    }
}

fn gathers(cases: &mut Vec<Case>) {
    for t in WIDE {
        let name = vendor_name(t);
        for n in [16, 64, 200, 1024] {
            let mut v = Values(n as u64);
            let a = v.bits(t, n);
            let index: Vec<u64> = (0..n).map(|_| v.next() % n as u64).collect();
            let want = index.iter().map(|i| a[*i as usize]).collect();
            let tensor = |v: &[u64]| Arg::In(Tensor::ub(t, &[v.len() as i64], v.to_vec()));
            cases.push(Case::new(
                format!("gather_1d_{name}"),
                vec![
                    tensor(&a),
                    Arg::In(Tensor::ub(S32, &[n], index)),
                    out(t, &[n], want, Close::Exact),
                    Arg::In(Tensor::scratch(S32, n)),
                ],
            ));
            cases.push(Case::new(
                format!("flip_1d_{name}"),
                vec![tensor(&a), out(t, &[n], a.iter().rev().copied().collect(), Close::Exact)],
            ));
            let b = v.bits(t, n);
            let both = a.iter().zip(&b).flat_map(|(a, b)| [*a, *b]).collect::<Vec<u64>>();
            let tmp = (n.next_multiple_of_(8) * padded(t, 1) + 2 * n).max(256);
            cases.push(Case::new(
                format!("interleave_1d_{name}"),
                vec![
                    tensor(&a),
                    tensor(&b),
                    out(t, &[2 * n], both.clone(), Close::Exact),
                    Arg::In(Tensor::scratch(t, tmp)),
                ],
            ));
            for (channel, want) in [a.clone(), b.clone()].into_iter().enumerate() {
                cases.push(Case::new(
                    format!("deinterleave_channel_{channel}_from_2_channels_1d_{name}"),
                    vec![tensor(&both), out(t, &[n], want, Close::Exact)],
                ));
            }
            let truths: Vec<bool> = (0..n).map(|_| !v.next().is_multiple_of(3)).collect();
            let mut want: Vec<u64> = a.iter().zip(&truths).filter(|p| *p.1).map(|p| *p.0).collect();
            let kept = want.len() as u64;
            want.truncate(kept as usize);
            let mut result = Tensor::ub(t, &[n], vec![0; n as usize]);
            result.shape = vec![kept as i64];
            let told = result.told(&[n]);
            cases.push(Case::new(
                format!("vgathermask_1d_{name}"),
                vec![
                    tensor(&a),
                    Arg::In(mask(&truths)),
                    Arg::Out(told, want, Close::Exact),
                    out(S64, &[1], vec![kept], Close::Exact),
                ],
            ));
        }
        let (n, stride) = (40, padded(t, 1));
        let a = Values(11).bits(t, n);
        cases.push(Case::new(
            format!("deinterleave_channel_0_from_n_channels_1d_{name}"),
            vec![
                Arg::In(Tensor::ub(t, &[n], a.clone()).strided(&[stride], 7)),
                out(t, &[n], a, Close::Exact),
            ],
        ));
    }
}

fn transposes(cases: &mut Vec<Case>) {
    for t in [S8, U8, S16, U16, F16, Bf16, S32, U32, F32] {
        let block = if t.bits() == 32 { 16 } else { padded(t, 1) };
        for (rows, columns) in [(block, block), (2 * block, 3 * block), (20, 10)] {
            let a = Values(3).bits(t, rows * columns);
            let (r, c) = (rows as usize, columns as usize);
            let want = (0..c * r).map(|i| a[i % r * c + i / r]).collect();
            let (src_stride, dst_stride) = (columns.next_multiple_of_(block), rows.next_multiple_of_(block));
            // The instruction writes whole tiles: there is room behind the last row.
            let mut dst = Tensor::ub(t, &[columns, rows], vec![0; r * c]).strided(&[dst_stride, 1], 0);
            dst.values.resize((columns.next_multiple_of_(block) * dst_stride) as usize, 0);
            let mut src = Tensor::ub(t, &[rows, columns], a).strided(&[src_stride, 1], 0);
            src.values.resize((rows.next_multiple_of_(block) * src_stride) as usize, 0);
            cases.push(Case::new(
                format!("transpose_2d_with_last_axis_{}", vendor_name(t)),
                vec![Arg::In(src), Arg::Out(dst, want, Close::Exact)],
            ));
        }
    }
}

fn sorts(cases: &mut Vec<Case>) {
    for t in [F16, F32] {
        for n in [32, 100, 128, 500, 1000] {
            for descending in [true, false] {
                // Different values: the order of equal ones is not said.
                let mut v = Values(n as u64);
                let mut order: Vec<i64> = (0..n).collect();
                for i in (1..n as usize).rev() {
                    order.swap(i, v.next() as usize % (i + 1));
                }
                let a: Vec<u64> = order.iter().map(|i| from_f64(t, (*i - n / 2) as f64)).collect();
                let mut sorted: Vec<(i64, u64)> = order.iter().copied().zip(0..).collect();
                sorted.sort();
                if descending {
                    sorted.reverse();
                }
                let want: Vec<u64> = sorted.iter().map(|s| a[s.1 as usize]).collect();
                let index: Vec<u64> = sorted.iter().map(|s| s.1).collect();
                let args = |with_index: bool| {
                    let mut args = vec![
                        Arg::In(Tensor::ub(t, &[n], a.clone())),
                        out(t, &[n], want.clone(), Close::Exact),
                    ];
                    if with_index {
                        args.push(out(S32, &[n], index.clone(), Close::Exact));
                    }
                    args.push(Arg::In(Tensor::scratch(t, n.next_multiple_of_(32) * 12)));
                    args.push(Arg::Word(u64::from(descending)));
                    args
                };
                cases.push(Case::new(format!("sort_1d_{}", vendor_name(t)), args(false)));
                cases.push(Case::new(format!("sort_with_index_1d_{}", vendor_name(t)), args(true)));
            }
        }
    }
}

/// The high and the low half of a product; whole powers.
fn products(cases: &mut Vec<Case>) {
    for n in [16, 64, 1000] {
        let (a, b) = (Values(1).bits(S16, n), Values(2).bits(S16, n));
        let product: Vec<i64> = a.iter().zip(&b).map(|(a, b)| to_i64(S16, *a) * to_i64(S16, *b)).collect();
        cases.push(Case::new(
            "mul_extended_1d_int16_t",
            vec![
                Arg::In(Tensor::ub(S16, &[n], a)),
                Arg::In(Tensor::ub(S16, &[n], b)),
                out(S16, &[n], product.iter().map(|p| from_i64(S16, p >> 16)).collect(), Close::Exact),
                out(S16, &[n], product.iter().map(|p| from_i64(S16, *p)).collect(), Close::Exact),
                Arg::In(Tensor::scratch(S32, 3 * n + 64)),
            ],
        ));
    }
}

pub fn cases(cases: &mut Vec<Case>) {
    copies(cases);
    atomics(cases);
    broadcasts(cases);
    sequences(cases);
    gathers(cases);
    transposes(cases);
    sorts(cases);
    products(cases);
}
