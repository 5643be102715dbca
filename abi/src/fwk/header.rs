//! Writes `include/toprope/fwk.h` from the tables.

use super::{
    CHECK_DEFAULT, CHECK_FLAG_BALANCE, CHECK_MISUSE, CHECK_NOTES, FLAG_PAIRS, FUNCTIONS, FWK_ERRORS,
    FWK_LAYOUTS, FwkCore, HOOKS, HardEvent, MemoryKind, PIPE_RECORDS, POOL_RECORDS_MAX, QUE_DEPTH_MAX,
    QUE_LOOP, QUE_ND2NZ, QUE_NZ2ND, QUE_SCM_BLOCK_GROUP, Signature, TPosition,
};
use crate::isa::{PIPES, Pipe};
use crate::layout::CType;
use core::fmt::{self, Write};

/// Writes the C header of the framework contract.
///
/// # Errors
/// Only those of `out`.
pub fn write_header(out: &mut dyn Write) -> fmt::Result {
    out.write_str(
        "/* State of TPipe, TQue, TBuf, TBufPool and the functions of device-lib. Generated from abi/src/fwk; do not edit. */\n\
         #ifndef TOPROPE_FWK_H\n#define TOPROPE_FWK_H\n\n#include <stdint.h>\n\n",
    )?;
    write_constants(out)?;
    write_structs(out)?;
    out.write_str("\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n/* Functions of device-lib. */\n")?;
    for function in FUNCTIONS {
        write_signature(out, function)?;
    }
    out.write_str("\n/* Hooks: defined by the kernel's shim, called by device-lib. */\n")?;
    for hook in HOOKS {
        write_signature(out, hook)?;
    }
    for pair in FLAG_PAIRS {
        writeln!(out, "void {}(int32_t id);\nvoid {}(int32_t id);", pair.set, pair.wait)?;
    }
    out.write_str("\n#ifdef __cplusplus\n}\n#endif\n\n")?;
    write_lists(out)?;
    out.write_str("\n#endif\n")
}

fn write_constants(out: &mut dyn Write) -> fmt::Result {
    for (value, name) in FwkCore::ALL {
        writeln!(out, "#define TR_FWK_CORE_{name} {}u", *value as u32)?;
    }
    for (value, name) in TPosition::ALL {
        writeln!(out, "#define TR_FWK_POSITION_{name} {}u", *value as u32)?;
    }
    for (value, name) in MemoryKind::ALL {
        writeln!(out, "#define TR_FWK_MEMORY_{name} {}u", *value as u32)?;
    }
    for (value, name) in HardEvent::ALL {
        writeln!(out, "#define TR_FWK_EVENT_{name} {}u", *value as u32)?;
    }
    for (name, value) in [
        ("CHECK_MISUSE", CHECK_MISUSE),
        ("CHECK_FLAG_BALANCE", CHECK_FLAG_BALANCE),
        ("CHECK_NOTES", CHECK_NOTES),
        ("CHECK_DEFAULT", CHECK_DEFAULT),
        ("QUE_ND2NZ", QUE_ND2NZ),
        ("QUE_NZ2ND", QUE_NZ2ND),
        ("QUE_SCM_BLOCK_GROUP", QUE_SCM_BLOCK_GROUP),
        ("QUE_LOOP", QUE_LOOP),
        ("QUE_DEPTH_MAX", QUE_DEPTH_MAX as u32),
        ("PIPE_RECORDS", PIPE_RECORDS as u32),
        ("POOL_RECORDS_MAX", POOL_RECORDS_MAX as u32),
    ] {
        writeln!(out, "#define TR_FWK_{name} {value}u")?;
    }
    out.write_char('\n')?;
    for (error, name, _) in FWK_ERRORS {
        writeln!(out, "#define TR_FWK_ERROR_{name} {}u", *error as u32)?;
    }
    out.write_char('\n')
}

fn write_structs(out: &mut dyn Write) -> fmt::Result {
    for layout in FWK_LAYOUTS {
        writeln!(out, "typedef struct {} {{", layout.name)?;
        for field in layout.fields {
            writeln!(out, "    {};", field.ty.declare(field.name))?;
        }
        writeln!(out, "}} {}; /* {} bytes */\n", layout.name, layout.size_bytes)?;
    }
    Ok(())
}

fn write_signature(out: &mut dyn Write, signature: &Signature) -> fmt::Result {
    out.write_str("/*")?;
    for line in signature.doc {
        out.write_str(line)?;
    }
    write!(out, " */\n{} {}(", signature.result, signature.name)?;
    for (i, (name, ty)) in signature.params.iter().enumerate() {
        write!(out, "{}{}", if i == 0 { "" } else { ", " }, ty.declare(name))?;
    }
    if signature.params.is_empty() {
        out.write_str("void")?;
    }
    out.write_str(");\n")
}

/// Lists for the preprocessor: a shim defines all flag hooks with one macro, a report prints errors by name.
fn write_lists(out: &mut dyn Write) -> fmt::Result {
    out.write_str(
        "/* X(set hook, wait hook, source pipe code, destination pipe code) for each pair of pipes. */\n\
         #define TR_FWK_FLAG_PAIRS(X)",
    )?;
    for pair in FLAG_PAIRS {
        write!(out, " \\\n    X({}, {}, {}, {})", pair.set, pair.wait, pair.src as u32, pair.dst as u32)?;
    }
    out.write_str("\n\n/* X(hook, pipe code) for each barrier. */\n#define TR_FWK_BARRIERS(X)")?;
    for (pipe, name) in PIPES {
        if pipe != Pipe::S {
            out.write_str(" \\\n    X(tr_hook_barrier_")?;
            for c in name.chars() {
                out.write_char(c.to_ascii_lowercase())?;
            }
            write!(out, ", {})", pipe as u32)?;
        }
    }
    out.write_str("\n\n/* X(name, code, text) for each error. */\n#define TR_FWK_ERRORS(X)")?;
    for (error, name, text) in FWK_ERRORS {
        write!(out, " \\\n    X({name}, {}, \"{text}\")", *error as u32)?;
    }
    out.write_char('\n')
}

/// C types of a signature: only integers of 32 or 64 bits and pointers, so that every compiler passes them alike.
pub const fn is_plain(ty: CType) -> bool {
    match ty {
        CType::Void | CType::Ptr(_) | CType::ConstPtr(_) => true,
        CType::Named(name) => {
            matches!(name.as_bytes(), b"uint32_t" | b"int32_t" | b"uint64_t" | b"int64_t" | b"float")
        }
        CType::Array(..) => false,
    }
}
