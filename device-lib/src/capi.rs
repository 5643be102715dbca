#![allow(unsafe_code)]
//! The functions of `toprope/fwk.h`: pointers in, numbers out, over [`ExternHooks`].
//!
//! Unsafe because it is the C border: pointers become references here. Every function has the same contract, which the
//! C++ headers keep: see [`toprope_abi::fwk::api`].

use crate::extern_hooks::ExternHooks;
use crate::fwk::{
    Checked, Flags, FromState, Fwk, QueSpec, SpillShape, construct_buf, construct_pipe, construct_pool,
    construct_que, has_idle_buffer, init_pool_object, report, vacant,
};
use crate::hooks::Fault;
use toprope_abi::fwk::target::que_binding;
use toprope_abi::fwk::{
    FwkCore, FwkError, HardEvent, MemoryKind, TPosition, Target, TrAddrLen, TrBuf, TrBufPool, TrPipe, TrQue,
    TrRecord, TrTensor,
};
use toprope_abi::isa::Pipe;

/// How a result crosses the border.
pub trait Answer {
    /// The C type.
    type C;
    /// The C value.
    fn answer(result: Checked<Self>) -> Self::C
    where
        Self: Sized;
}

impl Answer for () {
    type C = u32;
    #[inline(always)]
    fn answer(result: Checked<()>) -> u32 {
        match result {
            Ok(()) => 0,
            Err(error) => error as u32,
        }
    }
}

impl Answer for u32 {
    type C = u32;
    #[inline(always)]
    fn answer(result: Checked<u32>) -> u32 {
        result.unwrap_or(0)
    }
}

impl Answer for i8 {
    type C = i32;
    #[inline(always)]
    fn answer(result: Checked<i8>) -> i32 {
        i32::from(result.unwrap_or(-1))
    }
}

impl Answer for i32 {
    type C = i32;
    #[inline(always)]
    fn answer(result: Checked<i32>) -> i32 {
        result.unwrap_or(-1)
    }
}

impl Answer for Option<&'static TrRecord> {
    type C = *mut TrRecord;
    #[inline(always)]
    fn answer(result: Checked<Self>) -> *mut TrRecord {
        match result {
            Ok(Some(record)) => core::ptr::from_ref(record).cast_mut(),
            _ => core::ptr::null_mut(),
        }
    }
}

impl Answer for &'static TrRecord {
    type C = *mut TrRecord;
    #[inline(always)]
    fn answer(result: Checked<Self>) -> *mut TrRecord {
        match result {
            Ok(record) => core::ptr::from_ref(record).cast_mut(),
            Err(_) => core::ptr::null_mut(),
        }
    }
}

/// Reports a call that has no pipe or a null object.
#[cold]
#[inline(never)]
fn refuse(pipe: Option<&TrPipe>, error: FwkError) -> FwkError {
    report(pipe, &ExternHooks, Fault { error, object: 0, memory: MemoryKind::Gm, asked: 0, limit: 0 });
    error
}

/// `number` as an enum value, or `BadArgument`.
fn known<T>(pipe: Option<&TrPipe>, value: Option<T>) -> Checked<T> {
    value.ok_or_else(|| refuse(pipe, FwkError::BadArgument))
}

/// Defines exported functions that work on a pipe: `fn name(pipe, …) -> OkType, [objects], |fwk| body`.
macro_rules! on_pipe {
    ($(fn $name:ident($($arg:ident: $ty:ty),*) -> $ok:ty, [$($object:ident),*], |$fwk:ident| $body:expr;)*) => { $(
        /// See `toprope/fwk.h`.
        ///
        /// # Safety
        /// `pipe` and the objects are null or valid, were constructed by this library and are used by this thread only;
        /// records outlive the objects that refer to them.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(pipe: *mut TrPipe, $($arg: $ty),*) -> <$ok as Answer>::C {
            // SAFETY: null or a constructed pipe of this thread, by this function's contract.
            let Some(pipe) = (unsafe { pipe.as_ref() }) else {
                return <$ok as Answer>::answer(Err(refuse(None, FwkError::NoPipe)));
            };
            $(
                // SAFETY: null or a constructed object of this thread, by this function's contract.
                let Some($object) = (unsafe { $object.as_ref() }) else {
                    return <$ok as Answer>::answer(Err(refuse(Some(pipe), FwkError::BadArgument)));
                };
            )*
            // SAFETY: this function's contract is that of `Fwk::new`.
            let $fwk = unsafe { Fwk::new(pipe, &ExternHooks) };
            <$ok as Answer>::answer($body)
        }
    )* };
}

