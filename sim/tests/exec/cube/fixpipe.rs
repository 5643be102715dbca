//! Fixpipe against a naive reference: where every element goes, and what becomes of it.

use super::*;

#[derive(Clone, Copy, Debug)]
struct Fix {
    op: Op,
    src: DType,
    dst: DType,
    quant: u64,
    n: usize,
    m: usize,
    src_stride: usize,
    dst_stride: usize,
    relu: bool,
    split: bool,
    to_nd: bool,
    /// Number, source distance in KiB, destination distance in elements.
    nd: (usize, usize, usize),
    clamp: bool,
    /// CTRL[10:6].
    atomic: u64,
    seed: u64,
}

const FB_BLOCK: usize = 3;
const SRC_AT: usize = 1024;
const DST_AT: usize = 64;

fn words(c: &Fix) -> [u64; 2] {
    let fields = [
        (FieldId::NSize, c.n as u64),
        (FieldId::MSize, c.m as u64),
        (FieldId::DstRowStride, c.dst_stride as u64),
        (FieldId::SrcColumnStride, c.src_stride as u64),
        (FieldId::QuantMode, c.quant),
        (FieldId::ReluMode, u64::from(c.relu)),
        (FieldId::ChannelSplit, u64::from(c.split)),
        (FieldId::NzToNd, u64::from(c.to_nd)),
    ];
    config(Layout::Fixpipe, &fields)
}

/// A parameter: factor, offset, shift and sign.
fn parameter(rng: &mut Rng) -> u64 {
    let factor = [1.0f32, 0.5, -2.0, 0.001_234_567, 100.5, -0.0][rng.below(6) as usize];
    u64::from(factor.to_bits()) | (rng.next() & 0x7fff) << 32
}

fn per_column(quant: u64) -> bool {
    [quant_mode::VREQ8, quant_mode::VDEQF16, quant_mode::VQF322B8_PRE].contains(&quant)
}

/// Byte offset of element (matrix, m, n) at the destination, from the pages of NZ2ND, NZ2NZ, channel merge and channel split.
fn place(c: &Fix, matrix: usize, m: usize, n: usize) -> usize {
    let size = c.dst.bits() as usize / 8;
    if c.to_nd {
        return (matrix * c.nd.2 + m * c.dst_stride + n) * size;
    }
    if c.split {
        return n / 8 * c.dst_stride * 32 + m * 32 + n % 8 * 4;
    }
    if size == 1 {
        let merged = c.n / 32 * 32;
        return match n < merged {
            true => n / 32 * c.dst_stride * 32 + m * 32 + n % 32,
            false => merged / 32 * c.dst_stride * 32 + m * 16 + n - merged,
        };
    }
    n / 16 * c.dst_stride * 32 + (m * 16 + n % 16) * size
}

fn to_half(x: f64, clamp: bool) -> u64 {
    let h = half::f16::from_f64(x);
    u64::from(match (h.is_nan(), h.is_infinite()) {
        (true, _) => {
            if clamp {
                0
            } else {
                0x7e00
            }
        }
        (_, true) if clamp => half::f16::MAX.to_bits() | (h.to_bits() & 0x8000),
        _ => h.to_bits(),
    })
}

/// What becomes of an element.
fn value(c: &Fix, bits: u32, parameter: u64) -> u64 {
    let x = if c.src == DType::S32 { f64::from(bits as i32) } else { f64::from(f32::from_bits(bits)) };
    let taken = c.relu && x <= 0.0;
    if c.quant == quant_mode::NO_QUANT {
        return if taken { 0 } else { u64::from(bits) };
    }
    if c.quant == quant_mode::F322F16 {
        return to_half(if taken { 0.0 } else { x }, c.clamp);
    }
    if c.quant == quant_mode::F322BF16 {
        let h = half::bf16::from_f32(if taken { 0.0 } else { x as f32 });
        return u64::from(match (h.is_nan(), h.is_infinite()) {
            (true, _) => {
                if c.clamp {
                    0
                } else {
                    0x7fc0
                }
            }
            (_, true) if c.clamp => half::bf16::MAX.to_bits() | (h.to_bits() & 0x8000),
            _ => h.to_bits(),
        });
    }
    let factor = f32::from_bits(parameter as u32 & !0x1fff);
    let shift = (parameter >> 32 & 15) as u32 + 1;
    let x = match (c.src, parameter >> 36 & 1) {
        (DType::S32, 1) => f64::from((bits as i32 >> shift).clamp(-32768, 32767)),
        (DType::S32, _) => f64::from(bits as i32 as f32),
        _ => x,
    };
    let product = if taken || (c.relu && x <= 0.0) { 0.0 } else { (x as f32) * factor };
    if c.dst == DType::F16 {
        return to_half(f64::from(product), c.clamp);
    }
    let offset = (parameter >> 37 & 0x1ff) as i64;
    let offset = if offset > 255 { offset - 512 } else { offset };
    let rounded = if product.is_nan() { 0 } else { product.round_ties_even().clamp(-256.0, 255.0) as i64 };
    match parameter >> 46 & 1 {
        1 => (rounded + offset).clamp(-128, 127) as u64 & 0xff,
        _ => (rounded + offset).clamp(0, 255) as u64,
    }
}

