//! The device may still be reading: the source of a copy cannot be changed inside the scope.
use toprope_host::{DeviceBuffer, HostBuffer, Result, Stream};

fn main() {}

fn f(stream: &Stream, there: &DeviceBuffer<f32>, here: &mut HostBuffer<f32>) -> Result<()> {
    stream.scope(|s| {
        s.copy_to_device(there, here)?;
        here[0] = 1.0;
        Ok(())
    })
}
