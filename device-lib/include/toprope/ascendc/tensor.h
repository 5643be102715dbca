/* GlobalTensor, LocalTensor and LocalMemAllocator.
 *
 * A LocalTensor is the address of a place in one of the core's local memories, a length and a logical position. The address is a real one
 * inside the core's region, so that memory and offset follow from it (toprope/core.h); the hardware's address is the offset.
 * A GlobalTensor is a GM address and a size; like on the hardware the size is not checked, the engine checks the allocation instead.
 * GetValue and SetValue are accesses of the scalar unit: they are announced to the engine and then done here.
 *
 * Not modelled: TensorTrait and layouts, the data cache between scalar accesses to GM and other units.
 */
#ifndef TOPROPE_ASCENDC_TENSOR_H
#define TOPROPE_ASCENDC_TENSOR_H

#include <toprope/ascendc/checks.h>

namespace toprope {

/* Bytes of `elements` elements, which may be a negative number (GlobalTensor offsets). */
template <class T>
constexpr uint64_t bytes_of(uint64_t elements) {
  return AscendC::element_bits<T> < 8 ? elements * AscendC::element_bits<T> / 8 : elements * (AscendC::element_bits<T> / 8);
}

/* Where a local memory may reach inside the core's region. */
constexpr uint64_t SPACE_BYTES = 1ull << TR_SPACE_SHIFT;
constexpr uint64_t space_offset(uint64_t address) { return address & (SPACE_BYTES - 1); }

/* Address of byte `offset` of the memory of `position`. Also takes what GetPhyAddr gave, cut to 32 bits by the public signature. */
TR_API uint64_t local_address(TrCore* core, AscendC::TPosition position, uint64_t offset) {
  const uint64_t base = core->region + (static_cast<uint64_t>(space_of(AscendC::GetPhyType(position))) << TR_SPACE_SHIFT);
  if (TR_UNLIKELY(offset >= SPACE_BYTES)) {
    if (static_cast<uint32_t>(offset - base) >= SPACE_BYTES)
      tr_refuse(core, TR_REFUSE_OUT_OF_RANGE, "LocalTensor: byte address inside its memory", 0, offset, SPACE_BYTES);
    offset = space_offset(offset);
  }
  return base + offset;
}

/* Word of TrCore::kernel_side that counts TPipes: not 0 once there was one. */
constexpr unsigned PIPE_SERIAL = 2;
constexpr uint32_t memory_bytes(AscendC::Hardware memory) {
  constexpr uint32_t bytes[] = {0, 192 * 1024, 512 * 1024, 64 * 1024, 64 * 1024, 128 * 1024, 1024, 7 * 1024};
  return static_cast<uint8_t>(memory) < 8 ? bytes[static_cast<uint8_t>(memory)] : 0;
}

/* A tensor was placed at byte `offset` of a memory by the kernel: told where a TPipe may have given the bytes to somebody, or where they do
 * not fit the memory. `maker`: 0 the kernel, 1 TPipe, 2 an API. */
TR_API void note_placed(TrCore* core, AscendC::TPosition position, uint64_t offset, uint64_t bytes, uint64_t maker = 0) {
  const AscendC::Hardware memory = AscendC::GetPhyType(position);
  const bool told = core->kernel_side[PIPE_SERIAL] != 0 || offset + bytes > memory_bytes(memory);
  if (core->checked == 0 || !told || offset >= SPACE_BYTES) return;
  const uint64_t before = core->api_pc;
  uint64_t pc;
#if defined(__x86_64__)
  __asm__ volatile("leaq 0(%%rip), %0" : "=r"(pc));
#else
  __asm__ volatile("adr %0, ." : "=r"(pc));
#endif
  if (before == 0) core->api_pc = pc;
  core->annotate(core, TR_NOTE_LOCAL_TENSOR, nullptr, space_of(memory), offset, bytes, maker);
  core->api_pc = before;
}
/* An API writes the part of UB behind what TPipe is meant to give out. */
TR_API void note_reserved_ub(TrCore* core) {
  note_placed(core, AscendC::TPosition::VECCALC, AscendC::TMP_UB_OFFSET, memory_bytes(AscendC::Hardware::UB) - AscendC::TMP_UB_OFFSET, 2);
}

/* The block of device memory that a GlobalTensor was given: it must not leave it. Any address, if checks are off or it is not known. */
struct GmBlock {
  uint64_t start = 0;
  uint64_t bytes = ~0ull;
  TR_API bool holds(uint64_t address) const { return address - start < bytes; }
};

/* A GlobalTensor is at `address` and has `bytes`; 0: unknown. */
TR_API GmBlock note_gm_tensor(uint64_t address, uint64_t bytes) {
  GmBlock block;
  TrCore* core = ::tr_core();
  if (core != nullptr && core->checked) {
    core->annotate(core, TR_NOTE_GM_TENSOR, nullptr, address, bytes, reinterpret_cast<uint64_t>(&block), 0);
  }
  return block;
}
/* Address of what lies `bytes` behind `address` in a tensor that was given `block`. */
TR_API uint64_t gm_address(const GmBlock& block, uint64_t address, uint64_t bytes) {
  const uint64_t moved = address + bytes;
  if (TR_UNLIKELY(!block.holds(moved))) {
    TrCore* core = this_core();
    core->annotate(core, TR_NOTE_GM_STRAY, nullptr, moved, block.holds(address) ? address : block.start, 0, 0);
  }
  return moved;
}

/* One scalar load or store; the value may be a class (half). */
template <class T>
TR_API T scalar_load(uint64_t address) {
  TrCore* core = this_core();
  core->scalar_access(core, address, sizeof(T), TR_SCALAR_LOAD);
  T value;
  memcpy(&value, reinterpret_cast<const void*>(address), sizeof(T));
  return value;
}
template <class T>
TR_API void scalar_store(uint64_t address, T value) {
  TrCore* core = this_core();
  core->scalar_access(core, address, sizeof(T), TR_SCALAR_STORE);
  memcpy(reinterpret_cast<void*>(address), &value, sizeof(T));
}
/* The same for GM around the data cache: one access of the machine, in order with what other cores see. */
template <class T>
TR_API T uncached_load(uint64_t address) {
  TrCore* core = this_core();
  if (TR_UNLIKELY(address % sizeof(T) != 0)) tr_refuse(core, TR_REFUSE_MISALIGNED, "ReadGmByPassDCache: address", 0, address, sizeof(T));
  core->scalar_access(core, address, sizeof(T), TR_SCALAR_LOAD_UNCACHED);
  return __atomic_load_n(reinterpret_cast<const T*>(address), __ATOMIC_ACQUIRE);
}
template <class T>
TR_API void uncached_store(uint64_t address, T value) {
  TrCore* core = this_core();
  if (TR_UNLIKELY(address % sizeof(T) != 0)) tr_refuse(core, TR_REFUSE_MISALIGNED, "WriteGmByPassDCache: address", 0, address, sizeof(T));
  core->scalar_access(core, address, sizeof(T), TR_SCALAR_STORE_UNCACHED);
  __atomic_store_n(reinterpret_cast<T*>(address), value, __ATOMIC_RELEASE);
}

/* What tensor(i) gives: reads and writes element i through the scalar unit. */
template <class T>
class ScalarRef {
 public:
  TR_API explicit ScalarRef(uint64_t address) : address_(address) {}
  TR_API operator T() const { return scalar_load<T>(address_); }
  TR_API ScalarRef& operator=(T value) { return scalar_store<T>(address_, value), *this; }
  TR_API ScalarRef& operator=(const ScalarRef& other) { return *this = static_cast<T>(other); }
  ScalarRef(const ScalarRef&) = default;
  TR_API ScalarRef& operator+=(T value) { return *this = static_cast<T>(static_cast<T>(*this) + value); }
  TR_API ScalarRef& operator-=(T value) { return *this = static_cast<T>(static_cast<T>(*this) - value); }
  TR_API ScalarRef& operator*=(T value) { return *this = static_cast<T>(static_cast<T>(*this) * value); }
  TR_API ScalarRef& operator/=(T value) { return *this = static_cast<T>(static_cast<T>(*this) / value); }
  TR_API T* operator&() const { return reinterpret_cast<T*>(address_); }

