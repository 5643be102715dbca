//! Extreme and wrong requests: each ends, with a tiling that keeps every limit or with an error that says what to do. Never a hang, never a panic.

mod common;

use proptest::prelude::*;
use toprope_tiling::{
    ChipFacts, CubeFormat, DataType, MatrixTraverse, MultiCoreMatmulTiling, ScheduleType, TCubeTiling,
    TPosition, TilingError,
};

/// A request in which nothing is sensible for sure.
#[derive(Debug, Clone)]
struct Wild {
    shape: [i32; 3],
    ty: DataType,
    transposed: [bool; 2],
    dim: i32,
    bias: bool,
    split_k: bool,
    c: (TPosition, DataType),
    a_format: CubeFormat,
    single: [i32; 3],
    align: [i32; 3],
    fixed: [i32; 3],
    most: [i32; 3],
    least: [i32; 3],
    /// Bytes of L1, L0C, UB, the bias table; -1 is all.
    space: [i32; 4],
    schedule: ScheduleType,
    traverse: MatrixTraverse,
    double: [bool; 3],
}

/// Sizes at which something changes: one, around a fractal, primes, beyond 16 bits, the most there is; and wrong ones.
fn size() -> impl Strategy<Value = i32> {
    prop_oneof![
        8 => prop::sample::select(vec![1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 997, 4099, 65_535, 65_537, i32::MAX]),
        6 => 1..2000i32,
        1 => prop::sample::select(vec![0, -1, -2, i32::MIN]),
    ]
}

/// -1 mostly; else a multiple of 16 or anything.
fn limit() -> impl Strategy<Value = i32> {
    prop_oneof![6 => Just(-1), 3 => (1..40i32).prop_map(|s| s * 16), 1 => any::<i32>(), 1 => 0..600i32]
}

fn space(most: i32) -> impl Strategy<Value = i32> {
    prop_oneof![4 => Just(-1), 3 => 0..=most, 1 => 0..2000i32.min(most), 1 => any::<i32>()]
}

fn three<S: Strategy<Value = i32> + Clone>(of: S) -> [S; 3] {
    [of.clone(), of.clone(), of]
}

fn wild() -> impl Strategy<Value = Wild> {
    let types = prop::sample::select(vec![
        DataType::Float,
        DataType::Float16,
        DataType::Bf16,
        DataType::Int8,
        DataType::Int4,
    ]);
    let c = prop::sample::select(vec![
        (TPosition::Gm, DataType::Float),
        (TPosition::Gm, DataType::Float16),
        (TPosition::VecIn, DataType::Int32),
        (TPosition::VecCalc, DataType::Int8),
    ]);
    let dim = prop_oneof![4 => 1..49i32, 1 => Just(i32::MAX), 1 => Just(0)];
    let orders = (
        prop::sample::select(ScheduleType::ALL.to_vec()),
        prop::sample::select(MatrixTraverse::ALL.to_vec()),
        prop::sample::select(vec![CubeFormat::Nd, CubeFormat::Nz, CubeFormat::Vector]),
        any::<[bool; 3]>(),
    );
    let sizes = (
        [size().boxed(), size().boxed(), size().boxed()],
        three(limit().boxed()),
        three(limit().boxed()),
        three(limit().boxed()),
        three(limit().boxed()),
        three(limit().boxed()),
    );
    let spaces = (space(524_032), space(131_072), space(196_352), space(1024));
    (sizes, types, any::<[bool; 4]>(), dim, c, orders, spaces).prop_map(
        |((shape, single, align, fixed, most, least), ty, flags, dim, c, orders, spaces)| {
            let (schedule, traverse, a_format, double) = orders;
            Wild {
                shape,
                ty,
                transposed: [flags[0], flags[1]],
                dim,
                bias: flags[2],
                split_k: flags[3],
                c,
                a_format,
                single,
                align,
                fixed,
                most,
                least,
                space: [spaces.0, spaces.1, spaces.2, spaces.3],
                schedule,
                traverse,
                double,
            }
        },
    )
}

/// The tiling object with what of `wild` its setters take, whether the fixed base is of it, and the bytes of each memory that may be used.
fn asked(chip: &ChipFacts, wild: &Wild) -> (MultiCoreMatmulTiling, bool, [i64; 4]) {
    let mut t = MultiCoreMatmulTiling::new(chip);
    // Base sizes before the types: the types decide in the end whether they are whole fractals.
    let fixed = t.set_fix_split(wild.fixed[0], wild.fixed[1], wild.fixed[2]).is_ok();
    t.set_dim(wild.dim);
    t.set_a_type(TPosition::Gm, wild.a_format, wild.ty, wild.transposed[0]);
    t.set_b_type(TPosition::Gm, CubeFormat::Nd, wild.ty, wild.transposed[1]);
    t.set_c_type(wild.c.0, CubeFormat::Nd, wild.c.1);
    t.enable_bias(wild.bias);
    t.enable_multi_core_split_k(wild.split_k);
    t.set_traverse(wild.traverse);
    t.set_matmul_config_params(1, false, wild.schedule, wild.traverse, false);
    t.set_double_buffer(wild.double[0], wild.double[1], wild.double[2]);
    t.set_shape(wild.shape[0], wild.shape[1], wild.shape[2]);
    t.set_single_shape(wild.single[0], wild.single[1], wild.single[2]);
    t.set_align_split(wild.align[0], wild.align[1], wild.align[2]);
    let _ = t.set_split_range(wild.most, wild.least);
    let [l1, l0c, ub, bt] = wild.space;
    let all = [524_032, 131_072, 196_352, 1024];
    let taken = t.set_buffer_space(l1, l0c, ub, bt).is_ok();
    let left =
        [0, 1, 2, 3].map(|i| i64::from(if taken && wild.space[i] != -1 { wild.space[i] } else { all[i] }));
    (t, fixed, left)
}

