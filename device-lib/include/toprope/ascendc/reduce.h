/* Reductions: ReduceRepeat, ReduceDataBlock, ReducePairElem with their old names, ReduceSum, ReduceMax, ReduceMin, and the registers behind them.
 *
 * ReduceMax, ReduceMin and the repeat form of ReduceSum are several instructions with a work tensor. ReduceSum over a count is one instruction that adds
 * up in ACC_VAL and a scalar store. What the scalar unit reads and writes is ordered with V_S, S_V and S_MTE3 here, as in the public headers.
 *
 *   ReduceMax with index:  src ──VCMAX──▶ (value, index) per repeat ──VCMAX──▶ … ──▶ one pair; the index is traced back through the rounds
 */
#ifndef TOPROPE_ASCENDC_REDUCE_H
#define TOPROPE_ASCENDC_REDUCE_H

#include <toprope/ascendc/hooks.h>
#include <toprope/ascendc/sync.h>
#include <toprope/ascendc/tensor.h>

namespace AscendC {

enum class ReduceType { NONE = -1, SUM = 0, MAX, MIN };
enum class ReduceOrder : uint8_t { ORDER_VALUE_INDEX = 0, ORDER_INDEX_VALUE, ORDER_ONLY_VALUE, ORDER_ONLY_INDEX };

}  // namespace AscendC

