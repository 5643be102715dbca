//! The functions behind a core's face: how kernel code enters the engine.
//!
//! Each is a few machine instructions that note where the kernel came from (return address, frame pointer) and jump to the
//! Rust function of the same name. A call that finds a fault does not return: the block is abandoned by switching away from
//! its coroutine for good. Rust values on that stack are leaked, never dropped, so nothing here owns anything while it calls
//! [`fail`].
#![allow(unsafe_code)] // Raw pointers from the kernel, and entry code in assembly.

use super::block::KernelYielder;
use super::core::{Core, Pause, level};
use super::pipes::{Fault, Frames};
use super::system::Unit;
use crate::findings::Draft;
use crate::findings::catalogue as c;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::mem::offset_of;
use std::panic::{AssertUnwindSafe, catch_unwind};
use toprope_abi::core_face::{Annotation, Refusal, ScalarAccess, TrCore};
use toprope_abi::fwk::FwkError;
use toprope_abi::isa::{FieldId, SPACES, Space};

macro_rules! entries {
    ($($(#[$doc:meta])* $name:ident ($($arg:ident: $t:ty),*) $(-> $r:ty)? => $target:path;)*) => {$(
        $(#[$doc])*
        ///
        /// # Safety
        /// `core` is the face of the core whose block runs on this coroutine.
        #[unsafe(naked)]
        pub unsafe extern "C" fn $name(core: *mut TrCore $(, $arg: $t)*) $(-> $r)? {
            #[cfg(target_arch = "x86_64")]
            std::arch::naked_asm!(
                "mov rax, qword ptr [rsp]",
                "mov qword ptr [rdi + {pc}], rax",
                "mov qword ptr [rdi + {frame}], rbp",
                "jmp {target}",
                pc = const offset_of!(TrCore, pc),
                frame = const offset_of!(Core, frame),
                target = sym $target,
            );
            #[cfg(target_arch = "aarch64")]
            std::arch::naked_asm!(
                "str x30, [x0, #{pc}]",
                "str x29, [x0, #{frame}]",
                "b {target}",
                pc = const offset_of!(TrCore, pc),
                frame = const offset_of!(Core, frame),
                target = sym $target,
            );
        }
    )*};
}

entries! {
    /// [`TrCore::issue`].
    issue(op: u32, x0: u64, x1: u64, x2: u64, x3: u64) => on_issue;
    /// [`TrCore::read_spr`].
    read_spr(spr: u32) -> u64 => on_read_spr;
    /// [`TrCore::scalar_access`].
    scalar_access(addr: u64, bytes: u32, what: u32) => on_scalar_access;
    /// [`TrCore::refuse`].
    refuse(why: u32, text: *const c_char, detail: u64, asked: u64, limit: u64) => on_refuse;
    /// [`TrCore::print`].
    print(text: *const c_char, bytes: u64) => on_print;
    /// [`TrCore::annotate`].
    annotate(what: u32, text: *const c_char, a: u64, b: u64, c: u64, d: u64) => on_annotate;
}

/// Runs `f` on the core; a fault or panic inside abandons the block.
///
/// # Safety
/// As the entries above.
#[inline(always)]
unsafe fn within<R>(core: *mut TrCore, f: impl FnOnce(&mut Core) -> Result<R, Fault>) -> R {
    // SAFETY: `face` is the first field of a `repr(C)` `Core`, and only this coroutine uses the core now.
    let core = unsafe { &mut *core.cast::<Core>() };
    core.set_level(level::ENGINE);
    match catch_unwind(AssertUnwindSafe(|| f(core))) {
        Ok(Ok(r)) => {
            if core.pause != Pause::None {
                pause(core);
            }
            if core.out_of_time() {
                time_limit(core);
            }
            core.set_level(level::KERNEL);
            r
        }
        Ok(Err(fault)) => fail(core, unboxed(fault)),
        Err(panic) => {
            let what = panic.downcast_ref::<String>().cloned();
            let what =
                what.or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned())).unwrap_or_default();
            drop(panic);
            fail(core, Draft::new(&c::INTERNAL, &[("what", what)]))
        }
    }
}

/// A library used against its rules: `text` is what was done, a line feed, what to do. A `limit` of 0 means that nothing was counted.
fn api_misuse(text: &str, asked: u64, limit: u64) -> Draft {
    let (what, help) = text.split_once('\n').unwrap_or((text, "see the description of the call"));
    let counted = if limit == 0 { String::new() } else { format!(": {asked}, the limit is {limit}") };
    Draft::new(&c::API_MISUSE, &[("what", format!("{what}{counted}")), ("help", help.to_owned())])
}

