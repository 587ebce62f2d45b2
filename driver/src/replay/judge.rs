//! What the output of a replayed program says about the finding. Confirmed is only the same kind of failure at the same
//! place: the position that a check of the undefined behaviour sanitizer carries, or the innermost frame of the failing
//! stack that lies in a file of the project. Callers, and stacks of allocations and frees, do not count.

use super::native::Done;
use std::path::{Component, Path, PathBuf};
use verify_ir::CheckKind as K;

/// Where the scan saw the failure, and what belongs to the project.
pub struct Wanted<'a> {
    /// The kind.
    pub kind: K,
    /// Relative to `root`, or absolute.
    pub file: &'a str,
    /// From 1.
    pub line: u32,
    /// From 1; 0 when unknown.
    pub column: u32,
    /// The scanned folder.
    pub root: &'a Path,
    /// Files of the program, as `file`.
    pub sources: &'a [&'a str],
}

/// A position in the output; `column` is 0 when there is none.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Position {
    file: String,
    line: u32,
    column: u32,
}

impl Position {
    /// `FILE:LINE[:COLUMN]`.
    fn parse(text: &str) -> Option<Position> {
        let text = text.trim().trim_end_matches(':');
        let (rest, last) = text.rsplit_once(':')?;
        let last: u32 = last.parse().ok()?;
        Some(match rest.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?))) {
            Some((file, line)) => Position { file: file.into(), line, column: last },
            None => Position { file: rest.into(), line: last, column: 0 },
        })
    }
}

/// Words of the sanitizers for a kind of failure, in the first line of a report.
fn words(kind: K) -> &'static [&'static str] {
    const MEMORY: &[&str] = &[
        "heap-buffer-overflow",
        "stack-buffer-overflow",
        "global-buffer-overflow",
        "dynamic-stack-buffer-overflow",
        "stack-buffer-underflow",
        "heap-buffer-underflow",
        "negative-size-param",
        "unknown-crash",
        "SEGV",
        "container-overflow",
        "BUS",
        "out of bounds",
        "wild-",
    ];
    match kind {
        K::NullDeref => &["SEGV", "load of null pointer", "store to null pointer", "within null pointer", "BUS"],
        K::InvalidDeref | K::OutOfBoundsRead | K::OutOfBoundsWrite => MEMORY,
        K::ArrayIndex => &["out of bounds", "buffer-overflow", "buffer-underflow", "SEGV"],
        K::UseAfterFree => &["heap-use-after-free"],
        K::UseAfterScope => &["stack-use-after-scope", "stack-use-after-return"],
        K::ReadOnlyWrite => &["SEGV", "BUS"],
        K::DoubleFree => &["double-free"],
        K::InvalidFree => &["attempting free on address which was not malloc", "alloc-dealloc-mismatch", "bad-free"],
        K::Leak => &["Direct leak", "Indirect leak"],
        K::UninitRead => &["use-of-uninitialized-value"],
        K::SignedOverflow => &["signed integer overflow", "cannot be represented in type", "shift of"],
        K::DivByZero => &["division by zero", "FPE"],
        K::ShiftRange => &["shift exponent"],
        K::FloatCast => &["outside the range of representable values"],
        K::InvalidValue => &["not a valid value"],
        K::VlaBound => &["variable length array bound"],
        K::InvalidArgument => &["null pointer passed", "param-overlap", "passing zero to", "SEGV", "buffer-overflow"],
        K::NullReturn => &["null pointer returned"],
        K::InvalidCall => &["SEGV", "incorrect function type"],
        K::Unreachable => &["unreachable program point", "without returning a value"],
        K::Assertion | K::ErrorCall => &["ABRT"],
        K::IntegerTruncation => &["implicit conversion"],
        K::UnsignedWrap => &["unsigned integer overflow", "cannot be represented in type"],
    }
}

/// One message of a sanitizer, or of a model.
struct Report<'a> {
    lines: Vec<&'a str>,
}

impl<'a> Report<'a> {
    fn all(output: &'a str) -> Vec<Report<'a>> {
        let begins = |l: &str| {
            ["runtime error: ", "ERROR: ", "WARNING: MemorySanitizer", "Direct leak of", "Indirect leak of"]
                .iter()
                .any(|b| l.contains(b))
        };
        let mut reports: Vec<Report<'a>> = Vec::new();
        for l in output.lines() {
            if begins(l) {
                reports.push(Report { lines: vec![l] });
            } else if let Some(last) = reports.last_mut() {
                last.lines.push(l);
            }
        }
        reports
    }

    fn first(&self) -> &'a str {
        self.lines.first().copied().unwrap_or_default()
    }

    /// What it says, without what differs from run to run.
    fn head(&self) -> String {
        let first = self.first().trim();
        let begins = ["ERROR: ", "WARNING: ", "runtime error: "];
        let text = begins.iter().find_map(|b| Some(first.split_once(b)?.1)).unwrap_or(first);
        let text = text.split(" on address").next().unwrap_or(text).split(" on unknown address").next().unwrap_or(text);
        text.chars().take(200).collect()
    }

