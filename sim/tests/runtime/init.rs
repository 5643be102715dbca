//! Rules 1–6: `aclInit`, `aclFinalize`.

use crate::support::*;
use std::ffi::c_void;
use std::ptr::null;
use toprope_abi::acl::*;
use toprope_abi::layout::CChar;

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
    let (code, text) = init_with("{\"StackSize\": {\"aicore_stack_size\": 300000}}");
    assert_eq!(code, 500_001);
    assert!(
        text.contains("StackSize.aicore_stack_size is 300000, but must be a size up to 196608"),
        "{text}"
    );
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

/// What the hooks below were called with, in order.
static CALLS: std::sync::Mutex<Vec<String>> = std::sync::Mutex::new(Vec::new());

fn calls() -> Vec<String> {
    std::mem::take(&mut CALLS.lock().unwrap())
}

unsafe extern "C" fn on_init(text: *const CChar, length: usize, data: *mut c_void) -> AclError {
    // SAFETY: the runtime passes a text of this length.
    let text = unsafe { std::slice::from_raw_parts(text.cast::<u8>(), length) };
    CALLS.lock().unwrap().push(format!("init {} {}", String::from_utf8_lossy(text), data as usize));
    AclError::SUCCESS
}

unsafe extern "C" fn failing(_: *const CChar, _: usize, _: *mut c_void) -> AclError {
    AclError(7)
}

unsafe extern "C" fn on_finalize(data: *mut c_void) -> AclError {
    CALLS.lock().unwrap().push(format!("finalize {}", data as usize));
    AclError::SUCCESS
}

const ON_INIT: InitCallbackFunc = InitCallbackFunc(Some(on_init));
const FAILING: InitCallbackFunc = InitCallbackFunc(Some(failing));
const ON_FINALIZE: FinalizeCallbackFunc = FinalizeCallbackFunc(Some(on_finalize));

fn data(number: usize) -> *mut c_void {
    number as *mut c_void
}

#[test]
fn rule_06_hooks_run_at_init_and_finalize() {
    let _alone = alone();
    calls();
    let kind = RegisterCallbackType::ACL_DVPP;
    ok!(aclInitCallbackRegister(kind, ON_INIT, data(1)));
    ok!(aclFinalizeCallbackRegister(kind, ON_FINALIZE, data(2)));
    assert_eq!(init_with("{}").0, 0);
    fails!(100_002, aclInit(null()));
    // Too late for aclInit, so at once.
    ok!(aclInitCallbackRegister(RegisterCallbackType::OTHER, ON_INIT, data(3)));
    let mut left = 0;
    ok!(aclFinalizeReference(&raw mut left));
    assert_eq!(calls(), ["init {} 1", "init {} 3"]);
    ok!(aclFinalize());
    assert_eq!(calls(), ["finalize 2"]);
    ok!(aclInitCallbackUnRegister(kind, ON_INIT));
    ok!(aclInitCallbackUnRegister(RegisterCallbackType::OTHER, ON_INIT));
    ok!(aclFinalizeCallbackUnRegister(kind, ON_FINALIZE));
    ok!(aclInit(null()));
    ok!(aclFinalize());
    assert_eq!(calls(), [""; 0]);
}

#[test]
fn rule_06_a_failing_hook_fails_init() {
    let _alone = alone();
    let kind = RegisterCallbackType::ACL_MODEL;
    ok!(aclInitCallbackRegister(kind, FAILING, data(0)));
    assert!(fails!(7, aclInit(null())).contains("ACL_REG_TYPE_ACL_MODEL registered for aclInit failed"));
    ok!(aclInitCallbackUnRegister(kind, FAILING));
    // The failed call did not count.
    ok!(aclInit(null()));
    ok!(aclFinalize());
}

#[test]
fn rule_06_a_kind_has_one_hook_and_other_has_many() {
    let _alone = alone();
    let kind = RegisterCallbackType::ACL_RETR;
    ok!(aclInitCallbackRegister(kind, ON_INIT, data(0)));
    fails!(500_000, aclInitCallbackRegister(kind, FAILING, data(0)));
    fails!(500_000, aclInitCallbackUnRegister(kind, FAILING));
    ok!(aclInitCallbackUnRegister(kind, ON_INIT));
    fails!(500_000, aclInitCallbackUnRegister(kind, ON_INIT));
    for _ in 0..2 {
        ok!(aclFinalizeCallbackRegister(RegisterCallbackType::OTHER, ON_FINALIZE, data(0)));
    }
    for _ in 0..2 {
        ok!(aclFinalizeCallbackUnRegister(RegisterCallbackType::OTHER, ON_FINALIZE));
    }
    fails!(100_000, aclInitCallbackRegister(kind, InitCallbackFunc(None), data(0)));
    fails!(100_000, aclInitCallbackRegister(RegisterCallbackType(99), ON_INIT, data(0)));
    fails!(100_000, aclFinalizeCallbackUnRegister(kind, FinalizeCallbackFunc(None)));
}
