//! Everything of the process: devices, handles, counts, and what a thread has selected.

use super::binary::{Binary, Function};
use super::callback;
use super::config::{Environment, InitFile, read_init_file};
use super::context::Context;
use super::copy;
use super::device::{Device, MAX_STREAMS};
use super::diag;
use super::event::Event;
use super::exception;
use super::failure::{Answer, Failure, invalid, refuse};
use super::graph;
use super::handle::{HandleTable, Kind};
use super::hostmem::HostMemory;
use super::ipc;
use super::mem_findings;
use super::memory;
use super::notify;
use super::order;
use super::process;
use super::report;
use super::state_callback;
use super::state_callback::stream_changed;
use super::stream::Stream;
use super::tiling;
use crate::npu::chip::Chip;
use parking_lot::Mutex;
use std::cell::RefCell;
use std::ffi::{CString, c_void};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use toprope_abi::acl::{AclError, DeviceState, StreamState};

/// Longest wait for running work when a device is reset by force or the process ends.
const GIVE_UP: Duration = Duration::from_secs(2);

/// Counting of `aclInit` and `aclFinalize`.
#[derive(Debug, Default)]
struct InitCount {
    count: u64,
    finalized: bool,
    file: Option<(Option<String>, InitFile)>,
}

/// The runtime of this process.
#[derive(Debug)]
pub struct Runtime {
    /// What the environment says.
    pub environment: Environment,
    /// The chip, or why there is none.
    pub chip: Answer<&'static Chip>,
    /// Name of the chip as C text.
    pub soc_name: CString,
    /// Visible devices.
    pub devices: Vec<Device>,
    /// Live contexts.
    pub contexts: HandleTable<Context>,
    /// Live streams.
    pub streams: HandleTable<Stream>,
    /// Live events.
    pub events: HandleTable<Event>,
    /// Loaded kernel binaries.
    pub binaries: HandleTable<Binary>,
    /// Kernels handed out.
    pub functions: HandleTable<Function>,
    /// Pinned host memory.
    pub host: HostMemory,
    init: Mutex<InitCount>,
}

thread_local! {
    static CURRENT: RefCell<Option<Arc<Context>>> = const { RefCell::new(None) };
}

/// The runtime; made at the first call. Free of side effects: devices are opened when they are selected.
pub fn runtime() -> &'static Runtime {
    static RUNTIME: OnceLock<&'static Runtime> = OnceLock::new();
    RUNTIME.get_or_init(|| {
        let runtime = Box::leak(Box::new(Runtime::new(Environment::read(|name| std::env::var(name).ok()))));
        diag::set_up(runtime.environment.quiet, runtime.environment.max_findings);
        order::set_on(runtime.environment.checks.on);
        for complaint in &runtime.environment.complaints {
            eprintln!("toprope: {complaint}");
        }
        let soc = runtime.soc_name.to_string_lossy();
        report::begin(runtime.environment.report.clone(), &soc, runtime.environment.checks);
        process::at_exit(runtime_at_exit);
        runtime
    })
}

fn runtime_at_exit() {
    runtime().flush();
    tiling::finish();
    diag::print_rest();
    report::end();
}

/// How long a call waits: -1 for ever, else milliseconds.
///
/// # Errors
/// 107000 for other values.
pub fn deadline_of(timeout_ms: i32) -> Answer<Option<Instant>> {
    match timeout_ms {
        -1 => Ok(None),
        1.. => Ok(Some(Instant::now() + Duration::from_millis(timeout_ms.unsigned_abs().into()))),
        _ => refuse(
            AclError::RT_PARAM_INVALID,
            format!(
                "`timeout` is {timeout_ms}; it must be -1 (no limit) or a positive number of milliseconds"
            ),
        ),
    }
}

