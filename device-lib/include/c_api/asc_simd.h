/* The C programming interface of Ascend C for SIMD kernels: the functions that programs for dav-2201 use.
 *
 *   __ubuf__ float x[N];      memory of UB for as long as the scope lasts (the toolchain turns the declaration into toprope/ub_array.h)
 *   asc_copy_gm2ub(x, gm, bytes); asc_add(z, x, y, count); asc_copy_ub2gm(gm, z, bytes);   asynchronous: order them with asc_sync
 *   asc_…_sync                the same, and waits for every pipe
 *
 * Pointers to UB are addresses of the simulated memory; an instruction with any other pointer is refused with the operand's name. On a cube core
 * these functions do nothing, as in the public header. The names that are not here are not supported yet.
 */
#ifndef TOPROPE_ASC_SIMD_H
#define TOPROPE_ASC_SIMD_H

#include <kernel_operator.h>

namespace toprope {

TR_API void c_api_copy(const char* api, uint32_t op, uint64_t dst, uint64_t src, uint64_t count, uint64_t len, uint64_t src_gap, uint64_t dst_gap) {
  TrCore* core = this_core();
  if (!has_vector(core)) return;
  tr_check_field(core, api, TR_FIELD_BURST_COUNT, count, TR_MAX_BURST_BURST_COUNT);
  tr_check_field(core, api, TR_FIELD_BURST_LEN, len, TR_MAX_BURST_BURST_LEN);
  tr_check_field(core, api, TR_FIELD_SRC_GAP, src_gap, TR_MAX_BURST_SRC_GAP);
  tr_check_field(core, api, TR_FIELD_DST_GAP, dst_gap, TR_MAX_BURST_DST_GAP);
  tr_issue(core, op, dst, src, tr_pack_burst(count, len, src_gap, dst_gap), 0);
}
/* Whole blocks of `size` bytes; tells when some are lost. */
TR_API uint64_t c_api_blocks(const char* api, uint32_t size) {
  if (TR_UNLIKELY(size % 32 != 0)) tr_refuse(this_core(), TR_REFUSE_ROUNDED_DOWN, api, 0, size, size / 32 * 32);
  return size / 32;
}
TR_API uint64_t address_of(const void* pointer) { return reinterpret_cast<uint64_t>(pointer); }

struct c_api_add {
  template <class T>
  static constexpr uint32_t code() {
    constexpr uint32_t op = op_for<T, entry<half, TR_OP_VADD_F16>, entry<float, TR_OP_VADD_F32>, entry<int16_t, TR_OP_VADD_S16>, entry<int32_t, TR_OP_VADD_S32>>();
    static_assert(op != TR_OP_COUNT, "asc_add: this data type is not supported on dav-2201; supported: half, float, int16_t, int32_t");
    return op;
  }
};

}  // namespace toprope

/* The registers a kernel starts with: no atomics, normal mask mode, every mask bit set. */
TR_API void asc_init() { AscendC::InitSocState(); }

/* Order. */
TR_API void asc_sync() { tr_issue(::toprope::this_core(), TR_OP_BARRIER, PIPE_ALL); }
TR_API void asc_sync_pipe(pipe_t pipe) { pipe_barrier(pipe); }
TR_API void asc_sync_notify(pipe_t pipe, pipe_t tpipe, int32_t id) { set_flag(pipe, tpipe, id); }
TR_API void asc_sync_wait(pipe_t pipe, pipe_t tpipe, int32_t id) { wait_flag(pipe, tpipe, id); }

/* Blocks and cores. */
TR_API int64_t asc_get_block_num() { return AscendC::GetBlockNum(); }
TR_API int64_t asc_get_block_idx() { return get_block_idx(); }
TR_API int64_t asc_get_sub_block_num() { return AscendC::GetSubBlockNum(); }
TR_API int64_t asc_get_sub_block_id() { return AscendC::GetSubBlockIdx(); }
TR_API int64_t asc_get_system_cycle() { return AscendC::GetSystemCycle(); }
TR_API void asc_get_arch_ver(uint32_t& core_version) { AscendC::GetArchVersion(core_version); }

