// TPipe and TQue in plain C++, written for the bench: what the public release build does on the vector core of NpuArch
// 2201, no checks, everything that can be a template argument is one. Flags are empty functions that inline to nothing.
#pragma once
#include <cstdint>

namespace plain {

enum Event : unsigned { MTE2_V, V_MTE2, MTE3_V, V_MTE3, EVENTS };

struct Record {
    uint8_t state;
    uint8_t free_event;
    int8_t enque_id;
    int8_t free_id;
    uint32_t address;
    uint32_t length;
    int32_t tag;
};

struct Tensor {
    uint32_t address;
    uint32_t length;
    uint8_t position;
    Record *record;
};

template <Event E> inline void set_flag(int) {}
template <Event E> inline void wait_flag(int) {}

struct Pipe {
    uint64_t ids[13];
    uint32_t mark;
    uint32_t count;
    Record records[64];

    template <Event E> int alloc_id() {
        int id = __builtin_ctzll(~ids[E]);
        ids[E] |= uint64_t(1) << id;
        return id;
    }
    template <Event E> void release_id(int id) { ids[E] &= ~(uint64_t(1) << id); }
};

// The pipe is found through one global pointer per core, as in the public headers.
extern thread_local Pipe *current;

// One input queue (GM to UB) of a compile-time depth.
template <int DEPTH> struct Que {
    static constexpr Event ENQUE = MTE2_V;
    static constexpr Event FREE = V_MTE2;

    uint8_t num, used, bufs_used, cursor;
    uint16_t head, tail;
    Record *ring[DEPTH > 0 ? DEPTH : 1];
    Record *first;

    void init(Pipe &pipe, unsigned count, uint32_t length) {
        num = count;
        used = bufs_used = cursor = 0;
        head = tail = 0;
        first = &pipe.records[pipe.count];
        for (unsigned i = 0; i < count; i++) {
            Record &r = first[i];
            r = Record{0, FREE, -1, -1, pipe.mark, length, -1};
            if constexpr (DEPTH == 0) {
                r.enque_id = pipe.template alloc_id<ENQUE>();
                r.free_id = pipe.template alloc_id<FREE>();
                set_flag<FREE>(r.free_id);
            }
            pipe.mark += length;
        }
        pipe.count += count;
    }

    Tensor alloc() {
        Record *r;
        do {
            r = first + cursor;
            cursor = cursor + 1 == num ? 0 : cursor + 1;
        } while (r->state != 0);
        r->state = 1;
        if constexpr (DEPTH == 0) {
            wait_flag<FREE>(r->free_id);
        } else {
            if (r->free_id != -1) {
                wait_flag<FREE>(r->free_id);
                current->release_id<FREE>(r->free_id);
                r->free_id = -1;
            }
            bufs_used++;
        }
        return Tensor{r->address, r->length, 9, r};
    }

    void enque(const Tensor &t) {
        if constexpr (DEPTH == 0) {
            set_flag<ENQUE>(t.record->enque_id);
            return;
        }
        ring[tail] = t.record;
        used++;
        int id = current->alloc_id<ENQUE>();
        set_flag<ENQUE>(id);
        t.record->enque_id = id;
        if constexpr (DEPTH > 1) tail = tail + 1 == DEPTH ? 0 : tail + 1;
    }

    Tensor deque() {
        Record *r = ring[head];
        used--;
        if (r->enque_id != -1) {
            wait_flag<ENQUE>(r->enque_id);
            current->release_id<ENQUE>(r->enque_id);
            r->enque_id = -1;
        }
        if constexpr (DEPTH > 1) head = head + 1 == DEPTH ? 0 : head + 1;
        return Tensor{r->address, r->length, 9, r};
    }

    void deque(const Tensor &t) { wait_flag<ENQUE>(t.record->enque_id); }

    void free(const Tensor &t) {
        if constexpr (DEPTH == 0) {
            set_flag<FREE>(t.record->free_id);
            t.record->state = 0;
            return;
        }
        int id = current->alloc_id<FREE>();
        t.record->free_id = id;
        set_flag<FREE>(id);
        t.record->state = 0;
        bufs_used--;
    }
};

} // namespace plain
