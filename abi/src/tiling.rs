//! Tiling structs: small plain structs that the host fills and a kernel reads, defined once in Rust.
//!
//! ```text
//! tiling_struct! { pub struct AddTiling { … } }
//!        ├─▶ #[repr(C)] Rust type, Pod, Default     host side, Rust kernels
//!        ├─▶ TilingStruct::LAYOUT                   names, C types, offsets, sizes as data
//!        └─▶ write_header                           C struct with static assertions, for Ascend C kernels
//! ```
//!
//! ```
//! toprope_abi::tiling_struct! {
//!     /// How an addition is cut into tiles.
//!     pub struct AddTiling {
//!         /// Number of elements in all.
//!         pub total_elements: u32,
//!         /// Number of elements of one tile.
//!         pub tile_elements: u32,
//!     }
//! }
//! use toprope_abi::tiling::TilingStruct;
//! assert_eq!(AddTiling::LAYOUT.size_bytes, 8);
//! let mut header = String::new();
//! toprope_abi::tiling::write_header("ADD_TILING_H", &[&AddTiling::LAYOUT], &mut header).unwrap();
//! assert!(header.contains("uint32_t tile_elements;"));
//! ```
//!
//! Allowed fields are integers of 8, 16, 32 and 64 bits, `f32`, and arrays of those whose length is a power of two;
//! padding has to be written out as a field. This is what x86-64, aarch64 and the AI Core lay out the same way;
//! everything else does not compile:
//!
//! ```compile_fail
//! toprope_abi::tiling_struct! { /// Bad: `usize` has no fixed size.
//! pub struct A { /// n
//! pub n: usize } }
//! ```
//! ```compile_fail
//! toprope_abi::tiling_struct! { /// Bad: three is no power of two.
//! pub struct A { /// n
//! pub n: [u32; 3] } }
//! ```
//! ```compile_fail
//! toprope_abi::tiling_struct! { /// Bad: four bytes of padding between the fields.
//! pub struct A { /// a
//! pub a: u32, /// b
//! pub b: u64 } }
//! ```

use crate::layout::{CTyped, StructLayout};
use core::fmt::{Result, Write};

#[doc(hidden)]
pub use bytemuck;

/// A type that a field of a tiling struct may have. Implemented here for all of them; not meant for other types.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a field of a tiling struct",
    label = "not one of the types that host and AI Core lay out the same way",
    note = "allowed are u8 i8 u16 i16 u32 i32 u64 i64 f32 and arrays of those whose length is a power of two"
)]
pub trait TilingField: CTyped + bytemuck::Pod {
    /// Fails to compile when the type breaks a rule that a trait bound cannot state.
    const CHECKED: ();
}

/// An element of an array field.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the element of an array in a tiling struct",
    note = "allowed are u8 i8 u16 i16 u32 i32 u64 i64 f32"
)]
pub trait TilingScalar: TilingField {}

macro_rules! scalars {
    ($($ty:ty)*) => { $(
        impl TilingField for $ty { const CHECKED: () = (); }
        impl TilingScalar for $ty {}
    )* };
}
scalars! { u8 i8 u16 i16 u32 i32 u64 i64 f32 }

impl<T: TilingScalar, const N: usize> TilingField for [T; N] {
    const CHECKED: () = assert!(
        N.is_power_of_two(),
        "the length of an array in a tiling struct is a power of two; add padding elements"
    );
}

/// A struct made by [`tiling_struct!`](crate::tiling_struct).
pub trait TilingStruct: bytemuck::Pod + Default {
    /// Names, C types, offsets and sizes.
    const LAYOUT: StructLayout;
}

