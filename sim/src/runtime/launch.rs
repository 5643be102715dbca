//! Checks of a kernel launch before it is queued.

use super::binary::Function;
use super::device::Device;
use super::failure::{Answer, Failure, refuse};
use super::state::Runtime;
use super::stream::{KernelWork, Stream};
use crate::npu::Launch;
use smallvec::SmallVec;
use std::sync::Arc;
use std::time::Duration;
use toprope_abi::acl::AclError;

/// Most blocks of a launch.
pub const MAX_BLOCKS: u32 = 65_535;
/// Largest argument block.
pub const MAX_ARGS_BYTES: usize = 64 << 10;

/// Attributes of a launch that matter here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Attributes {
    /// Time limit; `Some(None)`: none at all.
    pub time_limit: Option<Option<Duration>>,
}

/// A launch as the program asked for it.
#[derive(Debug)]
pub struct Request<'a> {
    /// The kernel.
    pub function: Arc<Function>,
    /// Blocks.
    pub num_blocks: u32,
    /// Arguments, and behind them data of place holders.
    pub args: &'a [u8],
    /// Place holders: where in the arguments an address goes, where in `args` its data start.
    pub place_holders: &'a [(usize, usize)],
    /// Attributes.
    pub attributes: Attributes,
}

impl Request<'_> {
    /// Checks the launch and makes it ready to queue.
    ///
    /// # Errors
    /// 107000 with the argument that is wrong.
    pub fn prepare(self, runtime: &'static Runtime, stream: &Stream) -> Answer<KernelWork> {
        self.check_blocks()?;
        let args_end = self.place_holders.iter().map(|p| p.1).min().unwrap_or(self.args.len());
        self.check_args_bytes(args_end)?;
        let mut args = words(&self.args[..args_end]);
        let device = stream.context.device;
        let scratch = self.place_data(device, &mut args)?;
        self.check_pointers(runtime, device, &args)?;
        let time_limit = self.attributes.time_limit.unwrap_or(runtime.environment.time_limit);
        let launch = Launch {
            kernel: self.function.kernel,
            num_blocks: self.num_blocks,
            args,
            launch_id: 0,
            stream_id: stream.id,
            time_limit,
            start_cycle: 0,
        };
        Ok(KernelWork { launch, function: self.function, scratch })
    }

    fn check_blocks(&self) -> Answer {
        if (1..=MAX_BLOCKS).contains(&self.num_blocks) {
            return Ok(());
        }
        let asked = if self.num_blocks == u32::MAX {
            "negative or too large".into()
        } else {
            self.num_blocks.to_string()
        };
        let text = format!(
            "kernel `{}`: the number of blocks is {asked}; it must be 1 to {MAX_BLOCKS}",
            self.function.name
        );
        Err(Failure::new(AclError::RT_PARAM_INVALID, text)
            .help("the number of blocks is the first value between <<< and >>>; launch nothing at all if there is no work"))
    }

    fn check_args_bytes(&self, given: usize) -> Answer {
        let wanted = self.function.args_bytes;
        if given == wanted || given.next_multiple_of(8) == wanted {
            return Ok(());
        }
        let parameters = match self.function.parameters.len() {
            0 => "no parameters".into(),
            count => format!("{count} parameters: {}", self.function.parameter_list()),
        };
        let text = format!(
            "kernel `{}` takes {wanted} bytes of arguments ({parameters}), but {given} bytes were given",
            self.function.name
        );
        Err(Failure::new(AclError::RT_PARAM_INVALID, text)
            .help("pass every parameter, each starting at a multiple of 8 bytes"))
    }

    /// Copies the data of place holders to the device and writes their addresses into the arguments.
    fn place_data(&self, device: &'static Device, args: &mut [u64]) -> Answer<SmallVec<[u64; 2]>> {
        let mut scratch = SmallVec::new();
        for (index, &(addr_offset, data_offset)) in self.place_holders.iter().enumerate() {
            let end = self
                .place_holders
                .iter()
                .map(|p| p.1)
                .filter(|o| *o > data_offset)
                .min()
                .unwrap_or(self.args.len());
            let slot = args.get_mut(addr_offset / 8).filter(|_| addr_offset % 8 == 0);
            let data = self.args.get(data_offset..end).filter(|d| !d.is_empty());
            let (Some(slot), Some(data)) = (slot, data) else {
                let text = format!(
                    "place holder {index} has addrOffset {addr_offset} and dataOffset {data_offset} in {} bytes of arguments; \
                     the address needs an 8-byte slot and the data at least 1 byte",
                    self.args.len()
                );
                return refuse(AclError::RT_PARAM_INVALID, text);
            };
            let memory = device.opened_memory()?;
            let block =
                memory.alloc(data.len() as u64, true, "aclrtLaunchKernelWithHostArgs").map_err(|e| {
                    Failure::new(AclError::RT_MEMORY_ALLOCATION, format!("place holder {index}: {e}"))
                })?;
            super::memory::write_block(&block, data);
            *slot = block.start;
            scratch.push(block.start);
        }
        Ok(scratch)
    }

    /// Finds host pointers among the GM addresses. Null is allowed (a kernel may not use the argument), and a device
    /// address is checked when it is used, because it need not be.
    fn check_pointers(&self, runtime: &'static Runtime, device: &'static Device, args: &[u64]) -> Answer {
        for (index, parameter) in self.function.parameters.iter().enumerate().filter(|(_, p)| p.is_pointer) {
            let Some(&addr) = args.get(parameter.offset / 8).filter(|a| **a != 0) else { continue };
            if device.memory().is_some_and(|memory| memory.range().contains(&addr)) {
                continue;
            }
            let others = runtime.devices.iter().filter(|d| d.index != device.index);
            let owner = others
                .filter(|d| d.memory().is_some_and(|m| m.range().contains(&addr)))
                .map(|d| d.index)
                .next();
            let what = match (owner, runtime.host.find(addr)) {
                (Some(owner), _) => {
                    format!("an address of device {owner}, but the stream belongs to device {}", device.index)
                }
                (None, Some(_)) => "a host pointer (memory of aclrtMallocHost)".into(),
                (None, None) => "a host pointer: it lies in no memory of the device".into(),
            };
            let text = format!(
                "kernel `{}`: argument {index} (`{}`) is {addr:#x}, {what}",
                self.function.name, parameter.name
            );
            return Err(Failure::new(AclError::RT_PARAM_INVALID, text).help(
                "allocate the buffer with aclrtMalloc, fill it with aclrtMemcpy and pass its address",
            ));
        }
        Ok(())
    }
}

/// The arguments as 8-byte words; the last one is padded with zeros.
fn words(bytes: &[u8]) -> Vec<u64> {
    let word = |chunk: &[u8]| {
        let mut whole = [0u8; 8];
        whole[..chunk.len()].copy_from_slice(chunk);
        u64::from_ne_bytes(whole)
    };
    bytes.chunks(8).map(word).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn arguments_become_words() {
        assert_eq!(super::words(&[1, 0, 0, 0, 0, 0, 0, 0, 2]), [1, 2]);
        assert!(super::words(&[]).is_empty());
    }
}
