//! A freed buffer has no address to launch with.
use toprope_host::{DeviceBuffer, Function, Result, launch_args};

fn main() {}

fn f(kernel: &Function, x: DeviceBuffer<f32>) -> Result<()> {
    drop(x);
    let _launch = kernel.prepare(1, launch_args![&x])?;
    Ok(())
}
