//! The functions below and beside ACL that generated code and older hosts call: `libruntime.so` (`rt*`),
//! `libmsprofiler.so` (`Msprof*`), the start-up code of Ascend C (`…Ascend…`).
//!
//! A row is `library fn name(args) -> result;` with its documentation, in the manner of [`crate::acl::functions`]. The
//! rows make [`RtApi`] (a table of pointers), the exported symbols, and the C prototypes of [`header`].
//!
//! Only what pyasc, the public host stubs of Ascend C and kernels launched with `<<<>>>` use; what the rest of
//! `libruntime.so` does is done by ACL. Result codes are those of ACL.

pub mod header;

use crate::acl::NotSupported;
use crate::acl::sig::{AclError, CChar, StreamHandle, c_void};
use crate::layout::{CType, CTyped, FieldLayout, StructLayout};
use core::fmt;

/// The names that the rows use; import all of it where rows expand.
pub mod sig {
    pub use super::{DevBinary, ProfCommandHandle};
    pub use crate::acl::sig::{AclError, CChar, StreamHandle, c_void};
}

/// A kernel binary as the program describes it to `rtDevBinaryRegister`.
#[doc(alias = "rtDevBinary_t")]
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct DevBinary {
    /// `ACL_RT_BINARY_MAGIC_ELF_*`.
    pub magic: u32,
    /// 0.
    pub version: u32,
    /// First byte.
    pub data: *const c_void,
    /// Size in bytes.
    pub length: u64,
}

impl CTyped for DevBinary {
    const C: CType = CType::Named("rtDevBinary_t");
}

impl DevBinary {
    /// Layout and names in C.
    pub const LAYOUT: StructLayout = StructLayout {
        name: "rtDevBinary_t",
        is_union: false,
        size_bytes: size_of::<DevBinary>(),
        align_bytes: align_of::<DevBinary>(),
        fields: &[
            field("magic", <u32 as CTyped>::C, core::mem::offset_of!(DevBinary, magic), 4),
            field("version", <u32 as CTyped>::C, core::mem::offset_of!(DevBinary, version), 4),
            field("data", <*const c_void as CTyped>::C, core::mem::offset_of!(DevBinary, data), 8),
            field("length", <u64 as CTyped>::C, core::mem::offset_of!(DevBinary, length), 8),
        ],
        doc: "a kernel binary as the program describes it",
    };
}

const fn field(name: &'static str, ty: CType, offset_bytes: usize, size_bytes: usize) -> FieldLayout {
    FieldLayout { name, ty, offset_bytes, size_bytes, doc: "" }
}

/// What a profiler calls when profiling is switched on or off: type of command, its data, their size.
pub type ProfCommandHandle = Option<unsafe extern "C" fn(u32, *mut c_void, u32) -> i32>;

impl CTyped for ProfCommandHandle {
    const C: CType = CType::Named("ProfCommandHandle");
}

/// Largest text of `rtGetSocVersion`, terminator included, that callers make room for.
pub const SOC_VERSION_BYTES: u32 = 50;
/// `rtGetDeviceInfo`: module AI Core.
pub const MODULE_AICORE: i32 = 4;
/// `rtGetDeviceInfo`: module vector core.
pub const MODULE_VECTOR_CORE: i32 = 7;
/// `rtGetDeviceInfo`: number of cores.
pub const INFO_CORE_NUM: i32 = 3;

/// A library that a function is looked for in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Library {
    /// `libruntime.so`.
    Runtime,
    /// `libmsprofiler.so`, `libprofapi.so`.
    Profiler,
    /// `libascendc_runtime.a`.
    AscendC,
}

/// One function as data. Displays as its C prototype without the final semicolon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RtFn {
    /// Symbol.
    pub name: &'static str,
    /// Where it is looked for.
    pub library: Library,
    /// Result type in C.
    pub ret: CType,
    /// Parameters in order: name and type in C.
    pub params: &'static [(&'static str, CType)],
    /// What it does.
    pub doc: &'static str,
}

impl fmt::Display for RtFn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}(", self.ret, self.name)?;
        if self.params.is_empty() {
            f.write_str("void")?;
        }
        for (i, (name, ty)) in self.params.iter().enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            write!(f, "{comma}{}", ty.declare(name))?;
        }
        f.write_str(")")
    }
}

