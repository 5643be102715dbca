//! Shared message buffers.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

not_supported! {
    aclrtGetBufFromChain(MbufHandle, u32, *mut MbufHandle) = "not modelled yet";
    aclrtGetBufChainNum(MbufHandle, *mut u32) = "not modelled yet";
    aclrtAppendBufChain(MbufHandle, MbufHandle) = "not modelled yet";
    aclrtCopyBufRef(MbufHandle, *mut MbufHandle) = "not modelled yet";
    aclrtGetBufUserData(MbufHandle, *mut c_void, usize, usize) = "not modelled yet";
    aclrtSetBufUserData(MbufHandle, *const c_void, usize, usize) = "not modelled yet";
    aclrtGetBufData(MbufHandle, *mut *mut c_void, *mut usize) = "not modelled yet";
    aclrtGetBufDataLen(MbufHandle, *mut usize) = "not modelled yet";
    aclrtSetBufDataLen(MbufHandle, usize) = "not modelled yet";
    aclrtFreeBuf(MbufHandle) = "not modelled yet";
    aclrtAllocBuf(*mut MbufHandle, usize) = "not modelled yet";
}
