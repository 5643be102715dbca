//! What depends on the environment or the end of the process, each in a process of its own.

use crate::support::*;
use std::time::{Duration, Instant};
use toprope_abi::acl::*;

#[test]
fn rule_10_a_default_device_may_be_configured() {
    good_child("children::child_default_device", &[]);
}

#[test]
#[ignore = "run in a process of its own"]
fn child_default_device() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("acl.json");
    std::fs::write(&path, "{\"defaultDevice\": {\"default_device\": \"0\"}}").unwrap();
    let path = c_text(path.to_str().unwrap());
    ok!(aclInit(c_ptr(&path)));
    malloc(8);
}

#[test]
fn rule_11_visible_devices_are_renumbered() {
    let devices = ("TOPROPE_DEVICES", "4");
    good_child("children::child_two_devices", &[devices, ("ASCEND_RT_VISIBLE_DEVICES", "1,3")]);
    good_child("children::child_no_device", &[devices, ("ASCEND_RT_VISIBLE_DEVICES", "3,1")]);
}

#[test]
#[ignore = "run in a process of its own"]
fn child_two_devices() {
    let mut count = 0;
    ok!(aclrtGetDeviceCount(&raw mut count));
    assert_eq!(count, 2);
    fails!(107_001, aclrtSetDevice(2));
    let mut physical = 0;
    ok!(aclrtGetDeviceInfo(1, DevAttr::PHY_CHIP_ID, &raw mut physical));
    assert_eq!(physical, 3);
    ok!(aclrtSetDevice(0));
    let first = malloc(64);
    let s = stream();
    ok!(aclrtSetDevice(1));
    let second = malloc(64);
    put(second, &[7u32; 16]);
    let text = fails!(107_000, aclrtMemcpy(first, 64, second, 64, MemcpyKind::DEVICE_TO_DEVICE));
    assert!(text.contains("no peer access between them"), "{text}");
    assert_eq!(launch("add_one", 1, DEFAULT, &[first as u64, 1]).0, 107_000);
    assert!(message().contains("an address of device 0, but the stream belongs to device 1"));
    ok!(aclrtDeviceEnablePeerAccess(0, 0));
    ok!(aclrtMemcpy(first, 64, second, 64, MemcpyKind::DEVICE_TO_DEVICE));
    assert_eq!(take::<u32>(first, 16), [7; 16]);
    assert_eq!(launch("nothing", 1, s, &[]).0, 107_003);
    let mut event = EventHandle::NULL;
    ok!(aclrtCreateEvent(&raw mut event));
    ok!(aclrtSetDevice(0));
    assert!(fails!(107_003, aclrtRecordEvent(event, s)).contains("the event belongs to device 1"));
}

#[test]
#[ignore = "run in a process of its own"]
fn child_no_device() {
    let mut count = 9;
    assert!(fails!(207_004, aclrtGetDeviceCount(&raw mut count)).contains("must ascend without duplicates"));
    fails!(207_004, aclrtSetDevice(0));
    assert!(acl!(aclrtGetSocName()).is_null());
}

#[test]
fn an_unknown_chip_is_told() {
    good_child("children::child_unknown_chip", &[("TOPROPE_SOC", "Ascend999")]);
}

#[test]
#[ignore = "run in a process of its own"]
fn child_unknown_chip() {
    let text = fails!(207_004, aclrtSetDevice(0));
    assert!(text.contains("unknown SoC `Ascend999`") && text.contains("Ascend910B4"), "{text}");
}

#[test]
fn rule_39_the_time_limit_is_configurable() {
    good_child("children::child_time_limit", &[("TOPROPE_TIME_LIMIT", "100ms")]);
}

#[test]
#[ignore = "run in a process of its own"]
fn child_time_limit() {
    ok!(aclrtSetDevice(0));
    let begin = Instant::now();
    run("forever", 4, DEFAULT, &[]);
    let text = fails!(507_034, aclrtSynchronizeStream(DEFAULT));
    assert!(text.contains("kernel `forever` (4 blocks, the default stream) did not end"), "{text}");
    assert!(begin.elapsed() < Duration::from_secs(20));
    let x = malloc(4);
    put(x, &[1u32]);
    run("add_one", 1, DEFAULT, &[x as u64, 1]);
    sync(DEFAULT);
    assert_eq!(take::<u32>(x, 1), [2]);
}

