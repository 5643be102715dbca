//! `aclrtHost…` and the rest of pinned host memory.

use crate::sys::{HacType, HostMemMapCapability, HostRegisterType, MallocConfig};
use std::ffi::c_void;

super::calls! {
    /// Pinned host memory with attributes.
    fn malloc_with_cfg(size: u64, cfg: *mut MallocConfig) -> (ptr: *mut c_void) = aclrtMallocHostWithCfg(ptr, size, cfg);
    /// Map user host memory to device.
    fn register(ptr: *mut c_void, size: u64, ty: HostRegisterType) -> (dev_ptr: *mut c_void) = aclrtHostRegister(ptr, size, ty, dev_ptr);
    /// Register user host memory with flags.
    fn register_v2(ptr: *mut c_void, size: u64, flag: u32) = aclrtHostRegisterV2(ptr, size, flag);
    /// Device view of registered host memory.
    fn device_pointer(p_host: *mut c_void, flag: u32) -> (p_device: *mut c_void) = aclrtHostGetDevicePointer(p_host, p_device, flag);
    /// Undo registration.
    fn unregister(ptr: *mut c_void) = aclrtHostUnregister(ptr);
    /// Can host memory be mapped for a unit.
    fn mem_map_capabilities(device_id: u32, hac_type: HacType) -> (capabilities: HostMemMapCapability) = aclrtHostMemMapCapabilities(device_id, hac_type, capabilities);
    /// Wait, then release pinned host memory.
    fn free_with_dev_sync(host_ptr: *mut c_void) = aclrtFreeHostWithDevSync(host_ptr);
}
