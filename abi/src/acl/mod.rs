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
//! Facts come from the public headers of the CANN runtime, version 9.1.0 (ACL 1.17.0). Here are all its exported functions
//! but `aclAppLog`, which takes a variable argument list and is C code of `sim/ascendcl`. Not here: the C++ overloads of
//! `acl_rt_api.h`, operators and models of other packages.
//!
//! Tiers say how early programs need a function: T0 (24) nearly all, T1 asynchronous work, T2 kernels by handle, T3 what else
//! one process needs, T4 graphs, T5 sharing between processes, T6 everything else.

mod api;
mod callbacks;
mod consts;
mod enums;
mod errors;
pub mod functions;
pub mod header;
mod structs;

pub use api::{AclApi, AclFn, FUNCTIONS, NotSupported, Param, Tier};
pub use callbacks::*;
pub use consts::*;
pub use enums::*;
pub use errors::{AclError, ERRORS, ErrorClass, ErrorInfo};
pub use header::Header;
pub use structs::*;

/// The names that the rows of [`for_each_acl_fn`](crate::for_each_acl_fn) use; import all of it where rows expand.
pub mod sig {
    pub use super::{
        AclError, Allocator, AllocatorAllocAdviseFunc, AllocatorAllocFunc, AllocatorDesc, AllocatorFreeFunc,
        AllocatorGetAddrFromBlockFunc, ArgsHandle, AtomicOperation, BarrierTaskInfo, BinHandle, Binary,
        BinaryLoadOptions, Callback, CallbackBlockType, CannAttr, CannPackageName, CannPackageVersion,
        CmoType, CntNotifyHandle, CntNotifyRecordInfo, CntNotifyWaitInfo, CompareDataType, Condition,
        ContextHandle, DataBuffer, DataType, DevAttr, DevFeatureType, DevResLimitType, DeviceErrorInfo,
        DeviceInfo, DeviceLimit, DeviceStateCallback, DeviceStatus, DeviceTaskAbortCallback, Dim3,
        DrvMemHandle, EventHandle, EventRecordedStatus, EventStatus, EventWaitStatus, ExceptionInfo,
        ExceptionInfoCallback, FinalizeCallbackFunc, Float16, FloatOverflowMode, FuncAttribute, FuncHandle,
        GroupAttr, GroupInfo, HacType, HostFunc, HostMemMapCapability, HostRegisterType, InitCallbackFunc,
        IpcEventHandle, IpcMemAttrType, LabelHandle, LabelListHandle, LastErrLevel, LaunchKernelAttrId,
        LaunchKernelAttrValue, LaunchKernelCfg, MallocConfig, MbufHandle, MemAccessDesc, MemAttr,
        MemGranularityOptions, MemHandleType, MemLinkType, MemLocation, MemMallocPolicy,
        MemManagedAdviseType, MemManagedLocation, MemManagedRangeAttribute, MemPoolAttr, MemPoolHandle,
        MemPoolProps, MemSharedHandleType, MemUceInfo, MemUsageInfo, MemcpyBatchAttr, MemcpyKind,
        NotifyHandle, OpExceptionCallback, ParamHandle, PhysicalMemProp, PlaceHolderInfo, PtrAttributes,
        RandomNumTaskInfo, ReduceKind, RegisterCallbackType, RiCaptureMode, RiCaptureStatus, RiCondHandle,
        RiCondHandleFlag, RiCondTaskParams, RiHandle, RiTaskHandle, RiTaskParams, RiTaskType, RunMode,
        ServerPid, SnapShotBackupArgs, SnapShotCallback, SnapShotRestoreArgs, SnapShotStage, StreamAttr,
        StreamAttrValue, StreamConfig, StreamConfigAttr, StreamHandle, StreamStateCallback, StreamStatus,
        SysParamOpt, TaskGrpHandle, TaskUpdateInfo, TsId, UtilizationInfo, Uuid,
    };
    pub use crate::layout::{CChar, CInt};
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
        assert_eq!(Tier::ALL.map(count), [24, 40, 29, 142, 46, 34, 88]);
    }

    #[test]
    fn enum_values_from_c_that_have_no_name_are_kept() {
        assert_eq!(MemcpyKind(77).name(), None);
        assert_eq!(MemcpyKind::HOST_TO_DEVICE.name(), Some("ACL_MEMCPY_HOST_TO_DEVICE"));
    }
}
