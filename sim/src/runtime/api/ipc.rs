//! Sharing between processes: memory, events, notifies.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

use super::super::event::{Event, Family};
use super::super::failure::{Answer, Failure, invalid, refuse};
use super::super::ipc::key::{Key, Kind, ROOM_BYTES, TEXT_BYTES};
use super::super::ipc::{event, exports, memory, notify, physical};
use super::super::process;
use super::super::state::runtime;
use super::{check_out, give, give_text, text};
use std::ffi::c_void;
use std::sync::Arc;
use toprope_abi::acl::{
    AclError, DrvMemHandle, EVENT_IPC, EventHandle, IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION,
    IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS, IpcEventHandle, MemHandleType, MemSharedHandleType,
    NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION, NOTIFY_IMPORT_FLAG_ENABLE_PEER_ACCESS, NotifyHandle,
    VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION,
};
use toprope_abi::layout::CChar;

/// Most process ids that are believed.
const MAX_PIDS: usize = 1 << 16;

/// A flag argument that knows one bit.
fn one_flag(flags: u64, bit: u64, name: &str) -> Answer<bool> {
    if flags & !bit == 0 {
        return Ok(flags & bit != 0);
    }
    refuse(AclError::RT_PARAM_INVALID, format!("`flags` is {flags:#x}; it must be 0 or {bit:#x} ({name})"))
}

/// The room for a key.
fn check_room(key: *const CChar, len: usize) -> Answer {
    check_out("key", key)?;
    if len >= ROOM_BYTES {
        return Ok(());
    }
    let text = format!("`len`, the room for the key, is {len}; {ROOM_BYTES} bytes are needed");
    refuse(AclError::RT_PARAM_INVALID, text)
}

/// A whitelist.
///
/// # Safety
/// `pids` is null or points to `count` numbers.
unsafe fn pid_list<'a>(pids: *const i32, count: usize) -> Answer<&'a [i32]> {
    check_out("pid", pids)?;
    if count == 0 || count > MAX_PIDS || !pids.is_aligned() {
        let text = format!("`num` is {count}; the list must hold 1 to {MAX_PIDS} process ids");
        return refuse(AclError::RT_PARAM_INVALID, text);
    }
    // SAFETY: not null, aligned, `count` long (contract).
    let pids = unsafe { std::slice::from_raw_parts(pids, count) };
    match pids.iter().find(|pid| **pid <= 0) {
        Some(pid) => refuse(AclError::RT_PARAM_INVALID, format!("{pid} is no process id")),
        None => Ok(pids),
    }
}

pub unsafe fn aclrtIpcMemGetExportKey(
    dev_ptr: *mut c_void,
    size: usize,
    key: *mut CChar,
    len: usize,
    flags: u64,
) -> Answer {
    check_out("devPtr", dev_ptr)?;
    check_room(key, len)?;
    let anyone = one_flag(flags, IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION, "no whitelist")?;
    let runtime = runtime();
    runtime.current()?;
    let made = memory::export(runtime, dev_ptr as u64, size as u64, anyone)?;
    // SAFETY: `len` characters (contract of the C function), enough for the key (checked).
    unsafe { give_text(key, len, &made.text()) };
    Ok(())
}

pub unsafe fn aclrtIpcMemImportByKey(dev_ptr: *mut *mut c_void, key: *const CChar, flags: u64) -> Answer {
    check_out("devPtr", dev_ptr)?;
    // SAFETY: null or NUL-terminated (contract of the C function).
    let key = unsafe { text("key", key) }?;
    let open_peer = one_flag(flags, IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS, "open peer access")?;
    let at = memory::import(runtime(), Key::parse(&key, Kind::Memory)?, open_peer)?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("devPtr", dev_ptr, at as *mut c_void) }
}

pub unsafe fn aclrtIpcMemClose(key: *const CChar) -> Answer {
    process::check_not_forked()?;
    // SAFETY: null or NUL-terminated (contract of the C function).
    let key = unsafe { text("key", key) }?;
    memory::close(Key::parse(&key, Kind::Memory)?)
}

