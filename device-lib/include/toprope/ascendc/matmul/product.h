/* The product of a Matmul object on a cube core: base blocks of C, one after the other, from L1 through L0A, L0B and L0C.
 *
 *   Product::Compute     one base block of C into a place of L0C, all of k
 *   Product::Out         such a block to GM or L1
 *   Product::All         every block of C of this core
 *
 * Flags: only inside these functions, so that none is left set when they return. L0A and L0B have two halves if base blocks fit them, L0C has
 * two if the tiling says dbL0C = 2; M and MTE1, FIX and M take turns on them.
 *
 * The calls are the basic API's, so a finding or a timeline shows the instructions; they are reported at the kernel's call.
 */
#ifndef TOPROPE_ASCENDC_MATMUL_PRODUCT_H
#define TOPROPE_ASCENDC_MATMUL_PRODUCT_H

#include <toprope/ascendc/matmul/output.h>
#include <toprope/ascendc/matmul/plan.h>

namespace toprope __attribute__((visibility("hidden"))) {

/* A product of few cells may start before the one before it has written what it adds to. */
constexpr uint32_t CELLS_IN_FLIGHT = 10;
constexpr uint64_t L0_HALF_BYTES = 32 * 1024, L0C_HALF_BYTES = 64 * 1024;

/* Words of TrCore::kernel_side on a cube core: the part of L1 that the objects share, its TPipe, whose tiles are there. */
constexpr unsigned MATMUL_L1 = 4, MATMUL_L1_BYTES = 5, MATMUL_L1_PIPE = 6, MATMUL_L1_USER = 7;

/* The events of one operation. */
struct ProductEvents {
  L1Events l1;
  Events<AscendC::HardEvent::MTE1_M, 2> loaded;
  Events<AscendC::HardEvent::M_MTE1, 3> consumed; /* halves of L0; 2: the bias table */
  Events<AscendC::HardEvent::M_FIX, 2> computed;
  Events<AscendC::HardEvent::FIX_M, 2> drained;
  bool l0_taken[2] = {false, false}, l0c_taken[2] = {false, false}, bias_taken = false;
  uint32_t l0_next = 0;
};

template <class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE, const auto& MM_CFG, class CB>
class Product {
 public:
  static constexpr MatmulConfig CONFIG = matmul_config(MM_CFG);
  using AT = typename A_TYPE::T;
  using BT = typename B_TYPE::T;
  using CT = typename C_TYPE::T;
  using BiasT = typename BIAS_TYPE::T;
  using L0C = ProductOf<AT>;
  static_assert(std::is_same<AT, BT>::value, "Matmul: A and B have to have one data type on dav-2201");
  static constexpr bool HAS_BIAS = CONFIG.enableSetBias && (std::is_same<BiasT, L0C>::value || (std::is_same<BiasT, half>::value && std::is_same<L0C, float>::value));

  Operand<A_TYPE, CB, true> a;
  Operand<B_TYPE, CB, false> b;
  Output<C_TYPE, L0C, CB, CONFIG.isEnableChannelSplit, CONFIG.enableRelu> c;
  static constexpr uint32_t PER_STORED = decltype(b)::PER_STORED;
  MatmulPlan plan;
  uint64_t bias = 0;
  bool bias_in_l1 = false, has_bias = false;
  /* Sizes of a matrix that is not a part of the one in GM; 0: it is. */
  struct OwnShape {
    uint32_t pitch = 0, rows = 0;
  };
  OwnShape own_a, own_b;

