//! Facts on small programs in the text form, and loops against their definition on random graphs.

use verify_facts::*;
use verify_ir::{Block, FuncId, Module, check, text};

fn module(items: &str) -> Module {
    let source = format!(
        "verify-ir {} target \"t\" 64 little unit0 \"a.c\" directory \"\" producer \"\" language \"\" flags \"\"
         file0 \"<unknown>\" directory \"\" hash \"{}\" span0 file0 0 0 type0 void {}",
        verify_ir::FORMAT_VERSION,
        "0".repeat(64),
        items.replace(" E ", " unit0 external default ").replace(" I ", " unit0 internal default ")
    );
    let m = text::parse(&source).unwrap_or_else(|e| panic!("{e}\n{source}"));
    check::check(&m).unwrap_or_else(|p| panic!("{p:?}"));
    m
}

fn id(m: &Module, name: &str) -> FuncId {
    m.function_named(name).unwrap()
}

fn names(m: &Module, ids: impl IntoIterator<Item = FuncId>) -> String {
    ids.into_iter().map(|f| m.func(f).name.clone()).collect::<Vec<_>>().join(" ")
}

const PROGRAM: &str = "
    func0 \"main\" E () -> (i32) { b0: v0: i32 = call @even(i32 3:i32) call @setup() v1: i32 = call @apply(i32 v0) return v1 }
    func1 \"even\" I (i32) -> (i32) { b0(v0: i32): v1: i32 = call @odd(i32 v0) return v1 }
    func2 \"odd\" I (i32) -> (i32) { b0(v0: i32): v1: i32 = call @even(i32 v0) return v1 }
    func3 \"cb\" I (i32) -> (i32) { b0(v0: i32): v1: i32 = load @hidden align 4 return v1 }
    func4 \"cb2\" I (i64) -> (i32) { b0(v0: i64): return 1:i32 }
    func5 \"setup\" I () -> () { b0: store @table, @cb align 8 store @table, @cb2 align 8 return }
    func6 \"apply\" I (i32) -> (i32) { b0(v0: i32): v1: ptr = load @table align 8 v2: i32 = call v1(i32 v0) return v2 }
    func7 \"puts\" E (ptr) -> (i32)
    func8 \"unused\" I () -> (i32) { b0: v0: i32 = call @puts(ptr @text) return v0 }
    func9 \"pick\" E (i1) -> (i32) { b0(v0: i1): v1: ptr = select v0, @even, @odd v2: i32 = call v1(i32 1:i32) return v2 }
    global0 \"table\" source \"table\" I size 8 align 8 init { }
    global1 \"hidden\" source \"hidden\" I size 4 align 4 init { }
    global2 \"text\" source \"\" I size 4 align 1 init { 0 bytes \"abc\" }";

#[test]
fn call_graph() {
    let m = module(PROGRAM);
    let f = Facts::new(&m, World::Closed);
    assert_eq!(names(&m, f.address_taken.functions.iter().copied()), "cb cb2");
    assert_eq!(f.address_taken.globals.iter().map(|g| g.0).collect::<Vec<_>>(), [2]);
    let callees = |n: &str| names(&m, f.calls.callees(id(&m, n)).iter().copied());
    assert_eq!(callees("main"), "even setup apply");
    // Only the one whose signature fits; unknown code (puts) exists, so the pointer may be its.
    assert_eq!(callees("apply"), "cb");
    let site = &f.calls.sites_in(id(&m, "apply"))[0];
    assert_eq!(site.callee, Callee::Indirect { may: vec![id(&m, "cb")], outside: true });
    assert_eq!(f.calls.site_at(id(&m, "apply"), site.loc), Some(site));
    assert_eq!(f.calls.sites_in(id(&m, "unused"))[0].callee, Callee::External(id(&m, "puts")));
    // The function shows where the pointer is from.
    let pick = &f.calls.sites_in(id(&m, "pick"))[0];
    assert_eq!(pick.callee, Callee::Indirect { may: vec![id(&m, "even"), id(&m, "odd")], outside: false });
    assert_eq!(names(&m, f.calls.callers(id(&m, "odd")).iter().copied()), "even pick");
    assert!(f.calls.called_from_outside(id(&m, "cb")) && !f.calls.called_from_outside(id(&m, "main")));
    assert!(Facts::new(&m, World::Open).calls.called_from_outside(id(&m, "main")));
    assert!(f.calls.leaves_module(id(&m, "unused")) && !f.calls.leaves_module(id(&m, "even")));
    assert!(f.calls.recursive(&f.sccs, id(&m, "odd")) && !f.calls.recursive(&f.sccs, id(&m, "main")));
}

