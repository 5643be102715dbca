//! Calls of a kernel that did not run in a launch, read from its machine code.
//!
//! An API of the headers ends in a call of `TrCore::issue` through the core's face, inlined into the kernel: `call *56(reg)` on x86-64. The code of
//! the kernel function and of the functions that it calls directly is searched for such calls; those that no core has
//! returned from did not run. Calls on one source line count as one: compilers double code.
//!
//! Not found: functions that are called through pointers, code behind the tables of a `switch`, calls that the compiler split otherwise. So what is
//! told is true, and not all. Without symbols or debug information, and on other machines, nothing is told.

use crate::findings::catalogue::NOT_EXERCISED;
use crate::findings::{Draft, symbols};
use object::{Object, ObjectSection, ObjectSymbol, SymbolKind};
use parking_lot::Mutex;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::mem::offset_of;
use std::sync::Arc;
use toprope_abi::core_face::TrCore;

/// Functions of a kernel that are looked at.
const MOST_FUNCTIONS: usize = 4096;
/// Places that are listed.
const MOST_SHOWN: usize = 20;
/// The displacement in the call.
const ISSUE: u8 = offset_of!(TrCore, issue) as u8;

/// What of the kernel that begins at `entry` did not run, if `ran` are the addresses behind the calls that did.
pub fn draft(entry: u64, ran: &HashSet<u64>) -> Option<Draft> {
    let sites = call_sites(entry);
    let place = |pc: &u64| match symbols::place_and_api(&[*pc]) {
        (Some(place), Some(api)) if !place.file.is_empty() => Some(((place.file, place.line), api)),
        _ => None,
    };
    let reached: BTreeSet<(String, u32)> = ran.iter().filter_map(place).map(|(at, _)| at).collect();
    let missed: BTreeMap<(String, u32), String> = sites
        .iter()
        .filter(|pc| !ran.contains(pc))
        .filter_map(place)
        .filter(|(at, _)| !reached.contains(at))
        .collect();
    if missed.is_empty() {
        return None;
    }
    let mut draft = Draft::new(&NOT_EXERCISED, &[("count", missed.len().to_string())]);
    for ((file, line), api) in missed.iter().take(MOST_SHOWN) {
        draft = draft.detail(format!("not run: {api} at {file}:{line}"));
    }
    if missed.len() > MOST_SHOWN {
        draft = draft.detail(format!("and {} more", missed.len() - MOST_SHOWN));
    }
    Some(draft)
}

/// Where a kernel is: its module and its address there. Modules come and go, and the next one may be mapped where an earlier one was.
type KernelAt = (symbols::Module, u64);

/// Kernels whose code is kept; a program may load and unload kernels without end.
const MOST_KERNELS: usize = 1024;

/// Addresses behind the calls of `issue` in a kernel.
fn call_sites(entry: u64) -> Vec<u64> {
    static KNOWN: Mutex<Option<HashMap<KernelAt, Arc<[u64]>>>> = Mutex::new(None);
    let Some((path, bias)) = symbols::module_of(entry).filter(|_| cfg!(target_arch = "x86_64")) else {
        return Vec::new();
    };
    let at: KernelAt = (symbols::module(path), entry - bias);
    let known = KNOWN.lock().as_ref().and_then(|k| k.get(&at).cloned());
    let sites = known.unwrap_or_else(|| {
        let found: Arc<[u64]> = search(&at).unwrap_or_default().into();
        let mut known = KNOWN.lock();
        let known = known.get_or_insert_default();
        if known.len() >= MOST_KERNELS {
            known.clear();
        }
        known.insert(at, found.clone());
        found
    });
    sites.iter().map(|site| site + bias).collect()
}

/// The same, in addresses of the module.
fn search(((path, _), entry): &KernelAt) -> Option<Vec<u64>> {
    let bytes = std::fs::read(path).ok()?;
    let file = object::File::parse(&*bytes).ok()?;
    let functions: HashMap<u64, u64> = file
        .symbols()
        .chain(file.dynamic_symbols())
        .filter(|s| s.kind() == SymbolKind::Text && s.size() > 0)
        .map(|s| (s.address(), s.size()))
        .collect();
    let text: Vec<(u64, &[u8])> = file
        .sections()
        .filter_map(|s| s.data().ok().map(|data| (s.address(), data)))
        .filter(|t| t.0 != 0)
        .collect();
    let code = |start: u64| {
        let size = *functions.get(&start)? as usize;
        text.iter().find_map(|(at, data)| data.get(start.checked_sub(*at)? as usize..)?.get(..size))
    };
    let mut found = Vec::new();
    let (mut seen, mut open) = (HashSet::new(), vec![*entry]);
    while let Some(start) = open.pop() {
        if seen.len() > MOST_FUNCTIONS || !seen.insert(start) {
            continue;
        }
        let Some(code) = code(start) else { continue };
        for at in 0..code.len() {
            if let Some(length) = calls_issue(&code[at..]) {
                found.push(start + (at + length) as u64);
            }
            if let Some(called) = calls(&code[at..], start + at as u64).filter(|f| functions.contains_key(f))
            {
                open.push(called);
            }
        }
    }
    Some(found)
}

/// `call *ISSUE(reg)`: its length. A prefix for the upper registers stands before it.
fn calls_issue(code: &[u8]) -> Option<usize> {
    match code {
        [0xff, 0x54, sib, at, ..] if sib >> 3 & 7 == 4 && *at == ISSUE => Some(4),
        [0xff, 0x50..=0x53 | 0x55..=0x57, at, ..] if *at == ISSUE => Some(3),
        _ => None,
    }
}

/// `call function` or `jmp function` at address `at`: the function.
fn calls(code: &[u8], at: u64) -> Option<u64> {
    let [0xe8 | 0xe9, a, b, c, d, ..] = *code else { return None };
    Some(at.wrapping_add(5).wrapping_add_signed(i64::from(i32::from_le_bytes([a, b, c, d]))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_recognised() {
        assert_eq!(ISSUE, 0x38);
        assert_eq!(calls_issue(&[0xff, 0x50, 0x38, 0x90]), Some(3));
        assert_eq!(calls_issue(&[0xff, 0x54, 0x24, 0x38]), Some(4), "through r12");
        assert_eq!(calls_issue(&[0xff, 0x50, 0x40, 0x90]), None, "another function of the face");
        assert_eq!(calls_issue(&[0xff, 0x54, 0x04, 0x38]), None, "an index register");
        assert_eq!(calls(&[0xe8, 0xfb, 0xff, 0xff, 0xff], 0x1000), Some(0x1000));
        assert_eq!(calls(&[0x90, 0, 0, 0, 0], 0x1000), None);
    }
}
