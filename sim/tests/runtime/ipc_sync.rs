//! Events and notifies between processes, with real child processes.

use crate::ipc::{Other, number, serve};
use crate::support::*;
use std::ptr::null_mut;
use std::time::Instant;
use toprope_abi::acl::*;
use toprope_abi::layout::CChar;

fn ipc_event() -> EventHandle {
    let mut event = EventHandle::NULL;
    ok!(aclrtCreateEventExWithFlag(&raw mut event, EVENT_IPC));
    event
}

fn key_of_event(event: EventHandle) -> String {
    let mut handle = IpcEventHandle { reserved: [CChar(0); 64] };
    ok!(aclrtIpcGetEventHandle(event, &raw mut handle));
    handle.reserved.iter().map(|c| char::from(c.0 as u8)).collect()
}

fn event_handle(key: &str) -> IpcEventHandle {
    let mut handle = IpcEventHandle { reserved: [CChar(0); 64] };
    for (place, byte) in handle.reserved.iter_mut().zip(key.bytes()) {
        *place = CChar(byte as _);
    }
    handle
}

fn open_event(key: &str) -> EventHandle {
    let mut event = EventHandle::NULL;
    ok!(aclrtIpcOpenEventHandle(event_handle(key), &raw mut event));
    event
}

fn is_complete(event: EventHandle) -> bool {
    let mut status = EventRecordedStatus::NOT_READY;
    ok!(aclrtQueryEventStatus(event, &raw mut status));
    status == EventRecordedStatus::COMPLETE
}

fn is_idle(stream: StreamHandle) -> bool {
    let mut status = StreamStatus::NOT_READY;
    ok!(aclrtStreamQuery(stream, &raw mut status));
    status == StreamStatus::COMPLETE
}

fn notify() -> NotifyHandle {
    let mut notify = NotifyHandle::NULL;
    ok!(aclrtCreateNotify(&raw mut notify, 0));
    notify
}

fn key_of_notify(notify: NotifyHandle, flags: u64) -> String {
    let mut key = [0u8; 65];
    ok!(aclrtNotifyGetExportKey(notify, key.as_mut_ptr().cast(), 65, flags));
    String::from_utf8(key[..64].to_vec()).unwrap()
}

fn try_import_notify(key: &str) -> (i32, NotifyHandle) {
    let (mut notify, key) = (NotifyHandle::NULL, c_text(key));
    let code = acl!(aclrtNotifyImportByKey(&raw mut notify, c_ptr(&key), 0)).0;
    (code, notify)
}

/// The other process of the tests below.
#[test]
#[ignore = "run in a process of its own"]
fn child_sync() {
    ok!(aclrtSetDevice(0));
    let (s, gate) = (stream(), malloc(64));
    let (mut event, mut signal) = (EventHandle::NULL, NotifyHandle::NULL);
    serve(|words| {
        match words {
            ["open", key] => event = open_event(key),
            ["make"] => {
                event = ipc_event();
                return key_of_event(event);
            }
            ["hold"] => {
                put(gate, &[0u32]);
                run("hold", 1, s, &[gate as u64]);
            }
            ["release"] => put(gate, &[1u32]),
            ["record"] => ok!(aclrtRecordEvent(event, s)),
            ["wait"] => ok!(aclrtStreamWaitEvent(s, event)),
            ["idle"] => return is_idle(s).to_string(),
            ["sync"] => {
                let code = acl!(aclrtSynchronizeStreamWithTimeout(s, 20_000)).0;
                return format!("{code} {}", message().replace('\n', " "));
            }
            ["synchronize"] => return acl!(aclrtSynchronizeEventWithTimeout(event, 20_000)).0.to_string(),
            ["complete"] => return is_complete(event).to_string(),
            ["destroy"] => ok!(aclrtDestroyEvent(event)),
            ["import", key] => {
                let (code, imported) = try_import_notify(key);
                signal = imported;
                return format!("{code} {}", message().replace('\n', " "));
            }
            ["notify"] => {
                let code = acl!(aclrtRecordNotify(signal, s)).0;
                return format!("{code} {}", message().replace('\n', " "));
            }
            ["exit"] => std::process::exit(0),
            _ => panic!("{words:?}"),
        }
        "ok".into()
    });
}

fn other() -> Other {
    Other::start("ipc_sync::child_sync", &[])
}

