//! The functions of the ACL ABI: one row each, from which everything else is made.
//!
//! A row is `tier group header fn name(args) -> result;` with its documentation. Argument names are those of the public
//! headers. The rows are handed to a macro of yours, so whoever needs code per function writes it once:
//!
//! ```
//! use toprope_abi::acl::sig::*;
//! macro_rules! count {
//!     ($( $(#[doc = $doc:literal])+ $tier:ident $group:literal $header:ident
//!         fn $name:ident($($arg:ident: $ty:ty),*) -> $ret:ty; )*) => { [$(stringify!($name)),*].len() };
//! }
//! assert_eq!(toprope_abi::for_each_acl_fn!(count), toprope_abi::acl::FUNCTIONS.len());
//! ```
//!
//! The same rows make [`AclApi`](crate::acl::AclApi) (a table of pointers), the exported symbols of `libascendcl.so`,
//! loading by name in `host`, and the C prototypes. To add a function, add a row (and its types, if new).
//!
//! Not here: `aclAppLog`, which takes a variable argument list.

/// Calls the macro `$cb` with all rows; `use toprope_abi::acl::sig::*` must be in scope where the expansion names types.
/// See the [module](crate::acl::functions) for the shape of a row.
#[macro_export]
macro_rules! for_each_acl_fn {
    ($cb:ident) => { $cb! {
// ---- tier T0: what almost every program needs -------------------------------------------------------------------
/// Initialises the runtime with a JSON file, or with defaults if `configPath` is null. A second call answers 100002.
T0 "02 init and finalize" AclRt fn aclInit(configPath: *const CChar) -> AclError;
/// Ends what `aclInit` began; no other call may follow. A second call answers 100037.
T0 "02 init and finalize" AclRt fn aclFinalize() -> AclError;
/// Selects a device for the calling thread and makes its default context and stream if there is none yet.
T0 "04 device" AclRt fn aclrtSetDevice(deviceId: i32) -> AclError;
/// Gives one `aclrtSetDevice` back; at the last one the device's resources are freed.
T0 "04 device" AclRt fn aclrtResetDevice(deviceId: i32) -> AclError;
/// Frees the device's resources at once, however often it was selected.
T0 "04 device" AclRt fn aclrtResetDeviceForce(deviceId: i32) -> AclError;
/// The device selected in the calling thread; 107002 if there is none.
T0 "04 device" AclRt fn aclrtGetDevice(deviceId: *mut i32) -> AclError;
/// Number of devices this process may use.
T0 "04 device" AclRt fn aclrtGetDeviceCount(count: *mut u32) -> AclError;
/// Name of the chip, such as `Ascend910B1`; null if there is no device. The text is static.
T0 "04 device" AclBaseRt fn aclrtGetSocName() -> *const CChar;
/// Waits until all streams of the current device are empty and reports what failed.
T0 "04 device" AclRt fn aclrtSynchronizeDevice() -> AclError;
/// Makes a context with its own default stream on a device and selects it.
T0 "05 context" AclRt fn aclrtCreateContext(context: *mut ContextHandle, deviceId: i32) -> AclError;
/// Destroys a context made by `aclrtCreateContext`.
T0 "05 context" AclRt fn aclrtDestroyContext(context: ContextHandle) -> AclError;
/// Selects a context, and with it its device, for the calling thread.
T0 "05 context" AclRt fn aclrtSetCurrentContext(context: ContextHandle) -> AclError;
/// The context selected in the calling thread.
T0 "05 context" AclRt fn aclrtGetCurrentContext(context: *mut ContextHandle) -> AclError;
/// Makes a stream in the current context.
T0 "06 stream" AclRt fn aclrtCreateStream(stream: *mut StreamHandle) -> AclError;
/// Waits for the stream's work, then destroys it.
T0 "06 stream" AclRt fn aclrtDestroyStream(stream: StreamHandle) -> AclError;
/// Drops the stream's waiting work and destroys it.
T0 "06 stream" AclRt fn aclrtDestroyStreamForce(stream: StreamHandle) -> AclError;
/// Waits until the stream is empty and reports what failed in it.
T0 "06 stream" AclRt fn aclrtSynchronizeStream(stream: StreamHandle) -> AclError;
/// Allocates device memory; contents are undefined. A size of 0 answers 100000.
T0 "11-01 device memory" AclRt fn aclrtMalloc(devPtr: *mut *mut c_void, size: usize, policy: MemMallocPolicy) -> AclError;
/// Frees device memory at once; the caller makes sure that nothing uses it any more.
T0 "11-01 device memory" AclRt fn aclrtFree(devPtr: *mut c_void) -> AclError;
/// Allocates pinned host memory, which asynchronous copies need.
T0 "11-02 host memory" AclRt fn aclrtMallocHost(hostPtr: *mut *mut c_void, size: usize) -> AclError;
/// Frees memory of `aclrtMallocHost`.
T0 "11-02 host memory" AclRt fn aclrtFreeHost(hostPtr: *mut c_void) -> AclError;
/// Copies and returns when done; does not wait for streams. `destMax` is the room at `dst`.
T0 "11-03 copy and set" AclRt fn aclrtMemcpy(dst: *mut c_void, destMax: usize, src: *const c_void, count: usize, kind: MemcpyKind) -> AclError;
/// Sets `count` bytes to the low byte of `value` and returns when done.
T0 "11-03 copy and set" AclRt fn aclrtMemset(devPtr: *mut c_void, maxCount: usize, value: i32, count: usize) -> AclError;
/// Takes the newest error message of the calling thread; null if there is none. Valid until the next call.
T0 "13 errors" AclRt fn aclGetRecentErrMsg() -> *const CChar;
// ---- tier T1: asynchronous copies, events, queries, helpers ------------------------------------------------------
/// Numbers of the runtime's interface version.
T1 "24 other" AclRt fn aclrtGetVersion(majorVersion: *mut i32, minorVersion: *mut i32, patchVersion: *mut i32) -> AclError;
/// Version of a package as text parts; old query.
T1 "24 other" AclRt fn aclsysGetCANNVersion(name: CannPackageName, version: *mut CannPackageVersion) -> AclError;
/// Version of a package as text; `versionStr` has room for 128 bytes.
T1 "24 other" AclRt fn aclsysGetVersionStr(pkgName: *mut CChar, versionStr: *mut CChar) -> AclError;
/// Version of a package as a number that grows with it.
T1 "24 other" AclRt fn aclsysGetVersionNum(pkgName: *mut CChar, versionNum: *mut i32) -> AclError;
/// Half float to float; infinity becomes 65536, NaN 98304.
T1 "24 other" AclBaseRt fn aclFloat16ToFloat(value: Float16) -> f32;
/// Float to half float; NaN and what is too large become the largest half float of that sign.
T1 "24 other" AclBaseRt fn aclFloatToFloat16(value: f32) -> Float16;
/// Size of one element, bytes; 0 for types smaller than a byte or unknown.
T1 "24 other" AclBaseRt fn aclDataTypeSize(dataType: DataType) -> usize;
/// Makes an address-and-size object; owns nothing. Null if memory ran out.
T1 "25-03 data buffer" AclBaseRt fn aclCreateDataBuffer(data: *mut c_void, size: usize) -> *mut DataBuffer;
/// Destroys the object, not the memory it names.
T1 "25-03 data buffer" AclBaseRt fn aclDestroyDataBuffer(dataBuffer: *const DataBuffer) -> AclError;
/// Names other memory.
T1 "25-03 data buffer" AclBaseRt fn aclUpdateDataBuffer(dataBuffer: *mut DataBuffer, data: *mut c_void, size: usize) -> AclError;
/// The address; null for a null object.
T1 "25-03 data buffer" AclBaseRt fn aclGetDataBufferAddr(dataBuffer: *const DataBuffer) -> *mut c_void;
/// The size cut to 32 bits; old form of `aclGetDataBufferSizeV2`.
T1 "25-03 data buffer" AclBaseRt fn aclGetDataBufferSize(dataBuffer: *const DataBuffer) -> u32;
/// The size, bytes; 0 for a null object.
T1 "25-03 data buffer" AclBaseRt fn aclGetDataBufferSizeV2(dataBuffer: *const DataBuffer) -> usize;
/// Last error of the calling thread; it stays.
T1 "13 errors" AclRt fn aclrtPeekAtLastError(level: LastErrLevel) -> AclError;
/// Last error of the calling thread; it is cleared.
T1 "13 errors" AclRt fn aclrtGetLastError(level: LastErrLevel) -> AclError;
/// Whether the program runs on the host or on the device.
T1 "04 device" AclRt fn aclrtGetRunMode(runMode: *mut RunMode) -> AclError;
/// One number of a device.
T1 "04 device" AclRt fn aclrtGetDeviceInfo(deviceId: u32, attr: DevAttr, value: *mut i64) -> AclError;
/// As `aclrtSynchronizeDevice`, for at most `timeout` ms (-1: no limit); then 507046.
T1 "04 device" AclRt fn aclrtSynchronizeDeviceWithTimeout(timeout: i32) -> AclError;
/// Free and total device memory, bytes.
T1 "11-01 device memory" AclRt fn aclrtGetMemInfo(attr: MemAttr, free: *mut usize, total: *mut usize) -> AclError;
/// Copies in stream order. Host memory has to be pinned for this not to block.
T1 "11-03 copy and set" AclRt fn aclrtMemcpyAsync(dst: *mut c_void, destMax: usize, src: *const c_void, count: usize, kind: MemcpyKind, stream: StreamHandle) -> AclError;
/// Sets bytes in stream order.
T1 "11-03 copy and set" AclRt fn aclrtMemsetAsync(devPtr: *mut c_void, maxCount: usize, value: i32, count: usize, stream: StreamHandle) -> AclError;
/// Makes a stream with a priority (0 highest to 7 lowest) and `ACL_STREAM_*` flags.
T1 "06 stream" AclRt fn aclrtCreateStreamWithConfig(stream: *mut StreamHandle, priority: u32, flag: u32) -> AclError;
/// As `aclrtSynchronizeStream`, for at most `timeout` ms (-1: no limit); then 507046 and the work goes on.
T1 "06 stream" AclRt fn aclrtSynchronizeStreamWithTimeout(stream: StreamHandle, timeout: i32) -> AclError;
/// Whether the stream is empty; never waits.
T1 "06 stream" AclRt fn aclrtStreamQuery(stream: StreamHandle, status: *mut StreamStatus) -> AclError;
/// What happens after a fault: `ACL_CONTINUE_ON_FAILURE` or `ACL_STOP_ON_FAILURE` (no way back).
T1 "06 stream" AclRt fn aclrtSetStreamFailureMode(stream: StreamHandle, mode: u64) -> AclError;
/// Makes an event for synchronisation, progress and timing.
T1 "07 event" AclRt fn aclrtCreateEvent(event: *mut EventHandle) -> AclError;
/// Makes an event that holds a device resource from now on, with `ACL_EVENT_*` flags.
T1 "07 event" AclRt fn aclrtCreateEventWithFlag(event: *mut EventHandle, flag: u32) -> AclError;
/// Makes an event that takes its device resource when it is recorded, with `ACL_EVENT_*` flags.
T1 "07 event" AclRt fn aclrtCreateEventExWithFlag(event: *mut EventHandle, flag: u32) -> AclError;
/// Destroys an event; never waits.
T1 "07 event" AclRt fn aclrtDestroyEvent(event: EventHandle) -> AclError;
/// Marks this place of the stream; the event happens when the stream gets there.
T1 "07 event" AclRt fn aclrtRecordEvent(event: EventHandle, stream: StreamHandle) -> AclError;
/// Makes an event of `aclrtCreateEventWithFlag` usable again, in stream order.
T1 "07 event" AclRt fn aclrtResetEvent(event: EventHandle, stream: StreamHandle) -> AclError;
/// Old query: complete is 0.
T1 "07 event" AclRt fn aclrtQueryEvent(event: EventHandle, status: *mut EventStatus) -> AclError;
/// Whether the event happened: complete is 1.
T1 "07 event" AclRt fn aclrtQueryEventStatus(event: EventHandle, status: *mut EventRecordedStatus) -> AclError;
/// Whether all waits for the event are over: complete is 0.
T1 "07 event" AclRt fn aclrtQueryEventWaitStatus(event: EventHandle, status: *mut EventWaitStatus) -> AclError;
/// Waits on the host until the event happened.
T1 "07 event" AclRt fn aclrtSynchronizeEvent(event: EventHandle) -> AclError;
/// The same for at most `timeout` ms (-1: no limit); then 507047.
T1 "07 event" AclRt fn aclrtSynchronizeEventWithTimeout(event: EventHandle, timeout: i32) -> AclError;
/// Milliseconds of device time between two events that happened.
T1 "07 event" AclRt fn aclrtEventElapsedTime(ms: *mut f32, startEvent: EventHandle, endEvent: EventHandle) -> AclError;
/// Device time at which the event happened, microseconds.
T1 "07 event" AclRt fn aclrtEventGetTimestamp(event: EventHandle, timestamp: *mut u64) -> AclError;
/// Lets the stream wait for the event.
T1 "07 event" AclRt fn aclrtStreamWaitEvent(stream: StreamHandle, event: EventHandle) -> AclError;
/// The same for at most `timeout` seconds (0: no limit).
T1 "07 event" AclRt fn aclrtStreamWaitEventWithTimeout(stream: StreamHandle, event: EventHandle, timeout: i32) -> AclError;
// ---- tier T2, the part that launching needs ----------------------------------------------------------------------
/// Loads a kernel binary from a file; `options` may be null.
T2 "14 kernels" AclRt fn aclrtBinaryLoadFromFile(binPath: *const CChar, options: *mut BinaryLoadOptions, binHandle: *mut BinHandle) -> AclError;
/// Loads a kernel binary from memory; `options` may be null.
T2 "14 kernels" AclRt fn aclrtBinaryLoadFromData(data: *const c_void, length: usize, options: *const BinaryLoadOptions, binHandle: *mut BinHandle) -> AclError;
/// Unloads a binary; its kernels must not be launched any more.
T2 "14 kernels" AclRt fn aclrtBinaryUnLoad(binHandle: BinHandle) -> AclError;
/// Finds a kernel by name.
T2 "14 kernels" AclRt fn aclrtBinaryGetFunction(binHandle: BinHandle, kernelName: *const CChar, funcHandle: *mut FuncHandle) -> AclError;
/// Finds a kernel by its entry number (tiling key).
T2 "14 kernels" AclRt fn aclrtBinaryGetFunctionByEntry(binHandle: BinHandle, funcEntry: u64, funcHandle: *mut FuncHandle) -> AclError;
/// Name of a kernel, cut to `maxLen` bytes with its final zero.
T2 "14 kernels" AclRt fn aclrtGetFunctionName(funcHandle: FuncHandle, maxLen: u32, name: *mut CChar) -> AclError;
/// Number of parameters of a kernel.
T2 "14 kernels" AclRt fn aclrtFunctionGetParamCount(func: *const c_void, paramCount: *mut usize) -> AclError;
/// Place and size of one parameter in the argument buffer, bytes.
T2 "14 kernels" AclRt fn aclrtFunctionGetParamInfo(func: *const c_void, paramIndex: usize, paramOffset: *mut usize, paramSize: *mut usize) -> AclError;
/// Launches `numBlocks` blocks; the arguments are copied from host memory at the call.
T2 "14 kernels" AclRt fn aclrtLaunchKernelWithHostArgs(funcHandle: FuncHandle, numBlocks: u32, stream: StreamHandle, cfg: *mut LaunchKernelCfg, hostArgs: *mut c_void, argsSize: usize, placeHolderArray: *mut PlaceHolderInfo, placeHolderNum: usize) -> AclError;
// ---- tier T3, what is there already ------------------------------------------------------------------------------
/// Gives one `aclInit` back and tells how many are left (`refCount` may be null); at 0 it finalises, below 100037.
T3 "02 init and finalize" AclRt fn aclFinalizeReference(refCount: *mut u64) -> AclError;
    } };
}
