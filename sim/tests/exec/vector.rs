//! Vector instructions: every row, over masks, strides, repeats and both mask modes.

use crate::machine::{Machine, Rng, config, touched};
use crate::reference::{self, Modes};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use std::collections::BTreeSet;
use toprope_abi::isa::{BinaryFn, DType, FieldId, Kind, Layout, OPS, OpRow, RearrangeKind, ScalarFn, ctrl};
use toprope_sim::exec::{ExecFault, Operand};

/// Bytes between operands, so that they never meet unless a case wants it; more than any generated case spans.
const APART: usize = 14 << 10;
/// The same for long instructions.
const FAR_APART: usize = 40 << 10;

/// How source addresses relate to the destination.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Alias {
    None,
    Src0,
    Src1,
    Both,
}

#[derive(Clone, Copy, Debug)]
enum Mask {
    /// Normal mode, any bits.
    Bits(u128),
    /// Counter mode.
    Count(u64),
}

/// One case: strides of destination, first and second source.
#[derive(Clone, Debug)]
struct Case {
    block: [u64; 3],
    repeat: [u64; 3],
    repeats: u64,
    mask: Mask,
    alias: Alias,
    saturate: bool,
    truncate: bool,
    seed: u64,
}

fn mask(used: u32) -> impl Strategy<Value = Mask> {
    let prefix = move |n: u32| if n == 0 { 1 } else { u128::MAX >> (128 - n) };
    prop_oneof![
        3 => Just(Mask::Bits(u128::MAX)),
        2 => (1..=used).prop_map(move |n| Mask::Bits(prefix(n))),
        2 => any::<u128>().prop_map(|m| Mask::Bits(m | 1)),
        1 => (0..used).prop_map(|b| Mask::Bits(1 << b)),
        4 => (0..600u64).prop_map(Mask::Count),
    ]
}

fn case(row: &'static OpRow) -> impl Strategy<Value = Case> {
    let wide = row.dst.bits().max(row.src.bits());
    let unit = move |bits: u32| 8 * u64::from(bits) / u64::from(wide);
    // Half of the cases are contiguous, which is another path.
    let packed = [unit(row.dst.bits()), unit(row.src.bits()), unit(row.src.bits())];
    let strided = ([1..4u64, 0..4, 0..4], [0..20u64, 0..20, 0..20]);
    let strides = prop_oneof![Just(([1; 3], packed)), strided];
    let alias = prop_oneof![
        5 => Just(Alias::None),
        1 => Just(Alias::Src0),
        1 => Just(Alias::Src1),
        1 => Just(Alias::Both),
    ];
    let modes = (any::<bool>(), any::<bool>(), any::<u64>());
    (strides, 0..6u64, mask((2048 / wide).min(128)), alias, modes).prop_map(
        |((block, repeat), repeats, mask, alias, (saturate, truncate, seed))| Case {
            block,
            repeat,
            repeats,
            mask,
            alias,
            saturate,
            truncate,
            seed,
        },
    )
}

/// Makes a case legal for the row: pairs for 4-bit types, aliased operands with the same strides and no
/// overlap between repeats.
fn legalise(row: &OpRow, mut c: Case) -> Case {
    if row.dst.bits() == 4 || row.src.bits() == 4 {
        c.mask = match c.mask {
            Mask::Bits(m) => Mask::Bits((m | m >> 1) & (u128::MAX / 3) | (m << 1 | m) & (u128::MAX / 3 * 2)),
            Mask::Count(n) => Mask::Count(n / 2 * 2),
        };
    }
    if row.kind == Kind::CopyMasked
        && let Mask::Count(n) = c.mask
    {
        c.mask = Mask::Count(n.min(300));
    }
    if row.dst.bits() != row.src.bits() || matches!(row.kind, Kind::CopyMasked) {
        c.alias = Alias::None;
    }
    let pair: &[usize] = match c.alias {
        Alias::None => &[],
        Alias::Src0 => &[1],
        Alias::Src1 => &[2],
        Alias::Both => &[1, 2],
    };
    for i in pair {
        c.repeat[0] = c.repeat[0].max(c.block[0] * 7 + 1);
        c.block[*i] = c.block[0];
        c.repeat[*i] = c.repeat[0];
    }
    c
}

