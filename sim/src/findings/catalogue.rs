//! Every finding there is: code, first line, what to do, why it matters, and the page with a wrong and a right example
//! (`pages/TRggnn.md`) that `toprope explain CODE` and `docs/findings.md` show. The digits `gg` are the group ([`GROUPS`]).
//!
//! Names are those of the vendor's CPU-debug checker (`ErrorRead1` … `ErrorSync4`, `ErrorFree`, `ErrorLeak`) where it has
//! one for the case; the others are ours. Adding a finding is adding an entry here and drafting it where it is noticed.
//! `{name}` in a title or help is filled in by the place that drafts it.

use super::{Severity, Verdict};

/// First four characters of the codes of a group, and what it is about.
pub const GROUPS: [(&str, &str); 12] = [
    ("TR01", "GM: addresses, bounds, coverage"),
    ("TR02", "Local memories: bounds, capacity, overlap, ownership"),
    ("TR03", "Units, fields, alignment, forms"),
    ("TR04", "Order of pipes: races on memory"),
    ("TR05", "Events inside a core: flags, ids, barriers, hangs"),
    ("TR06", "Order of cores: cross-core flags, barriers over cores, deadlocks, hand-off through GM"),
    ("TR07", "Framework protocol: TPipe, queues, tensors"),
    ("TR08", "Host: lifetime, order, contract between host and kernel"),
    ("TR09", "Data: uninitialised values, state left behind, too much synchronisation"),
    ("TR10", "Faults of the kernel's own code"),
    ("TR11", "Not modelled"),
    ("TR12", "toprope or the machine"),
];

/// One kind of finding.
#[derive(Debug)]
pub struct Entry {
    /// Stable code, `TR` and four digits: the group (see the module) and a number in it. Never used again for anything else.
    pub code: &'static str,
    /// Name of the class: the vendor checker's (`ErrorRead1`) where it has one, else ours. Several codes may share one.
    pub name: &'static str,
    /// Whose fault it is.
    pub verdict: Verdict,
    /// How bad it is.
    pub severity: Severity,
    /// First line, with `{placeholders}`.
    pub title: &'static str,
    /// What to do, with `{placeholders}`.
    pub help: &'static str,
    /// Why it matters: two or three sentences.
    pub explain: &'static str,
    /// A wrong and a right example, `pages/TRggnn.md`; see [`Entry::examples`].
    pub page: &'static str,
}

macro_rules! catalogue {
    ($($name:ident: $code:literal $class:literal $verdict:ident $severity:ident, $title:literal, $help:literal, $explain:literal;)*) => {
        $(#[doc = concat!("`", $code, " ", $class, "`: ", $title)]
        pub static $name: Entry = Entry {
            code: $code, name: $class, verdict: Verdict::$verdict, severity: Severity::$severity,
            title: $title, help: $help, explain: $explain,
            page: include_str!(concat!("pages/", $code, ".md")),
        };)*

        /// Every entry.
        pub static CATALOGUE: &[&Entry] = &[$(&$name,)*];
    };
}

/// The entry with this code, or those with this name; upper and lower case alike.
pub fn explain(code: &str) -> Vec<&'static Entry> {
    let is = |e: &&Entry| e.code.eq_ignore_ascii_case(code) || e.name.eq_ignore_ascii_case(code);
    CATALOGUE.iter().copied().filter(is).collect()
}

/// Puts `values` in the places of `{names}`.
pub fn fill(template: &str, values: &[(&str, String)]) -> String {
    values.iter().fold(template.to_owned(), |text, (name, value)| text.replace(&format!("{{{name}}}"), value))
}