/// A fault without its box, which is freed here: nothing behind [`fail`] runs any more.
#[allow(clippy::boxed_local, reason = "the box ends here, which is the point")]
fn unboxed(fault: Fault) -> Draft {
    *fault
}

/// Records the fault and leaves the block for good.
#[cold]
#[inline(never)]
fn fail(core: &mut Core, mut draft: Draft) -> ! {
    if draft.frames.is_empty() {
        draft.frames = core.frames();
    }
    core.record(draft, true);
    abandon(core)
}

#[cold]
#[inline(never)]
fn time_limit(core: &mut Core) -> ! {
    let draft = core.time_limit();
    fail(core, draft)
}

/// Lets other cores run; comes back when this one is resumed.
#[cold]
#[inline(never)]
fn pause(core: *mut Core) {
    // SAFETY: the core is alive, and nobody else uses it while its coroutine runs.
    let yielder = unsafe { (*core).yielder }.cast::<KernelYielder>();
    // SAFETY: `yielder` was stored by the coroutine we are running on (`block`), which outlives this call.
    unsafe { (*yielder).suspend(()) };
    // SAFETY: the coroutine runs again.
    unsafe { (*core).resumed() };
}

fn abandon(core: &mut Core) -> ! {
    let yielder = core.yielder.cast::<KernelYielder>();
    loop {
        // SAFETY: `yielder` was stored by the coroutine we are running on (`block`), which outlives this call.
        unsafe { (*yielder).suspend(()) };
    }
}

unsafe extern "C" fn on_issue(core: *mut TrCore, op: u32, x0: u64, x1: u64, x2: u64, x3: u64) {
    // A count form writes six mask registers around its instruction: these go past the engine's level and its panic guard.
    // SAFETY: `face` is the first field of a `repr(C)` `Core`, and only this coroutine uses the core now.
    let this = unsafe { &mut *core.cast::<Core>() };
    this.hint_call();
    if this.write_mask_register(op, x0, x1) {
        return;
    }
    // SAFETY: forwarded from the entry.
    unsafe { within(core, |core| core.issue(op, &[x0, x1, x2, x3])) }
}

unsafe extern "C" fn on_read_spr(core: *mut TrCore, spr: u32) -> u64 {
    // SAFETY: forwarded from the entry.
    unsafe { within(core, |core| core.read_register(spr)) }
}

unsafe extern "C" fn on_scalar_access(core: *mut TrCore, addr: u64, bytes: u32, what: u32) {
    // SAFETY: forwarded from the entry.
    unsafe { within(core, |core| core.scalar_access(addr, u64::from(bytes), what)) }
}

unsafe extern "C" fn on_refuse(
    core: *mut TrCore,
    why: u32,
    text: *const c_char,
    detail: u64,
    asked: u64,
    limit: u64,
) {
    // SAFETY: `text` is null or a NUL-terminated string (contract of `TrCore::refuse`).
    let text = unsafe { text_of(text) };
    // SAFETY: forwarded from the entry.
    unsafe { within(core, |core| core.refused(why, text, [detail, asked, limit])) }
}

unsafe extern "C" fn on_print(core: *mut TrCore, text: *const c_char, bytes: u64) {
    let text = if bytes == 0 {
        &[][..]
    } else {
        // SAFETY: `bytes` bytes at `text` are readable (contract of `TrCore::print`).
        unsafe { std::slice::from_raw_parts(text.cast::<u8>(), bytes as usize) }
    };
    let append = |core: &mut Core| {
        core.printed.push_str(&String::from_utf8_lossy(text));
        Ok(())
    };
    // SAFETY: forwarded from the entry.
    unsafe { within(core, append) }
}

unsafe extern "C" fn on_annotate(
    core: *mut TrCore,
    what: u32,
    text: *const c_char,
    a: u64,
    b: u64,
    c: u64,
    d: u64,
) {
    if (Annotation::PollBegin as u32..=Annotation::SignalAdd as u32).contains(&what) {
        // SAFETY: forwarded from the entry.
        while !unsafe { within(core, |core| Ok(core.note_look(what, [a, b, c, d]))) } {}
        return;
    }
    if what == Annotation::GmTensor as u32 && c != 0 {
        // SAFETY: forwarded from the entry.
        let block = unsafe { within(core, |core| Ok(core.gm_block(a))) };
        if let Some(block) = block {
            // SAFETY: `c` is the address of two words of the kernel's (contract of `Annotation::GmTensor`).
            unsafe { (c as *mut [u64; 2]).write(block) };
        }
    }
    // SAFETY: `text` is null or a NUL-terminated string (contract of `TrCore::annotate`).
    let text = unsafe { text_of(text) };
    // SAFETY: forwarded from the entry.
    unsafe {
        within(core, |core| {
            core.note(what, &text, [a, b, c, d]);
            Ok(())
        })
    }
}

