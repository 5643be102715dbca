//! Rule 24: stopping work that is on its way; and rule 56: what a program is told of faults.

use crate::support::*;
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::Mutex;
use std::time::Duration;
use toprope_abi::acl::*;

fn word() -> *mut c_void {
    let at = malloc(8);
    put(at, &[0u64]);
    at
}

#[test]
fn rule_24_abort_drops_what_runs_and_what_waits() {
    let _device = device();
    let (s, gate, x) = (stream(), word(), word());
    run("hold", 2, s, &[gate as u64]);
    run("add_one", 1, s, &[x as u64, 1]);
    let handle = s.0 as usize;
    let waiter = std::thread::spawn(move || {
        let s = StreamHandle(handle as *mut c_void);
        acl!(aclrtSynchronizeStreamWithTimeout(s, 20_000)).0
    });
    std::thread::sleep(Duration::from_millis(30));
    ok!(aclrtStreamAbort(s));
    assert_eq!(waiter.join().unwrap(), 107_023);
    sync(s);
    assert_eq!(take::<u32>(x, 1), [0]);
    // The stream is usable again.
    run("add_one", 1, s, &[x as u64, 1]);
    sync(s);
    assert_eq!(take::<u32>(x, 1), [1]);
}

#[test]
fn rule_24_the_next_synchronisation_reports_an_abort_once() {
    let _device = device();
    let s = stream();
    run("forever", 1, s, &[]);
    run("forever_cube", 1, s, &[]);
    ok!(aclrtStreamAbort(s));
    let text = fails!(107_023, aclrtSynchronizeStream(s));
    assert!(text.contains("aclrtStreamAbort dropped work of stream"), "{text}");
    sync(s);
}

#[test]
fn rule_24_aborting_an_idle_stream_changes_nothing() {
    let _device = device();
    let s = stream();
    run("nothing", 1, s, &[]);
    sync(s);
    ok!(aclrtStreamAbort(s));
    sync(s);
    ok!(aclrtStreamAbort(DEFAULT));
    sync(DEFAULT);
}

#[test]
fn rule_24_waits_of_every_kind_are_aborted() {
    let _device = device();
    let (a, b, gate) = (stream(), stream(), word());
    let (mut event, mut notify) = (EventHandle::NULL, NotifyHandle::NULL);
    ok!(aclrtCreateEvent(&raw mut event));
    ok!(aclrtCreateNotify(&raw mut notify, 0));
    run("hold", 1, b, &[gate as u64]);
    ok!(aclrtRecordEvent(event, b));
    let waits: [&dyn Fn(); 3] =
        [&|| ok!(aclrtStreamWaitEvent(a, event)), &|| ok!(aclrtWaitAndResetNotify(notify, a, 0)), &|| {
            ok!(aclrtValueWait(gate, 1 << 40, STREAM_WAIT_VALUE_EQ, a))
        }];
    for wait in waits {
        wait();
        ok!(aclrtStreamAbort(a));
        fails!(107_023, aclrtSynchronizeStream(a));
    }
    let mut status = EventWaitStatus::NOT_READY;
    ok!(aclrtQueryEventWaitStatus(event, &raw mut status));
    assert_eq!(status, EventWaitStatus::COMPLETE);
    // The aborted wait does not take the record.
    ok!(aclrtRecordNotify(notify, a));
    ok!(aclrtWaitAndResetNotify(notify, a, 0));
    sync(a);
    put(gate, &[1u64]);
    sync(b);
}

#[test]
fn rule_24_streams_that_wait_for_an_aborted_one_go_on() {
    let _device = device();
    let (a, b) = (stream(), stream());
    let mut event = EventHandle::NULL;
    ok!(aclrtCreateEvent(&raw mut event));
    run("forever", 1, a, &[]);
    ok!(aclrtRecordEvent(event, a));
    ok!(aclrtStreamWaitEvent(b, event));
    ok!(aclrtStreamAbort(a));
    sync(b);
    fails!(107_023, aclrtSynchronizeEvent(event));
}

#[test]
fn stop_ends_the_running_task_only() {
    let _device = device();
    let (s, x) = (stream(), word());
    run("forever", 1, s, &[]);
    run("add_one", 1, s, &[x as u64, 1]);
    ok!(aclrtStreamStop(s));
    let text = fails!(107_035, aclrtSynchronizeStream(s));
    assert!(text.contains("aclrtStreamStop stopped the task"), "{text}");
    assert_eq!(take::<u32>(x, 1), [1]);
    ok!(aclrtStreamStop(s));
    sync(s);
    assert!(fails!(100_000, aclrtStreamStop(DEFAULT)).contains("default stream"));
}

