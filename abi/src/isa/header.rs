//! Writes `include/toprope/isa.h` from the tables.

use super::layout::{FIELDS, LAYOUTS};
use super::{Field, OPS, PIPES, SPACES, SPRS};
use core::fmt::{self, Write};

/// Upper-cases `text` and turns everything that is not a letter or digit into `_`.
struct Const<'a>(&'a str);

impl fmt::Display for Const<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            f.write_char(if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' })?;
        }
        Ok(())
    }
}

/// Writes the C header of the instruction table.
///
/// # Errors
/// Only those of `out`.
pub fn write_header(out: &mut dyn Write) -> fmt::Result {
    out.write_str(
        "/* AI Core instructions of dav-2201. Generated from abi/src/isa; do not edit. */\n\
         #ifndef TOPROPE_ISA_H\n#define TOPROPE_ISA_H\n\n#include <stdint.h>\n\n",
    )?;
    for (pipe, name) in PIPES {
        writeln!(out, "#define TR_PIPE_{name} {}u", pipe as u32)?;
    }
    out.write_char('\n')?;
    for (space, name) in SPACES {
        writeln!(out, "#define TR_SPACE_{name} {}u", space as u32)?;
    }
    out.write_char('\n')?;
    for (spr, name) in SPRS {
        writeln!(out, "#define TR_SPR_{name} {}u", spr as u32)?;
    }
    write_ctrl(out)?;
    for (index, row) in OPS.iter().enumerate() {
        writeln!(out, "#define TR_OP_{} {index}u", Const(row.intrinsic))?;
    }
    writeln!(out, "#define TR_OP_COUNT {}u\n", OPS.len())?;
    for (id, name, text) in FIELDS {
        writeln!(out, "#define TR_FIELD_{} {}u /* {text} */", Const(name), *id as u32)?;
    }
    for (_, name, fields) in LAYOUTS {
        write_layout(out, name, fields)?;
    }
    out.write_str("\n#endif\n")
}

fn write_ctrl(out: &mut dyn Write) -> fmt::Result {
    use super::ctrl::*;
    out.write_char('\n')?;
    for (name, bit) in [
        ("ATOMIC_TYPE_LO", ATOMIC_TYPE_LO),
        ("ATOMIC_OP_LO", ATOMIC_OP_LO),
        ("HF32", HF32),
        ("HF32_TO_ZERO", HF32_TO_ZERO),
        ("INF_NAN", INF_NAN),
        ("MM_ROW_MAJOR", MM_ROW_MAJOR),
        ("MASK_COUNTER", MASK_COUNTER),
        ("CAST_TRUNCATE", CAST_TRUNCATE),
    ] {
        writeln!(out, "#define TR_CTRL_{name} {bit}u")?;
    }
    out.write_char('\n')
}

fn write_layout(out: &mut dyn Write, layout: &str, fields: &[Field]) -> fmt::Result {
    if fields.is_empty() {
        return Ok(());
    }
    out.write_char('\n')?;
    for field in fields {
        let name = FIELDS[field.id as usize].1;
        writeln!(out, "#define TR_MAX_{}_{} {}ull", Const(layout), Const(name), field.max)?;
    }
    for word in 0..2u8 {
        if fields.iter().any(|f| f.word == word) {
            write_pack(out, layout, fields, word)?;
        }
    }
    Ok(())
}

/// One function that packs the fields of one configuration word; `sid` is always 0 and left out.
fn write_pack(out: &mut dyn Write, layout: &str, fields: &[Field], word: u8) -> fmt::Result {
    write!(out, "static inline uint64_t tr_pack_{layout}{}(", if word == 0 { "" } else { "_2" })?;
    let mine = || fields.iter().filter(|f| f.word == word && f.max != 0);
    for (i, field) in mine().enumerate() {
        write!(out, "{}uint64_t {}", if i == 0 { "" } else { ", " }, FIELDS[field.id as usize].1)?;
    }
    out.write_str(") {\n  return 0")?;
    for field in mine() {
        let name = FIELDS[field.id as usize].1;
        let low_mask = (1u64 << field.low.1) - 1;
        write!(out, "\n    | ((({name}) & {low_mask:#x}ull) << {})", field.low.0)?;
        if field.high.1 != 0 {
            let high_mask = (1u64 << field.high.1) - 1;
            write!(out, "\n    | ((({name} >> {}) & {high_mask:#x}ull) << {})", field.low.1, field.high.0)?;
        }
    }
    out.write_str(";\n}\n")
}
