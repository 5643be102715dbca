//! Arguments out of a random number, and what the calls gave back.

use std::collections::HashMap;
use std::ffi::{CString, c_void};
use std::fmt::Write;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use toprope_abi::acl::*;
use toprope_abi::layout::{CType, StructLayout};

/// A generator of random numbers (splitmix64): the same numbers for a seed on every machine.
#[derive(Clone)]
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    pub fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

/// What all threads of a program know.
#[derive(Default)]
pub struct Shared {
    /// Values of handles by type in C, and addresses under "device" and "host". Destroyed ones stay.
    known: Mutex<HashMap<&'static str, Vec<u64>>>,
    keys: Mutex<Vec<CString>>,
    ipc_events: Mutex<Vec<[u8; 64]>>,
    /// Calls made so far, for the watchdog.
    pub calls: AtomicU64,
    /// Something was enqueued that others have to end.
    pub may_wait: AtomicBool,
    /// What every thread is in.
    pub now: Mutex<HashMap<u32, String>>,
}

impl Shared {
    fn learn(&self, kind: &'static str, value: u64) {
        if value == 0 {
            return;
        }
        let mut known = self.known.lock().unwrap();
        let list = known.entry(kind).or_default();
        if !list.contains(&value) {
            // Not only the newest: destroyed ones are wanted too.
            if list.len() == 48 {
                list.remove((value as usize >> 4) % 48);
            }
            list.push(value);
        }
    }

    fn forget(&self, kind: &'static str, value: u64) {
        if let Some(list) = self.known.lock().unwrap().get_mut(kind) {
            list.retain(|v| *v != value);
        }
    }
}

/// Memory behind a pointer argument.
const BLOCK_BYTES: usize = 64 << 10;
const BLOCKS: usize = 16;

static KEPT: Mutex<Vec<u64>> = Mutex::new(Vec::new());

/// What to read back when a call succeeded.
struct Result {
    kind: &'static str,
    at: u64,
    before: u64,
}

/// One thread of a program.
pub struct World {
    pub random: Random,
    pub shared: Arc<Shared>,
    pub number: u32,
    /// Whether other threads run.
    pub alone: bool,
    pub trace: bool,
    blocks: Vec<u64>,
    next_block: usize,
    results: Vec<Result>,
    text: String,
    first: u64,
    function: &'static str,
}

const INTEGERS: &[(&str, usize)] = &[
    ("uint8_t", 1),
    ("int8_t", 1),
    ("uint16_t", 2),
    ("int16_t", 2),
    ("uint32_t", 4),
    ("int32_t", 4),
    ("int", 4),
    ("uint64_t", 8),
    ("int64_t", 8),
    ("size_t", 8),
    ("aclFloat16", 2),
];

fn integer_bytes(name: &str) -> Option<usize> {
    INTEGERS.iter().find(|row| row.0 == name).map(|row| row.1)
}

fn is_handle(name: &str) -> Option<&'static str> {
    let mut all = BASE_HANDLES.iter().chain(ALLOCATOR_HANDLES).chain(RT_HANDLES);
    all.find(|h| h.name == name).map(|h| h.name).or(match name {
        "aclmdlRICondHandle" => Some("aclmdlRICondHandle"),
        "aclrtMemPool" => Some("aclrtMemPool"),
        _ => None,
    })
}

fn struct_layout(name: &str) -> Option<&'static StructLayout> {
    static DIM3: StructLayout = Dim3::LAYOUT;
    RT_STRUCTS.iter().find(|s| s.name == name).or((name == "dim3").then_some(&DIM3))
}

/// Addresses of these arguments may be wild: the runtime knows the memory it is told of. Others are memory of the
/// program by contract.
const CHECKED_ADDRESSES: &[&str] = &[
    "dst",
    "src",
    "devPtr",
    "ptr",
    "hostPtr",
    "pHost",
    "devAddr",
    "virPtr",
    "virPtrDst",
    "virPtrSrc",
    "outputAddr",
    "argsData",
    "leftValue",
    "rightValue",
];

/// Functions whose `**` result is an address the program may use from then on.
const ADDRESS_MAKERS: &[&str] = &[
    "aclrtMalloc",
    "aclrtMallocAlign32",
    "aclrtMallocCached",
    "aclrtMallocWithCfg",
    "aclrtMallocForTaskScheduler",
    "aclrtMemAllocManaged",
    "aclrtReserveMemAddress",
    "aclrtReserveMemAddressNoUCMemory",
    "aclrtMemPoolMallocAsync",
    "aclrtIpcMemImportByKey",
    "aclrtCtxGetFloatOverflowAddr",
];

