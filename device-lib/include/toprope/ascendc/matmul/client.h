/* MatmulClient: the high-level Matmul of the mixed form. On a vector core its calls become requests to the block's cube core; on the cube core,
 * where REGIST_MATMUL_OBJ serves them and then ends the function it stands in, they do nothing.
 *
 * Matrices of UB are put into the workspace for the cube core, blocks of C for UB are fetched from there. A request is not waited for if the
 * call is asynchronous (sync = false); Iterate never waits, GetTensorC does.
 */
#ifndef TOPROPE_ASCENDC_MATMUL_CLIENT_H
#define TOPROPE_ASCENDC_MATMUL_CLIENT_H

#include <toprope/ascendc/matmul/server.h>

namespace toprope __attribute__((visibility("hidden"))) {

/* UB to GM, exactly `bytes`. */
TR_API void store_bytes(uint64_t gm, uint64_t ub, uint64_t bytes) {
  const auto from = library_tensor_at<uint8_t>(AscendC::TPosition::VECOUT, ub, bytes);
  AscendC::DataCopyExtParams p;
  p.blockCount = 1;
  p.blockLen = static_cast<uint32_t>(bytes);
  AscendC::DataCopyPad(gm_at<uint8_t>(gm), from, p);
}
/* `rows` runs of `bytes` from GM to UB; pitches in bytes, that of UB a multiple of 32. */
TR_API void fetch_rows(uint64_t ub, uint64_t gm, uint32_t rows, uint32_t bytes, uint64_t gm_pitch, uint32_t ub_pitch) {
  AscendC::DataCopyPadExtParams<uint8_t> no_padding;
  for (uint32_t row = 0; row < rows; row += 4095) {
    AscendC::DataCopyExtParams p;
    p.blockCount = least(4095, rows - row);
    p.blockLen = bytes;
    p.srcStride = gm_pitch - bytes;
    p.dstStride = (ub_pitch - round_up(bytes, 32)) / 32;
    AscendC::DataCopyPad(library_tensor_at<uint8_t>(AscendC::TPosition::VECIN, ub + static_cast<uint64_t>(row) * ub_pitch, 0), gm_at<uint8_t>(gm + row * gm_pitch), p,
                         no_padding);
  }
}

}  // namespace toprope

namespace AscendC {

template <class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE = C_TYPE, const auto& MM_CFG = CFG_NORM,
          class MM_CB = MatmulCallBackFunc<nullptr, nullptr, nullptr>, MATMUL_POLICY_DEFAULT_OF(MatmulPolicy)>
class MatmulClient {
 public:
  using AType = A_TYPE;
  using BType = B_TYPE;
  using CType = C_TYPE;
  using BiasType = BIAS_TYPE;
  using CallBack = MM_CB;
  /* The vector cores of a block ask for one product together. */
  static constexpr bool SHARED = A_TYPE::ibShare && B_TYPE::ibShare;

 private:
  using SrcAT = typename A_TYPE::T;
  using SrcBT = typename B_TYPE::T;
  using DstT = typename C_TYPE::T;
  using BiasT = typename BIAS_TYPE::T;
  using Policy = MATMUL_POLICY<MM_CFG, MatmulClient, A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE>;
  using EngineType = ::toprope::Engine<A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE, MM_CFG, MM_CB, Policy::POLICY_TYPE>;
  using Message = ::toprope::MatmulMessage;
  using Place = ::toprope::Place;
  using Request = ::toprope::Request;
  static constexpr MatmulConfig CONFIG = ::toprope::matmul_config(MM_CFG);
  static constexpr bool C_NZ = C_TYPE::format == CubeFormat::NZ;

 public:
  TR_API MatmulClient() {}
  TR_API ~MatmulClient() {
    if (!registered_) return;
    TrCore* core = ::toprope::this_core();
    if (--core->kernel_side[::toprope::MATMUL_OBJECTS] != 0) return;
    core->kernel_side[::toprope::FILLS_L1_ELSEWHERE] = 0;
    Message quit;
    quit.request = Request::QUIT;
    ::toprope::post(quit, nullptr);
  }
  MatmulClient(const MatmulClient&) = delete;
  MatmulClient& operator=(const MatmulClient&) = delete;