 private:
  uint64_t address_;
};

template <class T>
constexpr bool scalar_type = one_of<T, bool, int8_t, uint8_t, int16_t, uint16_t, half, bfloat16_t, int32_t, uint32_t, float, int64_t, uint64_t,
                                    double, long long, unsigned long long>;

}  // namespace toprope

namespace AscendC {

using TBufHandle = uint8_t*;

/* A buffer as queues know it. bufferAddr is the offset inside its memory, bytes. */
struct TBuffAddr {
  uint32_t dataLen;
  uint32_t bufferAddr;
  TBufHandle bufferHandle;
  uint8_t logicPos;
};

/* Shape and format that a kernel notes on a tensor; no instruction looks at it. */
struct ShapeInfo {
  ShapeInfo() {}
  ShapeInfo(uint8_t inputShapeDim, const uint32_t inputShape[], uint8_t inputOriginalShapeDim, const uint32_t inputOriginalShape[],
            DataFormat inputFormat)
      : shapeDim(checked_dims(inputShapeDim)), originalShapeDim(checked_dims(inputOriginalShapeDim)), dataFormat(inputFormat) {
    for (int i = 0; i < shapeDim; ++i) shape[i] = inputShape[i];
    for (int i = 0; i < originalShapeDim; ++i) originalShape[i] = inputOriginalShape[i];
  }
  ShapeInfo(uint8_t inputShapeDim, const uint32_t inputShape[], DataFormat inputFormat = DataFormat::ND)
      : ShapeInfo(inputShapeDim, inputShape, inputShapeDim, inputShape, inputFormat) {}

