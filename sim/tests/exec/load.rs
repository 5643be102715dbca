//! Moves of the cube core against byte-by-byte loops written from the reference pages.

use crate::machine::{Machine, Rng, config, touched};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use toprope_abi::isa::{DType, FieldId, Layout, LoadKind, Op, OpRow, Space};
use toprope_sim::exec::{ExecFault, Operand};

/// Bytes at the start of every memory that cases use.
const WINDOW: usize = 128 << 10;
/// Where operands start, so that there is something in front of them.
const START: usize = 1024;

fn run_cases<S: Strategy>(
    row: &'static OpRow,
    cases: u32,
    strategy: S,
    check: impl Fn(S::Value) -> Result<(), TestCaseError>,
) {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    TestRunner::new(config).run(&strategy, check).unwrap_or_else(|e| panic!("{}: {e}", row.intrinsic));
}

fn window(m: &mut Machine, space: Space) -> &mut [u8] {
    if space == Space::Gm { &mut m.gm_bytes()[..WINDOW] } else { &mut m.space_bytes(space)[..WINDOW] }
}

fn address(m: &Machine, space: Space, offset: usize) -> u64 {
    if space == Space::Gm { m.gm(offset) } else { m.space(space, offset) }
}

/// What a reference says: bytes to write (by offset in the destination's window; the last one counts) and offsets it reads.
#[derive(Default)]
struct Expected {
    written: BTreeMap<usize, u8>,
    read: Vec<usize>,
}

impl Expected {
    fn copy(&mut self, source: &[u8], from: usize, to: usize, bytes: usize) {
        for i in 0..bytes {
            self.written.insert(to + i, source[from + i]);
            self.read.push(from + i);
        }
    }
}

/// Fills both windows, runs the instruction and compares memory and footprints with the reference.
fn compare(
    m: &mut Machine,
    row: &'static OpRow,
    (dst_space, src_space): (Space, Space),
    seed: u64,
    x: [u64; 4],
    reference: impl FnOnce(&[u8]) -> Expected,
) -> Result<usize, TestCaseError> {
    let mut rng = Rng(seed);
    rng.fill(window(m, dst_space), DType::U32);
    rng.fill(window(m, src_space), DType::U32);
    let source = window(m, src_space).to_vec();
    let mut expected = reference(&source);
    let mut want = window(m, dst_space).to_vec();
    expected.written.iter().for_each(|(at, byte)| want[*at] = *byte);
    let d = m.run(row.op, x).map_err(|e| TestCaseError::fail(e.to_string()))?;
    if window(m, dst_space) != want.as_slice() {
        let got = window(m, dst_space);
        let at = (0..WINDOW).find(|i| got[*i] != want[*i]).unwrap_or(0);
        return Err(TestCaseError::fail(format!("byte {at:#x} is {:#x}, expected {:#x}", got[at], want[at])));
    }
    expected.read.sort_unstable();
    expected.read.dedup();
    let written: Vec<usize> = expected.written.keys().copied().collect();
    for a in d.accesses() {
        let (space, want) =
            if a.operand == Operand::Dst { (dst_space, &written) } else { (src_space, &expected.read) };
        prop_assert_eq!(a.space, space);
        prop_assert_eq!(a.write, a.operand == Operand::Dst);
        prop_assert_eq!(&touched(a, address(m, space, 0)), want, "footprint of {:?}", a.operand);
    }
    prop_assert_eq!(d.accesses().is_empty(), written.is_empty());
    Ok(written.len())
}

/// Exercises one row; how many bytes it was seen to write.
pub fn check(row: &'static OpRow, kind: LoadKind) -> usize {
    match kind {
        LoadKind::Nd2Nz => check_nd2nz(row),
        LoadKind::Load2d(_) => check_load2d(row),
    }
}