namespace toprope {


#define TR_OP RepeatSum
#define TR_OP_TEXT "ReduceRepeat<SUM>"
#define TR_SUPPORTED "half, float"
#define TR_ENTRIES entry<half, TR_OP_VCADD_F16_ORDER>, entry<float, TR_OP_VCADD_F32_ORDER>
#include <toprope/ascendc/dtype_op.inc>
#define TR_OP RepeatMax
#define TR_OP_TEXT "ReduceRepeat<MAX>"
#define TR_SUPPORTED "half, float"
#define TR_ENTRIES entry<half, TR_OP_VCMAX_F16_ORDER_V220>, entry<float, TR_OP_VCMAX_F32_ORDER_V220>
#include <toprope/ascendc/dtype_op.inc>
#define TR_OP RepeatMin
#define TR_OP_TEXT "ReduceRepeat<MIN>"
#define TR_SUPPORTED "half, float"
#define TR_ENTRIES entry<half, TR_OP_VCMIN_F16_ORDER_V220>, entry<float, TR_OP_VCMIN_F32_ORDER_V220>
#include <toprope/ascendc/dtype_op.inc>
#define TR_OP BlockSum
#define TR_OP_TEXT "ReduceDataBlock<SUM>"
#define TR_SUPPORTED "half, float"
#define TR_ENTRIES entry<half, TR_OP_VCGADD_F16>, entry<float, TR_OP_VCGADD_F32>
#include <toprope/ascendc/dtype_op.inc>
#define TR_OP BlockMax
#define TR_OP_TEXT "ReduceDataBlock<MAX>"
#define TR_SUPPORTED "half, float"
#define TR_ENTRIES entry<half, TR_OP_VCGMAX_F16>, entry<float, TR_OP_VCGMAX_F32>
#include <toprope/ascendc/dtype_op.inc>
#define TR_OP BlockMin
#define TR_OP_TEXT "ReduceDataBlock<MIN>"
#define TR_SUPPORTED "half, float"
#define TR_ENTRIES entry<half, TR_OP_VCGMIN_F16>, entry<float, TR_OP_VCGMIN_F32>
#include <toprope/ascendc/dtype_op.inc>
#define TR_OP PairSum
#define TR_OP_TEXT "ReducePairElem<SUM>"
#define TR_SUPPORTED "half, float"
#define TR_ENTRIES entry<half, TR_OP_VCPADD_F16>, entry<float, TR_OP_VCPADD_F32>
#include <toprope/ascendc/dtype_op.inc>

TR_API uint64_t reduce_config(TrCore* core, const char* api, int64_t repeats, int64_t dst_repeat, int64_t src_block, int64_t src_repeat) {
  tr_check_field(core, api, TR_FIELD_REPEAT_TIMES, static_cast<uint64_t>(repeats), TR_MAX_VEC_REDUCE_REPEAT_TIMES);
  tr_check_field(core, api, TR_FIELD_DST_REPEAT_STRIDE, static_cast<uint64_t>(dst_repeat), TR_MAX_VEC_REDUCE_DST_REPEAT_STRIDE);
  tr_check_field(core, api, TR_FIELD_SRC0_BLOCK_STRIDE, static_cast<uint64_t>(src_block), TR_MAX_VEC_REDUCE_SRC0_BLOCK_STRIDE);
  tr_check_field(core, api, TR_FIELD_SRC0_REPEAT_STRIDE, static_cast<uint64_t>(src_repeat), TR_MAX_VEC_REDUCE_SRC0_REPEAT_STRIDE);
  return tr_pack_vec_reduce(static_cast<uint64_t>(dst_repeat), static_cast<uint64_t>(src_block), static_cast<uint64_t>(src_repeat),
                            static_cast<uint64_t>(repeats));
}

/* One instruction, mask by bits or by length. */
template <class Op, bool isSetMask, class T>
TR_API void reduce_bits(const char* api, const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src, const uint64_t* mask,
                        int64_t repeats, int64_t dst_repeat, int64_t src_block, int64_t src_repeat, uint64_t order) {
  TrCore* core = this_core();
  if (!has_vector(core)) return;
  const uint64_t config = reduce_config(core, api, repeats, dst_repeat, src_block, src_repeat);
  if constexpr (isSetMask) set_mask(core, mask[1], mask[0]);
  tr_issue(core, Op::template code<T>(), dst.address_, src.address_, config, order);
}
template <class Op, bool isSetMask, class T>
TR_API void reduce_length(const char* api, const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src, int64_t mask,
                          int64_t repeats, int64_t dst_repeat, int64_t src_block, int64_t src_repeat, uint64_t order) {
  TrCore* core = this_core();
  if (!has_vector(core)) return;
  const uint64_t config = reduce_config(core, api, repeats, dst_repeat, src_block, src_repeat);
  if constexpr (isSetMask) set_mask_length<T>(core, api, mask);
  tr_issue(core, Op::template code<T>(), dst.address_, src.address_, config, order);
}

template <AscendC::ReduceType type>
struct reduce_ops {
  using ReduceType = AscendC::ReduceType;
  static_assert(type == ReduceType::SUM || type == ReduceType::MAX || type == ReduceType::MIN,
                "ReduceRepeat, ReduceDataBlock: reduceType must be ReduceType::SUM, MAX or MIN");
  using repeat = std::conditional_t<type == ReduceType::SUM, RepeatSum_op, std::conditional_t<type == ReduceType::MAX, RepeatMax_op, RepeatMin_op>>;
  using block = std::conditional_t<type == ReduceType::SUM, BlockSum_op, std::conditional_t<type == ReduceType::MAX, BlockMax_op, BlockMin_op>>;
};
/* A sum has no order. */
template <AscendC::ReduceType type>
constexpr uint64_t reduce_order(AscendC::ReduceOrder order) {
  return type == AscendC::ReduceType::SUM ? 0 : static_cast<uint64_t>(order);
}

/* ---- several instructions ----
 *
 * Too much to lie in the caller: a call of its own, and instructions are reported at the kernel's line (ReportHere). */
#define TR_OUTLINE __attribute__((noinline)) inline


template <HardEvent event>
TR_API void order_pipes() {
  const int8_t id = fetch_event_id(event);
  AscendC::SetFlag<event>(id);
  AscendC::WaitFlag<event>(id);
}
TR_API void vector_before_scalar() { order_pipes<HardEvent::V_S>(); }
/* What the scalar unit has stored is seen by the vector unit and by copies. */
TR_API void scalar_before_users() {
  order_pipes<HardEvent::S_V>();
  order_pipes<HardEvent::S_MTE3>();
}

/* Which instruction, which elements, how far apart: a pass over repeats, 255 per instruction. */
struct ReducePass {
  uint32_t op;
  const char* api;
  uint64_t high, low;
  /* Results per repeat in elements: 1 or 2. */
  uint32_t results;
};
template <class T>
inline void reduce_pass(TrCore* core, const ReducePass& pass, uint64_t dst, uint64_t src, uint64_t repeats, int64_t src_repeat) {
  set_mask(core, pass.high, pass.low);
  while (repeats != 0) {
    const uint64_t n = repeats < AscendC::MAX_REPEAT_TIMES ? repeats : AscendC::MAX_REPEAT_TIMES;
    tr_issue(core, pass.op, dst, src, reduce_config(core, pass.api, static_cast<int64_t>(n), 1, 1, src_repeat), 0);
    dst += n * pass.results * sizeof(T);
    src += n * static_cast<uint64_t>(src_repeat) * AscendC::ONE_BLK_SIZE;
    repeats -= n;
  }
}

/* Mask of every second element of the first `pairs` pairs. */
constexpr uint64_t EVERY_SECOND = 0x5555555555555555ull;
constexpr uint64_t pairs_low(uint64_t pairs) { return EVERY_SECOND & mask_low(2 * pairs); }
constexpr uint64_t pairs_high(uint64_t pairs) { return EVERY_SECOND & mask_high(2 * pairs); }

template <class T>
constexpr uint64_t round_to_block(uint64_t elements) {
  constexpr uint64_t block = AscendC::ONE_BLK_SIZE / sizeof(T);
  return (elements + block - 1) / block * block;
}

template <class T>
inline void check_work(TrCore* core, const char* what, const AscendC::LocalTensor<T>& work, uint64_t needed) {
  const uint64_t size = work.GetSize();
  if (TR_UNLIKELY(size != 0 && needed > size)) tr_refuse(core, TR_REFUSE_OUT_OF_RANGE, what, 0, needed, size);
}

/* Reduces the (value, index) pairs at `from`, `count` of them, to pairs at `to`: one per repeat. */
template <class T>
inline uint64_t reduce_pairs(TrCore* core, ReducePass pass, uint64_t to, uint64_t from, uint64_t count) {
  constexpr uint64_t per_repeat = AscendC::ONE_REPEAT_BYTE_SIZE / sizeof(T), pairs = per_repeat / 2;
  const uint64_t whole = count / pairs, rest = count % pairs;
  pass.high = pairs_high(pairs);
  pass.low = pairs_low(pairs);
  if (whole != 0) reduce_pass<T>(core, pass, to, from, whole, 8);
  pass.high = pairs_high(rest);
  pass.low = pairs_low(rest);
  if (rest != 0)
    reduce_pass<T>(core, pass, to + whole * 2 * sizeof(T), from + whole * AscendC::ONE_REPEAT_BYTE_SIZE, 1, 8);
  tr_issue(core, TR_OP_BARRIER, PIPE_V);
  return whole + (rest != 0 ? 1 : 0);
}

/* The integer that an index is stored as. */
template <class T>
using index_word = std::conditional_t<sizeof(T) == 2, uint16_t, uint32_t>;
template <class T>
TR_API uint64_t load_index(uint64_t address) {
  return scalar_load<index_word<T>>(address);
}
template <class T>
TR_API void store_index(TrCore* core, const char* what, uint64_t address, uint64_t index) {
  constexpr uint64_t most = static_cast<index_word<T>>(~0ull);
  if (TR_UNLIKELY(index > most)) tr_refuse(core, TR_REFUSE_OUT_OF_RANGE, what, 0, index, most);
  scalar_store<index_word<T>>(address, static_cast<index_word<T>>(index));
}

/* Words of the messages of one API. */
struct ReduceNames {
  const char *api, *work, *count, *repeats, *index;
};
#define TR_REDUCE_NAMES(Api) \
  ::toprope::ReduceNames { Api, Api ": elements needed in sharedTmpBuffer", Api ": element count", Api ": repeatTime", Api ": index" }

/* Value and index of the best element: pass.high and pass.low select elements of each of `repeats` repeats. Rounds are laid one after the other in
 * the work tensor, each from a data block on, because the way back needs their indices. */
template <class T>
inline void extreme_with_index(TrCore* core, const ReduceNames& names, const ReducePass& pass, uint64_t dst, uint64_t src,
                               const AscendC::LocalTensor<T>& work, uint64_t repeats, int64_t src_repeat) {
  if (repeats == 1) {
    reduce_pass<T>(core, pass, dst, src, 1, src_repeat);
    return;
  }
  constexpr uint64_t per_repeat = AscendC::ONE_REPEAT_BYTE_SIZE / sizeof(T);
  constexpr int MOST_ROUNDS = 8;
  uint64_t starts[MOST_ROUNDS];
  uint64_t needed = 0, count = repeats;
  int rounds = 0;
  for (;;) {
    starts[rounds++] = work.address_ + needed * sizeof(T);
    needed += round_to_block<T>(2 * count);
    if (count == 1) break;
    count = (2 * count + per_repeat - 1) / per_repeat;
  }
  check_work(core, names.work, work, needed);
  reduce_pass<T>(core, pass, starts[0], src, repeats, src_repeat);
  tr_issue(core, TR_OP_BARRIER, PIPE_V);
  count = repeats;
  for (int round = 1; round < rounds; ++round) count = reduce_pairs<T>(core, pass, starts[round], starts[round - 1], count);
  vector_before_scalar();
  /* Place, in elements, of the best pair in each round; it starts with the only one of the last. */
  uint64_t repeat = 0;
  for (int round = rounds - 1; round > 0; --round)
    repeat = (repeat * per_repeat + load_index<T>(starts[round] + (2 * repeat + 1) * sizeof(T))) / 2;
  const uint64_t index = load_index<T>(starts[0] + (2 * repeat + 1) * sizeof(T));
  scalar_store<T>(dst, scalar_load<T>(starts[rounds - 1]));
  store_index<T>(core, names.index, dst + sizeof(T),
                 repeat * static_cast<uint64_t>(src_repeat) * (AscendC::ONE_BLK_SIZE / sizeof(T)) + index);
  scalar_before_users();
}

/* The value alone: every round goes over the one before. */
template <class T>
inline void extreme_value(TrCore* core, const ReduceNames& names, const ReducePass& pass, uint64_t dst, uint64_t src,
                          const AscendC::LocalTensor<T>& work, uint64_t repeats, int64_t src_repeat) {
  check_work(core, names.work, work, round_to_block<T>(2 * repeats));
  reduce_pass<T>(core, pass, work.address_, src, repeats, src_repeat);
  tr_issue(core, TR_OP_BARRIER, PIPE_V);
  for (uint64_t count = repeats; count > 1;) count = reduce_pairs<T>(core, pass, work.address_, work.address_, count);
  vector_before_scalar();
  scalar_store<T>(dst, scalar_load<T>(work.address_));
  scalar_before_users();
}

template <class T>
inline void extreme(TrCore* core, const ReduceNames& names, const ReducePass& pass, uint64_t dst, uint64_t src,
                    const AscendC::LocalTensor<T>& work, uint64_t repeats, int64_t src_repeat, bool with_index) {
  if (with_index)
    extreme_with_index<T>(core, names, pass, dst, src, work, repeats, src_repeat);
  else
    extreme_value<T>(core, names, pass, dst, src, work, repeats, src_repeat);
}

inline bool check_reduce(TrCore* core, const ReduceNames& names, int64_t repeats, int64_t src_repeat) {
  const uint64_t n = checked_count(core, names.repeats, repeats);
  tr_check_field(core, names.api, TR_FIELD_SRC0_REPEAT_STRIDE, static_cast<uint64_t>(src_repeat), TR_MAX_VEC_REDUCE_SRC0_REPEAT_STRIDE);
  return n != 0;
}

template <class T>
TR_API uint64_t length_low(uint64_t n) {
  return n >= AscendC::ONE_REPEAT_BYTE_SIZE / sizeof(T) ? AscendC::FULL_MASK : mask_low(n);
}
template <class T>
TR_API uint64_t length_high(uint64_t n) {
  return n >= AscendC::ONE_REPEAT_BYTE_SIZE / sizeof(T) ? AscendC::FULL_MASK : mask_high(n);
}

template <class Op, class T>
TR_OUTLINE void extreme_masked(const ReduceNames& names, const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src,
                           const AscendC::LocalTensor<T>& work, uint64_t high, uint64_t low, int64_t repeats, int64_t src_repeat, bool with_index) {
  TrCore* core = this_core();
  if (!has_vector(core) || (high == 0 && low == 0) || !check_reduce(core, names, repeats, src_repeat)) return;
  const ReducePass pass{Op::template code<T>(), names.api, high, low, 2};
  extreme<T>(core, names, pass, dst.address_, src.address_, work, static_cast<uint64_t>(repeats), src_repeat, with_index);
}

/* The first `count` elements: whole repeats, then the rest, then the better of both. */
template <class Op, class T>
TR_OUTLINE void extreme_count(const ReduceNames& names, const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src,
                          const AscendC::LocalTensor<T>& work, int64_t given, bool with_index) {
  TrCore* core = this_core();
  if (!has_vector(core)) return;
  constexpr uint64_t per_repeat = AscendC::ONE_REPEAT_BYTE_SIZE / sizeof(T);
  const uint64_t count = checked_count(core, names.count, given);
  const uint64_t repeats = count / per_repeat, rest = count % per_repeat;
  if (count == 0) return;
  const ReducePass all{Op::template code<T>(), names.api, AscendC::FULL_MASK, AscendC::FULL_MASK, 2};
  const ReducePass some{Op::template code<T>(), names.api, mask_high(rest), mask_low(rest), 2};
  if (repeats != 0) extreme<T>(core, names, all, dst.address_, src.address_, work, repeats, 8, with_index);
  if (rest == 0) return;
  if (repeats == 0) {
    extreme<T>(core, names, some, dst.address_, src.address_, work, 1, 8, with_index);
    return;
  }
  const uint64_t index_at = dst.address_ + sizeof(T);
  vector_before_scalar();
  const T body = scalar_load<T>(dst.address_);
  const uint64_t body_index = with_index ? load_index<T>(index_at) : 0;
  extreme<T>(core, names, some, dst.address_, src.address_ + repeats * AscendC::ONE_REPEAT_BYTE_SIZE, work, 1, 8, with_index);
  vector_before_scalar();
  const T tail = scalar_load<T>(dst.address_);
  const uint64_t tail_index = with_index ? load_index<T>(index_at) : 0;
  scalar_store<T>(work.address_, body);
  scalar_store<T>(work.address_ + sizeof(T), tail);
  order_pipes<HardEvent::S_V>();
  const ReducePass both{Op::template code<T>(), names.api, 0, 3, 2};
  extreme<T>(core, names, both, dst.address_, work.address_, work, 1, 8, with_index);
  if (!with_index) return;
  vector_before_scalar();
  store_index<T>(core, names.index, index_at, load_index<T>(index_at) == 1 ? repeats * per_repeat + tail_index : body_index);
  scalar_before_users();
}

/* Sums of repeats into the work tensor, a counter-mode pass over these, and a last one. */
template <class T>
TR_OUTLINE void sum_masked(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src, const AscendC::LocalTensor<T>& work,
                       uint64_t high, uint64_t low, int64_t repeats, int64_t src_repeat) {
  const ReduceNames names = TR_REDUCE_NAMES("ReduceSum");
  TrCore* core = this_core();
  if (!has_vector(core) || (high == 0 && low == 0) || !check_reduce(core, names, repeats, src_repeat)) return;
  constexpr uint64_t per_repeat = AscendC::ONE_REPEAT_BYTE_SIZE / sizeof(T);
  const uint64_t n = static_cast<uint64_t>(repeats), second = (n + per_repeat - 1) / per_repeat;
  if (TR_UNLIKELY(second > per_repeat)) tr_refuse(core, TR_REFUSE_OUT_OF_RANGE, names.repeats, 0, n, per_repeat * per_repeat);
  check_work(core, names.work, work, round_to_block<T>(n));
  ReducePass pass{RepeatSum_op::code<T>(), names.api, high, low, 1};
  reduce_pass<T>(core, pass, work.address_, src.address_, n, src_repeat);
  tr_issue(core, TR_OP_BARRIER, PIPE_V);
  if (n > 1) {
    tr_issue(core, TR_OP_SBITSET1, TR_CTRL_MASK_COUNTER);
    set_mask(core, 0, n);
    tr_issue(core, pass.op, work.address_, work.address_, tr_pack_vec_reduce(1, 1, 8, 1), 0);
    tr_issue(core, TR_OP_SBITSET0, TR_CTRL_MASK_COUNTER);
    tr_issue(core, TR_OP_BARRIER, PIPE_V);
  }
  if (second > 1) {
    pass.high = mask_high(second);
    pass.low = mask_low(second);
    reduce_pass<T>(core, pass, dst.address_, work.address_, 1, 8);
    return;
  }
  vector_before_scalar();
  scalar_store<T>(dst.address_, scalar_load<T>(work.address_));
  scalar_before_users();
}

template <class T>
TR_API T register_value(TrCore* core, uint32_t spr, uint32_t shift = 0) {
  static_assert(one_of<T, half, float>, "GetReduceRepeatSumSpr, GetReduceRepeatMaxMinSpr: supported are half and float");
  const index_word<T> bits = static_cast<index_word<T>>(core->read_spr(core, spr) >> shift);
  T value;
  memcpy(&value, &bits, sizeof(T));
  return value;
}

}  // namespace toprope

