//! The objects of one scenario, and how each operation of the traces is done with them.

#![allow(unsafe_code)]
// Unsafe because `Fwk::new` asks for it: objects are boxed, live as long as the scenario and are not moved.

use crate::recorder::{Recorder, pipe_of};
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use toprope_abi::fwk::target::que_binding;
use toprope_abi::fwk::{
    FwkCore, FwkError, HardEvent, MemoryKind, QUE_LOOP, QUE_SCM_BLOCK_GROUP, TPosition, Target, TrAddrLen,
    TrBuf, TrBufPool, TrPipe, TrQue, TrRecord, TrTensor,
};
use toprope_device_lib::fwk::{
    Flags, Fwk, QueSpec, SpillShape, construct_buf, construct_pipe, construct_pool, construct_que,
    has_idle_buffer, init_pool_object, vacant,
};

/// Result of an operation: the `r` object, or the misuse that was refused.
pub type Outcome = Result<Value, FwkError>;
type Record = *const TrRecord;

struct Pool {
    state: TrBufPool,
    records: [TrRecord; 16],
}

/// State of a scenario.
pub struct World {
    /// What the core was asked for.
    pub hooks: Recorder,
    core: FwkCore,
    checks: u32,
    pipes: HashMap<i64, Box<TrPipe>>,
    ques: HashMap<i64, Box<TrQue>>,
    bufs: HashMap<i64, Box<TrBuf>>,
    pools: HashMap<i64, Box<Pool>>,
    stack: HashMap<i64, Box<TrRecord>>,
    tensors: HashMap<i64, TrTensor>,
}

fn int(op: &Value, key: &str) -> i64 {
    op[key].as_i64().unwrap_or_else(|| panic!("{op}: no number {key}"))
}

fn num(op: &Value, key: &str) -> u32 {
    int(op, key) as u32
}

fn text<'a>(op: &'a Value, key: &str) -> &'a str {
    op[key].as_str().unwrap_or_else(|| panic!("{op}: no text {key}"))
}

fn position(name: &str) -> TPosition {
    let name = if name == "LCM" { "VECCALC" } else { name };
    TPosition::from_name(name).unwrap_or_else(|| panic!("no position {name}"))
}

fn event(op: &Value) -> HardEvent {
    HardEvent::from_name(text(op, "e")).expect("event names are those of the enum")
}

fn event_name(number: u8) -> &'static str {
    HardEvent::from_number(u32::from(number)).expect("events are in range").name()
}

fn bits(op: &Value) -> u32 {
    match text(op, "ty") {
        "i4" => 4,
        "u8" => 8,
        "f16" => 16,
        "f32" | "i32" => 32,
        "i64" => 64,
        other => panic!("no type {other}"),
    }
}

/// `Q:POS:DEPTH:MASK` or `B:SRC>DST:DEPTH:MASK`.
fn spec_of(key: &str) -> QueSpec {
    let parts: Vec<&str> = key.split(':').collect();
    let [form, places, depth, mask] = parts[..] else { panic!("bad queue key {key}") };
    let (src, dst) = match form {
        "Q" => que_binding(position(places)),
        _ => places
            .split_once('>')
            .map(|(s, d)| (position(s), position(d)))
            .expect("a binding has two positions"),
    };
    let (config, config_num, config_length_bytes) = match mask {
        "bn1" => (0, 1, 0),
        "bn2" => (0, 2, 0),
        "bl" => (0, 2, 1024),
        "loop" => (QUE_LOOP, 0, 0),
        "scm" => (QUE_SCM_BLOCK_GROUP, 0, 0),
        "sev" => (0, 0, 0),
        bits => (bits.parse().expect("a mask is a number"), 0, 0),
    };
    QueSpec {
        src,
        dst,
        depth: depth.parse().expect("a depth is a number"),
        config,
        config_num,
        config_length_bytes,
    }
}

fn clear_error(pipe: &TrPipe) {
    pipe.error.set(0);
    pipe.error_count.set(0);
    pipe.last_error.set(0);
    pipe.error_asked.set(0);
    pipe.error_limit.set(0);
}

