//! Binaries, stubs and launches of the `rt*` layer.
//!
//! | who | how a kernel is named | arguments |
//! |---|---|---|
//! | pyasc, Triton | `rtFunctionRegister`: any address | one block, values packed like fields of a struct |
//! | `<<<>>>` of older compilers | `rtFunctionRegister`: the host function | `rtSetupArgument` at offsets |
//! | `<<<>>>` of newer compilers | `rtRegisterFuncSymbol`: the host function | one pointer per argument |
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `RtApi`.

use super::super::api::{check_out, give, host_bytes, launch, rust as acl, text};
use super::super::binary::{Function, Parameter};
use super::super::failure::{Answer, Failure, refuse};
use super::super::launch::{Args, Attributes, MAX_ARGS_BYTES};
use super::super::state::runtime;
use super::super::symbol::{self, Home};
use super::stubs;
use std::borrow::Cow;
use std::cell::RefCell;
use std::ffi::c_void;
use toprope_abi::acl::*;
use toprope_abi::layout::CChar;
use toprope_abi::rt::DevBinary;

/// Magic numbers of kernels for AI Cores.
const MAGICS: [u32; 3] = [BINARY_MAGIC_ELF_AICORE, BINARY_MAGIC_ELF_VECTOR_CORE, BINARY_MAGIC_ELF_CUBE_CORE];
const MAGIC_AICPU: u32 = 0x4143_5243;

pub unsafe fn rtDevBinaryRegister(bin: *const DevBinary, handle: *mut *mut c_void) -> Answer {
    check_out("bin", bin)?;
    check_out("hdl", handle)?;
    // SAFETY: not null (checked), valid (contract of the C function).
    let bin = unsafe { bin.read_unaligned() };
    match bin.magic {
        magic if MAGICS.contains(&magic) => {}
        MAGIC_AICPU => {
            return refuse(AclError::RT_FEATURE_NOT_SUPPORT, "AI CPU kernels are not modelled");
        }
        magic => {
            let text = format!("`magic` is {magic:#x}, which names no kind of kernel binary");
            return refuse(AclError::RT_PARAM_INVALID, text);
        }
    }
    let mut loaded = BinHandle::NULL;
    // SAFETY: readable for `length` bytes (contract of the C function).
    let answer = unsafe {
        acl::aclrtBinaryLoadFromData(bin.data, bin.length as usize, std::ptr::null(), &raw mut loaded)
    };
    answer.map_err(from_a_cache)?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("hdl", handle, loaded.0) }
}

/// pyasc, the main caller, keeps objects in files and passes them on without a look.
fn from_a_cache(failure: Failure) -> Failure {
    const HELP: &str = "if it was kept in a cache (pyasc: PYASC_CACHE_DIR), delete it there";
    let help = match failure.what_to_do() {
        "" => HELP.to_string(),
        known => format!("{known}; {HELP}"),
    };
    failure.help(help)
}

pub unsafe fn rtDevBinaryUnRegister(handle: *mut c_void) -> Answer {
    // SAFETY: no pointers that are followed.
    unsafe { acl::aclrtBinaryUnLoad(BinHandle(handle)) }
}

pub unsafe fn rtBinaryRegisterToFastMemory(handle: *mut c_void) -> Answer {
    runtime().binaries.get(handle).map(|_| ())
}

pub unsafe fn rtDependencyRegister(master: *mut c_void, slave: *mut c_void) -> Answer {
    runtime().binaries.get(master)?;
    runtime().binaries.get(slave).map(|_| ())
}

pub unsafe fn rtMetadataRegister(handle: *mut c_void, metadata: *const CChar) -> Answer {
    check_out("metadata", metadata)?;
    runtime().binaries.get(handle).map(|_| ())
}

/// Gives a host address the kernel with a name.
fn register(handle: *mut c_void, stub: *const c_void, name: &str) -> Answer {
    let runtime = runtime();
    let binary = runtime.binaries.get(handle)?;
    let function = binary.function(name, &runtime.functions)?;
    stubs::register(stub, binary.handle, function);
    Ok(())
}

pub unsafe fn rtFunctionRegister(
    handle: *mut c_void,
    stub: *const c_void,
    stub_name: *const CChar,
    kernel_info: *const c_void,
    _mode: u32,
) -> Answer {
    check_out("binHandle", handle)?;
    check_out("stubFunc", stub)?;
    let name = if kernel_info.is_null() { stub_name } else { kernel_info.cast() };
    // SAFETY: NUL-terminated or null (contract of the C function).
    let name = unsafe { text("stubName", name) }?;
    register(handle, stub, &name)
}

pub unsafe fn rtRegisterFuncSymbol(
    handle: *mut c_void,
    symbol: *const c_void,
    name: *const CChar,
    _reserve: *mut c_void,
) -> Answer {
    check_out("binHandle", handle)?;
    check_out("symbol", symbol)?;
    // SAFETY: NUL-terminated or null (contract of the C function).
    let name = unsafe { text("kernelName", name) }?;
    register(handle, symbol, &name)
}

