//! Findings about memory: what the program does to blocks that are gone, still used, or never freed.
//!
//! Each names both sides: where the program is now, and where the block came from, was freed or was queued. They are
//! printed at once (a finding often precedes a crash) and kept for the report. Nothing is reported that is not certain:
//!
//! | finding | known because |
//! |---|---|
//! | `UseAfterFree` | the address lies in a block that was freed and not given out since |
//! | `DoubleFree` | the same, at its start |
//! | `MemoryLeak` | blocks the program made are there when the device is reset |
//! | `FreeInUse` | a task that is not done has the block among its ranges or pointer arguments |
//! | `HostBufferChanged` | the bytes differ from those at the call, and no task before the copy can have written them |
//! | `HostBufferGone` | the pages are not mapped any more when a queued copy of pageable memory starts |
//!
//! Not noticed: a block that was freed and whose address was given out again; a change of a host buffer behind the
//! sampled words, or before a copy that waits for events or host functions (they may order the change).

use super::diag;
use super::hostmem::HostStamp;
use super::order::{Actor, Use};
use super::report;
use super::site::CallSite;
use super::stream::Stream;
use crate::findings::catalogue::{self, Entry};
use crate::findings::{Detail, Finding, Side, symbols};
use crate::gm::{Allocation, FreeStamp};
use parking_lot::Mutex;
use std::collections::{BTreeMap, BTreeSet};

/// Allocation sites that a leak lists.
const LISTED_SITES: usize = 10;

fn raise(entry: &'static Entry, values: &[(&str, String)], site: CallSite, details: Vec<Detail>) {
    let mut finding = [Finding {
        details: details.into_iter().map(Detail::resolve).collect(),
        place: if site.is_known() { symbols::place(&[site.0]) } else { None },
        kernel: "host".into(),
        ..Finding::new(entry, values)
    }];
    diag::link(&mut finding);
    report::finding(&finding[0]);
    diag::print_findings(&finding);
}

