// Host part of a program whose two files define one tiling structure each, with the same name.
#include <cstdint>
#include <cstdio>

#include <acl/acl.h>

struct ScaleTiling
{
    uint32_t totalLength;
    uint32_t tileLength;
#ifdef SAME
    float scale;
    uint32_t tileNum;
#else
    uint64_t tileNum;
    float scale;
#endif
};

void launch(const void* tiling, int64_t* out);

int main()
{
    aclrtSetDevice(0);
    void *memory = nullptr, *tiling = nullptr;
    aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMalloc(&tiling, 64, ACL_MEM_MALLOC_HUGE_FIRST);
    ScaleTiling data = {};
    data.totalLength = 7;
    aclrtMemcpy(tiling, 64, &data, sizeof(data), ACL_MEMCPY_HOST_TO_DEVICE);
    launch(tiling, static_cast<int64_t*>(memory));
    aclrtSynchronizeDevice();
    int64_t got = 0;
    aclrtMemcpy(&got, sizeof(got), memory, sizeof(got), ACL_MEMCPY_DEVICE_TO_HOST);
    aclrtFree(memory);
    aclrtFree(tiling);
    aclrtResetDevice(0);
    std::printf("total %lld\n", static_cast<long long>(got));
    return 0;
}
