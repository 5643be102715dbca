//! Contexts: what a thread selects, and what a fault with `ACL_STOP_ON_FAILURE` stops.

use super::device::Device;
use super::failure::{Answer, Failure, refuse};
use super::stream::Stream;
use crate::sync::Mutex;
use crate::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use toprope_abi::acl::{AclError, SysParamOpt};

/// Documented size of the overflow flags.
pub const OVERFLOW_BYTES: u64 = 64;

fn option_index(option: SysParamOpt) -> Answer<usize> {
    match option.name() {
        Some(_) => Ok(option.0 as usize),
        None => {
            refuse(AclError::RT_PARAM_INVALID, format!("`opt` is {}, which is no aclSysParamOpt", option.0))
        }
    }
}

/// A context of a device.
#[derive(Debug)]
pub struct Context {
    /// Handle given to the program.
    pub handle: u64,
    /// Its device.
    pub device: &'static Device,
    /// Made by `aclrtCreateContext` (else the device's default context).
    pub is_explicit: bool,
    default_stream: OnceLock<Arc<Stream>>,
    ended_by: Mutex<Option<&'static str>>,
    stops_on_failure: AtomicBool,
    stopped: AtomicBool,
    stop_reason: Mutex<Option<Failure>>,
    /// Switches of the runtime (`aclSysParamOpt`) by number, where set.
    options: Mutex<[Option<i64>; SysParamOpt::ENABLE_KERNEL_EARLY_START.0 as usize + 1]>,
    /// Device memory for overflow flags, once asked for.
    overflow_flags: OnceLock<u64>,
}

impl Context {
    /// A context without its default stream; see [`set_default_stream`](Self::set_default_stream).
    pub fn new(handle: u64, device: &'static Device, is_explicit: bool) -> Context {
        Context {
            handle,
            device,
            is_explicit,
            default_stream: OnceLock::new(),
            ended_by: Mutex::new(None),
            stops_on_failure: AtomicBool::new(false),
            stopped: AtomicBool::new(false),
            stop_reason: Mutex::new(None),
            options: Mutex::default(),
            overflow_flags: OnceLock::new(),
        }
    }

    /// Gives the context its default stream; called once, when it is made. The stream refers back to the context, so
    /// neither is freed; a context is small and few are made.
    pub fn set_default_stream(&self, stream: Arc<Stream>) {
        let _ = self.default_stream.set(stream);
    }

    /// The stream that a null handle means.
    pub fn default_stream(&self) -> Option<&Arc<Stream>> {
        self.default_stream.get()
    }

    /// Which function ended it, if it is dead.
    pub fn ended_by(&self) -> Option<&'static str> {
        *self.ended_by.lock()
    }

    /// Ends it.
    pub fn end(&self, by: &'static str) {
        *self.ended_by.lock() = Some(by);
        if let (Some(at), Some(memory)) = (self.overflow_flags.get(), self.device.memory()) {
            // Freed already by a reset of the device: nothing left to do.
            let _ = memory.free(*at, by);
        }
    }

    /// `aclrtCtxSetSysParamOpt`.
    ///
    /// # Errors
    /// 107000 for an unknown option, or a value out of its range.
    pub fn set_option(&self, option: SysParamOpt, value: i64) -> Answer {
        let index = option_index(option)?;
        let most = if option == SysParamOpt::DETERMINISTIC { 3 } else { 1 };
        if !(0..=most).contains(&value) {
            let name = option.name().unwrap_or_default();
            let text = format!("`value` is {value}; for {name} it must be from 0 to {most}");
            return refuse(AclError::RT_PARAM_INVALID, text);
        }
        self.options.lock()[index] = Some(value);
        Ok(())
    }

    /// `aclrtCtxGetSysParamOpt`.
    ///
    /// # Errors
    /// 107000 for an unknown option; 107021 if it was never set.
    pub fn option(&self, option: SysParamOpt) -> Answer<i64> {
        let value = self.options.lock()[option_index(option)?];
        value.ok_or_else(|| {
            let text = format!("{} was never set in this context", option.name().unwrap_or_default());
            Failure::new(AclError::RT_SYSPARAMOPT_NOT_SET, text)
                .help("options have no default; set it with aclrtCtxSetSysParamOpt")
        })
    }

    /// Device memory of the context for overflow flags; made at the first call.
    ///
    /// # Errors
    /// 207001.
    pub fn overflow_flags(&self) -> Answer<u64> {
        if let Some(at) = self.overflow_flags.get() {
            return Ok(*at);
        }
        let memory = self.device.opened_memory()?;
        let block = memory.alloc(OVERFLOW_BYTES, true, "aclrtCtxGetFloatOverflowAddr");
        let block = block.map_err(|e| Failure::new(AclError::RT_MEMORY_ALLOCATION, e.to_string()))?;
        super::memory::write_block(&block, &[0; OVERFLOW_BYTES as usize]);
        let at = *self.overflow_flags.get_or_init(|| block.start);
        if at != block.start {
            // Another thread was quicker.
            let _ = memory.free(block.start, "aclrtCtxGetFloatOverflowAddr");
        }
        Ok(at)
    }

    /// A stream was set to `ACL_STOP_ON_FAILURE`, so every stream of the context is; there is no way back.
    pub fn set_stops_on_failure(&self) {
        self.stops_on_failure.store(true, Ordering::Release);
    }

    /// Whether its streams stop on failure.
    pub fn stops_on_failure(&self) -> bool {
        self.stops_on_failure.load(Ordering::Acquire)
    }

    /// A fault of a stream with `ACL_STOP_ON_FAILURE`: nothing runs in the context any more.
    pub fn stop(&self, failure: &Failure) {
        self.stop_reason.lock().get_or_insert_with(|| {
            let mut reason = failure.clone();
            reason.text = format!("a stream with ACL_STOP_ON_FAILURE failed before: {}", reason.text);
            reason
        });
        self.stopped.store(true, Ordering::Release);
    }

    /// Whether a fault stopped it.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Acquire)
    }

    /// Answers with the fault that stopped it.
    ///
    /// # Errors
    /// That fault.
    pub fn check_running(&self) -> Answer {
        if !self.is_stopped() {
            return Ok(());
        }
        self.stop_reason.lock().clone().map_or(Ok(()), Err)
    }
}
