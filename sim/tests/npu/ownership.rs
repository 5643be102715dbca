//! Protocol of queues and ownership of local memory, from raw annotations as any face of `device-lib` sends them.

use crate::harness::Bench;
use crate::kernel::*;
use toprope_abi::core_face::Annotation;
use toprope_abi::fwk::{HardEvent, TPosition};
use toprope_abi::isa::{Op, Pipe, Space};

const ALLOC: u64 = 0;
const ENQUE: u64 = 1 | (HardEvent::Mte2V as u64) << 8;
const DEQUE: u64 = 2;
const FREE: u64 = 3;

/// Positions of VECIN: GM, VECIN.
const VECIN: u64 = (TPosition::Gm as u64) | (TPosition::VecIn as u64) << 8;
const VECCALC: u64 = (TPosition::VecCalc as u64) * 0x101;

fn begin() {
    note(Annotation::Pipe, [0, 1, 0, 0]);
}

fn end() {
    note(Annotation::Pipe, [2, 1, 0, 0]);
}

/// InitBuffer of queue (kind 0) or TBuf (1) `object`.
fn reserve(kind: u64, positions: u64, object: u64, start: u64, bytes: u64, num: u64) {
    let what = Space::Ub as u64 | kind << 8 | positions << 16 | num << 32;
    note(Annotation::Reserved, [what, start, bytes, object]);
}

fn step(op: u64, object: u64, start: u64) {
    note(Annotation::QueueOp, [Space::Ub as u64 | op << 8, start, 256, object]);
}

/// Codes of the findings of a kernel about memory and the framework, in order.
fn codes(kernel: fn(&[u64; 8])) -> Vec<&'static str> {
    let bench = Bench::new();
    let block = bench.upload(&[1.0; 1024]);
    let outcome = bench.run("kernel", kernel, 1, &[("x", block)]);
    let ours = |code: &&str| code.starts_with("TR02") || code.starts_with("TR07");
    outcome.findings.iter().map(|f| f.code).filter(ours).collect()
}

#[test]
fn a_tensor_goes_round() {
    let kernel = |args: &[u64; 8]| {
        begin();
        reserve(0, VECIN, 7, 0, 256, 2);
        for i in 0..4 {
            let at = i % 2 * 256;
            step(ALLOC, 7, at);
            copy_in(ub(at), args[0], 8);
            set_flag(Pipe::Mte2, Pipe::V, 0);
            step(ENQUE, 7, at);
            wait_flag(Pipe::Mte2, Pipe::V, 0);
            step(DEQUE, 7, at);
            binary(Op::VaddF32, ub(at), ub(at), ub(at), 1);
            barrier(Pipe::All);
            step(FREE, 7, at);
        }
        end();
    };
    assert_eq!(codes(kernel), [""; 0]);
}

#[test]
fn use_while_enqueued_is_worse_without_order() {
    let unordered = |args: &[u64; 8]| {
        begin();
        reserve(0, VECIN, 7, 0, 256, 1);
        reserve(1, VECCALC, 8, 256, 256, 1);
        step(ALLOC, 8, 256);
        step(ALLOC, 7, 0);
        copy_in(ub(0), args[0], 8);
        step(ENQUE, 7, 0);
        binary(Op::VaddF32, ub(256), ub(0), ub(0), 1);
        binary(Op::VaddF32, ub(256), ub(0), ub(0), 1);
        end();
    };
    // Once for the tensor: what follows (the leak) is not told again.
    assert_eq!(codes(unordered), ["TR0704"]);
    let ordered = |args: &[u64; 8]| {
        begin();
        reserve(0, VECIN, 7, 0, 256, 1);
        reserve(1, VECCALC, 8, 256, 256, 1);
        step(ALLOC, 7, 0);
        copy_in(ub(0), args[0], 8);
        step(ENQUE, 7, 0);
        barrier(Pipe::All);
        binary(Op::VaddF32, ub(256), ub(0), ub(0), 1);
        barrier(Pipe::All);
        step(DEQUE, 7, 0);
        step(FREE, 7, 0);
        end();
    };
    assert_eq!(codes(ordered), ["TR0705"]);
}

#[test]
fn what_the_producer_reads_of_its_own_is_fine() {
    let kernel = |args: &[u64; 8]| {
        begin();
        let out = (TPosition::VecOut as u64) | (TPosition::Gm as u64) << 8;
        reserve(0, out, 7, 0, 256, 1);
        reserve(1, VECCALC, 8, 256, 256, 1);
        step(ALLOC, 7, 0);
        binary(Op::VaddF32, ub(0), ub(256), ub(256), 1);
        set_flag(Pipe::V, Pipe::Mte3, 0);
        step(1 | (HardEvent::VMte3 as u64) << 8, 7, 0);
        barrier(Pipe::V);
        binary(Op::VaddF32, ub(256), ub(0), ub(0), 1);
        wait_flag(Pipe::V, Pipe::Mte3, 0);
        step(DEQUE, 7, 0);
        copy_out(args[0], ub(0), 8);
        step(FREE, 7, 0);
        barrier(Pipe::All);
        end();
    };
    assert_eq!(codes(kernel), [""; 0]);
}

