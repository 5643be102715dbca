//! Graphs: work that is recorded once and run many times.
//!
//! ```text
//! stream.capture(mode, |r| …)  ─┐  r: Recorder, takes work like a Scope      ┌─▶ graph.replay()
//!                               ├──────────────▶ Graph<'env> ────────────────┤
//! device.build_graph(|b| …)    ─┘  keeps events, functions, host buffers     └─▶ scope.launch_graph(&graph)
//! ```
//! A graph borrows the device memory and kernels it uses (`'env`) and owns what the host has to look at between two runs:
//! host buffers ([`Recorder::own`]), events, and functions. So it cannot outlive what it works on.
#![allow(unsafe_code)] // calls the layer below

use super::buffer::{DeviceSlice, HostBuffer, Invariant};
use super::device::{Device, Inner as DeviceInner};
use super::event::{Event, EventUse};
use super::host_func;
use super::kernel::PreparedLaunch;
use super::runtime::{c_name, c_path};
use super::scope::Scope;
use super::stream::{Recording, Stream};
use crate::error::{Error, Result};
use crate::result;
use crate::sys::{RiCaptureMode, RiHandle, TaskGrpHandle};
use bytemuck::Pod;
use std::any::Any;
use std::marker::PhantomData;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// What a capture forbids to calls outside of it.
#[doc(alias = "aclmdlRICaptureMode")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CaptureMode {
    /// No thread of the context may make a call that blocks on the device (such as a synchronous copy).
    Global,
    /// The capturing thread may not.
    #[default]
    ThreadLocal,
    /// All may.
    Relaxed,
}

/// What a graph owns; everything a recorder collects.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    /// Host buffers, by the number of their [`GraphHost`].
    host: Vec<Box<dyn Any + Send>>,
    events: Vec<Event>,
    /// Functions, by number in the table of `host_func`.
    calls: Vec<usize>,
    /// Streams that joined the capture; they take no other work before it ends.
    joined: Vec<Arc<Recording>>,
}

/// Takes work for a graph, as a [`Scope`] takes it for a stream. What is lent to it has to live as long as the graph.
///
/// Made by [`Stream::capture`] and [`GraphBuilder::stream`](super::GraphBuilder::stream).
pub struct Recorder<'scope, 'env: 'scope> {
    pub(super) stream: &'scope Stream,
    shared: &'scope Shared,
    scope: Invariant<'scope>,
    env: Invariant<'env>,
}

/// What all recorders of a graph share.
#[derive(Debug)]
pub(crate) struct Shared {
    id: usize,
    /// Being captured, so that streams can join.
    is_capture: bool,
    /// Built, not captured.
    is_built: bool,
    pub(crate) kept: Mutex<Kept>,
}

/// A host buffer that a graph owns; look at it with [`Graph::host`].
#[derive(Debug)]
pub struct GraphHost<T> {
    index: usize,
    graph: usize,
    of: PhantomData<T>,
}

/// A part of a graph whose launches can be changed with [`Graph::update`].
#[doc(alias = "aclrtTaskGrp")]
#[derive(Debug)]
pub struct TaskGroup {
    handle: TaskGrpHandle,
    graph: usize,
}

// SAFETY: the handle is a name for the runtime.
unsafe impl Send for TaskGroup {}
// SAFETY: as above.
unsafe impl Sync for TaskGroup {}

/// Work that can be run many times.
///
/// ```
/// # fn main() -> toprope_host::Result<()> {
/// use toprope_host::CaptureMode;
/// # let device = toprope_host::Runtime::embedded()?.device(0)?;
/// let (stream, x) = (device.create_stream()?, device.alloc_zeroed::<u8>(4)?);
/// let host = device.host_buffer::<u8>(4)?;
/// let (mut graph, host) = stream.capture(CaptureMode::default(), |r| {
///     let host = r.own(host); // the graph keeps it
///     r.fill_bytes(&x, 7)?;
///     r.copy_to_host(&host, &x)?;
///     Ok(host)
/// })?;
/// assert_eq!(graph.host(&host)?, [0; 4]); // nothing has run yet
/// graph.replay()?;
/// assert_eq!(graph.host(&host)?, [7; 4]);
/// stream.scope(|s| { s.launch_graph(&graph)?; s.launch_graph(&graph) })?;
/// # Ok(())
/// # }
/// ```
#[doc(alias = "aclmdlRI")]
#[derive(Debug)]
pub struct Graph<'env> {
    handle: RiHandle,
    device: Arc<DeviceInner>,
    shared: Shared,
    /// Streams of a built graph, destroyed after it; none if it was captured.
    streams: Vec<Arc<Stream>>,
    /// Where `replay` runs a captured graph.
    own: OnceLock<Stream>,
    env: PhantomData<&'env ()>,
}

