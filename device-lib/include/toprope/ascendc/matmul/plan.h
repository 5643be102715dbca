/* How a Matmul object cuts its product up: sizes from a tiling, a constant tiling or a configuration, and the order of the base blocks of C.
 *
 * L1 gets, of A and of B, one or two slots for tiles of step base blocks in each direction. depthA1 and depthB1 say how many base blocks may be
 * cached: twice a tile is two slots (one is loaded while the other is used), more is a longer tile along k.
 */
#ifndef TOPROPE_ASCENDC_MATMUL_PLAN_H
#define TOPROPE_ASCENDC_MATMUL_PLAN_H

#include <toprope/ascendc/matmul/operand.h>

namespace toprope __attribute__((visibility("hidden"))) {

TR_API uint32_t not_negative(int32_t size) { return size > 0 ? static_cast<uint32_t>(size) : 0; }

/* What a tiling says, whatever it was. */
struct MatmulPlan {
  uint32_t m = 0, n = 0, ka = 0, kb = 0;                     /* the matrices in GM */
  uint32_t mc = 0, kc = 0;                                   /* rows and columns of C */
  uint32_t single_m = 0, single_n = 0, single_k = 0;         /* of this core */
  uint32_t base_m = 0, base_n = 0, base_k = 0;
  uint32_t step_m = 1, step_n = 1, step_ka = 1, step_kb = 1, depth_a = 1, depth_b = 1;
  uint32_t l0c_slots = 1;
  bool n_first = false;                                      /* ORDER_N */

  /* SetOrgShape; without kc the rows of C are those of B. */
  TR_API void SetMatrices(int org_m, int org_n, int org_ka, int org_kb, int org_kc) {
    m = mc = not_negative(org_m);
    n = not_negative(org_n);
    ka = not_negative(org_ka);
    kb = not_negative(org_kb);
    kc = org_kc > 0 ? static_cast<uint32_t>(org_kc) : n;
  }
  /* SetTail; -1 leaves a size as it is. */
  TR_API void SetPart(int part_m, int part_n, int part_k) {
    if (part_m != -1) single_m = not_negative(part_m);
    if (part_n != -1) single_n = not_negative(part_n);
    if (part_k != -1) single_k = not_negative(part_k);
  }
};

/* What host tiling wrote, and MatmulApiStaticTiling: the fields have the same names. */
template <class Tiling>
TR_API MatmulPlan plan_of(const Tiling& t) {
  MatmulPlan p;
  p.m = p.mc = not_negative(t.M);
  p.n = p.kc = not_negative(t.N);
  p.ka = not_negative(t.Ka);
  p.kb = not_negative(t.Kb);
  p.single_m = not_negative(t.singleCoreM);
  p.single_n = not_negative(t.singleCoreN);
  p.single_k = not_negative(t.singleCoreK);
  p.base_m = not_negative(t.baseM);
  p.base_n = not_negative(t.baseN);
  p.base_k = not_negative(t.baseK);
  p.step_m = not_negative(t.stepM);
  p.step_n = not_negative(t.stepN);
  p.step_ka = not_negative(t.stepKa);
  p.step_kb = not_negative(t.stepKb);
  p.depth_a = not_negative(t.depthA1);
  p.depth_b = not_negative(t.depthB1);
  p.l0c_slots = t.dbL0C == 2 ? 2 : 1;
  p.n_first = t.iterateOrder == 1;
  return p;
}

TR_API bool plan_is_set(const MatmulPlan& p) { return p.base_m != 0 && p.base_n != 0 && p.base_k != 0; }
TR_API void check_plan(TrCore* core, const MatmulPlan& p) {
  if (TR_UNLIKELY(!plan_is_set(p)))
    tr_refuse(core, TR_REFUSE_API_MISUSE, "Matmul without a tiling: baseM, baseN or baseK is 0\npass a tiling that GetTiling has filled to REGIST_MATMUL_OBJ or Init before the first use");
}

/* One operand: base blocks along k that are cached make the tile longer, a second tile makes a second slot. */
TR_API OperandPlan operand_plan(uint32_t base_x, uint32_t base_k, uint32_t step_x, uint32_t step_k, uint32_t depth, uint32_t k_blocks) {
  OperandPlan p;
  p.base_x = base_x;
  p.base_k = base_k;
  p.step_x = step_x == 0 ? 1 : step_x;
  if (depth == 0) depth = p.step_x * (step_k == 0 ? 1 : step_k);
  const uint32_t along_k = depth / p.step_x == 0 ? 1 : depth / p.step_x; /* base blocks of a row of the tile that L1 may hold */
  if (step_k == 0) step_k = 1;
  if (along_k >= 2 * step_k && along_k < 3 * step_k) {
    p.step_k = step_k;
    p.slots = 2;
  } else if (along_k >= k_blocks && k_blocks != 0) {
    p.step_k = k_blocks;
    p.slots = along_k >= 2 * k_blocks ? 2 : 1;
  } else if (along_k >= 2 * step_k) {
    p.step_k = along_k / 2;
    p.slots = 2;
  } else {
    p.step_k = step_k < along_k ? step_k : along_k;
    p.slots = 1;
  }
  return p;
}

/* The order of the base blocks of C: within steps of step_m times step_n blocks, along m first or along n first. */
class BlockWalk {
 public:
  TR_API void Start(uint32_t blocks_m, uint32_t blocks_n, uint32_t step_m, uint32_t step_n, bool n_first) {
    m_ = {0, 0, blocks_m, step_m};
    n_ = {0, 0, blocks_n, step_n};
    n_first_ = n_first;
    started_ = false;
    index_ = 0;
  }
  TR_API uint32_t M() const { return m_.at; }
  TR_API uint32_t N() const { return n_.at; }
  /* Blocks before this one. */
  TR_API uint32_t Index() const { return index_; }
  TR_API uint32_t Blocks() const { return m_.blocks * n_.blocks; }
  /* To the first block, or to the next; false behind the last. */
  TR_API bool Next() {
    if (!started_) {
      started_ = true;
      return m_.blocks != 0 && n_.blocks != 0;
    }
    index_ += 1;
    return n_first_ ? Advance(n_, m_) : Advance(m_, n_);
  }

 private:
  struct Axis {
    uint32_t at, step_start, blocks, step;
    TR_API uint32_t StepEnd() const { return least(step_start + step, blocks); }
  };
  TR_API static bool Advance(Axis& inner, Axis& outer) {
    if (++inner.at < inner.StepEnd()) return true;
    inner.at = inner.step_start;
    if (++outer.at < outer.StepEnd()) return true;
    outer.at = outer.step_start;
    inner.at = inner.step_start = inner.StepEnd();
    if (inner.at < inner.blocks) return true;
    inner.at = inner.step_start = 0;
    outer.at = outer.step_start = outer.StepEnd();
    return outer.at < outer.blocks;
  }

  Axis m_{}, n_{};
  bool n_first_ = false, started_ = false;
  uint32_t index_ = 0;
};

}  // namespace toprope

#endif
