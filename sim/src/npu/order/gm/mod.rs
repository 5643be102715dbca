//! Order of accesses to GM: inside a core, between cores, and around the scalar unit's data cache.
//!
//! ```text
//!  copy, GetValue, SetValue ─┬─▶ near    what is in flight on this core      ─▶ race between two pipes (at once)
//!                            ├─▶ cache   lines that were not cleaned          ─▶ stale bytes on this core (at once)
//!                            └─▶ log     ranges, numbers, knowledge of others ─┬▶ sweep over all cores (end of the launch)
//!                                                                              └▶ used: bytes, for the host's order
//! ```
//! What a core knows of others is a vector clock carried by cross-core flags and by the barriers of the headers (`poll`), so
//! findings are the same whatever the order in which threads run.
//!
//! Not modelled: eviction of cache lines, order of DMA requests inside one instruction, other devices.
//!
//! Source: Ascend C API reference (DataCopy, SetValue, DataCacheCleanAndInvalid, CrossCoreSetFlag, SyncAll).

mod cache;
mod log;
mod near;
mod report;
mod runs;
mod sweep;
mod tensors;
mod used;
mod words;

pub use log::CoreLog;
pub use report::Conflicts;
pub use used::GmUse;

use super::foreign::LOADS;
use crate::exec::{Access, Decoded};
use crate::npu::core::Core;
use crate::npu::order::sites::{self, SCALAR_OP, SiteId, Sites};
use crate::npu::order::{Doer, Visit};
use crate::npu::pipes::bytes_of_gm;
use cache::Cache;
use log::{Class, Key, Log, Look, Moment, Place, Record, Size, WORD_BYTES};
use near::{Near, Recent};
use report::{Race, Races};
use runs::Runs;
use std::ops::Range;
use tensors::Tensors;
use toprope_abi::isa::{CoreKind, Pipe, Space};
use words::Words;

const SCALAR: usize = 0;
const VECTOR: usize = Pipe::V as usize;
const MTE3: usize = Pipe::Mte3 as usize;
/// Slots of pipes that access GM: S, MTE2, MTE3, FIX.
const GM_SLOTS: [usize; 4] = [SCALAR, Pipe::Mte2 as usize, MTE3, 6];
const GM_PIPES: u32 = 1 << GM_SLOTS[1] | 1 << GM_SLOTS[2] | 1 << GM_SLOTS[3];
/// Looks of a core's own loops that are followed; more are only kept quiet.
const MOST_LOOKS: u32 = 64;

/// Where an access is made, and how often that had happened.
type At = (u32, u32);

/// What is kept of a core's accesses to GM.
#[derive(Debug, Default)]
pub struct GmOrder {
    log: Log,
    /// No other core can meet it, and nobody asks what was written.
    is_alone: bool,
    near: Near,
    races: Races,
    cache: Cache,
    /// Flags for other cores so far.
    exports: u32,
    /// Looks of the kernel's own loops so far.
    looks: u32,
    /// As many as the latest access to data is behind of.
    looked: u32,
    /// A barrier of the headers is looking.
    announced: bool,
    /// The scalar unit has taken a value from UB or a register since the latest copy from GM.
    inspected: bool,
    /// Small copies whose words may go to the scalar unit.
    words: Words,
    /// Bytes that MTE3 writes again: an earlier write, who writes now, the bytes and what they were.
    /// What the kernel says of its tensors.
    tensors: Tensors,
    rewrite: Option<(Recent, At, Range<u64>, Vec<u8>)>,
    /// Numbers of places in the log, by their number on the core; [`NO_PLACE`]: none.
    places: Vec<u32>,
}

const NO_PLACE: u32 = u32::MAX;

impl GmOrder {
    /// Where the tensor began whose offset led to this address, out of its block.
    pub fn strayed(&self, address: u64) -> Option<u64> {
        self.tensors.strayed(address)
    }

    /// Another block begins. `is_alone`: on the only core of its launch, whose outputs nobody asks for.
    pub fn begin(&mut self, is_alone: bool) {
        *self = GmOrder { is_alone, ..GmOrder::default() };
    }