  /* ---- for REGIST_MATMUL_OBJ ------------------------------------------------------------------------------------------------------- */

  TR_API void Register(uint32_t object) {
    object_ = object;
    if (registered_) return;
    registered_ = true;
    ::toprope::this_core()->kernel_side[::toprope::MATMUL_OBJECTS] += 1;
  }
  template <class Tiling>
  TR_API void InitLocally(const Tiling* tiling) {
    if constexpr (::toprope::is_static_tiling<decltype(MM_CFG)>) {
      plan_ = ::toprope::plan_of(MM_CFG);
      if (Skips()) InitServants(MM_CFG);
    } else if (tiling != nullptr) {
      plan_ = ::toprope::plan_of(*tiling);
      if (Skips()) InitServants(*tiling);
    }
    Changed();
  }
  TR_API void ServeRequest(uint32_t sub, const Message& message, uint64_t mailbox) {
    if (message.request == Request::INIT)
      servant_.Init(sub, ::toprope::read_words<TCubeTiling>(mailbox + ::toprope::TILING_OFFSET), true);
    else
      servant_.Serve(sub, message);
  }
  TR_API bool BlocksOther(uint32_t sub) const { return servant_.Blocks(sub); }

  /* ---- sizes and matrices ------------------------------------------------------------------------------------------------------------ */

  TR_API void Init(const TCubeTiling* cubeTiling, TPipe* = nullptr) {
    if (Skips() || ::toprope::is_static_tiling<decltype(MM_CFG)>) return;
    ::toprope::ReportHere here;
    if (TR_UNLIKELY(cubeTiling == nullptr)) return tr_refuse(here.core, TR_REFUSE_API_MISUSE, "Matmul::Init without a tiling: the pointer is null\npass the TCubeTiling that GetTiling has filled");
    if (!Registered()) return;
    plan_ = ::toprope::plan_of(*cubeTiling);
    Changed();
    Message message;
    message.request = Request::INIT;
    message.object = object_;
    if (!Follows()) ::toprope::post(message, cubeTiling);
  }
  TR_API void SetOrgShape(int orgM, int orgN, int orgK) { SetOrgShape(orgM, orgN, orgK, orgK); }
  TR_API void SetOrgShape(int orgM, int orgN, int orgKa, int orgKb, int orgKc = 0) {
    plan_.SetMatrices(orgM, orgN, orgKa, orgKb, orgKc);
    Changed();
  }
  TR_API void SetSingleShape(int singleM, int singleN, int singleK) { SetTail(singleM, singleN, singleK); }
  TR_API void SetTail(int tailM = -1, int tailN = -1, int tailK = -1) {
    plan_.SetPart(tailM, tailN, tailK);
    Changed();
  }
  TR_API void SetTensorA(const GlobalTensor<SrcAT>& gm, bool isTransposeA = false) {
    ::toprope::check_transpose<A_TYPE>(isTransposeA, ::toprope::A_NOT_TRANSPOSED);
    SetGm(a_, gm.address_, isTransposeA);
  }
  TR_API void SetTensorB(const GlobalTensor<SrcBT>& gm, bool isTransposeB = false) {
    ::toprope::check_transpose<B_TYPE>(isTransposeB, ::toprope::B_NOT_TRANSPOSED);
    SetGm(b_, gm.address_, !isTransposeB);
  }
  TR_API void SetTensorA(const LocalTensor<SrcAT>& leftMatrix, bool isTransposeA = false) {
    if (Skips()) return;
    ::toprope::check_transpose<A_TYPE>(isTransposeA, ::toprope::A_NOT_TRANSPOSED);
    SetLocal(a_, leftMatrix, isTransposeA);
  }
  TR_API void SetTensorB(const LocalTensor<SrcBT>& rightMatrix, bool isTransposeB = false) {
    if (Skips()) return;
    ::toprope::check_transpose<B_TYPE>(isTransposeB, ::toprope::B_NOT_TRANSPOSED);
    SetLocal(b_, rightMatrix, !isTransposeB);
  }
  TR_API void SetTensorA(SrcAT aScalar) { SetScalar(a_, aScalar); }
  TR_API void SetTensorB(SrcBT bScalar) { SetScalar(b_, bScalar); }
  TR_API void SetBias(const GlobalTensor<BiasT>& biasGlobal) {
    CheckBias();
    SetGm(bias_, biasGlobal.address_, false);
  }
  TR_API void SetBias(const LocalTensor<BiasT>& inputBias) {
    if (Skips()) return;
    CheckBias();
    SetLocal(bias_, inputBias, false);
  }
  TR_API void DisableBias() { bias_ = Source(); }
  TR_API void ClearBias() { DisableBias(); }

