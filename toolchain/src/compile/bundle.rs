//! What `toprope` carries in itself: the headers and the device library, unpacked into the cache when first needed.

use std::fs;
use std::path::{Path, PathBuf};

use super::cache::{Cache, write_atomic};
use crate::error::{Result, ToolchainError};

mod generated {
    include!(concat!(env!("OUT_DIR"), "/bundle.rs"));
}

pub(crate) use generated::HASH;

/// Path in the bundle and contents of every file.
pub(crate) fn files() -> &'static [(&'static str, &'static [u8])] {
    generated::FILES
}

/// The unpacked bundle.
#[derive(Clone, Debug)]
pub struct Bundle {
    root: PathBuf,
}

impl Bundle {
    /// Unpacks the bundle unless it is there already.
    pub(crate) fn unpack(cache: &Cache) -> Result<Bundle> {
        let short = &HASH[..40];
        if let Some(root) = cache.hit("bundle", short) {
            return Ok(Bundle { root });
        }
        let scratch = cache.scratch()?;
        let staging = scratch.path().join(short);
        for (name, contents) in generated::FILES {
            let path = staging.join(name);
            let dir = path.parent().unwrap_or(Path::new("."));
            fs::create_dir_all(dir).map_err(ToolchainError::file(dir))?;
            write_atomic(&path, contents)?;
        }
        Ok(Bundle { root: cache.publish(&staging, "bundle", short)? })
    }

    /// Folder with `kernel_operator.h`, `acl/acl.h`, `toprope/launch.h`. By its name the runtime knows frames in it as not the user's.
    pub fn include(&self) -> PathBuf {
        self.root.join("toprope-include")
    }

    /// `libtoprope_device.a`.
    pub fn device_library(&self) -> PathBuf {
        self.root.join("lib/libtoprope_device.a")
    }
}
