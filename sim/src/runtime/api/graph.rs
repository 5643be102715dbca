//! Graphs: captured or built once, run many times.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

use super::super::event::Event;
use super::super::failure::{Answer, Failure, invalid, refuse};
use super::super::graph::{self, Change, Comparison, CondKind, Graph, Op, Refreshed, TaskType};
use super::super::launch::{Args, Request};
use super::super::state::{deadline_of, runtime};
use super::super::stream::Stream;
use super::super::value::{WaitWork, WriteWork};
use super::super::work::{KernelWork, WordTask, Work};
use super::{check_out, give, give_text, text};
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::Arc;
use toprope_abi::acl::*;
use toprope_abi::layout::CChar;

/// Documented longest name that is returned, bytes.
const MAX_NAME_BYTES: usize = 512;

fn find(graph: RiHandle) -> Answer<Arc<Graph>> {
    graph::find_graph(graph.0)
}

fn here(stream: StreamHandle) -> Answer<Arc<Stream>> {
    runtime().stream_here(stream.0)
}

// ---- capture ---------------------------------------------------------------------------------------------------------

pub unsafe fn aclmdlRICaptureBegin(stream: StreamHandle, mode: RiCaptureMode) -> Answer {
    graph::begin(&here(stream)?, mode, None)
}

pub unsafe fn aclmdlRICaptureToModelRIBegin(
    stream: StreamHandle,
    model: RiHandle,
    mode: RiCaptureMode,
) -> Answer {
    let model = find(model)?;
    graph::begin(&here(stream)?, mode, Some(model))
}

pub unsafe fn aclmdlRICaptureEnd(stream: StreamHandle, model: *mut RiHandle) -> Answer {
    let stream = here(stream)?;
    if model.is_null() && graph::info(&stream).1.is_none_or(|graph| !graph.is_branch()) {
        return invalid("`modelRI` is null");
    }
    let ended = graph::end(&stream);
    if !model.is_null() {
        let handle = ended.as_ref().map_or(0, |graph| graph.handle);
        // SAFETY: not null (checked), valid for writing (contract of the C function).
        unsafe { give("modelRI", model, RiHandle(handle as *mut c_void)) }?;
    }
    ended.map(|_| ())
}

pub unsafe fn aclmdlRICaptureGetInfo(
    stream: StreamHandle,
    status: *mut RiCaptureStatus,
    model: *mut RiHandle,
) -> Answer {
    if status.is_null() && model.is_null() {
        return invalid("`status` and `modelRI` are both null; there is nothing to answer");
    }
    let (state, graph) = graph::info(&*runtime().stream(stream.0)?);
    if !status.is_null() {
        // SAFETY: not null (checked), valid for writing (contract of the C function).
        unsafe { give("status", status, state) }?;
    }
    if model.is_null() {
        return Ok(());
    }
    let handle = graph.map_or(0, |graph| graph.handle);
    // SAFETY: as above.
    unsafe { give("modelRI", model, RiHandle(handle as *mut c_void)) }
}

pub unsafe fn aclmdlRICaptureThreadExchangeMode(mode: *mut RiCaptureMode) -> Answer {
    check_out("mode", mode)?;
    runtime().current()?;
    // SAFETY: not null (checked), valid for reading (contract of the C function).
    let before = graph::exchange_mode(unsafe { mode.read_unaligned() })?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("mode", mode, before) }
}

pub unsafe fn aclmdlRICaptureTaskGrpBegin(stream: StreamHandle) -> Answer {
    graph::begin_group(&*here(stream)?)
}

pub unsafe fn aclmdlRICaptureTaskGrpEnd(stream: StreamHandle, group: *mut TaskGrpHandle) -> Answer {
    check_out("handle", group)?;
    let ended = graph::end_group(&*here(stream)?);
    let handle = ended.as_ref().map_or(0, |handle| *handle);
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("handle", group, TaskGrpHandle(handle as *mut c_void)) }?;
    ended.map(|_| ())
}

pub unsafe fn aclmdlRICaptureTaskUpdateBegin(stream: StreamHandle, group: TaskGrpHandle) -> Answer {
    graph::begin_update(&here(stream)?, group.0)
}

pub unsafe fn aclmdlRICaptureTaskUpdateEnd(stream: StreamHandle) -> Answer {
    graph::end_update(&here(stream)?)
}

