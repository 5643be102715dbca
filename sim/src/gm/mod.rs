//! Device memory (GM): one reserved range of addresses per device, and who owns which bytes of it.
//!
//! ```text
//!  range() ┌────────┬───────────────┬────┬─────────┬───────────┬──────────────
//!          │ guard  │ bytes │ pad   │ rz │ block B │ freed, q. │ free …
//!          └────────┴───────────────┴────┴─────────┴───────────┴──────────────
//!                   ↑ start         ↑ redzone: belongs to nobody
//! ```
//! A host pointer handed in as device memory lies outside [`DeviceMemory::range`]; a device pointer that runs
//! over its block lands in the pad or in a redzone; a freed block stays in quarantine for a while, so that its
//! addresses are recognised ([`DeviceMemory::describe`]). RAM of large freed blocks goes back at once.
//!
//! A block can be shared with other processes ([`DeviceMemory::share`]): only then do its pages move into a shared
//! file, so that memory that nobody shares keeps the speed of private pages. [`DeviceMemory::adopt`] is the other side.
//!
//! Outside its range a device reaches [views](DeviceMemory::attach) (mapped host memory, virtual memory) and the blocks
//! of [linked](DeviceMemory::link) memories (managed memory, other devices).
//!
//! Rules: `aclrtMalloc` page of the public CANN runtime documentation: size 0 is an error, sizes are rounded up
//! to 32 B and padded by 32 B, addresses are at least 64 B aligned (512 B here, because cube inputs want it); large
//! blocks take whole pages of 2 MiB or 1 GiB of the capacity, as their policy says.
//! Not modelled: physical pages, P2P links, the difference between HBM and DDR policies, ECC.

mod block;
mod extents;
pub mod freeze;
mod reserve;
mod shared;

pub use block::{APP_MODULE, AddressKind, Allocation, BlockRequest, FreeStamp, GmError, Pages};

use extents::Extents;
use parking_lot::RwLock;
use reserve::{HUGE_PAGE_BYTES, PAGE_BYTES, Reserve};
pub use shared::{PageFile, ShareError, SharedBlock};
use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Unit to which sizes are rounded, and size of the pad behind a block.
pub const GM_UNIT_BYTES: u64 = 32;
/// Alignment of every block unless [`MemoryOptions::align_bytes`] asks for less.
pub const GM_ALIGN_BYTES: u64 = 512;
/// Smallest gap between two blocks.
pub const REDZONE_BYTES: u64 = 512;
/// Bytes at the start of the range that are never given out.
const GUARD_BYTES: u64 = 64 << 10;
/// Blocks larger than this start at a huge page ("HUGE_FIRST" takes 2 MB pages from here on).
const HUGE_BLOCK_BYTES: u64 = 1 << 20;
/// Freed blocks remembered for messages.
const HISTORY_BLOCKS: usize = 4096;
/// Freed blocks kept from being handed out again.
const QUARANTINE_BLOCKS: usize = 1024;
/// Bytes of RAM held by quarantined blocks (larger blocks give theirs back when freed).
const QUARANTINE_BYTES: u64 = 32 << 20;
/// The range is this many times the capacity, so that quarantine never costs capacity.
const RANGE_FACTOR: u64 = 4;

/// How a [`DeviceMemory`] is made.
#[derive(Clone, Copy, Debug)]
pub struct MemoryOptions {
    /// Bytes that may be allocated at a time, pads included.
    pub capacity_bytes: u64,
    /// Alignment of blocks: a power of two, 64 to 512. Below 512 every block is aligned to exactly this much,
    /// which shows kernels that rely on more than the documented 64 B.
    pub align_bytes: u64,
    /// Where the range should start, if the addresses are free there.
    pub at: Option<u64>,
}

impl Default for MemoryOptions {
    fn default() -> Self {
        MemoryOptions { capacity_bytes: 64 << 30, align_bytes: GM_ALIGN_BYTES, at: None }
    }
}

