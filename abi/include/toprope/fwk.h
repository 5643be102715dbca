/* State of TPipe, TQue, TBuf, TBufPool and the functions of device-lib. Generated from abi/src/fwk; do not edit. */
#ifndef TOPROPE_FWK_H
#define TOPROPE_FWK_H

#include <stdint.h>

#define TR_FWK_CORE_AIC_2201 1u
#define TR_FWK_CORE_AIV_2201 2u
#define TR_FWK_CORE_MIX_2002 3u
#define TR_FWK_POSITION_GM 0u
#define TR_FWK_POSITION_A1 1u
#define TR_FWK_POSITION_A2 2u
#define TR_FWK_POSITION_B1 3u
#define TR_FWK_POSITION_B2 4u
#define TR_FWK_POSITION_C1 5u
#define TR_FWK_POSITION_C2 6u
#define TR_FWK_POSITION_CO1 7u
#define TR_FWK_POSITION_CO2 8u
#define TR_FWK_POSITION_VECIN 9u
#define TR_FWK_POSITION_VECOUT 10u
#define TR_FWK_POSITION_VECCALC 11u
#define TR_FWK_POSITION_SPM 12u
#define TR_FWK_POSITION_TSCM 13u
#define TR_FWK_POSITION_C2PIPE2GM 14u
#define TR_FWK_POSITION_C2PIPE2LOCAL 15u
#define TR_FWK_POSITION_MAX 16u
#define TR_FWK_MEMORY_GM 0u
#define TR_FWK_MEMORY_UB 1u
#define TR_FWK_MEMORY_L1 2u
#define TR_FWK_MEMORY_L0A 3u
#define TR_FWK_MEMORY_L0B 4u
#define TR_FWK_MEMORY_L0C 5u
#define TR_FWK_MEMORY_BIAS 6u
#define TR_FWK_MEMORY_FIXBUF 7u
#define TR_FWK_EVENT_MTE2_MTE1 0u
#define TR_FWK_EVENT_MTE1_MTE2 1u
#define TR_FWK_EVENT_MTE1_M 2u
#define TR_FWK_EVENT_M_MTE1 3u
#define TR_FWK_EVENT_MTE2_V 4u
#define TR_FWK_EVENT_V_MTE2 5u
#define TR_FWK_EVENT_MTE3_V 6u
#define TR_FWK_EVENT_V_MTE3 7u
#define TR_FWK_EVENT_M_V 8u
#define TR_FWK_EVENT_V_M 9u
#define TR_FWK_EVENT_V_V 10u
#define TR_FWK_EVENT_MTE3_MTE1 11u
#define TR_FWK_EVENT_MTE1_MTE3 12u
#define TR_FWK_EVENT_MTE1_V 13u
#define TR_FWK_EVENT_MTE2_M 14u
#define TR_FWK_EVENT_M_MTE2 15u
#define TR_FWK_EVENT_V_MTE1 16u
#define TR_FWK_EVENT_M_FIX 17u
#define TR_FWK_EVENT_FIX_M 18u
#define TR_FWK_EVENT_MTE3_MTE2 19u
#define TR_FWK_EVENT_MTE2_MTE3 20u
#define TR_FWK_EVENT_S_V 21u
#define TR_FWK_EVENT_V_S 22u
#define TR_FWK_EVENT_S_MTE2 23u
#define TR_FWK_EVENT_MTE2_S 24u
#define TR_FWK_EVENT_S_MTE3 25u
#define TR_FWK_EVENT_MTE3_S 26u
#define TR_FWK_EVENT_MTE2_FIX 27u
#define TR_FWK_EVENT_FIX_MTE2 28u
#define TR_FWK_EVENT_FIX_S 29u
#define TR_FWK_EVENT_M_S 30u
#define TR_FWK_EVENT_FIX_MTE3 31u
#define TR_FWK_EVENT_MTE1_FIX 32u
#define TR_FWK_EVENT_FIX_MTE1 33u
#define TR_FWK_EVENT_FIX_FIX 34u
#define TR_FWK_EVENT_MAX 35u
#define TR_FWK_CHECK_MISUSE 1u
#define TR_FWK_CHECK_FLAG_BALANCE 2u
#define TR_FWK_CHECK_NOTES 4u
#define TR_FWK_CHECK_DEFAULT 3u
#define TR_FWK_QUE_ND2NZ 1u
#define TR_FWK_QUE_NZ2ND 2u
#define TR_FWK_QUE_SCM_BLOCK_GROUP 4u
#define TR_FWK_QUE_LOOP 8u
#define TR_FWK_QUE_DEPTH_MAX 64u
#define TR_FWK_PIPE_RECORDS 64u
#define TR_FWK_POOL_RECORDS_MAX 16u

