//! Whatever is asked, an answer keeps the limits of the memories and covers C once.

mod common;

use proptest::prelude::*;
use toprope_tiling::cost::{estimate, least};
use toprope_tiling::{
    CubeFormat, DataType, MatrixTraverse, MultiCoreMatmulTiling, Problem, TCubeTiling, TPosition, TilingError,
};

/// One request of the properties.
#[derive(Debug, Clone)]
struct Asked {
    shape: [i32; 3],
    ty: DataType,
    transposed: [bool; 2],
    dim: i32,
    bias: bool,
    split_k: bool,
    c_in_ub: bool,
    a_in_l1: bool,
    traverse: MatrixTraverse,
    l1_bytes: i32,
}

fn asked() -> impl Strategy<Value = Asked> {
    let size = prop_oneof![1..40i32, 1..3000i32, (1..60i32).prop_map(|s| s * 128)];
    let types = prop_oneof![
        Just(DataType::Float),
        Just(DataType::Float16),
        Just(DataType::Bf16),
        Just(DataType::Int8),
        Just(DataType::Int4)
    ];
    let traverses =
        prop_oneof![Just(MatrixTraverse::NoSet), Just(MatrixTraverse::FirstM), Just(MatrixTraverse::FirstN)];
    let shape = [size.clone(), size.clone(), size];
    let l1 = prop_oneof![Just(-1), 65_536..500_000i32];
    let flags = (any::<[bool; 2]>(), any::<[bool; 4]>());
    (shape, types, flags, 1..49i32, traverses, l1).prop_map(
        |(shape, ty, (transposed, [bias, split_k, c_in_ub, a_in_l1]), dim, traverse, l1_bytes)| Asked {
            shape,
            ty,
            transposed,
            dim,
            bias,
            split_k,
            c_in_ub,
            a_in_l1: a_in_l1 && shape[0] * shape[2] < 60_000,
            traverse,
            l1_bytes,
        },
    )
}

fn tiling(asked: &Asked) -> MultiCoreMatmulTiling {
    let mut tiling = common::in_gm(&common::b1(), asked.dim, asked.ty, asked.transposed);
    if asked.a_in_l1 {
        tiling.set_a_type(TPosition::Tscm, CubeFormat::Nz, asked.ty, asked.transposed[0]);
    }
    if asked.c_in_ub {
        tiling.set_c_type(TPosition::VecCalc, CubeFormat::Nd, DataType::Float);
    }
    tiling.enable_bias(asked.bias);
    tiling.enable_multi_core_split_k(asked.split_k);
    tiling.set_traverse(asked.traverse);
    tiling.set_shape(asked.shape[0], asked.shape[1], asked.shape[2]);
    tiling.set_buffer_space(asked.l1_bytes, -1, -1, -1).expect("less than there is");
    tiling
}

fn up(size: i32, to: i32) -> i32 {
    (size + to - 1) / to * to
}

/// Limits of the memories, written down again from the public table of TCubeTiling.
fn assert_fits(t: &TCubeTiling, asked: &Asked) {
    let bits = i64::from(asked.ty.cube_input_bits().expect("a type of the cube unit"));
    let bytes = |elements: i32, copies: i32| i64::from(elements) * i64::from(copies) * bits / 8;
    let chip = common::b1();
    assert!(bytes(t.baseM * t.baseK, t.dbL0A) <= i64::from(chip.l0a_bytes), "L0A: {t:?}");
    assert!(bytes(t.baseK * t.baseN, t.dbL0B) <= i64::from(chip.l0b_bytes), "L0B: {t:?}");
    assert!(t.baseM * t.baseN * 4 * t.dbL0C <= chip.l0c_bytes as i32, "L0C: {t:?}");
    let a = if asked.a_in_l1 { 0 } else { bytes(t.baseM * t.baseK, t.depthA1) };
    let b = bytes(t.baseN * t.baseK, t.depthB1);
    let bias = if asked.bias { i64::from(t.baseN) * 4 } else { 0 };
    let l1 = if asked.l1_bytes == -1 { chip.l1_bytes as i32 - 256 } else { asked.l1_bytes };
    assert!(a + b + bias <= i64::from(l1), "L1: {t:?}");
    assert!(!asked.bias || t.baseN * 4 <= chip.bt_bytes as i32, "bias table: {t:?}");
    assert!(!asked.c_in_ub || t.baseM * t.baseN * 4 <= chip.ub_bytes as i32 - 256, "UB: {t:?}");
    assert_eq!(t.shareL1Size as i64, a + b + bias);
}

