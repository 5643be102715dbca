/* The vector mask and its mode, and the special registers that are set directly.
 *
 * Normal mode: 128 mask bits (high word, low word) choose elements inside every repeat. Counter mode: the low word is the number of elements.
 * The "first n elements" form of an API switches to counter mode, issues one instruction, and leaves normal mode with all bits set.
 */
#ifndef TOPROPE_ASCENDC_MASK_H
#define TOPROPE_ASCENDC_MASK_H

#include <toprope/ascendc/checks.h>

namespace toprope {

TR_API void set_mask(TrCore* core, uint64_t high, uint64_t low) {
  tr_issue(core, TR_OP_MOVEMASK, 1, high);
  tr_issue(core, TR_OP_MOVEMASK, 0, low);
}

/* Bits for the first `length` of a repeat's elements. More than a repeat holds means all. */
constexpr uint64_t mask_low(uint64_t length) { return length >= 64 ? AscendC::FULL_MASK : (1ull << length) - 1; }
constexpr uint64_t mask_high(uint64_t length) { return length >= 128 ? AscendC::FULL_MASK : length > 64 ? (1ull << (length - 64)) - 1 : 0; }

/* A mask of a repeat: all elements (length form) or chosen bits. `T` decides how many elements a repeat has. */
template <class T>
TR_API void set_mask_length(TrCore* core, const char* api, int64_t length) {
  tr_check_field(core, api, TR_FIELD_MASK_LENGTH, static_cast<uint64_t>(length), INT32_MAX);
  constexpr uint64_t per_repeat = 256 * 8 / AscendC::element_bits<T>;
  const uint64_t n = static_cast<uint64_t>(length);
  /* As the public headers do: 64 fills the low word only, a full repeat fills both words. */
  if (n == 64)
    set_mask(core, 0, AscendC::FULL_MASK);
  else if (n == per_repeat || n >= 128)
    set_mask(core, AscendC::FULL_MASK, AscendC::FULL_MASK);
  else
    set_mask(core, mask_high(n), mask_low(n));
}

TR_API void begin_count(TrCore* core, uint64_t count) {
  tr_issue(core, TR_OP_SBITSET1, TR_CTRL_MASK_COUNTER);
  set_mask(core, 0, count);
}
TR_API void end_count(TrCore* core) {
  tr_issue(core, TR_OP_SBITSET0, TR_CTRL_MASK_COUNTER);
  set_mask(core, AscendC::FULL_MASK, AscendC::FULL_MASK);
}

/* Whether this core has a vector unit. Vector calls on a cube core do nothing, as in the public headers. */
TR_API bool has_vector(const TrCore* core) { return core->kind == TR_CORE_AIV; }

}  // namespace toprope

namespace AscendC {

TR_API void SetMaskCount() {
  TrCore* core = ::toprope::this_core();
  if (::toprope::has_vector(core)) tr_issue(core, TR_OP_SBITSET1, TR_CTRL_MASK_COUNTER);
}
TR_API void SetMaskNorm() {
  TrCore* core = ::toprope::this_core();
  if (::toprope::has_vector(core)) tr_issue(core, TR_OP_SBITSET0, TR_CTRL_MASK_COUNTER);
}

/* Mask bits, or in counter mode the number of elements in maskLow. Does not change the mode. */
template <typename T, MaskMode mode = MaskMode::NORMAL>
TR_API void SetVectorMask(uint64_t maskHigh, uint64_t maskLow) {
  TrCore* core = ::toprope::this_core();
  if (::toprope::has_vector(core)) ::toprope::set_mask(core, maskHigh, maskLow);
}
template <typename T, MaskMode mode = MaskMode::NORMAL>
TR_API void SetVectorMask(int32_t len) {
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_vector(core)) return;
  if constexpr (mode == MaskMode::COUNTER)
    ::toprope::set_mask(core, 0, ::toprope::checked_count(core, "SetVectorMask: len", len));
  else
    ::toprope::set_mask_length<T>(core, "SetVectorMask", len);
}
TR_API void ResetMask() {
  TrCore* core = ::toprope::this_core();
  if (::toprope::has_vector(core)) ::toprope::set_mask(core, FULL_MASK, FULL_MASK);
}

/* The value DataCopyPad pads with when isPad is false. */
template <typename T, TPosition pos = TPosition::MAX>
TR_API void SetPadValue(T paddingValue) {
  static_assert(sizeof(T) <= 4, "SetPadValue: a pad value has 8, 16 or 32 bits");
  TrCore* core = ::toprope::this_core();
  tr_issue(core, TR_OP_SET_MOV_PAD_VAL, ::toprope::scalar_bits(paddingValue));
}

}  // namespace AscendC

#endif
