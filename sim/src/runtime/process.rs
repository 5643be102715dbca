//! Where the runtime touches the process: exit, fork, and the engine it embeds.
#![allow(unsafe_code)] // registers functions with the C library.

use super::config::Environment;
use super::failure::{Answer, Failure};
use super::scheduler::Engine;
use crate::gm::DeviceMemory;
use crate::npu::chip::Chip;
use crate::npu::{Npu, NpuOptions};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Once, OnceLock};
use toprope_abi::acl::AclError;

static DEVICE_USED: AtomicBool = AtomicBool::new(false);
static FORKED: AtomicBool = AtomicBool::new(false);
static AT_EXIT: OnceLock<fn()> = OnceLock::new();

/// Calls `action` when the process ends normally. Only the first call counts. Not called in a forked child.
pub fn at_exit(action: fn()) {
    extern "C" fn run() {
        if FORKED.load(Ordering::Relaxed) {
            return;
        }
        if let Some(action) = AT_EXIT.get() {
            // The process ends whatever happens here.
            let _ = std::panic::catch_unwind(action);
        }
    }
    extern "C" fn forked() {
        FORKED.store(true, Ordering::Relaxed);
    }
    if AT_EXIT.set(action).is_ok() {
        // SAFETY: `run` and `forked` are functions of this library, which stays loaded until the process ends (its
        // threads never end); both only touch atomics and call Rust code that catches panics.
        unsafe {
            libc::atexit(run);
        }
        // SAFETY: as above; a child handler that stores one atomic is safe after fork.
        unsafe {
            libc::pthread_atfork(None, None, Some(forked));
        }
    }
}

/// Number of the calling thread, as the system knows it.
pub fn thread_id() -> u32 {
    thread_local! {
        static ID: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
    }
    let known = ID.get();
    if known != 0 {
        return known;
    }
    // SAFETY: has no preconditions.
    let id = unsafe { libc::gettid() }.unsigned_abs();
    ID.set(id);
    id
}

/// Refuses device work in a child of a process that had used a device: its threads are not there.
///
/// # Errors
/// 507033 with what to do.
pub fn check_not_forked() -> Answer {
    if !FORKED.load(Ordering::Relaxed) || !DEVICE_USED.load(Ordering::Relaxed) {
        return Ok(());
    }
    Err(Failure::new(
        AclError::RT_DEV_SETUP_ERROR,
        "this process was forked from one that had used a device; device work is not possible here",
    )
    .help("fork before the first aclrtSetDevice, or start the child with exec (Python: multiprocessing start method `spawn`)"))
}

/// The embedded NPU as an engine. Marks the process as one that uses a device.
///
/// # Errors
/// None today.
pub fn embedded_engine(
    chip: &'static Chip,
    memory: Arc<DeviceMemory>,
    environment: &Environment,
) -> Answer<Arc<dyn Engine>> {
    static NOTE: Once = Once::new();
    NOTE.call_once(|| DEVICE_USED.store(true, Ordering::Relaxed));
    Ok(Npu::new(
        chip,
        memory,
        NpuOptions { checks: environment.checks, seed: environment.seed, ..NpuOptions::default() },
    ))
}
