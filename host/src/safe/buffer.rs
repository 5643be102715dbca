//! Memory of the device and pinned memory of the host.
#![allow(unsafe_code)] // calls the layer below and looks at pinned memory as a slice

use super::device::{Device, Inner as DeviceInner};
use super::put::{DeviceKey, Place};
use crate::error::{Error, Result};
use crate::result::mem;
use crate::sys::MemMallocPolicy;
use bytemuck::Pod;
use std::ffi::c_void;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut, Range};
use std::ptr::NonNull;
use std::sync::Arc;

/// `elements` elements of `T` in device memory, freed on drop.
///
/// Device memory is never seen through a Rust reference: its contents change by copies and kernels only, so all of
/// these take `&DeviceBuffer`. Order between them is the order of the stream they are put into.
#[doc(alias = "aclrtMalloc")]
#[derive(Debug)]
pub struct DeviceBuffer<T> {
    ptr: NonNull<T>,
    elements: usize,
    device: Arc<DeviceInner>,
}

/// A part of a [`DeviceBuffer`].
#[derive(Debug)]
pub struct DeviceSlice<'a, T> {
    ptr: NonNull<T>,
    elements: usize,
    device: &'a Arc<DeviceInner>,
}

/// `elements` elements of `T` in pinned host memory, which asynchronous copies need; used as a slice, freed on drop.
#[doc(alias = "aclrtMallocHost")]
#[derive(Debug)]
pub struct HostBuffer<T> {
    ptr: NonNull<T>,
    elements: usize,
    device: Arc<DeviceInner>,
}

// SAFETY: owns its memory, which is not bound to a thread; `T: Pod` has no thread-bound parts either.
unsafe impl<T: Pod> Send for DeviceBuffer<T> {}
// SAFETY: shared use only hands out the address; the memory itself is reached through the runtime.
unsafe impl<T: Pod> Sync for DeviceBuffer<T> {}
// SAFETY: a shared view of a buffer that is `Sync`.
unsafe impl<T: Pod> Send for DeviceSlice<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Pod> Sync for DeviceSlice<'_, T> {}
// SAFETY: owns plain data, like a `Box<[T]>`; `Pod` is plain data.
unsafe impl<T: Pod + Send> Send for HostBuffer<T> {}
// SAFETY: as above.
unsafe impl<T: Pod + Sync> Sync for HostBuffer<T> {}

/// Size of a buffer, bytes.
pub(crate) fn bytes_of<T>(kind: &'static str, elements: usize) -> Result<usize> {
    let element_bytes = size_of::<T>();
    if elements == 0 || element_bytes == 0 {
        return Err(Error::EmptyBuffer { kind });
    }
    match elements.checked_mul(element_bytes) {
        Some(bytes) if bytes <= isize::MAX as usize => Ok(bytes),
        _ => Err(Error::TooLarge { elements, element_bytes }),
    }
}

/// An address that the runtime gave after success.
pub(crate) fn allocated<T>(device: &DeviceInner, call: &'static str, ptr: *mut c_void) -> Result<NonNull<T>> {
    let ptr = NonNull::new(ptr.cast::<T>()).filter(|ptr| ptr.is_aligned());
    device.check(call, ptr.ok_or(crate::sys::AclError::RT_MEMORY_ALLOCATION))
}

impl Device {
    /// Allocates device memory. Its contents are whatever was there.
    ///
    /// # Errors
    ///
    /// [`Error::EmptyBuffer`], [`Error::TooLarge`], and [`Error::Acl`], for example 207001 if memory ran out.
    pub fn alloc<T: Pod>(&self, elements: usize) -> Result<DeviceBuffer<T>> {
        let bytes = bytes_of::<T>("device", elements)?;
        self.inner.bind()?;
        // SAFETY: the device is selected and alive.
        let ptr = unsafe { mem::malloc(self.inner.api(), bytes, MemMallocPolicy::HUGE_FIRST) };
        let ptr = self.inner.check("aclrtMalloc", ptr)?;
        let ptr = allocated(&self.inner, "aclrtMalloc", ptr)?;
        Ok(DeviceBuffer { ptr, elements, device: Arc::clone(&self.inner) })
    }

    /// Allocates device memory and sets it to zero.
    ///
    /// # Errors
    ///
    /// As [`Device::alloc`].
    pub fn alloc_zeroed<T: Pod>(&self, elements: usize) -> Result<DeviceBuffer<T>> {
        let buffer = self.alloc::<T>(elements)?;
        // SAFETY: the whole of a buffer that nobody else knows yet.
        let set = unsafe { mem::set(self.inner.api(), buffer.as_ptr().cast(), 0, buffer.size_bytes()) };
        self.inner.check("aclrtMemset", set)?;
        Ok(buffer)
    }

