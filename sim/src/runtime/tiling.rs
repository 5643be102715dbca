//! Tiling structures of host and kernel: compared once per program or library that kernels come from.
//!
//! It happens in the background at the first launch, because debug information takes a while to read; the end of the process
//! waits for it, but not long.

use super::binary::Function;
use super::mem_findings::raise_once;
use super::order;
use super::site::CallSite;
use crate::findings::catalogue;
use crate::findings::{Detail, layouts, symbols};
use parking_lot::{Condvar, Mutex};
use std::collections::HashSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Longest wait at the end of the process.
const PATIENCE: Duration = Duration::from_secs(2);

#[derive(Debug, Default)]
struct State {
    seen_kernels: HashSet<u64>,
    seen_files: HashSet<PathBuf>,
    under_way: u32,
}

static STATE: Mutex<Option<State>> = Mutex::new(None);
static DONE: Condvar = Condvar::new();

/// A kernel is launched.
pub fn launched(function: &Function) {
    if !order::is_on() {
        return;
    }
    let entry = function.kernel.kernel().entry as u64;
    let mut state = STATE.lock();
    let state = state.get_or_insert_default();
    if !state.seen_kernels.insert(entry) {
        return;
    }
    let files: Vec<PathBuf> =
        [symbols::file_of(entry), std::env::current_exe().ok()].into_iter().flatten().collect();
    if files.iter().all(|file| state.seen_files.contains(file)) {
        return;
    }
    state.seen_files.extend(files.iter().cloned());
    let all: Vec<PathBuf> = state.seen_files.iter().cloned().collect();
    let spawned = std::thread::Builder::new().name("toprope-tiling".into()).spawn(move || {
        compare(&all);
        if let Some(state) = &mut *STATE.lock() {
            state.under_way -= 1;
        }
        DONE.notify_all();
    });
    // Without a thread nothing is compared.
    state.under_way += u32::from(spawned.is_ok());
}

/// Waits for comparisons under way.
pub fn finish() {
    let end = Instant::now() + PATIENCE;
    let mut state = STATE.lock();
    while state.as_ref().is_some_and(|state| state.under_way > 0) {
        if DONE.wait_until(&mut state, end).timed_out() {
            return;
        }
    }
}

fn compare(files: &[PathBuf]) {
    let all = files.iter().flat_map(|file| layouts::of_file(file)).collect();
    for (a, b) in layouts::differing(all) {
        let (table, first) = layouts::table(&a, &b);
        let values = [
            ("name", a.name.clone()),
            ("first", format!("{}:{}", a.place.0, a.place.1)),
            ("second", format!("{}:{}", b.place.0, b.place.1)),
            ("field", first),
        ];
        let details = table.into_iter().map(Detail::Text).collect();
        raise_once(
            &catalogue::TILING_LAYOUT,
            &values,
            CallSite::default(),
            CallSite::default(),
            details,
            Vec::new(),
        );
    }
}
