//! Checks of a kernel launch before it is queued.
//!
//! | form | arguments |
//! |---|---|
//! | `…WithHostArgs`, `…WithConfig`, `…WithArgsArray`, `rtKernelLaunch` | host memory, copied by the call |
//! | `aclrtLaunchKernel`, `…V2` | device memory, read when the kernel starts: work queued before may write them |
//!
//! Kernels of toprope take no hidden arguments. The address of the synchronisation between cores that the public
//! runtime hands out is a number that kernels store and nothing reads, so it passes for a GM address here.
#![allow(unsafe_code)] // reads arguments that lie in device memory.

use super::binary::Function;
use super::contract::{self, Explanation};
use super::device::Device;
use super::failure::{Answer, Failure, refuse};
use super::ipc;
use super::memory::{self, Given, Place};
use super::state::Runtime;
use super::stream::Stream;
use super::tiling;
use super::timeouts;
use super::work::{GivenAttribute, KernelWork, Scratch};
use crate::npu::Launch;
use smallvec::SmallVec;
use std::sync::Arc;
use std::time::Duration;
use toprope_abi::acl::AclError;
use toprope_abi::isa::CoreKind;

/// Most blocks of a launch.
pub const MAX_BLOCKS: u32 = 65_535;
/// Largest argument block.
pub const MAX_ARGS_BYTES: usize = 64 << 10;

/// Synchronisation address of device 0; the one that host programs for the vendor's simulator use as a constant.
const SYNC_ADDR: u64 = 0xe7ff_e806_4000;
/// From one device's to the next.
const SYNC_ADDR_STEP: u64 = 1 << 24;
/// Size of what the synchronisation address names.
pub const SYNC_BYTES: u32 = 8;

/// `aclrtGetHardwareSyncAddr` of a device: an address that is not memory.
pub fn hardware_sync_addr(device: u32) -> u64 {
    SYNC_ADDR + u64::from(device) * SYNC_ADDR_STEP
}

fn is_sync_addr(addr: u64) -> bool {
    addr.checked_sub(SYNC_ADDR).is_some_and(|from| from % SYNC_ADDR_STEP == 0 && from / SYNC_ADDR_STEP < 64)
}

/// Attributes of a launch that matter here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attributes {
    /// Time limit; `Some(None)`: none at all.
    pub time_limit: Option<Option<Duration>>,
    /// All as they were given.
    pub given: Option<Arc<[GivenAttribute]>>,
}

/// Where the arguments of a launch are.
#[derive(Clone, Copy, Debug)]
pub enum Args<'a> {
    /// In host memory.
    Host {
        /// Arguments, and behind them data of place holders.
        bytes: &'a [u8],
        /// Place holders: where in the arguments an address goes, where in `bytes` its data start.
        place_holders: &'a [(usize, usize)],
    },
    /// In device memory.
    Device {
        /// First address.
        at: u64,
        /// Size.
        bytes: usize,
    },
}

