//! Promotion of stack variables to SSA values: phi placement by iterated dominance frontiers (Cytron et al. 1991),
//! pruned by liveness, and renaming along the dominator tree.
//!
//! It is not LLVM's `mem2reg`. That one may take a read before any write for any value it likes, a different one at
//! each read, and so folds `int x; if (c) x = 1; return x;` to `return 1`. Here every execution of a declaration makes
//! *one* `uninit` value, which flows to every read like any other; phis of such a value and a constant stay.
//!
//! What is promoted: an `alloca` of constant size in the entry block, whose address is used only as the address of
//! non-volatile, non-atomic loads and stores of one scalar (or integers and floats of one width) and by lifetime
//! markers. Nothing is promoted in a function that calls one that returns twice: after `longjmp` a variable in memory
//! has its last value, in a register an older one.
//!
//! Where the one `uninit` stands: at `lifetime.start`, so that each iteration of a loop has a fresh variable; and at
//! the place of the alloca, for variables without markers and for paths around a marker (clang emits no markers for a
//! variable whose declaration a `goto` or `switch` jumps past: such a variable has one arbitrary value per call until
//! it is written, and keeps what was written). `lifetime.end` needs nothing: no read follows it on any path without a
//! new `lifetime.start`, because only direct accesses are left.

use std::collections::HashMap;
use verify_ir::graph::{DomTree, Graph};
use verify_ir::inst::CastOp;
use verify_ir::{Block, Body, Const, Inst, InstKind, Operand, SpanId, Target, Terminator, Ty, Value, VarId};

/// A variable to be promoted.
struct Slot {
    ty: Option<Ty>,
    var: Option<VarId>,
    /// Blocks that write it (or start its life).
    defs: Vec<u32>,
    /// Blocks that read it before they write it.
    exposed: Vec<u32>,
}

const NOT_A_SLOT: u32 = u32::MAX;

/// Promotes what can be promoted. Blocks keep their numbers; replaced values stay in the table without definition
/// until the body is renumbered.
pub fn promote(body: &mut Body, target: &Target) {
    if body.blocks.is_empty() || calls_returns_twice(body) {
        return;
    }
    let (slot_of, mut slots) = candidates(body, target);
    if slots.is_empty() {
        return;
    }
    find_uses(body, &slot_of, &mut slots);
    let graph = Graph::of_body(body);
    let tree = DomTree::new(&graph, 0);
    let phis = place_phis(body, &slots, &graph, &tree);
    rename(body, &slot_of, &slots, &phis, &tree);
}

pub(crate) fn calls_returns_twice(body: &Body) -> bool {
    body.blocks.iter().any(|b| {
        b.insts.iter().any(|i| matches!(&i.kind, InstKind::Call(c) if c.returns_twice))
            || matches!(&b.term, Terminator::Invoke { call, .. } if call.returns_twice)
    })
}

/// Whether two scalar types are the same bits without a change of provenance.
fn same_bits(a: Ty, b: Ty) -> bool {
    match (a, b) {
        _ if a == b => true,
        (Ty::Int(w), Ty::Float(k)) | (Ty::Float(k), Ty::Int(w)) => w == k.bits(),
        (Ty::Float(j), Ty::Float(k)) => j.bits() == k.bits(),
        _ => false,
    }
}

