//! Arguments of a launch against the parameters of its kernel.
//!
//! `<<<…>>>` is checked by the compiler. The launch functions take a block of bytes, where a left-out, surplus or exchanged
//! argument is only visible in the values: a parameter that is an address wants device memory, a number is no address.
//! [`explain`] looks for the one change (left out, surplus, exchanged) after which every value fits; [`check`] reports a block
//! of the right size whose values do not.
//!
//! Not noticed: numbers in the wrong order, and addresses in the wrong order.

use super::binary::Function;
use super::device::Device;
use super::mem_findings::raise_once;
use super::site::CallSite;
use crate::findings::Detail;
use crate::findings::catalogue;

/// Lines of the table of arguments.
const MOST_LINES: usize = 24;

/// What an 8-byte slot of the argument block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slot {
    /// The address in parameter N.
    Address(usize),
    /// The number in parameter N.
    Number(usize),
    /// A part of parameter N, which has several slots.
    Part(usize),
}

impl Slot {
    fn parameter(self) -> usize {
        match self {
            Slot::Address(n) | Slot::Number(n) | Slot::Part(n) => n,
        }
    }
}

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    /// In a live block of the device.
    Block,
    /// 0, which may stand for anything.
    Zero,
    /// Anything else.
    Other,
}

fn slots(function: &Function) -> Vec<Slot> {
    let of = |(n, p): (usize, &super::binary::Parameter)| match (p.is_pointer, p.size_bytes) {
        (true, _) => vec![Slot::Address(n)],
        (false, ..=8) => vec![Slot::Number(n)],
        (false, bytes) => vec![Slot::Part(n); bytes.div_ceil(8)],
    };
    function.parameters.iter().enumerate().flat_map(of).collect()
}

fn fits(slot: Slot, value: Value) -> bool {
    match slot {
        Slot::Address(_) => value != Value::Other,
        Slot::Number(_) => value != Value::Block,
        Slot::Part(_) => true,
    }
}

/// One change that makes every value fit.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Change {
    /// The argument for one of these slots was left out.
    LeftOut(Vec<usize>),
    /// One of these values is surplus.
    Surplus(Vec<usize>),
    /// The values of these two slots were exchanged.
    Exchanged(usize, usize),
}

/// Whether all values fit, and at least one address is really one: else nothing is known.
fn all_fit(pairs: impl Iterator<Item = (Slot, Value)>) -> bool {
    let mut certain = false;
    for (slot, value) in pairs {
        if !fits(slot, value) {
            return false;
        }
        certain |= matches!((slot, value), (Slot::Address(_), Value::Block));
    }
    certain
}

fn some(all: impl Iterator<Item = usize>) -> Option<Vec<usize>> {
    Some(all.collect::<Vec<usize>>()).filter(|all| !all.is_empty())
}

fn find_change(slots: &[Slot], values: &[Value]) -> Option<Change> {
    let paired = |values: Vec<Value>| all_fit(slots.iter().copied().zip(values));
    let left_out = |at: usize| {
        let rest = slots.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, s)| *s);
        all_fit(rest.zip(values.iter().copied()))
    };
    let without = |at: usize| values.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, v)| *v).collect();
    if values.len() < slots.len() {
        let is_one = slots.len() - values.len() == 1;
        return some((0..slots.len()).filter(|at| is_one && left_out(*at))).map(Change::LeftOut);
    }
    if values.len() > slots.len() {
        let is_one = values.len() - slots.len() == 1;
        return some((0..values.len()).filter(|at| is_one && paired(without(*at)))).map(Change::Surplus);
    }
    let wrong: Vec<usize> = (0..slots.len()).filter(|i| !fits(slots[*i], values[*i])).collect();
    let nulls: Vec<usize> = (0..slots.len())
        .filter(|i| matches!((slots[*i], values[*i]), (Slot::Address(_), Value::Zero)))
        .collect();
    if let ([a], [b]) = (&wrong[..], &nulls[..])
        && matches!((slots[*a], values[*a]), (Slot::Number(_), Value::Block))
    {
        return Some(Change::Exchanged(*a.min(b), *a.max(b)));
    }
    match wrong[..] {
        [a, b] if fits(slots[a], values[b]) && fits(slots[b], values[a]) => Some(Change::Exchanged(a, b)),
        _ => some((0..slots.len()).filter(|at| left_out(*at))).map(Change::LeftOut),
    }
}

fn value_of(device: &Device, word: u64) -> Value {
    match word {
        0 => Value::Zero,
        _ if device.memory().is_some_and(|memory| memory.find(word).is_some()) => Value::Block,
        _ => Value::Other,
    }
}

fn describe(device: &Device, word: u64) -> String {
    match device.memory().and_then(|memory| memory.find(word)) {
        Some(block) if block.start == word => {
            format!("{word:#x}, a block of {} bytes", block.requested_bytes)
        }
        Some(block) => {
            format!("{word:#x}, {} bytes into a block of {} bytes", word - block.start, block.requested_bytes)
        }
        None if word <= 1 << 40 => format!("{word}"),
        None => format!("{word:#x}, no device memory"),
    }
}

