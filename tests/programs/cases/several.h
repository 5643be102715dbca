#pragma once
#include <cstdint>

#include "acl/acl.h"
#include "kernel_operator.h"

int device_side(int x);
__global__ __vector__ void store(int64_t* out, int64_t value);
static __global__ __vector__ void stored_here(int64_t* out, int64_t value) { *out = value; }
