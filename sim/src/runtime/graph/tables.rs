//! All graphs of the process and what belongs to them, by handle.
#![allow(unsafe_code)] // calls the functions that a program registered for the end of a graph.

use super::super::failure::{Answer, Failure, invalid, refuse};
use super::super::handle::{HandleTable, Kind};
use super::capture;
use super::cond::Condition;
use super::label::{Label, LabelList};
use super::model::{Graph, Lane, Origin};
use super::task::{LaneRef, Task};
use super::update::TaskGroup;
use std::ffi::c_void;
use std::sync::atomic::Ordering;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};
use toprope_abi::acl::AclError;

/// How long destroying waits for an execution that is under way (the vendor's runtime waits too, then gives up).
const PATIENCE: Duration = Duration::from_secs(2);

/// What programs have handles of.
#[derive(Debug)]
pub struct Tables {
    /// `aclmdlRI`.
    pub graphs: HandleTable<Graph>,
    /// `aclmdlRITask`.
    pub tasks: HandleTable<Task>,
    /// `aclrtTaskGrp`.
    pub groups: HandleTable<TaskGroup>,
    /// `aclmdlRICondHandle`.
    pub conditions: HandleTable<Condition>,
    /// `aclrtLabel`.
    pub labels: HandleTable<Label>,
    /// `aclrtLabelList`.
    pub lists: HandleTable<LabelList>,
    /// Streams of captured graphs as `aclmdlRIGetStreams` gives them.
    pub lanes: HandleTable<LaneRef>,
}

/// The tables of the process.
pub fn tables() -> &'static Tables {
    static TABLES: LazyLock<Tables> = LazyLock::new(|| Tables {
        graphs: HandleTable::new(Kind::Graph),
        tasks: HandleTable::new(Kind::GraphTask),
        groups: HandleTable::new(Kind::TaskGroup),
        conditions: HandleTable::new(Kind::Condition),
        labels: HandleTable::new(Kind::Label),
        lists: HandleTable::new(Kind::LabelList),
        lanes: HandleTable::new(Kind::Stream),
    });
    &TABLES
}

/// The graph of a handle.
///
/// # Errors
/// 100000 for null, 107017 for anything else that is no live graph.
pub fn find_graph(handle: *mut c_void) -> Answer<Arc<Graph>> {
    super::super::process::check_not_forked()?;
    if handle.is_null() {
        return invalid("`modelRI` is null");
    }
    tables().graphs.get(handle)
}

/// `aclmdlRIDestroy`.
///
/// # Errors
/// 207000 for a branch of a condition, 107026 while it is captured, 107037 while it runs.
pub fn destroy(graph: &Arc<Graph>) -> Answer {
    if graph.origin == Origin::Branch {
        return Err(Failure::new(
            AclError::RT_FEATURE_NOT_SUPPORT,
            format!(
                "{} is a branch of a condition; it goes with the graph that has the condition",
                graph.title()
            ),
        )
        .help("destroy the outer graph"));
    }
    if graph.is_captured() {
        graph.complete()?;
    }
    if !graph.runs.wait_idle(Some(Instant::now() + PATIENCE)) {
        let text = format!("{} still runs: {}", graph.title(), graph.runs.doing());
        return refuse(AclError::RT_MODEL_RUNNING, text);
    }
    tables().graphs.remove(graph.handle as *mut c_void)?;
    discard(graph);
    Ok(())
}

/// Takes away what belongs to a graph that is out of the table already, and calls what the program registered.
pub fn discard(graph: &Arc<Graph>) {
    let tables = tables();
    tables.tasks.remove_if(|task| Arc::ptr_eq(&task.graph, graph));
    tables.groups.remove_if(|group| Arc::ptr_eq(&group.graph, graph));
    tables.conditions.remove_if(|condition| condition.graph == graph.id);
    tables.lanes.remove_if(|lane| Arc::ptr_eq(&lane.graph, graph));
    let (lanes, branches) = match graph.program() {
        Some(program) => (program.lanes.iter().collect::<Vec<&Lane>>(), program.branches.clone()),
        None => (Vec::new(), std::mem::take(&mut graph.parts.lock().branches)),
    };
    if graph.origin == Origin::Built {
        for lane in lanes.iter().filter(|lane| lane.is_bound.load(Ordering::Acquire)) {
            super::build::release(&lane.user);
        }
        for draft in std::mem::take(&mut graph.parts.lock().lanes) {
            super::build::release(&draft.user);
        }
    }
    for branch in branches {
        let _ = tables.graphs.remove(branch.handle as *mut c_void);
        discard(&branch);
    }
    for (function, argument) in std::mem::take(&mut *graph.callbacks.lock()) {
        // SAFETY: the program registered this function for exactly this call and argument
        // (`aclmdlRIDestroyRegisterCallback`).
        unsafe { function(argument as *mut c_void) };
    }
}

/// A context ends: its captures and graphs end with it.
pub fn end_context(handle: u64) {
    capture::drop_context(handle);
    let ended = tables().graphs.remove_if(|graph| graph.context.handle == handle);
    for graph in &ended {
        graph.runs.drop_waiting(graph);
    }
    for graph in &ended {
        graph.runs.wait_idle(Some(Instant::now() + PATIENCE));
        if graph.origin != Origin::Branch {
            discard(graph);
        }
    }
    tables().labels.remove_if(|label| label.context == handle);
}
