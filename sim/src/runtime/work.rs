//! What a stream does: its kinds of work, the seam for work that other modules define, and the right to end a task.
//!
//! Work is cheap to clone and knows neither stream nor task, so that a graph can keep it and run it many times.
#![allow(unsafe_code)] // starts copies between raw addresses; `MoveWork` says what makes them sound.

use super::binary::Function;
use super::chance::Chance;
use super::copy::{self, Motion};
use super::device::Device;
use super::event::{Event, Mark};
use super::failure::Answer;
use super::hostmem::HostBlock;
use super::order::watch::Watch;
use super::order::{Span, StreamName, Told};
use super::site::CallSite;
use super::stream::Stream;
use crate::npu::Launch;
use smallvec::SmallVec;
use std::fmt::Debug;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Device memory that belongs to a launch (data of place holders); freed with the last copy of the launch.
#[derive(Debug)]
pub struct Scratch {
    /// Where it is.
    pub device: &'static Device,
    /// First addresses of the blocks.
    pub blocks: SmallVec<[u64; 2]>,
}

impl Drop for Scratch {
    fn drop(&mut self) {
        super::launch::free_scratch(self.device, &self.blocks);
    }
}

/// Number and value of a launch attribute.
pub type GivenAttribute = (i32, [u32; 4]);

/// One launch on its way.
#[derive(Clone, Debug)]
pub struct KernelWork {
    /// What to run; start time and number are filled in when it starts.
    pub launch: Launch,
    /// The kernel; keeps its binary loaded.
    pub function: Arc<Function>,
    /// Device memory of its own, if it has any.
    pub scratch: Option<Arc<Scratch>>,
    /// Where the arguments are, if they lie in device memory; read when the kernel starts.
    pub device_args: Option<u64>,
    /// Attributes as they were given: number and value.
    pub attributes: Option<Arc<[GivenAttribute]>>,
}

/// A copy or fill on its way. Whoever makes one has checked that the device ranges lie in live blocks (the range of a
/// device stays mapped for ever) and that host ranges lie in the blocks of `keep`.
#[derive(Clone, Debug)]
pub struct MoveWork {
    /// What to do.
    pub motion: Motion,
    /// Modelled duration in core cycles.
    pub cycles: u64,
    /// Host blocks it uses.
    pub keep: Vec<Arc<HostBlock>>,
    /// Its source is watched.
    pub watch: Option<Arc<Watch>>,
}

impl MoveWork {
    /// Does a small move now; `false` if it is better left to [`submit`](Self::submit), as all are that chance may hold back.
    pub fn run_if_small(&self, chance: &Chance) -> bool {
        if self.motion.is_small() && !chance.is_on() {
            // SAFETY: `MoveWork` promises valid ranges that `keep` and the device's mapping keep valid.
            unsafe { self.motion.run() };
            return true;
        }
        false
    }

    /// Hands the move to the copy threads, which begin it after `delay`.
    pub fn submit(self, priority: u32, delay: Duration, done: copy::Done) {
        // SAFETY: as above; the job holds `keep` until it is done.
        unsafe { copy::pool().submit(self.motion, priority, delay, self.keep, done) };
    }
}

/// Work that other modules define: notifies, waits for values, host functions, nodes of graphs.
///
/// One object may run several times, also at the same time in several streams; what belongs to one run lives in what
/// it does with the [`Turn`].
pub trait DeviceWork: Send + Sync + Debug {
    /// Its turn has come. Ends the turn, now or later, from any thread.
    fn start(self: Arc<Self>, turn: Turn);

    /// Will not run (stream aborted or destroyed by force, context stopped): lets go whoever waits for it.
    fn skip(&self, stream: &Stream);

    /// The stream is aborted while this runs. `true`: it does nothing any more, and the stream goes on at once (the
    /// turn has been taken away); `false`: it cannot be interrupted, and the stream waits for its end.
    fn interrupt(&self, _stream: &Stream) -> bool {
        false
    }

    /// Whether it uses device or host memory in this range.
    fn touches(&self, _start: u64, _bytes: u64) -> bool {
        false
    }