namespace AscendC {

/* One result per repeat. MAX and MIN give value and index inside the repeat in the order asked for. */
#define TR_REDUCE_FORMS(MASK_PARAMETER, MASK_KIND)                                                                                        \
  template <ReduceType reduceType, typename T, typename U, bool isSetMask = true>                                                         \
  TR_API void ReduceRepeat(const LocalTensor<T>& dst, const LocalTensor<U>& src, MASK_PARAMETER, const int32_t repeatTime,                \
                           const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride,                            \
                           ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX) {                                                          \
    static_assert(std::is_same<T, U>::value, "ReduceRepeat: dst and src must have the same type on dav-2201");                            \
    ::toprope::MASK_KIND<typename ::toprope::reduce_ops<reduceType>::repeat, isSetMask, T>(                                               \
        "ReduceRepeat", dst, src, mask, repeatTime, dstRepStride, srcBlkStride, srcRepStride, ::toprope::reduce_order<reduceType>(order)); \
  }                                                                                                                                       \
  template <ReduceType reduceType, typename T, typename U, bool isSetMask = true>                                                         \
  TR_API void ReduceDataBlock(const LocalTensor<T>& dst, const LocalTensor<U>& src, MASK_PARAMETER, const int32_t repeatTime,             \
                              const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride) {                       \
    static_assert(std::is_same<T, U>::value, "ReduceDataBlock: dst and src must have the same type on dav-2201");                         \
    ::toprope::MASK_KIND<typename ::toprope::reduce_ops<reduceType>::block, isSetMask, T>("ReduceDataBlock", dst, src, mask, repeatTime,  \
                                                                                          dstRepStride, srcBlkStride, srcRepStride, 0);   \
  }                                                                                                                                       \
  template <ReduceType reduceType, typename T, typename U, bool isSetMask = true>                                                         \
  TR_API void ReducePairElem(const LocalTensor<T>& dst, const LocalTensor<U>& src, MASK_PARAMETER, const int32_t repeatTime,              \
                             const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride) {                        \
    static_assert(reduceType == ReduceType::SUM, "ReducePairElem: reduceType must be ReduceType::SUM");                                   \
    static_assert(std::is_same<T, U>::value, "ReducePairElem: dst and src must have the same type on dav-2201");                          \
    ::toprope::MASK_KIND<::toprope::PairSum_op, isSetMask, T>("ReducePairElem", dst, src, mask, repeatTime, dstRepStride, srcBlkStride,   \
                                                              srcRepStride, 0);                                                           \
  }                                                                                                                                       \
  template <typename T, bool isSetMask = true>                                                                                            \
  TR_API void WholeReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, MASK_PARAMETER, const int32_t repeatTime,              \
                             const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride) {                        \
    ::toprope::MASK_KIND<::toprope::RepeatSum_op, isSetMask, T>("WholeReduceSum", dst, src, mask, repeatTime, dstRepStride, srcBlkStride, \
                                                                srcRepStride, 0);                                                         \
  }                                                                                                                                       \
  template <typename T, bool isSetMask = true>                                                                                            \
  TR_API void WholeReduceMax(const LocalTensor<T>& dst, const LocalTensor<T>& src, MASK_PARAMETER, const int32_t repeatTime,              \
                             const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride,                          \
                             ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX) {                                                        \
    ::toprope::MASK_KIND<::toprope::RepeatMax_op, isSetMask, T>("WholeReduceMax", dst, src, mask, repeatTime, dstRepStride, srcBlkStride, \
                                                                srcRepStride, static_cast<uint64_t>(order));                              \
  }                                                                                                                                       \
  template <typename T, bool isSetMask = true>                                                                                            \
  TR_API void WholeReduceMin(const LocalTensor<T>& dst, const LocalTensor<T>& src, MASK_PARAMETER, const int32_t repeatTime,              \
                             const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride,                          \
                             ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX) {                                                        \
    ::toprope::MASK_KIND<::toprope::RepeatMin_op, isSetMask, T>("WholeReduceMin", dst, src, mask, repeatTime, dstRepStride, srcBlkStride, \
                                                                srcRepStride, static_cast<uint64_t>(order));                              \
  }
