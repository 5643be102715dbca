//! The device may still be writing managed memory: the host sees the result when the scope has ended.
use toprope_host::{ManagedBuffer, Result, Stream};

fn main() {}

fn f(stream: &Stream, x: &mut ManagedBuffer<f32>) -> Result<f32> {
    stream.scope(|s| {
        s.fill_bytes(&*x, 0)?;
        Ok(x.as_slice()[0])
    })
}
