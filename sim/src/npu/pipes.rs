//! Pipes, flags and barriers of one core.
//!
//! Instructions execute when they are issued, in program order, unless their pipe is blocked by a WaitFlag whose flag is
//! not set yet: then they queue up, with the registers they were issued with, and run when a SetFlag (which may itself
//! have queued behind a wait of another pipe) releases them. So results do not depend on anything but the program.
//!
//! ```text
//!  issue ──▶ pipe blocked? ──no──▶ execute, advance the pipe's time
//!                 │yes
//!                 ▼
//!            queue of the pipe ◀── WaitFlag at its head ◀── SetFlag of the pair and id
//! ```
//! A wait of the scalar unit, or a barrier on all pipes, stops the kernel itself: if a flag is missing then, nothing can
//! ever set it, and the hang is reported at once.
//!
//! Modelled: one bit per (source, destination, id), ids 0..7. Not modelled: queue depths. Cross-core flags: `cross`.
//! Source: Ascend C API reference (SetFlag/WaitFlag, PipeBarrier), `HardEvent` of the public headers.
#![allow(unsafe_code)] // The one place where checked instructions touch memory.

use super::clock::{GmDirection, SLOT_PIPES, SLOTS, slot_of_code};
use super::core::{Core, level};
use super::cross::CrossSet;
use super::hints::Sync;
use super::order::Issued;
use super::order::foreign::Known;
use crate::exec::{Decoded, execute, more_accesses};
use crate::findings::catalogue::{
    BAD_PIPE, BARRIER_SCALAR, DOUBLE_SET, EVENT_ID, FLAG_LEFT, HANG, INTERNAL, UNIT_HANG, UNUSUAL_PAIR,
    WRONG_CORE,
};
use crate::findings::{Detail, Draft};
use toprope_abi::isa::{CoreKind, Pipe};

/// Slots of the cube unit and of Fixpipe.
const M_SLOT: usize = Pipe::M as usize;
const FIX_SLOT: usize = 6;

/// Event ids of a pair.
pub const EVENT_IDS: u64 = 8;

/// Why an instruction cannot go on; the draft is finished by the caller.
pub type Fault = Box<Draft>;

/// A few return addresses, innermost first, 0 behind the last.
pub type Frames = [u64; 4];

/// Where an instruction was issued that waits in its pipe.
#[derive(Clone, Copy, Debug)]
pub struct Origin {
    pub frames: Frames,
    /// Address of the call into the engine.
    pub pc: u64,
    /// How far each part of the core had come then, and which pipes waited.
    pub counts: Known,
    pub blocked: u8,
}

/// The event flags of a core.
#[derive(Debug)]
pub struct Flags {
    set: [u8; SLOTS * SLOTS],
    /// Set at some time in this block: `at` is of this block.
    used: [u8; SLOTS * SLOTS],
    at: [[FlagState; EVENT_IDS as usize]; SLOTS * SLOTS],
}

/// When and where a flag was set.
#[derive(Clone, Copy, Debug, Default)]
struct FlagState {
    cycle: u64,
    pc: u64,
    /// Instructions of the source pipe that it covers.
    upto: u32,
}

impl Default for Flags {
    fn default() -> Flags {
        Flags {
            set: [0; SLOTS * SLOTS],
            used: [0; SLOTS * SLOTS],
            at: [[FlagState::default(); EVENT_IDS as usize]; SLOTS * SLOTS],
        }
    }
}

impl Flags {
    /// Clears every flag.
    pub fn clear(&mut self) {
        self.set = [0; SLOTS * SLOTS];
        self.used = [0; SLOTS * SLOTS];
    }

    /// The flags that pipe `src` has set in this block: flag, where it was set last, how many instructions of the pipe that
    /// covers, whether it is still set.
    pub fn set_by(&self, src: usize) -> impl Iterator<Item = (Flag, u64, u32, bool)> + '_ {
        let flags =
            (0..SLOTS).flat_map(move |dst| (0..EVENT_IDS as usize).map(move |id| Flag { src, dst, id }));
        flags.filter(|f| self.used[f.index()] & (1 << f.id) != 0).map(|f| {
            let at = &self.at[f.index()][f.id];
            (f, at.pc, at.upto, self.set[f.index()] & (1 << f.id) != 0)
        })
    }
}

/// One flag: source slot, destination slot, id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flag {
    pub src: usize,
    pub dst: usize,
    pub id: usize,
}

