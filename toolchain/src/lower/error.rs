//! Why a piece of IR cannot become AI Core IR: the construct, and the Rust rule that avoids it.

use std::fmt;

macro_rules! refusals {
    ($($(#[$meta:meta])* $variant:ident { $field:ident } = $code:literal, $what:literal, $rule:literal;)*) => {
        /// A construct that the rewriter does not let through.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum Refusal { $($(#[$meta])* $variant {
            /// The construct as the IR spells it.
            $field: String
        },)* }

        impl Refusal {
            /// Short name, for tests and scripts.
            pub fn code(&self) -> &'static str {
                match self { $(Refusal::$variant { .. } => $code,)* }
            }

            /// What was found.
            pub fn construct(&self) -> String {
                match self { $(Refusal::$variant { $field } => format!(concat!($what, ": `{}`"), $field),)* }
            }

            /// What to write instead.
            pub fn rule(&self) -> &'static str {
                match self { $(Refusal::$variant { .. } => $rule,)* }
            }
        }

        /// Every refusal: short name, what it is about, the rule. The documentation lists them.
        pub const REFUSALS: &[(&str, &str, &str)] = &[$(($code, $what, $rule),)*];
    };
}

refusals! {
    /// The text is not LLVM IR as rustc writes it.
    Malformed { what } = "malformed", "text that is not LLVM IR",
        "give the .ll file that rustc wrote (--emit=llvm-ir), whole and unchanged";
    /// A panic: bounds check, overflow check, division by zero, unwrap.
    Panic { what } = "panic", "a path that panics",
        "index with `& (N - 1)` or get(), use wrapping_* arithmetic and no unwrap; build with overflow checks off";
    /// Division whose divisor is not a constant.
    Division { what } = "division", "a division by a variable",
        "divide by a constant or a power of two (shift, mask), or let the host divide and pass the result in the tiling";
    /// memcpy, memset, memmove.
    MemoryCall { what } = "memory-call", "a call that copies or fills memory",
        "keep structs behind references, fill arrays field by field, write #![no_builtins]";
    /// A constant or a static in memory.
    Table { what } = "table", "data in memory (static, lookup table, string)",
        "compute the value, or pack the table into integers and shift; build with -C jump-tables=no";
    /// An integer of a width other than 1, 8, 16, 32, 64.
    WideInteger { what } = "wide-integer", "an integer the AI Core does not have",
        "use 8, 16, 32 or 64 bits; no u128; build with -C llvm-args=-replexitval=never";
    /// A vector of the host's instruction set.
    Vector { what } = "vector", "a vector type",
        "vectors are the vector unit's: issue its instructions; build with -C no-vectorize-loops -C no-vectorize-slp";
    /// f64 and other floating-point types.
    Float { what } = "float", "a floating-point type the scalar unit does not have",
        "use f32: the scalar unit computes in single precision, half and bf16 are numbers of the vector unit";
    /// Atomic access or fence.
    Atomic { what } = "atomic", "an atomic operation",
        "one thread runs a core; use Cell, and flags between pipes and cores";
    /// An access with less than its natural alignment.
    Alignment { what } = "alignment", "an access that is not aligned to its size",
        "use #[repr(C)] with naturally aligned fields; no packed structs, no byte slices read as words";
    /// An aggregate that crosses an exported function by value.
    ByValue { what } = "by-value", "an aggregate by value in an exported function",
        "exported functions take and give u32, u64, i32, i64, f32 and pointers; pass structs by pointer";
    /// A function that is neither in the module nor known.
    External { what } = "external", "a function that is not in the module and is no hook",
        "call only what is in the crates being lowered; mark small functions of other crates #[inline]";
    /// A hook that has no AI Core form.
    Hook { what } = "hook", "a hook without a form on the AI Core",
        "it exists on the embedded NPU only; take the call out of the kernel, or guard it with cfg";
    /// An instruction whose packing is not public.
    Assumed { what } = "assumed", "an instruction whose packing is our own assumption",
        "it runs on the embedded NPU only, no public source says how the AI Core wants it; use another instruction";
    /// A call through a pointer.
    Indirect { what } = "indirect", "a call through a pointer",
        "no dyn, no function pointers: use generics";
    /// Functions that call each other in a circle.
    Recursion { what } = "recursion", "recursion",
        "use a loop: everything is inlined into the kernel";
    /// Inline or module assembly.
    Assembly { what } = "assembly", "assembly",
        "use the instruction wrappers of the device library";
    /// Unwinding.
    Unwind { what } = "unwind", "unwinding",
        "build with -C panic=abort";
    /// A stack object that wants more than 8 bytes of alignment.
    StackAlignment { what } = "stack-alignment", "a stack object aligned to more than 8 bytes",
        "the AI Core's stack is aligned to 8 bytes: no #[repr(align(16))] or more";
    /// Another opcode, intrinsic, type, attribute or keyword.
    Unknown { what } = "unknown", "a construct that is not on the list",
        "write it in another way, or report it: the list grows by constructs that are proved to be safe";
}

/// A piece of a name, and the refusal of what has it.
pub type Known = (&'static str, fn(String) -> Refusal);

/// A refusal and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LowerError {
    /// Function, as a Rust path where the name can be read; empty outside of functions.
    pub function: String,
    /// Line of the IR text, from 1.
    pub line: usize,
    /// What.
    pub refusal: Refusal,
}

impl fmt::Display for LowerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LowerError { function, line, refusal } = self;
        match function.as_str() {
            "" => write!(f, "line {line}")?,
            name => write!(f, "{name} (line {line} of the IR)")?,
        }
        write!(f, ": {}\n  rule [{}]: {}", refusal.construct(), refusal.code(), refusal.rule())
    }
}

/// Everything that was refused in one run, in the order of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LowerErrors(pub Vec<LowerError>);

impl fmt::Display for LowerErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for error in &self.0 {
            writeln!(f, "{error}")?;
        }
        let n = self.0.len();
        write!(f, "{n} construct{} cannot become AI Core IR", if n == 1 { "" } else { "s" })
    }
}

impl std::error::Error for LowerErrors {}
