//! Hooks of initialisation and finalisation.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

not_supported! {
    aclInitCallbackRegister(RegisterCallbackType, InitCallbackFunc, *mut c_void) = "not modelled yet";
    aclInitCallbackUnRegister(RegisterCallbackType, InitCallbackFunc) = "not modelled yet";
    aclFinalizeCallbackRegister(RegisterCallbackType, FinalizeCallbackFunc, *mut c_void) = "not modelled yet";
    aclFinalizeCallbackUnRegister(RegisterCallbackType, FinalizeCallbackFunc) = "not modelled yet";
}
