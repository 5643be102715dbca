/* A or B of a product on its way: tiles of GM in L1, base blocks of a tile in L0A or L0B.
 *
 *   GM ──(MTE2: DataCopy, ND2NZ or bursts)──▶ tile in L1 (NZ) ──(MTE1: LoadData)──▶ base block in L0A (Zz) or L0B (Zn)
 *
 * Both matrices are seen as x times k: x is m of A and n of B. "Upright" means that rows in memory are rows of x (A as [M, K], B as [N, K]):
 * then fractals in L1 are those of L0. "Turned" means rows of k (A as [K, M], B as [K, N]): every fractal is transposed on its way to L0.
 *
 * Of a sparse B two of four elements are stored, upright; its k counts the stored ones. The index lies behind the tile.
 *
 * L1 has one or two slots for tiles of step base blocks in each direction. A tile is loaded when it is first needed or announced (Prefetch) and
 * stays until its slot is. Each slot has an event id of its own in both directions between MTE2 and MTE1.
 */
#ifndef TOPROPE_ASCENDC_MATMUL_OPERAND_H
#define TOPROPE_ASCENDC_MATMUL_OPERAND_H

#include <toprope/ascendc/matmul/types.h>
#include <toprope/ascendc/tque.h>

namespace toprope __attribute__((visibility("hidden"))) {

TR_API uint32_t ceil_div(uint32_t a, uint32_t b) { return (a + b - 1) / b; }
TR_API uint32_t round_up(uint32_t a, uint32_t to) { return ceil_div(a, to) * to; }
TR_API uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

constexpr uint32_t FRACTAL_ROWS = 16;
constexpr uint32_t FRACTAL_BYTES = 512;
/* Fractals of one LoadData. */
constexpr uint32_t MOST_FRACTALS = 255;

/* A place in a local memory that the library manages itself. */
template <class T>
TR_API AscendC::LocalTensor<T> library_tensor(AscendC::TPosition position, uint64_t offset_bytes, uint64_t bytes) {
  return tensor_at<T>(this_core(), static_cast<uint8_t>(position), static_cast<uint32_t>(offset_bytes), static_cast<uint32_t>(bytes), nullptr);
}
/* The same from an address in the region of the core. */
template <class T>
TR_API AscendC::LocalTensor<T> library_tensor_at(AscendC::TPosition position, uint64_t address, uint64_t bytes) {
  AscendC::LocalTensor<T> tensor;
  tensor.address_ = address;
  tensor.length_bytes_ = static_cast<uint32_t>(bytes);
  tensor.position_ = static_cast<uint8_t>(position);
  return tensor;
}
template <class T>
TR_API AscendC::GlobalTensor<T> gm_at(uint64_t address) {
  AscendC::GlobalTensor<T> tensor;
  tensor.address_ = address;
  return tensor;
}

/* Event ids of a class for as long as an operation of the library runs. */
template <AscendC::HardEvent event, uint32_t count>
class Events {
 public:
  TR_API Events() : pipe_(AscendC::GetTPipePtr()) {
    for (uint32_t i = 0; i < count; ++i) ids_[i] = pipe_ != nullptr ? pipe_->AllocEventID<event>() : static_cast<int8_t>(i);
  }
  TR_API ~Events() {
    if (pipe_ == nullptr) return;
    for (uint32_t i = 0; i < count; ++i) pipe_->ReleaseEventID<event>(ids_[i]);
  }
  Events(const Events&) = delete;
  TR_API void Set(uint32_t i) const { AscendC::SetFlag<event>(ids_[i]); }
  TR_API void Wait(uint32_t i) const { AscendC::WaitFlag<event>(ids_[i]); }
  TR_API void Order(uint32_t i) const {
    Set(i);
    Wait(i);
  }

