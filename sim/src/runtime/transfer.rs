//! Copies and fills as the program asks for them: whether the ranges fit, which way the bytes go, and whether the call
//! may return before they are there.
//!
//! | from / to | `aclrtMemcpy` | `aclrtMemcpyAsync` |
//! |---|---|---|
//! | device, known host memory | at once | in stream order, in the background |
//! | pageable host on one side | at once | waits for the stream, then copies before it returns |
//! | host to host | at once | 207000 |
//!
//! The direction follows from the addresses; `kind` is checked for being a known value only, as the vendor's runtime
//! does. Synchronous calls do not wait for any stream.
//!
//! **Pageable memory** in asynchronous copies behaves as in CANN 9. Older versions asked for pinned memory and left the
//! rest to the program: `TOPROPE_PAGEABLE_COPY=queue` queues such a copy like any other. A buffer that is unmapped before
//! its turn is then a finding and a fault of the stream (507052), not a crash.
//!
//! **Changed sources**: a copy from known host memory that has to wait remembers a sample of its source; see
//! [`mem_findings`](super::mem_findings).
#![allow(unsafe_code)] // copies between raw addresses after the checks below.

use super::callback;
use super::copy::{self, Motion};
use super::device::Direction;
use super::failure::{Answer, Failure, bug, invalid, refuse};
use super::graph;
use super::hostmem::HostBlock;
use super::ipc;
use super::mem_findings;
use super::memory::{Given, Place, are_mapped};
use super::order;
use super::site::CallSite;
use super::state::Runtime;
use super::stream::Stream;
use super::work::{DeviceWork, MoveWork, Turn, Work};
use std::sync::Arc;
use toprope_abi::acl::{AclError, MemcpyKind};

/// A copy or fill of checked size.
#[derive(Clone, Copy, Debug)]
pub struct Transfer {
    /// The function, for findings.
    pub function: &'static str,
    /// What to do.
    pub motion: Motion,
    /// Copies the source away at the call, so that the program may change it.
    pub takes_data: bool,
    /// Name of the argument that is written.
    pub written: &'static str,
    /// Where the program called.
    pub site: CallSite,
}

/// What the ends of a transfer are.
#[derive(Clone, Debug)]
pub struct Ends {
    /// What is written.
    pub dst: Place,
    /// What is read.
    pub src: Option<Place>,
}

impl Ends {
    fn is_pageable(&self) -> bool {
        matches!(self.dst, Place::Pageable) || matches!(self.src, Some(Place::Pageable))
    }

    /// Which way the bytes go; `None` between host addresses.
    pub fn direction(&self) -> Option<Direction> {
        match (self.dst.is_host(), self.src.as_ref().map(Place::is_host)) {
            (true, Some(true)) => None,
            (false, Some(true)) => Some(Direction::HostToDevice),
            (true, Some(false)) => Some(Direction::DeviceToHost),
            (_, Some(false) | None) => Some(Direction::DeviceToDevice),
        }
    }

    fn keep(&self) -> Vec<Arc<HostBlock>> {
        let blocks =
            [Some(&self.dst), self.src.as_ref()].into_iter().flatten().filter_map(|place| match place {
                Place::Pinned(block) => block.clone(),
                _ => None,
            });
        blocks.collect()
    }
}

/// Copies between two devices need an open way, in one direction at least.
fn check_peers(runtime: &'static Runtime, dst: u32, src: u32) -> Answer {
    if dst == src {
        return Ok(());
    }
    let (to, from) = (runtime.device(dst.into())?, runtime.device(src.into())?);
    if to.can_reach(from) || from.can_reach(to) {
        return Ok(());
    }
    let text = format!("a copy from device {src} to device {dst}, but there is no peer access between them");
    Err(Failure::new(AclError::RT_PARAM_INVALID, text)
        .help("call aclrtDeviceEnablePeerAccess for the other device while one of the two is current"))
}

