//! Labels: places in a graph to jump to.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

not_supported! {
    aclrtCreateLabel(*mut LabelHandle) = "not modelled yet";
    aclrtSetLabel(LabelHandle, StreamHandle) = "not modelled yet";
    aclrtDestroyLabel(LabelHandle) = "not modelled yet";
    aclrtCreateLabelList(*mut LabelHandle, usize, *mut LabelListHandle) = "not modelled yet";
    aclrtDestroyLabelList(LabelListHandle) = "not modelled yet";
    aclrtSwitchLabelByIndex(*mut c_void, u32, LabelListHandle, StreamHandle) = "not modelled yet";
}
