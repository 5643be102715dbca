//! The enums of the ACL headers, as tables.
//!
//! Each is a 32-bit newtype with associated constants: C may hand over any number, and a number that no constant names
//! is a value to refuse, not undefined behaviour. To add an enum or a value, add a row; the C header follows.
//! Source of names and numbers: `acl_base_rt.h`, `acl_rt.h` of runtime 9.1.0.

use crate::layout::{CType, CTyped, ConstLayout, EnumLayout};

macro_rules! acl_enums {
    ($list:ident: $(
        $(#[doc = $doc:literal])+
        $name:ident = $c:literal { $( $id:ident = $value:literal, $cid:literal, $what:literal; )* }
    )*) => {
        $(
            $(#[doc = $doc])+
            ///
            /// Any 32-bit value is allowed; the named ones are the associated constants.
            #[doc(alias = $c)]
            #[repr(transparent)]
            #[derive(Clone, Copy, PartialEq, Eq, Hash)]
            pub struct $name(pub i32);

            impl $name {
                $(
                    #[doc = concat!("`", $cid, "`: ", $what, ".")]
                    #[doc(alias = $cid)]
                    pub const $id: Self = Self($value);
                )*

                /// Layout and names in C.
                pub const LAYOUT: EnumLayout = EnumLayout {
                    name: $c,
                    values: &[$(ConstLayout { name: $cid, value: $value, doc: $what }),*],
                    doc: concat!($($doc, "\n"),+),
                };

                /// The name in C, or `None` for a number the header does not name.
                pub fn name(self) -> Option<&'static str> {
                    let row = Self::LAYOUT.values.iter().find(|row| row.value == i64::from(self.0))?;
                    Some(row.name)
                }
            }

            impl CTyped for $name {
                const C: CType = CType::Named($c);
            }

            impl core::fmt::Debug for $name {
                fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                    match self.name() {
                        Some(name) => f.write_str(name),
                        None => write!(f, "{}({})", $c, self.0),
                    }
                }
            }

            const _: () = assert!(size_of::<$name>() == 4 && align_of::<$name>() == 4);
        )*

        #[doc = concat!("The enums of this table, in header order (", stringify!($list), ").")]
        pub static $list: &[EnumLayout] = &[$($name::LAYOUT),*];
    };
}

acl_enums! { BASE_ENUMS:
/// Type of one element.
DataType = "aclDataType" {
    UNDEFINED = -1, "ACL_DT_UNDEFINED", "no type";
    FLOAT = 0, "ACL_FLOAT", "32-bit float";
    FLOAT16 = 1, "ACL_FLOAT16", "16-bit IEEE float";
    INT8 = 2, "ACL_INT8", "signed 8 bits";
    INT32 = 3, "ACL_INT32", "signed 32 bits";
    UINT8 = 4, "ACL_UINT8", "unsigned 8 bits";
    INT16 = 6, "ACL_INT16", "signed 16 bits";
    UINT16 = 7, "ACL_UINT16", "unsigned 16 bits";
    UINT32 = 8, "ACL_UINT32", "unsigned 32 bits";
    INT64 = 9, "ACL_INT64", "signed 64 bits";
    UINT64 = 10, "ACL_UINT64", "unsigned 64 bits";
    DOUBLE = 11, "ACL_DOUBLE", "64-bit float";
    BOOL = 12, "ACL_BOOL", "one byte, 0 or 1";
    STRING = 13, "ACL_STRING", "text";
    COMPLEX64 = 16, "ACL_COMPLEX64", "two 32-bit floats";
    COMPLEX128 = 17, "ACL_COMPLEX128", "two 64-bit floats";
    BF16 = 27, "ACL_BF16", "16-bit float with 8 exponent bits";
    INT4 = 29, "ACL_INT4", "signed 4 bits, two in a byte";
    UINT1 = 30, "ACL_UINT1", "one bit, eight in a byte";
    COMPLEX32 = 33, "ACL_COMPLEX32", "two 16-bit floats";
    HIFLOAT8 = 34, "ACL_HIFLOAT8", "8-bit float with tapered precision";
    FLOAT8_E5M2 = 35, "ACL_FLOAT8_E5M2", "8-bit float, 5 exponent bits";
    FLOAT8_E4M3FN = 36, "ACL_FLOAT8_E4M3FN", "8-bit float, 4 exponent bits, no infinity";
    FLOAT8_E8M0 = 37, "ACL_FLOAT8_E8M0", "8-bit power of two";
    FLOAT6_E3M2 = 38, "ACL_FLOAT6_E3M2", "6-bit float, 3 exponent bits";
    FLOAT6_E2M3 = 39, "ACL_FLOAT6_E2M3", "6-bit float, 2 exponent bits";
    FLOAT4_E2M1 = 40, "ACL_FLOAT4_E2M1", "4-bit float, 2 exponent bits";
    FLOAT4_E1M2 = 41, "ACL_FLOAT4_E1M2", "4-bit float, 1 exponent bit";
}
/// Order of the dimensions of a tensor in memory.
Format = "aclFormat" {
    UNDEFINED = -1, "ACL_FORMAT_UNDEFINED", "no format";
    NCHW = 0, "ACL_FORMAT_NCHW", "batch, channel, height, width";
    NHWC = 1, "ACL_FORMAT_NHWC", "batch, height, width, channel";
    ND = 2, "ACL_FORMAT_ND", "plain rows";
    NC1HWC0 = 3, "ACL_FORMAT_NC1HWC0", "channels split into blocks of C0";
    FRACTAL_Z = 4, "ACL_FORMAT_FRACTAL_Z", "weights in cube blocks";
    NC1HWC0_C04 = 12, "ACL_FORMAT_NC1HWC0_C04", "channel blocks of 4";
    HWCN = 16, "ACL_FORMAT_HWCN", "height, width, channel, batch";
    NDHWC = 27, "ACL_FORMAT_NDHWC", "batch, depth, height, width, channel";
    FRACTAL_NZ = 29, "ACL_FORMAT_FRACTAL_NZ", "16-row cube blocks, column of blocks first";
    NCDHW = 30, "ACL_FORMAT_NCDHW", "batch, channel, depth, height, width";
    NDC1HWC0 = 32, "ACL_FORMAT_NDC1HWC0", "depth, channels split into blocks";
    FRACTAL_Z_3D = 33, "ACL_FRACTAL_Z_3D", "3D weights in cube blocks";
    NC = 35, "ACL_FORMAT_NC", "batch, channel";
    NCL = 47, "ACL_FORMAT_NCL", "batch, channel, length";
    FRACTAL_NZ_C0_16 = 50, "ACL_FORMAT_FRACTAL_NZ_C0_16", "cube blocks with C0 of 16";
    FRACTAL_NZ_C0_32 = 51, "ACL_FORMAT_FRACTAL_NZ_C0_32", "cube blocks with C0 of 32";
    FRACTAL_NZ_C0_2 = 52, "ACL_FORMAT_FRACTAL_NZ_C0_2", "cube blocks with C0 of 2";
    FRACTAL_NZ_C0_4 = 53, "ACL_FORMAT_FRACTAL_NZ_C0_4", "cube blocks with C0 of 4";
    FRACTAL_NZ_C0_8 = 54, "ACL_FORMAT_FRACTAL_NZ_C0_8", "cube blocks with C0 of 8";
}
/// How important a log line is.
LogLevel = "aclLogLevel" {
    DEBUG = 0, "ACL_DEBUG", "for debugging";
    INFO = 1, "ACL_INFO", "for information";
    WARNING = 2, "ACL_WARNING", "something is odd";
    ERROR = 3, "ACL_ERROR", "something failed";
}
/// Where the data of an operator lie.
MemType = "aclMemType" {
    DEVICE = 0, "ACL_MEMTYPE_DEVICE", "device memory";
    HOST = 1, "ACL_MEMTYPE_HOST", "host memory";
    HOST_COMPILE_INDEPENDENT = 2, "ACL_MEMTYPE_HOST_COMPILE_INDEPENDENT", "host memory whose values do not influence compilation";
}
/// A switch of the runtime.
SysParamOpt = "aclSysParamOpt" {
    DETERMINISTIC = 0, "ACL_OPT_DETERMINISTIC", "0 off, 1 same result every run, 2 strong, 3 per batch";
    ENABLE_DEBUG_KERNEL = 1, "ACL_OPT_ENABLE_DEBUG_KERNEL", "use kernels built with checks";
    STRONG_CONSISTENCY = 2, "ACL_OPT_STRONG_CONSISTENCY", "old name of DETERMINISTIC with value 2";
    ENABLE_KERNEL_EARLY_START = 3, "ACL_OPT_ENABLE_KERNEL_EARLY_START", "start a kernel before the one ahead has quite ended";
}
/// A property of the installation.
CannAttr = "aclCannAttr" {
    UNDEFINED = -1, "ACL_CANN_ATTR_UNDEFINED", "none";
    INF_NAN = 0, "ACL_CANN_ATTR_INF_NAN", "Inf and NaN are kept instead of saturated";
    BF16 = 1, "ACL_CANN_ATTR_BF16", "bfloat16 is supported";
    JIT_COMPILE = 2, "ACL_CANN_ATTR_JIT_COMPILE", "operators can be compiled at run time";
}
/// A number of a device, old query.
DeviceInfo = "aclDeviceInfo" {
    UNDEFINED = -1, "ACL_DEVICE_INFO_UNDEFINED", "none";
    AI_CORE_NUM = 0, "ACL_DEVICE_INFO_AI_CORE_NUM", "number of AI Cores";
    VECTOR_CORE_NUM = 1, "ACL_DEVICE_INFO_VECTOR_CORE_NUM", "number of vector cores";
    L2_SIZE = 2, "ACL_DEVICE_INFO_L2_SIZE", "size of the L2 cache, bytes";
}
}