/// Defines the hot functions: the queue is a C++ object and cannot be null, only the pipe is looked at.
macro_rules! hot {
    ($(fn $name:ident($($arg:ident: $ty:ty),*) -> $ok:ty, |$fwk:ident, $que:ident| $body:expr;)*) => { $(
        /// See `toprope/fwk.h`.
        ///
        /// # Safety
        /// `pipe` is null or a constructed pipe, `que` a constructed queue, both used by this thread only; records
        /// outlive the queue.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(pipe: *mut TrPipe, que: *mut TrQue, $($arg: $ty),*) -> <$ok as Answer>::C {
            // SAFETY: null or a constructed pipe of this thread, by this function's contract.
            let Some(pipe) = (unsafe { pipe.as_ref() }) else {
                return <$ok as Answer>::answer(Err(refuse(None, FwkError::NoPipe)));
            };
            // SAFETY: a constructed queue of this thread, by this function's contract.
            let $que = unsafe { &*que };
            // SAFETY: this function's contract is that of `Fwk::new`.
            let $fwk = unsafe { Fwk::new(pipe, &ExternHooks) };
            <$ok as Answer>::answer($body)
        }
    )* };
}

hot! {
    fn tr_que_alloc() -> Option<&'static TrRecord>, |fwk, que| Ok(fwk.alloc_as::<FromState>(que));
    fn tr_que_enque(record: *mut TrRecord) -> (), |fwk, que| fwk.enque_as::<FromState>(que, record);
    fn tr_que_deque() -> Option<&'static TrRecord>, |fwk, que| Ok(fwk.deque_as::<FromState>(que));
    fn tr_que_deque_in_place(record: *mut TrRecord) -> (), |fwk, que| fwk.deque_in_place_as::<FromState>(que, record);
    fn tr_que_free(record: *mut TrRecord) -> (), |fwk, que| fwk.free_as::<FromState>(que, record);
}

