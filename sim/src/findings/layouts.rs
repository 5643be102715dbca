//! Structures as the debug information of a program describes them: which have one name and two layouts.
//!
//! Host and kernel agree on tiling data by a structure that both define. If its definitions differ between two source files, the
//! kernel reads other fields than the host wrote. Looked at are structures at namespace level whose name speaks of tiling, in
//! the user's own files; a tiling class of the host (`BEGIN_TILING_DATA_DEF`) counts as the structure that it writes, whatever its
//! namespace. Not looked at: unnamed namespaces and functions (their structures are their own), template arguments,
//! programs without debug information.

use super::host_tiling;
use super::symbols::is_ours;
use addr2line::gimli::{self, AttributeValue, Dwarf, EndianSlice, LittleEndian, Unit};
use object::{Object, ObjectSection};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

pub(super) type Reader<'a> = EndianSlice<'a, LittleEndian>;
pub(super) type Entry<'a, 'u> = gimli::DebuggingInformationEntry<'u, 'u, Reader<'a>>;

/// A member of a structure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// From the start of the structure.
    pub offset: u64,
    /// Its size; 0: not known.
    pub bytes: u64,
}

/// One definition of a structure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Qualified name.
    pub name: String,
    /// Size.
    pub bytes: u64,
    /// In order of the definition.
    pub fields: Vec<Field>,
    /// File and line.
    pub place: (String, u64),
    /// It is what a tiling class of the host writes.
    pub is_class: bool,
}

impl Layout {
    fn is_same_as(&self, other: &Layout) -> bool {
        self.bytes == other.bytes && self.fields == other.fields
    }

    /// The member at a place in the order, with the bytes in front of it that belong to no member.
    fn padding_before(&self, at: usize) -> u64 {
        let end = match at.checked_sub(1).and_then(|before| self.fields.get(before)) {
            Some(before) => before.offset + before.bytes,
            None => 0,
        };
        self.fields.get(at).map_or(self.bytes, |f| f.offset).saturating_sub(end)
    }
}

/// Whether a name speaks of tiling.
fn is_tiling(name: &str) -> bool {
    name.to_ascii_lowercase().contains("tiling")
}

/// The definitions of tiling structures in a program or library.
pub fn of_file(path: &Path) -> Vec<Layout> {
    let Ok(bytes) = std::fs::read(path) else { return Vec::new() };
    let Ok(file) = object::File::parse(&*bytes) else { return Vec::new() };
    let section = |id: gimli::SectionId| -> Result<Cow<'_, [u8]>, gimli::Error> {
        let data = file.section_by_name(id.name()).and_then(|s| s.uncompressed_data().ok());
        Ok(data.unwrap_or_default())
    };
    let Ok(sections) = gimli::DwarfSections::load(section) else { return Vec::new() };
    let dwarf = sections.borrow(|data| EndianSlice::new(data, LittleEndian));
    let mut found = Vec::new();
    let mut units = dwarf.units();
    while let Ok(Some(header)) = units.next() {
        if let Ok(unit) = dwarf.unit(header) {
            let _ = of_unit(&dwarf, &unit, &mut found);
        }
    }
    found
}

fn of_unit<'a>(
    dwarf: &Dwarf<Reader<'a>>,
    unit: &Unit<Reader<'a>>,
    found: &mut Vec<Layout>,
) -> gimli::Result<()> {
    let mut tree = unit.entries_tree(None)?;
    let root = tree.root()?;
    let mut open = vec![(root.entry().offset(), String::new())];
    while let Some((at, space)) = open.pop() {
        let mut tree = unit.entries_tree(Some(at))?;
        let mut children = tree.root()?.children();
        while let Some(child) = children.next()? {
            let entry = child.entry();
            let is_struct = matches!(entry.tag(), gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type);
            if !is_struct && entry.tag() != gimli::DW_TAG_namespace {
                continue;
            }
            let Some(name) = text(dwarf, unit, entry, gimli::DW_AT_name) else { continue };
            let name = if space.is_empty() { name } else { format!("{space}::{name}") };
            if !is_struct {
                open.push((entry.offset(), name));
            } else if is_tiling(&name) && !name.contains('<') {
                let (bytes, place) = (number(entry, gimli::DW_AT_byte_size), place(dwarf, unit, entry));
                let (Some(bytes), Some(place)) = (bytes, place) else { continue };
                if is_ours(&place.0) {
                    continue;
                }
                if host_tiling::is_class(dwarf, unit, entry.offset()) {
                    let shape = host_tiling::shape_of(dwarf, unit, entry.offset());
                    found.extend(shape.map(|(fields, bytes, _)| Layout {
                        name,
                        bytes,
                        fields,
                        place,
                        is_class: true,
                    }));
                } else {
                    let fields = fields(dwarf, unit, child)?;
                    found.push(Layout { name, bytes, fields, place, is_class: false });
                }
            }
        }
    }
    Ok(())
}