pub unsafe fn rtRegisterVariable(
    handle: *mut c_void,
    host: *const c_void,
    name: *const CChar,
    bytes: usize,
    _flags: u32,
    _reserve: *mut c_void,
) {
    let _ = super::super::failure::guarded("rtRegisterVariable", || {
        check_out("hostVar", host)?;
        let binary = runtime().binaries.get(handle)?;
        // SAFETY: NUL-terminated or null (contract of the C function).
        let name = unsafe { text("deviceVarName", name) }?;
        symbol::register(
            runtime(),
            host as u64,
            &name,
            bytes as u64,
            Home::PerDevice(Vec::new()),
            binary.handle,
        )
    });
}

pub unsafe fn rtGetFuncBySymbol(symbol: *const c_void, out: *mut *mut c_void) -> Answer {
    // SAFETY: the same contract; a handle is a pointer.
    unsafe { acl::aclrtGetFuncBySymbol(symbol, out.cast()) }
}

pub unsafe fn rtSymbolLookup(host: *const c_void, at: *mut *mut c_void, bytes: *mut usize) -> Answer {
    check_out("hostVar", host)?;
    check_out("devPtr", at)?;
    check_out("size", bytes)?;
    let variable = symbol::find(host as u64)?;
    let address = variable.address_on(runtime().current()?.device)?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("devPtr", at, address as *mut c_void) }?;
    // SAFETY: as above.
    unsafe { give("size", bytes, variable.bytes() as usize) }
}

/// A property of a kernel as the bytes that a binary would hold.
fn meta(function: &Function, kind: u32) -> Answer<Vec<u8>> {
    let (aic, aiv) = function.kernel_type.cores_per_block();
    match kind {
        // Kind: 2 cube, 3 vector, 4 mixed with cube in front.
        1 => Ok(u32::to_ne_bytes(match (aic, aiv) {
            (0, _) => 3,
            (_, 0) => 2,
            _ => 4,
        })
        .to_vec()),
        // Whether its cores wait for each other: what mixed kernels may do.
        2 => Ok(u32::from(aic > 0 && aiv > 0).to_ne_bytes().to_vec()),
        3 => Ok([aic as u16, aiv as u16].map(u16::to_ne_bytes).concat()),
        14 => function.entry_key().map(|key| key.to_ne_bytes().to_vec()).ok_or_else(|| {
            let text = format!("kernel `{}` has no entry key", function.name);
            Failure::new(AclError::RT_FEATURE_NOT_SUPPORT, text)
        }),
        kind => {
            refuse(AclError::RT_FEATURE_NOT_SUPPORT, format!("property {kind} of kernels is not modelled"))
        }
    }
}

pub unsafe fn rtFunctionGetMetaInfoSize(func: *mut c_void, kind: u32, bytes: *mut usize) -> Answer {
    check_out("size", bytes)?;
    let found = meta(&*runtime().functions.get(func)?, kind)?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("size", bytes, found.len()) }
}

pub unsafe fn rtFunctionGetMetaInfo(func: *mut c_void, kind: u32, data: *mut c_void, room: u32) -> Answer {
    check_out("data", data)?;
    let found = meta(&*runtime().functions.get(func)?, kind)?;
    if (room as usize) < found.len() {
        let text = format!("`length` is {room}, property {kind} needs {} bytes", found.len());
        return refuse(AclError::RT_PARAM_INVALID, text);
    }
    // SAFETY: room for `room` bytes (contract of the C function), which is enough (checked).
    unsafe { std::ptr::copy_nonoverlapping(found.as_ptr(), data.cast(), found.len()) };
    Ok(())
}

/// The arguments as the kernel takes them, each at a multiple of 8.
///
/// Hosts of this layer pack values like pyasc does: addresses at multiples of 8, other values at multiples of 4 (at
/// least 4 bytes each). A block that has the kernel's own size is taken as it is.
fn unpack<'a>(parameters: &[Parameter], args_bytes: usize, bytes: &'a [u8]) -> Cow<'a, [u8]> {
    if bytes.len() == args_bytes {
        return Cow::Borrowed(bytes);
    }
    let mut slots = vec![0u8; args_bytes];
    let mut at = 0usize;
    for parameter in parameters {
        at = at.next_multiple_of(if parameter.is_pointer { 8 } else { 4 });
        let size = parameter.size_bytes;
        let (Some(from), Some(to)) =
            (bytes.get(at..at + size), slots.get_mut(parameter.offset..parameter.offset + size))
        else {
            // Too short: the check of the launch says what the kernel takes.
            return Cow::Borrowed(bytes);
        };
        to.copy_from_slice(from);
        at += size.max(4);
    }
    if at.next_multiple_of(8) == bytes.len().next_multiple_of(8) {
        Cow::Owned(slots)
    } else {
        Cow::Borrowed(bytes)
    }
}

/// Launches the kernel of a stub with arguments in host memory.
fn launch_stub(stub: *const c_void, blocks: u32, bytes: &[u8], stream: StreamHandle) -> Answer {
    check_out("stubFunc", stub)?;
    let function = stubs::function_of(stub)?;
    let slots = unpack(&function.parameters, function.args_bytes, bytes);
    let args = Args::Host { bytes: &slots, place_holders: &[] };
    launch(function.clone(), blocks, stream, Ok(Attributes::default()), args)
}

