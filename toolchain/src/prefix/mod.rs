//! A folder shaped like a CANN installation, so that programs made for CANN build and run on the embedded NPU.
//!
//! What is in it says [`layout`]; what `eval "$(toprope env)"` prints says [`env`](mod@crate::env). By default a prefix lies in the cache
//! under the hash of its contents, so a changed toprope makes a new one and programs that use the old one are not disturbed. With
//! `--prefix DIR` it lies where the user wants it and is exchanged in one step when it is out of date.
//!
//! A prefix is staged beside its place and moved there when it is complete. Its folders belong to their owner alone. A directory that
//! toprope did not make is never written to.

pub mod layout;

use std::fs::{self, DirBuilder};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, RenameFlags, renameat_with};

use crate::compile::bundle;
use crate::compile::cache::{Cache, Key, hash_file, write_atomic};
use crate::compile::runtime_lib::RuntimeLibrary;
use crate::env;
use crate::error::{Result, ToolchainError};
use layout::{Content, Entry};

/// File that tells a prefix of ours from any other directory; its second line is the hash of the contents.
const MARKER: &str = ".toprope-prefix";
const MARKER_TITLE: &str = "prefix made by toprope; replaced as a whole when it is out of date";

/// A complete prefix.
#[derive(Clone, Debug)]
pub struct Prefix {
    root: PathBuf,
    key: String,
}

impl Prefix {
    /// The prefix in the cache; made if it is not there.
    ///
    /// # Errors
    /// [`ToolchainError::Cache`], [`ToolchainError::NoRuntime`], [`ToolchainError::ForeignRuntime`], [`ToolchainError::File`].
    pub fn in_cache() -> Result<Prefix> {
        let plan = Plan::new()?;
        let cache = Cache::open()?;
        let root = cache.entry("prefix", &plan.key);
        check_spelling(&root)?;
        if plan.is_at(&root) {
            // Marks it as used.
            cache.hit("prefix", &plan.key);
            return Ok(Prefix { root, key: plan.key });
        }
        let _lock = cache.lock(&format!("prefix-{}", plan.key))?;
        plan.install(&root)?;
        cache.prune();
        Ok(Prefix { root, key: plan.key })
    }

    /// The prefix in directory `dir`, which must not exist, be empty, or hold a prefix.
    ///
    /// # Errors
    /// [`ToolchainError::Prefix`] if `dir` is something else; as [`Prefix::in_cache`].
    pub fn at(dir: &Path) -> Result<Prefix> {
        let plan = Plan::new()?;
        let root = place(dir)?;
        let lock_name =
            format!("prefix-{}", Key::default().part(root.as_os_str().as_encoded_bytes()).finish());
        let _lock = Cache::open()?.lock(&lock_name)?;
        check_replaceable(&root)?;
        plan.install(&root)?;
        Ok(Prefix { root, key: plan.key })
    }

    /// Its directory, absolute.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Hash of its contents.
    pub fn identity(&self) -> &str {
        &self.key
    }
}

/// The absolute path of `dir`, whose parents are made.
fn place(dir: &Path) -> Result<PathBuf> {
    let refuse = |reason: &str| refused(dir, reason);
    let absolute = std::path::absolute(dir).map_err(ToolchainError::file(dir))?;
    let name = absolute.file_name().ok_or_else(|| refuse("has no name of its own"))?.to_owned();
    let parent = absolute.parent().ok_or_else(|| refuse("has no parent directory"))?;
    DirBuilder::new().recursive(true).mode(0o700).create(parent).map_err(ToolchainError::file(parent))?;
    let root = parent.canonicalize().map_err(ToolchainError::file(parent))?.join(name);
    check_spelling(&root)?;
    Ok(root)
}

/// The search variables separate with colons and have no way to quote one.
fn check_spelling(root: &Path) -> Result<()> {
    match root.to_str() {
        Some(text) if !text.contains([':', ';', '\n']) => Ok(()),
        _ => Err(refused(
            root,
            "has a colon, a semicolon, a line end or bytes that are not UTF-8 in its path, which PATH cannot hold",
        )),
    }
}

fn refused(path: &Path, reason: impl Into<String>) -> ToolchainError {
    ToolchainError::Prefix { path: path.to_path_buf(), reason: reason.into() }
}

