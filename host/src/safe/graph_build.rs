//! Graphs built stream by stream, instead of captured.
#![allow(unsafe_code)] // calls the layer below, and streams that stay where they are

use super::buffer::Invariant;
use super::device::Device;
use super::graph::{Graph, Recorder, Shared};
use super::stream::Stream;
use crate::error::Result;
use crate::result;
use crate::sys::{RiHandle, STREAM_PERSISTENT};
use std::marker::PhantomData;
use std::sync::{Arc, Mutex, PoisonError};

/// Flag of `aclmdlRIBindStream` for the stream where a run begins.
const HEAD: u32 = 0;
/// Flag of `aclmdlRIBindStream` for a stream that another one activates.
const ACTIVATED: u32 = 0x7fff_ffff;

/// A graph under construction; see [`Device::build_graph`].
#[derive(Debug)]
pub struct GraphBuilder<'scope, 'env: 'scope> {
    handle: RiHandle,
    device: &'scope Device,
    shared: &'scope Shared,
    /// In `Arc`s, because recorders point to them.
    streams: &'scope Mutex<Vec<Arc<Stream>>>,
    scope: Invariant<'scope>,
    env: Invariant<'env>,
}

impl Device {
    /// Builds a graph of streams of its own. Work put into them does not run, it is kept for the runs of the graph.
    ///
    /// ```
    /// # fn main() -> toprope_host::Result<()> {
    /// # let device = toprope_host::Runtime::embedded()?.device(0)?;
    /// let x = device.alloc_zeroed::<u8>(4)?;
    /// let graph = device.build_graph(|b| {
    ///     let head = b.stream(0)?;
    ///     head.fill_bytes(&x, 3)?;
    ///     b.end(&head)
    /// })?;
    /// graph.replay()?;
    /// assert_eq!(x.to_vec()?, [3; 4]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// The error of `work`; if it has none, [`Error::Acl`](crate::Error::Acl).
    #[doc(alias = "aclmdlRIBuildBegin")]
    #[doc(alias = "aclmdlRIBuildEnd")]
    pub fn build_graph<'env>(
        &self,
        work: impl for<'scope> FnOnce(&'scope GraphBuilder<'scope, 'env>) -> Result<()>,
    ) -> Result<Graph<'env>> {
        self.inner.bind()?;
        // SAFETY: the device is selected and alive.
        let handle = unsafe { result::graph::build_begin(self.inner.api(), 0) };
        let handle = self.inner.check("aclmdlRIBuildBegin", handle)?;
        let (shared, streams) = (Shared::new(false), Mutex::default());
        let builder = GraphBuilder {
            handle,
            device: self,
            shared: &shared,
            streams: &streams,
            scope: PhantomData,
            env: PhantomData,
        };
        let done = work(&builder);
        let streams = streams.into_inner().unwrap_or_else(PoisonError::into_inner);
        // From here on the graph is destroyed, with its streams, whatever happens.
        let graph = Graph::new(handle, &self.inner, shared, streams);
        done?;
        self.inner.bind()?;
        // SAFETY: the graph is alive.
        let ended = unsafe { result::graph::build_end(self.inner.api(), handle, std::ptr::null_mut()) };
        self.inner.check("aclmdlRIBuildEnd", ended)?;
        Ok(graph)
    }
}

impl<'scope, 'env> GraphBuilder<'scope, 'env> {
    /// Adds a stream. A run begins in the first; the others begin when they are [activated](GraphBuilder::activate).
    ///
    /// # Errors
    ///
    /// As [`Device::create_stream`].
    #[doc(alias = "aclmdlRIBindStream")]
    pub fn stream(&'scope self, priority: u32) -> Result<Recorder<'scope, 'env>> {
        let stream = Arc::new(self.device.create_stream_flags(priority, STREAM_PERSISTENT)?);
        let mut streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner);
        let flag = if streams.is_empty() { HEAD } else { ACTIVATED };
        let api = self.device.inner.api();
        // SAFETY: both are alive and the context is current.
        let bound = unsafe { result::graph::bind_stream(api, self.handle, stream.handle(), flag) };
        self.device.inner.check("aclmdlRIBindStream", bound)?;
        // SAFETY: kept in `streams`, which outlives 'scope and never loses one; what is in an `Arc` does not move.
        let stays: &'scope Stream = unsafe { &*Arc::as_ptr(&stream) };
        streams.push(stream);
        Ok(Recorder::new(stays, self.shared))
    }

    /// Starts another stream of the graph at this place of `from`.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`](crate::Error::Acl).
    #[doc(alias = "aclrtActiveStream")]
    pub fn activate(&self, from: &Recorder<'scope, 'env>, other: &Recorder<'scope, 'env>) -> Result<()> {
        let device = &self.device.inner;
        device.bind()?;
        // SAFETY: both streams are alive and the context is current.
        let done =
            unsafe { result::stream::activate(device.api(), other.stream.handle(), from.stream.handle()) };
        device.check("aclrtActiveStream", done)
    }

    /// A run ends here.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`](crate::Error::Acl).
    #[doc(alias = "aclmdlRIEndTask")]
    pub fn end(&self, stream: &Recorder<'scope, 'env>) -> Result<()> {
        let device = &self.device.inner;
        device.bind()?;
        // SAFETY: both are alive and the context is current.
        let done = unsafe { result::graph::end_task(device.api(), self.handle, stream.stream.handle()) };
        device.check("aclmdlRIEndTask", done)
    }
}
