#include "host.h"

int main() {
  Device device;
  const int wrong = device.wrong("offset", [&] { launch_offset(device.data, -5, device.stream); }, [](int32_t x) { return x - 5; });
  std::puts(wrong == 0 ? "PASS" : "FAIL");
  return wrong == 0 ? 0 : 1;
}
