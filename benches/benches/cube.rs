#![allow(unsafe_code)]
//! Matrix products through a whole kernel on the embedded NPU, in one table: beside a GEMM crate used directly, and beside pto-isa.
//!
//! - ours: `kernels/ascendc/matmul` on one block (so one thread) with every check on: GM → L1 → L0 → `Mmad` → Fixpipe → GM, half and float.
//! - gemm: the crate `gemm` in float on one thread, the same shapes; nothing to widen, no layouts to change.
//! - pto-isa: `TMATMUL` of its CPU simulator alone, as many tiles as the product has (`cpp/pto_gemm.cpp`), for 1024 only (it is slow).
//!   `PTO_ISA=<checkout of hw-native-sys/pto-isa>` adds it (compiler: `PTO_CXX`, else clang++-19); else a SKIPPED line says so.
//!
//! The variants run in turns and the fastest of a few rounds counts, so that other load on the machine does not decide.
//!
//! Unsafe because the crate's function takes pointers, and the C++ side is a shared object built here and called through `dlsym`.

use libloading::Library;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use toprope_host::{Binary, Device, Pod, Runtime, Stream, launch_args};
use toprope_toolchain::compile::{Request, Toolchain};

/// Least speed of ours against the crate.
const TARGET: f64 = 0.6;
const SIZES: [usize; 2] = [1024, 4096];

fn numbers(count: usize, period: usize) -> Vec<f32> {
    (0..count).map(|i| (i * 7 % period) as f32 / period as f32 - 0.5).collect()
}

/// Bits of halves: fractions are cut, what is too small becomes 0.
fn halves(x: &[f32]) -> Vec<u16> {
    let one = |v: f32| {
        let bits = v.to_bits();
        let exponent = ((bits >> 23) & 0xff) as i32 - 112;
        let sign = ((bits >> 16) & 0x8000) as u16;
        if exponent <= 0 { sign } else { sign | (exponent as u16) << 10 | ((bits >> 13) & 0x3ff) as u16 }
    };
    x.iter().map(|v| one(*v)).collect()
}

struct Npu {
    device: Device,
    stream: Stream,
    kernels: Binary,
}

impl Npu {
    fn new() -> Npu {
        let runtime = Runtime::embedded().expect("the embedded runtime");
        let device = runtime.device(0).expect("device 0");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernels/ascendc/matmul/matmul.asc");
        let toolchain = Toolchain::find().expect("a C++17 compiler");
        let built = toolchain.build(&Request::new([source]).kernel_only()).expect("the kernel compiles");
        let kernels = Binary::load(&device, &built.path).expect("the kernel loads");
        let stream = device.create_stream().expect("a stream");
        Npu { device, stream, kernels }
    }

    /// A product with its operands on the device.
    fn product<'a, T: Pod>(&'a self, name: &str, size: usize, a: &[T], b: &[T]) -> impl FnMut() + 'a {
        let kernel = self.kernels.function(name).expect("the kernel");
        let (a, b) = (self.device.alloc_from(a).expect("memory"), self.device.alloc_from(b).expect("memory"));
        let c = self.device.alloc_zeroed::<f32>(size * size).expect("memory");
        let n = size as u32;
        move || {
            self.stream
                .scope(|s| s.launch(kernel.prepare(1, launch_args![&a, &b, &c, n, n, n])?))
                .expect("the product");
        }
    }
}

fn crate_product(size: usize, a: Vec<f32>, b: Vec<f32>) -> impl FnMut() {
    let mut c = vec![0f32; size * size];
    let step = size as isize;
    move || {
        // SAFETY: three matrices of size × size; b is read as its transpose, as the kernel does.
        unsafe {
            gemm::gemm(
                size,
                size,
                size,
                c.as_mut_ptr(),
                1,
                step,
                false,
                a.as_ptr(),
                1,
                step,
                b.as_ptr(),
                step,
                1,
                0.0,
                1.0,
                false,
                false,
                false,
                gemm::Parallelism::None,
            );
        }
        std::hint::black_box(&c);
    }
}

