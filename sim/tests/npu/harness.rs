//! Launches kernels written in Rust on an NPU of their own and normalises what is reported.
#![allow(unsafe_code)] // Kernel tables hold raw pointers.

use crate::kernel;
use parking_lot::Mutex;
use std::ffi::{CString, c_void};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc;
use std::time::Duration;
use toprope_abi::core_face::{CORE_ABI_VERSION, KernelType, MODULE_MAGIC, TrKernel, TrKernelModule, TrParam};
use toprope_sim::gm::{DeviceMemory, MemoryOptions};
use toprope_sim::npu::chip::Chip;
use toprope_sim::npu::{CheckOptions, KernelRef, Launch, LaunchOutcome, Npu, NpuOptions};

/// A kernel of these tests: up to eight argument words.
pub type KernelFn = fn(&[u64; 8]);

static TABLES: Mutex<Vec<usize>> = Mutex::new(Vec::new());

/// A device with one kernel after another.
pub struct Bench {
    pub gm: Arc<DeviceMemory>,
    pub npu: Arc<Npu>,
    pub time_limit: Option<Duration>,
}

fn leak<T>(value: T) -> *const T {
    let at = Box::leak(Box::new(value)) as *const T;
    // Keeps leak checkers quiet: still reachable.
    TABLES.lock().push(at as usize);
    at
}

fn kernel_ref(name: &str, entry: KernelFn, kernel_type: KernelType, params: &[&str]) -> KernelRef {
    let text = |s: &str| leak(CString::new(s).expect("no NUL inside")).cast::<CString>();
    // SAFETY: leaked just now.
    let pointer = |s: &str| unsafe { (*text(s)).as_ptr() };
    let params: Vec<TrParam> =
        params.iter().map(|p| TrParam { size_bytes: 8, is_pointer: 1, name: pointer(p) }).collect();
    let params = Box::leak(params.into_boxed_slice());
    let kernel = leak(TrKernel {
        next: std::ptr::null(),
        name: pointer(name),
        file: std::ptr::null(),
        line: 0,
        kernel_type: kernel_type as u32,
        entry: entry as *const c_void,
        invoke: kernel::invoke,
        params: params.as_ptr(),
        param_count: params.len() as u32,
        args_bytes: 64,
    });
    let module = leak(TrKernelModule {
        magic: MODULE_MAGIC,
        abi_version: CORE_ABI_VERSION,
        struct_bytes: size_of::<TrKernelModule>() as u32,
        pid: std::process::id(),
        self_address: std::ptr::null(),
        first: kernel,
        set_core: kernel::set_core,
    });
    // SAFETY: both were leaked and are consistent.
    unsafe { KernelRef::new(module, kernel) }
}

impl Bench {
    /// A device with two worker threads.
    pub fn new() -> Bench {
        Bench::with_threads(2)
    }

    pub fn with_threads(threads: usize) -> Bench {
        Bench::with_options(NpuOptions { threads, ..NpuOptions::default() })
    }

    /// A device that points out what is unusual, too.
    pub fn with_hints() -> Bench {
        let checks = CheckOptions { hints: true, ..CheckOptions::default() };
        Bench::with_options(NpuOptions { threads: 2, checks, ..NpuOptions::default() })
    }

    /// `TOPROPE_SEED` runs every test of the suite in another order of execution: what they expect is the same.
    pub fn with_options(mut options: NpuOptions) -> Bench {
        options.seed =
            options.seed.or_else(|| std::env::var("TOPROPE_SEED").ok().and_then(|seed| seed.parse().ok()));
        let gm = DeviceMemory::new(MemoryOptions { capacity_bytes: 1 << 30, ..MemoryOptions::default() })
            .expect("address space for a test");
        let chip = Chip::by_name("Ascend910B1").expect("built in");
        let npu = Npu::new(chip, gm.clone(), options);
        Bench { gm, npu, time_limit: Some(Duration::from_secs(20)) }
    }

    /// Device memory holding `values`; its address.
    pub fn upload(&self, values: &[f32]) -> u64 {
        let a = self.gm.alloc(size_of_val(values) as u64, true, "test").expect("room");
        // SAFETY: a fresh allocation of that size that nobody else uses.
        unsafe { std::ptr::copy_nonoverlapping(values.as_ptr(), a.start as *mut f32, values.len()) };
        a.start
    }

    /// `n` floats at `addr`.
    pub fn download(&self, addr: u64, n: usize) -> Vec<f32> {
        assert!(self.gm.find(addr).is_some_and(|a| a.end() >= addr + 4 * n as u64));
        // SAFETY: inside a live allocation (tested) that no launch writes any more.
        unsafe { std::slice::from_raw_parts(addr as *const f32, n) }.to_vec()
    }

