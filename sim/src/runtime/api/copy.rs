//! Copies and fills in one and two dimensions and in batches.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

not_supported! {
    aclrtMemsetD32(*mut c_void, usize, u32, usize) = "not modelled yet";
    aclrtMemsetD32Async(*mut c_void, usize, u32, usize, StreamHandle) = "not modelled yet";
    aclrtMemcpyAsyncWithCondition(*mut c_void, usize, *const c_void, usize, MemcpyKind, StreamHandle) = "not modelled yet";
    aclrtMemcpy2d(*mut c_void, usize, *const c_void, usize, usize, usize, MemcpyKind) = "not modelled yet";
    aclrtMemcpy2dAsync(*mut c_void, usize, *const c_void, usize, usize, usize, MemcpyKind, StreamHandle) = "not modelled yet";
    aclrtGetMemcpyDescSize(MemcpyKind, *mut usize) = "not modelled yet";
    aclrtSetMemcpyDesc(*mut c_void, MemcpyKind, *mut c_void, *mut c_void, usize, *mut c_void) = "not modelled yet";
    aclrtMemcpyAsyncWithOffset(*mut *mut c_void, usize, usize, *mut *const c_void, usize, usize, MemcpyKind, StreamHandle) = "not modelled yet";
    aclrtMemcpyAsyncWithDesc(*mut c_void, MemcpyKind, StreamHandle) = "not modelled yet";
    aclrtMemcpyBatch(*mut *mut c_void, *mut usize, *mut *mut c_void, *mut usize, usize, *mut MemcpyBatchAttr, *mut usize, usize, *mut usize) = "not modelled yet";
    aclrtMemcpyBatchV2(*mut *mut c_void, *mut usize, *mut *mut c_void, *mut usize, usize, *mut MemcpyBatchAttr, *mut usize, usize) = "not modelled yet";
    aclrtMemcpyBatchAsync(*mut *mut c_void, *mut usize, *mut *mut c_void, *mut usize, usize, *mut MemcpyBatchAttr, *mut usize, usize, *mut usize, StreamHandle) = "not modelled yet";
    aclrtMemcpyBatchAsyncV2(*mut *mut c_void, *mut usize, *mut *mut c_void, *mut usize, usize, *mut MemcpyBatchAttr, *mut usize, usize, StreamHandle) = "not modelled yet";
}
