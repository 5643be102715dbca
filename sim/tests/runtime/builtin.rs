//! Tasks that the runtime computes itself: reductions and random numbers.

use crate::support::*;
use half::{bf16, f16};
use std::ffi::c_void;
use std::ptr::{null, null_mut};
use toprope_abi::acl::*;

const KINDS: [ReduceKind; 3] = [ReduceKind::SUM, ReduceKind::MAX, ReduceKind::MIN];

/// Reduces on the device and compares with the naive result, bit by bit.
fn reduce<T: Copy + Default + PartialEq + std::fmt::Debug>(
    ty: DataType,
    dst: &[T],
    src: &[T],
    naive: impl Fn(ReduceKind, T, T) -> T,
) {
    let bytes = size_of_val(dst);
    let (to, from, s) = (malloc(bytes), malloc(bytes), stream());
    put(from, src);
    for kind in KINDS {
        put(to, dst);
        ok!(aclrtReduceAsync(to, from, bytes as u64, kind, ty, s, null_mut()));
        sync(s);
        let wanted: Vec<T> = dst.iter().zip(src).map(|(a, b)| naive(kind, *a, *b)).collect();
        assert!(take::<T>(to, dst.len()) == wanted, "{ty:?} {kind:?}");
        assert!(take::<T>(from, src.len()) == src, "the source stays");
    }
    ok!(aclrtFree(to));
    ok!(aclrtFree(from));
    ok!(aclrtDestroyStream(s));
}

macro_rules! integers {
    ($ty:ident, $data:expr) => {
        reduce::<$ty>(
            $data,
            &(0..1000).map(|i: i64| (i * 7919) as $ty).collect::<Vec<_>>(),
            &(0..1000).map(|i: i64| (i * 104_729 + 3) as $ty).collect::<Vec<_>>(),
            |kind, a, b| match kind {
                ReduceKind::SUM => a.wrapping_add(b),
                ReduceKind::MAX => a.max(b),
                _ => a.min(b),
            },
        )
    };
}

fn real(kind: ReduceKind, a: f32, b: f32) -> f32 {
    match kind {
        ReduceKind::SUM => a + b,
        ReduceKind::MAX => a.max(b),
        _ => a.min(b),
    }
}

#[test]
fn reductions_of_every_type_and_kind() {
    let _device = device();
    integers!(i8, DataType::INT8);
    integers!(i16, DataType::INT16);
    integers!(i32, DataType::INT32);
    let a: Vec<f32> = (0..1000).map(|i| (i as f32 - 500.0) * 0.37).collect();
    let b: Vec<f32> = (0..1000).map(|i| (i as f32 * 1.7).sin() * 100.0).collect();
    reduce(DataType::FLOAT, &a, &b, real);
    let half = |v: &[f32]| v.iter().map(|x| f16::from_f32(*x).to_bits()).collect::<Vec<u16>>();
    reduce(DataType::FLOAT16, &half(&a), &half(&b), |kind, a, b| {
        f16::from_f32(real(kind, f16::from_bits(a).into(), f16::from_bits(b).into())).to_bits()
    });
    let brain = |v: &[f32]| v.iter().map(|x| bf16::from_f32(*x).to_bits()).collect::<Vec<u16>>();
    reduce(DataType::BF16, &brain(&a), &brain(&b), |kind, a, b| {
        bf16::from_f32(real(kind, bf16::from_bits(a).into(), bf16::from_bits(b).into())).to_bits()
    });
}

#[test]
fn a_large_reduction_does_not_hold_up_the_host_and_keeps_its_place() {
    let _device = device();
    let count = 1 << 20;
    let (to, from, s) = (malloc(4 * count), malloc(4 * count), stream());
    put(to, &vec![0u32; count]);
    put(from, &vec![1u32; count]);
    for _ in 0..3 {
        ok!(aclrtReduceAsync(to, from, 4 * count as u64, ReduceKind::SUM, DataType::INT32, s, null_mut()));
        run("add_one", 1, s, &[from as u64, 1]);
    }
    sync(s);
    let got = take::<u32>(to, count);
    assert_eq!(got[0], 1 + 2 + 3);
    assert!(got[1..].iter().all(|x| *x == 3));
}

