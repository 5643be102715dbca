/* The cube core's side of the mixed form: it serves the requests of its vector cores until each of them has said that it is done.
 *
 * An object has an engine for each vector core; all take turns on L1. With blocks of C that fit a half of L0C each engine's
 * Iterate keeps its block in a half of its own. With bigger ones the other vector core is not served between an Iterate and its GetTensorC.
 */
#ifndef TOPROPE_ASCENDC_MATMUL_SERVER_H
#define TOPROPE_ASCENDC_MATMUL_SERVER_H

#include <toprope/ascendc/matmul/impl.h>
#include <toprope/ascendc/matmul/message.h>

namespace toprope __attribute__((visibility("hidden"))) {

template <class EngineType>
class Servant {
 public:
  /* The tiling that REGIST_MATMUL_OBJ or Init gave, for the requests of one vector core. */
  template <class Tiling>
  TR_API void Init(uint32_t sub, const Tiling& tiling, bool has_axes) {
    EngineType& e = engines_[sub];
    e.plan = plan_of(tiling);
    if constexpr (std::is_same<Tiling, TCubeTiling>::value)
      if (has_axes) set_batch_axes(e, tiling);
    Reserve(sub);
  }

  __attribute__((noinline)) void Serve(uint32_t sub, const MatmulMessage& message) {
    EngineType& e = engines_[sub];
    Apply(sub, message);
    const Destination to = {message.to, message.to_l1 != 0, static_cast<uint8_t>(message.atomic), message.sequential != 0};
    e.UseHalf(TwoHalves(e) ? sub : 0);
    switch (message.request) {
      case Request::ALL:
      case Request::ALL_STEPS: e.All(to, !pending_[1 - sub] && !pending_[sub]); break;
      case Request::STEP: pending_[sub] = e.Step(message.adds != 0, 0); break;
      case Request::GET:
        e.Get(to);
        pending_[sub] = false;
        break;
      case Request::BATCH: e.Batched(message.batch, to); break;
      default: break;
    }
  }
  /* Whether a block of C is in L0C that leaves no room for the other vector core's. */
  TR_API bool Blocks(uint32_t sub) const { return pending_[sub] && !TwoHalves(engines_[sub]); }

 private:
  TR_API static bool TwoHalves(const EngineType& e) {
    return static_cast<uint64_t>(round_up(e.plan.base_m, 16)) * round_up(e.plan.base_n, 16) * 4 <= L0C_HALF_BYTES;
  }
  TR_API void Reserve(uint32_t sub) {
    EngineType& e = engines_[sub];
    if (!plan_is_set(e.plan)) return;
    e.Reserve();
  }
  TR_API void Apply(uint32_t sub, const MatmulMessage& message) {
    EngineType& e = engines_[sub];
    MatmulPlan& p = e.plan;
    const uint32_t k_before = p.single_k;
    p.m = message.m, p.n = message.n, p.ka = message.ka, p.kb = message.kb, p.mc = message.mc, p.kc = message.kc;
    p.single_m = message.single_m, p.single_n = message.single_n, p.single_k = message.single_k;
    if (p.single_k != k_before) Reserve(sub);
    if (message.fresh != 0) e.Restart();
    e.a.SetCallback(message.callback);
    e.b.SetCallback(message.callback);
    e.c.SetCallback(message.callback);
    SetMatrix(e.a, e.own_a, message.a);
    SetMatrix(e.b, e.own_b, message.b);
    e.b.SetSparseIndex(message.sparse_index);
    e.has_bias = message.bias.place != Place::NONE;
    e.bias = message.bias.address;
    e.bias_in_l1 = message.bias.place == Place::L1;
    if (message.quant.place == Place::SCALAR) e.c.SetQuantScalar(message.quant.address);
    if (message.quant.place == Place::GM) e.c.SetQuantVectorGm(message.quant.address);
    if (message.hf32 != 0 || hf32_) {
      hf32_ = message.hf32 != 0;
      AscendC::SetHF32Mode(hf32_);
      AscendC::SetHF32TransMode(message.hf32_to_zero != 0);
    }
  }
  template <class Side, class Own>
  TR_API static void SetMatrix(Side& side, Own& own, const MatrixPlace& matrix) {
    own = {matrix.pitch, matrix.rows};
    if (matrix.place == Place::SCALAR) {
      typename Side::T value;
      memcpy(static_cast<void*>(&value), &matrix.address, sizeof(value));
      side.SetScalar(value);
    } else if (matrix.place == Place::L1) {
      side.SetL1(matrix.address, matrix.turned != 0);
    } else {
      side.SetGm(matrix.address, matrix.turned != 0);
    }
  }

