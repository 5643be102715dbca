//! Graphs and stream-ordered memory: what a host program may rely on, whatever the backend.

use super::kernels::ScaleTiling;
use super::suite::Bench;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use toprope_host::sys::AclError;
use toprope_host::{CaptureMode, Error, launch_args};

const ONE: ScaleTiling = ScaleTiling { elements: 1, factor: 2.0 };

pub fn a_captured_graph_runs_when_and_as_often_as_asked(b: &Bench) {
    let scale = b.kernel("scale");
    let (x, stream) = (b.device.alloc_from(&[1.0f32]).unwrap(), b.device.create_stream().unwrap());
    let host = b.device.host_buffer::<f32>(1).unwrap();
    let (mut graph, seen) = stream
        .capture(CaptureMode::default(), |r| {
            let seen = r.own(host);
            r.launch(scale.prepare(1, launch_args![&x, &ONE])?)?;
            r.copy_to_host(&seen, &x)?;
            Ok(seen)
        })
        .unwrap();
    assert_eq!(x.to_vec().unwrap(), [1.0]);
    graph.replay().unwrap();
    assert_eq!(graph.host(&seen).unwrap(), [2.0]);
    stream
        .scope(|s| {
            s.launch_graph(&graph)?;
            s.launch_graph(&graph)
        })
        .unwrap();
    assert_eq!(graph.host(&seen).unwrap(), [8.0]);
}

pub fn a_graph_reads_what_the_host_writes_between_runs(b: &Bench) {
    let (x, stream) = (b.device.alloc::<u16>(3).unwrap(), b.device.create_stream().unwrap());
    let input = b.device.host_buffer::<u16>(3).unwrap();
    let (mut graph, input) = stream
        .capture(CaptureMode::default(), |r| {
            let input = r.own(input);
            r.copy_to_device(&x, &input)?;
            Ok(input)
        })
        .unwrap();
    for value in [5, 6] {
        graph.host_mut(&input).unwrap().fill(value);
        graph.replay().unwrap();
        assert_eq!(x.to_vec().unwrap(), [value; 3]);
    }
}

pub fn a_graph_calls_closures_in_every_run(b: &Bench) {
    let stream = b.device.create_stream().unwrap();
    let calls = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&calls);
    let (graph, ()) = stream
        .capture(CaptureMode::default(), |r| {
            r.launch_host_func(move || {
                if count.fetch_add(1, Ordering::SeqCst) == 2 {
                    panic!("the third");
                }
            })
        })
        .unwrap();
    graph.replay().unwrap();
    graph.replay().unwrap();
    let error = graph.replay().unwrap_err();
    assert!(matches!(&error, Error::HostFunctionPanicked { message } if message == "the third"), "{error}");
    graph.replay().unwrap();
    drop(graph);
    assert_eq!((calls.load(Ordering::SeqCst), Arc::strong_count(&calls)), (4, 1));
}

pub fn forks_join(b: &Bench) {
    let (scale, other) = (b.kernel("scale"), b.device.create_stream().unwrap());
    let (x, y) = (b.device.alloc_from(&[1.0f32]).unwrap(), b.device.alloc_from(&[5.0f32]).unwrap());
    let stream = b.device.create_stream().unwrap();
    let (graph, ()) = stream
        .capture(CaptureMode::default(), |r| {
            r.launch(scale.prepare(1, launch_args![&x, &ONE])?)?;
            r.fork(&other, |side| {
                side.launch(scale.prepare(1, launch_args![&y, &ONE])?)?;
                r.launch(scale.prepare(1, launch_args![&x, &ONE])?)
            })?;
            // The other stream belongs to the capture until its end.
            assert!(matches!(other.scope(|_| Ok(())), Err(Error::Capturing)));
            r.copy_on_device(&x, &y)
        })
        .unwrap();
    graph.replay().unwrap();
    assert_eq!(x.to_vec().unwrap(), [10.0]);
    other.scope(|s| s.fill_bytes(&x, 0)).unwrap();
}

