//! Rules 37–39: functions of the program that streams call, and time limits.

use crate::support::*;
use std::ffi::c_void;
use std::sync::atomic::{AtomicI32, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread::JoinHandle;
use toprope_abi::acl::*;

type Body = Box<dyn Fn() + Send + Sync>;

/// A closure that a stream may call.
struct Called(Box<Body>);

impl Called {
    fn new(body: impl Fn() + Send + Sync + 'static) -> Called {
        Called(Box::new(Box::new(body)))
    }

    fn argument(&self) -> *mut c_void {
        (&raw const *self.0).cast_mut().cast()
    }

    fn host_func(&self, s: StreamHandle) {
        ok!(aclrtLaunchHostFunc(s, HostFunc(Some(enter)), self.argument()));
    }

    fn report(&self, s: StreamHandle, block: CallbackBlockType) {
        ok!(aclrtLaunchCallback(Callback(Some(enter)), self.argument(), block, s));
    }
}

unsafe extern "C" fn enter(body: *mut c_void) {
    // SAFETY: `Called` lives until its stream was synchronised.
    let body = unsafe { &*body.cast::<Body>() };
    body();
}

unsafe extern "C-unwind" fn enter_unwinding(body: *mut c_void) {
    // SAFETY: as above.
    let body = unsafe { &*body.cast::<Body>() };
    body();
}

fn me() -> u64 {
    // SAFETY: has no preconditions.
    unsafe { libc::pthread_self() as u64 }
}

#[test]
fn rule_38_a_host_function_runs_in_order_and_holds_its_stream() {
    let _device = device();
    let (a, b, x) = (stream(), stream(), malloc(4));
    put(x, &[0u32]);
    let (go, gate) = mpsc::channel::<()>();
    let (gate, address) = (Mutex::new(gate), x as usize);
    let seen = Arc::new(AtomicU32::new(99));
    let note = seen.clone();
    let hold = Called::new(move || {
        // SAFETY: device memory is memory of this process, and its stream stands still.
        note.store(unsafe { (address as *const u32).read_volatile() }, Ordering::SeqCst);
        let _ = gate.lock().unwrap().recv();
    });
    run("add_one", 1, a, &[x as u64, 1]);
    hold.host_func(a);
    run("add_one", 1, a, &[x as u64, 1]);
    eventually("the function", || seen.load(Ordering::SeqCst) == 1);
    run("nothing", 1, b, &[]);
    sync(b);
    fails!(507_046, aclrtSynchronizeStreamWithTimeout(a, 20));
    assert_eq!(take::<u32>(x, 1), [1]);
    go.send(()).unwrap();
    sync(a);
    assert_eq!(take::<u32>(x, 1), [2]);
}

#[test]
fn rule_38_many_streams_may_block_in_functions_at_a_time() {
    let _device = device();
    let count = Arc::new(AtomicU32::new(0));
    let streams: Vec<StreamHandle> = (0..8).map(|_| stream()).collect();
    let calls: Vec<Called> = (0..8)
        .map(|_| {
            let count = count.clone();
            Called::new(move || {
                count.fetch_add(1, Ordering::SeqCst);
                eventually("all of them", || count.load(Ordering::SeqCst) == 8);
            })
        })
        .collect();
    calls.iter().zip(&streams).for_each(|(call, s)| call.host_func(*s));
    streams.iter().for_each(|s| sync(*s));
}

#[test]
fn rule_38_thousands_of_functions_run_once_each_in_order() {
    let _device = device();
    let s = stream();
    let list = Arc::new(Mutex::new(Vec::new()));
    let calls: Vec<Called> = (0..2000)
        .map(|i| {
            let list = list.clone();
            Called::new(move || list.lock().unwrap().push(i))
        })
        .collect();
    calls.iter().for_each(|call| call.host_func(s));
    sync(s);
    assert!(list.lock().unwrap().iter().copied().eq(0..2000));
}

#[test]
fn rule_38_inside_a_function_device_work_is_refused() {
    let _device = device();
    let (s, other) = (stream(), stream());
    let codes = Arc::new([const { AtomicI32::new(0) }; 4]);
    let seen = codes.clone();
    let (s_at, other_at) = (s.0 as usize, other.0 as usize);
    let call = Called::new(move || {
        let at = |handle: usize| StreamHandle(handle as *mut c_void);
        let answers = [
            acl!(aclrtSynchronizeStream(at(s_at))),
            acl!(aclrtSynchronizeStream(at(other_at))),
            acl!(aclrtStreamAbort(at(other_at))),
            acl!(aclrtDestroyStream(at(other_at))),
        ];
        answers.iter().zip(seen.iter()).for_each(|(code, at)| at.store(code.0, Ordering::SeqCst));
    });
    call.host_func(s);
    sync(s);
    assert_eq!(codes.each_ref().map(|c| c.load(Ordering::SeqCst)), [207_000; 4]);
    sync(other);
}

#[test]
fn rule_38_a_panic_fails_the_task_and_later_ones_run() {
    let _device = device();
    let (s, x) = (stream(), malloc(4));
    put(x, &[0u32]);
    let call = Called::new(|| panic!("on purpose"));
    // SAFETY: only the promise about unwinding differs; the runtime makes none either.
    let function = unsafe {
        std::mem::transmute::<unsafe extern "C-unwind" fn(*mut c_void), unsafe extern "C" fn(*mut c_void)>(
            enter_unwinding,
        )
    };
    ok!(aclrtLaunchHostFunc(s, HostFunc(Some(function)), call.argument()));
    run("add_one", 1, s, &[x as u64, 1]);
    let text = fails!(507_000, aclrtSynchronizeStream(s));
    assert!(text.contains("a function of aclrtLaunchHostFunc panicked: on purpose"), "{text}");
    assert_eq!(take::<u32>(x, 1), [1]);
    sync(s);
}

#[test]
fn rule_38_a_foreign_exception_ends_the_process_and_says_which_function() {
    let output = child("callback::child_foreign_exception", &[]);
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(err.contains("a function of aclrtLaunchHostFunc let an exception out"), "{err}");
}

#[repr(C, align(16))]
struct Foreign {
    class: u64,
    cleanup: *const c_void,
    private: [u64; 6],
}

unsafe extern "C-unwind" {
    fn _Unwind_RaiseException(exception: *mut Foreign) -> i32;
}

#[test]
#[ignore = "run in a process of its own"]
fn child_foreign_exception() {
    let _device = device();
    let s = stream();
    let call = Called::new(|| {
        let exception = Foreign { class: 0x746f_7072_6f70_6500, cleanup: std::ptr::null(), private: [0; 6] };
        // SAFETY: a leaked exception of our own class.
        unsafe { _Unwind_RaiseException(Box::leak(Box::new(exception))) };
    });
    // SAFETY: as in the test above.
    let function = unsafe {
        std::mem::transmute::<unsafe extern "C-unwind" fn(*mut c_void), unsafe extern "C" fn(*mut c_void)>(
            enter_unwinding,
        )
    };
    ok!(aclrtLaunchHostFunc(s, HostFunc(Some(function)), call.argument()));
    sync(s);
}

/// A thread that processes until its word is not 0.
struct Processor {
    id: u64,
    stop: Arc<AtomicU32>,
    thread: Option<JoinHandle<()>>,
}

impl Processor {
    fn new(host_func: bool) -> Processor {
        let (stop, id) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicU64::new(0)));
        let (stopped, told) = (stop.clone(), id.clone());
        let thread = std::thread::spawn(move || {
            told.store(me(), Ordering::SeqCst);
            while stopped.load(Ordering::SeqCst) == 0 {
                // Before the subscription it fails at once, as in programs of this kind.
                let code =
                    if host_func { acl!(aclrtProcessHostFunc(5)) } else { acl!(aclrtProcessReport(5)) };
                assert!([0, 107_012, 507_012].contains(&code.0), "{code:?}");
                std::thread::yield_now();
            }
        });
        eventually("the thread's start", || id.load(Ordering::SeqCst) != 0);
        Processor { id: id.load(Ordering::SeqCst), stop, thread: Some(thread) }
    }
}