  TR_API void SetQuantScalar(const uint64_t quantScalar) {
    quant_.address = quantScalar;
    quant_.place = Place::SCALAR;
  }
  TR_API void SetQuantVector(const GlobalTensor<uint64_t>& quantTensor) {
    quant_.address = quantTensor.address_;
    quant_.place = Place::GM;
  }
  TR_API void SetQuantVector(const LocalTensor<uint64_t>&) { Missing("Matmul::SetQuantVector with a local tensor on a vector core"); }
  TR_API void SetAntiQuantScalar(const SrcAT, const SrcAT) { Missing("Matmul::SetAntiQuantScalar (dav-2201 does not have it)"); }
  TR_API void SetAntiQuantVector(const LocalTensor<SrcAT>&, const LocalTensor<SrcAT>&) { Missing("Matmul::SetAntiQuantVector (dav-2201 does not have it)"); }
  TR_API void SetSparseIndex(const GlobalTensor<uint8_t>& indexGlobal) {
    sparse_index_ = indexGlobal.address_;
    Changed();
  }
  TR_API void SetHF32(bool enableHF32 = false, int32_t transMode = 0) {
    hf32_ = enableHF32;
    hf32_to_zero_ = transMode == 1;
  }
  TR_API void SetUserDefInfo(const uint64_t tilingPtr) { callback_.user_info = tilingPtr; }
  template <class T>
  TR_API void SetSelfDefineData(T dataPtr) {
    callback_.SetSelfDefined(dataPtr);
  }
  TR_API void SetSubBlockIdx(uint8_t) {}
  TR_API uint8_t GetSubBlockIdx() { return static_cast<uint8_t>(::toprope::this_core()->sub_block_idx); }
  /* GM for blocks of C that are computed ahead (asynchronous Iterate, IterateNBatch). */
  template <class T>
  TR_API void SetWorkspace(__gm__ const T* addr, int) {
    workspace_ = ::toprope::address_of_gm(addr);
  }
  template <class T>
  TR_API void SetWorkspace(GlobalTensor<T>& addr) {
    workspace_ = addr.address_;
  }
  TR_API void SetLocalWorkspace(const LocalTensor<uint8_t>&) {}

  /* ---- products ---------------------------------------------------------------------------------------------------------------------- */

  template <bool sync = true>
  TR_API void IterateAll(const GlobalTensor<DstT>& gm, uint8_t enAtomic = 0, bool enSequentialWrite = false, bool = false, bool fakeMsg = false) {
    if (Skips() || fakeMsg) return;
    ::toprope::ReportHere here;
    Ask(Request::ALL, gm.address_, enAtomic, enSequentialWrite);
    if constexpr (sync) Await();
  }
  template <bool sync = true>
  TR_API void IterateAll(const LocalTensor<DstT>& ubCmatrix, uint8_t enAtomic = 0) {
    static_assert(sync, "IterateAll to a local tensor: only synchronous");
    if (Skips() || !InUb(ubCmatrix.position_)) return;
    ::toprope::ReportHere here;
    if (!FitsStaging(static_cast<uint64_t>(::toprope::round_up(plan_.single_m, 16)) * ::toprope::round_up(plan_.single_n, 32) * sizeof(DstT))) return;
    const ::toprope::MatmulPlan before = plan_;
    plan_.mc = plan_.single_m;
    plan_.kc = plan_.single_n;
    Ask(Request::ALL, Staging(), NoAtomic(enAtomic), false);
    plan_ = before;
    Await();
    Fetch(ubCmatrix, Staging(), plan_.single_m, plan_.single_n, plan_.single_n, plan_.single_n);
  }
  TR_API void WaitIterateAll() {
    if (!Skips()) Await();
  }

