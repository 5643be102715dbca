//! What the user sees of a launch: device output, findings, and the failure that a synchronisation returns.
#![allow(unsafe_code)] // Empties the C library's buffers, so that the program's own text comes first.

use super::binary::Function;
use super::failure::Failure;
use super::report;
use crate::findings::catalogue::{self, Entry};
use crate::findings::render::{Limits, Printer, Style};
use crate::findings::{Finding, Severity, consequence};
use crate::npu::LaunchFailure;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use toprope_abi::acl::AclError;
use toprope_abi::isa::CoreKind;

static QUIET: AtomicBool = AtomicBool::new(false);
static PRINTER: parking_lot::Mutex<Option<Printer>> = parking_lot::Mutex::new(None);

/// `TOPROPE_QUIET` and `TOPROPE_MAX_FINDINGS`.
pub fn set_up(quiet: bool, max_findings: usize) {
    QUIET.store(quiet, Ordering::Relaxed);
    *PRINTER.lock() = Some(Printer::new(Limits::new(max_findings)));
}

/// Prints what kernels printed.
pub fn print_output(text: &str) {
    if text.is_empty() {
        return;
    }
    // SAFETY: null means every output stream of the process.
    unsafe { libc::fflush(std::ptr::null_mut()) };
    // Nobody reads it any more (closed pipe): that is not the program's failure.
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes());
    let _ = out.flush();
}

/// Prints findings on standard error, each once per process however often its launch is repeated.
pub fn print_findings(findings: &[Finding]) {
    if findings.is_empty() || QUIET.load(Ordering::Relaxed) {
        return;
    }
    let mut printer = PRINTER.lock();
    let printer = printer.get_or_insert_with(|| Printer::new(Limits::default()));
    let mut err = std::io::stderr().lock();
    let style = Style::of(&err);
    for finding in findings {
        // One piece, so that other processes' lines do not come between.
        let _ = err.write_all(printer.show(finding, &style).as_bytes());
    }
}

/// Findings of the host that are remembered to explain later ones.
const REMEMBERED: usize = 64;

/// Marks findings that may follow from what the host did wrong before, and remembers those of the host.
pub fn link(findings: &mut [Finding]) {
    static BEFORE: parking_lot::Mutex<Vec<(&str, String)>> = parking_lot::Mutex::new(Vec::new());
    if findings.is_empty() {
        return;
    }
    let mut before = BEFORE.lock();
    for finding in findings {
        if finding.consequence_of.is_none() {
            finding.consequence_of = consequence::of_the_host(&before, finding).map(str::to_owned);
        }
        if finding.code.starts_with("TR08") && before.len() < REMEMBERED {
            before.push((finding.code, finding.title.clone()));
        }
    }
}

/// Prints how many findings were left out.
pub fn print_rest() {
    if let Some(printer) = PRINTER.lock().as_mut() {
        let mut err = std::io::stderr().lock();
        let style = Style::of(&err);
        let _ = err.write_all(printer.rest(&style).as_bytes());
    }
}

/// A finding about the host program: printed at once, because `<<<…>>>` returns nothing, and kept for the report.
fn host_finding(entry: &'static Entry, values: &[(&str, String)], kernel: &str, details: Vec<String>) {
    let mut finding = [Finding { details, kernel: kernel.into(), ..Finding::new(entry, values) }];
    link(&mut finding);
    report::finding(&finding[0]);
    print_findings(&finding);
}

/// A launch that did not reach the device.
pub fn refused_launch(kernel: &str, failure: &Failure) {
    let values = [("why", failure.text.clone()), ("what_to_do", failure.what_to_do().to_string())];
    let code = format!("code: {} {}", failure.code.0, failure.code.name());
    host_finding(&catalogue::REFUSED_LAUNCH, &values, kernel, vec![code]);
}

/// Codes per way to fail: cube or mixed, vector.
const CODES: [(LaunchFailure, AclError, AclError, &str); 3] = [
    (LaunchFailure::Exception, AclError::RT_AICORE_EXCEPTION, AclError::RT_VECTOR_CORE_EXCEPTION, "failed"),
    (LaunchFailure::Timeout, AclError::RT_AICORE_TIMEOUT, AclError::RT_VECTOR_CORE_TIMEOUT, "did not end"),
    (
        LaunchFailure::Trap,
        AclError::RT_AICORE_TRAP_EXCEPTION,
        AclError::RT_VECTOR_CORE_TRAP_EXCEPTION,
        "ran into a trap",
    ),
];

/// The failure of a launch, with its first error in the words of the finding.
pub fn kernel_failure(
    function: &Function,
    blocks: u32,
    stream: &str,
    why: LaunchFailure,
    findings: &[Finding],
) -> Failure {
    let row = CODES.into_iter().find(|row| row.0 == why);
    let (_, cube, vector, did) = row.unwrap_or(CODES[0]);
    let code = if function.main_core == CoreKind::Aic { cube } else { vector };
    let mut text = format!("kernel `{}` ({blocks} blocks, {stream}) {did}", function.name);
    let errors = findings.iter().filter(|f| f.severity == Severity::Error).count();
    let first = findings.iter().find(|f| f.severity == Severity::Error).or(findings.first());
    let mut help = String::new();
    if let Some(first) = first {
        text.push_str(": ");
        text.push_str(&first.title);
        match (first.block, first.core.as_str()) {
            (Some(block), "") => text.push_str(&format!(" (block {block})")),
            (Some(block), core) => text.push_str(&format!(" (block {block}, {core})")),
            (None, _) => {}
        }
        if let Some(place) = &first.place {
            text.push_str(&format!("\n  at {place}"));
        }
        for line in &first.details {
            text.push_str("\n  ");
            text.push_str(line);
        }
        if errors > 1 {
            text.push_str(&format!("\n  and {} more, printed on standard error", errors - 1));
        }
        help.clone_from(&first.help);
    }
    Failure { code, text, help }
}
