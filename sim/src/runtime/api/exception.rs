//! What the runtime tells of tasks that failed.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

use super::super::callback;
use super::super::exception::{self, Exception, NOTHING};
use super::super::failure::{Answer, Failure, invalid, refuse};
use super::super::state::runtime;
use super::super::state_callback;
use super::{check_out, give, text};
use std::ffi::c_void;
use std::time::{Duration, Instant};
use toprope_abi::acl::{
    AclError, DeviceErrorInfo, DeviceTaskAbortCallback, DeviceTaskAbortStage, ErrorInfoDetail, ErrorType,
    ExceptionInfo, ExceptionInfoCallback, MEM_UCE_INFO_ARRAY_MAX_SIZE, MemUceInfo, MemUceInfoArray,
};
use toprope_abi::layout::CChar;

/// Longest time limit of an abort: 36 minutes.
const LONGEST_ABORT_MS: u32 = 36 * 60 * 1000;

pub unsafe fn aclrtSetExceptionInfoCallback(callback: ExceptionInfoCallback) -> Answer {
    exception::set(callback.0);
    Ok(())
}

pub unsafe fn aclrtExceptionInfoCallbackRegister(callback: ExceptionInfoCallback) -> Answer {
    let Some(callback) = callback.0 else { return invalid("`callback` is null") };
    exception::register(callback);
    Ok(())
}

pub unsafe fn aclrtExceptionInfoCallbackUnregister(callback: ExceptionInfoCallback) -> Answer {
    let Some(callback) = callback.0 else { return invalid("`callback` is null") };
    exception::unregister(callback);
    Ok(())
}

/// Reads a field of what a callback got.
///
/// # Safety
/// `info` is null or the pointer that a callback got and that is still valid.
unsafe fn field(info: *const ExceptionInfo, read: impl FnOnce(&Exception) -> u32) -> u32 {
    // SAFETY: callbacks get pointers to `Exception` (contract).
    let info = unsafe { info.cast::<Exception>().as_ref() };
    info.map_or(NOTHING, read)
}

pub unsafe fn aclrtGetTaskIdFromExceptionInfo(info: *const ExceptionInfo) -> u32 {
    // SAFETY: the same contract.
    unsafe { field(info, |e| e.task_id) }
}

pub unsafe fn aclrtGetStreamIdFromExceptionInfo(info: *const ExceptionInfo) -> u32 {
    // SAFETY: the same contract.
    unsafe { field(info, |e| e.stream_id) }
}

pub unsafe fn aclrtGetThreadIdFromExceptionInfo(info: *const ExceptionInfo) -> u32 {
    // SAFETY: the same contract.
    unsafe { field(info, |e| e.thread_id) }
}

pub unsafe fn aclrtGetDeviceIdFromExceptionInfo(info: *const ExceptionInfo) -> u32 {
    // SAFETY: the same contract.
    unsafe { field(info, |e| e.device_id) }
}

pub unsafe fn aclrtGetErrorCodeFromExceptionInfo(info: *const ExceptionInfo) -> u32 {
    // SAFETY: the same contract.
    unsafe { field(info, |e| e.code.0.unsigned_abs()) }
}

pub unsafe fn aclrtGetMemUceInfo(
    device: i32,
    list: *mut MemUceInfo,
    room: usize,
    count: *mut usize,
) -> Answer {
    check_out("memUceInfoArray", list)?;
    check_out("retSize", count)?;
    if room == 0 {
        return invalid("`arraySize` is 0");
    }
    runtime().device(device.into())?;
    // Embedded memory has no errors, so the list stays as it is.
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("retSize", count, 0) }
}

pub unsafe fn aclrtMemUceRepair(device: i32, list: *mut MemUceInfo, count: usize) -> Answer {
    check_out("memUceInfoArray", list)?;
    let most = MEM_UCE_INFO_ARRAY_MAX_SIZE as usize;
    if count == 0 || count > most {
        return invalid(format!("`arraySize` is {count}; it must be 1 to {most}"));
    }
    runtime().device(device.into())?;
    Err(Failure::new(AclError::RT_PARAM_INVALID, format!("device {device} has no memory errors to repair"))
        .help("repair what aclrtGetMemUceInfo listed; here it lists nothing"))
}

pub unsafe fn aclrtGetErrorVerbose(device: i32, info: *mut DeviceErrorInfo) -> Answer {
    check_out("errorInfo", info)?;
    let device = runtime().device(device.into())?;
    let uce = MemUceInfo { addr: std::ptr::null_mut(), size_bytes: 0, reserved: [0; 14] };
    let error_type = if exception::is_faulty(device.index) { ErrorType::OTHERS } else { ErrorType::NO_ERROR };
    let answer = DeviceErrorInfo {
        try_repair: 0,
        has_detail: 0,
        reserved: [0; 2],
        error_type,
        detail: ErrorInfoDetail {
            uce_info: MemUceInfoArray { array_size: 0, mem_uce_info_array: [uce; 20] },
        },
    };
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("errorInfo", info, answer) }
}

pub unsafe fn aclrtRepairError(device: i32, info: *const DeviceErrorInfo) -> Answer {
    check_out("errorInfo", info)?;
    let device = runtime().device(device.into())?;
    // SAFETY: not null, valid (contract of the C function); `try_repair` is the first byte.
    let try_repair = unsafe { info.cast::<u8>().read() };
    if try_repair != 1 {
        let text = format!(
            "`errorInfo` has tryRepair {try_repair}: no fault of device {} that can be repaired",
            device.index
        );
        return Err(Failure::new(AclError::RT_PARAM_INVALID, text)
            .help("repair only what aclrtGetErrorVerbose marks with tryRepair 1; aclrtResetDeviceForce clears the device"));
    }
    exception::forget(device.index);
    Ok(())
}

pub unsafe fn aclrtSetDeviceTaskAbortCallback(
    name: *const CChar,
    callback: DeviceTaskAbortCallback,
    argument: *mut c_void,
) -> Answer {
    // SAFETY: null or a C string (contract of the C function).
    let name = unsafe { text("regName", name) }?;
    state_callback::set_abort_callback(&name, callback, argument)
}

pub unsafe fn aclrtDeviceTaskAbort(id: i32, timeout_ms: u32) -> Answer {
    if timeout_ms > LONGEST_ABORT_MS {
        let text = format!("`timeout` is {timeout_ms} ms; the longest is {LONGEST_ABORT_MS} ms (36 minutes)");
        return refuse(AclError::RT_PARAM_INVALID, text);
    }
    callback::check_outside("a device is aborted")?;
    let device = runtime().device(id.into())?;
    let deadline = (timeout_ms > 0).then(|| Instant::now() + Duration::from_millis(timeout_ms.into()));
    state_callback::device_aborts(id, DeviceTaskAbortStage::PRE, timeout_ms)?;
    let streams = runtime().streams.select(|s| s.context.device.index == device.index);
    let why = Failure::new(
        AclError::RT_DEVICE_TASK_ABORT,
        format!("aclrtDeviceTaskAbort stopped the work of device {id}"),
    )
    .help("enqueue again what is still wanted");
    let mut ended = true;
    for stream in &streams {
        ended &= stream.abort(&why, deadline)?;
    }
    exception::forget(device.index);
    state_callback::device_aborts(id, DeviceTaskAbortStage::POST, timeout_ms)?;
    if ended {
        return Ok(());
    }
    let text = format!("work of device {id} did not stop within {timeout_ms} ms");
    Err(Failure::new(AclError::RT_TIMEOUT, text)
        .help("functions of the program and copies are waited for; wait longer"))
}

not_supported! {}
