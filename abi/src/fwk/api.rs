//! Every function `device-lib` exports and every hook it calls, once, as data.
//!
//! Conventions of the functions:
//! * `pipe` is the pipe that is current on this core (the one last given to `tr_hook_set_pipe_ptr`); it may be null
//!   where no pipe exists, then only `tr_hook_fault` hears of a misuse.
//! * A `uint32_t` result called *code* is 0 or a [`FwkError`](super::FwkError) code. A null record is a refusal too.
//!   A refused call has changed nothing but the error fields of the pipe.
//! * Positions, events, memories and cores are the numbers of [`super::target`]; pipes those of
//!   [`Pipe`].
//!
//! [`fwk_functions!`](crate::fwk_functions), [`fwk_hooks!`](crate::fwk_hooks) and
//! [`fwk_flag_pairs!`](crate::fwk_flag_pairs) hand the lists to a macro of yours.

use super::state::{TrAddrLen, TrBuf, TrBufPool, TrPipe, TrQue, TrRecord, TrTensor};
use crate::isa::Pipe;
use crate::layout::{CType, CTyped};

/// One function with its C types.
#[derive(Debug, Clone, Copy)]
pub struct Signature {
    /// Symbol.
    pub name: &'static str,
    /// Result.
    pub result: CType,
    /// Names and types of the parameters.
    pub params: &'static [(&'static str, CType)],
    /// What it does, one line per element.
    pub doc: &'static [&'static str],
}

/// The two hooks of one ordered pair of pipes.
#[derive(Debug, Clone, Copy)]
pub struct FlagPair {
    /// Pipe that sets.
    pub src: Pipe,
    /// Pipe that waits.
    pub dst: Pipe,
    /// Symbol that sets: `void name(int32_t id)`.
    pub set: &'static str,
    /// Symbol that waits: `void name(int32_t id)`.
    pub wait: &'static str,
}

