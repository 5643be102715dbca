//! The embedded Ascend NPU (arch dav-2201) and the CANN runtime on it.
//!
//! Two halves with one seam between them:
//! - the **device**: [`npu`] (cores, pipes, flags, clock), [`exec`] (what instructions do to bytes),
//!   [`gm`] (device memory), [`findings`] (what is wrong with a kernel, in words);
//! - the **runtime** behind the ACL ABI: [`runtime`] (streams, tasks, launches, errors).
//!
//! The seam is [`npu::Launch`] → [`npu::LaunchOutcome`]. What is modelled and what is not is said at the
//! top of each module; anything else is an error that names what is missing.

pub mod exec;
pub mod findings;
pub mod gm;
pub mod npu;
pub mod runtime;
mod sync;
