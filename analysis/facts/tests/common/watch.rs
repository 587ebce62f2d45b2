//! Watches a run: the module is instrumented with calls of a primitive that the host answers, so that the host sees
//! every address that is accessed, made and called, and from where. The interpreter knows nothing of it.

use std::collections::BTreeMap;
use verify_facts::points_to::{ObjectId, ObjectKind, PointsTo, Site};
use verify_interp::{Config, Host, Interp, Natural, Outcome, Program, Stat};
use verify_ir::inst::{BinOp, CastOp, InstKind};
use verify_ir::*;

const TELL: &str = "__verify_sys_lseek";

#[derive(Clone, Debug)]
enum Event {
    Enter(FuncId),
    Leave,
    Calls(FuncId, Loc),
    Size,
    Stack(FuncId, Value),
    Ends,
    Heap(FuncId, Loc),
    ByVal(FuncId, u32),
    Global(GlobalId),
    Function(FuncId),
    Access(FuncId, Loc, Operand),
    Callee(FuncId, Loc),
}

/// The instrumented module and what its events mean.
pub struct Watched {
    module: Module,
    events: Vec<Event>,
}

struct Writer<'a> {
    events: &'a mut Vec<Event>,
    tell: FuncId,
    token: Value,
    out: Vec<Inst>,
    span: SpanId,
}

impl Writer<'_> {
    fn push(&mut self, results: Vec<Value>, kind: InstKind) {
        self.out.push(Inst { results, kind, span: self.span });
    }

    fn cast(&mut self, body: &mut Body, op: CastOp, ty: Ty, arg: Operand) -> Operand {
        let v = body.new_value(ty, None);
        self.push(vec![v], InstKind::Cast { op, arg });
        v.into()
    }

    fn tell(&mut self, body: &mut Body, e: Event, what: Operand) {
        let result = body.new_value(Ty::Int(64), None);
        let enter = matches!(e, Event::Enter(_));
        let token: Operand = if enter {
            self.token = result;
            Operand::int(32, 0)
        } else {
            self.cast(body, CastOp::Trunc, Ty::Int(32), self.token.into())
        };
        let what = match body.operand_ty(&what) {
            Ty::Ptr => self.cast(body, CastOp::PtrToInt, Ty::Int(64), what),
            _ => what,
        };
        let args = vec![Operand::int(32, self.events.len() as u128), what, token];
        self.events.push(e);
        let params = args.iter().map(|a| Param::plain(body.operand_ty(a))).collect();
        let callee = Operand::Const(Const::Symbol(SymbolRef::Func(self.tell)));
        let call = Call { callee, args, params, fixed: None, noreturn: false, returns_twice: false };
        self.push(vec![result], InstKind::Call(Box::new(call)));
    }
}

impl Watched {
    pub fn new(original: &Module) -> Watched {
        let mut module = original.clone();
        let tell = module.function_named(TELL).unwrap_or_else(|| {
            let params = [Ty::Int(32), Ty::Int(64), Ty::Int(32)].map(Param::plain).to_vec();
            module.functions.push(Function {
                name: TELL.into(),
                unit: UnitId(0),
                linkage: Linkage::External,
                visibility: Visibility::Default,
                comdat: None,
                sig: Signature { params, results: vec![Ty::Int(64)], variadic: false },
                attrs: FnAttrs::default(),
                ctype: None,
                span: SpanId(0),
                body: None,
            });
            FuncId::new(module.functions.len() - 1)
        });
        let mut events = Vec::new();
        for i in 0..module.functions.len() {
            let id = FuncId::new(i);
            let Some(mut body) = module.functions[i].body.take() else { continue };
            let sig = module.functions[i].sig.clone();
            instrument(original, &module, tell, id, &sig, &mut body, &mut events);
            module.functions[i].body = Some(body);
        }
        if let Err(p) = check::check(&module) {
            panic!("{p:?}");
        }
        Watched { module, events }
    }

    /// Runs `main` and checks every address against the facts about the original module.
    pub fn run<'a>(self, original: &'a Module, facts: &'a PointsTo, steps: u64) -> (Outcome, Seen<'a>) {
        let program = Program::new(std::sync::Arc::new(self.module));
        let config = Config { max_steps: steps, ..Config::default() };
        let mut seen = Seen { original, facts, events: self.events, ..Seen::new(original, facts) };
        let args = [b"program".to_vec(), b"-x".to_vec(), b"7".to_vec()];
        let env = [b"HOME=/root".to_vec()];
        let outcome = Interp::new(&program, &config).run_main(&args, &env, &mut Natural, Some(&mut seen));
        (outcome, seen)
    }
}

