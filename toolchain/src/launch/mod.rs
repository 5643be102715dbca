//! Launch syntax: turns preprocessed Ascend C++ into standard C++17.
//!
//! ```text
//! g++ -E -D__TOPROPE_REWRITE__ -include toprope/launch.h  →  rewrite()  →  g++ -c
//! ```
//!
//! **What it does**
//! - `kernel<<<blocks, ubuf, stream>>>(args)` becomes
//!   `::toprope::kernel_launch("kernel", check, kernel, ::toprope::launch_config(blocks, ubuf, stream))(args)`. The kernel expression,
//!   the configuration and the arguments stay as written, so the C++ compiler resolves names, templates and conversions.
//! - The function qualifiers `__global__`, `__aicore__`, `__vector__`, `__cube__`, `__mix__(c, v)` and the parameter qualifier
//!   `__kfc_workspace__`, which the headers leave undefined under `__TOPROPE_REWRITE__`, are replaced by spaces; so is
//!   `KERNEL_TASK_TYPE_DEFAULT(type)`, which tells what a kernel without a qualifier runs on.
//! - `asm("trap")`, an instruction of the AI Core, becomes `::AscendC::Trap()`.
//! - `__ubuf__ T name[N];` becomes an array in UB, see module `ubuf`.
//! - After the body of each kernel, on the same line, stands its registration; in a kernel template it stands at the start of the
//!   body, so that every instantiation registers itself.
//!
//! **What it keeps**: the number of lines and every line marker, so that a compiler message names the user's file and line. A text
//! with neither launches nor qualifiers comes back unchanged.
//!
//! # Contract with `toprope/launch.h`
//! The emitted text uses, all in namespace `toprope`:
//!
//! | name | what it must be |
//! |---|---|
//! | `kernel_launch(const char* text, check, callee, launch_config)` | returns a callable that takes the kernel's arguments, converts each to its parameter type as a call would, packs them (each parameter starts at a multiple of 8 bytes) and launches through the public ACL functions; returns the error code, which also stays in `aclrtGetLastError`. `check` is a generic lambda called with a type whose `expected` and `given` are argument counts, only when they differ. `callee` is a function pointer, or a generic lambda from arguments to a function pointer when the kernel's template arguments are deduced from the call. |
//! | `launch_config(blocks, ubuf[, stream])` | any integer, any pointer or integer, `aclrtStream`; another number of arguments fails a `static_assert`; `.waiting()` gives one whose launch waits for the stream, see [`Purpose::library`] |
//! | `kernel_registration{name, file, line, type, params, function}` | object with static storage; `params` holds the parameter names, each ended by NUL, `?` for one without a name, a star in front of the one with `__kfc_workspace__`; `type` is the number of a `TR_KERNEL_*` constant |
//! | `UbArray<T[N]>{name}` | owner of an array in UB (`toprope/ub_array.h`, from `kernel_operator.h`); `Get()` is a reference to it |
//! | `kernel_template<Info, function>::touch()` | instantiates a registration with the same facts from `Info::name()`, `file()`, `line()`, `type()`, `params()`; does nothing when called |
//!
//! **Does not model**: overload sets as a launched expression (launch through a typed pointer), kernels as class members.
//! Source of the syntax: public Ascend C documents and samples (`<<<numBlocks, dynUBufSize, stream>>>`, two or three arguments).

mod kernel;
mod scan;
mod source;
mod token;
mod ubuf;

use std::fmt;
use std::fmt::Write as _;
use std::ops::Range;

pub use source::Place;
use toprope_abi::core_face::KernelType;

use source::Source;

/// Something in the user's source that cannot be rewritten.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where.
    pub place: Place,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Place { file, line, column } = &self.place;
        write!(
            f,
            "{file}:{line}:{column}: error: {}\n{file}:{line}:{column}: note: {}",
            self.message, self.help
        )
    }
}

impl std::error::Error for Problem {}

/// Parameter of a kernel template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateParam {
    /// Name as written, or `None`.
    pub name: Option<String>,
    /// Is it a parameter pack?
    pub pack: bool,
    /// Byte after the declared part, before a default argument.
    end: usize,
}

/// A kernel of the translation unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelDecl {
    /// Qualified name; the plain name for `extern "C"`.
    pub name: String,
    /// Position of `__global__`.
    pub place: Place,
    /// Cores it runs on, from its qualifiers.
    pub kernel_type: KernelType,
    /// Parameter names, "" where there is none.
    pub params: Vec<String>,
    /// Template parameters, if it is a template.
    pub template: Option<Vec<TemplateParam>>,
    /// Has a body here (else it is only declared).
    pub defined: bool,
}

