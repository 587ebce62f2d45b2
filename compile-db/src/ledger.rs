//! The ledger on disk: `<cache>/ledger/v1/<hash of cwd>/<hash of the invocation>-<time>-<process>.json`.
//!
//! One file per record, written beside and renamed into place: with many writers and `kill -9` a record is there
//! whole or not there. (One appended line is not enough: the kernel may stop a long write at a page boundary when
//! a signal kills the writer, and the next writer would continue the torn line.) Every invocation has a record of
//! its own; [`Ledger::prune`] takes away the ones that a later build repeated.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use blake3::Hash;

use crate::archive;
use crate::record::{Compile, Outcome, Record, VERSION};

/// The ledger of one cache directory.
#[derive(Clone, Debug)]
pub struct Ledger {
    dir: PathBuf,
}

/// The ledger cannot be written or read.
#[derive(Debug, thiserror::Error)]
#[error("capture ledger {}: {source}; make the cache directory writable or set VERIFY_CACHE", path.display())]
pub struct LedgerError {
    /// The file or directory.
    pub path: PathBuf,
    /// What the operating system said.
    pub source: io::Error,
}

/// Everything a ledger holds.
#[derive(Debug, Default)]
pub struct Contents {
    /// All records, oldest first; ties are ordered by file name.
    pub records: Vec<Record>,
    /// Files that are no whole record of this version.
    pub damaged: usize,
}

impl Contents {
    /// Takes units out of the records that the cache has lost since, by a collection or by damage.
    pub fn forget(&mut self, is_there: impl Fn(&Hash) -> bool) {
        let mut known: BTreeMap<[u8; 32], bool> = BTreeMap::new();
        for compile in self.records.iter_mut().flat_map(|r| &mut r.compiles) {
            let Some(unit) = compile.unit else { continue };
            if !*known.entry(*unit.as_bytes()).or_insert_with(|| is_there(&unit)) {
                compile.unit = None;
                compile.outcome = Outcome::Gone;
            }
        }
    }
}

impl Contents {
    /// Takes units out of records whose objects were made again since without a record of it, from a text that had
    /// `changed` by the time they were written: of two things that the file on disk may be, the other one is an edited object, which stays known.
    pub fn outdate(&mut self, changed: impl Fn(&Record, usize, SystemTime) -> bool) {
        let objects = self.records.iter().flat_map(|r| &r.compiles).filter_map(|c| c.object_hash);
        let outputs = self.records.iter().filter_map(|r| r.link.as_ref()?.output_hash);
        let known: BTreeSet<[u8; 32]> = objects.chain(outputs).map(|h| *h.as_bytes()).collect();
        let mut made: BTreeMap<(PathBuf, PathBuf), Vec<(usize, usize)>> = BTreeMap::new();
        for (r, record) in self.records.iter().enumerate().filter(|(_, record)| record.compiled()) {
            for c in 0..record.compiles.len() {
                made.entry(record.place(c)).or_default().push((r, c));
            }
        }
        for ((output, _), all) in made {
            let Some(&(r, c)) = all.last() else { continue };
            let record = &self.records[r];
            if record.compiles[c].unit.is_some()
                && let Some(written) = changed_after(&output, record.time)
                && let Ok(bytes) = fs::read(&output)
                && !known.contains(blake3::hash(&bytes).as_bytes())
                && !is_edited(record, c, &bytes)
                && changed(record, c, written)
            {
                let Compile { unit, object_hash, .. } = record.compiles[c];
                for (r, c) in all {
                    let compile = &mut self.records[r].compiles[c];
                    // An earlier build that made the same says no more than the latest one.
                    if compile.unit == unit || object_hash.is_some() && compile.object_hash == object_hash {
                        compile.unit = None;
                        compile.outcome = Outcome::Outdated;
                    }
                }
            }
        }
    }
}

/// When a regular file was written, if it has changed in content or otherwise since a time.
fn changed_after(path: &Path, nanos: u64) -> Option<SystemTime> {
    let data = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    let changed = i128::from(data.ctime()) * 1_000_000_000 + i128::from(data.ctime_nsec());
    (changed > i128::from(nanos)).then(|| data.modified().ok())?
}

/// Whether the bytes are still what the record made, stripped or with other symbols.
fn is_edited(record: &Record, index: usize, bytes: &[u8]) -> bool {
    let compile = &record.compiles[index];
    match (&compile.object, &record.link) {
        (None, Some(link)) => link.build_id.is_some() && archive::build_id(bytes) == link.build_id,
        _ => compile.body.is_some() && archive::code(bytes) == compile.body,
    }
}

