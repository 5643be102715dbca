/* MatmulImpl: the high-level Matmul of a kernel that runs on cube cores. The public names, on top of the engine. On a vector core, where such a
 * kernel's source may come past, every call does nothing.
 */
#ifndef TOPROPE_ASCENDC_MATMUL_IMPL_H
#define TOPROPE_ASCENDC_MATMUL_IMPL_H

#include <toprope/ascendc/matmul/engine.h>

namespace toprope __attribute__((visibility("hidden"))) {

TR_API uint64_t address_of_gm(const void* gm) { return reinterpret_cast<uint64_t>(gm); }

/* A transposed matrix needs ISTRANS in its type: the library reserves memory by it. With 16-bit types both ways take the same, and public
 * programs do without. */
template <class TYPE>
TR_API void check_transpose(bool transposes, const char* what) {
  if (TR_UNLIKELY(transposes && !TYPE::isTrans && AscendC::element_bits<typename TYPE::T> != 16)) tr_refuse(this_core(), TR_REFUSE_API_MISUSE, what);
}
constexpr const char* A_NOT_TRANSPOSED = "SetTensorA with isTransposeA = true for a MatmulType with ISTRANS = false\nset the fourth parameter of the MatmulType of A, and SetAType of the tiling, to true";
constexpr const char* B_NOT_TRANSPOSED = "SetTensorB with isTransposeB = true for a MatmulType with ISTRANS = false\nset the fourth parameter of the MatmulType of B, and SetBType of the tiling, to true";

/* The axes of batched layouts that a tiling has; constant tilings have none. */
template <class Engine>
TR_API void set_batch_axes(Engine& engine, const TCubeTiling& t) {
  engine.a_axes = {not_negative(t.ALayoutInfoB), not_negative(t.ALayoutInfoS), not_negative(t.ALayoutInfoN), not_negative(t.ALayoutInfoG), not_negative(t.ALayoutInfoD)};
  engine.b_axes = {not_negative(t.BLayoutInfoB), not_negative(t.BLayoutInfoS), not_negative(t.BLayoutInfoN), not_negative(t.BLayoutInfoG), not_negative(t.BLayoutInfoD)};
  engine.c_axes = {not_negative(t.CLayoutInfoB), not_negative(t.CLayoutInfoS1), not_negative(t.CLayoutInfoN), not_negative(t.CLayoutInfoG), not_negative(t.CLayoutInfoS2)};
}

}  // namespace toprope

namespace AscendC {

template <class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE = C_TYPE, const auto& MM_CFG = CFG_NORM,
          class MM_CB = MatmulCallBackFunc<nullptr, nullptr, nullptr>, MATMUL_POLICY_DEFAULT_OF(MatmulPolicy), typename = void>
class MatmulImpl {
 public:
  using AType = A_TYPE;
  using BType = B_TYPE;
  using CType = C_TYPE;
  using BiasType = BIAS_TYPE;
  using CallBack = MM_CB;

 private:
  using SrcAT = typename A_TYPE::T;
  using SrcBT = typename B_TYPE::T;
  using DstT = typename C_TYPE::T;
  using BiasT = typename BIAS_TYPE::T;
  using Policy = MATMUL_POLICY<MM_CFG, MatmulImpl, A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE>;
  using EngineType = ::toprope::Engine<A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE, MM_CFG, MM_CB, Policy::POLICY_TYPE>;
  static constexpr MatmulConfig CONFIG = ::toprope::matmul_config(MM_CFG);

 public:
  TR_API MatmulImpl() {}
  MatmulImpl(const MatmulImpl&) = delete;
  MatmulImpl& operator=(const MatmulImpl&) = delete;

