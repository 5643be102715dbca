//! One suite for every backend, and kernels to run: plain Rust functions in a kernel module, as `<<<>>>` programs have
//! them, so that the suite needs no C++ compiler.
#![allow(unsafe_code)] // kernels are native code behind the C ABI of `abi::core_face`

pub mod kernels;
mod suite;

pub use suite::*;

/// Instantiates the suite for a backend.
#[macro_export]
macro_rules! backend_suite {
    ($backend:expr; $($test:ident)*) => { $(
        #[test]
        fn $test() {
            common::$test(&$crate::common::open($backend));
        }
    )* };
    ($backend:expr) => {
        $crate::backend_suite! { $backend;
            copies_there_and_back async_copies_there_and_back kernel_adds tiling_struct_reaches_the_kernel
            blocks_know_their_number launches_are_checked kernel_not_found binary_not_found device_not_found
            kernel_that_is_refused_reports_at_the_scope_end work_after_a_fault_still_runs
            a_panic_in_a_scope_waits_for_the_stream an_error_in_a_scope_wins events_order_streams
            event_time_is_positive_and_forward streams_are_asynchronous synchronize_for_times_out
            errors_of_drops_come_with_the_next_call buffers_and_devices_move_between_threads
            bad_buffers_are_refused slices_are_checked fill_and_copy_on_device a_device_may_be_opened_twice
        }
    };
}
