//! Futures for work in streams, for any executor.
//!
//! ```text
//! submit(buffers, work) ── work ── event ── host function ─▶ ring ─▶ Waker::wake     the stream gets there
//!                                              └ dropped unrun ─▶ ring (Dropped)     the stream was aborted
//! fault anywhere ─▶ exception callback ─▶ a thread synchronises the streams of waiting futures ─▶ ring
//! ```
//! Nothing is polled on a timer: a future is woken once, by the stream. The last line is for streams that stop after a
//! fault and never get to the host function.
//!
//! A future may be dropped at any time. Buffers that were moved into a [`Submitted`] belong to the stream until it has
//! passed their work; they are freed after that.
#![allow(unsafe_code)] // calls the layer below, and work that borrows from a box

use super::device::Device;
use super::event::{Event, EventUse};
use super::fault::{self, Fault};
use super::host_func::{cancel, outside};
use super::scope::{Scope, wait_until_idle};
use super::stream::{Stream, StreamOwner};
use crate::error::{Error, Result};
use crate::result;
use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

/// Waits until a stream has done what was in it; see [`Stream::finished`].
#[must_use = "a future does nothing until it is polled"]
#[derive(Debug)]
pub struct Finished {
    bell: Arc<Bell>,
    device: Device,
    /// Marked before the bell; its synchronisation tells what failed.
    mark: Event,
    key: usize,
}

/// Work under way that owns its buffers; gives them back. See [`Stream::submit`].
#[must_use = "the result and the buffers come out of the future"]
#[derive(Debug)]
pub struct Submitted<B: Send + 'static> {
    /// Shared with the host function, which keeps it until the stream is there.
    lent: Arc<Lent<B>>,
    /// Or why there is nothing to wait for.
    finished: Result<Finished, Option<Error>>,
    /// The error of putting the work in.
    failed: Option<Error>,
}

/// Buffers that a stream works on.
#[derive(Debug)]
struct Lent<B> {
    buffers: Mutex<Option<B>>,
    /// Functions that borrow them, by number.
    calls: Mutex<Vec<usize>>,
}

