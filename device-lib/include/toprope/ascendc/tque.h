/* TQueBind, TQue, TBuf and TSCM over the C functions of device-lib (toprope/fwk.h). The bookkeeping is theirs; these classes give it the
 * public names and turn buffer records into tensors. */
#ifndef TOPROPE_ASCENDC_TQUE_H
#define TOPROPE_ASCENDC_TQUE_H

#include <toprope/ascendc/hooks.h>

namespace AscendC {

/* Compile-time configuration of a queue: the address of a constant of this type may stand for the mask of TQue. */
struct TQueConfig {
  bool nd2nz = false;
  bool nz2nd = false;
  bool scmBlockGroup = false;
  uint32_t bufferLen = 0;
  uint32_t bufferNumber = 0;
  uint32_t consumerSize = 0;
  TPosition consumer[8] = {};
  bool enableStaticEvtId = false;
  bool enableLoopQueue = false;
};
constexpr TQueConfig GetTQueConfig(int32_t mask) {
  TQueConfig config;
  config.nd2nz = (mask & 1) != 0;
  config.nz2nd = (mask & 2) != 0;
  config.scmBlockGroup = (mask & 4) != 0;
  return config;
}
constexpr TQueConfig GetTQueConfig(const TQueConfig* config) { return *config; }

}  // namespace AscendC

namespace toprope {

constexpr uint32_t queue_bits(const AscendC::TQueConfig& config) {
  return (config.nd2nz ? TR_FWK_QUE_ND2NZ : 0) | (config.nz2nd ? TR_FWK_QUE_NZ2ND : 0) |
         (config.scmBlockGroup ? TR_FWK_QUE_SCM_BLOCK_GROUP : 0) | (config.enableLoopQueue ? TR_FWK_QUE_LOOP : 0);
}

TR_API TrRecord* record_of(AscendC::TBufHandle handle) { return reinterpret_cast<TrRecord*>(handle); }
TR_API AscendC::TBufHandle handle_of(const TrRecord* record) {
  return reinterpret_cast<AscendC::TBufHandle>(const_cast<TrRecord*>(record));
}

/* A tensor over the place that device-lib names. */
template <class T>
TR_API AscendC::LocalTensor<T> tensor_at(TrCore* core, uint8_t position, uint32_t offset, uint32_t length_bytes, const TrRecord* record) {
  AscendC::LocalTensor<T> tensor;
  tensor.address_ = local_address(core, static_cast<AscendC::TPosition>(position), offset);
  tensor.length_bytes_ = length_bytes;
  tensor.position_ = position;
  tensor.handle_ = handle_of(record);
  return tensor;
}
template <class T>
TR_API AscendC::LocalTensor<T> tensor_of(TrCore* core, const TrTensor& place) {
  return tensor_at<T>(core, place.position, place.address_bytes, place.length_bytes, place.record);
}
/* The tensor of a queue's record; empty if device-lib refused. */
template <class T>
TR_API AscendC::LocalTensor<T> tensor_of(TrCore* core, const TrQue& que, const TrRecord* record) {
  if (TR_UNLIKELY(record == nullptr)) return AscendC::LocalTensor<T>();
  return tensor_at<T>(core, que.position, record->address_bytes, record->length_bytes, record);
}
TR_API AscendC::TBuffAddr buffer_address(const TrTensor& place) {
  return AscendC::TBuffAddr{place.length_bytes, place.address_bytes, handle_of(place.record), place.position};
}

}  // namespace toprope

namespace AscendC {

class TPipe;

/* A queue of buffers from position src to position dst. depth 0: buffers are used in place, without a ring. */
template <TPosition src, TPosition dst, int32_t depth, auto mask = 0>
class TQueBind {
 public:
  static constexpr TQueConfig config = GetTQueConfig(mask);
  static constexpr TPosition srcPosition = src;
  static constexpr TPosition dstPosition = dst;
  static constexpr bool isTQue = true;
  static_assert(depth >= 0 && depth <= static_cast<int32_t>(TR_FWK_QUE_DEPTH_MAX), "TQue: the depth must be 0..64");

