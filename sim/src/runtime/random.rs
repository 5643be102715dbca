//! `aclrtRandomNumAsync`: random numbers in device memory, from Philox 4x32-10 with the seed as key and the 16 bytes at
//! `randomCounterAddr` as first counter. Equal seeds and counters give equal numbers, but not those of a device: how a
//! device turns the generator's words into numbers is not documented.
//!
//! | distribution | types | numbers |
//! |---|---|---|
//! | uniform | all seven | from minimum up to, but not including, maximum |
//! | normal | float, half, bfloat16 | |
//! | truncated normal | the same | within two standard deviations |
//! | dropout bitmask | type of the ratio: the same | bit 0 with the ratio's probability, else 1; lowest bit first |
#![allow(unsafe_code)] // reads parameters from and writes numbers to device memory.

use super::background;
use super::copy::Motion;
use super::failure::{Answer, Failure, refuse};
use super::memory::{Given, Place};
use super::state::runtime;
use super::stream::Stream;
use super::work::{DeviceWork, Turn};
use half::{bf16, f16};
use parking_lot::Mutex;
use std::sync::Arc;
use toprope_abi::acl::{AclError, DataType, RandomNumFuncType, RandomNumTaskInfo, RandomParaInfo};

/// Tasks up to this many numbers are done at once by whoever starts them.
const SMALL_COUNT: u64 = 16 << 10;

/// Philox 4x32-10: words by counter and key.
#[derive(Debug)]
struct Philox {
    counter: u128,
    key: [u32; 2],
    words: [u32; 4],
    used: usize,
}

impl Philox {
    fn new(seed: u64, counter: u128) -> Philox {
        Philox { counter, key: [seed as u32, (seed >> 32) as u32], words: [0; 4], used: 4 }
    }

    fn block(&self) -> [u32; 4] {
        let mut c = [0, 32, 64, 96].map(|shift| (self.counter >> shift) as u32);
        let mut key = self.key;
        for _ in 0..10 {
            let a = u64::from(c[0]) * 0xD251_1F53;
            let b = u64::from(c[2]) * 0xCD9E_8D57;
            c = [(b >> 32) as u32 ^ c[1] ^ key[0], b as u32, (a >> 32) as u32 ^ c[3] ^ key[1], a as u32];
            key = [key[0].wrapping_add(0x9E37_79B9), key[1].wrapping_add(0xBB67_AE85)];
        }
        c
    }

    fn word(&mut self) -> u32 {
        if self.used == 4 {
            self.words = self.block();
            self.counter = self.counter.wrapping_add(1);
            self.used = 0;
        }
        self.used += 1;
        self.words[self.used - 1]
    }

    fn long(&mut self) -> u64 {
        u64::from(self.word()) | u64::from(self.word()) << 32
    }

    /// From 0 up to, but not including, 1.
    fn unit(&mut self) -> f64 {
        f64::from(self.word()) / 4_294_967_296.0
    }

    /// Mean 0, deviation 1 (Box and Muller).
    fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.unit()).cos()
    }
}

/// The types of numbers with their size in bytes.
const TYPES: [(DataType, u64); 7] = [
    (DataType::FLOAT, 4),
    (DataType::FLOAT16, 2),
    (DataType::BF16, 2),
    (DataType::INT32, 4),
    (DataType::UINT32, 4),
    (DataType::INT64, 8),
    (DataType::UINT64, 8),
];

fn is_real(ty: DataType) -> bool {
    matches!(ty, DataType::FLOAT | DataType::FLOAT16 | DataType::BF16)
}

fn to_real(ty: DataType, bits: u64) -> f64 {
    match ty {
        DataType::FLOAT => f32::from_bits(bits as u32).into(),
        DataType::FLOAT16 => f16::from_bits(bits as u16).into(),
        _ => bf16::from_bits(bits as u16).into(),
    }
}

fn from_real(ty: DataType, value: f64) -> u64 {
    match ty {
        DataType::FLOAT => (value as f32).to_bits().into(),
        DataType::FLOAT16 => f16::from_f64(value).to_bits().into(),
        _ => bf16::from_f64(value).to_bits().into(),
    }
}

/// An integer of the type as a number that compares right.
fn to_integer(ty: DataType, bits: u64) -> i128 {
    match ty {
        DataType::INT32 => (bits as i32).into(),
        DataType::UINT32 => (bits as u32).into(),
        DataType::INT64 => (bits as i64).into(),
        _ => bits.into(),
    }
}

/// A distribution with its parameters.
#[derive(Debug)]
enum Distribution {
    Dropout { ratio: f64 },
    Uniform { min: u64, max: u64 },
    Normal { mean: f64, deviation: f64, truncated: bool },
}

