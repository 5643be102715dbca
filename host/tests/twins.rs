//! The right way for each case of `tests/trybuild`, under the same name: these compile.
#![allow(dead_code)] // compiling is the test

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::Sender;
use toprope_host::{
    Binary, CaptureMode, Device, DeviceBuffer, Function, Graph, GraphHost, HostBuffer, ManagedBuffer,
    MappedHost, Result, Stream, StreamBuffer, launch_args,
};

fn argument_is_not_for_kernels(kernel: &Function, x: &DeviceBuffer<f32>) -> Result<()> {
    kernel.prepare(1, launch_args![x]).map(drop)
}

fn closure_borrows_a_local(stream: &Stream) -> Result<()> {
    let calls = Arc::new(AtomicU32::new(0));
    let count = Arc::clone(&calls);
    stream.launch_host_func(move || _ = count.fetch_add(1, Ordering::Relaxed))
}

fn closure_borrows_inside_the_scope(stream: &Stream) -> Result<()> {
    let mut calls = 0;
    stream.scope(|s| s.launch_host_func(|| calls += 1))
}

fn closure_is_not_send(stream: &Stream) -> Result<()> {
    let shared = Arc::new(1);
    stream.launch_host_func(move || println!("{shared}"))
}

fn closure_result_read_in_scope(stream: &Stream) -> Result<()> {
    let mut calls = 0;
    stream.scope(|s| s.launch_host_func(|| calls += 1))?;
    println!("{calls}");
    Ok(())
}

fn destination_read_in_scope(
    stream: &Stream,
    there: &DeviceBuffer<f32>,
    here: &mut HostBuffer<f32>,
) -> Result<f32> {
    stream.scope(|s| s.copy_to_host(here, there))?;
    Ok(here[0])
}

fn device_buffer_freed_in_scope(
    stream: &Stream,
    there: DeviceBuffer<f32>,
    here: &HostBuffer<f32>,
) -> Result<()> {
    stream.scope(|s| s.copy_to_device(&there, here))?;
    drop(there);
    Ok(())
}

fn device_buffer_used_after_free(kernel: &Function, x: DeviceBuffer<f32>) -> Result<()> {
    let _launch = kernel.prepare(1, launch_args![&x])?;
    Ok(())
}

fn element_is_not_plain_data(device: &Device) -> Result<()> {
    device.alloc::<u32>(8).map(drop)
}

fn graph_buffer_freed(stream: &Stream, x: DeviceBuffer<f32>) -> Result<()> {
    let (graph, ()) = stream.capture(CaptureMode::Global, |r| r.fill_bytes(&x, 0))?;
    graph.replay()?;
    drop(graph);
    drop(x);
    Ok(())
}

fn graph_captures_a_local(device: &Device, stream: &Stream) -> Result<()> {
    let x = device.alloc::<f32>(8)?;
    let (graph, ()) = stream.capture(CaptureMode::Global, |r| r.fill_bytes(&x, 0))?;
    graph.replay()
}

fn graph_closure_has_state(stream: &Stream, sender: Sender<Vec<u8>>) -> Result<()> {
    let message = vec![1, 2, 3];
    let send = move || sender.send(message.clone()).unwrap();
    stream.capture(CaptureMode::Global, |r| r.launch_host_func(send)).map(drop)
}

fn graph_dropped_in_scope(stream: &Stream, graph: Graph<'_>) -> Result<()> {
    stream.scope(|s| s.launch_graph(&graph))?;
    drop(graph);
    Ok(())
}

fn graph_host_read_in_scope(stream: &Stream, graph: &mut Graph<'_>, result: &GraphHost<f32>) -> Result<f32> {
    stream.scope(|s| s.launch_graph(graph))?;
    Ok(graph.host(result)?[0])
}

fn graph_outlives_its_buffer<'a>(stream: &Stream, x: &'a DeviceBuffer<f32>) -> Result<Graph<'a>> {
    let (graph, ()) = stream.capture(CaptureMode::Global, |r| r.fill_bytes(x, 0))?;
    Ok(graph)
}

