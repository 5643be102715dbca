// Host part of a program whose two files define one tiling structure each, with the same name.
#include <cstdint>
#include <cstdio>

#include <acl/acl.h>

#if defined(CLASS_SAME) || defined(CLASS_OTHER)
#include <register/tilingdata_base.h>

// As an operator's host side defines it.
namespace optiling {
BEGIN_TILING_DATA_DEF(ScaleTiling)
TILING_DATA_FIELD_DEF(uint32_t, totalLength);
#ifdef CLASS_SAME
TILING_DATA_FIELD_DEF(uint32_t, tileLength);
TILING_DATA_FIELD_DEF(float, scale);
#else
TILING_DATA_FIELD_DEF(float, scale);
TILING_DATA_FIELD_DEF(uint32_t, tileLength);
#endif
TILING_DATA_FIELD_DEF(uint32_t, tileNum);
END_TILING_DATA_DEF;
}  // namespace optiling
#else
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
#endif

void launch(const void* tiling, int64_t* out);

int main()
{
    aclrtSetDevice(0);
    void *memory = nullptr, *tiling = nullptr;
    aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMalloc(&tiling, 64, ACL_MEM_MALLOC_HUGE_FIRST);
#if defined(CLASS_SAME) || defined(CLASS_OTHER)
    optiling::ScaleTiling fields;
    fields.set_totalLength(7);
    char data[64];
    fields.SaveToBuffer(data, sizeof(data));
    aclrtMemcpy(tiling, 64, data, fields.GetDataSize(), ACL_MEMCPY_HOST_TO_DEVICE);
#else
    ScaleTiling data = {};
    data.totalLength = 7;
    aclrtMemcpy(tiling, 64, &data, sizeof(data), ACL_MEMCPY_HOST_TO_DEVICE);
#endif
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