    fn fits(&self, kind: K) -> bool {
        let first = self.first();
        if let Some((_, said)) = first.split_once("ERROR: verify: ") {
            return said.split(':').next() == Some(kind.name());
        }
        let says = |what: &str| self.lines.iter().any(|l| l.starts_with(what) || l.contains(&format!("by a {what}")));
        let other_way = match kind {
            K::OutOfBoundsRead => says("WRITE of size") || says("WRITE memory"),
            K::OutOfBoundsWrite | K::ReadOnlyWrite => says("READ of size") || says("READ memory"),
            _ => false,
        };
        !other_way && words(kind).iter().any(|w| first.contains(w))
    }

    /// The frames of the failing stack, innermost first.
    fn stack(&self) -> impl Iterator<Item = Position> {
        let is_frame = |l: &&&str| l.trim_start().starts_with('#');
        let frames = self.lines.iter().skip_while(move |l| !is_frame(l)).take_while(is_frame);
        frames.filter_map(|l| Position::parse(l.split_once(" in ")?.1.split_once(' ')?.1))
    }

    /// Where the program failed.
    fn place(&self, wanted: &Wanted<'_>) -> Option<Position> {
        let inner = self.stack().find(|p| wanted.in_project(&p.file));
        let Some((header, _)) = self.first().split_once(": runtime error: ") else { return inner };
        let header = Position::parse(header)?;
        // Its file is as on the command line of the compiler; the stack knows the folder.
        match inner {
            Some(inner) if !Path::new(&header.file).is_absolute() && is_tail(&header.file, &inner.file) => {
                Some(Position { file: inner.file, ..header })
            }
            _ => Some(header),
        }
    }
}

/// The parts of a path without `.` and, as text, `..`; leading ones go.
fn parts(path: &str) -> Vec<&std::ffi::OsStr> {
    let mut out = Vec::new();
    for c in Path::new(path).components() {
        match c {
            Component::Normal(n) => out.push(n),
            Component::ParentDir => _ = out.pop(),
            _ => {}
        }
    }
    out
}

/// One path is the end of the other.
fn is_tail(a: &str, b: &str) -> bool {
    let (a, b) = (parts(a), parts(b));
    !a.is_empty() && !b.is_empty() && (a.ends_with(&b) || b.ends_with(&a))
}

impl Wanted<'_> {
    fn same_file(&self, said: &str, file: &str) -> bool {
        if Path::new(said).is_absolute() {
            let ours = self.root.join(file);
            let real = |p: &Path| p.canonicalize().unwrap_or_else(|_| PathBuf::from("/").join(parts_path(p)));
            if ours.exists() {
                return real(&ours) == real(Path::new(said));
            }
        }
        is_tail(said, file)
    }

    fn in_project(&self, said: &str) -> bool {
        self.same_file(said, self.file) || self.sources.iter().any(|s| self.same_file(said, s))
    }

    fn is_at(&self, p: &Position) -> bool {
        let column = self.column == 0 || p.column == 0 || self.column == p.column;
        p.line == self.line && column && self.same_file(&p.file, self.file)
    }

    /// Of `p->a.b` the sanitizer names `a`, the scan `b`.
    fn is_member_of(&self, p: &Position) -> bool {
        let (from, to) = (p.column as usize, self.column as usize);
        if p.line != self.line || from == 0 || from >= to || !self.same_file(&p.file, self.file) {
            return false;
        }
        let text = std::fs::read_to_string(self.root.join(self.file)).unwrap_or_default();
        let line = text.lines().nth(self.line.saturating_sub(1) as usize);
        let between = line.and_then(|l| l.get(from - 1..to - 1));
        between.is_some_and(|t| t.bytes().all(|b| b == b'.' || b == b'_' || b.is_ascii_alphanumeric()))
    }
}

fn parts_path(p: &Path) -> PathBuf {
    parts(&p.to_string_lossy()).iter().collect()
}