// ---- build -----------------------------------------------------------------------------------------------------------

pub unsafe fn aclmdlRIBuildBegin(model: *mut RiHandle, flag: u32) -> Answer {
    check_out("modelRI", model)?;
    let handle = graph::build_begin(flag)?.handle;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("modelRI", model, RiHandle(handle as *mut c_void)) }
}

/// The stream of a call that a graph binds: the default stream is none of them.
fn own(stream: StreamHandle) -> Answer<Arc<Stream>> {
    if stream.is_null() {
        return Err(Failure::new(
            AclError::RT_PARAM_INVALID,
            "`stream` is null; the default stream cannot be bound",
        )
        .help("make a stream with aclrtCreateStreamWithConfig and ACL_STREAM_PERSISTENT"));
    }
    here(stream)
}

pub unsafe fn aclmdlRIBindStream(model: RiHandle, stream: StreamHandle, flag: u32) -> Answer {
    graph::bind(&find(model)?, &own(stream)?, flag)
}

pub unsafe fn aclmdlRIUnbindStream(model: RiHandle, stream: StreamHandle) -> Answer {
    graph::unbind(&find(model)?, &*own(stream)?)
}

pub unsafe fn aclmdlRIEndTask(model: RiHandle, stream: StreamHandle) -> Answer {
    graph::end_task(&find(model)?, &*own(stream)?)
}

pub unsafe fn aclmdlRIBuildEnd(model: RiHandle, reserve: *mut c_void) -> Answer {
    let model = find(model)?;
    if !reserve.is_null() {
        return invalid("`reserve` is not null; it is reserved");
    }
    graph::build_end(&model)
}

pub unsafe fn aclrtPersistentTaskClean(stream: StreamHandle) -> Answer {
    graph::clean(&*own(stream)?)
}

pub unsafe fn aclrtActiveStream(active: StreamHandle, stream: StreamHandle) -> Answer {
    graph::activate(&*own(active)?, &*own(stream)?)
}

pub unsafe fn aclrtSwitchStream(
    left: *mut c_void,
    condition: Condition,
    right: *mut c_void,
    data_type: CompareDataType,
    true_stream: StreamHandle,
    false_stream: StreamHandle,
    stream: StreamHandle,
) -> Answer {
    check_out("leftValue", left)?;
    check_out("rightValue", right)?;
    if condition.name().is_none() || data_type.name().is_none() {
        let text = format!(
            "`cond` is {} and `dataType` {}; they must be an aclrtCondition (0 to 5) and an aclrtCompareDataType (0 or 1)",
            condition.0, data_type.0
        );
        return refuse(AclError::RT_PARAM_INVALID, text);
    }
    if !false_stream.is_null() {
        return refuse(AclError::RT_PARAM_INVALID, "`falseStream` is not null; it is reserved");
    }
    let comparison = Comparison {
        left: left as u64,
        right: right as u64,
        condition: condition.0,
        is_wide: data_type == CompareDataType::INT64,
    };
    graph::switch(comparison, &*own(true_stream)?, &*own(stream)?)
}

// ---- execution -------------------------------------------------------------------------------------------------------

pub unsafe fn aclmdlRIExecuteAsync(model: RiHandle, stream: StreamHandle) -> Answer {
    graph::execute_async(&find(model)?, &here(stream)?)
}

pub unsafe fn aclmdlRIExecute(model: RiHandle, timeout: i32) -> Answer {
    let model = find(model)?;
    let deadline = deadline_of(timeout)?;
    runtime().current()?;
    graph::execute(&model, deadline)
}

pub unsafe fn aclmdlRIAbort(model: RiHandle) -> Answer {
    graph::abort(&*find(model)?)
}

pub unsafe fn aclmdlRIDestroy(model: RiHandle) -> Answer {
    graph::destroy(&find(model)?)
}

pub unsafe fn aclmdlRIDestroyRegisterCallback(
    model: RiHandle,
    func: Callback,
    user_data: *mut c_void,
) -> Answer {
    let model = find(model)?;
    let Some(func) = func.0 else { return invalid("`func` is null") };
    model.callbacks.lock().push((func, user_data as usize));
    Ok(())
}