  /* The tiling; null if it is a constant of the type. */
  TR_API void Init(const TCubeTiling* cubeTiling, TPipe* = nullptr) {
    if (Skips()) return;
    ::toprope::ReportHere here;
    if constexpr (::toprope::is_static_tiling<decltype(MM_CFG)>) {
      engine_.plan = ::toprope::plan_of(MM_CFG);
      if (cubeTiling != nullptr) SetSizes(*cubeTiling);
    } else {
      if (TR_UNLIKELY(cubeTiling == nullptr)) {
        tr_refuse(here.core, TR_REFUSE_API_MISUSE, "Matmul::Init without a tiling: the pointer is null\npass the TCubeTiling that GetTiling has filled; only a Matmul with a MatmulApiStaticTiling goes without");
        return;
      }
      engine_.plan = ::toprope::plan_of(*cubeTiling);
      ::toprope::set_batch_axes(engine_, *cubeTiling);
      if (CONFIG.basicM != 0 && (CONFIG.doBasicBlock || CONFIG.doSpecialBasicBlock)) SetBasicBlock();
    }
    Replan();
  }
  TR_API void SetOrgShape(int orgM, int orgN, int orgK) { SetOrgShape(orgM, orgN, orgK, orgK); }
  TR_API void SetOrgShape(int orgM, int orgN, int orgKa, int orgKb, int orgKc = 0) {
    if (Skips()) return;
    engine_.plan.SetMatrices(orgM, orgN, orgKa, orgKb, orgKc);
    engine_.Restart();
  }
  TR_API void SetSingleShape(int singleM, int singleN, int singleK) { SetTail(singleM, singleN, singleK); }
  /* Sizes of this core; -1 leaves one as it is. */
  TR_API void SetTail(int tailM = -1, int tailN = -1, int tailK = -1) {
    if (Skips()) return;
    ::toprope::ReportHere here;
    const uint32_t k_before = engine_.plan.single_k;
    engine_.plan.SetPart(tailM, tailN, tailK);
    if (engine_.plan.single_k != k_before) Replan();
    engine_.Restart();
  }

  TR_API void SetTensorA(const GlobalTensor<SrcAT>& gm, bool isTransposeA = false) {
    if (Skips()) return;
    ::toprope::check_transpose<A_TYPE>(isTransposeA, ::toprope::A_NOT_TRANSPOSED);
    engine_.a.SetGm(gm.address_, isTransposeA);
    engine_.Restart();
  }
  TR_API void SetTensorB(const GlobalTensor<SrcBT>& gm, bool isTransposeB = false) {
    if (Skips()) return;
    ::toprope::check_transpose<B_TYPE>(isTransposeB, ::toprope::B_NOT_TRANSPOSED);
    engine_.b.SetGm(gm.address_, !isTransposeB);
    engine_.Restart();
  }
  TR_API void SetTensorA(const LocalTensor<SrcAT>& leftMatrix, bool isTransposeA = false) {
    if (Skips()) return;
    ::toprope::check_transpose<A_TYPE>(isTransposeA, ::toprope::A_NOT_TRANSPOSED);
    if (InL1(leftMatrix.position_)) engine_.a.SetL1(leftMatrix.address_, isTransposeA);
    engine_.Restart();
  }
  TR_API void SetTensorB(const LocalTensor<SrcBT>& rightMatrix, bool isTransposeB = false) {
    if (Skips()) return;
    ::toprope::check_transpose<B_TYPE>(isTransposeB, ::toprope::B_NOT_TRANSPOSED);
    if (InL1(rightMatrix.position_)) engine_.b.SetL1(rightMatrix.address_, !isTransposeB);
    engine_.Restart();
  }
  /* A row of K times the same value. */
  TR_API void SetTensorA(SrcAT aScalar) {
    if (Skips()) return;
    engine_.a.SetScalar(aScalar);
    engine_.Restart();
  }
  TR_API void SetTensorB(SrcBT bScalar) {
    if (Skips()) return;
    engine_.b.SetScalar(bScalar);
    engine_.Restart();
  }
  TR_API void SetBias(const GlobalTensor<BiasT>& biasGlobal) {
    if (Skips()) return;
    engine_.bias = biasGlobal.address_;
    engine_.bias_in_l1 = false;
    engine_.has_bias = true;
    CheckBias();
  }
  TR_API void SetBias(const LocalTensor<BiasT>& inputBias) {
    if (Skips() || !InL1(inputBias.position_)) return;
    engine_.bias = inputBias.address_;
    engine_.bias_in_l1 = true;
    engine_.has_bias = true;
    CheckBias();
  }
  TR_API void DisableBias() { engine_.has_bias = false; }
  TR_API void ClearBias() { DisableBias(); }

