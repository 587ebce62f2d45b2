//! Compiling the program with sanitizers, running it on the inputs, and what its output says about the finding.

use crate::exit::usage;
use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use verify_ir::CheckKind as K;
use verify_wrapper::capture::Job;

/// Longest time for a compiler, and for the program.
const LIMIT: Duration = Duration::from_secs(120);
const RUN_LIMIT: Duration = Duration::from_secs(20);

/// The sanitizers that see a kind of failure: uninitialised memory has one of its own that excludes the others.
pub fn sanitizers(kind: K) -> &'static [&'static str] {
    match kind {
        K::UninitRead => &["-fsanitize=memory", "-fsanitize-memory-track-origins"],
        K::UnsignedWrap => &["-fsanitize=address,undefined,unsigned-integer-overflow"],
        K::IntegerTruncation => {
            &["-fsanitize=address,undefined,implicit-integer-truncation,implicit-integer-sign-change"]
        }
        _ => &["-fsanitize=address,undefined,float-cast-overflow"],
    }
}

/// A program to be built.
pub struct Build<'a> {
    pub clang: &'a Path,
    pub dir: &'a Path,
    pub kind: K,
}

impl Build<'_> {
    /// Compiles a unit of the program, or `instead` of it with the unit's own options.
    ///
    /// # Errors
    /// What the compiler said.
    pub fn unit(&self, job: &Job, number: usize, instead: Option<&Path>, rename_main: bool) -> Result<PathBuf, String> {
        let object = self.dir.join(format!("unit{number}.o"));
        let mut c = Command::new(self.clang);
        c.args(&job.args).args(self.common()).current_dir(&job.cwd);
        if rename_main {
            c.arg("-Dmain=verify_replaced_main");
        }
        c.args(["-c", "-o"]).arg(&object);
        match instead {
            Some(p) => {
                // What the unit includes by relative path lies beside it.
                let source = job.cwd.join(&job.source);
                if let Some(folder) = source.parent() {
                    c.arg("-iquote").arg(folder);
                }
                c.args(["-x", "c"]).arg(p)
            }
            None => c.args(["-x", &job.language]).arg(&job.source),
        };
        self.compile(c)?;
        Ok(object)
    }

    /// Compiles a source of the replay itself.
    ///
    /// # Errors
    /// What the compiler said.
    pub fn own(&self, name: &str, text: &str) -> Result<PathBuf, String> {
        let source = self.dir.join(name);
        std::fs::write(&source, text).map_err(|e| format!("{}: {e}", source.display()))?;
        let object = source.with_extension("o");
        let mut c = Command::new(self.clang);
        c.args(["-w", "-g", "-O1", "-c", "-o"]).arg(&object).arg(&source);
        if self.kind == K::UninitRead {
            // What comes from the shim is initialised; the instrumentation must know.
            c.arg("-fsanitize=memory");
        }
        self.compile(c)?;
        Ok(object)
    }

    /// Links; the calls of these functions go to the shim.
    ///
    /// # Errors
    /// What the linker said.
    pub fn link(&self, objects: &[PathBuf], libraries: &[String], wrapped: &[&str]) -> Result<PathBuf, String> {
        let program = self.dir.join("replay");
        let mut c = Command::new(self.clang);
        c.args(self.common()).args(objects);
        c.args(wrapped.iter().map(|w| format!("-Wl,--wrap={w}")));
        c.args(libraries.iter().map(|l| format!("-l{}", l.trim_start_matches("-l"))));
        c.args(["-lm", "-lpthread", "-o"]).arg(&program);
        self.compile(c)?;
        Ok(program)
    }

    fn common(&self) -> Vec<OsString> {
        let mut words = vec!["-w", "-g", "-fno-omit-frame-pointer", "-Wno-error"];
        words.extend(sanitizers(self.kind));
        if self.kind != K::UninitRead {
            words.extend(["-fno-sanitize=alignment,function,vptr", "-fsanitize-recover=undefined"]);
        }
        words.iter().map(OsString::from).collect()
    }

    fn compile(&self, mut c: Command) -> Result<(), String> {
        let done = run(&mut c, LIMIT)?;
        if done.code == 0 {
            return Ok(());
        }
        let said = done.output.lines().find(|l| l.contains("error") || l.contains("undefined reference"));
        Err(said.unwrap_or("the compiler failed without a message").trim().to_string())
    }
}

/// What a program did.
pub struct Done {
    pub code: i32,
    /// Both outputs.
    pub output: String,
    pub timed_out: bool,
}

/// Runs the built program.
///
/// # Errors
/// It cannot be started.
pub fn execute(program: &Path, args: &[Vec<u8>], kind: K) -> Result<Done, String> {
    let leaks = u8::from(kind == K::Leak);
    let mut c = Command::new(program);
    if let Some(name) = args.first() {
        c.arg0(OsStr::new(&OsString::from_vec(name.clone())));
    }
    c.args(args.iter().skip(1).map(|a| OsString::from_vec(a.clone())));
    c.env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env(
            "ASAN_OPTIONS",
            format!("detect_leaks={leaks}:allocator_may_return_null=1:detect_stack_use_after_return=1"),
        )
        .env("UBSAN_OPTIONS", "print_stacktrace=1")
        .env("MSAN_OPTIONS", "allocator_may_return_null=1");
    if let Some(symbolizer) =
        ["/usr/bin/llvm-symbolizer-19", "/usr/lib/llvm-19/bin/llvm-symbolizer"].iter().find(|p| Path::new(p).exists())
    {
        for v in ["ASAN_SYMBOLIZER_PATH", "MSAN_SYMBOLIZER_PATH", "UBSAN_SYMBOLIZER_PATH"] {
            c.env(v, symbolizer);
        }
    }
    run(&mut c, RUN_LIMIT)
}

