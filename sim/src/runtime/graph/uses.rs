//! What a node needs that may vanish before the graph runs: device memory, pinned host memory, kernel binaries.

use super::super::device::Device;
use super::super::failure::current_function;
use super::super::hostmem::HostBlock;
use super::super::mem_findings;
use super::super::site::CallSite;
use super::super::state::Runtime;
use super::super::work::Work;
use crate::gm::AddressKind;
use smallvec::SmallVec;
use std::ffi::c_void;
use std::sync::Arc;

/// One block of device memory.
#[derive(Clone, Copy, Debug)]
struct Block {
    device: &'static Device,
    id: u64,
    addr: u64,
    bytes: u64,
    by: &'static str,
}

/// What one node needs.
#[derive(Clone, Debug, Default)]
pub struct Uses {
    blocks: SmallVec<[Block; 3]>,
    hosts: SmallVec<[Arc<HostBlock>; 1]>,
    binary: Option<(u64, String)>,
}

impl Uses {
    /// What a piece of work needs. Addresses that are in no live block now are left to the checks of the run.
    pub fn of(runtime: &'static Runtime, work: &Work) -> Uses {
        let mut uses = Uses::default();
        match work {
            Work::Kernel(kernel) => {
                for addr in kernel.function.pointers(&kernel.launch.args).chain(kernel.device_args) {
                    uses.add(runtime, addr);
                }
                uses.binary = Some((kernel.function.binary.handle, kernel.function.name.clone()));
            }
            Work::Move(work) => {
                uses.add(runtime, work.motion.written().0);
                if let Some((addr, _)) = work.motion.read() {
                    uses.add(runtime, addr);
                }
                let known = |block: &&Arc<HostBlock>| {
                    runtime.host.find(block.start()).is_some_and(|live| Arc::ptr_eq(&live, block))
                };
                // Blocks the program does not know (data taken when the copy was asked for) cannot be freed by it.
                uses.hosts = work.keep.iter().filter(known).cloned().collect();
            }
            _ => {}
        }
        uses
    }

    /// Adds the live block of a device address.
    pub fn add(&mut self, runtime: &'static Runtime, addr: u64) {
        for device in &runtime.devices {
            let Some(block) = device.memory().and_then(|memory| memory.find(addr)) else { continue };
            self.blocks.push(Block {
                device,
                id: block.id,
                addr,
                bytes: block.requested_bytes,
                by: block.by,
            });
        }
    }

    /// What of it is gone, as the second half of "it uses …".
    ///
    /// # Errors
    /// The words.
    pub fn check(
        &self,
        runtime: &'static Runtime,
        what: &dyn Fn() -> String,
        site: CallSite,
    ) -> Result<(), String> {
        for block in &self.blocks {
            let memory = block.device.memory();
            if memory.is_some_and(|m| m.find(block.addr).is_some_and(|live| live.id == block.id)) {
                continue;
            }
            if let Some(AddressKind::Freed(stamp)) = memory.map(|m| m.classify(block.addr)) {
                mem_findings::use_after_free(current_function(), &what(), block.addr, &stamp, site);
            }
            let now = memory.map_or_else(|| "gone".into(), |m| m.describe(block.addr));
            return Err(format!(
                "device memory {:#x} of block {} ({} bytes, from {}); the address is now {now}",
                block.addr, block.id, block.bytes, block.by
            ));
        }
        for host in &self.hosts {
            if !runtime.host.find(host.start()).is_some_and(|live| Arc::ptr_eq(&live, host)) {
                return Err(format!(
                    "{} bytes of host memory at {:#x} (from {}), which are no longer known: freed by aclrtFreeHost or unregistered",
                    host.bytes(),
                    host.start(),
                    host.by
                ));
            }
        }
        match &self.binary {
            Some((handle, kernel)) if runtime.binaries.get(*handle as *mut c_void).is_err() => {
                Err(format!("kernel `{kernel}`, whose binary was unloaded by aclrtBinaryUnLoad"))
            }
            _ => Ok(()),
        }
    }
}
