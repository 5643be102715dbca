//! Limits that a program sets for itself: cores per device or stream, and sizes of device resources.
//!
//! **Cores** (`aclrt*ResLimit`). Operator libraries ask how many cores they may use and cut their work accordingly; the
//! limit of the stream that a thread chose counts first, then that of the device, then the chip's own number. Launches
//! are not cut: `numBlocks` means what it says, as on the device.
//!
//! **Sizes** (`aclrtDeviceSetLimit`, `aclInit` file). Kept and reported as documented. Not modelled: kernels here have a
//! larger stack than the default and print without a limit, so a program that sets them too small is not found.

use super::device::Device;
use super::failure::{Answer, Failure, refuse};
use super::state::Runtime;
use super::stream::Stream;
use parking_lot::Mutex;
use std::cell::Cell;
use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::atomic::{AtomicU64, Ordering};
use toprope_abi::acl::{AclError, DevResLimitType, DeviceLimit};

/// Kinds of cores.
const KINDS: usize = 2;
/// Default stack of a core, and the least one.
const STACK_BYTES: u64 = 32 << 10;
const STACK_STEP_BYTES: u64 = 16 << 10;
const MAX_STACK_BYTES: u64 = 192 << 10;
const PRINT_BYTES: u64 = 32 << 10;
const PRINT_RANGE: std::ops::RangeInclusive<u64> = 1 << 10..=64 << 20;

/// Limits of cores by kind; `None`: not set.
type Cores = [Option<u32>; KINDS];

#[derive(Debug, Default)]
struct CoreLimits {
    devices: HashMap<u32, Cores>,
    /// By handle; handles are never used twice.
    streams: HashMap<u64, Cores>,
}

static STACK: AtomicU64 = AtomicU64::new(STACK_BYTES);
static PRINT: AtomicU64 = AtomicU64::new(PRINT_BYTES);

thread_local! {
    static CHOSEN: Cell<u64> = const { Cell::new(0) };
}

fn core_limits() -> &'static Mutex<CoreLimits> {
    static LIMITS: std::sync::OnceLock<Mutex<CoreLimits>> = std::sync::OnceLock::new();
    LIMITS.get_or_init(Mutex::default)
}

fn index(kind: DevResLimitType) -> Answer<usize> {
    match usize::try_from(kind.0) {
        Ok(index) if index < KINDS => Ok(index),
        _ => refuse(
            AclError::RT_PARAM_INVALID,
            format!("`type` is {}; it must be 0 (cube cores) or 1 (vector cores)", kind.0),
        ),
    }
}

fn cores_of_chip(device: &Device, index: usize) -> u32 {
    [device.chip.aic_count, device.chip.aiv_count][index]
}

fn check(device: &Device, index: usize, value: u32) -> Answer {
    let most = cores_of_chip(device, index);
    if value <= most {
        return Ok(());
    }
    let what = ["cube", "vector"][index];
    let text = format!("`value` is {value}, but device {} has {most} {what} cores", device.index);
    refuse(AclError::RT_PARAM_INVALID, text)
}

/// Cores that the process may use of a device.
///
/// # Errors
/// 107000 for an unknown kind.
pub fn of_device(device: &Device, kind: DevResLimitType) -> Answer<u32> {
    let index = index(kind)?;
    let limits = core_limits().lock();
    Ok(limits
        .devices
        .get(&device.index)
        .and_then(|l| l[index])
        .unwrap_or_else(|| cores_of_chip(device, index)))
}

/// Sets it.
///
/// # Errors
/// 107000 for an unknown kind, or more cores than there are.
pub fn set_of_device(device: &Device, kind: DevResLimitType, value: u32) -> Answer {
    let index = index(kind)?;
    check(device, index, value)?;
    core_limits().lock().devices.entry(device.index).or_default()[index] = Some(value);
    Ok(())
}

/// Back to the chip's own numbers.
pub fn reset_of_device(device: &Device) {
    core_limits().lock().devices.remove(&device.index);
}

/// Cores that work of a stream may use.
///
/// # Errors
/// 107000 for an unknown kind.
pub fn of_stream(stream: &Stream, kind: DevResLimitType) -> Answer<u32> {
    let own = core_limits().lock().streams.get(&stream.handle).and_then(|l| l[index(kind).ok()?]);
    own.map_or_else(|| of_device(stream.context.device, kind), Ok)
}

