/* What a host program asks about the chip: core counts, sizes and rates of memories. The answers are those of the simulated SoC: the one that the
 * program names first, else the one of TOPROPE_SOC. An unknown name makes GetInstance return nullptr, and the reason goes to stderr.
 *
 * fe::PlatFormInfos belongs to the operator framework, which is not here. The pointer stands for our own facts: nullptr means the SoC at hand.
 */
#ifndef TOPROPE_TILING_PLATFORM_ASCENDC_H
#define TOPROPE_TILING_PLATFORM_ASCENDC_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <tiling/toprope_tiling.h>

#include <mutex>

extern "C" {
const TrPlatform* tr_platform_find(const char* soc_name);
}

namespace fe {
class PlatFormInfos;
}

enum class NpuArch : uint32_t {
  DAV_1001 = 1001,
  DAV_2002 = 2002,
  DAV_2201 = 2201,
  DAV_3002 = 3002,
  DAV_3003 = 3003,
  DAV_3102 = 3102,
  DAV_3113 = 3113,
  DAV_3510 = 3510,
  DAV_5102 = 5102,
  DAV_RESV = 0xffff,
};

namespace platform_ascendc {

enum class CoreMemType { L0_A = 0, L0_B = 1, L0_C = 2, L1 = 3, L2 = 4, UB = 5, HBM = 6, FB = 7, BT = 8, RESERVED };

enum class SocVersion {
  ASCEND910 = 0,
  ASCEND910B,
  ASCEND310P,
  ASCEND310B,
  ASCEND950,
  ASCEND910_55,
  ASCEND910_95 = ASCEND950,
  AS31XM1,
  ASCEND031,
  ASCEND035,
  ASCEND310,
  ASCEND610,
  ASCEND610Lite,
  ASCEND910_93,
  BS9SX1A,
  BS9SX2A,
  HI3796CV300CS,
  HI3796CV300ES,
  MC61AM21A,
  MC62,
  SD3403,
  KIRINX90,
  KIRIN9030,
  MC32DM11A,
  ASCEND350,
  RESERVED_VERSION = 99999
};

enum class ReservedSize { RESERVED_SIZE_8K, RESERVED_SIZE_16K, RESERVED_SIZE_32K };

class PlatformAscendC {
 public:
  PlatformAscendC() = delete;
  explicit PlatformAscendC(fe::PlatFormInfos* info)
      : facts_(info == nullptr ? tr_platform_find(nullptr) : reinterpret_cast<const TrPlatform*>(info)) {
    if (facts_ != nullptr && facts_->magic == MAGIC) return;
    fprintf(stderr, "toprope: PlatformAscendC: %s\n",
            facts_ == nullptr ? "there is no SoC to ask about" : "the platform information is not toprope's; pass nullptr, or use PlatformAscendCManager");
    abort();
  }

  /* Vector cores, as on every architecture whose AI Cores have cube and vector cores apart. */
  uint32_t GetCoreNum() const { return facts_->aiv_count; }
  uint32_t GetCoreNumAic() const { return facts_->aic_count; }
  uint32_t GetCoreNumAiv() const { return facts_->aiv_count; }
  /* Vector cores beside the AI Cores: other architectures have some. */
  uint32_t GetCoreNumVector() const { return 0; }

  /* Blocks for a mixed kernel whose vector cores take slices; 0 if there are more slices than vector cores. */
  uint32_t CalcTschNumBlocks(uint32_t slices, uint32_t aic_count, uint32_t aiv_count) const {
    if (aic_count == 0 || aiv_count == 0 || aic_count > aiv_count) return slices;
    const uint32_t per_block = aiv_count / aic_count;
    const uint32_t blocks = (slices + per_block - 1) / per_block;
    if (per_block == 2 && blocks > aic_count) {
      fprintf(stderr, "toprope: CalcTschNumBlocks: %u slices need %u blocks, there are %u cube cores; use at most %u slices\n", slices, blocks,
              aic_count, aic_count * per_block);
      return 0;
    }
    return blocks;
  }
  uint32_t CalcTschBlockDim(uint32_t slices, uint32_t aic_count, uint32_t aiv_count) const { return CalcTschNumBlocks(slices, aic_count, aiv_count); }

  uint32_t GetLibApiWorkSpaceSize() const { return facts_->lib_api_workspace_bytes; }
  uint32_t GetResCubeGroupWorkSpaceSize() const { return 1u << 20; }
  uint32_t GetResGroupBarrierWorkSpaceSize() const { return 1u << 20; }

  /* Bytes a kernel may use: UB and L1 without what the high-level APIs keep, UB without what ReserveLocalMemory keeps. */
  void GetCoreMemSize(const CoreMemType& memory, uint64_t& size) const {
    const unsigned place = static_cast<unsigned>(memory);
    if (place >= static_cast<unsigned>(CoreMemType::RESERVED)) return;
    size = facts_->memory_bytes[place];
    if (memory == CoreMemType::UB || memory == CoreMemType::L1) size -= facts_->reserved_bytes;
    if (memory == CoreMemType::UB) size -= kept_;
  }

  /* Bytes per cycle of one core, of the memories for which that is published (L2, HBM); 0 else. */
  void GetCoreMemBw(const CoreMemType& memory, uint64_t& bytes_per_cycle) const {
    const unsigned place = static_cast<unsigned>(memory);
    if (place < static_cast<unsigned>(CoreMemType::RESERVED)) bytes_per_cycle = facts_->bandwidth[place];
  }

  void ReserveLocalMemory(ReservedSize size) {
    switch (size) {
      case ReservedSize::RESERVED_SIZE_8K: kept_ = 8u << 10; return;
      case ReservedSize::RESERVED_SIZE_16K: kept_ = 16u << 10; return;
      case ReservedSize::RESERVED_SIZE_32K: kept_ = 32u << 10; return;
    }
    fprintf(stderr, "toprope: ReserveLocalMemory: %d is no ReservedSize\n", static_cast<int>(size));
  }

  SocVersion GetSocVersion() const { return static_cast<SocVersion>(facts_->soc_version); }
  NpuArch GetCurNpuArch() const { return static_cast<NpuArch>(facts_->npu_arch); }
  /* Vector registers: this architecture has none. */
  uint32_t GetVecRegLen() const { return 0; }

  /* Not part of CANN: the facts behind the answers. */
  const TrPlatform* tr_facts() const { return facts_; }

 private:
  static constexpr uint32_t MAGIC = 0x70727470;

  const TrPlatform* facts_;
  uint32_t kept_ = 0;
};

/* One PlatformAscendC per program: the first call says which SoC it is about. */
class PlatformAscendCManager {
 public:
  static PlatformAscendC* GetInstance() { return GetInstance(nullptr); }
  static PlatformAscendC* GetInstance(const char* soc_name) {
    const std::lock_guard<std::mutex> lock(Lock());
    PlatformAscendC*& made = Made();
    if (made == nullptr) {
      const TrPlatform* facts = tr_platform_find(soc_name);
      if (facts != nullptr) made = new PlatformAscendC(reinterpret_cast<fe::PlatFormInfos*>(const_cast<TrPlatform*>(facts)));
    }
    return made;
  }

 private:
  PlatformAscendCManager();
  ~PlatformAscendCManager() = default;

  static std::mutex& Lock() {
    static std::mutex lock;
    return lock;
  }
  static PlatformAscendC*& Made() {
    static PlatformAscendC* made = nullptr;
    return made;
  }
};

}  // namespace platform_ascendc

#endif
