//! The device: worker threads that run the blocks of launches.
//!
//! ```text
//! submit ─▶ queue of launches ─▶ workers (and threads that `help`) claim blocks ─▶ last one calls `done`
//! ```
//! Blocks of a launch are claimed in order by whichever thread is free and never move to another thread; `crew` is what a
//! thread does with the blocks it claims. A worker without work looks for more for a few microseconds before it sleeps, which keeps small launches fast; a thread that waits for a
//! launch anyway can run its blocks itself ([`Npu::help`]).
//!
//! Results, findings and cycles do not depend on the number of threads or their timing.

use super::block::{Device, Seats};
use super::chip::Chip;
use super::clock::op_costs;
use super::crew::Crew;
use super::launch::{Done, LaunchShared};
use super::residents::Claim;
use super::sticky::EntryState;
use super::watchdog::Watchdog;
use super::{Launch, LaunchOutcome, trap};
use crate::gm::DeviceMemory;
use parking_lot::{Condvar, Mutex};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// What is checked of a kernel beside what would damage memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckOptions {
    /// Order, uninitialised data, overlap of buffers and framework protocol; without it a run is faster, and wrong results appear.
    pub on: bool,
    /// The compiler inserts synchronisation inside the vector pipe and around scalar accesses (bisheng's `--cce-auto-sync`).
    pub auto_sync: bool,
    /// Report bytes of output arguments that nobody wrote, or that several cores wrote.
    pub coverage: bool,
    /// Point out synchronisation that orders nothing.
    pub hints: bool,
    /// Room behind a block that an allocator adds does not count as the block's.
    pub strict_bounds: bool,
    /// What registers and memories hold when a block starts.
    pub entry_state: EntryState,
}

impl Default for CheckOptions {
    /// Checks on, with the compiler's own default for synchronisation; nothing on request.
    fn default() -> CheckOptions {
        CheckOptions {
            on: true,
            auto_sync: true,
            coverage: false,
            hints: false,
            strict_bounds: false,
            entry_state: EntryState::Clean,
        }
    }
}

/// How an [`Npu`] runs.
#[derive(Clone, Debug)]
pub struct NpuOptions {
    /// Worker threads, at least 1.
    pub threads: usize,
    /// Stack of a block in bytes; address space is reserved, memory is only used when touched.
    pub stack_bytes: usize,
    /// Fill local memories with a pattern before every block, so that uninitialised reads show.
    pub poison: bool,
    /// How long a worker without work looks for more before it sleeps.
    pub spin: Duration,
    /// What is checked.
    pub checks: CheckOptions,
    /// Another legal order of execution, one per number; `None`: program order.
    pub seed: Option<u64>,
}

impl Default for NpuOptions {
    /// As many threads as the machine runs at a time, 1 MiB of stack, no poison, 30 µs.
    fn default() -> NpuOptions {
        NpuOptions {
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            stack_bytes: 1 << 20,
            poison: false,
            spin: Duration::from_micros(30),
            checks: CheckOptions::default(),
            seed: None,
        }
    }
}

/// Longest time by which a seed delays the begin of a launch.
const LONGEST_DELAY_US: u64 = 300;
/// A launch that has run this long on one thread is worth waking another worker.
pub const WORTH_A_WAKE: Duration = Duration::from_micros(5);

/// What all threads of a device share.
pub struct Shared {
    device: Device,
    threads: u32,
    spin: Duration,
    /// Workers that may look for work at a time: one core is left to the host.
    spinners: usize,
    queue: Mutex<VecDeque<Arc<LaunchShared>>>,
    wake: Condvar,
    /// Length of `queue`, to look at without the lock.
    queued: AtomicUsize,
    /// Workers asleep on `wake`.
    sleeping: AtomicUsize,
    /// Workers looking for work.
    spinning: AtomicUsize,
    stop: AtomicBool,
    /// Cores nobody uses now.
    seats: Mutex<Vec<Seats>>,
    watchdog: Watchdog,
}

/// The embedded NPU: all AI Cores of one device.
pub struct Npu {
    shared: Arc<Shared>,
    workers: Vec<JoinHandle<()>>,
}

