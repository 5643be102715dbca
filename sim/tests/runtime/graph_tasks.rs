//! Looking into graphs and changing them: streams, tasks, parameters, groups, updates, pictures; events of the outside.

use crate::graph::{begin, copy, end, event, join, play};
use crate::support::*;
use std::ffi::c_void;
use std::ptr::null_mut;
use toprope_abi::acl::*;

const GLOBAL: RiCaptureMode = RiCaptureMode::GLOBAL;

fn streams(graph: RiHandle) -> Vec<StreamHandle> {
    let mut count = 0;
    ok!(aclmdlRIGetStreams(graph, null_mut(), &raw mut count));
    let mut list = vec![StreamHandle::NULL; count as usize];
    ok!(aclmdlRIGetStreams(graph, list.as_mut_ptr(), &raw mut count));
    list
}

fn tasks(stream: StreamHandle) -> Vec<RiTaskHandle> {
    let mut count = 0;
    ok!(aclmdlRIGetTasksByStream(stream, null_mut(), &raw mut count));
    let mut list = vec![RiTaskHandle::NULL; count as usize];
    ok!(aclmdlRIGetTasksByStream(stream, list.as_mut_ptr(), &raw mut count));
    list
}

fn ty(task: RiTaskHandle) -> RiTaskType {
    let mut ty = RiTaskType(99);
    ok!(aclmdlRITaskGetType(task, &raw mut ty));
    ty
}

fn params(task: RiTaskHandle) -> RiTaskParams {
    // SAFETY: plain numbers and pointers; all zero is a value.
    let mut params: RiTaskParams = unsafe { std::mem::zeroed() };
    ok!(aclmdlRITaskGetParams(task, &raw mut params));
    params
}

#[test]
fn a_graph_shows_its_streams_and_tasks() {
    let _device = device();
    let (a, b, x) = (stream(), stream(), malloc(16));
    put(x, &[0u32; 4]);
    begin(a, GLOBAL);
    run("add_one", 2, a, &[x as u64, 1]);
    join(a, b);
    copy(x.wrapping_byte_add(4), x, 4, b);
    ok!(aclrtValueWrite(x.wrapping_byte_add(8), 77, 0, b));
    join(b, a);
    let graph = end(a);
    let of = streams(graph);
    assert_eq!(of.len(), 2);
    let types: Vec<Vec<i32>> = of.iter().map(|s| tasks(*s).into_iter().map(|t| ty(t).0).collect()).collect();
    assert_eq!(types, [vec![1, 2, 3], vec![3, 0, 5, 2]]);
    let mut seqs = Vec::new();
    for task in of.iter().flat_map(|s| tasks(*s)) {
        let mut seq = 99;
        ok!(aclmdlRITaskGetSeqId(task, &raw mut seq));
        seqs.push(seq);
    }
    seqs.sort_unstable();
    assert_eq!(seqs, (0..7).collect::<Vec<u32>>());
    assert_eq!(tasks(of[0]), tasks(of[0]), "the same handles every time");

    let shown = params(tasks(of[0])[0]);
    // SAFETY: the type says that this field counts.
    let kernel = unsafe { shown.value.kernel_task_params };
    assert_eq!((kernel.num_blocks, kernel.args_size, kernel.is_host_args), (2, 16, 0));
    assert_eq!(kernel.func_handle.0, function("add_one").0);
    assert_eq!(take::<u64>(kernel.args, 2), [x as u64, 1]);
    let word = params(tasks(of[1])[2]);
    // SAFETY: as above.
    let word = unsafe { word.value.value_write_task_params };
    assert_eq!((word.dev_addr, word.value), (x.wrapping_byte_add(8), 77));

    let mut count = 1;
    fails!(107039, aclmdlRIGetStreams(graph, [a; 1].as_mut_ptr(), &raw mut count));
    fails!(100000, aclmdlRIGetStreams(graph, null_mut(), null_mut()));
    fails!(107000, aclmdlRIGetTasksByStream(a, null_mut(), &raw mut count));
    fails!(100000, aclmdlRIGetTasksByStream(DEFAULT, null_mut(), &raw mut count));
    let old = tasks(of[0])[0];
    ok!(aclmdlRIDestroy(graph));
    let mut seq = 0;
    fails!(107017, aclmdlRITaskGetSeqId(old, &raw mut seq));
    fails!(100000, aclmdlRITaskGetSeqId(RiTaskHandle::NULL, &raw mut seq));
}

