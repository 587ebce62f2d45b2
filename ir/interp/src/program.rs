//! A module made ready to run: shared by all runs and threads. Static objects (globals and functions) have fixed
//! addresses; initial images and translated functions are made when first needed.

use crate::code::{Code, Slot};
use crate::ctypes;
use crate::memory::GAP;
use crate::native::Native;
use crate::object::{FIRST, NULL_PROV, Pointers, Prov};
use crate::translate::{ConstValue, plain_constant, translate};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};
use verify_ir::{
    Block, Body, CType, Const, FuncId, GlobalId, InitData, InstKind, Linkage, Module, Operand, SymbolRef, Terminator,
    TypeId, UnitId, noted,
};

/// An edge of a control-flow graph, or the entry of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeInfo {
    /// Function.
    pub func: FuncId,
    /// Block it leaves; `None` for the entry edge.
    pub from: Option<Block>,
    /// Which successor of that block.
    pub index: u32,
    /// Block it enters.
    pub to: Block,
}

/// The initial contents of a global.
#[derive(Debug)]
pub(crate) struct Image {
    pub bytes: Arc<Vec<u8>>,
    /// Defined bits; `None`: all.
    pub mask: Option<Vec<u8>>,
    pub pointers: Option<Arc<Pointers>>,
}

/// A module made ready to run.
pub struct Program {
    module: Arc<Module>,
    /// (base, size) of globals, functions, aliases (for ifuncs), and the unknown function.
    statics: Vec<(u64, u64)>,
    /// (base, static index), ascending.
    by_address: Vec<(u64, u32)>,
    end: u64,
    codes: Vec<OnceLock<Box<Code>>>,
    images: Vec<OnceLock<Image>>,
    natives: Vec<Option<Native>>,
    models: Vec<bool>,
    edge_base: Vec<u32>,
    address_taken: OnceLock<Vec<FuncId>>,
    known_outside: OnceLock<Vec<FuncId>>,
    streams: OnceLock<Vec<u32>>,
    /// Definitions of records by tag; `None` where several differ.
    complete: OnceLock<BTreeMap<String, Option<TypeId>>>,
    weak_names: Vec<bool>,
    opened_stream: Option<GlobalId>,
}

/// A part of a unit that has an address.
struct Part {
    unit: UnitId,
    align: u64,
    size: u64,
    /// What it may grow to and move nothing.
    room: u64,
}

/// Addresses and sizes for the parts of units. Each unit has a region of its own, with room to grow in: what changes in one
/// moves nothing in the others, and executions there that look at addresses stay the same.
fn by_unit(m: &Module, next: &mut u64, parts: impl Iterator<Item = Part>) -> Vec<(u64, u64)> {
    let mut units: Vec<Vec<(usize, Part)>> = (0..=m.units.len()).map(|_| Vec::new()).collect();
    for (i, part) in parts.enumerate() {
        units[part.unit.index().min(m.units.len())].push((i, part));
    }
    let mut out = vec![(0, 0); units.iter().map(Vec::len).sum()];
    for unit in units.iter().filter(|u| !u.is_empty()) {
        let begin = *next;
        for (i, p) in unit {
            *next = next.checked_next_multiple_of(p.align).unwrap_or(u64::MAX);
            out[*i] = (*next, p.size);
            *next = next.saturating_add(p.room.max(p.size)).saturating_add(GAP);
        }
        // Where there are few addresses, none is left out.
        if m.target.pointer_bits > 16 {
            let room = (next.saturating_sub(begin) / 4).clamp(64, 1 << 40).next_power_of_two();
            // Variables as large as the address space leave no room for anything.
            let size = next.saturating_sub(begin);
            *next = begin.saturating_add(size.checked_next_multiple_of(room).unwrap_or(size));
        }
    }
    out
}

/// What a static object index stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Static {
    Global(GlobalId),
    Func(FuncId),
    Ifunc(u32),
    UnknownFunction,
}

