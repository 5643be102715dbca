//! Local memories of a core: one aligned address region.
//!
//! A region is [`REGION_BYTES`] long and aligned to that; memory `space` starts at `space << SPACE_SHIFT` inside it
//! (layout: `toprope_abi::core_face`). Only the bytes of a memory are accessible, everything between is a guard: a
//! wild raw pointer of a kernel faults there instead of hitting another memory.
//!
//! Regions are reused from block to block without being cleared, as on the chip. [`Region::poison`] fills them, so
//! that a kernel that reads what it never wrote shows itself.
#![allow(unsafe_code)] // mmap and mprotect have no safe face in std.

use super::chip::Chip;
use std::io;
use toprope_abi::core_face::{REGION_BYTES, SPACE_SHIFT};
use toprope_abi::isa::{CoreKind, SPACES, Space};

/// Byte that [`Region::poison`] writes: a NaN in every floating-point type, a large negative integer.
pub const POISON_BYTE: u8 = 0xff;

/// The memories of one core.
#[derive(Debug)]
pub struct Region {
    mapping: (usize, usize),
    base: u64,
    sizes: [u32; 8],
}

fn reserve(bytes: usize) -> io::Result<usize> {
    // SAFETY: an anonymous mapping at an address the system chooses replaces nothing.
    let at = unsafe {
        libc::mmap(
            std::ptr::null_mut(),
            bytes,
            libc::PROT_NONE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
            -1,
            0,
        )
    };
    if at == libc::MAP_FAILED { Err(io::Error::last_os_error()) } else { Ok(at as usize) }
}

impl Region {
    /// Maps the memories of one core of this kind.
    ///
    /// # Errors
    /// What the system says when it has no address space or memory left.
    pub fn new(chip: &Chip, kind: CoreKind) -> io::Result<Region> {
        let bytes = 2 * REGION_BYTES as usize;
        let start = reserve(bytes)?;
        let base = (start as u64).next_multiple_of(REGION_BYTES);
        let sizes = SPACES.map(|(space, _)| chip.local_bytes(kind, space));
        let region = Region { mapping: (start, bytes), base, sizes };
        for (space, _) in SPACES {
            region.open(space)?;
        }
        Ok(region)
    }

    fn open(&self, space: Space) -> io::Result<()> {
        let bytes = self.bytes(space) as usize;
        if bytes == 0 {
            return Ok(());
        }
        // Behind L0B lies the index buffer of sparse matrices, which no operand can name (`exec::load::index_address`).
        let bytes = if space == Space::L0b { bytes + bytes / 4 } else { bytes };
        let at = self.start(space) as *mut libc::c_void;
        // SAFETY: the range lies in this region's own mapping: space < 8 slots of 1 MiB, sizes below 1 MiB (tested).
        let failed = unsafe { libc::mprotect(at, bytes, libc::PROT_READ | libc::PROT_WRITE) };
        if failed != 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
    }

    /// Start of the region.
    pub fn base(&self) -> u64 {
        self.base
    }

    /// First address of a memory.
    pub fn start(&self, space: Space) -> u64 {
        self.base + ((space as u64) << SPACE_SHIFT)
    }

    /// Size of a memory in bytes, 0 if this core does not have it.
    pub fn bytes(&self, space: Space) -> u32 {
        self.sizes[space as usize]
    }

    /// Memory and offset of an address in the region; the offset may be beyond the memory's size.
    #[inline]
    pub fn locate(&self, addr: u64) -> Option<(Space, u64)> {
        let offset = addr.wrapping_sub(self.base);
        if offset >= REGION_BYTES {
            return None;
        }
        let space = SPACES[(offset >> SPACE_SHIFT) as usize].0;
        (space != Space::Gm).then_some((space, offset & ((1 << SPACE_SHIFT) - 1)))
    }

    /// Fills every memory with [`POISON_BYTE`].
    pub fn poison(&mut self) {
        self.fill(POISON_BYTE);
    }

    /// Fills every memory with a byte.
    pub fn fill(&mut self, byte: u8) {
        for (space, _) in SPACES {
            let bytes = self.bytes(space) as usize;
            if bytes > 0 {
                // SAFETY: start..start + bytes was made accessible by `open`; `&mut self` means no kernel runs on it.
                unsafe { std::ptr::write_bytes(self.start(space) as *mut u8, byte, bytes) };
            }
        }
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        // SAFETY: the mapping was made by `new`; its owner is gone, so nothing uses it any more.
        unsafe { libc::munmap(self.mapping.0 as *mut libc::c_void, self.mapping.1) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memories_lie_where_the_address_says() {
        let chip = Chip::by_name("Ascend910B1").expect("built in");
        for kind in [CoreKind::Aic, CoreKind::Aiv] {
            let mut region = Region::new(chip, kind).expect("mapped");
            assert_eq!(region.base() % REGION_BYTES, 0);
            region.poison();
            for (space, _) in SPACES {
                assert!(u64::from(region.bytes(space)) <= 1 << SPACE_SHIFT);
                if region.bytes(space) > 0 {
                    let last = region.start(space) + u64::from(region.bytes(space)) - 1;
                    assert_eq!(region.locate(last), Some((space, u64::from(region.bytes(space)) - 1)));
                    // SAFETY: `last` is the last byte of a mapped memory.
                    assert_eq!(unsafe { *(last as *const u8) }, POISON_BYTE);
                }
            }
            assert_eq!(region.locate(region.base() + REGION_BYTES), None);
            assert_eq!(region.locate(region.base()), None, "slot 0 is GM's number");
        }
    }
}
