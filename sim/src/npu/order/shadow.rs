//! Shadow of a local memory: who wrote each byte last, and who has read it since.
//!
//! ```text
//!  memory ─▶ runs of pages of 256 bytes ─▶ one cell for a whole run, or (a run of one page) a cell per block of 32 bytes
//!                                             cell: last write, last reads of two pipes, list of what else is still of interest
//! ```
//! A run is what one access made alike, so a tile of any size is looked at once. Runs are cut where an access begins or ends, and a
//! write of several makes one of them.
//!
//! Each record has a mask of the bytes it is about, so the shadow is exact to the byte. A write that covers a byte ends the
//! interest in what was done to it before: whoever knows the write complete knows that too, or it was reported.
//!
//! A write that conflicts with a read of what an earlier write left is not compared with that write: the flag that is missing
//! behind the read orders both.
//!
//! Size: 60 bytes and a bit per page, 416 more per page that is not uniform, and a list of 20 bytes per further record; made when a
//! memory is first touched, kept for the next block.

use super::foreign::{Known, PARTS};
use std::ops::Range;
use toprope_abi::isa::Space;

const BLOCK_BYTES: u32 = 32;
const BLOCKS: usize = 8;
const PAGE_BYTES: u32 = BLOCK_BYTES * BLOCKS as u32;
const ALL: u32 = u32::MAX;

/// One access that later ones are compared with. Number 0: none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Record {
    who: u32,
    /// Number of the instruction on its pipe, from 1.
    pub number: u32,
    /// How often its place had run.
    pub iteration: u32,
    /// Bytes of the block it is about.
    mask: u32,
}

impl Record {
    /// An access of part `part` at place `site`.
    pub fn new(part: usize, site: u32, tags: Tags, number: u32, iteration: u32) -> Record {
        let tags = u32::from(tags.unit) << 28 | u32::from(tags.short) << 27;
        Record { who: (part as u32) << 29 | tags | site & ((1 << 27) - 1), number, iteration, mask: ALL }
    }

    /// Pipe slot, or the loads of the scalar unit.
    #[inline]
    pub fn part(&self) -> usize {
        (self.who >> 29) as usize
    }

    /// Number of its place.
    pub fn site(&self) -> u32 {
        self.who & ((1 << 27) - 1)
    }

    /// What else decides.
    pub fn tags(&self) -> Tags {
        Tags { unit: self.who >> 28 & 1 == 1, short: self.who >> 27 & 1 == 1 }
    }
}

/// What decides about an order beside pipe and number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tags {
    /// It uses the unit flags of L0C.
    pub unit: bool,
    /// A product of few cells: the next one may overtake its end.
    pub short: bool,
}

/// Kind of a conflict; the later access first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Conflict {
    /// Read after write.
    Raw,
    /// Write after read.
    War,
    /// Write after write.
    Waw,
}

/// An older access that is not known to be complete.
#[derive(Clone, Copy, Debug)]
pub struct Hit {
    pub kind: Conflict,
    pub space: Space,
    pub older: Record,
    /// First and last byte plus one of the overlap, from the start of the memory.
    pub start: u32,
    pub end: u32,
}

/// What the access of one instruction is judged by.
pub struct Judge<'a> {
    /// The access; its part says which of `against_writes` is its own.
    pub me: Record,
    /// Per part, the last number whose writes are complete.
    pub against_writes: Known,
    /// The same for reads: the own pipe's are always, because it starts instructions in order.
    pub against_reads: Known,
    /// Accesses that are not ordered.
    pub hits: &'a mut Vec<Hit>,
    /// Parts whose order the compiler provides: bit per part.
    pub provided: u32,
    /// Those of them that were needed.
    pub needed: u32,
    /// Largest number of part M that unit flags order before this.
    pub handed_over: u32,
    /// Memory that is looked at.
    pub space: Space,
    /// Bytes of it that are looked at: a run of pages, or a block.
    pub span: u32,
}

