//! What is captured is used when the graph runs, long after the closure of the capture has ended.
use toprope_host::{CaptureMode, Device, Result, Stream};

fn main() {}

fn f(device: &Device, stream: &Stream) -> Result<()> {
    let (graph, ()) = stream.capture(CaptureMode::Global, |r| {
        let x = device.alloc::<f32>(8)?;
        r.fill_bytes(&x, 0)
    })?;
    graph.replay()
}
