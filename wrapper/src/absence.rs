//! Where a compilation looked for headers that are not there, read off the texts and the command without preprocessing.
//!
//! A unit made from a header further down the search path is stale as soon as one of that name appears further up; so
//! is one whose text asked for a header (`__has_include`) that has come since. Every name that any branch of the
//! texts includes or asks for counts, in every folder it may be looked for in: too much is only watched in vain. What
//! cannot be told by names at all is said in [`Looked::blind`].

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::names::{self, Name, includes};
use crate::options::{self, Family};

/// What was looked for, as far as it is known.
pub(crate) struct Looked<'a> {
    cwd: &'a Path,
    files: &'a BTreeSet<PathBuf>,
    dirs: &'a [PathBuf],
    /// Each name once, however many files have it.
    names: BTreeMap<Vec<u8>, Wanted>,
    /// Macros that say what is included, with where that is.
    macros: BTreeMap<Vec<u8>, String>,
    /// What the command defines.
    defined: BTreeSet<Vec<u8>>,
    /// Why names do not tell.
    pub blind: Option<String>,
    /// There may be questions for files of which no name is known.
    pub asks_unseen: bool,
}

/// How a name is looked for.
#[derive(Default)]
struct Wanted {
    asked: bool,
    anywhere: bool,
    /// The folders of the files that have it.
    own: BTreeSet<PathBuf>,
}

/// The places where nothing was found.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Absent {
    /// Where nothing is that could be included.
    pub missing: BTreeSet<PathBuf>,
    /// What is there and was only asked for.
    pub asked: BTreeSet<PathBuf>,
    /// What is there and was not read, as something else came first or no one wanted it.
    pub unread: BTreeSet<PathBuf>,
    /// Folders that are not there, with all that is looked for in them.
    pub folders: BTreeSet<PathBuf>,
}

/// Whether there is something that `#include` can read: a regular file, or a device.
pub(crate) fn can_be_included(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|data| !data.is_dir())
}