impl std::fmt::Debug for Npu {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Npu").field("chip", &self.chip().name).field("workers", &self.workers.len()).finish()
    }
}

impl Npu {
    /// A device with the given chip facts and memory. Its threads start at once and end when it is dropped.
    pub fn new(chip: &'static Chip, gm: Arc<DeviceMemory>, options: NpuOptions) -> Arc<Npu> {
        let device = Device {
            chip,
            gm,
            costs: op_costs(chip).into(),
            stack_bytes: options.stack_bytes,
            poison: options.poison,
            checks: options.checks,
            seed: options.seed,
        };
        let shared = Arc::new(Shared {
            device,
            threads: options.threads.max(1) as u32,
            spin: options.spin,
            spinners: options.threads.saturating_sub(1).max(1),
            queue: Mutex::default(),
            wake: Condvar::new(),
            queued: AtomicUsize::new(0),
            sleeping: AtomicUsize::new(0),
            spinning: AtomicUsize::new(0),
            stop: AtomicBool::new(false),
            seats: Mutex::default(),
            watchdog: Watchdog::default(),
        });
        let worker = |i: usize| {
            let shared = shared.clone();
            let name = format!("npu-worker-{i}");
            std::thread::Builder::new().name(name).spawn(move || shared.work())
        };
        // If the machine has no thread left, those that started do the work; `help` works without any.
        let workers = (0..options.threads.max(1)).map_while(|i| worker(i).ok()).collect();
        Arc::new(Npu { shared, workers })
    }

    /// The chip this is.
    pub fn chip(&self) -> &'static Chip {
        self.shared.device.chip
    }

    /// Queues a launch and returns at once; `done` is called with its outcome on the thread that ran its last block.
    ///
    /// A launch of 0 blocks is done at once, on this thread.
    pub fn submit(&self, launch: Launch, done: Box<dyn FnOnce(LaunchOutcome) + Send>) {
        self.enqueue(launch, done);
    }

    /// Queues a launch and runs as many of its blocks as other threads leave on this thread; returns when none is
    /// unclaimed and those it started have ended. Saves the wake-up of a worker for small launches.
    pub fn submit_and_help(&self, launch: Launch, done: Box<dyn FnOnce(LaunchOutcome) + Send>) {
        let launch = self.enqueue(launch, done);
        self.shared.run(&launch);
    }

    fn enqueue(&self, launch: Launch, done: Done) -> Arc<LaunchShared> {
        trap::install();
        let launch = Arc::new(LaunchShared::new(launch, &self.shared.device, done));
        if launch.num_blocks() == 0 {
            launch.account(0, Vec::new(), Vec::new(), self.chip());
            return launch;
        }
        if launch.launch().time_limit.is_some() {
            self.shared.watchdog.rouse();
        }
        self.shared.push(&launch);
        launch
    }

    /// Runs blocks of the oldest launch that has unclaimed ones on this thread; `false` if there is none.
    ///
    /// For threads that wait for the device anyway. Outcomes may be handed over on this thread, so do not hold locks that
    /// a `done` takes.
    pub fn help(&self) -> bool {
        match self.shared.front() {
            Some(launch) => {
                self.shared.run(&launch);
                true
            }
            None => false,
        }
    }

    /// Stops a launch before its end: its blocks leave at the next instruction or signal, others are not started. A
    /// block that is between two threads may be missed, so whoever waits for the end asks again.
    pub fn abort(&self, launch_id: u64) {
        for launch in self.shared.queue.lock().iter().filter(|l| l.launch().launch_id == launch_id) {
            launch.time_out();
        }
        self.shared.watchdog.abort(launch_id);
    }

    /// Whether a launch has blocks nobody has claimed.
    pub fn has_work(&self) -> bool {
        self.shared.queued.load(Ordering::Relaxed) > 0
    }
}

impl Drop for Npu {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::SeqCst);
        drop(self.shared.queue.lock());
        self.shared.wake.notify_all();
        let this = std::thread::current().id();
        for worker in self.workers.drain(..) {
            if worker.thread().id() != this {
                // A worker that panicked has nothing to hand over.
                let _ = worker.join();
            }
        }
    }
}