/// Hands the exported functions to macro `$with`, as `#[doc] fn name(arg: Type, …) -> Type;` items.
#[macro_export]
macro_rules! fwk_functions {
    ($with:ident) => { $with! {
        /// Sets up a TPipe and makes it current: registers, then Init. `core`: TR_FWK_CORE_*, `checks`: TR_FWK_CHECK_*.
        /// Refused while another pipe is alive; the new one then counts as destroyed.
        fn tr_pipe_construct(pipe: *mut TrPipe, core: u32, checks: u32) -> u32;
        /// Init: clears marks, ids and records, makes the pipe current. For use after Destroy.
        fn tr_pipe_init(pipe: *mut TrPipe) -> u32;
        /// Reset: waits for the free flags of free buffers, sets up registers, clears.
        fn tr_pipe_reset(pipe: *mut TrPipe) -> u32;
        /// Destroy: waits for all free flags, then a barrier on all pipes.
        fn tr_pipe_destroy(pipe: *mut TrPipe) -> u32;
        /// DestroyWithoutPipeAll: Destroy without the barrier.
        fn tr_pipe_destroy_without_pipe_all(pipe: *mut TrPipe) -> u32;
        /// Destructor: Destroy unless destroyed.
        fn tr_pipe_drop(pipe: *mut TrPipe) -> u32;
        /// InitBuffer(queue, num, len): num buffers of len bytes, rounded up to 32.
        fn tr_pipe_init_que(pipe: *mut TrPipe, que: *mut TrQue, num: u32, length_bytes: u32) -> u32;
        /// InitBuffer(queue, {addr, len}...): buffers where the caller says.
        fn tr_pipe_init_que_addrs(pipe: *mut TrPipe, que: *mut TrQue, list: *const TrAddrLen, num: u32) -> u32;
        /// InitBuffer(tbuf, len).
        fn tr_pipe_init_buf(pipe: *mut TrPipe, buf: *mut TrBuf, length_bytes: u32) -> u32;
        /// InitBufPool(pool, len).
        fn tr_pipe_init_pool(pipe: *mut TrPipe, pool: *mut TrBufPool, length_bytes: u32) -> u32;
        /// InitBufPool(pool, len, shared): the memory of `shared` again.
        fn tr_pipe_init_pool_shared(pipe: *mut TrPipe, pool: *mut TrBufPool, length_bytes: u32, shared: *mut TrBufPool) -> u32;
        /// AllocEventID of class `event`; the id, -1 when refused.
        fn tr_pipe_alloc_event_id(pipe: *mut TrPipe, event: u32) -> i32;
        /// FetchEventID: the id AllocEventID would return, not reserved.
        fn tr_pipe_fetch_event_id(pipe: *mut TrPipe, event: u32) -> i32;
        /// ReleaseEventID.
        fn tr_pipe_release_event_id(pipe: *mut TrPipe, event: u32, id: i32) -> u32;
        /// GetAbsAddr: a tensor at an absolute offset of a position's memory.
        fn tr_pipe_abs_addr(pipe: *mut TrPipe, position: u32, address_bytes: u32, length_bytes: u32, out: *mut TrTensor) -> u32;
        /// GetQueueEndAddress: next free byte of UB.
        fn tr_pipe_que_end(pipe: *mut TrPipe) -> u32;
        /// PopStackBuffer(tensor): all of UB that no buffer uses; nothing is reserved.
        fn tr_pipe_pop_stack_tensor(pipe: *mut TrPipe, position: u32, out: *mut TrTensor) -> u32;
        /// PopStackBuffer(tbuf, record): the same through an external record.
        fn tr_pipe_pop_stack_buf(pipe: *mut TrPipe, buf: *mut TrBuf, record: *mut TrRecord) -> u32;
        /// InitShareBufStart: window of the matrix macro in L1, L0C (2002: and UB).
        fn tr_pipe_share_start(pipe: *mut TrPipe, mode: u32, l1_bytes: u32, l0c_bytes: u32, ub_bytes: u32, sub_block: u32) -> u32;
        /// InitShareBufEnd.
        fn tr_pipe_share_end(pipe: *mut TrPipe) -> u32;
        /// InitSpmBuffer in GM.
        fn tr_pipe_spill_init_gm(pipe: *mut TrPipe, gm_address: u64, length_bytes: u32) -> u32;
        /// InitSpmBuffer in L1 (2002 only).
        fn tr_pipe_spill_init_l1(pipe: *mut TrPipe, length_bytes: u32) -> u32;
        /// WriteSpmBuffer(tensor, DataCopyParams, offset): counts in 32-byte blocks, offset in bytes.
        fn tr_pipe_spill_write(pipe: *mut TrPipe, ub_address_bytes: u32, block_count: u32, block_len: u32, src_stride: u32, dst_stride: u32, offset_bytes: u32) -> u32;
        /// ReadSpmBuffer(tensor, DataCopyParams, offset).
        fn tr_pipe_spill_read(pipe: *mut TrPipe, ub_address_bytes: u32, block_count: u32, block_len: u32, src_stride: u32, dst_stride: u32, offset_bytes: u32) -> u32;
        /// First misuse since construction or the last clear: a code, 0 none.
        fn tr_pipe_error(pipe: *mut TrPipe) -> u32;
        /// Forgets the misuse.
        fn tr_pipe_clear_error(pipe: *mut TrPipe) -> u32;

        /// Declares a queue from position `src` to `dst`. `config`: TR_FWK_QUE_* bits; `config_num` and
        /// `config_length_bytes`: compile-time count and length, 0 none. `depth` 0..64.
        fn tr_que_construct(que: *mut TrQue, core: u32, src: u32, dst: u32, depth: u32, config: u32, config_num: u32, config_length_bytes: u32) -> u32;
        /// Declares the one-position queue TQue<position, depth>.
        fn tr_que_construct_at(que: *mut TrQue, core: u32, position: u32, depth: u32, config: u32, config_num: u32, config_length_bytes: u32) -> u32;
        /// AllocTensor / AllocBuffer: a free record, or null. Waits for its free flag.
        fn tr_que_alloc(pipe: *mut TrPipe, que: *mut TrQue) -> *mut TrRecord;
        /// EnQue of a record.
        fn tr_que_enque(pipe: *mut TrPipe, que: *mut TrQue, record: *mut TrRecord) -> u32;
        /// DeQue, depth > 0: the oldest record, or null. Waits for its enqueue flag.
        fn tr_que_deque(pipe: *mut TrPipe, que: *mut TrQue) -> *mut TrRecord;
        /// DeQue(tensor), depth 0: waits for the enqueue flag of this record.
        fn tr_que_deque_in_place(pipe: *mut TrPipe, que: *mut TrQue, record: *mut TrRecord) -> u32;
        /// FreeTensor / FreeBuffer.
        fn tr_que_free(pipe: *mut TrPipe, que: *mut TrQue, record: *mut TrRecord) -> u32;
        /// EnQue<src, dst>: the event of that pair of positions.
        fn tr_que_enque_explicit(pipe: *mut TrPipe, que: *mut TrQue, record: *mut TrRecord, src: u32, dst: u32) -> u32;
        /// DeQue<src, dst>.
        fn tr_que_deque_explicit(pipe: *mut TrPipe, que: *mut TrQue, src: u32, dst: u32) -> *mut TrRecord;
        /// FreeAllEvent: waits for the free flags of all records.
        fn tr_que_free_all_event(pipe: *mut TrPipe, que: *mut TrQue) -> u32;
        /// VacantInQue: 1 if another tensor may be enqueued.
        fn tr_que_vacant(que: *mut TrQue) -> u32;
        /// HasTensorInQue.
        fn tr_que_has_tensor(que: *mut TrQue) -> u32;
        /// GetTensorCountInQue.
        fn tr_que_tensor_count(que: *mut TrQue) -> u32;
        /// HasIdleBuffer.
        fn tr_que_has_idle_buffer(que: *mut TrQue) -> u32;
        /// GetState: 0 free, 1 occupied. A null record is free.
        fn tr_que_state(pipe: *mut TrPipe, que: *mut TrQue, record: *mut TrRecord) -> u32;
        /// The state the public CPU-debug build reports: 0 free, 1 occupied, 2 enqueued, 3 dequeued.
        fn tr_que_tracked_state(pipe: *mut TrPipe, que: *mut TrQue, record: *mut TrRecord) -> u32;
        /// GetBufferAddr: the tensor of a record of this queue.
        fn tr_que_tensor(pipe: *mut TrPipe, que: *mut TrQue, record: *mut TrRecord, out: *mut TrTensor) -> u32;
        /// InitStartBufHandle (custom pools).
        fn tr_que_init_start(pipe: *mut TrPipe, que: *mut TrQue, record: *mut TrRecord, num: u32, length_bytes: u32) -> u32;
        /// InitBufHandle (custom pools): sets up one record of the queue.
        fn tr_que_init_handle(pipe: *mut TrPipe, que: *mut TrQue, record: *mut TrRecord, address_bytes: u32, length_bytes: u32) -> u32;

        /// Declares a TBuf.
        fn tr_buf_construct(buf: *mut TrBuf, core: u32, position: u32) -> u32;
        /// Get<T>(elements); `bits` = 4, 8, 16, 32 or 64 per element.
        fn tr_buf_get(pipe: *mut TrPipe, buf: *mut TrBuf, elements: u32, bits: u32, out: *mut TrTensor) -> u32;
        /// Get<T>(): the whole TBuf. Also AllocTensor and DeQue.
        fn tr_buf_get_all(pipe: *mut TrPipe, buf: *mut TrBuf, bits: u32, out: *mut TrTensor) -> u32;
        /// GetWithOffset<T>(elements, offset).
        fn tr_buf_get_with_offset(pipe: *mut TrPipe, buf: *mut TrBuf, elements: u32, bits: u32, offset_bytes: u32, out: *mut TrTensor) -> u32;
        /// DeQue() of a TBuf: its record at full length, or null.
        fn tr_buf_deque(pipe: *mut TrPipe, buf: *mut TrBuf) -> *mut TrRecord;
        /// GetBufferAddr of a TBuf: the tensor of its record as it is.
        fn tr_buf_tensor(pipe: *mut TrPipe, buf: *mut TrBuf, out: *mut TrTensor) -> u32;
        /// GetState of a tensor of a TBuf. A null record is free.
        fn tr_buf_state(pipe: *mut TrPipe, buf: *mut TrBuf, record: *mut TrRecord) -> u32;
        /// InitStartBufHandle of a TBuf (custom pools).
        fn tr_buf_init_start(pipe: *mut TrPipe, buf: *mut TrBuf, record: *mut TrRecord, num: u32, length_bytes: u32) -> u32;
        /// InitBufHandle of a TBuf (custom pools).
        fn tr_buf_init_handle(pipe: *mut TrPipe, buf: *mut TrBuf, record: *mut TrRecord, address_bytes: u32, length_bytes: u32) -> u32;

        /// Declares a pool over `capacity` records (at most 16) that live as long as the pool. `custom`: 1 for the pool macro.
        fn tr_pool_construct(pool: *mut TrBufPool, core: u32, position: u32, records: *mut TrRecord, capacity: u32, custom: u32) -> u32;
        /// InitBuffer(queue, num, len) from a pool.
        fn tr_pool_init_que(pipe: *mut TrPipe, pool: *mut TrBufPool, que: *mut TrQue, num: u32, length_bytes: u32) -> u32;
        /// InitBuffer(tbuf, len) from a pool.
        fn tr_pool_init_buf(pipe: *mut TrPipe, pool: *mut TrBufPool, buf: *mut TrBuf, length_bytes: u32) -> u32;
        /// InitBufPool(child, len).
        fn tr_pool_init_pool(pipe: *mut TrPipe, pool: *mut TrBufPool, child: *mut TrBufPool, length_bytes: u32) -> u32;
        /// InitBufPool(child, len, shared).
        fn tr_pool_init_pool_shared(pipe: *mut TrPipe, pool: *mut TrBufPool, child: *mut TrBufPool, length_bytes: u32, shared: *mut TrBufPool) -> u32;
        /// Reset: waits for the free flags of its records, gives the memory up.
        fn tr_pool_reset(pipe: *mut TrPipe, pool: *mut TrBufPool) -> u32;
        /// Destructor: Reset; the pool's queues are refused from now on.
        fn tr_pool_drop(pipe: *mut TrPipe, pool: *mut TrBufPool) -> u32;
        /// Init of a custom pool.
        fn tr_pool_init(pool: *mut TrBufPool) -> u32;
        /// GetBufHandle(index) of a custom pool, or null.
        fn tr_pool_record(pipe: *mut TrPipe, pool: *mut TrBufPool, index: u32) -> *mut TrRecord;

        /// SetFlag<event>(id).
        fn tr_set_flag(pipe: *mut TrPipe, core: u32, event: u32, id: i32) -> u32;
        /// WaitFlag<event>(id).
        fn tr_wait_flag(pipe: *mut TrPipe, core: u32, event: u32, id: i32) -> u32;
        /// PipeBarrier<on>().
        fn tr_pipe_barrier(pipe: *mut TrPipe, core: u32, on: u32) -> u32;
        /// TQueSync<src, dst>::SetFlag(id).
        fn tr_sync_set(pipe: *mut TrPipe, src: u32, dst: u32, id: i32) -> u32;
        /// TQueSync<src, dst>::WaitFlag(id).
        fn tr_sync_wait(pipe: *mut TrPipe, src: u32, dst: u32, id: i32) -> u32;
        /// User tag of a tensor's record; null is refused (answer -1).
        fn tr_record_user_tag(pipe: *mut TrPipe, record: *mut TrRecord) -> i32;
        /// Sets the user tag.
        fn tr_record_set_user_tag(pipe: *mut TrPipe, record: *mut TrRecord, tag: i32) -> u32;
    } };
}