/// Slot numbers by value, and the slots.
fn candidates(body: &Body, target: &Target) -> (Vec<u32>, Vec<Slot>) {
    const REJECTED: u64 = u64::MAX;
    // Size of every alloca of the entry block, by value.
    let mut size: HashMap<Value, u64> = HashMap::new();
    for i in &body.blocks[0].insts {
        if let InstKind::Alloca { elem_size, count: Operand::Const(Const::Int { value: 1, .. }), .. } = &i.kind {
            size.insert(i.results[0], *elem_size);
        }
    }
    let mut ty: HashMap<Value, Ty> = HashMap::new();
    let mut access = |size: &mut HashMap<Value, u64>, p: &Operand, t: Ty| {
        let Some(v) = p.as_value() else { return };
        let Some(s) = size.get_mut(&v) else { return };
        let bytes = t.store_bytes(target);
        // The whole object, up to the padding of odd sizes (x87 in 12 or 16 bytes).
        let whole = bytes <= *s && *s <= bytes.next_power_of_two().max(1);
        if !whole || !same_bits(*ty.entry(v).or_insert(t), t) {
            *s = REJECTED;
        }
    };
    for b in &body.blocks {
        for i in &b.insts {
            match &i.kind {
                InstKind::Load { ptr, volatile: false, atomic: false, .. } => {
                    access(&mut size, ptr, body.ty(i.results[0]));
                }
                InstKind::Store { ptr, value, volatile: false, atomic: false, .. } => {
                    access(&mut size, ptr, body.operand_ty(value));
                    reject(&mut size, value, REJECTED);
                }
                InstKind::LifetimeStart { .. } | InstKind::LifetimeEnd { .. } => {}
                k => k.for_each_operand(|o| reject(&mut size, o, REJECTED)),
            }
        }
        b.term.for_each_operand(|o| reject(&mut size, o, REJECTED));
    }
    let mut slot_of = vec![NOT_A_SLOT; body.values.len()];
    let mut slots = Vec::new();
    for i in &body.blocks[0].insts {
        if let (InstKind::Alloca { .. }, [v]) = (&i.kind, &i.results[..])
            && size.get(v).is_some_and(|s| *s != REJECTED)
        {
            slot_of[v.index()] = slots.len() as u32;
            slots.push(Slot {
                ty: ty.get(v).copied(),
                var: body.values[v.index()].var,
                defs: vec![0],
                exposed: vec![],
            });
        }
    }
    (slot_of, slots)
}

fn reject(size: &mut HashMap<Value, u64>, o: &Operand, mark: u64) {
    if let Some(v) = o.as_value()
        && let Some(s) = size.get_mut(&v)
    {
        *s = mark;
    }
}

fn slot(slot_of: &[u32], o: &Operand) -> Option<usize> {
    // Values made while renaming are beyond the table: no slots.
    let s = *slot_of.get(o.as_value()?.index())?;
    (s != NOT_A_SLOT).then_some(s as usize)
}

/// Fills in `defs` and `exposed`.
fn find_uses(body: &Body, slot_of: &[u32], slots: &mut [Slot]) {
    for (n, b) in body.blocks.iter().enumerate() {
        let n = n as u32;
        for i in &b.insts {
            match &i.kind {
                InstKind::Load { ptr, .. } => {
                    if let Some(s) = slot(slot_of, ptr).map(|s| &mut slots[s])
                        && s.defs.last() != Some(&n)
                        && s.exposed.last() != Some(&n)
                    {
                        s.exposed.push(n);
                    }
                }
                InstKind::Store { ptr: o, .. } | InstKind::LifetimeStart { object: o } => {
                    if let Some(s) = slot(slot_of, o).map(|s| &mut slots[s])
                        && s.defs.last() != Some(&n)
                    {
                        s.defs.push(n);
                    }
                }
                _ => {}
            }
        }
    }
}

