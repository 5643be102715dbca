//! Only plain data may be copied to a device; a `String` holds a pointer to host memory.
use toprope_host::{Device, Result};

fn main() {}

fn f(device: &Device) -> Result<()> {
    device.alloc::<String>(8).map(drop)
}