 private:
  AscendC::TPipe* pipe_;
  int8_t ids_[count];
};

/* Events between L1's writer and reader: slots 0 and 1 of A, 2 and 3 of B, 4 for bias and quantisation parameters. */
struct L1Events {
  Events<AscendC::HardEvent::MTE2_MTE1, 5> ready;
  Events<AscendC::HardEvent::MTE1_MTE2, 5> free;
};

/* How one operand is cut up. Sizes in elements. */
struct OperandPlan {
  uint32_t base_x = 0, base_k = 0, step_x = 1, step_k = 1, slots = 1;
};

/* What a kernel's own function needs to move data. */
struct CallbackData {
  uint64_t user_info = 0, self_defined = 0;

  template <class T>
  TR_API void SetSelfDefined(const T& value) {
    static_assert(sizeof(T) <= 8, "SetSelfDefineData: a value of 8 bytes at most");
    self_defined = 0;
    memcpy(&self_defined, &value, sizeof(T));
  }
};

template <class TYPE, class CB, bool IS_A>
class Operand {
 public:
  using T = typename TYPE::T;
  /* Elements in 32 bytes. */
  static constexpr uint32_t C0 = 256 / AscendC::element_bits<T>;
  static constexpr bool SCALAR = TYPE::format == CubeFormat::SCALAR;
  static constexpr bool NZ = TYPE::format == CubeFormat::NZ;
  static constexpr bool HAS_CALLBACK = IS_A ? CB::CopyA1Ptr != nullptr : CB::CopyB1Ptr != nullptr;
  static constexpr AscendC::TPosition L1_POSITION = IS_A ? AscendC::TPosition::A1 : AscendC::TPosition::B1;
  static constexpr AscendC::TPosition L0_POSITION = IS_A ? AscendC::TPosition::A2 : AscendC::TPosition::B2;
  static_assert(TYPE::format == CubeFormat::ND || TYPE::format == CubeFormat::NZ || TYPE::format == CubeFormat::VECTOR || SCALAR,
                "Matmul: A and B are in CubeFormat::ND, NZ, VECTOR or SCALAR on dav-2201");

  static constexpr bool SPARSE = IsSparse<TYPE>::value;
  static_assert(!SPARSE || (!IS_A && std::is_same<T, int8_t>::value && TYPE::isTrans && TYPE::pos == AscendC::TPosition::GM),
                "Matmul: a sparse matrix is B, int8_t, in GM, with ISTRANS = true");
  /* Elements of the product that one stored element stands for along k. */
  static constexpr uint32_t PER_STORED = SPARSE ? 2 : 1;

  /* Rows of k that a transposing load takes at once. */
  static constexpr uint32_t TURN_ROWS = AscendC::element_bits<T> == 8 ? 32 : AscendC::element_bits<T> == 4 ? 64 : 16;

  TR_API void SetPlan(const OperandPlan& plan) {
    plan_ = plan;
    Forget();
  }
  TR_API const OperandPlan& Plan() const { return plan_; }
  /* Bytes of L1 for one slot. */
  TR_API uint64_t SlotBytes(bool turned) const {
    const uint32_t x = plan_.base_x * plan_.step_x, k = plan_.base_k * plan_.step_k;
    return turned ? static_cast<uint64_t>(round_up(k, TURN_ROWS)) * TurnedColumns(x) * 32 : static_cast<uint64_t>(round_up(x, FRACTAL_ROWS)) * ceil_div(k, C0) * 32;
  }
  /* For every way round that the type allows. */
  TR_API uint64_t SlotBytes() const {
    constexpr bool both = TYPE::isTrans || AscendC::element_bits<T> == 16;
    if constexpr (SPARSE) return SlotBytes(false) + IndexBytes(round_up(plan_.base_x * plan_.step_x, FRACTAL_ROWS), plan_.base_k * plan_.step_k);
    const uint64_t upright = IS_A || both ? SlotBytes(false) : 0, turned = !IS_A || both ? SlotBytes(true) : 0;
    return upright > turned ? upright : turned;
  }
  TR_API void SetBuffer(uint64_t address, uint64_t slot_bytes) {
    buffer_ = address;
    slot_bytes_ = slot_bytes;
    Forget();
  }