impl Distribution {
    /// The bits of the next number of this type.
    fn next(&self, ty: DataType, from: &mut Philox) -> u64 {
        match *self {
            Distribution::Dropout { ratio } => u64::from(from.unit() >= ratio),
            Distribution::Normal { mean, deviation, truncated } => {
                let mut value = from.normal();
                while truncated && value.abs() > 2.0 {
                    value = from.normal();
                }
                from_real(ty, mean + deviation * value)
            }
            Distribution::Uniform { min, max } if is_real(ty) => {
                let (low, high) = (to_real(ty, min), to_real(ty, max));
                let bits = from_real(ty, low + from.unit() * (high - low));
                // Rounding may reach the maximum, which is not in the range.
                if to_real(ty, bits) < high { bits } else { min }
            }
            Distribution::Uniform { min, max } => {
                let (low, high) = (to_integer(ty, min), to_integer(ty, max));
                let width = (high - low).max(1) as u128;
                let offset = (u128::from(from.long()) * width) >> 64;
                (low + offset as i128) as u64
            }
        }
    }
}

/// A task with every parameter looked up.
#[derive(Debug)]
struct Plan {
    ty: DataType,
    size: u64,
    distribution: Distribution,
    seed: u64,
    count: u64,
    counter: u128,
    result: u64,
    is_bitmask: bool,
}

fn bad(text: String) -> Failure {
    Failure::new(AclError::RT_PARAM_INVALID, text)
}

/// Reads `N` bytes at an address that has to lie in a live block of a device.
fn read<const N: usize>(name: &str, at: u64) -> Answer<[u8; N]> {
    check_device(name, at, N as u64)?;
    let mut bytes = [0; N];
    // SAFETY: the source lies in a live block (checked), the destination is a local array of that size.
    unsafe { Motion::Copy { dst: bytes.as_mut_ptr() as u64, src: at, bytes: N as u64 }.run() };
    Ok(bytes)
}

fn check_device(name: &str, at: u64, bytes: u64) -> Answer {
    if at == 0 {
        return refuse(AclError::RT_PARAM_INVALID, format!("`{name}` is null"));
    }
    match Given::new("aclrtRandomNumAsync", name, at, bytes).locate(runtime())? {
        Place::Device(_) | Place::Managed => Ok(()),
        _ => Err(bad(format!("`{name}` is {at:#x}, which is no device memory"))),
    }
}

/// A parameter of at most `size` bytes, from the value or from where it is.
fn parameter(name: &str, info: &RandomParaInfo, size: u64) -> Answer<u64> {
    let given = u64::from(info.size);
    let most = if info.is_addr == 1 { 8 } else { size };
    if info.is_addr > 1 || given == 0 || given > most {
        return Err(bad(format!(
            "`{name}` has isAddr {} and size {given}; isAddr must be 0 or 1, size 1 to {most} bytes",
            info.is_addr
        )));
    }
    let value = u64::from_le_bytes(info.value_or_addr);
    let value = if info.is_addr == 0 {
        value
    } else if size == 2 {
        u16::from_le_bytes(read(name, value)?).into()
    } else if size == 4 {
        u32::from_le_bytes(read(name, value)?).into()
    } else {
        u64::from_le_bytes(read(name, value)?)
    };
    let unused = 64 - 8 * (if info.is_addr == 0 { given } else { size });
    Ok(value << unused >> unused)
}

impl Plan {
    fn new(info: &RandomNumTaskInfo) -> Answer<Plan> {
        let ty = info.data_type;
        let what = &info.random_num_func_para_info;
        let kind = what.func_type;
        let size = TYPES.iter().find(|(t, _)| *t == ty).map(|(_, size)| *size);
        let Some(size) = size.filter(|_| is_real(ty) || kind == RandomNumFuncType::UNIFORM_DIS) else {
            let text = format!(
                "`dataType` is {} for distribution {}; integers are only possible for the uniform distribution, \
                 and only int32, uint32, int64 and uint64",
                ty.name().unwrap_or("no aclDataType"),
                kind.name().unwrap_or("no aclrtRandomNumFuncType")
            );
            return Err(bad(text));
        };
        let real = |name: &str, info: &RandomParaInfo| Ok(to_real(ty, parameter(name, info, size)?));
        let distribution = match kind {
            RandomNumFuncType::DROPOUT_BITMASK => {
                // SAFETY: every field of the union is made of bytes, so each may be read whatever was written.
                let p = unsafe { what.param_info.dropout_bitmask_info };
                Distribution::Dropout { ratio: real("dropoutRation", &p.dropout_ration)? }
            }
            RandomNumFuncType::UNIFORM_DIS => {
                // SAFETY: as above.
                let p = unsafe { what.param_info.uniform_dis_info };
                let (min, max) = (parameter("min", &p.min, size)?, parameter("max", &p.max, size)?);
                Distribution::Uniform { min, max }
            }
            RandomNumFuncType::NORMAL_DIS | RandomNumFuncType::TRUNCATED_NORMAL_DIS => {
                // SAFETY: as above.
                let p = unsafe { what.param_info.normal_dis_info };
                let truncated = kind == RandomNumFuncType::TRUNCATED_NORMAL_DIS;
                Distribution::Normal {
                    mean: real("mean", &p.mean)?,
                    deviation: real("stddev", &p.stddev)?,
                    truncated,
                }
            }
            other => return Err(bad(format!("`funcType` is {}, which is no distribution", other.0))),
        };
        let is_bitmask = matches!(distribution, Distribution::Dropout { .. });
        let plan = Plan {
            ty,
            size,
            distribution,
            seed: parameter("randomSeed", &info.random_seed, 8)?,
            count: parameter("randomNum", &info.random_num, 8)?,
            counter: u128::from_le_bytes(read("randomCounterAddr", info.random_counter_addr as u64)?),
            result: info.random_result_addr as u64,
            is_bitmask,
        };
        check_device("randomResultAddr", plan.result, plan.bytes()?.max(1))?;
        Ok(plan)
    }

