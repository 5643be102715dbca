/* C of a product on its way out of L0C: Fixpipe to GM or to L1, with the conversion that the types ask for.
 *
 *   C in GM   ND: rows, Kc elements apart; ND_ALIGN: rows padded to 32 bytes; NZ: columns of 16 (8-bit: 32, channel split: 8) elements
 *   C in L1   NZ (TSCM)
 *
 * float and int32_t leave as they are, float becomes half or bfloat16_t; everything else needs a quantisation parameter: one (SetQuantScalar) or
 * one for each column (SetQuantVector), which lie in L1 then.
 */
#ifndef TOPROPE_ASCENDC_MATMUL_OUTPUT_H
#define TOPROPE_ASCENDC_MATMUL_OUTPUT_H

#include <toprope/ascendc/matmul/operand.h>

namespace toprope __attribute__((visibility("hidden"))) {

/* Type of C in L0C. */
template <class A>
using ProductOf = typename AscendC::GetMmDstType<A>::Type;

enum class Quantisation : uint8_t { NONE, SCALAR, VECTOR };

/* What Fixpipe does between L0C's type and C's. */
template <class To, class From>
TR_API QuantMode_t quant_mode(Quantisation quantisation) {
  const bool vector = quantisation == Quantisation::VECTOR;
  if constexpr (std::is_same<From, int32_t>::value) {
    if constexpr (std::is_same<To, half>::value) return vector ? VDEQF16 : DEQF16;
    if constexpr (one_of<To, int8_t, uint8_t>) return vector ? VREQ8 : REQ8;
    return NoQuant;
  } else {
    if constexpr (std::is_same<To, half>::value) return F322F16;
    if constexpr (std::is_same<To, bfloat16_t>::value) return F322BF16;
    if constexpr (one_of<To, int8_t, uint8_t>) return vector ? VQF322B8_PRE : QF322B8_PRE;
    return NoQuant;
  }
}
/* Whether a pair of types needs quantisation parameters. */
template <class To, class From>
constexpr bool needs_quantisation = one_of<To, int8_t, uint8_t> || (std::is_same<From, int32_t>::value && std::is_same<To, half>::value);

/* A block of C in L0C and where it goes: sizes and offsets in elements. */
struct OutputBlock {
  uint64_t l0c;       /* address in L0C */
  uint32_t m, n;      /* its size */
  uint64_t to;        /* GM or L1: where C starts */
  uint32_t m0, n0;    /* its place in C */
  uint32_t rows;      /* of C: for NZ */
  uint32_t pitch;     /* elements from row to row: for ND */
};

template <class C_TYPE, class L0C, class CB, bool CHANNEL_SPLIT, bool RELU>
class Output {
 public:
  using T = typename C_TYPE::T;
  static constexpr bool NZ = C_TYPE::format == CubeFormat::NZ;
  static constexpr bool ALIGNED = C_TYPE::format == CubeFormat::ND_ALIGN;
  static constexpr uint32_t BLOCK = 32 / sizeof(T);
  static_assert(C_TYPE::format == CubeFormat::ND || NZ || ALIGNED || C_TYPE::format == CubeFormat::VECTOR,
                "Matmul: C is in CubeFormat::ND, ND_ALIGN, NZ or VECTOR on dav-2201");
  /* Columns of a column block of NZ. */
  static constexpr uint32_t NZ_COLUMNS = CHANNEL_SPLIT ? 8 : sizeof(T) == 1 ? 32 : 16;

  TR_API void SetQuantScalar(uint64_t parameter) {
    quantisation_ = Quantisation::SCALAR;
    scalar_ = parameter;
  }
  TR_API void SetQuantVectorGm(uint64_t gm) {
    quantisation_ = Quantisation::VECTOR;
    vector_gm_ = gm;
    vector_l1_ = 0;
  }
  TR_API void SetQuantVectorL1(uint64_t l1) {
    SetQuantVectorGm(0);
    vector_l1_ = l1;
  }
  TR_API void SetBuffer(uint64_t quant_l1) { quant_l1_ = quant_l1; }
  TR_API void SetCallback(const CallbackData& data) { callback_ = data; }
  TR_API bool NeedsVector() const { return needs_quantisation<T, L0C> && quantisation_ == Quantisation::VECTOR; }

