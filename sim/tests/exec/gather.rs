//! Gathers against per-element loops.

use crate::compare::{each_case, element, place};
use crate::machine::{Machine, Rng, config};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use toprope_abi::isa::{DType, FieldId, GatherKind, Layout, Op, OpRow, Spr};
use toprope_sim::exec::{Access, ExecFault, Operand, more_accesses};

const DST: usize = 0;
const SRC: usize = 40 << 10;
const SRC_BYTES: usize = 16 << 10;
/// Offsets, or the pattern.
const NAMES: usize = 96 << 10;

#[derive(Clone, Debug)]
struct Case {
    dst_block: u64,
    dst_repeat: u64,
    src_block: u64,
    src_repeat: u64,
    pattern_repeat: u64,
    repeats: u64,
    mask: u128,
    count: Option<u64>,
    pattern: u64,
    in_place: bool,
    seed: u64,
}

fn case() -> impl Strategy<Value = Case> {
    let dst = prop_oneof![Just((1u64, 8u64)), (0..4u64, 0..20u64)];
    let src = prop_oneof![Just((1u64, 8u64)), (0..4u64, 0..20u64)];
    let mask = prop_oneof![2 => Just(u128::MAX), 1 => any::<u128>().prop_map(|m| m | 1)];
    let count = proptest::option::weighted(0.4, 0..300u64);
    (dst, src, 0..3u64, 0..5u64, mask, count, 0..8u64, any::<bool>(), any::<u64>()).prop_map(
        |(
            (dst_block, dst_repeat),
            (src_block, src_repeat),
            pattern_repeat,
            repeats,
            mask,
            count,
            pattern,
            in_place,
            seed,
        )| {
            Case {
                dst_block,
                dst_repeat,
                src_block,
                src_repeat,
                pattern_repeat,
                repeats,
                mask,
                count,
                pattern,
                in_place,
                seed,
            }
        },
    )
}

/// Every form of a row of this family; returns how many elements were seen.
pub fn check_row(row: &'static OpRow, kind: GatherKind) -> usize {
    match kind {
        GatherKind::Elements => each_case(row, case(), |m, c| elements(m, row, &c)),
        GatherKind::DataBlocks => each_case(row, case(), |m, c| data_blocks(m, row, &c)),
        GatherKind::Mask => each_case(row, case(), |m, c| by_mask(m, row, &c)),
    }
}

fn set_offset(m: &mut Machine, i: u64, offset: u64) {
    let at = NAMES + 4 * i as usize;
    m.ub_bytes()[at..at + 4].copy_from_slice(&(offset as u32).to_le_bytes());
}

/// The bytes that an instruction says it gathers.
fn gathered(m: &Machine, op: Op, x: [u64; 4]) -> Result<Vec<usize>, ExecFault> {
    let d = m.decode(op, x)?;
    let mut bytes = Vec::new();
    let mut collect = |a: Access| a.for_each_range(|r| bytes.extend(r.map(|b| (b - m.ub(0)) as usize)));
    #[allow(unsafe_code)]
    // SAFETY: the accesses of the tests lie in memory that the machine owns.
    unsafe { more_accesses(&d, &m.state, &mut collect) }?;
    bytes.sort_unstable();
    bytes.dedup();
    Ok(bytes)
}

fn elements(m: &mut Machine, row: &'static OpRow, c: &Case) -> Result<usize, TestCaseError> {
    let t = row.dst;
    let width = u64::from(t.bits() / 8);
    let per_repeat = 256 / width;
    let mut rng = Rng(c.seed);
    rng.fill(&mut m.ub_bytes()[SRC..SRC + SRC_BYTES], t);
    let repeats = c.count.map_or(c.repeats, |n| n.div_ceil(per_repeat));
    for i in 0..repeats * per_repeat {
        // Sometimes neighbours, which are told together.
        let offset =
            if rng.below(3) == 0 { i * width } else { rng.below(SRC_BYTES as u64 / width - 64) * width };
        set_offset(m, i, offset);
    }
    match c.count {
        Some(n) => m.counter(n),
        None => m.normal(c.mask),
    }
    let base = 64;
    let low = if c.in_place { (m.ub(SRC) + base) & 0xffff_ffff } else { SRC as u64 + base };
    let fields = [
        (FieldId::GatherBase, low),
        (FieldId::DstRepeatStride, c.dst_repeat),
        (FieldId::RepeatTimes, c.repeats),
    ];
    let x = [m.ub(DST), m.ub(NAMES), config(Layout::VecGather, &fields)[0], 0];
    let before = m.ub_bytes().to_vec();
    let mut want = before.clone();
    let (mut seen, mut sources) = (0, Vec::new());
    for r in 0..repeats {
        for e in 0..per_repeat {
            if !c.count.map_or(c.mask >> e & 1 == 1, |n| r * per_repeat + e < n) {
                continue;
            }
            let from = SRC
                + base as usize
                + element(&before, NAMES + 4 * (r * per_repeat + e) as usize, DType::U32) as usize;
            let to = place(DST, 1, c.dst_repeat, t, r, e);
            let n = width as usize;
            want[to..to + n].copy_from_slice(&before[from..from + n]);
            sources.extend(from..from + n);
            seen += 1;
        }
    }
    sources.sort_unstable();
    sources.dedup();
    prop_assert_eq!(
        gathered(m, row.op, x).map_err(|e| TestCaseError::fail(e.to_string()))?,
        sources,
        "{:?}",
        c
    );
    m.run(row.op, x).map_err(|e| TestCaseError::fail(format!("{e} {c:?}")))?;
    prop_assert!(m.ub_bytes() == want.as_slice(), "{c:?}");
    Ok(seen)
}

