//! Device memory that is allocated and freed in the order of a stream.
//!
//! ```text
//! stream:  alloc ── copy in ── kernel ── copy out ── free        the host runs ahead and waits for none of it
//! ```
//! A [`StreamBuffer`] is freed in its stream behind the work that was put in before the drop. So it need not live until
//! that work is done, and a scope takes it without borrowing it for long, in its own stream. A launch that is prepared
//! but not put in keeps the memory; see [`LaunchArgs`](super::LaunchArgs).
#![allow(unsafe_code)] // calls the layer below

use super::buffer::{DeviceMemory, DeviceSlice, allocated, bytes_of, sealed};
use super::device::{Device, Inner as DeviceInner};
use super::put::{DeviceKey, Place};
use super::scope::Scope;
use super::stream::{Stream, StreamOwner};
use crate::error::Result;
use crate::result;
use crate::sys::{
    MemAllocationType, MemHandleType, MemLocation, MemLocationType, MemPoolAttr, MemPoolHandle, MemPoolProps,
};
use bytemuck::Pod;
use std::ffi::c_void;
use std::marker::PhantomData;
use std::ptr::NonNull;
use std::sync::Arc;

/// Device memory that is handed out in the order of streams.
///
/// ```
/// # fn main() -> toprope_host::Result<()> {
/// # let device = toprope_host::Runtime::embedded()?.device(0)?;
/// let pool = device.create_mem_pool(0)?;
/// pool.set_release_threshold(1 << 20)?; // keep 1 MiB at a synchronisation
/// let stream = device.create_stream()?;
/// let mut host = [0u8; 64];
/// stream.scope(|s| {
///     let tmp = s.alloc::<u8>(&pool, 64)?;
///     s.fill_bytes(&tmp, 5)?;
///     s.copy_to_host(&mut host, &tmp)
///     // freed here, in the stream, after the copy
/// })?;
/// assert_eq!(host, [5; 64]);
/// # Ok(())
/// # }
/// ```
#[doc(alias = "aclrtMemPool")]
#[derive(Debug, Clone)]
pub struct MemPool {
    inner: Arc<PoolInner>,
}

#[derive(Debug)]
struct PoolInner {
    handle: MemPoolHandle,
    device: Arc<DeviceInner>,
}

// SAFETY: the handle is a name for the runtime, which allows its use in any thread.
unsafe impl Send for PoolInner {}
// SAFETY: as above.
unsafe impl Sync for PoolInner {}

/// `elements` elements of `T` in device memory, allocated and freed in the order of a stream.
#[doc(alias = "aclrtMemPoolMallocAsync")]
#[derive(Debug)]
pub struct StreamBuffer<T> {
    memory: Arc<StreamMemory>,
    elements: usize,
    of: PhantomData<T>,
}

/// What a [`StreamBuffer`] and the launches prepared with it share; freed in its stream when the last is gone.
#[derive(Debug)]
pub struct StreamMemory {
    ptr: NonNull<c_void>,
    stream: Arc<StreamOwner>,
    pool: Arc<PoolInner>,
}

// SAFETY: the address is a name for the runtime, which allows its use in any thread.
unsafe impl Send for StreamMemory {}
// SAFETY: as above.
unsafe impl Sync for StreamMemory {}

impl StreamMemory {
    pub(crate) fn stream_key(&self) -> usize {
        self.stream.key
    }
}

impl Device {
    /// Makes a pool of at most `max_bytes` (0: no limit).
    ///
    /// # Errors
    ///
    /// [`Error::Acl`](crate::Error::Acl).
    #[doc(alias = "aclrtMemPoolCreate")]
    pub fn create_mem_pool(&self, max_bytes: usize) -> Result<MemPool> {
        let props = MemPoolProps {
            alloc_type: MemAllocationType::PINNED,
            handle_type: MemHandleType::NONE,
            location: MemLocation { id: self.inner.id.cast_unsigned(), ty: MemLocationType::DEVICE },
            max_size: max_bytes,
            reserved: [0; 32],
        };
        self.inner.bind()?;
        // SAFETY: the device is selected and alive, the properties are live during the call.
        let handle = unsafe { result::mem_pool::create(self.inner.api(), &raw const props) };
        let handle = self.inner.check("aclrtMemPoolCreate", handle)?;
        Ok(MemPool { inner: Arc::new(PoolInner { handle, device: Arc::clone(&self.inner) }) })
    }
}

impl MemPool {
    /// Unused bytes that the pool keeps at a synchronisation, instead of giving them back.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`](crate::Error::Acl).
    #[doc(alias = "ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD")]
    pub fn set_release_threshold(&self, bytes: u64) -> Result<()> {
        self.set(MemPoolAttr::ATTR_RELEASE_THRESHOLD, bytes)
    }

    /// Bytes the pool holds.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`](crate::Error::Acl).
    #[doc(alias = "ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT")]
    pub fn reserved_bytes(&self) -> Result<u64> {
        self.get(MemPoolAttr::ATTR_RESERVED_MEM_CURRENT)
    }

    /// Bytes in use.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`](crate::Error::Acl).
    #[doc(alias = "ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT")]
    pub fn used_bytes(&self) -> Result<u64> {
        self.get(MemPoolAttr::ATTR_USED_MEM_CURRENT)
    }

