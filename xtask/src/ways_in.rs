//! The ways in to a capture, through the command line: builds that name their compiler as they like, compilation
//! databases, CMake, Cargo; and what `verify ledger`, `verify programs` and `verify cache` say afterwards.

mod annotations;
mod baseline;
mod outputs;

use crate::sh::{self, Done, Tools};
use crate::tally::Tally;
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

const LIMIT: u64 = 300;

struct Lab {
    tools: Tools,
    dir: PathBuf,
}

impl Lab {
    fn new(tools: &Tools, name: &str) -> Result<Lab> {
        let dir = sh::scratch(&format!("ways-in/{name}"))?;
        let tools = tools.with_cache(&format!("ways-in-cache-{name}"))?;
        std::fs::remove_dir_all(&tools.cache)?;
        std::fs::create_dir_all(&tools.cache)?;
        let lab = Lab { tools, dir };
        lab.write("a.c", "int a(void)\n{\n    return 0;\n}\n")?;
        lab.write("m.c", "int a(void);\nint main(void)\n{\n    return a();\n}\n")?;
        Ok(lab)
    }

    fn write(&self, name: &str, text: &str) -> Result<()> {
        let path = self.dir.join(name);
        std::fs::create_dir_all(path.parent().context("a folder")?)?;
        Ok(std::fs::write(path, text)?)
    }

    fn verify(&self, args: &str) -> Result<Done> {
        let mut command = self.tools.verify(&self.dir, args.split_whitespace());
        for variable in ["CC", "CXX", "MAKEFLAGS", "MFLAGS", "CARGO_TARGET_DIR"] {
            command.env_remove(variable);
        }
        sh::capture(&mut command, LIMIT)
    }

    /// Runs `verify`, expects this exit code.
    fn expect(&self, code: i32, args: &str) -> Result<Done> {
        let done = self.verify(args)?;
        ensure!(done.code == code, "verify {args}: exit code {}, not {code}\n{}{}", done.code, done.out(), done.err());
        Ok(done)
    }

    fn json(&self, args: &str) -> Result<Value> {
        let done = self.expect(0, args)?;
        serde_json::from_slice(&done.stdout).with_context(|| format!("verify {args}"))
    }

    /// Captures `f.c` anew and scans it: the exit code and the summary; the SARIF is `f.sarif`.
    fn scan(&self, args: &str) -> Result<(i32, Value)> {
        self.expect(0, "capture --quiet -- gcc -g -c f.c -o f.o")?;
        let done = self.verify(&format!("scan --quiet --steps 2 --format json --output f.sarif {args}"))?;
        let text = String::from_utf8_lossy(&done.stdout).into_owned();
        Ok((done.code, serde_json::from_str(&text).with_context(|| format!("scan {args}: {}", done.err()))?))
    }

    /// `invocations`, `units`, `captured`, `missed` and `probes` of the ledger.
    fn totals(&self) -> Result<[u64; 5]> {
        let ledger = self.json("ledger --format json")?;
        let keys = ["invocations", "units", "captured", "missed", "probes"];
        for key in keys {
            ensure!(ledger["totals"][key] == ledger[key], "{key} is not the same twice");
        }
        let rows = ledger["rows"].as_array().context("rows")?.len() as u64;
        let totals = keys.map(|k| ledger["totals"][k].as_u64().unwrap_or(u64::MAX));
        ensure!(rows == totals[0], "{rows} rows for {} invocations", totals[0]);
        Ok(totals)
    }
}

fn same<T: PartialEq + std::fmt::Debug>(got: T, wanted: T) -> Result<()> {
    ensure!(got == wanted, "{got:?}, not {wanted:?}");
    Ok(())
}

const MAKEFILE: &str =
    "CC = gcc\nprog: m.o a.o\n\tgcc -o $@ $^\n%.o: %.c\n\t$(CC) $(CFLAGS) -c -o $@ $<\nclean:\n\trm -f prog *.o\n";

