//! Reports of a scan's tasks in the cache: what the same `verify` found out about the same program is not asked again.

use crate::tools::{self, Env};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use verify_cache::{Kind, Store};
use verify_engine::Memory;
use verify_engine::memory::Key;

const KIND: Kind = Kind::new("report");

/// Reports of this `verify` in the cache.
#[derive(Debug)]
pub struct Reports {
    store: Store,
    itself: Vec<u8>,
    /// Nothing is read.
    fresh: bool,
    recalled: AtomicUsize,
    done: AtomicUsize,
}

impl Reports {
    /// Those in the cache; [`None`]: this program cannot tell which one it is. With `fresh` they are only written.
    pub fn open(env: &Env, fresh: bool) -> Option<Arc<Reports>> {
        let (store, itself) = (env.store.clone(), tools::itself()?);
        Some(Arc::new(Reports { store, itself, fresh, recalled: AtomicUsize::new(0), done: AtomicUsize::new(0) }))
    }

    /// Tasks that an earlier scan had done, and all.
    pub fn counts(&self) -> (usize, usize) {
        let recalled = self.recalled.load(Relaxed);
        (recalled, recalled + self.done.load(Relaxed))
    }

    fn key(&self, key: &Key) -> verify_cache::Hash {
        let mut h = blake3::Hasher::new();
        h.update(&self.itself).update(key);
        h.finalize()
    }
}

impl Memory for Reports {
    fn recall(&self, key: &Key) -> Option<Vec<u8>> {
        let key = self.key(key);
        let found = if self.fresh { None } else { self.store.get_keyed(KIND, &key) };
        if found.is_some() {
            self.store.touch_keyed(KIND, &key, std::time::SystemTime::now());
        }
        found
    }

    fn keep(&self, key: &Key, bytes: &[u8]) {
        // The cache is a convenience: where it cannot be written, the next scan asks again.
        let _ = self.store.put_keyed(KIND, &self.key(key), bytes);
    }

    fn count(&self, recalled: bool) {
        let counter = if recalled { &self.recalled } else { &self.done };
        counter.fetch_add(1, Relaxed);
    }
}