/// Hands the hooks other than flags to macro `$with`, in the form of [`fwk_functions!`](crate::fwk_functions).
/// The kernel's shim defines them; they must not call back into the library.
#[macro_export]
macro_rules! fwk_hooks {
    ($with:ident) => { $with! {
        /// Barrier on V.
        fn tr_hook_barrier_v();
        /// Barrier on M.
        fn tr_hook_barrier_m();
        /// Barrier on MTE1.
        fn tr_hook_barrier_mte1();
        /// Barrier on MTE2.
        fn tr_hook_barrier_mte2();
        /// Barrier on MTE3.
        fn tr_hook_barrier_mte3();
        /// Barrier on FIX.
        fn tr_hook_barrier_fix();
        /// Barrier on every pipe.
        fn tr_hook_barrier_all();
        /// set_atomic_none.
        fn tr_hook_set_atomic_none();
        /// set_mask_norm.
        fn tr_hook_set_mask_norm();
        /// Size of the 3-D L1 feature map register.
        fn tr_hook_set_l1_3d_size(value: u64);
        /// Padding register.
        fn tr_hook_set_padding(value: u64);
        /// Vector mask.
        fn tr_hook_set_vector_mask(high: u64, low: u64);
        /// Flush of the whole data cache (2002).
        fn tr_hook_dcci();
        /// Copy UB to GM; addresses in bytes (UB as offset), counts in 32-byte blocks.
        fn tr_hook_copy_ub_to_gm(gm_address: u64, ub_address_bytes: u32, block_count: u32, block_len: u32, src_stride: u32, dst_stride: u32);
        /// Copy GM to UB.
        fn tr_hook_copy_gm_to_ub(ub_address_bytes: u32, gm_address: u64, block_count: u32, block_len: u32, src_stride: u32, dst_stride: u32);
        /// Copy UB to L1 (2002).
        fn tr_hook_copy_ub_to_l1(l1_address_bytes: u32, ub_address_bytes: u32, block_count: u32, block_len: u32, src_stride: u32, dst_stride: u32);
        /// Copy L1 to UB (2002).
        fn tr_hook_copy_l1_to_ub(ub_address_bytes: u32, l1_address_bytes: u32, block_count: u32, block_len: u32, src_stride: u32, dst_stride: u32);
        /// Sub-blocks (AIV cores) that share an L1.
        fn tr_hook_sub_block_num() -> u32;
        /// Index of this sub-block.
        fn tr_hook_sub_block_idx() -> u32;
        /// The pipe that GetTPipePtr returns from now on. Never cleared.
        fn tr_hook_set_pipe_ptr(pipe: *mut TrPipe);
        /// The pipe that is alive on this core, or null: written at Init (the pipe) and Destroy (null).
        fn tr_hook_set_live_pipe(pipe: *mut TrPipe);
        /// The value last given to tr_hook_set_live_pipe on this core, null before.
        fn tr_hook_live_pipe() -> *mut TrPipe;
        /// A number not 0 and not given before on this core; 0 if the shim cannot count.
        fn tr_hook_next_serial() -> u32;
        /// A misuse: TR_FWK_ERROR_* code, address of the object it was done to (queue, TBuf, pool, pipe; 0 none),
        /// memory (TR_FWK_MEMORY_*), what was asked and the limit (unit depends on the code). May not return.
        fn tr_hook_fault(code: u32, object: u64, memory: u32, asked: u64, limit: u64);
        /// InitBuffer or InitBufPool gave `object` (kind: 0 queue, 1 TBuf, 2 pool; + 16 where the kernel named the place) `num` buffers of
        /// `length_bytes` from `address_bytes` on.
        fn tr_hook_note_buffer(kind: u32, object: u64, memory: u32, address_bytes: u32, length_bytes: u32, num: u32);
        /// Init (event 0), Reset (1) or Destroy (2) of the pipe: all its buffers are gone.
        fn tr_hook_note_pipe(event: u32, pipe: u64);
        /// Reset of a pool: the `length_bytes` from `address_bytes` on that it held are not its any more.
        fn tr_hook_note_pool_reset(pool: u64, memory: u32, address_bytes: u32, length_bytes: u32);
        /// Done, for queues initialised (and for the first tensor of a TBuf that is used, as alloc) while TrPipe.note_ops is 1. op: 0 alloc, 1 enque, 2 deque, 3 free; + TR_FWK_EVENT_* << 8 for enque.
        fn tr_hook_note_op(op: u32, object: u64, memory: u32, address_bytes: u32, length_bytes: u32);
    } };
}

