//! Dumps of operators.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

not_supported! {
    aclmdlInitDump() = "not modelled yet";
    aclmdlSetDump(*const CChar) = "not modelled yet";
    aclmdlFinalizeDump() = "not modelled yet";
}
