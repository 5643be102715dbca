//! Allocators of the program's own.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

not_supported! {
    aclrtAllocatorRegister(StreamHandle, AllocatorDesc) = "not modelled yet";
    aclrtAllocatorGetByStream(StreamHandle, *mut AllocatorDesc, *mut Allocator, *mut AllocatorAllocFunc, *mut AllocatorFreeFunc, *mut AllocatorAllocAdviseFunc, *mut AllocatorGetAddrFromBlockFunc) = "not modelled yet";
    aclrtAllocatorUnregister(StreamHandle) = "not modelled yet";
    aclrtAllocatorCreateDesc() -> AllocatorDesc = "not modelled yet";
    aclrtAllocatorDestroyDesc(AllocatorDesc) = "not modelled yet";
    aclrtAllocatorSetObjToDesc(AllocatorDesc, Allocator) = "not modelled yet";
    aclrtAllocatorSetAllocFuncToDesc(AllocatorDesc, AllocatorAllocFunc) = "not modelled yet";
    aclrtAllocatorSetFreeFuncToDesc(AllocatorDesc, AllocatorFreeFunc) = "not modelled yet";
    aclrtAllocatorSetAllocAdviseFuncToDesc(AllocatorDesc, AllocatorAllocAdviseFunc) = "not modelled yet";
    aclrtAllocatorSetGetAddrFromBlockFuncToDesc(AllocatorDesc, AllocatorGetAddrFromBlockFunc) = "not modelled yet";
}