  uint8_t shapeDim = 0;
  uint8_t originalShapeDim = 0;
  uint32_t shape[K_MAX_SHAPE_DIM] = {};
  uint32_t originalShape[K_MAX_SHAPE_DIM] = {};
  DataFormat dataFormat = DataFormat::ND;

 private:
  static uint8_t checked_dims(uint8_t dims) {
    if (dims > K_MAX_SHAPE_DIM) {
      if (TrCore* core = ::tr_core()) tr_refuse(core, TR_REFUSE_OUT_OF_RANGE, "ShapeInfo: number of dimensions", 0, dims, K_MAX_SHAPE_DIM);
      return K_MAX_SHAPE_DIM;
    }
    return dims;
  }
};
inline uint64_t GetShapeSize(const ShapeInfo& shapeInfo) {
  uint64_t size = 1;
  for (int i = 0; i < shapeInfo.shapeDim; ++i) size *= shapeInfo.shape[i];
  return size;
}

template <typename T>
class GlobalTensor {
 public:
  using PrimType = T;
  static_assert(::toprope::scalar_type<T> || std::is_same<T, int4b_t>::value || std::is_trivially_copyable<T>::value,
                "GlobalTensor: the element type must be trivially copyable");

  GlobalTensor() = default;

  /* `bufferSize` in elements; without it the size is unknown (0). */
  TR_API void SetGlobalBuffer(T* buffer, uint64_t bufferSize) {
    address_ = reinterpret_cast<uint64_t>(buffer);
    bufferSize_ = bufferSize;
    block_ = ::toprope::note_gm_tensor(address_, ::toprope::bytes_of<T>(bufferSize));
  }
  TR_API void SetGlobalBuffer(T* buffer) { SetGlobalBuffer(buffer, 0); }

  TR_API const T* GetPhyAddr() const { return reinterpret_cast<const T*>(address_); }
  TR_API T* GetPhyAddr(uint64_t offset) const { return reinterpret_cast<T*>(address_ + ::toprope::bytes_of<T>(offset)); }
  TR_API uint64_t GetSize() const { return bufferSize_; }

  /* The tensor that starts `offset` elements further on. */
  TR_API GlobalTensor operator[](uint64_t offset) const {
    GlobalTensor rest = *this;
    rest.address_ = ElementAddress(offset);
    rest.bufferSize_ = bufferSize_ > offset ? bufferSize_ - offset : 0;
    return rest;
  }

  TR_API T GetValue(uint64_t offset) const {
    static_assert(::toprope::scalar_type<T>, "GlobalTensor::GetValue: the scalar unit reads whole bytes of a built-in type");
    return ::toprope::scalar_load<T>(ElementAddress(offset));
  }
  TR_API void SetValue(uint64_t offset, T value) {
    static_assert(::toprope::scalar_type<T>, "GlobalTensor::SetValue: the scalar unit writes whole bytes of a built-in type");
    ::toprope::scalar_store<T>(ElementAddress(offset), value);
  }
  TR_API ::toprope::ScalarRef<T> operator()(uint64_t offset) const {
    return ::toprope::ScalarRef<T>(ElementAddress(offset));
  }

  TR_API void SetShapeInfo(const ShapeInfo& shapeInfo) { shapeInfo_ = shapeInfo; }
  TR_API ShapeInfo GetShapeInfo() const { return shapeInfo_; }

  /* Accepted: caching changes time, not results, and the clock does not model it. */
  template <CacheRwMode rwMode = CacheRwMode::RW>
  TR_API void SetL2CacheHint(CacheMode mode) {
    cacheMode_ = mode;
  }

  uint64_t address_ = 0;
  uint64_t bufferSize_ = 0;
  ShapeInfo shapeInfo_;
  CacheMode cacheMode_ = CacheMode::CACHE_MODE_NORMAL;

