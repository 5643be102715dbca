//! What a call of the device library's hooks becomes on the AI Core (dav-c220).
//!
//! A flag or barrier becomes the vendor's intrinsic with its pipes as constants: that is the only form the flag instructions have, and
//! the reason why there is one hook per pair of pipes. What only tells an observer (notes, faults, serial numbers) becomes nothing: the
//! error stays in the pipe's state, where the kernel can ask for it.
//!
//! Spelling and operands: [`toprope_abi::isa`]; a row that is marked as assumed is not used.

use toprope_abi::fwk::api::{FLAG_PAIRS, HOOKS};
use toprope_abi::isa::{Op, Pipe, Provenance, ctrl};

use super::cursor::Type;
use super::error::Refusal;
use super::statement::Call;

/// A hook with what it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hook {
    /// SetFlag or WaitFlag between two pipes.
    Flag(Op, Pipe, Pipe),
    /// Barrier.
    Barrier(Pipe),
    /// Clears bits of the control register: the first and how many.
    ClearCtrl(u32, u32),
    /// Writes a register from its one argument.
    Register(Op),
    /// Both words of the vector mask.
    VectorMask,
    /// The whole data cache.
    CacheClean,
    /// A burst copy: whether from UB.
    SpillCopy { from_ub: bool },
    /// Reads a register: the vendor's name.
    Read(&'static str),
    /// Nothing; a result is 0 or null.
    Silent,
    /// Cannot happen on this core.
    Trap,
    /// Stays a call: the kernel's shim defines it.
    Open,
}

/// Hooks other than flags, by name.
const NAMED: &[(&str, Hook)] = &[
    ("tr_hook_barrier_v", Hook::Barrier(Pipe::V)),
    ("tr_hook_barrier_m", Hook::Barrier(Pipe::M)),
    ("tr_hook_barrier_mte1", Hook::Barrier(Pipe::Mte1)),
    ("tr_hook_barrier_mte2", Hook::Barrier(Pipe::Mte2)),
    ("tr_hook_barrier_mte3", Hook::Barrier(Pipe::Mte3)),
    ("tr_hook_barrier_fix", Hook::Barrier(Pipe::Fix)),
    ("tr_hook_barrier_all", Hook::Barrier(Pipe::All)),
    ("tr_hook_set_atomic_none", Hook::ClearCtrl(ctrl::ATOMIC_TYPE_LO, 3)),
    ("tr_hook_set_mask_norm", Hook::ClearCtrl(ctrl::MASK_COUNTER, 1)),
    // No public bitcode names the instruction: the header of the library gives it the compiler's own.
    ("tr_hook_set_l1_3d_size", Hook::Open),
    ("tr_hook_set_padding", Hook::Register(Op::SetPadding)),
    ("tr_hook_set_vector_mask", Hook::VectorMask),
    ("tr_hook_dcci", Hook::CacheClean),
    ("tr_hook_copy_ub_to_gm", Hook::SpillCopy { from_ub: true }),
    ("tr_hook_copy_gm_to_ub", Hook::SpillCopy { from_ub: false }),
    // NpuArch 2002 only.
    ("tr_hook_copy_ub_to_l1", Hook::Trap),
    ("tr_hook_copy_l1_to_ub", Hook::Trap),
    ("tr_hook_sub_block_num", Hook::Read("GET.SUBBLOCKDIM")),
    ("tr_hook_sub_block_idx", Hook::Read("GET.SUBBLOCKID")),
    ("tr_hook_set_pipe_ptr", Hook::Silent),
    ("tr_hook_set_live_pipe", Hook::Silent),
    ("tr_hook_live_pipe", Hook::Silent),
    ("tr_hook_next_serial", Hook::Silent),
    ("tr_hook_fault", Hook::Silent),
    ("tr_hook_note_buffer", Hook::Silent),
    ("tr_hook_note_pipe", Hook::Silent),
    ("tr_hook_note_pool_reset", Hook::Silent),
    ("tr_hook_note_op", Hook::Silent),
];

/// Hooks that stay calls in the output.
pub fn open() -> impl Iterator<Item = &'static str> {
    NAMED.iter().filter(|n| n.1 == Hook::Open).map(|n| n.0)
}

