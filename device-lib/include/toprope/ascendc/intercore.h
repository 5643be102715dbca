/* Order between cores: CrossCoreSetFlag, CrossCoreWaitFlag, SyncAll, IBSet, IBWait, WaitPreBlock, NotifyNextBlock, GroupBarrier.
 *
 * Flags (SET.CROSS.CORE, WAIT.FLAG.DEV) are passed on by a unit beside the cores; the other barriers are words in GM that one core writes and
 * another looks at. A loop that looks tells the engine (TR_NOTE_POLL_…), so that other cores run meanwhile and looks in vain cost no time.
 *
 * Source: API reference, pages CrossCoreSetFlag, CrossCoreWaitFlag, SyncAll, IBSet, IBWait, InitDetermineComputeWorkspace, WaitPreBlock,
 * NotifyNextBlock, GroupBarrier.
 */
#ifndef TOPROPE_ASCENDC_INTERCORE_H
#define TOPROPE_ASCENDC_INTERCORE_H

#include <toprope/ascendc/data_copy.h>
#include <toprope/ascendc/duplicate.h>
#include <toprope/ascendc/sync.h>
#include <toprope/ascendc/sysvar.h>
#include <toprope/ascendc/tpipe.h>

namespace toprope {

/* Flags that SyncAll uses. */
constexpr uint16_t SYNC_AIC = 11, SYNC_AIV_TO_AIC = 12, SYNC_AIC_TO_AIV = 13, SYNC_AIV_ONLY = 14;
/* Words of one core in a workspace: one data block. */
constexpr uint32_t SYNC_WORDS = 8;
constexpr uint32_t SYNC_BYTES = 32;

constexpr uint64_t cross_word(uint64_t mode, uint64_t flag) { return 1 | (mode & 3) << 4 | (flag & 0xf) << 8; }

TR_API void cross_set(TrCore* core, pipe_t pipe, uint64_t mode, uint64_t flag) { tr_issue(core, TR_OP_SET_CROSS_CORE, pipe, cross_word(mode, flag)); }
TR_API void cross_wait(TrCore* core, uint64_t flag) { tr_issue(core, TR_OP_WAIT_FLAG_DEV_REG, flag & 0xf); }

template <class T>
TR_API uint64_t word_address(const AscendC::GlobalTensor<T>& words) {
  return reinterpret_cast<uint64_t>(words.GetPhyAddr());
}

TR_API void note(TrCore* core, uint32_t what, uint64_t address, uint64_t words = 1, uint64_t step = SYNC_BYTES, uint64_t value = 0) {
  core->annotate(core, what, nullptr, address, words, step, value);
  __asm__ volatile("");
}

/* Set and wait of one event with an id that is free now. */
template <HardEvent event>
TR_API void order() {
  const int8_t id = fetch_event_id(event);
  AscendC::SetFlag<event>(id);
  AscendC::WaitFlag<event>(id);
}

/* A look at `words` words of GM, visible to the scalar unit in `ub` afterwards. */
TR_API void look(TrCore* core, const AscendC::LocalTensor<int32_t>& ub, const AscendC::GlobalTensor<int32_t>& gm, uint32_t words) {
  note(core, TR_NOTE_POLL_BEGIN, 0);
  AscendC::DataCopy(ub, gm, words);
  order<HardEvent::MTE2_S>();
}
TR_API void look_again(TrCore* core, const AscendC::GlobalTensor<int32_t>& gm) {
  order<HardEvent::S_MTE2>();
  note(core, TR_NOTE_POLL_AGAIN, word_address(gm));
}

/* Words that the scalar unit wrote in `ub` go to GM; `value` is what others look for. */
TR_API void publish(TrCore* core, const AscendC::GlobalTensor<int32_t>& gm, const AscendC::LocalTensor<int32_t>& ub, int32_t value) {
  order<HardEvent::S_MTE3>();
  AscendC::DataCopy(gm, ub, SYNC_WORDS);
  order<HardEvent::MTE3_MTE2>();
  note(core, TR_NOTE_SIGNAL, word_address(gm), 1, SYNC_BYTES, static_cast<uint32_t>(value));
}

}  // namespace toprope