impl Drop for Processor {
    fn drop(&mut self) {
        self.stop.store(1, Ordering::SeqCst);
        let ended = self.thread.take().map(JoinHandle::join);
        assert!(std::thread::panicking() || ended.is_some_and(|e| e.is_ok()));
    }
}

#[test]
fn rule_37_the_subscribed_thread_runs_callbacks() {
    let _device = device();
    let (s, x) = (stream(), malloc(4));
    put(x, &[0u32]);
    let processor = Processor::new(false);
    let id = processor.id;
    ok!(aclrtSubscribeReport(id, s));
    let ran = Arc::new(AtomicU32::new(0));
    let note = ran.clone();
    let call = Called::new(move || {
        assert_eq!(me(), id);
        note.fetch_add(1, Ordering::SeqCst);
    });
    for _ in 0..100 {
        run("add_one", 1, s, &[x as u64, 1]);
        call.report(s, CallbackBlockType::BLOCK);
        call.report(s, CallbackBlockType::NO_BLOCK);
    }
    call.report(s, CallbackBlockType::BLOCK);
    sync(s);
    assert_eq!((ran.load(Ordering::SeqCst), take::<u32>(x, 1)), (201, vec![100]));
    ok!(aclrtUnSubscribeReport(id, s));
}

#[test]
fn rule_37_only_block_holds_the_stream() {
    let _device = device();
    let s = stream();
    ok!(aclrtSubscribeReport(me(), s));
    let call = Called::new(|| ());
    call.report(s, CallbackBlockType::NO_BLOCK);
    sync(s);
    ok!(aclrtProcessReport(1000));
    call.report(s, CallbackBlockType::BLOCK);
    fails!(507_046, aclrtSynchronizeStreamWithTimeout(s, 20));
    ok!(aclrtProcessReport(-1));
    sync(s);
    fails!(507_012, aclrtProcessReport(5));
    ok!(aclrtUnSubscribeReport(me(), s));
}

