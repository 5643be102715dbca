//! Programs, each in a process of its own.

use crate::calls::{CALLS, Call};
use crate::support::*;
use crate::values::{Random, Shared, WAITS, World};
use std::io::Read;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use toprope_abi::acl::*;

const CALLS_PER_THREAD: usize = 400;
/// Longest time of a program; most take a few hundredths of a second.
const HANG: Duration = Duration::from_secs(120);
/// A program that others would have to wake up is ended when it has slept this long.
const ASLEEP: Duration = Duration::from_millis(1500);

/// Ends most of the program's objects at once: seldom.
const ENDS: &[&str] = &[
    "aclFinalize",
    "aclFinalizeReference",
    "aclrtResetDevice",
    "aclrtResetDeviceForce",
    "aclrtDestroyContext",
];
/// Take memory away that another thread may be reading; only alone.
const ONLY_ALONE: &[&str] = &[
    "aclrtFreeHost",
    "aclrtFreeHostWithDevSync",
    "aclrtHostUnregister",
    "aclDestroyDataBuffer",
    "aclUpdateDataBuffer",
    "aclrtDestroyStreamConfigHandle",
    "aclrtDestroyGroupInfo",
    "aclrtUnmapMem",
    "aclrtReleaseMemAddress",
    "aclrtFreePhysical",
    "aclrtIpcMemClose",
];
/// Locks every later call of the process out until it is unlocked, which its other tests cover.
const LOCKS: &str = "aclrtSnapShotProcessLock";
/// Waits of the host without a limit.
const UNLIMITED: &[&str] = &["aclrtProcessReport", "aclrtProcessHostFunc"];

/// What kind of program a seed is.
struct Plan {
    threads: u32,
    /// Streams may wait for what nobody does.
    waits: bool,
    themes: Vec<&'static str>,
}

impl Plan {
    fn of(seed: u64) -> Plan {
        let mut random = Random(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
        let theme = |random: &mut Random| FUNCTIONS[random.below(FUNCTIONS.len())].group;
        Plan {
            threads: if random.percent(30) { 3 } else { 1 },
            waits: random.percent(50),
            themes: vec![theme(&mut random), theme(&mut random), "06 stream", "11-01 device memory"],
        }
    }

    fn allows(&self, name: &str) -> bool {
        let alone = self.threads == 1 || !ONLY_ALONE.contains(&name);
        let ends = self.waits || !(WAITS.contains(&name) || UNLIMITED.contains(&name));
        alone && ends && name != LOCKS
    }
}

fn run_thread(seed: u64, number: u32, plan: &Plan, shared: Arc<Shared>) {
    let mut world = World::new(seed << 8 | u64::from(number), shared, number);
    world.trace = std::env::var_os("FUZZ_TRACE").is_some();
    let all: Vec<&Call> = CALLS.iter().filter(|call| plan.allows(call.0)).collect();
    let group = |name: &str| FUNCTIONS.iter().find(|f| f.name == name).map_or("", |f| f.group);
    let themed: Vec<&Call> =
        all.iter().copied().filter(|call| plan.themes.contains(&group(call.0))).collect();
    for call in 0..CALLS_PER_THREAD {
        if call % 40 == 0 {
            let _ = acl!(aclrtSetDevice(0));
        }
        let (_, run) = loop {
            let list = if world.random.percent(60) { &themed } else { &all };
            let call = list[world.random.below(list.len())];
            if !ENDS.contains(&call.0) || world.random.percent(5) {
                break call;
            }
        };
        run(&mut world);
    }
    world.shared.now.lock().unwrap().insert(number, "the end".into());
}

/// What every program starts with.
fn first_objects(shared: &Arc<Shared>) {
    let world = World::new(0, shared.clone(), u32::MAX);
    ok!(aclrtSetDevice(0));
    for name in ["nothing", "trap", "say", "mixed", "load_at", "segfault", "trap_cube"] {
        world.know("aclrtFuncHandle", function(name).0 as u64);
    }
    world.know("aclrtBinHandle", binary().0 as u64);
    world.know("device", malloc(4096) as u64);
    world.know("device", malloc(100) as u64);
    world.know("host", malloc_host(4096) as u64);
    world.know("aclrtStream", stream().0 as u64);
    let mut context = ContextHandle::NULL;
    ok!(aclrtGetCurrentContext(&raw mut context));
    world.know("aclrtContext", context.0 as u64);
}

#[test]
#[ignore = "run in a process of its own"]
fn child() {
    let Ok(seed) = std::env::var("FUZZ_SEED") else { return };
    let seed: u64 = seed.parse().unwrap();
    let plan = Plan::of(seed);
    let shared = Arc::new(Shared::default());
    first_objects(&shared);
    std::thread::scope(|threads| {
        let workers: Vec<_> = (0..plan.threads)
            .map(|number| {
                let (plan, shared) = (&plan, shared.clone());
                threads.spawn(move || run_thread(seed, number, plan, shared))
            })
            .collect();
        let (mut calls, mut since) = (0, Instant::now());
        while workers.iter().any(|w| !w.is_finished()) {
            std::thread::sleep(Duration::from_millis(2));
            let now = shared.calls.load(Ordering::Relaxed);
            if now != calls {
                (calls, since) = (now, Instant::now());
            } else if since.elapsed() > ASLEEP && shared.may_wait.load(Ordering::Relaxed) {
                eprintln!("ASLEEP: {:?}", shared.now.lock().unwrap());
                // With everything as it is: the end of a process is part of the program.
                std::process::exit(0);
            }
        }
    });
    let _ = acl!(aclrtResetDeviceForce(0));
    let _ = acl!(aclFinalize());
    eprintln!("ENDED after {} calls", shared.calls.load(Ordering::Relaxed));
    std::process::exit(0);
}

/// What watches a program.
#[derive(Clone, Debug)]
enum Watch {
    /// Nothing.
    Plain,
    /// The runtime of the address sanitizer, preloaded: every block of the heap with its red zones, use after free,
    /// every copy of libc, leaks at the end. (A stable rustc cannot instrument single loads and stores.)
    AddressSanitizer(String),
    /// valgrind: every load and store.
    Valgrind,
}

impl Watch {
    fn command(&self) -> Command {
        let program = std::env::current_exe().unwrap();
        let mut command = Command::new(&program);
        match self {
            Watch::Plain => {}
            Watch::AddressSanitizer(library) => {
                // Faults of kernels are the runtime's to handle.
                let options = "handle_segv=0:handle_sigbus=0:handle_abort=0:handle_sigfpe=0:use_sigaltstack=0:allocator_may_return_null=1:exitcode=9";
                command.env("LD_PRELOAD", library).env("ASAN_OPTIONS", options);
            }
            Watch::Valgrind => {
                command = Command::new("valgrind");
                command.args(["-q", "--error-exitcode=9"]).arg(&program);
            }
        }
        command
    }
}

/// Runs a program; why it failed, with the end of its output.
fn run_seed(watch: &Watch, seed: u64) -> Result<bool, String> {
    let dir = tempfile::tempdir().unwrap();
    // A context and its default stream refer to each other and are kept on purpose (see `Context`).
    std::fs::write(dir.path().join("kept"), "leak:new_context\n").unwrap();
    let mut child = watch
        .command()
        .env("LSAN_OPTIONS", "suppressions=kept:print_suppressions=0")
        .args(["--exact", "programs::child", "--ignored", "--nocapture", "--test-threads=1"])
        .current_dir(dir.path())
        .env("FUZZ_SEED", seed.to_string())
        .env("FUZZ_TRACE", "1")
        .env("TOPROPE_DEVICES", "2")
        .env("TOPROPE_QUIET", "1")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut pipe = child.stderr.take().unwrap();
    let reader = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = pipe.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    });
    let begin = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break Some(status);
        }
        if begin.elapsed() > HANG {
            let _ = child.kill();
            let _ = child.wait();
            break None;
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let output = reader.join().unwrap();
    let end = |lines: usize| {
        let all: Vec<&str> = output.lines().collect();
        all[all.len().saturating_sub(lines)..].join("\n")
    };
    let said = [
        "panicked at",
        "toprope: bug:",
        "bug in toprope",
        "FUZZ:",
        "ERROR: AddressSanitizer",
        "ERROR: LeakSanitizer",
    ];
    if let Some(line) = output.lines().find(|line| said.iter().any(|s| line.contains(s))) {
        return Err(format!("seed {seed}: {line}\n{}", end(30)));
    }
    match status {
        None => Err(format!("seed {seed} hangs:\n{}", end(30))),
        Some(status) if !status.success() => Err(format!("seed {seed}: {status}:\n{}", end(30))),
        Some(_) => Ok(output.contains("ASLEEP")),
    }
}