/// Findings against an earlier scan, accepted ones, and a finding of a library run for real.
fn findings(lab: &Lab) -> Result<()> {
    let scan = |args: &str| lab.scan(args);
    let sarif = || -> Result<Value> { Ok(serde_json::from_slice(&std::fs::read(lab.dir.join("f.sarif"))?)?) };
    lab.write("f.c", "int get(int *p) { return *p; }\nint part(int n) { return 100 / n; }\n")?;
    scan("--entry get --entry part")?;
    std::fs::copy(lab.dir.join("f.sarif"), lab.dir.join("old.sarif"))?;
    // Lines move, a fault is mended, one is made.
    lab.write(
        "f.c",
        "\n\nint get(int *p) { return *p; }\nint part(int n) { return n ? 100 / n : 0; }\n\
         int at(unsigned i) { static int t[4]; return t[i]; }\n",
    )?;
    let (code, json) = scan("--entry get --entry part --entry at --baseline old.sarif")?;
    same(code, 1)?;
    ensure!(json["baseline"]["fixed"] == 2 || json["baseline"]["fixed"] == 1, "{}", json["baseline"]);
    ensure!(json["baseline"]["unchanged"].as_u64() >= Some(1), "{}", json["baseline"]);
    ensure!(json["baseline"]["new"].as_u64() >= Some(1), "{}", json["baseline"]);
    let log = sarif()?;
    let results = log["runs"][0]["results"].as_array().context("results")?;
    for state in ["new", "unchanged", "absent"] {
        ensure!(results.iter().any(|r| r["baselineState"] == state), "nothing is {state}");
    }
    // Nothing new: not the exit code of the known ones.
    std::fs::copy(lab.dir.join("f.sarif"), lab.dir.join("old.sarif"))?;
    same(scan("--entry get --entry part --entry at --baseline old.sarif")?.0, 0)?;
    // For real.
    let id = json["findings"]
        .as_array()
        .and_then(|all| all.iter().find(|f| f["kind"] == "null-deref"))
        .and_then(|f| f["id"].as_str())
        .context("a null pointer")?;
    let said = lab.expect(0, &format!("replay {id} --results f.sarif --keep kept"))?.out();
    ensure!(said.contains("confirmed by execution"), "{said}");
    ensure!(sarif()?.to_string().contains("\"confirmedByExecution\":true"), "the SARIF does not say so");
    ensure!(lab.dir.join("kept/harness.c").exists(), "nothing is kept");
    lab.expect(3, "replay 00000000 --results f.sarif")?;
    lab.expect(3, &format!("replay {id} --results f.sarif --keep f.c"))?;
    let said = lab.expect(3, &format!("replay {id} --results f.sarif --keep ."))?.err();
    ensure!(said.contains("the folder is not empty"), "{said}");
    // Accepted, in the source and in a list.
    lab.write("f.c", "// verify: ignore[null-deref] never null\nint get(int *p) { return *p; }\n")?;
    same(scan("--entry get")?.0, 0)?;
    ensure!(sarif()?.to_string().contains("\"inSource\""), "no suppression in the SARIF");
    lab.write("f.c", "int get(int *p) { return *p; }\n")?;
    lab.write("list.toml", "[[suppress]]\nkind = \"null-deref\"\nfunction = \"g*\"\nreason = \"never null\"\n")?;
    same(scan("--entry get --suppressions list.toml")?.0, 0)?;
    ensure!(sarif()?.to_string().contains("\"external\""), "no suppression in the SARIF");
    lab.write("list.toml", "[[suppress]]\nkind = \"null-deref\"\n")?;
    lab.expect(3, "scan --quiet --suppressions list.toml")?;
    Ok(())
}

/// The night of `.github/workflows/verify.yml`, as far as a machine without GitHub goes.
fn nightly(lab: &Lab) -> Result<()> {
    let project = lab.dir.join("project");
    let from = sh::root().join("tests/projects/inventory");
    ensure!(Command::new("cp").arg("-r").arg(&from).arg(&project).status()?.success(), "cannot copy the project");
    let path = std::env::var("PATH").unwrap_or_default();
    let mut night = Command::new("sh");
    night.arg(sh::root().join(".github/nightly.sh")).arg(&project).args(["quick", "night.sarif"]);
    night.env("PATH", format!("{}:{path}", lab.tools.bin.display())).env("VERIFY_CACHE", &lab.tools.cache);
    let done = sh::capture(&mut night, LIMIT)?;
    ensure!(done.code == 0, "the night ended with {}\n{}", done.code, done.tail());
    let sarif: Value = serde_json::from_slice(&std::fs::read(project.join("night.sarif"))?)?;
    let results = sarif["runs"][0]["results"].as_array().context("results")?;
    let confirmed = results.iter().filter(|r| r["properties"]["confirmedByExecution"] == true).count();
    ensure!(confirmed > 0, "nothing of {} results is confirmed by execution\n{}", results.len(), done.out());
    Ok(())
}

