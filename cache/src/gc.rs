//! Keeping a store below a size: the entries that were used longest ago go first.
//!
//! An entry is marked as used by [`Store::touch`](crate::Store::touch) and by being written. What was used after
//! `keep_since` stays, so that a build under way never loses what it has just made. Everything may go at any
//! moment: whoever needs an entry again makes it again.

use std::fs;
use std::path::PathBuf;
use std::time::SystemTime;

use crate::Store;

/// How large a store is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Files.
    pub entries: usize,
    /// Bytes in them.
    pub bytes: u64,
}

/// What a collection did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Collected {
    /// Before.
    pub before: Usage,
    /// What went, or would have.
    pub removed: Usage,
}

struct Entry {
    used: SystemTime,
    bytes: u64,
    path: PathBuf,
}

impl Store {
    /// How large the store is, temporary files left out.
    #[must_use]
    pub fn usage(&self) -> Usage {
        let entries = self.entries();
        Usage { entries: entries.len(), bytes: entries.iter().map(|e| e.bytes).sum() }
    }

    /// Removes entries, those used longest ago first, until at most `limit` bytes are left or only such as were used
    /// after `keep_since`. Without `really` it only counts.
    pub fn collect(&self, limit: u64, keep_since: SystemTime, really: bool) -> Collected {
        let mut entries = self.entries();
        entries.sort_by(|a, b| (a.used, &a.path).cmp(&(b.used, &b.path)));
        let bytes = entries.iter().map(|e| e.bytes).sum();
        let mut out = Collected { before: Usage { entries: entries.len(), bytes }, ..Collected::default() };
        for entry in entries {
            if out.before.bytes - out.removed.bytes <= limit || entry.used >= keep_since {
                break;
            }
            if !really || fs::remove_file(&entry.path).is_ok() {
                out.removed.entries += 1;
                out.removed.bytes += entry.bytes;
            }
        }
        out
    }

    fn entries(&self) -> Vec<Entry> {
        let mut out = Vec::new();
        let mut open: Vec<PathBuf> = list(&self.base).filter(|p| p.file_name().is_some_and(|n| n != "tmp")).collect();
        while let Some(path) = open.pop() {
            let Ok(data) = fs::symlink_metadata(&path) else { continue };
            if data.is_dir() {
                open.extend(list(&path));
            } else if data.is_file() {
                let used = data.modified().unwrap_or(SystemTime::UNIX_EPOCH);
                out.push(Entry { used, bytes: data.len(), path });
            }
        }
        out
    }
}

fn list(dir: &std::path::Path) -> impl Iterator<Item = PathBuf> + use<> {
    fs::read_dir(dir).into_iter().flatten().flatten().map(|e| e.path())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind;
    use std::time::Duration;

    #[test]
    fn what_was_used_longest_ago_goes_first() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path()).unwrap();
        let units: Vec<_> = (0..4u8).map(|i| store.put(Kind::UNIT, &[i; 100]).unwrap()).collect();
        let old = SystemTime::now() - Duration::from_secs(1000);
        for (i, unit) in units.iter().enumerate() {
            let file = fs::File::options().append(true).open(store.content_path(Kind::UNIT, unit)).unwrap();
            file.set_modified(old + Duration::from_secs(i as u64)).unwrap();
        }
        store.touch(Kind::UNIT, &units[0], SystemTime::now());
        let keep = SystemTime::now() - Duration::from_secs(500);
        let dry = store.collect(250, keep, false);
        assert_eq!((dry.before.bytes, dry.removed.entries), (400, 2));
        assert_eq!(store.usage().entries, 4);
        assert_eq!(store.collect(250, keep, true), dry);
        let left: Vec<bool> = units.iter().map(|u| store.contains(Kind::UNIT, u)).collect();
        assert_eq!(left, [true, false, false, true]);
        // What is in use stays, whatever the limit.
        store.collect(0, keep, true);
        assert!(store.contains(Kind::UNIT, &units[0]));
    }
}
