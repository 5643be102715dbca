//! `aclmdl…Dump`.

use std::ffi::CStr;

super::calls! {
    /// Enable dump subsystem.
    fn init() = aclmdlInitDump();
    /// Apply dump JSON.
    fn set(dump_cfg_path: &CStr) = aclmdlSetDump(dump_cfg_path.as_ptr().cast());
    /// Disable dump subsystem.
    fn finalize() = aclmdlFinalizeDump();
}
