//! Running other programs: output captured, a limit in seconds, the whole process group ended when it is over. Also
//! where things are: the workspace, the target folder, the programs built from it.

use anyhow::{Context, Result, bail};
use std::ffi::OsStr;
use std::io::Read;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The cache of the tools as they are built.
const FIRST_CACHE: &str = "xtask-cache";

/// Where a cache keeps compiled library models.
const MODELS: &str = "v1/unit.keyed";

/// The workspace folder.
pub fn root() -> PathBuf {
    let here = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let here = here.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")));
    here.parent().expect("xtask lies in the workspace").to_path_buf()
}

/// Cargo's target folder.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from).unwrap_or_else(|| root().join("target"))
}

/// Is there a program of this name on the path?
pub fn on_path(name: &str) -> bool {
    which(name).is_some()
}

/// The program of this name on the path.
pub fn which(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|d| d.join(name)).find(|p| p.is_file())
}

/// A heading of a step.
pub fn step(text: &str) {
    eprintln!("\n==> {text}");
}

/// What a program did.
#[derive(Debug)]
pub struct Done {
    /// Exit status; 128 + N for signal N, as a shell says it.
    pub code: i32,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    /// It was ended because the limit was over.
    pub timed_out: bool,
    pub seconds: f64,
    /// Largest resident memory seen, in KiB, of the program itself (not its children).
    pub peak_kib: u64,
    /// Processor seconds of the program and of the children it waited for; 0 where it was not watched.
    pub cpu_seconds: f64,
}

impl Done {
    pub fn out(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }
    pub fn err(&self) -> String {
        String::from_utf8_lossy(&self.stderr).into_owned()
    }
    /// The last lines of stderr (or stdout where that is empty), for messages.
    pub fn tail(&self) -> String {
        let text = if self.stderr.is_empty() { self.out() } else { self.err() };
        let lines: Vec<&str> = text.lines().collect();
        lines[lines.len().saturating_sub(12)..].join("\n")
    }
}

/// Runs a command with both outputs captured and no input, for at most `limit` seconds.
pub fn capture(cmd: &mut Command, limit: u64) -> Result<Done> {
    capture_watching(cmd, limit, false)
}

/// As [`capture`]; `watch` also samples peak memory and processor time.
pub fn capture_watching(cmd: &mut Command, limit: u64, watch: bool) -> Result<Done> {
    let name = cmd.get_program().to_string_lossy().into_owned();
    cmd.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let start = Instant::now();
    let mut child = cmd.spawn().with_context(|| format!("cannot run {name}"))?;
    let reader = |mut pipe: Box<dyn Read + Send>| {
        std::thread::spawn(move || {
            // A program that prints without end must not eat the memory: what is past 64 MiB is thrown away.
            let mut bytes = Vec::new();
            let _ = (&mut pipe).take(64 << 20).read_to_end(&mut bytes);
            let _ = std::io::copy(&mut pipe, &mut std::io::sink());
            bytes
        })
    };
    let out = reader(Box::new(child.stdout.take().expect("piped")));
    let err = reader(Box::new(child.stderr.take().expect("piped")));
    let pid = child.id();
    let (mut timed_out, mut peak_kib, mut cpu_seconds) = (false, 0, 0.0);
    let status = loop {
        if watch {
            peak_kib = peak_kib.max(high_water(pid));
        }
        // An ended child keeps its times until it is waited for: they are whole only then.
        let ended = if watch {
            let (ended, cpu) = processor_time(pid);
            cpu_seconds = cpu;
            ended
        } else {
            true
        };
        if ended && let Some(status) = child.try_wait()? {
            break status;
        }
        if start.elapsed() > Duration::from_secs(limit) {
            timed_out = true;
            let _ = Command::new("kill").args(["-KILL", "--", &format!("-{pid}")]).stderr(Stdio::null()).status();
            break child.wait()?;
        }
        // What is measured is off by as much: a fixed step, or one that doubles, made all short times the same.
        let least = Duration::from_micros(if watch { 1000 } else { 50 });
        std::thread::sleep((start.elapsed() / 50).clamp(least, Duration::from_millis(20)));
    };
    let seconds = start.elapsed().as_secs_f64();
    let code = status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0));
    let stdout = out.join().expect("reader");
    let stderr = err.join().expect("reader");
    Ok(Done { code, stdout, stderr, timed_out, seconds, peak_kib, cpu_seconds })
}

