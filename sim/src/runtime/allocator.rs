//! Allocators of the program (`aclrtAllocatorRegister`): which one belongs to which stream.
//!
//! The documents name two users: operators that run as single-operator models, and models with dynamic shapes. Both are
//! in libraries above the runtime; they ask for the allocator of their stream here and call it. The runtime itself
//! makes no memory on behalf of a stream that the program could provide, so it calls none of the functions.
//!
//! What a description says is taken when it is registered; it may be changed or destroyed afterwards. An entry goes with
//! `aclrtAllocatorUnregister`; the entry of a stream that was destroyed is never asked for, because handles are not
//! used twice.

use super::failure::{Answer, Failure, invalid};
use super::handle::{HandleTable, Kind};
use parking_lot::{Mutex, RwLock};
use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::{Arc, OnceLock};
use toprope_abi::acl::AclError;

/// Code addresses and the object they are called with; 0: not set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Functions {
    /// The program's object.
    pub object: usize,
    /// Makes a block.
    pub allocate: usize,
    /// Frees one.
    pub free: usize,
    /// Makes one at an address, if possible. Optional.
    pub allocate_at: usize,
    /// Device address of a block.
    pub address_of: usize,
}

/// What stands behind an `aclrtAllocatorDesc`.
#[derive(Debug, Default)]
pub struct Description(pub Mutex<Functions>);

/// What was registered for a stream.
#[derive(Clone, Copy, Debug)]
pub struct Registered {
    /// The description it was registered with.
    pub description: u64,
    /// What it said.
    pub functions: Functions,
}

static STREAMS: RwLock<Option<HashMap<u64, Registered>>> = RwLock::new(None);

/// All descriptions.
pub fn descriptions() -> &'static HandleTable<Description> {
    static TABLE: OnceLock<HandleTable<Description>> = OnceLock::new();
    TABLE.get_or_init(|| HandleTable::new(Kind::Allocator))
}

/// `aclrtAllocatorCreateDesc`.
pub fn create() -> u64 {
    let handle = descriptions().reserve();
    descriptions().insert(handle, Arc::default());
    handle
}

/// Sets one part of a description.
///
/// # Errors
/// 100000 null; 107017 no description.
pub fn set(description: *mut c_void, name: &str, value: usize, set: fn(&mut Functions, usize)) -> Answer {
    if description.is_null() {
        return invalid("`allocatorDesc` is null");
    }
    if value == 0 {
        return invalid(format!("`{name}` is null"));
    }
    set(&mut descriptions().get(description)?.0.lock(), value);
    Ok(())
}

/// `aclrtAllocatorRegister`; replaces what was registered before.
///
/// # Errors
/// 100000 null, or the description lacks a part; 107017 no description.
pub fn register(stream: u64, description: *mut c_void) -> Answer {
    let functions = *descriptions().get(description)?.0.lock();
    let parts = [
        ("object", functions.object, "aclrtAllocatorSetObjToDesc"),
        ("function that allocates", functions.allocate, "aclrtAllocatorSetAllocFuncToDesc"),
        ("function that frees", functions.free, "aclrtAllocatorSetFreeFuncToDesc"),
        (
            "function that tells addresses",
            functions.address_of,
            "aclrtAllocatorSetGetAddrFromBlockFuncToDesc",
        ),
    ];
    if let Some((what, _, setter)) = parts.into_iter().find(|part| part.1 == 0) {
        return Err(Failure::new(AclError::INVALID_PARAM, format!("the description has no {what}"))
            .help(format!("set it with {setter} before registering")));
    }
    let entry = Registered { description: description as u64, functions };
    STREAMS.write().get_or_insert_default().insert(stream, entry);
    Ok(())
}

/// What is registered for a stream.
///
/// # Errors
/// 100000 if nothing is.
pub fn of_stream(stream: u64) -> Answer<Registered> {
    match STREAMS.read().as_ref().and_then(|streams| streams.get(&stream)) {
        Some(entry) => Ok(*entry),
        None => invalid("no allocator is registered for this stream"),
    }
}

/// `aclrtAllocatorUnregister`; nothing to do is no failure.
pub fn unregister(stream: u64) {
    if let Some(streams) = STREAMS.write().as_mut() {
        streams.remove(&stream);
    }
}
