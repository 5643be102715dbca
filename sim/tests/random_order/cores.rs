//! Phases of several cores that hand memory to each other through GM, with a flag of all cores between two phases.
#![allow(unsafe_code)] // The kernel gets its plan by address.

use crate::generate::Random;
use crate::harness::{Bench, normalised};
use crate::kernel::*;
use crate::{Figures, TRIES, bench, rounds};
use toprope_abi::core_face::KernelType;
use toprope_abi::isa::Pipe;

/// What lies between two phases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Between {
    /// Everything is done, then the flag.
    All,
    /// The flag behind one pipe: MTE3 stores, MTE2 loads, V neither.
    Behind(Pipe),
    Nothing,
}

/// One access of a slot of GM.
#[derive(Clone, Copy, Debug)]
struct Access {
    phase: usize,
    core: u64,
    slot: u64,
    write: bool,
}

#[derive(Clone, Debug)]
struct Plan {
    cores: u64,
    accesses: Vec<Access>,
    /// Behind each phase but the last.
    between: Vec<Between>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Judged {
    Ordered,
    Race,
    /// Two stores of one core.
    Unclear,
}

impl Between {
    fn covers(self, write: bool) -> bool {
        match self {
            Between::All => true,
            Between::Behind(pipe) => pipe == if write { Pipe::Mte3 } else { Pipe::Mte2 },
            Between::Nothing => false,
        }
    }
}

impl Plan {
    fn judge(&self) -> Judged {
        let mut judged = Judged::Ordered;
        for (i, a) in self.accesses.iter().enumerate() {
            for b in &self.accesses[i + 1..] {
                let (a, b) = if a.phase <= b.phase { (a, b) } else { (b, a) };
                let apart = a.slot != b.slot || !(a.write || b.write);
                if apart || self.between[a.phase..b.phase].iter().any(|s| s.covers(a.write)) {
                    continue;
                }
                if a.core == b.core && a.write == b.write {
                    judged = Judged::Unclear;
                } else {
                    return Judged::Race;
                }
            }
        }
        judged
    }

    fn random(random: &mut Random) -> Plan {
        let (cores, phases, slots) = (2 + random.below(3), 2 + random.below(3) as usize, 2 + random.below(4));
        let kinds = [Between::All, Between::All, Between::Behind(Pipe::Mte3), Between::Behind(Pipe::Mte2)];
        let between = (1..phases).map(|_| random.pick(&kinds)).collect();
        let mut plan = Plan { cores, accesses: Vec::new(), between };
        for _ in 0..4 + random.below(12) {
            let access = Access {
                phase: random.below(phases as u64) as usize,
                core: random.below(cores),
                slot: random.below(slots),
                write: random.one_in(2),
            };
            plan.accesses.push(access);
            if plan.judge() != Judged::Ordered {
                plan.accesses.pop();
            }
        }
        plan
    }

    /// What lies between two phases is left out, or weaker.
    fn weaker(&self, random: &mut Random) -> Plan {
        let mut plan = self.clone();
        let at = random.below(plan.between.len() as u64) as usize;
        let kinds = [
            Between::Nothing,
            Between::Nothing,
            Between::Behind(Pipe::V),
            Between::Behind(Pipe::Mte3),
            Between::Behind(Pipe::Mte2),
        ];
        plan.between[at] = random.pick(&kinds);
        plan
    }
}

/// Bytes between slots.
const SLOT: u64 = 512;

fn act(args: &[u64; 8]) {
    // SAFETY: `run` passes the address of a plan that outlives the launch.
    let plan = unsafe { &*(args[0] as *const Plan) };
    let me = core_index();
    copy_in(ub(0), args[1] + 16 * SLOT, 8);
    barrier(Pipe::All);
    for phase in 0..=plan.between.len() {
        for a in plan.accesses.iter().filter(|a| a.phase == phase && a.core == me) {
            let gm = args[1] + a.slot * SLOT;
            if a.write {
                copy_out(gm, ub(0), 8)
            } else {
                copy_in(ub(4096 + 256 * (a.slot + 8 * phase as u64)), gm, 8)
            }
        }
        let flag = phase as u64 % 8;
        match plan.between.get(phase) {
            Some(Between::All) => {
                barrier(Pipe::All);
                cross_set(0, Pipe::Mte3, flag);
                cross_wait(flag);
            }
            Some(Between::Behind(pipe)) => {
                cross_set(0, *pipe, flag);
                cross_wait(flag);
            }
            _ => {}
        }
    }
}

fn run(bench: &Bench, shared: u64, plan: &Plan) -> toprope_sim::npu::LaunchOutcome {
    let at = std::ptr::from_ref(plan) as u64;
    bench.run_type(
        "phases",
        act,
        KernelType::MixAiv1_0,
        plan.cores as u32,
        &[("plan", at), ("shared", shared)],
    )
}

#[test]
fn phases_of_several_cores() {
    let (bench, mut random) = (bench(), Random::new(4));
    let shared = bench.upload(&vec![1.0; 4096]);
    let mut f = Figures::default();
    while f.right < rounds() || (f.broken < rounds() && f.right < 2 * rounds()) {
        let right = Plan::random(&mut random);
        let round = f.right;
        f.right += 1;
        let outcome = run(&bench, shared, &right);
        assert!(
            outcome.findings.is_empty(),
            "round {round}: false alarm\n{}\n{right:?}",
            normalised(&outcome)
        );
        for attempt in 0..TRIES {
            if f.broken > round {
                break;
            }
            let start = if attempt % 4 == 3 { Plan::random(&mut random) } else { right.clone() };
            let wrong = start.weaker(&mut random);
            let (judged, outcome) = (wrong.judge(), run(&bench, shared, &wrong));
            let said = || format!("round {round}\n{}\n{wrong:?}", normalised(&outcome));
            let races =
                outcome.findings.iter().any(|f| ["TR04", "TR06"].iter().any(|g| f.code.starts_with(g)));
            match judged {
                Judged::Ordered => {
                    f.equivalent += 1;
                    assert!(!races, "false alarm: {}", said());
                }
                Judged::Race => {
                    f.broken += 1;
                    assert!(races, "missed: {}", said());
                }
                Judged::Unclear => {}
            }
        }
    }
    f.check("phases of several cores");
}
