//! Must not compile: a freed tensor cannot be handed to the next pipe.
#![allow(unused_variables, unused_mut)]
#![deny(unused_must_use)]

use toprope_device_lib::face::{Aiv, PipeMemory, TPipe, VecIn, VecOut};
use toprope_device_lib::hooks::NoHooks;

fn main() -> Result<(), toprope_abi::fwk::FwkError> {
    let mut memory = PipeMemory::new();
    let mut pipe = TPipe::new(&mut memory, Aiv(NoHooks))?;
    let que = pipe.init_buffer::<VecIn, 1>(2, 64)?;
    let other = pipe.init_buffer::<VecOut, 0>(2, 64)?;
    let x = que.alloc_tensor()?;
    que.free_tensor(x)?;
    que.enque(x)?;
    pipe.clear_error();
    Ok(())
}
