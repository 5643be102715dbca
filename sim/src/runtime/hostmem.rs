//! Host memory that the runtime knows: blocks of `aclrtMallocHost` and memory of the program that was registered.
//!
//! Nothing is really pinned: the "device" is this process. What matters is that the runtime knows the block, so that
//! an asynchronous copy from it may return before it is done, and that a block freed while a copy still uses it stays
//! mapped until the copy is done.
//!
//! **Registered memory** (`aclrtHostRegister`) is reached by kernels at its own address: here every registration has
//! the consistent addresses that the documents promise for `ACL_RT_MEM_ATTR_VA_FLAG`. So the rule that the device
//! address must not be used for copies cannot be checked. Not modelled: I/O memory and read-only registrations, which
//! the documents call reserved.
#![allow(unsafe_code)] // hands out raw memory with a lifetime the program decides.

use super::failure::{Answer, Failure, refuse};
use super::mem_findings;
use super::site::CallSite;
use parking_lot::RwLock;
use std::alloc::Layout;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use toprope_abi::acl::AclError;

/// Documented alignment of small blocks.
const ALIGN_BYTES: usize = 64;
/// Blocks of at least a page start at a page; registered memory has to.
const PAGE_BYTES: usize = 4096;
/// Freed blocks remembered for messages.
const HISTORY: usize = 1024;

/// Who the bytes belong to.
#[derive(Debug)]
enum Owner {
    /// Allocated by us.
    Runtime(Layout),
    /// The program's, registered by it.
    Program,
}

/// A block of host memory that the runtime knows; ours are freed when the last user is gone.
#[derive(Debug)]
pub struct HostBlock {
    start: u64,
    bytes: u64,
    owner: Owner,
    /// Kernels of this device reach it.
    pub mapped_on: Option<u32>,
    /// Function that made it known.
    pub by: &'static str,
    /// Where the program called it.
    pub site: CallSite,
}

impl HostBlock {
    /// First address.
    pub fn start(&self) -> u64 {
        self.start
    }

    /// Size in bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether it was registered rather than allocated.
    pub fn is_registered(&self) -> bool {
        matches!(self.owner, Owner::Program)
    }

    fn contains(&self, addr: u64) -> bool {
        addr.wrapping_sub(self.start) < self.bytes
    }
}

impl Drop for HostBlock {
    fn drop(&mut self) {
        if let Owner::Runtime(layout) = self.owner {
            // SAFETY: `start` came from `alloc` with this layout (only `HostMemory::alloc` makes such blocks) and is
            // freed once.
            unsafe { std::alloc::dealloc(self.start as *mut u8, layout) };
        }
    }
}

/// A block that was freed.
#[derive(Clone, Copy, Debug)]
pub struct HostStamp {
    /// First address.
    pub start: u64,
    /// Size.
    pub bytes: u64,
    /// Function that made it.
    pub by: &'static str,
    /// Where.
    pub site: CallSite,
    /// Function that freed it.
    pub freed_by: &'static str,
    /// Where.
    pub freed_at: CallSite,
}

/// All host memory that the runtime of this process knows.
#[derive(Debug, Default)]
pub struct HostMemory {
    live: RwLock<BTreeMap<u64, Arc<HostBlock>>>,
    registered: RwLock<BTreeMap<u64, Arc<HostBlock>>>,
    freed: RwLock<VecDeque<HostStamp>>,
    frees: AtomicU64,
}

/// Memory that the program wants to register.
#[derive(Clone, Copy, Debug)]
pub struct Registering {
    /// First address.
    pub start: u64,
    /// Size.
    pub bytes: u64,
    /// Kernels of this device shall reach it.
    pub mapped_on: Option<u32>,
    /// Asked for as pinned memory, which it must not be yet.
    pub pins: bool,
    /// Function that asks.
    pub by: &'static str,
    /// Where.
    pub site: CallSite,
}

fn within(map: &BTreeMap<u64, Arc<HostBlock>>, addr: u64) -> Option<Arc<HostBlock>> {
    let (_, block) = map.range(..=addr).next_back()?;
    block.contains(addr).then(|| block.clone())
}

impl HostMemory {
    /// Allocates a block; contents are undefined.
    ///
    /// # Errors
    /// 207001 if this machine does not have the memory.
    pub fn alloc(&self, bytes: u64, by: &'static str, site: CallSite) -> Answer<u64> {
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
        let owner = Owner::Runtime(layout);
        let block = Arc::new(HostBlock { start, bytes, owner, mapped_on: None, by, site });
        self.live.write().insert(start, block);
        Ok(start)
    }

    /// Takes a block out without remembering it as freed; whoever holds it keeps it alive.
    pub fn forget(&self, addr: u64) {
        self.live.write().remove(&addr);
    }

    /// Grows whenever a block is freed.
    pub fn frees(&self) -> u64 {
        self.frees.load(Ordering::Acquire)
    }