fn data_blocks(m: &mut Machine, row: &'static OpRow, c: &Case) -> Result<usize, TestCaseError> {
    let mut rng = Rng(c.seed);
    rng.fill(&mut m.ub_bytes()[SRC..SRC + SRC_BYTES], row.dst);
    for i in 0..c.repeats * 8 {
        set_offset(m, i, rng.below(SRC_BYTES as u64 / 32) * 32);
    }
    m.normal(c.mask);
    let fields = [
        (FieldId::GatherBase, m.ub(SRC) & 0xffff_ffff),
        (FieldId::DstRepeatStride, c.dst_repeat),
        (FieldId::DstBlockStride, c.dst_block),
        (FieldId::RepeatTimes, c.repeats),
    ];
    let x = [m.ub(DST), m.ub(NAMES), config(Layout::VecGather, &fields)[0], 0];
    let before = m.ub_bytes().to_vec();
    let mut want = before.clone();
    for i in 0..c.repeats * 8 {
        let from = SRC + element(&before, NAMES + 4 * i as usize, DType::U32) as usize;
        let to = DST + 32 * (i / 8 * c.dst_repeat + i % 8 * c.dst_block.max(1)) as usize;
        want[to..to + 32].copy_from_slice(&before[from..from + 32]);
    }
    m.run(row.op, x).map_err(|e| TestCaseError::fail(format!("{e} {c:?}")))?;
    prop_assert!(m.ub_bytes() == want.as_slice(), "{c:?}");
    Ok(c.repeats as usize * 8)
}

fn keeps(pattern: u64, e: u64) -> bool {
    match pattern {
        1 => e.is_multiple_of(2),
        2 => !e.is_multiple_of(2),
        3..=6 => e % 4 == pattern - 3,
        _ => true,
    }
}

fn by_mask(m: &mut Machine, row: &'static OpRow, c: &Case) -> Result<usize, TestCaseError> {
    let t = row.src;
    let mut c = c.clone();
    if c.in_place {
        // Repeats must not read what earlier ones have written.
        c.src_block = c.src_block.max(1);
        c.src_repeat = 40 * c.src_block;
    }
    let mut rng = Rng(c.seed);
    rng.fill(&mut m.ub_bytes()[SRC..SRC + SRC_BYTES * 2], t);
    rng.fill(&mut m.ub_bytes()[NAMES..NAMES + 4096], DType::U8);
    let n = match c.count {
        Some(n) => n,
        None => 2048 / u64::from(t.bits()),
    };
    match c.count {
        Some(n) => m.counter(n),
        // The mask says nothing in normal mode.
        None => m.normal(if c.mask == u128::MAX { 0 } else { c.mask }),
    }
    let fields = [
        (FieldId::RepeatTimes, c.repeats),
        (FieldId::Src0BlockStride, c.src_block),
        (FieldId::PatternMode, c.pattern),
        (FieldId::Src0RepeatStride, c.src_repeat),
        (FieldId::Src1RepeatStride, c.pattern_repeat),
    ];
    let dst = if c.in_place { SRC } else { DST };
    let x = [m.ub(dst), m.ub(SRC), m.ub(NAMES), config(Layout::GatherMask, &fields)[0]];
    let before = m.ub_bytes().to_vec();
    let mut want = before.clone();
    let (mut kept, width) = (0, t.bits() as usize / 8);
    for r in 0..c.repeats {
        for e in 0..n {
            let bit = || before[NAMES + (r * c.pattern_repeat * 32 + e / 8) as usize] >> (e % 8) & 1 == 1;
            if if c.pattern == 0 { bit() } else { keeps(c.pattern, e) } {
                let from = place(SRC, c.src_block, c.src_repeat, t, r, e);
                let to = dst + kept * width;
                want[to..to + width].copy_from_slice(&before[from..from + width]);
                kept += 1;
            }
        }
    }
    m.state.set(Spr::RsvdCnt, 99);
    m.run(row.op, x).map_err(|e| TestCaseError::fail(format!("{e} {c:?}")))?;
    prop_assert_eq!(m.state.get(Spr::RsvdCnt), kept as u64, "{:?}", c);
    prop_assert!(m.ub_bytes() == want.as_slice(), "{c:?}");
    Ok(kept)
}

