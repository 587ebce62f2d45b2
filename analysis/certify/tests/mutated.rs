//! Certificates that hold are accepted; ones that claim too much are refused.

use std::collections::BTreeSet;
use verify_certify::{Certificate, Limits, Mode, Refused, Root, Rules, check};
use verify_checks::{CheckId, Checks};
use verify_facts::invariant::{LoopInvariant, Object, Part, Row, Variable};
use verify_facts::{Facts, World};
use verify_ir::inst::{BinOp, CastOp, CheckDetail, FBinOp, IntPred};
use verify_ir::{
    Block, BlockData, Body, Call, CheckKind, Const, Edge, FloatKind, FnAttrs, FuncId, Function, Inst, InstKind,
    Linkage, Module, Operand, Signature, SpanId, SymbolRef, Target, Terminator, Ty, UnitId, Value, Visibility,
};

const INT: Ty = Ty::Int(32);
const SPAN: SpanId = SpanId(0);

fn int(v: u128) -> Operand {
    Operand::int(32, v)
}

fn function(name: &str, results: Vec<Ty>, body: Option<Body>) -> Function {
    Function {
        name: name.into(),
        unit: UnitId(0),
        linkage: Linkage::External,
        visibility: Visibility::Default,
        comdat: None,
        sig: Signature { params: Vec::new(), results, variadic: false },
        attrs: FnAttrs::default(),
        ctype: None,
        span: SPAN,
        body,
    }
}

/// A body under construction.
struct B(Body);

impl B {
    fn new() -> B {
        let mut b = B(Body::default());
        b.block(&[]);
        b
    }
    fn block(&mut self, params: &[Ty]) -> (Block, Vec<Value>) {
        let params: Vec<Value> = params.iter().map(|t| self.0.new_value(*t, None)).collect();
        let data =
            BlockData { params: params.clone(), insts: Vec::new(), term: Terminator::Unreachable, term_span: SPAN };
        self.0.blocks.push(data);
        (Block::new(self.0.blocks.len() - 1), params)
    }
    fn inst(&mut self, b: Block, ty: Option<Ty>, kind: InstKind) -> Operand {
        let results: Vec<Value> = ty.iter().map(|t| self.0.new_value(*t, None)).collect();
        let value = results.first().map_or(int(0), |r| Operand::Value(*r));
        self.0.blocks[b.index()].insts.push(Inst { results, kind, span: SPAN });
        value
    }
    fn end(&mut self, b: Block, t: Terminator) {
        self.0.blocks[b.index()].term = t;
    }
    fn compare(&mut self, b: Block, pred: IntPred, lhs: Operand, rhs: Operand) -> Operand {
        self.inst(b, Some(Ty::BOOL), InstKind::Icmp { pred, lhs, rhs })
    }
    fn assert(&mut self, b: Block, ok: Operand) {
        let kind = InstKind::Check { kind: CheckKind::Assertion, ok, detail: CheckDetail::default() };
        self.inst(b, None, kind);
    }
    fn call(&mut self, b: Block, f: FuncId, ty: Option<Ty>) -> Operand {
        let call = Call {
            callee: Operand::Const(Const::Symbol(SymbolRef::Func(f))),
            args: Vec::new(),
            params: Vec::new(),
            fixed: None,
            noreturn: false,
            returns_twice: false,
        };
        self.inst(b, ty, InstKind::Call(Box::new(call)))
    }
}

const MAIN: FuncId = FuncId(0);
const INPUT: FuncId = FuncId(1);
const CALLEE: FuncId = FuncId(2);

fn module(main: B, callee: Option<B>) -> Module {
    let mut m = Module::new(Target::default());
    m.units.push(Default::default());
    m.functions.push(function("main", vec![INT], Some(main.0)));
    m.functions.push(function("input", vec![INT], None));
    if let Some(c) = callee {
        m.functions.push(function("callee", Vec::new(), Some(c.0)));
    }
    m
}

/// Checks all assertions of the program.
fn run(m: &Module, mode: Mode, depth: u32) -> (Checks, Result<(), Refused>) {
    run_with(m, mode, depth, Vec::new())
}

