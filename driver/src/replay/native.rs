//! Compiling the program with sanitizers and running it.

use crate::exit::usage;
use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use verify_ir::CheckKind as K;
use verify_wrapper::LENIENT;
use verify_wrapper::capture::Job;

/// Longest time for a compiler.
const LIMIT: Duration = Duration::from_secs(120);
/// Longest time for the program.
pub const RUN_LIMIT: Duration = Duration::from_secs(20);

/// The sanitizers that see a kind of failure: uninitialised memory has one of its own that excludes the others.
pub fn sanitizers(kind: K) -> &'static [&'static str] {
    match kind {
        K::UninitRead => &["-fsanitize=memory", "-fsanitize-memory-track-origins"],
        K::UnsignedWrap => &["-fsanitize=address,undefined,unsigned-integer-overflow"],
        K::IntegerTruncation => &["-fsanitize=address,undefined,implicit-conversion"],
        _ => &["-fsanitize=address,undefined,float-cast-overflow"],
    }
}

/// A program to be built.
#[derive(Clone, Copy)]
pub struct Build<'a> {
    pub clang: &'a Path,
    pub dir: &'a Path,
    pub kind: K,
    /// As the project optimises; else not at all, so that every access is made, at its place.
    pub optimised: bool,
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
        if !self.optimised {
            c.arg("-O0");
        }
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

    /// Compiles a source of the replay itself, which lies where the object goes.
    ///
    /// # Errors
    /// What the compiler said.
    pub fn own(&self, source: &Path) -> Result<PathBuf, String> {
        let object = source.with_extension("o");
        let mut c = Command::new(self.clang);
        c.args(["-std=gnu17", "-w", "-g", "-O1", "-D_GNU_SOURCE", "-U_FORTIFY_SOURCE", "-fno-builtin"]);
        c.args(["-fno-strict-aliasing", "-ffp-contract=off", "-fno-omit-frame-pointer", "-fno-stack-protector"]);
        c.arg(self.sanitizer_of_the_world());
        if let Some(folder) = source.parent() {
            c.arg("-I").arg(folder);
        }
        c.args(["-c", "-o"]).arg(&object).arg(source);
        self.compile(c)?;
        Ok(object)
    }

    /// Compiles generated text.
    ///
    /// # Errors
    /// What the compiler said.
    pub fn text(&self, name: &str, text: &str) -> Result<PathBuf, String> {
        let source = self.dir.join(name);
        std::fs::write(&source, text).map_err(|e| format!("{}: {e}", source.display()))?;
        self.own(&source)
    }

    /// The models are instrumented as the program is: what a model touches of the program's is checked, and what it
    /// writes is initialised.
    pub fn sanitizer_of_the_world(&self) -> &'static str {
        if self.kind == K::UninitRead { "-fsanitize=memory" } else { "-fsanitize=address" }
    }

    /// Makes one object file of several.
    ///
    /// # Errors
    /// What the linker said.
    pub fn join(&self, objects: &[&Path], to: &Path) -> Result<(), String> {
        let mut c = Command::new(self.clang);
        c.args(["-r", "-nostdlib", "-o"]).arg(to).args(objects);
        self.compile(c)
    }

    /// What a tool of the linker prints.
    ///
    /// # Errors
    /// It is missing or does not like its input.
    pub fn tool(&self, name: &str, args: &[&OsStr]) -> Result<String, String> {
        let mut c = Command::new(name);
        let out = c.args(args).stdin(Stdio::null()).output().map_err(|e| format!("cannot run {name}: {e}"))?;
        if out.status.success() {
            return Ok(String::from_utf8_lossy(&out.stdout).into_owned());
        }
        let said = String::from_utf8_lossy(&out.stderr);
        Err(said.lines().next().unwrap_or("failed without a message").to_string())
    }

    /// Links.
    ///
    /// # Errors
    /// What the linker said.
    pub fn link(&self, objects: &[PathBuf], libraries: &[String], options: &[&str]) -> Result<PathBuf, String> {
        let program = self.dir.join("replay");
        let mut c = Command::new(self.clang);
        c.args(self.common()).args(objects).args(options);
        c.args(libraries.iter().map(|l| format!("-l{}", l.trim_start_matches("-l"))));
        c.args(["-lm", "-lpthread", "-o"]).arg(&program);
        self.compile(c)?;
        Ok(program)
    }

    fn common(&self) -> Vec<OsString> {
        let mut words = vec!["-g", "-fno-omit-frame-pointer", "-Wno-error", "-fno-lto"];
        // What was captured compiles here, too.
        words.extend(LENIENT);
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

/// Runs the built program, in a folder of its own.
///
/// # Errors
/// It cannot be started.
pub fn execute(program: &Path, args: &[Vec<u8>], kind: K) -> Result<Done, String> {
    let leaks = u8::from(kind == K::Leak);
    let folder = program.with_extension("folder");
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut c = Command::new(program);
    c.current_dir(folder);
    // An argument is the text up to its first NUL, whatever lies behind it.
    let text = |a: &Vec<u8>| OsString::from_vec(a.iter().copied().take_while(|b| *b != 0).collect());
    if let Some(name) = args.first() {
        c.arg0(text(name));
    }
    c.args(args.iter().skip(1).map(text));
    c.env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env(
            "ASAN_OPTIONS",
            format!("detect_leaks={leaks}:allocator_may_return_null=1:detect_stack_use_after_return=1:handle_abort=1"),
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

/// The compiler, or why there is none.
pub fn clang(env: &crate::tools::Env) -> anyhow::Result<PathBuf> {
    let clang = env.tools()?.clang.clone();
    if clang.exists() { Ok(clang) } else { Err(usage(format!("{} is missing", clang.display()))) }
}
