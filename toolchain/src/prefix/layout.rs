//! What lies where in the prefix. Names and places are those that build scripts written for CANN 9.1 look at.
//!
//! ```text
//! <prefix>/
//!   set_env.sh  bin/{setenv.bash,toprope}            what `toprope env` prints; sourced by CANN's own sample scripts
//!   include/acl/…  include/version/*_version.h       headers of the runtime
//!   include/{tiling,kernel_tiling,register,lib}/…    headers of host tiling
//!   pkg_inc/…                                        headers below ACL (`runtime/rt.h`), also as include/experiment
//!   lib64/libascendcl.so                             the embedded runtime; every other library is a link to it
//!   lib64/{libacl_rt,libruntime,…}.so                (one file, one inode: a process that loads two names has one runtime)
//!   search/{include,lib}                             the same again, for the compiler's search variables
//!   <arch>-linux/  runtime/  compiler/  toolkit/     links, for projects that spell the long paths
//!   lib64/libtoprope_device.a                        what compiled kernels link besides
//!   tikcpp/ascendc_kernel_cmake/ascendc.cmake        kernels in CMake projects: `ascendc_library` and its kin
//!   lib/cmake/ASC/…  bin/{toprope-cc,bisheng}         language ASC of CMake, and its compiler (`toprope cc`)
//!   bin/toprope-ld                                   linker of kernels, for pyasc
//!   tools/simulator/<soc>/lib                        link, for run mode `sim`
//!   version.cfg  share/info/runtime/version.info     versions
//! ```
//!
//! `search` is not `lib64` on purpose. CMake takes folders in `LIBRARY_PATH` and `CPLUS_INCLUDE_PATH` for folders that every compiler
//! searches and drops them from its command lines and run paths; a program built so would not start in another shell. Folders of
//! another real path keep both kinds of user happy: plain `g++ -lascendcl`, and CMake with `link_directories(…/lib64)`.

use std::path::PathBuf;

use toprope_sim::npu::chip::Chip;

use crate::cc;
use crate::compile::bundle;

/// Version of CANN whose interfaces the prefix has: major, minor, patch.
pub const CANN_VERSION: [u32; 3] = [9, 1, 0];

/// The runtime library.
pub const RUNTIME: &str = "libascendcl.so";

/// Library names that programs link, beside `ascendcl`; all are the runtime library under another name.
///
/// Those of the first group have functions in it. The others exist so that link lines of CANN projects resolve: what a program really
/// calls from them is named by the linker as an undefined reference.
pub const LIBRARIES: [&str; 20] = [
    // Runtime, its older and internal names, the names of vendor simulators.
    "acl_rt",
    "acl_rt_impl",
    "runtime",
    "runtime_camodel",
    "npu_drv_camodel",
    "msprofiler",
    "profapi",
    "ascend_dump",
    "platform",
    // Host tiling.
    "register",
    "tiling_api",
    // Named on link lines only.
    "acl_rtc",
    "ascendc_runtime",
    "unified_dlog",
    "ascendalog",
    "mmpa",
    "c_sec",
    "error_manager",
    "ge_common_base",
    "graph_base",
];

/// Is `lib<name>.so` one of the prefix's names for the runtime?
pub fn is_library(name: &str) -> bool {
    name == "ascendcl" || LIBRARIES.contains(&name)
}

/// Folders of `tools/simulator`: the architecture, and every SoC that is modelled.
fn simulators() -> impl Iterator<Item = &'static str> {
    ["dav_2201"].into_iter().chain(Chip::names())
}

/// Folders of headers for host tiling.
const TILING_HEADERS: [&str; 4] = ["tiling", "kernel_tiling", "register", "lib/matmul"];

/// Packages with a version header: file name, macro prefix.
const VERSION_HEADERS: [(&str, &str); 4] =
    [("cann", "CANN"), ("runtime", "RUNTIME"), ("asc_devkit", "ASC_DEVKIT"), ("toolkit", "TOOLKIT")];

/// Packages that projects reach by folder.
const PACKAGES: [&str; 3] = ["runtime", "compiler", "toolkit"];

/// Files of the CMake language.
const LANGUAGE_FILES: [(&str, &str); 6] = [
    ("ASCConfig.cmake", include_str!("cmake/ASCConfig.cmake")),
    ("ASCConfigVersion.cmake", include_str!("cmake/ASCConfigVersion.cmake")),
    ("CMakeASCCompiler.cmake.in", include_str!("cmake/CMakeASCCompiler.cmake.in")),
    ("CMakeASCInformation.cmake", include_str!("cmake/CMakeASCInformation.cmake")),
    ("CMakeDetermineASCCompiler.cmake", include_str!("cmake/CMakeDetermineASCCompiler.cmake")),
    ("CMakeTestASCCompiler.cmake", include_str!("cmake/CMakeTestASCCompiler.cmake")),
];

