//! Overlap of operands: what is refused, what runs.

use crate::machine::{Machine, Rng, config};
use crate::reference::{self, Modes};
use toprope_abi::isa::{DType, FieldId, Layout, Op};
use toprope_sim::exec::{ExecFault, Operand};

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
    assert!(m.decode(Op::VaddF32, at(0, 0, 4096)).is_ok());
    assert!(m.decode(Op::VaddF32, at(0, 4096, 0)).is_ok());
    assert!(m.decode(Op::VaddF32, at(0, 0, 0)).is_ok());
    assert!(m.decode(Op::VaddF32, at(0, 512, 1024)).is_ok());
    let fault = m.decode(Op::VaddF32, at(32, 0, 4096)).unwrap_err();
    assert!(matches!(fault, ExecFault::Overlap { operand: Operand::Src0, repeat: 0, .. }), "{fault}");
    let fault = m.decode(Op::VaddF32, at(224, 4096, 0)).unwrap_err();
    assert!(matches!(fault, ExecFault::Overlap { operand: Operand::Src1, repeat: 0, .. }), "{fault}");
    // Extents that interlock without meeting are apart.
    let interlocked = binary([2, 2, 2], [16; 3], 3);
    assert!(m.decode(Op::VaddF32, [m.ub(0), m.ub(32), m.ub(32), interlocked]).is_ok());
}

#[test]
fn a_masked_tail_is_not_part_of_the_repeat() {
    let mut m = Machine::new();
    let x = [m.ub(128), m.ub(0), m.ub(4096), binary([1; 3], [8; 3], 1)];
    assert!(m.decode(Op::VaddF32, x).is_err());
    m.normal(u128::from(u32::MAX));
    assert!(m.decode(Op::VaddF32, x).is_ok(), "32 floats each: apart");
    m.counter(32);
    assert!(m.decode(Op::VaddF32, x).is_ok());
    m.counter(33);
    assert!(m.decode(Op::VaddF32, x).is_err());
}

#[test]
fn a_repeat_must_not_read_what_an_earlier_one_wrote() {
    let m = Machine::new();
    let chain = [m.ub(256), m.ub(0), m.ub(8192), binary([1; 3], [8; 3], 3)];
    let fault = m.decode(Op::VaddF32, chain).unwrap_err();
    assert!(matches!(fault, ExecFault::RepeatHazard { operand: Operand::Src0, repeat: 0, .. }), "{fault}");
    let one = [m.ub(256), m.ub(0), m.ub(8192), binary([1; 3], [8; 3], 1)];
    assert!(m.decode(Op::VaddF32, one).is_ok());
    let backward = [m.ub(0), m.ub(256), m.ub(8192), binary([1; 3], [8; 3], 3)];
    assert!(m.decode(Op::VaddF32, backward).is_ok(), "what was read may be overwritten later");
    let far = [m.ub(512), m.ub(0), m.ub(8192), binary([1; 3], [8; 3], 3)];
    let fault = m.decode(Op::VaddF32, far).unwrap_err();
    assert!(matches!(fault, ExecFault::RepeatHazard { repeat: 0, .. }), "{fault}");
}

#[test]
fn only_the_second_source_accumulates() {
    let m = Machine::new();
    let onto_src1 = [m.ub(0), m.ub(4096), m.ub(0), binary([1; 3], [0, 8, 0], 4)];
    for op in [Op::VaddF32, Op::VaddF16, Op::VmulS32, Op::VmaxF32] {
        assert!(m.decode(op, onto_src1).is_ok());
    }
    assert!(matches!(m.decode(Op::VaddS16, onto_src1), Err(ExecFault::RepeatHazard { .. })), "not for int16");
    let onto_src0 = [m.ub(0), m.ub(0), m.ub(4096), binary([1; 3], [0, 0, 8], 4)];
    assert!(matches!(
        m.decode(Op::VaddF32, onto_src0),
        Err(ExecFault::RepeatHazard { operand: Operand::Src0, .. })
    ));
}

#[test]
fn brcb_operands_are_apart() {
    let m = Machine::new();
    let word = config(
        Layout::VecDup,
        &[(FieldId::DstBlockStride, 1), (FieldId::DstRepeatStride, 8), (FieldId::RepeatTimes, 2)],
    )[0];
    assert!(m.decode(Op::VbrcbB16, [m.ub(0), m.ub(512), word, 0]).is_ok());
    assert!(matches!(m.decode(Op::VbrcbB16, [m.ub(0), m.ub(480), word, 0]), Err(ExecFault::Overlap { .. })));
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
