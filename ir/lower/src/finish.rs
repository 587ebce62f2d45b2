//! After the bodies are there: promotion, clean-up of each body, block addresses brought up to date, and removal of
//! compiler-made data that nothing refers to any more (the static data of sanitizer handlers). Clean-up merges
//! straight-line blocks and removes what has no predecessor; it never decides a branch, because a branch on something
//! undefined is a finding.

use crate::cleanup::thread;
use crate::cx::Cx;
use crate::promote::promote;
use verify_ir::inst::{BinOp, CastOp, InstKind};
use verify_ir::{
    Block, BlockData, Body, Const, FuncId, GlobalId, InitData, Module, Operand, SymbolRef, Terminator, Value,
};

impl Cx<'_> {
    pub(crate) fn finish(mut self) -> Module {
        let target = self.out.target.clone();
        let mut taken: Vec<Vec<Block>> = vec![Vec::new(); self.out.functions.len()];
        for f in self.m.functions() {
            if let (Some(SymbolRef::Func(id)), Some(c)) = (self.symbols.get(&f), self.cfgs.get(&f)) {
                taken[id.index()].clone_from(&c.address_taken);
            }
        }
        let mut maps: Vec<Vec<Option<Block>>> = Vec::new();
        for (f, taken) in self.out.functions.iter_mut().zip(&taken) {
            maps.push(match &mut f.body {
                Some(b) => {
                    thread(b);
                    promote(b, &target);
                    clean(b, taken)
                }
                None => Vec::new(),
            });
        }
        if self.block_addresses {
            rename_block_addresses(&mut self.out, &maps);
        }
        drop_unused_data(&mut self.out);
        self.texts();
        self.out
    }

    /// The texts of files: not of a system's header that nothing stands in but macros. Such headers would be most of a
    /// unit.
    fn texts(&mut self) {
        let mut shown = vec![false; self.out.files.len()];
        for s in &self.out.spans {
            shown[s.file.index()] = true;
        }
        for ((file, bytes), shown) in self.out.files.iter_mut().zip(&self.file_bytes).zip(shown) {
            if let Some(bytes) = bytes.as_ref().filter(|_| shown || !file.system) {
                file.text = Some(String::from_utf8_lossy(bytes).into());
            }
        }
    }
}

