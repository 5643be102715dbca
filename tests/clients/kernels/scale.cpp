// The kernel, and the launch that the host calls.
#include "kernel_operator.h"
#include "scale.h"

extern "C" __global__ __aicore__ void scale_kernel(__gm__ int32_t* words)
{
    const int32_t block = AscendC::GetBlockIdx();
    words[block] = words[block] * FACTOR + CLIENT_BIAS;
    if (block == 0) {
        AscendC::printf("block 0 of %d\n", static_cast<int32_t>(AscendC::GetBlockNum()));
    }
}

int scale(uint32_t blocks, void* stream, int32_t* words)
{
    return static_cast<int>(scale_kernel<<<blocks, nullptr, stream>>>(words));
}
