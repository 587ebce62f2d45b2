//! `verify show`: what the tool sees.

mod facts;
mod formula;
pub mod invariants;

use crate::cli::{RunOptions, Show, ShowArgs};
use crate::exit::{self, usage};
use crate::run::{find_function, position};
use crate::targets;
use crate::tools::Env;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use verify_engine::result::TargetKind;
use verify_facts::call_graph::Callee;
use verify_ir::{FuncId, Module, Terminator};

/// Runs the command.
///
/// # Errors
/// Usage, or a tool that fails.
pub fn show(args: &ShowArgs) -> anyhow::Result<u8> {
    let options = Options::parse(args)?;
    let env = Env::open()?;
    let text = if args.what == Show::Units {
        units(&env, options.rest.first().map_or(Path::new("."), Path::new))?
    } else {
        let mut programs = programs(&env, args.what, &options)?;
        if let Some(name) = &options.function
            && programs.iter().any(|p| find_function(&p.module, name).is_ok())
        {
            programs.retain(|p| find_function(&p.module, name).is_ok());
        }
        let mut text = String::new();
        let one = programs.len() == 1;
        for p in &programs {
            if !one && !options.json {
                // A comment of the language that is printed.
                let comment = if matches!(args.what, Show::Cfg | Show::Callgraph) { "//" } else { ";" };
                writeln!(text, "{comment} program {}", p.name)?;
            }
            text.push_str(&of_module(args.what, p, &options)?);
        }
        text
    };
    std::io::stdout().lock().write_all(text.as_bytes())?;
    Ok(exit::CLEAN)
}

/// Options of the command and what is left for the compiler.
#[derive(Default)]
struct Options {
    function: Option<String>,
    unwind: Option<u32>,
    smt2: bool,
    induction: bool,
    scan: bool,
    json: bool,
    domain: Option<verify_encode::Domain>,
    rest: Vec<String>,
}

impl Options {
    fn parse(args: &ShowArgs) -> anyhow::Result<Options> {
        let mut o = Options::default();
        let mut it = args.rest.iter();
        while let Some(a) = it.next() {
            let (name, inline) = match a.split_once('=') {
                Some((n, v)) if n.starts_with("--") => (n, Some(v.to_string())),
                _ => (a.as_str(), None),
            };
            let flag = || match inline {
                None => Ok(true),
                Some(_) => Err(usage(format!("`{name}` takes no value"))),
            };
            let mut value = || {
                inline.clone().or_else(|| it.next().cloned()).ok_or_else(|| usage(format!("`{name}` needs a value")))
            };
            match name {
                "--function" => o.function = Some(value()?),
                "--unwind" => {
                    let v = value()?;
                    let n = v.parse().ok().filter(|n| (1..=1024).contains(n));
                    o.unwind = Some(n.ok_or_else(|| usage(format!("`--unwind` needs a number from 1, not `{v}`")))?);
                }
                "--smt2" => o.smt2 = flag()?,
                "--induction" => o.induction = flag()?,
                "--as-scan" => o.scan = flag()?,
                "--format" => match value()?.as_str() {
                    "json" => o.json = true,
                    "text" => o.json = false,
                    v => return Err(usage(format!("`--format` is `text` or `json`, not `{v}`"))),
                },
                "--domain" => o.domain = Some(invariants::domain(&value()?)?),
                _ => o.rest.push(a.clone()),
            }
        }
        if (o.smt2 || o.induction) && args.what != Show::Formula {
            return Err(usage("--smt2 and --induction are for `verify show formula`"));
        }
        if (o.unwind.is_some() || o.scan) && !matches!(args.what, Show::Formula | Show::Invariants) {
            return Err(usage("--unwind and --as-scan are for `verify show formula` and `verify show invariants`"));
        }
        if (o.json || o.domain.is_some()) && args.what != Show::Invariants {
            return Err(usage("--format and --domain are for `verify show invariants`"));
        }
        Ok(o)
    }
}