/// Calls the macro `$cb` with all rows; `use toprope_abi::rt::sig::*` must be in scope where the expansion names types.
#[macro_export]
macro_rules! for_each_rt_fn {
    ($cb:ident) => { $cb! {
// ---- libruntime.so: device ------------------------------------------------------------------------------------------
/// Name of the chip, as `aclrtGetSocName`.
Runtime fn rtGetSocVersion(version: *mut CChar, maxLen: u32) -> AclError;
/// Number of visible devices.
Runtime fn rtGetDeviceCount(count: *mut i32) -> AclError;
/// A number of a device; module 4 (AI Core) or 7 (vector core), info 3 (number of cores).
Runtime fn rtGetDeviceInfo(deviceId: u32, moduleType: i32, infoType: i32, value: *mut i64) -> AclError;
/// As `aclrtSetDevice`.
Runtime fn rtSetDevice(deviceId: i32) -> AclError;
/// As `aclrtGetDevice`.
Runtime fn rtGetDevice(deviceId: *mut i32) -> AclError;
/// As `aclrtResetDevice`.
Runtime fn rtDeviceReset(deviceId: i32) -> AclError;
/// As `aclrtSynchronizeDevice`.
Runtime fn rtDeviceSynchronize() -> AclError;
/// As `aclrtSynchronizeDeviceWithTimeout`.
Runtime fn rtDeviceSynchronizeWithTimeout(timeout: i32) -> AclError;
/// Address that kernels use to synchronise cores, and its size.
Runtime fn rtGetC2cCtrlAddr(addr: *mut u64, len: *mut u32) -> AclError;
// ---- streams --------------------------------------------------------------------------------------------------------
/// As `aclrtCreateStreamWithConfig` without flags.
Runtime fn rtStreamCreate(stream: *mut StreamHandle, priority: i32) -> AclError;
/// As `aclrtCreateStreamWithConfig`.
Runtime fn rtStreamCreateWithFlags(stream: *mut StreamHandle, priority: i32, flags: u32) -> AclError;
/// As `aclrtDestroyStream`.
Runtime fn rtStreamDestroy(stream: StreamHandle) -> AclError;
/// As `aclrtSynchronizeStream`.
Runtime fn rtStreamSynchronize(stream: StreamHandle) -> AclError;
/// As `aclrtSynchronizeStreamWithTimeout`.
Runtime fn rtStreamSynchronizeWithTimeout(stream: StreamHandle, timeout: i32) -> AclError;
/// The default stream of the current context.
Runtime fn rtCtxGetCurrentDefaultStream(stream: *mut StreamHandle) -> AclError;
// ---- memory ---------------------------------------------------------------------------------------------------------
/// Device memory. Whole pages are usable, as on the device: what lies behind the size up to the page's end is no error.
Runtime fn rtMalloc(devPtr: *mut *mut c_void, size: u64, memType: u32, moduleId: u16) -> AclError;
/// As `aclrtFree`.
Runtime fn rtFree(devPtr: *mut c_void) -> AclError;
/// As `aclrtMemcpy`.
Runtime fn rtMemcpy(dst: *mut c_void, destMax: u64, src: *const c_void, count: u64, kind: u32) -> AclError;
/// As `aclrtMemcpyAsync`.
Runtime fn rtMemcpyAsync(dst: *mut c_void, destMax: u64, src: *const c_void, count: u64, kind: u32, stream: StreamHandle) -> AclError;
/// As `aclrtMemset`.
Runtime fn rtMemset(devPtr: *mut c_void, destMax: u64, value: u32, count: u64) -> AclError;
// ---- kernels --------------------------------------------------------------------------------------------------------
/// Loads a kernel binary from memory.
Runtime fn rtDevBinaryRegister(bin: *const DevBinary, handle: *mut *mut c_void) -> AclError;
/// Unloads it, with the kernels registered for it.
Runtime fn rtDevBinaryUnRegister(handle: *mut c_void) -> AclError;
/// Checks the handle; all memory is equally fast here.
Runtime fn rtBinaryRegisterToFastMemory(handle: *mut c_void) -> AclError;
/// Checks both handles; binaries do not depend on each other here.
Runtime fn rtDependencyRegister(mHandle: *mut c_void, sHandle: *mut c_void) -> AclError;
/// Checks the handle; the text is for tools.
Runtime fn rtMetadataRegister(handle: *mut c_void, metadata: *const CChar) -> AclError;
/// Gives a stub (any address) the kernel with the name `kernelInfoExt`, or `stubName` if that is null.
Runtime fn rtFunctionRegister(binHandle: *mut c_void, stubFunc: *const c_void, stubName: *const CChar, kernelInfoExt: *const c_void, funcMode: u32) -> AclError;
/// Gives a host function its kernel.
Runtime fn rtRegisterFuncSymbol(binHandle: *mut c_void, symbol: *const c_void, kernelName: *const CChar, reserve: *mut c_void) -> AclError;
/// Makes a device variable known by the address of its host twin.
Runtime fn rtRegisterVariable(binHandle: *mut c_void, hostVar: *const c_void, deviceVarName: *const CChar, size: usize, flags: u32, reserve: *mut c_void) -> ();
/// As `aclrtGetFuncBySymbol`.
Runtime fn rtGetFuncBySymbol(symbol: *const c_void, funcHandle: *mut *mut c_void) -> AclError;
/// Address and size on the current device of a variable of `rtRegisterVariable`.
Runtime fn rtSymbolLookup(hostVar: *const c_void, devPtr: *mut *mut c_void, size: *mut usize) -> AclError;
/// Size of what `rtFunctionGetMetaInfo` gives.
Runtime fn rtFunctionGetMetaInfoSize(funcHandle: *mut c_void, metaType: u32, size: *mut usize) -> AclError;
/// A property of a kernel: 1 kind of core, 3 cores per block, 14 entry key.
Runtime fn rtFunctionGetMetaInfo(funcHandle: *mut c_void, metaType: u32, data: *mut c_void, length: u32) -> AclError;
/// Launches the kernel of a stub with arguments in host memory.
Runtime fn rtKernelLaunch(stubFunc: *const c_void, numBlocks: u32, args: *mut c_void, argsSize: u32, smDesc: *mut c_void, stream: StreamHandle) -> AclError;
/// As `aclrtLaunchKernelWithArgsArray` without a configuration.
Runtime fn rtLaunchKernelWithArgsArray(func: *mut c_void, numBlocks: u32, stream: StreamHandle, cfg: *mut c_void, args: *mut *mut c_void) -> AclError;
/// Begins a launch in the calling thread; `rtSetupArgument` and `rtLaunch` follow.
Runtime fn rtConfigureCall(numBlocks: u32, smDesc: *mut c_void, stream: StreamHandle) -> AclError;
/// Puts an argument at an offset of the launch that `rtConfigureCall` began.
Runtime fn rtSetupArgument(args: *const c_void, size: u32, offset: u32) -> AclError;
/// Launches what `rtConfigureCall` began.
Runtime fn rtLaunch(stubFunc: *const c_void) -> AclError;
/// Accepts a command of a profiler; `toprope` reports launches by itself.
Runtime fn rtProfSetProSwitch(data: *mut c_void, len: u32) -> AclError;
// ---- libmsprofiler.so -----------------------------------------------------------------------------------------------
/// A clock that only grows, nanoseconds.
Profiler fn MsprofSysCycleTime() -> u64;
/// Number of a text: the same for the same text in one process.
Profiler fn MsprofGetHashId(hashInfo: *const CChar, length: usize) -> u64;
/// As `MsprofGetHashId`.
Profiler fn MsprofStr2Id(hashInfo: *const CChar, length: usize) -> u64;
/// The text of such a number, or null.
Profiler fn MsprofId2Str(id: u64) -> *const CChar;
/// Keeps a callback of a module. It is not called: profiling is never switched on by an outside tool.
Profiler fn MsprofRegisterCallback(moduleId: u32, handle: ProfCommandHandle) -> i32;
/// Takes a record and drops it: no profiler listens.
Profiler fn MsprofReportApi(nonPersistantFlag: u32, api: *const c_void) -> i32;
/// As `MsprofReportApi`.
Profiler fn MsprofReportEvent(nonPersistantFlag: u32, event: *const c_void) -> i32;
/// As `MsprofReportApi`.
Profiler fn MsprofReportCompactInfo(nonPersistantFlag: u32, data: *mut c_void, length: u32) -> i32;
/// As `MsprofReportApi`.
Profiler fn MsprofReportAdditionalInfo(nonPersistantFlag: u32, data: *mut c_void, length: u32) -> i32;
/// As `MsprofReportApi`.
Profiler fn MsprofRegTypeInfo(level: u16, typeId: u32, typeName: *const CChar) -> i32;
/// Whether an operator is profiled: never.
Profiler fn MsprofCheckOpSwitch(kind: u32, op: *const CChar, len: usize) -> bool;
// ---- libascendc_runtime.a -------------------------------------------------------------------------------------------
/// Loads a kernel binary from memory. 0, or an ACL code.
AscendC fn RegisterAscendBinary(fileBuf: *const CChar, fileSize: usize, kind: u32, handle: *mut *mut c_void) -> u32;
/// Unloads it. 0, or an ACL code.
AscendC fn UnregisterAscendBinary(handle: *mut c_void) -> i32;
/// Launches the kernel with an entry key. 0, or an ACL code.
AscendC fn LaunchAscendKernel(handle: *mut c_void, key: u64, numBlocks: u32, args: *mut *mut c_void, size: u32, stream: StreamHandle) -> u32;
/// Loads a kernel binary from memory, lazily. 0, or an ACL code.
AscendC fn AscendDevBinaryLazyRegister(binBuf: *const CChar, binSize: usize, handle: *mut *mut c_void) -> i32;
/// The kernel with a name. 0, or an ACL code.
AscendC fn AscendGetFuncFromBinary(binHandle: *mut c_void, kernelName: *const CChar, funcHandle: *mut *mut c_void) -> i32;
/// Launches a kernel with arguments in host memory. 0, or an ACL code.
AscendC fn AscendLaunchKernelWithHostArgs(funcHandle: *mut c_void, numBlocks: u32, stream: *mut c_void, hostArgs: *mut c_void, argsSize: usize, ubufDynamicSize: u32) -> i32;
/// Whether kernels for this chip can run here; else a reason in `errMsg` (1024 bytes).
AscendC fn AscendCheckSoCVersion(socVersion: *const CChar, errMsg: *mut CChar) -> bool;
/// As `aclrtGetHardwareSyncAddr`.
AscendC fn GetAscendCoreSyncAddr(addr: *mut *mut c_void) -> u32;
/// Device memory for the output of kernels.
AscendC fn AllocAscendMemDevice(devMem: *mut *mut c_void, size: u64) -> u32;
/// Frees it.
AscendC fn FreeAscendMemDevice(devMem: *mut c_void) -> u32;
/// Nothing to do: no profiler listens.
AscendC fn AscendProfRegister() -> ();
/// Whether launches are profiled by an outside tool: never.
AscendC fn GetAscendProfStatus() -> bool;
/// Time at which a launch begins.
AscendC fn StartAscendProf(name: *const CChar, startTime: *mut u64) -> ();
/// Takes the record of a launch and drops it: no profiler listens.
AscendC fn ReportAscendProf(name: *const CChar, numBlocks: u32, taskType: u32, startTime: u64) -> ();
/// Numbers of cube and vector cores.
AscendC fn GetCoreNumForMixVectorCore(aiCoreNum: *mut u32, vectorCoreNum: *mut u32) -> u32;
    } };
}

