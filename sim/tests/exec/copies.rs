//! Copies, padding, `Brcb` and atomics.

use crate::machine::{Machine, Rng, WINDOW_BYTES, config, touched};
use crate::reference;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use toprope_abi::isa::{BinaryFn, DType, FieldId, Layout, Op, OpRow, Path, Space, ctrl};
use toprope_sim::exec::{Decoded, ExecFault};

const SOURCE: usize = 80 << 10;

fn runner() -> TestRunner {
    TestRunner::new(Config { cases: 200, failure_persistence: None, ..Config::default() })
}

/// Address of an end of a path; GM is not aligned.
fn end(m: &Machine, space: Space, offset: usize, skew: usize) -> u64 {
    if space == Space::Gm { m.gm(offset + skew) } else { m.space(space, offset) }
}

fn bytes_of(m: &mut Machine, space: Space) -> &mut [u8] {
    if space == Space::Gm { m.gm_bytes() } else { &mut m.space_bytes(space)[..WINDOW_BYTES] }
}

/// Footprints must be exactly the expected bytes; returns whether the instruction does anything.
fn check_footprint(d: &Decoded, bases: [u64; 2], want: [Vec<usize>; 2]) -> Result<(), TestCaseError> {
    prop_assert_eq!(d.accesses().is_empty(), want[0].is_empty());
    for (a, (base, mut want)) in d.accesses().iter().zip(bases.into_iter().zip(want)) {
        want.sort_unstable();
        want.dedup();
        prop_assert_eq!(touched(a, base), want);
    }
    Ok(())
}

/// Fills both ends of every copy; none spans 8 KiB.
fn fill(m: &mut Machine, rng: &mut Rng, path: Path) {
    for start in [0, SOURCE] {
        rng.fill(&mut m.gm_bytes()[start..start + (8 << 10)], DType::U32);
        let (from, to) = path.ends();
        let local = if from == Space::Gm { to } else { from };
        rng.fill(&mut bytes_of(m, local)[start..start + (8 << 10)], DType::U32);
    }
}

struct Burst {
    dst: usize,
    src: usize,
    len: usize,
    /// Destination bytes; the source's and padding.
    total: usize,
    left: usize,
}

/// Runs a copy and compares with byte-by-byte copying of `bursts`; `fill` gives a padding byte.
fn check_copy(
    m: &mut Machine,
    row: &OpRow,
    path: Path,
    x: [u64; 4],
    skew: usize,
    bursts: &[Burst],
    fill: impl Fn(&[u8], &Burst, usize) -> u8,
) -> Result<usize, TestCaseError> {
    let (from, to) = path.ends();
    let source = bytes_of(m, from)[SOURCE + if from == Space::Gm { skew } else { 0 }..].to_vec();
    let mut want = bytes_of(m, to).to_vec();
    let dst_base = if to == Space::Gm { skew } else { 0 };
    for b in bursts {
        for i in 0..b.total {
            let inside = i >= b.left && i < b.left + b.len;
            let byte = if inside { source[b.src + i - b.left] } else { fill(&source, b, i) };
            want[dst_base + b.dst + i] = byte;
        }
    }
    let d = m.run(row.op, x).map_err(|e| TestCaseError::fail(e.to_string()))?;
    let bases = [end(m, to, 0, skew), end(m, from, SOURCE, skew)];
    let footprint = [
        bursts.iter().flat_map(|b| b.dst..b.dst + b.total).collect(),
        bursts.iter().flat_map(|b| b.src..b.src + b.len).collect(),
    ];
    check_footprint(&d, bases, footprint)?;
    prop_assert!(bytes_of(m, to) == want.as_slice(), "memory differs");
    Ok(bursts.len())
}

