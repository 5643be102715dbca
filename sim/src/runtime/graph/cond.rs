//! Conditions: a device word that decides which graph inside a graph runs.
//!
//! | kind | graphs | runs |
//! |---|---|---|
//! | IF | 1 or 2 | the first if the word is not 0, else the second if there is one |
//! | WHILE | 1 | it, again and again, while the word is not 0 |
//! | SWITCH | 1 or more | the one with that number; none if there is none |

use super::super::device::Device;
use super::super::failure::{Answer, Failure, invalid, refuse};
use super::super::stream::Stream;
use super::capture::{not_captured, registry};
use super::model::{Graph, Op, Origin};
use super::tables::tables;
use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use toprope_abi::acl::AclError;

/// `aclmdlRICondTaskType`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CondKind {
    /// One of two, or one or nothing.
    If,
    /// Again and again.
    While,
    /// One of many.
    Switch,
}

impl CondKind {
    /// Of the C value.
    ///
    /// # Errors
    /// 107000.
    pub fn of(value: i32) -> Answer<CondKind> {
        match value {
            0 => Ok(CondKind::If),
            1 => Ok(CondKind::While),
            2 => Ok(CondKind::Switch),
            _ => refuse(
                AclError::RT_PARAM_INVALID,
                format!("`params.type` is {value}; it must be 0 (IF), 1 (WHILE) or 2 (SWITCH)"),
            ),
        }
    }

    /// As the header calls it.
    pub fn name(self) -> &'static str {
        match self {
            CondKind::If => "IF",
            CondKind::While => "WHILE",
            CondKind::Switch => "SWITCH",
        }
    }

    /// Which graph runs for this value of the word.
    pub fn choose(self, value: u64, count: usize) -> Option<usize> {
        match self {
            CondKind::If if value == 0 => (count > 1).then_some(1),
            CondKind::If => Some(0),
            CondKind::While => (value != 0).then_some(0),
            CondKind::Switch => usize::try_from(value).ok().filter(|index| *index < count),
        }
    }

    fn check_count(self, count: u32) -> Answer {
        let (is_right, wanted) = match self {
            CondKind::If => ((1..=2).contains(&count), "1 or 2"),
            CondKind::While => (count == 1, "1"),
            CondKind::Switch => (count > 0, "at least 1"),
        };
        if is_right {
            return Ok(());
        }
        let text = format!("`params.size` is {count}; {} takes {wanted} graphs", self.name());
        refuse(AclError::RT_PARAM_INVALID, text)
    }
}

/// A condition: the word and what it starts with.
#[derive(Debug)]
pub struct Condition {
    /// Number of its graph.
    pub graph: u32,
    /// Where the word is.
    pub at: u64,
    /// What the word is set to when an execution of the graph begins.
    pub initial: Option<u64>,
    device: &'static Device,
    is_used: AtomicBool,
}

impl Drop for Condition {
    fn drop(&mut self) {
        if let Some(memory) = self.device.memory() {
            // Freed already by a reset of the device: nothing left to do.
            let _ = memory.free(self.at, "the end of its graph");
        }
    }
}

/// `aclmdlRICondHandleCreate`.
///
/// # Errors
/// 207000 for a built graph, 107000 for a complete one or an unknown flag, 207001.
pub fn create_cond(graph: &Arc<Graph>, default: u32, flag: i32) -> Answer<u64> {
    if !(0..=1).contains(&flag) {
        let text = format!("`flag` is {flag}; it must be 0 or 1 (ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT)");
        return refuse(AclError::RT_PARAM_INVALID, text);
    }
    if graph.origin == Origin::Built {
        let text = format!("{} was built; conditions are for captured graphs", graph.title());
        return refuse(AclError::RT_FEATURE_NOT_SUPPORT, text);
    }
    if graph.program().is_some() {
        let text = format!("the capture of {} is over", graph.title());
        return Err(Failure::new(AclError::RT_PARAM_INVALID, text)
            .help("create conditions between aclmdlRICaptureBegin and aclmdlRICaptureEnd; aclmdlRICaptureGetInfo gives the graph"));
    }
    let device = graph.context.device;
    let memory = device.opened_memory()?;
    let block = memory
        .alloc(8, true, "aclmdlRICondHandleCreate")
        .map_err(|e| Failure::new(AclError::RT_MEMORY_ALLOCATION, e.to_string()))?;
    super::super::memory::write_block(&block, &u64::from(default).to_ne_bytes());
    let conditions = &tables().conditions;
    let handle = conditions.reserve();
    let condition = Arc::new(Condition {
        graph: graph.id,
        at: block.start,
        initial: (flag == 1).then_some(u64::from(default)),
        device,
        is_used: AtomicBool::new(false),
    });
    graph.parts.lock().conditions.push(condition.clone());
    conditions.insert(handle, condition);
    Ok(handle)
}

fn find(handle: *mut c_void) -> Answer<Arc<Condition>> {
    if handle.is_null() {
        return invalid("`handle` is null");
    }
    tables().conditions.get(handle)
}

/// `aclmdlRICondHandleGetCondPtr`.
///
/// # Errors
/// 100000, 107017.
pub fn cond_pointer(handle: *mut c_void) -> Answer<u64> {
    Ok(find(handle)?.at)
}

/// `aclmdlRIAddCondTask`; returns the handles of the graphs to fill.
///
/// # Errors
/// 107029 outside a capture, 107000 for a handle of another graph or one that is in use, wrong numbers of graphs.
pub fn add_cond_task(
    handle: *mut c_void,
    kind: CondKind,
    count: u32,
    stream: &Arc<Stream>,
) -> Answer<Vec<u64>> {
    let condition = find(handle)?;
    registry(|r| {
        let (capture, _) = r.of_stream(stream.handle).ok_or_else(|| not_captured(stream))?;
        let graph = capture.graph.clone();
        if condition.graph != graph.id {
            let text = format!(
                "the condition belongs to graph {}, but {} is captured into graph {}",
                condition.graph,
                stream.name(),
                graph.id
            );
            return refuse(AclError::RT_PARAM_INVALID, text);
        }
        kind.check_count(count)?;
        if condition.is_used.swap(true, Ordering::AcqRel) {
            return Err(Failure::new(AclError::RT_PARAM_INVALID, "the condition has a task already")
                .help("create a condition per task"));
        }
        let branches: Vec<_> = (0..count).map(|_| Graph::new(&graph.context, Origin::Branch)).collect();
        let handles = branches.iter().map(|branch| branch.handle).collect();
        graph.parts.lock().branches.extend(branches.iter().cloned());
        r.push(stream, Op::Condition(condition, kind, branches))?;
        Ok(handles)
    })
}

#[cfg(test)]
mod tests {
    use super::CondKind;

    #[test]
    fn the_word_chooses() {
        assert_eq!([0, 1, 7].map(|v| CondKind::If.choose(v, 2)), [Some(1), Some(0), Some(0)]);
        assert_eq!([0, 1].map(|v| CondKind::If.choose(v, 1)), [None, Some(0)]);
        assert_eq!([0, 9].map(|v| CondKind::While.choose(v, 1)), [None, Some(0)]);
        assert_eq!(
            [0, 2, 3, u64::MAX].map(|v| CondKind::Switch.choose(v, 3)),
            [Some(0), Some(2), None, None]
        );
    }
}
