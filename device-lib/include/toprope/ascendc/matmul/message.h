/* How the vector cores of a block tell their cube core what to multiply, and learn that it is done.
 *
 * Each AIV has a mailbox in the system workspace: words of which each has one writer, and one message.
 *
 *   AIV: message, then REQUEST = n  ──▶  AIC looks at the REQUEST words of its AIVs, reads the message, TAKEN = n, works, DONE = n
 *   AIV: the next message may be written from TAKEN on; results are there from DONE on
 *
 * All of them are accesses around the data cache. A core that looks tells the engine so (TR_NOTE_POLL_…), and a writer what its word says
 * (TR_NOTE_SIGNAL): the order between the cores is known to the checks, and looks in vain take no time. The workspace may hold anything before:
 * the AIC writes 0 into the words and sets flag 0 (CrossCoreSetFlag, mode 2), which each of its AIVs waits for when it registers its objects.
 *
 * Beside the mailboxes each AIV has a place where matrices of UB are put for the cube core, and blocks of C for UB. TSCM
 * tensors of the AIVs lie at the end of L1; copies to them are requests, too.
 */
#ifndef TOPROPE_ASCENDC_MATMUL_MESSAGE_H
#define TOPROPE_ASCENDC_MATMUL_MESSAGE_H

#include <toprope/ascendc/matmul/engine.h>

