//! What the decoder refuses, each with a twin it accepts.

use crate::machine::{CONTIGUOUS_BINARY, Machine, config, pack};
use toprope_abi::isa::{FieldId, Layout, Op, Space};
use toprope_sim::exec::{ExecFault, Operand};

fn binary(fields: &[(FieldId, u64)]) -> u64 {
    pack(Layout::VecBinary, &CONTIGUOUS_BINARY, fields)
}

fn unary(fields: &[(FieldId, u64)]) -> u64 {
    let defaults = [
        (FieldId::DstBlockStride, 1),
        (FieldId::Src0BlockStride, 1),
        (FieldId::DstRepeatStride, 8),
        (FieldId::Src0RepeatStride, 8),
        (FieldId::RepeatTimes, 1),
    ];
    pack(Layout::VecUnary, &defaults, fields)
}

#[test]
fn operands_in_the_wrong_memory() {
    let m = Machine::new();
    let c = binary(&[]);
    let good = [m.ub(0), m.ub(4096), m.ub(8192), c];
    assert!(m.decode(Op::VaddF32, good).is_ok());
    let places = [
        (m.gm(0), Some(Space::Gm)),
        (m.space(Space::L1, 64), Some(Space::L1)),
        (m.space(Space::Gm, 64), None),
    ];
    for (i, operand) in [Operand::Dst, Operand::Src0, Operand::Src1].into_iter().enumerate() {
        for (address, found) in places {
            let mut x = good;
            x[i] = address;
            let want =
                ExecFault::WrongSpace { intrinsic: "VADD.f32", operand, address, expected: Space::Ub, found };
            assert_eq!(m.decode(Op::VaddF32, x).unwrap_err(), want);
        }
    }
    let burst = config(Layout::Burst, &[(FieldId::BurstCount, 1), (FieldId::BurstLen, 1)])[0];
    assert!(m.decode(Op::MovOutToUbV220, [m.ub(0), m.gm(0), burst, 0]).is_ok());
    let swapped = m.decode(Op::MovOutToUbV220, [m.gm(0), m.ub(0), burst, 0]);
    assert!(matches!(swapped, Err(ExecFault::WrongSpace { operand: Operand::Dst, expected: Space::Ub, .. })));
    let text = m.decode(Op::VaddF32, [m.ub(0), m.gm(16), m.ub(0), c]).unwrap_err().to_string();
    assert!(text.contains("the first source must be in UB") && text.contains("is GM"), "{text}");
}

#[test]
fn destination_block_stride_0() {
    let mut m = Machine::new();
    let x = [m.ub(0), m.ub(4096), m.ub(8192), binary(&[(FieldId::DstBlockStride, 0)])];
    let fault = m.decode(Op::VaddF32, x).unwrap_err();
    assert_eq!(fault, ExecFault::ZeroDstBlockStride { intrinsic: "VADD.f32", blocks: 8 });
    m.normal(0xff);
    assert!(m.decode(Op::VaddF32, x).is_ok(), "one block has no stride");
    m.normal(0x1ff);
    assert!(m.decode(Op::VaddF32, x).is_err());
    m.normal(1 << 63 | 1);
    let fault = m.decode(Op::VaddF32, x).unwrap_err();
    assert_eq!(fault, ExecFault::ZeroDstBlockStride { intrinsic: "VADD.f32", blocks: 2 });
    m.counter(8);
    assert!(m.decode(Op::VaddF32, x).is_ok());
    m.counter(9);
    assert!(m.decode(Op::VaddF32, x).is_err());
    let brcb =
        |stride| config(Layout::VecDup, &[(FieldId::DstBlockStride, stride), (FieldId::RepeatTimes, 1)])[0];
    assert!(m.decode(Op::VbrcbB32, [m.ub(0), m.ub(4096), brcb(0), 0]).is_err());
    assert!(m.decode(Op::VbrcbB32, [m.ub(0), m.ub(4096), brcb(1), 0]).is_ok());
}

#[test]
fn masks_that_select_nothing() {
    let mut m = Machine::new();
    let x = [m.ub(0), m.ub(4096), m.ub(8192), binary(&[])];
    m.normal(u128::from(u64::MAX) << 64);
    let fault = m.decode(Op::VaddF32, x).unwrap_err();
    assert_eq!(fault, ExecFault::EmptyMask { intrinsic: "VADD.f32", bits: 32, used: 64 });
    assert!(m.decode(Op::VaddF16, x).is_ok(), "16-bit elements use the high word");
    m.counter(0);
    assert!(m.decode(Op::VaddF32, x).expect("count 0 does nothing").accesses().is_empty());
    m.normal(0);
    let none = [m.ub(0), m.ub(4096), m.ub(8192), binary(&[(FieldId::RepeatTimes, 0)])];
    assert!(m.decode(Op::VaddF32, none).expect("repeat 0 does nothing").accesses().is_empty());
    m.normal(1 << 40);
    let wide = [m.ub(0), m.ub(4096), unary(&[(FieldId::Src0RepeatStride, 4)]), 0];
    assert!(matches!(
        m.decode(Op::VconvS322s641V220, wide),
        Err(ExecFault::EmptyMask { bits: 64, used: 32, .. })
    ));
}