impl Ledger {
    /// The ledger inside the cache directory `cache`. Nothing is created until the first record.
    #[must_use]
    pub fn open(cache: &Path) -> Ledger {
        Ledger { dir: cache.join("ledger").join("v1") }
    }

    /// Where the records are.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Adds a record.
    ///
    /// # Errors
    /// [`LedgerError`] when it cannot be written; nothing is left behind then.
    pub fn append(&self, record: &Record) -> Result<PathBuf, LedgerError> {
        let shard = &blake3::hash(record.cwd.as_os_str().as_bytes()).to_hex()[..16];
        let dir = self.dir.join(shard);
        let fail = |path: &Path| {
            let path = path.to_path_buf();
            move |source| LedgerError { path, source }
        };
        fs::create_dir_all(&dir).map_err(fail(&dir))?;
        let name = &identity(record).to_hex()[..24];
        let path = dir.join(format!("{name}-{:x}-{:x}.json", record.time, std::process::id()));
        let mut text = serde_json::to_vec(record).map_err(|e| fail(&path)(e.into()))?;
        text.push(b'\n');
        let mut file = tempfile::Builder::new().prefix(".new-").tempfile_in(&dir).map_err(fail(&dir))?;
        file.write_all(&text).map_err(fail(&path))?;
        file.persist(&path).map_err(|e| fail(&path)(e.error))?;
        Ok(path)
    }

    /// Takes away records that a later one says again, and those whose working directory is gone since. Returns how
    /// many went, or would without `really`.
    ///
    /// # Errors
    /// [`LedgerError`] when the directory is there and cannot be listed.
    pub fn prune(&self, really: bool) -> Result<usize, LedgerError> {
        let mut latest: BTreeMap<[u8; 32], (u64, PathBuf)> = BTreeMap::new();
        let mut old = Vec::new();
        for path in self.files()? {
            let Some(record) = read_record(&path) else {
                old.push(path);
                continue;
            };
            if !record.cwd.is_dir() {
                old.push(path);
                continue;
            }
            let key = *identity(&record).as_bytes();
            let new = (record.time, path);
            match latest.get_mut(&key) {
                Some(kept) if kept.0 <= new.0 => old.push(std::mem::replace(kept, new).1),
                Some(_) => old.push(new.1),
                None => {
                    latest.insert(key, new);
                }
            }
        }
        Ok(old.iter().filter(|path| !really || fs::remove_file(path).is_ok()).count())
    }

    fn files(&self) -> Result<Vec<PathBuf>, LedgerError> {
        let mut files = Vec::new();
        for shard in list(&self.dir)? {
            if shard.is_dir() {
                files.extend(list(&shard)?);
            }
        }
        files.retain(|f| f.extension().is_some_and(|e| e == "json"));
        Ok(files)
    }

    /// Reads every record. A ledger that does not exist is empty.
    ///
    /// # Errors
    /// [`LedgerError`] when the directory is there and cannot be listed. Unreadable records are counted.
    pub fn read(&self) -> Result<Contents, LedgerError> {
        let mut contents = Contents::default();
        for path in self.files()? {
            match read_record(&path) {
                Some(record) => contents.records.push(record),
                None => contents.damaged += 1,
            }
        }
        contents.records.sort_by_key(|record| record.time);
        Ok(contents)
    }
}

fn read_record(path: &Path) -> Option<Record> {
    let text = fs::read(path).ok()?;
    serde_json::from_slice::<Record>(&text).ok().filter(|record| record.version == VERSION)
}

fn list(dir: &Path) -> Result<Vec<PathBuf>, LedgerError> {
    let fail = |source| LedgerError { path: dir.to_path_buf(), source };
    let entries = match fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(fail(e)),
    };
    let mut out = Vec::new();
    for entry in entries {
        out.push(entry.map_err(fail)?.path());
    }
    out.sort();
    Ok(out)
}

/// What makes two records the same event: everything but the time, the messages and whether the cache helped.
fn identity(record: &Record) -> Hash {
    let mut hasher = blake3::Hasher::new();
    let mut part = |bytes: &[u8]| {
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    part(record.cwd.as_os_str().as_bytes());
    for word in record.real.iter().chain(&record.argv) {
        part(word.as_bytes());
    }
    part(&[record.class as u8, u8::from(record.status.success())]);
    let hash_bytes = |h: &Option<Hash>| h.map(|h| *h.as_bytes()).unwrap_or_default();
    for compile in &record.compiles {
        part(compile.source.as_os_str().as_bytes());
        for hash in [&compile.source_hash, &compile.object_hash, &compile.unit] {
            part(&hash_bytes(hash));
        }
    }
    if let Some(link) = &record.link {
        part(&hash_bytes(&link.output_hash));
    }
    hasher.finalize()
}