/// The same with invariants of loops.
fn run_with(m: &Module, mode: Mode, depth: u32, invariants: Vec<LoopInvariant>) -> (Checks, Result<(), Refused>) {
    let checks = verify_checks::enumerate(m);
    let facts = Facts::new(m, World::Closed);
    let assertion = |c: &CheckId| checks.get(*c).kind == CheckKind::Assertion;
    let proved: BTreeSet<CheckId> = (0..checks.all.len() as u32).map(CheckId).filter(assertion).collect();
    assert!(!proved.is_empty());
    let rules = Rules { externals_pure: true, leaks: true, ..Rules::default() };
    let root = Root::Program(MAIN);
    let c = Certificate {
        root,
        mode,
        followed: 1100,
        depth,
        recursion: 1,
        chain: BTreeSet::new(),
        rules,
        invariants,
        proved,
    };
    let r = check(m, &checks, &facts.calls, &[], &c, Limits::default(), &|| false).map(|_| ());
    (checks, r)
}

fn not_covered(r: &Result<(), Refused>) -> bool {
    matches!(r, Err(Refused::NotCovered(_)))
}

/// `assert((input() & 1) < bound)`
fn parity(bound: u128) -> Module {
    let mut b = B::new();
    let e = Block(0);
    let x = b.call(e, INPUT, Some(INT));
    let y = b.inst(e, Some(INT), InstKind::Binary { op: BinOp::And, flags: Default::default(), lhs: x, rhs: int(1) });
    let ok = b.compare(e, IntPred::Ult, y, int(bound));
    b.assert(e, ok);
    b.end(e, Terminator::Return(vec![int(0)]));
    module(b, None)
}

#[test]
fn straight_code() {
    assert_eq!(run(&parity(2), Mode::Bounded(1), 4).1, Ok(()));
    let (_, r) = run(&parity(1), Mode::Bounded(1), 4);
    assert!(matches!(r, Err(Refused::Fails(_))), "{r:?}");
}

/// `for (i = 0; i < 3 && input(); i++) assert(i < bound);`
fn counting(bound: u128) -> Module {
    let mut b = B::new();
    let (head, p) = b.block(&[INT]);
    let (more, _) = b.block(&[]);
    let (body, _) = b.block(&[]);
    let (done, _) = b.block(&[]);
    let i = Operand::Value(p[0]);
    b.end(Block(0), Terminator::Jump(Edge { block: head, args: vec![int(0)] }));
    let c = b.compare(head, IntPred::Ult, i.clone(), int(3));
    b.end(head, Terminator::Branch { cond: c, then: Edge::to(more), other: Edge::to(done) });
    let x = b.call(more, INPUT, Some(INT));
    let c = b.compare(more, IntPred::Ne, x, int(0));
    b.end(more, Terminator::Branch { cond: c, then: Edge::to(body), other: Edge::to(done) });
    let ok = b.compare(body, IntPred::Ult, i.clone(), int(bound));
    b.assert(body, ok);
    let n =
        b.inst(body, Some(INT), InstKind::Binary { op: BinOp::Add, flags: Default::default(), lhs: i, rhs: int(1) });
    b.end(body, Terminator::Jump(Edge { block: head, args: vec![n] }));
    b.end(done, Terminator::Return(vec![int(0)]));
    module(b, None)
}

#[test]
fn bounds_of_loops() {
    assert_eq!(run(&counting(3), Mode::Bounded(4), 4).1, Ok(()));
    let (_, r) = run(&counting(3), Mode::Bounded(1), 4);
    assert!(not_covered(&r), "{r:?}");
    let (_, r) = run(&counting(2), Mode::Bounded(4), 4);
    assert!(matches!(r, Err(Refused::Fails(_))), "{r:?}");
}

/// `a = 0; b = 2; while (input()) { assert(a != bad); swap(a, b); }`
fn swapping(bad: u128) -> Module {
    let mut b = B::new();
    let (head, p) = b.block(&[INT, INT]);
    let (body, _) = b.block(&[]);
    let (done, _) = b.block(&[]);
    let (x, y) = (Operand::Value(p[0]), Operand::Value(p[1]));
    b.end(Block(0), Terminator::Jump(Edge { block: head, args: vec![int(0), int(2)] }));
    let n = b.call(head, INPUT, Some(INT));
    let c = b.compare(head, IntPred::Ne, n, int(0));
    b.end(head, Terminator::Branch { cond: c, then: Edge::to(body), other: Edge::to(done) });
    let ok = b.compare(body, IntPred::Ne, x.clone(), int(bad));
    b.assert(body, ok);
    b.end(body, Terminator::Jump(Edge { block: head, args: vec![y, x] }));
    b.end(done, Terminator::Return(vec![int(0)]));
    module(b, None)
}

