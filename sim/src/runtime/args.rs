//! Argument lists of kernels (`aclrtArgsHandle`).
//!
//! ```text
//!  Init ─▶ Append, AppendPlaceHolder … ─▶ GetPlaceHolderBuffer … ─▶ Finalize ─▶ launch
//!                                                                     ▲  └──▶ ParaUpdate ─┐
//!                                                                     └───────────────────┘
//!  buffer: | parameter | parameter | address of place holder | … | its data | …
//! ```
//! Each parameter and each piece of data starts at a multiple of 8. A list of `aclrtKernelArgsInit` belongs to the
//! calling thread, which has one: the next call starts it anew. A list of `aclrtKernelArgsInitByUserMem` lies in the
//! program's memory, handle and buffer. A handle is the address of its list in both forms, as in the public runtime;
//! an address that is no list is recognised without following it into the void.
#![allow(unsafe_code)] // lists and buffers lie in memory that the program owns or keeps the address of.

use super::failure::{Answer, Failure, refuse};
use super::launch::MAX_ARGS_BYTES;
use parking_lot::{Mutex, RwLock};
use smallvec::SmallVec;
use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::{Arc, Weak};
use toprope_abi::acl::AclError;

/// Documented limit of parameters.
pub const MAX_PARAMS: usize = 128;
const MAGIC: u64 = u64::from_le_bytes(*b"trArgLst");

/// Room the program must give for a list, wherever it starts.
pub const LIST_BYTES: usize = size_of::<List>() + align_of::<List>();

/// One parameter; its address is the `aclrtParamHandle`.
#[derive(Clone, Copy, Debug, Default)]
struct Param {
    offset: u32,
    bytes: u32,
    is_place_holder: bool,
    /// Place and size of a place holder's data.
    data: Option<(u32, u32)>,
}

#[derive(Debug)]
struct State {
    buffer: *mut u8,
    room: usize,
    used: usize,
    count: usize,
    has_data: bool,
    is_final: bool,
    is_updating: bool,
    params: [Param; MAX_PARAMS],
}

/// A list.
#[derive(Debug)]
#[repr(C)] // `with` reads the first two words of what may be none.
struct List {
    magic: u64,
    /// Its own address: a copy of a list is none.
    at: u64,
    state: Mutex<State>,
}

/// A list of `aclrtKernelArgsInit`, with its buffer.
struct Owned {
    list: List,
    // Behind the pointer in `list`; 8-byte units for its alignment.
    _buffer: Box<[u64]>,
}

impl Drop for Owned {
    fn drop(&mut self) {
        // Whoever kept the handle must not find a list in freed memory.
        // SAFETY: a field of `self`; volatile, because nobody reads it in this program's order of things.
        unsafe { (&raw mut self.list.magic).write_volatile(0) };
    }
}

// SAFETY: the buffer pointer leads to memory that moves with the list (`_buffer`) and is used under the list's lock.
unsafe impl Send for Owned {}
// SAFETY: as above.
unsafe impl Sync for Owned {}

thread_local! {
    static OWN: RefCell<Option<Arc<Owned>>> = const { RefCell::new(None) };
}

/// Lists of all threads, so that one may be used by another thread and is recognised after its thread ended.
static ALL: RwLock<Option<HashMap<u64, Weak<Owned>>>> = RwLock::new(None);

/// What a launch takes from a list.
#[derive(Debug)]
pub struct Packed {
    /// Arguments, and behind them data of place holders.
    pub bytes: SmallVec<[u8; 256]>,
    /// Where addresses go and where their data start.
    pub place_holders: SmallVec<[(usize, usize); 4]>,
}

impl State {
    fn new(buffer: *mut u8, room: usize) -> State {
        let params = [Param::default(); MAX_PARAMS];
        let [has_data, is_final, is_updating] = [false; 3];
        State { buffer, room, used: 0, count: 0, has_data, is_final, is_updating, params }
    }

