//! Rules 45–47: copies of rows, batches and through pointers on the device; fills with words.

use crate::support::*;
use std::ffi::c_void;
use std::ptr::{null, null_mut};
use toprope_abi::acl::*;

const H2D: MemcpyKind = MemcpyKind::HOST_TO_DEVICE;
const D2H: MemcpyKind = MemcpyKind::DEVICE_TO_HOST;
const D2D: MemcpyKind = MemcpyKind::DEVICE_TO_DEVICE;
const INNER: MemcpyKind = MemcpyKind::INNER_DEVICE_TO_DEVICE;

fn bytes_of(count: usize) -> Vec<u8> {
    (0..count).map(|i| (i * 7 % 251) as u8).collect()
}

/// Rows of 5 bytes: every 8 on the device, every 6 on the host.
fn expected_rows(data: &[u8], rows: usize) -> Vec<u8> {
    let mut all = vec![0xee; 8 * rows];
    for row in 0..rows {
        all[row * 8..row * 8 + 5].copy_from_slice(&data[row * 6..row * 6 + 5]);
    }
    all
}

#[test]
fn rule_47_rows_are_copied_and_what_is_between_them_is_not() {
    let _device = device();
    let (data, dev) = (bytes_of(60), malloc(80));
    ok!(aclrtMemset(dev, 80, 0xee, 80));
    ok!(aclrtMemcpy2d(dev, 8, data.as_ptr().cast(), 6, 5, 10, H2D));
    assert_eq!(take::<u8>(dev, 80), expected_rows(&data, 10));
    let mut back = vec![0u8; 60];
    ok!(aclrtMemcpy2d(back.as_mut_ptr().cast(), 6, dev, 8, 5, 10, D2H));
    assert!(back.iter().enumerate().all(|(i, b)| *b == if i % 6 < 5 { data[i] } else { 0 }));
    let other = malloc(80);
    ok!(aclrtMemset(other, 80, 0xee, 80));
    ok!(aclrtMemcpy2dAsync(other, 8, dev, 8, 5, 10, D2D, DEFAULT));
    sync(DEFAULT);
    assert_eq!(take::<u8>(other, 80), expected_rows(&data, 10));
    // Pitches of exactly the width: one piece.
    ok!(aclrtMemcpy2d(dev, 10, data.as_ptr().cast(), 10, 10, 6, MemcpyKind::DEFAULT));
    assert_eq!(take::<u8>(dev, 60), data);
}

#[test]
fn rule_47_large_rows_are_whole() {
    let _device = device();
    let (width, rows, pitch) = (3000usize, 5000usize, 4096usize);
    let (dev, host) = (malloc(pitch * rows), malloc_host(width * rows));
    // SAFETY: the block is that long and nobody else uses it.
    let data = unsafe { std::slice::from_raw_parts_mut(host.cast::<u8>(), width * rows) };
    data.copy_from_slice(&bytes_of(width * rows));
    ok!(aclrtMemcpy2dAsync(dev, pitch, host, width, width, rows, H2D, DEFAULT));
    sync(DEFAULT);
    let got = take::<u8>(dev, pitch * rows);
    assert!((0..rows).all(|r| got[r * pitch..r * pitch + width] == data[r * width..(r + 1) * width]));
    ok!(aclrtFreeHost(host));
}

#[test]
fn rule_47_rows_are_checked() {
    let _device = device();
    let (dev, host) = (malloc(64), bytes_of(64));
    let host = host.as_ptr().cast::<c_void>();
    ok!(aclrtMemcpy2d(null_mut(), 0, null(), 0, 0, 5, H2D));
    ok!(aclrtMemcpy2d(null_mut(), 0, null(), 0, 5, 0, H2D));
    fails!(100_000, aclrtMemcpy2d(null_mut(), 8, host, 8, 8, 8, H2D));
    assert!(fails!(100_000, aclrtMemcpy2d(dev, 7, host, 8, 8, 8, H2D)).contains("`width` is 8"));
    fails!(100_000, aclrtMemcpy2d(dev, 8, host, 7, 8, 8, H2D));
    fails!(100_000, aclrtMemcpy2d(dev, 8, host, 8, 8, 8, MemcpyKind::HOST_TO_HOST));
    fails!(100_000, aclrtMemcpy2dAsync(dev, 8, host, 8, 8, 8, MemcpyKind(9), DEFAULT));
    let height = (5 << 20) + 1;
    assert!(fails!(107_000, aclrtMemcpy2d(dev, 8, host, 8, 8, height, H2D)).contains("the limit is 5242880"));
    fails!(107_000, aclrtMemcpy2dAsync(dev, 6_000_000, host, 6_000_000, 5_000_001, 1, H2D, DEFAULT));
    fails!(107_000, aclrtMemcpy2d(dev, 1 << 62, host, 1 << 62, 8, 8, H2D));
    let text = fails!(107_000, aclrtMemcpy2d(dev, 8, host, 8, 8, 9, H2D));
    assert!(text.contains("8 bytes too many"), "{text}");
    // The last row may be shorter than the pitch.
    ok!(aclrtMemcpy2d(dev, 16, host, 8, 8, 4, H2D));
}

