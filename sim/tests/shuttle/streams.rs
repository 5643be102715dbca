//! Checks of the scheduler and of real streams on it; only the engine is a fake, which runs each launch on a thread of
//! its own or on a thread that waits and helps.
#![allow(unsafe_code)] // a kernel table for launches that no kernel runs.

use crate::npu::chip::Chip;
use crate::npu::{Launch, LaunchFailure, LaunchOutcome, LaunchStats};
use crate::runtime::binary::{Binary, Function};
use crate::runtime::config::Environment;
use crate::runtime::context::Context;
use crate::runtime::device::{Device, MakeEngine};
use crate::runtime::event::{Event, Family, Mark, PLAIN_FLAGS};
use crate::runtime::failure::{Answer, Failure};
use crate::runtime::handle::{HandleTable, Kind};
use crate::runtime::scheduler::{Engine, Scheduler};
use crate::runtime::stream::Stream;
use crate::runtime::work::{KernelWork, Work};
use crate::sync::Mutex;
use shuttle::sync::atomic::{AtomicU32, Ordering};
use shuttle::thread;
use smallvec::SmallVec;
use std::collections::VecDeque;
use std::ffi::c_void;
use std::sync::{Arc, OnceLock};
use toprope_abi::acl::AclError;
use toprope_abi::core_face::*;

/// Passes a mark; which event it belongs to does not matter here.
fn record(mark: Arc<Mark>) -> Work {
    Work::Record { event: Arc::new(Event::new(0, Family::Ex, PLAIN_FLAGS, 0)), mark }
}

// ---- the engine ------------------------------------------------------------------------------------------------------

type Done = Box<dyn FnOnce(LaunchOutcome) + Send>;

/// What a launch carries: what to note, whether it fails.
struct Note {
    log: Log,
    number: u32,
    fails: bool,
}

/// Numbers in the order in which launches ran. Not a lock of shuttle: noting is no step of its own.
type Log = Arc<std::sync::Mutex<Vec<u32>>>;

/// Every launch takes one core.
#[derive(Clone, Default)]
struct Fake {
    cores: u32,
    jobs: Arc<Mutex<VecDeque<(Launch, Done)>>>,
    inside: Arc<AtomicU32>,
    /// The mistake of the twin.
    answers_first: bool,
}

impl std::fmt::Debug for Fake {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Fake")
    }
}

impl Engine for Fake {
    fn submit(&self, launch: Launch, done: Done) {
        self.jobs.lock().push_back((launch, done));
        let engine = self.clone();
        thread::spawn(move || engine.help());
    }

    fn help(&self) -> bool {
        let Some((launch, done)) = self.jobs.lock().pop_front() else { return false };
        // SAFETY: `launch_of` leaked it.
        let note = unsafe { &*(launch.args[0] as *const Note) };
        let outcome = LaunchOutcome {
            failure: note.fails.then_some(LaunchFailure::Exception),
            stats: LaunchStats::default(),
            findings: vec![],
            printed: String::new(),
            gm: Default::default(),
            demand: Vec::new(),
        };
        if self.answers_first {
            done(outcome);
            thread::yield_now();
            note.log.lock().unwrap().push(note.number);
            return true;
        }
        assert!(self.inside.fetch_add(1, Ordering::SeqCst) < self.cores, "more launches than cores");
        note.log.lock().unwrap().push(note.number);
        self.inside.fetch_sub(1, Ordering::SeqCst);
        done(outcome);
        true
    }
}

