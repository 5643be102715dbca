//! Writes the C headers of `include/acl/` from the tables.
//!
//! The files are split as users include them: `acl/acl.h` brings everything, `acl/acl_rt.h` the runtime,
//! `acl/acl_base.h` types and codes. The written files are committed; `tests/abi` fails when they differ from what this
//! module writes (`TOPROPE_BLESS=1` rewrites them). They compile as C99 and C++11 and later.

use super::{
    ALLOCATOR_CALLBACKS, ALLOCATOR_HANDLES, BASE_ENUMS, BASE_HANDLES, CallbackLayout, ERRORS, FUNCTIONS,
    HandleLayout, RT_CALLBACKS, RT_CONSTS, RT_ENUMS, RT_HANDLES, RT_OPAQUES, RT_STRUCTS,
};
use crate::layout::{CType, EnumLayout, StructLayout};
use core::fmt::{Result, Write};

/// One header file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Header {
    /// `acl.h`: everything.
    Acl,
    /// `acl_base.h`: types and codes.
    AclBase,
    /// `acl_base_rt.h`: basic types, codes of the ACL layer, small helpers.
    AclBaseRt,
    /// `acl_rt.h`: the runtime.
    AclRt,
    /// `acl_rt_allocator.h`: custom allocators.
    AclRtAllocator,
    /// `acl_rt_memory_soma.h`: memory pools in stream order.
    AclRtMemorySoma,
    /// `acl_op.h`: operators; empty, as in the runtime package.
    AclOp,
    /// `acl_mdl.h`: models; empty, as in the runtime package.
    AclMdl,
    /// `error_codes/rt_error_codes.h`: codes of the runtime layer.
    RtErrorCodes,
}

impl Header {
    /// All headers.
    pub const ALL: [Header; 9] = [
        Header::Acl,
        Header::AclBase,
        Header::AclBaseRt,
        Header::AclRt,
        Header::AclRtAllocator,
        Header::AclRtMemorySoma,
        Header::AclOp,
        Header::AclMdl,
        Header::RtErrorCodes,
    ];

    /// Path of the file below `include/acl/`.
    pub const fn path(self) -> &'static str {
        match self {
            Header::Acl => "acl.h",
            Header::AclBase => "acl_base.h",
            Header::AclBaseRt => "acl_base_rt.h",
            Header::AclRt => "acl_rt.h",
            Header::AclRtAllocator => "acl_rt_allocator.h",
            Header::AclRtMemorySoma => "acl_rt_memory_soma.h",
            Header::AclOp => "acl_op.h",
            Header::AclMdl => "acl_mdl.h",
            Header::RtErrorCodes => "error_codes/rt_error_codes.h",
        }
    }

    const fn guard(self) -> &'static str {
        match self {
            Header::Acl => "TOPROPE_ACL_ACL_H",
            Header::AclBase => "TOPROPE_ACL_ACL_BASE_H",
            Header::AclBaseRt => "TOPROPE_ACL_ACL_BASE_RT_H",
            Header::AclRt => "TOPROPE_ACL_ACL_RT_H",
            Header::AclRtAllocator => "TOPROPE_ACL_ACL_RT_ALLOCATOR_H",
            Header::AclRtMemorySoma => "TOPROPE_ACL_ACL_RT_MEMORY_SOMA_H",
            Header::AclOp => "TOPROPE_ACL_ACL_OP_H",
            Header::AclMdl => "TOPROPE_ACL_ACL_MDL_H",
            Header::RtErrorCodes => "TOPROPE_ACL_RT_ERROR_CODES_H",
        }
    }

    const fn about(self) -> &'static str {
        match self {
            Header::Acl => "The CANN runtime interface: everything.",
            Header::AclBase => "The CANN runtime interface: types and error codes.",
            Header::AclBaseRt => {
                "The CANN runtime interface: basic types, codes of the ACL layer, small helpers."
            }
            Header::AclRt => "The CANN runtime interface: devices, streams, events, memory, kernels.",
            Header::AclRtAllocator => "The CANN runtime interface: allocators of the program's own.",
            Header::AclRtMemorySoma => {
                "The CANN runtime interface: device memory that is handed out in stream order."
            }
            Header::AclOp => "Operators: not part of the runtime; here because programs include it.",
            Header::AclMdl => "Models: not part of the runtime; here because programs include it.",
            Header::RtErrorCodes => "Error codes of the runtime layer.",
        }
    }
}

