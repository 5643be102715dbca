//! Handles, structs, unions and number constants of the ACL headers.
//!
//! Handles are opaque: the runtime makes them and gives them a meaning; nothing here follows the pointer.
//! Sizes are checked at compile time against the numbers stated in the table and by a C compiler in `tests/abi`.

use crate::acl::enums::{
    BinaryLoadOptionType, EngineType, LaunchKernelAttrId, MallocAttrType, MemLocationType,
};
use crate::layout::{CChar, CType, CTyped, ConstLayout, FieldLayout, StructLayout};
use core::ffi::c_void;

/// A handle type: name in C and what it stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HandleLayout {
    /// Name in C; a typedef of `void*`.
    pub name: &'static str,
    /// What it stands for.
    pub doc: &'static str,
}

macro_rules! acl_handles {
    ($list:ident: $( $name:ident = $c:literal, $doc:literal; )*) => {
        $(
            #[doc = concat!($doc, ".")]
            ///
            /// Opaque: made and read by the runtime only.
            #[doc(alias = $c)]
            #[repr(transparent)]
            #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
            pub struct $name(pub *mut c_void);

            impl $name {
                /// The null handle.
                pub const NULL: Self = Self(core::ptr::null_mut());

                /// `true` for the null handle.
                pub fn is_null(self) -> bool {
                    self.0.is_null()
                }
            }

            impl Default for $name {
                fn default() -> Self {
                    Self::NULL
                }
            }

            impl CTyped for $name {
                const C: CType = CType::Named($c);
            }
        )*

        #[doc = concat!("The handles of this table (", stringify!($list), ").")]
        pub static $list: &[HandleLayout] = &[$(HandleLayout { name: $c, doc: $doc }),*];
    };
}

acl_handles! { BASE_HANDLES:
    StreamHandle = "aclrtStream", "A queue of device work; null is the default stream";
    EventHandle = "aclrtEvent", "A point in a stream that others can wait for";
    ContextHandle = "aclrtContext", "The surroundings of device work: device, default stream, memory";
    NotifyHandle = "aclrtNotify", "A signal between streams that resets itself";
    CntNotifyHandle = "aclrtCntNotify", "A counting signal between streams";
    LabelHandle = "aclrtLabel", "A place in a graph to jump to";
    LabelListHandle = "aclrtLabelList", "Labels to choose from";
    MbufHandle = "aclrtMbuf", "A shared message buffer";
    RiTaskHandle = "aclmdlRITask", "One task of a graph";
    TaskGrpHandle = "aclrtTaskGrp", "A group of tasks of a graph";
}
acl_handles! { RT_HANDLES:
    DrvMemHandle = "aclrtDrvMemHandle", "Physical device memory without an address";
    Binary = "aclrtBinary", "The bytes of a kernel binary, not loaded yet";
    BinHandle = "aclrtBinHandle", "A loaded kernel binary";
    FuncHandle = "aclrtFuncHandle", "A kernel of a loaded binary";
    ArgsHandle = "aclrtArgsHandle", "The arguments of a launch while they are put together";
    ParamHandle = "aclrtParamHandle", "One argument of an arguments handle";
    RiHandle = "aclmdlRI", "A graph that can be run";
}

/// Half float as a bit pattern.
#[doc(alias = "aclFloat16")]
#[repr(transparent)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Float16(pub u16);
impl CTyped for Float16 {
    const C: CType = CType::Named("aclFloat16");
}

/// An address with a size, made by `aclCreateDataBuffer`; opaque, used behind a pointer only.
#[doc(alias = "aclDataBuffer")]
#[repr(C)]
pub struct DataBuffer {
    _opaque: [u8; 0],
}
impl CTyped for DataBuffer {
    const C: CType = CType::Named("aclDataBuffer");
}

