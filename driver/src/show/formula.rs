//! `verify show formula`: what the solver is asked about a program or function, as numbers or as SMT-LIB 2.

use crate::exit::usage;
use crate::run::position;
use std::collections::BTreeMap;
use std::fmt::Write;
use verify_encode::{Encoder, EventKind, Formula, Mode, Plan, Root, Rules, Suggested, TooBig};
use verify_ir::{FuncId, Module};
use verify_solver::{Term, smtlib};

/// What to show.
#[derive(Clone, Debug)]
pub struct Request {
    /// The function; `None`: the program from `main`.
    pub function: Option<FuncId>,
    /// Iterations of loops.
    pub unwind: u32,
    /// Loops are entered in the middle.
    pub induction: bool,
    /// As `verify scan` asks, not as `verify check`.
    pub scan: bool,
    /// The query of all claims, for another solver.
    pub smt2: bool,
}

/// The formula as text.
///
/// # Errors
/// There is no `main`; the formula is too large.
pub fn text(m: &Module, r: &Request) -> anyhow::Result<String> {
    let root = match r.function {
        Some(f) => Root::Call(f),
        None => match m.function_named("main").filter(|f| m.func(*f).body.is_some()) {
            Some(f) => Root::Program(f),
            None => return Err(usage("the program has no `main`: name a function with --function")),
        },
    };
    let rules = if r.scan {
        Rules { leaks: true, ..Rules::default() }
    } else {
        Rules {
            allocation_succeeds: true,
            externals_pure: true,
            whole_objects: true,
            uninit_is_arbitrary: true,
            leaks: true,
            open: false,
        }
    };
    let limits = verify_kiki::Limits::default();
    let plan = Plan {
        root,
        mode: if r.induction { Mode::Induction } else { Mode::Bounded },
        domain: verify_encode::Domain::Nothing,
        suggested: Suggested::Nothing,
        library: false,
        unwind: r.unwind,
        innermost: false,
        depth: limits.depth,
        recursion: limits.recursion,
        deterministic: 1100,
        max_instructions: limits.instructions,
        max_terms: limits.terms,
    };
    // The walk goes as deep as the calls do.
    let worker = std::thread::Builder::new().stack_size(256 << 20);
    std::thread::scope(|s| {
        worker
            .spawn_scoped(s, || {
                let checks = verify_checks::enumerate(m);
                let mut encoder = Encoder::new(m, &checks, rules);
                let formula = encoder.encode(&plan, &|| false).map_err(|e| {
                    usage(match e {
                        TooBig::Instructions => "the formula is too large: too many instructions",
                        TooBig::Terms => "the formula is too large: too many terms",
                        TooBig::Objects => "the formula is too large: too many objects",
                        TooBig::Stopped => "stopped",
                    })
                })?;
                Ok(if r.smt2 {
                    query(m, &plan, &mut encoder, &formula)
                } else {
                    summary(m, &plan, &checks, &encoder, &formula)
                })
            })?
            .join()
            .map_err(|_| anyhow::anyhow!("the encoding broke down"))?
    })
}

fn title(m: &Module, plan: &Plan) -> String {
    let name = &m.func(plan.root.func()).name;
    let root = match plan.root {
        Root::Program(_) => format!("the program from `{name}`"),
        Root::Call(_) => format!("any call of `{name}` in any state"),
        Root::Part(_, b) => format!("`{name}` from {b} on, in any state"),
    };
    let mode = match plan.mode {
        Mode::Bounded => "the first iterations of loops",
        Mode::Induction => "loops entered in any state they may be in",
    };
    format!("{root}; {mode}, k = {}", plan.unwind)
}

/// All claims in one question.
fn query(m: &Module, plan: &Plan, encoder: &mut Encoder<'_>, f: &Formula) -> String {
    let t = &mut encoder.terms;
    let any = t.pool.or_all(f.claims.iter().map(|c| c.fails));
    let mut truths = t.axioms.clone();
    truths.push(any);
    let mut out =
        format!("; {}\n; sat: for all that is known, one of {} claims may fail\n", title(m, plan), f.claims.len());
    for b in &f.blockers {
        let _ = writeln!(out, "; not encoded: {}", b.why.replace('\n', " "));
    }
    out.push_str(&smtlib::query(&t.pool, &truths));
    out
}

/// What a truth value is, as far as rewriting has decided it, and its size.
fn state(e: &Encoder<'_>, t: Term) -> String {
    let pool = &e.terms.pool;
    match pool.as_const(t) {
        Some(v) if v.is_zero() => "never".into(),
        Some(_) => "always".into(),
        None => format!("open, {} terms", pool.cone(&[t]).len()),
    }
}

fn summary(m: &Module, plan: &Plan, checks: &verify_checks::Checks, e: &Encoder<'_>, f: &Formula) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{}", title(m, plan));
    let t = &e.terms;
    let everything: Vec<Term> = f.claims.iter().map(|c| c.fails).chain(t.axioms.iter().copied()).collect();
    let _ = writeln!(
        out,
        "size: {} instructions, {} terms in claims and axioms ({} made), {} axioms, {} objects",
        f.instructions,
        t.pool.cone(&everything).len(),
        t.pool.len(),
        t.axioms.len(),
        t.objects.len()
    );
    let names: Vec<&str> = f.spliced.iter().map(|g| m.func(*g).name.as_str()).collect();
    let _ = writeln!(out, "spliced: {}", names.join(", "));
    if !f.externals.is_empty() {
        let list: Vec<&str> = f.externals.iter().map(String::as_str).collect();
        let _ = writeln!(out, "without a body: {}", list.join(", "));
    }
    let _ = writeln!(out, "\nclaims: {}", f.claims.len());
    for c in &f.claims {
        let check = checks.get(c.check);
        let _ = writeln!(
            out,
            "  {}: {}: fails {}: {}",
            position(m, check.span),
            check.kind,
            state(e, c.fails),
            check.message
        );
    }
    let _ = writeln!(out, "\ncuts: {}", f.cuts.len());
    for c in &f.cuts {
        let _ = writeln!(out, "  {}: reached {}", c.what, state(e, c.reached));
    }
    let _ = writeln!(out, "blockers: {}", f.blockers.len());
    for b in &f.blockers {
        let _ = writeln!(out, "  {}: reached {}", b.why, state(e, b.reached));
    }
    let _ = writeln!(out, "goes on beyond k: {}", f.unwound.len());
    for u in &f.unwound {
        let _ = writeln!(out, "  {}", state(e, *u));
    }
    let _ = writeln!(out, "loop-select variables: {}", f.selects.len());
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for ev in &f.events {
        let name = match &ev.kind {
            EventKind::Arguments { .. } => "arguments of main",
            EventKind::Parameter(..) => "parameters of the entry",
            EventKind::Fail(_) => "failing or not",
            EventKind::Nondet(_) => "nondeterministic values",
            EventKind::Bytes(_) => "input bytes",
            EventKind::Syscall(_) => "system calls",
            EventKind::Scanned { .. } => "formatted input",
            EventKind::Uninit(_) => "uninitialised values",
            EventKind::Contents { .. } => "contents of new objects",
            EventKind::External(..) => "results of functions without a body",
        };
        *kinds.entry(name).or_default() += 1;
    }
    let _ = writeln!(out, "events: {}", f.events.len());
    for (name, n) in kinds {
        let _ = writeln!(out, "  {name}: {n}");
    }
    out
}