pub unsafe fn aclmdlRIDestroyUnregisterCallback(model: RiHandle, func: Callback) -> Answer {
    let model = find(model)?;
    let Some(func) = func.0 else { return invalid("`func` is null") };
    let mut callbacks = model.callbacks.lock();
    let before = callbacks.len();
    callbacks.retain(|(known, _)| *known as usize != func as usize);
    if callbacks.len() < before {
        return Ok(());
    }
    let text = format!("`func` is not registered for {}", model.title());
    refuse(AclError::RT_PARAM_INVALID, text)
}

// ---- conditions ------------------------------------------------------------------------------------------------------

pub unsafe fn aclmdlRICondHandleCreate(
    model: RiHandle,
    default: u32,
    flag: RiCondHandleFlag,
    handle: *mut RiCondHandle,
) -> Answer {
    check_out("handle", handle)?;
    let made = graph::create_cond(&find(model)?, default, flag.0)?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("handle", handle, RiCondHandle(made as *mut c_void)) }
}

pub unsafe fn aclmdlRICondHandleGetCondPtr(handle: RiCondHandle, ptr: *mut *mut u64) -> Answer {
    check_out("ptr", ptr)?;
    let at = graph::cond_pointer(handle.0)?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("ptr", ptr, at as *mut u64) }
}

pub unsafe fn aclmdlRIAddCondTask(params: RiCondTaskParams, stream: StreamHandle, flags: u32) -> Answer {
    check_out("params.modelRIArray", params.model_ri_array)?;
    if flags != 0 {
        return refuse(
            AclError::RT_PARAM_INVALID,
            format!("`flags` is {flags}; it is reserved and must be 0"),
        );
    }
    let kind = CondKind::of(params.ty.0)?;
    let branches = graph::add_cond_task(params.handle.0, kind, params.size, &here(stream)?)?;
    for (index, branch) in branches.into_iter().enumerate() {
        // SAFETY: the array has `size` entries (contract of the C function), one per branch.
        let at = unsafe { params.model_ri_array.add(index) };
        // SAFETY: as above.
        unsafe { give("params.modelRIArray", at, RiHandle(branch as *mut c_void)) }?;
    }
    Ok(())
}

// ---- tasks -----------------------------------------------------------------------------------------------------------

fn task(task: RiTaskHandle) -> Answer<Arc<graph::Task>> {
    if task.is_null() {
        return invalid("`task` is null");
    }
    graph::tables().tasks.get(task.0)
}

/// Answers the two-step question: without an array the number, with one the handles.
///
/// # Errors
/// 107039 if the array is too small.
///
/// # Safety
/// `count` is null or valid; `out` is null or has room for `*count` entries.
unsafe fn give_list<T>(
    name: &str,
    out: *mut T,
    count: *mut u32,
    handles: &[u64],
    make: impl Fn(*mut c_void) -> T,
) -> Answer {
    check_out(&format!("num{name}"), count)?;
    if !out.is_null() {
        // SAFETY: not null (checked), valid for reading (contract).
        let room = unsafe { count.read_unaligned() } as usize;
        if room < handles.len() {
            let text = format!("there is room for {room}, but there are {} {name}", handles.len());
            return refuse(AclError::RT_INSUFFICIENT_INPUT_ARRAY, text);
        }
        for (index, handle) in handles.iter().enumerate() {
            // SAFETY: `index` is below the room of the array (checked).
            let at = unsafe { out.add(index) };
            // SAFETY: as above.
            unsafe { give(name, at, make(*handle as *mut c_void)) }?;
        }
    }
    // SAFETY: not null (checked), valid for writing (contract).
    unsafe { give(name, count, handles.len() as u32) }
}

pub unsafe fn aclmdlRIGetStreams(model: RiHandle, streams: *mut StreamHandle, count: *mut u32) -> Answer {
    let handles = graph::streams_of(&find(model)?)?;
    // SAFETY: the contract of the C function.
    unsafe { give_list("Streams", streams, count, &handles, StreamHandle) }
}

pub unsafe fn aclmdlRIGetTasksByStream(
    stream: StreamHandle,
    tasks: *mut RiTaskHandle,
    count: *mut u32,
) -> Answer {
    let handles = graph::tasks_of(stream.0)?;
    // SAFETY: the contract of the C function.
    unsafe { give_list("Tasks", tasks, count, &handles, RiTaskHandle) }
}