#define TR_FWK_ERROR_NO_FREE_BUFFER 1u
#define TR_FWK_ERROR_QUEUE_FULL 2u
#define TR_FWK_ERROR_NULL_HEAD 3u
#define TR_FWK_ERROR_QUEUE_EMPTY 4u
#define TR_FWK_ERROR_NOT_ENQUEUED 5u
#define TR_FWK_ERROR_ALREADY_FREE 6u
#define TR_FWK_ERROR_FOREIGN_BUFFER 7u
#define TR_FWK_ERROR_BAD_ENQUE_STATE 8u
#define TR_FWK_ERROR_NO_EVENT_ID 9u
#define TR_FWK_ERROR_BAD_EVENT_ID 10u
#define TR_FWK_ERROR_BAD_FLAG_ID 11u
#define TR_FWK_ERROR_BAD_SYNC_ID 12u
#define TR_FWK_ERROR_TOO_MANY_BUFFERS 13u
#define TR_FWK_ERROR_BAD_BUFFER_COUNT 14u
#define TR_FWK_ERROR_BAD_LENGTH 15u
#define TR_FWK_ERROR_BAD_TOTAL_LENGTH 16u
#define TR_FWK_ERROR_MEMORY_FULL 17u
#define TR_FWK_ERROR_ZERO_LENGTH 18u
#define TR_FWK_ERROR_TBUF_TOO_SHORT 19u
#define TR_FWK_ERROR_TBUF_UNALIGNED 20u
#define TR_FWK_ERROR_UNKNOWN_POSITION 21u
#define TR_FWK_ERROR_TBUF_COUNT 22u
#define TR_FWK_ERROR_L1_HITS_TSCM 23u
#define TR_FWK_ERROR_TSCM_HITS_L1 24u
#define TR_FWK_ERROR_TSCM_TOO_LARGE 25u
#define TR_FWK_ERROR_POOL_FULL 26u
#define TR_FWK_ERROR_POOL_MEMORY_MISMATCH 27u
#define TR_FWK_ERROR_SHARE_MEMORY_MISMATCH 28u
#define TR_FWK_ERROR_SHARE_TOO_LONG 29u
#define TR_FWK_ERROR_POOL_TOO_MANY_BUFFERS 30u
#define TR_FWK_ERROR_MEMORY_IS_GM 31u
#define TR_FWK_ERROR_PIPE_EXISTS 32u
#define TR_FWK_ERROR_CONFIG_COUNT 33u
#define TR_FWK_ERROR_CONFIG_LENGTH 34u
#define TR_FWK_ERROR_USER_EVENT_MISMATCH 35u
#define TR_FWK_ERROR_EVENT_PENDING 36u
#define TR_FWK_ERROR_NOT_SUPPORTED 37u
#define TR_FWK_ERROR_NULL_HANDLE 38u
#define TR_FWK_ERROR_NOT_INITIALISED 39u
#define TR_FWK_ERROR_LOOP_EVENT 40u
#define TR_FWK_ERROR_BAD_SUB_BLOCK 41u
#define TR_FWK_ERROR_SHARE_WINDOW 42u
#define TR_FWK_ERROR_ADDRESS_BEYOND 43u
#define TR_FWK_ERROR_BARRIER_SCALAR 44u
#define TR_FWK_ERROR_NO_SUCH_EVENT 45u
#define TR_FWK_ERROR_NOT_UB 46u
#define TR_FWK_ERROR_FREE_WHILE_ENQUEUED 100u
#define TR_FWK_ERROR_TBUF_OFFSET_BEYOND 101u
#define TR_FWK_ERROR_EVENT_NOT_ON_CORE 102u
#define TR_FWK_ERROR_FLAG_NEVER_WAITED 103u
#define TR_FWK_ERROR_FLAG_STILL_SET 104u
#define TR_FWK_ERROR_STALE_EVENT 105u
#define TR_FWK_ERROR_QUEUE_LIVE 106u
#define TR_FWK_ERROR_POOL_GONE 107u
#define TR_FWK_ERROR_IN_PLACE_POOL 108u
#define TR_FWK_ERROR_NO_PIPE 109u
#define TR_FWK_ERROR_BAD_DEPTH 110u
#define TR_FWK_ERROR_BAD_ARGUMENT 111u
#define TR_FWK_ERROR_PIPE_DESTROYED 112u
#define TR_FWK_ERROR_TENSOR_LEAKED 113u

typedef struct TrRecord {
    uint8_t state;
    uint8_t free_event;
    int8_t enque_id;
    int8_t free_id;
    uint32_t address_bytes;
    uint32_t length_bytes;
    int32_t user_tag;
} TrRecord; /* 16 bytes */

typedef struct TrTensor {
    const TrRecord* record;
    uint32_t address_bytes;
    uint32_t length_bytes;
    uint8_t position;
    uint8_t memory;
    uint8_t reserved[2];
    uint32_t elements;
} TrTensor; /* 24 bytes */

typedef struct TrAddrLen {
    uint32_t address_bytes;
    uint32_t length_bytes;
} TrAddrLen; /* 8 bytes */

typedef struct TrQue {
    const TrRecord* first;
    uint8_t buf_num;
    uint8_t used_count;
    uint8_t head;
    uint8_t tail;
    uint8_t buf_used_count;
    uint8_t cursor;
    uint8_t depth;
    uint8_t kind;
    uint8_t enque_event;
    uint8_t free_event;
    uint8_t enque_set;
    uint8_t enque_wait;
    uint8_t free_set;
    uint8_t free_wait;
    uint8_t src;
    uint8_t dst;
    uint8_t position;
    uint8_t memory;
    uint8_t core;
    uint8_t config_num;
    uint32_t config;
    uint32_t config_length_bytes;
    uint32_t serial;
    uint8_t ring[64];
} TrQue; /* 104 bytes */

typedef struct TrBuf {
    const TrRecord* record;
    uint32_t length_bytes;
    uint32_t offset_bytes;
    uint8_t position;
    uint8_t memory;
    uint8_t core;
    uint8_t reserved[5];
} TrBuf; /* 24 bytes */

typedef struct TrBufPool {
    const TrRecord* records;
    uint32_t start_bytes;
    uint32_t mark_bytes;
    uint32_t length_bytes;
    uint32_t count;
    uint32_t capacity;
    uint8_t position;
    uint8_t memory;
    uint8_t core;
    uint8_t custom;
    uint32_t reset_mark;
    uint32_t reserved;
} TrBufPool; /* 40 bytes */

typedef struct TrPipe {
    uint64_t events[64];
    uint32_t marks_bytes[8];
    uint32_t share_start_bytes[4];
    uint32_t share_limit_bytes[4];
    uint32_t share_length_bytes[4];
    uint64_t spill_address;
    uint32_t spill_length_bytes;
    uint32_t spill_memory;
    uint32_t tscm_mark_bytes;
    uint32_t serial;
    uint32_t error;
    uint32_t error_count;
    uint64_t error_asked;
    uint64_t error_limit;
    uint32_t checks;
    uint8_t note_ops;
    uint8_t core;
    uint8_t destroyed;
    uint8_t count;
    uint32_t last_error;
    uint32_t reserved[3];
    TrRecord records[64];
} TrPipe; /* 1688 bytes */


