//! Node splitting and liveness on random control flow: what comes out is well formed, has no irreducible loop, and
//! runs as before.

use std::sync::Arc;
use verify_facts::split::{Refused, make_reducible};
use verify_facts::{Liveness, LoopForest};
use verify_interp::{Config, Interp, Natural, Program};
use verify_ir::graph::{DomTree, Graph};
use verify_ir::inst::{BinOp, InstKind, Terminator};
use verify_ir::*;

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n.max(1)
    }
}

/// `f`: blocks that mix a state in memory, branch by its bits, and read values of blocks that dominate them.
fn program(r: &mut Random) -> Module {
    let n = 4 + r.below(9);
    let succs: Vec<Vec<u32>> = (0..n)
        .map(|i| match i {
            _ if i == n - 1 => vec![],
            _ => (0..2).map(|_| 1 + r.below(n - 1) as u32).collect(),
        })
        .collect();
    let edges: Vec<(u32, u32)> =
        succs.iter().enumerate().flat_map(|(i, s)| s.iter().map(move |t| (i as u32, *t))).collect();
    let graph = Graph::from_edges(n, &edges);
    let dom = DomTree::new(&graph, 0);
    let mut body = Body::default();
    let parameters: Vec<Option<Value>> =
        (0..n).map(|i| (i > 0 && r.below(2) == 0).then(|| body.new_value(Ty::Int(32), None))).collect();
    let made: Vec<Value> = (0..n).map(|_| body.new_value(Ty::Int(32), None)).collect();
    let state = Operand::Const(Const::Symbol(SymbolRef::Global(GlobalId(0))));
    for i in 0..n {
        // Values of dominating blocks.
        let mut known: Vec<Operand> = vec![Operand::int(32, 7)];
        for d in 0..n {
            if d != i && dom.dominates(d as u32, i as u32) {
                known.push(made[d].into());
                known.extend(parameters[d].map(Operand::from));
            }
        }
        known.extend(parameters[i].map(Operand::from));
        let mut insts = Vec::new();
        let mut add = |body: &mut Body, kind| {
            let v = body.new_value(Ty::Int(32), None);
            insts.push(Inst { results: vec![v], kind, span: SpanId(0) });
            Operand::from(v)
        };
        let binary = |op, lhs, rhs| InstKind::Binary { op, flags: Default::default(), lhs, rhs };
        let old = add(&mut body, InstKind::Load { ptr: state.clone(), align: 4, volatile: false, atomic: false });
        let other = known[r.below(known.len())].clone();
        let mixed = add(&mut body, binary(BinOp::Mul, old, Operand::int(32, 1103515245)));
        let mixed = add(&mut body, binary(BinOp::Add, mixed, other));
        let mixed = add(&mut body, binary(BinOp::Add, mixed, Operand::int(32, 12345 + i as u128)));
        let high = add(&mut body, binary(BinOp::LShr, mixed.clone(), Operand::int(32, 16)));
        let store = InstKind::Store { ptr: state.clone(), value: mixed, align: 4, volatile: false, atomic: false };
        let lhs = known[r.below(known.len())].clone();
        insts.push(Inst { results: vec![], kind: store, span: SpanId(0) });
        let kind = binary(BinOp::Xor, lhs, high.clone());
        insts.push(Inst { results: vec![made[i]], kind, span: SpanId(0) });
        let bit = body.new_value(Ty::BOOL, None);
        let kind = InstKind::Cast { op: inst::CastOp::Trunc, arg: high };
        insts.push(Inst { results: vec![bit], kind, span: SpanId(0) });
        known.push(made[i].into());
        let mut edge = |t: u32| Edge {
            block: Block(t),
            args: parameters[t as usize].iter().map(|_| known[r.below(known.len())].clone()).collect(),
        };
        let term = match succs[i].as_slice() {
            [a, b] => Terminator::Branch { cond: bit.into(), then: edge(*a), other: edge(*b) },
            _ => Terminator::Return(vec![made[i].into()]),
        };
        body.blocks.push(BlockData { params: parameters[i].into_iter().collect(), insts, term, term_span: SpanId(0) });
    }
    let text = format!(
        "verify-ir {} target \"x86_64-pc-linux-gnu\" 64 little
         unit0 \"a.c\" directory \"\" producer \"\" language \"\" flags \"\"
         file0 \"<unknown>\" directory \"\" hash \"{}\" span0 file0 0 0 type0 void
         func0 \"f\" unit0 external default () -> (i32) {{ b0: return 0:i32 }}
         global0 \"state\" source \"state\" unit0 internal default size 4 align 4 init {{ }}",
        FORMAT_VERSION,
        "0".repeat(64)
    );
    let mut m = text::parse(&text).expect("text");
    m.functions[0].body = Some(body);
    m
}