/// Defines a tiling struct, see the [module](crate::tiling).
#[macro_export]
macro_rules! tiling_struct {
    (
        $(#[doc = $doc:literal])+
        $vis:vis struct $name:ident {
            $( $(#[doc = $fdoc:literal])+ $fvis:vis $field:ident : $fty:ty ),+ $(,)?
        }
    ) => {
        $(#[doc = $doc])+
        #[repr(C)]
        #[derive(Debug, Clone, Copy, PartialEq)]
        $vis struct $name {
            $( $(#[doc = $fdoc])+ $fvis $field: $fty, )+
        }

        const _: () = {
            const fn field<T: $crate::tiling::TilingField>() -> usize {
                () = T::CHECKED;
                ::core::mem::size_of::<T>()
            }
            let mut end_bytes = 0;
            $(
                let size_bytes = field::<$fty>();
                assert!(
                    ::core::mem::offset_of!($name, $field) == end_bytes,
                    concat!(
                        "tiling struct `", stringify!($name), "`: there would be padding before `",
                        stringify!($field), "`; write it out as a field, or sort the fields from large to small"
                    )
                );
                end_bytes += size_bytes;
            )+
            assert!(
                ::core::mem::size_of::<$name>() == end_bytes,
                concat!("tiling struct `", stringify!($name), "`: there would be padding at its end; write it out as a field")
            );
        };

        // SAFETY: `repr(C)`; the assertions above prove that there is no padding, and `TilingField` that every field is
        // a number or an array of numbers, for which any bytes are a value.
        #[allow(unsafe_code, reason = "proven by the assertions of this macro")]
        unsafe impl $crate::tiling::bytemuck::Zeroable for $name {}
        // SAFETY: as above.
        #[allow(unsafe_code, reason = "proven by the assertions of this macro")]
        unsafe impl $crate::tiling::bytemuck::Pod for $name {}

        impl ::core::default::Default for $name {
            fn default() -> Self {
                $crate::tiling::bytemuck::Zeroable::zeroed()
            }
        }

        impl $crate::tiling::TilingStruct for $name {
            const LAYOUT: $crate::layout::StructLayout = $crate::layout::StructLayout {
                name: stringify!($name),
                is_union: false,
                size_bytes: ::core::mem::size_of::<$name>(),
                align_bytes: ::core::mem::align_of::<$name>(),
                fields: &[$($crate::layout::FieldLayout {
                    name: stringify!($field),
                    ty: <$fty as $crate::layout::CTyped>::C,
                    offset_bytes: ::core::mem::offset_of!($name, $field),
                    size_bytes: ::core::mem::size_of::<$fty>(),
                    doc: concat!($($fdoc, "\n"),+),
                }),+],
                doc: concat!($($doc, "\n"),+),
            };
        }

        impl $crate::layout::CTyped for $name {
            const C: $crate::layout::CType = $crate::layout::CType::Named(stringify!($name));
        }
    };
}

/// Writes a C and C++ header with the structs of `layouts` and an assertion for every size and offset.
///
/// `guard` is the include guard, such as `ADD_TILING_H`.
///
/// # Errors
///
/// Only those of `out`.
pub fn write_header(guard: &str, layouts: &[&StructLayout], out: &mut dyn Write) -> Result {
    writeln!(out, "/* Written by toprope from a tiling_struct! in Rust; do not edit. */")?;
    writeln!(out, "#ifndef {guard}\n#define {guard}\n")?;
    out.write_str("#include <stddef.h>\n#include <stdint.h>\n")?;
    for layout in layouts {
        writeln!(out)?;
        write_struct(layout, out)?;
    }
    out.write_str(
        "\n#if defined(__cplusplus)\n#define TR_TILING_ASSERT(what, text) static_assert(what, text)\n",
    )?;
    out.write_str("#else\n#define TR_TILING_ASSERT(what, text) _Static_assert(what, text)\n#endif\n")?;
    for layout in layouts {
        write_assertions(layout, out)?;
    }
    writeln!(out, "#undef TR_TILING_ASSERT\n\n#endif /* {guard} */")
}

fn write_struct(layout: &StructLayout, out: &mut dyn Write) -> Result {
    for line in layout.doc.trim_end().lines() {
        writeln!(out, "//{}", line.trim_end())?;
    }
    writeln!(out, "typedef struct {} {{", layout.name)?;
    for f in layout.fields {
        for line in f.doc.trim_end().lines() {
            writeln!(out, "    //{}", line.trim_end())?;
        }
        writeln!(out, "    {};", f.ty.declare(f.name))?;
    }
    writeln!(out, "}} {};", layout.name)
}

fn write_assertions(layout: &StructLayout, out: &mut dyn Write) -> Result {
    let name = layout.name;
    writeln!(
        out,
        "TR_TILING_ASSERT(sizeof({name}) == {}, \"size of {name} as in Rust\");",
        layout.size_bytes
    )?;
    for f in layout.fields {
        writeln!(
            out,
            "TR_TILING_ASSERT(offsetof({name}, {0}) == {1}, \"place of {name}.{0} as in Rust\");",
            f.name, f.offset_bytes
        )?;
    }
    Ok(())
}
