//! The CANN runtime on the embedded NPU: devices, contexts, streams, events, memory, launches.
//!
//! ```text
//!  C program ─▶ libascendcl.so ─┐
//!  Rust host ───────────────────┴▶ api() ─▶ state ─▶ stream ─▶ scheduler ─▶ npu
//!                                             │         └────▶ copy
//!                                             └─▶ gm, hostmem, event, binary, report
//! ```
//! Behaviour follows the public documentation of the CANN runtime 9.1.0; the rules are numbered in the tests
//! (`tests/runtime_*.rs`). Everything asynchronous really is asynchronous to the host thread: kernels run on the
//! workers of the NPU, copies on copy threads; a host thread that synchronises lends a hand to both. A panic in here
//! becomes code 500000 with a message, never an unwinding into C.
//!
//! Not modelled: AI CPU kernels, sharing between servers.

mod abort;
mod allocator;
mod api;
mod args;
mod background;
pub(crate) mod binary;
mod callback;
pub mod chance;
mod cmo;
mod code;
pub(crate) mod config;
pub(crate) mod context;
mod contract;
mod copy;
pub(crate) mod device;
mod diag;
pub(crate) mod event;
mod exception;
pub(crate) mod failure;
pub(crate) mod graph;
pub(crate) mod handle;
mod hostmem;
mod indirect;
mod init_hooks;
mod ipc;
mod launch;
mod limits;
mod log;
mod managed;
mod mbuf;
mod mem_batch;
mod mem_findings;
mod mem_pool;
mod memory;
mod misuse;
mod no_memory;
mod notify;
mod object_file;
mod order;
mod overflow;
mod process;
pub(crate) mod progress;
pub(crate) mod queue;
mod random;
mod reduce;
mod report;
mod rt;
pub(crate) mod scheduler;
mod site;
mod snapshot;
mod state;
mod state_callback;
pub(crate) mod stream;
mod symbol;
mod tiling;
mod timeouts;
mod timer;
mod transfer;
mod value;
mod vmm;
pub(crate) mod work;

pub use api::{ACL_API, api, not_supported};
pub use failure::refuse_host_call;
pub use log::app_log;
pub use report::{LaunchRecord, Leak, SCHEMA_VERSION, SINGLE_LAUNCHES, write_now as write_report};
pub use rt::{RT_API, device_cycles, print_device_output, rt_api};
