//! What a device is, may and can: contexts, peers, limits, health.
#![allow(unsafe_code)] // calls the layer below

use super::device::{Device, Inner as DeviceInner};
use crate::error::{Error, Result};
use crate::result;
use crate::sys::{
    AclError, DevFeatureType, DevResLimitType, DeviceLimit, DeviceStatus, FloatOverflowMode, LastErrLevel,
    SysParamOpt, Uuid,
};
use std::ffi::CStr;
use std::sync::Arc;
use std::time::Duration;

/// How busy a device is, percent; `None` where the runtime does not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Utilization {
    /// Cube cores.
    pub cube: Option<u8>,
    /// Vector cores.
    pub vector: Option<u8>,
    /// AI CPUs.
    pub aicpu: Option<u8>,
    /// Device memory.
    pub memory: Option<u8>,
}

impl Device {
    /// Makes a context of its own on the device: the result is the same device, with another default stream, and with
    /// streams that stop on failure without the others.
    ///
    /// ```
    /// # fn main() -> toprope_host::Result<()> {
    /// let device = toprope_host::Runtime::embedded()?.device(0)?;
    /// let apart = device.create_context()?;
    /// let x = device.alloc_from(&[1u32, 2, 3])?; // memory belongs to the device, not to the context
    /// apart.default_stream().scope(|s| s.fill_bytes(&x, 0))?;
    /// assert_eq!(x.to_vec()?, [0, 0, 0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::Acl`].
    #[doc(alias = "aclrtCreateContext")]
    #[doc(alias = "aclrtContext")]
    pub fn create_context(&self) -> Result<Device> {
        self.inner.bind()?;
        let (api, id) = (self.inner.api(), self.inner.id);
        // SAFETY: given back in `Drop` of `Inner`.
        let set = unsafe { result::device::set(api, id) };
        self.inner.check("aclrtSetDevice", set)?;
        // SAFETY: the device was selected just now.
        match unsafe { result::context::create(api, id) } {
            Ok(context) => {
                let runtime = Arc::clone(&self.inner.runtime);
                Ok(Device { inner: DeviceInner::new(runtime, id, context, true) })
            }
            Err(code) => {
                // SAFETY: balances the call above; nothing was made.
                let reset = unsafe { result::device::reset(api, id) };
                self.inner.runtime.defer("aclrtResetDevice", reset);
                self.inner.check("aclrtCreateContext", Err(code))
            }
        }
    }

    /// Whether this device can reach the memory of `peer`.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`].
    #[doc(alias = "aclrtDeviceCanAccessPeer")]
    pub fn can_access_peer(&self, peer: &Device) -> Result<bool> {
        same_runtime(&self.inner, &peer.inner, "the peer")?;
        self.inner.bind()?;
        // SAFETY: the table is loaded.
        let can = unsafe { result::device::can_access_peer(self.inner.api(), self.inner.id, peer.inner.id) };
        Ok(self.inner.check("aclrtDeviceCanAccessPeer", can)? != 0)
    }

    /// Opens the way from this device to the memory of `peer`, for [`Scope::copy_between_devices`](super::Scope::copy_between_devices).
    /// The way back is opened by the peer.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`].
    #[doc(alias = "aclrtDeviceEnablePeerAccess")]
    pub fn enable_peer_access(&self, peer: &Device) -> Result<()> {
        same_runtime(&self.inner, &peer.inner, "the peer")?;
        self.inner.bind()?;
        // SAFETY: this device is selected and alive.
        let done = unsafe { result::device::enable_peer_access(self.inner.api(), peer.inner.id, 0) };
        self.inner.check("aclrtDeviceEnablePeerAccess", done)
    }

    /// Closes what [`Device::enable_peer_access`] opened.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`].
    #[doc(alias = "aclrtDeviceDisablePeerAccess")]
    pub fn disable_peer_access(&self, peer: &Device) -> Result<()> {
        same_runtime(&self.inner, &peer.inner, "the peer")?;
        self.inner.bind()?;
        // SAFETY: this device is selected and alive.
        let done = unsafe { result::device::disable_peer_access(self.inner.api(), peer.inner.id) };
        self.inner.check("aclrtDeviceDisablePeerAccess", done)
    }

    /// Least and greatest priority of a stream; a greater priority is a smaller number.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`].
    #[doc(alias = "aclrtDeviceGetStreamPriorityRange")]
    pub fn stream_priority_range(&self) -> Result<(i32, i32)> {
        self.inner.bind()?;
        // SAFETY: the device is selected and alive.
        let range = unsafe { result::device::stream_priority_range(self.inner.api()) };
        self.inner.check("aclrtDeviceGetStreamPriorityRange", range)
    }