  TR_API void SetQuantScalar(const uint64_t quantScalar) { engine_.c.SetQuantScalar(quantScalar); }
  TR_API void SetQuantVector(const GlobalTensor<uint64_t>& quantTensor) { engine_.c.SetQuantVectorGm(quantTensor.address_); }
  TR_API void SetQuantVector(const LocalTensor<uint64_t>& quantTensor) {
    if (!Skips() && InL1(quantTensor.position_)) engine_.c.SetQuantVectorL1(quantTensor.address_);
  }
  TR_API void SetAntiQuantScalar(const SrcAT, const SrcAT) { ::toprope::unsupported("Matmul::SetAntiQuantScalar (dav-2201 does not have it)"); }
  TR_API void SetAntiQuantVector(const LocalTensor<SrcAT>&, const LocalTensor<SrcAT>&) {
    ::toprope::unsupported("Matmul::SetAntiQuantVector (dav-2201 does not have it)");
  }
  TR_API void SetSparseIndex(const GlobalTensor<uint8_t>& indexGlobal) { engine_.b.SetSparseIndex(indexGlobal.address_); }
  TR_API void SetHF32(bool enableHF32 = false, int32_t transMode = 0) {
    if (Skips()) return;
    ::toprope::ReportHere here;
    SetHF32Mode(enableHF32);
    SetHF32TransMode(transMode == 1);
  }

  /* For callbacks. */
  TR_API void SetUserDefInfo(const uint64_t tilingPtr) {
    callback_.user_info = tilingPtr;
    PassCallback();
  }
  template <class T>
  TR_API void SetSelfDefineData(T dataPtr) {
    callback_.SetSelfDefined(dataPtr);
    PassCallback();
  }

  TR_API void SetSubBlockIdx(uint8_t subBlockIdx) { sub_block_ = subBlockIdx; }
  TR_API uint8_t GetSubBlockIdx() { return sub_block_; }
  /* Space that other products and forms need. */
  template <class T>
  TR_API void SetWorkspace(__gm__ const T*, int) {}
  template <class T>
  TR_API void SetWorkspace(GlobalTensor<T>&) {}
  TR_API void SetLocalWorkspace(const LocalTensor<uint8_t>&) {}

  /* ---- products ------------------------------------------------------------------------------------------------------------------ */

  template <bool sync = true>
  TR_API void IterateAll(const GlobalTensor<DstT>& gm, uint8_t enAtomic = 0, bool enSequentialWrite = false, bool = false, bool fakeMsg = false) {
    if (Skips() || fakeMsg) return;
    ::toprope::ReportHere here;
    engine_.All(To(gm.address_, false, enAtomic, enSequentialWrite));
  }
  template <bool sync = true>
  TR_API void IterateAll(const LocalTensor<DstT>& ubCmatrix, uint8_t enAtomic = 0) {
    if (Skips() || !InL1(ubCmatrix.position_)) return;
    ::toprope::ReportHere here;
    engine_.All(To(ubCmatrix.address_, true, enAtomic, false));
  }
  TR_API void WaitIterateAll() {}

  /* The next block of C; false if there is none. */
  template <bool sync = true>
  TR_API bool Iterate(bool enPartialSum = false) {
    if (Skips()) return false;
    ::toprope::ReportHere here;
    return engine_.Step(enPartialSum, 0);
  }
  template <bool sync = true, typename T>
  TR_API bool Iterate(bool enPartialSum, const LocalTensor<T>& localCmatrix) {
    static_assert(::toprope::one_of<T, float, int32_t>, "Iterate: C in CO1 is float or int32_t");
    if (Skips()) return false;
    ::toprope::ReportHere here;
    if (TR_UNLIKELY(GetPhyType(static_cast<TPosition>(localCmatrix.position_)) != Hardware::L0C))
      tr_refuse(here.core, TR_REFUSE_API_MISUSE, "Matmul::Iterate with a tensor of C outside L0C\nuse a tensor of position CO1");
    return engine_.Step(enPartialSum, localCmatrix.address_);
  }
  template <bool sync = true>
  TR_API void GetTensorC(const GlobalTensor<DstT>& gm, uint8_t enAtomic = 0, bool enSequentialWrite = false) {
    if (Skips()) return;
    ::toprope::ReportHere here;
    engine_.Get(To(gm.address_, false, enAtomic, enSequentialWrite));
  }
  template <bool sync = true>
  TR_API void GetTensorC(const LocalTensor<DstT>& co2Local, uint8_t enAtomic = 0, bool enSequentialWrite = false) {
    if (Skips() || !InL1(co2Local.position_)) return;
    ::toprope::ReportHere here;
    engine_.Get(To(co2Local.address_, true, enAtomic, enSequentialWrite));
  }
  template <bool sync = true>
  TR_API void GetTensorC(const GlobalTensor<DstT>&, const LocalTensor<DstT>&, uint8_t = 0, bool = false) {
    ::toprope::unsupported("Matmul::GetTensorC to GM and VECIN at once on a cube core (a cube core has no UB)");
  }
  template <bool isTurnOnDebug = true>
  TR_API MatrixOffset GetOffsetC() {
    return {};
  }