#[test]
fn stopping_does_not_stop_a_context_that_stops_on_failure() {
    let _device = device();
    let s = stream();
    ok!(aclrtSetStreamFailureMode(s, STOP_ON_FAILURE.into()));
    run("forever", 1, s, &[]);
    ok!(aclrtStreamStop(s));
    fails!(107_035, aclrtSynchronizeStream(s));
    run("nothing", 1, s, &[]);
    sync(s);
}

#[test]
fn rule_25_stop_on_failure_holds_for_every_stream_of_the_context() {
    let _device = device();
    let (asked, other) = (stream(), stream());
    ok!(aclrtSetStreamFailureMode(asked, STOP_ON_FAILURE.into()));
    run("trap", 1, other, &[]);
    fails!(507_036, aclrtSynchronizeStream(other));
    assert_eq!(launch("nothing", 1, asked, &[]).0, 507_036);
}

#[test]
fn destroying_by_force_ends_a_kernel_that_never_would() {
    let _device = device();
    // As many as there are workers at most, so that nothing else could run.
    let streams: Vec<StreamHandle> = (0..64).map(|_| stream()).collect();
    streams.iter().for_each(|s| run("forever", 1, *s, &[]));
    streams.iter().for_each(|s| ok!(aclrtDestroyStreamForce(*s)));
    run("nothing", 1, DEFAULT, &[]);
    // With a limit this thread does not run the kernel itself.
    ok!(aclrtSynchronizeStreamWithTimeout(DEFAULT, 20_000));
}

#[test]
fn a_reset_by_force_ends_work_of_every_kind() {
    let session = device();
    let (mut notify, mut event) = (NotifyHandle::NULL, EventHandle::NULL);
    ok!(aclrtCreateNotify(&raw mut notify, 0));
    ok!(aclrtCreateEvent(&raw mut event));
    let (a, b, c, d) = (stream(), stream(), stream(), stream());
    run("forever", 1, a, &[]);
    ok!(aclrtRecordEvent(event, a));
    ok!(aclrtStreamWaitEvent(b, event));
    ok!(aclrtWaitAndResetNotify(notify, c, 0));
    ok!(aclrtValueWait(word(), 1, STREAM_WAIT_VALUE_EQ, d));
    ok!(aclrtResetDeviceForce(0));
    fails!(107_017, aclrtDestroyNotify(notify));
    ok!(aclrtSetDevice(0));
    run("nothing", 1, DEFAULT, &[]);
    ok!(aclrtSynchronizeStreamWithTimeout(DEFAULT, 20_000));
    drop(session);
}

#[test]
fn destroying_a_context_finishes_its_work() {
    let _device = device();
    let x = word();
    let mut context = ContextHandle::NULL;
    ok!(aclrtCreateContext(&raw mut context, 0));
    let s = stream();
    for _ in 0..100 {
        run("add_one", 1, s, &[x as u64, 1]);
    }
    ok!(aclrtDestroyContext(context));
    ok!(aclrtSetDevice(0));
    assert_eq!(take::<u32>(x, 1), [100]);
    fails!(107_017, aclrtSynchronizeStream(s));
}

// ---- what a program is told ------------------------------------------------------------------------------------------

/// Task, stream, thread, device, code.
type Told = [u32; 5];
static TOLD: Mutex<Vec<Told>> = Mutex::new(Vec::new());

unsafe extern "C" fn tell(info: *mut ExceptionInfo) {
    TOLD.lock().unwrap().push([
        acl!(aclrtGetTaskIdFromExceptionInfo(info)),
        acl!(aclrtGetStreamIdFromExceptionInfo(info)),
        acl!(aclrtGetThreadIdFromExceptionInfo(info)),
        acl!(aclrtGetDeviceIdFromExceptionInfo(info)),
        acl!(aclrtGetErrorCodeFromExceptionInfo(info)),
    ]);
}

unsafe extern "C" fn tell_too(info: *mut ExceptionInfo) {
    // SAFETY: the same contract.
    unsafe { tell(info) };
}

fn told() -> Vec<Told> {
    std::mem::take(&mut *TOLD.lock().unwrap())
}