#[test]
fn copies_of_an_induction() {
    assert_eq!(run(&swapping(1), Mode::Induction(3), 4).1, Ok(()));
    for k in [1, 2] {
        let (_, r) = run(&swapping(1), Mode::Induction(k), 4);
        assert!(not_covered(&r), "{r:?}");
    }
    // The second iteration fails it: no number of copies helps.
    for k in 1..=4 {
        assert!(run(&swapping(2), Mode::Induction(k), 4).1.is_err());
    }
}

#[test]
fn a_callee_that_is_left_out() {
    let main = || {
        let mut b = B::new();
        b.call(Block(0), CALLEE, None);
        b.end(Block(0), Terminator::Return(vec![int(0)]));
        b
    };
    let callee = |bound| {
        let mut b = B::new();
        let x = b.call(Block(0), INPUT, Some(INT));
        let ok = b.compare(Block(0), IntPred::Ule, x, int(bound));
        b.assert(Block(0), ok);
        b.end(Block(0), Terminator::Return(Vec::new()));
        b
    };
    let good = module(main(), Some(callee(u128::from(u32::MAX))));
    assert_eq!(run(&good, Mode::Bounded(1), 1).1, Ok(()));
    let (_, r) = run(&good, Mode::Bounded(1), 0);
    assert!(not_covered(&r), "{r:?}");
    let bad = module(main(), Some(callee(7)));
    assert!(matches!(run(&bad, Mode::Bounded(1), 1).1, Err(Refused::Fails(_))));
    let (_, r) = run(&bad, Mode::Bounded(1), 0);
    assert!(not_covered(&r), "{r:?}");
}

/// `assert((int)(T)input() == input())` of the same input
fn there_and_back(kind: FloatKind) -> Module {
    let mut b = B::new();
    let e = Block(0);
    let x = b.call(e, INPUT, Some(INT));
    let f = b.inst(e, Some(Ty::Float(kind)), InstKind::Cast { op: CastOp::SiToFp, arg: x.clone() });
    let y = b.inst(e, Some(INT), InstKind::Cast { op: CastOp::FpToSi, arg: f });
    let ok = b.compare(e, IntPred::Eq, x, y);
    b.assert(e, ok);
    b.end(e, Terminator::Return(vec![int(0)]));
    module(b, None)
}

#[test]
fn floating_point() {
    for kind in [FloatKind::Double, FloatKind::X87, FloatKind::Quad] {
        assert_eq!(run(&there_and_back(kind), Mode::Bounded(1), 4).1, Ok(()), "{kind:?}");
    }
    // Not every number of 32 bits has so few digits.
    for kind in [FloatKind::Half, FloatKind::BFloat, FloatKind::Single] {
        let (_, r) = run(&there_and_back(kind), Mode::Bounded(1), 4);
        assert!(matches!(r, Err(Refused::Fails(_))), "{kind:?}: {r:?}");
    }
}

/// `f = (double)input(); assert(bits of (f - f) / (f - f) are not positive)`: which NaN it is, is open.
#[test]
fn what_a_processor_chooses() {
    let mut b = B::new();
    let e = Block(0);
    let double = Ty::Float(FloatKind::Double);
    let x = b.call(e, INPUT, Some(INT));
    let f = b.inst(e, Some(double), InstKind::Cast { op: CastOp::SiToFp, arg: x });
    let zero = b.inst(e, Some(double), InstKind::FBinary { op: FBinOp::Sub, lhs: f.clone(), rhs: f });
    let nan = b.inst(e, Some(double), InstKind::FBinary { op: FBinOp::Div, lhs: zero.clone(), rhs: zero });
    let bits = b.inst(e, Some(Ty::Int(64)), InstKind::Cast { op: CastOp::Bitcast, arg: nan });
    let ok = b.compare(e, IntPred::Slt, bits, Operand::int(64, 0));
    b.assert(e, ok);
    b.end(e, Terminator::Return(vec![int(0)]));
    let (_, r) = run(&module(b, None), Mode::Bounded(1), 4);
    assert!(not_covered(&r), "{r:?}");
}

/// `v <= at_most` and, with `least`, `v >= least`, of a loop of `main`.
fn bounds(header: u32, variable: Variable, least: Option<i128>, at_most: i128) -> LoopInvariant {
    let row =
        |minus, at_most| Row { parts: vec![Part { variable, minus, signed: true, times: 1 }], at_most, or: Vec::new() };
    let mut rows = vec![row(false, at_most)];
    rows.extend(least.map(|l| row(true, -l)));
    LoopInvariant { calls: Some(Vec::new()), func: MAIN, header: Block(header), rows }
}

