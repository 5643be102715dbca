//! `aclrtMalloc…`, `aclrtFree…`, `aclrtMemcpy…`, `aclrtMemset…`.

use super::{AclApi, AclResult, answer};
use crate::sys::{MallocConfig, MemMallocPolicy, MemUsageInfo, MemcpyKind, StreamHandle};
use std::ffi::c_void;
use std::ptr::null_mut;

/// `aclrtMalloc`.
///
/// # Safety
/// - A device is selected in this thread and alive.
pub unsafe fn malloc(api: &AclApi, bytes: usize, policy: MemMallocPolicy) -> AclResult<*mut c_void> {
    // SAFETY: a live pointer to write to.
    answer(null_mut(), |ptr| unsafe { (api.aclrtMalloc)(ptr, bytes, policy) })
}

/// `aclrtFree`.
///
/// # Safety
/// - `ptr` comes from [`malloc`] and nothing uses it any more, on host or device.
pub unsafe fn free(api: &AclApi, ptr: *mut c_void) -> AclResult {
    // SAFETY: promised by the caller.
    unsafe { (api.aclrtFree)(ptr) }.ok()
}

/// `aclrtMallocHost`.
///
/// # Safety
/// - A device is selected in this thread and alive.
pub unsafe fn malloc_host(api: &AclApi, bytes: usize) -> AclResult<*mut c_void> {
    // SAFETY: a live pointer to write to.
    answer(null_mut(), |ptr| unsafe { (api.aclrtMallocHost)(ptr, bytes) })
}

/// `aclrtFreeHost`.
///
/// # Safety
/// - `ptr` comes from [`malloc_host`] and nothing uses it any more.
pub unsafe fn free_host(api: &AclApi, ptr: *mut c_void) -> AclResult {
    // SAFETY: promised by the caller.
    unsafe { (api.aclrtFreeHost)(ptr) }.ok()
}

/// Destination, source and size of a copy.
#[derive(Debug, Clone, Copy)]
pub struct Copy {
    /// Where to.
    pub dst: *mut c_void,
    /// Room there, bytes.
    pub dst_bytes: usize,
    /// Where from.
    pub src: *const c_void,
    /// How much, bytes.
    pub bytes: usize,
    /// Between which memories.
    pub kind: MemcpyKind,
}

/// `aclrtMemcpy`.
///
/// # Safety
/// - Both ranges are valid for their sizes, of the memories that `kind` says, and nothing else uses them meanwhile.
pub unsafe fn copy(api: &AclApi, c: Copy) -> AclResult {
    // SAFETY: promised by the caller.
    unsafe { (api.aclrtMemcpy)(c.dst, c.dst_bytes, c.src, c.bytes, c.kind) }.ok()
}

/// `aclrtMemcpyAsync`.
///
/// # Safety
/// - As [`copy`], until the stream has passed the copy.
/// - `stream` is null or alive, and its context is current.
pub unsafe fn copy_async(api: &AclApi, c: Copy, stream: StreamHandle) -> AclResult {
    // SAFETY: promised by the caller.
    unsafe { (api.aclrtMemcpyAsync)(c.dst, c.dst_bytes, c.src, c.bytes, c.kind, stream) }.ok()
}

/// `aclrtMemset`: sets `bytes` bytes to `value`.
///
/// # Safety
/// - `ptr` is device memory of at least `bytes` bytes that nothing else uses meanwhile.
pub unsafe fn set(api: &AclApi, ptr: *mut c_void, value: u8, bytes: usize) -> AclResult {
    // SAFETY: promised by the caller.
    unsafe { (api.aclrtMemset)(ptr, bytes, i32::from(value), bytes) }.ok()
}

/// `aclrtMemsetAsync`.
///
/// # Safety
/// - As [`set`], until the stream has passed it.
/// - `stream` is null or alive, and its context is current.
pub unsafe fn set_async(
    api: &AclApi,
    ptr: *mut c_void,
    value: u8,
    bytes: usize,
    stream: StreamHandle,
) -> AclResult {
    // SAFETY: promised by the caller.
    unsafe { (api.aclrtMemsetAsync)(ptr, bytes, i32::from(value), bytes, stream) }.ok()
}

super::calls! {
    /// Device memory, no extra 32-byte pad.
    fn malloc_align32(size: usize, policy: MemMallocPolicy) -> (dev_ptr: *mut c_void) = aclrtMallocAlign32(dev_ptr, size, policy);
    /// Device memory with cache enabled.
    fn malloc_cached(size: usize, policy: MemMallocPolicy) -> (dev_ptr: *mut c_void) = aclrtMallocCached(dev_ptr, size, policy);
    /// Device memory with attribute list.
    fn malloc_with_cfg(size: usize, policy: MemMallocPolicy, cfg: *mut MallocConfig) -> (dev_ptr: *mut c_void) = aclrtMallocWithCfg(dev_ptr, size, policy, cfg);
    /// Device memory for the scheduler.
    fn malloc_for_task_scheduler(size: usize, policy: MemMallocPolicy, cfg: *mut MallocConfig) -> (dev_ptr: *mut c_void) = aclrtMallocForTaskScheduler(dev_ptr, size, policy, cfg);
    /// Write back cached range.
    fn mem_flush(dev_ptr: *mut c_void, size: usize) = aclrtMemFlush(dev_ptr, size);
    /// Drop cached range.
    fn mem_invalidate(dev_ptr: *mut c_void, size: usize) = aclrtMemInvalidate(dev_ptr, size);
    /// Wait for device, then release.
    fn free_with_dev_sync(dev_ptr: *mut c_void) = aclrtFreeWithDevSync(dev_ptr);
    /// Bytes used per component.
    fn mem_usage_info(device_id: i32, mem_usage_info: *mut MemUsageInfo, input_num: usize) -> (output_num: usize) = aclrtGetMemUsageInfo(device_id, mem_usage_info, input_num, output_num);
    /// Do addresses belong to given memory types.
    fn check_mem_type(addr_list: *mut *mut c_void, size: u32, mem_type: u32, check_result: *mut u32, reserve: u32) = aclrtCheckMemType(addr_list, size, mem_type, check_result, reserve);
}
