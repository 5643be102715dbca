//! Unified addressing and managed memory.

use crate::sys::{
    MemManagedAdviseType, MemManagedLocation, MemManagedRangeAttribute, PtrAttributes, StreamHandle,
};
use std::ffi::c_void;

super::calls! {
    /// Location kind and device of an address.
    fn pointer_get_attributes(ptr: *const c_void) -> (attributes: PtrAttributes) = aclrtPointerGetAttributes(ptr, attributes);
    /// One attribute of managed range.
    fn attr(attribute: MemManagedRangeAttribute, ptr: *const c_void, size: usize, data: *mut c_void, data_size: usize) = aclrtMemManagedGetAttr(attribute, ptr, size, data, data_size);
    /// Several attributes of managed range.
    fn attrs(attributes: *mut MemManagedRangeAttribute, num_attributes: usize, ptr: *const c_void, size: usize, data: *mut *mut c_void, data_sizes: *mut usize) = aclrtMemManagedGetAttrs(attributes, num_attributes, ptr, size, data, data_sizes);
    /// Memory visible to host and device.
    fn mem_alloc(size: u64, flag: u32) -> (ptr: *mut c_void) = aclrtMemAllocManaged(ptr, size, flag);
    /// Placement hint for managed range.
    fn advise(ptr: *const c_void, size: u64, advise: MemManagedAdviseType, location: MemManagedLocation) = aclrtMemManagedAdvise(ptr, size, advise, location);
    /// Map range to another device.
    fn mem_p2p_map(dev_ptr: *mut c_void, size: usize, dst_dev_id: i32, flags: u64) = aclrtMemP2PMap(dev_ptr, size, dst_dev_id, flags);
    /// Queued migration of managed range.
    fn prefetch_async(ptr: *const c_void, size: usize, location: MemManagedLocation, flags: u32, stream: StreamHandle) = aclrtMemManagedPrefetchAsync(ptr, size, location, flags, stream);
    /// Queued migration of many ranges.
    fn prefetch_batch_async(ptrs: *mut *const c_void, sizes: *mut usize, count: usize, prefetch_locs: *mut MemManagedLocation, prefetch_loc_idxs: *mut usize, num_prefetch_locs: usize, flags: u64, stream: StreamHandle) = aclrtMemManagedPrefetchBatchAsync(ptrs, sizes, count, prefetch_locs, prefetch_loc_idxs, num_prefetch_locs, flags, stream);
}
