// Host code in C++: launches stand in Ascend C units of the program and of two libraries.
#include "host.h"

extern "C" void launch_plain(int32_t* data, aclrtStream stream);
void launch_c_linkage(int32_t* data);
void launch_selected(int32_t* data, aclrtStream stream);
void launch_mixed(int32_t* data, aclrtStream stream);

int main() {
  Device device;
  int32_t* data = device.data;
  const aclrtStream stream = device.stream;
  int wrong = 0;
  wrong += device.wrong("static library", [&] { launch_offset(data, 9, stream); }, [](int32_t x) { return x + 9; });
  wrong += device.wrong("shared library", [&] { launch_scale(data, -3, stream); }, [](int32_t x) { return x * -3; });
  wrong += device.wrong("plain kernel", [&] { launch_plain(data, stream); }, [](int32_t x) { return 2 * x + 1; });
  wrong += device.wrong("C linkage", [&] { launch_c_linkage(data); }, [](int32_t x) { return x + OFFSET; });
  wrong += device.wrong("function pointer", [&] { launch_selected(data, stream); }, [](int32_t x) { return 5 * x; });
  wrong += device.wrong("mixed kernel", [&] { launch_mixed(data, stream); }, [](int32_t x) { return x + 7; });
  std::puts(wrong == 0 ? "PASS" : "FAIL");
  return wrong == 0 ? 0 : 1;
}