/// For every block, the slots that need a block parameter, in order of slots.
fn place_phis(body: &Body, slots: &[Slot], graph: &Graph, tree: &DomTree) -> Vec<Vec<u32>> {
    let n = body.blocks.len();
    let preds = graph.reversed();
    // Dominance frontiers (Cooper, Harvey, Kennedy).
    let mut frontier: Vec<Vec<u32>> = vec![Vec::new(); n];
    for b in 0..n as u32 {
        let ps = preds.succs(b);
        if ps.len() < 2 || !tree.reachable(b) {
            continue;
        }
        for &p in ps.iter().filter(|&&p| tree.reachable(p)) {
            let mut at = p;
            while Some(at) != tree.idom(b) {
                if frontier[at as usize].last() != Some(&b) {
                    frontier[at as usize].push(b);
                }
                match tree.idom(at) {
                    Some(d) => at = d,
                    None => break,
                }
            }
        }
    }
    let mut phis: Vec<Vec<u32>> = vec![Vec::new(); n];
    // Marks of the current slot: stamped with its number, so that nothing is cleared.
    let (mut live, mut placed, mut defines) = (vec![NOT_A_SLOT; n], vec![NOT_A_SLOT; n], vec![NOT_A_SLOT; n]);
    let mut work = Vec::new();
    for (s, info) in slots.iter().enumerate() {
        let s = s as u32;
        if info.ty.is_none() || info.exposed.is_empty() {
            continue;
        }
        for &d in &info.defs {
            defines[d as usize] = s;
        }
        // Blocks at whose start the variable is live.
        work.extend(&info.exposed);
        while let Some(b) = work.pop() {
            if std::mem::replace(&mut live[b as usize], s) == s {
                continue;
            }
            work.extend(preds.succs(b).iter().filter(|&&p| defines[p as usize] != s && live[p as usize] != s));
        }
        work.extend(info.defs.iter().filter(|&&d| tree.reachable(d)));
        while let Some(b) = work.pop() {
            for &f in &frontier[b as usize] {
                if live[f as usize] == s && placed[f as usize] != s {
                    placed[f as usize] = s;
                    phis[f as usize].push(s);
                    if defines[f as usize] != s {
                        work.push(f);
                    }
                }
            }
        }
    }
    phis
}

/// One walk down the dominator tree.
fn rename(body: &mut Body, slot_of: &[u32], slots: &[Slot], phis: &[Vec<u32>], tree: &DomTree) {
    let n = body.blocks.len();
    let mut children: Vec<Vec<u32>> = vec![Vec::new(); n];
    for b in 0..n as u32 {
        if let Some(d) = tree.idom(b) {
            children[d as usize].push(b);
        }
    }
    // Block parameters first: edges need them in number only, but uses need the values.
    let mut params: Vec<Vec<Value>> = vec![Vec::new(); n];
    for b in 0..n {
        for &s in &phis[b] {
            let info = &slots[s as usize];
            let v = body.new_value(info.ty.unwrap_or(Ty::BOOL), info.var);
            params[b].push(v);
            body.blocks[b].params.push(v);
        }
    }
    let mut walk = Renamer {
        replaced: vec![None; body.values.len()],
        current: vec![None; slots.len()],
        undo: Vec::new(),
        body,
        slot_of,
        slots,
    };
    enum Step {
        Enter(u32),
        Leave(usize),
    }
    let mut stack = vec![Step::Enter(0)];
    while let Some(step) = stack.pop() {
        match step {
            Step::Enter(b) => {
                let mark = walk.undo.len();
                for (&s, &v) in phis[b as usize].iter().zip(&params[b as usize]) {
                    walk.set(s as usize, Operand::Value(v));
                }
                walk.block(Block(b), phis);
                stack.push(Step::Leave(mark));
                stack.extend(children[b as usize].iter().rev().map(|&c| Step::Enter(c)));
            }
            Step::Leave(mark) => {
                while walk.undo.len() > mark {
                    if let Some((s, old)) = walk.undo.pop() {
                        walk.current[s] = old;
                    }
                }
            }
        }
    }
}

struct Renamer<'a> {
    body: &'a mut Body,
    slot_of: &'a [u32],
    slots: &'a [Slot],
    /// What stands for the result of a removed load.
    replaced: Vec<Option<Operand>>,
    current: Vec<Option<Operand>>,
    undo: Vec<(usize, Option<Operand>)>,
}

