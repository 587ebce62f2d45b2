//! compile_commands.json: reading both forms (`arguments`, `command`) and writing it.
//!
//! Every error is one line that names the file and the entry. A source that does not exist is no error here: the
//! entry is there and [`CompileDb::missing`] lists it, since half a database is still worth a scan.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::quote::split_posix;
use crate::record::{Class, Record};

/// One entry of a compilation database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Position in the file, from 0.
    pub index: usize,
    /// Working directory, absolute.
    pub directory: PathBuf,
    /// The source as written, relative to `directory` or absolute.
    pub file: PathBuf,
    /// The command line, program first.
    pub arguments: Vec<OsString>,
    /// The output as written, when there is the field.
    pub output: Option<PathBuf>,
}

impl Entry {
    /// The source as a path that can be opened from anywhere.
    #[must_use]
    pub fn source_path(&self) -> PathBuf {
        self.directory.join(&self.file)
    }
}

/// A compilation database.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CompileDb {
    /// The entries in file order, duplicates included.
    pub entries: Vec<Entry>,
}

/// Why a compilation database cannot be read. One line, naming file and entry.
#[derive(Debug, thiserror::Error)]
pub enum DbError {
    /// The file cannot be read.
    #[error("{}: {source}", path.display())]
    Read {
        /// The database.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// Not JSON.
    #[error("{}: not valid JSON: {source}", path.display())]
    Json {
        /// The database.
        path: PathBuf,
        /// Where and what.
        source: serde_json::Error,
    },
    /// JSON, but no array of entries.
    #[error("{}: not a compilation database: expected an array of objects, found {found}", path.display())]
    Shape {
        /// The database.
        path: PathBuf,
        /// What stands there instead.
        found: &'static str,
    },
    /// An entry is not as it must be.
    #[error("{}: entry {index}: {problem}", path.display())]
    Entry {
        /// The database.
        path: PathBuf,
        /// Position in the array, from 0.
        index: usize,
        /// What is wrong.
        problem: String,
    },
}

impl CompileDb {
    /// Reads `path`; relative `directory` fields are seen from the folder that holds the file.
    ///
    /// # Errors
    /// [`DbError`] for an unreadable or malformed file.
    pub fn read(path: &Path) -> Result<CompileDb, DbError> {
        let text = fs::read(path).map_err(|source| DbError::Read { path: path.to_path_buf(), source })?;
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
        let base = absolute.parent().unwrap_or(Path::new("/"));
        CompileDb::parse(&text, path, base)
    }

    /// Parses the text of a database; `path` is only named in errors, `base` is where relative directories start.
    ///
    /// # Errors
    /// [`DbError`] for malformed text.
    pub fn parse(text: &[u8], path: &Path, base: &Path) -> Result<CompileDb, DbError> {
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        let foreign = foreign(text);
        let value: Value = serde_json::from_slice(foreign.as_ref().map_or(text, |t| t.as_bytes()))
            .map_err(|source| DbError::Json { path: path.to_path_buf(), source })?;
        let Value::Array(items) = value else {
            return Err(DbError::Shape { path: path.to_path_buf(), found: name_of(&value) });
        };
        let entries = items
            .into_iter()
            .enumerate()
            .map(|(index, item)| {
                entry(index, item, base, foreign.is_some()).map_err(|problem| DbError::Entry {
                    path: path.to_path_buf(),
                    index,
                    problem,
                })
            })
            .collect::<Result<_, _>>()?;
        Ok(CompileDb { entries })
    }

    /// The entries whose source is not there.
    #[must_use]
    pub fn missing(&self) -> Vec<&Entry> {
        self.entries.iter().filter(|e| !e.source_path().is_file()).collect()
    }

    /// The database of what the records compiled, in their order (sources of probes left out).
    #[must_use]
    pub fn from_records(records: &[Record]) -> CompileDb {
        let mut entries = Vec::new();
        for record in records.iter().filter(|r| r.class != Class::Probe && r.status.success()) {
            for compile in &record.compiles {
                entries.push(Entry {
                    index: entries.len(),
                    directory: record.cwd.clone(),
                    file: compile.source.clone(),
                    arguments: record.real.iter().chain(&record.argv).cloned().collect(),
                    output: compile.object.clone(),
                });
            }
        }
        CompileDb { entries }
    }

