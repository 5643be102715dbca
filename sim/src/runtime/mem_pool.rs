//! Stream-ordered memory (`aclrtMemPoolMallocAsync`): pools that give blocks out and take them back in stream order.
//!
//! ```text
//!  MallocAsync ─▶ Used ── FreeAsync (call) ──▶ Returned ── its task runs ──▶ idle ── trim ──▶ the device
//!                  ▲                              │                            │
//!                  └── same stream, at once ──────┘◀── other streams, if an attribute allows it
//! ```
//! Two views of a block are kept. The *program's*: valid from the call that gives it out to the call that takes it back;
//! copies are checked against it when they are called. The *device's*: valid between the two tasks; kernels are checked
//! against it when they run, so a kernel that uses a block behind its `aclrtMemPoolFreeAsync` in stream order is a
//! finding like any use after free.
//!
//! Reuse takes the smallest returned block that is large enough, of the same stream; then, as far as the attributes
//! allow (all off by default), of a stream this one waited for by an event, of one whose free has run already, or of
//! any other, which this stream is then made to wait for. Blocks have whole pages of 2 MiB and are not split.
//! Idle blocks beyond the release threshold go back to the device at the next stream synchronisation.
//!
//! Rules: page 11-10 of the public API reference and the public header, which has no function for a default pool.
//! `aclrtMemPoolFreeAsync` of memory of `aclrtMalloc` frees it in stream order.

use super::device::Device;
use super::event::Mark;
use super::failure::{Answer, Failure, refuse};
use super::handle::{HandleTable, Kind};
use super::mem_findings;
use super::memory::failure_of;
use super::site::CallSite;
use super::state::Runtime;
use super::stream::{Stream, last_task_id};
use super::work::{DeviceWork, Learns, Turn, Work};
use crate::gm::{Allocation, BlockRequest, DeviceMemory, FreeStamp, GM_UNIT_BYTES, Pages};
use parking_lot::{Mutex, RwLock};
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use toprope_abi::acl::AclError;

/// Blocks have a multiple of this.
const UNIT_BYTES: u64 = 2 << 20;
const FUNCTION_FREE: &str = "aclrtMemPoolFreeAsync";
const FUNCTION_MALLOC: &str = "aclrtMemPoolMallocAsync";

/// A block that its pool has back.
#[derive(Clone, Debug)]
struct Returned {
    /// Stream it was given back on, and the number of the task.
    stream: u64,
    task: u32,
    /// Passed when the stream gets there.
    mark: Arc<Mark>,
    stamp: FreeStamp,
}

#[derive(Clone, Debug)]
struct Segment {
    /// Capacity it takes.
    bytes: u64,
    /// What the program was given, as it sees it.
    given: Allocation,
    returned: Option<Returned>,
}

impl Segment {
    fn is_idle(&self) -> bool {
        self.returned.as_ref().is_some_and(|r| r.mark.passed_at().is_some())
    }
}

/// The attributes that can be set, and peaks.
#[derive(Clone, Copy, Debug, Default)]
struct Attributes {
    follows_events: bool,
    is_opportunistic: bool,
    adds_dependencies: bool,
    release_threshold: u64,
    reserved_peak: u64,
    used_peak: u64,
}

#[derive(Debug, Default)]
struct State {
    attributes: Attributes,
    segments: BTreeMap<u64, Segment>,
    is_destroyed: bool,
}

impl State {
    fn reserved(&self) -> u64 {
        self.segments.values().map(|s| s.bytes).sum()
    }

    fn used(&self) -> u64 {
        self.segments.values().filter(|s| s.returned.is_none()).map(|s| s.bytes).sum()
    }

    fn note_peaks(&mut self) {
        self.attributes.reserved_peak = self.attributes.reserved_peak.max(self.reserved());
        self.attributes.used_peak = self.attributes.used_peak.max(self.used());
    }
}

/// A pool.
#[derive(Debug)]
pub struct Pool {
    device: &'static Device,
    max_bytes: u64,
    state: Mutex<State>,
}

/// Which pool has a block that starts here, and its bytes, for all pools.
static BLOCKS: RwLock<BTreeMap<u64, (Arc<Pool>, u64)>> = RwLock::new(BTreeMap::new());
/// Number of blocks in pools, so that programs without any pay one load.
static BLOCK_COUNT: AtomicU64 = AtomicU64::new(0);
/// A block was returned since pools were trimmed last.
static TRIMMABLE: AtomicBool = AtomicBool::new(false);

