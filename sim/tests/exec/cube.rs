//! Matrix multiplication and Fixpipe against naive references: element by element, with the layouts written out.
//!
//! A product's float reference is a chain of `f32::mul_add` in ascending k: the simulator promises these bits on every machine
//! (`docs/semantics.md`, "Cube").

use crate::machine::{Machine, Rng, config, touched};
use proptest::prelude::*;
use toprope_abi::isa::{DType, FieldId, Layout, Op, Space, Spr, ctrl, quant_mode};
use toprope_sim::exec::ExecFault;

const L0_BYTES: usize = 64 << 10;
const L0C_BYTES: usize = 128 << 10;

fn k0(t: DType) -> usize {
    256 / t.bits() as usize
}

fn up(n: usize, to: usize) -> usize {
    n.next_multiple_of(to)
}

/// Element of A at (m, k) in Zz fractals.
fn a_index(t: DType, kk: usize, m: usize, k: usize) -> usize {
    let d = k0(t);
    m / 16 * 16 * kk + k / d * 16 * d + m % 16 * d + k % d
}

/// Element of B at (k, n) in Zn fractals.
fn b_index(t: DType, n_all: usize, k: usize, n: usize) -> usize {
    let d = k0(t);
    k / d * d * up(n_all, 16) + n / 16 * 16 * d + n % 16 * d + k % d
}

/// Element of C at (m, n) in Nz cells.
fn c_index(m_all: usize, m: usize, n: usize) -> usize {
    n / 16 * 16 * up(m_all, 16) + m * 16 + n % 16
}

fn load(bytes: &[u8], t: DType, i: usize) -> u64 {
    match t.bits() {
        4 => u64::from(bytes[i / 2] >> (4 * (i % 2)) & 15),
        8 => u64::from(bytes[i]),
        16 => u64::from(u16::from_le_bytes([bytes[2 * i], bytes[2 * i + 1]])),
        _ => u64::from(u32::from_le_bytes(bytes[4 * i..4 * i + 4].try_into().expect("four bytes"))),
    }
}

fn word(bytes: &[u8], i: usize) -> u32 {
    load(bytes, DType::B32, i) as u32
}

fn hf32(x: f32, to_zero: bool) -> f32 {
    if !x.is_finite() {
        return x;
    }
    let bits = x.to_bits();
    let (kept, rest) = (bits & !0xfff, bits & 0xfff);
    let up = rest > 0x800 || (rest == 0x800 && !to_zero && kept & 0x1000 != 0);
    f32::from_bits(if up { kept + 0x1000 } else { kept })
}

fn float(t: DType, bits: u64) -> f32 {
    match t {
        DType::F16 => half::f16::from_bits(bits as u16).to_f32(),
        DType::Bf16 => half::bf16::from_bits(bits as u16).to_f32(),
        _ => f32::from_bits(bits as u32),
    }
}

fn integer(t: DType, bits: u64) -> i32 {
    match t {
        DType::S4 => ((bits as i8) << 4 >> 4).into(),
        _ => (bits as i8).into(),
    }
}

