// The vector functions of pto-isa's CPU simulator on one UB tile of 32 KiB, for the bench `instructions`. Built only when PTO_ISA names a
// checkout of hw-native-sys/pto-isa (its headers are used, none of its code is here). One thread, as ours.
#include <cstdint>
#include <cstring>
#include <cmath>

#include <pto/pto-inst.hpp>

#include <algorithm>

using namespace pto;

namespace {

constexpr int ROWS = 64, COLS = 128;
using VectorTile = Tile<TileType::Vec, float, ROWS, COLS, BLayout::RowMajor, -1, -1>;

struct Tiles {
  VectorTile a{ROWS, COLS}, b{ROWS, COLS}, c{ROWS, COLS};
  Tiles() {
    TASSIGN(a, 0x0);
    TASSIGN(b, 0x8000);
    TASSIGN(c, 0x10000);
    for (int i = 0; i < ROWS * COLS; ++i) a.data()[i] = static_cast<float>(i % 61) * 0.0625f - 2, b.data()[i] = static_cast<float>(i % 31);
    std::fill(c.data(), c.data() + ROWS * COLS, 0.f);
  }
};

}  // namespace

extern "C" float pto_add(uint32_t rounds) {
  Tiles t;
  for (uint32_t i = 0; i < rounds; ++i) TADD(t.c, t.a, t.b);
  return t.c.data()[ROWS * COLS - 1];
}
extern "C" float pto_exp(uint32_t rounds) {
  Tiles t;
  for (uint32_t i = 0; i < rounds; ++i) TEXP(t.c, t.a);
  return t.c.data()[ROWS * COLS - 1];
}
extern "C" float pto_row_sum(uint32_t rounds) {
  Tiles t;
  for (uint32_t i = 0; i < rounds; ++i) TROWSUM(t.c, t.a, t.b);
  return t.c.data()[0];
}
