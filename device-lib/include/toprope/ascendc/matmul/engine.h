/* What a Matmul object does on a cube core, once its matrices are set: IterateAll, Iterate and GetTensorC, batches.
 *
 * MatmulImpl (impl.h) gives it to kernels that run on cube cores only; the server of the mixed form (server.h) calls it for vector cores.
 */
#ifndef TOPROPE_ASCENDC_MATMUL_ENGINE_H
#define TOPROPE_ASCENDC_MATMUL_ENGINE_H

#include <toprope/ascendc/matmul/product.h>

namespace toprope __attribute__((visibility("hidden"))) {

using AscendC::Impl::Detail::PolicyType;

/* Where blocks of C go. */
struct Destination {
  uint64_t address = 0;
  bool in_l1 = false;
  uint8_t atomic = 0;
  bool sequential = false; /* baseM x baseN behind each other */
};
/* A batched product. */
struct Batch {
  uint32_t a = 1, b = 1;
  uint32_t stride_a = 0, stride_b = 0; /* elements between matrices; 0: as the layout says */
  uint32_t loops = 1;                  /* so many batches behind each other */
};

/* Axes of a batched layout, as the tiling has them. */
struct BatchAxes {
  uint32_t b = 0, s = 0, n = 0, g = 0, d = 0;
};

template <class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE, const auto& MM_CFG, class CB, PolicyType POLICY>
class Engine : public Product<A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE, MM_CFG, CB> {
 public:
  using Base = Product<A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE, MM_CFG, CB>;
  using typename Base::L0C;
  using Base::a;
  using Base::b;
  using Base::plan;

  BatchAxes a_axes, b_axes, c_axes;

  /* Sizes or matrices have changed: the next Iterate starts anew. */
  TR_API void Restart() { iterating_ = false; }

  /* Every block of C of this core. */
  __attribute__((noinline)) void All(const Destination& to, bool both_halves = true) {
    if (!Begin()) return;
    ProductEvents e;
    AtomicScope<typename C_TYPE::T> atomic(to.atomic);
    BlockWalk walk;
    this->StartWalk(walk);
    const uint32_t halves = both_halves ? this->L0CHalves() : 1, end_k = this->BlocksOfK();
    uint32_t half = both_halves ? 0 : half_;
    bool more = walk.Next();
    while (more) {
      const uint32_t block_m = walk.M(), block_n = walk.N(), index = walk.Index();
      more = walk.Next();
      if (!IsComputed(block_m, block_n)) continue;
      this->AwaitL0C(e, half);
      this->Compute(e, Base::L0CAddress(half), block_m, block_n, 0, end_k, false, more ? walk.M() : ~0u, more ? walk.N() : ~0u);
      this->Out(e, BlockFor(to, block_m, block_n, index, Base::L0CAddress(half)), half, to.in_l1);
      if (halves == 2) half = 1 - half;
    }
    this->Settle(e);
  }

  /* The next block of C to L0C; false if there is none. */
  __attribute__((noinline)) bool Step(bool adds, uint64_t user_l0c) {
    if (!iterating_ && !Begin()) return false;
    this->TakeTurn();
    if (!iterating_) {
      this->StartWalk(walk_);
      iterating_ = true;
      end_k_ = 0;
    }
    if (!NextBlock()) {
      iterating_ = false;
      return false;
    }
    ProductEvents e;
    l0c_ = user_l0c != 0 ? user_l0c : Base::L0CAddress(half_);
    this->Compute(e, l0c_, walk_.M(), walk_.N(), first_k_, end_k_, adds, ~0u, ~0u);
    this->Settle(e);
    return true;
  }
  /* Which half of L0C Iterate computes into. */
  TR_API void UseHalf(uint32_t half) { half_ = half; }

  /* The block that Step computed to where it belongs. */
  __attribute__((noinline)) void Get(const Destination& to) {
    ProductEvents e;
    AtomicScope<typename C_TYPE::T> atomic(to.atomic);
    const uint32_t block_m = iterating_ ? walk_.M() : 0, block_n = iterating_ ? walk_.N() : 0;
    OutputBlock block = this->Block(block_m, block_n, to.address, to.sequential);
    block.l0c = l0c_ != 0 ? l0c_ : Base::L0CAddress(half_);
    this->Out(e, block, 0, to.in_l1);
    this->Settle(e);
  }
  /* The place in C of the block that Step computed, its size. */
  TR_API OutputBlock Current() const { return this->Block(walk_.M(), walk_.N(), 0, false); }

