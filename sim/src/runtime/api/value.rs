//! Words of device memory that streams write and wait for.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

use super::super::failure::{Answer, Failure, invalid, refuse};
use super::super::memory::Given;
use super::super::state::runtime;
use super::super::stream::Stream;
use super::super::value::{Until, WaitWork, Word, WriteWork};
use super::super::work::Work;
use std::ffi::c_void;
use std::sync::Arc;
use toprope_abi::acl::{
    AclError, STREAM_WAIT_VALUE_AND, STREAM_WAIT_VALUE_EQ, STREAM_WAIT_VALUE_GEQ, STREAM_WAIT_VALUE_NOR,
    StreamHandle,
};

/// Checks that an address is a word of the stream's device.
pub(super) fn word(at: *mut c_void, stream: &Stream) -> Answer<Word> {
    if at.is_null() {
        return invalid("`devAddr` is null");
    }
    let at = at as u64;
    if !at.is_multiple_of(8) {
        let text = format!("`devAddr` is {at:#x}, which is not a multiple of 8");
        return refuse(AclError::RT_PARAM_INVALID, text);
    }
    let device = stream.context.device;
    if Given::new("aclrtValueWrite or aclrtValueWait", "devAddr", at, 8).is_on(runtime(), device)? {
        return Ok(Word(at));
    }
    let text = format!("`devAddr` is {at:#x}, which is no memory of device {}, the stream's", device.index);
    Err(Failure::new(AclError::RT_PARAM_INVALID, text).help("use a word of a block of aclrtMalloc"))
}

pub unsafe fn aclrtValueWrite(at: *mut c_void, value: u64, flag: u32, stream: StreamHandle) -> Answer {
    if flag != 0 {
        return refuse(AclError::RT_PARAM_INVALID, format!("`flag` is {flag}; it must be 0"));
    }
    let stream = runtime().stream_here(stream.0)?;
    let word = word(at, &stream)?;
    stream.enqueue(Work::Custom(Arc::new(WriteWork { word, value })))
}

/// The comparison of `ACL_STREAM_WAIT_VALUE_*`.
pub(super) fn until_of(flag: u32) -> Answer<Until> {
    Ok(match flag {
        STREAM_WAIT_VALUE_GEQ => Until::AtLeast,
        STREAM_WAIT_VALUE_EQ => Until::Equal,
        STREAM_WAIT_VALUE_AND => Until::AnyBit,
        STREAM_WAIT_VALUE_NOR => Until::Nor,
        _ => {
            let text = format!("`flag` is {flag}; it must be one of ACL_STREAM_WAIT_VALUE_* (0 to 3)");
            return refuse(AclError::RT_PARAM_INVALID, text);
        }
    })
}

pub unsafe fn aclrtValueWait(at: *mut c_void, value: u64, flag: u32, stream: StreamHandle) -> Answer {
    let until = until_of(flag)?;
    let stream = runtime().stream_here(stream.0)?;
    let word = word(at, &stream)?;
    stream.enqueue(Work::Custom(Arc::new(WaitWork { word, value, until })))
}

not_supported! {}
