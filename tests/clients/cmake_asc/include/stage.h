// Device side: one block's part of an array, changed in the unified buffer. The functions are not inlined, so that every module of a process
// has them under the same name.
#ifndef STAGE_H
#define STAGE_H

#include "kernel_operator.h"

template <class T>
class Stage {
 public:
  __attribute__((noinline)) __aicore__ void Run(__gm__ T* data, uint32_t elements, T factor, T offset) {
    AscendC::GlobalTensor<T> global;
    global.SetGlobalBuffer(data + AscendC::GetBlockIdx() * elements, elements);
    AscendC::LocalMemAllocator<AscendC::Hardware::UB> allocator;
    AscendC::LocalTensor<T> local = allocator.Alloc<T>(elements);
    AscendC::DataCopy(local, global, elements);
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::SetFlag<AscendC::HardEvent::MTE2_V>(EVENT_ID0);
    AscendC::WaitFlag<AscendC::HardEvent::MTE2_V>(EVENT_ID0);
    AscendC::Muls(local, local, factor, elements);
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Adds(local, local, offset, elements);
    AscendC::SetFlag<AscendC::HardEvent::V_MTE3>(EVENT_ID0);
    AscendC::WaitFlag<AscendC::HardEvent::V_MTE3>(EVENT_ID0);
    AscendC::DataCopy(global, local, elements);
    AscendC::PipeBarrier<PIPE_ALL>();
  }
};

#endif
