//! Signals of kernel code: the process survives a segfault, a division by zero or an infinite loop of a kernel.
//!
//! A fault inside a block's coroutine, in kernel code or in an instruction's function, makes the coroutine return: its stack
//! is given up without unwinding and the worker goes on. The time limit works the same way: the watchdog sends
//! [`time_signal`] to the thread, which leaves the kernel if it is in kernel code (in the engine, the next return to the
//! kernel looks at the clock's verdict). Everything else goes to the handler that was there before, or to the default.
//!
//! Handlers are installed at the first launch of the process. Kernel code that holds a lock of the C library when it is
//! stopped keeps it for ever; kernels have no business in there.
#![allow(unsafe_code)] // Signal handlers.

use super::block::End;
use super::core::{Core, level};
use super::services::walk_frames;
use crate::gm::freeze;
use corosensei::trap::{CoroutineTrapHandler, TrapHandlerRegs};
use std::cell::{Cell, OnceCell};
use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::ops::Range;
use std::sync::Once;
use std::sync::atomic::Ordering;

/// `si_code` of a fault without an address.
const SI_KERNEL: c_int = 0x80;
const FRAMES: usize = 16;
const SIGNAL_STACK_BYTES: usize = 64 << 10;

/// What a signal said about a block.
#[derive(Clone, Copy, Debug, Default)]
pub struct Trapped {
    /// Signal number.
    pub signal: c_int,
    /// Faulting address (SIGSEGV, SIGBUS), if the system knows it.
    pub address: Option<u64>,
    /// Return addresses, innermost first: the faulting instruction's own plus one.
    pub frames: [u64; FRAMES],
    /// The fault was in an instruction's function, not in kernel code.
    pub in_instruction: bool,
}

/// The block that runs on this thread.
pub struct Running {
    /// Its core.
    pub core: *const Core,
    /// How to leave its coroutine.
    pub exit: CoroutineTrapHandler<End>,
    /// Mapped part of its stack.
    pub stack: Range<usize>,
    /// Set by the handler before it leaves.
    pub trapped: Trapped,
}

thread_local! {
    static RUNNING: Cell<*mut Running> = const { Cell::new(std::ptr::null_mut()) };
}

/// Runs `f` while `running` is the block of this thread.
pub fn with_running<R>(running: &mut Running, f: impl FnOnce() -> R) -> R {
    RUNNING.set(running);
    std::sync::atomic::compiler_fence(Ordering::SeqCst);
    let r = f();
    std::sync::atomic::compiler_fence(Ordering::SeqCst);
    RUNNING.set(std::ptr::null_mut());
    r
}

/// Signal that the watchdog sends to a thread whose launch is over its limit.
pub fn time_signal() -> c_int {
    libc::SIGRTMIN() + 6
}

const FAULTS: [c_int; 4] = [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL];
static mut BEFORE: [MaybeUninit<libc::sigaction>; FAULTS.len()] =
    [const { MaybeUninit::uninit() }; FAULTS.len()];

/// Installs the handlers, once per process.
pub fn install() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        for (i, signal) in FAULTS.into_iter().enumerate() {
            // SAFETY: `BEFORE` is written here only, before the handler that reads it can run for our signal.
            let before = unsafe { (&raw mut BEFORE[i]).cast::<libc::sigaction>() };
            set_handler(signal, before);
        }
        set_handler(time_signal(), std::ptr::null_mut());
    });
}

fn set_handler(signal: c_int, before: *mut libc::sigaction) {
    // SAFETY: all-zero is a valid `sigaction`.
    let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
    action.sa_sigaction = on_signal as extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) as usize;
    action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_RESTART;
    // SAFETY: `action` is initialised, `before` is null or valid for writing.
    unsafe { libc::sigaction(signal, &action, before) };
}

/// Gives this thread a stack for signal handlers if it has none, so that a kernel's stack overflow can be handled.
pub fn prepare_thread() {
    thread_local! {
        static STACK: OnceCell<Option<SignalStack>> = const { OnceCell::new() };
    }
    // A thread that is about to end runs no more kernels.
    let _ = STACK.try_with(|stack| stack.get_or_init(SignalStack::install).is_some());
}

/// A signal stack of a thread, where the system's own is none or too small.
struct SignalStack {
    _memory: Box<[u8]>,
}