fn scalar_operand(row: &OpRow, rng: &mut Rng) -> u64 {
    match row.kind {
        Kind::Scalar(ScalarFn::ShiftLeft | ScalarFn::ShiftRight) => rng.below(u64::from(row.dst.bits()) + 1),
        _ => rng.element(row.dst),
    }
}

/// Operand words and the number of memory operands.
fn operands(row: &OpRow, c: &Case, at: [u64; 3], scalar: u64) -> ([u64; 4], usize) {
    use FieldId::*;
    let two = |layout| {
        config(
            layout,
            &[
                (DstBlockStride, c.block[0]),
                (Src0BlockStride, c.block[1]),
                (DstRepeatStride, c.repeat[0]),
                (Src0RepeatStride, c.repeat[1]),
                (RepeatTimes, c.repeats),
            ],
        )[0]
    };
    match row.kind {
        Kind::Binary(_) => {
            let extra = [(Src1BlockStride, c.block[2]), (Src1RepeatStride, c.repeat[2])];
            let word = two(Layout::VecBinary) | config(Layout::VecBinary, &extra)[0];
            ([at[0], at[1], at[2], word], 3)
        }
        Kind::Scalar(_) => ([at[0], at[1], scalar, two(Layout::VecUnary)], 2),
        Kind::Duplicate => {
            let fields =
                [(DstBlockStride, c.block[0]), (DstRepeatStride, c.repeat[0]), (RepeatTimes, c.repeats)];
            ([at[0], scalar, config(Layout::VecDup, &fields)[0], 0], 1)
        }
        _ => ([at[0], at[1], two(Layout::VecUnary), 0], 2),
    }
}

/// Selected elements of repeat `r`, and the number of repeats.
fn selected(row: &OpRow, c: &Case) -> (u64, Box<dyn Fn(u64) -> Vec<u64>>) {
    let wide = u64::from(row.dst.bits().max(row.src.bits()));
    let per_repeat = 2048 / wide;
    match c.mask {
        Mask::Count(n) if row.kind == Kind::CopyMasked => (c.repeats, Box::new(move |_| (0..n).collect())),
        Mask::Count(n) => {
            let all = move |r: u64| (0..per_repeat).filter(|e| r * per_repeat + e < n).collect();
            (n.div_ceil(per_repeat), Box::new(all))
        }
        Mask::Bits(m) => {
            (c.repeats, Box::new(move |_| (0..per_repeat).filter(|e| m >> e & 1 == 1).collect()))
        }
    }
}

/// Bit position of element `e` of repeat `r` of operand `i` relative to the operand.
fn bit_of(c: &Case, i: usize, t: DType, r: u64, e: u64) -> u64 {
    let width = u64::from(t.bits());
    let per_block = 256 / width;
    (r * c.repeat[i] + e / per_block * c.block[i]) * 256 + e % per_block * width
}

fn read(image: &[u8], bit: u64, t: DType) -> u64 {
    let byte = (bit / 8) as usize;
    if t.bits() == 4 {
        return u64::from(image[byte] >> (bit % 8) & 15);
    }
    let mut raw = [0; 8];
    raw[..t.bits() as usize / 8].copy_from_slice(&image[byte..byte + t.bits() as usize / 8]);
    u64::from_le_bytes(raw)
}

fn write(image: &mut [u8], bit: u64, t: DType, x: u64) {
    let byte = (bit / 8) as usize;
    if t.bits() == 4 {
        let shift = bit % 8;
        image[byte] = image[byte] & !(15 << shift) | ((x as u8 & 15) << shift);
        return;
    }
    let n = t.bits() as usize / 8;
    image[byte..byte + n].copy_from_slice(&x.to_le_bytes()[..n]);
}

struct Expected {
    image: Vec<u8>,
    touched: [BTreeSet<usize>; 3],
    /// Bit positions of written elements.
    written: Vec<u64>,
}

