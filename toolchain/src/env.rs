//! `toprope env`: the environment in which programs made for CANN build and run.
//!
//! `eval "$(toprope env)"` works in sh, bash, dash and zsh, and may be repeated: a folder is put first in its list once.

use std::path::Path;

use serde_json::{Value, json};

use crate::cc::kernel_linker;
use crate::compile::cache;
use crate::error::Result;
use crate::prefix::layout;

/// Variables that name the prefix itself.
const HOMES: [&str; 3] = ["ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME", "ASCEND_INSTALL_PATH"];

/// Variables that are lists of folders, and the folder of the prefix that is put first in each.
const LISTS: [(&str, &str); 6] = [
    ("PATH", "bin"),
    ("LD_LIBRARY_PATH", "lib64"),
    ("LIBRARY_PATH", "search/lib"),
    ("C_INCLUDE_PATH", "search/include"),
    ("CPLUS_INCLUDE_PATH", "search/include"),
    ("CMAKE_PREFIX_PATH", ""),
];

/// Programs that pyasc starts, by the variable that names them.
const PYASC_PROGRAMS: [(&str, &str); 2] =
    [("PYASC_COMPILER", "bin/bisheng"), ("PYASC_LINKER", kernel_linker::PLACE)];

/// Folder of pyasc's own cache. Its key for a kernel names neither compiler nor prefix, so every build of toprope has a folder.
const PYASC_CACHE: &str = "PYASC_CACHE_DIR";

/// Puts `$2` first in the list named `$1`. Written without anything that one of the shells lacks.
const FUNCTION: &str = r#"_toprope_first() {
    eval "_toprope_list=\":\${$1:-}:\""
    while :; do
        case "$_toprope_list" in
            *":$2:"*) _toprope_list=${_toprope_list%%":$2:"*}:${_toprope_list#*":$2:"} ;;
            *) break ;;
        esac
    done
    _toprope_list=${_toprope_list#:}
    _toprope_list=${_toprope_list%:}
    eval "export $1=\"\$2\${_toprope_list:+:\$_toprope_list}\""
}
"#;

/// The shell text that sets the environment for the prefix in `root`. `identity` is the hash of its contents.
pub fn script(root: &Path, identity: &str) -> String {
    let mut text = format!(
        "# CANN {} on the NPU that toprope {} embeds. Use: eval \"$(toprope env)\"\n",
        layout::version_text(),
        env!("CARGO_PKG_VERSION")
    );
    for name in HOMES {
        text.push_str(&format!("export {name}={}\n", quoted(&root.display().to_string())));
    }
    for (name, below) in PYASC_PROGRAMS {
        text.push_str(&format!("export {name}={}\n", quoted(&folder(root, below))));
    }
    text.push_str(&format!(
        "export {PYASC_CACHE}=\"${{{}:-${{XDG_CACHE_HOME:-${{HOME:-}}/.cache}}/toprope}}/{}/{identity}\"\n",
        cache::VARIABLE,
        cache::PYASC,
    ));
    text.push_str(FUNCTION);
    for (name, below) in LISTS {
        text.push_str(&format!("_toprope_first {name} {}\n", quoted(&folder(root, below))));
    }
    text.push_str("unset -f _toprope_first\nunset _toprope_list\n");
    text
}

/// The same as data: variables to set, and folders to put first in lists.
///
/// # Errors
/// As [`Cache::location`](cache::Cache::location).
pub fn json(root: &Path, identity: &str) -> Result<Value> {
    let pyasc = cache::Cache::location()?.join(cache::PYASC).join(identity);
    let mut set: serde_json::Map<String, Value> =
        HOMES.iter().map(|name| ((*name).to_string(), json!(root.display().to_string()))).collect();
    set.extend(PYASC_PROGRAMS.map(|(name, below)| (name.to_string(), json!(folder(root, below)))));
    set.insert(PYASC_CACHE.into(), json!(pyasc.display().to_string()));
    let first: serde_json::Map<String, Value> =
        LISTS.iter().map(|(name, below)| ((*name).to_string(), json!(folder(root, below)))).collect();
    Ok(json!({
        "version": 1,
        "prefix": root.display().to_string(),
        "cann_version": layout::version_text(),
        "set": set,
        "put_first": first,
    }))
}

fn folder(root: &Path, below: &str) -> String {
    let path = if below.is_empty() { root.to_path_buf() } else { root.join(below) };
    path.display().to_string()
}

/// `text` as one word of a shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::compiler::find_program;
    use std::process::Command;

    /// What `shell` has in `show` after `before` and the script, twice.
    fn after(shell: &str, before: &str, show: &str) -> String {
        let text = script(Path::new("/o'pt/top rope"), "id");
        // Start-up files of a shell may set PATH.
        let program =
            format!("PATH=/bin:/usr/bin\nset -eu\n{before}\n{text}\n{text}\nprintf '%s' \"{show}\"\n");
        let output =
            Command::new(shell).args(["-c", &program]).env_clear().env("PATH", "/bin:/usr/bin").output();
        let output = output.expect("the shell starts");
        assert!(output.status.success(), "{shell}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text")
    }

    #[test]
    fn every_shell_puts_the_folders_first_once() {
        let shells: Vec<&str> =
            ["sh", "bash", "dash", "zsh"].into_iter().filter(|s| find_program(s).is_some()).collect();
        assert!(shells.contains(&"sh"));
        for shell in shells {
            let ours = "/o'pt/top rope";
            assert_eq!(after(shell, "", "$ASCEND_HOME_PATH"), ours, "{shell}");
            assert_eq!(after(shell, "", "$PATH"), format!("{ours}/bin:/bin:/usr/bin"), "{shell}");
            let caches = [
                ("", "/h/.cache/toprope"),
                ("XDG_CACHE_HOME=/x", "/x/toprope"),
                ("TOPROPE_CACHE_DIR=/t", "/t"),
            ];
            for (set, expected) in caches {
                let found = after(shell, &format!("HOME=/h\n{set}"), "$PYASC_CACHE_DIR");
                assert_eq!(found, format!("{expected}/v1/pyasc/id"), "{shell}, {set}");
            }
            // No empty entry, which would be the current folder.
            assert_eq!(after(shell, "", "$CPLUS_INCLUDE_PATH"), format!("{ours}/search/include"), "{shell}");
            let before = "export LD_LIBRARY_PATH=\"/x:/o'pt/top rope/lib64:/y:/o'pt/top rope/lib64\"";
            assert_eq!(after(shell, before, "$LD_LIBRARY_PATH"), format!("{ours}/lib64:/x:/y"), "{shell}");
        }
    }

    #[test]
    fn json_has_what_the_script_sets() {
        let (root, text) = (Path::new("/p"), script(Path::new("/p"), "id"));
        let data = json(root, "id").expect("a home");
        let names = |key: &str| data[key].as_object().expect("object").keys().cloned().collect::<Vec<_>>();
        assert!(names("set").iter().all(|name| text.contains(&format!("export {name}="))));
        assert!(names("put_first").iter().all(|name| text.contains(&format!("_toprope_first {name} '/p"))));
        assert_eq!(
            names("set").len() + names("put_first").len(),
            HOMES.len() + LISTS.len() + PYASC_PROGRAMS.len() + 1
        );
    }
}
