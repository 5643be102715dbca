//! Contexts.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

not_supported! {
    aclrtCtxGetSysParamOpt(SysParamOpt, *mut i64) = "not modelled yet";
    aclrtCtxSetSysParamOpt(SysParamOpt, i64) = "not modelled yet";
    aclrtCtxGetCurrentDefaultStream(*mut StreamHandle) = "not modelled yet";
    aclrtGetPrimaryCtxState(i32, *mut u32, *mut i32) = "not modelled yet";
    aclrtCtxGetFloatOverflowAddr(*mut *mut c_void) = "not modelled yet";
}
