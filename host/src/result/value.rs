//! `aclrtValueWrite`, `aclrtValueWait`: words in device memory as signals.

use crate::sys::StreamHandle;
use std::ffi::c_void;

super::calls! {
    /// Enqueue u64 store to device word.
    fn write(dev_addr: *mut c_void, value: u64, flag: u32, stream: StreamHandle) = aclrtValueWrite(dev_addr, value, flag, stream);
    /// Enqueue compare-wait on device word.
    fn wait(dev_addr: *mut c_void, value: u64, flag: u32, stream: StreamHandle) = aclrtValueWait(dev_addr, value, flag, stream);
}