impl Transfer {
    /// Finds out what its ends are.
    ///
    /// # Errors
    /// Those of [`Given::locate`].
    pub fn locate(&self, runtime: &'static Runtime) -> Answer<Ends> {
        let given = |name, (start, bytes), is_written| Given {
            function: self.function,
            name,
            start,
            bytes,
            is_written,
            site: self.site,
        };
        let dst = given(self.written, self.motion.written(), true).locate(runtime)?;
        let src = match self.motion.read() {
            Some(range) => Some(given("src", range, false).locate(runtime)?),
            None => None,
        };
        if let (Place::Device(dst), Some(Place::Device(src))) = (&dst, &src) {
            check_peers(runtime, *dst, *src)?;
        }
        for (addr, _) in [Some(self.motion.written()), self.motion.read()].into_iter().flatten() {
            if let Some(device) =
                runtime.devices.iter().find(|d| d.memory().is_some_and(|m| m.range().contains(&addr)))
            {
                ipc::memory::check_reach(runtime, device, addr)?;
            }
        }
        Ok(Ends { dst, src })
    }

    /// Does it now.
    ///
    /// # Errors
    /// Those of [`locate`](Self::locate).
    pub fn run(&self, runtime: &'static Runtime) -> Answer {
        graph::check_unsafe()?;
        self.locate(runtime)?;
        self.end_watches();
        order::host_uses(self.function, self.site, &order::of_motion(self.motion));
        self.run_in_task()
    }

    /// Does it now, as part of a task of a stream; the caller has located it.
    ///
    /// # Errors
    /// None today.
    pub fn run_in_task(&self) -> Answer {
        // SAFETY: both ranges lie in live blocks or are mapped host memory that the caller gave for this call.
        unsafe { copy::pool().run(self.motion) };
        Ok(())
    }

    /// Does it in stream order.
    ///
    /// # Errors
    /// 207000 between host addresses; those of [`locate`](Self::locate) and of the stream.
    pub fn enqueue(&self, runtime: &'static Runtime, stream: &Arc<Stream>) -> Answer {
        let ends = self.locate(runtime)?;
        self.enqueue_located(runtime, stream, &ends)
    }

    /// The same with known ends.
    ///
    /// # Errors
    /// As [`enqueue`](Self::enqueue).
    pub fn enqueue_located(&self, runtime: &'static Runtime, stream: &Arc<Stream>, ends: &Ends) -> Answer {
        let Some(direction) = ends.direction() else {
            let (dst, src) = (self.motion.written().0, self.motion.read().map_or(0, |range| range.0));
            let text = format!("`dst` {dst:#x} and `src` {src:#x} are both host addresses");
            return Err(Failure::new(AclError::RT_FEATURE_NOT_SUPPORT, text).help(
                "copy within the host with memcpy or aclrtMemcpy; allocate device memory with aclrtMalloc",
            ));
        };
        let cycles = stream.context.device.copy_cycles(direction, self.motion.bytes());
        self.end_watches();
        let mut work = MoveWork { motion: self.motion, cycles, keep: ends.keep(), watch: None };
        if self.takes_data && direction == Direction::HostToDevice {
            let taken = self.take_data(runtime)?;
            let (dst, bytes) = self.motion.written();
            work.motion = Motion::Copy { dst, src: taken.start(), bytes };
            work.keep = vec![taken];
            return stream.enqueue(Work::Move(work));
        }
        if ends.is_pageable() {
            return self.enqueue_pageable(runtime, stream, work);
        }
        work.watch = self.watch(stream, direction, ends);
        match self.sample_of(stream, direction) {
            Some(sample) => stream.enqueue(Work::Custom(Arc::new(Watched {
                work,
                sample: Some(sample),
                site: self.site,
            }))),
            None => stream.enqueue(Work::Move(work)),
        }
    }

    fn enqueue_pageable(&self, runtime: &'static Runtime, stream: &Arc<Stream>, work: MoveWork) -> Answer {
        graph::blocking_copy(stream)?;
        callback::check_outside("a copy of ordinary host memory is enqueued")?;
        if runtime.environment.queues_pageable_copies {
            return stream.enqueue(Work::Custom(Arc::new(Watched { work, sample: None, site: self.site })));
        }
        stream.context.check_running()?;
        stream.wait_idle(None);
        order::host_uses(self.function, self.site, &order::of_motion(work.motion));
        // SAFETY: as in `run`.
        unsafe { copy::pool().run(work.motion) };
        stream.add_cycles(work.cycles);
        Ok(())
    }

