//! Facts about a function as text, for people.

use crate::effects::{Access, Effects, MemoryEffects};
use crate::loops::LoopForest;
use crate::points_to::{Location, ObjectId, PointsTo, Targets};
use std::fmt::Write as _;
use verify_ir::inst::InstKind;
use verify_ir::{Block, FuncId, Loc, Module, Operand, Ty, Value};

/// More places than this are counted, not listed.
const MAX_LISTED: usize = 12;

fn place(facts: &PointsTo, l: &Location) -> String {
    format!("{} @ {}", facts.object(l.object).name, l.offset)
}

/// A points-to set.
pub fn targets(facts: &PointsTo, t: &Targets) -> String {
    let mut all: Vec<String> = t.places.iter().take(MAX_LISTED).map(|l| place(facts, l)).collect();
    if t.places.len() > MAX_LISTED {
        all.push(format!("{} more", t.places.len() - MAX_LISTED));
    }
    if t.unknown {
        all.push("unknown".into());
    }
    if all.is_empty() { "nothing".into() } else { all.join(", ") }
}

fn accesses(facts: &PointsTo, all: &[Access], unknown: bool) -> String {
    let mut out: Vec<String> = all
        .iter()
        .take(MAX_LISTED)
        .map(|a| {
            let size = a.size.map_or("?".into(), |s| s.to_string());
            format!("{} @ {} ({size} bytes)", facts.object(a.object).name, a.offset)
        })
        .collect();
    if all.len() > MAX_LISTED {
        out.push(format!("{} more", all.len() - MAX_LISTED));
    }
    if unknown {
        out.push("unknown".into());
    }
    if out.is_empty() { "nothing".into() } else { out.join(", ") }
}

fn objects(facts: &PointsTo, all: &[ObjectId], unknown: bool) -> String {
    let mut out: Vec<&str> = all.iter().map(|o| facts.object(*o).name.as_str()).collect();
    if unknown {
        out.push("unknown");
    }
    if out.is_empty() { "nothing".into() } else { out.join(", ") }
}

/// Loops, points-to sets of its pointers, calls with their targets, effects.
pub fn function(module: &Module, facts: &PointsTo, effects: &MemoryEffects, f: FuncId) -> String {
    let mut out = String::new();
    let func = module.func(f);
    let Some(body) = &func.body else {
        return format!("{}: no body\n", func.name);
    };
    let reached = if facts.reached(f) { "" } else { ": nothing reaches it" };
    let outside = if facts.called_from_outside(f) { ", called from outside" } else { "" };
    // Writing to a string does not fail.
    let _ = writeln!(out, "{}{reached}{outside}", func.name);
    for l in &LoopForest::new(body).loops {
        let blocks: Vec<String> = l.blocks.iter().map(ToString::to_string).collect();
        let kind = if l.irreducible { "irreducible loop" } else { "loop" };
        let _ = writeln!(out, "  {kind} at {}, depth {}: {}", l.header, l.depth, blocks.join(" "));
    }
    for v in (0..body.values.len()).map(Value::new).filter(|v| body.ty(*v) == Ty::Ptr) {
        let name = body.values[v.index()].var.map_or("", |x| &body.vars[x.index()].name);
        let name = if name.is_empty() { String::new() } else { format!(" ({name})") };
        let set = targets(facts, &facts.of(f, &Operand::Value(v)));
        let _ = writeln!(out, "  {v}{name} -> {set}");
    }
    for (loc, t) in facts.calls_in(f) {
        let mut to: Vec<&str> = t.functions.iter().chain(&t.external).map(|g| module.func(*g).name.as_str()).collect();
        if t.unknown {
            to.push("unknown code");
        }
        let to = if to.is_empty() { "nothing".into() } else { to.join(", ") };
        let line = module.span(body.span_at(*loc)).line;
        let _ = writeln!(out, "  call at {}.{} (line {line}) of {to}", loc.block, loc.inst);
        if let Some(e) = effects.of_call(f, *loc) {
            summary(&mut out, "    ", facts, effects, e);
        }
    }
    let _ = writeln!(out, "  in all");
    summary(&mut out, "    ", facts, effects, effects.of(f));
    out
}

fn summary(out: &mut String, indent: &str, facts: &PointsTo, m: &MemoryEffects, e: &Effects) {
    let _ = writeln!(out, "{indent}reads {}", accesses(facts, &m.reads(e), e.reads_unknown));
    let _ = writeln!(out, "{indent}writes {}", accesses(facts, &m.writes(e), e.writes_unknown));
    let (frees, made) = (m.frees(e), m.allocates(e));
    if !frees.is_empty() || e.frees_unknown {
        let _ = writeln!(out, "{indent}frees {}", objects(facts, &frees, e.frees_unknown));
    }
    if !made.is_empty() {
        let _ = writeln!(out, "{indent}allocates {}", objects(facts, &made, false));
    }
}

/// An object, its contents and the accesses that may touch it.
pub fn object(facts: &PointsTo, effects: &MemoryEffects, o: ObjectId) -> String {
    let a = facts.object(o);
    let size = a.size.map_or("unknown size".into(), |s| format!("{s} bytes"));
    let flags = [(a.read_only, ", read-only"), (a.escaped, ", escaped")];
    let flags: String = flags.iter().filter(|f| f.0).map(|f| f.1).collect();
    let shapes = effects.shapes(o);
    let all = facts.contents(o, crate::points_to::Offset::ANY, 1);
    format!(
        "{}: {size}{flags}\n  holds {}\n  read {}\n  written {}\n",
        a.name,
        targets(facts, &all),
        accesses(facts, &shapes.reads, false),
        accesses(facts, &shapes.writes, false)
    )
}

/// The places in a body that access memory through a pointer, with it.
pub fn accesses_of(module: &Module, f: FuncId) -> Vec<(Loc, Operand)> {
    let mut all = Vec::new();
    for (bi, b) in module.func(f).body.iter().flat_map(|b| b.blocks.iter().enumerate()) {
        for (at, inst) in b.insts.iter().enumerate() {
            let loc = Loc { block: Block::new(bi), inst: at as u32 };
            match &inst.kind {
                InstKind::Load { ptr, .. }
                | InstKind::Store { ptr, .. }
                | InstKind::AtomicRmw { ptr, .. }
                | InstKind::CmpXchg { ptr, .. } => all.push((loc, ptr.clone())),
                InstKind::MemSet { dst, .. } => all.push((loc, dst.clone())),
                InstKind::MemCopy { dst, src, .. } => {
                    all.push((loc, dst.clone()));
                    all.push((loc, src.clone()));
                }
                _ => {}
            }
        }
    }
    all
}
