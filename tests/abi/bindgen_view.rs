//! bindgen reads our headers and has to come to the Rust layouts and values we started from.
//!
//! bindgen needs libclang at run time. Where it is missing the test says so and passes; with `CI=true` it fails.

use crate::facts::{constants, include_dirs, includes, structs};
use std::collections::BTreeMap;
use toprope_abi::acl::FUNCTIONS;

/// `true` if libclang can be loaded.
fn has_libclang() -> bool {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let found = std::panic::catch_unwind(bindgen::clang_version).is_ok();
    std::panic::set_hook(hook);
    found
}

/// The Rust text that bindgen makes of all our headers.
fn bindings() -> String {
    let builder = bindgen::Builder::default()
        .header_contents("all.h", &includes())
        .clang_args(include_dirs().iter().map(|d| format!("-I{d}")))
        .allowlist_file(".*/(acl|toprope|kernels|tiling|error_codes)/.*")
        .default_enum_style(bindgen::EnumVariation::Consts)
        .prepend_enum_name(false)
        .layout_tests(true)
        .formatter(bindgen::Formatter::None);
    builder.generate().expect("bindgen understands our headers").to_string()
}

/// The start of `text` up to `close`.
fn between<'a>(text: &'a str, close: &str) -> &'a str {
    text.split(close).next().unwrap_or(text).trim()
}

/// All `N` of `…[size_of :: < X > () - Nusize]` style assertions, keyed by what stands in quotes after `what`.
fn assertions(text: &str, what: &str) -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    for part in text.split(&format!("[\"{what}")).skip(1) {
        let key = between(part, "\"").to_owned();
        let number =
            part.split(" - ").nth(1).map(|rest| between(rest, "usize")).expect("an assertion has a number");
        found.insert(key, number.replace('_', "").parse().expect("a number"));
    }
    found
}

/// All `pub const NAME : type = value ;`.
fn consts(text: &str) -> BTreeMap<String, i64> {
    let mut found = BTreeMap::new();
    for part in text.split("pub const ").skip(1) {
        let declaration = between(part, ";");
        if let Some((name_and_type, value)) = declaration.split_once(" = ")
            && let Some((name, _)) = name_and_type.split_once(':')
            && let Ok(value) = value.replace(' ', "").parse()
        {
            found.insert(name.trim().to_owned(), value);
        }
    }
    found
}

#[test]
fn bindgen_agrees_with_rust() {
    if !has_libclang() {
        let text = "bindgen needs libclang (Debian: libclang-dev), or LIBCLANG_PATH set to its folder";
        assert!(std::env::var("CI").is_err(), "{text}");
        eprintln!("SKIPPED: {text}");
        return;
    }
    let text = bindings();
    let sizes = assertions(&text, "Size of ");
    let aligns = assertions(&text, "Alignment of ");
    let offsets = assertions(&text, "Offset of field: ");
    for (name, s) in structs() {
        assert_eq!(sizes.get(&name), Some(&s.size), "size of {name}, bindgen left");
        if s.align.is_some() {
            assert_eq!(aligns.get(&name).copied(), s.align, "alignment of {name}, bindgen left");
        }
        for (field, offset) in &s.fields {
            // bindgen appends `_` to Rust keywords.
            let key = if field == "type" { format!("{name}::type_") } else { format!("{name}::{field}") };
            if let Some(inner) = offsets.get(&format!("{name}__bindgen_ty_1::{field}")) {
                // A field of a nameless union, which bindgen makes a type of its own; where it is, the C compiler says.
                assert_eq!(*inner, 0, "{key} starts its union");
                continue;
            }
            assert_eq!(offsets.get(&key), Some(offset), "offset of {key}, bindgen left");
        }
    }
    let theirs = consts(&text);
    for (name, value) in constants() {
        assert_eq!(theirs.get(&name), Some(&value), "value of {name}, bindgen left");
    }
    for f in FUNCTIONS {
        assert!(text.contains(&format!("pub fn {}", f.name)), "bindgen sees {}", f.name);
    }
}

#[test]
fn assertions_of_bindgen_are_read() {
    let text = "[\"Size of A\"] [:: std :: mem :: size_of :: < A > () - 1_000usize] ; [\"Offset of field: A::x\"] [o ! (A , x) - 4usize] ;";
    assert_eq!(assertions(text, "Size of ").get("A"), Some(&1000));
    assert_eq!(assertions(text, "Offset of field: ").get("A::x"), Some(&4));
    assert_eq!(consts("pub const N : u32 = 7 ; pub const M : i32 = - 1 ;").get("M"), Some(&-1));
}
