//! Compound arithmetic against stages written one by one, each rounded with the plain reference.

use crate::machine::{Machine, Rng, config, touched};
use crate::reference::{self, Modes, integer, value};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use toprope_abi::isa::{BinaryFn, CompoundKind, DType, FieldId, Kind, Layout, OPS, Op, OpRow, ctrl};
use toprope_sim::exec::{ExecFault, Operand};

const DST: usize = 0;
const SRC: [usize; 2] = [48 << 10, 96 << 10];
const TABLE: usize = 150 << 10;

#[derive(Clone, Copy, Debug)]
enum Mask {
    Bits(u128),
    Count(u64),
}

#[derive(Clone, Copy, Debug)]
struct Case {
    block: [u64; 3],
    repeat: [u64; 3],
    repeats: u64,
    mask: Mask,
    saturate: bool,
    seed: u64,
}

fn case(row: &OpRow) -> impl Strategy<Value = Case> + use<> {
    let wide = row.dst.bits().max(row.src.bits());
    let unit = move |bits: u32| 8 * u64::from(bits) / u64::from(wide);
    let packed = [unit(row.dst.bits()), unit(row.src.bits()), unit(row.src.bits())];
    let strided = ([1..4u64, 0..4, 0..4], [0..20u64, 0..20, 0..20]);
    let strides = prop_oneof![Just(([1; 3], packed)), strided];
    let mask = prop_oneof![
        3 => Just(Mask::Bits(u128::MAX)),
        3 => any::<u128>().prop_map(|m| Mask::Bits(m | 1)),
        1 => (1..64u32).prop_map(|n| Mask::Bits(u128::MAX >> (128 - n))),
        4 => (0..600u64).prop_map(Mask::Count),
    ];
    (strides, 0..6u64, mask, any::<bool>(), any::<u64>()).prop_map(
        |((block, repeat), repeats, mask, saturate, seed)| Case {
            block,
            repeat,
            repeats,
            mask,
            saturate,
            seed,
        },
    )
}

fn kind_of(row: &OpRow) -> CompoundKind {
    match row.kind {
        Kind::Compound(kind) => kind,
        _ => panic!("{} is not of this family", row.intrinsic),
    }
}

/// Elements of each repeat that are selected.
fn selected(c: &Case, per_repeat: u64) -> Vec<Vec<u64>> {
    match c.mask {
        Mask::Bits(bits) => {
            let one: Vec<u64> = (0..per_repeat.min(128)).filter(|e| bits >> e & 1 == 1).collect();
            vec![one; c.repeats as usize]
        }
        Mask::Count(n) => {
            (0..n.div_ceil(per_repeat)).map(|r| (0..per_repeat.min(n - r * per_repeat)).collect()).collect()
        }
    }
}

fn place(c: &Case, operand: usize, bits: u64, r: u64, e: u64) -> usize {
    let per_block = 256 / bits;
    (r * c.repeat[operand] * 32 + e / per_block * c.block[operand] * 32 + e % per_block * bits / 8) as usize
}

fn read(bytes: &[u8], at: usize, t: DType) -> u64 {
    let mut word = [0; 8];
    let n = t.bits() as usize / 8;
    word[..n].copy_from_slice(&bytes[at..at + n]);
    u64::from_le_bytes(word)
}

fn relu(t: DType, bits: u64) -> u64 {
    let negative = if t == DType::S16 { integer(t, bits) < 0 } else { value(t, bits) <= 0.0 };
    if negative { 0 } else { bits }
}

/// The exact product of two halves as a float.
fn wide_product(a: u64, b: u64) -> u64 {
    let x = (value(DType::F16, a) * value(DType::F16, b)) as f32;
    u64::from(if x.is_nan() { 0x7fc0_0000 } else { x.to_bits() })
}

fn byte_of_half(t: DType, half: u64, m: Modes) -> u64 {
    let conversion = if t == DType::S8 { Op::VconvF162s8rV220 } else { Op::VconvF162u8rV220 };
    reference::element(conversion.row(), half, 0, 0, m)
}

