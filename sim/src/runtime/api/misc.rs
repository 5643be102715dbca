//! Errors, versions, attributes of the installation, marks for profilers, data types, data buffers.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

use super::super::failure::{Answer, invalid, last_error, refuse, take_message};
use super::super::handle::{HandleTable, Kind};
use super::super::report;
use super::super::state::runtime;
use super::super::stream::Stream;
use super::super::work::{DeviceWork, Turn, Work};
use super::{check_out, give, give_text, text};
use parking_lot::Mutex;
use std::ffi::c_void;
use std::sync::{Arc, LazyLock};
use toprope_abi::acl::{
    AclError, CannAttr, CannPackageName, CannPackageVersion, DataBuffer, DataType, DeviceInfo, Float16,
    LastErrLevel, MAJOR_VERSION, MINOR_VERSION, PATCH_VERSION, PKG_VERSION_MAX_SIZE, StreamHandle,
};
use toprope_abi::layout::CChar;

/// The CANN version whose behaviour is embedded: major, minor, patch.
const CANN_VERSION: [u32; 3] = [9, 1, 0];

pub unsafe fn aclGetRecentErrMsg() -> *const CChar {
    take_message(|text| text.map_or(std::ptr::null(), |text| text.as_ptr().cast()))
}

fn check_level(level: LastErrLevel) -> Answer {
    if level == LastErrLevel::THREAD_LEVEL {
        return Ok(());
    }
    refuse(AclError::RT_PARAM_INVALID, format!("`level` is {}; only 0 (ACL_RT_THREAD_LEVEL) exists", level.0))
}

/// The answer is the last error itself, so it must not be kept as a new one.
fn answer(level: LastErrLevel, clear: bool) -> AclError {
    match check_level(level) {
        Ok(()) => last_error(clear),
        Err(failure) => failure.code,
    }
}

pub unsafe fn aclrtPeekAtLastError(level: LastErrLevel) -> AclError {
    answer(level, false)
}

pub unsafe fn aclrtGetLastError(level: LastErrLevel) -> AclError {
    answer(level, true)
}

pub unsafe fn aclrtGetVersion(major: *mut i32, minor: *mut i32, patch: *mut i32) -> Answer {
    check_out("majorVersion", major)?;
    check_out("minorVersion", minor)?;
    check_out("patchVersion", patch)?;
    let values = [(major, MAJOR_VERSION), (minor, MINOR_VERSION), (patch, PATCH_VERSION)];
    // SAFETY: valid for writing (contract of the C function).
    values.into_iter().try_for_each(|(at, value)| unsafe { give("version", at, value) })
}

fn version_text() -> String {
    let [major, minor, patch] = CANN_VERSION;
    format!("{major}.{minor}.{patch}")
}

pub unsafe fn aclsysGetCANNVersion(name: CannPackageName, version: *mut CannPackageVersion) -> Answer {
    check_out("version", version)?;
    if name.name().is_none() {
        return invalid(format!("`name` is {}, which is no aclCANNPackageName", name.0));
    }
    let mut filled = CannPackageVersion {
        version: [CChar(0); 128],
        major_version: [CChar(0); 64],
        minor_version: [CChar(0); 64],
        release_version: [CChar(0); 64],
        patch_version: [CChar(0); 64],
        reserved: [CChar(0); 128],
    };
    let [major, minor, patch] = CANN_VERSION.map(|n| n.to_string());
    let parts: [(&mut [CChar], &str); 4] = [
        (&mut filled.version, &version_text()),
        (&mut filled.major_version, &major),
        (&mut filled.minor_version, &minor),
        (&mut filled.release_version, &patch),
    ];
    for (room, text) in parts {
        // SAFETY: an array of that length.
        unsafe { give_text(room.as_mut_ptr(), room.len(), text) };
    }
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("version", version, filled) }
}

/// Names of packages that have a version here.
const PACKAGES: [&str; 8] = ["cann", "runtime", "compiler", "toolkit", "ops", "opp", "driver", "asc-devkit"];

/// Checks a package name.
///
/// # Safety
/// `name` is null or NUL-terminated.
unsafe fn check_package(name: *mut CChar) -> Answer {
    // SAFETY: the same contract.
    let name = unsafe { text("pkgName", name) }?;
    if PACKAGES.contains(&name.to_ascii_lowercase().as_str()) {
        return Ok(());
    }
    invalid(format!("package `{name}` is not known; there are {}", PACKAGES.join(", ")))
}

