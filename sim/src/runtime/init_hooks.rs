//! Functions that other libraries have called at `aclInit` and `aclFinalize`.
//!
//! Each kind of library registers one of each; only `ACL_REG_TYPE_OTHER` may be used by several. A hook registered
//! after `aclInit` is called at once. A hook that fails at `aclInit` makes it fail with the hook's code, and the
//! process stays uninitialised. Hooks run in the order of registration, without a lock held: they may register others.
#![allow(unsafe_code)] // calls functions of the program.

use super::failure::{Answer, Failure, invalid, refuse};
use super::state::runtime;
use parking_lot::Mutex;
use std::ffi::{CString, c_void};
use toprope_abi::acl::{AclError, FinalizeCallbackFunc, InitCallbackFunc, RegisterCallbackType};

/// What is called.
#[derive(Clone, Copy, Debug)]
pub enum Hook {
    /// At `aclInit`, with the text of the configuration.
    Init(InitCallbackFunc),
    /// At `aclFinalize`.
    Finalize(FinalizeCallbackFunc),
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    kind: RegisterCallbackType,
    hook: Hook,
    user_data: u64,
}

static HOOKS: Mutex<Vec<Entry>> = Mutex::new(Vec::new());

impl Hook {
    fn address(self) -> Option<usize> {
        match self {
            Hook::Init(f) => f.0.map(|f| f as usize),
            Hook::Finalize(f) => f.0.map(|f| f as usize),
        }
    }

    fn is_like(self, other: Hook) -> bool {
        matches!((self, other), (Hook::Init(_), Hook::Init(_)) | (Hook::Finalize(_), Hook::Finalize(_)))
    }
}

fn check(kind: RegisterCallbackType, hook: Hook) -> Answer {
    if hook.address().is_none() {
        return invalid("`cbFunc` is null");
    }
    if kind.name().is_none() {
        return invalid(format!("`type` is {}, which is no aclRegisterCallbackType", kind.0));
    }
    Ok(())
}

/// Registers a hook; an init hook is called at once if `aclInit` was.
///
/// # Errors
/// 100000 null or unknown kind; 500000 if the kind has a hook already.
pub fn register(kind: RegisterCallbackType, hook: Hook, user_data: *mut c_void) -> Answer {
    check(kind, hook)?;
    let entry = Entry { kind, hook, user_data: user_data as u64 };
    {
        let mut hooks = HOOKS.lock();
        let taken = hooks.iter().any(|h| h.kind == kind && h.hook.is_like(hook));
        if taken && kind != RegisterCallbackType::OTHER {
            let text = format!("{} has a hook of this kind already", kind.name().unwrap_or("the type"));
            return Err(Failure::new(AclError::INTERNAL_ERROR, text)
                .help("unregister it first, or use ACL_REG_TYPE_OTHER, which may have several"));
        }
        hooks.push(entry);
    }
    if let (Hook::Init(_), Some(config)) = (hook, runtime().init_text()) {
        // As in the public runtime: the result of a late call is of no consequence.
        let _ = call(entry, &config);
    }
    Ok(())
}

/// Takes a hook away.
///
/// # Errors
/// 100000 null or unknown kind; 500000 if it was not registered.
pub fn unregister(kind: RegisterCallbackType, hook: Hook) -> Answer {
    check(kind, hook)?;
    let mut hooks = HOOKS.lock();
    let same = |h: &Entry| h.kind == kind && h.hook.is_like(hook) && h.hook.address() == hook.address();
    match hooks.iter().position(same) {
        Some(at) => {
            hooks.remove(at);
            Ok(())
        }
        None => refuse(AclError::INTERNAL_ERROR, "this hook is not registered for this type"),
    }
}

fn call(entry: Entry, config: &str) -> AclError {
    let data = entry.user_data as *mut c_void;
    match entry.hook {
        Hook::Init(InitCallbackFunc(Some(f))) => {
            let text = CString::new(config).unwrap_or_default();
            // SAFETY: a function of the program with this signature (contract of the registration); the text outlives
            // the call.
            unsafe { f(text.as_ptr().cast(), config.len(), data) }
        }
        // SAFETY: as above.
        Hook::Finalize(FinalizeCallbackFunc(Some(f))) => unsafe { f(data) },
        Hook::Init(_) | Hook::Finalize(_) => AclError::SUCCESS,
    }
}

/// Calls all hooks of one kind until one fails.
fn call_all(of: fn(Hook) -> bool, when: &str, config: &str) -> Answer {
    let hooks: Vec<Entry> = HOOKS.lock().iter().filter(|h| of(h.hook)).copied().collect();
    for entry in hooks {
        let code = call(entry, config);
        if !code.is_success() {
            let kind = entry.kind.name().unwrap_or("a library");
            return Err(Failure::new(code, format!("the hook that {kind} registered for {when} failed")));
        }
    }
    Ok(())
}

/// Calls the hooks of `aclInit`.
///
/// # Errors
/// The code of the first one that fails.
pub fn run_init(config: &str) -> Answer {
    call_all(|hook| matches!(hook, Hook::Init(_)), "aclInit", config)
}

/// Calls the hooks of `aclFinalize`.
///
/// # Errors
/// The code of the first one that fails.
pub fn run_finalize() -> Answer {
    call_all(|hook| matches!(hook, Hook::Finalize(_)), "aclFinalize", "")
}
