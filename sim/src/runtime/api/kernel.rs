//! Kernel binaries and their kernels.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

use super::super::binary::{Binary, ExceptionHook, Function};
use super::super::code;
use super::super::diag;
use super::super::exception;
use super::super::failure::{Answer, Failure, guarded, invalid, refuse};
use super::super::handle::{HandleTable, Kind};
use super::super::launch::hardware_sync_addr;
use super::super::rt::stubs;
use super::super::state::runtime;
use super::super::symbol;
use super::{check_out, give, give_text, text};
use std::ffi::c_void;
use std::sync::{Arc, LazyLock};
use toprope_abi::acl::{Binary as BinaryDesc, *};
use toprope_abi::layout::CChar;

/// Most options or attributes that are believed.
const MAX_LIST: usize = 64;

/// A C array of a struct; an empty one for null.
///
/// # Safety
/// `first` is null or points to `count` elements that live as long as the result.
pub(super) unsafe fn list<'a, T>(name: &str, first: *const T, count: usize) -> Answer<&'a [T]> {
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

/// What the options of a load ask for.
#[derive(Clone, Copy, Debug, Default)]
struct LoadOptions {
    is_lazy: bool,
}

/// Kinds of kernels that a magic number names. All are served alike: a kernel itself says where it runs.
const MAGICS: [u32; 3] = [BINARY_MAGIC_ELF_AICORE, BINARY_MAGIC_ELF_VECTOR_CORE, BINARY_MAGIC_ELF_CUBE_CORE];

/// Reads the options.
///
/// # Safety
/// `options` is null or valid, with its list.
unsafe fn options_of(options: *const BinaryLoadOptions) -> Answer<LoadOptions> {
    let mut found = LoadOptions::default();
    if options.is_null() {
        return Ok(found);
    }
    // SAFETY: not null, valid (contract).
    let options = unsafe { options.read_unaligned() };
    // SAFETY: the list is valid (contract).
    for option in unsafe { list("options", options.options, options.num_opt) }? {
        // SAFETY: every member of the union is a number of this size.
        let value = unsafe { option.value.magic };
        match option.ty {
            BinaryLoadOptionType::LAZY_LOAD if value <= 1 => found.is_lazy = value == 1,
            BinaryLoadOptionType::MAGIC if MAGICS.contains(&value) => {}
            BinaryLoadOptionType::CPU_KERNEL_MODE => {
                return refuse(
                    AclError::RT_FEATURE_NOT_SUPPORT,
                    "AI CPU kernels (ACL_RT_BINARY_LOAD_OPT_CPU_KERNEL_MODE) are not modelled",
                );
            }
            BinaryLoadOptionType::LAZY_LOAD | BinaryLoadOptionType::MAGIC => {
                let text =
                    format!("load option {} has the value {value:#x}, which it cannot have", option.ty.0);
                return refuse(AclError::RT_PARAM_INVALID, text);
            }
            _ => {
                return refuse(
                    AclError::RT_PARAM_INVALID,
                    format!("load option {} is not known", option.ty.0),
                );
            }
        }
    }
    Ok(found)
}

unsafe fn give_binary(out: *mut BinHandle, mut binary: Binary, options: LoadOptions) -> Answer {
    binary.is_lazy = options.is_lazy;
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
    let options = unsafe { options_of(options) }?;
    let binary = Binary::from_file(runtime().binaries.reserve(), &path)?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give_binary(bin, binary, options) }
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
    let options = unsafe { options_of(options) }?;
    // SAFETY: readable for `length` bytes; a module's pointers follow `core_face` (contract of the C function).
    unsafe { load_data(data, length, options, bin) }
}

