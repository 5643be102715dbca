//! The one error type of this crate.

use std::path::PathBuf;
use toprope_abi::acl::AclError;

/// What a call of this crate gives back.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Everything that can go wrong between a host program and a device.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A function of the runtime answered with a code.
    #[error("{call}: {code}{}", describe(*code, message.as_deref()))]
    Acl {
        /// The C function.
        call: &'static str,
        /// What it answered; the raw number is `code.0`.
        #[source]
        code: AclError,
        /// The runtime's own words (`aclGetRecentErrMsg`), if it left any.
        message: Option<String>,
    },
    /// The library of a CANN installation could not be loaded.
    #[error(
        "cannot load {}: {source}\nhelp: source set_env.sh of the CANN installation, name the file in `Backend::Cann`, or use `Backend::Embedded`",
        path.display()
    )]
    Load {
        /// What was tried last.
        path: PathBuf,
        /// What the loader said.
        #[source]
        source: libloading::Error,
    },
    /// A library was loaded that lacks basic functions of the runtime.
    #[error("{} is not a CANN runtime: {missing} of the basic functions are missing, first {first}", path.display())]
    NotARuntime {
        /// The library.
        path: PathBuf,
        /// How many of the functions of tier T0 it lacks.
        missing: usize,
        /// The first of them.
        first: &'static str,
    },
    /// A path or name that C cannot take.
    #[error("{what} {text:?} contains a zero byte")]
    ZeroByte {
        /// What the text is.
        what: &'static str,
        /// The text.
        text: String,
    },
    /// A buffer of no elements.
    #[error("a {kind} buffer needs at least one element")]
    EmptyBuffer {
        /// `device` or `host`.
        kind: &'static str,
    },
    /// More bytes than an address can count.
    #[error("{elements} elements of {element_bytes} bytes do not fit an address space")]
    TooLarge {
        /// Elements asked for.
        elements: usize,
        /// Size of one, bytes.
        element_bytes: usize,
    },
    /// Source and destination of a copy have different lengths.
    #[error("copy of {source_elements} elements to a destination of {destination_elements}")]
    LengthMismatch {
        /// Room at the destination, elements.
        destination_elements: usize,
        /// Length of the source, elements.
        source_elements: usize,
    },
    /// A part of a buffer that is not inside it.
    #[error("elements {start}..{end} are not inside a buffer of {elements}")]
    OutOfRange {
        /// First element asked for.
        start: usize,
        /// One after the last.
        end: usize,
        /// Length of the buffer, elements.
        elements: usize,
    },
    /// A launch with a number of blocks that is not possible.
    #[error("kernel {kernel}: {asked} blocks asked for; the number of blocks is 1 to {limit}")]
    NumBlocks {
        /// The kernel.
        kernel: String,
        /// Blocks asked for.
        asked: u32,
        /// The largest number.
        limit: u32,
    },
    /// A launch with too many or too few arguments.
    #[error("kernel {kernel}: takes {required} arguments, {actual} given")]
    ArgCount {
        /// The kernel.
        kernel: String,
        /// Parameters of the kernel.
        required: usize,
        /// Arguments given.
        actual: usize,
    },
    /// An argument that does not have the size of its parameter.
    #[error(
        "kernel {kernel}: argument {index} has {actual_bytes} bytes, the parameter {required_bytes}; give the number its type (`8u32`) or pass the struct that the kernel takes"
    )]
    ArgSize {
        /// The kernel.
        kernel: String,
        /// Which argument, from 0.
        index: usize,
        /// Size of the parameter.
        required_bytes: usize,
        /// Size of the argument.
        actual_bytes: usize,
    },
    /// The binary does not say what parameters its kernel has.
    #[error(
        "kernel {kernel}: its binary does not describe the parameters, so arguments cannot be checked ({code}); use `prepare_unchecked`"
    )]
    NoParameterInfo {
        /// The kernel.
        kernel: String,
        /// What the runtime answered.
        code: AclError,
    },
    /// Things of two devices (or runtimes) in one call.
    #[error("{what} belongs to another device than the {with}")]
    OtherDevice {
        /// What does not fit.
        what: &'static str,
        /// What it was used with.
        with: &'static str,
    },
    /// A closure that a stream called panicked.
    #[error("a function that the stream called panicked: {message}")]
    HostFunctionPanicked {
        /// What the panic said.
        message: String,
    },
    /// A call of the runtime inside a function that a stream calls.
    #[error(
        "the runtime was called inside a function that a stream calls; the stream stands still until the function returns, so do it after that"
    )]
    InsideHostFunction,
    /// Work for a stream whose work goes into a graph, or a wait for an event of a capture, past the recorder of it.
    #[error(
        "the stream (or the event) belongs to a graph that is being captured; use the recorder that the closure of the capture was given"
    )]
    Capturing,
    /// A capture of a stream where a scope is open.
    #[error("a scope is open in the stream; capture it before or after the scope, or capture another stream")]
    ScopeOpen,
    /// Memory that belongs to one stream, used with another.
    #[error(
        "memory allocated in stream order was used with another stream; lend it to a scope of that stream with `slice`"
    )]
    OtherStream,
    /// Work that was dropped before it ran, because its stream was aborted or stopped after a fault.
    #[error("the work was dropped before it ran: its stream was aborted, or stopped after a fault")]
    Dropped,
    /// A graph, or something that belongs to one, used with another.
    #[error("{what} belongs to another graph")]
    OtherGraph {
        /// What does not fit.
        what: &'static str,
    },
    /// Another stream can only be drawn into a graph while it is captured.
    #[error("a fork is possible in a capture only; a built graph has `GraphBuilder::stream`")]
    ForkOutsideCapture,
    /// A time limit that is not between 1 ms and 2^31 - 1 ms.
    #[error("a time limit of {limit_ms} ms is not possible; it is 1 to 2147483647 ms")]
    TimeLimit {
        /// The limit asked for.
        limit_ms: u128,
    },
}

impl Error {
    /// The code that the runtime answered, for errors that come from it.
    pub fn code(&self) -> Option<AclError> {
        match self {
            Error::Acl { code, .. } | Error::NoParameterInfo { code, .. } => Some(*code),
            _ => None,
        }
    }
}

/// The runtime's own message below the code; our advice where it has none.
fn describe(code: AclError, message: Option<&str>) -> String {
    match message {
        Some(text) => format!("\n{}", text.trim_end()),
        None => format!("; {}", code.help()),
    }
}