    /// Most cube or vector cores that this process uses on the device.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`].
    #[doc(alias = "aclrtGetDeviceResLimit")]
    pub fn core_limit(&self, cores: DevResLimitType) -> Result<u32> {
        self.inner.bind()?;
        // SAFETY: the table is loaded.
        let limit = unsafe { result::config::device_res_limit(self.inner.api(), self.inner.id, cores) };
        self.inner.check("aclrtGetDeviceResLimit", limit)
    }

    /// Sets [`Device::core_limit`]; `None` takes all limits back.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`].
    #[doc(alias = "aclrtSetDeviceResLimit")]
    #[doc(alias = "aclrtResetDeviceResLimit")]
    pub fn set_core_limit(&self, limit: Option<(DevResLimitType, u32)>) -> Result<()> {
        self.inner.bind()?;
        let (api, id) = (self.inner.api(), self.inner.id);
        match limit {
            Some((cores, most)) => {
                // SAFETY: the table is loaded.
                let done = unsafe { result::config::set_device_res_limit(api, id, cores, most) };
                self.inner.check("aclrtSetDeviceResLimit", done)
            }
            None => {
                // SAFETY: as above.
                let done = unsafe { result::config::reset_device_res_limit(api, id) };
                self.inner.check("aclrtResetDeviceResLimit", done)
            }
        }
    }

    /// A limit of the device, such as the stack of a core.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`].
    #[doc(alias = "aclrtDeviceGetLimit")]
    pub fn limit(&self, limit: DeviceLimit) -> Result<usize> {
        self.inner.bind()?;
        // SAFETY: the device is selected and alive.
        let value = unsafe { result::device::limit(self.inner.api(), limit) };
        self.inner.check("aclrtDeviceGetLimit", value)
    }

    /// Sets a limit of the device.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`].
    #[doc(alias = "aclrtDeviceSetLimit")]
    pub fn set_limit(&self, limit: DeviceLimit, value: usize) -> Result<()> {
        self.inner.bind()?;
        // SAFETY: the device is selected and alive.
        let done = unsafe { result::device::set_limit(self.inner.api(), limit, value) };
        self.inner.check("aclrtDeviceSetLimit", done)
    }

    /// Health of the device.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`].
    #[doc(alias = "aclrtQueryDeviceStatus")]
    pub fn status(&self) -> Result<DeviceStatus> {
        self.inner.bind()?;
        // SAFETY: the table is loaded.
        let status = unsafe { result::device::query_status(self.inner.api(), self.inner.id) };
        self.inner.check("aclrtQueryDeviceStatus", status)
    }

    /// How busy the device is.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`].
    #[doc(alias = "aclrtGetDeviceUtilizationRate")]
    pub fn utilization(&self) -> Result<Utilization> {
        self.inner.bind()?;
        // SAFETY: the table is loaded.
        let rate = unsafe { result::device::utilization_rate(self.inner.api(), self.inner.id) };
        let rate = self.inner.check("aclrtGetDeviceUtilizationRate", rate)?;
        let percent = |value: i32| u8::try_from(value).ok();
        Ok(Utilization {
            cube: percent(rate.cube_utilization),
            vector: percent(rate.vector_utilization),
            aicpu: percent(rate.aicpu_utilization),
            memory: percent(rate.memory_utilization),
        })
    }

    /// Whether the device has a feature.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`].
    #[doc(alias = "aclrtGetDeviceCapability")]
    pub fn has_feature(&self, feature: DevFeatureType) -> Result<bool> {
        self.inner.bind()?;
        // SAFETY: the table is loaded.
        let value = unsafe { result::device::capability(self.inner.api(), self.inner.id, feature) };
        Ok(self.inner.check("aclrtGetDeviceCapability", value)? == crate::sys::DEV_FEATURE_SUPPORT)
    }

    /// Unchanging identity of the device.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`].
    #[doc(alias = "aclrtDeviceGetUuid")]
    pub fn uuid(&self) -> Result<Uuid> {
        self.inner.bind()?;
        // SAFETY: the table is loaded.
        let uuid = unsafe { result::device::uuid(self.inner.api(), self.inner.id) };
        self.inner.check("aclrtDeviceGetUuid", uuid)
    }