#[test]
fn rule_56_a_callback_learns_which_task_failed() {
    let _device = device();
    told();
    let (s, mut id, mut task) = (stream(), 0i32, 0u32);
    ok!(aclrtStreamGetId(s, &raw mut id));
    ok!(aclrtSetExceptionInfoCallback(ExceptionInfoCallback(Some(tell))));
    run("nothing", 1, s, &[]);
    run("trap", 1, s, &[]);
    ok!(aclrtGetThreadLastTaskId(&raw mut task));
    run("nothing", 1, s, &[]);
    fails!(507_036, aclrtSynchronizeStream(s));
    // SAFETY: has no preconditions.
    let thread = unsafe { libc::gettid() } as u32;
    assert_eq!(told(), [[task, id as u32, thread, 0, 507_036]], "told before the synchronisation returns");
    ok!(aclrtSetExceptionInfoCallback(ExceptionInfoCallback(None)));
    run("trap", 1, s, &[]);
    fails!(507_036, aclrtSynchronizeStream(s));
    assert!(told().is_empty());
}

#[test]
fn rule_56_registered_callbacks_and_the_single_one_are_independent() {
    let _device = device();
    told();
    let s = stream();
    let fail = || {
        run("trap", 1, s, &[]);
        fails!(507_036, aclrtSynchronizeStream(s));
        told().len()
    };
    let (first, second) = (ExceptionInfoCallback(Some(tell)), ExceptionInfoCallback(Some(tell_too)));
    ok!(aclrtExceptionInfoCallbackRegister(first));
    ok!(aclrtExceptionInfoCallbackRegister(first));
    assert_eq!(fail(), 1);
    ok!(aclrtExceptionInfoCallbackRegister(second));
    ok!(aclrtSetExceptionInfoCallback(first));
    assert_eq!(fail(), 3);
    ok!(aclrtExceptionInfoCallbackUnregister(first));
    ok!(aclrtExceptionInfoCallbackUnregister(first));
    assert_eq!(fail(), 2);
    ok!(aclrtSetExceptionInfoCallback(ExceptionInfoCallback(None)));
    ok!(aclrtExceptionInfoCallbackUnregister(second));
    assert_eq!(fail(), 0);
    fails!(100_000, aclrtExceptionInfoCallbackRegister(ExceptionInfoCallback(None)));
    fails!(100_000, aclrtExceptionInfoCallbackUnregister(ExceptionInfoCallback(None)));
}

#[test]
fn rule_56_getters_without_a_fault() {
    let none = std::ptr::null();
    assert_eq!(acl!(aclrtGetTaskIdFromExceptionInfo(none)), u32::MAX);
    assert_eq!(acl!(aclrtGetStreamIdFromExceptionInfo(none)), u32::MAX);
    assert_eq!(acl!(aclrtGetThreadIdFromExceptionInfo(none)), u32::MAX);
    assert_eq!(acl!(aclrtGetDeviceIdFromExceptionInfo(none)), u32::MAX);
    assert_eq!(acl!(aclrtGetErrorCodeFromExceptionInfo(none)), u32::MAX);
}

fn error_of_device() -> DeviceErrorInfo {
    let mut info = std::mem::MaybeUninit::uninit();
    ok!(aclrtGetErrorVerbose(0, info.as_mut_ptr()));
    // SAFETY: the call succeeded, so the struct is written.
    unsafe { info.assume_init() }
}

#[test]
fn a_device_remembers_a_fault_until_its_tasks_are_aborted() {
    let _device = device();
    assert_eq!(error_of_device().error_type, ErrorType::NO_ERROR);
    run("trap", 1, DEFAULT, &[]);
    fails!(507_036, aclrtSynchronizeStream(DEFAULT));
    let info = error_of_device();
    assert_eq!((info.error_type, info.try_repair, info.has_detail), (ErrorType::OTHERS, 0, 0));
    let text = fails!(107_000, aclrtRepairError(0, &raw const info));
    assert!(text.contains("no fault of device 0 that can be repaired"), "{text}");
    ok!(aclrtDeviceTaskAbort(0, 0));
    assert_eq!(error_of_device().error_type, ErrorType::NO_ERROR);
    let mut other = info;
    fails!(107_001, aclrtGetErrorVerbose(99, &raw mut other));
    fails!(100_000, aclrtGetErrorVerbose(0, null_mut()));
    fails!(100_000, aclrtRepairError(0, null_mut()));
}