/// Raises a finding of two sides, once for each pair of places.
pub fn raise_once(
    entry: &'static Entry,
    values: &[(&str, String)],
    site: CallSite,
    other: CallSite,
    details: Vec<Detail>,
    sides: Vec<Side>,
) {
    static TOLD: Mutex<BTreeSet<(&'static str, u64, u64)>> = Mutex::new(BTreeSet::new());
    let is_known = site.is_known() && !TOLD.lock().insert((entry.code, site.0, other.0));
    let mut finding = [Finding {
        sides,
        details: details.into_iter().map(Detail::resolve).collect(),
        place: if site.is_known() { symbols::place(&[site.0]) } else { None },
        kernel: "host".into(),
        ..Finding::new(entry, values)
    }];
    diag::link(&mut finding);
    report::finding(&finding[0]);
    if !is_known {
        diag::print_findings(&finding);
    }
}

fn hex(addr: u64) -> String {
    format!("{addr:#x}")
}

/// Where a block came from and where it went.
fn life_of(stamp: &FreeStamp) -> Vec<Detail> {
    let a = stamp.allocation;
    vec![
        CallSite(stamp.site).line(format!("freed by {}", stamp.by)),
        CallSite(a.site).line(format!("allocated by {} ({} bytes)", a.by, a.requested_bytes)),
    ]
}

/// A call is given memory that was freed.
pub fn use_after_free(function: &str, argument: &str, addr: u64, stamp: &FreeStamp, site: CallSite) {
    let a = stamp.allocation;
    let values = [
        ("function", function.to_string()),
        ("argument", argument.to_string()),
        ("address", hex(addr)),
        ("offset", (addr - a.start).to_string()),
        ("bytes", a.requested_bytes.to_string()),
        ("by", stamp.by.to_string()),
    ];
    raise(&catalogue::USE_AFTER_FREE, &values, site, life_of(stamp));
}

/// Device memory is freed again.
pub fn double_free(function: &str, stamp: &FreeStamp, site: CallSite) {
    let a = stamp.allocation;
    let values = [
        ("function", function.to_string()),
        ("address", hex(a.start)),
        ("bytes", a.requested_bytes.to_string()),
        ("by", stamp.by.to_string()),
    ];
    raise(&catalogue::DOUBLE_FREE, &values, site, life_of(stamp));
}

/// Host memory is freed again.
pub fn host_double_free(function: &str, stamp: &HostStamp, site: CallSite) {
    let values = [
        ("function", function.to_string()),
        ("address", hex(stamp.start)),
        ("bytes", stamp.bytes.to_string()),
        ("by", stamp.freed_by.to_string()),
    ];
    let details = vec![
        stamp.freed_at.line(format!("freed by {}", stamp.freed_by)),
        stamp.site.line(format!("allocated by {} ({} bytes)", stamp.by, stamp.bytes)),
    ];
    raise(&catalogue::DOUBLE_FREE, &values, site, details);
}

/// Allocation site and function, with the number of blocks and their bytes.
type Sites = BTreeMap<(u64, &'static str), (u64, u64)>;

/// Compilers copy calls (unrolled loops, inlined functions): the copies of one source line become one site.
fn join_copies_of_a_line(sites: Sites) -> Sites {
    let mut first_at = BTreeMap::new();
    let mut joined = Sites::new();
    for ((site, by), (blocks, bytes)) in sites {
        let line =
            symbols::place(&[site]).filter(|place| place.line > 0).map(|place| (place.file, place.line));
        let site = line.map_or(site, |line| *first_at.entry(line).or_insert(site));
        let sum = joined.entry((site, by)).or_default();
        sum.0 += blocks;
        sum.1 += bytes;
    }
    joined
}

/// Blocks of the program are there when their device is reset.
pub fn leaks(device: u32, function: &str, left: &[Allocation], site: CallSite) {
    let mut by_site = Sites::new();
    for a in left.iter().filter(|a| a.site != 0) {
        let sum = by_site.entry((a.site, a.by)).or_default();
        sum.0 += 1;
        sum.1 += a.requested_bytes;
    }
    if by_site.is_empty() {
        return;
    }
    let by_site = join_copies_of_a_line(by_site);
    let (blocks, bytes) = by_site.values().fold((0, 0), |sum, s| (sum.0 + s.0, sum.1 + s.1));
    let mut sums: Vec<_> = by_site.into_iter().collect();
    sums.sort_by_key(|(_, sum)| std::cmp::Reverse(sum.1));
    let more = sums.len().saturating_sub(LISTED_SITES);
    let line = |((site, by), (blocks, bytes)): ((u64, &str), (u64, u64))| {
        CallSite(site).line(format!("{} from {by}", amount(blocks, bytes)))
    };
    let mut details: Vec<Detail> = sums.into_iter().take(LISTED_SITES).map(line).collect();
    if more > 0 {
        details.push(Detail::Text(format!("and {more} more places")));
    }
    let values = [
        ("function", function.to_string()),
        ("device", device.to_string()),
        ("amount", amount(blocks, bytes)),
    ];
    raise(&catalogue::MEMORY_LEAK, &values, site, details);
}

fn amount(blocks: u64, bytes: u64) -> String {
    if blocks == 1 { format!("1 block ({bytes} bytes)") } else { format!("{blocks} blocks ({bytes} bytes)") }
}

/// A block that is freed, or a range that is unmapped, while work uses it.
#[derive(Clone, Copy, Debug)]
pub struct Freeing {
    /// Function that frees.
    pub function: &'static str,
    /// First address.
    pub start: u64,
    /// Size.
    pub bytes: u64,
    /// Function that made it.
    pub by: &'static str,
    /// Where.
    pub made_at: CallSite,
    /// Where it is freed.
    pub site: CallSite,
}

/// Memory is freed while a task of `stream`, queued at `queued_at`, uses it.
pub fn free_in_use(freeing: &Freeing, stream: &Stream, queued_at: CallSite) {
    let values = [
        ("function", freeing.function.to_string()),
        ("address", hex(freeing.start)),
        ("bytes", freeing.bytes.to_string()),
        ("stream", stream.name()),
        ("doing", stream.doing()),
    ];
    let mut details = Vec::new();
    if queued_at.is_known() {
        details.push(queued_at.line("the work was queued".into()));
    }
    if freeing.made_at.is_known() {
        details.push(freeing.made_at.line(format!("allocated by {}", freeing.by)));
    }
    raise(&catalogue::FREE_IN_USE, &values, freeing.site, details);
}

/// Memory is freed that a task used, and nothing has waited for the task, though it happens to be over.
pub fn freed_unwaited(freeing: &Freeing, who: &Actor, usage: Use) {
    let values = [
        ("function", freeing.function.to_string()),
        ("address", hex(freeing.start)),
        ("bytes", freeing.bytes.to_string()),
        ("who", who.name()),
        ("does", usage.verb().to_string()),
    ];
    let mut details = vec![who.site.line("the work was queued".into())];
    if freeing.made_at.is_known() {
        details.push(freeing.made_at.line(format!("allocated by {}", freeing.by)));
    }
    raise_once(&catalogue::FREED_UNWAITED, &values, freeing.site, who.site, details, Vec::new());
}

/// A copy into host memory that nothing waited for when its device is given back.
pub fn never_waited(function: &'static str, who: &Actor) {
    let values = [("who", who.name()), ("function", function.to_string())];
    raise_once(&catalogue::NEVER_WAITED, &values, who.site, who.site, Vec::new(), Vec::new());
}

/// A stream is destroyed; nothing has waited for this task of it.
pub fn destroyed_unwaited(function: &'static str, stream: &Stream, who: &Actor, site: CallSite) {
    let values = [("function", function.to_string()), ("stream", stream.name()), ("who", who.name())];
    let details = vec![who.site.line("it was enqueued".into())];
    raise_once(&catalogue::DESTROYED_UNWAITED, &values, site, who.site, details, Vec::new());
}

/// Handles of one place from which on it is told that they are left.
const MANY_HANDLES: usize = 64;

/// Handles that were not destroyed when their device is given back; told only if one place made many.
pub fn handles_left(
    function: &'static str,
    what: &'static str,
    destroy: &'static str,
    made_at: impl Iterator<Item = CallSite>,
) {
    let mut by_site: BTreeMap<u64, usize> = BTreeMap::new();
    for site in made_at.filter(|site| site.is_known()) {
        *by_site.entry(site.0).or_default() += 1;
    }
    for (site, count) in by_site.into_iter().filter(|(_, count)| *count >= MANY_HANDLES) {
        let values = [
            ("function", function.to_string()),
            ("count", count.to_string()),
            ("what", what.to_string()),
            ("destroy", destroy.to_string()),
        ];
        raise_once(&catalogue::HANDLES_LEFT, &values, CallSite(site), CallSite(site), Vec::new(), Vec::new());
    }
}

/// The source of an asynchronous copy changed before that was allowed; `until` says which event it did not wait for.
pub fn host_buffer_changed(src: u64, bytes: u64, until: String, queued_at: CallSite) {
    let values = [("address", hex(src)), ("bytes", bytes.to_string()), ("until", until)];
    raise_once(&catalogue::HOST_BUFFER_CHANGED, &values, queued_at, queued_at, Vec::new(), Vec::new());
}

/// The pageable memory of a queued copy was unmapped before the copy ran.
pub fn host_buffer_gone(addr: u64, bytes: u64, stream: &Stream, queued_at: CallSite) {
    let values = [("address", hex(addr)), ("bytes", bytes.to_string()), ("stream", stream.name())];
    raise(&catalogue::HOST_BUFFER_GONE, &values, queued_at, Vec::new());
}
