//! Arguments of a kernel, packed as the launch ABI wants them: every one starts at a multiple of 8 bytes.

use super::buffer::{DeviceBuffer, DeviceSlice};
use super::device::Inner as DeviceInner;
use super::ipc::ImportedBuffer;
use super::managed::ManagedBuffer;
use super::pool::{StreamBuffer, StreamMemory};
use bytemuck::Pod;
use std::sync::Arc;
use toprope_abi::tiling::TilingStruct;

/// The arguments of one launch; holds what they borrow. Made by [`launch_args!`](crate::launch_args).
#[derive(Debug, Clone, Default)]
pub struct LaunchArgs<'a> {
    /// The packed arguments, in units of 8 bytes.
    words: Vec<u64>,
    /// Size of each argument, bytes.
    sizes: Vec<usize>,
    /// Devices of the buffers among them.
    devices: Vec<&'a Arc<DeviceInner>>,
    /// Memory among them that is freed in the order of its stream; kept until the launch is in that stream.
    ordered: Vec<Arc<StreamMemory>>,
}

impl<'a> LaunchArgs<'a> {
    /// No arguments.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one argument.
    #[must_use]
    pub fn with(mut self, arg: impl KernelArg<'a>) -> Self {
        arg.append(&mut self);
        self
    }

    /// Adds the bytes of a plain value.
    pub fn push_value<T: Pod>(&mut self, value: &T) {
        let bytes = bytemuck::bytes_of(value);
        let start = self.words.len();
        self.words.resize(start + bytes.len().div_ceil(8), 0);
        bytemuck::cast_slice_mut::<u64, u8>(&mut self.words[start..])[..bytes.len()].copy_from_slice(bytes);
        self.sizes.push(bytes.len());
    }

    /// Number of arguments.
    pub fn len(&self) -> usize {
        self.sizes.len()
    }

    /// `true` if there are none.
    pub fn is_empty(&self) -> bool {
        self.sizes.is_empty()
    }

    /// The packed arguments.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    pub(crate) fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    pub(crate) fn devices(&self) -> &[&'a Arc<DeviceInner>] {
        &self.devices
    }

    pub(crate) fn ordered(&self) -> &[Arc<StreamMemory>] {
        &self.ordered
    }
}

/// What can be an argument of a kernel: device memory (the kernel gets its address), numbers, and tiling structs made
/// by [`tiling_struct!`](toprope_abi::tiling_struct).
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a kernel",
    label = "neither device memory, a number, nor a reference to a tiling struct",
    note = "pass `&DeviceBuffer`, a `DeviceSlice`, a number with its type (`8u32`), or `&tiling` of a `tiling_struct!`"
)]
pub trait KernelArg<'a> {
    /// Adds itself to `args`.
    fn append(self, args: &mut LaunchArgs<'a>);
}

impl<'a, T: Pod> KernelArg<'a> for DeviceSlice<'a, T> {
    fn append(self, args: &mut LaunchArgs<'a>) {
        args.push_value(&self.as_ptr().expose_provenance());
        args.devices.push(self.device());
    }
}

impl<'a, T: Pod> KernelArg<'a> for &'a DeviceBuffer<T> {
    fn append(self, args: &mut LaunchArgs<'a>) {
        DeviceSlice::from(self).append(args);
    }
}

/// Only for launches in the stream of the buffer, which is freed after them.
impl<'a, T: Pod> KernelArg<'a> for &StreamBuffer<T> {
    fn append(self, args: &mut LaunchArgs<'a>) {
        args.push_value(&self.as_ptr().expose_provenance());
        args.ordered.push(Arc::clone(self.memory()));
    }
}

impl<'a, T: Pod> KernelArg<'a> for &'a ManagedBuffer<T> {
    fn append(self, args: &mut LaunchArgs<'a>) {
        self.as_device().append(args);
    }
}

impl<'a, T: Pod> KernelArg<'a> for &'a ImportedBuffer<T> {
    fn append(self, args: &mut LaunchArgs<'a>) {
        self.as_device().append(args);
    }
}

impl<'a, T: TilingStruct> KernelArg<'a> for &T {
    fn append(self, args: &mut LaunchArgs<'a>) {
        args.push_value(self);
    }
}

macro_rules! numbers {
    ($($ty:ty)*) => { $(impl<'a> KernelArg<'a> for $ty {
        fn append(self, args: &mut LaunchArgs<'a>) {
            args.push_value(&self);
        }
    })* };
}
numbers! { u8 i8 u16 i16 u32 i32 u64 i64 usize isize f32 f64 }

/// The arguments of a launch: `launch_args![&x, &y, 1024u32, &tiling]`, in the order of the kernel's parameters.
#[macro_export]
macro_rules! launch_args {
    ($($arg:expr),* $(,)?) => { $crate::LaunchArgs::new()$(.with($arg))* };
}
