//! Headers that are there in precompiled form only.
//!
//! gcc takes `d/p.h.gch` for `-include p.h` where `d` is searched, whether or not there is a `d/p.h`; Meson and many Makefiles
//! build on that. clang needs the header's text. Whoever precompiles a header through the wrapper says where it is; that is
//! kept under the precompiled file, and holds as long as that is the same.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use verify_cache::{Hash, Kind, Store};
use verify_compile_db::paths::absolute;
use verify_compile_db::text;

use crate::capture::Job;
use crate::manifest::tool_identity;

const HEADER: Kind = Kind::new("header");

#[derive(Serialize, Deserialize)]
struct Made {
    /// The precompiled file as it was.
    #[serde(with = "text::path")]
    file: PathBuf,
    #[serde(with = "text::path")]
    header: PathBuf,
}

fn key(file: &Path) -> Hash {
    blake3::hash(file.as_os_str().as_bytes())
}

/// Keeps of which header a precompiled file was made; both absolute.
pub(crate) fn remember(store: &Store, file: &Path, header: &Path) {
    let made = Made { file: tool_identity(file).into(), header: header.to_path_buf() };
    if let Ok(text) = serde_json::to_vec(&made) {
        // Without it the sources that include it are missed, and the ledger says so.
        let _ = store.put_keyed(HEADER, &key(file), &text);
    }
}

/// The job with the headers in place of their precompiled forms.
pub(crate) fn resolve(store: &Store, job: &mut Job) {
    let dirs = searched(&job.args);
    let cwd = job.cwd.clone();
    for words in [&mut job.args, &mut job.real] {
        for at in 0..words.len() {
            let before = at.checked_sub(1).map(|b| words[b].as_bytes());
            let (option, name) = match words[at].as_bytes() {
                name if matches!(before, Some(b"-include" | b"--include")) => (&b""[..], name),
                word => match [&b"-include"[..], b"--include="].iter().find_map(|o| Some((*o, word.strip_prefix(*o)?)))
                {
                    Some((_, b"" | [b'-', ..])) | None => continue,
                    Some(found) => found,
                },
            };
            if let Some(header) = behind(store, &cwd, &dirs, Path::new(OsStr::from_bytes(name))) {
                words[at] = OsString::from_vec([option, header.as_os_str().as_bytes()].concat());
            }
        }
    }
}

/// The header whose precompiled form gcc finds under a name; none where it finds a header, or nothing is known.
fn behind(store: &Store, cwd: &Path, dirs: &[PathBuf], name: &Path) -> Option<PathBuf> {
    for dir in std::iter::once(Path::new("")).chain(dirs.iter().map(PathBuf::as_path)) {
        let plain = absolute(cwd, &dir.join(name));
        let mut file = plain.clone().into_os_string();
        file.push(".gch");
        let file = PathBuf::from(file);
        if fs::metadata(&file).is_ok_and(|data| data.is_file()) {
            let made: Made = serde_json::from_slice(&store.get_keyed(HEADER, &key(&file))?).ok()?;
            let same = made.file.as_os_str() == tool_identity(&file) && made.header != plain;
            return (same && made.header.is_file()).then_some(made.header);
        }
        if plain.is_file() {
            return None;
        }
    }
    None
}

/// The folders that a name in quotes is looked for in, in order.
fn searched(words: &[OsString]) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for option in ["-iquote", "-I", "-isystem"] {
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match word.as_bytes().strip_prefix(option.as_bytes()) {
                Some(b"") => out.extend(words.next().map(PathBuf::from)),
                Some(dir) => out.push(PathBuf::from(OsStr::from_bytes(dir))),
                None => {}
            }
        }
    }
    out
}