#[test]
fn four_bit_elements_come_in_pairs() {
    let mut m = Machine::new();
    let x = [m.ub(0), m.ub(4096), unary(&[(FieldId::DstRepeatStride, 2)]), 0];
    m.normal(0b1111);
    assert!(m.decode(Op::VconvF162s4rV220, x).is_ok());
    m.normal(0b1011);
    let split = m.decode(Op::VconvF162s4rV220, x);
    assert!(matches!(split, Err(ExecFault::SplitPair { element: 2, .. })), "{split:?}");
    m.counter(130);
    assert!(m.decode(Op::VconvF162s4rV220, x).is_ok());
    m.counter(129);
    assert!(matches!(m.decode(Op::VconvF162s4rV220, x), Err(ExecFault::SplitPair { element: 0, .. })));
}

#[test]
fn shift_distances() {
    let m = Machine::new();
    let x = |s: i64| [m.ub(0), m.ub(4096), s as u64, unary(&[])];
    for (op, width) in [(Op::VshlS16, 16), (Op::VshrU16, 16), (Op::VshlU32, 32), (Op::VshrS32, 32)] {
        assert!(m.decode(op, x(0)).is_ok() && m.decode(op, x(width)).is_ok());
        let far = m.decode(op, x(width + 1)).unwrap_err();
        assert!(
            matches!(far, ExecFault::ScalarRange { asked, max, .. } if asked == width + 1 && max == width as u64)
        );
        assert!(matches!(m.decode(op, x(-1)), Err(ExecFault::ScalarRange { asked: -1, .. })));
    }
}

#[test]
fn fields_of_copies() {
    let m = Machine::new();
    let burst = |sid| {
        config(Layout::Burst, &[(FieldId::Sid, sid), (FieldId::BurstCount, 1), (FieldId::BurstLen, 1)])[0]
    };
    assert!(m.decode(Op::MovUbToUbV220, [m.ub(0), m.ub(4096), burst(0), 0]).is_ok());
    let sid = m.decode(Op::MovUbToUbV220, [m.ub(0), m.ub(4096), burst(3), 0]);
    assert!(matches!(sid, Err(ExecFault::FieldRange { field: FieldId::Sid, asked: 3, max: 0, .. })));
    let align = |len, left| {
        let fields = [(FieldId::BurstCount, 1), (FieldId::BurstLen, len), (FieldId::LeftPad, left)];
        config(Layout::AlignIn, &fields)[0]
    };
    let run = |op, word| m.decode(op, [m.ub(0), m.gm(1), word, 0]);
    assert!(run(Op::MovOutToUbAlignB16V220, align(6, 16)).is_ok());
    let pad = run(Op::MovOutToUbAlignB16V220, align(6, 17));
    assert!(matches!(pad, Err(ExecFault::PadRange { field: FieldId::LeftPad, bytes: 34, .. })));
    let field = run(Op::MovOutToUbAlignB8V220, align(6, 33));
    assert!(matches!(field, Err(ExecFault::FieldRange { field: FieldId::LeftPad, asked: 33, max: 32, .. })));
    let partial = run(Op::MovOutToUbAlignB32V220, align(6, 0));
    assert!(matches!(partial, Err(ExecFault::PartialElement { len_bytes: 6, element_bytes: 4, .. })));
}

#[test]
fn alignment_requirements_are_on_the_accesses() {
    let m = Machine::new();
    let d = m.decode(Op::VaddF16, [m.ub(0), m.ub(4096), m.ub(8192), binary(&[])]).expect("legal");
    assert!(d.accesses().iter().all(|a| a.align_bytes == 32 && a.space == Space::Ub));
    let burst = config(Layout::Burst, &[(FieldId::BurstCount, 1), (FieldId::BurstLen, 1)])[0];
    let d = m.decode(Op::MovOutToUbV220, [m.ub(0), m.gm(1), burst, 0]).expect("legal");
    let aligns: Vec<_> = d.accesses().iter().map(|a| (a.space, a.align_bytes)).collect();
    assert_eq!(aligns, [(Space::Ub, 32), (Space::Gm, 1)]);
}