#[test]
fn a_stream_of_another_process_waits_for_the_latest_record() {
    let _device = device();
    let (s, gate, event) = (stream(), malloc(64), ipc_event());
    let key = key_of_event(event);
    assert_eq!(key_of_event(event), key, "one key per event");
    let mut other = other();
    other.ask(&format!("open {key}"));
    // Never recorded: complete, and nothing to wait for.
    assert_eq!(other.ask("complete"), "true");
    other.ask("wait");
    assert!(other.ask("sync").starts_with("0"));
    put(gate, &[0u32]);
    run("hold", 1, s, &[gate as u64]);
    ok!(aclrtRecordEvent(event, s));
    assert_eq!(other.ask("complete"), "false");
    other.ask("wait");
    assert_eq!(other.ask("idle"), "false");
    assert!(!is_complete(event));
    put(gate, &[1u32]);
    assert!(other.ask("sync").starts_with("0"));
    assert_eq!(other.ask("complete"), "true");
    assert!(is_complete(event));
    // A later record does not hold up a wait that was made before it.
    other.ask("wait");
    put(gate, &[0u32]);
    run("hold", 1, s, &[gate as u64]);
    ok!(aclrtRecordEvent(event, s));
    assert!(other.ask("sync").starts_with("0"));
    put(gate, &[1u32]);
    sync(s);
    other.finish();
    ok!(aclrtDestroyEvent(event));
}

#[test]
fn importers_record_too_and_everybody_sees_it() {
    let _device = device();
    let (s, event) = (stream(), ipc_event());
    let key = key_of_event(event);
    let (mut first, mut second) = (other(), other());
    first.ask(&format!("open {key}"));
    second.ask(&format!("open {key}"));
    first.ask("hold");
    first.ask("record");
    second.ask("wait");
    ok!(aclrtStreamWaitEvent(s, event));
    assert!(!is_idle(s));
    assert!(!is_complete(event));
    let text = fails!(507_047, aclrtSynchronizeEventWithTimeout(event, 10));
    assert!(text.contains("the IPC event did not happen in the time given"), "{text}");
    let text = fails!(507_046, aclrtSynchronizeStreamWithTimeout(s, 10));
    assert!(text.contains("it waits for IPC event"), "{text}");
    assert_eq!(second.ask("idle"), "false");
    first.ask("release");
    sync(s);
    assert!(second.ask("sync").starts_with("0"));
    assert_eq!(first.ask("synchronize"), "0");
    ok!(aclrtSynchronizeEvent(event));
    assert!(is_complete(event));
    // The maker destroys it first; who has imported it goes on, nobody new comes in.
    ok!(aclrtDestroyEvent(event));
    first.ask("hold");
    first.ask("record");
    second.ask("wait");
    assert_eq!(second.ask("idle"), "false");
    first.ask("release");
    assert!(second.ask("sync").starts_with("0"));
    let mut again = EventHandle::NULL;
    let text = fails!(507_022, aclrtIpcOpenEventHandle(event_handle(&key), &raw mut again));
    assert!(text.contains("does not export this (any more)"), "{text}");
    first.finish();
    second.finish();
}

#[test]
fn the_death_of_a_recorder_ends_the_wait() {
    let _device = device();
    let (s, event) = (stream(), ipc_event());
    let mut other = other();
    other.ask(&format!("open {}", key_of_event(event)));
    other.ask("hold");
    other.ask("record");
    ok!(aclrtStreamWaitEvent(s, event));
    let begin = Instant::now();
    other.kill();
    let text = fails!(507_022, aclrtSynchronizeStream(s));
    assert!(text.contains("ended before its stream got to the record of the event"), "{text}");
    assert!(begin.elapsed().as_secs() < 20);
    // The record is lost for whoever comes later, and a new one is good again.
    fails!(507_022, aclrtSynchronizeEvent(event));
    ok!(aclrtRecordEvent(event, s));
    ok!(aclrtSynchronizeEvent(event));
}

