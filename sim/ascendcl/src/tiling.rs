//! What the inline classes of `tiling/*.h` call: host tiling and facts of the chip, as C functions on plain structures.
//!
//! A refusal answers -1 (null for a platform); its reason is printed to standard error and is in `aclGetRecentErrMsg`. A panic
//! is a bug of ours, told as one, and answers the same.
#![allow(unsafe_code)] // exports C symbols; reads and writes structures of the program.

use std::ffi::{CStr, c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;
use toprope_abi::host_tiling::{PLATFORM_MAGIC, TCubeTiling, TrPlatform, TrTilingRequest};
use toprope_sim::npu::chip::{Chip, CopyCost};
use toprope_sim::runtime::refuse_host_call;
use toprope_tiling::{ChipFacts, CopyRate, TilingError, request};

/// `SocVersion::ASCEND910B` of the public header: all SoCs of NpuArch 2201.
const SOC_VERSION_910B: i32 = 1;
const NPU_ARCH: u32 = 2201;
/// Workspace of the high-level APIs on NpuArch 2201, as the public reference documents it.
const LIB_API_WORKSPACE_BYTES: u32 = 16 << 20;
/// Bytes at the end of L1 and of UB that the high-level APIs use to talk between cores.
const RESERVED_BYTES: u32 = 256;
/// What a program is told of the Fixpipe buffer: its first bank. Source: `fb0_size` of the platform configuration files of the CANN
/// runtime, which is what the public `GetCoreMemSize` reads.
const FIXPIPE_BANK_BYTES: u32 = 2048;
/// What is said of a request whose number is that of no SoC.
const NO_CHIP: &str = "the SoC is not one of NpuArch 2201, which is the one modelled: socVersion of a PlatformInfo must be ASCEND910B, as \
                       PlatformAscendC::GetSocVersion answers for Ascend910B and Ascend910_93";

/// Places in the arrays of a [`TrPlatform`]: `CoreMemType`.
mod memory {
    pub const L0A: usize = 0;
    pub const L0B: usize = 1;
    pub const L0C: usize = 2;
    pub const L1: usize = 3;
    pub const L2: usize = 4;
    pub const UB: usize = 5;
    pub const HBM: usize = 6;
    pub const FB: usize = 7;
    pub const BT: usize = 8;
}

/// The SoCs by the number that a request names them with.
fn chips() -> &'static [&'static Chip] {
    static CHIPS: OnceLock<Vec<&'static Chip>> = OnceLock::new();
    CHIPS.get_or_init(|| Chip::names().into_iter().filter_map(|name| Chip::by_name(name).ok()).collect())
}

fn number_of(chip: &Chip) -> usize {
    chips().iter().position(|c| c.name == chip.name).unwrap_or(0)
}

fn platforms() -> &'static [TrPlatform] {
    static PLATFORMS: OnceLock<Vec<TrPlatform>> = OnceLock::new();
    PLATFORMS.get_or_init(|| chips().iter().map(|chip| platform(chip)).collect())
}

fn platform(chip: &Chip) -> TrPlatform {
    let mut p = TrPlatform {
        magic: PLATFORM_MAGIC,
        soc: number_of(chip) as i32,
        soc_version: SOC_VERSION_910B,
        npu_arch: NPU_ARCH,
        aic_count: chip.aic_count,
        aiv_count: chip.aiv_count,
        lib_api_workspace_bytes: LIB_API_WORKSPACE_BYTES,
        reserved_bytes: RESERVED_BYTES,
        ..TrPlatform::default()
    };
    let sizes = &chip.memory;
    for (place, bytes) in [
        (memory::L0A, sizes.l0a),
        (memory::L0B, sizes.l0b),
        (memory::L0C, sizes.l0c),
        (memory::L1, sizes.l1),
        (memory::UB, sizes.ub),
        (memory::FB, FIXPIPE_BANK_BYTES),
        (memory::BT, sizes.bt),
    ] {
        p.memory_bytes[place] = u64::from(bytes);
    }
    p.memory_bytes[memory::L2] = chip.l2_bytes;
    p.memory_bytes[memory::HBM] = chip.hbm_bytes;
    p.bandwidth[memory::L2] = u64::from(chip.platform.l2_bytes_per_cycle);
    p.bandwidth[memory::HBM] = u64::from(chip.platform.hbm_bytes_per_cycle);
    p
}

