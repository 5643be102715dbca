//! Moves of the cube core: GM to L1, L1 to L0A/L0B/BT/FB, L1 to GM, constant fills.
//!
//! | kind | x0 | x1 | x2 | x3 |
//! |---|---|---|---|---|
//! | `Nd2Nz` | dst | src | configuration | second configuration |
//! | `Load2d` | dst | src | configuration | second configuration: transposition, address mode |
//!
//! Plain bursts GM → L1 and L1 → GM are `CopyBurst` rows.
//!
//! Source: the public AscendNPU-IR c220 library. It has no loads from GM and not every element type of the others; the missing spellings
//! are formed like those it has and marked `Assumed`. Loads move bytes, so only the width of a type matters.

use super::Path;

/// What an instruction of this family does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LoadKind {
    /// GM → L1, rows of matrices to columns of 32-byte blocks.
    Nd2Nz,
    /// 512-byte fractals, each as it is or transposed.
    Load2d(Path),
}

#[rustfmt::skip]
macro_rules! load_rows {
    ([$($tail:ident)*] $($rows:tt)*) => { chain! { [$($tail)*] $($rows)*
        // variant, intrinsic, kind, destination, source, pipe, layout, provenance, cost
        MovOutToL1V220, "MOV.OUT.TO.L1.v220", CopyBurst(Path::GmToL1), B8, B8, Mte2, Burst, Verified, GmToL1;
        MovL1ToOutV220Cube, "MOV.L1.TO.OUT.V220.CUBE", CopyBurst(Path::L1ToGm), B8, B8, Mte3, Burst, Verified, L1ToGm;
        Nd2nzS8, "MOV.OUT.TO.L1.MULTI.ND2NZ.s8", Load(LoadKind::Nd2Nz), S8, S8, Mte2, Nd2Nz, Verified, GmToL1;
        Nd2nzU8, "MOV.OUT.TO.L1.MULTI.ND2NZ.u8", Load(LoadKind::Nd2Nz), U8, U8, Mte2, Nd2Nz, Verified, GmToL1;
        Nd2nzF16, "MOV.OUT.TO.L1.MULTI.ND2NZ.f16", Load(LoadKind::Nd2Nz), F16, F16, Mte2, Nd2Nz, Verified, GmToL1;
        Nd2nzBf16, "MOV.OUT.TO.L1.MULTI.ND2NZ.bf16", Load(LoadKind::Nd2Nz), Bf16, Bf16, Mte2, Nd2Nz, Verified, GmToL1;
        Nd2nzS16, "MOV.OUT.TO.L1.MULTI.ND2NZ.s16", Load(LoadKind::Nd2Nz), S16, S16, Mte2, Nd2Nz, Verified, GmToL1;
        Nd2nzU16, "MOV.OUT.TO.L1.MULTI.ND2NZ.u16", Load(LoadKind::Nd2Nz), U16, U16, Mte2, Nd2Nz, Verified, GmToL1;
        Nd2nzF32, "MOV.OUT.TO.L1.MULTI.ND2NZ.f32s", Load(LoadKind::Nd2Nz), F32, F32, Mte2, Nd2Nz, Verified, GmToL1;
        Nd2nzS32, "MOV.OUT.TO.L1.MULTI.ND2NZ.s32s", Load(LoadKind::Nd2Nz), S32, S32, Mte2, Nd2Nz, Verified, GmToL1;
        Nd2nzU32, "MOV.OUT.TO.L1.MULTI.ND2NZ.u32s", Load(LoadKind::Nd2Nz), U32, U32, Mte2, Nd2Nz, Verified, GmToL1;
        LoadL1ToL0a2dS4, "LOAD.L1.TO.L0A.2D.V220.s4.addr", Load(LoadKind::Load2d(Path::L1ToL0a)), S4, S4, Mte1, Load2d, Verified, L1ToL0a;
        LoadL1ToL0a2dS8, "LOAD.L1.TO.L0A.2D.V220.s8.addr", Load(LoadKind::Load2d(Path::L1ToL0a)), S8, S8, Mte1, Load2d, Verified, L1ToL0a;
        LoadL1ToL0a2dU8, "LOAD.L1.TO.L0A.2D.V220.u8.addr", Load(LoadKind::Load2d(Path::L1ToL0a)), U8, U8, Mte1, Load2d, Assumed, L1ToL0a;
        LoadL1ToL0a2dF16, "LOAD.L1.TO.L0A.2D.V220.f16.addr", Load(LoadKind::Load2d(Path::L1ToL0a)), F16, F16, Mte1, Load2d, Verified, L1ToL0a;
        LoadL1ToL0a2dBf16, "LOAD.L1.TO.L0A.2D.V220.bf16.addr", Load(LoadKind::Load2d(Path::L1ToL0a)), Bf16, Bf16, Mte1, Load2d, Assumed, L1ToL0a;
        LoadL1ToL0a2dF32, "LOAD.L1.TO.L0A.2D.V220.f32.addr", Load(LoadKind::Load2d(Path::L1ToL0a)), F32, F32, Mte1, Load2d, Assumed, L1ToL0a;
        LoadL1ToL0a2dS32, "LOAD.L1.TO.L0A.2D.V220.s32.addr", Load(LoadKind::Load2d(Path::L1ToL0a)), S32, S32, Mte1, Load2d, Assumed, L1ToL0a;
        LoadL1ToL0a2dU32, "LOAD.L1.TO.L0A.2D.V220.u32.addr", Load(LoadKind::Load2d(Path::L1ToL0a)), U32, U32, Mte1, Load2d, Assumed, L1ToL0a;
        LoadL1ToL0b2dS4, "LOAD.L1.TO.L0B.2D.V220.s4.addr", Load(LoadKind::Load2d(Path::L1ToL0b)), S4, S4, Mte1, Load2d, Assumed, L1ToL0b;
        LoadL1ToL0b2dS8, "LOAD.L1.TO.L0B.2D.V220.s8.addr", Load(LoadKind::Load2d(Path::L1ToL0b)), S8, S8, Mte1, Load2d, Verified, L1ToL0b;
        LoadL1ToL0b2dU8, "LOAD.L1.TO.L0B.2D.V220.u8.addr", Load(LoadKind::Load2d(Path::L1ToL0b)), U8, U8, Mte1, Load2d, Assumed, L1ToL0b;
        LoadL1ToL0b2dF16, "LOAD.L1.TO.L0B.2D.V220.f16.addr", Load(LoadKind::Load2d(Path::L1ToL0b)), F16, F16, Mte1, Load2d, Verified, L1ToL0b;
        LoadL1ToL0b2dBf16, "LOAD.L1.TO.L0B.2D.V220.bf16.addr", Load(LoadKind::Load2d(Path::L1ToL0b)), Bf16, Bf16, Mte1, Load2d, Verified, L1ToL0b;
        LoadL1ToL0b2dF32, "LOAD.L1.TO.L0B.2D.V220.f32.addr", Load(LoadKind::Load2d(Path::L1ToL0b)), F32, F32, Mte1, Load2d, Verified, L1ToL0b;
        LoadL1ToL0b2dS32, "LOAD.L1.TO.L0B.2D.V220.s32.addr", Load(LoadKind::Load2d(Path::L1ToL0b)), S32, S32, Mte1, Load2d, Assumed, L1ToL0b;
        LoadL1ToL0b2dU32, "LOAD.L1.TO.L0B.2D.V220.u32.addr", Load(LoadKind::Load2d(Path::L1ToL0b)), U32, U32, Mte1, Load2d, Assumed, L1ToL0b;
        LoadOutToL12dB8, "LOAD.OUT.TO.L1.2D.b8", Load(LoadKind::Load2d(Path::GmToL1)), B8, B8, Mte2, Load2d, Assumed, GmToL1;
        LoadOutToL12dB16, "LOAD.OUT.TO.L1.2D.b16", Load(LoadKind::Load2d(Path::GmToL1)), B16, B16, Mte2, Load2d, Assumed, GmToL1;
        LoadOutToL12dB32, "LOAD.OUT.TO.L1.2D.b32", Load(LoadKind::Load2d(Path::GmToL1)), B32, B32, Mte2, Load2d, Assumed, GmToL1;
        LoadOutToL0a2dB8, "LOAD.OUT.TO.L0A.2D.b8", Load(LoadKind::Load2d(Path::GmToL0a)), B8, B8, Mte2, Load2d, Assumed, GmToL1;
        LoadOutToL0a2dB16, "LOAD.OUT.TO.L0A.2D.b16", Load(LoadKind::Load2d(Path::GmToL0a)), B16, B16, Mte2, Load2d, Assumed, GmToL1;
        LoadOutToL0a2dB32, "LOAD.OUT.TO.L0A.2D.b32", Load(LoadKind::Load2d(Path::GmToL0a)), B32, B32, Mte2, Load2d, Assumed, GmToL1;
        LoadOutToL0b2dB8, "LOAD.OUT.TO.L0B.2D.b8", Load(LoadKind::Load2d(Path::GmToL0b)), B8, B8, Mte2, Load2d, Assumed, GmToL1;
        LoadOutToL0b2dB16, "LOAD.OUT.TO.L0B.2D.b16", Load(LoadKind::Load2d(Path::GmToL0b)), B16, B16, Mte2, Load2d, Assumed, GmToL1;
        LoadOutToL0b2dB32, "LOAD.OUT.TO.L0B.2D.b32", Load(LoadKind::Load2d(Path::GmToL0b)), B32, B32, Mte2, Load2d, Assumed, GmToL1;
    } };
}
