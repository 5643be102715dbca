//! Initialisation, devices, contexts.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

use super::super::device::Device;
use super::super::failure::{Answer, Failure, refuse};
use super::super::state::{deadline_of, runtime};
use super::super::{limits, overflow, process, state_callback};
use super::{check_out, give, give_text, text};
use std::ffi::c_void;
use toprope_abi::acl::{
    AclError, AtomicOperation, AtomicOperationCapability, ContextHandle, DEV_FEATURE_NOT_SUPPORT,
    DEV_FEATURE_SUPPORT, DEVS_TOPOLOGY_HCCS, DevAttr, DevFeatureType, DevResLimitType, DeviceLimit,
    DeviceStateCallback, DeviceStatus, FloatOverflowMode, RunMode, StreamHandle, TsId, UtilizationInfo, Uuid,
};
use toprope_abi::layout::CChar;

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

/// Reads a device id argument that becomes an out-parameter of another numbering.
fn numbered(name: &str, id: i32, of: fn(&Device) -> u32) -> Answer<&'static Device> {
    let runtime = runtime();
    // Also tells why there is no device at all.
    runtime.device(0)?;
    let found = runtime.devices.iter().find(|device| i64::from(of(device)) == i64::from(id));
    found.ok_or_else(|| {
        let known: Vec<String> = runtime.devices.iter().map(|device| of(device).to_string()).collect();
        let text = format!("`{name}` is {id}; this process sees {}", known.join(", "));
        Failure::new(AclError::RT_INVALID_DEVICEID, text)
            .help("TOPROPE_DEVICES sets the number of devices; ASCEND_RT_VISIBLE_DEVICES chooses and renumbers them")
    })
}

fn user_id(device: &Device) -> u32 {
    device.index
}

/// Logical and physical numbers are the same outside of containers, and nothing here renumbers physical devices.
fn physical_id(device: &Device) -> u32 {
    device.physical
}

macro_rules! translate {
    ($($name:ident: $from:literal $read:expr => $to:literal $write:expr;)*) => {$(
        pub unsafe fn $name(id: i32, out: *mut i32) -> Answer {
            check_out($to, out)?;
            let device = numbered($from, id, $read)?;
            let write: fn(&Device) -> u32 = $write;
            // SAFETY: valid for writing (contract of the C function).
            unsafe { give($to, out, write(device) as i32) }
        }
    )*};
}

// What two of the names call a logical number is the program's own number, as the documentation says.
translate! {
    aclrtGetLogicDevIdByUserDevId: "userDevid" user_id => "logicDevId" physical_id;
    aclrtGetUserDevIdByLogicDevId: "logicDevId" physical_id => "userDevid" user_id;
    aclrtGetLogicDevIdByPhyDevId: "phyDevId" physical_id => "logicDevId" user_id;
    aclrtGetPhyDevIdByLogicDevId: "logicDevId" user_id => "phyDevId" physical_id;
    aclrtGetUserDevIdByPhyDevId: "phyDevId" physical_id => "userDevId" user_id;
    aclrtGetPhyDevIdByUserDevId: "userDevId" user_id => "phyDevId" physical_id;
}

pub unsafe fn aclrtSetTsDevice(ts: TsId) -> Answer {
    // There is one scheduler, so the choice has no effect, as documented.
    match ts {
        TsId::AICORE | TsId::AIVECTOR => Ok(()),
        _ => refuse(AclError::RT_PARAM_INVALID, format!("`tsId` is {}; it must be 0 or 1", ts.0)),
    }
}

pub unsafe fn aclrtQueryDeviceStatus(id: i32, status: *mut DeviceStatus) -> Answer {
    check_out("deviceStatus", status)?;
    runtime().device(id.into())?;
    // A simulated device does not break.
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("deviceStatus", status, DeviceStatus::NORMAL) }
}

pub unsafe fn aclrtDeviceGetBareTgid(pid: *mut i32) -> Answer {
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("pid", pid, std::process::id() as i32) }
}

/// Least and greatest priority of streams.
const PRIORITIES: (i32, i32) = (7, 0);

pub unsafe fn aclrtDeviceGetStreamPriorityRange(least: *mut i32, greatest: *mut i32) -> Answer {
    check_out("leastPriority", least)?;
    check_out("greatestPriority", greatest)?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("leastPriority", least, PRIORITIES.0) }?;
    // SAFETY: as above.
    unsafe { give("greatestPriority", greatest, PRIORITIES.1) }
}

/// Features and whether there are any: tasks of a graph can be updated; there are no queues to other devices.
const FEATURES: [(DevFeatureType, i32); 2] = [
    (DevFeatureType::TSCPU_TASK_UPDATE_SUPPORT_AIC_AIV, DEV_FEATURE_SUPPORT),
    (DevFeatureType::SYSTEM_MEMQ_EVENT_CROSS_DEV, DEV_FEATURE_NOT_SUPPORT),
];