/// # Safety
/// `text` is null or a NUL-terminated string that lives as long as the result is used.
unsafe fn text_of<'a>(text: *const c_char) -> std::borrow::Cow<'a, str> {
    if text.is_null() {
        return "".into();
    }
    // SAFETY: not null, so a NUL-terminated string (contract of this function).
    unsafe { CStr::from_ptr(text) }.to_string_lossy()
}

/// Misuses whose figures say something to the user: sizes and counts.
const HAS_FIGURES: &[FwkError] = &[
    FwkError::QueueFull,
    FwkError::TooManyBuffers,
    FwkError::BadBufferCount,
    FwkError::BadLength,
    FwkError::BadTotalLength,
    FwkError::MemoryFull,
    FwkError::TBufTooShort,
    FwkError::TBufUnaligned,
    FwkError::TscmTooLarge,
    FwkError::PoolFull,
    FwkError::ShareTooLong,
    FwkError::AddressBeyond,
    FwkError::TBufOffsetBeyond,
    FwkError::BadDepth,
];

/// What a message calls a scalar access, by its number.
const SCALAR_OPS: [&str; 5] =
    ["GetValue", "SetValue", "ReadGmByPassDCache", "WriteGmByPassDCache", "DumpTensor"];

/// Stands for the name of what refused when there is none.
const THE_KERNEL: &str = "the kernel";

impl Core {
    /// A scalar load or store of `bytes` at `addr`.
    fn scalar_access(&mut self, addr: u64, bytes: u64, what: u32) -> Result<(), Fault> {
        self.stats.instructions[0] += 1;
        let range = addr..addr.saturating_add(bytes);
        self.settle_scalar(&range);
        let is = |access: ScalarAccess| what == access as u32;
        let write = is(ScalarAccess::Store) || is(ScalarAccess::StoreUncached);
        let uncached = is(ScalarAccess::LoadUncached) || is(ScalarAccess::StoreUncached);
        self.hint_scalar(&range, write);
        let op = SCALAR_OPS.get(what as usize).copied().unwrap_or("a scalar access");
        if let Some((space, offset)) = self.region.locate(addr) {
            let limit = u64::from(self.region.bytes(space));
            if (space != Space::Ub && !is(ScalarAccess::Dump)) || limit == 0 || uncached {
                let what = format!("{op} on {}", space.name());
                return Err(Box::new(Draft::new(
                    &c::WRONG_CORE,
                    &[("what", what), ("core", self.kind_name())],
                )));
            }
            if offset + bytes > limit {
                let entry = if write { &c::LOCAL_WRITE_BEYOND } else { &c::LOCAL_READ_BEYOND };
                let beyond = (offset + bytes - limit).to_string();
                let values = [
                    ("op", op.into()),
                    ("beyond", beyond),
                    ("memory", space.name().into()),
                    ("limit", limit.to_string()),
                ];
                let address = format!("address: {offset:#x} in {}", space.name());
                return Err(Box::new(Draft::new(entry, &values).detail(address)));
            }
            if is(ScalarAccess::Dump) {
                return Ok(());
            }
            if self.watches.on() {
                self.check_watched(op, Unit::Scalar, write, &range)?;
            }
            self.taint_scalar(op, &range, write);
            if self.owners.are_known() {
                self.check_scalar_owner(op, offset as u32, bytes as u32, write);
            }
            if !write {
                self.looks_at_ub(&range);
            }
            self.now += self.chip.scalar.ub_cycles;
            self.follow_scalar(space, offset..offset + bytes, write, (what, op));
            return Ok(());
        }
        if !self.gm_holds(&range, write) {
            return Err(Box::new(self.gm_fault(op, write, addr, &range)));
        }
        if is(ScalarAccess::Dump) {
            return Ok(());
        }
        self.follow_scalar_gm(op, &range, write, uncached);
        if write {
            self.taint_scalar_gm(&range);
        } else {
            self.reads_gm(addr);
        }
        let hit = !uncached && self.scalar_line_hits(addr);
        self.now += if hit { self.chip.scalar.gm_hit_cycles } else { self.chip.scalar.gm_miss_cycles };
        Ok(())
    }

