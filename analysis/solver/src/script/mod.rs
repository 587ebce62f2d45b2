//! SMT-LIB 2 scripts: reads the logics up to QF_ABVFP (no quantifiers, no functions with arguments but macros, no
//! equality of arrays) and answers their commands. For benchmark files and for other tools' queries; the prover builds
//! terms itself.
//!
//! Numbers are patterns with one NaN only, so that equality is equality of patterns. Terms are read recursively: a
//! caller gives deep ones a deep stack.

mod floats;
mod syntax;
mod terms;

use crate::float::Format;
use crate::sat::cadical::Cadical;
use crate::term::{Pool, Term};
use crate::{Outcome, Solver};
use std::collections::HashMap;
pub use syntax::Error;
use syntax::{Expr, error};
use terms::{Sort, Typed};

/// A symbol's meaning.
#[derive(Clone)]
enum Meaning {
    Term(Typed),
    /// Parameters with their sorts, body.
    Macro(Vec<(String, Sort)>, Expr),
}

/// Operands, and what the result is where it is open.
type Open = (Vec<Term>, Term);

/// State of a script.
#[derive(Default)]
pub struct Script {
    pool: Pool,
    solver: Solver<Cadical>,
    // Only looked up.
    names: HashMap<String, Vec<Meaning>>,
    sorts: HashMap<String, Expr>,
    /// Assertions by level of `push`.
    levels: Vec<Vec<Term>>,
    asserted: Vec<Term>,
    /// Results that the standard leaves open, by operator, format and width.
    open: HashMap<(String, Format, u32), Vec<Open>>,
    last: Option<Outcome>,
}

/// Runs a script; `conflicts` bounds each query. `say` is given each answer, a line each.
///
/// # Errors
/// What is no SMT-LIB or is not supported, with its line.
pub fn run(text: &str, conflicts: Option<u64>, mut say: impl FnMut(&str)) -> Result<(), Error> {
    let mut s = Script::default();
    for (line, command) in syntax::parse(text)? {
        match s.command(&command, conflicts, &mut say) {
            Ok(true) => {}
            Ok(false) => break,
            Err(e) => return Err(e.at(line)),
        }
    }
    Ok(())
}

impl Script {
    /// Runs a command; `false` after `exit`.
    fn command(&mut self, c: &Expr, conflicts: Option<u64>, say: &mut impl FnMut(&str)) -> Result<bool, Error> {
        let list = c.list()?;
        let (name, args) = match list {
            [Expr::Atom(name), args @ ..] => (name.as_str(), args),
            _ => return error("a command has a name"),
        };
        match (name, args) {
            ("set-logic" | "set-info" | "set-option" | "get-info" | "get-model", _) => {}
            ("exit", _) => return Ok(false),
            ("reset", _) => *self = Script::default(),
            ("echo", [Expr::Atom(text)]) => say(text.trim_matches('"')),
            ("declare-const", [Expr::Atom(n), s]) => self.declare(n, s)?,
            ("declare-fun", [Expr::Atom(n), Expr::List(p), s]) if p.is_empty() => self.declare(n, s)?,
            ("declare-fun", _) => return error("functions with arguments are not supported"),
            ("define-sort", [Expr::Atom(n), Expr::List(p), s]) if p.is_empty() => {
                self.sorts.insert(n.clone(), s.clone());
            }
            ("define-const", [Expr::Atom(n), _, body]) => {
                let t = self.term(body)?;
                self.bind(n, Meaning::Term(t));
            }
            ("define-fun", [Expr::Atom(n), Expr::List(p), _, body]) => {
                let m = if p.is_empty() {
                    Meaning::Term(self.term(body)?)
                } else {
                    Meaning::Macro(self.parameters(p)?, body.clone())
                };
                self.bind(n, m);
            }
            ("assert", [t]) => {
                let t = self.truth(t)?;
                match self.levels.last_mut() {
                    Some(level) => level.push(t),
                    None => {
                        self.asserted.push(t);
                        self.solver.assert(&self.pool, t);
                    }
                }
            }
            ("push", _) => {
                for _ in 0..count(args)? {
                    self.levels.push(Vec::new());
                }
            }
            ("pop", _) => {
                for _ in 0..count(args)? {
                    if self.levels.pop().is_none() {
                        return error("pop without push");
                    }
                }
            }
            ("check-sat", []) => self.check(&[], conflicts, say),
            ("check-sat-assuming", [Expr::List(l)]) => {
                let more = l.iter().map(|t| self.truth(t)).collect::<Result<Vec<_>, _>>()?;
                self.check(&more, conflicts, say);
            }
            ("get-value", [Expr::List(l)]) => {
                if self.last != Some(Outcome::Sat) {
                    return error("there is no model");
                }
                let mut all = Vec::new();
                for e in l {
                    let t = self.term(e)?;
                    all.push(format!("({e} {})", self.value(&t)?));
                }
                say(&format!("({})", all.join(" ")));
            }
            _ => return error(&format!("the command `{name}` is not supported in this form")),
        }
        Ok(true)
    }

    fn check(&mut self, more: &[Term], conflicts: Option<u64>, say: &mut impl FnMut(&str)) {
        let all: Vec<Term> = self.levels.iter().flatten().chain(more).copied().collect();
        let out = self.solver.check(&mut self.pool, &all, conflicts);
        say(match out {
            Outcome::Sat => "sat",
            Outcome::Unsat(_) => "unsat",
            Outcome::Unknown => "unknown",
        });
        self.last = Some(out);
    }

    fn value(&mut self, t: &Typed) -> Result<String, Error> {
        if matches!(t.sort, Sort::Array(..)) {
            return error("values of arrays are not printed");
        }
        let v = self.solver.value(&self.pool, t.term);
        let bits = |hi: u32, lo: u32| -> String { (lo..=hi).rev().map(|i| if v.bit(i) { '1' } else { '0' }).collect() };
        Ok(match t.sort {
            Sort::Bool => v.is_one().to_string(),
            Sort::Mode => floats::MODES[crate::float::Rounding::of(v.to_u64().unwrap_or(4)) as usize].0.into(),
            Sort::Float(f) => {
                let (w, s) = (f.width(), f.significand - 1);
                format!("(fp #b{} #b{} #b{})", bits(w - 1, w - 1), bits(w - 2, s), bits(s - 1, 0))
            }
            _ => format!("#b{}", bits(v.width() - 1, 0)),
        })
    }

    fn declare(&mut self, name: &str, sort: &Expr) -> Result<(), Error> {
        let sort = self.sort(sort)?;
        let t = self.pool.fresh(name, sort.carrier());
        let term = self.canonical(&sort, t);
        self.bind(name, Meaning::Term(Typed { term, sort }));
        Ok(())
    }

    fn bind(&mut self, name: &str, m: Meaning) {
        self.names.entry(name.into()).or_default().push(m);
    }

    fn unbind(&mut self, name: &str) {
        if let Some(l) = self.names.get_mut(name) {
            l.pop();
        }
    }

    fn parameters(&mut self, p: &[Expr]) -> Result<Vec<(String, Sort)>, Error> {
        p.iter()
            .map(|e| match e.list()? {
                [Expr::Atom(n), s] => Ok((n.clone(), self.sort(s)?)),
                _ => error("a parameter is a name and a sort"),
            })
            .collect()
    }
}

fn count(args: &[Expr]) -> Result<u32, Error> {
    match args {
        [] => Ok(1),
        [n] => n.number(),
        _ => error("one number is expected"),
    }
}
