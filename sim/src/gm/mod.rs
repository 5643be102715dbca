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
//! Rules: `aclrtMalloc` page of the public CANN runtime documentation: size 0 is an error, sizes are rounded up
//! to 32 B and padded by 32 B, addresses are at least 64 B aligned (512 B here, because cube inputs want it).
//! Not modelled: physical pages, P2P links, the difference between HBM and DDR policies, ECC.

mod extents;
pub mod freeze;
mod reserve;
mod shared;

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
}

impl Default for MemoryOptions {
    fn default() -> Self {
        MemoryOptions { capacity_bytes: 64 << 30, align_bytes: GM_ALIGN_BYTES }
    }
}

/// A live block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allocation {
    /// Serial number on the device, from 1.
    pub id: u64,
    /// First address.
    pub start: u64,
    /// Bytes a kernel may touch: the requested size rounded up to 32.
    pub bytes: u64,
    /// Bytes asked for.
    pub requested_bytes: u64,
    /// Bytes set aside: `bytes` and the pad.
    pub padded_bytes: u64,
    /// Function that made it, e.g. `aclrtMalloc`.
    pub by: &'static str,
}

impl Allocation {
    /// First address behind the bytes a kernel may touch.
    pub fn end(&self) -> u64 {
        self.start + self.bytes
    }

    /// Whether `addr` is one of the bytes a kernel may touch.
    pub fn contains(&self, addr: u64) -> bool {
        addr.wrapping_sub(self.start) < self.bytes
    }
}

/// A block that is gone, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FreeStamp {
    /// What it was.
    pub allocation: Allocation,
    /// Function that freed it, e.g. `aclrtFree` or `aclrtResetDevice`.
    pub by: &'static str,
    /// How many blocks had been freed on the device before.
    pub serial: u64,
}

/// What a device address is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressKind {
    /// Inside a live block.
    Live(Allocation),
    /// In the pad or redzone behind (`bytes_beyond` ≥ 0 past the end) a live block.
    Behind {
        /// The block that ends before the address.
        allocation: Allocation,
        /// Distance from the block's end.
        bytes_beyond: u64,
    },
    /// Inside a block that was freed.
    Freed(FreeStamp),
    /// In the range, near nothing.
    Unused,
    /// Not in this device's range: a host address, or another device's.
    Foreign,
}

/// Why memory could not be allocated or freed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GmError {
    /// Size 0 was asked for.
    #[error("size is 0; at least 1 byte must be asked for")]
    ZeroSize,
    /// More than what is left.
    #[error(
        "{asked_bytes} bytes were asked for, {free_bytes} of {capacity_bytes} bytes are free; free memory that is no longer needed or ask for less"
    )]
    Exhausted {
        /// Bytes asked for, rounded and padded.
        asked_bytes: u64,
        /// Bytes free.
        free_bytes: u64,
        /// Bytes of the device.
        capacity_bytes: u64,
    },
    /// The host could not back the memory.
    #[error("this machine did not give the memory: {0}")]
    Host(String),
    /// Not the start of a live block.
    #[error("{address:#x} is not the start of a block of device memory: {what}")]
    NotABlock {
        /// The address.
        address: u64,
        /// What the address is, and what to do.
        what: String,
    },
    /// Freed before.
    #[error("the block at {address:#x} ({bytes} bytes) was freed before, by {by}; free every block once")]
    DoubleFree {
        /// The address.
        address: u64,
        /// Size it had.
        bytes: u64,
        /// Function that freed it.
        by: &'static str,
    },
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
}

#[derive(Debug)]
struct State {
    reserve: Reserve,
    free: Extents,
    live: BTreeMap<u64, Block>,
    quarantine: VecDeque<(u64, u64, u64)>,
    quarantine_ram_bytes: u64,
    history: VecDeque<FreeStamp>,
    used_bytes: u64,
    next_id: u64,
    frees: u64,
}

/// The memory of one device.
///
/// Reading ([`find`](DeviceMemory::find)) takes a shared lock; a core keeps what it found and compares
/// [`generation`](DeviceMemory::generation), which costs one load.
#[derive(Debug)]
pub struct DeviceMemory {
    range: Range<u64>,
    options: MemoryOptions,
    generation: AtomicU64,
    state: RwLock<State>,
}