namespace AscendC {

/* Announces to other cores that everything before it on `pipe` is done. Mode 0: all AICs or all AIVs of the launch; 1: the AIVs of a block;
 * 2: the AIC and the AIVs of a block. Ids 0 to 15, of which SyncAll uses 11 to 14. */
template <uint8_t modeId, pipe_t pipe>
TR_API void CrossCoreSetFlag(uint16_t flagId) {
  static_assert(modeId <= 2, "CrossCoreSetFlag: dav-2201 has the modes 0 (all cores of a kind), 1 (AIVs of a block) and 2 (AIC and AIVs of a block)");
  static_assert(pipe != PIPE_S && pipe != PIPE_ALL, "CrossCoreSetFlag: the pipe is PIPE_V, PIPE_M, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3 or PIPE_FIX");
  ::toprope::cross_set(::toprope::this_core(), pipe, modeId, flagId);
}

/* Issues nothing more until the flag counts, and takes one count. Mode and pipe have no effect on this architecture. */
template <uint8_t modeId = 0, pipe_t pipe = PIPE_S>
TR_API void CrossCoreWaitFlag(uint16_t flagId) {
  ::toprope::cross_wait(::toprope::this_core(), flagId);
}

/* Mode 2 by its older names. */
template <pipe_t pipe>
TR_API void NotifyEvent(uint16_t flagId) {
  CrossCoreSetFlag<2, pipe>(flagId);
}
template <pipe_t pipe = PIPE_S>
TR_API void WaitEvent(uint16_t flagId) {
  CrossCoreWaitFlag<0, pipe>(flagId);
}

/* All cores of the launch reach this line before any goes on. isAIVOnly: the cores of this kind; else AICs and AIVs together. */
template <bool isAIVOnly = true>
TR_API void SyncAll() {
  TrCore* core = ::toprope::this_core();
  PipeBarrier<PIPE_ALL>();
  ::toprope::note(core, TR_NOTE_SYNC_ALL, 1);
  if constexpr (isAIVOnly) {
    ::toprope::cross_set(core, PIPE_MTE3, 0, ::toprope::SYNC_AIV_ONLY);
    ::toprope::cross_wait(core, ::toprope::SYNC_AIV_ONLY);
  } else if (::toprope::has_vector(core)) {
    ::toprope::cross_set(core, PIPE_MTE3, 2, ::toprope::SYNC_AIV_TO_AIC);
    ::toprope::cross_wait(core, ::toprope::SYNC_AIC_TO_AIV);
  } else {
    ::toprope::cross_wait(core, ::toprope::SYNC_AIV_TO_AIC);
    ::toprope::cross_set(core, PIPE_FIX, 0, ::toprope::SYNC_AIC);
    ::toprope::cross_wait(core, ::toprope::SYNC_AIC);
    ::toprope::cross_set(core, PIPE_MTE3, 2, ::toprope::SYNC_AIC_TO_AIV);
  }
  ::toprope::note(core, TR_NOTE_SYNC_ALL, 0);
}

/* The same for AIVs (the first `usedCores` of them), with words in GM that are 0 before the first use: 32 bytes per core in both workspaces. */
template <bool isAIVOnly = true>
TR_API void SyncAll(const GlobalTensor<int32_t>& gmWorkspace, const LocalTensor<int32_t>& ubWorkspace, const int32_t usedCores = 0) {
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_vector(core)) return;
  PipeBarrier<PIPE_ALL>();
  const int32_t all = static_cast<int32_t>(isAIVOnly ? GetBlockNum() : GetTaskRatio() * GetBlockNum());
  const int32_t cores = usedCores != 0 ? usedCores : all;
  const int32_t me = static_cast<int32_t>(isAIVOnly ? core->block_idx : GetBlockIdx());
  const LocalTensor<int32_t> ubMine = ubWorkspace[me * ::toprope::SYNC_WORDS];
  const GlobalTensor<int32_t> gmMine = gmWorkspace[me * ::toprope::SYNC_WORDS];
  DataCopy(ubMine, gmMine, ::toprope::SYNC_WORDS);
  ::toprope::order<HardEvent::MTE2_S>();
  const int32_t round = ubMine.GetValue(0) + 1;
  ubMine.SetValue(0, round);
  ::toprope::publish(core, gmMine, ubMine, round);
  while (true) {
    ::toprope::look(core, ubWorkspace, gmWorkspace, cores * ::toprope::SYNC_WORDS);
    bool arrived = true;
    for (int32_t i = 0; i < cores; ++i) arrived &= ubWorkspace.GetValue(i * ::toprope::SYNC_WORDS) >= round;
    if (arrived) break;
    ::toprope::look_again(core, gmWorkspace);
  }
  ::toprope::order<HardEvent::S_MTE2>();
  ::toprope::note(core, TR_NOTE_POLL_END_AT_LEAST, ::toprope::word_address(gmWorkspace), static_cast<uint64_t>(cores), ::toprope::SYNC_BYTES,
                  static_cast<uint64_t>(round));
}

}  // namespace AscendC

