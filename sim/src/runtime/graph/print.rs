//! Graphs for people: as lines of text, and as a file for a trace viewer (`chrome://tracing`, Perfetto).

use super::super::failure::{Answer, Failure, refuse};
use super::super::work::Work;
use super::model::{Graph, Lane, Node, Op};
use serde_json::{Value, json};
use std::io::Write;
use toprope_abi::acl::AclError;

/// `ACL_MDLRI_DEBUG_JSON_PRINT_VERBOSE`.
const VERBOSE: u32 = 1;

/// The graph as lines of text.
///
/// # Errors
/// 107026 and 107000 while it is incomplete.
pub fn describe(graph: &Graph) -> Answer<String> {
    let program = graph.complete()?;
    let mut text =
        format!("{}: device {}, {} streams", graph.title(), graph.context.device.index, program.lanes.len());
    for lane in &program.lanes {
        text.push_str(&format!(
            "\n  stream {} (recorded from {}): {} tasks",
            lane.runner.id,
            lane.user.name(),
            lane.nodes.len()
        ));
        for node in &lane.nodes {
            let state = node.state.lock();
            let off = if state.is_disabled { " (disabled)" } else { "" };
            text.push_str(&format!("\n    task {}: {}{off}, by {}", node.seq, state.op.describe(), node.by));
        }
    }
    for branch in &program.branches {
        text.push('\n');
        text.push_str(&describe(branch)?);
    }
    Ok(text)
}

/// `aclmdlRIDebugJsonPrint`: writes trace events, one per task.
///
/// # Errors
/// 107000 for unknown flags or a file that cannot be written; 107026 while the graph is incomplete.
pub fn write_json(graph: &Graph, path: &str, flags: u32) -> Answer {
    if flags > VERBOSE {
        let text = format!("`flags` is {flags}; it must be 0 (SUMMARY) or {VERBOSE} (VERBOSE)");
        return refuse(AclError::RT_PARAM_INVALID, text);
    }
    let mut events = Vec::new();
    add_events(graph, flags == VERBOSE, &mut events)?;
    let write = || -> std::io::Result<()> {
        let mut file = std::io::BufWriter::new(std::fs::File::create(path)?);
        serde_json::to_writer_pretty(&mut file, &Value::Array(events))?;
        file.write_all(b"\n")?;
        file.flush()
    };
    write().map_err(|e| {
        Failure::new(AclError::RT_PARAM_INVALID, format!("`path`: `{path}` cannot be written: {e}"))
            .help("give the path of a file in an existing directory that may be written")
    })
}

fn add_events(graph: &Graph, verbose: bool, events: &mut Vec<Value>) -> Answer {
    let program = graph.complete()?;
    let process = format!("{} on device {}", graph.title(), graph.context.device.index);
    for lane in &program.lanes {
        let thread = format!("stream {} (from {})", lane.runner.id, lane.user.name());
        for node in &lane.nodes {
            events.push(event(graph, lane, node, (&process, &thread), verbose));
        }
        events.extend(arrows(lane, (&process, &thread)));
    }
    program.branches.iter().try_for_each(|branch| add_events(branch, verbose, events))
}

/// Place of a task on the time axis: graphs have an order, not a time.
fn time_of(node: &Node) -> u32 {
    node.seq * 10
}

fn event(graph: &Graph, lane: &Lane, node: &Node, (process, thread): (&str, &str), verbose: bool) -> Value {
    let state = node.state.lock();
    let mut args = json!({
        "model_id": graph.id,
        "stream_id": lane.runner.id,
        "task_id": node.seq,
        "task_type": state.op.task_type().name(),
        "recorded_by": node.by,
    });
    if state.is_disabled {
        args["disabled"] = json!(true);
    }
    if let Some(group) = node.group {
        args["task_group"] = json!(format!("{group:#x}"));
    }
    if let Op::Work(Work::Kernel(kernel)) = &state.op {
        args["kernel"] = json!(kernel.function.name);
        args["num_blocks"] = json!(kernel.launch.num_blocks);
        if verbose {
            let words = kernel.launch.args.iter().map(|word| format!("{word:#018x}"));
            args["args"] = json!(words.collect::<Vec<_>>());
            args["args_bytes"] = json!(kernel.function.args_bytes);
        }
    }
    if let Op::Condition(condition, kind, branches) = &state.op {
        args["condition"] = json!(kind.name());
        args["condition_address"] = json!(format!("{:#x}", condition.at));
        args["branches"] = json!(branches.iter().map(|b| b.id).collect::<Vec<_>>());
    }
    json!({
        "name": state.op.describe(), "cat": "task", "ph": "X",
        "pid": process, "tid": thread, "ts": time_of(node), "dur": 9, "args": args,
    })
}

/// Records and waits inside the graph as flow arrows.
fn arrows(lane: &Lane, (process, thread): (&str, &str)) -> Vec<Value> {
    let arrow = |node: &Node| {
        let (phase, mark) = match &node.state.lock().op {
            Op::Record(mark, _) => ("s", *mark),
            Op::Wait(mark, _) => ("f", *mark),
            _ => return None,
        };
        Some(json!({
            "name": "event", "cat": "event", "ph": phase, "bp": "e", "id": mark,
            "pid": process, "tid": thread, "ts": time_of(node),
        }))
    };
    lane.nodes.iter().filter_map(arrow).collect()
}