#[test]
fn rule_37_subscriptions_are_checked() {
    let _device = device();
    let s = stream();
    let call = Called::new(|| ());
    let launch = |block| {
        acl!(aclrtLaunchCallback(Callback(Some(enter)), call.argument(), CallbackBlockType(block), s)).0
    };
    assert_eq!(launch(1), 107_015);
    assert!(message().contains("no thread is subscribed"));
    for bad in [0, -2] {
        fails!(107_000, aclrtProcessReport(bad));
    }
    fails!(107_012, aclrtProcessReport(5));
    fails!(107_015, aclrtUnSubscribeReport(me(), s));
    ok!(aclrtSubscribeReport(me(), s));
    fails!(107_011, aclrtSubscribeReport(me(), s));
    fails!(107_011, aclrtSubscribeReport(1, s));
    fails!(107_012, aclrtUnSubscribeReport(1, s));
    assert_eq!(launch(2), 100_000);
    fails!(100_000, aclrtLaunchCallback(Callback(None), call.argument(), CallbackBlockType::BLOCK, s));
    // The same thread may serve more streams.
    let other = stream();
    ok!(aclrtSubscribeReport(me(), other));
    ok!(aclrtUnSubscribeReport(me(), other));
    ok!(aclrtUnSubscribeReport(me(), s));
    assert_eq!(launch(1), 107_015);
    fails!(100_000, aclrtSubscribeHostFunc(me(), DEFAULT));
    fails!(100_000, aclrtLaunchHostFunc(s, HostFunc(None), call.argument()));
}

#[test]
fn rule_37_unsubscribing_and_destroying_let_a_held_stream_go() {
    let _device = device();
    let s = stream();
    ok!(aclrtSubscribeReport(me(), s));
    let call = Called::new(|| panic!("nobody processes it"));
    call.report(s, CallbackBlockType::BLOCK);
    ok!(aclrtUnSubscribeReport(me(), s));
    sync(s);
    ok!(aclrtSubscribeReport(me(), s));
    call.report(s, CallbackBlockType::BLOCK);
    ok!(aclrtDestroyStreamForce(s));
    fails!(107_012, aclrtProcessReport(5));
}

#[test]
fn rule_38_a_program_may_own_the_thread_of_host_functions() {
    let _device = device();
    let s = stream();
    let processor = Processor::new(true);
    let id = processor.id;
    ok!(aclrtSubscribeHostFunc(id, s));
    let ran = Arc::new(AtomicU32::new(0));
    let note = ran.clone();
    let call = Called::new(move || {
        assert_eq!(me(), id);
        note.fetch_add(1, Ordering::SeqCst);
    });
    for _ in 0..10 {
        call.host_func(s);
    }
    sync(s);
    assert_eq!(ran.load(Ordering::SeqCst), 10);
    ok!(aclrtUnSubscribeHostFunc(id, s));
}

#[test]
fn rule_39_limits_of_kernels_come_in_steps() {
    let _device = device();
    let (mut step, mut actual, mut ms) = (0u64, 0u64, 0u32);
    ok!(aclrtGetOpTimeOutInterval(&raw mut step));
    assert_eq!(step, 4_294_967);
    ok!(aclrtSetOpExecuteTimeOutV2(10_000_000, &raw mut actual));
    assert_eq!(actual, 3 * step);
    ok!(aclrtGetOpExecuteTimeout(&raw mut ms));
    assert_eq!(u64::from(ms), actual.div_ceil(1000));
    let s = stream();
    ok!(aclrtSetOpExecuteTimeOut(1));
    run("forever", 1, s, &[]);
    let text = fails!(507_034, aclrtSynchronizeStream(s));
    assert!(text.contains("4.29"), "{text}");
    ok!(aclrtSetOpExecuteTimeOutV2(0, &raw mut actual));
    assert_eq!(actual, 254 * step);
    run("nothing", 1, s, &[]);
    sync(s);
    fails!(100_000, aclrtSetOpExecuteTimeOutV2(1, std::ptr::null_mut()));
}

#[test]
fn tasks_are_numbered_per_stream() {
    let _device = device();
    let (s, mut first, mut second) = (stream(), 0, 0);
    run("nothing", 1, s, &[]);
    ok!(aclrtGetThreadLastTaskId(&raw mut first));
    run("nothing", 1, s, &[]);
    ok!(aclrtGetThreadLastTaskId(&raw mut second));
    assert_eq!(second, first + 1);
    std::thread::spawn(|| {
        let mut none = 9;
        ok!(aclrtGetThreadLastTaskId(&raw mut none));
        assert_eq!(none, 0);
    })
    .join()
    .unwrap();
    sync(s);
}