#[test]
fn the_death_of_the_maker_ends_the_wait() {
    let _device = device();
    let s = stream();
    let mut maker = other();
    let event = open_event(&maker.ask("make"));
    maker.ask("hold");
    maker.ask("record");
    ok!(aclrtStreamWaitEvent(s, event));
    let number = event.0 as usize;
    let waiter = std::thread::spawn(move || acl!(aclrtSynchronizeEvent(EventHandle(number as *mut _))).0);
    maker.kill();
    let text = fails!(507_022, aclrtSynchronizeStream(s));
    assert!(text.contains("ended, or closed the connection"), "{text}");
    assert_eq!(waiter.join().unwrap(), 507_022);
    fails!(507_022, aclrtStreamWaitEvent(s, event));
    fails!(507_022, aclrtRecordEvent(event, s));
    let mut status = EventRecordedStatus::NOT_READY;
    fails!(507_022, aclrtQueryEventStatus(event, &raw mut status));
    ok!(aclrtDestroyEvent(event));
    // An event of a process that ended in good order is no different.
    let mut maker = other();
    let key = maker.ask("make");
    maker.say("exit");
    maker.child.wait().unwrap();
    let mut again = EventHandle::NULL;
    fails!(507_022, aclrtIpcOpenEventHandle(event_handle(&key), &raw mut again));
}

#[test]
fn ipc_events_are_refused_where_the_documentation_says_so() {
    let _device = device();
    let (s, event) = (stream(), ipc_event());
    let mut ms = 0.0;
    let (mut status, mut waited, mut time, mut id) =
        (EventStatus::NOT_READY, EventWaitStatus::NOT_READY, 0, 0);
    fails!(207_000, aclrtResetEvent(event, s));
    fails!(207_000, aclrtQueryEvent(event, &raw mut status));
    fails!(207_000, aclrtQueryEventWaitStatus(event, &raw mut waited));
    fails!(107_006, aclrtEventElapsedTime(&raw mut ms, event, event));
    fails!(107_006, aclrtEventGetTimestamp(event, &raw mut time));
    fails!(207_000, aclrtGetEventId(event, &raw mut id));
    let mut other = EventHandle::NULL;
    fails!(107_000, aclrtCreateEventExWithFlag(&raw mut other, EVENT_IPC | EVENT_SYNC));
    fails!(207_000, aclrtCreateEventWithFlag(&raw mut other, EVENT_IPC));
    ok!(aclrtCreateEvent(&raw mut other));
    let mut handle = IpcEventHandle { reserved: [CChar(0); 64] };
    let text = fails!(107_000, aclrtIpcGetEventHandle(other, &raw mut handle));
    assert!(text.contains("without ACL_EVENT_IPC"), "{text}");
    fails!(100_000, aclrtIpcGetEventHandle(event, null_mut()));
    fails!(100_000, aclrtIpcGetEventHandle(EventHandle::NULL, &raw mut handle));
    fails!(107_000, aclrtIpcOpenEventHandle(handle, &raw mut other));
    fails!(100_000, aclrtIpcOpenEventHandle(handle, null_mut()));
    // Not part of a graph.
    let captured = stream();
    crate::graph::begin(captured, RiCaptureMode(2));
    fails!(207_000, aclrtRecordEvent(event, captured));
    fails!(207_000, aclrtStreamWaitEvent(captured, event));
    let mut graph = RiHandle::NULL;
    if acl!(aclmdlRICaptureEnd(captured, &raw mut graph)).is_success() {
        ok!(aclmdlRIDestroy(graph));
    }
    // An imported event is shared by its maker only.
    let opened = open_event(&key_of_event(event));
    fails!(107_000, aclrtIpcGetEventHandle(opened, &raw mut handle));
    ok!(aclrtRecordEvent(opened, s));
    ok!(aclrtSynchronizeEvent(event));
    ok!(aclrtDestroyEvent(opened));
    fails!(107_017, aclrtRecordEvent(opened, s));
}

#[test]
fn a_notify_of_this_process_is_recorded_by_another() {
    let _device = device();
    let (s, signal) = (stream(), notify());
    let key = key_of_notify(signal, 0);
    let mut other = other();
    assert!(other.ask(&format!("import {key}")).starts_with("207006"));
    let mut pid = [other.pid()];
    ok!(aclrtNotifySetImportPid(signal, pid.as_mut_ptr(), 1));
    assert!(other.ask(&format!("import {key}")).starts_with('0'));
    ok!(aclrtWaitAndResetNotify(signal, s, 0));
    assert!(!is_idle(s));
    assert!(other.ask("notify").starts_with('0'));
    sync(s);
    // One record pairs with one wait, also if it comes first.
    other.ask("notify");
    assert!(other.ask("sync").starts_with('0'));
    ok!(aclrtWaitAndResetNotify(signal, s, 0));
    sync(s);
    ok!(aclrtWaitAndResetNotify(signal, s, 1));
    fails!(107_019, aclrtSynchronizeStream(s));
    // In stream order of the other process.
    other.ask("hold");
    other.ask("notify");
    ok!(aclrtWaitAndResetNotify(signal, s, 0));
    assert!(!is_idle(s));
    other.ask("release");
    sync(s);
    ok!(aclrtDestroyNotify(signal));
    assert!(other.ask(&format!("import {key}")).starts_with("507022"));
    other.finish();
}

