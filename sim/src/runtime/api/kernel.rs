//! Kernel binaries and launches.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

use super::super::binary::{Binary, Function};
use super::super::diag;
use super::super::failure::{Answer, Failure, refuse};
use super::super::launch::{Attributes, MAX_ARGS_BYTES, Request};
use super::super::process;
use super::super::state::runtime;
use super::super::stream::Work;
use super::{check_out, give, give_text, text};
use std::ffi::c_void;
use std::sync::Arc;
use std::time::Duration;
use toprope_abi::acl::{
    AclError, BinHandle, BinaryLoadOptionType, BinaryLoadOptions, FuncHandle, LaunchKernelAttr,
    LaunchKernelAttrId, LaunchKernelCfg, PlaceHolderInfo, StreamHandle,
};
use toprope_abi::layout::CChar;

/// Most options or attributes that are believed.
const MAX_LIST: usize = 64;

/// A C array of a struct; an empty one for null.
///
/// # Safety
/// `first` is null or points to `count` elements that live as long as the result.
unsafe fn list<'a, T>(name: &str, first: *const T, count: usize) -> Answer<&'a [T]> {
    if count == 0 {
        return Ok(&[]);
    }
    if first.is_null() || !first.is_aligned() || count > MAX_LIST {
        let text = format!(
            "`{name}` is {first:p} with {count} entries; it must point to at most {MAX_LIST} entries"
        );
        return refuse(AclError::RT_PARAM_INVALID, text);
    }
    // SAFETY: not null, aligned (checked) and `count` long (contract).
    Ok(unsafe { std::slice::from_raw_parts(first, count) })
}

/// Checks the options; none of them changes anything here.
///
/// # Safety
/// `options` is null or valid, with its list.
unsafe fn check_options(options: *const BinaryLoadOptions) -> Answer {
    if options.is_null() {
        return Ok(());
    }
    // SAFETY: not null, valid (contract).
    let options = unsafe { options.read_unaligned() };
    // SAFETY: the list is valid (contract).
    let list = unsafe { list("options", options.options, options.num_opt) }?;
    let known =
        [BinaryLoadOptionType::LAZY_LOAD, BinaryLoadOptionType::MAGIC, BinaryLoadOptionType::CPU_KERNEL_MODE];
    match list.iter().find(|option| !known.contains(&option.ty)) {
        Some(option) => {
            refuse(AclError::RT_PARAM_INVALID, format!("load option {} is not known", option.ty.0))
        }
        None => Ok(()),
    }
}

unsafe fn give_binary(out: *mut BinHandle, binary: Binary) -> Answer {
    let handle = binary.handle;
    runtime().binaries.insert(handle, Arc::new(binary));
    // SAFETY: valid for writing (contract of the C functions that call this).
    unsafe { give("binHandle", out, BinHandle(handle as *mut c_void)) }
}

pub unsafe fn aclrtBinaryLoadFromFile(
    path: *const CChar,
    options: *mut BinaryLoadOptions,
    bin: *mut BinHandle,
) -> Answer {
    check_out("binHandle", bin)?;
    // SAFETY: NUL-terminated or null (contract of the C function).
    let path = unsafe { text("binPath", path) }?;
    // SAFETY: valid or null (contract of the C function).
    unsafe { check_options(options) }?;
    let binary = Binary::from_file(runtime().binaries.reserve(), &path)?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give_binary(bin, binary) }
}

pub unsafe fn aclrtBinaryLoadFromData(
    data: *const c_void,
    length: usize,
    options: *const BinaryLoadOptions,
    bin: *mut BinHandle,
) -> Answer {
    check_out("binHandle", bin)?;
    check_out("data", data)?;
    // SAFETY: valid or null (contract of the C function).
    unsafe { check_options(options) }?;
    // SAFETY: `data` is readable for `length` bytes (contract of the C function); the module's pointers are checked to
    // be of this process, and follow `core_face` if the program was built by toprope.
    let binary = unsafe { Binary::from_data(runtime().binaries.reserve(), data.cast(), length) };
    let binary = binary.inspect_err(|failure| diag::refused_launch("kernels of the program", failure))?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give_binary(bin, binary) }
}

pub unsafe fn aclrtBinaryUnLoad(bin: BinHandle) -> Answer {
    let runtime = runtime();
    let binary = runtime.binaries.remove(bin.0)?;
    runtime.functions.remove_if(|function| Arc::ptr_eq(&function.binary, &binary));
    Ok(())
}

