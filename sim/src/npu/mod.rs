//! AI Cores: the engine that runs the blocks of a launch.
#![allow(unsafe_code)] // `KernelRef` stands for memory of the kernel's module.

mod block;
mod checks;
pub mod chip;
mod clock;
mod core;
mod crew;
mod cross;
mod cross_flags;
mod deadlock;
mod demand;
mod hints;
mod issue;
mod launch;
pub mod order;
mod ownership;
mod pipes;
mod poll;
mod pool;
mod region;
mod residents;
mod schedule;
mod services;
pub mod sticky;
mod system;
mod taint;
mod trap;
mod watchdog;

pub use demand::{BufferDemand, MemoryDemand};
pub use order::GmUse;
pub use pool::{CheckOptions, Npu, NpuOptions};
pub use schedule::Random;
pub use trap::install as install_handlers;

use crate::findings::{Finding, SourcePlace};
use std::ffi::CStr;
use std::time::Duration;
use toprope_abi::core_face::{TrKernel, TrKernelModule, TrParam};

/// A kernel of a loaded module.
#[derive(Clone, Copy, Debug)]
pub struct KernelRef {
    module: *const TrKernelModule,
    kernel: *const TrKernel,
}

// SAFETY: both structs are immutable once registered and stay loaded (contract of `KernelRef::new`).
unsafe impl Send for KernelRef {}
// SAFETY: as above; only shared reads happen through a `KernelRef`.
unsafe impl Sync for KernelRef {}

impl KernelRef {
    /// Names a kernel.
    ///
    /// # Safety
    /// - `module` and `kernel` point to valid structs of `core_face::CORE_ABI_VERSION`, strings and parameter tables
    ///   included, that stay unchanged and loaded as long as this value or a launch of it is in use.
    /// - `kernel` belongs to `module`; its `invoke` and the module's `set_core` follow `core_face`.
    pub unsafe fn new(module: *const TrKernelModule, kernel: *const TrKernel) -> KernelRef {
        KernelRef { module, kernel }
    }

    /// The module.
    pub fn module(&self) -> &TrKernelModule {
        // SAFETY: valid and immutable by the contract of `new`.
        unsafe { &*self.module }
    }

    /// The kernel.
    pub fn kernel(&self) -> &TrKernel {
        // SAFETY: valid and immutable by the contract of `new`.
        unsafe { &*self.kernel }
    }

    /// The kernel's parameters.
    pub fn params(&self) -> &[TrParam] {
        let kernel = self.kernel();
        if kernel.params.is_null() {
            return &[];
        }
        // SAFETY: `param_count` entries at `params` by the contract of `new`.
        unsafe { std::slice::from_raw_parts(kernel.params, kernel.param_count as usize) }
    }

    /// Where the kernel is defined, if the module says so.
    pub fn definition(&self) -> Option<SourcePlace> {
        let kernel = self.kernel();
        if kernel.file.is_null() {
            return None;
        }
        // SAFETY: not null, so a NUL-terminated string by the contract of `new`.
        let file = unsafe { CStr::from_ptr(kernel.file) }.to_string_lossy().into_owned();
        Some(SourcePlace { file, line: kernel.line, function: self.name() })
    }

    /// The kernel's name.
    pub fn name(&self) -> String {
        let name = self.kernel().name;
        if name.is_null() {
            return "kernel".to_owned();
        }
        // SAFETY: not null, so a NUL-terminated string by the contract of `new`.
        unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned()
    }
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
    /// Half and bfloat16 results saturate unless the kernel chooses otherwise (`CTRL[48]` starts as 0).
    pub saturates: bool,
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
    /// A half or bfloat16 result was clamped in saturation mode.
    pub overflowed: bool,
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
    /// GM bytes it used; empty if nothing is checked.
    pub gm: GmUse,
    /// What the buffers of block 0 need of each local memory.
    pub demand: Vec<MemoryDemand>,
}
