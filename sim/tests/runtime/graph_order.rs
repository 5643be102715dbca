//! Random work over several streams, captured and run again and again, against a naive model that does one step after
//! the other; and what an execution costs beside enqueueing the same work.

use crate::graph::{begin, copy, end, join, play};
use crate::support::*;
use proptest::prelude::*;
use toprope_abi::acl::*;

const STREAMS: usize = 4;

/// Every stream owns one cell and one word of pinned host memory; it reads others' only behind a wait.
#[derive(Clone, Debug)]
enum Step {
    /// A kernel mixes `k` into the cell.
    Kernel { stream: usize, k: u64 },
    /// A copy to the stream's shadow, and a kernel that mixes it back in.
    Copy { stream: usize },
    /// To the host and back again: the host sees the value afterwards.
    Host { stream: usize },
    /// `to` goes on after `from` and reads its cell; `from` goes on after that.
    Join { from: usize, to: usize },
}

fn step() -> impl Strategy<Value = Step> {
    let stream = 0..STREAMS;
    prop_oneof![
        4 => (stream.clone(), any::<u64>()).prop_map(|(stream, k)| Step::Kernel { stream, k }),
        2 => stream.clone().prop_map(|stream| Step::Copy { stream }),
        2 => stream.clone().prop_map(|stream| Step::Host { stream }),
        4 => (stream.clone(), stream).prop_map(|(from, to)| Step::Join { from, to }),
    ]
}

fn naive(cells: &mut [u64; STREAMS], host: &mut [u64; STREAMS], steps: &[Step]) {
    for step in steps {
        match *step {
            Step::Kernel { stream, k } => cells[stream] = mix(cells[stream], cells[stream], k),
            Step::Copy { stream } => cells[stream] = mix(cells[stream], cells[stream], 99),
            Step::Host { stream } => host[stream] = cells[stream],
            Step::Join { from, to } if from != to => cells[to] = mix(cells[to], cells[from], 5),
            Step::Join { .. } => {}
        }
    }
}

struct Place {
    cells: *mut std::ffi::c_void,
    shadows: *mut std::ffi::c_void,
    host: *mut std::ffi::c_void,
}

fn enqueue(steps: &[Step], at: &Place, streams: &[StreamHandle]) {
    let cell = |i: usize| at.cells.wrapping_byte_add(8 * i);
    let shadow = |i: usize| at.shadows.wrapping_byte_add(8 * i);
    let host = |i: usize| at.host.wrapping_byte_add(8 * i);
    for step in steps {
        match *step {
            Step::Kernel { stream, k } => {
                run("combine", 1, streams[stream], &[cell(stream) as u64, cell(stream) as u64, k]);
            }
            Step::Copy { stream } => {
                copy(shadow(stream), cell(stream), 8, streams[stream]);
                run("combine", 1, streams[stream], &[cell(stream) as u64, shadow(stream) as u64, 99]);
            }
            Step::Host { stream } => {
                copy(host(stream), cell(stream), 8, streams[stream]);
                copy(cell(stream), host(stream), 8, streams[stream]);
            }
            Step::Join { from, to } if from != to => {
                join(streams[from], streams[to]);
                run("combine", 1, streams[to], &[cell(to) as u64, cell(from) as u64, 5]);
                join(streams[to], streams[from]);
            }
            Step::Join { .. } => {}
        }
    }
}

