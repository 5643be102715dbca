//! Overlap of sources and destination of one vector instruction.
//!
//! - Inside a repeat, operands of the same width are the same or apart. A conversion between widths may
//!   overlap: a repeat is read before it is written (kernels convert in place this way).
//! - What a repeat writes, a later repeat must not read, except through the second source when its repeat
//!   stride or the destination's is 0 (half, int32, float): the accumulate idiom.
//!
//!   A conversion that breaks this rule computes repeat by repeat and is reported as a warning ([`Decoded::hazard`]):
//!   programs that run on chips do it.
//!
//! An instruction that breaks these rules computes repeat by repeat, each read whole before it is written. What the chip computes is open, so it
//! is told ([`Decoded::overwritten`]), and which bytes of the result are open is known ([`Decoded::open_results`]): a program whose outputs do not depend on them
//! has its result. Sums whose destination is an input (`Axpy`, `MulAddDst`, …) are refused.
//!
//! Only instructions whose total extents overlap come here.

use super::access::{Access, Lanes, Operand, Shape, VectorShape};
use super::fault::ExecFault;
use super::{Decoded, Overwritten, walk};
use std::ops::Range;
use toprope_abi::isa::{CompoundKind, DType, Kind};

/// What of an access [`Overwritten`] keeps.
fn overwritten(fault: ExecFault, access: usize, by_elements: bool) -> Option<Overwritten> {
    let (repeat, is_later) = match fault {
        ExecFault::Overlap { repeat, .. } => (repeat, false),
        ExecFault::RepeatHazard { repeat, .. } => (repeat, true),
        _ => return None,
    };
    Some(Overwritten { access: access as u8, repeat, is_later, by_elements })
}

/// Checks a vector instruction; switches it to buffered execution where a repeat has to be read whole.
#[cold]
pub(super) fn check(d: &mut Decoded) {
    let Some((&dst, sources)) = d.accesses().split_first() else { return };
    let mut buffered = false;
    let (mut hazard, mut open) = (None, None);
    for (i, src) in sources.iter().enumerate() {
        let (Shape::Vector(ds), Shape::Vector(ss)) = (dst.shape, src.shape) else { continue };
        let by_elements = ds.element_bits == ss.element_bits && ds.element_bits >= 8;
        let same = src.addr == dst.addr && ds == ss;
        if !same {
            match inside_repeat(d, &dst, &ds, src, &ss) {
                Ok(met) => buffered |= met,
                Err(fault) => open = open.or(overwritten(fault, i + 1, by_elements)),
            }
        }
        match across_repeats(d, &dst, &ds, src, &ss) {
            Err(ExecFault::RepeatHazard { repeat, .. }) if matches!(d.row.kind, Kind::Convert(_)) => {
                hazard = Some(repeat);
                buffered = true;
            }
            Err(fault) => open = open.or(overwritten(fault, i + 1, by_elements)),
            Ok(()) => {}
        }
    }
    d.hazard = hazard;
    d.overwritten = open;
    if buffered || open.is_some() {
        d.run = walk::vector_buffered;
        d.whole = 0;
    }
}

/// Instructions that read a repeat whole before they write its result: only what a *later* repeat reads must not be written. `true`: a source's
/// extent meets the destination's.
pub(super) fn check_later_repeats(d: &mut Decoded) -> bool {
    let Some((dst, sources)) = d.accesses().split_first() else { return false };
    let (mut met, mut open) = (false, None);
    for (i, src) in sources.iter().enumerate() {
        let (Shape::Vector(ds), Shape::Vector(ss)) = (dst.shape, src.shape) else { continue };
        if let (Some(de), Some(se)) = (dst.extent(), src.extent())
            && meet(&de, &se)
        {
            met = true;
            let fault = across_repeats(d, dst, &ds, src, &ss).err();
            open = open.or(fault.and_then(|f| overwritten(f, i + 1, false)));
        }
    }
    d.overwritten = open;
    met
}

/// Instructions whose destination is an input: what a repeat writes, a later one must not read there either, and a source of another width must
/// be apart (the public pages of `Axpy` and `MulAddDst` say so).
#[cold]
pub(super) fn check_destination_input(d: &Decoded) -> Result<(), ExecFault> {
    let Some((&dst, sources)) = d.accesses().split_first() else { return Ok(()) };
    let Shape::Vector(ds) = dst.shape else { return Ok(()) };
    across_repeats(d, &dst, &ds, &dst, &ds)?;
    for src in sources {
        let Shape::Vector(ss) = src.shape else { continue };
        if ss.element_bits != ds.element_bits && inside_repeat(d, &dst, &ds, src, &ss)? {
            return Err(overlap(d, src, &dst, 0));
        }
    }
    Ok(())
}

