// The loops a C++ programmer would write for the tiles of the bench `instructions`, at -O3 without flags that change results.
#include <cmath>
#include <cstdint>

extern "C" {

void plain_add_f32(float* z, const float* x, const float* y, uint32_t n) {
  for (uint32_t i = 0; i < n; ++i) z[i] = x[i] + y[i];
}
void plain_add_f16(_Float16* z, const _Float16* x, const _Float16* y, uint32_t n) {
  for (uint32_t i = 0; i < n; ++i) z[i] = x[i] + y[i];
}
void plain_exp_f32(float* z, const float* x, const float*, uint32_t n) {
  for (uint32_t i = 0; i < n; ++i) z[i] = std::exp(x[i]);
}
void plain_exp_f16(_Float16* z, const _Float16* x, const _Float16*, uint32_t n) {
  for (uint32_t i = 0; i < n; ++i) z[i] = static_cast<_Float16>(std::exp(static_cast<float>(x[i])));
}
void plain_cast_f16_f32(float* z, const _Float16* x, const float*, uint32_t n) {
  for (uint32_t i = 0; i < n; ++i) z[i] = x[i];
}
void plain_cast_f32_f16(_Float16* z, const float* x, const float*, uint32_t n) {
  for (uint32_t i = 0; i < n; ++i) z[i] = static_cast<_Float16>(x[i]);
}
void plain_sum_f32(float* z, const float* x, const float*, uint32_t n) {
  for (uint32_t at = 0; at < n; at += 64) {
    float sum = 0;
    for (uint32_t i = 0; i < 64; ++i) sum += x[at + i];
    z[at / 64] = sum;
  }
}
void plain_sum_f16(_Float16* z, const _Float16* x, const _Float16*, uint32_t n) {
  for (uint32_t at = 0; at < n; at += 128) {
    float sum = 0;
    for (uint32_t i = 0; i < 128; ++i) sum += static_cast<float>(x[at + i]);
    z[at / 128] = static_cast<_Float16>(sum);
  }
}
}
