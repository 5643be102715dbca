//! Order of the host and of streams: which uses of memory are ordered, and which only happened in this order today.
//!
//! ```text
//!  host ── enqueue ─▶ task: knows what the host knew at the call, all before it in its stream, and the events it waited for
//!   ▲                   │ copies, fills, reductions: their ranges; kernels: the GM ranges they really used
//!   └─ synchronise ◀────┴─▶ Shadow: who used the bytes before, and is that known to be over?
//! ```
//! The host and every stream are timelines with vector clocks ([`clock`]). Edges:
//!
//! | edge | effect |
//! |---|---|
//! | a call enqueues a task | the task knows what the host knows |
//! | a task behind another in its stream | knows all that one knew, and that it is over |
//! | record and wait of an event, record and wait of a notify | the stream learns what the recorded one knew |
//! | synchronising a stream, device or event; a query that answers "complete" | the host learns it |
//! | a function of the host that a stream calls | the host learns all of the stream, and the stream what the host knows |
//! | an execution of a graph | its streams learn what the stream before it knew; the stream behind it learns all of them |
//! | `aclrtValueWait`, waits for other processes | the stream learns everything: who let it go is not followed |
//!
//! So a missing event is found in every run, whichever side ran first. What is **not** found: uses by the program's own
//! loads and stores of host memory (they are not seen; see `mem_findings` for buffers that change), order between threads
//! of the host (they count as one), memory of pools (reuse there is ordered by the runtime), addresses a kernel reads or
//! writes through plain C++ pointers, two addresses of the same memory (shared between processes, mapped twice).

mod clock;
mod fresh;
mod report;
mod shadow;
pub mod watch;

pub use clock::{Clock, Told};
pub use shadow::{Span, Use};

use super::binary::Function;
use super::copy::Motion;
use super::mem_pool;
use super::site::CallSite;
use crate::npu::GmUse;
use crate::sync::Mutex;
use clock::{HOST, LineId};
use shadow::{Conflict, Shadow};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Rows of a copy that are looked at one by one; copies of more rows are not looked at.
const MOST_ROWS: u64 = 4096;

static ON: AtomicBool = AtomicBool::new(false);

/// Turns it on or off, before any work.
pub fn set_on(on: bool) {
    ON.store(on, Ordering::Relaxed);
}

/// Whether order is followed.
#[inline]
pub fn is_on() -> bool {
    ON.load(Ordering::Relaxed)
}

/// Who uses memory: a task of a stream, or a call of the host.
#[derive(Clone, Debug)]
pub struct Actor {
    line: LineId,
    tick: u64,
    /// Place in the order of all calls.
    pub serial: u64,
    /// What it is.
    pub what: What,
    /// Its stream: number and device; `None`: the host itself.
    pub stream: Option<StreamName>,
    /// Where the program called.
    pub site: CallSite,
}

/// How a message names a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamName {
    /// Number on its device.
    pub id: u32,
    /// Its device.
    pub device: u32,
    /// Its context's default stream.
    pub is_default: bool,
    /// It was recorded from this stream and runs in a graph.
    pub is_graph: bool,
}

/// What uses memory.
#[derive(Clone, Debug)]
pub enum What {
    /// A launch.
    Kernel(Arc<Function>),
    /// A task that this function of the runtime enqueued, or such a function itself.
    Call(&'static str),
}

/// Takes the next place in the order of all calls.
pub fn next_serial() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

// ---- timelines -------------------------------------------------------------------------------------------------------

/// Ticks that every timeline has begun, by number; the host's first.
static TICKS: Mutex<Vec<Arc<AtomicU64>>> = Mutex::new(Vec::new());
/// Timelines of streams that are gone: their numbers go on with new streams.
static UNUSED: Mutex<Vec<LineId>> = Mutex::new(Vec::new());

/// The timeline of a stream.
#[derive(Debug)]
pub struct Timeline {
    line: LineId,
    ticks: Arc<AtomicU64>,
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    clock: Clock,
    /// What the host had told last.
    told: Option<Told>,
}

impl Default for Timeline {
    fn default() -> Timeline {
        let unused = UNUSED.lock().pop();
        let mut all = TICKS.lock();
        if all.is_empty() {
            all.push(Arc::default());
        }
        let line = unused.unwrap_or_else(|| {
            all.push(Arc::default());
            (all.len() - 1) as LineId
        });
        Timeline { line, ticks: all[line as usize].clone(), known: Mutex::default() }
    }
}

impl Drop for Timeline {
    fn drop(&mut self) {
        UNUSED.lock().push(self.line);
    }
}

impl Timeline {
    /// A task begins that was told this when it was enqueued; its tick.
    pub fn begin(&self, told: Option<&Told>) -> u64 {
        let tick = self.ticks.fetch_add(1, Ordering::Relaxed) + 1;
        let mut known = self.known.lock();
        known.clock.advance(self.line, tick);
        if let Some(told) = told
            && !known.told.as_ref().is_some_and(|last| Arc::ptr_eq(last, told))
        {
            known.clock.join(told);
            known.told = Some(told.clone());
        }
        tick
    }