#[derive(Debug)]
struct Block {
    allocation: Allocation,
    /// What the address allocator gave: start and size.
    extent: (u64, u64),
    /// Its pages, if they are shared.
    pages: Option<Arc<PageFile>>,
    /// Its pages belong to another process (or another block of this one).
    is_adopted: bool,
    /// Given back to its pool, which still has it.
    suspended: Option<Box<FreeStamp>>,
}

/// Memory outside the range that the device can reach.
#[derive(Clone, Copy, Debug)]
struct View {
    allocation: Allocation,
    /// Neighbouring views of this kind are one piece of memory.
    is_joined: bool,
}

/// What a component uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    /// The component.
    pub module: u16,
    /// Bytes now.
    pub bytes: u64,
    /// Most bytes at a time.
    pub peak_bytes: u64,
}

#[derive(Debug)]
struct State {
    reserve: Reserve,
    free: Extents,
    live: BTreeMap<u64, Block>,
    views: BTreeMap<u64, View>,
    quarantine: VecDeque<(u64, u64, u64)>,
    quarantine_ram_bytes: u64,
    history: VecDeque<FreeStamp>,
    usage: Vec<Usage>,
    used_bytes: u64,
    next_id: u64,
    frees: u64,
}

/// Changes whenever what some device can reach changes.
static GENERATION: AtomicU64 = AtomicU64::new(1);

/// The memory of one device.
///
/// Reading ([`find`](DeviceMemory::find)) takes a shared lock; a core keeps what it found and compares
/// [`generation`](DeviceMemory::generation), which costs one load.
#[derive(Debug)]
pub struct DeviceMemory {
    range: Range<u64>,
    options: MemoryOptions,
    state: RwLock<State>,
    linked: RwLock<Vec<Arc<DeviceMemory>>>,
}

fn touch_generation() {
    GENERATION.fetch_add(1, Ordering::Release);
}

impl DeviceMemory {
    /// Reserves the address range of a device.
    ///
    /// # Errors
    /// [`GmError::Host`] if the system does not grant an address range of the capacity (or 1 GiB).
    pub fn new(options: MemoryOptions) -> Result<Arc<DeviceMemory>, GmError> {
        let least = options.capacity_bytes.min(1 << 30);
        let wanted = match options.at {
            Some(_) => options.capacity_bytes,
            None => options.capacity_bytes.saturating_mul(RANGE_FACTOR),
        };
        let reserve = Reserve::new(wanted, least, options.at).map_err(|e| GmError::Host(e.to_string()))?;
        let range = reserve.base()..reserve.base() + reserve.bytes();
        let free = Extents::new(range.start + GUARD_BYTES, reserve.bytes() - GUARD_BYTES);
        let state = State {
            reserve,
            free,
            live: BTreeMap::new(),
            views: BTreeMap::new(),
            quarantine: VecDeque::new(),
            quarantine_ram_bytes: 0,
            history: VecDeque::new(),
            usage: Vec::new(),
            used_bytes: 0,
            next_id: 1,
            frees: 0,
        };
        let align_bytes = options.align_bytes.clamp(64, GM_ALIGN_BYTES).next_power_of_two();
        let options = MemoryOptions { align_bytes, ..options };
        let linked = RwLock::default();
        Ok(Arc::new(DeviceMemory { range, options, state: RwLock::new(state), linked }))
    }

    /// All addresses that can ever be blocks of this device.
    pub fn range(&self) -> Range<u64> {
        self.range.clone()
    }

    /// Changes whenever a block is allocated or freed; what [`find`](DeviceMemory::find) said holds as long as
    /// this does not change.
    pub fn generation(&self) -> u64 {
        GENERATION.load(Ordering::Acquire)
    }

    /// Bytes free and bytes of the device.
    pub fn free_and_total_bytes(&self) -> (u64, u64) {
        let used = self.state.read().used_bytes;
        (self.options.capacity_bytes.saturating_sub(used), self.options.capacity_bytes)
    }

