//! A graph writes its buffers in every run, so it cannot be taken out of the function that owns them.
use toprope_host::{CaptureMode, Device, Graph, Result, Stream};

fn main() {}

fn f<'a>(device: &'a Device, stream: &'a Stream) -> Result<Graph<'a>> {
    let x = device.alloc::<f32>(8)?;
    let (graph, ()) = stream.capture(CaptureMode::Global, |r| r.fill_bytes(&x, 0))?;
    Ok(graph)
}
