//! Which ready kernels of a device run: by priority, as many as the cores take.
//!
//! A kernel of `n` blocks occupies `n` cores until it ends (fewer if the chip has fewer). The head of every stream is
//! ready; ready kernels start at once while cores are free, otherwise the one of the highest priority (0) and, among
//! equals, the oldest starts next. Nothing is preempted.

use super::chance::Chance;
use super::failure::{Answer, Failure, bug, panic_text};
use crate::npu::{Launch, LaunchOutcome, Npu};
use crate::sync::Mutex;
use std::collections::BTreeMap;
use std::sync::Arc;
use toprope_abi::core_face::KernelType;

/// What runs the blocks of a launch: the embedded NPU, or a fake in tests.
pub trait Engine: Send + Sync + std::fmt::Debug {
    /// Runs a launch and calls `done` with its outcome, on any thread, possibly before this returns.
    fn submit(&self, launch: Launch, done: Box<dyn FnOnce(LaunchOutcome) + Send>);

    /// Runs blocks on the calling thread, which waits anyway; `false` if there were none.
    fn help(&self) -> bool {
        false
    }

    /// Stops a launch that runs, as well as possible; it is answered all the same.
    fn abort(&self, _launch_id: u64) {}
}

impl Engine for Npu {
    fn submit(&self, launch: Launch, done: Box<dyn FnOnce(LaunchOutcome) + Send>) {
        Npu::submit(self, launch, done);
    }

    fn help(&self) -> bool {
        Npu::help(self)
    }

    fn abort(&self, launch_id: u64) {
        Npu::abort(self, launch_id);
    }
}

/// Called with what became of a launch.
pub type LaunchDone = Box<dyn FnOnce(Answer<LaunchOutcome>) + Send>;

struct Ready {
    launch: Launch,
    cores: u32,
    by_kind: (u32, u32),
    done: LaunchDone,
}

#[derive(Default)]
struct State {
    busy_cores: u32,
    /// AICs and AIVs of the running launches.
    by_kind: (u32, u32),
    running: u32,
    serial: u64,
    /// By priority, chance and age.
    ready: BTreeMap<(u32, u64, u64), Ready>,
}

impl State {
    fn occupy(&mut self, ready: &Ready) {
        self.busy_cores += ready.cores;
        self.by_kind = (self.by_kind.0 + ready.by_kind.0, self.by_kind.1 + ready.by_kind.1);
        self.running += 1;
    }
}

/// The scheduler of one device.
pub struct Scheduler {
    engine: Arc<dyn Engine>,
    cores: u32,
    chance: Arc<Chance>,
    state: Mutex<State>,
}

impl std::fmt::Debug for Scheduler {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Scheduler").field("cores", &self.cores).finish_non_exhaustive()
    }
}

impl Scheduler {
    /// A scheduler for an engine with this many cores.
    pub fn new(engine: Arc<dyn Engine>, cores: u32, chance: Arc<Chance>) -> Arc<Scheduler> {
        Arc::new(Scheduler { engine, cores, chance, state: Mutex::default() })
    }

    /// Starts a launch as soon as its turn comes. `priority`: 0 is served first.
    pub fn submit(self: &Arc<Self>, priority: u32, launch: Launch, done: LaunchDone) {
        let cores = launch.num_blocks.min(self.cores);
        let kernel_type = KernelType::from_code(launch.kernel.kernel().kernel_type);
        let (aic, aiv) = kernel_type.unwrap_or(KernelType::Auto).cores_per_block();
        let by_kind = (aic * cores, aiv * cores);
        let ready = Ready { launch, cores, by_kind, done };
        let mut state = self.state.lock();
        if state.ready.is_empty() && self.has_room(&state) {
            state.occupy(&ready);
            drop(state);
            return self.start(ready);
        }
        state.serial += 1;
        let key = (priority, self.chance.below(1 << 32), state.serial);
        state.ready.insert(key, ready);
    }

    fn has_room(&self, state: &State) -> bool {
        state.running == 0 || state.busy_cores < self.cores
    }

    fn start(self: &Arc<Self>, ready: Ready) {
        let (cores, by_kind) = (ready.cores, ready.by_kind);
        let reply = Reply { done: Some(ready.done), scheduler: self.clone(), cores, by_kind };
        let submit = || self.engine.submit(ready.launch, Box::new(move |outcome| reply.answer(Ok(outcome))));
        if let Err(payload) = std::panic::catch_unwind(std::panic::AssertUnwindSafe(submit)) {
            // The reply was dropped while unwinding and has answered.
            eprintln!("toprope: bug: the engine panicked: {}", panic_text(&*payload));
        }
    }