fn atomic_add(c: &Fix, old: u64, new: u64) -> u64 {
    match c.dst {
        DType::F32 => u64::from(canonical(f32::from_bits(old as u32) + f32::from_bits(new as u32), false)),
        DType::S32 => u64::from((old as u32).wrapping_add(new as u32)),
        _ => to_half(f64::from(float(DType::F16, old) + float(DType::F16, new)), c.clamp),
    }
}

fn check(c: &Fix) {
    let mut machine = Machine::new();
    let mut rng = Rng(c.seed);
    let special = c.seed.is_multiple_of(2) && c.atomic == 0;
    fill(&mut rng, &mut machine.space_bytes(Space::L0c)[..L0C_BYTES], c.src, special || c.src == DType::S32);
    let to_gm =
        matches!(c.op.row().kind, toprope_abi::isa::Kind::Cube(toprope_abi::isa::CubeKind::FixpipeToGm));
    let dst = if to_gm { machine.gm(DST_AT) } else { machine.space(Space::L1, DST_AT) };
    if c.atomic != 0 {
        fill(&mut rng, machine.gm_bytes(), c.dst, false);
    }
    let columns: Vec<u64> = (0..c.n).map(|_| parameter(&mut rng)).collect();
    for (i, p) in columns.iter().enumerate() {
        machine.space_bytes(Space::Fb)[FB_BLOCK * 128 + i * 8..][..8].copy_from_slice(&p.to_le_bytes());
    }
    machine.regs.set(Spr::Fpc, (FB_BLOCK as u64) << 8);
    machine.regs.set(Spr::QuantPre, columns[0]);
    machine.regs.set(Spr::NdPara, c.nd.0 as u64 | (c.nd.1 as u64) << 16 | (c.nd.2 as u64) << 32);
    machine.set_ctrl(ctrl::INF_NAN, !c.clamp);
    machine.regs.ctrl |= c.atomic << 6;
    let source = machine.space_bytes(Space::L0c)[..L0C_BYTES].to_vec();
    let memory = |machine: &mut Machine| {
        if to_gm { machine.gm_bytes().to_vec() } else { machine.space_bytes(Space::L1)[..512 << 10].to_vec() }
    };
    let before = memory(&mut machine);
    let [w0, w1] = words(c);
    let d = machine.run(c.op, [dst, machine.space(Space::L0c, SRC_AT), w0, w1]).expect("legal");
    assert!(!d.accesses().is_empty());
    let mut want = before;
    let size = c.dst.bits() as usize / 8;
    for matrix in 0..if c.to_nd { c.nd.0 } else { 1 } {
        for m in 0..c.m {
            for n in 0..c.n {
                let from = SRC_AT + matrix * c.nd.1 * 1024 + (n / 16 * c.src_stride + m) * 64 + n % 16 * 4;
                let p = if per_column(c.quant) { columns[n] } else { columns[0] };
                let mut bits = value(c, word(&source, from / 4), p);
                let at = DST_AT + place(c, matrix, m, n);
                if c.atomic != 0 {
                    bits = atomic_add(c, load(&want[at..], c.dst, 0), bits);
                }
                want[at..at + size].copy_from_slice(&bits.to_le_bytes()[..size]);
            }
        }
    }
    let got = memory(&mut machine);
    if let Some(i) = (0..want.len()).find(|i| got[*i] != want[*i]) {
        let at = i.wrapping_sub(DST_AT);
        let of =
            (0..c.nd.0.max(1)).flat_map(|x| (0..c.m).flat_map(move |m| (0..c.n).map(move |n| (x, m, n))));
        let element = of.into_iter().find(|(x, m, n)| place(c, *x, *m, *n) / size == at / size);
        panic!("byte {at} (element {element:?}) is {:#x}, not {:#x}: {c:?}", got[i], want[i]);
    }
}