    /// Number of live blocks that the program made, and the bytes that were asked for.
    pub fn live_blocks_and_bytes(&self) -> (u64, u64) {
        let state = self.state.read();
        let sizes = state.live.values().filter(|b| b.allocation.site != 0 && b.suspended.is_none());
        sizes.fold((0, 0), |sum, b| (sum.0 + 1, sum.1 + b.allocation.requested_bytes))
    }

    /// All live blocks.
    pub fn live_blocks(&self) -> Vec<Allocation> {
        self.state.read().live.values().map(|block| block.allocation).collect()
    }

    /// What each component uses, largest first.
    pub fn usage(&self) -> Vec<Usage> {
        let mut usage = self.state.read().usage.clone();
        usage.sort_by_key(|u| (std::cmp::Reverse(u.bytes), u.module));
        usage
    }

    /// The live block, view or block of a linked memory with `addr` among its usable bytes.
    pub fn find(&self, addr: u64) -> Option<Allocation> {
        let state = self.state.read();
        if self.range.contains(&addr) {
            let (_, block) = state.live.range(..=addr).next_back()?;
            return (block.suspended.is_none() && block.allocation.contains(addr))
                .then_some(block.allocation);
        }
        if let Some(found) = state.find_view(addr) {
            return Some(found);
        }
        drop(state);
        self.linked_with(addr)?.find(addr)
    }

    fn linked_with(&self, addr: u64) -> Option<Arc<DeviceMemory>> {
        self.linked.read().iter().find(|other| other.range.contains(&addr)).cloned()
    }

    /// Whether an address is of the device: in its range, in a view, or in the range of a linked memory.
    pub fn reaches(&self, addr: u64) -> bool {
        self.range.contains(&addr)
            || self.state.read().find_view(addr).is_some()
            || self.linked_with(addr).is_some()
    }

    /// What an address is.
    pub fn classify(&self, addr: u64) -> AddressKind {
        let state = self.state.read();
        if !self.range.contains(&addr) {
            if let Some(found) = state.find_view(addr) {
                return AddressKind::Live(found);
            }
            if let Some(stamp) = state.stamp_of(addr) {
                return AddressKind::Freed(stamp);
            }
            drop(state);
            return self.linked_with(addr).map_or(AddressKind::Foreign, |other| other.classify(addr));
        }
        let before = state.live.range(..=addr).next_back().map(|(_, b)| b);
        if let Some(block) = before {
            let allocation = block.allocation;
            if allocation.contains(addr) {
                return match &block.suspended {
                    Some(stamp) => AddressKind::Freed(**stamp),
                    None => AddressKind::Live(allocation),
                };
            }
            if addr < block.extent.0 + block.extent.1 {
                return AddressKind::Behind { allocation, bytes_beyond: addr - allocation.end() };
            }
        }
        if let Some(stamp) = state.stamp_of(addr) {
            return AddressKind::Freed(stamp);
        }
        match before {
            Some(block) if addr - block.allocation.end() < HUGE_PAGE_BYTES => {
                let allocation = block.allocation;
                AddressKind::Behind { allocation, bytes_beyond: addr - allocation.end() }
            }
            _ => AddressKind::Unused,
        }
    }

    /// What an address is, as the second half of a sentence ("0x… is …").
    pub fn describe(&self, addr: u64) -> String {
        self.classify(addr).describe(addr)
    }

    /// Allocates `bytes` of normal pages for the runtime itself; see [`allocate`](Self::allocate).
    ///
    /// # Errors
    /// As [`allocate`](Self::allocate).
    pub fn alloc(&self, bytes: u64, padded: bool, by: &'static str) -> Result<Allocation, GmError> {
        self.allocate(&BlockRequest { is_padded: padded, ..BlockRequest::new(bytes, by, 0) })
    }