namespace toprope {

/* The word of core `blockIdx` and `eventID`: waits until it is `from`, then writes `to`. */
template <bool isAIVOnly>
TR_API void exchange_flag(const AscendC::GlobalTensor<int32_t>& gmWorkspace, const AscendC::LocalTensor<int32_t>& ubWorkspace, int32_t blockIdx,
                          int32_t eventID, int32_t from, int32_t to) {
  TrCore* core = this_core();
  if (!has_vector(core)) return;
  const int32_t cores = static_cast<int32_t>(AscendC::GetBlockNum()) * (isAIVOnly ? 1 : 2);
  const AscendC::GlobalTensor<int32_t> word = gmWorkspace[(cores * eventID + blockIdx) * static_cast<int32_t>(SYNC_WORDS)];
  AscendC::PipeBarrier<PIPE_ALL>();
  while (true) {
    look(core, ubWorkspace, word, SYNC_WORDS);
    if (ubWorkspace.GetValue(0) == from) break;
    look_again(core, word);
  }
  note(core, TR_NOTE_POLL_END, word_address(word), 1, SYNC_BYTES, static_cast<uint64_t>(from));
  ubWorkspace.SetValue(0, to);
  publish(core, word, ubWorkspace, to);
  AscendC::PipeBarrier<PIPE_ALL>();
}

}  // namespace toprope

namespace AscendC {

/* Tells the core that waits with the same arguments (but for ubWorkspace) that this one has come so far. GM words are 0 at the start: 32 bytes per core
 * and event. */
template <bool isAIVOnly = true>
TR_API void IBSet(const GlobalTensor<int32_t>& gmWorkspace, const LocalTensor<int32_t>& ubWorkspace, int32_t blockIdx, int32_t eventID) {
  ::toprope::exchange_flag<isAIVOnly>(gmWorkspace, ubWorkspace, blockIdx, eventID, 0, 1);
}
template <bool isAIVOnly = true>
TR_API void IBWait(const GlobalTensor<int32_t>& gmWorkspace, const LocalTensor<int32_t>& ubWorkspace, int32_t blockIdx, int32_t eventID) {
  ::toprope::exchange_flag<isAIVOnly>(gmWorkspace, ubWorkspace, blockIdx, eventID, 1, 0);
}

/* Cores take turns in the order of their blocks. GM: 32 bytes per block; UB: the same and 32 bytes, in which the round is kept between calls. */
TR_API void InitDetermineComputeWorkspace(GlobalTensor<int32_t>& gmWorkspace, LocalTensor<int32_t>& ubWorkspace) {
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_vector(core)) return;
  const uint32_t words = static_cast<uint32_t>(GetBlockNum()) * ::toprope::SYNC_WORDS;
  PipeBarrier<PIPE_ALL>();
  if (GetBlockIdx() == 0) {
    Duplicate(ubWorkspace, static_cast<int32_t>(0), static_cast<int32_t>(words));
    ::toprope::order<HardEvent::V_MTE3>();
    DataCopy(gmWorkspace, ubWorkspace, words);
  }
  ubWorkspace.SetValue(words, 1);
  PipeBarrier<PIPE_ALL>();
}