/// Sets it.
///
/// # Errors
/// As [`set_of_device`].
pub fn set_of_stream(runtime: &Runtime, stream: &Stream, kind: DevResLimitType, value: u32) -> Answer {
    let index = index(kind)?;
    check(stream.context.device, index, value)?;
    let mut limits = core_limits().lock();
    limits.streams.retain(|handle, _| runtime.streams.get(*handle as *mut c_void).is_ok());
    limits.streams.entry(stream.handle).or_default()[index] = Some(value);
    Ok(())
}

/// Back to what the device has.
pub fn reset_of_stream(stream: &Stream) {
    core_limits().lock().streams.remove(&stream.handle);
}

/// The calling thread uses the limits of this stream from now on.
pub fn choose_stream(stream: &Stream) {
    CHOSEN.set(stream.handle);
}

/// The calling thread does so no more.
///
/// # Errors
/// 107000 if it did not.
pub fn unchoose_stream(stream: &Stream) -> Answer {
    if CHOSEN.get() != stream.handle {
        let text = format!("this thread does not use the limits of {}", stream.name());
        return Err(Failure::new(AclError::RT_PARAM_INVALID, text)
            .help("call aclrtUseStreamResInCurrentThread with that stream before"));
    }
    CHOSEN.set(0);
    Ok(())
}

/// Cores that the calling thread may use.
///
/// # Errors
/// 107000 for an unknown kind; 107002 without a device.
pub fn of_thread(runtime: &'static Runtime, kind: DevResLimitType) -> Answer<u32> {
    match runtime.streams.get(CHOSEN.get() as *mut c_void) {
        Ok(stream) => of_stream(&stream, kind),
        Err(_) => of_device(runtime.current()?.device, kind),
    }
}

/// Where a size is kept.
///
/// # Errors
/// 207000 for what this chip does not have; 107000 for what nobody has.
fn size(limit: DeviceLimit) -> Answer<&'static AtomicU64> {
    match limit {
        DeviceLimit::SIMD_STACK_SIZE => Ok(&STACK),
        DeviceLimit::SIMD_PRINTF_FIFO_SIZE_PER_CORE => Ok(&PRINT),
        _ if limit.name().is_some() => Err(Failure::new(
            AclError::RT_FEATURE_NOT_SUPPORT,
            format!("{} is for chips with SIMT; dav-2201 has none", limit.name().unwrap_or_default()),
        )
        .help("Atlas A2 knows the SIMD limits only")),
        _ => refuse(
            AclError::RT_PARAM_INVALID,
            format!("`limit` is {}, which is no aclrtDeviceLimit", limit.0),
        ),
    }
}

/// `aclrtDeviceSetLimit`; also what the `aclInit` file says.
///
/// # Errors
/// 107000 out of range; 207000 for the SIMT limits.
pub fn set_size(limit: DeviceLimit, value: u64) -> Answer {
    let place = size(limit)?;
    let settled = match limit {
        DeviceLimit::SIMD_STACK_SIZE => {
            let rounded = value.max(STACK_BYTES).checked_next_multiple_of(STACK_STEP_BYTES);
            rounded.filter(|rounded| *rounded <= MAX_STACK_BYTES)
        }
        _ => value.checked_next_multiple_of(8).filter(|rounded| PRINT_RANGE.contains(rounded)),
    };
    let Some(settled) = settled else {
        let range = match limit {
            DeviceLimit::SIMD_STACK_SIZE => format!("at most {MAX_STACK_BYTES}"),
            _ => format!("from {} to {}", PRINT_RANGE.start(), PRINT_RANGE.end()),
        };
        return refuse(
            AclError::RT_PARAM_INVALID,
            format!("`value` is {value}, but {} must be {range} bytes", limit.name().unwrap_or_default()),
        );
    };
    place.store(settled, Ordering::Relaxed);
    Ok(())
}

/// `aclrtDeviceGetLimit`.
///
/// # Errors
/// As [`set_size`].
pub fn get_size(limit: DeviceLimit) -> Answer<u64> {
    size(limit).map(|place| place.load(Ordering::Relaxed))
}
