#![allow(unsafe_code)]
//! Random sequences of calls, right and wrong ones, against a naive model: vectors, maps, one rule per line.
//!
//! The model knows queues on the vector core with checks on. It is written from the rules, not from the library, and
//! says for each call what it returns and which flags are set and waited for. Unsafe because [`Fwk::new`] asks for a
//! promise: all objects live until the end of the test case and do not move.

use proptest::prelude::*;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use toprope_abi::fwk::target::{Effect, que_binding};
use toprope_abi::fwk::{
    CHECK_DEFAULT, FwkCore, FwkError, HardEvent, TPosition, Target, TrPipe, TrQue, TrRecord,
};
use toprope_abi::isa::Pipe;
use toprope_device_lib::fwk::{Fwk, QueSpec, construct_pipe, construct_que};
use toprope_device_lib::hooks::{Fault, Hooks, SpillCopy};

/// What a call asked of the core: `true` = set, the event's pipes, the id.
type Effects = Vec<(bool, u8, i32)>;

#[derive(Default)]
struct Log(RefCell<Effects>);

impl Hooks for Log {
    fn set_flag(&self, pair: Effect, id: i32) {
        self.0.borrow_mut().push((true, pair.0, id));
    }
    fn wait_flag(&self, pair: Effect, id: i32) {
        self.0.borrow_mut().push((false, pair.0, id));
    }
    fn barrier(&self, _: Pipe) {}
    fn set_atomic_none(&self) {}
    fn set_mask_norm(&self) {}
    fn set_l1_3d_size(&self, _: u64) {}
    fn set_padding(&self, _: u64) {}
    fn set_vector_mask(&self, _: u64, _: u64) {}
    fn dcci(&self) {}
    fn spill_copy(&self, _: SpillCopy) {}
    fn sub_block_num(&self) -> u32 {
        1
    }
    fn sub_block_idx(&self) -> u32 {
        0
    }
    fn set_pipe_ptr(&self, _: *const TrPipe) {}
    fn set_live_pipe(&self, _: *const TrPipe) {}
    fn live_pipe(&self) -> *const TrPipe {
        std::ptr::null()
    }
    fn next_serial(&self) -> u32 {
        1
    }
    fn fault(&self, _: Fault) {}
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Free,
    Occupied,
    Enqueued,
    Dequeued,
}

#[derive(Debug, Clone)]
struct ModelRecord {
    state: State,
    enque_id: Option<i32>,
    free_id: Option<i32>,
}

/// A buffer: (queue, index).
type Handle = (usize, usize);

struct ModelQue {
    depth: usize,
    enque: HardEvent,
    free: HardEvent,
    records: Vec<ModelRecord>,
    cursor: usize,
    slots: Vec<Option<usize>>,
    head: usize,
    tail: usize,
    count: usize,
}

#[derive(Default)]
struct Model {
    ids: BTreeMap<u8, BTreeSet<i32>>,
    ques: Vec<ModelQue>,
    effects: Effects,
}

impl Model {
    fn take_id(&mut self, event: HardEvent) -> Result<i32, FwkError> {
        let taken = self.ids.entry(event as u8).or_default();
        let id = (0..8).find(|id| !taken.contains(id)).ok_or(FwkError::NoEventId)?;
        taken.insert(id);
        Ok(id)
    }

    fn give_id(&mut self, event: HardEvent, id: i32) {
        self.ids.entry(event as u8).or_default().remove(&id);
    }

    fn emit(&mut self, set: bool, event: HardEvent, id: i32) {
        let (src, dst) = event.pipes().expect("queues have real events");
        self.effects.push((set, Effect::pair(src, dst).0, id));
    }

    fn add_que(&mut self, position: TPosition, depth: usize, num: usize) -> Result<(), FwkError> {
        let (enque, free) = match position {
            TPosition::VecIn => (HardEvent::Mte2V, HardEvent::VMte2),
            _ => (HardEvent::VMte3, HardEvent::Mte3V),
        };
        if depth == 0 {
            for event in [enque, free] {
                if 8 - self.ids.entry(event as u8).or_default().len() < num {
                    return Err(FwkError::NoEventId);
                }
            }
        }
        let mut records = vec![ModelRecord { state: State::Free, enque_id: None, free_id: None }; num];
        for record in records.iter_mut().filter(|_| depth == 0) {
            record.enque_id = Some(self.take_id(enque)?);
            let id = self.take_id(free)?;
            record.free_id = Some(id);
            self.emit(true, free, id);
        }
        let slots = vec![None; depth];
        self.ques.push(ModelQue {
            depth,
            enque,
            free,
            records,
            cursor: 0,
            slots,
            head: 0,
            tail: 0,
            count: 0,
        });
        Ok(())
    }

