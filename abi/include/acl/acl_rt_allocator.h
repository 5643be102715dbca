/* The CANN runtime interface: allocators of the program's own.
 * Written by toprope from the tables in abi/src/acl; do not edit. */
#ifndef TOPROPE_ACL_ACL_RT_ALLOCATOR_H
#define TOPROPE_ACL_ACL_RT_ALLOCATOR_H

#include "acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif


typedef void* aclrtAllocatorDesc; /* The description of a user's allocator */
typedef void* aclrtAllocator; /* A user's allocator; only its functions know what it is */
typedef void* aclrtAllocatorBlock; /* A block of a user's allocator */
typedef void* aclrtAllocatorAddr; /* An address in a block of a user's allocator */

/* Allocates a block */
typedef void* (*aclrtAllocatorAllocFunc)(aclrtAllocator allocator, size_t size);

/* Frees a block */
typedef void (*aclrtAllocatorFreeFunc)(aclrtAllocator allocator, aclrtAllocatorBlock block);

/* Allocates a block, if possible at an address */
typedef void* (*aclrtAllocatorAllocAdviseFunc)(aclrtAllocator allocator, size_t size, aclrtAllocatorAddr addr);

/* The address of a block */
typedef void* (*aclrtAllocatorGetAddrFromBlockFunc)(aclrtAllocatorBlock block);

/* Bind user allocator to a stream. */
ACL_FUNC_VISIBILITY aclError aclrtAllocatorRegister(aclrtStream stream, aclrtAllocatorDesc allocatorDesc);

/* Read allocator bound to a stream. */
ACL_FUNC_VISIBILITY aclError aclrtAllocatorGetByStream(aclrtStream stream, aclrtAllocatorDesc* allocatorDesc, aclrtAllocator* allocator, aclrtAllocatorAllocFunc* allocFunc, aclrtAllocatorFreeFunc* freeFunc, aclrtAllocatorAllocAdviseFunc* allocAdviseFunc, aclrtAllocatorGetAddrFromBlockFunc* getAddrFromBlockFunc);

/* Unbind allocator. */
ACL_FUNC_VISIBILITY aclError aclrtAllocatorUnregister(aclrtStream stream);

/* Allocator descriptor object. */
ACL_FUNC_VISIBILITY aclrtAllocatorDesc aclrtAllocatorCreateDesc(void);

/* Free allocator descriptor. */
ACL_FUNC_VISIBILITY aclError aclrtAllocatorDestroyDesc(aclrtAllocatorDesc allocatorDesc);

/* Descriptor: user object. */
ACL_FUNC_VISIBILITY aclError aclrtAllocatorSetObjToDesc(aclrtAllocatorDesc allocatorDesc, aclrtAllocator allocator);

/* Descriptor: alloc function. */
ACL_FUNC_VISIBILITY aclError aclrtAllocatorSetAllocFuncToDesc(aclrtAllocatorDesc allocatorDesc, aclrtAllocatorAllocFunc func);

/* Descriptor: free function. */
ACL_FUNC_VISIBILITY aclError aclrtAllocatorSetFreeFuncToDesc(aclrtAllocatorDesc allocatorDesc, aclrtAllocatorFreeFunc func);

/* Descriptor: alloc-at-hint function. */
ACL_FUNC_VISIBILITY aclError aclrtAllocatorSetAllocAdviseFuncToDesc(aclrtAllocatorDesc allocatorDesc, aclrtAllocatorAllocAdviseFunc func);

/* Descriptor: block to address function. */
ACL_FUNC_VISIBILITY aclError aclrtAllocatorSetGetAddrFromBlockFuncToDesc(aclrtAllocatorDesc allocatorDesc, aclrtAllocatorGetAddrFromBlockFunc func);

#ifdef __cplusplus
}
#endif

#endif /* TOPROPE_ACL_ACL_RT_ALLOCATOR_H */
