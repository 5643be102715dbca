//! Source lines of code addresses.
//!
//! A finding knows the return addresses of the calls that led to it. The place shown is the first frame, inlined frames
//! included, that is the user's: not in toprope's own headers or libraries, not in the system's headers.
//!
//! | skipped | because |
//! |---|---|
//! | `bundle/<hash>/include` (where `toprope` unpacks them), `device-lib/include`, `abi/include`, `toprope-include` | our Ascend C headers |
//! | `device-lib/src`, `sim/src/npu/services` | our libraries |
//! | `/rustc/`, `/usr/include`, `/usr/lib/gcc`, `/usr/lib/llvm` | the languages' own |
//!
//! Debug information is read once per module and only when something is reported. Without it (`-g` missing) the name of
//! the function is all there is.
#![allow(unsafe_code)] // dl_iterate_phdr: the modules of the process have no safe face in std.

use super::SourcePlace;
use addr2line::Loader;
use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::{CStr, c_int, c_void};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

const SKIPPED: &[&str] = &[
    "/toprope-include/",
    "device-lib/include/",
    "abi/include/",
    "device-lib/src/",
    "sim/src/npu/services",
    "/rustc/",
    "/usr/include/",
    "/usr/lib/gcc/",
    "/usr/lib/llvm",
    "/.cargo/registry/",
];

/// A module by its path and the number of its file: an object that was loaded from memory is known by the number of a descriptor, which the next
/// such object may get.
pub type Module = (PathBuf, u64);

/// The module that the file at `path` is now.
pub fn module(path: PathBuf) -> Module {
    let inode = std::fs::metadata(&path).map_or(0, |meta| meta.ino());
    (path, inode)
}

/// Modules kept per thread; a program may load and unload kernels without end.
const MAX_MODULES: usize = 64;

thread_local! {
    /// Modules whose debug information was read; `None`: there is none.
    static MODULES: RefCell<HashMap<Module, Option<Loader>>> = RefCell::new(HashMap::new());
}

/// Whether a file belongs to toprope or the system rather than to the user.
pub fn is_ours(file: &str) -> bool {
    SKIPPED.iter().any(|part| file.contains(part)) || in_bundle(file)
}

/// Whether a path goes through `bundle/<hexadecimal hash>/include`.
fn in_bundle(file: &str) -> bool {
    let mut parts = file.split('/').skip_while(|part| *part != "bundle").skip(1);
    let is_hash = |part: &str| part.len() >= 8 && part.bytes().all(|b| b.is_ascii_hexdigit());
    parts.next().is_some_and(is_hash) && parts.next() == Some("include")
}

/// The user's place in a chain of return addresses, innermost first. If no frame is the user's: the innermost one.
pub fn place(frames: &[u64]) -> Option<SourcePlace> {
    place_and_api(frames).0
}

/// As [`place`], and the name of our function that the user called there, e.g. `DataCopy`.
pub fn place_and_api(frames: &[u64]) -> (Option<SourcePlace>, Option<String>) {
    let mut first = None;
    let mut api = None;
    for &pc in frames {
        for place in frames_of(pc) {
            if !place.file.is_empty() && !is_ours(&place.file) {
                return (Some(shown(place)), api);
            }
            api = Some(base_name(&place.function)).filter(|n| !n.is_empty());
            first.get_or_insert(place);
        }
    }
    (first.map(shown), None)
}

/// The last part of a qualified name, without template arguments: `DataCopy` of `AscendC::DataCopy<float>`, `GetValue` of
/// `AscendC::LocalTensor<float>::GetValue`.
fn base_name(name: &str) -> String {
    let mut depth = 0_usize;
    let outside = |c: &char| {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ => return depth == 0,
        }
        false
    };
    let plain: String = name.chars().filter(outside).collect();
    plain.rsplit_once("::").map_or(plain.as_str(), |(_, last)| last).to_owned()
}

/// Paths below the current directory are shown relative to it.
fn shown(mut place: SourcePlace) -> SourcePlace {
    if let Ok(here) = std::env::current_dir()
        && let Ok(rest) = Path::new(&place.file).strip_prefix(&here)
    {
        place.file = rest.to_string_lossy().into_owned();
    }
    place
}

/// Every frame at one return address, inlined ones first.
pub fn frames_of(pc: u64) -> Vec<SourcePlace> {
    let Some((path, bias)) = module_of(pc) else { return Vec::new() };
    // The address after the call may belong to the next line.
    let probe = pc.saturating_sub(1).wrapping_sub(bias);
    MODULES.with_borrow_mut(|modules| {
        let module = module(path);
        if modules.len() >= MAX_MODULES && !modules.contains_key(&module) {
            modules.clear();
        }
        let loader = modules.entry(module.clone()).or_insert_with(|| Loader::new(&module.0).ok());
        loader.as_ref().map_or_else(Vec::new, |loader| frames_in(loader, probe))
    })
}

