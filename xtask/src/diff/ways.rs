//! `verify diff` as a command: revisions of a repository, builds, what is refused, formats, exit codes, the cache.

use crate::sh::{self, Done, Tools};
use crate::tally::Tally;
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;
use std::process::Command;

const OLD: &str = "int twice(int x) { return x + x; }\nint next(int x) { return x + 1; }\n";
const NEW: &str = "int twice(int x) { return 2 * x; }\nint next(int x) { return x + 2; }\n";
const MAKEFILE: &str = "all: main.o\nmain.o: main.c\n\t$(CC) $(CFLAGS) -c main.c -o main.o\n";

struct Ways<'a> {
    tools: &'a Tools,
    dir: &'a Path,
    tally: &'a mut Tally,
}

impl Ways<'_> {
    fn command(&self, program: &Path, dir: &Path) -> Command {
        let mut c = Command::new(program);
        c.current_dir(dir).env("VERIFY_CACHE", &self.tools.cache);
        c
    }

    fn verify(&self, args: &[&str]) -> Result<Done> {
        let mut c = self.command(&self.tools.program("verify"), self.dir);
        c.args(["diff", "--quiet"]).args(args);
        sh::capture(&mut c, 120)
    }

    fn git(&self, args: &[&str]) -> Result<()> {
        let mut c = self.command(Path::new("git"), &self.dir.join("repo"));
        c.args(["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]).args(args);
        let done = sh::capture(&mut c, 60)?;
        anyhow::ensure!(done.code == 0, "git {args:?}: {}", done.tail());
        Ok(())
    }

    /// Builds a folder with a source in it.
    fn build(&self, name: &str, text: &str, flags: &str) -> Result<()> {
        let dir = self.dir.join(name);
        fs::create_dir_all(&dir)?;
        fs::write(dir.join("main.c"), text)?;
        fs::write(dir.join("Makefile"), MAKEFILE)?;
        let mut c = self.command(Path::new("make"), &dir);
        c.arg(format!("CC={}", self.tools.program("verify-cc").display())).arg(format!("CFLAGS={flags}"));
        let done = sh::capture(&mut c, 120)?;
        anyhow::ensure!(done.code == 0, "make: {}", done.tail());
        Ok(())
    }

    /// Exit code, and texts that the output (or the message) must have.
    fn expect(&mut self, name: &str, done: &Done, code: i32, says: &[&str]) {
        let all = format!("{}{}", done.out(), done.err());
        let missing = says.iter().find(|s| !all.contains(**s));
        let result = match missing {
            _ if done.code != code => Err(format!("exit {}, not {code}: {}", done.code, done.tail())),
            Some(s) => Err(format!("`{s}` is not said: {all}")),
            None => Ok(()),
        };
        self.tally.add(name, result);
    }

    /// The command line was wrong: one line says why.
    fn refused(&mut self, name: &str, args: &[&str], says: &[&str]) -> Result<()> {
        let done = self.verify(args)?;
        self.expect(name, &done, 3, says);
        let lines = done.err().lines().count();
        self.tally.add(&format!("{name}: one line"), if lines == 1 { Ok(()) } else { Err(done.err()) });
        Ok(())
    }
}

/// Everything.
pub fn run(tools: &Tools, tally: &mut Tally) -> Result<()> {
    let dir = tempfile::tempdir().context("a folder")?;
    let mut w = Ways { tools, dir: dir.path(), tally };
    revisions(&mut w)?;
    builds(&mut w)?;
    units(&mut w)?;
    apart(&mut w)?;
    twins(&mut w)?;
    programs(&mut w)?;
    assembly(&mut w)?;
    files(&mut w)?;
    names(&mut w)?;
    origins(&mut w)?;
    assumed(&mut w)?;
    patterns(&mut w)
}

fn revisions(w: &mut Ways<'_>) -> Result<()> {
    let repo = w.dir.join("repo");
    fs::create_dir_all(&repo)?;
    fs::write(repo.join("Makefile"), MAKEFILE)?;
    w.git(&["init", "-q"])?;
    for (text, tag) in [(OLD, "v1"), (NEW, "v2"), ("int twice(", "v3")] {
        fs::write(repo.join("main.c"), text)?;
        w.git(&["add", "."])?;
        w.git(&["commit", "-q", "-m", tag])?;
        w.git(&["tag", tag])?;
    }
    let cc = format!("CC={}", w.tools.program("verify-cc").display());
    let ask = |w: &Ways<'_>, args: &[&str]| -> Result<Done> {
        let mut c = w.command(&w.tools.program("verify"), &repo);
        c.args(["diff", "--quiet"]).args(args);
        sh::capture(&mut c, 240)
    };
    let done = ask(w, &["--git", "v1..v2", "--all", "--", "make", &cc])?;
    w.expect("revisions", &done, 1, &["equal: twice", "changed: next", "result: ", "main.c:2"]);
    let done = ask(w, &["--git", "v1..v1", "--", "make", &cc])?;
    w.expect("the same revision", &done, 0, &["2 equal", "0 changed, 0 unknown"]);
    let done = ask(w, &["--git", "v2..v3", "--", "make", &cc])?;
    w.expect("a build that fails", &done, 3, &["the build of v3 fails"]);
    let done = ask(w, &["--git", "v2..nowhere", "--", "make", &cc])?;
    w.expect("no such revision", &done, 3, &["git: "]);
    let done = ask(w, &["--git", "v2", "--", "make", &cc])?;
    w.expect("no range", &done, 3, &["REV1..REV2"]);
    let done = ask(w, &["--git", "v1..v2"])?;
    w.expect("no command", &done, 3, &["the command that builds"]);
    let mut list = w.command(Path::new("git"), &repo);
    let left = sh::capture(list.args(["worktree", "list"]), 60)?.out().lines().count();
    w.tally.add("no worktree stays", if left == 1 { Ok(()) } else { Err(format!("{left} worktrees")) });
    Ok(())
}

