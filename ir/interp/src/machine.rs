//! The state of a run, and access to registers and memory from everywhere in the crate.

use crate::big::{Big, from_words, low_u128, ones, words};
use crate::bits::mask;
use crate::code::{CONST, Code, INDEX, Slot, Src, WIDE};
use crate::config::Config;
use crate::fault::{Access, Halt, PtrRole, Res};
use crate::float;
use crate::host::Host;
use crate::memory::{Area, Memory};
use crate::object::{FIRST, Kind, Mask, NO_PROV, NULL_PROV, Prov, Site, State};
use crate::outcome::{Coverage, TraceEvent, TraceKind};
use crate::program::Program;
use crate::script::{Question, Script};
use crate::translate::{ConstValue, is_small};
use dashu::integer::UBig;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use verify_ir::{FloatKind, FuncId, Inst, Module, Operand, SpanId, Ty};

/// A value of any width.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Val {
    Small(Slot),
    Wide(Big),
}

impl Val {
    pub fn slot(&self) -> Slot {
        match self {
            Val::Small(s) => *s,
            Val::Wide(b) => Slot { v: low_u128(&b.v) as u64, u: low_u128(&b.u) as u64, p: NO_PROV },
        }
    }
    pub fn big(&self) -> Big {
        match self {
            Val::Small(s) => Big { v: UBig::from(s.v), u: UBig::from(s.u) },
            Val::Wide(b) => b.clone(),
        }
    }
    pub fn is_defined(&self) -> bool {
        match self {
            Val::Small(s) => s.u == 0,
            Val::Wide(b) => b.is_defined(),
        }
    }
    /// The low 128 bits.
    pub fn u128(&self) -> u128 {
        match self {
            Val::Small(s) => u128::from(s.v),
            Val::Wide(b) => low_u128(&b.v),
        }
    }
    pub fn undef(bits: u32) -> Val {
        if bits <= 64 { Val::Small(Slot { v: 0, u: mask(bits), p: NO_PROV }) } else { Val::Wide(Big::undef(bits)) }
    }
    pub fn of_big(b: Big, bits: u32) -> Val {
        if bits <= 64 {
            Val::Small(Slot { v: low_u128(&b.v) as u64, u: low_u128(&b.u) as u64, p: NO_PROV })
        } else {
            Val::Wide(b)
        }
    }
    /// A defined value.
    pub fn of_u128(v: u128, bits: u32) -> Val {
        if bits <= 64 {
            Val::Small(Slot::int(v as u64 & mask(bits)))
        } else {
            Val::Wide(Big::def(from_words(&[v as u64, (v >> 64) as u64]) & ones(bits)))
        }
    }
}

/// A call in progress.
pub(crate) struct Frame<'p> {
    pub func: FuncId,
    pub code: &'p Code,
    /// The op being executed; for all but the innermost frame, the call.
    pub pc: usize,
    pub base: usize,
    pub wide_base: usize,
    pub var_base: usize,
    /// Where its entries in [`Machine::allocas`] begin.
    pub alloca_base: usize,
    /// Unique in the run.
    pub serial: u64,
    /// The further arguments.
    pub varargs: Option<Slot>,
    /// It called `setjmp`.
    pub jumps: bool,
}

/// Where a `longjmp` goes.
pub(crate) struct JumpPoint {
    pub serial: u64,
    pub depth: usize,
    pub pc: usize,
    pub regs: Vec<Slot>,
    pub wides: Vec<Big>,
}