fn frames_in(loader: &Loader, probe: u64) -> Vec<SourcePlace> {
    let mut places = Vec::new();
    let probe = probe.wrapping_add(loader.relative_address_base());
    if let Ok(mut frames) = loader.find_frames(probe) {
        while let Ok(Some(frame)) = frames.next() {
            let function =
                frame.function.and_then(|f| f.demangle().map(|n| short(&n)).ok()).unwrap_or_default();
            let (file, line) = match frame.location {
                Some(l) => (l.file.unwrap_or("").to_owned(), l.line.unwrap_or(0)),
                None => (String::new(), 0),
            };
            places.push(SourcePlace { file, line, function });
        }
    }
    if places.is_empty()
        && let Some(symbol) = loader.find_symbol(probe)
    {
        let function = short(&addr2line::demangle_auto(symbol.into(), None));
        places.push(SourcePlace { file: String::new(), line: 0, function });
    }
    places
}

/// A function's name without its parameters: `KernelAdd::CopyIn(int)` is `KernelAdd::CopyIn`.
fn short(name: &str) -> String {
    let mut depth = 0;
    for (i, c) in name.char_indices() {
        match c {
            '<' => depth += 1,
            '>' => depth -= 1,
            '(' if depth == 0 && i > 0 && !name[i..].starts_with("(anonymous") => {
                return name[..i].to_owned();
            }
            _ => {}
        }
    }
    name.to_owned()
}

/// The program or library that holds a code address.
pub fn file_of(pc: u64) -> Option<PathBuf> {
    module_of(pc).map(|module| module.0)
}

struct Search {
    pc: u64,
    found: Option<(PathBuf, u64)>,
}

/// File and load bias of the module that holds `pc`.
pub(crate) fn module_of(pc: u64) -> Option<(PathBuf, u64)> {
    let mut search = Search { pc, found: None };
    let data = (&raw mut search).cast::<c_void>();
    // SAFETY: `visit` matches the callback's contract and `search` outlives the call.
    unsafe { libc::dl_iterate_phdr(Some(visit), data) };
    search.found
}

unsafe extern "C" fn visit(info: *mut libc::dl_phdr_info, _size: usize, data: *mut c_void) -> c_int {
    // SAFETY: `data` is the `Search` that `module_of` passes in, borrowed by nobody else during the call.
    let search = unsafe { &mut *data.cast::<Search>() };
    // SAFETY: the loader passes a valid description for the time of the call.
    let info = unsafe { &*info };
    // SAFETY: the loader's own table: `dlpi_phnum` entries at `dlpi_phdr`.
    let headers = unsafe { std::slice::from_raw_parts(info.dlpi_phdr, usize::from(info.dlpi_phnum)) };
    let inside = |h: &libc::Elf64_Phdr| {
        h.p_type == libc::PT_LOAD && search.pc.wrapping_sub(info.dlpi_addr + h.p_vaddr) < h.p_memsz
    };
    if !headers.iter().any(inside) {
        return 0;
    }
    let name = if info.dlpi_name.is_null() {
        String::new()
    } else {
        // SAFETY: a non-null name is a NUL-terminated string of the loader.
        unsafe { CStr::from_ptr(info.dlpi_name) }.to_string_lossy().into_owned()
    };
    let path = if name.is_empty() { std::env::current_exe().ok() } else { Some(PathBuf::from(name)) };
    search.found = path.map(|p| (p, info.dlpi_addr));
    1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_frames_are_recognised() {
        assert!(is_ours("/users/u/.cache/toprope-include/kernel_operator.h"));
        assert!(is_ours("/src/toprope/device-lib/include/kernel_tensor.h"));
        assert!(is_ours("/users/u/.cache/toprope/v1/bundle/584007d847e42d91/include/toprope/core_access.h"));
        assert!(!is_ours("/users/u/toprope/kernels/ascendc/add/add.asc"));
        assert!(!is_ours("/users/u/bundle/kernels/include/add.h"));
    }

    #[test]
    fn names_lose_their_parameters() {
        assert_eq!(short("KernelAdd::CopyIn(int)"), "KernelAdd::CopyIn");
        assert_eq!(short("run<void (*)(int)>(char)"), "run<void (*)(int)>");
        assert_eq!(short("(anonymous namespace)::add(unsigned char*)"), "(anonymous namespace)::add");
        assert_eq!(short("add"), "add");
        assert_eq!(base_name("AscendC::DataCopy<float>"), "DataCopy");
        assert_eq!(base_name("AscendC::LocalTensor<float>::GetValue"), "GetValue");
        assert_eq!(base_name("AscendC::LocalTensor<std::pair<int, int> >::SetValue<true>"), "SetValue");
        assert_eq!(base_name("add"), "add");
    }

    #[test]
    fn this_function_is_found() {
        let here = names_lose_their_parameters as fn() as usize as u64;
        let frames = frames_of(here + 2);
        assert!(frames.iter().any(|p| p.function.contains("names_lose_their_parameters")), "{frames:?}");
    }
}
