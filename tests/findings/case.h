// Host side of the cases: one program holds several kernels or variants, chosen by its first argument.
//
// A case defines `void run(const Case& c)` and launches what `c.is("name")` asks for; everything around it is here and is correct.
#ifndef FINDINGS_CASE_H
#define FINDINGS_CASE_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "acl/acl.h"
#include "kernel_operator.h"

class Case {
 public:
  explicit Case(const char* name, int32_t number = 0) : number(number), name_(name) {
    aclInit(nullptr);
    aclrtSetDevice(0);
    aclrtCreateStream(&stream);
  }
  ~Case() {
    aclrtSynchronizeStream(stream);
    for (void* block : blocks_) aclrtFree(block);
    aclrtDestroyStream(stream);
    aclrtResetDevice(0);
    aclFinalize();
  }
  Case(const Case&) = delete;

  bool is(const char* name) const { return std::strcmp(name, name_) == 0; }

  // Device memory, filled with ones (of type T).
  template <class T = float>
  GM_ADDR ones(size_t n) const {
    return filled<T>(n, T(1));
  }
  template <class T = float>
  GM_ADDR zeros(size_t n) const {
    return filled<T>(n, T(0));
  }
  // Device memory that nobody has written.
  GM_ADDR raw(size_t bytes) const {
    void* block = nullptr;
    aclrtMalloc(&block, bytes, ACL_MEM_MALLOC_HUGE_FIRST);
    blocks_.push_back(block);
    return static_cast<GM_ADDR>(block);
  }
  template <class T>
  GM_ADDR filled(size_t n, T value) const {
    const std::vector<T> host(n, value);
    GM_ADDR block = raw(n * sizeof(T));
    aclrtMemcpy(block, n * sizeof(T), host.data(), n * sizeof(T), ACL_MEMCPY_HOST_TO_DEVICE);
    return block;
  }

  aclrtStream stream = nullptr;
  const int32_t number;  // second argument of the program

 private:
  const char* name_;
  mutable std::vector<void*> blocks_;
};

void run(const Case& c);

int main(int argc, char** argv) {
  const Case c(argc > 1 ? argv[1] : "", argc > 2 ? std::atoi(argv[2]) : 0);
  run(c);
  return 0;
}

#endif
