//! What host addresses stand for on the device: stubs of kernels and device variables.
//!
//! A program compiled for host and device in one file names a kernel by the address of its host function. It is
//! looked up here (`rtFunctionRegister`, `rtRegisterFuncSymbol`), then among the kernels of loaded binaries, then in
//! the table of kernels of the program or library that holds the address. A key may be registered again, because hosts
//! reuse addresses (pyasc passes text that Python may free); the newest meaning counts.

use super::super::binary::{Binary, Function};
use super::super::failure::{Answer, Failure, refuse};
use super::super::state::runtime;
use parking_lot::{Mutex, RwLock};
use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::Arc;
use toprope_abi::acl::AclError;

#[derive(Clone, Copy, Debug)]
struct Stub {
    binary: u64,
    function: u64,
}

/// A variable that kernels of a binary may be told the address of.
#[derive(Debug)]
struct Variable {
    binary: u64,
    name: String,
    bytes: usize,
    /// Its block on each device that was asked about it.
    blocks: HashMap<u32, u64>,
}

static STUBS: RwLock<Option<HashMap<u64, Stub>>> = RwLock::new(None);
static VARIABLES: Mutex<Option<HashMap<u64, Variable>>> = Mutex::new(None);

/// Gives a stub its kernel.
pub fn register(stub: *const c_void, binary: u64, function: u64) {
    STUBS.write().get_or_insert_default().insert(stub as u64, Stub { binary, function });
}

/// Forgets what belongs to a binary that is unloaded.
pub fn forget_binary(binary: u64) {
    if let Some(stubs) = STUBS.write().as_mut() {
        stubs.retain(|_, stub| stub.binary != binary);
    }
    let mut variables = VARIABLES.lock();
    let Some(variables) = variables.as_mut() else { return };
    for (_, variable) in variables.extract_if(|_, variable| variable.binary == binary) {
        for (device, at) in variable.blocks {
            let memory = runtime().devices.get(device as usize).and_then(|d| d.memory());
            // Freed already by a reset of the device: nothing left to do.
            let _ = memory.map(|memory| memory.free(at, "the end of its kernel binary"));
        }
    }
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

/// Makes a device variable known by the address of its host twin.
///
/// # Errors
/// 107000 for a size that cannot be.
pub fn register_variable(host: *const c_void, binary: u64, name: &str, bytes: usize) -> Answer {
    if bytes == 0 {
        return refuse(AclError::RT_PARAM_INVALID, format!("device variable `{name}` has 0 bytes"));
    }
    let variable = Variable { binary, name: name.into(), bytes, blocks: HashMap::new() };
    VARIABLES.lock().get_or_insert_default().insert(host as u64, variable);
    Ok(())
}

/// Address on the current device and size of the variable that `chosen` picks, by host address and entry.
fn place(chosen: impl Fn(u64, &Variable) -> bool) -> Option<Answer<(u64, usize)>> {
    let mut variables = VARIABLES.lock();
    let variable = variables.as_mut()?.iter_mut().find(|(host, v)| chosen(**host, v))?.1;
    let mut address = || -> Answer<(u64, usize)> {
        let device = runtime().current()?.device;
        let memory = device.opened_memory()?;
        let known = variable.blocks.get(&device.index).copied();
        // A reset of the device takes the block; its address may belong to somebody else now.
        if let Some(at) = known.filter(|at| memory.find(*at).is_some_and(|b| b.start == *at && b.by == BY)) {
            return Ok((at, variable.bytes));
        }
        let block = memory.alloc(variable.bytes as u64, true, BY).map_err(|e| {
            Failure::new(AclError::RT_MEMORY_ALLOCATION, format!("device variable `{}`: {e}", variable.name))
        })?;
        super::super::memory::write_block(&block, &vec![0; variable.bytes]);
        variable.blocks.insert(device.index, block.start);
        Ok((block.start, variable.bytes))
    };
    Some(address())
}

const BY: &str = "rtRegisterVariable";

/// Address on the current device and size of a binary's variable.
///
/// # Errors
/// Those of the device; 207001 when its memory is full.
pub fn variable_by_name(binary: u64, name: &str) -> Option<Answer<(u64, usize)>> {
    place(|_, v| v.binary == binary && v.name == name)
}

/// Address on the current device and size of the variable with this host twin.
///
/// # Errors
/// 107042 if none is registered; those of the device; 207001 when its memory is full.
pub fn variable_of(host: *const c_void) -> Answer<(u64, usize)> {
    place(|at, _| at == host as u64).unwrap_or_else(|| {
        refuse(AclError::RT_SYMBOL_NOT_FOUND, format!("{host:p} is no device variable of this program"))
    })
}
