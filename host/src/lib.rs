//! What a host program uses: safe Rust over the CANN runtime, on the embedded NPU or on a real one.
//!
//! ```no_run
//! use toprope_host::{Binary, Runtime, launch_args};
//!
//! # fn main() -> toprope_host::Result<()> {
//! let runtime = Runtime::embedded()?;
//! let device = runtime.device(0)?;
//! let stream = device.create_stream()?;
//! let binary = Binary::load(&device, "add.so")?; // made by `toprope build --kernel-only add.asc -o add.so`
//! let add = binary.function("add_custom")?;
//!
//! let x = device.host_buffer_from(&vec![1.0f32; 8192])?;
//! let mut z = device.host_buffer::<f32>(8192)?;
//! let (dx, dz) = (device.alloc::<f32>(8192)?, device.alloc::<f32>(8192)?);
//! stream.scope(|s| {
//!     s.copy_to_device(&dx, &x)?;
//!     s.launch(add.prepare(8, launch_args![&dx, &dx, &dz])?)?;
//!     s.copy_to_host(&mut z, &dz)
//! })?; // waits for the stream: nothing borrowed above is in use any more
//! assert_eq!(z[0], 2.0);
//! # Ok(())
//! # }
//! ```
//!
//! Three layers, none of which skips one:
//!
//! | layer | what it does | unsafe |
//! |---|---|---|
//! | [`sys`] | the table of C functions, filled by the embedded runtime or by `dlopen` | all of it |
//! | [`result`] | the C prefix becomes a module, a code becomes a `Result` | all of it |
//! | the root | handles that free themselves, buffers with a length, copies that cannot outlive their memory | [`Function::prepare_unchecked`] only |
//!
//! | CANN | here |
//! |---|---|
//! | `aclInit`, `aclFinalize` | [`Runtime`] |
//! | `aclrtSetDevice`, `aclrtResetDevice`, the default context | [`Device`] |
//! | `aclrtStream` | [`Stream`] |
//! | `aclrtEvent` | [`Event`] |
//! | `aclrtMalloc` | [`DeviceBuffer`] |
//! | `aclrtMallocHost` | [`HostBuffer`] |
//! | `aclrtMemcpyAsync` | [`Scope::copy_to_device`], [`Scope::copy_to_host`] |
//! | `aclrtBinHandle`, `aclrtFuncHandle` | [`Binary`], [`Function`] |
//! | `aclrtLaunchKernelWithHostArgs` | [`Function::prepare`], [`Scope::launch`] |
//! | `aclError`, `aclGetRecentErrMsg` | [`Error`] |
//!
//! Does not cover: graphs, notifies, callbacks, memory shared between processes.

pub mod error;
pub mod result;
mod safe;
pub mod sys;

pub use bytemuck::Pod;
pub use error::{Error, Result};
pub use safe::*;
pub use sys::Backend;
pub use toprope_abi as abi;