pub unsafe fn aclrtBinaryGetFunction(bin: BinHandle, name: *const CChar, out: *mut FuncHandle) -> Answer {
    check_out("funcHandle", out)?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("funcHandle", out, FuncHandle::NULL) }?;
    // SAFETY: NUL-terminated or null (contract of the C function).
    let name = unsafe { text("kernelName", name) }?;
    let runtime = runtime();
    let found = runtime.binaries.get(bin.0).and_then(|binary| binary.function(&name, &runtime.functions));
    let handle = found.inspect_err(|failure| diag::refused_launch(&name, failure))?;
    // SAFETY: as above.
    unsafe { give("funcHandle", out, FuncHandle(handle as *mut c_void)) }
}

pub unsafe fn aclrtBinaryGetFunctionByEntry(bin: BinHandle, entry: u64, out: *mut FuncHandle) -> Answer {
    check_out("funcHandle", out)?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("funcHandle", out, FuncHandle::NULL) }?;
    runtime().binaries.get(bin.0)?;
    let text = format!("kernels compiled by toprope have names, not entry numbers (asked for entry {entry})");
    Err(Failure::new(AclError::RT_FEATURE_NOT_SUPPORT, text)
        .help("use aclrtBinaryGetFunction with the kernel's name"))
}

fn function(handle: *const c_void) -> Answer<Arc<Function>> {
    runtime().functions.get(handle.cast_mut())
}

pub unsafe fn aclrtGetFunctionName(func: FuncHandle, max_len: u32, name: *mut CChar) -> Answer {
    check_out("name", name)?;
    if max_len == 0 {
        return refuse(
            AclError::RT_PARAM_INVALID,
            "`maxLen` is 0; there must be room for at least the final zero",
        );
    }
    let function = function(func.0)?;
    // SAFETY: room for `max_len` characters, at least 1 (contract of the C function, checked above).
    unsafe { give_text(name, max_len as usize, &function.name) };
    Ok(())
}

pub unsafe fn aclrtFunctionGetParamCount(func: *const c_void, count: *mut usize) -> Answer {
    check_out("paramCount", count)?;
    let function = function(func)?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("paramCount", count, function.parameters.len()) }
}

pub unsafe fn aclrtFunctionGetParamInfo(
    func: *const c_void,
    index: usize,
    offset: *mut usize,
    size: *mut usize,
) -> Answer {
    check_out("paramOffset", offset)?;
    let function = function(func)?;
    let Some(parameter) = function.parameters.get(index) else {
        let count = function.parameters.len();
        let text = format!("`paramIndex` is {index}, but kernel `{}` has {count} parameters", function.name);
        return refuse(AclError::RT_PARAM_INVALID, text);
    };
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("paramOffset", offset, parameter.offset) }?;
    if size.is_null() {
        return Ok(());
    }
    // SAFETY: as above, not null.
    unsafe { give("paramSize", size, parameter.size_bytes) }
}

/// Attributes that exist but change nothing on dav-2201.
const WITHOUT_EFFECT: [LaunchKernelAttrId; 7] = [
    LaunchKernelAttrId::SCHEM_MODE,
    LaunchKernelAttrId::DYN_UBUF_SIZE,
    LaunchKernelAttrId::ENGINE_TYPE,
    LaunchKernelAttrId::BLOCKDIM_OFFSET,
    LaunchKernelAttrId::BLOCK_TASK_PREFETCH,
    LaunchKernelAttrId::DATA_DUMP,
    LaunchKernelAttrId::ENABLE_PROFILING,
];

fn attributes_of(list: &[LaunchKernelAttr]) -> Answer<Attributes> {
    let mut attributes = Attributes::default();
    for attr in list {
        let limit = match attr.id {
            // SAFETY: the id says that this field counts; every field is plain numbers.
            LaunchKernelAttrId::TIMEOUT => Duration::from_secs(u64::from(unsafe { attr.value.timeout_s })),
            LaunchKernelAttrId::TIMEOUT_US => {
                // SAFETY: as above.
                let us = unsafe { attr.value.timeout_us };
                Duration::from_micros(u64::from(us.timeout_high) << 32 | u64::from(us.timeout_low))
            }
            id if WITHOUT_EFFECT.contains(&id) => continue,
            id => {
                return refuse(AclError::RT_PARAM_INVALID, format!("launch attribute {} is not known", id.0));
            }
        };
        if attributes.time_limit.is_some() {
            return refuse(
                AclError::RT_PARAM_INVALID,
                "the time limit is given twice; use one of TIMEOUT and TIMEOUT_US",
            );
        }
        attributes.time_limit = Some((!limit.is_zero()).then_some(limit));
    }
    Ok(attributes)
}

