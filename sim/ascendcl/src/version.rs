//! The library's own version, readable in the file without loading it: `toprope` refuses to link programs with another one.
#![allow(unsafe_code)] // an exported symbol; nothing here is executed

/// `toprope-ascendcl <version>`, ended by NUL.
// SAFETY: the name is ours alone and the symbol is plain data.
#[unsafe(no_mangle)]
pub static TOPROPE_ASCENDCL_VERSION: [u8; MARK.len()] = {
    let mut bytes = [0; MARK.len()];
    let mut at = 0;
    while at < bytes.len() {
        bytes[at] = MARK.as_bytes()[at];
        at += 1;
    }
    bytes
};

const MARK: &str = concat!("toprope-ascendcl ", env!("CARGO_PKG_VERSION"), "\0");
