//! One-line memory bugs planted in real projects by a fixed seed: how many does a scan report that it does not report
//! on the unchanged project? A bug counts as found at its line when a new finding stands on the changed line, and as
//! found elsewhere when a new finding stands in the same file.

use crate::debsrc;
use crate::projects;
use crate::row;
use crate::sarif::{self, Finding};
use crate::sh::{self, Rng, Tools};
use crate::tally::{Tally, table};
use anyhow::{Context, Result};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Files in which bugs are planted: the libraries' own code, not their tests.
const FILES: &[(&str, &[&str])] = &[
    ("cjson", &["cJSON.c", "cJSON_Utils.c"]),
    ("bzip2", &["blocksort.c", "bzlib.c", "compress.c", "decompress.c", "huffman.c"]),
    ("lz4", &["lib/lz4.c", "lib/lz4hc.c", "lib/lz4frame.c", "lib/xxhash.c"]),
];

/// Bugs of 25 that must be reported at their line.
const WANTED_OF_25: usize = 5;

/// A place and what is put there.
#[derive(Clone, Debug)]
struct Plant {
    project: &'static str,
    file: &'static str,
    line: usize,
    what: &'static str,
    old: String,
    new: String,
}

/// `n` bugs.
pub fn run(tools: &Tools, n: u64, seed: u64) -> Result<Tally> {
    let tools = tools.with_cache("planted-cache")?;
    let base = sh::scratch("planted")?;
    let mut candidates = Vec::new();
    let mut baselines = Vec::new();
    for (name, files) in FILES {
        let dir = base.join(name);
        let p = debsrc::project(name)?;
        projects::prepare(p, &dir)?;
        for file in *files {
            let text = std::fs::read_to_string(dir.join(file)).with_context(|| format!("{name} has no {file}"))?;
            candidates.push(plants(name, file, &text));
        }
        sh::step(&format!("{name}, unchanged"));
        let found = build_and_scan(&tools, name, &dir)?.context("the unchanged project does not build")?;
        println!("{} findings", found.len());
        baselines.push((*name, found));
    }
    let mut rng = Rng(seed);
    let mut rows = vec![row!["bug", "project", "place", "change", "reported"]];
    let (mut at_line, mut elsewhere, mut done) = (0, 0, 0);
    while done < n {
        // First a file, then a place in it: big files get no more than their share.
        let of_file = rng.below(candidates.len());
        if candidates[of_file].is_empty() {
            continue;
        }
        let at = rng.below(candidates[of_file].len());
        let plant = candidates[of_file].swap_remove(at);
        let dir = base.join(format!("{}-planted", plant.project));
        projects::prepare(debsrc::project(plant.project)?, &dir)?;
        put(&dir, &plant)?;
        let Some(found) = build_and_scan(&tools, plant.project, &dir)? else { continue };
        done += 1;
        let known = &baselines.iter().find(|(p, _)| *p == plant.project).expect("scanned above").1;
        let key = |f: &Finding| (f.file.clone(), f.line, f.kind.clone());
        let old: BTreeSet<_> = known.iter().map(key).collect();
        let new: Vec<&Finding> = found.iter().filter(|f| !old.contains(&key(f)) && f.file == plant.file).collect();
        let hit = new.iter().find(|f| f.line == plant.line as u64);
        let said = match (hit, new.first()) {
            (Some(f), _) => {
                at_line += 1;
                format!("at its line: {} {}", f.verdict, f.kind)
            }
            (None, Some(f)) => {
                elsewhere += 1;
                format!("line {}: {} {}", f.line, f.verdict, f.kind)
            }
            (None, None) => "no".to_string(),
        };
        println!("{done:3} {} {}:{} {}: {said}", plant.project, plant.file, plant.line, plant.what);
        rows.push(row![done, plant.project, format!("{}:{}", plant.file, plant.line), plant.what, said]);
    }
    println!("\n{}", table(&rows));
    println!("{at_line} of {n} at their line, {elsewhere} elsewhere in the file");
    let mut tally = Tally::default();
    let enough = at_line * 25 >= WANTED_OF_25 * n as usize;
    tally.add(
        "planted bugs at their line",
        if enough { Ok(()) } else { Err(format!("{at_line} of {n}, at least {WANTED_OF_25} of 25 are wanted")) },
    );
    Ok(tally)
}

fn put(dir: &Path, plant: &Plant) -> Result<()> {
    let path: PathBuf = dir.join(plant.file);
    let text = std::fs::read_to_string(&path)?;
    let changed: Vec<String> = text
        .lines()
        .enumerate()
        .map(|(i, l)| if i + 1 == plant.line { l.replacen(&plant.old, &plant.new, 1) } else { l.to_string() })
        .collect();
    std::fs::write(&path, changed.join("\n") + "\n")?;
    Ok(())
}