impl DeviceMemory {
    /// Reserves the address range of a device.
    ///
    /// # Errors
    /// [`GmError::Host`] if the system does not grant an address range of the capacity (or 1 GiB).
    pub fn new(options: MemoryOptions) -> Result<Arc<DeviceMemory>, GmError> {
        let least = options.capacity_bytes.min(1 << 30);
        let reserve = Reserve::new(options.capacity_bytes.saturating_mul(RANGE_FACTOR), least)
            .map_err(|e| GmError::Host(e.to_string()))?;
        let range = reserve.base()..reserve.base() + reserve.bytes();
        let free = Extents::new(range.start + GUARD_BYTES, reserve.bytes() - GUARD_BYTES);
        let state = State {
            reserve,
            free,
            live: BTreeMap::new(),
            quarantine: VecDeque::new(),
            quarantine_ram_bytes: 0,
            history: VecDeque::new(),
            used_bytes: 0,
            next_id: 1,
            frees: 0,
        };
        let align_bytes = options.align_bytes.clamp(64, GM_ALIGN_BYTES).next_power_of_two();
        let options = MemoryOptions { align_bytes, ..options };
        Ok(Arc::new(DeviceMemory {
            range,
            options,
            generation: AtomicU64::new(1),
            state: RwLock::new(state),
        }))
    }

    /// All addresses that can ever be device memory of this device.
    pub fn range(&self) -> Range<u64> {
        self.range.clone()
    }

    /// Changes whenever a block is allocated or freed; what [`find`](DeviceMemory::find) said holds as long as
    /// this does not change.
    pub fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    /// Bytes free and bytes of the device.
    pub fn free_and_total_bytes(&self) -> (u64, u64) {
        let used = self.state.read().used_bytes;
        (self.options.capacity_bytes.saturating_sub(used), self.options.capacity_bytes)
    }

    /// Number of live blocks and the bytes that were asked for.
    pub fn live_blocks_and_bytes(&self) -> (u64, u64) {
        let state = self.state.read();
        (state.live.len() as u64, state.live.values().map(|b| b.allocation.requested_bytes).sum())
    }

    /// The live block with `addr` among its usable bytes.
    pub fn find(&self, addr: u64) -> Option<Allocation> {
        if !self.range.contains(&addr) {
            return None;
        }
        let state = self.state.read();
        let (_, block) = state.live.range(..=addr).next_back()?;
        block.allocation.contains(addr).then_some(block.allocation)
    }