pub unsafe fn rtKernelLaunch(
    stub: *const c_void,
    blocks: u32,
    args: *mut c_void,
    args_bytes: u32,
    _sm_desc: *mut c_void,
    stream: StreamHandle,
) -> Answer {
    // SAFETY: readable (contract of the C function).
    let bytes = unsafe { host_bytes(args, args_bytes as usize) }?;
    launch_stub(stub, blocks, bytes, stream)
}

pub unsafe fn rtLaunchKernelWithArgsArray(
    func: *mut c_void,
    blocks: u32,
    stream: StreamHandle,
    cfg: *mut c_void,
    args: *mut *mut c_void,
) -> Answer {
    // SAFETY: the same contract.
    unsafe { acl::aclrtLaunchKernelWithArgsArray(func, blocks, stream, cfg.cast(), args) }
}

/// A launch while it is put together.
struct Call {
    blocks: u32,
    stream: u64,
    args: Vec<u8>,
}

thread_local! {
    /// Innermost last: computing an argument may launch a kernel itself.
    static CALLS: RefCell<Vec<Call>> = const { RefCell::new(Vec::new()) };
}

/// Deepest nesting of launches in arguments of launches.
const MAX_CALLS: usize = 64;

pub unsafe fn rtConfigureCall(blocks: u32, _sm_desc: *mut c_void, stream: StreamHandle) -> Answer {
    CALLS.with_borrow_mut(|calls| {
        if calls.len() == MAX_CALLS {
            calls.clear();
            let text =
                format!("{MAX_CALLS} launches were begun in this thread and none was ended; all are dropped");
            return refuse(AclError::RT_PARAM_INVALID, text);
        }
        calls.push(Call { blocks, stream: stream.0 as u64, args: Vec::new() });
        Ok(())
    })
}

pub unsafe fn rtSetupArgument(value: *const c_void, bytes: u32, offset: u32) -> Answer {
    check_out("args", value)?;
    let end = offset as usize + bytes as usize;
    if bytes == 0 || end > MAX_ARGS_BYTES {
        let text = format!("{bytes} bytes at {offset}: arguments have 1 to {MAX_ARGS_BYTES} bytes in all");
        return refuse(AclError::RT_PARAM_INVALID, text);
    }
    CALLS.with_borrow_mut(|calls| {
        let Some(call) = calls.last_mut() else {
            return refuse(AclError::RT_PARAM_INVALID, "no launch was begun: rtConfigureCall is missing");
        };
        if call.args.len() < end {
            call.args.resize(end, 0);
        }
        let room = &mut call.args[offset as usize..end];
        // SAFETY: readable for `bytes` (contract of the C function), which is the length of `room`.
        unsafe { std::ptr::copy_nonoverlapping(value.cast::<u8>(), room.as_mut_ptr(), room.len()) };
        Ok(())
    })
}

pub unsafe fn rtLaunch(stub: *const c_void) -> Answer {
    let Some(call) = CALLS.with_borrow_mut(Vec::pop) else {
        return refuse(AclError::RT_PARAM_INVALID, "no launch was begun: rtConfigureCall is missing");
    };
    launch_stub(stub, call.blocks, &call.args, StreamHandle(call.stream as *mut c_void))
}

pub unsafe fn rtProfSetProSwitch(data: *mut c_void, _bytes: u32) -> Answer {
    check_out("data", data)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A parameter of each kind that pyasc packs, with a value.
    fn parameter() -> impl Strategy<Value = (usize, bool, u64)> {
        prop_oneof![
            any::<u64>().prop_map(|v| (8, true, v)),
            any::<u32>().prop_map(|v| (4, false, v.into())),
            any::<u64>().prop_map(|v| (8, false, v)),
            any::<u8>().prop_map(|v| (1, false, v.into())),
        ]
    }

    proptest! {
        #[test]
        fn packed_values_reach_their_slots(list in proptest::collection::vec(parameter(), 0..20)) {
            let mut packed = Vec::new();
            let mut slots = Vec::new();
            let mut parameters = Vec::new();
            for (index, (size_bytes, is_pointer, value)) in list.iter().copied().enumerate() {
                packed.resize(packed.len().next_multiple_of(if is_pointer { 8 } else { 4 }), 0);
                packed.extend(&value.to_le_bytes()[..size_bytes]);
                packed.resize(packed.len().next_multiple_of(4), 0);
                slots.extend(value.to_le_bytes());
                parameters.push(Parameter { name: String::new(), offset: index * 8, size_bytes, is_pointer });
            }
            packed.resize(packed.len().next_multiple_of(8), 0);
            // A block of the kernel's own size is taken as it is; every other one is unpacked.
            if packed.len() != slots.len() {
                prop_assert_eq!(&*unpack(&parameters, slots.len(), &packed), &*slots);
            }
            prop_assert_eq!(&*unpack(&parameters, slots.len(), &slots), &*slots);
        }
    }
}
