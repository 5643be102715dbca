/* The CANN runtime interface: device memory that is handed out in stream order.
 * Written by toprope from the tables in abi/src/acl; do not edit. */
#ifndef TOPROPE_ACL_ACL_RT_MEMORY_SOMA_H
#define TOPROPE_ACL_ACL_RT_MEMORY_SOMA_H

#include "acl_rt.h"

#ifdef __cplusplus
extern "C" {
#endif


/* New stream-ordered pool. */
ACL_FUNC_VISIBILITY aclError aclrtMemPoolCreate(aclrtMemPool* memPool, const aclrtMemPoolProps* poolProps);

/* Free pool. */
ACL_FUNC_VISIBILITY aclError aclrtMemPoolDestroy(aclrtMemPool memPool);

/* Write pool attribute. */
ACL_FUNC_VISIBILITY aclError aclrtMemPoolSetAttr(aclrtMemPool memPool, aclrtMemPoolAttr attr, void* value);

/* Read pool attribute. */
ACL_FUNC_VISIBILITY aclError aclrtMemPoolGetAttr(aclrtMemPool memPool, aclrtMemPoolAttr attr, void* value);

/* Queued allocation from pool. */
ACL_FUNC_VISIBILITY aclError aclrtMemPoolMallocAsync(void** ptr, size_t size, aclrtMemPool memPool, aclrtStream stream);

/* Queued release to pool. */
ACL_FUNC_VISIBILITY aclError aclrtMemPoolFreeAsync(void* ptr, aclrtStream stream);

/* Shrink pool reserve. */
ACL_FUNC_VISIBILITY aclError aclrtMemPoolTrimTo(aclrtMemPool memPool, size_t minBytesToKeep);

#ifdef __cplusplus
}
#endif

#endif /* TOPROPE_ACL_ACL_RT_MEMORY_SOMA_H */