pub unsafe fn aclrtIpcMemSetImportPid(key: *const CChar, pid: *mut i32, num: usize) -> Answer {
    process::check_not_forked()?;
    // SAFETY: null or NUL-terminated (contract of the C function).
    let key = unsafe { text("key", key) }?;
    // SAFETY: null or `num` long (contract of the C function).
    let pids = unsafe { pid_list(pid, num) }?;
    exports::allow(&Key::parse(&key, Kind::Memory)?, pids)
}

// ---- events ----------------------------------------------------------------------------------------------------------

pub unsafe fn aclrtIpcGetEventHandle(event: EventHandle, handle: *mut IpcEventHandle) -> Answer {
    check_out("handle", handle)?;
    let event = super::event::find(event)?;
    let key = event::export(&event)?.text();
    let mut reserved = [CChar(0); TEXT_BYTES];
    for (place, byte) in reserved.iter_mut().zip(key.bytes()) {
        *place = CChar(byte as _);
    }
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("handle", handle, IpcEventHandle { reserved }) }
}

pub unsafe fn aclrtIpcOpenEventHandle(handle: IpcEventHandle, event: *mut EventHandle) -> Answer {
    check_out("event", event)?;
    let text: String = handle.reserved.iter().map(|c| char::from(c.0 as u8)).collect();
    let key = Key::parse(&text, Kind::Event)?;
    let runtime = runtime();
    let device = runtime.current()?.device.index;
    let opened = event::import(key, device, || {
        let handle = runtime.events.reserve();
        let event = Arc::new(Event::new(handle, Family::Ex, EVENT_IPC, device));
        runtime.events.insert(handle, event.clone());
        event
    })?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("event", event, EventHandle(opened.handle as *mut c_void)) }
}

// ---- notifies --------------------------------------------------------------------------------------------------------

pub unsafe fn aclrtNotifyGetExportKey(
    notify: NotifyHandle,
    key: *mut CChar,
    len: usize,
    flags: u64,
) -> Answer {
    check_room(key, len)?;
    let anyone = one_flag(flags, NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION, "no whitelist")?;
    let made = notify::export(&*super::notify::find(notify)?, anyone)?;
    // SAFETY: `len` characters (contract of the C function), enough for the key (checked).
    unsafe { give_text(key, len, &made.text()) };
    Ok(())
}

pub unsafe fn aclrtNotifyImportByKey(notify: *mut NotifyHandle, key: *const CChar, flags: u64) -> Answer {
    check_out("notify", notify)?;
    // SAFETY: null or NUL-terminated (contract of the C function).
    let key = unsafe { text("key", key) }?;
    // Signals between devices need no peer access here.
    one_flag(flags, NOTIFY_IMPORT_FLAG_ENABLE_PEER_ACCESS, "open peer access")?;
    let device = runtime().current()?.device.index;
    let imported = notify::import(Key::parse(&key, Kind::Notify)?, device)?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("notify", notify, NotifyHandle(imported.handle as *mut c_void)) }
}

pub unsafe fn aclrtNotifySetImportPid(notify: NotifyHandle, pid: *mut i32, num: usize) -> Answer {
    let notify = super::notify::find(notify)?;
    // SAFETY: null or `num` long (contract of the C function).
    notify::allow(&notify, unsafe { pid_list(pid, num) }?)
}

// ---- physical memory -------------------------------------------------------------------------------------------------

fn check_share_type(share_type: MemSharedHandleType) -> Answer {
    match share_type {
        MemSharedHandleType::DEFAULT => Ok(()),
        MemSharedHandleType::FABRIC => Err(Failure::new(
            AclError::RT_FEATURE_NOT_SUPPORT,
            "ACL_MEM_SHARE_HANDLE_TYPE_FABRIC shares between servers, which Atlas A2 does not",
        )
        .help("use ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT between processes of one server")),
        _ => {
            let text = format!("`shareType` is {}, which is no aclrtMemSharedHandleType", share_type.0);
            refuse(AclError::RT_PARAM_INVALID, text)
        }
    }
}

fn export_physical(handle: DrvMemHandle, flags: u64) -> Answer<u64> {
    if handle.is_null() {
        return invalid("`handle` is null");
    }
    let anyone = one_flag(flags, VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION, "no whitelist")?;
    process::check_not_forked()?;
    Ok(physical::export(handle.0, anyone)?.handle())
}

