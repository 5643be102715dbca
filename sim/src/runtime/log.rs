//! The log of a program (`aclAppLog`), and the environment variables of logging.
//!
//! | variable | meaning |
//! |---|---|
//! | `ASCEND_GLOBAL_LOG_LEVEL` | 0 debug, 1 info, 2 warning, 3 error (default), 4 nothing: lines below it are dropped |
//! | `ASCEND_SLOG_PRINT_TO_STDOUT`, `ASCEND_LOG_PRINT_TO_STDOUT` | 1: lines go to standard output, not to a file |
//! | `ASCEND_PROCESS_LOG_PATH` | folder of the log |
//! | `ASCEND_WORK_PATH` | its `log` is the folder if that one is not set; else `$HOME/ascend/log` |
//!
//! The file is `debug/plog/plog-<pid>_<time>.log` in that folder, made with the first line, readable by its owner only.
//! What the runtime itself has to say is not in there: messages go to `aclGetRecentErrMsg`, findings to standard error.

use parking_lot::Mutex;
use std::fs::{DirBuilder, File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::{SystemTime, UNIX_EPOCH};

/// Names of `aclLogLevel`.
const LEVELS: [&str; 4] = ["DEBUG", "INFO", "WARNING", "ERROR"];
const DEFAULT_LEVEL: i32 = 3;
/// Level at which nothing is kept.
const SILENT: i32 = 4;

/// Where lines go.
#[derive(Debug, PartialEq, Eq)]
enum Target {
    Screen,
    Folder(PathBuf),
}

#[derive(Debug, PartialEq, Eq)]
struct Settings {
    level: i32,
    target: Target,
}

impl Settings {
    fn read(var: impl Fn(&str) -> Option<String>) -> Settings {
        let set = |name: &str| var(name).filter(|value| !value.is_empty());
        let level = set("ASCEND_GLOBAL_LOG_LEVEL").and_then(|text| text.trim().parse().ok());
        let on_screen = ["ASCEND_SLOG_PRINT_TO_STDOUT", "ASCEND_LOG_PRINT_TO_STDOUT"]
            .iter()
            .any(|name| set(name).is_some_and(|value| value.trim() == "1"));
        let folder = set("ASCEND_PROCESS_LOG_PATH")
            .map(PathBuf::from)
            .or_else(|| set("ASCEND_WORK_PATH").map(|path| PathBuf::from(path).join("log")))
            .or_else(|| set("HOME").map(|path| PathBuf::from(path).join("ascend/log")));
        Settings {
            level: level.filter(|level| (0..=SILENT).contains(level)).unwrap_or(DEFAULT_LEVEL),
            target: match (on_screen, folder) {
                (false, Some(folder)) => Target::Folder(folder),
                _ => Target::Screen,
            },
        }
    }
}

static SETTINGS: LazyLock<Settings> = LazyLock::new(|| Settings::read(|name| std::env::var(name).ok()));
static FILE: Mutex<Option<File>> = Mutex::new(None);

/// Keeps a line of the program: level 0 (debug) to 3 (error), where it comes from, what it says.
pub fn app_log(level: i32, func: &str, file: &str, line: u32, message: &str) {
    let settings = &*SETTINGS;
    let Some(name) = usize::try_from(level).ok().and_then(|level| LEVELS.get(level)) else { return };
    if level < settings.level {
        return;
    }
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let text = format!(
        "[{name}] APP({},{}):{}.{:06} [{file}:{line}]{} {func}: {message}\n",
        std::process::id(),
        program(),
        now.as_secs(),
        now.subsec_micros(),
        thread_id(),
    );
    write(&settings.target, now.as_millis(), text.as_bytes());
}

fn write(target: &Target, now: u128, text: &[u8]) {
    // A log that cannot be written is not the program's failure.
    let Target::Folder(folder) = target else {
        let _ = std::io::stdout().lock().write_all(text);
        return;
    };
    let mut file = FILE.lock();
    if file.is_none() {
        *file = create(folder, now).ok();
    }
    if let Some(file) = file.as_mut() {
        let _ = file.write_all(text);
    }
}

fn create(folder: &std::path::Path, now: u128) -> std::io::Result<File> {
    let folder = folder.join("debug/plog");
    DirBuilder::new().recursive(true).mode(0o700).create(&folder)?;
    let path = folder.join(format!("plog-{}_{now}.log", std::process::id()));
    OpenOptions::new().append(true).create_new(true).mode(0o600).open(path)
}

fn program() -> String {
    let path = std::env::current_exe().unwrap_or_default();
    path.file_name().map_or_else(|| "?".into(), |name| name.to_string_lossy().into_owned())
}

fn thread_id() -> u64 {
    let link = std::fs::read_link("/proc/thread-self").ok();
    link.and_then(|path| path.file_name()?.to_str()?.parse().ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(pairs: &[(&str, &str)]) -> Settings {
        Settings::read(|name| pairs.iter().find(|p| p.0 == name).map(|p| p.1.to_string()))
    }

    #[test]
    fn rule_71_variables_choose_level_and_place() {
        let folder = |path: &str| Target::Folder(PathBuf::from(path));
        assert_eq!(settings(&[("HOME", "/h")]), Settings { level: 3, target: folder("/h/ascend/log") });
        assert_eq!(settings(&[("HOME", "/h"), ("ASCEND_WORK_PATH", "/w")]).target, folder("/w/log"));
        let all = [("HOME", "/h"), ("ASCEND_WORK_PATH", "/w"), ("ASCEND_PROCESS_LOG_PATH", "/p")];
        assert_eq!(settings(&all).target, folder("/p"));
        for name in ["ASCEND_SLOG_PRINT_TO_STDOUT", "ASCEND_LOG_PRINT_TO_STDOUT"] {
            assert_eq!(settings(&[("HOME", "/h"), (name, "1")]).target, Target::Screen);
            assert_eq!(settings(&[("HOME", "/h"), (name, "0")]).target, folder("/h/ascend/log"));
        }
        for (text, level) in [("0", 0), ("1", 1), ("4", 4), ("5", 3), ("x", 3), ("", 3)] {
            assert_eq!(settings(&[("ASCEND_GLOBAL_LOG_LEVEL", text)]).level, level, "{text}");
        }
    }
}