impl Runtime {
    fn new(environment: Environment) -> Runtime {
        let chip = Chip::from_env().map_err(|e| {
            Failure::new(AclError::RT_NO_DEVICE, e.to_string()).help("correct the variable or unset it")
        });
        let devices = match (&chip, &environment.visible) {
            (Ok(chip), Ok(visible)) => {
                visible.iter().enumerate().map(|(index, id)| Device::new(index as u32, *id, chip)).collect()
            }
            _ => Vec::new(),
        };
        let soc_name = chip.as_ref().map_or_else(|_| String::new(), |c| c.name.clone());
        Runtime {
            environment,
            chip,
            soc_name: CString::new(soc_name).unwrap_or_default(),
            devices,
            contexts: HandleTable::new(Kind::Context),
            streams: HandleTable::new(Kind::Stream),
            events: HandleTable::new(Kind::Event),
            binaries: HandleTable::new(Kind::Binary),
            functions: HandleTable::new(Kind::Function),
            host: HostMemory::default(),
            init: Mutex::default(),
        }
    }

    // ---- aclInit and aclFinalize -----------------------------------------------------------------------------------

    /// `aclInit`.
    ///
    /// # Errors
    /// 100002 from the second call on (and it counts); 100000 if the configuration differs; those of the file.
    pub fn init(&self, path: Option<String>) -> Answer {
        let file = path.as_deref().map_or(Ok(InitFile::default()), read_init_file)?;
        let mut init = self.init.lock();
        if init.count == 0 {
            *init = InitCount { count: 1, finalized: false, file: Some((path, file)) };
            return Ok(());
        }
        if path.is_some() && init.file.as_ref().is_some_and(|(_, first)| *first != file) {
            return Err(Failure::new(
                AclError::INVALID_PARAM,
                "the runtime was initialised before with another configuration",
            )
            .help("initialise with one configuration per process, or call aclFinalize in between"));
        }
        init.count += 1;
        refuse(
            AclError::REPEAT_INITIALIZE,
            format!("aclInit was called before; that makes {} calls", init.count),
        )
    }

    /// `aclInit` calls that were not given back.
    pub fn init_count(&self) -> u64 {
        self.init.lock().count
    }

    /// The text of the configuration, if the runtime is initialised.
    pub fn init_text(&self) -> Option<String> {
        let init = self.init.lock();
        let file = init.file.as_ref()?;
        Some(file.1.text.clone())
    }

    /// `aclFinalize`: ends it whatever the count.
    ///
    /// # Errors
    /// 100037 the second time.
    pub fn finalize(&self) -> Answer {
        {
            let mut init = self.init.lock();
            if init.finalized {
                return refuse(AclError::REPEAT_FINALIZE, "aclFinalize was called before");
            }
            *init = InitCount { count: 0, finalized: true, file: None };
        }
        self.finish();
        Ok(())
    }

    /// `aclFinalizeReference`: gives one `aclInit` back; returns the new count.
    ///
    /// # Errors
    /// 100037 if the count is 0.
    pub fn finalize_reference(&self) -> Answer<u64> {
        let mut init = self.init.lock();
        match init.count {
            0 => refuse(AclError::REPEAT_FINALIZE, "every aclInit was given back before"),
            1 => {
                *init = InitCount { count: 0, finalized: true, file: None };
                drop(init);
                self.finish();
                Ok(0)
            }
            _ => {
                init.count -= 1;
                Ok(init.count)
            }
        }
    }

    fn finish(&self) {
        tiling::finish();
        super::failure::set_messages_per_process(false);
        for stream in self.streams.select(|_| true) {
            // A fault nobody asked for was printed with its findings.
            if stream.is_idle() {
                let _ = stream.report_news();
            }
        }
        report::write();
    }

    /// Ends all work as well as possible; the process is about to end.
    fn flush(&self) {
        let give_up = Instant::now() + GIVE_UP;
        for stream in self.streams.select(|_| true) {
            stream.drop_waiting();
            stream.wait_idle(Some(give_up));
            let _ = stream.report_news();
        }
        ipc::link::drain(give_up);
        for device in &self.devices {
            self.report_leaks(device);
        }
        let (blocks, bytes) = self.host.live_blocks_and_bytes();
        if blocks > 0 {
            report::leak(report::Leak { memory: "host", device: None, blocks, bytes });
        }
    }