#[test]
fn use_after_free_and_before_alloc() {
    let after = |args: &[u64; 8]| {
        begin();
        reserve(0, VECIN, 7, 0, 256, 1);
        step(ALLOC, 7, 0);
        step(FREE, 7, 0);
        copy_in(ub(0), args[0], 8);
        barrier(Pipe::All);
        end();
    };
    assert_eq!(codes(after), ["TR0706"]);
    let scalar = |_: &[u64; 8]| {
        begin();
        reserve(0, VECIN, 7, 0, 256, 1);
        set_value(ub(64), 1.0);
        end();
    };
    assert_eq!(codes(scalar), ["TR0706"]);
}

#[test]
fn ends_find_what_is_left() {
    let left = |_: &[u64; 8]| {
        begin();
        reserve(0, VECIN, 7, 0, 256, 2);
        step(ALLOC, 7, 0);
        step(FREE, 7, 0);
        step(ALLOC, 7, 256);
        end();
    };
    assert_eq!(codes(left), ["TR0709"]);
    let stale = |_: &[u64; 8]| {
        begin();
        reserve(0, VECIN, 7, 0, 256, 1);
        note(Annotation::Pipe, [1, 1, 0, 0]);
        step(ALLOC, 7, 0);
        end();
    };
    assert_eq!(codes(stale), ["TR0708"]);
    let again = |_: &[u64; 8]| {
        begin();
        reserve(0, VECIN, 7, 0, 256, 1);
        note(Annotation::Pipe, [1, 1, 0, 0]);
        reserve(0, VECIN, 7, 0, 256, 1);
        step(ALLOC, 7, 0);
        step(FREE, 7, 0);
        end();
    };
    assert_eq!(codes(again), [""; 0]);
    let after_destroy = |_: &[u64; 8]| {
        begin();
        reserve(1, VECCALC, 7, 0, 256, 1);
        step(ALLOC, 7, 0);
        set_value(ub(0), 1.0);
        end();
        set_value(ub(0), 1.0);
    };
    assert_eq!(codes(after_destroy), ["TR0707"]);
}

#[test]
fn nine_live_tensors_are_too_many() {
    fn live(n: u64) {
        begin();
        (0..n).for_each(|i| reserve(0, VECIN, 100 + i, i * 256, 256, 1));
        (0..n).for_each(|i| step(ALLOC, 100 + i, i * 256));
        (0..n).for_each(|i| step(FREE, 100 + i, i * 256));
        end();
    }
    assert_eq!(codes(|_| live(9)), ["TR0714"]);
    assert_eq!(codes(|_| live(8)), [""; 0]);
}

#[test]
fn overruns_are_judged_by_what_they_hit() {
    /// Two queues of one buffer each behind each other, the second live if `both`; `blocks` are loaded into the first.
    fn two(x: u64, both: bool, blocks: u64) {
        begin();
        reserve(0, VECIN, 7, 0, 256, 1);
        reserve(0, VECIN, 8, 256, 256, 1);
        step(ALLOC, 7, 0);
        if both {
            step(ALLOC, 8, 256);
        }
        copy_in(ub(0), x, blocks);
        barrier(Pipe::All);
        step(FREE, 7, 0);
        if both {
            step(FREE, 8, 256);
        }
        end();
    }
    assert_eq!(codes(|args| two(args[0], true, 9)), ["TR0206"]);
    assert_eq!(codes(|args| two(args[0], false, 9)), ["TR0208"]);
    assert_eq!(codes(|args| two(args[0], true, 8)), [""; 0]);
    // The last buffer runs into bytes of nobody.
    assert_eq!(codes(|args| two(args[0], false, 17)), ["TR0208"]);
}

#[test]
fn one_tensor_over_both_buffers_of_its_queue_is_fine_until_the_other_is_taken() {
    fn over(x: u64, second: bool) {
        begin();
        reserve(0, VECIN, 7, 0, 256, 2);
        step(ALLOC, 7, 0);
        copy_in(ub(0), x, 16);
        barrier(Pipe::All);
        if second {
            step(ALLOC, 7, 256);
            step(FREE, 7, 256);
        }
        step(FREE, 7, 0);
        end();
    }
    assert_eq!(codes(|args| over(args[0], false)), [""; 0]);
    assert_eq!(codes(|args| over(args[0], true)), ["TR0206"]);
}