// SAFETY: the handle is a name for the runtime, which allows its use in any thread; what the graph borrows is device
// memory and kernels, which are `Sync`, and what it owns is `Send`.
unsafe impl Send for Graph<'_> {}
// SAFETY: as above; what the host looks at needs `&mut`.
unsafe impl Sync for Graph<'_> {}

impl Shared {
    pub(crate) fn new(is_capture: bool) -> Shared {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        Shared { id, is_capture, is_built: !is_capture, kept: Mutex::default() }
    }

    pub(crate) fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        for number in std::mem::take(&mut self.kept().calls) {
            host_func::cancel(number);
        }
    }
}

impl Stream {
    /// Captures the work that `work` puts into the recorder: it does not run, it becomes a graph. Gives back the graph
    /// and what `work` returns.
    ///
    /// Meanwhile this stream takes no other work ([`Error::Capturing`]).
    ///
    /// # Errors
    ///
    /// The error of `work`; if it has none, [`Error::Acl`] of the capture, for example 107031 for a default stream.
    #[doc(alias = "aclmdlRICaptureBegin")]
    #[doc(alias = "aclmdlRICaptureEnd")]
    pub fn capture<'env, R>(
        &self,
        mode: CaptureMode,
        work: impl for<'scope> FnOnce(&'scope Recorder<'scope, 'env>) -> Result<R>,
    ) -> Result<(Graph<'env>, R)> {
        let shared = Shared::new(true);
        let under_way = Capturing::begin(self, mode, &shared)?;
        let recorder = Recorder { stream: self, shared: &shared, scope: PhantomData, env: PhantomData };
        let value = work(&recorder);
        let handle = under_way.end();
        // The error of the closure counts more than that of a capture that it broke.
        let graph = handle.map(|handle| Graph::new(handle, &self.device, shared, Vec::new()));
        let value = value?;
        graph.map(|graph| (graph, value))
    }
}

/// A capture under way; ended also when the closure panics.
struct Capturing<'a> {
    stream: &'a Stream,
    shared: &'a Shared,
    ended: bool,
}

impl<'a> Capturing<'a> {
    fn begin(stream: &'a Stream, mode: CaptureMode, shared: &'a Shared) -> Result<Self> {
        let mode = match mode {
            CaptureMode::Global => RiCaptureMode::GLOBAL,
            CaptureMode::ThreadLocal => RiCaptureMode::THREAD_LOCAL,
            CaptureMode::Relaxed => RiCaptureMode::RELAXED,
        };
        stream.device.bind()?;
        stream.recording().begin()?;
        // SAFETY: the stream is alive and its context is current.
        let begun = unsafe { result::graph::capture_begin(stream.device.api(), stream.handle(), mode) };
        if begun.is_err() {
            stream.recording().end();
        }
        stream.device.check("aclmdlRICaptureBegin", begun)?;
        Ok(Capturing { stream, shared, ended: false })
    }

    fn end(mut self) -> Result<RiHandle> {
        self.finish()
    }

    fn finish(&mut self) -> Result<RiHandle> {
        self.ended = true;
        let device = &self.stream.device;
        let handle = device.select().and_then(|()| {
            // SAFETY: the stream is alive and its context is current.
            unsafe { result::graph::capture_end(device.api(), self.stream.handle()) }
        });
        self.stream.recording().end();
        self.shared.kept().joined.iter().for_each(|stream| stream.end());
        device.check("aclmdlRICaptureEnd", handle)
    }
}