/// The destination element from its sources, its old value and the scalar.
fn element(row: &OpRow, a: u64, b: u64, old: u64, s: u64, m: Modes) -> u64 {
    use CompoundKind as K;
    let (t, from) = (row.dst, row.src);
    let of = |f, t, a, b| reference::binary(f, t, a, b, m.saturate);
    let product = |a, b| if t == from { of(BinaryFn::Mul, t, a, b) } else { wide_product(a, b) };
    let kind = kind_of(row);
    let sum = |t| {
        of(if matches!(kind, K::SubRelu | K::SubReluCast) { BinaryFn::Sub } else { BinaryFn::Add }, t, a, b)
    };
    match kind {
        K::Axpy => of(BinaryFn::Add, t, product(a, s), old),
        K::MulAddDst => of(BinaryFn::Add, t, product(a, b), old),
        K::FusedMulAdd => of(BinaryFn::Add, t, product(a, old), b),
        K::FusedMulAddRelu => relu(t, of(BinaryFn::Add, t, product(a, old), b)),
        K::AddRelu | K::SubRelu => relu(t, sum(t)),
        K::AddReluCast | K::SubReluCast if from == DType::F32 => {
            let sum = sum(from);
            let sum = if value(from, sum).is_nan() { 0 } else { relu(from, sum) };
            reference::element(Op::VconvF322f16rV220.row(), sum, 0, 0, m)
        }
        K::AddReluCast | K::SubReluCast if from == DType::F16 => byte_of_half(t, relu(from, sum(from)), m),
        K::AddReluCast | K::SubReluCast => {
            let (x, y) = (integer(from, a), integer(from, b));
            let exact = if kind == K::SubReluCast { x - y } else { x + y };
            exact.clamp(0, 127) as u64
        }
        K::MulCast => byte_of_half(t, of(BinaryFn::Mul, from, a, b), m),
        K::ShiftRightRound => {
            let x = integer(t, a);
            let last = if s == 0 { 0 } else { x.div_euclid(1 << (s - 1)).rem_euclid(2) };
            (x.div_euclid(1 << s) + last) as u64 & ((1 << t.bits()) - 1)
        }
        K::Dequantise { .. } => {
            let scale = f32::from_bits(s as u32 & 0xffff_e000);
            let offset = (s >> 37 & 0x1ff) as f64;
            let offset = if offset >= 256.0 { offset - 512.0 } else { offset };
            let x = integer(DType::S16, a) as f64 * f64::from(scale) + offset;
            let (low, high) = if t == DType::S8 { (-128.0, 127.0) } else { (0.0, 255.0) };
            let x = if x.is_nan() { 0.0 } else { x.round_ties_even().clamp(low, high) };
            x as i64 as u64 & 0xff
        }
    }
}

/// A parameter word whose sign agrees with the destination.
fn parameters(row: &OpRow, rng: &mut Rng) -> u64 {
    let scale = match rng.below(4) {
        0 => 1.0f32,
        1 => 0.5,
        2 => rng.below(1000) as f32 * 0.013,
        _ => f32::from_bits(rng.next() as u32),
    };
    let offset = rng.below(512);
    u64::from(scale.to_bits()) | offset << 37 | u64::from(row.dst == DType::S8) << 46
}

fn operands(m: &Machine, row: &OpRow, c: &Case, scalar: u64) -> [u64; 4] {
    use FieldId::*;
    let fields = [
        (DstBlockStride, c.block[0]),
        (Src0BlockStride, c.block[1]),
        (DstRepeatStride, c.repeat[0]),
        (Src0RepeatStride, c.repeat[1]),
        (RepeatTimes, c.repeats),
    ];
    let word = config(row.layout, &fields)[0];
    let (dst, a, b) = (m.ub(DST), m.ub(SRC[0]), m.ub(SRC[1]));
    match kind_of(row) {
        CompoundKind::Axpy | CompoundKind::ShiftRightRound => [dst, a, scalar, word],
        CompoundKind::Dequantise { .. } => [dst, a, word, 0],
        _ => {
            let extra = [(Src1BlockStride, c.block[2]), (Src1RepeatStride, c.repeat[2])];
            [dst, a, b, word | config(Layout::VecBinary, &extra)[0]]
        }
    }
}

