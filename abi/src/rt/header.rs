//! Writes the C headers of the functions of this module: `runtime/rt.h`, `profiling/prof_api.h`, `ascendc_runtime.h`.
//!
//! They compile as C99 and C++11 and later. Types that only tools read stay opaque.

use super::{DevBinary, FUNCTIONS, Library};
use core::fmt::{Result, Write};

/// One header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// Path below `include/toprope/rt/`.
    pub path: &'static str,
    library: Library,
    guard: &'static str,
    prelude: &'static str,
}

/// All headers.
pub static HEADERS: &[Header] = &[
    Header {
        path: "runtime/rt.h",
        library: Library::Runtime,
        guard: "TOPROPE_RT_RUNTIME_RT_H",
        prelude: RUNTIME,
    },
    Header {
        path: "profiling/prof_api.h",
        library: Library::Profiler,
        guard: "TOPROPE_RT_PROF_API_H",
        prelude: PROFILER,
    },
    Header {
        path: "ascendc_runtime.h",
        library: Library::AscendC,
        guard: "TOPROPE_RT_ASCENDC_RUNTIME_H",
        prelude: "#include <stdbool.h>\n#include \"acl/acl_base.h\"\n",
    },
];

const RUNTIME: &str = "#include \"acl/acl_base.h\"\n\n\
    #ifndef RTS_API\n#define RTS_API\n#endif\n\
    typedef int32_t rtError_t;\n\
    typedef char char_t;\n\
    typedef void *rtStream_t;\n\
    typedef void *rtFuncHandle;\n\
    typedef uint32_t rtMemType_t;\n\
    typedef struct tagRtSmDesc rtSmDesc_t;\n\
    #define RT_ERROR_NONE 0\n\
    #define RT_DEV_BINARY_MAGIC_ELF 0x43554245U\n\
    #define RT_DEV_BINARY_MAGIC_ELF_AIVEC 0x41415246U\n\
    #define RT_DEV_BINARY_MAGIC_ELF_AICUBE 0x41494343U\n\
    #define RT_MEMORY_DEFAULT 0x0U\n\
    #define RT_MEMORY_HBM 0x2U\n\
    #define RT_MEMORY_POLICY_HUGE_PAGE_ONLY 0x800U\n\n\
    typedef enum tagRtMemcpyKind {\n\
    \x20 RT_MEMCPY_HOST_TO_HOST = 0,\n\
    \x20 RT_MEMCPY_HOST_TO_DEVICE = 1,\n\
    \x20 RT_MEMCPY_DEVICE_TO_HOST = 2,\n\
    \x20 RT_MEMCPY_DEVICE_TO_DEVICE = 3\n\
    } rtMemcpyKind_t;\n";

const PROFILER: &str = "#include <stdbool.h>\n#include \"acl/acl_base.h\"\n\n\
    typedef int32_t (*ProfCommandHandle)(uint32_t type, void *data, uint32_t len);\n";

impl Header {
    /// Writes the header.
    ///
    /// # Errors
    /// Only those of `out`.
    pub fn write(&self, out: &mut dyn Write) -> Result {
        let Header { guard, prelude, .. } = self;
        writeln!(
            out,
            "/* Generated from abi/src/rt/mod.rs; do not edit. */\n#ifndef {guard}\n#define {guard}\n"
        )?;
        writeln!(out, "#include <stddef.h>\n#include <stdint.h>\n{prelude}")?;
        if self.library == Library::Runtime {
            let layout = DevBinary::LAYOUT;
            writeln!(out, "/* {}. */\ntypedef struct tagRtDevBinary {{", layout.doc)?;
            for field in layout.fields {
                writeln!(out, "  {};", field.ty.declare(field.name))?;
            }
            writeln!(out, "}} {};\n", layout.name)?;
        }
        out.write_str("#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n")?;
        for function in FUNCTIONS.iter().filter(|f| f.library == self.library) {
            writeln!(out, "/* {} */\n{function};", function.doc.trim())?;
        }
        writeln!(out, "\n#ifdef __cplusplus\n}}\n#endif\n\n#endif")
    }
}
