//! Compare, select and CMPMASK against per-element loops.

use crate::machine::{CONTIGUOUS_BINARY, Machine, Rng, config, pack, touched};
use crate::reference::value;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use toprope_abi::isa::{CompareKind, Comparison, DType, FieldId, Kind, Layout, Op, OpRow, Space, Spr};
use toprope_sim::exec::{ExecFault, Operand};

/// Places of destination, first and second source, bit tensor.
const DST: usize = 0;
const A: usize = 24 << 10;
const B: usize = 48 << 10;
const BITS: usize = 72 << 10;

#[derive(Clone, Debug)]
struct Case {
    block: [u64; 3],
    repeat: [u64; 3],
    repeats: u64,
    mask: u128,
    /// Counter mode with this many elements.
    count: Option<u64>,
    mode: u64,
    in_place: bool,
    seed: u64,
}

fn case() -> impl Strategy<Value = Case> {
    let strides = prop_oneof![
        2 => Just(([1; 3], [8; 3])),
        1 => ([1..4u64, 0..4, 0..4], [0..20u64, 0..20, 0..20]),
    ];
    let mask = prop_oneof![2 => Just(u128::MAX), 1 => any::<u128>().prop_map(|m| m | 1), 1 => (1..=127u32).prop_map(|n| (1 << n) - 1)];
    (strides, 0..6u64, mask, proptest::option::weighted(0.3, 0..500u64), 0..3u64, any::<bool>(), any::<u64>())
        .prop_map(|((block, repeat), repeats, mask, count, mode, in_place, seed)| Case {
            block,
            repeat,
            repeats,
            mask,
            count,
            mode,
            in_place,
            seed,
        })
}

/// Runs `check` over cases; the number of elements that were seen.
pub fn each_case<C: std::fmt::Debug>(
    row: &'static OpRow,
    cases: impl Strategy<Value = C>,
    check: impl Fn(&mut Machine, C) -> Result<usize, TestCaseError>,
) -> usize {
    let machine = std::cell::RefCell::new(Machine::new());
    let seen = std::cell::Cell::new(0);
    let config = Config { cases: 96, failure_persistence: None, ..Config::default() };
    let outcome = TestRunner::new(config).run(&cases, |c| {
        seen.set(seen.get() + check(&mut machine.borrow_mut(), c)?);
        Ok(())
    });
    if let Err(e) = outcome {
        panic!("{}: {e}", row.intrinsic);
    }
    seen.get()
}

/// Every form of a row of this family; returns how many elements were seen.
pub fn check_row(row: &'static OpRow, kind: CompareKind) -> usize {
    match kind {
        CompareKind::Tensors(mode) => each_case(row, case(), |m, c| to_bits(m, row, mode, false, &c)),
        CompareKind::Scalar(mode) => each_case(row, case(), |m, c| to_bits(m, row, mode, true, &c)),
        CompareKind::ToRegister(mode) => each_case(row, case(), |m, c| to_register(m, row, mode, &c)),
        CompareKind::Select => each_case(row, case(), |m, c| select(m, row, &c)),
        CompareKind::SetRegister | CompareKind::GetRegister => register_moves(),
    }
}

pub fn element(image: &[u8], at: usize, t: DType) -> u64 {
    let mut raw = [0; 8];
    let n = t.bits() as usize / 8;
    raw[..n].copy_from_slice(&image[at..at + n]);
    u64::from_le_bytes(raw)
}

/// Byte of element `e` of repeat `r`.
pub fn place(base: usize, block: u64, repeat: u64, t: DType, r: u64, e: u64) -> usize {
    let per_block = 256 / u64::from(t.bits());
    base + ((r * repeat + e / per_block * block) * 32 + e % per_block * u64::from(t.bits()) / 8) as usize
}

fn answer(mode: Comparison, a: f64, b: f64) -> bool {
    if a.is_nan() || b.is_nan() {
        return false;
    }
    match mode {
        Comparison::Lt => a < b,
        Comparison::Gt => a > b,
        Comparison::Eq => a == b,
        Comparison::Le => a <= b,
        Comparison::Ge => a >= b,
        Comparison::Ne => a != b,
    }
}

/// Fills both sources; every third element of the second is one of the first.
fn fill_sources(m: &mut Machine, rng: &mut Rng, t: DType) {
    rng.fill(&mut m.ub_bytes()[A..B], t);
    rng.fill(&mut m.ub_bytes()[B..BITS], t);
    let n = t.bits() as usize / 8;
    for at in (0..BITS - B).step_by(n * 3) {
        let ub = m.ub_bytes();
        ub.copy_within(A + at..A + at + n, B + at);
    }
}