fn check(machine: &mut Machine, row: &'static OpRow, mut c: Case) -> Result<usize, TestCaseError> {
    let kind = kind_of(row);
    let dequantise = matches!(kind, CompoundKind::Dequantise { .. });
    let sources = match kind {
        CompoundKind::Axpy | CompoundKind::ShiftRightRound | CompoundKind::Dequantise { .. } => 1,
        _ => 2,
    };
    if kind.reads_dst() {
        // Repeats that meet in the destination are refused.
        c.repeat[0] = c.repeat[0].max(c.block[0] * 7 + 1);
    }
    let mut rng = Rng(c.seed);
    rng.fill(&mut machine.ub_bytes()[..SRC[0]], row.dst);
    rng.fill(&mut machine.ub_bytes()[SRC[0]..TABLE], row.src);
    let words: [u64; 16] = std::array::from_fn(|_| parameters(row, &mut rng));
    let table = matches!(kind, CompoundKind::Dequantise { table: true, .. });
    for (i, word) in words.iter().enumerate() {
        machine.ub_bytes()[TABLE + 8 * i..TABLE + 8 * i + 8].copy_from_slice(&word.to_le_bytes());
    }
    machine.regs.deq_scale = if table { TABLE as u64 / 32 } else { words[0] };
    machine.set_ctrl(ctrl::INF_NAN, !c.saturate);
    match c.mask {
        Mask::Bits(bits) => machine.normal(bits),
        Mask::Count(n) => machine.counter(n),
    }
    let scalar = match kind {
        CompoundKind::ShiftRightRound => rng.below(u64::from(row.dst.bits()) + 1),
        _ => rng.element(row.src),
    };
    let m = Modes { saturate: c.saturate, truncate: false, deq_scale: 0 };
    let wide = u64::from(row.dst.bits().max(row.src.bits()));
    let before = machine.ub_bytes().to_vec();
    let mut want = before.clone();
    let mut written = 0;
    let mut reads: [Vec<usize>; 2] = Default::default();
    for (r, chosen) in selected(&c, 2048 / wide).into_iter().enumerate() {
        let r = r as u64;
        let mut results = Vec::new();
        for e in chosen {
            let src: Vec<usize> =
                (0..sources).map(|i| SRC[i] + place(&c, i + 1, row.src.bits().into(), r, e)).collect();
            src.iter()
                .zip(&mut reads)
                .for_each(|(at, list)| list.extend(*at..at + row.src.bits() as usize / 8));
            let a = read(&want, src[0], row.src);
            let b = if sources == 2 { read(&want, src[1], row.src) } else { 0 };
            let at = if let CompoundKind::Dequantise { high, .. } = kind {
                place(&c, 0, 16, r, e - e % 16) + e as usize % 16 + 16 * usize::from(high)
            } else {
                place(&c, 0, row.dst.bits().into(), r, e)
            };
            let s = if table {
                words[e as usize % 16]
            } else if dequantise {
                words[0]
            } else {
                scalar
            };
            results.push((at, element(row, a, b, read(&want, at, row.dst), s, m)));
        }
        for (at, bits) in results {
            let n = row.dst.bits() as usize / 8;
            want[at..at + n].copy_from_slice(&bits.to_le_bytes()[..n]);
            written += 1;
        }
    }
    let x = operands(machine, row, &c, scalar);
    let d = machine.run(row.op, x).map_err(|e| TestCaseError::fail(format!("{e} ({c:?})")))?;
    prop_assert_eq!(d.accesses().is_empty(), written == 0);
    prop_assert_eq!(d.work().elements, written as u64);
    for a in d.accesses() {
        let list = match a.operand {
            Operand::Src0 => &mut reads[0],
            Operand::Src1 if !table => &mut reads[1],
            _ => continue,
        };
        list.sort_unstable();
        list.dedup();
        prop_assert_eq!(&touched(a, machine.ub(0)), list, "footprint of {} in {:?}", a.operand, c);
    }
    let got = machine.ub_bytes();
    if let Some(i) = (0..want.len()).find(|i| got[*i] != want[*i]) {
        let at = i - i % (row.dst.bits() as usize / 8);
        let text = format!(
            "byte {i}: was {:#x}, is {:#x}, expected {:#x}, scalar {scalar:#x}, {c:?}",
            read(&before, at, row.dst),
            read(got, at, row.dst),
            read(&want, at, row.dst)
        );
        return Err(TestCaseError::fail(text));
    }
    Ok(written)
}