const TEXTS: &[&[u8]] = &[
    b"",
    b"nothing",
    b"trap",
    b"say",
    b"mixed",
    b"no_such_kernel",
    b"cann",
    b"runtime",
    b"Ascend910B1",
    b"0000:00:00.0",
    b"graph.json",
    b"/no/such/file",
    b"/dev/null",
    b".",
    b"\xff\xfe not UTF-8 \x80",
    b"%s%n%s",
    b"../../x",
];

impl World {
    pub fn new(seed: u64, shared: Arc<Shared>, number: u32) -> World {
        let block = || {
            let memory: &'static mut [u64] =
                Box::leak(vec![0u64; (BLOCK_BYTES + 4096) / 8].into_boxed_slice());
            let at = memory.as_mut_ptr() as u64;
            // Work that still runs may use it for ever; known here, so that it is no leak.
            KEPT.lock().unwrap().push(at);
            at.next_multiple_of(4096)
        };
        World {
            random: Random(seed),
            shared,
            number,
            alone: true,
            trace: false,
            blocks: (0..BLOCKS).map(|_| block()).collect(),
            next_block: 0,
            results: Vec::new(),
            text: String::new(),
            first: 0,
            function: "",
        }
    }

    /// Puts a value in that the program starts with.
    pub fn know(&self, kind: &'static str, value: u64) {
        self.shared.learn(kind, value);
    }

    // ---- around a call ---------------------------------------------------------------------------------------------

    pub fn begin(&mut self, function: &'static str) {
        self.function = function;
        self.results.clear();
        self.text.clear();
        self.first = 0;
    }

    pub fn announce(&mut self, function: &'static str) {
        let call = format!("{function}({})", self.text.trim_end_matches(", "));
        self.shared.calls.fetch_add(1, Ordering::Relaxed);
        if self.trace {
            eprintln!("[{}] {call}", self.number);
        }
        self.shared.now.lock().unwrap().insert(self.number, call);
    }