    /// The copy whose source is watched is this task.
    pub fn is_watched(&self, watch: &watch::Watch, tick: u64) {
        watch.begins(self.line, tick);
    }

    /// Learns what another timeline knew.
    pub fn learn(&self, clock: &Clock) {
        self.known.lock().clock.join(clock);
    }

    /// Learns that everything that has begun is over.
    pub fn learn_everything(&self) {
        self.learn(&everything());
    }

    /// All that is known when its task of now is over.
    pub fn told(&self) -> Told {
        Arc::new(self.known.lock().clock.clone())
    }
}

fn everything() -> Clock {
    let mut clock = Clock::default();
    for (line, ticks) in TICKS.lock().iter().enumerate() {
        clock.advance(line as LineId, ticks.load(Ordering::Relaxed));
    }
    clock
}

// ---- the host --------------------------------------------------------------------------------------------------------

static KNOWN_BY_HOST: Mutex<Option<Told>> = Mutex::new(None);

/// What the host knows now; `None` if order is not followed.
pub fn told_by_host() -> Option<Told> {
    is_on().then(|| KNOWN_BY_HOST.lock().get_or_insert_default().clone())
}

/// The host has waited for this.
pub fn host_learns(clock: &Clock) {
    let known = {
        let mut known = KNOWN_BY_HOST.lock();
        let known = known.get_or_insert_default();
        if !known.covers(clock) {
            Arc::make_mut(known).join(clock);
        }
        known.clone()
    };
    watch::host_learnt(&known);
}

/// The host has waited for all that a stream has begun.
pub fn host_learns_of(timeline: &Timeline) {
    if is_on() {
        host_learns(&timeline.told());
    }
}

/// The host has waited for something that is not followed: it counts as everything.
pub fn host_learns_everything() {
    if is_on() {
        host_learns(&everything());
    }
}

/// That everything which has begun is over, to be told to a stream; `None` if order is not followed.
pub fn everything_told() -> Option<Told> {
    is_on().then(|| Arc::new(everything()))
}

/// The host has waited for what was recorded.
pub fn host_learns_mark(told: Option<&Told>) {
    if let Some(told) = told {
        host_learns(told);
    }
}

// ---- uses ------------------------------------------------------------------------------------------------------------

static SHADOW: Mutex<Option<Shadow>> = Mutex::new(None);

/// A task's place, for the uses it turns out to have.
#[derive(Clone, Debug)]
pub struct Task {
    /// Its tick.
    pub tick: u64,
    /// Place in the order of calls.
    pub serial: u64,
    /// Where it was enqueued.
    pub site: CallSite,
    /// Its stream.
    pub stream: StreamName,
}

impl Timeline {
    /// The task uses these bytes.
    pub fn uses(&self, task: &Task, what: What, spans: &[Span]) {
        if spans.is_empty() {
            return;
        }
        self.note(&self.actor(task, what), spans);
    }

    /// A launch is over that got these pointers and used these bytes.
    pub fn launched(&self, task: &Task, function: &Arc<Function>, pointers: &[u64], log: GmUse) {
        let spans = of_kernel(log);
        if spans.is_empty() {
            return;
        }
        let actor = self.actor(task, What::Kernel(function.clone()));
        let names = function.parameters.iter().filter(|p| p.is_pointer).map(|p| p.name.as_str());
        fresh::launched(&actor, names.zip(pointers.iter().copied()), &spans, written_since);
        self.note(&actor, &spans);
    }

    fn actor(&self, task: &Task, what: What) -> Arc<Actor> {
        let Task { tick, serial, site, stream } = *task;
        Arc::new(Actor { line: self.line, tick, serial, what, stream: Some(stream), site })
    }

