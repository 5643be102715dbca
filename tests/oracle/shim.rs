//! The C side of a vendor module: one function per intrinsic, written from the instruction table.
//!
//! A function puts its operands into the places that `abi::isa` gives them: local pointers get the core's region and the memory's place
//! added, scalars are cut to the element's width, everything else passes as it is. What the table does not have refuses with
//! `missing: <intrinsic>`, which the suite's report shows.

use crate::ir::symbol;
use std::collections::BTreeMap;
use std::fmt::Write;
use toprope_abi::isa::{CoreKind, Layout, OPS, OpRow};

/// Intrinsics that are not instructions of the table, or compute a value there: their C bodies.
const DIRECT: &[(&str, &str)] = &[
    ("GET.CTRL", "return core->read_spr(core, TR_SPR_CTRL);"),
    ("SBITSET0", "return a0 & ~(1ull << (a1 & 63));"),
    ("SBITSET1", "return a0 | (1ull << (a1 & 63));"),
    ("GET.BLOCK.IDX", "return core->block_idx;"),
    ("GET.BLOCK.NUM", "return core->block_num;"),
    ("GET.SUBBLOCKID", "return core->sub_block_idx;"),
    ("GET.SUBBLOCKDIM", "return core->sub_block_num;"),
    ("TRAP", "core->refuse(core, TR_REFUSE_TRAP, 0, 0, 0, 0);"),
    ("GET.ACC.VAL", "return core->read_spr(core, TR_SPR_ACC_VAL);"),
    ("GET.MAX.MIN.CNT", "return core->read_spr(core, TR_SPR_MAX_MIN_CNT);"),
    ("GET.RSVD.CNT", "return core->read_spr(core, TR_SPR_RSVD_CNT);"),
];

/// Intrinsics whose operands lie otherwise than in the table: `x0..x3` in C. `UB` is the start of UB, `BT` of the bias table.
const ARRANGED: &[(&str, [&str; 4])] = &[
    ("S.VNCHWCONV.b8", ["a0", "a1", "a2", "a3 | a4 << 1"]),
    ("MOVEVA", ["a0", "a1", "UB + a2", "UB + a3"]),
    ("VMRGSORT.f16.V220", ["UB + a0", "a1", "a2", "a3"]),
    ("VMRGSORT.f32.V220", ["UB + a0", "a1", "a2", "a3"]),
    ("MOV.L1.TO.BT", ["BT + a0", "L1 + a1", "a2", "0"]),
];

/// Prefixes of intrinsics that take five operands, the last two being bits of the second configuration word.
const TWO_SWITCHES: [&str; 2] = ["LOAD.L1.TO.L0A.2D.V220.", "LOAD.L1.TO.L0B.2D.V220."];

/// Spellings that differ in how the event id is encoded only.
const SAME_AS: &[(&str, &str)] = &[("SET.FLAG.REG", "SET.FLAG.IMM"), ("WAIT.FLAG.REG", "WAIT.FLAG.IMM")];

/// The row of an intrinsic.
pub fn row(intrinsic: &str) -> Option<&'static OpRow> {
    let name = SAME_AS.iter().find(|s| s.0 == intrinsic).map_or(intrinsic, |s| s.1);
    OPS.iter().find(|r| r.intrinsic == name)
}

/// Which argument is a scalar of the source's element type.
fn scalar_argument(row: &OpRow, args: &[String]) -> Option<usize> {
    match row.layout {
        Layout::VecUnary if args.len() >= 4 => Some(2),
        Layout::VecDup if args.len() >= 3 => Some(1),
        _ => None,
    }
}

fn local(t: &str) -> Option<u32> {
    let space = t.strip_prefix("ptr addrspace(")?.trim_end_matches(')').parse().ok()?;
    (space >= 2).then_some(space)
}

