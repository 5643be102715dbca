//! Content-addressed cache of what the compiler made.
//!
//! ```text
//! <cache>/v1/
//!   bundle/<hash>/          headers and device library of one toprope build
//!   object/<key>.{o,txt}    one source (rewritten text + options + compiler) and the compiler's messages
//!   program/<key>/          executable or shared object: objects + libraries + link options
//!   manifest/<key>.json     request → program and the files it depended on (no compiler is started on a hit)
//!   source/<hash>/          texts that a program generated and compiled, for findings to show after the program removed them
//!   prefix/<hash>/          what `toprope env` points to
//!   pyasc/<hash>/           what pyasc keeps of its kernels, for one build of toprope
//!   lock/<key>              held while something is made
//! ```
//! Everything is owner-only and written to a temporary file that is renamed into place, so parallel runs and a killed run leave no
//! half-written entry. The directory must belong to the user; symbolic links inside it are not followed when writing.
//! Entries not used for [`KEEP`] are removed when something new is made.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::error::{Result, ToolchainError};

/// Environment variable that moves the cache.
pub const VARIABLE: &str = "TOPROPE_CACHE_DIR";

/// Age at which an unused entry is removed.
pub const KEEP: Duration = Duration::from_secs(30 * 24 * 3600);

/// Folder of the cache that pyasc is sent to.
pub(crate) const PYASC: &str = "v1/pyasc";

const FOLDERS: [&str; 8] = ["bundle", "object", "program", "manifest", "source", "prefix", "pyasc", "lock"];

/// Hashes length-prefixed parts, so that no two lists of parts give the same text.
#[derive(Default)]
pub struct Key(Sha256);

impl Key {
    /// Adds one part.
    #[must_use]
    pub fn part(mut self, bytes: impl AsRef<[u8]>) -> Key {
        let bytes = bytes.as_ref();
        self.0.update((bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
        self
    }

    /// Adds every part of a list.
    #[must_use]
    pub fn parts<T: AsRef<[u8]>>(self, parts: impl IntoIterator<Item = T>) -> Key {
        parts.into_iter().fold(self, Key::part)
    }

    /// 40 hexadecimal digits.
    pub fn finish(self) -> String {
        self.0.finalize().iter().take(20).map(|b| format!("{b:02x}")).collect()
    }
}

/// SHA-256 of a file's contents as 40 hexadecimal digits.
pub(crate) fn hash_file(path: &Path) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    File::open(path)?.read_to_end(&mut bytes)?;
    Ok(Key::default().part(bytes).finish())
}

/// The cache directory.
#[derive(Clone, Debug)]
pub struct Cache {
    root: PathBuf,
}

impl Cache {
    /// Where the cache is: `TOPROPE_CACHE_DIR`, else `toprope` in the user's cache directory.
    ///
    /// # Errors
    /// [`ToolchainError::Cache`] if there is no home to put it in.
    pub fn location() -> Result<PathBuf> {
        match std::env::var_os(VARIABLE).filter(|v| !v.is_empty()) {
            Some(dir) => Ok(PathBuf::from(dir)),
            None => dirs::cache_dir().map(|d| d.join("toprope")).ok_or_else(|| ToolchainError::Cache {
                path: PathBuf::from("$XDG_CACHE_HOME/toprope"),
                reason: "neither XDG_CACHE_HOME nor HOME is set".into(),
            }),
        }
    }

    /// Opens the cache, making what is missing.
    ///
    /// # Errors
    /// [`ToolchainError::Cache`] if it cannot be made, belongs to somebody else or is writable by others.
    pub fn open() -> Result<Cache> {
        Cache::at(&Cache::location()?)
    }