impl<'a> Looked<'a> {
    /// For a compilation that read `files` and looked in `dirs`.
    pub(crate) fn new(cwd: &'a Path, files: &'a BTreeSet<PathBuf>, dirs: &'a [PathBuf]) -> Looked<'a> {
        let mut out = Looked {
            cwd,
            files,
            dirs,
            names: BTreeMap::new(),
            macros: BTreeMap::new(),
            defined: BTreeSet::new(),
            blind: None,
            asks_unseen: false,
        };
        // Names that are no UTF-8 come here changed, one with a newline comes as two.
        let odd = |path: &PathBuf| path.to_string_lossy().contains(['\u{fffd}', '\n']);
        let environment = ["CPATH", "C_INCLUDE_PATH"].map(|name| std::env::var_os(name).unwrap_or_default());
        if dirs.is_empty() || dirs.iter().any(odd) || environment.iter().any(|v| v.as_bytes().contains(&b'\n')) {
            out.blind = Some("the search path for headers is not known".into());
            out.asks_unseen = true;
        }
        out
    }

    /// What a file looks for.
    pub(crate) fn text(&mut self, file: &Path, text: &[u8]) {
        let own = file.parent().unwrap_or(Path::new("")).to_path_buf();
        self.names(text, &own, || file.display().to_string());
    }

    /// What the words for clang look for: `-include`, and definitions that ask for files.
    pub(crate) fn command(&mut self, words: &[OsString]) {
        let mut at = 0;
        while at < words.len() {
            let word = words[at].as_bytes();
            let found = options::find(Family::Clang, &words[at], &words[at + 1..]);
            let (taken, value) = found.map_or((1, None), |f| (f.words, f.value));
            let value = value.unwrap_or_default();
            at += taken;
            if value.as_bytes().contains(&b'\n') {
                self.blind(|| "a word of the command has two lines".into());
            }
            if [&b"-include"[..], b"--include", b"-imacros", b"--imacros"].iter().any(|o| is_option(word, o)) {
                let name = Name { name: value.as_bytes().to_vec(), asked: false, anywhere: false };
                self.name(&name, Path::new(""));
            } else if is_option(word, b"-D") || is_option(word, b"--define-macro") {
                let name = value.as_bytes().iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_');
                self.defined.insert(name.copied().collect());
                let text = [b"#define ", value.as_bytes(), b"\n"].concat();
                let equals = text.iter().position(|b| *b == b'=');
                let text: Vec<u8> =
                    text.iter().enumerate().map(|(i, b)| if Some(i) == equals { b' ' } else { *b }).collect();
                self.names(&text, Path::new(""), || format!("-D{}", value.display()));
            }
        }
    }

    fn blind(&mut self, why: impl FnOnce() -> String) {
        if self.blind.is_none() {
            self.blind = Some(why());
        }
    }

    fn names(&mut self, text: &[u8], own: &Path, place: impl Fn() -> String) {
        let found = includes(text);
        self.asks_unseen |= found.asks_unseen;
        if let Some(why) = found.blind {
            self.blind(|| format!("{}: {why}", place()));
        }
        for name in &found.names {
            self.name(name, own);
        }
        for name in found.macros {
            self.macros.entry(name).or_insert_with(&place);
        }
    }

    fn name(&mut self, name: &Name, own: &Path) {
        if !self.names.contains_key(&name.name) {
            self.names.insert(name.name.clone(), Wanted::default());
        }
        let Some(wanted) = self.names.get_mut(&name.name) else { return };
        wanted.asked |= name.asked;
        wanted.anywhere |= name.anywhere;
        if !wanted.own.contains(own) {
            wanted.own.insert(own.to_path_buf());
        }
    }

    /// Looks for definitions of the macros that say what is included, when there are such macros: in the command and in
    /// the texts. Without one nothing was included in this way, and nothing will be while these are the same.
    pub(crate) fn settle(&mut self, words: &[OsString], texts: impl Iterator<Item = Vec<u8>>) {
        if self.macros.is_empty() {
            return;
        }
        let names: BTreeSet<Vec<u8>> = self.macros.keys().cloned().collect();
        // What a precompiled header defines is not in these texts, and lists of what was read may leave out `-imacros`.
        let elsewhere = [&b"-include-pch"[..], b"--include-pch", b"-imacros", b"--imacros"];
        let unseen = words.iter().any(|w| elsewhere.iter().any(|option| w.as_bytes().starts_with(option)));
        if unseen || names.iter().any(|name| self.defined.contains(name)) || { texts }
            .any(|t| names::defines(&t, &names))
        {
            let place = self.macros.values().next().cloned().unwrap_or_default();
            self.blind(|| format!("{place}: {}", names::COMPUTED));
        }
    }

    /// Looks once more.
    pub(crate) fn absent(&self) -> Absent {
        let mut out = Absent::default();
        let mut there: HashMap<OsString, bool> = HashMap::new();
        let parents: BTreeSet<&Path> = self.files.iter().filter_map(|f| f.parent()).collect();
        let files: BTreeSet<&OsStr> = self.files.iter().map(|f| f.as_os_str()).collect();
        let searched: BTreeSet<&Path> = self.dirs.iter().map(PathBuf::as_path).collect();
        for (name, wanted) in &self.names {
            let name = Path::new(OsStr::from_bytes(name));
            let own = wanted.own.iter().map(PathBuf::as_path);
            let any = parents.iter().copied().filter(|_| wanted.anywhere);
            let other: BTreeSet<&Path> = own.chain(any).filter(|folder| !searched.contains(folder)).collect();
            for folder in searched.iter().chain(&other) {
                let path = folder.join(name);
                let parent = path.parent().unwrap_or(folder);
                let is_there = match there.get(parent.as_os_str()) {
                    Some(is_there) => *is_there,
                    None => {
                        let is_there = self.cwd.join(parent).is_dir();
                        there.insert(parent.as_os_str().to_os_string(), is_there);
                        is_there
                    }
                };
                if !is_there {
                    out.folders.insert(parent.to_path_buf());
                } else if files.contains(path.as_os_str()) {
                    continue;
                } else if !can_be_included(&self.cwd.join(&path)) {
                    out.missing.insert(path);
                } else if wanted.asked {
                    // One that is there and was not read matters only where the text asked whether it is there.
                    out.asked.insert(path);
                } else {
                    out.unread.insert(path);
                }
            }
        }
        out
    }
}

/// Whether the word is the option, alone or with its argument behind it.
fn is_option(word: &[u8], option: &[u8]) -> bool {
    let Some(rest) = word.strip_prefix(option) else { return false };
    // `-include-pch` and `--include-directory` are options of their own.
    rest.is_empty() || option == b"-D" || rest.starts_with(b"=") || !option.starts_with(b"--") && rest[0] != b'-'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(words: &[&str], text: &str, missing: &[&str], folders: &[&str], blind: bool) {
        let cwd = tempfile::tempdir().unwrap();
        let files = ["s/a.c", "i/x.h"].map(PathBuf::from).into();
        for dir in ["s", "i"] {
            fs::create_dir(cwd.path().join(dir)).unwrap();
        }
        fs::write(cwd.path().join("i/z.h"), "").unwrap();
        let dirs = ["gen", "i"].map(PathBuf::from);
        let mut looked = Looked::new(cwd.path(), &files, &dirs);
        looked.command(&words.iter().map(OsString::from).collect::<Vec<_>>());
        looked.text(Path::new("s/a.c"), text.as_bytes());
        let absent = looked.absent();
        let set = |list: &[&str]| -> BTreeSet<PathBuf> { list.iter().map(PathBuf::from).collect() };
        assert_eq!(absent.missing, set(missing), "{words:?} {text}");
        assert_eq!(absent.folders, set(folders), "{words:?} {text}");
        assert_eq!(absent.asked, set(if text.contains("(<z.h>") { &["i/z.h"] } else { &[] }), "{words:?} {text}");
        assert_eq!(looked.blind.is_some(), blind, "{words:?} {text}");
    }

    #[test]
    fn headers_that_are_not_there() {
        check(&[], "#include <x.h>\n#include <z.h>", &["s/x.h", "s/z.h"], &["gen"], false);
        check(&[], "#include <d/x.h>\n", &[], &["gen/d", "i/d", "s/d"], false);
        for words in [&["-include", "x.h"][..], &["-includex.h"], &["--include=x.h"], &["-imacros", "x.h"]] {
            check(words, "", &["x.h"], &["gen"], false);
        }
        check(&["-I", "-include", "-DV=2", "-include-pch", "x.h"], "", &[], &[], false);
        check(&["-DHAS=__has_include(<y.h>)"], "", &["i/y.h", "s/y.h", "y.h"], &["gen"], false);
        check(&["-DHAS=__has_include"], "", &[], &[], true);
        check(&["-D", "T=__TIME__"], "", &[], &[], true);
        check(&[], "#define HAS __has_include(\"y.h\")\n", &["i/y.h", "s/y.h"], &["gen"], false);
        check(&[], "#if __has_include(<z.h>)\n", &["s/z.h"], &["gen"], false);
    }
}