pub unsafe fn aclmdlRITaskGetType(of: RiTaskHandle, ty: *mut RiTaskType) -> Answer {
    check_out("type", ty)?;
    let answer = RiTaskType(task(of)?.op()?.task_type() as i32);
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("type", ty, answer) }
}

pub unsafe fn aclmdlRITaskGetSeqId(of: RiTaskHandle, id: *mut u32) -> Answer {
    check_out("id", id)?;
    let seq = task(of)?.node()?.seq;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("id", id, seq) }
}

pub unsafe fn aclmdlRITaskDisable(of: RiTaskHandle) -> Answer {
    graph::plan_disable(&*task(of)?)
}

pub unsafe fn aclmdlRIUpdate(model: RiHandle) -> Answer {
    graph::update(&find(model)?)
}

pub unsafe fn aclmdlRITaskGetParams(of: RiTaskHandle, params: *mut RiTaskParams) -> Answer {
    check_out("params", params)?;
    let task = task(of)?;
    let op = task.op()?;
    let event = |event: &Event| (EventHandle(event.handle as *mut c_void), event.flags);
    let value = match (&op, op.task_type()) {
        (Op::Work(Work::Kernel(kernel)), _) => RiTaskParamsValue { kernel_task_params: show(&task, kernel)? },
        (Op::Work(Work::Custom(work)), _) => match work.word_task() {
            Some(WordTask { at, value, wait: None }) => RiTaskParamsValue {
                value_write_task_params: RiValueWriteTaskParams { dev_addr: at as *mut c_void, value },
            },
            Some(WordTask { at, value, wait: Some(flag) }) => RiTaskParamsValue {
                value_wait_task_params: RiValueWaitTaskParams { dev_addr: at as *mut c_void, value, flag },
            },
            None => RiTaskParamsValue { rsv2: [0; 128] },
        },
        (_, TaskType::EventRecord) => {
            let (event, event_flag) = event(op.event()?);
            let record_flag = u32::from(matches!(op, Op::External(..)));
            let shown = RiEventRecordTaskParams { event, event_flag, record_flag };
            RiTaskParamsValue { event_record_task_params: shown }
        }
        (_, TaskType::EventWait) => {
            let (event, event_flag) = event(op.event()?);
            let wait_flag = u32::from(matches!(op, Op::External(..)));
            RiTaskParamsValue {
                event_wait_task_params: RiEventWaitTaskParams { event, event_flag, wait_flag },
            }
        }
        (_, TaskType::EventReset) => {
            let (event, event_flag) = event(op.event()?);
            let shown = RiEventResetTaskParams { event, event_flag, reset_flag: 0 };
            RiTaskParamsValue { event_reset_task_params: shown }
        }
        _ => RiTaskParamsValue { rsv2: [0; 128] },
    };
    let shown = RiTaskParams {
        ty: RiTaskType(op.task_type() as i32),
        rsv0: [0; 3],
        task_grp: TaskGrpHandle(task.node()?.group.unwrap_or(0) as *mut c_void),
        op_info_ptr: null_mut(),
        op_info_size: 0,
        rsv1: [0; 32],
        value,
    };
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("params", params, shown) }
}

/// A kernel as the program sees it: arguments in device memory and attributes that live as long as the graph.
fn show(task: &graph::Task, kernel: &KernelWork) -> Answer<RiKernelTaskParams> {
    let function = kernel.function.binary.function(&kernel.function.name, &runtime().functions)?;
    let given = kernel.attributes.as_deref().unwrap_or_default();
    let (args, cfg) = task.show(kernel.device_args, &kernel.launch.args, given)?;
    Ok(RiKernelTaskParams {
        func_handle: FuncHandle(function as *mut c_void),
        cfg: cfg as *mut LaunchKernelCfg,
        args: args as *mut c_void,
        is_host_args: 0,
        args_size: kernel.function.args_bytes,
        num_blocks: kernel.launch.num_blocks,
        rsv: [0; 10],
    })
}

