//! Errors, `aclFinalizeReference`-like helpers, versions, data types, data buffers.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

use super::super::failure::{Answer, invalid, last_error, refuse, take_message};
use super::{check_out, give, give_text, text};
use std::ffi::c_void;
use toprope_abi::acl::{
    AclError, CannPackageName, CannPackageVersion, DataBuffer, DataType, Float16, LastErrLevel,
    MAJOR_VERSION, MINOR_VERSION, PATCH_VERSION, PKG_VERSION_MAX_SIZE,
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

/// What stands behind an `aclDataBuffer` pointer.
struct Buffer {
    data: *mut c_void,
    size: usize,
}

pub unsafe fn aclCreateDataBuffer(data: *mut c_void, size: usize) -> *mut DataBuffer {
    Box::into_raw(Box::new(Buffer { data, size })).cast()
}

pub unsafe fn aclDestroyDataBuffer(buffer: *const DataBuffer) -> Answer {
    check_out("dataBuffer", buffer)?;
    // SAFETY: made by `aclCreateDataBuffer` and destroyed once (contract of the C function).
    drop(unsafe { Box::from_raw(buffer.cast_mut().cast::<Buffer>()) });
    Ok(())
}

pub unsafe fn aclUpdateDataBuffer(buffer: *mut DataBuffer, data: *mut c_void, size: usize) -> Answer {
    check_out("dataBuffer", buffer)?;
    // SAFETY: made by `aclCreateDataBuffer` and alive (contract of the C function).
    unsafe { buffer.cast::<Buffer>().write(Buffer { data, size }) };
    Ok(())
}

/// Reads a buffer.
///
/// # Safety
/// `buffer` is null or made by `aclCreateDataBuffer` and alive.
unsafe fn read<'a>(buffer: *const DataBuffer) -> Option<&'a Buffer> {
    // SAFETY: the same contract.
    unsafe { buffer.cast::<Buffer>().as_ref() }
}

pub unsafe fn aclGetDataBufferAddr(buffer: *const DataBuffer) -> *mut c_void {
    // SAFETY: the contract of the C function.
    unsafe { read(buffer) }.map_or(std::ptr::null_mut(), |b| b.data)
}

pub unsafe fn aclGetDataBufferSize(buffer: *const DataBuffer) -> u32 {
    // SAFETY: the contract of the C function.
    unsafe { read(buffer) }.map_or(0, |b| b.size as u32)
}

pub unsafe fn aclGetDataBufferSizeV2(buffer: *const DataBuffer) -> usize {
    // SAFETY: the contract of the C function.
    unsafe { read(buffer) }.map_or(0, |b| b.size)
}

not_supported! {
    aclGetCannAttributeList(*mut *const CannAttr, *mut usize) = "not modelled yet";
    aclGetCannAttribute(CannAttr, *mut i32) = "not modelled yet";
    aclGetDeviceCapability(u32, DeviceInfo, *mut i64) = "not modelled yet";
    aclrtProfTrace(*mut c_void, i32, StreamHandle) = "not modelled yet";
    aclrtCacheLastTaskOpInfo(*const c_void, usize) = "not modelled yet";
    aclrtCacheLastTaskExtendInfo(*const CChar, usize) = "not modelled yet";
    aclrtDeviceL2CacheFlush(*mut c_void) = "not modelled yet";
}