#[test]
fn parameters_change_at_the_update() {
    let _device = device();
    let (a, x) = (stream(), malloc(32));
    put(x, &[0u64; 4]);
    begin(a, GLOBAL);
    run("add_one", 1, a, &[x as u64, 1]);
    run("add_one", 1, a, &[x as u64, 2]);
    let word = x.wrapping_byte_add(16);
    ok!(aclrtValueWrite(word, 1, 0, a));
    let graph = end(a);
    play(graph, a);
    assert_eq!(take::<u32>(x, 2), [2, 1]);
    let of = tasks(streams(graph)[0]);
    let mut change = params(of[0]);
    let mut args = [x as u64 + 8, 1];
    // SAFETY: the type says that this field counts.
    let kernel = unsafe { &mut change.value.kernel_task_params };
    (kernel.args, kernel.is_host_args, kernel.args_size) = (args.as_mut_ptr().cast(), 1, 16);
    ok!(aclmdlRITaskSetParams(of[0], &raw mut change));
    args = [0, 0];
    let mut change = params(of[2]);
    change.value.value_write_task_params.value = 5;
    ok!(aclmdlRITaskSetParams(of[2], &raw mut change));
    ok!(aclmdlRITaskDisable(of[1]));
    play(graph, a);
    assert_eq!(take::<u32>(x, 3), [4, 2, 0], "nothing changes before the update");
    ok!(aclmdlRIUpdate(graph));
    play(graph, a);
    assert_eq!((take::<u32>(x, 3), take::<u64>(word, 1)), (vec![4, 2, 1], vec![5]));
    assert_eq!(args, [0, 0]);

    let mut wrong = params(of[0]);
    wrong.ty = RiTaskType::EVENT_RECORD;
    fails!(107000, aclmdlRITaskSetParams(of[0], &raw mut wrong));
    fails!(100000, aclmdlRITaskSetParams(of[0], null_mut()));
    fails!(100000, aclmdlRITaskGetParams(of[0], null_mut()));
    fails!(100000, aclmdlRIUpdate(RiHandle::NULL));
    ok!(aclmdlRIDestroy(graph));
}

#[test]
fn attributes_of_a_kernel_are_shown() {
    let _device = device();
    let a = stream();
    let mut value = LaunchKernelAttrValue { rsv: [0; 4] };
    value.timeout_s = 7;
    let mut attrs = [LaunchKernelAttr { id: LaunchKernelAttrId::TIMEOUT, value }];
    let mut cfg = LaunchKernelCfg { attrs: attrs.as_mut_ptr(), num_attrs: 1 };
    begin(a, GLOBAL);
    assert_eq!(launch_with("nothing", 1, a, &[], &raw mut cfg).0, 0);
    run("nothing", 1, a, &[]);
    let graph = end(a);
    let of = tasks(streams(graph)[0]);
    let ask = |task: RiTaskHandle, id: LaunchKernelAttrId| {
        let mut got = LaunchKernelAttrValue { rsv: [9; 4] };
        let code = acl!(aclmdlRIKernelTaskGetAttribute(task, id, &raw mut got)).0;
        // SAFETY: plain numbers.
        (code, unsafe { got.timeout_s })
    };
    assert_eq!(ask(of[0], LaunchKernelAttrId::TIMEOUT), (0, 7));
    assert_eq!(ask(of[1], LaunchKernelAttrId::TIMEOUT), (0, 0));
    assert_eq!(ask(of[0], LaunchKernelAttrId::ENGINE_TYPE).0, 107000);
    assert_eq!(ask(of[0], LaunchKernelAttrId(77)).0, 107000);
    // SAFETY: the type says that this field counts.
    let shown = unsafe { params(of[0]).value.kernel_task_params };
    // SAFETY: valid as long as the graph.
    let shown = unsafe { shown.cfg.read() };
    assert_eq!(shown.num_attrs, 1);
    ok!(aclmdlRIDestroy(graph));
}