    /// What an address is.
    pub fn classify(&self, addr: u64) -> AddressKind {
        if !self.range.contains(&addr) {
            return AddressKind::Foreign;
        }
        let state = self.state.read();
        let before = state.live.range(..=addr).next_back().map(|(_, b)| b);
        if let Some(block) = before {
            let allocation = block.allocation;
            if allocation.contains(addr) {
                return AddressKind::Live(allocation);
            }
            if addr < block.extent.0 + block.extent.1 {
                return AddressKind::Behind { allocation, bytes_beyond: addr - allocation.end() };
            }
        }
        if let Some(stamp) = state.history.iter().rev().find(|s| s.allocation.contains(addr)) {
            return AddressKind::Freed(*stamp);
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
        match self.classify(addr) {
            AddressKind::Live(a) if addr == a.start => {
                format!("the start of block {} ({} bytes, from {})", a.id, a.requested_bytes, a.by)
            }
            AddressKind::Live(a) => {
                format!(
                    "{} bytes into block {} ({} bytes, from {})",
                    addr - a.start,
                    a.id,
                    a.requested_bytes,
                    a.by
                )
            }
            AddressKind::Behind { allocation: a, bytes_beyond } => {
                format!(
                    "{bytes_beyond} bytes behind the end of block {} ({} bytes, from {})",
                    a.id, a.requested_bytes, a.by
                )
            }
            AddressKind::Freed(s) => {
                let a = s.allocation;
                let offset = addr - a.start;
                format!(
                    "{offset} bytes into block {} ({} bytes), which was freed by {}",
                    a.id, a.requested_bytes, s.by
                )
            }
            AddressKind::Unused => {
                "in the device's address range, but in no block that was ever near it".into()
            }
            AddressKind::Foreign => "not an address of this device's memory (a host pointer?)".into(),
        }
    }

    /// Allocates `bytes`, rounded up to 32; `padded` adds the documented 32 B pad. `by` names the function.
    ///
    /// # Errors
    /// [`GmError::ZeroSize`], [`GmError::Exhausted`], [`GmError::Host`].
    pub fn alloc(&self, bytes: u64, padded: bool, by: &'static str) -> Result<Allocation, GmError> {
        if bytes == 0 {
            return Err(GmError::ZeroSize);
        }
        let mut state = self.state.write();
        let free_bytes = self.options.capacity_bytes.saturating_sub(state.used_bytes);
        let exhausted = |asked_bytes| GmError::Exhausted {
            asked_bytes,
            free_bytes,
            capacity_bytes: self.options.capacity_bytes,
        };
        if bytes > free_bytes {
            return Err(exhausted(bytes));
        }
        let usable = bytes.next_multiple_of(GM_UNIT_BYTES);
        let padded_bytes = usable + if padded { GM_UNIT_BYTES } else { 0 };
        if padded_bytes > free_bytes {
            return Err(exhausted(padded_bytes));
        }
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
        let at = state.take(extent_bytes, align).ok_or_else(|| exhausted(padded_bytes))?;
        if let Err(e) = state.reserve.commit(at + extent_bytes) {
            state.free.give(at, extent_bytes);
            return Err(GmError::Host(e.to_string()));
        }
        if huge {
            state.reserve.prefer_huge_pages(at, extent_bytes);
        }
        let id = state.next_id;
        state.next_id += 1;
        state.used_bytes += padded_bytes;
        let allocation =
            Allocation { id, start: at + shift, bytes: usable, requested_bytes: bytes, padded_bytes, by };
        let block = Block { allocation, extent: (at, extent_bytes), pages: None, is_adopted: false };
        state.live.insert(allocation.start, block);
        self.generation.fetch_add(1, Ordering::Release);
        Ok(allocation)
    }

    /// Frees the block that starts at `addr`. `by` names the function.
    ///
    /// # Errors
    /// [`GmError::DoubleFree`] or [`GmError::NotABlock`] with what the address is.
    pub fn free(&self, addr: u64, by: &'static str) -> Result<Allocation, GmError> {
        let mut state = self.state.write();
        if let Some(block) = state.live.get(&addr).filter(|block| block.is_adopted) {
            let what =
                format!("it was taken over by {} and is given back by its counterpart", block.allocation.by);
            return Err(GmError::NotABlock { address: addr, what });
        }
        if let Some(block) = state.live.remove(&addr) {
            state.retire(&block, by);
            self.generation.fetch_add(1, Ordering::Release);
            return Ok(block.allocation);
        }
        drop(state);
        Err(match self.classify(addr) {
            AddressKind::Freed(s) if s.allocation.start == addr => {
                GmError::DoubleFree { address: addr, bytes: s.allocation.requested_bytes, by: s.by }
            }
            _ => GmError::NotABlock { address: addr, what: self.describe(addr) },
        })
    }

    /// Frees everything, as a device reset does; returns what was still there.
    pub fn free_all(&self, by: &'static str) -> Vec<Allocation> {
        let mut state = self.state.write();
        let live = std::mem::take(&mut state.live);
        for block in live.values() {
            state.retire(block, by);
        }
        self.generation.fetch_add(1, Ordering::Release);
        live.into_values().map(|b| b.allocation).collect()
    }
}

impl State {
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

    fn retire(&mut self, block: &Block, by: &'static str) {
        let (start, bytes) = block.extent;
        self.used_bytes -= block.allocation.padded_bytes;
        if self.history.len() == HISTORY_BLOCKS {
            self.history.pop_front();
        }
        self.history.push_back(FreeStamp { allocation: block.allocation, by, serial: self.frees });
        self.frees += 1;
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
            let gm = DeviceMemory::new(MemoryOptions { capacity_bytes: 1 << 26, align_bytes }).unwrap();
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
        assert!(matches!(again, GmError::DoubleFree { bytes: 100, by: "aclrtFree", .. }));
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
