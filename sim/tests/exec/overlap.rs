//! Overlap of operands: what leaves its result open, and which part of it.

use crate::machine::{Machine, Rng, config};
use crate::reference::{self, Modes};
use toprope_abi::isa::{DType, FieldId, Layout, Op};
use toprope_sim::exec::{Decoded, ExecFault, Operand};

/// The rule that an instruction breaks, which computes all the same.
fn broken(d: Result<Decoded, ExecFault>) -> Option<ExecFault> {
    d.expect("it computes").overwritten()
}

/// Offsets in UB, first and end, of the results that depend on overwritten sources.
fn open(m: &Machine, d: &Decoded) -> Vec<(u64, u64)> {
    let mut all: Vec<(u64, u64)> = Vec::new();
    let base = m.ub(0);
    d.open_results(&mut |r| {
        let (start, end) = (r.start - base, r.end - base);
        match all.last_mut() {
            Some(last) if last.1 == start => last.1 = end,
            _ => all.push((start, end)),
        }
    });
    all
}

fn binary(block: [u64; 3], repeat: [u64; 3], repeats: u64) -> u64 {
    use FieldId::*;
    config(
        Layout::VecBinary,
        &[
            (DstBlockStride, block[0]),
            (Src0BlockStride, block[1]),
            (Src1BlockStride, block[2]),
            (DstRepeatStride, repeat[0]),
            (Src0RepeatStride, repeat[1]),
            (Src1RepeatStride, repeat[2]),
            (RepeatTimes, repeats),
        ],
    )[0]
}

fn unary(repeat: [u64; 2], repeats: u64) -> u64 {
    use FieldId::*;
    config(
        Layout::VecUnary,
        &[
            (DstBlockStride, 1),
            (Src0BlockStride, 1),
            (DstRepeatStride, repeat[0]),
            (Src0RepeatStride, repeat[1]),
            (RepeatTimes, repeats),
        ],
    )[0]
}

#[test]
fn inside_a_repeat_operands_are_the_same_or_apart() {
    let m = Machine::new();
    let packed = binary([1; 3], [8; 3], 2);
    let at = |dst: usize, a: usize, b: usize| [m.ub(dst), m.ub(a), m.ub(b), packed];
    assert_eq!(broken(m.decode(Op::VaddF32, at(0, 0, 4096))), None);
    assert_eq!(broken(m.decode(Op::VaddF32, at(0, 4096, 0))), None);
    assert_eq!(broken(m.decode(Op::VaddF32, at(0, 0, 0))), None);
    assert_eq!(broken(m.decode(Op::VaddF32, at(0, 512, 1024))), None);
    let fault = broken(m.decode(Op::VaddF32, at(32, 0, 4096))).unwrap();
    assert!(matches!(fault, ExecFault::Overlap { operand: Operand::Src0, repeat: 0, .. }), "{fault}");
    let fault = broken(m.decode(Op::VaddF32, at(224, 4096, 0))).unwrap();
    assert!(matches!(fault, ExecFault::Overlap { operand: Operand::Src1, repeat: 0, .. }), "{fault}");
    // Extents that interlock without meeting are apart.
    let interlocked = binary([2, 2, 2], [16; 3], 3);
    assert_eq!(broken(m.decode(Op::VaddF32, [m.ub(0), m.ub(32), m.ub(32), interlocked])), None);
}

#[test]
fn a_masked_tail_is_not_part_of_the_repeat() {
    let mut m = Machine::new();
    let x = [m.ub(128), m.ub(0), m.ub(4096), binary([1; 3], [8; 3], 1)];
    assert!(broken(m.decode(Op::VaddF32, x)).is_some());
    m.normal(u128::from(u32::MAX));
    assert_eq!(broken(m.decode(Op::VaddF32, x)), None, "32 floats each: apart");
    m.counter(32);
    assert_eq!(broken(m.decode(Op::VaddF32, x)), None);
    m.counter(33);
    assert!(broken(m.decode(Op::VaddF32, x)).is_some());
}

#[test]
fn a_repeat_must_not_read_what_an_earlier_one_wrote() {
    let m = Machine::new();
    let chain = [m.ub(256), m.ub(0), m.ub(8192), binary([1; 3], [8; 3], 3)];
    let fault = broken(m.decode(Op::VaddF32, chain)).unwrap();
    assert!(matches!(fault, ExecFault::RepeatHazard { operand: Operand::Src0, repeat: 0, .. }), "{fault}");
    let one = [m.ub(256), m.ub(0), m.ub(8192), binary([1; 3], [8; 3], 1)];
    assert_eq!(broken(m.decode(Op::VaddF32, one)), None);
    let backward = [m.ub(0), m.ub(256), m.ub(8192), binary([1; 3], [8; 3], 3)];
    assert_eq!(broken(m.decode(Op::VaddF32, backward)), None, "what was read may be overwritten later");
    let far = [m.ub(512), m.ub(0), m.ub(8192), binary([1; 3], [8; 3], 3)];
    let fault = broken(m.decode(Op::VaddF32, far)).unwrap();
    assert!(matches!(fault, ExecFault::RepeatHazard { repeat: 0, .. }), "{fault}");
}