/// What memory should look like: reads a whole repeat, then writes it.
fn expect(
    row: &OpRow,
    c: &Case,
    image: &[u8],
    at: [usize; 3],
    count: usize,
    scalar: u64,
    m: Modes,
) -> Expected {
    let mut x = Expected { image: image.to_vec(), touched: Default::default(), written: Vec::new() };
    let types = [row.dst, row.src, row.src];
    let (repeats, lanes) = selected(row, c);
    for r in 0..repeats {
        let mut results = Vec::new();
        for e in lanes(r) {
            let mut sources = [0; 2];
            for i in 1..count {
                let bit = at[i] as u64 * 8 + bit_of(c, i, types[i], r, e);
                sources[i - 1] = read(&x.image, bit, types[i]);
                x.touched[i]
                    .extend((bit / 8) as usize..(bit + u64::from(types[i].bits())).div_ceil(8) as usize);
            }
            let bit = at[0] as u64 * 8 + bit_of(c, 0, row.dst, r, e);
            x.touched[0].extend((bit / 8) as usize..(bit + u64::from(row.dst.bits())).div_ceil(8) as usize);
            results.push((bit, reference::element(row, sources[0], sources[1], scalar, m)));
        }
        for (bit, value) in results {
            write(&mut x.image, bit, row.dst, value);
            x.written.push(bit);
        }
    }
    x
}

/// Runs one case; returns the number of elements written.
fn check(machine: &mut Machine, row: &'static OpRow, c: &Case, apart: usize) -> Result<usize, TestCaseError> {
    let mut rng = Rng(c.seed);
    let at = match c.alias {
        Alias::None => [0, apart, 2 * apart],
        Alias::Src0 => [0, 0, 2 * apart],
        Alias::Src1 => [0, apart, 0],
        Alias::Both => [0, 0, 0],
    };
    rng.fill(&mut machine.ub_bytes()[..apart], row.dst);
    rng.fill(&mut machine.ub_bytes()[apart..3 * apart], row.src);
    if c.alias != Alias::None {
        rng.fill(&mut machine.ub_bytes()[..apart], row.src);
    }
    let m = Modes { saturate: c.saturate, truncate: c.truncate, deq_scale: rng.element(DType::F16) };
    machine.regs.deq_scale = m.deq_scale;
    machine.set_ctrl(ctrl::INF_NAN, !m.saturate);
    machine.set_ctrl(ctrl::CAST_TRUNCATE, m.truncate);
    match c.mask {
        Mask::Bits(bits) => machine.normal(bits),
        Mask::Count(n) => machine.counter(n),
    }
    let scalar = scalar_operand(row, &mut rng);
    let (x, count) = operands(row, c, at.map(|a| machine.ub(a)), scalar);
    let before = machine.ub_bytes().to_vec();
    let want = expect(row, c, &before, at, count, scalar, m);
    let d = machine.run(row.op, x).map_err(|e| TestCaseError::fail(format!("{e} ({c:?})")))?;

    let base = machine.ub(0);
    prop_assert_eq!(d.accesses().is_empty(), want.written.is_empty());
    for a in d.accesses() {
        let i =
            [Operand::Dst, Operand::Src0, Operand::Src1].iter().position(|o| *o == a.operand).unwrap_or(0);
        let bytes = touched(a, base);
        prop_assert!(bytes.iter().eq(want.touched[i].iter()), "footprint of {} in {:?}", a.operand, c);
        let extent = a.extent().map(|e| (e.start - base) as usize..(e.end - base) as usize);
        prop_assert_eq!(
            extent,
            Some(bytes[0]..bytes[bytes.len() - 1] + 1),
            "extent of {} in {:?}",
            a.operand,
            c
        );
        prop_assert_eq!(a.write, i == 0);
    }
    prop_assert_eq!(d.work().elements, want.written.len() as u64);

    let mut got = machine.ub_bytes().to_vec();
    let allowed = reference::tolerance(row);
    if allowed > 0 {
        for bit in &want.written {
            let (g, w) = (read(&got, *bit, row.dst), read(&want.image, *bit, row.dst));
            let off = reference::ulps(row.dst, g, w);
            prop_assert!(off <= allowed, "{g:#x} is {off} ULP from {w:#x}, {c:?}");
            write(&mut got, *bit, row.dst, w);
        }
    }
    if got != want.image {
        let i = (0..got.len()).find(|i| got[*i] != want.image[*i]).unwrap_or(0);
        let bit = i as u64 * 8 / u64::from(row.dst.bits()) * u64::from(row.dst.bits());
        let show = |image: &[u8]| read(image, bit, row.dst);
        let text = format!(
            "byte {i}: was {:#x}, is {:#x}, expected {:#x}; scalar {scalar:#x}, {m:?}, {c:?}",
            show(&before),
            show(&got),
            show(&want.image)
        );
        return Err(TestCaseError::fail(text));
    }
    Ok(want.written.len())
}

