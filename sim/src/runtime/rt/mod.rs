//! The layer below and beside ACL: `rt*`, `Msprof*` and the start-up code of Ascend C.
//!
//! ```text
//!  pyasc, <<<>>> of older compilers ─▶ rt* ─┐
//!  host stubs of Ascend C ─▶ …Ascend… ──────┼─▶ the same Rust functions as ACL ─▶ state, stream, binary
//!  their profiling hooks ─▶ Msprof* ────────┘      (one runtime per process, whichever library was named)
//! ```
//! Rows: [`toprope_abi::for_each_rt_fn`]. Codes and messages are those of ACL, with the name of the function called.
//! Not modelled: profiling by an outside tool (records are dropped; `TOPROPE_REPORT` has the numbers of each launch).

mod ascendc;
mod device;
mod kernel;
mod prof;
pub mod stubs;
mod table;

pub use table::{RT_API, rt_api};

use super::failure::guarded;
use super::state::runtime;
use std::ffi::c_void;

/// Waits for a stream, so that what its kernels printed is on the screen.
pub fn print_device_output(stream: *mut c_void) {
    let _ = guarded("AdumpPrintWorkSpace", || runtime().stream(stream)?.synchronize(None));
}

/// Modelled time of the calling thread's device in core cycles; 0 without a device.
pub fn device_cycles() -> u64 {
    let mut cycles = 0;
    let _ = guarded("tm_time", || {
        cycles = runtime().current()?.device.seen_cycle();
        Ok(())
    });
    cycles
}