    /// Number of a place in the log.
    #[inline]
    fn place(&mut self, at: Visit, sites: &Sites) -> At {
        match self.places.get(at.site as usize) {
            Some(number) if *number != NO_PLACE => (*number, at.iteration),
            _ => (self.new_place(at.site, sites), at.iteration),
        }
    }

    #[cold]
    fn new_place(&mut self, id: SiteId, sites: &Sites) -> u32 {
        let site = sites.get(id);
        let number = self.log.add_place(Place { op: site.op, frames: site.frames, slot: site.slot });
        let index = id as usize;
        if index >= self.places.len() {
            self.places.resize(index + 1, NO_PLACE);
        }
        self.places[index] = number;
        number
    }

    /// Something was told to other cores.
    pub fn exported(&mut self) {
        self.exports += 1;
    }
}

/// One access on its way into the log.
struct Touch {
    slot: usize,
    part: usize,
    class: Class,
    at: At,
    look: Look,
    cached: bool,
    fill: Option<u32>,
}

impl Core {
    /// An instruction on data runs now, which may access GM.
    #[inline]
    pub(super) fn follow_gm(&mut self, doer: &Doer, decoded: &Decoded) {
        if GM_PIPES >> doer.slot & 1 == 0 {
            if doer.slot == VECTOR && !self.gm_order.words.is_empty() {
                self.gm_order.words.step(decoded);
            }
            return;
        }
        let accesses = decoded.accesses();
        let is_gm = |a: &&Access| a.space == Space::Gm && a.extent().is_some();
        if let Some(access) = accesses.iter().find(is_gm) {
            let at = self.gm_order.place(doer.at, &self.sites);
            let local = accesses.iter().find(|a| a.space == Space::Ub);
            self.follow_copy(doer.slot, at, access, local);
        }
        if decoded.has_more_accesses() {
            let more = std::mem::take(&mut self.local.more);
            for access in more.iter().filter(is_gm) {
                let at = self.gm_order.place(doer.at, &self.sites);
                self.follow_copy(doer.slot, at, access, None);
            }
            self.local.more = more;
        }
    }

    fn follow_copy(&mut self, slot: usize, at: At, access: &Access, local: Option<&Access>) {
        let class = match (access.write, access.atomic) {
            (false, _) => Class::Read,
            (true, false) => Class::Write,
            (true, true) => Class::Atomic,
        };
        let is_small = access.extent().is_some_and(|e| e.end - e.start <= WORD_BYTES);
        // A loop that looks for a word takes what it has copied to the scalar unit before it copies again.
        let again = is_small && self.polling.address == access.addr && self.gm_order.inspected;
        self.gm_order.inspected &= access.write;
        let look = match class {
            Class::Read if self.gm_order.announced => Look::Announced,
            Class::Read if again => Look::User,
            _ => Look::No,
        };
        let touch = Touch { slot, part: slot, class, at, look, cached: false, fill: None };
        if let Some(base) = self.gm_order.tensors.strayed(access.addr) {
            self.strays(at, class, access.addr..access.extent().map_or(access.addr, |e| e.end), base);
        }
        if let Some(bytes) = access.extent() {
            let gm = &self.gm;
            let block = || gm.find(bytes.start).map_or(0..0, |a| a.start..a.start + a.requested_bytes);
            if let Some(tensor) = self.gm_order.tensors.left(&bytes, self.checks.strict_bounds, block) {
                self.leaves_tensor(at, class, &bytes, &tensor);
            }
        }
        if !self.gm_order.cache.is_clean() {
            self.copy_meets_cache(access, at);
        }
        if slot == MTE3 && class == Class::Write {
            self.finds_rewrite(at, access);
        }
        let mut last = None;
        Runs::of(access, |runs| last = self.meets_gm(&touch, runs));
        if let (true, Class::Read, Some(piece), Some(local)) = (is_small, class, last, local) {
            let bytes = local.addr..local.extent().map_or(local.addr, |e| e.end);
            self.gm_order.words.copied(bytes, piece);
        }
    }

