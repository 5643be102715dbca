//! The future may be dropped, and nobody waits then: work without a scope can only use what it owns.
use toprope_host::{DeviceBuffer, Result, Stream};

fn main() {}

fn f(stream: &Stream, x: DeviceBuffer<f32>) -> Result<()> {
    let mut host = [0.0f32; 8];
    let _submitted = stream.submit(x, |s, x| s.copy_to_host(&mut host, &*x));
    Ok(())
}
