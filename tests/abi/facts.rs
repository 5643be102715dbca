//! What Rust says about everything the C headers declare: structs with sizes and offsets, constants with values.
//! The C compiler ([`c_view`](crate::c_view)) and bindgen ([`bindgen_view`](crate::bindgen_view)) are asked the same.

use crate::drift::TILING_HEADERS;
use std::collections::BTreeMap;
use toprope_abi::layout::{CType, FieldLayout, StructLayout};
use toprope_abi::{acl, core_face, fwk, isa};

/// Headers with C declarations, as a program includes them, below the folders of [`include_dirs`].
pub const HEADERS: &[&str] =
    &["acl/acl.h", "acl/acl_rt_memory_soma.h", "toprope/core.h", "toprope/fwk.h", "toprope/isa.h"];

/// Folders for `-I`.
pub fn include_dirs() -> Vec<String> {
    let root = crate::drift::root();
    let mut dirs = vec![root.join("abi/include")];
    dirs.extend(
        TILING_HEADERS.iter().map(|h| root.join(h.path).parent().expect("in a folder").to_path_buf()),
    );
    dirs.into_iter().map(|d| d.display().to_string()).collect()
}

/// `#include` lines for all headers.
pub fn includes() -> String {
    let tilings = TILING_HEADERS.iter().map(|h| h.path.rsplit('/').next().expect("a file name"));
    HEADERS.iter().copied().chain(tilings).map(|h| format!("#include \"{h}\"\n")).collect()
}

/// One shared struct: size, and offsets by field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Struct {
    /// Bytes.
    pub size: usize,
    /// Bytes; not known for every table.
    pub align: Option<usize>,
    /// Name, offset in bytes.
    pub fields: Vec<(String, usize)>,
}

/// All shared structs and unions by C name.
pub fn structs() -> BTreeMap<String, Struct> {
    let tiling = TILING_HEADERS.iter().flat_map(|h| h.layouts.iter().copied());
    let dim3 = acl::Dim3::LAYOUT;
    let mut all: BTreeMap<String, Struct> = acl::RT_STRUCTS
        .iter()
        .chain(fwk::FWK_LAYOUTS)
        .chain([&dim3])
        .chain(tiling)
        .map(|layout| (layout.name.to_owned(), of_layout(layout)))
        .collect();
    for (name, size, fields) in core_face::LAYOUTS {
        let fields = fields.iter().map(|(field, offset)| ((*field).to_owned(), *offset)).collect();
        all.insert((*name).to_owned(), Struct { size: *size, align: None, fields });
    }
    all
}

fn of_layout(layout: &StructLayout) -> Struct {
    Struct {
        size: layout.size_bytes,
        align: Some(layout.align_bytes),
        fields: layout.fields.iter().flat_map(flat).collect(),
    }
}

/// A field, or the fields of a nameless union at its place.
fn flat(f: &FieldLayout) -> Vec<(String, usize)> {
    if !f.name.is_empty() {
        return vec![(f.name.to_owned(), f.offset_bytes)];
    }
    let inner = acl::RT_STRUCTS.iter().find(|s| f.ty == CType::Named(s.name)).expect("a union of the table");
    inner.fields.iter().map(|i| (i.name.to_owned(), f.offset_bytes + i.offset_bytes)).collect()
}

/// All constants by C name.
pub fn constants() -> BTreeMap<String, i64> {
    let mut all = BTreeMap::new();
    acl_constants(&mut all);
    isa_constants(&mut all);
    core_constants(&mut all);
    fwk_constants(&mut all);
    all
}

type Constants = BTreeMap<String, i64>;

fn acl_constants(all: &mut Constants) {
    all.extend([
        ("ACL_SUCCESS".to_owned(), 0),
        ("ACL_ERROR_NONE".to_owned(), 0),
        ("ACL_RT_SUCCESS".to_owned(), 0),
    ]);
    all.extend(acl::ERRORS.iter().map(|row| (row.name.to_owned(), i64::from(row.code.0))));
    all.extend(acl::RT_CONSTS.iter().map(|(c, _)| (c.name.to_owned(), c.value)));
    let enums = acl::BASE_ENUMS.iter().chain(acl::RT_ENUMS);
    all.extend(enums.flat_map(|e| e.values).map(|v| (v.name.to_owned(), v.value)));
}

fn isa_constants(all: &mut Constants) {
    let spelled = |text: &str| {
        text.chars()
            .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' })
            .collect::<String>()
    };
    all.extend(isa::PIPES.iter().map(|(v, name)| (format!("TR_PIPE_{name}"), *v as i64)));
    all.extend(isa::SPACES.iter().map(|(v, name)| (format!("TR_SPACE_{name}"), *v as i64)));
    all.extend(isa::SPRS.iter().map(|(v, name)| (format!("TR_SPR_{name}"), *v as i64)));
    all.extend(isa::OPS.iter().map(|row| (format!("TR_OP_{}", spelled(row.intrinsic)), row.op as i64)));
    all.extend(
        isa::layout::FIELDS.iter().map(|(v, name, _)| (format!("TR_FIELD_{}", spelled(name)), *v as i64)),
    );
}

fn core_constants(all: &mut Constants) {
    all.insert("TR_CORE_ABI_VERSION".to_owned(), core_face::CORE_ABI_VERSION.into());
    all.insert("TR_SPACE_SHIFT".to_owned(), core_face::SPACE_SHIFT.into());
    all.insert("TR_MODULE_MAGIC".to_owned(), core_face::MODULE_MAGIC.into());
    all.extend(core_face::REFUSALS.iter().map(|(v, name, _)| (format!("TR_REFUSE_{name}"), *v as i64)));
    all.extend(core_face::ANNOTATIONS.iter().map(|(v, name, _)| (format!("TR_NOTE_{name}"), *v as i64)));
    all.extend(core_face::KERNEL_TYPES.iter().map(|(v, name)| (format!("TR_KERNEL_{name}"), *v as i64)));
}

fn fwk_constants(all: &mut Constants) {
    all.extend(fwk::FwkCore::ALL.iter().map(|(v, name)| (format!("TR_FWK_CORE_{name}"), *v as i64)));
    all.extend(fwk::TPosition::ALL.iter().map(|(v, name)| (format!("TR_FWK_POSITION_{name}"), *v as i64)));
    all.extend(fwk::MemoryKind::ALL.iter().map(|(v, name)| (format!("TR_FWK_MEMORY_{name}"), *v as i64)));
    all.extend(fwk::HardEvent::ALL.iter().map(|(v, name)| (format!("TR_FWK_EVENT_{name}"), *v as i64)));
    all.extend(fwk::FWK_ERRORS.iter().map(|(v, name, _)| (format!("TR_FWK_ERROR_{name}"), *v as i64)));
}