/// Runs those whose name contains the filter.
pub fn run(tools: &Tools, filter: Option<&str>) -> Result<Tally> {
    let mut tally = Tally::default();
    let mut check = |name: &'static str, f: fn(&Lab) -> Result<()>| {
        if filter.is_some_and(|f| !name.contains(f)) {
            return;
        }
        let done = Lab::new(tools, name).and_then(|lab| f(&lab));
        tally.add(name, done.map_err(|e| format!("{e:#}")));
    };
    check("hard-coded-compiler", hard_coded);
    check("full-path", full_path);
    check("variables", variables);
    check("forms", forms);
    check("failing-build", failing);
    check("launchers", launchers);
    check("database", database);
    check("cmake", cmake);
    check("meson", meson);
    check("kernel", kernel);
    check("doubles", doubles);
    check("versions", versions);
    check("cargo", cargo);
    check("cache", cache);
    check("night", nightly);
    check("findings", findings);
    check("annotations", annotations::annotations);
    check("baseline", baseline::baseline);
    check("suppressions", baseline::suppressions);
    check("outputs", outputs::outputs);
    Ok(tally)
}

fn hard_coded(lab: &Lab) -> Result<()> {
    lab.write("Makefile", MAKEFILE)?;
    let said = lab.expect(3, "ledger")?.err();
    ensure!(said.contains("hard-coded") && said.contains("Makefile:1"), "{said}");
    lab.expect(3, "ledger --format json --min-coverage 50")?;
    lab.expect(0, "capture -- make -j2")?;
    same(lab.totals()?, [3, 2, 2, 0, 0])?;
    let programs = lab.json("programs --format json")?;
    same(programs["programs"][0]["sources"].as_array().map(Vec::len), Some(2))?;
    let database: Value = serde_json::from_slice(&std::fs::read(lab.dir.join("compile_commands.json"))?)?;
    same(database.as_array().map(Vec::len), Some(2))?;
    // Nothing to do is no error once there is something.
    lab.expect(0, "capture -- make")?;
    lab.write("x.cc", "int x;\n")?;
    lab.expect(0, "capture -- g++ -c x.cc")?;
    same(lab.totals()?, [4, 3, 2, 1, 0])?;
    lab.expect(0, "ledger --min-coverage 60")?;
    lab.expect(1, "ledger --min-coverage 95")?;
    lab.expect(3, "ledger --min-coverage 200")?;
    lab.expect(3, "ledger nowhere")?;
    Ok(())
}

/// Compilers that are called by their full path: named, and seen with --trace.
fn full_path(lab: &Lab) -> Result<()> {
    let gcc = sh::which("gcc").context("no gcc")?.display().to_string();
    lab.write("Makefile", &MAKEFILE.replace("gcc", &gcc))?;
    let said = lab.expect(3, "capture -- make")?.err();
    ensure!(said.contains("full path") && said.contains("Makefile:1") && said.contains("--trace"), "{said}");
    sh::quiet(Command::new("make").arg("clean").current_dir(&lab.dir), LIMIT)?;
    lab.expect(0, "capture --trace -- make -j2")?;
    same(lab.totals()?, [3, 2, 2, 0, 0])?;
    let programs = lab.json("programs --format json")?;
    same(programs["programs"][0]["sources"].as_array().map(Vec::len), Some(2))?;
    // One that is caught by its name is not seen twice.
    lab.expect(0, "capture --trace -- gcc -c a.c -o b.o")?;
    same(lab.totals()?, [4, 3, 3, 0, 0])?;
    // Nor is one whose object comes out of ccache lost.
    if let Some(ccache) = sh::which("ccache") {
        lab.write("cached.sh", &format!("{} {gcc} -c a.c -o c.o\n", ccache.display()))?;
        for round in 1..=2u64 {
            let mut command = lab.tools.verify(&lab.dir, ["capture", "--trace", "--", "sh", "cached.sh"]);
            let done = sh::capture(command.env("CCACHE_DIR", lab.dir.join("ccache")).env_remove("CC"), LIMIT)?;
            ensure!(done.code == 0, "{}", done.tail());
            same(lab.totals()?, [4 + round, 4, 4, 0, 0])?;
        }
    }
    lab.write("n.c", "int n;\n")?;
    lab.write("bypass.sh", &format!("{gcc} -c n.c\n"))?;
    lab.expect(0, "capture -- sh bypass.sh")?;
    let ledger = lab.json("ledger --format json")?;
    let reason = ledger["bypassed_objects"][0]["reason"].as_str().unwrap_or_default();
    ensure!(reason.contains("full path"), "{reason}");
    // The build's own end is the command's.
    lab.write("kill.sh", "kill -9 $$\n")?;
    lab.expect(137, "capture --trace -- sh kill.sh")?;
    lab.expect(3, "capture --trace -- /no/such/program")?;
    Ok(())
}