pub unsafe fn aclrtMemExportToShareableHandle(
    handle: DrvMemHandle,
    handle_type: MemHandleType,
    flags: u64,
    shareable: *mut u64,
) -> Answer {
    check_out("shareableHandle", shareable)?;
    if handle_type != MemHandleType::NONE {
        let text = format!("`handleType` is {}; it must be 0 (ACL_MEM_HANDLE_TYPE_NONE)", handle_type.0);
        return refuse(AclError::RT_PARAM_INVALID, text);
    }
    let made = export_physical(handle, flags)?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("shareableHandle", shareable, made) }
}

pub unsafe fn aclrtMemExportToShareableHandleV2(
    handle: DrvMemHandle,
    flags: u64,
    share_type: MemSharedHandleType,
    shareable: *mut c_void,
) -> Answer {
    check_out("shareableHandle", shareable)?;
    check_share_type(share_type)?;
    let made = export_physical(handle, flags)?;
    // SAFETY: room for 64 bits for this type (contract of the C function).
    unsafe { give("shareableHandle", shareable.cast::<u64>(), made) }
}

pub unsafe fn aclrtMemImportFromShareableHandle(
    shareable: u64,
    device: i32,
    handle: *mut DrvMemHandle,
) -> Answer {
    check_out("handle", handle)?;
    process::check_not_forked()?;
    let device = runtime().device(device.into())?;
    let imported = physical::import(shareable, device.index)?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("handle", handle, DrvMemHandle(imported as *mut c_void)) }
}

/// The number behind a typed shareable handle.
///
/// # Safety
/// `shareable` is null or points to 64 bits.
unsafe fn read_shareable(shareable: *mut c_void, share_type: MemSharedHandleType) -> Answer<u64> {
    check_out("shareableHandle", shareable)?;
    check_share_type(share_type)?;
    // SAFETY: not null, 64 bits (contract); C may pass any alignment.
    Ok(unsafe { shareable.cast::<u64>().read_unaligned() })
}

pub unsafe fn aclrtMemImportFromShareableHandleV2(
    shareable: *mut c_void,
    share_type: MemSharedHandleType,
    flags: u64,
    handle: *mut DrvMemHandle,
) -> Answer {
    check_out("handle", handle)?;
    // SAFETY: the same contract.
    let shareable = unsafe { read_shareable(shareable, share_type) }?;
    if flags != 0 {
        return refuse(AclError::RT_PARAM_INVALID, format!("`flags` is {flags:#x}; it must be 0"));
    }
    let device = runtime().current()?.device;
    let imported = physical::import(shareable, device.index)?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("handle", handle, DrvMemHandle(imported as *mut c_void)) }
}

pub unsafe fn aclrtMemSetPidToShareableHandle(shareable: u64, pid: *mut i32, num: usize) -> Answer {
    process::check_not_forked()?;
    // SAFETY: null or `num` long (contract of the C function).
    exports::allow(&Key::from_handle(shareable), unsafe { pid_list(pid, num) }?)
}

pub unsafe fn aclrtMemSetPidToShareableHandleV2(
    shareable: *mut c_void,
    share_type: MemSharedHandleType,
    pid: *mut i32,
    num: usize,
) -> Answer {
    process::check_not_forked()?;
    // SAFETY: the same contract.
    let shareable = unsafe { read_shareable(shareable, share_type) }?;
    // SAFETY: null or `num` long (contract of the C function).
    exports::allow(&Key::from_handle(shareable), unsafe { pid_list(pid, num) }?)
}

not_supported! {
    aclrtNotifySetImportPidInterServer(NotifyHandle, *mut ServerPid, usize) = "the documentation lists it as not supported on Atlas A2 (dav-2201), which does not share between servers";
    aclrtIpcMemSetAttr(*const CChar, IpcMemAttrType, u64) = "the documentation lists it as not supported on Atlas A2 (dav-2201)";
    aclrtIpcMemImportPidInterServer(*const CChar, *mut ServerPid, usize) = "the documentation lists it as not supported on Atlas A2 (dav-2201), which does not share between servers";
}
