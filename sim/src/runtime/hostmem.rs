//! Pinned host memory (`aclrtMallocHost`): which host addresses may be used by asynchronous copies.
//!
//! Nothing is really pinned: the "device" is this process. What matters is that the runtime knows the block, so that
//! an asynchronous copy from it may return before it is done, and that a block freed while a copy still uses it stays
//! mapped until the copy is done.
#![allow(unsafe_code)] // hands out raw memory with a lifetime the program decides.

use super::failure::{Answer, Failure, refuse};
use parking_lot::RwLock;
use std::alloc::Layout;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use toprope_abi::acl::AclError;

/// Documented alignment of small blocks.
const ALIGN_BYTES: usize = 64;
/// Blocks of at least a page start at a page.
const PAGE_BYTES: usize = 4096;
/// Freed blocks remembered for messages.
const HISTORY: usize = 1024;

/// A block of pinned host memory; freed when the last user is gone.
#[derive(Debug)]
pub struct HostBlock {
    start: u64,
    layout: Layout,
}

impl HostBlock {
    /// First address.
    pub fn start(&self) -> u64 {
        self.start
    }

    /// Size in bytes.
    pub fn bytes(&self) -> u64 {
        self.layout.size() as u64
    }

    fn contains(&self, addr: u64) -> bool {
        addr.wrapping_sub(self.start) < self.bytes()
    }
}

impl Drop for HostBlock {
    fn drop(&mut self) {
        // SAFETY: `start` came from `alloc` with this layout (only `HostMemory::alloc` makes blocks) and is freed once.
        unsafe { std::alloc::dealloc(self.start as *mut u8, self.layout) };
    }
}

/// All pinned host memory of the process.
#[derive(Debug, Default)]
pub struct HostMemory {
    live: RwLock<BTreeMap<u64, Arc<HostBlock>>>,
    freed: RwLock<VecDeque<(u64, u64)>>,
}

impl HostMemory {
    /// Allocates a block; contents are undefined.
    ///
    /// # Errors
    /// 207001 if this machine does not have the memory.
    pub fn alloc(&self, bytes: u64) -> Answer<u64> {
        let size = usize::try_from(bytes).unwrap_or(usize::MAX);
        let align = if size >= PAGE_BYTES { PAGE_BYTES } else { ALIGN_BYTES };
        let exhausted = || {
            Failure::new(
                AclError::RT_MEMORY_ALLOCATION,
                format!("{bytes} bytes of host memory cannot be had here"),
            )
            .help("ask for less, or free host memory that is no longer needed")
        };
        let layout = Layout::from_size_align(size, align).map_err(|_| exhausted())?;
        // SAFETY: the size is not 0, callers have refused that (and `from_size_align` keeps it below isize::MAX).
        let start = unsafe { std::alloc::alloc(layout) } as u64;
        if start == 0 {
            return Err(exhausted());
        }
        self.live.write().insert(start, Arc::new(HostBlock { start, layout }));
        Ok(start)
    }

    /// Takes a block out without remembering it as freed; whoever holds it keeps it alive.
    pub fn forget(&self, addr: u64) {
        self.live.write().remove(&addr);
    }

    /// Frees the block that starts at `addr`.
    ///
    /// # Errors
    /// 207002 with what the address is.
    pub fn free(&self, addr: u64) -> Answer {
        if let Some(block) = self.live.write().remove(&addr) {
            let mut freed = self.freed.write();
            if freed.len() == HISTORY {
                freed.pop_front();
            }
            freed.push_back((addr, block.bytes()));
            return Ok(());
        }
        let was_freed = self.freed.read().iter().any(|block| block.0 == addr);
        let what = match self.find(addr) {
            Some(block) => format!("{} bytes into a block of {} bytes", addr - block.start, block.bytes()),
            None if was_freed => "the start of a block that was freed before".into(),
            None => "no memory of aclrtMallocHost".into(),
        };
        refuse(AclError::RT_MEMORY_FREE, format!("{addr:#x} is {what}"))
    }

    /// The live block that holds `addr`.
    pub fn find(&self, addr: u64) -> Option<Arc<HostBlock>> {
        let live = self.live.read();
        let (_, block) = live.range(..=addr).next_back()?;
        block.contains(addr).then(|| block.clone())
    }

    /// Number of live blocks and their bytes.
    pub fn live_blocks_and_bytes(&self) -> (u64, u64) {
        let live = self.live.read();
        (live.len() as u64, live.values().map(|b| b.bytes()).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_aligned_known_and_freed_once() {
        let memory = HostMemory::default();
        for bytes in [1, 63, 4096, 1 << 20] {
            let addr = memory.alloc(bytes).unwrap();
            assert_eq!(addr % 64, 0);
            assert!(memory.find(addr + bytes - 1).is_some());
            assert!(memory.find(addr + bytes).is_none());
            if bytes > 1 {
                assert!(memory.free(addr + 1).unwrap_err().text.contains("1 bytes into a block"));
            }
            memory.free(addr).unwrap();
            assert!(memory.free(addr).unwrap_err().text.contains("freed before"));
        }
        assert_eq!(memory.alloc(u64::MAX).unwrap_err().code, AclError::RT_MEMORY_ALLOCATION);
        assert_eq!(memory.free(0x1234).unwrap_err().code, AclError::RT_MEMORY_FREE);
    }

    #[test]
    fn a_block_in_use_outlives_its_free() {
        let memory = HostMemory::default();
        let addr = memory.alloc(100).unwrap();
        let user = memory.find(addr).unwrap();
        memory.free(addr).unwrap();
        assert!(memory.find(addr).is_none());
        assert_eq!(user.bytes(), 100);
    }
}