fn set_mask(m: &mut Machine, c: &Case) {
    match c.count {
        Some(n) => m.counter(n),
        None => m.normal(c.mask),
    }
}

fn strides(layout: Layout, c: &Case, repeats: u64, mode: u64) -> u64 {
    let mut fields = vec![
        (FieldId::DstBlockStride, c.block[0]),
        (FieldId::Src0BlockStride, c.block[1]),
        (FieldId::DstRepeatStride, c.repeat[0]),
        (FieldId::Src0RepeatStride, c.repeat[1]),
        (FieldId::RepeatTimes, repeats),
    ];
    if layout != Layout::VecUnary {
        fields.extend([(FieldId::Src1BlockStride, c.block[2]), (FieldId::Src1RepeatStride, c.repeat[2])]);
    }
    if layout == Layout::VecSelect {
        fields.push((FieldId::SelectMode, mode));
    }
    config(layout, &fields)[0]
}

fn to_bits(
    m: &mut Machine,
    row: &'static OpRow,
    mode: Comparison,
    with_scalar: bool,
    c: &Case,
) -> Result<usize, TestCaseError> {
    let mut rng = Rng(c.seed);
    let t = row.src;
    fill_sources(m, &mut rng, t);
    set_mask(m, c);
    let before = m.ub_bytes().to_vec();
    let scalar =
        if rng.below(2) == 0 { element(&before, A + 4 * rng.below(40) as usize, t) } else { rng.element(t) };
    // In place is allowed when every repeat's bits land on what has been read.
    let in_place = c.in_place && c.block == [1; 3] && (c.repeat[1] > 0 || c.repeats <= 1);
    let dst = if in_place { A } else { DST };
    let x = match with_scalar {
        true => [m.ub(dst), m.ub(A), scalar, strides(Layout::VecUnary, c, c.repeats, 0)],
        false => [m.ub(dst), m.ub(A), m.ub(B), strides(Layout::VecBinary, c, c.repeats, 0)],
    };
    let per_repeat = 2048 / u64::from(t.bits());
    let mut want = before.clone();
    for r in 0..c.repeats {
        for e in 0..per_repeat {
            let a = value(t, element(&before, place(A, c.block[1], c.repeat[1], t, r, e), t));
            let b = if with_scalar {
                scalar
            } else {
                element(&before, place(B, c.block[2], c.repeat[2], t, r, e), t)
            };
            let bit = r * per_repeat + e;
            let byte = &mut want[dst + (bit / 8) as usize];
            *byte = *byte & !(1 << (bit % 8)) | u8::from(answer(mode, a, value(t, b))) << (bit % 8);
        }
    }
    let d = m.run(row.op, x).map_err(|e| TestCaseError::fail(format!("{e} {c:?}")))?;
    if c.repeats > 0 {
        let bytes: Vec<usize> = (dst..dst + (c.repeats * per_repeat / 8) as usize).collect();
        prop_assert_eq!(touched(&d.accesses()[0], m.ub(0)), bytes);
    }
    prop_assert!(m.ub_bytes() == want.as_slice(), "{c:?}");
    Ok((c.repeats * per_repeat) as usize)
}

/// Selected elements of repeat `r`, as the mask and its mode say.
fn is_selected(c: &Case, per_repeat: u64, r: u64, e: u64) -> bool {
    match c.count {
        Some(n) => r * per_repeat + e < n,
        None => c.mask >> e & 1 == 1,
    }
}

fn repeats_of(c: &Case, per_repeat: u64) -> u64 {
    c.count.map_or(c.repeats, |n| n.div_ceil(per_repeat))
}

fn to_register(
    m: &mut Machine,
    row: &'static OpRow,
    mode: Comparison,
    c: &Case,
) -> Result<usize, TestCaseError> {
    let t = row.src;
    let per_repeat = 2048 / u64::from(t.bits());
    let c = &Case { count: c.count.map(|n| n % (per_repeat + 1)), ..c.clone() };
    fill_sources(m, &mut Rng(c.seed), t);
    set_mask(m, c);
    m.state.set(Spr::CmpMaskLow, 0x1234);
    m.state.set(Spr::CmpMaskHigh, 0x5678);
    let before = m.ub_bytes().to_vec();
    let x = [m.ub(A), m.ub(B), strides(Layout::VecBinary, c, 1, 0), 0];
    m.run(row.op, x).map_err(|e| TestCaseError::fail(format!("{e} {c:?}")))?;
    let mut want = 0u128;
    let mut seen = 0;
    for e in (0..per_repeat).filter(|e| is_selected(c, per_repeat, 0, *e)) {
        let a = value(t, element(&before, place(A, c.block[1], 0, t, 0, e), t));
        let b = value(t, element(&before, place(B, c.block[2], 0, t, 0, e), t));
        want |= u128::from(answer(mode, a, b)) << e;
        seen += 1;
    }
    if c.count == Some(0) {
        want = 0x1234 | 0x5678 << 64;
    }
    prop_assert_eq!(m.state.get(Spr::CmpMaskLow), want as u64, "{:?}", c);
    prop_assert_eq!(m.state.get(Spr::CmpMaskHigh), (want >> 64) as u64, "{:?}", c);
    prop_assert!(m.ub_bytes() == before.as_slice());
    Ok(seen)
}

