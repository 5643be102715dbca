//! `aclrt…Device…` and contexts.

use super::{AclApi, AclResult, answer};
use crate::sys::{
    AtomicOperation, CChar, ContextHandle, DevAttr, DevFeatureType, DeviceLimit, DeviceStateCallback,
    DeviceStatus, FloatOverflowMode, MemAttr, RunMode, StreamHandle, TsId, UtilizationInfo, Uuid,
};
use std::ffi::{CStr, c_void};

/// `aclrtGetDeviceCount`.
///
/// # Safety
/// - `api` is the table of a loaded runtime.
pub unsafe fn count(api: &AclApi) -> AclResult<u32> {
    // SAFETY: a live integer.
    answer(0, |n| unsafe { (api.aclrtGetDeviceCount)(n) })
}

/// `aclrtSetDevice`.
///
/// # Safety
/// - Balanced by one [`reset`], after the last use of anything made on the device.
pub unsafe fn set(api: &AclApi, device: i32) -> AclResult {
    // SAFETY: takes a plain number.
    unsafe { (api.aclrtSetDevice)(device) }.ok()
}

/// `aclrtResetDevice`.
///
/// # Safety
/// - Nothing made on the device since its [`set`] is used afterwards.
pub unsafe fn reset(api: &AclApi, device: i32) -> AclResult {
    // SAFETY: promised by the caller.
    unsafe { (api.aclrtResetDevice)(device) }.ok()
}

/// `aclrtGetCurrentContext`.
///
/// # Safety
/// - `api` is the table of a loaded runtime.
pub unsafe fn current_context(api: &AclApi) -> AclResult<ContextHandle> {
    // SAFETY: a live handle to write to.
    answer(ContextHandle::NULL, |context| unsafe { (api.aclrtGetCurrentContext)(context) })
}

/// `aclrtSetCurrentContext`.
///
/// # Safety
/// - `context` is alive.
pub unsafe fn set_current_context(api: &AclApi, context: ContextHandle) -> AclResult {
    // SAFETY: promised by the caller.
    unsafe { (api.aclrtSetCurrentContext)(context) }.ok()
}

/// `aclrtSynchronizeDevice`.
///
/// # Safety
/// - A device is selected in this thread and alive.
pub unsafe fn synchronize(api: &AclApi) -> AclResult {
    // SAFETY: promised by the caller.
    unsafe { (api.aclrtSynchronizeDevice)() }.ok()
}

/// `aclrtSynchronizeDeviceWithTimeout`, milliseconds.
///
/// # Safety
/// - A device is selected in this thread and alive.
pub unsafe fn synchronize_for(api: &AclApi, timeout_ms: i32) -> AclResult {
    // SAFETY: promised by the caller.
    unsafe { (api.aclrtSynchronizeDeviceWithTimeout)(timeout_ms) }.ok()
}

/// `aclrtGetSocName`; `None` without a device.
///
/// # Safety
/// - `api` is the table of a loaded runtime.
pub unsafe fn soc_name(api: &AclApi) -> Option<String> {
    // SAFETY: takes no argument.
    let name = unsafe { (api.aclrtGetSocName)() };
    if name.is_null() {
        return None;
    }
    // SAFETY: not null, so a static C string.
    let name = unsafe { CStr::from_ptr(name.cast()) };
    Some(name.to_string_lossy().into_owned())
}

/// `aclrtGetDeviceInfo`.
///
/// # Safety
/// - `api` is the table of a loaded runtime.
pub unsafe fn info(api: &AclApi, device: u32, attr: DevAttr) -> AclResult<i64> {
    // SAFETY: a live integer to write to.
    answer(0, |value| unsafe { (api.aclrtGetDeviceInfo)(device, attr, value) })
}

/// `aclrtGetMemInfo`: free and total, bytes.
///
/// # Safety
/// - A device is selected in this thread and alive.
pub unsafe fn mem_info(api: &AclApi, attr: MemAttr) -> AclResult<(usize, usize)> {
    // SAFETY: two live integers to write to.
    answer((0, 0), |(free, total)| unsafe { (api.aclrtGetMemInfo)(attr, free, total) })
}

/// `aclrtGetRunMode`.
///
/// # Safety
/// - A device is selected in this thread and alive.
pub unsafe fn run_mode(api: &AclApi) -> AclResult<RunMode> {
    // SAFETY: a live value to write to.
    answer(RunMode::HOST, |mode| unsafe { (api.aclrtGetRunMode)(mode) })
}