impl Judge<'_> {
    #[cold]
    #[inline(never)]
    fn unordered(&mut self, kind: Conflict, older: Record, block: u32, mask: u32) {
        let part = older.part();
        if part == self.me.part() && older.number == self.me.number {
            return;
        }
        if older.tags().unit && self.me.tags().unit {
            if kind == Conflict::Raw {
                self.handed_over = self.handed_over.max(older.number);
            }
            return;
        }
        let own = part == self.me.part();
        // A long product covers the latency of the one before.
        if own && part == super::M && !(older.tags().short && self.me.tags().short) {
            return;
        }
        // Copies of one place: the parts of one call, or a tile that nobody has used.
        if own && part != super::V && part != super::M && older.site() == self.me.site() {
            return;
        }
        if self.provided >> part & 1 == 1 {
            self.needed |= 1 << part;
            self.against_writes[part] = u32::MAX;
            self.against_reads[part] = u32::MAX;
            return;
        }
        let start = block + mask.trailing_zeros();
        let end = block + self.span - mask.leading_zeros();
        let space = self.space;
        let same = |h: &&mut Hit| h.kind == kind && h.space == space && h.older.who == older.who;
        match self.hits.iter_mut().find(same) {
            Some(h) => {
                (h.start, h.end) = (h.start.min(start), h.end.max(end));
                h.older.number = h.older.number.max(older.number);
            }
            None => self.hits.push(Hit { kind, space, older, start, end }),
        }
    }

    /// A write against the last one of the same bytes, and what was read since.
    #[inline]
    fn against_both(&mut self, write: &Record, reads: &[Record; 2], block: u32, mask: u32) {
        let mut told = false;
        for read in reads {
            if read.number > self.against_reads[read.part()] && read.mask & mask != 0 {
                self.unordered(Conflict::War, *read, block, read.mask & mask);
                told |= read.mask & write.mask != 0;
            }
        }
        if !told {
            self.against_write(write, block, mask, Conflict::Waw);
        }
    }

    #[inline]
    fn against_write(&mut self, older: &Record, block: u32, mask: u32, kind: Conflict) {
        if older.number > self.against_writes[older.part()] && older.mask & mask != 0 {
            self.unordered(kind, *older, block, older.mask & mask);
        }
    }

    #[inline]
    fn against_read(&mut self, older: &Record, block: u32, mask: u32) {
        if older.number > self.against_reads[older.part()] && older.mask & mask != 0 {
            self.unordered(Conflict::War, *older, block, older.mask & mask);
        }
    }
}

/// A record that has no room in its cell.
#[derive(Clone, Copy, Debug)]
struct Extra {
    record: Record,
    write: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    write: Record,
    reads: [Record; 2],
    /// List of [`Extra`]s, its number plus one.
    more: u32,
}

/// A run of pages that are alike.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    /// State of every block, if the run is uniform.
    cell: Cell,
    /// Cells of the blocks of the one page that it is, their number plus one; 0: uniform.
    cells: u32,
    /// The page behind it.
    end: u32,
}

/// Lists of further records.
#[derive(Debug, Default)]
struct Extras {
    lists: Vec<Vec<Extra>>,
    free: Vec<u32>,
}

impl Extras {
    fn clear(&mut self) {
        self.free.clear();
        self.free.extend((1..=self.lists.len() as u32).rev());
    }

    fn list(&mut self, more: &mut u32) -> &mut Vec<Extra> {
        if *more == 0 {
            *more = self.free.pop().unwrap_or_else(|| {
                self.lists.push(Vec::new());
                self.lists.len() as u32
            });
            self.lists[*more as usize - 1].clear();
        }
        &mut self.lists[*more as usize - 1]
    }

    fn release(&mut self, more: &mut u32) {
        if *more != 0 {
            self.free.push(*more);
            *more = 0;
        }
    }

