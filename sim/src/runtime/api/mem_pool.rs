//! Device memory that is handed out in stream order.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

not_supported! {
    aclrtMemPoolCreate(*mut MemPoolHandle, *const MemPoolProps) = "not modelled yet";
    aclrtMemPoolDestroy(MemPoolHandle) = "not modelled yet";
    aclrtMemPoolSetAttr(MemPoolHandle, MemPoolAttr, *mut c_void) = "not modelled yet";
    aclrtMemPoolGetAttr(MemPoolHandle, MemPoolAttr, *mut c_void) = "not modelled yet";
    aclrtMemPoolMallocAsync(*mut *mut c_void, usize, MemPoolHandle, StreamHandle) = "not modelled yet";
    aclrtMemPoolFreeAsync(*mut c_void, StreamHandle) = "not modelled yet";
    aclrtMemPoolTrimTo(MemPoolHandle, usize) = "not modelled yet";
}