fn up(size: i32, to: i32) -> i64 {
    (i64::from(size) + i64::from(to) - 1) / i64::from(to) * i64::from(to)
}

/// Whole fractals along M, N, K as the loads into L0 make them, and bits of an element.
fn fractals(ty: DataType, transposed: [bool; 2]) -> ([i32; 3], i64) {
    let bits = ty.cube_input_bits().expect("a type of the cube unit") as i32;
    let (c0, square) = (256 / bits, if bits <= 8 { 256 / bits } else { 16 });
    let transposes = transposed[0] || !transposed[1];
    let m = if transposed[0] { square } else { 16 };
    let n = if transposed[1] { 16 } else { square };
    ([m, n, if transposes { c0.max(16) } else { c0 }], i64::from(bits))
}

/// The limits of the memories, from the tables of the public reference and not from the code under test.
fn assert_fits(t: &TCubeTiling, wild: &Wild, fixed: bool, left: [i64; 4]) {
    let ([fm, fn_, fk], bits) = fractals(wild.ty, wild.transposed);
    let (m, n, k) = (up(t.baseM, fm), up(t.baseN, fn_), up(t.baseK, fk));
    let c = i64::from(t.baseM) * i64::from(t.baseN);
    let [l1, l0c, ub, bt] = left;
    assert!(t.baseM > 0 && t.baseM % 16 == 0 && t.baseN > 0 && t.baseN % 16 == 0 && t.baseK > 0, "{t:?}");
    assert!(m * k * bits / 8 * i64::from(t.dbL0A) <= 65_536, "L0A: {t:?}");
    assert!(k * n * bits / 8 * i64::from(t.dbL0B) <= 65_536, "L0B: {t:?}");
    assert!(c * 4 * i64::from(t.dbL0C) <= l0c, "L0C: {t:?}");
    let bias = if wild.bias { i64::from(t.baseN) * 4 } else { 0 };
    let tiles = m * k * i64::from(t.depthA1) + k * n * i64::from(t.depthB1);
    assert!(tiles * bits / 8 <= l1, "L1: {t:?}");
    assert!(bias <= bt, "bias table: {t:?}");
    let c_bytes = i64::from(wild.c.1.cube_output_bytes().expect("a type of C"));
    assert!(wild.c.0 == TPosition::Gm || c * c_bytes <= ub, "UB: {t:?}");
    assert!(t.usedCoreNum >= 1 && t.usedCoreNum <= wild.dim.min(48), "{t:?}");
    assert!(t.singleCoreM >= 1 && t.singleCoreN >= 1 && t.singleCoreK >= 1, "{t:?}");
    if fixed {
        for (asked, base) in wild.fixed.into_iter().zip([t.baseM, t.baseN, t.baseK]) {
            assert!(asked == -1 || base == asked, "{t:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_returned_fits(wild in wild()) {
        let (mut tiling, fixed, left) = asked(&common::b1(), &wild);
        match tiling.get_tiling() {
            Ok(t) => assert_fits(&t, &wild, fixed, left),
            Err(refused) => prop_assert!(refused.to_string().len() > 20, "{refused}"),
        }
    }

    /// Memories of any size, as a program may give them with PlatformInfo.
    #[test]
    fn memories_of_any_size_are_kept(bytes in prop::array::uniform6(prop_oneof![0..4096u32, 0..200_000u32, any::<u32>()]),
                                     m in 1..3000i32, n in 1..3000i32, k in 1..3000i32) {
        let [l1_bytes, l0a_bytes, l0b_bytes, l0c_bytes, ub_bytes, bt_bytes] = bytes;
        let chip = ChipFacts { l1_bytes, l0a_bytes, l0b_bytes, l0c_bytes, ub_bytes, bt_bytes, ..common::b1() };
        let mut tiling = common::in_gm(&chip, 24, DataType::Float16, [false, true]);
        tiling.set_shape(m, n, k);
        if let Ok(t) = tiling.get_tiling() {
            let (m, n, k) = (i64::from(t.baseM), i64::from(t.baseN), i64::from(t.baseK));
            prop_assert!(m * k * 2 * i64::from(t.dbL0A) <= i64::from(l0a_bytes), "{t:?}");
            prop_assert!(n * k * 2 * i64::from(t.dbL0B) <= i64::from(l0b_bytes), "{t:?}");
            prop_assert!(m * n * 4 * i64::from(t.dbL0C) <= i64::from(l0c_bytes), "{t:?}");
            let tiles = m * k * i64::from(t.depthA1) + n * k * i64::from(t.depthB1);
            prop_assert!(tiles * 2 <= i64::from(l1_bytes), "{t:?}");
        }
    }
}

/// A limit below what the loads make at least is refused, for every type: it used to be looked for without end.
#[test]
fn a_base_below_a_fractal_is_refused_and_one_fractal_is_not() {
    for ty in [DataType::Float, DataType::Float16, DataType::Int8, DataType::Int4] {
        for transposed in [[false, false], [false, true], [true, false], [true, true]] {
            let (least, _) = fractals(ty, transposed);
            let with = |most: [i32; 3]| {
                let mut t = common::in_gm(&common::b1(), 1, ty, transposed);
                t.set_shape(256, 256, 256);
                t.set_split_range(most, [-1; 3])?;
                t.get_tiling()
            };
            let t = with(least).unwrap_or_else(|e| panic!("{ty:?} {transposed:?}: {e}"));
            assert_eq!([t.baseM, t.baseN, t.baseK], least, "{ty:?} {transposed:?}");
            for axis in 0..3 {
                let mut below = [-1; 3];
                below[axis] = least[axis] / 2;
                let refused = with(below).expect_err("less than a fractal");
                assert!(
                    matches!(refused, TilingError::Range { .. }),
                    "{ty:?} {transposed:?} {axis}: {refused}"
                );
            }
        }
    }
}

/// Whether a fixed base is whole fractals is known when the types are: in whatever order they were set.
#[test]
fn base_sizes_are_checked_against_the_types_set_later() {
    let mut t = MultiCoreMatmulTiling::new(&common::b1());
    t.set_shape(64, 64, 64);
    t.set_fix_split(16, 16, 24).expect("whole fractals of the float that is set");
    t.set_a_type(TPosition::Gm, CubeFormat::Nd, DataType::Int8, false);
    t.set_b_type(TPosition::Gm, CubeFormat::Nd, DataType::Int8, true);
    t.set_c_type(TPosition::Gm, CubeFormat::Nd, DataType::Int32);
    let refused = t.get_tiling().expect_err("24 of int8");
    assert_eq!(refused, TilingError::BaseAlignment { field: "baseK", value: 24, multiple: 32 });
    t.set_fix_split(-1, -1, 32).expect("whole fractals of int8");
    assert_eq!(t.get_tiling().map(|t| [t.baseM, t.baseN, t.baseK]), Ok([16, 16, 32]));
}

/// Cores share the depth only where their results can be added up: in GM, without a bias.
#[test]
fn the_depth_is_not_shared_with_a_bias_or_into_ub() {
    let deep = |change: fn(&mut MultiCoreMatmulTiling)| {
        let mut t = common::in_gm(&common::b1(), 24, DataType::Float16, [false, false]);
        t.set_shape(16, 16, 65_536);
        t.enable_multi_core_split_k(true);
        change(&mut t);
        t.get_tiling().expect("there is a tiling")
    };
    assert!(deep(|_| ()).singleCoreK < 65_536);
    assert_eq!(deep(|t| t.enable_bias(true)).singleCoreK, 65_536);
    assert_eq!(
        deep(|t| t.set_c_type(TPosition::VecCalc, CubeFormat::Nd, DataType::Float)).singleCoreK,
        65_536
    );
    // Asked for in numbers, it is done: the kernel may add the bias in one core.
    let t = deep(|t| {
        t.enable_bias(true);
        t.set_single_shape(-1, -1, 32_768);
    });
    assert_eq!([t.singleCoreK, t.usedCoreNum], [32_768, 2]);
}

/// More cores than the chip has are not used; no core is refused.
#[test]
fn a_chip_has_the_cores_it_has() {
    let with = |dim: i32| {
        let mut t = common::in_gm(&common::b4(), dim, DataType::Float16, [false, false]);
        t.set_shape(i32::MAX, i32::MAX, 64);
        t.get_tiling()
    };
    assert!(with(i32::MAX).is_ok_and(|t| t.usedCoreNum <= 40));
    assert_eq!(with(0), Err(TilingError::Dim(0)));
    assert_eq!(with(-7), Err(TilingError::Dim(-7)));
}

#[test]
fn kinds_of_configuration_that_there_are_not_are_refused() {
    let with = |kind: i32| {
        let mut t = common::in_gm(&common::b1(), 1, DataType::Float16, [false, false]);
        t.set_shape(64, 64, 64);
        t.set_matmul_config_params(kind, false, ScheduleType::InnerProduct, MatrixTraverse::NoSet, false);
        t.get_tiling().map(drop)
    };
    assert_eq!([with(0), with(1)], [Ok(()), Ok(())]);
    assert_eq!(with(2), Err(TilingError::UnknownValue { what: "SetMatmulConfigParams", value: 2 }));
}
