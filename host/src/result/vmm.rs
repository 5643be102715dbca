//! Virtual memory: addresses and physical memory apart, and shared between processes.

use crate::sys::{
    DrvMemHandle, MemAccessDesc, MemGranularityOptions, MemHandleType, MemLinkType, MemLocation,
    MemSharedHandleType, PhysicalMemProp,
};
use std::ffi::c_void;

super::calls! {
    /// Reserve virtual range.
    fn reserve_mem_address(size: usize, alignment: usize, expect_ptr: *mut c_void, flags: u64) -> (vir_ptr: *mut c_void) = aclrtReserveMemAddress(vir_ptr, size, alignment, expect_ptr, flags);
    /// Give back virtual range.
    fn release_mem_address(vir_ptr: *mut c_void) = aclrtReleaseMemAddress(vir_ptr);
    /// Physical block handle.
    fn malloc_physical(size: usize, prop: *const PhysicalMemProp, flags: u64) -> (handle: DrvMemHandle) = aclrtMallocPhysical(handle, size, prop, flags);
    /// Free physical block.
    fn free_physical(handle: DrvMemHandle) = aclrtFreePhysical(handle);
    /// Bind physical block to virtual range.
    fn map_mem(vir_ptr: *mut c_void, size: usize, offset: usize, handle: DrvMemHandle, flags: u64) = aclrtMapMem(vir_ptr, size, offset, handle, flags);
    /// Undo binding.
    fn unmap_mem(vir_ptr: *mut c_void) = aclrtUnmapMem(vir_ptr);
    /// Bind without access rights.
    fn mem_map_no_access(vir_ptr: *mut c_void, size: usize, offset: usize, handle: DrvMemHandle, flags: u64) = aclrtMemMapNoAccess(vir_ptr, size, offset, handle, flags);
    /// Share physical block (u64 handle).
    fn mem_export_to_shareable_handle(handle: DrvMemHandle, handle_type: MemHandleType, flags: u64) -> (shareable_handle: u64) = aclrtMemExportToShareableHandle(handle, handle_type, flags, shareable_handle);
    /// Share physical block (typed handle).
    fn mem_export_to_shareable_handle_v2(handle: DrvMemHandle, flags: u64, share_type: MemSharedHandleType, shareable_handle: *mut c_void) = aclrtMemExportToShareableHandleV2(handle, flags, share_type, shareable_handle);
    /// Open shared block (u64).
    fn mem_import_from_shareable_handle(shareable_handle: u64, device_id: i32) -> (handle: DrvMemHandle) = aclrtMemImportFromShareableHandle(shareable_handle, device_id, handle);
    /// Open shared block (typed).
    fn mem_import_from_shareable_handle_v2(shareable_handle: *mut c_void, share_type: MemSharedHandleType, flags: u64) -> (handle: DrvMemHandle) = aclrtMemImportFromShareableHandleV2(shareable_handle, share_type, flags, handle);
    /// Pid whitelist (u64).
    fn mem_set_pid_to_shareable_handle(shareable_handle: u64, pid: *mut i32, pid_num: usize) = aclrtMemSetPidToShareableHandle(shareable_handle, pid, pid_num);
    /// Pid whitelist (typed).
    fn mem_set_pid_to_shareable_handle_v2(shareable_handle: *mut c_void, share_type: MemSharedHandleType, pid: *mut i32, pid_num: usize) = aclrtMemSetPidToShareableHandleV2(shareable_handle, share_type, pid, pid_num);
    /// Granule for physical blocks.
    fn mem_get_allocation_granularity(prop: *mut PhysicalMemProp, option: MemGranularityOptions) -> (granularity: usize) = aclrtMemGetAllocationGranularity(prop, option, granularity);
    /// Set rights of range.
    fn mem_set_access(vir_ptr: *mut c_void, size: usize, desc: *mut MemAccessDesc, count: usize) = aclrtMemSetAccess(vir_ptr, size, desc, count);
    /// Read rights of range.
    fn mem_get_access(vir_ptr: *mut c_void, location: *mut MemLocation) -> (flag: u64) = aclrtMemGetAccess(vir_ptr, location, flag);
    /// Handle behind an address.
    fn mem_retain_allocation_handle(vir_ptr: *mut c_void) -> (handle: DrvMemHandle) = aclrtMemRetainAllocationHandle(vir_ptr, handle);
    /// Properties of a physical block.
    fn mem_get_allocation_properties_from_handle(handle: DrvMemHandle, prop: *mut PhysicalMemProp) = aclrtMemGetAllocationPropertiesFromHandle(handle, prop);
    /// Reserve range outside unified memory.
    fn reserve_mem_address_no_uc_memory(size: usize, alignment: usize, expect_ptr: *mut c_void, flags: u64) -> (vir_ptr: *mut c_void) = aclrtReserveMemAddressNoUCMemory(vir_ptr, size, alignment, expect_ptr, flags);
    /// Base and size containing an address.
    fn mem_get_address_range(ptr: *mut c_void) -> (pbase: *mut c_void, psize: usize) = aclrtMemGetAddressRange(ptr, pbase, psize);
    /// Alias a range through another link.
    fn mem_map_selected_link(vir_ptr_dst: *mut c_void, size: usize, vir_ptr_src: *mut c_void, link_idx: u32) = aclrtMemMapSelectedLink(vir_ptr_dst, size, vir_ptr_src, link_idx);
    /// Advise link type before binding.
    fn mem_map_set_link(handle: DrvMemHandle, advice_link: MemLinkType) = aclrtMemMapSetLink(handle, advice_link);
}