    fn ended(self: &Arc<Self>, cores: u32, by_kind: (u32, u32)) {
        let mut state = self.state.lock();
        state.busy_cores -= cores;
        state.by_kind = (state.by_kind.0 - by_kind.0, state.by_kind.1 - by_kind.1);
        state.running -= 1;
        while self.has_room(&state) {
            let Some((_, ready)) = state.ready.pop_first() else { return };
            state.occupy(&ready);
            drop(state);
            self.start(ready);
            state = self.state.lock();
        }
    }

    /// AICs and AIVs that the running launches ask for.
    pub fn busy_by_kind(&self) -> (u32, u32) {
        self.state.lock().by_kind
    }

    /// Runs blocks of the only launch that runs, on the calling thread. With several launches it does nothing: a long
    /// block of another stream would hold the caller up.
    pub fn help_alone(&self) -> bool {
        let alone = {
            let state = self.state.lock();
            state.running == 1 && state.ready.is_empty()
        };
        alone && self.engine.help()
    }

    /// Stops a launch that runs; see [`Engine::abort`].
    pub fn abort(&self, launch_id: u64) {
        self.engine.abort(launch_id);
    }

    /// Drops ready launches that `test` chooses, answering them with `failure`.
    pub fn cancel(&self, test: impl Fn(&Launch) -> bool, failure: &Failure) {
        let dropped: Vec<Ready> = {
            let mut state = self.state.lock();
            let keys: Vec<_> =
                state.ready.iter().filter(|(_, r)| test(&r.launch)).map(|(key, _)| *key).collect();
            keys.into_iter().filter_map(|key| state.ready.remove(&key)).collect()
        };
        for ready in dropped {
            (ready.done)(Err(failure.clone()));
        }
    }
}

/// Answers exactly once, also when the engine loses it.
struct Reply {
    done: Option<LaunchDone>,
    scheduler: Arc<Scheduler>,
    cores: u32,
    by_kind: (u32, u32),
}

impl Reply {
    fn answer(mut self, outcome: Answer<LaunchOutcome>) {
        self.deliver(outcome);
    }

    fn deliver(&mut self, outcome: Answer<LaunchOutcome>) {
        let Some(done) = self.done.take() else { return };
        // The stream's next kernel lines up first, so that the freed cores go to the highest priority.
        if let Err(payload) = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| done(outcome))) {
            eprintln!("toprope: bug: a launch's completion panicked: {}", panic_text(&*payload));
        }
        self.scheduler.ended(self.cores, self.by_kind);
    }
}

impl Drop for Reply {
    fn drop(&mut self) {
        self.deliver(Err(bug("the engine gave up a launch without an outcome")));
    }
}

#[cfg(test)]
#[allow(unsafe_code)] // a kernel table for launches that no kernel runs.
mod tests {
    use super::*;
    use crate::npu::{KernelRef, LaunchStats};
    use std::sync::OnceLock;
    use toprope_abi::acl::AclError;
    use toprope_abi::core_face::*;

    fn launch(number: u64, blocks: u32) -> Launch {
        unsafe extern "C" fn invoke(_: *const std::ffi::c_void, _: *const std::ffi::c_void) {}
        unsafe extern "C" fn set_core(_: *mut TrCore) {}
        static TABLE: OnceLock<(usize, usize)> = OnceLock::new();
        let (module, kernel) = *TABLE.get_or_init(|| {
            let kernel = Box::leak(Box::new(TrKernel {
                next: std::ptr::null(),
                name: c"k".as_ptr(),
                file: std::ptr::null(),
                line: 0,
                kernel_type: 1,
                entry: std::ptr::null(),
                invoke,
                params: std::ptr::null(),
                param_count: 0,
                args_bytes: 0,
            }));
            let module = Box::leak(Box::new(TrKernelModule {
                magic: MODULE_MAGIC,
                abi_version: CORE_ABI_VERSION,
                struct_bytes: size_of::<TrKernelModule>() as u32,
                pid: std::process::id(),
                self_address: std::ptr::null(),
                first: kernel,
                set_core,
            }));
            (&raw const *module as usize, &raw const *kernel as usize)
        });
        // SAFETY: leaked tables of this version, never changed.
        let kernel = unsafe { KernelRef::new(module as *const _, kernel as *const _) };
        Launch {
            kernel,
            num_blocks: blocks,
            args: vec![],
            launch_id: number,
            stream_id: 0,
            time_limit: None,
            start_cycle: 0,
            saturates: false,
        }
    }

    type Done = Box<dyn FnOnce(LaunchOutcome) + Send>;

    /// Keeps what it gets until the test lets it go.
    #[derive(Default)]
    struct Shelf(Mutex<Vec<(u64, Done)>>);