  /* Elements from row to row of C that is `n` wide. */
  TR_API static uint32_t Pitch(uint32_t n) { return ALIGNED ? round_up(n, BLOCK) : n; }

  /* The block to GM. L0C and, for parameters per column, MTE2 are waited for by the caller. */
  __attribute__((noinline)) void ToGm(const OutputBlock& b) const {
    CheckParameters();
    AscendC::FixpipeParamsV220 p = Params(b);
    const uint64_t to = b.to + OffsetBytes(b);
    const auto from = library_tensor_at<L0C>(AscendC::TPosition::CO1, b.l0c, 0);
    if constexpr (CB::DataCopyOutPtr != nullptr) {
      CallOut(b, to);
    } else if (NeedsVector()) {
      const auto parameters = library_tensor_at<uint64_t>(AscendC::TPosition::C1, VectorL1(b), 0);
      AscendC::Fixpipe<T, L0C, NZ ? AscendC::CFG_NZ : AscendC::CFG_ROW_MAJOR>(gm_at<T>(to), from, parameters, p);
    } else {
      AscendC::Fixpipe<T, L0C, NZ ? AscendC::CFG_NZ : AscendC::CFG_ROW_MAJOR>(gm_at<T>(to), from, p);
    }
  }
  /* The block to L1, NZ. */
  __attribute__((noinline)) void ToL1(const OutputBlock& b) const {
    if constexpr (one_of<T, half, bfloat16_t, int8_t, uint8_t>) {
      CheckParameters();
      AscendC::FixpipeParamsV220 p = Params(b);
      p.dstStride = NzStride(b);
      const auto from = library_tensor_at<L0C>(AscendC::TPosition::CO1, b.l0c, 0);
      const auto to = library_tensor_at<T>(AscendC::TPosition::A1, b.to + NzOffsetBytes(b), 0);
      if (NeedsVector())
        AscendC::Fixpipe<T, L0C, AscendC::CFG_NZ>(to, from, library_tensor_at<uint64_t>(AscendC::TPosition::C1, VectorL1(b), 0), p);
      else
        AscendC::Fixpipe<T, L0C, AscendC::CFG_NZ>(to, from, p);
    } else {
      tr_refuse(this_core(), TR_REFUSE_API_MISUSE, "Matmul: C of this type to L1, where L0C has no way\nuse half, bfloat16_t, int8_t or uint8_t for C in TSCM, or GM");
    }
  }
  /* The parameters of the columns of a block, GM to L1. */
  __attribute__((noinline)) void LoadVector(uint32_t n0, uint32_t n) const {
    if (vector_l1_ != 0) return;
    AscendC::Nd2NzParams p;
    p.ndNum = p.nValue = 1;
    p.dValue = p.srcDValue = n * 2;
    p.dstNzC0Stride = p.dstNzNStride = 1;
    AscendC::DataCopy(library_tensor_at<uint32_t>(AscendC::TPosition::C1, quant_l1_, 0), gm_at<uint32_t>(vector_gm_ + n0 * 8ull), p);
  }

