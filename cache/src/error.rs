//! What can go wrong with the store, each with what the user can do about it.

use std::io;
use std::path::{Path, PathBuf};

/// Result of a store operation.
pub type Result<T> = std::result::Result<T, Error>;

/// A store operation that could not be done. Every message is one line and says what to do.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The directory cannot be written by this user, or its file system is mounted read-only.
    #[error("cache {} is read-only: make it writable or set VERIFY_CACHE to a writable directory", path.display())]
    ReadOnly {
        /// The path that refused the write.
        path: PathBuf,
    },
    /// No space, or no quota, is left on the file system of the store.
    #[error("no space left for cache {}: free some space, delete the directory, or set VERIFY_CACHE to another disk", path.display())]
    Full {
        /// The path that could not be written.
        path: PathBuf,
    },
    /// Something that is not a directory stands where the store should be.
    #[error("cache {} is not a directory: move the file away or set VERIFY_CACHE to a directory", path.display())]
    NotADirectory {
        /// The path in the way.
        path: PathBuf,
    },
    /// Any other failure of the file system.
    #[error("cache {}: {source}", path.display())]
    Io {
        /// The path being worked on.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
}

impl Error {
    /// Classifies an error of the operating system at `path`.
    #[must_use]
    pub fn from_io(path: &Path, source: io::Error) -> Self {
        let path = path.to_path_buf();
        match source.kind() {
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => Error::ReadOnly { path },
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
                Error::Full { path }
            }
            io::ErrorKind::NotADirectory => Error::NotADirectory { path },
            _ => Error::Io { path, source },
        }
    }
}
