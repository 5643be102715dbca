//! Reductions against the trees and scans of their descriptions.

use crate::compare::{each_case, element, place};
use crate::machine::{Machine, Rng, config, touched};
use crate::reference::value;
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use std::collections::BTreeSet;
use toprope_abi::isa::{DType, FieldId, Layout, Op, OpRow, ReduceFn, ReduceKind, Spr, ctrl};
use toprope_sim::exec::{ExecFault, Operand};

const DST: usize = 0;
const SRC: usize = 64 << 10;

#[derive(Clone, Debug)]
struct Case {
    dst_repeat: u64,
    block: u64,
    repeat: u64,
    repeats: u64,
    mask: u128,
    count: Option<u64>,
    order: u64,
    saturate: bool,
    in_place: bool,
    seed: u64,
}

fn case() -> impl Strategy<Value = Case> {
    let strides = prop_oneof![2 => Just((1u64, 1u64, 8u64)), 1 => (0..12u64, 0..4u64, 0..20u64)];
    let mask = prop_oneof![
        3 => Just(u128::MAX),
        2 => any::<u128>(),
        1 => (1..=127u32).prop_map(|n| (1 << n) - 1),
        1 => (0..128u32).prop_map(|b| 1 << b),
        1 => Just(0u128),
    ];
    let count = proptest::option::weighted(0.35, 0..700u64);
    let modes = (0..4u64, any::<bool>(), any::<bool>(), any::<u64>());
    (strides, 0..6u64, mask, count, modes).prop_map(
        |((dst_repeat, block, repeat), repeats, mask, count, (order, saturate, in_place, seed))| Case {
            dst_repeat,
            block,
            repeat,
            repeats,
            mask,
            count,
            order,
            saturate,
            in_place,
            seed,
        },
    )
}

/// Every form of a row of this family; returns how many elements were seen.
pub fn check_row(row: &'static OpRow, kind: ReduceKind) -> usize {
    each_case(row, case(), |m, c| check(m, row, kind, &c))
}

/// A sum of two, rounded in the type, in saturation mode clamped.
fn add(t: DType, saturate: bool, a: u64, b: u64) -> u64 {
    if t == DType::F32 {
        return settle(
            t,
            saturate,
            u64::from((f32::from_bits(a as u32) + f32::from_bits(b as u32)).to_bits()),
        );
    }
    // Halves have sums that f64 holds exactly.
    settle(t, saturate, u64::from(half::f16::from_f64(value(t, a) + value(t, b)).to_bits()))
}

/// The form in which results are stored.
fn settle(t: DType, saturate: bool, bits: u64) -> u64 {
    let x = value(t, bits);
    match t {
        DType::F32 if x.is_nan() => 0x7fc0_0000,
        DType::F32 => bits,
        _ if x.is_nan() && saturate => 0,
        _ if x.is_nan() => 0x7e00,
        _ if x.is_infinite() && saturate => bits - 1,
        _ => bits,
    }
}

/// The balanced tree over neighbours.
fn tree(t: DType, saturate: bool, xs: &[u64]) -> u64 {
    match xs {
        [x] => *x,
        _ => {
            let (a, b) = xs.split_at(xs.len() / 2);
            add(t, saturate, tree(t, saturate, a), tree(t, saturate, b))
        }
    }
}

/// Whether `a` beats `b`: a NaN beats every number, +0 is greater than −0.
fn beats(t: DType, max: bool, a: u64, b: u64) -> bool {
    let (x, y) = (value(t, a), value(t, b));
    if x.is_nan() || y.is_nan() {
        return x.is_nan() && !y.is_nan();
    }
    if x == 0.0 && y == 0.0 {
        return x.is_sign_negative() != y.is_sign_negative() && x.is_sign_positive() == max;
    }
    if max { x > y } else { x < y }
}

/// First best of the selected elements.
fn best(t: DType, max: bool, xs: &[(u64, u64)]) -> Option<(u64, u64)> {
    let mut found: Option<(u64, u64)> = None;
    for (index, x) in xs {
        if found.is_none_or(|(_, so_far)| beats(t, max, *x, so_far)) {
            found = Some((*index, *x));
        }
    }
    found
}

