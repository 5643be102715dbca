//! Functions of the program that are called when a device is set or reset, or when its tasks are aborted.
//!
//! Each has a name; a null function takes it away. They run on the thread that causes the change, without a lock held.
#![allow(unsafe_code)] // calls functions of the program.

use super::failure::{Answer, Failure, refuse};
use parking_lot::Mutex;
use std::ffi::c_void;
use toprope_abi::acl::{
    AclError, DeviceState, DeviceStateCallback, DeviceTaskAbortCallback, DeviceTaskAbortStage,
};

/// A registered function and what it gets.
#[derive(Clone, Copy)]
struct Hook<F> {
    function: F,
    args: *mut c_void,
}

// SAFETY: the pointer is the program's; it is only handed back to the program's function.
unsafe impl<F> Send for Hook<F> {}

/// Functions by name, in the order in which they came.
struct Hooks<F>(Mutex<Vec<(String, Hook<F>)>>);

impl<F: Copy> Hooks<F> {
    const fn new() -> Hooks<F> {
        Hooks(Mutex::new(Vec::new()))
    }

    fn set(&self, name: &str, function: Option<F>, args: *mut c_void) -> Answer {
        if name.is_empty() {
            return refuse(AclError::RT_PARAM_INVALID, "`regName` is empty");
        }
        let mut list = self.0.lock();
        let at = list.iter().position(|entry| entry.0 == name);
        match (at, function) {
            (None, Some(function)) => list.push((name.to_string(), Hook { function, args })),
            (Some(at), None) => drop(list.remove(at)),
            (Some(_), Some(_)) => {
                let text = format!("a callback is registered under the name `{name}` already");
                return Err(Failure::new(AclError::RT_PARAM_INVALID, text)
                    .help("take the old one away first (null callback), or use another name"));
            }
            (None, None) => {
                let text = format!("no callback is registered under the name `{name}`");
                return refuse(AclError::RT_PARAM_INVALID, text);
            }
        }
        Ok(())
    }

    fn all(&self) -> Vec<Hook<F>> {
        self.0.lock().iter().map(|entry| entry.1).collect()
    }
}

type StateFunction = unsafe extern "C" fn(i32, DeviceState, *mut c_void);
type AbortFunction = unsafe extern "C" fn(i32, DeviceTaskAbortStage, u32, *mut c_void) -> i32;

static STATE: Hooks<StateFunction> = Hooks::new();
static ABORT: Hooks<AbortFunction> = Hooks::new();

/// `aclrtRegDeviceStateCallback`.
///
/// # Errors
/// 107000 for an empty name, a name in use, or nothing to take away.
pub fn on_state(name: &str, callback: DeviceStateCallback, args: *mut c_void) -> Answer {
    STATE.set(name, callback.0, args)
}

/// A device is about to be, or was, set or reset.
pub fn state_changes(device: i32, state: DeviceState) {
    for hook in STATE.all() {
        // SAFETY: a function that the program registered, with what it registered for it.
        unsafe { (hook.function)(device, state, hook.args) };
    }
}

/// `aclrtSetDeviceTaskAbortCallback`.
///
/// # Errors
/// As [`on_state`].
pub fn on_task_abort(name: &str, callback: DeviceTaskAbortCallback, args: *mut c_void) -> Answer {
    ABORT.set(name, callback.0, args)
}

/// The tasks of a device are about to be, or were, aborted.
///
/// # Errors
/// 500001 if a callback says that it failed.
pub fn task_abort(device: i32, stage: DeviceTaskAbortStage, timeout: u32) -> Answer {
    for hook in ABORT.all() {
        // SAFETY: as in `state_changes`.
        let answer = unsafe { (hook.function)(device, stage, timeout, hook.args) };
        if answer != 0 {
            let text = format!("a task-abort callback of device {device} failed with {answer}");
            return refuse(AclError::FAILURE, text);
        }
    }
    Ok(())
}