/// Writes the whole text of one header.
///
/// # Errors
///
/// Only those of `out`.
pub fn write_header(header: Header, out: &mut dyn Write) -> Result {
    writeln!(out, "/* {}", header.about())?;
    writeln!(out, " * Written by toprope from the tables in abi/src/acl; do not edit. */")?;
    writeln!(out, "#ifndef {0}\n#define {0}\n", header.guard())?;
    match header {
        Header::Acl => {
            out.write_str("#include \"acl_rt.h\"\n#include \"acl_op.h\"\n#include \"acl_mdl.h\"\n")?
        }
        Header::AclBase => {
            out.write_str("#include \"acl_base_rt.h\"\n#include \"error_codes/rt_error_codes.h\"\n")?;
        }
        Header::AclBaseRt => write_base_rt(out)?,
        Header::AclRt => write_rt(out)?,
        Header::AclRtAllocator => write_allocator(out)?,
        Header::AclRtMemorySoma => {
            out.write_str("#include \"acl_rt.h\"\n\n")?;
            writeln!(out, "{OPEN}")?;
            write_functions(header, out)?;
            out.write_str(CLOSE)?;
        }
        Header::RtErrorCodes => write_rt_codes(out)?,
        Header::AclOp | Header::AclMdl => {}
    }
    writeln!(out, "\n#endif /* {} */", header.guard())
}

const OPEN: &str = "#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
const CLOSE: &str = "\n#ifdef __cplusplus\n}\n#endif\n";

const VISIBILITY: &str = "
#ifndef ACL_FUNC_VISIBILITY
#ifdef FUNC_VISIBILITY
#define ACL_FUNC_VISIBILITY __attribute__((visibility(\"default\")))
#else
#define ACL_FUNC_VISIBILITY
#endif
#endif

#ifndef ACL_DEPRECATED
#define ACL_DEPRECATED __attribute__((deprecated))
#define ACL_DEPRECATED_MESSAGE(message) __attribute__((deprecated(message)))
#endif
";

fn write_base_rt(out: &mut dyn Write) -> Result {
    out.write_str("#include <stddef.h>\n#include <stdint.h>\n")?;
    out.write_str(VISIBILITY)?;
    writeln!(out, "\n{OPEN}")?;
    writeln!(out, "/* Result of a call; 0 is success. */\ntypedef int aclError;")?;
    writeln!(out, "/* Half float as a bit pattern. */\ntypedef uint16_t aclFloat16;")?;
    writeln!(out, "/* An address with a size; opaque. */\ntypedef struct aclDataBuffer aclDataBuffer;")?;
    write_handles(BASE_HANDLES, out)?;
    writeln!(out, "\nstatic const int ACL_ERROR_NONE = 0; /* no error */")?;
    writeln!(out, "static const int ACL_SUCCESS = 0; /* no error */")?;
    for row in ERRORS.iter().filter(|row| row.is_typed_in_c) {
        writeln!(out, "static const int {} = {}; /* {} */", row.name, row.code.0, row.meaning)?;
    }
    BASE_ENUMS.iter().try_for_each(|e| write_enum(e, out))?;
    write_functions(Header::AclBaseRt, out)?;
    out.write_str(CLOSE)
}

fn write_allocator(out: &mut dyn Write) -> Result {
    out.write_str("#include \"acl_base.h\"\n\n")?;
    writeln!(out, "{OPEN}")?;
    write_handles(ALLOCATOR_HANDLES, out)?;
    write_callbacks(ALLOCATOR_CALLBACKS, out)?;
    write_functions(Header::AclRtAllocator, out)?;
    out.write_str(CLOSE)
}

fn write_rt(out: &mut dyn Write) -> Result {
    out.write_str("#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n\n")?;
    out.write_str("#include \"acl_base.h\"\n#include \"acl_rt_allocator.h\"\n\n")?;
    writeln!(out, "{OPEN}")?;
    for (c, suffix) in RT_CONSTS {
        let value = c.value;
        // Small numbers read best in decimal; flags and magic numbers in hexadecimal.
        if suffix.is_empty() || value < 2 {
            writeln!(out, "#define {} {value}{suffix} /* {} */", c.name, c.doc)?;
        } else {
            writeln!(out, "#define {} {value:#x}{suffix} /* {} */", c.name, c.doc)?;
        }
    }
    write_handles(RT_HANDLES, out)?;
    RT_ENUMS.iter().try_for_each(|e| write_enum(e, out))?;
    writeln!(out)?;
    for (name, tag, doc) in RT_OPAQUES {
        writeln!(out, "typedef struct {tag} {name}; /* {doc} */")?;
    }
    write_callbacks(RT_CALLBACKS, out)?;
    RT_STRUCTS.iter().try_for_each(|s| write_struct(s, out))?;
    out.write_str(DIM3)?;
    write_functions(Header::AclRt, out)?;
    out.write_str(CLOSE)
}

