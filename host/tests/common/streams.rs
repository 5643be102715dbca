//! Closures in streams, signals, contexts, attributes: what a host program may rely on, whatever the backend.

use super::kernels::ScaleTiling;
use super::suite::Bench;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};
use toprope_host::sys::{AclError, StreamAttr};
use toprope_host::{CntRecord, CntWait, Error, EventUse, LaunchAttr, StreamConfig, ValueWait, launch_args};

pub fn closures_run_in_the_order_of_their_stream(b: &Bench) {
    let (nap, number) = (b.kernel("nap"), b.kernel("number"));
    let out = b.device.alloc_zeroed::<u32>(4).unwrap();
    let mut host = b.device.host_buffer::<u32>(4).unwrap();
    let stream = b.device.create_stream().unwrap();
    let (sender, receiver) = channel();
    let (first, second) = (sender.clone(), sender);
    stream
        .scope(|s| {
            s.launch(nap.prepare(1, launch_args![20u32])?)?;
            s.launch_host_func(move || first.send(1).unwrap())?;
            s.launch(number.prepare(4, launch_args![&out])?)?;
            s.copy_to_host(&mut host, &out)?;
            s.launch_host_func(move || second.send(2).unwrap())?;
            assert!(receiver.try_recv().is_err(), "the host does not wait");
            Ok(())
        })
        .unwrap();
    assert_eq!(receiver.try_iter().collect::<Vec<_>>(), [1, 2]);
    assert_eq!(host[..], [0, 1, 2, 3]);
}

pub fn closures_of_a_scope_borrow(b: &Bench) {
    let stream = b.device.create_stream().unwrap();
    let mut words = vec![String::from("one")];
    stream.scope(|s| s.launch_host_func(|| words.push("two".into()))).unwrap();
    assert_eq!(words, ["one", "two"]);
}

pub fn a_panic_in_a_closure_is_the_error_of_the_next_synchronisation(b: &Bench) {
    let stream = b.device.create_stream().unwrap();
    stream.launch_host_func(|| panic!("number {}", 7)).unwrap();
    let after = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&after);
    stream.launch_host_func(move || _ = count.fetch_add(1, Ordering::SeqCst)).unwrap();
    let error = stream.synchronize().unwrap_err();
    assert!(matches!(&error, Error::HostFunctionPanicked { message } if message == "number 7"), "{error}");
    assert_eq!(after.load(Ordering::SeqCst), 1, "later work runs");
    stream.synchronize().unwrap();
    // The end of a scope is a synchronisation, and so is that of the device.
    let error = stream.scope(|s| s.launch_host_func(|| panic!("in a scope"))).unwrap_err();
    assert!(error.to_string().contains("in a scope"), "{error}");
}

pub fn a_closure_must_not_use_the_runtime(b: &Bench) {
    let stream = b.device.create_stream().unwrap();
    let (device, other) = (b.device.clone(), b.device.create_stream().unwrap());
    let (sender, receiver) = channel();
    let answers = move || {
        let asked = device.alloc::<u8>(8).map(drop);
        let scope = other.scope(|_| Ok(()));
        sender.send((asked, scope, other.synchronize())).unwrap();
        // `device` and `other` are dropped here, inside: that is done later, elsewhere.
    };
    stream.launch_host_func(answers).unwrap();
    stream.synchronize().unwrap();
    let (asked, scope, synchronised) = receiver.recv().unwrap();
    for answer in [asked, scope, synchronised] {
        assert!(matches!(answer, Err(Error::InsideHostFunction)), "{answer:?}");
    }
}

pub fn what_a_closure_drops_is_freed(b: &Bench) {
    let buffer = b.device.alloc::<u8>(1 << 20).unwrap();
    let address = buffer.as_ptr();
    let stream = b.device.create_stream().unwrap();
    stream.launch_host_func(move || drop(buffer)).unwrap();
    stream.synchronize().unwrap();
    // Freed soon, by another thread: then freeing it once more is refused.
    let start = Instant::now();
    let api = &toprope_host::sys::Library::open(&b.backend).unwrap().api;
    // SAFETY: a question about an address.
    let is_live = || unsafe { toprope_host::result::vmm::mem_get_address_range(api, address.cast()) }.is_ok();
    while is_live() {
        assert!(start.elapsed() < Duration::from_secs(60), "the buffer is never freed");
        std::thread::yield_now();
    }
}

pub fn closures_of_an_aborted_stream_are_dropped(b: &Bench) {
    let nap = b.kernel("nap");
    let stream = b.device.create_stream().unwrap();
    let owned = Arc::new(());
    let held = Arc::clone(&owned);
    let ran = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&ran);
    let _ = stream.scope(|s| {
        s.launch(nap.prepare(1, launch_args![50u32])?)?;
        stream.launch_host_func(move || {
            let _held = held;
            count.fetch_add(1, Ordering::SeqCst);
        })?;
        stream.abort()
    });
    assert_eq!((Arc::strong_count(&owned), ran.load(Ordering::SeqCst)), (1, 0));
}