struct Expected {
    image: Vec<u8>,
    written: BTreeSet<usize>,
    seen: usize,
    acc: Option<u64>,
    max_min: Option<(u64, u64)>,
}

fn expect(row: &OpRow, kind: ReduceKind, c: &Case, dst: usize, before: &[u8]) -> Expected {
    let t = row.src;
    let width = t.bits() as usize / 8;
    let per_repeat = 2048 / u64::from(t.bits());
    let sat = c.saturate && t == DType::F16;
    let mut x =
        Expected { image: before.to_vec(), written: BTreeSet::new(), seen: 0, acc: None, max_min: None };
    let repeats = c.count.map_or(c.repeats, |n| n.div_ceil(per_repeat));
    for r in 0..repeats {
        let selected = |e: u64| c.count.map_or(c.mask >> e & 1 == 1, |n| r * per_repeat + e < n);
        let load = |e: u64| element(before, place(SRC, c.block, c.repeat, t, r, e), t);
        let all: Vec<u64> = (0..per_repeat).map(|e| if selected(e) { load(e) } else { 0 }).collect();
        let chosen: Vec<(u64, u64)> =
            (0..per_repeat).filter(|e| selected(*e)).map(|e| (e, all[e as usize])).collect();
        x.seen += chosen.len();
        if chosen.is_empty() {
            continue;
        }
        let mut put = |at: u64, bits: u64, bytes: usize| {
            let at = dst + at as usize;
            x.image[at..at + bytes].copy_from_slice(&bits.to_le_bytes()[..bytes]);
            x.written.extend(at..at + bytes);
        };
        match kind {
            ReduceKind::Repeat(ReduceFn::Sum) => {
                let sum = tree(t, sat, &all);
                if c.order == 1 {
                    x.acc = Some(x.acc.map_or(sum, |acc| add(t, sat, acc, sum)));
                } else {
                    put(r * c.dst_repeat * width as u64, settle(t, sat, sum), width);
                }
            }
            ReduceKind::Repeat(f) => {
                let (index, bits) = best(t, f == ReduceFn::Max, &chosen).expect("not empty");
                let all_so_far =
                    x.max_min.is_none_or(|(_, so_far)| beats(t, f == ReduceFn::Max, bits, so_far));
                if all_so_far {
                    x.max_min = Some((r * per_repeat + index, bits));
                }
                let v = settle(t, sat, bits);
                let (bytes, unit) = match c.order {
                    0 => (v | index << t.bits(), 2 * width),
                    1 => (index | v << t.bits(), 2 * width),
                    2 => (v, width),
                    _ => (index, 4),
                };
                put(r * c.dst_repeat * unit as u64, bytes, unit);
            }
            ReduceKind::DataBlock(f) => {
                let per_block = per_repeat / 8;
                for block in 0..8 {
                    let range = (block * per_block)..(block + 1) * per_block;
                    let inside: Vec<_> = chosen.iter().copied().filter(|(e, _)| range.contains(e)).collect();
                    if inside.is_empty() {
                        continue;
                    }
                    let bits = match f {
                        ReduceFn::Sum => tree(t, sat, &all[range.start as usize..range.end as usize]),
                        _ => best(t, f == ReduceFn::Max, &inside).expect("not empty").1,
                    };
                    put((r * c.dst_repeat * 8 + block) * width as u64, settle(t, sat, bits), width);
                }
            }
            ReduceKind::Pair => {
                for pair in (0..per_repeat / 2).filter(|p| selected(2 * p) || selected(2 * p + 1)) {
                    let sum = add(t, sat, all[2 * pair as usize], all[2 * pair as usize + 1]);
                    put(r * c.dst_repeat * 128 + pair * width as u64, settle(t, sat, sum), width);
                }
            }
        }
    }
    x
}