/// The state of a run.
pub(crate) struct Machine<'p, 'e> {
    pub program: &'p Program,
    pub module: &'p Module,
    pub config: Config,
    pub script: &'e mut dyn Script,
    pub host: Option<&'e mut dyn Host>,
    pub mem: Memory<'p>,
    pub regs: Vec<Slot>,
    pub wides: Vec<Big>,
    /// For every C variable of every frame, where its value lives; `u32::MAX`: not known.
    pub vars: Vec<u32>,
    pub frames: Vec<Frame<'p>>,
    /// The stack objects of all frames (by provenance: the slot of one that ended may belong to another by now).
    pub allocas: Vec<Prov>,
    pub steps: u64,
    pub serial: u64,
    pub coverage: Option<Coverage>,
    pub trace: VecDeque<TraceEvent>,
    /// Events so far, and answers of the script.
    pub events: u64,
    pub asked: u64,
    pub path: Option<Box<crate::path::Path>>,
    pub observed: Vec<crate::Observed>,
    pub watched: crate::watch::Kept,
    pub compared: crate::compare::Comparisons,
    pub externals: BTreeSet<String>,
    pub call_log: Vec<crate::CallImage>,
    pub jumps: BTreeMap<u64, JumpPoint>,
    pub next_jump: u64,
    /// Input objects: slot of number k, and its element type.
    pub inputs: Vec<u32>,
    pub ifuncs: BTreeMap<u32, FuncId>,
    pub environment: BTreeMap<Vec<u8>, Slot>,
    /// Descriptors that were opened or used in this run and not closed since.
    pub descriptors: BTreeSet<i64>,
    /// Files that were opened in this run, by descriptor.
    pub positions: BTreeMap<i64, usize>,
    /// Where files are that were opened; copies of a descriptor share it.
    pub places: Vec<crate::prims::Position>,
    pub destructors_ran: bool,
    /// When `main` returns, its pointers are kept in `main_roots`.
    pub keep_main: bool,
    pub main_roots: Vec<Slot>,
    /// An allocation failed.
    pub out_of_memory: bool,
    /// Frame counts below which nested runs must not go.
    pub floors: Vec<usize>,
    /// What the outermost function of a nested run returned.
    pub returned: Vec<Val>,
    pub float: crate::float::FloatEnv,
    pub lasso: crate::lasso::Lasso,
    pub descent: crate::descent::Descent,
}

impl<'p, 'e> Machine<'p, 'e> {
    pub fn new(
        program: &'p Program,
        config: Config,
        script: &'e mut dyn Script,
        host: Option<&'e mut dyn Host>,
    ) -> Machine<'p, 'e> {
        let module = program.module();
        let x86 = module.target.triple.starts_with('x') || module.target.triple.starts_with('i');
        let coverage = config.coverage.then(|| Coverage { words: vec![0; program.edge_count().div_ceil(64)] });
        Machine {
            program,
            module,
            script,
            host,
            mem: Memory::new(program, config.max_memory, config.uninit_is_arbitrary),
            path: (config.path && config.trace != 0).then(Box::default),
            config,
            regs: Vec::new(),
            wides: Vec::new(),
            vars: Vec::new(),
            frames: Vec::new(),
            allocas: Vec::new(),
            steps: 0,
            serial: 0,
            coverage,
            trace: VecDeque::new(),
            events: 0,
            asked: 0,
            observed: Vec::new(),
            watched: crate::watch::Kept::default(),
            compared: Default::default(),
            externals: BTreeSet::new(),
            call_log: Vec::new(),
            jumps: BTreeMap::new(),
            next_jump: 1,
            inputs: Vec::new(),
            ifuncs: BTreeMap::new(),
            environment: BTreeMap::new(),
            descriptors: BTreeSet::new(),
            positions: BTreeMap::new(),
            places: Vec::new(),
            destructors_ran: false,
            keep_main: false,
            main_roots: Vec::new(),
            out_of_memory: false,
            floors: Vec::new(),
            returned: Vec::new(),
            float: crate::float::FloatEnv { nan_sign: x86 },
            lasso: Default::default(),
            descent: Default::default(),
        }
    }

    pub fn bits(&self, t: Ty) -> u32 {
        t.bits(&self.module.target)
    }

    pub fn ask(&mut self, q: &Question<'_>) -> Res<u64> {
        let answer = q.reduce(self.script.choose(q)?);
        self.asked += 1;
        if self.config.states && q.is_input() {
            self.lasso.asked();
            self.compared.forget();
        }
        if self.config.observe != 0 {
            self.observe_choice(q.tag(), answer);
        }
        Ok(answer)
    }

