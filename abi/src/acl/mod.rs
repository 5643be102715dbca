//! The runtime contract: the C ABI of the CANN runtime (ACL), as data.
//!
//! ```text
//! enums, structs, errors, functions   tables; the only place where a name or a number is written down
//!        │
//!        ├─▶ Rust types and AclApi       used by sim (fills it), sim/ascendcl (exports it), host (calls through it)
//!        ├─▶ FUNCTIONS, ERRORS, …        used by tests, `toprope explain`, documentation
//!        └─▶ header                      writes include/acl/*.h
//! ```
//!
//! Facts come from the public headers of the CANN runtime, version 9.1.0 (ACL 1.17.0). Here are the functions of tiers
//! T0 (24) and T1 (40), the nine of T2 that launching a kernel needs, and one of T3; the rest are rows to add in [`functions`].
//! Does not include variadic functions, the C++ overloads of `acl_rt_api.h`, operators and models.
//!
//! # Functions
//!
//! | tier | functions |
//! |---|---|
//! | T0 | `aclInit` `aclFinalize`; `aclrtSetDevice` `ResetDevice` `ResetDeviceForce` `GetDevice` `GetDeviceCount` `GetSocName` `SynchronizeDevice`; `CreateContext` `DestroyContext` `SetCurrentContext` `GetCurrentContext`; `CreateStream` `DestroyStream` `DestroyStreamForce` `SynchronizeStream`; `Malloc` `Free` `MallocHost` `FreeHost` `Memcpy` `Memset`; `aclGetRecentErrMsg` |
//! | T1 | `aclrtMemcpyAsync` `MemsetAsync` `GetMemInfo`; `CreateStreamWithConfig` `SynchronizeStreamWithTimeout` `StreamQuery` `SetStreamFailureMode` `SynchronizeDeviceWithTimeout`; `CreateEvent` `CreateEventWithFlag` `CreateEventExWithFlag` `DestroyEvent` `RecordEvent` `ResetEvent` `QueryEvent` `QueryEventStatus` `QueryEventWaitStatus` `SynchronizeEvent` `SynchronizeEventWithTimeout` `EventElapsedTime` `EventGetTimestamp` `StreamWaitEvent` `StreamWaitEventWithTimeout`; `PeekAtLastError` `GetLastError`; `GetRunMode` `GetDeviceInfo`; `aclFloat16ToFloat` `aclFloatToFloat16` `aclDataTypeSize`; `aclCreateDataBuffer` `aclDestroyDataBuffer` `aclUpdateDataBuffer` `aclGetDataBufferAddr` `aclGetDataBufferSize` `aclGetDataBufferSizeV2`; `aclrtGetVersion` `aclsysGetCANNVersion` `aclsysGetVersionStr` `aclsysGetVersionNum` |
//! | T2 | `aclrtBinaryLoadFromFile` `BinaryLoadFromData` `BinaryUnLoad` `BinaryGetFunction` `BinaryGetFunctionByEntry` `GetFunctionName` `FunctionGetParamCount` `FunctionGetParamInfo` `LaunchKernelWithHostArgs` |
//! | T3 | `aclFinalizeReference` |

mod api;
mod enums;
mod errors;
pub mod functions;
pub mod header;
mod structs;

pub use api::{AclApi, AclFn, FUNCTIONS, NotSupported, Param, Tier};
pub use enums::*;
pub use errors::{AclError, ERRORS, ErrorClass, ErrorInfo};
pub use header::Header;
pub use structs::*;

/// The names that the rows of [`for_each_acl_fn`](crate::for_each_acl_fn) use; import all of it where rows expand.
pub mod sig {
    pub use super::{
        AclError, BinHandle, BinaryLoadOptions, CannPackageName, CannPackageVersion, ContextHandle,
        DataBuffer, DataType, DevAttr, EventHandle, EventRecordedStatus, EventStatus, EventWaitStatus,
        Float16, FuncHandle, LastErrLevel, LaunchKernelCfg, MemAttr, MemMallocPolicy, MemcpyKind,
        PlaceHolderInfo, RunMode, StreamHandle, StreamStatus,
    };
    pub use crate::layout::CChar;
    pub use core::ffi::c_void;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_table_is_sorted_and_unique() {
        assert!(ERRORS.windows(2).all(|w| w[0].code.0 < w[1].code.0));
    }

    #[test]
    fn known_and_unknown_codes_answer() {
        assert_eq!(AclError::RT_PARAM_INVALID.name(), "ACL_ERROR_RT_PARAM_INVALID");
        assert_eq!(AclError(507035).class(), ErrorClass::DeviceFault);
        assert_eq!(AclError(1).class(), ErrorClass::Unknown);
        assert_eq!(AclError(1).name(), "unknown ACL error");
        assert_eq!(AclError::SUCCESS.class(), ErrorClass::Success);
        assert!(!AclError(123).help().is_empty());
    }

    #[test]
    fn tiers_have_the_counts_of_the_documentation() {
        let count = |tier| FUNCTIONS.iter().filter(|f| f.tier == tier).count();
        assert_eq!([Tier::T0, Tier::T1, Tier::T2, Tier::T3].map(count), [24, 40, 9, 1]);
    }

    #[test]
    fn enum_values_from_c_that_have_no_name_are_kept() {
        assert_eq!(MemcpyKind(77).name(), None);
        assert_eq!(MemcpyKind::HOST_TO_DEVICE.name(), Some("ACL_MEMCPY_HOST_TO_DEVICE"));
    }
}