pub unsafe fn aclsysGetVersionStr(name: *mut CChar, version: *mut CChar) -> Answer {
    check_out("versionStr", version)?;
    // SAFETY: null or NUL-terminated (contract of the C function).
    unsafe { check_package(name) }?;
    // SAFETY: room for PKG_VERSION_MAX_SIZE characters (contract of the C function).
    unsafe { give_text(version, PKG_VERSION_MAX_SIZE as usize, &version_text()) };
    Ok(())
}

pub unsafe fn aclsysGetVersionNum(name: *mut CChar, version: *mut i32) -> Answer {
    check_out("versionNum", version)?;
    // SAFETY: null or NUL-terminated (contract of the C function).
    unsafe { check_package(name) }?;
    let [major, minor, patch] = CANN_VERSION;
    let number = major * 10_000_000 + minor * 100_000 + patch * 1000;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("versionNum", version, number as i32) }
}

/// Every exponent counts as a number, as in the vendor's function: infinity is 65536, NaN 98304.
pub unsafe fn aclFloat16ToFloat(value: Float16) -> f32 {
    if value.0 & 0x7c00 != 0x7c00 {
        return half::f16::from_bits(value.0).to_f32();
    }
    let magnitude = (1.0 + f32::from(value.0 & 0x3ff) / 1024.0) * 65536.0;
    if value.0 & 0x8000 == 0 { magnitude } else { -magnitude }
}

/// What is no half float (NaN, infinity, too large) becomes the largest one of that sign.
pub unsafe fn aclFloatToFloat16(value: f32) -> Float16 {
    let half = half::f16::from_f32(value);
    if half.is_finite() {
        return Float16(half.to_bits());
    }
    Float16(0x7bff | if value.is_sign_negative() { 0x8000 } else { 0 })
}

/// Bytes per element; types below a byte and types without a size have 0.
const SIZES: &[(usize, &[DataType])] = &[
    (
        1,
        &[
            DataType::INT8,
            DataType::UINT8,
            DataType::BOOL,
            DataType::HIFLOAT8,
            DataType::FLOAT8_E5M2,
            DataType::FLOAT8_E4M3FN,
            DataType::FLOAT8_E8M0,
        ],
    ),
    (2, &[DataType::FLOAT16, DataType::INT16, DataType::UINT16, DataType::BF16]),
    (4, &[DataType::FLOAT, DataType::INT32, DataType::UINT32, DataType::COMPLEX32]),
    (8, &[DataType::INT64, DataType::UINT64, DataType::DOUBLE, DataType::COMPLEX64]),
    (16, &[DataType::COMPLEX128]),
];

pub unsafe fn aclDataTypeSize(data_type: DataType) -> usize {
    SIZES.iter().find(|row| row.1.contains(&data_type)).map_or(0, |row| row.0)
}

/// What an `aclDataBuffer` pointer stands for: a handle, so that a destroyed one is recognised.
#[derive(Debug)]
struct Buffer(Mutex<(u64, usize)>);

static BUFFERS: LazyLock<HandleTable<Buffer>> = LazyLock::new(|| HandleTable::new(Kind::DataBuffer));

pub unsafe fn aclCreateDataBuffer(data: *mut c_void, size: usize) -> *mut DataBuffer {
    let handle = BUFFERS.reserve();
    BUFFERS.insert(handle, Arc::new(Buffer(Mutex::new((data as u64, size)))));
    handle as *mut DataBuffer
}

pub unsafe fn aclDestroyDataBuffer(buffer: *const DataBuffer) -> Answer {
    check_out("dataBuffer", buffer)?;
    BUFFERS.remove(buffer.cast_mut().cast()).map(drop)
}

pub unsafe fn aclUpdateDataBuffer(buffer: *mut DataBuffer, data: *mut c_void, size: usize) -> Answer {
    check_out("dataBuffer", buffer)?;
    *BUFFERS.get(buffer.cast())?.0.lock() = (data as u64, size);
    Ok(())
}

/// Address and size of a buffer; zeros if it is none.
fn read(buffer: *const DataBuffer) -> (u64, usize) {
    BUFFERS.get(buffer.cast_mut().cast()).map_or((0, 0), |buffer| *buffer.0.lock())
}

pub unsafe fn aclGetDataBufferAddr(buffer: *const DataBuffer) -> *mut c_void {
    read(buffer).0 as *mut c_void
}

