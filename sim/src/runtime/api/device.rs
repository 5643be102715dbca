//! Initialisation, devices, contexts.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

use super::super::device::Device;
use super::super::failure::{Answer, refuse};
use super::super::process;
use super::super::state::{deadline_of, runtime};
use super::{check_out, give, text};
use std::ffi::c_void;
use toprope_abi::acl::{AclError, ContextHandle, DevAttr, RunMode};
use toprope_abi::layout::CChar;

pub unsafe fn aclInit(config_path: *const CChar) -> Answer {
    if config_path.is_null() {
        return runtime().init(None);
    }
    // SAFETY: not null, NUL-terminated (contract of the C function).
    let path = unsafe { text("configPath", config_path) }?;
    runtime().init(Some(path.into_owned()))
}

pub unsafe fn aclFinalize() -> Answer {
    runtime().finalize()
}

pub unsafe fn aclFinalizeReference(count: *mut u64) -> Answer {
    let left = runtime().finalize_reference();
    if !count.is_null() {
        // SAFETY: not null, and the caller promises a valid integer.
        unsafe { count.write(*left.as_ref().unwrap_or(&0)) };
    }
    left.map(drop)
}

pub unsafe fn aclrtSetDevice(id: i32) -> Answer {
    runtime().set_device(id)
}

pub unsafe fn aclrtResetDevice(id: i32) -> Answer {
    runtime().reset_device(id, false, "aclrtResetDevice")
}

pub unsafe fn aclrtResetDeviceForce(id: i32) -> Answer {
    runtime().reset_device(id, true, "aclrtResetDeviceForce")
}

pub unsafe fn aclrtGetDevice(id: *mut i32) -> Answer {
    check_out("deviceId", id)?;
    let context = runtime().current()?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("deviceId", id, context.device.index as i32) }
}

pub unsafe fn aclrtGetDeviceCount(count: *mut u32) -> Answer {
    check_out("count", count)?;
    let runtime = runtime();
    runtime.chip.as_ref().map_err(Clone::clone)?;
    let visible = runtime.environment.visible.as_ref().map_err(Clone::clone)?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("count", count, visible.len() as u32) }
}

pub unsafe fn aclrtGetSocName() -> *const CChar {
    let runtime = runtime();
    if runtime.devices.is_empty() { std::ptr::null() } else { runtime.soc_name.as_ptr().cast() }
}

pub unsafe fn aclrtSynchronizeDevice() -> Answer {
    let runtime = runtime();
    runtime.synchronize(&runtime.streams_here()?, None)
}

pub unsafe fn aclrtSynchronizeDeviceWithTimeout(timeout: i32) -> Answer {
    let runtime = runtime();
    let deadline = deadline_of(timeout)?;
    runtime.synchronize(&runtime.streams_here()?, deadline)
}

pub unsafe fn aclrtGetRunMode(mode: *mut RunMode) -> Answer {
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("runMode", mode, RunMode::HOST) }
}

pub unsafe fn aclrtGetDeviceInfo(id: u32, attr: DevAttr, value: *mut i64) -> Answer {
    check_out("value", value)?;
    let device = runtime().device(id.into())?;
    match ATTRIBUTES.iter().find(|row| row.0 == attr) {
        // SAFETY: valid for writing (contract of the C function).
        Some((_, read)) => unsafe { give("value", value, read(device)) },
        None => refuse(
            AclError::RT_PARAM_INVALID,
            format!("`attr` is {attr:?}, which is no aclrtDevAttr of this device"),
        ),
    }
}

/// An attribute and how it is read.
type Attribute = (DevAttr, fn(&Device) -> i64);

/// What is known of a device. The SIMT attributes are 0 on Atlas A2; there are no AI CPUs here.
const ATTRIBUTES: &[Attribute] = &[
    (DevAttr::AICPU_CORE_NUM, |_| 0),
    (DevAttr::AICORE_CORE_NUM, |d| d.chip.aic_count.into()),
    (DevAttr::CUBE_CORE_NUM, |d| d.chip.aic_count.into()),
    (DevAttr::VECTOR_CORE_NUM, |d| d.chip.aiv_count.into()),
    (DevAttr::WARP_SIZE, |_| 0),
    (DevAttr::MAX_THREAD_PER_VECTOR_CORE, |_| 0),
    (DevAttr::UBUF_PER_VECTOR_CORE, |_| 0),
    (DevAttr::MAX_GRID_DIM_X, |_| 0),
    (DevAttr::MAX_GRID_DIM_Y, |_| 0),
    (DevAttr::MAX_GRID_DIM_Z, |_| 0),
    (DevAttr::MAX_BLOCK_PER_GRID, |_| 0),
    (DevAttr::MAX_THREADS_PER_BLOCK, |_| 0),
    (DevAttr::MAX_BLOCK_DIM_X, |_| 0),
    (DevAttr::MAX_BLOCK_DIM_Y, |_| 0),
    (DevAttr::MAX_BLOCK_DIM_Z, |_| 0),
    (DevAttr::TOTAL_GLOBAL_MEM_SIZE, |d| i64::try_from(d.chip.hbm_bytes).unwrap_or(i64::MAX)),
    (DevAttr::L2_CACHE_SIZE, |d| i64::try_from(d.chip.l2_bytes).unwrap_or(i64::MAX)),
    (DevAttr::SMP_ID, |_| 0),
    (DevAttr::PHY_CHIP_ID, |d| d.physical.into()),
    (DevAttr::SUPER_POD_DEVICE_ID, |d| d.physical.into()),
    (DevAttr::SUPER_POD_SERVER_ID, |_| 0),
    (DevAttr::SUPER_POD_ID, |_| 0),
    (DevAttr::CUST_OP_PRIVILEGE, |_| 0),
    (DevAttr::MAINBOARD_ID, |_| 0),
    (DevAttr::HD_CONNECT_TYPE, |_| 0),
    (DevAttr::DEVICE_FORM_FACTOR, |_| 0),
    (DevAttr::IS_VIRTUAL, |_| 0),
    (DevAttr::NPU_ARCH, |_| 2201),
];