    /// Takes room for a parameter or data.
    fn reserve(&mut self, bytes: usize, what: &str) -> Answer<usize> {
        let offset = self.used.next_multiple_of(8);
        let end = offset.checked_add(bytes).filter(|end| *end <= self.room);
        let Some(end) = end else {
            let text = format!(
                "{what} of {bytes} bytes does not fit: {offset} of {} bytes of the argument list are used",
                self.room
            );
            return refuse(AclError::RT_PARAM_INVALID, text);
        };
        // SAFETY: `end` is inside the buffer, which is `room` long.
        let hole = unsafe { self.buffer.add(self.used) };
        // SAFETY: `used..end` lies inside the buffer.
        unsafe { hole.write_bytes(0, end - self.used) };
        self.used = end;
        Ok(offset)
    }

    fn add(&mut self, bytes: usize, is_place_holder: bool) -> Answer<&mut Param> {
        self.check_open("a parameter cannot be appended")?;
        if self.has_data {
            return refuse(
                AclError::RT_FEATURE_NOT_SUPPORT,
                "a parameter cannot be appended after aclrtKernelArgsGetPlaceHolderBuffer",
            );
        }
        if self.count == MAX_PARAMS {
            return refuse(
                AclError::RT_PARAM_INVALID,
                format!("the list has {MAX_PARAMS} parameters, which is the limit"),
            );
        }
        let offset = self.reserve(bytes, "a parameter")?;
        let param = &mut self.params[self.count];
        self.count += 1;
        *param = Param { offset: offset as u32, bytes: bytes as u32, is_place_holder, data: None };
        Ok(param)
    }

    fn check_open(&self, what: &str) -> Answer {
        if !self.is_final {
            return Ok(());
        }
        let text = format!("{what} after aclrtKernelArgsFinalize");
        Err(Failure::new(AclError::RT_FEATURE_NOT_SUPPORT, text).help(
            "only aclrtKernelArgsParaUpdate is possible then; start the list anew with aclrtKernelArgsInit",
        ))
    }

    /// The parameter whose handle this is.
    fn param(&mut self, handle: *mut c_void) -> Answer<&mut Param> {
        let from = (handle as u64).wrapping_sub(self.params.as_ptr() as u64) as usize;
        if !from.is_multiple_of(size_of::<Param>()) || from / size_of::<Param>() >= self.count {
            let text = format!("`paramHandle` {handle:p} is no parameter of this list");
            return refuse(AclError::RT_PARAM_INVALID, text);
        }
        Ok(&mut self.params[from / size_of::<Param>()])
    }

    /// Writes a parameter's value.
    ///
    /// # Safety
    /// `from` is readable for `bytes` bytes, which fit at `offset`.
    unsafe fn write(&mut self, offset: usize, from: *const c_void, bytes: usize) {
        // SAFETY: `offset + bytes` is inside the buffer (contract).
        let to = unsafe { self.buffer.add(offset) };
        // SAFETY: both ranges are valid (contract); the program may pass memory of the buffer itself.
        unsafe { std::ptr::copy(from.cast::<u8>(), to, bytes) };
    }
}

/// Starts the list of the calling thread; returns its handle.
pub fn begin() -> u64 {
    OWN.with_borrow_mut(|own| {
        let owned = own.get_or_insert_with(make_owned);
        let mut state = owned.list.state.lock();
        let (buffer, room) = (state.buffer, state.room);
        *state = State::new(buffer, room);
        owned.list.at
    })
}

fn make_owned() -> Arc<Owned> {
    let mut buffer = vec![0u64; MAX_ARGS_BYTES / 8].into_boxed_slice();
    let state = State::new(buffer.as_mut_ptr().cast(), MAX_ARGS_BYTES);
    let mut owned =
        Arc::new(Owned { list: List { magic: MAGIC, at: 0, state: Mutex::new(state) }, _buffer: buffer });
    let at = &raw const owned.list as u64;
    if let Some(new) = Arc::get_mut(&mut owned) {
        new.list.at = at;
    }
    let mut all = ALL.write();
    let all = all.get_or_insert_default();
    all.retain(|_, list| list.strong_count() > 0);
    all.insert(at, Arc::downgrade(&owned));
    owned
}

