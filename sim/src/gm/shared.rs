//! Blocks whose pages several processes use.
//!
//! ```text
//!  exporter: block ──share──▶ PageFile (memfd, sealed against resizing) ──fd──▶ importer: adopt ──▶ block
//! ```
//! The importer's block has addresses of its own, counts nothing against the capacity (the exporter's does) and keeps
//! its pages when the exporter frees or dies. As the public documentation of inter-process communication says, only
//! memory at the start of a page is shared, so that no neighbour's bytes leak.

use super::reserve::{HUGE_PAGE_BYTES, PAGE_BYTES};
use super::{
    AddressKind, Allocation, Block, DeviceMemory, GM_UNIT_BYTES, GmError, HUGE_BLOCK_BYTES, REDZONE_BYTES,
    touch_generation,
};
use std::os::fd::OwnedFd;
use std::sync::Arc;

/// Why memory could not be shared or taken over.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShareError {
    /// Not possible as asked.
    #[error("{0}")]
    NotShareable(String),
    /// Not possible now.
    #[error(transparent)]
    Memory(#[from] GmError),
}

/// Shared pages: a file that cannot be resized.
#[derive(Debug)]
pub struct PageFile {
    file: OwnedFd,
    bytes: u64,
}

impl PageFile {
    /// New pages, all zero, for addresses that the caller maps.
    ///
    /// # Errors
    /// What the system says.
    pub fn new(bytes: u64) -> std::io::Result<Arc<PageFile>> {
        let flags = rustix::fs::MemfdFlags::CLOEXEC | rustix::fs::MemfdFlags::ALLOW_SEALING;
        let file = rustix::fs::memfd_create("toprope-physical-memory", flags)?;
        rustix::fs::ftruncate(&file, bytes)?;
        let sizes = rustix::fs::SealFlags::SHRINK | rustix::fs::SealFlags::GROW | rustix::fs::SealFlags::SEAL;
        rustix::fs::fcntl_add_seals(&file, sizes)?;
        Ok(Arc::new(PageFile { file, bytes }))
    }

    /// Takes over a file that another process sent.
    ///
    /// # Errors
    /// [`ShareError::NotShareable`] if the file can shrink (accesses would fault) or is shorter than it should be.
    pub fn received(file: OwnedFd, bytes: u64) -> Result<Arc<PageFile>, ShareError> {
        let refuse =
            |why: String| Err(ShareError::NotShareable(format!("the pages that were received: {why}")));
        let seals = rustix::fs::fcntl_get_seals(&file);
        if !seals.is_ok_and(|seals| seals.contains(rustix::fs::SealFlags::SHRINK)) {
            return refuse("not a file of a fixed size".into());
        }
        match rustix::fs::fstat(&file) {
            Ok(stat) if stat.st_size as u64 >= bytes && bytes > 0 => Ok(Arc::new(PageFile { file, bytes })),
            Ok(stat) => refuse(format!("{} bytes where {bytes} are needed", stat.st_size)),
            Err(e) => refuse(e.to_string()),
        }
    }

    /// The file, to be sent.
    pub fn file(&self) -> &OwnedFd {
        &self.file
    }

    /// Its size.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// A piece of a block that is ready to be mapped by others.
#[derive(Clone, Debug)]
pub struct SharedBlock {
    /// The block.
    pub allocation: Allocation,
    /// Its pages.
    pub pages: Arc<PageFile>,
    /// Where the piece begins in the file.
    pub offset: u64,
}

impl DeviceMemory {
    /// Gets `bytes` from `addr` on ready to be mapped by other processes. The block's pages move into a file at the
    /// first call, without any pause that writers would notice as more than a slow write.
    ///
    /// # Errors
    /// [`ShareError::NotShareable`] if the range is not inside one block or does not begin at a page;
    /// [`GmError::Host`] if the system has no more memory or files.
    pub fn share(&self, addr: u64, bytes: u64) -> Result<SharedBlock, ShareError> {
        let mut state = self.state.write();
        let state = &mut *state;
        let found = state.live.range_mut(..=addr).next_back().map(|(_, block)| block);
        let Some(block) = found.filter(|block| block.allocation.contains(addr)) else {
            return Err(ShareError::NotShareable(format!("{addr:#x} is inside no live block of the device")));
        };
        let allocation = block.allocation;
        let room = allocation.end() - addr;
        if bytes == 0 || bytes > room {
            let text = format!(
                "{bytes} bytes from {addr:#x} on, but block {} has {room} bytes from there on",
                allocation.id
            );
            return Err(ShareError::NotShareable(text));
        }
        // Smaller blocks share their page with others, even where they begin one.
        if !addr.is_multiple_of(PAGE_BYTES)
            || !allocation.start.is_multiple_of(PAGE_BYTES)
            || allocation.bytes < PAGE_BYTES
        {
            let text = format!(
                "{addr:#x} does not begin at a page of its own, so its neighbours would be shared too: block {} has {} bytes, and only blocks of {PAGE_BYTES} bytes or more have pages of their own",
                allocation.id, allocation.requested_bytes
            );
            return Err(ShareError::NotShareable(text));
        }
        let pages = match &block.pages {
            Some(pages) => pages.clone(),
            None => {
                let pages_bytes = allocation.bytes.next_multiple_of(PAGE_BYTES);
                let file = state.reserve.make_shared(allocation.start, pages_bytes);
                let file = file.map_err(|e| GmError::Host(format!("memory to share: {e}")))?;
                let pages = Arc::new(PageFile { file, bytes: pages_bytes });
                block.pages = Some(pages.clone());
                pages
            }
        };
        Ok(SharedBlock { allocation, pages, offset: addr - allocation.start })
    }

