/* What a kernel asks its core: block index, core kind, cycle counter; and Trap. */
#ifndef TOPROPE_ASCENDC_SYSVAR_H
#define TOPROPE_ASCENDC_SYSVAR_H

#include <toprope/ascendc/enums.h>
#include <toprope/core_access.h>

namespace toprope {

/* Word of TrCore::kernel_side that holds the address of the system workspace. */
constexpr unsigned SYSTEM_WORKSPACE = 3;

}  // namespace toprope

namespace AscendC {

/* Part of a workspace that belongs to the library. */
constexpr uint64_t RESERVED_WORKSPACE = 16 * 1024 * 1024;

/* Launch argument: number of blocks (also on the AIVs of a 1:2 kernel). */
TR_API int64_t GetBlockNum() { return ::toprope::this_core()->block_num; }
/* Index of this core: of an AIV in 1:2 kernels block * 2 + sub-block. */
TR_API int64_t GetBlockIdx() {
  const TrCore* core = ::toprope::this_core();
  if (core->kind == TR_CORE_AIC) return core->block_idx;
  return static_cast<int64_t>(core->block_idx) * core->sub_block_num + core->sub_block_idx;
}
TR_API int64_t GetSubBlockIdx() { return ::toprope::this_core()->sub_block_idx; }
/* AIVs per AIC of the launch, 1 or 2; on an AIC 1. */
TR_API int64_t GetSubBlockNum() {
  const TrCore* core = ::toprope::this_core();
  return core->kind == TR_CORE_AIC ? 1 : core->sub_block_num;
}
/* AIV cores per AIC as this core sees it: on AIV 1 or 2, on AIC 1. */
TR_API int64_t GetTaskRatio() { return GetSubBlockNum(); }

TR_API int64_t GetTaskRation() { return GetTaskRatio(); }

/* Calls a function on the cores of one kind only. */
enum class EngineType : int32_t { AIC, AIV };
template <EngineType engine, auto funPtr, class... Args>
TR_API void Async(Args... args) {
  if ((engine == EngineType::AIC) == (::toprope::this_core()->kind == TR_CORE_AIC)) funPtr(args...);
}

/* Cycles of the 50 MHz system counter. */
TR_API int64_t GetSystemCycle() {
  TrCore* core = ::toprope::this_core();
  return static_cast<int64_t>(core->read_spr(core, TR_SPR_SYS_CNT));
}
TR_API int64_t GetProgramCounter() {
  uint64_t pc;
#if defined(__x86_64__)
  __asm__ volatile("leaq 0(%%rip), %0" : "=r"(pc));
#else
  __asm__ volatile("adr %0, ." : "=r"(pc));
#endif
  return static_cast<int64_t>(pc);
}

/* Ends the kernel with an error. */
TR_API void Trap() { tr_refuse(::toprope::this_core(), TR_REFUSE_TRAP, "Trap"); }

/* Architecture of the core: its number in hexadecimal digits. */
TR_API void GetArchVersion(uint32_t& coreVersion) { coreVersion = 0x220; }

constexpr int16_t GetDataBlockSizeInBytes() { return ONE_BLK_SIZE; }
constexpr uint32_t GetUBSizeInBytes() { return TOTAL_UB_SIZE; }
/* Of the vector unit: what one repeat works on. The reference lists it for Ascend 950 only; the value is the same. */
constexpr uint32_t GetVecLen() { return ONE_REPEAT_BYTE_SIZE; }
TR_API uint32_t GetRuntimeUBSize() { return TOTAL_UB_SIZE; }

/* Nothing to schedule after or before inside the simulator. */
template <pipe_t AIV_PIPE = PIPE_MTE3, pipe_t AIC_PIPE = PIPE_FIX, bool FORCE = false>
TR_API void SetNextTaskStart() {}
template <bool FORCE = false>
TR_API void WaitPreTaskEnd() {}

constexpr uint32_t DivCeil(uint32_t a, uint32_t b) { return (a + b - 1) / b; }
constexpr uint32_t AlignUp(uint32_t a, uint32_t align) { return DivCeil(a, align) * align; }

}  // namespace AscendC

/* Workspace of the library: the kernel's parameter with __kfc_workspace__, or what SetSysWorkspace was given. Null: there is none. At global
 * scope as in the public headers. */
TR_API uint8_t* GetSysWorkSpacePtr() { return reinterpret_cast<uint8_t*>(::toprope::this_core()->kernel_side[::toprope::SYSTEM_WORKSPACE]); }
TR_API void SetSysWorkSpacePtr(uint8_t* workspace) {
  ::toprope::this_core()->kernel_side[::toprope::SYSTEM_WORKSPACE] = reinterpret_cast<uint64_t>(workspace);
}

namespace AscendC {

TR_API void SetSysWorkspaceForce(GM_ADDR workspace) { ::SetSysWorkSpacePtr(workspace); }
/* The first one set stays. */
TR_API void SetSysWorkspace(GM_ADDR workspace) {
  if (::GetSysWorkSpacePtr() == nullptr) SetSysWorkspaceForce(workspace);
}
/* What lies behind the part of the library, 16 MiB. */
using ::GetSysWorkSpacePtr;
TR_API void SetSysWorkSpace(GM_ADDR workspace) { SetSysWorkspace(workspace); }
TR_API GM_ADDR GetUserWorkspace(GM_ADDR) { return ::GetSysWorkSpacePtr() + RESERVED_WORKSPACE; }

}  // namespace AscendC

namespace toprope {

/* The variable block_idx of Ascend C: the launch block, the same for both AIVs of a 1:2 kernel. */
struct BlockIndex {
  TR_API operator int64_t() const { return this_core()->block_idx; }
};

}  // namespace toprope

constexpr ::toprope::BlockIndex block_idx{};

/* The intrinsics of the same names. */
TR_API int64_t get_block_idx() { return ::toprope::this_core()->block_idx; }
TR_API int64_t get_block_num() { return ::toprope::this_core()->block_num; }
TR_API int64_t get_subblockid() { return ::toprope::this_core()->sub_block_idx; }
TR_API int64_t get_subblockdim() { return ::AscendC::GetSubBlockNum(); }

#endif
