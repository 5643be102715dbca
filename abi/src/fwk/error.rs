//! What a misuse of the framework is called: one table of code, name and meaning.
//!
//! The code of the first misuse stays in [`TrPipe::error`](super::TrPipe::error) until it is cleared; every misuse is
//! reported to `tr_hook_fault`, and the refused call changes nothing else. Codes up to 99 are conditions that the
//! public debug builds check too (their names are those of the conformance data); codes from 100 are wrong uses that
//! pass silently in the public headers.

use core::fmt;

macro_rules! errors {
    ($($variant:ident = $code:literal, $name:literal, $text:literal;)*) => {
        /// Why a framework call was refused.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[repr(u32)]
        pub enum FwkError { $(#[doc = $text] #[doc(alias = $name)] $variant = $code,)* }

        /// Every error with its name and what to tell the user.
        pub static FWK_ERRORS: &[(FwkError, &str, &str)] = &[$((FwkError::$variant, $name, $text),)*];

        impl FwkError {
            /// The error with this code.
            pub const fn from_code(code: u32) -> Option<FwkError> {
                match code { $($code => Some(FwkError::$variant),)* _ => None }
            }

            /// Name as in the C header, without `TR_FWK_`.
            pub const fn name(self) -> &'static str {
                match self { $(FwkError::$variant => $name,)* }
            }

            /// One sentence: what the rule is and what to do.
            pub const fn text(self) -> &'static str {
                match self { $(FwkError::$variant => $text,)* }
            }
        }
    };
}