/// `CopyBurst` rows.
pub fn check_burst(row: &'static OpRow, path: Path) -> usize {
    let machine = std::cell::RefCell::new(Machine::new());
    let written = std::cell::Cell::new(0);
    let gap = || prop_oneof![Just(0u64), 0..5u64];
    let strategy = (0..6u64, 0..9u64, gap(), gap(), 0..40usize, any::<u64>());
    let outcome = runner().run(&strategy, |(count, len, src_gap, dst_gap, skew, seed)| {
        let m = &mut *machine.borrow_mut();
        fill(m, &mut Rng(seed), path);
        let fields = [
            (FieldId::BurstCount, count),
            (FieldId::BurstLen, len),
            (FieldId::SrcGap, src_gap),
            (FieldId::DstGap, dst_gap),
        ];
        let (from, to) = path.ends();
        let x = [end(m, to, 0, skew), end(m, from, SOURCE, skew), config(Layout::Burst, &fields)[0], 0];
        let n = if len == 0 { 0 } else { count };
        let bursts: Vec<Burst> = (0..n as usize)
            .map(|i| Burst {
                dst: i * (len + dst_gap) as usize * 32,
                src: i * (len + src_gap) as usize * 32,
                len: len as usize * 32,
                total: len as usize * 32,
                left: 0,
            })
            .collect();
        written.set(written.get() + check_copy(m, row, path, x, skew, &bursts, |_, _, _| 0)?);
        Ok(())
    });
    outcome.unwrap_or_else(|e| panic!("{}: {e}", row.intrinsic));
    written.get()
}

/// `CopyAlign` rows.
pub fn check_align(row: &'static OpRow, path: Path) -> usize {
    let machine = std::cell::RefCell::new(Machine::new());
    let written = std::cell::Cell::new(0);
    let size = u64::from(row.dst.bits() / 8);
    let pad = move || prop_oneof![Just(0u64), 0..=32 / size];
    let strategy = ((0..6u64, 0..70u64), (0..90u64, 0..4u64), (pad(), pad()), 0..40usize, any::<u64>());
    let outcome =
        runner().run(&strategy, |((count, elements), (gm_gap, ub_gap), (left, right), skew, seed)| {
            let m = &mut *machine.borrow_mut();
            let mut rng = Rng(seed);
            rng.fill(m.gm_bytes(), DType::U32);
            rng.fill(m.ub_bytes(), DType::U32);
            m.regs.pad_value = rng.next();
            let filler = m.regs.pad_value.to_le_bytes();
            let (len, size) = ((elements * size) as usize, size as usize);
            let loads = path == Path::GmToUb;
            let (left, right) = if loads { (left, right) } else { (0, 0) };
            let mut fields = vec![(FieldId::BurstCount, count), (FieldId::BurstLen, len as u64)];
            if loads {
                fields.extend([(FieldId::LeftPad, left), (FieldId::RightPad, right)]);
            }
            let (src_gap, dst_gap) = if loads { (gm_gap, ub_gap) } else { (ub_gap, gm_gap) };
            fields.extend([(FieldId::SrcGap, src_gap), (FieldId::DstGap, dst_gap)]);
            let words = config(row.layout, &fields);
            let (from, to) = path.ends();
            let x = [end(m, to, 0, skew), end(m, from, SOURCE, skew), words[0], words[1]];
            let n = if len == 0 { 0 } else { count as usize };
            let blocks = |bytes: usize| bytes.div_ceil(32) * 32;
            let padded = blocks(len + (left + right) as usize * size);
            let bursts: Vec<Burst> = (0..n)
                .map(|i| match loads {
                    true => Burst {
                        dst: i * (padded + dst_gap as usize * 32),
                        src: i * (len + src_gap as usize),
                        len,
                        total: padded,
                        left: left as usize * size,
                    },
                    false => Burst {
                        dst: i * (len + dst_gap as usize),
                        src: i * (blocks(len) + src_gap as usize * 32),
                        len,
                        total: len,
                        left: 0,
                    },
                })
                .collect();
            let filling = |source: &[u8], b: &Burst, i: usize| {
                // The pads begin at multiples of the element size from the start of the burst.
                if left + right == 0 { source[b.src + i % size] } else { filler[i % size] }
            };
            written.set(written.get() + check_copy(m, row, path, x, skew, &bursts, filling)?);
            Ok(())
        });
    outcome.unwrap_or_else(|e| panic!("{}: {e}", row.intrinsic));
    written.get()
}

