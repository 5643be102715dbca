// Host side of the test programs: an array on the device, and a comparison.
#ifndef HOST_H
#define HOST_H

#include <acl/acl.h>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <vector>

constexpr uint32_t BLOCKS = 4;
constexpr uint32_t BLOCK_ELEMENTS = 256;

// Launches of the libraries: all change `data`, an array of BLOCKS * BLOCK_ELEMENTS numbers on the device.
void launch_offset(int32_t* data, int32_t offset, aclrtStream stream);
extern "C" void launch_scale(int32_t* data, int32_t factor, aclrtStream stream);

class Device {
 public:
  Device() {
    aclInit(nullptr);
    aclrtSetDevice(0);
    aclrtCreateStream(&stream);
    aclrtMalloc(reinterpret_cast<void**>(&data), bytes(), ACL_MEM_MALLOC_HUGE_FIRST);
  }
  ~Device() {
    aclrtFree(data);
    aclrtDestroyStream(stream);
    aclrtResetDevice(0);
    aclFinalize();
  }

  // Number of elements that `work` did not turn into what `expected` says.
  int wrong(const char* name, const std::function<void()>& work, const std::function<int32_t(int32_t)>& expected) {
    std::vector<int32_t> host(BLOCKS * BLOCK_ELEMENTS);
    for (size_t i = 0; i < host.size(); ++i) host[i] = static_cast<int32_t>(i) - 100;
    const std::vector<int32_t> before = host;
    aclrtMemcpy(data, bytes(), host.data(), bytes(), ACL_MEMCPY_HOST_TO_DEVICE);
    work();
    const aclError code = aclrtSynchronizeStream(stream);
    aclrtMemcpy(host.data(), bytes(), data, bytes(), ACL_MEMCPY_DEVICE_TO_HOST);
    int wrong = code == ACL_SUCCESS ? 0 : 1;
    for (size_t i = 0; i < host.size(); ++i) wrong += host[i] != expected(before[i]);
    if (wrong != 0) std::printf("%s: %d wrong (code %d)\n", name, wrong, code);
    return wrong;
  }

  static size_t bytes() { return BLOCKS * BLOCK_ELEMENTS * sizeof(int32_t); }

  int32_t* data = nullptr;
  aclrtStream stream = nullptr;
};

#endif
