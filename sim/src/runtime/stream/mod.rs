//! Streams: ordered queues of device work.
//!
//! ```text
//!  enqueue ─▶ TaskQueue ─▶ start ─┬─ kernel ─▶ Scheduler ─▶ engine thread ─┐
//!     (host)                      ├─ copy, fill ─▶ CopyPool (or at once)  ─┤
//!                                 ├─ wait ─▶ Mark of another stream       ─┼─▶ resume ─▶ settle ─▶ next task
//!                                 └─ record, nothing: at once ─────────────┘
//! ```
//! Streams have no order between them (the default stream is a stream like any other). A fault stays with the stream
//! until a synchronisation reports it, once; with `ACL_STOP_ON_FAILURE` it stops the whole context instead.
//!
//! **Device time.** Every stream has a clock in core cycles. A task starts at the latest of: the end of the task before
//! it, the marks it waits for, and what the host had seen of the device's time when it enqueued the task. So times do
//! not depend on the speed of this machine. Kernels of different streams are timed as if each had the chip to itself.
//!
//! Here is what a stream is; `enqueue` is the host's side of the queue, `run` the running of tasks, `news` what is kept until a
//! synchronisation, `knowledge` the order with other streams.

mod enqueue;
mod knowledge;
mod news;
mod run;

use super::context::Context;
use super::failure::{Answer, Failure, SharedFailure};
use super::order::{self, StreamName, Told};
use super::queue::TaskQueue;
use super::site::CallSite;
use super::work::{Interceptor, Running, Task};
use crate::findings::Finding;
use crate::sync::Mutex;
use crate::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;
use toprope_abi::acl::{AclError, STREAM_CPU_SCHEDULE, STREAM_DEVICE_USE_ONLY, STREAM_PERSISTENT};

/// A task that takes longer than this keeps nobody waiting for room in its stream.
const LONG_TASK: Duration = Duration::from_secs(1);
/// Arrived output kept per stream until somebody synchronises.
const KEPT_OUTPUT_BYTES: usize = 16 << 20;

#[derive(Debug, Default)]
struct State {
    fault: Option<SharedFailure>,
    printed: String,
    findings: Vec<Finding>,
}

/// Where work comes from that a graph has kept.
#[derive(Clone, Debug, Default)]
pub struct Fed {
    /// Where the program recorded it.
    pub site: CallSite,
    /// With which function.
    pub by: &'static str,
    /// What is known to be over.
    pub told: Option<Told>,
    /// The stream it was recorded from.
    pub recorded_from: Option<StreamName>,
}

/// A stream.
#[derive(Debug)]
pub struct Stream {
    /// Handle given to the program.
    pub handle: u64,
    /// Number on its device, from 0.
    pub id: u32,
    /// `ACL_STREAM_*` bits.
    pub flags: u32,
    /// Kernels start in saturation mode: that of the device when the stream was made.
    pub saturates: bool,
    /// The context it belongs to.
    pub context: Arc<Context>,
    /// Whether it is its context's default stream.
    pub is_default: bool,
    /// What `aclrtSetStreamAttribute` keeps and nothing else reads.
    pub attributes: Attributes,
    /// 0 is served first, 7 last.
    priority: AtomicU32,
    /// Where the program made it.
    pub made_at: CallSite,
    pub(super) queue: TaskQueue<Task>,
    tasks: AtomicU32,
    /// Counts twice per task that ends later: odd while it may be ended.
    pub(super) turn: AtomicU64,
    /// Number and host thread of the task that runs, the upper and lower half.
    who: AtomicU64,
    /// Reasons to look twice: `INTERCEPTED`, `ABORTING`, `STOPPING`.
    pub(super) gate: AtomicU32,
    interceptor: Mutex<Option<Arc<dyn Interceptor>>>,
    /// The turn that is being stopped, and with which failure it ends.
    pub(super) stop: Mutex<Option<(u64, Failure)>>,
    cycle: AtomicU64,
    news: AtomicBool,
    state: Mutex<State>,
    pub(super) running: Mutex<Running>,
    /// Where the program queued what runs.
    running_site: AtomicU64,
    /// Tasks (stream, number) that everything queued from now on comes after, because of waits for events.
    waited_for: Mutex<Vec<(u64, u32)>>,
    /// What its tasks know to be over.
    pub(super) timeline: order::Timeline,
    /// Number of finished tasks when somebody gave up waiting for room.
    stuck_at: AtomicU64,
}

