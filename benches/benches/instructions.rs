#![allow(unsafe_code)]
//! Vector instructions on UB tiles of 8 to 64 KiB with every check on, beside the plain loop over the same data, and beside the CPU
//! simulator of pto-isa. One thread each.
//!
//! A kernel issues one instruction many times (`kernels/instructions.asc`), so a launch and its synchronisation are paid once per
//! hundreds of instructions. The plain loops (`cpp/plain_loops.cpp`) are compiled at -O3. The variants run in turns and the fastest of
//! many rounds counts, so that other load on the machine does not decide. Figures are GB/s of operands read and written.
//!
//! `PTO_ISA=<checkout of hw-native-sys/pto-isa>` adds its column (needs a C++20 compiler it accepts, `PTO_CXX`, else clang++-19).
//!
//! Unsafe because the C++ side is a shared object built here and called through `dlsym`.

use libloading::Library;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use toprope_host::{Binary, Runtime, Stream, launch_args};
use toprope_toolchain::compile::{Request, Toolchain};

/// One instruction.
struct Case {
    name: &'static str,
    /// Bytes of an element of the (first) source, of the destination, and number of sources.
    source_bytes: usize,
    result_bytes: usize,
    sources: usize,
    /// Destination elements per source element, as a divisor.
    per_result: usize,
    /// Least speed against the plain loop.
    target: f64,
    /// Function of the pto-isa side that does the same on a tile of 32 KiB.
    pto: Option<&'static str>,
}

const fn case(
    name: &'static str,
    bytes: (usize, usize),
    sources: usize,
    per_result: usize,
    target: f64,
    pto: Option<&'static str>,
) -> Case {
    Case { name, source_bytes: bytes.0, result_bytes: bytes.1, sources, per_result, target, pto }
}

const CASES: &[Case] = &[
    case("add_f32", (4, 4), 2, 1, 0.7, Some("pto_add")),
    case("add_f16", (2, 2), 2, 1, 0.7, None),
    case("exp_f32", (4, 4), 1, 1, 0.5, Some("pto_exp")),
    case("exp_f16", (2, 2), 1, 1, 0.5, None),
    case("cast_f16_f32", (2, 4), 1, 1, 0.7, None),
    case("cast_f32_f16", (4, 2), 1, 1, 0.7, None),
    case("sum_f32", (4, 4), 1, 64, 0.5, Some("pto_row_sum")),
    case("sum_f16", (2, 2), 1, 128, 0.5, None),
];
/// Bytes of the larger tile of an instruction.
const TILES_BYTES: [usize; 3] = [8 << 10, 32 << 10, 64 << 10];
/// Bytes of the tiles on the pto-isa side.
const PTO_TILE_BYTES: usize = 32 << 10;

impl Case {
    fn elements(&self, tile_bytes: usize) -> usize {
        tile_bytes / self.source_bytes.max(self.result_bytes)
    }

    /// Bytes read and written by one instruction.
    fn moved_bytes(&self, elements: usize) -> usize {
        elements * self.source_bytes * self.sources + elements / self.per_result * self.result_bytes
    }
}

type PlainLoop = unsafe extern "C" fn(*mut u8, *const u8, *const u8, u32);
type PtoLoop = unsafe extern "C" fn(u32) -> f32;

fn compile(compiler: &str, source: &str, name: &str, flags: &[&str]) -> Result<Library, String> {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("lib{name}.so"));
    let mut command = Command::new(compiler);
    command.args(["-O3", "-fPIC", "-shared"]).args(flags);
    command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("cpp").join(source)).arg("-o").arg(&out);
    let status = command.status().map_err(|e| format!("{compiler}: {e}"))?;
    if !status.success() {
        return Err(format!("{command:?}: {status}"));
    }
    // SAFETY: the object was built above and has no initialisers of consequence.
    unsafe { Library::new(&out) }.map_err(|e| e.to_string())
}

fn pto_library() -> Result<Library, String> {
    let root =
        std::env::var("PTO_ISA").map_err(|_| "PTO_ISA does not name a checkout of pto-isa".to_owned())?;
    let compiler = std::env::var("PTO_CXX").unwrap_or_else(|_| "clang++-19".into());
    let include = format!("-I{}", PathBuf::from(root).join("include").display());
    let flags = ["-std=c++20", "-w", "-D__CPU_SIM", "-DPTO_CPU_MAX_THREADS=1", &include];
    compile(&compiler, "pto_vector.cpp", "pto_vector", &flags)
}

fn fastest(turns: u32, variants: &mut [(u64, &mut dyn FnMut())]) -> Vec<Duration> {
    let mut best = vec![Duration::MAX; variants.len()];
    for _ in 0..turns {
        for ((_, variant), best) in variants.iter_mut().zip(&mut best) {
            let start = Instant::now();
            variant();
            *best = (*best).min(start.elapsed());
        }
    }
    best.iter().zip(variants).map(|(time, (rounds, _))| *time / *rounds as u32).collect()
}