pub unsafe fn aclmdlRITaskSetParams(of: RiTaskHandle, params: *mut RiTaskParams) -> Answer {
    check_out("params", params)?;
    let task = task(of)?;
    task.check_changeable()?;
    // SAFETY: not null (checked), valid for reading (contract of the C function).
    let params = unsafe { params.read_unaligned() };
    let stream = task.stream()?;
    let work = match params.ty {
        RiTaskType::KERNEL => {
            // SAFETY: the type says that this field counts; plain numbers and pointers.
            let asked = unsafe { params.value.kernel_task_params };
            // SAFETY: what it points to is valid (contract of the C function).
            Work::Kernel(Box::new(unsafe { kernel_of(&asked, &stream) }?))
        }
        RiTaskType::VALUE_WRITE => {
            // SAFETY: as above.
            let asked = unsafe { params.value.value_write_task_params };
            let word = super::value::word(asked.dev_addr, &stream)?;
            Work::Custom(Arc::new(WriteWork { word, value: asked.value }))
        }
        RiTaskType::VALUE_WAIT => {
            // SAFETY: as above.
            let asked = unsafe { params.value.value_wait_task_params };
            let word = super::value::word(asked.dev_addr, &stream)?;
            let until = super::value::until_of(asked.flag)?;
            Work::Custom(Arc::new(WaitWork { word, value: asked.value, until }))
        }
        other => {
            let text = format!(
                "`params->type` is {}; only kernels (1), value writes (5) and value waits (6) can be set",
                other.0
            );
            return refuse(AclError::RT_PARAM_INVALID, text);
        }
    };
    task.plan(Change::Replace(Op::Work(work)))
}

/// # Safety
/// `cfg` and host arguments are null or valid.
unsafe fn kernel_of(asked: &RiKernelTaskParams, stream: &Stream) -> Answer<KernelWork> {
    let function = super::kernel::function(asked.func_handle.0)?;
    // SAFETY: the contract of this function.
    let attributes = unsafe { super::launch::attributes(asked.cfg) }?;
    let args = if asked.is_host_args == 0 {
        check_out("args", asked.args)?;
        Args::Device { at: asked.args as u64, bytes: asked.args_size }
    } else {
        // SAFETY: as above.
        let bytes = unsafe { super::launch::host_bytes(asked.args, asked.args_size) }?;
        Args::Host { bytes, place_holders: &[] }
    };
    Request { function, num_blocks: asked.num_blocks, args, attributes }.prepare(runtime(), stream)
}

/// Attributes of a launch that cannot be asked for, as documented.
const NOT_ASKED: [LaunchKernelAttrId; 3] = [
    LaunchKernelAttrId::ENGINE_TYPE,
    LaunchKernelAttrId::BLOCKDIM_OFFSET,
    LaunchKernelAttrId::BLOCK_TASK_PREFETCH,
];

pub unsafe fn aclmdlRIKernelTaskGetAttribute(
    of: RiTaskHandle,
    id: LaunchKernelAttrId,
    value: *mut LaunchKernelAttrValue,
) -> Answer {
    check_out("attrValue", value)?;
    let kernel = task(of)?.kernel()?;
    if id.name().is_none() || NOT_ASKED.contains(&id) {
        let text = format!("launch attribute {} cannot be asked for", id.0);
        return refuse(AclError::RT_PARAM_INVALID, text);
    }
    let given = kernel.attributes.as_deref().unwrap_or_default();
    let rsv = given.iter().find(|(known, _)| *known == id.0).map_or([0; 4], |(_, value)| *value);
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("attrValue", value, LaunchKernelAttrValue { rsv }) }
}

pub unsafe fn aclrtTaskUpdateAsync(
    task_stream: StreamHandle,
    task_id: u32,
    info: *mut TaskUpdateInfo,
    exec_stream: StreamHandle,
) -> Answer {
    check_out("info", info)?;
    // SAFETY: not null (checked), valid for reading (contract of the C function).
    let info = unsafe { info.read_unaligned() };
    let (of, exec) = (own(task_stream)?, here(exec_stream)?);
    let what = match info.id {
        UpdateTaskAttrId::AIC_AIV_TASK => {
            // SAFETY: the id says that this field counts; plain pointers.
            let asked = unsafe { info.val.aic_aiv_task_attr };
            let binary = runtime().binaries.get(asked.bin_handle)?;
            Refreshed::Kernel(binary, asked.func_entry_addr as u64, asked.block_dim_addr as u64)
        }
        UpdateTaskAttrId::RANDOM_TASK => {
            // SAFETY: as above.
            let asked = unsafe { info.val.random_task_attr };
            if asked.size < size_of::<RandomNumTaskInfo>() {
                let text = format!(
                    "`info->val.randomTaskAttr.size` is {}; an aclrtRandomNumTaskInfo has {} bytes",
                    asked.size,
                    size_of::<RandomNumTaskInfo>()
                );
                return refuse(AclError::RT_PARAM_INVALID, text);
            }
            Refreshed::Random(asked.src_addr as u64)
        }
        other => {
            let text = format!("`info->id` is {}; it must be 1 (random numbers) or 2 (kernel)", other.0);
            return refuse(AclError::RT_PARAM_INVALID, text);
        }
    };
    graph::refresh_task((&of, task_id), what, &exec)
}

