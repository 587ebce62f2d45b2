//! What a unit was made from, written down so that the next build can tell without preprocessing that nothing changed.
//!
//! A manifest stands in the cache under the hash of the command: tools, translated command line, working directory,
//! and the environment that clang reads. It names every file that was read with its content, and every place where
//! a header was looked for and not found. It holds when all that is still so. Where the text does not say what it
//! includes (`#include MACRO`), or says the time, there is no telling without the preprocessor, and the manifest
//! says so.
//!
//! The same manifest, kept under the place of the object as well, says later why a unit had to be made anew.

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use blake3::{Hash, Hasher};
use serde::{Deserialize, Serialize};
use verify_cache::{Kind, Store};
use verify_compile_db::paths::hash_file;
use verify_compile_db::text;

use crate::absence::{self, Looked};
use crate::capture::{Job, Tools};
use crate::markers;
use crate::stamp::{Stamp, is_older};
use crate::translate::{common_options, emit_options};

/// Changes when what a unit is made of changes in a way that the tools' identity does not show.
pub(crate) const KEY_VERSION: &str = "unit-key-5";

const MANIFEST: Kind = Kind::new("manifest");
const LAST: Kind = Kind::new("last");

/// How many manifests of one command are kept: going back and forth between versions makes nothing anew.
const REMEMBERED: usize = 4;

/// What clang takes from the environment.
const READ_ENV: &[&str] = &[
    "CPATH",
    "C_INCLUDE_PATH",
    "CPLUS_INCLUDE_PATH",
    "OBJC_INCLUDE_PATH",
    "SDKROOT",
    "SOURCE_DATE_EPOCH",
    "MACOSX_DEPLOYMENT_TARGET",
    "PWD",
];

/// What one unit was made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    #[serde(with = "text::opt_hash")]
    pub unit: Option<Hash>,
    #[serde(with = "text::args")]
    tools: Vec<OsString>,
    #[serde(with = "text::args")]
    words: Vec<OsString>,
    #[serde(with = "text::args")]
    env: Vec<OsString>,
    files: Vec<Seen>,
    /// Headers that were looked for and are not there.
    absent: Vec<Seen>,
    /// Folders that headers were looked for in and that are not there.
    no_folders: Vec<Folder>,
    /// Why it cannot be trusted without preprocessing.
    pub blind: Option<String>,
    /// A text that is read now need not be the one that the unit was made from, though no file has changed.
    #[serde(skip)]
    pub unsure: bool,
    /// How the text was read when not by clang's own preprocessor.
    pub note: Option<String>,
}

/// A path with the content that was seen there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Seen {
    #[serde(with = "text::path")]
    path: PathBuf,
    /// In hex; none when no regular file was there.
    hash: Option<String>,
    /// With the same stamp it has the same content, and need not be read.
    #[serde(default)]
    stamp: Option<Stamp>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Folder {
    #[serde(with = "text::path")]
    path: PathBuf,
}

impl Seen {
    fn now(cwd: &Path, path: PathBuf) -> Seen {
        // The stamp first: what is read later is no older.
        let stamp = Stamp::of(&cwd.join(&path));
        let hash = hash_file(&cwd.join(&path)).map(|h| h.to_hex().to_string());
        Seen { path, hash, stamp }
    }

    fn holds(&self, cwd: &Path) -> bool {
        let path = cwd.join(&self.path);
        match &self.hash {
            Some(_) if self.stamp.is_some() && self.stamp == Stamp::of(&path) => true,
            Some(hash) => hash_file(&path).is_some_and(|h| h.to_hex().as_str() == hash),
            None => !absence::can_be_included(&path),
        }
    }
}

/// A tool by where it is, how long, and how old: a new build of it never uses the units of the old one.
pub(crate) fn tool_identity(path: &Path) -> OsString {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let mut out = path.clone().into_os_string();
    if let Ok(data) = fs::metadata(&path) {
        let modified = data.modified().ok().and_then(|t| t.duration_since(SystemTime::UNIX_EPOCH).ok());
        out.push(format!(" of {} bytes, {}", data.len(), modified.unwrap_or_default().as_nanos()));
    }
    out
}

