//! Why a tiling cannot be had. Every text says what was asked, what the limit is and what to do.

use std::fmt;

/// A request that is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum TilingError {
    /// A number that no enum value has.
    UnknownValue {
        /// Setter.
        what: &'static str,
        /// The number.
        value: i32,
    },
    /// A size of the multiplication that is missing or not positive.
    Shape {
        /// Axis.
        axis: &'static str,
        /// Its size.
        value: i32,
    },
    /// More to compute than there is.
    ShapeBeyondOrigin {
        /// Axis.
        axis: &'static str,
        /// Size to compute.
        asked: i32,
        /// Size as stored.
        stored: i32,
    },
    /// `SetDim` with less than one core.
    Dim(i32),
    /// Types that the cube unit does not multiply with each other.
    Types {
        /// Type of A.
        a: &'static str,
        /// Type of B.
        b: &'static str,
    },
    /// A type that the result or the bias cannot have.
    OutputType {
        /// Matrix.
        matrix: &'static str,
        /// Its type.
        ty: &'static str,
    },
    /// A position at which a matrix cannot be.
    Position {
        /// Matrix.
        matrix: &'static str,
        /// Its position.
        position: &'static str,
    },
    /// Something of another architecture.
    NotOn2201 {
        /// What it is.
        what: &'static str,
    },
    /// `SetFixSplit` or `SetSplitRange` with a size that is not whole fractals.
    BaseAlignment {
        /// Field.
        field: &'static str,
        /// Its size.
        value: i32,
        /// What it must be a multiple of.
        multiple: i32,
    },
    /// A fixed base tile longer than a core's part.
    BaseBeyondSingle {
        /// Field.
        field: &'static str,
        /// Its size.
        value: i32,
        /// Most it may be.
        most: i32,
    },
    /// A lower limit above the upper one.
    Range {
        /// Field.
        field: &'static str,
        /// Lower limit.
        least: i32,
        /// Upper limit.
        most: i32,
    },
    /// `SetBufferSpace` beyond what there is.
    BufferSpace {
        /// Memory.
        memory: &'static str,
        /// Bytes asked for.
        asked: i32,
        /// Bytes there are.
        most: i32,
    },
    /// A tile that fits nowhere.
    TooBig {
        /// Memory.
        memory: &'static str,
        /// What should lie in it.
        what: &'static str,
        /// Bytes it takes.
        needs_bytes: i64,
        /// Bytes there are.
        has_bytes: i64,
    },
    /// No cut of the shape over the cores keeps all limits.
    NoCoreSplit {
        /// Cores that may be used.
        cores: i32,
    },
    /// No tile keeps all limits.
    NoTile,
    /// `GetCoreNum` or `GetSingleShape` before a tiling was computed.
    NotComputed,
}

impl fmt::Display for TilingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use TilingError::*;
        match self {
            UnknownValue { what, value } => write!(f, "{what}: {value} is no value of its enum"),
            Shape { axis, value } => write!(
                f,
                "{axis} is {value}: sizes must be positive; set all of M, N and K with SetShape, or with SetOrgShape and -1 in SetShape"
            ),
            ShapeBeyondOrigin { axis, asked, stored } => write!(
                f,
                "SetShape asks for {axis} = {asked}, but SetOrgShape says that {stored} are stored; compute at most what is stored"
            ),
            Dim(dim) => write!(f, "SetDim({dim}): at least one core is needed"),
            Types { a, b } => write!(
                f,
                "A is {a} and B is {b}: NpuArch 2201 multiplies two matrices of the same type, one of DT_FLOAT, DT_FLOAT16, DT_BF16, DT_INT8, DT_INT4; set both with SetAType and SetBType"
            ),
            OutputType { matrix, ty } => write!(
                f,
                "{matrix} is {ty}: it can be DT_FLOAT, DT_INT32, DT_FLOAT16, DT_BF16, DT_INT16, DT_INT8 or DT_UINT8"
            ),
            Position { matrix, position } => {
                write!(f, "{matrix} is at {position}: it can be at GM, VECIN, VECOUT, VECCALC or TSCM")
            }
            NotOn2201 { what } => write!(f, "{what} does not exist on NpuArch 2201, which is the one modelled"),
            BaseAlignment { field, value, multiple } => {
                write!(f, "{field} = {value}: it must be a positive multiple of {multiple}, or -1 to leave it to the tiling")
            }
            BaseBeyondSingle { field, value, most } => write!(
                f,
                "{field} = {value} is more than a core's part, {most} in whole fractals; fix a smaller one or leave it to the tiling (-1)"
            ),
            Range { field, least, most } => {
                write!(f, "{field}: at least {least} and at most {most} cannot both hold; widen the range")
            }
            BufferSpace { memory, asked, most } => write!(
                f,
                "SetBufferSpace: {asked} bytes of {memory} are asked for, {most} are left; pass at most that, or -1 for all"
            ),
            TooBig { memory, what, needs_bytes, has_bytes } => write!(
                f,
                "{what} takes {needs_bytes} bytes of {memory}, which has {has_bytes}; use smaller base sizes or more buffer space"
            ),
            NoCoreSplit { cores } => write!(
                f,
                "no cut of the shape over up to {cores} cores keeps the limits of SetSingleRange and SetAlignSplit; widen them or allow more cores (SetDim)"
            ),
            NoTile => f.write_str(
                "no tile keeps the limits of SetSplitRange, SetBufferSpace and the schedule type at once; widen them",
            ),
            NotComputed => f.write_str("call GetTiling first; there is no tiling yet"),
        }
    }
}

impl std::error::Error for TilingError {}