/// The hook of this symbol (with `@`).
pub fn find(symbol: &str) -> Option<Hook> {
    let name = symbol.strip_prefix('@')?;
    for pair in FLAG_PAIRS {
        if pair.set == name {
            return Some(Hook::Flag(Op::SetFlagImm, pair.src, pair.dst));
        }
        if pair.wait == name {
            return Some(Hook::Flag(Op::WaitFlagImm, pair.src, pair.dst));
        }
    }
    NAMED.iter().find(|n| n.0 == name).map(|n| n.1)
}

/// Statements that take the place of a call, and what they need declared.
#[derive(Clone, Debug, Default)]
pub struct Steps {
    /// Statements.
    pub lines: Vec<String>,
    /// Symbol and declaration.
    pub declares: Vec<(String, String)>,
}

struct Writer<'f> {
    steps: Steps,
    fresh: &'f mut usize,
}

impl Writer<'_> {
    fn value(&mut self, text: &str) -> String {
        *self.fresh += 1;
        let name = format!("%tr.{}", *self.fresh);
        self.steps.lines.push(format!("{name} = {text}"));
        name
    }

    /// A call of `llvm.hivm.NAME`; its result, if `result` is not `void`, has the name that is returned.
    fn intrinsic(&mut self, name: &str, result: &str, args: &[(&str, &str)]) -> String {
        let symbol = format!("@llvm.hivm.{name}");
        let types: Vec<&str> = args.iter().map(|a| a.0).collect();
        self.steps
            .declares
            .push((symbol.clone(), format!("declare {result} {symbol}({})", types.join(", "))));
        let args: Vec<String> = args.iter().map(|(ty, value)| format!("{ty} {value}")).collect();
        let call = format!("call {result} {symbol}({})", args.join(", "));
        if result == "void" {
            self.steps.lines.push(call);
            String::new()
        } else {
            self.value(&call)
        }
    }

    /// The instruction of `op`, if its spelling is public.
    fn issue(&mut self, op: Op, args: &[(&str, &str)]) -> Result<(), Refusal> {
        let row = op.row();
        if row.provenance == Provenance::Assumed {
            return Err(Refusal::Assumed { what: row.intrinsic.to_owned() });
        }
        self.intrinsic(row.intrinsic, "void", args);
        Ok(())
    }

    /// An i32 or i64 argument as 64 bits.
    fn wide(&mut self, call: &Call, n: usize) -> Result<String, Refusal> {
        let arg = call.args.get(n).ok_or_else(|| Refusal::Hook { what: call.callee.clone() })?;
        if arg.ty == Type::Int(64) || arg.value.parse::<i64>().is_ok() {
            return Ok(arg.value.clone());
        }
        Ok(self.value(&format!("zext i32 {} to i64", arg.value)))
    }

    fn binary(&mut self, opcode: &str, a: &str, b: &str) -> String {
        self.value(&format!("{opcode} i64 {a}, {b}"))
    }

    /// `x | y << by`.
    fn field(&mut self, x: &str, y: &str, by: &str) -> String {
        let shifted = self.binary("shl", y, by);
        self.binary("or", x, &shifted)
    }
}

/// Bytes of a data block, as a shift.
const BLOCK_SHIFT: &str = "5";
/// Registers and spaces: UB and GM as the vendor numbers them in pointers.
const UB: &str = "ptr addrspace(6)";
const GM: &str = "ptr addrspace(1)";