#[allow(clippy::too_many_arguments, reason = "the C signature")]
pub unsafe fn aclrtLaunchKernelWithHostArgs(
    func: FuncHandle,
    num_blocks: u32,
    stream: StreamHandle,
    cfg: *mut LaunchKernelCfg,
    args: *mut c_void,
    args_bytes: usize,
    place_holders: *mut PlaceHolderInfo,
    place_holder_count: usize,
) -> Answer {
    process::check_not_forked()?;
    let function = function(func.0)?;
    let name = function.name.clone();
    let launch = || -> Answer {
        let stream = runtime().stream_here(stream.0)?;
        if args_bytes > MAX_ARGS_BYTES || (args.is_null() && args_bytes > 0) {
            let text = format!(
                "`hostArgs` is {args:p} with {args_bytes} bytes; at most {MAX_ARGS_BYTES} are possible"
            );
            return refuse(AclError::RT_PARAM_INVALID, text);
        }
        let bytes = match args_bytes {
            0 => &[][..],
            // SAFETY: not null (checked above), readable for `args_bytes` (contract of the C function).
            _ => unsafe { std::slice::from_raw_parts(args.cast::<u8>(), args_bytes) },
        };
        let attributes = if cfg.is_null() {
            Attributes::default()
        } else {
            // SAFETY: not null, valid (contract of the C function).
            let cfg = unsafe { cfg.read_unaligned() };
            // SAFETY: the list is valid (contract of the C function).
            attributes_of(unsafe { list("cfg", cfg.attrs, cfg.num_attrs) }?)?
        };
        // SAFETY: valid (contract of the C function).
        let holders = unsafe { list("placeHolderArray", place_holders, place_holder_count) }?;
        let holders: Vec<_> =
            holders.iter().map(|h| (h.addr_offset as usize, h.data_offset as usize)).collect();
        let request = Request { function, num_blocks, args: bytes, place_holders: &holders, attributes };
        let work = request.prepare(runtime(), &stream)?;
        stream.enqueue(Work::Kernel(Box::new(work)))
    };
    launch().inspect_err(|failure| {
        // Faults of earlier work were printed when they happened.
        if failure.code.0 < 507_000 {
            diag::refused_launch(&name, failure);
        }
    })
}

not_supported! {
    aclrtGetArgsFromExceptionInfo(*const ExceptionInfo, *mut *mut c_void, *mut u32) = "not modelled yet";
    aclrtGetFuncHandleFromExceptionInfo(*const ExceptionInfo, *mut FuncHandle) = "not modelled yet";
    aclrtBinarySetExceptionCallback(BinHandle, OpExceptionCallback, *mut c_void) = "not modelled yet";
    aclrtLaunchKernel(FuncHandle, u32, *const c_void, usize, StreamHandle) = "not modelled yet";
    aclrtGetFuncBySymbol(*const c_void, *mut FuncHandle) = "not modelled yet";
    aclrtLaunchKernelWithConfig(FuncHandle, u32, StreamHandle, *mut LaunchKernelCfg, ArgsHandle, *mut c_void) = "not modelled yet";
    aclrtLaunchKernelV2(FuncHandle, u32, *const c_void, usize, *mut LaunchKernelCfg, StreamHandle) = "not modelled yet";
    aclrtLaunchKernelWithArgsArray(*mut c_void, u32, StreamHandle, *mut LaunchKernelCfg, *mut *mut c_void) = "not modelled yet";
    aclrtGetHardwareSyncAddr(*mut *mut c_void) = "not modelled yet";
    aclrtGetFunctionAttribute(FuncHandle, FuncAttribute, *mut i64) = "not modelled yet";
    aclrtFunctionGetBinary(FuncHandle, *mut BinHandle) = "not modelled yet";
    aclrtCreateBinary(*const c_void, usize) -> Binary = "not modelled yet";
    aclrtDestroyBinary(Binary) = "not modelled yet";
    aclrtBinaryLoad(Binary, *mut BinHandle) = "not modelled yet";
    aclrtBinaryGetDevAddress(BinHandle, *mut *mut c_void, *mut usize) = "not modelled yet";
    aclrtBinaryGetGlobal(BinHandle, *const CChar, *mut *mut c_void, *mut usize) = "not modelled yet";
    aclrtGetFunctionAddr(FuncHandle, *mut *mut c_void, *mut *mut c_void) = "not modelled yet";
    aclrtGetFunctionSize(FuncHandle, *mut usize, *mut usize) = "not modelled yet";
    aclrtRegisterCpuFunc(BinHandle, *const CChar, *const CChar, *mut FuncHandle) = "not modelled yet";
    aclrtLaunchSIMTKernelWithArgsArray(*mut c_void, Dim3, Dim3, usize, StreamHandle, *mut LaunchKernelCfg, *mut *mut c_void) = "not modelled yet";
    aclrtLaunchSIMTKernelWithHostArgs(*mut c_void, Dim3, Dim3, usize, StreamHandle, *mut LaunchKernelCfg, *mut c_void, usize, *mut PlaceHolderInfo, usize) = "not modelled yet";
    aclrtFunctionGetAvailDynUbufPerBlock(*mut c_void, u32, *mut usize) = "not modelled yet";
}
