//! `aclrt…Context`, `aclrtCtx…`.

use crate::sys::{ContextHandle, StreamHandle, SysParamOpt};
use std::ffi::c_void;

super::calls! {
    /// Makes a context with its own default stream on a device and selects it.
    fn create(device_id: i32) -> (context: ContextHandle) = aclrtCreateContext(context, device_id);
    /// Destroys a context made by `aclrtCreateContext`.
    fn destroy(context: ContextHandle) = aclrtDestroyContext(context);
    /// Read a context-scope option.
    fn sys_param_opt(opt: SysParamOpt) -> (value: i64) = aclrtCtxGetSysParamOpt(opt, value);
    /// Set a context-scope option.
    fn set_sys_param_opt(opt: SysParamOpt, value: i64) = aclrtCtxSetSysParamOpt(opt, value);
    /// Handle of the current context's default stream.
    fn current_default_stream() -> (stream: StreamHandle) = aclrtCtxGetCurrentDefaultStream(stream);
    /// Is the device's default context alive.
    fn primary_state(device_id: i32) -> (flags: u32, active: i32) = aclrtGetPrimaryCtxState(device_id, flags, active);
    /// Device address of context overflow flags.
    fn float_overflow_addr() -> (overflow_addr: *mut c_void) = aclrtCtxGetFloatOverflowAddr(overflow_addr);
}