  /* The plan has changed: takes L1 from the core's TPipe if what it has is too small. */
  TR_API void Reserve() {
    const uint32_t k_blocks = ceil_div(plan.single_k, plan.base_k);
    a.SetPlan(operand_plan(plan.base_m, plan.base_k, plan.step_m, plan.step_ka, plan.depth_a, k_blocks));
    b.SetPlan(operand_plan(plan.base_n, plan.base_k / PER_STORED, plan.step_n, plan.step_kb, plan.depth_b, k_blocks));
    a.wide_rows_ = b.wide_rows_ = CONFIG.intrinsicsCheck;
    const bool a_in_gm = A_TYPE::pos != AscendC::TPosition::TSCM, b_in_gm = B_TYPE::pos != AscendC::TPosition::TSCM;
    const uint64_t a_bytes = a_in_gm ? a.SlotBytes() * a.Plan().slots : 0, b_bytes = b_in_gm ? b.SlotBytes() * b.Plan().slots : 0;
    uint64_t bias_bytes = HAS_BIAS ? (plan.base_n * sizeof(BiasT) + 63) / 64 * 64 : 0;
    const uint64_t quant_bytes = needs_quantisation<CT, L0C> ? (plan.base_n * 8ull + 127) / 128 * 128 : 0;
    uint64_t all = a_bytes + b_bytes + bias_bytes + quant_bytes;
    /* The types have a bias whether SetBias is called or not: tiles may take all of L1 if it is not. */
    has_bias_room_ = all <= L1_BYTES;
    if (!has_bias_room_) {
      all -= bias_bytes;
      bias_bytes = 0;
    }
    if (TR_UNLIKELY(all > L1_BYTES)) {
      tr_refuse(this_core(), TR_REFUSE_CAPACITY, "Matmul: tiles of depthA1 base blocks of A and depthB1 of B (TCubeTiling), bias and quantisation parameters",
                space_of(AscendC::Hardware::L1), all, L1_BYTES);
      return;
    }
    if (!TakeL1(all)) return;
    const uint64_t l1 = this_core()->kernel_side[MATMUL_L1];
    a.SetBuffer(l1, a.SlotBytes());
    b.SetBuffer(l1 + a_bytes, b.SlotBytes());
    c.SetBuffer(l1 + a_bytes + b_bytes);
    bias_l1_ = l1 + a_bytes + b_bytes + quant_bytes;
  }
  TR_API void SetShapes() {
    const uint32_t a_pitch = a.Turned() ? plan.m : plan.ka, a_rows = a.Turned() ? plan.ka : plan.m;
    const uint32_t b_pitch = b.Turned() ? plan.n : plan.kb / PER_STORED, b_rows = b.Turned() ? plan.kb : plan.n;
    a.SetShape(own_a.pitch != 0 ? own_a.pitch : a_pitch, own_a.rows != 0 ? own_a.rows : a_rows, plan.single_m, plan.single_k);
    b.SetShape(own_b.pitch != 0 ? own_b.pitch : b_pitch, own_b.rows != 0 ? own_b.rows : b_rows, plan.single_n, plan.single_k / PER_STORED);
  }
  /* The objects of a core take turns on L1: what another one has put there is not this one's. */
  TR_API void TakeTurn() {
    TrCore* core = this_core();
    if (core->kernel_side[MATMUL_L1_USER] == reinterpret_cast<uint64_t>(this)) return;
    core->kernel_side[MATMUL_L1_USER] = reinterpret_cast<uint64_t>(this);
    a.Forget();
    b.Forget();
  }
  TR_API void StartWalk(BlockWalk& walk) const {
    walk.Start(ceil_div(plan.single_m, plan.base_m), ceil_div(plan.single_n, plan.base_n), a.Plan().step_x, b.Plan().step_x, plan.n_first);
  }

  /* The size of a block and its place. */
  TR_API OutputBlock Block(uint32_t block_m, uint32_t block_n, uint64_t to, bool alone) const {
    OutputBlock out;
    const uint32_t m0 = block_m * plan.base_m, n0 = block_n * plan.base_n;
    out.m = least(plan.base_m, plan.single_m - m0);
    out.n = least(plan.base_n, plan.single_n - n0);
    out.l0c = 0;
    out.to = to;
    out.m0 = alone ? 0 : m0;
    out.n0 = alone ? 0 : n0;
    out.rows = alone ? out.m : plan.mc;
    out.pitch = c.Pitch(alone ? plan.base_n : plan.kc);
    return out;
  }