impl Drop for Capturing<'_> {
    fn drop(&mut self) {
        if self.ended {
            return;
        }
        if let Ok(handle) = self.finish() {
            // SAFETY: just made, never run.
            self.stream.device.release("aclmdlRIDestroy", handle, |api, graph| unsafe {
                result::graph::destroy(api, graph)
            });
        }
    }
}

impl<'scope, 'env> Recorder<'scope, 'env> {
    pub(crate) fn new(stream: &'scope Stream, shared: &'scope Shared) -> Self {
        Recorder { stream, shared, scope: PhantomData, env: PhantomData }
    }

    /// Gives a host buffer to the graph, so that the host can look at it between two runs.
    pub fn own<T: Pod>(&self, buffer: HostBuffer<T>) -> GraphHost<T>
    where
        HostBuffer<T>: Send,
    {
        let host = &mut self.shared.kept().host;
        host.push(Box::new(buffer));
        GraphHost { index: host.len() - 1, graph: self.shared.id, of: PhantomData }
    }

    /// Address and length of a buffer that the graph owns. Nobody looks at it as a slice while the graph is recorded.
    fn owned<T: Pod>(&self, host: &GraphHost<T>) -> Result<(*mut T, usize)> {
        if host.graph != self.shared.id {
            return Err(Error::OtherGraph { what: "the host buffer" });
        }
        let mut kept = self.shared.kept();
        let buffer = kept.host.get_mut(host.index).and_then(|buffer| buffer.downcast_mut::<HostBuffer<T>>());
        let buffer = buffer.ok_or(Error::OtherGraph { what: "the host buffer" })?;
        Ok((buffer.as_mut_ptr(), buffer.len()))
    }

    /// Records a copy of host memory that the graph owns to the device.
    ///
    /// # Errors
    ///
    /// As [`Scope::copy_to_device`], and [`Error::OtherGraph`].
    #[doc(alias = "aclrtMemcpyAsync")]
    pub fn copy_to_device<T: Pod>(
        &self,
        destination: impl Into<DeviceSlice<'scope, T>>,
        source: &GraphHost<T>,
    ) -> Result<()> {
        let destination = destination.into().whole();
        self.stream.may_use(&destination, "the destination")?;
        let (source, elements) = self.owned(source)?;
        // SAFETY: the elements of a buffer that the graph owns; nobody writes them now.
        let copy = destination.copy_in(unsafe { std::slice::from_raw_parts(source, elements) })?;
        // SAFETY: the device memory is borrowed for longer than the graph lives, the host memory owned by it; the host
        // looks at that with `&mut Graph`, while no run can be under way.
        unsafe { self.stream.put_copy(copy) }
    }

    /// Records a copy of device memory to host memory that the graph owns.
    ///
    /// # Errors
    ///
    /// As [`Recorder::copy_to_device`].
    #[doc(alias = "aclrtMemcpyAsync")]
    pub fn copy_to_host<T: Pod>(
        &self,
        destination: &GraphHost<T>,
        source: impl Into<DeviceSlice<'scope, T>>,
    ) -> Result<()> {
        let source = source.into().whole();
        self.stream.may_use(&source, "the source")?;
        let (destination, elements) = self.owned(destination)?;
        // SAFETY: as in `copy_to_device`.
        let copy = source.copy_out(unsafe { std::slice::from_raw_parts_mut(destination, elements) })?;
        // SAFETY: as in `copy_to_device`.
        unsafe { self.stream.put_copy(copy) }
    }

    /// Records a copy of device memory to device memory.
    ///
    /// # Errors
    ///
    /// As [`Recorder::copy_to_device`].
    #[doc(alias = "aclrtMemcpyAsync")]
    pub fn copy_on_device<T: Pod>(
        &self,
        destination: impl Into<DeviceSlice<'scope, T>>,
        source: impl Into<DeviceSlice<'scope, T>>,
    ) -> Result<()> {
        let (destination, source) = (destination.into().whole(), source.into().whole());
        self.stream.may_use(&destination, "the destination")?;
        self.stream.may_use(&source, "the source")?;
        let copy = destination.copy_across(&source)?;
        // SAFETY: both are borrowed for longer than the graph lives.
        unsafe { self.stream.put_copy(copy) }
    }