pub fn notifies_pair_one_record_with_one_wait(b: &Bench) {
    let (first, second) = (b.device.create_stream().unwrap(), b.device.create_stream().unwrap());
    let notify = b.device.create_notify().unwrap();
    let x = b.device.alloc_zeroed::<u8>(16).unwrap();
    let mut seen = b.device.host_buffer::<u8>(16).unwrap();
    first
        .scope(|first| {
            second.scope(|second| {
                second.wait_notify(&notify, None)?;
                second.copy_to_host(&mut seen, &x)?;
                assert!(!second.is_empty()?, "nobody gave the signal");
                first.fill_bytes(&x, 4)?;
                first.record_notify(&notify)
            })
        })
        .unwrap();
    assert_eq!(seen[..], [4; 16]);
    // The signal is used up: the next wait runs into its limit.
    second.wait_notify(&notify, Some(Duration::from_millis(1))).unwrap();
    assert!(second.synchronize().is_err());
}

pub fn counting_notifies_count(b: &Bench) {
    let counter = match b.device.create_cnt_notify() {
        Ok(counter) => counter,
        // The documentation lists them as not supported on Atlas A2 (dav-2201).
        Err(error) => return assert_eq!(error.code(), Some(AclError::RT_FEATURE_NOT_SUPPORT), "{error}"),
    };
    let (first, second) = (b.device.create_stream().unwrap(), b.device.create_stream().unwrap());
    second.wait_cnt_notify(&counter, CntWait::BiggerOrEqual(3), true, None).unwrap();
    first.record_cnt_notify(&counter, CntRecord::Add(2)).unwrap();
    first.synchronize().unwrap();
    assert!(!second.is_empty().unwrap());
    first.record_cnt_notify(&counter, CntRecord::Add(1)).unwrap();
    second.synchronize().unwrap();
}

pub fn words_in_device_memory_are_signals(b: &Bench) {
    let (first, second) = (b.device.create_stream().unwrap(), b.device.create_stream().unwrap());
    let word = b.device.alloc_zeroed::<u64>(1).unwrap();
    first
        .scope(|first| {
            second.scope(|second| {
                second.wait_value(&word, ValueWait::AtLeast(5))?;
                first.write_value(&word, 5)
            })
        })
        .unwrap();
    assert_eq!(word.to_vec().unwrap(), [5]);
}

pub fn streams_have_priorities_and_attributes(b: &Bench) {
    let (least, greatest) = b.device.stream_priority_range().unwrap();
    assert!(greatest <= least);
    let config = StreamConfig { priority: least as u32, ..StreamConfig::default() };
    let stream = b.device.create_stream_with(config).unwrap();
    assert_eq!(stream.priority().unwrap(), least as u32);
    let value = stream.attribute(StreamAttr::PRIORITY).unwrap();
    // SAFETY: the field that the attribute names.
    assert_eq!(unsafe { value.stream_priority }, least as u32);
    assert!(b.device.streams_left().unwrap() > 0);
    assert!(stream.id().unwrap() >= 0);
}

pub fn events_are_for_what_they_are_made(b: &Bench) {
    let stream = b.device.create_stream().unwrap();
    let untimed = b.device.create_event_for(&[EventUse::Sync]).unwrap();
    stream.record(&untimed).unwrap();
    untimed.synchronize_for(Duration::from_secs(60)).unwrap();
    assert!(untimed.timestamp_us().is_err());
    let timed = b.device.create_event().unwrap();
    stream.record(&timed).unwrap();
    timed.synchronize().unwrap();
    timed.timestamp_us().unwrap();
    assert!(b.device.create_event_for(&[]).is_err());
}

pub fn events_and_waits_have_time_limits(b: &Bench) {
    let nap = b.kernel("nap");
    let (stream, other) = (b.device.create_stream().unwrap(), b.device.create_stream().unwrap());
    let event = b.device.create_event().unwrap();
    stream
        .scope(|s| {
            s.launch(nap.prepare(1, launch_args![60u32])?)?;
            s.record(&event)?;
            let error = event.synchronize_for(Duration::from_millis(2)).unwrap_err();
            assert_eq!(error.code(), Some(AclError::RT_EVENT_SYNC_TIMEOUT), "{error}");
            other.wait_for(&event, Duration::from_secs(60))
        })
        .unwrap();
    other.synchronize().unwrap();
    assert!(matches!(other.wait_for(&event, Duration::ZERO), Err(Error::TimeLimit { limit_ms: 0 })));
}

