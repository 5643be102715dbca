//! Threads that run the cores of a launch: nobody sleeps for ever, and a deadlock is found if and only if there is one.
//!
//! `npu::residents` is compiled here with model-checked locks. A core is a list of sets and waits; [`Team`] does with it what
//! `npu::crew` does with coroutines.

#[path = "../../src/npu/cross_flags.rs"]
pub mod cross_flags;
#[path = "../../src/npu/order/foreign.rs"]
pub mod foreign;
/// The path under which the shared files know it.
pub mod order {
    pub use super::foreign;
}
#[path = "../../src/npu/residents.rs"]
pub mod residents;

use cross_flags::{CoreId, Grant, Set, Shape, Wait};
use residents::{Claim, Crew, News, Residents};
use shuttle::thread;
use std::collections::HashMap;
use std::sync::Arc;

#[derive(Clone, Copy)]
enum Step {
    /// Mode and flag.
    Set(u8, u8),
    Wait(u8),
}
use Step::{Set as S, Wait as W};

type Program = fn(CoreId) -> &'static [Step];

/// A thread in a launch.
struct Team<'a> {
    residents: &'a Residents,
    number: Crew,
    program: Program,
    /// Next step of each core that waits.
    held: HashMap<CoreId, usize>,
    left: HashMap<u32, usize>,
    ended: u32,
    done: u32,
}

impl<'a> Team<'a> {
    fn new(residents: &'a Residents, program: Program) -> Team<'a> {
        let number = residents.enter();
        Team { residents, number, program, held: HashMap::new(), left: HashMap::new(), ended: 0, done: 0 }
    }

    fn run_core(&mut self, core: CoreId, mut at: usize) {
        while let Some(step) = (self.program)(core).get(at) {
            at += 1;
            match *step {
                S(mode, flag) => self
                    .residents
                    .set(core, Set { mode, flag, cycle: 0, pc: 0, told: foreign::Foreign::default() }),
                W(flag) => {
                    // Before the wait: the grant may come at once.
                    self.held.insert(core, at);
                    if self
                        .residents
                        .wait(core, self.number, Wait { flag, cycle: 0, frames: [0; 4] })
                        .is_none()
                    {
                        return;
                    }
                    self.held.remove(&core);
                }
            }
        }
        let left = self.left.get_mut(&core.block).expect("started");
        *left -= 1;
        if *left == 0 {
            self.residents.block_ended(core.block);
            self.ended += 1;
            self.done += 1;
        }
    }

    fn resume(&mut self, grants: Vec<Grant>) {
        for grant in grants {
            let at = self.held.remove(&grant.core).expect("held here");
            self.run_core(grant.core, at);
        }
    }

    fn begin(&mut self, block: u32) {
        let seats: Vec<u8> = self.residents.shape().seats().collect();
        self.left.insert(block, seats.len());
        seats.into_iter().for_each(|seat| self.run_core(CoreId { block, seat }, 0));
    }

    /// Blocks that ended, and whether the launch was found deadlocked or stopped.
    fn run(mut self) -> (u32, Option<News>) {
        let mut end = None;
        while end.is_none() {
            let granted = self.residents.grants(self.number);
            self.resume(granted);
            match self.residents.claim(std::mem::take(&mut self.ended)) {
                Claim::Block(block) => self.begin(block),
                _ if self.held.is_empty() => break,
                _ => match self.residents.idle(self.number) {
                    News::Grants(grants) => self.resume(grants),
                    News::Block => {}
                    news => end = Some(news),
                },
            }
        }
        self.residents.release(std::mem::take(&mut self.ended));
        self.residents.leave();
        (self.done, end)
    }
}

fn launch(shape: (u32, u32, u32), capacity: u32, threads: u32, program: Program) -> (u32, Vec<News>) {
    let (blocks, aics, aivs) = shape;
    let residents = Arc::new(Residents::new(Shape { blocks, aics, aivs }, capacity, 0));
    let teams: Vec<_> = (0..threads)
        .map(|_| {
            let residents = residents.clone();
            thread::spawn(move || Team::new(&residents, program).run())
        })
        .collect();
    let mut done = 0;
    let mut ends = Vec::new();
    for team in teams {
        let (ended, end) = team.join().unwrap();
        done += ended;
        ends.extend(end);
    }
    (done, ends)
}

/// Two barriers of all cores over three threads.
pub fn a_barrier_lets_everybody_go() {
    let (done, ends) = launch((3, 0, 1), 3, 2, |_| &[S(0, 1), W(1), S(0, 1), W(1)]);
    assert_eq!((done, ends), (3, Vec::new()));
}

/// AIC and AIVs of each block answer each other, more blocks than the chip runs at a time.
pub fn waves_of_blocks_end() {
    let (done, ends) = launch((3, 1, 2), 1, 2, |core| match core.seat {
        0 => &[S(2, 0), W(1)],
        _ => &[W(0), S(2, 1)],
    });
    assert_eq!((done, ends), (3, Vec::new()));
}

/// A barrier of more blocks than the chip runs at a time.
pub fn a_deadlock_is_found() {
    let (done, ends) = launch((3, 0, 1), 2, 2, |_| &[S(0, 1), W(1)]);
    assert_eq!(done, 0);
    assert!(!ends.is_empty() && ends.iter().all(|e| *e == News::Deadlock), "{ends:?}");
}

/// A core that ends lets the others go on, so a thread that leaves must not leave a deadlock unseen, nor find one too early.
pub fn the_last_to_leave_looks() {
    let (done, ends) = launch((2, 0, 1), 2, 2, |core| if core.block == 0 { &[] } else { &[W(3)] });
    assert_eq!(done, 1);
    assert_eq!(ends, [News::Deadlock]);
}

/// Whoever stops a launch ends the waits of its cores.
pub fn a_stop_ends_waits() {
    let residents = Arc::new(Residents::new(Shape { blocks: 2, aics: 0, aivs: 1 }, 2, 0));
    // Keeps the launch from being deadlocked: a thread that never ends its block.
    residents.enter();
    let team = {
        let residents = residents.clone();
        thread::spawn(move || Team::new(&residents, |_| &[S(0, 1), S(0, 1), W(1), W(2)]).run())
    };
    residents.stop();
    let (_, end) = team.join().unwrap();
    assert_eq!(end, Some(News::Stopped));
}

/// The mistake: a thread counts itself inside only after it has claimed a block, so another one may find a deadlock meanwhile.
pub fn twin_claims_before_it_enters() {
    let residents = Arc::new(Residents::new(Shape { blocks: 2, aics: 0, aivs: 1 }, 2, 0));
    let threads: Vec<_> = (0..2)
        .map(|_| {
            let residents = residents.clone();
            thread::spawn(move || {
                let claim = residents.claim(0);
                let mut team = Team::new(&residents, |_| &[S(0, 1), W(1)]);
                if let Claim::Block(block) = claim {
                    team.begin(block);
                }
                team.run()
            })
        })
        .collect();
    let done: u32 = threads
        .into_iter()
        .map(|t| {
            let (done, end) = t.join().unwrap();
            assert_eq!(end, None);
            done
        })
        .sum();
    assert_eq!(done, 2);
}