#[test]
fn rule_47_fills_with_words() {
    let _device = device();
    let dev = malloc(64);
    ok!(aclrtMemset(dev, 64, 0, 64));
    ok!(aclrtMemsetD32(dev, 64, 0x0102_0304, 3));
    ok!(aclrtMemsetD32Async(dev.wrapping_byte_add(20), 44, 9, 2, DEFAULT));
    sync(DEFAULT);
    let mut wanted = [0u32; 16];
    wanted[..3].fill(0x0102_0304);
    wanted[5..7].fill(9);
    assert_eq!(take::<u32>(dev, 16), wanted);
    let host = malloc_host(8);
    ok!(aclrtMemsetD32Async(host, 8, 7, 2, DEFAULT));
    // SAFETY: the block has two words; host memory is filled by the call itself.
    assert_eq!(unsafe { *host.cast::<[u32; 2]>() }, [7, 7]);
    ok!(aclrtMemsetD32(null_mut(), 0, 1, 0));
    fails!(100_000, aclrtMemsetD32(dev.wrapping_byte_add(2), 8, 1, 1));
    fails!(100_000, aclrtMemsetD32(dev, 8, 1, 3));
    fails!(100_000, aclrtMemsetD32(dev, usize::MAX, 1, usize::MAX / 2));
    fails!(100_000, aclrtMemsetD32(null_mut(), 8, 1, 1));
    let mut own = [0u32; 4];
    assert!(
        fails!(100_000, aclrtMemsetD32(own.as_mut_ptr().cast(), 16, 1, 4))
            .contains("no memory of aclrtMalloc")
    );
    ok!(aclrtFreeHost(host));
}

#[test]
fn rule_46_the_deprecated_conditional_copy_is_the_same_copy() {
    let _device = device();
    let (dev, data) = (malloc(100), bytes_of(100));
    ok!(aclrtMemcpyAsyncWithCondition(dev, 100, data.as_ptr().cast(), 100, H2D, DEFAULT));
    assert_eq!(take::<u8>(dev, 100), data, "pageable memory: done when it returns");
    let host = malloc_host(8);
    fails!(207_000, aclrtMemcpyAsyncWithCondition(host, 8, host, 8, MemcpyKind::HOST_TO_HOST, DEFAULT));
    ok!(aclrtFreeHost(host));
}

// ---- batches -------------------------------------------------------------------------------------------------------

struct Pieces {
    dsts: Vec<*mut c_void>,
    rooms: Vec<usize>,
    srcs: Vec<*mut c_void>,
    sizes: Vec<usize>,
    attrs: Vec<MemcpyBatchAttr>,
    indexes: Vec<usize>,
}

const HOST_END: MemLocation = MemLocation { id: 0, ty: MemLocationType::HOST };
const DEVICE_END: MemLocation = MemLocation { id: 0, ty: MemLocationType::DEVICE };
const UP: MemcpyBatchAttr = MemcpyBatchAttr { dst_loc: DEVICE_END, src_loc: HOST_END, rsv: [0; 16] };
const DOWN: MemcpyBatchAttr = MemcpyBatchAttr { dst_loc: HOST_END, src_loc: DEVICE_END, rsv: [0; 16] };

impl Pieces {
    fn new(pairs: &[(*mut c_void, *mut c_void)], bytes: usize, attr: MemcpyBatchAttr) -> Pieces {
        Pieces {
            dsts: pairs.iter().map(|p| p.0).collect(),
            rooms: vec![bytes; pairs.len()],
            srcs: pairs.iter().map(|p| p.1).collect(),
            sizes: vec![bytes; pairs.len()],
            attrs: vec![attr],
            indexes: vec![0],
        }
    }

    fn copy(&mut self) -> (i32, usize) {
        let mut failed = 77;
        let code = acl!(aclrtMemcpyBatch(
            self.dsts.as_mut_ptr(),
            self.rooms.as_mut_ptr(),
            self.srcs.as_mut_ptr(),
            self.sizes.as_mut_ptr(),
            self.dsts.len(),
            self.attrs.as_mut_ptr(),
            self.indexes.as_mut_ptr(),
            self.attrs.len(),
            &raw mut failed
        ));
        (code.0, failed)
    }

