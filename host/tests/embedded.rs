//! The suite on the NPU inside this process.

mod common;

backend_suite!(toprope_host::Backend::Embedded);

#[test]
fn a_runtime_can_be_opened_again() {
    for _ in 0..3 {
        let runtime = toprope_host::Runtime::embedded().unwrap();
        assert_eq!(runtime.device(0).unwrap().id(), 0);
        assert!(runtime.missing_functions().is_empty());
    }
}
