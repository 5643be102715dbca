//! Checks of the small parts, written once and run on the real part and on its twin.

macro_rules! progress_checks {
    ($name:ident, $part:path) => {
        pub mod $name {
            use shuttle::thread;
            use std::sync::Arc;
            use std::time::Instant;
            use $part as Progress;

            /// Two threads count, two wait; nobody sleeps for ever.
            pub fn no_wake_up_is_lost() {
                let progress = Arc::new(Progress::default());
                let threads: Vec<_> = (0..4)
                    .map(|i| {
                        let progress = progress.clone();
                        thread::spawn(move || match i {
                            0 | 1 => progress.advance(1),
                            _ => assert!(progress.wait(i - 1, None, || false)),
                        })
                    })
                    .collect();
                threads.into_iter().for_each(|t| t.join().unwrap());
                assert!(progress.reached(2) && !progress.reached(3));
            }

            /// A wait that gives up says so; one that does not sees the count.
            pub fn a_deadline_may_pass() {
                let progress = Arc::new(Progress::default());
                let other = progress.clone();
                let advancer = thread::spawn(move || other.advance(1));
                let far = Instant::now() + std::time::Duration::from_secs(1000);
                if progress.wait(1, Some(far), || false) {
                    assert!(progress.reached(1));
                }
                advancer.join().unwrap();
            }
        }
    };
}
progress_checks!(progress, crate::runtime::progress::Progress);
progress_checks!(twin_progress, crate::twin_progress::progress::Progress);

macro_rules! queue_checks {
    ($name:ident, $part:path, $pushed:path) => {
        pub mod $name {
            use shuttle::sync::Mutex;
            use shuttle::sync::atomic::{AtomicU32, Ordering};
            use shuttle::thread;
            use std::sync::Arc;
            use $part as TaskQueue;
            use $pushed as Pushed;

            #[derive(Default)]
            struct Lane {
                queue: TaskQueue<u32>,
                inside: AtomicU32,
                ran: Mutex<Vec<u32>>,
            }

            impl Lane {
                /// Pushes a task and runs what becomes startable; `false` if the queue was closed.
                fn push(&self, task: u32) -> bool {
                    let mut next = match self.queue.push(task) {
                        Pushed::Start(task) => Some(task),
                        Pushed::Queued => None,
                        Pushed::Closed(_) => return false,
                    };
                    while let Some(task) = next {
                        assert_eq!(self.inside.fetch_add(1, Ordering::SeqCst), 0, "two tasks run at a time");
                        self.ran.lock().unwrap().push(task);
                        self.inside.fetch_sub(1, Ordering::SeqCst);
                        next = self.queue.finish();
                    }
                    true
                }
            }

            /// Two threads push two tasks each while a third waits for all of them.
            pub fn one_at_a_time_in_order() {
                let lane = Arc::new(Lane::default());
                let pushers: Vec<_> = [10, 20]
                    .into_iter()
                    .map(|first| {
                        let lane = lane.clone();
                        thread::spawn(move || assert!(lane.push(first) && lane.push(first + 1)))
                    })
                    .collect();
                assert!(lane.queue.wait(4, None, || false));
                pushers.into_iter().for_each(|t| t.join().unwrap());
                assert_eq!(lane.queue.ticket(), 4);
                let ran = lane.ran.lock().unwrap().clone();
                for first in [10, 20] {
                    let mine: Vec<u32> = ran.iter().copied().filter(|t| t / 10 == first / 10).collect();
                    assert_eq!(mine, [first, first + 1], "{ran:?}");
                }
            }

            /// Two threads push, one closes and drains: every task ran, was dropped or was refused, and the wait for
            /// all of them ends.
            pub fn close_and_drain_lose_nothing() {
                let lane = Arc::new(Lane::default());
                let pushers: Vec<_> = [10, 20]
                    .into_iter()
                    .map(|first| {
                        let lane = lane.clone();
                        thread::spawn(move || u32::from(!lane.push(first)) + u32::from(!lane.push(first + 1)))
                    })
                    .collect();
                lane.queue.close();
                let dropped = lane.queue.drain().len();
                let all = lane.queue.ticket();
                assert!(lane.queue.wait(all, None, || false));
                let ran = lane.ran.lock().unwrap().len();
                assert_eq!(lane.queue.ticket(), all, "a task came in after the queue was closed");
                let refused: u32 = pushers.into_iter().map(|t| t.join().unwrap()).sum();
                assert_eq!(ran + dropped + refused as usize, 4);
                assert_eq!(lane.ran.lock().unwrap().len(), ran, "a task ran after the wait");
            }
        }
    };
}
queue_checks!(queue, crate::runtime::queue::TaskQueue, crate::runtime::queue::Pushed);
queue_checks!(
    queue_on_twin_progress,
    crate::twin_progress::queue::TaskQueue,
    crate::twin_progress::queue::Pushed
);
queue_checks!(twin_queue, crate::twin_queue::TaskQueue, crate::runtime::queue::Pushed);

macro_rules! mark_checks {
    ($name:ident, $part:path) => {
        pub mod $name {
            use shuttle::sync::atomic::{AtomicU32, Ordering};
            use shuttle::thread;
            use std::sync::Arc;
            use $part as Mark;

            /// One passes the mark, two wait for it, one of them changes its mind: every waiter is called with the
            /// time, given back with the time, or forgotten, exactly once.
            pub fn every_waiter_is_answered() {
                let mark = Arc::new(Mark::default());
                let answers = Arc::new(AtomicU32::new(0));
                let waiters: Vec<_> = [false, true]
                    .into_iter()
                    .map(|forgets| {
                        let (mark, answers) = (mark.clone(), answers.clone());
                        thread::spawn(move || {
                            let called = answers.clone();
                            let waiter = Box::new(move |cycle: u64| {
                                assert_eq!(cycle, 7);
                                called.fetch_add(1, Ordering::SeqCst);
                            });
                            match mark.on_pass(waiter) {
                                Ok(number) if forgets => {
                                    answers.fetch_add(mark.forget(number).map_or(0, |_| 1), Ordering::SeqCst);
                                }
                                Ok(_) => {}
                                Err((_, cycle)) => {
                                    assert_eq!(cycle, 7);
                                    answers.fetch_add(1, Ordering::SeqCst);
                                }
                            }
                        })
                    })
                    .collect();
                mark.pass(7);
                waiters.into_iter().for_each(|t| t.join().unwrap());
                assert_eq!(answers.load(Ordering::SeqCst), 2);
            }
        }
    };
}
mark_checks!(mark, crate::runtime::event::Mark);
mark_checks!(twin_mark, crate::twin_mark::Mark);
