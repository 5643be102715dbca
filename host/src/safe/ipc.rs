//! Device memory, events and notifies shared with other processes of this machine.
//!
//! One process exports and sends the key by whatever means; the other imports. Keys are text (memory, notifies) or 64
//! bytes (events).
#![allow(unsafe_code)] // calls the layer below

use super::buffer::{DeviceBuffer, DeviceMemory, DeviceSlice, allocated, bytes_of, sealed};
use super::device::{Device, Inner as DeviceInner};
use super::event::Event;
use super::notify::Notify;
use super::put::Place;
use super::runtime::c_name;
use crate::error::Result;
use crate::result;
use crate::sys::{
    AclError, IPC_MEM_EXPORT_FLAG_DEFAULT, IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION,
    IPC_MEM_IMPORT_FLAG_DEFAULT, IpcEventHandle, NOTIFY_EXPORT_FLAG_DEFAULT,
    NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION, NOTIFY_IMPORT_FLAG_DEFAULT,
};
use bytemuck::Pod;
use std::ffi::{CStr, CString};
use std::ptr::NonNull;
use std::sync::Arc;

/// Room for a key, bytes; the documentation asks for at least 65.
const KEY_BYTES: usize = 65;

/// Who may import.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Importers<'a> {
    /// Every process of this machine that has the key.
    All,
    /// These processes (`aclrtDeviceGetBareTgid` of each).
    Pids(&'a [i32]),
}

/// Device memory of another process; given back on drop.
#[doc(alias = "aclrtIpcMemImportByKey")]
#[derive(Debug)]
pub struct ImportedBuffer<T> {
    ptr: NonNull<T>,
    elements: usize,
    key: CString,
    device: Arc<DeviceInner>,
}

// SAFETY: the address is a name for the runtime, which allows its use in any thread.
unsafe impl<T: Pod> Send for ImportedBuffer<T> {}
// SAFETY: as above.
unsafe impl<T: Pod> Sync for ImportedBuffer<T> {}

/// A key as the runtime wrote it.
fn key_text(device: &DeviceInner, call: &'static str, key: &[u8]) -> Result<String> {
    let text = CStr::from_bytes_until_nul(key).ok().and_then(|key| key.to_str().ok());
    device.check(call, text.map(str::to_owned).ok_or(AclError::INTERNAL_ERROR))
}

impl Device {
    /// The number of this process, as [`Importers::Pids`] wants it.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`](crate::Error::Acl).
    #[doc(alias = "aclrtDeviceGetBareTgid")]
    pub fn bare_tgid(&self) -> Result<i32> {
        self.inner.bind()?;
        // SAFETY: the table is loaded.
        let pid = unsafe { result::device::bare_tgid(self.inner.api()) };
        self.inner.check("aclrtDeviceGetBareTgid", pid)
    }

    /// Opens device memory of another process.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`](crate::Error::Acl), for example if this process is not among the [`Importers`].
    ///
    /// # Safety
    /// - The exported memory has at least `elements` elements of `T`.
    /// - It is not freed in the other process before this is dropped.
    #[doc(alias = "aclrtIpcMemImportByKey")]
    pub unsafe fn import_memory<T: Pod>(&self, key: &str, elements: usize) -> Result<ImportedBuffer<T>> {
        const CALL: &str = "aclrtIpcMemImportByKey";
        bytes_of::<T>("device", elements)?;
        let key = c_name("memory key", key)?;
        self.inner.bind()?;
        // SAFETY: the device is selected and alive.
        let ptr =
            unsafe { result::ipc_mem::import_by_key(self.inner.api(), &key, IPC_MEM_IMPORT_FLAG_DEFAULT) };
        let ptr = allocated(&self.inner, CALL, self.inner.check(CALL, ptr)?)?;
        Ok(ImportedBuffer { ptr, elements, key, device: Arc::clone(&self.inner) })
    }

    /// Opens an event of another process.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`](crate::Error::Acl).
    #[doc(alias = "aclrtIpcOpenEventHandle")]
    pub fn open_ipc_event(&self, handle: IpcEventHandle) -> Result<Event> {
        self.inner.bind()?;
        // SAFETY: the device is selected and alive; the runtime checks the handle.
        let event = unsafe { result::event::ipc_open_handle(self.inner.api(), handle) };
        let event = self.inner.check("aclrtIpcOpenEventHandle", event)?;
        Ok(Event::of_handle(event, &self.inner))
    }

