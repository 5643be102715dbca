// The cycle alloc, enque, deque, free: in plain C++, and through the static library. Loaded by benches/framework.rs.
#include "plain_tque.hpp"
#include "toprope/fwk.h"

thread_local plain::Pipe *plain::current;

// A kernel issues an instruction here: the address is used, and memory may be read or written.
static inline void use(uint32_t address) { asm volatile("" : : "r"(address) : "memory"); }
// The object may be known to code outside.
static inline void escape(void *p) { asm volatile("" : : "r"(p) : "memory"); }

template <int DEPTH> static void plain_cycles(unsigned num, uint64_t cycles) {
    plain::Pipe pipe{};
    plain::Que<DEPTH> que{};
    plain::current = &pipe;
    escape(&pipe);
    escape(&que);
    que.init(pipe, num, 1024);
    for (uint64_t i = 0; i < cycles; i++) {
        plain::Tensor t = que.alloc();
        use(t.address);
        que.enque(t);
        if constexpr (DEPTH == 0) {
            que.deque(t);
        } else {
            t = que.deque();
        }
        use(t.address);
        que.free(t);
    }
}

// What the Ascend C headers do over the C functions.
struct Tensor {
    uint32_t address;
    uint32_t length;
    uint8_t position;
    TrRecord *record;
};
static inline Tensor tensor_of(TrRecord *r) { return Tensor{r->address_bytes, r->length_bytes, 9, r}; }

static thread_local TrPipe *current_pipe;
static thread_local TrPipe *live_pipe;
static thread_local uint32_t faults;

template <int DEPTH> static uint32_t static_cycles(unsigned num, uint64_t cycles) {
    TrPipe pipe;
    TrQue que;
    faults = 0;
    tr_pipe_construct(&pipe, TR_FWK_CORE_AIV_2201, TR_FWK_CHECK_DEFAULT);
    tr_que_construct_at(&que, TR_FWK_CORE_AIV_2201, TR_FWK_POSITION_VECIN, DEPTH, 0, 0, 0);
    tr_pipe_init_que(&pipe, &que, num, 1024);
    for (uint64_t i = 0; i < cycles; i++) {
        TrRecord *r = tr_que_alloc(current_pipe, &que);
        if (r == nullptr) return 1;
        Tensor t = tensor_of(r);
        use(t.address);
        tr_que_enque(current_pipe, &que, t.record);
        if constexpr (DEPTH == 0) {
            tr_que_deque_in_place(current_pipe, &que, t.record);
        } else {
            r = tr_que_deque(current_pipe, &que);
            if (r == nullptr) return 1;
            t = tensor_of(r);
        }
        use(t.address);
        tr_que_free(current_pipe, &que, t.record);
    }
    uint32_t bad = pipe.error | faults;
    tr_pipe_drop(&pipe);
    return bad;
}

#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT uint32_t bench_plain(uint32_t depth, uint32_t num, uint64_t cycles) {
    switch (depth) {
    case 0: plain_cycles<0>(num, cycles); break;
    case 1: plain_cycles<1>(num, cycles); break;
    case 2: plain_cycles<2>(num, cycles); break;
    default: return 1;
    }
    return 0;
}

EXPORT uint32_t bench_static(uint32_t depth, uint32_t num, uint64_t cycles) {
    switch (depth) {
    case 0: return static_cycles<0>(num, cycles);
    case 1: return static_cycles<1>(num, cycles);
    case 2: return static_cycles<2>(num, cycles);
    default: return 1;
    }
}

// Empty hooks.
extern "C" {
#define FLAG(set, wait, src, dst) void set(int32_t) {} void wait(int32_t) {}
TR_FWK_FLAG_PAIRS(FLAG)
#define BARRIER(hook, pipe) void hook(void) {}
TR_FWK_BARRIERS(BARRIER)
void tr_hook_set_atomic_none(void) {}
void tr_hook_set_mask_norm(void) {}
void tr_hook_set_l1_3d_size(uint64_t) {}
void tr_hook_set_padding(uint64_t) {}
void tr_hook_set_vector_mask(uint64_t, uint64_t) {}
void tr_hook_dcci(void) {}
void tr_hook_copy_ub_to_gm(uint64_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t) {}
void tr_hook_copy_gm_to_ub(uint32_t, uint64_t, uint32_t, uint32_t, uint32_t, uint32_t) {}
void tr_hook_copy_ub_to_l1(uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t) {}
void tr_hook_copy_l1_to_ub(uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t) {}
uint32_t tr_hook_sub_block_num(void) { return 1; }
uint32_t tr_hook_sub_block_idx(void) { return 0; }
void tr_hook_set_pipe_ptr(TrPipe *pipe) { current_pipe = pipe; }
void tr_hook_set_live_pipe(TrPipe *pipe) { live_pipe = pipe; }
TrPipe *tr_hook_live_pipe(void) { return live_pipe; }
uint32_t tr_hook_next_serial(void) { return 0; }
void tr_hook_fault(uint32_t, uint64_t, uint32_t, uint64_t, uint64_t) { faults++; }
void tr_hook_note_buffer(uint32_t, uint64_t, uint32_t, uint32_t, uint32_t, uint32_t) {}
void tr_hook_note_pipe(uint32_t, uint64_t) {}
void tr_hook_note_pool_reset(uint64_t, uint32_t, uint32_t, uint32_t) {}
void tr_hook_note_op(uint32_t, uint64_t, uint32_t, uint32_t, uint32_t) {}
}
