//! The store on disk: `<root>/v1/<kind>/<2 hex>/<62 hex>`, keyed entries under `<kind>.keyed`, temporary files
//! under `<root>/v1/tmp`.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use blake3::Hash;

use crate::error::{Error, Result};

/// Layout version of the directory. Another layout lives beside this one and is not looked at.
const LAYOUT: &str = "v1";

/// A keyed entry starts with this and the hash of its payload.
const KEYED_MAGIC: &[u8; 8] = b"vfykey1\n";

/// What an entry is. Kinds are separate name spaces and separate directories.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Kind(&'static str);

impl Kind {
    /// A unit of the program in the binary form of `ir`.
    pub const UNIT: Kind = Kind("unit");
    /// LLVM bitcode as clang wrote it.
    pub const BITCODE: Kind = Kind("bitcode");
    /// A summary of a function, under the hash of everything it was computed from.
    pub const SUMMARY: Kind = Kind("summary");
    /// The outcome of an obligation, under the hash of everything its query read.
    pub const OUTCOME: Kind = Kind("outcome");

    /// A further kind.
    ///
    /// # Panics
    /// When the name is not made of `a-z`, `0-9` and `-` only (it becomes a directory name).
    #[must_use]
    pub const fn new(name: &'static str) -> Kind {
        let bytes = name.as_bytes();
        assert!(!bytes.is_empty());
        let mut i = 0;
        while i < bytes.len() {
            assert!(matches!(bytes[i], b'a'..=b'z' | b'0'..=b'9' | b'-'));
            i += 1;
        }
        Kind(name)
    }

    /// The directory name of the kind.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.0
    }
}

/// An open store. Cheap to clone; holds no lock and no open file.
#[derive(Clone, Debug)]
pub struct Store {
    root: PathBuf,
    pub(crate) base: PathBuf,
}

impl Store {
    /// Opens the store at `root`, creating the directory when it does not exist. A read-only store opens
    /// and can be read; only writes fail then.
    ///
    /// # Errors
    /// [`Error`] when `root` is not there and cannot be made, or is not a directory.
    pub fn open(root: impl Into<PathBuf>) -> Result<Store> {
        let root = root.into();
        let root = std::path::absolute(&root).map_err(|e| Error::from_io(&root, e))?;
        let base = root.join(LAYOUT);
        if !base.is_dir() {
            fs::create_dir_all(&base).map_err(|e| match e.kind() {
                io::ErrorKind::AlreadyExists => Error::NotADirectory { path: root.clone() },
                _ => Error::from_io(&root, e),
            })?;
            // Backup tools skip directories with this tag; losing it loses nothing.
            let _ = fs::write(
                root.join("CACHEDIR.TAG"),
                "Signature: 8a477f597d28d172789f06886806bc55\n# This directory was made by verify; it may be deleted at any time.\n",
            );
        }
        Ok(Store { root, base })
    }

    /// The directory given to [`Store::open`], made absolute.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A fresh directory for temporary files on the file system of the store, removed when dropped.
    ///
    /// # Errors
    /// [`Error`] when the store cannot be written.
    pub fn scratch(&self) -> Result<tempfile::TempDir> {
        let dir = self.temp_dir()?;
        tempfile::Builder::new().prefix("work-").tempdir_in(&dir).map_err(|e| Error::from_io(&dir, e))
    }

    /// Removes temporary files and folders last changed before `limit`: what killed processes left behind. Entries
    /// are never touched. Returns how many were removed; what cannot be removed is left.
    pub fn sweep(&self, limit: SystemTime) -> usize {
        let mut removed = 0;
        for entry in fs::read_dir(self.base.join("tmp")).into_iter().flatten().flatten() {
            let Ok(data) = entry.metadata() else { continue };
            if data.modified().is_ok_and(|changed| changed < limit) {
                let gone = match data.is_dir() {
                    true => fs::remove_dir_all(entry.path()),
                    false => fs::remove_file(entry.path()),
                };
                removed += usize::from(gone.is_ok());
            }
        }
        removed
    }

    /// Writes `bytes` under their own hash and returns it.
    ///
    /// # Errors
    /// [`Error`] when the store cannot be written.
    pub fn put(&self, kind: Kind, bytes: &[u8]) -> Result<Hash> {
        let hash = blake3::hash(bytes);
        let path = self.content_path(kind, &hash);
        // Reading is cheaper than writing, and shows whether the entry that is there is whole.
        if read_if_whole(&path, &hash).is_none() {
            self.write_atomically(&path, &[bytes])?;
        }
        Ok(hash)
    }

