// What the self-checking programs of this folder share: device buffers, comparison, one verdict at the end.
#ifndef TEST_CHECK_H
#define TEST_CHECK_H

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "kernel_operator.h"

namespace test {

inline int failures = 0;
inline int comparisons = 0;

inline void Acl(aclError error, const char* what) {
  if (error == ACL_SUCCESS) return;
  const char* message = aclGetRecentErrMsg();
  std::printf("FAIL: %s gives %d\n%s\n", what, static_cast<int>(error), message ? message : "");
  std::exit(1);
}
#define ACL(call) ::test::Acl((call), #call)

// A device buffer with its copy on the host.
template <class T>
struct Buffer {
  std::vector<T> host;
  T* device = nullptr;

  explicit Buffer(size_t n, T fill = T(0)) : host(n, fill) {
    ACL(aclrtMalloc(reinterpret_cast<void**>(&device), n * sizeof(T), ACL_MEM_MALLOC_HUGE_FIRST));
    Upload();
  }
  explicit Buffer(const std::vector<T>& values) : Buffer(values.size()) {
    host = values;
    Upload();
  }
  ~Buffer() { aclrtFree(device); }
  Buffer(const Buffer&) = delete;
  void Upload() { ACL(aclrtMemcpy(device, Bytes(), host.data(), Bytes(), ACL_MEMCPY_HOST_TO_DEVICE)); }
  void Download() { ACL(aclrtMemcpy(host.data(), Bytes(), device, Bytes(), ACL_MEMCPY_DEVICE_TO_HOST)); }
  size_t Bytes() const { return host.size() * sizeof(T); }
};

template <class T>
std::string Text(T value) {
  char text[64];
  std::snprintf(text, sizeof(text), "%.9g", static_cast<double>(value));
  return text;
}

// Distance in representable values; 0 also for two NaNs.
inline int64_t Ordered(uint64_t bits, int width) {
  const uint64_t sign = 1ull << (width - 1);
  return bits & sign ? -static_cast<int64_t>(bits & (sign - 1)) : static_cast<int64_t>(bits);
}
template <class T>
int64_t UlpDistance(T a, T b) {
  if (static_cast<float>(a) != static_cast<float>(a) && static_cast<float>(b) != static_cast<float>(b)) return 0;
  uint64_t x = 0, y = 0;
  std::memcpy(&x, &a, sizeof(T));
  std::memcpy(&y, &b, sizeof(T));
  const int64_t distance = Ordered(x, 8 * sizeof(T)) - Ordered(y, 8 * sizeof(T));
  return distance < 0 ? -distance : distance;
}

// `ulps` 0: bit for bit (integers always).
template <class T>
void ExpectEqual(const std::string& name, const std::vector<T>& got, const std::vector<T>& want, int64_t ulps = 0) {
  ++comparisons;
  if (got.size() != want.size()) {
    ++failures;
    std::printf("%s: %zu elements, expected %zu\n", name.c_str(), got.size(), want.size());
    return;
  }
  int shown = 0;
  for (size_t i = 0; i < got.size(); ++i) {
    const bool same = std::memcmp(&got[i], &want[i], sizeof(T)) == 0;
    if (same || (ulps != 0 && UlpDistance(got[i], want[i]) <= ulps)) continue;
    if (shown++ == 0) ++failures;
    if (shown <= 3) std::printf("%s: [%zu] = %s, expected %s\n", name.c_str(), i, Text(got[i]).c_str(), Text(want[i]).c_str());
  }
}
inline void Expect(bool condition, const std::string& name) {
  ++comparisons;
  if (condition) return;
  ++failures;
  std::printf("%s is wrong\n", name.c_str());
}

// Runs the tests of a program between set-up and tear-down of the device.
inline int Run(void (*tests)(aclrtStream)) {
  ACL(aclInit(nullptr));
  ACL(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  ACL(aclrtCreateStream(&stream));
  tests(stream);
  ACL(aclrtDestroyStream(stream));
  ACL(aclrtResetDevice(0));
  ACL(aclFinalize());
  if (failures == 0)
    std::printf("PASS: %d comparisons\n", comparisons);
  else
    std::printf("FAIL: %d of %d comparisons\n", failures, comparisons);
  return failures == 0 ? 0 : 1;
}

// Numbers of both signs with many different bits; never 0.
template <class T>
std::vector<T> Numbers(size_t n, uint32_t seed, double scale) {
  std::vector<T> values(n);
  uint32_t state = seed;
  for (size_t i = 0; i < n; ++i) {
    state = state * 1664525u + 1013904223u;
    double v = (static_cast<double>(state >> 8) / 16777216.0 - 0.5) * 2 * scale;
    if (static_cast<float>(static_cast<T>(static_cast<float>(v))) == 0.0f) v = 1;
    values[i] = static_cast<T>(static_cast<float>(v));
  }
  return values;
}

// Order between the pipes of tests that do not care about speed.
TR_API void Everything() { AscendC::PipeBarrier<PIPE_ALL>(); }

}  // namespace test

#endif
