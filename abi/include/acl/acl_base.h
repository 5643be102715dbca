/* The CANN runtime interface: types and error codes.
 * Written by toprope from the tables in abi/src/acl; do not edit. */
#ifndef TOPROPE_ACL_ACL_BASE_H
#define TOPROPE_ACL_ACL_BASE_H

#include "acl_base_rt.h"
#include "error_codes/rt_error_codes.h"

#endif /* TOPROPE_ACL_ACL_BASE_H */
