//! What a block of device memory is, how one is asked for, and why it may not be had.

use super::reserve::HUGE_PAGE_BYTES;
use super::{GM_UNIT_BYTES, HUGE_BLOCK_BYTES};

/// Size of the largest pages.
const HUGE_1G_BYTES: u64 = 1 << 30;
/// Component of memory that the program itself asks for.
pub const APP_MODULE: u16 = 33;

/// Pages that a block is made of. They decide how much of the capacity it takes, nothing else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pages {
    /// Normal ones: exactly the padded size is taken.
    #[default]
    Normal,
    /// 2 MiB pages for blocks of more than 1 MiB if there are enough of them, else normal ones.
    HugeFirst,
    /// 2 MiB pages.
    Huge,
    /// 1 GiB pages; such blocks have no pad.
    Huge1G,
}

impl Pages {
    /// Bytes of the capacity that `bytes` take.
    pub(super) fn charge(self, bytes: u64) -> u64 {
        match self {
            Pages::Normal => bytes,
            Pages::HugeFirst if bytes <= HUGE_BLOCK_BYTES => bytes,
            Pages::HugeFirst | Pages::Huge => bytes.next_multiple_of(HUGE_PAGE_BYTES),
            Pages::Huge1G => bytes.next_multiple_of(HUGE_1G_BYTES),
        }
    }

    /// Size of a page of a block of `bytes`.
    pub fn page_bytes(self, bytes: u64) -> u32 {
        match self {
            Pages::Normal => 4096,
            Pages::HugeFirst if bytes <= HUGE_BLOCK_BYTES => 4096,
            Pages::HugeFirst | Pages::Huge => HUGE_PAGE_BYTES as u32,
            Pages::Huge1G => HUGE_1G_BYTES as u32,
        }
    }
}

/// How a block is asked for.
#[derive(Clone, Copy, Debug)]
pub struct BlockRequest {
    /// Bytes.
    pub bytes: u64,
    /// Adds the documented 32 B pad.
    pub is_padded: bool,
    /// Bytes behind it that a kernel may touch, which is told; see [`Allocation::slack_bytes`].
    pub slack_bytes: u64,
    /// What it is made of.
    pub pages: Pages,
    /// Neither kernels nor copies may write it.
    pub is_read_only: bool,
    /// Component it is counted for.
    pub module: u16,
    /// Function that asks, e.g. `aclrtMalloc`.
    pub by: &'static str,
    /// Code address of the program's call; 0: the runtime asks for itself.
    pub site: u64,
}

impl BlockRequest {
    /// A padded block of normal pages.
    pub fn new(bytes: u64, by: &'static str, site: u64) -> BlockRequest {
        BlockRequest {
            bytes,
            is_padded: true,
            slack_bytes: 0,
            pages: Pages::Normal,
            is_read_only: false,
            module: APP_MODULE,
            by,
            site,
        }
    }

    /// Bytes that a kernel may touch.
    pub(super) fn usable_bytes(&self) -> u64 {
        self.bytes.next_multiple_of(GM_UNIT_BYTES)
    }

    pub(super) fn padded_bytes(&self) -> u64 {
        let is_padded = self.is_padded && self.pages != Pages::Huge1G;
        self.usable_bytes() + self.slack_bytes + if is_padded { GM_UNIT_BYTES } else { 0 }
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
    /// Bytes behind `bytes` that a kernel may touch as well: nothing is damaged there, but it is told (0: none).
    pub slack_bytes: u64,
    /// Bytes set aside: `bytes`, the slack and the pad.
    pub padded_bytes: u64,
    /// Bytes of the capacity it takes.
    pub charged_bytes: u64,
    /// Size of its pages.
    pub page_bytes: u32,
    /// Component it is counted for.
    pub module: u16,
    /// Whether it may only be read.
    pub is_read_only: bool,
    /// Function that made it, e.g. `aclrtMalloc`.
    pub by: &'static str,
    /// Code address of the program's call; 0: made by the runtime for itself.
    pub site: u64,
}

impl Allocation {
    /// Memory that the device can reach, but that is no block of its own, such as mapped host memory.
    pub fn view(start: u64, bytes: u64, by: &'static str, site: u64) -> Allocation {
        Allocation {
            id: 0,
            start,
            bytes,
            requested_bytes: bytes,
            slack_bytes: 0,
            padded_bytes: bytes,
            charged_bytes: 0,
            page_bytes: 4096,
            module: APP_MODULE,
            is_read_only: false,
            by,
            site,
        }
    }

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
    /// Code address of the program's call; 0 if the runtime freed it by itself.
    pub site: u64,
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

impl std::fmt::Display for AddressKind {
    /// The second half of a sentence ("0x… is …").
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = |a: &Allocation| match a.id {
            0 => format!("the memory of {} ({} bytes)", a.by, a.requested_bytes),
            id => format!("block {id} ({} bytes, from {})", a.requested_bytes, a.by),
        };
        match self {
            AddressKind::Live(a) => write!(f, "in {}", name(a)),
            AddressKind::Behind { allocation, bytes_beyond } => {
                write!(f, "{bytes_beyond} bytes behind the end of {}", name(allocation))
            }
            AddressKind::Freed(s) if s.allocation.id == 0 => {
                let a = s.allocation;
                write!(f, "in {} bytes of {}, which was ended by {}", a.requested_bytes, a.by, s.by)
            }
            AddressKind::Freed(s) => {
                let a = s.allocation;
                write!(f, "in block {} ({} bytes), which was freed by {}", a.id, a.requested_bytes, s.by)
            }
            AddressKind::Unused => {
                f.write_str("in the device's address range, but in no block that was ever near it")
            }
            AddressKind::Foreign => f.write_str("not an address of this device's memory (a host pointer?)"),
        }
    }
}

impl AddressKind {
    /// The text of [`Display`](std::fmt::Display) with the position of `addr` in its block.
    pub fn describe(&self, addr: u64) -> String {
        match self {
            AddressKind::Live(a) if addr == a.start => self.to_string().replacen("in ", "the start of ", 1),
            AddressKind::Live(a) => {
                self.to_string().replacen("in ", &format!("{} bytes into ", addr - a.start), 1)
            }
            AddressKind::Freed(s) => {
                let offset = addr - s.allocation.start;
                self.to_string().replacen("in ", &format!("{offset} bytes into "), 1)
            }
            _ => self.to_string(),
        }
    }
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
    #[error("the block at {address:#x} ({bytes} bytes) was freed before, by {by}; free every block once", address = stamp.allocation.start, bytes = stamp.allocation.requested_bytes, by = stamp.by)]
    DoubleFree {
        /// The block, and who freed it.
        stamp: Box<FreeStamp>,
    },
}