pub unsafe fn aclrtGetDeviceCapability(id: i32, feature: DevFeatureType, value: *mut i32) -> Answer {
    check_out("value", value)?;
    runtime().device(id.into())?;
    match FEATURES.iter().find(|row| row.0 == feature) {
        // SAFETY: valid for writing (contract of the C function).
        Some((_, has)) => unsafe { give("value", value, *has) },
        None => {
            let text = format!("`devFeatureType` is {}, which is no aclrtDevFeatureType", feature.0);
            refuse(AclError::RT_PARAM_INVALID, text)
        }
    }
}

pub unsafe fn aclrtDeviceGetUuid(id: i32, uuid: *mut Uuid) -> Answer {
    check_out("uuid", uuid)?;
    let bytes = runtime().device(id.into())?.uuid().map(|byte| CChar(byte as _));
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("uuid", uuid, Uuid { bytes }) }
}

/// Length of a PCI address with its end.
const PCI_BUS_ID_BYTES: i32 = 13;

pub unsafe fn aclrtDeviceGetPCIBusId(id: i32, pci_bus_id: *mut CChar, len: i32) -> Answer {
    check_out("pciBusId", pci_bus_id)?;
    if len < PCI_BUS_ID_BYTES {
        let text =
            format!("`len` is {len}, but the address takes {PCI_BUS_ID_BYTES} characters with its end");
        return refuse(AclError::RT_PARAM_INVALID, text);
    }
    let text = runtime().device(id.into())?.pci_bus_id();
    // SAFETY: `len` characters (contract of the C function), at least 13 (checked).
    unsafe { give_text(pci_bus_id, len as usize, &text) };
    Ok(())
}

pub unsafe fn aclrtDeviceGetByPCIBusId(pci_bus_id: *const CChar, id: *mut i32) -> Answer {
    check_out("deviceId", id)?;
    // SAFETY: null or NUL-terminated (contract of the C function).
    let wanted = unsafe { text("pciBusId", pci_bus_id) }?;
    let runtime = runtime();
    runtime.device(0)?;
    let found = runtime.devices.iter().find(|device| device.pci_bus_id().eq_ignore_ascii_case(&wanted));
    let Some(device) = found else {
        let known: Vec<String> = runtime.devices.iter().map(Device::pci_bus_id).collect();
        let text = format!("`pciBusId` is `{wanted}`; this process sees {}", known.join(", "));
        return refuse(AclError::RT_PARAM_INVALID, text);
    };
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("deviceId", id, device.index as i32) }
}

pub unsafe fn aclrtGetDevicesTopo(id: u32, other: u32, value: *mut u64) -> Answer {
    check_out("value", value)?;
    runtime().device(id.into())?;
    runtime().device(other.into())?;
    // The devices of an Atlas A2 server are joined by HCCS.
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("value", value, DEVS_TOPOLOGY_HCCS) }
}

// ---- peers -----------------------------------------------------------------------------------------------------------

/// Two different devices.
fn pair(id: i32, peer: i32) -> Answer<(&'static Device, &'static Device)> {
    let devices = (runtime().device(id.into())?, runtime().device(peer.into())?);
    if id != peer {
        return Ok(devices);
    }
    refuse(AclError::RT_PARAM_INVALID, format!("both devices are {id}; a device is no peer of itself"))
}

pub unsafe fn aclrtDeviceCanAccessPeer(can: *mut i32, id: i32, peer: i32) -> Answer {
    check_out("canAccessPeer", can)?;
    pair(id, peer)?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("canAccessPeer", can, 1) }
}

/// The current device and its peer.
fn pair_here(peer: i32) -> Answer<(&'static Device, &'static Device)> {
    let here = runtime().current()?.device;
    pair(here.index as i32, peer)
}

pub unsafe fn aclrtDeviceEnablePeerAccess(peer: i32, flags: u32) -> Answer {
    if flags != 0 {
        return refuse(AclError::RT_PARAM_INVALID, format!("`flags` is {flags}; it must be 0"));
    }
    let (here, peer) = pair_here(peer)?;
    here.set_peer_access(peer, true);
    Ok(())
}

pub unsafe fn aclrtDeviceDisablePeerAccess(peer: i32) -> Answer {
    let (here, peer) = pair_here(peer)?;
    here.set_peer_access(peer, false);
    Ok(())
}

pub unsafe fn aclrtDevicePeerAccessStatus(id: i32, peer: i32, status: *mut i32) -> Answer {
    check_out("status", status)?;
    let get = |id: i32| {
        runtime().device(id.into()).map_err(|mut failure| {
            failure.code = AclError::RT_PARAM_INVALID;
            failure
        })
    };
    let (device, peer) = (get(id)?, get(peer)?);
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("status", status, i32::from(device.can_reach(peer))) }
}