    /// Records setting every byte of device memory.
    ///
    /// # Errors
    ///
    /// As [`Scope::fill_bytes`].
    #[doc(alias = "aclrtMemsetAsync")]
    pub fn fill_bytes<T: Pod>(
        &self,
        destination: impl Into<DeviceSlice<'scope, T>>,
        value: u8,
    ) -> Result<()> {
        let destination = destination.into().whole();
        self.stream.may_use(&destination, "the destination")?;
        // SAFETY: the memory is borrowed for longer than the graph lives.
        unsafe { self.stream.put_fill(&destination, value) }
    }

    /// Records a checked launch.
    ///
    /// # Errors
    ///
    /// As [`Scope::launch`]; [`Error::OtherStream`] if memory in stream order is among the arguments, which would be
    /// freed before the graph runs.
    #[doc(alias = "aclrtLaunchKernelWithHostArgs")]
    pub fn launch(&self, launch: PreparedLaunch<'scope>) -> Result<()> {
        if !launch.args.ordered().is_empty() {
            return Err(Error::OtherStream);
        }
        // SAFETY: the launch borrows kernel and buffers for longer than the graph lives.
        unsafe { self.stream.put_launch(&launch) }
    }

    /// Records a function that every run calls; see [`Stream::launch_host_func`].
    ///
    /// # Errors
    ///
    /// As there.
    #[doc(alias = "aclrtLaunchHostFunc")]
    pub fn launch_host_func(&self, function: impl Fn() + Send + Sync + 'static) -> Result<()> {
        let number = self.stream.put_host_func_again(function)?;
        self.shared.kept().calls.push(number);
        Ok(())
    }

    /// Records work of another stream beside that of this one: it begins after what was recorded here before, and what
    /// is recorded here after this call waits for it. Inside `work` both recorders can be used; their work overlaps.
    ///
    /// # Errors
    ///
    /// The error of `work`, and [`Error::Acl`].
    #[doc(alias = "aclrtStreamWaitEvent")]
    pub fn fork<R>(
        &self,
        other: &'scope Stream,
        work: impl FnOnce(&Recorder<'scope, 'env>) -> Result<R>,
    ) -> Result<R> {
        self.stream.same_device(&other.device, "the other stream")?;
        if !self.shared.is_capture {
            return Err(Error::ForkOutsideCapture);
        }
        // The other stream belongs to the capture until that ends, not only until `work` does.
        let is_joined = self.shared.kept().joined.iter().any(|stream| Arc::ptr_eq(stream, other.recording()));
        if !is_joined {
            other.recording().begin()?;
            self.shared.kept().joined.push(Arc::clone(other.recording()));
        }
        self.order(self.stream, other)?;
        let value = work(&Recorder::new(other, self.shared));
        // Also after an error: a capture with a stream that did not come back cannot end.
        let back = self.order(other, self.stream);
        let value = value?;
        back.map(|()| value)
    }

    /// Lets `after` wait for what is in `before`.
    fn order(&self, before: &Stream, after: &Stream) -> Result<()> {
        let device = &self.stream.device;
        let event = Device { inner: Arc::clone(device) }.create_event_for(&[EventUse::Sync])?;
        event.record_with(true, || {
            device.bind()?;
            // SAFETY: both are alive and the context is current.
            let done = unsafe { result::event::record(device.api(), event.handle, before.handle()) };
            device.check("aclrtRecordEvent", done)
        })?;
        // SAFETY: as above; the graph keeps the event.
        let done = unsafe { result::stream::wait_event(device.api(), after.handle(), event.handle) };
        self.shared.kept().events.push(event);
        device.check("aclrtStreamWaitEvent", done)
    }