fn pto_library() -> Result<Library, String> {
    let root =
        std::env::var("PTO_ISA").map_err(|_| "PTO_ISA does not name a checkout of pto-isa".to_owned())?;
    let compiler = std::env::var("PTO_CXX").unwrap_or_else(|_| "clang++-19".into());
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("libpto_gemm.so");
    let mut command = Command::new(&compiler);
    command.args(["-O3", "-fPIC", "-shared", "-std=c++20", "-w", "-D__CPU_SIM", "-DPTO_CPU_MAX_THREADS=1"]);
    command.arg(format!("-I{}", PathBuf::from(root).join("include").display()));
    command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("cpp/pto_gemm.cpp")).arg("-o").arg(&out);
    let status = command.status().map_err(|e| format!("{compiler}: {e}"))?;
    if !status.success() {
        return Err(format!("{command:?}: {status}"));
    }
    // SAFETY: the object was built above and has no initialisers of consequence.
    unsafe { Library::new(&out) }.map_err(|e| e.to_string())
}

type PtoProduct = unsafe extern "C" fn(u32) -> f32;

fn pto_seconds(library: &Library, name: &str, size: usize) -> f64 {
    // SAFETY: a function of this type, see cpp/pto_gemm.cpp.
    let f = *unsafe { library.get::<PtoProduct>(name.as_bytes()) }.expect("exported");
    let start = Instant::now();
    // SAFETY: takes a number and works on objects of its own.
    std::hint::black_box(unsafe { f(size as u32) });
    start.elapsed().as_secs_f64()
}

fn fastest(turns: u32, variants: &mut [&mut dyn FnMut()]) -> Vec<Duration> {
    let mut best = vec![Duration::MAX; variants.len()];
    for _ in 0..turns {
        for (variant, best) in variants.iter_mut().zip(&mut best) {
            let start = Instant::now();
            variant();
            *best = (*best).min(start.elapsed());
        }
    }
    best
}

fn main() {
    let npu = Npu::new();
    let pto = pto_library();
    if let Err(why) = &pto {
        println!("SKIPPED: cube beside pto-isa: {why}");
    }
    println!("| product | ours, GFLOP/s | crate gemm in float, GFLOP/s | ours ÷ gemm | pto-isa, GFLOP/s |");
    println!("|---|---|---|---|---|");
    let mut missed = false;
    let test_mode = std::env::args().any(|a| a == "--test");
    let sizes: &[usize] = if test_mode { &[256] } else { &SIZES };
    for &size in sizes {
        let (a, b) = (numbers(size * size, 1021), numbers(size * size, 2039));
        let mut half = npu.product("matmul_f16", size, &halves(&a), &halves(&b));
        let mut single = npu.product("matmul_f32", size, &a, &b);
        let mut direct = crate_product(size, a, b);
        let turns = if test_mode {
            1
        } else if size > 2000 {
            3
        } else {
            20
        };
        let times = fastest(turns, &mut [&mut half, &mut single, &mut direct]);
        let work = 2e-9 * (size as f64).powi(3);
        let speed = |t: &Duration| work / t.as_secs_f64();
        for (name, time, pto_name) in
            [("half", &times[0], "pto_gemm_f16"), ("float", &times[1], "pto_gemm_f32")]
        {
            let pto = match &pto {
                Ok(library) if size <= 1024 => format!("{:.2}", work / pto_seconds(library, pto_name, size)),
                _ => "-".into(),
            };
            let ratio = speed(time) / speed(&times[2]);
            missed |= ratio < TARGET;
            println!(
                "| {name}, {size}³ | {:.1} | {:.1} | {ratio:.2} | {pto} |",
                speed(time),
                speed(&times[2])
            );
        }
    }
    println!("target: ours ÷ gemm ≥ {TARGET}: {}", if missed { "missed" } else { "met" });
}
