/* The scalar unit's data cache, the instruction cache, and GM accesses around the data cache.
 *
 * In this model every scalar access to GM sees what GM holds: cleaning and preloading change time, never values. A store around the cache is
 * atomic for its 1 to 8 bytes and visible to other cores in program order.
 */
#ifndef TOPROPE_ASCENDC_DCACHE_H
#define TOPROPE_ASCENDC_DCACHE_H

#include <toprope/ascendc/refuse.h>
#include <toprope/ascendc/tensor.h>

namespace AscendC {

/* How much of the data cache DataCacheCleanAndInvalid works on. */
enum class CacheLine : uint64_t { SINGLE_CACHE_LINE = 0, ENTIRE_DATA_CACHE };
/* What the data cache is made to agree with. */
enum class DcciDst : uint64_t { CACHELINE_ALL = 0, CACHELINE_UB, CACHELINE_OUT, CACHELINE_ATOMIC };

/* Writes back and drops the line of the tensor's first element, or the whole data cache. */
template <typename T, CacheLine entireType, DcciDst dcciDst>
TR_API void DataCacheCleanAndInvalid(const GlobalTensor<T>& dst) {
  static_assert(dcciDst <= DcciDst::CACHELINE_ATOMIC, "DataCacheCleanAndInvalid: dcciDst is CACHELINE_ALL, _UB, _OUT or _ATOMIC");
  tr_issue(::toprope::this_core(), TR_OP_DCCI, dst.address_, static_cast<uint64_t>(entireType), static_cast<uint64_t>(dcciDst));
}
template <typename T, CacheLine entireType, DcciDst dcciDst>
TR_API void DataCacheCleanAndInvalid(const LocalTensor<T>& dst) {
  static_assert(dcciDst <= DcciDst::CACHELINE_ATOMIC, "DataCacheCleanAndInvalid: dcciDst is CACHELINE_ALL, _UB, _OUT or _ATOMIC");
  tr_issue(::toprope::this_core(), TR_OP_DCCI, dst.address_, static_cast<uint64_t>(entireType), static_cast<uint64_t>(dcciDst));
}
template <typename T, CacheLine entireType>
TR_API void DataCacheCleanAndInvalid(const GlobalTensor<T>& dst) {
  tr_issue(::toprope::this_core(), TR_OP_DCCI, dst.address_, static_cast<uint64_t>(entireType), static_cast<uint64_t>(DcciDst::CACHELINE_ALL));
}

/* Loads one line, the one `cacheOffset` bytes behind the start of `src`. */
template <typename T>
TR_API void DataCachePreload(const GlobalTensor<uint64_t>& src, const T cacheOffset) {
  TR_REQUIRE((std::is_same<T, int16_t>::value || std::is_same<T, int64_t>::value),
                "DataCachePreload: cacheOffset must be int16_t or int64_t (bytes)");
  tr_issue(::toprope::this_core(), TR_OP_DC_PRELOAD, src.address_, static_cast<uint64_t>(static_cast<int64_t>(cacheOffset)));
}

/* Holds the scalar unit until earlier accesses to the memory are done. */
template <MemDsbT arg0>
TR_API void DataSyncBarrier() {
  static_assert(arg0 <= MemDsbT::SEQ, "DataSyncBarrier: ALL, DDR, UB or SEQ");
  tr_issue(::toprope::this_core(), TR_OP_DSB, static_cast<uint64_t>(arg0));
}

/* Prefetches instructions from here on; in units of 2 KiB, less than the instruction cache (AIC 32 KiB, AIV 16 KiB). Changes time only, and
 * the model has no instruction cache. */
TR_API void ICachePreLoad(const int64_t preFetchLen) {
  TrCore* core = ::toprope::this_core();
  const uint64_t limit = core->kind == TR_CORE_AIC ? 15 : 7;
  tr_check_field(core, "ICachePreLoad", TR_FIELD_PREFETCH_LEN, static_cast<uint64_t>(preFetchLen), limit);
}
/* 0: nothing is being prefetched. */
TR_API int64_t GetICachePreloadStatus() { return 0; }

/* Scalar access to GM around the data cache. */
template <typename T>
TR_API T ReadGmByPassDCache(T* addr) {
  static_assert(::toprope::one_of<std::remove_cv_t<T>, int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, int64_t, uint64_t>,
                "ReadGmByPassDCache: this data type is not supported on dav-2201; supported: integers of 8 to 64 bits");
  return ::toprope::uncached_load<std::remove_cv_t<T>>(reinterpret_cast<uint64_t>(addr));
}
template <typename T>
TR_API void WriteGmByPassDCache(T* addr, T value) {
  static_assert(::toprope::one_of<T, int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, int64_t, uint64_t>,
                "WriteGmByPassDCache: this data type is not supported on dav-2201; supported: integers of 8 to 64 bits");
  ::toprope::uncached_store<T>(reinterpret_cast<uint64_t>(addr), value);
}

}  // namespace AscendC

/* The compiler intrinsics that kernels call beside the API. */
enum class cache_line_t : uint64_t { SINGLE_CACHE_LINE = 0, ENTIRE_DATA_CACHE };
enum class dcci_dst_t : uint64_t { CACHELINE_ALL = 0, CACHELINE_UB, CACHELINE_OUT, CACHELINE_ATOMIC };
constexpr cache_line_t SINGLE_CACHE_LINE = cache_line_t::SINGLE_CACHE_LINE;
constexpr cache_line_t ENTIRE_DATA_CACHE = cache_line_t::ENTIRE_DATA_CACHE;
constexpr dcci_dst_t CACHELINE_ALL = dcci_dst_t::CACHELINE_ALL;
constexpr dcci_dst_t CACHELINE_UB = dcci_dst_t::CACHELINE_UB;
constexpr dcci_dst_t CACHELINE_OUT = dcci_dst_t::CACHELINE_OUT;
constexpr dcci_dst_t CACHELINE_ATOMIC = dcci_dst_t::CACHELINE_ATOMIC;
template <class T>
TR_API void dcci(T* address, cache_line_t lines, dcci_dst_t dst = dcci_dst_t::CACHELINE_ALL) {
  tr_issue(::toprope::this_core(), TR_OP_DCCI, reinterpret_cast<uint64_t>(address), static_cast<uint64_t>(lines), static_cast<uint64_t>(dst));
}
enum mem_dsb_t { DSB_ALL = 0, DSB_DDR, DSB_UB, DSB_SEQ };
TR_API void dsb(mem_dsb_t memory) { tr_issue(::toprope::this_core(), TR_OP_DSB, static_cast<uint64_t>(memory)); }

#endif
