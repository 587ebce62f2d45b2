//! What the operating system said in an execution, kept so that the same execution can be run once more without it: the
//! second run reads what the first one read, and what it writes goes nowhere.

use std::collections::VecDeque;
use verify_interp::{Host, Stat};

/// Bytes of answers that are kept; an execution that got more is not run again.
const MOST: usize = 64 << 20;
/// What an answer takes beside the bytes that it holds.
const EACH: usize = 48;
/// Of an answer that was not kept, which happens in no execution that is run again.
const EIO: i32 = 5;

#[derive(Clone, Debug)]
enum Answer {
    Bytes(Result<Vec<u8>, i32>),
    Number(Result<i64, i32>),
    Stat(Result<Stat, i32>),
    Text(Option<Vec<u8>>),
}

/// A host whose answers are kept.
pub struct Kept<H> {
    host: H,
    answers: Vec<Answer>,
    bytes: usize,
}

/// The answers of an execution, in their order.
pub struct Answers(VecDeque<Answer>);

impl<H: Host> Kept<H> {
    /// Nothing was asked yet.
    pub fn new(host: H) -> Kept<H> {
        Kept { host, answers: Vec::new(), bytes: 0 }
    }

    /// All answers so far; `None`: they were too many.
    pub fn answers(&mut self) -> Option<Answers> {
        (self.bytes <= MOST).then(|| Answers(std::mem::take(&mut self.answers).into()))
    }

    fn keep(&mut self, bytes: usize, answer: impl FnOnce() -> Answer) {
        self.bytes = self.bytes.saturating_add(bytes + EACH);
        if self.bytes <= MOST {
            self.answers.push(answer());
        } else {
            self.answers = Vec::new();
        }
    }

    fn number(&mut self, n: Result<i64, i32>) {
        self.keep(0, || Answer::Number(n));
    }
}

impl<H: Host> Host for Kept<H> {
    fn read(&mut self, fd: i32, n: u64) -> Result<Vec<u8>, i32> {
        let r = self.host.read(fd, n);
        self.keep(r.as_ref().map_or(0, Vec::len), || Answer::Bytes(r.clone()));
        r
    }
    fn write(&mut self, fd: i32, bytes: &[u8]) -> Result<u64, i32> {
        let r = self.host.write(fd, bytes);
        self.number(r.map(|n| n as i64));
        r
    }
    fn open(&mut self, path: &[u8], flags: i32, mode: i32) -> Result<i32, i32> {
        let r = self.host.open(path, flags, mode);
        self.number(r.map(i64::from));
        r
    }
    fn close(&mut self, fd: i32) -> Result<(), i32> {
        let r = self.host.close(fd);
        self.number(r.map(|()| 0));
        r
    }
    fn lseek(&mut self, fd: i32, offset: i64, whence: i32) -> Result<i64, i32> {
        let r = self.host.lseek(fd, offset, whence);
        self.number(r);
        r
    }
    fn unlink(&mut self, path: &[u8]) -> Result<(), i32> {
        let r = self.host.unlink(path);
        self.number(r.map(|()| 0));
        r
    }
    fn rename(&mut self, from: &[u8], to: &[u8]) -> Result<(), i32> {
        let r = self.host.rename(from, to);
        self.number(r.map(|()| 0));
        r
    }
    fn stat(&mut self, path: Option<&[u8]>, fd: i32) -> Result<Stat, i32> {
        let r = self.host.stat(path, fd);
        self.keep(0, || Answer::Stat(r));
        r
    }
    fn time(&mut self, clock: i32) -> Result<i64, i32> {
        let r = self.host.time(clock);
        self.number(r);
        r
    }
    fn getenv(&mut self, name: &[u8]) -> Option<Vec<u8>> {
        let r = self.host.getenv(name);
        self.keep(r.as_ref().map_or(0, Vec::len), || Answer::Text(r.clone()));
        r
    }
}

impl Answers {
    fn number(&mut self) -> Result<i64, i32> {
        match self.0.pop_front() {
            Some(Answer::Number(n)) => n,
            _ => Err(EIO),
        }
    }
}