/// Merges blocks, removes unreachable ones except the given, removes plain computations that nobody reads (among them
/// the `uninit` of variables that are always written first), and numbers values and blocks densely. Returns the new number of every old block that is left.
pub fn clean(body: &mut Body, address_taken: &[Block]) -> Vec<Option<Block>> {
    let n = body.blocks.len();
    let mut keep_head = vec![false; n];
    if let Some(k) = keep_head.first_mut() {
        *k = true;
    }
    for b in address_taken {
        keep_head[b.index()] = true;
    }
    let reachable = reachable(body, &keep_head);
    let mut preds = vec![0u32; n];
    for (i, b) in body.blocks.iter().enumerate() {
        if reachable[i] {
            for e in b.term.targets() {
                preds[e.block.index()] += 1;
            }
        }
    }
    // Merge: what a block parameter is replaced by.
    let mut replaced: Vec<Option<Operand>> = vec![None; body.values.len()];
    let mut gone = vec![false; n];
    for i in 0..n {
        if !reachable[i] || gone[i] {
            continue;
        }
        while let Terminator::Jump(e) = &body.blocks[i].term {
            let t = e.block.index();
            if t == i || keep_head[t] || preds[t] != 1 {
                break;
            }
            let Terminator::Jump(edge) = std::mem::replace(&mut body.blocks[i].term, Terminator::Unreachable) else {
                break;
            };
            gone[t] = true;
            let insts = std::mem::take(&mut body.blocks[t].insts);
            let params = std::mem::take(&mut body.blocks[t].params);
            for (p, a) in params.into_iter().zip(edge.args) {
                replaced[p.index()] = Some(a);
            }
            let term = std::mem::replace(&mut body.blocks[t].term, Terminator::Unreachable);
            let span = body.blocks[t].term_span;
            let b = &mut body.blocks[i];
            b.insts.extend(insts);
            b.term = term;
            b.term_span = span;
        }
    }
    // Renumber blocks.
    let mut map: Vec<Option<Block>> = vec![None; n];
    let mut blocks = Vec::new();
    for (i, b) in std::mem::take(&mut body.blocks).into_iter().enumerate() {
        if reachable[i] && !gone[i] {
            map[i] = Some(Block::new(blocks.len()));
            blocks.push(b);
        }
    }
    let resolve = |o: &mut Operand| {
        // Chains end: a parameter is replaced by something defined before it.
        while let Operand::Value(v) = o
            && let Some(r) = &replaced[v.index()]
        {
            *o = r.clone();
        }
    };
    for b in &mut blocks {
        b.insts.iter_mut().for_each(|i| i.kind.for_each_operand_mut(resolve));
        b.term.for_each_operand_mut(resolve);
        for e in b.term.targets_mut() {
            e.block = map[e.block.index()].unwrap_or(Block(0));
        }
    }
    drop_dead(&mut blocks, body.values.len());
    // Renumber values in order of definition.
    let mut numbers: Vec<Option<Value>> = vec![None; body.values.len()];
    let mut values = Vec::new();
    let mut define = |v: &mut Value| {
        values.push(body.values[v.index()]);
        let new = Value::new(values.len() - 1);
        numbers[v.index()] = Some(new);
        *v = new;
    };
    for b in &mut blocks {
        b.params.iter_mut().for_each(&mut define);
        for i in &mut b.insts {
            i.results.iter_mut().for_each(&mut define);
        }
    }
    let renumber = |o: &mut Operand| {
        if let Operand::Value(v) = o {
            match numbers[v.index()] {
                Some(new) => *v = new,
                // No definition is left: only in code that cannot be reached.
                None => *o = Operand::Const(Const::Undef(body.values[v.index()].ty)),
            }
        }
    };
    for b in &mut blocks {
        for i in &mut b.insts {
            i.kind.for_each_operand_mut(renumber);
        }
        b.term.for_each_operand_mut(renumber);
    }
    body.values = values;
    body.blocks = blocks;
    map
}

/// Whether an instruction computes its result and does nothing else: no implied check, no memory.
fn is_plain(k: &InstKind) -> bool {
    match k {
        InstKind::Uninit | InstKind::Icmp { .. } => true,
        InstKind::Binary { op, flags, .. } => {
            matches!(op, BinOp::And | BinOp::Or | BinOp::Xor) && *flags == Default::default()
        }
        InstKind::Cast { op, .. } => matches!(op, CastOp::Trunc | CastOp::ZExt | CastOp::SExt),
        _ => false,
    }
}

/// Removes plain computations without uses, and those that only they used.
fn drop_dead(blocks: &mut [BlockData], values: usize) {
    let mut uses = vec![0u32; values];
    // The place of each plain computation, by its result.
    let mut place: Vec<Option<(u32, u32)>> = vec![None; values];
    for (n, b) in blocks.iter().enumerate() {
        let mut count = |o: &Operand| {
            if let Operand::Value(v) = o {
                uses[v.index()] += 1;
            }
        };
        for (k, i) in b.insts.iter().enumerate() {
            i.kind.for_each_operand(&mut count);
            if is_plain(&i.kind)
                && let [r] = i.results[..]
            {
                place[r.index()] = Some((n as u32, k as u32));
            }
        }
        b.term.for_each_operand(&mut count);
    }
    let mut work: Vec<usize> = (0..values).filter(|v| uses[*v] == 0 && place[*v].is_some()).collect();
    let mut dead = vec![false; values];
    while let Some(v) = work.pop() {
        let Some((b, i)) = place[v] else { continue };
        dead[v] = true;
        blocks[b as usize].insts[i as usize].kind.for_each_operand(|o| {
            if let Operand::Value(u) = o {
                uses[u.index()] -= 1;
                if uses[u.index()] == 0 && place[u.index()].is_some() {
                    work.push(u.index());
                }
            }
        });
    }
    for b in blocks {
        b.insts.retain(|i| !matches!(i.results[..], [r] if dead[r.index()]));
    }
}

