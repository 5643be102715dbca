//! Dequantisation of int16 to 8 bits: 16 elements of a source block go to one half of a destination block, the other half stays.
//!
//! Parameters (DEQSCALE, or 16 words of that form in UB): scale in \[31:0\] as a float whose low 13 fraction bits do not count, offset in
//! \[45:37\] (signed), \[46\] signed result. The destination type has to agree with \[46\], as the API page demands.
//!
//! A repeat is read whole before it is written, so a tensor may be converted in place. Footprints say whole destination blocks.
//!
//! Unsafe room: raw loads and stores of checked footprints.
#![allow(unsafe_code)]

use crate::exec::access::{BurstShape, Operand, Shape, VectorShape};
use crate::exec::decode::{self, access, overlaps, unary_operands};
use crate::exec::table::Entry;
use crate::exec::{Access, Decoded, Env, ExecFault, PipeState, Regs, overlap};
use std::ptr;
use toprope_abi::core_face::SPACE_SHIFT;
use toprope_abi::isa::{CompoundKind, DType, Kind, OpRow, Space};

/// Elements of a block, and parameter words of a table.
const BLOCK: usize = 16;
const TABLE_BYTES: u32 = 128;

/// Parameters of one element of a block.
#[derive(Clone, Copy, Default)]
struct Parameters {
    scale: f64,
    offset: f64,
}

impl Parameters {
    fn new(word: u64) -> Parameters {
        let scale = f32::from_bits(word as u32 & !0x1fff);
        // Sign-extends bits 45:37.
        let offset = ((word << 18) as i64 >> 55) as f64;
        Parameters { scale: f64::from(scale), offset }
    }

    fn apply(self, x: i16, signed: bool) -> u8 {
        // 16 bits times 11 bits plus 9 bits: one rounding.
        let v = (f64::from(x) * self.scale + self.offset).round_ties_even();
        if signed { v.clamp(-128.0, 127.0) as i8 as u8 } else { v.clamp(0.0, 255.0) as u8 }
    }
}

fn is_signed(word: u64) -> bool {
    word >> 46 & 1 == 1
}

fn check_sign(row: &'static OpRow, word: u64) -> Result<(), ExecFault> {
    let (signed, allowed) = if row.dst == DType::S8 {
        (true, "1 (int8_t destination)")
    } else {
        (false, "0 (uint8_t destination)")
    };
    if is_signed(word) != signed {
        let what = "signMode of the dequantisation parameters";
        return Err(ExecFault::Argument {
            intrinsic: row.intrinsic,
            what,
            asked: u64::from(is_signed(word)),
            allowed,
        });
    }
    Ok(())
}

/// dst, src, configuration.
pub(super) fn decode(
    row: &'static OpRow,
    entry: &'static Entry,
    x: &[u64; 4],
    regs: &Regs,
) -> Result<Decoded, ExecFault> {
    let Kind::Compound(CompoundKind::Dequantise { table, .. }) = row.kind else {
        return decode::not_data(row, entry, x, regs);
    };
    let (mut operands, repeats) = unary_operands(row, x, x[2]);
    // A block of destination belongs to a block of source.
    operands[0].2 = DType::S16;
    let mut d = decode::vector(row, entry, regs, &operands, repeats, Env::default())?;
    let (Some(Access { shape: Shape::Vector(ds), .. }), Some(src)) =
        (d.accesses().first(), d.accesses().get(1))
    else {
        return Ok(d);
    };
    if ds.block_stride_bytes == 0 {
        decode::check_dst_blocks(row, ds.repeats, ds.lanes, BLOCK as u32)?;
    }
    if overlaps(d.accesses()[0].extent(), src.extent()) {
        overlap::check(&mut d);
    }
    d.whole = 0;
    d.run = run;
    if table {
        let at = regs.region + ((Space::Ub as u64) << SPACE_SHIFT) + (regs.deq_scale & 0x3fff) * 32;
        let shape = BurstShape { count: 1, len_bytes: TABLE_BYTES, step_bytes: u64::from(TABLE_BYTES) };
        d.push(access(Operand::Src1, at, Space::Ub, false, 32, Shape::Bursts(shape)));
        d.more = Some(check_table);
    } else {
        check_sign(row, regs.deq_scale)?;
        d.env.value = regs.deq_scale;
    }
    Ok(d)
}

/// # Safety
/// As [`crate::exec::execute`].
unsafe fn words(d: &Decoded) -> [u64; BLOCK] {
    if d.accesses().len() < 3 {
        return [d.env.value; BLOCK];
    }
    let at = ptr::with_exposed_provenance::<[u64; BLOCK]>(d.accesses[2].addr as usize);
    // SAFETY: the third access covers the table.
    unsafe { ptr::read_unaligned(at) }
}

/// Every word of a table has to say the sign of the destination.
///
/// # Safety
/// As [`crate::exec::execute`].
unsafe fn check_table(d: &Decoded, _: &PipeState, _: &mut dyn FnMut(Access)) -> Result<(), ExecFault> {
    // SAFETY: same contract.
    let words = unsafe { words(d) };
    words.iter().try_for_each(|word| check_sign(d.row, *word))
}

/// Runs a dequantisation.
///
/// # Safety
/// As [`crate::exec::execute`].
unsafe fn run(d: &Decoded, _: &mut PipeState) {
    let (Shape::Vector(ds), Shape::Vector(ss)) = (d.accesses[0].shape, d.accesses[1].shape) else {
        unreachable!("a dequantisation has vector shapes")
    };
    let Kind::Compound(CompoundKind::Dequantise { high, .. }) = d.row.kind else { return };
    // SAFETY: same contract.
    let parameters = unsafe { words(d) }.map(Parameters::new);
    let signed = d.row.dst == DType::S8;
    let to = ptr::with_exposed_provenance_mut::<u8>(d.accesses[0].addr as usize);
    let from = ptr::with_exposed_provenance::<u8>(d.accesses[1].addr as usize);
    let place = |s: &VectorShape, r: u32, e: u64| {
        (u64::from(r) * u64::from(s.repeat_stride_bytes) + s.element_offset(e)) as usize
    };
    let mut aside = [0u8; 128];
    for r in 0..ds.repeats {
        ss.for_each_run(r, BLOCK as u64, |e, n| {
            for i in e..e + n {
                let at = from.wrapping_add(place(&ss, r, i)).cast::<i16>();
                // SAFETY: element `i` of the repeat is inside the checked source.
                let value = unsafe { ptr::read_unaligned(at) };
                aside[i as usize] = parameters[i as usize % BLOCK].apply(value, signed);
            }
        });
        ds.for_each_run(r, BLOCK as u64, |e, n| {
            let first =
                place(&ds, r, e - e % BLOCK as u64) + e as usize % BLOCK + if high { BLOCK } else { 0 };
            let bytes = &aside[e as usize..(e + n) as usize];
            // SAFETY: the run lies in one half of a checked destination block.
            unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), to.wrapping_add(first), bytes.len()) };
        });
    }
}
