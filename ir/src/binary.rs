//! The binary form: what a captured unit is on disk. Versioned, hashed, compressed, deterministic.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | magic `VERIFYIR` |
//! | 4 | [`FORMAT_VERSION`], little endian |
//! | 8 | length of the payload before compression, little endian |
//! | 32 | BLAKE3 of the length field and the compressed payload |
//! | rest | zstd(postcard([`Module`])) |
//!
//! Invariant: [`decode`] returns an error and never panics, whatever the bytes; the memory it takes is bounded by a
//! constant times the *actual* payload, which is at most [`MAX_PAYLOAD`]. It does not check well-formedness:
//! [`decode_checked`] does. What it is not: a stable format. A file of another version is refused.

use crate::FORMAT_VERSION;
use crate::check::{self, Problem};
use crate::module::Module;
use std::io::Read;

/// The first bytes of every file.
pub const MAGIC: &[u8; 8] = b"VERIFYIR";
/// Largest payload before compression, in bytes (2 GiB). More than any translation unit that a compiler survives.
pub const MAX_PAYLOAD: u64 = 2 << 30;
const HEADER: usize = 8 + 4 + 8 + 32;
/// Units are written once per compilation, in the way of the build: speed over ratio.
const LEVEL: i32 = 1;
/// zstd may not ask for a window of more than 2^27 bytes, whatever the frame header says.
const WINDOW_LOG_MAX: u32 = 27;

/// Why a module could not be written.
#[derive(Debug, thiserror::Error)]
pub enum EncodeError {
    /// The module is larger than the format allows.
    #[error("the module takes {0} bytes, more than the {MAX_PAYLOAD} that the format allows")]
    TooLarge(u64),
    /// The serialiser or compressor failed.
    #[error("cannot write the module: {0}")]
    Internal(String),
}

/// Why bytes are not a module.
#[derive(Debug, thiserror::Error)]
pub enum DecodeError {
    /// Not a file of this kind at all.
    #[error("not a verify IR file")]
    NotIr,
    /// Another version of the format.
    #[error("made by another version of verify (format {found}, this one reads {FORMAT_VERSION}); run the build again")]
    Version {
        /// Version in the file.
        found: u32,
    },
    /// Cut off inside the header.
    #[error("the file is cut off; run the build again")]
    Truncated,
    /// The content does not match its hash.
    #[error("the file is damaged (its content does not match its hash); run the build again")]
    Hash,
    /// Larger than [`MAX_PAYLOAD`], or larger than it says.
    #[error("the file claims or holds more than {MAX_PAYLOAD} bytes or more than its header says")]
    TooLarge,
    /// Hash and version are right but the payload is not a module.
    #[error("the file's payload is malformed: {0}")]
    Payload(String),
    /// Decoded, but not well formed ([`decode_checked`] only).
    #[error("the file's module is not well formed: {} ({} problems)", .0.first().map(ToString::to_string).unwrap_or_default(), .0.len())]
    IllFormed(Vec<Problem>),
}

/// The module as bytes. The same module gives the same bytes.
pub fn encode(module: &Module) -> Result<Vec<u8>, EncodeError> {
    let raw = postcard::to_stdvec(module).map_err(|e| EncodeError::Internal(e.to_string()))?;
    let len = raw.len() as u64;
    if len > MAX_PAYLOAD {
        return Err(EncodeError::TooLarge(len));
    }
    let packed = zstd::bulk::compress(&raw, LEVEL).map_err(|e| EncodeError::Internal(e.to_string()))?;
    let mut out = Vec::with_capacity(HEADER + packed.len());
    out.extend_from_slice(MAGIC);
    out.extend_from_slice(&FORMAT_VERSION.to_le_bytes());
    out.extend_from_slice(&len.to_le_bytes());
    out.extend_from_slice(payload_hash(len, &packed).as_bytes());
    out.extend_from_slice(&packed);
    Ok(out)
}

/// The module in these bytes; not checked for well-formedness.
pub fn decode(bytes: &[u8]) -> Result<Module, DecodeError> {
    if !bytes.starts_with(MAGIC) {
        return Err(DecodeError::NotIr);
    }
    let found = u32::from_le_bytes(*field::<4>(bytes, 8)?);
    if found != FORMAT_VERSION {
        return Err(DecodeError::Version { found });
    }
    let len = u64::from_le_bytes(*field::<8>(bytes, 12)?);
    let hash = field::<32>(bytes, 20)?;
    let packed = &bytes[HEADER..];
    if payload_hash(len, packed).as_bytes() != hash {
        return Err(DecodeError::Hash);
    }
    decode_payload(len, packed)
}

/// [`decode`], then [`check::check`].
pub fn decode_checked(bytes: &[u8]) -> Result<Module, DecodeError> {
    let module = decode(bytes)?;
    check::check(&module).map_err(DecodeError::IllFormed)?;
    Ok(module)
}

/// The part of [`decode`] behind the hash, for the fuzzer (which would never guess a hash).
#[doc(hidden)]
pub fn decode_payload(len: u64, packed: &[u8]) -> Result<Module, DecodeError> {
    if len > MAX_PAYLOAD {
        return Err(DecodeError::TooLarge);
    }
    let bad = |e: std::io::Error| DecodeError::Payload(e.to_string());
    let mut zstd = zstd::stream::read::Decoder::with_buffer(packed).map_err(bad)?.single_frame();
    zstd.window_log_max(WINDOW_LOG_MAX).map_err(bad)?;
    // Grows with what is really there: `len` is only a claim.
    let mut raw = Vec::new();
    zstd.take(len + 1).read_to_end(&mut raw).map_err(bad)?;
    match (raw.len() as u64).cmp(&len) {
        std::cmp::Ordering::Greater => return Err(DecodeError::TooLarge),
        std::cmp::Ordering::Less => return Err(DecodeError::Payload("shorter than its header says".into())),
        std::cmp::Ordering::Equal => {}
    }
    decode_raw(&raw)
}

/// The innermost part: postcard bytes.
#[doc(hidden)]
pub fn decode_raw(raw: &[u8]) -> Result<Module, DecodeError> {
    match postcard::take_from_bytes::<Module>(raw) {
        Ok((module, [])) => Ok(module),
        Ok((_, rest)) => Err(DecodeError::Payload(format!("{} bytes too many", rest.len()))),
        Err(e) => Err(DecodeError::Payload(e.to_string())),
    }
}

fn payload_hash(len: u64, packed: &[u8]) -> blake3::Hash {
    let mut h = blake3::Hasher::new();
    h.update(&len.to_le_bytes());
    h.update(packed);
    h.finalize()
}

fn field<const N: usize>(bytes: &[u8], at: usize) -> Result<&[u8; N], DecodeError> {
    bytes.get(at..at + N).and_then(|s| s.try_into().ok()).ok_or(DecodeError::Truncated)
}