impl Program {
    /// Prepares a linked, well-formed module (see `verify_ir`'s checker).
    pub fn new(module: Arc<Module>) -> Program {
        let m = &*module;
        let small = m.target.pointer_bits < 64;
        let mut next: u64 = if m.target.pointer_bits <= 16 {
            0x1000
        } else if small {
            0x0804_8000
        } else {
            0x40_0000
        };
        // One address per block behind the entry, for computed `goto`. A function that gets a branch more stays in its room:
        // tables of functions are the same then.
        let functions = m.functions.iter().map(|f| {
            let size = f.body.as_ref().map_or(1, |b| b.blocks.len() as u64 + 1);
            let room = if m.target.pointer_bits > 16 { size.next_power_of_two().max(64) } else { size };
            Part { unit: f.unit, align: 16, size, room }
        });
        let functions = by_unit(m, &mut next, functions);
        let mut statics = vec![(0, 0); m.globals.len()];
        statics.extend(functions);
        for _ in 0..=m.aliases.len() {
            statics.push((next, 1));
            next += 64;
        }
        next = next.next_multiple_of(4096);
        let sizes = m.globals.iter().map(|g| {
            let declared = g.size == 0 && g.init.is_none();
            let size = if declared { g.ctype.map_or(0, |t| ctypes::size(m, t)) } else { g.size };
            Part { unit: g.unit, align: g.align.max(1), size, room: size }
        });
        for (to, at) in statics.iter_mut().zip(by_unit(m, &mut next, sizes)) {
            *to = at;
        }
        let mut by_address: Vec<(u64, u32)> = statics.iter().enumerate().map(|(i, s)| (s.0, i as u32)).collect();
        by_address.sort_unstable();
        let natives =
            m.functions.iter().map(|f| if f.body.is_none() { Native::from_name(&f.name) } else { None }).collect();
        let models = m.functions.iter().map(|f| m.units.get(f.unit.index()).is_some_and(|u| u.model)).collect();
        let mut edge_base = Vec::with_capacity(m.functions.len() + 1);
        let mut edges = 0u32;
        for f in &m.functions {
            edge_base.push(edges);
            if let Some(b) = &f.body {
                edges += 1 + b.blocks.iter().map(|b| successors(&b.term)).sum::<u32>();
            }
        }
        edge_base.push(edges);
        let opened_stream = m.globals.iter().position(|g| g.name == "__verify_lib_opened_stream").map(GlobalId::new);
        let weak_names = m.globals.iter().map(|g| g.name.starts_with("__verify_weak_")).collect();
        Program {
            statics,
            by_address,
            end: next,
            codes: m.functions.iter().map(|_| OnceLock::new()).collect(),
            images: m.globals.iter().map(|_| OnceLock::new()).collect(),
            natives,
            models,
            edge_base,
            address_taken: OnceLock::new(),
            known_outside: OnceLock::new(),
            streams: OnceLock::new(),
            complete: OnceLock::new(),
            weak_names,
            opened_stream,
            module,
        }
    }

    /// The module.
    pub fn module(&self) -> &Module {
        &self.module
    }

    /// The module, shared.
    pub fn module_arc(&self) -> &Arc<Module> {
        &self.module
    }

    /// For a record that its unit only declares, the definition in another unit, when the program has one.
    pub(crate) fn completed(&self, t: TypeId) -> TypeId {
        let CType::Record(r) = self.module.ctype(t) else { return t };
        if r.size > 0 || r.name.is_empty() {
            return t;
        }
        let table = self.complete.get_or_init(|| {
            let mut table: BTreeMap<String, Option<TypeId>> = BTreeMap::new();
            for (i, c) in self.module.ctypes.iter().enumerate() {
                let CType::Record(r) = c else { continue };
                if r.size > 0 && !r.name.is_empty() {
                    // Several that differ are none.
                    let same = |o: &Option<TypeId>| {
                        o.is_some_and(|o| matches!(self.module.ctype(o), CType::Record(x) if x.size == r.size))
                    };
                    let entry = table.entry(r.name.clone()).or_insert(Some(TypeId::new(i)));
                    if !same(entry) {
                        *entry = None;
                    }
                }
            }
            table
        });
        table.get(&r.name).copied().flatten().unwrap_or(t)
    }

    /// Number of edges, for coverage.
    pub fn edge_count(&self) -> usize {
        self.edge_base.last().copied().unwrap_or(0) as usize
    }

    /// The numbers of the edges of a function; the first is its entry. Empty without a body.
    pub fn edges_of(&self, f: FuncId) -> std::ops::Range<usize> {
        self.edge_base[f.index()] as usize..self.edge_base[f.index() + 1] as usize
    }