  TR_API void SetGm(uint64_t address, bool turned) {
    address_ = address;
    in_l1_ = false;
    turned_ = turned;
    Forget();
  }
  TR_API void SetL1(uint64_t address, bool turned) {
    SetGm(address, turned);
    in_l1_ = true;
  }
  TR_API void SetScalar(T value) {
    scalar_ = value;
    SetGm(0, false);
  }
  TR_API void SetSparseIndex(uint64_t gm) {
    index_ = gm;
    Forget();
  }
  TR_API bool LacksIndex() const { return SPARSE && index_ == 0; }
  TR_API uint64_t Address() const { return address_; }
  TR_API void MoveTo(uint64_t address) {
    address_ = address;
    Forget();
  }
  TR_API bool Turned() const { return turned_; }

  /* Sizes of the whole matrix in GM: elements from row to row, and rows (of NZ); and of what this core works on. */
  TR_API void SetShape(uint32_t pitch, uint32_t rows, uint32_t x_total, uint32_t k_total) {
    pitch_ = pitch;
    rows_ = rows;
    x_total_ = x_total;
    k_total_ = k_total;
  }
  TR_API void SetCallback(const CallbackData& data) { callback_ = data; }
  /* Nothing of L1 may be used any more. */
  TR_API void Forget() { tiles_[0] = tiles_[1] = Tile(); }

  /* Loads of L1 that nobody waited for are waited for. */
  TR_API void Settle(const L1Events& events) {
    for (uint32_t slot = 0; slot < 2; ++slot) AwaitReady(events, slot);
  }

  /* The tile is in L1 or on its way; false if there is no slot for it beside the one in use. */
  __attribute__((noinline)) void Prefetch(const L1Events& events, uint32_t step_x, uint32_t step_k) {
    if (plan_.slots < 2 || in_l1_ || Find(step_x, step_k) < 2) return;
    Load(events, 1 - used_, step_x, step_k);
  }

  /* The slot of the tile with base block (block_x, block_k); the tile is loaded if it is not there. */
  TR_API uint32_t Use(const L1Events& events, uint32_t block_x, uint32_t block_k) {
    if (in_l1_) return 0;
    const uint32_t step_x = block_x / plan_.step_x, step_k = block_k / plan_.step_k;
    uint32_t slot = Find(step_x, step_k);
    if (slot == 2) {
      slot = plan_.slots < 2 ? 0 : 1 - used_;
      Load(events, slot, step_x, step_k);
    }
    used_ = slot;
    return slot;
  }

  /* Block (block_x, block_k) of base blocks, x times k elements, to byte `l0` of L0A or L0B; its tile is loaded if it is not there. */
  __attribute__((noinline)) void ToL0(const L1Events& events, uint32_t block_x, uint32_t block_k, uint32_t x, uint32_t k, uint64_t l0) {
    if (in_l1_) return FromL1(address_, round_up(turned_ ? k_total_ : x_total_, turned_ ? TURN_ROWS : FRACTAL_ROWS), x_total_, block_x * plan_.base_x, block_k * plan_.base_k, x, k, l0);
    const uint32_t slot = Use(events, block_x, block_k);
    AwaitReady(events, slot);
    const Tile& tile = tiles_[slot];
    FromL1(buffer_ + slot * slot_bytes_, tile.l1_rows, tile.x, (block_x % plan_.step_x) * plan_.base_x, (block_k % plan_.step_k) * plan_.base_k, x, k, l0);
  }

 private:
  struct Tile {
    uint32_t step_x = ~0u, step_k = ~0u, x = 0, l1_rows = 0;
    bool ready = false; /* loaded, and MTE1 has not waited for it */
  };

