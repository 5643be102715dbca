//! Random programs against an interpreter that knows one bit of dirt per bit of UB and the formula of each instruction, nothing else.
#![allow(unsafe_code)] // Executes instructions on a region of its own.

use super::Registers;
use super::rules::Step;
use super::shadow::Shadow;
use crate::exec::{PipeState, Regs, decode, execute};
use crate::npu::chip::Chip;
use crate::npu::region::Region;
use toprope_abi::isa::{CoreKind, FieldId as F, Layout, Op, Space};

/// Bytes of UB that programs use.
const UB: u64 = 8 << 10;

/// A fixed sequence of numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 33) % n
    }

    fn one_of<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }

    /// Start of a block of 32 bytes from which `blocks` fit.
    fn place(&mut self, blocks: u64) -> u64 {
        self.below(UB / 32 - blocks + 1) * 32
    }
}

/// An operand of a vector instruction: offset, block stride, repeat stride, bytes of an element.
#[derive(Clone, Copy, Debug)]
struct Vector {
    at: u64,
    block: u64,
    repeat: u64,
    width: u64,
}

impl Vector {
    fn random(r: &mut Random, width: u64) -> Vector {
        let block = r.one_of(&[1, 1, 1, 2, 0]);
        Vector { at: r.place(64), block, repeat: r.one_of(&[8, 8, 4, 16, 0, 1]), width }
    }

    fn byte(&self, repeat: u64, e: u64) -> u64 {
        let per_block = 32 / self.width;
        self.at + (repeat * self.repeat + e / per_block * self.block) * 32 + e % per_block * self.width
    }
}

/// The machine under test and the interpreter.
struct Both {
    region: Region,
    shadow: Shadow,
    registers: Registers,
    state: PipeState,
    regs: Regs,
    gm: Vec<u8>,
    /// Dirty bits of every byte of UB.
    naive: Vec<u8>,
}

impl Both {
    fn new() -> Both {
        let chip = Chip::by_name("Ascend910B1").expect("built in");
        let region = Region::new(chip, CoreKind::Aiv).expect("address space");
        let shadow = Shadow::new(chip, CoreKind::Aiv, region.base()).expect("address space");
        let regs = Regs::new(region.base());
        Both {
            region,
            shadow,
            registers: Registers::default(),
            state: PipeState::default(),
            regs,
            gm: (0..UB).map(|i| (i * 7) as u8).collect(),
            naive: vec![0xff; (UB + 4096) as usize],
        }
    }

    fn ub(&self, offset: u64) -> u64 {
        self.region.start(Space::Ub) + offset
    }

    /// Runs one instruction on both; `naive` says what the interpreter makes of it. `false`: the instruction is not legal, or overwrites its
    /// sources, whose results the interpreter does not know (`sim/tests/npu/taint.rs` has those).
    fn run(&mut self, op: Op, x: [u64; 4], naive: impl FnOnce(&mut Vec<u8>, &dyn Fn(u64) -> u8)) -> bool {
        let Ok(d) = decode(op.row(), &x, &self.regs) else { return false };
        if d.has_open_results() {
            return false;
        }
        let start = self.region.start(Space::Ub);
        // SAFETY: a byte of UB.
        let data = move |offset: u64| unsafe { *((start + offset) as *const u8) };
        naive(&mut self.naive, &data);
        let mut step = Step {
            shadow: &mut self.shadow,
            registers: &mut self.registers,
            decoded: &d,
            state: &self.state,
        };
        match step.first_dirty() {
            None => step.clean(),
            Some(_) => step.spread(1),
        }
        // SAFETY: places leave room for every stride that is drawn; GM is as large as UB.
        unsafe { execute(&d, &mut self.state) };
        true
    }

    fn compare(&mut self, seed: u64, what: &str) {
        let mut bytes = vec![0; UB as usize];
        let start = self.ub(0);
        self.shadow.read(start, &mut bytes);
        let differs = bytes.iter().zip(&self.naive).position(|(a, b)| a != b);
        let text = differs.map(|at| format!("byte {at}: {:#x}, expected {:#x}", bytes[at], self.naive[at]));
        assert_eq!(text, None, "seed {seed}, after {what}");
    }
}

fn words(layout: Layout, fields: &[(F, u64)]) -> [u64; 2] {
    let mut words = [0; 2];
    for (id, value) in fields {
        let field = layout.field(*id).expect("a field of the layout");
        words[field.word as usize] |= field.put(*value);
    }
    words
}

/// Elements that take part, for elements of `wide` bytes.
fn selected(regs: &Regs, wide: u64) -> Vec<u64> {
    let mask = u128::from(regs.mask[0]) | u128::from(regs.mask[1]) << 64;
    (0..256 / wide).filter(|e| mask >> e & 1 == 1).collect()
}

fn any(naive: &[u8], at: u64, width: u64) -> bool {
    naive[at as usize..(at + width) as usize].iter().any(|b| *b != 0)
}