/// Hands every ordered pair of different pipes to macro `$with`: `(Src, Dst, set symbol, wait symbol);` rows.
#[macro_export]
macro_rules! fwk_flag_pairs {
    ($with:ident) => {
        $with! {
            (S, V, tr_hook_set_flag_s_v, tr_hook_wait_flag_s_v);
            (S, M, tr_hook_set_flag_s_m, tr_hook_wait_flag_s_m);
            (S, Mte1, tr_hook_set_flag_s_mte1, tr_hook_wait_flag_s_mte1);
            (S, Mte2, tr_hook_set_flag_s_mte2, tr_hook_wait_flag_s_mte2);
            (S, Mte3, tr_hook_set_flag_s_mte3, tr_hook_wait_flag_s_mte3);
            (S, Fix, tr_hook_set_flag_s_fix, tr_hook_wait_flag_s_fix);
            (V, S, tr_hook_set_flag_v_s, tr_hook_wait_flag_v_s);
            (V, M, tr_hook_set_flag_v_m, tr_hook_wait_flag_v_m);
            (V, Mte1, tr_hook_set_flag_v_mte1, tr_hook_wait_flag_v_mte1);
            (V, Mte2, tr_hook_set_flag_v_mte2, tr_hook_wait_flag_v_mte2);
            (V, Mte3, tr_hook_set_flag_v_mte3, tr_hook_wait_flag_v_mte3);
            (V, Fix, tr_hook_set_flag_v_fix, tr_hook_wait_flag_v_fix);
            (M, S, tr_hook_set_flag_m_s, tr_hook_wait_flag_m_s);
            (M, V, tr_hook_set_flag_m_v, tr_hook_wait_flag_m_v);
            (M, Mte1, tr_hook_set_flag_m_mte1, tr_hook_wait_flag_m_mte1);
            (M, Mte2, tr_hook_set_flag_m_mte2, tr_hook_wait_flag_m_mte2);
            (M, Mte3, tr_hook_set_flag_m_mte3, tr_hook_wait_flag_m_mte3);
            (M, Fix, tr_hook_set_flag_m_fix, tr_hook_wait_flag_m_fix);
            (Mte1, S, tr_hook_set_flag_mte1_s, tr_hook_wait_flag_mte1_s);
            (Mte1, V, tr_hook_set_flag_mte1_v, tr_hook_wait_flag_mte1_v);
            (Mte1, M, tr_hook_set_flag_mte1_m, tr_hook_wait_flag_mte1_m);
            (Mte1, Mte2, tr_hook_set_flag_mte1_mte2, tr_hook_wait_flag_mte1_mte2);
            (Mte1, Mte3, tr_hook_set_flag_mte1_mte3, tr_hook_wait_flag_mte1_mte3);
            (Mte1, Fix, tr_hook_set_flag_mte1_fix, tr_hook_wait_flag_mte1_fix);
            (Mte2, S, tr_hook_set_flag_mte2_s, tr_hook_wait_flag_mte2_s);
            (Mte2, V, tr_hook_set_flag_mte2_v, tr_hook_wait_flag_mte2_v);
            (Mte2, M, tr_hook_set_flag_mte2_m, tr_hook_wait_flag_mte2_m);
            (Mte2, Mte1, tr_hook_set_flag_mte2_mte1, tr_hook_wait_flag_mte2_mte1);
            (Mte2, Mte3, tr_hook_set_flag_mte2_mte3, tr_hook_wait_flag_mte2_mte3);
            (Mte2, Fix, tr_hook_set_flag_mte2_fix, tr_hook_wait_flag_mte2_fix);
            (Mte3, S, tr_hook_set_flag_mte3_s, tr_hook_wait_flag_mte3_s);
            (Mte3, V, tr_hook_set_flag_mte3_v, tr_hook_wait_flag_mte3_v);
            (Mte3, M, tr_hook_set_flag_mte3_m, tr_hook_wait_flag_mte3_m);
            (Mte3, Mte1, tr_hook_set_flag_mte3_mte1, tr_hook_wait_flag_mte3_mte1);
            (Mte3, Mte2, tr_hook_set_flag_mte3_mte2, tr_hook_wait_flag_mte3_mte2);
            (Mte3, Fix, tr_hook_set_flag_mte3_fix, tr_hook_wait_flag_mte3_fix);
            (Fix, S, tr_hook_set_flag_fix_s, tr_hook_wait_flag_fix_s);
            (Fix, V, tr_hook_set_flag_fix_v, tr_hook_wait_flag_fix_v);
            (Fix, M, tr_hook_set_flag_fix_m, tr_hook_wait_flag_fix_m);
            (Fix, Mte1, tr_hook_set_flag_fix_mte1, tr_hook_wait_flag_fix_mte1);
            (Fix, Mte2, tr_hook_set_flag_fix_mte2, tr_hook_wait_flag_fix_mte2);
            (Fix, Mte3, tr_hook_set_flag_fix_mte3, tr_hook_wait_flag_fix_mte3);
        }
    };
}

macro_rules! c_result {
    () => {
        CType::Void
    };
    ($ty:ty) => {
        <$ty as CTyped>::C
    };
}
macro_rules! signatures {
    ($($(#[doc = $doc:literal])* fn $name:ident($($arg:ident: $ty:ty),*) $(-> $ret:ty)?;)*) => {
        &[$(Signature {
            name: stringify!($name),
            result: c_result!($($ret)?),
            params: &[$((stringify!($arg), <$ty as CTyped>::C)),*],
            doc: &[$($doc),*],
        }),*]
    };
}
macro_rules! flag_pairs {
    ($(($src:ident, $dst:ident, $set:ident, $wait:ident);)*) => {
        &[$(FlagPair { src: Pipe::$src, dst: Pipe::$dst, set: stringify!($set), wait: stringify!($wait) }),*]
    };
}

/// Every function the library exports.
pub static FUNCTIONS: &[Signature] = fwk_functions!(signatures);
/// Every hook except the flags.
pub static HOOKS: &[Signature] = fwk_hooks!(signatures);
/// The flag hooks, two per pair.
pub static FLAG_PAIRS: &[FlagPair] = fwk_flag_pairs!(flag_pairs);
