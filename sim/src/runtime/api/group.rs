//! Core groups.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

not_supported! {
    aclrtSetGroup(i32) = "not modelled yet";
    aclrtGetGroupCount(*mut u32) = "not modelled yet";
    aclrtCreateGroupInfo() -> *mut GroupInfo = "not modelled yet";
    aclrtDestroyGroupInfo(*mut GroupInfo) = "not modelled yet";
    aclrtGetAllGroupInfo(*mut GroupInfo) = "not modelled yet";
    aclrtGetGroupInfoDetail(*const GroupInfo, i32, GroupAttr, *mut c_void, usize, *mut usize) = "not modelled yet";
}