/// Refuses to replace what toprope did not make.
fn check_replaceable(root: &Path) -> Result<()> {
    let meta = match fs::symlink_metadata(root) {
        Ok(meta) => meta,
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(()),
        Err(e) => return Err(ToolchainError::File { path: root.to_path_buf(), source: e }),
    };
    if meta.is_symlink() {
        return Err(refused(root, "is a symbolic link"));
    }
    if !meta.is_dir() {
        return Err(refused(root, "is a file"));
    }
    let mut inside = fs::read_dir(root).map_err(ToolchainError::file(root))?;
    if inside.next().is_some() && installed_key(root).is_none() {
        return Err(refused(root, "holds files that toprope did not make"));
    }
    let me = rustix::process::geteuid().as_raw();
    if meta.uid() != me {
        return Err(refused(root, format!("belongs to user {}, not to you (user {me})", meta.uid())));
    }
    Ok(())
}

/// The hash in the marker of `root`, if there is one.
fn installed_key(root: &Path) -> Option<String> {
    let marker = fs::read_to_string(root.join(MARKER)).ok()?;
    let (title, key) = marker.split_once('\n')?;
    (title == MARKER_TITLE).then(|| key.trim_end().to_string())
}

/// A prefix to be: its contents and their hash.
struct Plan {
    entries: Vec<Entry>,
    key: String,
}

impl Plan {
    fn new() -> Result<Plan> {
        let runtime = RuntimeLibrary::find()?;
        runtime.check()?;
        let command = std::env::current_exe()
            .and_then(|path| path.canonicalize())
            .map_err(ToolchainError::file("current executable"))?;
        let hash = |path: &Path| hash_file(path).map_err(ToolchainError::file(path));
        let key = Key::default()
            .part(env!("CARGO_PKG_VERSION"))
            .part(bundle::HASH)
            .part(hash(runtime.path())?)
            .part(hash(&command)?)
            .finish();
        Ok(Plan { entries: layout::entries(runtime.path().to_path_buf(), command, &key), key })
    }

    /// Is this very prefix at `root`, with nothing missing?
    fn is_at(&self, root: &Path) -> bool {
        let right = |(path, content): &Entry| {
            let at = root.join(path);
            match (content, fs::symlink_metadata(&at)) {
                (Content::Link(to), Ok(meta)) => {
                    meta.is_symlink() && fs::read_link(&at).is_ok_and(|found| found == *to)
                }
                (Content::Text(bytes), Ok(meta)) => meta.is_file() && meta.len() == bytes.len() as u64,
                (Content::File(source), Ok(meta)) => {
                    meta.is_file() && source.metadata().is_ok_and(|s| s.len() == meta.len())
                }
                (_, Err(_)) => false,
            }
        };
        installed_key(root).as_deref() == Some(self.key.as_str())
            && fs::read(root.join("set_env.sh"))
                .is_ok_and(|text| text == env::script(root, &self.key).into_bytes())
            && self.entries.iter().all(right)
    }

    /// Makes `root` this prefix.
    fn install(&self, root: &Path) -> Result<()> {
        if self.is_at(root) {
            return Ok(());
        }
        let parent = root.parent().unwrap_or(Path::new("/"));
        let staging = tempfile::Builder::new()
            .prefix(".toprope-prefix-")
            .permissions(fs::Permissions::from_mode(0o700))
            .tempdir_in(parent)
            .map_err(ToolchainError::file(parent))?;
        self.write(staging.path(), root)?;
        match fs::rename(staging.path(), root) {
            Ok(()) => {
                let _ = staging.keep();
                Ok(())
            }
            // An older prefix is there: it goes out with the staging directory.
            Err(e) if matches!(e.kind(), ErrorKind::DirectoryNotEmpty | ErrorKind::AlreadyExists) => {
                exchange(staging.path(), root).map_err(ToolchainError::file(root))
            }
            Err(source) => Err(ToolchainError::File { path: root.to_path_buf(), source }),
        }
    }

    /// Writes everything below `staging`, as it will be at `root`.
    fn write(&self, staging: &Path, root: &Path) -> Result<()> {
        let script = (String::from("set_env.sh"), Content::Text(env::script(root, &self.key).into_bytes()));
        // The marker comes last.
        let marker =
            (MARKER.to_string(), Content::Text(format!("{MARKER_TITLE}\n{}\n", self.key).into_bytes()));
        for (path, content) in self.entries.iter().chain([&script, &marker]) {
            let at = staging.join(path);
            let dir = at.parent().unwrap_or(staging);
            DirBuilder::new().recursive(true).mode(0o700).create(dir).map_err(ToolchainError::file(dir))?;
            match content {
                Content::Text(bytes) => write_atomic(&at, bytes)?,
                Content::Link(target) => symlink(target, &at).map_err(ToolchainError::file(&at))?,
                Content::File(source) => take(source, &at).map_err(ToolchainError::file(&at))?,
            }
        }
        Ok(())
    }
}