 private:
  TR_API uint64_t ElementAddress(uint64_t offset) const { return ::toprope::gm_address(block_, address_, ::toprope::bytes_of<T>(offset)); }

  ::toprope::GmBlock block_;
};

/* What `a + b` gives until it is assigned to a tensor; see vec_binary.h. */
template <class Op, typename T>
struct BinaryExpression;
template <typename T>
struct CompareExpression;

template <typename T>
class LocalTensor {
 public:
  using PrimType = T;
  static_assert(std::is_trivially_copyable<T>::value, "LocalTensor: the element type must be trivially copyable");

  LocalTensor() = default;

  /* A tensor at byte `addr` of the memory of `pos`, `tileSize` elements long. Nothing is reserved. */
  TR_API LocalTensor(TPosition pos, uint32_t addr, uint32_t tileSize) : position_(static_cast<uint8_t>(pos)) {
    TrCore* core = ::toprope::this_core();
    address_ = ::toprope::local_address(core, pos, addr);
    length_bytes_ = static_cast<uint32_t>(::toprope::bytes_of<T>(tileSize));
    ::toprope::note_placed(core, pos, addr, length_bytes_);
    if (GetPhyType(pos) == Hardware::GM) ::toprope::unsupported("LocalTensor: position GM or CO2 is not a local memory");
  }

  /* Where this tensor's elements are: an address of the simulated memory. The kernel may write through it, which nobody sees. */
  TR_API uint64_t GetPhyAddr() const {
    TrCore* core = ::toprope::this_core();
    if (core->checked) core->annotate(core, TR_NOTE_RAW_POINTER, nullptr, address_, length_bytes_, 0, 0);
    return address_;
  }
  TR_API uint64_t GetPhyAddr(uint32_t offset) const { return GetPhyAddr() + ::toprope::bytes_of<T>(offset); }
  explicit TR_API LocalTensor(TBuffAddr& address) { SetAddr(address); }
  TR_API int32_t GetPosition() const { return position_; }

  /* Elements. */
  TR_API uint32_t GetSize() const { return static_cast<uint32_t>(static_cast<uint64_t>(length_bytes_) * 8 / element_bits<T>); }
  TR_API void SetSize(uint32_t size) { length_bytes_ = static_cast<uint32_t>(::toprope::bytes_of<T>(size)); }
  /* Bytes. */
  TR_API uint32_t GetLength() const { return length_bytes_; }
  TR_API void SetBufferLen(uint32_t dataLen) { length_bytes_ = dataLen; }

  /* The tensor that starts `offset` elements further on. */
  TR_API LocalTensor operator[](uint32_t offset) const {
    LocalTensor rest = *this;
    rest.address_ = ElementAddress("LocalTensor[]: element offset", offset);
    rest.length_bytes_ -= static_cast<uint32_t>(rest.address_ - address_);
    return rest;
  }

  template <typename U>
  TR_API LocalTensor<U> ReinterpretCast() const {
    LocalTensor<U> other;
    other.address_ = address_;
    other.length_bytes_ = length_bytes_;
    other.position_ = position_;
    other.handle_ = handle_;
    other.shapeInfo_ = shapeInfo_;
    return other;
  }

  TR_API T GetValue(uint32_t index) const {
    static_assert(::toprope::scalar_type<T>, "LocalTensor::GetValue: the scalar unit reads whole bytes of a built-in type");
    return ::toprope::scalar_load<T>(ElementAddress("LocalTensor::GetValue: index", index));
  }
  template <typename S>
  TR_API void SetValue(uint32_t index, S value) const {
    static_assert(::toprope::scalar_type<T>, "LocalTensor::SetValue: the scalar unit writes whole bytes of a built-in type");
    ::toprope::scalar_store<T>(ElementAddress("LocalTensor::SetValue: index", index), static_cast<T>(value));
  }
  TR_API ::toprope::ScalarRef<T> operator()(uint32_t offset) const {
    return ::toprope::ScalarRef<T>(ElementAddress("LocalTensor(): index", offset));
  }

  /* A tag on the buffer behind the tensor (see tque.h); a tensor without a buffer has none. */
  TR_API void SetUserTag(TTagType tag);
  TR_API TTagType GetUserTag() const;

  TR_API void SetShapeInfo(const ShapeInfo& shapeInfo) { shapeInfo_ = shapeInfo; }
  TR_API ShapeInfo GetShapeInfo() const { return shapeInfo_; }