macro_rules! acl_structs {
    ($list:ident: $(
        $(#[doc = $doc:literal])+
        $kind:ident $name:ident = $c:literal, size $size:literal, align $align:literal {
            $( $(#[doc = $fdoc:literal])+ $field:ident as $cfield:literal : $fty:ty, )*
        }
    )*) => {
        $(
            $(#[doc = $doc])+
            #[doc(alias = $c)]
            #[repr(C)]
            #[derive(Clone, Copy)]
            pub $kind $name {
                $( $(#[doc = $fdoc])+ pub $field: $fty, )*
            }

            impl $name {
                /// Layout and names in C.
                pub const LAYOUT: StructLayout = StructLayout {
                    name: $c,
                    is_union: acl_structs!(@is_union $kind),
                    size_bytes: size_of::<$name>(),
                    align_bytes: align_of::<$name>(),
                    fields: &[$(FieldLayout {
                        name: $cfield,
                        ty: <$fty as CTyped>::C,
                        offset_bytes: core::mem::offset_of!($name, $field),
                        size_bytes: size_of::<$fty>(),
                        doc: concat!($($fdoc, "\n"),+),
                    }),*],
                    doc: concat!($($doc, "\n"),+),
                };
            }

            impl CTyped for $name {
                const C: CType = CType::Named($c);
            }

            static_assertions::const_assert_eq!(size_of::<$name>(), $size);
            static_assertions::const_assert_eq!(align_of::<$name>(), $align);
        )*

        #[doc = concat!("The structs and unions of this table, in header order (", stringify!($list), ").")]
        pub static $list: &[StructLayout] = &[$($name::LAYOUT),*];
    };
    (@is_union struct) => { false };
    (@is_union union) => { true };
}

acl_structs! { RT_STRUCTS:
/// Value of an allocation attribute; which field counts, the attribute's type says.
union MallocAttrValue = "aclrtMallocAttrValue", size 8, align 4 {
    /// Number of the asking module.
    module_id as "moduleId": u16,
    /// Device.
    device_id as "deviceId": u32,
    /// Address flag.
    va_flag as "vaFlag": u32,
    /// Fixes the size.
    rsv as "rsv": [u8; 8],
}
/// One attribute of an allocation.
struct MallocAttribute = "aclrtMallocAttribute", size 12, align 4 {
    /// Which attribute.
    attr as "attr": MallocAttrType,
    /// Its value.
    value as "value": MallocAttrValue,
}
/// Attributes of an allocation.
struct MallocConfig = "aclrtMallocConfig", size 16, align 8 {
    /// First attribute.
    attrs as "attrs": *mut MallocAttribute,
    /// Number of attributes.
    num_attrs as "numAttrs": usize,
}
/// Configuration of a stream.
struct StreamConfig = "aclrtStreamConfigHandle", size 32, align 8 {
    /// Work memory, or null.
    workptr as "workptr": *mut c_void,
    /// Size of the work memory, bytes.
    work_size as "workSize": usize,
    /// `ACL_STREAM_*` flags.
    flag as "flag": usize,
    /// 0 highest to 7 lowest.
    priority as "priority": u32,
}
/// Where a piece of memory lies.
struct MemLocation = "aclrtMemLocation", size 8, align 4 {
    /// Device (or NUMA node).
    id as "id": u32,
    /// Kind of memory.
    ty as "type": MemLocationType,
}
/// What the runtime knows about a pointer.
struct PtrAttributes = "aclrtPtrAttributes", size 28, align 4 {
    /// Where it points to.
    location as "location": MemLocation,
    /// Page size of that memory, bytes.
    page_size as "pageSize": u32,
    /// Zero.
    rsv as "rsv": [u32; 4],
}
/// Key of memory shared between servers.
struct MemFabricHandle = "aclrtMemFabricHandle", size 128, align 1 {
    /// Opaque bytes.
    data as "data": [u8; 128],
}
/// Unchanging identity of a device.
struct Uuid = "aclrtUuid", size 16, align 1 {
    /// Opaque bytes.
    bytes as "bytes": [CChar; 16],
}
/// Value of a load option; which field counts, the option's type says.
union BinaryLoadOptionValue = "aclrtBinaryLoadOptionValue", size 16, align 4 {
    /// 1: copy code to the device at first use.
    is_lazy_load as "isLazyLoad": u32,
    /// `ACL_RT_BINARY_MAGIC_ELF_*`.
    magic as "magic": u32,
    /// 0, 1 or 2.
    cpu_kernel_mode as "cpuKernelMode": i32,
    /// Fixes the size.
    rsv as "rsv": [u32; 4],
}
/// One option of loading a binary.
struct BinaryLoadOption = "aclrtBinaryLoadOption", size 20, align 4 {
    /// Which option.
    ty as "type": BinaryLoadOptionType,
    /// Its value.
    value as "value": BinaryLoadOptionValue,
}
/// Options of loading a binary.
struct BinaryLoadOptions = "aclrtBinaryLoadOptions", size 16, align 8 {
    /// First option.
    options as "options": *mut BinaryLoadOption,
    /// Number of options.
    num_opt as "numOpt": usize,
}
/// A 64-bit time limit in two halves.
struct TimeoutUs = "aclrtTimeoutUs", size 8, align 4 {
    /// Low 32 bits, microseconds.
    timeout_low as "timeoutLow": u32,
    /// High 32 bits.
    timeout_high as "timeoutHigh": u32,
}
/// Value of a launch attribute; which field counts, the attribute's id says.
union LaunchKernelAttrValue = "aclrtLaunchKernelAttrValue", size 16, align 4 {
    /// 0 normal, 1 all blocks at once, 2 with synchronisation.
    schem_mode as "schemMode": u8,
    /// Old name of `dynUBufSize`.
    local_memory_size as "localMemorySize": u32,
    /// Bytes of UB given at launch.
    dyn_ubuf_size_bytes as "dynUBufSize": u32,
    /// Kind of core.
    engine_type as "engineType": EngineType,
    /// Number of the first block.
    block_dim_offset as "blockDimOffset": u32,
    /// 1: fetch the next task early.
    is_block_task_prefetch as "isBlockTaskPrefetch": u8,
    /// 1: dump inputs and outputs.
    is_data_dump as "isDataDump": u8,
    /// Time limit, seconds.
    timeout_s as "timeout": u16,
    /// Time limit, microseconds.
    timeout_us as "timeoutUs": TimeoutUs,
    /// 1: profile this launch.
    enable_profiling as "enableProfiling": u8,
    /// Fixes the size.
    rsv as "rsv": [u32; 4],
}
/// One attribute of a launch.
struct LaunchKernelAttr = "aclrtLaunchKernelAttr", size 20, align 4 {
    /// Which attribute.
    id as "id": LaunchKernelAttrId,
    /// Its value.
    value as "value": LaunchKernelAttrValue,
}
/// Attributes of a launch.
struct LaunchKernelCfg = "aclrtLaunchKernelCfg", size 16, align 8 {
    /// First attribute.
    attrs as "attrs": *mut LaunchKernelAttr,
    /// Number of attributes.
    num_attrs as "numAttrs": usize,
}
/// Value of a stream attribute; which field counts, the attribute says.
union StreamAttrValue = "aclrtStreamAttrValue", size 16, align 8 {
    /// `ACL_CONTINUE_ON_FAILURE` or `ACL_STOP_ON_FAILURE`.
    failure_mode as "failureMode": u64,
    /// 1: look for overflow.
    overflow_switch as "overflowSwitch": u32,
    /// A number of the user's.
    user_custom_tag as "userCustomTag": u32,
    /// 1: keep descriptions of operators.
    cache_op_info_switch as "cacheOpInfoSwitch": u32,
    /// 0 highest to 7 lowest.
    stream_priority as "streamPriority": u32,
    /// Fixes the size.
    reserve as "reserve": [u32; 4],
}
/// A piece of host data that a launch carries along: the runtime copies it to the device and writes its address into
/// the arguments.
struct PlaceHolderInfo = "aclrtPlaceHolderInfo", size 8, align 4 {
    /// Where in the arguments the address goes, bytes.
    addr_offset as "addrOffset": u32,
    /// Where in the arguments buffer the data lie, bytes.
    data_offset as "dataOffset": u32,
}
/// Version of a package, as text.
struct CannPackageVersion = "aclCANNPackageVersion", size 512, align 1 {
    /// The whole version.
    version as "version": [CChar; 128],
    /// First part.
    major_version as "majorVersion": [CChar; 64],
    /// Second part.
    minor_version as "minorVersion": [CChar; 64],
    /// Third part.
    release_version as "releaseVersion": [CChar; 64],
    /// Fourth part.
    patch_version as "patchVersion": [CChar; 64],
    /// Zero.
    reserved as "reserved": [CChar; 128],
}
}

/// Number of blocks or threads in three directions (SIMT only; dav-2201 has no SIMT).
///
/// Not in the table of structs because in C++ it also has a constructor.
#[doc(alias = "dim3")]
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dim3 {
    /// First direction.
    pub x: u32,
    /// Second direction.
    pub y: u32,
    /// Third direction.
    pub z: u32,
}
static_assertions::const_assert_eq!(size_of::<Dim3>(), 12);

impl Dim3 {
    /// Layout and names in C.
    pub const LAYOUT: StructLayout = crate::layout_of!(Dim3 as "dim3" { x: u32, y: u32, z: u32 });
}

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