/// All pools.
pub fn pools() -> &'static HandleTable<Pool> {
    static POOLS: OnceLock<HandleTable<Pool>> = OnceLock::new();
    POOLS.get_or_init(|| HandleTable::new(Kind::MemPool))
}

/// Makes a pool of at most `max_bytes`; 0: as much as the device has.
///
/// # Errors
/// 107001; 107000 if it is larger than the device.
pub fn create(runtime: &'static Runtime, device: u32, max_bytes: u64) -> Answer<u64> {
    let device = runtime.device(device.into())?;
    let (_, total) = device.opened_memory()?.free_and_total_bytes();
    let max_bytes = match max_bytes {
        0 => total / UNIT_BYTES * UNIT_BYTES,
        _ => max_bytes.checked_next_multiple_of(UNIT_BYTES).unwrap_or(u64::MAX),
    };
    if max_bytes > total {
        let text = format!("`maxSize` is {max_bytes} bytes, the device has {total}");
        return refuse(AclError::RT_PARAM_INVALID, text);
    }
    let handle = pools().reserve();
    pools().insert(handle, Arc::new(Pool { device, max_bytes, state: Mutex::default() }));
    Ok(handle)
}

/// Ends a pool: what it has back goes to the device, what the program still has when it is given back.
///
/// # Errors
/// 107017.
pub fn destroy(handle: *mut c_void) -> Answer {
    let pool = pools().remove(handle)?;
    pool.state.lock().is_destroyed = true;
    pool.trim(0, "aclrtMemPoolDestroy");
    Ok(())
}

/// The pool's view of a block that the program names: `Some(Err)` if it was given back; `None` if it is in no pool.
pub fn given_out(addr: u64) -> Option<Result<Allocation, FreeStamp>> {
    if BLOCK_COUNT.load(Ordering::Acquire) == 0 {
        return None;
    }
    let pool = {
        let blocks = BLOCKS.read();
        let (_, (pool, _)) = blocks.range(..=addr).next_back()?;
        pool.clone()
    };
    let state = pool.state.lock();
    let (start, segment) = state.segments.range(..=addr).next_back()?;
    if addr - start >= segment.bytes {
        return None;
    }
    Some(segment.returned.as_ref().map_or(Ok(segment.given), |returned| Err(returned.stamp)))
}

/// Whether an address is in a block of some pool, given out or not.
pub fn has(addr: u64) -> bool {
    if BLOCK_COUNT.load(Ordering::Acquire) == 0 {
        return false;
    }
    let blocks = BLOCKS.read();
    blocks.range(..=addr).next_back().is_some_and(|(start, (_, bytes))| addr - start < *bytes)
}

fn pool_of(addr: u64) -> Option<Arc<Pool>> {
    if BLOCK_COUNT.load(Ordering::Acquire) == 0 {
        None
    } else {
        BLOCKS.read().get(&addr).map(|b| b.0.clone())
    }
}

