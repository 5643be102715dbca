/* TPipe, TBufPool and GetTPipePtr over the C functions of device-lib. */
#ifndef TOPROPE_ASCENDC_TPIPE_H
#define TOPROPE_ASCENDC_TPIPE_H

#include <toprope/ascendc/params.h>
#include <toprope/ascendc/std.h>
#include <toprope/ascendc/sync.h>
#include <toprope/ascendc/tque.h>

namespace toprope {

/* A length in bytes that may have been computed too wide or below zero. */
TR_API uint32_t checked_length(TrCore* core, const char* api, U32 length) {
  if (TR_UNLIKELY(length.wide() > UINT32_MAX)) tr_refuse(core, TR_REFUSE_OUT_OF_RANGE, api, 0, length.wide(), UINT32_MAX);
  return length;
}
template <class U, class V>
TR_API TrAddrLen address_and_length(const std::tuple<U, V>& place) {
  return TrAddrLen{static_cast<uint32_t>(std::get<0>(place)), static_cast<uint32_t>(std::get<1>(place))};
}

}  // namespace toprope

namespace AscendC {

/* A slice of a local memory with buffer records of its own. */
template <TPosition pos, uint32_t bufIDSize = 4>
class TBufPool {
 public:
  static constexpr TPosition poolPos = pos;
  static constexpr bool isTbufPool = true;
  static_assert(GetPhyType(pos) == Hardware::UB || GetPhyType(pos) == Hardware::L1, "TBufPool: the position must be in UB or L1");
  static_assert(bufIDSize >= 1 && bufIDSize <= TR_FWK_POOL_RECORDS_MAX, "TBufPool: 1..16 buffers");

  TR_API TBufPool() {
    ::toprope::FrameworkCall call;
    tr_pool_construct(&pool_, call.core->kind, static_cast<uint32_t>(pos), records_, bufIDSize, 0);
  }
  TR_API ~TBufPool() {
    ::toprope::FrameworkCall call;
    tr_pool_drop(call.pipe, &pool_);
  }
  TBufPool(const TBufPool&) = delete;
  TBufPool& operator=(const TBufPool&) = delete;

  template <class T>
  TR_API bool InitBuffer(T& que, ::toprope::U32 num, ::toprope::U32 len) {
    ::toprope::FrameworkCall call;
    return tr_pool_init_que(call.pipe, &pool_, que.State(), num, ::toprope::checked_length(call.core, "TBufPool::InitBuffer: len", len)) == 0;
  }
  template <TPosition bufPos>
  TR_API bool InitBuffer(TBuf<bufPos>& buf, ::toprope::U32 len) {
    ::toprope::FrameworkCall call;
    return tr_pool_init_buf(call.pipe, &pool_, buf.State(), ::toprope::checked_length(call.core, "TBufPool::InitBuffer: len", len)) == 0;
  }
  template <class T>
  TR_API bool InitBufPool(T& bufPool, ::toprope::U32 len) {
    ::toprope::FrameworkCall call;
    return tr_pool_init_pool(call.pipe, &pool_, bufPool.State(), ::toprope::checked_length(call.core, "TBufPool::InitBufPool: len", len)) == 0;
  }
  template <class T, class U>
  TR_API bool InitBufPool(T& bufPool, ::toprope::U32 len, U& shareBuf) {
    ::toprope::FrameworkCall call;
    return tr_pool_init_pool_shared(call.pipe, &pool_, bufPool.State(), ::toprope::checked_length(call.core, "TBufPool::InitBufPool: len", len),
                                    shareBuf.State()) == 0;
  }
  TR_API void Reset() {
    ::toprope::FrameworkCall call;
    tr_pool_reset(call.pipe, &pool_);
  }

  TR_API TrBufPool* State() { return &pool_; }