fn run(m: &Module) -> String {
    let p = Program::new(Arc::new(m.clone()));
    let config = Config { max_steps: 4_000, ..Config::default() };
    let o = Interp::new(&p, &config).run_function(FuncId(0), &mut Natural, None);
    format!("{:?}", o.end)
}

#[test]
fn random_graphs_become_reducible_and_run_as_before() {
    let mut r = Random(3);
    let (mut split, mut refused, mut returned) = (0, 0, 0);
    for _ in 0..1500 {
        let m = program(&mut r);
        check::check(&m).unwrap_or_else(|p| panic!("{p:?}"));
        let body = m.functions[0].body.as_ref().unwrap();
        let irreducible = LoopForest::new(body).loops.iter().any(|l| l.irreducible);
        match make_reducible(body) {
            Ok(s) => {
                assert!(irreducible || s.body == *body);
                split += usize::from(irreducible);
                assert!(LoopForest::new(&s.body).loops.iter().all(|l| !l.irreducible));
                assert_eq!((s.block_of.len(), s.value_of.len()), (s.body.blocks.len(), s.body.values.len()));
                for (i, o) in s.block_of.iter().enumerate() {
                    let (a, b) = (&s.body.blocks[i], body.block(*o));
                    assert_eq!(a.insts.len(), b.insts.len());
                    for (x, y) in a.insts.iter().zip(&b.insts) {
                        let same = x.results.iter().map(|v| s.value_of[v.index()]).collect::<Vec<_>>();
                        assert_eq!(same, y.results);
                    }
                }
                let mut after = m.clone();
                after.functions[0].body = Some(s.body);
                check::check(&after).unwrap_or_else(|p| panic!("{p:?}"));
                let (a, b) = (run(&m), run(&after));
                assert_eq!(a, b);
                returned += usize::from(irreducible && a.contains("Returned"));
            }
            Err(Refused::TooLarge { .. }) => refused += 1,
            Err(e) => panic!("{e}"),
        }
    }
    println!("{split} split, {returned} of them returned, {refused} refused");
    assert!(split > 300 && returned > 100 && refused < split / 4);
}

/// Some path from after the place reads the value before it is defined again.
fn live_by_search(body: &Body, from: Block, v: Value) -> bool {
    let reads = |b: Block| {
        let b = body.block(b);
        let mut found = false;
        b.insts.iter().for_each(|i| i.kind.for_each_operand(|o| found |= o.as_value() == Some(v)));
        b.term.for_each_operand(|o| found |= o.as_value() == Some(v));
        found
    };
    let defines = |b: Block| {
        let b = body.block(b);
        b.params.contains(&v) || b.insts.iter().any(|i| i.results.contains(&v))
    };
    let mut seen = vec![false; body.blocks.len()];
    let mut work: Vec<Block> = body.block(from).term.targets().iter().map(|e| e.block).collect();
    while let Some(b) = work.pop() {
        if std::mem::replace(&mut seen[b.index()], true) || defines(b) {
            continue;
        }
        if reads(b) {
            return true;
        }
        work.extend(body.block(b).term.targets().iter().map(|e| e.block));
    }
    false
}

#[test]
fn liveness_is_what_paths_say() {
    let mut r = Random(11);
    for _ in 0..200 {
        let m = program(&mut r);
        let body = m.functions[0].body.as_ref().unwrap();
        let l = Liveness::new(body);
        for b in body.block_ids() {
            for v in (0..body.values.len()).map(Value::new) {
                assert_eq!(l.live_out(b, v), live_by_search(body, b, v), "{b} {v}");
            }
            let at: Vec<Value> = l.at(body, Loc { block: b, inst: 0 });
            let params = &body.block(b).params;
            let entry: Vec<Value> = l.entry(b).collect();
            assert!(at.iter().filter(|v| !params.contains(v)).eq(entry.iter()), "{b}");
        }
    }
}