    /// MTE3 may write bytes that an earlier copy is still writing; what they are now, to compare.
    fn finds_rewrite(&mut self, at: At, access: &Access) {
        const MOST: u64 = 1 << 16;
        let known = self.clocks.known(MTE3)[MTE3];
        let order = &mut self.gm_order;
        if order.near.is_empty(MTE3) {
            return;
        }
        let mut found = None;
        Runs::of(access, |runs| {
            order.near.conflicts(MTE3, known, &runs, Class::Write, |r, bytes| {
                if r.class == Class::Write {
                    found = Some((*r, bytes));
                }
            });
        });
        if let Some((earlier, bytes)) = found {
            let bytes = bytes.start..bytes.end.min(bytes.start + MOST);
            let before = bytes_of_gm(&bytes);
            order.rewrite = Some((earlier, at, bytes, before));
        }
    }

    /// An instruction has run.
    #[inline]
    pub(in crate::npu) fn followed_gm(&mut self) {
        if let Some((earlier, at, bytes, before)) = self.gm_order.rewrite.take()
            && bytes_of_gm(&bytes) != before
        {
            self.gm_order.races.add(Race::Rewrite, &earlier, (at, Class::Write), bytes);
        }
    }

    /// The scalar unit reads UB: words that a small copy has just brought are looked at.
    #[inline]
    pub(in crate::npu) fn looks_at_ub(&mut self, range: &Range<u64>) {
        if !self.checks.on {
            return;
        }
        let order = &mut self.gm_order;
        order.inspected = true;
        if !order.words.is_empty() {
            order.words.read(range).into_iter().for_each(|piece| order.found_look(piece));
        }
    }

    /// The scalar unit reads a register that pipe V writes.
    pub(in crate::npu) fn looks_at_register(&mut self) {
        let order = &mut self.gm_order;
        order.inspected = true;
        if !order.words.is_empty() {
            order.words.read_register().into_iter().for_each(|piece| order.found_look(piece));
        }
    }

    /// The scalar unit reads or writes GM.
    #[inline(never)]
    pub(in crate::npu) fn follow_scalar_gm(
        &mut self,
        op: &'static str,
        range: &Range<u64>,
        write: bool,
        uncached: bool,
    ) {
        if !self.checks.on {
            return;
        }
        let kind = u32::from(write) + 2 * u32::from(uncached);
        let place = sites::Place { here: self.here(), pc: self.face.pc, op: SCALAR_OP + kind };
        let visit = self.sites.again(place);
        let visit = visit.unwrap_or_else(|| {
            let frames = self.quick_frames();
            self.sites.visit(place, op, SCALAR, frames)
        });
        let at = self.gm_order.place(visit, &self.sites);
        let view = self.view(SCALAR);
        // Stores around the cache and loads are done before anything is issued behind them.
        let part = if write && !uncached { SCALAR } else { LOADS };
        self.clocks.next(part);
        // A load that hits its line sees nothing new.
        let mut again = self.polling.address == range.start;
        let mut touch = Touch {
            slot: SCALAR,
            part,
            class: if write { Class::Write } else { Class::Read },
            at,
            look: Look::No,
            cached: write && !uncached,
            fill: None,
        };
        if !uncached {
            let line = self.gm_order.cache.access(range, view, write);
            touch.fill = line.filled;
            again &= line.filled.is_none();
            if let Some(writer) = line.stale.filter(|_| !write) {
                self.stale_load(at, range, writer);
            }
            touch.look = if !write && line.invalidated { Look::User } else { Look::No };
        }
        if !write {
            touch.look = match (self.gm_order.announced, uncached || again) {
                (true, _) => Look::Announced,
                (false, true) => Look::User,
                _ => touch.look,
            };
        }
        if let Some(base) = self.gm_order.tensors.strayed(range.start) {
            self.strays(at, touch.class, range.clone(), base);
        }
        let piece = self.meets_gm(&touch, Runs::one(range.clone()));
        if touch.cached {
            self.gm_order.cache.stored(range, piece.unwrap_or(u32::MAX), at);
        }
    }

    /// Lines of the data cache are cleaned and dropped: the one of this address, or all.
    pub(in crate::npu) fn follow_clean(&mut self, address: Option<u64>) {
        if !self.checks.on {
            return;
        }
        let number = self.clocks.next(LOADS);
        let log = &mut self.gm_order.log;
        self.gm_order.cache.clean(address, |piece| log.cleaned(piece, number));
    }