/* Waits until the blocks before this one have called NotifyNextBlock in this round. */
TR_API void WaitPreBlock(GlobalTensor<int32_t>& gmWorkspace, LocalTensor<int32_t>& ubWorkspace) {
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_vector(core)) return;
  const uint32_t blocks = static_cast<uint32_t>(GetBlockNum());
  const uint32_t me = static_cast<uint32_t>(GetBlockIdx());
  PipeBarrier<PIPE_ALL>();
  int32_t round;
  while (true) {
    ::toprope::look(core, ubWorkspace, gmWorkspace, blocks * ::toprope::SYNC_WORDS);
    round = ubWorkspace.GetValue(blocks * ::toprope::SYNC_WORDS);
    bool turn = true;
    for (uint32_t i = 0; i < blocks; ++i) turn &= ubWorkspace.GetValue(i * ::toprope::SYNC_WORDS) == (i < me ? round : 0);
    if (turn) break;
    ::toprope::look_again(core, gmWorkspace);
  }
  ::toprope::order<HardEvent::S_MTE2>();
  /* The last word to be written is that of the block before, or, for the first block, those that the last block clears. */
  const uint64_t last = ::toprope::word_address(gmWorkspace) + (me == 0 ? 0 : me - 1) * ::toprope::SYNC_BYTES;
  ::toprope::note(core, TR_NOTE_POLL_END, last, 1, ::toprope::SYNC_BYTES, me == 0 ? 0 : static_cast<uint32_t>(round));
  PipeBarrier<PIPE_ALL>();
}

/* It is the next block's turn; behind the last block, the first one's in the next round. */
TR_API void NotifyNextBlock(GlobalTensor<int32_t>& gmWorkspace, LocalTensor<int32_t>& ubWorkspace) {
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_vector(core)) return;
  const uint32_t blocks = static_cast<uint32_t>(GetBlockNum());
  const uint32_t me = static_cast<uint32_t>(GetBlockIdx());
  const uint32_t words = blocks * ::toprope::SYNC_WORDS;
  PipeBarrier<PIPE_ALL>();
  const int32_t round = ubWorkspace.GetValue(words);
  const bool is_last = me + 1 == blocks;
  const uint32_t first = is_last ? 0 : me * ::toprope::SYNC_WORDS;
  const uint32_t written = is_last ? words : ::toprope::SYNC_WORDS;
  ::toprope::order<HardEvent::S_V>();
  Duplicate(ubWorkspace[first], is_last ? 0 : round, static_cast<int32_t>(written));
  ::toprope::order<HardEvent::V_MTE3>();
  DataCopy(gmWorkspace[first], ubWorkspace[first], written);
  PipeBarrier<PIPE_ALL>();
  ::toprope::note(core, TR_NOTE_SIGNAL, ::toprope::word_address(gmWorkspace) + first * 4, written / ::toprope::SYNC_WORDS, ::toprope::SYNC_BYTES,
                  is_last ? 0 : static_cast<uint32_t>(round));
  ubWorkspace.SetValue(words, round + 1);
  PipeBarrier<PIPE_ALL>();
}

/* Which pipe a GroupBarrier uses; only MTE3 on this architecture. */
enum class PipeMode : uint8_t { SCALAR_MODE = 0, MTE3_MODE = 1, MAX };

/* AIVs that wait until a group of AIVs has arrived, round after round. The workspace is zero at the start: max(arrive, wait) x 512 bytes. */
template <PipeMode pipeMode>
class GroupBarrier {
 public:
  static_assert(pipeMode == PipeMode::MTE3_MODE, "GroupBarrier: dav-2201 has PipeMode::MTE3_MODE only");

  TR_API GroupBarrier(GM_ADDR groupWorkspace, uint32_t arriveSizeIn, uint32_t waitSizeIn)
      : arrived_(reinterpret_cast<uint64_t>(groupWorkspace)), waited_(arrived_ + COUNTER_BYTES), arrive_size_(arriveSizeIn), wait_size_(waitSizeIn) {
    TrCore* core = ::toprope::this_core();
    if (!::toprope::has_vector(core)) return;
    CheckSize(core, "GroupBarrier: number of cores that arrive", arriveSizeIn);
    CheckSize(core, "GroupBarrier: number of cores that wait", waitSizeIn);
    /* The ones that are added lie in the part of UB that TPipe does not give out, one in a block. */
    for (uint32_t i = 0; i < Slots(); ++i) ::toprope::scalar_store<int32_t>(OnesAddress() + i * ::toprope::SYNC_BYTES, 1);
  }

