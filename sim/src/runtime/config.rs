//! What the environment and the `aclInit` file say.
//!
//! | variable | meaning |
//! |---|---|
//! | `TOPROPE_SOC` | chip to embed, default `Ascend910B1` |
//! | `TOPROPE_DEVICES` | number of devices, 1 to 64, default 1 |
//! | `ASCEND_RT_VISIBLE_DEVICES` | which of them the process sees, renumbered from 0 (vendor variable) |
//! | `TOPROPE_TIME_LIMIT` | wall-clock limit of a launch: seconds, or with a unit (`500ms`, `2s`); `0`: none; default 1091 s |
//! | `TOPROPE_GM_ALIGN` | alignment of device memory, 64 to 512, default 512 |
//! | `TOPROPE_PAGEABLE_COPY` | asynchronous copies of pageable memory: `wait` (default, as CANN 9) for the stream and copy before the call returns; `queue` them like pinned memory, as older versions did |
//! | `TOPROPE_CHECK` | `off`: only what would damage memory is checked; default `on` |
//! | `TOPROPE_AUTO_SYNC` | `on` (default, as the public compiler): it inserts order inside pipe V and around scalar accesses; `off` |
//! | `TOPROPE_COVERAGE` | `on`: report bytes of output arguments that nobody wrote or several cores wrote |
//! | `TOPROPE_HINTS` | `on`: point out synchronisation that orders nothing |
//! | `TOPROPE_STRICT_BOUNDS` | `on`: room that an allocator adds behind a block does not count |
//! | `TOPROPE_SEED` | a number: choose another legal order of execution in kernels and between streams; unset: program order |
//! | `TOPROPE_REPORT` | file that gets a JSON report when the process ends |
//! | `TOPROPE_RT_SLACK` | `0`: `rtMalloc` gives no room behind a block, so that writes there are found |
//! | `TOPROPE_MAX_FINDINGS` | findings printed in full, default 20; five times as many follow in a line each |
//! | `TOPROPE_QUIET` | if set and not `0`: findings are not printed |

use super::failure::{Answer, Failure, refuse, set_messages_per_process};
use super::limits;
use crate::npu::CheckOptions;
use crate::npu::sticky::EntryState;
use serde_json::Value;
use std::path::PathBuf;
use std::time::Duration;
use toprope_abi::acl::{AclError, DeviceLimit};

/// Documented default time limit of a kernel on Atlas A2.
pub const DEFAULT_TIME_LIMIT: Duration = Duration::from_secs(1091);
/// Deepest nesting of the `aclInit` file.
const MAX_NESTING: usize = 10;
/// Largest `aclInit` file.
const MAX_FILE_BYTES: u64 = 10 << 20;

/// The environment, read once.
#[derive(Clone, Debug)]
pub struct Environment {
    /// Physical ids of the visible devices, or why there are none.
    pub visible: Answer<Vec<u32>>,
    /// Time limit of a launch; `None`: no limit.
    pub time_limit: Option<Duration>,
    /// Alignment of device memory.
    pub align_bytes: u64,
    /// Asynchronous copies of pageable memory are queued instead of done by the call.
    pub queues_pageable_copies: bool,
    /// What is checked of kernels.
    pub checks: CheckOptions,
    /// Chooses another legal order of execution.
    pub seed: Option<u64>,
    /// Where the report goes.
    pub report: Option<PathBuf>,
    /// Findings are not printed.
    pub quiet: bool,
    /// Findings printed in full.
    pub max_findings: usize,
    /// What was wrong with the environment, one line each.
    pub complaints: Vec<String>,
}

/// See `TOPROPE_MAX_FINDINGS`.
const DEFAULT_MAX_FINDINGS: usize = 20;

