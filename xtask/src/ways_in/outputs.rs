//! Where reports go, what they call files, and the exit code that they come with.

use super::{LIMIT, Lab, same};
use crate::sh;
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::ffi::OsString;
use std::process::Command;

pub fn outputs(lab: &Lab) -> Result<()> {
    lab.write("real/src/f.c", "int main(int argc, char **argv) { int *p = argc > 1 ? &argc : 0; return *p; }\n")?;
    std::os::unix::fs::symlink("real", lab.dir.join("link"))?;
    // The compiler takes the name of its folder from the shell, which has gone through the link.
    lab.write("build.sh", "cd link/src && gcc -g -c f.c -o ../f.o && cd .. && gcc f.o -o prog\n")?;
    lab.expect(0, "capture --quiet -- sh build.sh")?;
    lab.write("old.sarif", "old")?;
    std::os::unix::fs::symlink("old.sarif", lab.dir.join("new.sarif"))?;
    let scan = "scan --quiet --steps 2 real --output new.sarif";
    let said = lab.expect(1, scan)?;
    ensure!(said.out().contains("--> src/f.c:1:"), "{}", said.out());
    ensure!(said.err().is_empty(), "{}", said.err());
    ensure!(lab.dir.join("new.sarif").is_symlink(), "the link is gone");
    let log: Value = serde_json::from_slice(&std::fs::read(lab.dir.join("old.sarif"))?)?;
    let results = log["runs"][0]["results"].as_array().context("results")?;
    let uri = |r: &Value| r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "src/f.c";
    ensure!(!results.is_empty() && results.iter().all(uri), "{results:?}");
    lab.expect(0, "replay --all --dir real --results new.sarif")?;
    // What cannot be written is said before anything is done.
    for args in ["scan --output no/x.sarif real", "scan --output real real", "capture --output no/x.json -- touch made"]
    {
        let said = lab.expect(3, args)?.err();
        ensure!(said.starts_with("verify: cannot write "), "{said}");
    }
    ensure!(!lab.dir.join("made").exists(), "the build ran");
    lab.expect(3, "run --no-such-option real/src/f.c")?;
    // Nobody reads: the same exit code.
    let verify = lab.tools.verify(&lab.dir, scan.split(' '));
    let words = std::iter::once(verify.get_program()).chain(verify.get_args());
    let mut shell = Command::new("bash");
    shell.args(["-c", "\"$@\" | true; exit ${PIPESTATUS[0]}", "sh"]).args(words).current_dir(&lab.dir);
    shell.envs(verify.get_envs().filter_map(|(name, value)| Some((name, value?))));
    same(sh::capture(&mut shell, LIMIT)?.code, 1)?;
    // Nor is standard error, and the SARIF goes where nobody reads it.
    let words = |args: &str| {
        let verify = lab.tools.verify(&lab.dir, args.split(' '));
        let words: Vec<_> =
            std::iter::once(verify.get_program()).chain(verify.get_args()).map(OsString::from).collect();
        words
    };
    let in_shell = |script: &str, args: &str| -> Result<i32> {
        let mut shell = Command::new("bash");
        shell.args(["-c", script, "sh"]).args(words(args)).current_dir(&lab.dir).env("VERIFY_CACHE", &lab.tools.cache);
        Ok(sh::capture(&mut shell, LIMIT)?.code)
    };
    same(in_shell("\"$@\" 2>/dev/full", "explain nothing")?, 3)?;
    let pipe = "\"$@\" | true; exit ${PIPESTATUS[0]}";
    same(in_shell(pipe, "scan --quiet --steps 2 real --output /dev/stdout")?, 1)?;
    same(in_shell(pipe, "run --function main --runs 3 --steps 1 real/src/f.c")?, 125)?;
    same(in_shell("\"$@\" > both", "scan --quiet --steps 2 real --output /dev/stdout")?, 1)?;
    let both = std::fs::read_to_string(lab.dir.join("both"))?;
    ensure!(
        both.starts_with("{\n") && both.contains("\nviolated[") && both.ends_with("SARIF: /dev/stdout\n"),
        "{both}"
    );
    let said = lab.expect(3, "scan real --entry nothing")?.err();
    ensure!(said.contains("entry `nothing`: no program"), "{said}");
    whole_programs(lab)?;
    // The text of the build is what is scanned.
    lab.write("real/src/f.c", "int main(void) { return 0; }\n")?;
    let said = lab.expect(1, scan)?.err();
    ensure!(said.contains("edited since the build: src/f.c;"), "{said}");
    let said = lab.expect(3, "scan --quiet --steps 2 real --check unsigned-wrap")?.err();
    ensure!(said.contains("f.c was edited since"), "{said}");
    Ok(())
}

/// Nothing is said of a part of what was given for the whole of it.
fn whole_programs(lab: &Lab) -> Result<()> {
    lab.write("one.c", "int main(void) { return 0; }\n")?;
    lab.write("two.c", "int main(void) { return *(int *)0; }\n")?;
    for command in ["check one.c two.c", "run one.c two.c"] {
        let said = lab.expect(3, command)?.err();
        ensure!(said.contains("multiple definition of `main`: one.c:1 and two.c:1"), "{said}");
    }
    let said = lab.expect(3, "check --entry printf one.c")?.err();
    ensure!(said.contains("no function `printf`"), "{said}");
    // Two programs with a function of one name, and nothing that says whose it is.
    let mut entries = Vec::new();
    for (dir, body) in [("left", "x"), ("right", "100 / (x - 1)")] {
        lab.write(&format!("many/{dir}/help.c"), &format!("int help(int x) {{ return {body}; }}\n"))?;
        lab.write(&format!("many/{dir}/main.c"), "int help(int);\nint main(int c, char **v) { return help(c); }\n")?;
        for (file, option) in [("help.c", ""), ("help.c", "-fPIC -DPIC"), ("main.c", "")] {
            let command = format!("gcc -g {option} -c {file}");
            entries.push(serde_json::json!({"directory": dir, "command": command, "file": file}));
        }
    }
    lab.write("many/all.json", &Value::from(entries).to_string())?;
    let said = lab.expect(2, "scan --quiet --budget quick many --compile-db many/all.json --output many.sarif")?.out();
    let unknown = "`help` is taken as unknown code: whether it is that of left/help.c, right/help.c is not known";
    ensure!(said.matches(unknown).count() == 2, "{said}");
    ensure!(said.contains("latent[") && said.contains("--> right/help.c:1:"), "{said}");
    ensure!(!said.contains("violated["), "{said}");
    Ok(())
}