/// Headers below ACL where releases before 9 have them (`include/experiment/…`), and the header each is a name for.
const OLDER_HEADERS: [(&str, &str, &str); 3] = [
    ("runtime/runtime/rt.h", "../rt.h", ""),
    ("msprof/toolchain/prof_api.h", "../../profiling/prof_api.h", ""),
    (
        "msprof/toolchain/prof_data_config.h",
        "../../profiling/prof_common.h",
        "#define PROF_TASK_TIME PROF_TASK_TIME_MASK\n#define PROF_TASK_TIME_L1 PROF_TASK_TIME_L1_MASK\n",
    ),
];

/// One thing in the prefix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// A file of ours.
    Text(Vec<u8>),
    /// A file that exists already: hard-linked, or copied from another file system.
    File(PathBuf),
    /// A symbolic link with this text.
    Link(PathBuf),
}

/// Path in the prefix, and what is there.
pub type Entry = (String, Content);

fn text(path: &str, contents: impl Into<Vec<u8>>) -> Entry {
    (path.to_string(), Content::Text(contents.into()))
}

fn link(path: impl Into<String>, target: impl Into<PathBuf>) -> Entry {
    (path.into(), Content::Link(target.into()))
}

/// `9.1.0`.
pub fn version_text() -> String {
    CANN_VERSION.map(|n| n.to_string()).join(".")
}

/// `90100000`: the number that version macros and `aclsysGetVersionNum` have.
fn version_number() -> u32 {
    let [major, minor, patch] = CANN_VERSION;
    major * 10_000_000 + minor * 100_000 + patch * 1000
}

/// Everything but `set_env.sh`, whose text depends on where the prefix is, and the marker. `identity` goes into `version.cfg`.
pub fn entries(runtime: PathBuf, command: PathBuf, identity: &str) -> Vec<Entry> {
    let mut all = headers();
    all.extend(inner_headers());
    all.extend(libraries(runtime));
    all.extend(long_paths());
    all.extend(versions(identity));
    all.extend(kernels());
    all.extend(cmake_language());
    all.push(("bin/toprope".into(), Content::File(command)));
    let drivers = cc::NAMES.into_iter().chain([cc::kernel_linker::NAME]);
    all.extend(drivers.map(|name| link(format!("bin/{name}"), "toprope")));
    all.push(link("bin/setenv.bash", "../set_env.sh"));
    all
}

fn headers() -> Vec<Entry> {
    let acl = bundle::files().iter().filter_map(|(name, contents)| {
        let below = name.strip_prefix("toprope-include/acl/")?;
        Some(text(&format!("include/acl/{below}"), *contents))
    });
    let versions = VERSION_HEADERS.iter().map(|(file, name)| {
        let contents = format!(
            "/* Written by `toprope env`. */\n#ifndef {name}_VERSION_H\n#define {name}_VERSION_H\n\n\
             #define {name}_VERSION_STR \"{}\"\n#define {name}_VERSION_NUM {}\n\n#endif\n",
            version_text(),
            version_number()
        );
        text(&format!("include/version/{file}_version.h"), contents)
    });
    // Bounded copies (memcpy_s), for host code.
    let securec = bundle::files()
        .iter()
        .filter(|(name, _)| *name == "toprope-include/securec.h")
        .map(|(_, contents)| text("include/securec.h", *contents));
    // Host tiling: plain C++ over functions of the runtime library.
    let tiling = bundle::files().iter().filter_map(|(name, contents)| {
        let below = name.strip_prefix("toprope-include/")?;
        TILING_HEADERS
            .iter()
            .any(|dir| below.strip_prefix(dir).is_some_and(|rest| rest.starts_with('/')))
            .then(|| text(&format!("include/{below}"), *contents))
    });
    let mut all: Vec<Entry> = acl.chain(versions).chain(securec).chain(tiling).collect();
    all.push(link("search/include/securec.h", "../../include/securec.h"));
    let folders = TILING_HEADERS.map(|dir| dir.split('/').next().unwrap_or(dir));
    all.extend(folders.map(|d| link(format!("search/include/{d}"), format!("../../include/{d}"))));
    all.extend(["acl", "version"].map(|d| link(format!("search/include/{d}"), format!("../../include/{d}"))));
    all
}