    /// Gives unused memory back, down to `keep_bytes`.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`](crate::Error::Acl).
    #[doc(alias = "aclrtMemPoolTrimTo")]
    pub fn trim_to(&self, keep_bytes: usize) -> Result<()> {
        let device = &self.inner.device;
        device.bind()?;
        // SAFETY: the pool is alive.
        let done = unsafe { result::mem_pool::trim_to(device.api(), self.inner.handle, keep_bytes) };
        device.check("aclrtMemPoolTrimTo", done)
    }

    /// An attribute; a switch of 32 bits or a number of 64.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`](crate::Error::Acl).
    #[doc(alias = "aclrtMemPoolGetAttr")]
    pub fn get(&self, attr: MemPoolAttr) -> Result<u64> {
        let device = &self.inner.device;
        device.bind()?;
        let mut value = 0u64; // little endian: a switch fills its lower half
        // SAFETY: the pool is alive; no attribute is longer than 64 bits.
        let done =
            unsafe { result::mem_pool::attr(device.api(), self.inner.handle, attr, (&raw mut value).cast()) };
        device.check("aclrtMemPoolGetAttr", done)?;
        Ok(value)
    }

    /// Sets an attribute.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`](crate::Error::Acl).
    #[doc(alias = "aclrtMemPoolSetAttr")]
    pub fn set(&self, attr: MemPoolAttr, mut value: u64) -> Result<()> {
        let device = &self.inner.device;
        device.bind()?;
        let at = (&raw mut value).cast();
        // SAFETY: the pool is alive; no attribute is longer than 64 bits, and a switch is in the lower half.
        let done = unsafe { result::mem_pool::set_attr(device.api(), self.inner.handle, attr, at) };
        device.check("aclrtMemPoolSetAttr", done)
    }
}

impl Stream {
    /// Allocates memory of a pool in the order of this stream.
    ///
    /// # Errors
    ///
    /// As [`Device::alloc`], and [`Error::Capturing`](crate::Error::Capturing).
    #[doc(alias = "aclrtMemPoolMallocAsync")]
    pub fn alloc<T: Pod>(&self, pool: &MemPool, elements: usize) -> Result<StreamBuffer<T>> {
        const CALL: &str = "aclrtMemPoolMallocAsync";
        let bytes = bytes_of::<T>("device", elements)?;
        self.same_device(&pool.inner.device, "the pool")?;
        let _open = self.open()?;
        self.device.bind()?;
        // SAFETY: pool and stream are alive and the context is current.
        let ptr = unsafe {
            result::mem_pool::malloc_async(self.device.api(), bytes, pool.inner.handle, self.handle())
        };
        let ptr = allocated::<T>(&self.device, CALL, self.device.check(CALL, ptr)?)?.cast();
        let pool = Arc::clone(&pool.inner);
        let memory = StreamMemory { ptr, stream: Arc::clone(self.owner()), pool };
        Ok(StreamBuffer { memory: Arc::new(memory), elements, of: PhantomData })
    }
}

impl Scope<'_, '_> {
    /// Allocates memory of a pool in the order of this stream; freed in that order when it is dropped, also inside the
    /// scope.
    ///
    /// # Errors
    ///
    /// As [`Stream::alloc`].
    #[doc(alias = "aclrtMemPoolMallocAsync")]
    pub fn alloc<T: Pod>(&self, pool: &MemPool, elements: usize) -> Result<StreamBuffer<T>> {
        self.stream().alloc(pool, elements)
    }
}

impl<T: Pod> StreamBuffer<T> {
    /// Number of elements; never 0.
    #[allow(clippy::len_without_is_empty, reason = "a buffer is never empty")]
    pub fn len(&self) -> usize {
        self.elements
    }

    /// Size, bytes.
    pub fn size_bytes(&self) -> usize {
        self.elements * size_of::<T>()
    }

    /// The device address; the host must not follow it.
    pub fn as_ptr(&self) -> *mut T {
        self.memory.ptr.as_ptr().cast()
    }

    /// The buffer as device memory that is borrowed, for work in other streams (which have to wait for an event after
    /// the allocation) and for parts of it.
    pub fn as_device(&self) -> DeviceSlice<'_, T> {
        DeviceSlice::of_parts(self.memory.ptr.cast(), self.elements, &self.memory.pool.device)
    }

    pub(crate) fn memory(&self) -> &Arc<StreamMemory> {
        &self.memory
    }
}

impl<T: Pod> sealed::Sealed for &StreamBuffer<T> {}
// Not bound to 'a: the free comes after the work in the one stream that may use it.
impl<'a, T: Pod> DeviceMemory<'a, T> for &StreamBuffer<T> {
    fn place(&self) -> Place<T> {
        let device = DeviceKey::of(&self.memory.pool.device);
        let stream = Some(self.memory.stream_key());
        Place { ptr: self.as_ptr(), elements: self.elements, device, stream }
    }
}

impl Drop for StreamMemory {
    fn drop(&mut self) {
        let what = (self.ptr.as_ptr(), Arc::clone(&self.stream));
        self.pool.device.release("aclrtMemPoolFreeAsync", what, |api, (ptr, stream)| {
            // SAFETY: allocated by `alloc`, and what uses it was put into the same stream before this; the stream is
            // alive, kept by `stream`.
            unsafe { result::mem_pool::free_async(api, ptr, stream.handle) }
        });
    }
}

impl Drop for PoolInner {
    fn drop(&mut self) {
        // SAFETY: made by `create_mem_pool`; all memory of it held this and is freed.
        let free = |api: &_, pool| unsafe { result::mem_pool::destroy(api, pool) };
        self.device.release("aclrtMemPoolDestroy", self.handle, free);
    }
}
