//! The seal behind a kernel-only shared object: how a loader knows that the bytes are the ones the linker wrote.
//!
//! A loader of code cannot look at everything a dynamic linker will follow, so a damaged file could crash it. `toprope
//! build` therefore appends [`SEAL_BYTES`] bytes to the object: length and SHA-256 of what stands before them. The
//! dynamic linker ignores bytes after the object. Whoever loads the object checks the seal first.
//!
//! ```text
//!  object (length bytes) | magic 16 | version u32 | 0 u32 | length u64 | SHA-256 of the object, 32 bytes
//! ```

/// First bytes of a seal.
pub const SEAL_MAGIC: [u8; 16] = *b"\x7fTOPROPE-KERNEL\n";
/// Version of this layout.
pub const SEAL_VERSION: u32 = 1;
/// Size of a seal.
pub const SEAL_BYTES: usize = 64;

/// What a seal says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seal {
    /// Length of the object before it.
    pub length: u64,
    /// SHA-256 of the object.
    pub digest: [u8; 32],
}

impl Seal {
    /// The seal as it is appended.
    pub fn to_bytes(self) -> [u8; SEAL_BYTES] {
        let mut bytes = [0; SEAL_BYTES];
        bytes[..16].copy_from_slice(&SEAL_MAGIC);
        bytes[16..20].copy_from_slice(&SEAL_VERSION.to_le_bytes());
        bytes[24..32].copy_from_slice(&self.length.to_le_bytes());
        bytes[32..].copy_from_slice(&self.digest);
        bytes
    }

    /// Splits a file into object and seal; `None` if no seal of this version stands at its end.
    ///
    /// ```
    /// # use toprope_abi::seal::Seal;
    /// let seal = Seal { length: 2, digest: [7; 32] };
    /// let mut file = b"ab".to_vec();
    /// file.extend(seal.to_bytes());
    /// assert_eq!(Seal::split(&file), Some((&b"ab"[..], seal)));
    /// assert_eq!(Seal::split(&file[..file.len() - 1]), None);
    /// ```
    pub fn split(file: &[u8]) -> Option<(&[u8], Seal)> {
        let (object, tail) = file.split_at(file.len().checked_sub(SEAL_BYTES)?);
        if tail[..16] != SEAL_MAGIC || tail[16..20] != SEAL_VERSION.to_le_bytes() {
            return None;
        }
        let length = u64::from_le_bytes(tail[24..32].try_into().ok()?);
        let digest = tail[32..].try_into().ok()?;
        Some((object, Seal { length, digest }))
    }
}
