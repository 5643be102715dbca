//! `aclrt…Group…`: groups of cores.

use crate::sys::{GroupAttr, GroupInfo};
use std::ffi::c_void;

super::calls! {
    /// Select core group.
    fn set(group_id: i32) = aclrtSetGroup(group_id);
    /// Number of groups.
    fn count() -> (count: u32) = aclrtGetGroupCount(count);
    /// Group info object.
    fn create_info() => *mut GroupInfo = aclrtCreateGroupInfo();
    /// Free it.
    fn destroy_info(group_info: *mut GroupInfo) = aclrtDestroyGroupInfo(group_info);
    /// Fill info of all groups.
    fn all_info(group_info: *mut GroupInfo) = aclrtGetAllGroupInfo(group_info);
    /// Read one group property.
    fn info_detail(group_info: *const GroupInfo, group_index: i32, attr: GroupAttr, attr_value: *mut c_void, value_len: usize) -> (param_ret_size: usize) = aclrtGetGroupInfoDetail(group_info, group_index, attr, attr_value, value_len, param_ret_size);
}
