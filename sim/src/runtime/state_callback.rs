//! Functions of the program that hear of streams (made, about to be destroyed) and of devices (selected, reset, aborted).
//!
//! They are called on the thread whose call changed something, while no lock is held.
#![allow(unsafe_code)] // calls functions that the program passed in.

use super::failure::{Answer, Failure, refuse};
use parking_lot::Mutex;
use std::ffi::c_void;
use toprope_abi::acl::{
    AclError, DeviceState, DeviceStateCallback, DeviceTaskAbortCallback, DeviceTaskAbortStage, StreamHandle,
    StreamState, StreamStateCallback,
};

/// A list of functions by name.
struct Registry<F>(Mutex<Vec<(String, F, u64)>>);

impl<F: Copy> Registry<F> {
    const fn new() -> Self {
        Registry(Mutex::new(Vec::new()))
    }

    /// Adds (or, with `None`, takes away) the function of a name.
    fn set(&self, name: &str, function: Option<F>, argument: *mut c_void) -> Answer {
        if name.is_empty() {
            return refuse(AclError::RT_PARAM_INVALID, "`regName` is empty");
        }
        let mut list = self.0.lock();
        let known = list.iter().position(|(other, ..)| other == name);
        match (function, known) {
            (Some(function), None) => list.push((name.to_owned(), function, argument as u64)),
            (None, Some(at)) => {
                list.remove(at);
            }
            (Some(_), Some(_)) => {
                return Err(Failure::new(
                    AclError::RT_PARAM_INVALID,
                    format!("a callback `{name}` is registered already"),
                )
                .help("take it away first (null callback), or choose another name"));
            }
            (None, None) => {
                let text = format!("no callback `{name}` is registered, so none can be taken away");
                return refuse(AclError::RT_PARAM_INVALID, text);
            }
        }
        Ok(())
    }

    fn all(&self) -> Vec<(F, u64)> {
        self.0.lock().iter().map(|(_, function, argument)| (*function, *argument)).collect()
    }
}

type StreamFn = unsafe extern "C" fn(StreamHandle, StreamState, *mut c_void);
type DeviceFn = unsafe extern "C" fn(i32, DeviceState, *mut c_void);
type AbortFn = unsafe extern "C" fn(i32, DeviceTaskAbortStage, u32, *mut c_void) -> i32;

static STREAMS: Registry<StreamFn> = Registry::new();
static ABORTS: Registry<AbortFn> = Registry::new();
static DEVICES: Registry<DeviceFn> = Registry::new();

/// `aclrtRegStreamStateCallback`.
///
/// # Errors
/// 107000 for an empty name, one that is taken, or one to be taken away that is not there.
pub fn set_stream_callback(name: &str, callback: StreamStateCallback, argument: *mut c_void) -> Answer {
    STREAMS.set(name, callback.0, argument)
}

/// `aclrtSetDeviceTaskAbortCallback`.
///
/// # Errors
/// As [`set_stream_callback`].
pub fn set_abort_callback(name: &str, callback: DeviceTaskAbortCallback, argument: *mut c_void) -> Answer {
    ABORTS.set(name, callback.0, argument)
}

/// A stream was made, or is about to be destroyed.
pub fn stream_changed(handle: u64, state: StreamState) {
    for (function, argument) in STREAMS.all() {
        // SAFETY: the program registered the function to be called like this.
        unsafe { function(StreamHandle(handle as *mut c_void), state, argument as *mut c_void) };
    }
}

/// The tasks of a device are about to be aborted, or were.
///
/// # Errors
/// 507000 with the first result that is not 0.
pub fn device_aborts(device: i32, stage: DeviceTaskAbortStage, timeout_ms: u32) -> Answer {
    for (function, argument) in ABORTS.all() {
        // SAFETY: the program registered the function to be called like this.
        let result = unsafe { function(device, stage, timeout_ms, argument as *mut c_void) };
        if result != 0 {
            let text = format!("a callback of aclrtSetDeviceTaskAbortCallback returned {result}");
            return refuse(AclError::RT_INTERNAL_ERROR, text);
        }
    }
    Ok(())
}

/// `aclrtRegDeviceStateCallback`.
///
/// # Errors
/// 107000 for an empty name, a name in use, or nothing to take away.
pub fn set_device_callback(name: &str, callback: DeviceStateCallback, argument: *mut c_void) -> Answer {
    DEVICES.set(name, callback.0, argument)
}

/// A device is about to be, or was, selected or reset.
pub fn device_changes(device: i32, state: DeviceState) {
    for (function, argument) in DEVICES.all() {
        // SAFETY: a function that the program registered, with what it registered for it.
        unsafe { function(device, state, argument as *mut c_void) };
    }
}