#[test]
fn bottom_up_order() {
    let m = module(PROGRAM);
    let f = Facts::new(&m, World::Closed);
    for site in f.calls.sites() {
        for callee in f.calls.callees(site.caller) {
            assert!(f.sccs.of(callee.0) <= f.sccs.of(site.caller.0));
        }
    }
    assert_eq!(f.sccs.of(id(&m, "even").0), f.sccs.of(id(&m, "odd").0));
    assert_eq!(f.sccs.len(), m.functions.len() - 1);
}

#[test]
fn reachability() {
    let m = module(PROGRAM);
    let f = Facts::new(&m, World::Closed);
    let from = |roots: &[FuncId]| names(&m, Reachable::new(&f.calls, roots, m.functions.len()).iter());
    // apply may call unknown code, which may call whatever escaped.
    assert_eq!(from(&[id(&m, "main")]), "main even odd cb cb2 setup apply");
    assert_eq!(from(&[id(&m, "even")]), "even odd");
    assert_eq!(from(&[]), "");
    let s = module(
        "func0 \"c\" I () -> () { b0: return } func1 \"r\" I () -> (ptr) { b0: return null }
                    constructor 1 @c destructor 2 @c alias0 \"i\" external default unit0 @r 0 ifunc",
    );
    assert_eq!(names(&s, reach::implicit_roots(&s)), "c r");
}

#[test]
fn primitives_call_nothing_but_destructors() {
    let m = module(
        "func0 \"exit\" E () -> () { b0: call @__verify_run_destructors() call @__verify_exit(i32 0:i32) unreachable }
                    func1 \"__verify_run_destructors\" E () -> () func2 \"__verify_exit\" E (i32) -> ()
                    func3 \"d\" I () -> () { b0: return } destructor 1 @d",
    );
    let f = Facts::new(&m, World::Closed);
    assert!(!f.calls.leaves_module(id(&m, "exit")));
    assert!(f.calls.callees(id(&m, "exit")).contains(&id(&m, "d")));
}

#[test]
fn mod_ref_by_name() {
    let m = module(
        "global0 \"g\" source \"g\" E size 16 align 4 init { } global1 \"h\" source \"h\" E size 4 align 4 init { }
         func0 \"f\" E (ptr, i1) -> () { b0(v0: ptr, v1: i1): v2: ptr = addr @g field(? 1 4) v3: i32 = load v2 align 4
           v4: ptr = select v1, v2, @h store v4, v3 align 4 v5: ptr = alloca 4 x 1:i64 align 4 store v5, v3 align 4
           branch v1, b1(v5), b1(v0) b1(v6: ptr): v7: i32 = load v6 align 4 return }
         func1 \"p\" E (ptr) -> () { b0(v0: ptr): memcpy v0, @g, 4:i64 return }",
    );
    let f = Facts::new(&m, World::Closed);
    let show = |n: &str| {
        let r = f.mod_ref.of(id(&m, n));
        let ids = |s: &std::collections::BTreeSet<verify_ir::GlobalId>| s.iter().map(|g| g.0).collect::<Vec<_>>();
        (ids(&r.reads), ids(&r.writes), r.reads_unknown, r.writes_unknown)
    };
    assert_eq!(show("f"), (vec![0], vec![0, 1], true, false));
    assert_eq!(show("p"), (vec![0], vec![], false, true));
    assert!(f.address_taken.globals.is_empty());
}

/// A body with the given edges (at most two per block), block 0 without predecessors.
fn body(edges: &[(u32, u32)], n: u32) -> verify_ir::Body {
    let mut s = String::from("func0 \"f\" E (i1) -> () { ");
    for b in 0..n {
        let out: Vec<u32> = edges.iter().filter(|e| e.0 == b).map(|e| e.1).collect();
        let head = if b == 0 { "b0(v0: i1)".to_string() } else { format!("b{b}") };
        let term = match out[..] {
            [] => "return".to_string(),
            [t] => format!("jump b{t}"),
            [t, e, ..] => format!("branch v0, b{t}, b{e}"),
        };
        s += &format!("{head}: {term} ");
    }
    module(&(s + "}")).functions.remove(0).body.unwrap()
}

#[test]
fn loops_nest() {
    // 0 -> 1 <-> 2 inside 1..4; 5 after.
    let forest = LoopForest::new(&body(&[(0, 1), (1, 2), (2, 2), (2, 3), (3, 1), (3, 4)], 5));
    assert_eq!(forest.loops.len(), 2);
    let outer = forest.get(LoopId(0));
    assert_eq!((outer.header, outer.blocks.len(), outer.depth, outer.irreducible), (Block(1), 3, 1, false));
    assert_eq!((outer.latches.as_slice(), outer.exits.as_slice()), (&[Block(3)][..], &[(Block(3), Block(4))][..]));
    let inner = forest.get(LoopId(1));
    assert_eq!((inner.header, inner.parent, inner.depth), (Block(2), Some(LoopId(0)), 2));
    assert_eq!((forest.depth(Block(2)), forest.depth(Block(3)), forest.depth(Block(4))), (2, 1, 0));
    // Two entries.
    let forest = LoopForest::new(&body(&[(0, 1), (0, 2), (1, 2), (2, 1), (2, 3)], 4));
    assert!(forest.loops[0].irreducible && forest.loops[0].entries == [Block(1), Block(2)]);
    assert_eq!(forest.loops.len(), 1);
}