fn either(names: impl Iterator<Item = String>) -> String {
    names.collect::<Vec<_>>().join(" or ")
}

/// Parameters beside what was given, and what was probably meant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explanation {
    /// Lines of a table.
    pub table: Vec<String>,
    /// What was probably done; empty if nothing fits.
    pub guess: String,
}

/// Puts the parameters beside the values that were given.
pub fn explain(function: &Function, device: &Device, words: &[u64]) -> Explanation {
    let slots = slots(function);
    let values: Vec<Value> = words.iter().map(|word| value_of(device, *word)).collect();
    let name = |slot: Slot| function.parameters[slot.parameter()].name.as_str();
    let line = |at: usize| {
        let wanted = match slots.get(at) {
            Some(slot @ Slot::Address(_)) => format!("`{}` (address)", name(*slot)),
            Some(slot) => {
                format!("`{}` ({} bytes)", name(*slot), function.parameters[slot.parameter()].size_bytes)
            }
            None => "no parameter".into(),
        };
        let given = words.get(at).map_or_else(|| "nothing".into(), |word| describe(device, *word));
        let mark = match (slots.get(at), values.get(at)) {
            (Some(slot), Some(value)) if fits(*slot, *value) => "",
            _ => "  <--",
        };
        format!("byte {:<4} {wanted}: {given}{mark}", at * 8)
    };
    let count = slots.len().max(words.len());
    let mut table: Vec<String> = (0..count.min(MOST_LINES)).map(line).collect();
    if count > MOST_LINES {
        table.push(format!("and {} more", count - MOST_LINES));
    }
    let guess = match find_change(&slots, &values) {
        Some(Change::LeftOut(at)) => format!(
            "{} was probably left out: with it, the later arguments move by one slot and fit",
            either(at.iter().map(|at| format!("`{}`", name(slots[*at]))))
        ),
        Some(Change::Surplus(at)) => format!(
            "the argument at byte {} is probably surplus: without it, the later ones fit",
            either(at.iter().map(|at| (at * 8).to_string()))
        ),
        Some(Change::Exchanged(a, b)) => {
            format!("`{}` and `{}` are probably exchanged", name(slots[a]), name(slots[b]))
        }
        None => String::new(),
    };
    Explanation { table, guess }
}

/// Reports numbers that are addresses of device memory where the kernel wants small numbers, and null where it wants
/// addresses at the same time. Addresses outside of the device are refused before.
pub fn check(function: &Function, device: &Device, words: &[u64]) {
    let slots = slots(function);
    if slots.len() != words.len() {
        return;
    }
    let is_block = |word: u64| value_of(device, word) == Value::Block;
    // A whole address in the slot of a smaller number cannot be meant; in an 8-byte number it may.
    let too_small = |slot: Slot| function.parameters[slot.parameter()].size_bytes < 8;
    let has_null = slots.iter().zip(words).any(|(slot, word)| matches!(slot, Slot::Address(_)) && *word == 0);
    let wrong = slots.iter().zip(words).position(|(slot, word)| {
        matches!(slot, Slot::Number(_)) && is_block(*word) && (has_null || too_small(*slot))
    });
    let Some(at) = wrong else { return };
    let parameter = &function.parameters[slots[at].parameter()];
    let Explanation { table, guess } = explain(function, device, words);
    let values = [
        ("kernel", function.name.clone()),
        ("index", slots[at].parameter().to_string()),
        ("name", parameter.name.clone()),
        ("bytes", parameter.size_bytes.to_string()),
        (
            "guess",
            if guess.is_empty() { "pass every parameter in the order of the kernel".into() } else { guess },
        ),
    ];
    let site = CallSite::here();
    let details = table.into_iter().map(Detail::Text).collect();
    raise_once(&catalogue::ARGUMENT_ORDER, &values, site, site, details, Vec::new());
}

#[cfg(test)]
mod tests {
    use super::Change::{Exchanged, LeftOut, Surplus};
    use super::Value::{Block, Other, Zero};
    use super::*;

    const KERNEL: [Slot; 4] = [Slot::Address(0), Slot::Number(1), Slot::Address(2), Slot::Number(3)];

    #[test]
    fn the_one_change_that_makes_the_values_fit_is_found() {
        let find = |values: &[Value]| find_change(&KERNEL, values);
        assert_eq!(find(&[Block, Block, Other]), Some(LeftOut(vec![1])));
        assert_eq!(find(&[Other, Block, Other]), Some(LeftOut(vec![0])));
        assert_eq!(find(&[Block, Other, Other, Block, Other]), Some(Surplus(vec![1, 2])));
        assert_eq!(find(&[Block, Block, Other, Other]), Some(Exchanged(1, 2)));
        assert_eq!(find(&[Other, Other, Block, Block]), Some(Exchanged(0, 3)));
        assert_eq!(find(&[Block, Other]), None, "two are missing");
        assert_eq!(find(&[Other, Other, Other, Other]), None);
        assert_eq!(find(&[Zero, Zero, Zero]), None, "zero may be anything");
    }
}