    /// Records work whose launches [`Graph::update`] can change.
    ///
    /// # Errors
    ///
    /// The error of `work`, and [`Error::Acl`].
    #[doc(alias = "aclmdlRICaptureTaskGrpBegin")]
    #[doc(alias = "aclmdlRICaptureTaskGrpEnd")]
    pub fn task_group(&self, work: impl FnOnce() -> Result<()>) -> Result<TaskGroup> {
        let (device, stream) = (&self.stream.device, self.stream.handle());
        device.bind()?;
        // SAFETY: the stream is alive and its context is current.
        let begun = unsafe { result::graph::capture_task_grp_begin(device.api(), stream) };
        device.check("aclmdlRICaptureTaskGrpBegin", begun)?;
        let done = work();
        // SAFETY: as above.
        let handle = unsafe { result::graph::capture_task_grp_end(device.api(), stream) };
        done?;
        let handle = device.check("aclmdlRICaptureTaskGrpEnd", handle)?;
        Ok(TaskGroup { handle, graph: self.shared.id })
    }
}

impl std::fmt::Debug for Recorder<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Recorder").field("stream", &self.stream.handle()).finish_non_exhaustive()
    }
}

impl<'env> Graph<'env> {
    pub(crate) fn new(
        handle: RiHandle,
        device: &Arc<DeviceInner>,
        shared: Shared,
        streams: Vec<Arc<Stream>>,
    ) -> Self {
        Graph { handle, device: Arc::clone(device), shared, streams, own: OnceLock::new(), env: PhantomData }
    }

    /// Runs the graph and waits for it.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`] with what failed in it, and [`Error::HostFunctionPanicked`].
    #[doc(alias = "aclmdlRIExecute")]
    #[doc(alias = "aclmdlRIExecuteAsync")]
    pub fn replay(&self) -> Result<()> {
        if self.shared.is_built {
            self.device.bind()?;
            // SAFETY: the graph is alive, and so is what it uses. -1: without a limit, so nothing is in use afterwards.
            let done = unsafe { result::graph::execute(self.device.api(), self.handle, -1) };
            self.device.check("aclmdlRIExecute", done)?;
            return self.device.check_panics();
        }
        // The call above is for built graphs only.
        let stream = match self.own.get() {
            Some(stream) => stream,
            None => {
                let made = Device { inner: Arc::clone(&self.device) }.create_stream()?;
                self.own.get_or_init(|| made)
            }
        };
        stream.scope(|s| s.launch_graph(self))?;
        self.device.check_panics()
    }

    /// A host buffer that the graph owns. Exclusive, because runs in scopes borrow the graph.
    ///
    /// # Errors
    ///
    /// [`Error::OtherGraph`].
    pub fn host<T: Pod>(&mut self, host: &GraphHost<T>) -> Result<&[T]> {
        self.host_mut(host).map(|buffer| &*buffer)
    }

    /// The same, to write what the next run reads.
    ///
    /// # Errors
    ///
    /// [`Error::OtherGraph`].
    pub fn host_mut<T: Pod>(&mut self, host: &GraphHost<T>) -> Result<&mut [T]> {
        let other = Error::OtherGraph { what: "the host buffer" };
        if host.graph != self.shared.id {
            return Err(other);
        }
        let kept = self.shared.kept.get_mut().unwrap_or_else(PoisonError::into_inner);
        let buffer = kept.host.get_mut(host.index).and_then(|buffer| buffer.downcast_mut::<HostBuffer<T>>());
        buffer.map(|buffer| &mut **buffer).ok_or(other)
    }