fn instrument(
    original: &Module,
    module: &Module,
    tell: FuncId,
    id: FuncId,
    sig: &Signature,
    body: &mut Body,
    events: &mut Vec<Event>,
) {
    let allocas: BTreeMap<Value, (u64, Operand)> = body
        .blocks
        .iter()
        .flat_map(|b| &b.insts)
        .filter_map(|i| match &i.kind {
            InstKind::Alloca { elem_size, count, .. } => Some((i.results[0], (*elem_size, count.clone()))),
            _ => None,
        })
        .collect();
    let mut w = Writer { events, tell, token: Value(0), out: Vec::new(), span: SpanId(0) };
    for bi in 0..body.blocks.len() {
        let insts = std::mem::take(&mut body.blocks[bi].insts);
        if bi == 0 {
            w.tell(body, Event::Enter(id), Operand::int(64, 0));
            for (k, p) in body.blocks[0].params.clone().into_iter().enumerate() {
                if let Some((size, _)) = sig.params[k].attrs.byval {
                    w.tell(body, Event::Size, Operand::int(64, size.into()));
                    w.tell(body, Event::ByVal(id, k as u32), p.into());
                }
            }
            if module.func(id).name == "main" {
                for (g, global) in
                    original.globals.iter().enumerate().filter(|(_, g)| g.init.is_some() && !g.thread_local)
                {
                    w.tell(body, Event::Size, Operand::int(64, global.size.into()));
                    let symbol = Const::Symbol(SymbolRef::Global(GlobalId::new(g)));
                    w.tell(body, Event::Global(GlobalId::new(g)), Operand::Const(symbol));
                }
                for f in 0..original.functions.len() {
                    let symbol = Const::Symbol(SymbolRef::Func(FuncId::new(f)));
                    w.tell(body, Event::Size, Operand::int(64, 1));
                    w.tell(body, Event::Function(FuncId::new(f)), Operand::Const(symbol));
                }
            }
        }
        for (at, inst) in insts.into_iter().enumerate() {
            let loc = Loc { block: Block::new(bi), inst: at as u32 };
            w.span = inst.span;
            let long = |o: &Operand| matches!(o, Operand::Const(Const::Int { value, .. }) if *value > 0);
            match &inst.kind {
                InstKind::Load { ptr, .. }
                | InstKind::Store { ptr, .. }
                | InstKind::AtomicRmw { ptr, .. }
                | InstKind::CmpXchg { ptr, .. } => w.tell(body, Event::Access(id, loc, ptr.clone()), ptr.clone()),
                InstKind::MemSet { dst, len, .. } if long(len) => {
                    w.tell(body, Event::Access(id, loc, dst.clone()), dst.clone());
                }
                InstKind::MemCopy { dst, src, len, .. } if long(len) => {
                    w.tell(body, Event::Access(id, loc, dst.clone()), dst.clone());
                    w.tell(body, Event::Access(id, loc, src.clone()), src.clone());
                }
                InstKind::LifetimeEnd { object } => w.tell(body, Event::Ends, object.clone()),
                InstKind::Call(c) => {
                    w.tell(body, Event::Calls(id, loc), Operand::int(64, 0));
                    if c.callee.as_value().is_some() {
                        w.tell(body, Event::Callee(id, loc), c.callee.clone());
                    }
                }
                _ => {}
            }
            w.out.push(inst.clone());
            let made = match &inst.kind {
                InstKind::Alloca { .. } => Some(inst.results[0]),
                InstKind::LifetimeStart { object } => object.as_value().filter(|v| allocas.contains_key(v)),
                _ => None,
            };
            if let Some(v) = made {
                let (elem, count) = &allocas[&v];
                let size = body.new_value(Ty::Int(64), None);
                let wide = match body.operand_ty(count) {
                    Ty::Int(64) => count.clone(),
                    _ => w.cast(body, CastOp::ZExt, Ty::Int(64), count.clone()),
                };
                let lhs = Operand::int(64, (*elem).into());
                w.push(vec![size], InstKind::Binary { op: BinOp::Mul, flags: Default::default(), lhs, rhs: wide });
                w.tell(body, Event::Size, size.into());
                w.tell(body, Event::Stack(id, v), v.into());
            }
            if let InstKind::Call(c) = &inst.kind
                && let Operand::Const(Const::Symbol(SymbolRef::Func(f))) = &c.callee
                && module.func(*f).name == "__verify_alloc"
            {
                w.tell(body, Event::Size, c.args[0].clone());
                w.tell(body, Event::Heap(id, loc), inst.results[0].into());
            }
        }
        if matches!(body.blocks[bi].term, Terminator::Return(_)) {
            w.tell(body, Event::Leave, Operand::int(64, 0));
        }
        body.blocks[bi].insts = std::mem::take(&mut w.out);
    }
}