#ifdef __cplusplus
extern "C" {
#endif

/* Functions of device-lib. */
/* Sets up a TPipe and makes it current: registers, then Init. `core`: TR_FWK_CORE_*, `checks`: TR_FWK_CHECK_*. Refused while another pipe is alive; the new one then counts as destroyed. */
uint32_t tr_pipe_construct(TrPipe* pipe, uint32_t core, uint32_t checks);
/* Init: clears marks, ids and records, makes the pipe current. For use after Destroy. */
uint32_t tr_pipe_init(TrPipe* pipe);
/* Reset: waits for the free flags of free buffers, sets up registers, clears. */
uint32_t tr_pipe_reset(TrPipe* pipe);
/* Destroy: waits for all free flags, then a barrier on all pipes. */
uint32_t tr_pipe_destroy(TrPipe* pipe);
/* DestroyWithoutPipeAll: Destroy without the barrier. */
uint32_t tr_pipe_destroy_without_pipe_all(TrPipe* pipe);
/* Destructor: Destroy unless destroyed. */
uint32_t tr_pipe_drop(TrPipe* pipe);
/* InitBuffer(queue, num, len): num buffers of len bytes, rounded up to 32. */
uint32_t tr_pipe_init_que(TrPipe* pipe, TrQue* que, uint32_t num, uint32_t length_bytes);
/* InitBuffer(queue, {addr, len}...): buffers where the caller says. */
uint32_t tr_pipe_init_que_addrs(TrPipe* pipe, TrQue* que, const TrAddrLen* list, uint32_t num);
/* InitBuffer(tbuf, len). */
uint32_t tr_pipe_init_buf(TrPipe* pipe, TrBuf* buf, uint32_t length_bytes);
/* InitBufPool(pool, len). */
uint32_t tr_pipe_init_pool(TrPipe* pipe, TrBufPool* pool, uint32_t length_bytes);
/* InitBufPool(pool, len, shared): the memory of `shared` again. */
uint32_t tr_pipe_init_pool_shared(TrPipe* pipe, TrBufPool* pool, uint32_t length_bytes, TrBufPool* shared);
/* AllocEventID of class `event`; the id, -1 when refused. */
int32_t tr_pipe_alloc_event_id(TrPipe* pipe, uint32_t event);
/* FetchEventID: the id AllocEventID would return, not reserved. */
int32_t tr_pipe_fetch_event_id(TrPipe* pipe, uint32_t event);
/* ReleaseEventID. */
uint32_t tr_pipe_release_event_id(TrPipe* pipe, uint32_t event, int32_t id);
/* GetAbsAddr: a tensor at an absolute offset of a position's memory. */
uint32_t tr_pipe_abs_addr(TrPipe* pipe, uint32_t position, uint32_t address_bytes, uint32_t length_bytes, TrTensor* out);
/* GetQueueEndAddress: next free byte of UB. */
uint32_t tr_pipe_que_end(TrPipe* pipe);
/* PopStackBuffer(tensor): all of UB that no buffer uses; nothing is reserved. */
uint32_t tr_pipe_pop_stack_tensor(TrPipe* pipe, uint32_t position, TrTensor* out);
/* PopStackBuffer(tbuf, record): the same through an external record. */
uint32_t tr_pipe_pop_stack_buf(TrPipe* pipe, TrBuf* buf, TrRecord* record);
/* InitShareBufStart: window of the matrix macro in L1, L0C (2002: and UB). */
uint32_t tr_pipe_share_start(TrPipe* pipe, uint32_t mode, uint32_t l1_bytes, uint32_t l0c_bytes, uint32_t ub_bytes, uint32_t sub_block);
/* InitShareBufEnd. */
uint32_t tr_pipe_share_end(TrPipe* pipe);
/* InitSpmBuffer in GM. */
uint32_t tr_pipe_spill_init_gm(TrPipe* pipe, uint64_t gm_address, uint32_t length_bytes);
/* InitSpmBuffer in L1 (2002 only). */
uint32_t tr_pipe_spill_init_l1(TrPipe* pipe, uint32_t length_bytes);
/* WriteSpmBuffer(tensor, DataCopyParams, offset): counts in 32-byte blocks, offset in bytes. */
uint32_t tr_pipe_spill_write(TrPipe* pipe, uint32_t ub_address_bytes, uint32_t block_count, uint32_t block_len, uint32_t src_stride, uint32_t dst_stride, uint32_t offset_bytes);
/* ReadSpmBuffer(tensor, DataCopyParams, offset). */
uint32_t tr_pipe_spill_read(TrPipe* pipe, uint32_t ub_address_bytes, uint32_t block_count, uint32_t block_len, uint32_t src_stride, uint32_t dst_stride, uint32_t offset_bytes);
/* First misuse since construction or the last clear: a code, 0 none. */
uint32_t tr_pipe_error(TrPipe* pipe);
/* Forgets the misuse. */
uint32_t tr_pipe_clear_error(TrPipe* pipe);
/* Declares a queue from position `src` to `dst`. `config`: TR_FWK_QUE_* bits; `config_num` and `config_length_bytes`: compile-time count and length, 0 none. `depth` 0..64. */
uint32_t tr_que_construct(TrQue* que, uint32_t core, uint32_t src, uint32_t dst, uint32_t depth, uint32_t config, uint32_t config_num, uint32_t config_length_bytes);
/* Declares the one-position queue TQue<position, depth>. */
uint32_t tr_que_construct_at(TrQue* que, uint32_t core, uint32_t position, uint32_t depth, uint32_t config, uint32_t config_num, uint32_t config_length_bytes);
/* AllocTensor / AllocBuffer: a free record, or null. Waits for its free flag. */
TrRecord* tr_que_alloc(TrPipe* pipe, TrQue* que);
/* EnQue of a record. */
uint32_t tr_que_enque(TrPipe* pipe, TrQue* que, TrRecord* record);
/* DeQue, depth > 0: the oldest record, or null. Waits for its enqueue flag. */
TrRecord* tr_que_deque(TrPipe* pipe, TrQue* que);
/* DeQue(tensor), depth 0: waits for the enqueue flag of this record. */
uint32_t tr_que_deque_in_place(TrPipe* pipe, TrQue* que, TrRecord* record);
/* FreeTensor / FreeBuffer. */
uint32_t tr_que_free(TrPipe* pipe, TrQue* que, TrRecord* record);
/* EnQue<src, dst>: the event of that pair of positions. */
uint32_t tr_que_enque_explicit(TrPipe* pipe, TrQue* que, TrRecord* record, uint32_t src, uint32_t dst);
/* DeQue<src, dst>. */
TrRecord* tr_que_deque_explicit(TrPipe* pipe, TrQue* que, uint32_t src, uint32_t dst);
/* FreeAllEvent: waits for the free flags of all records. */
uint32_t tr_que_free_all_event(TrPipe* pipe, TrQue* que);
/* VacantInQue: 1 if another tensor may be enqueued. */
uint32_t tr_que_vacant(TrQue* que);
/* HasTensorInQue. */
uint32_t tr_que_has_tensor(TrQue* que);
/* GetTensorCountInQue. */
uint32_t tr_que_tensor_count(TrQue* que);
/* HasIdleBuffer. */
uint32_t tr_que_has_idle_buffer(TrQue* que);
/* GetState: 0 free, 1 occupied. A null record is free. */
uint32_t tr_que_state(TrPipe* pipe, TrQue* que, TrRecord* record);
/* The state the public CPU-debug build reports: 0 free, 1 occupied, 2 enqueued, 3 dequeued. */
uint32_t tr_que_tracked_state(TrPipe* pipe, TrQue* que, TrRecord* record);
/* GetBufferAddr: the tensor of a record of this queue. */
uint32_t tr_que_tensor(TrPipe* pipe, TrQue* que, TrRecord* record, TrTensor* out);
/* InitStartBufHandle (custom pools). */
uint32_t tr_que_init_start(TrPipe* pipe, TrQue* que, TrRecord* record, uint32_t num, uint32_t length_bytes);
/* InitBufHandle (custom pools): sets up one record of the queue. */
uint32_t tr_que_init_handle(TrPipe* pipe, TrQue* que, TrRecord* record, uint32_t address_bytes, uint32_t length_bytes);
/* Declares a TBuf. */
uint32_t tr_buf_construct(TrBuf* buf, uint32_t core, uint32_t position);
/* Get<T>(elements); `bits` = 4, 8, 16, 32 or 64 per element. */
uint32_t tr_buf_get(TrPipe* pipe, TrBuf* buf, uint32_t elements, uint32_t bits, TrTensor* out);
/* Get<T>(): the whole TBuf. Also AllocTensor and DeQue. */
uint32_t tr_buf_get_all(TrPipe* pipe, TrBuf* buf, uint32_t bits, TrTensor* out);
/* GetWithOffset<T>(elements, offset). */
uint32_t tr_buf_get_with_offset(TrPipe* pipe, TrBuf* buf, uint32_t elements, uint32_t bits, uint32_t offset_bytes, TrTensor* out);
/* DeQue() of a TBuf: its record at full length, or null. */
TrRecord* tr_buf_deque(TrPipe* pipe, TrBuf* buf);
/* GetBufferAddr of a TBuf: the tensor of its record as it is. */
uint32_t tr_buf_tensor(TrPipe* pipe, TrBuf* buf, TrTensor* out);
/* GetState of a tensor of a TBuf. A null record is free. */
uint32_t tr_buf_state(TrPipe* pipe, TrBuf* buf, TrRecord* record);
/* InitStartBufHandle of a TBuf (custom pools). */
uint32_t tr_buf_init_start(TrPipe* pipe, TrBuf* buf, TrRecord* record, uint32_t num, uint32_t length_bytes);
/* InitBufHandle of a TBuf (custom pools). */
uint32_t tr_buf_init_handle(TrPipe* pipe, TrBuf* buf, TrRecord* record, uint32_t address_bytes, uint32_t length_bytes);
/* Declares a pool over `capacity` records (at most 16) that live as long as the pool. `custom`: 1 for the pool macro. */
uint32_t tr_pool_construct(TrBufPool* pool, uint32_t core, uint32_t position, TrRecord* records, uint32_t capacity, uint32_t custom);
/* InitBuffer(queue, num, len) from a pool. */
uint32_t tr_pool_init_que(TrPipe* pipe, TrBufPool* pool, TrQue* que, uint32_t num, uint32_t length_bytes);
/* InitBuffer(tbuf, len) from a pool. */
uint32_t tr_pool_init_buf(TrPipe* pipe, TrBufPool* pool, TrBuf* buf, uint32_t length_bytes);
/* InitBufPool(child, len). */
uint32_t tr_pool_init_pool(TrPipe* pipe, TrBufPool* pool, TrBufPool* child, uint32_t length_bytes);
/* InitBufPool(child, len, shared). */
uint32_t tr_pool_init_pool_shared(TrPipe* pipe, TrBufPool* pool, TrBufPool* child, uint32_t length_bytes, TrBufPool* shared);
/* Reset: waits for the free flags of its records, gives the memory up. */
uint32_t tr_pool_reset(TrPipe* pipe, TrBufPool* pool);
/* Destructor: Reset; the pool's queues are refused from now on. */
uint32_t tr_pool_drop(TrPipe* pipe, TrBufPool* pool);
/* Init of a custom pool. */
uint32_t tr_pool_init(TrBufPool* pool);
/* GetBufHandle(index) of a custom pool, or null. */
TrRecord* tr_pool_record(TrPipe* pipe, TrBufPool* pool, uint32_t index);
/* SetFlag<event>(id). */
uint32_t tr_set_flag(TrPipe* pipe, uint32_t core, uint32_t event, int32_t id);
/* WaitFlag<event>(id). */
uint32_t tr_wait_flag(TrPipe* pipe, uint32_t core, uint32_t event, int32_t id);
/* PipeBarrier<on>(). */
uint32_t tr_pipe_barrier(TrPipe* pipe, uint32_t core, uint32_t on);
/* TQueSync<src, dst>::SetFlag(id). */
uint32_t tr_sync_set(TrPipe* pipe, uint32_t src, uint32_t dst, int32_t id);
/* TQueSync<src, dst>::WaitFlag(id). */
uint32_t tr_sync_wait(TrPipe* pipe, uint32_t src, uint32_t dst, int32_t id);
/* User tag of a tensor's record; null is refused (answer -1). */
int32_t tr_record_user_tag(TrPipe* pipe, TrRecord* record);
/* Sets the user tag. */
uint32_t tr_record_set_user_tag(TrPipe* pipe, TrRecord* record, int32_t tag);

/* Hooks: defined by the kernel's shim, called by device-lib. */
/* Barrier on V. */
void tr_hook_barrier_v(void);
/* Barrier on M. */
void tr_hook_barrier_m(void);
/* Barrier on MTE1. */
void tr_hook_barrier_mte1(void);
/* Barrier on MTE2. */
void tr_hook_barrier_mte2(void);
/* Barrier on MTE3. */
void tr_hook_barrier_mte3(void);
/* Barrier on FIX. */
void tr_hook_barrier_fix(void);
/* Barrier on every pipe. */
void tr_hook_barrier_all(void);
/* set_atomic_none. */
void tr_hook_set_atomic_none(void);
/* set_mask_norm. */
void tr_hook_set_mask_norm(void);
/* Size of the 3-D L1 feature map register. */
void tr_hook_set_l1_3d_size(uint64_t value);
/* Padding register. */
void tr_hook_set_padding(uint64_t value);
/* Vector mask. */
void tr_hook_set_vector_mask(uint64_t high, uint64_t low);
/* Flush of the whole data cache (2002). */
void tr_hook_dcci(void);
/* Copy UB to GM; addresses in bytes (UB as offset), counts in 32-byte blocks. */
void tr_hook_copy_ub_to_gm(uint64_t gm_address, uint32_t ub_address_bytes, uint32_t block_count, uint32_t block_len, uint32_t src_stride, uint32_t dst_stride);
/* Copy GM to UB. */
void tr_hook_copy_gm_to_ub(uint32_t ub_address_bytes, uint64_t gm_address, uint32_t block_count, uint32_t block_len, uint32_t src_stride, uint32_t dst_stride);
/* Copy UB to L1 (2002). */
void tr_hook_copy_ub_to_l1(uint32_t l1_address_bytes, uint32_t ub_address_bytes, uint32_t block_count, uint32_t block_len, uint32_t src_stride, uint32_t dst_stride);
/* Copy L1 to UB (2002). */
void tr_hook_copy_l1_to_ub(uint32_t ub_address_bytes, uint32_t l1_address_bytes, uint32_t block_count, uint32_t block_len, uint32_t src_stride, uint32_t dst_stride);
/* Sub-blocks (AIV cores) that share an L1. */
uint32_t tr_hook_sub_block_num(void);
/* Index of this sub-block. */
uint32_t tr_hook_sub_block_idx(void);
/* The pipe that GetTPipePtr returns from now on. Never cleared. */
void tr_hook_set_pipe_ptr(TrPipe* pipe);
/* The pipe that is alive on this core, or null: written at Init (the pipe) and Destroy (null). */
void tr_hook_set_live_pipe(TrPipe* pipe);
/* The value last given to tr_hook_set_live_pipe on this core, null before. */
TrPipe* tr_hook_live_pipe(void);
/* A number not 0 and not given before on this core; 0 if the shim cannot count. */
uint32_t tr_hook_next_serial(void);
/* A misuse: TR_FWK_ERROR_* code, address of the object it was done to (queue, TBuf, pool, pipe; 0 none), memory (TR_FWK_MEMORY_*), what was asked and the limit (unit depends on the code). May not return. */
void tr_hook_fault(uint32_t code, uint64_t object, uint32_t memory, uint64_t asked, uint64_t limit);
/* InitBuffer or InitBufPool gave `object` (kind: 0 queue, 1 TBuf, 2 pool; + 16 where the kernel named the place) `num` buffers of `length_bytes` from `address_bytes` on. */
void tr_hook_note_buffer(uint32_t kind, uint64_t object, uint32_t memory, uint32_t address_bytes, uint32_t length_bytes, uint32_t num);
/* Init (event 0), Reset (1) or Destroy (2) of the pipe: all its buffers are gone. */
void tr_hook_note_pipe(uint32_t event, uint64_t pipe);
/* Reset of a pool: the `length_bytes` from `address_bytes` on that it held are not its any more. */
void tr_hook_note_pool_reset(uint64_t pool, uint32_t memory, uint32_t address_bytes, uint32_t length_bytes);
/* Done, for queues initialised (and for the first tensor of a TBuf that is used, as alloc) while TrPipe.note_ops is 1. op: 0 alloc, 1 enque, 2 deque, 3 free; + TR_FWK_EVENT_* << 8 for enque. */
void tr_hook_note_op(uint32_t op, uint64_t object, uint32_t memory, uint32_t address_bytes, uint32_t length_bytes);
void tr_hook_set_flag_s_v(int32_t id);
void tr_hook_wait_flag_s_v(int32_t id);
void tr_hook_set_flag_s_m(int32_t id);
void tr_hook_wait_flag_s_m(int32_t id);
void tr_hook_set_flag_s_mte1(int32_t id);
void tr_hook_wait_flag_s_mte1(int32_t id);
void tr_hook_set_flag_s_mte2(int32_t id);
void tr_hook_wait_flag_s_mte2(int32_t id);
void tr_hook_set_flag_s_mte3(int32_t id);
void tr_hook_wait_flag_s_mte3(int32_t id);
void tr_hook_set_flag_s_fix(int32_t id);
void tr_hook_wait_flag_s_fix(int32_t id);
void tr_hook_set_flag_v_s(int32_t id);
void tr_hook_wait_flag_v_s(int32_t id);
void tr_hook_set_flag_v_m(int32_t id);
void tr_hook_wait_flag_v_m(int32_t id);
void tr_hook_set_flag_v_mte1(int32_t id);
void tr_hook_wait_flag_v_mte1(int32_t id);
void tr_hook_set_flag_v_mte2(int32_t id);
void tr_hook_wait_flag_v_mte2(int32_t id);
void tr_hook_set_flag_v_mte3(int32_t id);
void tr_hook_wait_flag_v_mte3(int32_t id);
void tr_hook_set_flag_v_fix(int32_t id);
void tr_hook_wait_flag_v_fix(int32_t id);
void tr_hook_set_flag_m_s(int32_t id);
void tr_hook_wait_flag_m_s(int32_t id);
void tr_hook_set_flag_m_v(int32_t id);
void tr_hook_wait_flag_m_v(int32_t id);
void tr_hook_set_flag_m_mte1(int32_t id);
void tr_hook_wait_flag_m_mte1(int32_t id);
void tr_hook_set_flag_m_mte2(int32_t id);
void tr_hook_wait_flag_m_mte2(int32_t id);
void tr_hook_set_flag_m_mte3(int32_t id);
void tr_hook_wait_flag_m_mte3(int32_t id);
void tr_hook_set_flag_m_fix(int32_t id);
void tr_hook_wait_flag_m_fix(int32_t id);
void tr_hook_set_flag_mte1_s(int32_t id);
void tr_hook_wait_flag_mte1_s(int32_t id);
void tr_hook_set_flag_mte1_v(int32_t id);
void tr_hook_wait_flag_mte1_v(int32_t id);
void tr_hook_set_flag_mte1_m(int32_t id);
void tr_hook_wait_flag_mte1_m(int32_t id);
void tr_hook_set_flag_mte1_mte2(int32_t id);
void tr_hook_wait_flag_mte1_mte2(int32_t id);
void tr_hook_set_flag_mte1_mte3(int32_t id);
void tr_hook_wait_flag_mte1_mte3(int32_t id);
void tr_hook_set_flag_mte1_fix(int32_t id);
void tr_hook_wait_flag_mte1_fix(int32_t id);
void tr_hook_set_flag_mte2_s(int32_t id);
void tr_hook_wait_flag_mte2_s(int32_t id);
void tr_hook_set_flag_mte2_v(int32_t id);
void tr_hook_wait_flag_mte2_v(int32_t id);
void tr_hook_set_flag_mte2_m(int32_t id);
void tr_hook_wait_flag_mte2_m(int32_t id);
void tr_hook_set_flag_mte2_mte1(int32_t id);
void tr_hook_wait_flag_mte2_mte1(int32_t id);
void tr_hook_set_flag_mte2_mte3(int32_t id);
void tr_hook_wait_flag_mte2_mte3(int32_t id);
void tr_hook_set_flag_mte2_fix(int32_t id);
void tr_hook_wait_flag_mte2_fix(int32_t id);
void tr_hook_set_flag_mte3_s(int32_t id);
void tr_hook_wait_flag_mte3_s(int32_t id);
void tr_hook_set_flag_mte3_v(int32_t id);
void tr_hook_wait_flag_mte3_v(int32_t id);
void tr_hook_set_flag_mte3_m(int32_t id);
void tr_hook_wait_flag_mte3_m(int32_t id);
void tr_hook_set_flag_mte3_mte1(int32_t id);
void tr_hook_wait_flag_mte3_mte1(int32_t id);
void tr_hook_set_flag_mte3_mte2(int32_t id);
void tr_hook_wait_flag_mte3_mte2(int32_t id);
void tr_hook_set_flag_mte3_fix(int32_t id);
void tr_hook_wait_flag_mte3_fix(int32_t id);
void tr_hook_set_flag_fix_s(int32_t id);
void tr_hook_wait_flag_fix_s(int32_t id);
void tr_hook_set_flag_fix_v(int32_t id);
void tr_hook_wait_flag_fix_v(int32_t id);
void tr_hook_set_flag_fix_m(int32_t id);
void tr_hook_wait_flag_fix_m(int32_t id);
void tr_hook_set_flag_fix_mte1(int32_t id);
void tr_hook_wait_flag_fix_mte1(int32_t id);
void tr_hook_set_flag_fix_mte2(int32_t id);
void tr_hook_wait_flag_fix_mte2(int32_t id);
void tr_hook_set_flag_fix_mte3(int32_t id);
void tr_hook_wait_flag_fix_mte3(int32_t id);

#ifdef __cplusplus
}
#endif

