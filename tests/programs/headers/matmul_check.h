// What the programs about the high-level Matmul share: problems of small whole numbers, their products, tilings written by hand.
#ifndef TEST_MATMUL_CHECK_H
#define TEST_MATMUL_CHECK_H

#include "check.h"
#include "lib/matmul_intf.h"

namespace test {

// Sizes of a product and how it is cut up.
struct Cut {
  uint32_t m, n, k;
  uint32_t base_m, base_n, base_k;
  uint32_t step_m = 1, step_n = 1, step_ka = 1, step_kb = 1, slots = 1, order = 0, halves = 1;
  bool bias = false;
  uint32_t part_m = 0, part_n = 0, part_k = 0;  // of one core; 0: all

  Cut Steps(uint32_t sm, uint32_t sn, uint32_t ska, uint32_t skb, uint32_t count) const {
    Cut c = *this;
    c.step_m = sm, c.step_n = sn, c.step_ka = ska, c.step_kb = skb, c.slots = count;
    return c;
  }
  Cut Bias() const {
    Cut c = *this;
    c.bias = true;
    return c;
  }
  Cut Order(uint32_t n_first) const {
    Cut c = *this;
    c.order = n_first;
    return c;
  }
  Cut Halves(uint32_t count) const {
    Cut c = *this;
    c.halves = count;
    return c;
  }
  Cut Part(uint32_t pm, uint32_t pn, uint32_t pk) const {
    Cut c = *this;
    c.part_m = pm, c.part_n = pn, c.part_k = pk;
    return c;
  }
};

inline TCubeTiling Tiling(const Cut& c) {
  TCubeTiling t;
  t.usedCoreNum = 1;
  t.M = c.m, t.N = c.n, t.Ka = t.Kb = c.k;
  t.singleCoreM = c.part_m ? c.part_m : c.m, t.singleCoreN = c.part_n ? c.part_n : c.n, t.singleCoreK = c.part_k ? c.part_k : c.k;
  t.baseM = c.base_m, t.baseN = c.base_n, t.baseK = c.base_k;
  t.stepM = c.step_m, t.stepN = c.step_n, t.stepKa = c.step_ka, t.stepKb = c.step_kb;
  t.depthA1 = c.step_m * c.step_ka * c.slots, t.depthB1 = c.step_n * c.step_kb * c.slots;
  t.isBias = c.bias, t.iterateOrder = c.order;
  t.dbL0A = t.dbL0B = 2, t.dbL0C = c.halves;
  return t;
}

template <class T>
AscendC::GlobalTensor<T> Gm(GM_ADDR address) {
  AscendC::GlobalTensor<T> tensor;
  tensor.SetGlobalBuffer(reinterpret_cast<T*>(address));
  return tensor;
}

// -8 to 7.
inline float Value(uint64_t i) { return static_cast<float>(static_cast<int>(static_cast<uint32_t>(i) * 2654435761u >> 28) - 8); }

// One product with its matrices on the device and the result that is expected: exact, also in half, because the sums are small enough.
template <class TA, class TC, class TBias>
struct Problem {
  Cut cut;
  bool turn_a, turn_b;
  Buffer<TA> a, b;
  Buffer<TBias> bias;
  Buffer<TC> c;
  std::vector<TC> want;

