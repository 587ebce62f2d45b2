//! A failed capture in a folder of its own, so that it can be seen again with one command, here or elsewhere.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use verify_cache::Store;
use verify_compile_db::quote::join_posix;

use crate::capture::{CaptureError, Job, Tools};
use crate::tool;
use crate::translate::emit_options;

/// Writes the bundle below the cache: `replay.sh`, what was said, the source, and its preprocessed text where there
/// is one. None when it cannot be written, or the failure is none of clang's or the lowering's.
pub(crate) fn write(tools: &Tools, store: &Store, job: &Job, error: &CaptureError) -> Option<PathBuf> {
    let (CaptureError::Clang(message) | CaptureError::Lower(message)) = error else { return None };
    let mut hasher = blake3::Hasher::new();
    for word in [job.cwd.as_os_str(), job.source.as_os_str(), OsStr::new(message)]
        .into_iter()
        .chain(job.args.iter().map(OsString::as_os_str))
    {
        hasher.update(word.as_bytes());
        hasher.update(&[0]);
    }
    let dir = store.root().join("replay").join(&hasher.finalize().to_hex()[..16]);
    let done = bundle(tools, store, job, message, &dir);
    done.is_some().then_some(dir)
}

fn bundle(tools: &Tools, store: &Store, job: &Job, message: &str, dir: &Path) -> Option<()> {
    fs::create_dir_all(dir).ok()?;
    let scratch = store.scratch().ok()?;
    let source = match &job.stdin {
        Some(text) => text.clone(),
        None => fs::read(job.cwd.join(&job.source)).unwrap_or_default(),
    };
    fs::write(dir.join("message"), format!("{message}\n")).ok()?;
    fs::write(dir.join("source.c"), source).ok()?;
    let text = dir.join("source.i");
    // The text that clang did not take: its own, else the real compiler's.
    let preprocessed = job.language == "c"
        && !message.contains(": stopped after ")
        && (tool::clang(tools, job, scratch.path(), &["-E".into()], &text).is_ok()
            || tool::real_preprocess(tools, job, scratch.path(), &[], &text).is_ok());
    if !preprocessed {
        let _ = fs::remove_file(&text);
    }
    let mut words = Vec::new();
    let out = PathBuf::from("unit.bc");
    for word in tool::clang_args(job, &emit_options(), &out) {
        words.push(word);
    }
    let mut script = b"#!/bin/sh\n# A capture that failed. In the folder of the build it runs on the source itself; elsewhere, or with\n# the argument `text`, on the preprocessed text beside this script.\nhere=$(cd \"$(dirname \"$0\")\" && pwd)\n".to_vec();
    let mut line = |parts: &[&OsStr]| {
        for part in parts {
            script.extend(part.as_bytes());
        }
        script.push(b'\n');
    };
    let quote = |word: &OsStr| join_posix(&[word.to_owned()]);
    let (clang, lower) = (quote(tools.clang.as_os_str()), quote(tools.lower.as_os_str()));
    line(&[OsStr::new("clang=${VERIFY_CLANG:-"), &clang, OsStr::new("}")]);
    line(&[OsStr::new("lower=${VERIFY_LOWER:-"), &lower, OsStr::new("}")]);
    line(&[OsStr::new("out=${TMPDIR:-/tmp}/replay-$$; trap 'rm -f \"$out\".*' EXIT")]);
    let (cwd, file) = (quote(job.cwd.as_os_str()), quote(job.source.as_os_str()));
    line(&[
        OsStr::new("if [ \"$1\" != text ] && cd "),
        &cwd,
        OsStr::new(" 2>/dev/null && [ -f "),
        &file,
        OsStr::new(" ]; then"),
    ]);
    let tail = words.len().saturating_sub(5);
    let options = join_posix(&words[..tail]);
    let language = quote(OsStr::new(&job.language));
    line(&[
        OsStr::new("  \"$clang\" "),
        &options,
        OsStr::new(" -o \"$out.bc\" -x "),
        &language,
        OsStr::new(" "),
        &file,
    ]);
    line(&[OsStr::new("else")]);
    let given = if preprocessed { "-x cpp-output \"$here/source.i\"" } else { "-x c \"$here/source.c\"" };
    line(&[OsStr::new("  \"$clang\" "), &options, OsStr::new(" -o \"$out.bc\" "), OsStr::new(given)]);
    line(&[OsStr::new("fi && \"$lower\" \"$out.bc\" -o \"$out.unit\" && echo 'no failure'")]);
    fs::write(dir.join("replay.sh"), script).ok()
}