/// A linked program.
struct Shown {
    name: String,
    module: Arc<Module>,
    /// Unknown code may call it.
    library: bool,
    /// The files that were named.
    sources: Vec<PathBuf>,
}

/// Linked programs of a captured folder, or of the files on the command line.
fn programs(env: &Env, what: Show, o: &Options) -> anyhow::Result<Vec<Shown>> {
    let folder = match o.rest.as_slice() {
        [] => Some(PathBuf::from(".")),
        [one] if Path::new(one).is_dir() => Some(PathBuf::from(one)),
        _ => None,
    };
    if let Some(dir) = folder {
        let project = targets::project(env, &dir)?;
        let programs = targets::of_folder(env, &project, &[], targets::Bind::Neighbours)?;
        if programs.inputs.is_empty() {
            return Err(usage(format!("no captured program under {}: build it with CC=verify-cc", dir.display())));
        }
        let shown = |p: verify_engine::ProgramInput| Shown {
            name: p.name,
            module: p.module,
            library: p.kind != TargetKind::Executable,
            sources: Vec::new(),
        };
        return Ok(programs.inputs.into_iter().map(shown).collect());
    }
    let mut rest = o.rest.clone();
    // The C library is part of what these speak about, and in the way of the others.
    if !matches!(what, Show::Facts | Show::Formula | Show::Invariants) {
        rest.insert(0, "--no-models".into());
    }
    let options = RunOptions::parse(&rest)?;
    let module = crate::run::build(env, &options)?;
    Ok(vec![Shown { name: "files".into(), module, library: false, sources: options.compiler.sources }])
}

fn of_module(what: Show, p: &Shown, o: &Options) -> anyhow::Result<String> {
    let m = &*p.module;
    let chosen = o.function.as_deref().map(|n| find_function(m, n)).transpose()?;
    Ok(match what {
        Show::Ir => match chosen {
            Some(f) => verify_ir::text::print_function(m, f),
            None => verify_ir::text::print_with(m, verify_ir::text::PrintOptions::READABLE),
        },
        Show::Cfg => cfg(m, chosen),
        Show::Callgraph => callgraph(m),
        Show::Checks => checks(m, chosen),
        Show::Facts => facts::text(m, chosen, p.library),
        Show::Formula => {
            let unwind = o.unwind.unwrap_or(1);
            let (induction, scan, smt2) = (o.induction, o.scan, o.smt2);
            formula::text(m, &formula::Request { function: chosen, unwind, induction, scan, smt2 })?
        }
        Show::Invariants => {
            let (unwind, domain) = (o.unwind.unwrap_or(1), o.domain.unwrap_or(verify_encode::Domain::Zones));
            let request = invariants::Request {
                function: chosen,
                unwind,
                domain,
                json: o.json,
                library: p.library,
                scan: o.scan,
            };
            invariants::text(m, &p.name, &p.sources, &request)?
        }
        Show::Units => String::new(),
    })
}

fn user_functions(m: &Module, chosen: Option<FuncId>) -> impl Iterator<Item = FuncId> + '_ {
    (0..m.functions.len()).map(FuncId::new).filter(move |f| match chosen {
        Some(c) => *f == c,
        None => m.func(*f).body.is_some() && !m.units[m.func(*f).unit.index()].model,
    })
}