// ---- names and pictures ----------------------------------------------------------------------------------------------

pub unsafe fn aclmdlRISetName(model: RiHandle, name: *const CChar) -> Answer {
    let model = find(model)?;
    // SAFETY: null or a C string (contract of the C function).
    let name = unsafe { text("name", name) }?;
    *model.name.lock() = name.into_owned();
    Ok(())
}

pub unsafe fn aclmdlRIGetName(model: RiHandle, max_len: u32, name: *mut CChar) -> Answer {
    let model = find(model)?;
    check_out("name", name)?;
    if max_len == 0 {
        return refuse(
            AclError::RT_PARAM_INVALID,
            "`maxLen` is 0; there must be room for at least the final zero",
        );
    }
    let known = model.name.lock();
    // SAFETY: room for `max_len` characters, at least 1 (contract of the C function, checked above).
    unsafe { give_text(name, (max_len as usize).min(MAX_NAME_BYTES), &known) };
    Ok(())
}

pub unsafe fn aclmdlRIGetId(model: RiHandle, id: *mut u32) -> Answer {
    let model = find(model)?;
    // SAFETY: null (refused) or valid for writing (contract of the C function).
    unsafe { give("modelRIId", id, model.id) }
}

pub unsafe fn aclmdlRIDebugPrint(model: RiHandle) -> Answer {
    eprintln!("toprope: {}", graph::describe(&*find(model)?)?);
    Ok(())
}

pub unsafe fn aclmdlRIDebugJsonPrint(model: RiHandle, path: *const CChar, flags: u32) -> Answer {
    let model = find(model)?;
    // SAFETY: null or a C string (contract of the C function).
    let path = unsafe { text("path", path) }?;
    graph::write_json(&model, &path, flags)
}

// ---- others of this chapter ------------------------------------------------------------------------------------------

pub unsafe fn aclrtRecordEventWithFlag(event: EventHandle, stream: StreamHandle, flag: u32) -> Answer {
    super::event::record_flagged(event, stream, flag)
}

pub unsafe fn aclrtStreamWaitEventWithFlag(
    stream: StreamHandle,
    event: EventHandle,
    timeout: u32,
    flag: u32,
) -> Answer {
    super::event::wait_flagged(stream, event, timeout, flag)
}

/// AI processors whose kernels this chip runs: NpuArch 2201.
const SAME_ARCHITECTURE: [&str; 2] = ["Ascend910B", "Ascend910_93"];
/// Other names of the public platform files.
const OTHER_ARCHITECTURES: [&str; 7] =
    ["Ascend910A", "Ascend910Pro", "Ascend310", "Ascend610", "Ascend950", "AS31XM", "BS9SX"];

pub unsafe fn aclrtCheckArchCompatibility(soc_version: *const CChar, compatible: *mut i32) -> Answer {
    // SAFETY: null or a C string (contract of the C function).
    let name = unsafe { text("socVersion", soc_version) }?;
    check_out("canCompatible", compatible)?;
    let begins = |list: &[&str]| list.iter().any(|known| name.starts_with(known));
    let answer = match (begins(&SAME_ARCHITECTURE), begins(&OTHER_ARCHITECTURES)) {
        (true, _) => 1,
        (false, true) => 0,
        (false, false) => {
            let text = format!("`socVersion` is \"{name}\", which is no AI processor that is known here");
            return refuse(AclError::RT_PARAM_INVALID, text);
        }
    };
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("canCompatible", compatible, answer) }
}

/// All functions of this group are supported.
pub const NOT_SUPPORTED: &[(&str, &str)] = &[];