    /// Opens the cache in directory `dir`.
    ///
    /// # Errors
    /// As [`Cache::open`].
    pub fn at(dir: &Path) -> Result<Cache> {
        let refuse = |path: &Path, reason: String| ToolchainError::Cache { path: path.to_path_buf(), reason };
        let made = |path: &Path| {
            DirBuilder::new()
                .recursive(true)
                .mode(0o700)
                .create(path)
                .map_err(|e| refuse(path, format!("cannot be made: {e}")))
        };
        made(dir)?;
        let dir = dir.canonicalize().map_err(|e| refuse(dir, e.to_string()))?;
        // A file we make tells who we are without asking the system through unsafe code.
        let probe = tempfile::Builder::new()
            .prefix(".probe")
            .tempfile_in(&dir)
            .map_err(|e| refuse(&dir, format!("cannot be written: {e}")))?;
        let me = probe.as_file().metadata().map_err(ToolchainError::file(&dir))?.uid();
        let root = dir.join("v1");
        made(&root)?;
        for path in [&dir, &root] {
            let meta = fs::symlink_metadata(path).map_err(ToolchainError::file(path))?;
            if !meta.is_dir() {
                return Err(refuse(path, "is not a directory".into()));
            }
            if meta.uid() != me {
                return Err(refuse(path, format!("belongs to user {}, not to you (user {me})", meta.uid())));
            }
            if meta.mode() & 0o022 != 0 {
                return Err(refuse(
                    path,
                    format!("can be written by other users (mode {:o})", meta.mode() & 0o777),
                ));
            }
        }
        for folder in FOLDERS {
            let path = root.join(folder);
            made(&path)?;
            if fs::symlink_metadata(&path).map_err(ToolchainError::file(&path))?.is_symlink() {
                return Err(refuse(&path, "is a symbolic link".into()));
            }
        }
        Ok(Cache { root })
    }

    /// Directory of this cache's entries.
    pub fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn entry(&self, folder: &str, name: &str) -> PathBuf {
        debug_assert!(FOLDERS.contains(&folder));
        self.root.join(folder).join(name)
    }

    /// The entry, if it is there; marks it as used.
    pub(crate) fn hit(&self, folder: &str, name: &str) -> Option<PathBuf> {
        let path = self.entry(folder, name);
        let meta = fs::symlink_metadata(&path).ok()?;
        if meta.is_symlink() {
            return None;
        }
        if meta.modified().is_ok_and(|m| m.elapsed().is_ok_and(|age| age > KEEP / 4)) {
            let _ = File::open(&path).and_then(|f| f.set_modified(SystemTime::now()));
        }
        Some(path)
    }

    /// A directory inside the cache for work in progress; removed when dropped.
    pub(crate) fn scratch(&self) -> Result<tempfile::TempDir> {
        tempfile::Builder::new()
            .prefix("tmp-")
            .tempdir_in(&self.root)
            .map_err(ToolchainError::file(&self.root))
    }

    /// Moves a finished file or directory into place. If another run was faster, its entry stays.
    pub(crate) fn publish(&self, from: &Path, folder: &str, name: &str) -> Result<PathBuf> {
        let to = self.entry(folder, name);
        match fs::rename(from, &to) {
            Ok(()) => Ok(to),
            Err(e) if matches!(e.kind(), ErrorKind::DirectoryNotEmpty | ErrorKind::AlreadyExists) => Ok(to),
            Err(e) => Err(ToolchainError::File { path: to, source: e }),
        }
    }

    /// Keeps a copy of the file `path` under its own name; the folder it lies in.
    pub(crate) fn keep_source(&self, path: &Path) -> Result<PathBuf> {
        let text = fs::read(path).map_err(ToolchainError::file(path))?;
        let folder = self.entry("source", &Key::default().part(&text).finish());
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&folder)
            .map_err(ToolchainError::file(&folder))?;
        let copy = folder.join(path.file_name().unwrap_or_default());
        if !copy.exists() {
            write_atomic(&copy, &text)?;
        }
        Ok(folder)
    }

    /// Holds the lock of `name` until dropped: two runs that need the same entry make it once.
    pub(crate) fn lock(&self, name: &str) -> Result<File> {
        let path = self.entry("lock", name);
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .mode(0o600)
            .open(&path)
            .map_err(ToolchainError::file(&path))?;
        file.lock().map_err(ToolchainError::file(&path))?;
        Ok(file)
    }

