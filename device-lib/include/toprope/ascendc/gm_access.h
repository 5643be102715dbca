/* Filling GM from a kernel: InitOutput, and Fill for GM. Software over UB: a full burst of the value is made once and copied out. */
#ifndef TOPROPE_ASCENDC_GM_ACCESS_H
#define TOPROPE_ASCENDC_GM_ACCESS_H

#include <toprope/ascendc/data_copy.h>
#include <toprope/ascendc/duplicate.h>
#include <toprope/ascendc/tpipe.h>

namespace toprope {

/* `count` elements of `value` from `address` on. The tile lies in the part of UB that no buffer uses. */
template <class T>
TR_API void fill_gm(TrCore* core, const char* api, uint64_t address, uint64_t count, T value) {
  static_assert(sizeof(T) == 2 || sizeof(T) == 4, "InitOutput, Fill: this data type is not supported on dav-2201; supported: uint16_t, int16_t, half, uint32_t, int32_t, float");
  if (!has_vector(core)) return;
  if (AscendC::GetTPipePtr() == nullptr) tr_refuse(core, TR_REFUSE_UNSUPPORTED, "InitOutput or Fill without a TPipe (it takes UB that the TPipe has left)");
  AscendC::LocalTensor<T> tile;
  if (!AscendC::PopStackBuffer<T, AscendC::TPosition::LCM>(tile)) return;
  constexpr uint64_t most = AscendC::MAX_REPEAT_TIMES * AscendC::ONE_BLK_SIZE / sizeof(T);
  const uint64_t tile_elements = tile.GetSize() < most ? tile.GetSize() : most;
  if (TR_UNLIKELY(tile_elements == 0)) tr_refuse(core, TR_REFUSE_CAPACITY, api, TR_SPACE_UB, 32, 0);
  AscendC::Duplicate<T>(tile, value, static_cast<int32_t>(tile_elements));
  const int8_t id = fetch_event_id(AscendC::HardEvent::V_MTE3);
  AscendC::SetFlag<AscendC::HardEvent::V_MTE3>(id);
  AscendC::WaitFlag<AscendC::HardEvent::V_MTE3>(id);
  for (uint64_t done = 0; done < count; done += tile_elements) {
    const uint64_t now = count - done < tile_elements ? count - done : tile_elements;
    pad_copy_out<T>(core, address + done * sizeof(T), tile.address_, 1, now * sizeof(T), 0, 0);
  }
}

}  // namespace toprope

namespace AscendC {

/* Fills the first `size` elements of a tensor in GM. The copies run on MTE3; other cores need a SyncAll before they read. */
template <typename T>
TR_API void InitOutput(GlobalTensor<T> gmWorkspaceAddr, uint32_t size, T value = T(0)) {
  ::toprope::fill_gm<T>(::toprope::this_core(), "InitOutput", gmWorkspaceAddr.address_, size, value);
}
template <typename T>
TR_API void InitGlobalMemory(GlobalTensor<T>& gmWorkspaceAddr, const uint64_t size, const T value) {
  ::toprope::fill_gm<T>(::toprope::this_core(), "InitGlobalMemory", gmWorkspaceAddr.address_, size, value);
}
template <typename T>
TR_API void Fill(GlobalTensor<T>& gmWorkspaceAddr, const uint64_t size, const T value) {
  ::toprope::fill_gm<T>(::toprope::this_core(), "Fill", gmWorkspaceAddr.address_, size, value);
}

}  // namespace AscendC

#endif