    /// Allocates a block.
    ///
    /// # Errors
    /// [`GmError::ZeroSize`], [`GmError::Exhausted`], [`GmError::Host`].
    pub fn allocate(&self, request: &BlockRequest) -> Result<Allocation, GmError> {
        if request.bytes == 0 {
            return Err(GmError::ZeroSize);
        }
        let mut state = self.state.write();
        let (pages, charged_bytes) = state.charge(request, self.options.capacity_bytes)?;
        let (usable, padded_bytes) = (request.usable_bytes(), request.padded_bytes());
        let huge = usable > HUGE_BLOCK_BYTES;
        // Large blocks take whole pages, as on the device; copies between page-aligned blocks are also quicker here
        // (addresses that nearly match in their low 12 bits slow `rep movsb` down).
        let align = match usable {
            _ if huge => HUGE_PAGE_BYTES,
            PAGE_BYTES.. => PAGE_BYTES,
            _ => GM_ALIGN_BYTES,
        };
        // Below the default, shift by the asked alignment: aligned to exactly that.
        let shift = if self.options.align_bytes < GM_ALIGN_BYTES { self.options.align_bytes } else { 0 };
        // Blocks of a page or more own their pages, so that they can be shared without their neighbours.
        let unit = if usable >= PAGE_BYTES { PAGE_BYTES } else { GM_ALIGN_BYTES };
        let extent_bytes = (shift + padded_bytes + REDZONE_BYTES).next_multiple_of(unit);
        let at = state.take(extent_bytes, align).ok_or_else(|| GmError::Exhausted {
            asked_bytes: padded_bytes,
            free_bytes: self.options.capacity_bytes.saturating_sub(state.used_bytes),
            capacity_bytes: self.options.capacity_bytes,
        })?;
        if let Err(e) = state.reserve.commit(at + extent_bytes) {
            state.free.give(at, extent_bytes);
            return Err(GmError::Host(e.to_string()));
        }
        if huge {
            state.reserve.prefer_huge_pages(at, extent_bytes);
        }
        let id = state.next_id;
        state.next_id += 1;
        state.use_bytes(request.module, charged_bytes);
        let allocation = Allocation {
            id,
            start: at + shift,
            bytes: usable,
            requested_bytes: request.bytes,
            slack_bytes: request.slack_bytes,
            padded_bytes,
            charged_bytes,
            page_bytes: pages.page_bytes(usable),
            module: request.module,
            is_read_only: request.is_read_only,
            by: request.by,
            site: request.site,
        };
        let extent = (at, extent_bytes);
        let block = Block { allocation, extent, pages: None, is_adopted: false, suspended: None };
        state.live.insert(allocation.start, block);
        touch_generation();
        Ok(allocation)
    }

    /// Frees the block that starts at `addr`. `by` names the function.
    ///
    /// # Errors
    /// [`GmError::DoubleFree`] or [`GmError::NotABlock`] with what the address is.
    pub fn free(&self, addr: u64, by: &'static str) -> Result<Allocation, GmError> {
        self.free_at(addr, by, 0)
    }

    /// Frees the block that starts at `addr`. `by` names the function, `site` is the program's call.
    ///
    /// # Errors
    /// As [`free`](Self::free).
    pub fn free_at(&self, addr: u64, by: &'static str, site: u64) -> Result<Allocation, GmError> {
        let mut state = self.state.write();
        if let Some(block) = state.live.get(&addr).filter(|block| block.is_adopted) {
            let what =
                format!("it was taken over by {} and is given back by its counterpart", block.allocation.by);
            return Err(GmError::NotABlock { address: addr, what });
        }
        if let Some(block) = state.live.remove(&addr) {
            state.retire(&block, by, site);
            touch_generation();
            return Ok(block.allocation);
        }
        drop(state);
        Err(match self.classify(addr) {
            AddressKind::Freed(s) if s.allocation.start == addr => GmError::DoubleFree { stamp: Box::new(s) },
            kind => GmError::NotABlock { address: addr, what: kind.describe(addr) },
        })
    }