pub fn a_captured_stream_takes_no_other_work(b: &Bench) {
    let (x, stream) = (b.device.alloc_zeroed::<u8>(8).unwrap(), b.device.create_stream().unwrap());
    let event = b.device.create_event().unwrap();
    stream
        .capture(CaptureMode::default(), |_| {
            assert!(matches!(stream.scope(|s| s.fill_bytes(&x, 1)), Err(Error::Capturing)));
            assert!(matches!(stream.record(&event), Err(Error::Capturing)));
            assert!(matches!(stream.launch_host_func(|| ()), Err(Error::Capturing)));
            let again = stream.capture(CaptureMode::default(), |_| Ok(()));
            assert!(matches!(again, Err(Error::Capturing)));
            Ok(())
        })
        .unwrap();
    // In a scope there is no capture of its stream.
    let nested = stream.scope(|_| stream.capture(CaptureMode::default(), |_| Ok(())).map(drop));
    assert!(matches!(nested, Err(Error::ScopeOpen)));
    stream.scope(|s| s.fill_bytes(&x, 1)).unwrap();
    stream.record(&event).unwrap();
}

pub fn a_capture_that_fails_leaves_the_stream_usable(b: &Bench) {
    let (x, stream) = (b.device.alloc_zeroed::<u8>(8).unwrap(), b.device.create_stream().unwrap());
    let error = stream.capture(CaptureMode::default(), |r| {
        r.fill_bytes(&x, 1)?;
        b.device.alloc::<u8>(0).map(drop)
    });
    assert!(matches!(error, Err(Error::EmptyBuffer { .. })));
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        stream.capture(CaptureMode::default(), |r| {
            r.fill_bytes(&x, 1)?;
            if true {
                panic!("on purpose");
            }
            Ok(())
        })
    }));
    assert!(panicked.is_err());
    stream.scope(|s| s.fill_bytes(&x, 3)).unwrap();
    assert_eq!(x.to_vec().unwrap(), [3; 8]);
    let default = b.device.default_stream().capture(CaptureMode::default(), |_| Ok(())).unwrap_err();
    assert_eq!(default.code(), Some(AclError::RT_STREAM_CAPTURE_IMPLICIT), "{default}");
}

pub fn task_groups_can_be_updated(b: &Bench) {
    let (scale, stream) = (b.kernel("scale"), b.device.create_stream().unwrap());
    let update = b.device.create_stream().unwrap();
    let x = b.device.alloc_from(&[1.0f32]).unwrap();
    let (mut graph, group) = stream
        .capture(CaptureMode::default(), |r| {
            r.task_group(|| r.launch(scale.prepare(1, launch_args![&x, &ONE])?))
        })
        .unwrap();
    graph.replay().unwrap();
    let ten = ScaleTiling { elements: 1, factor: 10.0 };
    graph.update(&group, &update, |r| r.launch(scale.prepare(1, launch_args![&x, &ten])?)).unwrap();
    graph.replay().unwrap();
    assert_eq!(x.to_vec().unwrap(), [20.0]);
}

pub fn a_built_graph_runs(b: &Bench) {
    let (scale, x) = (b.kernel("scale"), b.device.alloc_from(&[1.0f32]).unwrap());
    let graph = b
        .device
        .build_graph(|g| {
            let head = g.stream(0)?;
            head.launch(scale.prepare(1, launch_args![&x, &ONE])?)?;
            assert!(matches!(head.launch_host_func(|| ()), Ok(()) | Err(Error::Acl { .. })));
            g.end(&head)
        })
        .unwrap();
    assert_eq!(x.to_vec().unwrap(), [1.0]);
    graph.replay().unwrap();
    graph.replay().unwrap();
    assert_eq!(x.to_vec().unwrap(), [4.0]);
}

