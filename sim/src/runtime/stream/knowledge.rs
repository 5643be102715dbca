//! What a stream's tasks know to be over ([`order`]): where a task stands, and what it learns from what it waited for.

use super::Stream;
use crate::runtime::event::{Family, Mark};
use crate::runtime::order::{self, StreamName, Use, What};
use crate::runtime::work::{Learns, Running, Task, Work};

impl Stream {
    /// A task begins: its place in the order, if that is followed. Uses of memory that are known now are noted.
    pub(super) fn place(&self, task: &Task) -> Option<order::Task> {
        if !order::is_on() {
            return None;
        }
        let tick = self.timeline.begin(task.told.as_ref());
        let stream = task.recorded_from.unwrap_or_else(|| self.short_name());
        let place = order::Task { tick, serial: task.serial, site: task.site, stream };
        let used = match &task.work {
            Work::Move(work) => {
                self.begin_watch(work.watch.as_deref(), tick);
                order::of_motion(work.motion)
            }
            Work::Wait { event, .. } if event.family != Family::Ex => {
                vec![order::of_event(event.id, Use::Read)]
            }
            Work::Custom(work) => {
                self.begin_watch(work.watch(), tick);
                work.spans()
            }
            _ => return Some(place),
        };
        self.timeline.uses(&place, What::Call(task.by), &used);
        Some(place)
    }

    fn begin_watch(&self, watch: Option<&order::watch::Watch>, tick: u64) {
        if let Some(watch) = watch {
            self.timeline.is_watched(watch, tick);
        }
    }

    /// How findings about order name it.
    pub fn short_name(&self) -> StreamName {
        StreamName {
            id: self.id,
            device: self.context.device.index,
            is_default: self.is_default,
            is_graph: false,
        }
    }

    pub(super) fn learn_mark(&self, mark: &Mark) {
        if let Some(told) = mark.told() {
            self.timeline.learn(told);
        }
    }

    /// A task that waited is over: what the stream knows from now on.
    pub(super) fn learn_from(&self, was: &Running) {
        if !order::is_on() {
            return;
        }
        match was {
            Running::Wait(_, mark) => self.learn_mark(mark),
            Running::Custom(work) => match work.learns() {
                Learns::Nothing => {}
                Learns::Told(told) => self.timeline.learn(&told),
                Learns::Everything => self.timeline.learn_everything(),
            },
            Running::Nothing | Running::Kernel { .. } | Running::Move(_) => {}
        }
    }

    pub(super) fn note_wait(&self, mark: &Mark) {
        let Some((stream, task)) = mark.origin() else { return };
        let mut waited_for = self.waited_for.lock();
        match waited_for.iter_mut().find(|known| known.0 == stream) {
            Some(known) => known.1 = known.1.max(task),
            None => waited_for.push((stream, task)),
        }
    }

    /// Whether what is queued from now on comes after this task of another stream, because of a wait for an event.
    pub fn has_waited_for(&self, stream: u64, task: u32) -> bool {
        self.waited_for.lock().iter().any(|known| known.0 == stream && known.1 >= task)
    }
}
