//! Streams, events and the scheduler, through the table of C functions as a program in C calls them.
//!
//! - `queue`: enqueueing a record into a stream that is held, and into an idle one; record + wait between two streams.
//! - `empty_launch`: launch + synchronise of an empty kernel, beside the same through OpenCL.
//! - `overlap`: a copy and a kernel that take equally long, one after the other and in two streams.
//! - `many_streams`: a round of work on each of 1,984 streams.
//! - `copy_sizes`: asynchronous copies of 4 KiB to 64 MiB beside `memcpy`, each with its synchronisation.
#![allow(missing_docs, reason = "criterion_group makes a public function")]
#![allow(unsafe_code)] // the C functions.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::ffi::{CString, c_void};
use std::path::Path;
use std::ptr::{null, null_mut};
use std::time::{Duration, Instant};
use toprope_abi::acl::*;
use toprope_benches::opencl::EmptyKernel;
use toprope_toolchain::compile::{Request, Toolchain};

/// Calls a C function that has to succeed.
macro_rules! ok {
    ($name:ident($($arg:expr),* $(,)?)) => {{
        // SAFETY: the benches pass valid pointers and live handles.
        let code = unsafe { (toprope_sim::runtime::api().$name)($($arg),*) };
        assert!(code.is_success(), "{}: {code:?}", stringify!($name));
    }};
}

const STREAMS: usize = 1984;

fn stream() -> StreamHandle {
    let mut stream = StreamHandle::NULL;
    ok!(aclrtCreateStream(&raw mut stream));
    stream
}

fn event() -> EventHandle {
    let mut event = EventHandle::NULL;
    ok!(aclrtCreateEvent(&raw mut event));
    event
}

fn sync(stream: StreamHandle) {
    ok!(aclrtSynchronizeStream(stream));
}

fn malloc(bytes: usize) -> *mut c_void {
    let mut at = null_mut();
    ok!(aclrtMalloc(&raw mut at, bytes, MemMallocPolicy::HUGE_FIRST));
    ok!(aclrtMemset(at, bytes, 1, bytes));
    at
}

fn malloc_host(bytes: usize) -> *mut c_void {
    let mut at = null_mut();
    ok!(aclrtMallocHost(&raw mut at, bytes));
    ok!(aclrtMemset(at, bytes, 1, bytes));
    at
}

/// The bench kernels.
struct Kernels(BinHandle);

impl Kernels {
    fn load() -> Kernels {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels/bench.asc");
        let toolchain = Toolchain::find().expect("a C++17 compiler");
        let built =
            toolchain.build(&Request::new([source]).kernel_only()).expect("the bench kernels compile");
        let path = CString::new(built.path.to_str().expect("UTF-8")).expect("no NUL");
        let mut binary = BinHandle::NULL;
        ok!(aclrtBinaryLoadFromFile(path.as_ptr().cast(), null_mut(), &raw mut binary));
        Kernels(binary)
    }

    fn function(&self, name: &str) -> FuncHandle {
        let name = CString::new(name).expect("no NUL");
        let mut function = FuncHandle::NULL;
        ok!(aclrtBinaryGetFunction(self.0, name.as_ptr().cast(), &raw mut function));
        function
    }
}

fn launch(function: FuncHandle, on: StreamHandle, mut args: Vec<u64>) {
    let (at, bytes) = (args.as_mut_ptr().cast(), size_of_val(&args[..]));
    ok!(aclrtLaunchKernelWithHostArgs(function, 1, on, null_mut(), at, bytes, null_mut(), 0));
}

fn copy_async(dst: *mut c_void, src: *const c_void, bytes: usize, kind: MemcpyKind, on: StreamHandle) {
    ok!(aclrtMemcpyAsync(dst, bytes, src, bytes, kind, on));
}

/// A kernel that runs until the host opens the gate.
struct Gate<'k> {
    kernels: &'k Kernels,
    word: *mut c_void,
}

impl Gate<'_> {
    fn hold(&self, on: StreamHandle) {
        ok!(aclrtMemset(self.word, 64, 0, 64));
        launch(self.kernels.function("hold"), on, vec![self.word as u64]);
    }

    fn open(&self) {
        ok!(aclrtMemset(self.word, 64, 1, 64));
    }
}

