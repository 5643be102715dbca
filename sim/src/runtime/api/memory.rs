//! Device memory and host memory.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

use super::super::failure::{Answer, Failure, invalid, refuse};
use super::super::hostmem::Registering;
use super::super::mem_findings::Freeing;
use super::super::memory::{self, Given, allocate, pages_of, warn_if_used};
use super::super::no_memory;
use super::super::order;
use super::super::process;
use super::super::site::CallSite;
use super::super::state::{Runtime, runtime};
use super::super::vmm;
use super::{array, check_out, give, give_text};
use crate::gm::{APP_MODULE, BlockRequest};
use std::ffi::c_void;
use toprope_abi::acl::{
    AclError, HOST_REG_IOMEMORY, HOST_REG_MAPPED, HOST_REG_PINNED, HOST_REG_READONLY, HacType,
    HostMemMapCapability, HostRegisterType, MEM_TYPE_DEV, MEM_TYPE_DVPP, MEM_TYPE_RSVD, MallocAttrType,
    MallocConfig, MemAttr, MemMallocPolicy, MemUsageInfo,
};
use toprope_abi::layout::CChar;

fn check_size(size: u64) -> Answer {
    if size == 0 { invalid("`size` is 0; at least 1 byte must be asked for") } else { Ok(()) }
}

/// What an allocation's configuration asks for.
struct Configured {
    module: u16,
    has_consistent_address: bool,
}

/// Reads an allocation's configuration.
///
/// # Errors
/// 100000 attributes are null; 107000 unknown attribute, or another device than the current one.
///
/// # Safety
/// `cfg` is null or valid, as are its attributes.
unsafe fn configuration(runtime: &'static Runtime, cfg: *const MallocConfig) -> Answer<Configured> {
    let mut configured = Configured { module: APP_MODULE, has_consistent_address: false };
    // SAFETY: null or valid (contract).
    let Some(cfg) = (unsafe { cfg.as_ref() }).filter(|cfg| cfg.num_attrs > 0) else { return Ok(configured) };
    // SAFETY: null, or as many as stated (contract).
    let attributes = unsafe { array("cfg->attrs", cfg.attrs, cfg.num_attrs) }?;
    for attribute in attributes {
        match attribute.attr {
            // SAFETY: every field of the union is a plain integer.
            MallocAttrType::MODULE_ID => configured.module = unsafe { attribute.value.module_id },
            MallocAttrType::DEVICE_ID => {
                // SAFETY: as above.
                let asked = unsafe { attribute.value.device_id };
                let current = runtime.current()?.device.index;
                if asked != current {
                    let text =
                        format!("ACL_RT_MEM_ATTR_DEVICE_ID is {asked}, the current device is {current}");
                    return Err(Failure::new(AclError::RT_PARAM_INVALID, text)
                        .help("leave the attribute out; memory is made on the current device"));
                }
            }
            MallocAttrType::VA_FLAG => {
                // SAFETY: as above.
                let flag = unsafe { attribute.value.va_flag };
                if flag > 1 {
                    return refuse(
                        AclError::RT_PARAM_INVALID,
                        format!("ACL_RT_MEM_ATTR_VA_FLAG is {flag}, it must be 0 or 1"),
                    );
                }
                configured.has_consistent_address = flag == 1;
            }
            MallocAttrType::RSV => {}
            other => {
                return refuse(
                    AclError::RT_PARAM_INVALID,
                    format!("attribute {} is no aclrtMallocAttrType", other.0),
                );
            }
        }
    }
    Ok(configured)
}

/// How a form of `aclrtMalloc` differs from the others.
struct Form {
    function: &'static str,
    is_padded: bool,
    /// Takes the bandwidth and read-only bits together with a policy.
    with_bits: bool,
}

unsafe fn malloc(
    form: &Form,
    dev_ptr: *mut *mut c_void,
    size: usize,
    policy: MemMallocPolicy,
    cfg: *const MallocConfig,
) -> Answer {
    check_out("devPtr", dev_ptr)?;
    check_size(size as u64)?;
    let runtime = runtime();
    // SAFETY: null or valid (contract of the C function).
    let configured = unsafe { configuration(runtime, cfg) }?;
    if configured.has_consistent_address {
        let text = "ACL_RT_MEM_ATTR_VA_FLAG is for host memory";
        return Err(Failure::new(AclError::RT_PARAM_INVALID, text).help("use it with aclrtMallocHostWithCfg"));
    }
    let (pages, is_read_only) = pages_of(policy, size as u64, form.with_bits);
    let request = BlockRequest {
        is_padded: form.is_padded,
        pages,
        is_read_only,
        module: configured.module,
        ..BlockRequest::new(size as u64, form.function, CallSite::here().0)
    };
    let block =
        allocate(runtime, &request).inspect_err(|e| no_memory::note(form.function, size as u64, e))?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("devPtr", dev_ptr, block.start as *mut c_void) }
}