fn fields<'a>(
    dwarf: &Dwarf<Reader<'a>>,
    unit: &Unit<Reader<'a>>,
    of: gimli::EntriesTreeNode<'_, '_, '_, Reader<'a>>,
) -> gimli::Result<Vec<Field>> {
    let mut fields = Vec::new();
    let mut children = of.children();
    while let Some(child) = children.next()? {
        let entry = child.entry();
        // A static member has no place in the structure.
        let offset = number(entry, gimli::DW_AT_data_member_location);
        if let (gimli::DW_TAG_member, Some(offset)) = (entry.tag(), offset) {
            let name = text(dwarf, unit, entry, gimli::DW_AT_name).unwrap_or_default();
            let bytes = size_of_type(unit, entry, 0).unwrap_or(0);
            fields.push(Field { name, offset, bytes });
        }
    }
    Ok(fields)
}

/// Size of the type of an entry.
fn size_of_type(unit: &Unit<Reader<'_>>, entry: &Entry<'_, '_>, depth: u32) -> Option<u64> {
    let AttributeValue::UnitRef(at) = entry.attr_value(gimli::DW_AT_type).ok()?? else { return None };
    let ty = unit.entry(at).ok().filter(|_| depth < 16)?;
    if ty.tag() != gimli::DW_TAG_array_type {
        let size = number(&ty, gimli::DW_AT_byte_size);
        let is_address = matches!(ty.tag(), gimli::DW_TAG_pointer_type | gimli::DW_TAG_reference_type);
        return size.or(is_address.then_some(8)).or_else(|| size_of_type(unit, &ty, depth + 1));
    }
    let mut size = size_of_type(unit, &ty, depth + 1)?;
    let mut tree = unit.entries_tree(Some(at)).ok()?;
    let mut children = tree.root().ok()?.children();
    while let Some(child) = children.next().ok()? {
        let bound = child.entry();
        if bound.tag() == gimli::DW_TAG_subrange_type {
            let count = number(bound, gimli::DW_AT_count);
            size *= count.or_else(|| Some(number(bound, gimli::DW_AT_upper_bound)? + 1))?;
        }
    }
    Some(size)
}

pub(super) fn number(entry: &Entry<'_, '_>, which: gimli::DwAt) -> Option<u64> {
    entry.attr_value(which).ok()??.udata_value()
}

pub(super) fn text<'a>(
    dwarf: &Dwarf<Reader<'a>>,
    unit: &Unit<Reader<'a>>,
    entry: &Entry<'a, '_>,
    which: gimli::DwAt,
) -> Option<String> {
    let value = entry.attr_value(which).ok()??;
    Some(dwarf.attr_string(unit, value).ok()?.to_string_lossy().into_owned())
}

fn place<'a>(
    dwarf: &Dwarf<Reader<'a>>,
    unit: &Unit<Reader<'a>>,
    entry: &Entry<'a, '_>,
) -> Option<(String, u64)> {
    let line = number(entry, gimli::DW_AT_decl_line).unwrap_or(0);
    let AttributeValue::FileIndex(index) = entry.attr_value(gimli::DW_AT_decl_file).ok()?? else {
        return None;
    };
    let header = unit.line_program.as_ref()?.header();
    let file = header.file(index)?;
    let text = |value| Some(dwarf.attr_string(unit, value).ok()?.to_string_lossy().into_owned());
    let name = text(file.path_name())?;
    let directory = file.directory(header).and_then(text).unwrap_or_default();
    let path = if directory.is_empty() { name } else { format!("{directory}/{name}") };
    Some((path, line))
}

