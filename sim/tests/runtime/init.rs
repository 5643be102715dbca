//! Rules 1–6: `aclInit`, `aclFinalize`.

use crate::support::*;
use std::ptr::null;

fn init_with(json: &str) -> (i32, String) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("acl.json");
    std::fs::write(&path, json).unwrap();
    let path = c_text(path.to_str().unwrap());
    (acl!(aclInit(c_ptr(&path))).0, message())
}

#[test]
fn rule_01_configuration_is_null_or_a_json_file() {
    let _alone = alone();
    ok!(aclInit(null()));
    ok!(aclFinalize());
    assert_eq!(init_with("{}").0, 0);
    ok!(aclFinalize());
    let missing = c_text("no/such/file.json");
    assert!(fails!(100_003, aclInit(c_ptr(&missing))).contains("no/such/file.json"));
    assert_eq!(init_with("{ \"dump\": ").0, 100_006);
    let (code, text) = init_with("{\"StackSize\": {\"aicore_stack_size\": 5}}");
    assert_eq!(code, 500_001);
    assert!(text.contains("StackSize.aicore_stack_size is 5, but must be a multiple of 16384"), "{text}");
}

#[test]
fn rule_02_a_second_init_counts_and_answers_100002() {
    let _alone = alone();
    ok!(aclInit(null()));
    fails!(100_002, aclInit(null()));
    assert_eq!(init_with("{}").0, 100_002);
    let (code, text) = init_with("{\"defaultDevice\": {\"default_device\": \"0\"}}");
    assert_eq!(code, 100_000, "{text}");
    ok!(aclFinalize());
}

#[test]
fn rule_03_finalize_ends_it_whatever_the_count() {
    let _alone = alone();
    ok!(aclInit(null()));
    fails!(100_002, aclInit(null()));
    ok!(aclFinalize());
    fails!(100_037, aclFinalize());
    ok!(aclInit(null()));
    ok!(aclFinalize());
}

#[test]
fn rule_03_references_are_given_back_one_by_one() {
    let _alone = alone();
    let mut left = 9;
    ok!(aclInit(null()));
    fails!(100_002, aclInit(null()));
    ok!(aclFinalizeReference(&raw mut left));
    assert_eq!(left, 1);
    ok!(aclFinalizeReference(std::ptr::null_mut()));
    fails!(100_037, aclFinalizeReference(&raw mut left));
    assert_eq!(left, 0);
    ok!(aclInit(null()));
    ok!(aclFinalize());
}

#[test]
fn rule_04_finalize_without_init_is_accepted_once() {
    good_child("init::child_finalize_first", &[]);
}

#[test]
#[ignore = "run by rule_04 in a process of its own"]
fn child_finalize_first() {
    ok!(aclFinalize());
    fails!(100_037, aclFinalize());
    ok!(aclInit(null()));
    ok!(aclFinalize());
}

#[test]
fn rule_04_device_work_needs_no_init() {
    let _device = device();
    let out = malloc(4 * 8);
    run("store_index", 8, DEFAULT, &[out as u64]);
    sync(DEFAULT);
    assert_eq!(take::<u32>(out, 8), [1, 2, 3, 4, 5, 6, 7, 8]);
}