fn high_water(pid: u32) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = text.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    line.and_then(|l| l.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

/// Has the child ended, and its processor seconds so far, those of its own children included.
fn processor_time(pid: u32) -> (bool, f64) {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // The name of the program, in parentheses, may have anything in it.
    let Some((_, rest)) = text.rsplit_once(") ") else { return (true, 0.0) };
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let ticks: f64 = (11..15).filter_map(|i| fields.get(i)?.parse::<f64>().ok()).sum();
    // The kernel tells user space hundredths of a second, whatever its own clock is.
    (fields.first() == Some(&"Z"), ticks / 100.0)
}

/// Runs a command that must succeed; its output goes to ours.
pub fn must(cmd: &mut Command) -> Result<()> {
    let shown = show(cmd);
    let status = cmd.stdin(Stdio::null()).status().with_context(|| format!("cannot run {shown}"))?;
    if !status.success() {
        bail!("`{shown}` failed with {status}");
    }
    Ok(())
}

/// Runs a command that must succeed; what it prints is shown only when it fails.
pub fn quiet(cmd: &mut Command, limit: u64) -> Result<Done> {
    let shown = show(cmd);
    let done = capture(cmd, limit)?;
    if done.timed_out {
        bail!("`{shown}` took more than {limit} s");
    }
    if done.code != 0 {
        bail!("`{shown}` failed with status {}:\n{}", done.code, done.tail());
    }
    Ok(done)
}

/// A command as one line.
pub fn show(cmd: &Command) -> String {
    let mut line = cmd.get_program().to_string_lossy().into_owned();
    for a in cmd.get_args() {
        line.push(' ');
        line.push_str(&a.to_string_lossy());
    }
    line
}

/// `cargo` with arguments, in the workspace.
pub fn cargo<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(args: I) -> Command {
    let mut c = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    c.args(args).current_dir(root());
    c
}

/// The built programs, and a cache of their own so that the user's is never touched.
#[derive(Clone)]
pub struct Tools {
    pub bin: PathBuf,
    pub cache: PathBuf,
}

impl Tools {
    /// Builds the programs in release mode; or takes those that lie in the folder `XTASK_BIN`.
    pub fn build() -> Result<Tools> {
        if let Some(bin) = std::env::var_os("XTASK_BIN") {
            return Tools { bin: bin.into(), cache: PathBuf::new() }.with_cache(FIRST_CACHE);
        }
        step("building verify (release)");
        let packages = crate::features::TOOLS.iter().flat_map(|t| ["-p", *t]);
        must(cargo(["build", "--release", "--locked", "--bins"]).args(packages))?;
        let target = target();
        let bin = if target.is_absolute() { target.join("release") } else { root().join(target).join("release") };
        let tools = Tools { bin, cache: PathBuf::new() }.with_cache(FIRST_CACHE)?;
        if !tools.cache.join(MODELS).exists() {
            let dir = scratch("models")?;
            std::fs::write(dir.join("empty.c"), "int main(void) { return 0; }\n")?;
            must(tools.verify(&dir, ["check", "empty.c"]).stdout(Stdio::null()))?;
        }
        // Cargo takes no `+` in the name of a program.
        let cxx = tools.program("verify-c++");
        if !cxx.exists() {
            std::os::unix::fs::symlink("verify-cxx", &cxx).context("cannot make verify-c++")?;
        }
        for p in ["verify", "verify-cc", "verify-lower"] {
            if !tools.program(p).is_file() {
                bail!("the build made no {}", tools.program(p).display());
            }
        }
        Ok(tools)
    }

    /// The same programs with another cache folder under the target folder. A new one begins with the library models
    /// as they were compiled once: with some thirty caches, to compile them in each takes minutes of a processor.
    pub fn with_cache(&self, name: &str) -> Result<Tools> {
        let target = self.bin.parent().expect("target folder");
        let cache = target.join(name);
        let (known, own) = (target.join(FIRST_CACHE).join(MODELS), cache.join(MODELS));
        std::fs::create_dir_all(own.parent().expect("a folder of the cache"))?;
        if known.exists() && !own.exists() {
            must(Command::new("cp").arg("-r").args([&known, &own]))?;
        }
        Ok(Tools { bin: self.bin.clone(), cache })
    }

    /// Builds an example of one of the crates in release mode: a tool for working on the crate. By its crate alone it would be built
    /// with other features of shared dependencies than the tools and the tests, and all of these again.
    pub fn example(name: &str) -> Result<PathBuf> {
        must(&mut cargo(["build", "--release", "--locked", "--quiet", "--workspace", "--example", name]))?;
        let target = target();
        let target = if target.is_absolute() { target } else { root().join(target) };
        Ok(target.join("release/examples").join(name))
    }

    pub fn program(&self, name: &str) -> PathBuf {
        self.bin.join(name)
    }

    /// `verify <args>` with the cache set, in `dir`.
    pub fn verify<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(&self, dir: &Path, args: I) -> Command {
        let mut c = Command::new(self.program("verify"));
        c.args(args).current_dir(dir).env("VERIFY_CACHE", &self.cache);
        c
    }
}

/// An empty folder of this name under `target/xtask`, made anew.
pub fn scratch(name: &str) -> Result<PathBuf> {
    let target = target();
    let target = if target.is_absolute() { target } else { root().join(target) };
    let dir = target.join("xtask").join(name);
    if dir.exists() {
        std::fs::remove_dir_all(&dir).with_context(|| format!("cannot clear {}", dir.display()))?;
    }
    std::fs::create_dir_all(&dir).with_context(|| format!("cannot make {}", dir.display()))?;
    Ok(dir)
}

/// Calls `f` on each item from as many threads as there are cores; the results keep the order of the items.
pub fn in_parallel<T: Sync, R: Send>(items: &[T], f: impl Fn(&T) -> R + Sync) -> Vec<R> {
    in_parallel_on(0, items, f)
}

/// The same from this many threads; 0: as many as there are cores.
pub fn in_parallel_on<T: Sync, R: Send>(threads: usize, items: &[T], f: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let cores = || std::thread::available_parallelism().map_or(2, usize::from);
    let threads = if threads == 0 { cores() } else { threads }.min(items.len().max(1));
    let next = AtomicUsize::new(0);
    let slots: Vec<Mutex<Option<R>>> = items.iter().map(|_| Mutex::new(None)).collect();
    std::thread::scope(|s| {
        for _ in 0..threads {
            s.spawn(|| {
                while let Some(item) = {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    items.get(i).map(|it| (i, it))
                } {
                    let r = f(item.1);
                    *slots[item.0].lock().expect("no panics while held") = Some(r);
                }
            });
        }
    });
    slots.into_iter().map(|m| m.into_inner().expect("no panics while held").expect("every item was done")).collect()
}

/// A small deterministic generator of pseudo-random numbers (SplitMix64): the suites are seeded.
pub struct Rng(pub u64);

impl Rng {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
    /// One of these.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}
