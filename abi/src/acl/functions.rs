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
// ---- tier T2: the rest of loading and launching kernels ---------------------------------------------------------
/// Fault record: kernel argument pointer and length.
T2 "14 kernels" AclRt fn aclrtGetArgsFromExceptionInfo(info: *const ExceptionInfo, devArgsPtr: *mut *mut c_void, devArgsLen: *mut u32) -> AclError;
/// Fault record: kernel handle.
T2 "14 kernels" AclRt fn aclrtGetFuncHandleFromExceptionInfo(info: *const ExceptionInfo, func: *mut FuncHandle) -> AclError;
/// Attach a fault hook to one kernel binary.
T2 "14 kernels" AclRt fn aclrtBinarySetExceptionCallback(binHandle: BinHandle, callback: OpExceptionCallback, userData: *mut c_void) -> AclError;
/// Launch with args already on device.
T2 "14 kernels" AclRt fn aclrtLaunchKernel(funcHandle: FuncHandle, numBlocks: u32, argsData: *const c_void, argsSize: usize, stream: StreamHandle) -> AclError;
/// Kernel handle from host stub symbol.
T2 "14 kernels" AclRt fn aclrtGetFuncBySymbol(symbol: *const c_void, funcHandle: *mut FuncHandle) -> AclError;
/// Bytes for user-owned args handle.
T2 "14 kernels" AclRt fn aclrtKernelArgsGetHandleMemSize(funcHandle: FuncHandle, memSize: *mut usize) -> AclError;
/// Bytes for user-owned args buffer.
T2 "14 kernels" AclRt fn aclrtKernelArgsGetMemSize(funcHandle: FuncHandle, userArgsSize: usize, actualArgsSize: *mut usize) -> AclError;
/// Begin argument list.
T2 "14 kernels" AclRt fn aclrtKernelArgsInit(funcHandle: FuncHandle, argsHandle: *mut ArgsHandle) -> AclError;
/// Begin argument list in user memory.
T2 "14 kernels" AclRt fn aclrtKernelArgsInitByUserMem(funcHandle: FuncHandle, argsHandle: ArgsHandle, userHostMem: *mut c_void, actualArgsSize: usize) -> AclError;
/// Add argument.
T2 "14 kernels" AclRt fn aclrtKernelArgsAppend(argsHandle: ArgsHandle, param: *mut c_void, paramSize: usize, paramHandle: *mut ParamHandle) -> AclError;
/// Add pointer filled by runtime.
T2 "14 kernels" AclRt fn aclrtKernelArgsAppendPlaceHolder(argsHandle: ArgsHandle, paramHandle: *mut ParamHandle) -> AclError;
/// Host scratch behind placeholder.
T2 "14 kernels" AclRt fn aclrtKernelArgsGetPlaceHolderBuffer(argsHandle: ArgsHandle, paramHandle: ParamHandle, dataSize: usize, bufferAddr: *mut *mut c_void) -> AclError;
/// Rewrite one argument.
T2 "14 kernels" AclRt fn aclrtKernelArgsParaUpdate(argsHandle: ArgsHandle, paramHandle: ParamHandle, param: *mut c_void, paramSize: usize) -> AclError;
/// Launch with args handle and attributes.
T2 "14 kernels" AclRt fn aclrtLaunchKernelWithConfig(funcHandle: FuncHandle, numBlocks: u32, stream: StreamHandle, cfg: *mut LaunchKernelCfg, argsHandle: ArgsHandle, reserve: *mut c_void) -> AclError;
/// End argument list.
T2 "14 kernels" AclRt fn aclrtKernelArgsFinalize(argsHandle: ArgsHandle) -> AclError;
/// Launch with device args and attributes.
T2 "14 kernels" AclRt fn aclrtLaunchKernelV2(funcHandle: FuncHandle, numBlocks: u32, argsData: *const c_void, argsSize: usize, cfg: *mut LaunchKernelCfg, stream: StreamHandle) -> AclError;
/// Launch with pointer-array args.
T2 "14 kernels" AclRt fn aclrtLaunchKernelWithArgsArray(func: *mut c_void, numBlocks: u32, stream: StreamHandle, cfg: *mut LaunchKernelCfg, args: *mut *mut c_void) -> AclError;
/// Device address used by inter-core sync.
T2 "14 kernels" AclRt fn aclrtGetHardwareSyncAddr(addr: *mut *mut c_void) -> AclError;
/// Kernel property (type, ratio, ...).
T2 "14 kernels" AclRt fn aclrtGetFunctionAttribute(funcHandle: FuncHandle, attrType: FuncAttribute, attrValue: *mut i64) -> AclError;
/// Binary owning a kernel.
T2 "14 kernels" AclRt fn aclrtFunctionGetBinary(funcHandle: FuncHandle, binHandle: *mut BinHandle) -> AclError;
// ---- tier T3: what else one process needs -----------------------------------------------------------------------
/// Read a process-wide option (determinism, ...).
T3 "03 runtime configuration" AclRt fn aclrtGetSysParamOpt(opt: SysParamOpt, value: *mut i64) -> AclError;
/// Set a process-wide option.
T3 "03 runtime configuration" AclRt fn aclrtSetSysParamOpt(opt: SysParamOpt, value: i64) -> AclError;
/// Read cube/vector core cap of a device.
T3 "03 runtime configuration" AclRt fn aclrtGetDeviceResLimit(deviceId: i32, r#type: DevResLimitType, value: *mut u32) -> AclError;
/// Cap cube/vector cores for the process.
T3 "03 runtime configuration" AclRt fn aclrtSetDeviceResLimit(deviceId: i32, r#type: DevResLimitType, value: u32) -> AclError;
/// Restore core caps.
T3 "03 runtime configuration" AclRt fn aclrtResetDeviceResLimit(deviceId: i32) -> AclError;
/// Read core cap of a stream.
T3 "03 runtime configuration" AclRt fn aclrtGetStreamResLimit(stream: StreamHandle, r#type: DevResLimitType, value: *mut u32) -> AclError;
/// Cap cores for one stream.
T3 "03 runtime configuration" AclRt fn aclrtSetStreamResLimit(stream: StreamHandle, r#type: DevResLimitType, value: u32) -> AclError;
/// Restore stream core caps.
T3 "03 runtime configuration" AclRt fn aclrtResetStreamResLimit(stream: StreamHandle) -> AclError;
/// Adopt a stream's core cap in this thread.
T3 "03 runtime configuration" AclRt fn aclrtUseStreamResInCurrentThread(stream: StreamHandle) -> AclError;
/// Stop adopting it.
T3 "03 runtime configuration" AclRt fn aclrtUnuseStreamResInCurrentThread(stream: StreamHandle) -> AclError;
/// Core count effective in this thread.
T3 "03 runtime configuration" AclRt fn aclrtGetResInCurrentThread(r#type: DevResLimitType, value: *mut u32) -> AclError;
/// Choose task scheduler core (AICPU vs AICORE TS).
T3 "04 device" AclRt fn aclrtSetTsDevice(tsId: TsId) -> AclError;
/// Core and memory load percentages.
T3 "04 device" AclRt fn aclrtGetDeviceUtilizationRate(deviceId: i32, utilizationInfo: *mut UtilizationInfo) -> AclError;
/// Can device A reach memory of B.
T3 "04 device" AclRt fn aclrtDeviceCanAccessPeer(canAccessPeer: *mut i32, deviceId: i32, peerDeviceId: i32) -> AclError;
/// Open one-way peer access.
T3 "04 device" AclRt fn aclrtDeviceEnablePeerAccess(peerDeviceId: i32, flags: u32) -> AclError;
/// Close peer access.
T3 "04 device" AclRt fn aclrtDeviceDisablePeerAccess(peerDeviceId: i32) -> AclError;
/// Choose saturate vs Inf/NaN float mode.
T3 "04 device" AclRt fn aclrtSetDeviceSatMode(mode: FloatOverflowMode) -> AclError;
/// Read the float overflow mode.
T3 "04 device" AclRt fn aclrtGetDeviceSatMode(mode: *mut FloatOverflowMode) -> AclError;
/// Enqueue copy of overflow flags to device memory.
T3 "04 device" AclRt fn aclrtGetOverflowStatus(outputAddr: *mut c_void, outputSize: usize, stream: StreamHandle) -> AclError;
/// Enqueue clear of overflow flags.
T3 "04 device" AclRt fn aclrtResetOverflowStatus(stream: StreamHandle) -> AclError;
/// Device health enum.
T3 "04 device" AclRt fn aclrtQueryDeviceStatus(deviceId: i32, deviceStatus: *mut DeviceStatus) -> AclError;
/// Pid as seen outside containers.
T3 "04 device" AclRt fn aclrtDeviceGetBareTgid(pid: *mut i32) -> AclError;
/// Lowest and highest stream priority values.
T3 "04 device" AclRt fn aclrtDeviceGetStreamPriorityRange(leastPriority: *mut i32, greatestPriority: *mut i32) -> AclError;
/// Is a device feature supported.
T3 "04 device" AclRt fn aclrtGetDeviceCapability(deviceId: i32, devFeatureType: DevFeatureType, value: *mut i32) -> AclError;
/// Unique id of a device.
T3 "04 device" AclRt fn aclrtDeviceGetUuid(deviceId: i32, uuid: *mut Uuid) -> AclError;
/// Set a device-level limit (print FIFO, stack).
T3 "04 device" AclRt fn aclrtDeviceSetLimit(limit: DeviceLimit, value: usize) -> AclError;
/// Read a device-level limit.
T3 "04 device" AclRt fn aclrtDeviceGetLimit(limit: DeviceLimit, value: *mut usize) -> AclError;
/// PCI address of a device.
T3 "04 device" AclRt fn aclrtDeviceGetPCIBusId(deviceId: i32, pciBusId: *mut CChar, len: i32) -> AclError;
/// Device id from a PCI address.
T3 "04 device" AclRt fn aclrtDeviceGetByPCIBusId(pciBusId: *const CChar, deviceId: *mut i32) -> AclError;
/// Atomics usable device to host memory.
T3 "04 device" AclRt fn aclrtDeviceGetHostAtomicCapabilities(capabilities: *mut u32, operations: *const AtomicOperation, count: u32, deviceId: i32) -> AclError;
/// Atomics usable between two devices.
T3 "04 device" AclRt fn aclrtDeviceGetP2PAtomicCapabilities(capabilities: *mut u32, operations: *const AtomicOperation, count: u32, srcDeviceId: i32, dstDeviceId: i32) -> AclError;
/// Kind of link between two devices.
T3 "04 device" AclRt fn aclrtGetDevicesTopo(deviceId: u32, otherDeviceId: u32, value: *mut u64) -> AclError;
/// Visible id to logical id.
T3 "04 device" AclRt fn aclrtGetLogicDevIdByUserDevId(userDevid: i32, logicDevId: *mut i32) -> AclError;
/// Logical id to visible id.
T3 "04 device" AclRt fn aclrtGetUserDevIdByLogicDevId(logicDevId: i32, userDevid: *mut i32) -> AclError;
/// Physical id to logical id.
T3 "04 device" AclRt fn aclrtGetLogicDevIdByPhyDevId(phyDevId: i32, logicDevId: *mut i32) -> AclError;
/// Logical id to physical id.
T3 "04 device" AclRt fn aclrtGetPhyDevIdByLogicDevId(logicDevId: i32, phyDevId: *mut i32) -> AclError;
/// Physical id to visible id.
T3 "04 device" AclRt fn aclrtGetUserDevIdByPhyDevId(phyDevId: i32, userDevId: *mut i32) -> AclError;
/// Visible id to physical id.
T3 "04 device" AclRt fn aclrtGetPhyDevIdByUserDevId(userDevId: i32, phyDevId: *mut i32) -> AclError;
/// Hook on device set/reset.
T3 "04 device" AclRt fn aclrtRegDeviceStateCallback(regName: *const CChar, callback: DeviceStateCallback, args: *mut c_void) -> AclError;
/// Is peer access currently on.
T3 "04 device" AclRt fn aclrtDevicePeerAccessStatus(deviceId: i32, peerDeviceId: i32, status: *mut i32) -> AclError;
/// Read a context-scope option.
T3 "05 context" AclRt fn aclrtCtxGetSysParamOpt(opt: SysParamOpt, value: *mut i64) -> AclError;
/// Set a context-scope option.
T3 "05 context" AclRt fn aclrtCtxSetSysParamOpt(opt: SysParamOpt, value: i64) -> AclError;
/// Handle of the current context's default stream.
T3 "05 context" AclRt fn aclrtCtxGetCurrentDefaultStream(stream: *mut StreamHandle) -> AclError;
/// Is the device's default context alive.
T3 "05 context" AclRt fn aclrtGetPrimaryCtxState(deviceId: i32, flags: *mut u32, active: *mut i32) -> AclError;
/// Device address of context overflow flags.
T3 "05 context" AclRt fn aclrtCtxGetFloatOverflowAddr(overflowAddr: *mut *mut c_void) -> AclError;
/// Numeric id of a stream.
T3 "06 stream" AclRt fn aclrtStreamGetId(stream: StreamHandle, streamId: *mut i32) -> AclError;
/// Priority of a queue.
T3 "06 stream" AclRt fn aclrtStreamGetPriority(stream: StreamHandle, priority: *mut u32) -> AclError;
/// Creation flags of a queue.
T3 "06 stream" AclRt fn aclrtStreamGetFlags(stream: StreamHandle, flags: *mut u32) -> AclError;
/// Per-queue overflow detection on/off.
T3 "06 stream" AclRt fn aclrtSetStreamOverflowSwitch(stream: StreamHandle, flag: u32) -> AclError;
/// Read that switch.
T3 "06 stream" AclRt fn aclrtGetStreamOverflowSwitch(stream: StreamHandle, flag: *mut u32) -> AclError;
/// Cancel running and pending tasks of a queue.
T3 "06 stream" AclRt fn aclrtStreamAbort(stream: StreamHandle) -> AclError;
/// How many more queues can be made.
T3 "06 stream" AclRt fn aclrtGetStreamAvailableNum(streamCount: *mut u32) -> AclError;
/// Write one queue attribute.
T3 "06 stream" AclRt fn aclrtSetStreamAttribute(stream: StreamHandle, stmAttrType: StreamAttr, value: *mut StreamAttrValue) -> AclError;
/// Read one queue attribute.
T3 "06 stream" AclRt fn aclrtGetStreamAttribute(stream: StreamHandle, stmAttrType: StreamAttr, value: *mut StreamAttrValue) -> AclError;
/// Hook on queue create/destroy.
T3 "06 stream" AclRt fn aclrtRegStreamStateCallback(regName: *const CChar, callback: StreamStateCallback, args: *mut c_void) -> AclError;
/// Stop pending tasks of a queue.
T3 "06 stream" AclRt fn aclrtStreamStop(stream: StreamHandle) -> AclError;
/// Erase recorded tasks of a persistent queue.
T3 "06 stream" AclRt fn aclrtPersistentTaskClean(stream: StreamHandle) -> AclError;
/// Signal, optional capture-external flag.
T3 "07 event" AclRt fn aclrtRecordEventWithFlag(event: EventHandle, stream: StreamHandle, flag: u32) -> AclError;
/// Wait, optional capture-external flag.
T3 "07 event" AclRt fn aclrtStreamWaitEventWithFlag(stream: StreamHandle, event: EventHandle, timeout: u32, flag: u32) -> AclError;
/// Process default limit of event waits.
T3 "07 event" AclRt fn aclrtSetOpWaitTimeout(timeout: u32) -> AclError;
/// Numeric id of an event.
T3 "07 event" AclRt fn aclrtGetEventId(event: EventHandle, eventId: *mut u32) -> AclError;
/// Free event slots.
T3 "07 event" AclRt fn aclrtGetEventAvailNum(eventCount: *mut u32) -> AclError;
/// Create one-to-one signal object.
T3 "08 notify" AclRt fn aclrtCreateNotify(notify: *mut NotifyHandle, flag: u64) -> AclError;
/// Free it.
T3 "08 notify" AclRt fn aclrtDestroyNotify(notify: NotifyHandle) -> AclError;
/// Enqueue signal.
T3 "08 notify" AclRt fn aclrtRecordNotify(notify: NotifyHandle, stream: StreamHandle) -> AclError;
/// Enqueue wait that auto-clears.
T3 "08 notify" AclRt fn aclrtWaitAndResetNotify(notify: NotifyHandle, stream: StreamHandle, timeout: u32) -> AclError;
/// Numeric id of notify.
T3 "08 notify" AclRt fn aclrtGetNotifyId(notify: NotifyHandle, notifyId: *mut u32) -> AclError;
/// Clear several notifies.
T3 "08 notify" AclRt fn aclrtNotifyBatchReset(notifies: *mut NotifyHandle, num: usize) -> AclError;
/// Pinned host memory with attributes.
T3 "11-02 host memory" AclRt fn aclrtMallocHostWithCfg(ptr: *mut *mut c_void, size: u64, cfg: *mut MallocConfig) -> AclError;
/// Map user host memory to device.
T3 "11-02 host memory" AclRt fn aclrtHostRegister(ptr: *mut c_void, size: u64, r#type: HostRegisterType, devPtr: *mut *mut c_void) -> AclError;
/// Register user host memory with flags.
T3 "11-02 host memory" AclRt fn aclrtHostRegisterV2(ptr: *mut c_void, size: u64, flag: u32) -> AclError;
/// Device view of registered host memory.
T3 "11-02 host memory" AclRt fn aclrtHostGetDevicePointer(pHost: *mut c_void, pDevice: *mut *mut c_void, flag: u32) -> AclError;
/// Undo registration.
T3 "11-02 host memory" AclRt fn aclrtHostUnregister(ptr: *mut c_void) -> AclError;
/// Can host memory be mapped for a unit.
T3 "11-02 host memory" AclRt fn aclrtHostMemMapCapabilities(deviceId: u32, hacType: HacType, capabilities: *mut HostMemMapCapability) -> AclError;
/// Wait, then release pinned host memory.
T3 "11-02 host memory" AclRt fn aclrtFreeHostWithDevSync(hostPtr: *mut c_void) -> AclError;
/// Location kind and device of an address.
T3 "11-05 unified addressing and managed memory" AclRt fn aclrtPointerGetAttributes(ptr: *const c_void, attributes: *mut PtrAttributes) -> AclError;
/// One attribute of managed range.
T3 "11-05 unified addressing and managed memory" AclRt fn aclrtMemManagedGetAttr(attribute: MemManagedRangeAttribute, ptr: *const c_void, size: usize, data: *mut c_void, dataSize: usize) -> AclError;
/// Several attributes of managed range.
T3 "11-05 unified addressing and managed memory" AclRt fn aclrtMemManagedGetAttrs(attributes: *mut MemManagedRangeAttribute, numAttributes: usize, ptr: *const c_void, size: usize, data: *mut *mut c_void, dataSizes: *mut usize) -> AclError;
/// Memory visible to host and device.
T3 "11-05 unified addressing and managed memory" AclRt fn aclrtMemAllocManaged(ptr: *mut *mut c_void, size: u64, flag: u32) -> AclError;
/// Placement hint for managed range.
T3 "11-05 unified addressing and managed memory" AclRt fn aclrtMemManagedAdvise(ptr: *const c_void, size: u64, advise: MemManagedAdviseType, location: MemManagedLocation) -> AclError;
/// Map range to another device.
T3 "11-05 unified addressing and managed memory" AclRt fn aclrtMemP2PMap(devPtr: *mut c_void, size: usize, dstDevId: i32, flags: u64) -> AclError;
/// Queued migration of managed range.
T3 "11-05 unified addressing and managed memory" AclRt fn aclrtMemManagedPrefetchAsync(ptr: *const c_void, size: usize, location: MemManagedLocation, flags: u32, stream: StreamHandle) -> AclError;
/// Queued migration of many ranges.
T3 "11-05 unified addressing and managed memory" AclRt fn aclrtMemManagedPrefetchBatchAsync(ptrs: *mut *const c_void, sizes: *mut usize, count: usize, prefetchLocs: *mut MemManagedLocation, prefetchLocIdxs: *mut usize, numPrefetchLocs: usize, flags: u64, stream: StreamHandle) -> AclError;
/// Bind user allocator to a stream.
T3 "11-08 custom allocator" AclRtAllocator fn aclrtAllocatorRegister(stream: StreamHandle, allocatorDesc: AllocatorDesc) -> AclError;
/// Read allocator bound to a stream.
T3 "11-08 custom allocator" AclRtAllocator fn aclrtAllocatorGetByStream(stream: StreamHandle, allocatorDesc: *mut AllocatorDesc, allocator: *mut Allocator, allocFunc: *mut AllocatorAllocFunc, freeFunc: *mut AllocatorFreeFunc, allocAdviseFunc: *mut AllocatorAllocAdviseFunc, getAddrFromBlockFunc: *mut AllocatorGetAddrFromBlockFunc) -> AclError;
/// Unbind allocator.
T3 "11-08 custom allocator" AclRtAllocator fn aclrtAllocatorUnregister(stream: StreamHandle) -> AclError;
/// Enqueue u64 store to device word.
T3 "11-09 value write and wait" AclRt fn aclrtValueWrite(devAddr: *mut c_void, value: u64, flag: u32, stream: StreamHandle) -> AclError;
/// Enqueue compare-wait on device word.
T3 "11-09 value write and wait" AclRt fn aclrtValueWait(devAddr: *mut c_void, value: u64, flag: u32, stream: StreamHandle) -> AclError;
/// Tie a user thread to a stream's callbacks.
T3 "12 execution control" AclRt fn aclrtSubscribeReport(threadId: u64, stream: StreamHandle) -> AclError;
/// Enqueue host callback for subscribed thread.
T3 "12 execution control" AclRt fn aclrtLaunchCallback(r#fn: Callback, userData: *mut c_void, blockType: CallbackBlockType, stream: StreamHandle) -> AclError;
/// User thread: run pending callbacks.
T3 "12 execution control" AclRt fn aclrtProcessReport(timeout: i32) -> AclError;
/// Untie thread.
T3 "12 execution control" AclRt fn aclrtUnSubscribeReport(threadId: u64, stream: StreamHandle) -> AclError;
/// Id of thread's latest enqueued task.
T3 "12 execution control" AclRt fn aclrtGetThreadLastTaskId(taskId: *mut u32) -> AclError;
/// Kernel time limit, seconds.
T3 "12 execution control" AclRt fn aclrtSetOpExecuteTimeOut(timeout: u32) -> AclError;
/// Kernel time limit, ms.
T3 "12 execution control" AclRt fn aclrtSetOpExecuteTimeOutWithMs(timeout: u32) -> AclError;
/// Kernel time limit in us, returns effective value.
T3 "12 execution control" AclRt fn aclrtSetOpExecuteTimeOutV2(timeout: u64, actualTimeout: *mut u64) -> AclError;
/// Step of the hardware timeout.
T3 "12 execution control" AclRt fn aclrtGetOpTimeOutInterval(interval: *mut u64) -> AclError;
/// Queued reduce copy (sum/max/min).
T3 "12 execution control" AclRt fn aclrtReduceAsync(dst: *mut c_void, src: *const c_void, count: u64, kind: ReduceKind, r#type: DataType, stream: StreamHandle, reserve: *mut c_void) -> AclError;
/// Queued read of overflow flags.
T3 "12 execution control" AclRt fn aclrtGetFloatOverflowStatus(outputAddr: *mut c_void, outputSize: u64, stream: StreamHandle) -> AclError;
/// Queued clear of overflow flags.
T3 "12 execution control" AclRt fn aclrtResetFloatOverflowStatus(stream: StreamHandle) -> AclError;
/// Queued read of flags with check mode.
T3 "12 execution control" AclRt fn aclrtNpuGetFloatOverFlowStatus(outputAddr: *mut c_void, outputSize: u64, checkMode: u32, stream: StreamHandle) -> AclError;
/// Queued clear of flags with check mode.
T3 "12 execution control" AclRt fn aclrtNpuClearFloatOverFlowStatus(checkMode: u32, stream: StreamHandle) -> AclError;
/// Enqueue host function on runtime thread.
T3 "12 execution control" AclRt fn aclrtLaunchHostFunc(stream: StreamHandle, r#fn: HostFunc, args: *mut c_void) -> AclError;
/// Queued random fill.
T3 "12 execution control" AclRt fn aclrtRandomNumAsync(taskInfo: *const RandomNumTaskInfo, stream: StreamHandle, reserve: *mut c_void) -> AclError;
/// Read current kernel time limit.
T3 "12 execution control" AclRt fn aclrtGetOpExecuteTimeout(timeoutMs: *mut u32) -> AclError;
/// Queued rewrite of another task.
T3 "12 execution control" AclRt fn aclrtTaskUpdateAsync(taskStream: StreamHandle, taskId: u32, info: *mut TaskUpdateInfo, execStream: StreamHandle) -> AclError;
/// Set the single process-wide task-fault hook (old).
T3 "13 errors" AclRt fn aclrtSetExceptionInfoCallback(callback: ExceptionInfoCallback) -> AclError;
/// Add a named task-fault hook.
T3 "13 errors" AclRt fn aclrtExceptionInfoCallbackRegister(callback: ExceptionInfoCallback) -> AclError;
/// Remove a named task-fault hook.
T3 "13 errors" AclRt fn aclrtExceptionInfoCallbackUnregister(callback: ExceptionInfoCallback) -> AclError;
/// Fault record: task id.
T3 "13 errors" AclRt fn aclrtGetTaskIdFromExceptionInfo(info: *const ExceptionInfo) -> u32;
/// Fault record: stream id.
T3 "13 errors" AclRt fn aclrtGetStreamIdFromExceptionInfo(info: *const ExceptionInfo) -> u32;
/// Fault record: host thread id.
T3 "13 errors" AclRt fn aclrtGetThreadIdFromExceptionInfo(info: *const ExceptionInfo) -> u32;
/// Fault record: device id.
T3 "13 errors" AclRt fn aclrtGetDeviceIdFromExceptionInfo(info: *const ExceptionInfo) -> u32;
/// Fault record: error code.
T3 "13 errors" AclRt fn aclrtGetErrorCodeFromExceptionInfo(info: *const ExceptionInfo) -> u32;
/// List uncorrectable memory error ranges.
T3 "13 errors" AclRt fn aclrtGetMemUceInfo(deviceId: i32, memUceInfoArray: *mut MemUceInfo, arraySize: usize, retSize: *mut usize) -> AclError;
/// Cancel everything queued on a device.
T3 "13 errors" AclRt fn aclrtDeviceTaskAbort(deviceId: i32, timeout: u32) -> AclError;
/// Repair listed uncorrectable ranges.
T3 "13 errors" AclRt fn aclrtMemUceRepair(deviceId: i32, memUceInfoArray: *mut MemUceInfo, arraySize: usize) -> AclError;
/// Hook around device-wide cancel.
T3 "13 errors" AclRt fn aclrtSetDeviceTaskAbortCallback(regName: *const CChar, callback: DeviceTaskAbortCallback, args: *mut c_void) -> AclError;
/// Detailed hardware/software fault description.
T3 "13 errors" AclRt fn aclrtGetErrorVerbose(deviceId: i32, errorInfo: *mut DeviceErrorInfo) -> AclError;
/// Attempt recovery of a reported device fault.
T3 "13 errors" AclRt fn aclrtRepairError(deviceId: i32, errorInfo: *const DeviceErrorInfo) -> AclError;
/// List the toolkit feature flags this build offers.
T3 "24 other" AclBaseRt fn aclGetCannAttributeList(cannAttrList: *mut *const CannAttr, num: *mut usize) -> AclError;
/// Query one toolkit feature flag.
T3 "24 other" AclBaseRt fn aclGetCannAttribute(cannAttr: CannAttr, value: *mut i32) -> AclError;
/// Query one numeric property of a device (old enum).
T3 "24 other" AclBaseRt fn aclGetDeviceCapability(deviceId: u32, deviceInfo: DeviceInfo, value: *mut i64) -> AclError;
/// Set field in stream config handle.
T3 "24 other" AclRt fn aclrtSetStreamConfigOpt(handle: *mut StreamConfig, attr: StreamConfigAttr, attrValue: *const c_void, valueSize: usize) -> AclError;
/// New queue from config handle.
T3 "24 other" AclRt fn aclrtCreateStreamV2(stream: *mut StreamHandle, handle: *const StreamConfig) -> AclError;
/// Tie a thread to host-function tasks of stream.
T3 "24 other" AclRt fn aclrtSubscribeHostFunc(hostFuncThreadId: u64, exeStream: StreamHandle) -> AclError;
/// Run pending host-function tasks.
T3 "24 other" AclRt fn aclrtProcessHostFunc(timeout: i32) -> AclError;
/// Untie it.
T3 "24 other" AclRt fn aclrtUnSubscribeHostFunc(hostFuncThreadId: u64, exeStream: StreamHandle) -> AclError;
/// Enqueue user profiling mark.
T3 "24 other" AclRt fn aclrtProfTrace(userdata: *mut c_void, length: i32, stream: StreamHandle) -> AclError;
/// Attach shape info to last captured task.
T3 "24 other" AclRt fn aclrtCacheLastTaskOpInfo(infoPtr: *const c_void, infoSize: usize) -> AclError;
/// Attach debug info to last captured task.
T3 "24 other" AclRt fn aclrtCacheLastTaskExtendInfo(extendInfoPtr: *const CChar, infoSize: usize) -> AclError;
/// Flush device L2.
T3 "24 other" AclRt fn aclrtDeviceL2CacheFlush(rsv: *mut c_void) -> AclError;
/// Make stream config handle.
T3 "25-03 data types" AclRt fn aclrtCreateStreamConfigHandle() -> *mut StreamConfig;
/// Free stream config handle.
T3 "25-03 data types" AclRt fn aclrtDestroyStreamConfigHandle(handle: *mut StreamConfig) -> AclError;
/// Allocator descriptor object.
T3 "25-03 data types" AclRtAllocator fn aclrtAllocatorCreateDesc() -> AllocatorDesc;
/// Free allocator descriptor.
T3 "25-03 data types" AclRtAllocator fn aclrtAllocatorDestroyDesc(allocatorDesc: AllocatorDesc) -> AclError;
/// Descriptor: user object.
T3 "25-03 data types" AclRtAllocator fn aclrtAllocatorSetObjToDesc(allocatorDesc: AllocatorDesc, allocator: Allocator) -> AclError;
/// Descriptor: alloc function.
T3 "25-03 data types" AclRtAllocator fn aclrtAllocatorSetAllocFuncToDesc(allocatorDesc: AllocatorDesc, func: AllocatorAllocFunc) -> AclError;
/// Descriptor: free function.
T3 "25-03 data types" AclRtAllocator fn aclrtAllocatorSetFreeFuncToDesc(allocatorDesc: AllocatorDesc, func: AllocatorFreeFunc) -> AclError;
/// Descriptor: alloc-at-hint function.
T3 "25-03 data types" AclRtAllocator fn aclrtAllocatorSetAllocAdviseFuncToDesc(allocatorDesc: AllocatorDesc, func: AllocatorAllocAdviseFunc) -> AclError;
/// Descriptor: block to address function.
T3 "25-03 data types" AclRtAllocator fn aclrtAllocatorSetGetAddrFromBlockFuncToDesc(allocatorDesc: AllocatorDesc, func: AllocatorGetAddrFromBlockFunc) -> AclError;
// ---- tier T4: graphs and labels ---------------------------------------------------------------------------------
/// Enqueue task that activates another queue.
T4 "06 stream" AclRt fn aclrtActiveStream(activeStream: StreamHandle, stream: StreamHandle) -> AclError;
/// Enqueue conditional jump to a queue.
T4 "06 stream" AclRt fn aclrtSwitchStream(leftValue: *mut c_void, cond: Condition, rightValue: *mut c_void, dataType: CompareDataType, trueStream: StreamHandle, falseStream: StreamHandle, stream: StreamHandle) -> AclError;
/// Jump target object for model streams.
T4 "10 label" AclRt fn aclrtCreateLabel(label: *mut LabelHandle) -> AclError;
/// Place label in stream.
T4 "10 label" AclRt fn aclrtSetLabel(label: LabelHandle, stream: StreamHandle) -> AclError;
/// Free label.
T4 "10 label" AclRt fn aclrtDestroyLabel(label: LabelHandle) -> AclError;
/// Array of labels for indexed jump.
T4 "10 label" AclRt fn aclrtCreateLabelList(labels: *mut LabelHandle, num: usize, labelList: *mut LabelListHandle) -> AclError;
/// Free label array.
T4 "10 label" AclRt fn aclrtDestroyLabelList(labelList: LabelListHandle) -> AclError;
/// Enqueue jump by device-side index.
T4 "10 label" AclRt fn aclrtSwitchLabelByIndex(ptr: *mut c_void, maxValue: u32, labelList: LabelListHandle, stream: StreamHandle) -> AclError;
/// Read graph task parameters.
T4 "15 graphs" AclRt fn aclmdlRITaskGetParams(task: RiTaskHandle, params: *mut RiTaskParams) -> AclError;
/// Write graph task parameters.
T4 "15 graphs" AclRt fn aclmdlRITaskSetParams(task: RiTaskHandle, params: *mut RiTaskParams) -> AclError;
/// Read launch attribute of graph kernel.
T4 "15 graphs" AclRt fn aclmdlRIKernelTaskGetAttribute(task: RiTaskHandle, attrId: LaunchKernelAttrId, attrValue: *mut LaunchKernelAttrValue) -> AclError;
/// Apply pending task edits.
T4 "15 graphs" AclRt fn aclmdlRIUpdate(modelRI: RiHandle) -> AclError;
/// Disable a graph task.
T4 "15 graphs" AclRt fn aclmdlRITaskDisable(task: RiTaskHandle) -> AclError;
/// Start recording a stream.
T4 "15 graphs" AclRt fn aclmdlRICaptureBegin(stream: StreamHandle, mode: RiCaptureMode) -> AclError;
/// Recording state and graph of stream.
T4 "15 graphs" AclRt fn aclmdlRICaptureGetInfo(stream: StreamHandle, status: *mut RiCaptureStatus, modelRI: *mut RiHandle) -> AclError;
/// Stop recording, return graph.
T4 "15 graphs" AclRt fn aclmdlRICaptureEnd(stream: StreamHandle, modelRI: *mut RiHandle) -> AclError;
/// Dump graph to log.
T4 "15 graphs" AclRt fn aclmdlRIDebugPrint(modelRI: RiHandle) -> AclError;
/// Dump graph to JSON file.
T4 "15 graphs" AclRt fn aclmdlRIDebugJsonPrint(modelRI: RiHandle, path: *const CChar, flags: u32) -> AclError;
/// Swap thread's capture mode.
T4 "15 graphs" AclRt fn aclmdlRICaptureThreadExchangeMode(mode: *mut RiCaptureMode) -> AclError;
/// Queue graph run.
T4 "15 graphs" AclRt fn aclmdlRIExecuteAsync(modelRI: RiHandle, stream: StreamHandle) -> AclError;
/// Run graph and wait.
T4 "15 graphs" AclRt fn aclmdlRIExecute(modelRI: RiHandle, timeout: i32) -> AclError;
/// Free graph.
T4 "15 graphs" AclRt fn aclmdlRIDestroy(modelRI: RiHandle) -> AclError;
/// Mark start of updatable group.
T4 "15 graphs" AclRt fn aclmdlRICaptureTaskGrpBegin(stream: StreamHandle) -> AclError;
/// Mark end of updatable group.
T4 "15 graphs" AclRt fn aclmdlRICaptureTaskGrpEnd(stream: StreamHandle, handle: *mut TaskGrpHandle) -> AclError;
/// Start updating a group.
T4 "15 graphs" AclRt fn aclmdlRICaptureTaskUpdateBegin(stream: StreamHandle, handle: TaskGrpHandle) -> AclError;
/// End updating a group.
T4 "15 graphs" AclRt fn aclmdlRICaptureTaskUpdateEnd(stream: StreamHandle) -> AclError;
/// Start explicit graph build.
T4 "15 graphs" AclRt fn aclmdlRIBuildBegin(modelRI: *mut RiHandle, flag: u32) -> AclError;
/// Bind persistent stream to graph.
T4 "15 graphs" AclRt fn aclmdlRIBindStream(modelRI: RiHandle, stream: StreamHandle, flag: u32) -> AclError;
/// Place end marker.
T4 "15 graphs" AclRt fn aclmdlRIEndTask(modelRI: RiHandle, stream: StreamHandle) -> AclError;
/// Finish explicit build.
T4 "15 graphs" AclRt fn aclmdlRIBuildEnd(modelRI: RiHandle, reserve: *mut c_void) -> AclError;
/// Unbind stream.
T4 "15 graphs" AclRt fn aclmdlRIUnbindStream(modelRI: RiHandle, stream: StreamHandle) -> AclError;
/// Name a graph.
T4 "15 graphs" AclRt fn aclmdlRISetName(modelRI: RiHandle, name: *const CChar) -> AclError;
/// Read graph name.
T4 "15 graphs" AclRt fn aclmdlRIGetName(modelRI: RiHandle, maxLen: u32, name: *mut CChar) -> AclError;
/// Numeric graph id.
T4 "15 graphs" AclRt fn aclmdlRIGetId(modelRI: RiHandle, modelRIId: *mut u32) -> AclError;
/// Hook on graph destroy.
T4 "15 graphs" AclRt fn aclmdlRIDestroyRegisterCallback(modelRI: RiHandle, func: Callback, userData: *mut c_void) -> AclError;
/// Remove hook.
T4 "15 graphs" AclRt fn aclmdlRIDestroyUnregisterCallback(modelRI: RiHandle, func: Callback) -> AclError;
/// Streams of graph.
T4 "15 graphs" AclRt fn aclmdlRIGetStreams(modelRI: RiHandle, streams: *mut StreamHandle, numStreams: *mut u32) -> AclError;
/// Tasks of a graph stream.
T4 "15 graphs" AclRt fn aclmdlRIGetTasksByStream(stream: StreamHandle, tasks: *mut RiTaskHandle, numTasks: *mut u32) -> AclError;
/// Kind of graph task.
T4 "15 graphs" AclRt fn aclmdlRITaskGetType(task: RiTaskHandle, r#type: *mut RiTaskType) -> AclError;
/// Sequence number of graph task.
T4 "15 graphs" AclRt fn aclmdlRITaskGetSeqId(task: RiTaskHandle, id: *mut u32) -> AclError;
/// Can binary for one arch run here.
T4 "15 graphs" AclRt fn aclrtCheckArchCompatibility(socVersion: *const CChar, canCompatible: *mut i32) -> AclError;
/// Stop a running graph.
T4 "15 graphs" AclRt fn aclmdlRIAbort(modelRI: RiHandle) -> AclError;
/// Condition variable for graph branches.
T4 "15 graphs" AclRt fn aclmdlRICondHandleCreate(modelRI: RiHandle, defaultLaunchValue: u32, flag: RiCondHandleFlag, handle: *mut RiCondHandle) -> AclError;
/// Device pointer of condition.
T4 "15 graphs" AclRt fn aclmdlRICondHandleGetCondPtr(handle: RiCondHandle, ptr: *mut *mut u64) -> AclError;
/// Add if/while/switch node.
T4 "15 graphs" AclRt fn aclmdlRIAddCondTask(params: RiCondTaskParams, stream: StreamHandle, flags: u32) -> AclError;
/// Record into an existing graph.
T4 "15 graphs" AclRt fn aclmdlRICaptureToModelRIBegin(stream: StreamHandle, modelRI: RiHandle, mode: RiCaptureMode) -> AclError;
// ---- tier T5: sharing between processes -------------------------------------------------------------------------
/// Export event to other process.
T5 "07 event" AclRt fn aclrtIpcGetEventHandle(event: EventHandle, handle: *mut IpcEventHandle) -> AclError;
/// Import event from other process.
T5 "07 event" AclRt fn aclrtIpcOpenEventHandle(handle: IpcEventHandle, event: *mut EventHandle) -> AclError;
/// Share notify: make key.
T5 "08 notify" AclRt fn aclrtNotifyGetExportKey(notify: NotifyHandle, key: *mut CChar, len: usize, flags: u64) -> AclError;
/// Share notify: open key.
T5 "08 notify" AclRt fn aclrtNotifyImportByKey(notify: *mut NotifyHandle, key: *const CChar, flags: u64) -> AclError;
/// Share notify: pid whitelist.
T5 "08 notify" AclRt fn aclrtNotifySetImportPid(notify: NotifyHandle, pid: *mut i32, num: usize) -> AclError;
/// Share notify: whitelist on another server.
T5 "08 notify" AclRt fn aclrtNotifySetImportPidInterServer(notify: NotifyHandle, serverPids: *mut ServerPid, num: usize) -> AclError;
/// Reserve virtual range.
T5 "11-04 virtual memory" AclRt fn aclrtReserveMemAddress(virPtr: *mut *mut c_void, size: usize, alignment: usize, expectPtr: *mut c_void, flags: u64) -> AclError;
/// Give back virtual range.
T5 "11-04 virtual memory" AclRt fn aclrtReleaseMemAddress(virPtr: *mut c_void) -> AclError;
/// Physical block handle.
T5 "11-04 virtual memory" AclRt fn aclrtMallocPhysical(handle: *mut DrvMemHandle, size: usize, prop: *const PhysicalMemProp, flags: u64) -> AclError;
/// Free physical block.
T5 "11-04 virtual memory" AclRt fn aclrtFreePhysical(handle: DrvMemHandle) -> AclError;
/// Bind physical block to virtual range.
T5 "11-04 virtual memory" AclRt fn aclrtMapMem(virPtr: *mut c_void, size: usize, offset: usize, handle: DrvMemHandle, flags: u64) -> AclError;
/// Undo binding.
T5 "11-04 virtual memory" AclRt fn aclrtUnmapMem(virPtr: *mut c_void) -> AclError;
/// Bind without access rights.
T5 "11-04 virtual memory" AclRt fn aclrtMemMapNoAccess(virPtr: *mut c_void, size: usize, offset: usize, handle: DrvMemHandle, flags: u64) -> AclError;
/// Share physical block (u64 handle).
T5 "11-04 virtual memory" AclRt fn aclrtMemExportToShareableHandle(handle: DrvMemHandle, handleType: MemHandleType, flags: u64, shareableHandle: *mut u64) -> AclError;
/// Share physical block (typed handle).
T5 "11-04 virtual memory" AclRt fn aclrtMemExportToShareableHandleV2(handle: DrvMemHandle, flags: u64, shareType: MemSharedHandleType, shareableHandle: *mut c_void) -> AclError;
/// Open shared block (u64).
T5 "11-04 virtual memory" AclRt fn aclrtMemImportFromShareableHandle(shareableHandle: u64, deviceId: i32, handle: *mut DrvMemHandle) -> AclError;
/// Open shared block (typed).
T5 "11-04 virtual memory" AclRt fn aclrtMemImportFromShareableHandleV2(shareableHandle: *mut c_void, shareType: MemSharedHandleType, flags: u64, handle: *mut DrvMemHandle) -> AclError;
/// Pid whitelist (u64).
T5 "11-04 virtual memory" AclRt fn aclrtMemSetPidToShareableHandle(shareableHandle: u64, pid: *mut i32, pidNum: usize) -> AclError;
/// Pid whitelist (typed).
T5 "11-04 virtual memory" AclRt fn aclrtMemSetPidToShareableHandleV2(shareableHandle: *mut c_void, shareType: MemSharedHandleType, pid: *mut i32, pidNum: usize) -> AclError;
/// Granule for physical blocks.
T5 "11-04 virtual memory" AclRt fn aclrtMemGetAllocationGranularity(prop: *mut PhysicalMemProp, option: MemGranularityOptions, granularity: *mut usize) -> AclError;
/// Set rights of range.
T5 "11-04 virtual memory" AclRt fn aclrtMemSetAccess(virPtr: *mut c_void, size: usize, desc: *mut MemAccessDesc, count: usize) -> AclError;
/// Read rights of range.
T5 "11-04 virtual memory" AclRt fn aclrtMemGetAccess(virPtr: *mut c_void, location: *mut MemLocation, flag: *mut u64) -> AclError;
/// Handle behind an address.
T5 "11-04 virtual memory" AclRt fn aclrtMemRetainAllocationHandle(virPtr: *mut c_void, handle: *mut DrvMemHandle) -> AclError;
/// Properties of a physical block.
T5 "11-04 virtual memory" AclRt fn aclrtMemGetAllocationPropertiesFromHandle(handle: DrvMemHandle, prop: *mut PhysicalMemProp) -> AclError;
/// Reserve range outside unified memory.
T5 "11-04 virtual memory" AclRt fn aclrtReserveMemAddressNoUCMemory(virPtr: *mut *mut c_void, size: usize, alignment: usize, expectPtr: *mut c_void, flags: u64) -> AclError;
/// Base and size containing an address.
T5 "11-04 virtual memory" AclRt fn aclrtMemGetAddressRange(ptr: *mut c_void, pbase: *mut *mut c_void, psize: *mut usize) -> AclError;
/// Alias a range through another link.
T5 "11-04 virtual memory" AclRt fn aclrtMemMapSelectedLink(virPtrDst: *mut c_void, size: usize, virPtrSrc: *mut c_void, linkIdx: u32) -> AclError;
/// Advise link type before binding.
T5 "11-04 virtual memory" AclRt fn aclrtMemMapSetLink(handle: DrvMemHandle, adviceLink: MemLinkType) -> AclError;
/// Share device memory: make key.
T5 "11-07 memory between processes" AclRt fn aclrtIpcMemGetExportKey(devPtr: *mut c_void, size: usize, key: *mut CChar, len: usize, flags: u64) -> AclError;
/// Drop shared memory key.
T5 "11-07 memory between processes" AclRt fn aclrtIpcMemClose(key: *const CChar) -> AclError;
/// Share device memory: open key.
T5 "11-07 memory between processes" AclRt fn aclrtIpcMemImportByKey(devPtr: *mut *mut c_void, key: *const CChar, flags: u64) -> AclError;
/// Pid whitelist for key.
T5 "11-07 memory between processes" AclRt fn aclrtIpcMemSetImportPid(key: *const CChar, pid: *mut i32, num: usize) -> AclError;
/// Attribute of shared key.
T5 "11-07 memory between processes" AclRt fn aclrtIpcMemSetAttr(key: *const CChar, r#type: IpcMemAttrType, attr: u64) -> AclError;
/// Whitelist on another server.
T5 "11-07 memory between processes" AclRt fn aclrtIpcMemImportPidInterServer(key: *const CChar, serverPids: *mut ServerPid, num: usize) -> AclError;
// ---- tier T6: everything else -----------------------------------------------------------------------------------
/// Hook run while aclInit executes.
T6 "02 init and finalize" AclRt fn aclInitCallbackRegister(r#type: RegisterCallbackType, cbFunc: InitCallbackFunc, userData: *mut c_void) -> AclError;
/// Remove an init hook.
T6 "02 init and finalize" AclRt fn aclInitCallbackUnRegister(r#type: RegisterCallbackType, cbFunc: InitCallbackFunc) -> AclError;
/// Hook run while finalize executes.
T6 "02 init and finalize" AclRt fn aclFinalizeCallbackRegister(r#type: RegisterCallbackType, cbFunc: FinalizeCallbackFunc, userData: *mut c_void) -> AclError;
/// Remove a finalize hook.
T6 "02 init and finalize" AclRt fn aclFinalizeCallbackUnRegister(r#type: RegisterCallbackType, cbFunc: FinalizeCallbackFunc) -> AclError;
/// Counter-valued notify.
T6 "09 counter notify" AclRt fn aclrtCntNotifyCreate(cntNotify: *mut CntNotifyHandle, flag: u64) -> AclError;
/// Free counter notify.
T6 "09 counter notify" AclRt fn aclrtCntNotifyDestroy(cntNotify: CntNotifyHandle) -> AclError;
/// Enqueue store/add on counter.
T6 "09 counter notify" AclRt fn aclrtCntNotifyRecord(cntNotify: CntNotifyHandle, stream: StreamHandle, info: *mut CntNotifyRecordInfo) -> AclError;
/// Enqueue compare-wait on counter.
T6 "09 counter notify" AclRt fn aclrtCntNotifyWaitWithTimeout(cntNotify: CntNotifyHandle, stream: StreamHandle, info: *mut CntNotifyWaitInfo) -> AclError;
/// Enqueue counter clear.
T6 "09 counter notify" AclRt fn aclrtCntNotifyReset(cntNotify: CntNotifyHandle, stream: StreamHandle) -> AclError;
/// Numeric id of counter notify.
T6 "09 counter notify" AclRt fn aclrtCntNotifyGetId(cntNotify: CntNotifyHandle, notifyId: *mut u32) -> AclError;
/// Device memory, no extra 32-byte pad.
T6 "11-01 device memory" AclRt fn aclrtMallocAlign32(devPtr: *mut *mut c_void, size: usize, policy: MemMallocPolicy) -> AclError;
/// Device memory with cache enabled.
T6 "11-01 device memory" AclRt fn aclrtMallocCached(devPtr: *mut *mut c_void, size: usize, policy: MemMallocPolicy) -> AclError;
/// Device memory with attribute list.
T6 "11-01 device memory" AclRt fn aclrtMallocWithCfg(devPtr: *mut *mut c_void, size: usize, policy: MemMallocPolicy, cfg: *mut MallocConfig) -> AclError;
/// Device memory for the scheduler.
T6 "11-01 device memory" AclRt fn aclrtMallocForTaskScheduler(devPtr: *mut *mut c_void, size: usize, policy: MemMallocPolicy, cfg: *mut MallocConfig) -> AclError;
/// Write back cached range.
T6 "11-01 device memory" AclRt fn aclrtMemFlush(devPtr: *mut c_void, size: usize) -> AclError;
/// Drop cached range.
T6 "11-01 device memory" AclRt fn aclrtMemInvalidate(devPtr: *mut c_void, size: usize) -> AclError;
/// Wait for device, then release.
T6 "11-01 device memory" AclRt fn aclrtFreeWithDevSync(devPtr: *mut c_void) -> AclError;
/// Bytes used per component.
T6 "11-01 device memory" AclRt fn aclrtGetMemUsageInfo(deviceId: i32, memUsageInfo: *mut MemUsageInfo, inputNum: usize, outputNum: *mut usize) -> AclError;
/// Do addresses belong to given memory types.
T6 "11-01 device memory" AclRt fn aclrtCheckMemType(addrList: *mut *mut c_void, size: u32, memType: u32, checkResult: *mut u32, reserve: u32) -> AclError;
/// Blocking fill with 32-bit value.
T6 "11-03 copy and set" AclRt fn aclrtMemsetD32(ptr: *mut c_void, memSize: usize, value: u32, N: usize) -> AclError;
/// Queued fill with 32-bit value.
T6 "11-03 copy and set" AclRt fn aclrtMemsetD32Async(ptr: *mut c_void, memSize: usize, value: u32, N: usize, stream: StreamHandle) -> AclError;
/// Queued copy, sync fallback for pageable (old).
T6 "11-03 copy and set" AclRt fn aclrtMemcpyAsyncWithCondition(dst: *mut c_void, destMax: usize, src: *const c_void, count: usize, kind: MemcpyKind, stream: StreamHandle) -> AclError;
/// Blocking pitched copy.
T6 "11-03 copy and set" AclRt fn aclrtMemcpy2d(dst: *mut c_void, dpitch: usize, src: *const c_void, spitch: usize, width: usize, height: usize, kind: MemcpyKind) -> AclError;
/// Queued pitched copy.
T6 "11-03 copy and set" AclRt fn aclrtMemcpy2dAsync(dst: *mut c_void, dpitch: usize, src: *const c_void, spitch: usize, width: usize, height: usize, kind: MemcpyKind, stream: StreamHandle) -> AclError;
/// Size of copy descriptor.
T6 "11-03 copy and set" AclRt fn aclrtGetMemcpyDescSize(kind: MemcpyKind, descSize: *mut usize) -> AclError;
/// Fill copy descriptor.
T6 "11-03 copy and set" AclRt fn aclrtSetMemcpyDesc(desc: *mut c_void, kind: MemcpyKind, srcAddr: *mut c_void, dstAddr: *mut c_void, count: usize, config: *mut c_void) -> AclError;
/// Queued copy through pointer-to-pointer plus offset.
T6 "11-03 copy and set" AclRt fn aclrtMemcpyAsyncWithOffset(dst: *mut *mut c_void, destMax: usize, dstDataOffset: usize, src: *mut *const c_void, count: usize, srcDataOffset: usize, kind: MemcpyKind, stream: StreamHandle) -> AclError;
/// Queued copy from descriptor.
T6 "11-03 copy and set" AclRt fn aclrtMemcpyAsyncWithDesc(desc: *mut c_void, kind: MemcpyKind, stream: StreamHandle) -> AclError;
/// Blocking list of copies.
T6 "11-03 copy and set" AclRt fn aclrtMemcpyBatch(dsts: *mut *mut c_void, destMaxs: *mut usize, srcs: *mut *mut c_void, sizes: *mut usize, numBatches: usize, attrs: *mut MemcpyBatchAttr, attrsIndexes: *mut usize, numAttrs: usize, failIndex: *mut usize) -> AclError;
/// Blocking list of copies, no fail index.
T6 "11-03 copy and set" AclRt fn aclrtMemcpyBatchV2(dsts: *mut *mut c_void, destMaxs: *mut usize, srcs: *mut *mut c_void, sizes: *mut usize, numBatches: usize, attrs: *mut MemcpyBatchAttr, attrsIndexes: *mut usize, numAttrs: usize) -> AclError;
/// Queued list of copies.
T6 "11-03 copy and set" AclRt fn aclrtMemcpyBatchAsync(dsts: *mut *mut c_void, destMaxs: *mut usize, srcs: *mut *mut c_void, sizes: *mut usize, numBatches: usize, attrs: *mut MemcpyBatchAttr, attrsIndexes: *mut usize, numAttrs: usize, failIndex: *mut usize, stream: StreamHandle) -> AclError;
/// Queued list of copies, no fail index.
T6 "11-03 copy and set" AclRt fn aclrtMemcpyBatchAsyncV2(dsts: *mut *mut c_void, destMaxs: *mut usize, srcs: *mut *mut c_void, sizes: *mut usize, numBatches: usize, attrs: *mut MemcpyBatchAttr, attrsIndexes: *mut usize, numAttrs: usize, stream: StreamHandle) -> AclError;
/// Queued cache prefetch/flush/invalidate.
T6 "11-06 cache operations" AclRt fn aclrtCmoAsync(src: *mut c_void, size: usize, cmoType: CmoType, stream: StreamHandle) -> AclError;
/// Queued cache op with barrier id.
T6 "11-06 cache operations" AclRt fn aclrtCmoAsyncWithBarrier(src: *mut c_void, size: usize, cmoType: CmoType, barrierId: u32, stream: StreamHandle) -> AclError;
/// Queued wait for cache barrier.
T6 "11-06 cache operations" AclRt fn aclrtCmoWaitBarrier(taskInfo: *mut BarrierTaskInfo, stream: StreamHandle, flag: u32) -> AclError;
/// Size of cache-op descriptor.
T6 "11-06 cache operations" AclRt fn aclrtCmoGetDescSize(size: *mut usize) -> AclError;
/// Fill cache-op descriptor.
T6 "11-06 cache operations" AclRt fn aclrtCmoSetDesc(cmoDesc: *mut c_void, src: *mut c_void, size: usize) -> AclError;
/// Queued cache op from descriptor.
T6 "11-06 cache operations" AclRt fn aclrtCmoAsyncWithDesc(cmoDesc: *mut c_void, cmoType: CmoType, stream: StreamHandle, reserve: *const c_void) -> AclError;
/// New stream-ordered pool.
T6 "11-10 stream-ordered pools" AclRtMemorySoma fn aclrtMemPoolCreate(memPool: *mut MemPoolHandle, poolProps: *const MemPoolProps) -> AclError;
/// Free pool.
T6 "11-10 stream-ordered pools" AclRtMemorySoma fn aclrtMemPoolDestroy(memPool: MemPoolHandle) -> AclError;
/// Write pool attribute.
T6 "11-10 stream-ordered pools" AclRtMemorySoma fn aclrtMemPoolSetAttr(memPool: MemPoolHandle, attr: MemPoolAttr, value: *mut c_void) -> AclError;
/// Read pool attribute.
T6 "11-10 stream-ordered pools" AclRtMemorySoma fn aclrtMemPoolGetAttr(memPool: MemPoolHandle, attr: MemPoolAttr, value: *mut c_void) -> AclError;
/// Queued allocation from pool.
T6 "11-10 stream-ordered pools" AclRtMemorySoma fn aclrtMemPoolMallocAsync(ptr: *mut *mut c_void, size: usize, memPool: MemPoolHandle, stream: StreamHandle) -> AclError;
/// Queued release to pool.
T6 "11-10 stream-ordered pools" AclRtMemorySoma fn aclrtMemPoolFreeAsync(ptr: *mut c_void, stream: StreamHandle) -> AclError;
/// Shrink pool reserve.
T6 "11-10 stream-ordered pools" AclRtMemorySoma fn aclrtMemPoolTrimTo(memPool: MemPoolHandle, minBytesToKeep: usize) -> AclError;
/// Device address of a device variable.
T6 "11-11 device symbols" AclRt fn aclrtGetSymbolAddress(symbol: *const c_void, devPtr: *mut *mut c_void) -> AclError;
/// Size of a device variable.
T6 "11-11 device symbols" AclRt fn aclrtGetSymbolSize(symbol: *const c_void, size: *mut usize) -> AclError;
/// Read a device variable.
T6 "11-11 device symbols" AclRt fn aclrtMemcpyFromSymbol(dst: *mut c_void, dstMax: usize, symbol: *const c_void, count: usize, offset: usize, kind: MemcpyKind) -> AclError;
/// Queued read of device variable.
T6 "11-11 device symbols" AclRt fn aclrtMemcpyFromSymbolAsync(dst: *mut c_void, dstMax: usize, symbol: *const c_void, count: usize, offset: usize, kind: MemcpyKind, stream: StreamHandle) -> AclError;
/// Write a device variable.
T6 "11-11 device symbols" AclRt fn aclrtMemcpyToSymbol(symbol: *const c_void, src: *const c_void, count: usize, offset: usize, kind: MemcpyKind) -> AclError;
/// Queued write of device variable.
T6 "11-11 device symbols" AclRt fn aclrtMemcpyToSymbolAsync(symbol: *const c_void, src: *const c_void, count: usize, offset: usize, kind: MemcpyKind, stream: StreamHandle) -> AclError;
/// Host-side kernel binary descriptor (old).
T6 "14 kernels" AclRt fn aclrtCreateBinary(data: *const c_void, dataLen: usize) -> Binary;
/// Free that descriptor.
T6 "14 kernels" AclRt fn aclrtDestroyBinary(binary: Binary) -> AclError;
/// Load descriptor to device (old).
T6 "14 kernels" AclRt fn aclrtBinaryLoad(binary: Binary, binHandle: *mut BinHandle) -> AclError;
/// Device image address and size.
T6 "14 kernels" AclRt fn aclrtBinaryGetDevAddress(binHandle: BinHandle, binAddr: *mut *mut c_void, binSize: *mut usize) -> AclError;
/// Device variable by name.
T6 "14 kernels" AclRt fn aclrtBinaryGetGlobal(binHandle: BinHandle, name: *const CChar, dptr: *mut *mut c_void, size: *mut usize) -> AclError;
/// Device entry addresses of kernel.
T6 "14 kernels" AclRt fn aclrtGetFunctionAddr(funcHandle: FuncHandle, aicAddr: *mut *mut c_void, aivAddr: *mut *mut c_void) -> AclError;
/// Code sizes of kernel.
T6 "14 kernels" AclRt fn aclrtGetFunctionSize(funcHandle: FuncHandle, aicSize: *mut usize, aivSize: *mut usize) -> AclError;
/// Register AICPU kernel.
T6 "14 kernels" AclRt fn aclrtRegisterCpuFunc(handle: BinHandle, funcName: *const CChar, kernelName: *const CChar, funcHandle: *mut FuncHandle) -> AclError;
/// SIMT launch, pointer-array args (950).
T6 "14 kernels" AclRt fn aclrtLaunchSIMTKernelWithArgsArray(func: *mut c_void, gridDim: Dim3, blockDim: Dim3, dynUbufSize: usize, stream: StreamHandle, cfg: *mut LaunchKernelCfg, args: *mut *mut c_void) -> AclError;
/// SIMT launch, packed args (950).
T6 "14 kernels" AclRt fn aclrtLaunchSIMTKernelWithHostArgs(func: *mut c_void, gridDim: Dim3, blockDim: Dim3, dynUbufSize: usize, stream: StreamHandle, cfg: *mut LaunchKernelCfg, hostArgs: *mut c_void, argsSize: usize, placeHolderArray: *mut PlaceHolderInfo, placeHolderNum: usize) -> AclError;
/// Free UB bytes for dynamic use.
T6 "14 kernels" AclRt fn aclrtFunctionGetAvailDynUbufPerBlock(func: *mut c_void, flags: u32, dynamicUbufSize: *mut usize) -> AclError;
/// Select core group.
T6 "16 core groups" AclRt fn aclrtSetGroup(groupId: i32) -> AclError;
/// Number of groups.
T6 "16 core groups" AclRt fn aclrtGetGroupCount(count: *mut u32) -> AclError;
/// Group info object.
T6 "16 core groups" AclRt fn aclrtCreateGroupInfo() -> *mut GroupInfo;
/// Free it.
T6 "16 core groups" AclRt fn aclrtDestroyGroupInfo(groupInfo: *mut GroupInfo) -> AclError;
/// Fill info of all groups.
T6 "16 core groups" AclRt fn aclrtGetAllGroupInfo(groupInfo: *mut GroupInfo) -> AclError;
/// Read one group property.
T6 "16 core groups" AclRt fn aclrtGetGroupInfoDetail(groupInfo: *const GroupInfo, groupIndex: i32, attr: GroupAttr, attrValue: *mut c_void, valueLen: usize, paramRetSize: *mut usize) -> AclError;
/// Enable dump subsystem.
T6 "18 dump" AclRt fn aclmdlInitDump() -> AclError;
/// Apply dump JSON.
T6 "18 dump" AclRt fn aclmdlSetDump(dumpCfgPath: *const CChar) -> AclError;
/// Disable dump subsystem.
T6 "18 dump" AclRt fn aclmdlFinalizeDump() -> AclError;
/// Mbuf chain: item by index.
T6 "20 shared buffers" AclRt fn aclrtGetBufFromChain(headBuf: MbufHandle, index: u32, buf: *mut MbufHandle) -> AclError;
/// Mbuf chain: length.
T6 "20 shared buffers" AclRt fn aclrtGetBufChainNum(headBuf: MbufHandle, num: *mut u32) -> AclError;
/// Mbuf chain: append.
T6 "20 shared buffers" AclRt fn aclrtAppendBufChain(headBuf: MbufHandle, buf: MbufHandle) -> AclError;
/// Mbuf: new reference.
T6 "20 shared buffers" AclRt fn aclrtCopyBufRef(buf: MbufHandle, newBuf: *mut MbufHandle) -> AclError;
/// Mbuf: read private area.
T6 "20 shared buffers" AclRt fn aclrtGetBufUserData(buf: MbufHandle, dataPtr: *mut c_void, size: usize, offset: usize) -> AclError;
/// Mbuf: write private area.
T6 "20 shared buffers" AclRt fn aclrtSetBufUserData(buf: MbufHandle, dataPtr: *const c_void, size: usize, offset: usize) -> AclError;
/// Mbuf: data pointer.
T6 "20 shared buffers" AclRt fn aclrtGetBufData(buf: MbufHandle, dataPtr: *mut *mut c_void, size: *mut usize) -> AclError;
/// Mbuf: valid length.
T6 "20 shared buffers" AclRt fn aclrtGetBufDataLen(buf: MbufHandle, len: *mut usize) -> AclError;
/// Mbuf: set valid length.
T6 "20 shared buffers" AclRt fn aclrtSetBufDataLen(buf: MbufHandle, len: usize) -> AclError;
/// Mbuf: free.
T6 "20 shared buffers" AclRt fn aclrtFreeBuf(buf: MbufHandle) -> AclError;
/// Mbuf: allocate.
T6 "20 shared buffers" AclRt fn aclrtAllocBuf(buf: *mut MbufHandle, size: usize) -> AclError;
/// Freeze API calls of a process.
T6 "21 snapshot" AclRt fn aclrtSnapShotProcessLock(pid: CInt, reserve: *mut c_void) -> AclError;
/// Unfreeze.
T6 "21 snapshot" AclRt fn aclrtSnapShotProcessUnlock(pid: CInt, reserve: *mut c_void) -> AclError;
/// Save device state.
T6 "21 snapshot" AclRt fn aclrtSnapShotProcessBackup(pid: CInt, args: *mut SnapShotBackupArgs) -> AclError;
/// Restore device state.
T6 "21 snapshot" AclRt fn aclrtSnapShotProcessRestore(pid: CInt, args: *mut SnapShotRestoreArgs) -> AclError;
/// Hook per snapshot stage.
T6 "21 snapshot" AclRt fn aclrtSnapShotCallbackRegister(stage: SnapShotStage, callback: SnapShotCallback, args: *mut c_void) -> AclError;
/// Remove hook.
T6 "21 snapshot" AclRt fn aclrtSnapShotCallbackUnregister(stage: SnapShotStage, callback: SnapShotCallback) -> AclError;
    } };
}