fn builds(w: &mut Ways<'_>) -> Result<()> {
    w.build("one", OLD, "-O2 -Wall")?;
    w.build("two", NEW, "-O0 -g -I.")?;
    w.build("wraps", NEW, "-O2 -fwrapv")?;
    let done = w.verify(&["--all", "one", "two"])?;
    w.expect("builds", &done, 1, &["equal: twice", "changed: next"]);
    w.refused("other options", &["one", "wraps"], &["different options", "main.c", "`-fwrapv` in the new build only"])?;
    w.build("narrow", NEW, "-O2 -m32")?;
    w.refused("another machine", &["one", "narrow"], &["different options", "`-m32` in the new build only"])?;
    let says = ["different machines", "64-bit pointers", "32-bit pointers"];
    w.refused("another machine, all the same", &["--other-options", "one", "narrow"], &says)?;
    let done = w.verify(&["--other-options", "one", "wraps"])?;
    w.expect("other options, wanted", &done, 1, &["changed: next"]);
    // The second time the answer is known; a program that changed is compared again.
    let json = |d: &Done| serde_json::from_slice::<serde_json::Value>(&d.stdout).unwrap_or_default();
    let reused = |d: &Done| json(d)["summary"]["reused"].as_u64();
    let first = w.verify(&["--format", "json", "one", "two"])?;
    let second = w.verify(&["--format", "json", "one", "two"])?;
    let same = json(&first)["functions"] == json(&second)["functions"];
    w.tally.add("reused", if reused(&second) == Some(1) && same { Ok(()) } else { Err(second.out()) });
    w.build("two", &NEW.replace("x + 2", "1 + x"), "-O0 -g -I.")?;
    let third = w.verify(&["--format", "json", "one", "two"])?;
    w.expect("not reused", &third, 0, &["\"reused\": 0"]);
    fs::create_dir_all(w.dir.join("empty"))?;
    w.refused("nothing captured", &["one", "empty"], &["no captured build under", "empty"])
}