/// Result of [`rewrite`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewritten {
    /// Standard C++17, as many lines as the input.
    pub text: String,
    /// Kernels in order of appearance, declarations included.
    pub kernels: Vec<KernelDecl>,
    /// Number of launches rewritten.
    pub launches: usize,
    /// Files named by line markers, in order (includes pseudo-files such as `<built-in>`).
    pub files: Vec<String>,
}

/// Rewrites preprocessed text.
///
/// # Errors
/// Every [`Problem`] found, in order of appearance.
pub fn rewrite(preprocessed: &str) -> Result<Rewritten, Vec<Problem>> {
    rewrite_for(preprocessed, Purpose::default())
}

/// What a source is compiled for, where that changes what is made of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Purpose {
    /// A source of `ascendc_library`: where it prints in a kernel, its launches wait for their stream, as the host code does that CANN
    /// generates for such a library (it fetches the printed text right after the launch).
    pub library: bool,
    /// Kernels alone, compiled for these cores: what a kernel runs on whose declaration names no cores.
    pub cores: Option<KernelType>,
}

/// As [`rewrite`], for a purpose.
///
/// # Errors
/// As [`rewrite`].
pub fn rewrite_for(preprocessed: &str, purpose: Purpose) -> Result<Rewritten, Vec<Problem>> {
    let source = Source::new(preprocessed);
    let mut problems = Vec::new();
    let mut kernels = kernel::find(&source, &mut problems);
    let launches = scan::find(&source, &mut problems);
    if !problems.is_empty() {
        problems.sort_by(|a, b| (&a.place.file, a.place.line).cmp(&(&b.place.file, b.place.line)));
        return Err(problems);
    }
    if let Some(cores) = purpose.cores {
        for kernel in kernels.iter_mut().filter(|k| k.decl.kernel_type == KernelType::Auto) {
            kernel.decl.kernel_type = cores;
        }
    }
    let config_end = if purpose.library && prints(&source) { ").waiting())" } else { "))" };
    let mut edits = Edits::default();
    ubuf::rewrite(&source, &mut edits, &mut problems);
    if !problems.is_empty() {
        return Err(problems);
    }
    replace_traps(&source, &mut edits);
    blank_qualifiers(&source, &mut edits);
    for (number, kernel) in kernels.iter().enumerate() {
        register(kernel, number, &mut edits);
    }
    for launch in &launches {
        rewrite_launch(&source, &kernels, launch, config_end, &mut edits);
    }
    Ok(Rewritten {
        text: edits.apply(preprocessed),
        launches: launches.len(),
        files: source.files().into_iter().map(str::to_string).collect(),
        kernels: kernels.into_iter().map(|k| k.decl).collect(),
    })
}

/// Replacements of byte ranges, kept until all are known.
#[derive(Default)]
struct Edits(Vec<(Range<usize>, String)>);

impl Edits {
    fn replace(&mut self, range: Range<usize>, with: impl Into<String>) {
        self.0.push((range, with.into()));
    }

    fn insert(&mut self, at: usize, text: impl Into<String>) {
        self.replace(at..at, text);
    }

    fn apply(mut self, text: &str) -> String {
        self.0.sort_by_key(|(range, _)| (range.start, range.end));
        let mut out = String::with_capacity(text.len() + 4096);
        let mut done = 0;
        for (range, with) in self.0 {
            out.push_str(&text[done..range.start]);
            out.push_str(&with);
            done = range.end;
        }
        out.push_str(&text[done..]);
        out
    }
}

/// Replaces a token by blanks. A raw string may hold line ends, which stay.
fn blank(source: &Source, token: usize, edits: &mut Edits) {
    let range = source.range(token);
    let blanks = source.text[range.clone()].chars().map(|c| if c == '\n' { c } else { ' ' });
    edits.replace(range, blanks.collect::<String>());
}

fn blank_qualifiers(source: &Source, edits: &mut Edits) {
    let mut index = 0;
    while index < source.code.len() {
        let is_call = kernel::TASK_TYPES.contains(&source.at(index)) || source.at(index) == "__mix__";
        let mut end = index;
        if source.is_ident(index) && (is_call || kernel::QUALIFIERS.contains(&source.at(index))) {
            if is_call && source.at(index + 1) == "(" {
                end = source.partner(index + 1).unwrap_or(index);
            }
            (index..=end).for_each(|token| blank(source, token, edits));
        }
        index = end + 1;
    }
}

/// Functions of Ascend C whose output the host shows.
const PRINTING: [&str; 5] = ["printf", "PRINTF", "DumpTensor", "DumpAccChkPoint", "ascendc_assert"];

/// Does the source file itself, not a header, call one of [`PRINTING`]?
fn prints(source: &Source) -> bool {
    let main = source.files().first().copied().unwrap_or_default().to_string();
    (0..source.code.len()).any(|index| {
        PRINTING.contains(&source.at(index))
            && source.at(index + 1) == "("
            && source.place(source.range(index).start).file == main
    })
}

