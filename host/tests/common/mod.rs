//! One suite for every backend, and kernels to run: plain Rust functions in a kernel module, as `<<<>>>` programs have
//! them, so that the suite needs no C++ compiler.
#![allow(unsafe_code)] // kernels are native code behind the C ABI of `abi::core_face`

#[cfg(feature = "async")]
pub mod futures;
pub mod graphs;
pub mod kernels;
pub mod streams;
pub mod suite;

pub use suite::open;

/// Runs a future in this thread, which sleeps while the future does.
#[cfg(feature = "async")]
pub fn block_on<F: Future>(future: F) -> F::Output {
    use std::task::{Context, Poll, Wake};
    struct Unpark(std::thread::Thread);
    impl Wake for Unpark {
        fn wake(self: std::sync::Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = std::sync::Arc::new(Unpark(std::thread::current())).into();
    let mut future = std::pin::pin!(future);
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(value) => return value,
            Poll::Pending => std::thread::park(),
        }
    }
}

/// Instantiates the suite for a backend.
#[macro_export]
macro_rules! backend_suite {
    ($backend:expr; $module:ident: $($test:ident)*) => { $(
        #[test]
        fn $test() {
            common::$module::$test(&$crate::common::open($backend));
        }
    )* };
    ($backend:expr) => {
        $crate::backend_suite! { $backend; suite:
            copies_there_and_back async_copies_there_and_back kernel_adds tiling_struct_reaches_the_kernel
            blocks_know_their_number launches_are_checked kernel_not_found binary_not_found device_not_found
            kernel_that_is_refused_reports_at_the_scope_end work_after_a_fault_still_runs
            a_panic_in_a_scope_waits_for_the_stream an_error_in_a_scope_wins events_order_streams
            event_time_is_positive_and_forward streams_are_asynchronous synchronize_for_times_out
            errors_of_drops_come_with_the_next_call buffers_and_devices_move_between_threads
            bad_buffers_are_refused slices_are_checked fill_and_copy_on_device a_device_may_be_opened_twice
        }
        $crate::backend_suite! { $backend; streams:
            faults_are_told kernels_have_a_time_limit closures_run_in_the_order_of_their_stream closures_of_a_scope_borrow
            a_panic_in_a_closure_is_the_error_of_the_next_synchronisation
            a_closure_must_not_use_the_runtime what_a_closure_drops_is_freed
            closures_of_an_aborted_stream_are_dropped notifies_pair_one_record_with_one_wait
            counting_notifies_count words_in_device_memory_are_signals
            streams_have_priorities_and_attributes events_are_for_what_they_are_made
            events_and_waits_have_time_limits a_context_of_its_own launches_have_attributes
            device_facts a_stop_after_a_fault_drops_what_waits
        }
        $crate::backend_suite! { $backend; graphs:
            a_captured_graph_runs_when_and_as_often_as_asked
            a_graph_reads_what_the_host_writes_between_runs a_graph_calls_closures_in_every_run
            forks_join a_captured_stream_takes_no_other_work
            a_capture_that_fails_leaves_the_stream_usable task_groups_can_be_updated
            a_built_graph_runs graphs_do_not_mix memory_in_stream_order_is_freed_behind_its_work
            memory_in_stream_order_stays_in_its_stream managed_memory_is_seen_by_both
            registered_memory_is_pinned
        }
        #[cfg(feature = "async")]
        mod awaited {
            use super::*;
            $crate::backend_suite! { $backend; futures:
            a_stream_can_be_awaited buffers_come_back_from_submitted_work events_can_be_awaited
            a_future_has_the_fault_of_its_work a_dropped_future_keeps_buffers_in_flight
            futures_of_an_aborted_stream_end futures_of_a_stream_that_stopped_after_a_fault_end
            many_futures_of_many_streams a_future_that_is_polled_twice_wakes_the_latest
            }
        }
    };
}
