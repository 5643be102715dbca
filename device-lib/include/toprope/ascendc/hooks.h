/* The shim under device-lib: what its hooks (toprope/fwk.h) do on the simulated core.
 *
 *   TQue::EnQue ──▶ tr_que_enque (device-lib) ──▶ tr_hook_set_flag_v_mte3(id) ──▶ SET.FLAG.IMM
 *
 * Every translation unit carries the hooks; the linker keeps one of each per module. What belongs to a core and not to a module (the current
 * TPipe) is kept in TrCore::kernel_side, because blocks of many cores run through the same code.
 */
#ifndef TOPROPE_ASCENDC_HOOKS_H
#define TOPROPE_ASCENDC_HOOKS_H

#include <toprope/ascendc/mask.h>
#include <toprope/ascendc/tensor.h>
#include <toprope/fwk.h>

namespace toprope {

/* Uses of TrCore::kernel_side. */
enum kernel_side_slot : unsigned { CURRENT_PIPE = 0, LIVE_PIPE = 1 }; /* 2: PIPE_SERIAL in tensor.h */

TR_API TrPipe* current_pipe(const TrCore* core) { return reinterpret_cast<TrPipe*>(core->kernel_side[CURRENT_PIPE]); }

/* Where in the kernel this is. */
TR_API uint64_t here() {
  uint64_t pc;
#if defined(__x86_64__)
  __asm__ volatile("leaq 0(%%rip), %0" : "=r"(pc));
#else
  __asm__ volatile("adr %0, ." : "=r"(pc));
#endif
  return pc;
}

/* While it lives, instructions are reported at the place that made it: the kernel's line. */
struct ReportHere {
  TrCore* core;
  uint64_t before;
  TR_API ReportHere() : core(this_core()), before(core->api_pc) {
    if (before == 0) core->api_pc = here();
  }
  TR_API ~ReportHere() { core->api_pc = before; }
  ReportHere(const ReportHere&) = delete;
};

/* Around a call of device-lib: instructions that its hooks issue are reported at the kernel's line. */
struct FrameworkCall {
  TrCore* core;
  TrPipe* pipe;
  uint64_t before;
  TR_API FrameworkCall() : core(this_core()), pipe(current_pipe(core)), before(core->api_pc) {
    if (before == 0) core->api_pc = here();
  }
  TR_API ~FrameworkCall() { core->api_pc = before; }
  FrameworkCall(const FrameworkCall&) = delete;
  FrameworkCall& operator=(const FrameworkCall&) = delete;
};

/* Text of a TR_FWK_ERROR_* code. */
inline const char* framework_text(uint32_t code) {
#define TR_TEXT(name, number, text) \
  case number: return text;
  switch (code) {
    TR_FWK_ERRORS(TR_TEXT)
    default: return "misuse of TPipe, TQue or TBuf";
  }
#undef TR_TEXT
}

/* Space of a TR_FWK_MEMORY_* number. */
constexpr uint32_t space_of_memory(uint32_t memory) { return space_of(static_cast<AscendC::Hardware>(memory < 8 ? memory : 8)); }

/* Not inlined into the hooks: they only name their operands. */
__attribute__((noinline)) inline void hook_issue(uint32_t op, uint64_t x0, uint64_t x1, uint64_t x2) {
  tr_issue(this_core(), op, x0, x1, x2);
}
__attribute__((noinline)) inline void hook_copy(uint32_t op, uint64_t dst, uint64_t src, uint32_t count, uint32_t len, uint32_t src_gap,
                                               uint32_t dst_gap) {
  tr_issue(this_core(), op, dst, src, tr_pack_burst(count, len, src_gap, dst_gap), 0);
}
inline uint64_t ub_address(uint32_t offset) { return local_address(this_core(), AscendC::TPosition::VECIN, offset); }

/* Whether an error means that buffers do not fit: these are reported with the table of who uses the memory. */
constexpr bool is_capacity_error(uint32_t code, uint64_t asked, uint64_t limit) {
  return code == TR_FWK_ERROR_MEMORY_FULL || code == TR_FWK_ERROR_BAD_TOTAL_LENGTH || (code == TR_FWK_ERROR_BAD_LENGTH && asked > limit);
}

}  // namespace toprope

#define TR_HOOK extern "C" inline __attribute__((used, visibility("hidden")))

#define TR_FLAG_HOOKS(set, wait, src, dst)                                                                               \
  TR_HOOK void set(int32_t id) { ::toprope::hook_issue(TR_OP_SET_FLAG_IMM, src, dst, static_cast<uint64_t>(id)); }       \
  TR_HOOK void wait(int32_t id) { ::toprope::hook_issue(TR_OP_WAIT_FLAG_IMM, src, dst, static_cast<uint64_t>(id)); }
TR_FWK_FLAG_PAIRS(TR_FLAG_HOOKS)
#undef TR_FLAG_HOOKS

#define TR_BARRIER_HOOK(hook, pipe) \
  TR_HOOK void hook(void) { ::toprope::hook_issue(TR_OP_BARRIER, pipe, 0, 0); }
TR_FWK_BARRIERS(TR_BARRIER_HOOK)
#undef TR_BARRIER_HOOK