/* X(set hook, wait hook, source pipe code, destination pipe code) for each pair of pipes. */
#define TR_FWK_FLAG_PAIRS(X) \
    X(tr_hook_set_flag_s_v, tr_hook_wait_flag_s_v, 0, 1) \
    X(tr_hook_set_flag_s_m, tr_hook_wait_flag_s_m, 0, 2) \
    X(tr_hook_set_flag_s_mte1, tr_hook_wait_flag_s_mte1, 0, 3) \
    X(tr_hook_set_flag_s_mte2, tr_hook_wait_flag_s_mte2, 0, 4) \
    X(tr_hook_set_flag_s_mte3, tr_hook_wait_flag_s_mte3, 0, 5) \
    X(tr_hook_set_flag_s_fix, tr_hook_wait_flag_s_fix, 0, 10) \
    X(tr_hook_set_flag_v_s, tr_hook_wait_flag_v_s, 1, 0) \
    X(tr_hook_set_flag_v_m, tr_hook_wait_flag_v_m, 1, 2) \
    X(tr_hook_set_flag_v_mte1, tr_hook_wait_flag_v_mte1, 1, 3) \
    X(tr_hook_set_flag_v_mte2, tr_hook_wait_flag_v_mte2, 1, 4) \
    X(tr_hook_set_flag_v_mte3, tr_hook_wait_flag_v_mte3, 1, 5) \
    X(tr_hook_set_flag_v_fix, tr_hook_wait_flag_v_fix, 1, 10) \
    X(tr_hook_set_flag_m_s, tr_hook_wait_flag_m_s, 2, 0) \
    X(tr_hook_set_flag_m_v, tr_hook_wait_flag_m_v, 2, 1) \
    X(tr_hook_set_flag_m_mte1, tr_hook_wait_flag_m_mte1, 2, 3) \
    X(tr_hook_set_flag_m_mte2, tr_hook_wait_flag_m_mte2, 2, 4) \
    X(tr_hook_set_flag_m_mte3, tr_hook_wait_flag_m_mte3, 2, 5) \
    X(tr_hook_set_flag_m_fix, tr_hook_wait_flag_m_fix, 2, 10) \
    X(tr_hook_set_flag_mte1_s, tr_hook_wait_flag_mte1_s, 3, 0) \
    X(tr_hook_set_flag_mte1_v, tr_hook_wait_flag_mte1_v, 3, 1) \
    X(tr_hook_set_flag_mte1_m, tr_hook_wait_flag_mte1_m, 3, 2) \
    X(tr_hook_set_flag_mte1_mte2, tr_hook_wait_flag_mte1_mte2, 3, 4) \
    X(tr_hook_set_flag_mte1_mte3, tr_hook_wait_flag_mte1_mte3, 3, 5) \
    X(tr_hook_set_flag_mte1_fix, tr_hook_wait_flag_mte1_fix, 3, 10) \
    X(tr_hook_set_flag_mte2_s, tr_hook_wait_flag_mte2_s, 4, 0) \
    X(tr_hook_set_flag_mte2_v, tr_hook_wait_flag_mte2_v, 4, 1) \
    X(tr_hook_set_flag_mte2_m, tr_hook_wait_flag_mte2_m, 4, 2) \
    X(tr_hook_set_flag_mte2_mte1, tr_hook_wait_flag_mte2_mte1, 4, 3) \
    X(tr_hook_set_flag_mte2_mte3, tr_hook_wait_flag_mte2_mte3, 4, 5) \
    X(tr_hook_set_flag_mte2_fix, tr_hook_wait_flag_mte2_fix, 4, 10) \
    X(tr_hook_set_flag_mte3_s, tr_hook_wait_flag_mte3_s, 5, 0) \
    X(tr_hook_set_flag_mte3_v, tr_hook_wait_flag_mte3_v, 5, 1) \
    X(tr_hook_set_flag_mte3_m, tr_hook_wait_flag_mte3_m, 5, 2) \
    X(tr_hook_set_flag_mte3_mte1, tr_hook_wait_flag_mte3_mte1, 5, 3) \
    X(tr_hook_set_flag_mte3_mte2, tr_hook_wait_flag_mte3_mte2, 5, 4) \
    X(tr_hook_set_flag_mte3_fix, tr_hook_wait_flag_mte3_fix, 5, 10) \
    X(tr_hook_set_flag_fix_s, tr_hook_wait_flag_fix_s, 10, 0) \
    X(tr_hook_set_flag_fix_v, tr_hook_wait_flag_fix_v, 10, 1) \
    X(tr_hook_set_flag_fix_m, tr_hook_wait_flag_fix_m, 10, 2) \
    X(tr_hook_set_flag_fix_mte1, tr_hook_wait_flag_fix_mte1, 10, 3) \
    X(tr_hook_set_flag_fix_mte2, tr_hook_wait_flag_fix_mte2, 10, 4) \
    X(tr_hook_set_flag_fix_mte3, tr_hook_wait_flag_fix_mte3, 10, 5)

