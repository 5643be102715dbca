//! Snapshots: freeze the process, save the memory of its devices, put it back, go on.
//!
//! ```text
//!           Lock             Backup               Restore
//!  RUNNING ─────▶ LOCKED ───────────▶ BACKED_UP ──────────▶ LOCKED
//!     ▲             │ Unlock              │ Unlock
//!     └─────────────┴─────────────────────┘
//! ```
//! While the process is not RUNNING, runtime calls of all threads wait, except queries and those of this chapter; a
//! call made by a callback of a stage does not wait. Locking waits for the work that is queued. What is saved is the
//! contents of every live block of every device; streams, events and handles are as they were, because nothing can
//! change them meanwhile. Other processes cannot be frozen (the documented limit too).
#![allow(unsafe_code)] // reads and writes device memory; calls functions of the program.

use super::copy::Motion;
use super::failure::{Answer, Failure, invalid, refuse};
use super::state::runtime;
use parking_lot::{Condvar, Mutex};
use std::cell::Cell;
use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use toprope_abi::acl::{AclError, SnapShotCallback, SnapShotStage};

/// Longest wait for queued work.
const PATIENCE: Duration = Duration::from_secs(60);
/// Beginnings of names of calls that do not wait: this chapter, and what only looks.
const NOT_GATED: [&str; 4] = ["aclrtSnapShot", "aclrtGet", "aclrtPeek", "aclrtQuery"];

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    #[default]
    Running,
    Locked,
    BackedUp,
}

impl Phase {
    fn name(self) -> &'static str {
        match self {
            Phase::Running => "RUNNING",
            Phase::Locked => "LOCKED",
            Phase::BackedUp => "BACKED_UP",
        }
    }
}

/// The bytes of a block.
struct Saved {
    device: u32,
    start: u64,
    bytes: Vec<u8>,
}

#[derive(Clone, Copy)]
struct Entry {
    stage: SnapShotStage,
    callback: SnapShotCallback,
    args: u64,
}

#[derive(Default)]
struct State {
    phase: Phase,
    saved: Vec<Saved>,
}

/// Set while the process is not RUNNING; the only thing that other calls look at.
static FROZEN: AtomicBool = AtomicBool::new(false);
static STATE: Mutex<State> = Mutex::new(State { phase: Phase::Running, saved: Vec::new() });
static THAWED: Condvar = Condvar::new();
static CALLBACKS: Mutex<Vec<Entry>> = Mutex::new(Vec::new());
/// One call of this chapter at a time.
static TURN: Mutex<()> = Mutex::new(());

thread_local! {
    static IN_CALLBACK: Cell<bool> = const { Cell::new(false) };
}

/// Waits while the process is frozen; called by every runtime call with its name.
pub fn pass(name: &str) {
    if FROZEN.load(Ordering::Relaxed) {
        wait(name);
    }
}

#[cold]
fn wait(name: &str) {
    let is_runtime_call = name.starts_with("aclrt") || name.starts_with("rt");
    if !is_runtime_call || NOT_GATED.iter().any(|n| name.starts_with(n)) || IN_CALLBACK.get() {
        return;
    }
    let mut state = STATE.lock();
    if state.phase != Phase::Running {
        eprintln!("toprope: {name} waits: the process is {} (aclrtSnapShotProcessLock)", state.phase.name());
    }
    while state.phase != Phase::Running {
        THAWED.wait(&mut state);
    }
}

fn check_state(wanted: &[Phase], code: AclError) -> Answer {
    let phase = STATE.lock().phase;
    if wanted.contains(&phase) {
        return Ok(());
    }
    let names: Vec<&str> = wanted.iter().map(|p| p.name()).collect();
    let text = format!("the process is {}, but must be {}", phase.name(), names.join(" or "));
    Err(Failure::new(code, text).help("the order is Lock, Backup, Restore, Unlock"))
}

fn enter(phase: Phase) {
    let mut state = STATE.lock();
    state.phase = phase;
    FROZEN.store(phase != Phase::Running, Ordering::SeqCst);
    if phase == Phase::Running {
        state.saved.clear();
        THAWED.notify_all();
    }
}

/// Ends a freeze that nobody ended.
pub fn force_unlock() {
    if FROZEN.load(Ordering::Relaxed) {
        enter(Phase::Running);
    }
}

/// Calls the callbacks of a stage, once per device in use.
fn call(stage: SnapShotStage) -> Answer {
    struct Reset;
    impl Drop for Reset {
        fn drop(&mut self) {
            IN_CALLBACK.set(false);
        }
    }
    let entries: Vec<Entry> = CALLBACKS.lock().iter().filter(|e| e.stage == stage).copied().collect();
    IN_CALLBACK.set(true);
    let _reset = Reset;
    for device in runtime().devices.iter().filter(|d| d.memory().is_some()) {
        for entry in &entries {
            let Some(callback) = entry.callback.0 else { continue };
            // SAFETY: a function of the program with this signature (contract of the registration).
            let result = unsafe { callback(device.index as i32, entry.args as *mut c_void) };
            if result != 0 {
                let text = format!("the callback of stage {} returned {result}", stage.0);
                return refuse(AclError::SNAPSHOT_CALLBACK_FAILED, text);
            }
        }
    }
    Ok(())
}