 private:
  TrBufPool pool_;
  TrRecord records_[bufIDSize];
};

/* Owns the local memories and event ids of a core while it lives. One at a time. */
class TPipe {
 public:
  TR_API TPipe() {
    ::toprope::FrameworkCall call;
    tr_pipe_construct(&pipe_, call.core->kind, call.core->checked != 0 ? TR_FWK_CHECK_DEFAULT | TR_FWK_CHECK_NOTES : 0);
  }
  TR_API ~TPipe() {
    ::toprope::FrameworkCall call;
    tr_pipe_drop(&pipe_);
  }
  TPipe(const TPipe&) = delete;
  TPipe& operator=(const TPipe&) = delete;

  TR_API void Init() {
    ::toprope::FrameworkCall call;
    tr_pipe_init(&pipe_);
  }
  TR_API void Reset() {
    ::toprope::FrameworkCall call;
    tr_pipe_reset(&pipe_);
  }
  TR_API void Destroy() {
    ::toprope::FrameworkCall call;
    tr_pipe_destroy(&pipe_);
  }
  TR_API void DestroyWithoutPipeAll() {
    ::toprope::FrameworkCall call;
    tr_pipe_destroy_without_pipe_all(&pipe_);
  }

  /* `num` buffers of `len` bytes (rounded up to 32) for a queue. */
  template <class T>
  TR_API bool InitBuffer(T& que, ::toprope::U32 num, ::toprope::U32 len) {
    ::toprope::FrameworkCall call;
    return tr_pipe_init_que(&pipe_, que.State(), num, ::toprope::checked_length(call.core, "TPipe::InitBuffer: len", len)) == 0;
  }
  /* Buffers at given places: (address, length) in bytes each. */
  template <class T, class U, class V, class... Addrs>
  TR_API bool InitBuffer(T& que, const std::tuple<U, V>& addr0, const Addrs&... addrs) {
    ::toprope::FrameworkCall call;
    const TrAddrLen list[] = {::toprope::address_and_length(addr0), ::toprope::address_and_length(addrs)...};
    return tr_pipe_init_que_addrs(&pipe_, que.State(), list, 1 + sizeof...(addrs)) == 0;
  }
  template <TPosition pos>
  TR_API bool InitBuffer(TBuf<pos>& buf, ::toprope::U32 len) {
    ::toprope::FrameworkCall call;
    return tr_pipe_init_buf(&pipe_, buf.State(), ::toprope::checked_length(call.core, "TPipe::InitBuffer: len", len)) == 0;
  }
  template <class T>
  TR_API bool InitBufPool(T& bufPool, ::toprope::U32 len) {
    ::toprope::FrameworkCall call;
    return tr_pipe_init_pool(&pipe_, bufPool.State(), ::toprope::checked_length(call.core, "TPipe::InitBufPool: len", len)) == 0;
  }
  template <class T, class U>
  TR_API bool InitBufPool(T& bufPool, ::toprope::U32 len, U& shareBuf) {
    ::toprope::FrameworkCall call;
    return tr_pipe_init_pool_shared(&pipe_, bufPool.State(), ::toprope::checked_length(call.core, "TPipe::InitBufPool: len", len),
                                    shareBuf.State()) == 0;
  }

  /* Event ids of a class: reserved, given back, and only looked up. */
  template <HardEvent evt>
  TR_API TEventID AllocEventID() {
    ::toprope::FrameworkCall call;
    return static_cast<TEventID>(tr_pipe_alloc_event_id(&pipe_, static_cast<uint32_t>(evt)));
  }
  template <HardEvent evt>
  TR_API void ReleaseEventID(TEventID id) {
    ::toprope::FrameworkCall call;
    tr_pipe_release_event_id(&pipe_, static_cast<uint32_t>(evt), id);
  }
  template <HardEvent evt>
  TR_API TEventID FetchEventID() {
    return FetchEventID(evt);
  }
  TR_API TEventID FetchEventID(HardEvent evt) {
    ::toprope::FrameworkCall call;
    return static_cast<TEventID>(tr_pipe_fetch_event_id(&pipe_, static_cast<uint32_t>(evt)));
  }