impl Pool {
    fn memory(&self) -> Answer<&'static Arc<DeviceMemory>> {
        self.device.opened_memory()
    }

    /// `aclrtMemPoolMallocAsync`.
    ///
    /// # Errors
    /// 207001 when the pool or the device is full; those of the stream.
    pub fn malloc(self: &Arc<Self>, bytes: u64, stream: &Arc<Stream>) -> Answer<u64> {
        let site = CallSite::here();
        let mut state = self.state.lock();
        if let Some((start, wait_for)) = choose(&state, bytes, stream) {
            let wait = wait_for.map(|mark| Work::Custom(Arc::new(WaitFor(mark))));
            let give = PoolTask::Give { memory: self.memory()?.clone(), start, bytes, site };
            for work in wait.into_iter().chain([Work::Custom(Arc::new(give))]) {
                stream.enqueue(work)?;
            }
            if let Some(segment) = state.segments.get_mut(&start) {
                segment.returned = None;
                segment.given.requested_bytes = bytes;
                segment.given.bytes = bytes.next_multiple_of(GM_UNIT_BYTES);
                segment.given.site = site.0;
            }
            state.note_peaks();
            return Ok(start);
        }
        let room = self.max_bytes - state.reserved();
        if bytes.checked_next_multiple_of(UNIT_BYTES).is_none_or(|bytes| bytes > room) {
            let text = format!(
                "{bytes} bytes were asked for, but the pool may take {room} bytes more of its {} (`maxSize`)",
                self.max_bytes
            );
            return Err(Failure::new(AclError::RT_MEMORY_ALLOCATION, text)
                .help("make a larger pool, give memory back, or trim what is idle with aclrtMemPoolTrimTo"));
        }
        // Later tasks of the stream may use it; nothing in the stream has to happen first.
        stream.enqueue(Work::Nothing)?;
        // The block has room for all that it may be reused for; the program gets what it asked for.
        let whole = BlockRequest::new(bytes.next_multiple_of(UNIT_BYTES), FUNCTION_MALLOC, site.0);
        let request = BlockRequest { is_padded: false, pages: Pages::Huge, ..whole };
        let memory = self.memory()?;
        let block = memory.allocate(&request).map_err(|e| failure_of(&e))?;
        memory.resume(block.start, bytes, site.0);
        let given =
            Allocation { requested_bytes: bytes, bytes: bytes.next_multiple_of(GM_UNIT_BYTES), ..block };
        let segment = Segment { bytes: given.charged_bytes, given, returned: None };
        state.segments.insert(given.start, segment);
        state.note_peaks();
        BLOCKS.write().insert(given.start, (self.clone(), given.charged_bytes));
        BLOCK_COUNT.fetch_add(1, Ordering::Release);
        Ok(given.start)
    }

    fn free(self: &Arc<Self>, start: u64, stream: &Arc<Stream>) -> Answer {
        let site = CallSite::here();
        let mut state = self.state.lock();
        let segment =
            state.segments.get_mut(&start).ok_or_else(|| super::failure::bug("a block left its pool"))?;
        if let Some(returned) = &segment.returned {
            return Err(freed_before(FUNCTION_FREE, &returned.stamp, site));
        }
        let mark = Arc::new(Mark::default());
        let task = PoolTask::Take { memory: self.memory()?.clone(), start, mark: mark.clone(), site };
        stream.enqueue(Work::Custom(Arc::new(task)))?;
        let stamp = FreeStamp { allocation: segment.given, by: FUNCTION_FREE, site: site.0, serial: 0 };
        segment.returned = Some(Returned { stream: stream.handle, task: last_task_id(), mark, stamp });
        let is_destroyed = state.is_destroyed;
        drop(state);
        TRIMMABLE.store(true, Ordering::Release);
        if is_destroyed {
            stream.wait_idle(None);
            self.trim(0, "aclrtMemPoolDestroy");
        }
        Ok(())
    }

    /// Gives idle blocks back to the device until at most `keep_bytes` are reserved, or none is idle.
    fn trim(&self, keep_bytes: u64, by: &'static str) {
        let mut state = self.state.lock();
        while state.reserved() > keep_bytes {
            let idle = state.segments.iter().filter(|(_, s)| s.is_idle()).max_by_key(|(_, s)| s.bytes);
            let Some(start) = idle.map(|(start, _)| *start) else { return };
            self.release(&mut state, start, by);
        }
    }

    fn release(&self, state: &mut State, start: u64, by: &'static str) {
        state.segments.remove(&start);
        BLOCKS.write().remove(&start);
        BLOCK_COUNT.fetch_sub(1, Ordering::Release);
        if let Some(memory) = self.device.memory() {
            // Freed already by a reset of the device: nothing left to do.
            let _ = memory.free(start, by);
        }
    }

    /// `aclrtMemPoolTrimTo`.
    ///
    /// # Errors
    /// 107000 more than the pool may have, or less than the program has.
    pub fn trim_to(&self, keep_bytes: u64) -> Answer {
        let used = self.state.lock().used();
        if keep_bytes > self.max_bytes || (keep_bytes < used && keep_bytes > 0) {
            let text = format!(
                "`minBytesToKeep` is {keep_bytes}; {used} bytes are in use and the pool has at most {}",
                self.max_bytes
            );
            return refuse(AclError::RT_PARAM_INVALID, text);
        }
        self.trim(keep_bytes, "aclrtMemPoolTrimTo");
        Ok(())
    }

    /// Reads attribute `id`; `None` if there is none with this number. Attributes 1 to 3 have 32 bits, others 64.
    pub fn attribute(&self, id: i32) -> Option<u64> {
        let state = self.state.lock();
        let a = &state.attributes;
        Some(match id {
            1 => a.follows_events.into(),
            2 => a.is_opportunistic.into(),
            3 => a.adds_dependencies.into(),
            4 => a.release_threshold,
            5 => state.reserved(),
            6 => a.reserved_peak,
            7 => state.used(),
            8 => a.used_peak,
            _ => return None,
        })
    }

    /// Sets attribute `id`.
    ///
    /// # Errors
    /// 107000: unknown, read-only, or a value that it cannot have.
    pub fn set_attribute(&self, id: i32, value: u64) -> Answer {
        let mut state = self.state.lock();
        let (reserved, used) = (state.reserved(), state.used());
        let a = &mut state.attributes;
        let problem = match id {
            1..=3 if value > 1 => "it is a switch, 0 or 1",
            5 | 7 => "it can only be read",
            6 | 8 if value != 0 => "a peak can only be set to 0",
            1..=8 => "",
            _ => "there is no such aclrtMemPoolAttr",
        };
        if !problem.is_empty() {
            return refuse(
                AclError::RT_PARAM_INVALID,
                format!("attribute {id} cannot be set to {value}: {problem}"),
            );
        }
        match id {
            1 => a.follows_events = value == 1,
            2 => a.is_opportunistic = value == 1,
            3 => a.adds_dependencies = value == 1,
            4 => a.release_threshold = value,
            6 => a.reserved_peak = reserved,
            _ => a.used_peak = used,
        }
        Ok(())
    }
}