/// Freezes the process when its queued work is done.
///
/// # Errors
/// 507906 if it is frozen; 507905 if the work does not end in a minute; 507912.
pub fn lock() -> Answer {
    let _turn = TURN.lock();
    check_state(&[Phase::Running], AclError::SNAPSHOT_LOCK_FAILED)?;
    call(SnapShotStage::LOCK_PRE)?;
    enter(Phase::Locked);
    let deadline = Instant::now() + PATIENCE;
    for stream in runtime().streams.select(|_| true) {
        if !stream.wait_idle(Some(deadline)) {
            enter(Phase::Running);
            let text = format!("{} did not finish in {PATIENCE:?}: {}", stream.name(), stream.doing());
            return refuse(AclError::SNAPSHOT_LOCK_TIMEOUT, text);
        }
    }
    Ok(())
}

/// Lets the process run.
///
/// # Errors
/// 507907 if it runs; 507912.
pub fn unlock() -> Answer {
    let _turn = TURN.lock();
    check_state(&[Phase::Locked, Phase::BackedUp], AclError::SNAPSHOT_UNLOCK_FAILED)?;
    enter(Phase::Running);
    call(SnapShotStage::UNLOCK_POST)
}

/// Saves the contents of all device memory.
///
/// # Errors
/// 507908 if the process is not frozen, or is saved already; 507912.
pub fn backup() -> Answer {
    let _turn = TURN.lock();
    check_state(&[Phase::Locked], AclError::SNAPSHOT_BACKUP_FAILED)?;
    call(SnapShotStage::BACKUP_PRE)?;
    let mut saved = Vec::new();
    for device in &runtime().devices {
        let Some(memory) = device.memory() else { continue };
        for block in memory.live_blocks() {
            let length = usize::try_from(block.bytes).unwrap_or(usize::MAX);
            let mut bytes = Vec::new();
            if bytes.try_reserve_exact(length).is_err() {
                let text = format!("no host memory for {length} bytes of device {}", device.index);
                return refuse(AclError::SNAPSHOT_BACKUP_FAILED, text);
            }
            bytes.resize(length, 0);
            let motion =
                Motion::Copy { dst: bytes.as_mut_ptr() as u64, src: block.start, bytes: block.bytes };
            // SAFETY: a live block (nothing can free it: the process is frozen), and a vector of its length.
            unsafe { motion.run() };
            saved.push(Saved { device: device.index, start: block.start, bytes });
        }
    }
    STATE.lock().saved = saved;
    enter(Phase::BackedUp);
    call(SnapShotStage::BACKUP_POST)
}

/// Puts the contents back.
///
/// # Errors
/// 507909 if nothing is saved; 507912.
pub fn restore() -> Answer {
    let _turn = TURN.lock();
    check_state(&[Phase::BackedUp], AclError::SNAPSHOT_RESTORE_FAILED)?;
    call(SnapShotStage::RESTORE_PRE)?;
    let saved = std::mem::take(&mut STATE.lock().saved);
    for Saved { device, start, bytes } in &saved {
        let memory = runtime().devices.get(*device as usize).and_then(|d| d.memory());
        let block = memory.and_then(|memory| memory.find(*start));
        if !block.is_some_and(|block| block.start == *start && block.bytes == bytes.len() as u64) {
            let text = format!("block {start:#x} of device {device} is not there any more");
            return refuse(AclError::SNAPSHOT_RESTORE_FAILED, text);
        }
        let motion = Motion::Copy { dst: *start, src: bytes.as_ptr() as u64, bytes: bytes.len() as u64 };
        // SAFETY: a live block of this length (checked), and the saved bytes.
        unsafe { motion.run() };
    }
    enter(Phase::Locked);
    call(SnapShotStage::RESTORE_POST)
}

fn check_callback(stage: SnapShotStage, callback: SnapShotCallback) -> Answer {
    if callback.0.is_none() {
        return invalid("`callback` is null");
    }
    if stage.name().is_none() {
        return invalid(format!("`stage` is {}, which is no aclrtSnapShotStage", stage.0));
    }
    Ok(())
}

fn is_same(entry: &Entry, stage: SnapShotStage, callback: SnapShotCallback) -> bool {
    let address = |c: SnapShotCallback| c.0.map(|f| f as usize);
    entry.stage == stage && address(entry.callback) == address(callback)
}

/// Has a function called at a stage.
///
/// # Errors
/// 100000 null or unknown stage; 507913 if it is registered for it.
pub fn register(stage: SnapShotStage, callback: SnapShotCallback, args: *mut c_void) -> Answer {
    check_callback(stage, callback)?;
    let mut callbacks = CALLBACKS.lock();
    if callbacks.iter().any(|e| is_same(e, stage, callback)) {
        let text = "the callback is registered for this stage already";
        return refuse(AclError::SNAPSHOT_REGISTER_CALLBACK_FAILED, text);
    }
    callbacks.push(Entry { stage, callback, args: args as u64 });
    Ok(())
}

/// Ends that.
///
/// # Errors
/// 100000 null or unknown stage; 507913 if it is not registered for it.
pub fn unregister(stage: SnapShotStage, callback: SnapShotCallback) -> Answer {
    check_callback(stage, callback)?;
    let mut callbacks = CALLBACKS.lock();
    match callbacks.iter().position(|e| is_same(e, stage, callback)) {
        Some(at) => {
            callbacks.remove(at);
            Ok(())
        }
        None => refuse(
            AclError::SNAPSHOT_REGISTER_CALLBACK_FAILED,
            "the callback is not registered for this stage",
        ),
    }
}