    /// Kernel-side code refuses to go on.
    #[cold]
    fn refused(
        &mut self,
        why: u32,
        text: std::borrow::Cow<'_, str>,
        [detail, asked, limit]: [u64; 3],
    ) -> Result<(), Fault> {
        let what = if text.is_empty() { THE_KERNEL.to_owned() } else { text.into_owned() };
        let is = |r: Refusal| why == r as u32;
        // Negative counts and indices arrive sign-extended.
        let (asked_text, limit_text) = ((asked as i64).to_string(), limit.to_string());
        let figures =
            |what: String| [("what", what), ("asked", asked_text.clone()), ("limit", limit_text.clone())];
        if is(Refusal::RoundedDown) {
            let api = if what == THE_KERNEL { "DataCopy".to_owned() } else { what };
            let values = [("api", api), ("asked", asked.to_string()), ("moved", limit.to_string())];
            let first = (limit * 8).checked_div(detail);
            let first = first.map_or(String::new(), |e| format!(", elements from number {e} on"));
            let lost = asked - limit.min(asked);
            let missing = if limit == 0 { "all of it".to_owned() } else { format!("the last {lost} bytes") };
            let mut draft =
                Draft::new(&c::ROUNDED_DOWN, &values).detail(format!("missing: {missing}{first}"));
            draft.frames = self.frames();
            self.record(draft, false);
            return Ok(());
        }
        let draft = if is(Refusal::FieldRange) && detail == FieldId::EventId as u64 {
            Draft::new(&c::EVENT_ID, &[("what", what), ("id", (asked as u32 as i32).to_string())])
        } else if is(Refusal::FieldRange) {
            let field = FieldId::from_index(detail as u32).map_or("field", FieldId::text);
            let values = [
                ("what", what),
                ("field", field.to_owned()),
                ("asked", (asked as i64).to_string()),
                ("min", "0".to_owned()),
                ("limit", limit.to_string()),
            ];
            Draft::new(&c::FIELD_RANGE, &values)
        } else if is(Refusal::Unsupported) {
            Draft::new(&c::UNSUPPORTED, &[("what", what)])
        } else if is(Refusal::Assert) {
            Draft::new(&c::ASSERT, &[("what", what)])
        } else if is(Refusal::Framework) {
            self.framework(detail as u32 & 0xffff, detail >> 16, asked, limit)
        } else if is(Refusal::Misaligned) {
            Draft::new(&c::MISALIGNED, &figures(what))
        } else if is(Refusal::Capacity) {
            self.capacity(&what, detail, asked, limit)
        } else if is(Refusal::OutOfRange) {
            Draft::new(&c::OUT_OF_RANGE, &figures(what))
        } else if is(Refusal::NoSuchForm) {
            Draft::new(&c::NO_SUCH_FORM, &[("what", what)])
        } else if is(Refusal::ApiMisuse) {
            api_misuse(&what, asked, limit)
        } else if is(Refusal::WrongCore) {
            Draft::new(&c::WRONG_CORE, &[("what", what), ("core", self.kind_name())])
        } else if is(Refusal::Trap) {
            Draft::new(&c::TRAP, &[])
        } else {
            Draft::new(&c::UNSUPPORTED, &[("what", format!("refusal number {why} ({what})"))])
        };
        Err(Box::new(draft))
    }

    fn capacity(&self, rule: &str, memory: u64, asked: u64, limit: u64) -> Draft {
        let name = SPACES.get(memory as usize).map_or("the memory", |s| s.1);
        let values =
            [("memory", name.to_owned()), ("asked", asked.to_string()), ("limit", limit.to_string())];
        let mut draft = Draft::new(&c::CAPACITY, &values);
        draft.details = self.demand_table(SPACES.get(memory as usize).map(|s| s.0));
        if rule != THE_KERNEL {
            draft = draft.detail(format!("rule: {rule}"));
        }
        draft
    }

    /// A misuse that `device-lib` found: its own text, and our code for the class.
    fn framework(&self, code: u32, object: u64, asked: u64, limit: u64) -> Draft {
        let Some(error) = FwkError::from_code(code) else {
            let values = [("what", format!("framework error {code}")), ("help", "see fwk.h".to_owned())];
            return Draft::new(&c::FRAMEWORK, &values);
        };
        // "what happened: what to do" is the form of the texts.
        let (what, help) = error.text().split_once(": ").unwrap_or((error.text(), "follow the rule"));
        let values = [("what", format!("{what} ({})", error.name())), ("help", help.to_owned())];
        let (entry, steps) = self.refused_step(error, object);
        let mut draft = Draft::new(entry, &values);
        draft.details = steps;
        if HAS_FIGURES.contains(&error) {
            draft = draft.detail(format!("asked: {asked}, limit: {limit}"));
        }
        if matches!(
            error,
            FwkError::MemoryFull | FwkError::BadTotalLength | FwkError::L1HitsTscm | FwkError::TscmHitsL1
        ) {
            draft.details.extend(self.demand_table(None));
        }
        draft
    }

