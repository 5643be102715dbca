//! Uninitialised data: values made of bytes of local memory that nobody wrote.
//!
//! Reading such bytes is legal, and common: the lanes behind the end of a tensor, rounded up to 32 bytes. So they make what is computed from them *dirty*,
//! byte by byte (`shadow`, `rules`, `products`), and that is reported where it does harm: when it is left in an output (`stored`), says where to read or write, or
//! reaches the scalar unit, whose branches, loops and addresses nobody follows further.
//!
//! ```text
//! work() ─▶ sources clean? ──yes─▶ destination clean          (one look per 256 bytes)
//!                │no
//!                ▼
//!        rule of the family ─▶ dirty destination, with its origin ─▶ store to GM, address, scalar: report
//! ```
//! A block starts with everything unwritten: the chip does not clear local memories, what an earlier block left there is not data.
//!
//! Not followed: values in scalar registers (a `GetValue` of a dirty element is reported itself), raw pointers of C++ code, see `docs/semantics.md`.

mod products;
mod rules;
mod shadow;
mod stored;
#[cfg(test)]
mod tests;

pub use stored::Stored;

use super::chip::Chip;
use super::clock::SLOT_PIPES;
use super::core::Core;
use super::order::sites::{Place, SCALAR_OP};
use super::pipes::{Frames, Origin};
use crate::exec::{Decoded, Operand, Shape};
use crate::findings::catalogue::{self as c, Entry};
use crate::findings::{Detail, Draft, DraftSide, Side};
use rules::{Step, clean_access, first_dirty_of};
use shadow::{Dirty, Shadow};
use std::collections::HashMap;
use std::io;
use std::ops::Range;
use stored::Store;
use toprope_abi::isa::{
    CompareKind, CoreKind, CubeKind, GatherKind, Kind, RearrangeKind, ReduceFn, ReduceKind, SPRS, Space, Spr,
};

/// Unit in which copies to GM round up.
const GM_UNIT: u64 = 32;

/// Registers that instructions write, if their value is made of dirty bytes.
#[derive(Debug, Default)]
pub struct Registers {
    origins: [u32; SPRS.len()],
    /// Bits of CMPMASK that are dirty.
    pub compare_bits: u128,
    any: bool,
}

impl Registers {
    fn get(&self, spr: Spr) -> u32 {
        self.origins[spr as usize]
    }

    fn set(&mut self, spr: Spr, id: u32) {
        self.origins[spr as usize] = id;
        self.any = self.origins.iter().any(|o| *o != 0);
    }

    fn set_compare(&mut self, bits: u128, id: u32) {
        self.compare_bits = bits;
        self.set(Spr::CmpMaskLow, if bits as u64 != 0 { id } else { 0 });
        self.set(Spr::CmpMaskHigh, if bits >> 64 != 0 { id } else { 0 });
    }

    /// An instruction of this kind wrote its register from clean sources.
    fn clean(&mut self, kind: Kind) {
        if !self.any {
            return;
        }
        match kind {
            Kind::Reduce(ReduceKind::Repeat(ReduceFn::Sum)) => self.set(Spr::AccVal, 0),
            Kind::Reduce(ReduceKind::Repeat(_)) => self.set(Spr::MaxMinCnt, 0),
            Kind::Compare(CompareKind::ToRegister(_) | CompareKind::SetRegister) => self.set_compare(0, 0),
            Kind::Gather(GatherKind::Mask) => self.set(Spr::RsvdCnt, 0),
            Kind::Rearrange(RearrangeKind::MergeSort) => self.set(Spr::Vms4Sr, 0),
            _ => {}
        }
    }
}

/// Where bytes nobody wrote were read first.
#[derive(Clone, Debug)]
struct FirstRead {
    side: DraftSide,
    /// It only moved them.
    is_move: bool,
    /// What then computed with them first.
    used: Option<DraftSide>,
    why: Why,
}

/// Why nothing is known of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Why {
    /// Nobody wrote them.
    Nobody,
    /// The write of these bytes still waits in its pipe: the fault is the order, and reported there.
    Early,
    /// An instruction overwrote its source before it was read; reported there.
    Overlap,
}