    fn alloc(&mut self, q: usize) -> Result<usize, FwkError> {
        let que = &mut self.ques[q];
        let num = que.records.len();
        let order = (0..num).map(|i| (que.cursor + i) % num);
        let index =
            order.into_iter().find(|i| que.records[*i].state == State::Free).ok_or(FwkError::NoFreeBuffer)?;
        que.cursor = (index + 1) % num;
        que.records[index].state = State::Occupied;
        let (event, id, in_place) = (que.free, que.records[index].free_id, que.depth == 0);
        if let Some(id) = id {
            self.emit(false, event, id);
            if !in_place {
                self.give_id(event, id);
                self.ques[q].records[index].free_id = None;
            }
        }
        Ok(index)
    }

    fn own(&self, q: usize, (owner, index): Handle) -> Result<usize, FwkError> {
        if owner == q { Ok(index) } else { Err(FwkError::ForeignBuffer) }
    }

    fn enque(&mut self, q: usize, handle: Handle) -> Result<(), FwkError> {
        let index = self.own(q, handle)?;
        let que = &self.ques[q];
        let event = que.enque;
        // An in-place tensor can be enqueued once between allocation and free.
        let allowed = match que.records[index].state {
            State::Occupied => true,
            State::Dequeued => que.depth > 0,
            _ => false,
        };
        if !allowed {
            return Err(FwkError::BadEnqueState);
        }
        if que.depth == 0 {
            let id = que.records[index].enque_id.expect("in-place records keep their ids");
            self.ques[q].records[index].state = State::Enqueued;
            self.emit(true, event, id);
            return Ok(());
        }
        if que.count == que.depth {
            return Err(FwkError::QueueFull);
        }
        let id = self.take_id(event)?;
        let que = &mut self.ques[q];
        que.slots[que.tail] = Some(index);
        que.tail = (que.tail + 1) % que.depth;
        que.count += 1;
        que.records[index].state = State::Enqueued;
        que.records[index].enque_id = Some(id);
        self.emit(true, event, id);
        Ok(())
    }

    fn deque(&mut self, q: usize) -> Result<usize, FwkError> {
        let que = &mut self.ques[q];
        if que.depth == 0 {
            return Err(FwkError::BadArgument);
        }
        let index = que.slots[que.head].ok_or(FwkError::NullHead)?;
        if que.count == 0 {
            return Err(FwkError::QueueEmpty);
        }
        que.head = (que.head + 1) % que.depth;
        que.count -= 1;
        que.records[index].state = State::Dequeued;
        let (event, id) =
            (que.enque, que.records[index].enque_id.take().expect("enqueued records have an id"));
        self.emit(false, event, id);
        self.give_id(event, id);
        Ok(index)
    }

    fn deque_in_place(&mut self, q: usize, handle: Handle) -> Result<(), FwkError> {
        let index = self.own(q, handle)?;
        let que = &mut self.ques[q];
        if que.depth > 0 {
            return Err(FwkError::BadArgument);
        }
        if que.records[index].state != State::Enqueued {
            return Err(FwkError::NotEnqueued);
        }
        que.records[index].state = State::Dequeued;
        let (event, id) = (que.enque, que.records[index].enque_id.expect("in-place records keep their ids"));
        self.emit(false, event, id);
        Ok(())
    }

    fn free(&mut self, q: usize, handle: Handle) -> Result<(), FwkError> {
        let index = self.own(q, handle)?;
        let (event, in_place) = (self.ques[q].free, self.ques[q].depth == 0);
        match self.ques[q].records[index].state {
            State::Free => return Err(FwkError::AlreadyFree),
            State::Enqueued => return Err(FwkError::FreeWhileEnqueued),
            State::Occupied | State::Dequeued => {}
        }
        let id =
            if in_place { self.ques[q].records[index].free_id.expect("kept") } else { self.take_id(event)? };
        self.ques[q].records[index].free_id = Some(id);
        self.ques[q].records[index].state = State::Free;
        self.emit(true, event, id);
        Ok(())
    }

    fn free_all_event(&mut self, q: usize) -> Result<(), FwkError> {
        if self.ques[q].records.iter().any(|r| r.enque_id.is_some()) {
            return Err(FwkError::EventPending);
        }
        for index in 0..self.ques[q].records.len() {
            if let Some(id) = self.ques[q].records[index].free_id.take() {
                self.emit(false, self.ques[q].free, id);
                self.give_id(self.ques[q].free, id);
            }
        }
        Ok(())
    }

    /// Destroy waits for the free flags of free records, in the order in which they were made.
    fn destroy(&mut self) {
        for q in 0..self.ques.len() {
            for index in 0..self.ques[q].records.len() {
                let record = &self.ques[q].records[index];
                if let Some(id) = record.free_id.filter(|_| record.state == State::Free) {
                    self.emit(false, self.ques[q].free, id);
                }
            }
        }
    }
}

#[derive(Debug, Clone)]
enum Op {
    Alloc(usize),
    Enque(usize, usize, usize),
    Deque(usize),
    DequeInPlace(usize, usize, usize),
    Free(usize, usize, usize),
    FreeAllEvent(usize),
    AllocId(HardEvent),
    ReleaseId(HardEvent, i32),
}