fn assert_consistent(t: &TCubeTiling, asked: &Asked) {
    let [m, n, k] = asked.shape;
    assert_eq!([t.M, t.N, t.Ka, t.Kb], [m, n, k, k]);
    assert!(t.baseM % 16 == 0 && t.baseN % 16 == 0, "{t:?}");
    let transposes = asked.transposed[0] || !asked.transposed[1];
    let c0 = 256 / asked.ty.cube_input_bits().expect("a type of the cube unit") as i32;
    assert_eq!(t.baseK % if transposes { c0.max(16) } else { c0 }, 0, "{t:?}");
    assert!(t.baseM <= up(t.singleCoreM, 64) && t.baseN <= up(t.singleCoreN, 64), "{t:?}");
    assert!(t.singleCoreM <= m && t.singleCoreN <= n && t.singleCoreK <= k, "{t:?}");
    assert!(asked.split_k || t.singleCoreK == k, "{t:?}");
    for (depth, step) in [(t.depthA1, t.stepM * t.stepKa), (t.depthB1, t.stepN * t.stepKb)] {
        assert!(depth == step || depth == 2 * step, "{t:?}");
    }
    for buffers in [t.dbL0A, t.dbL0B, t.dbL0C] {
        assert!(buffers == 1 || buffers == 2, "{t:?}");
    }
    let parts = |step: i32| (t.singleCoreK + t.baseK * step - 1) / (t.baseK * step);
    let (a_loads, b_loads) = (parts(t.stepKa), parts(t.stepKb));
    assert!(a_loads % b_loads == 0 || b_loads % a_loads == 0, "{t:?}");
    assert!((a_loads == 1 || t.stepM == 1) && (b_loads == 1 || t.stepN == 1), "{t:?}");
    match asked.traverse {
        MatrixTraverse::NoSet => {}
        MatrixTraverse::FirstM => assert_eq!(t.iterateOrder, 0),
        MatrixTraverse::FirstN => assert_eq!(t.iterateOrder, 1),
    }
}