impl Flag {
    fn index(self) -> usize {
        self.src * SLOTS + self.dst
    }

    /// As Ascend C writes the event: `MTE2_V`.
    pub fn pair(self) -> String {
        format!("{}_{}", SLOT_PIPES[self.src].name(), SLOT_PIPES[self.dst].name())
    }
}

/// Pairs the documents list for the cube core.
const AIC_PAIRS: &[(Pipe, Pipe)] = {
    use Pipe::{Fix, M, Mte1, Mte2, Mte3};
    &[
        (M, Mte1),
        (M, Mte2),
        (M, Fix),
        (Mte1, M),
        (Mte1, Mte2),
        (Mte1, Mte3),
        (Mte1, Fix),
        (Mte2, M),
        (Mte2, Mte1),
        (Mte2, Mte3),
        (Mte3, Mte1),
        (Mte3, Mte2),
        (Fix, M),
        (Fix, Mte1),
        (Fix, Mte2),
        (Mte2, Fix),
    ]
};

fn documented(kind: CoreKind, src: Pipe, dst: Pipe) -> bool {
    match kind {
        CoreKind::Aiv => src != dst,
        CoreKind::Aic => AIC_PAIRS.contains(&(src, dst)),
    }
}

/// An instruction that waits in its pipe.
#[derive(Clone, Debug)]
pub struct Queued {
    what: Action,
    issued: u64,
    /// How often the place of a wait had run.
    iteration: u32,
    origin: Origin,
    /// What the scalar unit knew when it was issued.
    order: Issued,
}

/// What a pipe does.
#[derive(Clone, Copy, Debug)]
// A queue entry is made only behind a missing flag; boxing would put a heap allocation there instead.
#[allow(clippy::large_enum_variant)]
pub enum Action {
    /// An instruction on data.
    Work(Decoded),
    /// SetFlag on the source pipe.
    Set(Flag),
    /// WaitFlag on the destination pipe.
    Wait(Flag),
    /// PipeBarrier.
    Barrier,
    /// CrossCoreSetFlag.
    CrossSet(CrossSet),
}

impl Action {
    /// The instruction, if it is one on data.
    fn intrinsic(&self) -> Option<&'static str> {
        match self {
            Action::Work(d) => Some(d.row().intrinsic),
            _ => None,
        }
    }

    fn text(&self, slot: usize) -> String {
        match self {
            Action::Work(d) => d.row().intrinsic.to_owned(),
            Action::Set(f) => format!("SetFlag<{}> id {}", f.pair(), f.id),
            Action::Wait(f) => format!("WaitFlag<{}> id {}", f.pair(), f.id),
            Action::Barrier => format!("PipeBarrier<PIPE_{}>", Core::pipe_name(slot)),
            Action::CrossSet(set) => set.text(Core::pipe_name(slot)),
        }
    }
}

impl Core {
    /// Puts an action into its pipe: executes it now or queues it.
    #[inline]
    pub fn dispatch(&mut self, slot: usize, action: &Action) {
        if self.blocked & (1 << slot) != 0 {
            return self.enqueue(slot, *action);
        }
        self.clocks.issue(slot);
        if !self.run(slot, action, self.now, None) {
            self.blocked |= 1 << slot;
            self.enqueue(slot, *action);
        }
    }

    /// As [`Core::dispatch`] for work, without building an [`Action`] on the fast path.
    #[inline]
    pub fn dispatch_work(&mut self, slot: usize, decoded: &Decoded) {
        if self.blocked & (1 << slot) != 0 {
            self.enqueue(slot, Action::Work(*decoded));
        } else if decoded.is_ready(&self.pipe_state) {
            self.clocks.issue(slot);
            self.work(slot, decoded, self.now, None);
            if decoded.uses_unit_flags() && self.blocked != 0 {
                self.release();
            }
        } else {
            self.blocked |= 1 << slot;
            self.enqueue(slot, Action::Work(*decoded));
        }
    }

    #[cold]
    fn enqueue(&mut self, slot: usize, what: Action) {
        let origin = Origin {
            frames: self.quick_frames(),
            pc: self.face.pc,
            counts: self.clocks.counts(),
            blocked: self.blocked,
        };
        let order = self.clocks.issued();
        let iteration = self.local.wait_iteration;
        self.queues[slot].push_back(Queued { what, issued: self.now, iteration, origin, order });
    }

