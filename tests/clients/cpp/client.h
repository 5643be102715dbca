// What both files of this client use.
#pragma once

#include <cstdio>
#include <cstdlib>

#include "acl/acl.h"

/// Ends the program if a call fails or a condition does not hold.
#define CHECK(condition)                                                                        \
    do {                                                                                        \
        if (!(condition)) {                                                                     \
            const char* text = aclGetRecentErrMsg();                                            \
            std::printf("%s:%d: %s\n%s\n", __FILE__, __LINE__, #condition, text ? text : ""); \
            std::exit(1);                                                                       \
        }                                                                                       \
    } while (0)

#define OK(call) CHECK((call) == ACL_SUCCESS)

/// Every function of acl/acl_rt_api.h.
void overloads();