fn set(naive: &mut [u8], at: u64, width: u64, dirty: bool) {
    naive[at as usize..(at + width) as usize].fill(if dirty { 0xff } else { 0 });
}

/// One random instruction.
fn step(b: &mut Both, r: &mut Random) -> &'static str {
    let repeats = 1 + r.below(3);
    match r.below(4) {
        0 => b.regs.mask = [u64::MAX; 2],
        1 => b.regs.mask = [1 + r.below(1 << 20), 0],
        2 => b.regs.mask = [r.below(u64::MAX >> 1) | 1, r.below(u64::MAX >> 1)],
        _ => b.regs.mask = [u64::MAX >> r.below(60), 0],
    }
    let regs = b.regs;
    let ub = b.ub(0);
    match r.below(10) {
        0 => {
            let (to, blocks) = (r.place(16), 1 + r.below(16));
            let gm = b.gm.as_ptr() as u64;
            let w = words(Layout::Burst, &[(F::BurstCount, 1), (F::BurstLen, blocks)]);
            b.run(Op::MovOutToUbV220, [ub + to, gm, w[0], 0], |n, _| set(n, to, blocks * 32, false));
            "load"
        }
        1 => {
            let dst = Vector { block: 1, ..Vector::random(r, 4) };
            let w = words(
                Layout::VecDup,
                &[(F::DstBlockStride, 1), (F::DstRepeatStride, dst.repeat), (F::RepeatTimes, repeats)],
            );
            b.run(Op::MovevF32, [ub + dst.at, 0, w[0], 0], |n, _| {
                for rep in 0..repeats {
                    selected(&regs, 4).iter().for_each(|e| set(n, dst.byte(rep, *e), 4, false));
                }
            });
            "duplicate"
        }
        2..=4 => {
            let (op, width) =
                r.one_of(&[(Op::VaddF32, 4), (Op::VmulF16, 2), (Op::VandU16, 2), (Op::VorU16, 2)]);
            let [dst, x, y] = std::array::from_fn(|_| Vector::random(r, width));
            let dst = Vector { block: dst.block.max(1), ..dst };
            let w = words(
                Layout::VecBinary,
                &[
                    (F::DstBlockStride, dst.block),
                    (F::Src0BlockStride, x.block),
                    (F::Src1BlockStride, y.block),
                    (F::DstRepeatStride, dst.repeat),
                    (F::Src0RepeatStride, x.repeat),
                    (F::Src1RepeatStride, y.repeat),
                    (F::RepeatTimes, repeats),
                ],
            );
            let is_and = op as u32 == Op::VandU16 as u32;
            let by_bits = is_and || op as u32 == Op::VorU16 as u32;
            b.run(op, [ub + dst.at, ub + x.at, ub + y.at, w[0]], |n, data| {
                for rep in 0..repeats {
                    let elements = selected(&regs, width);
                    let results: Vec<Vec<u8>> = elements
                        .iter()
                        .map(|e| {
                            let (i, j) = (x.byte(rep, *e), y.byte(rep, *e));
                            if !by_bits {
                                let dirty = any(n, i, width) || any(n, j, width);
                                return vec![if dirty { 0xff } else { 0 }; width as usize];
                            }
                            (0..width)
                                .map(|k| {
                                    let bit = |at: u64, s: u32| {
                                        (n[at as usize] >> s & 1 == 1, data(at) >> s & 1 == 1)
                                    };
                                    (0..8).fold(0, |out, s| {
                                        let ((da, va), (db, vb)) = (bit(i + k, s), bit(j + k, s));
                                        // A known 0 decides And, a known 1 decides Or.
                                        let decided = (!da && va != is_and) || (!db && vb != is_and);
                                        out | u8::from((da || db) && !decided) << s
                                    })
                                })
                                .collect()
                        })
                        .collect();
                    for (e, result) in elements.iter().zip(results) {
                        let at = dst.byte(rep, *e) as usize;
                        n[at..at + width as usize].copy_from_slice(&result);
                    }
                }
            });
            "binary"
        }
        5 => {
            let (from, to, count, len) = (r.place(40), r.place(40), 1 + r.below(3), 1 + r.below(4));
            let gaps = [r.below(3), r.below(3)];
            let w = words(
                Layout::Burst,
                &[(F::BurstCount, count), (F::BurstLen, len), (F::SrcGap, gaps[0]), (F::DstGap, gaps[1])],
            );
            b.run(Op::MovUbToUbV220, [ub + to, ub + from, w[0], 0], |n, _| {
                // Without gaps it is one burst, read whole before it is written.
                let (count, len) = if gaps == [0; 2] { (1, count * len) } else { (count, len) };
                for i in 0..count {
                    let [f, t] = [from + i * (len + gaps[0]) * 32, to + i * (len + gaps[1]) * 32];
                    n.copy_within(f as usize..(f + len * 32) as usize, t as usize);
                }
            });
            "copy"
        }
        6 => {
            let (dst, src) = (Vector { block: 1, ..Vector::random(r, 4) }, Vector::random(r, 2));
            let w = words(
                Layout::VecUnary,
                &[
                    (F::DstBlockStride, dst.block),
                    (F::Src0BlockStride, src.block),
                    (F::DstRepeatStride, dst.repeat),
                    (F::Src0RepeatStride, src.repeat),
                    (F::RepeatTimes, repeats),
                ],
            );
            b.run(Op::VconvF162f32V220, [ub + dst.at, ub + src.at, w[0], 0], |n, _| {
                for rep in 0..repeats {
                    let elements = selected(&regs, 4);
                    let dirty: Vec<bool> = elements.iter().map(|e| any(n, src.byte(rep, *e), 2)).collect();
                    elements.iter().zip(dirty).for_each(|(e, d)| set(n, dst.byte(rep, *e), 4, d));
                }
            });
            "convert"
        }
        7 => {
            let src = Vector::random(r, 4);
            let to = r.place(8);
            let by_block = r.below(2) == 1;
            let w = words(
                Layout::VecReduce,
                &[
                    (F::DstRepeatStride, 1),
                    (F::Src0BlockStride, src.block),
                    (F::Src0RepeatStride, src.repeat),
                    (F::RepeatTimes, repeats),
                ],
            );
            let op = if by_block { Op::VcgaddF32 } else { Op::VcaddF32Order };
            b.run(op, [ub + to, ub + src.at, w[0], 0], |n, _| {
                for rep in 0..repeats {
                    let elements = selected(&regs, 4);
                    let dirty = |n: &[u8], e: u64| any(n, src.byte(rep, e), 4);
                    if elements.is_empty() {
                        continue;
                    }
                    if !by_block {
                        let d = elements.iter().any(|e| dirty(n, *e));
                        set(n, to + 4 * rep, 4, d);
                        continue;
                    }
                    let results: Vec<(u64, bool)> = (0..8)
                        .filter(|i| elements.iter().any(|e| e / 8 == *i))
                        .map(|i| (i, elements.iter().any(|e| e / 8 == i && dirty(n, *e))))
                        .collect();
                    results.iter().for_each(|(i, d)| set(n, to + 32 * rep + 4 * i, 4, *d));
                }
            });
            "reduce"
        }
        8 => {
            let (x, y) = (Vector::random(r, 4), Vector::random(r, 4));
            let to = r.place(4);
            let w = words(
                Layout::VecBinary,
                &[
                    (F::Src0BlockStride, x.block),
                    (F::Src1BlockStride, y.block),
                    (F::Src0RepeatStride, x.repeat),
                    (F::Src1RepeatStride, y.repeat),
                    (F::RepeatTimes, repeats),
                ],
            );
            b.run(Op::VcmpvLtF32, [ub + to, ub + x.at, ub + y.at, w[0]], |n, _| {
                for rep in 0..repeats {
                    let dirty: Vec<bool> =
                        (0..64).map(|e| any(n, x.byte(rep, e), 4) || any(n, y.byte(rep, e), 4)).collect();
                    for (byte, flags) in dirty.chunks(8).enumerate() {
                        let bits = flags.iter().enumerate().fold(0, |b, (i, d)| b | u8::from(*d) << i);
                        n[to as usize + rep as usize * 8 + byte] = bits;
                    }
                }
            });
            "compare"
        }
        _ => {
            let (dst, src) = (Vector { block: 1, ..Vector::random(r, 4) }, Vector::random(r, 4));
            let mask = r.place(4);
            let w = words(
                Layout::VecSelect,
                &[
                    (F::DstBlockStride, dst.block),
                    (F::Src0BlockStride, src.block),
                    (F::DstRepeatStride, dst.repeat),
                    (F::Src0RepeatStride, src.repeat),
                    (F::SelectMode, 1),
                    (F::RepeatTimes, repeats),
                ],
            );
            b.run(Op::VselF321, [ub + dst.at, ub + src.at, ub + mask, w[0]], |n, data| {
                for rep in 0..repeats {
                    let elements = selected(&regs, 4);
                    let results: Vec<bool> = elements
                        .iter()
                        .map(|e| {
                            let (at, bit) = (mask + (rep * 64 + e) / 8, (rep * 64 + e) % 8);
                            let unknown = n[at as usize] >> bit & 1 == 1;
                            // A set bit takes the source, else a scalar that is known.
                            unknown || (data(at) >> bit & 1 == 1 && any(n, src.byte(rep, *e), 4))
                        })
                        .collect();
                    elements.iter().zip(results).for_each(|(e, d)| set(n, dst.byte(rep, *e), 4, d));
                }
            });
            "select"
        }
    }
}

#[test]
fn random_programs_spread_dirt_as_the_interpreter_says() {
    for seed in 0..400 {
        let mut r = Random(seed);
        let mut both = Both::new();
        for _ in 0..60 {
            let what = step(&mut both, &mut r);
            both.compare(seed, what);
        }
    }
}
