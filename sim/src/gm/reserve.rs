//! A reserved range of virtual addresses that becomes usable memory step by step.
//!
//! Reserving costs nothing: pages are inaccessible until [`Reserve::commit`] and take no RAM until they are
//! written. The range never moves, so device addresses are ordinary host addresses.
#![allow(unsafe_code)] // mmap, mprotect and madvise have no safe face in std.

use super::freeze;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::FileExt;

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
    /// sanitizers), but at least `least`; at address `at` if that is free.
    ///
    /// # Errors
    /// What `mmap` says when not even `least` bytes are granted.
    pub(super) fn new(bytes: u64, least: u64, at: Option<u64>) -> io::Result<Reserve> {
        let mut wanted = bytes.max(least).next_multiple_of(COMMIT_STEP_BYTES);
        loop {
            // One huge page more, so that the base can be aligned.
            let length = wanted + HUGE_PAGE_BYTES;
            // SAFETY: an anonymous mapping replaces nothing: without MAP_FIXED the address is only a wish.
            let address = unsafe {
                libc::mmap(
                    at.unwrap_or(0) as *mut _,
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

    /// Moves the pages of `start..start + bytes` (whole pages, committed) into a new file that other processes can
    /// map. Whoever writes there meanwhile waits ([`freeze`]); contents and addresses stay. The file cannot be resized.
    ///
    /// # Errors
    /// What the system says; the pages are as before then.
    pub(super) fn make_shared(&mut self, start: u64, bytes: u64) -> io::Result<OwnedFd> {
        let inside = start >= self.base && start + bytes <= self.committed;
        assert!(
            inside && start.is_multiple_of(PAGE_BYTES) && bytes.is_multiple_of(PAGE_BYTES),
            "whole committed pages"
        );
        let flags = rustix::fs::MemfdFlags::CLOEXEC | rustix::fs::MemfdFlags::ALLOW_SEALING;
        let file = std::fs::File::from(rustix::fs::memfd_create("toprope-device-memory", flags)?);
        file.set_len(bytes)?;
        let sizes = rustix::fs::SealFlags::SHRINK | rustix::fs::SealFlags::GROW | rustix::fs::SealFlags::SEAL;
        rustix::fs::fcntl_add_seals(&file, sizes)?;
        let frozen = freeze::Frozen::new(start, bytes)?;
        for (first, length) in present_runs(start, bytes) {
            // SAFETY: inside the committed part (asserted); nobody writes there while it is frozen, and the borrow
            // ends before that does.
            let run = unsafe { std::slice::from_raw_parts(first as *const u8, length as usize) };
            file.write_all_at(run, first - start)?;
        }
        let file = OwnedFd::from(file);
        self.map_shared(start, bytes, &file, 0)?;
        drop(frozen);
        Ok(file)
    }

    /// Maps `bytes` of a file from `offset` on at `start` (all whole pages, committed).
    ///
    /// # Errors
    /// What `mmap` says; the pages are as before then.
    pub(super) fn map_shared(
        &mut self,
        start: u64,
        bytes: u64,
        file: &OwnedFd,
        offset: u64,
    ) -> io::Result<()> {
        let inside = start >= self.base && start + bytes <= self.committed;
        assert!(
            inside && start.is_multiple_of(PAGE_BYTES) && bytes.is_multiple_of(PAGE_BYTES),
            "whole committed pages"
        );
        // SAFETY: replaces pages inside the committed part of our own mapping (asserted), which hold device memory
        // only; the file cannot shrink below the range (sealed by its maker, checked by the caller).
        let at = unsafe {
            libc::mmap(
                start as *mut _,
                bytes as usize,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED | libc::MAP_FIXED | libc::MAP_NORESERVE,
                file.as_raw_fd(),
                offset as libc::off_t,
            )
        };
        if at == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the range was mapped just now. A forked child must not write to memory of its parent.
        unsafe { libc::madvise(at, bytes as usize, libc::MADV_DONTFORK) };
        // SAFETY: as above; keeps device memory out of core dumps.
        unsafe { libc::madvise(at, bytes as usize, libc::MADV_DONTDUMP) };
        Ok(())
    }

    /// Makes the whole pages of `start..start + bytes` private and zero again.
    pub(super) fn make_private(&mut self, start: u64, bytes: u64) {
        let first = start.next_multiple_of(PAGE_BYTES);
        let end = (start + bytes) / PAGE_BYTES * PAGE_BYTES;
        if first >= end || first < self.base || end > self.committed {
            return;
        }
        // SAFETY: replaces pages inside the committed part of our own mapping (tested above), which hold device
        // memory only, so no Rust object is changed. On failure the old pages stay.
        unsafe {
            libc::mmap(
                first as *mut _,
                (end - first) as usize,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED | libc::MAP_NORESERVE,
                -1,
                0,
            );
        }
        // SAFETY: as above; the call only changes what a core dump holds.
        unsafe { libc::madvise(first as *mut _, (end - first) as usize, libc::MADV_DONTDUMP) };
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

/// Runs of pages (address, length) of `start..start + bytes` that hold something; the others were never written.
/// The whole range if the system does not tell.
fn present_runs(start: u64, bytes: u64) -> Vec<(u64, u64)> {
    const IN_RAM_OR_SWAP: u64 = 3 << 62;
    let pages = bytes / PAGE_BYTES;
    let mut words = vec![0u8; pages as usize * 8];
    let told = std::fs::File::open("/proc/self/pagemap")
        .and_then(|map| map.read_exact_at(&mut words, start / PAGE_BYTES * 8));
    if told.is_err() {
        return vec![(start, bytes)];
    }
    let mut runs: Vec<(u64, u64)> = Vec::new();
    for (page, word) in words.chunks_exact(8).enumerate() {
        let word = u64::from_ne_bytes(word.try_into().expect("8 bytes"));
        if word & IN_RAM_OR_SWAP == 0 {
            continue;
        }
        let at = start + page as u64 * PAGE_BYTES;
        match runs.last_mut() {
            Some((first, length)) if *first + *length == at => *length += PAGE_BYTES,
            _ => runs.push((at, PAGE_BYTES)),
        }
    }
    runs
}

impl Drop for Reserve {
    fn drop(&mut self) {
        // SAFETY: the mapping was made by `new` and is not used after this.
        unsafe { libc::munmap(self.mapping.0 as *mut _, self.mapping.1 as usize) };
    }
}
