//! Allocations that failed, to explain what their null pointers lead to.
//!
//! A program may try for memory on purpose and take less, so a failed `aclrtMalloc` alone is told nowhere. If a kernel then
//! faults that was given a null pointer, or a copy is refused because of one, the failed call is told first and the fault is
//! marked as its consequence. Which of several failed calls the pointer belongs to is not known: the last one is named.

use super::binary::Function;
use super::failure::Failure;
use super::mem_findings::raise_once;
use super::site::CallSite;
use crate::findings::catalogue::ALLOCATION_FAILED;
use crate::findings::{Detail, Finding};
use parking_lot::Mutex;

/// Codes that an access through a null pointer gets: no device memory, no allocation, a null pointer in the kernel's own code.
const NULL_FAULTS: [&str; 5] = ["TR0101", "TR0102", "TR0108", "TR0109", "TR1003"];
/// Starts of the names of functions that are given device memory.
const GIVEN_MEMORY: [&str; 2] = ["aclrtMemcpy", "aclrtMemset"];

#[derive(Clone, Debug)]
struct Failed {
    function: &'static str,
    bytes: u64,
    why: String,
    site: CallSite,
}

static LAST: Mutex<Option<Failed>> = Mutex::new(None);

/// An allocation of this size failed.
pub fn note(function: &'static str, bytes: u64, failure: &Failure) {
    let why = format!("{} ({} {})", failure.text, failure.code.0, failure.code.name());
    *LAST.lock() = Some(Failed { function, bytes, why, site: CallSite::here() });
}

fn tell(failed: &Failed, user: String, at: CallSite) {
    let values = [
        ("function", failed.function.to_owned()),
        ("bytes", failed.bytes.to_string()),
        ("user", user),
        ("what", if at.is_known() { "is refused" } else { "fails" }.to_owned()),
    ];
    let mut details = vec![Detail::Text(format!("{} said: {}", failed.function, failed.why))];
    if at.is_known() {
        details.push(at.line("the null pointer was passed".to_owned()));
    }
    raise_once(&ALLOCATION_FAILED, &values, failed.site, at, details, Vec::new());
}

/// A launch is over that was given these pointers.
pub fn explain_launch(function: &Function, pointers: &[u64], findings: &mut [Finding]) {
    let names = function.parameters.iter().filter(|p| p.is_pointer).map(|p| &p.name);
    let Some((name, _)) = names.zip(pointers).find(|(_, at)| **at == 0) else { return };
    let is_fault = |f: &&mut Finding| NULL_FAULTS.contains(&f.code) && f.consequence_of.is_none();
    let mut faults = findings.iter_mut().filter(is_fault).peekable();
    let (Some(failed), true) = (LAST.lock().clone(), faults.peek().is_some()) else { return };
    let user = format!("kernel `{}`, which has a null pointer for `{name}`,", function.name);
    tell(&failed, user, CallSite::default());
    faults.for_each(|f| f.consequence_of = Some(ALLOCATION_FAILED.code.to_owned()));
}

/// A call was refused.
pub fn explain_call(function: &'static str, failure: &Failure) {
    if !failure.text.contains(" is null") || !GIVEN_MEMORY.iter().any(|start| function.starts_with(start)) {
        return;
    }
    if let Some(failed) = LAST.lock().clone() {
        tell(&failed, format!("{function}, which is given a null pointer,"), CallSite::here());
    }
}
