//! One run of clang for one unit: it writes the bitcode and says on the way which files it read.
//!
//! What was read is known only afterwards, so nothing can be looked up by it; the next build does, by the manifest.
//! That is sound when no file changed since clang was started: their times say so. Where it is not, or where the files
//! do not tell the text, the preprocessor's text has to decide as in [`crate::capture`].

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use verify_cache::Store;

use crate::capture::{self, CaptureError, Captured, Job, Tools};
use crate::manifest::Manifest;
use crate::stamp::{self, is_older};
use crate::tool;

/// What the dependency file calls the object.
const TARGET: &str = "unit";

/// Whether the files that are read can be told this way.
pub(crate) fn possible(job: &Job) -> bool {
    // A list in make's syntax has no way to write a newline.
    let newline = |word: &OsStr| word.as_bytes().contains(&b'\n');
    job.language == "c"
        && job.stdin.is_none()
        && !newline(job.cwd.as_os_str())
        && !newline(job.source.as_os_str())
        && !job.args.iter().any(|word| newline(word))
        // Where the times of files say nothing the text decides in any case.
        && stamp::keeps_our_time(&job.cwd.join(&job.source))
}

/// The unit with what it was made from; none when that cannot be told, and the text must decide.
pub(crate) fn compile(
    tools: &Tools,
    store: &Store,
    job: &Job,
    scratch: &Path,
) -> Result<Option<(Captured, Option<Manifest>)>, CaptureError> {
    let start = SystemTime::now();
    let list = scratch.join("unit.d");
    let words: [OsString; 6] =
        ["-v".into(), "-MD".into(), "-MF".into(), list.clone().into(), "-MQ".into(), TARGET.into()];
    let (unit, said) = capture::emit(tools, store, job, scratch, &words)?;
    let captured = Captured { unit, cached: false, rebuilt: Vec::new(), note: None };
    let Some(files) = fs::read(&list).ok().and_then(|text| dependencies(&text)) else { return Ok(None) };
    let unchanged = |files: &BTreeSet<PathBuf>| files.iter().all(|f| is_older(&job.cwd.join(f), start));
    if !files.contains(&job.source) || !unchanged(&files) {
        return Ok(None);
    }
    let manifest = Manifest::new(tools, job, &files, &tool::looked_in(&said), start);
    if manifest.blind.is_some() && !manifest.unsure {
        // The next build cannot go by the files alone. The text is the unit's when it is of the same files.
        let pseudo = |file: &PathBuf| file.as_os_str().as_bytes().starts_with(b"<");
        if let Ok(text) = capture::preprocess(tools, job, scratch)
            && text.files.iter().all(|file| pseudo(file) || files.contains(plain(file)))
            && unchanged(&files)
        {
            capture::remember(store, &text.key, &unit)?;
        }
    }
    let manifest = unchanged(&files).then_some(manifest);
    Ok(Some((captured, manifest)))
}

/// As dependency files have it: without the folder that is the current one.
fn plain(path: &Path) -> &Path {
    path.strip_prefix(".").unwrap_or(path)
}

/// The files of a rule in make's syntax as clang writes it: ` `, `#` behind a backslash, `$` twice. It makes a slash
/// of a backslash in a name; such a file is not found then, and the text decides.
fn dependencies(text: &[u8]) -> Option<BTreeSet<PathBuf>> {
    let rest = text.strip_prefix(TARGET.as_bytes())?.strip_prefix(b":")?;
    let mut out = BTreeSet::new();
    let mut word: Vec<u8> = Vec::new();
    let mut bytes = rest.iter().copied().peekable();
    let mut end = |word: &mut Vec<u8>| {
        if !word.is_empty() {
            out.insert(PathBuf::from(OsString::from_vec(std::mem::take(word))));
        }
    };
    while let Some(byte) = bytes.next() {
        match byte {
            b' ' | b'\n' => end(&mut word),
            b'$' if bytes.peek() == Some(&b'$') => {
                bytes.next();
                word.push(b'$');
            }
            b'\\' => {
                let mut run = 1;
                while bytes.next_if_eq(&b'\\').is_some() {
                    run += 1;
                }
                match bytes.peek() {
                    // Before a space that belongs to the name they stand twice, and once more for the space.
                    Some(b' ') if run % 2 == 1 => {
                        bytes.next();
                        word.resize(word.len() + run / 2, b'\\');
                        word.push(b' ');
                    }
                    Some(b'#') => {
                        bytes.next();
                        word.resize(word.len() + run - 1, b'\\');
                        word.push(b'#');
                    }
                    // The end of a line that goes on.
                    Some(b'\n') if run == 1 => {
                        bytes.next();
                        end(&mut word);
                    }
                    _ => word.resize(word.len() + run, b'\\'),
                }
            }
            byte => word.push(byte),
        }
    }
    end(&mut word);
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: &[&str]) {
        let files: Vec<PathBuf> = dependencies(text.as_bytes()).unwrap().into_iter().collect();
        assert_eq!(files, expect.iter().map(PathBuf::from).collect::<Vec<_>>(), "{text}");
    }

    #[test]
    fn lists_of_dependencies() {
        check("unit: a.c /usr/include/b.h \\\n  c.h\n", &["/usr/include/b.h", "a.c", "c.h"]);
        check("unit: sp\\ ace.c ha\\#sh.h do$$llar.h\n", &["do$llar.h", "ha#sh.h", "sp ace.c"]);
        check("unit: back\\slash.h be\\\\\\ fore.h\n", &["back\\slash.h", "be\\ fore.h"]);
        assert!(dependencies(b"other: a.c").is_none());
    }

    #[test]
    fn clang_writes_such_lists() {
        let dir = tempfile::tempdir().unwrap();
        let names = ["sp ace.h", "ha#sh.h", "do$llar.h", "ünï.h", "col:on.h", "quo'te.h"];
        let mut source = String::new();
        for name in names {
            fs::write(dir.path().join(name), "\n").unwrap();
            source += &format!("#include \"{name}\"\n");
        }
        fs::write(dir.path().join("a b.c"), source).unwrap();
        let clang = ["clang-19", "/usr/lib/llvm-19/bin/clang"];
        let run = |clang: &&str| {
            let mut command = std::process::Command::new(clang);
            command.args(["-w", "-fsyntax-only", "-MD", "-MF", "list", "-MQ", TARGET, "a b.c"]);
            command.current_dir(dir.path()).status().is_ok_and(|s| s.success())
        };
        assert!(clang.iter().any(run), "clang 19 is needed for this test");
        let found = dependencies(&fs::read(dir.path().join("list")).unwrap()).unwrap();
        let wanted: BTreeSet<PathBuf> = names.iter().chain(&["a b.c"]).map(PathBuf::from).collect();
        let found = found.iter().map(|p| p.strip_prefix(".").unwrap_or(p).to_path_buf()).collect();
        assert_eq!(wanted, found);
    }
}