    fn copy_async(&mut self, stream: StreamHandle) -> (i32, usize) {
        let mut failed = 77;
        let code = acl!(aclrtMemcpyBatchAsync(
            self.dsts.as_mut_ptr(),
            self.rooms.as_mut_ptr(),
            self.srcs.as_mut_ptr(),
            self.sizes.as_mut_ptr(),
            self.dsts.len(),
            self.attrs.as_mut_ptr(),
            self.indexes.as_mut_ptr(),
            self.attrs.len(),
            &raw mut failed,
            stream
        ));
        (code.0, failed)
    }
}

const NONE: usize = usize::MAX;

#[test]
fn rule_47_batches_copy_all_pieces() {
    let _device = device();
    let mut data = bytes_of(300);
    let dev = [malloc(100), malloc(100), malloc(100)];
    let at = |i: usize, data: &mut Vec<u8>| data[i * 100..].as_mut_ptr().cast::<c_void>();
    let pairs: Vec<_> = (0..3).map(|i| (dev[i], at(i, &mut data))).collect();
    let mut up = Pieces::new(&pairs, 100, UP);
    assert_eq!(up.copy(), (0, NONE), "{}", message());
    for i in 0..3 {
        assert_eq!(take::<u8>(dev[i], 100), data[i * 100..(i + 1) * 100]);
    }
    let host = malloc_host(300);
    let pairs: Vec<_> = (0..3).map(|i| (host.wrapping_byte_add(i * 100), dev[i])).collect();
    let mut down = Pieces::new(&pairs, 100, DOWN);
    down.attrs = vec![DOWN, DOWN];
    down.indexes = vec![0, 2];
    assert_eq!(down.copy_async(DEFAULT), (0, NONE), "{}", message());
    sync(DEFAULT);
    // SAFETY: the block is that long; the stream is done with it.
    assert_eq!(unsafe { std::slice::from_raw_parts(host.cast::<u8>(), 300) }, data);
    ok!(aclrtMemcpyBatchAsyncV2(
        down.dsts.as_mut_ptr(),
        down.rooms.as_mut_ptr(),
        down.srcs.as_mut_ptr(),
        down.sizes.as_mut_ptr(),
        3,
        down.attrs.as_mut_ptr(),
        down.indexes.as_mut_ptr(),
        2,
        DEFAULT
    ));
    ok!(aclrtMemcpyBatchV2(
        up.dsts.as_mut_ptr(),
        up.rooms.as_mut_ptr(),
        up.srcs.as_mut_ptr(),
        up.sizes.as_mut_ptr(),
        3,
        up.attrs.as_mut_ptr(),
        up.indexes.as_mut_ptr(),
        1
    ));
    sync(DEFAULT);
    ok!(aclrtFreeHost(host));
}

#[test]
fn rule_47_a_batch_that_is_refused_moves_nothing_and_names_the_piece() {
    let _device = device();
    let mut data = [1u8; 64];
    let host = data.as_mut_ptr().cast::<c_void>();
    let (a, b) = (malloc(64), malloc(64));
    ok!(aclrtMemset(a, 64, 0, 64));
    let pieces = || Pieces::new(&[(a, host), (b, host)], 64, UP);
    let mut wrong = pieces();
    wrong.dsts[1] = host;
    assert_eq!(wrong.copy(), (107_000, 1), "host to host");
    let mut wrong = pieces();
    (wrong.dsts[1], wrong.srcs[1]) = (host, b);
    assert_eq!(wrong.copy(), (107_000, 1), "the other direction");
    let mut wrong = pieces();
    wrong.rooms[1] = 63;
    assert_eq!(wrong.copy(), (107_000, 1), "no room");
    let mut wrong = pieces();
    wrong.srcs[0] = null_mut();
    assert_eq!(wrong.copy(), (100_000, 0));
    let mut wrong = pieces();
    wrong.attrs[0] = DOWN;
    let (code, piece) = wrong.copy();
    assert_eq!((code, piece), (107_000, 0));
    assert!(message().contains("`dstLoc` says"), "the attributes say otherwise");
    for (indexes, attrs) in [(vec![1], vec![UP]), (vec![0, 0], vec![UP, UP]), (vec![0, 2], vec![UP, UP])] {
        let mut wrong = pieces();
        (wrong.indexes, wrong.attrs) = (indexes, attrs);
        assert_eq!(wrong.copy_async(DEFAULT), (107_000, NONE));
    }
    let mut wrong = pieces();
    (wrong.indexes, wrong.attrs) = (vec![0, 1, 2], vec![UP; 3]);
    assert_eq!(wrong.copy(), (107_000, NONE), "more attributes than pieces");
    let mut wrong = pieces();
    wrong.attrs.clear();
    assert_eq!(wrong.copy(), (100_000, NONE));
    assert_eq!(take::<u8>(a, 64), [0; 64]);
    assert_eq!(pieces().copy(), (0, NONE), "the twin");
}

