//! `cargo xtask capture`: real builds under `verify capture`. Each project is built plainly and captured, at the same
//! path; objects, libraries and programs must be the same byte for byte, and what the ledger says is put in a table,
//! with every miss. Then it is built once more with the cache full, for what a capture costs when nothing changed.

use crate::debsrc::{self, Project};
use crate::projects::{compare, products};
use crate::row;
use crate::sh::{self, Tools};
use crate::tally::{Tally, table};
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Seconds for one build.
const LIMIT: u64 = 1800;

/// Percent of the units that must be captured.
const WANTED: f64 = 99.0;

/// A Debian source package and the shell commands that build it, in its folder.
pub struct Recipe {
    pub package: &'static str,
    /// Not measured: makes the build system.
    prepare: &'static str,
    build: &'static str,
    /// Built by the short form of the suite.
    quick: bool,
}

const fn recipe(package: &'static str, prepare: &'static str, build: &'static str, quick: bool) -> Recipe {
    Recipe { package, prepare, build, quick }
}

const RECONF: &str = "[ -x configure ] || autoreconf -fi";

const RECIPES: &[Recipe] = &[
    recipe("cjson", "true", "cmake -B build -DCMAKE_BUILD_TYPE=Release && cmake --build build -j2", true),
    recipe("bzip2", "true", "make -j2 libbz2.a bzip2 bzip2recover", false),
    recipe("lz4", "true", "make -j2 lib lz4", false),
    recipe("zlib", "true", "./configure && make -j2", true),
    recipe("lua5.4", "true", "make -j2 linux", false),
    recipe("libyaml", RECONF, "./configure && make -j2", false),
    recipe(
        "expat",
        "cd expat && ([ -x configure ] || autoreconf -fi)",
        "cd expat && ./configure --without-docbook && make -j2",
        false,
    ),
    recipe("jq", RECONF, "./configure --without-oniguruma --disable-docs --disable-maintainer-mode && make -j2", false),
    recipe("libpng1.6", RECONF, "./configure && make -j2", false),
    recipe("memcached", RECONF, "./configure && make -j2 CFLAGS='-g -O2 -pthread'", false),
    recipe("tmux", RECONF, "./configure && make -j2", false),
    recipe("musl", "true", "./configure --prefix=/usr/local/musl CFLAGS=-O2 && make -j2", false),
    recipe("nginx", "true", "./configure --without-http_rewrite_module --without-http_gzip_module && make -j2", false),
    recipe("redis", "true", "make -j2 MALLOC=libc", false),
    recipe("curl", RECONF, "./configure --without-ssl --without-libpsl && make -j2", false),
    // From the one large file, and from the sources that it is made of.
    recipe(
        "sqlite3",
        "mkdir one tree",
        "(cd one && ../configure --disable-tcl && make -j2 sqlite3) && \
         (cd tree && ../configure --disable-tcl --disable-amalgamation && make -j2 libsqlite3.la)",
        false,
    ),
    recipe("busybox", "true", "make defconfig && make -j2", false),
    recipe("coreutils", RECONF, "FORCE_UNSAFE_CONFIGURE=1 ./configure && make -j2", false),
    recipe("gzip", RECONF, "./configure && make -j2", false),
    recipe("xz-utils", RECONF, "./configure && make -j2", false),
    // One of its tests is C++.
    recipe("cmark", "true", "cmake -G Ninja -B build -DCMARK_TESTS=OFF && cmake --build build", false),
    recipe("pkgconf", "true", "meson setup build -Dtests=false && ninja -C build", false),
];

/// The recipe of this package.
pub fn find(name: &str) -> Result<&'static Recipe> {
    let all = || RECIPES.iter().map(|r| r.package).collect::<Vec<_>>().join(", ");
    RECIPES.iter().find(|r| r.package == name).with_context(|| format!("no recipe for `{name}`; there are {}", all()))
}

/// The named projects; with none, those of the short form or all.
pub fn run(tools: &Tools, names: &[String], quick: bool) -> Result<Tally> {
    let mut chosen = Vec::new();
    for name in names {
        chosen.push(find(name)?);
    }
    if chosen.is_empty() {
        chosen.extend(RECIPES.iter().filter(|r| r.quick || !quick));
    }
    let mut tally = Tally::default();
    let mut rows = vec![row![
        "project",
        "invocations",
        "probes",
        "units",
        "captured",
        "lines",
        "same bytes",
        "plain CPU s",
        "capture CPU s",
        "ratio",
        "again CPU s",
        "ratio"
    ]];
    for r in chosen {
        sh::step(r.package);
        match one(tools, r, quick, &mut tally) {
            Ok(row) => {
                println!("{}", row.join(" | "));
                rows.push(row);
            }
            Err(e) => tally.fail(r.package, format!("{e:#}")),
        }
    }
    println!("\n{}", table(&rows));
    let fragment = sh::scratch("capture-table")?.join("table.md");
    std::fs::write(&fragment, table(&rows))?;
    println!("also in {}", fragment.display());
    Ok(tally)
}