    fn note(&self, actor: &Arc<Actor>, spans: &[Span]) {
        let conflicts = touch(actor, &self.known.lock().clock, spans);
        tell(conflicts, actor);
    }
}

/// The host uses these bytes in a call of the runtime, at once.
pub fn host_uses(function: &'static str, site: CallSite, spans: &[Span]) {
    if !is_on() {
        return;
    }
    let (tick, clock) = {
        let mut known = KNOWN_BY_HOST.lock();
        let known = known.get_or_insert_default();
        let tick = host_ticks().fetch_add(1, Ordering::Relaxed) + 1;
        Arc::make_mut(known).advance(HOST, tick);
        (tick, known.clone())
    };
    let what = What::Call(function);
    let actor = Actor { line: HOST, tick, serial: next_serial(), what, stream: None, site };
    let actor = Arc::new(actor);
    tell(touch(&actor, &clock, spans), &actor);
}

fn host_ticks() -> Arc<AtomicU64> {
    let mut all = TICKS.lock();
    if all.is_empty() {
        all.push(Arc::default());
    }
    all[HOST as usize].clone()
}

fn touch(who: &Arc<Actor>, clock: &Clock, spans: &[Span]) -> Vec<Conflict> {
    let mut conflicts: Vec<Conflict> = Vec::new();
    let mut shadow = SHADOW.lock();
    let shadow = shadow.get_or_insert_default();
    for span in spans {
        if !mem_pool::has(span.range.start) {
            conflicts.extend(shadow.touch(who, clock, span));
        }
    }
    if let Some(host) = &*KNOWN_BY_HOST.lock()
        && shadow.sweep(host)
    {
        fresh::swept();
    }
    conflicts
}

/// Reports each pair of uses once.
fn tell(conflicts: Vec<Conflict>, who: &Actor) {
    let mut told: Vec<u64> = Vec::new();
    for conflict in conflicts {
        if !told.contains(&conflict.first.serial) {
            told.push(conflict.first.serial);
            report::conflict(&conflict, who);
        }
    }
}

/// These bytes belong to somebody else now, or to nobody.
pub fn forget(start: u64, bytes: u64) {
    if !is_on() {
        return;
    }
    let range = start..start.saturating_add(bytes);
    if let Some(shadow) = &mut *SHADOW.lock() {
        shadow.forget(range.clone());
    }
    fresh::forget(&range);
}

/// These blocks are about to be given back.
pub fn given_back(start: u64, bytes: u64) {
    if is_on() {
        fresh::given_back(&(start..start.saturating_add(bytes)));
    }
}

/// Somebody whose uses are not seen may write the block at `addr`.
pub fn written_unseen(addr: u64) {
    if is_on() {
        fresh::written_unseen(addr);
    }
}

/// Whether a task or call that came after `serial` has changed some of these bytes, as far as is remembered.
fn written_since(range: Range<u64>, serial: u64) -> bool {
    let shadow = SHADOW.lock();
    shadow.as_ref().is_some_and(|shadow| shadow.written_since(range, serial))
}

/// Copies into host memory, on streams of a device, that the host has not waited for; each place once.
pub fn never_waited(device: u32, is_host: impl Fn(u64) -> bool) -> Vec<Arc<Actor>> {
    let Some(host) = told_by_host() else { return Vec::new() };
    let shadow = SHADOW.lock();
    let Some(shadow) = shadow.as_ref() else { return Vec::new() };
    let is_of = |who: &Actor| who.stream.is_some_and(|stream| stream.device == device);
    let mut found = shadow.unfinished_writes(&host, is_host);
    found.retain(|who| is_of(who));
    found.sort_by_key(|who| (who.site.0, who.serial));
    found.dedup_by_key(|who| who.site.0);
    found
}

/// The last task of a stream that is not over as far as `host` knows; of those that used memory.
pub fn unfinished_task(host: &Clock, stream: StreamName) -> Option<Arc<Actor>> {
    let shadow = SHADOW.lock();
    let open = shadow.as_ref()?.unfinished_tasks(host).filter(|who| who.stream == Some(stream));
    open.max_by_key(|who| who.serial).cloned()
}

/// Memory is given back: who used it last without anybody having waited for it.
pub fn unfinished(start: u64, bytes: u64) -> Option<(Arc<Actor>, Use)> {
    let host = told_by_host()?;
    let shadow = SHADOW.lock();
    shadow.as_ref()?.unfinished(start..start.saturating_add(bytes), &host)
}

// ---- what tasks use --------------------------------------------------------------------------------------------------

fn rows(start: u64, pitch: u64, width: u64, height: u64, usage: Use) -> Vec<Span> {
    (0..height).map(|row| Span::new(start + row * pitch, width, usage)).collect()
}

/// What a copy or fill uses.
pub fn of_motion(motion: Motion) -> Vec<Span> {
    match motion {
        Motion::Copy { dst, src, bytes } => {
            vec![Span::new(src, bytes, Use::Read), Span::new(dst, bytes, Use::Write)]
        }
        Motion::Rows { dst, height, .. } if height > MOST_ROWS => {
            written_unseen(dst);
            Vec::new()
        }
        Motion::Rows { dst, dst_pitch, src, src_pitch, width, height } => {
            let mut all = rows(src, src_pitch, width, height, Use::Read);
            all.extend(rows(dst, dst_pitch, width, height, Use::Write));
            all
        }
        Motion::Fill { dst, bytes, .. } => vec![Span::new(dst, bytes, Use::Write)],
        Motion::FillWords { dst, count, .. } => vec![Span::new(dst, count * 4, Use::Write)],
    }
}

/// Events are followed like memory: at addresses that no memory has.
const EVENTS: u64 = 0xffff_0000_0000_0000;

/// An event is waited for (it is read) or reset (it is written). Both is only done to events that are not replaced by the
/// next record.
pub fn of_event(id: u32, usage: Use) -> Span {
    Span::new(EVENTS + 8 * u64::from(id), 8, usage)
}

/// The event is gone; its number goes on with another one.
pub fn forget_event(id: u32) {
    let start = EVENTS + 8 * u64::from(id);
    if let Some(shadow) = &mut *SHADOW.lock() {
        shadow.forget(start..start + 8);
    }
}

/// What a launch used.
fn of_kernel(log: GmUse) -> Vec<Span> {
    let span = |usage| move |range| Span { range, usage };
    let mut all: Vec<Span> = log.reads.into_sorted().map(span(Use::Read)).collect();
    all.extend(log.writes.into_sorted().map(span(Use::Write)));
    all.extend(log.atomics.into_sorted().map(span(Use::Atomic)));
    all
}