  TR_API void SetBatchNum(int32_t batchA, int32_t batchB) {
    batch_a_ = ::toprope::not_negative(batchA);
    batch_b_ = ::toprope::not_negative(batchB);
  }
  TR_API void IterateBatch(const GlobalTensor<DstT>& gm, bool enPartialSum, uint8_t enAtomic, bool enSequentialWrite, const uint32_t matrixStrideA = 0,
                           const uint32_t matrixStrideB = 0, const uint32_t = 0) {
    if (Skips()) return;
    ::toprope::ReportHere here;
    if (TR_UNLIKELY(enPartialSum)) tr_refuse(here.core, TR_REFUSE_UNSUPPORTED, "Matmul::IterateBatch with enPartialSum");
    const ::toprope::Batch batch = {batch_a_, batch_b_, matrixStrideA, matrixStrideB, 1};
    engine_.Batched(batch, To(gm.address_, false, enAtomic, enSequentialWrite));
  }
  TR_API void IterateBatch(const LocalTensor<DstT>&, bool, uint8_t, bool, const uint32_t = 0, const uint32_t = 0, const uint32_t = 0) {
    ::toprope::unsupported("Matmul::IterateBatch to a local tensor on a cube core");
  }

  TR_API void End() { engine_.Restart(); }

  /* For the server of the mixed form. */
  TR_API EngineType& Engine() { return engine_; }

 private:
  TR_API static bool Skips() { return ::toprope::this_core()->kind != TR_CORE_AIC; }
  TR_API static ::toprope::Destination To(uint64_t address, bool in_l1, uint8_t atomic, bool sequential) { return {address, in_l1, atomic, sequential}; }
  TR_API static bool InL1(uint8_t position) {
    const bool l1 = ::toprope::is_l1(position);
    if (TR_UNLIKELY(!l1)) {
      TrCore* core = ::toprope::this_core();
      tr_refuse(core, TR_REFUSE_API_MISUSE, "Matmul on a cube core with a local tensor outside L1\nuse a tensor of position TSCM; UB belongs to the vector cores");
    }
    return l1;
  }
  TR_API void CheckBias() {
    if constexpr (!EngineType::HAS_BIAS && CONFIG.enableSetBias)
      ::toprope::unsupported("Matmul::SetBias with this data type (float and half for products in float, int32_t for those in int32_t)");
  }
  TR_API void PassCallback() {
    engine_.a.SetCallback(callback_);
    engine_.b.SetCallback(callback_);
    engine_.c.SetCallback(callback_);
  }
  TR_API void SetSizes(const TCubeTiling& t) {
    ::toprope::MatmulPlan& p = engine_.plan;
    const ::toprope::MatmulPlan given = ::toprope::plan_of(t);
    if (p.m == 0) p.m = p.mc = given.m;
    if (p.n == 0) p.n = p.kc = given.n;
    if (p.ka == 0) p.ka = given.ka;
    if (p.kb == 0) p.kb = given.kb;
    if (p.single_m == 0) p.single_m = given.single_m;
    if (p.single_n == 0) p.single_n = given.single_n;
    if (p.single_k == 0) p.single_k = given.single_k;
    if (p.depth_a == 0) p.depth_a = given.depth_a, p.step_m = given.step_m, p.step_ka = given.step_ka;
    if (p.depth_b == 0) p.depth_b = given.depth_b, p.step_n = given.step_n, p.step_kb = given.step_kb;
    ::toprope::set_batch_axes(engine_, t);
  }
  TR_API void SetBasicBlock() {
    ::toprope::MatmulPlan& p = engine_.plan;
    p.base_m = CONFIG.basicM;
    p.base_n = CONFIG.basicN;
    p.base_k = CONFIG.basicK;
  }
  TR_API void Replan() {
    if (::toprope::plan_is_set(engine_.plan)) engine_.Reserve();
    engine_.Restart();
  }

  EngineType engine_;
  ::toprope::CallbackData callback_;
  uint32_t batch_a_ = 1, batch_b_ = 1;
  uint8_t sub_block_ = 0;
};

}  // namespace AscendC

#endif