impl Environment {
    /// Reads it through `var`.
    pub fn read(var: impl Fn(&str) -> Option<String>) -> Environment {
        let mut complaints = Vec::new();
        let mut take = |name: &str, parse: &dyn Fn(&str) -> Result<u64, String>| -> Option<u64> {
            let text = var(name).filter(|t| !t.is_empty())?;
            match parse(&text) {
                Ok(value) => Some(value),
                Err(wanted) => {
                    complaints.push(format!("{name} is `{text}`, but must be {wanted}; it is ignored"));
                    None
                }
            }
        };
        let count = take("TOPROPE_DEVICES", &|t| in_range(t, 1, 64)).unwrap_or(1) as u32;
        let limit = take("TOPROPE_TIME_LIMIT", &|t| parse_nanoseconds(t));
        let align_bytes = take("TOPROPE_GM_ALIGN", &|t| {
            in_range(t, 64, 512)
                .ok()
                .filter(|a| a.is_power_of_two())
                .ok_or_else(|| "64, 128, 256 or 512".into())
        });
        let pageable = take("TOPROPE_PAGEABLE_COPY", &|t| match t.trim() {
            "wait" => Ok(0),
            "queue" => Ok(1),
            _ => Err("`wait` or `queue`".into()),
        });
        let entry_state = take("TOPROPE_ENTRY_STATE", &|t| match t.trim() {
            "clean" => Ok(0),
            "random" => Ok(1),
            seed => seed
                .strip_prefix("random:")
                .and_then(|s| s.parse::<u32>().ok())
                .map(|s| u64::from(s) + 1)
                .ok_or_else(|| "`clean`, `random` or `random:SEED`".into()),
        });
        let max_findings = take("TOPROPE_MAX_FINDINGS", &|t| in_range(t, 0, 1_000_000));
        let seed = take("TOPROPE_SEED", &|t| t.trim().parse().map_err(|_| "a number".into()));
        let mut switch = |name: &str, default: bool| {
            let choice = take(name, &|t| match t.trim() {
                "on" | "1" => Ok(1),
                "off" | "0" => Ok(0),
                _ => Err("`on` or `off`".into()),
            });
            choice.map_or(default, |c| c == 1)
        };
        let default = CheckOptions::default();
        let checks = CheckOptions {
            on: switch("TOPROPE_CHECK", default.on),
            auto_sync: switch("TOPROPE_AUTO_SYNC", default.auto_sync),
            coverage: switch("TOPROPE_COVERAGE", default.coverage),
            hints: switch("TOPROPE_HINTS", default.hints),
            strict_bounds: switch("TOPROPE_STRICT_BOUNDS", default.strict_bounds),
            entry_state: match entry_state {
                None | Some(0) => EntryState::Clean,
                Some(seed) => EntryState::Random(seed),
            },
        };
        Environment {
            checks,
            seed,
            queues_pageable_copies: pageable == Some(1),
            visible: visible_devices(var("ASCEND_RT_VISIBLE_DEVICES").as_deref(), count),
            time_limit: match limit {
                None => Some(DEFAULT_TIME_LIMIT),
                Some(0) => None,
                Some(nanoseconds) => Some(Duration::from_nanos(nanoseconds)),
            },
            align_bytes: align_bytes.unwrap_or(crate::gm::GM_ALIGN_BYTES),
            report: var("TOPROPE_REPORT").filter(|t| !t.is_empty()).map(PathBuf::from),
            max_findings: max_findings.map_or(DEFAULT_MAX_FINDINGS, |n| n as usize),
            quiet: var("TOPROPE_QUIET").is_some_and(|t| !t.is_empty() && t != "0"),
            complaints,
        }
    }
}

fn in_range(text: &str, from: u64, to: u64) -> Result<u64, String> {
    let number = text.trim().parse::<u64>().ok().filter(|n| (from..=to).contains(n));
    number.ok_or_else(|| format!("a number from {from} to {to}"))
}

fn parse_nanoseconds(text: &str) -> Result<u64, String> {
    const UNITS: [(&str, f64); 4] = [("ms", 1e6), ("us", 1e3), ("min", 60e9), ("s", 1e9)];
    let text = text.trim();
    let found = UNITS.iter().find_map(|(unit, factor)| text.strip_suffix(unit).map(|rest| (rest, *factor)));
    let (number, factor) = found.unwrap_or((text, 1e9));
    let value = number.trim().parse::<f64>().ok().filter(|v| v.is_finite() && *v >= 0.0 && *v < 1e9);
    value
        .map(|v| (v * factor) as u64)
        .ok_or_else(|| "a time such as `10`, `2.5s` or `500ms` (0: no limit)".into())
}

