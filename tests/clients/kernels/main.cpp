// Launches the kernel from the library, then from the file that is loaded.
#include <cstdio>
#include <cstdlib>

#include "acl/acl.h"
#include "scale.h"

#define CHECK(condition)                                                                        \
    do {                                                                                        \
        if (!(condition)) {                                                                     \
            const char* text = aclGetRecentErrMsg();                                            \
            std::printf("%s:%d: %s\n%s\n", __FILE__, __LINE__, #condition, text ? text : ""); \
            return 1;                                                                           \
        }                                                                                       \
    } while (0)
#define OK(call) CHECK((call) == ACL_SUCCESS)

int main(int argc, char** argv)
{
    CHECK(argc == 2);
    constexpr uint32_t blocks = 6;
    int32_t host[blocks] = {0, 1, 2, 3, 4, 5};
    void* device = nullptr;
    aclrtStream stream = nullptr;
    OK(aclInit(nullptr));
    OK(aclrtSetDevice(0));
    OK(aclrtCreateStream(&stream));
    OK(aclrtMalloc(&device, sizeof host, ACL_MEM_MALLOC_HUGE_FIRST));
    OK(aclrtMemcpy(device, sizeof host, host, sizeof host, ACL_MEMCPY_HOST_TO_DEVICE));

    OK(scale(blocks, stream, static_cast<int32_t*>(device)));
    // The kernel prints, so its launch has waited: forcing the stream away loses nothing.
    OK(aclrtDestroyStreamForce(stream));
    OK(aclrtMemcpy(host, sizeof host, device, sizeof host, ACL_MEMCPY_DEVICE_TO_HOST));
    for (uint32_t i = 0; i < blocks; i++) {
        CHECK(host[i] == static_cast<int32_t>(i) * FACTOR + 5);
    }
    CHECK(scale(0, nullptr, static_cast<int32_t*>(device)) != ACL_SUCCESS);

    aclrtBinHandle binary = nullptr;
    aclrtFuncHandle function = nullptr;
    OK(aclrtBinaryLoadFromFile(argv[1], nullptr, &binary));
    OK(aclrtBinaryGetFunction(binary, "scale_kernel", &function));
    OK(aclrtLaunchKernelWithHostArgs(function, blocks, nullptr, nullptr, &device, sizeof device, nullptr, 0));
    OK(aclrtSynchronizeDevice());
    OK(aclrtMemcpy(host, sizeof host, device, sizeof host, ACL_MEMCPY_DEVICE_TO_HOST));
    for (uint32_t i = 0; i < blocks; i++) {
        CHECK(host[i] == (static_cast<int32_t>(i) * FACTOR + 5) * FACTOR + 7);
    }
    OK(aclrtBinaryUnLoad(binary));
    OK(aclrtFree(device));
    OK(aclrtResetDevice(0));
    OK(aclFinalize());
    std::printf("PASS\n");
    return 0;
}
