//! Being told of faults as they happen, before anybody synchronises.
//!
//! The runtime calls a C function that has no argument of its own, so there is one such function per loaded runtime, and
//! it tells everybody who watches that runtime.
#![allow(unsafe_code)] // the function that C calls

use super::host_func::{guarded, outside};
use super::runtime::{Inner as RuntimeInner, Runtime};
use crate::error::{Error, Result};
use crate::result;
use crate::sys::{AclApi, AclError, ExceptionInfo, ExceptionInfoCallback};
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// How many runtimes can be watched; a program has one or two.
const SLOTS: usize = 4;

/// A task that failed.
#[doc(alias = "aclrtExceptionInfo")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fault {
    /// What failed, for example 507035.
    pub code: AclError,
    /// Number of the device.
    pub device_id: u32,
    /// Number of the stream, as [`Stream::id`](super::Stream::id) gives it.
    pub stream_id: u32,
    /// Number of the task.
    pub task_id: u32,
    /// Number of the thread that put the task in.
    pub thread_id: u32,
}

/// Faults are told as long as this lives; see [`Runtime::on_fault`].
#[must_use = "faults are told as long as this lives"]
#[derive(Debug)]
pub struct FaultWatch {
    number: u64,
}

type Told = Arc<dyn Fn(&Fault) + Send + Sync>;

struct Watcher {
    slot: usize,
    number: u64,
    told: Told,
    runtime: Weak<RuntimeInner>,
}

#[derive(Default)]
struct Watchers {
    next: u64,
    list: Vec<Watcher>,
}

fn watchers() -> MutexGuard<'static, Watchers> {
    static WATCHERS: Mutex<Watchers> = Mutex::new(Watchers { next: 0, list: Vec::new() });
    WATCHERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The tables of the watched runtimes, for the functions that C calls.
static APIS: [AtomicPtr<AclApi>; SLOTS] = [const { AtomicPtr::new(std::ptr::null_mut()) }; SLOTS];
/// Whether the function of a slot is registered.
static REGISTERED: [AtomicBool; SLOTS] = [const { AtomicBool::new(false) }; SLOTS];
/// The function of each slot.
const FUNCTIONS: [unsafe extern "C" fn(*mut ExceptionInfo); SLOTS] =
    [tell::<0>, tell::<1>, tell::<2>, tell::<3>];

/// What the runtime of a slot calls. Never unwinds.
unsafe extern "C" fn tell<const SLOT: usize>(info: *mut ExceptionInfo) {
    // SAFETY: null, or the table of a loaded runtime, which stays for ever.
    let Some(api) = (unsafe { APIS[SLOT].load(Ordering::Acquire).as_ref() }) else { return };
    let Some(fault) = fault_of(api, info) else { return };
    let told: Vec<(Told, Weak<RuntimeInner>)> = {
        let watchers = watchers();
        let of_slot = watchers.list.iter().filter(|w| w.slot == SLOT);
        of_slot.map(|w| (Arc::clone(&w.told), Weak::clone(&w.runtime))).collect()
    };
    for (told, runtime) in told {
        let Err(message) = guarded(move || told(&fault)) else { continue };
        if let Some(runtime) = runtime.upgrade() {
            runtime.defer_error(Error::HostFunctionPanicked { message });
            outside(move || drop(runtime));
        }
    }
}

fn fault_of(api: &AclApi, info: *const ExceptionInfo) -> Option<Fault> {
    /// One number of the fault.
    type Get = unsafe fn(&AclApi, *const ExceptionInfo) -> u32;
    // SAFETY: the information is that of the callback, alive during it.
    let get = |function: Get| unsafe { function(api, info) };
    Some(Fault {
        code: AclError(i32::try_from(get(result::exception::error_code)).ok()?),
        device_id: get(result::exception::device_id),
        stream_id: get(result::exception::stream_id),
        task_id: get(result::exception::task_id),
        thread_id: get(result::exception::thread_id),
    })
}

/// Asks the runtime to tell of faults, unless it does already.
fn register(runtime: &RuntimeInner) -> Result<()> {
    const CALL: &str = "aclrtExceptionInfoCallbackRegister";
    let (slot, api) = (runtime.slot(), runtime.api());
    let Some(function) = FUNCTIONS.get(slot) else {
        return runtime.check(CALL, Err(AclError::RT_FEATURE_NOT_SUPPORT));
    };
    APIS[slot].store(std::ptr::from_ref(api).cast_mut(), Ordering::Release);
    if REGISTERED[slot].swap(true, Ordering::AcqRel) {
        return Ok(());
    }
    // SAFETY: the function is there for ever and never unwinds.
    let done = unsafe {
        result::exception::exception_info_callback_register(api, ExceptionInfoCallback(Some(*function)))
    };
    if done.is_err() {
        REGISTERED[slot].store(false, Ordering::Release);
    }
    runtime.check(CALL, done)
}

/// Adds a watcher of a runtime.
fn watch(runtime: &Arc<RuntimeInner>, told: Told) -> Result<FaultWatch> {
    register(runtime)?;
    let mut watchers = watchers();
    watchers.next += 1;
    let number = watchers.next;
    watchers.list.push(Watcher { slot: runtime.slot(), number, told, runtime: Arc::downgrade(runtime) });
    Ok(FaultWatch { number })
}

/// Lets a function of this crate be told, for ever; a runtime that cannot tell is left alone.
#[cfg(feature = "async")]
pub(crate) fn watch_for_ever(runtime: &Arc<RuntimeInner>, told: fn(&Fault)) {
    let slot = runtime.slot();
    if register(runtime).is_err() {
        return;
    }
    let mut watchers = watchers();
    if !watchers.list.iter().any(|watcher| watcher.slot == slot && watcher.number == 0) {
        watchers.list.push(Watcher { slot, number: 0, told: Arc::new(told), runtime: Weak::new() });
    }
}

/// Before a runtime is finalised.
pub(crate) fn runtime_ends(slot: usize, api: &AclApi) {
    let Some(function) = FUNCTIONS.get(slot) else { return };
    if REGISTERED[slot].swap(false, Ordering::AcqRel) {
        // SAFETY: registered by `watch`. There is nobody left to give an error to.
        let _ = unsafe {
            result::exception::exception_info_callback_unregister(api, ExceptionInfoCallback(Some(*function)))
        };
    }
}

impl Runtime {
    /// Calls `told` for every task that fails from now on, on a thread of the runtime, while the stream stands still. It
    /// must not use the runtime. A panic in it is the error of the next call.
    ///
    /// ```
    /// # fn main() -> toprope_host::Result<()> {
    /// let runtime = toprope_host::Runtime::embedded()?;
    /// let watch = runtime.on_fault(|fault| eprintln!("stream {}: {}", fault.stream_id, fault.code))?;
    /// // … faults are told …
    /// drop(watch);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::Acl`].
    #[doc(alias = "aclrtExceptionInfoCallbackRegister")]
    #[doc(alias = "aclrtSetExceptionInfoCallback")]
    pub fn on_fault(&self, told: impl Fn(&Fault) + Send + Sync + 'static) -> Result<FaultWatch> {
        watch(self.inner(), Arc::new(told))
    }
}

impl Drop for FaultWatch {
    fn drop(&mut self) {
        let mut watchers = watchers();
        let at = watchers.list.iter().position(|watcher| watcher.number == self.number);
        let gone = at.map(|at| watchers.list.swap_remove(at));
        drop(watchers); // the closure may own things whose drop comes back here
        drop(gone);
    }
}