    impl std::fmt::Debug for Shelf {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("Shelf")
        }
    }

    impl Engine for Shelf {
        fn submit(&self, launch: Launch, done: Box<dyn FnOnce(LaunchOutcome) + Send>) {
            assert_ne!(launch.launch_id, 666, "the engine fails at this one");
            self.0.lock().push((launch.launch_id, done));
        }
    }

    impl Shelf {
        fn finish(&self, number: u64) {
            let at = self.0.lock().iter().position(|s| s.0 == number).unwrap();
            let (_, done) = self.0.lock().remove(at);
            done(LaunchOutcome {
                failure: None,
                stats: LaunchStats::default(),
                findings: vec![],
                printed: String::new(),
                gm: Default::default(),
                demand: vec![],
            });
        }

        fn running(&self) -> Vec<u64> {
            self.0.lock().iter().map(|s| s.0).collect()
        }
    }

    type Seen = Arc<Mutex<Vec<(u64, Option<AclError>)>>>;

    fn submit(scheduler: &Arc<Scheduler>, seen: &Seen, priority: u32, number: u64, blocks: u32) {
        let seen = seen.clone();
        let done = Box::new(move |answer: Answer<LaunchOutcome>| {
            seen.lock().push((number, answer.err().map(|f| f.code)))
        });
        scheduler.submit(priority, launch(number, blocks), done);
    }

    #[test]
    fn kernels_start_while_cores_are_free_then_by_priority_and_age() {
        let (shelf, seen) = (Arc::new(Shelf::default()), Seen::default());
        let scheduler = Scheduler::new(shelf.clone(), 4, Arc::default());
        submit(&scheduler, &seen, 7, 1, 2);
        submit(&scheduler, &seen, 7, 2, 2);
        assert_eq!(shelf.running(), [1, 2]);
        for (priority, number) in [(7, 3), (0, 4), (7, 5), (0, 6)] {
            submit(&scheduler, &seen, priority, number, 100);
        }
        assert_eq!(shelf.running(), [1, 2]);
        shelf.finish(1);
        assert_eq!(shelf.running(), [2, 4], "two cores are free, the first of the highest priority starts");
        shelf.finish(2);
        for number in [4, 6, 3, 5] {
            shelf.finish(number);
        }
        let order: Vec<u64> = seen.lock().iter().map(|s| s.0).collect();
        assert_eq!(order, [1, 2, 4, 6, 3, 5]);
    }

    #[test]
    fn a_seed_chooses_among_equals_only() {
        let orders: std::collections::BTreeSet<Vec<u64>> = (0..20)
            .map(|seed| {
                let (shelf, seen) = (Arc::new(Shelf::default()), Seen::default());
                let scheduler = Scheduler::new(shelf.clone(), 1, Arc::new(Chance::new(Some(seed), 0)));
                for (priority, number) in [(7, 1), (7, 2), (0, 3), (7, 4), (0, 5)] {
                    submit(&scheduler, &seen, priority, number, 1);
                }
                (0..5).for_each(|_| shelf.finish(shelf.running()[0]));
                let order: Vec<u64> = seen.lock().iter().map(|s| s.0).collect();
                assert!(order[0] == 1 && order[1..3].iter().all(|n| [3, 5].contains(n)), "{order:?}");
                order
            })
            .collect();
        assert_eq!(orders.len(), 4, "{orders:?}");
    }

    #[test]
    fn a_lost_or_failing_launch_is_answered_and_the_next_one_runs() {
        let (shelf, seen) = (Arc::new(Shelf::default()), Seen::default());
        let scheduler = Scheduler::new(shelf.clone(), 1, Arc::default());
        submit(&scheduler, &seen, 0, 1, 1);
        submit(&scheduler, &seen, 0, 666, 1);
        submit(&scheduler, &seen, 0, 2, 1);
        // Not under the lock: losing a launch starts the next one.
        let lost = std::mem::take(&mut *shelf.0.lock());
        drop(lost);
        assert_eq!(shelf.running(), [2]);
        shelf.finish(2);
        let bug = Some(AclError::INTERNAL_ERROR);
        assert_eq!(*seen.lock(), [(1, bug), (666, bug), (2, None)]);
    }

    #[test]
    fn cancelled_launches_are_answered() {
        let (shelf, seen) = (Arc::new(Shelf::default()), Seen::default());
        let scheduler = Scheduler::new(shelf.clone(), 1, Arc::default());
        submit(&scheduler, &seen, 0, 1, 1);
        submit(&scheduler, &seen, 0, 2, 1);
        let dropped = Failure::new(AclError::RT_STREAM_ABORT, "dropped");
        scheduler.cancel(|launch| launch.launch_id == 2, &dropped);
        shelf.finish(1);
        assert_eq!(*seen.lock(), [(2, Some(AclError::RT_STREAM_ABORT)), (1, None)]);
    }
}