pub unsafe fn aclrtMalloc(dev_ptr: *mut *mut c_void, size: usize, policy: MemMallocPolicy) -> Answer {
    let form = Form { function: "aclrtMalloc", is_padded: true, with_bits: false };
    // SAFETY: the same contract.
    unsafe { malloc(&form, dev_ptr, size, policy, std::ptr::null()) }
}

pub unsafe fn aclrtMallocAlign32(dev_ptr: *mut *mut c_void, size: usize, policy: MemMallocPolicy) -> Answer {
    let form = Form { function: "aclrtMallocAlign32", is_padded: false, with_bits: false };
    // SAFETY: the same contract.
    unsafe { malloc(&form, dev_ptr, size, policy, std::ptr::null()) }
}

pub unsafe fn aclrtMallocCached(dev_ptr: *mut *mut c_void, size: usize, policy: MemMallocPolicy) -> Answer {
    let form = Form { function: "aclrtMallocCached", is_padded: true, with_bits: false };
    // SAFETY: the same contract.
    unsafe { malloc(&form, dev_ptr, size, policy, std::ptr::null()) }
}

pub unsafe fn aclrtMallocWithCfg(
    dev_ptr: *mut *mut c_void,
    size: usize,
    policy: MemMallocPolicy,
    cfg: *mut MallocConfig,
) -> Answer {
    let form = Form { function: "aclrtMallocWithCfg", is_padded: true, with_bits: true };
    // SAFETY: the same contract.
    unsafe { malloc(&form, dev_ptr, size, policy, cfg) }
}

pub unsafe fn aclrtMallocForTaskScheduler(
    dev_ptr: *mut *mut c_void,
    size: usize,
    policy: MemMallocPolicy,
    cfg: *mut MallocConfig,
) -> Answer {
    let form = Form { function: "aclrtMallocForTaskScheduler", is_padded: true, with_bits: true };
    // SAFETY: the same contract.
    unsafe { malloc(&form, dev_ptr, size, policy, cfg) }
}

pub unsafe fn aclrtFree(dev_ptr: *mut c_void) -> Answer {
    check_out("devPtr", dev_ptr)?;
    let runtime = runtime();
    runtime.current()?;
    memory::free(runtime, dev_ptr as u64, "aclrtFree")
}

/// Waits for all work of the current device; faults stay for the next synchronisation.
fn wait_for_device(runtime: &'static Runtime) -> Answer {
    super::super::callback::check_outside("a device is synchronised")?;
    let device = runtime.current()?.device.index;
    for stream in runtime.streams.select(|stream| stream.context.device.index == device) {
        stream.wait_idle(None);
    }
    Ok(())
}

pub unsafe fn aclrtFreeWithDevSync(dev_ptr: *mut c_void) -> Answer {
    check_out("devPtr", dev_ptr)?;
    let runtime = runtime();
    wait_for_device(runtime)?;
    memory::free(runtime, dev_ptr as u64, "aclrtFreeWithDevSync")
}

/// Cache maintenance: the documents say that it is not needed, so it only checks its arguments.
fn maintain(function: &'static str, dev_ptr: *mut c_void, size: usize) -> Answer {
    check_out("devPtr", dev_ptr)?;
    check_size(size as u64)?;
    let runtime = runtime();
    let device = runtime.current()?.device;
    let given = Given {
        function,
        name: "devPtr",
        start: dev_ptr as u64,
        bytes: size as u64,
        is_written: false,
        site: CallSite::here(),
    };
    given.locate_on(runtime, device)
}

pub unsafe fn aclrtMemFlush(dev_ptr: *mut c_void, size: usize) -> Answer {
    maintain("aclrtMemFlush", dev_ptr, size)
}

pub unsafe fn aclrtMemInvalidate(dev_ptr: *mut c_void, size: usize) -> Answer {
    maintain("aclrtMemInvalidate", dev_ptr, size)
}

