/* ListTensorDesc and TensorDesc: a list of tensors that the host wrote into GM as one block of 64-bit words.
 *
 *   word 0          distance in bytes from here to the pointers
 *   per tensor      dim | number of the tensor (32 bits each), then dim sizes
 *                   (dim 0: no shapes; the first word carries the number of pointers in its high half, the second is 0xffffffff)
 *   pointers        one per tensor
 *
 * The high half of the first description is the number of tensors if it is not 0, else the last description's number plus one counts them.
 * Words are read by the scalar unit, so a list that ends too early is found. Source: page ListTensorDesc.
 */
#ifndef TOPROPE_ASCENDC_LIST_TENSOR_H
#define TOPROPE_ASCENDC_LIST_TENSOR_H

#include <toprope/ascendc/print.h>
#include <toprope/ascendc/tensor.h>

namespace AscendC {

class ListTensorDesc;

/* One tensor of a list; shapes are written to the words given with SetShapeAddr. */
template <class T>
class TensorDesc {
 public:
  TensorDesc() = default;
  TR_API void SetShapeAddr(uint64_t* shapePtr) { shape_ = shapePtr; }
  TR_API uint64_t GetDim() { return dim_; }
  TR_API uint64_t GetIndex() { return index_; }
  TR_API uint64_t GetShape(uint32_t offset) {
    if (TR_UNLIKELY(offset >= dim_)) tr_refuse(::toprope::this_core(), TR_REFUSE_OUT_OF_RANGE, "TensorDesc::GetShape: dimension", 0, offset, dim_);
    return shape_[offset];
  }
  TR_API T* GetDataPtr() { return pointer_; }
  /* The tensor with its size; as in the public header the size is in bytes. */
  TR_API GlobalTensor<T> GetDataObj() {
    uint64_t size = sizeof(T);
    for (uint32_t i = 0; i < dim_; ++i) size *= shape_[i];
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer(pointer_, size);
    return tensor;
  }

 private:
  friend class ListTensorDesc;
  uint32_t dim_ = 0;
  uint32_t index_ = 0;
  uint64_t* shape_ = nullptr;
  T* pointer_ = nullptr;
};

class ListTensorDesc {
 public:
  ListTensorDesc() = default;
  /* `length` in bytes and `shapeSize` in tensors are checked against the list when both are given. */
  TR_API ListTensorDesc(void* data, uint32_t length = 0xffffffff, uint32_t shapeSize = 0xffffffff) { Init(data, length, shapeSize); }
  TR_API void Init(void* data, uint32_t length = 0xffffffff, uint32_t shapeSize = 0xffffffff) {
    TrCore* core = ::toprope::this_core();
    list_ = reinterpret_cast<uint64_t>(data);
    const uint64_t distance = Word(0), first = Word(1);
    if (TR_UNLIKELY(distance % 8 != 0)) tr_refuse(core, TR_REFUSE_MISALIGNED, "ListTensorDesc: distance to the pointers, bytes", 0, distance, 8);
    pointers_ = distance / 8;
    dim_ = static_cast<uint32_t>(first);
    stride_ = dim_ == 0 ? 2 : 1 + static_cast<uint64_t>(dim_);
    if (TR_UNLIKELY(pointers_ < 1 + stride_)) tr_refuse(core, TR_REFUSE_OUT_OF_RANGE, "ListTensorDesc: words before the pointers, at least", 0, pointers_, 1 + stride_);
    count_ = static_cast<uint32_t>(first >> 32);
    if (count_ == 0) count_ = static_cast<uint32_t>(Word(pointers_ - stride_) >> 32) + 1;
    const uint64_t described = dim_ == 0 ? 1 : count_;
    if (TR_UNLIKELY(pointers_ != 1 + described * stride_))
      tr_refuse(core, TR_REFUSE_OUT_OF_RANGE, "ListTensorDesc: words before the pointers do not fit the number of tensors", 0, pointers_, 1 + described * stride_);
    if (length == 0xffffffff || shapeSize == 0xffffffff) return;
    if (TR_UNLIKELY(count_ != shapeSize)) tr_refuse(core, TR_REFUSE_OUT_OF_RANGE, "ListTensorDesc: shapeSize", 0, shapeSize, count_);
    if (TR_UNLIKELY(length != distance + 8ull * count_)) tr_refuse(core, TR_REFUSE_OUT_OF_RANGE, "ListTensorDesc: length", 0, length, distance + 8ull * count_);
  }

  template <class T>
  TR_API void GetDesc(TensorDesc<T>& desc, uint32_t index) {
    Check("ListTensorDesc::GetDesc: index", index);
    if (TR_UNLIKELY(dim_ == 0 || desc.shape_ == nullptr))
      tr_refuse(::toprope::this_core(), TR_REFUSE_OUT_OF_RANGE, dim_ == 0 ? "ListTensorDesc::GetDesc: the list has no shapes" : "ListTensorDesc::GetDesc: call SetShapeAddr first", 0, index, 0);
    const uint64_t at = 1 + index * stride_;
    desc.dim_ = dim_;
    desc.index_ = index;
    for (uint32_t i = 0; i < dim_; ++i) desc.shape_[i] = Word(at + 1 + i);
    desc.pointer_ = GetDataPtr<T>(index);
  }
  template <class T>
  TR_API T* GetDataPtr(uint32_t index) {
    Check("ListTensorDesc::GetDataPtr: index", index);
    return reinterpret_cast<T*>(Word(pointers_ + index));
  }
  TR_API uint32_t GetSize() { return count_; }

 private:
  TR_API uint64_t Word(uint64_t at) const { return ::toprope::scalar_load<uint64_t>(list_ + 8 * at); }
  TR_API void Check(const char* what, uint32_t index) const {
    if (TR_UNLIKELY(index >= count_)) tr_refuse(::toprope::this_core(), TR_REFUSE_OUT_OF_RANGE, what, 0, index, count_);
  }

  uint64_t list_ = 0;
  uint64_t pointers_ = 0; /* words from the start of the list */
  uint64_t stride_ = 0;   /* words of a description */
  uint32_t dim_ = 0;
  uint32_t count_ = 0;
};

}  // namespace AscendC

#endif
