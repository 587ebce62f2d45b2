//! `cargo xtask scan-again`: a small project is edited at random, captured and scanned again and again, with what earlier scans
//! found out and without: the same bytes. And it is killed while it is scanned: the next scan goes on, to the same bytes.

use crate::sh::{self, Done, Rng, Tools};
use crate::tally::Tally;
use anyhow::{Context, Result, bail, ensure};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const LIMIT: u64 = 300;
/// Millions of interpreter steps.
const STEPS: &str = "3";

/// What is exchanged for what.
const SWAPS: &[(&str, &str)] = &[
    (" < ", " <= "),
    (" <= ", " < "),
    (" > ", " >= "),
    (" == ", " != "),
    (" != ", " == "),
    (" + ", " - "),
    (" - ", " + "),
    (" && ", " || "),
    (" || ", " && "),
    ("0", "1"),
    ("1", "2"),
    (";\n", ";\n\n"),
    ("return ", "return  "),
];

struct Project {
    tools: Tools,
    dir: PathBuf,
}

impl Project {
    fn new(tools: &Tools) -> Result<Project> {
        let tools = tools.with_cache("scan-again-cache")?;
        std::fs::remove_dir_all(&tools.cache)?;
        std::fs::create_dir_all(&tools.cache)?;
        let dir = sh::scratch("scan-again")?.join("project");
        let from = sh::root().join("tests/projects/inventory");
        ensure!(Command::new("cp").arg("-r").arg(&from).arg(&dir).status()?.success(), "cannot copy the project");
        Ok(Project { tools, dir })
    }

    fn sources(&self) -> Result<Vec<PathBuf>> {
        let mut all = Vec::new();
        for e in std::fs::read_dir(self.dir.join("src"))? {
            all.push(e?.path());
        }
        all.retain(|p| p.extension().is_some_and(|e| e == "c"));
        all.sort();
        Ok(all)
    }

    /// Builds under capture; false: it does not compile.
    fn capture(&self) -> Result<bool> {
        let mut command = self.tools.verify(&self.dir, ["capture", "--quiet", "--", "make", "-s", "CFLAGS=-g -w"]);
        for variable in ["CC", "MAKEFLAGS", "MFLAGS"] {
            command.env_remove(variable);
        }
        Ok(sh::capture(&mut command, LIMIT)?.code == 0)
    }

    fn scan(&self, name: &str, more: &[&str]) -> Result<Done> {
        let args = ["scan", "-j", "2", "--format", "json", "--sarif-all", "--steps", STEPS, "--output", name];
        let done = sh::capture(&mut self.tools.verify(&self.dir, args.iter().chain(more)), LIMIT)?;
        ensure!(done.code <= 1, "the scan ended with {}\n{}", done.code, done.tail());
        Ok(done)
    }

    /// Files of what is remembered.
    fn remembered(&self) -> Result<Vec<PathBuf>> {
        let (mut open, mut files) = (vec![self.tools.cache.join("v1/report.keyed")], Vec::new());
        while let Some(dir) = open.pop() {
            for e in std::fs::read_dir(&dir).with_context(|| dir.display().to_string())? {
                let path = e?.path();
                if path.is_dir() { open.push(path) } else { files.push(path) }
            }
        }
        Ok(files)
    }

    /// A scan that knows nothing is killed, some while after it has found out something; the next one goes on.
    fn killed(&self, rng: &mut Rng) -> Result<()> {
        for file in self.remembered()? {
            std::fs::remove_file(file)?;
        }
        let mut scan = self.tools.verify(&self.dir, ["scan", "-q", "-j", "2", "--steps", STEPS]);
        let mut child = scan.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        let start = Instant::now();
        while self.remembered()?.is_empty() && child.try_wait()?.is_none() {
            ensure!(start.elapsed().as_secs() < LIMIT, "the scan finds out nothing");
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_millis(rng.below(400) as u64));
        child.kill()?;
        child.wait()?;
        let files = self.remembered()?.len();
        let done = self.scan("with.sarif", &[])?;
        let (known, all) = known_of(&done)?;
        ensure!(known > 0, "{files} files, and nothing of {all} was known");
        self.compare().map(|_| ())
    }

    /// Cuts off or changes what is remembered: it is found out again.
    fn damage(&self, rng: &mut Rng) -> Result<()> {
        let mut damaged = 0;
        for path in self.remembered()? {
            let mut bytes = std::fs::read(&path)?;
            match rng.below(3) {
                0 => bytes.truncate(rng.below(bytes.len())),
                1 => {
                    let at = rng.below(bytes.len());
                    bytes[at] ^= 1 << rng.below(8);
                }
                _ => continue,
            }
            damaged += 1;
            std::fs::write(&path, bytes)?;
        }
        ensure!(damaged > 0, "nothing is remembered");
        Ok(())
    }

