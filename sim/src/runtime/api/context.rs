//! Contexts: default streams, options, state.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

use super::super::failure::{Answer, bug};
use super::super::state::runtime;
use super::{check_out, give};
use std::ffi::c_void;
use toprope_abi::acl::{StreamHandle, SysParamOpt};

pub unsafe fn aclrtCtxGetCurrentDefaultStream(stream: *mut StreamHandle) -> Answer {
    check_out("stream", stream)?;
    let context = runtime().current()?;
    let default = context.default_stream().ok_or_else(|| bug("a context without default stream"))?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("stream", stream, StreamHandle(default.handle as *mut c_void)) }
}

pub unsafe fn aclrtCtxSetSysParamOpt(opt: SysParamOpt, value: i64) -> Answer {
    runtime().current()?.set_option(opt, value)
}

pub unsafe fn aclrtCtxGetSysParamOpt(opt: SysParamOpt, value: *mut i64) -> Answer {
    check_out("value", value)?;
    let set = runtime().current()?.option(opt)?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("value", value, set) }
}

pub unsafe fn aclrtGetPrimaryCtxState(id: i32, flags: *mut u32, active: *mut i32) -> Answer {
    check_out("active", active)?;
    let device = runtime().device(id.into())?;
    let is_active = device.selection.lock().default_context.is_some();
    if !flags.is_null() {
        // SAFETY: not null, valid for writing (contract of the C function). There are no flags.
        unsafe { give("flags", flags, 0) }?;
    }
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("active", active, i32::from(is_active)) }
}

pub unsafe fn aclrtCtxGetFloatOverflowAddr(address: *mut *mut c_void) -> Answer {
    check_out("overflowAddr", address)?;
    let at = runtime().current()?.overflow_flags()?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("overflowAddr", address, at as *mut c_void) }
}