/// Every element of C (and of the depth) belongs to one core.
fn assert_covers_once(t: &TCubeTiling, asked: &Asked) {
    let cut = |whole: i32, part: i32| (whole + part - 1) / part;
    let parts: i32 = [(t.M, t.singleCoreM), (t.N, t.singleCoreN), (t.Ka, t.singleCoreK)]
        .map(|(w, p)| cut(w, p))
        .iter()
        .product();
    assert_eq!(t.usedCoreNum, parts, "{t:?}");
    assert!(t.usedCoreNum >= 1 && t.usedCoreNum <= asked.dim, "{t:?}");
    let mut seen = vec![0u8; (t.M * t.N) as usize];
    for core in 0..t.usedCoreNum {
        let m_parts = cut(t.M, t.singleCoreM);
        let n_parts = cut(t.N, t.singleCoreN);
        let (mi, ni, ki) = (core % m_parts, core / m_parts % n_parts, core / m_parts / n_parts);
        if ki > 0 {
            continue;
        }
        for m in mi * t.singleCoreM..((mi + 1) * t.singleCoreM).min(t.M) {
            for n in ni * t.singleCoreN..((ni + 1) * t.singleCoreN).min(t.N) {
                seen[(m * t.N + n) as usize] += 1;
            }
        }
    }
    assert!(seen.iter().all(|&times| times == 1), "{t:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn answers_keep_every_limit(asked in asked()) {
        let mut tiling = tiling(&asked);
        let t = tiling.get_tiling().expect("a good request has an answer");
        assert_fits(&t, &asked);
        assert_consistent(&t, &asked);
        let cores = tiling.core_nums().expect("computed");
        prop_assert_eq!(cores[0], t.usedCoreNum);
        prop_assert_eq!(tiling.base(), [t.baseM, t.baseN, t.baseK]);
        if i64::from(t.M) * i64::from(t.N) < 4_000_000 {
            assert_covers_once(&t, &asked);
        }
    }

    /// The bound that the searches leave branches out by is one.
    #[test]
    fn nothing_is_faster_than_its_bound(asked in asked()) {
        let mut tiling = tiling(&asked);
        tiling.get_tiling().expect("a good request has an answer");
        let problem = Problem::new(tiling.request(), &common::b1()).expect("a good request");
        let plan = *tiling.plan().expect("computed");
        let bound = least(&problem, &plan.grid, &plan.blocks.base, plan.blocks.l0_buffers);
        let time = estimate(&problem, &plan.grid, &plan.blocks);
        prop_assert!(bound <= time.total, "{} > {:?}", bound, time);
        prop_assert_eq!(time.total, plan.cycles);
    }

    /// What is fixed or limited comes back as asked.
    #[test]
    fn fixed_sizes_are_kept(m in 1..9i32, n in 1..9i32, dim in 1..25i32, parts in 1..5i32) {
        let mut tiling = common::in_gm(&common::b1(), dim, DataType::Float16, [false, true]);
        tiling.set_shape(2048, 1536, 512);
        tiling.set_fix_split(m * 16, n * 16, -1).expect("whole fractals");
        tiling.set_single_shape(2048 / parts, -1, -1);
        let t = tiling.get_tiling().expect("there is a tiling");
        prop_assert_eq!([t.baseM, t.baseN], [m * 16, n * 16]);
        prop_assert_eq!([t.singleCoreM, t.singleCoreN, t.singleCoreK], [2048 / parts, 1536, 512]);
        let blocks = (2048 + t.singleCoreM - 1) / t.singleCoreM;
        prop_assert_eq!(t.usedCoreNum, blocks.min(dim));
    }

    /// No request makes the computation panic, and a refusal has a text.
    #[test]
    fn nonsense_is_refused_not_fatal(numbers in prop::collection::vec(prop_oneof![-2..70i32, any::<i32>()], 83)) {
        let bytes: Vec<u8> = numbers.iter().flat_map(|n| n.to_ne_bytes()).collect();
        let mut request = toprope_tiling::request::new(&common::b1(), 1);
        let fields = bytemuck_bytes(&mut request);
        let len = fields.len().min(bytes.len());
        fields[..len].copy_from_slice(&bytes[..len]);
        if let Err(refused) = toprope_tiling::compute(&request, &common::b1()) {
            prop_assert!(!refused.to_string().is_empty());
        }
    }
}

fn bytemuck_bytes(request: &mut toprope_tiling::TrTilingRequest) -> &mut [u8] {
    toprope_abi::tiling::bytemuck::bytes_of_mut(request)
}

#[test]
fn huge_shapes_do_not_overflow() {
    for shape in [[i32::MAX; 3], [1, i32::MAX, 1], [i32::MAX, 1, 16], [1, 1, i32::MAX]] {
        let mut tiling = common::in_gm(&common::b1(), 24, DataType::Float16, [false, false]);
        tiling.set_shape(shape[0], shape[1], shape[2]);
        let t = tiling.get_tiling().expect("there is a tiling");
        assert!(t.baseM * t.baseN * 4 <= 131_072, "{t:?}");
    }
}

#[test]
fn one_core_takes_all() {
    let mut tiling = toprope_tiling::MatmulApiTiling::new(&common::b4());
    tiling.set_shape(300, 200, 100);
    let t = tiling.get_tiling().expect("there is a tiling");
    assert_eq!([t.usedCoreNum, t.singleCoreM, t.singleCoreN, t.singleCoreK], [1, 300, 200, 100]);
    assert_eq!(tiling.core_nums(), Ok([1, 1, 1, 1, 1]));
    let unset = toprope_tiling::MatmulApiTiling::new(&common::b4());
    assert_eq!(unset.core_nums(), Err(TilingError::NotComputed));
}