    /// Frees the block that starts at `addr`.
    ///
    /// # Errors
    /// 207002 with what the address is.
    pub fn free(&self, addr: u64, freed_by: &'static str, freed_at: CallSite) -> Answer {
        if let Some(block) = self.live.write().remove(&addr) {
            self.frees.fetch_add(1, Ordering::Release);
            let mut freed = self.freed.write();
            if freed.len() == HISTORY {
                freed.pop_front();
            }
            let (start, bytes, by, site) = (addr, block.bytes, block.by, block.site);
            freed.push_back(HostStamp { start, bytes, by, site, freed_by, freed_at });
            return Ok(());
        }
        let stamp = self.freed.read().iter().rev().find(|stamp| stamp.start == addr).copied();
        let what = match (self.find(addr), stamp) {
            (Some(block), _) if block.is_registered() => {
                "registered memory of the program itself; end that with aclrtHostUnregister".into()
            }
            (Some(block), _) => {
                format!("{} bytes into a block of {} bytes", addr - block.start, block.bytes())
            }
            (None, Some(stamp)) => {
                mem_findings::host_double_free(freed_by, &stamp, freed_at);
                "the start of a block that was freed before".into()
            }
            (None, None) => "no memory of aclrtMallocHost".into(),
        };
        refuse(AclError::RT_MEMORY_FREE, format!("{addr:#x} is {what}"))
    }

    /// The live block or registered range that holds `addr`.
    pub fn find(&self, addr: u64) -> Option<Arc<HostBlock>> {
        let live = within(&self.live.read(), addr);
        live.or_else(|| within(&self.registered.read(), addr))
    }

    /// The registered range that holds `addr`.
    pub fn registration(&self, addr: u64) -> Option<Arc<HostBlock>> {
        within(&self.registered.read(), addr)
    }

    /// Makes memory of the program known.
    ///
    /// # Errors
    /// 107000 not at a page, or to be pinned and pinned already; 507910 registered already.
    pub fn register(&self, asked: Registering) -> Answer {
        let Registering { start, bytes, mapped_on, by, site, .. } = asked;
        if !start.is_multiple_of(PAGE_BYTES as u64) {
            let text = format!("`ptr` is {start:#x}, which is not a multiple of {PAGE_BYTES}");
            return Err(Failure::new(AclError::RT_PARAM_INVALID, text)
                .help("register memory that starts at a page: aclrtMallocHost, or aligned_alloc(4096, …)"));
        }
        let Some(end) = start.checked_add(bytes) else {
            return refuse(
                AclError::RT_PARAM_INVALID,
                format!("`size` is {bytes}, which is beyond all memory"),
            );
        };
        let block = self.find(start).filter(|block| !block.is_registered());
        if asked.pins && block.is_some() {
            let text = "ACL_HOST_REG_PINNED is for pageable memory, but this is memory of aclrtMallocHost";
            return Err(Failure::new(AclError::RT_PARAM_INVALID, text).help("leave the flag out"));
        }
        if let Some(block) = block.filter(|block| end > block.start + block.bytes) {
            let text = format!(
                "{bytes} bytes from {start:#x} on run over the end of the block ({} bytes)",
                block.bytes
            );
            return refuse(AclError::RT_PARAM_INVALID, text);
        }
        let mut registered = self.registered.write();
        if let Some((_, known)) =
            registered.range(..end).next_back().filter(|(_, b)| b.start + b.bytes > start)
        {
            let text = format!(
                "{start:#x} ({bytes} bytes) overlaps {:#x} ({} bytes), which is registered already{}",
                known.start,
                known.bytes,
                known.site.say("")
            );
            return Err(Failure::new(AclError::HOST_MEMORY_ALREADY_REGISTERED, text)
                .help("register memory once; aclrtHostUnregister ends it"));
        }
        let block = HostBlock { start, bytes, owner: Owner::Program, mapped_on, by, site };
        registered.insert(start, Arc::new(block));
        Ok(())
    }

    /// Ends a registration.
    ///
    /// # Errors
    /// 507911 if there is none that starts at `start`.
    pub fn unregister(&self, start: u64) -> Answer<Arc<HostBlock>> {
        let removed = self.registered.write().remove(&start);
        removed.ok_or_else(|| {
            let what = match self.registration(start) {
                Some(block) => format!("inside the registered range that starts at {:#x}", block.start),
                None => "not registered".into(),
            };
            Failure::new(AclError::HOST_MEMORY_NOT_REGISTERED, format!("{start:#x} is {what}"))
                .help("pass the address that aclrtHostRegister or aclrtHostRegisterV2 was given, once")
        })
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

    const NOWHERE: CallSite = CallSite(0);

    fn free(memory: &HostMemory, addr: u64) -> Answer {
        memory.free(addr, "aclrtFreeHost", NOWHERE)
    }

    #[test]
    fn blocks_are_aligned_known_and_freed_once() {
        let memory = HostMemory::default();
        for bytes in [1, 63, 4096, 1 << 20] {
            let addr = memory.alloc(bytes, "aclrtMallocHost", NOWHERE).unwrap();
            assert_eq!(addr % 64, 0);
            assert!(memory.find(addr + bytes - 1).is_some());
            assert!(memory.find(addr + bytes).is_none());
            if bytes > 1 {
                assert!(free(&memory, addr + 1).unwrap_err().text.contains("1 bytes into a block"));
            }
            free(&memory, addr).unwrap();
            assert!(free(&memory, addr).unwrap_err().text.contains("freed before"));
        }
        assert_eq!(memory.alloc(u64::MAX, "t", NOWHERE).unwrap_err().code, AclError::RT_MEMORY_ALLOCATION);
        assert_eq!(free(&memory, 0x1234).unwrap_err().code, AclError::RT_MEMORY_FREE);
    }

    #[test]
    fn a_block_in_use_outlives_its_free() {
        let memory = HostMemory::default();
        let addr = memory.alloc(100, "t", NOWHERE).unwrap();
        let user = memory.find(addr).unwrap();
        free(&memory, addr).unwrap();
        assert!(memory.find(addr).is_none());
        assert_eq!(user.bytes(), 100);
    }
}