    /// A function without a result code came back.
    pub fn succeeded(&mut self, _function: &'static str) {}

    pub fn returned(&mut self, function: &'static str, value: u64) {
        let kind = match function {
            "aclCreateDataBuffer" => "aclDataBuffer",
            "aclrtCreateStreamConfigHandle" => "aclrtStreamConfigHandle",
            "aclrtAllocatorCreateDesc" => "aclrtAllocatorDesc",
            "aclrtCreateBinary" => "aclrtBinary",
            "aclrtCreateGroupInfo" | "aclrtCreateGroupInfoHandle" => "aclrtGroupInfo",
            _ => return,
        };
        self.shared.learn(kind, value);
    }

    pub fn answered(&mut self, function: &'static str, code: AclError) {
        if self.trace {
            eprintln!("[{}]   {}", self.number, code.0);
        }
        if code.name() == "unknown ACL error" {
            self.fails(&format!("answered {}, which no document names", code.0));
        }
        if !code.is_success() {
            let text = crate::support::message();
            if text.contains("bug in toprope") {
                self.fails(&text);
            }
            return;
        }
        if WAITS.contains(&function) {
            self.shared.may_wait.store(true, Ordering::Relaxed);
        }
        for result in std::mem::take(&mut self.results) {
            self.learn(function, &result);
        }
        let first = self.first;
        match function {
            "aclrtFreeHost" | "aclrtFreeHostWithDevSync" | "aclrtHostUnregister" => {
                self.shared.forget("host", first)
            }
            // Not handles but pointers of C: using one again is the end of a program anywhere.
            "aclDestroyDataBuffer" => self.shared.forget("aclDataBuffer", first),
            "aclrtDestroyStreamConfigHandle" => self.shared.forget("aclrtStreamConfigHandle", first),
            "aclrtDestroyGroupInfo" => self.shared.forget("aclrtGroupInfo", first),
            _ => {}
        }
    }

    fn learn(&mut self, function: &'static str, result: &Result) {
        // SAFETY: the results of a call lie in blocks of this thread.
        let value = unsafe { (result.at as *const u64).read_unaligned() };
        match result.kind {
            "address" => {
                if function.contains("MallocHost") || function == "aclrtHostRegister" {
                    self.shared.learn("host", value);
                } else if ADDRESS_MAKERS.contains(&function) {
                    self.shared.learn("device", value);
                }
            }
            "text" if function.ends_with("ExportKey") => {
                // SAFETY: as above; the block is zero behind the text.
                let text = unsafe { std::ffi::CStr::from_ptr(result.at as *const _) }.to_owned();
                self.shared.keys.lock().unwrap().push(text);
            }
            "text" => {}
            "ipc event" => {
                // SAFETY: as above.
                let bytes = unsafe { (result.at as *const [u8; 64]).read() };
                self.shared.ipc_events.lock().unwrap().push(bytes);
            }
            "number" if function.contains("ToShareableHandle") => self.shared.learn("shareable", value),
            "number" => {}
            kind => {
                for i in 0..4 {
                    // SAFETY: as above.
                    let value = unsafe { (result.at as *const u64).wrapping_add(i).read() };
                    if i > 0 || value != result.before {
                        self.shared.learn(kind, value);
                    }
                }
            }
        }
    }

    /// Ends the process: the program met something that must not be.
    pub fn fails(&self, what: &str) -> ! {
        let now = self.shared.now.lock().unwrap().get(&self.number).cloned().unwrap_or_default();
        eprintln!("FUZZ: {now}: {what}");
        std::process::exit(3);
    }

    // ---- arguments -------------------------------------------------------------------------------------------------

    /// An argument.
    pub fn make<T: Copy>(&mut self, function: &'static str, name: &'static str, ty: CType) -> T {
        let name = name.trim_start_matches("r#");
        let mut bytes = [0u64; 16];
        let at = bytes.as_mut_ptr() as u64;
        match ty {
            CType::Ptr(to) | CType::ConstPtr(to) => bytes[0] = self.pointer(function, name, *to, ty),
            _ => self.fill(function, name, ty, size_of::<T>(), at, 0),
        }
        if self.text.is_empty() {
            self.first = bytes[0];
        }
        let _ = write!(self.text, "{name}={:#x}, ", bytes[0]);
        assert!(size_of::<T>() <= size_of_val(&bytes));
        // SAFETY: the value has the type `ty` in C, of which every bit pattern made here is one (numbers, handles,
        // enums as numbers, structs of those, addresses of functions of the right type or null).
        unsafe { std::mem::transmute_copy(&bytes) }
    }

    fn block(&mut self) -> u64 {
        self.next_block = (self.next_block + 1) % BLOCKS;
        let at = self.blocks[self.next_block];
        // SAFETY: a block of this thread; what the runtime may still do with it is a copy, of which any content is right.
        unsafe { std::ptr::write_bytes(at as *mut u8, 0, BLOCK_BYTES) };
        at
    }

    fn pointer(&mut self, function: &'static str, name: &str, to: CType, whole: CType) -> u64 {
        if self.random.percent(6) {
            return 0;
        }
        match to {
            CType::Void => self.address(function, name),
            CType::Named("char") => self.text_argument(name, whole),
            CType::Ptr(CType::Void) | CType::ConstPtr(CType::Void) => {
                let at = self.block();
                if self.random.percent(60) {
                    for i in 0..4 {
                        let value = self.address(function, "entry");
                        // SAFETY: inside the block.
                        unsafe { (at as *mut u64).wrapping_add(i).write(value) };
                    }
                }
                self.results.push(Result { kind: "address", at, before: 0 });
                at
            }
            CType::Named(kind @ ("aclDataBuffer" | "aclrtGroupInfo")) => self
                .pick(if kind == "aclDataBuffer" { "aclDataBuffer" } else { "aclrtGroupInfo" })
                .unwrap_or(0),
            // Only inside the function that gets it.
            CType::Named("aclrtExceptionInfo") => 0,
            CType::Named("aclrtStreamConfigHandle") => {
                self.pick("aclrtStreamConfigHandle").unwrap_or_else(|| self.block())
            }
            _ => {
                let at = self.block();
                let filled = self.random.percent(70);
                let bytes = size_in_array(to);
                for i in 0..if filled { 4 } else { 0 } {
                    self.fill(function, name, to, bytes, at + (i * bytes) as u64, 0);
                }
                let kind = match to {
                    CType::Named(n) => is_handle(n).unwrap_or(match n {
                        "aclrtIpcEventHandle" => "ipc event",
                        "uint64_t" => "number",
                        _ => return at,
                    }),
                    _ => return at,
                };
                // SAFETY: inside the block.
                let before = unsafe { (at as *const u64).read() };
                self.results.push(Result { kind, at, before });
                at
            }
        }
    }

    fn text_argument(&mut self, name: &str, whole: CType) -> u64 {
        let at = self.block();
        let keys = self.shared.keys.lock().unwrap().clone();
        let text = match (matches!(whole, CType::ConstPtr(_)), name) {
            (_, "key") if !keys.is_empty() && self.random.percent(70) => {
                keys[self.random.below(keys.len())].to_bytes()
            }
            (true, _) | (_, "pkgName") => self.random.of(TEXTS),
            _ => b"",
        };
        // SAFETY: shorter than a block, and zero behind it.
        unsafe { std::ptr::copy_nonoverlapping(text.as_ptr(), at as *mut u8, text.len()) };
        self.results.push(Result { kind: "text", at, before: 0 });
        at
    }

    fn pick(&mut self, kind: &str) -> Option<u64> {
        let list = self.shared.known.lock().unwrap().get(kind).cloned().unwrap_or_default();
        if list.is_empty() { None } else { Some(self.random.of(&list)) }
    }

    fn address(&mut self, function: &str, name: &str) -> u64 {
        if matches!(name, "userData" | "userdata" | "reserve" | "rsv") {
            return if self.random.percent(50) { 0 } else { self.block() };
        }
        let is_module = function == "aclrtBinaryLoadFromData" && name == "data";
        if is_module && self.random.percent(50) {
            return crate::support::module() as u64;
        }
        if function == "aclrtFunctionGetParamCount"
            || function == "aclrtFunctionGetParamInfo"
            || name == "func"
        {
            return self.handle("aclrtFuncHandle");
        }
        let checked = CHECKED_ADDRESSES.contains(&name);
        if checked && self.random.percent(8) {
            return self.random.of(&[0x10, 0x1234_5678_0000, u64::MAX, 1 << 63, 0x7fff_ffff_f000]);
        }
        // Argument arrays are read on the host.
        let is_host = name == "entry" && function.contains("ArgsArray") || name == "hostArgs";
        let places: &[&str] = match () {
            () if is_host => &["block"],
            () if name == "symbol" => &["block"],
            () if checked || name == "entry" => &["device", "device", "device+", "host", "block"],
            // Memory of the program by contract, as long as it says: a block of the runtime may be shorter.
            () => &["block"],
        };
        match self.random.of(places) {
            "device" => self.pick("device").unwrap_or_else(|| self.block()),
            "device+" => {
                self.pick("device").map_or(0, |at| at.wrapping_add(self.random.of(&[1, 8, 64, 512, 4096])))
            }
            "host" => self.pick("host").unwrap_or_else(|| self.block()),
            _ => self.block(),
        }
    }

    fn handle(&mut self, kind: &'static str) -> u64 {
        // The program's own memory, which the handle is made in.
        if kind == "aclrtArgsHandle" && self.function == "aclrtKernelArgsInitByUserMem" {
            let at = self.block();
            self.shared.learn(kind, at);
            return at;
        }
        match self.random.below(100) {
            0..6 => 0,
            6..10 => {
                self.random.of(&[0x10, 0x1234_5678, u64::MAX, 0x7472_0200_0000_0010, 0x7472_0300_0000_0ff0])
            }
            10..14 => {
                let other = self.random.of(&[
                    "aclrtStream",
                    "aclrtEvent",
                    "aclrtContext",
                    "aclrtFuncHandle",
                    "device",
                ]);
                self.pick(other).unwrap_or(0)
            }
            _ => self.pick(kind).unwrap_or(0),
        }
    }

    /// Writes a value of type `ty` to `at`.
    fn fill(&mut self, function: &'static str, name: &str, ty: CType, bytes: usize, at: u64, depth: u32) {
        let value = match ty {
            CType::Void => return,
            CType::Ptr(CType::Void) | CType::ConstPtr(CType::Void) => self.address(function, name),
            CType::Ptr(to) | CType::ConstPtr(to) => {
                // Inside a struct: null, or an array that is all zero, or filled once more.
                if self.random.percent(40) || depth > 1 {
                    0
                } else {
                    let inner = self.block();
                    let size = size_in_array(*to);
                    for i in 0..4 {
                        self.fill(function, name, *to, size, inner + (i * size) as u64, depth + 1);
                    }
                    inner
                }
            }
            CType::Array(of, count) => {
                let size = bytes / count.max(1);
                for i in 0..count.min(4) {
                    self.fill(function, name, *of, size, at + (i * size) as u64, depth);
                }
                return;
            }
            CType::Named("float") => u64::from((self.random.of(&[0.0f32, 1.5, -3e38, f32::NAN])).to_bits()),
            CType::Named("double") => self.random.of(&[0.0f64, 1.5, -3e300, f64::NAN]).to_bits(),
            CType::Named("char") => return,
            CType::Named(n) if integer_bytes(n).is_some() => self.number(function, name, n),
            CType::Named("aclrtIpcEventHandle") => {
                let known = self.shared.ipc_events.lock().unwrap().clone();
                if !known.is_empty() && self.random.percent(80) {
                    let bytes = known[self.random.below(known.len())];
                    // SAFETY: the caller gives room for a value of the type.
                    unsafe { (at as *mut [u8; 64]).write(bytes) };
                }
                return;
            }
            CType::Named(n) => {
                if let Some(kind) = is_handle(n) {
                    self.handle(kind)
                } else if let Some(layout) = struct_layout(n) {
                    return self.fill_struct(function, layout, at, depth);
                } else if let Some(names) = enum_values(n) {
                    if self.random.percent(5) {
                        self.random.of(&[u64::MAX, 1000, 1 << 31])
                    } else {
                        self.random.of(&names) as u64
                    }
                } else if bytes == 8 {
                    self.function(n)
                } else {
                    self.number(function, name, n)
                }
            }
        };
        let value = value.to_le_bytes();
        // SAFETY: the caller gives room for `bytes` bytes.
        unsafe { std::ptr::copy_nonoverlapping(value.as_ptr(), at as *mut u8, bytes.min(8)) };
    }

    fn fill_struct(&mut self, function: &'static str, layout: &StructLayout, at: u64, depth: u32) {
        if layout.is_union {
            // One field of the union; not one that would make a pointer out of a number.
            let field = &layout.fields[self.random.below(layout.fields.len())];
            return self.fill(function, field.name, field.ty, field.size_bytes, at, depth);
        }
        for field in layout.fields {
            if field.name.starts_with("rsv") || field.name.starts_with("reserve") {
                continue;
            }
            self.fill(
                function,
                field.name,
                field.ty,
                field.size_bytes,
                at + field.offset_bytes as u64,
                depth,
            );
        }
    }

    /// A function of the program's, or null.
    fn function(&mut self, ty: &str) -> u64 {
        if self.random.percent(8) {
            return 0;
        }
        match ty {
            "aclrtCallback" | "aclrtHostFunc" | "aclFinalizeCallbackFunc" => nothing as *const () as u64,
            "aclrtExceptionInfoCallback" | "aclrtOpExceptionCallback" => asks_what_failed as *const () as u64,
            "aclrtAllocatorAllocFunc"
            | "aclrtAllocatorAllocAdviseFunc"
            | "aclrtAllocatorGetAddrFromBlockFunc" => gives_nothing as *const () as u64,
            _ => nothing as *const () as u64,
        }
    }

    fn number(&mut self, function: &str, name: &str, ty: &str) -> u64 {
        let lower = name.to_ascii_lowercase();
        if lower.contains("timeout") {
            return self.random.of(&[0, 1, 1, 1, 5, 20, u64::MAX - 6]);
        }
        if lower.contains("threadid") {
            return if self.random.percent(80) { thread_id() } else { self.random.of(&[0, 1, u64::MAX]) };
        }
        if lower.contains("device") || lower.contains("devid") || name == "id" {
            return self.random.of(&[0, 0, 0, 0, 1, 1, 7, u64::MAX, 1 << 31]);
        }
        if name == "pid" {
            return u64::from(std::process::id());
        }
        if name == "shareableHandle" {
            return self.pick("shareable").unwrap_or(0);
        }
        // The room behind a pointer, or what is to be read there.
        if matches!(name, "len" | "maxLen" | "dataSize" | "dataSizes" | "valueSize" | "infoSize") {
            return self.random.of(&[0, 1, 2, 16, 64, 65, 256, 4096]);
        }
        if lower.contains("flag") || lower.contains("mode") || lower.contains("switch") {
            return self.random.of(&[0, 0, 0, 1, 2, 4, 8, 3, 1 << 20, u64::MAX]);
        }
        if name == "height" || name == "N" {
            return self.random.of(&[0, 1, 2, 16, 1 << 40, 1 << 63]);
        }
        let is_count =
            lower.starts_with("num") || lower.ends_with("num") || name == "count" && ty == "uint32_t";
        let is_list = function.contains("Check") || function.contains("Atomic") || lower.contains("array");
        if is_count || is_list || lower.contains("index") {
            let wide = ty == "size_t";
            return if wide && self.random.percent(5) {
                1 << 63
            } else {
                self.random.of(&[0, 1, 1, 2, 3, 4, 60])
            };
        }
        let makes_memory =
            ["Malloc", "Reserve", "Physical", "MapMem", "MemMap", "SetAccess", "Managed", "Pool"];
        if makes_memory.iter().any(|part| function.contains(part)) {
            return self.random.of(&[0, 1, 64, 4096, 2 << 20, 2 << 20, 4 << 20, 1 << 40, 1 << 63, u64::MAX]);
        }
        if lower.contains("pitch") || name == "width" {
            return self.random.of(&[0, 1, 8, 64, 512, 512, 1 << 40, 1 << 63]);
        }
        if self.random.percent(6) {
            return self.random.of(&[1 << 31, 1 << 32, 1 << 40, 1 << 63, u64::MAX, u64::MAX - 511]);
        }
        self.random.of(&[0, 1, 2, 3, 4, 7, 8, 16, 63, 64, 100, 512, 4096])
    }
}

/// Functions after which a stream may wait for something that nobody does.
pub const WAITS: &[&str] = &[
    "aclrtStreamWaitEvent",
    "aclrtStreamWaitEventWithTimeout",
    "aclrtStreamWaitEventWithFlag",
    "aclrtWaitAndResetNotify",
    "aclrtCntNotifyWaitWithTimeout",
    "aclrtValueWait",
    "aclrtLaunchCallback",
    "aclrtLaunchHostFunc",
    "aclrtSubscribeHostFunc",
    "aclrtCmoWaitBarrier",
    "aclrtActiveStream",
    "aclrtSwitchStream",
    "aclrtSwitchLabelByIndex",
    "aclmdlRIExecute",
    "aclmdlRIExecuteAsync",
    "aclmdlRIAddCondTask",
];

fn enum_values(name: &str) -> Option<Vec<i64>> {
    let found = BASE_ENUMS.iter().chain(RT_ENUMS).find(|e| e.name == name)?;
    Some(found.values.iter().map(|v| v.value).collect())
}

fn size_in_array(ty: CType) -> usize {
    match ty {
        CType::Void => 1,
        CType::Ptr(_) | CType::ConstPtr(_) => 8,
        CType::Array(of, count) => count * size_in_array(*of),
        CType::Named(n) => integer_bytes(n)
            .or(struct_layout(n).map(|s| s.size_bytes))
            .or(is_handle(n).map(|_| 8))
            .or(enum_values(n).map(|_| 4))
            .unwrap_or(if n == "float" { 4 } else { 8 }),
    }
}

pub fn thread_id() -> u64 {
    // SAFETY: takes nothing.
    unsafe { libc::pthread_self() }
}

unsafe extern "C" fn nothing() -> u32 {
    std::thread::yield_now();
    0
}

unsafe extern "C" fn gives_nothing() -> *mut c_void {
    std::ptr::null_mut()
}

/// A fault hook that asks everything there is to ask.
unsafe extern "C" fn asks_what_failed(info: *mut ExceptionInfo) {
    let info: *const ExceptionInfo = info;
    acl!(aclrtGetTaskIdFromExceptionInfo(info));
    acl!(aclrtGetStreamIdFromExceptionInfo(info));
    acl!(aclrtGetThreadIdFromExceptionInfo(info));
    acl!(aclrtGetDeviceIdFromExceptionInfo(info));
    acl!(aclrtGetErrorCodeFromExceptionInfo(info));
    let (mut args, mut bytes, mut function) = (std::ptr::null_mut(), 0, FuncHandle::NULL);
    let _ = acl!(aclrtGetArgsFromExceptionInfo(info, &raw mut args, &raw mut bytes));
    let _ = acl!(aclrtGetFuncHandleFromExceptionInfo(info, &raw mut function));
}
