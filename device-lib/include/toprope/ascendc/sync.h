/* Order between pipes: SetFlag, WaitFlag, PipeBarrier, TQueSync; and InitSocState.
 *
 * A kernel is compiled once for both kinds of core, so what an event means on this core is decided at run time. As in the public headers some
 * events emit nothing on one of them: source written for AIV may run through an AIC.
 */
#ifndef TOPROPE_ASCENDC_SYNC_H
#define TOPROPE_ASCENDC_SYNC_H

#include <toprope/ascendc/atomic.h>
#include <toprope/ascendc/refuse.h>

namespace toprope {

/* Source and destination pipe of an event. */
struct EventPipes {
  uint8_t src, dst;
};
constexpr EventPipes event_pipes(AscendC::HardEvent event) {
  constexpr uint8_t S = PIPE_S, V = PIPE_V, M = PIPE_M, MTE1 = PIPE_MTE1, MTE2 = PIPE_MTE2, MTE3 = PIPE_MTE3, FIX = PIPE_FIX;
  constexpr EventPipes pipes[] = {
      {MTE2, MTE1}, {MTE1, MTE2}, {MTE1, M}, {M, MTE1}, {MTE2, V},    {V, MTE2},    {MTE3, V}, {V, MTE3}, {M, V},
      {V, M},       {V, V},       {MTE3, MTE1}, {MTE1, MTE3}, {MTE1, V}, {MTE2, M},  {M, MTE2}, {V, MTE1}, {M, FIX},
      {FIX, M},     {MTE3, MTE2}, {MTE2, MTE3}, {S, V},   {V, S},      {S, MTE2},    {MTE2, S}, {S, MTE3}, {MTE3, S},
      {MTE2, FIX},  {FIX, MTE2},  {FIX, S},   {M, S},     {FIX, MTE3}, {MTE1, FIX},  {FIX, MTE1}, {FIX, FIX}};
  return pipes[static_cast<uint8_t>(event)];
}

template <class... Event>
constexpr uint64_t event_set(Event... events) {
  return (0ull | ... | (1ull << static_cast<uint8_t>(events)));
}
/* Events that emit nothing on a kind of core. */
using AscendC::HardEvent;
constexpr uint64_t SILENT_ON_AIV = event_set(HardEvent::MTE2_MTE1, HardEvent::MTE1_MTE2, HardEvent::MTE1_M, HardEvent::M_MTE1, HardEvent::M_FIX,
                                             HardEvent::FIX_M);
constexpr uint64_t SILENT_ON_AIC = event_set(HardEvent::MTE2_V, HardEvent::V_MTE2, HardEvent::MTE3_V, HardEvent::V_MTE3, HardEvent::V_V,
                                             HardEvent::S_V, HardEvent::V_S);
/* Events whose wait emits nothing although the set does. */
constexpr uint64_t NEVER_WAITED = event_set(HardEvent::M_V, HardEvent::V_M, HardEvent::MTE1_V, HardEvent::V_MTE1);
constexpr uint64_t NEVER_WAITED_ON_AIV =
    NEVER_WAITED | event_set(HardEvent::MTE3_MTE1, HardEvent::MTE1_MTE3, HardEvent::MTE2_M, HardEvent::M_MTE2);

constexpr bool contains(uint64_t set, HardEvent event) { return set >> static_cast<uint8_t>(event) & 1; }

TR_API void check_event_id(TrCore* core, const char* api, int64_t id) {
  tr_check_field(core, api, TR_FIELD_EVENT_ID, static_cast<uint64_t>(id), AscendC::QUE_MAX_EVENT - 1);
}

/* An id of `event` that is free now: from the TPipe if there is one, else 0. Not reserved. */
inline int8_t fetch_event_id(HardEvent event);

}  // namespace toprope