/* X(hook, pipe code) for each barrier. */
#define TR_FWK_BARRIERS(X) \
    X(tr_hook_barrier_v, 1) \
    X(tr_hook_barrier_m, 2) \
    X(tr_hook_barrier_mte1, 3) \
    X(tr_hook_barrier_mte2, 4) \
    X(tr_hook_barrier_mte3, 5) \
    X(tr_hook_barrier_all, 6) \
    X(tr_hook_barrier_fix, 10)

/* X(name, code, text) for each error. */
#define TR_FWK_ERRORS(X) \
    X(NO_FREE_BUFFER, 1, "AllocTensor found no free buffer in the queue: free a tensor first, or give InitBuffer more buffers") \
    X(QUEUE_FULL, 2, "EnQue on a queue that already holds as many tensors as its depth: DeQue first, or declare a greater depth") \
    X(NULL_HEAD, 3, "DeQue on a queue that never held a tensor: EnQue first") \
    X(QUEUE_EMPTY, 4, "DeQue on an empty queue: every DeQue needs one EnQue before it") \
    X(NOT_ENQUEUED, 5, "DeQue of a buffer that is not enqueued: EnQue it first") \
    X(ALREADY_FREE, 6, "FreeTensor of a buffer that is free: each AllocTensor allows one FreeTensor") \
    X(FOREIGN_BUFFER, 7, "the tensor's buffer belongs to another queue: use the queue it was allocated from") \
    X(BAD_ENQUE_STATE, 8, "EnQue of a tensor that is free or already enqueued: EnQue a tensor once after AllocTensor or DeQue") \
    X(NO_EVENT_ID, 9, "all 8 event ids of this class are taken: keep fewer tensors in flight or release ids that were allocated by hand") \
    X(BAD_EVENT_ID, 10, "the event id is not one of 0..7") \
    X(BAD_FLAG_ID, 11, "the id given to SetFlag or WaitFlag is not one of 0..7") \
    X(BAD_SYNC_ID, 12, "the id given to TQueSync is not one of 0..7") \
    X(TOO_MANY_BUFFERS, 13, "a pipe manages at most 64 buffers in total (each TBuf counts as one): use fewer or larger buffers") \
    X(BAD_BUFFER_COUNT, 14, "the number of buffers of one InitBuffer must be 1..64") \
    X(BAD_LENGTH, 15, "the length must be positive and fit the memory") \
    X(BAD_TOTAL_LENGTH, 16, "number of buffers times length does not fit the memory") \
    X(MEMORY_FULL, 17, "the buffers of this pipe do not fit the memory: make them smaller or use fewer") \
    X(ZERO_LENGTH, 18, "the length must be positive") \
    X(TBUF_TOO_SHORT, 19, "TBuf Get asks for more bytes than InitBuffer gave the TBuf") \
    X(TBUF_UNALIGNED, 20, "TBuf Get asks for a byte count that is not a multiple of 32") \
    X(UNKNOWN_POSITION, 21, "this logical position cannot hold the object") \
    X(TBUF_COUNT, 22, "a TBuf takes exactly one buffer") \
    X(L1_HITS_TSCM, 23, "L1 buffers would grow into the TSCM buffers at the end of L1: make one of them smaller") \
    X(TSCM_HITS_L1, 24, "TSCM buffers would grow down into the L1 buffers: make one of them smaller") \
    X(TSCM_TOO_LARGE, 25, "a TSCM queue must be smaller than L1") \
    X(POOL_FULL, 26, "the request does not fit what is left of the pool (after Reset a pool must be given memory again with InitBufPool)") \
    X(POOL_MEMORY_MISMATCH, 27, "queue or TBuf and pool are in different memories") \
    X(SHARE_MEMORY_MISMATCH, 28, "both pools must be in the same memory") \
    X(SHARE_TOO_LONG, 29, "the pool asks for more than the shared pool holds") \
    X(POOL_TOO_MANY_BUFFERS, 30, "the pool has no buffer record left: declare TBufPool with a larger record count (default 4, at most 16)") \
    X(MEMORY_IS_GM, 31, "the buffers of this queue would be in global memory, which the pipe does not manage") \
    X(PIPE_EXISTS, 32, "another TPipe is alive on this core: one TPipe at a time, Destroy it before the next") \
    X(CONFIG_COUNT, 33, "the number of buffers differs from the compile-time count of the queue") \
    X(CONFIG_LENGTH, 34, "the buffer length differs from the compile-time length of the queue") \
    X(USER_EVENT_MISMATCH, 35, "DeQue waits for another event than EnQue set: use the same positions in both") \
    X(EVENT_PENDING, 36, "FreeAllEvent while a tensor is still enqueued: DeQue it first") \
    X(NOT_SUPPORTED, 37, "not available on this architecture") \
    X(NULL_HANDLE, 38, "the tensor has no buffer behind it") \
    X(NOT_INITIALISED, 39, "the queue, TBuf or pool has no buffers: call InitBuffer first") \
    X(LOOP_EVENT, 40, "a loop queue got a buffer last freed by a queue that is not its partner") \
    X(BAD_SUB_BLOCK, 41, "the sub-block index must be 0 or 1") \
    X(SHARE_WINDOW, 42, "the shared window is longer than the one first recorded") \
    X(ADDRESS_BEYOND, 43, "address plus length is beyond the end of the memory") \
    X(BARRIER_SCALAR, 44, "there is no barrier on the scalar pipe") \
    X(NO_SUCH_EVENT, 45, "the event does not exist") \
    X(NOT_UB, 46, "only tensors in the unified buffer can be spilled") \
    X(FREE_WHILE_ENQUEUED, 100, "FreeTensor of a tensor that is still in the queue: DeQue it first") \
    X(TBUF_OFFSET_BEYOND, 101, "GetWithOffset reaches beyond the end of the TBuf") \
    X(EVENT_NOT_ON_CORE, 102, "this core has no such event: the queue or event belongs to the other kind of core (cube or vector)") \
    X(FLAG_NEVER_WAITED, 103, "on this core the flag is set but nothing waits for it, so the next set of the same flag breaks the core") \
    X(FLAG_STILL_SET, 104, "this flag is still set from a tensor that was enqueued when the TPipe was reset: DeQue and free all tensors before Reset") \
    X(STALE_EVENT, 105, "the buffer's event id is from before the TPipe was reset: reset pools before the pipe") \
    X(QUEUE_LIVE, 106, "InitBuffer again on an in-place queue (depth 0) that is in use: its event ids would be lost") \
    X(POOL_GONE, 107, "the pool that held this queue's buffers has been destroyed") \
    X(IN_PLACE_POOL, 108, "an in-place queue (depth 0) cannot take its buffers from a pool or from TSCM: it would never get event ids") \
    X(NO_PIPE, 109, "there is no TPipe: construct one before using queues") \
    X(BAD_DEPTH, 110, "a queue's depth must be 0..64") \
    X(BAD_ARGUMENT, 111, "a position, event, pipe or core number is out of range") \
    X(PIPE_DESTROYED, 112, "the TPipe has been destroyed: call Init before using it again") \
    X(TENSOR_LEAKED, 113, "a tensor was dropped without EnQue or FreeTensor: its buffer can never be allocated again")

#endif
