//! What commands print, and the files they are told to write.

use crate::exit::usage;
use anyhow::Context;
use std::fs::OpenOptions;
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

/// Standard output of commands whose exit code says what they found: it stays what it is when nobody reads to the end what
/// they print (`verify scan | head`).
#[derive(Debug)]
pub struct Out<W>(W);

impl Out<io::StdoutLock<'static>> {
    /// Locks it.
    pub fn lock() -> Self {
        Out(io::stdout().lock())
    }
}

fn unless_closed<T>(result: io::Result<T>, otherwise: T) -> io::Result<T> {
    match result {
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(otherwise),
        other => other,
    }
}

impl<W: Write> Write for Out<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        unless_closed(self.0.write(bytes), bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        unless_closed(self.0.flush(), ())
    }
}

/// Whether an output is a file, or will be one: a device or a pipe (`-o /dev/stdout`) is written to, and must not be replaced.
pub fn is_replaced(path: &Path) -> bool {
    path.metadata().map_or(true, |data| data.is_file()) && !is_standard_output(path)
}

/// `/dev/stdout` and the like: with `> file`, that file. Opened again it would be written from its beginning, over what is
/// printed; replaced, it would no longer be what is printed to.
fn is_standard_output(path: &Path) -> bool {
    let file = |path: &Path| path.metadata().map(|data| (data.dev(), data.ino())).ok();
    let device = path.starts_with("/dev") || path.starts_with("/proc");
    device && file(path).is_some_and(|f| file(Path::new("/dev/stdout")) == Some(f))
}

/// What keeps an output from being written is said before the work, not after it.
///
/// # Errors
/// Usage.
pub fn may_be_written(path: &Path) -> anyhow::Result<()> {
    if path.as_os_str().is_empty() {
        return Err(usage("cannot write to a file without a name"));
    }
    let wrong = |why: String| usage(format!("cannot write {}: {why}", path.display()));
    if path.is_dir() {
        return Err(wrong("it is a folder".into()));
    }
    if !folder_of(path).is_dir() {
        return Err(wrong("there is no such folder".into()));
    }
    if is_replaced(path) {
        tempfile::NamedTempFile::new_in(folder_of(path)).map_err(|e| wrong(e.to_string()))?;
    }
    Ok(())
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Writes a file beside and renames it: a reader never sees half a report, and a full disk leaves the old one. Links stay
/// links. A pipe that nobody reads to the end (`-o /dev/stdout | head`) is no error, as with [`Out`].
///
/// # Errors
/// Of the file system, or of `write`.
pub fn replace(path: &Path, write: impl FnOnce(&mut dyn Write) -> verify_report::Result<()>) -> anyhow::Result<()> {
    let failed = || format!("cannot write {}", path.display());
    if !is_replaced(path) {
        let to: Box<dyn Write> = match is_standard_output(path) {
            true => Box::new(io::stdout()),
            false => Box::new(OpenOptions::new().write(true).open(path).with_context(failed)?),
        };
        let mut out = BufWriter::new(Out(to));
        write(&mut out).with_context(failed)?;
        return out.flush().with_context(failed);
    }
    let target = path.canonicalize();
    let path = target.as_deref().unwrap_or(path);
    let mut file = tempfile::NamedTempFile::new_in(folder_of(path)).with_context(failed)?;
    {
        let mut out = BufWriter::new(file.as_file_mut());
        write(&mut out).with_context(failed)?;
        out.flush().with_context(failed)?;
    }
    let readable = PermissionsExt::from_mode(0o644);
    file.as_file().set_permissions(readable).with_context(failed)?;
    file.persist(path).with_context(failed)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_stay_and_devices_are_written_to() {
        let dir = tempfile::tempdir().unwrap();
        let (file, link) = (dir.path().join("file"), dir.path().join("link"));
        std::fs::write(&file, "old").unwrap();
        std::os::unix::fs::symlink("file", &link).unwrap();
        let new = |w: &mut dyn Write| Ok(w.write_all(b"new")?);
        may_be_written(&link).unwrap();
        replace(&link, new).unwrap();
        assert!(link.is_symlink());
        assert_eq!(std::fs::read(&file).unwrap(), b"new");
        // A device of our own would need privileges: a pipe stands for it.
        let pipe = dir.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || std::fs::read(pipe).unwrap()
        });
        may_be_written(&pipe).unwrap();
        replace(&pipe, new).unwrap();
        assert_eq!(reader.join().unwrap(), b"new");
        assert!(!is_replaced(&pipe));
    }

    #[test]
    fn what_cannot_be_written_is_said_in_advance() {
        let dir = tempfile::tempdir().unwrap();
        let said = |path: &Path| may_be_written(path).unwrap_err().to_string();
        assert!(said(dir.path()).ends_with(": it is a folder"));
        assert!(said(Path::new("")).contains("without a name"));
        let nowhere = dir.path().join("no/x.sarif");
        assert!(said(&nowhere).ends_with(": there is no such folder"));
        may_be_written(&dir.path().join("x.sarif")).unwrap();
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_reader_that_goes_away_is_no_error() {
        struct Closed;
        impl Write for Closed {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
        }
        let mut out = BufWriter::new(Out(Closed));
        writeln!(out, "text").and_then(|()| out.flush()).unwrap();
    }
}