    /// Pinned buffers that earlier copies read are given to this one.
    fn end_watches(&self) {
        for (at, bytes) in [Some(self.motion.written()), self.motion.read()].into_iter().flatten() {
            order::watch::used_again(at, bytes);
        }
    }

    /// Watches a pinned source until the host has waited for the copy.
    fn watch(
        &self,
        stream: &Arc<Stream>,
        direction: Direction,
        ends: &Ends,
    ) -> Option<Arc<order::watch::Watch>> {
        let (src, bytes) = self.motion.read()?;
        let Some(Place::Pinned(Some(block))) = &ends.src else { return None };
        let may_watch = direction == Direction::HostToDevice && stream.interceptor().is_none();
        if !may_watch || !stream.leaves_alone(src, bytes) {
            return None;
        }
        let (block, stream) = (block.clone(), stream.name());
        order::watch::begin(order::watch::Watched { src, bytes, block, stream, site: self.site })
    }

    /// A sample of a host source that nobody may change before the copy runs; `None` if it cannot be told, or the copy
    /// runs at once.
    fn sample_of(&self, stream: &Arc<Stream>, direction: Direction) -> Option<u64> {
        if direction != Direction::HostToDevice || stream.is_idle() || stream.interceptor().is_some() {
            return None;
        }
        let (src, bytes) = self.motion.read()?;
        stream.leaves_alone(src, bytes).then(|| order::watch::sample(src, bytes))
    }

    /// Copies the source away, so that the program may change it at once.
    fn take_data(&self, runtime: &'static Runtime) -> Answer<Arc<HostBlock>> {
        let bytes = self.motion.bytes();
        let at = runtime.host.alloc(bytes, self.function, self.site)?;
        let block = runtime.host.find(at).ok_or_else(|| bug("a block that was just made is unknown"))?;
        // Not known to the program: only the copy keeps it.
        runtime.host.forget(at);
        let Some((src, _)) = self.motion.read() else { return Err(bug("a fill has no data to take")) };
        // SAFETY: the source was located for this length; the block is new and has this length.
        unsafe { Motion::Copy { dst: at, src, bytes }.run() };
        Ok(block)
    }
}

/// A move that looks at its host memory before it runs.
#[derive(Debug)]
struct Watched {
    work: MoveWork,
    /// What the source was like at the call; `None`: pageable memory, which may be gone.
    sample: Option<u64>,
    site: CallSite,
}

impl DeviceWork for Watched {
    fn start(self: Arc<Self>, turn: Turn) {
        let motion = self.work.motion;
        match (self.sample, motion.read()) {
            (Some(before), Some((src, bytes))) if order::watch::sample(src, bytes) != before => {
                let until = format!("before {} copied them", turn.stream().name());
                mem_findings::host_buffer_changed(src, bytes, until, self.site);
            }
            (Some(_), _) => {}
            (None, read) => {
                let gone = [Some(motion.written()), read]
                    .into_iter()
                    .flatten()
                    .find(|(at, bytes)| !are_mapped(*at, *bytes));
                if let Some((at, bytes)) = gone {
                    mem_findings::host_buffer_gone(at, bytes, turn.stream(), self.site);
                    let text = format!("{bytes} bytes at {at:#x} were unmapped before their copy ran");
                    let begin = turn.begin();
                    turn.end(Err(Failure::new(AclError::RT_COPY_DATA, text)), begin);
                    return;
                }
            }
        }
        let end = turn.begin() + self.work.cycles;
        let chance = turn.stream().context.device.chance();
        if self.work.run_if_small(chance) {
            turn.end(Ok(()), end);
            return;
        }
        let priority = turn.stream().priority();
        self.work.clone().submit(
            priority,
            chance.delay(),
            Box::new(move || {
                turn.end(Ok(()), end);
            }),
        );
    }

    fn skip(&self, _stream: &Stream) {}

    fn touches(&self, start: u64, bytes: u64) -> bool {
        self.work.motion.touches(start, bytes)
    }

    fn leaves_alone(&self, start: u64, bytes: u64) -> bool {
        !self.work.motion.writes(start, bytes)
    }