    /// Runs an action; `false` if it is a wait for a flag that is not set, or work that waits for a unit flag. `origin`: where a queued one was issued.
    fn run(&mut self, slot: usize, action: &Action, issued: u64, origin: Option<&Origin>) -> bool {
        match action {
            Action::Work(decoded) => {
                if !decoded.is_ready(&self.pipe_state) {
                    return false;
                }
                self.work(slot, decoded, issued, origin);
            }
            Action::Set(flag) => {
                let t = &mut self.times[slot];
                t.done = t.done.max(issued) + self.chip.sync.flag_cycles;
                t.next = t.done;
                let cycle = t.done;
                self.fire(*flag, cycle, origin);
            }
            Action::Wait(flag) => {
                let ready = self.times[slot].next.max(issued);
                let Some(cycle) = self.take(*flag, ready, origin) else { return false };
                let t = &mut self.times[slot];
                t.next = t.next.max(issued).max(cycle) + self.chip.sync.flag_cycles;
                t.done = t.done.max(t.next);
            }
            Action::Barrier => {
                let t = &mut self.times[slot];
                let (ready, end) = (t.next.max(issued), t.done.max(issued));
                t.done = t.done.max(issued) + self.chip.sync.barrier_cycles;
                t.next = t.done;
                self.hint_before(slot);
                self.clocks.barrier(slot);
                self.note_barrier(slot, origin);
                if self.hints.is_some() {
                    let pc = origin.map_or_else(|| self.here(), |o| o.frames[0]);
                    self.hint_after(slot, Sync::Barrier { pc, slot }, ready, end);
                }
            }
            Action::CrossSet(set) => {
                let t = &mut self.times[slot];
                t.done = t.done.max(issued) + self.chip.sync.flag_cycles;
                t.next = t.done;
                let cycle = t.done;
                self.cross_fire(slot, *set, cycle, origin);
            }
        }
        true
    }

    /// Executes an instruction on data and advances its pipe.
    #[inline]
    fn work(&mut self, slot: usize, decoded: &Decoded, issued: u64, origin: Option<&Origin>) {
        if decoded.has_more_accesses() {
            self.taint_address(slot, decoded, origin);
            if !self.more_is_fine(slot, decoded, origin) {
                return;
            }
        }
        self.follow(slot, decoded, origin);
        self.taint(slot, decoded, origin);
        if self.schedule.is_some() {
            self.defer(slot, decoded);
        } else {
            self.set_level(level::EXECUTE);
            // SAFETY: `Core::check` found every access in bounds and aligned when the instruction was issued; local
            // memories stay mapped as long as the core, GM blocks stay mapped as long as the device.
            unsafe { execute(decoded, &mut self.pipe_state) };
            self.set_level(level::ENGINE);
            self.followed_gm();
            let written = self.pipe_state.take_written();
            if written != 0 && self.checks.on {
                self.registers_written(written);
            }
        }
        let charge = self.costs[decoded.row().op as usize].charge(decoded);
        let t = &mut self.times[slot];
        let start = t.next.max(issued);
        t.next = start + charge.busy;
        t.done = t.done.max(start + charge.busy + charge.tail);
        self.hint_busy(slot, start, start + charge.busy);
        if decoded.uses_unit_flags() && slot == FIX_SLOT {
            // It reads a cell as soon as it is written, the last one when the product is done.
            let written = self.times[M_SLOT].done;
            let t = &mut self.times[slot];
            t.done = t.done.max(written + self.chip.sync.flag_cycles);
        }
        let moved = decoded.work().bytes;
        match charge.gm {
            GmDirection::None => return,
            GmDirection::Read => {
                self.stats.gm_read_bytes += moved;
                self.copies_gm(decoded, false);
            }
            GmDirection::Write => {
                self.stats.gm_write_bytes += moved;
                self.copies_gm(decoded, true);
            }
        }
        self.stats.gm_request_bytes += charge.gm_request_bytes;
    }

