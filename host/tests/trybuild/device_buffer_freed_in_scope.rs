//! The copy may run until the scope ends, so its device memory cannot be freed before.
use toprope_host::{DeviceBuffer, HostBuffer, Result, Stream};

fn main() {}

fn f(stream: &Stream, there: DeviceBuffer<f32>, here: &HostBuffer<f32>) -> Result<()> {
    stream.scope(|s| {
        s.copy_to_device(&there, here)?;
        drop(there);
        Ok(())
    })
}
