//! `aclInit`, `aclFinalize`, versions, messages.

use super::{AclApi, AclResult, answer};
use crate::sys::{FinalizeCallbackFunc, InitCallbackFunc, RegisterCallbackType};
use std::ffi::{CStr, c_void};
use std::ptr::null;

/// `aclInit`. Device work needs no earlier initialisation, so `config` may be `None` for defaults.
///
/// # Safety
/// - No call of [`finalize`] runs at the same time.
pub unsafe fn init(api: &AclApi, config: Option<&CStr>) -> AclResult {
    let path = config.map_or(null(), |text| text.as_ptr().cast());
    // SAFETY: the path is null or a C string that lives as long as the call.
    unsafe { (api.aclInit)(path) }.ok()
}

/// `aclFinalize`.
///
/// # Safety
/// - No handle of this runtime is used afterwards.
pub unsafe fn finalize(api: &AclApi) -> AclResult {
    // SAFETY: promised by the caller.
    unsafe { (api.aclFinalize)() }.ok()
}

/// `aclrtGetVersion`: major, minor, patch.
///
/// # Safety
/// - `api` is the table of a loaded runtime.
pub unsafe fn version(api: &AclApi) -> AclResult<[i32; 3]> {
    answer([0; 3], |[major, minor, patch]| {
        // SAFETY: three live integers.
        unsafe { (api.aclrtGetVersion)(major, minor, patch) }
    })
}

/// `aclGetRecentErrMsg`: takes the newest message of the calling thread.
///
/// # Safety
/// - `api` is the table of a loaded runtime.
pub unsafe fn take_message(api: &AclApi) -> Option<String> {
    // SAFETY: takes no argument.
    let text = unsafe { (api.aclGetRecentErrMsg)() };
    if text.is_null() {
        return None;
    }
    // SAFETY: not null, so a C string that is valid until the next call of the runtime in this thread; copied at once.
    let text = unsafe { CStr::from_ptr(text.cast()) };
    Some(text.to_string_lossy().into_owned()).filter(|text| !text.trim().is_empty())
}

super::calls! {
    /// Gives one `aclInit` back and tells how many are left (`refCount` may be null); at 0 it finalises, below 100037.
    fn finalize_reference() -> (ref_count: u64) = aclFinalizeReference(ref_count);
    /// Hook run while aclInit executes.
    fn init_callback_register(ty: RegisterCallbackType, cb_func: InitCallbackFunc, user_data: *mut c_void) = aclInitCallbackRegister(ty, cb_func, user_data);
    /// Remove an init hook.
    fn init_callback_unregister(ty: RegisterCallbackType, cb_func: InitCallbackFunc) = aclInitCallbackUnRegister(ty, cb_func);
    /// Hook run while finalize executes.
    fn finalize_callback_register(ty: RegisterCallbackType, cb_func: FinalizeCallbackFunc, user_data: *mut c_void) = aclFinalizeCallbackRegister(ty, cb_func, user_data);
    /// Remove a finalize hook.
    fn finalize_callback_unregister(ty: RegisterCallbackType, cb_func: FinalizeCallbackFunc) = aclFinalizeCallbackUnRegister(ty, cb_func);
}
