//! Launches, copies and a memory-bound kernel on the embedded NPU, each beside what the machine itself takes.
//!
//! - `launch`: an empty kernel, launch + synchronise, on 1 and 48 blocks.
//! - `copy`: asynchronous copies from and to pinned host memory, synchronised, beside `memcpy` of the same bytes.
//! - `vector_add`: 64 Mi floats through UB with every check on, beside the plain loop on the same number of threads.
#![allow(missing_docs, reason = "criterion_group makes a public function")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use std::path::Path;
use std::time::Duration;
use toprope_host::{Binary, Device, Runtime, Stream, launch_args};
use toprope_toolchain::compile::{Request, Toolchain};

/// Elements of the vector add; 16 blocks share them.
const ADD_ELEMENTS: usize = 64 << 20;
const ADD_BLOCKS: u32 = 16;

fn kernels(device: &Device) -> Binary {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels/bench.asc");
    let toolchain = Toolchain::find().expect("a C++17 compiler");
    let built = toolchain.build(&Request::new([source]).kernel_only()).expect("the bench kernels compile");
    Binary::load(device, &built.path).expect("the bench kernels load")
}

fn launch(c: &mut Criterion, stream: &Stream, binary: &Binary) {
    let empty = binary.function("empty").expect("kernel `empty`");
    let mut group = c.benchmark_group("launch");
    for blocks in [1u32, 48] {
        let plural = if blocks == 1 { "block" } else { "blocks" };
        group.bench_function(format!("empty_{blocks}_{plural}"), |b| {
            b.iter(|| {
                stream
                    .scope(|s| s.launch(empty.prepare(blocks, launch_args![])?))
                    .expect("an empty kernel cannot fail")
            })
        });
    }
    group.finish();
}

fn copies(c: &mut Criterion, device: &Device, stream: &Stream) {
    let mut group = c.benchmark_group("copy");
    for (name, bytes) in [("1MiB", 1usize << 20), ("64MiB", 64 << 20)] {
        let host = device.host_buffer_from(&vec![1u8; bytes]).expect("pinned memory");
        let mut back = device.host_buffer::<u8>(bytes).expect("pinned memory");
        let on_device = device.alloc_from(&vec![2u8; bytes]).expect("device memory");
        group.throughput(Throughput::Bytes(bytes as u64));
        group.bench_function(format!("h2d_async_{name}"), |b| {
            b.iter(|| stream.scope(|s| s.copy_to_device(&on_device, &host)).expect("copy"))
        });
        group.bench_function(format!("d2h_async_{name}"), |b| {
            b.iter(|| stream.scope(|s| s.copy_to_host(&mut back, &on_device)).expect("copy"))
        });
        // The same source, and a destination of the same kind of memory.
        group.bench_function(format!("memcpy_{name}"), |b| {
            b.iter(|| black_box(&mut back[..]).copy_from_slice(black_box(&host[..])))
        });
    }
    group.finish();
}

fn vector_add(c: &mut Criterion, device: &Device, stream: &Stream, binary: &Binary) {
    let add = binary.function("vector_add").expect("kernel `vector_add`");
    let x: Vec<f32> = (0..ADD_ELEMENTS).map(|i| (i % 1021) as f32).collect();
    let y: Vec<f32> = (0..ADD_ELEMENTS).map(|i| (i % 769) as f32 * 0.5).collect();
    let dx = device.alloc_from(&x).expect("device memory");
    let dy = device.alloc_from(&y).expect("device memory");
    let dz = device.alloc_zeroed::<f32>(ADD_ELEMENTS).expect("device memory");
    let mut z = vec![0f32; ADD_ELEMENTS];

    let mut group = c.benchmark_group("vector_add");
    group.sample_size(10).measurement_time(Duration::from_secs(8));
    group.throughput(Throughput::Bytes(12 * ADD_ELEMENTS as u64));
    group.bench_function("npu_64Mi", |b| {
        b.iter(|| {
            stream
                .scope(|s| {
                    s.launch(add.prepare(ADD_BLOCKS, launch_args![&dx, &dy, &dz, ADD_ELEMENTS as u64])?)
                })
                .expect("vector_add")
        })
    });
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    group.bench_function("plain_64Mi", |b| b.iter(|| plain_add(threads, &mut z, &x, &y)));
    group.finish();
    // Once more for sure: a filter may have left the bench above out.
    stream
        .scope(|s| s.launch(add.prepare(ADD_BLOCKS, launch_args![&dx, &dy, &dz, ADD_ELEMENTS as u64])?))
        .expect("vector_add");
    dz.copy_to_host(&mut z).expect("copy");
    assert!(z.iter().zip(x.iter().zip(&y)).all(|(z, (x, y))| *z == x + y), "the embedded NPU added wrongly");
}

fn plain_add(threads: usize, z: &mut [f32], x: &[f32], y: &[f32]) {
    let share = z.len().div_ceil(threads);
    std::thread::scope(|s| {
        for ((z, x), y) in z.chunks_mut(share).zip(x.chunks(share)).zip(y.chunks(share)) {
            s.spawn(move || z.iter_mut().zip(x.iter().zip(y)).for_each(|(z, (x, y))| *z = x + y));
        }
    });
    black_box(z);
}

fn all(c: &mut Criterion) {
    let runtime = Runtime::embedded().expect("the embedded runtime");
    let device = runtime.device(0).expect("device 0");
    let stream = device.create_stream().expect("a stream");
    let binary = kernels(&device);
    launch(c, &stream, &binary);
    copies(c, &device, &stream);
    vector_add(c, &device, &stream, &binary);
}

criterion_group!(benches, all);
criterion_main!(benches);