  EngineType engines_[2];
  bool pending_[2] = {false, false}, hf32_ = false;
};

/* ---- objects of the kernel by their number ------------------------------------------------------------------------------------------ */

TR_API void serve_object(uint32_t, uint32_t, const MatmulMessage&, uint64_t) {}
template <class Object>
TR_API void serve_object(uint32_t index, uint32_t sub, const MatmulMessage& message, uint64_t mailbox, Object& object) {
  if (index == 0) object.ServeRequest(sub, message, mailbox);
}
template <class Object, class Tiling, class... Rest>
TR_API void serve_object(uint32_t index, uint32_t sub, const MatmulMessage& message, uint64_t mailbox, Object& object, Tiling&&, Rest&&... rest) {
  if (index == 0) return object.ServeRequest(sub, message, mailbox);
  serve_object(index - 1, sub, message, mailbox, rest...);
}
/* Whether the vector cores of a block share the product of an object (A and B with IBSHARE): the first one asks, both wait. */
TR_API bool is_shared(uint32_t) { return false; }
template <class Object>
TR_API bool is_shared(uint32_t index, Object&) {
  return index == 0 && Object::SHARED;
}
template <class Object, class Tiling, class... Rest>
TR_API bool is_shared(uint32_t index, Object&, Tiling&&, Rest&&... rest) {
  return index == 0 ? Object::SHARED : is_shared(index - 1, rest...);
}
TR_API bool blocks_other(uint32_t) { return false; }
template <class Object>
TR_API bool blocks_other(uint32_t sub, Object& object) {
  return object.BlocksOther(sub);
}
template <class Object, class Tiling, class... Rest>
TR_API bool blocks_other(uint32_t sub, Object& object, Tiling&&, Rest&&... rest) {
  return object.BlocksOther(sub) || blocks_other(sub, rest...);
}

/* Looks at the mailboxes in turn until one has the request that comes next; its sub-block. */
__attribute__((noinline)) inline uint32_t next_request(TrCore* core, const uint64_t (&served)[2], const bool (&open)[2], uint32_t first) {
  while (true) {
    note(core, TR_NOTE_POLL_BEGIN, 0);
    uint64_t looked_at = 0;
    for (uint32_t i = 0; i < 2; ++i) {
      const uint32_t sub = (first + i) % 2;
      if (!open[sub]) continue;
      looked_at = word_of(mailbox_of(sub), REQUEST_WORD);
      if (uncached_load<uint64_t>(looked_at) <= served[sub]) continue;
      note(core, TR_NOTE_POLL_END_AT_LEAST, looked_at, 1, WORD_BYTES, served[sub] + 1);
      return sub;
    }
    note(core, TR_NOTE_POLL_AGAIN, looked_at);
  }
}

/* Byte `offset` of L1, where a vector core has a TSCM tensor: those lie at the end of L1, the tiles of the cube core's objects at its start. */
TR_API uint64_t tscm_address(TrCore* core, uint64_t offset) {
  const uint64_t tiles = core->kernel_side[MATMUL_L1] != 0 ? space_offset(core->kernel_side[MATMUL_L1]) + core->kernel_side[MATMUL_L1_BYTES] : 0;
  if (TR_UNLIKELY(offset < tiles))
    tr_refuse(core, TR_REFUSE_CAPACITY, "Matmul: TSCM tensors of the vector cores and tiles of the kernel's Matmul objects",
              space_of(AscendC::Hardware::L1), tiles + AscendC::TOTAL_L1_SIZE - offset, AscendC::TOTAL_L1_SIZE);
  return local_address(core, AscendC::TPosition::A1, offset);
}
TR_API void resolve_tscm(TrCore* core, MatrixPlace& matrix) {
  if (matrix.place == Place::L1) matrix.address = tscm_address(core, matrix.address);
}

/* Clears the mailboxes of this block and lets its vector cores go on. */
__attribute__((noinline)) inline void open_mailboxes(TrCore* core) {
  for (uint32_t sub = 0; sub < core->sub_block_num; ++sub)
    for (uint64_t word = 0; word < WORDS; ++word) uncached_store<uint64_t>(word_of(mailbox_of(sub), word), 0);
  order<AscendC::HardEvent::S_MTE3>();
  cross_set(core, PIPE_MTE3, 2, MATMUL_READY_FLAG);
}

/* The cube core works for its vector cores until they are done. */
template <class... Objects>
__attribute__((noinline)) void serve(Objects&&... objects) {
  TrCore* core = this_core();
  open_mailboxes(core);
  uint64_t served[2] = {0, 0}, shared[4] = {0, 0, 0, 0};
  bool open[2] = {true, core->sub_block_num > 1};
  uint32_t first = 0;
  while (open[0] || open[1]) {
    bool listens[2] = {open[0], open[1]};
    for (uint32_t sub = 0; sub < 2; ++sub)
      if (blocks_other(sub, objects...)) listens[1 - sub] = false;
    const uint32_t sub = next_request(core, served, listens, first);
    const uint64_t mailbox = mailbox_of(sub);
    MatmulMessage message = read_words<MatmulMessage>(mailbox + MESSAGE_OFFSET);
    served[sub] += 1;
    first = 1 - sub;
    open[sub] = message.request != Request::QUIT;
    /* A tiling is read from the mailbox, everything else has been. */
    const bool reads_mailbox = message.request == Request::INIT;
    if (!reads_mailbox) signal_word(core, word_of(mailbox, TAKEN_WORD), served[sub]);
    if (!open[sub]) continue;
    const uint64_t registered_at = core->api_pc;
    core->api_pc = message.pc;
    if (message.request == Request::FILL_L1) {
      order<AscendC::HardEvent::MTE1_MTE2>();
      tr_issue(core, message.fill.op, tscm_address(core, message.fill.l1), message.fill.gm, message.fill.x2, message.fill.x3);
      order<AscendC::HardEvent::MTE2_MTE1>();
    } else {
      resolve_tscm(core, message.a);
      resolve_tscm(core, message.b);
      serve_object(message.object, sub, message, mailbox, objects...);
    }
    core->api_pc = registered_at;
    if (reads_mailbox) signal_word(core, word_of(mailbox, TAKEN_WORD), served[sub]);
    order<AscendC::HardEvent::FIX_MTE3>();
    order<AscendC::HardEvent::FIX_S>();
    signal_word(core, word_of(mailbox, DONE_WORD), served[sub]);
    if (!reads_mailbox && sub == 0 && core->sub_block_num > 1 && is_shared(message.object, objects...))
      signal_word(core, word_of(mailbox_of(1), SHARED_WORD + message.object), ++shared[message.object]);
  }
}

}  // namespace toprope

#endif