  /* Columns of 32 bytes of `x` elements along a row, so that transposing loads find whole squares. */
  TR_API static uint32_t TurnedColumns(uint32_t x) { return AscendC::element_bits<T> == 32 ? round_up(x, 16) / C0 : ceil_div(x, C0); }
  static constexpr uint32_t EVENT = IS_A ? 0 : 2;

  TR_API uint32_t Find(uint32_t step_x, uint32_t step_k) const {
    for (uint32_t slot = 0; slot < 2; ++slot)
      if (tiles_[slot].step_x == step_x && tiles_[slot].step_k == step_k) return slot;
    return 2;
  }
  TR_API void AwaitReady(const L1Events& events, uint32_t slot) {
    if (tiles_[slot].ready) events.ready.Wait(EVENT + slot);
    tiles_[slot].ready = false;
  }

  TR_API void Load(const L1Events& events, uint32_t slot, uint32_t step_x, uint32_t step_k) {
    AwaitReady(events, slot);
    events.free.Order(EVENT + slot);
    Tile& tile = tiles_[slot];
    const uint32_t x0 = step_x * plan_.step_x * plan_.base_x, k0 = step_k * plan_.step_k * plan_.base_k;
    const uint32_t x = least(plan_.step_x * plan_.base_x, x_total_ - x0), k = least(plan_.step_k * plan_.base_k, k_total_ - k0);
    tile.step_x = step_x;
    tile.step_k = step_k;
    tile.x = x;
    tile.l1_rows = turned_ ? round_up(k, TURN_ROWS) : round_up(x, FRACTAL_ROWS);
    const uint64_t l1 = buffer_ + slot * slot_bytes_;
    if constexpr (SCALAR)
      FillTile(l1, tile.l1_rows, ceil_div(k, C0));
    else if constexpr (HAS_CALLBACK)
      CallTile(l1, tile.l1_rows, step_x, step_k, x, k);
    else if constexpr (NZ)
      CopyNz(l1, tile.l1_rows, turned_ ? k0 : x0, turned_ ? x0 : k0, turned_ ? k : x, turned_ ? x : k);
    else
      CopyNd(l1, tile.l1_rows, turned_ ? k0 : x0, turned_ ? x0 : k0, turned_ ? k : x, turned_ ? x : k);
    if constexpr (SPARSE) CopyIndex(l1 + SlotBytes(false), tile.l1_rows, x0, k0, k);
    events.ready.Set(EVENT + slot);
    tile.ready = true;
  }

  /* Bytes of the index of `rows` rows: 8 for each 32 stored elements. */
  TR_API static uint64_t IndexBytes(uint32_t rows, uint32_t k) { return static_cast<uint64_t>(rows) * ceil_div(k, C0) * 8; }
  TR_API void CopyIndex(uint64_t l1, uint32_t l1_rows, uint32_t x0, uint32_t k0, uint32_t k) {
    const uint32_t gm_rows = round_up(rows_, FRACTAL_ROWS);
    AscendC::DataCopyParams p;
    p.blockCount = ceil_div(k, C0);
    p.blockLen = l1_rows / 4;
    p.srcGap = (gm_rows - l1_rows) / 4;
    AscendC::DataCopy(library_tensor_at<uint8_t>(L1_POSITION, l1, 0), gm_at<uint8_t>(index_ + IndexBytes(gm_rows, k0) + x0 * 8ull), p);
  }

