#![allow(unsafe_code)]
//! The framework cycle alloc, enque, deque, free with empty hooks: Rust inlined, C++ through the static library, and the
//! same behaviour in plain C++ (`cpp/plain_tque.hpp`).
//!
//! Depth 0, 1, 2 with one and two buffers, on the vector core of NpuArch 2201; all default checks of device-lib on, none
//! in the plain C++. After the criterion groups a table of ratios is printed: the three variants run in turns and the
//! fastest of many rounds counts, so that other load on the machine does not decide.
//!
//! Unsafe because the C++ side is a shared object built here and called through `dlsym`, and because an empty `asm!`
//! stands for the instruction a kernel issues between the calls (it may read and write memory, as in the C++ side).

use criterion::{BenchmarkId, Criterion};
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use toprope_device_lib::face::{Aiv, PipeMemory, TPipe, VecIn};
use toprope_device_lib::hooks::NoHooks;

type Cycles = Box<dyn Fn(u64)>;

/// An instruction that uses a tensor.
#[inline(always)]
fn use_tensor(address_bytes: u32) {
    // SAFETY: an empty instruction sequence changes nothing; the compiler must assume it touches memory.
    unsafe { core::arch::asm!("/* {0:e} */", in(reg) address_bytes, options(nostack, preserves_flags)) }
}

fn rust_cycles<const DEPTH: u32>(num: u32, cycles: u64) {
    let mut memory = PipeMemory::new();
    let pipe = TPipe::new(black_box(&mut memory), Aiv(NoHooks)).expect("a pipe");
    let que = pipe.init_buffer::<VecIn, DEPTH>(num, 1024).expect("a queue");
    let que = black_box(&que);
    for _ in 0..cycles {
        let tensor = que.alloc_tensor().expect("a buffer");
        use_tensor(tensor.address_bytes());
        que.enque(tensor).expect("room");
        let tensor = que.deque().expect("a tensor");
        use_tensor(tensor.address_bytes());
        que.free_tensor(tensor).expect("freed");
    }
    assert_eq!(pipe.error(), None);
}

fn rust_cycles_in_place(num: u32, cycles: u64) {
    let mut memory = PipeMemory::new();
    let pipe = TPipe::new(black_box(&mut memory), Aiv(NoHooks)).expect("a pipe");
    let que = pipe.init_buffer::<VecIn, 0>(num, 1024).expect("a queue");
    let que = black_box(&que);
    for _ in 0..cycles {
        let tensor = que.alloc_tensor().expect("a buffer");
        use_tensor(tensor.address_bytes());
        let tensor = que.enque_in_place(tensor).expect("enqueued");
        let tensor = que.deque_in_place(tensor).expect("dequeued");
        use_tensor(tensor.address_bytes());
        que.free_tensor(tensor).expect("freed");
    }
    assert_eq!(pipe.error(), None);
}

fn rust(depth: u32, num: u32) -> Cycles {
    match depth {
        0 => Box::new(move |cycles| rust_cycles_in_place(num, cycles)),
        1 => Box::new(move |cycles| rust_cycles::<1>(num, cycles)),
        _ => Box::new(move |cycles| rust_cycles::<2>(num, cycles)),
    }
}

fn run(command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|e| format!("{command:?}: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?}: {status}")) }
}

/// Builds the static library and the C++ side into one shared object.
fn build_cpp() -> Result<PathBuf, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("framework");
    run(Command::new(env!("CARGO"))
        .current_dir(&root)
        .args(["rustc", "-q", "-p", "toprope-device-lib", "--lib", "--crate-type", "staticlib"])
        .args(["--profile", "device", "--features", "staticlib", "--target-dir"])
        .arg(&out)
        .args(["--", "-C", "relro-level=off"]))?;
    let object = out.join("libframework.so");
    let compiler = std::env::var_os("CXX").unwrap_or_else(|| "g++".into());
    run(Command::new(compiler)
        .args(["-std=c++17", "-O2", "-fPIC", "-shared", "-fvisibility=hidden", "-Wl,-Bsymbolic", "-I"])
        .arg(root.join("abi/include"))
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("cpp/framework.cpp"))
        .arg(out.join("device/libtoprope_device_lib.a"))
        .arg("-o")
        .arg(&object))?;
    Ok(object)
}

/// One function of the C++ side.
fn cpp(library: &'static libloading::Library, symbol: &'static [u8], depth: u32, num: u32) -> Cycles {
    type Function = unsafe extern "C" fn(u32, u32, u64) -> u32;
    // SAFETY: the symbol is a function of exactly this type, see cpp/framework.cpp.
    let function = unsafe { library.get::<Function>(symbol) }.expect("the symbol is exported");
    // SAFETY: takes numbers and works on objects of its own.
    Box::new(move |cycles| assert_eq!(unsafe { function(depth, num, cycles) }, 0, "a call was refused"))
}

fn time(cycles: &Cycles, count: u64) -> Duration {
    let start = Instant::now();
    cycles(count);
    start.elapsed()
}

/// Fastest time of one cycle of each variant, nanoseconds; the variants take turns.
fn fastest(variants: &[Cycles], rounds: u32, count: u64) -> Vec<f64> {
    let mut best = vec![f64::MAX; variants.len()];
    for _ in 0..rounds {
        for (variant, best) in variants.iter().zip(&mut best) {
            *best = best.min(time(variant, count).as_secs_f64() * 1e9 / count as f64);
        }
    }
    best
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let library = match build_cpp() {
        Ok(path) => {
            // SAFETY: the object was built above and has no initialisers of consequence.
            let library = unsafe { libloading::Library::new(&path) }.expect("the object loads");
            let library: &'static libloading::Library = Box::leak(Box::new(library));
            Some(library)
        }
        Err(why) => {
            eprintln!("SKIPPED: the C++ variants were not measured: {why}");
            None
        }
    };
    let test_mode = std::env::args().any(|a| a == "--test");
    let (rounds, count) = if test_mode { (1, 1000) } else { (800, 10_000) };
    let mut table = Vec::new();
    for (depth, num) in [(0, 1), (0, 2), (1, 1), (1, 2), (2, 1), (2, 2)] {
        let mut variants = vec![rust(depth, num)];
        if let Some(library) = library {
            variants.push(cpp(library, b"bench_static", depth, num));
            variants.push(cpp(library, b"bench_plain", depth, num));
        }
        let mut group = criterion.benchmark_group("framework");
        group
            .sample_size(20)
            .measurement_time(Duration::from_secs(1))
            .warm_up_time(Duration::from_millis(200));
        for (variant, name) in variants.iter().zip(["rust", "staticlib", "plain_cpp"]) {
            let id = BenchmarkId::new(name, format!("depth{depth}_buffers{num}"));
            group.bench_function(id, |b| b.iter_custom(|n| time(variant, n)));
        }
        group.finish();
        table.push((depth, num, fastest(&variants, rounds, count)));
    }
    println!("\nframework cycle, ns (fastest of {rounds} rounds of {count})");
    println!("depth buffers   rust  staticlib  plain C++   rust/plain  staticlib/plain");
    for (depth, num, ns) in table {
        match ns[..] {
            [rust, library, plain] => println!(
                "{depth:>5} {num:>7} {rust:>6.2} {library:>10.2} {plain:>10.2} {:>12.2} {:>16.2}",
                rust / plain,
                library / plain
            ),
            _ => println!("{depth:>5} {num:>7} {:>6.2}", ns[0]),
        }
    }
}
