//! `aclrtMemPool…`: device memory that is handed out in stream order.

use crate::sys::{MemPoolAttr, MemPoolHandle, MemPoolProps, StreamHandle};
use std::ffi::c_void;

super::calls! {
    /// New stream-ordered pool.
    fn create(pool_props: *const MemPoolProps) -> (mem_pool: MemPoolHandle) = aclrtMemPoolCreate(mem_pool, pool_props);
    /// Free pool.
    fn destroy(mem_pool: MemPoolHandle) = aclrtMemPoolDestroy(mem_pool);
    /// Write pool attribute.
    fn set_attr(mem_pool: MemPoolHandle, attr: MemPoolAttr, value: *mut c_void) = aclrtMemPoolSetAttr(mem_pool, attr, value);
    /// Read pool attribute.
    fn attr(mem_pool: MemPoolHandle, attr: MemPoolAttr, value: *mut c_void) = aclrtMemPoolGetAttr(mem_pool, attr, value);
    /// Queued allocation from pool.
    fn malloc_async(size: usize, mem_pool: MemPoolHandle, stream: StreamHandle) -> (ptr: *mut c_void) = aclrtMemPoolMallocAsync(ptr, size, mem_pool, stream);
    /// Queued release to pool.
    fn free_async(ptr: *mut c_void, stream: StreamHandle) = aclrtMemPoolFreeAsync(ptr, stream);
    /// Shrink pool reserve.
    fn trim_to(mem_pool: MemPoolHandle, min_bytes_to_keep: usize) = aclrtMemPoolTrimTo(mem_pool, min_bytes_to_keep);
}
