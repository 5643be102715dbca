//! Handles, structs and unions of the ACL headers.
//!
//! Handles are opaque: the runtime makes them and gives them a meaning; nothing here follows the pointer.
//! Sizes are checked at compile time against the numbers stated in the table and by a C compiler in `tests/abi`.

use crate::acl::enums::{
    AicoreErrorType, BinaryLoadOptionType, CmoType, CntNotifyRecordMode, CntNotifyWaitMode, DataType,
    EngineType, ErrorType, LaunchKernelAttrId, MallocAttrType, MemAccessFlags, MemAllocationType, MemAttr,
    MemHandleType, MemLocationType, MemManagedLocationType, RandomNumFuncType, RiCondTaskType, RiTaskType,
    UpdateTaskAttrId,
};
use crate::layout::{CChar, CType, CTyped, FieldLayout, StructLayout};
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
acl_handles! { ALLOCATOR_HANDLES:
    AllocatorDesc = "aclrtAllocatorDesc", "The description of a user's allocator";
    Allocator = "aclrtAllocator", "A user's allocator; only its functions know what it is";
    AllocatorBlock = "aclrtAllocatorBlock", "A block of a user's allocator";
    AllocatorAddr = "aclrtAllocatorAddr", "An address in a block of a user's allocator";
}
acl_handles! { RT_HANDLES:
    DrvMemHandle = "aclrtDrvMemHandle", "Physical device memory without an address";
    Binary = "aclrtBinary", "The bytes of a kernel binary, not loaded yet";
    BinHandle = "aclrtBinHandle", "A loaded kernel binary";
    FuncHandle = "aclrtFuncHandle", "A kernel of a loaded binary";
    ArgsHandle = "aclrtArgsHandle", "The arguments of a launch while they are put together";
    ParamHandle = "aclrtParamHandle", "One argument of an arguments handle";
    RiHandle = "aclmdlRI", "A graph that can be run";
    RiCondHandle = "aclmdlRICondHandle", "A condition of a graph";
    MemPoolHandle = "aclrtMemPool", "Device memory that is handed out in stream order";
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
/// A place where managed memory may live.
struct MemManagedLocation = "aclrtMemManagedLocation", size 8, align 4 {
    /// Kind of place.
    ty as "type": MemManagedLocationType,
    /// Device or NUMA node.
    id as "id": i32,
}
/// Processes of another server.
struct ServerPid = "aclrtServerPid", size 24, align 8 {
    /// Number of the server's device.
    sdid as "sdid": u32,
    /// First process number.
    pid as "pid": *mut i32,
    /// Number of process numbers.
    num as "num": usize,
}
/// How busy a device is, percent; -1 where unknown.
struct UtilizationInfo = "aclrtUtilizationInfo", size 24, align 8 {
    /// Cube cores.
    cube_utilization as "cubeUtilization": i32,
    /// Vector cores.
    vector_utilization as "vectorUtilization": i32,
    /// AI CPUs.
    aicpu_utilization as "aicpuUtilization": i32,
    /// Device memory.
    memory_utilization as "memoryUtilization": i32,
    /// Null.
    utilization_extend as "utilizationExtend": *mut UtilizationExtendInfo,
}
/// Device memory of one component.
struct MemUsageInfo = "aclrtMemUsageInfo", size 112, align 8 {
    /// Name of the component.
    name as "name": [CChar; 32],
    /// Bytes it uses.
    cur_mem_size as "curMemSize": u64,
    /// Most bytes it used.
    mem_peak_size as "memPeakSize": u64,
    /// Zero.
    reserved as "reserved": [usize; 8],
}
/// What physical memory is asked for.
struct PhysicalMemProp = "aclrtPhysicalMemProp", size 32, align 8 {
    /// How it can be exported.
    handle_type as "handleType": MemHandleType,
    /// How it is allocated.
    allocation_type as "allocationType": MemAllocationType,
    /// Kind of memory and size of its pages.
    mem_attr as "memAttr": MemAttr,
    /// Where.
    location as "location": MemLocation,
    /// Zero.
    reserve as "reserve": u64,
}
/// A range of device memory with errors that cannot be corrected.
struct MemUceInfo = "aclrtMemUceInfo", size 128, align 8 {
    /// Start.
    addr as "addr": *mut c_void,
    /// Bytes.
    size_bytes as "len": usize,
    /// Zero.
    reserved as "reserved": [usize; 14],
}
/// Several such ranges.
struct MemUceInfoArray = "aclrtMemUceInfoArray", size 2568, align 8 {
    /// Number of ranges.
    array_size as "arraySize": usize,
    /// The ranges.
    mem_uce_info_array as "memUceInfoArray": [MemUceInfo; 20],
}
/// Detail of a device error; which field counts, the error's type says.
union ErrorInfoDetail = "aclrtErrorInfoDetail", size 2568, align 8 {
    /// Memory errors.
    uce_info as "uceInfo": MemUceInfoArray,
    /// Error of an AI Core.
    aicore_err_type as "aicoreErrType": AicoreErrorType,
}
/// The error a device has.
struct DeviceErrorInfo = "aclrtErrorInfo", size 2576, align 8 {
    /// 1: a repair can be tried.
    try_repair as "tryRepair": u8,
    /// 1: there is a detail.
    has_detail as "hasDetail": u8,
    /// Zero.
    reserved as "reserved": [u8; 2],
    /// Kind of error.
    error_type as "errorType": ErrorType,
    /// Detail.
    detail as "detail": ErrorInfoDetail,
}
/// A kernel in a graph.
struct RiKernelTaskParams = "aclmdlRIKernelTaskParams", size 88, align 8 {
    /// The kernel.
    func_handle as "funcHandle": FuncHandle,
    /// Launch attributes.
    cfg as "cfg": *mut LaunchKernelCfg,
    /// Arguments.
    args as "args": *mut c_void,
    /// 1: they are host memory.
    is_host_args as "isHostArgs": u32,
    /// Their size, bytes.
    args_size as "argsSize": usize,
    /// Number of blocks.
    num_blocks as "numBlocks": u32,
    /// Zero.
    rsv as "rsv": [u32; 10],
}
/// The record of an event in a graph.
struct RiEventRecordTaskParams = "aclmdlRIEventRecordTaskParams", size 16, align 8 {
    /// The event.
    event as "event": EventHandle,
    /// Flags it was made with.
    event_flag as "eventFlag": u32,
    /// Flags of the record.
    record_flag as "recordFlag": u32,
}
/// The wait for an event in a graph.
struct RiEventWaitTaskParams = "aclmdlRIEventWaitTaskParams", size 16, align 8 {
    /// The event.
    event as "event": EventHandle,
    /// Flags it was made with.
    event_flag as "eventFlag": u32,
    /// Flags of the wait.
    wait_flag as "waitFlag": u32,
}
/// The reset of an event in a graph.
struct RiEventResetTaskParams = "aclmdlRIEventResetTaskParams", size 16, align 8 {
    /// The event.
    event as "event": EventHandle,
    /// Flags it was made with.
    event_flag as "eventFlag": u32,
    /// Flags of the reset.
    reset_flag as "resetFlag": u32,
}
/// The write of a word in a graph.
struct RiValueWriteTaskParams = "aclmdlRIValueWriteTaskParams", size 16, align 8 {
    /// Where, device memory.
    dev_addr as "devAddr": *mut c_void,
    /// What.
    value as "value": u64,
}
/// The wait for a word in a graph.
struct RiValueWaitTaskParams = "aclmdlRIValueWaitTaskParams", size 24, align 8 {
    /// Where, device memory.
    dev_addr as "devAddr": *mut c_void,
    /// What it is compared with.
    value as "value": u64,
    /// `ACL_STREAM_WAIT_VALUE_*`.
    flag as "flag": u32,
}
/// Parameters of a task of a graph; which field counts, the task's type says.
union RiTaskParamsValue = "aclmdlRITaskParamsValue", size 128, align 8 {
    /// Fixes the size.
    rsv2 as "rsv2": [u8; 128],
    /// A kernel.
    kernel_task_params as "kernelTaskParams": RiKernelTaskParams,
    /// The record of an event.
    event_record_task_params as "eventRecordTaskParams": RiEventRecordTaskParams,
    /// The wait for an event.
    event_wait_task_params as "eventWaitTaskParams": RiEventWaitTaskParams,
    /// The reset of an event.
    event_reset_task_params as "eventResetTaskParams": RiEventResetTaskParams,
    /// The write of a word.
    value_write_task_params as "valueWriteTaskParams": RiValueWriteTaskParams,
    /// The wait for a word.
    value_wait_task_params as "valueWaitTaskParams": RiValueWaitTaskParams,
}
/// A task of a graph.
struct RiTaskParams = "aclmdlRITaskParams", size 200, align 8 {
    /// What it does.
    ty as "type": RiTaskType,
    /// Zero.
    rsv0 as "rsv0": [u32; 3],
    /// The group it belongs to, or null.
    task_grp as "taskGrp": TaskGrpHandle,
    /// Description of its operator, or null.
    op_info_ptr as "opInfoPtr": *mut c_void,
    /// Size of the description, bytes.
    op_info_size as "opInfoSize": usize,
    /// Zero.
    rsv1 as "rsv1": [u8; 32],
    /// Its parameters; in C the fields of this union are fields of the struct.
    value as "": RiTaskParamsValue,
}
/// One cache operation that a barrier waits for.
struct BarrierCmoInfo = "aclrtBarrierCmoInfo", size 8, align 4 {
    /// Which operation.
    cmo_type as "cmoType": CmoType,
    /// Number of the barrier.
    barrier_id as "barrierId": u32,
}
/// The cache operations that a barrier waits for.
struct BarrierTaskInfo = "aclrtBarrierTaskInfo", size 56, align 8 {
    /// Number of operations.
    barrier_num as "barrierNum": usize,
    /// The operations.
    cmo_info as "cmoInfo": [BarrierCmoInfo; 6],
}
/// Where copies of a batch begin and end.
struct MemcpyBatchAttr = "aclrtMemcpyBatchAttr", size 32, align 4 {
    /// Destination.
    dst_loc as "dstLoc": MemLocation,
    /// Source.
    src_loc as "srcLoc": MemLocation,
    /// Zero.
    rsv as "rsv": [u8; 16],
}
/// A parameter of random numbers: a value or the address of one.
struct RandomParaInfo = "aclrtRandomParaInfo", size 16, align 1 {
    /// 1: `valueOrAddr` holds a device address, else the value.
    is_addr as "isAddr": u8,
    /// Value or address, little endian.
    value_or_addr as "valueOrAddr": [u8; 8],
    /// Size of the value, bytes.
    size as "size": u8,
    /// Zero.
    rsv as "rsv": [u8; 6],
}
/// Bits that are set with a probability.
struct DropoutBitmaskInfo = "aclrtDropoutBitmaskInfo", size 16, align 1 {
    /// The probability.
    dropout_ration as "dropoutRation": RandomParaInfo,
}
/// A uniform distribution.
struct UniformDisInfo = "aclrtUniformDisInfo", size 32, align 1 {
    /// Smallest number.
    min as "min": RandomParaInfo,
    /// Largest number.
    max as "max": RandomParaInfo,
}
/// A normal distribution.
struct NormalDisInfo = "aclrtNormalDisInfo", size 32, align 1 {
    /// Mean.
    mean as "mean": RandomParaInfo,
    /// Standard deviation.
    stddev as "stddev": RandomParaInfo,
}
/// Parameters of a distribution; which field counts, the distribution's type says.
union RandomNumFuncParam = "aclrtRandomNumFuncParam", size 32, align 1 {
    /// Bits that are set with a probability.
    dropout_bitmask_info as "dropoutBitmaskInfo": DropoutBitmaskInfo,
    /// Uniform.
    uniform_dis_info as "uniformDisInfo": UniformDisInfo,
    /// Normal, also truncated.
    normal_dis_info as "normalDisInfo": NormalDisInfo,
}
/// A distribution of random numbers.
struct RandomNumFuncParaInfo = "aclrtRandomNumFuncParaInfo", size 36, align 4 {
    /// Which one.
    func_type as "funcType": RandomNumFuncType,
    /// Its parameters.
    param_info as "paramInfo": RandomNumFuncParam,
}
/// A task that makes random numbers.
struct RandomNumTaskInfo = "aclrtRandomNumTaskInfo", size 104, align 8 {
    /// Type of the numbers.
    data_type as "dataType": DataType,
    /// Distribution.
    random_num_func_para_info as "randomNumFuncParaInfo": RandomNumFuncParaInfo,
    /// Device memory for the parameters, or null.
    random_para_addr as "randomParaAddr": *mut c_void,
    /// Where the numbers go.
    random_result_addr as "randomResultAddr": *mut c_void,
    /// Counter of the generator, device memory.
    random_counter_addr as "randomCounterAddr": *mut c_void,
    /// Seed.
    random_seed as "randomSeed": RandomParaInfo,
    /// How many numbers.
    random_num as "randomNum": RandomParaInfo,
    /// Zero.
    rsv as "rsv": [u8; 8],
}
/// New parameters of a random number task.
struct RandomTaskUpdateAttr = "aclrtRandomTaskUpdateAttr", size 32, align 8 {
    /// Where they are, device memory.
    src_addr as "srcAddr": *mut c_void,
    /// Bytes.
    size as "size": usize,
    /// Zero.
    rsv as "rsv": [u32; 4],
}
/// New parameters of a kernel task.
struct AicAivTaskUpdateAttr = "aclrtAicAivTaskUpdateAttr", size 40, align 8 {
    /// Binary of the kernel.
    bin_handle as "binHandle": *mut c_void,
    /// Device word that holds the entry.
    func_entry_addr as "funcEntryAddr": *mut c_void,
    /// Device word that holds the number of blocks.
    block_dim_addr as "blockDimAddr": *mut c_void,
    /// Zero.
    rsv as "rsv": [u32; 4],
}
/// New parameters of a task; which field counts, the id says.
union UpdateTaskAttrVal = "aclrtUpdateTaskAttrVal", size 40, align 8 {
    /// Random numbers.
    random_task_attr as "randomTaskAttr": RandomTaskUpdateAttr,
    /// A kernel.
    aic_aiv_task_attr as "aicAivTaskAttr": AicAivTaskUpdateAttr,
}
/// How a task is updated.
struct TaskUpdateInfo = "aclrtTaskUpdateInfo", size 48, align 8 {
    /// Kind of task.
    id as "id": UpdateTaskAttrId,
    /// New parameters.
    val as "val": UpdateTaskAttrVal,
}
/// Arguments of saving device state.
struct SnapShotBackupArgs = "aclrtSnapShotBackupArgs", size 64, align 4 {
    /// Zero.
    backup_flags as "backupFlags": u32,
    /// Zero.
    reserved as "reserved": [CChar; 60],
}
/// Arguments of restoring device state.
struct SnapShotRestoreArgs = "aclrtSnapShotRestoreArgs", size 64, align 4 {
    /// Zero.
    restore_flags as "restoreFlags": u32,
    /// Zero.
    reserved as "reserved": [CChar; 60],
}
/// How a counter is changed.
struct CntNotifyRecordInfo = "aclrtCntNotifyRecordInfo", size 8, align 4 {
    /// How.
    mode as "mode": CntNotifyRecordMode,
    /// By what.
    value as "value": u32,
}
/// What a wait for a counter waits for.
struct CntNotifyWaitInfo = "aclrtCntNotifyWaitInfo", size 16, align 4 {
    /// Comparison.
    mode as "mode": CntNotifyWaitMode,
    /// What it is compared with.
    value as "value": u32,
    /// Longest wait, seconds; 0: no limit.
    timeout_s as "timeout": u32,
    /// 1: the counter becomes 0 afterwards.
    is_clear as "isClear": u8,
    /// Zero.
    rsv as "rsv": [u8; 3],
}
/// Who may do what with mapped memory.
struct MemAccessDesc = "aclrtMemAccessDesc", size 24, align 4 {
    /// What.
    flags as "flags": MemAccessFlags,
    /// Who.
    location as "location": MemLocation,
    /// Zero.
    rsv as "rsv": [u8; 12],
}
/// Key of an event for another process.
struct IpcEventHandle = "aclrtIpcEventHandle", size 64, align 1 {
    /// Opaque bytes.
    reserved as "reserved": [CChar; 64],
}
/// A conditional task.
struct RiCondTaskParams = "aclmdlRICondTaskParams", size 24, align 8 {
    /// The condition.
    handle as "handle": RiCondHandle,
    /// Kind of task.
    ty as "type": RiCondTaskType,
    /// Number of graphs.
    size as "size": u32,
    /// The graphs; the runtime makes them and writes their handles here.
    model_ri_array as "modelRIArray": *mut RiHandle,
}
/// What a memory pool is made of.
struct MemPoolProps = "aclrtMemPoolProps", size 56, align 8 {
    /// How its memory is allocated.
    alloc_type as "allocType": MemAllocationType,
    /// How it can be exported.
    handle_type as "handleType": MemHandleType,
    /// Where.
    location as "location": MemLocation,
    /// Most bytes; 0: no limit.
    max_size as "maxSize": usize,
    /// Zero.
    reserved as "reserved": [u8; 32],
}
}