catalogue! {
    GM_READ_FOREIGN: "TR0101" "ErrorRead1" Program Error,
        "{op} reads GM address {address}, which is not device memory{argument}",
        "pass a pointer from aclrtMalloc (a host pointer cannot be read by the NPU; copy the data with aclrtMemcpy first)",
        "An instruction reads an address outside the device's memory. Usual causes: a host pointer was passed as a kernel \
         argument, arguments are in the wrong order, or an offset overflowed.";
    GM_WRITE_FOREIGN: "TR0102" "ErrorWrite1" Program Error,
        "{op} writes GM address {address}, which is not device memory{argument}",
        "pass a pointer from aclrtMalloc (a host pointer cannot be written by the NPU)",
        "An instruction writes an address outside the device's memory. Usual causes: a host pointer was passed as a kernel \
         argument, arguments are in the wrong order, or an offset overflowed.";
    GM_READ_FREED: "TR0103" "ErrorRead1" Program Error,
        "{op} reads GM memory that was freed{argument}",
        "free device memory only after the stream that uses it was synchronised",
        "An instruction reads memory that was given back before the kernel ran. aclrtFree does not wait for streams.";
    GM_WRITE_FREED: "TR0104" "ErrorWrite1" Program Error,
        "{op} writes GM memory that was freed{argument}",
        "free device memory only after the stream that uses it was synchronised",
        "An instruction writes memory that was given back before the kernel ran. aclrtFree does not wait for streams.";
    GM_WRITE_READ_ONLY: "TR0105" "ErrorWrite1" Program Error,
        "{op} writes GM memory that may only be read{argument}",
        "allocate it without ACL_MEM_ACCESS_USER_SPACE_READONLY, or write to another block",
        "The block was made with the policy bit ACL_MEM_ACCESS_USER_SPACE_READONLY. Neither kernels nor copies may write it.";
    GM_READ_BEYOND: "TR0106" "ErrorRead3" Program Error,
        "{op} reads {beyond} bytes beyond the end of {target}",
        "make the last copy shorter (min(tile, elements left)), use DataCopyPad for a tail that is not a multiple of 32 bytes, or \
         allocate more",
        "A copy reads past the end of its device allocation. On the card it returns the neighbour's data or faults. The usual \
         cause is a last iteration that uses the full tile length, or blocks that split the length unevenly.";
    GM_WRITE_BEYOND: "TR0107" "ErrorWrite2" Program Error,
        "{op} writes {beyond} bytes beyond the end of {target}",
        "make the last copy shorter (min(tile, elements left)), use DataCopyPad for a tail that is not a multiple of 32 bytes, or \
         allocate more",
        "A copy writes past the end of its device allocation. On the card it damages the neighbour's data or faults. The usual \
         cause is a last iteration that uses the full tile length, or blocks that split the length unevenly.";
    GM_READ_NOWHERE: "TR0108" "ErrorRead1" Program Error,
        "{op} reads GM address {address}, which belongs to no allocation{argument}",
        "check the offset that is added to the tensor's start",
        "The address is in the device's range but in no live allocation: it lies before the start of one, or far behind its end.";
    GM_WRITE_NOWHERE: "TR0109" "ErrorWrite1" Program Error,
        "{op} writes GM address {address}, which belongs to no allocation{argument}",
        "check the offset that is added to the tensor's start",
        "The address is in the device's range but in no live allocation: it lies before the start of one, or far behind its end.";
    GM_LOGICAL: "TR0111" "WarnTensor" Program Warning,
        "{op} {verb} {beyond} bytes beyond the end of a GlobalTensor of {bytes} bytes in {target}",
        "make the last copy shorter (min(tile, elements left)), or give SetGlobalBuffer the size that is meant (in elements)",
        "SetGlobalBuffer was given a size, and a copy that starts inside runs over the end. The bytes belong to the same allocation, so \
         nothing faults; they are another core's, another tensor's, or room that nobody looks at.";
    OUTPUT_HOLES: "TR0112" "Coverage" Program Warning,
        "{holes} of {bytes} bytes of {target} were not written by this launch",
        "check the number of blocks, the loop of each, and the offset and pitch of the store; ignore it for buffers that are written in part",
        "On request (coverage): an argument that the launch has written has bytes that nobody wrote.";
    WRITTEN_TWICE: "TR0113" "Coverage" Program Warning,
        "{twice} bytes of {target} were written by more than one core",
        "check the offset of each core; ignore it where cores write one after the other on purpose",
        "On request (coverage): bytes of an argument were written, not added to, by several cores. If they were not ordered there is a finding \
         of its own for that.";
    GM_STRAY: "TR0114" "ErrorTensor" Program Error,
        "{op} {verb} {target} through a GlobalTensor of {base}",
        "check the offset that is added to the tensor (it counts elements; see that it is of the right array), or call SetGlobalBuffer with \
         the pointer that is meant",
        "The tensor was given an address of one block of device memory, and an offset moved it into another block. The address is legal, \
         so nothing faults; where blocks lie is another matter on every run and card. Parts of one aclrtMalloc may be reached from \
         each other.";
    GM_SLACK: "TR0115" "NoteSlack" Program Note,
        "the kernel {verb} {beyond} bytes beyond the end of {target}, in the room that {by} leaves there",
        "make the last copy shorter (min(tile, elements left)), or make the array a multiple of the tile; with strict bounds this is an error",
        "Memory of this call comes in whole pages with a page behind it, so nothing is damaged. On the card the bytes may be another \
         array's. pyasc asks for 512 bytes more than an array has, so fewer bytes than that do not show here.";
    LOCAL_READ_BEYOND: "TR0201" "ErrorRead3" Program Error,
        "{op} reads {beyond} bytes beyond the end of {memory}",
        "use a shorter count or fewer repeats, or place the tensor lower; {memory} has {limit} bytes",
        "An instruction reads past the end of a local memory. On the card this is an exception (507015, 507035).";
    LOCAL_WRITE_BEYOND: "TR0202" "ErrorWrite2" Program Error,
        "{op} writes {beyond} bytes beyond the end of {memory}",
        "use a shorter count or fewer repeats, or place the tensor lower; {memory} has {limit} bytes",
        "An instruction writes past the end of a local memory. On the card this is an exception (507015, 507035).";
    OVERRUN: "TR0206" "ErrorWrite2" Program Error,
        "{op} {verb} {beyond} bytes beyond the end of its buffer of {queue}, into {into}, which is in use",
        "give InitBuffer the length that is used (rows rounded up to 32 bytes), or use a shorter count",
        "Buffers lie behind each other without a gap. What runs over the end of one destroys live data of the next, and the card does \
         not notice, because the address is inside the memory.";
    OVERRUN_READ: "TR0207" "WarnRead3" Program Warning,
        "{op} {verb} {beyond} bytes beyond the end of its buffer of {queue}, from {into}, which is in use",
        "use a shorter count or fewer repeats, or give InitBuffer the length that is used",
        "The operand is longer than its buffer, so data of the neighbour comes in. It does no harm as long as those lanes are not used.";
    OVERRUN_UNUSED: "TR0208" "WarnWrite2" Program Warning,
        "{op} {verb} {beyond} bytes beyond the end of its buffer of {queue}, into {into}",
        "give InitBuffer the length that is used (rows rounded up to 32 bytes), or use a shorter count",
        "The bytes behind the buffer are in no use today. With another tile length, or one more InitBuffer, they belong to somebody, and \
         are destroyed without a message.";
    PLACED_OVERLAP: "TR0209" "WarnOverlap" Program Warning,
        "a LocalTensor made from an address, {bytes}, lies on a buffer of {queue} that is in use",
        "take the memory from the TPipe (TBuf), or put it behind all its buffers; do not mix TPipe with addresses of your own",
        "TPipe hands memory out from offset 0 and knows nothing of tensors made from an address. What one of them writes, the \
         other one reads.";
    PLACED_CONFLICT: "TR0211" "ErrorOverlap" Program Error,
        "{op} {verb} data of {queue} that was overwritten through a LocalTensor made from an address",
        "take the memory from the TPipe (TBuf), or put it behind all its buffers; do not mix TPipe with addresses of your own",
        "TPipe hands memory out from offset 0 and knows nothing of tensors made from an address. Here one of them was written while a \
         buffer below it held data, and that data was used afterwards.";
    RESERVED_UB: "TR0210" "WarnOverlap" Program Warning,
        "an API uses its reserved 8 KiB, {bytes}, and a buffer of {queue} reaches into them",
        "keep the buffers of UB below 184 KiB (188416 bytes) in kernels that use such APIs",
        "Some APIs (Select with a mask tensor, AddReluCast and the like) keep intermediate data in the last 8 KiB of UB. TPipe gives \
         them out all the same when they are asked for, and then the buffer's data is overwritten.";
    READ_UNALIGNED: "TR0301" "ErrorRead4" Program Error,
        "{op} reads {memory} address {offset}, which is not a multiple of {align} bytes",
        "start tensors at multiples of {align} bytes; for a part of a block, copy the whole block or use a mask",
        "Operands in local memory have to be aligned (32 bytes in UB and L1). The card rounds the address or faults.";
    WRITE_UNALIGNED: "TR0302" "ErrorWrite4" Program Error,
        "{op} writes {memory} address {offset}, which is not a multiple of {align} bytes",
        "start tensors at multiples of {align} bytes; for a part of a block, copy the whole block or use a mask",
        "Operands in local memory have to be aligned (32 bytes in UB and L1). The card rounds the address or faults.";
    WRONG_MEMORY: "TR0203" "ErrorOperand" Program Error,
        "{op}: {operand} has to be in {expected}, but {address} is {found}",
        "check which tensors are passed: GlobalTensor for GM, LocalTensor of the right position for local memory",
        "Each instruction reads and writes certain memories only. Here an operand lies in another one, or in none.";
    BAD_OPERAND: "TR0303" "ErrorOperand" Program Error,
        "{what}",
        "change the operands or the repeat parameters as the message says",
        "The operands or configuration fields of an instruction break a rule of the architecture: overlap of source and \
         destination inside a repeat, an empty mask, a block stride of 0 at the destination, a scalar outside its range.";
    FIELD_RANGE: "TR0304" "ErrorField" Program Error,
        "{what}: {field} is {asked}, allowed is {min} to {limit}",
        "split the call: repeats go up to 255, blockCount to 4095, blockLen and gaps to 65535",
        "A configuration field does not fit. On the card its high bits are silently dropped and the instruction does something \
         else, for example 256 repeats become 0.";
    ROUNDED_DOWN: "TR0305" "ErrorRounded" Program Error,
        "{api} is asked for {asked} bytes, but moves whole 32-byte blocks: only {moved} bytes are copied",
        "use DataCopyPad for a length that is not a multiple of 32 bytes, or a count that is",
        "DataCopy with a count rounds the byte count down to a multiple of 32. The card reports nothing and the last elements \
         are missing.";
    MISALIGNED: "TR0306" "ErrorAlign" Program Error,
        "{what}: {asked} is not a multiple of {limit} bytes",
        "align it to {limit} bytes",
        "An address, offset or length that an API takes has to be aligned.";
    CAPACITY: "TR0204" "ErrorCapacity" Program Error,
        "{memory} is full: the buffers need {asked} bytes, there are {limit}",
        "use smaller tiles or fewer buffers; a queue needs (number of buffers) x (length rounded up to 32 bytes)",
        "The buffers asked for with InitBuffer do not fit their memory. Of the 192 KiB of UB, TPipe gives out 184 KiB; the rest is \
         reserved for the library.";
    OUT_OF_RANGE: "TR0307" "ErrorRange" Program Error,
        "{what}: {asked}, the limit is {limit}",
        "keep indices and counts inside the tensor",
        "An index or a count lies outside its tensor.";
    WRONG_CORE: "TR0308" "ErrorCore" Program Error,
        "{what} does not exist on {core}",
        "run it on the other kind of core: vector work on AIV (__vector__), cube work on AIC (__cube__), or guard it with \
         ASCEND_IS_AIV / ASCEND_IS_AIC",
        "An AI Core of this architecture is one cube core (AIC) and two vector cores (AIV), each with its own pipes. The kernel \
         asks one kind of core for what only the other has. On the card this hangs or faults.";
    NO_SUCH_FORM: "TR0309" "ErrorForm" Program Error,
        "{what} does not exist on dav-2201",
        "use a form that the API reference lists for Atlas A2",
        "Which forms of an instruction exist is a property of the hardware. Most forms that do not exist fail to compile; this one \
         depends on a value that is known at run time only, such as the rounding mode of Cast.";
    API_MISUSE: "TR0310" "ErrorCall" Program Error,
        "{what}",
        "{help}",
        "An object of a library is used before it has what it needs, or is asked for what it cannot give. On the card the result is \
         wrong, or the kernel hangs: the library checks nothing there.";
    BARRIER_SCALAR: "TR0501" "ErrorSync1" Program Error,
        "PipeBarrier<PIPE_S>: there is no barrier on the scalar pipe",
        "remove it (scalar work is ordered by itself), or use PIPE_ALL",
        "The scalar unit works in program order; a barrier on it is a hardware error.";
    BAD_PIPE: "TR0502" "ErrorSync3" Program Error,
        "{what}: {code} is not a pipe",
        "pipes are S, V, M, MTE1, MTE2, MTE3, FIX (and ALL in a barrier)",
        "A flag or barrier names a pipe that does not exist.";
    EVENT_ID: "TR0503" "ErrorSync3" Program Error,
        "{what}: event id {id} is outside 0..7",
        "take ids from AllocEventID or FetchEventID, or use 0 to 5 by hand",
        "There are eight event ids per pair of pipes. An id of -1 or 255 usually means that AllocEventID had none left.";
    DOUBLE_SET: "TR0504" "ErrorSync4" Program Error,
        "SetFlag<{pair}> id {id} while the flag is already set",
        "wait for the flag before setting it again, or use another id (AllocEventID; FetchEventID does not reserve)",
        "A flag is one bit, not a counter. A second set before the wait is lost, and a later PIPE_ALL barrier may hang.";
    FLAG_LEFT: "TR0505" "ErrorSync3" Program Error,
        "flag {pair} id {id} is still set at the end of the kernel",
        "add the missing WaitFlag (DeQue, if EnQue has set it); loops that set ahead need one wait per id after the loop",
        "A set without a wait leaks into the next kernel on that core, whose wait then passes too early.";
    HANG: "TR0506" "ErrorSync3" Program Error,
        "the kernel hangs: pipe {pipe} waits for flag {pair} id {id}, which is never set",
        "set the flag before the first wait, with the same event and id as the wait; in a loop that waits first, set it once before \
         the loop",
        "A WaitFlag blocks its pipe until a SetFlag of the same event and id is executed. Here none can follow. On the card the \
         kernel runs into the time limit (507014, 507034).";
    DEADLOCK: "TR0601" "Deadlock" Program Error,
        "the launch is deadlocked: {core} waits for cross-core flag {flag}, which never counts",
        "give every wait its set on all cores that have to set (see the lines above), and launch no more blocks than the chip runs \
         at a time when all cores wait for each other",
        "Every core of the launch that has not ended waits for another core, and no further block can start. The lines list who \
         waits where, and whose CrossCoreSetFlag is missing. On the card the kernel runs into the time limit (507014, 507034). \
         A mode 0 flag (and SyncAll) counts when all AICs, or all AIVs, of the launch have set it: blocks that have to wait \
         for a free core never do.";
    CROSS_MODE: "TR0602" "ErrorSync3" Program Error,
        "{what} in {kernel}: this mode needs a kernel with AICs and AIVs",
        "use __mix__(1, 1) or __mix__(1, 2); mode 1 is between the AIVs of a block, mode 2 between its AIC and AIVs",
        "Modes 1 and 2 of CrossCoreSetFlag order the cores of one AI Core. A kernel that runs on one kind of core has none of \
         those flags, and mode 1 exists on AIVs only.";
    CROSS_LEFT: "TR0603" "ErrorSync3" Program Error,
        "cross-core flag {flag} of {core} still counts {count} at the end of the kernel",
        "add the missing CrossCoreWaitFlag: every core that a set counts on needs one wait for it",
        "A set without a wait leaks into the next kernel on that core, whose wait then passes too early.";
    CROSS_UNMATCHED: "TR0604" "ErrorSync3" Program Error,
        "CrossCoreSetFlag<{mode}> id {flag} never counts: {arrived} of {members} cores have set it",
        "let every core of the group set the flag the same number of times: mode 0 all AICs or all AIVs of the launch, modes 1 and 2 \
         all AIVs of the block",
        "Sets of a group of cores count together. Some cores set the flag once more than others, and what they announced \
         reaches nobody, or the next kernel.";
    CROSS_OVERFLOW: "TR0605" "ErrorSync4" Program Error,
        "cross-core flag {flag} of {core} is set more than 15 times before it is waited for",
        "wait for an answer of the other core at least every 15 sets",
        "The counter of a cross-core flag holds 0 to 15; the card stops with an error when it overflows. Whether it does is \
         judged by modelled time.";
    NO_FLAG_SCHEDULER: "TR0606" "WarnSync" Program Warning,
        "{what} in {kernel}, for which the documents promise no cross-core flags",
        "write {instead} in front of the kernel",
        "The unit that passes cross-core flags on is started for __mix__ kernels. For __vector__ and __cube__ kernels the \
         documents say that it is not, so waits may never end on the card.";
    CORE_RACE: "TR0607" "ErrorSync2" Program Error,
        "{second} {otherverb} bytes of {target} that {first} {verb}, without order between the cores",
        "order the two cores: SyncAll() between the accesses, or CrossCoreSetFlag behind the write and CrossCoreWaitFlag before the read; \
         if the bytes are meant to be different ones, check the offset of each core",
        "Cores run beside each other, and blocks of a launch in any order. What one writes is there for another only behind a flag \
         between the two. It may go well many times.";
    CORE_OVERLAP: "TR0608" "ErrorOverlap" Program Error,
        "{first} and {second} write the same bytes of {target}, without order between the cores",
        "give each core its own bytes (check offset, pitch and tail; DataCopy moves whole blocks of 32 bytes, DataCopyPad exact lengths), \
         order them with SyncAll() or flags, or add with SetAtomicAdd",
        "Two cores write the same bytes of GM. Which of the values stays depends on timing. Usual causes: an offset with the wrong \
         pitch, a tail that is rounded up to 32 bytes, both vector cores of a block doing the same task.";
    CORE_NOT_CLEANED: "TR0609" "WarnVisibility" Program Warning,
        "{second} reads bytes of {target} that {first} has left in the data cache of its scalar unit",
        "call DataCacheCleanAndInvalid behind the SetValue and before the flag that tells {second}, or use WriteGmByPassDCache",
        "SetValue on GM goes to the data cache of the scalar unit. The order of the cores is right, but the bytes are not in GM yet when \
         the other core reads them: a flag does not clean the cache.";
    CORE_STALE: "TR0610" "WarnVisibility" Program Warning,
        "{second} reads bytes of {target} from its data cache, but {first} has written them in GM since",
        "call DataCacheCleanAndInvalid on the line before the load, or read with ReadGmByPassDCache",
        "The line was read into the scalar unit's data cache before the other core wrote GM. The order of the cores is right, but the cache \
         is not told, and GetValue returns the old value.";
    CORE_LINE: "TR0611" "WarnVisibility" Program Warning,
        "{first} and {second} store through their data caches into one line of {target}",
        "give each core lines of its own (64 bytes), or write with DataCopyPad, which does not go through the cache",
        "The data cache writes back lines of 64 bytes. Two cores that hold the same line each write back what they have, and one of them \
         may overwrite the other's bytes with old ones.";
    ORDER_LIMIT: "TR0612" "NoteLimit" Program Note,
        "the order between cores was not followed to the end: a core made more than {most} separate accesses to GM",
        "check a smaller launch, or one block fewer",
        "What each core does to GM is kept until the launch has ended, to compare the cores. To bound memory nothing is kept beyond a limit, \
         so conflicts behind it are not found.";
    OCCUPANCY: "TR0613" "Deadlock" Program Error,
        "{blocks} blocks > {limit} {cores}: a barrier of all cores (SyncAll, or a mode 0 flag) waits for blocks that cannot start",
        "launch at most {limit} blocks (each may work on several parts in a loop), or order the cores without a barrier over all",
        "A block runs on its core from its start to its end. Blocks beyond the number of cores start only when others have ended, and \
         those wait in the barrier for the blocks that have not started. On the card the kernel runs into the time limit \
         (507014, 507034).";
    CROSS_RESERVED: "TR0614" "ErrorSync4" Program Error,
        "cross-core flag {flag} is used by the kernel itself and by SyncAll",
        "use ids 0 to 10 for own flags; SyncAll takes 11 to 14",
        "SyncAll sets and waits for the flags 11 (AICs), 12 (AIV to AIC), 13 (AIC to AIV) and 14 (AIVs). A flag of the same number counts with \
         them: the barrier ends too early, or never.";
    DIRTY_WORKSPACE: "TR0615" "WarnSync" Program Warning,
        "{api} counts in a workspace that was not zero at the start: word at {target} + {offset} bytes was {value}",
        "set the workspace to 0 before every launch (aclrtMemsetAsync on the same stream)",
        "The barriers in GM (SyncAll with a workspace, IBSet and IBWait, GroupBarrier) count rounds in words that are 0 before the first use. \
         Memory from aclrtMalloc holds anything, and what an earlier launch has counted is still there. Cores then go on too early, or wait for ever.";
    UNIT_HANG: "TR0507" "ErrorUnitFlag" Program Error,
        "the kernel hangs: {op} on pipe {pipe} waits for the unit flags of its part of L0C, and no {other} follows that turns them over",
        "give the last Mmad and the Fixpipe of a tile unitFlag 3 and let both cover the same rows and columns; \
         SetFixPipeConfig(tensor, true) clears all unit flags",
        "With unitFlag 2 or 3 a Mmad waits until every 512-byte block of its result is read, a Fixpipe until it is written; 3 turns the \
         flags over, 2 leaves them. A Fixpipe that reads less than the Mmad wrote leaves flags set, and the next Mmad waits for ever.";
    CONVERT_OVERLAP: "TR0401" "WarnOverlap" Program Warning,
        "{what}: repeat {repeat} writes what a later repeat reads: the source is overwritten before it is converted",
        "widen into another buffer, or put the source at the end of the destination's buffer so that it is read before it is overwritten",
        "A conversion to a wider type writes faster than it reads. In place from the same address it overwrites the rest of its source; \
         what the card computes then depends on its timing. Here each repeat is read whole before it is written.";
    GM_RACE: "TR0420" "ErrorSync2" Program Error,
        "{op} {verb} bytes of {target} that pipe {pipe} {otherverb}, without order between the two pipes",
        "set {pair} behind the first access and wait for it before the second (or PipeBarrier<PIPE_ALL>)",
        "Two pipes of a core run beside each other. What one of them stores to GM is there for the other only behind a flag between the \
         two; without it the result depends on timing, and differs from run to run.";
    GM_REWRITE: "TR0421" "ErrorSync1" Program Warning,
        "{op} writes other values to bytes of {target} that an earlier copy may still be writing",
        "put PipeBarrier<PIPE_MTE3> between the two, or do not write the bytes twice",
        "Copies of one pipe start in order, but may end in another order. Which of two stores to the same bytes stays is not defined \
         without a barrier between them. Reported only if the values differ.";
    GM_NOT_CLEANED: "TR0422" "WarnVisibility" Program Warning,
        "{op} reads bytes of {target} that SetValue has left in the scalar unit's data cache",
        "call DataCacheCleanAndInvalid on the line (or on the whole cache) behind SetValue, then order the copy behind it",
        "SetValue on GM goes to the data cache of the scalar unit. Copies read GM itself: until the line is cleaned they get the old bytes, \
         whatever flags are set.";
    GM_STALE: "TR0423" "WarnVisibility" Program Warning,
        "{op} reads bytes of {target} from the data cache, but a copy has written them in GM since",
        "call DataCacheCleanAndInvalid on the line before {op}, or read with ReadGmByPassDCache",
        "The line was read into the scalar unit's data cache before a copy wrote GM. The cache is not told, and GetValue returns the old value.";
    RACE_RAW: "TR0402" "ErrorSync2" Program Error,
        "{op} on pipe {pipe} reads {memory} bytes {first}..{end}{owner} that pipe {other} may not have written yet",
        "set {pair} behind {earlier} and wait for it before {later}: SetFlag<HardEvent::{pair}>(id), \
         WaitFlag<HardEvent::{pair}>(id)",
        "Pipes of a core run at the same time. Without a flag between the two pipes the read may come before the write and get \
         old data. Which of them is first changes from run to run on the card.";
    RACE_WAR: "TR0403" "ErrorSync2" Program Error,
        "{op} on pipe {pipe} overwrites {memory} bytes {first}..{end}{owner} that pipe {other} may still be reading",
        "set {pair} behind {earlier} and wait for it before {later}: SetFlag<HardEvent::{pair}>(id), \
         WaitFlag<HardEvent::{pair}>(id){loop}",
        "Pipes of a core run at the same time. A buffer may be filled again only when its last reader is done; without the flag \
         back from the reader to the writer, the reader may get data of the next tile. On the card this shows in some runs only.";
    RACE_WAW: "TR0404" "ErrorSync2" Program Error,
        "{op} on pipe {pipe} writes {memory} bytes {first}..{end}{owner} that pipe {other} may still be writing",
        "set {pair} behind {earlier} and wait for it before {later}: SetFlag<HardEvent::{pair}>(id), \
         WaitFlag<HardEvent::{pair}>(id)",
        "Two pipes write the same bytes and nothing orders them. Which value stays changes from run to run on the card.";
    BARRIER_RAW: "TR0405" "ErrorSync1" Program Error,
        "{op} reads {memory} bytes {first}..{end}{owner} that an instruction before it on pipe {pipe} may not have written yet",
        "PipeBarrier<PIPE_{pipe}>() between {earlier} and {later}",
        "Instructions of one pipe start in order, but the next one may start before the one before has written its result. A \
         barrier of the pipe orders them.";
    BARRIER_WAW: "TR0406" "ErrorSync1" Program Error,
        "{op} writes {memory} bytes {first}..{end}{owner} that an instruction before it on pipe {pipe} may still be writing",
        "PipeBarrier<PIPE_{pipe}>() between {earlier} and {later}, or do not write the same bytes twice",
        "Instructions of one pipe start in order, but the next one may start before the one before has written its result. \
         Products that add to the same tile of L0C need a barrier when the tile has fewer than 10 cells of 16 x 16.";
    RACE_REGISTER: "TR0407" "ErrorSync2" Program Error,
        "the scalar unit reads register {register}, which pipe V may not have written yet",
        "set V_S behind {earlier} and wait for it before the read: SetFlag<HardEvent::V_S>(id), WaitFlag<HardEvent::V_S>(id)",
        "Instructions of pipe V leave counts and extreme values in registers when they are done. The scalar unit does not wait \
         for them by itself, so it may read the result of an earlier instruction.";
    UNUSUAL_PAIR: "TR0508" "WarnSync" Program Warning,
        "flag {pair} is not a documented event of {core}",
        "check which pipe produces and which consumes the data",
        "The documents list the pairs of pipes that an AIC or AIV synchronises. Others may work, but nothing promises it.";
    DIRTY_MASK: "TR0901" "DirtyMask" Program Warning,
        "the kernel ends with the vector mask in Counter mode",
        "call SetMaskNorm() and ResetMask() before the end",
        "The mask mode survives into the next kernel on that core.";
    DIRTY_ATOMIC: "TR0902" "DirtyAtomic" Program Warning,
        "the kernel ends with DMA atomics on",
        "call DisableDmaAtomic() (SetAtomicNone) before the end",
        "The atomic mode survives into the next kernel on that core, whose copies then add instead of store.";
    UNINITIALISED_OUTPUT: "TR0903" "ErrorRead2" Program Error,
        "{op} leaves {bytes} bytes in {target} that are made of {memory} bytes nobody wrote",
        "write {memory} bytes {first} to {end} before they are read ({how}), or store only what was computed",
        "Local memories are not cleared: what nobody wrote is what an earlier block or kernel left there, another value on every run. Reading such bytes is \
         harmless as long as the result is thrown away. Here it was followed from the first read to a store, and nothing overwrote what was stored.";
    UNINITIALISED_ADDRESS: "TR0904" "ErrorRead2" Program Error,
        "{op} takes offsets that are made of {memory} bytes nobody wrote",
        "write {memory} bytes {first} to {end} before they are used as offsets, or leave these lanes out (mask, count)",
        "The offsets of a gather say which addresses are read. Offsets that nobody wrote are what an earlier kernel left: they may lie outside of the memory, and \
         the core then stops with an exception that names another place.";
    UNINITIALISED_SCALAR: "TR0905" "ErrorRead2" Program Error,
        "{op} gives the scalar unit a value that is made of {memory} bytes nobody wrote",
        "write {memory} bytes {first} to {end} before, or do not read the value",
        "A value in a scalar register becomes an address, a loop bound, a branch or an operand, and is not followed further. It is made of bytes of local memory \
         that nobody wrote, so it is another one on every run.";
    UNINITIALISED_PADDING: "TR0906" "ErrorRead2" Program Note,
        "{op} leaves {bytes} bytes behind the last element in {target} that are made of {memory} bytes nobody wrote",
        "if somebody reads them: store with DataCopyPad, which writes bytes, or fill the rest of the block first",
        "A copy in blocks of 32 bytes writes the whole last block. The bytes behind the last element are what an earlier kernel left in local memory. That is \
         harmless if nobody reads them.";
    STALE_REGISTER: "TR0907" "StaleRegister" Program Warning,
        "{op} uses register {register}, which this kernel has not set",
        "set it first: {api}",
        "Registers of a core keep their values from one kernel to the next, and no document promises one for this register. The result depends on what ran \
         before on this core.";
    STATE_LEFT: "TR0908" "StateLeft" Program Warning,
        "the kernel ends with {what}",
        "{undo} before the end",
        "This state survives into the next kernel on the core, which then computes something else than it does alone.";
    OPEN_RESULT: "TR0909" "ErrorOverlap" Program Error,
        "{op} passes on {memory} bytes whose value is open: operands of one instruction overlap",
        "keep source and destination of the instruction apart, or the same; see its finding (TR0303)",
        "An instruction overwrote a part of its source before that was read. The documents do not say what it computes then. Here the result was followed to where it does \
         harm: an output, an address, or a value of the scalar unit.";
    USELESS_SYNC: "TR0920" "UselessSync" Program Note,
        "{what} orders nothing in this run",
        "leave it out if no other arguments need it",
        "A flag or barrier is needed where two pipes, or two instructions of one pipe, touch the same bytes and one of them writes. Between \
         none of the accesses of this run does this one make the order, so the pipes that wait for it wait in vain. Accesses through \
         raw pointers are not seen, and another run may need it.";
    BROAD_BARRIER: "TR0921" "BroadBarrier" Program Note,
        "PipeBarrier<PIPE_ALL> stops all pipes, but orders only {order}",
        "use {instead} instead, so that the other pipes go on",
        "A barrier of all pipes waits until copies in both directions and all computation are done, so loads of the next tile cannot run \
         beside the work on this one. A flag between the two pipes that share data, or a barrier of one pipe, lets the others go on.";
    IDLE_BUFFERS: "TR0923" "IdleBuffers" Program Note,
        "the {count} buffers of {queue} bring nothing: {fills} and {empties} never work at the same time",
        "load the next tile before the work on this one, and look for what makes the two pipes wait for each other in every round \
         (PipeBarrier<PIPE_ALL>, GetValue of a result, another queue with one buffer); or give the queue one buffer and use larger tiles",
        "Two buffers let one pipe fill the next tile while another works on this one. In this run the two pipes always took turns, so the \
         second buffer is local memory for nothing, and the copies are not hidden behind the computation.";
    EVENT_BUDGET: "TR0510" "EventBudget" Program Note,
        "{count} of the {all} event ids of {pair} are set at the same time",
        "use fewer queues of this position or fewer buffers in each, release ids that were taken with AllocEventID, or use one id again \
         behind its wait",
        "There are eight event ids per pair of pipes. Every tensor that is in its queue or on its way back holds one, and so do \
         AllocEventID and SetFlag by hand. When none is left, EnQue, FreeTensor and AllocEventID fail or hang.";
    RESERVED_EVENT: "TR0511" "ReservedEvent" Program Note,
        "SetFlag<{pair}> uses id {id}, which the documents reserve",
        "use 0 to 5 in kernels without TPipe, or take ids from TPipe (AllocEventID, FetchEventID)",
        "In kernels without TPipe the compiler and the library take the ids 6 and 7 for synchronisation of their own. A kernel \
         that sets them too works only as long as no API with such synchronisation is called in between.";
    NOT_EXERCISED: "TR0922" "NotExercised" Program Note,
        "{count} calls of this kernel did not run in this launch",
        "run it with arguments that reach them: a loop that runs at least twice, the other side of a branch, a tail",
        "Only what runs is checked. A branch with a SetFlag but without its WaitFlag, or a loop that runs zero times here, can \
         hide a hang or a race that other arguments show. Calls on one source line count once; calls of the framework's own are left out.";
    UNSUPPORTED: "TR1101" "Unsupported" Unsupported Error,
        "{what} is not modelled",
        "this is a gap of toprope, not a mistake in the kernel",
        "toprope refuses what it cannot execute exactly instead of guessing.";
    ASSERT: "TR1001" "ErrorAssert" Program Error,
        "assertion failed: {what}",
        "the kernel's own condition does not hold; the values it names are the place to look",
        "assert() in the kernel was false.";
    TRAP: "TR1002" "ErrorTrap" Program Error,
        "the kernel called Trap()",
        "the kernel stopped itself; look at the condition in front of the call",
        "Trap() ends the kernel with an exception.";
    FRAMEWORK: "TR0701" "ErrorBuffer" Program Error,
        "{what}",
        "{help}",
        "TPipe, TQue, TBuf or TBufPool were used against their rules. The state is left as it was before the refused call.";
    FREE: "TR0702" "ErrorFree" Program Error,
        "{what}",
        "{help}",
        "A tensor is freed twice, or while it is still in its queue.";
    LEAK: "TR0703" "ErrorLeak" Program Error,
        "{what}",
        "{help}",
        "A tensor taken from a queue was neither enqueued nor freed.";
    USE_ENQUEUED: "TR0704" "ErrorBuffer" Program Error,
        "{op} {verb} a tensor of {queue} that was put into its queue with EnQue: DeQue is missing",
        "take it out first and use what DeQue returns: x = queue.DeQue<T>()",
        "EnQue sets the flag that says that the producer is done; only DeQue waits for it. Whoever uses the tensor in between works on \
         bytes that may not be there yet, or changes them under the consumer. On the card the result depends on timing.";
    USE_ENQUEUED_ORDERED: "TR0705" "WarnBuffer" Program Warning,
        "{op} {verb} a tensor of {queue} that is still in its queue: DeQue is missing, other synchronisation orders it",
        "take it out first and use what DeQue returns: x = queue.DeQue<T>()",
        "A barrier or flag stands in for the DeQue that is missing, so the data is right. The queue still counts the tensor, and its \
         flag stays set: the next EnQue may find no room, and the flag leaks into the next kernel.";
    USE_FREE: "TR0706" "ErrorBuffer" Program Error,
        "{op} {verb} a buffer of {queue} {state}",
        "take the tensor with AllocTensor before, and call FreeTensor behind its last use",
        "A buffer belongs to the kernel between AllocTensor and FreeTensor. Outside, nothing waits for its user: the next AllocTensor may \
         hand it out, and the next copy may overwrite it at any time.";
    USE_GONE: "TR0707" "WarnBuffer" Program Warning,
        "{op} {verb} a tensor of {queue} {state}",
        "finish with all tensors before, or call InitBuffer again and take new ones",
        "Reset and Destroy of a TPipe, and Reset of a TBufPool, give up the memory of all their tensors. Whoever gets the memory \
         next does not know that an old tensor is still in use.";
    STALE_QUEUE: "TR0708" "ErrorBuffer" Program Error,
        "{step} of {queue} after {why}, without a new InitBuffer",
        "call InitBuffer for every queue again after Reset",
        "Reset gives up all buffers, but a queue object keeps pointing to its old ones. New buffers start at the same \
         addresses, so the queue and its successor share memory and flags.";
    NOT_FREED: "TR0709" "ErrorLeak" Program Error,
        "a tensor of {queue} is {state} at the end of its TPipe or TBufPool: {missing} is missing",
        "call FreeTensor once for every AllocTensor, and DeQue for every EnQue",
        "A buffer that does not come back is lost for its queue, which then runs out in a longer loop. A tensor left in its \
         queue also leaves its flag set, and the next kernel on that core starts with it.";
    QUEUE_EXHAUSTED: "TR0710" "ErrorBuffer" Program Error,
        "{what}",
        "{help}",
        "AllocTensor on the card looks for a free buffer in a loop that never ends when all of them are out. The kernel \
         runs into the time limit (507014, 507034). The lines list who has the buffers.";
    EMPTY_QUEUE: "TR0711" "ErrorBuffer" Program Error,
        "{what}",
        "{help}",
        "DeQue of an empty queue returns a stale buffer without waiting on the card, so its data is whatever is there. \
         Usually an EnQue is in a branch that was not taken, or two queues are mixed up.";
    ENQUEUED_TWICE: "TR0712" "ErrorBuffer" Program Error,
        "{what}",
        "{help}",
        "A queue holds as many tensors as its depth, each once. On the card a second EnQue sets a second flag that nobody waits for, or \
         overwrites a tensor in the ring.";
    WRONG_QUEUE: "TR0713" "ErrorBuffer" Program Error,
        "{what}",
        "{help}",
        "The buffer's flags are those of the queue that allocated it. Another queue sets flags of its own pipes, so the next \
         AllocTensor waits for a flag that never comes, or for none.";
    TOO_MANY_LIVE: "TR0714" "ErrorBuffer" Program Error,
        "{count} tensors of {position} are live, the limit is {limit}",
        "free a tensor before the next AllocTensor, or carve several tensors out of one buffer",
        "Every tensor that is enqueued or freed holds one of the eight event ids of its pair of pipes. With more tensors than ids in \
         flight at one position the card may hang in EnQue or FreeTensor.";
    TWO_PIPES: "TR0715" "ErrorBuffer" Program Error,
        "{what}",
        "{help}",
        "Each TPipe believes that all memory and all event ids of the core are its own. Two of them give out the same bytes and the same \
         flags; on the card the kernel computes nonsense or hangs. Pass a pointer to the one TPipe to helper objects.";
    POOL_IN_USE: "TR0716" "ErrorBuffer" Program Error,
        "AllocTensor of {queue} gives out memory that a live tensor of {other} has",
        "free the tensors of one pool and Reset it before the pool that shares its memory is used",
        "Pools that share memory take turns. While a tensor of one of them is live, a tensor of the other overwrites it.";
    NULL_POINTER: "TR1003" "ErrorSegfault" Program Error,
        "the kernel dereferences a null pointer (address {address})",
        "a tensor or argument was not set: call SetGlobalBuffer, InitBuffer, or pass the argument",
        "Host code of the kernel touched an address near 0.";
    LOCAL_GUARD: "TR1004" "ErrorSegfault" Program Error,
        "the kernel dereferences {memory} address {offset} through a raw pointer, {beyond} bytes beyond its end",
        "keep raw pointers inside the memory; use GetValue and SetValue, which are checked",
        "A raw pointer into local memory ran over the end of that memory.";
    GM_DEREFERENCE: "TR1005" "ErrorSegfault" Program Error,
        "the kernel dereferences GM address {address}: {what}",
        "keep raw pointers inside their allocation; use GetValue, SetValue or DataCopy, which are checked",
        "A raw pointer into device memory points to memory that is not there.";
    STACK_OVERFLOW: "TR1006" "ErrorSegfault" Program Error,
        "the kernel's scalar stack overflows ({bytes} bytes)",
        "avoid deep recursion and large local arrays; the stack of a core on the chip is smaller still",
        "Local variables and calls of the kernel need more stack than a block gets.";
    SEGFAULT: "TR1007" "ErrorSegfault" Program Error,
        "the kernel accesses address {address}, which is not memory",
        "check raw pointers and array indices in the kernel",
        "Host code of the kernel touched memory that does not exist (SIGSEGV or SIGBUS).";
    ARITHMETIC: "TR1008" "ErrorArithmetic" Program Error,
        "the kernel divides by zero (or overflows a division)",
        "check the divisor; tiling values that are 0 are the usual cause",
        "An integer division in the kernel raised SIGFPE.";
    ILLEGAL: "TR1009" "ErrorIllegal" Program Error,
        "the kernel executes an illegal instruction",
        "usually __builtin_trap, __builtin_unreachable or a missing return value",
        "Host code of the kernel raised SIGILL.";
    TIME_LIMIT: "TR1010" "ErrorTimeLimit" Program Error,
        "the kernel does not end within {limit}",
        "look for a loop whose end is never reached; TOPROPE_TIME_LIMIT sets the limit in seconds",
        "The launch took longer than its time limit and was stopped where it was.";
    REFUSED_LAUNCH: "TR0801" "RefusedLaunch" Program Error,
        "the launch was refused: {why}",
        "{what_to_do}",
        "A launch with wrong blocks, arguments or handles does not reach the device. The call answers with a code, but \
         <<<...>>> returns nothing, so this finding tells it; aclrtGetLastError has the code.";
    FREE_IN_USE: "TR0802" "FreeInUse" Program Warning,
        "{function}: the block at {address} ({bytes} bytes) is freed while {stream} still uses it: {doing}",
        "synchronise the stream before freeing",
        "aclrtFree and aclrtFreeHost act at once and wait for no stream. Work that is queued or running still uses the \
         block, so on the card it reads or writes memory that may belong to somebody else by then.";
    USE_AFTER_FREE: "TR0803" "UseAfterFree" Program Error,
        "{function}: `{argument}` is {address}, {offset} bytes into a block of {bytes} bytes that {by} freed",
        "free the block after its last use, or set the pointer to null where it is freed",
        "A call is given the address of device memory that was given back. On the card the memory may belong to somebody \
         else by then. Both the place that freed it and the place that allocated it are named.";
    DOUBLE_FREE: "TR0804" "DoubleFree" Program Error,
        "{function}: the block at {address} ({bytes} bytes) was freed before, by {by}",
        "free every block once; set the pointer to null where it is freed",
        "A block is given back a second time. If its address had been given out again meanwhile, somebody else's memory \
         would be freed.";
    MEMORY_LEAK: "TR0805" "MemoryLeak" Program Warning,
        "{function}: {amount} of device {device} had not been freed",
        "free each block before the device is reset",
        "When a device is reset, blocks that the program allocated are still there. The reset frees them, but a program \
         that runs longer would run out of memory. The places that allocated them are listed, largest first.";
    HOST_BUFFER_CHANGED: "TR0806" "HostBufferChanged" Program Warning,
        "the {bytes} bytes at {address} changed after they were given to an asynchronous copy and {until}",
        "synchronise (or wait for an event recorded behind the copy) before the buffer is written again, use two buffers in \
         turn, or copy with ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE",
        "aclrtMemcpyAsync returns before the copy has run. The buffer was overwritten meanwhile, so the device got the new \
         bytes, or a mixture. Reported only if nothing that was queued before the copy can have written the buffer.";
    HOST_BUFFER_GONE: "TR0807" "HostBufferGone" Program Error,
        "the {bytes} bytes at {address} were unmapped before {stream} copied them",
        "keep the buffer until the stream was synchronised",
        "With TOPROPE_PAGEABLE_COPY=queue, as in older versions of CANN, an asynchronous copy of pageable memory is queued. \
         When its turn came, the memory was not there any more. The copy was left out, and the stream has failed (507052).";
    UNORDERED_STREAMS: "TR0808" "UnorderedStreams" Program Error,
        "{later} {does} bytes that {earlier} {did}, and nothing orders the two",
        "{what_to_do}",
        "Streams have no order between them. Two tasks of different streams use the same bytes, at least one of them writes, and \
         no event, notify or synchronisation lies between them. On the card they may run in either order or at the same time, so \
         the result changes from run to run. It is found whichever ran first today.";
    HOST_DID_NOT_WAIT: "TR0809" "HostDidNotWait" Program Error,
        "{later} {does} bytes that {earlier} {did}, and the host has not waited for it",
        "{what_to_do}",
        "A call that acts at once (aclrtMemcpy, aclrtMemset) waits for no stream. The work before it may not have begun on the \
         card, so the call sees old data or disturbs the work. It is found even if the work happened to be over.";
    FREED_UNWAITED: "TR0810" "FreedUnwaited" Program Warning,
        "{function}: the block at {address} ({bytes} bytes) is freed, but nothing has waited for {who}, which {does} it",
        "synchronise the stream, or an event recorded behind the work, before freeing",
        "aclrtFree and aclrtFreeHost act at once and wait for no stream. The work that uses the block happened to be over here. \
         On the card it may still run, and use memory that belongs to somebody else by then.";
    ARGUMENT_ORDER: "TR0811" "ArgumentOrder" Program Error,
        "{kernel}: argument {index} (`{name}`, {bytes} bytes) is a number, but was given the address of a device block",
        "{guess}",
        "The launch functions take the arguments as a block of bytes, which no compiler compares with the kernel. An address lies \
         where the kernel reads a number, so arguments are exchanged, left out or surplus. On the card the kernel works with a \
         nonsense length or address.";
    REFUSED_CALL: "TR0812" "RefusedCall" Program Warning,
        "{function} was refused: {why}",
        "{what_to_do}",
        "The call answered with a code and did nothing. If the program does not look at the code, later calls work with streams, \
         events or graphs that are not as it believes. Told for misuse of streams, contexts, handles and captures only.";
    EVENT_RESET_EARLY: "TR0813" "EventResetEarly" Program Warning,
        "{reset} resets an event, and nothing orders that behind {wait}",
        "reset the event in a stream that comes behind every wait for it (or after synchronising those streams), or make it with \
         aclrtCreateEventExWithFlag and record it again instead",
        "An event may be reset only when every stream that waits for it has gone on. A stream that gets to its wait after the \
         reset waits for a record that does not come again, so it hangs, or it waits for the next one.";
    NEVER_WAITED: "TR0814" "NeverWaited" Program Warning,
        "{who} writes host memory, and the host has not waited for it before {function}",
        "synchronise the stream, or an event recorded behind the copy, before the host reads the result",
        "An asynchronous copy brings a result to the host, but nothing waits for it until the device is given back. Whoever reads \
         the buffer before that may see old bytes, and a fault of the work before the copy is never reported.";
    READ_BEFORE_WRITTEN: "TR0815" "ReadBeforeWritten" Program Warning,
        "{reader} reads `{argument}` before anything has written it, and {writer}, enqueued later, writes it",
        "enqueue the producer first: launch both through the same queue of the framework, or flush the queue (synchronise) before the \
         direct launch",
        "Tasks of a stream run in the order in which they were enqueued, which need not be the order in which the program called \
         for them: a framework with a task queue of its own enqueues later. Here the consumer got to the stream before its producer.";
    HANDLES_LEFT: "TR0816" "HandlesLeft" Program Warning,
        "{function}: {count} {what} made at one place were not destroyed",
        "call {destroy} for each when it is no longer needed, or use a few again and again",
        "A device has a limited number of streams, events and notifies. A place that makes many and destroys none lets a program that \
         runs for hours fail with 207005, 207007 or 207008.";
    TILING_LAYOUT: "TR0817" "TilingLayout" Program Warning,
        "structure `{name}` has two layouts: {first} and {second} differ from field `{field}` on",
        "define the structure once, in a header that host and kernel include; give structures of different operators different names",
        "Host and kernel agree on tiling data by a structure of the same name. Its definitions differ, so the kernel reads other \
         fields than the host wrote, or the linker takes the member functions of the wrong one. Names are global in the process.";
    DESTROYED_UNWAITED: "TR0818" "DestroyedUnwaited" Program Note,
        "{function} destroys {stream}, and nothing has waited for {who}",
        "call aclrtSynchronizeStream before, and look at its code",
        "aclrtDestroyStream waits for what is queued, but the documents ask for a synchronisation before it, and for good reason: if the \
         work has failed, its code is lost with the stream.";
    ALLOCATION_FAILED: "TR0819" "AllocationFailed" Program Error,
        "{user} {what}: {function} of {bytes} bytes had failed",
        "look at the code of every {function}, and stop or take less when it fails",
        "A call for device memory failed and left a null pointer. The program did not look at the code and went on. What is reported \
         behind this is a consequence.";
    UNWRITTEN_BLOCK: "TR0820" "UnwrittenBlock" Program Warning,
        "{reader} {verb} `{argument}`, a block of {bytes} bytes from {by} that nothing had written",
        "copy the data to the block or clear it (aclrtMemset) before the launch; if an earlier launch should have filled it, see whether that \
         one got the right address",
        "New device memory holds whatever was there before. The launch is the first that got the block, no copy and no fill had written a \
         byte of what it used, and it does not write the block itself, so its result depends on old contents.";
    WATCHED: "TR0205" "ErrorWatch" Program Error,
        "{op} {verb} UB bytes {first} to {end}, which CheckLocalMemoryIA {number} watches",
        "find out why the range is touched, or switch the watch off (isEnable = false) before accesses that may touch it",
        "CheckLocalMemoryIA was told to report accesses of this unit and direction to a range of UB, and there was one. The range \
         begins after startAddr and includes endAddr, both counted in blocks of 32 bytes.";
    INTERNAL: "TR1201" "Internal" Internal Error,
        "toprope failed while running the kernel: {what}",
        "this is a bug of toprope; please report it with the program",
        "Something inside toprope went wrong. Results of the launch are not to be trusted.";
    HOST_LIMIT: "TR1202" "HostLimit" Internal Error,
        "this machine cannot run the block: {what}",
        "raise the limits of the process (address space, memory) or run fewer worker threads",
        "The system refused memory or address space for a simulated core.";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_whole() {
        for e in CATALOGUE {
            assert!(e.code.len() == 6 && e.code.starts_with("TR"), "{}", e.code);
            assert_eq!(CATALOGUE.iter().filter(|o| o.code == e.code).count(), 1, "{}", e.code);
            assert!(!e.name.is_empty() && e.name.chars().all(char::is_alphanumeric), "{}", e.code);
            assert!(!e.help.is_empty() && e.explain.ends_with('.'), "{}", e.code);
            assert!(
                !e.title.contains("  ") && !e.help.contains("  ") && !e.explain.contains("  "),
                "{}",
                e.code
            );
        }
    }

    #[test]
    fn templates_are_filled() {
        assert_eq!(
            fill("{a} and {b}{c}", &[("a", "1".into()), ("b", "2".into()), ("c", String::new())]),
            "1 and 2"
        );
        assert_eq!(explain("errorsync4").len(), 3, "flags of a core, between cores, and ids given twice");
        assert!(explain("nothing").is_empty());
    }
}
