//! `toprope run kernels/ascendc/add/add.asc` as a user runs it: with an empty cache, and again.
#![allow(missing_docs, reason = "criterion_group makes a public function")]

use criterion::{Criterion, criterion_group, criterion_main};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// The command, built by cargo beside this bench: `target/<profile>/deps/compile-…` → `target/<profile>/toprope`.
fn toprope() -> PathBuf {
    let here = std::env::current_exe().expect("the bench has a path");
    let dir = here.parent().and_then(Path::parent).expect("benches lie in target/<profile>/deps");
    let path = dir.join("toprope");
    assert!(path.is_file(), "{} is missing: run `cargo build --release` first", path.display());
    path
}

fn run(toprope: &Path, source: &Path, cache: &Path) {
    let status = Command::new(toprope)
        .arg("run")
        .arg(source)
        .env("TOPROPE_CACHE_DIR", cache)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .expect("toprope starts");
    assert!(status.success(), "toprope run failed: {status}");
}

fn compile(c: &mut Criterion) {
    let toprope = toprope();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernels/ascendc/add/add.asc");
    let mut group = c.benchmark_group("compile");
    group.sample_size(10).warm_up_time(Duration::from_secs(1)).measurement_time(Duration::from_secs(20));
    group.bench_function("run_add_cold", |b| {
        b.iter_with_large_drop(|| {
            let cache = tempfile::tempdir().expect("a temporary directory");
            run(&toprope, &source, cache.path());
            cache
        })
    });
    let cache = tempfile::tempdir().expect("a temporary directory");
    run(&toprope, &source, cache.path());
    group.measurement_time(Duration::from_secs(5));
    group.bench_function("run_add_cached", |b| b.iter(|| run(&toprope, &source, cache.path())));
    group.finish();
}

criterion_group!(benches, compile);
criterion_main!(benches);
