//! The operating system, as the models' `__verify_sys_*` primitives see it. `verify run` implements [`Host`] for real;
//! without a host every answer is a scripted choice ([`crate::Question::Syscall`] and
//! [`crate::Question::Bytes`]).

/// What `stat` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Stat {
    /// `st_mode`.
    pub mode: u64,
    /// `st_size` in bytes.
    pub size: u64,
    /// `st_mtime` in seconds.
    pub mtime: i64,
}

/// System calls. `Err` is a positive errno. Paths are bytes without the terminating NUL.
#[allow(missing_docs)]
pub trait Host {
    /// It answers for a real machine. Otherwise what the models make up is as good as its own answers.
    fn is_real(&self) -> bool {
        true
    }
    /// At most `n` bytes; empty at the end of the file.
    fn read(&mut self, fd: i32, n: u64) -> Result<Vec<u8>, i32>;
    /// The number of bytes written.
    fn write(&mut self, fd: i32, bytes: &[u8]) -> Result<u64, i32>;
    fn open(&mut self, path: &[u8], flags: i32, mode: i32) -> Result<i32, i32>;
    fn close(&mut self, fd: i32) -> Result<(), i32>;
    fn lseek(&mut self, fd: i32, offset: i64, whence: i32) -> Result<i64, i32>;
    fn unlink(&mut self, path: &[u8]) -> Result<(), i32>;
    fn rename(&mut self, from: &[u8], to: &[u8]) -> Result<(), i32>;
    /// Of `path`, or of `fd` when it is `None`.
    fn stat(&mut self, path: Option<&[u8]>, fd: i32) -> Result<Stat, i32>;
    /// Nanoseconds: clock 0 realtime, 1 monotonic, 2 processor time.
    fn time(&mut self, clock: i32) -> Result<i64, i32>;
    fn getenv(&mut self, name: &[u8]) -> Option<Vec<u8>>;
}