on_pipe! {
    fn tr_pipe_init() -> (), [], |fwk| fwk.init();
    fn tr_pipe_reset() -> (), [], |fwk| { fwk.reset(); Ok(()) };
    fn tr_pipe_destroy() -> (), [], |fwk| { fwk.destroy(); Ok(()) };
    fn tr_pipe_destroy_without_pipe_all() -> (), [], |fwk| { fwk.destroy_without_pipe_all(); Ok(()) };
    fn tr_pipe_drop() -> (), [], |fwk| { fwk.drop_pipe(); Ok(()) };
    fn tr_pipe_init_que(que: *mut TrQue, num: u32, length_bytes: u32) -> (), [que],
        |fwk| fwk.init_que(que, num, length_bytes);
    fn tr_pipe_init_buf(buf: *mut TrBuf, length_bytes: u32) -> (), [buf], |fwk| fwk.init_buf(buf, length_bytes);
    fn tr_pipe_init_pool(pool: *mut TrBufPool, length_bytes: u32) -> (), [pool],
        |fwk| fwk.init_pool(pool, length_bytes);
    fn tr_pipe_init_pool_shared(pool: *mut TrBufPool, length_bytes: u32, shared: *mut TrBufPool) -> (), [pool, shared],
        |fwk| fwk.init_pool_shared(pool, length_bytes, shared);
    fn tr_pipe_alloc_event_id(event: u32) -> i8, [], |fwk| fwk.alloc_event_id(event);
    fn tr_pipe_fetch_event_id(event: u32) -> i8, [], |fwk| fwk.fetch_event_id(event);
    fn tr_pipe_release_event_id(event: u32, id: i32) -> (), [], |fwk| fwk.release_event_id(event, id);
    fn tr_pipe_abs_addr(position: u32, address_bytes: u32, length_bytes: u32, out: *mut TrTensor) -> (), [out],
        |fwk| known(Some(fwk.pipe), TPosition::from_number(position))
            .and_then(|position| fwk.abs_addr(position, address_bytes, length_bytes, out));
    fn tr_pipe_que_end() -> u32, [], |fwk| Ok(fwk.mark(MemoryKind::Ub));
    fn tr_pipe_pop_stack_tensor(position: u32, out: *mut TrTensor) -> (), [out],
        |fwk| known(Some(fwk.pipe), TPosition::from_number(position))
            .and_then(|position| fwk.pop_stack_tensor(position, out));
    fn tr_pipe_pop_stack_buf(buf: *mut TrBuf, record: *mut TrRecord) -> (), [buf, record],
        |fwk| fwk.pop_stack_buf(buf, record);
    fn tr_pipe_share_start(mode: u32, l1_bytes: u32, l0c_bytes: u32, ub_bytes: u32, sub_block: u32) -> (), [],
        |fwk| fwk.share_start(mode, [l1_bytes, l0c_bytes, ub_bytes], sub_block);
    fn tr_pipe_share_end() -> (), [], |fwk| { fwk.share_end(); Ok(()) };
    fn tr_pipe_spill_init_gm(gm_address: u64, length_bytes: u32) -> (), [],
        |fwk| { fwk.spill_init_gm(gm_address, length_bytes); Ok(()) };
    fn tr_pipe_spill_init_l1(length_bytes: u32) -> (), [], |fwk| fwk.spill_init_l1(length_bytes);
    fn tr_pipe_spill_write(ub_address_bytes: u32, block_count: u32, block_len: u32, src_stride: u32, dst_stride: u32, offset_bytes: u32) -> (), [],
        |fwk| fwk.spill_write(ub_address_bytes, SpillShape { block_count, block_len, src_stride, dst_stride }, offset_bytes);
    fn tr_pipe_spill_read(ub_address_bytes: u32, block_count: u32, block_len: u32, src_stride: u32, dst_stride: u32, offset_bytes: u32) -> (), [],
        |fwk| fwk.spill_read(ub_address_bytes, SpillShape { block_count, block_len, src_stride, dst_stride }, offset_bytes);
    fn tr_pipe_error() -> u32, [], |fwk| Ok(fwk.pipe.error.get());
    fn tr_pipe_clear_error() -> (), [], |fwk| { fwk.pipe.error.set(0); fwk.pipe.error_count.set(0); Ok(()) };

    fn tr_que_enque_explicit(que: *mut TrQue, record: *mut TrRecord, src: u32, dst: u32) -> (), [que],
        |fwk| positions(fwk.pipe, src, dst).and_then(|(src, dst)| fwk.enque_explicit(que, record, src, dst));
    fn tr_que_deque_explicit(que: *mut TrQue, src: u32, dst: u32) -> &'static TrRecord, [que],
        |fwk| positions(fwk.pipe, src, dst).and_then(|(src, dst)| fwk.deque_explicit(que, src, dst));
    fn tr_que_free_all_event(que: *mut TrQue) -> (), [que], |fwk| fwk.free_all_event(que);
    fn tr_que_state(que: *mut TrQue, record: *mut TrRecord) -> u32, [que], |fwk| fwk.state(que, record);
    fn tr_que_tracked_state(que: *mut TrQue, record: *mut TrRecord) -> u32, [que],
        |fwk| fwk.tracked_state(que, record);
    fn tr_que_tensor(que: *mut TrQue, record: *mut TrRecord, out: *mut TrTensor) -> (), [que, out],
        |fwk| fwk.tensor(que, record, out);
    fn tr_que_init_start(que: *mut TrQue, record: *mut TrRecord, num: u32, _length_bytes: u32) -> (), [que, record],
        |fwk| fwk.que_init_start(que, record, num);
    fn tr_que_init_handle(que: *mut TrQue, record: *mut TrRecord, address_bytes: u32, length_bytes: u32) -> (),
        [que, record], |fwk| fwk.que_init_handle(que, record, address_bytes, length_bytes);

    fn tr_buf_get(buf: *mut TrBuf, elements: u32, bits: u32, out: *mut TrTensor) -> (), [buf, out],
        |fwk| fwk.buf_get(buf, elements, bits, out);
    fn tr_buf_get_all(buf: *mut TrBuf, bits: u32, out: *mut TrTensor) -> (), [buf, out],
        |fwk| fwk.buf_get_all(buf, bits, out);
    fn tr_buf_get_with_offset(buf: *mut TrBuf, elements: u32, bits: u32, offset_bytes: u32, out: *mut TrTensor) -> (),
        [buf, out], |fwk| fwk.buf_get_with_offset(buf, elements, bits, offset_bytes, out);
    fn tr_buf_deque(buf: *mut TrBuf) -> &'static TrRecord, [buf], |fwk| fwk.buf_deque(buf);
    fn tr_buf_tensor(buf: *mut TrBuf, out: *mut TrTensor) -> (), [buf, out], |fwk| fwk.buf_tensor(buf, out);
    fn tr_buf_state(buf: *mut TrBuf, record: *mut TrRecord) -> u32, [buf], |fwk| fwk.buf_state(buf, record);
    fn tr_buf_init_start(buf: *mut TrBuf, record: *mut TrRecord, num: u32, length_bytes: u32) -> (), [buf, record],
        |fwk| fwk.buf_init_start(buf, record, num, length_bytes);
    fn tr_buf_init_handle(buf: *mut TrBuf, record: *mut TrRecord, address_bytes: u32, length_bytes: u32) -> (),
        [buf, record], |fwk| fwk.buf_init_handle(buf, record, address_bytes, length_bytes);

    fn tr_pool_init_que(pool: *mut TrBufPool, que: *mut TrQue, num: u32, length_bytes: u32) -> (), [pool, que],
        |fwk| fwk.pool_init_que(pool, que, num, length_bytes);
    fn tr_pool_init_buf(pool: *mut TrBufPool, buf: *mut TrBuf, length_bytes: u32) -> (), [pool, buf],
        |fwk| fwk.pool_init_buf(pool, buf, length_bytes);
    fn tr_pool_init_pool(pool: *mut TrBufPool, child: *mut TrBufPool, length_bytes: u32) -> (), [pool, child],
        |fwk| fwk.init_pool_in(pool, child, length_bytes);
    fn tr_pool_init_pool_shared(pool: *mut TrBufPool, child: *mut TrBufPool, length_bytes: u32, shared: *mut TrBufPool) -> (),
        [pool, child, shared], |fwk| { let _ = pool; fwk.init_pool_shared(child, length_bytes, shared) };
    fn tr_pool_reset(pool: *mut TrBufPool) -> (), [pool], |fwk| fwk.pool_reset(pool);
    fn tr_pool_drop(pool: *mut TrBufPool) -> (), [pool], |fwk| fwk.pool_drop(pool);
    fn tr_pool_record(pool: *mut TrBufPool, index: u32) -> &'static TrRecord, [pool], |fwk| fwk.pool_record(pool, index);
}