/// The C expression of argument `n`.
fn operand(row: &OpRow, n: usize, args: &[String]) -> String {
    let t = args[n].as_str();
    if let Some(space) = local(t) {
        return format!("core->region + ({space}ull << TR_SPACE_SHIFT) + a{n}");
    }
    match t {
        "float" => format!("bits_of(a{n})"),
        "i64" if scalar_argument(row, args) == Some(n) && row.src.bits() < 64 => {
            format!("a{n} & 0x{:x}ull", (1u64 << row.src.bits()) - 1)
        }
        _ => format!("a{n}"),
    }
}

/// What an intrinsic does.
fn body(name: &str, args: &[String]) -> String {
    let missing = format!("core->refuse(core, TR_REFUSE_UNSUPPORTED, \"missing: {name}\", 0, 0, 0);");
    if let Some((_, text)) = DIRECT.iter().find(|d| d.0 == name) {
        return (*text).to_owned();
    }
    let Some(row) = row(name) else { return missing };
    let issue = |x: &[String]| format!("core->issue(core, {}, {});", row.op as u32, x.join(", "));
    if let Some((_, x)) = ARRANGED.iter().find(|a| a.0 == name) {
        return issue(&x.map(str::to_owned));
    }
    let mut x: Vec<String> = (0..args.len()).map(|n| operand(row, n, args)).collect();
    if TWO_SWITCHES.iter().any(|p| name.starts_with(p)) && x.len() == 5 {
        x.truncate(3);
        x.push("a3 | a4 << 1".to_owned());
    }
    let extra = x.split_off(x.len().min(4));
    x.resize(4, "0".to_owned());
    // Further operands (rounding of a shift, …) are 0 in every instruction that the table has.
    let checks: String = extra.iter().map(|e| format!("if ({e}) {missing} ")).collect();
    checks + &issue(&x)
}

fn c_type(t: &str) -> &str {
    match t {
        "float" => "float",
        "void" => "void",
        "ptr" => "void *",
        _ => "uint64_t",
    }
}

/// The C file for a module with `entries` templates that call `intrinsics`.
pub fn write(kind: CoreKind, entries: usize, intrinsics: &BTreeMap<String, (String, Vec<String>)>) -> String {
    let mut c = PRELUDE.to_owned();
    for (name, (result, args)) in intrinsics {
        let params: Vec<String> =
            args.iter().enumerate().map(|(n, t)| format!("{} a{n}", c_type(t))).collect();
        let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
        let result = c_type(result.trim());
        let mut body = body(name, args);
        if result != "void" && !body.contains("return") {
            body += " return 0;";
        }
        writeln!(
            c,
            "{result} {}({params}) {{ TrCore *core = oracle_core(); (void)core; {body} }}",
            symbol(name)
        )
        .expect("a string");
    }
    for k in 0..entries {
        writeln!(c, "extern void oracle_entry_{k}(const uint64_t *);").expect("a string");
    }
    let names: Vec<String> = (0..entries).map(|k| format!("oracle_entry_{k}")).collect();
    writeln!(c, "static void (*const entries[])(const uint64_t *) = {{ {} }};", names.join(", "))
        .expect("a string");
    let kernel_type = if kind == CoreKind::Aiv { "TR_KERNEL_AIV_ONLY" } else { "TR_KERNEL_AIC_ONLY" };
    let barrier = row("BARRIER").map_or(0, |r| r.op as u32);
    c + &POSTLUDE.replace("KERNEL_TYPE", kernel_type).replace("BARRIER_OP", &barrier.to_string())
}

/// Halves are converted by hand: round to nearest, ties to even.
const PRELUDE: &str = r#"/* Written by the oracle suite; do not edit. */
#include <string.h>
#include <toprope/core.h>
#include <toprope/isa.h>

static __thread TrCore *current;
__attribute__((noinline)) TrCore *oracle_core(void) { __asm__ volatile(""); return current; }
static void set_core(TrCore *core) { current = core; }
#define UB (core->region + ((uint64_t)TR_SPACE_UB << TR_SPACE_SHIFT))
#define BT (core->region + ((uint64_t)TR_SPACE_BT << TR_SPACE_SHIFT))
#define L1 (core->region + ((uint64_t)TR_SPACE_L1 << TR_SPACE_SHIFT))
static uint64_t bits_of(float f) { uint32_t b; memcpy(&b, &f, 4); return b; }

