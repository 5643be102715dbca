//! What host addresses stand for on the device: stubs of kernels. (Device variables: `symbol`.)
//!
//! A program compiled for host and device in one file names a kernel by the address of its host function. It is
//! looked up here (`rtFunctionRegister`, `rtRegisterFuncSymbol`), then among the kernels of loaded binaries, then in
//! the table of kernels of the program or library that holds the address. A key may be registered again, because hosts
//! reuse addresses (pyasc passes text that Python may free); the newest meaning counts.

use super::super::binary::{Binary, Function};
use super::super::failure::{Answer, Failure};
use super::super::state::runtime;
use super::super::symbol;
use parking_lot::RwLock;
use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::Arc;
use toprope_abi::acl::AclError;

#[derive(Clone, Copy, Debug)]
struct Stub {
    binary: u64,
    function: u64,
}

static STUBS: RwLock<Option<HashMap<u64, Stub>>> = RwLock::new(None);

/// Gives a stub its kernel.
pub fn register(stub: *const c_void, binary: u64, function: u64) {
    STUBS.write().get_or_insert_default().insert(stub as u64, Stub { binary, function });
}

/// Forgets what belongs to a binary that is unloaded.
pub fn forget_binary(binary: u64) {
    if let Some(stubs) = STUBS.write().as_mut() {
        stubs.retain(|_, stub| stub.binary != binary);
    }
    symbol::forget(binary);
}

/// The kernel that a handle or a host address stands for.
///
/// # Errors
/// 107017 for a handle of something else; 107044 for an address that is no kernel.
pub fn function_of(func: *const c_void) -> Answer<Arc<Function>> {
    let runtime = runtime();
    let explained = match runtime.functions.get(func.cast_mut()) {
        Ok(function) => return Ok(function),
        Err(failure) => failure,
    };
    let stub = STUBS.read().as_ref().and_then(|stubs| stubs.get(&(func as u64)).copied());
    if let Some(stub) = stub {
        return runtime.functions.get(stub.function as *mut c_void);
    }
    if super::super::handle::is_handle(func as u64) {
        return Err(explained);
    }
    let known = runtime.binaries.select(|_| true).into_iter();
    let found = known.filter_map(|b| b.function_at(func, &runtime.functions)).next();
    let found = found.or_else(|| {
        let handle = runtime.binaries.reserve();
        let binary = Arc::new(Binary::of_symbol(handle, func)?);
        runtime.binaries.insert(handle, binary.clone());
        binary.function_at(func, &runtime.functions)
    });
    match found {
        Some(handle) => runtime.functions.get(handle? as *mut c_void),
        None => Err(Failure::new(
            AclError::RT_INVALID_DEVICE_FUNCTION,
            format!(
                "{func:p} is no kernel: neither a kernel handle nor the address of a `__global__` function"
            ),
        )
        .help("pass the name of a kernel of this program, or a handle of aclrtBinaryGetFunction")),
    }
}
