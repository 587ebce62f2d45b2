//! Where a compilation looked for headers that are not there, read off the texts and the command without preprocessing.
//!
//! A unit made from a header further down the search path is stale as soon as one of that name appears further up; so
//! is one whose text asked for a header (`__has_include`) that has come since. Every name that any branch of the
//! texts includes or asks for counts, in every folder it may be looked for in: too much is only watched in vain. What
//! cannot be told by names at all is said in [`Looked::blind`].

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::names::{Name, includes};
use crate::options::{self, Family};

/// The places found so far.
pub(crate) struct Looked<'a> {
    cwd: &'a Path,
    files: &'a BTreeSet<PathBuf>,
    dirs: &'a [PathBuf],
    /// Where nothing is that could be included, and what is there where the text only asks for it.
    pub missing: BTreeSet<PathBuf>,
    /// Why names do not tell.
    pub blind: Option<String>,
}

/// Whether there is something that `#include` can read: a regular file, or a device.
pub(crate) fn can_be_included(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|data| !data.is_dir())
}

impl<'a> Looked<'a> {
    /// For a compilation that read `files` and looked in `dirs`.
    pub(crate) fn new(cwd: &'a Path, files: &'a BTreeSet<PathBuf>, dirs: &'a [PathBuf]) -> Looked<'a> {
        let mut out = Looked { cwd, files, dirs, missing: BTreeSet::new(), blind: None };
        // Names that are no UTF-8 come here changed, one with a newline comes as two.
        let odd = |path: &PathBuf| path.to_string_lossy().contains(['\u{fffd}', '\n']);
        let environment = ["CPATH", "C_INCLUDE_PATH"].map(|name| std::env::var_os(name).unwrap_or_default());
        if dirs.is_empty() || dirs.iter().any(odd) || environment.iter().any(|v| v.as_bytes().contains(&b'\n')) {
            out.blind = Some("the search path for headers is not known".into());
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
        if let Some(why) = found.blind {
            self.blind(|| format!("{}: {why}", place()));
        }
        for name in &found.names {
            self.name(name, own);
        }
    }

    fn name(&mut self, name: &Name, own: &Path) {
        let mut folders: BTreeSet<&Path> = self.dirs.iter().map(PathBuf::as_path).collect();
        folders.insert(own);
        if name.anywhere {
            folders.extend(self.files.iter().filter_map(|f| f.parent()));
        }
        for folder in folders {
            let path = folder.join(OsStr::from_bytes(&name.name));
            // One that is there and was not read matters only where the text asked whether it is there.
            if !self.files.contains(&path) && (name.asked || !can_be_included(&self.cwd.join(&path))) {
                self.missing.insert(path);
            }
        }
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

    fn check(words: &[&str], text: &str, missing: &[&str], blind: bool) {
        let cwd = tempfile::tempdir().unwrap();
        let files = ["s/a.c", "i/x.h"].map(PathBuf::from).into();
        let dirs = ["gen", "i"].map(PathBuf::from);
        let mut looked = Looked::new(cwd.path(), &files, &dirs);
        looked.command(&words.iter().map(OsString::from).collect::<Vec<_>>());
        looked.text(Path::new("s/a.c"), text.as_bytes());
        let wanted: BTreeSet<PathBuf> = missing.iter().map(PathBuf::from).collect();
        assert_eq!(looked.missing, wanted, "{words:?} {text}");
        assert_eq!(looked.blind.is_some(), blind, "{words:?} {text}");
    }

    #[test]
    fn headers_that_are_not_there() {
        check(&[], "#include <x.h>\n", &["gen/x.h", "s/x.h"], false);
        check(&["-include", "x.h"], "", &["gen/x.h", "x.h"], false);
        check(&["-includex.h"], "", &["gen/x.h", "x.h"], false);
        check(&["--include=x.h"], "", &["gen/x.h", "x.h"], false);
        check(&["-imacros", "x.h"], "", &["gen/x.h", "x.h"], false);
        check(&["-I", "-include", "-DV=2", "-include-pch", "x.h"], "", &[], false);
        check(&["-DHAS=__has_include(<y.h>)"], "", &["gen/y.h", "i/y.h", "s/y.h", "y.h"], false);
        check(&["-DHAS=__has_include"], "", &[], true);
        check(&["-D", "T=__TIME__"], "", &[], true);
        check(&[], "#define HAS __has_include(\"y.h\")\n", &["gen/y.h", "i/y.h", "s/y.h"], false);
        check(&[], "#if __has_include(\"y.h\")\n", &["gen/y.h", "i/y.h", "s/y.h"], false);
    }
}