TR_HOOK void tr_hook_set_atomic_none(void) {
  for (uint64_t bit = TR_CTRL_ATOMIC_TYPE_LO; bit < TR_CTRL_ATOMIC_TYPE_LO + 3; ++bit) ::toprope::hook_issue(TR_OP_SBITSET0, bit, 0, 0);
}
TR_HOOK void tr_hook_set_mask_norm(void) { ::toprope::hook_issue(TR_OP_SBITSET0, TR_CTRL_MASK_COUNTER, 0, 0); }
TR_HOOK void tr_hook_set_l1_3d_size(uint64_t value) { ::toprope::hook_issue(TR_OP_SET_L1_3D_SIZE, value, 0, 0); }
TR_HOOK void tr_hook_set_padding(uint64_t value) { ::toprope::hook_issue(TR_OP_SET_PADDING, value, 0, 0); }
TR_HOOK void tr_hook_set_vector_mask(uint64_t high, uint64_t low) {
  ::toprope::hook_issue(TR_OP_MOVEMASK, 1, high, 0);
  ::toprope::hook_issue(TR_OP_MOVEMASK, 0, low, 0);
}
TR_HOOK void tr_hook_dcci(void) {}

TR_HOOK void tr_hook_copy_ub_to_gm(uint64_t gm_address, uint32_t ub_address_bytes, uint32_t block_count, uint32_t block_len, uint32_t src_stride,
                                   uint32_t dst_stride) {
  ::toprope::hook_copy(TR_OP_MOV_UB_TO_OUT_V220, gm_address, ::toprope::ub_address(ub_address_bytes), block_count, block_len, src_stride,
                       dst_stride);
}
TR_HOOK void tr_hook_copy_gm_to_ub(uint32_t ub_address_bytes, uint64_t gm_address, uint32_t block_count, uint32_t block_len, uint32_t src_stride,
                                   uint32_t dst_stride) {
  ::toprope::hook_copy(TR_OP_MOV_OUT_TO_UB_V220, ::toprope::ub_address(ub_address_bytes), gm_address, block_count, block_len, src_stride,
                       dst_stride);
}
TR_HOOK void tr_hook_copy_ub_to_l1(uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t) {
  ::toprope::unsupported("spill buffer in L1 (NpuArch 2002 only)");
}
TR_HOOK void tr_hook_copy_l1_to_ub(uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t) {
  ::toprope::unsupported("spill buffer in L1 (NpuArch 2002 only)");
}

TR_HOOK uint32_t tr_hook_sub_block_num(void) { return ::toprope::this_core()->sub_block_num; }
TR_HOOK uint32_t tr_hook_sub_block_idx(void) { return ::toprope::this_core()->sub_block_idx; }

TR_HOOK void tr_hook_set_pipe_ptr(TrPipe* pipe) {
  ::toprope::this_core()->kernel_side[::toprope::CURRENT_PIPE] = reinterpret_cast<uint64_t>(pipe);
}
TR_HOOK void tr_hook_set_live_pipe(TrPipe* pipe) {
  ::toprope::this_core()->kernel_side[::toprope::LIVE_PIPE] = reinterpret_cast<uint64_t>(pipe);
}
TR_HOOK TrPipe* tr_hook_live_pipe(void) { return reinterpret_cast<TrPipe*>(::toprope::this_core()->kernel_side[::toprope::LIVE_PIPE]); }
TR_HOOK uint32_t tr_hook_next_serial(void) { return static_cast<uint32_t>(++::toprope::this_core()->kernel_side[::toprope::PIPE_SERIAL]); }

TR_HOOK void tr_hook_fault(uint32_t code, uint64_t object, uint32_t memory, uint64_t asked, uint64_t limit) {
  TrCore* core = ::toprope::this_core();
  const char* text = ::toprope::framework_text(code);
  if (::toprope::is_capacity_error(code, asked, limit))
    tr_refuse(core, TR_REFUSE_CAPACITY, text, ::toprope::space_of_memory(memory), asked, limit);
  else
    tr_refuse(core, TR_REFUSE_FRAMEWORK, text, code | object << 16, asked, limit);
}

/* What the engine learns of the framework: who has which memory, and each step of a tensor. Nothing while checks are off. */
TR_HOOK void tr_hook_note_buffer(uint32_t kind, uint64_t object, uint32_t memory, uint32_t address_bytes, uint32_t length_bytes, uint32_t num) {
  TrCore* core = ::toprope::this_core();
  if (core->checked == 0) return;
  uint64_t src, dst;
  switch (kind & 15) {
    case 0: src = reinterpret_cast<const TrQue*>(object)->src, dst = reinterpret_cast<const TrQue*>(object)->dst; break;
    case 1: src = dst = reinterpret_cast<const TrBuf*>(object)->position; break;
    default: src = dst = reinterpret_cast<const TrBufPool*>(object)->position;
  }
  const uint64_t what = ::toprope::space_of_memory(memory) | kind << 8 | src << 16 | dst << 24 | static_cast<uint64_t>(num) << 32;
  core->annotate(core, TR_NOTE_RESERVED, nullptr, what, address_bytes, length_bytes, object);
}
TR_HOOK void tr_hook_note_pipe(uint32_t event, uint64_t pipe) {
  TrCore* core = ::toprope::this_core();
  if (core->checked != 0) core->annotate(core, TR_NOTE_PIPE, nullptr, event, pipe, 0, 0);
}
TR_HOOK void tr_hook_note_pool_reset(uint64_t pool, uint32_t memory, uint32_t address_bytes, uint32_t length_bytes) {
  TrCore* core = ::toprope::this_core();
  if (core->checked != 0)
    core->annotate(core, TR_NOTE_POOL_RESET, nullptr, pool, ::toprope::space_of_memory(memory), address_bytes, length_bytes);
}
TR_HOOK void tr_hook_note_op(uint32_t op, uint64_t object, uint32_t memory, uint32_t address_bytes, uint32_t length_bytes) {
  TrCore* core = ::toprope::this_core();
  core->annotate(core, TR_NOTE_QUEUE_OP, nullptr, ::toprope::space_of_memory(memory) | op << 8, address_bytes, length_bytes, object);
}

#undef TR_HOOK

#endif