  /* max(a, b) products. */
  __attribute__((noinline)) void Batched(const Batch& batch, const Destination& to) {
    if (!Begin()) return;
    const uint32_t count = batch.a > batch.b ? batch.a : batch.b;
    const uint64_t a0 = a.Address(), b0 = b.Address(), bias0 = this->bias;
    const MatmulPlan saved = plan;
    SetBatchPitches();
    for (uint32_t i = 0; i < count * batch.loops; ++i) {
      const uint32_t of_a = static_cast<uint32_t>(static_cast<uint64_t>(i) * batch.a / count), of_b = static_cast<uint32_t>(static_cast<uint64_t>(i) * batch.b / count);
      a.MoveTo(a0 + bytes_of<typename A_TYPE::T>(MatrixOffset<A_TYPE>(of_a, batch.stride_a, a_axes, saved.m, saved.ka)));
      b.MoveTo(b0 + bytes_of<typename B_TYPE::T>(MatrixOffset<B_TYPE>(of_b, batch.stride_b, b_axes, saved.n, saved.kb)));
      if (Base::CONFIG.isBiasBatch) this->bias = bias0 + i * saved.n * sizeof(typename BIAS_TYPE::T);
      Destination one = to;
      one.address += ResultOffset(i, saved) * sizeof(typename C_TYPE::T);
      AllOf(one);
    }
    plan = saved;
    a.MoveTo(a0);
    b.MoveTo(b0);
    this->bias = bias0;
    this->SetShapes();
  }

 private:
  TR_API bool Begin() {
    TrCore* core = this_core();
    check_plan(core, plan);
    if (TR_UNLIKELY(!plan_is_set(plan))) return false;
    if (TR_UNLIKELY(a.Address() == 0 && !a.SCALAR)) {
      tr_refuse(core, TR_REFUSE_API_MISUSE, "Matmul: a product without A\ncall SetTensorA before Iterate or IterateAll");
      return false;
    }
    if (TR_UNLIKELY(b.Address() == 0 && !b.SCALAR)) {
      tr_refuse(core, TR_REFUSE_API_MISUSE, "Matmul: a product without B\ncall SetTensorB before Iterate or IterateAll");
      return false;
    }
    if (TR_UNLIKELY(b.LacksIndex())) {
      tr_refuse(core, TR_REFUSE_API_MISUSE, "Matmul: a product with a sparse B without its index\ncall SetSparseIndex before Iterate or IterateAll");
      return false;
    }
    if (TR_UNLIKELY(plan.single_m == 0 || plan.single_n == 0 || plan.single_k == 0)) return false;
    this->CheckMemories();
    this->TakeTurn();
    a.Forget();
    b.Forget();
    this->SetShapes();
    return true;
  }

  /* All of one product whose shapes have been set. */
  TR_API void AllOf(const Destination& to) {
    ProductEvents e;
    AtomicScope<typename C_TYPE::T> atomic(to.atomic);
    BlockWalk walk;
    this->StartWalk(walk);
    while (walk.Next()) {
      this->AwaitL0C(e, 0);
      this->Compute(e, Base::L0CAddress(0), walk.M(), walk.N(), 0, this->BlocksOfK(), false, ~0u, ~0u);
      this->Out(e, BlockFor(to, walk.M(), walk.N(), walk.Index(), Base::L0CAddress(0)), 0, to.in_l1);
    }
    this->Settle(e);
  }

  TR_API OutputBlock BlockFor(const Destination& to, uint32_t block_m, uint32_t block_n, uint32_t index, uint64_t l0c) const {
    OutputBlock block = this->Block(block_m, block_n, to.address, to.sequential);
    if (to.sequential) block.to += static_cast<uint64_t>(index) * plan.base_m * plan.base_n * sizeof(typename C_TYPE::T);
    block.l0c = l0c;
    return block;
  }

