//! The Rust face at run time: what it asks of the core, and the misuses that types cannot stop.

use std::cell::{Cell, RefCell};
use toprope_abi::fwk::target::Effect;
use toprope_abi::fwk::{FwkError, HardEvent, TrPipe};
use toprope_abi::isa::Pipe;
use toprope_device_lib::face::{A1, Aic, Aiv, Bind, PipeMemory, PoolMemory, TPipe, VecCalc, VecIn, VecOut};
use toprope_device_lib::hooks::{Fault, Hooks, NoHooks, SpillCopy};

/// Hooks that write down flags and misuses.
#[derive(Default)]
struct Core {
    flags: RefCell<Vec<String>>,
    faults: RefCell<Vec<FwkError>>,
    live: Cell<usize>,
}

impl Hooks for &Core {
    fn set_flag(&self, pair: Effect, id: i32) {
        self.flags.borrow_mut().push(format!("set {} {id}", name(pair)));
    }
    fn wait_flag(&self, pair: Effect, id: i32) {
        self.flags.borrow_mut().push(format!("wait {} {id}", name(pair)));
    }
    fn barrier(&self, pipe: Pipe) {
        self.flags.borrow_mut().push(format!("barrier {}", pipe.name()));
    }
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
    fn set_live_pipe(&self, pipe: *const TrPipe) {
        self.live.set(pipe.addr());
    }
    fn live_pipe(&self) -> *const TrPipe {
        std::ptr::without_provenance(self.live.get())
    }
    fn next_serial(&self) -> u32 {
        1
    }
    fn fault(&self, fault: Fault) {
        self.faults.borrow_mut().push(fault.error);
    }
}

fn name(pair: Effect) -> String {
    let event =
        HardEvent::ALL.iter().find(|(e, _)| e.pipes().is_some_and(|(s, d)| Effect::pair(s, d) == pair));
    event.map_or_else(|| format!("{pair:?}"), |(_, name)| (*name).into())
}

#[test]
fn a_tile_sets_and_waits_in_order() -> Result<(), FwkError> {
    let core = Core::default();
    let mut memory = PipeMemory::new();
    let pipe = TPipe::new(&mut memory, Aiv(&core))?;
    let in_que = pipe.init_buffer::<VecIn, 1>(1, 1000)?;
    let out_que = pipe.init_buffer::<Bind<VecOut, toprope_device_lib::face::Gm>, 2>(2, 64)?;
    for _ in 0..2 {
        let x = in_que.alloc_tensor()?;
        assert_eq!((x.address_bytes(), x.length_bytes()), (0, 1024));
        in_que.enque(x)?;
        assert!(in_que.has_tensor_in_que() && !in_que.vacant_in_que() && !in_que.has_idle_buffer());
        let x = in_que.deque()?;
        let y = out_que.alloc_tensor()?;
        in_que.free_tensor(x)?;
        out_que.enque(y)?;
        assert_eq!(out_que.get_tensor_count_in_que(), 1);
        out_que.free_tensor(out_que.deque()?)?;
    }
    drop((in_que, out_que));
    drop(pipe);
    let flags = core.flags.take();
    let first =
        ["set MTE2_V 0", "wait MTE2_V 0", "set V_MTE2 0", "set V_MTE3 0", "wait V_MTE3 0", "set MTE3_V 0"];
    assert_eq!(flags[..6], first);
    // The second tile waits for the input buffer, not for the output buffer: there is a second one.
    let second =
        ["wait V_MTE2 0", "set MTE2_V 0", "wait MTE2_V 0", "set V_MTE2 0", "set V_MTE3 0", "wait V_MTE3 0"];
    assert_eq!(flags[6..12], second);
    assert_eq!(
        flags[12..],
        ["set MTE3_V 1", "wait V_MTE2 0", "wait MTE3_V 0", "wait MTE3_V 1", "barrier ALL"]
    );
    assert!(core.faults.take().is_empty());
    Ok(())
}

#[test]
fn a_dropped_tensor_is_reported_and_a_freed_one_is_not() -> Result<(), FwkError> {
    let core = Core::default();
    let mut memory = PipeMemory::new();
    let pipe = TPipe::new(&mut memory, Aiv(&core))?;
    let que = pipe.init_buffer::<VecIn, 1>(1, 64)?;
    que.free_tensor(que.alloc_tensor()?)?;
    assert_eq!(pipe.error(), None);
    drop(que.alloc_tensor()?);
    assert_eq!(pipe.error(), Some(FwkError::TensorLeaked));
    assert_eq!(que.alloc_tensor().err(), Some(FwkError::NoFreeBuffer));
    assert_eq!(core.faults.take(), [FwkError::TensorLeaked, FwkError::NoFreeBuffer]);
    Ok(())
}

