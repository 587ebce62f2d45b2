//! What building, the demonstration and the tests need from the system, as one table: how it is seen to be there and
//! which package brings it. With everything there, nothing is run. As root, or where sudo asks no password, missing
//! packages are installed on Debian and Ubuntu; elsewhere the command that would do it is printed.

use crate::sh;
use anyhow::{Result, bail};
use std::path::Path;
use std::process::{Command, Stdio};

/// What something is needed for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Need {
    /// Building the programs and running them.
    Build,
    /// Building real C projects.
    Demo,
    /// The test suites.
    Test,
    /// Measurements; nothing fails without it.
    Bench,
}

impl Need {
    pub const ALL: [Need; 4] = [Need::Build, Need::Demo, Need::Test, Need::Bench];
}

struct Tool {
    name: &'static str,
    need: Need,
    there: fn() -> bool,
    debian: &'static [&'static str],
    fedora: &'static [&'static str],
    brew: &'static [&'static str],
}

fn any_file(candidates: &[&str]) -> bool {
    candidates.iter().any(|p| Path::new(p).exists())
}

fn brew_has(formula: &str, file: &str) -> bool {
    ["/opt/homebrew/opt", "/usr/local/opt"].iter().any(|d| Path::new(d).join(formula).join(file).exists())
}

fn header(name: &str) -> bool {
    ["/usr/include", "/usr/local/include", "/opt/homebrew/include"].iter().any(|d| Path::new(d).join(name).exists())
}

/// One line per thing. Fedora's csmith is not packaged: the tests that need it say so and are skipped.
const TOOLS: &[Tool] = &[
    Tool {
        name: "C and C++ compiler",
        need: Need::Build,
        there: || sh::on_path("cc") && sh::on_path("c++"),
        debian: &["build-essential"],
        fedora: &["gcc", "gcc-c++"],
        brew: &[],
    },
    Tool {
        name: "clang 19",
        need: Need::Build,
        there: || {
            sh::on_path("clang-19")
                || any_file(&["/usr/lib/llvm-19/bin/clang", "/usr/lib64/llvm19/bin/clang"])
                || brew_has("llvm@19", "bin/clang")
        },
        debian: &["clang-19"],
        fedora: &["clang19"],
        brew: &["llvm@19"],
    },
    Tool {
        name: "LLVM 19 libraries",
        need: Need::Build,
        there: || {
            any_file(&[
                "/usr/lib/llvm-19/include/llvm-c/Core.h",
                "/usr/lib64/llvm19/include/llvm-c/Core.h",
                "/usr/include/llvm-c-19/llvm-c/Core.h",
            ]) || brew_has("llvm@19", "include/llvm-c/Core.h")
        },
        debian: &["llvm-19-dev"],
        fedora: &["llvm19-devel", "llvm19-static"],
        brew: &["llvm@19"],
    },
    Tool {
        // Captures cost less with them; without them clang is run as a program.
        name: "clang 19's own libraries",
        need: Need::Demo,
        there: || any_file(&["/usr/lib/llvm-19/lib/libclangFrontend.a"]) || install_rights().is_none(),
        debian: &["libclang-19-dev"],
        fedora: &[],
        brew: &[],
    },
    Tool {
        name: "make",
        need: Need::Demo,
        there: || sh::on_path("make"),
        debian: &["make"],
        fedora: &["make"],
        brew: &[],
    },
    Tool {
        name: "dpkg-source",
        need: Need::Demo,
        // Without Debian's tools the demonstration takes the project's own program.
        there: || sh::on_path("dpkg-source") || !sh::on_path("apt-get"),
        debian: &["dpkg-dev", "xz-utils", "bzip2"],
        fedora: &[],
        brew: &[],
    },
    Tool {
        name: "cmake",
        need: Need::Test,
        there: || sh::on_path("cmake"),
        debian: &["cmake"],
        fedora: &["cmake"],
        brew: &["cmake"],
    },
    Tool {
        name: "Meson and Ninja",
        need: Need::Test,
        there: || sh::on_path("meson") && sh::on_path("ninja"),
        debian: &["meson", "ninja-build"],
        fedora: &["meson", "ninja-build"],
        brew: &["meson", "ninja"],
    },
    Tool { name: "z3", need: Need::Test, there: || sh::on_path("z3"), debian: &["z3"], fedora: &["z3"], brew: &["z3"] },
    Tool {
        name: "csmith",
        need: Need::Test,
        there: || (sh::on_path("csmith") && header("csmith/csmith.h")) || !sh::on_path("apt-get"),
        debian: &["csmith", "libcsmith-dev"],
        fedora: &[],
        brew: &[],
    },
    Tool {
        name: "clang's sanitizers",
        need: Need::Test,
        there: || any_file(&["/usr/lib/llvm-19/lib/clang/19/lib/linux"]) || !sh::on_path("apt-get"),
        debian: &["libclang-rt-19-dev"],
        fedora: &[],
        brew: &[],
    },
    Tool {
        name: "Python's jsonschema",
        need: Need::Test,
        there: || python_with_jsonschema().is_some(),
        debian: &["python3-jsonschema"],
        fedora: &["python3-jsonschema"],
        brew: &["python-jsonschema"],
    },
    Tool {
        name: "valgrind",
        need: Need::Bench,
        there: || sh::on_path("valgrind") || cfg!(target_os = "macos"),
        debian: &["valgrind"],
        fedora: &["valgrind"],
        brew: &[],
    },
];