struct Frame {
    func: FuncId,
    site: Option<Site>,
    stack: Vec<u64>,
}

#[derive(Clone, Debug)]
struct Owner {
    end: u64,
    /// What it is, and the calls around where it was made, outermost first.
    kind: ObjectKind,
    calls: Vec<Site>,
}

/// What was seen.
pub struct Seen<'a> {
    original: &'a Module,
    facts: &'a PointsTo,
    events: Vec<Event>,
    frames: Vec<Frame>,
    owners: BTreeMap<u64, Owner>,
    size: u64,
    /// Accesses and calls that were checked.
    pub checked: u64,
    /// Accesses to memory that was not told of (`argv`, further arguments).
    pub unowned: u64,
    /// What the facts do not have.
    pub missing: Vec<String>,
}

impl<'a> Seen<'a> {
    fn new(original: &'a Module, facts: &'a PointsTo) -> Seen<'a> {
        Seen {
            original,
            facts,
            events: Vec::new(),
            frames: Vec::new(),
            owners: BTreeMap::new(),
            size: 0,
            checked: 0,
            unowned: 0,
            missing: Vec::new(),
        }
    }

    fn forget(&mut self, to: usize) {
        while self.frames.len() > to {
            for a in self.frames.pop().into_iter().flat_map(|f| f.stack) {
                self.owners.remove(&a);
            }
        }
    }

    fn own(&mut self, at: u64, kind: ObjectKind) {
        let end = at + self.size;
        while let Some((&a, _)) =
            self.owners.range(..end.max(at + 1)).next_back().filter(|(a, o)| o.end > at || **a == at)
        {
            self.owners.remove(&a);
        }
        let calls = self.frames.iter().take(self.frames.len().saturating_sub(1)).filter_map(|f| f.site).collect();
        self.owners.insert(at, Owner { end, kind, calls });
    }

    /// The abstract object may stand for the concrete one.
    fn stands_for(&self, o: ObjectId, owner: &Owner) -> bool {
        let suffix = |calls: &Vec<Site>| owner.calls.ends_with(calls);
        match (&self.facts.object(o).kind, &owner.kind) {
            (ObjectKind::Heap { func, loc, calls }, ObjectKind::Heap { func: f, loc: l, .. }) => {
                (func, loc) == (f, l) && suffix(calls)
            }
            (ObjectKind::Stack { func, value, calls }, ObjectKind::Stack { func: f, value: v, .. }) => {
                (func, value) == (f, v) && suffix(calls)
            }
            (ObjectKind::ByVal { func, param, calls }, ObjectKind::ByVal { func: f, param: p, .. }) => {
                (func, param) == (f, p) && suffix(calls)
            }
            (a, b) => a == b,
        }
    }

    fn miss(&mut self, what: String) {
        if self.missing.len() < 20 {
            self.missing.push(what);
        }
    }

    fn place(&self, f: FuncId, loc: Loc) -> String {
        let Some(b) = &self.original.func(f).body else { return String::new() };
        let s = self.original.span(b.span_at(loc));
        let file = &self.original.files[s.file.index()].path;
        format!("{file}:{}:{} in {} {}.{}", s.line, s.column, self.original.func(f).name, loc.block, loc.inst)
    }

    fn event(&mut self, e: Event, what: u64) {
        match e {
            Event::Enter(_) | Event::Leave => {}
            Event::Calls(f, loc) => {
                if let Some(top) = self.frames.last_mut() {
                    top.site = Some((f, loc));
                }
            }
            Event::Size => self.size = what,
            Event::Stack(func, value) => {
                self.own(what, ObjectKind::Stack { func, value, calls: Vec::new() });
                if let Some(top) = self.frames.last_mut() {
                    top.stack.push(what);
                }
            }
            Event::ByVal(func, param) => {
                self.own(what, ObjectKind::ByVal { func, param, calls: Vec::new() });
                if let Some(top) = self.frames.last_mut() {
                    top.stack.push(what);
                }
            }
            Event::Ends => _ = self.owners.remove(&what),
            Event::Heap(func, loc) => self.own(what, ObjectKind::Heap { func, loc, calls: Vec::new() }),
            Event::Global(g) => self.own(what, ObjectKind::Global(g)),
            Event::Function(f) => self.own(what, ObjectKind::Function(f)),
            Event::Access(f, loc, ptr) => {
                let owner = self.owners.range(..=what).next_back().filter(|(_, o)| what < o.end);
                let Some((&base, owner)) = owner else {
                    self.unowned += 1;
                    return;
                };
                self.checked += 1;
                let owner = owner.clone();
                let t = self.facts.of(f, &ptr);
                let offset = (what - base) as i64;
                let known = t.places.iter().any(|l| l.offset.contains(offset) && self.stands_for(l.object, &owner));
                let escaped = |o: &&ObjectId| self.stands_for(**o, &owner);
                if !(known || t.unknown && self.facts.escaped_objects().iter().any(|o| escaped(&o))) {
                    let name = |l: &verify_facts::points_to::Location| {
                        format!("{} @ {}", self.facts.object(l.object).name, l.offset)
                    };
                    let have: Vec<String> = t.places.iter().take(6).map(name).collect();
                    self.miss(format!(
                        "{}: access through {ptr:?} to {:?} + {offset}; facts: {have:?} unknown {}",
                        self.place(f, loc),
                        owner,
                        t.unknown
                    ));
                }
            }
            Event::Callee(f, loc) => {
                let Some(Owner { kind: ObjectKind::Function(g), .. }) = self.owners.get(&what) else { return };
                self.checked += 1;
                let g = *g;
                let t = self.facts.callees(f, loc);
                let escaped = self.facts.symbol(SymbolRef::Func(g)).is_some_and(|o| self.facts.escaped(o));
                if !(t.functions.contains(&g) || t.external.contains(&g) || t.unknown && escaped) {
                    self.miss(format!("{}: call of {}; facts: {t:?}", self.place(f, loc), self.original.func(g).name));
                }
            }
        }
    }
}

