//! `aclrt…Buf…`: shared message buffers.

use crate::sys::MbufHandle;
use std::ffi::c_void;

super::calls! {
    /// Mbuf chain: item by index.
    fn from_chain(head_buf: MbufHandle, index: u32) -> (buf: MbufHandle) = aclrtGetBufFromChain(head_buf, index, buf);
    /// Mbuf chain: length.
    fn chain_num(head_buf: MbufHandle) -> (num: u32) = aclrtGetBufChainNum(head_buf, num);
    /// Mbuf chain: append.
    fn append_chain(head_buf: MbufHandle, buf: MbufHandle) = aclrtAppendBufChain(head_buf, buf);
    /// Mbuf: new reference.
    fn copy_ref(buf: MbufHandle) -> (new_buf: MbufHandle) = aclrtCopyBufRef(buf, new_buf);
    /// Mbuf: read private area.
    fn user_data(buf: MbufHandle, data_ptr: *mut c_void, size: usize, offset: usize) = aclrtGetBufUserData(buf, data_ptr, size, offset);
    /// Mbuf: write private area.
    fn set_user_data(buf: MbufHandle, data_ptr: *const c_void, size: usize, offset: usize) = aclrtSetBufUserData(buf, data_ptr, size, offset);
    /// Mbuf: data pointer.
    fn data(buf: MbufHandle) -> (data_ptr: *mut c_void, size: usize) = aclrtGetBufData(buf, data_ptr, size);
    /// Mbuf: valid length.
    fn data_len(buf: MbufHandle) -> (len: usize) = aclrtGetBufDataLen(buf, len);
    /// Mbuf: set valid length.
    fn set_data_len(buf: MbufHandle, len: usize) = aclrtSetBufDataLen(buf, len);
    /// Mbuf: free.
    fn free(buf: MbufHandle) = aclrtFreeBuf(buf);
    /// Mbuf: allocate.
    fn alloc(size: usize) -> (buf: MbufHandle) = aclrtAllocBuf(buf, size);
}