    /// Neither writes memory of the host in this range nor lets the host write it in step with the stream.
    fn leaves_alone(&self, _start: u64, _bytes: u64) -> bool {
        false
    }

    /// The memory it uses, known when it starts.
    fn spans(&self) -> Vec<Span> {
        Vec::new()
    }

    /// The watch on its source, if it is a copy that has one.
    fn watch(&self) -> Option<&Watch> {
        None
    }

    /// What its stream knows when it is over, because it waited for others.
    fn learns(&self) -> Learns {
        Learns::Nothing
    }

    /// What the stream does while this runs, as in "it waits for notify 3".
    fn doing(&self) -> String;

    /// Itself, if it makes random numbers: a graph can change them.
    fn random(&self) -> Option<&super::random::RandomWork> {
        None
    }

    /// What it is as a task of a graph, if a program can look into it and change it.
    fn word_task(&self) -> Option<WordTask> {
        None
    }
}

/// What a stream knows behind a task that waits.
#[derive(Clone, Debug)]
pub enum Learns {
    /// Nothing new.
    Nothing,
    /// What somebody told.
    Told(Told),
    /// That everything which has begun is over: who let it go on is not followed.
    Everything,
}

/// A task that writes a word of device memory or waits for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WordTask {
    /// Where.
    pub at: u64,
    /// What is written or compared with.
    pub value: u64,
    /// `ACL_STREAM_WAIT_VALUE_*`; `None`: it is written.
    pub wait: Option<u32>,
}

/// What a task does.
#[derive(Clone, Debug)]
pub enum Work {
    /// Runs a kernel.
    Kernel(Box<KernelWork>),
    /// Moves bytes.
    Move(MoveWork),
    /// Passes a mark.
    Record {
        /// The event it belongs to.
        event: Arc<Event>,
        /// What is passed.
        mark: Arc<Mark>,
    },
    /// Waits for a mark.
    Wait {
        /// The event, for its count of waits.
        event: Arc<Event>,
        /// What is waited for.
        mark: Arc<Mark>,
        /// Longest wait.
        limit: Option<Duration>,
    },
    /// Something that another module defines.
    Custom(Arc<dyn DeviceWork>),
    /// Takes a place in the order.
    Nothing,
}

impl Work {
    /// Whether it uses device or host memory in this range.
    pub fn touches(&self, start: u64, bytes: u64) -> bool {
        match self {
            Work::Kernel(k) => {
                let mut used = k.function.pointers(&k.launch.args).chain(k.device_args);
                used.any(|at| at.wrapping_sub(start) < bytes)
            }
            Work::Move(m) => m.motion.touches(start, bytes),
            Work::Custom(work) => work.touches(start, bytes),
            Work::Record { .. } | Work::Wait { .. } | Work::Nothing => false,
        }
    }
}

impl Work {
    /// Neither writes memory of the host in this range nor lets the host write it in step with the stream, as waiting
    /// for an event may.
    pub fn leaves_alone(&self, start: u64, bytes: u64) -> bool {
        match self {
            Work::Kernel(_) => !self.touches(start, bytes),
            Work::Move(work) => !work.motion.writes(start, bytes),
            Work::Custom(work) => work.leaves_alone(start, bytes),
            Work::Record { .. } | Work::Nothing => true,
            Work::Wait { .. } => false,
        }
    }
}

/// Takes work away from a stream: capture into a graph, or a stream whose tasks are only kept.
pub trait Interceptor: Send + Sync + Debug {
    /// Called for each piece of work instead of lining it up. `Some`: this is lined up; `None`: nothing is.
    ///
    /// # Errors
    /// What the call that enqueued it returns.
    fn take(&self, stream: &Arc<Stream>, task_id: u32, work: Work) -> Answer<Option<Work>>;
}

/// A task of a stream.
#[derive(Debug)]
pub struct Task {
    /// What it does.
    pub work: Work,
    /// Number in its stream.
    pub id: u32,
    /// The host thread that enqueued it.
    pub thread: u32,
    /// Where the program did.
    pub site: CallSite,
    /// The function that enqueued it.
    pub by: &'static str,
    /// Place in the order of all calls.
    pub serial: u64,
    /// What the host knew to be over.
    pub told: Option<Told>,
    /// The stream it was recorded from, if it runs in a graph.
    pub recorded_from: Option<StreamName>,
    /// Device time before which it cannot start.
    pub earliest_cycle: u64,
}