fn canonical(x: f32, clamp: bool) -> u32 {
    match (x.is_nan(), x.is_infinite()) {
        (true, _) if clamp => 0,
        (true, _) => 0x7fc0_0000,
        (_, true) if clamp => f32::MAX.copysign(x).to_bits(),
        _ => x.to_bits(),
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Begin {
    Zero,
    C,
    Bias(usize),
    OtherC(usize),
}

#[derive(Clone, Copy, Debug)]
struct Case {
    op: Op,
    src: DType,
    m: usize,
    n: usize,
    k: usize,
    from: Begin,
    k_align: bool,
    hf32: Option<bool>,
    clamp: bool,
    special: bool,
    seed: u64,
}

fn mad_config(c: &Case) -> u64 {
    let (bias, source) = match c.from {
        Begin::Zero | Begin::C => (0, 0),
        Begin::Bias(block) => (1, block as u64),
        Begin::OtherC(block) => (0, block as u64 + 1),
    };
    let fields = [
        (FieldId::MSize, c.m as u64),
        (FieldId::NSize, c.n as u64),
        (FieldId::KSize, c.k as u64),
        (FieldId::CSource, source),
        (FieldId::CFromBias, bias),
        (FieldId::CStartsAtZero, u64::from(c.from == Begin::Zero)),
        (FieldId::KDirectionAlign, u64::from(c.k_align)),
    ];
    config(Layout::Mad, &fields)[0]
}

fn fill(rng: &mut Rng, bytes: &mut [u8], t: DType, special: bool) {
    if special || t.bits() < 16 {
        rng.fill(bytes, t);
        return;
    }
    for chunk in bytes.chunks_exact_mut(t.bits() as usize / 8) {
        let x = (rng.below(4001) as f32 - 2000.0) / 512.0;
        let bits = match t {
            DType::F16 => u32::from(half::f16::from_f32(x).to_bits()),
            DType::Bf16 => u32::from(half::bf16::from_f32(x).to_bits()),
            _ => (x * 1.000_123).to_bits(),
        };
        chunk.copy_from_slice(&bits.to_le_bytes()[..chunk.len()]);
    }
}

/// Element (m, n) of the product by its definition.
fn expected(c: &Case, a: &[u8], b: &[u8], start: u32, m: usize, n: usize) -> u32 {
    let kk = match (c.src, c.k_align) {
        (DType::F32, true) => up(c.k, 16),
        _ => up(c.k, k0(c.src)),
    };
    let a_at = |k: usize| if c.m == 1 { k } else { a_index(c.src, kk, m, k) };
    let pair = |k: usize| (load(a, c.src, a_at(k)), load(b, c.src, b_index(c.src, c.n, k, n)));
    if c.src.bits() < 16 {
        return (0..c.k).fold(start, |acc, k| {
            let (x, y) = pair(k);
            acc.wrapping_add(integer(c.src, x).wrapping_mul(integer(c.src, y)) as u32)
        });
    }
    let round = |x: f32| c.hf32.map_or(x, |to_zero| hf32(x, to_zero));
    let sum = (0..c.k).fold(f32::from_bits(start), |acc, k| {
        let (x, y) = pair(k);
        round(float(c.src, x)).mul_add(round(float(c.src, y)), acc)
    });
    canonical(sum, c.clamp)
}

fn check(c: &Case) {
    let mut machine = Machine::new();
    let mut rng = Rng(c.seed);
    fill(&mut rng, &mut machine.space_bytes(Space::L0a)[..L0_BYTES], c.src, c.special);
    fill(&mut rng, &mut machine.space_bytes(Space::L0b)[..L0_BYTES], c.src, c.special);
    let acc = if c.src.bits() < 16 { DType::S32 } else { DType::F32 };
    fill(&mut rng, &mut machine.space_bytes(Space::L0c)[..L0C_BYTES], acc, c.special);
    fill(&mut rng, &mut machine.space_bytes(Space::Bt)[..1024], acc, c.special);
    machine.set_ctrl(ctrl::INF_NAN, !c.clamp);
    machine.set_ctrl(ctrl::HF32, c.hf32.is_some());
    machine.set_ctrl(ctrl::HF32_TO_ZERO, c.hf32 == Some(true));
    let (a, b) = (
        machine.space_bytes(Space::L0a)[..L0_BYTES].to_vec(),
        machine.space_bytes(Space::L0b)[..L0_BYTES].to_vec(),
    );
    let bias = machine.space_bytes(Space::Bt)[..1024].to_vec();
    let before = machine.space_bytes(Space::L0c)[..L0C_BYTES].to_vec();
    let c_at = 2048;
    let x = [
        machine.space(Space::L0c, c_at),
        machine.space(Space::L0a, 0),
        machine.space(Space::L0b, 0),
        mad_config(c),
    ];
    let d = machine.run(c.op, x).expect("legal");
    let after = machine.space_bytes(Space::L0c)[..L0C_BYTES].to_vec();
    let mut valid = vec![false; L0C_BYTES / 4];
    for m in 0..c.m {
        for n in 0..c.n {
            let i = c_index(c.m, m, n);
            let start = match c.from {
                Begin::Zero => 0,
                Begin::C => word(&before, c_at / 4 + i),
                Begin::Bias(block) => word(&bias, block * 16 + n),
                Begin::OtherC(block) => word(&before, block * 256 + i),
            };
            let want = expected(c, &a, &b, start, m, n);
            let got = word(&after, c_at / 4 + i);
            assert_eq!(
                got,
                want,
                "({m}, {n}) of {c:?}: {} against {}",
                f32::from_bits(got),
                f32::from_bits(want)
            );
            valid[c_at / 4 + i] = true;
        }
    }
    let kept = (0..L0C_BYTES / 4).filter(|i| !valid[*i]);
    kept.for_each(|i| assert_eq!(word(&after, i), word(&before, i), "word {i} of L0C is nobody's: {c:?}"));
    let first = d.accesses()[0];
    let written = touched(&first, machine.space(Space::L0c, 0));
    (0..L0C_BYTES / 4)
        .filter(|i| valid[*i])
        .for_each(|i| assert!(written.binary_search(&(4 * i)).is_ok(), "footprint"));
}

const TYPES: [(Op, DType); 5] = [
    (Op::MadF162f32, DType::F16),
    (Op::MadBf162f32, DType::Bf16),
    (Op::MadF322f32, DType::F32),
    (Op::MadS8, DType::S8),
    (Op::MadS4, DType::S4),
];

fn cases() -> impl Strategy<Value = Case> {
    let sizes = (1usize..70, 1usize..70, 1usize..150);
    let modes = (0usize..4, any::<bool>(), 0usize..6, 0usize..4);
    (0usize..TYPES.len(), sizes, modes, any::<u64>()).prop_map(
        |(t, (m, n, k), (from, align, hf, rest), seed)| {
            let (op, src) = TYPES[t];
            let k = if src == DType::S4 { up(k, 2) } else { k };
            let from = match from {
                0 => Begin::Zero,
                1 => Begin::C,
                2 => Begin::Bias(seed as usize % 8),
                _ => Begin::OtherC(64 + seed as usize % 16),
            };
            let hf32 = match (src, hf) {
                (DType::F32, 0) => Some(false),
                (DType::F32, 1) => Some(true),
                _ => None,
            };
            let k_align = align && src == DType::F32;
            Case { op, src, m, n, k, from, k_align, hf32, clamp: rest == 0, special: rest < 2, seed }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(80))]
    #[test]
    fn products_are_their_definition(case in cases()) {
        check(&case);
    }
}

#[test]
fn products_of_every_size_up_to_a_cell_and_a_bit() {
    for (op, src) in TYPES {
        for m in [1, 2, 7, 8, 9, 15, 16, 17, 33] {
            for n in [1, 15, 16, 17, 32, 33, 47, 48] {
                let k = if src == DType::S4 { 66 } else { 37 };
                let (seed, hf32) = ((m * 100 + n) as u64, None);
                let c = Case {
                    op,
                    src,
                    m,
                    n,
                    k,
                    from: Begin::C,
                    k_align: false,
                    hf32,
                    clamp: false,
                    special: false,
                    seed,
                };
                check(&c);
            }
        }
    }
}

#[test]
fn deep_products_are_one_chain() {
    for (op, src, m, n, k) in [
        (Op::MadF162f32, DType::F16, 16, 16, 2048),
        (Op::MadF162f32, DType::F16, 1, 16, 2048),
        (Op::MadF322f32, DType::F32, 13, 16, 1000),
        (Op::MadS8, DType::S8, 16, 10, 4095),
        (Op::MadS4, DType::S4, 3, 16, 4094),
        (Op::MadF162f32, DType::F16, 192, 48, 160),
        (Op::MadBf162f32, DType::Bf16, 128, 64, 256),
    ] {
        let c = Case {
            op,
            src,
            m,
            n,
            k,
            from: Begin::Zero,
            k_align: false,
            hf32: None,
            clamp: false,
            special: false,
            seed: k as u64,
        };
        check(&c);
    }
}

#[test]
fn a_product_cut_along_k_has_the_same_bits() {
    let mut machine = Machine::new();
    let mut rng = Rng(5);
    for space in [Space::L0a, Space::L0b] {
        fill(&mut rng, &mut machine.space_bytes(space)[..L0_BYTES], DType::F32, false);
    }
    let whole = |machine: &mut Machine, k: u64, a: usize, b: usize, zero: u64| {
        let fields =
            [(FieldId::MSize, 16), (FieldId::NSize, 16), (FieldId::KSize, k), (FieldId::CStartsAtZero, zero)];
        let x = [
            machine.space(Space::L0c, 0),
            machine.space(Space::L0a, a),
            machine.space(Space::L0b, b),
            config(Layout::Mad, &fields)[0],
        ];
        machine.run(Op::MadF322f32, x).expect("legal");
        machine.space_bytes(Space::L0c)[..1024].to_vec()
    };
    let once = whole(&mut machine, 64, 0, 0, 1);
    whole(&mut machine, 24, 0, 0, 1);
    let twice = whole(&mut machine, 40, 3 * 512, 3 * 512, 0);
    assert_eq!(once, twice);
}

#[test]
fn sizes_of_zero_do_nothing() {
    let m = Machine::new();
    for zero in [FieldId::MSize, FieldId::NSize, FieldId::KSize] {
        let fields: Vec<_> =
            [FieldId::MSize, FieldId::NSize, FieldId::KSize].map(|f| (f, u64::from(f != zero) * 16)).into();
        let x = [
            m.space(Space::L0c, 0),
            m.space(Space::L0a, 0),
            m.space(Space::L0b, 0),
            config(Layout::Mad, &fields)[0],
        ];
        assert!(m.decode(Op::MadF162f32, x).expect("legal").accesses().is_empty());
    }
}

#[test]
fn what_a_product_refuses() {
    let m = Machine::new();
    let x = |fields: &[(FieldId, u64)]| {
        let all: Vec<_> = [(FieldId::MSize, 16), (FieldId::NSize, 16), (FieldId::KSize, 16)]
            .iter()
            .filter(|d| fields.iter().all(|f| f.0 != d.0))
            .chain(fields)
            .copied()
            .collect();
        [m.space(Space::L0c, 0), m.space(Space::L0a, 0), m.space(Space::L0b, 0), config(Layout::Mad, &all)[0]]
    };
    let unit = m.decode(Op::MadF162f32, x(&[(FieldId::UnitFlag, 1)]));
    assert!(matches!(unit, Err(ExecFault::FieldValue { field: FieldId::UnitFlag, asked: 1, .. })));
    assert!(m.decode(Op::MadF162f32, x(&[(FieldId::UnitFlag, 2)])).is_ok());
    let odd = m.decode(Op::MadS4, x(&[(FieldId::KSize, 65)]));
    assert!(matches!(odd, Err(ExecFault::NotMultiple { field: FieldId::KSize, asked: 65, of: 2, .. })));
    assert!(m.decode(Op::MadS8, x(&[(FieldId::KSize, 65)])).is_ok());
    for (i, space) in [(0, Space::L0c), (1, Space::L0a), (2, Space::L0b)] {
        let mut wrong = x(&[]);
        wrong[i] = m.space(Space::L1, 0);
        let fault = m.decode(Op::MadF162f32, wrong);
        assert!(
            matches!(fault, Err(ExecFault::WrongSpace { expected, .. }) if expected == space),
            "{fault:?}"
        );
    }
    let d = m.decode(Op::MadF162f32, x(&[])).expect("legal");
    assert_eq!(d.accesses().iter().map(|a| a.align_bytes).collect::<Vec<_>>(), [1024, 512, 512]);
}

#[test]
fn steps_of_the_cost_model() {
    let m = Machine::new();
    let steps = |op: Op, (mm, n, k): (u64, u64, u64)| {
        let fields =
            [(FieldId::MSize, mm), (FieldId::NSize, n), (FieldId::KSize, k), (FieldId::CStartsAtZero, 1)];
        let x = [
            m.space(Space::L0c, 0),
            m.space(Space::L0a, 0),
            m.space(Space::L0b, 0),
            config(Layout::Mad, &fields)[0],
        ];
        m.decode(op, x).expect("legal").work().repeats
    };
    // Published checks: half 40 x 50 x 60 = 54 cycles, int8 6 x 7 x 8 = 7, float 120 x 110 x 50 = 902, all with 6 per instruction.
    assert_eq!(steps(Op::MadF162f32, (40, 50, 60)) + 6, 54);
    assert_eq!(steps(Op::MadS8, (6, 7, 8)) + 6, 7);
    assert_eq!(steps(Op::MadF322f32, (120, 110, 50)) + 6, 902);
}

mod fixpipe;

/// Index bytes of a sparse B: behind L0B in its slot.
const INDEX_AT: usize = 64 << 10;

#[test]
fn sparse_products_are_their_definition() {
    // The pairs of the page's table: which two of four elements a pair of numbers selects.
    const PAIRS: [(u8, u8, [usize; 2]); 7] = [
        (2, 2, [2, 3]),
        (1, 2, [1, 3]),
        (0, 2, [0, 3]),
        (1, 1, [1, 2]),
        (0, 1, [0, 2]),
        (0, 0, [0, 1]),
        (2, 0, [2, 2]),
    ];
    for (m, n, k, seed) in [(16, 16, 64, 1), (1, 20, 64, 2), (33, 48, 300, 3), (20, 17, 516, 4), (7, 5, 4, 5)]
    {
        let mut machine = Machine::new();
        let mut rng = Rng(seed);
        for space in [Space::L0a, Space::L0b] {
            rng.fill(&mut machine.space_bytes(space)[..L0_BYTES], DType::S8);
        }
        let (fractals, groups) = (up(k, 64) / 64, up(n, 16) / 16);
        let mut selected = vec![[0usize; 2]; fractals * 16 * groups * 16];
        for f in 0..fractals * groups {
            for column in 0..16 {
                for pair in 0..16 {
                    let (a, b, rows) = PAIRS[rng.below(7) as usize];
                    let byte =
                        &mut machine.space_bytes(Space::L0b)[INDEX_AT + f * 128 + column * 8 + pair / 2];
                    let shift = pair % 2 * 4;
                    *byte = *byte & !(15 << shift) | (a | b << 2) << shift;
                    selected[(f * 16 + column) * 16 + pair] = rows;
                }
            }
        }
        let (a, b) = (
            machine.space_bytes(Space::L0a)[..L0_BYTES].to_vec(),
            machine.space_bytes(Space::L0b)[..L0_BYTES].to_vec(),
        );
        let fields = [
            (FieldId::MSize, m as u64),
            (FieldId::NSize, n as u64),
            (FieldId::KSize, k as u64),
            (FieldId::CStartsAtZero, 1),
        ];
        let x = [
            machine.space(Space::L0c, 0),
            machine.space(Space::L0a, 0),
            machine.space(Space::L0b, 0),
            config(Layout::Mad, &fields)[0],
        ];
        machine.run(Op::MadSpS8, x).expect("legal");
        let c = machine.space_bytes(Space::L0c)[..L0C_BYTES].to_vec();
        for i in 0..m {
            for j in 0..n {
                let want = (0..k / 2).fold(0i32, |sum, d| {
                    let f = d / 32 * groups + j / 16;
                    let row = d / 2 * 4 + selected[(f * 16 + j % 16) * 16 + d % 32 / 2][d % 2];
                    let x = integer(DType::S8, load(&a, DType::S8, a_index(DType::S8, up(k, 32), i, row)));
                    sum + x * integer(DType::S8, load(&b, DType::S8, b_index(DType::S8, n, d, j)))
                });
                assert_eq!(word(&c, c_index(m, i, j)) as i32, want, "({i}, {j}) of {m} x {n} x {k}");
            }
        }
        machine.space_bytes(Space::L0b)[INDEX_AT] = 0x0c;
        let bad = machine.run(Op::MadSpS8, x).expect_err("3 is no number of an index");
        assert!(matches!(bad, ExecFault::SparseIndex { at: 0, byte: 0x0c, .. }), "{bad:?}");
    }
}