  TR_API TQueBind() {
    ::toprope::FrameworkCall call;
    tr_que_construct(&que_, call.core->kind, static_cast<uint32_t>(src), static_cast<uint32_t>(dst), depth, ::toprope::queue_bits(config),
                     config.bufferNumber, config.bufferLen);
  }
  TQueBind(const TQueBind&) = delete;
  TQueBind& operator=(const TQueBind&) = delete;

  /* Takes a free buffer; waits until its last reader is done with it. */
  template <typename T>
  TR_API LocalTensor<T> AllocTensor() {
    ::toprope::FrameworkCall call;
    return ::toprope::tensor_of<T>(call.core, que_, tr_que_alloc(call.pipe, &que_));
  }
  template <typename T>
  TR_API void AllocTensor(LocalTensor<T>& tensor) {
    tensor = AllocTensor<T>();
  }
  /* Gives the buffer back. */
  template <typename T>
  TR_API void FreeTensor(LocalTensor<T>& tensor) {
    FreeBuffer(tensor.handle_);
  }
  TR_API void FreeBuffer(TBufHandle buf) {
    ::toprope::FrameworkCall call;
    tr_que_free(call.pipe, &que_, ::toprope::record_of(buf));
  }

  /* Hands the tensor to the consumer. */
  template <typename T>
  TR_API bool EnQue(const LocalTensor<T>& tensor) {
    return EnQue(tensor.handle_);
  }
  TR_API bool EnQue(TBufHandle buf) {
    ::toprope::FrameworkCall call;
    return tr_que_enque(call.pipe, &que_, ::toprope::record_of(buf)) == 0;
  }
  template <TPosition srcUserPos, TPosition dstUserPos, typename T>
  TR_API bool EnQue(const LocalTensor<T>& tensor) {
    return EnQue<srcUserPos, dstUserPos>(tensor.handle_);
  }
  template <TPosition srcUserPos, TPosition dstUserPos>
  TR_API bool EnQue(TBufHandle buf) {
    ::toprope::FrameworkCall call;
    return tr_que_enque_explicit(call.pipe, &que_, ::toprope::record_of(buf), static_cast<uint32_t>(srcUserPos),
                                 static_cast<uint32_t>(dstUserPos)) == 0;
  }

  /* Takes the oldest tensor; waits until its producer is done. */
  template <typename T>
  TR_API LocalTensor<T> DeQue() {
    ::toprope::FrameworkCall call;
    return ::toprope::tensor_of<T>(call.core, que_, tr_que_deque(call.pipe, &que_));
  }
  template <typename T>
  TR_API void DeQue(LocalTensor<T>& tensor) {
    if constexpr (depth == 0) {
      ::toprope::FrameworkCall call;
      tr_que_deque_in_place(call.pipe, &que_, ::toprope::record_of(tensor.handle_));
    } else {
      tensor = DeQue<T>();
    }
  }
  TR_API TBufHandle DeQue() {
    ::toprope::FrameworkCall call;
    return ::toprope::handle_of(tr_que_deque(call.pipe, &que_));
  }
  template <TPosition srcUserPos, TPosition dstUserPos, typename T>
  TR_API LocalTensor<T> DeQue() {
    ::toprope::FrameworkCall call;
    return ::toprope::tensor_of<T>(call.core, que_, Dequeued<srcUserPos, dstUserPos>(call));
  }
  template <TPosition srcUserPos, TPosition dstUserPos>
  TR_API TBufHandle DeQue() {
    ::toprope::FrameworkCall call;
    return ::toprope::handle_of(Dequeued<srcUserPos, dstUserPos>(call));
  }

  TR_API bool VacantInQue() { return tr_que_vacant(&que_) != 0; }
  TR_API bool HasTensorInQue() { return tr_que_has_tensor(&que_) != 0; }
  TR_API int32_t GetTensorCountInQue() { return static_cast<int32_t>(tr_que_tensor_count(&que_)); }
  TR_API bool HasIdleBuffer() { return tr_que_has_idle_buffer(&que_) != 0; }
  TR_API void FreeAllEvent() {
    ::toprope::FrameworkCall call;
    tr_que_free_all_event(call.pipe, &que_);
  }