/// Starts a list in the program's memory.
///
/// # Errors
/// 107000 if the buffer is larger than argument blocks may be.
///
/// # Safety
/// `handle` is writable for [`LIST_BYTES`] bytes and `buffer` for `room` bytes as long as the list is used.
pub unsafe fn begin_in(handle: *mut c_void, buffer: *mut c_void, room: usize) -> Answer {
    if room > MAX_ARGS_BYTES {
        let text = format!("`actualArgsSize` is {room}; at most {MAX_ARGS_BYTES} are possible");
        return refuse(AclError::RT_PARAM_INVALID, text);
    }
    let at = aligned(handle);
    let state = Mutex::new(State::new(buffer.cast(), room));
    // SAFETY: `LIST_BYTES` has room for the alignment; the memory is the program's and given for this (contract).
    unsafe { at.write(List { magic: MAGIC, at: at as u64, state }) };
    Ok(())
}

fn aligned(handle: *mut c_void) -> *mut List {
    let gap = handle.cast::<u8>().align_offset(align_of::<List>());
    handle.cast::<u8>().wrapping_add(gap).cast()
}

/// Calls `use_list` with the state of a handle's list.
///
/// # Errors
/// 107017 if the handle is no list.
fn with<R>(handle: *mut c_void, use_list: impl FnOnce(&mut State) -> Answer<R>) -> Answer<R> {
    let known = OWN
        .with_borrow(|own| own.clone().filter(|o| o.list.at == handle as u64))
        .or_else(|| ALL.read().as_ref().and_then(|all| all.get(&(handle as u64))).and_then(Weak::upgrade));
    if let Some(owned) = known {
        return use_list(&mut owned.list.state.lock());
    }
    let at = aligned(handle);
    let end = (at as u64).saturating_add(size_of::<List>() as u64 - 1);
    // The two marks are the first two words of a list.
    let word = |index: usize| -> u64 {
        // SAFETY: the list is aligned and its pages are mapped (checked below, before this is called); any bytes are a
        // `u64`.
        unsafe { at.cast::<u64>().wrapping_add(index).read_volatile() }
    };
    let is_list = super::memory::is_mapped(at as u64)
        && super::memory::is_mapped(end)
        && word(0) == MAGIC
        && word(1) == at as u64;
    if !is_list {
        let text = format!("`argsHandle` {handle:p} is no argument list, or its thread has ended");
        return Err(Failure::new(AclError::RT_INVALID_HANDLE, text)
            .help("make one with aclrtKernelArgsInit or aclrtKernelArgsInitByUserMem"));
    }
    // SAFETY: `begin_in` wrote a list to this address (checked by its two marks), and the program keeps it.
    let list = unsafe { &*at };
    use_list(&mut list.state.lock())
}

/// Appends a value; returns the handle of the parameter.
///
/// # Errors
/// 107000 no room, too many; 207000 wrong order; 107017.
///
/// # Safety
/// `value` is readable for `bytes` bytes.
pub unsafe fn append(handle: *mut c_void, value: *const c_void, bytes: usize) -> Answer<*mut c_void> {
    with(handle, |state| {
        let param = state.add(bytes, false)?;
        let (at, offset) = (&raw mut *param, param.offset as usize);
        // SAFETY: `add` took `bytes` bytes at `offset`; the value is readable (contract).
        unsafe { state.write(offset, value, bytes) };
        Ok(at.cast())
    })
}