    /// The bytes with this hash, or `None` when there are none or the entry is damaged.
    #[must_use]
    pub fn get(&self, kind: Kind, hash: &Hash) -> Option<Vec<u8>> {
        read_if_whole(&self.content_path(kind, hash), hash)
    }

    /// Whether [`Store::get`] would find the entry (its bytes are read and checked).
    #[must_use]
    pub fn contains(&self, kind: Kind, hash: &Hash) -> bool {
        self.get(kind, hash).is_some()
    }

    /// Whether there is an entry with this hash, whole or not.
    #[must_use]
    pub fn has_entry(&self, kind: Kind, hash: &Hash) -> bool {
        self.content_path(kind, hash).is_file()
    }

    /// Marks a content entry as used `now`, so that [`Store::collect`] takes it later than others.
    pub fn touch(&self, kind: Kind, hash: &Hash, now: SystemTime) {
        if let Ok(file) = fs::File::options().append(true).open(self.content_path(kind, hash)) {
            // A cache that cannot be written keeps its times.
            let _ = file.set_modified(now);
        }
    }

    /// Marks a keyed entry as used `now`, as [`Store::touch`] does.
    pub fn touch_keyed(&self, kind: Kind, key: &Hash, now: SystemTime) {
        if let Ok(file) = fs::File::options().append(true).open(self.keyed_path(kind, key)) {
            let _ = file.set_modified(now);
        }
    }

    /// Writes `bytes` under a key. The last writer of a key wins.
    ///
    /// # Errors
    /// [`Error`] when the store cannot be written.
    pub fn put_keyed(&self, kind: Kind, key: &Hash, bytes: &[u8]) -> Result<()> {
        let path = self.keyed_path(kind, key);
        self.write_atomically(&path, &[KEYED_MAGIC, key.as_bytes(), blake3::hash(bytes).as_bytes(), bytes])
    }

    /// The bytes under a key, or `None` when there are none or the entry is damaged.
    #[must_use]
    pub fn get_keyed(&self, kind: Kind, key: &Hash) -> Option<Vec<u8>> {
        let mut all = fs::read(self.keyed_path(kind, key)).ok()?;
        let rest = all.strip_prefix(KEYED_MAGIC)?;
        let (found_key, rest) = rest.split_first_chunk::<32>()?;
        let (digest, payload) = rest.split_first_chunk::<32>()?;
        if found_key != key.as_bytes() || blake3::hash(payload).as_bytes() != digest {
            return None;
        }
        let start = all.len() - payload.len();
        all.drain(..start);
        Some(all)
    }

    /// Path of a content entry; it may not exist. For tools that want a file name to show or to hand on.
    #[must_use]
    pub fn content_path(&self, kind: Kind, hash: &Hash) -> PathBuf {
        entry_path(self.base.join(kind.name()), hash)
    }

    fn keyed_path(&self, kind: Kind, key: &Hash) -> PathBuf {
        entry_path(self.base.join(format!("{}.keyed", kind.name())), key)
    }

    fn temp_dir(&self) -> Result<PathBuf> {
        let dir = self.base.join("tmp");
        fs::create_dir_all(&dir).map_err(|e| Error::from_io(&dir, e))?;
        Ok(dir)
    }

    fn write_atomically(&self, path: &Path, parts: &[&[u8]]) -> Result<()> {
        let temp = self.temp_dir()?;
        let io = |e| Error::from_io(path, e);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(io)?;
        }
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // Several users may share a store; the umask still has its say.
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let mut file = builder.prefix("new-").tempfile_in(&temp).map_err(|e| Error::from_io(&temp, e))?;
        for part in parts {
            file.write_all(part).map_err(io)?;
        }
        file.persist(path).map_err(|e| io(e.error))?;
        Ok(())
    }
}

fn entry_path(dir: PathBuf, hash: &Hash) -> PathBuf {
    let hex = hash.to_hex();
    let (shard, rest) = hex.split_at(2);
    dir.join(shard).join(rest)
}

fn read_if_whole(path: &Path, hash: &Hash) -> Option<Vec<u8>> {
    let bytes = fs::read(path).ok()?;
    (blake3::hash(&bytes) == *hash).then_some(bytes)
}