fn check_nd2nz(row: &'static OpRow) -> usize {
    use FieldId::*;
    let (m, written) = (RefCell::new(Machine::new()), Cell::new(0));
    let size = row.dst.bits() as usize / 8;
    let block = 32 / size;
    let shape =
        (0..4usize, prop_oneof![1 => Just(0), 9 => 1..9usize], prop_oneof![1 => Just(0), 9 => 1..70usize]);
    let strides = (0..100usize, 0..20usize, 0..4usize, 1..4usize, 0..30usize, 0..3usize);
    run_cases(row, 200, (shape, strides, any::<u64>()), |((matrices, rows, columns), strides, seed)| {
        let m = &mut *m.borrow_mut();
        let (src_matrix, src_more, block_more, dst_row, dst_matrix, skew) = strides;
        let src_row = columns + src_more;
        let (dst_block, dst_matrix) = (rows * dst_row + block_more, dst_matrix * block);
        let fields = [
            (NdNum, matrices),
            (NValue, rows),
            (DValue, columns),
            (SrcMatrixStride, src_matrix),
            (SrcDValue, src_row),
            (DstC0Stride, dst_block),
            (DstNStride, dst_row),
            (DstMatrixStride, dst_matrix),
        ];
        let words = config(Layout::Nd2Nz, &fields.map(|(id, v)| (id, v as u64)));
        let from = START + skew;
        let x = [m.space(Space::L1, START), m.gm(from), words[0], words[1]];
        let bytes = compare(m, row, (Space::L1, Space::Gm), seed, x, |source| {
            let mut e = Expected::default();
            for b in 0..matrices {
                for r in 0..rows {
                    for c in 0..columns.div_ceil(block) * block {
                        let to = b * dst_matrix + (c / block * dst_block + r * dst_row) * block + c % block;
                        let to = START + to * size;
                        if c < columns {
                            e.copy(source, from + (b * src_matrix + r * src_row + c) * size, to, size);
                        } else {
                            (0..size).for_each(|i| drop(e.written.insert(to + i, 0)));
                        }
                    }
                }
            }
            e
        })?;
        written.set(written.get() + bytes);
        Ok(())
    });
    written.get()
}

fn check_load2d(row: &'static OpRow) -> usize {
    use FieldId::*;
    let toprope_abi::isa::Kind::Load(LoadKind::Load2d(path)) = row.kind else { unreachable!() };
    let (src_space, dst_space) = path.ends();
    let (m, written) = (RefCell::new(Machine::new()), Cell::new(0));
    let can_transpose = row.dst.bits() == 16 && src_space == Space::L1;
    let strategy = (
        (0..20usize, 0..6usize, 0..5usize),
        prop_oneof![Just(0usize), 0..4usize],
        any::<[bool; 2]>(),
        any::<u64>(),
    );
    run_cases(row, 200, strategy, |((start, repeats, stride), gap, [transpose, backward], seed)| {
        let m = &mut *m.borrow_mut();
        let transpose = transpose && can_transpose;
        let start = if backward { start + repeats * stride } else { start };
        let fields = [
            (StartIndex, start),
            (RepeatTimes, repeats),
            (SrcStride, stride),
            (DstGap, gap),
            (IfTranspose, usize::from(transpose)),
            (AddrMode, usize::from(backward)),
        ];
        let words = config(Layout::Load2d, &fields.map(|(id, v)| (id, v as u64)));
        let from = START + if src_space == Space::Gm { 5 } else { 32 };
        let x = [m.space(dst_space, START), address(m, src_space, from), words[0], words[1]];
        let bytes = compare(m, row, (dst_space, src_space), seed, x, |source| {
            let mut e = Expected::default();
            for i in 0..repeats {
                let index = if backward { start - i * stride } else { start + i * stride };
                let (from, to) = (from + index * 512, START + i * (1 + gap) * 512);
                if !transpose {
                    e.copy(source, from, to, 512);
                    continue;
                }
                for r in 0..16 {
                    for c in 0..16 {
                        e.copy(source, from + (r * 16 + c) * 2, to + (c * 16 + r) * 2, 2);
                    }
                }
            }
            e
        })?;
        written.set(written.get() + bytes);
        Ok(())
    });
    written.get()
}

/// A case that is refused and the fault it gives.
fn refused(op: Op, x: [u64; 4], m: &Machine) -> String {
    m.decode(op, x).expect_err("refused").to_string()
}

