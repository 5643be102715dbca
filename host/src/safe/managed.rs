//! Memory that host and device both see, and host memory of the program made known to the device.
#![allow(unsafe_code)] // calls the layer below and looks at the memory as a slice

use super::buffer::{DeviceMemory, DeviceSlice, allocated, bytes_of, sealed};
use super::device::{Device, Inner as DeviceInner};
use super::put::Place;
use crate::error::Result;
use crate::result;
use crate::sys::{AclError, HostRegisterType};
use bytemuck::Pod;
use std::ffi::c_void;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;
use std::sync::Arc;

/// `elements` elements of `T` that host and device both see at one address, freed on drop.
///
/// The host looks at them through an exclusive borrow, which work that uses the buffer does not leave:
///
/// ```
/// # fn main() -> toprope_host::Result<()> {
/// # let device = toprope_host::Runtime::embedded()?.device(0)?;
/// let stream = device.create_stream()?;
/// let mut x = device.alloc_managed::<u16>(100)?;
/// x.as_mut_slice().fill(7);
/// stream.scope(|s| s.fill_bytes(&x, 1))?;
/// assert_eq!(x.as_slice()[99], 0x0101);
/// # Ok(())
/// # }
/// ```
#[doc(alias = "aclrtMemAllocManaged")]
#[derive(Debug)]
pub struct ManagedBuffer<T> {
    ptr: NonNull<T>,
    elements: usize,
    device: Arc<DeviceInner>,
}

/// A slice of the program's that is pinned for asynchronous copies as long as this lives; used as a slice.
#[doc(alias = "aclrtHostRegister")]
#[derive(Debug)]
pub struct RegisteredHost<'a, T> {
    slice: &'a mut [T],
    device: Arc<DeviceInner>,
}

/// A slice of the program's that the device sees, as long as this lives.
#[doc(alias = "aclrtHostRegister")]
#[derive(Debug)]
pub struct MappedHost<'a, T> {
    host: NonNull<T>,
    on_device: NonNull<T>,
    elements: usize,
    device: Arc<DeviceInner>,
    slice: PhantomData<&'a mut [T]>,
}

// SAFETY: owns plain data that is not bound to a thread.
unsafe impl<T: Pod + Send> Send for ManagedBuffer<T> {}
// SAFETY: shared use only hands out the address.
unsafe impl<T: Pod + Sync> Sync for ManagedBuffer<T> {}
// SAFETY: as an exclusive borrow of plain data.
unsafe impl<T: Pod + Send> Send for MappedHost<'_, T> {}
// SAFETY: shared use only hands out the address.
unsafe impl<T: Pod + Sync> Sync for MappedHost<'_, T> {}

impl Device {
    /// Allocates managed memory and sets it to zero.
    ///
    /// # Errors
    ///
    /// As [`Device::alloc`].
    #[doc(alias = "aclrtMemAllocManaged")]
    pub fn alloc_managed<T: Pod>(&self, elements: usize) -> Result<ManagedBuffer<T>> {
        const CALL: &str = "aclrtMemAllocManaged";
        let bytes = bytes_of::<T>("managed", elements)?;
        self.inner.bind()?;
        let flag = crate::sys::MEM_ATTACH_GLOBAL;
        // SAFETY: the device is selected and alive.
        let ptr = unsafe { result::managed::mem_alloc(self.inner.api(), bytes as u64, flag) };
        let ptr = allocated::<T>(&self.inner, CALL, self.inner.check(CALL, ptr)?)?;
        // SAFETY: `elements` elements that were just allocated and that the host may write.
        unsafe { ptr.as_ptr().write_bytes(0, elements) };
        Ok(ManagedBuffer { ptr, elements, device: Arc::clone(&self.inner) })
    }

