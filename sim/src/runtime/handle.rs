//! Handles given to the program: never pointers to our objects, never used twice.
//!
//! A handle is a number with the kind in its upper bits. So a destroyed handle, one of another kind or a wild pointer
//! is recognised and named instead of followed.

use super::failure::{Answer, Failure};
use parking_lot::RwLock;
use std::collections::HashMap;
use std::ffi::c_void;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use toprope_abi::acl::AclError;

/// What a handle stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub enum Kind {
    /// `aclrtContext`.
    Context = 1,
    /// `aclrtStream`.
    Stream = 2,
    /// `aclrtEvent`.
    Event = 3,
    /// `aclrtBinHandle`.
    Binary = 4,
    /// `aclrtFuncHandle`.
    Function = 5,
    /// `aclmdlRI`.
    Graph = 48,
    /// `aclmdlRITask`.
    GraphTask = 49,
    /// `aclrtTaskGrp`.
    TaskGroup = 50,
    /// `aclmdlRICondHandle`.
    Condition = 51,
    /// `aclrtLabel`.
    Label = 52,
    /// `aclrtLabelList`.
    LabelList = 53,
    /// `aclrtBinary`.
    KernelData = 32,
    /// `aclrtMbuf`.
    Mbuf = 33,
    /// `aclrtNotify`.
    Notify = 10,
    /// `aclrtStreamConfigHandle`.
    StreamConfig = 11,
    /// `aclrtDrvMemHandle`.
    Physical = 20,
    /// `aclrtMemPool`.
    MemPool = 21,
    /// `aclrtAllocatorDesc`.
    Allocator = 22,
    /// `aclDataBuffer*`.
    DataBuffer = 34,
}

const KINDS: &[(Kind, &str)] = &[
    (Kind::Context, "a context"),
    (Kind::Stream, "a stream"),
    (Kind::Event, "an event"),
    (Kind::Binary, "a kernel binary"),
    (Kind::Function, "a kernel"),
    (Kind::Graph, "a graph (model running instance)"),
    (Kind::GraphTask, "a task of a graph"),
    (Kind::TaskGroup, "a task group"),
    (Kind::Condition, "a condition of a graph"),
    (Kind::Label, "a label"),
    (Kind::LabelList, "a list of labels"),
    (Kind::KernelData, "a description of a kernel binary"),
    (Kind::Mbuf, "a shared buffer"),
    (Kind::Notify, "a notify"),
    (Kind::StreamConfig, "a stream configuration"),
    (Kind::Physical, "physical memory"),
    (Kind::MemPool, "a memory pool"),
    (Kind::Allocator, "a description of an allocator"),
    (Kind::DataBuffer, "a data buffer"),
];

/// Upper 16 bits "tr", then the kind: no address of a process looks like this.
const TAG: u64 = 0x7472;

fn kind_of(handle: u64) -> Option<(Kind, &'static str)> {
    KINDS.iter().copied().find(|(kind, _)| handle >> 40 == TAG << 8 | *kind as u64)
}

/// Whether a value looks like a handle of this runtime.
pub fn is_handle(value: u64) -> bool {
    kind_of(value).is_some()
}

/// Handles differ in their low bits; mixing them is enough for a hash table.
#[derive(Default)]
pub struct HandleHasher(u64);

impl Hasher for HandleHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(byte.into());
        }
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0 ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    }
}

/// The live objects of one kind.
#[derive(Debug)]
pub struct HandleTable<T> {
    kind: Kind,
    next: AtomicU64,
    removed: AtomicU64,
    live: RwLock<HashMap<u64, Arc<T>, BuildHasherDefault<HandleHasher>>>,
}

impl<T> HandleTable<T> {
    /// An empty table.
    pub fn new(kind: Kind) -> HandleTable<T> {
        HandleTable { kind, next: AtomicU64::new(1), removed: AtomicU64::new(0), live: RwLock::default() }
    }

    /// A number for a new object, not in the table yet.
    pub fn reserve(&self) -> u64 {
        let serial = self.next.fetch_add(1, Ordering::Relaxed);
        TAG << 48 | (self.kind as u64) << 40 | serial << 4
    }

    /// Puts an object in under a reserved number.
    pub fn insert(&self, handle: u64, object: Arc<T>) {
        self.live.write().insert(handle, object);
    }

    /// The object of a handle.
    ///
    /// # Errors
    /// 107017 (107000 for null) with what the value is instead.
    pub fn get(&self, handle: *mut c_void) -> Answer<Arc<T>> {
        let found = self.live.read().get(&(handle as u64)).cloned();
        found.ok_or_else(|| self.explain(handle))
    }

    /// Takes an object out.
    ///
    /// # Errors
    /// As [`get`](Self::get).
    pub fn remove(&self, handle: *mut c_void) -> Answer<Arc<T>> {
        let found = self.live.write().remove(&(handle as u64));
        self.removed.fetch_add(1, Ordering::Release);
        found.ok_or_else(|| self.explain(handle))
    }

    /// Takes out what `test` chooses.
    pub fn remove_if(&self, mut test: impl FnMut(&T) -> bool) -> Vec<Arc<T>> {
        let mut live = self.live.write();
        self.removed.fetch_add(1, Ordering::Release);
        live.extract_if(|_, object| test(object)).map(|(_, object)| object).collect()
    }

    /// Grows whenever objects are taken out.
    pub fn removals(&self) -> u64 {
        self.removed.load(Ordering::Acquire)
    }

    /// The live objects that `test` chooses.
    pub fn select(&self, mut test: impl FnMut(&T) -> bool) -> Vec<Arc<T>> {
        self.live.read().values().filter(|object| test(object)).cloned().collect()
    }

    /// Number of live objects that `test` chooses.
    pub fn count(&self, mut test: impl FnMut(&T) -> bool) -> usize {
        self.live.read().values().filter(|object| test(object)).count()
    }

    fn explain(&self, handle: *mut c_void) -> Failure {
        let value = handle as u64;
        let wanted = KINDS.iter().find(|k| k.0 == self.kind).map_or("a handle", |k| k.1);
        if value == 0 {
            return Failure::new(
                AclError::RT_PARAM_INVALID,
                format!("the handle is null where {wanted} is expected"),
            );
        }
        let what = match kind_of(value) {
            Some((kind, _)) if kind == self.kind => {
                format!("{wanted} that was destroyed, or whose device was reset")
            }
            Some((_, name)) => format!("{name}, but {wanted} is expected"),
            None => format!("no handle that this runtime gave out; {wanted} is expected"),
        };
        Failure::new(AclError::RT_INVALID_HANDLE, format!("{value:#x} is {what}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_handles_are_named() {
        let streams = HandleTable::<u32>::new(Kind::Stream);
        let events = HandleTable::<u32>::new(Kind::Event);
        let (stream, event) = (streams.reserve(), events.reserve());
        streams.insert(stream, Arc::new(7));
        events.insert(event, Arc::new(8));
        assert_eq!(*streams.get(stream as *mut _).unwrap(), 7);
        let say = |handle: u64| streams.get(handle as *mut _).unwrap_err();
        assert!(say(event).text.contains("is an event, but a stream is expected"));
        assert_eq!(say(0).code, AclError::RT_PARAM_INVALID);
        assert!(say(0x7fff_0000_1234).text.contains("no handle that this runtime gave out"));
        streams.remove(stream as *mut _).unwrap();
        assert!(say(stream).text.contains("a stream that was destroyed"));
        assert_eq!(say(stream).code, AclError::RT_INVALID_HANDLE);
    }
}
