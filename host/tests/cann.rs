//! The suite through `dlopen`, as with a real CANN installation: on our own `libascendcl.so`.

mod common;

use std::path::PathBuf;
use toprope_host::{Backend, Error, Runtime};

/// The library that cargo built for this test (`toprope-ascendcl` is a dev-dependency): beside the test executable, in
/// `target/<profile>/deps`, or above it.
fn library() -> PathBuf {
    let exe = std::env::current_exe().expect("path of this test");
    let found =
        exe.ancestors().skip(1).take(2).map(|dir| dir.join("libascendcl.so")).find(|path| path.is_file());
    found.expect("libascendcl.so beside the test executable: `cargo build -p toprope-ascendcl` makes it")
}

backend_suite!(Backend::Cann { path: Some(library()) });

#[test]
fn all_functions_are_exported() {
    let runtime = Runtime::new(Backend::Cann { path: Some(library()) }).unwrap();
    assert_eq!(runtime.missing_functions(), &[] as &[&str]);
}

#[test]
fn a_missing_library_says_what_to_do() {
    let error = Runtime::new(Backend::Cann { path: Some("no/such/libascendcl.so".into()) }).unwrap_err();
    assert!(matches!(error, Error::Load { .. }), "{error}");
    assert!(error.to_string().contains("Backend::Embedded"), "{error}");
}

#[test]
fn another_library_is_not_a_runtime() {
    let error = Runtime::new(Backend::Cann { path: Some("libm.so.6".into()) }).unwrap_err();
    assert!(matches!(error, Error::NotARuntime { missing: 24, first: "aclInit", .. }), "{error}");
}

#[test]
fn things_of_two_runtimes_do_not_mix() {
    let ours = Runtime::embedded().unwrap().device(0).unwrap();
    let theirs = Runtime::new(Backend::Cann { path: Some(library()) }).unwrap().device(0).unwrap();
    let (x, stream) = (ours.alloc::<u8>(64).unwrap(), theirs.create_stream().unwrap());
    let error = stream.scope(|s| s.fill_bytes(&x, 1)).unwrap_err();
    assert!(matches!(error, Error::OtherDevice { what: "the destination", with: "stream" }), "{error}");
    let event = ours.create_event().unwrap();
    assert!(matches!(stream.record(&event), Err(Error::OtherDevice { .. })));
    // The twin that must work.
    ours.create_stream().unwrap().scope(|s| s.fill_bytes(&x, 1)).unwrap();
    assert_eq!(x.to_vec().unwrap(), [1; 64]);
}