  /* Base block (block_m, block_n) to address `l0c`: of k the base blocks first_k to end_k. `next_m`, `next_n`: the block after it. */
  __attribute__((noinline)) void Compute(ProductEvents& e, uint64_t l0c, uint32_t block_m, uint32_t block_n, uint32_t first_k, uint32_t end_k, bool adds,
                                         uint32_t next_m, uint32_t next_n) {
    const uint32_t m = least(plan.base_m, plan.single_m - block_m * plan.base_m), n = least(plan.base_n, plan.single_n - block_n * plan.base_n);
    const bool with_bias = HAS_BIAS && has_bias && first_k == 0 && !adds;
    if (with_bias) BiasToTable(e, block_n, n);
    for (uint32_t block_k = first_k; block_k < end_k; ++block_k) {
      Announce(e, block_m, block_n, block_k, end_k, next_m, next_n, block_k == first_k);
      const uint32_t half = e.l0_next, k = least(plan.base_k, plan.single_k - block_k * plan.base_k);
      if (two_halves_) e.l0_next = 1 - half;
      if (e.l0_taken[half]) e.consumed.Wait(half);
      const uint64_t at = half * L0_HALF_BYTES;
      a.ToL0(e.l1, block_m, block_k, m, k, L0Address(AscendC::TPosition::A2, at));
      b.ToL0(e.l1, block_n, block_k, n, k / PER_STORED, L0Address(AscendC::TPosition::B2, at));
      e.loaded.Order(half);
      Multiply(l0c, at, m, n, k, block_k == first_k, adds, with_bias);
      e.consumed.Set(half);
      e.l0_taken[half] = true;
      if (with_bias && block_k == first_k) {
        e.consumed.Set(2);
        e.bias_taken = true;
      }
    }
  }

  /* A computed block to GM or (C in TSCM) to L1. */
  __attribute__((noinline)) void Out(ProductEvents& e, const OutputBlock& block, uint32_t half, bool to_l1) {
    const bool vector = c.NeedsVector();
    if (vector) {
      AscendC::PipeBarrier<PIPE_ALL>();
      c.LoadVector(block.n0, block.n);
      AscendC::PipeBarrier<PIPE_ALL>();
    }
    e.computed.Order(half);
    if (to_l1)
      c.ToL1(block);
    else
      c.ToGm(block);
    /* The parameters in L1 are read on FIX, too. */
    if (vector) AscendC::PipeBarrier<PIPE_ALL>();
    e.drained.Set(half);
    e.l0c_taken[half] = true;
  }
  TR_API void AwaitL0C(ProductEvents& e, uint32_t half) {
    if (e.l0c_taken[half]) e.drained.Wait(half);
    e.l0c_taken[half] = false;
  }

  /* No flag is left set. */
  TR_API void Settle(ProductEvents& e) {
    a.Settle(e.l1);
    b.Settle(e.l1);
    for (uint32_t half = 0; half < 2; ++half) {
      if (e.l0_taken[half]) e.consumed.Wait(half);
      e.l0_taken[half] = false;
      AwaitL0C(e, half);
    }
    if (e.bias_taken) e.consumed.Wait(2);
    e.bias_taken = false;
  }

  /* Elements from row to row of C that is `n` wide. */
  TR_API static uint32_t PitchOf(uint32_t n) { return Output<C_TYPE, L0C, CB, CONFIG.isEnableChannelSplit, CONFIG.enableRelu>::Pitch(n); }

  /* Address of half `half` of L0C. */
  TR_API static uint64_t L0CAddress(uint32_t half) { return local_address(this_core(), AscendC::TPosition::CO1, half * L0C_HALF_BYTES); }
  TR_API uint32_t L0CHalves() const {
    return plan.l0c_slots == 2 && static_cast<uint64_t>(plan.base_m) * plan.base_n * sizeof(L0C) <= L0C_HALF_BYTES ? 2 : 1;
  }
  TR_API uint32_t BlocksOfK() const { return ceil_div(plan.single_k, plan.base_k); }

  /* Sizes that do not fit the memories of the core, and halves of L0A and L0B. */
  TR_API void CheckMemories() {
    TrCore* core = this_core();
    const uint64_t a_bytes = l1_bytes<AT>(plan.base_m, plan.base_k), b_bytes = l1_bytes<BT>(plan.base_n, plan.base_k / PER_STORED);
    const uint64_t c_bytes = l1_bytes<float>(plan.base_m, round_up(plan.base_n, 16));
    if (TR_UNLIKELY(a_bytes > AscendC::TOTAL_L0A_SIZE))
      tr_refuse(core, TR_REFUSE_CAPACITY, "Matmul: baseM x baseK of A", space_of(AscendC::Hardware::L0A), a_bytes, AscendC::TOTAL_L0A_SIZE);
    if (TR_UNLIKELY(b_bytes > AscendC::TOTAL_L0B_SIZE))
      tr_refuse(core, TR_REFUSE_CAPACITY, "Matmul: baseN x baseK of B", space_of(AscendC::Hardware::L0B), b_bytes, AscendC::TOTAL_L0B_SIZE);
    if (TR_UNLIKELY(c_bytes > AscendC::TOTAL_L0C_SIZE))
      tr_refuse(core, TR_REFUSE_CAPACITY, "Matmul: baseM x baseN of C", space_of(AscendC::Hardware::L0C), c_bytes, AscendC::TOTAL_L0C_SIZE);
    if (TR_UNLIKELY(decltype(b)::SPARSE && plan.base_k % 64 != 0))
      tr_refuse(core, TR_REFUSE_MISALIGNED, "Matmul with a sparse B: baseK of the tiling", 0, plan.base_k, 64);
    two_halves_ = a_bytes <= L0_HALF_BYTES && b_bytes <= L0_HALF_BYTES;
  }

