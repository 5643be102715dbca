//! `aclrtMemcpy…`, `aclrtMemset…`: pitched, batched and described copies.

use crate::sys::{MemcpyBatchAttr, MemcpyKind, StreamHandle};
use std::ffi::c_void;

super::calls! {
    /// Blocking fill with 32-bit value.
    fn set_d32(ptr: *mut c_void, mem_size: usize, value: u32, n: usize) = aclrtMemsetD32(ptr, mem_size, value, n);
    /// Queued fill with 32-bit value.
    fn set_d32_async(ptr: *mut c_void, mem_size: usize, value: u32, n: usize, stream: StreamHandle) = aclrtMemsetD32Async(ptr, mem_size, value, n, stream);
    /// Queued copy, sync fallback for pageable (old).
    fn copy_async_with_condition(dst: *mut c_void, dest_max: usize, src: *const c_void, count: usize, kind: MemcpyKind, stream: StreamHandle) = aclrtMemcpyAsyncWithCondition(dst, dest_max, src, count, kind, stream);
    /// Blocking pitched copy.
    fn copy_2d(dst: *mut c_void, dpitch: usize, src: *const c_void, spitch: usize, width: usize, height: usize, kind: MemcpyKind) = aclrtMemcpy2d(dst, dpitch, src, spitch, width, height, kind);
    /// Queued pitched copy.
    fn copy_2d_async(dst: *mut c_void, dpitch: usize, src: *const c_void, spitch: usize, width: usize, height: usize, kind: MemcpyKind, stream: StreamHandle) = aclrtMemcpy2dAsync(dst, dpitch, src, spitch, width, height, kind, stream);
    /// Size of copy descriptor.
    fn desc_size(kind: MemcpyKind) -> (desc_size: usize) = aclrtGetMemcpyDescSize(kind, desc_size);
    /// Fill copy descriptor.
    fn set_desc(desc: *mut c_void, kind: MemcpyKind, src_addr: *mut c_void, dst_addr: *mut c_void, count: usize, config: *mut c_void) = aclrtSetMemcpyDesc(desc, kind, src_addr, dst_addr, count, config);
    /// Queued copy through pointer-to-pointer plus offset.
    fn copy_async_with_offset(dst: *mut *mut c_void, dest_max: usize, dst_data_offset: usize, src: *mut *const c_void, count: usize, src_data_offset: usize, kind: MemcpyKind, stream: StreamHandle) = aclrtMemcpyAsyncWithOffset(dst, dest_max, dst_data_offset, src, count, src_data_offset, kind, stream);
    /// Queued copy from descriptor.
    fn copy_async_with_desc(desc: *mut c_void, kind: MemcpyKind, stream: StreamHandle) = aclrtMemcpyAsyncWithDesc(desc, kind, stream);
    /// Blocking list of copies.
    fn copy_batch(dsts: *mut *mut c_void, dest_maxs: *mut usize, srcs: *mut *mut c_void, sizes: *mut usize, num_batches: usize, attrs: *mut MemcpyBatchAttr, attrs_indexes: *mut usize, num_attrs: usize, fail_index: *mut usize) = aclrtMemcpyBatch(dsts, dest_maxs, srcs, sizes, num_batches, attrs, attrs_indexes, num_attrs, fail_index);
    /// Blocking list of copies, no fail index.
    fn copy_batch_v2(dsts: *mut *mut c_void, dest_maxs: *mut usize, srcs: *mut *mut c_void, sizes: *mut usize, num_batches: usize, attrs: *mut MemcpyBatchAttr, attrs_indexes: *mut usize, num_attrs: usize) = aclrtMemcpyBatchV2(dsts, dest_maxs, srcs, sizes, num_batches, attrs, attrs_indexes, num_attrs);
    /// Queued list of copies.
    fn copy_batch_async(dsts: *mut *mut c_void, dest_maxs: *mut usize, srcs: *mut *mut c_void, sizes: *mut usize, num_batches: usize, attrs: *mut MemcpyBatchAttr, attrs_indexes: *mut usize, num_attrs: usize, fail_index: *mut usize, stream: StreamHandle) = aclrtMemcpyBatchAsync(dsts, dest_maxs, srcs, sizes, num_batches, attrs, attrs_indexes, num_attrs, fail_index, stream);
    /// Queued list of copies, no fail index.
    fn copy_batch_async_v2(dsts: *mut *mut c_void, dest_maxs: *mut usize, srcs: *mut *mut c_void, sizes: *mut usize, num_batches: usize, attrs: *mut MemcpyBatchAttr, attrs_indexes: *mut usize, num_attrs: usize, stream: StreamHandle) = aclrtMemcpyBatchAsyncV2(dsts, dest_maxs, srcs, sizes, num_batches, attrs, attrs_indexes, num_attrs, stream);
}