    /// Frees everything, as a device reset does, and detaches the program's views; returns the blocks that were still
    /// there.
    pub fn free_all(&self, by: &'static str) -> Vec<Allocation> {
        let mut state = self.state.write();
        let live = std::mem::take(&mut state.live);
        for block in live.values() {
            state.retire(block, by, 0);
        }
        state.views.retain(|_, view| view.allocation.site == 0);
        touch_generation();
        live.into_values().filter(|b| b.suspended.is_none()).map(|b| b.allocation).collect()
    }

    /// A pool took the block that starts at `addr` back, but keeps it: using it is an error until it is
    /// [resumed](Self::resume).
    pub fn suspend(&self, addr: u64, by: &'static str, site: u64) {
        let mut state = self.state.write();
        let serial = state.frees;
        if let Some(block) = state.live.get_mut(&addr) {
            let allocation = block.allocation;
            block.suspended = Some(Box::new(FreeStamp { allocation, by, site, serial }));
            state.frees += 1;
        }
        touch_generation();
    }

    /// A pool gives a suspended block out again, as a new one.
    pub fn resume(&self, addr: u64, requested_bytes: u64, site: u64) {
        let mut state = self.state.write();
        let id = state.next_id;
        if let Some(block) = state.live.get_mut(&addr) {
            block.suspended = None;
            block.allocation.id = id;
            block.allocation.site = site;
            block.allocation.requested_bytes = requested_bytes;
            block.allocation.bytes = requested_bytes.next_multiple_of(GM_UNIT_BYTES);
            state.next_id += 1;
        }
        touch_generation();
    }

    /// Makes memory outside the range accessible to the device. `is_joined`: accesses may run from this view into its
    /// neighbour of the same kind.
    pub fn attach(&self, view: Allocation, is_joined: bool) {
        self.state.write().views.insert(view.start, View { allocation: view, is_joined });
        touch_generation();
    }

    /// Takes a view away; `false` if there is none that starts there.
    pub fn detach(&self, start: u64, by: &'static str, site: u64) -> bool {
        let mut state = self.state.write();
        let Some(view) = state.views.remove(&start) else { return false };
        state.remember(view.allocation, by, site);
        touch_generation();
        true
    }

    /// The device can reach the blocks of `other` from now on.
    pub fn link(&self, other: &Arc<DeviceMemory>) {
        let mut linked = self.linked.write();
        if !linked.iter().any(|known| Arc::ptr_eq(known, other)) {
            linked.push(other.clone());
            touch_generation();
        }
    }

    /// The device cannot reach the blocks of `other` any more.
    pub fn unlink(&self, other: &Arc<DeviceMemory>) {
        self.linked.write().retain(|known| !Arc::ptr_eq(known, other));
        touch_generation();
    }

    /// Takes a part of the capacity without giving addresses (physical memory of the virtual memory functions).
    ///
    /// # Errors
    /// [`GmError::Exhausted`].
    pub fn charge(&self, bytes: u64) -> Result<(), GmError> {
        let mut state = self.state.write();
        let free_bytes = self.options.capacity_bytes.saturating_sub(state.used_bytes);
        if bytes > free_bytes {
            let capacity_bytes = self.options.capacity_bytes;
            return Err(GmError::Exhausted { asked_bytes: bytes, free_bytes, capacity_bytes });
        }
        state.use_bytes(APP_MODULE, bytes);
        Ok(())
    }

    /// Gives back what [`charge`](Self::charge) took.
    pub fn discharge(&self, bytes: u64) {
        self.state.write().return_bytes(APP_MODULE, bytes);
    }
}

impl State {
    /// Pages and bytes of the capacity for a request.
    fn charge(&self, request: &BlockRequest, capacity_bytes: u64) -> Result<(Pages, u64), GmError> {
        let free_bytes = capacity_bytes.saturating_sub(self.used_bytes);
        if request.bytes > free_bytes {
            return Err(GmError::Exhausted { asked_bytes: request.bytes, free_bytes, capacity_bytes });
        }
        let charged = request.pages.charge(request.padded_bytes());
        if charged <= free_bytes {
            return Ok((request.pages, charged));
        }
        let padded_bytes = request.padded_bytes();
        if request.pages == Pages::HugeFirst && padded_bytes <= free_bytes {
            return Ok((Pages::Normal, padded_bytes));
        }
        Err(GmError::Exhausted { asked_bytes: charged, free_bytes, capacity_bytes })
    }