  /* A triangular policy leaves the blocks out whose numbers are on the other side of the diagonal. */
  TR_API static bool IsComputed(uint32_t block_m, uint32_t block_n) {
    if constexpr (POLICY == PolicyType::MATMUL_UPPER_TRIANGULAR) return block_m <= block_n;
    if constexpr (POLICY == PolicyType::MATMUL_LOWER_TRIANGULAR) return block_m >= block_n;
    return true;
  }

  /* The next block of C; of partial output the next part of k first. */
  TR_API bool NextBlock() {
    const uint32_t blocks = this->BlocksOfK();
    if constexpr (Base::CONFIG.isPartialOutput) {
      if (end_k_ != 0 && end_k_ < blocks) {
        first_k_ = end_k_++;
        return true;
      }
      first_k_ = 0;
      end_k_ = 1;
      return walk_.Next();
    }
    first_k_ = 0;
    end_k_ = blocks;
    do {
      if (!walk_.Next()) return false;
    } while (!IsComputed(walk_.M(), walk_.N()));
    return true;
  }

  /* ---- layouts of batches ----------------------------------------------------------------------------------------------------------- */

  /* Elements from row to row where heads lie beside each other; s and d are rows and columns of a head. */
  TR_API static uint32_t BatchPitch(LayoutMode layout, const BatchAxes& axes, uint32_t pitch) {
    if (layout == LayoutMode::BSNGD) return axes.n * axes.g * axes.d;
    if (layout == LayoutMode::SBNGD) return axes.b * axes.n * axes.g * axes.d;
    return layout == LayoutMode::BNGS1S2 ? axes.d : pitch;
  }
  TR_API void SetBatchPitches() {
    const uint32_t a_pitch = BatchPitch(A_TYPE::layout, a_axes, a.Turned() ? plan.m : plan.ka), b_pitch = BatchPitch(B_TYPE::layout, b_axes, b.Turned() ? plan.n : plan.kb);
    plan.kc = BatchPitch(C_TYPE::layout, c_axes, plan.kc);
    a.SetShape(a_pitch, a.Turned() ? plan.ka : plan.m, plan.single_m, plan.single_k);
    b.SetShape(b_pitch, b.Turned() ? plan.kb : plan.n, plan.single_n, plan.single_k);
  }
  /* Elements from the first matrix to the index-th. */
  TR_API static uint64_t HeadOffset(LayoutMode layout, const BatchAxes& axes, uint32_t index) {
    const uint32_t heads = axes.n * axes.g;
    if (layout == LayoutMode::BNGS1S2) return static_cast<uint64_t>(index) * axes.s * axes.d;
    if (layout == LayoutMode::SBNGD || heads == 0) return static_cast<uint64_t>(index) * axes.d;
    return (static_cast<uint64_t>(index / heads) * axes.s * heads + index % heads) * axes.d;
  }
  template <class TYPE>
  TR_API static uint64_t MatrixOffset(uint32_t index, uint32_t stride, const BatchAxes& axes, uint32_t x, uint32_t k) {
    if (stride != 0) return static_cast<uint64_t>(index) * stride;
    if constexpr (TYPE::layout != LayoutMode::NORMAL && TYPE::layout != LayoutMode::NONE) return HeadOffset(TYPE::layout, axes, index);
    if constexpr (TYPE::format == CubeFormat::NZ) return static_cast<uint64_t>(index) * round_up(x, 16) * round_up(k, 16);
    return static_cast<uint64_t>(index) * x * k;
  }
  TR_API uint64_t ResultOffset(uint32_t index, const MatmulPlan& p) const {
    if constexpr (C_TYPE::layout != LayoutMode::NORMAL && C_TYPE::layout != LayoutMode::NONE) return HeadOffset(C_TYPE::layout, c_axes, index);
    return static_cast<uint64_t>(index) * p.mc * this->c.Pitch(p.kc);
  }

  BlockWalk walk_;
  bool iterating_ = false;
  uint32_t first_k_ = 0, end_k_ = 0, half_ = 0;
  uint64_t l0c_ = 0;
};

}  // namespace toprope

#endif