fn run_seeds(watch: &Watch, seeds: std::ops::Range<u64>) {
    let seeds = std::env::var("FUZZ_SEEDS").ok().map_or(seeds, |text| {
        let (from, to) = text.split_once("..").expect("FUZZ_SEEDS=from..to");
        from.parse().unwrap()..to.parse().unwrap()
    });
    let (next, asleep) = (AtomicUsize::new(seeds.start as usize), AtomicUsize::new(0));
    let failures = std::sync::Mutex::new(Vec::new());
    std::thread::scope(|threads| {
        for _ in 0..2 {
            threads.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed) as u64;
                    if seed >= seeds.end {
                        return;
                    }
                    match run_seed(watch, seed) {
                        Ok(slept) => _ = asleep.fetch_add(usize::from(slept), Ordering::Relaxed),
                        Err(why) => {
                            eprintln!("{why}\n");
                            failures.lock().unwrap().push(why);
                        }
                    }
                }
            });
        }
    });
    println!("{watch:?}: {} programs ended asleep", asleep.into_inner());
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "{} programs failed\n{}", failures.len(), failures.join("\n\n"));
}

/// Skips loudly, or fails where everything has to be there.
fn missing(what: &str) {
    assert!(std::env::var_os("CI").is_none(), "{what} is not installed");
    eprintln!("SKIPPED: {what} is not installed");
}

#[test]
fn random_programs_do_not_crash_hang_or_meet_a_bug() {
    run_seeds(&Watch::Plain, 0..100);
}

#[test]
fn random_programs_under_the_address_sanitizer() {
    let asked = Command::new("g++").arg("-print-file-name=libasan.so").output();
    let library =
        asked.map_or_else(|_| String::new(), |o| String::from_utf8_lossy(&o.stdout).trim().to_owned());
    if !std::path::Path::new(&library).is_absolute() {
        return missing("g++ with the address sanitizer");
    }
    run_seeds(&Watch::AddressSanitizer(library), 100..200);
}

#[test]
#[ignore = "slow: half a minute"]
fn random_programs_under_valgrind() {
    if Command::new("valgrind").arg("--version").output().is_err() {
        return missing("valgrind");
    }
    run_seeds(&Watch::Valgrind, 200..206);
}