    fn copy(&mut self, more: u32) -> u32 {
        let mut copied = 0;
        if more != 0 {
            let all = self.lists[more as usize - 1].clone();
            *self.list(&mut copied) = all;
        }
        copied
    }

    /// Adds a record; what older ones of the same kind and part say of the same bytes is of no interest any more.
    fn add(&mut self, more: &mut u32, record: Record, write: bool) {
        let list = self.list(more);
        list.retain_mut(|e| {
            if e.write == write && e.record.part() == record.part() {
                e.record.mask &= !record.mask;
            }
            e.record.mask != 0
        });
        list.push(Extra { record, write });
    }

    /// Bytes `mask` are written: nothing older about them is of interest.
    fn cover(&mut self, more: &mut u32, mask: u32) {
        let list = self.list(more);
        list.retain_mut(|e| {
            e.record.mask &= !mask;
            e.record.mask != 0
        });
        if list.is_empty() {
            self.release(more);
        }
    }
}

impl Cell {
    /// All bytes are read.
    #[inline]
    fn read_all(&mut self, block: u32, judge: &mut Judge, extras: &mut Extras) {
        judge.against_write(&self.write, block, ALL, Conflict::Raw);
        let part = judge.me.part();
        let [a, b] = &mut self.reads;
        if self.more == 0 && (a.number == 0 || a.part() == part) {
            *a = judge.me;
        } else if self.more == 0 && (b.number == 0 || b.part() == part) {
            *b = judge.me;
        } else {
            self.read(block, ALL, judge, extras);
        }
    }

    /// All bytes are written.
    #[inline]
    fn write_all(&mut self, block: u32, judge: &mut Judge, extras: &mut Extras) {
        judge.against_both(&self.write, &self.reads, block, ALL);
        if self.more != 0 {
            self.against_more(block, ALL, true, judge, extras);
            extras.release(&mut self.more);
        }
        *self = Cell { write: judge.me, reads: [Record::default(); 2], more: 0 };
    }

    #[cold]
    fn against_more(&self, block: u32, mask: u32, write: bool, judge: &mut Judge, extras: &mut Extras) {
        for i in 0..extras.lists[self.more as usize - 1].len() {
            let e = extras.lists[self.more as usize - 1][i];
            if e.write {
                let kind = if write { Conflict::Waw } else { Conflict::Raw };
                judge.against_write(&e.record, block, mask, kind);
            } else if write {
                judge.against_read(&e.record, block, mask);
            }
        }
    }

    /// Bytes `mask` are read.
    fn read(&mut self, block: u32, mask: u32, judge: &mut Judge, extras: &mut Extras) {
        judge.against_write(&self.write, block, mask, Conflict::Raw);
        if self.more != 0 {
            self.against_more(block, mask, false, judge, extras);
        }
        let me = Record { mask, ..judge.me };
        let part = me.part();
        let own = self.reads.iter().position(|r| r.number != 0 && r.part() == part);
        let place = own.or_else(|| self.reads.iter().position(|r| r.number == 0));
        let Some(i) = place else {
            return extras.add(&mut self.more, me, false);
        };
        let mut old = self.reads[i];
        old.mask &= !mask;
        if old.number != 0 && old.mask != 0 {
            extras.add(&mut self.more, old, false);
        }
        if self.more != 0 {
            self.drop_covered(part, mask, extras);
        }
        self.reads[i] = me;
    }

    /// Reads of `part` in the list that a newer one covers.
    fn drop_covered(&mut self, part: usize, mask: u32, extras: &mut Extras) {
        let list = extras.list(&mut self.more);
        list.retain_mut(|e| {
            if !e.write && e.record.part() == part {
                e.record.mask &= !mask;
            }
            e.record.mask != 0
        });
        if list.is_empty() {
            extras.release(&mut self.more);
        }
    }