#[test]
fn wrong_reductions_are_refused() {
    let _device = device();
    let (to, from, host) = (malloc(64), malloc(64), malloc_host(64));
    let call = |dst: *mut c_void, src: *mut c_void, count, kind, ty, reserve| {
        acl!(aclrtReduceAsync(dst, src, count, ReduceKind(kind), ty, DEFAULT, reserve)).0
    };
    assert_eq!(call(to, from, 64, 10, DataType::FLOAT, null_mut()), 0);
    assert_eq!(call(null_mut(), from, 64, 10, DataType::FLOAT, null_mut()), 107_000);
    assert_eq!(call(to, null_mut(), 64, 10, DataType::FLOAT, null_mut()), 107_000);
    assert_eq!(call(to, from, 0, 10, DataType::FLOAT, null_mut()), 107_000);
    assert_eq!(call(to, from, 63, 10, DataType::FLOAT, null_mut()), 107_000);
    assert_eq!(call(to, from, 1 << 20, 10, DataType::FLOAT, null_mut()), 107_000);
    assert_eq!(call(to, from, 64, 9, DataType::FLOAT, null_mut()), 107_000);
    assert_eq!(call(to, from, 64, 13, DataType::FLOAT, null_mut()), 207_000);
    assert_eq!(call(to, from, 64, 10, DataType::DOUBLE, null_mut()), 107_000);
    assert!(message().contains("int8, int16, int32, float16, float and bfloat16"));
    assert_eq!(call(to, host, 64, 10, DataType::FLOAT, null_mut()), 107_000);
    assert_eq!(call(to, from, 64, 10, DataType::FLOAT, to), 107_000);
    sync(DEFAULT);
    ok!(aclrtFreeHost(host));
}

// ---- random numbers --------------------------------------------------------------------------------------------------

fn value(bits: u64, size: u8) -> RandomParaInfo {
    RandomParaInfo { is_addr: 0, value_or_addr: bits.to_le_bytes(), size, rsv: [0; 6] }
}

fn at(address: *mut c_void) -> RandomParaInfo {
    RandomParaInfo { is_addr: 1, value_or_addr: (address as u64).to_le_bytes(), size: 8, rsv: [0; 6] }
}

/// A task of `count` numbers; two parameters.
fn task(
    ty: DataType,
    func_type: RandomNumFuncType,
    (first, second): (RandomParaInfo, RandomParaInfo),
    count: u64,
    result: *mut c_void,
    counter: *mut c_void,
) -> RandomNumTaskInfo {
    RandomNumTaskInfo {
        data_type: ty,
        random_num_func_para_info: RandomNumFuncParaInfo {
            func_type,
            param_info: RandomNumFuncParam { uniform_dis_info: UniformDisInfo { min: first, max: second } },
        },
        random_para_addr: null_mut(),
        random_result_addr: result,
        random_counter_addr: counter,
        random_seed: value(42, 8),
        random_num: value(count, 8),
        rsv: [0; 8],
    }
}

const COUNT: usize = 100_000;

fn make<T: Copy + Default>(
    ty: DataType,
    func_type: RandomNumFuncType,
    parameters: (RandomParaInfo, RandomParaInfo),
    first_counter: u128,
) -> Vec<T> {
    let (result, counter, s) = (malloc(size_of::<T>() * COUNT), malloc(16), stream());
    put(counter, &[first_counter]);
    let info = task(ty, func_type, parameters, COUNT as u64, result, counter);
    ok!(aclrtRandomNumAsync(&raw const info, s, null_mut()));
    sync(s);
    let numbers = take(result, COUNT);
    ok!(aclrtFree(result));
    ok!(aclrtFree(counter));
    numbers
}

/// Mean and standard deviation.
fn moments(numbers: &[f64]) -> (f64, f64) {
    let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
    let variance = numbers.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / numbers.len() as f64;
    (mean, variance.sqrt())
}

fn near(got: f64, wanted: f64, by: f64) {
    assert!((got - wanted).abs() < by, "{got} is not {wanted} ± {by}");
}

type Pair = (RandomParaInfo, RandomParaInfo);

fn floats(a: f32, b: f32) -> Pair {
    (value(a.to_bits().into(), 4), value(b.to_bits().into(), 4))
}

/// The numbers of a distribution in every floating-point type.
fn of_every_real_type(func_type: RandomNumFuncType, a: f32, b: f32) -> [Vec<f64>; 3] {
    let half = |x| value(f16::from_f32(x).to_bits().into(), 2);
    let brain = |x| value(bf16::from_f32(x).to_bits().into(), 2);
    [
        make::<f32>(DataType::FLOAT, func_type, floats(a, b), 0).into_iter().map(f64::from).collect(),
        make::<u16>(DataType::FLOAT16, func_type, (half(a), half(b)), 0)
            .into_iter()
            .map(|x| f16::from_bits(x).into())
            .collect(),
        make::<u16>(DataType::BF16, func_type, (brain(a), brain(b)), 0)
            .into_iter()
            .map(|x| bf16::from_bits(x).into())
            .collect(),
    ]
}