// ---- through pointers on the device ----------------------------------------------------------------------------------

#[test]
fn rule_46_a_descriptor_is_read_when_its_turn_comes() {
    let _device = device();
    let mut size = 0;
    ok!(aclrtGetMemcpyDescSize(INNER, &raw mut size));
    let (desc, src, dst, gate) = (malloc(size), malloc(100), malloc(100), malloc(4));
    put(src, &bytes_of(100));
    ok!(aclrtMemset(dst, 100, 0, 100));
    ok!(aclrtSetMemcpyDesc(desc, INNER, src, dst, 50, null_mut()));
    let s = stream();
    put(gate, &[0u32]);
    run("hold", 1, s, &[gate as u64]);
    ok!(aclrtMemcpyAsyncWithDesc(desc, INNER, s));
    ok!(aclrtSetMemcpyDesc(desc, INNER, src, dst, 100, null_mut()));
    put(gate, &[1u32]);
    sync(s);
    assert_eq!(take::<u8>(dst, 100), bytes_of(100), "the length at the time the copy ran");
    // A range that leaves its block is a fault of the stream.
    ok!(aclrtSetMemcpyDesc(desc, INNER, src, dst, 129, null_mut()));
    ok!(aclrtMemcpyAsyncWithDesc(desc, INNER, s));
    assert!(fails!(507_052, aclrtSynchronizeStream(s)).contains("too many"));
    // So is memory that holds no descriptor.
    ok!(aclrtMemset(desc, size, 0, size));
    ok!(aclrtMemcpyAsyncWithDesc(desc, INNER, s));
    fails!(507_052, aclrtSynchronizeStream(s));
    sync(s);
    fails!(100_000, aclrtGetMemcpyDescSize(D2D, &raw mut size));
    fails!(100_000, aclrtSetMemcpyDesc(null_mut(), INNER, src, dst, 1, null_mut()));
    fails!(100_000, aclrtSetMemcpyDesc(desc, INNER, src, dst, 0, null_mut()));
    fails!(100_000, aclrtSetMemcpyDesc(desc, INNER, src, dst, 1, desc));
    let mut own = [0u64; 8];
    fails!(107_000, aclrtSetMemcpyDesc(own.as_mut_ptr().cast(), INNER, src, dst, 1, null_mut()));
    fails!(107_000, aclrtMemcpyAsyncWithDesc(own.as_mut_ptr().cast(), INNER, s));
}

#[test]
fn rule_46_addresses_in_device_memory_get_their_offsets() {
    let _device = device();
    let (src, dst, words) = (malloc(100), malloc(100), malloc(16));
    put(src, &bytes_of(100));
    ok!(aclrtMemset(dst, 100, 0, 100));
    put(words, &[dst as u64, src as u64]);
    let (to, from) = (words.cast::<*mut c_void>(), words.wrapping_byte_add(8).cast::<*const c_void>());
    ok!(aclrtMemcpyAsyncWithOffset(to, 50, 10, from, 50, 20, INNER, DEFAULT));
    sync(DEFAULT);
    assert_eq!(take::<u8>(dst, 100)[10..60], bytes_of(100)[20..70]);
    assert_eq!(take::<u8>(dst, 10), [0; 10]);
    ok!(aclrtMemcpyAsyncWithOffset(null_mut(), 0, 0, null_mut(), 0, 0, INNER, DEFAULT));
    fails!(100_000, aclrtMemcpyAsyncWithOffset(null_mut(), 8, 0, from, 8, 0, INNER, DEFAULT));
    fails!(100_000, aclrtMemcpyAsyncWithOffset(to, 8, 0, from, 8, 0, H2D, DEFAULT));
    fails!(107_000, aclrtMemcpyAsyncWithOffset(to, 7, 0, from, 8, 0, INNER, DEFAULT));
    ok!(aclrtMemcpyAsyncWithOffset(to, 200, 100, from, 50, 0, INNER, DEFAULT));
    fails!(507_052, aclrtSynchronizeStream(DEFAULT));
}
