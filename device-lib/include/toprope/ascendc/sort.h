/* Sorting: Sort32, MrgSort, GetMrgSortResult, and what is made of them: Sort, Concat, Extract, GetSortOffset, GetSortLen.
 *
 * A record has 8 bytes: the score in the low bytes, a 32-bit index in the high ones; so it is 2 elements of float, 4 of half. */
#ifndef TOPROPE_ASCENDC_SORT_H
#define TOPROPE_ASCENDC_SORT_H

#include <toprope/ascendc/data_copy.h>
#include <toprope/ascendc/refuse.h>
#include <toprope/ascendc/sync.h>
#include <toprope/ascendc/vec_unary.h>

namespace AscendC {

constexpr int32_t MRG_SORT_ELEMENT_LEN = 4;

/* Lengths of the lists in records, whether to stop at the first exhausted one, which lists take part (3, 7 or 15). */
struct MrgSort4Info {
  MrgSort4Info() {}
  MrgSort4Info(const uint16_t elementLengthsIn[MRG_SORT_ELEMENT_LEN], bool ifExhaustedSuspensionIn, ::toprope::U16 validBitIn,
               ::toprope::U16 repeatTimesIn)
      : ifExhaustedSuspension(ifExhaustedSuspensionIn), validBit(validBitIn), repeatTimes(repeatTimesIn.wide()) {
    for (int32_t i = 0; i < MRG_SORT_ELEMENT_LEN; ++i) elementLengths[i] = elementLengthsIn[i];
  }

  uint16_t elementLengths[MRG_SORT_ELEMENT_LEN] = {};
  bool ifExhaustedSuspension = false;
  ::toprope::U16 validBit = 0;
  ::toprope::U8 repeatTimes = 1;
};

template <typename T>
struct MrgSortSrcList {
  MrgSortSrcList() {}
  MrgSortSrcList(const LocalTensor<T>& src1In, const LocalTensor<T>& src2In, const LocalTensor<T>& src3In, const LocalTensor<T>& src4In)
      : src1(src1In), src2(src2In), src3(src3In), src4(src4In) {}

  LocalTensor<T> src1;
  LocalTensor<T> src2;
  LocalTensor<T> src3;
  LocalTensor<T> src4;
};

}  // namespace AscendC

