//! Core groups.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

not_supported! {
    aclrtSetGroup(i32) = "documented as not supported on Atlas A2: its AI Cores are not divided into groups";
    aclrtGetGroupCount(*mut u32) = "documented as not supported on Atlas A2: its AI Cores are not divided into groups";
    aclrtCreateGroupInfo() -> *mut GroupInfo = "documented as not supported on Atlas A2: its AI Cores are not divided into groups";
    aclrtDestroyGroupInfo(*mut GroupInfo) = "documented as not supported on Atlas A2: its AI Cores are not divided into groups";
    aclrtGetAllGroupInfo(*mut GroupInfo) = "documented as not supported on Atlas A2: its AI Cores are not divided into groups";
    aclrtGetGroupInfoDetail(*const GroupInfo, i32, GroupAttr, *mut c_void, usize, *mut usize) = "documented as not supported on Atlas A2: its AI Cores are not divided into groups";
}