#[test]
fn nd2nz_limits() {
    use FieldId::*;
    let m = Machine::new();
    let op = Op::Nd2nzF16;
    let words = |more: &[(FieldId, u64)]| {
        let defaults =
            [(NdNum, 1), (NValue, 2), (DValue, 20), (SrcDValue, 20), (DstC0Stride, 2), (DstNStride, 1)];
        let kept = defaults.iter().filter(|d| more.iter().all(|f| f.0 != d.0));
        config(Layout::Nd2Nz, &kept.chain(more).copied().collect::<Vec<_>>())
    };
    let x = |more: &[(FieldId, u64)]| {
        let w = words(more);
        [m.space(Space::L1, 0), m.gm(0), w[0], w[1]]
    };
    assert!(m.decode(op, x(&[])).is_ok());
    for (field, value, silent) in [
        (NValue, 16385, 16384),
        (DstC0Stride, 16385, 16384),
        (DstNStride, 16385, 16384),
        (DstMatrixStride, 16385, 16384),
    ] {
        let text = refused(op, x(&[(field, value)]), &m);
        assert!(
            text.contains("16385") && text.contains("0 to 16384") && text.contains(field.text()),
            "{text}"
        );
        assert!(m.decode(op, x(&[(field, silent)])).is_ok());
    }
    for field in [SrcDValue, DstC0Stride, DstNStride] {
        let text = refused(op, x(&[(field, 0)]), &m);
        assert!(text.contains("is 0, allowed is 1 to") && text.contains(field.text()), "{text}");
        assert!(m.decode(op, x(&[(field, 0), (NValue, 1), (DValue, 16)])).is_ok(), "one block has no stride");
    }
    let text = refused(op, x(&[(NdNum, 2), (DstMatrixStride, 17)]), &m);
    assert!(text.contains("is 17, it must be a multiple of 16"), "{text}");
    assert!(m.decode(op, x(&[(NdNum, 1), (DstMatrixStride, 17)])).is_ok(), "one matrix has no stride");
    assert!(m.decode(op, x(&[(NdNum, 2), (DstMatrixStride, 0)])).is_ok(), "documented: all on the first");
    let mut wrong = x(&[]);
    wrong[0] = m.ub(0);
    assert!(matches!(
        m.decode(op, wrong),
        Err(ExecFault::WrongSpace { operand: Operand::Dst, expected: Space::L1, found: Some(Space::Ub), .. })
    ));
}

#[test]
fn load2d_limits_and_alignment() {
    use FieldId::*;
    let m = Machine::new();
    let words =
        |transpose| config(Layout::Load2d, &[(RepeatTimes, 2), (SrcStride, 1), (IfTranspose, transpose)]);
    let x = |dst, src, transpose| [dst, src, words(transpose)[0], words(transpose)[1]];
    let (l0a, l1, gm) = (m.space(Space::L0a, 0), m.space(Space::L1, 0), m.gm(0));
    assert!(m.decode(Op::LoadL1ToL0a2dF16, x(l0a, l1, 1)).is_ok());
    for (op, src) in [(Op::LoadL1ToL0a2dS8, l1), (Op::LoadL1ToL0a2dF32, l1), (Op::LoadOutToL0a2dB16, gm)] {
        let text = refused(op, x(l0a, src, 1), &m);
        assert!(
            text.contains("transposition of each fractal (ifTranspose) is 1, allowed is 0 to 0"),
            "{text}"
        );
        assert!(m.decode(op, x(l0a, src, 0)).is_ok());
    }
    let d = m.decode(Op::LoadL1ToL0a2dF16, x(l0a, l1, 0)).expect("legal");
    assert_eq!(d.accesses().iter().map(|a| a.align_bytes).collect::<Vec<_>>(), [512, 32]);
    let d = m.decode(Op::LoadOutToL12dB16, x(l1, gm, 0)).expect("legal");
    assert_eq!(d.accesses().iter().map(|a| a.align_bytes).collect::<Vec<_>>(), [32, 1]);
    let sid = [l0a, l1, words(0)[0] | 1 << 40, 0];
    assert!(refused(Op::LoadL1ToL0a2dF16, sid, &m).contains("stream id"));
}