    /// Makes a block of pages that somebody else shares: `bytes` from `offset` of the file on.
    ///
    /// # Errors
    /// [`ShareError::NotShareable`] if the file has no such range; [`GmError::Exhausted`] if there is no room in the
    /// address range; [`GmError::Host`] if the system refuses.
    pub fn adopt(
        &self,
        pages: &Arc<PageFile>,
        offset: u64,
        bytes: u64,
        by: &'static str,
    ) -> Result<Allocation, ShareError> {
        let usable = bytes.next_multiple_of(GM_UNIT_BYTES);
        let length = usable.next_multiple_of(PAGE_BYTES);
        if bytes == 0
            || !offset.is_multiple_of(PAGE_BYTES)
            || offset.checked_add(length).is_none_or(|end| end > pages.bytes)
        {
            let text =
                format!("{bytes} bytes from {offset} on are no range of the {} shared bytes", pages.bytes);
            return Err(ShareError::NotShareable(text));
        }
        let mut state = self.state.write();
        let align = if usable > HUGE_BLOCK_BYTES { HUGE_PAGE_BYTES } else { PAGE_BYTES };
        let extent_bytes = (length + REDZONE_BYTES).next_multiple_of(PAGE_BYTES);
        let exhausted = || GmError::Exhausted {
            asked_bytes: length,
            free_bytes: 0,
            capacity_bytes: self.options.capacity_bytes,
        };
        let at = state.take(extent_bytes, align).ok_or_else(exhausted)?;
        let mapped = state.reserve.commit(at + extent_bytes);
        let mapped = mapped.and_then(|()| state.reserve.map_shared(at, length, &pages.file, offset));
        if let Err(e) = mapped {
            state.free.give(at, extent_bytes);
            return Err(GmError::Host(e.to_string()).into());
        }
        let id = state.next_id;
        state.next_id += 1;
        let view = Allocation::view(at, usable, by, 0);
        let allocation = Allocation { id, requested_bytes: bytes, padded_bytes: 0, ..view };
        let (extent, pages) = ((at, extent_bytes), Some(pages.clone()));
        state.live.insert(at, Block { allocation, extent, pages, is_adopted: true, suspended: None });
        touch_generation();
        Ok(allocation)
    }

    /// Gives a block of [`adopt`](Self::adopt) back; its owner keeps the pages.
    ///
    /// # Errors
    /// [`GmError::NotABlock`] or [`GmError::DoubleFree`] with what the address is.
    pub fn give_back(&self, addr: u64, by: &'static str) -> Result<Allocation, GmError> {
        let mut state = self.state.write();
        if state.live.get(&addr).is_some_and(|block| block.is_adopted)
            && let Some(block) = state.live.remove(&addr)
        {
            state.retire(&block, by, 0);
            touch_generation();
            return Ok(block.allocation);
        }
        drop(state);
        Err(match self.classify(addr) {
            AddressKind::Freed(s) if s.allocation.start == addr => GmError::DoubleFree { stamp: Box::new(s) },
            _ => GmError::NotABlock { address: addr, what: self.describe(addr) },
        })
    }
}

#[cfg(test)]
#[allow(unsafe_code)] // writes through device addresses, as kernels do.
mod tests {
    use super::super::{MemoryOptions, freeze};
    use super::*;
    use std::sync::atomic::Ordering;

    fn memory() -> Arc<DeviceMemory> {
        DeviceMemory::new(MemoryOptions { capacity_bytes: 1 << 28, ..MemoryOptions::default() }).unwrap()
    }

    fn poke(at: u64, value: u64) {
        // SAFETY: the tests pass addresses inside live blocks.
        unsafe { (at as *mut u64).write_volatile(value) };
    }

    fn peek(at: u64) -> u64 {
        // SAFETY: as above.
        unsafe { (at as *const u64).read_volatile() }
    }

