//! `aclrtCmo…`: cache operations.

use crate::sys::{BarrierTaskInfo, CmoType, StreamHandle};
use std::ffi::c_void;

super::calls! {
    /// Queued cache prefetch/flush/invalidate.
    fn run_async(src: *mut c_void, size: usize, cmo_type: CmoType, stream: StreamHandle) = aclrtCmoAsync(src, size, cmo_type, stream);
    /// Queued cache op with barrier id.
    fn run_async_with_barrier(src: *mut c_void, size: usize, cmo_type: CmoType, barrier_id: u32, stream: StreamHandle) = aclrtCmoAsyncWithBarrier(src, size, cmo_type, barrier_id, stream);
    /// Queued wait for cache barrier.
    fn wait_barrier(task_info: *mut BarrierTaskInfo, stream: StreamHandle, flag: u32) = aclrtCmoWaitBarrier(task_info, stream, flag);
    /// Size of cache-op descriptor.
    fn desc_size() -> (size: usize) = aclrtCmoGetDescSize(size);
    /// Fill cache-op descriptor.
    fn set_desc(cmo_desc: *mut c_void, src: *mut c_void, size: usize) = aclrtCmoSetDesc(cmo_desc, src, size);
    /// Queued cache op from descriptor.
    fn run_async_with_desc(cmo_desc: *mut c_void, cmo_type: CmoType, stream: StreamHandle, reserve: *const c_void) = aclrtCmoAsyncWithDesc(cmo_desc, cmo_type, stream, reserve);
}
