//! Handles that free themselves and calls that cannot be made wrongly.

mod args;
mod buffer;
mod device;
mod event;
mod fault;
#[cfg(feature = "async")]
mod future;
mod graph;
mod graph_build;
mod host_func;
mod info;
mod ipc;
mod kernel;
mod managed;
mod notify;
mod pool;
mod put;
mod runtime;
mod scope;
mod stream;

pub use args::{KernelArg, LaunchArgs};
pub use buffer::{DeviceBuffer, DeviceMemory, DeviceSlice, HostBuffer};
pub use device::Device;
pub use event::{Event, EventUse};
pub use fault::{Fault, FaultWatch};
#[cfg(feature = "async")]
pub use future::{Finished, Submitted};
pub use graph::{CaptureMode, Graph, GraphHost, Recorder, TaskGroup};
pub use graph_build::GraphBuilder;
pub use info::Utilization;
pub use ipc::{ImportedBuffer, Importers};
pub use kernel::{Binary, Function, LaunchAttr, MAX_BLOCKS, PreparedLaunch};
pub use managed::{ManagedBuffer, MappedHost, RegisteredHost};
pub use notify::{CntNotify, CntRecord, CntWait, Notify, ValueWait};
pub use pool::{MemPool, StreamBuffer};
pub use runtime::Runtime;
pub use scope::Scope;
pub use stream::{Stream, StreamConfig};