fn check(m: &mut Machine, row: &'static OpRow, kind: ReduceKind, c: &Case) -> Result<usize, TestCaseError> {
    let t = row.src;
    let mut c = c.clone();
    let sums = matches!(kind, ReduceKind::Repeat(ReduceFn::Sum));
    c.order = if sums { c.order % 2 } else { c.order };
    let used = 2048 / t.bits();
    c.mask &= u128::MAX >> (128 - used);
    let in_place = c.in_place && (c.dst_repeat, c.block, c.repeat) == (1, 1, 8);
    let mut rng = Rng(c.seed);
    // Some cases without special values, else most sums are NaN.
    let plain = rng.below(2) == 0;
    rng.fill(&mut m.ub_bytes()[SRC..SRC + (40 << 10)], t);
    if plain {
        for chunk in m.ub_bytes()[SRC..SRC + (40 << 10)].chunks_exact_mut(t.bits() as usize / 8) {
            let x = rng.below(20_000) as f32 / 64.0 - 150.0;
            let bits =
                if t == DType::F32 { x.to_bits() } else { u32::from(half::f16::from_f32(x).to_bits()) };
            chunk.copy_from_slice(&bits.to_le_bytes()[..chunk.len()]);
        }
    }
    match c.count {
        Some(n) => m.counter(n),
        None => m.normal(c.mask),
    }
    m.set_ctrl(ctrl::INF_NAN, !c.saturate);
    m.state = Default::default();
    let dst = if in_place { SRC } else { DST };
    let fields = [
        (FieldId::DstRepeatStride, c.dst_repeat),
        (FieldId::Src0BlockStride, c.block),
        (FieldId::Src0RepeatStride, c.repeat),
        (FieldId::RepeatTimes, c.repeats),
    ];
    let order = if matches!(kind, ReduceKind::Repeat(_)) { c.order } else { 0 };
    let x = [m.ub(dst), m.ub(SRC), config(Layout::VecReduce, &fields)[0], order];
    let before = m.ub_bytes().to_vec();
    let want = expect(row, kind, &c, dst, &before);
    let d = m.run(row.op, x).map_err(|e| TestCaseError::fail(format!("{e} {c:?}")))?;
    let got = m.ub_bytes().to_vec();
    if got != want.image {
        let at = (0..got.len()).find(|i| got[*i] != want.image[*i]).unwrap_or(0);
        let around = at & !7..(at & !7) + 8;
        return Err(TestCaseError::fail(format!(
            "byte {at}: {:x?}, expected {:x?}, {c:?}",
            &got[around.clone()],
            &want.image[around]
        )));
    }
    let written: Vec<usize> =
        d.accesses().iter().filter(|a| a.write).flat_map(|a| touched(a, m.ub(0))).collect();
    prop_assert!(written.iter().eq(want.written.iter()), "footprint, {c:?}");
    if let Some(acc) = want.acc {
        prop_assert_eq!(m.state.get(Spr::AccVal), settle(t, c.saturate && t == DType::F16, acc), "{:?}", c);
    }
    if let Some((index, bits)) = want.max_min {
        let bits = settle(t, c.saturate && t == DType::F16, bits);
        prop_assert_eq!(m.state.get(Spr::MaxMinCnt), bits | index << 32, "{:?}", c);
    }
    prop_assert_eq!(d.work().elements, want.seen as u64);
    Ok(want.seen)
}

fn word(fields: &[(FieldId, u64)]) -> u64 {
    let defaults = [
        (FieldId::DstRepeatStride, 1),
        (FieldId::Src0BlockStride, 1),
        (FieldId::Src0RepeatStride, 8),
        (FieldId::RepeatTimes, 4),
    ];
    let kept = defaults.iter().filter(|d| fields.iter().all(|f| f.0 != d.0));
    let all: Vec<_> = kept.chain(fields).copied().collect();
    config(Layout::VecReduce, &all)[0]
}