const DIM3: &str = "
#ifndef __BISHENG_CCEC__
/* Number of blocks or threads in three directions (SIMT only). */
typedef struct dim3 {
    uint32_t x;
    uint32_t y;
    uint32_t z;
#ifdef __cplusplus
    constexpr dim3(uint32_t nx = 1, uint32_t ny = 1, uint32_t nz = 1) : x(nx), y(ny), z(nz) {}
#endif
} dim3;
#endif
";

fn write_rt_codes(out: &mut dyn Write) -> Result {
    writeln!(out, "#define ACL_RT_SUCCESS 0 /* no error */")?;
    for row in ERRORS.iter().filter(|row| !row.is_typed_in_c) {
        writeln!(out, "#define {} {} /* {} */", row.name, row.code.0, row.meaning)?;
    }
    Ok(())
}

fn write_handles(handles: &[HandleLayout], out: &mut dyn Write) -> Result {
    writeln!(out)?;
    for h in handles {
        writeln!(out, "typedef void* {}; /* {} */", h.name, h.doc)?;
    }
    Ok(())
}

fn write_callbacks(callbacks: &[CallbackLayout], out: &mut dyn Write) -> Result {
    for c in callbacks {
        writeln!(out, "\n/* {} */", c.doc)?;
        write!(out, "typedef {} (*{})(", c.ret, c.name)?;
        for (i, (ty, name)) in c.params.iter().enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            write!(out, "{comma}{}", ty.declare(name))?;
        }
        writeln!(out, ");")?;
    }
    Ok(())
}

fn write_enum(e: &EnumLayout, out: &mut dyn Write) -> Result {
    writeln!(out)?;
    write_comment("", e.doc, out)?;
    writeln!(out, "typedef enum {} {{", e.name)?;
    for v in e.values {
        writeln!(out, "    {} = {}, /* {} */", v.name, v.value, v.doc)?;
    }
    writeln!(out, "}} {};", e.name)
}

fn write_struct(s: &StructLayout, out: &mut dyn Write) -> Result {
    writeln!(out)?;
    write_comment("", s.doc, out)?;
    let kind = if s.is_union { "union" } else { "struct" };
    writeln!(out, "typedef {kind} {} {{", s.name)?;
    for f in s.fields {
        match RT_STRUCTS.iter().find(|inner| f.name.is_empty() && f.ty == CType::Named(inner.name)) {
            Some(union) => write_nameless_union(union, out)?,
            None => writeln!(out, "    {}; /* {} */", f.ty.declare(f.name), f.doc.trim())?,
        }
    }
    writeln!(out, "}} {};", s.name)
}

/// A union whose fields are fields of the struct around it.
fn write_nameless_union(union: &StructLayout, out: &mut dyn Write) -> Result {
    writeln!(out, "    {NAMELESS}union {{")?;
    for f in union.fields {
        writeln!(out, "        {}; /* {} */", f.ty.declare(f.name), f.doc.trim())?;
    }
    writeln!(out, "    }};")
}

/// C99 and C++ in pedantic mode know nameless unions as an extension only.
const NAMELESS: &str = "__extension__ ";

fn write_functions(header: Header, out: &mut dyn Write) -> Result {
    for f in FUNCTIONS.iter().filter(|f| f.header == header) {
        writeln!(out)?;
        write_comment("", f.doc, out)?;
        writeln!(out, "ACL_FUNC_VISIBILITY {f};")?;
    }
    Ok(())
}

/// Writes a documentation text as a C comment, without its Rust link marks.
fn write_comment(indent: &str, doc: &str, out: &mut dyn Write) -> Result {
    write!(out, "{indent}/*")?;
    for (i, line) in doc.trim_end().split('\n').enumerate() {
        if i > 0 {
            write!(out, "\n{indent} *")?;
        }
        for part in line.trim_end().split(['[', ']', '`']) {
            out.write_str(part)?;
        }
    }
    writeln!(out, " */")
}