  /* A tensor at byte `offset` of the memory of `pos`, `size` elements; nothing is reserved. */
  template <TPosition pos, typename T>
  TR_API LocalTensor<T> GetAbsAddr(int32_t offset, int32_t size) const {
    ::toprope::FrameworkCall call;
    TrTensor place = {};
    if (AbsAddr(pos, offset, static_cast<int32_t>(::toprope::bytes_of<T>(static_cast<uint64_t>(size))), place) != 0) return LocalTensor<T>();
    ::toprope::note_placed(call.core, pos, place.address_bytes, place.length_bytes, 1);
    return ::toprope::tensor_of<T>(call.core, place);
  }
  template <TPosition pos>
  TR_API TBuffAddr GetAbsAddr(int32_t offset, int32_t len) const {
    ::toprope::FrameworkCall call;
    TrTensor place = {};
    AbsAddr(pos, offset, len, place);
    ::toprope::note_placed(::toprope::this_core(), pos, place.address_bytes, place.length_bytes, 1);
    return ::toprope::buffer_address(place);
  }
  /* Where the memory of a position is. */
  TR_API uint8_t* GetBaseAddr(int8_t logicPos) {
    return reinterpret_cast<uint8_t*>(::toprope::local_address(::toprope::this_core(), static_cast<TPosition>(logicPos), 0));
  }

  /* Spill buffer in GM: UB contents are parked there. */
  template <typename T>
  TR_API void InitSpmBuffer(const GlobalTensor<T>& workspace, const int32_t bufferSize) {
    ::toprope::FrameworkCall call;
    tr_pipe_spill_init_gm(&pipe_, workspace.address_, static_cast<uint32_t>(bufferSize));
  }
  TR_API void InitSpmBuffer(const int32_t bufferSize) {
    ::toprope::FrameworkCall call;
    tr_pipe_spill_init_l1(&pipe_, static_cast<uint32_t>(bufferSize));
  }
  template <typename T>
  TR_API void WriteSpmBuffer(const LocalTensor<T>& writeBuffer, const DataCopyParams& p, int32_t writeOffset = 0) {
    ::toprope::FrameworkCall call;
    tr_pipe_spill_write(&pipe_, UbOffset(writeBuffer), p.blockCount, p.blockLen, p.srcGap, p.dstGap, static_cast<uint32_t>(writeOffset));
  }
  template <typename T>
  TR_API void ReadSpmBuffer(const LocalTensor<T>& readBuffer, const DataCopyParams& p, int32_t readOffset = 0) {
    ::toprope::FrameworkCall call;
    tr_pipe_spill_read(&pipe_, UbOffset(readBuffer), p.blockCount, p.blockLen, p.srcGap, p.dstGap, static_cast<uint32_t>(readOffset));
  }
  template <typename T>
  TR_API void WriteSpmBuffer(const LocalTensor<T>& writeBuffer, const int32_t writeSize, int32_t writeOffset = 0) {
    WriteSpmBuffer(writeBuffer, DataCopyParams(1, writeSize / static_cast<int32_t>(32 / sizeof(T)), 0, 0), writeOffset);
  }
  template <typename T>
  TR_API void ReadSpmBuffer(const LocalTensor<T>& readBuffer, const int32_t readSize, int32_t readOffset = 0) {
    ReadSpmBuffer(readBuffer, DataCopyParams(1, readSize / static_cast<int32_t>(32 / sizeof(T)), 0, 0), readOffset);
  }

  TR_API TrPipe* State() { return &pipe_; }

 private:
  TR_API uint32_t AbsAddr(TPosition pos, int32_t offset, int32_t len, TrTensor& place) const {
    return tr_pipe_abs_addr(const_cast<TrPipe*>(&pipe_), static_cast<uint32_t>(pos), static_cast<uint32_t>(offset), static_cast<uint32_t>(len),
                            &place);
  }
  template <typename T>
  static uint32_t UbOffset(const LocalTensor<T>& tensor) {
    return static_cast<uint32_t>(::toprope::space_offset(tensor.address_));
  }