/// Statics of one name in files of one name are told apart.
fn units(w: &mut Ways<'_>) -> Result<()> {
    let one =
        "static int n;\nstatic int h(int x) { return x + 1; }\nint (*one)(int) = h;\nint next(void) { return n++; }\n";
    let two =
        "static int n;\nstatic int h(int x) { return x + 2; }\nint (*two)(int) = h;\nint prev(void) { return n--; }\n";
    let main = "extern int (*used)(int);\nint uses(int x) { return used(x); }\n";
    let used = "int (*used)(int) = h;\n";
    for (name, here) in [("units-old", false), ("units-new", true)] {
        let dir = w.dir.join(name);
        for d in ["a", "b"] {
            fs::create_dir_all(dir.join(d))?;
        }
        let with = |text: &str, it: bool| if it { format!("{text}{used}") } else { text.to_string() };
        fs::write(dir.join("a/util.c"), with(one, here))?;
        fs::write(dir.join("b/util.c"), with(two, !here))?;
        fs::write(dir.join("main.c"), main)?;
        let text = "all:\n\t$(CC) -c a/util.c -o a/util.o\n\t$(CC) -c b/util.c -o b/util.o\n\t$(CC) -c main.c\n\
                    \t$(CC) -shared -o lib.so a/util.o b/util.o main.o\n";
        fs::write(dir.join("Makefile"), text)?;
        let mut c = w.command(Path::new("make"), &dir);
        c.arg(format!("CC={} -fPIC", w.tools.program("verify-cc").display()));
        let done = sh::capture(&mut c, 120)?;
        anyhow::ensure!(done.code == 0, "make: {}", done.tail());
    }
    let done = w.verify(&["--all", "units-old", "units-new"])?;
    w.expect("files of one name", &done, 1, &["changed: uses", "equal: next (identity)", "equal: prev (identity)"]);
    Ok(())
}

/// What files say of each other: a prototype that does not fit, an inline definition beside another one, and the order in
/// which a section is filled.
fn apart(w: &mut Ways<'_>) -> Result<()> {
    let user = "int wide(int);\nint two(void);\nint same(int);\nextern const int __start_tab[];\n\
                int calls_wide(int x) { return wide(x & 7) < 0; }\nint calls_same(int x) { return same(x); }\n\
                int first(void) { return *__start_tab; }\n";
    let inlined = "inline int two(void) { return 1; }\nint calls_two(void) { return two(); }\n";
    let declared = "int two(void);\nint calls_two(void) { return two(); }\n";
    let entry = |n: u32| format!("__attribute__((section(\"tab\"), used)) static const int entry = {n};\n");
    for (name, wide, two, order) in
        [("apart-old", "int", inlined, "one.o other.o"), ("apart-new", "long", declared, "other.o one.o")]
    {
        let dir = w.dir.join(name);
        fs::create_dir_all(&dir)?;
        fs::write(dir.join("user.c"), user)?;
        fs::write(dir.join("calls.c"), two)?;
        fs::write(dir.join("one.c"), format!("int wide({wide} x) {{ return x; }}\n{}", entry(1)))?;
        fs::write(
            dir.join("other.c"),
            format!("int two(void) {{ return 2; }}\nint same(int x) {{ return x; }}\n{}", entry(2)),
        )?;
        let all = format!("user.o calls.o {order}");
        fs::write(dir.join("Makefile"), format!("lib.so: {all}\n\t$(CC) -shared -o lib.so {all}\n"))?;
        let mut c = w.command(Path::new("make"), &dir);
        c.arg(format!("CC={} -fPIC -O2", w.tools.program("verify-cc").display()));
        let done = sh::capture(&mut c, 120)?;
        anyhow::ensure!(done.code == 0, "make: {}", done.tail());
    }
    let done = w.verify(&["--all", "apart-old", "apart-new"])?;
    let says = ["unknown: calls_two", "unknown: calls_wide", "unknown: first", "equal: calls_same"];
    w.expect("files that do not fit", &done, 1, &says);
    Ok(())
}

/// Static variables of one name in several files, inline functions of one name with other code in each: which one is used
/// first is of no matter, which one is used is.
fn twins(w: &mut Ways<'_>) -> Result<()> {
    let header = "static inline int scale(int x) { return x * K; }\nstatic int state;\n\
                  static inline int next(void) { return ++state; }\nint na(void);\n";
    let a = "int fa(int x) { return scale(x & 15); }\nint na(void) { return next(); }\n";
    let b = "int fb(int x) { return scale(x & 15); }\nint nb(void) { next(); return next(); }\n\
             int both(void) { return na() + nb(); }\nint mine(void) { return na() + next(); }\n";
    let later = "int fb(int x) { return scale(x & 15); }\nint nb(void) { return state += 2; }\n\
                 int both(void) { state += 2; int b = state; return na() + b; }\n\
                 int mine(void) { return na() + na(); }\n";
    for (name, b, swapped) in [("twins-old", b, false), ("twins-new", later, true)] {
        let dir = w.dir.join(name);
        fs::create_dir_all(&dir)?;
        fs::write(dir.join("h.h"), header)?;
        let factor = |two: bool| if two { "#define K 2\n" } else { "#define K 3\n" };
        fs::write(dir.join("a.c"), format!("{}#include \"h.h\"\n{a}", factor(!swapped)))?;
        fs::write(dir.join("b.c"), format!("{}#include \"h.h\"\n{b}", factor(swapped)))?;
        fs::write(dir.join("Makefile"), "all:\n\t$(CC) -O1 -c a.c b.c\n\tar rcs lib.a a.o b.o\n")?;
        let mut c = w.command(Path::new("make"), &dir);
        c.arg(format!("CC={}", w.tools.program("verify-cc").display()));
        let done = sh::capture(&mut c, 120)?;
        anyhow::ensure!(done.code == 0, "make: {}", done.tail());
    }
    let done = w.verify(&["--all", "twins-old", "twins-new"])?;
    w.expect(
        "static variables and functions of one name",
        &done,
        1,
        &["changed: fa", "changed: fb", "equal: na (identity)", "equal: nb (solver)", "unknown: both", "changed: mine"],
    );
    Ok(())
}