  /* Rows of GM to columns of 32-byte blocks that are `l1_rows` rows high. */
  TR_API void CopyNd(uint64_t l1, uint32_t l1_rows, uint32_t row0, uint32_t column0, uint32_t rows, uint32_t columns) {
    AscendC::Nd2NzParams p;
    p.ndNum = 1;
    p.dValue = columns * UNITS / UNIT_ELEMENTS;
    p.dstNzC0Stride = l1_rows;
    p.dstNzNStride = 1;
    const uint64_t gm = address_ + bytes_of<T>(static_cast<uint64_t>(row0) * pitch_ + column0);
    const uint64_t pitch = static_cast<uint64_t>(pitch_) * UNITS / UNIT_ELEMENTS;
    if (pitch <= TR_MAX_ND2NZ_SRC_D_VALUE || !wide_rows_) {
      p.nValue = rows;
      p.srcDValue = pitch;
      AscendC::DataCopy(library_tensor_at<T>(L1_POSITION, l1, 0), gm_at<T>(gm), p);
      return;
    }
    /* Rows too far apart for the instruction: one by one. */
    p.nValue = 1;
    for (uint32_t row = 0; row < rows; ++row)
      AscendC::DataCopy(library_tensor_at<T>(L1_POSITION, l1 + row * 32ull, 0), gm_at<T>(gm + bytes_of<T>(static_cast<uint64_t>(row) * pitch_)), p);
  }

  /* Columns of blocks of GM (NZ of `rows_` rows) to columns of L1. */
  TR_API void CopyNz(uint64_t l1, uint32_t l1_rows, uint32_t row0, uint32_t column0, uint32_t rows, uint32_t columns) {
    const uint32_t gm_rows = round_up(rows_, FRACTAL_ROWS), high = round_up(rows, FRACTAL_ROWS), wide = ceil_div(columns, C0);
    AscendC::DataCopyParams p;
    const uint64_t gm = address_ + (static_cast<uint64_t>(column0 / C0) * gm_rows + row0) * 32;
    const bool in_one = gm_rows - high <= TR_MAX_BURST_SRC_GAP && wide <= TR_MAX_BURST_BURST_COUNT;
    p.blockCount = in_one ? wide : 1;
    p.blockLen = high;
    p.srcGap = in_one ? gm_rows - high : 0;
    p.dstGap = l1_rows - high;
    for (uint32_t column = 0; column < (in_one ? 1 : wide); ++column)
      AscendC::DataCopy(library_tensor_at<T>(L1_POSITION, l1 + column * l1_rows * 32ull, 0), gm_at<T>(gm + column * gm_rows * 32ull), p);
  }

  TR_API void FillTile(uint64_t l1, uint32_t l1_rows, uint32_t columns) {
    if constexpr (one_of<T, half, float>) {
      AscendC::InitConstValueParams<T> p;
      p.repeatTimes = 1;
      p.blockNum = l1_rows * columns;
      p.dstGap = 0;
      p.initValue = scalar_;
      AscendC::InitConstValue(library_tensor_at<T>(L1_POSITION, l1, 0), p);
    }
  }

  /* The kernel's own function fills the tile: with one base block in x, block for block along k as the norm template does. */
  TR_API void CallTile(uint64_t l1, uint32_t l1_rows, uint32_t step_x, uint32_t step_k, uint32_t x, uint32_t k) {
    constexpr auto function = IS_A ? CB::CopyA1Ptr : CB::CopyB1Ptr;
    const uint32_t blocks = plan_.step_x == 1 && !turned_ ? ceil_div(k, plan_.base_k) : 1;
    for (uint32_t i = 0; i < blocks; ++i) {
      const uint32_t part = blocks == 1 ? k : least(plan_.base_k, k - i * plan_.base_k);
      const auto to = library_tensor_at<int8_t>(L1_POSITION, l1 + static_cast<uint64_t>(i) * (plan_.base_k / C0) * l1_rows * 32, 0);
      const int at_x = static_cast<int>(step_x), at_k = static_cast<int>(blocks == 1 ? step_k : step_k * plan_.step_k + i);
      const auto* gm = reinterpret_cast<const void*>(address_);
      if constexpr (IS_A)
        function(to, gm, at_x, at_k, static_cast<int>(x), static_cast<int>(part), callback_.user_info, callback_.self_defined);
      else
        function(to, gm, at_k, at_x, static_cast<int>(part), static_cast<int>(x), callback_.user_info, callback_.self_defined);
    }
  }

  /* ---- L1 to L0 ------------------------------------------------------------------------------------------------------------------- */

