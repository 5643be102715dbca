//! LLVM intrinsics on integers, written out in instructions that every AI Core compiler has.
//!
//! LLVM 15 knows these intrinsics, but the public vendor libraries use none of them except `umin`; whether the vendor's code generator
//! has them is not public. So they are written out: comparisons and selects, and the usual sums of bit fields for counts.

use super::cursor::Type;
use super::statement::Call;

/// Statements for a call, if its callee is one of them.
pub fn intrinsic(call: &Call, fresh: &mut usize) -> Option<Vec<String>> {
    let name = call.callee.strip_prefix("@llvm.")?;
    let (function, _) = name.rsplit_once('.')?;
    let Type::Int(bits) = call.ty else { return None };
    let result = call.result.clone()?;
    let mut e = Expansion { lines: Vec::new(), fresh, bits };
    let arg = |n: usize| call.args.get(n).map(|a| a.value.clone());
    let value = match function {
        "umin" => e.choose("ult", arg(0)?, arg(1)?),
        "umax" => e.choose("ugt", arg(0)?, arg(1)?),
        "smin" => e.choose("slt", arg(0)?, arg(1)?),
        "smax" => e.choose("sgt", arg(0)?, arg(1)?),
        "usub.sat" => {
            let (a, b) = (arg(0)?, arg(1)?);
            let (less, difference) = (e.compare("ult", &a, &b), e.binary("sub", &a, &b));
            e.select(&less, "0", &difference)
        }
        "uadd.sat" => {
            let (a, b) = (arg(0)?, arg(1)?);
            let sum = e.binary("add", &a, &b);
            let over = e.compare("ult", &sum, &a);
            e.select(&over, "-1", &sum)
        }
        "abs" => {
            let a = arg(0)?;
            let (negative, minus) = (e.compare("slt", &a, "0"), e.binary("sub", "0", &a));
            e.select(&negative, &minus, &a)
        }
        "ctpop" => e.ones(arg(0)?)?,
        "cttz" => e.trailing_zeros(arg(0)?)?,
        "fshl" | "fshr" => {
            e.funnel(function == "fshl", arg(0)?, arg(1)?, call.args.get(2)?.value.parse().ok()?)
        }
        _ => return None,
    };
    e.lines.push(format!("{result} = add i{bits} {value}, 0"));
    Some(e.lines)
}

struct Expansion<'f> {
    lines: Vec<String>,
    fresh: &'f mut usize,
    bits: u32,
}

impl Expansion<'_> {
    fn name(&mut self) -> String {
        *self.fresh += 1;
        format!("%tr.{}", *self.fresh)
    }

    fn push(&mut self, text: &str) -> String {
        let name = self.name();
        self.lines.push(format!("{name} = {text}"));
        name
    }

    fn binary(&mut self, opcode: &str, a: &str, b: &str) -> String {
        let bits = self.bits;
        self.push(&format!("{opcode} i{bits} {a}, {b}"))
    }

    fn compare(&mut self, predicate: &str, a: &str, b: &str) -> String {
        let bits = self.bits;
        self.push(&format!("icmp {predicate} i{bits} {a}, {b}"))
    }

    fn select(&mut self, condition: &str, a: &str, b: &str) -> String {
        let bits = self.bits;
        self.push(&format!("select i1 {condition}, i{bits} {a}, i{bits} {b}"))
    }

    fn choose(&mut self, predicate: &str, a: String, b: String) -> String {
        let first = self.compare(predicate, &a, &b);
        self.select(&first, &a, &b)
    }

    /// A byte repeated over the width, as a signed literal.
    fn bytes(&self, byte: u64) -> String {
        let all = byte.wrapping_mul(0x0101_0101_0101_0101);
        match self.bits {
            8 => (all as u8 as i8).to_string(),
            16 => (all as u16 as i16).to_string(),
            32 => (all as u32 as i32).to_string(),
            _ => (all as i64).to_string(),
        }
    }

    /// Number of ones; `None` for one bit, which nobody counts.
    fn ones(&mut self, x: String) -> Option<String> {
        if self.bits < 8 {
            return None;
        }
        let (fives, threes, nibbles, ones) =
            (self.bytes(0x55), self.bytes(0x33), self.bytes(0x0f), self.bytes(1));
        let half = self.binary("lshr", &x, "1");
        let half = self.binary("and", &half, &fives);
        let pairs = self.binary("sub", &x, &half);
        let low = self.binary("and", &pairs, &threes);
        let high = self.binary("lshr", &pairs, "2");
        let high = self.binary("and", &high, &threes);
        let fours = self.binary("add", &low, &high);
        let shifted = self.binary("lshr", &fours, "4");
        let sum = self.binary("add", &fours, &shifted);
        let eights = self.binary("and", &sum, &nibbles);
        if self.bits == 8 {
            return Some(eights);
        }
        let total = self.binary("mul", &eights, &ones);
        let by = (self.bits - 8).to_string();
        Some(self.binary("lshr", &total, &by))
    }

    /// The ones of `(x & -x) - 1`; the width for 0.
    fn trailing_zeros(&mut self, x: String) -> Option<String> {
        let minus = self.binary("sub", "0", &x);
        let lowest = self.binary("and", &x, &minus);
        let below = self.binary("add", &lowest, "-1");
        self.ones(below)
    }

    /// A funnel shift by a constant.
    fn funnel(&mut self, left: bool, high: String, low: String, by: u32) -> String {
        let by = by % self.bits;
        if by == 0 {
            return if left { high } else { low };
        }
        let (up, down) = if left { (by, self.bits - by) } else { (self.bits - by, by) };
        let a = self.binary("shl", &high, &up.to_string());
        let b = self.binary("lshr", &low, &down.to_string());
        self.binary("or", &a, &b)
    }
}