    /// With and without memory: the report on standard output, the SARIF and the record. How many pieces of work were known, and of
    /// how many.
    fn compare(&self) -> Result<(usize, usize)> {
        let (with, without) = (self.scan("with.sarif", &[])?, self.scan("without.sarif", &["--fresh"])?);
        ensure!(with.stdout == without.stdout, "the reports differ");
        for (a, b) in [("with.sarif", "without.sarif"), ("with.checks.json", "without.checks.json")] {
            ensure!(std::fs::read(self.dir.join(a))? == std::fs::read(self.dir.join(b))?, "{a} and {b} differ");
        }
        // Now all of it is known.
        let again = self.scan("with.sarif", &[])?;
        ensure!(again.stdout == with.stdout, "the second report differs");
        let (known, all) = known_of(&again)?;
        ensure!(known == all, "{known} of {all} were known");
        Ok((known_of(&with).map_or(0, |k| k.0), all))
    }
}

/// How many questions a scan knew the answers to, and of how many.
fn known_of(scan: &Done) -> Result<(usize, usize)> {
    let said = scan.err();
    let numbers: Vec<usize> = said.split_whitespace().filter_map(|w| w.parse().ok()).collect();
    match numbers[..] {
        [known, all] => Ok((known, all)),
        // Where nothing was known, nothing is said.
        _ => bail!("not a word of what was known: {said}"),
    }
}

/// What is put between functions.
const BETWEEN: &[&str] = &[
    "\n/* a comment\n   of two lines */\n",
    "int verify_added[] = {3, 1, 2};\n",
    "const char *verify_words[] = {\"one\", \"two\"};\nconst char *verify_word(int n) { return verify_words[n & 1]; }\n",
    "static int verify_next(int n) { return n + 1; }\nint verify_first(void) { return verify_next(0); }\n",
    "struct verify_pair { int a; long b; };\nlong verify_sum(struct verify_pair *p) { return p->a + p->b; }\n",
];
/// What is put between statements.
const WITHIN: &[&str] = &["{ static int verify_times; verify_times++; }", "(void)\"a literal\";", ";"];

/// `text` with one place changed.
fn edited(text: &str, rng: &mut Rng) -> Option<String> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let behind = |fits: &dyn Fn(&str) -> bool, what: &str, rng: &mut Rng| {
        let all: Vec<usize> = (0..lines.len()).filter(|i| fits(lines[*i])).collect();
        let at = *all.get(rng.below(all.len().max(1)))? + 1;
        Some(format!("{}{what}\n{}", lines[..at].concat(), lines[at..].concat()))
    };
    match rng.below(4) {
        0 => {
            let what = *rng.pick(BETWEEN);
            behind(&|l| l == "}\n", what, rng)
        }
        1 => {
            let what = *rng.pick(WITHIN);
            let statement = |l: &str| l.starts_with("    ") && l.ends_with(";\n") && l.trim_start().contains('(');
            behind(&statement, what, rng)
        }
        _ => {
            let (from, to) = *rng.pick(SWAPS);
            let all: Vec<usize> = text.match_indices(from).map(|m| m.0).collect();
            let at = *all.get(rng.below(all.len().max(1)))?;
            Some(format!("{}{to}{}", &text[..at], &text[at + from.len()..]))
        }
    }
}

/// `n` edits, each of the sources as they are in the repository.
pub fn run(tools: &Tools, n: u64, seed: u64) -> Result<Tally> {
    let project = Project::new(tools)?;
    let mut rng = Rng(seed);
    let mut tally = Tally::default();
    ensure!(project.capture()?, "the project does not build");
    tally.add("as it is", project.compare().map(|_| ()).map_err(|e| format!("{e:#}")));
    let done = project.damage(&mut rng).and_then(|()| project.compare());
    tally.add("with a damaged memory", done.map(|_| ()).map_err(|e| format!("{e:#}")));
    for k in 1..=1 + n / 4 {
        tally.add(&format!("killed, {k}"), project.killed(&mut rng).map_err(|e| format!("{e:#}")));
    }
    let sources = project.sources()?;
    let (mut k, mut known, mut all) = (0, 0, 0);
    for _ in 0..20 * n {
        if k == n {
            break;
        }
        let path = rng.pick(&sources);
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        let Some(new) = edited(&text, &mut rng) else { continue };
        std::fs::write(path, new)?;
        if project.capture()? {
            k += 1;
            let done = project.compare().map(|(k, n)| {
                known += k;
                all += n;
            });
            tally.add(&name(path, k), done.map_err(|e| format!("{e:#}")));
        }
        std::fs::write(path, text)?;
    }
    println!("scan-again: {known} of {all} pieces of work were known after edits");
    let much = if known * 5 >= all { Ok(()) } else { Err(format!("{known} of {all} only")) };
    tally.add("what edits leave known", much);
    Ok(tally)
}

fn name(path: &Path, k: u64) -> String {
    format!("edit {k}, of {}", path.file_name().unwrap_or_default().to_string_lossy())
}