void *oracle_scalar(uint64_t at, uint32_t space, uint32_t bytes, uint32_t write) {
  TrCore *core = oracle_core();
  if (space >= 2) at += core->region + ((uint64_t)space << TR_SPACE_SHIFT);
  core->scalar_access(core, at, bytes, write);
  return (void *)at;
}
void oracle_undefined(uint64_t which) {
  TrCore *core = oracle_core();
  core->refuse(core, TR_REFUSE_UNSUPPORTED, "missing: a function that the library declares only", which, 0, 0);
}
static const char nothing[4096];
const void *oracle_stack(const void *at) { return (uintptr_t)at < sizeof nothing ? nothing + (uintptr_t)at : at; }
uint16_t oracle_to_half(float f) {
  uint32_t b = (uint32_t)bits_of(f), sign = b >> 16 & 0x8000u, m = b & 0x7fffffu;
  int e = (int)(b >> 23 & 255u) - 112;
  if (e == 143) return (uint16_t)(sign | 0x7c00u | (m ? 0x200u | m >> 13 : 0));
  uint32_t keep, rest, half_unit;
  if (e <= 0) {
    if (e < -10) return (uint16_t)sign;
    m |= 0x800000u;
    uint32_t shift = (uint32_t)(14 - e);
    keep = m >> shift; rest = m & ((1u << shift) - 1); half_unit = 1u << (shift - 1);
  } else {
    keep = (uint32_t)e << 10 | m >> 13; rest = m & 0x1fffu; half_unit = 0x1000u;
  }
  keep += rest > half_unit || (rest == half_unit && (keep & 1));
  return (uint16_t)(sign | (keep > 0x7c00u || e > 30 ? 0x7c00u : keep));
}
float oracle_from_half(uint16_t h) {
  uint32_t sign = (uint32_t)(h & 0x8000u) << 16, e = h >> 10 & 31u, m = h & 0x3ffu, b;
  if (e == 31) b = sign | 0x7f800000u | m << 13;
  else if (e) b = sign | (e + 112) << 23 | m << 13;
  else { float f = (float)m * 0x1p-24f; b = sign | (uint32_t)bits_of(f); }
  float f; memcpy(&f, &b, 4); return f;
}
"#;

/// A job: words as `bench` lays them out. Images go to local memories and come back by plain copies.
const POSTLUDE: &str = r#"
static void oracle(const uint64_t *job) {
  const uint64_t *image = job + 4, *args = image + 4 * (job[1] + job[2]);
  for (uint64_t i = 0; i < job[1]; i++, image += 4)
    memcpy((char *)oracle_core()->region + (image[0] << TR_SPACE_SHIFT) + image[1], (const void *)image[3], image[2]);
  entries[job[0]](args);
  TrCore *core = oracle_core();
  core->issue(core, BARRIER_OP, TR_PIPE_ALL, 0, 0, 0);
  for (uint64_t i = 0; i < job[2]; i++, image += 4)
    memcpy((void *)image[3], (const char *)oracle_core()->region + (image[0] << TR_SPACE_SHIFT) + image[1], image[2]);
}
static void invoke(const void *entry, const void *args) { (void)entry; oracle(*(const uint64_t *const *)args); }
static const TrParam params[] = {{8, 1, "job"}};
static const TrKernel kernel = {0, "oracle", 0, 0, KERNEL_TYPE, (const void *)oracle, invoke, params, 1, 8};
static const TrKernelModule module = {TR_MODULE_MAGIC, TR_CORE_ABI_VERSION, sizeof(TrKernelModule), 0, &module, &kernel, set_core};
const TrKernelModule *tr_kernel_module(void) { return &module; }
"#;