/// The hash of everything about a job that is known before any file is read.
pub(crate) fn command_key(tools: &Tools, job: &Job) -> Hash {
    let fresh = Manifest::of_command(tools, job);
    let mut hasher = Hasher::new();
    let mut part = |bytes: &[u8]| {
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    part(KEY_VERSION.as_bytes());
    part(env!("CARGO_PKG_VERSION").as_bytes());
    part(job.cwd.as_os_str().as_bytes());
    part(job.source.as_os_str().as_bytes());
    part(job.language.as_bytes());
    part(&[u8::from(job.model)]);
    part(job.stdin.as_deref().unwrap_or_default());
    for list in [&fresh.tools, &fresh.words, &fresh.env, &job.real] {
        part(&(list.len() as u64).to_le_bytes());
        for word in list {
            part(word.as_bytes());
        }
    }
    hasher.finalize()
}

/// Where the latest manifest of an object is kept, whatever its command.
fn place_key(job: &Job) -> Hash {
    let mut hasher = Hasher::new();
    for path in [Some(&job.cwd), Some(&job.source), job.object.as_ref()] {
        let bytes = path.map(|p| p.as_os_str().as_bytes()).unwrap_or_default();
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    }
    hasher.finalize()
}

impl Manifest {
    fn of_command(tools: &Tools, job: &Job) -> Manifest {
        let mut words = job.args.clone();
        words.extend(common_options());
        words.extend(emit_options());
        let env = READ_ENV.iter().filter_map(|name| {
            let mut line = OsString::from(format!("{name}="));
            line.push(env::var_os(name)?);
            Some(line)
        });
        Manifest {
            unit: None,
            tools: vec![tool_identity(&tools.clang), tool_identity(&tools.lower)],
            words,
            env: env.collect(),
            files: Vec::new(),
            absent: Vec::new(),
            no_folders: Vec::new(),
            blind: None,
            unsure: false,
            note: None,
        }
    }

    /// Writes down what was read after `since`: `files` by name, and `dirs`, where headers are looked for.
    pub(crate) fn new(
        tools: &Tools,
        job: &Job,
        files: &BTreeSet<PathBuf>,
        dirs: &[PathBuf],
        since: SystemTime,
    ) -> Manifest {
        let mut out = Manifest::of_command(tools, job);
        // What `#line` names is read for nothing but the unit's own copy of its lines.
        let mut named = BTreeSet::new();
        let mut looked = Looked::new(&job.cwd, files, dirs);
        looked.command(&job.args);
        if let Some(text) = &job.stdin {
            looked.text(&job.source, text);
        }
        // The empty device is always that.
        for file in files.iter().filter(|file| *file != Path::new("/dev/null")) {
            let pseudo = file.as_os_str().as_bytes().starts_with(b"<");
            let stamp = Stamp::of(&job.cwd.join(file));
            let Ok(text) = fs::read(job.cwd.join(file)) else {
                if !pseudo {
                    out.files.push(Seen { path: file.clone(), hash: None, stamp: None });
                }
                continue;
            };
            named.extend(markers::files_named(&text).into_iter().filter(|name| !files.contains(name)));
            out.files.push(Seen { path: file.clone(), hash: Some(blake3::hash(&text).to_hex().to_string()), stamp });
            looked.text(file, &text);
        }
        let read = files.iter().filter_map(|file| fs::read(job.cwd.join(file)).ok());
        looked.settle(&job.args, read.chain(job.stdin.clone()));
        out.files.extend(named.into_iter().map(|path| Seen::now(&job.cwd, path)));
        let absent = looked.absent();
        let nothing = |path| Seen { path, hash: None, stamp: None };
        out.absent = absent.missing.into_iter().map(nothing).collect();
        out.absent.extend(absent.asked.iter().map(|path| Seen::now(&job.cwd, path.clone())));
        out.no_folders = absent.folders.into_iter().map(|path| Folder { path }).collect();
        let late = |path: &&PathBuf| !is_older(&job.cwd.join(path), since);
        let late = absent.unread.iter().chain(&absent.asked).find(late);
        out.unsure = looked.asks_unseen || late.is_some();
        let late = late.map(|path| format!("{} may have come while the source was compiled", path.display()));
        out.blind = looked.blind.or(late);
        out
    }

    /// Whether everything is as it was.
    pub(crate) fn holds(&self, cwd: &Path) -> bool {
        let gone = |folder: &Folder| !cwd.join(&folder.path).is_dir();
        self.blind.is_none()
            && self.files.iter().chain(&self.absent).all(|seen| seen.holds(cwd))
            && self.no_folders.iter().all(gone)
    }

    /// Whether a file that was read has been given another content, or one that was looked for has come, not later than
    /// `time`.
    pub(crate) fn changed_by(&self, cwd: &Path, time: SystemTime) -> bool {
        let old = |path: &Path| fs::metadata(cwd.join(path)).and_then(|m| m.modified()).is_ok_and(|t| t <= time);
        self.files.iter().chain(&self.absent).any(|seen| old(&seen.path) && !seen.holds(cwd))
    }

    /// What the command was made from when it was last run, latest first.
    pub(crate) fn history(store: &Store, key: &Hash) -> Vec<Manifest> {
        store.get_keyed(MANIFEST, key).and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default()
    }

    /// The manifest of the latest unit for the job's object.
    pub(crate) fn last(store: &Store, job: &Job) -> Option<Manifest> {
        serde_json::from_slice(&store.get_keyed(LAST, &place_key(job))?).ok()
    }

    /// Keeps the manifest before what is known from earlier; a cache that cannot be written goes without.
    pub(crate) fn save(&self, store: &Store, key: &Hash, job: &Job, history: &[Manifest]) {
        let mut all = vec![self];
        let content = |m: &Manifest| -> Vec<(PathBuf, Option<String>)> {
            m.files.iter().chain(&m.absent).map(|s| (s.path.clone(), s.hash.clone())).collect()
        };
        let own = content(self);
        all.extend(history.iter().filter(|m| content(m) != own));
        all.truncate(REMEMBERED);
        if let (Ok(all), Ok(own)) = (serde_json::to_vec(&all), serde_json::to_vec(self)) {
            let _ = store.put_keyed(MANIFEST, key, &all);
            let _ = store.put_keyed(LAST, &place_key(job), &own);
        }
    }

    /// What differs now from when this manifest was written, in words; empty when nothing does.
    pub(crate) fn changes(&self, tools: &Tools, job: &Job) -> Vec<String> {
        let now = Manifest::of_command(tools, job);
        let mut out = Vec::new();
        for (what, (old, new)) in ["clang", "verify-lower"].iter().zip(self.tools.iter().zip(&now.tools)) {
            if old != new {
                out.push(format!("{what} is another one than before"));
            }
        }
        let lists = [("the command", &self.words, &now.words), ("the environment", &self.env, &now.env)];
        for (what, old, new) in lists {
            let only = |a: &[OsString], b: &[OsString]| -> Vec<String> {
                a.iter().filter(|w| !b.contains(w)).map(|w| w.to_string_lossy().into_owned()).collect()
            };
            let (gone, come) = (only(old, new), only(new, old));
            if !gone.is_empty() {
                out.push(format!("{what} no longer has {}", gone.join(" ")));
            }
            if !come.is_empty() {
                out.push(format!("{what} now has {}", come.join(" ")));
            }
            if gone.is_empty() && come.is_empty() && old != new {
                out.push(format!("{what} has another order"));
            }
        }
        for seen in self.files.iter().filter(|s| !s.holds(&job.cwd)) {
            let gone = !absence::can_be_included(&job.cwd.join(&seen.path));
            out.push(format!("{} {}", seen.path.display(), if gone { "is gone" } else { "changed" }));
        }
        for seen in self.absent.iter().filter(|s| !s.holds(&job.cwd)) {
            let verb = match &seen.hash {
                Some(_) => "changed or is gone",
                None => "is there now, where it was looked for before",
            };
            out.push(format!("{} {verb}", seen.path.display()));
        }
        for Folder { path } in self.no_folders.iter().filter(|f| job.cwd.join(&f.path).is_dir()) {
            out.push(format!("the folder {} is there now, where headers were looked for before", path.display()));
        }
        out
    }
}