    fn bytes(&self) -> Answer<u64> {
        if self.is_bitmask {
            return Ok(self.count.div_ceil(8));
        }
        self.count.checked_mul(self.size).ok_or_else(|| bad(format!("`randomNum` is {}", self.count)))
    }

    fn run(&self) {
        let mut words = Philox::new(self.seed, self.counter);
        let per_chunk = 4096;
        let mut chunk = Vec::with_capacity(per_chunk * 8);
        let mut at = self.result;
        let mut left = self.count;
        while left > 0 {
            chunk.clear();
            let now = left.min(per_chunk as u64);
            if self.is_bitmask {
                for first in (0..now).step_by(8) {
                    let bits = (0..(now - first).min(8)).fold(0, |byte, bit| {
                        byte | (self.distribution.next(self.ty, &mut words) as u8) << bit
                    });
                    chunk.push(bits);
                }
            } else {
                for _ in 0..now {
                    let bits = self.distribution.next(self.ty, &mut words).to_le_bytes();
                    chunk.extend_from_slice(&bits[..self.size as usize]);
                }
            }
            let bytes = chunk.len() as u64;
            // SAFETY: the whole result lies in a live block (checked), `chunk` is a local vector of that length.
            unsafe { Motion::Copy { dst: at, src: chunk.as_ptr() as u64, bytes }.run() };
            at += bytes;
            left -= now;
        }
    }
}

/// The task's information, which holds addresses only as numbers.
#[derive(Clone, Copy)]
struct Info(RandomNumTaskInfo);

// SAFETY: the pointers in it are device addresses, which mean the same on every thread.
unsafe impl Send for Info {}

impl std::fmt::Debug for Info {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "result at {:p}", self.0.random_result_addr)
    }
}

/// A task in a stream.
#[derive(Debug)]
pub struct RandomWork(Mutex<Info>);

impl RandomWork {
    /// Checks what can be checked now.
    ///
    /// # Errors
    /// 107000 with the parameter that is wrong.
    pub fn new(info: RandomNumTaskInfo) -> Answer<RandomWork> {
        Plan::new(&info)?;
        Ok(RandomWork(Mutex::new(Info(info))))
    }

    /// What it will do the next time.
    pub fn info(&self) -> RandomNumTaskInfo {
        self.0.lock().0
    }

    /// Changes what it will do (update of a task in a graph).
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn update(&self, info: RandomNumTaskInfo) -> Answer {
        Plan::new(&info)?;
        *self.0.lock() = Info(info);
        Ok(())
    }
}

impl DeviceWork for RandomWork {
    fn random(&self) -> Option<&RandomWork> {
        Some(self)
    }

    fn start(self: Arc<Self>, turn: Turn) {
        let plan = match Plan::new(&self.info()) {
            Ok(plan) => plan,
            Err(failure) => {
                turn.end(Err(failure), turn.begin());
                return;
            }
        };
        let device = turn.stream().context.device;
        let cycles = device.copy_cycles(super::device::Direction::DeviceToDevice, plan.count * plan.size);
        let end = turn.begin() + cycles;
        if plan.count <= SMALL_COUNT {
            plan.run();
            turn.end(Ok(()), end);
            return;
        }
        background::run(move || {
            plan.run();
            background::nearly_done();
            turn.end(Ok(()), end);
        });
    }

    fn skip(&self, _stream: &Stream) {}

    fn touches(&self, start: u64, bytes: u64) -> bool {
        let info = self.info();
        let near = |at: u64, size: u64| at < start + bytes && start < at + size;
        let result = info.random_result_addr as u64;
        let length = Plan::new(&info).and_then(|plan| plan.bytes()).unwrap_or(1);
        near(result, length) || near(info.random_counter_addr as u64, 16)
    }

    fn doing(&self) -> String {
        "it makes random numbers".into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn philox_gives_its_published_words() {
        assert_eq!(Philox::new(0, 0).block(), [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
        assert_eq!(
            Philox::new(u64::MAX, u128::MAX).block(),
            [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]
        );
    }

    #[test]
    fn uniform_numbers_stay_in_their_range() {
        let mut words = Philox::new(1, 0);
        for ty in [DataType::INT32, DataType::INT64] {
            let range = Distribution::Uniform { min: -3i64 as u64, max: 4 };
            let all: Vec<i128> = (0..1000).map(|_| to_integer(ty, range.next(ty, &mut words))).collect();
            assert_eq!((all.iter().min(), all.iter().max()), (Some(&-3), Some(&3)));
        }
        let range = Distribution::Uniform { min: 0x3c00, max: 0x3c01 };
        assert!((0..1000).all(|_| range.next(DataType::FLOAT16, &mut words) == 0x3c00));
    }
}
