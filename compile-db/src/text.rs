//! Serde forms of what JSON cannot say directly: paths and arguments of any bytes, and hashes.
//!
//! UTF-8 is a JSON string; anything else is `{"hex": "…"}`, so that no file name is ever changed or lost.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

use blake3::Hash;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// An operating-system string with a lossless JSON form.
#[derive(Clone, Debug)]
struct Text(OsString);

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_os(&self.0, serializer)
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Form {
            Plain(String),
            Hex { hex: String },
        }
        match Form::deserialize(deserializer)? {
            Form::Plain(text) => Ok(Text(text.into())),
            Form::Hex { hex } => unhex(&hex)
                .map(|bytes| Text(OsString::from_vec(bytes)))
                .ok_or_else(|| D::Error::custom("malformed hex bytes")),
        }
    }
}

fn serialize_os<S: Serializer>(text: &OsStr, serializer: S) -> Result<S::Ok, S::Error> {
    if let Some(plain) = text.to_str() {
        return serializer.serialize_str(plain);
    }
    let hex: String = text.as_bytes().iter().map(|b| format!("{b:02x}")).collect();
    serializer.collect_map([("hex", hex)])
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes();
    if !digits.len().is_multiple_of(2) {
        return None;
    }
    let value = |b: u8| (b as char).to_digit(16);
    digits.chunks(2).map(|pair| Some((value(pair[0])? * 16 + value(pair[1])?) as u8)).collect()
}

/// `#[serde(with = "text::os")]` for one `OsString`.
pub mod os {
    use super::*;

    /// Writes the string.
    pub fn serialize<S: Serializer>(text: &OsString, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_os(text, serializer)
    }

    /// Reads the string.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<OsString, D::Error> {
        Ok(Text::deserialize(deserializer)?.0)
    }
}

/// `#[serde(with = "text::path")]` for one `PathBuf`.
pub mod path {
    use super::*;

    /// Writes the path.
    pub fn serialize<S: Serializer>(path: &std::path::Path, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_os(path.as_os_str(), serializer)
    }

    /// Reads the path.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PathBuf, D::Error> {
        Ok(Text::deserialize(deserializer)?.0.into())
    }
}

/// `#[serde(with = "text::opt_path")]` for a path that may be absent.
pub mod opt_path {
    use super::*;

    /// Writes the path or null.
    pub fn serialize<S: Serializer>(path: &Option<PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
        path.clone().map(|p| Text(p.into_os_string())).serialize(serializer)
    }

    /// Reads the path or null.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<PathBuf>, D::Error> {
        Ok(Option::<Text>::deserialize(deserializer)?.map(|t| t.0.into()))
    }
}

/// `#[serde(with = "text::args")]` for a command line.
pub mod args {
    use super::*;

    /// Writes the arguments.
    pub fn serialize<S: Serializer>(args: &[OsString], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(args.iter().map(|a| Text(a.clone())))
    }

    /// Reads the arguments.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<OsString>, D::Error> {
        Ok(Vec::<Text>::deserialize(deserializer)?.into_iter().map(|t| t.0).collect())
    }
}

/// `#[serde(with = "text::opt_hash")]` for a hash that may be absent, in hex.
pub mod opt_hash {
    use super::*;

    /// Writes the hash or null.
    pub fn serialize<S: Serializer>(hash: &Option<Hash>, serializer: S) -> Result<S::Ok, S::Error> {
        hash.map(|h| h.to_hex().to_string()).serialize(serializer)
    }

    /// Reads the hash or null.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Hash>, D::Error> {
        Option::<String>::deserialize(deserializer)?
            .map(|hex| Hash::from_hex(hex).map_err(D::Error::custom))
            .transpose()
    }
}