errors! {
    NoFreeBuffer = 1, "NO_FREE_BUFFER", "AllocTensor found no free buffer in the queue: free a tensor first, or give InitBuffer more buffers";
    QueueFull = 2, "QUEUE_FULL", "EnQue on a queue that already holds as many tensors as its depth: DeQue first, or declare a greater depth";
    NullHead = 3, "NULL_HEAD", "DeQue on a queue that never held a tensor: EnQue first";
    QueueEmpty = 4, "QUEUE_EMPTY", "DeQue on an empty queue: every DeQue needs one EnQue before it";
    NotEnqueued = 5, "NOT_ENQUEUED", "DeQue of a buffer that is not enqueued: EnQue it first";
    AlreadyFree = 6, "ALREADY_FREE", "FreeTensor of a buffer that is free: each AllocTensor allows one FreeTensor";
    ForeignBuffer = 7, "FOREIGN_BUFFER", "the tensor's buffer belongs to another queue: use the queue it was allocated from";
    BadEnqueState = 8, "BAD_ENQUE_STATE", "EnQue of a tensor that is free or already enqueued: EnQue a tensor once after AllocTensor or DeQue";
    NoEventId = 9, "NO_EVENT_ID", "all 8 event ids of this class are taken: keep fewer tensors in flight or release ids that were allocated by hand";
    BadEventId = 10, "BAD_EVENT_ID", "the event id is not one of 0..7";
    BadFlagId = 11, "BAD_FLAG_ID", "the id given to SetFlag or WaitFlag is not one of 0..7";
    BadSyncId = 12, "BAD_SYNC_ID", "the id given to TQueSync is not one of 0..7";
    TooManyBuffers = 13, "TOO_MANY_BUFFERS", "a pipe manages at most 64 buffers in total (each TBuf counts as one): use fewer or larger buffers";
    BadBufferCount = 14, "BAD_BUFFER_COUNT", "the number of buffers of one InitBuffer must be 1..64";
    BadLength = 15, "BAD_LENGTH", "the length must be positive and fit the memory";
    BadTotalLength = 16, "BAD_TOTAL_LENGTH", "number of buffers times length does not fit the memory";
    MemoryFull = 17, "MEMORY_FULL", "the buffers of this pipe do not fit the memory: make them smaller or use fewer";
    ZeroLength = 18, "ZERO_LENGTH", "the length must be positive";
    TBufTooShort = 19, "TBUF_TOO_SHORT", "TBuf Get asks for more bytes than InitBuffer gave the TBuf";
    TBufUnaligned = 20, "TBUF_UNALIGNED", "TBuf Get asks for a byte count that is not a multiple of 32";
    UnknownPosition = 21, "UNKNOWN_POSITION", "this logical position cannot hold the object";
    TBufCount = 22, "TBUF_COUNT", "a TBuf takes exactly one buffer";
    L1HitsTscm = 23, "L1_HITS_TSCM", "L1 buffers would grow into the TSCM buffers at the end of L1: make one of them smaller";
    TscmHitsL1 = 24, "TSCM_HITS_L1", "TSCM buffers would grow down into the L1 buffers: make one of them smaller";
    TscmTooLarge = 25, "TSCM_TOO_LARGE", "a TSCM queue must be smaller than L1";
    PoolFull = 26, "POOL_FULL", "the request does not fit what is left of the pool (after Reset a pool must be given memory again with InitBufPool)";
    PoolMemoryMismatch = 27, "POOL_MEMORY_MISMATCH", "queue or TBuf and pool are in different memories";
    ShareMemoryMismatch = 28, "SHARE_MEMORY_MISMATCH", "both pools must be in the same memory";
    ShareTooLong = 29, "SHARE_TOO_LONG", "the pool asks for more than the shared pool holds";
    PoolTooManyBuffers = 30, "POOL_TOO_MANY_BUFFERS", "the pool has no buffer record left: declare TBufPool with a larger record count (default 4, at most 16)";
    MemoryIsGm = 31, "MEMORY_IS_GM", "the buffers of this queue would be in global memory, which the pipe does not manage";
    PipeExists = 32, "PIPE_EXISTS", "another TPipe is alive on this core: one TPipe at a time, Destroy it before the next";
    ConfigCount = 33, "CONFIG_COUNT", "the number of buffers differs from the compile-time count of the queue";
    ConfigLength = 34, "CONFIG_LENGTH", "the buffer length differs from the compile-time length of the queue";
    UserEventMismatch = 35, "USER_EVENT_MISMATCH", "DeQue waits for another event than EnQue set: use the same positions in both";
    EventPending = 36, "EVENT_PENDING", "FreeAllEvent while a tensor is still enqueued: DeQue it first";
    NotSupported = 37, "NOT_SUPPORTED", "not available on this architecture";
    NullHandle = 38, "NULL_HANDLE", "the tensor has no buffer behind it";
    NotInitialised = 39, "NOT_INITIALISED", "the queue, TBuf or pool has no buffers: call InitBuffer first";
    LoopEvent = 40, "LOOP_EVENT", "a loop queue got a buffer last freed by a queue that is not its partner";
    BadSubBlock = 41, "BAD_SUB_BLOCK", "the sub-block index must be 0 or 1";
    ShareWindow = 42, "SHARE_WINDOW", "the shared window is longer than the one first recorded";
    AddressBeyond = 43, "ADDRESS_BEYOND", "address plus length is beyond the end of the memory";
    BarrierScalar = 44, "BARRIER_SCALAR", "there is no barrier on the scalar pipe";
    NoSuchEvent = 45, "NO_SUCH_EVENT", "the event does not exist";
    NotUb = 46, "NOT_UB", "only tensors in the unified buffer can be spilled";

    FreeWhileEnqueued = 100, "FREE_WHILE_ENQUEUED", "FreeTensor of a tensor that is still in the queue: DeQue it first";
    TBufOffsetBeyond = 101, "TBUF_OFFSET_BEYOND", "GetWithOffset reaches beyond the end of the TBuf";
    EventNotOnCore = 102, "EVENT_NOT_ON_CORE", "this core has no such event: the queue or event belongs to the other kind of core (cube or vector)";
    FlagNeverWaited = 103, "FLAG_NEVER_WAITED", "on this core the flag is set but nothing waits for it, so the next set of the same flag breaks the core";
    FlagStillSet = 104, "FLAG_STILL_SET", "this flag is still set from a tensor that was enqueued when the TPipe was reset: DeQue and free all tensors before Reset";
    StaleEvent = 105, "STALE_EVENT", "the buffer's event id is from before the TPipe was reset: reset pools before the pipe";
    QueueLive = 106, "QUEUE_LIVE", "InitBuffer again on an in-place queue (depth 0) that is in use: its event ids would be lost";
    PoolGone = 107, "POOL_GONE", "the pool that held this queue's buffers has been destroyed";
    InPlacePool = 108, "IN_PLACE_POOL", "an in-place queue (depth 0) cannot take its buffers from a pool or from TSCM: it would never get event ids";
    NoPipe = 109, "NO_PIPE", "there is no TPipe: construct one before using queues";
    BadDepth = 110, "BAD_DEPTH", "a queue's depth must be 0..64";
    BadArgument = 111, "BAD_ARGUMENT", "a position, event, pipe or core number is out of range";
    PipeDestroyed = 112, "PIPE_DESTROYED", "the TPipe has been destroyed: call Init before using it again";
    TensorLeaked = 113, "TENSOR_LEAKED", "a tensor was dropped without EnQue or FreeTensor: its buffer can never be allocated again";
}

impl fmt::Display for FwkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name(), self.text())
    }
}

impl core::error::Error for FwkError {}