  template <typename T>
  TR_API TBufState GetState(const LocalTensor<T>& tensor) const {
    ::toprope::FrameworkCall call;
    return static_cast<TBufState>(tr_que_state(call.pipe, const_cast<TrQue*>(&que_), ::toprope::record_of(tensor.handle_)));
  }
  TR_API TBuffAddr GetBufferAddr(TBufHandle buf) {
    ::toprope::FrameworkCall call;
    TrTensor place = {};
    tr_que_tensor(call.pipe, &que_, ::toprope::record_of(buf), &place);
    return ::toprope::buffer_address(place);
  }

  /* For custom pools (EXTERN_IMPL_BUFPOOL). */
  TR_API void InitStartBufHandle(TBufHandle startBufhandle, uint8_t num, uint32_t len) {
    ::toprope::FrameworkCall call;
    tr_que_init_start(call.pipe, &que_, ::toprope::record_of(startBufhandle), num, len);
  }
  template <typename T>
  TR_API void InitBufHandle(T*, uint32_t, TBufHandle bufhandle, uint32_t curPoolAddr, uint32_t len) {
    ::toprope::FrameworkCall call;
    tr_que_init_handle(call.pipe, &que_, ::toprope::record_of(bufhandle), curPoolAddr, len);
  }

  TR_API TrQue* State() { return &que_; }

 protected:
  template <TPosition srcUserPos, TPosition dstUserPos>
  TR_API const TrRecord* Dequeued(const ::toprope::FrameworkCall& call) {
    return tr_que_deque_explicit(call.pipe, &que_, static_cast<uint32_t>(srcUserPos), static_cast<uint32_t>(dstUserPos));
  }

  TrQue que_;
};

/* Positions of a queue that is named by one. */
constexpr TPosition GetBufferLogicPos(TPosition pos, bool isSrc) {
  switch (pos) {
    case TPosition::A1:
    case TPosition::B1:
    case TPosition::C1:
    case TPosition::VECIN: return isSrc ? TPosition::GM : pos;
    case TPosition::A2: return isSrc ? TPosition::A1 : pos;
    case TPosition::B2: return isSrc ? TPosition::B1 : pos;
    case TPosition::C2: return isSrc ? TPosition::C1 : pos;
    case TPosition::CO1: return isSrc ? pos : TPosition::CO2;
    case TPosition::CO2: return isSrc ? pos : TPosition::GM;
    case TPosition::VECOUT: return isSrc ? pos : TPosition::GM;
    case TPosition::SPM: return isSrc ? TPosition::VECOUT : TPosition::GM;
    case TPosition::C2PIPE2GM: return isSrc ? TPosition::B1 : pos;
    /* A queue from vector to vector instructions: nothing to wait for. */
    case TPosition::VECCALC: return pos;
    default: return TPosition::MAX;
  }
}

template <TPosition pos, int32_t depth, auto mask = 0>
class TQue : public TQueBind<GetBufferLogicPos(pos, true), GetBufferLogicPos(pos, false), depth, mask> {
 public:
  static_assert(GetBufferLogicPos(pos, true) != TPosition::MAX,
                "TQue: no queue at this position; use VECIN, VECCALC, VECOUT, A1, A2, B1, B2, C1, C2, CO1, CO2, C2PIPE2GM or SPM");
  TQue() = default;
};

template <TPosition pos, int32_t depth = 1, auto mask = 0>
using TSCM = TQueBind<pos, TPosition::TSCM, depth, mask>;

/* One buffer without a queue and without flags: temporary memory of a pipe. */
template <TPosition pos = TPosition::LCM>
class TBuf {
 public:
  static constexpr bool isTQue = false;
  static constexpr TPosition position = pos;