/// Runs a row over many cases; returns the number of elements written.
pub fn check_row(row: &'static OpRow) -> usize {
    let machine = std::cell::RefCell::new(Machine::new());
    let written = std::cell::Cell::new(0);
    let config = Config { cases: 64, failure_persistence: None, ..Config::default() };
    let outcome = TestRunner::new(config).run(&case(row), |c| {
        written.set(written.get() + check(&mut machine.borrow_mut(), row, c)?);
        Ok(())
    });
    if let Err(e) = outcome {
        panic!("{}: {e}", row.intrinsic);
    }
    written.get()
}

/// Rows of the boundary-value tables that can be taken at their word: half, src0, src1 (or scalar), dst, both modes' results.
#[test]
fn published_boundary_values() {
    let (max, min, inf, ninf, nan) = (0x7bffu64, 0xfbff, 0x7c00, 0xfc00, 0x7e00);
    let cases = [
        // Axpy and MulAddDst: product stage, then the sum.
        (Op::VmlaF16, inf, max, ninf, nan, min),
        (Op::VmlaF16, max, max, min, inf, 0),
        (Op::VmlaF16, inf, min, max, ninf, 0),
        (Op::VmlaF16, 0, inf, inf, nan, max),
        (Op::VmlaF16, nan, max, ninf, nan, min),
        (Op::VmlaF16, 0, 0, ninf, ninf, min),
        // FusedMulAdd and MulAddRelu: src0 · dst, then src1.
        (Op::VmaddF16, max, min, max, inf, 0),
        (Op::VmaddreluF16, inf, ninf, max, nan, 0),
        (Op::VmaddreluF16, max, ninf, 0x8000, 0, 0),
    ];
    let mut machine = Machine::new();
    let word = operands(&machine, Op::VmlaF16.row(), &one_block(), 0)[3];
    for (op, src0, src1, dst, plain, saturated) in cases {
        for (saturate, want) in [(false, plain), (true, saturated)] {
            machine.normal(1);
            machine.set_ctrl(ctrl::INF_NAN, !saturate);
            for (at, bits) in [(DST, dst), (SRC[0], src0), (SRC[1], src1)] {
                machine.ub_bytes()[at..at + 2].copy_from_slice(&(bits as u16).to_le_bytes());
            }
            let x = [machine.ub(DST), machine.ub(SRC[0]), machine.ub(SRC[1]), word];
            machine.run(op, x).expect("legal");
            let got = read(machine.ub_bytes(), DST, DType::F16);
            assert_eq!(got, want, "{op:?} of {src0:#x} {src1:#x} {dst:#x}, saturating: {saturate}");
        }
    }
}

fn one_block() -> Case {
    Case { block: [1; 3], repeat: [8; 3], repeats: 1, mask: Mask::Bits(1), saturate: false, seed: 0 }
}

#[test]
fn every_shift_with_rounding_adds_the_last_bit() {
    let mut machine = Machine::new();
    machine.normal(1);
    let word = operands(&machine, Op::VshrS16Round.row(), &one_block(), 0)[3];
    for (x, n, want) in
        [(17i16, 5, 1), (15, 5, 0), (-17, 5, -1), (-15, 5, 0), (-1, 16, 0), (3, 0, 3), (i16::MAX, 1, 1 << 14)]
    {
        machine.ub_bytes()[SRC[0]..SRC[0] + 2].copy_from_slice(&x.to_le_bytes());
        machine.run(Op::VshrS16Round, [machine.ub(DST), machine.ub(SRC[0]), n, word]).expect("legal");
        assert_eq!(read(machine.ub_bytes(), DST, DType::S16) as i16, want, "{x} >> {n}");
    }
    let far = machine.decode(Op::VshrS16Round, [machine.ub(DST), machine.ub(SRC[0]), 17, word]);
    assert!(matches!(far, Err(ExecFault::ScalarRange { asked: 17, max: 16, .. })));
}

