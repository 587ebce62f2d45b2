//! Where reports go, what they call files, and the exit code that they come with.

use super::{LIMIT, Lab, same};
use crate::sh;
use anyhow::{Context, Result, ensure};
use serde_json::Value;
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
    // The text of the build is what is scanned.
    lab.write("real/src/f.c", "int main(void) { return 0; }\n")?;
    let said = lab.expect(1, scan)?.err();
    ensure!(said.contains("edited since the build: src/f.c;"), "{said}");
    Ok(())
}
