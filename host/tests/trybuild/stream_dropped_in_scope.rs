//! The scope waits for its stream, so the stream cannot go before it.
use toprope_host::{DeviceBuffer, Result, Stream};

fn main() {}

fn f(stream: Stream, x: &DeviceBuffer<f32>) -> Result<()> {
    stream.scope(|s| {
        s.fill_bytes(x, 0)?;
        drop(stream);
        Ok(())
    })
}