    /// Checks the footprints of an instruction that are only known when it runs. A fault is kept for [`Core::issue`] to return.
    #[inline(never)]
    fn more_is_fine(&mut self, slot: usize, decoded: &Decoded, origin: Option<&Origin>) -> bool {
        self.settle_behind(slot);
        let state = self.pipe_state;
        let mut found: Result<(), Fault> = Ok(());
        let mut more = std::mem::take(&mut self.local.more);
        more.clear();
        let mut check = |access| {
            if found.is_ok() {
                found = self.check_access(slot, decoded, &access);
            }
            if self.checks.on {
                more.push(access);
            }
        };
        // SAFETY: what the instruction reads to know its footprints was checked when it was issued.
        let asked = unsafe { more_accesses(decoded, &state, &mut check) };
        self.local.more = more;
        let result = match asked {
            Ok(()) => found,
            Err(fault) => Err(self.undecodable(slot, decoded.row(), &fault)),
        };
        let Err(mut fault) = result else { return true };
        if let Some(origin) = origin {
            fault.frames = trimmed(&origin.frames);
        }
        self.late_fault.get_or_insert(fault);
        false
    }

    /// Takes a flag, if it is set: when it was. `ready`: when the pipe could go on but for it.
    fn take(&mut self, flag: Flag, ready: u64, origin: Option<&Origin>) -> Option<u64> {
        let bits = &mut self.flags.set[flag.index()];
        let bit = 1 << flag.id;
        if *bits & bit == 0 {
            return None;
        }
        *bits &= !bit;
        let FlagState { cycle, pc: set, .. } = self.flags.at[flag.index()][flag.id];
        self.hint_before(flag.dst);
        self.clocks.wait(flag.dst, flag.index() * EVENT_IDS as usize + flag.id);
        if self.hints.is_some() {
            let wait = origin.map_or_else(|| self.here(), |o| o.frames[0]);
            self.hint_after(flag.dst, Sync::Flag { set, wait, src: flag.src, dst: flag.dst }, ready, cycle);
        }
        Some(cycle)
    }

    fn fire(&mut self, flag: Flag, cycle: u64, origin: Option<&Origin>) {
        let bit = 1 << flag.id;
        if self.flags.set[flag.index()] & bit != 0 {
            self.set_twice(flag, origin);
        }
        self.flags.set[flag.index()] |= bit;
        self.flags.used[flag.index()] |= bit;
        self.hint_before(flag.src);
        self.clocks.set(flag.src, flag.index() * EVENT_IDS as usize + flag.id);
        let pc = origin.map_or_else(|| self.here(), |o| o.frames[0]);
        let set = self.flags.set[flag.index()].count_ones();
        self.hint_flag((flag.src, flag.dst), (flag.id, set), pc);
        self.flags.at[flag.index()][flag.id] = FlagState { cycle, pc, upto: self.clocks.count(flag.src) };
    }

    #[cold]
    fn set_twice(&mut self, flag: Flag, origin: Option<&Origin>) {
        let before = self.flags.at[flag.index()][flag.id].pc;
        let values = [("pair", flag.pair()), ("id", flag.id.to_string())];
        let mut draft = Draft::new(&DOUBLE_SET, &values);
        draft.details.push(Detail::At("first set".into(), vec![before]));
        draft.frames = origin.map_or_else(|| self.frames(), |o| trimmed(&o.frames));
        self.record(draft, false);
    }

    /// Clears the unit flags of L0C, which may let a queued `Mmad` go on.
    pub fn clear_unit_flags(&mut self) {
        self.pipe_state.clear_unit_flags();
        if self.blocked != 0 {
            self.release();
        }
    }

    /// Lets blocked pipes go on as far as their flags allow.
    fn release(&mut self) {
        loop {
            let mut moved = false;
            for slot in 0..SLOTS {
                while self.blocked & (1 << slot) != 0 {
                    let Some(head) = self.queues[slot].pop_front() else {
                        self.blocked &= !(1 << slot);
                        break;
                    };
                    self.clocks.issue_as(slot, &head.order);
                    if !self.run(slot, &head.what, head.issued, Some(&head.origin)) {
                        self.queues[slot].push_front(head);
                        break;
                    }
                    moved = true;
                }
            }
            if !moved {
                return;
            }
        }
    }

    fn flag(&mut self, what: &str, x: &[u64; 4]) -> Result<Flag, Fault> {
        let src = self.slot(what, x[0])?;
        let dst = self.slot(what, x[1])?;
        if x[2] >= EVENT_IDS {
            let values = [("what", what.to_owned()), ("id", (x[2] as u32 as i32).to_string())];
            return Err(Box::new(Draft::new(&EVENT_ID, &values)));
        }
        Ok(Flag { src, dst, id: x[2] as usize })
    }