  template <typename S>
  TR_API void SetAddrWithOffset(LocalTensor<S>& src, uint32_t offset) {
    *this = src.template ReinterpretCast<T>();
    address_ += ::toprope::bytes_of<S>(offset);
  }
  TR_API void SetAddr(const TBuffAddr& buffer) {
    position_ = buffer.logicPos;
    address_ = ::toprope::local_address(::toprope::this_core(), static_cast<TPosition>(position_), buffer.bufferAddr);
    length_bytes_ = buffer.dataLen;
    handle_ = buffer.bufferHandle;
  }
  TR_API TBufHandle GetBufferHandle() const { return handle_; }

  /* For debugging: shows the elements, a data block in a line; writes them to a file of the host, 0 if it could. See dump.h. */
  inline void Print() const { Print(GetSize()); }
  inline void Print(uint32_t len) const;
  template <class Name>
  inline int32_t ToFile(const Name& fileName) const;

  /* dst = a + b over the whole of dst. */
  template <class Op>
  TR_API void operator=(const BinaryExpression<Op, T>& expression) {
    expression.Process(*this);
  }
  /* dst = a < b: a bit per element. */
  template <class S>
  TR_API void operator=(const CompareExpression<S>& expression) {
    expression.Process(*this);
  }

  /* Address of an element; one outside the memory would look like an address of another one. */
  TR_API uint64_t ElementAddress(const char* what, uint32_t index) const {
    const uint64_t bytes = ::toprope::bytes_of<T>(index);
    if (TR_UNLIKELY(::toprope::space_offset(address_) + bytes >= ::toprope::SPACE_BYTES))
      tr_refuse(::toprope::this_core(), TR_REFUSE_OUT_OF_RANGE, what, 0, static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(index))),
                GetSize());
    return address_ + bytes;
  }

  uint64_t address_ = 0;
  TBufHandle handle_ = nullptr;
  uint32_t length_bytes_ = 0;
  uint8_t position_ = static_cast<uint8_t>(TPosition::MAX);
  ShapeInfo shapeInfo_;
};

/* Hands out a local memory from its start, without queues. Only one per memory is meant to exist at a time. */
template <Hardware hard = Hardware::UB>
class LocalMemAllocator {
 public:
  static_assert(hard != Hardware::GM && hard != Hardware::MAX, "LocalMemAllocator: GM is not a local memory");

  LocalMemAllocator() = default;
  /* Next free byte. */
  TR_API uint32_t GetCurAddr() const { return head_; }

  template <TPosition pos, class DataType, uint32_t tileSize>
  TR_API LocalTensor<DataType> Alloc() {
    static_assert(GetPhyType(pos) == hard, "LocalMemAllocator::Alloc: the position is not in the allocator's memory");
    return Place<DataType>(pos, tileSize);
  }
  template <TPosition pos, class DataType>
  TR_API LocalTensor<DataType> Alloc(uint32_t tileSize) {
    static_assert(GetPhyType(pos) == hard, "LocalMemAllocator::Alloc: the position is not in the allocator's memory");
    return Place<DataType>(pos, tileSize);
  }
  template <class DataType, uint32_t tileSize>
  TR_API LocalTensor<DataType> Alloc() {
    return Place<DataType>(DefaultPosition(), tileSize);
  }
  template <class DataType>
  TR_API LocalTensor<DataType> Alloc(uint32_t tileSize) {
    return Place<DataType>(DefaultPosition(), tileSize);
  }

 private:
  static constexpr TPosition DefaultPosition() {
    constexpr TPosition positions[] = {TPosition::GM, TPosition::VECCALC, TPosition::A1, TPosition::A2,
                                       TPosition::B2, TPosition::CO1,     TPosition::C2, TPosition::C2PIPE2GM};
    return positions[static_cast<uint8_t>(hard)];
  }
  static constexpr uint32_t Capacity() { return ::toprope::memory_bytes(hard); }

  template <class T>
  TR_API LocalTensor<T> Place(TPosition pos, uint32_t elements) {
    TrCore* core = ::toprope::this_core();
    const uint64_t bytes = ::toprope::bytes_of<T>(elements);
    constexpr uint32_t space = ::toprope::space_of(hard);
    if (TR_UNLIKELY(head_ + bytes > Capacity())) tr_refuse(core, TR_REFUSE_CAPACITY, "LocalMemAllocator::Alloc", space, head_ + bytes, Capacity());
    core->annotate(core, TR_NOTE_BUFFER, "LocalMemAllocator", space, head_, bytes, reinterpret_cast<uint64_t>(this));
    LocalTensor<T> tensor(pos, head_, elements);
    head_ += static_cast<uint32_t>(bytes);
    return tensor;
  }

  uint32_t head_ = 0;
};

}  // namespace AscendC

#endif
