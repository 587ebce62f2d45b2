//! One build for the tools, the lints and the tests: Cargo builds a dependency once for each set of features that it is
//! asked for, and everything that depends on it again. The dependencies of tests ask for more of what the tools have, too;
//! the driver's manifest asks for the same, and this module compares.

use crate::sh;
use crate::tally::Tally;
use anyhow::Result;
use std::collections::BTreeSet;

/// Packages of the tools, as they are built by themselves.
pub const TOOLS: &[&str] = &["verify-driver", "verify-wrapper", "verify-lower"];

/// Compares the features; one failure per dependency.
pub fn check(tally: &mut Tally) -> Result<()> {
    let select: Vec<&str> = TOOLS.iter().flat_map(|t| ["-p", *t]).collect();
    let tools = packages(&select, "normal,build")?;
    let all = packages(&["--workspace"], "normal,build,dev")?;
    let different = different(&tools, &all);
    for (package, features) in &different {
        let fault = format!(
            "tests ask for the features `{features}` of it, the tools do not: it is built twice; ask for them in driver/Cargo.toml"
        );
        tally.fail(package, fault);
    }
    if different.is_empty() {
        tally.pass();
    }
    Ok(())
}

/// Each package with its version, and its features.
fn packages(select: &[&str], edges: &str) -> Result<BTreeSet<(String, String)>> {
    let mut tree = sh::cargo(["tree", "--locked", "--prefix", "none", "-f", "{p}|{f}", "--edges", edges]);
    Ok(parse(&sh::quiet(tree.args(select), 60)?.out()))
}

fn parse(tree: &str) -> BTreeSet<(String, String)> {
    let line = |l: &str| {
        let (package, features) = l.split_once('|')?;
        let package: Vec<&str> = package.split_whitespace().take(2).collect();
        Some((package.join(" "), features.trim_end_matches("(*)").trim().to_string()))
    };
    tree.lines().filter_map(line).collect()
}

/// What the tools have, with other features than they have everywhere.
fn different(tools: &BTreeSet<(String, String)>, all: &BTreeSet<(String, String)>) -> Vec<(String, String)> {
    let names: BTreeSet<&String> = tools.iter().map(|t| &t.0).collect();
    all.difference(tools).filter(|(n, _)| names.contains(n)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tests_alone_ask_for_is_seen() {
        let tools = parse("verify v0.1.0 (/p)|\nsmallvec v1.2.0|\nlibc v0.2.0|std (*)\n");
        let all = parse("verify v0.1.0 (/p)|\nsmallvec v1.2.0|const_generics\nlibc v0.2.0|std\ncriterion v0.7.0|x\n");
        assert_eq!(different(&tools, &all), [("smallvec v1.2.0".to_string(), "const_generics".to_string())]);
        assert!(different(&all, &all).is_empty());
    }
}