/// Loads a binary from memory.
///
/// # Safety
/// As [`Binary::from_data`]; `bin` is valid for writing.
unsafe fn load_data(data: *const c_void, length: usize, options: LoadOptions, bin: *mut BinHandle) -> Answer {
    if length == 0 {
        return refuse(AclError::RT_PARAM_INVALID, "`length` is 0; there is nothing to load");
    }
    // SAFETY: `data` is readable for `length` bytes (contract of the C function); the module's pointers are checked to
    // be of this process, and follow `core_face` if the program was built by toprope.
    let binary = unsafe { Binary::from_data(runtime().binaries.reserve(), data.cast(), length) };
    let binary = binary.inspect_err(|failure| diag::refused_launch("kernels of the program", failure))?;
    // SAFETY: valid for writing (contract).
    unsafe { give_binary(bin, binary, options) }
}

pub unsafe fn aclrtBinaryUnLoad(bin: BinHandle) -> Answer {
    unload(bin.0)
}

/// Takes a binary and its kernels away; launches that are queued keep the code.
pub(in super::super) fn unload(bin: *mut c_void) -> Answer {
    let runtime = runtime();
    let binary = runtime.binaries.remove(bin)?;
    stubs::forget_binary(binary.handle);
    runtime.functions.remove_if(|function| Arc::ptr_eq(&function.binary, &binary));
    Ok(())
}

/// A kernel object in the program's memory (`aclrtBinary`); the program keeps the memory.
#[derive(Debug)]
struct Descriptor {
    data: u64,
    length: usize,
}

static DESCRIPTORS: LazyLock<HandleTable<Descriptor>> = LazyLock::new(|| HandleTable::new(Kind::KernelData));

pub unsafe fn aclrtCreateBinary(data: *const c_void, length: usize) -> BinaryDesc {
    if data.is_null() || length == 0 {
        let _ = guarded("aclrtCreateBinary", || {
            invalid(format!("`data` is {data:p} with {length} bytes; it must hold a kernel object"))
        });
        return BinaryDesc::NULL;
    }
    let handle = DESCRIPTORS.reserve();
    DESCRIPTORS.insert(handle, Arc::new(Descriptor { data: data as u64, length }));
    BinaryDesc(handle as *mut c_void)
}

pub unsafe fn aclrtDestroyBinary(binary: BinaryDesc) -> Answer {
    check_out("binary", binary.0)?;
    DESCRIPTORS.remove(binary.0).map(|_| ())
}

pub unsafe fn aclrtBinaryLoad(binary: BinaryDesc, bin: *mut BinHandle) -> Answer {
    check_out("binary", binary.0)?;
    check_out("binHandle", bin)?;
    let found = DESCRIPTORS.get(binary.0)?;
    let data = found.data as *const c_void;
    // SAFETY: the program said that this memory holds `length` bytes and keeps it until the descriptor is destroyed
    // (contract of `aclrtCreateBinary`).
    unsafe { load_data(data, found.length, LoadOptions::default(), bin) }
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
    let runtime = runtime();
    let binary = runtime.binaries.get(bin.0)?;
    let handle = binary.function_by_entry(entry, &runtime.functions)?;
    // SAFETY: as above.
    unsafe { give("funcHandle", out, FuncHandle(handle as *mut c_void)) }
}

pub unsafe fn aclrtGetFuncBySymbol(symbol: *const c_void, out: *mut FuncHandle) -> Answer {
    check_out("symbol", symbol)?;
    check_out("funcHandle", out)?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("funcHandle", out, FuncHandle::NULL) }?;
    let found = stubs::function_of(symbol)?;
    // SAFETY: as above.
    unsafe { give("funcHandle", out, FuncHandle(found.handle as *mut c_void)) }
}

pub unsafe fn aclrtFunctionGetBinary(func: FuncHandle, out: *mut BinHandle) -> Answer {
    check_out("binHandle", out)?;
    let function = function(func.0)?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("binHandle", out, BinHandle(function.binary.handle as *mut c_void)) }
}

