//! What the checks cost: kernels and host calls with every default check on, and with `TOPROPE_CHECK=off`.
//!
//! Whether a runtime checks is read from the environment once, so each side is a process: this program again, with an argument. The two
//! run the same work in turns, and the fastest of many turns counts, so that other load on the machine does not decide. The figure is
//! the ratio. Every kernel is correct: what the checked side prints about one fails the bench.
//!
//! `cargo bench -p toprope-benches --bench checked [-- part of a name]`

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};
use toprope_host::{Binary, Device, DeviceBuffer, Function, Runtime, Stream, launch_args};
use toprope_toolchain::compile::{Request, Toolchain};

/// First argument of a side.
const SIDE: &str = "side";

/// How one case is run. Sizes: full, and in test mode.
enum Work {
    /// Elements, blocks.
    Add([u64; 2], u32),
    /// A kernel of `(out, rounds)`.
    Rounds(&'static str),
    /// A kernel of `(in, out, rounds)`.
    Streamed(&'static str),
    /// A kernel of `(rounds)`.
    Flags,
    /// A kernel of `(in, rounds)` on a cube core.
    Mmad,
    /// `kernels/ascendc/matmul` in half on one block, square.
    Matmul([u32; 2]),
    /// Launches of an empty kernel and synchronisations.
    Launches,
    /// Copies of this many bytes to the device and synchronisations.
    Copies(usize),
}

struct Case {
    name: &'static str,
    work: Work,
    /// Most time with checks, as a multiple of that without.
    target: Option<f64>,
}

const fn case(name: &'static str, work: Work, target: Option<f64>) -> Case {
    Case { name, work, target }
}

const CASES: &[Case] = &[
    case("add, tiles of 4096, 4 Mi floats, 8 blocks", Work::Add([4 << 20, 8 << 12], 8), Some(2.0)),
    case("add, tiles of 4096, 32 Ki floats, 1 block", Work::Add([32 << 10, 1 << 12], 1), Some(2.0)),
    case("matmul, half, 1024³", Work::Matmul([1024, 64]), Some(2.0)),
    case("Mmad, 16³", Work::Mmad, Some(3.0)),
    case("64 floats, independent", Work::Rounds("tiny_apart"), Some(3.0)),
    case("64 floats, independent, mask set once", Work::Rounds("tiny_bare"), Some(3.0)),
    case("64 floats, each needs the last, barriers", Work::Rounds("tiny_chain"), Some(3.0)),
    case("64 floats, each needs the last, auto-sync", Work::Rounds("tiny_auto"), Some(3.0)),
    case("64 floats, copied in and out by queues", Work::Streamed("tiny_queues"), Some(3.0)),
    case("SetValue(GetValue), UB", Work::Rounds("scalar_ub"), None),
    case("GetValue, GM", Work::Streamed("scalar_gm"), None),
    case("SetFlag, WaitFlag", Work::Flags, None),
    case("launch of an empty kernel, synchronise", Work::Launches, None),
    case("copy of 4 KiB to the device, synchronise", Work::Copies(4096), None),
];

/// Rounds of a kernel's loop, calls of a host loop.
const FULL: (u32, u32) = (1000, 50);
const TEST: (u32, u32) = (16, 2);
/// A case takes this long, and at least so many turns.
const TIME: Duration = Duration::from_secs(3);
const TURNS: u32 = 40;

fn is_test() -> bool {
    std::env::args().any(|a| a == "--test")
}

/// What a side works with.
struct Bench {
    device: Device,
    stream: Stream,
    kernels: Binary,
    matmul: Binary,
    is_test: bool,
}

impl Bench {
    fn new() -> Bench {
        let runtime = Runtime::embedded().expect("the embedded runtime");
        let device = runtime.device(0).expect("device 0");
        let toolchain = Toolchain::find().expect("a C++17 compiler");
        let load = |source: &str| {
            let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(source);
            let built = toolchain.build(&Request::new([source]).kernel_only()).expect("the kernels compile");
            Binary::load(&device, &built.path).expect("the kernels load")
        };
        let (kernels, matmul) = (load("kernels/checked.asc"), load("../kernels/ascendc/matmul/matmul.asc"));
        let stream = device.create_stream().expect("a stream");
        Bench { device, stream, kernels, matmul, is_test: is_test() }
    }

    fn zeros<T: toprope_host::Pod>(&self, elements: usize) -> DeviceBuffer<T> {
        self.device.alloc_zeroed(elements).expect("device memory")
    }

    fn kernel(&self, name: &str) -> Function {
        self.kernels.function(name).expect("the kernel")
    }

    /// Seconds of one turn of a case; its buffers are made anew for each case.
    fn turns<'a>(&'a self, work: &Work) -> Box<dyn FnMut() + 'a> {
        let (rounds, calls) = if self.is_test { TEST } else { FULL };
        let at = usize::from(self.is_test);
        let stream = &self.stream;
        match *work {
            Work::Add(elements, blocks) => {
                let n = elements[at];
                let [x, y, z] = std::array::from_fn(|_| self.zeros::<f32>(n as usize));
                let kernel = self.kernel("add_tiles");
                Box::new(move || {
                    let args = launch_args![&x, &y, &z, n];
                    stream.scope(|s| s.launch(kernel.prepare(blocks, args)?)).expect("the sum");
                })
            }
            Work::Rounds(name) => {
                let (kernel, out) = (self.kernel(name), self.zeros::<f32>(64));
                Box::new(move || {
                    let args = launch_args![&out, rounds];
                    stream.scope(|s| s.launch(kernel.prepare(1, args)?)).expect("the kernel");
                })
            }
            Work::Streamed(name) => {
                let kernel = self.kernel(name);
                let [x, z] = std::array::from_fn(|_| self.zeros::<f32>(64 * rounds as usize));
                Box::new(move || {
                    let args = launch_args![&x, &z, rounds];
                    stream.scope(|s| s.launch(kernel.prepare(1, args)?)).expect("the kernel");
                })
            }
            Work::Flags => {
                let kernel = self.kernel("flags");
                Box::new(move || {
                    stream.scope(|s| s.launch(kernel.prepare(1, launch_args![rounds])?)).expect("the kernel");
                })
            }
            Work::Mmad => {
                let (kernel, fractal) = (self.kernel("mmad_tiny"), self.zeros::<u16>(256));
                Box::new(move || {
                    let args = launch_args![&fractal, rounds];
                    stream.scope(|s| s.launch(kernel.prepare(1, args)?)).expect("the products");
                })
            }
            Work::Matmul(sizes) => {
                let n = sizes[at];
                let elements = (n * n) as usize;
                let kernel = self.matmul.function("matmul_f16").expect("the kernel");
                let (a, b) = (self.zeros::<u16>(elements), self.zeros::<u16>(elements));
                let c = self.zeros::<f32>(elements);
                Box::new(move || {
                    let args = launch_args![&a, &b, &c, n, n, n];
                    stream.scope(|s| s.launch(kernel.prepare(1, args)?)).expect("the product");
                })
            }
            Work::Launches => {
                let kernel = self.kernel("nothing");
                Box::new(move || {
                    for _ in 0..calls {
                        stream
                            .scope(|s| s.launch(kernel.prepare(1, launch_args![])?))
                            .expect("an empty kernel");
                    }
                })
            }
            Work::Copies(bytes) => {
                let to = self.zeros::<u8>(bytes);
                let from = self.device.host_buffer_from(&vec![1u8; bytes]).expect("pinned memory");
                Box::new(move || {
                    for _ in 0..calls {
                        stream.scope(|s| s.copy_to_device(&to, &from)).expect("the copy");
                    }
                })
            }
        }
    }
}