namespace AscendC {

/* Sets flag `eventID` of the event when everything issued so far on the source pipe is done. */
template <HardEvent event>
TR_API void SetFlag(int32_t eventID) {
  TrCore* core = ::toprope::this_core();
  constexpr ::toprope::EventPipes pipes = ::toprope::event_pipes(event);
  const bool vector = ::toprope::has_vector(core);
  if (::toprope::contains(::toprope::SILENT_ON_AIV, event) && vector) return;
  if (::toprope::contains(::toprope::SILENT_ON_AIC, event) && !vector) return;
  ::toprope::check_event_id(core, "SetFlag", eventID);
  if constexpr (pipes.src == pipes.dst)
    tr_issue(core, TR_OP_BARRIER, pipes.src);
  else
    tr_issue(core, TR_OP_SET_FLAG_IMM, pipes.src, pipes.dst, static_cast<uint64_t>(eventID));
}

/* Holds the destination pipe until the flag is set, and clears it. */
template <HardEvent event>
TR_API void WaitFlag(int32_t eventID) {
  TrCore* core = ::toprope::this_core();
  constexpr ::toprope::EventPipes pipes = ::toprope::event_pipes(event);
  const bool vector = ::toprope::has_vector(core);
  if (::toprope::contains(::toprope::SILENT_ON_AIV | ::toprope::NEVER_WAITED_ON_AIV, event) && vector) return;
  if (::toprope::contains(::toprope::SILENT_ON_AIC | ::toprope::NEVER_WAITED, event) && !vector) return;
  ::toprope::check_event_id(core, "WaitFlag", eventID);
  if constexpr (event == HardEvent::V_V) return;
  if constexpr (pipes.src == pipes.dst)
    tr_issue(core, TR_OP_BARRIER, pipes.src);
  else
    tr_issue(core, TR_OP_WAIT_FLAG_IMM, pipes.src, pipes.dst, static_cast<uint64_t>(eventID));
}

/* Everything issued so far on the pipe is done before anything later on it starts. */
template <pipe_t pipe>
TR_API void PipeBarrier() {
  TR_REQUIRE(pipe != PIPE_S, "PipeBarrier: there is no barrier on PIPE_S; scalar work is in order, order against it with flags");
  TrCore* core = ::toprope::this_core();
  if (pipe == PIPE_V && !::toprope::has_vector(core)) return;
  tr_issue(core, TR_OP_BARRIER, pipe);
}

/* A flag between any two pipes, by pipe. */
template <pipe_t src, pipe_t dst>
class TQueSync {
 public:
  static_assert(src != dst && src != PIPE_ALL && dst != PIPE_ALL, "TQueSync: two different pipes");
  TR_API void SetFlag(TEventID id) {
    TrCore* core = ::toprope::this_core();
    ::toprope::check_event_id(core, "TQueSync::SetFlag", id);
    tr_issue(core, TR_OP_SET_FLAG_IMM, src, dst, static_cast<uint64_t>(id));
  }
  TR_API void WaitFlag(TEventID id) {
    TrCore* core = ::toprope::this_core();
    ::toprope::check_event_id(core, "TQueSync::WaitFlag", id);
    tr_issue(core, TR_OP_WAIT_FLAG_IMM, src, dst, static_cast<uint64_t>(id));
  }
};

/* The registers a kernel expects at its start: no atomics; AIV: normal mask mode, all mask bits; AIC: no 3-D boundary, pad value 0. */
TR_API void InitSocState() {
  TrCore* core = ::toprope::this_core();
  DisableDmaAtomic();
  tr_issue(core, TR_OP_SBITSET0, TR_CTRL_MASK_COUNTER);
  if (::toprope::has_vector(core)) {
    ::toprope::set_mask(core, FULL_MASK, FULL_MASK);
  } else {
    tr_issue(core, TR_OP_SET_L1_3D_SIZE, 0);
    tr_issue(core, TR_OP_SET_PADDING, 0);
  }
}

}  // namespace AscendC

/* The compiler intrinsics of the same names, which kernels call beside the API. */
TR_API void set_flag(pipe_t src, pipe_t dst, int32_t id) {
  TrCore* core = ::toprope::this_core();
  ::toprope::check_event_id(core, "set_flag", id);
  tr_issue(core, TR_OP_SET_FLAG_IMM, src, dst, static_cast<uint64_t>(id));
}
TR_API void wait_flag(pipe_t src, pipe_t dst, int32_t id) {
  TrCore* core = ::toprope::this_core();
  ::toprope::check_event_id(core, "wait_flag", id);
  tr_issue(core, TR_OP_WAIT_FLAG_IMM, src, dst, static_cast<uint64_t>(id));
}
TR_API void pipe_barrier(pipe_t pipe) { tr_issue(::toprope::this_core(), TR_OP_BARRIER, pipe); }
TR_API void set_mask_count() { AscendC::SetMaskCount(); }
TR_API void set_mask_norm() { AscendC::SetMaskNorm(); }
TR_API void set_vector_mask(uint64_t high, uint64_t low) { AscendC::SetVectorMask<half>(high, low); }

#endif