/// What `hook` becomes.
///
/// # Errors
/// [`Refusal::Assumed`], [`Refusal::Hook`].
pub fn lower(hook: &Hook, call: &Call, fresh: &mut usize) -> Result<Steps, Refusal> {
    let mut w = Writer { steps: Steps::default(), fresh };
    match *hook {
        Hook::Flag(op, src, dst) => flag(&mut w, call, op, src, dst)?,
        Hook::Barrier(pipe) => w.issue(Op::Barrier, &[("i64", &(pipe as u32).to_string())])?,
        Hook::ClearCtrl(first, count) => {
            let mut ctrl = w.intrinsic("GET.CTRL", "i64", &[]);
            for bit in first..first + count {
                ctrl = w.intrinsic("SBITSET0", "i64", &[("i64", &ctrl), ("i64", &bit.to_string())]);
            }
            w.issue(Op::SetCtrl, &[("i64", &ctrl)])?;
        }
        Hook::Register(op) => {
            let value = w.wide(call, 0)?;
            w.issue(op, &[("i64", &value)])?;
        }
        Hook::VectorMask => {
            let (high, low) = (w.wide(call, 0)?, w.wide(call, 1)?);
            w.issue(Op::Movemask, &[("i64", "1"), ("i64", &high)])?;
            w.issue(Op::Movemask, &[("i64", "0"), ("i64", &low)])?;
        }
        Hook::CacheClean => w.issue(Op::Dcci, &[(GM, "null"), ("i64", "1")])?,
        Hook::SpillCopy { from_ub } => spill_copy(&mut w, call, from_ub)?,
        Hook::Read(name) => {
            let value = w.intrinsic(name, "i64", &[]);
            if let Some(result) = &call.result {
                w.steps.lines.push(format!("{result} = trunc i64 {value} to i32"));
            }
        }
        Hook::Silent => silent(&mut w, call)?,
        Hook::Trap => drop(w.intrinsic("TRAP", "void", &[])),
        Hook::Open => {
            let types: Vec<&str> = call.args.iter().map(|a| a.before.as_str()).collect();
            let declaration = format!("declare {} {}({})", call.returns, call.callee, types.join(", "));
            w.steps.declares.push((call.callee.clone(), declaration));
            w.steps.lines.push(call.text(&call.callee));
        }
    }
    Ok(w.steps)
}

/// The immediate form for a literal id, the register form else.
fn flag(w: &mut Writer<'_>, call: &Call, op: Op, src: Pipe, dst: Pipe) -> Result<(), Refusal> {
    let id = w.wide(call, 0)?;
    let (src, dst) = ((src as u32).to_string(), (dst as u32).to_string());
    let args = [("i64", src.as_str()), ("i64", dst.as_str()), ("i64", id.as_str())];
    if id.starts_with('%') {
        let name = op.row().intrinsic.replace(".IMM", ".REG");
        w.intrinsic(&name, "void", &args);
        return Ok(());
    }
    w.issue(op, &args)
}

/// A burst copy in 32-byte blocks as the byte-granular copy, whose packing is public: lengths and gaps of GM in bytes, gaps of UB in
/// blocks.
fn spill_copy(w: &mut Writer<'_>, call: &Call, from_ub: bool) -> Result<(), Refusal> {
    let (gm, ub) = if from_ub { (0, 1) } else { (1, 0) };
    let (gm, ub) = (w.wide(call, gm)?, w.wide(call, ub)?);
    let gm = w.value(&format!("inttoptr i64 {gm} to {GM}"));
    let ub = w.value(&format!("inttoptr i64 {ub} to {UB}"));
    let (count, length) = (w.wide(call, 2)?, w.wide(call, 3)?);
    let (src_gap, dst_gap) = (w.wide(call, 4)?, w.wide(call, 5)?);
    let length = w.binary("shl", &length, BLOCK_SHIFT);
    let count = w.binary("shl", &count, "4");
    let config = w.field(&count, &length, "16");
    let (op, first, second, src_gap, dst_gap) = if from_ub {
        let dst_gap = w.binary("shl", &dst_gap, BLOCK_SHIFT);
        (Op::MovUbToOutAlignB8V220, (GM, gm), (UB, ub), src_gap, dst_gap)
    } else {
        let src_gap = w.binary("shl", &src_gap, BLOCK_SHIFT);
        (Op::MovOutToUbAlignB8V220, (UB, ub), (GM, gm), src_gap, dst_gap)
    };
    let gaps = w.field(&src_gap, &dst_gap, "32");
    w.issue(op, &[(first.0, &first.1), (second.0, &second.1), ("i64", &config), ("i64", &gaps)])
}

fn silent(w: &mut Writer<'_>, call: &Call) -> Result<(), Refusal> {
    let Some(result) = &call.result else { return Ok(()) };
    match call.ty {
        Type::Int(bits) => w.steps.lines.push(format!("{result} = add i{bits} 0, 0")),
        Type::Ptr => w.steps.lines.push(format!("{result} = inttoptr i64 0 to ptr")),
        _ => return Err(Refusal::Hook { what: call.callee.clone() }),
    }
    Ok(())
}

/// Hooks of the device library that have no entry here; a test wants none.
pub fn missing() -> Vec<&'static str> {
    HOOKS.iter().map(|h| h.name).filter(|name| find(&format!("@{name}")).is_none()).collect()
}