/// `asm("trap")`, with or without `volatile`.
fn replace_traps(source: &Source, edits: &mut Edits) {
    for index in 0..source.code.len() {
        if !["asm", "__asm__", "__asm"].contains(&source.at(index)) {
            continue;
        }
        let open = index + 1 + usize::from(["volatile", "__volatile__"].contains(&source.at(index + 1)));
        let tokens = [source.at(open), source.at(open + 1), source.at(open + 2)];
        if tokens == ["(", "\"trap\"", ")"] {
            edits.replace(source.range(index), "::AscendC::Trap()");
            (index + 1..=open + 2).for_each(|token| blank(source, token, edits));
        }
    }
}

/// `text` as a C++ string literal.
fn literal(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' | '\r' | '\t' => out.push(' '),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

fn register(kernel: &kernel::FoundKernel, number: usize, edits: &mut Edits) {
    let Some((body_start, body_end)) = kernel.body else { return };
    let decl = &kernel.decl;
    let (name, file) = (literal(&decl.name), literal(&decl.place.file));
    let line = decl.place.line;
    let kernel_type = format!("{}u", decl.kernel_type as u32);
    let params =
        decl.params.iter().fold(String::new(), |all, p| all + if p.is_empty() { "?" } else { p } + "\\0");
    let function_type = format!("void (*)({})", kernel.param_text.replace(ubuf::UBUF, ""));
    match &decl.template {
        None => edits.insert(
            body_end,
            format!(
                " __attribute__((unused)) static ::toprope::kernel_registration tr_kernel_{number}{{{name}, {file}, {line}u, {kernel_type}, \"{params}\", \
                 static_cast<{function_type}>(&{})}};",
                kernel.spelled
            ),
        ),
        Some(template) => {
            let mut arguments = Vec::new();
            for (index, param) in template.iter().enumerate() {
                let name = param.name.clone().unwrap_or_else(|| {
                    let made = format!("tr_param_{index}");
                    edits.insert(param.end, format!(" {made}"));
                    made
                });
                arguments.push(if param.pack { format!("{name}...") } else { name });
            }
            edits.insert(
                body_start,
                format!(
                    " struct tr_info {{ static const char* name() {{ return {name}; }} static const char* file() {{ return {file}; }} \
                     static unsigned line() {{ return {line}u; }} static unsigned type() {{ return {kernel_type}; }} \
                     static const char* params() {{ return \"{params}\"; }} }}; \
                     ::toprope::kernel_template<tr_info, static_cast<{function_type}>(&{}<{}>)>::touch();",
                    kernel.spelled,
                    arguments.join(", ")
                ),
            );
        }
    }
}

/// Longest kernel text put into messages, in characters.
const SHOWN_CALLEE: usize = 80;

fn rewrite_launch(
    source: &Source,
    kernels: &[kernel::FoundKernel],
    launch: &scan::Launch,
    config_end: &str,
    edits: &mut Edits,
) {
    let mut shown = source.words(launch.callee.clone());
    if let Some((cut, _)) = shown.char_indices().nth(SHOWN_CALLEE) {
        shown.truncate(cut);
        shown.push('…');
    }
    // Template arguments are deduced when a kernel template is launched by its bare name.
    let last = source.at(launch.callee.end - 1);
    let simple = |k: &kernel::FoundKernel| k.decl.name.rsplit("::").next() == Some(last);
    let known = kernels.iter().find(|k| simple(k));
    let deduced = known.is_some_and(|k| k.decl.template.is_some());
    let signature = match known {
        Some(k) if k.decl.params.iter().all(|p| !p.is_empty()) => {
            format!(" ({})", k.decl.params.join(", ").replace('*', ""))
        }
        _ => String::new(),
    };
    let message = format!(
        "toprope: the launch of kernel '{shown}'{signature} has the wrong number of arguments (parameters of the kernel == arguments given)"
    );
    let mut before = String::from("::toprope::kernel_launch(");
    let _ = write!(
        before,
        "{}, [](auto tr_count) {{ static_assert(decltype(tr_count)::expected == decltype(tr_count)::given, {}); }}, ",
        literal(&shown),
        literal(&message)
    );
    if deduced {
        before.push_str("[](auto... tr_argument) { return static_cast<void (*)(decltype(tr_argument)...)>(");
    }
    edits.insert(source.range(launch.callee.start).start, before);
    let open = if deduced { "); }, ::toprope::launch_config(" } else { ", ::toprope::launch_config(" };
    replace_three(source, launch.open, open, edits);
    replace_three(source, launch.close, config_end, edits);
}

/// Replaces the first of three one-byte tokens and removes the other two.
fn replace_three(source: &Source, first: usize, with: &str, edits: &mut Edits) {
    edits.replace(source.range(first), with);
    edits.replace(source.range(first + 1), "");
    edits.replace(source.range(first + 2), "");
}

#[cfg(test)]
mod tests;