 private:
  TR_API static uint64_t L0Address(AscendC::TPosition position, uint64_t offset) { return local_address(this_core(), position, offset); }

  /* L1 of the core's objects together has `bytes` at least: from its TPipe. */
  __attribute__((noinline)) bool TakeL1(uint64_t bytes) {
    TrCore* core = this_core();
    uint64_t(&side)[8] = core->kernel_side;
    AscendC::TPipe* pipe = AscendC::GetTPipePtr();
    if (TR_UNLIKELY(pipe == nullptr)) {
      tr_refuse(core, TR_REFUSE_API_MISUSE, "Matmul without a TPipe\ndefine a TPipe before REGIST_MATMUL_OBJ or Init: L1 comes from it");
      return false;
    }
    if (side[MATMUL_L1_PIPE] != side[PIPE_SERIAL]) side[MATMUL_L1] = side[MATMUL_L1_BYTES] = 0; /* another TPipe's */
    side[MATMUL_L1_PIPE] = side[PIPE_SERIAL];
    const uint64_t have = side[MATMUL_L1_BYTES];
    if (bytes <= have) return true;
    if (TR_UNLIKELY(buffers_ + 2 > MOST_BUFFERS)) {
      tr_refuse(core, TR_REFUSE_API_MISUSE, "Matmul: times that Init of one object had a tiling with larger tiles in L1"
                "\ncall Init with the largest tiling first; the tiles of the others fit then", 0, buffers_ + 1, MOST_BUFFERS);
      return false;
    }
    /* What is missing, if it comes to lie behind what there is; else all anew. */
    const uint64_t start = have != 0 ? TakeBuffer(pipe, bytes - have) : 0;
    if (have != 0 && start == side[MATMUL_L1] + have) {
      side[MATMUL_L1_BYTES] = bytes;
      return true;
    }
    const uint64_t anew = TakeBuffer(pipe, bytes);
    if (anew == 0) return false;
    side[MATMUL_L1] = anew;
    side[MATMUL_L1_BYTES] = bytes;
    return true;
  }
  /* Address of so many bytes of L1; 0: there are not. The last 128 bytes, which a TPipe keeps back, are behind a buffer that takes all the rest. */
  TR_API uint64_t TakeBuffer(AscendC::TPipe* pipe, uint64_t bytes) {
    AscendC::TBuf<AscendC::TPosition::A1>& buffer = l1_buffers_[buffers_++];
    const uint32_t of_pipe = static_cast<uint32_t>(bytes < AscendC::TOTAL_L1_SIZE ? bytes : AscendC::TOTAL_L1_SIZE);
    if (!pipe->InitBuffer(buffer, of_pipe)) return 0;
    if (bytes > of_pipe) /* the buffer is all of L1 */
      this_core()->annotate(this_core(), TR_NOTE_RESERVED, nullptr, space_of(AscendC::Hardware::L1) | (1 + 16) << 8 | 1ull << 32, 0, bytes,
                            reinterpret_cast<uint64_t>(&buffer));
    return buffer.template Get<uint8_t>().address_;
  }

  /* The tiles after those of this step, while its product runs. */
  TR_API void Announce(ProductEvents& e, uint32_t block_m, uint32_t block_n, uint32_t block_k, uint32_t end_k, uint32_t next_m, uint32_t next_n, bool first) {
    AnnounceOne(a, e, block_m, block_k, end_k, next_m, first);
    AnnounceOne(b, e, block_n, block_k, end_k, next_n, first);
  }
  template <class Side>
  TR_API void AnnounceOne(Side& side, ProductEvents& e, uint32_t block_x, uint32_t block_k, uint32_t end_k, uint32_t next_x, bool first) {
    const uint32_t step_k = side.Plan().step_k;
    /* At the second block of a tile, or at the only one: the tile itself has been asked for then. */
    if (side.Plan().slots < 2 || !(first || block_k % step_k == 0)) return;
    side.Use(e.l1, block_x, block_k);
    const uint32_t next_k = (block_k / step_k + 1) * step_k;
    if (next_k < end_k)
      side.Prefetch(e.l1, block_x / side.Plan().step_x, next_k / step_k);
    else if (next_x != ~0u)
      side.Prefetch(e.l1, next_x / side.Plan().step_x, 0);
  }

