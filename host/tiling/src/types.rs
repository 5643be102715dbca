//! The enums of the tiling classes, with the values of the public headers.

macro_rules! enums {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident { $( $variant:ident = $value:literal, $c:literal; )+ }
    )*) => { $(
        $(#[doc = $doc])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(i32)]
        pub enum $name { $( #[doc = concat!("`", $c, "`")] $variant = $value, )+ }

        impl $name {
            /// All values.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The value of a number of the C side.
            pub fn from_raw(raw: i32) -> Option<Self> {
                match raw { $( $value => Some(Self::$variant), )+ _ => None }
            }

            /// The spelling of the C++ headers.
            pub fn c_name(self) -> &'static str {
                match self { $( Self::$variant => $c, )+ }
            }
        }
    )* };
}

enums! {
    /// Where a matrix lies.
    TPosition {
        Gm = 0, "GM"; A1 = 1, "A1"; A2 = 2, "A2"; B1 = 3, "B1"; B2 = 4, "B2"; C1 = 5, "C1"; C2 = 6, "C2";
        Co1 = 7, "CO1"; Co2 = 8, "CO2"; VecIn = 9, "VECIN"; VecOut = 10, "VECOUT"; VecCalc = 11, "VECCALC";
        Spm = 12, "SPM"; Tscm = 13, "TSCM"; Max = 14, "MAX";
    }

    /// How a matrix is laid out.
    CubeFormat {
        Nd = 0, "ND"; Nz = 1, "NZ"; Zn = 2, "ZN"; Zz = 3, "ZZ"; Nn = 4, "NN"; NdAlign = 5, "ND_ALIGN";
        Scalar = 6, "SCALAR"; Vector = 7, "VECTOR"; ColumnMajor = 8, "COLUMN_MAJOR";
    }

    /// Type of the elements.
    DataType {
        Float = 0, "DT_FLOAT"; Float16 = 1, "DT_FLOAT16"; Int8 = 2, "DT_INT8"; Int32 = 3, "DT_INT32";
        Uint8 = 4, "DT_UINT8"; Int16 = 6, "DT_INT16"; Uint16 = 7, "DT_UINT16"; Uint32 = 8, "DT_UINT32";
        Int64 = 9, "DT_INT64"; Uint64 = 10, "DT_UINT64"; Double = 11, "DT_DOUBLE"; Bool = 12, "DT_BOOL";
        String = 13, "DT_STRING"; DualSubInt8 = 14, "DT_DUAL_SUB_INT8"; DualSubUint8 = 15, "DT_DUAL_SUB_UINT8";
        Complex64 = 16, "DT_COMPLEX64"; Complex128 = 17, "DT_COMPLEX128"; Qint8 = 18, "DT_QINT8";
        Qint16 = 19, "DT_QINT16"; Qint32 = 20, "DT_QINT32"; Quint8 = 21, "DT_QUINT8"; Quint16 = 22, "DT_QUINT16";
        Resource = 23, "DT_RESOURCE"; StringRef = 24, "DT_STRING_REF"; Dual = 25, "DT_DUAL"; Variant = 26, "DT_VARIANT";
        Bf16 = 27, "DT_BF16"; Undefined = 28, "DT_UNDEFINED"; Int4 = 29, "DT_INT4"; Uint1 = 30, "DT_UINT1";
        Int2 = 31, "DT_INT2"; Uint2 = 32, "DT_UINT2"; Bfloat16 = 33, "DT_BFLOAT16"; Hifloat8 = 34, "DT_HIFLOAT8";
        Float8E4m3fn = 35, "DT_FLOAT8_E4M3FN"; Float8E5m2 = 36, "DT_FLOAT8_E5M2"; Float4E2m1 = 37, "DT_FLOAT4_E2M1";
        Float8E8m0 = 38, "DT_FLOAT8_E8M0"; Float4E1m2 = 39, "DT_FLOAT4_E1M2"; Max = 40, "DT_MAX";
    }

    /// In which direction tiles of C advance.
    MatrixTraverse { NoSet = 0, "NOSET"; FirstM = 1, "FIRSTM"; FirstN = 2, "FIRSTN"; }

    /// How float is multiplied.
    MatrixMadType { Normal = 0, "NORMAL"; Hf32 = 1, "HF32"; MxMode = 2, "MXMODE"; }

    /// One factor for all columns, or one for each.
    DequantType { Scalar = 0, "SCALAR"; Tensor = 1, "TENSOR"; }

    /// In which order products of tiles are formed.
    ScheduleType { InnerProduct = 0, "INNER_PRODUCT"; OuterProduct = 1, "OUTER_PRODUCT"; NBuffer33 = 2, "N_BUFFER_33"; }
}

impl DataType {
    /// Bits of an element, if the cube unit of NpuArch 2201 multiplies the type.
    pub fn cube_input_bits(self) -> Option<u32> {
        match self {
            DataType::Float => Some(32),
            DataType::Float16 | DataType::Bf16 | DataType::Bfloat16 => Some(16),
            DataType::Int8 => Some(8),
            DataType::Int4 => Some(4),
            _ => None,
        }
    }

    /// Bytes of an element, if Fixpipe writes the type or a bias may have it.
    pub fn cube_output_bytes(self) -> Option<u32> {
        match self {
            DataType::Float | DataType::Int32 => Some(4),
            DataType::Float16 | DataType::Bf16 | DataType::Bfloat16 | DataType::Int16 => Some(2),
            DataType::Int8 | DataType::Uint8 => Some(1),
            _ => None,
        }
    }

    /// `bf16` has two numbers in the public header; they mean the same.
    pub fn canonical(self) -> Self {
        if self == DataType::Bfloat16 { DataType::Bf16 } else { self }
    }
}

impl TPosition {
    /// In UB of a vector core?
    pub fn is_ub(self) -> bool {
        matches!(self, TPosition::VecIn | TPosition::VecOut | TPosition::VecCalc)
    }

    /// In L1, put there by the kernel itself?
    pub fn is_l1(self) -> bool {
        self == TPosition::Tscm
    }
}
