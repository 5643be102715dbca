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

#[test]
fn every_c_function_has_its_place_in_the_result_layer() {
    let files = std::fs::read_dir("src/result").expect("the result layer");
    let text: String =
        files.map(|file| std::fs::read_to_string(file.expect("a file").path()).expect("text")).collect();
    let words: std::collections::HashSet<&str> = text.split(|c: char| !c.is_alphanumeric()).collect();
    let names = toprope_host::sys::FUNCTIONS.iter().map(|function| function.name);
    let without: Vec<&str> = names.filter(|name| !words.contains(name)).collect();
    assert_eq!(without, [] as [&str; 0]);
}