/// Kinds of memory that Atlas A2 does not have: 0 bytes.
const ABSENT: [MemAttr; 5] =
    [MemAttr::DDR, MemAttr::DDR_HUGE, MemAttr::DDR_NORMAL, MemAttr::DDR_P2P_HUGE, MemAttr::DDR_P2P_NORMAL];

pub unsafe fn aclrtGetMemInfo(attr: MemAttr, free: *mut usize, total: *mut usize) -> Answer {
    check_out("free", free)?;
    check_out("total", total)?;
    process::check_not_forked()?;
    if attr.name().is_none() {
        return refuse(AclError::RT_PARAM_INVALID, format!("`attr` is {}, which is no aclrtMemAttr", attr.0));
    }
    let context = runtime().current()?;
    let (free_bytes, total_bytes) = match ABSENT.contains(&attr) {
        true => (0, 0),
        false => context.device.opened_memory()?.free_and_total_bytes(),
    };
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("free", free, free_bytes as usize) }?;
    // SAFETY: as above.
    unsafe { give("total", total, total_bytes as usize) }
}

/// Names of modules that memory is counted for (public list of log modules).
const MODULES: &[(u16, &str)] = &[
    (0, "SLOG"),
    (3, "HCCL"),
    (4, "FMK"),
    (5, "CCU"),
    (6, "DVPP"),
    (7, "RUNTIME"),
    (8, "CCE"),
    (9, "HDC"),
    (10, "DRV"),
    (22, "DEVMM"),
    (23, "KERNEL"),
    (25, "CCECPU"),
    (27, "ROS"),
    (28, "HCCP"),
    (29, "ROCE"),
    (30, "TEFUSION"),
    (31, "PROFILING"),
    (32, "DP"),
    (33, "APP"),
    (34, "TS"),
    (36, "AICPU"),
    (38, "TDT"),
    (39, "FE"),
];

pub unsafe fn aclrtGetMemUsageInfo(
    device_id: i32,
    infos: *mut MemUsageInfo,
    input_num: usize,
    output_num: *mut usize,
) -> Answer {
    check_out("memUsageInfo", infos)?;
    check_out("outputNum", output_num)?;
    if input_num == 0 {
        return invalid("`inputNum` is 0; ask for at least one component");
    }
    let usage = runtime().device(device_id.into())?.memory().map_or_else(Vec::new, |memory| memory.usage());
    let count = usage.len().min(input_num);
    for (index, usage) in usage.into_iter().take(count).enumerate() {
        let known = MODULES.iter().find(|row| row.0 == usage.module);
        let name = known.map_or_else(|| format!("MODULE_{}", usage.module), |row| row.1.to_string());
        let mut info = MemUsageInfo {
            name: [CChar(0); 32],
            cur_mem_size: usage.bytes,
            mem_peak_size: usage.peak_bytes,
            reserved: [0; 8],
        };
        // SAFETY: an array of 32 characters.
        unsafe { give_text(info.name.as_mut_ptr(), info.name.len(), &name) };
        // SAFETY: `index` < `inputNum`, and the caller promises room for that many.
        unsafe { give("memUsageInfo", infos.wrapping_add(index), info) }?;
    }
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("outputNum", output_num, count) }
}

pub unsafe fn aclrtCheckMemType(
    addresses: *mut *mut c_void,
    size: u32,
    mem_type: u32,
    result: *mut u32,
    reserve: u32,
) -> Answer {
    check_out("addrList", addresses)?;
    check_out("checkResult", result)?;
    if size == 0 {
        return invalid("`size` is 0; there is no address to check");
    }
    if reserve != 0 {
        return invalid(format!("`reserve` is {reserve}; it must be 0"));
    }
    let known = MEM_TYPE_DEV | MEM_TYPE_DVPP | MEM_TYPE_RSVD;
    if mem_type == 0 || mem_type & !known != 0 {
        return refuse(
            AclError::RT_PARAM_INVALID,
            format!(
                "`memType` is {mem_type:#x}, which is not made of the ACL_RT_MEM_TYPE_* bits ({known:#x})"
            ),
        );
    }
    let runtime = runtime();
    runtime.current()?;
    // SAFETY: `size` addresses (contract of the C function).
    let addresses = unsafe { array("addrList", addresses, size as usize) }?;
    let fits = addresses.iter().all(|addr| {
        let addr = *addr as u64;
        let is_block = runtime.devices.iter().any(|d| d.memory().is_some_and(|m| m.find(addr).is_some()));
        (mem_type & MEM_TYPE_DEV != 0 && is_block && !vmm::owns(addr))
            || (mem_type & MEM_TYPE_RSVD != 0 && vmm::owns(addr))
    });
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("checkResult", result, fits.into()) }
}