impl Shared {
    fn push(&self, launch: &Arc<LaunchShared>) {
        let mut queue = self.queue.lock();
        queue.push_back(launch.clone());
        self.queued.store(queue.len(), Ordering::SeqCst);
        let spinning = self.spinning.load(Ordering::SeqCst);
        let sleeping = self.sleeping.load(Ordering::SeqCst);
        drop(queue);
        // Whoever runs it calls for more if it takes long.
        if spinning == 0 && sleeping > 0 {
            self.wake.notify_one();
        }
    }

    fn front(&self) -> Option<Arc<LaunchShared>> {
        if self.queued.load(Ordering::Relaxed) == 0 {
            return None;
        }
        let mut queue = self.queue.lock();
        while queue.front().is_some_and(|l| l.all_claimed()) {
            queue.pop_front();
        }
        self.queued.store(queue.len(), Ordering::SeqCst);
        queue.iter().find(|l| l.may_join()).cloned()
    }

    fn work(&self) {
        while !self.stop.load(Ordering::Relaxed) {
            match self.front().or_else(|| self.spin()) {
                Some(launch) => {
                    self.dawdle(&launch);
                    self.run(&launch);
                }
                None => self.sleep(),
            }
        }
    }

    fn spin(&self) -> Option<Arc<LaunchShared>> {
        if self.spinning.fetch_add(1, Ordering::SeqCst) >= self.spinners {
            self.spinning.fetch_sub(1, Ordering::SeqCst);
            return None;
        }
        let until = Instant::now() + self.spin;
        let found = loop {
            if self.queued.load(Ordering::Relaxed) > 0
                && let Some(launch) = self.front()
            {
                break Some(launch);
            }
            if self.stop.load(Ordering::Relaxed) || Instant::now() >= until {
                break None;
            }
            for _ in 0..16 {
                std::hint::spin_loop();
            }
        };
        self.spinning.fetch_sub(1, Ordering::SeqCst);
        found
    }

    fn sleep(&self) {
        let mut queue = self.queue.lock();
        // Launches pushed before we count as sleeping are seen here; later ones wake us.
        if !queue.iter().any(|l| l.may_join()) && !self.stop.load(Ordering::SeqCst) {
            self.sleeping.fetch_add(1, Ordering::SeqCst);
            self.wake.wait(&mut queue);
            self.sleeping.fetch_sub(1, Ordering::SeqCst);
        }
    }

    /// With a seed a worker begins a launch some time later, half the time: who does not wait for it may be earlier.
    fn dawdle(&self, launch: &LaunchShared) {
        if let Some(mut random) = launch.random()
            && random.one_in(2)
        {
            std::thread::sleep(Duration::from_micros(random.below(LONGEST_DELAY_US)));
        }
    }

    /// Runs blocks of `launch` until there is none left for this thread.
    fn run(&self, launch: &Arc<LaunchShared>) {
        if !launch.join() {
            return;
        }
        let residents = launch.residents();
        let number = residents.enter();
        let Claim::Block(block) = residents.claim(0) else { return residents.leave() };
        trap::prepare_thread();
        let seats = self.seats.lock().pop();
        let seats = seats.unwrap_or_else(|| Seats::new(self.device.clone(), self.watchdog.post()));
        let post = seats.post.clone();
        post.enter(launch);
        let work = Crew::new(self, launch, seats, number).run(block);
        post.leave();
        self.seats.lock().push(work.seats);
        residents.leave();
        launch.account(work.claimed, work.records, work.notes, self.device.chip);
    }

    /// Worker threads.
    pub fn threads(&self) -> u32 {
        self.threads
    }

    /// Whether a worker sleeps.
    #[inline]
    pub fn has_sleepers(&self) -> bool {
        self.sleeping.load(Ordering::Relaxed) > 0
    }

    /// Wakes a worker.
    pub fn wake_one(&self) {
        self.wake.notify_one();
    }

    /// Wakes every worker.
    pub fn wake_all(&self) {
        self.wake.notify_all();
    }
}