/// Hard-links `source`, or copies it where that is not possible. A link costs no space, and the loader knows both names for one library.
fn take(source: &Path, to: &Path) -> io::Result<()> {
    fs::hard_link(source, to).or_else(|_| fs::copy(source, to).map(|_| ()))
}

/// Exchanges two directories in one step; file systems that cannot do it get two.
fn exchange(staging: &Path, root: &Path) -> io::Result<()> {
    if renameat_with(CWD, staging, CWD, root, RenameFlags::EXCHANGE).is_ok() {
        return Ok(());
    }
    let aside = staging.join(".old");
    let parked =
        tempfile::Builder::new().prefix(".toprope-prefix-").tempdir_in(root.parent().unwrap_or(root))?;
    let new = parked.path().join("new");
    fs::rename(staging, &new)?;
    fs::create_dir(staging)?;
    fs::rename(root, &aside)?;
    fs::rename(&new, root)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(key: &str, text: &str) -> Plan {
        let entries = vec![
            ("a/file".to_string(), Content::Text(text.as_bytes().to_vec())),
            ("b".to_string(), Content::Link("a".into())),
        ];
        Plan { entries, key: key.to_string() }
    }

    fn refusal(dir: &Path) -> String {
        check_replaceable(&place(dir).expect("a place")).expect_err("refused").to_string()
    }

    #[test]
    fn a_prefix_is_made_kept_repaired_and_replaced() {
        let dir = tempfile::tempdir().expect("tempdir");
        let root = dir.path().join("deep/prefix");
        let root = place(&root).expect("a place");
        plan("1", "one").install(&root).expect("made");
        assert!(plan("1", "one").is_at(&root));
        assert_eq!(fs::metadata(&root).expect("there").mode() & 0o777, 0o700, "owner-only");
        let before = fs::metadata(root.join("a/file")).expect("there").ino();
        plan("1", "one").install(&root).expect("kept");
        assert_eq!(
            fs::metadata(root.join("a/file")).expect("there").ino(),
            before,
            "nothing was written again"
        );
        fs::remove_file(root.join("b")).expect("damage");
        check_replaceable(&root).expect("still ours");
        plan("1", "one").install(&root).expect("repaired");
        assert!(plan("1", "one").is_at(&root));
        plan("2", "two").install(&root).expect("replaced");
        assert_eq!(fs::read_to_string(root.join("b/file")).expect("read"), "two");
        let left: Vec<_> = fs::read_dir(dir.path().join("deep")).expect("parent").flatten().collect();
        assert_eq!(left.len(), 1, "no staging directory is left: {left:?}");
    }

    #[test]
    fn many_at_once_make_one() {
        let dir = tempfile::tempdir().expect("tempdir");
        let root = place(&dir.path().join("p")).expect("a place");
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| plan("1", "one").install(&root).expect("install"));
            }
        });
        assert!(plan("1", "one").is_at(&root));
    }

    #[test]
    fn foreign_directories_links_and_files_are_left_alone() {
        let dir = tempfile::tempdir().expect("tempdir");
        let foreign = dir.path().join("foreign");
        fs::create_dir(&foreign).expect("mkdir");
        check_replaceable(&foreign).expect("an empty directory may be used");
        fs::write(foreign.join("thesis.tex"), "years").expect("write");
        assert!(refusal(&foreign).contains("did not make"));
        symlink(&foreign, dir.path().join("link")).expect("symlink");
        assert!(refusal(&dir.path().join("link")).contains("symbolic link"));
        assert!(refusal(&foreign.join("thesis.tex")).contains("is a file"));
        assert!(place(&dir.path().join("a:b")).expect_err("colon").to_string().contains("colon"));
    }

    #[test]
    fn where_the_file_system_cannot_exchange_two_steps_do() {
        let dir = tempfile::tempdir().expect("tempdir");
        let (old, new) = (dir.path().join("old"), dir.path().join("new"));
        for (path, text) in [(&old, "old"), (&new, "new")] {
            fs::create_dir(path).expect("mkdir");
            fs::write(path.join("file"), text).expect("write");
        }
        exchange(&new, &old).expect("exchange");
        assert_eq!(fs::read_to_string(old.join("file")).expect("read"), "new");
    }
}