pub fn a_context_of_its_own(b: &Bench) {
    let apart = b.device.create_context().unwrap();
    let (refuse, number) = (b.kernel("refuse"), b.kernel("number"));
    let out = apart.alloc_zeroed::<u32>(2).unwrap();
    apart.default_stream().scope(|s| s.launch(number.prepare(2, launch_args![&out])?)).unwrap();
    assert_eq!(out.to_vec().unwrap(), [0, 1]);
    // After a fault the context stops, the other one does not.
    let stream = apart.create_stream().unwrap();
    stream.stop_on_failure().unwrap();
    assert!(stream.scope(|s| s.launch(refuse.prepare(1, launch_args![])?)).is_err());
    assert!(apart.create_stream().and_then(|s| s.scope(|s| s.fill_bytes(&out, 0))).is_err());
    b.device.default_stream().scope(|s| s.fill_bytes(&out, 0)).unwrap();
    assert_eq!(out.to_vec().unwrap(), [0, 0]);
}

pub fn launches_have_attributes(b: &Bench) {
    let (number, nap) = (b.kernel("number"), b.kernel("nap"));
    let out = b.device.alloc_zeroed::<u32>(2).unwrap();
    let stream = b.device.create_stream().unwrap();
    let launch = number.prepare(2, launch_args![&out]).unwrap().with(LaunchAttr::SchemMode(1));
    stream.scope(|s| s.launch(launch.with(LaunchAttr::Timeout(Duration::from_secs(60))))).unwrap();
    assert_eq!(out.to_vec().unwrap(), [0, 1]);
    // An attribute of a launch reaches the runtime: an impossible one is refused.
    let launch = nap.prepare(1, launch_args![0u32]).unwrap().with(LaunchAttr::SchemMode(200));
    assert!(stream.scope(|s| s.launch(launch)).is_err());
}

pub fn device_facts(b: &Bench) {
    use toprope_host::sys::{DevResLimitType, DeviceStatus};
    let cores = b.device.core_limit(DevResLimitType::VECTOR_CORE).unwrap();
    assert!(cores > 0);
    b.device.set_core_limit(Some((DevResLimitType::VECTOR_CORE, 1))).unwrap();
    assert_eq!(b.device.core_limit(DevResLimitType::VECTOR_CORE).unwrap(), 1);
    b.device.set_core_limit(None).unwrap();
    assert_eq!(b.device.core_limit(DevResLimitType::VECTOR_CORE).unwrap(), cores);
    assert_eq!(b.device.status().unwrap(), DeviceStatus::NORMAL);
    assert!(b.device.pci_bus_id().unwrap().contains(':'));
    b.device.uuid().unwrap();
    let busy = b.device.utilization();
    assert!(
        busy.map_or_else(|e| e.code() == Some(AclError::RT_FEATURE_NOT_SUPPORT), |u| u.vector <= Some(100))
    );
}

pub fn a_stop_after_a_fault_drops_what_waits(b: &Bench) {
    let apart = b.device.create_context().unwrap();
    let (refuse, scale) = (b.kernel("refuse"), b.kernel("scale"));
    let x = apart.alloc_from(&[1.0f32]).unwrap();
    let stream = apart.create_stream().unwrap();
    stream.stop_on_failure().unwrap();
    let tiling = ScaleTiling { elements: 1, factor: 2.0 };
    let mut calls = 0;
    let failed = stream.scope(|s| {
        s.launch(refuse.prepare(1, launch_args![])?)?;
        let _ = s.launch_host_func(|| calls += 1);
        let _ = s.launch(scale.prepare(1, launch_args![&x, &tiling])?);
        Ok(())
    });
    assert!(failed.is_err());
    assert_eq!(calls, 0);
}

pub fn faults_are_told(b: &Bench) {
    let (refuse, stream) = (b.kernel("refuse"), b.device.create_stream().unwrap());
    let number = stream.id().unwrap();
    let (sender, receiver) = channel();
    let sender = std::sync::Mutex::new(sender);
    let watch = b.runtime.on_fault(move |fault| _ = sender.lock().unwrap().send(*fault)).unwrap();
    assert!(stream.scope(|s| s.launch(refuse.prepare(1, launch_args![])?)).is_err());
    // Other tests fail things, too.
    let mut faults = std::iter::from_fn(|| receiver.recv_timeout(Duration::from_secs(60)).ok());
    let fault = faults.find(|fault| fault.stream_id == number as u32).expect("told");
    assert_eq!(fault.code, AclError::RT_VECTOR_CORE_TRAP_EXCEPTION);
    drop(watch);
    assert!(receiver.recv_timeout(Duration::from_secs(60)).is_err(), "the watcher and its sender are gone");
}

pub fn kernels_have_a_time_limit(b: &Bench) {
    let holds = b.device.set_kernel_time_limit(Duration::from_secs(1000)).unwrap();
    assert!(holds >= Duration::from_secs(900), "{holds:?}");
    b.device.set_wait_time_limit(Duration::ZERO).unwrap();
}