#[test]
fn a_task_group_is_updated_in_the_order_of_a_stream() {
    let _device = device();
    let (a, update, x) = (stream(), stream(), malloc(8));
    put(x, &[0u32, 0]);
    let (one, two) = (x as u64, x as u64 + 4);
    let mut group = TaskGrpHandle::NULL;
    fails!(107029, aclmdlRICaptureTaskGrpBegin(a));
    begin(a, GLOBAL);
    run("add_one", 1, a, &[one, 1]);
    fails!(107033, aclmdlRICaptureTaskGrpEnd(a, &raw mut group));
    ok!(aclmdlRICaptureTaskGrpBegin(a));
    fails!(107033, aclmdlRICaptureTaskGrpBegin(a));
    run("add_one", 1, a, &[one, 1]);
    ok!(aclmdlRICaptureTaskGrpEnd(a, &raw mut group));
    fails!(107026, aclmdlRICaptureTaskUpdateBegin(update, group));
    let graph = end(a);
    play(graph, a);
    assert_eq!(take::<u32>(x, 2), [2, 0]);

    fails!(107033, aclmdlRICaptureTaskUpdateEnd(update));
    ok!(aclmdlRICaptureTaskUpdateBegin(update, group));
    fails!(107033, aclmdlRICaptureTaskUpdateBegin(stream(), group));
    fails!(507000, aclmdlRICaptureTaskUpdateEnd(update));
    ok!(aclmdlRICaptureTaskUpdateBegin(update, group));
    assert_eq!(acl!(aclrtMemsetAsync(x, 8, 0, 8, update)).0, 507000, "another kind of task");
    run("add_one", 1, update, &[two, 1]);
    assert_eq!(launch("add_one", 1, update, &[two, 1]).0, 507000, "one task too many");
    ok!(aclmdlRICaptureTaskUpdateEnd(update));
    sync(update);
    play(graph, a);
    assert_eq!(take::<u32>(x, 2), [3, 1]);
    // SAFETY: plain numbers.
    assert_eq!(params(tasks(streams(graph)[0])[1]).task_grp.0, group.0);
    ok!(aclmdlRIDestroy(graph));
    fails!(107017, aclmdlRICaptureTaskUpdateBegin(update, group));
    fails!(100000, aclmdlRICaptureTaskUpdateBegin(update, TaskGrpHandle::NULL));
    run("nothing", 1, update, &[]);
    sync(update);
}

#[test]
fn a_task_group_takes_kernels_of_its_stream_only() {
    let _device = device();
    let (a, b, x) = (stream(), stream(), malloc(8));
    let mut group = TaskGrpHandle::NULL;
    let mut graph = RiHandle::NULL;
    begin(a, GLOBAL);
    ok!(aclmdlRICaptureTaskGrpBegin(a));
    assert_eq!(acl!(aclrtMemsetAsync(x, 8, 0, 8, a)).0, 507009);
    fails!(507009, aclmdlRICaptureTaskGrpEnd(a, &raw mut group));
    fails!(507903, aclmdlRICaptureEnd(a, &raw mut graph));
    begin(a, GLOBAL);
    join(a, b);
    ok!(aclmdlRICaptureTaskGrpBegin(a));
    assert_eq!(launch("nothing", 1, b, &[]).0, 107034);
    fails!(107034, aclmdlRICaptureTaskGrpEnd(a, &raw mut group));
    fails!(507903, aclmdlRICaptureEnd(a, &raw mut graph));
    begin(a, GLOBAL);
    ok!(aclmdlRICaptureTaskGrpBegin(a));
    fails!(107033, aclmdlRICaptureEnd(a, &raw mut graph));
}