    /// Bytes `mask` are written.
    fn write(&mut self, block: u32, mask: u32, judge: &mut Judge, extras: &mut Extras) {
        judge.against_both(&self.write, &self.reads, block, mask);
        if self.more != 0 {
            self.against_more(block, mask, true, judge, extras);
            extras.cover(&mut self.more, mask);
        }
        for r in &mut self.reads {
            r.mask &= !mask;
            if r.mask == 0 {
                *r = Record::default();
            }
        }
        let mut old = self.write;
        old.mask &= !mask;
        if old.number != 0 && old.mask != 0 {
            extras.add(&mut self.more, old, true);
        }
        self.write = Record { mask, ..judge.me };
    }
}

/// The shadow of one memory.
#[derive(Debug)]
pub struct Shadow {
    /// At its first page, every run; what is at other pages is stale.
    runs: Vec<Run>,
    /// First pages of runs, a bit each.
    heads: Vec<u64>,
    cells: Vec<[Cell; BLOCKS]>,
    free: Vec<u32>,
    extras: Extras,
    bytes: u32,
}

impl Shadow {
    /// Of a memory of this size: nothing has been accessed.
    pub fn new(bytes: u32) -> Shadow {
        let pages = bytes.div_ceil(PAGE_BYTES) as usize;
        let mut shadow = Shadow {
            runs: vec![Run::default(); pages.max(1)],
            heads: vec![0; pages.div_ceil(64).max(1)],
            cells: Vec::new(),
            free: Vec::new(),
            extras: Extras::default(),
            bytes,
        };
        shadow.clear();
        shadow
    }

    /// Forgets every access.
    pub fn clear(&mut self) {
        self.heads.fill(0);
        self.heads[0] = 1;
        self.runs[0] = Run { end: self.runs.len() as u32, ..Run::default() };
        self.cells.clear();
        self.free.clear();
        self.extras.clear();
    }

    /// Bytes `range` are written, or read.
    #[inline]
    pub fn access(&mut self, range: Range<u32>, write: bool, judge: &mut Judge) {
        let (start, end) = (range.start, range.end.min(self.bytes));
        if start >= end {
            return;
        }
        let (first, last) = (start.div_ceil(PAGE_BYTES), end / PAGE_BYTES);
        if first > last {
            return self.part(start..end, write, judge);
        }
        if start < first * PAGE_BYTES {
            self.part(start..first * PAGE_BYTES, write, judge);
        }
        if first < last {
            self.whole(first..last, write, judge);
        }
        if last * PAGE_BYTES < end {
            self.part(last * PAGE_BYTES..end, write, judge);
        }
    }

    /// All bytes of `pages`.
    #[inline]
    fn whole(&mut self, pages: Range<u32>, write: bool, judge: &mut Judge) {
        self.cut(pages.start);
        self.cut(pages.end);
        let mut page = pages.start;
        while page < pages.end {
            let run = &mut self.runs[page as usize];
            let (base, end) = (page * PAGE_BYTES, run.end);
            if run.cells != 0 {
                self.blocks(page as usize, base..base + PAGE_BYTES, write, judge);
            } else {
                judge.span = (end - page) * PAGE_BYTES;
                match write {
                    true => run.cell.write_all(base, judge, &mut self.extras),
                    false => run.cell.read_all(base, judge, &mut self.extras),
                }
                judge.span = BLOCK_BYTES;
            }
            page = end;
        }
        if write && self.runs[pages.start as usize].end != pages.end {
            // All of them are alike now.
            self.runs[pages.start as usize].end = pages.end;
            self.unmark(pages.start + 1..pages.end);
        }
    }

    /// Bytes `range` of one page.
    fn part(&mut self, range: Range<u32>, write: bool, judge: &mut Judge) {
        let page = range.start / PAGE_BYTES;
        self.cut(page);
        self.cut(page + 1);
        self.blocks(page as usize, range, write, judge);
    }