  /* This core, the arriveIndex-th of its group, has come so far. In later rounds it first waits until everybody has seen the one before. */
  TR_API void Arrive(uint32_t arriveIndex) {
    TrCore* core = ::toprope::this_core();
    if (!::toprope::has_vector(core)) return;
    if (round_ > 1) Await(core, waited_ + arriveIndex * LINE_BYTES, (round_ - 1) * wait_size_);
    Count(core, arrived_);
    round_ += 1;
    has_arrived_ = true;
  }

  /* This core, the waitIndex-th of its group, waits for all that arrive. */
  TR_API void Wait(uint32_t waitIndex) {
    TrCore* core = ::toprope::this_core();
    if (!::toprope::has_vector(core)) return;
    Await(core, arrived_ + waitIndex * LINE_BYTES, (has_arrived_ ? round_ - 1 : round_) * arrive_size_);
    Count(core, waited_);
    if (!has_arrived_) round_ += 1;
    has_arrived_ = false;
  }

  /* Bytes of GM it needs. */
  TR_API uint64_t GetWorkspaceLen() { return Slots() * static_cast<uint64_t>(LINE_BYTES); }

 private:
  static constexpr uint32_t COUNTER_BYTES = 64, LINE_BYTES = 512, MOST_AIVS = 50;

  TR_API uint32_t Slots() const { return arrive_size_ > wait_size_ ? arrive_size_ : wait_size_; }
  TR_API static void CheckSize(TrCore* core, const char* what, uint32_t size) {
    const uint64_t most = static_cast<uint64_t>(GetBlockNum());
    if (TR_UNLIKELY(size == 0 || size > most)) tr_refuse(core, TR_REFUSE_OUT_OF_RANGE, what, 0, size, most);
  }
  TR_API static uint64_t OnesAddress() {
    const TrCore* core = ::toprope::this_core();
    return core->region + (static_cast<uint64_t>(TR_SPACE_UB) << TR_SPACE_SHIFT) + TOTAL_UB_SIZE - ::toprope::SYNC_BYTES * MOST_AIVS;
  }

  TR_API void Await(TrCore* core, uint64_t counter, uint32_t expected) {
    while (true) {
      ::toprope::note(core, TR_NOTE_POLL_BEGIN, 0);
      if (::toprope::uncached_load<uint32_t>(counter) >= expected) break;
      ::toprope::note(core, TR_NOTE_POLL_AGAIN, counter);
    }
    ::toprope::note(core, TR_NOTE_POLL_END_AT_LEAST, counter, 1, LINE_BYTES, expected);
  }

  /* Adds 1 to the counter of every core that may look at it. */
  TR_API void Count(TrCore* core, uint64_t counters) {
    ::toprope::order<HardEvent::S_MTE3>();
    /* Atomic addition of int32_t. */
    DisableDmaAtomic();
    tr_issue(core, TR_OP_SBITSET1, TR_CTRL_ATOMIC_TYPE_LO + 2);
    ::toprope::pad_copy_out<int32_t>(core, counters, OnesAddress(), Slots(), sizeof(int32_t), 0, LINE_BYTES - sizeof(int32_t));
    DisableDmaAtomic();
    PipeBarrier<PIPE_MTE3>();
    ::toprope::note(core, TR_NOTE_SIGNAL_ADD, counters, Slots(), LINE_BYTES, 1);
  }

  uint64_t arrived_, waited_;
  uint32_t arrive_size_, wait_size_, round_ = 1;
  bool has_arrived_ = false;
};

}  // namespace AscendC

/* The intrinsics of the same names. */
TR_API void ffts_cross_core_sync(pipe_t pipe, uint64_t config) { tr_issue(::toprope::this_core(), TR_OP_SET_CROSS_CORE, pipe, config); }
TR_API void wait_flag_dev(int64_t flagId) { ::toprope::cross_wait(::toprope::this_core(), static_cast<uint64_t>(flagId)); }

#endif