impl Renamer<'_> {
    fn set(&mut self, s: usize, o: Operand) {
        let old = self.current[s].replace(o);
        self.undo.push((s, old));
    }

    fn resolve(&self, o: &mut Operand) {
        if let Operand::Value(v) = o
            && let Some(Some(r)) = self.replaced.get(v.index())
        {
            *o = r.clone();
        }
    }

    /// `o` as type `to`, which has the same bits.
    fn convert(&mut self, o: Operand, to: Ty, result: Option<Value>, span: SpanId, out: &mut Vec<Inst>) -> Operand {
        if self.body.operand_ty(&o) == to {
            return o;
        }
        let v = result.unwrap_or_else(|| self.body.new_value(to, None));
        out.push(Inst { results: vec![v], kind: InstKind::Cast { op: CastOp::Bitcast, arg: o }, span });
        Operand::Value(v)
    }

    fn uninit(&mut self, s: usize, span: SpanId, out: &mut Vec<Inst>) {
        let Some(ty) = self.slots[s].ty else { return };
        let v = self.body.new_value(ty, self.slots[s].var);
        out.push(Inst { results: vec![v], kind: InstKind::Uninit, span });
        self.set(s, Operand::Value(v));
    }

    fn block(&mut self, b: Block, phis: &[Vec<u32>]) {
        let old = std::mem::take(&mut self.body.blocks[b.index()].insts);
        let mut out = Vec::with_capacity(old.len());
        for mut i in old {
            i.kind.for_each_operand_mut(|o| self.resolve(o));
            match &i.kind {
                InstKind::Alloca { .. } if self.slot_of[i.results[0].index()] != NOT_A_SLOT => {
                    self.uninit(self.slot_of[i.results[0].index()] as usize, i.span, &mut out);
                }
                InstKind::LifetimeStart { object } if slot(self.slot_of, object).is_some() => {
                    if let Some(s) = slot(self.slot_of, object) {
                        self.uninit(s, i.span, &mut out);
                    }
                }
                InstKind::LifetimeEnd { object } if slot(self.slot_of, object).is_some() => {}
                InstKind::Load { ptr, .. } if slot(self.slot_of, ptr).is_some() => {
                    let result = i.results[0];
                    let to = self.body.ty(result);
                    let value = slot(self.slot_of, ptr).and_then(|s| self.current[s].clone());
                    // The alloca in the entry block defines every slot on every path.
                    let value = value.unwrap_or(Operand::Const(Const::Undef(to)));
                    let value = self.convert(value, to, Some(result), i.span, &mut out);
                    if value.as_value() != Some(result) {
                        self.replaced[result.index()] = Some(value);
                    }
                }
                InstKind::Store { ptr, value, .. } if slot(self.slot_of, ptr).is_some() => {
                    let Some(s) = slot(self.slot_of, ptr) else { continue };
                    let ty = self.slots[s].ty.unwrap_or_else(|| self.body.operand_ty(value));
                    let value = self.convert(value.clone(), ty, None, i.span, &mut out);
                    if let Some(var) = self.slots[s].var {
                        if let Operand::Value(v) = value {
                            self.body.values[v.index()].var.get_or_insert(var);
                        }
                        let kind = InstKind::DebugValue { var, value: value.clone() };
                        out.push(Inst { results: vec![], kind, span: i.span });
                    }
                    self.set(s, value);
                }
                _ => out.push(i),
            }
        }
        let mut term = std::mem::replace(&mut self.body.blocks[b.index()].term, Terminator::Unreachable);
        term.for_each_operand_mut(|o| self.resolve(o));
        for e in term.targets_mut() {
            for &s in &phis[e.block.index()] {
                let s = s as usize;
                let ty = self.slots[s].ty.unwrap_or(Ty::BOOL);
                e.args.push(self.current[s].clone().unwrap_or(Operand::Const(Const::Undef(ty))));
            }
        }
        let d = &mut self.body.blocks[b.index()];
        d.insts = out;
        d.term = term;
    }
}
