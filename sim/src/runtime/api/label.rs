//! Labels: places in a graph to jump to.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

use super::super::failure::Answer;
use super::super::graph;
use super::super::state::runtime;
use super::{check_out, give};
use std::ffi::c_void;
use toprope_abi::acl::{LabelHandle, LabelListHandle, StreamHandle};

pub unsafe fn aclrtCreateLabel(label: *mut LabelHandle) -> Answer {
    check_out("label", label)?;
    let handle = graph::create_label()?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("label", label, LabelHandle(handle as *mut c_void)) }
}

pub unsafe fn aclrtDestroyLabel(label: LabelHandle) -> Answer {
    graph::destroy_label(label.0)
}

pub unsafe fn aclrtSetLabel(label: LabelHandle, stream: StreamHandle) -> Answer {
    graph::set_label(label.0, &runtime().stream_here(stream.0)?)
}

pub unsafe fn aclrtCreateLabelList(
    labels: *mut LabelHandle,
    num: usize,
    label_list: *mut LabelListHandle,
) -> Answer {
    check_out("labels", labels)?;
    check_out("labelList", label_list)?;
    graph::check_list_length(num)?;
    let handle = |index: usize| {
        // SAFETY: the array has `num` entries (contract of the C function); `index` is below it.
        let label = unsafe { labels.add(index) };
        // SAFETY: inside the array, as above.
        unsafe { label.read_unaligned() }.0
    };
    let handles: Vec<_> = (0..num).map(handle).collect();
    let list = graph::create_list(&handles)?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("labelList", label_list, LabelListHandle(list as *mut c_void)) }
}

pub unsafe fn aclrtDestroyLabelList(label_list: LabelListHandle) -> Answer {
    graph::destroy_list(label_list.0)
}

pub unsafe fn aclrtSwitchLabelByIndex(
    ptr: *mut c_void,
    max_value: u32,
    label_list: LabelListHandle,
    stream: StreamHandle,
) -> Answer {
    graph::switch_label(ptr as u64, max_value, label_list.0, &runtime().stream_here(stream.0)?)
}

/// All functions of this group are supported.
pub const NOT_SUPPORTED: &[(&str, &str)] = &[];