    fn launch(&self, kernel: KernelRef, blocks: u32, args: &[u64]) -> Launch {
        let mut words = vec![0; 8];
        words[..args.len()].copy_from_slice(args);
        Launch {
            kernel,
            num_blocks: blocks,
            args: words,
            launch_id: 0,
            stream_id: 0,
            time_limit: self.time_limit,
            start_cycle: 0,
            saturates: false,
        }
    }

    /// Runs a vector kernel called `name` with pointer arguments `params`.
    pub fn run(&self, name: &str, entry: KernelFn, blocks: u32, params: &[(&str, u64)]) -> LaunchOutcome {
        self.run_type(name, entry, KernelType::AivOnly, blocks, params)
    }

    pub fn run_type(
        &self,
        name: &str,
        entry: KernelFn,
        kernel_type: KernelType,
        blocks: u32,
        params: &[(&str, u64)],
    ) -> LaunchOutcome {
        let names: Vec<&str> = params.iter().map(|p| p.0).collect();
        let args: Vec<u64> = params.iter().map(|p| p.1).collect();
        let kernel = kernel_ref(name, entry, kernel_type, &names);
        let (send, receive) = mpsc::channel();
        self.npu
            .submit(self.launch(kernel, blocks, &args), Box::new(move |o| send.send(o).expect("waited for")));
        receive.recv_timeout(Duration::from_secs(60)).expect("every launch ends")
    }

    /// Launch and synchronise with the help of this thread, as a latency-minded runtime does.
    pub fn run_helping(&self, launches: usize, entry: KernelFn, blocks: u32) {
        let kernel = kernel_ref("empty", entry, KernelType::AivOnly, &[]);
        let done = Arc::new(std::sync::atomic::AtomicBool::new(false));
        for _ in 0..launches {
            done.store(false, std::sync::atomic::Ordering::Relaxed);
            let flag = done.clone();
            let finish = Box::new(move |_| flag.store(true, std::sync::atomic::Ordering::Release));
            self.npu.submit_and_help(self.launch(kernel, blocks, &[]), finish);
            while !done.load(std::sync::atomic::Ordering::Acquire) {
                std::hint::spin_loop();
            }
        }
    }
}

/// The findings as text, with what changes from run to run replaced.
pub fn normalised(outcome: &LaunchOutcome) -> String {
    let text: String = outcome.findings.iter().map(ToString::to_string).collect();
    let mut out = String::new();
    let mut rest = text.as_str();
    // Long hexadecimal numbers are addresses.
    while let Some(at) = rest.find("0x") {
        let digits = rest[at + 2..].find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(rest.len() - at - 2);
        out.push_str(&rest[..at]);
        if digits >= 9 {
            out.push_str("0xADDRESS");
        } else {
            out.push_str(&rest[at..at + 2 + digits]);
        }
        rest = &rest[at + 2 + digits..];
    }
    out.push_str(rest);
    out.lines().map(|l| line_numbers(l) + "\n").collect()
}

/// `file.rs:123` becomes `file.rs:LL`.
fn line_numbers(line: &str) -> String {
    match line.split_once(".rs:") {
        Some((before, after)) => {
            let rest = after.trim_start_matches(|c: char| c.is_ascii_digit());
            let file = before.rfind('/').map_or(before.to_owned(), |i| {
                let start = before[..i].rfind([' ', '(']).map_or(0, |s| s + 1);
                format!("{}{}", &before[..start], &before[i + 1..])
            });
            format!("{file}.rs:LL{}", line_numbers(rest))
        }
        None => line.to_owned(),
    }
}

/// Compares with `golden/<name>.txt`; `TOPROPE_BLESS=1` writes it.
pub fn golden(name: &str, outcome: &LaunchOutcome) {
    golden_text(name, &normalised(outcome));
}

/// The same for a text.
pub fn golden_text(name: &str, text: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/npu/golden").join(format!("{name}.txt"));
    assert!(!text.is_empty(), "{name}: nothing was reported");
    if std::env::var_os("TOPROPE_BLESS").is_some() {
        std::fs::write(&path, text).expect("golden directory is writable");
        return;
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(text, expected, "{name}: text changed; TOPROPE_BLESS=1 accepts it");
}

/// The twin of a golden case: the same kernel done right.
pub fn silent(outcome: &LaunchOutcome) {
    assert_eq!((outcome.failure, normalised(outcome)), (None, String::new()));
}
