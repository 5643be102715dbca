//! Buffers belong to the work until its future gives them back.
use toprope_host::{DeviceBuffer, HostBuffer, Result, Stream};

fn main() {}

fn f(stream: &Stream, x: DeviceBuffer<f32>, host: HostBuffer<f32>) -> Result<f32> {
    let _submitted = stream.submit((x, host), |s, (x, host)| s.copy_to_host(host, &*x));
    Ok(host[0])
}
