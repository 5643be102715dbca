//! Moves of the cube core: GM to L1, L1 to L0A/L0B/BT/FB, L1 to GM, constant fills.
//!
//! | kind | x0 | x1 | x2 | x3 |
//! |---|---|---|---|---|
//! | `Nd2Nz` | dst | src | configuration | second configuration |
//! | `Load2d`, `Load2dTranspose`, `Load3d` | dst | src | configuration | second configuration |
//! | `Load2dSparse` | dst | src | index matrices | configuration |
//! | `Fill` | dst | configuration | bits of the value | - |
//! | `ToBias`, `ToFixpipe` | dst | src | configuration | - |
//!
//! Plain bursts GM → L1 and L1 → GM are `CopyBurst` rows.
//!
//! Source: the public AscendNPU-IR c220 library. It has no loads from GM and not every element type of the others; the missing spellings
//! are formed like those it has and marked `Assumed`. Loads move bytes, so only the width of a type matters.

use super::{Path, Space};

/// What an instruction of this family does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LoadKind {
    /// GM → L1, rows of matrices to columns of 32-byte blocks.
    Nd2Nz,
    /// 512-byte fractals, each as it is or transposed.
    Load2d(Path),
    /// Squares of fractals, transposed.
    Load2dTranspose(Path),
    /// Fractals of a 2:4 sparse matrix and their index matrices.
    Load2dSparse,
    /// A tile of the im2col matrix of a feature map.
    Load3d(Path),
    /// A constant.
    Fill(Space),
    /// Bursts to the bias table, as they are or from half to float.
    ToBias,
    /// Bursts to the fixpipe buffer.
    ToFixpipe,
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
        LoadL1ToL0aTransposeS8, "LOAD.L1.TO.L0A.2D.TRANSPOSE.s8", Load(LoadKind::Load2dTranspose(Path::L1ToL0a)), S8, S8, Mte1, Load2dTranspose, Verified, L1ToL0a;
        LoadL1ToL0aTransposeU8, "LOAD.L1.TO.L0A.2D.TRANSPOSE.u8", Load(LoadKind::Load2dTranspose(Path::L1ToL0a)), U8, U8, Mte1, Load2dTranspose, Assumed, L1ToL0a;
        LoadL1ToL0aTransposeF16, "LOAD.L1.TO.L0A.2D.TRANSPOSE.f16", Load(LoadKind::Load2dTranspose(Path::L1ToL0a)), F16, F16, Mte1, Load2dTranspose, Assumed, L1ToL0a;
        LoadL1ToL0aTransposeBf16, "LOAD.L1.TO.L0A.2D.TRANSPOSE.bf16", Load(LoadKind::Load2dTranspose(Path::L1ToL0a)), Bf16, Bf16, Mte1, Load2dTranspose, Assumed, L1ToL0a;
        LoadL1ToL0aTransposeF32, "LOAD.L1.TO.L0A.2D.TRANSPOSE.f32", Load(LoadKind::Load2dTranspose(Path::L1ToL0a)), F32, F32, Mte1, Load2dTranspose, Assumed, L1ToL0a;
        LoadL1ToL0aTransposeS32, "LOAD.L1.TO.L0A.2D.TRANSPOSE.s32", Load(LoadKind::Load2dTranspose(Path::L1ToL0a)), S32, S32, Mte1, Load2dTranspose, Assumed, L1ToL0a;
        LoadL1ToL0aTransposeU32, "LOAD.L1.TO.L0A.2D.TRANSPOSE.u32", Load(LoadKind::Load2dTranspose(Path::L1ToL0a)), U32, U32, Mte1, Load2dTranspose, Assumed, L1ToL0a;
        LoadL1ToL0bTransposeS4, "LOAD.L1.TO.L0B.2D.TRANSPOSE.s4", Load(LoadKind::Load2dTranspose(Path::L1ToL0b)), S4, S4, Mte1, Load2dTranspose, Verified, L1ToL0b;
        LoadL1ToL0bTransposeS8, "LOAD.L1.TO.L0B.2D.TRANSPOSE.s8", Load(LoadKind::Load2dTranspose(Path::L1ToL0b)), S8, S8, Mte1, Load2dTranspose, Verified, L1ToL0b;
        LoadL1ToL0bTransposeU8, "LOAD.L1.TO.L0B.2D.TRANSPOSE.u8", Load(LoadKind::Load2dTranspose(Path::L1ToL0b)), U8, U8, Mte1, Load2dTranspose, Assumed, L1ToL0b;
        LoadL1ToL0bTransposeF16, "LOAD.L1.TO.L0B.2D.TRANSPOSE.f16", Load(LoadKind::Load2dTranspose(Path::L1ToL0b)), F16, F16, Mte1, Load2dTranspose, Assumed, L1ToL0b;
        LoadL1ToL0bTransposeBf16, "LOAD.L1.TO.L0B.2D.TRANSPOSE.bf16", Load(LoadKind::Load2dTranspose(Path::L1ToL0b)), Bf16, Bf16, Mte1, Load2dTranspose, Assumed, L1ToL0b;
        LoadL1ToL0bTransposeF32, "LOAD.L1.TO.L0B.2D.TRANSPOSE.f32", Load(LoadKind::Load2dTranspose(Path::L1ToL0b)), F32, F32, Mte1, Load2dTranspose, Assumed, L1ToL0b;
        LoadL1ToL0bTransposeS32, "LOAD.L1.TO.L0B.2D.TRANSPOSE.s32", Load(LoadKind::Load2dTranspose(Path::L1ToL0b)), S32, S32, Mte1, Load2dTranspose, Assumed, L1ToL0b;
        LoadL1ToL0bTransposeU32, "LOAD.L1.TO.L0B.2D.TRANSPOSE.u32", Load(LoadKind::Load2dTranspose(Path::L1ToL0b)), U32, U32, Mte1, Load2dTranspose, Assumed, L1ToL0b;
        LoadL1ToL0bSparseS8, "LOAD.L1.TO.L0B.2D.SPARSE.s8", Load(LoadKind::Load2dSparse), S8, S8, Mte1, LoadSparse, Assumed, L1ToL0b;
        LoadL1ToL0a3dS4, "LOAD.L1.TO.L0A.3DV2.s4", Load(LoadKind::Load3d(Path::L1ToL0a)), S4, S4, Mte1, Load3d, Assumed, L1ToL0a;
        LoadL1ToL0a3dS8, "LOAD.L1.TO.L0A.3DV2.s8", Load(LoadKind::Load3d(Path::L1ToL0a)), S8, S8, Mte1, Load3d, Assumed, L1ToL0a;
        LoadL1ToL0a3dU8, "LOAD.L1.TO.L0A.3DV2.u8", Load(LoadKind::Load3d(Path::L1ToL0a)), U8, U8, Mte1, Load3d, Assumed, L1ToL0a;
        LoadL1ToL0a3dF16, "LOAD.L1.TO.L0A.3DV2.f16", Load(LoadKind::Load3d(Path::L1ToL0a)), F16, F16, Mte1, Load3d, Verified, L1ToL0a;
        LoadL1ToL0a3dF32, "LOAD.L1.TO.L0A.3DV2.f32", Load(LoadKind::Load3d(Path::L1ToL0a)), F32, F32, Mte1, Load3d, Verified, L1ToL0a;
        LoadL1ToL0a3dS32, "LOAD.L1.TO.L0A.3DV2.s32", Load(LoadKind::Load3d(Path::L1ToL0a)), S32, S32, Mte1, Load3d, Assumed, L1ToL0a;
        LoadL1ToL0a3dU32, "LOAD.L1.TO.L0A.3DV2.u32", Load(LoadKind::Load3d(Path::L1ToL0a)), U32, U32, Mte1, Load3d, Assumed, L1ToL0a;
        LoadL1ToL0b3dF16, "LOAD.L1.TO.L0B.3DV2.f16", Load(LoadKind::Load3d(Path::L1ToL0b)), F16, F16, Mte1, Load3d, Verified, L1ToL0b;
        LoadL1ToL0b3dF32, "LOAD.L1.TO.L0B.3DV2.f32", Load(LoadKind::Load3d(Path::L1ToL0b)), F32, F32, Mte1, Load3d, Verified, L1ToL0b;
        LoadL1ToL0b3dS32, "LOAD.L1.TO.L0B.3DV2.s32", Load(LoadKind::Load3d(Path::L1ToL0b)), S32, S32, Mte1, Load3d, Assumed, L1ToL0b;
        LoadL1ToL0b3dU32, "LOAD.L1.TO.L0B.3DV2.u32", Load(LoadKind::Load3d(Path::L1ToL0b)), U32, U32, Mte1, Load3d, Assumed, L1ToL0b;
        CreateCbufF16, "CREATE.CBUF.MATRIX.f16.h", Load(LoadKind::Fill(Space::L1)), F16, F16, Mte2, Fill, Verified, Fill;
        CreateCbufBf16, "CREATE.CBUF.MATRIX.bf16.ori", Load(LoadKind::Fill(Space::L1)), Bf16, Bf16, Mte2, Fill, Verified, Fill;
        CreateCbufU16, "CREATE.CBUF.MATRIX.v2.u16", Load(LoadKind::Fill(Space::L1)), U16, U16, Mte2, Fill, Verified, Fill;
        CreateCbufU32, "CREATE.CBUF.MATRIX.v2.u32", Load(LoadKind::Fill(Space::L1)), U32, U32, Mte2, Fill, Assumed, Fill;
        CreateCaF16, "CREATE.CA.MATRIX.f16.h", Load(LoadKind::Fill(Space::L0a)), F16, F16, Mte1, Fill, Assumed, Fill;
        CreateCaBf16, "CREATE.CA.MATRIX.bf16.ori", Load(LoadKind::Fill(Space::L0a)), Bf16, Bf16, Mte1, Fill, Assumed, Fill;
        CreateCaU16, "CREATE.CA.MATRIX.v2.u16", Load(LoadKind::Fill(Space::L0a)), U16, U16, Mte1, Fill, Assumed, Fill;
        CreateCaU32, "CREATE.CA.MATRIX.v2.u32", Load(LoadKind::Fill(Space::L0a)), U32, U32, Mte1, Fill, Assumed, Fill;
        CreateCbF16, "CREATE.CB.MATRIX.f16.h", Load(LoadKind::Fill(Space::L0b)), F16, F16, Mte1, Fill, Assumed, Fill;
        CreateCbBf16, "CREATE.CB.MATRIX.bf16.ori", Load(LoadKind::Fill(Space::L0b)), Bf16, Bf16, Mte1, Fill, Assumed, Fill;
        CreateCbU16, "CREATE.CB.MATRIX.v2.u16", Load(LoadKind::Fill(Space::L0b)), U16, U16, Mte1, Fill, Assumed, Fill;
        CreateCbU32, "CREATE.CB.MATRIX.v2.u32", Load(LoadKind::Fill(Space::L0b)), U32, U32, Mte1, Fill, Assumed, Fill;
        MovL1ToBtB32, "MOV.L1.TO.BT", Load(LoadKind::ToBias), B32, B32, Mte1, ToBias, Verified, L1ToBuffer;
        MovL1ToFbV220, "MOV.L1.TO.FB.v220", Load(LoadKind::ToFixpipe), B32, B32, Fix, ToFixpipe, Verified, L1ToBuffer;
        SetFmatrix, "SET.FMATRIX", SetSpr(Spr::FmatrixA), None, None, S, Register, Verified, Scalar;
        SetFmatrixB, "SET.FMATRIX.B", SetSpr(Spr::FmatrixB), None, None, S, Register, Verified, Scalar;
        SetL3dRpt, "SET.L3D.RPT", SetSpr(Spr::Load3dRepeat), None, None, S, Register, Assumed, Scalar;
    } };
}