impl SignalStack {
    fn install() -> Option<SignalStack> {
        // SAFETY: all-zero is a valid `stack_t`.
        let mut now: libc::stack_t = unsafe { std::mem::zeroed() };
        // SAFETY: asks only, `now` is valid for writing.
        unsafe { libc::sigaltstack(std::ptr::null(), &mut now) };
        if now.ss_flags & libc::SS_DISABLE == 0 && now.ss_size >= SIGNAL_STACK_BYTES / 2 {
            return None;
        }
        let mut memory = vec![0u8; SIGNAL_STACK_BYTES].into_boxed_slice();
        let stack =
            libc::stack_t { ss_sp: memory.as_mut_ptr().cast(), ss_flags: 0, ss_size: SIGNAL_STACK_BYTES };
        // SAFETY: `memory` is freed only after `drop` has taken it away from the thread.
        unsafe { libc::sigaltstack(&stack, std::ptr::null_mut()) };
        Some(SignalStack { _memory: memory })
    }
}

impl Drop for SignalStack {
    fn drop(&mut self) {
        // SAFETY: all-zero is a valid `stack_t`.
        let mut none: libc::stack_t = unsafe { std::mem::zeroed() };
        none.ss_flags = libc::SS_DISABLE;
        // SAFETY: the thread ends and is not on that stack; signals come on its own stack from here on.
        unsafe { libc::sigaltstack(&none, std::ptr::null_mut()) };
    }
}

extern "C" fn on_signal(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    // SAFETY: the system passes a valid `info`, and fills the address for this signal.
    if signal == libc::SIGSEGV && unsafe { is_write_to_moving_pages(info) } {
        return;
    }
    let context = context.cast::<libc::ucontext_t>();
    let running = RUNNING.get();
    // SAFETY: the kernel passes valid pointers; `running` is null or the block of this very thread.
    let handled = unsafe { leave_block(signal, info, context, running) };
    if !handled && signal != time_signal() {
        // SAFETY: forwards exactly what was passed in.
        unsafe { chain(signal, info, context) };
    }
}

/// Whether the access only hit pages that were being exchanged ([`freeze`]) and shall be tried again.
///
/// # Safety
/// `info` as the system passes it for SIGSEGV.
unsafe fn is_write_to_moving_pages(info: *const libc::siginfo_t) -> bool {
    /// `si_code` of an access that the page's rights do not allow.
    const SEGV_ACCERR: c_int = 2;
    // SAFETY: valid (contract).
    let info = unsafe { &*info };
    // SAFETY: the system fills `si_addr` for SIGSEGV (contract).
    info.si_code == SEGV_ACCERR && freeze::retry(unsafe { info.si_addr() } as u64)
}

/// Makes the coroutine return if the signal belongs to it and it can be left here.
///
/// # Safety
/// Pointers as the system passes them; `running` null or the running block of this thread.
unsafe fn leave_block(
    signal: c_int,
    info: *mut libc::siginfo_t,
    context: *mut libc::ucontext_t,
    running: *mut Running,
) -> bool {
    if running.is_null() {
        return false;
    }
    // SAFETY: `context` is valid (contract).
    let (pc, sp, frame) = unsafe { registers(context) };
    // SAFETY: the interrupted code of this thread does not use `running` while a coroutine runs.
    let running = unsafe { &mut *running };
    // SAFETY: the core outlives the run of its block.
    let core = unsafe { &*running.core };
    let now = core.level.load(Ordering::Relaxed);
    let can_leave = now == level::KERNEL || (now == level::EXECUTE && signal != time_signal());
    if !can_leave || !running.exit.stack_ptr_in_bounds(sp as usize) {
        return false;
    }
    if signal == time_signal() && !core.launch.as_ref().is_some_and(|l| l.timed_out()) {
        return true;
    }
    core.level.store(level::ENGINE, Ordering::Relaxed);
    // SAFETY: `info` is valid (contract).
    let info = unsafe { &*info };
    // SAFETY: the system fills `si_addr` for faults; for other signals the value is not used.
    let si_addr = unsafe { info.si_addr() } as u64;
    // A general-protection fault (an address no pointer can have) carries no address.
    let address = (info.si_code != SI_KERNEL).then_some(si_addr);
    let mut frames = [0; FRAMES];
    // Frames are looked up one byte before the address, as for return addresses.
    frames[0] = pc + 1;
    let mut n = 1;
    walk_frames(frame, &running.stack, |pc| {
        if n < FRAMES {
            frames[n] = pc;
            n += 1;
        }
    });
    running.trapped = Trapped { signal, address, frames, in_instruction: now == level::EXECUTE };
    // SAFETY: the stack pointer is inside the coroutine (tested above) and nothing on that stack is used again.
    let regs = unsafe { running.exit.setup_trap_handler(|| End::Trapped) };
    // SAFETY: `context` is valid (contract).
    unsafe { set_registers(context, regs) };
    true
}

