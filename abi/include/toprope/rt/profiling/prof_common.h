/* Some releases have the records of the profiling hooks here. */
#ifndef TOPROPE_RT_PROF_COMMON_H
#define TOPROPE_RT_PROF_COMMON_H

#include "aprof_pub.h"

#endif