fn pairs(to_gm: bool) -> Vec<(Op, DType, DType, u64)> {
    use DType::{Bf16, F16, F32, S8, S32, U8};
    use quant_mode as q;
    let gm = [
        (Op::FixL0cToOutF32, F32, F32, q::NO_QUANT),
        (Op::FixL0cToOutS32, S32, S32, q::NO_QUANT),
        (Op::FixL0cToOutF2h, F32, F16, q::F322F16),
        (Op::FixL0cToOutF322bf16, F32, Bf16, q::F322BF16),
        (Op::FixL0cToOutF322s8, F32, S8, q::QF322B8_PRE),
        (Op::FixL0cToOutF322u8, F32, U8, q::VQF322B8_PRE),
        (Op::FixL0cToOutS322f16, S32, F16, q::DEQF16),
        (Op::FixL0cToOutS322f16, S32, F16, q::VDEQF16),
        (Op::FixL0cToOutS322s8, S32, S8, q::REQ8),
        (Op::FixL0cToOutS322u8, S32, U8, q::VREQ8),
    ];
    let l1 = [
        (Op::FixL0cToL1F2h, F32, F16, q::F322F16),
        (Op::FixL0cToL1F322bf16, F32, Bf16, q::F322BF16),
        (Op::FixL0cToL1F322s8, F32, S8, q::VQF322B8_PRE),
        (Op::FixL0cToL1F322u8, F32, U8, q::QF322B8_PRE),
        (Op::FixL0cToL1S322f16, S32, F16, q::VDEQF16),
        (Op::FixL0cToL1S322s8, S32, S8, q::VREQ8),
        (Op::FixL0cToL1S322u8, S32, U8, q::REQ8),
    ];
    if to_gm { gm.into() } else { l1.into() }
}

