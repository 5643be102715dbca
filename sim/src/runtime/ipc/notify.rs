//! IPC notifies: the signal stays in the process that made the notify; others set it from their streams.
//!
//! Only the maker can wait, as the public guide to inter-process communication says: the hardware of a notify belongs to
//! its device. A record of a process that ended before its stream got there is lost, like on the device.

use super::super::failure::{Answer, Failure, refuse};
use super::super::notify::{NOTIFIES, Notify, Signal};
use super::super::order::{self, Told};
use super::super::work::Turn;
use super::exports::{self, Exported, Import};
use super::key::{Key, Kind};
use super::link::{Peer, Reply};
use super::wire::WORDS;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::{Arc, LazyLock};
use toprope_abi::acl::AclError;

/// What an importer tells (first word).
const SET: u64 = 0;
const CLEAR: u64 = 1;

/// An exported notify.
struct Shared {
    handle: u64,
    signal: Arc<dyn Signal>,
}

impl Exported for Shared {
    fn open(&self, _peer: &Arc<Peer>) -> Answer<Reply> {
        if NOTIFIES.get(self.handle as *mut c_void).is_ok() {
            return Ok(Reply::default());
        }
        refuse(AclError::RT_IPC_ERROR, "the notify was destroyed by the process that made it")
    }

    fn tell(&self, _peer: &Arc<Peer>, [what, ..]: [u64; WORDS]) {
        match what {
            // Device times of different processes are not compared.
            SET => self.signal.set(0, order::everything_told()),
            CLEAR => self.signal.clear(),
            _ => {}
        }
    }
}

/// Keys by handle of the notify.
static KEYS: LazyLock<Mutex<HashMap<u64, Key>>> = LazyLock::new(Mutex::default);

/// `aclrtNotifyGetExportKey`: one key per notify; the flag of the first call stays, unless a later one opens it to all.
///
/// # Errors
/// 107000 for a notify of another process; 507022.
pub fn export(notify: &Notify, anyone: bool) -> Answer<Key> {
    notify.signal.check_wait().map_err(|_| {
        Failure::new(AclError::RT_PARAM_INVALID, "the notify came from another process, which shares it")
    })?;
    let mut keys = KEYS.lock();
    let gone: Vec<Key> = keys
        .extract_if(|handle, _| NOTIFIES.get(*handle as *mut c_void).is_err())
        .map(|(_, key)| key)
        .collect();
    for key in &gone {
        exports::close(key);
    }
    if let Some(key) = keys.get(&notify.handle) {
        if anyone {
            exports::allow_anyone(key);
        }
        return Ok(*key);
    }
    let shared = Arc::new(Shared { handle: notify.handle, signal: notify.signal.clone() });
    let key = exports::export(Kind::Notify, shared, anyone)?;
    keys.insert(notify.handle, key);
    Ok(key)
}

/// `aclrtNotifySetImportPid`.
///
/// # Errors
/// 107000 if the notify was not exported.
pub fn allow(notify: &Notify, pids: &[i32]) -> Answer {
    let key = KEYS.lock().get(&notify.handle).copied();
    match key {
        Some(key) => exports::allow(&key, pids),
        None => Err(Failure::new(AclError::RT_PARAM_INVALID, "the notify was not exported")
            .help("call aclrtNotifyGetExportKey first")),
    }
}

/// The signal of an imported notify.
#[derive(Debug)]
struct Remote(Import);

impl Signal for Remote {
    fn set(&self, _cycle: u64, _told: Option<Told>) {
        self.0.peer.tell(self.0.key, [SET, 0, 0, 0]);
    }

    fn take(&self, turn: Turn) {
        turn.end(self.check_wait(), turn.begin());
    }

    fn clear(&self) {
        self.0.peer.tell(self.0.key, [CLEAR, 0, 0, 0]);
    }

    fn check_wait(&self) -> Answer {
        let text =
            format!("the notify was made by process {}, and only the maker can wait for it", self.0.key.pid);
        Err(Failure::new(AclError::RT_FEATURE_NOT_SUPPORT, text)
            .help("for the other direction, make a second notify here and let the other process import it"))
    }

    fn check_set(&self) -> Answer {
        if !self.0.peer.is_gone() {
            return Ok(());
        }
        let text = format!("process {}, which made the notify, has ended", self.0.key.pid);
        refuse(AclError::RT_IPC_ERROR, text)
    }
}

/// `aclrtNotifyImportByKey`.
///
/// # Errors
/// 507022 if the maker is gone or destroyed it; 207006 without permission.
pub fn import(key: Key, device: u32) -> Answer<Arc<Notify>> {
    let (import, _) = Import::open(key)?;
    Ok(Notify::publish(device, Arc::new(Remote(import))))
}