// ---- host memory ---------------------------------------------------------------------------------------------------

unsafe fn malloc_host(function: &'static str, host_ptr: *mut *mut c_void, size: u64) -> Answer {
    let runtime = runtime();
    runtime.current()?;
    let at = runtime.host.alloc(size, function, CallSite::here())?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("hostPtr", host_ptr, at as *mut c_void) }
}

pub unsafe fn aclrtMallocHost(host_ptr: *mut *mut c_void, size: usize) -> Answer {
    check_out("hostPtr", host_ptr)?;
    check_size(size as u64)?;
    // SAFETY: the same contract.
    unsafe { malloc_host("aclrtMallocHost", host_ptr, size as u64) }
}

pub unsafe fn aclrtMallocHostWithCfg(ptr: *mut *mut c_void, size: u64, cfg: *mut MallocConfig) -> Answer {
    check_out("ptr", ptr)?;
    check_size(size)?;
    // SAFETY: null or valid (contract of the C function). Addresses are consistent with or without the attribute.
    unsafe { configuration(runtime(), cfg) }?;
    // SAFETY: the same contract.
    unsafe { malloc_host("aclrtMallocHostWithCfg", ptr, size) }
}

fn free_host(function: &'static str, host_ptr: *mut c_void) -> Answer {
    let (runtime, addr, site) = (runtime(), host_ptr as u64, CallSite::here());
    if runtime.devices.iter().any(|d| d.memory().is_some_and(|m| m.range().contains(&addr))) {
        let text = format!("{addr:#x} is device memory");
        return Err(
            Failure::new(AclError::RT_MEMORY_FREE, text).help("free memory of aclrtMalloc with aclrtFree")
        );
    }
    if let Some(block) = runtime.host.find(addr).filter(|b| b.start() == addr && !b.is_registered()) {
        let (bytes, by, made_at) = (block.bytes(), block.by, block.site);
        order::watch::used_again(addr, bytes);
        warn_if_used(runtime, &Freeing { function, start: addr, bytes, by, made_at, site });
        order::forget(addr, bytes);
    }
    runtime.host.free(addr, function, site)
}

pub unsafe fn aclrtFreeHost(host_ptr: *mut c_void) -> Answer {
    check_out("hostPtr", host_ptr)?;
    free_host("aclrtFreeHost", host_ptr)
}

pub unsafe fn aclrtFreeHostWithDevSync(host_ptr: *mut c_void) -> Answer {
    check_out("hostPtr", host_ptr)?;
    wait_for_device(runtime())?;
    free_host("aclrtFreeHostWithDevSync", host_ptr)
}

/// Registers host memory; `flags` are `ACL_HOST_REG_*` bits.
fn register(function: &'static str, ptr: *mut c_void, size: u64, flags: u64) -> Answer {
    if flags & (HOST_REG_IOMEMORY | HOST_REG_READONLY) != 0 {
        let text = "registering I/O memory or memory that the device only reads is reserved and not offered";
        return Err(Failure::new(AclError::RT_FEATURE_NOT_SUPPORT, text)
            .help("register with ACL_HOST_REG_MAPPED, ACL_HOST_REG_PINNED or both"));
    }
    let (runtime, start, site) = (runtime(), ptr as u64, CallSite::here());
    let device = runtime.current()?.device;
    if !memory::are_mapped(start, size) {
        return refuse(
            AclError::RT_PARAM_INVALID,
            format!("`ptr` is {start:#x}: {size} bytes from there on are no memory of this process"),
        );
    }
    let is_mapped = flags & HOST_REG_MAPPED != 0;
    runtime.host.register(Registering {
        start,
        bytes: size,
        mapped_on: is_mapped.then_some(device.index),
        pins: flags & HOST_REG_PINNED != 0,
        by: function,
        site,
    })?;
    if is_mapped {
        let view = crate::gm::Allocation::view(start, size, function, site.0);
        device.opened_memory()?.attach(view, false);
    }
    Ok(())
}