#[test]
fn embedded_memory_has_no_errors() {
    let _device = device();
    let mut list = [MemUceInfo { addr: null_mut(), size_bytes: 0, reserved: [0; 14] }; 2];
    let mut count = 9;
    ok!(aclrtGetMemUceInfo(0, list.as_mut_ptr(), 2, &raw mut count));
    assert_eq!(count, 0);
    fails!(107_000, aclrtMemUceRepair(0, list.as_mut_ptr(), 2));
    fails!(100_000, aclrtMemUceRepair(0, list.as_mut_ptr(), 0));
    fails!(100_000, aclrtMemUceRepair(0, list.as_mut_ptr(), 129));
    fails!(100_000, aclrtGetMemUceInfo(0, null_mut(), 2, &raw mut count));
    fails!(107_001, aclrtGetMemUceInfo(99, list.as_mut_ptr(), 2, &raw mut count));
}

static STAGES: Mutex<Vec<(i32, i32, u32)>> = Mutex::new(Vec::new());

unsafe extern "C" fn note_stage(
    device: i32,
    stage: DeviceTaskAbortStage,
    timeout: u32,
    result: *mut c_void,
) -> i32 {
    STAGES.lock().unwrap().push((device, stage.0, timeout));
    result as i32
}

#[test]
fn aborting_a_device_ends_the_work_of_all_its_streams() {
    let _device = device();
    STAGES.lock().unwrap().clear();
    let name = c_text("abort test");
    let callback = DeviceTaskAbortCallback(Some(note_stage));
    ok!(aclrtSetDeviceTaskAbortCallback(c_ptr(&name), callback, null_mut()));
    fails!(107_000, aclrtSetDeviceTaskAbortCallback(c_ptr(&name), callback, null_mut()));
    let (a, b, idle) = (stream(), stream(), stream());
    run("forever", 1, a, &[]);
    run("forever", 1, b, &[]);
    ok!(aclrtDeviceTaskAbort(0, 20_000));
    assert_eq!(*STAGES.lock().unwrap(), [(0, 0, 20_000), (0, 1, 20_000)]);
    fails!(107_022, aclrtSynchronizeStream(a));
    fails!(107_022, aclrtSynchronizeStream(b));
    sync(idle);
    run("nothing", 1, a, &[]);
    sync(a);
    fails!(107_001, aclrtDeviceTaskAbort(99, 0));
    fails!(107_000, aclrtDeviceTaskAbort(0, 36 * 60 * 1000 + 1));
    ok!(aclrtSetDeviceTaskAbortCallback(c_ptr(&name), DeviceTaskAbortCallback(None), null_mut()));
    fails!(107_000, aclrtSetDeviceTaskAbortCallback(c_ptr(&name), DeviceTaskAbortCallback(None), null_mut()));
}

static KERNELS_TOLD: Mutex<Vec<(usize, Vec<u64>, usize)>> = Mutex::new(Vec::new());

unsafe extern "C" fn tell_kernel(info: *mut ExceptionInfo, user_data: *mut c_void) {
    let (mut function, mut args, mut length) = (FuncHandle::NULL, null_mut(), 0);
    ok!(aclrtGetFuncHandleFromExceptionInfo(info, &raw mut function));
    ok!(aclrtGetArgsFromExceptionInfo(info, &raw mut args, &raw mut length));
    // SAFETY: valid during the callback.
    let words = unsafe { std::slice::from_raw_parts(args.cast::<u64>(), length as usize / 8) };
    KERNELS_TOLD.lock().unwrap().push((function.0 as usize, words.to_vec(), user_data as usize));
}

#[test]
fn a_binary_has_a_callback_of_its_own_that_learns_kernel_and_arguments() {
    let _device = device();
    let (s, x) = (stream(), word());
    let callback = OpExceptionCallback(Some(tell_kernel));
    ok!(aclrtBinarySetExceptionCallback(binary(), callback, 5 as *mut c_void));
    run("load_at", 1, s, &[x as u64, 1 << 20]);
    fails!(507_035, aclrtSynchronizeStream(s));
    let wanted = (function("load_at").0 as usize, vec![x as u64, 1 << 20], 5);
    assert_eq!(std::mem::take(&mut *KERNELS_TOLD.lock().unwrap()), [wanted]);
    ok!(aclrtBinarySetExceptionCallback(binary(), OpExceptionCallback(None), null_mut()));
    run("trap", 1, s, &[]);
    fails!(507_036, aclrtSynchronizeStream(s));
    assert!(KERNELS_TOLD.lock().unwrap().is_empty());
    let mut function = FuncHandle::NULL;
    fails!(100_000, aclrtGetFuncHandleFromExceptionInfo(null_mut(), &raw mut function));
}