fn cfg(m: &Module, chosen: Option<FuncId>) -> String {
    let mut out = String::from("digraph cfg {\n  node [shape=box fontname=monospace];\n");
    for f in user_functions(m, chosen) {
        let func = m.func(f);
        let Some(body) = &func.body else { continue };
        // Writing to a string cannot fail.
        let _ = writeln!(out, "  subgraph cluster_{} {{\n    label={:?};", f.0, func.name);
        for b in body.block_ids() {
            let data = body.block(b);
            let line = |s| m.span(s).line;
            let first = data.insts.iter().map(|i| line(i.span)).find(|l| *l > 0).unwrap_or(line(data.term_span));
            let kind = match data.term {
                Terminator::Return(_) => " return",
                Terminator::Unreachable => " unreachable",
                Terminator::Switch { .. } => " switch",
                Terminator::IndirectJump { .. } => " goto *",
                _ => "",
            };
            let _ = writeln!(
                out,
                "    f{}{b} [label=\"{b} (line {first})\\n{} instructions{kind}\"];",
                f.0,
                data.insts.len()
            );
            for (i, t) in data.term.targets().into_iter().enumerate() {
                let label = match (&data.term, i) {
                    (Terminator::Branch { .. }, 0) => " [label=T]",
                    (Terminator::Branch { .. }, _) => " [label=F]",
                    _ => "",
                };
                let _ = writeln!(out, "    f{0}{b} -> f{0}{1}{label};", f.0, t.block);
            }
        }
        out.push_str("  }\n");
    }
    out.push_str("}\n");
    out
}

fn callgraph(m: &Module) -> String {
    let facts = verify_facts::Facts::new(m, verify_facts::call_graph::World::Open);
    let mut out = String::from("digraph callgraph {\n  node [fontname=monospace];\n");
    for f in user_functions(m, None) {
        let name = &m.func(f).name;
        let _ = writeln!(out, "  {name:?};");
        let mut edges: BTreeMap<&str, bool> = BTreeMap::new();
        for site in facts.calls.sites_in(f) {
            match &site.callee {
                Callee::Direct(g) | Callee::External(g) => {
                    edges.insert(&m.func(*g).name, true);
                }
                Callee::Indirect { may, outside } => {
                    for g in may {
                        edges.entry(&m.func(*g).name).or_insert(false);
                    }
                    if *outside {
                        edges.entry("(unknown code)").or_insert(false);
                    }
                }
            }
        }
        for (callee, direct) in edges {
            let style = if direct { "" } else { " [style=dashed]" };
            let _ = writeln!(out, "  {name:?} -> {callee:?}{style};");
        }
    }
    out.push_str("}\n");
    out
}

fn checks(m: &Module, chosen: Option<FuncId>) -> String {
    let all = verify_checks::enumerate(m);
    let mut out = String::new();
    for f in user_functions(m, chosen) {
        for c in all.of_function(f) {
            let _ = writeln!(out, "{}: {}: {}", position(m, c.span), c.kind, c.message);
        }
    }
    out
}

fn units(env: &Env, dir: &Path) -> anyhow::Result<String> {
    if !dir.is_dir() {
        return Err(usage(format!("{}: not a folder", dir.display())));
    }
    let p = targets::project(env, dir)?;
    let mut out = String::new();
    let t = &p.totals;
    writeln!(
        out,
        "{} sources compiled, {} captured, {} of them in a target; {} failed, {} unsupported, {} probes, {} invocations",
        t.compiled, t.captured, t.linked, t.failed, t.unsupported, t.probes, t.invocations
    )?;
    for target in &p.targets {
        let name = target.path.strip_prefix(&p.root).unwrap_or(&target.path).display();
        writeln!(out, "{name} ({:?}): {} units", target.kind, target.units.len())?;
        for u in &target.units {
            let note = u.note.as_ref().map_or_else(String::new, |n| format!("  [{n}]"));
            writeln!(out, "  {} ({}){note}", u.source.display(), u.from)?;
        }
        for x in &target.missing {
            writeln!(out, "  missing: {}: {}", x.input, x.reason)?;
        }
        for n in &target.notes {
            writeln!(out, "  note: {n}")?;
        }
    }
    if !p.loose.is_empty() {
        writeln!(out, "in no target: {} units", p.loose.len())?;
        for u in &p.loose {
            writeln!(out, "  {}", u.source.display())?;
        }
    }
    for x in &p.uncaptured {
        writeln!(out, "not captured: {}: {}", x.input, x.reason)?;
    }
    Ok(out)
}