  /* The next block of C is asked for; false if there is none. Asynchronous: all of them, into the workspace. */
  template <bool sync = true>
  TR_API bool Iterate(bool enPartialSum = false) {
    if (Skips()) return false;
    ::toprope::ReportHere here;
    if constexpr (!sync) {
      if (TR_UNLIKELY(workspace_ == 0)) tr_refuse(here.core, TR_REFUSE_API_MISUSE, "Iterate<false> without a workspace for the blocks of C\ncall SetWorkspace before it, with singleCoreM x singleCoreN elements of GM");
      Ask(Request::ALL_STEPS, workspace_, 0, true);
      taken_blocks_ = 0;
      StartWalk();
      return true;
    } else {
      if (!iterating_) StartWalk();
      iterating_ = NextBlock();
      /* The cube core has to see the end, too. */
      Ask(Request::STEP, 0, 0, false, enPartialSum);
      return iterating_;
    }
  }
  template <bool sync = true, typename T>
  TR_API bool Iterate(bool, const LocalTensor<T>&) {
    Missing("Matmul::Iterate with a tensor in CO1 on a vector core (define ASCENDC_CUBE_ONLY and run it on a cube core)");
    return false;
  }

  template <bool sync = true>
  TR_API void GetTensorC(const GlobalTensor<DstT>& gm, uint8_t enAtomic = 0, bool enSequentialWrite = false) {
    if (Skips()) return;
    ::toprope::ReportHere here;
    if constexpr (!sync) {
      Missing("Matmul::GetTensorC<false> to GM (the blocks are in the workspace: GetTensorC<false>() names them)");
    } else {
      Ask(Request::GET, gm.address_, enAtomic, enSequentialWrite);
      Await();
    }
  }
  template <bool sync = true>
  TR_API void GetTensorC(const LocalTensor<DstT>& co2Local, uint8_t enAtomic = 0, bool = false, uint32_t = 0, uint32_t = 0, uint32_t = 0, uint32_t = 0) {
    if (Skips() || !InUb(co2Local.position_)) return;
    ::toprope::ReportHere here;
    uint64_t from = Staging();
    if constexpr (sync) {
      Ask(Request::GET, from, NoAtomic(enAtomic), true);
    } else {
      from = NextOfWorkspace();
    }
    Await();
    const ::toprope::OutputBlock block = CurrentBlock();
    Fetch(co2Local, from, block.m, block.n, plan_.base_n, plan_.base_n);
  }
  template <bool sync = true>
  TR_API void GetTensorC(const GlobalTensor<DstT>& gm, const LocalTensor<DstT>& co2Local, uint8_t enAtomic = 0, bool enSequentialWrite = false) {
    if (Skips() || !InUb(co2Local.position_)) return;
    ::toprope::ReportHere here;
    Ask(Request::GET, gm.address_, enAtomic, enSequentialWrite);
    Ask(Request::GET, Staging(), 0, true);
    Await();
    const ::toprope::OutputBlock block = CurrentBlock();
    Fetch(co2Local, Staging(), block.m, block.n, plan_.base_n, plan_.base_n);
  }
  /* The next block of the workspace. */
  template <bool sync = true>
  TR_API GlobalTensor<DstT> GetTensorC(uint8_t = 0, bool = false) {
    GlobalTensor<DstT> block;
    if (Skips()) return block;
    ::toprope::ReportHere here;
    block.address_ = NextOfWorkspace();
    Await();
    return block;
  }
  TR_API void AsyncGetTensorC(const LocalTensor<DstT>& c) {
    if (Skips()) return;
    pending_local_ = c;
    ::toprope::ReportHere here;
    Ask(Request::GET, Staging(), 0, true);
  }
  TR_API void WaitGetTensorC() {
    if (Skips()) return;
    ::toprope::ReportHere here;
    Await();
    const ::toprope::OutputBlock block = CurrentBlock();
    Fetch(pending_local_, Staging(), block.m, block.n, plan_.base_n, plan_.base_n);
  }
  template <bool isTurnOnDebug = true>
  TR_API MatrixOffset GetOffsetC() {
    return {};
  }