    /// First page of the run that page `page` is in.
    #[inline]
    fn head(&self, page: u32) -> u32 {
        let mut word = page as usize / 64;
        let mut bits = self.heads[word] & (u64::MAX >> (63 - page % 64));
        while bits == 0 {
            // Page 0 begins a run.
            word -= 1;
            bits = self.heads[word];
        }
        word as u32 * 64 + bits.ilog2()
    }

    /// Page `page` begins a run from now on.
    #[inline]
    fn cut(&mut self, page: u32) {
        if page as usize >= self.runs.len() || self.heads[page as usize / 64] >> (page % 64) & 1 == 1 {
            return;
        }
        let head = self.head(page) as usize;
        let head = &mut self.runs[head];
        let mut tail = *head;
        head.end = page;
        tail.cell.more = self.extras.copy(tail.cell.more);
        self.runs[page as usize] = tail;
        self.heads[page as usize / 64] |= 1 << (page % 64);
    }

    /// No run begins at these pages any more.
    fn unmark(&mut self, pages: Range<u32>) {
        let mut page = pages.start;
        while page < pages.end {
            let stop = pages.end.min((page | 63) + 1);
            let bits = (u64::MAX >> (64 - (stop - page))) << (page % 64);
            self.heads[page as usize / 64] &= !bits;
            page = stop;
        }
    }

    /// Bytes `range`, which lie in one block, are read by something that is done at once: nothing later can conflict with it.
    pub fn look(&mut self, range: Range<u32>, judge: &mut Judge) {
        let page = range.start / PAGE_BYTES;
        if range.start >= self.bytes {
            return;
        }
        let run = &self.runs[self.head(page) as usize];
        let block = range.start & !(BLOCK_BYTES - 1);
        let cell = match run.cells {
            0 => &run.cell,
            n => &self.cells[n as usize - 1][(block % PAGE_BYTES / BLOCK_BYTES) as usize],
        };
        let bytes = (range.end - range.start).clamp(1, BLOCK_BYTES);
        let mask = (ALL >> (BLOCK_BYTES - bytes)) << (range.start - block);
        judge.against_write(&cell.write, block, mask, Conflict::Raw);
        if cell.more != 0 {
            cell.against_more(block, mask, false, judge, &mut self.extras);
        }
    }

    /// Bytes `range` of page `page`, which is a run of its own.
    fn blocks(&mut self, page: usize, range: Range<u32>, write: bool, judge: &mut Judge) {
        if self.runs[page].cells == 0 {
            self.split(page);
        }
        let number = self.runs[page].cells;
        let cells = &mut self.cells[number as usize - 1];
        let base = page as u32 * PAGE_BYTES;
        let mut at = range.start;
        while at < range.end {
            let block = at & !(BLOCK_BYTES - 1);
            let stop = range.end.min(block + BLOCK_BYTES);
            let cell = &mut cells[((block - base) / BLOCK_BYTES) as usize];
            if stop - at == BLOCK_BYTES {
                match write {
                    true => cell.write_all(block, judge, &mut self.extras),
                    false => cell.read_all(block, judge, &mut self.extras),
                }
            } else {
                let mask = (ALL >> (BLOCK_BYTES - (stop - at))) << (at - block);
                match write {
                    true => cell.write(block, mask, judge, &mut self.extras),
                    false => cell.read(block, mask, judge, &mut self.extras),
                }
            }
            at = stop;
        }
        if write && range.end - range.start == PAGE_BYTES {
            // All blocks are alike again.
            self.runs[page].cell = cells[0];
            self.runs[page].cells = 0;
            self.free.push(number);
        }
    }

    fn split(&mut self, page: usize) {
        let run = &mut self.runs[page];
        let mut cells = [run.cell; BLOCKS];
        for cell in &mut cells[1..] {
            cell.more = self.extras.copy(run.cell.more);
        }
        run.cells = match self.free.pop() {
            Some(number) => {
                self.cells[number as usize - 1] = cells;
                number
            }
            None => {
                self.cells.push(cells);
                self.cells.len() as u32
            }
        };
    }
}