  TR_API TBuf() {
    ::toprope::FrameworkCall call;
    tr_buf_construct(&buf_, call.core->kind, static_cast<uint32_t>(pos));
  }
  TBuf(const TBuf&) = delete;
  TBuf& operator=(const TBuf&) = delete;

  /* The whole buffer. */
  template <typename T>
  TR_API LocalTensor<T> Get() {
    ::toprope::FrameworkCall call;
    TrTensor place = {};
    if (tr_buf_get_all(call.pipe, &buf_, element_bits<T>, &place) != 0) return LocalTensor<T>();
    return ::toprope::tensor_of<T>(call.core, place);
  }
  /* Its first `len` elements. */
  template <typename T>
  TR_API LocalTensor<T> Get(uint32_t len) {
    ::toprope::FrameworkCall call;
    TrTensor place = {};
    if (tr_buf_get(call.pipe, &buf_, len, element_bits<T>, &place) != 0) return LocalTensor<T>();
    return ::toprope::tensor_of<T>(call.core, place);
  }
  /* `size` elements from byte `bufOffset` on. */
  template <typename T>
  TR_API LocalTensor<T> GetWithOffset(uint32_t size, uint32_t bufOffset) {
    ::toprope::FrameworkCall call;
    TrTensor place = {};
    if (tr_buf_get_with_offset(call.pipe, &buf_, size, element_bits<T>, bufOffset, &place) != 0) return LocalTensor<T>();
    return ::toprope::tensor_of<T>(call.core, place);
  }

  /* A TBuf may stand where a queue is expected: these do nothing but return it. */
  template <typename T>
  TR_API LocalTensor<T> AllocTensor() {
    return Get<T>();
  }
  template <typename T>
  TR_API LocalTensor<T> DeQue() {
    return Get<T>();
  }
  template <typename T>
  TR_API void EnQue(const LocalTensor<T>&) {}
  template <typename T>
  TR_API void FreeTensor(LocalTensor<T>&) {}
  TR_API bool EnQue(TBufHandle) { return true; }
  TR_API TBufHandle DeQue() {
    ::toprope::FrameworkCall call;
    return ::toprope::handle_of(tr_buf_deque(call.pipe, &buf_));
  }
  TR_API void FreeBuffer(TBufHandle) {}
  template <typename T>
  TR_API TBufState GetState(const LocalTensor<T>& tensor) const {
    ::toprope::FrameworkCall call;
    return static_cast<TBufState>(tr_buf_state(call.pipe, const_cast<TrBuf*>(&buf_), ::toprope::record_of(tensor.handle_)));
  }
  TR_API TBuffAddr GetBufferAddr(TBufHandle) {
    ::toprope::FrameworkCall call;
    TrTensor place = {};
    tr_buf_tensor(call.pipe, &buf_, &place);
    return ::toprope::buffer_address(place);
  }
  TR_API void InitStartBufHandle(TBufHandle startBufhandle, uint8_t num, uint32_t len) {
    ::toprope::FrameworkCall call;
    tr_buf_init_start(call.pipe, &buf_, ::toprope::record_of(startBufhandle), num, len);
  }
  template <typename T>
  TR_API void InitBufHandle(T*, uint32_t, TBufHandle bufhandle, uint32_t curPoolAddr, uint32_t len) {
    ::toprope::FrameworkCall call;
    tr_buf_init_handle(call.pipe, &buf_, ::toprope::record_of(bufhandle), curPoolAddr, len);
  }

  TR_API TrBuf* State() { return &buf_; }

 private:
  TrBuf buf_;
};

template <typename T>
TR_API void LocalTensor<T>::SetUserTag(TTagType tag) {
  ::toprope::FrameworkCall call;
  tr_record_set_user_tag(call.pipe, ::toprope::record_of(handle_), tag);
}
template <typename T>
TR_API TTagType LocalTensor<T>::GetUserTag() const {
  ::toprope::FrameworkCall call;
  return tr_record_user_tag(call.pipe, ::toprope::record_of(handle_));
}

}  // namespace AscendC

#endif