/// What the copy engines of Atlas A2 combine in the memory of another device.
const DMA_ATOMICS: u32 = (AtomicOperationCapability::SIGNED.0
    | AtomicOperationCapability::SCALAR8.0
    | AtomicOperationCapability::SCALAR16.0
    | AtomicOperationCapability::SCALAR32.0) as u32;

/// Fills a table of capabilities.
///
/// # Safety
/// Both are null or point to `count` elements.
unsafe fn give_capabilities(
    capabilities: *mut u32,
    operations: *const AtomicOperation,
    count: u32,
    of: fn(AtomicOperation) -> u32,
) -> Answer {
    for index in 0..count as usize {
        // SAFETY: inside the array (contract, checked for null by the caller).
        let operation = unsafe { operations.wrapping_add(index).read_unaligned() };
        if operation.name().is_none() {
            let text = format!("operation {index} is {}, which is no aclrtAtomicOperation", operation.0);
            return refuse(AclError::RT_PARAM_INVALID, text);
        }
        // SAFETY: as above.
        unsafe { capabilities.wrapping_add(index).write_unaligned(of(operation)) };
    }
    Ok(())
}

fn check_capability_arguments(
    capabilities: *mut u32,
    operations: *const AtomicOperation,
    count: u32,
) -> Answer {
    check_out("capabilities", capabilities)?;
    check_out("operations", operations)?;
    if count > 0 {
        return Ok(());
    }
    refuse(AclError::RT_PARAM_INVALID, "`count` is 0; at least one operation must be asked for")
}

pub unsafe fn aclrtDeviceGetHostAtomicCapabilities(
    capabilities: *mut u32,
    operations: *const AtomicOperation,
    count: u32,
    id: i32,
) -> Answer {
    check_capability_arguments(capabilities, operations, count)?;
    runtime().device(id.into())?;
    // None over PCIe.
    // SAFETY: the same contract.
    unsafe { give_capabilities(capabilities, operations, count, |_| 0) }
}

pub unsafe fn aclrtDeviceGetP2PAtomicCapabilities(
    capabilities: *mut u32,
    operations: *const AtomicOperation,
    count: u32,
    src: i32,
    dst: i32,
) -> Answer {
    check_capability_arguments(capabilities, operations, count)?;
    pair(src, dst)?;
    let dma = |operation| match operation {
        AtomicOperation::DMA_ADD | AtomicOperation::DMA_MIN | AtomicOperation::DMA_MAX => DMA_ATOMICS,
        _ => 0,
    };
    // SAFETY: the same contract.
    unsafe { give_capabilities(capabilities, operations, count, dma) }
}

// ---- limits and callbacks --------------------------------------------------------------------------------------------

pub unsafe fn aclrtDeviceSetLimit(limit: DeviceLimit, value: usize) -> Answer {
    let runtime = runtime();
    runtime.device(0)?;
    if runtime.devices.iter().all(|device| device.physical != 0) {
        return Err(Failure::new(
            AclError::RT_INVALID_DEVICEID,
            "limits are set through device 0 of the machine, which ASCEND_RT_VISIBLE_DEVICES hides",
        )
        .help("put 0 into ASCEND_RT_VISIBLE_DEVICES"));
    }
    limits::set_size(limit, value as u64)
}

pub unsafe fn aclrtDeviceGetLimit(limit: DeviceLimit, value: *mut usize) -> Answer {
    check_out("value", value)?;
    let size = limits::get_size(limit)?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("value", value, size as usize) }
}

pub unsafe fn aclrtGetDeviceResLimit(id: i32, kind: DevResLimitType, value: *mut u32) -> Answer {
    check_out("value", value)?;
    let cores = limits::of_device(runtime().device(id.into())?, kind)?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("value", value, cores) }
}

pub unsafe fn aclrtSetDeviceResLimit(id: i32, kind: DevResLimitType, value: u32) -> Answer {
    limits::set_of_device(runtime().device(id.into())?, kind, value)
}

pub unsafe fn aclrtResetDeviceResLimit(id: i32) -> Answer {
    limits::reset_of_device(runtime().device(id.into())?);
    Ok(())
}

pub unsafe fn aclrtGetStreamResLimit(stream: StreamHandle, kind: DevResLimitType, value: *mut u32) -> Answer {
    check_out("value", value)?;
    let cores = limits::of_stream(&*runtime().stream(stream.0)?, kind)?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("value", value, cores) }
}

pub unsafe fn aclrtSetStreamResLimit(stream: StreamHandle, kind: DevResLimitType, value: u32) -> Answer {
    let runtime = runtime();
    limits::set_of_stream(runtime, &*runtime.stream(stream.0)?, kind, value)
}