pub unsafe fn aclrtCreateContext(context: *mut ContextHandle, id: i32) -> Answer {
    check_out("context", context)?;
    let handle = runtime().create_context(id)?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("context", context, ContextHandle(handle as *mut c_void)) }
}

pub unsafe fn aclrtDestroyContext(context: ContextHandle) -> Answer {
    process::check_not_forked()?;
    runtime().destroy_context(context.0)
}

pub unsafe fn aclrtSetCurrentContext(context: ContextHandle) -> Answer {
    process::check_not_forked()?;
    runtime().select_context(context.0)
}

pub unsafe fn aclrtGetCurrentContext(context: *mut ContextHandle) -> Answer {
    check_out("context", context)?;
    let current = runtime().current()?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("context", context, ContextHandle(current.handle as *mut c_void)) }
}

not_supported! {
    aclrtGetDeviceResLimit(i32, DevResLimitType, *mut u32) = "not modelled yet";
    aclrtSetDeviceResLimit(i32, DevResLimitType, u32) = "not modelled yet";
    aclrtResetDeviceResLimit(i32) = "not modelled yet";
    aclrtGetStreamResLimit(StreamHandle, DevResLimitType, *mut u32) = "not modelled yet";
    aclrtSetStreamResLimit(StreamHandle, DevResLimitType, u32) = "not modelled yet";
    aclrtResetStreamResLimit(StreamHandle) = "not modelled yet";
    aclrtUseStreamResInCurrentThread(StreamHandle) = "not modelled yet";
    aclrtUnuseStreamResInCurrentThread(StreamHandle) = "not modelled yet";
    aclrtGetResInCurrentThread(DevResLimitType, *mut u32) = "not modelled yet";
    aclrtSetTsDevice(TsId) = "not modelled yet";
    aclrtGetDeviceUtilizationRate(i32, *mut UtilizationInfo) = "not modelled yet";
    aclrtDeviceCanAccessPeer(*mut i32, i32, i32) = "not modelled yet";
    aclrtDeviceEnablePeerAccess(i32, u32) = "not modelled yet";
    aclrtDeviceDisablePeerAccess(i32) = "not modelled yet";
    aclrtSetDeviceSatMode(FloatOverflowMode) = "not modelled yet";
    aclrtGetDeviceSatMode(*mut FloatOverflowMode) = "not modelled yet";
    aclrtGetOverflowStatus(*mut c_void, usize, StreamHandle) = "not modelled yet";
    aclrtResetOverflowStatus(StreamHandle) = "not modelled yet";
    aclrtQueryDeviceStatus(i32, *mut DeviceStatus) = "not modelled yet";
    aclrtDeviceGetBareTgid(*mut i32) = "not modelled yet";
    aclrtDeviceGetStreamPriorityRange(*mut i32, *mut i32) = "not modelled yet";
    aclrtGetDeviceCapability(i32, DevFeatureType, *mut i32) = "not modelled yet";
    aclrtDeviceGetUuid(i32, *mut Uuid) = "not modelled yet";
    aclrtDeviceSetLimit(DeviceLimit, usize) = "not modelled yet";
    aclrtDeviceGetLimit(DeviceLimit, *mut usize) = "not modelled yet";
    aclrtDeviceGetPCIBusId(i32, *mut CChar, i32) = "not modelled yet";
    aclrtDeviceGetByPCIBusId(*const CChar, *mut i32) = "not modelled yet";
    aclrtDeviceGetHostAtomicCapabilities(*mut u32, *const AtomicOperation, u32, i32) = "not modelled yet";
    aclrtDeviceGetP2PAtomicCapabilities(*mut u32, *const AtomicOperation, u32, i32, i32) = "not modelled yet";
    aclrtGetDevicesTopo(u32, u32, *mut u64) = "not modelled yet";
    aclrtGetLogicDevIdByUserDevId(i32, *mut i32) = "not modelled yet";
    aclrtGetUserDevIdByLogicDevId(i32, *mut i32) = "not modelled yet";
    aclrtGetLogicDevIdByPhyDevId(i32, *mut i32) = "not modelled yet";
    aclrtGetPhyDevIdByLogicDevId(i32, *mut i32) = "not modelled yet";
    aclrtGetUserDevIdByPhyDevId(i32, *mut i32) = "not modelled yet";
    aclrtGetPhyDevIdByUserDevId(i32, *mut i32) = "not modelled yet";
    aclrtRegDeviceStateCallback(*const CChar, DeviceStateCallback, *mut c_void) = "not modelled yet";
    aclrtDevicePeerAccessStatus(i32, i32, *mut i32) = "not modelled yet";
}
