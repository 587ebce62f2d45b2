//! Calls that only look: of library functions that read memory and return (`crate::looks`), of functions outside the
//! program that are declared `pure`, and assembly that only computes. They are no events: the result is a function of callee, arguments and memory, and
//! how often they are called is of no matter. But what is called may fail, so that a call of the new version must be one
//! that the old version makes, too, in the same way.

use super::exec::{Path, Version};
use super::mem::{Mem, Place};
use super::{Product, Res};
use crate::plain::assembly_computes;
use verify_ir::inst::InlineAsm;
use verify_ir::{Body, Call, FuncId, Ty};
use verify_solver::{Sort, Term};

/// A call of the old version.
pub(super) struct Look {
    guard: Term,
    what: String,
    args: Vec<Term>,
    mem: Mem,
    world: Term,
    results: Vec<Term>,
}

/// What is known of a callee that only looks.
#[derive(Clone)]
pub(super) struct Looker {
    /// Arguments that it reads through.
    reads: Vec<u32>,
    /// It may fail on some arguments.
    fails: bool,
    /// It is outside the program: what it knows of earlier calls counts.
    outside: bool,
    /// What memory holds counts.
    memory: bool,
}

impl Looker {
    /// Assembly that only computes ([`assembly_computes`]): what else was called may count.
    pub(super) fn of_assembly(body: &Body, a: &InlineAsm) -> Option<Looker> {
        let who = Looker { reads: Vec::new(), fails: true, outside: true, memory: false };
        assembly_computes(body, a).then_some(who)
    }
}

/// Most calls of the old version that one of the new version is compared with.
const MAX_LOOKS: usize = 12;

impl Product<'_> {
    /// Does a call only look?
    pub(super) fn only_looks(&self, body: &Body, c: &Call, id: FuncId, v: Version) -> Option<Looker> {
        let info = self.module(v).func(id);
        if c.noreturn || info.attrs.noreturn || info.sig.variadic || c.params.iter().any(|p| p.attrs.byval.is_some()) {
            return None;
        }
        if let Some(reads) = self.pairs.looks(v, id) {
            let reads = reads.iter().copied().collect();
            return Some(Looker { reads, fails: true, outside: false, memory: true });
        }
        let pointers = c.args.iter().any(|a| body.operand_ty(a) == Ty::Ptr);
        (info.body.is_none() && info.attrs.read_only).then_some(Looker {
            reads: Vec::new(),
            fails: pointers,
            outside: true,
            memory: true,
        })
    }

    /// The results of such a call.
    pub(super) fn look(
        &mut self,
        version: Version,
        path: &Path,
        (what, who): (&str, Looker),
        args: &[Term],
        widths: &[u32],
    ) -> Res<Vec<Term>> {
        let word = self.word(what);
        let mut results = Vec::new();
        for (i, w) in widths.iter().enumerate() {
            let mem = if who.memory { path.mem.0 } else { u32::MAX };
            let mut key = vec![724, word, i as u32, *w, mem];
            key.extend(args.iter().map(|a| a.0));
            if who.outside {
                key.push(path.world.0);
            }
            results.push(self.t.symbol(&key, Sort::Bv(*w)));
        }
        if version == Version::Old {
            let (guard, mem, world) = (path.guard, path.mem, path.world);
            for a in who.reads.iter().filter_map(|k| args.get(*k as usize)) {
                let null = self.t.pool.num(self.t.ptr_bits, 0);
                let ok = self.t.pool.ne(*a, null);
                self.check(version, guard, ok, "null pointer");
            }
            self.looks.push(Look {
                guard,
                what: what.into(),
                args: args.to_vec(),
                mem,
                world,
                results: results.clone(),
            });
            return Ok(results);
        }
        let fits = |l: &Look, p: &Self| {
            let width = |t: &Term| p.t.pool.width(*t);
            l.what == what && l.args.len() == args.len() && l.args.iter().zip(args).all(|(a, b)| width(a) == width(b))
        };
        let theirs: Vec<usize> =
            (0..self.looks.len()).filter(|i| fits(&self.looks[*i], self)).take(MAX_LOOKS).collect();
        // Equal terms are one symbol already.
        let known = theirs.iter().any(|i| self.looks[*i].results == results);
        let mut covered = self.ff;
        for i in theirs {
            let l = &self.looks[i];
            let (guard, mem, world) = (l.guard, l.mem, l.world);
            let (values, given) = (l.results.clone(), l.args.clone());
            // What it cannot see need not agree.
            let seen = |p: &mut Self| p.mems.equal(&mut p.t, path.mem, mem, &|p: &Place| p.private);
            let mut same = if who.memory { seen(self) } else { self.tt };
            for (a, b) in args.iter().zip(&given) {
                let e = self.t.pool.eq(*a, *b);
                same = self.t.pool.and(same, e);
            }
            if who.outside {
                let e = self.t.pool.eq(path.world, world);
                same = self.t.pool.and(same, e);
            }
            if same == self.ff {
                continue;
            }
            for (r, v) in results.iter_mut().zip(&values).filter(|_| !known) {
                *r = self.t.pool.ite(same, *v, *r);
            }
            let here = self.t.pool.and(guard, same);
            covered = self.t.pool.or(covered, here);
        }
        if who.fails {
            let why =
                format!("a call of `{}` that the old version does not make", what.trim_start_matches("function "));
            self.check(version, path.guard, covered, &why);
            for a in args.iter().filter(|a| self.t.pool.width(**a) == self.t.ptr_bits).copied().collect::<Vec<_>>() {
                self.not_dead(version, path, a, 1);
            }
        }
        Ok(results)
    }
}
