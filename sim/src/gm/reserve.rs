//! A reserved range of virtual addresses that becomes usable memory step by step.
//!
//! Reserving costs nothing: pages are inaccessible until [`Reserve::commit`] and take no RAM until they are
//! written. The range never moves, so device addresses are ordinary host addresses.
#![allow(unsafe_code)] // mmap, mprotect and madvise have no safe face in std.

use std::io;

/// Granularity of [`Reserve::commit`]; few large steps keep the number of kernel mappings at two.
const COMMIT_STEP_BYTES: u64 = 64 << 20;
/// Size of a huge page.
pub(super) const HUGE_PAGE_BYTES: u64 = 2 << 20;
/// Size of a page.
pub(super) const PAGE_BYTES: u64 = 4096;

/// One anonymous mapping, `base..base + bytes`, accessible up to `committed`.
#[derive(Debug)]
pub(super) struct Reserve {
    base: u64,
    bytes: u64,
    mapping: (u64, u64),
    committed: u64,
}

impl Reserve {
    /// Reserves `bytes`, or the largest half, quarter… of it that the system grants (address-space limits,
    /// sanitizers), but at least `least`.
    ///
    /// # Errors
    /// What `mmap` says when not even `least` bytes are granted.
    pub(super) fn new(bytes: u64, least: u64) -> io::Result<Reserve> {
        let mut wanted = bytes.max(least).next_multiple_of(COMMIT_STEP_BYTES);
        loop {
            // One huge page more, so that the base can be aligned.
            let length = wanted + HUGE_PAGE_BYTES;
            // SAFETY: an anonymous mapping at an address the kernel chooses replaces nothing.
            let address = unsafe {
                libc::mmap(
                    std::ptr::null_mut(),
                    length as usize,
                    libc::PROT_NONE,
                    libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                    -1,
                    0,
                )
            };
            if address != libc::MAP_FAILED {
                let start = address as u64;
                let base = start.next_multiple_of(HUGE_PAGE_BYTES);
                // SAFETY: the range is the mapping made above; the call only changes what a core dump holds.
                unsafe { libc::madvise(address, length as usize, libc::MADV_DONTDUMP) };
                return Ok(Reserve { base, bytes: wanted, mapping: (start, length), committed: base });
            }
            if wanted / 2 < least {
                return Err(io::Error::last_os_error());
            }
            wanted = (wanted / 2).next_multiple_of(COMMIT_STEP_BYTES);
        }
    }

    /// First address.
    pub(super) fn base(&self) -> u64 {
        self.base
    }

    /// Size in bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Makes everything below `end` readable and writable.
    ///
    /// # Errors
    /// What `mprotect` says (out of memory under strict overcommit).
    pub(super) fn commit(&mut self, end: u64) -> io::Result<()> {
        if end <= self.committed {
            return Ok(());
        }
        let limit = self.base + self.bytes;
        let until = (end - self.base).next_multiple_of(COMMIT_STEP_BYTES) + self.base;
        let until = until.min(limit);
        let length = (until - self.committed) as usize;
        // SAFETY: committed..until lies inside our own mapping (`until` is capped at its end).
        let failed =
            unsafe { libc::mprotect(self.committed as *mut _, length, libc::PROT_READ | libc::PROT_WRITE) };
        if failed != 0 {
            return Err(io::Error::last_os_error());
        }
        self.committed = until;
        Ok(())
    }

    /// Asks for huge pages in the whole pages of `start..start + bytes`; a hint, failure is harmless.
    pub(super) fn prefer_huge_pages(&self, start: u64, bytes: u64) {
        self.advise(start, bytes, libc::MADV_HUGEPAGE);
    }

    /// Gives the RAM of the whole pages of `start..start + bytes` back; their contents become zero.
    pub(super) fn release(&self, start: u64, bytes: u64) {
        self.advise(start, bytes, libc::MADV_DONTNEED);
    }

    fn advise(&self, start: u64, bytes: u64, advice: libc::c_int) {
        let first = start.next_multiple_of(PAGE_BYTES);
        let end = (start + bytes) / PAGE_BYTES * PAGE_BYTES;
        if first < end && first >= self.base && end <= self.committed {
            // SAFETY: first..end lies inside the committed part of our own mapping (tested above), which holds
            // device memory only, so no Rust object is changed.
            unsafe { libc::madvise(first as *mut _, (end - first) as usize, advice) };
        }
    }
}

impl Drop for Reserve {
    fn drop(&mut self) {
        // SAFETY: the mapping was made by `new` and is not used after this.
        unsafe { libc::munmap(self.mapping.0 as *mut _, self.mapping.1 as usize) };
    }
}