/// Appends a place holder; returns the handle of the parameter.
///
/// # Errors
/// As [`append`].
pub fn append_place_holder(handle: *mut c_void) -> Answer<*mut c_void> {
    with(handle, |state| {
        let param: *mut Param = state.add(8, true)?;
        Ok(param.cast())
    })
}

/// Room for the data of a place holder.
///
/// # Errors
/// 107000 no room, or no place holder; 207000 after the end of the list; 107017.
pub fn place_holder_buffer(handle: *mut c_void, param: *mut c_void, bytes: usize) -> Answer<*mut c_void> {
    with(handle, |state| {
        state.check_open("room for a place holder cannot be taken")?;
        let index = state.param(param)?.offset;
        if !state.param(param)?.is_place_holder {
            return refuse(
                AclError::RT_PARAM_INVALID,
                format!("the parameter at offset {index} has a value; only place holders have room for data"),
            );
        }
        if bytes == 0 {
            return refuse(AclError::RT_PARAM_INVALID, "`dataSize` is 0");
        }
        let offset = state.reserve(bytes, "the data of a place holder")?;
        state.has_data = true;
        state.param(param)?.data = Some((offset as u32, bytes as u32));
        // SAFETY: `reserve` took `bytes` bytes at `offset` of the buffer.
        Ok(unsafe { state.buffer.add(offset) }.cast())
    })
}

/// Writes a parameter again.
///
/// # Errors
/// 107000 if it is a place holder or has another size; 107017.
///
/// # Safety
/// `value` is readable for `bytes` bytes.
pub unsafe fn update(handle: *mut c_void, param: *mut c_void, value: *const c_void, bytes: usize) -> Answer {
    with(handle, |state| {
        let Param { offset, bytes: room, is_place_holder, .. } = *state.param(param)?;
        if is_place_holder {
            return Err(Failure::new(AclError::RT_PARAM_INVALID, "a place holder cannot be updated")
                .help("write to the buffer of aclrtKernelArgsGetPlaceHolderBuffer"));
        }
        if bytes != room as usize {
            let text = format!("`paramSize` is {bytes}, but the parameter was appended with {room} bytes");
            return refuse(AclError::RT_PARAM_INVALID, text);
        }
        state.is_updating = true;
        // SAFETY: the parameter has `bytes` bytes at `offset`; the value is readable (contract).
        unsafe { state.write(offset as usize, value, bytes) };
        Ok(())
    })
}

/// Ends the list.
///
/// # Errors
/// 107000 if a place holder has no data; 107017.
pub fn finalize(handle: *mut c_void) -> Answer {
    with(handle, |state| {
        let without = |p: &Param| p.is_place_holder && p.data.is_none();
        if let Some(index) = state.params[..state.count].iter().position(without) {
            let text = format!("parameter {index} is a place holder without data");
            return Err(Failure::new(AclError::RT_PARAM_INVALID, text)
                .help("take its buffer with aclrtKernelArgsGetPlaceHolderBuffer and fill it"));
        }
        state.is_final = true;
        state.is_updating = false;
        Ok(())
    })
}

/// What a launch needs of a list.
///
/// # Errors
/// 107000 if the list is not ended; 107017.
pub fn packed(handle: *mut c_void) -> Answer<Packed> {
    with(handle, |state| {
        if !state.is_final || state.is_updating {
            let why = if state.is_updating { "was updated" } else { "is not complete" };
            let text =
                format!("the argument list {why}: aclrtKernelArgsFinalize is missing before the launch");
            return refuse(AclError::RT_PARAM_INVALID, text);
        }
        // SAFETY: `used` bytes of the buffer are in use, and the program does not write to it during this call.
        let bytes = unsafe { std::slice::from_raw_parts(state.buffer, state.used) };
        let holders = state.params[..state.count].iter();
        let place_holders = holders.filter_map(|p| Some((p.offset as usize, p.data?.0 as usize))).collect();
        Ok(Packed { bytes: SmallVec::from_slice(bytes), place_holders })
    })
}
