//! `async`: futures of streams and events.
#![cfg(feature = "async")]

use super::block_on;
use super::suite::Bench;
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};
use toprope_host::sys::AclError;
use toprope_host::{Error, launch_args};

pub fn a_stream_can_be_awaited(b: &Bench) {
    let nap = b.kernel("nap");
    let stream = b.device.create_stream().unwrap();
    stream.scope(|s| s.launch(nap.prepare(1, launch_args![1u32])?)).unwrap();
    block_on(stream.finished().unwrap()).unwrap();
    let start = Instant::now();
    stream.launch_host_func(|| std::thread::sleep(Duration::from_millis(40))).unwrap();
    let finished = stream.finished().unwrap();
    assert!(start.elapsed() < Duration::from_millis(30), "asking does not wait");
    block_on(finished).unwrap();
    assert!(start.elapsed() >= Duration::from_millis(40));
}

pub fn buffers_come_back_from_submitted_work(b: &Bench) {
    let (add, stream) = (b.kernel("add"), b.device.create_stream().unwrap());
    let x = b.device.alloc_from(&vec![3.0f32; 500]).unwrap();
    let host = b.device.host_buffer::<f32>(500).unwrap();
    let submitted = stream.submit((add, x, host), |s, (add, x, host)| {
        s.launch(add.prepare(2, launch_args![&*x, &*x, &*x, 500u32])?)?;
        s.copy_to_host(host, &*x)
    });
    let (_, _, host) = block_on(submitted).unwrap();
    assert_eq!(host[..], [6.0; 500]);
}

pub fn events_can_be_awaited(b: &Bench) {
    let (stream, via) = (b.device.create_stream().unwrap(), b.device.create_stream().unwrap());
    let event = b.device.create_event().unwrap();
    stream.launch_host_func(|| std::thread::sleep(Duration::from_millis(5))).unwrap();
    stream.record(&event).unwrap();
    block_on(event.finished(&via).unwrap()).unwrap();
    assert!(event.is_complete().unwrap());
}

pub fn a_future_has_the_fault_of_its_work(b: &Bench) {
    let (refuse, stream) = (b.kernel("refuse"), b.device.create_stream().unwrap());
    let submitted = stream.submit(refuse, |s, refuse| s.launch(refuse.prepare(1, launch_args![])?));
    let error = block_on(submitted).unwrap_err();
    assert_eq!(error.code(), Some(AclError::RT_VECTOR_CORE_TRAP_EXCEPTION), "{error}");
    // The twin: the fault is used up.
    block_on(stream.finished().unwrap()).unwrap();
    // The error of putting work in comes out as well, after what was put in is done.
    let x = b.device.alloc::<u8>(8).unwrap();
    let submitted = stream.submit(x, |s, x| {
        s.fill_bytes(&*x, 1)?;
        s.copy_to_device(&*x, &[1, 2, 3])
    });
    assert!(matches!(block_on(submitted), Err(Error::LengthMismatch { .. })));
}

pub fn a_dropped_future_keeps_buffers_in_flight(b: &Bench) {
    let (nap, stream) = (b.kernel("nap"), b.device.create_stream().unwrap());
    let alive = Arc::new(());
    let host = b.device.host_buffer::<u8>(64).unwrap();
    let x = b.device.alloc_zeroed::<u8>(64).unwrap();
    let submitted = stream.submit((nap, host, x, Arc::clone(&alive)), |s, (nap, host, x, _)| {
        s.launch(nap.prepare(1, launch_args![50u32])?)?;
        s.copy_to_host(host, &*x)
    });
    let mut submitted = Box::pin(submitted);
    assert!(submitted.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    drop(submitted);
    assert_eq!(Arc::strong_count(&alive), 2, "the stream still works on the buffers");
    stream.synchronize().unwrap();
    let start = Instant::now();
    while Arc::strong_count(&alive) > 1 {
        assert!(start.elapsed() < Duration::from_secs(60), "the buffers are freed when the stream is done");
        std::thread::yield_now();
    }
}

pub fn futures_of_an_aborted_stream_end(b: &Bench) {
    let (nap, stream) = (b.kernel("nap"), b.device.create_stream().unwrap());
    let submitted = stream.submit(nap, |s, nap| s.launch(nap.prepare(1, launch_args![300u32])?));
    stream.abort().unwrap();
    assert!(block_on(submitted).is_err());
}

pub fn futures_of_a_stream_that_stopped_after_a_fault_end(b: &Bench) {
    let apart = b.device.create_context().unwrap();
    let (nap, refuse) = (b.kernel("nap"), b.kernel("refuse"));
    let stream = apart.create_stream().unwrap();
    stream.stop_on_failure().unwrap();
    let submitted = stream.submit((nap, refuse), |s, (nap, refuse)| {
        s.launch(nap.prepare(1, launch_args![30u32])?)?;
        s.launch(refuse.prepare(1, launch_args![])?)
    });
    let error = block_on(submitted).unwrap_err();
    assert_eq!(error.code(), Some(AclError::RT_VECTOR_CORE_TRAP_EXCEPTION), "{error}");
}

pub fn many_futures_of_many_streams(b: &Bench) {
    let streams: Vec<_> = (0..16).map(|_| b.device.create_stream().unwrap()).collect();
    let work = (0..200).map(|i| {
        let x = b.device.alloc_zeroed::<u8>(256).unwrap();
        let host = b.device.host_buffer::<u8>(256).unwrap();
        streams[i % 16].submit((x, host), move |s, (x, host)| {
            s.fill_bytes(&*x, i as u8)?;
            s.copy_to_host(host, &*x)
        })
    });
    for (i, submitted) in work.collect::<Vec<_>>().into_iter().enumerate() {
        let (_, host) = block_on(submitted).unwrap();
        assert_eq!(host[255], i as u8);
    }
}

pub fn a_future_that_is_polled_twice_wakes_the_latest(b: &Bench) {
    let stream = b.device.create_stream().unwrap();
    stream.launch_host_func(|| std::thread::sleep(Duration::from_millis(20))).unwrap();
    let mut finished = pin!(stream.finished().unwrap());
    let first = finished.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    assert!(matches!(first, Poll::Pending));
    block_on(finished).unwrap();
}