  /* Fractals `count` in a row: every `src_stride`-th of L1, `dst_gap` fractals apart in L0. */
  TR_API static void Fractals(uint64_t l0, uint64_t l1, uint32_t count, uint32_t src_stride, uint32_t dst_gap, bool turn) {
    AscendC::LoadData2DParams p;
    p.srcStride = src_stride;
    p.dstGap = dst_gap;
    p.ifTranspose = turn;
    for (uint32_t first = 0; first < count; first += MOST_FRACTALS) {
      p.repeatTimes = least(MOST_FRACTALS, count - first);
      AscendC::LoadData(library_tensor_at<T>(L0_POSITION, l0 + static_cast<uint64_t>(first) * (dst_gap + 1) * FRACTAL_BYTES, 0),
                        library_tensor_at<T>(L1_POSITION, l1 + static_cast<uint64_t>(first) * src_stride * FRACTAL_BYTES, 0), p);
    }
  }

  /* A grid of fractals, one for each of xs times ks: strides in fractals at both sides, with as few instructions as possible. */
  TR_API static void Grid(uint64_t l0, uint64_t l1, uint32_t xs, uint32_t ks, uint32_t l1_x, uint32_t l1_k, uint32_t l0_x, uint32_t l0_k, bool turn) {
    const bool all_k_inside = l1_x == l1_k * ks && l0_x == l0_k * ks, all_x_inside = l1_k == l1_x * xs && l0_k == l0_x * xs;
    if (all_k_inside) return Fractals(l0, l1, xs * ks, l1_k, l0_k - 1, turn);
    if (all_x_inside) return Fractals(l0, l1, xs * ks, l1_x, l0_x - 1, turn);
    if (xs < ks)
      for (uint32_t x = 0; x < xs; ++x)
        Fractals(l0 + static_cast<uint64_t>(x) * l0_x * FRACTAL_BYTES, l1 + static_cast<uint64_t>(x) * l1_x * FRACTAL_BYTES, ks, l1_k, l0_k - 1, turn);
    else
      for (uint32_t k = 0; k < ks; ++k)
        Fractals(l0 + static_cast<uint64_t>(k) * l0_k * FRACTAL_BYTES, l1 + static_cast<uint64_t>(k) * l1_k * FRACTAL_BYTES, xs, l1_x, l0_x - 1, turn);
  }

  /* Squares of 32 or 64 elements, transposed. */
  TR_API static void Squares(uint64_t l0, uint64_t l1, uint32_t xs, uint32_t ks, uint32_t l1_rows, uint32_t fractals_x) {
    constexpr uint32_t FRACTALS = TURN_ROWS / FRACTAL_ROWS;
    const uint32_t squares_x = ceil_div(xs, FRACTALS), squares_k = l1_rows / TURN_ROWS;
    AscendC::LoadData2dTransposeParams p;
    for (uint32_t k = 0; k < ks; ++k) {
      p.startIndex = 0;
      p.repeatTimes = squares_x;
      p.srcStride = squares_k;
      /* Along x the fractals of L0B follow each other; those of L0A are ks apart. */
      p.dstGap = (IS_A ? FRACTALS * ks : FRACTALS) - 1;
      p.dstFracGap = (IS_A ? ks : 1) - 1;
      const uint64_t to = l0 + static_cast<uint64_t>(k) * (IS_A ? 1 : fractals_x) * FRACTAL_BYTES;
      AscendC::LoadDataWithTranspose(library_tensor_at<T>(L0_POSITION, to, 0),
                                     library_tensor_at<T>(L1_POSITION, l1 + static_cast<uint64_t>(k) * FRACTALS * FRACTAL_BYTES, 0), p);
    }
  }

