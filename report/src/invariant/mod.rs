//! Invariants of loops in C: where the loop stands, and its rows as expressions over the variables that are in scope
//! there. What no C expression says (the value a variable had on entry, the offset of a pointer) is marked: it is for
//! people, not for other tools.

mod names;
mod rows;

use names::Names;
use verify_facts::LoopForest;
use verify_facts::invariant::LoopInvariant;
use verify_ir::{Block, Body, FuncId, Module, SpanId, Terminator};

/// An invariant of a loop as people and other tools read it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shown {
    /// Where the loop begins: its keyword, where the compiler says so.
    pub span: SpanId,
    /// Its function.
    pub func: FuncId,
    /// Names of the functions whose calls are in progress, outermost first; empty: however the function is called.
    pub calls: Vec<String>,
    /// Expressions that all hold.
    pub all: Vec<Expression>,
    /// What it is about.
    pub what: What,
    /// Rows that nothing in the source has a name for.
    pub unnamed: usize,
}

impl Shown {
    /// `FILE:LINE: FUNCTION: loop: EXPRESSIONS`.
    pub fn line(&self, m: &Module, file: &str) -> String {
        let text: Vec<&str> = self.all.iter().map(|e| e.text.as_str()).collect();
        let line = m.span(self.span).line;
        format!("{file}:{line}: {}: {}: {}", m.func(self.func).name, self.what.name(), text.join(" && "))
    }
}

/// What invariants are about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum What {
    /// A loop whose condition comes first.
    Loop,
    /// A loop whose condition comes after the body.
    DoLoop,
    /// What a function returns.
    Function,
}

impl What {
    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            What::Loop | What::DoLoop => "loop",
            What::Function => "returns",
        }
    }
}

/// One expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expression {
    /// For people: C over integers that do not overflow.
    pub text: String,
    /// As a compiler reads it; [`None`]: C has no words for it.
    pub c: Option<String>,
    /// All of its variables are declared before the loop begins; not so those of `for (int i ...`.
    pub in_scope: bool,
}

/// An invariant in C; [`None`] when the compiler says nothing of where the loop is.
pub fn shown(m: &Module, i: &LoopInvariant) -> Option<Shown> {
    let body = m.func(i.func).body.as_ref()?;
    let (span, what) = if i.header == Block(0) {
        (Some(m.func(i.func).span).filter(|s| m.span(*s).line > 0)?, What::Function)
    } else {
        place(m, body, i.header)?
    };
    let names = Names::new(m, i.func, body, i.header, span);
    let (all, unnamed) = rows::expressions(&names, &i.rows);
    let calls = i.calls.iter().flatten().map(|(f, _)| m.func(*f).name.clone()).collect();
    Some(Shown { span, func: i.func, calls, all, what, unnamed })
}

/// Where a loop begins, and whether its condition comes last. The jump back to the head of a loop carries the position
/// of the statement's keyword; of a `do` loop, the jump into it does.
fn place(m: &Module, body: &Body, header: Block) -> Option<(SpanId, What)> {
    let known = |s: SpanId| (m.span(s).line > 0).then_some(s);
    let forest = LoopForest::new(body);
    let l = forest.loops.iter().find(|l| l.header == header)?;
    for b in &l.latches {
        let data = body.block(*b);
        if let (Terminator::Jump(_), Some(s)) = (&data.term, known(data.term_span)) {
            return Some((s, What::Loop));
        }
    }
    let outside = body.block_ids().filter(|b| !l.contains(*b));
    let mut entries = outside.filter(|b| body.block(*b).term.targets().iter().any(|e| e.block == header));
    let into = entries.find_map(|b| {
        let data = body.block(b);
        matches!(data.term, Terminator::Jump(_)).then(|| known(data.term_span)).flatten()
    });
    let first = body.block(header).insts.iter().find_map(|i| known(i.span));
    Some((into.or(first).or(known(body.block(header).term_span))?, What::DoLoop))
}