/// A returned block for `bytes` on this stream, and what the stream has to wait for first.
fn choose(state: &State, bytes: u64, stream: &Stream) -> Option<(u64, Option<Arc<Mark>>)> {
    let a = state.attributes;
    let mut fitting: Vec<(u64, u64, &Returned)> = state
        .segments
        .iter()
        .filter(|(_, s)| s.bytes >= bytes)
        .filter_map(|(start, s)| s.returned.as_ref().map(|r| (s.bytes, *start, r)))
        .collect();
    fitting.sort_by_key(|(bytes, start, _)| (*bytes, *start));
    let first = |test: &dyn Fn(&Returned) -> bool| fitting.iter().find(|(_, _, r)| test(r));
    let same = first(&|r| r.stream == stream.handle);
    let ordered = || first(&|r| a.follows_events && stream.has_waited_for(r.stream, r.task));
    let done = || first(&|r| a.is_opportunistic && r.mark.passed_at().is_some());
    if let Some((_, start, _)) = same.or_else(ordered).or_else(done) {
        return Some((*start, None));
    }
    first(&|_| a.adds_dependencies).map(|(_, start, r)| (*start, Some(r.mark.clone())))
}

fn freed_before(function: &'static str, stamp: &FreeStamp, site: CallSite) -> Failure {
    mem_findings::double_free(function, stamp, site);
    let text = format!("{:#x} was given back before, by {}", stamp.allocation.start, stamp.by);
    Failure::new(AclError::RT_PARAM_INVALID, text).help("give every block back once")
}

/// `aclrtMemPoolFreeAsync`.
///
/// # Errors
/// 107000 if it is no block of a pool or of `aclrtMalloc`; those of the stream.
pub fn free(runtime: &'static Runtime, addr: u64, stream: &Arc<Stream>) -> Answer {
    if let Some(pool) = pool_of(addr) {
        return pool.free(addr, stream);
    }
    let owner = runtime.devices.iter().find_map(|d| d.memory().filter(|m| m.range().contains(&addr)));
    let block = owner.and_then(|memory| memory.find(addr)).filter(|block| block.start == addr);
    let (Some(memory), Some(_)) = (owner, block) else {
        let what = owner.map_or("no device memory".into(), |memory| memory.describe(addr));
        let text = format!("`ptr` is {addr:#x}, which is {what}");
        return Err(Failure::new(AclError::RT_PARAM_INVALID, text)
            .help("pass what aclrtMemPoolMallocAsync or aclrtMalloc gave"));
    };
    let task = PoolTask::Free { memory: memory.clone(), start: addr, site: CallSite::here() };
    stream.enqueue(Work::Custom(Arc::new(task)))
}