    fn slot(&mut self, what: &str, code: u64) -> Result<usize, Fault> {
        let Some(slot) = slot_of_code(code) else {
            let values = [("what", what.to_owned()), ("code", code.to_string())];
            return Err(Box::new(Draft::new(&BAD_PIPE, &values)));
        };
        if self.slots & (1 << slot) == 0 {
            return Err(self.missing_pipe(what, slot));
        }
        Ok(slot)
    }

    /// The fault of using a pipe that this kind of core does not have.
    #[cold]
    pub fn missing_pipe(&self, what: &str, slot: usize) -> Fault {
        let what = format!("{what}: pipe {}", Core::pipe_name(slot));
        Box::new(Draft::new(&WRONG_CORE, &[("what", what), ("core", self.kind_name())]))
    }

    /// SetFlag with operands `x` (source pipe, destination pipe, id).
    ///
    /// # Errors
    /// A pipe that does not exist, an id outside 0..7.
    pub fn set_flag(&mut self, x: &[u64; 4]) -> Result<(), Fault> {
        let flag = self.flag("SetFlag", x)?;
        self.stats.instructions[flag.src] += 1;
        // Public programs use such pairs and work: a hint.
        if self.checks.hints && !documented(self.kind, SLOT_PIPES[flag.src], SLOT_PIPES[flag.dst]) {
            self.unusual(flag);
        }
        if flag.src == 0 {
            self.now += self.chip.sync.flag_cycles;
            self.fire(flag, self.now, None);
        } else {
            self.dispatch(flag.src, &Action::Set(flag));
        }
        if self.blocked != 0 {
            self.release();
        }
        Ok(())
    }

    #[cold]
    fn unusual(&mut self, flag: Flag) {
        let mut draft = Draft::new(&UNUSUAL_PAIR, &[("pair", flag.pair()), ("core", self.kind_name())]);
        draft.frames = self.frames();
        self.record(draft, false);
    }

    /// WaitFlag with operands `x` (source pipe, destination pipe, id).
    ///
    /// # Errors
    /// A pipe that does not exist, an id outside 0..7; a hang if the scalar unit waits for a flag that is not set.
    pub fn wait_flag(&mut self, x: &[u64; 4]) -> Result<(), Fault> {
        let flag = self.flag("WaitFlag", x)?;
        self.stats.instructions[flag.dst] += 1;
        if self.checks.on {
            self.local.wait_iteration = self.visit_wait(flag.dst).iteration;
        }
        if flag.dst != 0 {
            self.dispatch(flag.dst, &Action::Wait(flag));
            return Ok(());
        }
        match self.take(flag, self.now, None) {
            Some(cycle) => {
                self.now = self.now.max(cycle) + self.chip.sync.flag_cycles;
                self.catch_up();
                Ok(())
            }
            None => Err(self.hang_of(flag, self.frames())),
        }
    }

    /// Barrier on the pipe with code `code`.
    ///
    /// # Errors
    /// A pipe that does not exist, the scalar pipe; a hang if all pipes are meant and one waits for a flag.
    pub fn barrier(&mut self, code: u64) -> Result<(), Fault> {
        match Pipe::from_code(code) {
            Some(Pipe::All) => self.barrier_all(),
            Some(Pipe::S) => Err(Box::new(Draft::new(&BARRIER_SCALAR, &[]))),
            _ => {
                let slot = self.slot("PipeBarrier", code)?;
                self.stats.instructions[slot] += 1;
                self.dispatch(slot, &Action::Barrier);
                Ok(())
            }
        }
    }

    fn barrier_all(&mut self) -> Result<(), Fault> {
        self.stats.instructions[0] += 1;
        if self.blocked != 0 {
            let draft = self.hang_report();
            let frames = self.frames();
            let mut draft = *draft;
            draft.details.push(Detail::At("the kernel itself waits in PipeBarrier<PIPE_ALL>".into(), frames));
            return Err(Box::new(draft));
        }
        (0..SLOTS).for_each(|slot| self.hint_before(slot));
        self.clocks.barrier_all();
        self.hint_all(self.now, self.end_cycle());
        self.catch_up();
        self.now = self.end_cycle() + self.chip.sync.barrier_cycles;
        for t in &mut self.times {
            *t = super::clock::PipeTimes { next: self.now, done: self.now };
        }
        Ok(())
    }

