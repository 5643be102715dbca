//! Work for a stream, as [`Scope`](super::Scope) and [`Recorder`](super::Recorder) put it in.
//!
//! Everything here is `unsafe` for one reason: what the work uses has to live until the stream has passed it. The two
//! callers promise that with the lifetimes of their arguments.
#![allow(unsafe_code)] // calls the layer below

use super::device::Inner as DeviceInner;
use super::kernel::PreparedLaunch;
use super::stream::Stream;
use crate::error::{Error, Result};
use crate::result;
use crate::sys::{AclApi, MemcpyKind};
use bytemuck::Pod;
use std::sync::Arc;

/// Where device memory is, of which device, and which stream alone may use it.
#[derive(Debug)]
pub struct Place<T> {
    pub(crate) ptr: *mut T,
    pub(crate) elements: usize,
    pub(crate) device: DeviceKey,
    pub(crate) stream: Option<usize>,
}

/// Which device of which runtime.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeviceKey {
    pub(crate) id: i32,
    pub(crate) api: *const AclApi,
}

impl DeviceKey {
    pub(crate) fn of(device: &DeviceInner) -> DeviceKey {
        DeviceKey { id: device.id, api: std::ptr::from_ref(device.api()) }
    }
}

impl<T> Place<T> {
    pub(crate) fn size_bytes(&self) -> usize {
        self.elements * size_of::<T>()
    }

    /// The copy from `source` to here.
    pub(crate) fn copy_in(&self, source: &[T]) -> Result<result::mem::Copy> {
        same_length(self.elements, source.len())?;
        let (dst, bytes) = (self.ptr.cast(), self.size_bytes());
        let src = source.as_ptr().cast();
        Ok(result::mem::Copy { dst, dst_bytes: bytes, src, bytes, kind: MemcpyKind::HOST_TO_DEVICE })
    }

    /// The copy from here to `destination`.
    pub(crate) fn copy_out(&self, destination: &mut [T]) -> Result<result::mem::Copy> {
        same_length(destination.len(), self.elements)?;
        let (src, bytes) = (self.ptr.cast_const().cast(), self.size_bytes());
        let dst = destination.as_mut_ptr().cast();
        Ok(result::mem::Copy { dst, dst_bytes: bytes, src, bytes, kind: MemcpyKind::DEVICE_TO_HOST })
    }

    /// The copy from `source` to here, both device memory.
    pub(crate) fn copy_across(&self, source: &Place<T>) -> Result<result::mem::Copy> {
        same_length(self.elements, source.elements)?;
        let (src, bytes) = (source.ptr.cast_const().cast(), self.size_bytes());
        let dst = self.ptr.cast();
        Ok(result::mem::Copy { dst, dst_bytes: bytes, src, bytes, kind: MemcpyKind::DEVICE_TO_DEVICE })
    }
}

fn same_length(destination_elements: usize, source_elements: usize) -> Result<()> {
    if destination_elements == source_elements {
        Ok(())
    } else {
        Err(Error::LengthMismatch { destination_elements, source_elements })
    }
}

impl Stream {
    /// Checks that this stream may use the memory.
    pub(crate) fn may_use<T>(&self, place: &Place<T>, what: &'static str) -> Result<()> {
        if place.device != DeviceKey::of(&self.device) {
            return Err(Error::OtherDevice { what, with: "stream" });
        }
        self.is_its(place.stream)
    }

    fn is_its(&self, stream: Option<usize>) -> Result<()> {
        if stream.is_none_or(|key| key == self.key()) { Ok(()) } else { Err(Error::OtherStream) }
    }

    /// # Safety
    /// - Both ranges live until the stream has passed the copy, and the host does not look at the destination or change
    ///   the source until then.
    pub(crate) unsafe fn put_copy(&self, copy: result::mem::Copy) -> Result<()> {
        self.device.bind()?;
        // SAFETY: promised by the caller; the stream is alive and its context is current.
        let put = unsafe { result::mem::copy_async(self.device.api(), copy, self.handle()) };
        self.device.check("aclrtMemcpyAsync", put)
    }

    /// # Safety
    /// - The memory lives until the stream has passed this.
    pub(crate) unsafe fn put_fill<T: Pod>(&self, destination: &Place<T>, value: u8) -> Result<()> {
        self.device.bind()?;
        let (ptr, bytes) = (destination.ptr.cast(), destination.size_bytes());
        // SAFETY: promised by the caller; the stream is alive and its context is current.
        let put = unsafe { result::mem::set_async(self.device.api(), ptr, value, bytes, self.handle()) };
        self.device.check("aclrtMemsetAsync", put)
    }

    /// # Safety
    /// - What the launch borrows lives until the stream has passed it.
    pub(crate) unsafe fn put_launch(&self, launch: &PreparedLaunch<'_>) -> Result<()> {
        let function: &Arc<DeviceInner> = launch.function.device();
        self.same_device(function, "the kernel")?;
        for ordered in launch.args.ordered() {
            self.is_its(Some(ordered.stream_key()))?;
        }
        self.device.bind()?;
        // SAFETY: promised by the caller; the arguments fit the kernel (`prepare`, or promised to `prepare_unchecked`);
        // the stream is alive and its context is current.
        let put = unsafe {
            result::kernel::launch(
                self.device.api(),
                launch.function.handle(),
                launch.num_blocks,
                self.handle(),
                launch.args.words(),
                &launch.attrs,
            )
        };
        self.device.check("aclrtLaunchKernelWithHostArgs", put)
    }
}
