//! Tiling classes of the host (`BEGIN_TILING_DATA_DEF`) as the structures whose bytes they write.
//!
//! Such a class keeps its fields in a buffer; for each it has a member `tr_at_NAME` of a type `TilingField<T>` (or `TilingPart<T>` for another
//! tiling class), so the debug information knows name and type. Places follow from these as C lays a structure out.
//!
//! Not looked at: fields that are plain structures; then nothing is known of the class.

use super::layouts::{Entry, Field, Layout, Reader, number, text};
use addr2line::gimli::{self, AttributeValue, Dwarf, Unit, UnitOffset};

const BASE: &str = "TilingDef";
const PREFIX: &str = "tr_at_";
/// Classes in classes.
const MOST_DEPTH: u32 = 8;
/// Structures for the kernel are rounded up to this on the way.
const UNIT_BYTES: u64 = 8;

/// Fields, bytes and alignment.
type Shape = (Vec<Field>, u64, u64);

struct Reading<'a, 'u> {
    dwarf: &'u Dwarf<Reader<'a>>,
    unit: &'u Unit<Reader<'a>>,
}

fn type_of(entry: &Entry<'_, '_>) -> Option<UnitOffset> {
    match entry.attr_value(gimli::DW_AT_type).ok()?? {
        AttributeValue::UnitRef(at) => Some(at),
        _ => None,
    }
}

/// The structure that a class writes; `None`: it is no tiling class, or it is not understood.
pub fn shape_of<'a>(dwarf: &Dwarf<Reader<'a>>, unit: &Unit<Reader<'a>>, class: UnitOffset) -> Option<Shape> {
    Reading { dwarf, unit }.shape_of(class, 0)
}

/// Whether a class is one of the macros'.
pub fn is_class<'a>(dwarf: &Dwarf<Reader<'a>>, unit: &Unit<Reader<'a>>, class: UnitOffset) -> bool {
    let reading = Reading { dwarf, unit };
    let bases = reading.children(class, |entry| {
        let is_base = entry.tag() == gimli::DW_TAG_inheritance;
        is_base.then(|| reading.name_of(type_of(entry)?)).flatten()
    });
    bases.iter().any(|name| name == BASE)
}

impl<'a, 'u> Reading<'a, 'u> {
    /// What `f` makes of the children of an entry.
    fn children<T>(&self, at: UnitOffset, mut f: impl FnMut(&Entry<'a, '_>) -> Option<T>) -> Vec<T> {
        let mut all = Vec::new();
        let Ok(mut tree) = self.unit.entries_tree(Some(at)) else { return all };
        let Ok(root) = tree.root() else { return all };
        let mut children = root.children();
        while let Ok(Some(child)) = children.next() {
            all.extend(f(child.entry()));
        }
        all
    }

    fn name_of(&self, at: UnitOffset) -> Option<String> {
        text(self.dwarf, self.unit, &self.unit.entry(at).ok()?, gimli::DW_AT_name)
    }

    fn shape_of(&self, class: UnitOffset, depth: u32) -> Option<Shape> {
        if depth > MOST_DEPTH || !is_class(self.dwarf, self.unit, class) {
            return None;
        }
        let members = self.children(class, |entry| {
            let name = text(self.dwarf, self.unit, entry, gimli::DW_AT_name)?;
            let name = name.strip_prefix(PREFIX)?.to_owned();
            (entry.tag() == gimli::DW_TAG_member).then(|| (name, type_of(entry)))
        });
        let (mut fields, mut end, mut most) = (Vec::new(), 0_u64, 1);
        for (name, ty) in members {
            let (bytes, align) = self.of_field(ty?, depth)?;
            let offset = end.next_multiple_of(align);
            (end, most) = (offset + bytes, most.max(align));
            fields.push(Field { name, offset, bytes });
        }
        Some((fields, end.next_multiple_of(most), most))
    }

    /// Bytes and alignment of the type that a `TilingField` or `TilingPart` names.
    fn of_field(&self, ty: UnitOffset, depth: u32) -> Option<(u64, u64)> {
        let name = self.name_of(ty)?;
        let named = self.children(ty, |entry| {
            (entry.tag() == gimli::DW_TAG_template_type_parameter).then(|| type_of(entry)).flatten()
        });
        let inner = *named.first()?;
        if name.starts_with("TilingPart") {
            let (_, bytes, align) = self.shape_of(inner, depth + 1)?;
            return Some((bytes, align));
        }
        self.of_type(inner, 0)
    }

    fn of_type(&self, at: UnitOffset, depth: u32) -> Option<(u64, u64)> {
        let ty = self.unit.entry(at).ok().filter(|_| depth < 16)?;
        match ty.tag() {
            gimli::DW_TAG_base_type | gimli::DW_TAG_enumeration_type => {
                let bytes = number(&ty, gimli::DW_AT_byte_size).filter(|b| b.is_power_of_two())?;
                Some((bytes, bytes))
            }
            gimli::DW_TAG_typedef | gimli::DW_TAG_const_type => self.of_type(type_of(&ty)?, depth + 1),
            gimli::DW_TAG_array_type => {
                let (bytes, align) = self.of_type(type_of(&ty)?, depth + 1)?;
                let counts = self.children(at, |bound| {
                    let count = number(bound, gimli::DW_AT_count);
                    count.or_else(|| Some(number(bound, gimli::DW_AT_upper_bound)? + 1))
                });
                Some((bytes * counts.iter().product::<u64>(), align))
            }
            _ => None,
        }
    }
}

/// Whether the kernel reads other fields from a structure than the class has written: a field of the same name is elsewhere or has another
/// size, two fields at one place have different sizes, or the structures are not of one size. Names may differ where places do not.
pub fn disagree(class: &Layout, plain: &Layout) -> bool {
    let size = |layout: &Layout| layout.bytes.next_multiple_of(UNIT_BYTES);
    let is_same = |a: &Field, b: &Field| (a.offset, a.bytes) == (b.offset, b.bytes);
    let wrong = |a: &Field, b: &Field| (a.name == b.name || a.offset == b.offset) && !is_same(a, b);
    size(class) != size(plain)
        || class.fields.iter().any(|a| plain.fields.iter().any(|b| b.bytes != 0 && wrong(a, b)))
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
        let fields = fields.iter().map(field).collect();
        Layout { name: "T".into(), bytes, fields, place: ("host.cpp".into(), 1), is_class: false }
    }

    #[test]
    fn places_count_and_names_where_both_have_them() {
        let host = layout(12, &[("total", 0, 4), ("tile", 4, 4), ("scale", 8, 4)]);
        let differs = |bytes, fields| disagree(&host, &layout(bytes, fields));
        assert!(!differs(12, &[("total", 0, 4), ("tile", 4, 4), ("scale", 8, 4)]));
        assert!(!differs(16, &[("length", 0, 4), ("tile", 4, 4), ("scale", 8, 4), ("room", 12, 4)]));
        assert!(differs(12, &[("tile", 0, 4), ("total", 4, 4), ("scale", 8, 4)]), "exchanged");
        assert!(differs(16, &[("all", 0, 8), ("scale", 8, 4)]), "two sizes at one place");
        assert!(differs(20, &[("total", 0, 4), ("tile", 4, 4), ("scale", 8, 4), ("more", 12, 8)]), "longer");
    }
}