/// Program counter, stack pointer and frame pointer of the interrupted code.
///
/// # Safety
/// `context` is valid.
#[cfg(target_arch = "x86_64")]
unsafe fn registers(context: *const libc::ucontext_t) -> (u64, u64, u64) {
    // SAFETY: `context` is valid (contract).
    let r = unsafe { &(*context).uc_mcontext.gregs };
    let get = |i: c_int| r[i as usize] as u64;
    (get(libc::REG_RIP), get(libc::REG_RSP), get(libc::REG_RBP))
}

/// # Safety
/// `context` is valid.
#[cfg(target_arch = "x86_64")]
unsafe fn set_registers(context: *mut libc::ucontext_t, regs: TrapHandlerRegs) {
    // SAFETY: `context` is valid (contract).
    let r = unsafe { &mut (*context).uc_mcontext.gregs };
    let TrapHandlerRegs { rip, rsp, rbp, rdi, rsi } = regs;
    r[libc::REG_RIP as usize] = rip as i64;
    r[libc::REG_RSP as usize] = rsp as i64;
    r[libc::REG_RBP as usize] = rbp as i64;
    r[libc::REG_RDI as usize] = rdi as i64;
    r[libc::REG_RSI as usize] = rsi as i64;
}

/// # Safety
/// `context` is valid.
#[cfg(target_arch = "aarch64")]
unsafe fn registers(context: *const libc::ucontext_t) -> (u64, u64, u64) {
    // SAFETY: `context` is valid (contract).
    let m = unsafe { &(*context).uc_mcontext };
    (m.pc, m.sp, m.regs[29])
}

/// # Safety
/// `context` is valid.
#[cfg(target_arch = "aarch64")]
unsafe fn set_registers(context: *mut libc::ucontext_t, regs: TrapHandlerRegs) {
    // SAFETY: `context` is valid (contract).
    let m = unsafe { &mut (*context).uc_mcontext };
    let TrapHandlerRegs { pc, sp, x0, x1, x29, lr } = regs;
    m.pc = pc;
    m.sp = sp;
    m.regs[0] = x0;
    m.regs[1] = x1;
    m.regs[29] = x29;
    m.regs[30] = lr;
}

/// Passes a signal that is not ours to the handler that was there before.
///
/// # Safety
/// Pointers as the system passes them.
unsafe fn chain(signal: c_int, info: *mut libc::siginfo_t, context: *mut libc::ucontext_t) {
    let Some(i) = FAULTS.iter().position(|s| *s == signal) else { return };
    // SAFETY: takes an address only; `i` is an index of `FAULTS`.
    let before = unsafe { (&raw const BEFORE[i]).cast::<libc::sigaction>() };
    // SAFETY: written by `install` before this handler could run, and never again.
    let before = unsafe { before.read() };
    match before.sa_sigaction {
        libc::SIG_DFL | libc::SIG_IGN => {
            // Back to the default; the faulting instruction runs again and does what it would have done without us.
            // SAFETY: all-zero is a valid `sigaction` with the default handler.
            let default: libc::sigaction = unsafe { std::mem::zeroed() };
            // SAFETY: `default` is initialised.
            unsafe { libc::sigaction(signal, &default, std::ptr::null_mut()) };
        }
        handler if before.sa_flags & libc::SA_SIGINFO != 0 => {
            // SAFETY: the previous owner registered a three-argument handler at this address.
            let f: extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) =
                unsafe { std::mem::transmute(handler) };
            f(signal, info, context.cast());
        }
        handler => {
            // SAFETY: the previous owner registered a one-argument handler at this address.
            let f: extern "C" fn(c_int) = unsafe { std::mem::transmute(handler) };
            f(signal);
        }
    }
}
