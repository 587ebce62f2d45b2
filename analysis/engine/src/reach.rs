//! Which functions can run when a function is called: direct calls, and for calls through pointers every function
//! whose address reachable code or any initialiser takes (type-compatible or not: casts are legal).

use verify_checks::calls::direct_callee;
use verify_ir::{Call, Const, FuncId, InitData, InstKind, Module, Operand, SymbolRef, Terminator};

/// Call graph edges, from the IR alone.
pub struct Reach {
    /// Per function: functions called directly or whose address the body takes, sorted.
    mentions: Vec<Vec<FuncId>>,
    /// Functions that initialisers mention.
    in_data: Vec<FuncId>,
    /// Per function: calls through a pointer.
    indirect: Vec<bool>,
    /// Instructions per function.
    size: Vec<u64>,
}

impl Reach {
    /// Reads the program.
    pub fn new(module: &Module) -> Reach {
        let n = module.functions.len();
        let (mut mentions, mut indirect, mut size) = (vec![Vec::new(); n], vec![false; n], vec![0; n]);
        for (i, f) in module.functions.iter().enumerate() {
            let Some(body) = &f.body else { continue };
            let out = &mut mentions[i];
            let mut operand = |o: &Operand| {
                if let Operand::Const(Const::Symbol(s)) = o {
                    target(module, *s, out);
                }
            };
            let mut call = |c: &Call| indirect[i] |= direct_callee(module, c).is_none();
            for b in &body.blocks {
                size[i] += b.insts.len() as u64 + 1;
                for inst in &b.insts {
                    inst.kind.for_each_operand(&mut operand);
                    if let InstKind::Call(c) = &inst.kind {
                        call(c);
                    }
                }
                b.term.for_each_operand(&mut operand);
                if let Terminator::Invoke { call: c, .. } = &b.term {
                    call(c);
                }
            }
            out.sort();
            out.dedup();
        }
        let mut in_data = Vec::new();
        for g in &module.globals {
            for p in g.init.iter().flat_map(|i| &i.pieces) {
                data(module, &p.data, &mut in_data);
            }
        }
        in_data.sort();
        in_data.dedup();
        Reach { mentions, in_data, indirect, size }
    }

    /// Every function that can run, the roots included; indexed by function.
    pub fn from(&self, roots: &[FuncId]) -> Vec<bool> {
        let mut seen = vec![false; self.mentions.len()];
        let mut work: Vec<FuncId> = roots.to_vec();
        let mut data_added = false;
        while let Some(f) = work.pop() {
            if std::mem::replace(&mut seen[f.index()], true) {
                continue;
            }
            work.extend(&self.mentions[f.index()]);
            if self.indirect[f.index()] && !data_added {
                data_added = true;
                work.extend(&self.in_data);
            }
        }
        seen
    }

    /// Instructions in a function.
    pub fn size(&self, f: FuncId) -> u64 {
        self.size[f.index()]
    }

    /// Instructions in the functions of a set.
    pub fn size_of(&self, set: &[bool]) -> u64 {
        set.iter().zip(&self.size).filter(|(s, _)| **s).map(|(_, n)| n).sum()
    }
}

fn target(module: &Module, s: SymbolRef, out: &mut Vec<FuncId>) {
    match module.resolve(s) {
        (SymbolRef::Func(f), _) => out.push(f),
        // An ifunc: its resolver runs, and what the resolver mentions may be the function.
        (SymbolRef::Alias(a), _) => {
            if let SymbolRef::Func(f) = module.alias(a).target {
                out.push(f);
            }
        }
        (SymbolRef::Global(_), _) => {}
    }
}

fn data(module: &Module, d: &InitData, out: &mut Vec<FuncId>) {
    match d {
        InitData::Address { symbol, .. } => target(module, *symbol, out),
        InitData::Difference { left, right, .. } => {
            data(module, left, out);
            data(module, right, out);
        }
        InitData::Bytes(_) | InitData::BlockAddr { .. } | InitData::Undef(_) => {}
    }
}