    /// Allocates device memory and fills it from the host.
    ///
    /// # Errors
    ///
    /// As [`Device::alloc`].
    pub fn alloc_from<T: Pod>(&self, source: &[T]) -> Result<DeviceBuffer<T>> {
        let buffer = self.alloc::<T>(source.len())?;
        buffer.copy_from_host(source)?;
        Ok(buffer)
    }

    /// Allocates pinned host memory and sets it to zero.
    ///
    /// # Errors
    ///
    /// As [`Device::alloc`].
    pub fn host_buffer<T: Pod>(&self, elements: usize) -> Result<HostBuffer<T>> {
        self.host_buffer_with(elements, |ptr: *mut T| {
            // SAFETY: `elements` elements that were just allocated; zero bytes are a value of every `Pod`.
            unsafe { ptr.write_bytes(0, elements) }
        })
    }

    /// Allocates pinned host memory with a copy of `source`.
    ///
    /// # Errors
    ///
    /// As [`Device::alloc`].
    pub fn host_buffer_from<T: Pod>(&self, source: &[T]) -> Result<HostBuffer<T>> {
        self.host_buffer_with(source.len(), |ptr: *mut T| {
            // SAFETY: room for `source.len()` elements that was just allocated, so it does not overlap the source.
            unsafe { ptr.copy_from_nonoverlapping(source.as_ptr(), source.len()) }
        })
    }

    /// Allocates pinned host memory; `fill` writes all of it.
    fn host_buffer_with<T: Pod>(&self, elements: usize, fill: impl FnOnce(*mut T)) -> Result<HostBuffer<T>> {
        let bytes = bytes_of::<T>("host", elements)?;
        self.inner.bind()?;
        // SAFETY: the device is selected and alive.
        let ptr = unsafe { mem::malloc_host(self.inner.api(), bytes) };
        let ptr = self.inner.check("aclrtMallocHost", ptr)?;
        let ptr = allocated::<T>(&self.inner, "aclrtMallocHost", ptr)?;
        fill(ptr.as_ptr());
        Ok(HostBuffer { ptr, elements, device: Arc::clone(&self.inner) })
    }
}

impl<T: Pod> DeviceBuffer<T> {
    /// Number of elements; never 0.
    #[allow(clippy::len_without_is_empty, reason = "a buffer is never empty")]
    pub fn len(&self) -> usize {
        self.elements
    }

    /// Size, bytes.
    pub fn size_bytes(&self) -> usize {
        self.elements * size_of::<T>()
    }

    pub(crate) fn device(&self) -> &Arc<DeviceInner> {
        &self.device
    }

    /// The device address, for kernels and foreign code; the host must not follow it.
    pub fn as_ptr(&self) -> *mut T {
        self.ptr.as_ptr()
    }

    /// The elements `range` of the buffer.
    ///
    /// # Errors
    ///
    /// [`Error::OutOfRange`].
    pub fn slice(&self, range: Range<usize>) -> Result<DeviceSlice<'_, T>> {
        DeviceSlice::from(self).slice(range)
    }

    /// Fills the buffer from the host and returns when done. Does not wait for streams.
    ///
    /// # Errors
    ///
    /// [`Error::LengthMismatch`] unless the lengths are equal, and [`Error::Acl`].
    pub fn copy_from_host(&self, source: &[T]) -> Result<()> {
        DeviceSlice::from(self).copy_from_host(source)
    }

    /// Copies the buffer to the host and returns when done. Does not wait for streams.
    ///
    /// # Errors
    ///
    /// [`Error::LengthMismatch`] unless the lengths are equal, and [`Error::Acl`].
    pub fn copy_to_host(&self, destination: &mut [T]) -> Result<()> {
        DeviceSlice::from(self).copy_to_host(destination)
    }

    /// A copy of the contents.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`].
    pub fn to_vec(&self) -> Result<Vec<T>> {
        DeviceSlice::from(self).to_vec()
    }
}

impl<'a, T: Pod> DeviceSlice<'a, T> {
    /// Number of elements; never 0.
    #[allow(clippy::len_without_is_empty, reason = "a slice of a buffer is never empty")]
    pub fn len(&self) -> usize {
        self.elements
    }

    /// Size, bytes.
    pub fn size_bytes(&self) -> usize {
        self.elements * size_of::<T>()
    }

    /// The device address; the host must not follow it.
    pub fn as_ptr(&self) -> *mut T {
        self.ptr.as_ptr()
    }

