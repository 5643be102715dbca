//! The twin of every program in `fail/`: the same calls in the right order compile and leave no error.
#![deny(unused_must_use)]

use toprope_device_lib::face::{Aiv, PipeMemory, TPipe, VecIn, VecOut};
use toprope_device_lib::hooks::NoHooks;

fn main() -> Result<(), toprope_abi::fwk::FwkError> {
    let mut memory = PipeMemory::new();
    let mut pipe = TPipe::new(&mut memory, Aiv(NoHooks))?;
    {
        let in_que = pipe.init_buffer::<VecIn, 1>(2, 64)?;
        let out_que = pipe.init_buffer::<VecOut, 0>(1, 64)?;
        let x = in_que.alloc_tensor()?;
        assert_eq!(x.length_bytes(), 64);
        in_que.enque(x)?;
        let x = in_que.deque()?;
        in_que.free_tensor(x)?;
        let y = out_que.alloc_tensor()?;
        let y = out_que.enque_in_place(y)?;
        let y = out_que.deque_in_place(y)?;
        out_que.free_tensor(y)?;
    }
    pipe.reset();
    assert_eq!(pipe.error(), None);
    Ok(())
}