macro_rules! define_api {
    ($(
        $(#[doc = $doc:literal])+
        $library:ident fn $name:ident($($arg:ident: $ty:ty),*) -> $ret:ty;
    )*) => {
        /// The table of C functions, one field per symbol.
        ///
        /// # Safety
        ///
        /// Pointers are valid for the stated sizes, handles come from this runtime.
        #[allow(non_snake_case, reason = "a field has the name of its C symbol")]
        #[repr(C)]
        #[derive(Clone, Copy)]
        pub struct RtApi {
            $( $(#[doc = $doc])+ pub $name: unsafe extern "C" fn($($arg: $ty),*) -> $ret, )*
        }

        impl fmt::Debug for RtApi {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct("RtApi").finish_non_exhaustive()
            }
        }

        /// All functions as data, in the order of [`RtApi`].
        pub static FUNCTIONS: &[RtFn] = &[$(RtFn {
            name: stringify!($name),
            library: Library::$library,
            ret: <$ret as CTyped>::C,
            params: &[$((stringify!($arg), <$ty as CTyped>::C)),*],
            doc: concat!($($doc, "\n"),+),
        },)*];
    };
}

crate::for_each_rt_fn!(define_api);

impl NotSupported for bool {
    const ANSWER: Self = false;
}
impl NotSupported for () {
    const ANSWER: Self = ();
}
impl NotSupported for i32 {
    const ANSWER: Self = -1;
}
impl NotSupported for u64 {
    const ANSWER: Self = 0;
}

impl CTyped for bool {
    const C: CType = CType::Named("bool");
}

static_assertions::const_assert_eq!(size_of::<DevBinary>(), 24);