    /// Pins memory of the program, so that asynchronous copies from and to it do not block.
    ///
    /// # Errors
    ///
    /// As [`Device::alloc`].
    #[doc(alias = "aclrtHostRegisterV2")]
    pub fn register_host<'a, T: Pod>(&self, slice: &'a mut [T]) -> Result<RegisteredHost<'a, T>> {
        let bytes = bytes_of::<T>("host", slice.len())?;
        self.inner.bind()?;
        let (ptr, flag) = (slice.as_mut_ptr().cast(), crate::sys::HOST_REG_PINNED as u32);
        // SAFETY: memory of `bytes` bytes that stays where it is until `Drop` takes the registration back.
        let done = unsafe { result::host_mem::register_v2(self.inner.api(), ptr, bytes as u64, flag) };
        self.inner.check("aclrtHostRegisterV2", done)?;
        Ok(RegisteredHost { slice, device: Arc::clone(&self.inner) })
    }

    /// Makes memory of the program visible to the device. It has to start and end at a page (4 KiB).
    ///
    /// # Errors
    ///
    /// As [`Device::alloc`].
    #[doc(alias = "aclrtHostRegister")]
    pub fn map_host<'a, T: Pod>(&self, slice: &'a mut [T]) -> Result<MappedHost<'a, T>> {
        const CALL: &str = "aclrtHostRegister";
        let bytes = bytes_of::<T>("host", slice.len())?;
        self.inner.bind()?;
        let (host, elements, kind) = (slice.as_mut_ptr(), slice.len(), HostRegisterType::MAPPED);
        // SAFETY: memory of `bytes` bytes that stays where it is until `Drop` takes the registration back.
        let ptr = unsafe { result::host_mem::register(self.inner.api(), host.cast(), bytes as u64, kind) };
        let on_device = allocated::<T>(&self.inner, CALL, self.inner.check(CALL, ptr)?)?;
        let host = self.inner.check(CALL, NonNull::new(host).ok_or(AclError::RT_PARAM_INVALID))?;
        let device = Arc::clone(&self.inner);
        Ok(MappedHost { host, on_device, elements, device, slice: PhantomData })
    }
}

impl<T: Pod> ManagedBuffer<T> {
    /// The elements. Exclusive, because work that uses the buffer borrows it.
    pub fn as_slice(&mut self) -> &[T] {
        self.as_mut_slice()
    }

    /// The elements, to write.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        // SAFETY: `elements` elements, written when the buffer was made; nobody else uses them during this borrow.
        unsafe { std::slice::from_raw_parts_mut(self.ptr.as_ptr(), self.elements) }
    }

    /// The buffer as device memory.
    pub fn as_device(&self) -> DeviceSlice<'_, T> {
        DeviceSlice::of_parts(self.ptr, self.elements, &self.device)
    }
}

impl<T: Pod> sealed::Sealed for &ManagedBuffer<T> {}
impl<'a, T: Pod> DeviceMemory<'a, T> for &'a ManagedBuffer<T> {
    fn place(&self) -> Place<T> {
        self.as_device().place()
    }
}

impl<T: Pod> MappedHost<'_, T> {
    /// The elements. Exclusive, because work that uses them borrows this.
    pub fn as_slice(&mut self) -> &[T] {
        self.as_mut_slice()
    }

    /// The elements, to write.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        // SAFETY: borrowed exclusively for the life of this; no device uses them during this borrow.
        unsafe { std::slice::from_raw_parts_mut(self.host.as_ptr(), self.elements) }
    }

    /// The elements as the device sees them.
    pub fn as_device(&self) -> DeviceSlice<'_, T> {
        DeviceSlice::of_parts(self.on_device, self.elements, &self.device)
    }
}

impl<T> Deref for RegisteredHost<'_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.slice
    }
}

impl<T> DerefMut for RegisteredHost<'_, T> {
    fn deref_mut(&mut self) -> &mut [T] {
        self.slice
    }
}

impl<T> Drop for ManagedBuffer<T> {
    fn drop(&mut self) {
        let ptr: *mut c_void = self.ptr.as_ptr().cast();
        // SAFETY: allocated by `alloc_managed`; work borrows the buffer until its stream has passed it.
        self.device.release("aclrtFree", ptr, |api, ptr| unsafe { result::mem::free(api, ptr) });
    }
}

impl<T> Drop for RegisteredHost<'_, T> {
    fn drop(&mut self) {
        unregister(&self.device, self.slice.as_mut_ptr().cast());
    }
}

impl<T> Drop for MappedHost<'_, T> {
    fn drop(&mut self) {
        unregister(&self.device, self.host.as_ptr().cast());
    }
}

/// Takes a registration back; work borrows what is registered until its stream has passed it.
fn unregister(device: &Arc<DeviceInner>, ptr: *mut c_void) {
    // SAFETY: registered by `register_host` or `map_host`, and not in use any more.
    device.release("aclrtHostUnregister", ptr, |api, ptr| unsafe { result::host_mem::unregister(api, ptr) });
}