#[test]
fn an_imported_notify_is_recorded_but_not_waited_for() {
    let _device = device();
    let (s, signal) = (stream(), notify());
    let key = key_of_notify(signal, NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION);
    assert_eq!(key_of_notify(signal, 0), key, "one key per notify");
    let (code, imported) = try_import_notify(&key);
    assert_eq!(code, 0, "{}", message());
    let text = fails!(207_000, aclrtWaitAndResetNotify(imported, s, 0));
    assert!(text.contains("only the maker can wait for it"), "{text}");
    ok!(aclrtRecordNotify(imported, s));
    ok!(aclrtWaitAndResetNotify(signal, s, 0));
    sync(s);
    // Reset from the other side.
    ok!(aclrtRecordNotify(imported, s));
    sync(s);
    let mut list = [imported];
    ok!(aclrtNotifyBatchReset(list.as_mut_ptr(), 1));
    ok!(aclrtRecordNotify(imported, s));
    ok!(aclrtWaitAndResetNotify(signal, s, 0));
    sync(s);
    let mut room = [CChar(0); 65];
    fails!(107_000, aclrtNotifyGetExportKey(imported, room.as_mut_ptr(), 65, 0));
    fails!(107_000, aclrtNotifyGetExportKey(signal, room.as_mut_ptr(), 64, 0));
    fails!(107_000, aclrtNotifyGetExportKey(signal, room.as_mut_ptr(), 65, 1));
    fails!(100_000, aclrtNotifyGetExportKey(signal, null_mut(), 65, 0));
    fails!(100_000, aclrtNotifyGetExportKey(NotifyHandle::NULL, room.as_mut_ptr(), 65, 0));
    let (unshared, mut pid) = (notify(), [1]);
    fails!(107_000, aclrtNotifySetImportPid(unshared, pid.as_mut_ptr(), 1));
    fails!(107_000, aclrtNotifySetImportPid(signal, pid.as_mut_ptr(), 0));
    let (mut out, text) = (NotifyHandle::NULL, c_text(&key));
    fails!(107_000, aclrtNotifyImportByKey(&raw mut out, c_ptr(&text), 1));
    fails!(100_000, aclrtNotifyImportByKey(null_mut(), c_ptr(&text), 0));
    let memory = crate::ipc::export(malloc(4096), 4096, 1);
    assert_eq!(try_import_notify(&memory).0, 107_000);
    assert!(message().contains("that of shared memory, but a shared notify is expected"));
    ok!(aclrtDestroyNotify(imported));
}

#[test]
fn the_death_of_an_importer_does_not_touch_the_notify() {
    let _device = device();
    let signal = notify();
    let key = key_of_notify(signal, NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION);
    let mut other = other();
    other.ask(&format!("import {key}"));
    other.ask("notify");
    other.ask("sync");
    other.kill();
    let s = stream();
    ok!(aclrtWaitAndResetNotify(signal, s, 0));
    ok!(aclrtRecordNotify(signal, s));
    ok!(aclrtWaitAndResetNotify(signal, s, 0));
    sync(s);
}

/// Each side records for the other one, many times, in turn.
#[test]
fn two_processes_take_turns() {
    const ROUNDS: usize = 300;
    let _device = device();
    let (s, mine, theirs) = (stream(), ipc_event(), notify());
    let mut other = other();
    other.ask(&format!("open {}", key_of_event(mine)));
    other.ask(&format!("import {}", key_of_notify(theirs, NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION)));
    let begin = Instant::now();
    for _ in 0..ROUNDS {
        ok!(aclrtRecordEvent(mine, s));
        other.ask("wait");
        other.ask("notify");
        ok!(aclrtWaitAndResetNotify(theirs, s, 0));
    }
    sync(s);
    // Four lines between the processes and two signals per round.
    println!("{ROUNDS} rounds, {:.0} us each", begin.elapsed().as_secs_f64() * 1e6 / ROUNDS as f64);
    assert_eq!(number(&other.pid().to_string()), other.child.id() as usize);
    other.finish();
}
