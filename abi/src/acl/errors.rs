//! Every error code of the CANN runtime, as one table: number, name, class, meaning, what to do.
//!
//! Numbers and names are those of the public headers `acl_base_rt.h` and `rt_error_codes.h` (runtime 9.1.0); the words
//! are ours. To add a code, add a row.

use crate::layout::{CType, CTyped};
use core::fmt;

/// What kind of trouble a code stands for; decides who has to act.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorClass {
    /// No error.
    Success,
    /// The program asked for something wrong; fix the call.
    Caller,
    /// The request is right but this device, build or call sequence does not offer it.
    Unsupported,
    /// A limited resource (memory, streams, events, permission) ran out or could not be had.
    Resource,
    /// A time limit passed; the work may still be running.
    Timeout,
    /// A kernel or the device failed while it worked; seen at a later synchronisation.
    DeviceFault,
    /// A graph capture or a running graph forbids the call.
    Capture,
    /// The runtime or the driver failed.
    Internal,
    /// A number that this table does not know.
    Unknown,
}

/// One row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ErrorInfo {
    /// The number.
    pub code: AclError,
    /// Name in C, such as `ACL_ERROR_RT_PARAM_INVALID`.
    pub name: &'static str,
    /// Who has to act.
    pub class: ErrorClass,
    /// What happened, in plain words.
    pub meaning: &'static str,
    /// What to do about it.
    pub help: &'static str,
    /// `true`: a typed constant (`static const int`) in C; `false`: a macro.
    pub is_typed_in_c: bool,
}

/// Result of an ACL call: the number as CANN returns it. Zero is success; any other number, known or not, is kept.
#[doc(alias = "aclError")]
#[must_use]
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct AclError(pub i32);

impl AclError {
    /// `ACL_SUCCESS`.
    pub const SUCCESS: Self = Self(0);

    /// The row of the table for this number, if it is known. Zero has none.
    pub fn info(self) -> Option<&'static ErrorInfo> {
        // The table is sorted by number (checked by a test).
        let at = ERRORS.binary_search_by_key(&self.0, |row| row.code.0).ok()?;
        ERRORS.get(at)
    }

    /// `true` for zero.
    pub const fn is_success(self) -> bool {
        self.0 == 0
    }

    /// `Ok(())` for zero, the error itself otherwise.
    pub const fn ok(self) -> Result<(), Self> {
        if self.is_success() { Ok(()) } else { Err(self) }
    }

    /// Name in C; `ACL_SUCCESS` for zero, `unknown ACL error` for a number that is not in the table.
    pub fn name(self) -> &'static str {
        match self.info() {
            Some(row) => row.name,
            None if self.is_success() => "ACL_SUCCESS",
            None => "unknown ACL error",
        }
    }

    /// Who has to act.
    pub fn class(self) -> ErrorClass {
        match self.info() {
            Some(row) => row.class,
            None if self.is_success() => ErrorClass::Success,
            None => ErrorClass::Unknown,
        }
    }

    /// What happened, in plain words.
    pub fn meaning(self) -> &'static str {
        match self.info() {
            Some(row) => row.meaning,
            None if self.is_success() => "no error",
            None => "the runtime returned a number that toprope does not know",
        }
    }

    /// What to do about it.
    pub fn help(self) -> &'static str {
        match self.info() {
            Some(row) => row.help,
            None if self.is_success() => "nothing",
            None => "look the number up in the documentation of the CANN version in use",
        }
    }
}

impl CTyped for AclError {
    const C: CType = CType::Named("aclError");
}

impl fmt::Debug for AclError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({})", self.name(), self.0)
    }
}

impl fmt::Display for AclError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}): {}", self.name(), self.0, self.meaning())
    }
}

impl core::error::Error for AclError {}

