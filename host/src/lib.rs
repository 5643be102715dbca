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
//! | `aclrtSetDevice`, `aclrtResetDevice`, contexts, peers, limits | [`Device`], [`Device::create_context`], [`Device::enable_peer_access`] |
//! | `aclrtStream` | [`Stream`], [`StreamConfig`] |
//! | `aclrtEvent` | [`Event`], [`EventUse`] |
//! | `aclrtNotify`, `aclrtCntNotify`, `aclrtValueWait` | [`Notify`], [`CntNotify`], [`Scope::wait_value`] |
//! | `aclrtMalloc` | [`DeviceBuffer`] |
//! | `aclrtMallocHost`, `aclrtHostRegister` | [`HostBuffer`], [`RegisteredHost`], [`MappedHost`] |
//! | `aclrtMemAllocManaged` | [`ManagedBuffer`] |
//! | `aclrtMemPool…Async` | [`MemPool`], [`StreamBuffer`] |
//! | `aclrtMemcpyAsync`, `aclrtMemsetAsync` | [`Scope::copy_to_device`], [`Scope::copy_to_host`], [`Scope::fill_bytes`] |
//! | `aclrtBinHandle`, `aclrtFuncHandle` | [`Binary`], [`Function`] |
//! | `aclrtLaunchKernelWithHostArgs`, launch attributes | [`Function::prepare`], [`Scope::launch`], [`LaunchAttr`] |
//! | `aclrtLaunchHostFunc` | [`Stream::launch_host_func`], [`Scope::launch_host_func`] |
//! | `aclmdlRICapture…`, `aclmdlRIExecute` | [`Stream::capture`], [`Graph`] |
//! | `aclmdlRIBuild…` | [`Device::build_graph`] |
//! | `aclrtIpcMem…`, `aclrtNotifyImportByKey`, `aclrtIpcOpenEventHandle` | [`DeviceBuffer::export_key`], [`Device::import_memory`], [`Device::import_notify`], [`Device::open_ipc_event`] |
//! | `aclrtSynchronizeStreamWithTimeout` and its kind | [`Stream::synchronize_for`], [`Event::synchronize_for`], [`Stream::wait_for`], [`Device::synchronize_for`] |
//! | `aclError`, `aclGetRecentErrMsg` | [`Error`] |
//! | everything else | [`result`], one function per C function |
//!
//! # What cannot be written
//!
//! Work in a stream goes on after the call that put it in. Where it uses memory, the borrow checker knows:
//!
//! | mistake | why it does not compile |
//! |---|---|
//! | a buffer is freed, changed or read while a copy or a kernel uses it | [`Stream::scope`] borrows it until the stream is empty |
//! | a stream goes away while it works | the scope borrows the stream |
//! | a context or device goes away under a stream, an event, a buffer | each keeps its device |
//! | a graph outlives its buffers, or a result is read while it runs | [`Graph`] borrows what it uses; [`Graph::host`] needs `&mut` |
//! | a closure borrows a local that is gone when the stream calls it | [`Stream::launch_host_func`] takes `'static` closures, [`Scope::launch_host_func`] those that outlive the scope |
//! | buffers are used while a future owns their work | `Stream::submit` takes them and gives them back |
//!
//! What the types cannot say is an error: things of two devices in one call ([`Error::OtherDevice`]), work for a stream
//! that is being captured ([`Error::Capturing`]), calls inside a function that a stream calls
//! ([`Error::InsideHostFunction`]). A panic in such a function never reaches C; it is the error of the next
//! synchronisation ([`Error::HostFunctionPanicked`]). What goes wrong in a `Drop` is the error of the next call.
//!
//! # Features
//!
//! - `async`: futures for any executor. `Stream::finished` is ready when the stream is done, `Event::finished` when an
//!   event happened; `Stream::submit` moves buffers into work and gives them back when awaited. The stream wakes the
//!   task; nothing is polled. A dropped future leaves the buffers to the stream until it has passed their work.
//!
//! # Not here
//!
//! Conditional tasks and labels of graphs, virtual memory (reserve, map, share), the user's allocator, device symbols,
//! dump and snapshots: these are in [`result`] only.

pub mod error;
pub mod result;
mod safe;
pub mod sys;

pub use bytemuck::Pod;
pub use error::{Error, Result};
pub use safe::*;
pub use sys::Backend;
pub use toprope_abi as abi;