#[test]
fn normal_numbers_have_their_mean_and_deviation() {
    let _device = device();
    for numbers in of_every_real_type(RandomNumFuncType::NORMAL_DIS, 3.0, 2.0) {
        let (mean, deviation) = moments(&numbers);
        near(mean, 3.0, 0.05);
        near(deviation, 2.0, 0.05);
        let beyond = numbers.iter().filter(|x| (**x - 3.0).abs() > 4.0).count() as f64 / COUNT as f64;
        near(beyond, 0.0455, 0.006);
    }
}

#[test]
fn truncated_normal_numbers_stay_within_two_deviations() {
    let _device = device();
    for numbers in of_every_real_type(RandomNumFuncType::TRUNCATED_NORMAL_DIS, 1.0, 2.0) {
        // A bfloat16 may be rounded up by 1/64 there.
        assert!(numbers.iter().all(|x| (x - 1.0).abs() <= 4.02));
        let (mean, deviation) = moments(&numbers);
        near(mean, 1.0, 0.05);
        near(deviation, 2.0 * 0.8796, 0.05);
    }
}

#[test]
fn uniform_numbers_are_flat() {
    let _device = device();
    for numbers in of_every_real_type(RandomNumFuncType::UNIFORM_DIS, 1.0, 2.0) {
        assert!(numbers.iter().all(|x| (1.0..2.0).contains(x)));
        near(moments(&numbers).0, 1.5, 0.01);
        for tenth in 0..8 {
            let from = 1.0 + f64::from(tenth) / 8.0;
            let share = numbers.iter().filter(|x| (from..from + 0.125).contains(*x)).count() as f64;
            near(share / COUNT as f64, 0.125, 0.01);
        }
    }
    let uniform = RandomNumFuncType::UNIFORM_DIS;
    let small = make::<i32>(DataType::INT32, uniform, (value(-5i32 as u32 as u64, 4), value(5, 4)), 0);
    for number in -5..5 {
        let share = small.iter().filter(|x| **x == number).count() as f64;
        near(share / COUNT as f64, 0.1, 0.01);
    }
    let large = make::<u64>(DataType::UINT64, uniform, (value(0, 8), value(u64::MAX, 8)), 0);
    near(large.iter().map(|x| *x as f64).sum::<f64>() / COUNT as f64 / u64::MAX as f64, 0.5, 0.01);
    let signed = make::<i64>(DataType::INT64, uniform, (value(-9i64 as u64, 8), value(-8i64 as u64, 8)), 0);
    assert!(signed.iter().all(|x| *x == -9));
    let words = make::<u32>(DataType::UINT32, uniform, (value(7, 4), value(9, 4)), 0);
    assert!(words.contains(&7) && words.contains(&8) && words.iter().all(|x| (7..9).contains(x)));
}

#[test]
fn a_dropout_mask_drops_the_ratio() {
    let _device = device();
    let (mask, counter) = (malloc(COUNT / 8), malloc(16));
    put(counter, &[0u128]);
    let ratio = malloc(4);
    put(ratio, &[0.4f32]);
    let by_value = floats(0.4, 0.0).0;
    let mut masks = Vec::new();
    for parameter in [by_value, at(ratio)] {
        let kind = RandomNumFuncType::DROPOUT_BITMASK;
        let info = task(DataType::FLOAT, kind, (parameter, parameter), COUNT as u64, mask, counter);
        ok!(aclrtRandomNumAsync(&raw const info, DEFAULT, null_mut()));
        sync(DEFAULT);
        masks.push(take::<u8>(mask, COUNT / 8));
    }
    assert!(masks[0] == masks[1], "a parameter may be a value or an address");
    let kept: u32 = masks[0].iter().map(|b| b.count_ones()).sum();
    near(f64::from(kept) / COUNT as f64, 0.6, 0.01);
}

#[test]
fn seed_and_counter_decide_the_numbers() {
    let _device = device();
    let numbers =
        |counter| make::<f32>(DataType::FLOAT, RandomNumFuncType::UNIFORM_DIS, floats(0.0, 1.0), counter);
    let (first, again, later) = (numbers(0), numbers(0), numbers(25));
    assert!(first == again);
    assert!(first[100..] == later[..COUNT - 100], "25 counts are 100 numbers later");
}

