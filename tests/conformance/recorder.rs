//! Hooks that write down what the bookkeeping asks for, in the notation of the traces.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use toprope_abi::fwk::target::Effect;
use toprope_abi::fwk::{HardEvent, MemoryKind, TrPipe};
use toprope_abi::isa::Pipe;
use toprope_device_lib::hooks::{Fault, Hooks, SpillCopy};

/// Name of a pipe in the traces.
pub fn pipe_name(pipe: Pipe) -> &'static str {
    match pipe {
        Pipe::S => "S",
        Pipe::V => "V",
        Pipe::M => "M",
        Pipe::Mte1 => "MTE1",
        Pipe::Mte2 => "MTE2",
        Pipe::Mte3 => "MTE3",
        Pipe::All => "ALL",
        Pipe::Fix => "FIX",
    }
}

/// The pipe of that name.
pub fn pipe_of(name: &str) -> Pipe {
    let all = [Pipe::S, Pipe::V, Pipe::M, Pipe::Mte1, Pipe::Mte2, Pipe::Mte3, Pipe::All, Pipe::Fix];
    all.into_iter().find(|p| pipe_name(*p) == name).unwrap_or_else(|| panic!("no pipe {name}"))
}

/// Effect byte of each pair, spelled `A>B`.
fn pair_names() -> HashMap<u8, String> {
    let pipes = [Pipe::S, Pipe::V, Pipe::M, Pipe::Mte1, Pipe::Mte2, Pipe::Mte3, Pipe::Fix];
    let pairs = pipes.into_iter().flat_map(|a| pipes.into_iter().map(move |b| (a, b)));
    pairs.map(|(a, b)| (Effect::pair(a, b).0, format!("{}>{}", pipe_name(a), pipe_name(b)))).collect()
}

/// Everything asked of one core.
pub struct Recorder {
    log: RefCell<Vec<String>>,
    /// Misuses reported.
    pub faults: RefCell<Vec<Fault>>,
    pairs: HashMap<u8, String>,
    /// Address of each pipe to its number.
    pub pipes: RefCell<HashMap<usize, i64>>,
    /// The pipe `GetTPipePtr` would return.
    pub current: Cell<*const TrPipe>,
    live: Cell<*const TrPipe>,
    serial: Cell<u32>,
    /// Sub-block count and index.
    pub sub_blocks: (u32, u32),
}

impl Recorder {
    /// A core with `sub_blocks` = (count, index).
    pub fn new(sub_blocks: (u32, u32)) -> Recorder {
        Recorder {
            log: RefCell::default(),
            faults: RefCell::default(),
            pairs: pair_names(),
            pipes: RefCell::default(),
            current: Cell::new(std::ptr::null()),
            live: Cell::new(std::ptr::null()),
            serial: Cell::new(0),
            sub_blocks,
        }
    }

    /// Takes the effects recorded since the last call.
    pub fn take(&self) -> Vec<String> {
        self.log.take()
    }

    fn push(&self, entry: String) {
        self.log.borrow_mut().push(entry);
    }
}

impl Hooks for Recorder {
    fn set_flag(&self, pair: Effect, id: i32) {
        self.push(format!("s:{}:{id}", self.pairs[&pair.0]));
    }
    fn wait_flag(&self, pair: Effect, id: i32) {
        self.push(format!("w:{}:{id}", self.pairs[&pair.0]));
    }
    fn barrier(&self, pipe: Pipe) {
        self.push(format!("b:{}", pipe_name(pipe)));
    }
    fn set_atomic_none(&self) {
        self.push("r:set_atomic_none".into());
    }
    fn set_mask_norm(&self) {
        self.push("r:set_mask_norm".into());
    }
    fn set_l1_3d_size(&self, value: u64) {
        self.push(format!("r:set_l1_3d_size:{value}"));
    }
    fn set_padding(&self, value: u64) {
        self.push(format!("r:set_padding:{value}"));
    }
    fn set_vector_mask(&self, high: u64, low: u64) {
        self.push(format!("r:set_vector_mask:{high:x},{low:x}"));
    }
    fn dcci(&self) {
        self.push("r:dcci".into());
    }
    fn spill_copy(&self, c: SpillCopy) {
        let memory = c.memory.name();
        let (route, dst, src) = if c.write {
            (format!("UB>{memory}"), c.address, u64::from(c.ub_address_bytes))
        } else {
            (format!("{memory}>UB"), u64::from(c.ub_address_bytes), c.address)
        };
        self.push(format!(
            "c:{route}:{dst},{src},{},{},{},{}",
            c.block_count, c.block_len, c.src_stride, c.dst_stride
        ));
    }
    fn sub_block_num(&self) -> u32 {
        self.sub_blocks.0
    }
    fn sub_block_idx(&self) -> u32 {
        self.sub_blocks.1
    }
    fn set_pipe_ptr(&self, pipe: *const TrPipe) {
        self.current.set(pipe);
    }
    fn set_live_pipe(&self, pipe: *const TrPipe) {
        self.live.set(pipe);
    }
    fn live_pipe(&self) -> *const TrPipe {
        self.live.get()
    }
    fn next_serial(&self) -> u32 {
        self.serial.set(self.serial.get() + 1);
        self.serial.get()
    }
    fn fault(&self, fault: Fault) {
        self.faults.borrow_mut().push(fault);
    }
    fn note_op(
        &self,
        _op: toprope_device_lib::hooks::QueOp,
        _event: HardEvent,
        _object: u64,
        _memory: MemoryKind,
        _address_bytes: u32,
        _length_bytes: u32,
    ) {
    }
    fn observe_id(&self, pipe: &TrPipe, taken: bool, event: HardEvent, id: i32) {
        let number = self.pipes.borrow().get(&(std::ptr::from_ref(pipe).addr())).copied().unwrap_or(-1);
        let prefix = if number == 0 { String::new() } else { format!("p{number}.") };
        let kind = if taken { 'a' } else { 'f' };
        self.push(format!("{kind}:{prefix}{}:{id}", event.name()));
    }
}
