//! A buffer cannot be freed while a graph that uses it can still run.
use toprope_host::{CaptureMode, DeviceBuffer, Result, Stream};

fn main() {}

fn f(stream: &Stream, x: DeviceBuffer<f32>) -> Result<()> {
    let (graph, ()) = stream.capture(CaptureMode::Global, |r| r.fill_bytes(&x, 0))?;
    drop(x);
    graph.replay()
}
