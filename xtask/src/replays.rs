//! `verify replay`: programs under `tests/replay/` are scanned and all of their findings are run; `// replay: TEXT` is what
//! must then be said, `// scan: ...` are options of the scan, `// flags: ...` of the compiler. Each stands in a folder with a file that no run may touch.
//! And what the command says where there is nothing to run.

use crate::sh::{self, Done, Tools};
use crate::tally::Tally;
use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};

const LIMIT: u64 = 300;
const PRECIOUS: &str = "precious.txt";

/// Runs the programs whose name contains `filter`.
///
/// # Errors
/// The programs cannot be read.
pub fn run(tools: &Tools, filter: Option<&str>) -> Result<Tally> {
    let mut tally = Tally::default();
    let tools = tools.with_cache("replays-cache")?;
    let folder = sh::root().join("tests/replay");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(&folder)?.map(|e| Ok(e?.path())).collect::<Result<_>>().context("tests/replay")?;
    files.sort();
    let name = |p: &Path| p.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    files.retain(|p| filter.is_none_or(|f| name(p).contains(f)));
    for p in &files {
        let done = Lab::new(&tools, &name(p)).and_then(|lab| lab.program(p));
        tally.add(&format!("replay {}", name(p)), done.map_err(|e| format!("{e:#}")));
    }
    if filter.is_none() {
        let done = Lab::new(&tools, "words").and_then(|lab| lab.words());
        tally.add("replay without a run", done.map_err(|e| format!("{e:#}")));
    }
    Ok(tally)
}

struct Lab {
    tools: Tools,
    dir: PathBuf,
}

impl Lab {
    fn new(tools: &Tools, name: &str) -> Result<Lab> {
        let dir = sh::scratch(&format!("replays/{name}"))?;
        std::fs::write(dir.join(PRECIOUS), "keep")?;
        Ok(Lab { tools: tools.clone(), dir })
    }

    fn verify(&self, args: &[&str]) -> Result<Done> {
        sh::capture(&mut self.tools.verify(&self.dir, args), LIMIT)
    }

    fn scan(&self, file: &str, flags: &[&str], options: &[&str]) -> Result<()> {
        let text = std::fs::read_to_string(self.dir.join(file))?;
        let made: &[&str] = if text.contains("int main(") { &["-o", "program"] } else { &["-c"] };
        let build = ["capture", "--quiet", "--", "gcc", "-w", "-g", file];
        let done = self.verify(&[&build, flags, made].concat())?;
        ensure!(done.code == 0, "{}", done.tail());
        let done = self.verify(&[&["scan", "--quiet", "--steps", "30"], options].concat())?;
        ensure!(done.code <= 1, "{}", done.tail());
        Ok(())
    }

    fn files(&self) -> Result<Vec<String>> {
        let mut all: Vec<String> = std::fs::read_dir(&self.dir)?
            .map(|e| Ok(e?.file_name().to_string_lossy().into_owned()))
            .collect::<Result<_>>()?;
        all.sort();
        Ok(all)
    }

    fn program(&self, source: &Path) -> Result<()> {
        let file = source.file_name().context("a name")?.to_string_lossy().into_owned();
        let text = std::fs::read_to_string(source)?;
        std::fs::write(self.dir.join(&file), &text)?;
        let noted = |what: &str| text.lines().filter_map(|l| l.strip_prefix(what)).collect::<Vec<_>>();
        let words = |what: &str| noted(what).iter().flat_map(|l| l.split_whitespace()).collect::<Vec<_>>();
        self.scan(&file, &words("// flags: "), &words("// scan: "))?;
        let before = self.files()?;
        let done = self.verify(&["replay", "--all"])?;
        let said = done.out();
        ensure!(before == self.files()?, "files before and after:\n{before:?}\n{:?}", self.files()?);
        ensure!(std::fs::read_to_string(self.dir.join(PRECIOUS))? == "keep", "a file was written");
        let wanted = noted("// replay: ");
        ensure!(!wanted.is_empty(), "no `// replay: ` in {file}");
        for w in wanted {
            ensure!(said.contains(w), "not said: {w}\n{said}{}", done.err());
        }
        ensure!(done.code == if said.contains("not confirmed") { 2 } else { 0 }, "exit code {}\n{said}", done.code);
        Ok(())
    }

    /// Nothing to replay, suppressed findings, changed sources, a SARIF that is none.
    fn words(&self) -> Result<()> {
        let write = |text: &str| std::fs::write(self.dir.join("a.c"), text);
        let replay = |code: i32, says: &str| -> Result<()> {
            let done = self.verify(&["replay", "--all", "--keep", "kept"])?;
            let said = done.out() + &done.err();
            ensure!(
                done.code == code && said.contains(says),
                "exit code {}, not {code}, or not `{says}`: {said}",
                done.code
            );
            Ok(())
        };
        write("int main(void)\n{\n    return 0;\n}\n")?;
        self.scan("a.c", &[], &[])?;
        replay(0, "nothing to replay")?;
        let fails = "int main(void)\n{\n    int d = 0;\n    return 1 / d;\n}\n";
        write(&fails.replace("    return", "    // verify: ignore[div-by-zero] it is meant\n    return"))?;
        self.scan("a.c", &[], &[])?;
        replay(0, "1 suppressed, not replayed")?;
        write(fails)?;
        self.scan("a.c", &[], &[])?;
        let sarif = self.dir.join("verify.sarif");
        let good = std::fs::read(&sarif)?;
        std::fs::write(&sarif, "{ no")?;
        replay(3, "verify.sarif is no SARIF")?;
        ensure!(!self.dir.join("kept").exists(), "it ran before it looked");
        std::fs::write(&sarif, good)?;
        write(&fails.replace("1 / d", "2 / d"))?;
        replay(2, "the sources changed since the scan (`a.c`)")?;
        ensure!(!self.dir.join("kept").exists(), "it built what changed");
        write(fails)?;
        replay(0, "confirmed by execution: division by zero at a.c:4")?;
        ensure!(
            std::fs::read_to_string(sarif)?.contains("\"confirmedByExecution\": true"),
            "the SARIF does not say so"
        );
        // A model of the user's lets the scan go on where a run must not.
        std::fs::create_dir_all(self.dir.join("mine"))?;
        std::fs::write(self.dir.join("mine/close.c"), "void endnetent(void) {}\n")?;
        write(&fails.replace("    return", "    void endnetent(void);\n    endnetent();\n    return"))?;
        self.scan("a.c", &[], &["--models", "mine"])?;
        replay(2, "not confirmed: the program calls `endnetent`, which a replay does not do")
    }
}