namespace toprope {

#define TR_OP Sort32
#define TR_OP_TEXT "Sort32"
#define TR_SUPPORTED TR_FLOATS
#define TR_ENTRIES entry<half, TR_OP_VBS32_F16>, entry<float, TR_OP_VBS32_F32>
#include <toprope/ascendc/dtype_op.inc>
#define TR_OP MrgSort
#define TR_OP_TEXT "MrgSort"
#define TR_SUPPORTED TR_FLOATS
#define TR_ENTRIES entry<half, TR_OP_VMRGSORT_F16_V220>, entry<float, TR_OP_VMRGSORT_F32_V220>
#include <toprope/ascendc/dtype_op.inc>

/* Elements of one record. */
template <class T>
constexpr uint32_t record_elements = 8 / sizeof(T);

/* A list's place in units of 8 bytes, as the instruction takes it. */
TR_API uint64_t list_place(TrCore* core, uint64_t address) {
  const uint64_t offset = space_offset(address);
  if (TR_UNLIKELY(offset % 8 != 0))
    tr_refuse(core, TR_REFUSE_OUT_OF_RANGE, "MrgSort: a source list must start at a multiple of 8 bytes; bytes past one", 0, offset % 8, 0);
  return offset / 8;
}

template <class T>
TR_API void merge_lists(TrCore* core, uint64_t dst, const uint64_t* lists, const AscendC::MrgSort4Info& p) {
  constexpr const char* api = "MrgSort";
  const uint64_t valid = p.validBit.wide();
  tr_check_field(core, api, TR_FIELD_REPEAT_TIMES, p.repeatTimes.wide(), TR_MAX_MERGE_REPEAT_TIMES);
  if (TR_UNLIKELY(valid != 3 && valid != 7 && valid != 15))
    tr_refuse(core, TR_REFUSE_OUT_OF_RANGE, "MrgSort: validBit (3, 7 or 15)", 0, valid, 15);
  uint64_t places = 0;
  for (int i = 0; i < 4; ++i) {
    tr_check_field(core, api, TR_FIELD_LIST_LENGTH_0 + i, p.elementLengths[i], TR_MAX_MERGE_LIST_LENGTH_0);
    if (valid >> i & 1) places |= list_place(core, lists[i]) << (16 * i);
  }
  tr_issue(core, MrgSort_op::code<T>(), dst, places,
           tr_pack_merge_2(p.elementLengths[0], p.elementLengths[1], p.elementLengths[2], p.elementLengths[3]),
           tr_pack_merge(p.repeatTimes.wide(), valid, p.ifExhaustedSuspension));
}

/* Merges groups of four sorted lists of `length` records each into one, over `total` records: `from` to `to`. */
template <class T>
TR_API void merge_round(TrCore* core, const AscendC::LocalTensor<T>& to, const AscendC::LocalTensor<T>& from, uint32_t length, uint32_t total) {
  const uint64_t step = 8ull * length;
  const uint32_t whole = total / (4 * length);
  uint16_t lengths[4] = {static_cast<uint16_t>(length), static_cast<uint16_t>(length), static_cast<uint16_t>(length), static_cast<uint16_t>(length)};
  if (whole > 0) {
    const uint64_t lists[4] = {from.address_, from.address_ + step, from.address_ + 2 * step, from.address_ + 3 * step};
    merge_lists<T>(core, to.address_, lists, AscendC::MrgSort4Info(lengths, false, 15, whole));
  }
  const uint32_t done = whole * 4 * length, rest = total - done;
  if (rest == 0) return;
  const uint32_t count = (rest + length - 1) / length;
  const uint64_t at = 8ull * done;
  if (count == 1) {
    AscendC::DataCopy(to[done * record_elements<T>], from[done * record_elements<T>], rest * record_elements<T>);
    return;
  }
  uint64_t lists[4];
  for (uint32_t i = 0; i < 4; ++i) {
    lists[i] = from.address_ + at + i * step;
    lengths[i] = static_cast<uint16_t>(i + 1 < count ? length : i + 1 == count ? rest - i * length : 0);
  }
  merge_lists<T>(core, to.address_ + at, lists, AscendC::MrgSort4Info(lengths, false, (1u << count) - 1, 1));
}

}  // namespace toprope

namespace AscendC {

/* Sorts 32 scores with their indices per repeat, descending; equal scores keep their order. */
template <typename T>
TR_API void Sort32(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<uint32_t>& src1, const int32_t repeatTime) {
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_vector(core)) return;
  tr_check_field(core, "Sort32", TR_FIELD_REPEAT_TIMES, static_cast<uint64_t>(static_cast<int64_t>(repeatTime)), TR_MAX_VEC_REPEAT_REPEAT_TIMES);
  tr_issue(core, ::toprope::Sort32_op::code<T>(), dst.address_, src0.address_, src1.address_, tr_pack_vec_repeat(repeatTime));
}

/* Merges two to four sorted lists. */
template <typename T>
TR_API void MrgSort(const LocalTensor<T>& dst, const MrgSortSrcList<T>& src, const MrgSort4Info& params) {
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_vector(core)) return;
  const uint64_t lists[4] = {src.src1.address_, src.src2.address_, src.src3.address_, src.src4.address_};
  ::toprope::merge_lists<T>(core, dst.address_, lists, params);
}