    fn usage_of(&mut self, module: u16) -> &mut Usage {
        let at = self.usage.iter().position(|u| u.module == module);
        let at = at.unwrap_or_else(|| {
            self.usage.push(Usage { module, bytes: 0, peak_bytes: 0 });
            self.usage.len() - 1
        });
        &mut self.usage[at]
    }

    fn use_bytes(&mut self, module: u16, bytes: u64) {
        self.used_bytes += bytes;
        let usage = self.usage_of(module);
        usage.bytes += bytes;
        usage.peak_bytes = usage.peak_bytes.max(usage.bytes);
    }

    fn return_bytes(&mut self, module: u16, bytes: u64) {
        self.used_bytes = self.used_bytes.saturating_sub(bytes);
        let usage = self.usage_of(module);
        usage.bytes = usage.bytes.saturating_sub(bytes);
    }

    /// The view with `addr`, with its joined neighbours.
    fn find_view(&self, addr: u64) -> Option<Allocation> {
        let (_, view) = self.views.range(..=addr).next_back().filter(|(_, v)| v.allocation.contains(addr))?;
        let mut found = view.allocation;
        if view.is_joined {
            for (start, next) in self.views.range(found.end()..) {
                if !next.is_joined || *start != found.end() {
                    break;
                }
                found.bytes += next.allocation.bytes;
            }
        }
        Some(found)
    }

    fn stamp_of(&self, addr: u64) -> Option<FreeStamp> {
        self.history.iter().rev().find(|s| s.allocation.contains(addr)).copied()
    }

    fn take(&mut self, bytes: u64, align: u64) -> Option<u64> {
        loop {
            if let Some(at) = self.free.take(bytes, align) {
                return Some(at);
            }
            if self.quarantine.is_empty() {
                return None;
            }
            self.leave_quarantine();
        }
    }

    fn remember(&mut self, allocation: Allocation, by: &'static str, site: u64) {
        if self.history.len() == HISTORY_BLOCKS {
            self.history.pop_front();
        }
        self.history.push_back(FreeStamp { allocation, by, site, serial: self.frees });
        self.frees += 1;
    }

    fn retire(&mut self, block: &Block, by: &'static str, site: u64) {
        let (start, bytes) = block.extent;
        self.return_bytes(block.allocation.module, block.allocation.charged_bytes);
        match &block.suspended {
            // The program gave it back before; that is what messages should tell.
            Some(stamp) => self.remember(stamp.allocation, stamp.by, stamp.site),
            None => self.remember(block.allocation, by, site),
        }
        let ram_bytes = if block.pages.is_some() {
            self.reserve.make_private(start, bytes);
            0
        } else if bytes > HUGE_BLOCK_BYTES {
            self.reserve.release(start, bytes);
            0
        } else {
            bytes
        };
        self.quarantine.push_back((start, bytes, ram_bytes));
        self.quarantine_ram_bytes += ram_bytes;
        while self.quarantine.len() > QUARANTINE_BLOCKS || self.quarantine_ram_bytes > QUARANTINE_BYTES {
            self.leave_quarantine();
        }
    }

