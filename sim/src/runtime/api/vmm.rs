//! Virtual memory: reserved addresses, physical memory, mappings.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

not_supported! {
    aclrtReserveMemAddress(*mut *mut c_void, usize, usize, *mut c_void, u64) = "not modelled yet";
    aclrtReleaseMemAddress(*mut c_void) = "not modelled yet";
    aclrtMallocPhysical(*mut DrvMemHandle, usize, *const PhysicalMemProp, u64) = "not modelled yet";
    aclrtFreePhysical(DrvMemHandle) = "not modelled yet";
    aclrtMapMem(*mut c_void, usize, usize, DrvMemHandle, u64) = "not modelled yet";
    aclrtUnmapMem(*mut c_void) = "not modelled yet";
    aclrtMemMapNoAccess(*mut c_void, usize, usize, DrvMemHandle, u64) = "not modelled yet";
    aclrtMemGetAllocationGranularity(*mut PhysicalMemProp, MemGranularityOptions, *mut usize) = "not modelled yet";
    aclrtMemSetAccess(*mut c_void, usize, *mut MemAccessDesc, usize) = "not modelled yet";
    aclrtMemGetAccess(*mut c_void, *mut MemLocation, *mut u64) = "not modelled yet";
    aclrtMemRetainAllocationHandle(*mut c_void, *mut DrvMemHandle) = "not modelled yet";
    aclrtMemGetAllocationPropertiesFromHandle(DrvMemHandle, *mut PhysicalMemProp) = "not modelled yet";
    aclrtReserveMemAddressNoUCMemory(*mut *mut c_void, usize, usize, *mut c_void, u64) = "not modelled yet";
    aclrtMemGetAddressRange(*mut c_void, *mut *mut c_void, *mut usize) = "not modelled yet";
    aclrtMemMapSelectedLink(*mut c_void, usize, *mut c_void, u32) = "not modelled yet";
    aclrtMemMapSetLink(DrvMemHandle, MemLinkType) = "not modelled yet";
}