    /// What an edge number stands for.
    pub fn edge(&self, number: usize) -> Option<EdgeInfo> {
        let f = self.edge_base.partition_point(|b| *b as usize <= number).checked_sub(1)?;
        let func = FuncId::new(f);
        let body = self.module.functions.get(f)?.body.as_ref()?;
        let mut k = number - self.edge_base[f] as usize;
        if k == 0 {
            return Some(EdgeInfo { func, from: None, index: 0, to: Block(0) });
        }
        k -= 1;
        for (i, b) in body.blocks.iter().enumerate() {
            let n = successors(&b.term) as usize;
            if k < n {
                let to = b.term.targets()[k].block;
                return Some(EdgeInfo { func, from: Some(Block::new(i)), index: k as u32, to });
            }
            k -= n;
        }
        None
    }

    /// The function belongs to the C library models.
    pub fn is_model(&self, f: FuncId) -> bool {
        self.models[f.index()]
    }

    /// The function is built into the interpreter (it needs no body).
    pub fn is_native(&self, f: FuncId) -> bool {
        self.natives[f.index()].is_some()
    }

    pub(crate) fn native(&self, f: FuncId) -> Option<Native> {
        self.natives[f.index()]
    }

    pub(crate) fn first_edge(&self, f: FuncId) -> u32 {
        self.edge_base[f.index()]
    }

    pub(crate) fn static_count(&self) -> usize {
        self.statics.len()
    }

    pub(crate) fn static_end(&self) -> u64 {
        self.end
    }

    pub(crate) fn static_range(&self, index: u32) -> (u64, u64) {
        self.statics[index as usize]
    }

    pub(crate) fn static_of(&self, index: u32) -> Static {
        let (g, f) = (self.module.globals.len() as u32, self.module.functions.len() as u32);
        if index < g {
            Static::Global(GlobalId(index))
        } else if index < g + f {
            Static::Func(FuncId(index - g))
        } else if index < g + f + self.module.aliases.len() as u32 {
            Static::Ifunc(index - g - f)
        } else {
            Static::UnknownFunction
        }
    }

    pub(crate) fn static_global(&self, index: u32) -> Option<GlobalId> {
        (index < self.module.globals.len() as u32).then_some(GlobalId(index))
    }

    /// The static object at an address: inside or one past the end.
    pub(crate) fn static_at(&self, addr: u64) -> Option<u32> {
        let i = self.by_address.partition_point(|(b, _)| *b <= addr).checked_sub(1)?;
        let (base, index) = self.by_address[i];
        (addr - base <= self.statics[index as usize].1).then_some(index)
    }

    pub(crate) fn static_slot(&self, index: u32) -> Slot {
        Slot { v: self.statics[index as usize].0, u: 0, p: Prov::from(FIRST + index) }
    }

    pub(crate) fn func_slot(&self, f: FuncId) -> Slot {
        self.static_slot(self.module.globals.len() as u32 + f.0)
    }

    pub(crate) fn unknown_function(&self) -> Slot {
        self.static_slot(self.statics.len() as u32 - 1)
    }

    /// The function that a provenance designates.
    pub(crate) fn static_of_prov(&self, p: Prov) -> Option<Static> {
        let i = (p as u32).checked_sub(FIRST)?;
        (p >> 32 == 0 && (i as usize) < self.statics.len()).then(|| self.static_of(i))
    }

    /// The models' image of a stream that was just opened, where they are linked in.
    pub(crate) fn opened_stream(&self) -> Option<GlobalId> {
        self.opened_stream
    }

    /// Library bookkeeping whose pointers keep nothing alive.
    pub(crate) fn is_weak_name(&self, g: GlobalId) -> bool {
        self.weak_names[g.index()]
    }

    /// The address of a symbol. A weak symbol that nobody defines has address 0.
    pub(crate) fn symbol(&self, s: SymbolRef) -> Slot {
        let m = &*self.module;
        let (s, offset) = m.resolve(s);
        let mut slot = match s {
            SymbolRef::Global(g) => {
                let info = m.global(g);
                if info.init.is_none() && info.linkage == Linkage::Weak {
                    return Slot { v: 0, u: 0, p: NULL_PROV };
                }
                self.static_slot(g.0)
            }
            SymbolRef::Func(f) => {
                let info = m.func(f);
                if info.body.is_none() && info.linkage == Linkage::Weak && self.native(f).is_none() {
                    return Slot { v: 0, u: 0, p: NULL_PROV };
                }
                self.func_slot(f)
            }
            SymbolRef::Alias(a) => self.static_slot((m.globals.len() + m.functions.len()) as u32 + a.0),
        };
        slot.v = slot.v.wrapping_add(offset);
        slot
    }

