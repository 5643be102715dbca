//! `aclrt…ParamOpt`, `aclrt…ResLimit…`: switches and limits.

use crate::sys::{DevResLimitType, StreamHandle, SysParamOpt};

super::calls! {
    /// Read a process-wide option (determinism, ...).
    fn sys_param_opt(opt: SysParamOpt) -> (value: i64) = aclrtGetSysParamOpt(opt, value);
    /// Set a process-wide option.
    fn set_sys_param_opt(opt: SysParamOpt, value: i64) = aclrtSetSysParamOpt(opt, value);
    /// Read cube/vector core cap of a device.
    fn device_res_limit(device_id: i32, ty: DevResLimitType) -> (value: u32) = aclrtGetDeviceResLimit(device_id, ty, value);
    /// Cap cube/vector cores for the process.
    fn set_device_res_limit(device_id: i32, ty: DevResLimitType, value: u32) = aclrtSetDeviceResLimit(device_id, ty, value);
    /// Restore core caps.
    fn reset_device_res_limit(device_id: i32) = aclrtResetDeviceResLimit(device_id);
    /// Read core cap of a stream.
    fn stream_res_limit(stream: StreamHandle, ty: DevResLimitType) -> (value: u32) = aclrtGetStreamResLimit(stream, ty, value);
    /// Cap cores for one stream.
    fn set_stream_res_limit(stream: StreamHandle, ty: DevResLimitType, value: u32) = aclrtSetStreamResLimit(stream, ty, value);
    /// Restore stream core caps.
    fn reset_stream_res_limit(stream: StreamHandle) = aclrtResetStreamResLimit(stream);
    /// Adopt a stream's core cap in this thread.
    fn use_stream_res_in_current_thread(stream: StreamHandle) = aclrtUseStreamResInCurrentThread(stream);
    /// Stop adopting it.
    fn unuse_stream_res_in_current_thread(stream: StreamHandle) = aclrtUnuseStreamResInCurrentThread(stream);
    /// Core count effective in this thread.
    fn res_in_current_thread(ty: DevResLimitType) -> (value: u32) = aclrtGetResInCurrentThread(ty, value);
}
