//! Variables of kernels, by the symbol the host has for them.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

not_supported! {
    aclrtGetSymbolAddress(*const c_void, *mut *mut c_void) = "not modelled yet";
    aclrtGetSymbolSize(*const c_void, *mut usize) = "not modelled yet";
    aclrtMemcpyFromSymbol(*mut c_void, usize, *const c_void, usize, usize, MemcpyKind) = "not modelled yet";
    aclrtMemcpyFromSymbolAsync(*mut c_void, usize, *const c_void, usize, usize, MemcpyKind, StreamHandle) = "not modelled yet";
    aclrtMemcpyToSymbol(*const c_void, *const c_void, usize, usize, MemcpyKind) = "not modelled yet";
    aclrtMemcpyToSymbolAsync(*const c_void, *const c_void, usize, usize, MemcpyKind, StreamHandle) = "not modelled yet";
}