struct Bench<'a> {
    stream: &'a Stream,
    kernels: &'a Binary,
    plain: &'a Library,
    pto: Option<&'a Library>,
    turns: u32,
    rounds: u32,
}

/// What one case took.
struct Row {
    ours_gb_s: f64,
    plain_gb_s: f64,
    pto_gb_s: Option<f64>,
}

impl Bench<'_> {
    fn measure(&self, case: &Case, tile_bytes: usize, out: &toprope_host::DeviceBuffer<u8>) -> Row {
        let elements = case.elements(tile_bytes);
        let kernel = self.kernels.function(case.name).expect("the kernel");
        let mut ours = || {
            let args = launch_args![out, elements as u32, self.rounds];
            self.stream.scope(|s| s.launch(kernel.prepare(1, args)?)).expect("the kernel runs");
        };
        // 0.5 as half and as float have the same low bytes, zeros; values do not matter to the plain loops but for exp.
        let half = [0u8, 0x38];
        let float = 0.5f32.to_le_bytes();
        let pattern: &[u8] = if case.source_bytes == 2 { &half } else { &float };
        let x: Vec<u8> = pattern.iter().copied().cycle().take(elements * case.source_bytes).collect();
        let mut z = vec![0u8; elements * case.result_bytes];
        let symbol = format!("plain_{}", case.name);
        // SAFETY: a function of this type, see cpp/plain_loops.cpp.
        let function = *unsafe { self.plain.get::<PlainLoop>(symbol.as_bytes()) }.expect("exported");
        let mut plain = || {
            for _ in 0..self.rounds {
                // SAFETY: `elements` elements are there on every side.
                unsafe { function(z.as_mut_ptr(), x.as_ptr(), x.as_ptr(), elements as u32) };
            }
        };
        let rounds = u64::from(self.rounds);
        let mut variants: Vec<(u64, &mut dyn FnMut())> = vec![(rounds, &mut ours), (rounds, &mut plain)];
        let pto = case.pto.zip(self.pto).filter(|_| tile_bytes == PTO_TILE_BYTES).map(|(name, library)| {
            // SAFETY: a function of this type, see cpp/pto_vector.cpp.
            *unsafe { library.get::<PtoLoop>(name.as_bytes()) }.expect("exported")
        });
        let mut pto_loop = || {
            if let Some(f) = pto {
                // SAFETY: takes a number and works on objects of its own.
                std::hint::black_box(unsafe { f(self.rounds) });
            }
        };
        if pto.is_some() {
            variants.push((rounds, &mut pto_loop));
        }
        let times = fastest(self.turns, &mut variants);
        let gb_s = |time: &Duration| case.moved_bytes(elements) as f64 / time.as_secs_f64() / 1e9;
        Row { ours_gb_s: gb_s(&times[0]), plain_gb_s: gb_s(&times[1]), pto_gb_s: times.get(2).map(gb_s) }
    }
}

fn main() {
    let test_mode = std::env::args().any(|a| a == "--test");
    let toolchain = Toolchain::find().expect("a C++17 compiler");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels/instructions.asc");
    let built = toolchain.build(&Request::new([source]).kernel_only()).expect("the bench kernels compile");
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "g++".into());
    let plain = compile(&compiler, "plain_loops.cpp", "plain_loops", &["-std=c++17"])
        .expect("the plain loops compile");
    let pto = pto_library().map_err(|why| println!("SKIPPED: beside pto-isa: {why}")).ok();

    let runtime = Runtime::embedded().expect("the embedded runtime");
    let device = runtime.device(0).expect("device 0");
    let stream = device.create_stream().expect("a stream");
    let kernels = Binary::load(&device, &built.path).expect("the bench kernels load");
    let out = device.alloc_zeroed::<u8>(4096).expect("device memory");
    let (turns, rounds) = if test_mode { (1, 4) } else { (40, 400) };
    let bench = Bench { stream: &stream, kernels: &kernels, plain: &plain, pto: pto.as_ref(), turns, rounds };

    println!("vector instructions on UB tiles, GB/s (fastest of {turns} rounds of {rounds})");
    println!("instruction   tile KiB   toprope     plain   toprope/plain   target        pto-isa");
    for case in CASES {
        for tile_bytes in TILES_BYTES {
            let row = bench.measure(case, tile_bytes, &out);
            let ratio = row.ours_gb_s / row.plain_gb_s;
            let verdict = if ratio >= case.target { "met" } else { "MISSED" };
            let pto =
                row.pto_gb_s.map_or(String::new(), |g| format!("{g:>8.1} ({:.2} x)", row.ours_gb_s / g));
            println!(
                "{:<13} {:>8} {:>9.1} {:>9.1} {ratio:>15.2}   >= {:.1} {verdict:<6} {pto}",
                case.name,
                tile_bytes >> 10,
                row.ours_gb_s,
                row.plain_gb_s,
                case.target,
            );
        }
    }
}