  /* ---- batches ------------------------------------------------------------------------------------------------------------------------ */

  TR_API void SetBatchNum(int32_t batchA, int32_t batchB) {
    batch_.a = ::toprope::not_negative(batchA);
    batch_.b = ::toprope::not_negative(batchB);
  }
  template <bool sync = true, bool waitIterateBatch = false>
  TR_API void IterateBatch(const GlobalTensor<DstT>& gm, uint32_t batchA, uint32_t batchB, bool enSequentialWrite, const uint32_t matrixStrideA = 0,
                           const uint32_t matrixStrideB = 0, const uint32_t = 0, const bool enPartialSum = false, const uint8_t enAtomic = 0) {
    if (Skips()) return;
    ::toprope::ReportHere here;
    if (TR_UNLIKELY(enPartialSum)) Missing("Matmul::IterateBatch with enPartialSum");
    batch_ = {batchA, batchB, matrixStrideA, matrixStrideB, 1};
    Ask(Request::BATCH, gm.address_, enAtomic, enSequentialWrite);
    if constexpr (sync) Await();
  }
  template <bool sync = true, bool waitIterateBatch = false>
  TR_API void IterateBatch(const LocalTensor<DstT>&, uint32_t, uint32_t, bool, const uint32_t = 0, const uint32_t = 0, const uint32_t = 0, const bool = false,
                           const uint8_t = 0) {
    Missing("Matmul::IterateBatch to a local tensor");
  }
  TR_API void WaitIterateBatch() { WaitIterateAll(); }
  template <bool sync = true, bool waitIterateBatch = false>
  TR_API void IterateNBatch(const uint32_t batchLoop, uint32_t batchA, uint32_t batchB, bool enSequentialWrite, const uint32_t matrixStrideA = 0,
                            const uint32_t matrixStrideB = 0, const uint32_t = 0) {
    if (Skips()) return;
    ::toprope::ReportHere here;
    if (TR_UNLIKELY(workspace_ == 0)) tr_refuse(here.core, TR_REFUSE_API_MISUSE, "IterateNBatch without a workspace for the results\ncall SetWorkspace before it, with room for all the products in GM");
    batch_ = {batchA, batchB, matrixStrideA, matrixStrideB, batchLoop};
    taken_blocks_ = 0;
    Ask(Request::BATCH, workspace_, 0, enSequentialWrite);
    if constexpr (sync) Await();
  }
  template <bool sync = true>
  TR_API GlobalTensor<DstT> GetBatchTensorC(uint32_t batchA, uint32_t batchB, bool = false) {
    GlobalTensor<DstT> part;
    if (Skips()) return part;
    ::toprope::ReportHere here;
    const uint64_t count = batchA > batchB ? batchA : batchB;
    part.address_ = workspace_ + taken_blocks_++ * count * plan_.single_m * plan_.single_n * sizeof(DstT);
    Await();
    return part;
  }
  template <bool sync = true>
  TR_API GlobalTensor<DstT> GetBatchC(uint32_t batchA, uint32_t batchB, bool enSequentialWrite = false) {
    return GetBatchTensorC<sync>(batchA, batchB, enSequentialWrite);
  }
  template <bool sync = true>
  TR_API void GetBatchTensorC(const LocalTensor<DstT>& c, uint32_t batchA, uint32_t batchB, bool enSequentialWrite = false) {
    if (Skips()) return;
    const GlobalTensor<DstT> part = GetBatchTensorC<sync>(batchA, batchB, enSequentialWrite);
    const uint32_t count = batchA > batchB ? batchA : batchB;
    Fetch(c, part.address_, count * plan_.single_m, plan_.single_n, plan_.single_n, plan_.single_n);
  }

  TR_API void End() {
    iterating_ = false;
    fresh_ = true;
  }

 private:
  /* A matrix as the kernel gave it; with `ub` it lies in UB. */
  struct Source {
    ::toprope::MatrixPlace place;
    uint64_t ub = 0, bytes = 0;
  };

