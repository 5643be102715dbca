//! Words of device memory that streams write and wait for.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

not_supported! {
    aclrtValueWrite(*mut c_void, u64, u32, StreamHandle) = "not modelled yet";
    aclrtValueWait(*mut c_void, u64, u32, StreamHandle) = "not modelled yet";
}
