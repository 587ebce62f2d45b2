//! The operating system for `verify run`: what the program asks of it is done for real, in this process. Its file
//! descriptors are a table here; standard streams are the process's own.

mod answers;

pub use answers::Kept;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::time::{Instant, SystemTime, UNIX_EPOCH};
use verify_interp::{Host, Stat};

const EBADF: i32 = 9;
const EINVAL: i32 = 22;
const ESPIPE: i32 = 29;
const EIO: i32 = 5;
// Linux open(2) flags.
const O_ACCMODE: i32 = 3;
const O_CREAT: i32 = 0o100;
const O_EXCL: i32 = 0o200;
const O_TRUNC: i32 = 0o1000;
const O_APPEND: i32 = 0o2000;

/// A real host.
pub struct RealHost {
    files: BTreeMap<i32, File>,
    started: Instant,
}

impl RealHost {
    /// Standard streams only.
    pub fn new() -> RealHost {
        RealHost { files: BTreeMap::new(), started: Instant::now() }
    }
}

fn errno(e: &std::io::Error) -> i32 {
    e.raw_os_error().unwrap_or(EIO)
}

fn path(bytes: &[u8]) -> &std::path::Path {
    std::path::Path::new(OsStr::from_bytes(bytes))
}

impl Host for RealHost {
    fn read(&mut self, fd: i32, n: u64) -> Result<Vec<u8>, i32> {
        let mut buf = vec![0; usize::try_from(n).unwrap_or(usize::MAX).min(1 << 20)];
        let got = match fd {
            0 => std::io::stdin().read(&mut buf),
            _ => self.files.get_mut(&fd).ok_or(EBADF)?.read(&mut buf),
        }
        .map_err(|e| errno(&e))?;
        buf.truncate(got);
        Ok(buf)
    }
    fn write(&mut self, fd: i32, bytes: &[u8]) -> Result<u64, i32> {
        let done = match fd {
            1 => {
                let mut out = std::io::stdout().lock();
                out.write_all(bytes).and_then(|()| out.flush()).map(|()| bytes.len())
            }
            2 => std::io::stderr().write_all(bytes).map(|()| bytes.len()),
            _ => self.files.get_mut(&fd).ok_or(EBADF)?.write(bytes),
        };
        done.map(|n| n as u64).map_err(|e| errno(&e))
    }
    fn open(&mut self, name: &[u8], flags: i32, mode: i32) -> Result<i32, i32> {
        let mut o = OpenOptions::new();
        let access = flags & O_ACCMODE;
        let append = flags & O_APPEND != 0;
        o.read(access == 0 || access == 2).write(access != 0 && !append).append(access != 0 && append);
        // std refuses creation and truncation without write access, which open(2) takes.
        let writable = access != 0;
        if flags & O_CREAT != 0 && writable {
            o.mode(mode as u32);
            if flags & O_EXCL != 0 {
                o.create_new(true)
            } else {
                o.create(true)
            };
        }
        if flags & O_TRUNC != 0 && writable && !append {
            o.truncate(true);
        }
        o.custom_flags(flags & !(O_ACCMODE | O_CREAT | O_EXCL | O_TRUNC | O_APPEND));
        let file = o.open(path(name)).map_err(|e| e.raw_os_error().unwrap_or(EINVAL))?;
        if flags & O_TRUNC != 0 && append {
            file.set_len(0).map_err(|e| errno(&e))?;
        }
        let fd = (3..i32::MAX).find(|fd| !self.files.contains_key(fd)).ok_or(EINVAL)?;
        self.files.insert(fd, file);
        Ok(fd)
    }
    fn close(&mut self, fd: i32) -> Result<(), i32> {
        match fd {
            0..=2 => Ok(()),
            _ => self.files.remove(&fd).map(drop).ok_or(EBADF),
        }
    }
    fn lseek(&mut self, fd: i32, offset: i64, whence: i32) -> Result<i64, i32> {
        if (0..=2).contains(&fd) {
            return Err(ESPIPE);
        }
        let to = match whence {
            0 => SeekFrom::Start(u64::try_from(offset).map_err(|_| EINVAL)?),
            1 => SeekFrom::Current(offset),
            2 => SeekFrom::End(offset),
            _ => return Err(EINVAL),
        };
        let at = self.files.get_mut(&fd).ok_or(EBADF)?.seek(to).map_err(|e| errno(&e))?;
        i64::try_from(at).map_err(|_| EINVAL)
    }
    fn unlink(&mut self, name: &[u8]) -> Result<(), i32> {
        std::fs::remove_file(path(name)).map_err(|e| errno(&e))
    }
    fn rename(&mut self, from: &[u8], to: &[u8]) -> Result<(), i32> {
        std::fs::rename(path(from), path(to)).map_err(|e| errno(&e))
    }
    fn stat(&mut self, name: Option<&[u8]>, fd: i32) -> Result<Stat, i32> {
        let meta = match name {
            Some(n) => std::fs::metadata(path(n)),
            None if (0..=2).contains(&fd) => std::fs::metadata(format!("/dev/fd/{fd}")),
            None => self.files.get(&fd).ok_or(EBADF)?.metadata(),
        }
        .map_err(|e| errno(&e))?;
        Ok(Stat { mode: u64::from(meta.mode()), size: meta.len(), mtime: meta.mtime() })
    }
    fn time(&mut self, clock: i32) -> Result<i64, i32> {
        let ns = match clock {
            0 => SystemTime::now().duration_since(UNIX_EPOCH).map_err(|_| EINVAL)?.as_nanos(),
            // The run is one thread that computes: its processor time is the time since it started.
            1 | 2 => self.started.elapsed().as_nanos(),
            _ => return Err(EINVAL),
        };
        i64::try_from(ns).map_err(|_| EINVAL)
    }
    fn getenv(&mut self, name: &[u8]) -> Option<Vec<u8>> {
        std::env::var_os(OsStr::from_bytes(name)).map(OsStringExt::into_vec)
    }
}
