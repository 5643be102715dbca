//! IPC memory: a piece of a device block that other processes map (`aclrtIpcMem*`).
//!
//! An importer gets addresses of its current device for the exporter's pages. If the exporter's device is another one,
//! peer access has to be open for the importer to use them (flag of the import, or `aclrtDeviceEnablePeerAccess`).

use super::super::device::Device;
use super::super::failure::{Answer, Failure, refuse};
use super::super::state::Runtime;
use super::exports::{self, Exported, Import};
use super::key::{Key, Kind};
use super::link::{Peer, Reply};
use crate::gm::{GmError, PageFile, ShareError, SharedBlock};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use toprope_abi::acl::AclError;

/// A failure of sharing as a code.
pub fn failure_of(error: ShareError) -> Failure {
    let code = match &error {
        ShareError::NotShareable(_) => AclError::RT_PARAM_INVALID,
        ShareError::Memory(GmError::NotABlock { .. } | GmError::DoubleFree { .. }) => {
            AclError::RT_MEMORY_FREE
        }
        ShareError::Memory(_) => AclError::RT_MEMORY_ALLOCATION,
    };
    Failure::new(code, error.to_string())
}

/// An exported piece of a block.
struct Piece {
    device: &'static Device,
    shared: SharedBlock,
    bytes: u64,
}

impl Exported for Piece {
    fn open(&self, _peer: &Arc<Peer>) -> Answer<Reply> {
        let block = self.shared.allocation;
        let lives = self.device.memory().and_then(|memory| memory.find(block.start));
        if lives.is_none_or(|now| now.id != block.id) {
            let text = format!(
                "the shared block ({} bytes) was freed by the process that exported it",
                block.requested_bytes
            );
            return refuse(AclError::RT_IPC_ERROR, text);
        }
        let file = self.shared.pages.file().try_clone();
        let file = file.map_err(|e| {
            Failure::new(AclError::RT_IPC_ERROR, format!("the exporter cannot send its pages: {e}"))
        })?;
        Ok(Reply {
            words: [self.bytes, self.shared.offset, self.device.physical.into(), 0],
            file: Some(file),
        })
    }
}

/// Imported memory of this process.
#[derive(Debug)]
struct Imported {
    device: &'static Device,
    start: u64,
    bytes: u64,
    /// Number of the exporter's device on the machine.
    home: u32,
    /// Peer access was opened by the import itself.
    is_open: bool,
    _import: Import,
}

/// Number of imports from other devices, so that programs without any pay one load.
static FOREIGN: AtomicU64 = AtomicU64::new(0);

impl Imported {
    fn is_foreign(&self) -> bool {
        self.home != self.device.physical
    }
}

impl Drop for Imported {
    fn drop(&mut self) {
        if self.is_foreign() {
            FOREIGN.fetch_sub(1, Ordering::Release);
        }
    }
}

fn imports() -> &'static Mutex<HashMap<Key, Vec<Imported>>> {
    static IMPORTS: OnceLock<Mutex<HashMap<Key, Vec<Imported>>>> = OnceLock::new();
    IMPORTS.get_or_init(Mutex::default)
}

/// `aclrtIpcMemGetExportKey`.
///
/// # Errors
/// 107000 if the memory is none that can be shared; 207001; 507022.
pub fn export(runtime: &'static Runtime, addr: u64, bytes: u64, anyone: bool) -> Answer<Key> {
    let owner = runtime.devices.iter().find(|d| d.memory().is_some_and(|m| m.range().contains(&addr)));
    let Some((device, memory)) = owner.and_then(|d| Some((d, d.memory()?))) else {
        let text = format!("`devPtr` is {addr:#x}, which is no device memory");
        return Err(Failure::new(AclError::RT_PARAM_INVALID, text).help("share memory of aclrtMalloc"));
    };
    super::super::order::written_unseen(addr);
    // Writers that meet the pages while they move fault and try again.
    crate::npu::install_handlers();
    let shared = memory.share(addr, bytes).map_err(|e| {
        failure_of(e)
            .help("share memory of aclrtMalloc of at least 4096 bytes, from a multiple of 4096 bytes on")
    })?;
    exports::export(Kind::Memory, Arc::new(Piece { device, shared, bytes }), anyone)
}

