//! Comparisons that were made before: the same two programs, compared in the same way by the same `verify`, are not
//! compared again.

use crate::tools::Env;
use serde::Serialize;
use serde::de::DeserializeOwned;
use verify_cache::Kind;
use verify_ir::Module;

const KIND: Kind = Kind::new("diff");

/// Where the answer of a comparison is kept; `None` when it cannot be.
pub fn key(old: &Module, new: &Module, how: &[String]) -> Option<verify_cache::Hash> {
    let mut h = blake3::Hasher::new();
    let mut add = |bytes: &[u8]| {
        h.update(&(bytes.len() as u64).to_le_bytes()).update(bytes);
    };
    add(&crate::tools::itself()?);
    for m in [old, new] {
        add(&verify_ir::binary::encode(m).ok()?);
    }
    how.iter().for_each(|s| add(s.as_bytes()));
    Some(h.finalize())
}

/// The answer, from the cache or made now; and whether it was there.
pub fn cached<T: Serialize + DeserializeOwned>(
    env: &Env,
    key: Option<verify_cache::Hash>,
    make: impl FnOnce() -> T,
) -> (T, bool) {
    let Some(key) = key else { return (make(), false) };
    if let Some(found) = env.store.get_keyed(KIND, &key).and_then(|b| serde_json::from_slice(&b).ok()) {
        return (found, true);
    }
    let made = make();
    if let Ok(bytes) = serde_json::to_vec(&made) {
        // The cache is a convenience: where it cannot be written, the answer stands all the same.
        let _ = env.store.put_keyed(KIND, &key, &bytes);
    }
    (made, false)
}
