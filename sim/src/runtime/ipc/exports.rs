//! What this process exports, to whom, and who has imported it.

use super::super::failure::{Answer, Failure, refuse};
use super::key::{Key, Kind};
use super::link::{self, Peer, Reply};
use super::wire::{Message, Op, WORDS};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};
use toprope_abi::acl::AclError;

/// Something that can be imported. Everything is called on the helper thread and must not wait.
pub trait Exported: Send + Sync {
    /// A process that may imports it.
    ///
    /// # Errors
    /// If it is not there any more.
    fn open(&self, peer: &Arc<Peer>) -> Answer<Reply>;

    /// A question of a process that imported it.
    ///
    /// # Errors
    /// If it has no answer.
    fn ask(&self, _peer: &Arc<Peer>, _words: [u64; WORDS]) -> Answer<Reply> {
        refuse(AclError::RT_IPC_ERROR, "nothing can be asked about this")
    }

    /// News of a process that imported it.
    fn tell(&self, _peer: &Arc<Peer>, _words: [u64; WORDS]) {}

    /// A process that imported it has ended.
    fn peer_ended(&self, _peer: &Arc<Peer>) {}
}

/// Who may import.
#[derive(Debug, Default)]
struct Rights {
    anyone: bool,
    pids: Vec<i32>,
    closed: bool,
    /// Connection of each import.
    imports: Vec<u64>,
}

struct Entry {
    object: Arc<dyn Exported>,
    rights: Mutex<Rights>,
}

fn table() -> &'static Mutex<HashMap<Key, Arc<Entry>>> {
    static TABLE: OnceLock<Mutex<HashMap<Key, Arc<Entry>>>> = OnceLock::new();
    TABLE.get_or_init(Mutex::default)
}

/// Exports something; `anyone`: without a whitelist.
///
/// # Errors
/// 507022 if this process cannot listen.
pub fn export(kind: Kind, object: Arc<dyn Exported>, anyone: bool) -> Answer<Key> {
    let socket = link::listen()?;
    let mut table = table().lock();
    let key = loop {
        let key = Key::new(socket, kind)?;
        if !table.contains_key(&key) {
            break key;
        }
    };
    let rights = Mutex::new(Rights { anyone, ..Rights::default() });
    table.insert(key, Arc::new(Entry { object, rights }));
    Ok(key)
}

fn find(key: &Key) -> Option<Arc<Entry>> {
    table().lock().get(key).cloned()
}

/// Puts process ids on the whitelist.
///
/// # Errors
/// 107000 if this process does not export it.
pub fn allow(key: &Key, pids: &[i32]) -> Answer {
    let entry = find(key).filter(|entry| !entry.rights.lock().closed);
    let Some(entry) = entry else {
        let text = format!("the key is not one of {} that this process exports (any more)", key.kind.name());
        return refuse(AclError::RT_PARAM_INVALID, text);
    };
    entry.rights.lock().pids.extend_from_slice(pids);
    Ok(())
}

/// Gives up the whitelist.
pub fn allow_anyone(key: &Key) {
    if let Some(entry) = find(key) {
        entry.rights.lock().anyone = true;
    }
}

/// Nobody can import it any more; who has, keeps it. `false` if this process did not export it.
pub fn close(key: &Key) -> bool {
    let Some(entry) = find(key) else { return false };
    let mut rights = entry.rights.lock();
    let was_open = !std::mem::replace(&mut rights.closed, true);
    if rights.imports.is_empty() {
        drop(rights);
        table().lock().remove(key);
    }
    was_open
}

impl Entry {
    fn open(&self, peer: &Arc<Peer>, key: &Key) -> Answer<Reply> {
        let mut rights = self.rights.lock();
        if rights.closed {
            return Err(not_there(key));
        }
        if !rights.anyone && !rights.pids.iter().any(|pid| pid.unsigned_abs() == peer.pid) {
            let listed: Vec<String> = rights.pids.iter().map(i32::to_string).collect();
            let listed = if listed.is_empty() { "nobody".into() } else { listed.join(", ") };
            let text = format!(
                "process {} is not on the whitelist of {} (there: {listed})",
                peer.pid,
                key.kind.name()
            );
            return refuse(AclError::RT_NO_PERMISSION, text);
        }
        let reply = self.object.open(peer)?;
        rights.imports.push(peer.id);
        Ok(reply)
    }

    fn has_imported(&self, peer: &Peer) -> bool {
        self.rights.lock().imports.contains(&peer.id)
    }

    /// Takes one import away (all of a peer that ended); `true` if nobody needs the entry any more.
    fn let_go(&self, peer: &Peer, all: bool) -> bool {
        let mut rights = self.rights.lock();
        while let Some(at) = rights.imports.iter().position(|id| *id == peer.id) {
            rights.imports.swap_remove(at);
            if !all {
                break;
            }
        }
        rights.closed && rights.imports.is_empty()
    }
}

fn not_there(key: &Key) -> Failure {
    let text = format!("process {} does not export this (any more): {}", std::process::id(), key.kind.name());
    Failure::new(AclError::RT_IPC_ERROR, text)
}

/// A message of a peer, on the helper thread.
pub fn serve(peer: &Arc<Peer>, message: Message) {
    let Message { op, number, key, words, .. } = message;
    let entry = find(&key);
    let imported = entry.as_ref().filter(|entry| entry.has_imported(peer));
    match (op, imported) {
        (Op::Open, _) => {
            let answer =
                entry.as_ref().ok_or_else(|| not_there(&key)).and_then(|entry| entry.open(peer, &key));
            peer.answer(number, key, answer);
        }
        (Op::Ask, Some(entry)) => peer.answer(number, key, entry.object.ask(peer, words)),
        (Op::Ask, None) => peer.answer(number, key, Err(not_there(&key))),
        (Op::Tell, Some(entry)) => entry.object.tell(peer, words),
        (Op::Close, Some(entry)) => {
            if entry.let_go(peer, false) {
                table().lock().remove(&key);
            }
        }
        (Op::Tell | Op::Close | Op::Answer, _) => {}
    }
}

/// A peer is gone, on the helper thread.
pub fn peer_ended(peer: &Arc<Peer>) {
    let entries: Vec<(Key, Arc<Entry>)> = table().lock().iter().map(|(key, e)| (*key, e.clone())).collect();
    for (key, entry) in entries {
        if !entry.has_imported(peer) {
            continue;
        }
        entry.object.peer_ended(peer);
        if entry.let_go(peer, true) {
            table().lock().remove(&key);
        }
    }
}

/// An import, as the importing side holds it; given back when dropped.
#[derive(Debug)]
pub struct Import {
    /// Who exports it.
    pub peer: Arc<Peer>,
    /// Its key.
    pub key: Key,
}

impl Import {
    /// Asks the exporter for it.
    ///
    /// # Errors
    /// 507022 if it is not there any more; 207006 without permission.
    pub fn open(key: Key) -> Answer<(Import, Reply)> {
        let peer = link::connect(&key)?;
        let reply = peer.ask(Op::Open, key, [0; WORDS])?;
        Ok((Import { peer, key }, reply))
    }
}

impl Drop for Import {
    fn drop(&mut self) {
        let message =
            Message { op: Op::Close, number: 0, key: self.key, words: [0; WORDS], text: String::new() };
        self.peer.send(message, None);
    }
}