/// Programs of one build have functions of one name: each counts.
fn programs(w: &mut Ways<'_>) -> Result<()> {
    for (name, value) in [("programs-old", 1), ("programs-new", 2)] {
        let dir = w.dir.join(name);
        fs::create_dir_all(&dir)?;
        fs::write(dir.join("a.c"), "int main(int argc, char **argv) { return 3; }\n")?;
        fs::write(dir.join("b.c"), format!("int main(int argc, char **argv) {{ return argc + {value}; }}\n"))?;
        fs::write(dir.join("Makefile"), "all:\n\t$(CC) a.c -o a\n\t$(CC) b.c -o b\n")?;
        let mut c = w.command(Path::new("make"), &dir);
        c.arg(format!("CC={}", w.tools.program("verify-cc").display()));
        let done = sh::capture(&mut c, 120)?;
        anyhow::ensure!(done.code == 0, "make: {}", done.tail());
    }
    let done = w.verify(&["programs-old", "programs-new"])?;
    w.expect("programs with functions of one name", &done, 1, &["main", "new: b.c:1"]);
    Ok(())
}

/// What assembly outside of functions defines is not compared, and that is said.
fn assembly(w: &mut Ways<'_>) -> Result<()> {
    for (name, value) in [("asm-old.c", 1), ("asm-new.c", 2)] {
        let text = format!(
            "__asm__(\".globl one\\none: movl ${value}, %eax\\n ret\\n\");\nint one(void);\nint f(void) {{ return one(); }}\n"
        );
        fs::write(w.dir.join(name), text)?;
    }
    let done = w.verify(&["asm-old.c", "asm-new.c"])?;
    w.expect("assembly outside of functions", &done, 2, &["note: assembly outside functions", "1 equal"]);
    Ok(())
}

fn files(w: &mut Ways<'_>) -> Result<()> {
    fs::write(w.dir.join("old.c"), OLD)?;
    fs::write(w.dir.join("new.c"), NEW)?;
    fs::write(w.dir.join("bad.c"), "int twice(\n")?;
    fs::write(w.dir.join("names"), "# these\ntwice\n")?;
    fs::write(w.dir.join("wrong"), "thrice\n")?;
    let (old, new) = ("old.c", "new.c");
    let done = w.verify(&["--functions", "names", old, new])?;
    w.expect("names in a file", &done, 0, &["1 equal"]);
    let done = w.verify(&["--functions", "ne.*", old, new])?;
    w.expect("a regular expression", &done, 1, &["1 changed"]);
    w.refused("a missing function", &["--functions", "wrong", old, new], &["neither version has a function `thrice`"])?;
    w.refused("no function matches", &["--functions", "zz", old, new], &["no function matches"])?;
    w.refused("no variable", &["--globals", "zz", old, new], &["neither version has a global variable `zz`"])?;
    w.refused("one version", &[old], &["two versions are needed"])?;
    w.refused("no such version", &[old, "nowhere.c"], &["nowhere.c"])?;
    w.refused("no C", &[old, "bad.c"], &["bad.c"])?;
    let done = w.verify(&["-o", "out.sarif", "--html", "out.html", "--format", "json", old, new])?;
    w.expect("formats", &done, 1, &["\"verdict\": \"changed\"", "\"how\": \"replay\"", "\"evidence\""]);
    let v: serde_json::Value = serde_json::from_slice(&done.stdout).context("JSON")?;
    let all = v["functions"].as_array().context("`functions`")?;
    let whole = all.len() == 2 && all.iter().all(|f| ["name", "verdict", "how"].iter().all(|k| f[k].is_string()));
    w.tally.add("fields", if whole { Ok(()) } else { Err(done.out()) });
    let page = fs::read_to_string(w.dir.join("out.html"))?;
    let side = page.contains("return x + 1") && page.contains("return x + 2") && page.contains("class=side");
    w.tally.add("the page shows both versions", if side { Ok(()) } else { Err(page) });
    let sarif: serde_json::Value = serde_json::from_str(&fs::read_to_string(w.dir.join("out.sarif"))?)?;
    let one = &sarif["runs"][0]["results"][0];
    let places = one["locations"][0]["physicalLocation"].is_object() && one["relatedLocations"].is_array();
    w.tally.add("SARIF has both places", if places { Ok(()) } else { Err(sarif.to_string()) });
    Ok(())
}