  /* Columns of fractals with their index. */
  TR_API void SparseFractals(uint64_t l0, uint64_t l1, uint32_t l1_rows, uint32_t x0, uint32_t k0, uint32_t xs, uint32_t ks) const {
    constexpr uint32_t INDEX_BYTES = FRACTAL_BYTES / 4;
    const uint64_t index = l1 + SlotBytes(false);
    AscendC::LoadData2DParams p;
    p.repeatTimes = xs;
    for (uint32_t k = 0; k < ks; ++k) {
      const uint64_t first = static_cast<uint64_t>(k0 / C0 + k) * (l1_rows / FRACTAL_ROWS) + x0 / FRACTAL_ROWS;
      AscendC::LoadDataWithSparse(library_tensor_at<T>(L0_POSITION, l0 + static_cast<uint64_t>(k) * xs * FRACTAL_BYTES, 0),
                                  library_tensor_at<T>(L1_POSITION, l1 + first * FRACTAL_BYTES, 0),
                                  library_tensor_at<uint8_t>(L1_POSITION, index + first * INDEX_BYTES, 0), p);
    }
  }

  TR_API static void Image(uint64_t l0, uint64_t l1, uint32_t l1_rows, uint32_t tile_x, uint32_t x0, uint32_t k0, uint32_t x, uint32_t k) {
    AscendC::LoadData3DParamsV2<T> p;
    p.l1H = 1;
    p.l1W = l1_rows;
    p.channelSize = round_up(tile_x, 16);
    p.kExtension = round_up(x, 16);
    p.kStartPt = x0;
    p.mExtension = round_up(k, 16);
    p.mStartPt = k0;
    p.strideW = p.strideH = p.filterW = p.filterH = p.dilationFilterW = p.dilationFilterH = 1;
    p.enTranspose = IS_A;
    AscendC::LoadData(library_tensor_at<T>(L0_POSITION, l0, 0), library_tensor_at<T>(L1_POSITION, l1, 0), p);
  }

  /* From a tile of `l1_rows` rows (of x, or of k if turned) and `tile_x` elements of x. */
  TR_API void FromL1(uint64_t l1, uint32_t l1_rows, uint32_t tile_x, uint32_t x0, uint32_t k0, uint32_t x, uint32_t k, uint64_t l0) const {
    const uint32_t xs = ceil_div(x, FRACTAL_ROWS), ks = ceil_div(k, C0), high = l1_rows / FRACTAL_ROWS;
    if constexpr (SPARSE) return SparseFractals(l0, l1, l1_rows, x0, k0, xs, ks);
    if (!turned_) {
      const uint64_t from = l1 + (static_cast<uint64_t>(k0 / C0) * l1_rows + x0) * 32;
      return Grid(l0, from, xs, ks, 1, high, IS_A ? ks : 1, IS_A ? 1 : xs, false);
    }
    const uint64_t from = l1 + (static_cast<uint64_t>(x0 / C0) * l1_rows + k0) * 32;
    if constexpr (AscendC::element_bits<T> == 16)
      Grid(l0, from, xs, ks, high, 1, IS_A ? ks : 1, IS_A ? 1 : xs, true);
    else if constexpr (AscendC::element_bits<T> == 32)
      Image(l0, l1, l1_rows, tile_x, x0, k0, x, k);
    else
      Squares(l0, from, xs, ks, l1_rows, xs);
  }

  /* What ND2NZ counts: elements, bytes of two for 4-bit ones. */
  static constexpr uint32_t UNITS = 1, UNIT_ELEMENTS = AscendC::element_bits<T> == 4 ? 2 : 1;

 public:
  /* Rows of GM may be further apart than an instruction can say (intrinsicsCheck). */
  bool wide_rows_ = false;

 private:
  OperandPlan plan_;
  uint64_t address_ = 0, buffer_ = 0, slot_bytes_ = 0, index_ = 0;
  uint32_t pitch_ = 0, rows_ = 0, x_total_ = 0, k_total_ = 0, used_ = 1;
  bool in_l1_ = false, turned_ = false;
  T scalar_{};
  CallbackData callback_;
  Tile tiles_[2];
};

}  // namespace toprope

#endif