fn select(m: &mut Machine, row: &'static OpRow, c: &Case) -> Result<usize, TestCaseError> {
    let t = row.src;
    let per_repeat = 2048 / u64::from(t.bits());
    let mut rng = Rng(c.seed);
    let mut c = c.clone();
    let in_place = c.in_place && c.mode != 1;
    if in_place {
        // The same tensor: same strides, repeats apart.
        c.repeat[0] = c.repeat[0].max(c.block[0] * 7 + 1);
        (c.block[2], c.repeat[2]) = (c.block[0], c.repeat[0]);
    }
    fill_sources(m, &mut rng, t);
    rng.fill(&mut m.ub_bytes()[BITS..BITS + 4096], DType::U8);
    set_mask(m, &c);
    let mut held = [rng.next(), rng.next()];
    if c.mode == 2 {
        // The low half of the address twice, as the kernel API leaves it, or the plain offset.
        held[0] = if rng.below(2) == 0 { (m.ub(BITS) & 0xffff_ffff) * 0x1_0000_0001 } else { BITS as u64 };
    }
    m.state.set(Spr::CmpMaskLow, held[0]);
    m.state.set(Spr::CmpMaskHigh, held[1]);
    let before = m.ub_bytes().to_vec();
    let dst = if in_place { B } else { DST };
    let third = if c.mode == 1 { BITS } else { B };
    let x = [m.ub(dst), m.ub(A), m.ub(third), strides(Layout::VecSelect, &c, c.repeats, c.mode)];
    let d = m.run(row.op, x).map_err(|e| TestCaseError::fail(format!("{e} {c:?}")))?;
    let mut want = before.clone();
    let mut seen = 0;
    for r in 0..repeats_of(&c, per_repeat) {
        for e in (0..per_repeat).filter(|e| is_selected(&c, per_repeat, r, *e)) {
            let bit = r * per_repeat + e;
            let set = match c.mode {
                0 => (u128::from(held[0]) | u128::from(held[1]) << 64) >> e & 1 == 1,
                _ => before[BITS + (bit / 8) as usize] >> (bit % 8) & 1 == 1,
            };
            let chosen = if set {
                element(&before, place(A, c.block[1], c.repeat[1], t, r, e), t)
            } else if c.mode == 1 {
                held[0]
            } else {
                element(&before, place(B, c.block[2], c.repeat[2], t, r, e), t)
            };
            let at = place(dst, c.block[0], c.repeat[0], t, r, e);
            let n = t.bits() as usize / 8;
            want[at..at + n].copy_from_slice(&chosen.to_le_bytes()[..n]);
            seen += 1;
        }
    }
    prop_assert_eq!(d.has_more_accesses(), c.mode == 2 && seen > 0);
    if seen > 0 && c.mode == 1 {
        let last = d.accesses()[2].extent().expect("bits").end - m.ub(BITS);
        prop_assert!(last <= repeats_of(&c, per_repeat) * per_repeat / 8);
    }
    prop_assert!(m.ub_bytes() == want.as_slice(), "{c:?}");
    Ok(seen)
}

fn register_moves() -> usize {
    let mut m = Machine::new();
    let mut rng = Rng(7);
    rng.fill(&mut m.ub_bytes()[..64], DType::U8);
    m.run(Op::SetCmpmask, [m.ub(16), 0, 0, 0]).expect("legal");
    let word = |m: &mut Machine, at: usize| element(m.ub_bytes(), at, DType::S64);
    assert_eq!(m.state.get(Spr::CmpMaskLow), word(&mut m, 16));
    assert_eq!(m.state.get(Spr::CmpMaskHigh), word(&mut m, 24));
    let d = m.run(Op::GetCmpmask, [m.ub(4096), 0, 0, 0]).expect("legal");
    assert_eq!((d.accesses()[0].align_bytes, touched(&d.accesses()[0], m.ub(4096)).len()), (16, 16));
    assert!(d.accesses()[0].write);
    assert_eq!((word(&mut m, 4096), word(&mut m, 4104)), (word(&mut m, 16), word(&mut m, 24)));
    assert!(matches!(
        m.decode(Op::SetCmpmask, [m.gm(0), 0, 0, 0]),
        Err(ExecFault::WrongSpace { operand: Operand::Src0, found: Some(Space::Gm), .. })
    ));
    16
}