/// A side: reads the number of a case per line and answers with the nanoseconds it took.
fn serve() {
    let bench = Bench::new();
    let mut current: Option<(usize, Box<dyn FnMut()>)> = None;
    for line in std::io::stdin().lines() {
        let number: usize = line.expect("a line").parse().expect("a number");
        if current.as_ref().is_none_or(|c| c.0 != number) {
            drop(current.take());
            let mut turn = bench.turns(&CASES[number].work);
            turn();
            current = Some((number, turn));
        }
        let (_, turn) = current.as_mut().expect("set above");
        let start = Instant::now();
        turn();
        println!("{}", start.elapsed().as_nanos());
    }
}

/// The other end of [`serve`].
struct Side {
    child: Child,
    ask: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Side {
    fn start(checks: &str) -> Side {
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        command.arg(SIDE).args(std::env::args().filter(|a| a == "--test"));
        command.env("TOPROPE_CHECK", checks).env_remove("TOPROPE_SEED");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("this program starts");
        let ask = child.stdin.take().expect("piped");
        let answers = BufReader::new(child.stdout.take().expect("piped"));
        Side { child, ask, answers }
    }

    fn nanos(&mut self, case: usize) -> u64 {
        let asked = writeln!(self.ask, "{case}");
        let mut line = String::new();
        let answered = self.answers.read_line(&mut line);
        match (asked, answered, line.trim().parse()) {
            (Ok(()), Ok(_), Ok(nanos)) => nanos,
            _ => panic!("{}: {}", CASES[case].name, self.said()),
        }
    }

    /// What it had to say in the end.
    fn said(&mut self) -> String {
        let mut text = String::new();
        self.child.stderr.take().expect("piped").read_to_string(&mut text).expect("text");
        text
    }

    fn end(mut self) {
        drop(self.ask);
        let mut text = String::new();
        self.child.stderr.take().expect("piped").read_to_string(&mut text).expect("text");
        let status = self.child.wait().expect("it ends");
        assert!(status.success() && text.is_empty(), "{status}: {text}");
    }
}

fn main() {
    if std::env::args().nth(1).as_deref() == Some(SIDE) {
        return serve();
    }
    let filter: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let (turns, time) = if is_test() { (1, Duration::ZERO) } else { (TURNS, TIME) };
    let (mut on, mut off) = (Side::start("on"), Side::start("off"));
    println!(
        "| case | checked, µs | unchecked, µs | checked ÷ unchecked | target | |\n|---|---|---|---|---|---|"
    );
    for (number, case) in CASES.iter().enumerate() {
        if !filter.is_empty() && !filter.iter().any(|f| case.name.contains(f.as_str())) {
            continue;
        }
        let mut best = [u64::MAX; 2];
        let (start, mut turn) = (Instant::now(), 0);
        while turn < turns || start.elapsed() < time {
            turn += 1;
            for (best, side) in best.iter_mut().zip([&mut on, &mut off]) {
                *best = (*best).min(side.nanos(number));
            }
        }
        let [checked, unchecked] = best.map(|nanos| nanos as f64 / 1e3);
        let ratio = checked / unchecked;
        let (target, verdict) = match case.target {
            None => ("-".to_owned(), ""),
            Some(most) => (format!("≤ {most:.1}"), if ratio <= most { "met" } else { "missed" }),
        };
        println!("| {} | {checked:.1} | {unchecked:.1} | {ratio:.2} | {target} | {verdict} |", case.name);
    }
    on.end();
    off.end();
}
