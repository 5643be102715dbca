//! Parameters of the process.
//!
//! They are kept and told again: what reads them are operator libraries, which choose among their kernels. Kernels here
//! are always checked, so `ACL_OPT_ENABLE_DEBUG_KERNEL` adds nothing to that.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

use super::super::failure::{Answer, refuse};
use super::{check_out, give};
use std::sync::atomic::{AtomicI64, Ordering};
use toprope_abi::acl::{AclError, SysParamOpt};

/// A parameter: its largest value (all start at 0) and its value.
struct Parameter {
    option: SysParamOpt,
    largest: i64,
    value: AtomicI64,
}

const fn parameter(option: SysParamOpt, largest: i64) -> Parameter {
    Parameter { option, largest, value: AtomicI64::new(0) }
}

static PARAMETERS: [Parameter; 4] = [
    parameter(SysParamOpt::DETERMINISTIC, 3),
    parameter(SysParamOpt::ENABLE_DEBUG_KERNEL, 1),
    parameter(SysParamOpt::STRONG_CONSISTENCY, 1),
    parameter(SysParamOpt::ENABLE_KERNEL_EARLY_START, 1),
];

fn find(option: SysParamOpt) -> Answer<&'static Parameter> {
    PARAMETERS.iter().find(|p| p.option == option).map_or_else(
        || refuse(AclError::RT_PARAM_INVALID, format!("`opt` is {}, which is no aclSysParamOpt", option.0)),
        Ok,
    )
}

pub unsafe fn aclrtSetSysParamOpt(option: SysParamOpt, value: i64) -> Answer {
    let parameter = find(option)?;
    if !(0..=parameter.largest).contains(&value) {
        let name = option.name().unwrap_or_default();
        let text = format!("`value` of {name} is {value}; it must be 0 to {}", parameter.largest);
        return refuse(AclError::RT_PARAM_INVALID, text);
    }
    parameter.value.store(value, Ordering::Relaxed);
    Ok(())
}

pub unsafe fn aclrtGetSysParamOpt(option: SysParamOpt, value: *mut i64) -> Answer {
    check_out("value", value)?;
    let parameter = find(option)?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("value", value, parameter.value.load(Ordering::Relaxed)) }
}
