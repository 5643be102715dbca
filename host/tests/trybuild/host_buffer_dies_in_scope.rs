//! The copy may run until the scope ends, so the memory it reads has to live longer than the scope's closure.
use toprope_host::{Device, DeviceBuffer, Result, Stream};

fn main() {}

fn f(device: &Device, stream: &Stream, there: &DeviceBuffer<f32>) -> Result<()> {
    stream.scope(|s| {
        let here = device.host_buffer_from(&[1.0f32; 8])?;
        s.copy_to_device(there, &here)
    })
}
