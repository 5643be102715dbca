// Host part of a program in several files: a kernel declared in a header, another defined in it.
#include <cstdint>
#include <cstdio>

#include "several.h"

int main()
{
    aclrtSetDevice(0);
    void* memory = nullptr;
    aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST);
    int64_t got[2] = {};
    store<<<1, nullptr, nullptr>>>(static_cast<int64_t*>(memory), 41);
    stored_here<<<1, nullptr, nullptr>>>(static_cast<int64_t*>(memory) + 1, 1);
    const aclError synchronized = aclrtSynchronizeDevice();
    aclrtMemcpy(got, sizeof(got), memory, sizeof(got), ACL_MEMCPY_DEVICE_TO_HOST);
    aclrtFree(memory);
    aclrtResetDevice(0);
    std::printf("%lld %lld\n", static_cast<long long>(got[0]), static_cast<long long>(got[1] + device_side(2)));
    return synchronized == ACL_SUCCESS ? 0 : 1;
}