  Problem(const Cut& how, bool turns_a, bool turns_b, int scale = 0)
      : cut(how), turn_a(turns_a), turn_b(turns_b), a(how.m * how.k), b(static_cast<size_t>(how.n) * how.k), bias(how.n), c(static_cast<size_t>(how.m) * how.n) {
    // Half holds whole numbers up to 2048 exactly: then the values are -1, 0 and 1.
    const bool small = (std::is_same<TC, half>::value || std::is_same<TC, bfloat16_t>::value) && scale == 0;
    const auto value = [&](uint64_t i) { return small ? static_cast<float>(static_cast<int>(Value(i) + 8) % 3 - 1) : Value(i); };
    for (size_t i = 0; i < a.host.size(); ++i) a.host[i] = TA(value(i));
    for (size_t i = 0; i < b.host.size(); ++i) b.host[i] = TA(value(i + 77777));
    for (uint32_t n = 0; n < cut.n; ++n) bias.host[n] = TBias(value(n + 5));
    Expect([](uint32_t, uint32_t, float sum) { return sum; });
  }
  // What becomes of the sum of each element.
  template <class F>
  void Expect(F result) {
    want.assign(static_cast<size_t>(cut.m) * cut.n, TC(0));
    const uint32_t all_m = cut.part_m ? cut.part_m : cut.m, all_n = cut.part_n ? cut.part_n : cut.n, all_k = cut.part_k ? cut.part_k : cut.k;
    for (uint32_t m = 0; m < all_m; ++m)
      for (uint32_t n = 0; n < all_n; ++n) {
        float sum = cut.bias ? static_cast<float>(bias.host[n]) : 0;
        for (uint32_t k = 0; k < all_k; ++k)
          sum += static_cast<float>(a.host[turn_a ? k * cut.m + m : m * cut.k + k]) *
                 static_cast<float>(b.host[turn_b ? static_cast<size_t>(n) * cut.k + k : static_cast<size_t>(k) * cut.n + n]);
        want[static_cast<size_t>(m) * cut.n + n] = TC(result(m, n, sum));
      }
  }
  // After a change of the matrices' layouts: room on the device for them.
  void Resize() {
    const auto again = [](auto& buffer, size_t size) {
      buffer.host.resize(size);
      aclrtFree(buffer.device);
      ACL(aclrtMalloc(reinterpret_cast<void**>(&buffer.device), buffer.Bytes(), ACL_MEM_MALLOC_HUGE_FIRST));
      buffer.Upload();
    };
    again(a, a.host.size());
    again(b, b.host.size());
    again(c, want.size());
  }
  GM_ADDR A() {
    a.Upload();
    return reinterpret_cast<GM_ADDR>(a.device);
  }
  GM_ADDR B() {
    b.Upload();
    return reinterpret_cast<GM_ADDR>(b.device);
  }
  GM_ADDR Bias() {
    bias.Upload();
    return reinterpret_cast<GM_ADDR>(bias.device);
  }
  GM_ADDR C() { return reinterpret_cast<GM_ADDR>(c.device); }
  void Check(aclrtStream stream, const std::string& name) {
    ACL(aclrtSynchronizeStream(stream));
    c.Download();
    ExpectEqual(name, c.host, want);
  }
};

// Rows to columns of blocks of `wide` elements; rows and columns are filled up to whole fractals with 0.
template <class T>
std::vector<T> ToNz(const std::vector<T>& rows_of, uint32_t rows, uint32_t columns, uint32_t wide) {
  const uint32_t high = (rows + 15) / 16 * 16, count = (columns + wide - 1) / wide;
  std::vector<T> nz(static_cast<size_t>(high) * count * wide, T(0));
  for (uint32_t r = 0; r < rows; ++r)
    for (uint32_t c = 0; c < columns; ++c) nz[static_cast<size_t>(c / wide) * high * wide + r * wide + c % wide] = rows_of[static_cast<size_t>(r) * columns + c];
  return nz;
}
// Rows filled up to a multiple of `block` elements with 0.
template <class T>
std::vector<T> Padded(const std::vector<T>& rows_of, uint32_t rows, uint32_t columns, uint32_t block) {
  const uint32_t pitch = (columns + block - 1) / block * block;
  std::vector<T> wide(static_cast<size_t>(rows) * pitch, T(0));
  for (uint32_t r = 0; r < rows; ++r)
    for (uint32_t c = 0; c < columns; ++c) wide[static_cast<size_t>(r) * pitch + c] = rows_of[static_cast<size_t>(r) * columns + c];
  return wide;
}
// The base blocks of a matrix behind each other, along m first or along n first; sizes are whole blocks.
template <class T>
std::vector<T> Blocks(const std::vector<T>& matrix, const Cut& cut) {
  std::vector<T> out;
  const uint32_t ms = cut.m / cut.base_m, ns = cut.n / cut.base_n;
  for (uint32_t i = 0; i < ms * ns; ++i) {
    const uint32_t bm = cut.order ? i / ns : i % ms, bn = cut.order ? i % ns : i / ms;
    for (uint32_t m = 0; m < cut.base_m; ++m)
      for (uint32_t n = 0; n < cut.base_n; ++n) out.push_back(matrix[static_cast<size_t>(bm * cut.base_m + m) * cut.n + bn * cut.base_n + n]);
  }
  return out;
}

}  // namespace test

#endif