/// Streams whose synchronisation returns at once (rule 23).
const UNSYNCHRONISED: u32 = STREAM_PERSISTENT | STREAM_DEVICE_USE_ONLY | STREAM_CPU_SCHEDULE;
/// Bit of `gate`: an interceptor takes the work.
const INTERCEPTED: u32 = 1;
/// Bit of `gate`: the stream is being aborted, new work is void.
pub(super) const ABORTING: u32 = 2;
/// Bit of `gate`: the running task is being stopped.
pub(super) const STOPPING: u32 = 4;

/// Attributes of a stream that the embedded NPU has no use for.
#[derive(Debug, Default)]
pub struct Attributes {
    /// Detection of overflow is on.
    pub overflow_switch: AtomicU32,
    /// Group of streams for which overflow is detected together.
    pub custom_tag: AtomicU32,
    /// Descriptions of operators are kept for profiling of graphs.
    pub cache_op_info: AtomicU32,
}

std::thread_local! {
    static LAST_TASK: Cell<u32> = const { Cell::new(0) };
}

/// Number (in its stream) of the last task that this thread enqueued; 0 if there was none.
pub fn last_task_id() -> u32 {
    LAST_TASK.get()
}

impl Stream {
    /// A new stream.
    pub fn new(
        handle: u64,
        id: u32,
        priority: u32,
        flags: u32,
        context: Arc<Context>,
        is_default: bool,
    ) -> Stream {
        Stream {
            handle,
            id,
            flags,
            saturates: context.device.saturates(),
            context,
            is_default,
            attributes: Attributes::default(),
            priority: AtomicU32::new(priority),
            made_at: CallSite::here(),
            queue: TaskQueue::default(),
            tasks: AtomicU32::new(1),
            turn: AtomicU64::new(0),
            who: AtomicU64::new(0),
            gate: AtomicU32::new(0),
            interceptor: Mutex::new(None),
            stop: Mutex::new(None),
            cycle: AtomicU64::new(0),
            news: AtomicBool::new(false),
            state: Mutex::default(),
            running: Mutex::default(),
            running_site: AtomicU64::new(0),
            waited_for: Mutex::default(),
            timeline: order::Timeline::default(),
            stuck_at: AtomicU64::new(u64::MAX),
        }
    }

    /// How messages name it.
    pub fn name(&self) -> String {
        if self.is_default { "the default stream".into() } else { format!("stream {}", self.id) }
    }

    /// 0 is served first, 7 last.
    pub fn priority(&self) -> u32 {
        self.priority.load(Ordering::Relaxed)
    }

    /// Changes the priority of tasks that start later.
    pub fn set_priority(&self, priority: u32) {
        self.priority.store(priority, Ordering::Relaxed);
    }

    /// Sets what happens after a fault.
    ///
    /// # Errors
    /// 207000: there is no way back from stopping.
    pub fn set_stop_on_failure(&self, stop: bool) -> Answer {
        if !stop && self.context.stops_on_failure() {
            return Err(Failure::new(
                AclError::RT_FEATURE_NOT_SUPPORT,
                "the streams of this context stop on failure; that cannot be set back to continue",
            )
            .help("destroy the context and make a new one, or reset the device"));
        }
        if stop {
            self.context.set_stops_on_failure();
        }
        Ok(())
    }

    /// Refuses further work.
    pub fn close(&self) {
        self.queue.close();
    }

    /// Where the program queued the first task, not done yet, that uses device or host memory in this range.
    pub fn uses(&self, start: u64, bytes: u64) -> Option<CallSite> {
        if self.running.lock().touches(start, bytes) {
            return Some(CallSite(self.running_site.load(Ordering::Relaxed)));
        }
        self.queue.find_waiting(|task| task.work.touches(start, bytes).then_some(task.site))
    }

    /// Whether nothing that is not done writes host memory in this range or lets the host write it in step.
    pub fn leaves_alone(&self, start: u64, bytes: u64) -> bool {
        self.running.lock().leaves_alone(start, bytes)
            && !self.queue.any_waiting(|task| !task.work.leaves_alone(start, bytes))
    }

    /// What it does right now, in words.
    pub fn doing(&self) -> String {
        let running = self.running.lock().clone();
        running.describe()
    }
}