/// A fresh copy of the sources, ready to be built.
pub fn unpack(r: &Recipe, dir: &Path) -> Result<()> {
    if dir.exists() {
        std::fs::remove_dir_all(dir)?;
    }
    debsrc::unpack(&Project { name: r.package, configure: &[], make: &[], makes: &[] }, dir)?;
    let mut prepare = Command::new("sh");
    prepare.arg("-c").arg(r.prepare).current_dir(dir);
    sh::quiet(&mut prepare, 300)?;
    Ok(())
}

/// The build as a shell runs it, with what makes two plain builds the same; its processor seconds.
pub fn shell(command: &mut Command, r: &Recipe, dir: &Path) -> Result<f64> {
    command.args(["sh", "-c", r.build]).current_dir(dir);
    command.env("SOURCE_DATE_EPOCH", "1700000000").env_remove("MAKEFLAGS").env_remove("MFLAGS");
    // Processor time: other work on the machine does not show in it.
    let done = sh::capture_watching(command, LIMIT, true)?;
    if done.timed_out {
        bail!("the build took more than {LIMIT} s");
    }
    if done.code != 0 {
        bail!("the build failed with {}\n{}", done.code, done.tail());
    }
    Ok(done.cpu_seconds)
}

fn one(tools: &Tools, r: &Recipe, quick: bool, tally: &mut Tally) -> Result<Vec<String>> {
    let dir = sh::scratch(&format!("capture/{}", r.package))?;
    let tools = tools.with_cache(&format!("capture-cache-{}", r.package))?;
    std::fs::remove_dir_all(&tools.cache)?;
    std::fs::create_dir_all(&tools.cache)?;
    unpack(r, &dir)?;
    let mut plain_seconds = shell(&mut Command::new("env"), r, &dir)?;
    let plain = products(&dir)?;
    let mut times = Vec::new();
    let mut same = Ok(());
    let mut captured = BTreeMap::new();
    for _ in 0..2 {
        unpack(r, &dir)?;
        let database = dir.join("compile_commands.json");
        let mut command = tools.verify(&dir, ["capture", "--output"]);
        command.arg(&database).arg("--");
        times.push(shell(&mut command, r, &dir)?);
        if times.len() == 1 {
            captured = products(&dir)?;
            same = compare(&plain, &captured);
        }
        if !database.is_file() {
            bail!("no compile_commands.json was written");
        }
    }
    let ledger = sh::quiet(&mut tools.verify(&dir, ["ledger", "--format", "json"]), 300)?.out();
    let ledger: serde_json::Value = serde_json::from_str(&ledger).context("what verify ledger says")?;
    let mut identical = "yes";
    if same.is_err() || !quick {
        // Plain once more: a machine that gets slower in between does not count against the capture.
        unpack(r, &dir)?;
        plain_seconds = f64::midpoint(plain_seconds, shell(&mut Command::new("env"), r, &dir)?);
    }
    if same.is_err() {
        // Builds that are not even the same as themselves (coverage stamps, times) are compared where they are.
        let second = products(&dir)?;
        let stable = |all: &BTreeMap<PathBuf, Vec<u8>>| -> BTreeMap<PathBuf, Vec<u8>> {
            let keep = |name: &PathBuf| plain.get(name) == second.get(name);
            all.iter().filter(|(name, _)| keep(name)).map(|(n, b)| (n.clone(), b.clone())).collect()
        };
        same = compare(&stable(&plain), &stable(&captured));
        identical = if same.is_ok() { "where two plain builds are" } else { "no" };
    }
    tally.add(&format!("{}: objects and programs are identical", r.package), same);
    let n = |key: &str| ledger["totals"][key].as_u64().unwrap_or(0);
    let misses = misses(&ledger);
    for miss in &misses {
        println!("  missed: {miss}");
    }
    let percent = 100.0 * n("captured") as f64 / n("units").max(1) as f64;
    tally.add(
        &format!("{}: at least {WANTED} % of the units are captured", r.package),
        if percent >= WANTED { Ok(()) } else { Err(format!("{percent:.1} %\n{}", misses.join("\n"))) },
    );
    let ratio = |seconds: f64| format!("{:.2}", seconds / plain_seconds.max(0.001));
    Ok(row![
        r.package,
        // The project was captured twice.
        n("invocations") / 2,
        n("probes") / 2,
        n("units"),
        n("captured"),
        n("lines"),
        identical,
        format!("{plain_seconds:.1}"),
        format!("{:.1}", times[0]),
        ratio(times[0]),
        format!("{:.1}", times[1]),
        ratio(times[1]),
    ])
}

/// Every unit that was missed, with the reason.
fn misses(ledger: &serde_json::Value) -> Vec<String> {
    let mut out = Vec::new();
    let list = |v: &serde_json::Value| v.as_array().cloned().unwrap_or_default();
    let text = |v: &serde_json::Value| v.as_str().unwrap_or("?").to_string();
    for row in list(&ledger["rows"]) {
        for s in list(&row["sources"]) {
            let missed = s["counted"] == true && (s["class"] == "failed" || s["class"] == "unsupported");
            if missed {
                out.push(format!("{}: {}", text(&s["file"]), text(&s["reason"])));
            }
        }
    }
    for b in list(&ledger["bypassed_objects"]) {
        out.push(format!("{}: {}", text(&b["object"]), text(&b["reason"])));
    }
    out
}