/// `aclrtIpcMemImportByKey`: the address, on the device of the calling thread.
///
/// # Errors
/// 507022 if the exporter is gone or closed it; 207006 without permission; 207001.
pub fn import(runtime: &'static Runtime, key: Key, open_peer: bool) -> Answer<u64> {
    let context = runtime.current()?;
    let device = context.device;
    let memory = device.opened_memory()?;
    let (import, reply) = Import::open(key)?;
    let [bytes, offset, home, _] = reply.words;
    let Some(file) = reply.file else {
        return refuse(AclError::RT_IPC_ERROR, format!("process {} sent no pages", key.pid));
    };
    let needed = offset.saturating_add(bytes);
    let pages = PageFile::received(file, needed).map_err(failure_of)?;
    let block = memory.adopt(&pages, offset, bytes, "aclrtIpcMemImportByKey").map_err(failure_of)?;
    let imported = Imported {
        device,
        start: block.start,
        bytes: block.bytes,
        home: home as u32,
        is_open: open_peer,
        _import: import,
    };
    if imported.is_foreign() {
        FOREIGN.fetch_add(1, Ordering::Release);
    }
    imports().lock().entry(key).or_default().push(imported);
    Ok(block.start)
}

/// `aclrtIpcMemClose`: ends an import of this process, else its export.
///
/// # Errors
/// 107000 if the key is neither.
pub fn close(key: Key) -> Answer {
    let imported = {
        let mut imports = imports().lock();
        let list = imports.get_mut(&key);
        let imported = list.and_then(Vec::pop);
        if imports.get(&key).is_some_and(Vec::is_empty) {
            imports.remove(&key);
        }
        imported
    };
    if let Some(imported) = imported {
        let Some(memory) = imported.device.memory() else { return Ok(()) };
        return memory
            .give_back(imported.start, "aclrtIpcMemClose")
            .map(drop)
            .map_err(|e| failure_of(e.into()));
    }
    if exports::close(&key) {
        return Ok(());
    }
    let text = "this process neither exports nor imports memory under this key (any more)";
    Err(Failure::new(AclError::RT_PARAM_INVALID, text).help("close every export and every import once"))
}

/// Checks that a device may use memory at an address of its range: memory imported from another device needs an open way.
///
/// # Errors
/// 107000 with what to do.
pub fn check_reach(runtime: &Runtime, device: &Device, addr: u64) -> Answer {
    if FOREIGN.load(Ordering::Acquire) == 0 {
        return Ok(());
    }
    let imports = imports().lock();
    let mut all = imports.values().flatten();
    let Some(found) = all.find(|i| addr.wrapping_sub(i.start) < i.bytes) else { return Ok(()) };
    let home = runtime.devices.iter().find(|d| d.physical == found.home);
    let is_open = found.is_open
        || found.home == device.physical
        || home.is_some_and(|home| device.can_reach(home) || home.can_reach(device));
    if is_open {
        return Ok(());
    }
    let text = format!(
        "{addr:#x} is memory of device {} of the machine, imported for device {}, but there is no peer access between them",
        found.home, device.index
    );
    Err(Failure::new(AclError::RT_PARAM_INVALID, text).help(
        "import it with ACL_RT_IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS, or call aclrtDeviceEnablePeerAccess for its device",
    ))
}

/// The device was reset: its imports are gone.
pub fn device_reset(device: &Device) {
    let mut imports = imports().lock();
    for list in imports.values_mut() {
        list.retain(|i| i.device.index != device.index);
    }
    imports.retain(|_, list| !list.is_empty());
}