    /// Removes entries that were not used for [`KEEP`]. Failures are left for the next time.
    pub(crate) fn prune(&self) {
        for folder in FOLDERS {
            let Ok(entries) = fs::read_dir(self.root.join(folder)) else { continue };
            for entry in entries.flatten() {
                let old = entry
                    .metadata()
                    .and_then(|m| m.modified())
                    .is_ok_and(|m| m.elapsed().is_ok_and(|age| age > KEEP));
                if old {
                    let path = entry.path();
                    let _ = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
                }
            }
        }
    }
}

/// Writes an owner-only file that appears complete or not at all.
pub(crate) fn write_atomic(path: &Path, bytes: &[u8]) -> Result<()> {
    let dir = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(dir).map_err(ToolchainError::file(dir))?;
    file.write_all(bytes).map_err(ToolchainError::file(path))?;
    file.as_file().set_permissions(fs::Permissions::from_mode(0o600)).map_err(ToolchainError::file(path))?;
    file.persist(path).map_err(|e| ToolchainError::File { path: path.to_path_buf(), source: e.error })?;
    Ok(())
}

/// A file a program was made from.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Dependency {
    path: PathBuf,
    size_bytes: u64,
    modified: (i64, i64),
    hash: String,
}

impl Dependency {
    fn of(path: &Path) -> std::io::Result<Dependency> {
        let meta = path.metadata()?;
        Ok(Dependency {
            path: path.to_path_buf(),
            size_bytes: meta.len(),
            modified: (meta.mtime(), meta.mtime_nsec()),
            hash: hash_file(path)?,
        })
    }

    /// Same size and time, or else same contents.
    fn unchanged(&self) -> bool {
        let Ok(meta) = self.path.metadata() else { return false };
        meta.len() == self.size_bytes
            && ((meta.mtime(), meta.mtime_nsec()) == self.modified
                || hash_file(&self.path).is_ok_and(|h| h == self.hash))
    }
}

/// Remembers which program a request led to and from which files.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Manifest {
    /// Folder under `program/`.
    pub program: String,
    /// Shown to the user: compiler and version.
    pub compiler: String,
    /// Kernels defined by the program.
    pub kernels: Vec<String>,
    /// What the compiler wrote; shown again on a hit.
    pub diagnostics: String,
    dependencies: Vec<Dependency>,
}

impl Manifest {
    /// Reads the manifest of request `key` if everything it names is unchanged.
    pub fn load(cache: &Cache, key: &str) -> Option<Manifest> {
        let path = cache.hit("manifest", &format!("{key}.json"))?;
        let manifest: Manifest = serde_json::from_slice(&fs::read(path).ok()?).ok()?;
        cache.hit("program", &manifest.program)?;
        manifest.dependencies.iter().all(Dependency::unchanged).then_some(manifest)
    }

    /// Records `files`, unless one of them may have changed after `started` (then the next run compiles again) or its text depends on
    /// the time of day.
    pub fn store(mut self, cache: &Cache, key: &str, files: &[PathBuf], started: SystemTime) -> Result<()> {
        for file in files {
            let Ok(dependency) = Dependency::of(file) else { return Ok(()) };
            let changed_since = file.metadata().and_then(|m| m.modified()).map_or(true, |m| m >= started);
            if changed_since || uses_the_clock(file) {
                return Ok(());
            }
            self.dependencies.push(dependency);
        }
        let text = serde_json::to_vec(&self).map_err(|e| ToolchainError::Report { reason: e.to_string() })?;
        write_atomic(&cache.entry("manifest", &format!("{key}.json")), &text)
    }

    /// The files recorded.
    pub fn files(&self) -> Vec<PathBuf> {
        self.dependencies.iter().map(|d| d.path.clone()).collect()
    }

    /// A manifest without dependencies yet.
    pub fn new(program: String, compiler: String, kernels: Vec<String>, diagnostics: String) -> Manifest {
        Manifest { program, compiler, kernels, diagnostics, dependencies: Vec::new() }
    }
}

fn uses_the_clock(file: &Path) -> bool {
    let Ok(bytes) = fs::read(file) else { return true };
    let text = String::from_utf8_lossy(&bytes);
    ["__DATE__", "__TIME__", "__TIMESTAMP__"].iter().any(|name| text.contains(name))
}