    /// The report of a hang, told from the pipe that is its cause: one that waits for a flag no queued SetFlag will set.
    /// Call only while a pipe is blocked.
    #[cold]
    pub fn hang_report(&self) -> Fault {
        let heads = || {
            let blocked = (0..SLOTS).filter(|s| self.blocked & (1 << s) != 0);
            blocked.filter_map(|s| match self.queues[s].front() {
                Some(q @ Queued { what: Action::Wait(flag), .. }) => Some((*flag, q)),
                _ => None,
            })
        };
        let cause = heads().find(|(flag, _)| !self.is_queued(*flag));
        // Every flag would be set if it were not for the unit flags.
        if cause.is_none() && self.unit_waiter().is_some() {
            return self.unit_hang();
        }
        // Of a cycle the wait that the program has first.
        match cause.or_else(|| heads().min_by_key(|(_, q)| q.issued)) {
            Some((flag, queued)) => {
                let mut fault = self.hang_of(flag, trimmed(&queued.origin.frames));
                self.tell_later_sets(&mut fault, flag, queued.iteration);
                if cause.is_none() {
                    fault.details.push(Detail::Text(
                        "each pipe waits for a flag that another one would set: a cycle".into(),
                    ));
                }
                fault
            }
            None => Box::new(Draft::new(&INTERNAL, &[("what", "a pipe is blocked without a wait".into())])),
        }
    }

    /// Sets of cross-core flags that wait in a pipe: flag, text, where they were issued.
    pub fn stuck_sets(&self) -> Vec<(u8, String, Vec<u64>)> {
        let mut found = Vec::new();
        for slot in (0..SLOTS).filter(|s| self.blocked & (1 << s) != 0) {
            let Some(head) = self.queues[slot].front() else { continue };
            let behind = head.what.text(slot);
            for queued in &self.queues[slot] {
                if let Action::CrossSet(set) = queued.what {
                    let pipe = Core::pipe_name(slot);
                    let text = format!("has issued it, but pipe {pipe} is held by {behind}");
                    found.push((set.flag(), text, trimmed(&queued.origin.frames)));
                }
            }
        }
        found
    }

    /// A pipe whose head waits for unit flags of L0C: `Mmad` for Fixpipe to read, or Fixpipe for `Mmad` to write.
    fn unit_waiter(&self) -> Option<(usize, &Queued)> {
        let heads = (0..SLOTS).filter_map(|s| self.queues[s].front().map(|q| (s, q)));
        heads.into_iter().find(|(s, q)| self.blocked & (1 << s) != 0 && matches!(q.what, Action::Work(_)))
    }

    fn unit_hang(&self) -> Fault {
        let (slot, op, frames) = match self.unit_waiter() {
            Some((slot, q)) => (slot, q.what.intrinsic().unwrap_or_default(), trimmed(&q.origin.frames)),
            None => (0, "", Vec::new()),
        };
        let other = if SLOT_PIPES[slot] == Pipe::M { "Fixpipe" } else { "Mmad" };
        let values =
            [("pipe", Core::pipe_name(slot).to_owned()), ("op", op.to_owned()), ("other", other.to_owned())];
        let mut draft = Draft::new(&UNIT_HANG, &values).op(op);
        draft.frames = frames;
        self.tell_queues(&mut draft, slot);
        Box::new(draft)
    }

    /// Whether an instruction that waits in its pipe will write some of these bytes.
    pub fn will_be_written(&self, range: &std::ops::Range<u64>) -> bool {
        let writes = |d: &Decoded| {
            let meets = |e: std::ops::Range<u64>| e.start < range.end && range.start < e.end;
            d.accesses().iter().any(|a| a.write && a.extent().is_some_and(meets))
        };
        self.queues.iter().flatten().any(|q| matches!(&q.what, Action::Work(d) if writes(d)))
    }

    /// Whether a SetFlag of this flag waits in some pipe.
    fn is_queued(&self, flag: Flag) -> bool {
        self.queues[flag.src].iter().any(|q| matches!(q.what, Action::Set(f) if f == flag))
    }

    fn hang_of(&self, flag: Flag, frames: Vec<u64>) -> Fault {
        let values = [
            ("pipe", Core::pipe_name(flag.dst).to_owned()),
            ("pair", flag.pair()),
            ("id", flag.id.to_string()),
        ];
        let mut draft = Draft::new(&HANG, &values);
        draft.frames = frames;
        if self.flags.used[flag.index()] & (1 << flag.id) != 0 {
            let text = "it was set before, and an earlier wait has taken that; last set".to_owned();
            draft.details.push(Detail::At(text, vec![self.flags.at[flag.index()][flag.id].pc]));
        }
        self.tell_queues(&mut draft, flag.dst);
        self.tell_flags(&mut draft);
        Box::new(draft)
    }

