//! Host memory cannot be an argument of a kernel: the device does not see it.
use toprope_host::{Function, HostBuffer, Result, launch_args};

fn main() {}

fn f(kernel: &Function, x: &HostBuffer<f32>) -> Result<()> {
    kernel.prepare(1, launch_args![x]).map(drop)
}
