#![allow(unsafe_code)]
//! [`Hooks`] over the C symbols `tr_hook_*` that the kernel's shim defines.
//!
//! Unsafe because calling a foreign function is. One symbol per pair of pipes: after inlining with a known event only
//! one call with constant pipes is left, which is the only form the AI Core's flag instructions have.

use crate::hooks::{BARRIER_FIX, BARRIER_V, BufferNote, Fault, Hooks, PipeEvent, QueOp, SpillCopy};
use toprope_abi::fwk::{HardEvent, MemoryKind, TrPipe, target::Effect};
use toprope_abi::isa::Pipe;

macro_rules! declare_hooks {
    ($($(#[$meta:meta])* fn $name:ident($($arg:ident: $ty:ty),*) $(-> $ret:ty)?;)*) => {
        unsafe extern "C" { $($(#[$meta])* fn $name($($arg: $ty),*) $(-> $ret)?;)* }
    };
}
toprope_abi::fwk_hooks!(declare_hooks);

macro_rules! declare_flags {
    ($(($src:ident, $dst:ident, $set:ident, $wait:ident);)*) => {
        unsafe extern "C" { $(fn $set(id: i32); fn $wait(id: i32);)* }

        /// The effect byte of each pair, under the name of its hook, so that it can be a pattern.
        #[allow(non_upper_case_globals)]
        mod pair {
            use super::{Effect, Pipe};
            $(pub(super) const $set: u8 = Effect::pair(Pipe::$src, Pipe::$dst).0;)*
            pub(super) const V_BARRIER: u8 = super::BARRIER_V.0;
            pub(super) const FIX_BARRIER: u8 = super::BARRIER_FIX.0;
        }

        /// Every set, every barrier and nothing behind one dispatch.
        #[inline(always)]
        fn dispatch_set(effect: Effect, id: i32) {
            match effect.0 {
                $(pair::$set => {
                    // SAFETY: a hook takes any id and touches no Rust object.
                    unsafe { $set(id) }
                })*
                pair::V_BARRIER => barrier(Pipe::V),
                pair::FIX_BARRIER => barrier(Pipe::Fix),
                _ => {}
            }
        }

        #[inline(always)]
        fn dispatch_wait(effect: Effect, id: i32) {
            match effect.0 {
                $(pair::$set => {
                    // SAFETY: a hook takes any id and touches no Rust object.
                    unsafe { $wait(id) }
                })*
                pair::V_BARRIER => barrier(Pipe::V),
                pair::FIX_BARRIER => barrier(Pipe::Fix),
                _ => {}
            }
        }
    };
}
toprope_abi::fwk_flag_pairs!(declare_flags);

#[inline]
fn barrier(pipe: Pipe) {
    match pipe {
        Pipe::S => {}
        // SAFETY: takes nothing, touches no Rust object.
        Pipe::V => unsafe { tr_hook_barrier_v() },
        // SAFETY: takes nothing, touches no Rust object.
        Pipe::M => unsafe { tr_hook_barrier_m() },
        // SAFETY: takes nothing, touches no Rust object.
        Pipe::Mte1 => unsafe { tr_hook_barrier_mte1() },
        // SAFETY: takes nothing, touches no Rust object.
        Pipe::Mte2 => unsafe { tr_hook_barrier_mte2() },
        // SAFETY: takes nothing, touches no Rust object.
        Pipe::Mte3 => unsafe { tr_hook_barrier_mte3() },
        // SAFETY: takes nothing, touches no Rust object.
        Pipe::Fix => unsafe { tr_hook_barrier_fix() },
        // SAFETY: takes nothing, touches no Rust object.
        Pipe::All => unsafe { tr_hook_barrier_all() },
    }
}

/// The C hooks.
#[derive(Debug, Clone, Copy, Default)]
pub struct ExternHooks;

impl Hooks for ExternHooks {
    const NOTES: bool = true;

    fn set_flag(&self, pair: Effect, id: i32) {
        self.set_effect(pair, id);
    }
    fn wait_flag(&self, pair: Effect, id: i32) {
        self.wait_effect(pair, id);
    }
    #[inline(never)]
    fn set_effect(&self, effect: Effect, id: i32) {
        dispatch_set(effect, id);
    }
    #[inline(never)]
    fn wait_effect(&self, effect: Effect, id: i32) {
        dispatch_wait(effect, id);
    }
    #[inline(always)]
    fn set_effect_fast(&self, effect: Effect, id: i32) {
        dispatch_set(effect, id);
    }
    #[inline(always)]
    fn wait_effect_fast(&self, effect: Effect, id: i32) {
        dispatch_wait(effect, id);
    }
    #[inline]
    fn barrier(&self, pipe: Pipe) {
        barrier(pipe);
    }
    fn set_atomic_none(&self) {
        // SAFETY: takes nothing, touches no Rust object.
        unsafe { tr_hook_set_atomic_none() }
    }
    fn set_mask_norm(&self) {
        // SAFETY: takes nothing, touches no Rust object.
        unsafe { tr_hook_set_mask_norm() }
    }
    fn set_l1_3d_size(&self, value: u64) {
        // SAFETY: takes any number, touches no Rust object.
        unsafe { tr_hook_set_l1_3d_size(value) }
    }
    fn set_padding(&self, value: u64) {
        // SAFETY: takes any number, touches no Rust object.
        unsafe { tr_hook_set_padding(value) }
    }
    fn set_vector_mask(&self, high: u64, low: u64) {
        // SAFETY: takes any number, touches no Rust object.
        unsafe { tr_hook_set_vector_mask(high, low) }
    }
    fn dcci(&self) {
        // SAFETY: takes nothing, touches no Rust object.
        unsafe { tr_hook_dcci() }
    }
    fn spill_copy(&self, copy: SpillCopy) {
        let SpillCopy { write, memory, address, ub_address_bytes: ub, .. } = copy;
        let SpillCopy { block_count: n, block_len: len, src_stride: ss, dst_stride: ds, .. } = copy;
        let l1 = address as u32;
        match (memory, write) {
            // SAFETY: takes numbers; the core that executes the copy checks the addresses.
            (MemoryKind::L1, true) => unsafe { tr_hook_copy_ub_to_l1(l1, ub, n, len, ss, ds) },
            // SAFETY: takes numbers; the core that executes the copy checks the addresses.
            (MemoryKind::L1, false) => unsafe { tr_hook_copy_l1_to_ub(ub, l1, n, len, ss, ds) },
            // SAFETY: takes numbers; the core that executes the copy checks the addresses.
            (_, true) => unsafe { tr_hook_copy_ub_to_gm(address, ub, n, len, ss, ds) },
            // SAFETY: takes numbers; the core that executes the copy checks the addresses.
            (_, false) => unsafe { tr_hook_copy_gm_to_ub(ub, address, n, len, ss, ds) },
        }
    }
    fn sub_block_num(&self) -> u32 {
        // SAFETY: takes nothing, touches no Rust object.
        unsafe { tr_hook_sub_block_num() }
    }
    fn sub_block_idx(&self) -> u32 {
        // SAFETY: takes nothing, touches no Rust object.
        unsafe { tr_hook_sub_block_idx() }
    }
    fn set_pipe_ptr(&self, pipe: *const TrPipe) {
        // SAFETY: the hook stores the pointer and does not follow it.
        unsafe { tr_hook_set_pipe_ptr(pipe.cast_mut()) }
    }
    fn set_live_pipe(&self, pipe: *const TrPipe) {
        // SAFETY: the hook stores the pointer and does not follow it.
        unsafe { tr_hook_set_live_pipe(pipe.cast_mut()) }
    }
    fn live_pipe(&self) -> *const TrPipe {
        // SAFETY: takes nothing, touches no Rust object.
        unsafe { tr_hook_live_pipe() }
    }
    fn next_serial(&self) -> u32 {
        // SAFETY: takes nothing, touches no Rust object.
        unsafe { tr_hook_next_serial() }
    }
    fn fault(&self, fault: Fault) {
        let Fault { error, object, memory, asked, limit } = fault;
        // SAFETY: takes numbers. If it does not return, no Rust object is left in a broken state: faults are raised
        // before anything is changed and the library has no destructors.
        unsafe { tr_hook_fault(error as u32, object, memory as u32, asked, limit) }
    }
    fn note_buffer(&self, note: BufferNote) {
        let BufferNote { owner, object, memory, address_bytes, length_bytes, num } = note;
        // SAFETY: takes numbers, touches no Rust object.
        unsafe { tr_hook_note_buffer(owner as u32, object, memory as u32, address_bytes, length_bytes, num) }
    }
    fn note_pipe(&self, event: PipeEvent, pipe: &TrPipe) {
        // SAFETY: takes numbers, touches no Rust object.
        unsafe { tr_hook_note_pipe(event as u32, core::ptr::from_ref(pipe).addr() as u64) }
    }
    fn note_pool_reset(&self, pool: u64, memory: MemoryKind, address_bytes: u32, length_bytes: u32) {
        // SAFETY: takes numbers, touches no Rust object.
        unsafe { tr_hook_note_pool_reset(pool, memory as u32, address_bytes, length_bytes) }
    }
    fn note_op(
        &self,
        op: QueOp,
        event: HardEvent,
        object: u64,
        memory: MemoryKind,
        address_bytes: u32,
        length_bytes: u32,
    ) {
        let op = op as u32 | (event as u32) << 8;
        // SAFETY: takes numbers, touches no Rust object.
        unsafe { tr_hook_note_op(op, object, memory as u32, address_bytes, length_bytes) }
    }
}