#[test]
fn post_dominators() {
    let p = PostDominators::new(&body(&[(0, 1), (0, 2), (1, 3), (2, 3), (3, 4), (3, 5), (5, 5)], 6));
    assert_eq!(p.immediate(Block(0)), Some(Block(3)));
    assert!(p.post_dominates(Block(3), Block(1)) && !p.post_dominates(Block(1), Block(0)));
    assert_eq!(p.immediate(Block(4)), None);
    assert!(!p.reaches_exit(Block(5)) && p.reaches_exit(Block(3)));
    let d = Dominators::new(&body(&[(0, 1), (0, 2), (1, 3), (2, 3)], 5));
    assert_eq!(d.immediate(Block(3)), Some(Block(0)));
    assert!(!d.reachable(Block(4)) && d.dominates(Block(0), Block(3)) && !d.dominates(Block(1), Block(3)));
}

struct Lcg(u64);

impl Lcg {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % u64::from(n)) as u32
    }
}

/// On random graphs: every cycle lies in a loop, every natural loop is what the definition says, inner loops lie in
/// outer ones, components are mutual reachability in bottom-up order.
#[test]
fn random_graphs() {
    let mut r = Lcg(7);
    for _ in 0..500 {
        let n = 2 + r.below(9);
        let edges: Vec<(u32, u32)> = (0..r.below(22)).map(|_| (r.below(n), 1 + r.below(n - 1))).collect();
        let g = Graph::from_edges(n as usize, &edges);
        let reach: Vec<Vec<u32>> = (0..n).map(|b| g.preorder(&[b])).collect();
        let after = |b: u32| g.succs(b).iter().flat_map(|&t| reach[t as usize].clone()).collect::<Vec<u32>>();
        let sccs = Sccs::new(&g);
        for a in 0..n {
            for b in 0..n {
                let mutual = reach[a as usize].contains(&b) && reach[b as usize].contains(&a);
                assert_eq!(sccs.of(a) == sccs.of(b), mutual, "{edges:?}");
                assert!(!reach[a as usize].contains(&b) || sccs.of(b) <= sccs.of(a));
            }
        }
        let forest = LoopForest::of_graph(&g);
        let dom = DomTree::new(&g, 0);
        for b in 0..n {
            let cyclic = dom.reachable(b) && after(b).contains(&b);
            assert_eq!(forest.innermost(Block(b)).is_some(), cyclic, "{b} in {edges:?}");
        }
        let mut headers = Vec::new();
        for (i, l) in forest.loops.iter().enumerate() {
            if let Some(p) = l.parent {
                assert!((p.0 as usize) < i && l.blocks.iter().all(|b| forest.get(p).contains(*b)));
            }
            headers.push(l.header);
            if !l.irreducible {
                // Blocks from which a latch is reached without the header, plus the header.
                let without: Vec<(u32, u32)> = edges.iter().copied().filter(|e| e.1 != l.header.0).collect();
                let cut = Graph::from_edges(n as usize, &without);
                for b in 0..n {
                    let natural = dom.dominates(l.header.0, b)
                        && cut
                            .preorder(&[b])
                            .iter()
                            .any(|&x| g.succs(x).contains(&l.header.0) && dom.dominates(l.header.0, x));
                    assert_eq!(l.contains(Block(b)), natural, "{b} in loop {} of {edges:?}", l.header);
                }
            }
        }
        // In a reducible graph, every header of a back edge has its loop.
        if forest.loops.iter().all(|l| !l.irreducible) {
            for &(a, b) in &edges {
                assert!(!dom.dominates(b, a) || headers.contains(&Block(b)), "{a}->{b} in {edges:?}");
            }
        }
    }
}

#[test]
fn deep_programs_cost_no_stack() {
    let n = 100_000u32;
    let mut s = String::new();
    for i in 0..20_000 {
        s += &format!("func{i} \"f{i}\" I () -> () {{ b0: call @func{}() return }} ", (i + 1) % 20_000);
    }
    let m = module(&s);
    assert_eq!(Facts::new(&m, World::Closed).sccs.len(), 1);
    let chain: Vec<(u32, u32)> = (0..n - 1).map(|i| (i, i + 1)).chain([(n - 1, 1)]).collect();
    let g = Graph::from_edges(n as usize, &chain);
    assert_eq!(LoopForest::of_graph(&g).loops.len(), 1);
    assert_eq!(Sccs::new(&g).len(), 2);
}