fn op() -> impl Strategy<Value = Op> {
    // Mostly a tensor of the queue itself: the owner is drawn as an offset that is usually 0.
    let other = prop_oneof![9 => Just(0usize), 1 => 1..3usize];
    let event = || prop::sample::select(vec![HardEvent::Mte2V, HardEvent::VMte3, HardEvent::VMte2]);
    prop_oneof![
        5 => (0..8usize).prop_map(Op::Alloc),
        6 => (0..8usize, other.clone(), 0..8usize).prop_map(|(q, o, i)| Op::Enque(q, o, i)),
        5 => (0..8usize).prop_map(Op::Deque),
        3 => (0..8usize, other.clone(), 0..8usize).prop_map(|(q, o, i)| Op::DequeInPlace(q, o, i)),
        6 => (0..8usize, other, 0..8usize).prop_map(|(q, o, i)| Op::Free(q, o, i)),
        1 => (0..8usize).prop_map(Op::FreeAllEvent),
        1 => event().prop_map(Op::AllocId),
        1 => (event(), 0..8i32).prop_map(|(e, id)| Op::ReleaseId(e, id)),
    ]
}

fn que() -> impl Strategy<Value = (TPosition, usize, usize)> {
    (prop::sample::select(vec![TPosition::VecIn, TPosition::VecOut]), 0..5usize, 1..6usize)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn library_does_what_the_model_does(ques in prop::collection::vec(que(), 1..4), ops in prop::collection::vec(op(), 0..120)) {
        let (pipe, log, target) = (Box::<TrPipe>::default(), Log::default(), Target::of(FwkCore::Aiv2201));
        construct_pipe(&pipe, &log, FwkCore::Aiv2201, CHECK_DEFAULT).expect("the first pipe");
        // SAFETY: pipe and queues are boxed and live to the end of this case; nothing else writes them.
        let fwk = unsafe { Fwk::new(&pipe, &log) };
        let mut model = Model::default();
        let mut states: Vec<Box<TrQue>> = Vec::new();
        for (position, depth, num) in ques {
            let state = Box::<TrQue>::default();
            let (src, dst) = que_binding(position);
            let spec = QueSpec { src, dst, depth: depth as u32, config: 0, config_num: 0, config_length_bytes: 0 };
            construct_que(&state, &target, &spec).expect("a depth in range");
            let expected = model.add_que(position, depth, num);
            prop_assert_eq!(fwk.init_que(&state, num as u32, 64), expected);
            if expected.is_ok() {
                states.push(state);
            }
        }
        let n = states.len();
        prop_assume!(n > 0);
        let handle = |model: &Model, q: usize, offset: usize, i: usize| {
            let owner = (q + offset) % n;
            let index = i % model.ques[owner].records.len();
            let first = states[owner].first.get();
            (q, (owner, index), first.wrapping_add(index))
        };
        let index_in = |q: usize, record: &TrRecord| {
            (std::ptr::from_ref(record).addr() - states[q].first.get().addr()) / size_of::<TrRecord>()
        };
        for op in ops {
            match op {
                Op::Alloc(q) => {
                    let q = q % n;
                    prop_assert_eq!(fwk.alloc(&states[q]).map(|r| index_in(q, r)), model.alloc(q));
                }
                Op::Enque(q, offset, i) => {
                    let (q, own, record) = handle(&model, q % n, offset, i);
                    prop_assert_eq!(fwk.enque(&states[q], record), model.enque(q, own));
                }
                Op::Deque(q) => {
                    let q = q % n;
                    prop_assert_eq!(fwk.deque(&states[q]).map(|r| index_in(q, r)), model.deque(q));
                }
                Op::DequeInPlace(q, offset, i) => {
                    let (q, own, record) = handle(&model, q % n, offset, i);
                    prop_assert_eq!(fwk.deque_in_place(&states[q], record), model.deque_in_place(q, own));
                }
                Op::Free(q, offset, i) => {
                    let (q, own, record) = handle(&model, q % n, offset, i);
                    prop_assert_eq!(fwk.free(&states[q], record), model.free(q, own));
                }
                Op::FreeAllEvent(q) => {
                    let q = q % n;
                    prop_assert_eq!(fwk.free_all_event(&states[q]), model.free_all_event(q));
                }
                Op::AllocId(event) => {
                    prop_assert_eq!(fwk.alloc_event_id(event as u32).map(i32::from), model.take_id(event));
                }
                Op::ReleaseId(event, id) => {
                    model.give_id(event, id);
                    prop_assert_eq!(fwk.release_event_id(event as u32, id), Ok(()));
                }
            }
            prop_assert_eq!(log.0.take(), std::mem::take(&mut model.effects));
        }
        fwk.destroy();
        model.destroy();
        prop_assert_eq!(log.0.take(), std::mem::take(&mut model.effects));
        for (event, ids) in &model.ids {
            let word = pipe.events[*event as usize].get();
            let ours: BTreeSet<i32> = (0..32).filter(|id| word >> id & 1 != 0).collect();
            prop_assert_eq!(&ours, ids);
        }
    }
}