#[test]
fn what_types_do_not_see_is_refused() -> Result<(), FwkError> {
    let mut memory = PipeMemory::new();
    let pipe = TPipe::new(&mut memory, Aiv(NoHooks))?;
    let (one, two) = (pipe.init_buffer::<VecIn, 1>(2, 64)?, pipe.init_buffer::<VecIn, 1>(2, 64)?);
    assert_eq!(one.deque().err(), Some(FwkError::NullHead));
    one.enque(one.alloc_tensor()?)?;
    assert_eq!(one.enque(one.alloc_tensor()?), Err(FwkError::QueueFull));
    // The same type, but not the same queue.
    assert_eq!(two.free_tensor(one.deque()?), Err(FwkError::ForeignBuffer));
    assert_eq!(pipe.init_buffer::<VecIn, 1>(1, 192 * 1024).err(), Some(FwkError::MemoryFull));
    Ok(())
}

#[test]
fn nine_buffers_in_flight_run_out_of_ids() -> Result<(), FwkError> {
    let mut memory = PipeMemory::new();
    let pipe = TPipe::new(&mut memory, Aiv(NoHooks))?;
    let que = pipe.init_buffer::<VecIn, 16>(9, 32)?;
    for _ in 0..8 {
        que.enque(que.alloc_tensor()?)?;
    }
    assert_eq!(que.enque(que.alloc_tensor()?), Err(FwkError::NoEventId));
    que.free_tensor(que.deque()?)?;
    assert_eq!(que.get_tensor_count_in_que(), 7);
    Ok(())
}

#[test]
fn reset_remembers_flags_that_stay_set() -> Result<(), FwkError> {
    let core = Core::default();
    let mut memory = PipeMemory::new();
    let mut pipe = TPipe::new(&mut memory, Aiv(&core))?;
    {
        let que = pipe.init_buffer::<VecIn, 2>(2, 64)?;
        que.enque(que.alloc_tensor()?)?;
    }
    pipe.reset();
    let que = pipe.init_buffer::<VecIn, 2>(2, 64)?;
    assert_eq!(que.enque(que.alloc_tensor()?), Err(FwkError::FlagStillSet));
    drop(que);
    // The twin: everything dequeued before Reset.
    pipe.clear_error();
    pipe.reset();
    let que = pipe.init_buffer::<VecIn, 2>(2, 64)?;
    que.enque(que.alloc_tensor()?)?;
    que.free_tensor(que.deque()?)?;
    drop(que);
    pipe.reset();
    let que = pipe.init_buffer::<VecIn, 2>(2, 64)?;
    que.enque(que.alloc_tensor()?)?;
    que.free_tensor(que.deque()?)
}

#[test]
fn one_pipe_at_a_time() -> Result<(), FwkError> {
    let core = Core::default();
    let (mut first, mut second) = (PipeMemory::new(), PipeMemory::new());
    let pipe = TPipe::new(&mut first, Aiv(&core))?;
    assert_eq!(TPipe::new(&mut second, Aiv(&core)).err(), Some(FwkError::PipeExists));
    drop(pipe);
    TPipe::new(&mut second, Aiv(&core)).map(drop)
}

#[test]
fn tbufs_and_pools() -> Result<(), FwkError> {
    let (mut memory, mut records, mut inner) =
        (PipeMemory::new(), PoolMemory::<4>::new(), PoolMemory::<2>::new());
    let pipe = TPipe::new(&mut memory, Aiv(NoHooks))?;
    let buf = pipe.init_buf::<VecCalc>(100)?;
    assert_eq!(buf.get::<f32>()?.elements, 32);
    assert_eq!(buf.get_with_offset::<u8>(32, 96)?.address_bytes, 96);
    assert_eq!(buf.get_with_offset::<u8>(33, 96).err(), Some(FwkError::TBufOffsetBeyond));
    assert_eq!(buf.get_with_len::<f32>(40).err(), Some(FwkError::TBufTooShort));
    let pool = pipe.init_buf_pool::<VecCalc, 4>(&mut records, 1024)?;
    let que = pool.init_buffer::<VecIn, 1>(2, 256)?;
    let tensor = que.alloc_tensor()?;
    assert_eq!(tensor.address_bytes(), 128);
    que.free_tensor(tensor)?;
    let child = pool.init_buf_pool::<VecCalc, 2>(&mut inner, 512)?;
    assert_eq!(child.init_buf::<VecCalc>(1024).err(), Some(FwkError::PoolFull));
    assert_eq!(pool.init_buf::<A1>(32).err(), Some(FwkError::PoolMemoryMismatch));
    Ok(())
}

#[test]
fn the_cube_core_keeps_three_ids() -> Result<(), FwkError> {
    let core = Core::default();
    let mut memory = PipeMemory::new();
    let pipe = TPipe::new(&mut memory, Aic(&core))?;
    assert_eq!(core.flags.take(), ["set M_MTE1 0", "set M_MTE1 1", "set M_MTE1 2"]);
    let id = pipe.alloc_event_id(HardEvent::MMte1)?;
    assert_eq!(id.number(), 3);
    pipe.set_flag(&id)?;
    pipe.wait_flag(&id)?;
    pipe.release_event_id(id)?;
    assert_eq!(pipe.alloc_event_id(HardEvent::Mte2V).err(), Some(FwkError::EventNotOnCore));
    assert_eq!(pipe.pipe_barrier(Pipe::S), Err(FwkError::BarrierScalar));
    Ok(())
}