/* Records taken of each list by the last MrgSort that has run. */
TR_API void GetMrgSortResult(uint16_t& mrgSortList1, uint16_t& mrgSortList2, uint16_t& mrgSortList3, uint16_t& mrgSortList4) {
  TrCore* core = ::toprope::this_core();
  const uint64_t counts = core->read_spr(core, TR_SPR_VMS4_SR);
  mrgSortList1 = static_cast<uint16_t>(counts);
  mrgSortList2 = static_cast<uint16_t>(counts >> 16);
  mrgSortList3 = static_cast<uint16_t>(counts >> 32);
  mrgSortList4 = static_cast<uint16_t>(counts >> 48);
}

/* The same with plain arguments; with suspension sortedNum gets the records taken. */
template <typename T, bool isExhaustedSuspension = false>
TR_API void MrgSort(const LocalTensor<T>& dst, const MrgSortSrcList<T>& sortList, const uint16_t elementCountList[4], uint32_t sortedNum[4],
                    ::toprope::U16 validBit, const int32_t repeatTime) {
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_vector(core)) return;
  MrgSort4Info params(elementCountList, isExhaustedSuspension, validBit, 0);
  params.repeatTimes = repeatTime;
  MrgSort(dst, sortList, params);
  if constexpr (isExhaustedSuspension) {
    const uint64_t counts = core->read_spr(core, TR_SPR_OWN | TR_SPR_VMS4_SR);
    for (int i = 0; i < 4; ++i) sortedNum[i] = static_cast<uint16_t>(counts >> (16 * i));
  }
}

/* On dav-2201 scores are sorted where they are: concat is src. */
template <typename T>
TR_API void Concat(LocalTensor<T>& concat, const LocalTensor<T>& src, const LocalTensor<T>&, const int32_t repeatTime) {
  (void)::toprope::Sort32_op::code<T>();
  tr_check_field(::toprope::this_core(), "Concat", TR_FIELD_REPEAT_TIMES, static_cast<uint64_t>(static_cast<int64_t>(repeatTime)), 255);
  concat = src;
}

/* Sorts groups of 32, and with isFullSort merges them all: repeatTime * 32 records in dst. `tmp` needs as much room as dst then. */
template <typename T, bool isFullSort>
TR_API void Sort(const LocalTensor<T>& dst, const LocalTensor<T>& concat, const LocalTensor<uint32_t>& index, LocalTensor<T>& tmp,
                 const int32_t repeatTime) {
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_vector(core)) return;
  tr_check_field(core, "Sort", TR_FIELD_REPEAT_TIMES, static_cast<uint64_t>(static_cast<int64_t>(repeatTime)), 255);
  Sort32(dst, concat, index, repeatTime);
  if constexpr (isFullSort) {
    const uint32_t total = static_cast<uint32_t>(repeatTime) * 32;
    PipeBarrier<PIPE_V>();
    for (uint32_t length = 32; length < total; length *= 4) {
      DataCopy(tmp, dst, total * ::toprope::record_elements<T>);
      PipeBarrier<PIPE_V>();
      ::toprope::merge_round<T>(core, dst, tmp, length, total);
      PipeBarrier<PIPE_V>();
    }
  }
}

/* Elements from the start of sorted records to record `elemOffset`, and elements that `elemCount` records take. */
template <typename T>
TR_API uint32_t GetSortOffset(const uint32_t elemOffset) {
  (void)::toprope::Sort32_op::code<T>();
  return elemOffset * ::toprope::record_elements<T>;
}
template <typename T>
TR_API uint32_t GetSortLen(const uint32_t elemCount) {
  (void)::toprope::Sort32_op::code<T>();
  return elemCount * ::toprope::record_elements<T>;
}

/* Region proposals: instructions of older chips. */
TR_ABSENT(RpSort16, "use Sort32")
TR_ABSENT(MrgSort4, "use MrgSort")
TR_ABSENT(ProposalConcat, "records are made by Sort32")
TR_ABSENT(ProposalExtract, "use GatherMask or Extract")

}  // namespace AscendC

#endif
