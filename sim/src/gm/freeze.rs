//! Holding up writers of a piece of device memory while its pages are exchanged.
//!
//! Kernels, copy threads and host threads write to device memory directly, so there is no lock to take. Instead the
//! pages become read-only for the time of the exchange; a write faults, and the signal handler of the process
//! (`npu::trap`) asks [`retry`] whether the writer shall simply try again. Reads go on all the time.
//!
//! ```text
//!  exchange:  Frozen::new ── copy ── mmap over ── drop
//!  writer:          fault ▶ retry(): sleeps ············▶ true: the write runs again, on the new pages
//! ```
//! The caller makes sure that the handler is installed before the first exchange.
#![allow(unsafe_code)] // mprotect.

use parking_lot::{Mutex, MutexGuard};
use rustix::thread::futex;
use std::cell::Cell;
use std::io;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
static START: AtomicU64 = AtomicU64::new(0);
static END: AtomicU64 = AtomicU64::new(0);
/// Odd while something is frozen; grows by two with every exchange.
static PHASE: AtomicU32 = AtomicU32::new(0);

/// A frozen range; thawed when dropped.
pub(super) struct Frozen {
    start: u64,
    bytes: u64,
    _alone: MutexGuard<'static, ()>,
}

impl Frozen {
    /// Freezes whole pages of readable and writable memory.
    ///
    /// # Errors
    /// What `mprotect` says.
    pub(super) fn new(start: u64, bytes: u64) -> io::Result<Frozen> {
        let alone = ONE_AT_A_TIME.lock();
        START.store(start, Ordering::SeqCst);
        END.store(start + bytes, Ordering::SeqCst);
        PHASE.fetch_add(1, Ordering::SeqCst);
        let frozen = Frozen { start, bytes, _alone: alone };
        frozen.protect(libc::PROT_READ)?;
        Ok(frozen)
    }

    fn protect(&self, rights: libc::c_int) -> io::Result<()> {
        // SAFETY: the caller of `new` owns these pages; they stay readable, and a write that faults is retried.
        let failed = unsafe { libc::mprotect(self.start as *mut _, self.bytes as usize, rights) };
        if failed == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
    }
}

impl Drop for Frozen {
    fn drop(&mut self) {
        // After a successful exchange the pages are writable already.
        let _ = self.protect(libc::PROT_READ | libc::PROT_WRITE);
        PHASE.fetch_add(1, Ordering::SeqCst);
        // Nobody to wake is no failure.
        let _ = futex::wake(&PHASE, futex::Flags::PRIVATE, u32::MAX >> 1);
    }
}

/// Called by the signal handler for a refused access: waits while `address` is frozen and says whether to try the
/// access again. Only touches atomics and sleeps, as a signal handler may.
pub fn retry(address: u64) -> bool {
    thread_local! {
        static TRIED: Cell<(u64, u32)> = const { Cell::new((0, 0)) };
    }
    let mut phase = PHASE.load(Ordering::SeqCst);
    if phase == 0 {
        return false;
    }
    while phase % 2 == 1 && (START.load(Ordering::SeqCst)..END.load(Ordering::SeqCst)).contains(&address) {
        // A bare system call, which leaves `errno` alone. Woken early: looks again.
        let _ = futex::wait(&PHASE, futex::Flags::PRIVATE, phase, None);
        phase = PHASE.load(Ordering::SeqCst);
    }
    // The range may have been thawed between the fault and this call: one more try per exchange tells.
    TRIED.with(|tried| tried.replace((address, phase)) != (address, phase))
}