    /// The kernel has given a GlobalTensor its address and size.
    pub(in crate::npu) fn notes_tensor(&mut self, address: u64, bytes: u64) {
        self.gm_order.tensors.add(address, bytes);
    }

    /// The kernel has moved a GlobalTensor from address `base` out of its block.
    pub(in crate::npu) fn notes_stray(&mut self, address: u64, base: u64) {
        self.gm_order.tensors.stray(address, base);
    }

    /// A barrier of the headers begins or ends to look at GM.
    pub(in crate::npu) fn announces_look(&mut self, on: bool) {
        self.gm_order.announced = on;
    }

    fn view(&mut self, slot: usize) -> u32 {
        self.gm_order.log.view(self.clocks.foreign(slot), self.gm_order.looked)
    }

    /// Compares an access with what is in flight on this core, and notes it.
    fn meets_gm(&mut self, t: &Touch, runs: Runs) -> Option<u32> {
        self.compare_near(t, &runs);
        let number = self.clocks.count(t.part);
        let settled = self.settled(t.part);
        let messages = if t.part == LOADS { 0 } else { self.clocks.told(t.slot) };
        let order = &mut self.gm_order;
        order.near.push(t.part, settled, messages, (runs, t.class), number, t.at);
        if order.is_alone {
            order.log.note(t.class, &runs);
            return None;
        }
        // Looks that follow each other do not need views of their own.
        if t.look != Look::User {
            order.looked = order.looks;
        }
        let view = order.log.view(self.clocks.foreign(t.slot), order.looked);
        let look = match t.look {
            Look::User if order.looks >= MOST_LOOKS => Look::Announced,
            look => look,
        };
        let size = match runs.bytes() {
            _ if t.cached => Size::CachedWord,
            0..=WORD_BYTES => Size::Word,
            _ => Size::Large,
        };
        let key = Key {
            place: t.at.0,
            part: t.part as u8,
            class: t.class,
            look,
            view,
            fill: t.fill.unwrap_or(view),
            size,
        };
        let may_be_word = t.class != Class::Read && size != Size::Large;
        let told = may_be_word.then(|| self.clocks.upto(t.slot));
        let moment = Moment { exports: order.exports, messages };
        let before = order.log.len();
        let piece = order.log.record(Record { key, runs, number, iteration: t.at.1, moment, told });
        if look == Look::User && order.log.len() > before {
            order.looks += 1;
        }
        piece
    }

    /// What every pipe knows of a part.
    fn settled(&self, part: usize) -> u32 {
        let waits = GM_SLOTS.iter().filter(|s| self.slots >> **s & 1 != 0 || **s == SCALAR);
        let waits = waits.filter(|s| **s != part || part == MTE3);
        waits.map(|s| self.clocks.known(*s)[part]).min().unwrap_or(0)
    }

    fn compare_near(&mut self, t: &Touch, runs: &Runs) {
        let known = *self.clocks.known(t.slot);
        // The compiler orders scalar accesses of vector cores.
        let auto = self.checks.auto_sync && self.kind == CoreKind::Aiv;
        let is_scalar = |part: usize| part == SCALAR || part == LOADS;
        let order = &mut self.gm_order;
        for part in [SCALAR, GM_SLOTS[1], MTE3, GM_SLOTS[3], LOADS] {
            let same = part == t.part || (is_scalar(part) && is_scalar(t.part));
            if order.near.is_empty(part) || same || (auto && (is_scalar(part) || is_scalar(t.part))) {
                continue;
            }
            let races = &mut order.races;
            order.near.conflicts(part, known[part], runs, t.class, |r, bytes| {
                races.add(Race::Pipes, r, (t.at, t.class), bytes);
            });
        }
    }
}

impl GmOrder {
    fn found_look(&mut self, piece: u32) {
        if self.log.piece(piece).key.look == Look::No && self.looks < MOST_LOOKS {
            self.log.is_look(piece);
            self.looks += 1;
        }
    }
}
