//! The device may still be writing: the host sees the result when the scope has ended, not before.
use toprope_host::{DeviceBuffer, HostBuffer, Result, Stream};

fn main() {}

fn f(stream: &Stream, there: &DeviceBuffer<f32>, here: &mut HostBuffer<f32>) -> Result<f32> {
    stream.scope(|s| {
        s.copy_to_host(here, there)?;
        Ok(here[0])
    })
}