#[test]
fn a_destination_that_is_an_input_is_not_written_twice() {
    let mut m = Machine::new();
    m.normal(u128::MAX);
    let c = |repeat| Case { repeat: [repeat, 8, 8], repeats: 2, ..one_block() };
    for (op, ok) in [(Op::VmlaF32, false), (Op::VmaddF16, false), (Op::VaddreluF32, true)] {
        let x = |repeat| operands(&m, op.row(), &c(repeat), 0);
        assert_eq!(m.decode(op, x(0)).is_ok(), ok, "{op:?} writes one place twice");
        assert!(m.decode(op, x(8)).is_ok());
    }
    let hazard = m.decode(Op::VmlaF32, operands(&m, Op::VmlaF32.row(), &c(4), 0));
    assert!(
        matches!(hazard, Err(ExecFault::RepeatHazard { operand: Operand::Dst, repeat: 0, .. })),
        "{hazard:?}"
    );
}

#[test]
fn mixed_widths_must_be_apart() {
    let mut m = Machine::new();
    m.normal(u128::MAX);
    let mut x = operands(&m, Op::VmlaF162f32.row(), &one_block(), 0);
    assert!(m.decode(Op::VmlaF162f32, x).is_ok());
    x[1] = x[0] + 64;
    let meets = m.decode(Op::VmlaF162f32, x);
    assert!(matches!(meets, Err(ExecFault::Overlap { operand: Operand::Src0, .. })), "{meets:?}");
    let mut y = operands(&m, Op::VaxpyF162f32.row(), &one_block(), 0);
    y[1] = y[0];
    assert!(matches!(m.decode(Op::VaxpyF162f32, y), Err(ExecFault::Overlap { .. })));
}

#[test]
fn accumulating_sums_with_relu() {
    let mut m = Machine::new();
    m.normal(u128::MAX);
    let c = Case { repeat: [0, 8, 0], repeats: 3, ..one_block() };
    for (op, ok) in [(Op::VaddreluF16, true), (Op::VsubreluF32, true), (Op::VaddreluS16, false)] {
        let mut x = operands(&m, op.row(), &c, 0);
        x[2] = x[0];
        let is_open = m.decode(op, x).expect("it computes").overwritten().is_some();
        assert_eq!(!is_open, ok, "{op:?}");
    }
}

#[test]
fn dequantisation_says_the_sign_of_its_destination() {
    let mut m = Machine::new();
    m.normal(u128::MAX);
    let x = operands(&m, Op::VconvDeqS162s8h.row(), &one_block(), 0);
    m.regs.deq_scale = 1 << 46;
    assert!(m.decode(Op::VconvDeqS162s8h, x).is_ok());
    let wrong = m.decode(Op::VconvDeqS162u8l, x).unwrap_err();
    assert!(
        wrong.to_string().contains("signMode of the dequantisation parameters is 1, allowed is 0"),
        "{wrong}"
    );
    m.regs.deq_scale = TABLE as u64 / 32;
    m.ub_bytes()[TABLE..TABLE + 128].fill(0);
    assert!(m.run(Op::VconvVdeqS162u8h, x).is_ok());
    assert!(m.run(Op::VconvVdeqS162s8h, x).is_err(), "the table says unsigned");
    // In place: a block of source becomes half a block.
    let place = [m.ub(DST), m.ub(DST), x[2], 0];
    assert!(m.run(Op::VconvVdeqS162u8l, place).is_ok());
}

#[test]
fn the_family_has_its_rows() {
    assert_eq!(OPS.iter().filter(|r| matches!(r.kind, Kind::Compound(_))).count(), 34);
}