/// Confirmed, with what says so; or what was seen instead.
pub fn judge(done: &Done, wanted: &Wanted<'_>) -> (bool, String) {
    let reports = Report::all(&done.output);
    let name = wanted.file.rsplit('/').next().unwrap_or(wanted.file);
    let fitting: Vec<&Report<'_>> = reports.iter().filter(|r| r.fits(wanted.kind)).collect();
    let here = |r: &Report<'_>, p: Position| {
        wanted.is_at(&p) || r.first().contains("member access within null pointer") && wanted.is_member_of(&p)
    };
    if let Some(r) = fitting.iter().find(|r| r.place(wanted).is_some_and(|p| here(r, p))) {
        return (true, format!("{} at {name}:{}", r.head(), wanted.line));
    }
    if let Some((_, why)) = done.output.lines().find_map(|l| l.split_once("verify-replay: ")) {
        return (false, why.to_string());
    }
    if done.timed_out {
        return (false, format!("the program did not end within {} seconds", super::native::RUN_LIMIT.as_secs()));
    }
    let seen = |r: &Report<'_>| match r.place(wanted) {
        Some(p) => {
            let file = p.file.rsplit('/').next().unwrap_or(&p.file);
            let column = if p.column > 0 { format!(":{}", p.column) } else { String::new() };
            format!("{} at {file}:{}{column}", r.head(), p.line)
        }
        None => r.head(),
    };
    match (fitting.first(), reports.first()) {
        (Some(r), _) => (false, format!("the program failed in this way elsewhere: {}", seen(r))),
        (None, Some(r)) => (false, format!("the program failed otherwise: {}", seen(r))),
        (None, None) => (false, format!("the program ended with status {} and no sanitizer said anything", done.code)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(output: &str, kind: K, expect: bool) {
        let done = Done { code: 1, output: output.into(), timed_out: false };
        let wanted = Wanted {
            kind,
            file: "src/a.c",
            line: 12,
            column: 3,
            root: Path::new("/p"),
            sources: &["src/a.c", "src/b.c", "other/a.c"],
        };
        let (confirmed, seen) = judge(&done, &wanted);
        assert_eq!(confirmed, expect, "{output}\n{seen}");
    }

    fn asan(what: &str, frames: &[&str]) -> String {
        let mut text = format!("==1==ERROR: AddressSanitizer: {what} on address 0x1\nREAD of size 4 at 0x1\n");
        for (i, f) in frames.iter().enumerate() {
            text += &format!("    #{i} 0x1 in {f}\n");
        }
        text
    }

    #[test]
    fn only_the_same_failure_at_the_same_place_confirms() {
        let at = |what: &str, place: &str| asan(what, &[&format!("g {place}")]);
        check(&at("heap-buffer-overflow", "/p/src/a.c:12:3"), K::OutOfBoundsRead, true);
        check(&at("heap-buffer-overflow", "/p/src/a.c:12"), K::OutOfBoundsRead, true);
        check(&at("heap-buffer-overflow", "/p/src/a.c:12:3"), K::OutOfBoundsWrite, false);
        check(&at("heap-buffer-overflow", "/p/src/a.c:120:3"), K::OutOfBoundsRead, false);
        check(&at("heap-buffer-overflow", "/p/src/a.c:12:30"), K::OutOfBoundsRead, false);
        check(&at("heap-buffer-overflow", "/p/other/a.c:12:3"), K::OutOfBoundsRead, false);
        check(&at("heap-buffer-overflow", "/p/src/a.c:12:3"), K::UseAfterFree, false);
        check("src/a.c:12:3: runtime error: division by zero\n", K::DivByZero, true);
        check("src/a.c:12:9: runtime error: division by zero\n", K::DivByZero, false);
        check("src/a.c:13:3: runtime error: division by zero\n", K::DivByZero, false);
        check("", K::DivByZero, false);
    }

    #[test]
    fn callers_and_other_stacks_do_not_confirm() {
        // The library's frame is passed over, a function of the project is not.
        check(
            &asan("heap-buffer-overflow", &["memcpy /rt/asan.cpp:5:1", "f /p/src/a.c:12:3"]),
            K::OutOfBoundsRead,
            true,
        );
        check(&asan("heap-buffer-overflow", &["g /p/src/b.c:4:1", "f /p/src/a.c:12:3"]), K::OutOfBoundsRead, false);
        let freed = asan("heap-use-after-free", &["g /p/src/b.c:4:1"])
            + "\nfreed by thread T0 here:\n    #0 0x1 in free (x+0x1)\n    #1 0x1 in f /p/src/a.c:12:3\n";
        check(&freed, K::UseAfterFree, false);
        // The folder of a file that was compiled by its bare name is known from the stack.
        let bare =
            |folder: &str| format!("a.c:12:3: runtime error: division by zero\n    #0 0x1 in f /p/{folder}/a.c:12:3\n");
        check(&bare("src"), K::DivByZero, true);
        check(&bare("other"), K::DivByZero, false);
        let leak = "==1==ERROR: LeakSanitizer: detected memory leaks\n\nDirect leak of 4 byte(s) allocated from:\n    \
                    #0 0x1 in malloc /rt/m.cpp:1:1\n    #1 0x1 in f /p/src/a.c:12:3\n";
        check(leak, K::Leak, true);
        check(&leak.replace("a.c:12", "a.c:14"), K::Leak, false);
    }

    #[test]
    fn failing_models_and_refusals_are_understood() {
        let failed = "ERROR: verify: invalid-argument: bad\n    #0 0x1 in __verify_fail /w/shim.c:1:1\n    \
                      #1 0x1 in f /p/src/a.c:12:3\n";
        check(failed, K::InvalidArgument, true);
        check(failed, K::OutOfBoundsRead, false);
        check("verify-replay: the program calls `fork`, which a replay does not do\n", K::DivByZero, false);
    }
}