/// `Brcb`: source and destination must be apart in every repeat and between repeats.
#[cold]
pub(super) fn check_brcb(d: &mut Decoded) {
    let (dst, src) = (d.accesses[0], d.accesses[1]);
    let (Shape::Vector(ds), Shape::Bursts(ss)) = (dst.shape, src.shape) else { return };
    let from = shift(ss.extent(), src.addr);
    for repeat in 0..ds.repeats {
        let mut hit = false;
        ds.for_each_range_of_repeat(repeat, &mut |r| hit |= meet(&shift(r, dst.addr), &from));
        if hit {
            d.overwritten = Some(Overwritten { access: 1, repeat, is_later: false, by_elements: false });
            return;
        }
    }
}

impl Decoded {
    /// A source that the instruction overwrites and then reads. It computes all the same; what the chip computes is open.
    pub fn overwritten(&self) -> Option<ExecFault> {
        let Overwritten { access, repeat, is_later, .. } = self.overwritten?;
        let (src, dst) = (self.accesses().get(usize::from(access))?, self.accesses().first()?);
        let (intrinsic, operand, src, dst) = (self.row.intrinsic, src.operand, src.addr, dst.addr);
        Some(if is_later {
            ExecFault::RepeatHazard { intrinsic, operand, src, dst, repeat }
        } else {
            ExecFault::Overlap { intrinsic, operand, src, dst, repeat }
        })
    }

    /// Whether [`Decoded::open_results`] has any.
    #[inline]
    pub fn has_open_results(&self) -> bool {
        self.overwritten.is_some()
    }

    /// Calls `f` with the addresses of the results that depend on overwritten sources, element by element. Its accesses must have been
    /// checked: their extents are in a local memory.
    #[cold]
    pub fn open_results(&self, f: &mut dyn FnMut(Range<u64>)) {
        let Some(Overwritten { by_elements, .. }) = self.overwritten else { return };
        let Some((dst, sources)) = self.accesses().split_first() else { return };
        match (dst.shape, dst.extent()) {
            (Shape::Vector(shape), Some(extent)) if by_elements => {
                open_elements(self, dst, &shape, &extent, sources, f);
            }
            _ => dst.for_each_range(f),
        }
    }
}

/// Results of elements whose sources another element has written, in this repeat or an earlier one.
fn open_elements(
    d: &Decoded,
    dst: &Access,
    ds: &VectorShape,
    extent: &Range<u64>,
    sources: &[Access],
    f: &mut dyn FnMut(Range<u64>),
) {
    let bytes = u64::from(ds.element_bits / 8);
    let blocks = ((extent.end - extent.start) / bytes) as usize + 1;
    // By place of the destination, in elements: written by an earlier repeat; written by which element of this one, from 1.
    let (mut earlier, mut now) = (vec![false; blocks], vec![0_u16; blocks]);
    let place = |at: u64| at.checked_sub(extent.start).map(|b| (b / bytes) as usize).filter(|p| *p < blocks);
    for r in 0..ds.repeats {
        let mut written = Vec::new();
        each_element(dst, ds, r, &mut |e, at| written.push((e, at)));
        for (e, at) in &written {
            if let Some(place) = place(*at) {
                now[place] = *e as u16 + 1;
            }
        }
        let mut open = [false; 256];
        for src in sources {
            let Shape::Vector(ss) = src.shape else { continue };
            let accumulates = accumulates(d, ds, src, &ss);
            each_element(src, &ss, r, &mut |e, at| {
                let Some(place) = place(at) else { return };
                let by_other = now[place] != 0 && now[place] != e as u16 + 1;
                open[e as usize & 0xff] |= by_other || earlier[place] && !accumulates;
            });
        }
        for (e, at) in written {
            if let Some(place) = place(at) {
                (earlier[place], now[place]) = (true, 0);
            }
            if open[e as usize & 0xff] {
                f(at..at + bytes);
            }
        }
    }
}

fn each_element(a: &Access, s: &VectorShape, r: u32, f: &mut dyn FnMut(u64, u64)) {
    let base = a.addr + u64::from(r) * u64::from(s.repeat_stride_bytes);
    s.for_each_run(r, s.elements_per_block(), |first, n| {
        (first..first + n).for_each(|e| f(e, base + s.element_offset(e)));
    });
}

fn overlap(d: &Decoded, src: &Access, dst: &Access, repeat: u32) -> ExecFault {
    let intrinsic = d.row.intrinsic;
    ExecFault::Overlap { intrinsic, operand: src.operand, src: src.addr, dst: dst.addr, repeat }
}

fn shift(r: Range<u64>, by: u64) -> Range<u64> {
    r.start.saturating_add(by)..r.end.saturating_add(by)
}

fn meet(a: &Range<u64>, b: &Range<u64>) -> bool {
    a.start < b.end && b.start < a.end
}