/// `CC` and the like by full path are caught; what else a build calls by name stays what it is.
fn variables(lab: &Lab) -> Result<()> {
    lab.write("own/mycc", "#!/bin/sh\ntouch called\nexec gcc \"$@\"\n")?;
    let own = lab.dir.join("own/mycc");
    std::fs::set_permissions(&own, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    lab.write("build.sh", "set -e\n$CC -c a.c\n$HOSTCC -c m.c\nclang-19 --version > said\n")?;
    let gcc = sh::which("gcc").context("no gcc")?;
    for (round, cc) in [gcc.display().to_string(), format!("{} -std=c11", own.display())].iter().enumerate() {
        let mut command = lab.tools.verify(&lab.dir, ["capture", "--", "sh", "build.sh"]);
        let done = sh::capture(command.env("CC", cc).env("HOSTCC", &gcc), LIMIT)?;
        ensure!(done.code == 0, "CC={cc}: {}", done.tail());
        let said = std::fs::read_to_string(lab.dir.join("said"))?;
        ensure!(said.contains("clang"), "CC={cc}: clang-19 was {said}");
        same(lab.totals()?, [3 * (round as u64 + 1), 2, 2, 0, 0])?;
    }
    ensure!(lab.dir.join("called").is_file(), "CC was not called");
    Ok(())
}

/// Forms of commands, those of other targets where their compilers are installed: none is lost.
fn forms(lab: &Lab) -> Result<()> {
    lab.write("p.h", "#define P 1\n")?;
    lab.write("s.S", ".globl s\ns: ret\n")?;
    lab.write("args", "-c a.c -o \"r s.o\"\n")?;
    let mut script = String::from("set -e\n");
    let mut units = 0;
    let mut add = |needs: &str, makes: u64, line: &str| {
        if needs.split(' ').all(sh::on_path) {
            units += makes;
            script += &format!("{line}\n");
        }
    };
    add("gcc", 1, "gcc -m32 -c a.c -o a32.o");
    add("arm-linux-gnueabihf-gcc", 1, "arm-linux-gnueabihf-gcc -c a.c -o arm.o");
    add("gcc", 0, "gcc -c s.S");
    add("gcc", 1, "gcc -x c -c - -o stdin.o < a.c");
    add("gcc", 2, "gcc -c a.c m.c");
    add("gcc", 1, "gcc p.h && gcc -include p.h -c a.c -o p.o");
    add("gcc", 1, "gcc -flto -O2 -c m.c -o lm.o && gcc -flto -O2 lm.o a.o -o lto");
    add("ccache gcc", 2, "ccache gcc -c a.c -o c1.o; CC='ccache gcc -std=c11'; $CC -c a.c -o c2.o");
    add("distcc gcc", 1, "DISTCC_HOSTS=localhost distcc gcc -c a.c -o d.o");
    add("gcc", 1, "CC='gcc -std=c11'; $CC -c a.c -o c11.o");
    add("gcc", 1, "gcc @args");
    add("gcc", 2, "gcc -save-temps -c a.c -o st.o; gcc -pipe -MMD -MF x.d -c a.c -o md.o");
    add("gcc", 0, "gcc -fsyntax-only a.c; gcc -E a.c -o a.i; gcc -M a.c -o a.d");
    add("gcc", 1, "gcc -c a.i -o i.o");
    add("gcc", 2, "gcc -xc a.c -xnone m.c -o two");
    add("clang-19", 2, "clang-19 -c a.c -o cl.o; clang-19 -target arm-linux-gnueabihf -c a.c -o clarm.o");
    add("musl-gcc", 1, "musl-gcc -c a.c -o musl.o");
    add("gcc objcopy", 0, "cp a.o copy.o; strip -g copy.o; ld -r a.o m.o -o rel.o");
    lab.write("build.sh", &script)?;
    let store = lab.dir.join("ccache").display().to_string();
    let mut command = lab.tools.verify(&lab.dir, ["capture", "--", "sh", "build.sh"]);
    let done = sh::capture(command.env("CCACHE_DIR", store).env_remove("CC"), LIMIT)?;
    ensure!(done.code == 0, "{}", done.tail());
    let totals = lab.totals()?;
    ensure!([totals[1], totals[2], totals[3]] == [units, units, 0], "{units}: {}", lab.expect(0, "ledger")?.out());
    Ok(())
}

fn failing(lab: &Lab) -> Result<()> {
    lab.write("Makefile", MAKEFILE)?;
    lab.write("a.c", "int a(void) { return nowhere; }\n")?;
    lab.expect(2, "capture -- make -k")?;
    same(lab.totals()?, [2, 1, 1, 0, 0])?;
    lab.write("kill.sh", "kill -9 $$\n")?;
    lab.expect(137, "capture -- sh kill.sh")?;
    // Why nothing was captured is what clang said, not how the build was run.
    lab.write("nested/n.c", "int f(void) { int g(int x) { return x; } return g(1); }\n")?;
    lab.expect(0, "capture -- gcc -c nested/n.c -o nested/n.o")?;
    let said = lab.expect(3, "ledger nested")?.err();
    ensure!(said.contains("their capture failed"), "{said}");
    // A signal to the capture reaches the build, which ends as it sees fit; what it made by then is kept.
    lab.write("told.sh", "trap 'echo told > told; exit 7' TERM\nkill -TERM $PPID\nsleep 9 >&- 2>&- & wait\n")?;
    lab.expect(7, "capture -- sh told.sh")?;
    ensure!(lab.dir.join("told").is_file(), "SIGTERM did not reach the build");
    lab.expect(3, "capture -- /no/such/program")?;
    lab.expect(3, "capture")?;
    // Where the cache cannot be, the build is one without it.
    lab.write("done.sh", "touch built\nexit $1\n")?;
    for (code, wanted) in [("0", 3), ("9", 9)] {
        let mut command = lab.tools.verify(&lab.dir, ["capture", "--", "sh", "done.sh", code]);
        let done = sh::capture(command.env("VERIFY_CACHE", "/proc/no/such/folder"), LIMIT)?;
        ensure!(done.code == wanted && done.err().contains("uncaptured"), "{}", done.tail());
        std::fs::remove_file(lab.dir.join("built")).context("the build did not run")?;
    }
    Ok(())
}

fn launchers(lab: &Lab) -> Result<()> {
    // The launcher has the answer the second time, and calls no compiler.
    lab.write("bin/ccache", "#!/bin/sh\nfor last; do :; done\n[ -f store ] && [ -f a.o.kept ] && exec cp a.o.kept a.o\n\"$@\" && cp a.o a.o.kept && touch store\n")?;
    let script = lab.dir.join("bin/ccache");
    std::fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    let path = format!("{}:{}", lab.dir.join("bin").display(), std::env::var("PATH")?);
    for round in 1..=2u64 {
        let mut command = lab.tools.verify(&lab.dir, ["capture", "--", "ccache", "gcc", "-std=c11", "-c", "a.c"]);
        let done = sh::capture(command.env("PATH", &path).env_remove("CC"), LIMIT)?;
        ensure!(done.code == 0, "{}", done.tail());
        same(lab.totals()?, [round, 1, 1, 0, 0])?;
    }
    // Before the wrapper, and by another name than the folder has: of it comes nothing but the link.
    std::fs::rename(lab.dir.join("a.o.kept"), lab.dir.join("kept"))?;
    std::fs::rename(lab.dir.join("bin/ccache"), lab.dir.join("store"))?;
    std::fs::remove_dir_all(lab.tools.cache.join("ledger"))?;
    let script = "cp kept a.o\n$1 -shared a.o -o a.so\n";
    lab.write("build.sh", script)?;
    lab.write("bin/ccache", "#!/bin/sh\nexec \"$@\"\n")?;
    std::fs::set_permissions(lab.dir.join("bin/ccache"), std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    let wrapper = lab.tools.program("verify-cc");
    let mut build = Command::new("sh");
    build.arg("build.sh").arg(wrapper).current_dir(&lab.dir).env("VERIFY_CACHE", &lab.tools.cache);
    sh::quiet(&mut build, LIMIT)?;
    let mut command = lab.tools.verify(&lab.dir, ["ledger"]);
    let said = sh::capture(command.env("PATH", &path), LIMIT)?;
    ensure!(said.code == 3 && said.err().contains("ccache stands in front of verify-cc"), "{}", said.tail());
    let said = lab.expect(3, &format!("capture -- env CC={} true", sh::which("gcc").context("no gcc")?.display()))?;
    ensure!(said.err().contains("by its full path"), "{}", said.err());
    Ok(())
}

fn database(lab: &Lab) -> Result<()> {
    lab.write("sub/b.c", "#include \"b.h\"\nint b = B;\n")?;
    lab.write("inc dir/b.h", "#define B 1\n")?;
    let entries = [
        r#"{"directory": "sub", "command": "gcc -I'../inc dir' -c b.c -o b.o", "file": "b.c"}"#,
        r#"{"directory": ".", "arguments": ["cc", "-c", "a.c"], "file": "a.c", "output": "a.o"}"#,
        r#"{"directory": ".", "arguments": ["cc", "-c", "a.c"], "file": "./a.c"}"#,
        r#"{"directory": "sub", "command": "gcc -DX=\"1 2\" -c ../m.c", "file": "../m.c"}"#,
        r#"{"directory": ".", "command": "gcc -c gone.c", "file": "gone.c"}"#,
    ];
    let mut written = Vec::new();
    for (name, list) in [("forth", entries.to_vec()), ("back", entries.iter().rev().copied().collect())] {
        lab.write(&format!("{name}.json"), &format!("[{}]", list.join(",\n")))?;
        let said = lab.expect(2, &format!("capture --compile-db {name}.json -o {name}.out.json"))?.err();
        ensure!(said.contains("gone.c"), "{said}");
        written.push(std::fs::read_to_string(lab.dir.join(format!("{name}.out.json")))?);
    }
    same(&written[0], &written[1])?;
    let database: Value = serde_json::from_str(&written[0])?;
    same(database.as_array().map(Vec::len), Some(3))?;
    let totals = lab.totals()?;
    same([totals[1], totals[2], totals[3]], [3, 3, 0])?;
    lab.write("bad.json", "{}")?;
    let said = lab.expect(3, "capture --compile-db bad.json")?.err();
    ensure!(said.lines().count() == 1 && said.contains("bad.json"), "{said}");
    Ok(())
}

fn cmake(lab: &Lab) -> Result<()> {
    if !sh::on_path("cmake") {
        println!("cmake: skipped, it is not installed");
        return Ok(());
    }
    lab.write(
        "CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.10)\nproject(t C)\ninclude(CheckFunctionExists)\n\
         check_function_exists(printf HAVE_PRINTF)\ninclude(CheckIPOSupported)\n\
         check_ipo_supported(RESULT ipo OUTPUT said LANGUAGES C)\nadd_library(a STATIC a.c)\nadd_executable(m m.c)\n\
         target_link_libraries(m a)\n",
    )?;
    lab.write("build.sh", "cmake -B build && cmake --build build\n")?;
    lab.expect(0, "capture -- sh build.sh")?;
    let totals = lab.totals()?;
    same([totals[1], totals[2], totals[3]], [2, 2, 0])?;
    ensure!(totals[4] >= 3, "{} probes", totals[4]);
    let programs = lab.json("programs --format json")?;
    let names: Vec<&str> =
        programs["programs"].as_array().into_iter().flatten().filter_map(|p| p["name"].as_str()).collect();
    same(names, vec!["liba.a", "m"])
}

/// The names of programs, libraries and archives with the sources of each, in order.
fn programs(lab: &Lab) -> Result<Vec<(String, Vec<String>)>> {
    let all = lab.json("programs --format json")?;
    let name = |v: &Value| v["name"].as_str().unwrap_or_default().to_string();
    let sources = |v: &Value| -> Vec<String> {
        let files = v["sources"].as_array().into_iter().flatten().filter_map(Value::as_str);
        files.map(|f| f.rsplit('/').next().unwrap_or_default().to_string()).collect()
    };
    Ok(all["programs"].as_array().into_iter().flatten().map(|p| (name(p), sources(p))).collect())
}

fn meson(lab: &Lab) -> Result<()> {
    if !(sh::on_path("meson") && sh::on_path("ninja")) {
        println!("meson: skipped, it is not installed");
        return Ok(());
    }
    // Its static libraries are thin archives.
    lab.write("pch/p.h", "#define P 1\n")?;
    lab.write("m.c", "int a(void);\nint main(void)\n{\n    return a() + P - 1;\n}\n")?;
    lab.write(
        "meson.build",
        "project('t', 'c')\ncc = meson.get_compiler('c')\ncc.has_function('printf')\ncc.sizeof('long')\n\
         executable('m', 'm.c', c_pch: 'pch/p.h', link_with: static_library('a', 'a.c'))\n",
    )?;
    lab.write("build.sh", "meson setup build && ninja -C build\n")?;
    lab.expect(0, "capture -- sh build.sh")?;
    let totals = lab.totals()?;
    same([totals[1], totals[2], totals[3]], [2, 2, 0])?;
    ensure!(totals[4] >= 3, "{} probes", totals[4]);
    let found = programs(lab)?;
    let m = found.iter().find(|(name, _)| name == "m").context("no program m")?;
    same(m.1.clone(), vec!["m.c".to_string(), "a.c".to_string()])
}

/// A symbol that two sources define is said, in programs and in archives; a program has only what its linker took.
fn doubles(lab: &Lab) -> Result<()> {
    lab.write("b.c", "int a(void)\n{\n    return 1;\n}\n")?;
    lab.write(
        "build.sh",
        "set -e\ngcc -c m.c a.c b.c\ngcc -Wl,-z,muldefs m.o a.o b.o -o p\nar rcsT lib.a a.o b.o\ngcc m.o lib.a -o q\n",
    )?;
    lab.expect(0, "capture -- sh build.sh")?;
    let all = lab.json("programs --format json")?;
    let doubles = |name: &str| -> Vec<String> {
        let named = all["programs"].as_array().into_iter().flatten().filter(|p| p["name"] == name);
        let found = named.flat_map(|p| p["duplicates"].as_array().into_iter().flatten());
        found.map(|d| format!("{} by {}", d["symbol"], d["defined_by"].as_array().map_or(0, Vec::len))).collect()
    };
    for name in ["p", "lib.a"] {
        same(doubles(name), vec!["\"a\" by 2".to_string()])?;
    }
    same(doubles("q"), Vec::new())?;
    let q = programs(lab)?.into_iter().find(|(name, _)| name == "q").context("no program q")?;
    same(q.1, vec!["m.c".to_string(), "a.c".to_string()])
}

/// Two versions with a source that gives the same object in both: each archive is made of its own version's, whichever was
/// built last.
fn versions(lab: &Lab) -> Result<()> {
    let mut build = "set -e\n".to_string();
    for v in ["v2", "v1", "v3"] {
        lab.write(&format!("{v}/src/b.c"), "int b(int x)\n{\n    return x + 1;\n}\n")?;
        lab.write(&format!("{v}/src/{v}.c"), &format!("const char *{v}(void)\n{{\n    return \"{v}\";\n}}\n"))?;
        let compile = |name: &str| format!("gcc -c src/{name}.c -o obj/{name}.o");
        let (one, other) = (compile("b"), compile(v));
        let steps = format!("mkdir -p obj lib && {one} && {other} && ar rc lib/lib.a obj/b.o obj/{v}.o");
        build.push_str(&format!("(cd {v} && {steps})\n"));
    }
    lab.write("build.sh", &build)?;
    lab.expect(0, "capture -- sh build.sh")?;
    let all = lab.json("programs --format json")?;
    let found = all["programs"].as_array().into_iter().flatten();
    let sources: Vec<String> = found.map(|p| p["sources"].to_string()).collect();
    ensure!(!sources.is_empty(), "no archive in {all}");
    for v in ["v1", "v2", "v3"] {
        ensure!(sources.iter().any(|s| s.contains(&format!("{v}/src/b.c"))), "{v}: {all}");
    }
    Ok(())
}

/// A Makefile as the kernel's: objects compiled under other names, put together by `ld -r`, edited, moved.
fn kernel(lab: &Lab) -> Result<()> {
    lab.write(
        "Makefile",
        "CC = gcc\nLD = ld\nvm: built-in.o\n\t$(CC) -o $@ $<\nbuilt-in.o: m.o a.o\n\t$(LD) -r -o .tmp_$@ $^\n\
         \tobjcopy --rename-section .comment=.note.x .tmp_$@ $@\n\trm .tmp_$@\n\
         %.o: %.c\n\t$(CC) -Wp,-MD,.$@.d -DKBUILD_BASENAME=\\\"$*\\\" -c -o .tmp_$@ $<\n\tmv -f .tmp_$@ $@\n",
    )?;
    lab.expect(0, "capture -- make -j4")?;
    let totals = lab.totals()?;
    same([totals[1], totals[2], totals[3], totals[4]], [2, 2, 0, 0])?;
    let found = programs(lab)?;
    let vm = found.iter().find(|(name, _)| name == "vm").context("no program vm")?;
    let mut sources = vm.1.clone();
    sources.sort();
    same(sources, vec!["a.c".to_string(), "m.c".to_string()])
}

fn cargo(lab: &Lab) -> Result<()> {
    lab.write(
        "Cargo.toml",
        "[package]\nname = \"c-inside\"\nversion = \"0.1.0\"\nedition = \"2021\"\nbuild = \"build.rs\"\n[workspace]\n",
    )?;
    lab.write("src/main.rs", "fn main() {}\n")?;
    lab.write(
        "build.rs",
        "use std::process::Command;\nfn main() {\n    let out = std::env::var(\"OUT_DIR\").unwrap();\n    \
         let cc = std::env::var(\"CC\").unwrap_or(\"cc\".into());\n    \
         let status = Command::new(cc).args([\"-c\", \"a.c\", \"-o\"]).arg(format!(\"{out}/a.o\")).status();\n    \
         assert!(status.unwrap().success());\n    \
         let status = Command::new(\"gcc\").args([\"-c\", \"m.c\", \"-o\"]).arg(format!(\"{out}/m.o\")).status();\n    \
         assert!(status.unwrap().success());\n}\n",
    )?;
    let said = lab.json("cargo --offline --format json")?;
    let c = &said["crates"][0];
    same((c["name"].as_str(), c["units"].as_u64(), c["captured"].as_u64()), (Some("c-inside"), Some(2), Some(2)))?;
    let sarif = c["sarif"].as_str().context("no SARIF")?;
    ensure!(Path::new(sarif).is_file(), "{sarif}");
    // The linker of Rust programs goes by the same name and is not looked at.
    same(lab.totals()?, [2, 2, 2, 0, 0])?;
    let said = lab.json("cargo --no-scan --format json -- --offline --target-dir elsewhere")?;
    let out = said["crates"][0]["out_dir"].as_str().context("no folder")?;
    ensure!(out.contains("/elsewhere/verify/"), "{out}");
    Ok(())
}

fn cache(lab: &Lab) -> Result<()> {
    lab.write("Makefile", MAKEFILE)?;
    lab.expect(0, "capture -- make")?;
    lab.write("a.c", "int a(void)\n{\n    return 1;\n}\n")?;
    let now = lab.expect(0, "cache explain a.c")?.out();
    ensure!(now.contains("would be made anew: a.c changed"), "{now}");
    lab.expect(0, "capture -- make")?;
    let said = lab.expect(0, "cache explain a.c")?.out();
    ensure!(said.contains("made anew: a.c changed") && said.contains("would be taken from the cache"), "{said}");
    lab.expect(3, "cache explain nowhere.c")?;
    // Units that are damaged are none, and come back with the next build.
    let units = walkdir::WalkDir::new(lab.tools.cache.join("v1/unit")).into_iter().flatten();
    for file in units.filter(|e| e.file_type().is_file()) {
        let whole = std::fs::read(file.path())?;
        std::fs::write(file.path(), &whole[..whole.len() / 2])?;
    }
    let said = lab.expect(3, "ledger")?.err();
    ensure!(said.contains("the cache has none left"), "{said}");
    lab.expect(0, "capture -- make -B")?;
    same(lab.totals()?[2..4].to_vec(), vec![2, 0])?;
    lab.expect(0, "cache gc --dry-run --max-size 1k")?;
    let gone = lab.expect(0, "cache gc --max-size 0")?.out();
    ensure!(gone.starts_with("removed "), "{gone}");
    lab.expect(3, "cache gc --max-size much")?;
    // The ledger says what is gone, and how to have it again.
    let said = lab.expect(3, "ledger")?;
    ensure!(said.out().contains("a.c: gone: its unit is no longer in the cache"), "{}", said.out());
    ensure!(said.out().contains("verify capture --compile-db compile_commands.json"), "{}", said.out());
    ensure!(said.err().contains("the cache has none left"), "{}", said.err());
    let totals: Value = serde_json::from_slice(&lab.expect(3, "ledger --format json")?.stdout)?;
    same(["captured", "missed", "gone"].map(|k| totals[k].as_u64()), [Some(0), Some(2), Some(2)])?;
    lab.expect(0, "capture --compile-db compile_commands.json")?;
    same(lab.totals()?[2..4].to_vec(), vec![2, 0])?;
    lab.write("a.c", "int a(void)\n{\n    return 2;\n}\n")?;
    lab.expect(0, "capture -- make")?;
    Ok(())
}
