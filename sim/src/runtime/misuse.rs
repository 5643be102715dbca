//! Calls that were refused because streams, contexts, captures or handles are used wrongly.
//!
//! Such calls answer with a code, but many programs do not look at it, and what goes wrong shows up later and elsewhere. Other
//! refusals (arguments, lack of memory) are not told here: programs try such calls on purpose.

use super::failure::Failure;
use super::mem_findings::raise_once;
use super::order;
use super::site::CallSite;
use crate::findings::Detail;
use crate::findings::catalogue;
use toprope_abi::acl::{AclError, ErrorClass};

/// Starts of the names of functions with which programs ask whether something is there.
const ASKING: [&str; 4] = ["aclrtGet", "aclrtCtxGet", "aclmdlRICaptureGet", "aclrtQueryDevice"];

fn is_told(function: &str, failure: &Failure) -> bool {
    let code = failure.code;
    let asks = ASKING.iter().any(|start| function.starts_with(start));
    match code {
        AclError::RT_STREAM_CONTEXT => true,
        AclError::RT_INVALID_HANDLE => !asks && failure.text.contains("was destroyed"),
        // A copy that does not fit copies nothing.
        AclError::RT_PARAM_INVALID => {
            let copies = function.starts_with("aclrtMemcpy") || function.starts_with("aclrtMemset");
            copies && [" ends after ", "the room at "].iter().any(|part| failure.text.contains(part))
        }
        AclError::RT_CONTEXT_NULL => !asks && !function.contains("Free") && !function.contains("Destroy"),
        _ => code.class() == ErrorClass::Capture,
    }
}

/// A call of this function was refused.
pub fn refused(function: &'static str, failure: &Failure) {
    if !order::is_on() || !is_told(function, failure) {
        return;
    }
    let values = [
        ("function", function.to_owned()),
        ("why", failure.text.clone()),
        ("what_to_do", failure.what_to_do().to_owned()),
    ];
    let mut code = format!("code: {} {}", failure.code.0, failure.code.name());
    if failure.code.class() == ErrorClass::Capture {
        code.push_str("; other versions answer 107030, 107041 or 507011, and the capture is void");
    }
    let site = CallSite::here();
    raise_once(&catalogue::REFUSED_CALL, &values, site, site, vec![Detail::Text(code)], Vec::new());
}
