//! Initialisation and its end.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

use super::super::failure::Answer;
use super::super::init_hooks::{self, Hook};
use super::super::snapshot;
use super::super::state::runtime;
use super::text;
use std::ffi::c_void;
use toprope_abi::acl::{FinalizeCallbackFunc, InitCallbackFunc, RegisterCallbackType};
use toprope_abi::layout::CChar;

pub unsafe fn aclInit(config_path: *const CChar) -> Answer {
    let path = if config_path.is_null() {
        None
    } else {
        // SAFETY: not null, NUL-terminated (contract of the C function).
        Some(unsafe { text("configPath", config_path) }?.into_owned())
    };
    let runtime = runtime();
    runtime.init(path)?;
    let config = runtime.init_text().unwrap_or_default();
    init_hooks::run_init(&config).inspect_err(|_| {
        // The process is as uninitialised as before.
        let _ = runtime.finalize_reference();
    })
}

pub unsafe fn aclFinalize() -> Answer {
    if runtime().init_text().is_some() {
        init_hooks::run_finalize()?;
    }
    snapshot::force_unlock();
    runtime().finalize()
}

pub unsafe fn aclFinalizeReference(count: *mut u64) -> Answer {
    let runtime = runtime();
    if runtime.init_count() == 1 {
        init_hooks::run_finalize()?;
        snapshot::force_unlock();
    }
    let left = runtime.finalize_reference();
    if !count.is_null() {
        // SAFETY: not null, and the caller promises a valid integer.
        unsafe { count.write(*left.as_ref().unwrap_or(&0)) };
    }
    left.map(drop)
}

pub unsafe fn aclInitCallbackRegister(
    kind: RegisterCallbackType,
    hook: InitCallbackFunc,
    user_data: *mut c_void,
) -> Answer {
    init_hooks::register(kind, Hook::Init(hook), user_data)
}

pub unsafe fn aclInitCallbackUnRegister(kind: RegisterCallbackType, hook: InitCallbackFunc) -> Answer {
    init_hooks::unregister(kind, Hook::Init(hook))
}

pub unsafe fn aclFinalizeCallbackRegister(
    kind: RegisterCallbackType,
    hook: FinalizeCallbackFunc,
    user_data: *mut c_void,
) -> Answer {
    init_hooks::register(kind, Hook::Finalize(hook), user_data)
}

pub unsafe fn aclFinalizeCallbackUnRegister(
    kind: RegisterCallbackType,
    hook: FinalizeCallbackFunc,
) -> Answer {
    init_hooks::unregister(kind, Hook::Finalize(hook))
}
