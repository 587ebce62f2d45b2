//! Response files: `@file` arguments replaced by the words in the file, nested, as GCC does it.
//!
//! A name that cannot be read stays as the literal argument (GCC then takes it for a file name). Names inside a
//! response file are relative to the working directory, not to the file. A file that contains itself is an error.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use crate::quote::split_gcc;

/// GCC gives up after 2000 expansions in one command line; so does this.
const LIMIT: usize = 2000;

/// A command line whose response files do not end.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum ResponseError {
    /// The file names itself, directly or through others.
    #[error("response file {} includes itself", .0.display())]
    Cycle(PathBuf),
    /// More response files than GCC accepts in one command.
    #[error("more than {LIMIT} response files in one command")]
    TooMany,
}

/// Replaces every `@file` in `args`; relative names are looked up in `cwd`.
///
/// # Errors
/// [`ResponseError`] when a file includes itself or there are too many.
pub fn expand(args: &[OsString], cwd: &Path) -> Result<Vec<OsString>, ResponseError> {
    let mut out = Vec::with_capacity(args.len());
    let mut count = 0;
    expand_into(args, cwd, &mut Vec::new(), &mut count, &mut out)?;
    Ok(out)
}

fn expand_into(
    args: &[OsString],
    cwd: &Path,
    open: &mut Vec<PathBuf>,
    count: &mut usize,
    out: &mut Vec<OsString>,
) -> Result<(), ResponseError> {
    for arg in args {
        let Some(name) = arg.as_bytes().strip_prefix(b"@") else {
            out.push(arg.clone());
            continue;
        };
        let path = cwd.join(OsString::from_vec(name.to_vec()));
        let Some((path, text)) = read_regular(&path) else {
            out.push(arg.clone());
            continue;
        };
        if open.contains(&path) {
            return Err(ResponseError::Cycle(path));
        }
        *count += 1;
        if *count > LIMIT {
            return Err(ResponseError::TooMany);
        }
        open.push(path);
        expand_into(&split_gcc(&text), cwd, open, count, out)?;
        open.pop();
    }
    Ok(())
}

/// Reads a regular file. A pipe is left alone: the compiler has already read it, or is about to.
fn read_regular(path: &Path) -> Option<(PathBuf, Vec<u8>)> {
    let path = path.canonicalize().ok()?;
    if !path.is_file() {
        return None;
    }
    let text = fs::read(&path).ok()?;
    Some((path, text))
}