macro_rules! error_table {
    ($($typed:literal { $($id:ident = $code:literal $class:ident $meaning:literal, $help:literal;)* })*) => {
        impl AclError {
            $($(
                #[doc = concat!("`ACL_ERROR_", stringify!($id), "`: ", $meaning, ".")]
                pub const $id: Self = Self($code);
            )*)*
        }

        /// Every known code, sorted by number.
        pub static ERRORS: &[ErrorInfo] = &[$($(ErrorInfo {
            code: AclError($code),
            name: concat!("ACL_ERROR_", stringify!($id)),
            class: ErrorClass::$class,
            meaning: $meaning,
            help: $help,
            is_typed_in_c: $typed,
        },)*)*];
    };
}

error_table! {
true {
INVALID_PARAM = 100000 Caller "an argument is not valid, often a null pointer or a size of zero", "check every pointer, size and enum value of the call";
UNINITIALIZE = 100001 Caller "the runtime is not initialised", "call aclInit first";
REPEAT_INITIALIZE = 100002 Caller "aclInit was called again; the earlier initialisation stays in force", "call aclInit once per process, or ignore this code when a library may have called it before";
INVALID_FILE = 100003 Caller "a file cannot be opened or is not a regular file", "check the path and the permissions";
WRITE_FILE = 100004 Resource "a file cannot be written", "check permissions and free space";
INVALID_FILE_SIZE = 100005 Caller "a file is empty or too large", "check that the file is complete";
PARSE_FILE = 100006 Caller "a configuration file is not valid JSON", "correct the JSON; an empty configuration is {}";
FILE_MISSING_ATTR = 100007 Caller "a configuration file lacks a required key", "add the key named in the log";
FILE_ATTR_INVALID = 100008 Caller "a key of a configuration file has a value that is not allowed", "correct the value named in the log";
INVALID_DUMP_CONFIG = 100009 Caller "the dump section of the configuration is wrong", "correct or remove the section";
INVALID_PROFILING_CONFIG = 100010 Caller "the profiling section of the configuration is wrong", "correct or remove the section";
INVALID_MODEL_ID = 100011 Caller "no model has this id", "use the id that loading the model returned";
DESERIALIZE_MODEL = 100012 Caller "a model file cannot be read back", "build the model again with the version of CANN in use";
PARSE_MODEL = 100013 Caller "a model file has a wrong format", "build the model again";
READ_MODEL_FAILURE = 100014 Caller "a model file cannot be read", "check path and permissions";
MODEL_SIZE_INVALID = 100015 Caller "a model file has a size that cannot be right", "check that the file is complete";
MODEL_MISSING_ATTR = 100016 Caller "a model lacks a required attribute", "build the model again";
MODEL_INPUT_NOT_MATCH = 100017 Caller "the inputs given do not fit the model", "compare count, shape and type of the inputs with the model";
MODEL_OUTPUT_NOT_MATCH = 100018 Caller "the outputs given do not fit the model", "compare count, shape and type of the outputs with the model";
MODEL_NOT_DYNAMIC = 100019 Caller "a dynamic shape was set on a model with fixed shapes", "build the model with dynamic shapes or drop the call";
OP_TYPE_NOT_MATCH = 100020 Caller "the operator type does not fit", "check the operator name";
OP_INPUT_NOT_MATCH = 100021 Caller "the inputs do not fit the operator", "compare the inputs with the operator's description";
OP_OUTPUT_NOT_MATCH = 100022 Caller "the outputs do not fit the operator", "compare the outputs with the operator's description";
OP_ATTR_NOT_MATCH = 100023 Caller "the attributes do not fit the operator", "compare the attributes with the operator's description";
OP_NOT_FOUND = 100024 Caller "no such operator", "check the name and that its package is installed";
OP_LOAD_FAILED = 100025 Caller "an operator cannot be loaded", "check the operator's file";
UNSUPPORTED_DATA_TYPE = 100026 Unsupported "the data type is not supported here", "use another data type";
FORMAT_NOT_MATCH = 100027 Caller "the data format does not fit", "convert the data or change the format";
BIN_SELECTOR_NOT_REGISTERED = 100028 Caller "no selector is registered for the kernel binary", "register the selector first";
KERNEL_NOT_FOUND = 100029 Caller "no kernel with this name is registered", "check the spelling and that its binary was loaded";
BIN_SELECTOR_ALREADY_REGISTERED = 100030 Caller "a selector is registered already", "register it once";
KERNEL_ALREADY_REGISTERED = 100031 Caller "a kernel with this name is registered already", "register it once";
INVALID_QUEUE_ID = 100032 Caller "no queue has this id", "use the id that creating the queue returned";
REPEAT_SUBSCRIBE = 100033 Caller "the stream is subscribed already", "subscribe each stream once";
STREAM_NOT_SUBSCRIBE = 100034 Caller "the stream is not subscribed", "call aclrtSubscribeReport first";
THREAD_NOT_SUBSCRIBE = 100035 Caller "the thread is not subscribed", "call aclrtSubscribeReport for this thread first";
WAIT_CALLBACK_TIMEOUT = 100036 Timeout "no callback arrived in time", "call again or wait longer";
REPEAT_FINALIZE = 100037 Caller "aclFinalize was called again", "call aclFinalize once";
NOT_STATIC_AIPP = 100038 Caller "the model has no fixed image preprocessing", "use the dynamic form";
COMPILING_STUB_MODE = 100039 Caller "the program runs against a stub library that is only meant for linking", "put the real library first in LD_LIBRARY_PATH";
GROUP_NOT_SET = 100040 Caller "no group is selected", "call aclrtSetGroup first";
GROUP_NOT_CREATE = 100041 Caller "the group does not exist", "create the group first";
PROF_ALREADY_RUN = 100042 Caller "profiling runs already", "stop it first";
PROF_NOT_RUN = 100043 Caller "profiling does not run", "start it first";
DUMP_ALREADY_RUN = 100044 Caller "a dump runs already", "stop it first";
DUMP_NOT_RUN = 100045 Caller "no dump runs", "start it first";
}
false {
RT_PARAM_INVALID = 107000 Caller "an argument is outside what the call accepts", "read the last error message: it names the argument and its range";
RT_INVALID_DEVICEID = 107001 Caller "no device has this id", "ids run from 0 to the result of aclrtGetDeviceCount minus 1; ASCEND_RT_VISIBLE_DEVICES renumbers them";
RT_CONTEXT_NULL = 107002 Caller "no device is selected in this thread", "call aclrtSetDevice or aclrtSetCurrentContext in every thread that uses the device";
RT_STREAM_CONTEXT = 107003 Caller "the stream belongs to another context than the current one", "select the context in which the stream was created";
RT_MODEL_CONTEXT = 107004 Caller "the graph belongs to another context than the current one", "select the context in which the graph was made";
RT_STREAM_MODEL = 107005 Caller "the stream does not belong to this graph", "bind the stream to the graph first";
RT_EVENT_TIMESTAMP_INVALID = 107006 Caller "an event has no timestamp", "create the event with ACL_EVENT_TIME_LINE and record it first";
RT_EVENT_TIMESTAMP_REVERSAL = 107007 Caller "the end event is older than the start event", "swap the events or record them in order";
RT_ADDR_UNALIGNED = 107008 Caller "an address does not have the alignment the call needs", "align the address";
RT_FILE_OPEN = 107009 Caller "a file cannot be opened", "check the path and the permissions";
RT_FILE_WRITE = 107010 Resource "a file cannot be written", "check permissions and free space";
RT_STREAM_SUBSCRIBE = 107011 Caller "the stream is subscribed already or cannot be", "subscribe each stream once";
RT_THREAD_SUBSCRIBE = 107012 Caller "the thread is not subscribed, or subscribed twice", "call aclrtSubscribeReport once per thread and stream";
RT_GROUP_NOT_SET = 107013 Caller "no group is selected", "call aclrtSetGroup first";
RT_GROUP_NOT_CREATE = 107014 Caller "the group does not exist", "create the group first";
RT_STREAM_NO_CB_REG = 107015 Caller "nobody processes callbacks of this stream", "call aclrtSubscribeReport before aclrtLaunchCallback";
RT_INVALID_MEMORY_TYPE = 107016 Caller "this kind of memory cannot be used here", "check whether the pointer is host or device memory";
RT_INVALID_HANDLE = 107017 Caller "a handle is null, was destroyed or was never created", "use the handle only between its creation and its destruction";
RT_INVALID_MALLOC_TYPE = 107018 Caller "the memory policy is not known", "use a value of aclrtMemMallocPolicy";
RT_WAIT_TIMEOUT = 107019 Timeout "a wait on the device passed its time limit", "find out what never signals, or raise the limit";
RT_TASK_TIMEOUT = 107020 Timeout "a task on the device passed its time limit", "look for an endless loop or a missing flag in the kernel, or raise the limit";
RT_SYSPARAMOPT_NOT_SET = 107021 Caller "the option has not been set", "set the option before reading it";
RT_DEVICE_TASK_ABORT = 107022 DeviceFault "tasks of the device are being aborted", "wait for the abort to finish";
RT_STREAM_ABORT = 107023 DeviceFault "the stream was aborted", "destroy the stream or submit its work again";
RT_CAPTURE_DEPENDENCY = 107024 Capture "captured work depends on work outside the capture", "record and wait events inside the capture";
RT_STREAM_UNJOINED = 107025 Capture "a stream that joined the capture was not joined back", "make the first stream wait for an event of every other stream before the capture ends";
RT_MODEL_CAPTURED = 107026 Capture "the graph is being captured", "end the capture first";
RT_STREAM_CAPTURED = 107027 Capture "the stream is being captured; it cannot be synchronised or queried", "end the capture first";
RT_EVENT_CAPTURED = 107028 Capture "the event belongs to a capture", "use another event or end the capture first";
RT_STREAM_NOT_CAPTURED = 107029 Capture "the stream is not being captured", "begin the capture first";
RT_CAPTURE_MODE_NOT_SUPPORT = 107030 Capture "the call is forbidden while this thread captures", "move the call out of the capture or capture in relaxed mode";
RT_STREAM_CAPTURE_IMPLICIT = 107031 Capture "the default stream cannot take part in a capture", "use a stream you created";
}
false {
STREAM_CAPTURE_CONFLICT = 107032 Capture "two captures would depend on each other", "capture independent streams";
STREAM_TASK_GROUP_STATUS = 107033 Capture "the task group is in a state that forbids the call", "pair every begin with one end";
STREAM_TASK_GROUP_INTR = 107034 Capture "the task group was interrupted", "begin the task group again";
}
false {
RT_TASK_ABORT_STOP = 107035 DeviceFault "an abort stopped the tasks before their clean-up", "reset the device";
RT_STREAM_CAPTURE_UNMATCHED = 107036 Capture "the capture was begun on another stream", "end the capture on the stream that began it";
RT_MODEL_RUNNING = 107037 Capture "the graph is still running", "synchronise its stream first";
RT_STREAM_CAPTURE_WRONG_THREAD = 107038 Capture "the capture was begun by another thread", "end the capture in the thread that began it, or capture in relaxed mode";
RT_INSUFFICIENT_INPUT_ARRAY = 107039 Caller "the array given is too small for the answer", "ask for the count first, then give an array of that size";
RT_MODEL_UPDATE_FAILED = 107040 Capture "the graph cannot be updated", "check that the update keeps the shape of the graph";
RT_CAPTURE_MODE_BLOCK_ASYNC = 107041 Capture "an asynchronous copy would have to block during a capture", "use pinned host memory (aclrtMallocHost)";
RT_SYMBOL_NOT_FOUND = 107042 Caller "no device symbol has this name", "check the spelling and that its binary was loaded";
RT_INVALID_SYMBOL = 107043 Caller "the pointer is not a device symbol", "pass the address of the symbol itself";
RT_INVALID_DEVICE_FUNCTION = 107044 Caller "the pointer is not a device function", "pass a function handle or the symbol of a kernel";
RT_SUB_ACLGRAPH_IS_CAPTURING = 107045 Capture "a graph inside this graph is still being captured", "end the inner capture first";
}
true {
PROF_REPEAT_SUBSCRIBE = 148046 Caller "profiling of this model is subscribed already", "subscribe once";
PROF_API_CONFLICT = 148047 Caller "two ways of profiling were mixed", "use one of them";
INVALID_MAX_OPQUEUE_NUM_CONFIG = 148048 Caller "max_opqueue_num of the configuration is wrong", "give a positive number";
INVALID_OPP_PATH = 148049 Caller "ASCEND_OPP_PATH does not lead to operators", "correct the variable";
OP_UNSUPPORTED_DYNAMIC = 148050 Unsupported "the operator has no dynamic shapes", "use fixed shapes";
RELATIVE_RESOURCE_NOT_CLEARED = 148051 Caller "something still uses the resource", "release what uses it first";
UNSUPPORTED_JPEG = 148052 Unsupported "this JPEG coding is not supported", "convert the picture";
INVALID_BUNDLE_MODEL_ID = 148053 Caller "no model bundle has this id", "use the id that loading the bundle returned";
BAD_ALLOC = 200000 Resource "host memory ran out", "free memory or ask for less";
API_NOT_SUPPORT = 200001 Unsupported "this function is not offered here", "use another function or another device";
INVALID_DEVICE = 200002 Resource "the device cannot be used", "check the device and the driver";
MEMORY_ADDRESS_UNALIGNED = 200003 Caller "an address does not have the alignment the call needs", "align the address";
RESOURCE_NOT_MATCH = 200004 Caller "the resource belongs to something else", "use it where it was created";
INVALID_RESOURCE_HANDLE = 200005 Caller "a handle is null, was destroyed or was never created", "use the handle only between its creation and its destruction";
FEATURE_UNSUPPORTED = 200006 Unsupported "this feature is not offered here", "do without it or use another device";
PROF_MODULES_UNSUPPORTED = 200007 Unsupported "profiling does not know this module", "choose another module";
}
false {
RT_FEATURE_NOT_SUPPORT = 207000 Unsupported "this feature is not offered by the device or the runtime", "read the last error message for what is missing and what to use instead";
RT_MEMORY_ALLOCATION = 207001 Resource "memory ran out", "free memory, ask for less, or use smaller pages";
RT_MEMORY_FREE = 207002 Caller "memory cannot be freed: the pointer is not the start of a live allocation", "free each pointer once, with the function that fits how it was allocated";
RT_AICORE_OVER_FLOW = 207003 DeviceFault "a computation on an AI Core overflowed", "look for the operator that produced Inf or NaN";
RT_NO_DEVICE = 207004 Resource "there is no usable device", "check driver and ASCEND_RT_VISIBLE_DEVICES";
RT_RESOURCE_ALLOC_FAIL = 207005 Resource "a device resource ran out", "destroy streams, events or contexts that are no longer used";
RT_NO_PERMISSION = 207006 Resource "the permission is missing", "check the user's groups and the device's rights";
RT_NO_EVENT_RESOURCE = 207007 Resource "the device has no free events", "destroy events that are no longer used";
RT_NO_STREAM_RESOURCE = 207008 Resource "the device has no free streams", "destroy streams that are no longer used";
RT_NO_NOTIFY_RESOURCE = 207009 Resource "the device has no free notifies", "destroy notifies that are no longer used";
RT_NO_MODEL_RESOURCE = 207010 Resource "the device has no free graphs", "destroy graphs that are no longer used";
RT_NO_CDQ_RESOURCE = 207011 Resource "the device has no free queues", "destroy queues that are no longer used";
RT_OVER_LIMIT = 207012 Resource "a limit of the device is reached", "read the last error message for the limit";
RT_QUEUE_EMPTY = 207013 Resource "the queue is empty", "try again later";
RT_QUEUE_FULL = 207014 Resource "the queue is full", "take something out first";
RT_REPEATED_INIT = 207015 Caller "initialised twice", "initialise once";
RT_AIVEC_OVER_FLOW = 207016 DeviceFault "a computation on a vector core overflowed", "look for the operator that produced Inf or NaN";
RT_OVER_FLOW = 207017 DeviceFault "a computation overflowed", "look for the operator that produced Inf or NaN";
RT_DEVICE_OOM = 207018 Resource "device memory ran out", "free memory or ask for less";
RT_FEATURE_NOT_SUPPORT_UPDATE_OP = 207019 Unsupported "this task of a graph cannot be updated", "build the graph again";
RT_TIMEOUT = 207020 Timeout "the driver did not answer in time", "check the device; reset it if this stays";
RT_LINK_TYPE_NOT_SUPPORTED = 207021 Unsupported "this kind of link between devices is not supported", "use another link";
}
true {
STORAGE_OVER_LIMIT = 300000 Resource "storage is full", "free storage";
INTERNAL_ERROR = 500000 Internal "the ACL layer failed", "read the log; report it if the program is right";
FAILURE = 500001 Internal "the ACL layer failed, often on a wrong configuration value", "read the log";
GE_FAILURE = 500002 Internal "the graph engine failed", "read the log";
RT_FAILURE = 500003 Internal "the runtime failed", "read the log";
DRV_FAILURE = 500004 Internal "the driver failed", "check driver and device";
PROFILING_FAILURE = 500005 Internal "profiling failed", "read the log";
}
false {
RT_INTERNAL_ERROR = 507000 Internal "the runtime failed, or an event was used before it was recorded", "read the last error message; report it if the program is right";
RT_TS_ERROR = 507001 Internal "the task scheduler failed", "reset the device";
RT_STREAM_TASK_FULL = 507002 Resource "the stream holds as many tasks as it can", "synchronise the stream";
RT_STREAM_TASK_EMPTY = 507003 Internal "the stream holds no task", "submit work first";
RT_STREAM_NOT_COMPLETE = 507004 Internal "the stream is not finished", "synchronise the stream";
RT_END_OF_SEQUENCE = 507005 Internal "the data ended", "no action needed: this is the end";
RT_EVENT_NOT_COMPLETE = 507006 Caller "the event has not happened yet", "synchronise the event first";
RT_CONTEXT_RELEASE_ERROR = 507007 Caller "a context or device was released that is not in use", "pair every aclrtSetDevice with one aclrtResetDevice";
RT_SOC_VERSION = 507008 Caller "the binary was built for another chip", "build it for the chip that aclrtGetSocName reports";
RT_TASK_TYPE_NOT_SUPPORT = 507009 Unsupported "the device does not know this kind of task", "do without it";
RT_LOST_HEARTBEAT = 507010 Internal "the device no longer answers", "reset the device";
RT_MODEL_EXECUTE = 507011 DeviceFault "a graph failed while it ran", "run its kernels one by one to find the faulty one";
RT_REPORT_TIMEOUT = 507012 Timeout "no callback was reported in time", "call again or wait longer";
RT_SYS_DMA = 507013 DeviceFault "a copy engine failed", "check addresses and sizes of the copies";
RT_AICORE_TIMEOUT = 507014 Timeout "a kernel on a cube or mixed core ran longer than its time limit", "look for an endless loop or a flag that is never set; the finding names what it waits for";
RT_AICORE_EXCEPTION = 507015 DeviceFault "a kernel on a cube or mixed core did something the hardware refuses", "read the finding: it names kernel, block and source line";
RT_AICORE_TRAP_EXCEPTION = 507016 DeviceFault "a kernel on a cube or mixed core ran into a trap or a failed assert", "read the finding or the kernel's own message";
RT_AICPU_TIMEOUT = 507017 Timeout "an AI CPU kernel ran longer than its time limit", "look for an endless loop";
RT_AICPU_EXCEPTION = 507018 DeviceFault "an AI CPU kernel failed", "read the log of the AI CPU";
RT_AICPU_DATADUMP_RSP_ERR = 507019 Internal "the AI CPU answered a dump request with an error", "read the log";
RT_AICPU_MODEL_RSP_ERR = 507020 Internal "the AI CPU answered a graph request with an error", "read the log";
RT_PROFILING_ERROR = 507021 Internal "profiling failed", "read the log";
RT_IPC_ERROR = 507022 Internal "sharing between processes failed", "check that the other process still runs and that its key is right";
RT_MODEL_ABORT_NORMAL = 507023 DeviceFault "the graph was aborted on request", "no action needed if the abort was wanted";
RT_KERNEL_UNREGISTERING = 507024 Caller "the kernel's binary is being unloaded", "finish the launches before unloading";
RT_RINGBUFFER_NOT_INIT = 507025 Internal "the ring buffer is not set up", "report it";
RT_RINGBUFFER_NO_DATA = 507026 Internal "the ring buffer is empty", "try again later";
RT_KERNEL_LOOKUP = 507027 Caller "the kernel is not in the loaded binaries", "load the binary that holds it";
RT_KERNEL_DUPLICATE = 507028 Caller "two loaded kernels have the same key", "give them different names";
RT_DEBUG_REGISTER_FAIL = 507029 Internal "debugging cannot be switched on", "read the log";
RT_DEBUG_UNREGISTER_FAIL = 507030 Internal "debugging cannot be switched off", "read the log";
RT_LABEL_CONTEXT = 507031 Caller "the label belongs to another context than the current one", "select the context in which the label was created";
RT_PROGRAM_USE_OUT = 507032 Resource "too many binaries are loaded", "unload binaries that are no longer used";
RT_DEV_SETUP_ERROR = 507033 Internal "the device cannot be opened", "check the driver, the container's devices and ASCEND_RT_VISIBLE_DEVICES";
RT_VECTOR_CORE_TIMEOUT = 507034 Timeout "a kernel on a vector core ran longer than its time limit", "look for an endless loop or a flag that is never set; the finding names what it waits for";
RT_VECTOR_CORE_EXCEPTION = 507035 DeviceFault "a kernel on a vector core did something the hardware refuses", "read the finding: it names kernel, block and source line";
RT_VECTOR_CORE_TRAP_EXCEPTION = 507036 DeviceFault "a kernel on a vector core ran into a trap or a failed assert", "read the finding or the kernel's own message";
RT_CDQ_BATCH_ABNORMAL = 507037 Internal "a batch of the device queue failed", "report it";
RT_DIE_MODE_CHANGE_ERROR = 507038 Caller "the die mode cannot be changed any more", "set it before first use";
RT_DIE_SET_ERROR = 507039 Caller "a die cannot be chosen in this mode", "choose the mode first";
RT_INVALID_DIEID = 507040 Caller "no die has this id", "use an id the device has";
RT_DIE_MODE_NOT_SET = 507041 Caller "the die mode is not set", "set it first";
RT_AICORE_TRAP_READ_OVERFLOW = 507042 DeviceFault "a cube core read beyond its buffers", "check offsets and lengths of the reads";
RT_AICORE_TRAP_WRITE_OVERFLOW = 507043 DeviceFault "a cube core wrote beyond its buffers", "check offsets and lengths of the writes";
RT_VECTOR_CORE_TRAP_READ_OVERFLOW = 507044 DeviceFault "a vector core read beyond its buffers", "check offsets and lengths of the reads";
RT_VECTOR_CORE_TRAP_WRITE_OVERFLOW = 507045 DeviceFault "a vector core wrote beyond its buffers", "check offsets and lengths of the writes";
RT_STREAM_SYNC_TIMEOUT = 507046 Timeout "the stream or device did not finish in the time given; its work goes on", "wait longer, or look for what hangs";
RT_EVENT_SYNC_TIMEOUT = 507047 Timeout "the event did not happen in the time given", "wait longer, or look for what hangs";
RT_FFTS_PLUS_TIMEOUT = 507048 Timeout "a task group ran longer than its time limit", "look for an endless loop or a missing flag in its kernels";
RT_FFTS_PLUS_EXCEPTION = 507049 DeviceFault "a task group failed", "run its kernels one by one";
RT_FFTS_PLUS_TRAP_EXCEPTION = 507050 DeviceFault "a task group ran into a trap", "run its kernels one by one";
RT_SEND_MSG = 507051 Internal "a message to the device was lost", "check the device";
RT_COPY_DATA = 507052 Internal "data could not be copied", "check addresses and sizes";
RT_DEVICE_MEM_ERROR = 507053 DeviceFault "device memory failed or an illegal address was used", "check the addresses; if they are right, reset the device";
RT_HBM_MULTI_BIT_ECC_ERROR = 507054 DeviceFault "device memory has an error that cannot be corrected", "reset the device; replace it if this stays";
RT_SUSPECT_DEVICE_MEM_ERROR = 507055 DeviceFault "device memory may be damaged", "run the vendor's diagnosis";
RT_LINK_ERROR = 507056 DeviceFault "a link between devices failed", "check the link";
RT_SUSPECT_REMOTE_ERROR = 507057 DeviceFault "the other device may have failed", "check the other device";
RT_DRV_INTERNAL_ERROR = 507899 Internal "the driver failed, often because it was called after the device was closed", "make no call after aclFinalize or the reset of the device";
RT_AICPU_INTERNAL_ERROR = 507900 Internal "the AI CPU failed", "read the log";
RT_SOCKET_CLOSE = 507901 Internal "the connection to the device closed", "check the device";
RT_AICPU_INFO_LOAD_RSP_ERR = 507902 Internal "the AI CPU could not load a description", "read the log";
RT_STREAM_CAPTURE_INVALIDATED = 507903 Capture "the capture became invalid through an earlier error", "find the first error, end the capture and begin again";
RT_COMM_OP_RETRY_FAIL = 507904 DeviceFault "a collective operation failed after retries", "check links and the other devices";
}
false {
SNAPSHOT_LOCK_TIMEOUT = 507905 Timeout "the process could not be locked for a snapshot in time", "finish its work first";
SNAPSHOT_LOCK_FAILED = 507906 Internal "the process could not be locked for a snapshot", "read the log";
SNAPSHOT_UNLOCK_FAILED = 507907 Internal "the process could not be unlocked after a snapshot", "read the log";
SNAPSHOT_BACKUP_FAILED = 507908 Internal "a snapshot could not be saved", "read the log";
SNAPSHOT_RESTORE_FAILED = 507909 Internal "a snapshot could not be restored", "read the log";
HOST_MEMORY_ALREADY_REGISTERED = 507910 Caller "this host memory is registered already", "register each range once";
HOST_MEMORY_NOT_REGISTERED = 507911 Caller "this host memory is not registered", "register it first";
SNAPSHOT_CALLBACK_FAILED = 507912 Internal "a snapshot callback failed", "check the callback";
SNAPSHOT_REGISTER_CALLBACK_FAILED = 507913 Internal "a snapshot callback could not be registered", "check the callback";
}
false {
RT_L3_PORT_ERROR = 507914 DeviceFault "a port of the third network level failed", "check the link";
RT_CCU_TIMEOUT = 507915 Timeout "the collective unit did not finish in time", "check links and the other devices";
RT_CCU_EXCEPTION = 507916 DeviceFault "the collective unit failed", "check links and the other devices";
}
}