/// A Python that can import `jsonschema`: the one on the path, or the system's own, for which packages are made.
pub fn python_with_jsonschema() -> Option<&'static str> {
    ["python3", "/usr/bin/python3"].into_iter().find(|p| {
        let mut c = Command::new(p);
        c.args(["-c", "import jsonschema"]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        c.status().is_ok_and(|s| s.success())
    })
}

fn missing(needs: &[Need]) -> Vec<&'static Tool> {
    TOOLS.iter().filter(|t| needs.contains(&t.need) && !(t.there)()).collect()
}

fn packages(tools: &[&Tool], of: fn(&Tool) -> &'static [&'static str]) -> Vec<&'static str> {
    let mut names: Vec<&str> = tools.iter().flat_map(|t| of(t)).copied().collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Says what is missing; an error when something is.
pub fn check(needs: &[Need]) -> Result<()> {
    let gone = missing(needs);
    for t in TOOLS.iter().filter(|t| needs.contains(&t.need)) {
        println!("{:24} {}", t.name, if (t.there)() { "there" } else { "MISSING" });
    }
    if gone.is_empty() { Ok(()) } else { bail!("{} missing\n{}", gone.len(), advice(&gone)) }
}

/// Makes sure that what these needs call for is there; installs it where that is allowed.
pub fn ensure(needs: &[Need]) -> Result<()> {
    let gone = missing(needs);
    if gone.is_empty() {
        return Ok(());
    }
    let names: Vec<&str> = gone.iter().map(|t| t.name).collect();
    sh::step(&format!("missing: {}", names.join(", ")));
    let Some(prefix) = install_rights() else {
        bail!("cannot install packages here; please run\n{}", advice(&gone));
    };
    let wanted = packages(&gone, |t| t.debian);
    if !wanted.is_empty() {
        apt(prefix, &["update", "-qq"])?;
        let mut args = vec!["install", "-y", "-qq", "--no-install-recommends"];
        args.extend(&wanted);
        eprintln!("installing {}", wanted.join(" "));
        apt(prefix, &args)?;
    }
    let still: Vec<&Tool> = missing(needs).into_iter().filter(|t| t.need != Need::Bench).collect();
    if !still.is_empty() {
        let names: Vec<&str> = still.iter().map(|t| t.name).collect();
        bail!("still missing after the installation: {}\n{}", names.join(", "), advice(&still));
    }
    Ok(())
}

/// `Some(prefix of the command)` where packages can be installed without a question.
fn install_rights() -> Option<&'static [&'static str]> {
    if !sh::on_path("apt-get") {
        return None;
    }
    let id = Command::new("id").arg("-u").output().ok()?;
    if id.stdout.trim_ascii() == b"0" {
        return Some(&[]);
    }
    let sudo = Command::new("sudo").args(["-n", "true"]).stdin(Stdio::null()).stderr(Stdio::null()).status();
    sudo.is_ok_and(|s| s.success()).then_some(&["sudo", "-n"])
}

fn apt(prefix: &[&str], args: &[&str]) -> Result<()> {
    let mut words: Vec<&str> = prefix.to_vec();
    // `env` because sudo drops the environment.
    words.extend(["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-o", "DPkg::Lock::Timeout=300"]);
    words.extend(args);
    sh::must(Command::new(words[0]).args(&words[1..]))
}

fn advice(gone: &[&Tool]) -> String {
    let line = |system: &str, command: &str, names: Vec<&'static str>| {
        if names.is_empty() { String::new() } else { format!("  {system:15} {command} {}\n", names.join(" ")) }
    };
    line("Debian/Ubuntu:", "sudo apt-get update && sudo apt-get install", packages(gone, |t| t.debian))
        + &line("Fedora:", "sudo dnf install", packages(gone, |t| t.fedora))
        + &line("macOS:", "brew install", packages(gone, |t| t.brew))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_names_each_package_once() {
        let all: Vec<&Tool> = TOOLS.iter().collect();
        let text = advice(&all);
        assert_eq!(text.matches("llvm@19").count(), 1, "{text}");
        assert!(text.contains("clang-19") && text.contains("llvm19-devel"), "{text}");
    }
}
