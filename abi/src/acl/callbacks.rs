//! The function types of the ACL headers: what programs register to be called.
//!
//! Each is a nullable C function pointer in a newtype. Calling one runs the program's code: the runtime does it on the
//! thread that the function's documentation names, and never while it holds a lock.

use crate::acl::AclError;
use crate::acl::enums::{DeviceState, DeviceTaskAbortStage, StreamState};
use crate::acl::structs::{Allocator, AllocatorAddr, AllocatorBlock, ExceptionInfo, StreamHandle};
use crate::layout::{CChar, CType, CTyped};
use core::ffi::c_void;

/// A function type: name in C, result, parameters and what it is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallbackLayout {
    /// Name in C.
    pub name: &'static str,
    /// Result type in C.
    pub ret: CType,
    /// Type and name of each parameter.
    pub params: &'static [(CType, &'static str)],
    /// What it is for.
    pub doc: &'static str,
}

macro_rules! acl_callbacks {
    ($list:ident: $( $name:ident = $c:literal, fn($($arg:ident as $carg:literal: $ty:ty),*) -> $ret:ty, $doc:literal; )*) => {
        $(
            #[doc = concat!($doc, ".")]
            ///
            /// Null where C passes no function.
            #[doc(alias = $c)]
            #[repr(transparent)]
            #[derive(Debug, Clone, Copy)]
            pub struct $name(pub Option<unsafe extern "C" fn($($arg: $ty),*) -> $ret>);

            impl CTyped for $name {
                const C: CType = CType::Named($c);
            }
        )*

        #[doc = concat!("The function types of this table (", stringify!($list), ").")]
        pub static $list: &[CallbackLayout] = &[$(CallbackLayout {
            name: $c,
            ret: <$ret as CTyped>::C,
            params: &[$((<$ty as CTyped>::C, $carg)),*],
            doc: $doc,
        }),*];
    };
}

acl_callbacks! { ALLOCATOR_CALLBACKS:
    AllocatorAllocFunc = "aclrtAllocatorAllocFunc", fn(allocator as "allocator": Allocator, size as "size": usize) -> *mut c_void, "Allocates a block";
    AllocatorFreeFunc = "aclrtAllocatorFreeFunc", fn(allocator as "allocator": Allocator, block as "block": AllocatorBlock) -> (), "Frees a block";
    AllocatorAllocAdviseFunc = "aclrtAllocatorAllocAdviseFunc", fn(allocator as "allocator": Allocator, size as "size": usize, addr as "addr": AllocatorAddr) -> *mut c_void, "Allocates a block, if possible at an address";
    AllocatorGetAddrFromBlockFunc = "aclrtAllocatorGetAddrFromBlockFunc", fn(block as "block": AllocatorBlock) -> *mut c_void, "The address of a block";
}
acl_callbacks! { RT_CALLBACKS:
    Callback = "aclrtCallback", fn(user_data as "userData": *mut c_void) -> (), "Called by a stream in its order, on a thread of the program's";
    HostFunc = "aclrtHostFunc", fn(args as "args": *mut c_void) -> (), "Called by a stream in its order";
    ExceptionInfoCallback = "aclrtExceptionInfoCallback", fn(exception_info as "exceptionInfo": *mut ExceptionInfo) -> (), "Called when a task fails";
    OpExceptionCallback = "aclrtOpExceptionCallback", fn(exception_info as "exceptionInfo": *mut ExceptionInfo, user_data as "userData": *mut c_void) -> (), "Called when a kernel of a binary fails";
    DeviceStateCallback = "aclrtDeviceStateCallback", fn(device_id as "deviceId": i32, state as "state": DeviceState, args as "args": *mut c_void) -> (), "Called before and after a device is selected or reset";
    SnapShotCallback = "aclrtSnapShotCallBack", fn(device_id as "deviceId": i32, args as "args": *mut c_void) -> u32, "Called at a stage of a snapshot; anything but 0 stops it";
    StreamStateCallback = "aclrtStreamStateCallback", fn(stream as "stm": StreamHandle, state as "state": StreamState, args as "args": *mut c_void) -> (), "Called when a stream was made and before it is destroyed";
    DeviceTaskAbortCallback = "aclrtDeviceTaskAbortCallback", fn(device_id as "deviceId": i32, stage as "stage": DeviceTaskAbortStage, timeout as "timeout": u32, args as "args": *mut c_void) -> i32, "Called before and after the tasks of a device are aborted";
    InitCallbackFunc = "aclInitCallbackFunc", fn(config as "configStr": *const CChar, size as "len": usize, user_data as "userData": *mut c_void) -> AclError, "Called by aclInit with the text of its configuration";
    FinalizeCallbackFunc = "aclFinalizeCallbackFunc", fn(user_data as "userData": *mut c_void) -> AclError, "Called by aclFinalize";
}