    /// Whether the launch has reached its time limit.
    #[inline]
    fn out_of_time(&self) -> bool {
        self.launch.as_ref().is_some_and(|l| l.timed_out())
    }

    /// Address in the user's code of the call in progress.
    pub fn here(&self) -> u64 {
        if self.face.api_pc != 0 { self.face.api_pc } else { self.face.pc }
    }

    /// Return addresses from the call in progress outwards, by frame pointers alone: a few nanoseconds.
    pub fn quick_frames(&self) -> Frames {
        let mut frames = [0; 4];
        let pcs = [self.face.api_pc, self.face.pc];
        note_frames(pcs, self.frame, &self.stack, &mut frames);
        frames
    }

    /// All return addresses from the call in progress outwards, by unwind tables.
    pub fn frames(&self) -> Vec<u64> {
        let mut frames: Vec<u64> =
            [self.face.api_pc, self.face.pc].into_iter().filter(|pc| *pc != 0).collect();
        let unwound = unwind(&self.stack);
        match unwound.iter().position(|ip| *ip == self.face.pc) {
            Some(i) => frames.extend(&unwound[i + 1..]),
            None => walk_frames(self.frame, &self.stack, |pc| frames.push(pc)),
        }
        frames
    }
}

/// Return addresses `pcs` (0: none) and those of the chain of frame pointers behind them, as [`Core::quick_frames`].
#[inline]
pub fn note_frames(pcs: [u64; 2], frame: u64, stack: &std::ops::Range<usize>, into: &mut Frames) {
    let mut n = 0;
    let mut push = |pc: u64| {
        if pc != 0 && n < into.len() {
            into[n] = pc;
            n += 1;
        }
    };
    pcs.into_iter().for_each(&mut push);
    walk_frames(frame, stack, push);
    into[n..].fill(0);
}

/// Calls `f` with the return addresses of the chain of frame pointers that starts at `frame`, as long as it stays in `stack`
/// and goes outwards.
pub fn walk_frames(mut frame: u64, stack: &std::ops::Range<usize>, mut f: impl FnMut(u64)) {
    const LONGEST: usize = 32;
    for _ in 0..LONGEST {
        let inside = frame.is_multiple_of(8)
            && stack.contains(&(frame as usize))
            && stack.contains(&(frame as usize + 15));
        if !inside {
            return;
        }
        // SAFETY: both words lie in the mapped part of the coroutine's stack (tested above; `stack` leaves the guard out).
        let [next, pc] = unsafe { *(frame as *const [u64; 2]) };
        if pc == 0 {
            return;
        }
        f(pc);
        if next <= frame {
            return;
        }
        frame = next;
    }
}

unsafe extern "C" {
    fn _Unwind_Backtrace(visit: extern "C" fn(*mut c_void, *mut c_void) -> c_int, data: *mut c_void)
    -> c_int;
    fn _Unwind_GetIP(context: *mut c_void) -> usize;
    fn _Unwind_GetCFA(context: *mut c_void) -> usize;
}

struct Unwound {
    stack: std::ops::Range<usize>,
    frames: Vec<u64>,
}

/// Return addresses of every frame on `stack`, by unwind tables.
fn unwind(stack: &std::ops::Range<usize>) -> Vec<u64> {
    let mut found = Unwound { stack: stack.clone(), frames: Vec::new() };
    // SAFETY: `visit` matches the contract and `found` outlives the call.
    unsafe { _Unwind_Backtrace(visit, (&raw mut found).cast()) };
    found.frames
}

extern "C" fn visit(context: *mut c_void, data: *mut c_void) -> c_int {
    const STOP: c_int = 5; // _URC_END_OF_STACK
    // SAFETY: `data` is the `Unwound` of `unwind`, used by nobody else during the call.
    let found = unsafe { &mut *data.cast::<Unwound>() };
    // SAFETY: the unwinder passes a valid context.
    let ip = unsafe { _Unwind_GetIP(context) };
    // SAFETY: as above.
    let cfa = unsafe { _Unwind_GetCFA(context) };
    if ip == 0 || found.frames.len() >= 64 || !(found.stack.start..=found.stack.end).contains(&cfa) {
        return STOP;
    }
    found.frames.push(ip as u64);
    0
}
