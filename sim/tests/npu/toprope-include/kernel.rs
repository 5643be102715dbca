//! What a kernel in these tests uses in place of the Ascend C headers: thin calls of the core's face.
//!
//! The directory is called `toprope-include` so that findings skip its frames, as they skip those of the real headers.
#![allow(unsafe_code)] // Calls through the core's face.

use std::cell::Cell;
use std::ffi::{CStr, c_void};
use toprope_abi::core_face::{Annotation, Refusal, ScalarAccess, TrCore};
use toprope_abi::isa::{FieldId, Layout, Op, Pipe, Space, Spr};

thread_local! {
    static CORE: Cell<*mut TrCore> = const { Cell::new(std::ptr::null_mut()) };
}

/// The module's `set_core`.
pub unsafe extern "C" fn set_core(core: *mut TrCore) {
    CORE.set(core);
}

/// The module's `invoke`.
pub unsafe extern "C" fn invoke(entry: *const c_void, args: *const c_void) {
    // SAFETY: `entry` was made from a function of this type by the harness.
    let entry: fn(&[u64; 8]) = unsafe { std::mem::transmute(entry) };
    // SAFETY: the harness passes argument blocks of eight words.
    let args = unsafe { &*args.cast::<[u64; 8]>() };
    entry(args);
    stay();
}

/// Issues an instruction by number.
#[inline(always)]
pub fn issue_number(op: u32) {
    let call = face(|c| c.issue);
    // SAFETY: the engine's own function and core.
    unsafe { call(core(), op, 0, 0, 0, 0) };
    stay();
}

/// Keeps the call before it from becoming a tail call, whose return address would not be the kernel's.
#[inline(always)]
fn stay() {
    // SAFETY: no instruction at all.
    unsafe { std::arch::asm!("") };
}

#[inline(always)]
fn core() -> *mut TrCore {
    CORE.get()
}

/// Whether no kernel runs on this thread.
pub fn on_host() -> bool {
    core().is_null()
}

/// Reads a field of the face.
#[inline(always)]
pub fn face<R>(f: impl FnOnce(&TrCore) -> R) -> R {
    // SAFETY: a kernel runs, so the core was set and is alive.
    f(unsafe { &*core() })
}

/// What `f` issues counts as called from the code before address `pc`, as the headers have it for calls of the framework.
#[inline(always)]
pub fn called_at(pc: u64, f: impl FnOnce()) {
    // SAFETY: a kernel runs, so the core was set and is alive; the field is the kernel's to write.
    unsafe { (*core()).api_pc = pc };
    f();
    // SAFETY: as above.
    unsafe { (*core()).api_pc = 0 };
}

/// Address of byte `offset` of a memory.
#[inline(always)]
pub fn local(space: Space, offset: u64) -> u64 {
    face(|c| c.region) + ((space as u64) << 20) + offset
}

/// Address of byte `offset` of UB.
#[inline(always)]
pub fn ub(offset: u64) -> u64 {
    local(Space::Ub, offset)
}

#[inline(always)]
pub fn issue(op: Op, x: [u64; 4]) {
    let call = face(|c| c.issue);
    // SAFETY: the engine's own function and core.
    unsafe { call(core(), op as u32, x[0], x[1], x[2], x[3]) };
    stay();
}

/// Packs configuration words.
pub fn pack(layout: Layout, fields: &[(FieldId, u64)]) -> [u64; 2] {
    let mut words = [0; 2];
    for (id, value) in fields {
        let field = layout.field(*id).expect("a field of the layout");
        words[field.word as usize] |= field.put(*value);
    }
    words
}

/// Unit strides, `repeats` repeats.
#[inline(always)]
pub fn binary(op: Op, dst: u64, a: u64, b: u64, repeats: u64) {
    let config = 0x0000_0808_0801_0101 | (repeats << 56);
    issue(op, [dst, a, b, config]);
}

/// GM → UB, one burst of `blocks` 32-byte blocks.
#[inline(always)]
pub fn copy_in(dst: u64, src: u64, blocks: u64) {
    issue(Op::MovOutToUbV220, [dst, src, (1 << 4) | (blocks << 16), 0]);
}

/// UB → GM, one burst of `blocks` 32-byte blocks.
#[inline(always)]
pub fn copy_out(dst: u64, src: u64, blocks: u64) {
    issue(Op::MovUbToOutV220, [dst, src, (1 << 4) | (blocks << 16), 0]);
}

#[inline(always)]
pub fn set_flag(src: Pipe, dst: Pipe, id: u64) {
    issue(Op::SetFlagImm, [src as u64, dst as u64, id, 0]);
}

