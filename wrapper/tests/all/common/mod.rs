//! A folder with sources, a cache and a stand-in for `verify-lower` that hands the bitcode on.
#![allow(dead_code)]

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use verify_cache::{Kind, Store};
use verify_compile_db::{Ledger, Outcome, Project, Record, Target, project};

pub const CC: &str = env!("CARGO_BIN_EXE_verify-cc");
pub const CXX: &str = env!("CARGO_BIN_EXE_verify-cxx");

pub struct Lab {
    pub temp: tempfile::TempDir,
    /// Where the sources are.
    pub dir: PathBuf,
    pub cache: PathBuf,
    pub lower: PathBuf,
}

impl Lab {
    pub fn new() -> Lab {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().canonicalize().unwrap();
        let dir = root.join("src");
        fs::create_dir(&dir).unwrap();
        let lower = root.join("lower");
        script(&lower, "#!/bin/sh\n[ \"$2\" = -o ] && exec cp \"$1\" \"$3\"\n");
        Lab { dir, cache: root.join("cache"), lower, temp }
    }

    pub fn write(&self, name: impl AsRef<Path>, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.dir.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    /// A command in the source folder with the wrapper's environment.
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.dir);
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("VERIFY_") {
                command.env_remove(name);
            }
        }
        command.env("VERIFY_CACHE", &self.cache).env("VERIFY_LOWER", &self.lower).env("LC_ALL", "C");
        command
    }

    /// Runs `verify-cc` with words split at spaces.
    pub fn cc(&self, args: &str) -> Output {
        self.command(CC).args(args.split_whitespace()).output().unwrap()
    }

    /// The same, and it must succeed in silence.
    pub fn cc_ok(&self, args: &str) {
        let output = self.cc(args);
        assert!(output.status.success(), "verify-cc {args}: {output:?}");
    }

    pub fn run(&self, program: &str, args: &str) {
        let output = self.command(program).args(args.split_whitespace()).output().unwrap();
        assert!(output.status.success(), "{program} {args}: {output:?}");
    }

    pub fn records(&self) -> Vec<Record> {
        let contents = Ledger::open(&self.cache).read().unwrap();
        assert_eq!(contents.damaged, 0);
        contents.records
    }

    /// The only record there is.
    pub fn record(&self) -> Record {
        let mut records = self.records();
        assert_eq!(records.len(), 1, "{records:#?}");
        records.pop().unwrap()
    }

    pub fn project(&self) -> Project {
        project::load(&Ledger::open(&self.cache).read().unwrap(), &self.dir)
    }

    pub fn store(&self) -> Store {
        Store::open(&self.cache).unwrap()
    }

    pub fn units(&self) -> Vec<PathBuf> {
        files(&self.cache.join("v1").join(Kind::UNIT.name()))
    }
}

pub fn script(path: &Path, text: &str) {
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Every file under a folder, sorted.
pub fn files(dir: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            out.extend(files(&path));
        } else {
            out.push(path);
        }
    }
    out.sort();
    out
}

pub fn target<'a>(project: &'a Project, name: &str) -> &'a Target {
    // Files with the same bytes are one target.
    let called = |p: &PathBuf| p.file_name().is_some_and(|n| n == name);
    let found = project.targets.iter().find(|t| called(&t.path) || t.copies.iter().any(called));
    found.unwrap_or_else(|| panic!("no target {name} in {:#?}", project.targets))
}

/// The names of a target's sources, in link order.
pub fn sources(target: &Target) -> Vec<String> {
    let name = |p: &Path| p.file_name().unwrap().to_string_lossy().into_owned();
    target.units.iter().map(|u| name(&u.source)).collect()
}

pub fn captured(record: &Record) -> bool {
    !record.compiles.is_empty()
        && record.compiles.iter().all(|c| matches!(c.outcome, Outcome::Captured { .. }) && c.unit.is_some())
}
