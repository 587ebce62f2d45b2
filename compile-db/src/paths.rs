//! Absolute paths that two processes spell the same way, and the hash of a file's content.

use std::fs::File;
use std::path::{Path, PathBuf};

use blake3::Hash;

/// `path` seen from `cwd`, absolute, with the symbolic links and `..` of its *directory* resolved; the last
/// component stays as written, so that a link to an object and the object keep their own names.
#[must_use]
pub fn absolute(cwd: &Path, path: &Path) -> PathBuf {
    let joined = cwd.join(path);
    match (joined.parent(), joined.file_name()) {
        (Some(parent), Some(name)) => match parent.canonicalize() {
            Ok(parent) => parent.join(name),
            Err(_) => joined,
        },
        _ => joined.canonicalize().unwrap_or(joined),
    }
}

/// BLAKE3 of a regular file's content; `None` when it is not there, not regular, or cannot be read.
#[must_use]
pub fn hash_file(path: &Path) -> Option<Hash> {
    // Looked at first: to open a pipe is to wait for who writes it.
    if !std::fs::metadata(path).ok()?.is_file() {
        return None;
    }
    let file = File::open(path).ok()?;
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(file).ok()?;
    Some(hasher.finalize())
}