/// Applies the vendor's rule: comma list, ascending, no duplicates; parsing stops at the first bad character or id.
fn visible_devices(list: Option<&str>, count: u32) -> Answer<Vec<u32>> {
    let Some(list) = list else { return Ok((0..count).collect()) };
    let mut visible: Vec<u32> = Vec::new();
    for item in list.split(',') {
        let Some(id) = item.trim().parse::<u32>().ok().filter(|id| *id < count) else { break };
        if visible.last().is_some_and(|last| *last >= id) {
            return refuse(
                AclError::RT_NO_DEVICE,
                format!("ASCEND_RT_VISIBLE_DEVICES is `{list}`, but the ids must ascend without duplicates"),
            );
        }
        visible.push(id);
    }
    if visible.is_empty() {
        let text = format!("ASCEND_RT_VISIBLE_DEVICES is `{list}`, which names none of the {count} devices");
        return Err(Failure::new(AclError::RT_NO_DEVICE, text).help(format!(
            "list ids from 0 to {}, or unset the variable; TOPROPE_DEVICES sets the number of devices",
            count - 1
        )));
    }
    Ok(visible)
}

/// What the `aclInit` file sets.
#[derive(Clone, Debug, Default)]
pub struct InitFile {
    /// The whole text; hooks of `aclInit` get it.
    pub text: String,
    /// Stack of a kernel on an AI Core, bytes; kernels here run on stacks that are larger than any of these.
    pub aicore_stack_bytes: Option<i64>,
    /// Device that threads without a selection use.
    pub default_device: Option<i32>,
}

/// Files are equal if they mean the same.
impl PartialEq for InitFile {
    fn eq(&self, other: &InitFile) -> bool {
        let InitFile { text: _, aicore_stack_bytes, default_device } = self;
        (aicore_stack_bytes, default_device) == (&other.aicore_stack_bytes, &other.default_device)
    }
}

/// Reads and checks an `aclInit` file.
///
/// # Errors
/// 100003 cannot be read, 100005 too large, 100006 not JSON or nested too deep, 500001 a value is out of range.
pub fn read_init_file(path: &str) -> Answer<InitFile> {
    let meta = std::fs::metadata(path);
    let meta =
        meta.map_err(|e| Failure::new(AclError::INVALID_FILE, format!("configuration file `{path}`: {e}")))?;
    if !meta.is_file() {
        return refuse(AclError::INVALID_FILE, format!("configuration file `{path}` is not a regular file"));
    }
    if meta.len() > MAX_FILE_BYTES {
        let text = format!(
            "configuration file `{path}` has {} bytes, at most {MAX_FILE_BYTES} are read",
            meta.len()
        );
        return refuse(AclError::INVALID_FILE_SIZE, text);
    }
    let text = std::fs::read_to_string(path);
    let text =
        text.map_err(|e| Failure::new(AclError::INVALID_FILE, format!("configuration file `{path}`: {e}")))?;
    parse_init_file(&text).map_err(|mut failure| {
        failure.text = format!("configuration file `{path}`: {}", failure.text);
        failure
    })
}

fn parse_init_file(text: &str) -> Answer<InitFile> {
    let nesting = nesting(text);
    if nesting > MAX_NESTING {
        let text = format!("brackets are nested {nesting} deep, at most {MAX_NESTING} are allowed");
        return refuse(AclError::PARSE_FILE, text);
    }
    let json: Value = serde_json::from_str(text)
        .map_err(|e| Failure::new(AclError::PARSE_FILE, format!("not valid JSON: {e}")))?;
    if !json.is_object() {
        return refuse(AclError::PARSE_FILE, "the file does not hold a JSON object");
    }
    let mut file = InitFile { text: text.to_string(), ..InitFile::default() };
    check_dump(&json)?;
    for (section, key, check) in CHECKS {
        let value =
            if section.is_empty() { json.get(key) } else { json.get(section).and_then(|s| s.get(key)) };
        let Some(value) = value else { continue };
        let whole = if section.is_empty() { (*key).to_string() } else { format!("{section}.{key}") };
        let Some(number) = number_of(value) else {
            return refuse(AclError::FAILURE, format!("{whole} is {value}, but must be {}", check.wanted));
        };
        if !(check.accepts)(number) {
            return refuse(AclError::FAILURE, format!("{whole} is {number}, but must be {}", check.wanted));
        }
        if *key == "default_device" {
            file.default_device = i32::try_from(number).ok();
        }
        if *key == "aicore_stack_size" {
            file.aicore_stack_bytes = Some(stack_bytes(number));
        }
        if let Some((_, limit)) = LIMITS.iter().find(|row| row.0 == *key) {
            limits::set_size(*limit, number.unsigned_abs())?;
        }
        if *key == "err_msg_mode" {
            set_messages_per_process(number == 1);
        }
    }
    Ok(file)
}