    /// The sets that a wait waits for and that come behind it.
    fn tell_later_sets(&self, draft: &mut Draft, flag: Flag, iteration: u32) {
        let (pair, id) = (flag.pair(), flag.id);
        let mut lines =
            vec![Detail::Text(format!("the wait for {pair} id {id} is in iteration {iteration}"))];
        let sets = self.queues[flag.src].iter().filter(|q| matches!(q.what, Action::Set(f) if f == flag));
        let head = self.queues[flag.src].front().map(|q| q.what.text(flag.src)).unwrap_or_default();
        if let Some(set) = sets.clone().next() {
            let text = format!(
                "SetFlag<{pair}> id {id} comes behind the wait: pipe {} has {} of them behind {head}; the first",
                Core::pipe_name(flag.src),
                sets.count()
            );
            lines.push(Detail::At(text, trimmed(&set.origin.frames)));
        }
        lines.append(&mut draft.details);
        draft.details = lines;
    }

    /// What waits behind unset flags, pipe by pipe; the head of pipe `reported` has been told.
    fn tell_queues(&self, draft: &mut Draft, reported: usize) {
        const SHOWN: usize = 4;
        for slot in (0..SLOTS).filter(|s| self.blocked & (1 << s) != 0) {
            let name = Core::pipe_name(slot);
            for (i, queued) in self.queues[slot].iter().enumerate() {
                if i > SHOWN {
                    let more = self.queues[slot].len() - i;
                    draft.details.push(Detail::Text(format!("and {more} more in pipe {name}")));
                    break;
                }
                let what = &queued.what;
                let text = match i {
                    0 if slot == reported => continue,
                    0 => format!("pipe {name} waits too: {}", what.text(slot)),
                    _ => format!("behind it in pipe {name}: {}", what.text(slot)),
                };
                let at = trimmed(&queued.origin.frames);
                draft.details.push(match what.intrinsic() {
                    Some(op) => Detail::Op { text, op, at },
                    None => Detail::At(text, at),
                });
            }
        }
    }

    fn tell_flags(&self, draft: &mut Draft) {
        let before = draft.details.len();
        for flag in self.flags_set() {
            let at = self.flags.at[flag.index()][flag.id];
            let text = format!("set and not waited for: flag {} id {},", flag.pair(), flag.id);
            draft.details.push(Detail::At(text, vec![at.pc]));
        }
        if draft.details.len() == before {
            draft.details.push(Detail::Text("no flag is set".into()));
        }
    }

    fn flags_set(&self) -> impl Iterator<Item = Flag> + '_ {
        (0..SLOTS * SLOTS).flat_map(move |i| {
            (0..EVENT_IDS as usize).filter(move |id| self.flags.set[i] & (1 << id) != 0).map(move |id| Flag {
                src: i / SLOTS,
                dst: i % SLOTS,
                id,
            })
        })
    }

    /// A finding for each flag that is still set.
    pub fn flags_left(&self) -> Vec<Draft> {
        if self.flags.set == [0; SLOTS * SLOTS] {
            return Vec::new();
        }
        let left = |flag: Flag| {
            let mut draft = Draft::new(&FLAG_LEFT, &[("pair", flag.pair()), ("id", flag.id.to_string())]);
            draft.frames = vec![self.flags.at[flag.index()][flag.id].pc];
            draft
        };
        let follows =
            |flag: &Flag| self.is_flag_of_told((flag.src, flag.dst), self.flags.at[flag.index()][flag.id].pc);
        self.flags_set().filter(|f| !follows(f)).map(left).collect()
    }
}

/// Bytes of GM that an instruction, checked and about to run or just run, accesses.
pub fn bytes_of_gm(range: &std::ops::Range<u64>) -> Vec<u8> {
    let mut bytes = vec![0; (range.end - range.start) as usize];
    // SAFETY: the instruction's accesses were found to lie in a live block when it was issued; `bytes` is as long.
    unsafe { std::ptr::copy_nonoverlapping(range.start as *const u8, bytes.as_mut_ptr(), bytes.len()) };
    bytes
}

fn trimmed(frames: &[u64]) -> Vec<u64> {
    frames.iter().copied().filter(|f| *f != 0).collect()
}
