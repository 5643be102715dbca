//! `aclrt…Label…`: places in a graph to jump to.

use crate::sys::{LabelHandle, LabelListHandle, StreamHandle};
use std::ffi::c_void;

super::calls! {
    /// Jump target object for model streams.
    fn create() -> (label: LabelHandle) = aclrtCreateLabel(label);
    /// Place label in stream.
    fn set(label: LabelHandle, stream: StreamHandle) = aclrtSetLabel(label, stream);
    /// Free label.
    fn destroy(label: LabelHandle) = aclrtDestroyLabel(label);
    /// Array of labels for indexed jump.
    fn create_list(labels: *mut LabelHandle, num: usize) -> (label_list: LabelListHandle) = aclrtCreateLabelList(labels, num, label_list);
    /// Free label array.
    fn destroy_list(label_list: LabelListHandle) = aclrtDestroyLabelList(label_list);
    /// Enqueue jump by device-side index.
    fn switch_by_index(ptr: *mut c_void, max_value: u32, label_list: LabelListHandle, stream: StreamHandle) = aclrtSwitchLabelByIndex(ptr, max_value, label_list, stream);
}