/// Pairs of definitions with one name and different layouts; of several the first two. A class of the host is compared with the kernel's
/// structure of its name in any namespace.
pub fn differing(layouts: Vec<Layout>) -> Vec<(Layout, Layout)> {
    let mut by_name: BTreeMap<(bool, String), Vec<Layout>> = BTreeMap::new();
    let (classes, plain): (Vec<Layout>, Vec<Layout>) = layouts.into_iter().partition(|l| l.is_class);
    let last = |l: &Layout| l.name.rsplit("::").next().unwrap_or_default().to_owned();
    let mut pairs: Vec<(Layout, Layout)> = Vec::new();
    for class in &classes {
        let known = |(c, _): &(Layout, Layout)| c.name == class.name;
        let other = plain.iter().find(|p| last(p) == last(class) && host_tiling::disagree(class, p));
        if let Some(other) = other.filter(|_| !pairs.iter().any(known)) {
            pairs.push((class.clone(), other.clone()));
        }
    }
    for layout in classes.into_iter().chain(plain) {
        let known = by_name.entry((layout.is_class, layout.name.clone())).or_default();
        if !known.iter().any(|other| other.is_same_as(&layout)) {
            known.push(layout);
        }
    }
    let pair = |known: Vec<Layout>| {
        let mut known = known.into_iter();
        Some((known.next()?, known.next()?))
    };
    pairs.extend(by_name.into_values().filter_map(pair));
    pairs
}

/// Both definitions side by side, the first difference marked, and the name of the field there.
pub fn table(a: &Layout, b: &Layout) -> (Vec<String>, String) {
    let cell = |layout: &Layout, at: usize| match layout.fields.get(at) {
        Some(f) => format!("{:>6} {:>5}  {}", f.offset, f.bytes, f.name),
        None => String::new(),
    };
    let padding = |layout: &Layout, at: usize| match layout.padding_before(at) {
        0 => String::new(),
        bytes => format!("{:>6} {bytes:>5}  (padding)", ""),
    };
    let name_of = |path: &str| {
        Path::new(path).file_name().map_or_else(|| path.into(), |n| n.to_string_lossy().into_owned())
    };
    let head = |layout: &Layout| format!("{}:{}", name_of(&layout.place.0), layout.place.1);
    let mut lines =
        vec![format!("{:<40}| {}", head(a), head(b)), format!("{0:<40}| {0}", "offset bytes  field")];
    let (mut first, mut end) = (String::new(), false);
    for at in 0..=a.fields.len().max(b.fields.len()) {
        if at <= a.fields.len() && at <= b.fields.len() {
            let (left, right) = (padding(a, at), padding(b, at));
            if !left.is_empty() || !right.is_empty() {
                lines.push(format!("{left:<40}| {right}"));
            }
        }
        let is_first = !end && a.fields.get(at) != b.fields.get(at);
        if is_first {
            let name = |layout: &Layout| layout.fields.get(at).map(|f| f.name.clone());
            first = name(a).or_else(|| name(b)).unwrap_or_default();
            end = true;
        }
        let (left, right) = (cell(a, at), cell(b, at));
        if !left.is_empty() || !right.is_empty() {
            lines.push(format!(
                "{left:<40}| {right:<30}{}",
                if is_first { "  <-- first difference" } else { "" }
            ));
        }
    }
    lines.push(format!("{:>6} {:>5}  {:<26}| {:>6} {:>5}  in all", "", a.bytes, "in all", "", b.bytes));
    (lines.into_iter().map(|line| line.trim_end().to_owned()).collect(), first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(bytes: u64, fields: &[(&str, u64, u64)]) -> Layout {
        let field = |(name, offset, bytes): &(&str, u64, u64)| Field {
            name: (*name).into(),
            offset: *offset,
            bytes: *bytes,
        };
        Layout {
            name: "AddTiling".into(),
            bytes,
            fields: fields.iter().map(field).collect(),
            place: ("a/host.cpp".into(), 7),
            is_class: false,
        }
    }

    #[test]
    fn one_name_and_two_layouts_are_found_once() {
        let a = layout(16, &[("total", 0, 4), ("scale", 8, 8)]);
        let b = layout(12, &[("total", 0, 4), ("tile", 4, 4), ("scale", 8, 4)]);
        let pairs = differing(vec![a.clone(), a.clone(), b.clone(), b.clone()]);
        assert_eq!(pairs, [(a.clone(), b.clone())]);
        assert!(differing(vec![a.clone(), a.clone()]).is_empty());
        let (lines, first) = table(&a, &b);
        assert_eq!(first, "scale");
        let all = lines.join("\n");
        assert!(all.contains("4  (padding)") && all.contains("<-- first difference"), "{all}");
        assert_eq!(all.matches("<--").count(), 1, "{all}");
    }

    #[test]
    fn names_that_speak_of_tiling() {
        assert!(is_tiling("optiling::AddTilingData") && is_tiling("tiling_data") && !is_tiling("Tile"));
    }
}