fn function() -> Arc<Function> {
    unsafe extern "C" fn invoke(_: *const c_void, _: *const c_void) {}
    unsafe extern "C" fn set_core(_: *mut TrCore) {}
    static FUNCTION: OnceLock<Arc<Function>> = OnceLock::new();
    let make = || {
        let kernel = Box::leak(Box::new(TrKernel {
            next: std::ptr::null(),
            name: c"k".as_ptr(),
            file: std::ptr::null(),
            line: 0,
            kernel_type: KernelType::AivOnly as u32,
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
        module.self_address = &raw const *module;
        // SAFETY: a leaked table of this version, never changed again.
        let binary = unsafe { Binary::from_data(1, module.self_address.cast(), size_of::<TrKernelModule>()) };
        let functions = HandleTable::new(Kind::Function);
        let handle = Arc::new(binary.unwrap()).function("k", &functions).unwrap();
        functions.get(handle as *mut c_void).unwrap()
    };
    FUNCTION.get_or_init(make).clone()
}

fn launch_of(log: &Log, stream_id: u32, number: u32, fails: bool) -> Launch {
    // Leaked: the engine's threads may outlive the check.
    let note: &Note = Box::leak(Box::new(Note { log: log.clone(), number, fails }));
    Launch {
        kernel: function().kernel,
        num_blocks: 1,
        args: vec![&raw const *note as u64],
        launch_id: u64::from(number),
        stream_id,
        time_limit: None,
        start_cycle: 0,
        saturates: false,
    }
}

// ---- the scheduler ---------------------------------------------------------------------------------------------------

/// Three launches on one core from two threads while a third cancels one of them.
pub fn every_launch_is_answered_once() {
    let scheduler = Scheduler::new(Arc::new(Fake { cores: 1, ..Fake::default() }), 1, Arc::default());
    let (log, answers) = (Log::default(), Arc::new(AtomicU32::new(0)));
    let submit = |number: u32, priority: u32| {
        let (scheduler, log, answers) = (scheduler.clone(), log.clone(), answers.clone());
        thread::spawn(move || {
            let answered = answers.clone();
            let done = Box::new(move |_: Answer<LaunchOutcome>| {
                answered.fetch_add(1 << (8 * number), Ordering::SeqCst);
            });
            scheduler.submit(priority, launch_of(&log, 0, number, false), done);
        })
    };
    let threads = [submit(0, 1), submit(1, 0), submit(2, 1)];
    scheduler.cancel(|l| l.launch_id == 2, &Failure::new(AclError::RT_STREAM_ABORT, "cancelled"));
    threads.into_iter().for_each(|t| t.join().unwrap());
    while answers.load(Ordering::SeqCst).count_ones() < 3 {
        thread::yield_now();
    }
    assert_eq!(answers.load(Ordering::SeqCst), 0x01_01_01);
    let ran = log.lock().unwrap().clone();
    assert!(ran.contains(&0) && ran.contains(&1) && ran.len() <= 3, "{ran:?}");
}

// ---- streams ---------------------------------------------------------------------------------------------------------

const CORES: u32 = 2;

struct Lab {
    context: Arc<Context>,
    log: Log,
}

fn lab_on(make_engine: MakeEngine) -> Lab {
    static CHIP: OnceLock<&'static Chip> = OnceLock::new();
    let chip = CHIP.get_or_init(|| {
        let mut chip = Chip::by_name("Ascend910B1").unwrap().clone();
        // Little memory: every round makes a device.
        (chip.aiv_count, chip.aic_count, chip.hbm_bytes) = (CORES, CORES, 4 << 20);
        Box::leak(Box::new(chip))
    });
    let device: &'static Device = Box::leak(Box::new(Device::new(0, 0, chip)));
    device.open(&Environment::read(|_| None), make_engine).unwrap();
    Lab { context: Arc::new(Context::new(1, device, true)), log: Log::default() }
}

fn lab() -> Lab {
    lab_on(|_, _, _| Ok(Arc::new(Fake { cores: CORES, ..Fake::default() })))
}

impl Lab {
    fn stream(&self, id: u32) -> Arc<Stream> {
        Arc::new(Stream::new(id.into(), id, 0, 0, self.context.clone(), false))
    }

    fn work(&self, of: &Stream, number: u32, fails: bool) -> Work {
        Work::Kernel(Box::new(KernelWork {
            launch: launch_of(&self.log, of.id, number, fails),
            function: function(),
            scratch: None,
            device_args: None,
            attributes: None,
        }))
    }

    fn kernel(&self, on: &Arc<Stream>, number: u32) {
        on.enqueue(self.work(on, number, false)).unwrap();
    }

    fn at(&self, number: u32) -> usize {
        let log = self.log.lock().unwrap();
        log.iter().position(|n| *n == number).unwrap_or_else(|| panic!("{number} did not run: {log:?}"))
    }

    /// These ran, in this order.
    fn ran_in_order(&self, numbers: &[u32]) {
        let places: Vec<usize> = numbers.iter().map(|n| self.at(*n)).collect();
        assert!(places.is_sorted(), "{numbers:?} in {:?}", self.log.lock().unwrap());
    }
}

fn event() -> Arc<Event> {
    Arc::new(Event::new(1, Family::Plain, PLAIN_FLAGS, 0))
}

fn wait(on: &Arc<Stream>, event: &Arc<Event>, mark: &Arc<Mark>) -> Answer {
    event.wait_begins();
    let work = Work::Wait { event: event.clone(), mark: mark.clone(), limit: None };
    on.enqueue(work).inspect_err(|_| event.wait_ends())
}

fn record_wakes_wait(lab: Lab) {
    let lab = Arc::new(lab);
    let (a, b) = (lab.stream(0), lab.stream(1));
    let (event, mark) = (event(), Arc::new(Mark::default()));
    let (one, two, three) = (lab.clone(), a.clone(), mark.clone());
    let recorder = thread::spawn(move || {
        one.kernel(&two, 1);
        two.enqueue(record(three)).unwrap();
        one.kernel(&two, 2);
    });
    lab.kernel(&b, 11);
    wait(&b, &event, &mark).unwrap();
    lab.kernel(&b, 12);
    b.synchronize(None).unwrap();
    lab.ran_in_order(&[11, 12]);
    lab.ran_in_order(&[1, 12]);
    recorder.join().unwrap();
    a.synchronize(None).unwrap();
    lab.ran_in_order(&[1, 2]);
    assert!(a.is_idle() && b.is_idle() && event.no_waits_open());
}

/// A thread fills one stream and records in it; the other stream waits for that.
pub fn order_and_wake_up() {
    record_wakes_wait(lab());
}

/// The same on an engine that answers a launch before it has run.
pub fn answers_before_it_has_run() {
    record_wakes_wait(lab_on(|_, _, _| {
        Ok(Arc::new(Fake { cores: CORES, answers_first: true, ..Fake::default() }))
    }));
}

/// Two streams wait for each other, twice, while two threads synchronise with them.
pub fn two_that_wake_each_other() {
    let lab = Arc::new(lab());
    let (a, b) = (lab.stream(0), lab.stream(1));
    let event = event();
    let marks: Vec<Arc<Mark>> = (0..4).map(|_| Arc::default()).collect();
    let fill = |on: Arc<Stream>, first: u32, records: [usize; 2], waits: [usize; 2]| {
        let (lab, event, marks) = (lab.clone(), event.clone(), marks.clone());
        thread::spawn(move || {
            for round in 0..2 {
                if first == 1 {
                    lab.kernel(&on, first + round as u32);
                    on.enqueue(record(marks[records[round]].clone())).unwrap();
                    wait(&on, &event, &marks[waits[round]]).unwrap();
                } else {
                    wait(&on, &event, &marks[waits[round]]).unwrap();
                    lab.kernel(&on, first + round as u32);
                    on.enqueue(record(marks[records[round]].clone())).unwrap();
                }
            }
            on.synchronize(None).unwrap();
        })
    };
    let threads = [fill(a.clone(), 1, [0, 2], [1, 3]), fill(b.clone(), 11, [1, 3], [0, 2])];
    threads.into_iter().for_each(|t| t.join().unwrap());
    lab.ran_in_order(&[1, 11, 2, 12]);
    assert!(event.no_waits_open());
}

/// A waiter of a mark is forgotten (its time ran out) while the mark is passed: the stream goes on once.
pub fn wait_and_forget() {
    let (mark, calls) = (Arc::new(Mark::default()), Arc::new(AtomicU32::new(0)));
    let called = calls.clone();
    let number = mark.on_pass(Box::new(move |_| _ = called.fetch_add(1, Ordering::SeqCst)));
    let number = number.unwrap_or_else(|_| panic!("nobody passed it"));
    let (other, out_of_time) = (mark.clone(), calls.clone());
    let timer = thread::spawn(move || {
        if other.forget(number).is_some() {
            out_of_time.fetch_add(1, Ordering::SeqCst);
        }
    });
    mark.pass(1);
    timer.join().unwrap();
    assert_eq!(calls.load(Ordering::SeqCst), 1);
}

/// A stream with a kernel, a record and a wait that never ends is destroyed by force while a thread enqueues into it
/// and another stream waits for the record: nobody waits for ever.
pub fn destroyed_by_force() {
    let lab = Arc::new(lab());
    let (doomed, other) = (lab.stream(0), lab.stream(1));
    let (event, recorded, never) = (event(), Arc::new(Mark::default()), Arc::new(Mark::default()));
    lab.kernel(&doomed, 1);
    lab.kernel(&doomed, 2);
    doomed.enqueue(record(recorded.clone())).unwrap();
    wait(&other, &event, &recorded).unwrap();
    lab.kernel(&other, 11);
    let (one, two, three) = (lab.clone(), doomed.clone(), event.clone());
    let late = thread::spawn(move || {
        let _ = wait(&two, &three, &never);
        let _ = two.enqueue(one.work(&two, 3, false));
        // The wait may be running already, then only this ends it.
        never.pass(0);
    });
    doomed.close();
    doomed.drop_all();
    assert!(doomed.enqueue(Work::Nothing).is_err());
    other.synchronize(None).unwrap();
    lab.at(11);
    late.join().unwrap();
    assert!(doomed.wait_idle(None) && event.no_waits_open());
    let log = lab.log.lock().unwrap();
    assert!(log.iter().filter(|n| **n == 11).count() == 1 && log.len() <= 4, "{log:?}");
}

/// A kernel of a stream with stop on failure fails while the other stream has work and waits.
pub fn stop_on_failure() {
    let lab = Arc::new(lab());
    let (bad, good) = (lab.stream(0), lab.stream(1));
    bad.set_stop_on_failure(true).unwrap();
    let (event, mark) = (event(), Arc::new(Mark::default()));
    wait(&good, &event, &mark).unwrap();
    lab.kernel(&good, 11);
    let (one, two, three) = (lab.clone(), bad.clone(), mark.clone());
    let filler = thread::spawn(move || {
        two.enqueue(one.work(&two, 1, true)).unwrap();
        // May be refused: the fault may be known already.
        if two.enqueue(record(three.clone())).is_err() {
            three.pass(0);
        }
        let _ = two.enqueue(one.work(&two, 2, false));
        assert!(two.synchronize(None).is_err());
    });
    let _ = good.synchronize(None);
    filler.join().unwrap();
    assert!(good.is_idle() && bad.is_idle() && event.no_waits_open());
    assert!(lab.context.is_stopped() && good.enqueue(Work::Nothing).is_err());
    assert!(!lab.log.lock().unwrap().contains(&2), "it ran after the fault");
}

/// A stream that waits is aborted while the mark is passed, another thread synchronises, and another stream waits for
/// what comes after: the wait ends once, nobody waits for ever, and the stream can be used again.
pub fn aborted_and_used_again() {
    let lab = Arc::new(lab());
    let (a, b) = (lab.stream(0), lab.stream(1));
    let (event, waited, after) = (event(), Arc::new(Mark::default()), Arc::new(Mark::default()));
    wait(&a, &event, &waited).unwrap();
    a.enqueue(record(after.clone())).unwrap();
    wait(&b, &event, &after).unwrap();
    lab.kernel(&b, 11);
    let passer = thread::spawn(move || waited.pass(1));
    let syncing = a.clone();
    let waiter = thread::spawn(move || syncing.synchronize(None).is_err());
    let why = Failure::new(AclError::RT_STREAM_ABORT, "aborted");
    assert!(a.abort(&why, None).unwrap());
    lab.kernel(&a, 1);
    let told_here = a.synchronize(None).is_err();
    let told_there = waiter.join().unwrap();
    assert!(!(told_here && told_there), "an abort is told once");
    passer.join().unwrap();
    b.synchronize(None).unwrap();
    lab.at(1);
    lab.at(11);
    assert!(a.is_idle() && b.is_idle() && event.no_waits_open());
}
