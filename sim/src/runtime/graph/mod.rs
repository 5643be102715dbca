//! Graphs ("model running instances"): device work that is recorded once and run many times.
//!
//! ```text
//!  capture: stream ─▶ Interceptor ─▶ capture ─┐                       ┌─▶ lane 0 (a stream of its own) ─┐
//!                                             ├─▶ Graph ─▶ Run ─ feed ┤        marks between lanes      ├─▶ end of turn
//!  build:   PERSISTENT stream ─▶ build ───────┘  (model)   (replay)   └─▶ lane n ───────────────────────┘
//! ```
//! A graph has one lane per stream that was captured or bound. A lane is a list of nodes; running the graph feeds every
//! lane's nodes to a stream that belongs to the lane alone, so lanes overlap and a lane keeps its order, exactly as the
//! streams did that were recorded. An execution takes one place in the stream it was asked for; executions of one graph
//! never overlap. Arguments were checked and copied when they were recorded; an execution checks only what may have
//! changed since: that memory, kernels and host buffers still exist.
//!
//! Rules 65–68 (public CANN documentation, chapters 10 and 15, developer guide 04, FAQ on captures):
//!
//! * Whatever is forbidden during a capture makes the capture invalid; ending it answers 507903 and names the call that
//!   broke it.
//! * `aclmdlRIExecute`, `aclmdlRIAbort` and binding of streams are for built graphs, conditions for captured ones.
//!
//! Not modelled: the device's limits on tasks and streams of all graphs together (only the limit of streams per device
//! counts lanes), and the vendor's internal helper tasks.

mod build;
mod capture;
mod check;
mod cond;
mod event;
mod label;
mod model;
mod print;
mod replay;
mod tables;
mod task;
mod update;
mod uses;

pub use build::{
    activate, attach_persistent, bind, build_begin, build_end, check_not_bound, clean, end_task, switch,
    unbind,
};
pub use capture::{begin, end, exchange_mode, info};
pub use check::{
    blocking_copy, check_default_stream, check_device, check_event, check_stream, check_unsafe, context_ended,
};
pub use cond::{CondKind, add_cond_task, cond_pointer, create_cond};
pub use event::{event_destroyed, recorded, take_record, take_reset, take_wait};
pub use label::{
    check_list_length, create_label, create_list, destroy_label, destroy_list, set_label, switch_label,
};
pub use model::{Change, Comparison, Graph, Op, TaskType};
pub use print::{describe, write_json};
pub use replay::{abort, execute, execute_async};
pub use tables::{destroy, find_graph, tables};
pub use task::{Task, streams_of, tasks_of};
pub use update::{
    Refreshed, begin_group, begin_update, end_group, end_update, plan_disable, refresh_task, update,
};