pub unsafe fn aclrtHostRegister(
    ptr: *mut c_void,
    size: u64,
    ty: HostRegisterType,
    dev_ptr: *mut *mut c_void,
) -> Answer {
    check_out("ptr", ptr)?;
    check_out("devPtr", dev_ptr)?;
    check_size(size)?;
    if ty.name().is_none() {
        return refuse(
            AclError::RT_FEATURE_NOT_SUPPORT,
            format!("`type` is {}, which is no aclrtHostRegisterType", ty.0),
        );
    }
    let flags = if ty == HostRegisterType::MAPPED { HOST_REG_MAPPED } else { HOST_REG_IOMEMORY };
    register("aclrtHostRegister", ptr, size, flags)?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("devPtr", dev_ptr, ptr) }
}

pub unsafe fn aclrtHostRegisterV2(ptr: *mut c_void, size: u64, flag: u32) -> Answer {
    check_out("ptr", ptr)?;
    check_size(size)?;
    let known = HOST_REG_MAPPED | HOST_REG_IOMEMORY | HOST_REG_READONLY | HOST_REG_PINNED;
    let flags = u64::from(flag);
    if flags & known == 0 || flags & !known != 0 {
        return refuse(
            AclError::RT_PARAM_INVALID,
            format!("`flag` is {flag:#x}, which is not made of the ACL_HOST_REG_* bits ({known:#x})"),
        );
    }
    register("aclrtHostRegisterV2", ptr, size, flags)
}

pub unsafe fn aclrtHostGetDevicePointer(host: *mut c_void, device: *mut *mut c_void, flag: u32) -> Answer {
    check_out("pHost", host)?;
    check_out("pDevice", device)?;
    if flag != 0 {
        return invalid(format!("`flag` is {flag}; it is reserved and must be 0"));
    }
    let block = runtime().host.registration(host as u64);
    let problem = match block {
        Some(block) if block.mapped_on.is_some() => {
            // SAFETY: valid for writing (contract of the C function).
            return unsafe { give("pDevice", device, host) };
        }
        Some(_) => "was registered without ACL_HOST_REG_MAPPED",
        None => "is not registered",
    };
    Err(Failure::new(AclError::RT_PARAM_INVALID, format!("`pHost` is {host:p}, which {problem}"))
        .help("register it with aclrtHostRegisterV2 and ACL_HOST_REG_MAPPED"))
}

pub unsafe fn aclrtHostUnregister(ptr: *mut c_void) -> Answer {
    check_out("ptr", ptr)?;
    let (runtime, start, site) = (runtime(), ptr as u64, CallSite::here());
    runtime.current()?;
    if let Some(block) = runtime.host.registration(start).filter(|b| b.start() == start) {
        let function = "aclrtHostUnregister";
        let (bytes, by, made_at) = (block.bytes(), block.by, block.site);
        if warn_if_used(runtime, &Freeing { function, start, bytes, by, made_at, site }) {
            // The program may unmap the memory as soon as this returns.
            let users = runtime.streams.select(|s| s.uses(start, bytes).is_some());
            for stream in users {
                stream.wait_idle(None);
            }
        }
    }
    let block = runtime.host.unregister(start)?;
    if let Some(memory) = block.mapped_on.and_then(|index| runtime.devices.get(index as usize)?.memory()) {
        memory.detach(start, "aclrtHostUnregister", site.0);
    }
    Ok(())
}

/// Units of this device that reach registered host memory: the cores, the task scheduler and the copy engines. There are
/// no AI CPUs, network or image units here, and the unified bus is another product's.
const REACHING: [HacType; 5] = [HacType::STARS, HacType::AIC, HacType::AIV, HacType::PCIEDMA, HacType::SDMA];

pub unsafe fn aclrtHostMemMapCapabilities(
    device_id: u32,
    unit: HacType,
    capabilities: *mut HostMemMapCapability,
) -> Answer {
    check_out("capabilities", capabilities)?;
    runtime().device(device_id.into())?;
    if unit.name().is_none() {
        return refuse(
            AclError::RT_PARAM_INVALID,
            format!("`hacType` is {}, which is no aclrtHacType", unit.0),
        );
    }
    let answer = match REACHING.contains(&unit) {
        true => HostMemMapCapability::SUPPORTED,
        false => HostMemMapCapability::NOT_SUPPORTED,
    };
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("capabilities", capabilities, answer) }
}

not_supported! {}
