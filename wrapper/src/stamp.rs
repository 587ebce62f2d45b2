//! Telling by a file's times that it has not changed: what they can tell, and where they cannot.
//!
//! The time of the last change of the inode cannot be set to the past, so two looks that find the same times found the
//! same content; unless both fall into one step of the file system's clock, or that clock is another machine's.

use std::cell::RefCell;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

/// Inode, size, and the times of the last changes of content and of inode, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Stamp(u64, u64, i64, i64);

/// How old a change must be for the file's times to tell it from the next.
const SETTLED: Duration = Duration::from_millis(50);

/// By how much the kernel's times of files may be behind the clock.
const COARSE: Duration = Duration::from_millis(20);

/// The longest step of a file system that keeps whole seconds.
const SECONDS: Duration = Duration::from_secs(2);

impl Stamp {
    /// None for what is no regular file, and for one whose times may not tell the next change.
    pub(crate) fn of(path: &Path) -> Option<Stamp> {
        let data = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).ok()?;
        let settled = nanos(now.checked_sub(SETTLED + step(&data))?);
        let (modified, changed) = times(&data);
        (modified.max(changed) < settled && of_our_time(path, &data)).then_some(Stamp(
            data.ino(),
            data.size(),
            modified,
            changed,
        ))
    }
}

/// Whether the file is there and was certainly last changed before `time`.
pub(crate) fn is_older(path: &Path, time: SystemTime) -> bool {
    let Ok(data) = fs::metadata(path) else { return false };
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let Some(limit) = since.checked_sub(COARSE + step(&data)).map(nanos) else { return false };
    let (modified, changed) = times(&data);
    modified.max(changed) < limit && of_our_time(path, &data)
}

fn nanos(time: Duration) -> i64 {
    i64::try_from(time.as_nanos()).unwrap_or(i64::MAX)
}

/// Of content and of inode.
fn times(data: &fs::Metadata) -> (i64, i64) {
    let join = |seconds: i64, nanos: i64| seconds.saturating_mul(1_000_000_000).saturating_add(nanos);
    (join(data.mtime(), data.mtime_nsec()), join(data.ctime(), data.ctime_nsec()))
}

/// A change at a whole second is one of a file system that knows no finer ones.
fn step(data: &fs::Metadata) -> Duration {
    if data.ctime_nsec() == 0 { SECONDS } else { Duration::ZERO }
}

/// The same for a file that was just looked at: one question for each file system, as a unit has hundreds of headers on one.
fn of_our_time(path: &Path, data: &fs::Metadata) -> bool {
    thread_local!(static KNOWN: RefCell<Vec<(u64, bool)>> = const { RefCell::new(Vec::new()) });
    KNOWN.with_borrow_mut(|known| match known.iter().find(|(device, _)| *device == data.dev()) {
        Some((_, ours)) => *ours,
        None => {
            let ours = keeps_our_time(path);
            known.push((data.dev(), ours));
            ours
        }
    })
}

/// Whether the times of files there come from this machine's clock.
#[cfg(target_os = "linux")]
pub(crate) fn keeps_our_time(path: &Path) -> bool {
    rustix::fs::statfs(path).is_ok_and(|data| !is_remote(data.f_type as u32))
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn keeps_our_time(_path: &Path) -> bool {
    true
}

/// File systems of other machines, and of programs and hosts that may be such: NFS, SMB, CIFS, SMB2, 9P, FUSE, Ceph,
/// AFS, Coda, NCP, VirtualBox, Lustre, GFS2, OCFS2, GPFS.
#[cfg(target_os = "linux")]
fn is_remote(magic: u32) -> bool {
    [
        0x6969,
        0x517b,
        0xff53_4d42,
        0xfe53_4d42,
        0x0102_1997,
        0x6573_5546,
        0x00c3_6400,
        0x5346_414f,
        0x7375_7245,
        0x564c,
        0x786f_4256,
        0x0bd0_0bd0,
        0x0116_1970,
        0x7461_636f,
        0x4750_4653,
    ]
    .contains(&magic)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_tell_what_they_can() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a");
        fs::write(&file, "x").unwrap();
        // Just written: the next change may have the same times.
        assert_eq!(Stamp::of(&file), None);
        assert!(!is_older(&file, SystemTime::now() - Duration::from_secs(5)));
        std::thread::sleep(SETTLED * 2);
        let first = Stamp::of(&file).unwrap();
        assert!(is_older(&file, SystemTime::now()));
        let data = fs::metadata(&file).unwrap();
        fs::write(&file, "y").unwrap();
        fs::File::options().append(true).open(&file).unwrap().set_modified(data.modified().unwrap()).unwrap();
        std::thread::sleep(SETTLED * 2);
        assert_ne!(Stamp::of(&file), Some(first));
        assert_eq!(Stamp::of(dir.path()), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn clocks_of_other_machines_are_not_ours() {
        assert!(is_remote(0x6969) && is_remote(0x6573_5546));
        // ext4, tmpfs, overlayfs, btrfs
        assert!(![0xef53, 0x0102_1994, 0x794c_7630, 0x9123_683e].iter().any(|m| is_remote(*m)));
    }
}
