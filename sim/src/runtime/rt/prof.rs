//! The profiling hooks of generated code. No outside profiler exists here, so records are dropped.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `RtApi`.

use parking_lot::Mutex;
use std::collections::HashMap;
use std::ffi::{CString, c_void};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::OnceLock;
use std::time::Instant;
use toprope_abi::layout::CChar;
use toprope_abi::rt::ProfCommandHandle;

/// Texts of numbers given out; bounded, because a program could name every launch differently.
static TEXTS: Mutex<Option<HashMap<u64, CString>>> = Mutex::new(None);
const MAX_TEXTS: usize = 1 << 16;
const OK: i32 = 0;
const FAILED: i32 = -1;

/// Nanoseconds since the first call.
pub unsafe fn MsprofSysCycleTime() -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    // Never 0: callers take 0 for "not measured".
    START.get_or_init(Instant::now).elapsed().as_nanos() as u64 + 1
}

pub unsafe fn MsprofGetHashId(text: *const CChar, length: usize) -> u64 {
    if text.is_null() || length == 0 {
        return 0;
    }
    // SAFETY: not null, readable for `length` bytes (contract of the C function).
    let bytes = unsafe { std::slice::from_raw_parts(text.cast::<u8>(), length) };
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    let id = hasher.finish().max(1);
    let mut texts = TEXTS.lock();
    let texts = texts.get_or_insert_default();
    if texts.len() < MAX_TEXTS
        && let Ok(text) = CString::new(bytes.split(|b| *b == 0).next().unwrap_or_default())
    {
        texts.entry(id).or_insert(text);
    }
    id
}

pub unsafe fn MsprofStr2Id(text: *const CChar, length: usize) -> u64 {
    // SAFETY: the same contract.
    unsafe { MsprofGetHashId(text, length) }
}

pub unsafe fn MsprofId2Str(id: u64) -> *const CChar {
    // Texts are never removed, so the pointer stays valid.
    let texts = TEXTS.lock();
    texts.as_ref().and_then(|t| t.get(&id)).map_or(std::ptr::null(), |t| t.as_ptr().cast())
}

pub unsafe fn MsprofRegisterCallback(_module: u32, handle: ProfCommandHandle) -> i32 {
    if handle.is_some() { OK } else { FAILED }
}

/// Takes a record.
fn drop_record<T>(data: *const T) -> i32 {
    if data.is_null() { FAILED } else { OK }
}

pub unsafe fn MsprofReportApi(_flag: u32, api: *const c_void) -> i32 {
    drop_record(api)
}

pub unsafe fn MsprofReportEvent(_flag: u32, event: *const c_void) -> i32 {
    drop_record(event)
}

pub unsafe fn MsprofReportCompactInfo(_flag: u32, data: *mut c_void, _length: u32) -> i32 {
    drop_record(data)
}

pub unsafe fn MsprofReportAdditionalInfo(_flag: u32, data: *mut c_void, _length: u32) -> i32 {
    drop_record(data)
}

pub unsafe fn MsprofRegTypeInfo(_level: u16, _kind: u32, name: *const CChar) -> i32 {
    drop_record(name)
}

pub unsafe fn MsprofCheckOpSwitch(_kind: u32, _op: *const CChar, _len: usize) -> bool {
    false
}
