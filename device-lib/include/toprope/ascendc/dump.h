/* DumpTensor, DumpAccChkPoint, the asc_dump functions, PrintTimeStamp, and marks for profilers.
 *
 * A dump shows what the memory holds when everything issued so far is done: it begins with a barrier of all pipes, as in the public headers.
 * The text goes to the output of the core, in the form that the public documentation shows.
 */
#ifndef TOPROPE_ASCENDC_DUMP_H
#define TOPROPE_ASCENDC_DUMP_H

#include <toprope/ascendc/print.h>
#include <toprope/ascendc/sync.h>
#include <toprope/ascendc/sysvar.h>

namespace toprope {

/* Most bytes that one call shows; more are not shown, as on the card. */
constexpr uint64_t DUMP_BYTES = 30 * 1024;

template <class T>
constexpr const char* dump_type_name() {
  return std::is_same<T, bool>::value         ? "bool"
         : std::is_same<T, int8_t>::value     ? "int8"
         : std::is_same<T, uint8_t>::value    ? "uint8"
         : std::is_same<T, int16_t>::value    ? "int16"
         : std::is_same<T, uint16_t>::value   ? "uint16"
         : std::is_same<T, half>::value       ? "float16"
         : std::is_same<T, bfloat16_t>::value ? "bfloat16"
         : std::is_same<T, int32_t>::value    ? "int32"
         : std::is_same<T, uint32_t>::value   ? "uint32"
         : std::is_same<T, float>::value      ? "float32"
         : std::is_same<T, int64_t>::value    ? "int64"
         : std::is_same<T, uint64_t>::value   ? "uint64"
                                              : "";
}

inline void dump_value(PrintSink& sink, const unsigned char* at, bool real, bool wraps, size_t bytes, double (*to_real)(const void*)) {
  if (real) return sink.Format("%f", to_real(at));
  uint64_t bits = 0;
  memcpy(&bits, at, bytes);
  if (wraps) return sink.Format("%llu", static_cast<unsigned long long>(bits));
  const int shift = 64 - 8 * static_cast<int>(bytes);
  sink.Format("%lld", static_cast<long long>(static_cast<int64_t>(bits << shift) >> shift));
}

/* What a dump shows. */
struct Dump {
  uint64_t address;
  uint32_t desc;
  uint64_t elements;
  const AscendC::ShapeInfo* shape;
  const char* type_name;
  size_t bytes;
  bool real, wraps;
  double (*to_real)(const void*);
};

/* Elements in nested brackets, `dims` of them; "-" where there is no element left. */
inline void dump_nested(PrintSink& sink, const Dump& d, const uint32_t* sizes, int dims, uint64_t& next) {
  sink.Add("[", 1);
  for (uint32_t i = 0; i < sizes[0]; ++i) {
    if (i != 0) sink.Add(dims > 1 ? ",\n" : ",", dims > 1 ? 2 : 1);
    if (dims > 1)
      dump_nested(sink, d, sizes + 1, dims - 1, next);
    else if (next < d.elements)
      dump_value(sink, reinterpret_cast<const unsigned char*>(d.address) + next++ * d.bytes, d.real, d.wraps, d.bytes, d.to_real);
    else
      sink.Add("-", 1);
  }
  sink.Add("]", 1);
}

TR_COLD inline void dump_text(TrCore* core, const Dump& d) {
  constexpr const char* spaces[] = {"GM", "BT", "L1", "L0A", "L0B", "L0C", "UB", "FIXBUF"};
  const uint64_t offset = d.address - core->region;
  const bool local = offset < TR_REGION_BYTES;
  PrintSink sink(core);
  if (d.elements * d.bytes > DUMP_BYTES) {
    sink.Format("DumpTensor: desc=%u: %llu bytes are not shown, the most for one call is %llu\n", d.desc,
                static_cast<unsigned long long>(d.elements * d.bytes), static_cast<unsigned long long>(DUMP_BYTES));
    return;
  }
  sink.Format("DumpTensor: desc=%u, addr=0x%llx, data_type=%s, position=%s, dump_size=%llu\n", d.desc,
              static_cast<unsigned long long>(local ? offset & (SPACE_BYTES - 1) : d.address), d.type_name,
              local ? spaces[offset >> TR_SPACE_SHIFT] : "GM", static_cast<unsigned long long>(d.elements));
  if (d.shape == nullptr || d.shape->shapeDim == 0) {
    sink.Add("[", 1);
    for (uint64_t i = 0; i < d.elements; ++i) {
      if (i != 0) sink.Add(", ", 2);
      dump_value(sink, reinterpret_cast<const unsigned char*>(d.address) + i * d.bytes, d.real, d.wraps, d.bytes, d.to_real);
    }
    return sink.Add("]\n", 2);
  }
  const uint64_t size = AscendC::GetShapeSize(*d.shape);
  if (size != d.elements) {
    sink.Add("shape is [", 10);
    for (int i = 0; i < d.shape->shapeDim; ++i) sink.Format(i == 0 ? "%u" : ", %u", d.shape->shape[i]);
    sink.Format("], dumpSize is %llu, %s.\n", static_cast<unsigned long long>(d.elements),
                size > d.elements ? "data is not enough" : "dumpSize is greater than shapeSize");
  }
  if (size * 3 > 8 * DUMP_BYTES) return sink.Add("the shape is too large to be shown\n", 35);
  uint64_t next = 0;
  dump_nested(sink, d, d.shape->shape, d.shape->shapeDim, next);
  sink.Add("\n", 1);
}

template <class T>
inline double dump_real(const void* at) {
  T value;
  memcpy(&value, at, sizeof(T));
  return static_cast<double>(static_cast<float>(value));
}

template <class T>
TR_API Dump dump_of(uint64_t address, uint32_t desc, uint64_t elements, const AscendC::ShapeInfo* shape) {
  constexpr const char* type = dump_type_name<T>();
  static_assert(type[0] != '\0', "DumpTensor: this data type is not supported on dav-2201; supported: bool, integers of 8 to 64 bits, half, bfloat16_t, float");
  constexpr bool real = one_of<T, half, bfloat16_t, float>;
  double (*to_real)(const void*) = nullptr;
  if constexpr (real) to_real = &dump_real<T>;
  return Dump{address, desc, elements, shape, type, sizeof(T), real, !std::is_signed<T>::value, to_real};
}

/* Waits for everything issued so far, and checks that the elements are there. */
template <class T>
TR_API void begin_dump(TrCore* core, const char* api, uint64_t address, uint64_t elements) {
  tr_issue(core, TR_OP_BARRIER, PIPE_ALL);
  if (TR_UNLIKELY(elements * sizeof(T) > UINT32_MAX)) tr_refuse(core, TR_REFUSE_OUT_OF_RANGE, api, 0, elements, UINT32_MAX / sizeof(T));
  core->scalar_access(core, address, static_cast<uint32_t>(elements * sizeof(T)), TR_SCALAR_DUMP);
}

/* Shows `elements` elements of T from `address` on, in any memory. */
template <class T>
TR_API void dump(const char* api, uint64_t address, uint32_t desc, uint64_t elements, const AscendC::ShapeInfo* shape = nullptr) {
  const Dump what = dump_of<T>(address, desc, elements, shape);
  if constexpr (!TR_PRINTS) return;
  if (elements == 0) return;
  TrCore* core = this_core();
  begin_dump<T>(core, api, address, elements);
  dump_text(core, what);
}

}  // namespace toprope