pub unsafe fn aclGetDataBufferSize(buffer: *const DataBuffer) -> u32 {
    read(buffer).1 as u32
}

pub unsafe fn aclGetDataBufferSizeV2(buffer: *const DataBuffer) -> usize {
    read(buffer).1
}

/// What this installation can do. Operators of the vendor's libraries, which `JIT_COMPILE` is about, are not part of it.
static CANN_ATTRIBUTES: [CannAttr; 2] = [CannAttr::INF_NAN, CannAttr::BF16];

pub unsafe fn aclGetCannAttributeList(list: *mut *const CannAttr, count: *mut usize) -> Answer {
    check_out("cannAttrList", list)?;
    check_out("num", count)?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("cannAttrList", list, CANN_ATTRIBUTES.as_ptr()) }?;
    // SAFETY: as above.
    unsafe { give("num", count, CANN_ATTRIBUTES.len()) }
}

pub unsafe fn aclGetCannAttribute(attr: CannAttr, value: *mut i32) -> Answer {
    check_out("value", value)?;
    if attr.name().is_none() || attr == CannAttr::UNDEFINED {
        return invalid(format!("`cannAttr` is {}, which is no aclCannAttr", attr.0));
    }
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("value", value, i32::from(CANN_ATTRIBUTES.contains(&attr))) }
}

pub unsafe fn aclGetDeviceCapability(id: u32, info: DeviceInfo, value: *mut i64) -> Answer {
    check_out("value", value)?;
    let device = runtime().device(id.into()).or_else(|failure| match failure.code {
        // Documented: the ACL layer checks this argument itself.
        AclError::RT_INVALID_DEVICEID => invalid(failure.text),
        _ => Err(failure),
    })?;
    let answer = match info {
        DeviceInfo::AI_CORE_NUM => device.chip.aic_count.into(),
        DeviceInfo::VECTOR_CORE_NUM => device.chip.aiv_count.into(),
        DeviceInfo::L2_SIZE => i64::try_from(device.chip.l2_bytes).unwrap_or(i64::MAX),
        info => return invalid(format!("`deviceInfo` is {}, which is no aclDeviceInfo", info.0)),
    };
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("value", value, answer) }
}

/// Documented length of the data of a profiling mark.
const TRACE_BYTES: usize = 18;

pub unsafe fn aclrtProfTrace(data: *mut c_void, length: i32, stream: StreamHandle) -> Answer {
    check_out("userdata", data)?;
    let given = usize::try_from(length).ok().filter(|n| (1..=TRACE_BYTES).contains(n));
    let Some(given) = given else {
        let text = format!("`length` is {length}; it must be 1 to {TRACE_BYTES}");
        return refuse(AclError::RT_PARAM_INVALID, text);
    };
    let stream = runtime().stream_here(stream.0)?;
    let mut bytes = [0u8; TRACE_BYTES];
    // SAFETY: readable for `length` bytes (contract of the C function), which fit (checked).
    unsafe { std::ptr::copy_nonoverlapping(data.cast::<u8>(), bytes.as_mut_ptr(), given) };
    stream.enqueue(Work::Custom(Arc::new(TraceMark { bytes })))
}

/// A mark for profilers on its way.
#[derive(Debug)]
struct TraceMark {
    bytes: [u8; TRACE_BYTES],
}

impl DeviceWork for TraceMark {
    fn start(self: Arc<Self>, turn: Turn) {
        let (stream, cycle) = (turn.stream(), turn.begin());
        let device = stream.context.device;
        report::trace(device.index, stream.id, device.cycles_to_us(cycle), &self.bytes);
        turn.end(Ok(()), cycle);
    }

    fn skip(&self, _stream: &Stream) {}

    fn doing(&self) -> String {
        "it passes a mark for profilers".into()
    }
}

/// Memory is coherent here: whatever was written is seen by everybody, so there is nothing to write back.
pub unsafe fn aclrtDeviceL2CacheFlush(reserved: *mut c_void) -> Answer {
    if !reserved.is_null() {
        return invalid("`rsv` is not null; it is reserved");
    }
    runtime().current().map(drop)
}

not_supported! {
    aclrtCacheLastTaskOpInfo(*const c_void, usize) = "attaches information for a profiler to tasks of a graph; no profiler reads it here";
    aclrtCacheLastTaskExtendInfo(*const CChar, usize) = "attaches information for a profiler to tasks of a graph; no profiler reads it here";
}
