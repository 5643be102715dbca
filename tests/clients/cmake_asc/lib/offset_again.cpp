#include "host.h"
#include "stage.h"

namespace offsets {

__global__ __vector__ __aicore__ void add(__gm__ int32_t* data, int32_t offset) {
  Stage<int32_t>().Run(data, BLOCK_ELEMENTS, 1, offset);
}

}  // namespace offsets

void launch_offset(int32_t* data, int32_t offset, aclrtStream stream) {
  offsets::add<<<BLOCKS, nullptr, stream>>>(data, offset);
}