fn run(c: &mut Command, limit: Duration) -> Result<Done, String> {
    let name = c.get_program().to_string_lossy().into_owned();
    c.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let mut child = c.spawn().map_err(|e| format!("cannot run {name}: {e}"))?;
    let reader = |pipe: Option<Box<dyn Read + Send>>| {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            if let Some(mut pipe) = pipe {
                let _ = (&mut pipe).take(4 << 20).read_to_end(&mut bytes);
                let _ = std::io::copy(&mut pipe, &mut std::io::sink());
            }
            bytes
        })
    };
    let out = reader(child.stdout.take().map(|p| Box::new(p) as _));
    let err = reader(child.stderr.take().map(|p| Box::new(p) as _));
    let started = Instant::now();
    let mut timed_out = false;
    let status = loop {
        if let Some(s) = child.try_wait().map_err(|e| e.to_string())? {
            break s;
        }
        if started.elapsed() > limit {
            timed_out = true;
            let group = format!("-{}", child.id());
            let _ = Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status();
            break child.wait().map_err(|e| e.to_string())?;
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let code = status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0));
    let text =
        |t: std::thread::JoinHandle<Vec<u8>>| String::from_utf8_lossy(&t.join().unwrap_or_default()).into_owned();
    let output = text(err) + &text(out);
    Ok(Done { code, output, timed_out })
}

/// Words of the sanitizers for a kind of failure.
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
        "stack-overflow",
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
        K::Leak => &["detected memory leaks"],
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
        K::Assertion | K::ErrorCall => &["Assertion ", "assertion", "ABRT"],
        K::IntegerTruncation => &["implicit conversion"],
        K::UnsignedWrap => &["unsigned integer overflow", "cannot be represented in type"],
    }
}

/// What the output says: confirmed, with the line that says so; or what was seen instead.
pub fn judge(done: &Done, kind: K, file: &str, line: u32, function: &str) -> (bool, String) {
    let name = file.rsplit('/').next().unwrap_or(file);
    let place = format!("{name}:{line}");
    let at_place = |text: &str| {
        text.match_indices(&place).any(|(i, m)| !text[i + m.len()..].starts_with(|c: char| c.is_ascii_digit()))
    };
    // Reports are separated by what begins one.
    let begins = |l: &str| {
        l.contains("runtime error:")
            || l.contains("ERROR: ")
            || l.contains("WARNING: MemorySanitizer")
            || l.contains("Assertion ")
    };
    let mut reports: Vec<String> = Vec::new();
    for l in done.output.lines() {
        match reports.last_mut() {
            Some(last) if !begins(l) => {
                last.push('\n');
                last.push_str(l);
            }
            _ if begins(l) => reports.push(l.to_string()),
            _ => {}
        }
    }
    let head = |r: &str| {
        let first = r.lines().next().unwrap_or_default().trim();
        let begins = ["ERROR: ", "WARNING: ", "runtime error: "];
        let text = begins.iter().find_map(|b| Some(first.split_once(b)?.1)).unwrap_or(first);
        // Addresses differ from run to run.
        let text = text.split(" on address").next().unwrap_or(text).split(" on unknown address").next().unwrap_or(text);
        text.chars().take(200).collect::<String>()
    };
    let fits = |r: &str| words(kind).iter().any(|w| r.contains(w));
    // A leak is reported where the memory was allocated.
    let anywhere = kind == K::Leak;
    let in_function =
        |r: &str| !function.is_empty() && r.lines().any(|l| l.contains(" in ") && l.contains(&format!(" {function} ")));
    if let Some(r) = reports.iter().find(|r| fits(r) && (anywhere || at_place(r))) {
        return (true, format!("{} at {place}", head(r)));
    }
    if let Some(r) = reports.iter().find(|r| fits(r) && in_function(r)) {
        return (true, format!("{} in `{function}`", head(r)));
    }
    if done.timed_out {
        return (false, format!("the program did not end within {} seconds", RUN_LIMIT.as_secs()));
    }
    match reports.first() {
        Some(r) => (false, format!("the program failed otherwise: {}", head(r))),
        None => (false, format!("the program ended with status {} and no sanitizer said anything", done.code)),
    }
}

/// The compiler, or why there is none.
pub fn clang(env: &crate::tools::Env) -> anyhow::Result<PathBuf> {
    let clang = env.tools()?.clang.clone();
    if clang.exists() { Ok(clang) } else { Err(usage(format!("{} is missing", clang.display()))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(output: &str, kind: K, expect: bool) {
        let done = Done { code: 1, output: output.into(), timed_out: false };
        let (confirmed, seen) = judge(&done, kind, "src/a.c", 12, "f");
        assert_eq!(confirmed, expect, "{seen}");
    }

    #[test]
    fn only_the_same_failure_at_the_same_place_confirms() {
        let asan = |what: &str, line: u32| {
            format!("==1==ERROR: AddressSanitizer: {what} on address 0x1\n    #0 0x1 in g /p/src/a.c:{line}:3\n")
        };
        check(&asan("heap-buffer-overflow", 12), K::OutOfBoundsWrite, true);
        check(&asan("heap-buffer-overflow", 120), K::OutOfBoundsWrite, false);
        check(&asan("heap-buffer-overflow", 12), K::UseAfterFree, false);
        check("/p/src/a.c:12:9: runtime error: division by zero\n", K::DivByZero, true);
        check("/p/src/a.c:13:9: runtime error: division by zero\n", K::DivByZero, false);
        check("", K::DivByZero, false);
    }
}