#[test]
fn tensors_made_from_an_address() {
    /// A tensor at `offset` while a TBuf of 256 bytes is in use.
    fn placed(offset: u64) {
        begin();
        reserve(1, VECCALC, 7, 0, 256, 1);
        step(ALLOC, 7, 0);
        note(Annotation::LocalTensor, [Space::Ub as u64, offset, 128, 0]);
        set_value(ub(offset), 1.0);
        end();
    }
    assert_eq!(codes(|_| placed(128)), ["TR0209"]);
    assert_eq!(codes(|_| placed(256)), [""; 0]);
    // Room that the kernel reserved and addresses itself.
    let room = |_: &[u64; 8]| {
        begin();
        reserve(1, VECCALC, 7, 0, 256, 1);
        note(Annotation::LocalTensor, [Space::Ub as u64, 0, 128, 0]);
        set_value(ub(0), 1.0);
        end();
    };
    assert_eq!(codes(room), [""; 0]);
}

#[test]
fn pools_that_share_memory_take_turns() {
    fn pools(reset: bool) {
        begin();
        reserve(2, VECCALC, 1, 0, 512, 1);
        reserve(0, VECIN, 7, 0, 256, 2);
        step(ALLOC, 7, 0);
        if reset {
            step(FREE, 7, 0);
            note(Annotation::PoolReset, [1, Space::Ub as u64, 0, 512]);
        }
        reserve(0, VECIN, 8, 0, 512, 1);
        step(ALLOC, 8, 0);
        step(FREE, 8, 0);
        if !reset {
            step(FREE, 7, 0);
        }
        end();
    }
    assert_eq!(codes(|_| pools(false)), ["TR0716"]);
    assert_eq!(codes(|_| pools(true)), [""; 0]);
}

/// A LocalTensor made from an address, or (2) the library's reserved part of UB.
fn placed(maker: u64, start: u64, bytes: u64) {
    note(Annotation::LocalTensor, [Space::Ub as u64, start, bytes, maker]);
}

/// The tile waits in its queue while `between` runs, then it is used.
fn queued(args: &[u64; 8], between: fn()) {
    begin();
    reserve(0, VECIN, 7, 0, 256, 1);
    reserve(1, VECCALC, 8, 4096, 1024, 1);
    placed(0, 0, 512);
    step(ALLOC, 7, 0);
    copy_in(ub(0), args[0], 8);
    set_flag(Pipe::Mte2, Pipe::V, 0);
    step(ENQUE, 7, 0);
    barrier(Pipe::All);
    between();
    wait_flag(Pipe::Mte2, Pipe::V, 0);
    step(DEQUE, 7, 0);
    barrier(Pipe::V);
    binary(Op::VaddF32, ub(4096), ub(0), ub(0), 1);
    barrier(Pipe::All);
    step(FREE, 7, 0);
    end();
}

/// The overlap is a warning; that it destroys data which is used is an error.
#[test]
fn a_placed_tensor_that_destroys_a_queued_tile_is_an_error() {
    assert_eq!(codes(|a| queued(a, || ())), ["TR0209"]);
    assert_eq!(codes(|a| queued(a, || binary(Op::VaddF32, ub(256), ub(4096), ub(4096), 1))), ["TR0209"]);
    assert_eq!(
        codes(|a| queued(a, || binary(Op::VaddF32, ub(0), ub(4096), ub(4096), 1))),
        ["TR0209", "TR0211"]
    );
}

/// The TBuf holds data in its first 256 bytes; a placed tensor lies on the second half of it and runs over its end.
fn half_covered(write_at: u64, repeats: u64, again: bool) {
    begin();
    reserve(1, VECCALC, 8, 0, 512, 1);
    step(ALLOC, 8, 0);
    binary(Op::VaddF32, ub(0), ub(8192), ub(8192), 2);
    barrier(Pipe::V);
    placed(0, 256, 1024);
    binary(Op::VaddF32, ub(write_at), ub(8192), ub(8192), repeats);
    barrier(Pipe::V);
    if again {
        binary(Op::VaddF32, ub(0), ub(8192), ub(8192), 2);
        barrier(Pipe::V);
    }
    binary(Op::VaddF32, ub(4096), ub(0), ub(0), 2);
    barrier(Pipe::All);
    end();
}

#[test]
fn what_is_written_again_or_not_hit_is_a_warning_only() {
    assert_eq!(codes(|_| half_covered(256, 2, false)), ["TR0209", "TR0211"]);
    assert_eq!(codes(|_| half_covered(256, 2, true)), ["TR0209"]);
    assert_eq!(codes(|_| half_covered(512, 2, false)), ["TR0209"]);
}

#[test]
fn a_buffer_that_reaches_into_the_reserved_part_is_a_warning() {
    fn kernel(bytes: u64) {
        begin();
        reserve(1, VECCALC, 8, 0, bytes, 1);
        step(ALLOC, 8, 0);
        binary(Op::VaddF32, ub(0), ub(0), ub(0), 1);
        placed(2, 184 * 1024, 8 * 1024);
        barrier(Pipe::All);
        end();
    }
    assert_eq!(codes(|_| kernel(192 * 1024)), ["TR0210"]);
    assert_eq!(codes(|_| kernel(184 * 1024)), [""; 0]);
}
