//! The device sees the memory as long as the registration lives, so the memory has to live longer.
use toprope_host::{Device, MappedHost, Result};

fn main() {}

fn f(device: &Device) -> Result<MappedHost<'_, u8>> {
    let mut memory = vec![0u8; 8192];
    device.map_host(&mut memory[..])
}