/// A launch as the program asked for it.
#[derive(Debug)]
pub struct Request<'a> {
    /// The kernel.
    pub function: Arc<Function>,
    /// Blocks.
    pub num_blocks: u32,
    /// Arguments.
    pub args: Args<'a>,
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
        tiling::launched(&self.function);
        let device = stream.context.device;
        let mut scratch = SmallVec::new();
        let (args, device_args) = match self.args {
            Args::Host { bytes, place_holders } => {
                let args_end = place_holders.iter().map(|p| p.1).min().unwrap_or(bytes.len());
                let mut args = words(&bytes[..args_end.min(bytes.len())]);
                self.check_args_bytes(args_end).map_err(|f| explained(f, &self.function, device, &args))?;
                scratch = place_data(device, bytes, place_holders, &mut args)?;
                check_pointers(&self.function, runtime, device, &args)
                    .inspect_err(|_| free_scratch(device, &scratch))
                    .map_err(|f| explained(f, &self.function, device, &args))?;
                contract::check(&self.function, device, &args);
                (args, None)
            }
            Args::Device { at, bytes } => {
                self.check_args_bytes(bytes)?;
                self.check_device_args(runtime, device, at, bytes)?;
                (Vec::new(), Some(at))
            }
        };
        let time_limit =
            self.attributes.time_limit.unwrap_or_else(|| timeouts::execute(runtime.environment.time_limit));
        let launch = Launch {
            kernel: self.function.kernel,
            num_blocks: self.num_blocks,
            args,
            launch_id: 0,
            stream_id: stream.id,
            time_limit,
            start_cycle: 0,
            saturates: stream.saturates,
        };
        let scratch = (!scratch.is_empty()).then(|| Arc::new(Scratch { device, blocks: scratch }));
        let attributes = self.attributes.given;
        Ok(KernelWork { launch, function: self.function, scratch, device_args, attributes })
    }

    fn check_device_args(
        &self,
        runtime: &'static Runtime,
        device: &'static Device,
        at: u64,
        bytes: usize,
    ) -> Answer {
        let what = match given_args(at, bytes).locate(runtime)? {
            Place::Managed => return Ok(()),
            Place::Device(index) if index == device.index => return Ok(()),
            Place::Device(_) => {
                format!("memory of another device; the stream belongs to device {}", device.index)
            }
            Place::Pinned(_) | Place::Pageable => "host memory".into(),
        };
        let text = format!("kernel `{}`: `argsData` is {at:#x}, {what}", self.function.name);
        Err(Failure::new(AclError::RT_PARAM_INVALID, text).help(
            "this call wants the arguments in device memory; aclrtLaunchKernelWithHostArgs takes them from the host",
        ))
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
        if given == wanted || given.checked_next_multiple_of(8) == Some(wanted) {
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
}

/// Adds the parameters beside what was given, and what was probably meant.
fn explained(failure: Failure, function: &Function, device: &Device, args: &[u64]) -> Failure {
    let Explanation { table, guess } = contract::explain(function, device, args);
    let mut text = failure.text;
    for line in table {
        text.push_str("\n  ");
        text.push_str(&line);
    }
    let help = if guess.is_empty() { failure.help } else { format!("{guess}; {}", failure.help) };
    Failure { code: failure.code, text, help }
}

/// Copies the data of place holders to the device and writes their addresses into the arguments.
fn place_data(
    device: &'static Device,
    bytes: &[u8],
    place_holders: &[(usize, usize)],
    args: &mut [u64],
) -> Answer<SmallVec<[u64; 2]>> {
    let mut scratch = SmallVec::new();
    for (index, &(addr_offset, data_offset)) in place_holders.iter().enumerate() {
        let placed = place_one(device, bytes, place_holders, args, (index, addr_offset, data_offset));
        scratch.push(placed.inspect_err(|_| free_scratch(device, &scratch))?);
    }
    Ok(scratch)
}

fn place_one(
    device: &'static Device,
    bytes: &[u8],
    place_holders: &[(usize, usize)],
    args: &mut [u64],
    (index, addr_offset, data_offset): (usize, usize, usize),
) -> Answer<u64> {
    let behind = place_holders.iter().map(|p| p.1).filter(|o| *o > data_offset);
    let end = behind.min().unwrap_or(bytes.len());
    let slot = args.get_mut(addr_offset / 8).filter(|_| addr_offset % 8 == 0);
    let data = bytes.get(data_offset..end).filter(|d| !d.is_empty());
    let (Some(slot), Some(data)) = (slot, data) else {
        let text = format!(
            "place holder {index} has addrOffset {addr_offset} and dataOffset {data_offset} in {} bytes of arguments; \
             the address needs an 8-byte slot and the data at least 1 byte",
            bytes.len()
        );
        return refuse(AclError::RT_PARAM_INVALID, text);
    };
    let block = device
        .opened_memory()?
        .alloc(data.len() as u64, true, "a kernel launch")
        .map_err(|e| Failure::new(AclError::RT_MEMORY_ALLOCATION, format!("place holder {index}: {e}")))?;
    memory::write_block(&block, data);
    *slot = block.start;
    Ok(block.start)
}

/// Frees memory that belongs to a launch.
pub fn free_scratch(device: &Device, scratch: &[u64]) {
    for &at in scratch {
        if let Some(memory) = device.memory() {
            // Freed already by a reset of the device: nothing left to do.
            let _ = memory.free(at, "the end of its launch");
        }
    }
}

/// Finds host pointers among the GM addresses. Null is allowed (a kernel may not use the argument), and a device
/// address is checked when it is used, because it need not be.
fn check_pointers(
    function: &Function,
    runtime: &'static Runtime,
    device: &'static Device,
    args: &[u64],
) -> Answer {
    for (index, parameter) in function.parameters.iter().enumerate().filter(|(_, p)| p.is_pointer) {
        let Some(&addr) = args.get(parameter.offset / 8).filter(|a| **a != 0) else { continue };
        if is_sync_addr(addr) {
            continue;
        }
        if device.memory().is_some_and(|memory| memory.reaches(addr)) {
            ipc::memory::check_reach(runtime, device, addr)?;
            continue;
        }
        let others = runtime.devices.iter().filter(|d| d.index != device.index);
        let owner =
            others.filter(|d| d.memory().is_some_and(|m| m.range().contains(&addr))).map(|d| d.index).next();
        let what = match (owner, runtime.host.find(addr)) {
            (Some(owner), _) => {
                format!("an address of device {owner}, but the stream belongs to device {}", device.index)
            }
            (None, Some(_)) => "a host pointer (memory of aclrtMallocHost)".into(),
            (None, None) => "a host pointer: it lies in no memory of the device".into(),
        };
        let text = format!(
            "kernel `{}`: argument {index} (`{}`) is {addr:#x}, {what}",
            function.name, parameter.name
        );
        return Err(Failure::new(AclError::RT_PARAM_INVALID, text)
            .help("allocate the buffer with aclrtMalloc, fill it with aclrtMemcpy and pass its address"));
    }
    Ok(())
}

fn given_args(at: u64, bytes: usize) -> Given<'static> {
    Given::new("aclrtLaunchKernel", "argsData", at, bytes.max(1) as u64)
}

