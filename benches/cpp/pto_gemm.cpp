// TMATMUL of pto-isa's CPU simulator, tile after tile, for the bench `cube`. Built only when PTO_ISA names a checkout of
// hw-native-sys/pto-isa (its headers are used, none of its code is here). One thread, as ours. Only the products are timed: loads between
// its memories, which our figure includes, are left out.
#include <cstdint>
#include <cstring>
#include <cmath>

#include <pto/pto-inst.hpp>

using namespace pto;

namespace {

constexpr int M = 128, N = 256;

template <class T, int K>
float Products(uint32_t tiles) {
  TileLeft<T, M, K, M, K> a;
  TileRight<T, K, N, K, N> b;
  TileAcc<float, M, N, M, N> c;
  TASSIGN(a, 0x0);
  TASSIGN(b, 0x0);
  TASSIGN(c, 0x0);
  for (int i = 0; i < M * K; ++i) a.data()[i] = static_cast<T>(static_cast<float>(i % 61) * 0.0625f - 2);
  for (int i = 0; i < K * N; ++i) b.data()[i] = static_cast<T>(static_cast<float>(i % 31) * 0.125f - 2);
  TMATMUL(c, a, b);
  for (uint32_t i = 1; i < tiles; ++i) TMATMUL_ACC(c, c, a, b);
  return c.data()[0];
}

}  // namespace

// As many products of 128 × 256 tiles as a whole product of `size` cubed takes.
extern "C" float pto_gemm_f16(uint32_t size) { return Products<half, 64>(size / M * (size / N) * (size / 64)); }
extern "C" float pto_gemm_f32(uint32_t size) { return Products<float, 32>(size / M * (size / N) * (size / 32)); }
