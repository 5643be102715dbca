//! Shared buffers (`aclrtMbuf`): reference-counted data with a length, 96 bytes for the program, and chains.
//!
//! ```text
//!  handle ─▶ Mbuf { length, user data, chain } ─▶ Data (device memory; freed with its last Mbuf)
//!  copy of a reference ─▶ another Mbuf ─────────────┘
//! ```
//! The data lie in device memory, which the host may write too, as documented. A chain is a head and the buffers
//! appended to it, 128 in all; freeing the head frees the chain. Buffers are not shared with other processes: the
//! queues that would carry them belong to another library.

use super::device::Device;
use super::failure::{Answer, Failure, refuse};
use super::handle::{HandleTable, Kind};
use super::state::runtime;
use parking_lot::Mutex;
use std::ffi::c_void;
use std::sync::{Arc, LazyLock};
use toprope_abi::acl::AclError;

/// Documented size of the part that belongs to the program.
pub const USER_BYTES: usize = 96;
/// Documented limit of a buffer.
const MAX_BYTES: u64 = 4 << 30;
/// Documented limit of a chain, head included.
const MAX_CHAIN: usize = 128;
const BY: &str = "aclrtAllocBuf";

/// The memory of a buffer.
#[derive(Debug)]
struct Data {
    device: &'static Device,
    start: u64,
    bytes: usize,
}

impl Drop for Data {
    fn drop(&mut self) {
        if let Some(memory) = self.device.memory()
            && self.is_live()
        {
            let _ = memory.free(self.start, "aclrtFreeBuf");
        }
    }
}

impl Data {
    /// Whether no reset of the device took the memory away.
    fn is_live(&self) -> bool {
        let block = self.device.memory().and_then(|memory| memory.find(self.start));
        block.is_some_and(|block| block.start == self.start && block.by == BY)
    }
}

#[derive(Debug, Default)]
struct State {
    length: usize,
    chain: Vec<u64>,
    is_in_chain: bool,
}

/// A buffer.
#[derive(Debug)]
pub struct Mbuf {
    data: Arc<Data>,
    user: Mutex<[u8; USER_BYTES]>,
    state: Mutex<State>,
}

static BUFFERS: LazyLock<HandleTable<Mbuf>> = LazyLock::new(|| HandleTable::new(Kind::Mbuf));

impl Mbuf {
    /// Address and size of the data.
    ///
    /// # Errors
    /// 107017 if a reset of the device took them away.
    pub fn data(&self) -> Answer<(u64, usize)> {
        if self.data.is_live() {
            return Ok((self.data.start, self.data.bytes));
        }
        let text = format!("the buffer is gone: device {} was reset", self.data.device.index);
        refuse(AclError::RT_INVALID_HANDLE, text)
    }

    /// Length of the valid data.
    pub fn length(&self) -> usize {
        self.state.lock().length
    }

    /// Sets the length of the valid data.
    ///
    /// # Errors
    /// 107000 if the buffer is smaller.
    pub fn set_length(&self, length: usize) -> Answer {
        if length > self.data.bytes {
            let text = format!("`len` is {length}, but the buffer has {} bytes", self.data.bytes);
            return refuse(AclError::RT_PARAM_INVALID, text);
        }
        self.state.lock().length = length;
        Ok(())
    }

    /// Calls `with` with a part of the program's bytes.
    ///
    /// # Errors
    /// 107000 if the part is not inside them.
    pub fn user(&self, offset: usize, bytes: usize, with: impl FnOnce(&mut [u8])) -> Answer {
        let end = offset.checked_add(bytes).filter(|end| *end <= USER_BYTES && bytes > 0);
        let Some(end) = end else {
            let text =
                format!("{bytes} bytes at {offset} are not inside the {USER_BYTES} bytes of user data");
            return refuse(AclError::RT_PARAM_INVALID, text);
        };
        with(&mut self.user.lock()[offset..end]);
        Ok(())
    }
}

/// The buffer of a handle.
///
/// # Errors
/// 107017.
pub fn get(handle: *mut c_void) -> Answer<Arc<Mbuf>> {
    BUFFERS.get(handle)
}