    fn watch(&self) -> Option<&order::watch::Watch> {
        self.work.watch.as_deref()
    }

    fn spans(&self) -> Vec<order::Span> {
        order::of_motion(self.work.motion)
    }

    fn doing(&self) -> String {
        format!("it copies {} bytes", self.work.motion.bytes())
    }
}

// ---- what the functions check --------------------------------------------------------------------------------------

/// Checks a copy's `kind`.
///
/// # Errors
/// 100000 for an unknown value.
pub fn check_kind(kind: MemcpyKind) -> Answer {
    if kind.name().is_some() {
        return Ok(());
    }
    invalid(format!("`kind` is {}, which is no aclrtMemcpyKind", kind.0))
}

/// Checks a pointer for null.
///
/// # Errors
/// 100000.
pub fn check_not_null(name: &str, addr: u64) -> Answer {
    if addr == 0 { invalid(format!("`{name}` is null")) } else { Ok(()) }
}

/// Checks a length against the room the program states.
///
/// # Errors
/// 107000.
pub fn check_room(count: u64, room_name: &str, at_name: &str, room: u64) -> Answer {
    if count <= room {
        return Ok(());
    }
    refuse(
        AclError::RT_PARAM_INVALID,
        format!("`count` is {count}, but `{room_name}`, the room at `{at_name}`, is {room} bytes"),
    )
}

/// A copy as it was asked for.
#[derive(Clone, Copy, Debug)]
pub struct CopyRequest {
    /// The function, for findings.
    pub function: &'static str,
    /// First address written.
    pub dst: u64,
    /// Room at `dst`.
    pub dst_max: u64,
    /// First address read.
    pub src: u64,
    /// Length.
    pub count: u64,
    /// Direction as told.
    pub kind: MemcpyKind,
}

impl CopyRequest {
    /// Checks what both forms check; `None`: nothing to do.
    ///
    /// # Errors
    /// 100000 null or unknown kind; 107000 count larger than the room.
    pub fn check(&self) -> Answer<Option<Transfer>> {
        if self.count == 0 {
            return Ok(None);
        }
        check_not_null("dst", self.dst)?;
        check_not_null("src", self.src)?;
        check_kind(self.kind)?;
        check_room(self.count, "destMax", "dst", self.dst_max)?;
        Ok(Some(Transfer {
            function: self.function,
            motion: Motion::Copy { dst: self.dst, src: self.src, bytes: self.count },
            takes_data: self.kind == MemcpyKind::HOST_TO_BUF_TO_DEVICE,
            written: "dst",
            site: CallSite::here(),
        }))
    }
}

/// Largest height of a copy of rows.
const MAX_HEIGHT: u64 = 5 << 20;
/// Largest width of an asynchronous copy of rows.
const MAX_ASYNC_WIDTH: u64 = 5_000_000;
/// Directions that copies of rows take.
const ROW_KINDS: [MemcpyKind; 4] = [
    MemcpyKind::HOST_TO_DEVICE,
    MemcpyKind::DEVICE_TO_HOST,
    MemcpyKind::DEVICE_TO_DEVICE,
    MemcpyKind::DEFAULT,
];

/// A copy of rows as it was asked for.
#[derive(Clone, Copy, Debug)]
pub struct RowsRequest {
    /// The function, for findings.
    pub function: &'static str,
    /// First address written.
    pub dst: u64,
    /// Bytes from row to row there.
    pub dst_pitch: u64,
    /// First address read.
    pub src: u64,
    /// Bytes from row to row there.
    pub src_pitch: u64,
    /// Bytes of a row.
    pub width: u64,
    /// Rows.
    pub height: u64,
    /// Direction as told.
    pub kind: MemcpyKind,
}