#[test]
fn only_the_second_source_accumulates() {
    let m = Machine::new();
    let onto_src1 = [m.ub(0), m.ub(4096), m.ub(0), binary([1; 3], [0, 8, 0], 4)];
    for op in [Op::VaddF32, Op::VaddF16, Op::VmulS32, Op::VmaxF32] {
        assert_eq!(broken(m.decode(op, onto_src1)), None);
    }
    let int16 = broken(m.decode(Op::VaddS16, onto_src1));
    assert!(matches!(int16, Some(ExecFault::RepeatHazard { .. })), "not for int16");
    let onto_src0 = [m.ub(0), m.ub(0), m.ub(4096), binary([1; 3], [0, 0, 8], 4)];
    assert!(matches!(
        broken(m.decode(Op::VaddF32, onto_src0)),
        Some(ExecFault::RepeatHazard { operand: Operand::Src0, .. })
    ));
}

/// Only elements whose sources another element overwrites are open; the others have the sum that they have with operands apart.
#[test]
fn open_results_are_those_of_overwritten_sources() {
    let mut m = Machine::new();
    // One repeat: the second source begins 128 bytes before the destination, so its last 32 elements are the first 32 results.
    let tail = [m.ub(256), m.ub(4096), m.ub(128), binary([1; 3], [8; 3], 1)];
    let d = m.decode(Op::VaddF32, tail).expect("it computes");
    assert_eq!(open(&m, &d), [(384, 512)]);
    // Two repeats behind each other: what the first wrote, the second reads; nothing inside a repeat.
    let chain = m.decode(Op::VaddF32, [m.ub(256), m.ub(0), m.ub(8192), binary([1; 3], [8; 3], 2)]);
    assert_eq!(open(&m, &chain.expect("it computes")), [(512, 768)]);
    // Onto the first source: every repeat after the first.
    let onto = m.decode(Op::VaddF32, [m.ub(0), m.ub(0), m.ub(4096), binary([1; 3], [0, 0, 8], 3)]);
    assert_eq!(open(&m, &onto.expect("it computes")), [(0, 256), (0, 256)]);
    // A mask leaves the overwritten ones out.
    m.normal(u128::from(u32::MAX));
    let d = m.decode(Op::VaddF32, tail).expect("legal");
    assert_eq!((d.overwritten(), open(&m, &d)), (None, vec![]));
    m.normal(u128::MAX);

    for (i, word) in m.ub_bytes().chunks_exact_mut(4).enumerate() {
        word.copy_from_slice(&(i as f32 * 0.5).to_le_bytes());
    }
    let before = m.ub_bytes().to_vec();
    m.run(Op::VaddF32, tail).expect("it computes");
    let float = |bytes: &[u8], at: usize| f32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    for e in 0..32 {
        let want = float(&before, 4096 + 4 * e) + float(&before, 128 + 4 * e);
        assert_eq!(float(m.ub_bytes(), 256 + 4 * e).to_bits(), want.to_bits(), "element {e}");
    }
}

#[test]
fn brcb_operands_are_apart() {
    let m = Machine::new();
    let word = config(
        Layout::VecDup,
        &[(FieldId::DstBlockStride, 1), (FieldId::DstRepeatStride, 8), (FieldId::RepeatTimes, 2)],
    )[0];
    assert_eq!(broken(m.decode(Op::VbrcbB16, [m.ub(0), m.ub(512), word, 0])), None);
    let met = m.decode(Op::VbrcbB16, [m.ub(0), m.ub(480), word, 0]).expect("it computes");
    assert!(matches!(met.overwritten(), Some(ExecFault::Overlap { .. })));
    assert_eq!(open(&m, &met), [(0, 512)], "all of it");
}

/// Conversions in place, narrowing and widening, as kernels do: the repeat is read before it is written.
#[test]
fn conversions_in_place() {
    let mut m = Machine::new();
    let modes = Modes { saturate: false, truncate: false, deq_scale: 0 };
    let count = 1000u64;
    m.counter(count);
    // (op, source offset, repeat strides): narrowing at the same address; widening from the end of the buffer.
    let cases = [
        (Op::VconvF322f16rV220, 0, [4, 8]),
        (Op::VconvF322s16zV220, 0, [4, 8]),
        (Op::VconvF162f32V220, 2016, [8, 4]),
        (Op::VconvF162s32rV220, 2016, [8, 4]),
    ];
    for (op, from, repeat) in cases {
        let row = op.row();
        Rng(3).fill(m.ub_bytes(), row.src);
        let size = |t: DType| t.bits() as usize / 8;
        let before = m.ub_bytes().to_vec();
        m.run(op, [m.ub(0), m.ub(from), unary(repeat, 1), 0]).unwrap_or_else(|e| panic!("{e}"));
        for e in 0..count as usize {
            let raw = |bytes: &[u8]| bytes.iter().rev().fold(0u64, |x, b| x << 8 | u64::from(*b));
            let a = raw(&before[from + e * size(row.src)..][..size(row.src)]);
            let want = reference::element(row, a, 0, 0, modes);
            let got = raw(&m.ub_bytes()[e * size(row.dst)..][..size(row.dst)]);
            assert_eq!(got, want, "{} element {e}", row.intrinsic);
        }
    }
    // Widening at the same address overwrites what later repeats read.
    let widening = m.decode(Op::VconvF162f32V220, [m.ub(0), m.ub(0), unary([8, 4], 1), 0]);
    assert_eq!(widening.expect("warned of, not refused").hazard(), Some(0));
    let narrowing = m.decode(Op::VconvF322f16rV220, [m.ub(0), m.ub(0), unary([4, 8], 1), 0]);
    assert_eq!(narrowing.expect("in place").hazard(), None);
}