/// Keys that set what `aclrtDeviceSetLimit` sets too; the later one counts.
const LIMITS: [(&str, DeviceLimit); 2] = [
    ("aicore_stack_size", DeviceLimit::SIMD_STACK_SIZE),
    ("simd_printf_fifo_size_per_core", DeviceLimit::SIMD_PRINTF_FIFO_SIZE_PER_CORE),
];

struct Check {
    wanted: &'static str,
    accepts: fn(i64) -> bool,
}

const DEFAULT_STACK_BYTES: i64 = 32 << 10;
/// Documented for Atlas A2.
const MAX_STACK_BYTES: i64 = 192 << 10;

/// Documented: at least the default, rounded up to 16 KB.
fn stack_bytes(asked: i64) -> i64 {
    (asked.max(DEFAULT_STACK_BYTES) as u64).next_multiple_of(16 << 10) as i64
}

/// Keys of the `dump` section that take words, with their words.
const DUMP_WORDS: &[(&str, &[&str])] = &[
    ("dump_mode", &["input", "output", "all"]),
    ("dump_op_switch", &["on", "off"]),
    ("dump_data", &["tensor", "stats"]),
    ("dump_debug", &["on", "off"]),
    ("dump_kernel_data", &["all", "printf", "tensor", "assert", "timestamp"]),
    (
        "dump_scene",
        &["aic_err_brief_dump", "aic_err_norm_dump", "aic_err_detail_dump", "lite_exception", "watcher"],
    ),
];

/// Checks the `dump` section. Nothing is dumped: that is the work of a library which is not part of the runtime.
///
/// # Errors
/// 100009 with the key that is wrong.
fn check_dump(json: &Value) -> Answer {
    let Some(dump) = json.get("dump") else { return Ok(()) };
    let bad = |text: String| refuse(AclError::INVALID_DUMP_CONFIG, text);
    let Some(section) = dump.as_object() else {
        return bad(format!("dump is {dump}, but must be an object"));
    };
    for (key, words) in DUMP_WORDS {
        let Some(value) = section.get(*key) else { continue };
        // Several words may stand in one text, separated by commas.
        let known =
            value.as_str().is_some_and(|text| text.split(',').all(|word| words.contains(&word.trim())));
        if !known {
            return bad(format!("dump.{key} is {value}, but must be one of {}", words.join(", ")));
        }
    }
    let is_on = |key: &str| section.get(key).and_then(Value::as_str) == Some("on");
    if is_on("dump_debug") && section.get("dump_path").is_none() {
        return bad("dump.dump_debug is on, but dump.dump_path is missing".into());
    }
    if is_on("dump_debug") && section.contains_key("dump_list") {
        return bad(
            "dump.dump_debug (overflow) and dump.dump_list (models or operators) exclude each other".into()
        );
    }
    Ok(())
}

/// Section, key and range of every number that is checked; other keys are left alone.
const CHECKS: &[(&str, &str, Check)] = &[
    ("", "err_msg_mode", Check { wanted: "0 or 1", accepts: |n| n == 0 || n == 1 }),
    ("", "max_opqueue_num", Check { wanted: "a positive number", accepts: |n| n > 0 }),
    (
        "defaultDevice",
        "default_device",
        Check { wanted: "a device id", accepts: |n| (0..1 << 20).contains(&n) },
    ),
    (
        "StackSize",
        "aicore_stack_size",
        Check { wanted: "a size up to 196608", accepts: |n| (0..=MAX_STACK_BYTES).contains(&n) },
    ),
    (
        "",
        "simd_printf_fifo_size_per_core",
        Check { wanted: "a size from 1024 to 67108864", accepts: |n| (1024..=64 << 20).contains(&n) },
    ),
    (
        "",
        "simt_printf_fifo_size",
        Check { wanted: "a size from 1048576 to 67108864", accepts: |n| (1 << 20..=64 << 20).contains(&n) },
    ),
];