 private:
  TR_API void CheckParameters() const {
    if constexpr (needs_quantisation<T, L0C>)
      if (TR_UNLIKELY(quantisation_ == Quantisation::NONE))
        tr_refuse(this_core(), TR_REFUSE_API_MISUSE, "Matmul: C of this type without quantisation parameters\ncall SetQuantScalar or SetQuantVector before Iterate or IterateAll");
  }
  TR_API uint64_t VectorL1(const OutputBlock& b) const { return vector_l1_ != 0 ? vector_l1_ + b.n0 * 8ull : quant_l1_; }
  TR_API static uint32_t NzRows(const OutputBlock& b) { return round_up(b.rows, FRACTAL_ROWS); }
  TR_API static uint32_t NzStride(const OutputBlock& b) { return NzRows(b) * NZ_COLUMNS * sizeof(T) / 32; }
  TR_API static uint64_t NzOffsetBytes(const OutputBlock& b) {
    return (static_cast<uint64_t>(b.n0 / NZ_COLUMNS) * NzRows(b) + b.m0) * NZ_COLUMNS * sizeof(T);
  }
  TR_API static uint64_t OffsetBytes(const OutputBlock& b) {
    return NZ ? NzOffsetBytes(b) : (static_cast<uint64_t>(b.m0) * b.pitch + b.n0) * sizeof(T);
  }
  TR_API AscendC::FixpipeParamsV220 Params(const OutputBlock& b) const {
    AscendC::FixpipeParamsV220 p;
    /* Whole columns of blocks: NZ, and rows that are padded. */
    p.nSize = NZ ? round_up(b.n, CHANNEL_SPLIT ? 8 : 16) : ALIGNED ? round_up(b.n, BLOCK) : b.n;
    p.mSize = b.m;
    p.srcStride = round_up(b.m, FRACTAL_ROWS);
    p.dstStride = NZ ? NzStride(b) : b.pitch;
    p.quantPre = quant_mode<T, L0C>(quantisation_);
    p.deqScalar = scalar_;
    p.ndNum = 1;
    p.reluEn = RELU;
    p.isChannelSplit = CHANNEL_SPLIT;
    return p;
  }
  TR_API void CallOut(const OutputBlock& b, uint64_t to) const {
    AscendC::DataCopyOutParams p;
    p.cBurstNum = static_cast<uint16_t>(ceil_div(b.n, FRACTAL_ROWS));
    p.burstLen = static_cast<uint16_t>(b.m * FRACTAL_ROWS * sizeof(L0C) / 32);
    p.srcStride = static_cast<uint16_t>(round_up(b.m, FRACTAL_ROWS));
    p.dstStride = NZ ? NzStride(b) : b.pitch;
    p.oriNSize = static_cast<uint16_t>(NZ ? 0 : b.n);
    p.quantScalar = scalar_;
    p.cbufWorkspaceAddr = NeedsVector() ? VectorL1(b) : 0;
    CB::DataCopyOutPtr(reinterpret_cast<const void*>(to), library_tensor_at<int8_t>(AscendC::TPosition::CO1, b.l0c, 0), &p, callback_.user_info,
                       callback_.self_defined);
  }

  Quantisation quantisation_ = Quantisation::NONE;
  uint64_t scalar_ = 0, vector_gm_ = 0, vector_l1_ = 0, quant_l1_ = 0;
  CallbackData callback_;
};

/* While it lives, what leaves L0C is combined with what GM holds: 1 added, 2 the greater, 3 the lesser of both. */
template <class T>
class AtomicScope {
 public:
  TR_API explicit AtomicScope(uint8_t mode) : on_(mode != 0) {
    if (mode == 1)
      AscendC::SetAtomicAdd<T>();
    else if (mode == 2)
      AscendC::SetAtomicMax<T>();
    else if (mode == 3)
      AscendC::SetAtomicMin<T>();
    else if (mode != 0)
      tr_refuse(this_core(), TR_REFUSE_API_MISUSE, "Matmul: enAtomic\npass 0 for a plain write, 1 to add, 2 for the greater, 3 for the lesser of both", 0, mode, 3);
  }
  TR_API ~AtomicScope() {
    if (on_) AscendC::DisableDmaAtomic();
  }
  AtomicScope(const AtomicScope&) = delete;

 private:
  bool on_;
};

}  // namespace toprope

#endif