fn cases() -> impl Strategy<Value = Fix> {
    let kind = (any::<bool>(), 0usize..20, 0usize..3);
    let sizes = (1usize..80, 1usize..40, 0usize..5, 0usize..9);
    let modes = (any::<bool>(), any::<bool>(), 1usize..4, any::<u64>());
    (kind, sizes, modes).prop_map(
        |((to_gm, which, form), (n, m, src_pad, dst_pad), (relu, clamp, nd_num, seed))| {
            let list = pairs(to_gm);
            let (op, src, dst, quant) = list[which % list.len()];
            let size = dst.bits() as usize / 8;
            let to_nd = to_gm && form == 0;
            let split = form == 1 && dst == DType::F32;
            let n = if to_nd { n } else { up(n, if split { 8 } else { 16 }) };
            let src_stride = up(m, 16) + src_pad;
            let dst_stride = match (to_nd, split || size == 1) {
                (true, _) => n + dst_pad,
                (_, true) => m + dst_pad,
                _ => (m * 16 * size).div_ceil(32) + dst_pad,
            };
            let nd_num = if to_nd { nd_num } else { 1 };
            let nd = (
                nd_num,
                (n.div_ceil(16) * src_stride * 64).div_ceil(1024).min(20),
                m * dst_stride + seed as usize % 5,
            );
            let atomic = match dst {
                DType::F32 if to_gm && !clamp && seed.is_multiple_of(3) => 1,
                DType::S32 if to_gm && !clamp && seed.is_multiple_of(3) => 4,
                _ => 0,
            };
            Fix {
                op,
                src,
                dst,
                quant,
                n,
                m,
                src_stride,
                dst_stride,
                relu,
                split,
                to_nd,
                nd,
                clamp,
                atomic,
                seed,
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]
    #[test]
    fn results_are_their_definition(case in cases()) {
        check(&case);
    }
}

fn plain() -> Fix {
    Fix {
        op: Op::FixL0cToOutF32,
        src: DType::F32,
        dst: DType::F32,
        quant: quant_mode::NO_QUANT,
        n: 32,
        m: 16,
        src_stride: 16,
        dst_stride: 32,
        relu: false,
        split: false,
        to_nd: true,
        nd: (1, 0, 0),
        clamp: false,
        atomic: 0,
        seed: 1,
    }
}

fn refusal(c: &Fix, set: impl FnOnce(&mut Machine)) -> Result<(), ExecFault> {
    let mut m = Machine::new();
    m.regs.set(Spr::QuantPre, u64::from(1.0f32.to_bits()));
    m.regs.set(Spr::NdPara, c.nd.0 as u64 | (c.nd.1 as u64) << 16 | (c.nd.2 as u64) << 32);
    set(&mut m);
    let [w0, w1] = words(c);
    let l1 = matches!(c.op.row().kind, toprope_abi::isa::Kind::Cube(toprope_abi::isa::CubeKind::FixpipeToL1));
    let dst = if l1 { m.space(Space::L1, 0) } else { m.gm(0) };
    m.decode(c.op, [dst, m.space(Space::L0c, 0), w0, w1]).map(|_| ())
}

#[test]
fn what_fixpipe_refuses_and_the_twins_it_takes() {
    let ok = |c: &Fix| assert_eq!(refusal(c, |_| {}), Ok(()), "{c:?}");
    let base = plain();
    ok(&base);
    let nz = Fix { to_nd: false, dst_stride: 64, ..base };
    ok(&nz);
    let odd = refusal(&Fix { n: 30, ..nz }, |_| {});
    assert!(
        matches!(odd, Err(ExecFault::NotMultiple { field: FieldId::NSize, asked: 30, of: 16, .. })),
        "{odd:?}"
    );
    ok(&Fix { n: 30, ..base });
    let split = Fix { split: true, n: 24, ..nz };
    ok(&split);
    let eight = refusal(&Fix { n: 20, ..split }, |_| {});
    assert!(matches!(eight, Err(ExecFault::NotMultiple { of: 8, asked: 20, .. })), "{eight:?}");
    assert!(matches!(refusal(&Fix { split: true, ..base }, |_| {}), Err(ExecFault::Excluded { .. })));
    let rows = refusal(&Fix { m: 8193, src_stride: 8208, ..base }, |_| {});
    assert!(
        matches!(rows, Err(ExecFault::FieldRange { field: FieldId::MSize, asked: 8193, max: 8192, .. })),
        "{rows:?}"
    );
    let stride = refusal(&Fix { dst_stride: 0, ..base }, |_| {});
    assert!(matches!(
        stride,
        Err(ExecFault::FieldRange { field: FieldId::DstRowStride, asked: 0, min: 1, .. })
    ));
    let overlap = refusal(&Fix { dst_stride: 31, ..base }, |_| {});
    assert!(matches!(overlap, Err(ExecFault::DstOverlap { asked: 31, len_bytes: 128, step_bytes: 124, .. })));
    let none = refusal(&Fix { nd: (0, 0, 0), ..base }, |_| {});
    assert!(matches!(none, Err(ExecFault::FieldRange { field: FieldId::NdNum, asked: 0, min: 1, .. })));
    let far = refusal(&Fix { nd: (2, 513, 512), ..base }, |_| {});
    assert!(matches!(
        far,
        Err(ExecFault::FieldRange { field: FieldId::SrcNdStride, asked: 513, max: 512, .. })
    ));
    ok(&Fix { nd: (2, 2, 512), ..base });
    let mode = refusal(&Fix { quant: quant_mode::F322F16, ..base }, |_| {});
    assert!(matches!(mode, Err(ExecFault::FieldValue { field: FieldId::QuantMode, allowed: "NoQuant", .. })));
    let l1 = Fix { op: Op::FixL0cToL1F2h, dst: DType::F16, quant: quant_mode::F322F16, ..nz };
    ok(&l1);
    assert!(matches!(refusal(&Fix { to_nd: true, ..l1 }, |_| {}), Err(ExecFault::Excluded { .. })));
    let deq = Fix {
        op: Op::FixL0cToOutS322f16,
        src: DType::S32,
        dst: DType::F16,
        quant: quant_mode::DEQF16,
        ..base
    };
    ok(&deq);
    for bits in [0x7f80_0000u32, 0x7fc0_0000, 1, 0x8000_2000] {
        let bad = refusal(&deq, |m| m.regs.set(Spr::QuantPre, u64::from(bits)));
        assert_eq!(bad, Err(ExecFault::QuantFactor { intrinsic: "FIX.L0C.TO.OUT.s322f16", column: 0, bits }));
    }
    let text = refusal(&Fix { dst_stride: 31, ..base }, |_| {}).expect_err("overlaps").to_string();
    assert!(text.contains("(dstStride) is 31") && text.contains("128 bytes each"), "{text}");
}

#[test]
fn a_factor_in_the_fixpipe_buffer_is_looked_at_when_it_runs() {
    let mut m = Machine::new();
    let c = Fix {
        op: Op::FixL0cToOutS322f16,
        src: DType::S32,
        dst: DType::F16,
        quant: quant_mode::VDEQF16,
        ..plain()
    };
    m.regs.set(Spr::NdPara, 1);
    for i in 0..32 {
        m.space_bytes(Space::Fb)[i * 8..][..8].copy_from_slice(&u64::from(1.0f32.to_bits()).to_le_bytes());
    }
    let [w0, w1] = words(&c);
    let x = [m.gm(0), m.space(Space::L0c, 0), w0, w1];
    assert!(m.run(c.op, x).is_ok());
    m.space_bytes(Space::Fb)[31 * 8..][..8]
        .copy_from_slice(&u64::from(f32::INFINITY.to_bits()).to_le_bytes());
    let bad = m.run(c.op, x).expect_err("infinity");
    assert!(matches!(bad, ExecFault::QuantFactor { column: 31, .. }), "{bad:?}");
}

#[test]
fn unit_flags_hand_cells_over() {
    let mut m = Machine::new();
    let mad = |unit: u64| {
        let fields = [
            (FieldId::MSize, 20),
            (FieldId::NSize, 32),
            (FieldId::KSize, 16),
            (FieldId::UnitFlag, unit),
            (FieldId::CStartsAtZero, 1),
        ];
        config(Layout::Mad, &fields)[0]
    };
    let operands = |m: &Machine| [m.space(Space::L0c, 0), m.space(Space::L0a, 0), m.space(Space::L0b, 0)];
    let fix = |unit: u64| {
        let [w0, w1] = words(&Fix { m: 20, src_stride: 32, ..plain() });
        [w0, w1 | unit << 32]
    };
    m.regs.set(Spr::NdPara, 1);
    let decode_fix = |m: &Machine, unit| {
        let [w0, w1] = fix(unit);
        m.decode(Op::FixL0cToOutF32, [m.gm(0), m.space(Space::L0c, 0), w0, w1]).expect("legal")
    };
    let decode_mad = |m: &Machine, unit| {
        let [c, a, b] = operands(m);
        m.decode(Op::MadF162f32, [c, a, b, mad(unit)]).expect("legal")
    };
    assert!(!decode_fix(&m, 3).is_ready(&m.state), "nothing is computed yet");
    assert!(decode_fix(&m, 0).is_ready(&m.state), "without the flag nobody waits");
    let [c, a, b] = operands(&m);
    m.run(Op::MadF162f32, [c, a, b, mad(2)]).expect("legal");
    assert!(!decode_fix(&m, 3).is_ready(&m.state), "2 leaves the flags as they are");
    m.run(Op::MadF162f32, [c, a, b, mad(3)]).expect("legal");
    // Two column groups of two cells of two flags.
    assert_eq!(m.state.unit_flags(), [0xff, 0, 0, 0]);
    assert!(decode_fix(&m, 3).is_ready(&m.state) && decode_fix(&m, 2).is_ready(&m.state));
    assert!(!decode_mad(&m, 3).is_ready(&m.state) && !decode_mad(&m, 2).is_ready(&m.state));
    let [w0, w1] = fix(2);
    m.run(Op::FixL0cToOutF32, [m.gm(0), m.space(Space::L0c, 0), w0, w1]).expect("legal");
    assert_eq!(m.state.unit_flags(), [0xff, 0, 0, 0]);
    let [w0, w1] = fix(3);
    m.run(Op::FixL0cToOutF32, [m.gm(0), m.space(Space::L0c, 0), w0, w1]).expect("legal");
    assert_eq!(m.state.unit_flags(), [0; 4]);
    assert!(decode_mad(&m, 3).is_ready(&m.state));
}
