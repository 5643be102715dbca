//! `aclrtAllocator…`: a user's allocator for the work memory of a stream.

use crate::sys::{
    Allocator, AllocatorAllocAdviseFunc, AllocatorAllocFunc, AllocatorDesc, AllocatorFreeFunc,
    AllocatorGetAddrFromBlockFunc, StreamHandle,
};

super::calls! {
    /// Bind user allocator to a stream.
    fn register(stream: StreamHandle, allocator_desc: AllocatorDesc) = aclrtAllocatorRegister(stream, allocator_desc);
    /// Read allocator bound to a stream.
    fn by_stream(stream: StreamHandle) -> (allocator_desc: AllocatorDesc, allocator: Allocator, alloc_func: AllocatorAllocFunc, free_func: AllocatorFreeFunc, alloc_advise_func: AllocatorAllocAdviseFunc, get_addr_from_block_func: AllocatorGetAddrFromBlockFunc) = aclrtAllocatorGetByStream(stream, allocator_desc, allocator, alloc_func, free_func, alloc_advise_func, get_addr_from_block_func);
    /// Unbind allocator.
    fn unregister(stream: StreamHandle) = aclrtAllocatorUnregister(stream);
    /// Allocator descriptor object.
    fn create_desc() => AllocatorDesc = aclrtAllocatorCreateDesc();
    /// Free allocator descriptor.
    fn destroy_desc(allocator_desc: AllocatorDesc) = aclrtAllocatorDestroyDesc(allocator_desc);
    /// Descriptor: user object.
    fn set_obj_to_desc(allocator_desc: AllocatorDesc, allocator: Allocator) = aclrtAllocatorSetObjToDesc(allocator_desc, allocator);
    /// Descriptor: alloc function.
    fn set_alloc_func_to_desc(allocator_desc: AllocatorDesc, func: AllocatorAllocFunc) = aclrtAllocatorSetAllocFuncToDesc(allocator_desc, func);
    /// Descriptor: free function.
    fn set_free_func_to_desc(allocator_desc: AllocatorDesc, func: AllocatorFreeFunc) = aclrtAllocatorSetFreeFuncToDesc(allocator_desc, func);
    /// Descriptor: alloc-at-hint function.
    fn set_alloc_advise_func_to_desc(allocator_desc: AllocatorDesc, func: AllocatorAllocAdviseFunc) = aclrtAllocatorSetAllocAdviseFuncToDesc(allocator_desc, func);
    /// Descriptor: block to address function.
    fn set_get_addr_from_block_func_to_desc(allocator_desc: AllocatorDesc, func: AllocatorGetAddrFromBlockFunc) = aclrtAllocatorSetGetAddrFromBlockFuncToDesc(allocator_desc, func);
}