    #[test]
    fn both_sides_see_the_same_bytes_until_one_lets_go() {
        let gm = memory();
        let block = gm.alloc(3 << 20, true, "t").unwrap();
        poke(block.start + 8192, 7);
        let shared = gm.share(block.start, 3 << 20).unwrap();
        assert_eq!(peek(block.start + 8192), 7);
        let used = gm.free_and_total_bytes();
        let other = gm.adopt(&shared.pages, 0, 3 << 20, "import").unwrap();
        assert_eq!(gm.free_and_total_bytes(), used);
        assert_ne!(other.start, block.start);
        poke(other.start, 9);
        assert_eq!((peek(block.start), peek(other.start + 8192)), (9, 7));
        assert!(
            gm.free(other.start, "aclrtFree")
                .unwrap_err()
                .to_string()
                .contains("given back by its counterpart")
        );
        gm.free(block.start, "aclrtFree").unwrap();
        assert_eq!(peek(other.start), 9, "the importer keeps the pages");
        assert_eq!(peek(block.start), 0, "the exporter's addresses do not show them any more");
        gm.give_back(other.start, "close").unwrap();
        assert!(
            matches!(gm.give_back(other.start, "close"), Err(GmError::DoubleFree { stamp }) if stamp.by == "close")
        );
        assert!(matches!(gm.give_back(block.start + 5, "close"), Err(GmError::NotABlock { .. })));
    }

    #[test]
    fn a_piece_of_a_block_begins_at_a_page_and_ends_inside() {
        let gm = memory();
        let block = gm.alloc(5 * PAGE_BYTES + 100, true, "t").unwrap();
        poke(block.start + 2 * PAGE_BYTES, 5);
        let piece = gm.share(block.start + 2 * PAGE_BYTES, 100).unwrap();
        let other = gm.adopt(&piece.pages, piece.offset, 100, "import").unwrap();
        assert_eq!((peek(other.start), other.bytes), (5, 128));
        for (at, bytes) in [(block.start + 8, 8), (block.start, 6 * PAGE_BYTES), (block.start, 0), (8, 8)] {
            assert!(matches!(gm.share(at, bytes), Err(ShareError::NotShareable(_))), "{at:#x} {bytes}");
        }
        let small = gm.alloc(100, true, "t").unwrap();
        assert!(
            gm.share(small.start, 100)
                .unwrap_err()
                .to_string()
                .contains("does not begin at a page of its own")
        );
        assert!(gm.adopt(&piece.pages, 64, 100, "import").is_err());
        assert!(gm.adopt(&piece.pages, 0, 1 << 20, "import").is_err());
    }

    #[test]
    fn files_that_can_shrink_are_refused() {
        let file = rustix::fs::memfd_create("t", rustix::fs::MemfdFlags::CLOEXEC).unwrap();
        rustix::fs::ftruncate(&file, 4096).unwrap();
        assert!(PageFile::received(file, 4096).is_err());
        let gm = memory();
        let block = gm.alloc(4096, true, "t").unwrap();
        let shared = gm.share(block.start, 4096).unwrap();
        assert!(rustix::fs::ftruncate(shared.pages.file(), 0).is_err());
        let copy = shared.pages.file().try_clone().unwrap();
        assert!(PageFile::received(copy, 4096).is_ok());
        assert!(PageFile::received(shared.pages.file().try_clone().unwrap(), 8192).is_err());
    }

    #[test]
    fn a_writer_loses_nothing_while_its_pages_move() {
        crate::npu::install_handlers();
        let gm = memory();
        for _ in 0..20 {
            let block = gm.alloc(8 << 20, true, "t").unwrap();
            let (stop, words) = (Arc::new(std::sync::atomic::AtomicBool::new(false)), (8 << 20) / 512);
            let seen = stop.clone();
            let writer = std::thread::spawn(move || {
                let mut round = 0u64;
                while !seen.load(Ordering::Relaxed) {
                    round += 1;
                    for word in 0..words {
                        poke(block.start + word * 512, round);
                    }
                }
                round
            });
            while peek(block.start) == 0 {
                std::hint::spin_loop();
            }
            let shared = gm.share(block.start, 8 << 20).unwrap();
            let other = gm.adopt(&shared.pages, 0, 8 << 20, "import").unwrap();
            stop.store(true, Ordering::Relaxed);
            let round = writer.join().unwrap();
            for word in 0..words {
                assert_eq!(peek(other.start + word * 512), round, "word {word}");
            }
            gm.give_back(other.start, "close").unwrap();
            gm.free(block.start, "t").unwrap();
        }
        assert!(
            freeze::retry(1) && !freeze::retry(1),
            "a fault is tried again once per exchange, not for ever"
        );
    }
}
