//! What a program is told of tasks that fail: exception callbacks, and the state of a device for `aclrtGetErrorVerbose`.
//!
//! Callbacks run on a thread of the runtime; the stream of the task goes on (and its synchronisation returns) when all
//! of them have returned. The single callback of `aclrtSetExceptionInfoCallback` and the list of
//! `aclrtExceptionInfoCallbackRegister` do not know of each other: a function in both is called twice.
#![allow(unsafe_code)] // calls functions that the program passed in.

use super::background;
use super::binary::Function;
use super::callback::call_program;
use parking_lot::Mutex;
use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use toprope_abi::acl::{AclError, ExceptionInfo};

/// Value of a getter that has nothing to say.
pub const NOTHING: u32 = u32::MAX;

/// What a callback gets a pointer to: the first fields of the public `rtExceptionInfo`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exception {
    /// Number of the task in its stream.
    pub task_id: u32,
    /// Number of the stream.
    pub stream_id: u32,
    /// The host thread that enqueued the task.
    pub thread_id: u32,
    /// The device.
    pub device_id: u32,
    /// Code of the fault, as a synchronisation returns it.
    pub code: AclError,
    /// Handle of the kernel; 0: the task was none.
    pub function: u64,
    /// Where its arguments are during the callback.
    pub args: u64,
    /// Their size.
    pub args_bytes: u32,
}

/// The kernel that failed, and what it was launched with.
#[derive(Clone, Debug)]
pub struct FailedKernel {
    /// The kernel.
    pub function: Arc<Function>,
    /// Its arguments.
    pub args: Vec<u64>,
}

/// `void (*)(aclrtExceptionInfo *)`.
pub type ExceptionFn = unsafe extern "C" fn(*mut ExceptionInfo);

#[derive(Default)]
struct Callbacks {
    single: Option<ExceptionFn>,
    list: Vec<ExceptionFn>,
}

static CALLBACKS: Mutex<Callbacks> = Mutex::new(Callbacks { single: None, list: Vec::new() });
static WANTED: AtomicUsize = AtomicUsize::new(0);
/// Binaries with a callback of their own (`aclrtBinarySetExceptionCallback`).
static HOOKED: AtomicUsize = AtomicUsize::new(0);

/// The callback of a binary was set or taken away.
pub fn binary_changed(had_one: bool, has_one: bool) {
    match (had_one, has_one) {
        (false, true) => HOOKED.fetch_add(1, Ordering::AcqRel),
        (true, false) => HOOKED.fetch_sub(1, Ordering::AcqRel),
        _ => 0,
    };
}

fn change(how: impl FnOnce(&mut Callbacks)) {
    let mut callbacks = CALLBACKS.lock();
    how(&mut callbacks);
    WANTED.store(callbacks.list.len() + usize::from(callbacks.single.is_some()), Ordering::Release);
}

fn same(a: ExceptionFn, b: ExceptionFn) -> bool {
    a as usize == b as usize
}

/// Sets (or, with `None`, takes away) the single callback.
pub fn set(callback: Option<ExceptionFn>) {
    change(|c| c.single = callback);
}

/// Adds a callback to the list, once.
pub fn register(callback: ExceptionFn) {
    change(|c| {
        if !c.list.iter().any(|other| same(*other, callback)) {
            c.list.push(callback);
        }
    });
}

/// Takes a callback off the list, if it is there.
pub fn unregister(callback: ExceptionFn) {
    change(|c| c.list.retain(|other| !same(*other, callback)));
}

/// Whether anybody wants to know.
#[inline]
pub fn is_wanted() -> bool {
    WANTED.load(Ordering::Acquire) + HOOKED.load(Ordering::Acquire) > 0
}

fn call(body: impl FnOnce()) {
    if let Err(said) = call_program("an exception callback", body) {
        eprintln!("toprope: an exception callback panicked: {said}");
    }
}

/// The callback of the kernel's binary.
fn call_hook(kernel: &FailedKernel, what: Exception) {
    let hook = *kernel.function.binary.on_exception.lock();
    let Some(hook) = hook else { return };
    type Plain = unsafe extern "C" fn(*mut ExceptionInfo, *mut c_void);
    type Unwinding = unsafe extern "C-unwind" fn(*mut ExceptionInfo, *mut c_void);
    // SAFETY: only the promise about unwinding differs, and `C-unwind` promises less.
    let callback = unsafe { std::mem::transmute::<Plain, Unwinding>(hook.callback) };
    let mut info = what;
    // SAFETY: the program passed the function to be called with such a pointer, valid during the call, and its argument.
    call(|| unsafe { callback((&raw mut info).cast(), hook.user_data as *mut c_void) });
}

/// Tells everybody of a fault, on another thread, and then calls `after`.
pub fn deliver(mut what: Exception, kernel: Option<FailedKernel>, after: impl FnOnce() + Send + 'static) {
    background::run(move || {
        if let Some(kernel) = &kernel {
            what.function = kernel.function.handle;
            what.args = if kernel.args.is_empty() { 0 } else { kernel.args.as_ptr() as u64 };
            what.args_bytes = size_of_val(&kernel.args[..]) as u32;
            call_hook(kernel, what);
        }
        let callbacks: Vec<ExceptionFn> = {
            let callbacks = CALLBACKS.lock();
            callbacks.single.iter().chain(&callbacks.list).copied().collect()
        };
        for callback in callbacks {
            let mut info = what;
            // SAFETY: only the promise about unwinding differs, and `C-unwind` promises less.
            let callback = unsafe {
                std::mem::transmute::<ExceptionFn, unsafe extern "C-unwind" fn(*mut ExceptionInfo)>(callback)
            };
            // SAFETY: the program passed the function to be called with such a pointer, valid during the call.
            call(|| unsafe { callback((&raw mut info).cast()) });
        }
        background::nearly_done();
        after();
    });
}

/// Devices with a fault that was not aborted or repaired since, one bit each.
static FAULTY: AtomicU64 = AtomicU64::new(0);

/// A task of the device failed with this code; codes of the program's own doing do not count.
pub fn remember(device: u32, code: AclError) {
    let is_fault = (507_000..508_000).contains(&code.0);
    if is_fault && device < 64 {
        FAULTY.fetch_or(1 << device, Ordering::Relaxed);
    }
}

/// Whether a task of the device failed.
pub fn is_faulty(device: u32) -> bool {
    device < 64 && FAULTY.load(Ordering::Relaxed) >> device & 1 != 0
}

/// The device is as new.
pub fn forget(device: u32) {
    if device < 64 {
        FAULTY.fetch_and(!(1 << device), Ordering::Relaxed);
    }
}
