// A C++ host program: threads that share a device, owners that free what they hold.
#include <algorithm>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "client.h"
#include "version/cann_version.h"

namespace {

struct FreeDevice {
    void operator()(void* at) const { OK(aclrtFree(at)); }
};
using DeviceMemory = std::unique_ptr<void, FreeDevice>;

DeviceMemory device_memory(size_t bytes)
{
    void* at = nullptr;
    OK(aclrtMalloc(&at, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
    return DeviceMemory(at);
}

/// A thread with its own stream moves its numbers to the device and back, many times.
void work(uint32_t seed)
{
    constexpr size_t count = 1000;
    OK(aclrtSetDevice(0));
    aclrtStream stream = nullptr;
    OK(aclrtCreateStream(&stream));
    DeviceMemory device = device_memory(count * sizeof(uint32_t));
    void* pinned = nullptr;
    OK(aclrtMallocHost(&pinned, count * sizeof(uint32_t)));
    uint32_t* numbers = static_cast<uint32_t*>(pinned);
    for (uint32_t round = 0; round < 20; round++) {
        for (size_t i = 0; i < count; i++) {
            numbers[i] = seed * 1000003u + round * 101u + static_cast<uint32_t>(i);
        }
        const size_t bytes = count * sizeof(uint32_t);
        OK(aclrtMemcpyAsync(device.get(), bytes, numbers, bytes, ACL_MEMCPY_HOST_TO_DEVICE, stream));
        // The stream is in order: the memory is overwritten only after it was read.
        OK(aclrtSynchronizeStream(stream));
        std::fill(numbers, numbers + count, 0u);
        OK(aclrtMemcpyAsync(numbers, bytes, device.get(), bytes, ACL_MEMCPY_DEVICE_TO_HOST, stream));
        OK(aclrtSynchronizeStream(stream));
        for (size_t i = 0; i < count; i++) {
            CHECK(numbers[i] == seed * 1000003u + round * 101u + static_cast<uint32_t>(i));
        }
    }
    OK(aclrtFreeHost(pinned));
    OK(aclrtDestroyStream(stream));
}

void versions()
{
    int32_t number = 0;
    char package[] = "runtime";
    OK(aclsysGetVersionNum(package, &number));
    CHECK(number == CANN_VERSION_NUM);
    char text[ACL_PKG_VERSION_MAX_SIZE] = {};
    OK(aclsysGetVersionStr(package, text));
    CHECK(std::string(text) == CANN_VERSION_STR);
    std::printf("ok: the version of the headers is that of the library\n");
}

} // namespace

int main()
{
    OK(aclInit(nullptr));
    OK(aclrtSetDevice(0));
    versions();
    std::vector<std::thread> threads;
    for (uint32_t seed = 1; seed <= 4; seed++) {
        threads.emplace_back(work, seed);
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    std::printf("ok: four threads share a device\n");
    overloads();
    OK(aclrtResetDeviceForce(0));
    OK(aclFinalize());
    std::printf("PASS\n");
    return 0;
}
