//! The committed C headers are exactly what the tables in `abi` write. `TOPROPE_BLESS=1` rewrites them.

use std::path::{Path, PathBuf};
use toprope_abi::acl::Header;
use toprope_abi::acl::header::write_header;

/// The repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests/ lies in the repository").to_path_buf()
}

/// Compares `text` with the committed file, or writes the file when `TOPROPE_BLESS=1`.
pub fn assert_committed(path: &Path, text: &str) {
    if std::env::var_os("TOPROPE_BLESS").is_some_and(|v| v == "1") {
        std::fs::create_dir_all(path.parent().expect("a file has a folder")).expect("folder can be made");
        std::fs::write(path, text).expect("file can be written");
        return;
    }
    let committed = std::fs::read_to_string(path).unwrap_or_default();
    if committed == text {
        return;
    }
    let line = committed.lines().zip(text.lines()).position(|(a, b)| a != b);
    let at = line.unwrap_or_else(|| committed.lines().count().min(text.lines().count()));
    panic!(
        "{} differs from what the tables say, first in line {}:\n  committed: {:?}\n  tables:    {:?}\nrun `TOPROPE_BLESS=1 cargo test -p toprope-tests --test abi` and commit the result",
        path.display(),
        at + 1,
        committed.lines().nth(at),
        text.lines().nth(at),
    );
}

#[test]
fn acl_headers_are_what_the_tables_say() {
    for header in Header::ALL {
        let mut text = String::new();
        write_header(header, &mut text).expect("writing to a String does not fail");
        assert_committed(&root().join("abi/include/acl").join(header.path()), &text);
    }
}