/// `Brcb` rows; the mask has no influence.
pub fn check_brcb(row: &'static OpRow) -> usize {
    let mut m = Machine::new();
    let mut rng = Rng(7);
    let size = row.dst.bits() as usize / 8;
    for (repeats, block, repeat) in [(1, 1, 8), (5, 1, 8), (3, 2, 16), (4, 8, 1), (0, 1, 8), (2, 1, 0)] {
        fill(&mut m, &mut rng, Path::GmToUb);
        m.normal(u128::from(rng.next()));
        let mut want = m.ub_bytes().to_vec();
        let fields = [
            (FieldId::DstBlockStride, block),
            (FieldId::DstRepeatStride, repeat),
            (FieldId::RepeatTimes, repeats),
        ];
        let mut dst = Vec::new();
        for r in 0..repeats as usize {
            for e in 0..8 {
                let from = SOURCE + (r * 8 + e) * size;
                let to = (r * repeat as usize + e * block as usize) * 32;
                for i in 0..32 {
                    want[to + i] = want[from + i % size];
                    dst.push(to + i);
                }
            }
        }
        let x = [m.ub(0), m.ub(SOURCE), config(Layout::VecDup, &fields)[0], 0];
        let d = m.run(row.op, x).expect("legal");
        let src = (0..repeats as usize * 8 * size).collect();
        check_footprint(&d, [m.ub(0), m.ub(SOURCE)], [dst, src]).expect("footprint");
        assert!(m.ub_bytes() == want.as_slice(), "{} {repeats} {block} {repeat}", row.intrinsic);
    }
    5
}

const ATOMICS: [DType; 6] = [DType::F32, DType::F16, DType::S16, DType::S32, DType::S8, DType::Bf16];

fn set_atomic(m: &mut Machine, dtype: usize, operation: u64) {
    m.regs.ctrl &= !(31 << ctrl::ATOMIC_TYPE_LO);
    m.regs.ctrl |= (dtype as u64 + 1) << ctrl::ATOMIC_TYPE_LO | operation << ctrl::ATOMIC_OP_LO;
}

#[test]
fn atomics_match_the_arithmetic_of_the_vector_instruction() {
    let mut m = Machine::new();
    for (i, t) in ATOMICS.into_iter().enumerate() {
        for (operation, f) in [BinaryFn::Add, BinaryFn::Max, BinaryFn::Min].into_iter().enumerate() {
            for saturate in [false, true] {
                let mut rng = Rng(i as u64 * 10 + operation as u64);
                rng.fill(m.gm_bytes(), t);
                rng.fill(m.ub_bytes(), t);
                m.set_ctrl(ctrl::INF_NAN, !saturate);
                set_atomic(&mut m, i, operation as u64);
                let size = t.bits() as usize / 8;
                // Two bursts of whole elements, 3 blocks apart in UB, 8 bytes apart in GM.
                let len = 24 * size;
                let fields = [
                    (FieldId::BurstCount, 2),
                    (FieldId::BurstLen, len as u64),
                    (FieldId::SrcGap, 3),
                    (FieldId::DstGap, 8),
                ];
                let words = config(Layout::AlignOut, &fields);
                let mut want = m.gm_bytes().to_vec();
                let ub = m.ub_bytes().to_vec();
                let raw = |b: &[u8]| b.iter().rev().fold(0u64, |x, b| x << 8 | u64::from(*b));
                for burst in 0..2 {
                    let (to, from) = (8 + burst * (len + 8), burst * (len.div_ceil(32) * 32 + 96));
                    for e in (0..len).step_by(size) {
                        let (old, new) = (raw(&want[to + e..][..size]), raw(&ub[from + e..][..size]));
                        let r = reference::binary(f, t, old, new, saturate);
                        want[to + e..][..size].copy_from_slice(&r.to_le_bytes()[..size]);
                    }
                }
                let x = [m.gm(8), m.ub(0), words[0], words[1]];
                let d = m.run(Op::MovUbToOutAlignB8V220, x).expect("legal");
                assert!(d.accesses()[0].atomic && d.accesses()[0].align_bytes as usize == size);
                assert!(m.gm_bytes() == want.as_slice(), "{t:?} {f:?} saturate {saturate}");
            }
        }
    }
}