/// Times `n` calls of `body`, in batches behind a held stream.
fn while_held(gate: &Gate<'_>, on: StreamHandle, n: u64, mut body: impl FnMut()) -> Duration {
    let mut spent = Duration::ZERO;
    let mut left = n;
    while left > 0 {
        let batch = left.min(2000);
        gate.hold(on);
        let begin = Instant::now();
        (0..batch).for_each(|_| body());
        spent += begin.elapsed();
        gate.open();
        sync(on);
        left -= batch;
    }
    spent
}

fn queue(c: &mut Criterion, kernels: &Kernels) {
    let (a, b) = (stream(), stream());
    let (first, second) = (event(), event());
    let gate = Gate { kernels, word: malloc(64) };
    let mut group = c.benchmark_group("queue");
    group.bench_function("record_held", |bench| {
        bench.iter_custom(|n| while_held(&gate, a, n, || ok!(aclrtRecordEvent(first, a))))
    });
    group.bench_function("record_idle", |bench| bench.iter(|| ok!(aclrtRecordEvent(first, a))));
    group.bench_function("launch_held", |bench| {
        let empty = kernels.function("empty");
        bench.iter_custom(|n| while_held(&gate, a, n, || launch(empty, a, Vec::new())))
    });
    // There and back is two pairs; the synchronisation is shared by a hundred.
    group.bench_function("record_wait_pair", |bench| {
        bench.iter_custom(|n| {
            let begin = Instant::now();
            for i in 0..n {
                let (from, to, event) = if i % 2 == 0 { (a, b, first) } else { (b, a, second) };
                ok!(aclrtRecordEvent(event, from));
                ok!(aclrtStreamWaitEvent(to, event));
                if i % 200 == 199 {
                    sync(to);
                }
            }
            sync(a);
            sync(b);
            begin.elapsed()
        })
    });
    group.finish();
}

fn empty_launch(c: &mut Criterion, kernels: &Kernels) {
    let (on, empty) = (stream(), kernels.function("empty"));
    let mut group = c.benchmark_group("empty_launch");
    group.bench_function("toprope", |bench| {
        bench.iter(|| {
            launch(empty, on, Vec::new());
            sync(on);
        })
    });
    group.bench_function("toprope_16_per_sync", |bench| {
        bench.iter(|| {
            (0..16).for_each(|_| launch(empty, on, Vec::new()));
            sync(on);
        })
    });
    match EmptyKernel::new() {
        Ok(cl) => {
            println!("OpenCL platform: {}", cl.platform);
            group.bench_function("opencl", |bench| {
                bench.iter(|| {
                    cl.launch();
                    cl.finish();
                })
            });
            group.bench_function("opencl_16_per_sync", |bench| {
                bench.iter(|| {
                    (0..16).for_each(|_| cl.launch());
                    cl.finish();
                })
            });
        }
        Err(why) => println!(
            "SKIPPED: no OpenCL to compare with ({why}); install pocl-opencl-icd and ocl-icd-libopencl1"
        ),
    }
    group.finish();
}

fn seconds(body: impl FnOnce()) -> f64 {
    let begin = Instant::now();
    body();
    begin.elapsed().as_secs_f64()
}

