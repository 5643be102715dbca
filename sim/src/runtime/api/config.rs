//! Options of the runtime.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

not_supported! {
    aclrtGetSysParamOpt(SysParamOpt, *mut i64) = "not modelled yet";
    aclrtSetSysParamOpt(SysParamOpt, i64) = "not modelled yet";
}