impl Why {
    /// The finding for harm that such bytes do, which is `entry` for bytes that nobody wrote.
    fn entry(self, entry: &'static Entry) -> &'static Entry {
        if self == Why::Overlap { &c::OPEN_RESULT } else { entry }
    }
}

/// What is known of a core's data.
#[derive(Debug)]
pub struct Taint {
    shadow: Shadow,
    registers: Registers,
    origins: Vec<FirstRead>,
    /// Origins by the place that reads.
    known: HashMap<(Frames, &'static str), u32>,
    /// Origins that came from GM, by number of the store.
    loaded: HashMap<u32, u32>,
    /// Places that were reported, and the stores they are.
    reported: HashMap<(Frames, u32, &'static str, u64), u32>,
}

impl Taint {
    /// The shadow of a core whose region starts at `base`.
    ///
    /// # Errors
    /// What the system says when it has no address space left.
    pub fn new(chip: &Chip, kind: CoreKind, base: u64) -> io::Result<Box<Taint>> {
        Ok(Box::new(Taint {
            shadow: Shadow::new(chip, kind, base)?,
            registers: Registers::default(),
            origins: Vec::new(),
            known: HashMap::new(),
            loaded: HashMap::new(),
            reported: HashMap::new(),
        }))
    }

    /// A new block begins.
    pub fn clear(&mut self) {
        self.shadow.clear();
        self.registers = Registers::default();
        if !self.origins.is_empty() {
            self.origins.clear();
            self.known.clear();
            self.loaded.clear();
            self.reported.clear();
        }
    }

    /// The fast path: every source is clean, so the destination is. `false`: look closer.
    #[inline]
    fn passes(&mut self, d: &Decoded, gm_is_clean: bool, pads_are_known: bool) -> bool {
        if d.has_more_accesses() || d.has_open_results() || self.registers.any || d.pads() && !pads_are_known
        {
            return false;
        }
        let reads_destination = d.reads_destination();
        for a in d.accesses() {
            if a.space == Space::Gm {
                if !gm_is_clean {
                    return false;
                }
            } else if (!a.write || reads_destination) && !a.extent().is_none_or(|e| self.shadow.is_clean(&e))
            {
                return false;
            }
        }
        for a in d.accesses().iter().filter(|a| a.write && a.space != Space::Gm) {
            clean_access(&mut self.shadow, a);
        }
        true
    }
}

/// An access of the scalar unit or an instruction, in words.
struct Reader {
    frames: Frames,
    place: Place,
    slot: usize,
    op: &'static str,
    /// It only moves bytes.
    is_move: bool,
}

impl Core {
    /// An instruction on data executes next.
    #[inline]
    pub(super) fn taint(&mut self, slot: usize, decoded: &Decoded, queued: Option<&Origin>) {
        let gm_is_clean = self.launch.as_ref().is_none_or(|l| l.stored().is_empty());
        let pads_are_known = self.sticky.has(Spr::PadValue);
        let Some(taint) = &mut self.taint else { return };
        if !taint.passes(decoded, gm_is_clean, pads_are_known) {
            self.taint_closely(slot, decoded, queued);
        }
    }

    #[inline(never)]
    fn taint_closely(&mut self, slot: usize, d: &Decoded, queued: Option<&Origin>) {
        let Some(mut taint) = self.taint.take() else { return };
        let stores = writes_gm(d.row().kind, d);
        let is_move = !stores && d.moved(0).is_some();
        let reader = Reader { is_move, ..self.reader(slot, d.row().intrinsic, d.row().op as u32, queued) };
        let state = self.pipe_state;
        let t = &mut *taint;
        let mut step = Step { shadow: &mut t.shadow, registers: &mut t.registers, decoded: d, state: &state };
        let dirty = step.first_dirty();
        match dirty {
            None => {
                step.clean();
                self.touch_gm(t, d, &state);
                if d.pads() && !self.sticky.has(Spr::PadValue) {
                    self.pad_with_nothing(t, d, &reader);
                }
            }
            Some(dirty) => {
                let id = self.origin_id(t, &dirty, &reader);
                if stores {
                    self.store_dirty(t, d, id, &reader);
                } else {
                    // Rules look at values: those that this instruction will see have to be there, also with a seed.
                    self.settle_behind(slot);
                    let state = self.pipe_state;
                    Step { shadow: &mut t.shadow, registers: &mut t.registers, decoded: d, state: &state }
                        .spread(id);
                }
            }
        }
        if d.has_open_results() {
            self.leave_open(t, d, &reader);
        }
        self.taint = Some(taint);
    }

    /// A copy pads with a register that this kernel has not set: the documents call these bytes random.
    fn pad_with_nothing(&self, t: &mut Taint, d: &Decoded, reader: &Reader) {
        let [dst, src, ..] = d.accesses() else { return };
        let (Shape::Bursts(to), Shape::Bursts(from)) = (dst.shape, src.shape) else { return };
        let (left, total) = (d.left_pad_bytes(), u64::from(to.len_bytes));
        let data_end = left + u64::from(from.len_bytes);
        for i in 0..to.count {
            let burst = dst.addr + to.burst(i).start;
            for pad in [burst..burst + left, burst + data_end..burst + total] {
                if pad.is_empty() {
                    continue;
                }
                let next = t.origins.len() as u32 + 1;
                let id = *t.known.entry((reader.frames, reader.op)).or_insert(next);
                if id == next {
                    let side = self.local_side(&t.shadow, reader, "pads, with a value nobody set,", &pad);
                    t.origins.push(FirstRead { side, is_move: true, used: None, why: Why::Nobody });
                }
                t.shadow.write(pad.start, &vec![shadow::DIRTY; (pad.end - pad.start) as usize], id);
            }
        }
    }

    /// Results that depend on sources which the instruction had overwritten: nobody knows their values.
    #[cold]
    fn leave_open(&self, t: &mut Taint, d: &Decoded, reader: &Reader) {
        let mut id = 0;
        d.open_results(&mut |open| {
            if id == 0 {
                let next = t.origins.len() as u32 + 1;
                id = *t.known.entry((reader.frames, "overwrites its source")).or_insert(next);
                if id == next {
                    let side =
                        self.local_side(&t.shadow, reader, "overwrites its source, and leaves open", &open);
                    t.origins.push(FirstRead { side, is_move: false, used: None, why: Why::Overlap });
                }
            }
            t.shadow.write(open.start, &vec![shadow::DIRTY; (open.end - open.start) as usize], id);
        });
    }

    fn reader(&self, slot: usize, op: &'static str, number: u32, queued: Option<&Origin>) -> Reader {
        let frames = queued.map_or_else(|| self.quick_frames(), |o| o.frames);
        let pc = queued.map_or(self.face.pc, |o| o.pc);
        Reader { frames, place: Place { here: frames[0], pc, op: number }, slot, op, is_move: false }
    }

    /// The origin of dirty bytes: theirs, or this read if nobody wrote them.
    fn origin_id(&self, t: &mut Taint, dirty: &Dirty, reader: &Reader) -> u32 {
        if dirty.origin != 0 {
            let first = &t.origins[dirty.origin as usize - 1];
            if first.is_move && first.used.is_none() && !reader.is_move && !dirty.range.is_empty() {
                let side = self.local_side(&t.shadow, reader, "reads", &dirty.range);
                t.origins[dirty.origin as usize - 1].used = Some(side);
            }
            return dirty.origin;
        }
        let key = (reader.frames, reader.op);
        if let Some(id) = t.known.get(&key) {
            return *id;
        }
        let side = self.local_side(&t.shadow, reader, "reads", &dirty.range);
        let why = if self.will_be_written(&dirty.range) { Why::Early } else { Why::Nobody };
        t.origins.push(FirstRead { side, is_move: reader.is_move, used: None, why });
        let id = t.origins.len() as u32;
        t.known.insert(key, id);
        id
    }

    /// An access to local memory as one side of a finding.
    fn local_side(&self, shadow: &Shadow, reader: &Reader, verb: &str, range: &Range<u64>) -> DraftSide {
        let (space, offset) = shadow.locate(range.start).unwrap_or((Space::Ub, 0));
        let side = Side {
            what: format!("{} {verb}", reader.op),
            pipe: SLOT_PIPES[reader.slot].name(),
            memory: space.name(),
            first_byte: offset,
            end_byte: offset + (range.end - range.start),
            owner: self.owner_of(space, offset),
            iteration: u64::from(self.sites.last_run(reader.place)),
            core: self.core_name(),
            block: self.face.block_idx,
            ..Side::default()
        };
        DraftSide { side, frames: trimmed(&reader.frames), op: Some(reader.op) }
    }

    /// Known bytes go to GM, or GM is read: what is remembered of GM changes, or is taken along.
    fn touch_gm(&self, t: &mut Taint, d: &Decoded, state: &crate::exec::PipeState) {
        let Some(launch) = self.launch.as_ref().filter(|l| !l.stored().is_empty()) else { return };
        rules::for_each_access(d, state, &mut |a| {
            if a.space == Space::Gm && a.write && !a.atomic {
                a.for_each_range(|r| launch.stored().remove(&r));
            }
        });
        let (Some(dst), Some(src)) = (d.accesses().first(), d.accesses().get(1)) else { return };
        let (Shape::Bursts(to), Shape::Bursts(from)) = (dst.shape, src.shape) else { return };
        let is_copy = matches!(d.row().kind, Kind::CopyBurst(_) | Kind::CopyAlign(_));
        if src.space != Space::Gm || !is_copy {
            return;
        }
        for i in 0..from.count {
            let burst = src.addr + from.burst(i).start;
            for (part, store, side) in launch.stored().parts(&(burst..burst + u64::from(from.len_bytes))) {
                let at = dst.addr + to.burst(i).start + d.left_pad_bytes() + (part.start - burst);
                let id = *t.loaded.entry(store).or_insert_with(|| {
                    t.origins.push(FirstRead { side, is_move: false, used: None, why: Why::Nobody });
                    t.origins.len() as u32
                });
                t.shadow.write(at, &vec![shadow::DIRTY; (part.end - part.start) as usize], id);
            }
        }
    }

    /// A copy to GM whose source is dirty.
    fn store_dirty(&mut self, t: &mut Taint, d: &Decoded, id: u32, reader: &Reader) {
        let Some(launch) = self.launch.clone() else { return };
        let state = self.pipe_state;
        if !d.accesses()[0].atomic {
            rules::for_each_access(d, &state, &mut |a| {
                if a.space == Space::Gm && a.write && !launch.stored().is_empty() {
                    a.for_each_range(|r| launch.stored().remove(&r));
                }
            });
        }
        for part in dirty_parts(&mut t.shadow, d) {
            let Some(allocation) = self.gm.find(part.gm.start) else { continue };
            // What a copy rounds up to lies in the room behind the block.
            let end = part.gm.end.min(allocation.start + allocation.requested_bytes);
            if part.gm.start >= end {
                continue;
            }
            let is_padding = part.is_padding && !d.accesses()[0].atomic;
            let why = t.origins[id as usize - 1].why;
            let entry =
                if is_padding { &c::UNINITIALISED_PADDING } else { why.entry(&c::UNINITIALISED_OUTPUT) };
            let key = (reader.frames, id, entry.code, allocation.id);
            let store = match t.reported.get(&key) {
                Some(store) => *store,
                None => {
                    let target = self.place_of(part.gm.start);
                    let owner = target.split(" + ").next().unwrap_or_default().to_owned();
                    let mut sink = self.local_side(&t.shadow, reader, "stores", &part.source);
                    sink.side.memory = Space::Gm.name();
                    sink.side.owner.clone_from(&owner);
                    let is_workspace = owner.to_lowercase().contains("workspace")
                        || (launch.system_workspace() != 0 && allocation.contains(launch.system_workspace()));
                    let store = launch.stored().announce(Store {
                        entry,
                        sides: [t.origins[id as usize - 1].side.clone(), sink],
                        used: t.origins[id as usize - 1].used.as_ref().map(used_line),
                        base: allocation.start,
                        target: owner,
                        is_silent: is_workspace || is_padding && !self.checks.coverage || why == Why::Early,
                        block: self.face.block_idx,
                        core: self.core_name(),
                    });
                    t.reported.insert(key, store);
                    store
                }
            };
            launch.stored().put(part.gm.start..end, store);
        }
    }

    /// An instruction whose footprint depends on data asks for it now: offsets and addresses must be known.
    #[inline(never)]
    pub(super) fn taint_address(&mut self, slot: usize, d: &Decoded, queued: Option<&Origin>) {
        let Some(mut taint) = self.taint.take() else { return };
        let t = &mut *taint;
        let mut dirty = None;
        for a in d.accesses().iter().filter(|a| a.operand == Operand::Offsets) {
            dirty = first_dirty_of(&mut t.shadow, a);
        }
        if let Some(dirty) = dirty {
            let reader = self.reader(slot, d.row().intrinsic, d.row().op as u32, queued);
            let id = self.origin_id(t, &dirty, &reader);
            self.report(t, &c::UNINITIALISED_ADDRESS, id, &dirty, &reader, "takes offsets from");
        }
        self.taint = Some(taint);
    }

    /// The scalar unit reads or writes local memory.
    #[inline]
    pub(super) fn taint_scalar(&mut self, op: &'static str, range: &Range<u64>, write: bool) {
        let Some(taint) = &mut self.taint else { return };
        if write {
            taint.shadow.clean(range);
        } else if !taint.shadow.is_clean(range) {
            self.scalar_reads(op, range);
        }
    }

    #[inline(never)]
    fn scalar_reads(&mut self, op: &'static str, range: &Range<u64>) {
        let Some(mut taint) = self.taint.take() else { return };
        if let Some(dirty) = taint.shadow.first_dirty(range) {
            let reader = self.reader(0, op, SCALAR_OP, None);
            let id = self.origin_id(&mut taint, &dirty, &reader);
            self.report(&mut taint, &c::UNINITIALISED_SCALAR, id, &dirty, &reader, "reads");
        }
        self.taint = Some(taint);
    }

    /// The kernel has a raw pointer to these bytes, and may write them unseen.
    pub(super) fn taint_raw(&mut self, range: Range<u64>) {
        let end = self
            .region
            .locate(range.start)
            .map_or(0, |(space, _)| self.region.start(space) + u64::from(self.region.bytes(space)));
        let range = range.start..range.end.min(end);
        if let Some(taint) = self.taint.as_mut().filter(|_| !range.is_empty()) {
            taint.shadow.clean(&range);
        }
    }

    /// The scalar unit writes GM.
    #[inline]
    pub(super) fn taint_scalar_gm(&self, range: &Range<u64>) {
        if let Some(launch) = self.launch.as_ref().filter(|l| !l.stored().is_empty()) {
            launch.stored().remove(range);
        }
    }

    /// The kernel reads a register that an instruction wrote.
    #[inline]
    pub(super) fn taint_register(&mut self, spr: Spr) {
        let Some(id) = self.taint.as_ref().map(|t| t.registers.get(spr)).filter(|id| *id != 0) else {
            return;
        };
        let Some(mut taint) = self.taint.take() else { return };
        let reader = self.reader(0, SPRS[spr as usize].1, SCALAR_OP, None);
        let dirty = Dirty { range: 0..0, origin: id };
        self.report(&mut taint, &c::UNINITIALISED_SCALAR, id, &dirty, &reader, "is read");
        self.taint = Some(taint);
    }

    fn report(
        &mut self,
        t: &mut Taint,
        entry: &'static Entry,
        id: u32,
        dirty: &Dirty,
        reader: &Reader,
        verb: &str,
    ) {
        let why = t.origins[id as usize - 1].why;
        let entry = why.entry(entry);
        if why == Why::Early || t.reported.insert((reader.frames, id, entry.code, 0), 0).is_some() {
            return;
        }
        let origin = t.origins[id as usize - 1].side.clone();
        let values = [
            ("op", reader.op.to_owned()),
            ("memory", origin.side.memory.to_owned()),
            ("first", format!("{:#x}", origin.side.first_byte)),
            ("end", format!("{:#x}", origin.side.end_byte)),
        ];
        let mut draft = Draft::new(entry, &values).op(reader.op);
        draft.frames = trimmed(&reader.frames);
        if dirty.origin != 0 {
            draft.details.extend(t.origins[id as usize - 1].used.as_ref().map(used_line));
            draft.sides.push(origin);
        }
        if !dirty.range.is_empty() {
            draft.sides.push(self.local_side(&t.shadow, reader, verb, &dirty.range));
        }
        self.record(draft, false);
    }
}

/// Dirty bytes on their way to GM.
struct Part {
    gm: Range<u64>,
    source: Range<u64>,
    /// They are the end of a 32-byte block whose beginning is known: a copy in whole blocks cannot leave them out.
    is_padding: bool,
}

fn writes_gm(kind: Kind, d: &Decoded) -> bool {
    matches!(kind, Kind::CopyBurst(_) | Kind::CopyAlign(_) | Kind::Cube(CubeKind::FixpipeToGm))
        && d.accesses().first().is_some_and(|a| a.space == Space::Gm)
}

/// The dirty bytes of a copy to GM.
fn dirty_parts(shadow: &mut Shadow, d: &Decoded) -> Vec<Part> {
    let mut parts = Vec::new();
    if let Kind::Cube(_) = d.row().kind {
        // Rows and columns behind those of the product fill up cells of 16 × 16 in NZ; the documents call them invalid.
        let mut cell_is_known = false;
        d.for_each_fixpipe_row(|row| {
            let flags = products::flags_of_row(shadow, row);
            if row.row.is_multiple_of(products::CELL) {
                cell_is_known = !flags[0];
            }
            let is_padding = row.is_nz && cell_is_known;
            products::for_each_result(row, &flags, |at, bytes| {
                let source = row.src..row.src + 4 * row.columns;
                runs(bytes, |r| {
                    parts.push(Part { gm: at + r.start..at + r.end, source: source.clone(), is_padding });
                });
            });
        });
        return parts;
    }
    let [dst, src, ..] = d.accesses() else { return parts };
    let (Shape::Bursts(to), Shape::Bursts(from)) = (dst.shape, src.shape) else { return parts };
    for i in 0..to.count {
        let (gm, start) = (dst.addr + to.burst(i).start, src.addr + from.burst(i).start);
        let mut bytes = vec![0; to.len_bytes as usize];
        shadow.read(start, &mut bytes);
        runs(&bytes, |r| {
            // Only a copy of whole blocks has no choice, and only of a block that begins with known bytes.
            let in_whole_blocks = (bytes.len() as u64).is_multiple_of(GM_UNIT);
            let is_padding = in_whole_blocks
                && r.end == bytes.len() as u64
                && !r.start.is_multiple_of(GM_UNIT)
                && r.end - r.start < GM_UNIT;
            parts.push(Part {
                gm: gm + r.start..gm + r.end,
                source: start + r.start..start + r.end,
                is_padding,
            });
        });
    }
    parts
}

/// Calls `f` with every run of dirty bytes.
fn runs(bytes: &[u8], mut f: impl FnMut(Range<u64>)) {
    let mut at = 0;
    while let Some(start) = bytes[at..].iter().position(|b| *b != 0).map(|i| at + i) {
        let end = bytes[start..].iter().position(|b| *b == 0).map_or(bytes.len(), |i| start + i);
        f(start as u64..end as u64);
        at = end;
    }
}

/// Which instruction computed with bytes that others had only moved.
fn used_line(side: &DraftSide) -> Detail {
    let s = &side.side;
    let text =
        format!("copied on to {} bytes {:#x}..{:#x}; {} them", s.memory, s.first_byte, s.end_byte, s.what);
    Detail::At(text, side.frames.clone())
}

fn trimmed(frames: &Frames) -> Vec<u64> {
    frames.iter().copied().filter(|f| *f != 0).collect()
}