#[test]
fn what_a_gather_refuses() {
    let mut m = Machine::new();
    let word = |base: usize| {
        config(
            Layout::VecGather,
            &[(FieldId::GatherBase, base as u64), (FieldId::DstRepeatStride, 8), (FieldId::RepeatTimes, 1)],
        )[0]
    };
    let x = |m: &Machine, dst: usize, base| [m.ub(dst), m.ub(NAMES), word(base), 0];
    m.normal(1);
    set_offset(&mut m, 0, 128);
    assert_eq!(gathered(&m, Op::VgatherB16, x(&m, DST, SRC)), Ok(vec![SRC + 128, SRC + 129]));
    let same = gathered(&m, Op::VgatherB16, x(&m, SRC + 128, SRC));
    assert!(matches!(same, Err(ExecFault::Apart { operand: Operand::Src0, .. })), "{same:?}");
    assert!(gathered(&m, Op::VgatherB16, x(&m, SRC + 160, SRC)).is_ok());
    let names = m.decode(Op::VgatherB16, x(&m, NAMES, SRC));
    assert!(matches!(names, Err(ExecFault::Apart { operand: Operand::Offsets, .. })));
    // A base that is neither the half of an address here nor an offset in UB.
    let foreign = m.decode(Op::VgatherB16, x(&m, DST, 0x7fff_0000));
    assert!(matches!(foreign, Err(ExecFault::WrongSpace { operand: Operand::Src0, found: None, .. })));
    let gm = m.decode(Op::VgatherB16, [m.gm(0), m.ub(NAMES), word(SRC), 0]);
    assert!(matches!(gm, Err(ExecFault::WrongSpace { operand: Operand::Dst, .. })));
}

#[test]
fn gathered_elements_ask_for_their_alignment() {
    let mut m = Machine::new();
    m.normal(1);
    set_offset(&mut m, 0, 1);
    let word = config(Layout::VecGather, &[(FieldId::GatherBase, SRC as u64), (FieldId::RepeatTimes, 1)])[0];
    for (op, align) in [(Op::VgatherB16, 2), (Op::VgatherB32, 4), (Op::VgatherbB16, 32)] {
        let d = m.decode(op, [m.ub(DST), m.ub(NAMES), word, 0]).expect("legal");
        let mut first = None;
        #[allow(unsafe_code)]
        // SAFETY: the offsets lie in memory that the machine owns.
        unsafe {
            more_accesses(&d, &m.state, &mut |a| {
                first.get_or_insert((a.addr - m.ub(SRC), a.align_bytes));
            })
        }
        .expect("apart");
        assert_eq!(first, Some((1, align)));
    }
}

#[test]
fn what_a_gather_by_mask_refuses() {
    let m = Machine::new();
    let word = |pattern, repeat| {
        let fields = [
            (FieldId::RepeatTimes, 3),
            (FieldId::Src0BlockStride, 1),
            (FieldId::PatternMode, pattern),
            (FieldId::Src0RepeatStride, repeat),
        ];
        config(Layout::GatherMask, &fields)[0]
    };
    let run = |dst: usize, pattern, repeat| {
        m.decode(Op::Vreducev2B32, [m.ub(dst), m.ub(SRC), m.ub(NAMES), word(pattern, repeat)])
    };
    assert!(run(SRC, 1, 8).is_ok(), "packing in place");
    assert!(
        matches!(run(SRC, 7, 4), Err(ExecFault::Apart { operand: Operand::Src0, .. })),
        "repeats that overlap"
    );
    assert!(matches!(run(SRC + 32, 1, 8), Err(ExecFault::Apart { operand: Operand::Src0, .. })));
    assert!(run(SRC + 768, 1, 8).is_ok());
    assert!(run(NAMES, 1, 8).is_ok(), "a fixed pattern reads no tensor");
    let user = gathered(&m, Op::Vreducev2B32, [m.ub(NAMES), m.ub(SRC), m.ub(NAMES), word(0, 8)]);
    assert!(user.is_ok(), "no bit set: nothing is written");
}