/// The right to end the task that a stream runs. Of all copies the first that ends it counts, so a time limit and what
/// it limits may race.
#[derive(Clone, Debug)]
pub struct Turn {
    stream: Arc<Stream>,
    number: u64,
    begin: u64,
}

impl Turn {
    pub(super) fn new(stream: Arc<Stream>, number: u64, begin: u64) -> Turn {
        Turn { stream, number, begin }
    }

    /// The stream whose turn it is.
    pub fn stream(&self) -> &Arc<Stream> {
        &self.stream
    }

    /// Device time at which the task begins.
    pub fn begin(&self) -> u64 {
        self.begin
    }

    /// Whether nobody has ended it.
    pub fn is_open(&self) -> bool {
        self.stream.turn.load(std::sync::atomic::Ordering::Acquire) == self.number
    }

    /// Takes the turn: whoever gets it must [`finish`](Claimed::finish) it. `None` if it was ended before (by another
    /// copy, or because the stream was aborted).
    pub fn claim(&self) -> Option<Claimed> {
        self.stream.claim_turn(self.number).then(|| Claimed(self.stream.clone()))
    }

    /// Ends the task at this device time, on any thread; `false` if it was ended before.
    pub fn end(&self, answer: Answer, cycle: u64) -> bool {
        let Some(claimed) = self.claim() else { return false };
        claimed.finish(answer, cycle);
        true
    }
}

/// A turn that nobody else can end any more.
#[derive(Debug)]
#[must_use = "the stream waits until the turn is finished"]
pub struct Claimed(Arc<Stream>);

impl Claimed {
    /// Its stream waited for somebody who knew this.
    pub fn learn(&self, told: Option<&Told>) {
        if let Some(told) = told {
            self.0.timeline.learn(told);
        }
    }

    /// Ends the task at this device time.
    pub fn finish(self, answer: Answer, cycle: u64) {
        self.0.resume_at(answer, cycle);
    }
}

/// What a stream does right now, for messages and for those who must interrupt it.
#[derive(Clone, Debug, Default)]
pub(super) enum Running {
    #[default]
    Nothing,
    Kernel {
        function: Arc<Function>,
        since: Instant,
        pointers: SmallVec<[u64; 8]>,
        launch_id: u64,
        /// What it was launched with, if somebody wants to know of faults.
        args: Option<Vec<u64>>,
    },
    Move(Motion),
    Wait(Arc<Event>, Arc<Mark>),
    Custom(Arc<dyn DeviceWork>),
}

impl Running {
    pub(super) fn touches(&self, start: u64, bytes: u64) -> bool {
        match self {
            Running::Kernel { pointers, .. } => pointers.iter().any(|at| at.wrapping_sub(start) < bytes),
            Running::Move(motion) => motion.touches(start, bytes),
            Running::Custom(work) => work.touches(start, bytes),
            Running::Wait(..) | Running::Nothing => false,
        }
    }

    pub(super) fn leaves_alone(&self, start: u64, bytes: u64) -> bool {
        match self {
            Running::Kernel { .. } => !self.touches(start, bytes),
            Running::Move(motion) => !motion.writes(start, bytes),
            Running::Custom(work) => work.leaves_alone(start, bytes),
            Running::Nothing => true,
            Running::Wait(..) => false,
        }
    }

    pub(super) fn describe(&self) -> String {
        match self {
            Running::Nothing => "it is between two tasks".into(),
            Running::Kernel { function, since, .. } => {
                format!("it runs kernel `{}` since {:.1} s", function.name, since.elapsed().as_secs_f64())
            }
            Running::Move(motion) => format!("it copies {} bytes", motion.bytes()),
            Running::Wait(event, _) => {
                format!("it waits for event {:#x}, which has not happened yet", event.handle)
            }
            Running::Custom(work) => work.doing(),
        }
    }
}