pub unsafe fn aclrtBinaryGetDevAddress(bin: BinHandle, addr: *mut *mut c_void, size: *mut usize) -> Answer {
    check_out("binAddr", addr)?;
    check_out("binSize", size)?;
    let binary = runtime().binaries.get(bin.0)?;
    let (at, bytes) = code::image(binary.code_address())?;
    // Documented: nothing is on the device yet when the binary was loaded lazily.
    let at = if binary.is_lazy { 0 } else { at };
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("binAddr", addr, at as *mut c_void) }?;
    // SAFETY: as above.
    unsafe { give("binSize", size, bytes) }
}

pub unsafe fn aclrtBinaryGetGlobal(
    bin: BinHandle,
    name: *const CChar,
    address: *mut *mut c_void,
    size: *mut usize,
) -> Answer {
    // SAFETY: NUL-terminated or null (contract of the C function).
    let name = unsafe { text("name", name) }?;
    if address.is_null() && size.is_null() {
        return invalid("`dptr` and `size` are both null; there is nothing to answer");
    }
    let binary = runtime().binaries.get(bin.0)?;
    let variable = symbol::find_named(binary.handle, &name).ok_or_else(|| {
        let text = format!("{} has no device variable `{name}`", binary.origin);
        Failure::new(AclError::RT_SYMBOL_NOT_FOUND, text)
            .help("variables are known by rtRegisterVariable; or pass a buffer of aclrtMalloc to the kernel")
    })?;
    if !address.is_null() {
        let at = variable.address_on(runtime().current()?.device)?;
        // SAFETY: not null, valid for writing (contract of the C function).
        unsafe { give("dptr", address, at as *mut c_void) }?;
    }
    if size.is_null() {
        return Ok(());
    }
    // SAFETY: as above.
    unsafe { give("size", size, variable.bytes() as usize) }
}

pub unsafe fn aclrtBinarySetExceptionCallback(
    bin: BinHandle,
    callback: OpExceptionCallback,
    user_data: *mut c_void,
) -> Answer {
    let binary = runtime().binaries.get(bin.0)?;
    let hook = callback.0.map(|callback| ExceptionHook { callback, user_data: user_data as u64 });
    let had_one = std::mem::replace(&mut *binary.on_exception.lock(), hook).is_some();
    exception::binary_changed(had_one, hook.is_some());
    Ok(())
}

pub unsafe fn aclrtRegisterCpuFunc(
    bin: BinHandle,
    func_name: *const CChar,
    kernel_name: *const CChar,
    out: *mut FuncHandle,
) -> Answer {
    check_out("funcName", func_name)?;
    check_out("kernelName", kernel_name)?;
    check_out("funcHandle", out)?;
    let binary = runtime().binaries.get(bin.0)?;
    let text = format!("{} holds no AI CPU kernels; only those are registered by name", binary.origin);
    Err(Failure::new(AclError::RT_PARAM_INVALID, text)
        .help("AI Core kernels are found with aclrtBinaryGetFunction; AI CPU kernels are not modelled"))
}

pub unsafe fn aclrtGetFunctionAddr(func: FuncHandle, aic: *mut *mut c_void, aiv: *mut *mut c_void) -> Answer {
    check_out("aicAddr", aic)?;
    check_out("aivAddr", aiv)?;
    let function = function(func.0)?;
    let on = function.kernel_type.cores_per_block();
    let entry = function.kernel.kernel().entry.cast_mut();
    let of = |cores: u32| if cores > 0 { entry } else { std::ptr::null_mut() };
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("aicAddr", aic, of(on.0)) }?;
    // SAFETY: as above.
    unsafe { give("aivAddr", aiv, of(on.1)) }
}