fn refused(r: &Result<(), Refused>, rows: &[(usize, usize)]) {
    assert_eq!(*r, Err(Refused::Invariant(rows.to_vec())));
}

/// `i = 0; while (input()) i = (i + 1) % 10; assert(i < 10);` in main, or in a loop around it: `while (input()) ...`.
/// The head of the loop is block 1, of the one around it block 4.
fn around(nested: bool) -> (Module, Value) {
    let mut b = B::new();
    let (head, p) = b.block(&[INT]);
    let (body, _) = b.block(&[]);
    let (done, _) = b.block(&[]);
    let (outer, _) = b.block(&[]);
    let (end, _) = b.block(&[]);
    let i = Operand::Value(p[0]);
    let start = if nested { Edge::to(outer) } else { Edge { block: head, args: vec![int(0)] } };
    b.end(Block(0), Terminator::Jump(start));
    let n = b.call(head, INPUT, Some(INT));
    let c = b.compare(head, IntPred::Ne, n, int(0));
    b.end(head, Terminator::Branch { cond: c, then: Edge::to(body), other: Edge::to(done) });
    let op = |op, lhs, rhs| InstKind::Binary { op, flags: Default::default(), lhs, rhs };
    let n = b.inst(body, Some(INT), op(BinOp::Add, i.clone(), int(1)));
    let n = b.inst(body, Some(INT), op(BinOp::URem, n, int(10)));
    b.end(body, Terminator::Jump(Edge { block: head, args: vec![n] }));
    let ok = b.compare(done, IntPred::Ult, i, int(10));
    b.assert(done, ok);
    b.end(done, Terminator::Jump(Edge::to(if nested { outer } else { end })));
    let n = b.call(outer, INPUT, Some(INT));
    let c = b.compare(outer, IntPred::Ne, n, int(0));
    let again = Edge { block: head, args: vec![int(0)] };
    b.end(outer, Terminator::Branch { cond: c, then: again, other: Edge::to(end) });
    b.end(end, Terminator::Return(vec![int(0)]));
    (module(b, None), p[0])
}

#[test]
fn invariants_that_hold_prove_and_others_are_refused() {
    for nested in [false, true] {
        let (m, i) = around(nested);
        let i = Variable::Value(i);
        let run = |invariants: Vec<LoopInvariant>, k| run_with(&m, Mode::Induction(k), 4, invariants).1;
        assert!(not_covered(&run(Vec::new(), 1)));
        for k in [1, 2, 3] {
            assert_eq!(run(vec![bounds(1, i, Some(0), 9)], k), Ok(()), "k = {k}");
            // Not kept by an iteration.
            refused(&run(vec![bounds(1, i, Some(0), 8)], k), &[(0, 0)]);
            // Not so on entry.
            refused(&run(vec![bounds(1, i, Some(1), 9)], k), &[(0, 1)]);
        }
        // It holds, and does not help.
        assert!(not_covered(&run(vec![bounds(1, i, Some(0), 20)], 1)));
        // What is said of another loop, or of other calls, is not used.
        assert!(not_covered(&run(vec![bounds(2, i, Some(0), 9)], 1)));
        let site = (MAIN, verify_ir::Loc { block: Block(0), inst: 0 });
        let elsewhere = LoopInvariant { calls: Some(vec![site]), ..bounds(1, i, Some(0), 9) };
        assert!(not_covered(&run(vec![elsewhere], 1)));
        let everywhere = LoopInvariant { calls: None, ..bounds(1, i, Some(0), 9) };
        assert_eq!(run(vec![everywhere], 1), Ok(()));
    }
}

#[test]
fn rows_with_alternatives() {
    let (m, i) = around(false);
    let i = Variable::Value(i);
    let run = |invariants: Vec<LoopInvariant>| run_with(&m, Mode::Induction(1), 4, invariants).1;
    // i <= most || i >= least, besides 0 <= i <= 50.
    let one_of = |most, least| {
        let mut both = bounds(1, i, Some(0), 50);
        let mut first = bounds(1, i, None, most).rows.remove(0);
        first.or = bounds(1, i, Some(least), 0).rows.split_off(1);
        both.rows.insert(0, first);
        both
    };
    assert_eq!(run(vec![one_of(9, 60)]), Ok(()));
    // An iteration leads between the two.
    refused(&run(vec![one_of(8, 60)]), &[(0, 0)]);
    // It holds, and a number that is too large may be meant.
    assert!(not_covered(&run(vec![one_of(9, 20)])));
    assert!(not_covered(&run(vec![one_of(9, 0)])));
}