  TR_API static bool Skips() { return ::toprope::this_core()->kind == TR_CORE_AIC; }
  TR_API static void Missing(const char* what) {
    if (!Skips()) ::toprope::unsupported(what);
  }
  TR_API bool Registered() const {
    if (TR_UNLIKELY(!registered_))
      tr_refuse(::toprope::this_core(), TR_REFUSE_API_MISUSE, "Matmul that is not registered\npass it to REGIST_MATMUL_OBJ before its first use");
    return registered_;
  }
  /* The second vector core of a block whose first one asks for both. */
  TR_API static bool Follows() { return SHARED && ::toprope::this_core()->sub_block_idx != 0; }

  template <class Tiling>
  TR_API void InitServants(const Tiling& tiling) {
    for (uint32_t sub = 0; sub < 2; ++sub) servant_.Init(sub, tiling, true);
  }
  TR_API void Changed() {
    fresh_ = true;
    iterating_ = false;
  }
  TR_API void SetGm(Source& source, uint64_t address, bool turned) {
    source = Source();
    source.place.address = address;
    source.place.place = Place::GM;
    source.place.turned = turned;
    Changed();
  }
  template <class T>
  TR_API void SetScalar(Source& source, T value) {
    source = Source();
    memcpy(&source.place.address, &value, sizeof(T));
    source.place.place = Place::SCALAR;
    Changed();
  }
  template <class T>
  TR_API void SetLocal(Source& source, const LocalTensor<T>& tensor, bool turned) {
    SetGm(source, 0, turned);
    if (::toprope::is_l1(tensor.position_)) {
      source.place.address = ::toprope::space_offset(tensor.address_);
      source.place.place = Place::L1;
    } else {
      source.ub = tensor.address_;
      source.bytes = tensor.length_bytes_;
    }
  }
  TR_API void CheckBias() {
    if constexpr (!EngineType::HAS_BIAS && CONFIG.enableSetBias)
      Missing("Matmul::SetBias with this data type (float and half for products in float, int32_t for those in int32_t)");
  }
  TR_API static bool InUb(uint8_t position) {
    const bool ub = ::toprope::is_ub(position);
    if (TR_UNLIKELY(!ub)) Missing("Matmul: C in a local tensor that is not in UB, on a vector core");
    return ub;
  }
  TR_API static uint8_t NoAtomic(uint8_t atomic) {
    if (TR_UNLIKELY(atomic != 0)) Missing("Matmul: enAtomic with C in UB");
    return 0;
  }

  /* ---- requests ------------------------------------------------------------------------------------------------------------------------ */

  TR_API static uint64_t Staging() { return ::toprope::staging_of(::toprope::this_core()->sub_block_idx); }
  TR_API static bool FitsStaging(uint64_t bytes) {
    if (TR_UNLIKELY(bytes > ::toprope::STAGING_BYTES))
      tr_refuse(::toprope::this_core(), TR_REFUSE_API_MISUSE, "Matmul: bytes of matrices in UB on their way to and from the cube core"
                "\nuse a tiling with smaller parts or base tiles, or have the matrices in GM", 0, bytes, ::toprope::STAGING_BYTES);
    return bytes <= ::toprope::STAGING_BYTES;
  }

  __attribute__((noinline)) void Ask(Request request, uint64_t to, uint8_t atomic, bool sequential, bool adds = false) {
    if (!Registered()) return;
    TrCore* core = ::toprope::this_core();
    ::toprope::check_plan(core, plan_);
    if (Follows()) {
      followed_ += 1;
      return;
    }
    Message message;
    message.request = request;
    message.object = object_;
    message.fresh = fresh_;
    message.adds = adds;
    Stage(message);
    message.quant = quant_;
    message.sparse_index = sparse_index_;
    message.m = plan_.m, message.n = plan_.n, message.ka = plan_.ka, message.kb = plan_.kb, message.mc = plan_.mc, message.kc = plan_.kc;
    message.single_m = plan_.single_m, message.single_n = plan_.single_n, message.single_k = plan_.single_k;
    message.to = to;
    message.atomic = atomic;
    message.sequential = sequential;
    message.batch = batch_;
    message.hf32 = hf32_;
    message.hf32_to_zero = hf32_to_zero_;
    message.callback = callback_;
    last_ = ::toprope::post(message, nullptr);
    fresh_ = false;
  }
  TR_API void Await() {
    if (Follows()) {
      TrCore* core = ::toprope::this_core();
      if (followed_ != 0) ::toprope::await_word(core, ::toprope::word_of(::toprope::mailbox_of(1), ::toprope::SHARED_WORD + object_), followed_);
    } else if (last_ != 0) {
      ::toprope::await_done(last_);
    }
  }

