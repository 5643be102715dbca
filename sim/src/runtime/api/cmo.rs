//! Cache operations.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

not_supported! {
    aclrtCmoAsync(*mut c_void, usize, CmoType, StreamHandle) = "not modelled yet";
    aclrtCmoAsyncWithBarrier(*mut c_void, usize, CmoType, u32, StreamHandle) = "not modelled yet";
    aclrtCmoWaitBarrier(*mut BarrierTaskInfo, StreamHandle, u32) = "not modelled yet";
    aclrtCmoGetDescSize(*mut usize) = "not modelled yet";
    aclrtCmoSetDesc(*mut c_void, *mut c_void, usize) = "not modelled yet";
    aclrtCmoAsyncWithDesc(*mut c_void, CmoType, StreamHandle, *const c_void) = "not modelled yet";
}