    /// The function that a symbol names directly.
    pub(crate) fn function_of(&self, s: SymbolRef) -> Option<FuncId> {
        match self.module.resolve(s) {
            (SymbolRef::Func(f), 0) => {
                let info = self.module.func(f);
                let null = info.body.is_none() && info.linkage == Linkage::Weak && self.native(f).is_none();
                (!null).then_some(f)
            }
            _ => None,
        }
    }

    pub(crate) fn block_address(&self, f: FuncId, b: Block) -> Slot {
        let mut s = self.func_slot(f);
        s.v += 1 + u64::from(b.0);
        s
    }

    pub(crate) fn constant(&self, c: &Const) -> ConstValue {
        match c {
            Const::Null => ConstValue::Small(Slot { v: 0, u: 0, p: NULL_PROV }),
            Const::Symbol(s) => ConstValue::Small(self.symbol(*s)),
            Const::BlockAddr(f, b) => ConstValue::Small(self.block_address(*f, *b)),
            c => plain_constant(c, c.ty().bits(&self.module.target)),
        }
    }

    /// The translated function; `None` without a body.
    pub(crate) fn code(&self, f: FuncId) -> Option<&Code> {
        noted::function(f);
        let cell = &self.codes[f.index()];
        if let Some(c) = cell.get() {
            return Some(c);
        }
        let body = self.module.func(f).body.as_ref()?;
        // What it is made from is noted with the function: who comes second looks at it as well.
        Some(cell.get_or_init(|| noted::aside(|| Box::new(translate(self, f, body)))))
    }

    pub(crate) fn body(&self, f: FuncId) -> Option<&Body> {
        self.module.func(f).body.as_ref()
    }

    /// The initial contents of a global.
    pub(crate) fn image(&self, g: GlobalId) -> &Image {
        noted::global(g);
        self.images[g.index()].get_or_init(|| noted::aside(|| self.make_image(g)))
    }

    fn make_image(&self, g: GlobalId) -> Image {
        let size = self.statics[g.index()].1;
        let mut bytes = vec![0u8; size as usize];
        let mut mask: Option<Vec<u8>> = None;
        let mut pointers = Pointers::default();
        let mut any = false;
        let pb = self.module.target.pointer_bytes();
        let be = self.module.target.big_endian;
        let pieces = self.module.global(g).init.as_ref().map_or(&[][..], |i| &i.pieces);
        for p in pieces {
            let at = p.offset as usize;
            let mut put = |v: u64, n: usize| {
                let Some(room) = bytes.get_mut(at..at.saturating_add(n)) else { return };
                let wide = u128::from(v);
                if be {
                    room.copy_from_slice(&wide.to_be_bytes()[16 - n.min(16)..]);
                } else {
                    room.copy_from_slice(&wide.to_le_bytes()[..n.min(16)]);
                }
            };
            match &p.data {
                InitData::Bytes(b) => {
                    if let Some(room) = bytes.get_mut(at..at.saturating_add(b.len())) {
                        room.copy_from_slice(b);
                    }
                }
                // The bytes of a variable with static storage are zero in the object file even where clang says `undef`
                // (the tail of a union); a template that initialises a local variable has no such excuse.
                InitData::Undef(_) if !self.module.global(g).compiler_made => {}
                InitData::Undef(n) => {
                    let m = mask.get_or_insert_with(|| vec![0xff; size as usize]);
                    if let Some(room) = m.get_mut(at..at.saturating_add(*n as usize)) {
                        room.fill(0);
                    }
                }
                other => {
                    let (v, n) = self.init_value(other);
                    put(v.v, n as usize);
                    if n == pb && v.p > NULL_PROV && p.offset + n <= size {
                        pointers.set(p.offset, pb, v.p);
                        any = true;
                    }
                }
            }
        }
        Image { bytes: Arc::new(bytes), mask, pointers: any.then(|| Arc::new(pointers)) }
    }