#[test]
fn the_process_ends_though_a_kernel_runs() {
    let begin = Instant::now();
    good_child("children::child_leaves_a_kernel", &[]);
    assert!(begin.elapsed() < Duration::from_secs(30));
}

#[test]
#[ignore = "run in a process of its own"]
fn child_leaves_a_kernel() {
    ok!(aclrtSetDevice(0));
    run("forever", 1, DEFAULT, &[]);
    run("nothing", 1, DEFAULT, &[]);
}

#[test]
fn a_forked_child_is_told_that_it_cannot_use_the_device() {
    good_child("children::child_forks", &[]);
}

#[test]
#[ignore = "run in a process of its own"]
fn child_forks() {
    ok!(aclrtSetDevice(0));
    // SAFETY: the child only makes the calls below and ends without running exit handlers.
    let pid = unsafe { libc::fork() };
    if pid == 0 {
        let code = acl!(aclrtSetDevice(0)).0;
        let names = !acl!(aclrtGetSocName()).is_null();
        let told = message().contains("this process was forked from one that had used a device");
        let status = i32::from(!(code == 507_033 && names && told));
        // SAFETY: ends the child.
        unsafe { libc::_exit(status) };
    }
    let mut status = -1;
    // SAFETY: waits for the child made above.
    unsafe { libc::waitpid(pid, &raw mut status, 0) };
    assert_eq!(status, 0);
    run("nothing", 1, DEFAULT, &[]);
    sync(DEFAULT);
}

#[test]
fn the_report_lists_launches_findings_and_leaks() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("report.json");
    let (_, err) = good_child("children::child_reports", &[("TOPROPE_REPORT", path.to_str().unwrap())]);
    let report: serde_json::Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    assert_eq!(report["soc"], "Ascend910B1");
    assert_eq!(report["version"], env!("CARGO_PKG_VERSION"));
    let launches = report["launches"].as_array().unwrap();
    assert!(launches.len() < 1100, "{} records", launches.len());
    let of = |kernel: &str| {
        launches.iter().filter(|l| l["kernel"] == kernel).map(|l| l["count"].as_u64().unwrap()).sum::<u64>()
    };
    assert_eq!((of("nothing"), of("trap")), (2500, 1));
    let trap = launches.iter().find(|l| l["kernel"] == "trap").unwrap();
    assert_eq!(
        (&trap["status"], &trap["code"], &trap["num_blocks"]),
        (&"failed".into(), &507_036.into(), &2.into())
    );
    assert!(trap["device_time_us"].as_f64().unwrap() > 0.0);
    let findings = report["findings"].as_array().unwrap();
    assert!(findings.iter().any(|f| f["kernel"] == "trap" && f["severity"] == "Error"), "{findings:?}");
    assert!(
        findings.iter().any(|f| f["title"].as_str().unwrap().contains("the number of blocks is 0")),
        "{findings:?}"
    );
    assert_eq!(report["leaks"][0]["bytes"], 1234);
    assert!(err.contains("RefusedLaunch] nothing: the launch was refused"), "{err}");
    use std::os::unix::fs::PermissionsExt;
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1, "no temporary file is left");
}

#[test]
#[ignore = "run in a process of its own"]
fn child_reports() {
    ok!(aclrtSetDevice(0));
    run("trap", 2, DEFAULT, &[]);
    fails!(507_036, aclrtSynchronizeStream(DEFAULT));
    assert_eq!(launch("nothing", 0, DEFAULT, &[]).0, 107_000);
    for _ in 0..2500 {
        run("nothing", 1, DEFAULT, &[]);
    }
    sync(DEFAULT);
    malloc(1234);
}

#[test]
fn quiet_prints_nothing() {
    let (_, err) = good_child("children::child_reports", &[("TOPROPE_QUIET", "1")]);
    assert!(!err.contains("RefusedLaunch"), "{err}");
}

#[test]
fn alignment_of_device_memory_can_be_lowered_to_the_documented_one() {
    good_child("children::child_alignment", &[("TOPROPE_GM_ALIGN", "64")]);
}

#[test]
#[ignore = "run in a process of its own"]
fn child_alignment() {
    ok!(aclrtSetDevice(0));
    for size in [1, 100, 5 << 20] {
        assert_eq!(malloc(size) as usize % 128, 64);
    }
}