TR_REDUCE_FORMS(const uint64_t mask[], reduce_bits)
TR_REDUCE_FORMS(const int32_t mask, reduce_length)
#undef TR_REDUCE_FORMS

/* The old names of ReduceDataBlock and ReducePairElem; the number of repeats comes before the mask. */
#define TR_OLD_REDUCE(Api, Op)                                                                                                             \
  template <typename T, bool isSetMask = true>                                                                                             \
  TR_API void Api(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t repeatTime, const uint64_t mask[],                   \
                  const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride) {                                    \
    ::toprope::reduce_bits<::toprope::Op, isSetMask, T>(#Api, dst, src, mask, repeatTime, dstRepStride, srcBlkStride, srcRepStride, 0);    \
  }                                                                                                                                        \
  template <typename T, bool isSetMask = true>                                                                                             \
  TR_API void Api(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t repeatTime, const int32_t mask,                      \
                  const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride) {                                    \
    ::toprope::reduce_length<::toprope::Op, isSetMask, T>(#Api, dst, src, mask, repeatTime, dstRepStride, srcBlkStride, srcRepStride, 0);  \
  }
TR_OLD_REDUCE(BlockReduceSum, BlockSum_op)
TR_OLD_REDUCE(BlockReduceMax, BlockMax_op)
TR_OLD_REDUCE(BlockReduceMin, BlockMin_op)
TR_OLD_REDUCE(PairReduceSum, PairSum_op)
#undef TR_OLD_REDUCE

/* Sum of each repeat, with the parameters in another order. A result has no blocks: dstBlkStride says nothing. */
template <typename T, bool isSetMask = true>
TR_API void RepeatReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t repeatTime, const int32_t mask,
                            const int32_t dstBlkStride, const int32_t srcBlkStride, const int32_t dstRepStride, const int32_t srcRepStride) {
  (void)dstBlkStride;
  ::toprope::reduce_length<::toprope::RepeatSum_op, isSetMask, T>("RepeatReduceSum", dst, src, mask, repeatTime, dstRepStride, srcBlkStride,
                                                                 srcRepStride, 0);
}

/* The best of all elements, and on request its index (stored as an integer of the element's width). Of equals the first. */
#define TR_EXTREME(Api, Op)                                                                                                                  \
  template <typename T>                                                                                                                      \
  TR_API void Api(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& sharedTmpBuffer, const uint64_t mask[],        \
                  const int32_t repeatTime, const int32_t srcRepStride, bool calIndex = false) {                                             \
    const ::toprope::ReportHere here;                                                                                                        \
    ::toprope::extreme_masked<::toprope::Op, T>(TR_REDUCE_NAMES(#Api), dst, src, sharedTmpBuffer, mask[1], mask[0], repeatTime,              \
                                                srcRepStride, calIndex);                                                                     \
  }                                                                                                                                          \
  template <typename T>                                                                                                                      \
  TR_API void Api(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& sharedTmpBuffer, const int32_t mask,           \
                  const int32_t repeatTime, const int32_t srcRepStride, bool calIndex = false) {                                             \
    const uint64_t n = ::toprope::checked_count(::toprope::this_core(), #Api ": mask", mask);                                                \
    const ::toprope::ReportHere here;                                                                                                        \
    ::toprope::extreme_masked<::toprope::Op, T>(TR_REDUCE_NAMES(#Api), dst, src, sharedTmpBuffer, ::toprope::length_high<T>(n),              \
                                                ::toprope::length_low<T>(n), repeatTime, srcRepStride, calIndex);                            \
  }                                                                                                                                          \
  template <typename T>                                                                                                                      \
  TR_API void Api(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& sharedTmpBuffer, const int32_t count,          \
                  bool calIndex = false) {                                                                                                   \
    const ::toprope::ReportHere here;                                                                                                        \
    ::toprope::extreme_count<::toprope::Op, T>(TR_REDUCE_NAMES(#Api), dst, src, sharedTmpBuffer, count, calIndex);                           \
  }
TR_EXTREME(ReduceMax, RepeatMax_op)
TR_EXTREME(ReduceMin, RepeatMin_op)
#undef TR_EXTREME

/* The sum of all elements. Repeat forms: a tree over the sums of repeats. */
template <typename T>
TR_API void ReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& sharedTmpBuffer, const uint64_t mask[],
                      const int32_t repeatTime, const int32_t srcRepStride) {
  const ::toprope::ReportHere here;
  ::toprope::sum_masked<T>(dst, src, sharedTmpBuffer, mask[1], mask[0], repeatTime, srcRepStride);
}
template <typename T>
TR_API void ReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& sharedTmpBuffer, const int32_t mask,
                      const int32_t repeatTime, const int32_t srcRepStride) {
  const uint64_t n = ::toprope::checked_count(::toprope::this_core(), "ReduceSum: mask", mask);
  const ::toprope::ReportHere here;
  ::toprope::sum_masked<T>(dst, src, sharedTmpBuffer, ::toprope::length_high<T>(n), ::toprope::length_low<T>(n), repeatTime, srcRepStride);
}
/* Count form: the sums of repeats are added one after the other in a register; the work tensor is not used. */
template <typename T, bool isSetMask = true>
TR_API void ReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& sharedTmpBuffer, const int32_t count) {
  (void)sharedTmpBuffer;
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_vector(core)) return;
  const uint64_t n = ::toprope::checked_count(core, "ReduceSum: element count", count);
  if (n == 0) return;
  if constexpr (isSetMask) ::toprope::begin_count(core, n);
  tr_issue(core, ::toprope::RepeatSum_op::code<T>(), dst.address_, src.address_, tr_pack_vec_reduce(1, 1, 8, 1), 1);
  ::toprope::vector_before_scalar();
  ::toprope::scalar_store<T>(dst.address_, ::toprope::register_value<T>(core, TR_SPR_ACC_VAL));
  ::toprope::scalar_before_users();
  if constexpr (isSetMask) ::toprope::end_count(core);
}

/* What the last ReduceSum over a count has added up. */
template <typename T>
TR_API T GetReduceRepeatSumSpr() {
  TrCore* core = ::toprope::this_core();
  return ::toprope::has_vector(core) ? ::toprope::register_value<T>(core, TR_SPR_ACC_VAL) : T(0);
}
template <typename T>
TR_API T GetAccVal() {
  return GetReduceRepeatSumSpr<T>();
}

/* Best value of all repeats of the last MAX or MIN, and its index over them (an integer in the bits of T). */
template <typename T>
TR_API void GetReduceRepeatMaxMinSpr(T& maxMinValue, T& maxMinIndex) {
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_vector(core)) return;
  maxMinValue = ::toprope::register_value<T>(core, TR_SPR_MAX_MIN_CNT);
  maxMinIndex = ::toprope::register_value<T>(core, TR_SPR_MAX_MIN_CNT, 32);
}
template <typename T>
TR_API void GetReduceRepeatMaxMinSpr(uint32_t& maxMinValue, uint32_t& maxMinIndex) {
  static_assert(::toprope::one_of<T, half, float>, "GetReduceRepeatMaxMinSpr: supported are half and float");
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_vector(core)) return;
  const uint64_t bits = core->read_spr(core, TR_SPR_MAX_MIN_CNT);
  maxMinValue = static_cast<::toprope::index_word<T>>(bits);
  maxMinIndex = static_cast<uint32_t>(bits >> 32);
}
template <typename T>
TR_API void GetReduceRepeatMaxMinSpr(T&) {
  static_assert(sizeof(T) == 0, "GetReduceRepeatMaxMinSpr: dav-2201 has the form with value and index only");
}
template <typename T>
TR_API void GetReduceMaxMinCount(T& maxMinValue, T& maxMinIndex) {
  GetReduceRepeatMaxMinSpr<T>(maxMinValue, maxMinIndex);
}
template <typename T>
TR_API void GetReduceMaxMinCount(uint32_t& maxMinValue, uint32_t& maxMinIndex) {
  GetReduceRepeatMaxMinSpr<T>(maxMinValue, maxMinIndex);
}

}  // namespace AscendC

#endif
