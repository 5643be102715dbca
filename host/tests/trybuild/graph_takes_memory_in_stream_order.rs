//! Memory in stream order is freed behind the work that was put in, which a graph repeats later.
use toprope_host::{CaptureMode, Result, Stream, StreamBuffer};

fn main() {}

fn f(stream: &Stream, x: &StreamBuffer<f32>) -> Result<()> {
    stream.capture(CaptureMode::Global, |r| r.fill_bytes(x, 0)).map(drop)
}