impl Host for Seen<'_> {
    fn read(&mut self, _: i32, _: u64) -> Result<Vec<u8>, i32> {
        Ok(Vec::new())
    }
    fn write(&mut self, _: i32, bytes: &[u8]) -> Result<u64, i32> {
        Ok(bytes.len() as u64)
    }
    fn open(&mut self, _: &[u8], _: i32, _: i32) -> Result<i32, i32> {
        Err(2)
    }
    fn close(&mut self, _: i32) -> Result<(), i32> {
        Ok(())
    }
    fn lseek(&mut self, id: i32, what: i64, token: i32) -> Result<i64, i32> {
        let Some(e) = self.events.get(id as usize).cloned() else { return Err(29) };
        match e {
            Event::Enter(func) => {
                self.frames.push(Frame { func, site: None, stack: Vec::new() });
                return Ok(self.frames.len() as i64);
            }
            Event::Leave => self.forget(token as usize - 1),
            e => {
                // A non-local jump left frames behind.
                self.forget(token as usize);
                debug_assert!(self.frames.last().is_some_and(|f| f.func.index() < self.original.functions.len()));
                self.event(e, what as u64);
            }
        }
        Ok(0)
    }
    fn unlink(&mut self, _: &[u8]) -> Result<(), i32> {
        Err(2)
    }
    fn rename(&mut self, _: &[u8], _: &[u8]) -> Result<(), i32> {
        Err(2)
    }
    fn stat(&mut self, _: Option<&[u8]>, _: i32) -> Result<Stat, i32> {
        Err(2)
    }
    fn time(&mut self, _: i32) -> Result<i64, i32> {
        Ok(1_000_000)
    }
    fn getenv(&mut self, _: &[u8]) -> Option<Vec<u8>> {
        None
    }
}
