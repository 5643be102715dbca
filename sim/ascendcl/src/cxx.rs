//! The C++ functions that pyasc's wrappers name; here with their mangled names.
#![allow(unsafe_code)] // exports C symbols.

use std::ffi::{c_char, c_void};
use toprope_sim::runtime::{device_cycles, print_device_output};

/// `Adx::AdumpPrintWorkSpace(const void*, size_t, void*, const char*)`: prints what kernels of a stream printed.
///
/// Output of kernels of toprope does not go through the workspace in device memory but arrives with the end of the
/// kernel; so this waits for the stream, which prints it, and leaves the workspace alone.
///
/// # Safety
/// - `stream` is a handle of this library, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn _ZN3Adx19AdumpPrintWorkSpaceEPKvmPvPKc(
    _workspace: *const c_void,
    _bytes: usize,
    stream: *mut c_void,
    _op_type: *const c_char,
) {
    print_device_output(stream);
}

/// `tm_engine::tm_time()`: modelled time of the current device, cycles.
#[unsafe(no_mangle)]
pub extern "C" fn _ZN9tm_engine7tm_timeEv() -> u64 {
    device_cycles()
}