fn add(data: Arc<Data>, user: [u8; USER_BYTES], length: usize) -> u64 {
    let handle = BUFFERS.reserve();
    let state = State { length, ..State::default() };
    BUFFERS.insert(handle, Arc::new(Mbuf { data, user: Mutex::new(user), state: Mutex::new(state) }));
    handle
}

/// Makes a buffer on the current device.
///
/// # Errors
/// 107000 for a size of 0 or over 4 GB; 107002; 207001.
pub fn alloc(bytes: usize) -> Answer<u64> {
    if bytes == 0 || bytes as u64 > MAX_BYTES {
        let text = format!("`size` is {bytes}; it must be 1 to {MAX_BYTES}");
        return refuse(AclError::RT_PARAM_INVALID, text);
    }
    let device = runtime().current()?.device;
    let block = device.opened_memory()?.alloc(bytes as u64, true, BY);
    let block = block.map_err(|e| Failure::new(AclError::RT_MEMORY_ALLOCATION, e.to_string()))?;
    Ok(add(Arc::new(Data { device, start: block.start, bytes }), [0; USER_BYTES], 0))
}

/// Frees a buffer, and with the head of a chain the whole chain.
///
/// # Errors
/// 107017; 107000 for a buffer inside a chain.
pub fn free(handle: *mut c_void) -> Answer {
    let buffer = BUFFERS.get(handle)?;
    if buffer.state.lock().is_in_chain {
        return Err(Failure::new(AclError::RT_PARAM_INVALID, "the buffer is part of a chain")
            .help("free the head of the chain; that frees all of it"));
    }
    BUFFERS.remove(handle)?;
    for member in std::mem::take(&mut buffer.state.lock().chain) {
        // Only `free` of this head removes it.
        let _ = BUFFERS.remove(member as *mut c_void);
    }
    Ok(())
}

/// Another buffer with the same data.
///
/// # Errors
/// 107017.
pub fn copy_reference(handle: *mut c_void) -> Answer<u64> {
    let buffer = BUFFERS.get(handle)?;
    buffer.data()?;
    let (user, length) = (*buffer.user.lock(), buffer.length());
    Ok(add(buffer.data.clone(), user, length))
}

/// Puts a buffer at the end of a chain.
///
/// # Errors
/// 107017; 107000 if one of them is part of another chain; 207012 at 128 buffers.
pub fn append(head: *mut c_void, handle: *mut c_void) -> Answer {
    let (first, buffer) = (BUFFERS.get(head)?, BUFFERS.get(handle)?);
    if Arc::ptr_eq(&first, &buffer) {
        return refuse(AclError::RT_PARAM_INVALID, "a buffer cannot be appended to itself");
    }
    // Chains are changed one at a time: two locks in no fixed order would be a deadlock.
    static CHAINS: Mutex<()> = Mutex::new(());
    let _alone = CHAINS.lock();
    if first.state.lock().is_in_chain {
        return refuse(AclError::RT_PARAM_INVALID, "`headBuf` is inside a chain; give the head of the chain");
    }
    {
        let state = buffer.state.lock();
        if state.is_in_chain || !state.chain.is_empty() {
            return refuse(AclError::RT_PARAM_INVALID, "`buf` is part of a chain already");
        }
    }
    let mut state = first.state.lock();
    if state.chain.len() + 1 == MAX_CHAIN {
        let text = format!("the chain has {MAX_CHAIN} buffers, which is the limit");
        return refuse(AclError::RT_OVER_LIMIT, text);
    }
    state.chain.push(handle as u64);
    buffer.state.lock().is_in_chain = true;
    Ok(())
}

/// The buffers of a chain, head first.
///
/// # Errors
/// 107017.
pub fn chain(head: *mut c_void) -> Answer<Vec<u64>> {
    let first = BUFFERS.get(head)?;
    let members = first.state.lock().chain.clone();
    Ok(std::iter::once(head as u64).chain(members).collect())
}