/// Extent of repeat `r`.
fn extent_of(a: &Access, s: &VectorShape, r: u32) -> Option<Range<u64>> {
    let last = r + 1 == s.repeats;
    let lanes = match s.lanes {
        Lanes::First { last: n, .. } if last => Lanes::First { each: n, last: n },
        Lanes::First { each, .. } => Lanes::First { each, last: each },
        bits => bits,
    };
    let one = Shape::Vector(VectorShape { repeats: 1, lanes, ..*s });
    Some(shift(one.extent()?, a.addr + u64::from(r) * u64::from(s.repeat_stride_bytes)))
}

/// Whether some repeat has to be read whole before it is written.
fn inside_repeat(
    d: &Decoded,
    dst: &Access,
    ds: &VectorShape,
    src: &Access,
    ss: &VectorShape,
) -> Result<bool, ExecFault> {
    let mixed = ds.element_bits != ss.element_bits;
    for r in 0..ds.repeats {
        let (Some(de), Some(se)) = (extent_of(dst, ds, r), extent_of(src, ss, r)) else { continue };
        if !meet(&de, &se) {
            continue;
        }
        if mixed {
            return Ok(true);
        }
        if misaligned_runs(dst, ds, src, ss, r) {
            return Err(overlap(d, src, dst, r));
        }
    }
    Ok(false)
}

/// Whether in repeat `r` an element of the destination meets another element of the source than its own.
fn misaligned_runs(dst: &Access, ds: &VectorShape, src: &Access, ss: &VectorShape, r: u32) -> bool {
    let mut bad = false;
    let cut = ds.elements_per_block();
    let run = |a: &Access, s: &VectorShape, e: u64, n: u64| {
        let start = a.addr + u64::from(r) * u64::from(s.repeat_stride_bytes) + s.element_offset(e);
        start..start + ((n * u64::from(s.element_bits)) >> 3)
    };
    ds.for_each_run(r, cut, |de, dn| {
        let dr = run(dst, ds, de, dn);
        ss.for_each_run(r, cut, |se, sn| {
            let sr = run(src, ss, se, sn);
            bad |= meet(&dr, &sr) && !(de == se && dr == sr);
        });
    });
    bad
}

/// The idiom that reads what earlier repeats wrote.
fn accumulates(d: &Decoded, ds: &VectorShape, src: &Access, ss: &VectorShape) -> bool {
    src.operand == Operand::Src1
        && (ds.repeat_stride_bytes == 0 || ss.repeat_stride_bytes == 0)
        && matches!(
            d.row.kind,
            Kind::Binary(_) | Kind::Compound(CompoundKind::AddRelu | CompoundKind::SubRelu)
        )
        && matches!(d.row.dst, DType::F16 | DType::F32 | DType::S32)
}

/// Looks for a repeat that writes what a later one reads.
fn across_repeats(
    d: &Decoded,
    dst: &Access,
    ds: &VectorShape,
    src: &Access,
    ss: &VectorShape,
) -> Result<(), ExecFault> {
    if accumulates(d, ds, src, ss) {
        return Ok(());
    }
    for r in 0..ds.repeats.saturating_sub(1) {
        let Some(de) = extent_of(dst, ds, r) else { continue };
        for s in later_repeats(&de, src, ss, r) {
            let hit =
                extent_of(src, ss, s).is_some_and(|se| meet(&de, &se)) && runs_meet(dst, ds, r, src, ss, s);
            if hit {
                let intrinsic = d.row.intrinsic;
                let (operand, src, dst) = (src.operand, src.addr, dst.addr);
                return Err(ExecFault::RepeatHazard { intrinsic, operand, src, dst, repeat: r });
            }
        }
    }
    Ok(())
}

/// Repeats after `r` whose source extent may meet `de`: found by division, not by search.
fn later_repeats(de: &Range<u64>, src: &Access, ss: &VectorShape, r: u32) -> Range<u32> {
    let end = ss.repeats;
    let step = u64::from(ss.repeat_stride_bytes);
    let Some(first) = extent_of(src, ss, 0) else { return 0..0 };
    if step == 0 {
        return r + 1..end.min(r + 2);
    }
    // first.end + s*step > de.start and first.start + s*step < de.end
    let lo = de.start.saturating_sub(first.end) / step;
    let hi = de.end.saturating_sub(first.start).div_ceil(step) + 1;
    (r + 1).max(lo.min(u64::from(end)) as u32)..hi.min(u64::from(end)) as u32
}

/// Whether the exact bytes of repeat `r` of the destination and repeat `s` of the source meet.
fn runs_meet(dst: &Access, ds: &VectorShape, r: u32, src: &Access, ss: &VectorShape, s: u32) -> bool {
    let mut hit = false;
    ds.for_each_range_of_repeat(r, &mut |a| {
        let a = shift(a, dst.addr);
        ss.for_each_range_of_repeat(s, &mut |b| hit |= meet(&a, &shift(b, src.addr)));
    });
    hit
}
