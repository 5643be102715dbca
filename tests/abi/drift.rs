//! The committed headers of tiling structs are exactly what their Rust definitions write (`TOPROPE_BLESS=1` rewrites
//! them). The headers of `abi` itself are checked in `abi/tests/headers.rs`.

use std::path::{Path, PathBuf};
use toprope_abi::host_tiling::{TCubeTiling, TrPlatform, TrTilingRequest};
use toprope_abi::layout::StructLayout;
use toprope_abi::tiling::{TilingStruct, write_header};

#[path = "../../kernels/ascendc/leaky_relu/tiling.rs"]
mod leaky_relu;

/// A header of tiling structs: file in the repository, include guard, structs.
pub struct TilingHeader {
    /// Path from the root of the repository.
    pub path: &'static str,
    /// Include guard.
    pub guard: &'static str,
    /// Structs in order.
    pub layouts: &'static [&'static StructLayout],
}

/// All committed headers of tiling structs. A new one is a row.
pub const TILING_HEADERS: &[TilingHeader] = &[
    TilingHeader {
        path: "kernels/ascendc/leaky_relu/leaky_relu_tiling.h",
        guard: "LEAKY_RELU_TILING_H",
        layouts: &[&leaky_relu::LeakyReluTiling::LAYOUT],
    },
    TilingHeader {
        path: "device-lib/include/tiling/toprope_tiling.h",
        guard: "TOPROPE_TILING_TOPROPE_TILING_H",
        layouts: &[&TrTilingRequest::LAYOUT, &TrPlatform::LAYOUT],
    },
];

/// The repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests/ lies in the repository").to_path_buf()
}

/// Compares `text` with the committed file, or writes the file when `TOPROPE_BLESS=1`.
pub fn assert_committed(path: &Path, text: &str) {
    if std::env::var_os("TOPROPE_BLESS").is_some_and(|v| v == "1") {
        std::fs::write(path, text).expect("file can be written");
        return;
    }
    let committed = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        committed == text,
        "{} is not what its definition writes: run `TOPROPE_BLESS=1 cargo test -p toprope-tests --test abi` and commit the result",
        path.display()
    );
}

#[test]
fn tiling_headers_are_current() {
    for header in TILING_HEADERS {
        let mut text = String::new();
        write_header(header.guard, header.layouts, &mut text).expect("writing to a String does not fail");
        assert_committed(&root().join(header.path), &text);
    }
}

/// The plain structure of kernels and the class of hosts have the fields of [`TCubeTiling`] in its order.
#[test]
fn headers_of_tcubetiling_have_its_fields() {
    let fields: Vec<&str> = TCubeTiling::LAYOUT.fields.iter().map(|f| f.name).collect();
    let between = |file: &str, from: &str, to: &str, before: &str, after: &str| {
        let text = std::fs::read_to_string(root().join("device-lib/include").join(file)).expect("a header");
        let body = text.split(from).nth(1).and_then(|rest| rest.split(to).next()).expect("the definition");
        let line = |l: &str| l.trim().strip_prefix(before)?.strip_suffix(after).map(String::from);
        body.lines().filter_map(line).collect::<Vec<String>>()
    };
    let plain = between("kernel_tiling/kernel_tiling.h", "struct TCubeTiling {", "};", "int32_t ", " = 0;");
    assert_eq!(plain, fields);
    let class = between(
        "tiling/tiling_data.h",
        "BEGIN_TILING_DATA_DEF(TCubeTiling)",
        "END_TILING_DATA_DEF",
        "TILING_DATA_FIELD_DEF(int32_t, ",
        ");",
    );
    assert_eq!(class, fields);
}
