//! Dumps of operators.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

not_supported! {
    aclmdlInitDump() = "saves tensors of the models and operators of the graph engine, which is not part of the runtime library";
    aclmdlSetDump(*const CChar) = "saves tensors of the models and operators of the graph engine, which is not part of the runtime library";
    aclmdlFinalizeDump() = "saves tensors of the models and operators of the graph engine, which is not part of the runtime library";
}