fn facts(chip: &Chip) -> ChipFacts {
    let rate = |c: &CopyCost| CopyRate { fixed_cycles: c.fixed as f64, bytes_per_cycle: c.bytes_per_cycle };
    ChipFacts {
        soc: number_of(chip) as i32,
        aic_count: chip.aic_count,
        aiv_count: chip.aiv_count,
        mhz: chip.mhz,
        l1_bytes: chip.memory.l1,
        l0a_bytes: chip.memory.l0a,
        l0b_bytes: chip.memory.l0b,
        l0c_bytes: chip.memory.l0c,
        ub_bytes: chip.memory.ub,
        bt_bytes: chip.memory.bt,
        reserved_bytes: RESERVED_BYTES,
        granule_bytes: chip.shared.granule_bytes as u32,
        hbm_bytes_per_second: chip.shared.hbm_bytes_per_second,
        gm_to_l1: rate(&chip.copy.gm_to_l1),
        l1_to_l0a: rate(&chip.copy.l1_to_l0a),
        l1_to_l0b: rate(&chip.copy.l1_to_l0b),
        l0c_to_gm: rate(&chip.cube.l0c_to_gm),
        mmad_fixed_cycles: chip.cube.mmad.fixed as f64,
        mmad_step_cycles: chip.cube.mmad.per_step as f64,
    }
}

/// The chip that `soc` numbers; an unknown number is that of a structure nobody has initialised.
fn chip(soc: i32) -> Option<&'static Chip> {
    usize::try_from(soc).ok().and_then(|soc| chips().get(soc)).copied()
}

/// 0, or -1 with the reason told.
fn answer(function: &str, body: impl FnOnce() -> Result<(), String>) -> c_int {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => 0,
        Ok(Err(reason)) => {
            refuse_host_call(function, &reason);
            -1
        }
        Err(_) => {
            refuse_host_call(
                function,
                "bug in toprope: the tiling panicked; please report this with the program",
            );
            -1
        }
    }
}

fn told(result: Result<(), TilingError>) -> Result<(), String> {
    result.map_err(|refused| refused.to_string())
}

/// The facts of the SoC with this name, of the current one for null; null, with the reason told, if there is none.
///
/// # Safety
/// - `name` is null or NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tr_platform_find(name: *const c_char) -> *const TrPlatform {
    let found = match name.is_null() {
        true => Chip::from_env(),
        // SAFETY: not null, NUL-terminated (contract).
        false => Chip::by_name(&unsafe { CStr::from_ptr(name) }.to_string_lossy()),
    };
    match found {
        Ok(chip) => &raw const platforms()[number_of(chip)],
        Err(unknown) => {
            refuse_host_call("PlatformAscendCManager::GetInstance", &unknown.to_string());
            std::ptr::null()
        }
    }
}

/// An empty request to a class (0 single core, 1 multi core, 2 batch) for the chip of `platform`, the current one for null.
///
/// # Safety
/// - `out` may be written; `platform` is null or of [`tr_platform_find`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tr_tiling_init(out: *mut TrTilingRequest, platform: *const TrPlatform, kind: c_int) {
    // SAFETY: null, or a structure of this library (contract).
    let given = unsafe { platform.as_ref() }.and_then(|p| chip(p.soc));
    // A program whose TOPROPE_SOC is wrong hears of it from the runtime; tiling goes on with the default.
    let chip = given.or_else(|| Chip::from_env().ok()).unwrap_or(chips()[0]);
    // SAFETY: may be written (contract).
    unsafe { out.write(request::new(&facts(chip), kind)) };
}

