//! A program of one core as data, and the kernel that interprets it.
#![allow(unsafe_code)] // The kernel gets its program by address.

use crate::harness::Bench;
use crate::kernel::*;
use crate::lines::on_copy_of_line;
use std::fmt;
use toprope_abi::core_face::KernelType;
use toprope_abi::isa::{Op, Pipe, Space};
use toprope_sim::npu::LaunchOutcome;

/// Bytes that an instruction touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touch {
    pub space: Space,
    pub first: u64,
    pub end: u64,
    pub write: bool,
}

/// An instruction on data. GM is private to each instruction, so that only local memories conflict.
#[derive(Clone, Copy, Debug)]
pub enum Data {
    /// MTE2: GM to UB.
    CopyIn {
        dst: u64,
        blocks: u64,
    },
    /// V: repeats of 256 bytes.
    Add {
        dst: u64,
        a: u64,
        b: u64,
        repeats: u64,
    },
    /// MTE3: UB to GM.
    CopyOut {
        src: u64,
        blocks: u64,
    },
    /// S: a float of UB.
    Load {
        at: u64,
    },
    Store {
        at: u64,
    },
    /// MTE2: GM to L1.
    ToL1 {
        dst: u64,
        blocks: u64,
    },
    /// MTE1: fractals of 512 bytes.
    ToL0 {
        space: Space,
        dst: u64,
        src: u64,
        fractals: u64,
    },
    /// M: 16 × 16k by 16k × 16.
    Mad {
        c: u64,
        a: u64,
        b: u64,
        depth: u64,
        from_zero: bool,
    },
    /// FIX: a cell of 1 KiB to GM.
    Fix {
        src: u64,
    },
}

/// A step of the program, in the order of the source.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    Data(Data),
    Set(Pipe, Pipe, u64),
    Wait(Pipe, Pipe, u64),
    Barrier(Pipe),
}

/// What one core does. `units` are the indices of steps that make one piece of order: a barrier, or a set and its wait.
#[derive(Clone, Debug, Default)]
pub struct Program {
    pub cube: bool,
    pub steps: Vec<Step>,
    pub units: Vec<Vec<usize>>,
}

impl Data {
    pub fn pipe(&self) -> Pipe {
        match self {
            Data::CopyIn { .. } | Data::ToL1 { .. } => Pipe::Mte2,
            Data::Add { .. } => Pipe::V,
            Data::CopyOut { .. } => Pipe::Mte3,
            Data::Load { .. } | Data::Store { .. } => Pipe::S,
            Data::ToL0 { .. } => Pipe::Mte1,
            Data::Mad { .. } => Pipe::M,
            Data::Fix { .. } => Pipe::Fix,
        }
    }

    pub fn touches(&self) -> Vec<Touch> {
        let touch = |space, first, bytes, write| Touch { space, first, end: first + bytes, write };
        match *self {
            Data::CopyIn { dst, blocks } => vec![touch(Space::Ub, dst, 32 * blocks, true)],
            Data::Add { dst, a, b, repeats } => {
                let ub = |at, write| touch(Space::Ub, at, 256 * repeats, write);
                vec![ub(a, false), ub(b, false), ub(dst, true)]
            }
            Data::CopyOut { src, blocks } => vec![touch(Space::Ub, src, 32 * blocks, false)],
            Data::Load { at } => vec![touch(Space::Ub, at, 4, false)],
            Data::Store { at } => vec![touch(Space::Ub, at, 4, true)],
            Data::ToL1 { dst, blocks } => vec![touch(Space::L1, dst, 32 * blocks, true)],
            Data::ToL0 { space, dst, src, fractals } => {
                vec![touch(Space::L1, src, 512 * fractals, false), touch(space, dst, 512 * fractals, true)]
            }
            Data::Mad { c, a, b, depth, from_zero } => {
                let mut all =
                    vec![touch(Space::L0a, a, 512 * depth, false), touch(Space::L0b, b, 512 * depth, false)];
                if !from_zero {
                    all.push(touch(Space::L0c, c, 1024, false));
                }
                all.push(touch(Space::L0c, c, 1024, true));
                all
            }
            Data::Fix { src } => vec![touch(Space::L0c, src, 1024, false)],
        }
    }

    /// Whether it is a copy between memories.
    pub fn is_copy(&self) -> bool {
        matches!(self.pipe(), Pipe::Mte1 | Pipe::Mte2 | Pipe::Mte3)
    }