fn graph_takes_memory_in_stream_order(stream: &Stream, x: &StreamBuffer<f32>) -> Result<()> {
    stream.capture(CaptureMode::Global, |r| r.fill_bytes(x.as_device(), 0)).map(drop)
}

fn host_buffer_dies_in_scope(device: &Device, stream: &Stream, there: &DeviceBuffer<f32>) -> Result<()> {
    let here = device.host_buffer_from(&[1.0f32; 8])?;
    stream.scope(|s| s.copy_to_device(there, &here))
}

fn launch_outlives_kernel(binary: &Binary, stream: &Stream) -> Result<()> {
    let kernel = binary.function("k")?;
    stream.scope(|s| s.launch(kernel.prepare(1, launch_args![])?))
}

fn managed_memory_read_in_scope(stream: &Stream, x: &mut ManagedBuffer<f32>) -> Result<f32> {
    stream.scope(|s| s.fill_bytes(&*x, 0))?;
    Ok(x.as_slice()[0])
}

fn mapped_host_memory_dies_early<'a>(device: &Device, memory: &'a mut [u8]) -> Result<MappedHost<'a, u8>> {
    device.map_host(memory)
}

fn recorder_escapes(stream: &Stream, x: &DeviceBuffer<f32>, y: &DeviceBuffer<f32>) -> Result<()> {
    let work = stream.capture(CaptureMode::Global, |r| {
        r.fill_bytes(x, 0)?;
        r.copy_on_device(y, x)
    });
    work.map(drop)
}

fn scope_escapes(stream: &Stream, x: &DeviceBuffer<f32>) -> Result<()> {
    stream.scope(|s| s.fill_bytes(x, 0))?;
    stream.scope(|s| s.fill_bytes(x, 1))
}

fn source_written_in_scope(
    stream: &Stream,
    there: &DeviceBuffer<f32>,
    here: &mut HostBuffer<f32>,
) -> Result<()> {
    here[0] = 1.0;
    stream.scope(|s| s.copy_to_device(there, here))
}

fn stream_dropped_in_scope(stream: Stream, x: &DeviceBuffer<f32>) -> Result<()> {
    stream.scope(|s| s.fill_bytes(x, 0))?;
    drop(stream);
    Ok(())
}

#[cfg(feature = "async")]
async fn submitted_buffers_used_meanwhile(
    stream: &Stream,
    x: DeviceBuffer<f32>,
    host: HostBuffer<f32>,
) -> Result<f32> {
    let (_x, host) = stream.submit((x, host), |s, (x, host)| s.copy_to_host(host, &*x)).await?;
    Ok(host[0])
}

#[cfg(feature = "async")]
async fn submitted_work_borrows_a_local(stream: &Stream, x: DeviceBuffer<f32>) -> Result<[f32; 8]> {
    let (_x, host) = stream.submit((x, [0.0f32; 8]), |s, (x, host)| s.copy_to_host(host, &*x)).await?;
    Ok(host)
}

/// Every case has its twin here, and every twin its case.
#[test]
fn every_case_has_a_twin() {
    let mut cases = Vec::new();
    for folder in ["tests/trybuild", "tests/trybuild/async"] {
        for case in std::fs::read_dir(folder).unwrap() {
            let name = case.unwrap().file_name().into_string().unwrap();
            cases.extend(name.strip_suffix(".rs").map(str::to_owned));
        }
    }
    let twins = include_str!("twins.rs");
    // Structs that a macro refuses have their twins in the tests of the macro.
    let elsewhere = |case: &str| case.starts_with("tiling_") || case == "unchecked_launch_is_unsafe";
    cases.retain(|case| !elsewhere(case) && !twins.contains(&format!("fn {case}")));
    assert_eq!(cases, [] as [String; 0], "cases without a twin");
}