/// 127 ones and −65504 in half, saturation mode: the published check value.
#[test]
fn the_documented_tree_value() {
    let mut m = Machine::new();
    m.set_ctrl(ctrl::INF_NAN, false);
    for e in 0..128 {
        let x = half::f16::from_f32(if e == 127 { -65504.0 } else { 1.0 });
        m.ub_bytes()[SRC + 2 * e..SRC + 2 * e + 2].copy_from_slice(&x.to_le_bytes());
    }
    m.run(Op::VcaddF16Order, [m.ub(DST), m.ub(SRC), word(&[(FieldId::RepeatTimes, 1)]), 0]).expect("legal");
    assert_eq!(value(DType::F16, element(m.ub_bytes(), DST, DType::F16)), -65376.0);
}

/// 60000 + 60000 clamps, −30000 + 100, then both: the example of the documentation.
#[test]
fn a_node_clamps_in_saturation_mode() {
    let mut m = Machine::new();
    m.set_ctrl(ctrl::INF_NAN, false);
    m.normal(0xf);
    for (e, x) in [60000.0, 60000.0, -30000.0, 100.0].into_iter().enumerate() {
        let x = half::f16::from_f32(x);
        m.ub_bytes()[SRC + 2 * e..SRC + 2 * e + 2].copy_from_slice(&x.to_le_bytes());
    }
    m.run(Op::VcgaddF16, [m.ub(DST), m.ub(SRC), word(&[(FieldId::RepeatTimes, 1)]), 0]).expect("legal");
    let want = half::f16::from_f32(65504.0 + half::f16::from_f32(-29900.0).to_f32());
    assert_eq!(element(m.ub_bytes(), DST, DType::F16), u64::from(want.to_bits()));
}

#[test]
fn alignment_of_the_destination_follows_the_result() {
    let m = Machine::new();
    let align = |op: Op, order| {
        m.decode(op, [m.ub(DST), m.ub(SRC), word(&[]), order]).expect("legal").accesses()[0].align_bytes
    };
    assert_eq!([align(Op::VcaddF16Order, 0), align(Op::VcaddF32Order, 0)], [2, 4]);
    assert_eq!((0..4).map(|o| align(Op::VcmaxF16OrderV220, o)).collect::<Vec<_>>(), [4, 4, 2, 4]);
    assert_eq!((0..4).map(|o| align(Op::VcminF32OrderV220, o)).collect::<Vec<_>>(), [8, 8, 4, 4]);
    assert_eq!([align(Op::VcgmaxF16, 0), align(Op::VcgaddF32, 0)], [16, 32]);
    assert_eq!([align(Op::VcpaddF16, 0), align(Op::VcpaddF32, 0)], [32, 32]);
}

#[test]
fn what_a_reduction_refuses() {
    let mut m = Machine::new();
    let run = |m: &Machine, dst: usize, order| {
        m.decode(Op::VcmaxF32OrderV220, [m.ub(dst), m.ub(SRC), word(&[]), order])
    };
    assert!(run(&m, DST, 3).is_ok());
    let order = run(&m, DST, 4);
    assert!(matches!(
        order,
        Err(ExecFault::FieldRange { field: FieldId::ResultOrder, asked: 4, max: 3, .. })
    ));
    let sum = m.decode(Op::VcaddF32Order, [m.ub(DST), m.ub(SRC), word(&[]), 2]);
    assert!(matches!(sum, Err(ExecFault::FieldRange { field: FieldId::ResultOrder, asked: 2, max: 1, .. })));
    assert!(run(&m, SRC, 0).is_ok(), "in place");
    let broken = |dst: usize| run(&m, dst, 0).expect("it computes").overwritten();
    let hazard = broken(SRC + 256);
    assert!(
        matches!(hazard, Some(ExecFault::RepeatHazard { operand: Operand::Src0, repeat: 0, .. })),
        "{hazard:?}"
    );
    assert!(broken(SRC + 3 * 256).is_some() && broken(SRC + 4 * 256).is_none() && broken(SRC).is_none());
    let gm = m.decode(Op::VcmaxF32OrderV220, [m.ub(DST), m.gm(0), word(&[]), 0]);
    assert!(matches!(gm, Err(ExecFault::WrongSpace { operand: Operand::Src0, .. })));
    m.normal(0);
    assert!(run(&m, DST, 0).expect("mask 0 does nothing").accesses().is_empty());
}
