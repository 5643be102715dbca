//! Labels: places in streams of built graphs that `aclrtSwitchLabelByIndex` jumps to.

use super::super::failure::{Answer, Failure, invalid, refuse};
use super::super::state::runtime;
use super::super::stream::Stream;
use super::model::{Jump, Op};
use super::tables::tables;
use parking_lot::Mutex;
use std::ffi::c_void;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};
use toprope_abi::acl::AclError;

/// Documented limit of labels per process, and of labels in a list.
const MAX_LABELS: usize = 65_535;

/// Where a label was set: graph, lane, node.
type Place = (u32, usize, usize);

/// A label.
#[derive(Debug)]
pub struct Label {
    /// Number in the process.
    pub id: u32,
    /// Handle of its context.
    pub context: u64,
    place: Mutex<Option<Place>>,
}

impl Label {
    /// Where it was set.
    pub fn place(&self) -> Option<Place> {
        *self.place.lock()
    }
}

/// Labels to choose from.
#[derive(Debug)]
pub struct LabelList {
    labels: Vec<Arc<Label>>,
}

/// `aclrtCreateLabel`.
///
/// # Errors
/// 107002 without a context, 207005 from the limit on.
pub fn create_label() -> Answer<u64> {
    static IDS: AtomicU32 = AtomicU32::new(0);
    let context = runtime().current()?.handle;
    let labels = &tables().labels;
    if labels.count(|_| true) >= MAX_LABELS {
        let text = format!("the process has {MAX_LABELS} labels, which is the limit");
        return Err(Failure::new(AclError::RT_RESOURCE_ALLOC_FAIL, text)
            .help("destroy labels that are no longer needed"));
    }
    let (handle, id) = (labels.reserve(), IDS.fetch_add(1, Ordering::Relaxed));
    labels.insert(handle, Arc::new(Label { id, context, place: Mutex::default() }));
    Ok(handle)
}

fn find(handle: *mut c_void) -> Answer<Arc<Label>> {
    if handle.is_null() {
        return invalid("`label` is null");
    }
    tables().labels.get(handle)
}

/// `aclrtDestroyLabel`. Graphs that jump to it keep its place.
///
/// # Errors
/// 100000, 107017.
pub fn destroy_label(handle: *mut c_void) -> Answer {
    find(handle)?;
    tables().labels.remove(handle).map(|_| ())
}

/// `aclrtSetLabel`.
///
/// # Errors
/// 507031 for a label of another context, 107000 if it was set before, 107005 for a stream that belongs to no graph.
pub fn set_label(handle: *mut c_void, stream: &Arc<Stream>) -> Answer {
    let label = find(handle)?;
    if label.context != stream.context.handle {
        let text = format!("label {} belongs to another context than {}", label.id, stream.name());
        return refuse(AclError::RT_LABEL_CONTEXT, text);
    }
    let mut place = label.place.lock();
    if let Some((graph, ..)) = *place {
        let text = format!("label {} was set before, in graph {graph}; a label marks one place", label.id);
        return refuse(AclError::RT_PARAM_INVALID, text);
    }
    let (graph, lane, node) = super::build::push(stream, Op::Label(label.clone()))?;
    *place = Some((graph, lane, node));
    Ok(())
}

/// Checks the length of a list before it is read.
///
/// # Errors
/// 107000.
pub fn check_list_length(count: usize) -> Answer {
    if (1..=MAX_LABELS).contains(&count) {
        return Ok(());
    }
    refuse(AclError::RT_PARAM_INVALID, format!("`num` is {count}; a list has 1 to {MAX_LABELS} labels"))
}

/// `aclrtCreateLabelList`.
///
/// # Errors
/// 107017 for something that is no label.
pub fn create_list(handles: &[*mut c_void]) -> Answer<u64> {
    runtime().current()?;
    let labels = handles.iter().map(|handle| find(*handle)).collect::<Answer<Vec<_>>>()?;
    let lists = &tables().lists;
    let handle = lists.reserve();
    lists.insert(handle, Arc::new(LabelList { labels }));
    Ok(handle)
}

/// `aclrtDestroyLabelList`. Graphs that use it keep their labels.
///
/// # Errors
/// 100000, 107017.
pub fn destroy_list(handle: *mut c_void) -> Answer {
    if handle.is_null() {
        return invalid("`labelList` is null");
    }
    tables().lists.remove(handle).map(|_| ())
}

/// `aclrtSwitchLabelByIndex`: `index_at` is device memory with a 32-bit number.
///
/// # Errors
/// 107000 for a length that is not the list's or an address that is no device memory, 107005.
pub fn switch_label(index_at: u64, max: u32, list: *mut c_void, stream: &Arc<Stream>) -> Answer {
    if index_at == 0 {
        return invalid("`ptr` is null");
    }
    if list.is_null() {
        return invalid("`labelList` is null");
    }
    let list = tables().lists.get(list)?;
    if max as usize != list.labels.len() {
        let text = format!("`maxValue` is {max}, but the list has {} labels", list.labels.len());
        return refuse(AclError::RT_PARAM_INVALID, text);
    }
    super::build::check_word("ptr", index_at, 4)?;
    let jump = Jump { labels: list.labels.clone(), places: OnceLock::new() };
    super::build::push(stream, Op::SwitchLabel(index_at, Arc::new(jump))).map(|_| ())
}