fn median(mut body: impl FnMut() -> f64) -> f64 {
    let mut times: Vec<f64> = (0..9).map(|_| body()).collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn overlap(c: &mut Criterion, kernels: &Kernels) {
    const BYTES: usize = 128 << 20;
    let (a, b) = (stream(), stream());
    let compute = kernels.function("compute");
    let (device, host, out) = (malloc(BYTES), malloc_host(BYTES), malloc(64));
    let copy = || copy_async(device, host, BYTES, MemcpyKind::HOST_TO_DEVICE, b);
    let kernel = |steps: u64| launch(compute, a, vec![out as u64, steps]);
    // As many steps as take the time of the copy.
    let copy_time = median(|| {
        seconds(|| {
            copy();
            sync(b);
        })
    });
    let step_time = median(|| {
        seconds(|| {
            kernel(10_000_000);
            sync(a);
        })
    }) / 1e7;
    let steps = (copy_time / step_time) as u64;
    let mut group = c.benchmark_group("overlap");
    group.sample_size(10).measurement_time(Duration::from_secs(4));
    group.bench_function("copy_alone", |bench| {
        bench.iter(|| {
            copy();
            sync(b);
        })
    });
    group.bench_function("kernel_alone", |bench| {
        bench.iter(|| {
            kernel(steps);
            sync(a);
        })
    });
    group.bench_function("serial", |bench| {
        bench.iter(|| {
            copy();
            sync(b);
            kernel(steps);
            sync(a);
        })
    });
    group.bench_function("two_streams", |bench| {
        bench.iter(|| {
            kernel(steps);
            copy();
            sync(b);
            sync(a);
        })
    });
    group.finish();
    for at in [device, out] {
        ok!(aclrtFree(at));
    }
    ok!(aclrtFreeHost(host));
}

fn many_streams(c: &mut Criterion, kernels: &Kernels) {
    // Those of the other benches and the default stream are there already.
    let made: Vec<StreamHandle> = std::iter::from_fn(|| {
        let mut stream = StreamHandle::NULL;
        // SAFETY: a valid place for the handle.
        let code = unsafe { (toprope_sim::runtime::api().aclrtCreateStream)(&raw mut stream) };
        code.is_success().then_some(stream)
    })
    .take(STREAMS)
    .collect();
    println!("many_streams: {} made beside those of the other benches; the next one was refused", made.len());
    let (empty, mark) = (kernels.function("empty"), event());
    let mut group = c.benchmark_group("many_streams");
    group.sample_size(10).throughput(Throughput::Elements(made.len() as u64));
    group.bench_function("a_kernel_and_a_record_on_each", |bench| {
        bench.iter(|| {
            for stream in &made {
                launch(empty, *stream, Vec::new());
                ok!(aclrtRecordEvent(mark, *stream));
            }
            ok!(aclrtSynchronizeDevice());
        })
    });
    group.finish();
    for stream in made {
        ok!(aclrtDestroyStream(stream));
    }
}

fn copy_sizes(c: &mut Criterion) {
    let on = stream();
    let mut group = c.benchmark_group("copy_sizes");
    for shift in [12, 14, 16, 18, 20, 22, 24, 26] {
        let bytes = 1usize << shift;
        let (host, device, other) = (malloc_host(bytes), malloc(bytes), malloc_host(bytes));
        let name = if shift < 20 { format!("{}KiB", bytes >> 10) } else { format!("{}MiB", bytes >> 20) };
        group.throughput(Throughput::Bytes(bytes as u64));
        group.bench_function(format!("memcpy_{name}"), |bench| {
            bench.iter(|| {
                // SAFETY: both blocks are that long and distinct.
                unsafe {
                    std::ptr::copy_nonoverlapping(
                        std::hint::black_box(host).cast::<u8>(),
                        other.cast::<u8>(),
                        bytes,
                    )
                }
            })
        });
        let up = || copy_async(device, host, bytes, MemcpyKind::HOST_TO_DEVICE, on);
        group.bench_function(format!("h2d_{name}"), |bench| {
            bench.iter(|| {
                up();
                sync(on);
            })
        });
        group.bench_function(format!("d2h_{name}"), |bench| {
            bench.iter(|| {
                copy_async(host, device, bytes, MemcpyKind::DEVICE_TO_HOST, on);
                sync(on);
            })
        });
        ok!(aclrtFree(device));
        ok!(aclrtFreeHost(host));
        ok!(aclrtFreeHost(other));
    }
    group.finish();
}

fn all(c: &mut Criterion) {
    ok!(aclInit(null()));
    ok!(aclrtSetDevice(0));
    let kernels = Kernels::load();
    queue(c, &kernels);
    empty_launch(c, &kernels);
    overlap(c, &kernels);
    many_streams(c, &kernels);
    copy_sizes(c);
    ok!(aclrtResetDevice(0));
    ok!(aclFinalize());
}

criterion_group!(benches, all);
criterion_main!(benches);