/// What the exit code counts besides functions is in every form of the answer, with its place.
fn names(w: &mut Ways<'_>) -> Result<()> {
    let both = "int f(int x) { return x; }\nint g(int x) { return x + 1; }\n";
    let old = format!(
        "{both}int limit = 3;\nint gone(void) {{ return 1; }}\nint other(int) __attribute__((alias(\"f\")));\n"
    );
    let new = format!("{both}\nint limit = 4;\nint come;\nint other(int) __attribute__((alias(\"g\")));\n");
    fs::write(w.dir.join("names-old.c"), old)?;
    fs::write(w.dir.join("names-new.c"), new)?;
    let done = w.verify(&["-o", "names.sarif", "--html", "names.html", "names-old.c", "names-new.c"])?;
    let says = [
        "differs: limit: ",
        "differs: other: ",
        "new: names-new.c:4",
        "removed: gone (names-old.c:4)",
        "added: come (names-new.c:5)",
    ];
    w.expect("other names", &done, 1, &says);
    let sarif: serde_json::Value = serde_json::from_str(&fs::read_to_string(w.dir.join("names.sarif"))?)?;
    let results = sarif["runs"][0]["results"].as_array().cloned().unwrap_or_default();
    for (name, rule, kind, related) in [
        ("limit", "changed-definition", "fail", true),
        ("other", "changed-definition", "fail", true),
        ("gone", "removed", "fail", false),
        ("come", "added", "informational", false),
    ] {
        let found = results.iter().find(|r| r["partialFingerprints"]["symbol/v1"] == name);
        let fits = found.is_some_and(|r| {
            let located = r["locations"].is_array() && r["relatedLocations"].is_array() == related;
            r["ruleId"] == rule && r["kind"] == kind && located
        });
        let said = found.map_or_else(|| sarif.to_string(), ToString::to_string);
        w.tally.add(&format!("SARIF: {name}"), if fits { Ok(()) } else { Err(said) });
    }
    let page = fs::read_to_string(w.dir.join("names.html"))?;
    for text in ["int limit = 3;", "int limit = 4;", "names-old.c:4", "names-new.c:5", "<td class=changed>gone"] {
        w.tally.add(&format!("the page has `{text}`"), if page.contains(text) { Ok(()) } else { Err(page.clone()) });
    }
    Ok(())
}

/// A difference is named where it is, with the calls that lead there.
fn origins(w: &mut Ways<'_>) -> Result<()> {
    let text = "#define LIMIT 10\nstatic int low(int x) { return x > LIMIT; }\nstatic int middle(int x) { return low(x) + 1; }\n\
                int top(int x) { return middle(x) * 3; }\n";
    fs::write(w.dir.join("ten.c"), text)?;
    fs::write(w.dir.join("eleven.c"), text.replace("LIMIT 10", "LIMIT 11"))?;
    let says = ["macro `LIMIT` in `low`, called at eleven.c:4 in `top`, eleven.c:3 in `middle`"];
    let done = w.verify(&["-o", "origin.sarif", "--html", "origin.html", "ten.c", "eleven.c"])?;
    w.expect("where a difference is", &done, 1, &says);
    for file in ["origin.sarif", "origin.html"] {
        let found = fs::read_to_string(w.dir.join(file))?.replace('`', "'");
        w.tally.add(
            &format!("{file} says it"),
            if found.contains(&says[0].replace('`', "'")) { Ok(()) } else { Err(found) },
        );
    }
    let done = w.verify(&["--format", "json", "ten.c", "eleven.c"])?;
    w.expect("where a difference is, for programs", &done, 1, &["\"kind\": \"macro\"", "\"function\": \"low\""]);
    Ok(())
}

