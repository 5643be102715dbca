//! `aclrtBinary…`, `aclrtFunction…`, `aclrtLaunchKernel…`.

use super::{AclApi, AclResult, answer};
use crate::sys::{BinHandle, FuncHandle, LaunchKernelAttr, LaunchKernelCfg, StreamHandle};
use std::ffi::{CStr, c_void};
use std::ptr::null_mut;

/// `aclrtBinaryLoadFromFile`.
///
/// # Safety
/// - A device is selected in this thread and alive.
/// - The file is trusted: the embedded runtime runs its code in this process.
pub unsafe fn load_file(api: &AclApi, path: &CStr) -> AclResult<BinHandle> {
    answer(BinHandle::NULL, |binary| {
        // SAFETY: a C string and a live handle to write to; no options.
        unsafe { (api.aclrtBinaryLoadFromFile)(path.as_ptr().cast(), null_mut(), binary) }
    })
}

/// `aclrtBinaryLoadFromData`.
///
/// # Safety
/// - A device is selected in this thread and alive.
/// - The bytes are trusted, see [`load_file`].
pub unsafe fn load_data(api: &AclApi, data: &[u8]) -> AclResult<BinHandle> {
    answer(BinHandle::NULL, |binary| {
        // SAFETY: live bytes and a live handle to write to; no options.
        unsafe { (api.aclrtBinaryLoadFromData)(data.as_ptr().cast(), data.len(), null_mut(), binary) }
    })
}

/// `aclrtBinaryUnLoad`.
///
/// # Safety
/// - `binary` is alive, its context is current, and none of its kernels runs or is launched afterwards.
pub unsafe fn unload(api: &AclApi, binary: BinHandle) -> AclResult {
    // SAFETY: promised by the caller.
    unsafe { (api.aclrtBinaryUnLoad)(binary) }.ok()
}

/// `aclrtBinaryGetFunction`.
///
/// # Safety
/// - `binary` is alive.
pub unsafe fn function(api: &AclApi, binary: BinHandle, name: &CStr) -> AclResult<FuncHandle> {
    answer(FuncHandle::NULL, |function| {
        // SAFETY: promised by the caller; a C string and a live handle to write to.
        unsafe { (api.aclrtBinaryGetFunction)(binary, name.as_ptr().cast(), function) }
    })
}

/// `aclrtFunctionGetParamCount`.
///
/// # Safety
/// - `function` is alive.
pub unsafe fn param_count(api: &AclApi, function: FuncHandle) -> AclResult<usize> {
    // SAFETY: promised by the caller; a live integer to write to.
    answer(0, |count| unsafe { (api.aclrtFunctionGetParamCount)(function.0, count) })
}

/// `aclrtFunctionGetParamInfo`: place and size of a parameter, bytes.
///
/// # Safety
/// - `function` is alive.
pub unsafe fn param_info(api: &AclApi, function: FuncHandle, index: usize) -> AclResult<(usize, usize)> {
    answer((0, 0), |(offset, size)| {
        // SAFETY: promised by the caller; two live integers to write to.
        unsafe { (api.aclrtFunctionGetParamInfo)(function.0, index, offset, size) }
    })
}

/// `aclrtLaunchKernelWithHostArgs` without place holders.
///
/// # Safety
/// - Both handles are alive (the stream may be null) and the stream's context is current.
/// - `args` are the arguments that the kernel takes; memory they point to lives until the stream has passed the launch.
pub unsafe fn launch(
    api: &AclApi,
    function: FuncHandle,
    num_blocks: u32,
    stream: StreamHandle,
    args: &[u64],
    attrs: &[LaunchKernelAttr],
) -> AclResult {
    // The runtime copies the arguments and writes to the copy only, and reads the attributes, so that shared slices do.
    let (ptr, bytes) = (args.as_ptr().cast_mut().cast::<c_void>(), size_of_val(args));
    let mut cfg = LaunchKernelCfg { attrs: attrs.as_ptr().cast_mut(), num_attrs: attrs.len() };
    let cfg = if attrs.is_empty() { null_mut() } else { &raw mut cfg };
    // SAFETY: promised by the caller; arguments and attributes are live during the call.
    unsafe {
        (api.aclrtLaunchKernelWithHostArgs)(function, num_blocks, stream, cfg, ptr, bytes, null_mut(), 0)
    }
    .ok()
}
