//! Matrix multiplication and Fixpipe.
//!
//! | kind | x0 | x1 | x2 | x3 |
//! |---|---|---|---|---|
//! | `Mmad`, `MmadSparse` | C in L0C | A in L0A | B in L0B | configuration ([`Layout::Mad`](super::Layout::Mad)) |
//! | `FixpipeToGm`, `FixpipeToL1` | destination | source in L0C | configuration | second configuration |
//!
//! Fixpipe's quantisation parameter, its address in the fixpipe buffer and the matrices of NZ → ND are registers (`QUANT_PRE`, `FPC`,
//! `ND_PARA`), set by the rows at the end. Fields of the configuration: public c220 bitcode; numbers of quantisation modes: public
//! compiler enum `QuantMode_t`, as in [`quant_mode`].

/// What an instruction of this family does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CubeKind {
    /// C = A × B, + C or + bias.
    Mmad,
    /// The same with B stored 2 out of 4, and A selected by B's index.
    MmadSparse,
    /// L0C → GM with conversion.
    FixpipeToGm,
    /// L0C → L1 with conversion.
    FixpipeToL1,
}

/// Numbers of `QuantMode_t`.
#[allow(missing_docs)]
pub mod quant_mode {
    pub const NO_QUANT: u64 = 0;
    pub const F322F16: u64 = 1;
    pub const VREQ8: u64 = 8;
    pub const REQ8: u64 = 9;
    pub const VDEQF16: u64 = 10;
    pub const DEQF16: u64 = 11;
    pub const F322BF16: u64 = 16;
    pub const VQF322B8_PRE: u64 = 23;
    pub const QF322B8_PRE: u64 = 24;
}

#[rustfmt::skip]
macro_rules! cube_rows {
    ([$($tail:ident)*] $($rows:tt)*) => { chain! { [$($tail)*] $($rows)*
        // variant, intrinsic, kind, destination, source, pipe, layout, provenance, cost
        MadF162f32, "MAD.f162f32", Cube(CubeKind::Mmad), F32, F16, M, Mad, Verified, Mmad;
        MadBf162f32, "MAD.bf162f32", Cube(CubeKind::Mmad), F32, Bf16, M, Mad, Verified, Mmad;
        MadF322f32, "MAD.f322f32", Cube(CubeKind::Mmad), F32, F32, M, Mad, Verified, Mmad;
        MadS8, "MAD.s8", Cube(CubeKind::Mmad), S32, S8, M, Mad, Verified, Mmad;
        MadS4, "MAD.s4", Cube(CubeKind::Mmad), S32, S4, M, Mad, Verified, Mmad;
        MadSpS8, "MAD.SP.s8", Cube(CubeKind::MmadSparse), S32, S8, M, Mad, Assumed, Mmad;
        FixL0cToOutF32, "FIX.L0C.TO.OUT.f32", Cube(CubeKind::FixpipeToGm), F32, F32, Fix, Fixpipe, Verified, L0cToGm;
        FixL0cToOutS32, "FIX.L0C.TO.OUT.s32", Cube(CubeKind::FixpipeToGm), S32, S32, Fix, Fixpipe, Verified, L0cToGm;
        FixL0cToOutF2h, "FIX.L0C.TO.OUT.f2h", Cube(CubeKind::FixpipeToGm), F16, F32, Fix, Fixpipe, Verified, L0cToGm;
        FixL0cToOutF322bf16, "FIX.L0C.TO.OUT.f322bf16", Cube(CubeKind::FixpipeToGm), Bf16, F32, Fix, Fixpipe, Verified, L0cToGm;
        FixL0cToOutF322s8, "FIX.L0C.TO.OUT.f322s8", Cube(CubeKind::FixpipeToGm), S8, F32, Fix, Fixpipe, Assumed, L0cToGm;
        FixL0cToOutF322u8, "FIX.L0C.TO.OUT.f322u8", Cube(CubeKind::FixpipeToGm), U8, F32, Fix, Fixpipe, Assumed, L0cToGm;
        FixL0cToOutS322f16, "FIX.L0C.TO.OUT.s322f16", Cube(CubeKind::FixpipeToGm), F16, S32, Fix, Fixpipe, Verified, L0cToGm;
        FixL0cToOutS322s8, "FIX.L0C.TO.OUT.s322s8", Cube(CubeKind::FixpipeToGm), S8, S32, Fix, Fixpipe, Verified, L0cToGm;
        FixL0cToOutS322u8, "FIX.L0C.TO.OUT.s322u8", Cube(CubeKind::FixpipeToGm), U8, S32, Fix, Fixpipe, Assumed, L0cToGm;
        FixL0cToL1F2h, "FIX.L0C.TO.L1.f2h", Cube(CubeKind::FixpipeToL1), F16, F32, Fix, Fixpipe, Assumed, L0cToL1;
        FixL0cToL1F322bf16, "FIX.L0C.TO.L1.f322bf16", Cube(CubeKind::FixpipeToL1), Bf16, F32, Fix, Fixpipe, Assumed, L0cToL1;
        FixL0cToL1F322s8, "FIX.L0C.TO.L1.f322s8", Cube(CubeKind::FixpipeToL1), S8, F32, Fix, Fixpipe, Assumed, L0cToL1;
        FixL0cToL1F322u8, "FIX.L0C.TO.L1.f322u8", Cube(CubeKind::FixpipeToL1), U8, F32, Fix, Fixpipe, Assumed, L0cToL1;
        FixL0cToL1S322f16, "FIX.L0C.TO.L1.s322f16", Cube(CubeKind::FixpipeToL1), F16, S32, Fix, Fixpipe, Assumed, L0cToL1;
        FixL0cToL1S322s8, "FIX.L0C.TO.L1.s322s8", Cube(CubeKind::FixpipeToL1), S8, S32, Fix, Fixpipe, Assumed, L0cToL1;
        FixL0cToL1S322u8, "FIX.L0C.TO.L1.s322u8", Cube(CubeKind::FixpipeToL1), U8, S32, Fix, Fixpipe, Assumed, L0cToL1;
        SetFpc, "SET.FPC", SetSpr(Spr::Fpc), None, None, S, Register, Verified, Scalar;
        SetQuantPre, "SET.QUANT.PRE", SetSpr(Spr::QuantPre), None, None, S, Register, Verified, Scalar;
        SetNdPara, "SET.ND.PARA", SetSpr(Spr::NdPara), None, None, S, NdPara, Verified, Scalar;
    } };
}