namespace AscendC {

/* Shows the first `dumpSize` elements; with a shape in its rows and planes. */
template <typename T>
TR_API void DumpTensor(const LocalTensor<T>& tensor, uint32_t desc, uint32_t dumpSize) {
  ::toprope::dump<T>("DumpTensor: dumpSize", tensor.address_, desc, dumpSize);
}
template <typename T>
TR_API void DumpTensor(const GlobalTensor<T>& tensor, uint32_t desc, uint32_t dumpSize) {
  ::toprope::dump<T>("DumpTensor: dumpSize", tensor.address_, desc, dumpSize);
}
template <typename T>
TR_API void DumpTensor(const LocalTensor<T>& tensor, uint32_t desc, uint32_t dumpSize, const ShapeInfo& shapeInfo) {
  ::toprope::dump<T>("DumpTensor: dumpSize", tensor.address_, desc, dumpSize, &shapeInfo);
}
template <typename T>
TR_API void DumpTensor(const GlobalTensor<T>& tensor, uint32_t desc, uint32_t dumpSize, const ShapeInfo& shapeInfo) {
  ::toprope::dump<T>("DumpTensor: dumpSize", tensor.address_, desc, dumpSize, &shapeInfo);
}

/* The same from element `countOff` on; a local address must then keep the alignment of its memory. */
template <typename T>
TR_API void DumpAccChkPoint(const LocalTensor<T>& tensor, uint32_t index, uint32_t countOff, uint32_t dumpSize) {
  const uint64_t address = tensor.ElementAddress("DumpAccChkPoint: countOff", countOff);
  const uint64_t align = GetPhyType(static_cast<TPosition>(tensor.position_)) == Hardware::L0C ? 64 : 32;
  if (TR_UNLIKELY(address % align != 0))
    tr_refuse(::toprope::this_core(), TR_REFUSE_MISALIGNED, "DumpAccChkPoint: offset of the first element, bytes", 0, countOff * sizeof(T), align);
  ::toprope::dump<T>("DumpAccChkPoint: dumpSize", address, index, dumpSize);
}
template <typename T>
TR_API void DumpAccChkPoint(const GlobalTensor<T>& tensor, uint32_t index, uint32_t countOff, uint32_t dumpSize) {
  ::toprope::dump<T>("DumpAccChkPoint: dumpSize", tensor.address_ + ::toprope::bytes_of<T>(countOff), index, dumpSize);
}

/* A mark with the system counter. Off unless ASCENDC_TIME_STAMP_ON is defined, as in the public headers. */
TR_API void PrintTimeStamp(uint32_t descId) {
#ifdef ASCENDC_TIME_STAMP_ON
  TrCore* core = ::toprope::this_core();
  ::toprope::printf("descId is %u, rsv is 0, timeStamp is %llu, pcPtr is %llu, entry is %llu.\n", descId,
                    core->read_spr(core, TR_SPR_SYS_CNT), static_cast<uint64_t>(::AscendC::GetProgramCounter()), uint64_t(0));
#else
  (void)descId;
#endif
}

/* Marks for profilers and for the timeline of the vendor's simulator; they change nothing. */
TR_API void MetricsProfStart() {}
TR_API void MetricsProfStop() {}

}  // namespace AscendC