fn reachable(body: &Body, roots: &[bool]) -> Vec<bool> {
    let mut seen = roots.to_vec();
    let mut work: Vec<usize> = (0..roots.len()).filter(|i| roots[*i]).collect();
    while let Some(b) = work.pop() {
        for e in body.blocks[b].term.targets() {
            if !std::mem::replace(&mut seen[e.block.index()], true) {
                work.push(e.block.index());
            }
        }
    }
    seen
}

/// Calls `f` on every operand of every body.
fn for_each_operand_mut(m: &mut Module, mut f: impl FnMut(&mut Operand)) {
    for b in m.functions.iter_mut().filter_map(|f| f.body.as_mut()) {
        for b in &mut b.blocks {
            for i in &mut b.insts {
                i.kind.for_each_operand_mut(&mut f);
            }
            b.term.for_each_operand_mut(&mut f);
        }
    }
}

fn rename_block_addresses(m: &mut Module, maps: &[Vec<Option<Block>>]) {
    let new = |f: FuncId, b: Block| maps[f.index()].get(b.index()).copied().flatten().unwrap_or(b);
    for_each_operand_mut(m, |o| {
        if let Operand::Const(Const::BlockAddr(f, b)) = o {
            *b = new(*f, *b);
        }
    });
    fn data(d: &mut InitData, new: &impl Fn(FuncId, Block) -> Block) {
        match d {
            InitData::BlockAddr { func, block, .. } => *block = new(*func, *block),
            InitData::Difference { left, right, .. } => {
                data(left, new);
                data(right, new);
            }
            InitData::Bytes(_) | InitData::Address { .. } | InitData::Undef(_) => {}
        }
    }
    for p in m.globals.iter_mut().filter_map(|g| g.init.as_mut()).flat_map(|i| &mut i.pieces) {
        data(&mut p.data, &new);
    }
}

/// Calls `f` on every symbol of an initialiser.
fn init_symbols(d: &mut InitData, f: &mut impl FnMut(&mut SymbolRef)) {
    match d {
        InitData::Address { symbol, .. } => f(symbol),
        InitData::Difference { left, right, .. } => {
            init_symbols(left, f);
            init_symbols(right, f);
        }
        InitData::Bytes(_) | InitData::BlockAddr { .. } | InitData::Undef(_) => {}
    }
}

fn drop_unused_data(m: &mut Module) {
    let mut used: Vec<bool> = m.globals.iter().map(|g| !g.compiler_made).collect();
    for a in &m.aliases {
        if let SymbolRef::Global(g) = a.target {
            used[g.index()] = true;
        }
    }
    for_each_operand_mut(m, |o| {
        if let Operand::Const(Const::Symbol(SymbolRef::Global(g))) = o {
            used[g.index()] = true;
        }
    });
    let mut work: Vec<usize> = (0..used.len()).filter(|i| used[*i]).collect();
    while let Some(g) = work.pop() {
        for p in m.globals[g].init.iter_mut().flat_map(|i| &mut i.pieces) {
            init_symbols(&mut p.data, &mut |s| {
                if let SymbolRef::Global(t) = s
                    && !std::mem::replace(&mut used[t.index()], true)
                {
                    work.push(t.index());
                }
            });
        }
    }
    let mut map = vec![GlobalId(0); used.len()];
    let mut n = 0;
    for (i, u) in used.iter().enumerate() {
        if *u {
            map[i] = GlobalId::new(n);
            n += 1;
        }
    }
    if n == used.len() {
        return;
    }
    let mut it = used.iter();
    m.globals.retain(|_| it.next().copied().unwrap_or(true));
    let fix = |s: &mut SymbolRef| {
        if let SymbolRef::Global(g) = s {
            *g = map[g.index()];
        }
    };
    for_each_operand_mut(m, |o| {
        if let Operand::Const(Const::Symbol(s)) = o {
            fix(s);
        }
    });
    for p in m.globals.iter_mut().filter_map(|g| g.init.as_mut()).flat_map(|i| &mut i.pieces) {
        init_symbols(&mut p.data, &mut |s| fix(s));
    }
    for a in &mut m.aliases {
        fix(&mut a.target);
    }
}
