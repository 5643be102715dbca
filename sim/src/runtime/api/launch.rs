//! Launches of kernels, in all forms.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

use super::super::args;
use super::super::binary::Function;
use super::super::diag;
use super::super::failure::{Answer, refuse};
use super::super::launch::{Args, Attributes, MAX_ARGS_BYTES, Request};
use super::super::process;
use super::super::rt::stubs;
use super::super::state::runtime;
use super::super::work::Work;
use super::check_out;
use super::kernel::{function, list};
use smallvec::SmallVec;
use std::ffi::c_void;
use std::sync::Arc;
use std::time::Duration;
use toprope_abi::acl::*;

/// Attributes that exist but change nothing on dav-2201.
const WITHOUT_EFFECT: [LaunchKernelAttrId; 6] = [
    LaunchKernelAttrId::DYN_UBUF_SIZE,
    LaunchKernelAttrId::ENGINE_TYPE,
    LaunchKernelAttrId::BLOCKDIM_OFFSET,
    LaunchKernelAttrId::BLOCK_TASK_PREFETCH,
    LaunchKernelAttrId::DATA_DUMP,
    LaunchKernelAttrId::ENABLE_PROFILING,
];

fn attributes_of(list: &[LaunchKernelAttr]) -> Answer<Attributes> {
    let mut attributes = Attributes::default();
    for attr in list {
        let limit = match attr.id {
            // SAFETY: the id says that this field counts; every field is plain numbers.
            LaunchKernelAttrId::TIMEOUT => Duration::from_secs(u64::from(unsafe { attr.value.timeout_s })),
            LaunchKernelAttrId::TIMEOUT_US => {
                // SAFETY: as above.
                let us = unsafe { attr.value.timeout_us };
                Duration::from_micros(u64::from(us.timeout_high) << 32 | u64::from(us.timeout_low))
            }
            LaunchKernelAttrId::SCHEM_MODE => {
                // SAFETY: as above.
                let mode = unsafe { attr.value.schem_mode };
                if mode > 2 {
                    let text = format!("launch attribute SCHEM_MODE is {mode}; it must be 0, 1 or 2");
                    return refuse(AclError::RT_PARAM_INVALID, text);
                }
                continue;
            }
            id if WITHOUT_EFFECT.contains(&id) => continue,
            id => {
                return refuse(AclError::RT_PARAM_INVALID, format!("launch attribute {} is not known", id.0));
            }
        };
        if attributes.time_limit.is_some() {
            return refuse(
                AclError::RT_PARAM_INVALID,
                "the time limit is given twice; use one of TIMEOUT and TIMEOUT_US",
            );
        }
        attributes.time_limit = Some((!limit.is_zero()).then_some(limit));
    }
    Ok(attributes)
}

/// Attributes of a launch.
///
/// # Safety
/// `cfg` is null or valid, with its list.
pub(super) unsafe fn attributes(cfg: *const LaunchKernelCfg) -> Answer<Attributes> {
    if cfg.is_null() {
        return Ok(Attributes::default());
    }
    // SAFETY: not null, valid (contract).
    let cfg = unsafe { cfg.read_unaligned() };
    // SAFETY: the list is valid (contract).
    let list = unsafe { list("cfg", cfg.attrs, cfg.num_attrs) }?;
    let mut attributes = attributes_of(list)?;
    // SAFETY: every value is 16 bytes of plain numbers.
    attributes.given = Some(list.iter().map(|attr| (attr.id.0, unsafe { attr.value.rsv })).collect());
    Ok(attributes)
}

/// Queues a launch; a refusal is printed too, because nobody may look at the code.
pub(in super::super) fn launch(
    function: Arc<Function>,
    num_blocks: u32,
    stream: StreamHandle,
    attributes: Answer<Attributes>,
    args: Args<'_>,
) -> Answer {
    process::check_not_forked()?;
    let name = function.name.clone();
    let queue = || -> Answer {
        let stream = runtime().stream_here(stream.0)?;
        let request = Request { function, num_blocks, args, attributes: attributes? };
        let work = request.prepare(runtime(), &stream)?;
        stream.enqueue(Work::Kernel(Box::new(work)))
    };
    queue().inspect_err(|failure| {
        // Faults of earlier work were printed when they happened.
        if failure.code.0 < 507_000 {
            diag::refused_launch(&name, failure);
        }
    })
}

/// Bytes of host arguments.
///
/// # Safety
/// `args` is null or readable for `bytes` bytes as long as the result lives.
pub(in super::super) unsafe fn host_bytes<'a>(args: *const c_void, bytes: usize) -> Answer<&'a [u8]> {
    if bytes == 0 {
        return Ok(&[]);
    }
    if bytes > MAX_ARGS_BYTES || args.is_null() {
        let text =
            format!("`hostArgs` is {args:p} with {bytes} bytes; at most {MAX_ARGS_BYTES} are possible");
        return refuse(AclError::RT_PARAM_INVALID, text);
    }
    // SAFETY: not null (checked), readable for `bytes` (contract).
    Ok(unsafe { std::slice::from_raw_parts(args.cast::<u8>(), bytes) })
}