  TrPipe pipe_; /* first: a TrPipe* is a TPipe* */
};
static_assert(std::is_standard_layout<TPipe>::value, "GetTPipePtr relies on it");

/* The pipe constructed last on this core; null before the first. */
TR_API TPipe* GetTPipePtr() { return reinterpret_cast<TPipe*>(::toprope::current_pipe(::toprope::this_core())); }

/* All of UB that no buffer uses; nothing is reserved. */
template <typename T, TPosition pos>
TR_API bool PopStackBuffer(LocalTensor<T>& popBuffer) {
  ::toprope::FrameworkCall call;
  TrTensor place = {};
  if (tr_pipe_pop_stack_tensor(call.pipe, static_cast<uint32_t>(pos), &place) != 0) return false;
  ::toprope::note_placed(call.core, pos, place.address_bytes, place.length_bytes, 1);
  popBuffer = ::toprope::tensor_of<T>(call.core, place);
  return true;
}

/* State of a pool class that the user writes; see EXTERN_IMPL_BUFPOOL. */
template <TPosition pos, uint32_t capacity>
struct TBufPoolImpl {
  TrBufPool pool_;
  TrRecord records_[capacity];
  TR_API TBufPoolImpl() {
    ::toprope::FrameworkCall call;
    tr_pool_construct(&pool_, call.core->kind, static_cast<uint32_t>(pos), records_, capacity, 1);
  }
};

}  // namespace AscendC

/* Inside a class: makes it a pool whose InitBuffer the user writes with InitStartBufHandle and InitBufHandle. */
#define EXTERN_IMPL_BUFPOOL(EXT_BUFPOOL, POSITION, BUFID_SIZE)                                                                       \
 public:                                                                                                                             \
  static constexpr AscendC::TPosition poolPos = POSITION;                                                                            \
  static constexpr int bufIDSize = BUFID_SIZE;                                                                                       \
  static constexpr bool isTbufPool = true;                                                                                           \
  TR_API ~EXT_BUFPOOL() {                                                                                                            \
    ::toprope::FrameworkCall call;                                                                                                   \
    tr_pool_drop(call.pipe, State());                                                                                                \
  }                                                                                                                                  \
  TR_API void Reset() {                                                                                                              \
    ::toprope::FrameworkCall call;                                                                                                   \
    tr_pool_reset(call.pipe, State());                                                                                               \
  }                                                                                                                                  \
  TR_API void Init() { tr_pool_init(State()); }                                                                                      \
  TR_API AscendC::TBufHandle GetBufHandle(uint8_t offset) {                                                                          \
    ::toprope::FrameworkCall call;                                                                                                   \
    return ::toprope::handle_of(tr_pool_record(call.pipe, State(), offset));                                                         \
  }                                                                                                                                  \
  TR_API void SetCurAddr(uint32_t curAddr) { State()->mark_bytes = curAddr; }                                                        \
  TR_API uint32_t GetCurAddr() { return State()->mark_bytes; }                                                                       \
  TR_API void SetCurBufSize(uint8_t curBufSize) { State()->count = curBufSize; }                                                     \
  TR_API uint8_t GetCurBufSize() { return static_cast<uint8_t>(State()->count); }                                                    \
  TR_API TrBufPool* State() { return &tBufPoolImpl.pool_; }                                                                          \
                                                                                                                                     \
 protected:                                                                                                                          \
  AscendC::TBufPoolImpl<POSITION, BUFID_SIZE> tBufPoolImpl

namespace toprope {

inline int8_t fetch_event_id(AscendC::HardEvent event) {
  AscendC::TPipe* pipe = AscendC::GetTPipePtr();
  return pipe == nullptr ? 0 : pipe->FetchEventID(event);
}

}  // namespace toprope

/* Public programs use it without its namespace, too. */
using AscendC::GetTPipePtr;

#endif