impl<B> Lent<B> {
    /// Takes the buffers, which nobody uses any more.
    fn take(&self) -> Option<B> {
        let calls = std::mem::take(&mut *self.calls.lock().unwrap_or_else(PoisonError::into_inner));
        calls.into_iter().for_each(cancel);
        self.buffers.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl<B> Drop for Lent<B> {
    fn drop(&mut self) {
        drop(self.take());
    }
}

/// What wakes a future.
#[derive(Debug)]
struct Bell {
    state: Mutex<State>,
    stream: Arc<StreamOwner>,
}

#[derive(Debug, Default)]
struct State {
    rung: Option<Rung>,
    waker: Option<Waker>,
}

#[derive(Debug)]
enum Rung {
    /// The stream got there.
    Passed,
    /// It never will.
    Dropped(Option<Error>),
}

impl Bell {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Rings; only the first time counts.
    fn ring(&self, how: Rung) {
        let waker = {
            let mut state = self.lock();
            if state.rung.is_some() {
                return;
            }
            state.rung = Some(how);
            state.waker.take()
        };
        waiting().remove(&(std::ptr::from_ref(self).addr()));
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

/// Rings when it is called, and also when it is dropped without.
struct Rope(Arc<Bell>);

impl Rope {
    fn pull(self) {
        self.0.ring(Rung::Passed);
    }
}

impl Drop for Rope {
    fn drop(&mut self) {
        self.0.ring(Rung::Dropped(None));
    }
}

/// The bells of futures whose stream is not there yet, by address.
fn waiting() -> MutexGuard<'static, HashMap<usize, Arc<Bell>>> {
    static WAITING: LazyLock<Mutex<HashMap<usize, Arc<Bell>>>> = LazyLock::new(Mutex::default);
    WAITING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Called when a task failed: somewhere a stream may have stopped for ever.
fn on_fault(_: &Fault) {
    let bells: Vec<Arc<Bell>> = waiting().values().cloned().collect();
    if bells.is_empty() {
        return;
    }
    // Not here: the runtime calls this while the stream stands still.
    let body = move || bells.iter().for_each(check_stream);
    let _ = std::thread::Builder::new().name("toprope-faults".into()).spawn(body);
}

/// Waits for the stream of a future; if the host function was not called by then, it never will be.
fn check_stream(bell: &Arc<Bell>) {
    let device = bell.stream.device();
    let done = device.select().and_then(|()| {
        // SAFETY: the stream is alive, kept by the bell.
        unsafe { result::stream::synchronize(device.api(), bell.stream.handle) }
    });
    let error = device.check("aclrtSynchronizeStream", done).err();
    let mut state = bell.lock();
    match (&state.rung, error) {
        // The fault that this synchronisation took belongs to the future, which is not polled yet.
        (Some(Rung::Passed), Some(error)) => state.rung = Some(Rung::Dropped(Some(error))),
        (Some(_), _) => {}
        (None, error) => {
            drop(state);
            bell.ring(Rung::Dropped(error));
        }
    }
}

impl Stream {
    /// A future for all work that is in the stream now.
    ///
    /// ```
    /// # use std::{future::Future, pin::pin, sync::Arc, task::{Context, Poll, Wake}, thread};
    /// # struct Unpark(thread::Thread);
    /// # impl Wake for Unpark { fn wake(self: Arc<Self>) { self.0.unpark() } }
    /// # fn block_on<F: Future>(future: F) -> F::Output {
    /// #     let waker = Arc::new(Unpark(thread::current())).into();
    /// #     let mut future = pin!(future);
    /// #     loop {
    /// #         match future.as_mut().poll(&mut Context::from_waker(&waker)) {
    /// #             Poll::Ready(value) => return value,
    /// #             Poll::Pending => thread::park(),
    /// #         }
    /// #     }
    /// # }
    /// # fn main() -> toprope_host::Result<()> {
    /// # let device = toprope_host::Runtime::embedded()?.device(0)?;
    /// let stream = device.create_stream()?;
    /// stream.launch_host_func(|| println!("on its way"))?;
    /// block_on(async { stream.finished()?.await })
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::Acl`], [`Error::Capturing`]. The future has what failed in the work.
    pub fn finished(&self) -> Result<Finished> {
        self.finished_keeping(())
    }

    /// The same; `kept` stays alive until the stream is there, or never will be.
    fn finished_keeping(&self, kept: impl Send + 'static) -> Result<Finished> {
        let device = Device { inner: Arc::clone(&self.device) };
        fault::watch_for_ever(&self.device.runtime, on_fault);
        let mark = device.create_event_for(&[EventUse::Sync])?;
        let bell = Arc::new(Bell { state: Mutex::default(), stream: Arc::clone(self.owner()) });
        self.record(&mark)?;
        waiting().insert(Arc::as_ptr(&bell).addr(), Arc::clone(&bell));
        let rope = Rope(Arc::clone(&bell));
        // If this fails, the rope is dropped and takes the bell out again.
        self.launch_host_func(move || {
            // The runtime is not to be used here, and the drop of what was kept could panic.
            outside(move || drop(kept));
            rope.pull();
        })?;
        Ok(Finished { bell, device, mark, key: self.key() })
    }

    /// Moves `buffers` into work for this stream and gives back a future that returns them.
    ///
    /// ```
    /// # use std::{future::Future, pin::pin, sync::Arc, task::{Context, Poll, Wake}, thread};
    /// # struct Unpark(thread::Thread);
    /// # impl Wake for Unpark { fn wake(self: Arc<Self>) { self.0.unpark() } }
    /// # fn block_on<F: Future>(future: F) -> F::Output {
    /// #     let waker = Arc::new(Unpark(thread::current())).into();
    /// #     let mut future = pin!(future);
    /// #     loop {
    /// #         match future.as_mut().poll(&mut Context::from_waker(&waker)) {
    /// #             Poll::Ready(value) => return value,
    /// #             Poll::Pending => thread::park(),
    /// #         }
    /// #     }
    /// # }
    /// # fn main() -> toprope_host::Result<()> {
    /// # let device = toprope_host::Runtime::embedded()?.device(0)?;
    /// let stream = device.create_stream()?;
    /// let buffers = (device.alloc::<u8>(64)?, device.host_buffer::<u8>(64)?);
    /// block_on(async {
    ///     let (_, host) = stream.submit(buffers, |s, (dev, host)| {
    ///         s.fill_bytes(&*dev, 9)?;
    ///         s.copy_to_host(host, &*dev)
    ///     }).await?;
    ///     assert_eq!(host[..], [9; 64]);
    ///     Ok(())
    /// })
    /// # }
    /// ```
    ///
    /// The future may be dropped: the work goes on, and the buffers are freed when the stream has passed it.
    pub fn submit<B: Send + 'static>(
        &self,
        buffers: B,
        work: impl for<'scope> FnOnce(&'scope Scope<'scope, 'scope>, &'scope mut B) -> Result<()>,
    ) -> Submitted<B> {
        let lent = Arc::new(Lent { buffers: Mutex::new(None), calls: Mutex::default() });
        let _entered = match self.enter() {
            Ok(entered) => entered,
            Err(error) => return Submitted { lent, finished: Err(Some(error)), failed: None },
        };
        // In a box, so that they stay where they are.
        let mut place = lent.buffers.lock().unwrap_or_else(PoisonError::into_inner);
        let place_of = place.insert(buffers);
        // SAFETY: `lent` does not move what is in it, and nobody looks at it until the stream has passed the work: the
        // host function put in below keeps it. `Lent::take` takes the functions out before it gives the buffers away.
        let (done, calls) = unsafe { self.lend(place_of, work) };
        drop(place);
        *lent.calls.lock().unwrap_or_else(PoisonError::into_inner) = calls;
        let finished = self.finished_keeping(Arc::clone(&lent)).map_err(|error| {
            if wait_until_idle(self).is_err() {
                // The stream may still work on the buffers: better never free them.
                std::mem::forget(Arc::clone(&lent));
            }
            Some(error)
        });
        Submitted { lent, finished, failed: done.err() }
    }
}

impl Event {
    /// A future for the last record of the event. It is waited for in `via`, a stream that has nothing else to do.
    ///
    /// # Errors
    ///
    /// As [`Stream::finished`], and [`Error::OtherDevice`].
    pub fn finished(&self, via: &Stream) -> Result<Finished> {
        via.wait(self)?;
        via.finished()
    }
}

impl Future for Finished {
    type Output = Result<()>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        let rung = {
            let mut state = self.bell.lock();
            match &mut state.rung {
                None => {
                    state.waker = Some(context.waker().clone());
                    return Poll::Pending;
                }
                Some(Rung::Passed) => None,
                Some(Rung::Dropped(error)) => Some(error.take()),
            }
        };
        let device = &self.device.inner;
        Poll::Ready(match rung {
            Some(error) => Err(error.unwrap_or(Error::Dropped)),
            // The mark is behind the stream, so this does not wait; it tells what failed.
            None => self.mark.synchronize().and_then(|()| {
                let message = device.panics.take(Some(self.key));
                message.map_or(Ok(()), |message| Err(Error::HostFunctionPanicked { message }))
            }),
        })
    }
}

impl<B: Send + 'static> Future for Submitted<B> {
    type Output = Result<B>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<B>> {
        let this = &mut *self;
        let done = match &mut this.finished {
            Ok(finished) => match Pin::new(finished).poll(context) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(done) => done,
            },
            Err(error) => Err(error.take().unwrap_or(Error::Dropped)),
        };
        // The error of putting work in comes first: what follows may be its consequence.
        Poll::Ready(match this.failed.take() {
            Some(error) => Err(error),
            None => done.and_then(|()| this.lent.take().ok_or(Error::Dropped)),
        })
    }
}