    /// Issues it; GM is read at `args[1]` and written at `args[2]`, `index` chooses where.
    fn issue(&self, args: &[u64; 8], index: u64) {
        let out = args[2] + index * SLICE;
        match *self {
            Data::CopyIn { dst, blocks } => copy_in(ub(dst), args[1], blocks),
            Data::Add { dst, a, b, repeats } => binary(Op::VaddF32, ub(dst), ub(a), ub(b), repeats),
            Data::CopyOut { src, blocks } => copy_out(out, ub(src), blocks),
            Data::Load { at } => drop(std::hint::black_box(get_value(ub(at)))),
            Data::Store { at } => set_value(ub(at), 1.0),
            Data::ToL1 { dst, blocks } => {
                issue(Op::MovOutToL1V220, [local(Space::L1, dst), args[1], 1 << 4 | blocks << 16, 0])
            }
            Data::ToL0 { space, dst, src, fractals } => {
                let op = if space == Space::L0a { Op::LoadL1ToL0a2dF16 } else { Op::LoadL1ToL0b2dF16 };
                issue(op, [local(space, dst), local(Space::L1, src), fractals << 16 | 1 << 24, 0])
            }
            Data::Mad { c, a, b, depth, from_zero } => {
                let shape = 16 | (16 * depth) << 12 | 16 << 24 | u64::from(from_zero) << 63;
                issue(
                    Op::MadF162f32,
                    [local(Space::L0c, c), local(Space::L0a, a), local(Space::L0b, b), shape],
                )
            }
            Data::Fix { src } => issue(
                Op::FixL0cToOutF32,
                [out, local(Space::L0c, src), 16 << 4 | 16 << 16 | 16 << 32, 16 | 1 << 43],
            ),
        }
    }
}

/// Source lines that the steps of a program are on, in turn.
const PROGRAM_LINES: usize = 7;

/// The source line of step number `at`.
pub fn line(at: usize) -> usize {
    at % PROGRAM_LINES
}

impl Step {
    fn issue(&self, args: &[u64; 8], index: u64) {
        match *self {
            Step::Data(data) => data.issue(args, index),
            Step::Set(from, to, id) => set_flag(from, to, id),
            Step::Wait(from, to, id) => wait_flag(from, to, id),
            Step::Barrier(pipe) => barrier(pipe),
        }
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, step) in self.steps.iter().enumerate() {
            match step {
                Step::Data(data) => writeln!(f, "{i:4} {:5} {data:?}", data.pipe().name())?,
                Step::Set(p, q, id) => writeln!(f, "{i:4} set {}_{} {id}", p.name(), q.name())?,
                Step::Wait(p, q, id) => writeln!(f, "{i:4} wait {}_{} {id}", p.name(), q.name())?,
                Step::Barrier(pipe) => writeln!(f, "{i:4} barrier {}", pipe.name())?,
            }
        }
        Ok(())
    }
}

/// GM that belongs to one instruction, bytes.
const SLICE: u64 = 4096;
/// Instructions a program may have.
pub const MOST: usize = 200;
/// Bytes of each memory that programs use.
pub const USED: u64 = 16384;

/// Input and output in GM.
pub struct Memory {
    input: u64,
    output: u64,
}

/// Fills all that programs may read, so that no value is uninitialised.
fn prologue(args: &[u64; 8], cube: bool) {
    if cube {
        // One matrix per Fixpipe.
        issue(Op::SetNdPara, [1, 0, 0, 0]);
        Data::ToL1 { dst: 0, blocks: USED / 32 }.issue(args, 0);
        barrier(Pipe::All);
        for space in [Space::L0a, Space::L0b] {
            Data::ToL0 { space, dst: 0, src: 0, fractals: USED / 512 }.issue(args, 0);
        }
        barrier(Pipe::All);
        for cell in 0..USED / 1024 {
            Data::Mad { c: 1024 * cell, a: 0, b: 0, depth: 1, from_zero: true }.issue(args, 0);
        }
    } else {
        Data::CopyIn { dst: 0, blocks: USED / 32 }.issue(args, 0);
    }
    barrier(Pipe::All);
}

/// Interprets the program at address `args[0]`.
fn interpret(args: &[u64; 8]) {
    // SAFETY: `Memory::run` passes the address of a program that outlives the launch.
    let program = unsafe { &*(args[0] as *const Program) };
    prologue(args, program.cube);
    for (i, step) in program.steps.iter().enumerate() {
        on_copy_of_line(line(i), (i / PROGRAM_LINES % 2) as u64, || step.issue(args, i as u64));
    }
}

impl Memory {
    pub fn new(bench: &Bench) -> Memory {
        let words = |bytes: u64| vec![1.0f32; (bytes / 4) as usize];
        Memory { input: bench.upload(&words(USED)), output: bench.upload(&words(SLICE * MOST as u64)) }
    }

    pub fn run(&self, bench: &Bench, program: &Program) -> LaunchOutcome {
        assert!(program.steps.len() <= MOST, "{} steps", program.steps.len());
        let kind = if program.cube { KernelType::AicOnly } else { KernelType::AivOnly };
        let at = std::ptr::from_ref(program) as u64;
        bench.run_type(
            "pipeline",
            interpret,
            kind,
            1,
            &[("program", at), ("in", self.input), ("out", self.output)],
        )
    }
}
