//! AI Cores: the engine that runs the blocks of a launch.

use crate::findings::Finding;
use std::time::Duration;
use toprope_abi::core_face::{TrKernel, TrKernelModule};

/// A kernel of a loaded module.
#[derive(Clone, Copy, Debug)]
pub struct KernelRef {
    /// The module; stays loaded until the launch is done.
    pub module: *const TrKernelModule,
    /// The kernel; belongs to `module`.
    pub kernel: *const TrKernel,
}

/// One kernel launch.
#[derive(Clone, Debug)]
pub struct Launch {
    /// What to run.
    pub kernel: KernelRef,
    /// Blocks, at least 1.
    pub num_blocks: u32,
    /// Argument block, 8-byte units (layout: `abi::core_face`).
    pub args: Vec<u64>,
    /// Serial number of the launch on its device, from 0.
    pub launch_id: u64,
    /// Stream the launch came from.
    pub stream_id: u32,
    /// Wall-clock limit for the whole launch.
    pub time_limit: Option<Duration>,
    /// Device time (cycles of the core clock) at which the launch may start.
    pub start_cycle: u64,
}

/// Why a launch failed; decides the ACL code together with the kernel's main core kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaunchFailure {
    /// A fatal finding (507015 cube or mixed, 507035 vector).
    Exception,
    /// The time limit was reached or the launch can make no progress (507014 / 507034).
    Timeout,
    /// The kernel called `Trap()` or failed an assertion (507016 / 507036).
    Trap,
}

/// What a launch did.
#[derive(Clone, Debug, Default)]
pub struct LaunchStats {
    /// Instructions per pipe, indexed by pipe code (`abi::isa::Pipe`), flags and barriers included.
    pub instructions: [u64; 11],
    /// Bytes read from GM by copies.
    pub gm_read_bytes: u64,
    /// Bytes written to GM by copies.
    pub gm_write_bytes: u64,
    /// Modelled duration in core cycles.
    pub cycles: u64,
}

/// Result of a launch.
#[derive(Clone, Debug)]
pub struct LaunchOutcome {
    /// `None` on success.
    pub failure: Option<LaunchFailure>,
    /// Counters; of the completed part if the launch failed.
    pub stats: LaunchStats,
    /// Everything found, deduplicated, in the order of blocks.
    pub findings: Vec<Finding>,
    /// Output of device printf, in the order of blocks.
    pub printed: String,
}