super::calls! {
    /// Frees the device's resources at once, however often it was selected.
    fn reset_force(device_id: i32) = aclrtResetDeviceForce(device_id);
    /// The device selected in the calling thread; 107002 if there is none.
    fn current() -> (device_id: i32) = aclrtGetDevice(device_id);
    /// Choose task scheduler core (AICPU vs AICORE TS).
    fn set_ts(ts_id: TsId) = aclrtSetTsDevice(ts_id);
    /// Core and memory load percentages.
    fn utilization_rate(device_id: i32) -> (utilization_info: UtilizationInfo) = aclrtGetDeviceUtilizationRate(device_id, utilization_info);
    /// Can device A reach memory of B.
    fn can_access_peer(device_id: i32, peer_device_id: i32) -> (can_access_peer: i32) = aclrtDeviceCanAccessPeer(can_access_peer, device_id, peer_device_id);
    /// Open one-way peer access.
    fn enable_peer_access(peer_device_id: i32, flags: u32) = aclrtDeviceEnablePeerAccess(peer_device_id, flags);
    /// Close peer access.
    fn disable_peer_access(peer_device_id: i32) = aclrtDeviceDisablePeerAccess(peer_device_id);
    /// Choose saturate vs Inf/NaN float mode.
    fn set_sat_mode(mode: FloatOverflowMode) = aclrtSetDeviceSatMode(mode);
    /// Read the float overflow mode.
    fn sat_mode() -> (mode: FloatOverflowMode) = aclrtGetDeviceSatMode(mode);
    /// Enqueue copy of overflow flags to device memory.
    fn overflow_status(output_addr: *mut c_void, output_size: usize, stream: StreamHandle) = aclrtGetOverflowStatus(output_addr, output_size, stream);
    /// Enqueue clear of overflow flags.
    fn reset_overflow_status(stream: StreamHandle) = aclrtResetOverflowStatus(stream);
    /// Device health enum.
    fn query_status(device_id: i32) -> (device_status: DeviceStatus) = aclrtQueryDeviceStatus(device_id, device_status);
    /// Pid as seen outside containers.
    fn bare_tgid() -> (pid: i32) = aclrtDeviceGetBareTgid(pid);
    /// Lowest and highest stream priority values.
    fn stream_priority_range() -> (least_priority: i32, greatest_priority: i32) = aclrtDeviceGetStreamPriorityRange(least_priority, greatest_priority);
    /// Is a device feature supported.
    fn capability(device_id: i32, dev_feature_type: DevFeatureType) -> (value: i32) = aclrtGetDeviceCapability(device_id, dev_feature_type, value);
    /// Unique id of a device.
    fn uuid(device_id: i32) -> (uuid: Uuid) = aclrtDeviceGetUuid(device_id, uuid);
    /// Set a device-level limit (print FIFO, stack).
    fn set_limit(limit: DeviceLimit, value: usize) = aclrtDeviceSetLimit(limit, value);
    /// Read a device-level limit.
    fn limit(limit: DeviceLimit) -> (value: usize) = aclrtDeviceGetLimit(limit, value);
    /// PCI address of a device.
    fn pci_bus_id(device_id: i32, pci_bus_id: *mut CChar, len: i32) = aclrtDeviceGetPCIBusId(device_id, pci_bus_id, len);
    /// Device id from a PCI address.
    fn by_pci_bus_id(pci_bus_id: &CStr) -> (device_id: i32) = aclrtDeviceGetByPCIBusId(pci_bus_id.as_ptr().cast(), device_id);
    /// Atomics usable device to host memory.
    fn host_atomic_capabilities(capabilities: *mut u32, operations: *const AtomicOperation, count: u32, device_id: i32) = aclrtDeviceGetHostAtomicCapabilities(capabilities, operations, count, device_id);
    /// Atomics usable between two devices.
    fn p2p_atomic_capabilities(capabilities: *mut u32, operations: *const AtomicOperation, count: u32, src_device_id: i32, dst_device_id: i32) = aclrtDeviceGetP2PAtomicCapabilities(capabilities, operations, count, src_device_id, dst_device_id);
    /// Kind of link between two devices.
    fn topology(device_id: u32, other_device_id: u32) -> (value: u64) = aclrtGetDevicesTopo(device_id, other_device_id, value);
    /// Visible id to logical id.
    fn logic_dev_id_by_user_dev_id(user_devid: i32) -> (logic_dev_id: i32) = aclrtGetLogicDevIdByUserDevId(user_devid, logic_dev_id);
    /// Logical id to visible id.
    fn user_dev_id_by_logic_dev_id(logic_dev_id: i32) -> (user_devid: i32) = aclrtGetUserDevIdByLogicDevId(logic_dev_id, user_devid);
    /// Physical id to logical id.
    fn logic_dev_id_by_phy_dev_id(phy_dev_id: i32) -> (logic_dev_id: i32) = aclrtGetLogicDevIdByPhyDevId(phy_dev_id, logic_dev_id);
    /// Logical id to physical id.
    fn phy_dev_id_by_logic_dev_id(logic_dev_id: i32) -> (phy_dev_id: i32) = aclrtGetPhyDevIdByLogicDevId(logic_dev_id, phy_dev_id);
    /// Physical id to visible id.
    fn user_dev_id_by_phy_dev_id(phy_dev_id: i32) -> (user_dev_id: i32) = aclrtGetUserDevIdByPhyDevId(phy_dev_id, user_dev_id);
    /// Visible id to physical id.
    fn phy_dev_id_by_user_dev_id(user_dev_id: i32) -> (phy_dev_id: i32) = aclrtGetPhyDevIdByUserDevId(user_dev_id, phy_dev_id);
    /// Hook on device set/reset.
    fn reg_state_callback(reg_name: &CStr, callback: DeviceStateCallback, args: *mut c_void) = aclrtRegDeviceStateCallback(reg_name.as_ptr().cast(), callback, args);
    /// Is peer access currently on.
    fn peer_access_status(device_id: i32, peer_device_id: i32) -> (status: i32) = aclrtDevicePeerAccessStatus(device_id, peer_device_id, status);
}
