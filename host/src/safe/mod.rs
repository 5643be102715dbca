//! Handles that free themselves and calls that cannot be made wrongly.

mod args;
mod buffer;
mod device;
mod event;
mod kernel;
mod runtime;
mod scope;
mod stream;

pub use args::{KernelArg, LaunchArgs};
pub use buffer::{DeviceBuffer, DeviceSlice, HostBuffer};
pub use device::Device;
pub use event::Event;
pub use kernel::{Binary, Function, MAX_BLOCKS, PreparedLaunch};
pub use runtime::Runtime;
pub use scope::Scope;
pub use stream::Stream;