#[test]
fn wrong_random_tasks_are_refused() {
    let _device = device();
    let (result, counter) = (malloc(64), malloc(16));
    put(counter, &[0u128]);
    let uniform = RandomNumFuncType::UNIFORM_DIS;
    let good = || task(DataType::FLOAT, uniform, floats(0.0, 1.0), 16, result, counter);
    let call = |info: RandomNumTaskInfo| acl!(aclrtRandomNumAsync(&raw const info, DEFAULT, null_mut())).0;
    assert_eq!(call(good()), 0);
    assert_eq!(call(RandomNumTaskInfo { random_num: value(17, 8), ..good() }), 107_000);
    assert!(message().contains("`randomResultAddr`: 68 bytes"), "the result does not fit");
    assert_eq!(call(RandomNumTaskInfo { random_counter_addr: null_mut(), ..good() }), 107_000);
    assert_eq!(call(RandomNumTaskInfo { random_result_addr: null_mut(), ..good() }), 107_000);
    assert_eq!(call(RandomNumTaskInfo { data_type: DataType::INT8, ..good() }), 107_000);
    assert_eq!(call(RandomNumTaskInfo { random_seed: value(1, 9), ..good() }), 107_000);
    assert_eq!(call(RandomNumTaskInfo { random_seed: value(1, 0), ..good() }), 107_000);
    let normal = |ty| task(ty, RandomNumFuncType::NORMAL_DIS, floats(0.0, 1.0), 16, result, counter);
    assert_eq!(call(normal(DataType::FLOAT)), 0);
    assert_eq!(call(normal(DataType::INT32)), 107_000);
    assert!(message().contains("only possible for the uniform distribution"));
    assert_eq!(
        call(task(DataType::FLOAT, RandomNumFuncType(4), floats(0.0, 1.0), 16, result, counter)),
        107_000
    );
    fails!(100_000, aclrtRandomNumAsync(null(), DEFAULT, null_mut()));
    let info = good();
    fails!(107_000, aclrtRandomNumAsync(&raw const info, DEFAULT, result));
    sync(DEFAULT);
}

#[test]
fn a_random_task_of_a_graph_can_be_given_other_places_and_seeds() {
    let _device = device();
    const FEW: usize = 64;
    let (first, second, counter) = (malloc(4 * FEW), malloc(4 * FEW), malloc(16));
    put(first, &[0f32; FEW]);
    put(second, &[0f32; FEW]);
    put(counter, &[0u128]);
    let (mut graph, mut kept, execute) = (RiHandle::NULL, StreamHandle::NULL, stream());
    ok!(aclmdlRIBuildBegin(&raw mut graph, 0));
    ok!(aclrtCreateStreamWithConfig(&raw mut kept, 0, STREAM_PERSISTENT));
    ok!(aclmdlRIBindStream(graph, kept, 0));
    let kind = RandomNumFuncType::UNIFORM_DIS;
    let mut info = task(DataType::FLOAT, kind, floats(0.0, 1.0), FEW as u64, first, counter);
    ok!(aclrtRandomNumAsync(&raw const info, kept, null_mut()));
    let mut id = 0;
    ok!(aclrtGetThreadLastTaskId(&raw mut id));
    ok!(aclmdlRIEndTask(graph, kept));
    ok!(aclmdlRIBuildEnd(graph, null_mut()));
    crate::graph::play(graph, execute);
    let numbers = take::<f32>(first, FEW);
    assert!(numbers.iter().any(|x| *x != 0.0));
    assert_eq!(take::<f32>(second, FEW), [0.0; FEW]);

    let described = malloc(size_of::<RandomNumTaskInfo>());
    let update = |info: RandomNumTaskInfo| {
        put(counter, &[0u128]);
        put(described, &[info]);
        let attr =
            RandomTaskUpdateAttr { src_addr: described, size: size_of::<RandomNumTaskInfo>(), rsv: [0; 4] };
        let val = UpdateTaskAttrVal { random_task_attr: attr };
        let mut change = TaskUpdateInfo { id: UpdateTaskAttrId::RANDOM_TASK, val };
        ok!(aclrtTaskUpdateAsync(kept, id, &raw mut change, execute));
        crate::graph::play(graph, execute);
    };
    info.random_result_addr = second;
    update(info);
    assert_eq!(take::<f32>(second, FEW), numbers, "the same seed and counter, at the other place");
    info.random_seed = value(43, 8);
    update(info);
    assert_ne!(take::<f32>(second, FEW), numbers, "another seed");
    assert_eq!(take::<f32>(first, FEW), numbers, "the first place was left alone");
    ok!(aclmdlRIDestroy(graph));
}