/// A number that everything is below.
pub const EVERYTHING: u32 = u32::MAX;
/// Bytes of the smallest part that has a state of its own.
pub const SPAN_BYTES: u32 = BLOCK_BYTES;

const _: () = assert!(PARTS == 8, "three bits of a record");
const _: () = assert!(
    size_of::<Run>() == 60 && size_of::<Cell>() == 52,
    "docs/checking.md states the memory of the shadow"
);

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const BYTES: u32 = 64 * PAGE_BYTES;

    /// An access: who, its bytes, a write, and what its pipe knows of each part.
    #[derive(Clone, Debug)]
    struct Step {
        part: usize,
        range: Range<u32>,
        write: bool,
        known: Known,
    }

    fn steps() -> impl Strategy<Value = Vec<Step>> {
        // Mostly whole pages, so that runs form, some blocks and some bytes.
        let unit = prop_oneof![4 => Just(PAGE_BYTES), 2 => Just(BLOCK_BYTES), 1 => Just(4u32)];
        let range = (unit, 0..64u32, 1..40u32).prop_map(|(unit, at, n)| {
            let start = (at * PAGE_BYTES / 2) / unit * unit;
            start..(start + n * unit).min(BYTES)
        });
        let known = proptest::array::uniform8(0..60u32);
        let step = (0..PARTS, range, any::<bool>(), known);
        proptest::collection::vec(
            step.prop_map(|(part, range, write, known)| Step { part, range, write, known }),
            1..60,
        )
    }

    type Found = Vec<(Conflict, u32, u32, u32, u32)>;

    /// What is found of a step, if its bytes are taken in pieces.
    fn found(shadow: &mut Shadow, number: u32, step: &Step, piece: u32) -> Found {
        let mut hits = Vec::new();
        let mut against_reads = step.known;
        against_reads[step.part] = EVERYTHING;
        let mut judge = Judge {
            me: Record::new(step.part, number % 5, Tags::default(), number, number),
            against_writes: step.known,
            against_reads,
            hits: &mut hits,
            provided: 0,
            needed: 0,
            handed_over: 0,
            space: Space::Ub,
            span: SPAN_BYTES,
        };
        let mut at = step.range.start;
        while at < step.range.end {
            let stop = (at + piece).min(step.range.end);
            shadow.access(at..stop, step.write, &mut judge);
            at = stop;
        }
        let mut found: Found =
            hits.iter().map(|h| (h.kind, h.older.who, h.older.number, h.start, h.end)).collect();
        found.sort_by_key(|f| (f.0 as u32, f.1));
        found
    }

    proptest! {
        #[test]
        fn runs_find_what_blocks_find(steps in steps()) {
            let (mut runs, mut blocks) = (Shadow::new(BYTES), Shadow::new(BYTES));
            for (i, step) in steps.iter().enumerate() {
                let number = i as u32 + 1;
                let whole = found(&mut runs, number, step, BYTES);
                prop_assert_eq!(whole, found(&mut blocks, number, step, BLOCK_BYTES), "step {}", number);
            }
        }
    }

    #[test]
    fn a_write_makes_one_run_of_many() {
        let mut shadow = Shadow::new(BYTES);
        let step = |range, write| Step { part: 1, range, write, known: [0; PARTS] };
        for page in 0..64 {
            found(&mut shadow, page + 1, &step(page * PAGE_BYTES..(page + 1) * PAGE_BYTES, true), BYTES);
        }
        found(&mut shadow, 70, &step(3 * PAGE_BYTES..60 * PAGE_BYTES, true), BYTES);
        let heads: u32 = shadow.heads.iter().map(|h| h.count_ones()).sum();
        assert_eq!((heads, shadow.head(59), shadow.head(60), shadow.runs[3].end), (8, 3, 60, 60));
        shadow.clear();
        assert_eq!((shadow.head(63), shadow.runs[0].end), (0, 64));
    }
}