/// `SetShape`.
///
/// # Safety
/// - `request` was filled by [`tr_tiling_init`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tr_tiling_shape(request: *mut TrTilingRequest, m: c_int, n: c_int, k: c_int) {
    // SAFETY: a request of the program's own (contract).
    request::set_shape(unsafe { &mut *request }, m, n, k);
}

/// `SetFixSplit`: 0, or -1 and the reason told.
///
/// # Safety
/// - `request` was filled by [`tr_tiling_init`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tr_tiling_fix_split(
    request: *mut TrTilingRequest,
    m: c_int,
    n: c_int,
    k: c_int,
) -> c_int {
    // SAFETY: a request of the program's own (contract).
    let request = unsafe { &mut *request };
    answer("SetFixSplit", || told(request::set_fix_split(request, m, n, k)))
}

/// `SetSplitRange`: 0, or -1 and the reason told. Most of M, N, K, then least.
///
/// # Safety
/// - `request` was filled by [`tr_tiling_init`]; `limits` has six numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tr_tiling_split_range(request: *mut TrTilingRequest, limits: *const c_int) -> c_int {
    // SAFETY: a request of the program's own (contract).
    let request = unsafe { &mut *request };
    // SAFETY: six numbers (contract).
    let [m, n, k, least_m, least_n, least_k] = unsafe { limits.cast::<[c_int; 6]>().read_unaligned() };
    answer("SetSplitRange", || {
        told(request::set_split_range(request, [m, n, k], [least_m, least_n, least_k]))
    })
}

/// `SetBufferSpace`: 0, or -1 and the reason told.
///
/// # Safety
/// - `request` was filled by [`tr_tiling_init`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tr_tiling_buffer_space(
    request: *mut TrTilingRequest,
    l1: c_int,
    l0c: c_int,
    ub: c_int,
    bt: c_int,
) -> c_int {
    // SAFETY: a request of the program's own (contract).
    let request = unsafe { &mut *request };
    answer("SetBufferSpace", || told(request::set_buffer_space(request, l1, l0c, ub, bt)))
}

/// `GetTiling`: fills the 50 numbers of a `TCubeTiling`. 0, or -1 and the reason told; nothing is written then.
///
/// # Safety
/// - `request` was filled by [`tr_tiling_init`]; `fields` has room for 50 numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tr_tiling_compute(request: *const TrTilingRequest, fields: *mut c_int) -> c_int {
    // SAFETY: a request of the program's own (contract).
    let request = unsafe { &*request };
    answer("GetTiling", || {
        let chip = chip(request.soc).ok_or(NO_CHIP)?;
        let (tiling, _) = toprope_tiling::compute(request, &facts(chip)).map_err(|e| e.to_string())?;
        // SAFETY: room for 50 numbers (contract).
        unsafe { fields.cast::<[c_int; 50]>().write_unaligned(tiling.fields()) };
        Ok(())
    })
}

/// `GetCoreNum`: cores in all, along M, along N, along the batches of A and B. 0, or -1 and the reason told.
///
/// # Safety
/// - `request` was filled by [`tr_tiling_init`]; `fields` has 50 numbers, `cores` room for 5.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tr_tiling_core_nums(
    request: *const TrTilingRequest,
    fields: *const c_int,
    cores: *mut c_int,
) -> c_int {
    // SAFETY: a request of the program's own (contract).
    let request = unsafe { &*request };
    // SAFETY: 50 numbers (contract).
    let tiling = TCubeTiling::from_fields(unsafe { fields.cast::<[c_int; 50]>().read_unaligned() });
    answer("GetCoreNum", || {
        let nums = toprope_tiling::core_nums(request, &tiling).map_err(|e| e.to_string())?;
        // SAFETY: room for 5 numbers (contract).
        unsafe { cores.cast::<[c_int; 5]>().write_unaligned(nums) };
        Ok(())
    })
}