    fn leave_quarantine(&mut self) {
        if let Some((start, bytes, ram_bytes)) = self.quarantine.pop_front() {
            self.quarantine_ram_bytes -= ram_bytes;
            self.free.give(start, bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory(capacity_bytes: u64) -> Arc<DeviceMemory> {
        DeviceMemory::new(MemoryOptions { capacity_bytes, ..MemoryOptions::default() }).unwrap()
    }

    #[test]
    fn sizes_are_rounded_and_padded() {
        let gm = memory(1 << 20);
        let a = gm.alloc(33, true, "aclrtMalloc").unwrap();
        assert_eq!((a.bytes, a.requested_bytes, a.padded_bytes), (64, 33, 96));
        let b = gm.alloc(33, false, "aclrtMallocAlign32").unwrap();
        assert_eq!(b.padded_bytes, 64);
        assert_eq!(gm.free_and_total_bytes(), ((1 << 20) - 160, 1 << 20));
        assert_eq!(gm.alloc(0, true, "aclrtMalloc"), Err(GmError::ZeroSize));
    }

    #[test]
    fn capacity_is_a_limit_and_comes_back() {
        let gm = memory(1 << 20);
        let a = gm.alloc((1 << 20) - 32, true, "t").unwrap();
        assert!(matches!(gm.alloc(1, true, "t"), Err(GmError::Exhausted { free_bytes: 0, .. })));
        gm.free(a.start, "t").unwrap();
        gm.alloc((1 << 20) - 32, true, "t").unwrap();
        assert!(matches!(gm.alloc(u64::MAX, true, "t"), Err(GmError::Exhausted { .. })));
    }

    #[test]
    fn blocks_keep_their_distance_and_alignment() {
        for align_bytes in [64, 256, 512] {
            let gm =
                DeviceMemory::new(MemoryOptions { capacity_bytes: 1 << 26, align_bytes, at: None }).unwrap();
            let blocks: Vec<_> = [1, 64, 4096, 3 << 20, 17].map(|n| gm.alloc(n, true, "t").unwrap()).into();
            for (i, a) in blocks.iter().enumerate() {
                assert_eq!(a.start & (2 * align_bytes - 1) & 511, align_bytes & 511);
                assert_eq!(gm.find(a.start), Some(*a));
                assert_eq!(gm.find(a.end() - 1), Some(*a));
                assert_eq!(gm.find(a.end()), None);
                assert_eq!(gm.find(a.start - 1), None);
                for b in &blocks[i + 1..] {
                    assert!(a.end() + REDZONE_BYTES <= b.start || b.end() + REDZONE_BYTES <= a.start);
                }
            }
        }
    }

    #[test]
    fn freed_blocks_are_recognised() {
        let gm = memory(1 << 24);
        let a = gm.alloc(100, true, "aclrtMalloc").unwrap();
        let before = gm.generation();
        gm.free(a.start, "aclrtFree").unwrap();
        assert_ne!(gm.generation(), before);
        assert_eq!(gm.find(a.start), None);
        assert!(
            gm.describe(a.start + 4)
                .contains("4 bytes into block 1 (100 bytes), which was freed by aclrtFree")
        );
        let again = gm.free(a.start, "aclrtFree").unwrap_err();
        assert!(
            matches!(again, GmError::DoubleFree { stamp } if stamp.allocation.requested_bytes == 100 && stamp.by == "aclrtFree")
        );
        let b = gm.alloc(100, true, "aclrtMalloc").unwrap();
        assert_ne!(a.start, b.start, "quarantined");
        assert!(matches!(gm.free(b.start + 32, "aclrtFree"), Err(GmError::NotABlock { .. })));
        let local = 0u64;
        assert!(matches!(gm.free(&raw const local as u64, "aclrtFree"), Err(GmError::NotABlock { .. })));
        assert!(gm.describe(b.end() + 40).contains("40 bytes behind the end of block 2"));
    }

    #[test]
    fn loops_neither_leak_nor_run_out() {
        let gm = memory(256 << 20);
        for i in 0..5000u64 {
            let bytes = if i % 2 == 0 { 100 << 20 } else { 1 + i % 70_000 };
            let a = gm.alloc(bytes, true, "t").unwrap();
            gm.free(a.start, "t").unwrap();
        }
        assert_eq!(gm.free_and_total_bytes(), (256 << 20, 256 << 20));
        assert!(gm.state.read().history.len() <= HISTORY_BLOCKS);
    }
}
