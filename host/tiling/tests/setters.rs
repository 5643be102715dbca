//! Setters: each changes what it says, and refuses what it must with a text that helps. A refusal has a twin that is accepted.

mod common;

use toprope_tiling::{
    BatchMatmulTiling, CubeFormat, DataType, DequantType, MatmulApiTiling, MatrixMadType, MatrixTraverse,
    MultiCoreMatmulTiling, ScheduleType, TPosition, TilingError,
};

fn half(dim: i32) -> MultiCoreMatmulTiling {
    let mut tiling = common::in_gm(&common::b1(), dim, DataType::Float16, [false, false]);
    tiling.set_shape(1024, 1024, 512);
    tiling
}

/// What a setter does to the request that a program sees in the answer.
#[test]
fn setters_show_in_the_answer() {
    type Row = (&'static str, fn(&mut MultiCoreMatmulTiling), fn(&toprope_tiling::TCubeTiling) -> bool);
    let rows: &[Row] = &[
        ("SetDim", |t| t.set_dim(1), |a| a.usedCoreNum == 1),
        ("SetShape", |t| t.set_shape(320, 160, 80), |a| [a.singleCoreK, a.M] == [80, 1024]),
        (
            "SetOrgShape",
            |t| t.set_org_shape(2048, 2048, 640, 1024),
            |a| [a.M, a.N, a.Ka, a.Kb] == [2048, 2048, 640, 1024],
        ),
        (
            "SetSingleShape",
            |t| t.set_single_shape(512, 256, 512),
            |a| [a.singleCoreM, a.singleCoreN, a.singleCoreK, a.usedCoreNum] == [512, 256, 512, 8],
        ),
        (
            "SetSingleRange",
            |t| t.set_single_range([256, 256, -1], [256, -1, -1]),
            |a| a.singleCoreM == 256 && a.singleCoreN <= 256,
        ),
        (
            "SetAlignSplit",
            |t| t.set_align_split(-1, 96, -1),
            |a| a.singleCoreN % 96 == 0 || a.singleCoreN == 1024,
        ),
        (
            "SetFixSplit",
            |t| t.set_fix_split(64, 128, 32).unwrap(),
            |a| [a.baseM, a.baseN, a.baseK] == [64, 128, 32],
        ),
        (
            "SetSplitRange",
            |t| t.set_split_range([64, 64, 32], [16, 64, -1]).unwrap(),
            |a| a.baseM <= 64 && a.baseN == 64 && a.baseK <= 32,
        ),
        (
            "SetBufferSpace",
            |t| t.set_buffer_space(40_000, 16_384, -1, -1).unwrap(),
            |a| a.shareL1Size <= 40_000 && a.shareL0CSize <= 16_384,
        ),
        ("SetTraverse FIRSTM", |t| t.set_traverse(MatrixTraverse::FirstM), |a| a.iterateOrder == 0),
        ("SetTraverse FIRSTN", |t| t.set_traverse(MatrixTraverse::FirstN), |a| a.iterateOrder == 1),
        (
            "SetDoubleBuffer",
            |t| t.set_double_buffer(false, false, false),
            |a| a.depthA1 == a.stepM * a.stepKa && a.depthB1 == a.stepN * a.stepKb && a.dbL0C == 1,
        ),
        ("EnableBias", |t| t.enable_bias(true), |a| a.isBias == 1 && a.baseN <= 256),
        (
            "SetALayout",
            |t| t.set_a_layout([1, 2, 3, 4, 5]),
            |a| {
                [a.ALayoutInfoB, a.ALayoutInfoS, a.ALayoutInfoN, a.ALayoutInfoG, a.ALayoutInfoD]
                    == [1, 2, 3, 4, 5]
            },
        ),
        (
            "SetBLayout",
            |t| t.set_b_layout([1, 2, 3, 4, 5]),
            |a| {
                [a.BLayoutInfoB, a.BLayoutInfoS, a.BLayoutInfoN, a.BLayoutInfoG, a.BLayoutInfoD]
                    == [1, 2, 3, 4, 5]
            },
        ),
        (
            "SetCLayout",
            |t| t.set_c_layout([1, 2, 3, 4, 5]),
            |a| {
                [a.CLayoutInfoB, a.CLayoutInfoS1, a.CLayoutInfoN, a.CLayoutInfoG, a.CLayoutInfoS2]
                    == [1, 2, 3, 4, 5]
            },
        ),
        ("SetBatchNum", |t| t.set_batch_num(3), |a| a.BatchNum == 3),
        (
            "SetBatchInfoForNormal",
            |t| t.set_batch_info_for_normal(3, 1, 32, 256, 64),
            |a| {
                [a.ALayoutInfoB, a.ALayoutInfoS, a.ALayoutInfoD] == [3, 32, 64]
                    && [a.BLayoutInfoB, a.BLayoutInfoS, a.BLayoutInfoD] == [1, 256, 64]
                    && [a.CLayoutInfoB, a.CLayoutInfoS1, a.CLayoutInfoS2] == [3, 32, 256]
            },
        ),
        (
            "SetMatmulConfigParams",
            |t| config(t, ScheduleType::InnerProduct, true),
            |a| a.transLength > 0 && a.iterateOrder == 1 && 2 * a.transLength <= a.shareUbSize,
        ),
        (
            "SetCType in UB",
            |t| t.set_c_type(TPosition::VecCalc, CubeFormat::Nd, DataType::Float),
            |a| a.shareUbSize == a.baseM * a.baseN * 4,
        ),
        ("SetSparse", |t| t.set_sparse(true), |a| a.usedCoreNum > 1),
        ("EnableMultiCoreSplitK", |t| split_deep(t), |a| a.singleCoreK < 65_536 && a.usedCoreNum > 1),
    ];
    for (name, set, shows) in rows {
        let mut tiling = half(24);
        set(&mut tiling);
        let answer = tiling.get_tiling().unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(shows(&answer), "{name}: {answer:?}");
    }
}

fn config(t: &mut MultiCoreMatmulTiling, schedule: ScheduleType, vec_nd2nz: bool) {
    t.set_matmul_config_params(1, false, schedule, MatrixTraverse::FirstN, vec_nd2nz);
}

fn split_deep(t: &mut MultiCoreMatmulTiling) {
    t.set_org_shape(-1, -1, -1, -1);
    t.set_shape(16, 16, 65_536);
    t.enable_multi_core_split_k(true);
}

#[test]
fn dequantisation_tables_take_l1() {
    let mut tiling = common::in_gm(&common::b1(), 24, DataType::Int8, [false, true]);
    tiling.set_c_type(TPosition::Gm, CubeFormat::Nd, DataType::Float16);
    tiling.set_shape(1024, 1024, 1024);
    let size = |t: &toprope_tiling::TCubeTiling| {
        t.shareL1Size - t.baseM * t.baseK * t.depthA1 - t.baseN * t.baseK * t.depthB1
    };
    let plain = tiling.get_tiling().expect("there is a tiling");
    assert_eq!(size(&plain), 0);
    tiling.set_dequant_type(DequantType::Tensor);
    let by_column = tiling.get_tiling().expect("there is a tiling");
    assert_eq!(size(&by_column), by_column.baseN * 8);
}

#[test]
fn an_outer_product_has_the_whole_depth_in_l0() {
    let mut tiling = half(24);
    config(&mut tiling, ScheduleType::OuterProduct, false);
    assert_eq!(tiling.get_tiling().map(|t| t.baseK == 512 && t.dbL0C == 2), Ok(true));
    tiling.set_org_shape(-1, -1, -1, -1);
    tiling.set_shape(1024, 1024, 65_536);
    assert_eq!(tiling.get_tiling(), Err(TilingError::NoTile));
}

#[test]
fn three_buffers_hold_all_of_a() {
    let mut tiling = common::in_gm(&common::b1(), 24, DataType::Float16, [false, false]);
    config(&mut tiling, ScheduleType::NBuffer33, false);
    tiling.set_shape(256, 2048, 192);
    let t = tiling.get_tiling().expect("there is a tiling");
    assert!(t.stepM * t.baseM >= t.singleCoreM && t.stepKa * t.baseK >= t.singleCoreK, "{t:?}");
    assert!(t.stepM <= 3 && t.stepKa <= 3, "{t:?}");
}

#[test]
fn hf32_needs_half_the_passes() {
    let mut tiling = common::in_gm(&common::b1(), 1, DataType::Float, [false, true]);
    tiling.set_shape(512, 512, 512);
    tiling.get_tiling().expect("there is a tiling");
    let exact = tiling.plan().expect("computed").cycles;
    tiling.set_mad_type(MatrixMadType::Hf32);
    tiling.get_tiling().expect("there is a tiling");
    assert!(tiling.plan().expect("computed").cycles < exact);
}

#[test]
fn sizes_as_stored_fill_in_for_minus_one() {
    let mut tiling = half(1);
    tiling.set_org_shape(640, 320, 200, 160);
    tiling.set_shape(-1, -1, -1);
    let t = tiling.get_tiling().expect("there is a tiling");
    assert_eq!(
        [t.M, t.N, t.Ka, t.Kb, t.singleCoreM, t.singleCoreN, t.singleCoreK],
        [640, 320, 200, 160, 640, 320, 160]
    );
}

#[test]
fn base_sizes_are_known_as_soon_as_they_are_fixed() {
    let mut tiling = BatchMatmulTiling::new(&common::b1());
    tiling.set_shape(32, 16, 8);
    assert_eq!(tiling.base(), [-1; 3]);
    tiling.set_fix_split(32, 16, 8).expect("whole fractals");
    assert_eq!(tiling.base(), [32, 16, 8]);
    let t = tiling.get_tiling().expect("there is a tiling");
    assert_eq!([t.baseM, t.baseN, t.baseK], [32, 16, 8]);
}

/// What is refused, with its text, and beside it the same request put right.
#[test]
fn refusals_say_what_to_do() {
    type Step = fn(&mut MultiCoreMatmulTiling) -> Result<(), TilingError>;
    fn then(
        t: &mut MultiCoreMatmulTiling,
        change: impl FnOnce(&mut MultiCoreMatmulTiling),
    ) -> Result<(), TilingError> {
        change(t);
        t.get_tiling().map(drop)
    }
    let rows: &[(Step, &str, Step)] = &[
        (
            |t| then(t, |t| t.set_shape(0, 16, 16)),
            "M is 0: sizes must be positive; set all of M, N and K with SetShape, or with SetOrgShape and -1 in SetShape",
            |t| then(t, |t| t.set_shape(1, 16, 16)),
        ),
        (
            |t| then(t, |t| t.set_shape(1025, 16, 16)),
            "SetShape asks for M = 1025, but SetOrgShape says that 1024 are stored; compute at most what is stored",
            |t| then(t, |t| t.set_shape(1024, 16, 16)),
        ),
        (
            |t| then(t, |t| t.set_dim(0)),
            "SetDim(0): at least one core is needed",
            |t| then(t, |t| t.set_dim(1)),
        ),
        (
            |t| then(t, |t| t.set_b_type(TPosition::Gm, CubeFormat::Nd, DataType::Int8, false)),
            "A is DT_FLOAT16 and B is DT_INT8: NpuArch 2201 multiplies two matrices of the same type, one of DT_FLOAT, DT_FLOAT16, DT_BF16, DT_INT8, DT_INT4; set both with SetAType and SetBType",
            |t| then(t, |t| t.set_b_type(TPosition::Gm, CubeFormat::Nd, DataType::Float16, false)),
        ),
        (
            |t| then(t, |t| t.set_c_type(TPosition::Gm, CubeFormat::Nd, DataType::Double)),
            "C is DT_DOUBLE: it can be DT_FLOAT, DT_INT32, DT_FLOAT16, DT_BF16, DT_INT16, DT_INT8 or DT_UINT8",
            |t| then(t, |t| t.set_c_type(TPosition::Gm, CubeFormat::Nd, DataType::Float)),
        ),
        (
            |t| then(t, |t| t.set_a_type(TPosition::A2, CubeFormat::Nd, DataType::Float16, false)),
            "A is at A2: it can be at GM, VECIN, VECOUT, VECCALC or TSCM",
            |t| then(t, |t| t.set_a_type(TPosition::Tscm, CubeFormat::Nz, DataType::Float16, false)),
        ),
        (
            |t| then(t, |t| t.set_mad_type(MatrixMadType::MxMode)),
            "multiplication of MX types (SetMadType, SetScaleAType) does not exist on NpuArch 2201, which is the one modelled",
            |t| then(t, |t| t.set_mad_type(MatrixMadType::Hf32)),
        ),
        (
            |t| t.set_fix_split(24, -1, -1),
            "baseM = 24: it must be a positive multiple of 16, or -1 to leave it to the tiling",
            |t| t.set_fix_split(32, -1, -1),
        ),
        (
            |t| t.set_fix_split(-1, 0, -1),
            "baseN = 0: it must be a positive multiple of 16, or -1 to leave it to the tiling",
            |t| t.set_fix_split(-1, -1, -1),
        ),
        (
            |t| t.set_split_range([64, -1, -1], [128, -1, -1]),
            "baseM: at least 128 and at most 64 cannot both hold; widen the range",
            |t| t.set_split_range([128, -1, -1], [128, -1, -1]),
        ),
        (
            |t| t.set_buffer_space(600_000, -1, -1, -1),
            "SetBufferSpace: 600000 bytes of L1 are asked for, 524032 are left; pass at most that, or -1 for all",
            |t| t.set_buffer_space(524_032, -1, -1, -1),
        ),
        (
            |t| then(t, |t| t.set_fix_split(256, 256, -1).expect("whole fractals")),
            "a tile of baseM x baseN of C takes 262144 bytes of L0C, which has 131072; use smaller base sizes or more buffer space",
            |t| then(t, |t| t.set_fix_split(128, 256, -1).expect("whole fractals")),
        ),
        (
            |t| {
                then(t, |t| {
                    t.set_shape(12, 1024, 512);
                    t.set_fix_split(32, -1, -1).expect("whole fractals");
                })
            },
            "baseM = 32 is more than a core's part, 16 in whole fractals; fix a smaller one or leave it to the tiling (-1)",
            |t| then(t, |t| t.set_shape(17, 1024, 512)),
        ),
        (
            |t| then(t, |t| t.set_single_range([16, 16, -1], [-1; 3])),
            "no cut of the shape over up to 24 cores keeps the limits of SetSingleRange and SetAlignSplit; widen them or allow more cores (SetDim)",
            |t| then(t, |t| t.set_single_range([256, 256, -1], [-1; 3])),
        ),
        (
            |t| then(t, |t| t.set_buffer_space(512, -1, -1, -1).expect("less than there is")),
            "a tile of A and one of B takes 1024 bytes of L1, which has 512; use smaller base sizes or more buffer space",
            |t| then(t, |t| t.set_buffer_space(-1, -1, -1, -1).expect("all")),
        ),
    ];
    for (bad, text, good) in rows {
        let mut tiling = half(24);
        let refused = bad(&mut tiling).expect_err(text);
        assert_eq!(refused.to_string(), *text);
        let mut tiling = half(24);
        assert_eq!(good(&mut tiling), Ok(()), "the twin of: {text}");
    }
}

#[test]
fn an_unknown_number_names_its_setter() {
    let mut request = *half(1).request();
    request.a_format = 77;
    let refused = toprope_tiling::compute(&request, &common::b1()).expect_err("no such format");
    assert_eq!(refused.to_string(), "SetAType: 77 is no value of its enum");
}

#[test]
fn nothing_set_is_refused() {
    let mut tiling = MatmulApiTiling::new(&common::b1());
    assert_eq!(tiling.get_tiling(), Err(TilingError::Shape { axis: "M", value: -1 }));
    tiling.set_shape(32, 32, 32);
    assert!(tiling.get_tiling().is_ok(), "all types default to float in GM");
}