  /* The bias of `n` columns: GM to L1 to the bias table. */
  TR_API void BiasToTable(ProductEvents& e, uint32_t block_n, uint32_t n) {
    if constexpr (HAS_BIAS) {
      const uint64_t offset = static_cast<uint64_t>(block_n) * plan.base_n * sizeof(BiasT);
      uint64_t l1 = bias_l1_;
      if (TR_UNLIKELY(!bias_in_l1 && !has_bias_room_)) {
        tr_refuse(this_core(), TR_REFUSE_API_MISUSE, "Matmul: SetBias with a tiling whose tiles leave no room for the bias in L1"
                  "\ncall SetBias(true) of the tiling on the host, or make depthA1 or depthB1 less", 0, plan.base_n * sizeof(BiasT), 0);
        return;
      }
      if (bias_in_l1) {
        l1 = bias + offset;
      } else {
        e.l1.free.Order(4);
        AscendC::Nd2NzParams p;
        p.ndNum = p.nValue = 1;
        p.dValue = p.srcDValue = n;
        p.dstNzC0Stride = p.dstNzNStride = 1;
        AscendC::DataCopy(library_tensor_at<BiasT>(AscendC::TPosition::C1, l1, 0), gm_at<BiasT>(bias + offset), p);
        e.l1.ready.Order(4);
      }
      if (e.bias_taken) e.consumed.Wait(2);
      e.bias_taken = false;
      copy_to_bias(this_core(), local_address(this_core(), AscendC::TPosition::C2, 0), l1, !std::is_same<BiasT, L0C>::value, 1,
                   ceil_div(n * sizeof(BiasT), 64), 0, 0);
    }
  }

  TR_API void Multiply(uint64_t l0c, uint64_t at, uint32_t m, uint32_t n, uint32_t k, bool first, bool adds, bool with_bias) {
    AscendC::MmadParams p;
    /* One row would be read as a plain row (GEMV); the second one is not copied out. */
    p.m = m == 1 ? 2 : m;
    p.n = C_TYPE::format == CubeFormat::ND_ALIGN ? round_up(n, 16) : n;
    p.k = k;
    p.cmatrixInitVal = first && !adds && !with_bias;
    p.kDirectionAlign = AscendC::element_bits<AT> == 32 && a.Turned();
    const auto to = library_tensor_at<L0C>(AscendC::TPosition::CO1, l0c, 0);
    const auto left = library_tensor<AT>(AscendC::TPosition::A2, at, 0);
    const auto right = library_tensor<BT>(AscendC::TPosition::B2, at, 0);
    if constexpr (decltype(b)::SPARSE) {
      p.cmatrixSource = with_bias && first;
      AscendC::MmadWithSparse(to, left, right, p);
    } else if (with_bias && first) {
      if constexpr (!std::is_same<AT, AscendC::int4b_t>::value) {
        AscendC::Mmad(to, left, right, library_tensor<L0C>(AscendC::TPosition::C2, 0, 0), p);
      } else {
        p.cmatrixSource = true;
        AscendC::Mmad(to, left, right, p);
      }
    } else {
      AscendC::Mmad(to, left, right, p);
    }
    if (ceil_div(m, FRACTAL_ROWS) * ceil_div(n, FRACTAL_ROWS) < CELLS_IN_FLIGHT) AscendC::PipeBarrier<PIPE_M>();
  }

  static constexpr uint32_t MOST_BUFFERS = 8;
  static constexpr uint64_t L1_BYTES = 512 * 1024;
  AscendC::TBuf<AscendC::TPosition::A1> l1_buffers_[MOST_BUFFERS];
  uint32_t buffers_ = 0;
  uint64_t bias_l1_ = 0;
  bool has_bias_room_ = true;
  bool two_halves_ = true;
};

}  // namespace toprope

#endif