    /// The elements `range` of this slice.
    ///
    /// # Errors
    ///
    /// [`Error::OutOfRange`] if the range is empty or not inside.
    pub fn slice(&self, range: Range<usize>) -> Result<DeviceSlice<'a, T>> {
        let Range { start, end } = range;
        if start >= end || end > self.elements {
            return Err(Error::OutOfRange { start, end, elements: self.elements });
        }
        // Device addresses are numbers here: no memory is reached through them.
        let ptr = self.ptr.as_ptr().wrapping_add(start);
        let ptr = NonNull::new(ptr).ok_or(Error::OutOfRange { start, end, elements: self.elements })?;
        Ok(DeviceSlice { ptr, elements: end - start, device: self.device })
    }

    /// As [`DeviceBuffer::copy_from_host`].
    ///
    /// # Errors
    ///
    /// As there.
    pub fn copy_from_host(&self, source: &[T]) -> Result<()> {
        let copy = self.whole().copy_in(source)?;
        self.device.bind()?;
        // SAFETY: both ranges are live and of equal length, checked by `copy_in`; the call returns when done.
        let done = unsafe { mem::copy(self.device.api(), copy) };
        self.device.check("aclrtMemcpy", done)
    }

    /// As [`DeviceBuffer::copy_to_host`].
    ///
    /// # Errors
    ///
    /// As there.
    pub fn copy_to_host(&self, destination: &mut [T]) -> Result<()> {
        let copy = self.whole().copy_out(destination)?;
        self.device.bind()?;
        // SAFETY: both ranges are live and of equal length, checked by `copy_out`; the call returns when done.
        let done = unsafe { mem::copy(self.device.api(), copy) };
        self.device.check("aclrtMemcpy", done)
    }

    /// A copy of the contents.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`].
    pub fn to_vec(&self) -> Result<Vec<T>> {
        let mut all = vec![T::zeroed(); self.elements];
        self.copy_to_host(&mut all)?;
        Ok(all)
    }

    pub(crate) fn device(&self) -> &'a Arc<DeviceInner> {
        self.device
    }

    pub(crate) fn whole(&self) -> Place<T> {
        let device = DeviceKey::of(self.device);
        Place { ptr: self.as_ptr(), elements: self.elements, device, stream: None }
    }

    /// A part of device memory that somebody else owns.
    pub(crate) fn of_parts(ptr: NonNull<T>, elements: usize, device: &'a Arc<DeviceInner>) -> Self {
        DeviceSlice { ptr, elements, device }
    }
}

/// Device memory that work in a scope may use: [`DeviceBuffer`], [`DeviceSlice`], [`ManagedBuffer`](super::ManagedBuffer)
/// and, in its own stream, [`StreamBuffer`](super::StreamBuffer).
///
/// Sealed: what is behind it has to live for `'a`, or be freed in the order of the stream.
pub trait DeviceMemory<'a, T: Pod>: sealed::Sealed {
    /// Where it is.
    #[doc(hidden)]
    fn place(&self) -> Place<T>;
}

pub(crate) mod sealed {
    /// Keeps other crates from implementing [`DeviceMemory`](super::DeviceMemory).
    pub trait Sealed {}
}

impl<T: Pod> sealed::Sealed for &DeviceBuffer<T> {}
impl<'a, T: Pod> DeviceMemory<'a, T> for &'a DeviceBuffer<T> {
    fn place(&self) -> Place<T> {
        DeviceSlice::from(*self).whole()
    }
}

impl<T: Pod> sealed::Sealed for DeviceSlice<'_, T> {}
impl<'a, T: Pod> DeviceMemory<'a, T> for DeviceSlice<'a, T> {
    fn place(&self) -> Place<T> {
        self.whole()
    }
}

impl<'a, T> From<&'a DeviceBuffer<T>> for DeviceSlice<'a, T> {
    fn from(buffer: &'a DeviceBuffer<T>) -> Self {
        DeviceSlice { ptr: buffer.ptr, elements: buffer.elements, device: &buffer.device }
    }
}

impl<T> Clone for DeviceSlice<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for DeviceSlice<'_, T> {}

impl<T> Drop for DeviceBuffer<T> {
    fn drop(&mut self) {
        let ptr: *mut c_void = self.ptr.as_ptr().cast();
        // SAFETY: allocated by `alloc`; asynchronous work borrows the buffer until its stream has passed it.
        self.device.release("aclrtFree", ptr, |api, ptr| unsafe { mem::free(api, ptr) });
    }
}

impl<T> Drop for HostBuffer<T> {
    fn drop(&mut self) {
        let ptr: *mut c_void = self.ptr.as_ptr().cast();
        // SAFETY: allocated by `host_buffer_with`; asynchronous copies borrow the buffer until their stream has passed.
        self.device.release("aclrtFreeHost", ptr, |api, ptr| unsafe { mem::free_host(api, ptr) });
    }
}

impl<T: Pod> Deref for HostBuffer<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: `elements` elements, written when the buffer was made and owned by it.
        unsafe { std::slice::from_raw_parts(self.ptr.as_ptr(), self.elements) }
    }
}

impl<T: Pod> DerefMut for HostBuffer<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`, and `self` is borrowed exclusively.
        unsafe { std::slice::from_raw_parts_mut(self.ptr.as_ptr(), self.elements) }
    }
}

/// Says that a scope lives as long as what is lent to it.
pub(crate) type Invariant<'a> = PhantomData<&'a mut &'a ()>;