/// The concurrent update of the developer guide: the graph waits for an event that the updating stream records.
#[test]
fn a_graph_waits_for_the_update_of_its_own_later_task() {
    let _device = device();
    let (a, update, x) = (stream(), stream(), malloc(8));
    put(x, &[0u32, 0]);
    let mut ready = EventHandle::NULL;
    ok!(aclrtCreateEventWithFlag(&raw mut ready, EVENT_EXTERNAL));
    begin(a, RiCaptureMode::RELAXED);
    ok!(aclrtStreamWaitEvent(a, ready));
    ok!(aclrtResetEvent(ready, a));
    let mut group = TaskGrpHandle::NULL;
    ok!(aclmdlRICaptureTaskGrpBegin(a));
    run("add_one", 1, a, &[x as u64, 1]);
    ok!(aclmdlRICaptureTaskGrpEnd(a, &raw mut group));
    let graph = end(a);
    for round in 0..10u32 {
        ok!(aclmdlRIExecuteAsync(graph, a));
        ok!(aclmdlRICaptureTaskUpdateBegin(update, group));
        run("add_one", 1, update, &[x as u64 + 4 * u64::from(round % 2), 1]);
        ok!(aclmdlRICaptureTaskUpdateEnd(update));
        ok!(aclrtRecordEvent(ready, update));
        sync(update);
        sync(a);
    }
    assert_eq!(take::<u32>(x, 2), [5, 5]);
    ok!(aclmdlRIDestroy(graph));
}

#[test]
fn external_events_order_graphs_and_streams() {
    let _device = device();
    let (a, b, outside, x) = (stream(), stream(), stream(), malloc(12));
    let at = |i: usize| x.wrapping_byte_add(4 * i);
    let (arrived, passed) = (event(), event());
    let ext = |on, event| acl!(aclrtRecordEventWithFlag(event, on, EVENT_RECORD_EXTERNAL)).0;
    assert_eq!(ext(a, passed), 107029, "outside of a capture");
    begin(a, RiCaptureMode::RELAXED);
    fails!(107000, aclrtStreamWaitEventWithFlag(a, arrived, 1, EVENT_WAIT_EXTERNAL));
    ok!(aclrtStreamWaitEventWithFlag(a, arrived, 0, EVENT_WAIT_EXTERNAL));
    copy(at(1), at(0), 4, a);
    assert_eq!(ext(a, passed), 0);
    assert_eq!(ext(a, passed), 107000, "once per graph");
    let first = end(a);
    fails!(107000, aclrtRecordEventWithFlag(passed, outside, EVENT_RECORD_DEFAULT));
    begin(b, RiCaptureMode::RELAXED);
    ok!(aclrtStreamWaitEventWithFlag(b, passed, 0, EVENT_WAIT_EXTERNAL));
    copy(at(2), at(1), 4, b);
    let second = end(b);
    let gate = malloc(4);
    for round in 1..=20u32 {
        put(x, &[round, 0, 0]);
        put(gate, &[0u32]);
        run("hold", 1, outside, &[gate as u64]);
        ok!(aclrtRecordEvent(arrived, outside));
        ok!(aclmdlRIExecuteAsync(first, a));
        ok!(aclmdlRIExecuteAsync(second, b));
        assert_eq!(take::<u32>(at(1), 1), [0], "it waits for the stream outside");
        put(gate, &[1u32]);
        sync(b);
        assert_eq!(take::<u32>(x, 3), [round; 3]);
        sync(a);
    }
    ok!(aclmdlRIDestroy(first));
    ok!(aclmdlRIDestroy(second));
}