    /// Value and size of an address-like initialiser.
    fn init_value(&self, d: &InitData) -> (Slot, u64) {
        match d {
            InitData::Address { symbol, addend, size } => {
                let mut s = self.symbol(*symbol);
                s.v = s.v.wrapping_add(*addend as u64);
                (s, u64::from(*size))
            }
            InitData::BlockAddr { func, block, size } => (self.block_address(*func, *block), u64::from(*size)),
            InitData::Difference { left, right, addend, size } => {
                let (l, r) = (self.init_value(left).0, self.init_value(right).0);
                (Slot::int(l.v.wrapping_sub(r.v).wrapping_add(*addend as u64)), u64::from(*size))
            }
            InitData::Bytes(b) => {
                let v = b.iter().rev().take(8).fold(0u64, |a, x| a << 8 | u64::from(*x));
                (Slot::int(v), b.len() as u64)
            }
            InitData::Undef(n) => (Slot::int(0), *n),
        }
    }

    /// The address of a symbol, in every run.
    pub fn address(&self, s: SymbolRef) -> u64 {
        self.symbol(s).v
    }

    /// The parameters of a library model that are streams, a bit for each.
    pub(crate) fn streams(&self, f: FuncId) -> u32 {
        let all = self.streams.get_or_init(|| {
            let m = &*self.module;
            let of = |(i, f): (usize, &verify_ir::Function)| {
                let params = match f.ctype.map(|t| m.ctype(crate::ctypes::strip(m, t))) {
                    Some(CType::Function { params, .. }) if self.models[i] && params.len() == f.sig.params.len() => {
                        params
                    }
                    _ => return 0,
                };
                let is = |t: &TypeId| crate::ctypes::pointee(m, *t).is_some_and(|t| crate::ctypes::is_file(m, t));
                (0..).zip(params).take(32).filter(|(_, t)| is(t)).fold(0, |bits, (k, _)| bits | 1 << k)
            };
            m.functions.iter().enumerate().map(of).collect()
        });
        all[f.index()]
    }

    /// Of [`Program::address_taken`], those whose address code outside of the program may have.
    pub fn known_outside(&self) -> &[FuncId] {
        self.known_outside.get_or_init(|| crate::outward::among(&self.module, self.address_taken()))
    }

    /// Functions whose address is used other than to call them, in order.
    pub fn address_taken(&self) -> &[FuncId] {
        self.address_taken.get_or_init(|| {
            let m = &*self.module;
            let mut taken = vec![false; m.functions.len()];
            let mut see = |s: SymbolRef| {
                if let (SymbolRef::Func(f), _) = m.resolve(s) {
                    taken[f.index()] = true;
                }
            };
            for g in &m.globals {
                for p in g.init.iter().flat_map(|i| &i.pieces) {
                    symbols(&p.data, &mut see);
                }
            }
            for b in m.functions.iter().filter_map(|f| f.body.as_ref()).flat_map(|b| &b.blocks) {
                let mut operand = |o: &Operand| {
                    if let Operand::Const(Const::Symbol(s)) = o {
                        see(*s);
                    }
                };
                for i in &b.insts {
                    match &i.kind {
                        InstKind::Call(c) => c.args.iter().for_each(&mut operand),
                        k => k.for_each_operand(&mut operand),
                    }
                }
                match &b.term {
                    Terminator::Invoke { call, .. } => {
                        call.args.iter().for_each(&mut operand);
                        b.term.targets().iter().flat_map(|t| &t.args).for_each(&mut operand);
                    }
                    t => t.for_each_operand(&mut operand),
                }
            }
            taken.iter().enumerate().filter(|(_, t)| **t).map(|(i, _)| FuncId::new(i)).collect()
        })
    }
}

pub(crate) fn symbols(d: &InitData, see: &mut impl FnMut(SymbolRef)) {
    match d {
        InitData::Address { symbol, .. } => see(*symbol),
        InitData::Difference { left, right, .. } => {
            symbols(left, see);
            symbols(right, see);
        }
        _ => {}
    }
}

fn successors(t: &Terminator) -> u32 {
    match t {
        Terminator::Jump(_) => 1,
        Terminator::Branch { .. } | Terminator::Invoke { .. } => 2,
        Terminator::Switch { cases, .. } => cases.len() as u32 + 1,
        Terminator::IndirectJump { targets, .. } => targets.len() as u32,
        Terminator::Return(_) | Terminator::Resume(_) | Terminator::Unreachable => 0,
    }
}