macro_rules! acl_opaques {
    ($list:ident: $( $name:ident = $c:literal, $tag:literal, $doc:literal; )*) => {
        $(
            #[doc = concat!($doc, ".")]
            ///
            /// Opaque: made and read by the runtime, used behind a pointer only.
            #[doc(alias = $c)]
            #[repr(C)]
            pub struct $name {
                _opaque: [u8; 0],
            }
            impl CTyped for $name {
                const C: CType = CType::Named($c);
            }
        )*

        /// The opaque structs of `acl_rt.h`: name, tag in C, what they are.
        pub static $list: &[(&str, &str, &str)] = &[$(($c, $tag, $doc)),*];
    };
}

acl_opaques! { RT_OPAQUES:
    UtilizationExtendInfo = "aclrtUtilizationExtendInfo", "aclrtUtilizationExtendInfo", "More about how busy a device is; nothing yet";
    GroupInfo = "aclrtGroupInfo", "tagRtGroupInfo", "The core groups of a device";
    ExceptionInfo = "aclrtExceptionInfo", "rtExceptionInfo", "What a task that failed was";
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

impl CTyped for Dim3 {
    const C: CType = CType::Named("dim3");
}

impl Dim3 {
    /// Layout and names in C.
    pub const LAYOUT: StructLayout = crate::layout_of!(Dim3 as "dim3" { x: u32, y: u32, z: u32 });
}