fn positions(pipe: &TrPipe, src: u32, dst: u32) -> Checked<(TPosition, TPosition)> {
    known(Some(pipe), TPosition::from_number(src).zip(TPosition::from_number(dst)))
}

/// Constructs a pipe in memory of the caller.
///
/// # Safety
/// `pipe` is null or memory for a pipe that this thread alone uses until the pipe is dropped.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tr_pipe_construct(pipe: *mut TrPipe, core: u32, checks: u32) -> u32 {
    // SAFETY: null or memory of a pipe, by contract; every field is an integer cell and written before it is read.
    let Some(pipe) = (unsafe { pipe.as_ref() }) else { return refuse(None, FwkError::NoPipe) as u32 };
    <()>::answer(
        known(Some(pipe), FwkCore::from_number(core))
            .and_then(|core| construct_pipe(pipe, &ExternHooks, core, checks)),
    )
}

/// InitBuffer with addresses.
///
/// # Safety
/// As the other functions; `list` is null or `num` entries.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tr_pipe_init_que_addrs(
    pipe: *mut TrPipe,
    que: *mut TrQue,
    list: *const TrAddrLen,
    num: u32,
) -> u32 {
    // SAFETY: null or a constructed pipe of this thread, by contract.
    let Some(pipe) = (unsafe { pipe.as_ref() }) else { return refuse(None, FwkError::NoPipe) as u32 };
    // SAFETY: null or a constructed queue of this thread, by contract.
    let Some(que) = (unsafe { que.as_ref() }) else {
        return refuse(Some(pipe), FwkError::BadArgument) as u32;
    };
    if list.is_null() {
        return refuse(Some(pipe), FwkError::BadArgument) as u32;
    }
    // SAFETY: not null, and `num` entries by contract.
    let list = unsafe { core::slice::from_raw_parts(list, num as usize) };
    // SAFETY: this function's contract is that of `Fwk::new`.
    let fwk = unsafe { Fwk::new(pipe, &ExternHooks) };
    <()>::answer(fwk.init_que_addrs(que, list))
}