/// Numbers may stand as numbers or as text.
fn number_of(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| value.as_str().and_then(|t| t.trim().parse().ok()))
}

/// Deepest nesting of braces and brackets outside strings.
fn nesting(text: &str) -> usize {
    let (mut depth, mut deepest, mut in_string, mut escaped) = (0usize, 0usize, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(pairs: &[(&str, &str)]) -> Environment {
        Environment::read(|name| pairs.iter().find(|p| p.0 == name).map(|p| p.1.to_string()))
    }

    #[test]
    fn visible_devices_follow_the_vendor_rule() {
        let visible = |list: &str| {
            environment(&[("TOPROPE_DEVICES", "4"), ("ASCEND_RT_VISIBLE_DEVICES", list)]).visible
        };
        assert_eq!(visible("0,2").unwrap(), [0, 2]);
        assert_eq!(visible("1,x,2").unwrap(), [1]);
        assert_eq!(visible("1,9").unwrap(), [1]);
        for bad in ["2,1", "1,1", "", "7"] {
            assert_eq!(visible(bad).unwrap_err().code, AclError::RT_NO_DEVICE, "{bad}");
        }
        assert_eq!(environment(&[]).visible.unwrap(), [0]);
    }

    #[test]
    fn time_limits_have_units() {
        let limit = |text: &str| environment(&[("TOPROPE_TIME_LIMIT", text)]);
        assert_eq!(limit("2").time_limit, Some(Duration::from_secs(2)));
        assert_eq!(limit("500ms").time_limit, Some(Duration::from_millis(500)));
        assert_eq!(limit("1.5s").time_limit, Some(Duration::from_millis(1500)));
        assert_eq!(limit("0").time_limit, None);
        assert_eq!(limit("soon").time_limit, Some(DEFAULT_TIME_LIMIT));
        assert!(
            limit("soon").complaints[0].contains("TOPROPE_TIME_LIMIT is `soon`, but must be a time such as")
        );
    }

    #[test]
    fn rule_05_keys_are_checked() {
        assert_eq!(parse_init_file("{}").unwrap(), InitFile { text: "{}".into(), ..InitFile::default() });
        let file =
            parse_init_file(r#"{"defaultDevice": {"default_device": "0"}, "dump": {"dump_path": "x"}}"#)
                .unwrap();
        assert_eq!(file.default_device, Some(0));
        for bad in [
            r#"{"StackSize": {"aicore_stack_size": 196609}}"#,
            r#"{"simd_printf_fifo_size_per_core": 100}"#,
            r#"{"err_msg_mode": "2"}"#,
            r#"{"max_opqueue_num": "many"}"#,
        ] {
            assert_eq!(parse_init_file(bad).unwrap_err().code, AclError::FAILURE, "{bad}");
        }
        assert_eq!(parse_init_file("{").unwrap_err().code, AclError::PARSE_FILE);
        let stack = |bytes: &str| {
            let text = format!(r#"{{"StackSize": {{"aicore_stack_size": {bytes}}}}}"#);
            parse_init_file(&text).unwrap().aicore_stack_bytes
        };
        assert_eq!(
            [stack("1"), stack("32768"), stack("40000"), stack("196608")].map(Option::unwrap),
            [32 << 10, 32 << 10, 48 << 10, 192 << 10]
        );
        for bad in [
            r#"{"dump": 1}"#,
            r#"{"dump": {"dump_mode": "some"}}"#,
            r#"{"dump": {"dump_debug": "on"}}"#,
            r#"{"dump": {"dump_debug": "on", "dump_path": "x", "dump_list": [{}]}}"#,
        ] {
            assert_eq!(parse_init_file(bad).unwrap_err().code, AclError::INVALID_DUMP_CONFIG, "{bad}");
        }
        let deep = format!("{{\"a\": {}{}}}", "[".repeat(10), "]".repeat(10));
        assert!(parse_init_file(&deep).unwrap_err().text.contains("nested 11 deep"));
    }
}