pub unsafe fn aclrtGetFunctionSize(func: FuncHandle, aic: *mut usize, aiv: *mut usize) -> Answer {
    check_out("aicSize", aic)?;
    check_out("aivSize", aiv)?;
    let function = function(func.0)?;
    let bytes = code::function_bytes(function.kernel.kernel().entry as u64).ok_or_else(|| {
        let text = format!("the size of kernel `{}` is not known: its program has no symbols", function.name);
        Failure::new(AclError::RT_FEATURE_NOT_SUPPORT, text).help("do not strip the program or kernel object")
    })?;
    let on = function.kernel_type.cores_per_block();
    let of = |cores: u32| if cores > 0 { bytes } else { 0 };
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("aicSize", aic, of(on.0)) }?;
    // SAFETY: as above.
    unsafe { give("aivSize", aiv, of(on.1)) }
}

pub unsafe fn aclrtGetFunctionAttribute(func: FuncHandle, attr: FuncAttribute, value: *mut i64) -> Answer {
    check_out("attrValue", value)?;
    let function = function(func.0)?;
    let (aic, aiv) = function.kernel_type.cores_per_block();
    let answer = match attr {
        FuncAttribute::KERNEL_TYPE => match (aic, aiv) {
            (0, _) => i64::from(KernelType::VECTOR.0),
            (_, 0) => i64::from(KernelType::CUBE.0),
            _ => i64::from(KernelType::MIX.0),
        },
        // Two 16-bit numbers: vector cores below, cube cores above.
        FuncAttribute::KERNEL_RATIO => i64::from(aic) << 16 | i64::from(aiv),
        // Blocks of a kernel never wait for each other to be scheduled here: the normal mode.
        FuncAttribute::KERNEL_SCHED_MODE => 0,
        attr => {
            let text = format!("`attrType` is {}, which is no aclrtFuncAttribute", attr.0);
            return refuse(AclError::RT_PARAM_INVALID, text);
        }
    };
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("attrValue", value, answer) }
}

pub unsafe fn aclrtFunctionGetAvailDynUbufPerBlock(
    func: *mut c_void,
    flags: u32,
    size: *mut usize,
) -> Answer {
    check_out("func", func)?;
    check_out("dynamicUbufSize", size)?;
    function(func)?;
    if flags != 0 {
        return refuse(AclError::RT_PARAM_INVALID, format!("`flags` is {flags}; it must be 0"));
    }
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("dynamicUbufSize", size, 0) }
}

pub unsafe fn aclrtGetHardwareSyncAddr(addr: *mut *mut c_void) -> Answer {
    check_out("addr", addr)?;
    let device = runtime().current()?.device.index;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("addr", addr, hardware_sync_addr(device) as *mut c_void) }
}

/// The kernel of a handle.
pub(super) fn function(handle: *const c_void) -> Answer<Arc<Function>> {
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

/// The kernel that a callback was called for.
///
/// # Safety
/// `info` is null or the pointer that a callback got and that is still valid.
unsafe fn failed_kernel(info: *const ExceptionInfo) -> Answer<exception::Exception> {
    check_out("info", info)?;
    // SAFETY: not null, and callbacks get pointers to `Exception` (contract).
    let what = unsafe { info.cast::<exception::Exception>().read() };
    if what.function != 0 {
        return Ok(what);
    }
    let text = "the task that failed was no kernel, or the callback was set after its launch";
    refuse(AclError::RT_PARAM_INVALID, text)
}

pub unsafe fn aclrtGetArgsFromExceptionInfo(
    info: *const ExceptionInfo,
    args: *mut *mut c_void,
    length: *mut u32,
) -> Answer {
    check_out("devArgsPtr", args)?;
    check_out("devArgsLen", length)?;
    // SAFETY: the same contract.
    let what = unsafe { failed_kernel(info) }?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("devArgsPtr", args, what.args as *mut c_void) }?;
    // SAFETY: as above.
    unsafe { give("devArgsLen", length, what.args_bytes) }
}

pub unsafe fn aclrtGetFuncHandleFromExceptionInfo(
    info: *const ExceptionInfo,
    out: *mut FuncHandle,
) -> Answer {
    check_out("func", out)?;
    // SAFETY: the same contract.
    let what = unsafe { failed_kernel(info) }?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("func", out, FuncHandle(what.function as *mut c_void)) }
}