/// Defines exported functions that work on one object without a pipe.
macro_rules! on_object {
    ($(fn $name:ident($object:ident: *mut $oty:ty $(, $arg:ident: $ty:ty)*), $body:expr;)*) => { $(
        /// See `toprope/fwk.h`.
        ///
        /// # Safety
        /// The object is null, or memory for it that only this thread uses.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($object: *mut $oty $(, $arg: $ty)*) -> u32 {
            // SAFETY: null or memory of the object, by contract; every field is an integer or pointer cell.
            let Some($object) = (unsafe { $object.as_ref() }) else {
                return refuse(None, FwkError::BadArgument) as u32;
            };
            $body
        }
    )* };
}

on_object! {
    fn tr_que_construct(que: *mut TrQue, core: u32, src: u32, dst: u32, depth: u32, config: u32, config_num: u32, config_length_bytes: u32),
        declare_que(que, core, TPosition::from_number(src).zip(TPosition::from_number(dst)), depth, [config, config_num, config_length_bytes]);
    fn tr_que_construct_at(que: *mut TrQue, core: u32, position: u32, depth: u32, config: u32, config_num: u32, config_length_bytes: u32),
        declare_que(que, core, TPosition::from_number(position).map(que_binding), depth, [config, config_num, config_length_bytes]);
    fn tr_que_vacant(que: *mut TrQue), u32::from(vacant(que));
    fn tr_que_has_tensor(que: *mut TrQue), u32::from(que.used_count.get() > 0);
    fn tr_que_tensor_count(que: *mut TrQue), u32::from(que.used_count.get());
    fn tr_que_has_idle_buffer(que: *mut TrQue), u32::from(has_idle_buffer(que));
    fn tr_buf_construct(buf: *mut TrBuf, core: u32, position: u32),
        <()>::answer(known(None, FwkCore::from_number(core).zip(TPosition::from_number(position)))
            .map(|(core, position)| construct_buf(buf, &Target::of(core), position)));
    fn tr_pool_construct(pool: *mut TrBufPool, core: u32, position: u32, records: *mut TrRecord, capacity: u32, custom: u32),
        declare_pool(pool, core, position, records, capacity, custom != 0);
    fn tr_pool_init(pool: *mut TrBufPool), { init_pool_object(pool); 0 };
}

/// The core's data as a local value in each arm, which folds away: a reference to the constant would be a table in memory.
macro_rules! for_core {
    ($core:expr, |$target:ident| $body:expr) => {
        match $core {
            FwkCore::Aic2201 => {
                let $target = &Target::of(FwkCore::Aic2201);
                $body
            }
            FwkCore::Aiv2201 => {
                let $target = &Target::of(FwkCore::Aiv2201);
                $body
            }
            FwkCore::Mix2002 => {
                let $target = &Target::of(FwkCore::Mix2002);
                $body
            }
        }
    };
}

fn declare_que(
    que: &TrQue,
    core: u32,
    positions: Option<(TPosition, TPosition)>,
    depth: u32,
    config: [u32; 3],
) -> u32 {
    let [config, config_num, config_length_bytes] = config;
    let (Some(core), Some((src, dst))) = (FwkCore::from_number(core), positions) else {
        return refuse(None, FwkError::BadArgument) as u32;
    };
    let spec = QueSpec { src, dst, depth, config, config_num, config_length_bytes };
    <()>::answer(
        for_core!(core, |target| construct_que(que, target, &spec)).map_err(|error| refuse(None, error)),
    )
}

fn declare_pool(
    pool: &TrBufPool,
    core: u32,
    position: u32,
    records: *mut TrRecord,
    capacity: u32,
    custom: bool,
) -> u32 {
    let (Some(core), Some(position)) = (FwkCore::from_number(core), TPosition::from_number(position)) else {
        return refuse(None, FwkError::BadArgument) as u32;
    };
    let declared =
        for_core!(core, |target| construct_pool(pool, target, position, records, capacity, custom));
    <()>::answer(declared.map_err(|error| refuse(None, error)))
}

