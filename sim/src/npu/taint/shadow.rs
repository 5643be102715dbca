//! What is known of each byte of a core's local memories: written, or not, or made of bytes nobody wrote.
//!
//! ```text
//! page of 256 bytes: CLEAN (all written) | FRESH (none written since the block began) | MIXED: look at the bytes
//! byte:  0 written, else a bit for each bit that is made of nothing (results of comparisons are bits)
//! 32 bytes: number of the place that first read what its dirty bytes are made of; 0: nobody wrote them
//! ```
//! The bytes of a page that is not MIXED are stale, so a new block costs one byte per page, and code that writes before it reads touches pages only.
//! Memory: the bytes are a second [`Region`], mapped and used only where pages are MIXED.
//!
//! Unsafe room: turns addresses of the shadow region, and of the core's, into slices.
#![allow(unsafe_code)]

use crate::npu::chip::Chip;
use crate::npu::region::Region;
use std::io;
use std::ops::Range;
use toprope_abi::core_face::REGION_BYTES;
use toprope_abi::isa::{CoreKind, SPACES, Space};

/// Bytes of a page.
const PAGE: u64 = 256;
/// Bytes that share the number of an origin.
const BLOCK: u64 = 32;

const CLEAN: u8 = 0;
const FRESH: u8 = 1;
const MIXED: u8 = 2;

/// A byte of which nothing is known.
pub const DIRTY: u8 = 0xff;

/// The shadow of one core's memories.
#[derive(Debug)]
pub struct Shadow {
    bytes: Region,
    /// Start of the core's region.
    base: u64,
    pages: Box<[u8]>,
    origins: Box<[u32]>,
}

/// Dirty bytes and what they are made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dirty {
    /// Addresses; neighbours from the first dirty byte on.
    pub range: Range<u64>,
    /// Number of the origin; 0: nobody wrote them.
    pub origin: u32,
}

impl Shadow {
    /// The shadow of a region that starts at `base`.
    ///
    /// # Errors
    /// What the system says when it has no address space left.
    pub fn new(chip: &Chip, kind: CoreKind, base: u64) -> io::Result<Shadow> {
        Ok(Shadow {
            bytes: Region::new(chip, kind)?,
            base,
            pages: vec![FRESH; (REGION_BYTES / PAGE) as usize].into(),
            origins: vec![0; (REGION_BYTES / BLOCK) as usize].into(),
        })
    }

    /// Forgets everything: a new block begins.
    pub fn clear(&mut self) {
        for (space, _) in SPACES {
            let start = (self.bytes.start(space) - self.bytes.base()) / PAGE;
            let pages = u64::from(self.bytes.bytes(space)).div_ceil(PAGE);
            self.pages[start as usize..(start + pages) as usize].fill(FRESH);
        }
    }

    /// From an address of the core to that of its shadow byte.
    pub fn delta(&self) -> u64 {
        self.bytes.base().wrapping_sub(self.base)
    }

    /// Pages of a range of addresses; empty outside of the region.
    #[inline]
    fn pages_of(&self, range: &Range<u64>) -> Range<usize> {
        let (start, end) = (range.start.wrapping_sub(self.base), range.end.wrapping_sub(self.base));
        if start >= end || end > REGION_BYTES {
            return 0..0;
        }
        (start / PAGE) as usize..end.div_ceil(PAGE) as usize
    }

    /// Whether every page of the range is clean. A cheap no may be a yes byte by byte: [`Shadow::first_dirty`].
    #[inline]
    pub fn is_clean(&self, range: &Range<u64>) -> bool {
        let pages = &self.pages[self.pages_of(range)];
        pages.iter().fold(0, |all, p| all | p) == CLEAN
    }

    /// The range was written with bytes that are known.
    #[inline]
    pub fn clean(&mut self, range: &Range<u64>) {
        if !self.is_clean(range) {
            self.clean_pages(range);
        }
    }

    fn clean_pages(&mut self, range: &Range<u64>) {
        for page in self.pages_of(range) {
            let whole = self.page_range(page);
            if range.start <= whole.start && range.end >= whole.end {
                self.pages[page] = CLEAN;
            } else if self.pages[page] != CLEAN {
                self.open(page);
                self.slice(&(range.start.max(whole.start)..range.end.min(whole.end))).fill(0);
                if self.slice(&whole).iter().fold(0, |all, b| all | b) == 0 {
                    self.pages[page] = CLEAN;
                }
            }
        }
    }

    fn page_range(&self, page: usize) -> Range<u64> {
        let start = self.base + page as u64 * PAGE;
        start..start + PAGE
    }

    /// Makes the bytes of a page valid.
    fn open(&mut self, page: usize) {
        let fill = match self.pages[page] {
            MIXED => return,
            FRESH => DIRTY,
            _ => 0,
        };
        let range = self.page_range(page);
        self.slice(&range).fill(fill);
        let first = page * (PAGE / BLOCK) as usize;
        self.origins[first..first + (PAGE / BLOCK) as usize].fill(0);
        self.pages[page] = MIXED;
    }

    /// Shadow bytes of a range inside one memory; valid where the pages are MIXED.
    fn slice(&mut self, range: &Range<u64>) -> &mut [u8] {
        let at = range.start.wrapping_add(self.delta());
        debug_assert!(self.bytes.locate(at).is_some());
        let len = (range.end - range.start) as usize;
        // SAFETY: callers pass pages of `pages_of` or parts of them, which lie in the region of the same layout; the engine has checked the
        // range against the size of its memory, sizes are multiples of a page, and the region is this shadow's own.
        unsafe {
            std::slice::from_raw_parts_mut(std::ptr::with_exposed_provenance_mut::<u8>(at as usize), len)
        }
    }