/// `aclrtFree` of a block of a pool: it goes back to the device at once. `false` if it is in no pool.
///
/// # Errors
/// 107000 if it was given back before.
pub fn free_now(addr: u64, function: &'static str, site: CallSite) -> Answer<bool> {
    let Some(pool) = pool_of(addr) else { return Ok(false) };
    let mut state = pool.state.lock();
    if let Some(returned) = state.segments.get(&addr).and_then(|s| s.returned.as_ref()) {
        return Err(freed_before(function, &returned.stamp, site));
    }
    pool.release(&mut state, addr, function);
    Ok(true)
}

/// A stream of the device was synchronised: idle memory beyond the threshold goes back to the device.
pub fn trim_at_sync() {
    if BLOCK_COUNT.load(Ordering::Acquire) == 0 || !TRIMMABLE.swap(false, Ordering::AcqRel) {
        return;
    }
    for pool in pools().select(|_| true) {
        let mut state = pool.state.lock();
        loop {
            let idle = state.segments.iter().filter(|(_, s)| s.is_idle());
            let (sum, largest) = idle.fold((0, None), |(sum, largest), (start, s)| {
                let larger = largest.is_none_or(|(_, bytes)| s.bytes > bytes);
                (sum + s.bytes, if larger { Some((*start, s.bytes)) } else { largest })
            });
            match largest {
                Some((start, _)) if sum > state.attributes.release_threshold => {
                    pool.release(&mut state, start, "the trim at a synchronisation");
                }
                _ => break,
            }
        }
        // What has not run yet, or is below the threshold, is looked at again.
        if state.segments.values().any(|s| s.returned.is_some()) {
            TRIMMABLE.store(true, Ordering::Release);
        }
    }
}

/// A device is reset: its pools go; the memory is freed with the rest of the device.
pub fn reset_device(device: u32) {
    for pool in pools().remove_if(|pool| pool.device.index == device) {
        let mut state = pool.state.lock();
        state.is_destroyed = true;
        for start in std::mem::take(&mut state.segments).into_keys() {
            BLOCKS.write().remove(&start);
            BLOCK_COUNT.fetch_sub(1, Ordering::Release);
        }
    }
}

// ---- tasks ---------------------------------------------------------------------------------------------------------

/// What happens to a block when the stream gets there.
#[derive(Debug)]
enum PoolTask {
    /// The program may use it again.
    Give { memory: Arc<DeviceMemory>, start: u64, bytes: u64, site: CallSite },
    /// It is the pool's.
    Take { memory: Arc<DeviceMemory>, start: u64, mark: Arc<Mark>, site: CallSite },
    /// It is the device's.
    Free { memory: Arc<DeviceMemory>, start: u64, site: CallSite },
}

impl PoolTask {
    fn run(&self, cycle: u64) {
        match self {
            PoolTask::Give { memory, start, bytes, site } => memory.resume(*start, *bytes, site.0),
            PoolTask::Take { memory, start, mark, site } => {
                memory.suspend(*start, FUNCTION_FREE, site.0);
                mark.pass(cycle);
            }
            PoolTask::Free { memory, start, site } => {
                // Freed meanwhile by aclrtFree or a reset: nothing left to do.
                let _ = memory.free_at(*start, FUNCTION_FREE, site.0);
            }
        }
    }
}

impl DeviceWork for PoolTask {
    fn start(self: Arc<Self>, turn: Turn) {
        let begin = turn.begin();
        self.run(begin);
        turn.end(Ok(()), begin);
    }

    fn skip(&self, _stream: &Stream) {
        // Memory changes hands even if the work around it is dropped.
        self.run(0);
    }

    fn doing(&self) -> String {
        "it takes or gives memory of a pool".into()
    }
}

/// Waits until another stream has given a block back.
#[derive(Debug)]
struct WaitFor(Arc<Mark>);

impl DeviceWork for WaitFor {
    fn start(self: Arc<Self>, turn: Turn) {
        let later = turn.clone();
        let go_on = Box::new(move |cycle| {
            later.end(Ok(()), cycle);
        });
        if let Err((_, cycle)) = self.0.on_pass(go_on) {
            turn.end(Ok(()), cycle);
        }
    }

    fn skip(&self, _stream: &Stream) {}

    fn interrupt(&self, _stream: &Stream) -> bool {
        true
    }

    fn learns(&self) -> Learns {
        Learns::Everything
    }

    fn doing(&self) -> String {
        "it waits until another stream gives memory back to its pool".into()
    }
}