#[test]
fn atomics_do_not_touch_copies_into_ub() {
    let mut m = Machine::new();
    Rng(1).fill(m.gm_bytes(), DType::U32);
    set_atomic(&mut m, 0, 0);
    let fields = [(FieldId::BurstCount, 1), (FieldId::BurstLen, 4)];
    let x = [m.ub(0), m.gm(0), config(Layout::Burst, &fields)[0], 0];
    m.run(Op::MovOutToUbV220, x).expect("legal");
    let want = m.gm_bytes()[..128].to_vec();
    assert_eq!(m.ub_bytes()[..128], want[..]);
}

#[test]
fn atomics_from_several_cores_lose_nothing() {
    // 4 cores add 1 to the same 64 int32 of one GM buffer, 500 times each; likewise int8 lanes of one word.
    for (dtype, t, each) in [(3usize, DType::S32, 500i64), (4, DType::S8, 25)] {
        let mut shared = Machine::new();
        let gm = shared.gm(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(move || {
                    let mut core = Machine::new();
                    set_atomic(&mut core, dtype, 0);
                    let size = t.bits() as usize / 8;
                    for e in core.ub_bytes()[..64 * size].chunks_exact_mut(size) {
                        e[0] = 1;
                    }
                    let fields = [(FieldId::BurstCount, 1), (FieldId::BurstLen, 2 * size as u64)];
                    let x = [gm, core.ub(0), config(Layout::Burst, &fields)[0], 0];
                    for _ in 0..each {
                        let d = core.decode(Op::MovUbToOutV220, x).expect("legal");
                        // SAFETY: the shared buffer outlives the scope, the core's UB is its own.
                        unsafe {
                            toprope_sim::exec::execute(&d, &mut toprope_sim::exec::PipeState::default())
                        };
                    }
                });
            }
        });
        let size = t.bits() as usize / 8;
        for e in shared.gm_bytes()[..64 * size].chunks_exact(size) {
            let mut wide = [0; 4];
            wide[..size].copy_from_slice(e);
            assert_eq!(i64::from(i32::from_le_bytes(wide)), 4 * each);
        }
    }
}

#[test]
fn atomics_need_whole_elements_and_a_known_type() {
    let mut m = Machine::new();
    let words = config(Layout::AlignOut, &[(FieldId::BurstCount, 1), (FieldId::BurstLen, 6)]);
    let x = [m.gm(0), m.ub(0), words[0], words[1]];
    set_atomic(&mut m, 0, 0);
    let partial = m.decode(Op::MovUbToOutAlignB8V220, x);
    assert!(matches!(partial, Err(ExecFault::PartialElement { len_bytes: 6, element_bytes: 4, .. })));
    set_atomic(&mut m, 1, 0);
    m.run(Op::MovUbToOutAlignB8V220, x).expect("three halves");
    for (dtype, operation) in [(6, 0), (0, 3)] {
        set_atomic(&mut m, dtype, operation);
        assert!(matches!(m.decode(Op::MovUbToOutAlignB8V220, x), Err(ExecFault::BadAtomic { .. })));
    }
}

#[test]
fn windows_are_large_enough() {
    const { assert!(WINDOW_BYTES > SOURCE + 8 * (1 << 12)) };
}