impl World {
    /// An empty world for the core a header names, with `checks` for every pipe.
    pub fn new(head: &Value, checks: u32) -> World {
        let core = match head["core"].as_str() {
            Some("aiv") => FwkCore::Aiv2201,
            Some("aic") => FwkCore::Aic2201,
            _ => FwkCore::Mix2002,
        };
        World {
            hooks: Recorder::new((num(head, "sbd"), num(head, "sbi"))),
            core,
            checks,
            pipes: HashMap::new(),
            ques: HashMap::new(),
            bufs: HashMap::new(),
            pools: HashMap::new(),
            stack: HashMap::new(),
            tensors: HashMap::new(),
        }
    }

    fn target(&self) -> Target {
        Target::of(self.core)
    }

    fn fwk_of<'a>(&'a self, pipe: &'a TrPipe) -> Fwk<'a, Recorder> {
        // SAFETY: all objects of a world are boxed and stay until it is dropped; only this crate's calls write them,
        // except for the setters of custom pools, which write plain numbers.
        unsafe { Fwk::new(pipe, &self.hooks) }
    }

    /// The pipe that operation names.
    fn fwk(&self, op: &Value) -> Fwk<'_, Recorder> {
        self.fwk_of(&self.pipes[&int(op, "p")])
    }

    /// The pipe the global pointer designates.
    fn current(&self) -> Fwk<'_, Recorder> {
        let number = self.hooks.pipes.borrow()[&self.hooks.current.get().addr()];
        self.fwk_of(&self.pipes[&number])
    }

    fn current_pipe(&self) -> Option<&TrPipe> {
        let current = self.hooks.current.get();
        let number = *self.hooks.pipes.borrow().get(&current.addr())?;
        Some(&self.pipes[&number])
    }

    fn flags(&self) -> Flags<'_, Recorder> {
        Flags { pipe: self.current_pipe(), hooks: &self.hooks, core: self.core }
    }

    fn que(&self, op: &Value) -> &TrQue {
        &self.ques[&int(op, "q")]
    }

    fn buf(&self, op: &Value) -> &TrBuf {
        &self.bufs[&int(op, "x")]
    }

    fn pool(&self, op: &Value, key: &str) -> &TrBufPool {
        &self.pools[&int(op, key)].state
    }

    fn tensor(&self, op: &Value) -> &TrTensor {
        &self.tensors[&int(op, "t")]
    }

    fn record(&self, op: &Value) -> Record {
        self.tensor(op).record.get()
    }

    /// Every record by name.
    fn names(&self) -> HashMap<usize, String> {
        let mut names = HashMap::new();
        let mut add = |record: &TrRecord, name: String| names.insert(std::ptr::from_ref(record).addr(), name);
        for (p, pipe) in &self.pipes {
            pipe.records.iter().enumerate().for_each(|(i, r)| drop(add(r, format!("p{p}.{i}"))));
        }
        for (k, pool) in &self.pools {
            pool.records.iter().enumerate().for_each(|(i, r)| drop(add(r, format!("k{k}.{i}"))));
        }
        for (s, record) in &self.stack {
            add(record, format!("s{s}"));
        }
        names
    }

    fn name(&self, record: Record) -> String {
        self.names().get(&record.addr()).cloned().unwrap_or_else(|| "x".into())
    }

    fn by_name(&self, name: &str) -> &TrRecord {
        let (owner, index) = name[1..].split_once('.').unwrap_or((&name[1..], "0"));
        let (owner, index): (i64, usize) = (owner.parse().expect("number"), index.parse().expect("number"));
        match &name[..1] {
            "p" => &self.pipes[&owner].records[index],
            "k" => &self.pools[&owner].records[index],
            _ => &self.stack[&owner],
        }
    }

    /// `[state, freeEvt, enqueId, freeId, address, dataLen, userTag]`, the state as the release build has it.
    fn tuple(record: &TrRecord) -> Value {
        // All ones: device-lib's own mark for records of a pool that is gone; the release build leaves them free.
        let state = u8::from(!matches!(record.state.get(), 0 | 0xff));
        json!([
            state,
            event_name(record.free_event.get()),
            record.enque_id.get(),
            record.free_id.get(),
            record.address_bytes.get(),
            record.length_bytes.get(),
            record.user_tag.get(),
        ])
    }

    fn tensor_json(&self, t: &TrTensor) -> Value {
        json!({
            "a": t.address_bytes.get(),
            "n": t.length_bytes.get(),
            "p": TPosition::from_number(u32::from(t.position.get())).expect("in range").name(),
            "b": self.name(t.record.get()),
        })
    }

    /// Puts a tensor into the slot of the operation and describes it.
    fn store(&mut self, op: &Value, tensor: TrTensor) -> Outcome {
        let described = self.tensor_json(&tensor);
        self.tensors.insert(int(op, "t"), tensor);
        Ok(described)
    }

    /// The same with the element count of a typed TBuf call.
    fn store_typed(&mut self, op: &Value, tensor: TrTensor) -> Outcome {
        let elements = tensor.elements.get();
        let mut described = self.store(op, tensor)?;
        described["sz"] = json!(elements);
        Ok(described)
    }

    /// Builds the tensor of a record of a queue.
    fn of_record(&self, que: &TrQue, record: Record) -> Result<TrTensor, FwkError> {
        let tensor = TrTensor::new();
        self.current().tensor(que, record, &tensor)?;
        Ok(tensor)
    }

    /// Does one operation; the result has the form of the trace's `r`.
    pub fn run(&mut self, op: &Value) -> Outcome {
        match text(op, "o") {
            o if o.starts_with("pipe")
                || o.starts_with("share")
                || o.starts_with("abs")
                || o == "que_end" =>
            {
                self.run_pipe(o, op)
            }
            o if o.starts_with("pool") || o.starts_with("kc_") => self.run_pool(o, op),
            o if o.starts_with("buf") || o.starts_with("pop") => self.run_buf(o, op),
            o if o.starts_with("t_") => self.run_tensor(o, op),
            o if o.starts_with("spm") => self.run_spill(o, op),
            o if o.starts_with("ev_") || o.starts_with("sync") || o.ends_with("_flag") || o == "barrier" => {
                self.run_event(o, op)
            }
            o if matches!(o, "q_start" | "q_handle" | "b_start" | "b_handle") => self.run_handle(o, op),
            o => self.run_que(o, op),
        }
    }

    fn run_pipe(&mut self, o: &str, op: &Value) -> Outcome {
        let nothing = Ok(json!({}));
        match o {
            "pipe" => {
                let (number, pipe) = (int(op, "p"), Box::<TrPipe>::default());
                self.hooks.pipes.borrow_mut().insert(std::ptr::from_ref(&*pipe).addr(), number);
                // A pipe that is constructed again is a new object; the old one is kept out of the way.
                let kept = self.pipes.insert(number, pipe);
                std::mem::forget(kept);
                construct_pipe(&self.pipes[&number], &self.hooks, self.core, self.checks)?;
                nothing
            }
            "pipe_init" => self.fwk(op).init().map(|()| json!({})),
            "pipe_reset" => {
                self.fwk(op).reset();
                nothing
            }
            "pipe_destroy" => {
                self.fwk(op).destroy();
                nothing
            }
            "pipe_destroy_npa" => {
                self.fwk(op).destroy_without_pipe_all();
                nothing
            }
            "pipe_drop" => {
                self.fwk(op).drop_pipe();
                nothing
            }
            "pipe_ptr" => Ok(json!({"v": self.hooks.pipes.borrow()[&self.hooks.current.get().addr()]})),
            "pipe_snap" => Ok(self.pipe_snap(op)),
            "que_end" => {
                Ok(json!({"v": self.pipes[&int(op, "p")].marks_bytes[MemoryKind::Ub as usize].get()}))
            }
            "abs_addr" | "abs_tensor" => {
                let bytes = num(op, "n") * if o == "abs_tensor" { 2 } else { 1 };
                let out = TrTensor::new();
                self.fwk(op).abs_addr(position(text(op, "pos")), num(op, "off"), bytes, &out)?;
                self.store(op, out)
            }
            "share_start" => {
                let lengths = [num(op, "l1"), num(op, "l0c"), num(op, "ub")];
                self.fwk(op).share_start(num(op, "mode"), lengths, num(op, "sb"))?;
                Ok(self.pipe_snap(op))
            }
            "share_end" => {
                self.fwk(op).share_end();
                Ok(self.pipe_snap(op))
            }
            "pipe_pool" => {
                self.fwk(op).init_pool(self.pool(op, "k"), num(op, "len")).map(|()| json!({"v": true}))
            }
            "pipe_pool_sh" => {
                let (pool, shared) = (self.pool(op, "k"), self.pool(op, "sh"));
                self.fwk(op).init_pool_shared(pool, num(op, "len"), shared).map(|()| json!({"v": true}))
            }
            _ => panic!("unknown operation {op}"),
        }
    }

    fn pipe_snap(&self, op: &Value) -> Value {
        let pipe = &self.pipes[&int(op, "p")];
        let mut ids = Map::new();
        for (event, name) in HardEvent::ALL {
            let word = pipe.events[*event as usize].get();
            // Bits from 32 on are device-lib's own (checks on), ids above 31 do not occur.
            let used = word & 0xffff_ffff;
            if self.target().events & event.bit() != 0 && used != 0 {
                ids.insert((*name).into(), json!(used));
            }
        }
        let marks: Vec<u32> = pipe.marks_bytes.iter().map(|m| m.get()).collect();
        json!({
            "ev": ids,
            "mx": marks,
            "n": pipe.count.get(),
            "ts": pipe.tscm_mark_bytes.get(),
            "d": pipe.destroyed.get(),
        })
    }

    fn run_que(&mut self, o: &str, op: &Value) -> Outcome {
        if o == "que" {
            return self.declare_que(op);
        }
        let fwk = self.current();
        let que = self.que(op);
        let unit = |()| json!({});
        let done = |()| json!({"v": true});
        match o {
            "init" => self.fwk(op).init_que(que, num(op, "num"), num(op, "len")).map(done),
            "init_addrs" => {
                let list = op["addrs"].as_array().expect("a list");
                let entry = |v: &Value| v.as_u64().expect("a number") as u32;
                let list: Vec<TrAddrLen> = list
                    .iter()
                    .map(|b| TrAddrLen { address_bytes: entry(&b[0]), length_bytes: entry(&b[1]) })
                    .collect();
                self.fwk(op).init_que_addrs(que, &list).map(done)
            }
            "alloc" => {
                let tensor = self.of_record(que, fwk.alloc(que)?)?;
                self.store(op, tensor)
            }
            "enque" | "enque_h" => fwk.enque(que, self.record(op)).map(done),
            "deque" if que.depth.get() == 0 => {
                fwk.deque_in_place(que, self.record(op))?;
                Ok(self.tensor_json(self.tensor(op)))
            }
            "deque" => {
                let tensor = self.of_record(que, fwk.deque(que)?)?;
                self.store(op, tensor)
            }
            "deque_h" => fwk.deque(que).map(|record| json!({"b": self.name(record)})),
            "free" | "free_h" => fwk.free(que, self.record(op)).map(unit),
            "addr" => self.of_record(que, self.record(op)).map(|t| self.tensor_json(&t)),
            "enque_u" | "deque_u" => {
                let (src, dst) = text(op, "u").split_once('>').expect("two positions");
                let (src, dst) = (position(src), position(dst));
                if o == "enque_u" {
                    return fwk.enque_explicit(que, self.record(op), src, dst).map(done);
                }
                let tensor = self.of_record(que, fwk.deque_explicit(que, src, dst)?)?;
                self.store(op, tensor)
            }
            "vacant" => Ok(json!({"v": vacant(que)})),
            "has" => Ok(json!({"v": que.used_count.get() > 0})),
            "idle" => Ok(json!({"v": has_idle_buffer(que)})),
            "count" => Ok(json!({"v": que.used_count.get()})),
            "free_all" => fwk.free_all_event(que).map(unit),
            "state" => fwk.state(que, self.record(op)).map(|v| json!({"v": v})),
            "que_snap" => Ok(self.que_snap(que)),
            _ => panic!("unknown operation {op}"),
        }
    }

    fn declare_que(&mut self, op: &Value) -> Outcome {
        let (spec, target, que) = (spec_of(text(op, "k")), self.target(), Box::<TrQue>::default());
        construct_que(&que, &target, &spec)?;
        let place = |n: u8| TPosition::from_number(u32::from(n)).expect("in range").name();
        let described = json!({
            "src": place(que.src.get()),
            "dst": place(que.dst.get()),
            "hw": MemoryKind::from_number(u32::from(que.memory.get())).expect("in range").name(),
            "lp": place(que.position.get()),
            "enq": event_name(que.enque_event.get()),
            "fre": event_name(que.free_event.get()),
        });
        self.ques.insert(int(op, "q"), que);
        Ok(described)
    }

    fn que_snap(&self, que: &TrQue) -> Value {
        let first = self.name(que.first.get());
        let (owner, base) =
            first.split_once('.').map_or((first.as_str(), 0), |(o, i)| (o, i.parse().expect("number")));
        let records: Vec<Value> = (0..usize::from(que.buf_num.get()))
            .map(|i| Self::tuple(self.by_name(&format!("{owner}.{}", base + i))))
            .collect();
        json!({
            "bn": que.buf_num.get(),
            "uc": que.used_count.get(),
            "h": que.head.get(),
            "t": que.tail.get(),
            "bu": que.buf_used_count.get(),
            "bc": que.cursor.get(),
            "bs": first,
            "bufs": records,
        })
    }

    /// Everything there is, as text, without the error fields of the pipes.
    pub fn state(&self) -> String {
        let pipes: Vec<(i64, TrPipe)> = self
            .pipes
            .iter()
            .map(|(number, pipe)| {
                let copy = TrPipe::clone(pipe);
                clear_error(&copy);
                (*number, copy)
            })
            .collect();
        let pools: Vec<_> = self.pools.iter().map(|(k, p)| (k, &p.state, &p.records)).collect();
        format!("{pipes:?} {:?} {:?} {pools:?} {:?} {:?}", self.ques, self.bufs, self.stack, self.tensors)
    }

    /// The error code in the pipe that an operation concerns.
    pub fn sticky_error(&self, op: &Value) -> u32 {
        match op.get("p") {
            Some(number) => self.pipes[&number.as_i64().expect("a number")].error.get(),
            None => self.current_pipe().map_or(0, |p| p.error.get()),
        }
    }

    /// Forgets the errors of all pipes.
    pub fn clear_errors(&self) {
        self.pipes.values().for_each(|p| clear_error(p));
        self.hooks.faults.borrow_mut().clear();
    }

    /// Whether any pipe has an error.
    pub fn any_error(&self) -> bool {
        self.pipes.values().any(|p| p.error.get() != 0)
    }

    /// Whether the core is a cube core.
    pub fn is_cube(&self) -> bool {
        self.core == FwkCore::Aic2201
    }

    /// The state the CPU-debug build would report for a `state` or `buf_state` operation.
    pub fn tracked_state(&self, op: &Value) -> Outcome {
        let value = match text(op, "o") {
            "state" => self.current().tracked_state(self.que(op), self.record(op))?,
            _ => self.current().buf_state(self.buf(op), self.record(op))?,
        };
        Ok(json!({"v": value}))
    }

    fn run_tensor(&mut self, o: &str, op: &Value) -> Outcome {
        let copy = |from: &TrTensor, shift: u32, length: u32| {
            let tensor = from.clone();
            tensor.address_bytes.set(from.address_bytes.get() + shift);
            tensor.length_bytes.set(length);
            tensor
        };
        match o {
            "t_null" => {
                self.tensors.insert(int(op, "t"), TrTensor::new());
                Ok(json!({}))
            }
            "t_copy" => {
                let source = self.tensors[&int(op, "s")].clone();
                self.tensors.insert(int(op, "t"), source);
                Ok(json!({}))
            }
            "t_setsize" => {
                let tensor = copy(self.tensor(op), 0, num(op, "n") * 2);
                self.store(op, tensor)
            }
            "t_off" => {
                let source = &self.tensors[&int(op, "s")];
                let bytes = num(op, "n") * 2;
                let tensor = copy(source, bytes, source.length_bytes.get() - bytes);
                self.store(op, tensor)
            }
            _ => {
                let record = self.record(op);
                if record.is_null() {
                    return Err(FwkError::NullHandle);
                }
                let record = self.by_name(&self.name(record));
                match o {
                    "t_settag" => {
                        record.user_tag.set(int(op, "v") as i32);
                        Ok(json!({}))
                    }
                    _ => Ok(json!({"v": record.user_tag.get()})),
                }
            }
        }
    }

    fn run_buf(&mut self, o: &str, op: &Value) -> Outcome {
        let unit = Ok(json!({}));
        if o == "buf" {
            let buf = Box::<TrBuf>::default();
            construct_buf(&buf, &self.target(), position(text(op, "pos")));
            self.bufs.insert(int(op, "x"), buf);
            return unit;
        }
        let (fwk, out) = (self.current(), TrTensor::new());
        match o {
            "buf_init" => self.fwk(op).init_buf(self.buf(op), num(op, "len")).map(|()| json!({"v": true})),
            "buf_get" => {
                fwk.buf_get_all(self.buf(op), bits(op), &out)?;
                self.store_typed(op, out)
            }
            "buf_getn" => {
                fwk.buf_get(self.buf(op), num(op, "n"), bits(op), &out)?;
                self.store_typed(op, out)
            }
            "buf_geto" => {
                fwk.buf_get_with_offset(self.buf(op), num(op, "n"), bits(op), num(op, "off"), &out)?;
                self.store_typed(op, out)
            }
            "buf_alloc" | "buf_deque" => {
                fwk.buf_get_all(self.buf(op), 16, &out)?;
                self.store(op, out)
            }
            "buf_enque" | "buf_free" | "buf_free_h" => unit,
            "buf_enque_h" => Ok(json!({"v": true})),
            "buf_deque_h" => fwk.buf_deque(self.buf(op)).map(|r| json!({"b": self.name(r)})),
            "buf_addr" => {
                fwk.buf_tensor(self.buf(op), &out)?;
                Ok(self.tensor_json(&out))
            }
            "buf_state" => fwk.buf_state(self.buf(op), self.record(op)).map(|v| json!({"v": v})),
            "buf_snap" => {
                let buf = self.buf(op);
                let name = self.name(buf.record.get());
                let record = Self::tuple(self.by_name(&name));
                Ok(
                    json!({"bs": name, "bl": buf.length_bytes.get(), "of": buf.offset_bytes.get(), "buf": record}),
                )
            }
            "pop_buf" => {
                self.stack.entry(int(op, "s")).or_default();
                let record = &self.stack[&int(op, "s")];
                self.current().pop_stack_buf(self.buf(op), record)?;
                Ok(json!({"v": true, "a": record.address_bytes.get(), "n": record.length_bytes.get()}))
            }
            "pop_tensor" => {
                fwk.pop_stack_tensor(position(text(op, "pos")), &out)?;
                let mut described = self.store(op, out)?;
                described["v"] = json!(true);
                Ok(described)
            }
            _ => panic!("unknown operation {op}"),
        }
    }

    fn run_pool(&mut self, o: &str, op: &Value) -> Outcome {
        if o == "pool" {
            let (place, records) = text(op, "kind").split_once(':').expect("position and records");
            let place_of = place.strip_prefix("CUSTOM_");
            let pool = Box::new(Pool { state: TrBufPool::new(), records: [const { TrRecord::new() }; 16] });
            let capacity = records.parse().expect("a number");
            let place_or = position(place_of.unwrap_or(place));
            let first = pool.records.as_ptr();
            construct_pool(&pool.state, &self.target(), place_or, first, capacity, place_of.is_some())?;
            std::mem::forget(self.pools.insert(int(op, "k"), pool));
            return Ok(json!({}));
        }
        let (fwk, unit, done) = (self.current(), |()| json!({}), |()| json!({"v": true}));
        let pool = || self.pool(op, "k");
        match o {
            "pool_pool" => fwk.init_pool_in(self.pool(op, "pk"), pool(), num(op, "len")).map(done),
            "pool_pool_sh" => fwk.init_pool_shared(pool(), num(op, "len"), self.pool(op, "sh")).map(done),
            "pool_init" => fwk.pool_init_que(pool(), self.que(op), num(op, "num"), num(op, "len")).map(done),
            "pool_buf" => fwk.pool_init_buf(pool(), self.buf(op), num(op, "len")).map(done),
            "pool_reset" => fwk.pool_reset(pool()).map(unit),
            "pool_drop" => fwk.pool_drop(pool()).map(unit),
            "pool_snap" => Ok(self.pool_snap(op)),
            "kc_handle" => fwk.pool_record(pool(), num(op, "i")).map(|r| json!({"b": self.name(r)})),
            "kc_setaddr" => {
                pool().mark_bytes.set(num(op, "v"));
                Ok(json!({}))
            }
            "kc_getaddr" => Ok(json!({"v": pool().mark_bytes.get()})),
            "kc_setsize" => {
                pool().count.set(num(op, "v"));
                Ok(json!({}))
            }
            "kc_getsize" => Ok(json!({"v": pool().count.get()})),
            "kc_init" => {
                init_pool_object(pool());
                Ok(json!({}))
            }
            _ => panic!("unknown operation {op}"),
        }
    }

    fn pool_snap(&self, op: &Value) -> Value {
        let pool = &self.pools[&int(op, "k")];
        let state = &pool.state;
        let records: Vec<Value> =
            pool.records.iter().take(state.count.get() as usize).map(Self::tuple).collect();
        json!({
            "st": state.start_bytes.get(),
            "mx": state.mark_bytes.get(),
            "ml": state.length_bytes.get(),
            "n": state.count.get(),
            "rs": state.reset_mark.get(),
            "bufs": records,
        })
    }

    fn run_handle(&mut self, o: &str, op: &Value) -> Outcome {
        let (fwk, record) = (self.current(), self.by_name(text(op, "h")));
        let done = match o {
            "q_start" => fwk.que_init_start(self.que(op), record, num(op, "num")),
            "q_handle" => fwk.que_init_handle(self.que(op), record, num(op, "a"), num(op, "len")),
            "b_start" => fwk.buf_init_start(self.buf(op), record, num(op, "num"), num(op, "len")),
            _ => fwk.buf_init_handle(self.buf(op), record, num(op, "a"), num(op, "len")),
        };
        done.map(|()| json!({}))
    }

    fn run_event(&mut self, o: &str, op: &Value) -> Outcome {
        let unit = |()| json!({});
        match o {
            "ev_alloc" => self.fwk(op).alloc_event_id(event(op) as u32).map(|id| json!({"v": id})),
            "ev_fetch" => self.fwk(op).fetch_event_id(event(op) as u32).map(|id| json!({"v": id})),
            "ev_release" => self.fwk(op).release_event_id(event(op) as u32, int(op, "id") as i32).map(unit),
            "set_flag" => self.flags().set_flag(event(op), int(op, "id") as i32).map(unit),
            "wait_flag" => self.flags().wait_flag(event(op), int(op, "id") as i32).map(unit),
            "barrier" => self.flags().pipe_barrier(pipe_of(text(op, "pipe"))).map(unit),
            _ => {
                let (src, dst) = (pipe_of(text(op, "src")), pipe_of(text(op, "dst")));
                let id = int(op, "id") as i32;
                let flags = self.flags();
                if o == "sync_set" { flags.sync_set(src, dst, id) } else { flags.sync_wait(src, dst, id) }
                    .map(unit)
            }
        }
    }

    fn run_spill(&mut self, o: &str, op: &Value) -> Outcome {
        let fwk = self.fwk(op);
        let spill = || {
            let pipe = &self.pipes[&int(op, "p")];
            let (address, size) = (pipe.spill_address.get(), pipe.spill_length_bytes.get());
            json!({"ad": address, "sz": size, "ty": pipe.spill_memory.get()})
        };
        match o {
            "spm_init_gm" => {
                fwk.spill_init_gm(int(op, "addr") as u64, num(op, "n"));
                return Ok(spill());
            }
            "spm_init_l1" => return fwk.spill_init_l1(num(op, "n")).map(|()| spill()),
            _ => {}
        }
        let shape = if o.ends_with('p') {
            let (block_count, block_len) = (num(op, "bc"), num(op, "bl"));
            SpillShape { block_count, block_len, src_stride: num(op, "ss"), dst_stride: num(op, "ds") }
        } else {
            SpillShape { block_count: 1, block_len: num(op, "n") / 16, src_stride: 0, dst_stride: 0 }
        };
        let (ub, offset) = (self.tensor(op).address_bytes.get(), num(op, "off") * 2);
        let done = if o.contains("write") {
            fwk.spill_write(ub, shape, offset)
        } else {
            fwk.spill_read(ub, shape, offset)
        };
        done.map(|()| json!({}))
    }
}