/* GM to UB and back: bytes, or bursts in blocks of 32 bytes. */
TR_API void asc_copy_gm2ub(void* dst, const void* src, ::toprope::U16 n_burst, ::toprope::U16 len_burst, ::toprope::U16 src_gap, ::toprope::U16 dst_gap) {
  ::toprope::c_api_copy("asc_copy_gm2ub", TR_OP_MOV_OUT_TO_UB_V220, ::toprope::address_of(dst), ::toprope::address_of(src), n_burst.wide(), len_burst.wide(), src_gap.wide(), dst_gap.wide());
}
TR_API void asc_copy_gm2ub(void* dst, const void* src, uint32_t size) {
  ::toprope::c_api_copy("asc_copy_gm2ub", TR_OP_MOV_OUT_TO_UB_V220, ::toprope::address_of(dst), ::toprope::address_of(src), 1, ::toprope::c_api_blocks("asc_copy_gm2ub", size), 0, 0);
}
TR_API void asc_copy_gm2ub_sync(void* dst, const void* src, uint32_t size) {
  asc_copy_gm2ub(dst, src, size);
  asc_sync();
}
TR_API void asc_copy_ub2gm(void* dst, const void* src, ::toprope::U16 n_burst, ::toprope::U16 len_burst, ::toprope::U16 src_gap, ::toprope::U16 dst_gap) {
  ::toprope::c_api_copy("asc_copy_ub2gm", TR_OP_MOV_UB_TO_OUT_V220, ::toprope::address_of(dst), ::toprope::address_of(src), n_burst.wide(), len_burst.wide(), src_gap.wide(), dst_gap.wide());
}
TR_API void asc_copy_ub2gm(void* dst, const void* src, uint32_t size) {
  ::toprope::c_api_copy("asc_copy_ub2gm", TR_OP_MOV_UB_TO_OUT_V220, ::toprope::address_of(dst), ::toprope::address_of(src), 1, ::toprope::c_api_blocks("asc_copy_ub2gm", size), 0, 0);
}
TR_API void asc_copy_ub2gm_sync(void* dst, const void* src, uint32_t size) {
  asc_copy_ub2gm(dst, src, size);
  asc_sync();
}

/* Addition: of `count` elements, or repeats with strides in blocks of 32 bytes. */
template <class T>
TR_API void asc_add(T* dst, T* src0, T* src1, ::toprope::U8 repeat, ::toprope::U8 dst_block_stride, ::toprope::U8 src0_block_stride, ::toprope::U8 src1_block_stride,
                    ::toprope::U8 dst_repeat_stride, ::toprope::U8 src0_repeat_stride, ::toprope::U8 src1_repeat_stride) {
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_vector(core)) return;
  tr_check_field(core, "asc_add", TR_FIELD_REPEAT_TIMES, repeat.wide(), 255);
  tr_check_field(core, "asc_add", TR_FIELD_DST_BLOCK_STRIDE, dst_block_stride.wide(), 255);
  tr_check_field(core, "asc_add", TR_FIELD_SRC0_BLOCK_STRIDE, src0_block_stride.wide(), 255);
  tr_check_field(core, "asc_add", TR_FIELD_SRC1_BLOCK_STRIDE, src1_block_stride.wide(), 255);
  tr_check_field(core, "asc_add", TR_FIELD_DST_REPEAT_STRIDE, dst_repeat_stride.wide(), 255);
  tr_check_field(core, "asc_add", TR_FIELD_SRC0_REPEAT_STRIDE, src0_repeat_stride.wide(), 255);
  tr_check_field(core, "asc_add", TR_FIELD_SRC1_REPEAT_STRIDE, src1_repeat_stride.wide(), 255);
  tr_issue(core, ::toprope::c_api_add::code<T>(), ::toprope::address_of(dst), ::toprope::address_of(src0), ::toprope::address_of(src1),
           tr_pack_vec_binary(dst_block_stride.wide(), src0_block_stride.wide(), src1_block_stride.wide(), dst_repeat_stride.wide(), src0_repeat_stride.wide(),
                              src1_repeat_stride.wide(), repeat.wide()));
}
template <class T>
TR_API void asc_add(T* dst, T* src0, T* src1, uint32_t count) {
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_vector(core)) return;
  ::toprope::begin_count(core, count);
  tr_issue(core, ::toprope::c_api_add::code<T>(), ::toprope::address_of(dst), ::toprope::address_of(src0), ::toprope::address_of(src1),
           tr_pack_vec_binary(1, 1, 1, 8, 8, 8, 1));
  ::toprope::end_count(core);
}
template <class T>
TR_API void asc_add_sync(T* dst, T* src0, T* src1, uint32_t count) {
  asc_add(dst, src0, src1, count);
  asc_sync();
}

#endif
