//! How a type of this crate is spelled and laid out in C.
//!
//! Every struct, enum and function that crosses a language border is described by plain data of this module, so that
//! one generator writes the C headers and one test compares sizes and offsets with what a C compiler says.
//!
//! ```text
//! #[repr(C)] type ──impl CTyped──▶ CType ("const char*")        ─┐
//! struct macro / layout_of! ─────▶ StructLayout (fields, offsets) ├─▶ generated headers, layout tests
//! enum macro ────────────────────▶ EnumLayout (names, values)    ─┘
//! ```
//!
//! Does not model: bit fields, packed structs, `long double`.

use core::ffi::c_void;
use core::fmt;

/// A C type as it is written in a declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CType {
    /// `void`.
    Void,
    /// A type with a name: `uint32_t`, `aclrtStream`.
    Named(&'static str),
    /// `T*`.
    Ptr(&'static CType),
    /// `const T*`.
    ConstPtr(&'static CType),
    /// `T name[n]`.
    Array(&'static CType, usize),
}

impl CType {
    /// Writes `self` as the declaration of `name`: `const char* path`, `uint32_t rsv[4]`.
    pub fn declare<'a>(&'a self, name: &'a str) -> impl fmt::Display + 'a {
        Declaration { ty: self, name }
    }
}

impl fmt::Display for CType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CType::Void => f.write_str("void"),
            CType::Named(name) => f.write_str(name),
            CType::Ptr(to) => write!(f, "{to}*"),
            CType::ConstPtr(to @ (CType::Ptr(_) | CType::ConstPtr(_))) => write!(f, "{to} const*"),
            CType::ConstPtr(to) => write!(f, "const {to}*"),
            CType::Array(of, n) => write!(f, "{of}[{n}]"),
        }
    }
}

struct Declaration<'a> {
    ty: &'a CType,
    name: &'a str,
}

impl fmt::Display for Declaration<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.ty {
            CType::Array(of, n) => write!(f, "{}[{n}]", Declaration { ty: of, name: self.name }),
            ty => write!(f, "{ty} {}", self.name),
        }
    }
}

/// A Rust type that has a C spelling with the same layout.
pub trait CTyped {
    /// The C spelling.
    const C: CType;
}

/// The C type `char`. A type of its own because `c_char` is `i8` on x86-64 and `u8` on aarch64, and the header has to
/// come out the same on both. Pointers are cast: `CStr::from_ptr(p.cast())`.
#[repr(transparent)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CChar(pub core::ffi::c_char);

/// The C type `int`, which some functions use where others say `int32_t`.
#[repr(transparent)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CInt(pub core::ffi::c_int);

macro_rules! c_names {
    ($($rust:ty => $c:expr;)*) => { $(impl CTyped for $rust { const C: CType = $c; })* };
}
c_names! {
    () => CType::Void;
    c_void => CType::Void;
    CChar => CType::Named("char");
    CInt => CType::Named("int");
    u8 => CType::Named("uint8_t");
    i8 => CType::Named("int8_t");
    u16 => CType::Named("uint16_t");
    i16 => CType::Named("int16_t");
    u32 => CType::Named("uint32_t");
    i32 => CType::Named("int32_t");
    u64 => CType::Named("uint64_t");
    i64 => CType::Named("int64_t");
    usize => CType::Named("size_t");
    f32 => CType::Named("float");
    f64 => CType::Named("double");
}
impl<T: CTyped> CTyped for *mut T {
    const C: CType = CType::Ptr(&T::C);
}
impl<T: CTyped> CTyped for *const T {
    const C: CType = CType::ConstPtr(&T::C);
}
impl<T: CTyped, const N: usize> CTyped for [T; N] {
    const C: CType = CType::Array(&T::C, N);
}

/// One field of a shared struct or union.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldLayout {
    /// Name in C.
    pub name: &'static str,
    /// Type in C.
    pub ty: CType,
    /// Distance from the start of the struct, bytes.
    pub offset_bytes: usize,
    /// Size, bytes.
    pub size_bytes: usize,
    /// What it means.
    pub doc: &'static str,
}

/// A struct or union shared by Rust and C, as Rust lays it out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StructLayout {
    /// Name in C.
    pub name: &'static str,
    /// `true` for a union.
    pub is_union: bool,
    /// Size, bytes.
    pub size_bytes: usize,
    /// Alignment, bytes.
    pub align_bytes: usize,
    /// Fields in order.
    pub fields: &'static [FieldLayout],
    /// What it is.
    pub doc: &'static str,
}

/// One name of a C enum or one integer constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConstLayout {
    /// Name in C.
    pub name: &'static str,
    /// Value.
    pub value: i64,
    /// What it means.
    pub doc: &'static str,
}

/// A C enum; in Rust a 32-bit newtype, so that any value that comes from C is valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EnumLayout {
    /// Name in C.
    pub name: &'static str,
    /// Names and values in order.
    pub values: &'static [ConstLayout],
    /// What it selects.
    pub doc: &'static str,
}

/// Describes an existing `#[repr(C)]` struct: `layout_of!(TrCore as "TrCore" { kind, block_idx, … })`.
///
/// Rust and C field names are the same. Field types must be [`CTyped`](crate::layout::CTyped) and are given again
/// after a colon; a wrong type does not compile. Evaluates to a [`StructLayout`](crate::layout::StructLayout).
#[macro_export]
macro_rules! layout_of {
    ($ty:ty as $c:literal { $($field:ident : $fty:ty),* $(,)? }) => {{
        $(const _: fn(&$ty) -> &$fty = |s| &s.$field;)*
        $crate::layout::StructLayout {
            name: $c,
            is_union: false,
            size_bytes: ::core::mem::size_of::<$ty>(),
            align_bytes: ::core::mem::align_of::<$ty>(),
            fields: &[$($crate::layout::FieldLayout {
                name: stringify!($field),
                ty: <$fty as $crate::layout::CTyped>::C,
                offset_bytes: ::core::mem::offset_of!($ty, $field),
                size_bytes: ::core::mem::size_of::<$fty>(),
                doc: "",
            }),*],
            doc: "",
        }
    }};
}