#[test]
fn a_graph_is_written_as_a_trace() {
    let _device = device();
    let (a, b, x) = (stream(), stream(), malloc(8));
    begin(a, GLOBAL);
    run("add_one", 1, a, &[x as u64, 1]);
    join(a, b);
    copy(x.wrapping_byte_add(4), x, 4, b);
    join(b, a);
    let graph = end(a);
    let name = c_text("say \"hello\"\n");
    ok!(aclmdlRISetName(graph, c_ptr(&name)));
    ok!(aclmdlRIDebugPrint(graph));
    let path = std::env::temp_dir().join(format!("toprope-graph-{}.json", std::process::id()));
    for (flags, has_args) in [(0, false), (1, true)] {
        let file = c_text(path.to_str().unwrap());
        ok!(aclmdlRIDebugJsonPrint(graph, c_ptr(&file), flags));
        let written = std::fs::read_to_string(&path).unwrap();
        let trace: serde_json::Value = serde_json::from_str(&written).unwrap();
        let tasks: Vec<_> = trace.as_array().unwrap().iter().filter(|e| e["ph"] == "X").collect();
        assert_eq!(tasks.len(), 6);
        let kernel = tasks.iter().find(|e| e["args"]["task_type"] == "KERNEL").unwrap();
        assert_eq!(kernel["args"]["kernel"], "add_one");
        assert_eq!(kernel["args"].get("args").is_some(), has_args);
        assert!(tasks.iter().all(|e| e["pid"].is_string() && e["tid"].is_string() && e["ts"].is_u64()));
    }
    std::fs::remove_file(&path).unwrap();
    let nowhere = c_text("/nowhere/at/all.json");
    fails!(107000, aclmdlRIDebugJsonPrint(graph, c_ptr(&nowhere), 0));
    fails!(100000, aclmdlRIDebugJsonPrint(graph, std::ptr::null(), 0));
    let file = c_text(path.to_str().unwrap());
    fails!(107000, aclmdlRIDebugJsonPrint(graph, c_ptr(&file), 2));
    ok!(aclmdlRIDestroy(graph));
}

#[test]
fn a_kernel_of_a_built_graph_gets_another_number_of_blocks_from_device_memory() {
    let _device = device();
    let mut compatible = 9;
    let names = [("Ascend910B1", 1), ("Ascend910_9391", 1), ("Ascend310P3", 0), ("Ascend910A", 0)];
    for (name, expected) in names {
        let name = c_text(name);
        ok!(aclrtCheckArchCompatibility(c_ptr(&name), &raw mut compatible));
        assert_eq!(compatible, expected, "{name:?}");
    }
    let name = c_text("Toaster");
    fails!(107000, aclrtCheckArchCompatibility(c_ptr(&name), &raw mut compatible));
    fails!(100000, aclrtCheckArchCompatibility(std::ptr::null(), &raw mut compatible));

    let (execute, words) = (stream(), malloc(16));
    let mut graph = RiHandle::NULL;
    ok!(aclmdlRIBuildBegin(&raw mut graph, 0));
    let mut kept = StreamHandle::NULL;
    ok!(aclrtCreateStreamWithConfig(&raw mut kept, 0, STREAM_PERSISTENT));
    ok!(aclmdlRIBindStream(graph, kept, 0));
    run("nothing", 1, kept, &[]);
    let mut id = 0;
    ok!(aclrtGetThreadLastTaskId(&raw mut id));
    ok!(aclmdlRIEndTask(graph, kept));
    ok!(aclmdlRIBuildEnd(graph, null_mut()));
    let kernel = AicAivTaskUpdateAttr {
        bin_handle: binary().0,
        func_entry_addr: words,
        block_dim_addr: words.wrapping_byte_add(8),
        rsv: [0; 4],
    };
    let val = UpdateTaskAttrVal { aic_aiv_task_attr: kernel };
    let mut info = TaskUpdateInfo { id: UpdateTaskAttrId::AIC_AIV_TASK, val };
    put(words, &[u64::MAX, 3]);
    fails!(107000, aclrtTaskUpdateAsync(kept, id + 99, &raw mut info, execute));
    fails!(107005, aclrtTaskUpdateAsync(execute, id, &raw mut info, execute));
    fails!(100000, aclrtTaskUpdateAsync(kept, id, null_mut(), execute));
    ok!(aclrtTaskUpdateAsync(kept, id, &raw mut info, execute));
    // No kernel of the test table has an entry number: the update fails when it has its turn, the graph stays.
    assert_eq!(acl!(aclrtSynchronizeStream(execute)).0, 107000);
    play(graph, execute);
    info.id = UpdateTaskAttrId(9);
    fails!(107000, aclrtTaskUpdateAsync(kept, id, &raw mut info, execute));
    ok!(aclmdlRIDestroy(graph));
    let _: *mut c_void = words;
}