impl KernelWork {
    /// Reads arguments that lie in device memory; called when the kernel starts.
    ///
    /// # Errors
    /// The code of a kernel that failed, if the memory was freed meanwhile or holds host pointers.
    pub fn load_args(&mut self, runtime: &'static Runtime, device: &'static Device) -> Answer {
        let Some(at) = self.device_args else { return Ok(()) };
        let bytes = self.function.args_bytes;
        let mut args = vec![0u64; bytes.div_ceil(8)];
        let mut load = || -> Answer {
            given_args(at, bytes).locate(runtime)?;
            // SAFETY: the range lies in a live block (checked), and a device's range stays mapped for ever; `args` has
            // at least `bytes` bytes. Reading bytes that another stream writes is the program's error, not undefined
            // behaviour of ours: the copy is a plain `memcpy` of device memory, as all copies are.
            unsafe { std::ptr::copy_nonoverlapping(at as *const u8, args.as_mut_ptr().cast::<u8>(), bytes) };
            check_pointers(&self.function, runtime, device, &args)
        };
        load().map_err(|failure| Failure { code: exception_code(&self.function), ..failure })?;
        self.launch.args = args;
        Ok(())
    }
}

/// Code of a kernel that failed.
fn exception_code(function: &Function) -> AclError {
    match function.main_core {
        CoreKind::Aic => AclError::RT_AICORE_EXCEPTION,
        CoreKind::Aiv => AclError::RT_VECTOR_CORE_EXCEPTION,
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
