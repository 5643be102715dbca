//! The committed C headers are what the tables generate. `TOPROPE_BLESS=1` rewrites them.

use std::path::Path;

fn check(file: &str, write: impl Fn(&mut dyn std::fmt::Write) -> std::fmt::Result) {
    let mut text = String::new();
    write(&mut text).expect("writing into a String cannot fail");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("include/toprope").join(file);
    if std::env::var_os("TOPROPE_BLESS").is_some() {
        std::fs::write(&path, &text).expect("header is writable");
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == text, "{file} drifted from the tables: run with TOPROPE_BLESS=1 and commit");
}

#[test]
fn isa_header_is_current() {
    check("isa.h", toprope_abi::isa::write_header);
}

#[test]
fn core_header_is_current() {
    check("core.h", toprope_abi::core_face::write_header);
}

#[test]
fn fwk_header_is_current() {
    check("fwk.h", toprope_abi::fwk::header::write_header);
}

#[test]
fn fwk_signatures_are_plain() {
    use toprope_abi::fwk::{FUNCTIONS, HOOKS, header::is_plain};
    for s in FUNCTIONS.iter().chain(HOOKS) {
        assert!(is_plain(s.result), "{}: result {}", s.name, s.result);
        for (name, ty) in s.params {
            assert!(is_plain(*ty), "{}: {name} is {ty}", s.name);
        }
    }
}

#[test]
fn rows_and_fields_are_consistent() {
    use toprope_abi::isa::{FieldId, OPS, Op, layout};
    for (i, row) in OPS.iter().enumerate() {
        assert_eq!(row.op as usize, i);
        assert_eq!(Op::from_index(i as u32), Some(row.op));
    }
    for (i, (l, _, fields)) in layout::LAYOUTS.iter().enumerate() {
        assert_eq!(*l as usize, i);
        let mut used = [0u64; 2];
        for f in fields.iter() {
            let all = f.put(u64::MAX);
            assert_eq!(used[f.word as usize] & all, 0, "{l:?}: {:?} overlaps another field", f.id);
            used[f.word as usize] |= all;
            let bits = f.low.1 + f.high.1;
            assert!(f.max < 1 << bits, "{:?} cannot hold its maximum", f.id);
            let mut words = [0; 2];
            words[f.word as usize] = f.put(f.max);
            assert_eq!(f.get(words), f.max);
        }
    }
    assert_eq!(FieldId::from_index(layout::FIELDS.len() as u32), None);
    assert_eq!(Op::from_index(OPS.len() as u32), None);
}

#[test]
fn acl_headers_are_current() {
    use toprope_abi::acl::{Header, header::write_header};
    for header in Header::ALL {
        let file = format!("../acl/{}", header.path());
        check(&file, |out| write_header(header, out));
    }
}

#[test]
fn headers_below_acl_are_current() {
    for header in toprope_abi::rt::header::HEADERS {
        check(&format!("rt/{}", header.path), |out| header.write(out));
    }
}