    #[inline]
    pub fn top(&self) -> &Frame<'p> {
        &self.frames[self.frames.len() - 1]
    }

    #[inline]
    pub fn top_mut(&mut self) -> &mut Frame<'p> {
        let i = self.frames.len() - 1;
        &mut self.frames[i]
    }

    /// The IR instruction being executed by the innermost frame; `None` at a terminator.
    pub fn inst(&self) -> Option<&'p Inst> {
        let f = self.top();
        let (b, i) = *f.code.places.get(f.pc)?;
        self.program.body(f.func)?.blocks[b as usize].insts.get(i as usize)
    }

    /// Source position of a frame.
    pub fn span_of(&self, depth: usize) -> SpanId {
        let f = &self.frames[depth];
        let Some((b, i)) = f.code.places.get(f.pc) else { return SpanId(0) };
        let Some(body) = self.program.body(f.func) else { return SpanId(0) };
        let block = &body.blocks[*b as usize];
        block.insts.get(*i as usize).map_or(block.term_span, |i| i.span)
    }

    /// Where the innermost user frame is.
    pub fn user_site(&self) -> Site {
        let user = (0..self.frames.len()).rev().find(|&d| !self.program.is_model(self.frames[d].func));
        match user.or(self.frames.len().checked_sub(1)) {
            Some(d) => {
                let f = &self.frames[d];
                let place = f.code.places.get(f.pc).copied().unwrap_or((0, 0));
                Site { func: f.func.0, span: self.span_of(d).0, place }
            }
            None => Site::NONE,
        }
    }

    /// Reads a register or constant of a frame.
    pub fn read_at(&self, depth: usize, s: Src) -> Val {
        let f = &self.frames[depth];
        let i = (s & INDEX) as usize;
        match (s & CONST != 0, s & WIDE != 0) {
            (false, false) => Val::Small(self.regs[f.base + i]),
            (true, false) => Val::Small(f.code.consts[i]),
            (false, true) => Val::Wide(self.wides[f.wide_base + i].clone()),
            (true, true) => Val::Wide(f.code.wide_consts[i].clone()),
        }
    }

    pub fn read(&self, s: Src) -> Val {
        self.read_at(self.frames.len() - 1, s)
    }

    /// Reads an operand of the innermost frame's function.
    pub fn operand(&self, o: &Operand) -> Val {
        match o {
            Operand::Value(v) => self.read(self.top().code.homes[v.index()]),
            Operand::Const(c) => match self.program.constant(c) {
                ConstValue::Small(s) => Val::Small(s),
                ConstValue::Wide(b) => Val::Wide(b),
            },
        }
    }

    pub fn operand_ty(&self, o: &Operand) -> Ty {
        match (o, self.program.body(self.top().func)) {
            (Operand::Value(v), Some(b)) => b.ty(*v),
            (Operand::Const(c), _) => c.ty(),
            _ => Ty::Int(64),
        }
    }

    /// Writes a register of the innermost frame.
    pub fn write(&mut self, d: Src, v: Val) {
        let f = self.top();
        let i = (d & INDEX) as usize;
        if d & WIDE != 0 {
            let at = f.wide_base + i;
            self.wides[at] = v.big();
        } else {
            let at = f.base + i;
            self.regs[at] = v.slot();
        }
    }

    pub fn write_value(&mut self, r: verify_ir::Value, v: Val) {
        let home = self.top().code.homes[r.index()];
        self.write(home, v);
    }

    pub fn event(&mut self, kind: TraceKind) {
        if self.config.trace == 0 || self.steps < self.config.trace_from {
            return;
        }
        let d = self.frames.len() - 1;
        let func = self.frames[d].func;
        let event = TraceEvent { span: self.span_of(d), func, depth: d as u32, nr: self.events, kind };
        self.events += 1;
        if let Some(path) = &mut self.path
            && !self.program.is_model(func)
        {
            path.add(self.frames[d].pc as u32, &event);
        }
        if self.trace.len() >= self.config.trace {
            self.trace.pop_front();
        }
        self.trace.push_back(event);
    }

    /// A pointer to the start of an object.
    pub fn pointer_to(&self, slot: u32) -> Slot {
        Slot { v: self.mem.objects[slot as usize].base, u: 0, p: self.mem.prov_of(slot) }
    }

    /// A new object, its gap asked from the script where configured.
    pub fn allocate(&mut self, area: Area, kind: Kind, size: u64, align: u64, site: Site) -> Res<u32> {
        let gap = if self.config.ask_bases {
            self.ask(&Question::Gap { size, align })?.saturating_mul(align.max(1))
        } else {
            0
        };
        let slot = self.mem.alloc(area, kind, size, align, gap, site)?;
        if self.config.ask_contents && self.config.uninit_is_arbitrary {
            self.fill(slot, size)?;
        }
        Ok(slot)
    }

    /// What nobody has written is as the script says. It stays what a lifetime marker takes for untouched.
    fn fill(&mut self, slot: u32, size: u64) -> Res<()> {
        for _ in 0..self.ask(&Question::Contents { size, part: 0 })? {
            let at = self.ask(&Question::Contents { size, part: 1 })?;
            let bytes = self.ask(&Question::Contents { size, part: 2 })?.to_le_bytes();
            let data = self.mem.objects[slot as usize].data.make_mut();
            for (to, from) in data.iter_mut().skip(at as usize).zip(bytes) {
                *to = from;
            }
        }
        Ok(())
    }

    /// A new stack object of the innermost frame.
    pub fn allocate_stack(&mut self, kind: Kind, size: u64, align: u64, site: Site) -> Res<u32> {
        let slot = self.allocate(Area::Stack, kind, size, align, site)?;
        self.mem.objects[slot as usize].slot = self.allocas.len() as u32;
        self.allocas.push(self.mem.prov_of(slot));
        Ok(slot)
    }

    pub fn end_allocas(&mut self, from: usize, site: Site) {
        while self.allocas.len() > from {
            if let Some(s) = self.allocas.pop().and_then(|p| self.mem.slot_if_made(p)) {
                self.mem.end(s, State::OutOfScope, site);
            }
        }
    }

    /// Resolves a range that is read; contents still to come from the script arrive now.
    pub fn readable(&mut self, p: Slot, n: u64, role: PtrRole, ty: Ty) -> Res<(u32, u64)> {
        if p.u != 0 {
            return Halt::undefined("address");
        }
        let (slot, off) = self.mem.resolve(Access { addr: p.v, prov: p.p, size: n, write: false }, role)?;
        if self.mem.objects[slot as usize].pending(off, n) {
            self.materialise(slot, off, n, ty)?;
        }
        Ok((slot, off))
    }

    /// Resolves a range that is written.
    pub fn writable(&mut self, p: Slot, n: u64, role: PtrRole) -> Res<(u32, u64)> {
        if p.u != 0 {
            return Halt::undefined("address");
        }
        self.mem.resolve(Access { addr: p.v, prov: p.p, size: n, write: true }, role)
    }

    /// Loads a value of any type.
    pub fn load(&mut self, p: Slot, ty: Ty) -> Res<Val> {
        let n = ty.store_bytes(&self.module.target);
        let bits = self.bits(ty);
        let (slot, off) = self.readable(p, n, PtrRole::Main, ty)?;
        let o = &self.mem.objects[slot as usize];
        if ty != Ty::Ptr && o.has_address_in(off, n, self.mem.ptr_bytes) {
            self.mem.looked.set(true);
        }
        if is_small(ty) {
            let (v, u) = o.read(off as usize, n as usize, self.mem.big_endian);
            let mut s = Slot { v: v & mask(bits), u: u & mask(bits), p: NO_PROV };
            if n == self.mem.ptr_bytes {
                if let Some(ps) = &o.pointers {
                    s.p = ps.get().get(off, n);
                }
                if ty == Ty::Ptr && s.v == 0 && s.u == 0 {
                    s.p = NULL_PROV;
                }
                if s.p == NO_PROV && o.has_address_in(off, n, n) {
                    self.mem.looked.set(true);
                }
            }
            return Ok(Val::Small(s));
        }
        let (bytes, defined) = o.read_range(off, n);
        let order = |b: &[u8]| {
            let mut b = b.to_vec();
            if self.mem.big_endian {
                b.reverse();
            }
            UBig::from_le_bytes(&b)
        };
        let all = ones(bits);
        let v = order(bytes) & &all;
        if ty == Ty::Float(FloatKind::X87) && self.config.uninit_is_arbitrary && float::is_no_number(&v) {
            return Halt::unmodelled("bytes that are no `long double`");
        }
        let u = match defined {
            None => UBig::ZERO,
            Some(m) => order(&m.iter().map(|b| !b).collect::<Vec<u8>>()) & all,
        };
        Ok(Val::Wide(Big { v, u }))
    }

    /// Stores a value of any type.
    pub fn store(&mut self, p: Slot, ty: Ty, v: &Val) -> Res<()> {
        let n = ty.store_bytes(&self.module.target);
        let (slot, off) = self.writable(p, n, PtrRole::Main)?;
        self.put(slot, off, ty, v);
        Ok(())
    }

    /// Writes a value into a range that was resolved.
    pub fn put(&mut self, slot: u32, off: u64, ty: Ty, v: &Val) {
        let n = ty.store_bytes(&self.module.target);
        let (pb, be) = (self.mem.ptr_bytes, self.mem.big_endian);
        let o = &mut self.mem.objects[slot as usize];
        match v {
            Val::Small(s) if n <= 8 => {
                o.write(off as usize, n as usize, s.v, s.u, be, pb);
                if n == pb && s.p >= u64::from(FIRST) {
                    o.set_pointer(off, s.p, pb);
                }
            }
            v => {
                let b = v.big();
                let bytes = |x: &UBig| {
                    let mut out: Vec<u8> =
                        words(x, (n * 8) as u32).iter().flat_map(|w| w.to_le_bytes()).take(n as usize).collect();
                    out.resize(n as usize, 0);
                    if be {
                        out.reverse();
                    }
                    out
                };
                let defined: Vec<u8> = bytes(&b.u).iter().map(|x| !x).collect();
                let uniform = defined.iter().all(|x| *x == 0xff);
                o.write_range(off, &bytes(&b.v), if uniform { None } else { Some(&defined) }, pb);
            }
        }
    }

    /// Copies memory, after the checks.
    pub fn copy(&mut self, dst: Slot, src: Slot, n: u64) -> Res<()> {
        if n == 0 {
            return Ok(());
        }
        let s = self.readable(src, n, PtrRole::Source, Ty::Int(8))?;
        let d = self.writable(dst, n, PtrRole::Main)?;
        self.mem.copy(d, s, n);
        Ok(())
    }

    /// Defined bytes of a range.
    pub fn read_bytes(&mut self, p: Slot, n: u64, role: PtrRole, what: &'static str) -> Res<Vec<u8>> {
        if n == 0 {
            return Ok(Vec::new());
        }
        let (slot, off) = self.readable(p, n, role, Ty::Int(8))?;
        let o = &self.mem.objects[slot as usize];
        if o.has_address_in(off, n, self.mem.ptr_bytes) {
            self.mem.looked.set(true);
        }
        let (bytes, mask) = o.read_range(off, n);
        if mask.is_some() {
            return Halt::undefined(what);
        }
        Ok(bytes.to_vec())
    }

    /// The bytes of a NUL-terminated string, without the NUL.
    pub fn read_string(&mut self, p: Slot, role: PtrRole, what: &'static str) -> Res<Vec<u8>> {
        let mut out = Vec::new();
        loop {
            let at = Slot { v: p.v.wrapping_add(out.len() as u64), ..p };
            let b = self.read_bytes(at, 1, role, what)?[0];
            if b == 0 {
                return Ok(out);
            }
            out.push(b);
        }
    }

    /// Writes defined bytes.
    pub fn write_bytes(&mut self, p: Slot, bytes: &[u8], role: PtrRole) -> Res<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        let (slot, off) = self.writable(p, bytes.len() as u64, role)?;
        let pb = self.mem.ptr_bytes;
        self.mem.objects[slot as usize].write_range(off, bytes, None, pb);
        Ok(())
    }

    /// An object with these bytes that lives for ever.
    pub fn environment_object(&mut self, bytes: &[u8], writable: bool, align: u64) -> Res<u32> {
        let slot = self.mem.alloc(Area::Input, Kind::Environment, bytes.len() as u64, align, 0, Site::NONE)?;
        let o = &mut self.mem.objects[slot as usize];
        o.data = crate::object::Cow::Owned(bytes.to_vec());
        o.mask = Mask::Defined;
        o.writable = writable;
        Ok(slot)
    }
}