acl_enums! { RT_ENUMS:
/// Where the program runs.
RunMode = "aclrtRunMode" {
    DEVICE = 0, "ACL_DEVICE", "on the device's own processor";
    HOST = 1, "ACL_HOST", "on a host with the device attached";
}
/// Which task scheduler of the device.
TsId = "aclrtTsId" {
    AICORE = 0, "ACL_TS_ID_AICORE", "that of the AI Cores";
    AIVECTOR = 1, "ACL_TS_ID_AIVECTOR", "that of the vector cores";
    RESERVED = 2, "ACL_TS_ID_RESERVED", "not used";
}
/// Answer of the old event query. Mind: complete is 0 here and 1 in [`EventRecordedStatus`].
EventStatus = "aclrtEventStatus" {
    COMPLETE = 0, "ACL_EVENT_STATUS_COMPLETE", "it happened";
    NOT_READY = 1, "ACL_EVENT_STATUS_NOT_READY", "not yet";
    RESERVED = 2, "ACL_EVENT_STATUS_RESERVED", "not used";
}
/// Answer of the event query. Mind: complete is 1 here and 0 in [`EventStatus`].
EventRecordedStatus = "aclrtEventRecordedStatus" {
    NOT_READY = 0, "ACL_EVENT_RECORDED_STATUS_NOT_READY", "not yet";
    COMPLETE = 1, "ACL_EVENT_RECORDED_STATUS_COMPLETE", "it happened";
}
/// Whether all waits for an event are over.
EventWaitStatus = "aclrtEventWaitStatus" {
    COMPLETE = 0, "ACL_EVENT_WAIT_STATUS_COMPLETE", "all waits are over";
    NOT_READY = 1, "ACL_EVENT_WAIT_STATUS_NOT_READY", "somebody still waits";
    RESERVED = 0xFFFF, "ACL_EVENT_WAIT_STATUS_RESERVED", "not used";
}
/// Whether a stream has work left.
StreamStatus = "aclrtStreamStatus" {
    COMPLETE = 0, "ACL_STREAM_STATUS_COMPLETE", "all work is done";
    NOT_READY = 1, "ACL_STREAM_STATUS_NOT_READY", "work is left";
    RESERVED = 0xFFFF, "ACL_STREAM_STATUS_RESERVED", "not used";
}
/// Whether a callback holds up the stream.
CallbackBlockType = "aclrtCallbackBlockType" {
    NO_BLOCK = 0, "ACL_CALLBACK_NO_BLOCK", "later tasks go on";
    BLOCK = 1, "ACL_CALLBACK_BLOCK", "later tasks wait for the callback";
}
/// Direction of a copy.
MemcpyKind = "aclrtMemcpyKind" {
    HOST_TO_HOST = 0, "ACL_MEMCPY_HOST_TO_HOST", "host to host";
    HOST_TO_DEVICE = 1, "ACL_MEMCPY_HOST_TO_DEVICE", "host to device";
    DEVICE_TO_HOST = 2, "ACL_MEMCPY_DEVICE_TO_HOST", "device to host";
    DEVICE_TO_DEVICE = 3, "ACL_MEMCPY_DEVICE_TO_DEVICE", "device to device";
    DEFAULT = 4, "ACL_MEMCPY_DEFAULT", "decided from the addresses";
    HOST_TO_BUF_TO_DEVICE = 5, "ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE", "host to device; the host data are taken at the call";
    INNER_DEVICE_TO_DEVICE = 6, "ACL_MEMCPY_INNER_DEVICE_TO_DEVICE", "within one device";
    INTER_DEVICE_TO_DEVICE = 7, "ACL_MEMCPY_INTER_DEVICE_TO_DEVICE", "between two devices";
}
/// What kind of pages an allocation should use.
MemMallocPolicy = "aclrtMemMallocPolicy" {
    HUGE_FIRST = 0, "ACL_MEM_MALLOC_HUGE_FIRST", "2 MiB pages, small ones if those run out or the size is at most 1 MiB";
    HUGE_ONLY = 1, "ACL_MEM_MALLOC_HUGE_ONLY", "2 MiB pages";
    NORMAL_ONLY = 2, "ACL_MEM_MALLOC_NORMAL_ONLY", "4 KiB pages";
    HUGE_FIRST_P2P = 3, "ACL_MEM_MALLOC_HUGE_FIRST_P2P", "as HUGE_FIRST, reachable from other devices";
    HUGE_ONLY_P2P = 4, "ACL_MEM_MALLOC_HUGE_ONLY_P2P", "as HUGE_ONLY, reachable from other devices";
    NORMAL_ONLY_P2P = 5, "ACL_MEM_MALLOC_NORMAL_ONLY_P2P", "as NORMAL_ONLY, reachable from other devices";
    HUGE1G_ONLY = 6, "ACL_MEM_MALLOC_HUGE1G_ONLY", "1 GiB pages";
    HUGE1G_ONLY_P2P = 7, "ACL_MEM_MALLOC_HUGE1G_ONLY_P2P", "1 GiB pages, reachable from other devices";
    LOW_BAND_WIDTH = 0x0100, "ACL_MEM_TYPE_LOW_BAND_WIDTH", "flag: the slower memory";
    HIGH_BAND_WIDTH = 0x1000, "ACL_MEM_TYPE_HIGH_BAND_WIDTH", "flag: the faster memory";
    USER_SPACE_READONLY = 0x100000, "ACL_MEM_ACCESS_USER_SPACE_READONLY", "flag: user code may only read";
}
/// How host memory is registered.
HostRegisterType = "aclrtHostRegisterType" {
    MAPPED = 0, "ACL_HOST_REGISTER_MAPPED", "mapped into the device's addresses";
    IOMEMORY = 0x04, "ACL_HOST_REGISTER_IOMEMORY", "memory of another device";
    READONLY = 0x08, "ACL_HOST_REGISTER_READONLY", "the device only reads it";
}
/// Which attribute an allocation carries.
MallocAttrType = "aclrtMallocAttrType" {
    RSV = 0, "ACL_RT_MEM_ATTR_RSV", "none";
    MODULE_ID = 1, "ACL_RT_MEM_ATTR_MODULE_ID", "number of the asking module";
    DEVICE_ID = 2, "ACL_RT_MEM_ATTR_DEVICE_ID", "device";
    VA_FLAG = 3, "ACL_RT_MEM_ATTR_VA_FLAG", "address flag";
}
/// Which memory a query is about.
MemAttr = "aclrtMemAttr" {
    DDR = 0, "ACL_DDR_MEM", "DDR, any pages";
    HBM = 1, "ACL_HBM_MEM", "HBM, any pages";
    DDR_HUGE = 2, "ACL_DDR_MEM_HUGE", "DDR, 2 MiB pages";
    DDR_NORMAL = 3, "ACL_DDR_MEM_NORMAL", "DDR, 4 KiB pages";
    HBM_HUGE = 4, "ACL_HBM_MEM_HUGE", "HBM, 2 MiB pages";
    HBM_NORMAL = 5, "ACL_HBM_MEM_NORMAL", "HBM, 4 KiB pages";
    DDR_P2P_HUGE = 6, "ACL_DDR_MEM_P2P_HUGE", "DDR shared between devices, 2 MiB pages";
    DDR_P2P_NORMAL = 7, "ACL_DDR_MEM_P2P_NORMAL", "DDR shared between devices, 4 KiB pages";
    HBM_P2P_HUGE = 8, "ACL_HBM_MEM_P2P_HUGE", "HBM shared between devices, 2 MiB pages";
    HBM_P2P_NORMAL = 9, "ACL_HBM_MEM_P2P_NORMAL", "HBM shared between devices, 4 KiB pages";
    HBM_HUGE1G = 10, "ACL_HBM_MEM_HUGE1G", "HBM, 1 GiB pages";
    HBM_P2P_HUGE1G = 11, "ACL_HBM_MEM_P2P_HUGE1G", "HBM shared between devices, 1 GiB pages";
    NORMAL = 12, "ACL_MEM_NORMAL", "any memory, 4 KiB pages";
    HUGE = 13, "ACL_MEM_HUGE", "any memory, 2 MiB pages";
    HUGE1G = 14, "ACL_MEM_HUGE1G", "any memory, 1 GiB pages";
    P2P_NORMAL = 15, "ACL_MEM_P2P_NORMAL", "shared between devices, 4 KiB pages";
    P2P_HUGE = 16, "ACL_MEM_P2P_HUGE", "shared between devices, 2 MiB pages";
    P2P_HUGE1G = 17, "ACL_MEM_P2P_HUGE1G", "shared between devices, 1 GiB pages";
}
/// What happens to a result that does not fit.
FloatOverflowMode = "aclrtFloatOverflowMode" {
    SATURATION = 0, "ACL_RT_OVERFLOW_MODE_SATURATION", "the largest number";
    INFNAN = 1, "ACL_RT_OVERFLOW_MODE_INFNAN", "infinity or NaN";
    UNDEF = 2, "ACL_RT_OVERFLOW_MODE_UNDEF", "not set";
}
/// Which field of a stream configuration is set.
StreamConfigAttr = "aclrtStreamConfigAttr" {
    WORK_ADDR_PTR = 0, "ACL_RT_STREAM_WORK_ADDR_PTR", "address of the work memory";
    WORK_SIZE = 1, "ACL_RT_STREAM_WORK_SIZE", "size of the work memory, bytes";
    FLAG = 2, "ACL_RT_STREAM_FLAG", "ACL_STREAM_* flags";
    PRIORITY = 3, "ACL_RT_STREAM_PRIORITY", "0 highest to 7 lowest";
}
/// Where memory lies.
MemLocationType = "aclrtMemLocationType" {
    HOST = 0, "ACL_MEM_LOCATION_TYPE_HOST", "host memory known to the runtime";
    DEVICE = 1, "ACL_MEM_LOCATION_TYPE_DEVICE", "device memory";
    UNREGISTERED = 2, "ACL_MEM_LOCATION_TYPE_UNREGISTERED", "host memory the runtime does not know";
    MANAGED = 3, "ACL_MEM_LOCATION_TYPE_MANAGED", "moves between host and device by itself";
    HOST_NUMA = 4, "ACL_MEM_LOCATION_TYPE_HOST_NUMA", "host memory of one NUMA node";
}
/// Health of a device.
DeviceStatus = "aclrtDeviceStatus" {
    NORMAL = 0, "ACL_RT_DEVICE_STATUS_NORMAL", "works";
    ABNORMAL = 1, "ACL_RT_DEVICE_STATUS_ABNORMAL", "does not work";
    END = 0xFFFF, "ACL_RT_DEVICE_STATUS_END", "not used";
}
/// Mode of a graph capture.
RiCaptureMode = "aclmdlRICaptureMode" {
    GLOBAL = 0, "ACL_MODEL_RI_CAPTURE_MODE_GLOBAL", "no thread may call what a capture forbids";
    THREAD_LOCAL = 1, "ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL", "this thread may not";
    RELAXED = 2, "ACL_MODEL_RI_CAPTURE_MODE_RELAXED", "all may";
}
/// State of a graph capture.
RiCaptureStatus = "aclmdlRICaptureStatus" {
    NONE = 0, "ACL_MODEL_RI_CAPTURE_STATUS_NONE", "nothing is captured";
    ACTIVE = 1, "ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE", "capturing";
    INVALIDATED = 2, "ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED", "an error spoilt the capture";
}
/// What failed on a device.
ErrorType = "aclrtErrorType" {
    NO_ERROR = 0, "ACL_RT_NO_ERROR", "nothing";
    MEMORY = 1, "ACL_RT_ERROR_MEMORY", "memory";
    L2 = 2, "ACL_RT_ERROR_L2", "L2 cache";
    AICORE = 3, "ACL_RT_ERROR_AICORE", "an AI Core";
    LINK = 4, "ACL_RT_ERROR_LINK", "a link";
    L3_PORT = 5, "ACL_RT_ERROR_L3_PORT", "a port of the third network level";
    OTHERS = 0xFFFF, "ACL_RT_ERROR_OTHERS", "something else";
}
/// Why an AI Core failed.
AicoreErrorType = "aclrtAicoreErrorType" {
    UNKNOWN = 0, "ACL_RT_AICORE_ERROR_UNKNOWN", "not known";
    SW = 1, "ACL_RT_AICORE_ERROR_SW", "the kernel";
    HW_LOCAL = 2, "ACL_RT_AICORE_ERROR_HW_LOCAL", "the core itself";
}
/// What to do with cached data.
CmoType = "aclrtCmoType" {
    PREFETCH = 0, "ACL_RT_CMO_TYPE_PREFETCH", "read ahead";
    WRITEBACK = 1, "ACL_RT_CMO_TYPE_WRITEBACK", "write back, keep";
    INVALID = 2, "ACL_RT_CMO_TYPE_INVALID", "drop";
    FLUSH = 3, "ACL_RT_CMO_TYPE_FLUSH", "write back and drop";
}
/// Whose last error is meant.
LastErrLevel = "aclrtLastErrLevel" {
    THREAD_LEVEL = 0, "ACL_RT_THREAD_LEVEL", "that of the calling thread";
}
/// Which option of loading a binary is given.
BinaryLoadOptionType = "aclrtBinaryLoadOptionType" {
    LAZY_LOAD = 1, "ACL_RT_BINARY_LOAD_OPT_LAZY_LOAD", "copy code to the device at first use";
    LAZY_MAGIC = 2, "ACL_RT_BINARY_LOAD_OPT_LAZY_MAGIC", "old name of MAGIC";
    MAGIC = 2, "ACL_RT_BINARY_LOAD_OPT_MAGIC", "kind of core the code is for";
    CPU_KERNEL_MODE = 3, "ACL_RT_BINARY_LOAD_OPT_CPU_KERNEL_MODE", "how AI CPU kernels are loaded";
}
/// Which half of an AI Core runs a kernel.
EngineType = "aclrtEngineType" {
    AIC = 0, "ACL_RT_ENGINE_TYPE_AIC", "cube core";
    AIV = 1, "ACL_RT_ENGINE_TYPE_AIV", "vector core";
}
/// Which attribute of a launch is given.
LaunchKernelAttrId = "aclrtLaunchKernelAttrId" {
    SCHEM_MODE = 1, "ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE", "0 normal, 1 all blocks at once, 2 with synchronisation";
    LOCAL_MEMORY_SIZE = 2, "ACL_RT_LAUNCH_KERNEL_ATTR_LOCAL_MEMORY_SIZE", "old name of DYN_UBUF_SIZE";
    DYN_UBUF_SIZE = 2, "ACL_RT_LAUNCH_KERNEL_ATTR_DYN_UBUF_SIZE", "bytes of UB given at launch";
    ENGINE_TYPE = 3, "ACL_RT_LAUNCH_KERNEL_ATTR_ENGINE_TYPE", "kind of core";
    BLOCKDIM_OFFSET = 4, "ACL_RT_LAUNCH_KERNEL_ATTR_BLOCKDIM_OFFSET", "number of the first block";
    BLOCK_TASK_PREFETCH = 5, "ACL_RT_LAUNCH_KERNEL_ATTR_BLOCK_TASK_PREFETCH", "fetch the next task early";
    DATA_DUMP = 6, "ACL_RT_LAUNCH_KERNEL_ATTR_DATA_DUMP", "dump inputs and outputs";
    TIMEOUT = 7, "ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT", "time limit, seconds; not together with TIMEOUT_US";
    TIMEOUT_US = 8, "ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US", "time limit, microseconds";
    ENABLE_PROFILING = 9, "ACL_RT_LAUNCH_KERNEL_ATTR_ENABLE_PROFILING", "0 off, 1 on";
}
/// Which attribute of a stream is meant.
StreamAttr = "aclrtStreamAttr" {
    FAILURE_MODE = 1, "ACL_STREAM_ATTR_FAILURE_MODE", "go on or stop after a fault";
    FLOAT_OVERFLOW_CHECK = 2, "ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK", "look for overflow";
    USER_CUSTOM_TAG = 3, "ACL_STREAM_ATTR_USER_CUSTOM_TAG", "a number of the user's";
    CACHE_OP_INFO = 4, "ACL_STREAM_ATTR_CACHE_OP_INFO", "keep descriptions of operators";
    PRIORITY = 5, "ACL_STREAM_ATTR_PRIORITY", "0 highest to 7 lowest";
}
/// A number of a device.
DevAttr = "aclrtDevAttr" {
    AICPU_CORE_NUM = 1, "ACL_DEV_ATTR_AICPU_CORE_NUM", "number of AI CPUs";
    AICORE_CORE_NUM = 101, "ACL_DEV_ATTR_AICORE_CORE_NUM", "number of AI Cores";
    CUBE_CORE_NUM = 102, "ACL_DEV_ATTR_CUBE_CORE_NUM", "number of cube cores";
    VECTOR_CORE_NUM = 201, "ACL_DEV_ATTR_VECTOR_CORE_NUM", "number of vector cores";
    WARP_SIZE = 202, "ACL_DEV_ATTR_WARP_SIZE", "threads in a warp (SIMT; 0 on dav-2201)";
    MAX_THREAD_PER_VECTOR_CORE = 203, "ACL_DEV_ATTR_MAX_THREAD_PER_VECTOR_CORE", "threads of a vector core (SIMT)";
    LOCAL_MEM_PER_VECTOR_CORE = 204, "ACL_DEV_ATTR_LOCAL_MEM_PER_VECTOR_CORE", "old name of UBUF_PER_VECTOR_CORE";
    UBUF_PER_VECTOR_CORE = 204, "ACL_DEV_ATTR_UBUF_PER_VECTOR_CORE", "UB of a vector core, bytes";
    MAX_GRID_DIM_X = 205, "ACL_DEV_ATTR_MAX_GRID_DIM_X", "largest grid, x (SIMT)";
    MAX_GRID_DIM_Y = 206, "ACL_DEV_ATTR_MAX_GRID_DIM_Y", "largest grid, y (SIMT)";
    MAX_GRID_DIM_Z = 207, "ACL_DEV_ATTR_MAX_GRID_DIM_Z", "largest grid, z (SIMT)";
    MAX_BLOCK_PER_GRID = 208, "ACL_DEV_ATTR_MAX_BLOCK_PER_GRID", "blocks of a grid (SIMT)";
    MAX_THREADS_PER_BLOCK = 209, "ACL_DEV_ATTR_MAX_THREADS_PER_BLOCK", "threads of a block (SIMT)";
    MAX_BLOCK_DIM_X = 210, "ACL_DEV_ATTR_MAX_BLOCK_DIM_X", "largest block, x (SIMT)";
    MAX_BLOCK_DIM_Y = 211, "ACL_DEV_ATTR_MAX_BLOCK_DIM_Y", "largest block, y (SIMT)";
    MAX_BLOCK_DIM_Z = 212, "ACL_DEV_ATTR_MAX_BLOCK_DIM_Z", "largest block, z (SIMT)";
    TOTAL_GLOBAL_MEM_SIZE = 301, "ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE", "device memory, bytes";
    L2_CACHE_SIZE = 302, "ACL_DEV_ATTR_L2_CACHE_SIZE", "L2 cache, bytes";
    SMP_ID = 401, "ACL_DEV_ATTR_SMP_ID", "same for devices of one operating system";
    PHY_CHIP_ID = 402, "ACL_DEV_ATTR_PHY_CHIP_ID", "physical number of the chip";
    SUPER_POD_DEVIDE_ID = 403, "ACL_DEV_ATTR_SUPER_POD_DEVIDE_ID", "old spelling of SUPER_POD_DEVICE_ID";
    SUPER_POD_DEVICE_ID = 403, "ACL_DEV_ATTR_SUPER_POD_DEVICE_ID", "number of the device in its pod";
    SUPER_POD_SERVER_ID = 404, "ACL_DEV_ATTR_SUPER_POD_SERVER_ID", "number of the server in its pod";
    SUPER_POD_ID = 405, "ACL_DEV_ATTR_SUPER_POD_ID", "number of the pod";
    CUST_OP_PRIVILEGE = 406, "ACL_DEV_ATTR_CUST_OP_PRIVILEGE", "whether custom operators are allowed";
    MAINBOARD_ID = 407, "ACL_DEV_ATTR_MAINBOARD_ID", "number of the main board";
    HD_CONNECT_TYPE = 408, "ACL_DEV_ATTR_HD_CONNECT_TYPE", "how host and device are connected";
    DEVICE_FORM_FACTOR = 409, "ACL_DEV_ATTR_DEVICE_FORM_FACTOR", "pod, server or card";
    IS_VIRTUAL = 501, "ACL_DEV_ATTR_IS_VIRTUAL", "whether it is a share of a device";
    NPU_ARCH = 601, "ACL_DEV_ATTR_NPU_ARCH", "architecture, such as 2201";
}
/// A feature of a device.
DevFeatureType = "aclrtDevFeatureType" {
    TSCPU_TASK_UPDATE_SUPPORT_AIC_AIV = 1, "ACL_FEATURE_TSCPU_TASK_UPDATE_SUPPORT_AIC_AIV", "tasks can be updated on the device";
    SYSTEM_MEMQ_EVENT_CROSS_DEV = 21, "ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV", "queue events cross devices";
}
/// How a reducing copy combines.
ReduceKind = "aclrtReduceKind" {
    SUM = 10, "ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM", "sum";
    MAX = 11, "ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX", "maximum";
    MIN = 12, "ACL_RT_MEMCPY_SDMA_AUTOMATIC_MIN", "minimum";
    EQUAL = 13, "ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL", "comparison";
}
/// Which cores a limit is about.
DevResLimitType = "aclrtDevResLimitType" {
    CUBE_CORE = 0, "ACL_RT_DEV_RES_CUBE_CORE", "cube cores";
    VECTOR_CORE = 1, "ACL_RT_DEV_RES_VECTOR_CORE", "vector cores";
}
/// A comparison made by a stream.
Condition = "aclrtCondition" {
    EQUAL = 0, "ACL_RT_EQUAL", "=";
    NOT_EQUAL = 1, "ACL_RT_NOT_EQUAL", "not equal";
    GREATER = 2, "ACL_RT_GREATER", "greater";
    GREATER_OR_EQUAL = 3, "ACL_RT_GREATER_OR_EQUAL", "greater or equal";
    LESS = 4, "ACL_RT_LESS", "less";
    LESS_OR_EQUAL = 5, "ACL_RT_LESS_OR_EQUAL", "less or equal";
}
/// Type of the numbers a stream compares.
CompareDataType = "aclrtCompareDataType" {
    INT32 = 0, "ACL_RT_SWITCH_INT32", "32 bits";
    INT64 = 1, "ACL_RT_SWITCH_INT64", "64 bits";
}
/// Which attribute of a kernel is asked for.
FuncAttribute = "aclrtFuncAttribute" {
    KERNEL_TYPE = 1, "ACL_FUNC_ATTR_KERNEL_TYPE", "see aclrtKernelType";
    KERNEL_RATIO = 2, "ACL_FUNC_ATTR_KERNEL_RATIO", "cube and vector cores per block";
    KERNEL_SCHED_MODE = 3, "ACL_FUNC_ATTR_KERNEL_SCHED_MODE", "scheduling mode";
}
/// Which cores a kernel runs on.
KernelType = "aclrtKernelType" {
    AICORE = 0, "ACL_KERNEL_TYPE_AICORE", "AI Core";
    CUBE = 1, "ACL_KERNEL_TYPE_CUBE", "cube core";
    VECTOR = 2, "ACL_KERNEL_TYPE_VECTOR", "vector core";
    MIX = 3, "ACL_KERNEL_TYPE_MIX", "both together";
    AICPU = 100, "ACL_KERNEL_TYPE_AICPU", "AI CPU";
}
/// A package of CANN.
CannPackageName = "aclCANNPackageName" {
    CANN = 0, "ACL_PKG_NAME_CANN", "the whole";
    RUNTIME = 1, "ACL_PKG_NAME_RUNTIME", "runtime";
    COMPILER = 2, "ACL_PKG_NAME_COMPILER", "compiler";
    HCCL = 3, "ACL_PKG_NAME_HCCL", "collective communication";
    TOOLKIT = 4, "ACL_PKG_NAME_TOOLKIT", "toolkit";
    OPP = 5, "ACL_PKG_NAME_OPP", "operators";
    OPP_KERNEL = 6, "ACL_PKG_NAME_OPP_KERNEL", "compiled operators";
    DRIVER = 7, "ACL_PKG_NAME_DRIVER", "driver";
}
/// A hint on how managed memory will be used.
MemManagedAdviseType = "aclrtMemManagedAdviseType" {
    SET_READ_MOSTLY = 0, "ACL_MEM_ADVISE_SET_READ_MOSTLY", "it is mostly read";
    UNSET_READ_MOSTLY = 1, "ACL_MEM_ADVISE_UNSET_READ_MOSTLY", "takes that back";
    SET_PREFERRED_LOCATION = 2, "ACL_MEM_ADVISE_SET_PREFERRED_LOCATION", "it prefers a place";
    UNSET_PREFERRED_LOCATION = 3, "ACL_MEM_ADVISE_UNSET_PREFERRED_LOCATION", "takes that back";
    SET_ACCESSED_BY = 4, "ACL_MEM_ADVISE_SET_ACCESSED_BY", "a place accesses it directly";
    UNSET_ACCESSED_BY = 5, "ACL_MEM_ADVISE_UNSET_ACCESSED_BY", "takes that back";
}
/// Kind of place where managed memory may live.
MemManagedLocationType = "aclrtMemManagedLocationType" {
    INVALID = 0, "ACL_MEM_LOCATIONTYPE_INVALID", "none";
    DEVICE = 1, "ACL_MEM_LOCATIONTYPE_DEVICE", "a device";
    HOST = 2, "ACL_MEM_LOCATIONTYPE_HOST", "the host";
    HOST_NUMA = 3, "ACL_MEM_LOCATIONTYPE_HOST_NUMA", "a NUMA node of the host";
    HOST_NUMA_CURRENT = 4, "ACL_MEM_LOCATIONTYPE_HOST_NUMA_CURRENT", "the calling thread's NUMA node";
}
/// Which attribute of shared memory is set.
IpcMemAttrType = "aclrtIpcMemAttrType" {
    ACCESS_LINK = 0, "ACL_RT_IPC_MEM_ATTR_ACCESS_LINK", "the link it is reached over";
}
/// Which property of a core group is asked for.
GroupAttr = "aclrtGroupAttr" {
    AICORE = 0, "ACL_GROUP_AICORE_INT", "AI Cores";
    AIV = 1, "ACL_GROUP_AIV_INT", "vector cores";
    AIC = 2, "ACL_GROUP_AIC_INT", "cube cores";
    SDMANUM = 3, "ACL_GROUP_SDMANUM_INT", "copy channels";
    ASQNUM = 4, "ACL_GROUP_ASQNUM_INT", "streams";
    GROUPID = 5, "ACL_GROUP_GROUPID_INT", "number of the group";
}
/// Which property of a range of managed memory is asked for.
MemManagedRangeAttribute = "aclrtMemManagedRangeAttribute" {
    READ_MOSTLY = 1, "ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY", "read mostly";
    PREFERRED_LOCATION = 2, "ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION", "preferred location";
    ACCESSED_BY = 3, "ACL_MEM_RANGE_ATTRIBUTE_ACCESSED_BY", "accessed by";
    PREFERRED_LOCATION_TYPE = 4, "ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE", "preferred location type";
    PREFERRED_LOCATION_ID = 5, "ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID", "preferred location id";
    LAST_PREFETCH_LOCATION = 6, "ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION", "last prefetch location";
    LAST_PREFETCH_LOCATION_TYPE = 7, "ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE", "last prefetch location type";
    LAST_PREFETCH_LOCATION_ID = 8, "ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID", "last prefetch location id";
}
/// How physical memory is allocated.
MemAllocationType = "aclrtMemAllocationType" {
    PINNED = 0, "ACL_MEM_ALLOCATION_TYPE_PINNED", "it stays where it is";
}
/// Kind of handle physical memory can be exported as.
MemHandleType = "aclrtMemHandleType" {
    NONE = 0, "ACL_MEM_HANDLE_TYPE_NONE", "it cannot be exported";
    POSIX = 2, "ACL_MEM_HANDLE_TYPE_POSIX", "a file descriptor";
}
/// Kind of key that names shared physical memory.
MemSharedHandleType = "aclrtMemSharedHandleType" {
    DEFAULT = 1, "ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT", "a number, within one server";
    FABRIC = 2, "ACL_MEM_SHARE_HANDLE_TYPE_FABRIC", "128 bytes, also between servers";
}
/// Which granularity of physical memory is asked for.
MemGranularityOptions = "aclrtMemGranularityOptions" {
    MINIMUM = 0, "ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM", "the smallest";
    RECOMMENDED = 1, "ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED", "the one that suits best";
    UNDEF = 0xffff, "ACL_RT_MEM_ALLOC_GRANULARITY_UNDEF", "none";
}
/// What a task of a graph does.
RiTaskType = "aclmdlRITaskType" {
    DEFAULT = 0, "ACL_MODEL_RI_TASK_DEFAULT", "something without parameters";
    KERNEL = 1, "ACL_MODEL_RI_TASK_KERNEL", "runs a kernel";
    EVENT_RECORD = 2, "ACL_MODEL_RI_TASK_EVENT_RECORD", "records an event";
    EVENT_WAIT = 3, "ACL_MODEL_RI_TASK_EVENT_WAIT", "waits for an event";
    EVENT_RESET = 4, "ACL_MODEL_RI_TASK_EVENT_RESET", "resets an event";
    VALUE_WRITE = 5, "ACL_MODEL_RI_TASK_VALUE_WRITE", "writes a word";
    VALUE_WAIT = 6, "ACL_MODEL_RI_TASK_VALUE_WAIT", "waits for a word";
}
/// A distribution of random numbers.
RandomNumFuncType = "aclrtRandomNumFuncType" {
    DROPOUT_BITMASK = 0, "ACL_RT_RANDOM_NUM_FUNC_TYPE_DROPOUT_BITMASK", "bits that are set with a probability";
    UNIFORM_DIS = 1, "ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS", "uniform";
    NORMAL_DIS = 2, "ACL_RT_RANDOM_NUM_FUNC_TYPE_NORMAL_DIS", "normal";
    TRUNCATED_NORMAL_DIS = 3, "ACL_RT_RANDOM_NUM_FUNC_TYPE_TRUNCATED_NORMAL_DIS", "normal within two standard deviations";
}
/// When the abort callback is called.
DeviceTaskAbortStage = "aclrtDeviceTaskAbortStage" {
    PRE = 0, "ACL_RT_DEVICE_TASK_ABORT_PRE", "before the tasks are aborted";
    POST = 1, "ACL_RT_DEVICE_TASK_ABORT_POST", "after it";
}
/// Which kind of task is updated.
UpdateTaskAttrId = "aclrtUpdateTaskAttrId" {
    RANDOM_TASK = 1, "ACL_RT_UPDATE_RANDOM_TASK", "random numbers";
    AIC_AIV_TASK = 2, "ACL_RT_UPDATE_AIC_AIV_TASK", "a kernel";
}
/// What happens to a device, before or after it happens.
DeviceState = "aclrtDeviceState" {
    SET_PRE = 0, "ACL_RT_DEVICE_STATE_SET_PRE", "before it is selected";
    SET_POST = 1, "ACL_RT_DEVICE_STATE_SET_POST", "after it was selected";
    RESET_PRE = 2, "ACL_RT_DEVICE_STATE_RESET_PRE", "before it is reset";
    RESET_POST = 3, "ACL_RT_DEVICE_STATE_RESET_POST", "after it was reset";
}
/// Stage of a snapshot.
SnapShotStage = "aclrtSnapShotStage" {
    LOCK_PRE = 0, "ACL_RT_SNAPSHOT_LOCK_PRE", "before the process is locked";
    BACKUP_PRE = 1, "ACL_RT_SNAPSHOT_BACKUP_PRE", "before device state is saved";
    BACKUP_POST = 2, "ACL_RT_SNAPSHOT_BACKUP_POST", "after device state was saved";
    RESTORE_PRE = 3, "ACL_RT_SNAPSHOT_RESTORE_PRE", "before device state is restored";
    RESTORE_POST = 4, "ACL_RT_SNAPSHOT_RESTORE_POST", "after device state was restored";
    UNLOCK_POST = 5, "ACL_RT_SNAPSHOT_UNLOCK_POST", "after the process was unlocked";
}
/// What happens to a stream.
StreamState = "aclrtStreamState" {
    CREATE_POST = 1, "ACL_RT_STREAM_STATE_CREATE_POST", "it was made";
    DESTROY_PRE = 2, "ACL_RT_STREAM_STATE_DESTROY_PRE", "it is about to be destroyed";
}
/// How a record changes a counter.
CntNotifyRecordMode = "aclrtCntNotifyRecordMode" {
    SET_VALUE = 0, "ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE", "sets it";
    ADD = 1, "ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE", "adds to it";
    BIT_OR = 2, "ACL_RT_CNT_NOTIFY_RECORD_BIT_OR_MODE", "sets bits";
    BIT_AND = 4, "ACL_RT_CNT_NOTIFY_RECORD_BIT_AND_MODE", "keeps bits";
}
/// What a wait compares a counter with.
CntNotifyWaitMode = "aclrtCntNotifyWaitMode" {
    LESS = 0, "ACL_RT_CNT_NOTIFY_WAIT_LESS_MODE", "until it is less";
    EQUAL = 1, "ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE", "until it is equal";
    BIGGER = 2, "ACL_RT_CNT_NOTIFY_WAIT_BIGGER_MODE", "until it is greater";
    BIGGER_OR_EQUAL = 3, "ACL_RT_CNT_NOTIFY_WAIT_BIGGER_OR_EQUAL_MODE", "until it is greater or equal";
    EQUAL_WITH_BITMASK = 4, "ACL_RT_CNT_NOTIFY_WAIT_EQUAL_WITH_BITMASK_MODE", "until it has the bits of the value";
}
/// What may be done with mapped memory.
MemAccessFlags = "aclrtMemAccessFlags" {
    NONE = 0, "ACL_RT_MEM_ACCESS_FLAGS_NONE", "nothing";
    READ = 1, "ACL_RT_MEM_ACCESS_FLAGS_READ", "reading";
    READWRITE = 3, "ACL_RT_MEM_ACCESS_FLAGS_READWRITE", "reading and writing";
}
/// A unit of the device that can reach memory.
HacType = "aclrtHacType" {
    STARS = 0, "ACL_RT_HAC_TYPE_STARS", "task scheduler";
    AICPU = 1, "ACL_RT_HAC_TYPE_AICPU", "AI CPU";
    AIC = 2, "ACL_RT_HAC_TYPE_AIC", "cube core";
    AIV = 3, "ACL_RT_HAC_TYPE_AIV", "vector core";
    PCIEDMA = 4, "ACL_RT_HAC_TYPE_PCIEDMA", "copies over PCIe";
    RDMA = 5, "ACL_RT_HAC_TYPE_RDMA", "copies over the network";
    SDMA = 6, "ACL_RT_HAC_TYPE_SDMA", "copies within the system";
    DVPP = 7, "ACL_RT_HAC_TYPE_DVPP", "image processor";
    UDMA = 8, "ACL_RT_HAC_TYPE_UDMA", "copies over the unified bus";
    CCU = 9, "ACL_RT_HAC_TYPE_CCU", "collective communication unit";
}
/// Whether a unit can reach host memory.
HostMemMapCapability = "aclrtHostMemMapCapability" {
    NOT_SUPPORTED = 0, "ACL_RT_HOST_MEM_MAP_NOT_SUPPORTED", "it cannot";
    SUPPORTED = 1, "ACL_RT_HOST_MEM_MAP_SUPPORTED", "it can";
}
/// The link over which another device reaches memory.
MemLinkType = "aclrtMemLinkType" {
    LINK_SIO = 0, "ACL_RT_MEM_ACCESS_LINK_SIO", "between the dies of a package";
    LINK_HCCS = 1, "ACL_RT_MEM_ACCESS_LINK_HCCS", "HCCS";
    UB_ONE_PORT_PATH = 2, "ACL_RT_MEM_ACCESS_UB_ONE_PORT_PATH", "one port of the unified bus";
    UB_MULTI_PORT_PATH = 3, "ACL_RT_MEM_ACCESS_UB_MULTI_PORT_PATH", "several ports of the unified bus";
}
/// What an atomic operation can be used for, one bit each.
AtomicOperationCapability = "aclrtAtomicOperationCapability" {
    SIGNED = 1, "ACL_RT_ATOMIC_CAPABILITY_SIGNED", "signed";
    UNSIGNED = 2, "ACL_RT_ATOMIC_CAPABILITY_UNSIGNED", "unsigned";
    REDUCATION = 4, "ACL_RT_ATOMIC_CAPABILITY_REDUCATION", "old spelling of the next";
    REDUCTION = 4, "ACL_RT_ATOMIC_CAPABILITY_REDUCTION", "without an answer";
    SCALAR8 = 8, "ACL_RT_ATOMIC_CAPABILITY_SCALAR8", "scalar8";
    SCALAR16 = 16, "ACL_RT_ATOMIC_CAPABILITY_SCALAR16", "scalar16";
    SCALAR32 = 32, "ACL_RT_ATOMIC_CAPABILITY_SCALAR32", "scalar32";
    SCALAR64 = 64, "ACL_RT_ATOMIC_CAPABILITY_SCALAR64", "scalar64";
    SCALAR128 = 128, "ACL_RT_ATOMIC_CAPABILITY_SCALAR128", "scalar128";
    VECTOR32X4 = 256, "ACL_RT_ATOMIC_CAPABILITY_VECTOR32X4", "vector32x4";
}
/// An atomic operation.
AtomicOperation = "aclrtAtomicOperation" {
    INTEGER_ADD = 0, "ACL_RT_ATOMIC_OPERATION_INTEGER_ADD", "integer add";
    INTEGER_MIN = 1, "ACL_RT_ATOMIC_OPERATION_INTEGER_MIN", "integer min";
    INTEGER_MAX = 2, "ACL_RT_ATOMIC_OPERATION_INTEGER_MAX", "integer max";
    INTEGER_INCREMENT = 3, "ACL_RT_ATOMIC_OPERATION_INTEGER_INCREMENT", "integer increment";
    INTEGER_DECREMENT = 4, "ACL_RT_ATOMIC_OPERATION_INTEGER_DECREMENT", "integer decrement";
    AND = 5, "ACL_RT_ATOMIC_OPERATION_AND", "and";
    OR = 6, "ACL_RT_ATOMIC_OPERATION_OR", "or";
    XOR = 7, "ACL_RT_ATOMIC_OPERATION_XOR", "xor";
    EXCHANGE = 8, "ACL_RT_ATOMIC_OPERATION_EXCHANGE", "exchange";
    CAS = 9, "ACL_RT_ATOMIC_OPERATION_CAS", "cas";
    FLOAT_ADD = 10, "ACL_RT_ATOMIC_OPERATION_FLOAT_ADD", "float add";
    FLOAT_MIN = 11, "ACL_RT_ATOMIC_OPERATION_FLOAT_MIN", "float min";
    FLOAT_MAX = 12, "ACL_RT_ATOMIC_OPERATION_FLOAT_MAX", "float max";
    DMA_ADD = 30, "ACL_RT_ATOMIC_OPERATION_DMA_ADD", "dma add";
    DMA_MIN = 31, "ACL_RT_ATOMIC_OPERATION_DMA_MIN", "dma min";
    DMA_MAX = 32, "ACL_RT_ATOMIC_OPERATION_DMA_MAX", "dma max";
    SIMD_SCALAR_ADD = 40, "ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_ADD", "simd scalar add";
    SIMD_SCALAR_MIN = 41, "ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_MIN", "simd scalar min";
    SIMD_SCALAR_MAX = 42, "ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_MAX", "simd scalar max";
    SIMD_SCALAR_CAS = 43, "ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_CAS", "simd scalar cas";
    SIMD_SCALAR_EXCH = 44, "ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_EXCH", "simd scalar exch";
}
/// How a condition starts.
RiCondHandleFlag = "aclmdlRICondHandleFlag" {
    ASSIGN_DEFAULT = 1, "ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT", "every run starts with the default value";
}
/// Kind of conditional task.
RiCondTaskType = "aclmdlRICondTaskType" {
    IF = 0, "ACL_MODEL_RI_COND_TYPE_IF", "runs a graph if the condition is not 0, else another";
    WHILE = 1, "ACL_MODEL_RI_COND_TYPE_WHILE", "runs a graph while the condition is not 0";
    SWITCH = 2, "ACL_MODEL_RI_COND_TYPE_SWITCH", "runs the graph of the number in the condition";
}
/// A limit of the device.
DeviceLimit = "aclrtDeviceLimit" {
    SIMT_STACK_SIZE = 0, "ACL_RT_DEV_LIMIT_SIMT_STACK_SIZE", "stack of a SIMT thread, bytes";
    SIMT_DVG_WARP_STACK_SIZE = 1, "ACL_RT_DEV_LIMIT_SIMT_DVG_WARP_STACK_SIZE", "stack for diverging SIMT threads, bytes";
    SIMD_STACK_SIZE = 2, "ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE", "stack of a core, bytes";
    SIMD_PRINTF_FIFO_SIZE_PER_CORE = 3, "ACL_RT_DEV_LIMIT_SIMD_PRINTF_FIFO_SIZE_PER_CORE", "room for printed text per core, bytes";
    SIMT_PRINTF_FIFO_SIZE = 4, "ACL_RT_DEV_LIMIT_SIMT_PRINTF_FIFO_SIZE", "room for printed text of SIMT threads, bytes";
}
/// Whose start or end a callback is registered for.
RegisterCallbackType = "aclRegisterCallbackType" {
    ACL_MODEL = 0, "ACL_REG_TYPE_ACL_MODEL", "models";
    ACL_OP_EXECUTOR = 1, "ACL_REG_TYPE_ACL_OP_EXECUTOR", "operators";
    ACL_OP_CBLAS = 2, "ACL_REG_TYPE_ACL_OP_CBLAS", "linear algebra";
    ACL_OP_COMPILER = 3, "ACL_REG_TYPE_ACL_OP_COMPILER", "operator compiler";
    ACL_TDT_CHANNEL = 4, "ACL_REG_TYPE_ACL_TDT_CHANNEL", "data channels";
    ACL_TDT_QUEUE = 5, "ACL_REG_TYPE_ACL_TDT_QUEUE", "data queues";
    ACL_DVPP = 6, "ACL_REG_TYPE_ACL_DVPP", "image processing";
    ACL_RETR = 7, "ACL_REG_TYPE_ACL_RETR", "retrieval";
    OTHER = 0xffff, "ACL_REG_TYPE_OTHER", "anything else";
}
/// State of a process for snapshots.
ProcessState = "aclrtProcessState" {
    RUNNING = 0, "ACL_RT_PROCESS_STATE_RUNNING", "it runs";
    LOCKED = 1, "ACL_RT_PROCESS_STATE_LOCKED", "its calls wait";
}
/// An attribute of a memory pool.
MemPoolAttr = "aclrtMemPoolAttr" {
    REUSE_FOLLOW_EVENT_DEPENDENCIES = 1, "ACL_RT_MEM_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES", "1: memory freed in a stream may be reused in one that waited for it";
    REUSE_ALLOW_OPPORTUNISTIC = 2, "ACL_RT_MEM_POOL_REUSE_ALLOW_OPPORTUNISTIC", "1: memory may be reused when its free has happened";
    REUSE_ALLOW_INTERNAL_DEPENDENCIES = 3, "ACL_RT_MEM_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES", "1: the runtime may add waits to reuse memory";
    ATTR_RELEASE_THRESHOLD = 4, "ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD", "unused bytes that are kept at a synchronisation";
    ATTR_RESERVED_MEM_CURRENT = 5, "ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT", "bytes the pool holds";
    ATTR_RESERVED_MEM_HIGH = 6, "ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH", "most bytes it held";
    ATTR_USED_MEM_CURRENT = 7, "ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT", "bytes in use";
    ATTR_USED_MEM_HIGH = 8, "ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH", "most bytes in use";
}
}