    /// Opens a notify of another process.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`](crate::Error::Acl).
    #[doc(alias = "aclrtNotifyImportByKey")]
    pub fn import_notify(&self, key: &str) -> Result<Notify> {
        let key = c_name("notify key", key)?;
        self.inner.bind()?;
        // SAFETY: the device is selected and alive.
        let handle =
            unsafe { result::notify::import_by_key(self.inner.api(), &key, NOTIFY_IMPORT_FLAG_DEFAULT) };
        let handle = self.inner.check("aclrtNotifyImportByKey", handle)?;
        Ok(Notify::of_handle(handle, &self.inner))
    }
}

impl<T: Pod> DeviceBuffer<T> {
    /// Makes a key by which other processes can open this memory. It must live until they are done.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`](crate::Error::Acl).
    #[doc(alias = "aclrtIpcMemGetExportKey")]
    #[doc(alias = "aclrtIpcMemSetImportPid")]
    pub fn export_key(&self, importers: Importers<'_>) -> Result<String> {
        const CALL: &str = "aclrtIpcMemGetExportKey";
        let device = self.device();
        let flags = match importers {
            Importers::All => IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION,
            Importers::Pids(_) => IPC_MEM_EXPORT_FLAG_DEFAULT,
        };
        let (mut key, ptr, bytes) = ([0u8; KEY_BYTES], self.as_ptr().cast(), self.size_bytes());
        device.bind()?;
        let room = key.as_mut_ptr().cast();
        // SAFETY: the buffer is alive; the key has room for `KEY_BYTES`.
        let done = unsafe { result::ipc_mem::export_key(device.api(), ptr, bytes, room, KEY_BYTES, flags) };
        device.check(CALL, done)?;
        let key = key_text(device, CALL, &key)?;
        if let Importers::Pids(pids) = importers {
            let (text, mut pids) = (c_name("memory key", &key)?, pids.to_vec());
            // SAFETY: the process numbers are live during the call.
            let done = unsafe {
                result::ipc_mem::set_import_pid(device.api(), &text, pids.as_mut_ptr(), pids.len())
            };
            device.check("aclrtIpcMemSetImportPid", done)?;
        }
        Ok(key)
    }
}

impl Event {
    /// A key by which other processes can open this event; made with [`EventUse::Ipc`](super::EventUse::Ipc).
    ///
    /// # Errors
    ///
    /// [`Error::Acl`](crate::Error::Acl).
    #[doc(alias = "aclrtIpcGetEventHandle")]
    pub fn ipc_handle(&self) -> Result<IpcEventHandle> {
        self.device.bind()?;
        // SAFETY: the event is alive.
        let handle = unsafe { result::event::ipc_get_handle(self.device.api(), self.handle) };
        self.device.check("aclrtIpcGetEventHandle", handle)
    }
}

impl Notify {
    /// Makes a key by which other processes can open this notify.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`](crate::Error::Acl).
    #[doc(alias = "aclrtNotifyGetExportKey")]
    #[doc(alias = "aclrtNotifySetImportPid")]
    pub fn export_key(&self, importers: Importers<'_>) -> Result<String> {
        const CALL: &str = "aclrtNotifyGetExportKey";
        let flags = match importers {
            Importers::All => NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION,
            Importers::Pids(_) => NOTIFY_EXPORT_FLAG_DEFAULT,
        };
        let (device, mut key) = (&self.device, [0u8; KEY_BYTES]);
        device.bind()?;
        let room = key.as_mut_ptr().cast();
        // SAFETY: the notify is alive; the key has room for `KEY_BYTES`.
        let done = unsafe { result::notify::export_key(device.api(), self.handle, room, KEY_BYTES, flags) };
        device.check(CALL, done)?;
        if let Importers::Pids(pids) = importers {
            let mut pids = pids.to_vec();
            // SAFETY: the process numbers are live during the call.
            let done = unsafe {
                result::notify::set_import_pid(device.api(), self.handle, pids.as_mut_ptr(), pids.len())
            };
            device.check("aclrtNotifySetImportPid", done)?;
        }
        key_text(device, CALL, &key)
    }
}

impl<T: Pod> ImportedBuffer<T> {
    /// The memory, for copies and kernels.
    pub fn as_device(&self) -> DeviceSlice<'_, T> {
        DeviceSlice::of_parts(self.ptr, self.elements, &self.device)
    }
}

impl<T: Pod> sealed::Sealed for &ImportedBuffer<T> {}
impl<'a, T: Pod> DeviceMemory<'a, T> for &'a ImportedBuffer<T> {
    fn place(&self) -> Place<T> {
        self.as_device().place()
    }
}

impl<T> Drop for ImportedBuffer<T> {
    fn drop(&mut self) {
        let key = std::mem::take(&mut self.key);
        // SAFETY: opened by `import_memory`; work borrows the buffer until its stream has passed it.
        self.device.release("aclrtIpcMemClose", key, |api, key| unsafe { result::ipc_mem::close(api, &key) });
    }
}
