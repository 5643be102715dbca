//! Unified addressing and managed memory.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

not_supported! {
    aclrtPointerGetAttributes(*const c_void, *mut PtrAttributes) = "not modelled yet";
    aclrtMemManagedGetAttr(MemManagedRangeAttribute, *const c_void, usize, *mut c_void, usize) = "not modelled yet";
    aclrtMemManagedGetAttrs(*mut MemManagedRangeAttribute, usize, *const c_void, usize, *mut *mut c_void, *mut usize) = "not modelled yet";
    aclrtMemAllocManaged(*mut *mut c_void, u64, u32) = "not modelled yet";
    aclrtMemManagedAdvise(*const c_void, u64, MemManagedAdviseType, MemManagedLocation) = "not modelled yet";
    aclrtMemP2PMap(*mut c_void, usize, i32, u64) = "not modelled yet";
    aclrtMemManagedPrefetchAsync(*const c_void, usize, MemManagedLocation, u32, StreamHandle) = "not modelled yet";
    aclrtMemManagedPrefetchBatchAsync(*mut *const c_void, *mut usize, usize, *mut MemManagedLocation, *mut usize, usize, u64, StreamHandle) = "not modelled yet";
}