    /// Records the launches of a group of a captured graph anew, with the same kernels and number of tasks; the next run uses them.
    ///
    /// # Errors
    ///
    /// The error of `work`, [`Error::OtherGraph`], and [`Error::Acl`].
    #[doc(alias = "aclmdlRICaptureTaskUpdateBegin")]
    #[doc(alias = "aclmdlRICaptureTaskUpdateEnd")]
    pub fn update(
        &mut self,
        group: &TaskGroup,
        stream: &Stream,
        work: impl for<'scope> FnOnce(&'scope Recorder<'scope, 'env>) -> Result<()>,
    ) -> Result<()> {
        if group.graph != self.shared.id {
            return Err(Error::OtherGraph { what: "the task group" });
        }
        stream.same_device(&self.device, "the graph")?;
        self.device.bind()?;
        stream.recording().begin()?;
        self.shared.is_capture = false; // streams joined while it was captured, not any more
        Updating { stream, is_begun: false }.run(group, || work(&Recorder::new(stream, &self.shared)))
    }

    /// Number of the graph, as messages of the runtime name it.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`].
    #[doc(alias = "aclmdlRIGetId")]
    pub fn id(&self) -> Result<u32> {
        self.device.bind()?;
        // SAFETY: the graph is alive.
        let id = unsafe { result::graph::id(self.device.api(), self.handle) };
        self.device.check("aclmdlRIGetId", id)
    }

    /// Names the graph, for messages.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`], [`Error::ZeroByte`].
    #[doc(alias = "aclmdlRISetName")]
    pub fn set_name(&self, name: &str) -> Result<()> {
        let name = c_name("graph name", name)?;
        self.device.bind()?;
        // SAFETY: the graph is alive.
        let done = unsafe { result::graph::set_name(self.device.api(), self.handle, &name) };
        self.device.check("aclmdlRISetName", done)
    }

    /// Writes the graph as JSON.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`], [`Error::ZeroByte`].
    #[doc(alias = "aclmdlRIDebugJsonPrint")]
    pub fn write_json(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = c_path("graph file", path.as_ref())?;
        let flags = crate::sys::MDLRI_DEBUG_JSON_PRINT_VERBOSE as u32;
        self.device.bind()?;
        // SAFETY: the graph is alive.
        let done = unsafe { result::graph::debug_json_print(self.device.api(), self.handle, &path, flags) };
        self.device.check("aclmdlRIDebugJsonPrint", done)
    }

    /// The handle, for the layer below.
    pub fn handle(&self) -> RiHandle {
        self.handle
    }
}

/// An update of a task group under way; ended also when the closure panics.
struct Updating<'a> {
    stream: &'a Stream,
    is_begun: bool,
}

impl Updating<'_> {
    fn run(mut self, group: &TaskGroup, work: impl FnOnce() -> Result<()>) -> Result<()> {
        let (device, stream) = (&self.stream.device, self.stream.handle());
        // SAFETY: stream and graph of the group are alive and the context is current.
        let begun = unsafe { result::graph::capture_task_update_begin(device.api(), stream, group.handle) };
        device.check("aclmdlRICaptureTaskUpdateBegin", begun)?;
        self.is_begun = true;
        let done = work();
        let ended = self.end();
        done?;
        self.stream.device.check("aclmdlRICaptureTaskUpdateEnd", ended)
    }

    fn end(&mut self) -> Result<(), crate::sys::AclError> {
        self.is_begun = false;
        let device = &self.stream.device;
        device.select()?;
        // SAFETY: the stream is alive and its context is current.
        unsafe { result::graph::capture_task_update_end(device.api(), self.stream.handle()) }
    }
}

impl Drop for Updating<'_> {
    fn drop(&mut self) {
        if self.is_begun {
            let _ = self.end();
        }
        self.stream.recording().end();
    }
}

impl<'scope> Scope<'scope, '_> {
    /// Puts a run of a graph into the stream, after the work put in before.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`], [`Error::OtherDevice`].
    #[doc(alias = "aclmdlRIExecuteAsync")]
    pub fn launch_graph(&'scope self, graph: &'scope Graph<'_>) -> Result<()> {
        self.same_device(&graph.device, "the graph")?;
        let _open = self.open()?;
        self.device.bind()?;
        // SAFETY: the graph, and with it what it uses, is borrowed for 'scope, which ends after the stream is empty.
        let put = unsafe { result::graph::execute_async(self.device.api(), graph.handle, self.handle()) };
        self.device.check("aclmdlRIExecuteAsync", put)
    }
}

impl Drop for Graph<'_> {
    fn drop(&mut self) {
        let streams: Vec<_> = self.streams.iter().map(|stream| stream.handle()).collect();
        self.device.release("aclmdlRIDestroy", (self.handle, streams), |api, (graph, streams)| {
            for stream in streams {
                // SAFETY: bound by `GraphBuilder::stream`; destroyed after the graph.
                let _ = unsafe { result::graph::unbind_stream(api, graph, stream) };
            }
            // SAFETY: made by a capture or a build; runs borrow the graph until they are done.
            unsafe { result::graph::destroy(api, graph) }
        });
    }
}