impl Host for Answers {
    fn read(&mut self, _: i32, _: u64) -> Result<Vec<u8>, i32> {
        match self.0.pop_front() {
            Some(Answer::Bytes(b)) => b,
            _ => Err(EIO),
        }
    }
    fn write(&mut self, _: i32, _: &[u8]) -> Result<u64, i32> {
        self.number().map(|n| n as u64)
    }
    fn open(&mut self, _: &[u8], _: i32, _: i32) -> Result<i32, i32> {
        self.number().map(|n| n as i32)
    }
    fn close(&mut self, _: i32) -> Result<(), i32> {
        self.number().map(|_| ())
    }
    fn lseek(&mut self, _: i32, _: i64, _: i32) -> Result<i64, i32> {
        self.number()
    }
    fn unlink(&mut self, _: &[u8]) -> Result<(), i32> {
        self.number().map(|_| ())
    }
    fn rename(&mut self, _: &[u8], _: &[u8]) -> Result<(), i32> {
        self.number().map(|_| ())
    }
    fn stat(&mut self, _: Option<&[u8]>, _: i32) -> Result<Stat, i32> {
        match self.0.pop_front() {
            Some(Answer::Stat(s)) => s,
            _ => Err(EIO),
        }
    }
    fn time(&mut self, _: i32) -> Result<i64, i32> {
        self.number()
    }
    fn getenv(&mut self, _: &[u8]) -> Option<Vec<u8>> {
        match self.0.pop_front() {
            Some(Answer::Text(t)) => t,
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Answers, Kept, MOST};
    use verify_interp::{Host, Stat};

    /// A file of so many bytes at a time.
    struct File(usize);

    impl Host for File {
        fn read(&mut self, fd: i32, _: u64) -> Result<Vec<u8>, i32> {
            if fd == 0 { Ok(vec![7; self.0]) } else { Err(9) }
        }
        fn write(&mut self, _: i32, bytes: &[u8]) -> Result<u64, i32> {
            Ok(bytes.len() as u64)
        }
        fn open(&mut self, _: &[u8], _: i32, _: i32) -> Result<i32, i32> {
            Ok(3)
        }
        fn close(&mut self, _: i32) -> Result<(), i32> {
            Err(9)
        }
        fn lseek(&mut self, _: i32, offset: i64, _: i32) -> Result<i64, i32> {
            Ok(offset)
        }
        fn unlink(&mut self, _: &[u8]) -> Result<(), i32> {
            Ok(())
        }
        fn rename(&mut self, _: &[u8], _: &[u8]) -> Result<(), i32> {
            Err(2)
        }
        fn stat(&mut self, _: Option<&[u8]>, _: i32) -> Result<Stat, i32> {
            Ok(Stat { mode: 1, size: 2, mtime: 3 })
        }
        fn time(&mut self, clock: i32) -> Result<i64, i32> {
            Ok(i64::from(clock))
        }
        fn getenv(&mut self, name: &[u8]) -> Option<Vec<u8>> {
            (name == b"HOME").then(|| b"/".to_vec())
        }
    }

    #[test]
    fn the_second_time_everything_is_the_same() {
        fn ask(h: &mut dyn Host) -> String {
            let read = (h.read(0, 2), h.read(1, 1), h.write(1, b"abc"));
            let files = (h.open(b"f", 0, 0), h.close(3), h.lseek(3, -5, 0), h.unlink(b"f"), h.rename(b"f", b"g"));
            let rest = (h.stat(None, 0), h.time(1), h.getenv(b"HOME"), h.getenv(b"x"));
            format!("{read:?} {files:?} {rest:?}")
        }
        let mut kept = Kept::new(File(2));
        let first = ask(&mut kept);
        let mut again = kept.answers().expect("few answers");
        assert_eq!(first, ask(&mut again));
        assert_eq!(again.read(0, 1), Err(5));
    }

    #[test]
    fn what_is_too_much_is_not_kept() {
        let mut kept = Kept::new(File(MOST / 2));
        for _ in 0..3 {
            assert!(kept.read(0, 1).is_ok());
        }
        assert!(kept.answers().map(|Answers(a)| a.len()).is_none());
    }
}
