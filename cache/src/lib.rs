//! Content-addressed store of what captures and analyses produce: units, bitcode, summaries.
//!
//! What it is: a directory of immutable blobs. A *content* entry is named by the BLAKE3 hash of its bytes; a
//! *keyed* entry is named by the hash of a key the caller chooses and carries the hash of its payload in front.
//! What it is not: it knows nothing of what the bytes mean, reads no environment (the path is handed in), and
//! throws nothing away by itself: a size limit is kept when its owner says so.
//!
//! Invariants, which hold under any number of processes and `kill -9` at any moment:
//! - An entry appears by one atomic rename of a completely written temporary file on the same file system; no
//!   reader ever sees half an entry under its final name.
//! - Every read checks the hash. An entry that does not match is *missing*, never an error and never bytes.
//! - Writing the same content twice is harmless and leaves one entry; a damaged entry is repaired by writing it.
//!
//! Nothing is `fsync`ed: after a power cut an entry may be lost or torn, the hash shows it, and it is made again.
#![forbid(unsafe_code)]

mod error;
mod gc;
mod store;

pub use blake3::{Hash, Hasher};
pub use error::{Error, Result};
pub use gc::{Collected, Usage};
pub use store::{Kind, Store};

/// The content hash used everywhere in the store: BLAKE3 of the bytes.
#[must_use]
pub fn hash(bytes: &[u8]) -> Hash {
    blake3::hash(bytes)
}