/// A difference that much leans on is told once, and can be taken for none.
fn assumed(w: &mut Ways<'_>) -> Result<()> {
    let text = "#include <stdatomic.h>\nstatic atomic_int n;\n\
                int tick(void) { return atomic_fetch_add_explicit(&n, 1, memory_order_relaxed); }\n\
                int one(int x) { return tick() + x; }\nint two(int x) { return one(x) * 2; }\nint other(int x) { return x; }\n";
    fs::write(w.dir.join("relaxed.c"), text)?;
    fs::write(w.dir.join("strict.c"), text.replace("relaxed", "seq_cst").replace("return x; }", "return x + 1; }"))?;
    let both = ["relaxed.c", "strict.c"];
    let done = w.verify(&both)?;
    let says = [
        "unknown: tick",
        "unknown: 2 with the same code, equal if tick is: one, two",
        "3 unknown (2 with the same code)",
    ];
    w.expect("told once", &done, 1, &says);
    let listed = done.out().contains("unknown: one");
    w.tally.add("told once: not again", if listed { Err(done.out()) } else { Ok(()) });
    let done = w.verify(&[&["--all"][..], &both].concat())?;
    w.expect("told one by one", &done, 1, &["unknown: two (its code is the same"]);
    let done = w.verify(&[&["--format", "json"][..], &both].concat())?;
    w.expect("told to programs", &done, 1, &["\"equal_if\": ["]);
    let done = w.verify(&[&["--assume", "tick", "--all"][..], &both].concat())?;
    let says = ["equal: tick (assumed)", "equal: two (identity, if `tick` is)", "changed: other", "0 unknown"];
    w.expect("assumed", &done, 1, &says);
    let done = w.verify(&[&["--assume", "tick, other"][..], &both].concat())?;
    w.expect("all assumed", &done, 0, &["4 equal", "0 unknown"]);
    w.refused(
        "assumed: no function",
        &[&["--assume", "tock"][..], &both].concat(),
        &["neither version has a function `tock`"],
    )?;
    w.refused("assumed: no name", &[&["--assume", ","][..], &both].concat(), &["`--assume` needs names of functions"])
}

fn patterns(w: &mut Ways<'_>) -> Result<()> {
    for (name, text, says) in [
        ("none", "", "no patterns there"),
        ("syntax", "VERIFY_OLD(", "no pattern: "),
        ("alone", "#include \"verify-pattern.h\"\nVERIFY_OLD(p, int *x) { *x = 1; }\n", "no function `verify_new_p`"),
        ("nothing", "int f(void) { return 1; }\n", "no function `verify_old_NAME`"),
        (
            "inputs",
            "#include \"verify-pattern.h\"\nVERIFY_OLD(p, int *x) { *x = 1; }\nVERIFY_NEW(p, long x) { *(int *)x = 1; }\n",
            "its versions have other inputs",
        ),
        (
            "loop",
            "#include \"verify-pattern.h\"\nVERIFY_OLD(p, int *x) { *x = 1; }\nVERIFY_NEW(p, int *x) { while (*x) *x = 0; }\n",
            "a loop",
        ),
        (
            "rule",
            "#include \"verify-pattern.h\"\nVERIFY_RENAME(\"f\", \"g\");\nVERIFY_OLD(p, int *x) { *x = 1; }\nVERIFY_NEW(p, int *x) { *x = 2; }\n",
            "is no renaming rule",
        ),
    ] {
        let dir = w.dir.join(name);
        fs::create_dir_all(&dir)?;
        if !text.is_empty() {
            fs::write(dir.join("p.c"), text)?;
        }
        w.refused(&format!("pattern: {name}"), &["--patterns", name, "old.c", "new.c"], &[says])?;
    }
    let dir = w.dir.join("text");
    fs::create_dir_all(&dir)?;
    fs::write(dir.join("p.vir"), "verify-ir 2\ntarget oops\n")?;
    w.refused("pattern: text", &["--patterns", "text", "old.c", "new.c"], &["p.vir: no pattern: "])?;
    w.refused("pattern: no folder", &["--patterns", "gone", "old.c", "new.c"], &["gone"])
}