#[test]
fn a_nan_answers_no_in_every_mode() {
    let mut m = Machine::new();
    let [low, quiet] = [1.0f32.to_bits(), f32::NAN.to_bits()];
    for row in toprope_abi::isa::OPS {
        let Kind::Compare(CompareKind::Scalar(_)) = row.kind else { continue };
        if row.src != DType::F32 {
            continue;
        }
        for (at, bits) in m.ub_bytes()[A..A + 256].chunks_exact_mut(4).zip([low, quiet].into_iter().cycle()) {
            at.copy_from_slice(&bits.to_le_bytes());
        }
        let word = config(Layout::VecUnary, &[(FieldId::Src0BlockStride, 1), (FieldId::RepeatTimes, 1)])[0];
        m.run(row.op, [m.ub(DST), m.ub(A), u64::from(quiet), word]).expect("legal");
        assert!(m.ub_bytes()[..8].iter().all(|b| *b == 0), "{}", row.intrinsic);
    }
}

fn binary(fields: &[(FieldId, u64)]) -> u64 {
    pack(Layout::VecSelect, &CONTIGUOUS_BINARY, fields)
}

#[test]
fn what_a_compare_refuses() {
    let m = Machine::new();
    let four = binary(&[(FieldId::RepeatTimes, 4)]);
    let run = |dst: usize| m.decode(Op::VcmpvLtF32, [m.ub(dst), m.ub(A), m.ub(B), four]);
    assert!(run(0).is_ok());
    let broken = |dst: usize| run(dst).expect("it computes").overwritten();
    assert_eq!(broken(A), None, "in place: every repeat is read before its bits are written");
    assert!(
        matches!(broken(A + 256), Some(ExecFault::RepeatHazard { repeat: 0, .. })),
        "the bits of the first repeat land on the second"
    );
    assert!(matches!(
        m.decode(Op::VcmpvLtF32, [m.gm(0), m.ub(A), m.ub(B), four]),
        Err(ExecFault::WrongSpace { operand: Operand::Dst, .. })
    ));
    let d = run(0).expect("legal");
    assert!(d.accesses().iter().all(|a| a.align_bytes == 32));
}

#[test]
fn a_compare_to_the_register_takes_one_repeat() {
    let mut m = Machine::new();
    let run = |m: &Machine, repeats| {
        m.decode(Op::VcmpLtF32, [m.ub(A), m.ub(B), binary(&[(FieldId::RepeatTimes, repeats)]), 0])
    };
    assert!(run(&m, 1).is_ok() && run(&m, 0).is_ok());
    assert!(matches!(
        run(&m, 2),
        Err(ExecFault::FieldRange { field: FieldId::RepeatTimes, asked: 2, max: 1, .. })
    ));
    m.counter(64);
    assert!(run(&m, 1).is_ok());
    m.counter(65);
    assert!(run(&m, 1).is_err());
    m.normal(0);
    assert!(matches!(run(&m, 1), Err(ExecFault::EmptyMask { .. })));
}

#[test]
fn what_a_select_refuses() {
    let mut m = Machine::new();
    let run = |m: &Machine, mode, third: usize| {
        let word = binary(&[(FieldId::SelectMode, mode), (FieldId::RepeatTimes, 2)]);
        m.decode(Op::VselF321, [m.ub(DST), m.ub(A), m.ub(third), word])
    };
    assert!((0..3).all(|mode| run(&m, mode, B).is_ok()));
    assert!(matches!(
        run(&m, 3, B),
        Err(ExecFault::FieldRange { field: FieldId::SelectMode, asked: 3, max: 2, .. })
    ));
    assert!(matches!(run(&m, 1, DST + 32), Err(ExecFault::Apart { operand: Operand::Mask, .. })));
    assert!(run(&m, 1, DST + 512).is_ok(), "behind the destination");
    // Mode 2: the address is looked at when it executes.
    let word = binary(&[(FieldId::SelectMode, 2)]);
    let x = [m.ub(DST), m.ub(A), m.ub(B), word];
    m.state.set(Spr::CmpMaskLow, BITS as u64);
    assert!(m.run(Op::VselF321, x).is_ok());
    m.state.set(Spr::CmpMaskLow, 0x7fff_ffff);
    assert!(matches!(
        m.run(Op::VselF321, x),
        Err(ExecFault::WrongSpace { operand: Operand::Mask, address: 0x7fff_ffff, found: None, .. })
    ));
    m.state.set(Spr::CmpMaskLow, 96);
    assert!(matches!(m.run(Op::VselF321, x), Err(ExecFault::Apart { operand: Operand::Mask, .. })));
}