    /// PCI address of the device, such as `0000:81:00.0`.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`].
    #[doc(alias = "aclrtDeviceGetPCIBusId")]
    pub fn pci_bus_id(&self) -> Result<String> {
        self.inner.bind()?;
        let mut text = [0u8; 64];
        let (at, room) = (text.as_mut_ptr().cast(), text.len() as i32);
        // SAFETY: 64 bytes to write to.
        let done = unsafe { result::device::pci_bus_id(self.inner.api(), self.inner.id, at, room) };
        self.inner.check("aclrtDeviceGetPCIBusId", done)?;
        let text = CStr::from_bytes_until_nul(&text).map_err(|_| AclError::INTERNAL_ERROR);
        self.inner.check("aclrtDeviceGetPCIBusId", text.map(|text| text.to_string_lossy().into_owned()))
    }

    /// What happens on the device to a float that is too large.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`].
    #[doc(alias = "aclrtGetDeviceSatMode")]
    pub fn overflow_mode(&self) -> Result<FloatOverflowMode> {
        self.inner.bind()?;
        // SAFETY: the device is selected and alive.
        let mode = unsafe { result::device::sat_mode(self.inner.api()) };
        self.inner.check("aclrtGetDeviceSatMode", mode)
    }

    /// A switch of the context, such as [`SysParamOpt::DETERMINISTIC`].
    ///
    /// # Errors
    ///
    /// [`Error::Acl`], for example 107021 if it was not set.
    #[doc(alias = "aclrtCtxGetSysParamOpt")]
    pub fn option(&self, option: SysParamOpt) -> Result<i64> {
        self.inner.bind()?;
        // SAFETY: the context is selected and alive.
        let value = unsafe { result::context::sys_param_opt(self.inner.api(), option) };
        self.inner.check("aclrtCtxGetSysParamOpt", value)
    }

    /// Sets a switch of the context.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`].
    #[doc(alias = "aclrtCtxSetSysParamOpt")]
    pub fn set_option(&self, option: SysParamOpt, value: i64) -> Result<()> {
        self.inner.bind()?;
        // SAFETY: the context is selected and alive.
        let done = unsafe { result::context::set_sys_param_opt(self.inner.api(), option, value) };
        self.inner.check("aclrtCtxSetSysParamOpt", done)
    }

    /// Sets the longest time of a kernel and gives back what the device makes of it (it counts in steps). Zero: no limit.
    /// A kernel that takes longer fails with 507014 or 507034.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`].
    #[doc(alias = "aclrtSetOpExecuteTimeOutV2")]
    pub fn set_kernel_time_limit(&self, limit: Duration) -> Result<Duration> {
        self.inner.bind()?;
        let limit_us = u64::try_from(limit.as_micros()).unwrap_or(u64::MAX);
        // SAFETY: the device is selected and alive.
        let holds_us = unsafe { result::execution::set_op_execute_time_out_v2(self.inner.api(), limit_us) };
        self.inner.check("aclrtSetOpExecuteTimeOutV2", holds_us).map(Duration::from_micros)
    }

    /// Sets the longest time that a stream waits for an event without a limit of its own, in whole seconds; zero: no
    /// limit.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`].
    #[doc(alias = "aclrtSetOpWaitTimeout")]
    pub fn set_wait_time_limit(&self, limit: Duration) -> Result<()> {
        self.inner.bind()?;
        let limit_s = u32::try_from(limit.as_secs()).unwrap_or(u32::MAX);
        // SAFETY: the device is selected and alive.
        let done = unsafe { result::event::set_op_wait_timeout(self.inner.api(), limit_s) };
        self.inner.check("aclrtSetOpWaitTimeout", done)
    }

    /// Takes the last error of the calling thread, also one of a fault that was reported later.
    ///
    /// # Errors
    ///
    /// [`Error::InsideHostFunction`], and what an earlier drop had to say.
    #[doc(alias = "aclrtGetLastError")]
    pub fn take_last_error(&self) -> Result<Option<AclError>> {
        self.inner.bind()?;
        // SAFETY: the table is loaded.
        let last = unsafe { result::exception::last_error(self.inner.api(), LastErrLevel::THREAD_LEVEL) };
        Ok(last.err())
    }
}

/// Refuses a device of another runtime.
fn same_runtime(a: &DeviceInner, b: &DeviceInner, what: &'static str) -> Result<()> {
    if std::ptr::eq(a.api(), b.api()) { Ok(()) } else { Err(Error::OtherDevice { what, with: "device" }) }
}