#[allow(clippy::too_many_arguments, reason = "the C signature")]
pub unsafe fn aclrtLaunchKernelWithHostArgs(
    func: FuncHandle,
    num_blocks: u32,
    stream: StreamHandle,
    cfg: *mut LaunchKernelCfg,
    args: *mut c_void,
    args_bytes: usize,
    place_holders: *mut PlaceHolderInfo,
    place_holder_count: usize,
) -> Answer {
    let function = function(func.0)?;
    // SAFETY: readable (contract of the C function).
    let bytes = unsafe { host_bytes(args, args_bytes) };
    let bytes = bytes.inspect_err(|failure| diag::refused_launch(&function.name, failure))?;
    // SAFETY: valid (contract of the C function).
    let holders = unsafe { list("placeHolderArray", place_holders, place_holder_count) }?;
    let holders: SmallVec<[(usize, usize); 4]> =
        holders.iter().map(|h| (h.addr_offset as usize, h.data_offset as usize)).collect();
    // SAFETY: null or valid (contract of the C function).
    let attributes = unsafe { attributes(cfg) };
    launch(function, num_blocks, stream, attributes, Args::Host { bytes, place_holders: &holders })
}

pub unsafe fn aclrtLaunchKernel(
    func: FuncHandle,
    num_blocks: u32,
    args: *const c_void,
    args_bytes: usize,
    stream: StreamHandle,
) -> Answer {
    check_out("argsData", args)?;
    let args = Args::Device { at: args as u64, bytes: args_bytes };
    launch(function(func.0)?, num_blocks, stream, Ok(Attributes::default()), args)
}

pub unsafe fn aclrtLaunchKernelV2(
    func: FuncHandle,
    num_blocks: u32,
    args: *const c_void,
    args_bytes: usize,
    cfg: *mut LaunchKernelCfg,
    stream: StreamHandle,
) -> Answer {
    check_out("argsData", args)?;
    // SAFETY: null or valid (contract of the C function).
    let attributes = unsafe { attributes(cfg) };
    let args = Args::Device { at: args as u64, bytes: args_bytes };
    launch(function(func.0)?, num_blocks, stream, attributes, args)
}

pub unsafe fn aclrtLaunchKernelWithConfig(
    func: FuncHandle,
    num_blocks: u32,
    stream: StreamHandle,
    cfg: *mut LaunchKernelCfg,
    list: ArgsHandle,
    reserve: *mut c_void,
) -> Answer {
    check_out("funcHandle", func.0)?;
    check_out("argsHandle", list.0)?;
    if num_blocks == 0 {
        return refuse(AclError::INVALID_PARAM, "`numBlocks` is 0; it must be at least 1");
    }
    if !reserve.is_null() {
        return refuse(AclError::INVALID_PARAM, "`reserve` is not null; it is reserved");
    }
    let function = function(func.0)?;
    let packed = args::packed(list.0)?;
    // SAFETY: null or valid (contract of the C function).
    let attributes = unsafe { attributes(cfg) };
    let args = Args::Host { bytes: &packed.bytes, place_holders: &packed.place_holders };
    launch(function, num_blocks, stream, attributes, args)
}

pub unsafe fn aclrtLaunchKernelWithArgsArray(
    func: *mut c_void,
    num_blocks: u32,
    stream: StreamHandle,
    cfg: *mut LaunchKernelCfg,
    values: *mut *mut c_void,
) -> Answer {
    check_out("func", func)?;
    let function = stubs::function_of(func)?;
    // SAFETY: as many entries as the kernel has parameters, each of that size (contract of the C function).
    let bytes = unsafe { gather(&function, values) };
    let bytes = bytes.inspect_err(|failure| diag::refused_launch(&function.name, failure))?;
    // SAFETY: null or valid (contract of the C function).
    let attributes = unsafe { attributes(cfg) };
    launch(function, num_blocks, stream, attributes, Args::Host { bytes: &bytes, place_holders: &[] })
}

/// Packs values that lie apart.
///
/// # Safety
/// `values` is null or has one entry per parameter, each null or readable for the parameter's size.
unsafe fn gather(function: &Function, values: *mut *mut c_void) -> Answer<SmallVec<[u8; 256]>> {
    let mut bytes = SmallVec::from_elem(0u8, function.args_bytes);
    for (index, parameter) in function.parameters.iter().enumerate() {
        let value = if values.is_null() {
            std::ptr::null_mut()
        } else {
            // SAFETY: one entry per parameter (contract).
            unsafe { values.wrapping_add(index).read_unaligned() }
        };
        let room = bytes.get_mut(parameter.offset..parameter.offset + parameter.size_bytes);
        let (false, Some(room)) = (value.is_null(), room) else {
            let text = format!(
                "kernel `{}`: `args` has no value for parameter {index} (`{}`)",
                function.name, parameter.name
            );
            return refuse(AclError::RT_PARAM_INVALID, text);
        };
        // SAFETY: not null, readable for the parameter's size (contract), which is the length of `room`.
        unsafe { std::ptr::copy_nonoverlapping(value.cast::<u8>(), room.as_mut_ptr(), room.len()) };
    }
    Ok(bytes)
}

not_supported! {
    aclrtLaunchSIMTKernelWithArgsArray(*mut c_void, Dim3, Dim3, usize, StreamHandle, *mut LaunchKernelCfg, *mut *mut c_void) = "documented as not supported on Atlas A2: its cores have no SIMT unit";
    aclrtLaunchSIMTKernelWithHostArgs(*mut c_void, Dim3, Dim3, usize, StreamHandle, *mut LaunchKernelCfg, *mut c_void, usize, *mut PlaceHolderInfo, usize) = "documented as not supported on Atlas A2: its cores have no SIMT unit";
}
