//! Physical memory between processes (`aclrtMem*ShareableHandle`): its pages are a file already, which is sent.

use super::super::failure::{Answer, Failure, refuse};
use super::super::vmm::{self, Location, Physical};
use super::exports::{self, Exported, Import};
use super::key::{Key, Kind};
use super::link::{Peer, Reply};
use crate::gm::PageFile;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::{Arc, LazyLock, Weak};
use toprope_abi::acl::AclError;

struct Shared(Weak<Physical>);

impl Exported for Shared {
    fn open(&self, _peer: &Arc<Peer>) -> Answer<Reply> {
        let Some(physical) = self.0.upgrade() else {
            return refuse(
                AclError::RT_IPC_ERROR,
                "the physical memory was freed by the process that shared it",
            );
        };
        let file = physical.pages.file().try_clone();
        let file = file.map_err(|e| {
            Failure::new(AclError::RT_IPC_ERROR, format!("the exporter cannot send its pages: {e}"))
        })?;
        let attribute = i64::from(physical.attribute) as u64;
        Ok(Reply { words: [physical.bytes, attribute, 0, 0], file: Some(file) })
    }
}

/// Keys and the memory, by its handle.
type Keys = HashMap<u64, (Key, Weak<Physical>)>;

static KEYS: LazyLock<Mutex<Keys>> = LazyLock::new(Mutex::default);

/// `aclrtMemExportToShareableHandle`.
///
/// # Errors
/// 107017 no physical memory; 107000 exported before, or imported; 507022.
pub fn export(handle: *mut c_void, anyone: bool) -> Answer<Key> {
    let physical = vmm::handles().get(handle)?;
    if physical.is_imported {
        return refuse(
            AclError::RT_PARAM_INVALID,
            "the physical memory came from another process, which shares it",
        );
    }
    let mut keys = KEYS.lock();
    let gone: Vec<Key> =
        keys.extract_if(|_, entry| entry.1.strong_count() == 0).map(|(_, entry)| entry.0).collect();
    for key in &gone {
        exports::close(key);
    }
    if keys.contains_key(&physical.handle) {
        return Err(Failure::new(AclError::RT_PARAM_INVALID, "the physical memory was exported before")
            .help("a handle has one shareable handle; pass on the one that the first call gave"));
    }
    let weak = Arc::downgrade(&physical);
    let key = exports::export(Kind::Physical, Arc::new(Shared(weak.clone())), anyone)?;
    keys.insert(physical.handle, (key, weak));
    Ok(key)
}

/// `aclrtMemImportFromShareableHandle`: a handle of this process, for memory on this device.
///
/// # Errors
/// 107000 for a shareable handle of this very process; 507022 if the exporter is gone or freed it; 207006 without
/// permission.
pub fn import(shareable: u64, device: u32) -> Answer<u64> {
    let key = Key::from_handle(shareable);
    if key.pid == std::process::id() {
        return Err(Failure::new(
            AclError::RT_PARAM_INVALID,
            "the shareable handle was made by this very process",
        )
        .help("use the handle of aclrtMallocPhysical here; shareable handles are for other processes"));
    }
    let (_import, reply) = Import::open(key)?;
    let [bytes, attribute, ..] = reply.words;
    let Some(file) = reply.file else {
        return refuse(AclError::RT_IPC_ERROR, format!("process {} sent no pages", key.pid));
    };
    let pages = PageFile::received(file, bytes).map_err(super::memory::failure_of)?;
    Ok(vmm::import(pages, Location::Device(device), attribute as i32))
}
