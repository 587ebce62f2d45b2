//! What runs before and after `main` without being called: constructors, destructors, and the sections that the start-up
//! code takes for tables of functions. Which they are and in what order decides what `main` finds.

use crate::interface::{Symbol, position};
use crate::pairs::Pairs;
use crate::product::Version;
use verify_ir::module::Structor;
use verify_ir::{GlobalId, SpanId};

/// Sections of addresses of functions that run by themselves.
const BEFORE: [&str; 3] = [".preinit_array", ".init_array", ".ctors"];
const AFTER: [&str; 2] = [".fini_array", ".dtors"];

/// The start-up code takes a section of this name for such a table.
pub(crate) fn is_table(section: &str) -> bool {
    BEFORE.iter().chain(&AFTER).any(|s| section.starts_with(s))
}

/// What one version runs, in order, by names that both versions share.
#[derive(PartialEq, Eq)]
struct Around {
    before: Vec<String>,
    after: Vec<String>,
}

/// The differences, as variables' are told: the tables are no functions.
pub(crate) fn differences(pairs: &Pairs<'_>) -> Vec<Symbol> {
    let (a, b) = (around(pairs, Version::Old), around(pairs, Version::New));
    let tell = |name: &str, differs: bool, when: &str| {
        differs.then(|| Symbol {
            name: name.into(),
            difference: format!("other functions run {when} `main`, or in another order"),
            seen: true,
            old_place: first(pairs, Version::Old),
            new_place: first(pairs, Version::New),
        })
    };
    let before = tell("constructors", a.before != b.before, "before");
    let after = tell("destructors", a.after != b.after, "after");
    before.into_iter().chain(after).collect()
}

/// A place to point to: the first function of the tables.
fn first(pairs: &Pairs<'_>, v: Version) -> Option<crate::compare::Place> {
    let m = pairs.module(v);
    let f = m.constructors.iter().chain(&m.destructors).next()?.func;
    let span: SpanId = m.func(f).span;
    position(m, span, &m.func(f).name)
}

fn around(pairs: &Pairs<'_>, v: Version) -> Around {
    let m = pairs.module(v);
    let listed = |all: &[Structor], sections: &[&str]| -> Vec<String> {
        let mut all: Vec<&Structor> = all.iter().collect();
        all.sort_by_key(|s| s.priority);
        let mut out: Vec<String> =
            all.iter().map(|s| format!("{} {}", s.priority, pairs.function_text(v, s.func))).collect();
        for (i, g) in m.globals.iter().enumerate().filter(|(_, g)| g.init.is_some()) {
            if let Some(s) = g.section.as_ref().filter(|s| sections.iter().any(|p| s.starts_with(p))) {
                out.push(format!("{s} {}", pairs.global_name(v, GlobalId::new(i))));
            }
        }
        out
    };
    Around { before: listed(&m.constructors, &BEFORE), after: listed(&m.destructors, &AFTER) }
}
