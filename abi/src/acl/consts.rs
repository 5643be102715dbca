//! The number constants of the ACL headers: macros in C, plain constants here.

use crate::layout::ConstLayout;

macro_rules! acl_consts {
    ($( $id:ident : $ty:ty = $value:literal, $cid:literal, $suffix:literal, $what:literal; )*) => {
        $(
            #[doc = concat!("`", $cid, "`: ", $what, ".")]
            #[doc(alias = $cid)]
            pub const $id: $ty = $value;
        )*

        /// The number constants of `acl_rt.h`, each with the suffix its macro has in C.
        pub static RT_CONSTS: &[(ConstLayout, &str)] = &[$(
            (ConstLayout { name: $cid, value: $value, doc: $what }, $suffix),
        )*];
    };
}

acl_consts! {
    NOTIFY_EXPORT_FLAG_DEFAULT: u64 = 0, "ACL_RT_NOTIFY_EXPORT_FLAG_DEFAULT", "UL", "only listed processes may import the notify";
    NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION: u64 = 2, "ACL_RT_NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION", "UL", "every process may import the notify";
    NOTIFY_IMPORT_FLAG_DEFAULT: u64 = 0, "ACL_RT_NOTIFY_IMPORT_FLAG_DEFAULT", "UL", "import as usual";
    NOTIFY_IMPORT_FLAG_ENABLE_PEER_ACCESS: u64 = 2, "ACL_RT_NOTIFY_IMPORT_FLAG_ENABLE_PEER_ACCESS", "UL", "open the way to the notify's device too";
    IPC_MEM_EXPORT_FLAG_DEFAULT: u64 = 0, "ACL_RT_IPC_MEM_EXPORT_FLAG_DEFAULT", "UL", "only listed processes may import the memory";
    IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION: u64 = 1, "ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION", "UL", "every process may import the memory";
    IPC_MEM_IMPORT_FLAG_DEFAULT: u64 = 0, "ACL_RT_IPC_MEM_IMPORT_FLAG_DEFAULT", "UL", "import as usual";
    IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS: u64 = 1, "ACL_RT_IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS", "UL", "open the way to the memory's device too";
    IPC_MEM_ATTR_ACCESS_LINK_SIO: i32 = 0, "ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_SIO", "", "shared memory is reached between the dies of a package";
    IPC_MEM_ATTR_ACCESS_LINK_HCCS: i32 = 1, "ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_HCCS", "", "shared memory is reached over HCCS";
    IPC_MEM_ATTR_ACCESS_LINK_UB_ONE_PORT_PATH: i32 = 2, "ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_UB_ONE_PORT_PATH", "", "shared memory is reached over one port of the unified bus";
    IPC_MEM_ATTR_ACCESS_LINK_UB_MULTI_PORT_PATH: i32 = 3, "ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_UB_MULTI_PORT_PATH", "", "shared memory is reached over several ports of the unified bus";
    VMM_EXPORT_FLAG_DEFAULT: u64 = 0, "ACL_RT_VMM_EXPORT_FLAG_DEFAULT", "UL", "only listed processes may import the physical memory";
    VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION: u64 = 1, "ACL_RT_VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION", "UL", "every process may import the physical memory";
    MDLRI_DEBUG_JSON_PRINT_SUMMARY: u64 = 0, "ACL_MDLRI_DEBUG_JSON_PRINT_SUMMARY", "UL", "a graph is written in short";
    MDLRI_DEBUG_JSON_PRINT_VERBOSE: u64 = 1, "ACL_MDLRI_DEBUG_JSON_PRINT_VERBOSE", "UL", "a graph is written with every parameter";
    MAX_RECORD_PA_NUM_PER_DEV: u32 = 20, "ACL_RT_MAX_RECORD_PA_NUM_PER_DEV", "U", "most memory errors kept per device";
    MEM_LINK_IDX_0: u32 = 0, "ACL_RT_MEM_LINK_IDX_0", "U", "first link";
    MEM_LINK_IDX_1: u32 = 1, "ACL_RT_MEM_LINK_IDX_1", "U", "second link";
    MEM_UCE_INFO_ARRAY_MAX_SIZE: i32 = 128, "MAX_MEM_UCE_INFO_ARRAY_SIZE", "", "most memory errors in a list";
    MEM_UCE_INFO_RESERVED_SIZE: i32 = 14, "UCE_INFO_RESERVED_SIZE", "", "words kept free in a memory error";
    MEM_UCE_INFO_MAX_NUM: i32 = 20, "ACL_RT_MEM_UCE_INFO_MAX_NUM", "", "most memory errors in a device error";
    DEVICE_FORM_FACTOR_POD: i32 = 0, "ACL_DEVICE_FORM_FACTOR_POD", "", "the device is part of a pod";
    DEVICE_FORM_FACTOR_A_K: i32 = 1, "ACL_DEVICE_FORM_FACTOR_A_K", "", "the device is in an A+K server";
    DEVICE_FORM_FACTOR_A_X: i32 = 2, "ACL_DEVICE_FORM_FACTOR_A_X", "", "the device is in an A+X server";
    DEVICE_FORM_FACTOR_PCIE_CARD: i32 = 3, "ACL_DEVICE_FORM_FACTOR_PCIE_CARD", "", "the device is a PCIe card";
    CMO_MAX_BARRIER_NUM: u32 = 6, "ACL_RT_CMO_MAX_BARRIER_NUM", "U", "most cache operations that one barrier waits for";
    DEVS_TOPOLOGY_HCCS: u64 = 1, "ACL_RT_DEVS_TOPOLOGY_HCCS", "ULL", "two devices are joined by HCCS";
    DEVS_TOPOLOGY_PIX: u64 = 2, "ACL_RT_DEVS_TOPOLOGY_PIX", "ULL", "two devices are joined by one PCIe switch";
    DEVS_TOPOLOGY_PIB: u64 = 4, "ACL_RT_DEVS_TOPOLOGY_PIB", "ULL", "two devices are joined by several PCIe switches";
    DEVS_TOPOLOGY_PHB: u64 = 8, "ACL_RT_DEVS_TOPOLOGY_PHB", "ULL", "two devices are joined by a PCIe host bridge";
    DEVS_TOPOLOGY_SYS: u64 = 16, "ACL_RT_DEVS_TOPOLOGY_SYS", "ULL", "two devices are joined across NUMA nodes";
    DEVS_TOPOLOGY_SIO: u64 = 32, "ACL_RT_DEVS_TOPOLOGY_SIO", "ULL", "two devices are dies of a package";
    DEVS_TOPOLOGY_HCCS_SW: u64 = 64, "ACL_RT_DEVS_TOPOLOGY_HCCS_SW", "ULL", "two devices are joined by an HCCS switch";
    MEM_TYPE_DEV: u32 = 2, "ACL_RT_MEM_TYPE_DEV", "U", "memory of the device";
    MEM_TYPE_DVPP: u32 = 8, "ACL_RT_MEM_TYPE_DVPP", "U", "memory of the image processor";
    MEM_TYPE_RSVD: u32 = 16, "ACL_RT_MEM_TYPE_RSVD", "U", "reserved memory";
    MAJOR_VERSION: i32 = 1, "ACL_MAJOR_VERSION", "", "version of the ACL interface, first part";
    MINOR_VERSION: i32 = 17, "ACL_MINOR_VERSION", "", "second part";
    PATCH_VERSION: i32 = 0, "ACL_PATCH_VERSION", "", "third part";
    EVENT_SYNC: u32 = 0x01, "ACL_EVENT_SYNC", "U", "the event can be waited for";
    EVENT_CAPTURE_STREAM_PROGRESS: u32 = 0x02, "ACL_EVENT_CAPTURE_STREAM_PROGRESS", "U", "the event shows how far a stream is";
    EVENT_TIME_LINE: u32 = 0x08, "ACL_EVENT_TIME_LINE", "U", "the event takes a timestamp";
    EVENT_DEVICE_USE_ONLY: u32 = 0x10, "ACL_EVENT_DEVICE_USE_ONLY", "U", "the event is only used on the device";
    EVENT_EXTERNAL: u32 = 0x20, "ACL_EVENT_EXTERNAL", "U", "the event crosses the border of a graph";
    EVENT_IPC: u32 = 0x40, "ACL_EVENT_IPC", "U", "the event is shared between processes";
    EVENT_RECORD_DEFAULT: u32 = 0, "ACL_EVENT_RECORD_DEFAULT", "U", "record as usual";
    EVENT_RECORD_EXTERNAL: u32 = 1, "ACL_EVENT_RECORD_EXTERNAL", "U", "record for work outside the graph";
    EVENT_WAIT_DEFAULT: u32 = 0, "ACL_EVENT_WAIT_DEFAULT", "U", "wait as usual";
    EVENT_WAIT_EXTERNAL: u32 = 1, "ACL_EVENT_WAIT_EXTERNAL", "U", "wait for work outside the graph";
    STREAM_FAST_LAUNCH: u32 = 0x01, "ACL_STREAM_FAST_LAUNCH", "U", "stream for quick launches";
    STREAM_FAST_SYNC: u32 = 0x02, "ACL_STREAM_FAST_SYNC", "U", "stream for quick synchronisation";
    STREAM_PERSISTENT: u32 = 0x04, "ACL_STREAM_PERSISTENT", "U", "stream whose tasks are kept for a graph";
    STREAM_HUGE: u32 = 0x08, "ACL_STREAM_HUGE", "U", "stream for very many tasks (not on dav-2201)";
    STREAM_CPU_SCHEDULE: u32 = 0x10, "ACL_STREAM_CPU_SCHEDULE", "U", "stream scheduled by the device's processor";
    STREAM_DEVICE_USE_ONLY: u32 = 0x20, "ACL_STREAM_DEVICE_USE_ONLY", "U", "stream only used on the device";
    STREAM_WAIT_VALUE_GEQ: u32 = 0, "ACL_STREAM_WAIT_VALUE_GEQ", "U", "wait until the word is at least the value";
    STREAM_WAIT_VALUE_EQ: u32 = 1, "ACL_STREAM_WAIT_VALUE_EQ", "U", "wait until the word is the value";
    STREAM_WAIT_VALUE_AND: u32 = 2, "ACL_STREAM_WAIT_VALUE_AND", "U", "wait until the word has a bit of the value";
    STREAM_WAIT_VALUE_NOR: u32 = 3, "ACL_STREAM_WAIT_VALUE_NOR", "U", "wait until a bit is in neither";
    CONTINUE_ON_FAILURE: u32 = 0, "ACL_CONTINUE_ON_FAILURE", "U", "after a fault later tasks run (default)";
    STOP_ON_FAILURE: u32 = 1, "ACL_STOP_ON_FAILURE", "U", "after a fault nothing runs until the device is reset";
    NOTIFY_DEFAULT: u32 = 0, "ACL_NOTIFY_DEFAULT", "U", "ordinary notify";
    NOTIFY_DEVICE_USE_ONLY: u32 = 1, "ACL_NOTIFY_DEVICE_USE_ONLY", "U", "notify only used on the device";
    DEV_FEATURE_SUPPORT: i32 = 1, "ACL_DEV_FEATURE_SUPPORT", "", "the device has the feature";
    DEV_FEATURE_NOT_SUPPORT: i32 = 0, "ACL_DEV_FEATURE_NOT_SUPPORT", "", "the device lacks the feature";
    HOST_REG_MAPPED: u64 = 0x2, "ACL_HOST_REG_MAPPED", "UL", "map host memory into the device's addresses";
    HOST_REG_IOMEMORY: u64 = 0x4, "ACL_HOST_REG_IOMEMORY", "UL", "host memory of another device";
    HOST_REG_READONLY: u64 = 0x8, "ACL_HOST_REG_READONLY", "UL", "the device only reads it";
    HOST_REG_PINNED: u64 = 0x1000_0000, "ACL_HOST_REG_PINNED", "UL", "keep it in memory";
    HOST_DEVICE_CONNECT_TYPE_PCIE: i32 = 0, "ACL_HOST_DEVICE_CONNECT_TYPE_PCIE", "", "host and device share a PCIe bus";
    HOST_DEVICE_CONNECT_TYPE_HCCS: i32 = 1, "ACL_HOST_DEVICE_CONNECT_TYPE_HCCS", "", "host and device share an HCCS link";
    HOST_DEVICE_CONNECT_TYPE_UB: i32 = 2, "ACL_HOST_DEVICE_CONNECT_TYPE_UB", "", "host and device share a unified bus";
    BINARY_MAGIC_ELF_AICORE: u32 = 0x4355_4245, "ACL_RT_BINARY_MAGIC_ELF_AICORE", "U", "code for AI Cores";
    BINARY_MAGIC_ELF_VECTOR_CORE: u32 = 0x4141_5246, "ACL_RT_BINARY_MAGIC_ELF_VECTOR_CORE", "U", "code for vector cores";
    BINARY_MAGIC_ELF_CUBE_CORE: u32 = 0x4149_4343, "ACL_RT_BINARY_MAGIC_ELF_CUBE_CORE", "U", "code for cube cores";
    IPC_EVENT_HANDLE_SIZE: u32 = 64, "ACL_IPC_EVENT_HANDLE_SIZE", "U", "size of an event key, bytes";
    MEM_ATTACH_GLOBAL: u32 = 1, "ACL_RT_MEM_ATTACH_GLOBAL", "U", "managed memory seen by all";
    PKG_VERSION_MAX_SIZE: i32 = 128, "ACL_PKG_VERSION_MAX_SIZE", "", "size of a version text, bytes";
    PKG_VERSION_PARTS_MAX_SIZE: i32 = 64, "ACL_PKG_VERSION_PARTS_MAX_SIZE", "", "size of a part of a version text, bytes";
}
