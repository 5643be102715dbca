//! Blocks that are read before anything has written them, and written by a later launch: a consumer that overtook its producer,
//! for example because the producer still waited in the task queue of a framework.
//!
//! Reported only if the reader is the first launch that gets the block, it does not write the block itself, no copy or fill has
//! written what it reads, and a later launch writes all of that.

use super::super::mem_findings::raise_once;
use super::super::state::runtime;
use super::{Actor, Span, Use, mem_pool};
use crate::findings::catalogue;
use crate::gm::Allocation;
use crate::sync::Mutex;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

/// Reads that are remembered.
const MOST: usize = 1024;

/// A launch read bytes that nobody had written.
#[derive(Debug)]
struct FreshRead {
    block: u64,
    range: Range<u64>,
    argument: String,
    who: Arc<Actor>,
}

#[derive(Debug, Default)]
struct State {
    /// Blocks that a launch has got, by their start.
    seen: HashSet<u64>,
    reads: Vec<FreshRead>,
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
        if let Some(at) = state.reads.iter().position(|read| read.block == block.start)
            && let Some((written, true)) = &written
        {
            let read = state.reads.swap_remove(at);
            let covers = written.start <= read.range.start && written.end >= read.range.end;
            if covers && read.who.serial < who.serial && !changed(read.range.clone(), read.who.serial) {
                told.push(read);
            }
            continue;
        }
        let read = used(spans, &extent, &[Use::Read]);
        if let (true, None, Some((range, _))) = (is_first, written, read)
            && state.reads.len() < MOST
            && !changed(range.clone(), 0)
        {
            let argument = name.to_owned();
            state.reads.push(FreshRead { block: block.start, range, argument, who: who.clone() });
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