impl RowsRequest {
    /// Checks what both forms check; `None`: nothing to do.
    ///
    /// # Errors
    /// 100000 null, a kind that is not offered, a width larger than a pitch; 107000 too large.
    pub fn check(&self, is_async: bool) -> Answer<Option<Transfer>> {
        if self.width == 0 || self.height == 0 {
            return Ok(None);
        }
        check_not_null("dst", self.dst)?;
        check_not_null("src", self.src)?;
        if self.width > self.dst_pitch || self.width > self.src_pitch {
            return invalid(format!(
                "`width` is {}, but rows start every {} (`dpitch`) and {} (`spitch`) bytes",
                self.width, self.dst_pitch, self.src_pitch
            ));
        }
        if !ROW_KINDS.contains(&self.kind) {
            return invalid(format!(
                "`kind` is {}; copies of rows go from host to device, from device to host or within devices",
                self.kind.0
            ));
        }
        let max_width = if is_async { MAX_ASYNC_WIDTH } else { u64::MAX };
        for (name, value, limit) in [("width", self.width, max_width), ("height", self.height, MAX_HEIGHT)] {
            if value > limit {
                return refuse(
                    AclError::RT_PARAM_INVALID,
                    format!("`{name}` is {value}, the limit is {limit}"),
                );
            }
        }
        for (name, start, pitch) in [("dst", self.dst, self.dst_pitch), ("src", self.src, self.src_pitch)] {
            let end = pitch.checked_mul(self.height).and_then(|bytes| start.checked_add(bytes));
            if end.is_none() {
                let text =
                    format!("`{name}`: {} rows every {pitch} bytes are beyond all memory", self.height);
                return refuse(AclError::RT_PARAM_INVALID, text);
            }
        }
        Ok(Some(Transfer {
            function: self.function,
            motion: self.motion(),
            takes_data: false,
            written: "dst",
            site: CallSite::here(),
        }))
    }

    fn motion(&self) -> Motion {
        let RowsRequest { dst, dst_pitch, src, src_pitch, width, height, .. } = *self;
        if width == dst_pitch && width == src_pitch {
            return Motion::Copy { dst, src, bytes: width * height };
        }
        Motion::Rows { dst, dst_pitch, src, src_pitch, width, height }
    }
}

/// A fill as it was asked for.
#[derive(Clone, Copy, Debug)]
pub struct FillRequest {
    /// The function, for findings.
    pub function: &'static str,
    /// First address.
    pub at: u64,
    /// Room there.
    pub max: u64,
    /// Value; its low byte counts.
    pub value: i32,
    /// Length.
    pub count: u64,
}

impl FillRequest {
    /// Checks what both forms check; `None`: nothing to do.
    ///
    /// # Errors
    /// 100000 null; 107000 count larger than the room.
    pub fn check(&self) -> Answer<Option<Transfer>> {
        if self.count == 0 {
            return Ok(None);
        }
        check_not_null("devPtr", self.at)?;
        check_room(self.count, "maxCount", "devPtr", self.max)?;
        Ok(Some(Transfer {
            function: self.function,
            motion: Motion::Fill { dst: self.at, value: self.value.to_le_bytes()[0], bytes: self.count },
            takes_data: false,
            written: "devPtr",
            site: CallSite::here(),
        }))
    }
}

/// A fill with words as it was asked for.
#[derive(Clone, Copy, Debug)]
pub struct FillWordsRequest {
    /// The function, for findings.
    pub function: &'static str,
    /// First address.
    pub at: u64,
    /// Room there in bytes.
    pub max: u64,
    /// Value of each word.
    pub value: u32,
    /// Number of words.
    pub count: u64,
}

impl FillWordsRequest {
    /// Checks what both forms check; `None`: nothing to do.
    ///
    /// # Errors
    /// 100000: null, no multiple of 4, or more words than the room has.
    pub fn check(&self) -> Answer<Option<Transfer>> {
        if self.count == 0 {
            return Ok(None);
        }
        check_not_null("ptr", self.at)?;
        if !self.at.is_multiple_of(4) {
            return invalid(format!("`ptr` is {:#x}, which is not a multiple of 4", self.at));
        }
        if self.count.checked_mul(4).is_none_or(|bytes| bytes > self.max) {
            return invalid(format!(
                "`N` is {} words of 4 bytes, but `memSize`, the room at `ptr`, is {} bytes",
                self.count, self.max
            ));
        }
        Ok(Some(Transfer {
            function: self.function,
            motion: Motion::FillWords { dst: self.at, value: self.value, count: self.count },
            takes_data: false,
            written: "ptr",
            site: CallSite::here(),
        }))
    }
}