fn has_lanes(kind: Kind) -> bool {
    use Kind::*;
    matches!(kind, Binary(_) | Scalar(_) | Unary(_) | Convert(_) | ConvertDeq | Duplicate | CopyMasked)
}

/// Every row with a data effect is exercised, here or (copies, `Brcb`) by the function the match names; every
/// other row is refused.
#[test]
fn every_row_matches_the_reference() {
    let machine = std::cell::RefCell::new(Machine::new());
    let mut exercised = 0;
    for row in OPS {
        let written = match row.kind {
            kind if has_lanes(kind) => {
                let written = std::cell::Cell::new(0);
                let config = Config { cases: 64, failure_persistence: None, ..Config::default() };
                let outcome = TestRunner::new(config).run(&case(row), |c| {
                    let c = legalise(row, c);
                    written.set(written.get() + check(&mut machine.borrow_mut(), row, &c, APART)?);
                    Ok(())
                });
                if let Err(e) = outcome {
                    panic!("{}: {e}", row.intrinsic);
                }
                written.get()
            }
            Kind::Brcb => crate::copies::check_brcb(row),
            Kind::CopyBurst(path) => crate::copies::check_burst(row, path),
            Kind::CopyAlign(path) => crate::copies::check_align(row, path),
            Kind::Load(kind) => crate::load::check(row, kind),
            Kind::Compare(kind) => crate::compare::check_row(row, kind),
            Kind::Reduce(kind) => crate::reduce::check_row(row, kind),
            Kind::Gather(kind) => crate::gather::check_row(row, kind),
            Kind::Compound(_) => crate::compound::check_row(row),
            Kind::Rearrange(kind) if kind != RearrangeKind::MoveVa => crate::rearrange::check_row(row, kind),
            // `crate::cube` draws its own cases over every row of the family.
            Kind::Cube(_) => continue,
            _ => {
                let refused = machine.borrow().decode(row.op, [0; 4]);
                assert!(matches!(refused, Err(ExecFault::NotData { .. })), "{}", row.intrinsic);
                continue;
            }
        };
        assert!(written > 0, "{} was never seen to write", row.intrinsic);
        exercised += 1;
    }
    assert!(exercised > 100, "only {exercised} rows have a data effect");
}

/// dst ≡ src1 with repeat stride 0: each repeat adds onto the same block.
#[test]
fn accumulate_idiom_runs_repeat_by_repeat() {
    let mut machine = Machine::new();
    for row in OPS {
        let Kind::Binary(f) = row.kind else { continue };
        if !matches!(row.dst, DType::F16 | DType::F32 | DType::S32)
            || matches!(f, BinaryFn::And | BinaryFn::Or)
        {
            continue;
        }
        for seed in 0..20 {
            let c = Case {
                block: [1, 1, 1],
                repeat: [0, 8, 0],
                repeats: 7,
                mask: Mask::Bits(u128::MAX),
                alias: Alias::Src1,
                saturate: seed % 2 == 0,
                truncate: false,
                seed,
            };
            check(&mut machine, row, &c, APART).unwrap_or_else(|e| panic!("{}: {e}", row.intrinsic));
        }
    }
}

/// 40 KiB in one counter-mode instruction go through the merged path of every format.
#[test]
fn long_counter_mode_runs_match() {
    let mut machine = Machine::new();
    for row in OPS.iter().filter(|r| has_lanes(r.kind) && r.kind != Kind::CopyMasked) {
        let wide = u64::from(row.dst.bits().max(row.src.bits()));
        let unit = |t: DType| 8 * u64::from(t.bits()) / wide;
        let most = (FAR_APART as u64 * 8) / wide;
        for (seed, count) in [(1, most), (2, most - 2), (3, 130), (4, 30)] {
            let c = Case {
                block: [1; 3],
                repeat: [unit(row.dst), unit(row.src), unit(row.src)],
                repeats: 1,
                mask: Mask::Count(count),
                alias: Alias::None,
                saturate: seed % 2 == 0,
                truncate: seed % 2 == 1,
                seed,
            };
            check(&mut machine, row, &c, FAR_APART).unwrap_or_else(|e| panic!("{}: {e}", row.intrinsic));
        }
    }
}