/// Defines the flag functions: the pipe may be null.
macro_rules! flags {
    ($(fn $name:ident($($arg:ident: $ty:ty),*), |$pipe:ident| $body:expr;)*) => { $(
        /// See `toprope/fwk.h`.
        ///
        /// # Safety
        /// `pipe` is null or a constructed pipe of this thread.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(pipe: *mut TrPipe, $($arg: $ty),*) -> u32 {
            // SAFETY: null or a constructed pipe of this thread, by contract.
            let $pipe = unsafe { pipe.as_ref() };
            <()>::answer($body)
        }
    )* };
}

flags! {
    fn tr_set_flag(core: u32, event: u32, id: i32), |pipe| flag_of(pipe, core, event)
        .and_then(|(flags, event)| flags.set_flag(event, id));
    fn tr_wait_flag(core: u32, event: u32, id: i32), |pipe| flag_of(pipe, core, event)
        .and_then(|(flags, event)| flags.wait_flag(event, id));
    fn tr_pipe_barrier(core: u32, on: u32), |pipe| known(pipe, FwkCore::from_number(core).zip(pipe_of(on)))
        .and_then(|(core, on)| Flags { pipe, hooks: &ExternHooks, core }.pipe_barrier(on));
    fn tr_sync_set(src: u32, dst: u32, id: i32), |pipe| known(pipe, pipe_of(src).zip(pipe_of(dst)))
        .and_then(|(src, dst)| Flags { pipe, hooks: &ExternHooks, core: FwkCore::Aiv2201 }.sync_set(src, dst, id));
    fn tr_sync_wait(src: u32, dst: u32, id: i32), |pipe| known(pipe, pipe_of(src).zip(pipe_of(dst)))
        .and_then(|(src, dst)| Flags { pipe, hooks: &ExternHooks, core: FwkCore::Aiv2201 }.sync_wait(src, dst, id));
}

fn flag_of<'a>(
    pipe: Option<&'a TrPipe>,
    core: u32,
    event: u32,
) -> Checked<(Flags<'a, ExternHooks>, HardEvent)> {
    let event = match HardEvent::from_number(event) {
        Some(HardEvent::Max) | None => return Err(refuse(pipe, FwkError::NoSuchEvent)),
        Some(event) => event,
    };
    let core = known(pipe, FwkCore::from_number(core))?;
    Ok((Flags { pipe, hooks: &ExternHooks, core }, event))
}

const fn pipe_of(code: u32) -> Option<Pipe> {
    Some(match code {
        0 => Pipe::S,
        1 => Pipe::V,
        2 => Pipe::M,
        3 => Pipe::Mte1,
        4 => Pipe::Mte2,
        5 => Pipe::Mte3,
        6 => Pipe::All,
        10 => Pipe::Fix,
        _ => return None,
    })
}

/// The user tag of a record.
///
/// # Safety
/// `pipe` is null or a constructed pipe, `record` null or a record, both of this thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tr_record_user_tag(pipe: *mut TrPipe, record: *mut TrRecord) -> i32 {
    // SAFETY: null or a record of this thread, by contract.
    match unsafe { record.as_ref() } {
        Some(record) => record.user_tag.get(),
        // SAFETY: null or a constructed pipe of this thread, by contract.
        None => i32::answer(Err(refuse(unsafe { pipe.as_ref() }, FwkError::NullHandle))),
    }
}

/// Sets the user tag of a record.
///
/// # Safety
/// As [`tr_record_user_tag`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tr_record_set_user_tag(pipe: *mut TrPipe, record: *mut TrRecord, tag: i32) -> u32 {
    // SAFETY: null or a record of this thread, by contract.
    match unsafe { record.as_ref() } {
        Some(record) => {
            record.user_tag.set(tag);
            0
        }
        // SAFETY: null or a constructed pipe of this thread, by contract.
        None => refuse(unsafe { pipe.as_ref() }, FwkError::NullHandle) as u32,
    }
}

/// Every function of the contract exists with exactly its types.
macro_rules! check_types {
    ($($(#[$doc:meta])* fn $name:ident($($arg:ident: $ty:ty),*) $(-> $ret:ty)?;)*) => {
        $(const _: unsafe extern "C" fn($($ty),*) $(-> $ret)? = $name;)*
    };
}
toprope_abi::fwk_functions!(check_types);