fn as_a_graph(steps: &[Step], rounds: usize, executors: usize) -> Vec<([u64; STREAMS], [u64; STREAMS])> {
    let place = Place { cells: malloc(64), shadows: malloc(64), host: malloc_host(64) };
    put(place.cells, &[0u64; STREAMS]);
    // SAFETY: pinned memory of 64 bytes that nobody uses yet.
    unsafe { place.host.cast::<[u64; STREAMS]>().write([0; STREAMS]) };
    let streams: Vec<StreamHandle> = (0..STREAMS).map(|_| stream()).collect();
    begin(streams[0], RiCaptureMode::GLOBAL);
    for other in &streams[1..] {
        join(streams[0], *other);
    }
    enqueue(steps, &place, &streams);
    for other in &streams[1..] {
        join(*other, streams[0]);
    }
    let graph = end(streams[0]);
    let on: Vec<StreamHandle> = (0..executors).map(|_| stream()).collect();
    let mut seen = Vec::new();
    for round in 0..rounds {
        play(graph, on[round % executors]);
        // SAFETY: the execution is over.
        let host = unsafe { place.host.cast::<[u64; STREAMS]>().read() };
        seen.push((take::<u64>(place.cells, STREAMS).try_into().unwrap(), host));
    }
    // Without waiting in between: executions of one graph never overlap, whichever stream they are asked in.
    for round in 0..rounds {
        ok!(aclmdlRIExecuteAsync(graph, on[round % executors]));
    }
    for stream in &on {
        sync(*stream);
    }
    // SAFETY: as above.
    let host = unsafe { place.host.cast::<[u64; STREAMS]>().read() };
    seen.push((take::<u64>(place.cells, STREAMS).try_into().unwrap(), host));
    ok!(aclmdlRIDestroy(graph));
    for stream in streams.into_iter().chain(on) {
        ok!(aclrtDestroyStream(stream));
    }
    ok!(aclrtFree(place.cells));
    ok!(aclrtFree(place.shadows));
    ok!(aclrtFreeHost(place.host));
    seen
}

fn expected(steps: &[Step], rounds: usize) -> Vec<([u64; STREAMS], [u64; STREAMS])> {
    let (mut cells, mut host) = ([0; STREAMS], [0; STREAMS]);
    let mut seen = Vec::new();
    for round in 0..2 * rounds {
        naive(&mut cells, &mut host, steps);
        if round < rounds || round == 2 * rounds - 1 {
            seen.push((cells, host));
        }
    }
    seen
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]
    #[test]
    fn graphs_keep_the_order(
        steps in prop::collection::vec(step(), 1..80), rounds in 1..5usize, executors in 1..4usize
    ) {
        let _device = device();
        prop_assert_eq!(as_a_graph(&steps, rounds, executors), expected(&steps, rounds));
    }
}

#[test]
fn executions_from_many_threads_do_not_mix() {
    let _device = device();
    let (a, x) = (stream(), malloc(4));
    put(x, &[0u32]);
    begin(a, RiCaptureMode::GLOBAL);
    for _ in 0..10 {
        run("add_one", 1, a, &[x as u64, 1]);
    }
    let graph = end(a).0 as usize;
    let threads: Vec<_> = (0..4)
        .map(|_| {
            std::thread::spawn(move || {
                ok!(aclrtSetDevice(0));
                let on = stream();
                for _ in 0..25 {
                    ok!(aclmdlRIExecuteAsync(RiHandle(graph as *mut _), on));
                }
                sync(on);
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    assert_eq!(take::<u32>(x, 1), [1000]);
    ok!(aclmdlRIDestroy(RiHandle(graph as *mut _)));
}

/// Not an assertion about time: prints what a task costs each way.
#[test]
#[ignore = "a measurement"]
fn cost_of_an_execution_beside_enqueueing() {
    let _device = device();
    let (a, x) = (stream(), malloc(4096));
    let tasks = 1000u32;
    let work = || {
        for i in 0..tasks {
            ok!(aclrtMemsetAsync(x, 64, i as i32, 64, a));
        }
    };
    begin(a, RiCaptureMode::GLOBAL);
    work();
    let graph = end(a);
    let mut best = [f64::MAX; 2];
    for _ in 0..30 {
        let start = std::time::Instant::now();
        work();
        sync(a);
        best[0] = best[0].min(start.elapsed().as_secs_f64());
        let start = std::time::Instant::now();
        play(graph, a);
        best[1] = best[1].min(start.elapsed().as_secs_f64());
    }
    let ns = best.map(|seconds| seconds * 1e9 / f64::from(tasks));
    println!("enqueued {:.0} ns per task, in a graph {:.0} ns, ratio {:.2}", ns[0], ns[1], ns[0] / ns[1]);
    ok!(aclmdlRIDestroy(graph));
}