    /// A device ends: results that nobody waited for, and many streams or events of one place that were not destroyed.
    fn tell_what_is_left(&self, device: &Device, by: &'static str) {
        for who in order::never_waited(device.index, |at| self.host.find(at).is_some()) {
            mem_findings::never_waited(by, &who);
        }
        let of_device = |s: &Stream| s.context.device.index == device.index && !s.is_default;
        let streams = self.streams.select(of_device);
        mem_findings::handles_left(by, "streams", "aclrtDestroyStream", streams.iter().map(|s| s.made_at));
        let events = self.events.select(|event| event.device == device.index);
        mem_findings::handles_left(by, "events", "aclrtDestroyEvent", events.iter().map(|e| e.made_at));
    }

    fn report_leaks(&self, device: &Device) {
        let (blocks, bytes) = device.memory().map_or((0, 0), |m| m.live_blocks_and_bytes());
        if blocks > 0 {
            report::leak(report::Leak { memory: "device", device: Some(device.index), blocks, bytes });
        }
    }

    // ---- devices and contexts --------------------------------------------------------------------------------------

    /// The device with this id.
    ///
    /// # Errors
    /// 107001 with the ids there are; 207004 if there is no device at all.
    pub fn device(&'static self, id: i64) -> Answer<&'static Device> {
        if let Err(failure) = &self.chip {
            return Err(failure.clone());
        }
        self.environment.visible.as_ref().map_err(Clone::clone)?;
        let found = usize::try_from(id).ok().and_then(|index| self.devices.get(index));
        found.ok_or_else(|| {
            let text = format!("there is no device {id}; ids go from 0 to {}", self.devices.len() - 1);
            Failure::new(AclError::RT_INVALID_DEVICEID, text)
                .help("TOPROPE_DEVICES sets the number of devices; ASCEND_RT_VISIBLE_DEVICES chooses and renumbers them")
        })
    }

    /// Selects a device for the calling thread.
    ///
    /// # Errors
    /// 107001, 207004, 507033.
    pub fn set_device(&'static self, id: i32) -> Answer {
        let device = self.device(id.into())?;
        process::check_not_forked()?;
        state_callback::device_changes(id, DeviceState::SET_PRE);
        device.open(&self.environment, process::embedded_engine)?;
        let (context, is_new) = {
            let mut selection = device.selection.lock();
            let (context, is_new) = match &selection.default_context {
                Some(context) => (context.clone(), false),
                None => {
                    let context = self.new_context(device, false)?;
                    selection.default_context = Some(context.clone());
                    (context, true)
                }
            };
            selection.retained += 1;
            selection.was_forced = false;
            (context, is_new)
        };
        if is_new {
            context_made(&context);
        }
        CURRENT.set(Some(context));
        state_callback::device_changes(id, DeviceState::SET_POST);
        Ok(())
    }

    fn new_context(&'static self, device: &'static Device, is_explicit: bool) -> Answer<Arc<Context>> {
        let context = Arc::new(Context::new(self.contexts.reserve(), device, is_explicit));
        let stream = self.new_stream(&context, 0, 0, true)?;
        context.set_default_stream(stream);
        self.contexts.insert(context.handle, context.clone());
        Ok(context)
    }

    /// Makes a stream.
    ///
    /// # Errors
    /// 207008 when the device has no more.
    pub fn new_stream(
        &self,
        context: &Arc<Context>,
        priority: u32,
        flags: u32,
        is_default: bool,
    ) -> Answer<Arc<Stream>> {
        let device = context.device;
        let made = self.streams.count(|s| s.context.device.index == device.index);
        if made >= MAX_STREAMS {
            let text = format!("device {} has {made} streams, which is the limit", device.index);
            return refuse(AclError::RT_NO_STREAM_RESOURCE, text);
        }
        let handle = self.streams.reserve();
        let id = device.next_stream_id();
        let stream = Arc::new(Stream::new(handle, id, priority, flags, context.clone(), is_default));
        graph::attach_persistent(&stream);
        self.streams.insert(handle, stream.clone());
        Ok(stream)
    }

    /// `aclrtResetDevice` and `aclrtResetDeviceForce`.
    ///
    /// # Errors
    /// 107001; 507007 if the device is not selected by anybody.
    pub fn reset_device(&'static self, id: i32, force: bool, by: &'static str) -> Answer {
        let device = self.device(id.into())?;
        callback::check_outside("a device is reset")?;
        process::check_not_forked()?;
        state_callback::device_changes(id, DeviceState::RESET_PRE);
        let answer = self.release_device(device, force, by);
        state_callback::device_changes(id, DeviceState::RESET_POST);
        answer
    }

    fn release_device(&'static self, device: &'static Device, force: bool, by: &'static str) -> Answer {
        let ended = {
            let mut selection = device.selection.lock();
            if selection.retained == 0 {
                let why = if selection.was_forced {
                    "was reset by force before"
                } else {
                    "is not selected by any aclrtSetDevice"
                };
                let text = format!("device {} cannot be reset: it {why}", device.index);
                return refuse(AclError::RT_CONTEXT_RELEASE_ERROR, text);
            }
            selection.retained = if force { 0 } else { selection.retained - 1 };
            if selection.retained > 0 {
                return Ok(());
            }
            selection.was_forced = force;
            let mut ended = std::mem::take(&mut selection.explicit_contexts);
            ended.extend(selection.default_context.take());
            ended
        };
        if !force {
            self.tell_what_is_left(device, by);
        }
        self.end_contexts(&ended, force, by);
        self.events.remove_if(|event| event.device == device.index);
        notify::device_reset(device.index);
        exception::forget(device.index);
        self.report_leaks(device);
        memory::reset_device(device, by);
        ipc::memory::device_reset(device);
        ipc::event::device_reset(device.index);
        Ok(())
    }

    /// Ends contexts: finishes (or, by force, drops) their work and takes their streams away.
    fn end_contexts(&self, ended: &[Arc<Context>], force: bool, by: &'static str) {
        let belongs = |stream: &Stream| ended.iter().any(|c| Arc::ptr_eq(c, &stream.context));
        for stream in self.streams.select(|stream| belongs(stream)) {
            stream_changed(stream.handle, StreamState::DESTROY_PRE);
        }
        let streams = self.streams.remove_if(belongs);
        for stream in &streams {
            stream.close();
            if force {
                stream.drop_all();
            }
        }
        let deadline = force.then(|| Instant::now() + GIVE_UP);
        for stream in &streams {
            stream.wait_idle(deadline);
            callback::forget_stream(stream.handle);
            // A fault nobody asked for was printed with its findings.
            let _ = stream.report_news();
        }
        for context in ended {
            graph::context_ended(context);
            context.end(by);
            let _ = self.contexts.remove(context.handle as *mut c_void);
        }
    }

    /// The context of the calling thread.
    ///
    /// # Errors
    /// 107002 with what is missing.
    pub fn current(&'static self) -> Answer<Arc<Context>> {
        process::check_not_forked()?;
        let current = CURRENT.with_borrow(Clone::clone);
        if let Some(context) = current {
            return match context.ended_by() {
                None => Ok(context),
                Some(by) => {
                    let text = format!("the context of this thread is gone: {by} ended it");
                    Err(Failure::new(AclError::RT_CONTEXT_NULL, text)
                        .help("call aclrtSetDevice (or select a live context) before using the device again"))
                }
            };
        }
        let default = self.init.lock().file.as_ref().and_then(|(_, file)| file.default_device);
        if let Some(id) = default {
            self.set_device(id)?;
            return self.current();
        }
        refuse(AclError::RT_CONTEXT_NULL, "no device is selected in this thread")
    }

    /// `aclrtCreateContext`.
    ///
    /// # Errors
    /// As [`set_device`](Self::set_device).
    pub fn create_context(&'static self, id: i32) -> Answer<u64> {
        let device = self.device(id.into())?;
        process::check_not_forked()?;
        device.open(&self.environment, process::embedded_engine)?;
        let context = self.new_context(device, true)?;
        context_made(&context);
        device.selection.lock().explicit_contexts.push(context.clone());
        let handle = context.handle;
        CURRENT.set(Some(context));
        Ok(handle)
    }

    /// `aclrtDestroyContext`.
    ///
    /// # Errors
    /// 107017 for no context; 107000 for a default context.
    pub fn destroy_context(&'static self, handle: *mut c_void) -> Answer {
        if handle.is_null() {
            return invalid("`context` is null");
        }
        callback::check_outside("a context is destroyed")?;
        let context = self.contexts.get(handle)?;
        if !context.is_explicit {
            return Err(Failure::new(
                AclError::RT_PARAM_INVALID,
                "this is the default context of its device",
            )
            .help("aclrtResetDevice ends it; only contexts of aclrtCreateContext are destroyed"));
        }
        context.device.selection.lock().explicit_contexts.retain(|c| !Arc::ptr_eq(c, &context));
        self.end_contexts(std::slice::from_ref(&context), false, "aclrtDestroyContext");
        CURRENT.with_borrow_mut(|current| {
            if current.as_ref().is_some_and(|c| Arc::ptr_eq(c, &context)) {
                *current = None;
            }
        });
        Ok(())
    }

    /// `aclrtSetCurrentContext`.
    ///
    /// # Errors
    /// 100000 for null, 107017 for no context.
    pub fn select_context(&'static self, handle: *mut c_void) -> Answer {
        if handle.is_null() {
            return invalid("`context` is null");
        }
        let context = self.contexts.get(handle)?;
        CURRENT.set(Some(context));
        Ok(())
    }

    // ---- streams ---------------------------------------------------------------------------------------------------

    /// The stream of a handle; null is the default stream of the current context.
    ///
    /// # Errors
    /// 107017, 107002.
    pub fn stream(&'static self, handle: *mut c_void) -> Answer<Arc<Stream>> {
        process::check_not_forked()?;
        if !handle.is_null() {
            return self.streams.get(handle);
        }
        let context = self.current()?;
        context
            .default_stream()
            .cloned()
            .ok_or_else(|| super::failure::bug("a context without default stream"))
    }

    /// The same for calls that need the stream's context to be current.
    ///
    /// # Errors
    /// 107003 if it is not, 107002 if none is.
    pub fn stream_here(&'static self, handle: *mut c_void) -> Answer<Arc<Stream>> {
        let context = self.current()?;
        let stream = self.stream(handle)?;
        if Arc::ptr_eq(&context, &stream.context) {
            return Ok(stream);
        }
        let text = format!(
            "{} belongs to a context of device {}, but the current context of this thread is another one (device {})",
            stream.name(),
            stream.context.device.index,
            context.device.index
        );
        refuse(AclError::RT_STREAM_CONTEXT, text)
    }

    /// All streams of the current context, to wait for.
    ///
    /// # Errors
    /// 107002; 107027 if one is being captured.
    pub fn streams_here(&'static self) -> Answer<Vec<Arc<Stream>>> {
        let context = self.current()?;
        graph::check_device(&context)?;
        Ok(self.streams.select(|stream| Arc::ptr_eq(&context, &stream.context)))
    }

    /// Waits for streams, all of them, and reports the first failure.
    ///
    /// # Errors
    /// 507046, or what failed.
    pub fn synchronize(&self, streams: &[Arc<Stream>], deadline: Option<Instant>) -> Answer {
        let mut first = Ok(());
        for stream in streams {
            let answer = stream.synchronize(deadline);
            if first.is_ok() {
                first = answer;
            }
        }
        first
    }
}

/// Tells the program of the default stream of a context.
fn context_made(context: &Context) {
    if let Some(stream) = context.default_stream() {
        stream_changed(stream.handle, StreamState::CREATE_POST);
    }
}

/// Something a waiting host thread can do.
pub fn help() -> bool {
    copy::pool().help()
}
