/* Custom allocators: nothing yet; here because programs include it.
 * Written by toprope from the tables in abi/src/acl; do not edit. */
#ifndef TOPROPE_ACL_ACL_RT_ALLOCATOR_H
#define TOPROPE_ACL_ACL_RT_ALLOCATOR_H


#endif /* TOPROPE_ACL_ACL_RT_ALLOCATOR_H */
