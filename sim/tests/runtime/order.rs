//! Order: random programs over several streams against a naive model that runs them one after the other.

use crate::support::*;
use proptest::prelude::*;
use toprope_abi::acl::*;

const STREAMS: usize = 4;
const CELLS: usize = 4;
const EVENTS: usize = 3;

/// One call of a random program. Every stream owns one cell; it may read others' cells only behind a wait.
#[derive(Clone, Debug)]
enum Step {
    /// A kernel mixes `k` into the stream's cell.
    Kernel { stream: usize, k: u64 },
    /// An asynchronous copy duplicates the cell into its shadow, a kernel mixes the shadow back in.
    Copy { stream: usize },
    /// `to` waits for everything of `from` and then reads its cell; `from` waits until that is done.
    Join { from: usize, to: usize, event: usize },
    /// The host waits for a stream.
    Sync { stream: usize },
}

fn step() -> impl Strategy<Value = Step> {
    let stream = 0..STREAMS;
    prop_oneof![
        4 => (stream.clone(), any::<u64>()).prop_map(|(stream, k)| Step::Kernel { stream, k }),
        2 => stream.clone().prop_map(|stream| Step::Copy { stream }),
        3 => (stream.clone(), stream.clone(), 0..EVENTS).prop_map(|(from, to, event)| Step::Join { from, to, event }),
        1 => stream.prop_map(|stream| Step::Sync { stream }),
    ]
}

/// What the cells hold if every call is done before it returns.
fn naive(steps: &[Step]) -> Vec<u64> {
    let mut cells = vec![0u64; CELLS];
    for step in steps {
        match *step {
            Step::Kernel { stream, k } => cells[stream] = mix(cells[stream], cells[stream], k),
            Step::Copy { stream } => cells[stream] = mix(cells[stream], cells[stream], 99),
            Step::Join { from, to, .. } if from != to => cells[to] = mix(cells[to], cells[from], 5),
            Step::Join { .. } | Step::Sync { .. } => {}
        }
    }
    cells
}

fn on_the_device(steps: &[Step]) -> Vec<u64> {
    let cells = malloc(8 * CELLS);
    let shadows = malloc(8 * CELLS);
    put(cells, &[0u64; CELLS]);
    let cell = |i: usize| cells.wrapping_byte_add(8 * i);
    let shadow = |i: usize| shadows.wrapping_byte_add(8 * i);
    let streams: Vec<StreamHandle> = (0..STREAMS).map(|_| stream()).collect();
    let event = || {
        let mut event = EventHandle::NULL;
        ok!(aclrtCreateEventExWithFlag(&raw mut event, EVENT_SYNC));
        event
    };
    let events: Vec<EventHandle> = (0..2 * EVENTS).map(|_| event()).collect();
    for step in steps {
        match *step {
            Step::Kernel { stream, k } => {
                run("combine", 1, streams[stream], &[cell(stream) as u64, cell(stream) as u64, k]);
            }
            Step::Copy { stream } => {
                ok!(aclrtMemcpyAsync(
                    shadow(stream),
                    8,
                    cell(stream),
                    8,
                    MemcpyKind::DEVICE_TO_DEVICE,
                    streams[stream]
                ));
                run("combine", 1, streams[stream], &[cell(stream) as u64, shadow(stream) as u64, 99]);
            }
            Step::Join { from, to, event } if from != to => {
                ok!(aclrtRecordEvent(events[2 * event], streams[from]));
                ok!(aclrtStreamWaitEvent(streams[to], events[2 * event]));
                run("combine", 1, streams[to], &[cell(to) as u64, cell(from) as u64, 5]);
                ok!(aclrtRecordEvent(events[2 * event + 1], streams[to]));
                ok!(aclrtStreamWaitEvent(streams[from], events[2 * event + 1]));
            }
            Step::Join { .. } => {}
            Step::Sync { stream } => sync(streams[stream]),
        }
    }
    ok!(aclrtSynchronizeDevice());
    let got = take::<u64>(cells, CELLS);
    for stream in streams {
        ok!(aclrtDestroyStream(stream));
    }
    for event in events {
        ok!(aclrtDestroyEvent(event));
    }
    ok!(aclrtFree(cells));
    ok!(aclrtFree(shadows));
    got
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]
    #[test]
    fn streams_and_events_keep_the_order(steps in prop::collection::vec(step(), 1..120)) {
        let _device = device();
        prop_assert_eq!(on_the_device(&steps), naive(&steps));
    }
}

#[test]
fn two_streams_that_wake_each_other_very_often_need_no_deep_stack() {
    let _device = device();
    let gate = malloc(4);
    put(gate, &[0u32]);
    let (a, b) = (stream(), stream());
    run("hold", 1, a, &[gate as u64]);
    let mut event = EventHandle::NULL;
    ok!(aclrtCreateEventExWithFlag(&raw mut event, EVENT_SYNC));
    for _ in 0..50_000 {
        ok!(aclrtRecordEvent(event, a));
        ok!(aclrtStreamWaitEvent(b, event));
        ok!(aclrtRecordEvent(event, b));
        ok!(aclrtStreamWaitEvent(a, event));
    }
    put(gate, &[1u32]);
    ok!(aclrtSynchronizeDevice());
}

#[test]
fn many_threads_use_one_device() {
    let _device = device();
    let threads: Vec<_> = (0..6)
        .map(|_| {
            std::thread::spawn(|| {
                ok!(aclrtSetDevice(0));
                for _ in 0..60 {
                    let s = stream();
                    let x = malloc(4 * 64);
                    ok!(aclrtMemsetAsync(x, 256, 0, 256, s));
                    for _ in 0..10 {
                        run("add_one", 1, s, &[x as u64, 64]);
                    }
                    sync(s);
                    assert_eq!(take::<u32>(x, 64), [10; 64]);
                    ok!(aclrtDestroyStream(s));
                    ok!(aclrtFree(x));
                }
                ok!(aclrtResetDevice(0));
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
}
