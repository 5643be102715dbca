//! Argument lists of kernels.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

use super::super::args;
use super::super::failure::{Answer, refuse};
use super::super::launch::MAX_ARGS_BYTES;
use super::kernel::function;
use super::{check_out, give};
use std::ffi::c_void;
use toprope_abi::acl::*;

pub unsafe fn aclrtKernelArgsInit(func: FuncHandle, list: *mut ArgsHandle) -> Answer {
    check_out("funcHandle", func.0)?;
    check_out("argsHandle", list)?;
    function(func.0)?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("argsHandle", list, ArgsHandle(args::begin() as *mut c_void)) }
}

pub unsafe fn aclrtKernelArgsInitByUserMem(
    func: FuncHandle,
    list: ArgsHandle,
    memory: *mut c_void,
    bytes: usize,
) -> Answer {
    check_out("funcHandle", func.0)?;
    check_out("argsHandle", list.0)?;
    check_out("userHostMem", memory)?;
    function(func.0)?;
    if bytes == 0 {
        return refuse(AclError::INVALID_PARAM, "`actualArgsSize` is 0");
    }
    // SAFETY: both are memory of the sizes that the functions below told (contract of the C function).
    unsafe { args::begin_in(list.0, memory, bytes) }
}

pub unsafe fn aclrtKernelArgsGetHandleMemSize(func: FuncHandle, bytes: *mut usize) -> Answer {
    check_out("funcHandle", func.0)?;
    check_out("memSize", bytes)?;
    function(func.0)?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("memSize", bytes, args::LIST_BYTES) }
}

pub unsafe fn aclrtKernelArgsGetMemSize(func: FuncHandle, user: usize, bytes: *mut usize) -> Answer {
    check_out("funcHandle", func.0)?;
    check_out("actualArgsSize", bytes)?;
    function(func.0)?;
    // No hidden arguments here, but each parameter may need filling up to a multiple of 8.
    let room = user.checked_next_multiple_of(8).filter(|room| *room <= MAX_ARGS_BYTES);
    let Some(room) = room else {
        let text =
            format!("`userArgsSize` is {user}; at most {MAX_ARGS_BYTES} bytes of arguments are possible");
        return refuse(AclError::RT_PARAM_INVALID, text);
    };
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("actualArgsSize", bytes, room) }
}

pub unsafe fn aclrtKernelArgsAppend(
    list: ArgsHandle,
    value: *mut c_void,
    bytes: usize,
    out: *mut ParamHandle,
) -> Answer {
    check_out("argsHandle", list.0)?;
    check_out("param", value)?;
    check_out("paramHandle", out)?;
    if bytes == 0 {
        return refuse(AclError::INVALID_PARAM, "`paramSize` is 0");
    }
    if bytes > MAX_ARGS_BYTES {
        let text =
            format!("`paramSize` is {bytes}; at most {MAX_ARGS_BYTES} bytes of arguments are possible");
        return refuse(AclError::RT_PARAM_INVALID, text);
    }
    // SAFETY: `value` is readable for `bytes` (contract of the C function).
    let param = unsafe { args::append(list.0, value, bytes) }?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("paramHandle", out, ParamHandle(param)) }
}

pub unsafe fn aclrtKernelArgsAppendPlaceHolder(list: ArgsHandle, out: *mut ParamHandle) -> Answer {
    check_out("argsHandle", list.0)?;
    check_out("paramHandle", out)?;
    let param = args::append_place_holder(list.0)?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("paramHandle", out, ParamHandle(param)) }
}

pub unsafe fn aclrtKernelArgsGetPlaceHolderBuffer(
    list: ArgsHandle,
    param: ParamHandle,
    bytes: usize,
    out: *mut *mut c_void,
) -> Answer {
    check_out("argsHandle", list.0)?;
    check_out("paramHandle", param.0)?;
    check_out("bufferAddr", out)?;
    let buffer = args::place_holder_buffer(list.0, param.0, bytes)?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("bufferAddr", out, buffer) }
}

pub unsafe fn aclrtKernelArgsParaUpdate(
    list: ArgsHandle,
    param: ParamHandle,
    value: *mut c_void,
    bytes: usize,
) -> Answer {
    check_out("argsHandle", list.0)?;
    check_out("paramHandle", param.0)?;
    check_out("param", value)?;
    // SAFETY: `value` is readable for `bytes` (contract of the C function).
    unsafe { args::update(list.0, param.0, value, bytes) }
}

pub unsafe fn aclrtKernelArgsFinalize(list: ArgsHandle) -> Answer {
    check_out("argsHandle", list.0)?;
    args::finalize(list.0)
}
