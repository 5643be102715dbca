//! Shared buffers.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

use super::super::failure::{Answer, refuse};
use super::super::mbuf;
use super::{check_out, give};
use std::ffi::c_void;
use toprope_abi::acl::{AclError, MbufHandle};

pub unsafe fn aclrtAllocBuf(buf: *mut MbufHandle, bytes: usize) -> Answer {
    check_out("buf", buf)?;
    let handle = mbuf::alloc(bytes)?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("buf", buf, MbufHandle(handle as *mut c_void)) }
}

pub unsafe fn aclrtFreeBuf(buf: MbufHandle) -> Answer {
    check_out("buf", buf.0)?;
    mbuf::free(buf.0)
}

pub unsafe fn aclrtGetBufData(buf: MbufHandle, data: *mut *mut c_void, bytes: *mut usize) -> Answer {
    check_out("buf", buf.0)?;
    check_out("dataPtr", data)?;
    check_out("size", bytes)?;
    let found = mbuf::get(buf.0)?.data()?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("dataPtr", data, found.0 as *mut c_void) }?;
    // SAFETY: as above.
    unsafe { give("size", bytes, found.1) }
}

pub unsafe fn aclrtGetBufDataLen(buf: MbufHandle, length: *mut usize) -> Answer {
    check_out("buf", buf.0)?;
    check_out("len", length)?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("len", length, mbuf::get(buf.0)?.length()) }
}

pub unsafe fn aclrtSetBufDataLen(buf: MbufHandle, length: usize) -> Answer {
    check_out("buf", buf.0)?;
    mbuf::get(buf.0)?.set_length(length)
}

pub unsafe fn aclrtSetBufUserData(
    buf: MbufHandle,
    data: *const c_void,
    bytes: usize,
    offset: usize,
) -> Answer {
    check_out("buf", buf.0)?;
    check_out("dataPtr", data)?;
    mbuf::get(buf.0)?.user(offset, bytes, |room| {
        // SAFETY: readable for `bytes` (contract of the C function), which is the length of `room`.
        unsafe { std::ptr::copy_nonoverlapping(data.cast::<u8>(), room.as_mut_ptr(), room.len()) }
    })
}

pub unsafe fn aclrtGetBufUserData(buf: MbufHandle, data: *mut c_void, bytes: usize, offset: usize) -> Answer {
    check_out("buf", buf.0)?;
    check_out("dataPtr", data)?;
    mbuf::get(buf.0)?.user(offset, bytes, |room| {
        // SAFETY: writable for `bytes` (contract of the C function), which is the length of `room`.
        unsafe { std::ptr::copy_nonoverlapping(room.as_ptr(), data.cast::<u8>(), room.len()) }
    })
}

pub unsafe fn aclrtCopyBufRef(buf: MbufHandle, out: *mut MbufHandle) -> Answer {
    check_out("buf", buf.0)?;
    check_out("newBuf", out)?;
    let handle = mbuf::copy_reference(buf.0)?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("newBuf", out, MbufHandle(handle as *mut c_void)) }
}

pub unsafe fn aclrtAppendBufChain(head: MbufHandle, buf: MbufHandle) -> Answer {
    check_out("headBuf", head.0)?;
    check_out("buf", buf.0)?;
    mbuf::append(head.0, buf.0)
}

pub unsafe fn aclrtGetBufFromChain(head: MbufHandle, index: u32, out: *mut MbufHandle) -> Answer {
    check_out("headBuf", head.0)?;
    check_out("buf", out)?;
    let chain = mbuf::chain(head.0)?;
    let Some(handle) = chain.get(index as usize) else {
        let text = format!("`index` is {index}, but the chain has {} buffers", chain.len());
        return refuse(AclError::RT_PARAM_INVALID, text);
    };
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("buf", out, MbufHandle(*handle as *mut c_void)) }
}

pub unsafe fn aclrtGetBufChainNum(head: MbufHandle, count: *mut u32) -> Answer {
    check_out("headBuf", head.0)?;
    check_out("num", count)?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("num", count, mbuf::chain(head.0)?.len() as u32) }
}