pub unsafe fn aclrtResetStreamResLimit(stream: StreamHandle) -> Answer {
    limits::reset_of_stream(&*runtime().stream(stream.0)?);
    Ok(())
}

pub unsafe fn aclrtUseStreamResInCurrentThread(stream: StreamHandle) -> Answer {
    limits::choose_stream(&*runtime().stream(stream.0)?);
    Ok(())
}

pub unsafe fn aclrtUnuseStreamResInCurrentThread(stream: StreamHandle) -> Answer {
    limits::unchoose_stream(&*runtime().stream(stream.0)?)
}

pub unsafe fn aclrtGetResInCurrentThread(kind: DevResLimitType, value: *mut u32) -> Answer {
    check_out("value", value)?;
    let cores = limits::of_thread(runtime(), kind)?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("value", value, cores) }
}

pub unsafe fn aclrtRegDeviceStateCallback(
    name: *const CChar,
    callback: DeviceStateCallback,
    args: *mut c_void,
) -> Answer {
    // SAFETY: null or NUL-terminated (contract of the C function).
    let name = unsafe { text("regName", name) }?;
    state_callback::set_device_callback(&name, callback, args)
}

// ---- floating-point mode ---------------------------------------------------------------------------------------------

pub unsafe fn aclrtSetDeviceSatMode(mode: FloatOverflowMode) -> Answer {
    let saturates = match mode {
        FloatOverflowMode::SATURATION => true,
        FloatOverflowMode::INFNAN => false,
        _ => {
            let text = format!("`mode` is {}; it must be 0 (saturation) or 1 (infinity and NaN)", mode.0);
            return refuse(AclError::RT_PARAM_INVALID, text);
        }
    };
    runtime().current()?.device.set_saturates(saturates);
    Ok(())
}

pub unsafe fn aclrtGetDeviceSatMode(mode: *mut FloatOverflowMode) -> Answer {
    check_out("mode", mode)?;
    let saturates = runtime().current()?.device.saturates();
    let answer = if saturates { FloatOverflowMode::SATURATION } else { FloatOverflowMode::INFNAN };
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("mode", mode, answer) }
}

/// Reads the overflow status for the function of this name.
fn read_overflow(function: &'static str, output: *mut c_void, size: u64, stream: StreamHandle) -> Answer {
    check_out("outputAddr", output)?;
    let runtime = runtime();
    overflow::read(runtime, function, output as u64, size, &runtime.stream_here(stream.0)?)
}

fn clear_overflow(stream: StreamHandle) -> Answer {
    overflow::clear(&runtime().stream_here(stream.0)?)
}

pub unsafe fn aclrtGetOverflowStatus(output: *mut c_void, size: usize, stream: StreamHandle) -> Answer {
    read_overflow("aclrtGetOverflowStatus", output, size as u64, stream)
}

pub unsafe fn aclrtResetOverflowStatus(stream: StreamHandle) -> Answer {
    clear_overflow(stream)
}

pub unsafe fn aclrtGetFloatOverflowStatus(output: *mut c_void, size: u64, stream: StreamHandle) -> Answer {
    read_overflow("aclrtGetFloatOverflowStatus", output, size, stream)
}

pub unsafe fn aclrtResetFloatOverflowStatus(stream: StreamHandle) -> Answer {
    clear_overflow(stream)
}

pub unsafe fn aclrtNpuGetFloatOverFlowStatus(
    output: *mut c_void,
    size: u64,
    _check_mode: u32,
    stream: StreamHandle,
) -> Answer {
    // There is one way to check.
    read_overflow("aclrtNpuGetFloatOverFlowStatus", output, size, stream)
}

pub unsafe fn aclrtNpuClearFloatOverFlowStatus(_check_mode: u32, stream: StreamHandle) -> Answer {
    clear_overflow(stream)
}

/// Share of the cores that kernels occupy right now. No AI CPUs; memory is not reported, as documented.
pub unsafe fn aclrtGetDeviceUtilizationRate(id: i32, info: *mut UtilizationInfo) -> Answer {
    check_out("utilizationInfo", info)?;
    let device = runtime().device(id.into())?;
    let (cube, vector) = device.scheduler().map_or((0, 0), |scheduler| scheduler.busy_by_kind());
    let percent = |busy: u32, of: u32| (busy.min(of) * 100 / of.max(1)) as i32;
    let filled = UtilizationInfo {
        cube_utilization: percent(cube, device.chip.aic_count),
        vector_utilization: percent(vector, device.chip.aiv_count),
        aicpu_utilization: 0,
        memory_utilization: -1,
        utilization_extend: std::ptr::null_mut(),
    };
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("utilizationInfo", info, filled) }
}