pub fn graphs_do_not_mix(b: &Bench) {
    let stream = b.device.create_stream().unwrap();
    let capture = || {
        let host = b.device.host_buffer::<u8>(8).unwrap();
        stream.capture(CaptureMode::default(), |r| Ok(r.own(host))).unwrap()
    };
    let ((mut first, of_first), (mut second, of_second)) = (capture(), capture());
    assert!(matches!(first.host(&of_second), Err(Error::OtherGraph { .. })));
    assert!(first.host(&of_first).is_ok() && second.host_mut(&of_second).is_ok());
}

pub fn memory_in_stream_order_is_freed_behind_its_work(b: &Bench) {
    let (nap, scale) = (b.kernel("nap"), b.kernel("scale"));
    let (stream, pool) = (b.device.create_stream().unwrap(), b.device.create_mem_pool(0).unwrap());
    let mut host = b.device.host_buffer::<f32>(1).unwrap();
    let source = b.device.host_buffer_from(&[21.0f32]).unwrap();
    stream
        .scope(|s| {
            let tmp = s.alloc::<f32>(&pool, 1)?;
            s.launch(nap.prepare(1, launch_args![20u32])?)?;
            s.copy_to_device(&tmp, &source)?;
            s.launch(scale.prepare(1, launch_args![&tmp, &ONE])?)?;
            s.copy_to_host(&mut host, &tmp)?;
            drop(tmp); // long before the copy
            Ok(())
        })
        .unwrap();
    assert_eq!(host[0], 42.0);
    assert_eq!(pool.used_bytes().unwrap(), 0);
}

pub fn memory_in_stream_order_stays_in_its_stream(b: &Bench) {
    let (number, pool) = (b.kernel("number"), b.device.create_mem_pool(0).unwrap());
    let (stream, other) = (b.device.create_stream().unwrap(), b.device.create_stream().unwrap());
    let tmp = stream.alloc::<u32>(&pool, 4).unwrap();
    assert!(matches!(other.scope(|s| s.fill_bytes(&tmp, 0)), Err(Error::OtherStream)));
    let launched = other.scope(|s| s.launch(number.prepare(4, launch_args![&tmp])?));
    assert!(matches!(launched, Err(Error::OtherStream)));
    // Lent to a scope it is memory like any other.
    let ready = b.device.create_event().unwrap();
    stream.record(&ready).unwrap();
    other.wait(&ready).unwrap();
    other.scope(|s| s.launch(number.prepare(4, launch_args![tmp.as_device()])?)).unwrap();
    assert_eq!(tmp.as_device().to_vec().unwrap(), [0, 1, 2, 3]);
}

pub fn managed_memory_is_seen_by_both(b: &Bench) {
    let (scale, stream) = (b.kernel("scale"), b.device.create_stream().unwrap());
    let mut x = b.device.alloc_managed::<f32>(1).unwrap();
    x.as_mut_slice()[0] = 4.0;
    stream.scope(|s| s.launch(scale.prepare(1, launch_args![&x, &ONE])?)).unwrap();
    assert_eq!(x.as_slice(), [8.0]);
}

pub fn registered_memory_is_pinned(b: &Bench) {
    let stream = b.device.create_stream().unwrap();
    let x = b.device.alloc_from(&[7u8; 8192]).unwrap();
    // Registration wants whole pages.
    let mut memory = vec![0u8; 3 * 4096];
    let start = memory.as_ptr().align_offset(4096);
    let mut pages = b.device.register_host(&mut memory[start..start + 8192]).unwrap();
    stream.scope(|s| s.copy_to_host(&mut pages, &x)).unwrap();
    assert_eq!(pages[8191], 7);
    drop(pages);
    assert_eq!(memory[start], 7);
    let mut seen = b.device.map_host(&mut memory[start..start + 8192]).unwrap();
    stream.scope(|s| s.fill_bytes(seen.as_device(), 2)).unwrap();
    assert_eq!(seen.as_slice()[8191], 2);
}
