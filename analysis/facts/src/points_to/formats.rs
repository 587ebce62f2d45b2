//! `%n`: the one conversion of `printf` that writes through an argument. Were it taken to happen wherever `printf` is
//! called, every call would write to whatever it is given to print.
//!
//! It is assumed never to happen, and then shown: the pointers of a program that never gets to the function which
//! writes the count lead from its formats to constant texts without the conversion. So the first execution of that
//! function would need a format that no execution before it can have made. Where that cannot be shown (`printf(line)`),
//! the solver goes on with the calls that were left out.

use super::generate::NONE;
use super::object::ObjectKind;
use super::solver::Solver;
use verify_ir::{Block, FuncId, InitData, Module};

/// In the models (`stdio_printf.c`): what `%n` calls, and what reads every format, with the number of that parameter.
const COUNTS: &str = "print_count";
const READS: (&str, usize) = ("format_all", 1);

fn model(m: &Module, name: &str) -> Vec<FuncId> {
    let is = |f: &FuncId| {
        let f = m.func(*f);
        f.name == name && f.body.is_some() && m.units.get(f.unit.index()).is_some_and(|u| u.model)
    };
    (0..m.functions.len()).map(FuncId::new).filter(is).collect()
}

/// The functions that are assumed never to run; none, where that is known not to hold.
pub fn assumed(m: &Module) -> Vec<FuncId> {
    let user = |g: &&verify_ir::Global| g.constant && !m.units.get(g.unit.index()).is_some_and(|u| u.model);
    let counts = m.globals.iter().filter(user).any(|g| text(g).is_some_and(|t| counts(&t)));
    if counts { Vec::new() } else { model(m, COUNTS) }
}

/// No format counts, given where pointers lead if none does.
pub fn none_counts(s: &mut Solver<'_>) -> bool {
    let m = s.module;
    let readers = model(m, READS.0);
    let format = |f: FuncId| m.func(f).body.as_ref()?.block(Block::new(0)).params.get(READS.1).copied();
    if readers.is_empty() || readers.iter().any(|f| format(*f).is_none()) {
        return false;
    }
    let instances = s.instances.iter().filter(|i| readers.contains(&i.func));
    let nodes: Vec<_> = instances.filter_map(|i| i.values.get(format(i.func)?.index()).copied()).collect();
    nodes.into_iter().filter(|n| *n != NONE).all(|n| {
        let n = s.find(n) as usize;
        s.nodes[n].pts.iter().all(|l| match s.objects[s.locs[l as usize].0 as usize].kind {
            ObjectKind::Global(g) => m.global(g).constant && text(m.global(g)).is_some_and(|t| !counts(&t)),
            _ => false,
        })
    })
}

/// The bytes of a variable; none where addresses or undefined bytes are among them.
fn text(g: &verify_ir::Global) -> Option<Vec<u8>> {
    let init = g.init.as_ref()?;
    let mut out = Vec::new();
    for p in &init.pieces {
        let InitData::Bytes(b) = &p.data else { return None };
        // Between pieces are zeros, which end a format.
        if p.offset != out.len() as u64 {
            out.push(0);
        }
        out.extend(b);
    }
    Some(out)
}

/// Somewhere in the text, `n` may be a conversion.
fn counts(text: &[u8]) -> bool {
    const BETWEEN: &[u8] = b"0123456789 #+-'.*$IhlLqjzt";
    text.iter()
        .enumerate()
        .any(|(i, b)| *b == b'%' && text[i + 1..].iter().find(|b| !BETWEEN.contains(b)) == Some(&b'n'))
}

#[cfg(test)]
mod tests {
    use super::counts;

    #[test]
    fn where_a_count_may_be() {
        for with in ["%n", "a %d%hhn", "%*.3$ 5ln", "%%n"] {
            assert!(counts(with.as_bytes()), "{with}");
        }
        for without in ["", "%", "%d\n", "n%sn", "100%, no", "%5"] {
            assert!(!counts(without.as_bytes()), "{without}");
        }
    }
}
