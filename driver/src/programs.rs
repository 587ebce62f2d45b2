//! `verify programs`: what was built from what.

use crate::cli::{Format, ProgramsArgs};
use crate::compile;
use crate::exit::{self, usage};
use crate::targets;
use crate::tools::Env;
use rayon::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use verify_compile_db::project::{Match, Project, Target};
use verify_compile_db::record::LinkKind;
use verify_ir::Linkage;

/// Runs the command.
///
/// # Errors
/// Usage; nothing was captured.
pub fn programs(args: &ProgramsArgs) -> anyhow::Result<u8> {
    let dir = args.dir.canonicalize().map_err(|e| usage(format!("{}: {e}", args.dir.display())))?;
    if !dir.is_dir() {
        return Err(usage(format!("{}: not a folder", dir.display())));
    }
    let env = Env::open()?;
    let p = targets::project(&env, &dir)?;
    if p.totals.captured == 0 && p.targets.is_empty() {
        return Err(usage(format!("nothing was captured under {}: `verify ledger` says why", dir.display())));
    }
    let definitions = Definitions::read(&env, &p);
    let text = match args.format {
        Format::Json => format!("{:#}\n", as_json(&p, &definitions)),
        Format::Terminal => as_text(&p, &definitions),
    };
    std::io::stdout().lock().write_all(text.as_bytes())?;
    Ok(exit::CLEAN)
}

/// What each unit defines for others, by its name in the cache.
struct Definitions(BTreeMap<String, Vec<String>>);

impl Definitions {
    fn read(env: &Env, p: &Project) -> Definitions {
        let mut names: Vec<_> = p.targets.iter().flat_map(|t| &t.units).map(|u| u.unit).collect();
        names.sort_by_key(|u| *u.as_bytes());
        names.dedup();
        let of = |unit: &verify_cache::Hash| {
            let module = compile::load_unit(&env.store, unit).ok()?;
            let mut defined: Vec<String> = module
                .functions
                .iter()
                .filter(|f| f.linkage == Linkage::External && f.body.is_some())
                .map(|f| f.name.clone())
                .collect();
            defined.extend(
                module
                    .globals
                    .iter()
                    .filter(|g| g.linkage == Linkage::External && g.init.is_some())
                    .map(|g| g.name.clone()),
            );
            Some((unit.to_hex().to_string(), defined))
        };
        Definitions(names.par_iter().filter_map(of).collect())
    }

    /// Names that several units of a target define, with their sources. In an archive that is no error: the linker
    /// takes one of its members.
    fn duplicates(&self, t: &Target) -> Vec<(String, Vec<String>)> {
        let mut by_name: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for u in &t.units {
            for name in self.0.get(u.unit.to_hex().as_str()).into_iter().flatten() {
                by_name.entry(name).or_default().push(u.from.clone());
            }
        }
        by_name.into_iter().filter(|(_, from)| from.len() > 1).map(|(n, from)| (n.to_string(), from)).collect()
    }
}

fn kind(kind: LinkKind) -> &'static str {
    match kind {
        LinkKind::Executable => "executable",
        LinkKind::Shared => "shared",
        LinkKind::Relocatable => "relocatable",
        LinkKind::Archive => "archive",
    }
}

fn as_json(p: &Project, definitions: &Definitions) -> Value {
    let path = |x: &Path| x.to_string_lossy().into_owned();
    let programs = p.targets.iter().map(|t| {
        let units = t.units.iter().map(|u| {
            json!({"source": path(&u.source), "from": u.from, "unit": u.unit.to_hex().to_string(), "note": u.note})
        });
        let duplicates =
            definitions.duplicates(t).into_iter().map(|(name, from)| json!({"symbol": name, "defined_by": from}));
        json!({
            "name": t.name,
            "kind": kind(t.kind),
            "path": path(&t.path),
            "copies": t.copies.iter().map(|c| path(c)).collect::<Vec<_>>(),
            "matched": match t.matched { Match::Content => "content", Match::BuildId => "build-id", Match::Path => "path" },
            "units": units.collect::<Vec<_>>(),
            "sources": t.units.iter().map(|u| path(&u.source)).collect::<Vec<_>>(),
            "missing": t.missing.iter().map(|m| json!({"input": m.input, "reason": m.reason})).collect::<Vec<_>>(),
            "shared": t.shared.iter().map(|s| path(&s.path)).collect::<Vec<_>>(),
            "libraries": t.system,
            "duplicates": duplicates.collect::<Vec<_>>(),
            "notes": t.notes,
        })
    });
    json!({
        "folder": path(&p.root),
        "programs": programs.collect::<Vec<_>>(),
        "in_no_program": p.loose.iter().map(|u| path(&u.source)).collect::<Vec<_>>(),
        "not_captured": p.uncaptured.iter().map(|m| json!({"input": m.input, "reason": m.reason})).collect::<Vec<_>>(),
        "built_by_others": p.foreign.iter().map(|f| path(f)).collect::<Vec<_>>(),
    })
}

fn as_text(p: &Project, definitions: &Definitions) -> String {
    let mut out = String::new();
    let short = |x: &Path| x.strip_prefix(&p.root).unwrap_or(x).display().to_string();
    for t in &p.targets {
        let _ = writeln!(out, "{} ({}): {} units", short(&t.path), kind(t.kind), t.units.len());
        for c in &t.copies {
            let _ = writeln!(out, "  also: {}", short(c));
        }
        for u in &t.units {
            let source = u.source.display().to_string();
            let from = if u.from == source { String::new() } else { format!(" from {}", short(Path::new(&u.from))) };
            let note = u.note.as_ref().map_or_else(String::new, |n| format!(" [{n}]"));
            let _ = writeln!(out, "  {}{from}{note}", short(&u.source));
        }
        for m in &t.missing {
            let _ = writeln!(out, "  missing: {}: {}", short(Path::new(&m.input)), m.reason);
        }
        for s in &t.shared {
            let _ = writeln!(out, "  uses: {}", short(&s.path));
        }
        if !t.system.is_empty() {
            let _ = writeln!(out, "  libraries: {}", t.system.join(" "));
        }
        for (name, from) in definitions.duplicates(t) {
            let _ = writeln!(out, "  duplicate: {name} is defined by {}", from.join(" and "));
        }
        for n in &t.notes {
            let _ = writeln!(out, "  note: {n}");
        }
    }
    if !p.loose.is_empty() {
        let _ = writeln!(out, "in no program: {} units", p.loose.len());
        for u in &p.loose {
            let _ = writeln!(out, "  {}", short(&u.source));
        }
    }
    for m in &p.uncaptured {
        let _ = writeln!(out, "not captured: {}: {}", short(Path::new(&m.input)), m.reason);
    }
    for f in &p.foreign {
        let _ = writeln!(out, "built by something else: {}", short(f));
    }
    out
}