/// Headers below ACL: in a folder of their own, which older releases have as `include/experiment`.
fn inner_headers() -> Vec<Entry> {
    let mut all: Vec<Entry> = bundle::files()
        .iter()
        .filter_map(|(name, contents)| {
            let below = name.strip_prefix("toprope-include/toprope/rt/")?;
            Some(text(&format!("pkg_inc/{below}"), *contents))
        })
        .collect();
    all.extend(OLDER_HEADERS.map(|(path, header, more)| {
        text(&format!("pkg_inc/{path}"), format!("#pragma once\n#include \"{header}\"\n{more}"))
    }));
    all.push(link("include/experiment", "../pkg_inc"));
    all.push(link(format!("{}/pkg_inc", arch()), "../pkg_inc"));
    all
}

/// `x86_64-linux`.
fn arch() -> String {
    format!("{}-linux", std::env::consts::ARCH)
}

fn libraries(runtime: PathBuf) -> Vec<Entry> {
    let mut all = vec![
        (format!("lib64/{RUNTIME}"), Content::File(runtime)),
        link(format!("search/lib/{RUNTIME}"), format!("../../lib64/{RUNTIME}")),
        link("lib64/stub", "../search/lib"),
    ];
    for name in LIBRARIES {
        all.push(link(format!("lib64/lib{name}.so"), RUNTIME));
        all.push(link(format!("search/lib/lib{name}.so"), RUNTIME));
    }
    all.extend(simulators().map(|soc| link(format!("tools/simulator/{soc}/lib"), "../../../lib64")));
    all
}

/// What building kernels needs.
fn kernels() -> Vec<Entry> {
    let (_, device) = bundle::files()
        .iter()
        .find(|(name, _)| *name == "lib/libtoprope_device.a")
        .expect("the bundle has the device library");
    let mut all = vec![
        text("lib64/libtoprope_device.a", *device),
        text("tikcpp/ascendc_kernel_cmake/ascendc.cmake", include_str!("ascendc.cmake")),
    ];
    all.extend(
        ["compiler".to_string(), "tools".into(), arch()]
            .map(|dir| link(format!("{dir}/tikcpp"), "../tikcpp")),
    );
    all
}

/// `find_package(ASC)` and the language it makes known.
fn cmake_language() -> Vec<Entry> {
    let fill = |contents: &str| {
        contents
            .replace("@CANN_VERSION@", &version_text())
            .replace("@TOPROPE_VERSION@", env!("CARGO_PKG_VERSION"))
    };
    LANGUAGE_FILES
        .iter()
        .map(|(name, contents)| text(&format!("lib/cmake/ASC/{name}"), fill(contents)))
        .collect()
}

fn long_paths() -> Vec<Entry> {
    let arch = arch();
    let folders = PACKAGES.iter().copied().chain([arch.as_str()]);
    let mut all: Vec<Entry> = folders
        .flat_map(|dir| ["include", "lib64"].map(|to| link(format!("{dir}/{to}"), format!("../{to}"))))
        .collect();
    all.push(link(format!("{arch}/devlib"), "../search/lib"));
    all
}

fn versions(identity: &str) -> Vec<Entry> {
    let version = version_text();
    let info = format!("Version={version}\n");
    let mut cfg = format!("# toprope {} {identity}\n", env!("CARGO_PKG_VERSION"));
    for package in PACKAGES {
        for state in ["running", "upgrade", "installed"] {
            cfg.push_str(&format!("{package}_{state}_version=[{version}:{version}]\n"));
        }
    }
    let mut all = vec![
        text("version.cfg", cfg),
        text("version.info", info.as_str()),
        text("share/info/runtime/version.info", info.as_str()),
    ];
    all.extend(PACKAGES.map(|package| text(&format!("{package}/version.info"), info.as_str())));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_place_is_used_twice_and_links_stay_inside() {
        let all = entries("/a".into(), "/b".into(), "x");
        let places: BTreeSet<&str> = all.iter().map(|(path, _)| path.as_str()).collect();
        assert_eq!(places.len(), all.len());
        for (path, content) in &all {
            let Content::Link(target) = content else { continue };
            let mut depth = path.matches('/').count() as i32;
            for part in target.components() {
                depth += if part.as_os_str() == ".." { -1 } else { 1 };
                assert!(depth >= 0, "{path} -> {} leaves the prefix", target.display());
            }
        }
    }

    #[test]
    fn the_version_number_has_two_digits_for_minor_and_patch() {
        assert_eq!(version_number(), 90_100_000);
    }
}