    /// The text of the database, `arguments` form, one field to a line. Paths and arguments that are no UTF-8 are
    /// written with U+FFFD, as JSON has no way to say them.
    #[must_use]
    pub fn to_json(&self) -> String {
        let items = self
            .entries
            .iter()
            .map(|e| {
                let mut map = Map::new();
                map.insert("directory".into(), e.directory.to_string_lossy().into());
                let words = e.arguments.iter().map(|a| a.to_string_lossy().into());
                map.insert("arguments".into(), Value::Array(words.collect()));
                map.insert("file".into(), e.file.to_string_lossy().into());
                if let Some(output) = &e.output {
                    map.insert("output".into(), output.to_string_lossy().into());
                }
                Value::Object(map)
            })
            .collect();
        let mut text = format!("{:#}", Value::Array(items));
        text.push('\n');
        text
    }
}

/// Characters for private use from here on stand for the bytes of a text that is no UTF-8.
const FOREIGN: u32 = 0x10_ff00;

/// A text that is no UTF-8, as CMake writes it where file names are none, with characters in place of the bytes that are not.
fn foreign(text: &[u8]) -> Option<String> {
    if std::str::from_utf8(text).is_ok() {
        return None;
    }
    let mut out = String::with_capacity(text.len() + 64);
    for chunk in text.utf8_chunks() {
        out.push_str(chunk.valid());
        out.extend(chunk.invalid().iter().filter_map(|b| char::from_u32(FOREIGN + u32::from(*b))));
    }
    Some(out)
}

/// A string of the database as it was written.
fn os(text: &str, foreign: bool) -> OsString {
    if !foreign {
        return text.into();
    }
    let mut bytes = Vec::with_capacity(text.len());
    for c in text.chars() {
        match u8::try_from(u32::from(c).wrapping_sub(FOREIGN)) {
            Ok(byte @ 0x80..) => bytes.push(byte),
            _ => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    OsString::from_vec(bytes)
}

fn entry(index: usize, item: Value, base: &Path, foreign: bool) -> Result<Entry, String> {
    let Value::Object(map) = item else {
        return Err(format!("expected an object, found {}", name_of(&item)));
    };
    let text = |field: &str| match map.get(field) {
        None => Ok(None),
        Some(Value::String(text)) => match text.contains('\0') {
            true => Err(format!("\"{field}\" contains a NUL character")),
            false => Ok(Some(text.as_str())),
        },
        Some(other) => Err(format!("\"{field}\" must be a string, found {}", name_of(other))),
    };
    let needed = |field: &str| match text(field)? {
        None => Err(format!("\"{field}\" is missing")),
        Some("") => Err(format!("\"{field}\" is empty")),
        Some(text) => Ok(text),
    };
    let directory = base.join(os(needed("directory")?, foreign));
    let file = PathBuf::from(os(needed("file")?, foreign));
    let output = text("output")?.filter(|o| !o.is_empty()).map(|o| PathBuf::from(os(o, foreign)));
    let arguments: Vec<OsString> = match (map.get("arguments"), text("command")?) {
        // `arguments` is preferred where both are given, as the format's description asks.
        (Some(Value::Array(words)), _) => words
            .iter()
            .enumerate()
            .map(|(i, word)| match word {
                Value::String(word) if word.contains('\0') => {
                    Err(format!("\"arguments\"[{i}] contains a NUL character"))
                }
                Value::String(word) => Ok(os(word, foreign)),
                other => Err(format!("\"arguments\"[{i}] must be a string, found {}", name_of(other))),
            })
            .collect::<Result<_, _>>()?,
        (Some(other), _) => {
            return Err(format!("\"arguments\" must be an array, found {}", name_of(other)));
        }
        (None, Some(command)) => split_posix(os(command, foreign).as_bytes()),
        (None, None) => return Err("neither \"arguments\" nor \"command\"".into()),
    };
    if arguments.is_empty() {
        return Err("the command line is empty".into());
    }
    Ok(Entry { index, directory, file, arguments, output })
}

fn name_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}