#[test]
fn rows_that_need_several_iterations() {
    let m = swapping(3);
    let Some(body) = &m.functions[0].body else { panic!("main has a body") };
    let a = Variable::Value(body.block(Block(1)).params[0]);
    // What was the second is the first next time.
    let r = run_with(&m, Mode::Induction(1), 4, vec![bounds(1, a, Some(0), 2)]).1;
    assert!(matches!(r, Err(Refused::Invariant(_))), "{r:?}");
    assert_eq!(run_with(&m, Mode::Induction(2), 4, vec![bounds(1, a, Some(0), 2)]).1, Ok(()));
    // Nor does any number of copies show what the second iteration breaks.
    for k in 1..=4 {
        assert!(run_with(&m, Mode::Induction(k), 4, vec![bounds(1, a, Some(0), 1)]).1.is_err());
    }
}

/// `while (input()) g = (g + 1) % 10; assert(g < 10);` with `g` in memory: a variable of `main`, or of the program.
fn in_memory(global: bool) -> (Module, Variable) {
    let mut b = B::new();
    let (head, _) = b.block(&[]);
    let (body, _) = b.block(&[]);
    let (done, _) = b.block(&[]);
    let e = Block(0);
    let kind = InstKind::Alloca { elem_size: 4, count: Operand::int(64, 1), align: 4, ctype: None };
    let local = b.inst(e, Some(Ty::Ptr), kind);
    let place = match (&local, global) {
        (_, true) => Operand::Const(Const::Symbol(SymbolRef::Global(verify_ir::GlobalId(0)))),
        (l, false) => l.clone(),
    };
    let store =
        |ptr: &Operand, value| InstKind::Store { ptr: ptr.clone(), value, align: 4, volatile: false, atomic: false };
    let load = |ptr: &Operand| InstKind::Load { ptr: ptr.clone(), align: 4, volatile: false, atomic: false };
    b.inst(e, None, store(&place, int(0)));
    b.end(e, Terminator::Jump(Edge::to(head)));
    let n = b.call(head, INPUT, Some(INT));
    let c = b.compare(head, IntPred::Ne, n, int(0));
    b.end(head, Terminator::Branch { cond: c, then: Edge::to(body), other: Edge::to(done) });
    let op = |op, lhs, rhs| InstKind::Binary { op, flags: Default::default(), lhs, rhs };
    let old = b.inst(body, Some(INT), load(&place));
    let n = b.inst(body, Some(INT), op(BinOp::Add, old, int(1)));
    let n = b.inst(body, Some(INT), op(BinOp::URem, n, int(10)));
    b.inst(body, None, store(&place, n));
    b.end(body, Terminator::Jump(Edge::to(head)));
    let last = b.inst(done, Some(INT), load(&place));
    let ok = b.compare(done, IntPred::Ult, last, int(10));
    b.assert(done, ok);
    b.end(done, Terminator::Return(vec![int(0)]));
    let mut m = module(b, None);
    m.globals.push(verify_ir::Global {
        name: "g".into(),
        source_name: "g".into(),
        unit: UnitId(0),
        linkage: Linkage::External,
        visibility: Visibility::Default,
        comdat: None,
        section: None,
        thread_local: false,
        constant: false,
        compiler_made: false,
        size: 4,
        align: 4,
        ctype: None,
        span: SPAN,
        init: Some(verify_ir::module::Init::default()),
    });
    let object = match local {
        Operand::Value(value) if !global => Object::Behind { frame: 0, value },
        _ => Object::Global(verify_ir::GlobalId(0)),
    };
    (m, Variable::Cell { object, offset: 0, size: 4 })
}

#[test]
fn rows_over_memory() {
    for global in [false, true] {
        let (m, g) = in_memory(global);
        let run = |at_most| run_with(&m, Mode::Induction(1), 4, vec![bounds(1, g, Some(0), at_most)]).1;
        assert_eq!(run(9), Ok(()), "global: {global}");
        refused(&run(8), &[(0, 0)]);
        assert!(not_covered(&run(10)));
    }
}