#[inline(always)]
pub fn wait_flag(src: Pipe, dst: Pipe, id: u64) {
    issue(Op::WaitFlagImm, [src as u64, dst as u64, id, 0]);
}

#[inline(always)]
pub fn barrier(pipe: Pipe) {
    issue(Op::Barrier, [pipe as u64, 0, 0, 0]);
}

#[inline(always)]
pub fn read_spr(spr: Spr) -> u64 {
    let call = face(|c| c.read_spr);
    // SAFETY: the engine's own function and core.
    unsafe { call(core(), spr as u32) }
}

#[inline(always)]
pub fn refuse(why: Refusal, text: Option<&CStr>, detail: u64, asked: u64, limit: u64) {
    let call = face(|c| c.refuse);
    let text = text.map_or(std::ptr::null(), CStr::as_ptr);
    // SAFETY: the engine's own function and core; `text` is a C string or null.
    unsafe { call(core(), why as u32, text, detail, asked, limit) };
    stay();
}

#[inline(always)]
pub fn annotate(what: Annotation, a: u64, b: u64, bytes: u64) {
    let call = face(|c| c.annotate);
    // SAFETY: the engine's own function and core.
    unsafe { call(core(), what as u32, std::ptr::null(), a, b, bytes, 0) };
    stay();
}

/// UB counts as written: what it holds does not matter to this kernel.
#[inline(always)]
pub fn known() {
    annotate(Annotation::RawPointer, ub(0), 192 << 10, 0);
}

/// An annotation with its four operands.
#[inline(always)]
pub fn note(what: Annotation, x: [u64; 4]) {
    let call = face(|c| c.annotate);
    // SAFETY: the engine's own function and core.
    unsafe { call(core(), what as u32, std::ptr::null(), x[0], x[1], x[2], x[3]) };
    stay();
}

#[inline(always)]
pub fn print(text: &str) {
    let call = face(|c| c.print);
    // SAFETY: the engine's own function and core; pointer and length are those of a string.
    unsafe { call(core(), text.as_ptr().cast(), text.len() as u64) };
    stay();
}

/// Checked scalar load of a float.
#[inline(always)]
pub fn get_value(addr: u64) -> f32 {
    let call = face(|c| c.scalar_access);
    // SAFETY: the engine's own function and core.
    unsafe { call(core(), addr, 4, 0) };
    stay();
    // SAFETY: the engine found the access legal.
    unsafe { (addr as *const f32).read() }
}

/// Announces a scalar access.
#[inline(always)]
pub fn scalar(addr: u64, bytes: u32, what: ScalarAccess) {
    let call = face(|c| c.scalar_access);
    // SAFETY: the engine's own function and core.
    unsafe { call(core(), addr, bytes, what as u32) };
    stay();
}

/// Announces a scalar access by the number of its kind.
#[inline(always)]
pub fn scalar_number(addr: u64, what: u32) {
    let call = face(|c| c.scalar_access);
    // SAFETY: the engine's own function and core.
    unsafe { call(core(), addr, 4, what) };
    stay();
}

/// Unchecked store through a raw pointer, as C++ code can do it.
#[inline(always)]
pub fn poke(addr: u64, value: u8) {
    // SAFETY: not sound at all: the tests that use it show that the process survives.
    unsafe { (addr as *mut u8).write_volatile(value) }
}

/// Checked scalar store of a float.
#[inline(always)]
pub fn set_value(addr: u64, value: f32) {
    let call = face(|c| c.scalar_access);
    // SAFETY: the engine's own function and core.
    unsafe { call(core(), addr, 4, 1) };
    stay();
    // SAFETY: the engine found the access legal.
    unsafe { (addr as *mut f32).write_volatile(value) }
}

/// CrossCoreSetFlag<mode, pipe>(flag).
#[inline(always)]
pub fn cross_set(mode: u64, pipe: Pipe, flag: u64) {
    issue(Op::SetCrossCore, [pipe as u64, 1 | mode << 4 | flag << 8, 0, 0]);
}

/// CrossCoreWaitFlag(flag).
#[inline(always)]
pub fn cross_wait(flag: u64) {
    issue(Op::WaitFlagDevReg, [flag, 0, 0, 0]);
}

/// Whether this core is an AIC.
#[inline(always)]
pub fn is_aic() -> bool {
    face(|c| c.kind) == 1
}

/// Number of this core among those of its kind.
#[inline(always)]
pub fn core_index() -> u64 {
    face(|c| {
        let per_block = if c.kind == 1 { 1 } else { c.sub_block_num };
        u64::from(c.block_idx * per_block + c.sub_block_idx)
    })
}
