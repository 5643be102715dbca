//! Blocks that are read, or added to, before anything has written them.
//!
//! The reader is the first launch that gets the block, it does not write the block itself, and no copy or fill has written a byte of
//! what it uses. If a later launch writes all of that, the consumer has overtaken its producer, for example because the producer still
//! waited in the task queue of a framework ([`catalogue::READ_BEFORE_WRITTEN`]). Else, when the block is given back, its contents were
//! nobody's ([`catalogue::UNWRITTEN_BLOCK`]).
//!
//! Not found: bytes that nobody wrote beside others that somebody did (tiles are loaded with their padding), blocks that the program
//! never gives back, blocks that a kernel gets in another way than as an argument. Blocks that others may write unseen (shared with
//! another process, rows of a copy of very many) count as written, and after a [sweep](super::shadow::Shadow::sweep) all do.

use super::super::mem_findings::raise_once;
use super::super::site::CallSite;
use super::super::state::runtime;
use super::{Actor, Span, Use, mem_pool};
use crate::findings::{Detail, catalogue};
use crate::gm::Allocation;
use crate::sync::Mutex;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

/// Reads that are remembered.
const MOST: usize = 1024;

/// Functions whose memory only calls and launches of this process write.
const ALLOCATORS: [&str; 5] =
    ["aclrtMalloc", "aclrtMallocAlign32", "aclrtMallocCached", "aclrtMallocWithCfg", "rtMalloc"];

/// A launch used bytes that nobody had written.
#[derive(Debug)]
struct FreshRead {
    block: u64,
    usage: Use,
    range: Range<u64>,
    argument: String,
    who: Arc<Actor>,
}

#[derive(Debug, Default)]
struct State {
    /// Blocks that a launch has got, by their start.
    seen: HashSet<u64>,
    reads: Vec<FreshRead>,
    /// Who wrote what is not remembered any more.
    is_swept: bool,
}

static STATE: Mutex<Option<State>> = Mutex::new(None);

fn block_of(addr: u64) -> Option<Allocation> {
    let memory = runtime().devices.iter().find_map(|d| d.memory().filter(|m| m.range().contains(&addr)))?;
    memory.find(addr).filter(|block| block.site != 0 && !mem_pool::has(block.start))
}

/// First and last byte of `block` that `spans` use in one of these ways, and whether the bytes between are used without a hole.
fn used(spans: &[Span], block: &Range<u64>, uses: &[Use]) -> Option<(Range<u64>, bool)> {
    let inside =
        |s: &&Span| uses.contains(&s.usage) && s.range.start < block.end && s.range.end > block.start;
    let mut all = spans.iter().filter(inside).map(|s| s.range.clone());
    let first = all.next()?;
    let joined = all.fold((first, true), |(sum, dense), next| {
        let is_next = dense && next.start <= sum.end;
        (sum.start..sum.end.max(next.end), is_next)
    });
    Some(joined)
}

/// A launch is over that got these pointers and used these bytes; called before its uses are noted. `changed` tells whether
/// something has written bytes since the call with that number.
pub fn launched<'a>(
    who: &Arc<Actor>,
    pointers: impl Iterator<Item = (&'a str, u64)>,
    spans: &[Span],
    changed: impl Fn(Range<u64>, u64) -> bool,
) {
    let mut told: Vec<FreshRead> = Vec::new();
    for (name, addr) in pointers {
        let Some(block) = block_of(addr) else { continue };
        let extent = block.start..block.end();
        let written = used(spans, &extent, &[Use::Write, Use::Atomic]);
        let mut state = STATE.lock();
        let state = state.get_or_insert_default();
        let is_first = state.seen.insert(block.start);
        if let Some(at) =
            state.reads.iter().position(|read| read.block == block.start && read.usage == Use::Read)
            && let Some((written, true)) = &written
        {
            let read = state.reads.swap_remove(at);
            let covers = written.start <= read.range.start && written.end >= read.range.end;
            if covers && read.who.serial < who.serial && !changed(read.range.clone(), read.who.serial) {
                told.push(read);
            }
            continue;
        }
        if !is_first || state.is_swept || state.reads.len() >= MOST {
            continue;
        }
        let usage = match written {
            None => Use::Read,
            Some(_) if used(spans, &extent, &[Use::Write]).is_none() => Use::Atomic,
            Some(_) => continue,
        };
        if let Some((range, _)) = used(spans, &extent, &[usage])
            && !changed(range.clone(), 0)
        {
            let argument = name.to_owned();
            state.reads.push(FreshRead { block: block.start, usage, range, argument, who: who.clone() });
        }
    }
    told.iter().for_each(|read| report(read, who));
}

fn report(read: &FreshRead, writer: &Actor) {
    let values =
        [("reader", read.who.name()), ("argument", read.argument.clone()), ("writer", writer.name())];
    let details = vec![writer.site.line("the launch that writes it was enqueued".into())];
    raise_once(&catalogue::READ_BEFORE_WRITTEN, &values, read.who.site, writer.site, details, Vec::new());
}

/// Something may write the block at `addr` that is not seen.
pub fn written_unseen(addr: u64) {
    if let Some(block) = block_of(addr) {
        let mut state = STATE.lock();
        let state = state.get_or_insert_default();
        state.seen.insert(block.start);
        state.reads.retain(|read| read.block != block.start);
    }
}

/// From now on it is not known who wrote what.
pub fn swept() {
    STATE.lock().get_or_insert_default().is_swept = true;
}

/// These bytes are given back: tells which blocks among them nobody had written.
pub fn given_back(range: &Range<u64>) {
    let left: Vec<FreshRead> = match &mut *STATE.lock() {
        Some(state) => state.reads.extract_if(.., |read| range.contains(&read.block)).collect(),
        None => return,
    };
    for read in left {
        if let Some(block) = block_of(read.block).filter(|block| ALLOCATORS.contains(&block.by)) {
            report_unwritten(&read, &block);
        }
    }
}

fn report_unwritten(read: &FreshRead, block: &Allocation) {
    let values = [
        ("reader", read.who.name()),
        ("verb", read.usage.verb().to_owned()),
        ("argument", read.argument.clone()),
        ("bytes", block.requested_bytes.to_string()),
        ("by", block.by.to_owned()),
    ];
    let made_at = CallSite(block.site);
    let (first, end) = (read.range.start - block.start, read.range.end - block.start);
    let details = vec![
        made_at.line(format!("allocated by {}", block.by)),
        Detail::Text(format!("used: bytes {first} to {end} of the block")),
    ];
    raise_once(&catalogue::UNWRITTEN_BLOCK, &values, read.who.site, made_at, details, Vec::new());
}

/// These bytes belong to somebody else now, or to nobody.
pub fn forget(range: &Range<u64>) {
    if let Some(state) = &mut *STATE.lock() {
        state.seen.retain(|start| !range.contains(start));
        state.reads.retain(|read| !range.contains(&read.block));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn use_is_whole_or_has_holes() {
        let spans = [
            Span::new(0, 10, Use::Read),
            Span::new(100, 50, Use::Write),
            Span::new(150, 50, Use::Write),
            Span::new(300, 10, Use::Write),
        ];
        let write = |block| used(&spans, &block, &[Use::Write]);
        assert_eq!(write(100..250), Some((100..200, true)));
        assert_eq!(write(100..400), Some((100..310, false)));
        assert_eq!(write(0..100), None);
    }
}
