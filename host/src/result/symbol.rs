//! Device variables by the address of their host symbol.

use crate::sys::{MemcpyKind, StreamHandle};
use std::ffi::c_void;

super::calls! {
    /// Device address of a device variable.
    fn address(symbol: *const c_void) -> (dev_ptr: *mut c_void) = aclrtGetSymbolAddress(symbol, dev_ptr);
    /// Size of a device variable.
    fn size(symbol: *const c_void) -> (size: usize) = aclrtGetSymbolSize(symbol, size);
    /// Read a device variable.
    fn copy_from(dst: *mut c_void, dst_max: usize, symbol: *const c_void, count: usize, offset: usize, kind: MemcpyKind) = aclrtMemcpyFromSymbol(dst, dst_max, symbol, count, offset, kind);
    /// Queued read of device variable.
    fn copy_from_async(dst: *mut c_void, dst_max: usize, symbol: *const c_void, count: usize, offset: usize, kind: MemcpyKind, stream: StreamHandle) = aclrtMemcpyFromSymbolAsync(dst, dst_max, symbol, count, offset, kind, stream);
    /// Write a device variable.
    fn copy_to(symbol: *const c_void, src: *const c_void, count: usize, offset: usize, kind: MemcpyKind) = aclrtMemcpyToSymbol(symbol, src, count, offset, kind);
    /// Queued write of device variable.
    fn copy_to_async(symbol: *const c_void, src: *const c_void, count: usize, offset: usize, kind: MemcpyKind, stream: StreamHandle) = aclrtMemcpyToSymbolAsync(symbol, src, count, offset, kind, stream);
}