namespace toprope __attribute__((visibility("hidden"))) {

enum class Request : uint32_t { INIT, ALL, STEP, ALL_STEPS, GET, BATCH, FILL_L1, QUIT };
enum class Place : uint32_t { NONE, GM, L1, SCALAR };

/* A matrix or a row as the cube core finds it. */
struct MatrixPlace {
  uint64_t address = 0; /* or the bits of a scalar */
  Place place = Place::NONE;
  uint32_t turned = 0, pitch = 0, rows = 0;
};

/* A copy from GM to L1 as the instruction has it; l1: byte of L1. */
struct FillOfL1 {
  uint64_t gm = 0, x2 = 0, x3 = 0;
  uint32_t op = 0, l1 = 0;
};

/* All that one request needs; 8-byte words. */
struct MatmulMessage {
  Request request = Request::ALL;
  uint32_t object = 0;
  uint32_t fresh = 0; /* matrices or sizes have changed since the request before */
  uint32_t adds = 0;
  MatrixPlace a, b, bias, quant; /* quant: SCALAR one parameter, GM one per column */
  uint64_t sparse_index = 0;     /* GM */
  uint32_t m = 0, n = 0, ka = 0, kb = 0, mc = 0, kc = 0;
  uint32_t single_m = 0, single_n = 0, single_k = 0;
  uint32_t to_l1 = 0;
  uint64_t to = 0;
  uint32_t atomic = 0, sequential = 0;
  Batch batch;
  uint32_t hf32 = 0, hf32_to_zero = 0;
  uint32_t reserved = 0;
  CallbackData callback;
  FillOfL1 fill;
  uint64_t pc = 0; /* where in the kernel the request was made: what the cube core does for it is reported there */
};
static_assert(sizeof(MatmulMessage) % 8 == 0 && std::is_trivially_copyable<MatmulMessage>::value, "sent as 8-byte words");
static_assert(sizeof(TCubeTiling) % 8 == 0, "sent as 8-byte words");

/* Words of TrCore::kernel_side on a vector core. */
constexpr unsigned MATMUL_REQUESTS = 5; /* requests sent */
constexpr unsigned MATMUL_OBJECTS = 6;  /* objects registered and alive */

constexpr uint16_t MATMUL_READY_FLAG = 0;

constexpr uint64_t MAILBOX_BYTES = 1024, WORD_BYTES = 32;
constexpr uint64_t REQUEST_WORD = 0, TAKEN_WORD = 1, DONE_WORD = 2, SHARED_WORD = 3; /* SHARED…: of 4 objects */
constexpr uint64_t WORDS = SHARED_WORD + 4;
constexpr uint64_t MESSAGE_OFFSET = 256, TILING_OFFSET = 704;
static_assert(WORDS * WORD_BYTES <= MESSAGE_OFFSET && MESSAGE_OFFSET + sizeof(MatmulMessage) <= TILING_OFFSET && TILING_OFFSET + sizeof(TCubeTiling) <= MAILBOX_BYTES,
              "parts of a mailbox");
/* From the end of the library's part of the workspace downwards: kernels that use its start as their own workspace do not meet it. */
constexpr uint64_t STAGING_BYTES = 192 * 1024, MOST_MIX_BLOCKS = 32;
constexpr uint64_t MAILBOXES_START = AscendC::RESERVED_WORKSPACE - 2 * MOST_MIX_BLOCKS * MAILBOX_BYTES;
static_assert(MAILBOXES_START > 2 * MOST_MIX_BLOCKS * STAGING_BYTES, "it fits");

/* The mailbox of an AIV of this block, and the place for its matrices. */
TR_API uint64_t mailbox_of(uint32_t sub) {
  const TrCore* core = this_core();
  return core->kernel_side[SYSTEM_WORKSPACE] + MAILBOXES_START + (core->block_idx * 2ull + sub) * MAILBOX_BYTES;
}
TR_API uint64_t staging_of(uint32_t sub) {
  const TrCore* core = this_core();
  return core->kernel_side[SYSTEM_WORKSPACE] + MAILBOXES_START - (core->block_idx * 2ull + sub + 1) * STAGING_BYTES;
}
constexpr uint64_t word_of(uint64_t mailbox, uint64_t word) { return mailbox + word * WORD_BYTES; }

/* What PipeS did so far, and what it waited for, is known before the word is: then the word. */
TR_API void signal_word(TrCore* core, uint64_t address, uint64_t value) {
  order<AscendC::HardEvent::S_MTE3>();
  uncached_store<uint64_t>(address, value);
  note(core, TR_NOTE_SIGNAL, address, 1, WORD_BYTES, value);
}
/* Until the word is `value` or more. */
TR_API void await_word(TrCore* core, uint64_t address, uint64_t value) {
  while (true) {
    note(core, TR_NOTE_POLL_BEGIN, 0);
    if (uncached_load<uint64_t>(address) >= value) break;
    note(core, TR_NOTE_POLL_AGAIN, address);
  }
  note(core, TR_NOTE_POLL_END_AT_LEAST, address, 1, WORD_BYTES, value);
}

template <class T>
TR_API void write_words(uint64_t address, const T& value) {
  uint64_t words[sizeof(T) / 8];
  memcpy(words, &value, sizeof(T));
  for (uint64_t i = 0; i < sizeof(T) / 8; ++i) uncached_store<uint64_t>(address + i * 8, words[i]);
}
template <class T>
TR_API T read_words(uint64_t address) {
  uint64_t words[sizeof(T) / 8];
  for (uint64_t i = 0; i < sizeof(T) / 8; ++i) words[i] = uncached_load<uint64_t>(address + i * 8);
  T value;
  memcpy(static_cast<void*>(&value), words, sizeof(T));
  return value;
}

/* A request of this AIV; its number. Everything that MTE3 was told to write is in GM before. */
__attribute__((noinline)) inline uint64_t post(const MatmulMessage& message, const TCubeTiling* tiling) {
  TrCore* core = this_core();
  MatmulMessage with_place = message;
  with_place.pc = core->api_pc;
  const uint64_t mailbox = mailbox_of(core->sub_block_idx), number = core->kernel_side[MATMUL_REQUESTS] + 1;
  if (number > 1) await_word(core, word_of(mailbox, TAKEN_WORD), number - 1);
  write_words(mailbox + MESSAGE_OFFSET, with_place);
  if (tiling != nullptr) write_words(mailbox + TILING_OFFSET, *tiling);
  order<AscendC::HardEvent::MTE3_S>();
  signal_word(core, word_of(mailbox, REQUEST_WORD), number);
  core->kernel_side[MATMUL_REQUESTS] = number;
  return number;
}
/* FILLS_L1_ELSEWHERE while objects are registered. */
__attribute__((noinline)) inline void ask_to_fill_l1(TrCore*, uint32_t op, uint64_t l1, uint64_t gm, uint64_t x2, uint64_t x3) {
  MatmulMessage message;
  message.request = Request::FILL_L1;
  message.fill = {gm, x2, x3, op, static_cast<uint32_t>(space_offset(l1))};
  post(message, nullptr);
}
TR_API void await_done(uint64_t number) {
  TrCore* core = this_core();
  await_word(core, word_of(mailbox_of(core->sub_block_idx), DONE_WORD), number);
}

}  // namespace toprope

#endif