/// `None` where the project does not build.
fn build_and_scan(tools: &Tools, name: &str, dir: &Path) -> Result<Option<Vec<Finding>>> {
    let cc = tools.program("verify-cc").display().to_string();
    let cache = tools.cache.to_string_lossy();
    if debsrc::build(debsrc::project(name)?, dir, &cc, 2, &[("VERIFY_CACHE", &cache)]).is_err() {
        return Ok(None);
    }
    let log = dir.join("verify.sarif");
    let done = sh::capture(&mut tools.verify(dir, ["scan", "--quiet", "--timeout", "300"]), 400)?;
    anyhow::ensure!(log.is_file(), "the scan of {name} wrote no log: exit {}\n{}", done.code, done.tail());
    Ok(Some(sarif::findings(&log)?))
}

/// Every place of a file where one of the bugs fits. Comments, preprocessor lines and declarations are left alone.
fn plants(project: &'static str, file: &'static str, text: &str) -> Vec<Plant> {
    let mut all = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let code = line.trim();
        let indented = line.starts_with([' ', '\t']);
        if !indented || code.starts_with(['#', '/', '*']) || code.ends_with('\\') {
            continue;
        }
        for (what, old, new) in mutations(code) {
            all.push(Plant { project, file, line: i + 1, what, old, new });
        }
    }
    all
}

/// (what, old, new) for a line of code.
fn mutations(code: &str) -> Vec<(&'static str, String, String)> {
    let mut found = Vec::new();
    // Index one past what was meant, where an element is read or written.
    if let Some((open, close)) = subscript(code) {
        let index = &code[open + 1..close];
        found.push(("index off by one", format!("[{index}]"), format!("[({index}) + 1]")));
        found.push(("index below the start", format!("[{index}]"), format!("[({index}) - 1]")));
    }
    // A loop that goes one too far on its own line.
    if code.starts_with("for") && code.contains("; i < ") {
        found.push(("loop one too far", "; i < ".into(), "; i <= ".into()));
    }
    // A guard against null that no longer guards.
    for (guard, gone) in [("== NULL", "== (void*)1"), ("!= NULL", "!= (void*)1")] {
        if code.starts_with("if") && code.contains(guard) {
            found.push(("null check lost", guard.into(), gone.into()));
        }
    }
    // Memory released twice, or used after that.
    for call in ["free(", "FREEMEM(", "deallocate("] {
        if let Some(at) = code.find(call)
            && code.ends_with(");")
            && code[..at].chars().all(|c| c.is_alphanumeric() || "_->.(".contains(c))
        {
            let statement = code.to_string();
            let once = statement.trim_end_matches(';');
            found.push(("released twice", statement.clone(), format!("{once}, {once};")));
            found.push(("never released", statement, ";".into()));
        }
    }
    // A copy of one byte too many, an object one byte too small.
    for call in ["memcpy(", "memset(", "strncpy("] {
        if code.starts_with(call) && code.ends_with(");") {
            let old = code.to_string();
            found.push(("copy too long", old.clone(), format!("{} + 1);", &old[..old.len() - 2])));
        }
    }
    if code.contains("malloc(") && code.ends_with(");") && code.contains('=') {
        let old = code.to_string();
        found.push(("allocation too small", old.clone(), format!("{} - 1);", &old[..old.len() - 2])));
    }
    // A pointer dropped before its use.
    if let Some((name, rest)) = code.split_once("->")
        && code.ends_with(';')
        && name.chars().all(|c| c.is_alphanumeric() || c == '_')
        && rest.contains(" = ")
    {
        found.push(("write through a null pointer", format!("{name}->"), format!("((__typeof__({name}))0)->")));
    }
    found
}

/// The first subscript `x[...]` without nesting in an expression.
fn subscript(code: &str) -> Option<(usize, usize)> {
    let declares = ["char ", "int ", "unsigned ", "Int32 ", "UChar ", "static ", "const ", "size_t ", "U32 ", "BYTE "];
    if !code.ends_with(';') || declares.iter().any(|d| code.starts_with(d)) {
        return None;
    }
    let open = code.find('[')?;
    let close = open + code[open..].find(']')?;
    let inside = &code[open + 1..close];
    let name = code[..open].chars().next_back()?;
    (!inside.is_empty() && !inside.contains('[') && (name.is_alphanumeric() || name == '_')).then_some((open, close))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bugs_fit_on_code_only() {
        let what = |code: &str| mutations(code).into_iter().map(|m| m.0).collect::<Vec<_>>();
        assert_eq!(what("a[i] = 3;"), ["index off by one", "index below the start"]);
        assert_eq!(what("char a[10];"), Vec::<&str>::new());
        assert_eq!(what("free(p);"), ["released twice", "never released"]);
        assert!(what("if (p == NULL)").contains(&"null check lost"));
        assert!(plants("x", "y", "# a[i] = 3;\n").is_empty());
    }
}