  /* Matrices of UB go to the workspace, behind the place for a block of C; the cube core finds them there. */
  TR_API void Stage(Message& message) {
    message.a = a_.place;
    message.b = b_.place;
    message.bias = bias_.place;
    const uint64_t bytes = a_.bytes + b_.bytes + bias_.bytes;
    if (bytes == 0 || (message.request == Request::GET)) return;
    if (!FitsStaging(bytes)) return;
    /* The cube core may still read what is there. */
    if (staged_ != 0) ::toprope::await_done(staged_);
    uint64_t at = Staging() + ::toprope::STAGING_BYTES;
    at = StageOne<SrcAT, A_TYPE::format == CubeFormat::NZ>(message.a, a_, plan_.single_m, plan_.single_k, at);
    at = StageOne<SrcBT, B_TYPE::format == CubeFormat::NZ>(message.b, b_, plan_.single_n, plan_.single_k, at);
    StageOne<BiasT, false>(message.bias, bias_, 1, plan_.single_n, at);
    staged_ = ::toprope::this_core()->kernel_side[::toprope::MATMUL_REQUESTS] + 1;
  }
  /* Downwards from `end`. */
  template <class T, bool NZ>
  TR_API uint64_t StageOne(::toprope::MatrixPlace& place, const Source& source, uint32_t x, uint32_t k, uint64_t end) {
    if (source.bytes == 0) return end;
    const uint64_t at = (end - source.bytes) / 32 * 32;
    ::toprope::store_bytes(at, source.ub, source.bytes);
    place.address = at;
    const uint32_t rows = place.turned ? k : x, columns = place.turned ? x : k;
    /* Rows in UB are whole data blocks. */
    place.pitch = ::toprope::round_up(columns, 256 / element_bits<T>);
    place.rows = NZ ? ::toprope::round_up(rows, 16) : rows;
    return at;
  }

  /* C of m x n from GM, rows `gm_pitch` elements apart, to UB. */
  __attribute__((noinline)) void Fetch(const LocalTensor<DstT>& to, uint64_t from, uint32_t m, uint32_t n, uint32_t gm_pitch, uint32_t ub_pitch) {
    if constexpr (C_NZ) {
      constexpr uint32_t WIDE = sizeof(DstT) == 1 ? 32 : 16;
      const uint32_t column_bytes = ::toprope::round_up(m, 16) * WIDE * sizeof(DstT);
      ::toprope::fetch_rows(to.address_, from, ::toprope::ceil_div(n, WIDE), m * WIDE * sizeof(DstT), column_bytes, column_bytes);
    } else {
      ::toprope::fetch_rows(to.address_, from, m, n * sizeof(DstT), EngineType::PitchOf(gm_pitch) * sizeof(DstT), ::toprope::round_up(ub_pitch * sizeof(DstT), 32));
    }
  }

  /* ---- blocks -------------------------------------------------------------------------------------------------------------------------- */

  TR_API void StartWalk() {
    if (!::toprope::plan_is_set(plan_)) return;
    walk_.Start(::toprope::ceil_div(plan_.single_m, plan_.base_m), ::toprope::ceil_div(plan_.single_n, plan_.base_n), plan_.step_m == 0 ? 1 : plan_.step_m,
                plan_.step_n == 0 ? 1 : plan_.step_n, plan_.n_first);
    part_of_k_ = 0;
  }
  TR_API bool NextBlock() {
    if constexpr (CONFIG.isPartialOutput) {
      if (part_of_k_ != 0 && part_of_k_ < ::toprope::ceil_div(plan_.single_k, plan_.base_k)) {
        part_of_k_ += 1;
        return true;
      }
      part_of_k_ = 1;
    }
    return walk_.Next();
  }
  TR_API ::toprope::OutputBlock CurrentBlock() const {
    ::toprope::OutputBlock block{};
    block.m = ::toprope::least(plan_.base_m, plan_.single_m - walk_.M() * plan_.base_m);
    block.n = ::toprope::least(plan_.base_n, plan_.single_n - walk_.N() * plan_.base_n);
    return block;
  }
  TR_API uint64_t NextOfWorkspace() {
    walk_.Next();
    return workspace_ + static_cast<uint64_t>(taken_blocks_++) * plan_.base_m * plan_.base_n * sizeof(DstT);
  }