    /// Copies the state of a range to `into`.
    pub fn read(&mut self, start: u64, into: &mut [u8]) {
        let range = start..start + into.len() as u64;
        for page in self.pages_of(&range) {
            let whole = self.page_range(page);
            let part = range.start.max(whole.start)..range.end.min(whole.end);
            let to = (part.start - start) as usize..(part.end - start) as usize;
            match self.pages[page] {
                CLEAN => into[to].fill(0),
                FRESH => into[to].fill(DIRTY),
                _ => into[to].copy_from_slice(self.slice(&part)),
            }
        }
    }

    /// Sets the state of a range; its dirty bytes are made of origin `origin`.
    pub fn write(&mut self, start: u64, from: &[u8], origin: u32) {
        let range = start..start + from.len() as u64;
        for page in self.pages_of(&range) {
            let whole = self.page_range(page);
            let part = range.start.max(whole.start)..range.end.min(whole.end);
            let bytes = &from[(part.start - start) as usize..(part.end - start) as usize];
            if bytes.iter().fold(0, |all, b| all | b) == 0 {
                self.clean(&part);
                continue;
            }
            self.open(page);
            self.slice(&part).copy_from_slice(bytes);
            self.name_origin(&part, origin);
        }
    }

    /// The dirty bytes of a range of a MIXED page are made of origin `origin`.
    fn name_origin(&mut self, part: &Range<u64>, origin: u32) {
        let mut at = part.start;
        while at < part.end {
            let end = (at / BLOCK * BLOCK + BLOCK).min(part.end);
            if self.slice(&(at..end)).iter().any(|b| *b != 0) {
                self.origins[((at - self.base) / BLOCK) as usize] = origin;
            }
            at = end;
        }
    }

    /// Makes the bytes of a range valid, for a move that works on them.
    pub fn prepare(&mut self, range: &Range<u64>) {
        for page in self.pages_of(range) {
            self.open(page);
        }
    }

    /// After such a move: pages without a dirty byte are clean again.
    pub fn settle(&mut self, range: &Range<u64>) {
        for page in self.pages_of(range) {
            let whole = self.page_range(page);
            if self.pages[page] == MIXED && self.slice(&whole).iter().fold(0, |all, b| all | b) == 0 {
                self.pages[page] = CLEAN;
            }
        }
    }

    /// After such a move: the dirty bytes of the range are made of origin `origin`, and elements of `width` bytes are dirty as a whole.
    pub fn name(&mut self, range: &Range<u64>, width: usize, origin: u32) {
        if width > 1 {
            for element in self.slice(range).chunks_exact_mut(width) {
                if element.iter().any(|b| *b != 0) {
                    element.fill(DIRTY);
                }
            }
        }
        self.name_origin(range, origin);
    }

    /// The first dirty bytes of a range.
    pub fn first_dirty(&mut self, range: &Range<u64>) -> Option<Dirty> {
        let mut found: Option<Dirty> = None;
        for page in self.pages_of(range) {
            let whole = self.page_range(page);
            let part = range.start.max(whole.start)..range.end.min(whole.end);
            let (first, end) = match self.pages[page] {
                CLEAN => (None, part.end),
                FRESH => (Some(part.start), part.end),
                _ => {
                    let bytes = self.slice(&part);
                    match bytes.iter().position(|b| *b != 0) {
                        None => (None, part.end),
                        Some(i) => {
                            let n = bytes[i..].iter().position(|b| *b == 0).unwrap_or(bytes.len() - i);
                            (Some(part.start + i as u64), part.start + (i + n) as u64)
                        }
                    }
                }
            };
            match (&mut found, first) {
                (None, None) => {}
                (None, Some(first)) => {
                    found = Some(Dirty { range: first..end, origin: self.origin_of(page, first) });
                    if end < part.end {
                        return found;
                    }
                }
                (Some(dirty), Some(first)) if dirty.range.end == first => {
                    dirty.range.end = end;
                    if end < part.end {
                        return found;
                    }
                }
                (Some(_), _) => return found,
            }
        }
        found
    }

    fn origin_of(&self, page: usize, at: u64) -> u32 {
        match self.pages[page] {
            MIXED => self.origins[((at - self.base) / BLOCK) as usize],
            _ => 0,
        }
    }

    /// Whether a byte of the range was never written by anything.
    pub fn never_written(&mut self, range: &Range<u64>) -> Option<Dirty> {
        self.first_dirty(range).filter(|d| d.origin == 0)
    }

    /// Memory and offset of an address.
    pub fn locate(&self, addr: u64) -> Option<(Space, u64)> {
        self.bytes.locate(addr.wrapping_add(self.delta()))
    }
}

/// Copies bytes of the core's own memory.
///
/// # Safety
/// The bytes must be inside a checked footprint of local memory.
pub unsafe fn data(addr: u64, into: &mut [u8]) {
    let from = std::ptr::with_exposed_provenance::<u8>(addr as usize);
    // SAFETY: by contract.
    unsafe { std::ptr::copy_nonoverlapping(from, into.as_mut_ptr(), into.len()) };
}