namespace toprope {

/* Elements from `address` on, as many in a line as a data block holds, behind the number of the first. */
TR_COLD inline void print_lines(TrCore* core, const Dump& d) {
  PrintSink sink(core);
  const uint64_t per_line = 32 / d.bytes;
  for (uint64_t i = 0; i < d.elements; ++i) {
    if (i % per_line == 0) sink.Format(i == 0 ? "%04llu:" : "\n%04llu:", static_cast<unsigned long long>(i));
    sink.Add(" ", 1);
    dump_value(sink, reinterpret_cast<const unsigned char*>(d.address) + i * d.bytes, d.real, d.wraps, d.bytes, d.to_real);
  }
  sink.Add("\n", 1);
}
TR_COLD inline int32_t write_file(const char* name, uint64_t address, uint64_t bytes) {
  FILE* file = fopen(name, "wb");
  if (file == nullptr) return -1;
  const bool whole = fwrite(reinterpret_cast<const void*>(address), 1, bytes, file) == bytes;
  return fclose(file) == 0 && whole ? 0 : -1;
}

}  // namespace toprope

namespace AscendC {

template <typename T>
inline void LocalTensor<T>::Print(uint32_t len) const {
  if (len == 0) return;
  TrCore* core = ::toprope::this_core();
  ::toprope::begin_dump<T>(core, "LocalTensor::Print: len", address_, len);
  ::toprope::print_lines(core, ::toprope::dump_of<T>(address_, 0, len, nullptr));
}
template <typename T>
template <class Name>
inline int32_t LocalTensor<T>::ToFile(const Name& fileName) const {
  if (GetSize() == 0) return -1;
  ::toprope::begin_dump<T>(::toprope::this_core(), "LocalTensor::ToFile", address_, GetSize());
  if constexpr (std::is_convertible<Name, const char*>::value)
    return ::toprope::write_file(fileName, address_, length_bytes_);
  else
    return ::toprope::write_file(fileName.c_str(), address_, length_bytes_);
}

}  // namespace AscendC

/* The functions of utils/debug/asc_dump.h. The memory follows from the address; the name only says which one is meant. */
#define TR_ASC_DUMP(name)                                        \
  template <typename T>                                          \
  TR_API void name(T* input, uint32_t desc, uint32_t dump_size) { \
    ::toprope::dump<std::remove_cv_t<T>>(#name ": dump_size", reinterpret_cast<uint64_t>(input), desc, dump_size); \
  }
TR_ASC_DUMP(asc_dump)
TR_ASC_DUMP(asc_dump_gm)
TR_ASC_DUMP(asc_dump_ubuf)
TR_ASC_DUMP(asc_dump_l1buf)
TR_ASC_DUMP(asc_dump_cbuf)
#undef TR_ASC_DUMP

/* The functions of utils/debug/asc_time.h. */
TR_API void asc_time_stamp(uint32_t desc_id) { AscendC::PrintTimeStamp(desc_id); }
TR_API void asc_prof_start() {}
TR_API void asc_prof_stop() {}
#define TRACE_START(...) void(0)
#define TRACE_STOP(...) void(0)

#endif