  ::toprope::Servant<EngineType> servant_; /* on the cube core */
  ::toprope::MatmulPlan plan_;
  Source a_, b_, bias_;
  ::toprope::MatrixPlace quant_;
  ::toprope::Batch batch_;
  ::toprope::BlockWalk walk_;
  ::toprope::CallbackData callback_;
  LocalTensor<DstT> pending_local_;
  uint64_t sparse_index_ = 0, workspace_ = 0, last_ = 0, staged_ = 0, followed_ = 0;
  uint32_t object_ = 0, taken_blocks_ = 0, part_of_k_ = 0;
  bool registered_ = false, fresh_ = true, iterating_ = false, hf32_ = false, hf32_to_zero_ = false;
};

}  // namespace AscendC

namespace toprope __attribute__((visibility("hidden"))) {

/* Objects and their tilings as REGIST_MATMUL_OBJ lists them. */
TR_API void enroll(uint32_t) {}
template <class Object>
TR_API void enroll(uint32_t number, Object& object) {
  if (!ASCEND_IS_AIC) object.Register(number);
  object.InitLocally(static_cast<const TCubeTiling*>(nullptr));
}
template <class Object, class Tiling, class... Rest>
TR_API void enroll(uint32_t number, Object& object, Tiling* tiling, Rest&&... rest) {
  if (!ASCEND_IS_AIC) object.Register(number);
  object.InitLocally(tiling);
  enroll(number + 1, rest...);
}
template <class Object, class... Rest>
TR_API void enroll(uint32_t number, Object& object, const TCubeTiling& tiling, Rest&&... rest) {
  enroll(number, object, &tiling, rest...);
}

/* Whether the function that registers ends here: on the cube core, when its vector cores are done. */
template <class... Objects>
TR_API bool regist(AscendC::TPipe*, uint8_t* workspace, Objects&&... objects) {
  ReportHere here;
  if (GetSysWorkSpacePtr() == nullptr && workspace != nullptr) SetSysWorkSpacePtr(workspace);
  if (TR_UNLIKELY(GetSysWorkSpacePtr() == nullptr)) {
    tr_refuse(here.core, TR_REFUSE_API_MISUSE,
              "REGIST_MATMUL_OBJ without a system workspace, through which vector cores and cube core talk\nmark the kernel's parameter with "
              "__kfc_workspace__ or call SetSysWorkspace; or define ASCENDC_CUBE_ONLY for a kernel of cube cores only");
    return true;
  }
  if (TR_UNLIKELY(here.core->block_idx >= MOST_MIX_BLOCKS)) {
    tr_refuse(here.core, TR_REFUSE_API_MISUSE, "REGIST_MATMUL_OBJ: blocks of a kernel of vector and cube cores"
              "\nlaunch no more blocks than the chip has cube cores, and give each several parts of C", 0, here.core->block_num, MOST_MIX_BLOCKS);
    return true;
  }
  enroll(0, objects...);
  if (ASCEND_IS_AIC) {
    serve(objects...);
    return true;
  }
  cross_wait(here.core, MATMUL_READY_FLAG);
  here.core->kernel_side[FILLS_L1_ELSEWHERE] = reinterpret_cast<uint64_t>(&ask_to_fill_l1);
  return false;
}

}  // namespace toprope

/* A kernel without a core qualifier that registers objects runs on cube cores with two vector cores each. */
#define TR_REGIST_MIXED(tpipe, workspace, ...)        \
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);  \
  if (::toprope::regist(tpipe, reinterpret_cast<uint8_t*>(workspace), __VA_ARGS__)) return

#endif
