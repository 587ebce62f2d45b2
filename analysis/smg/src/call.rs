//! Calls: bodies in place, the primitives under the library's models, and output, which is not followed.

use crate::heap::{Kind, Object, State};
use crate::memory::{Target, Touch};
use crate::shape::Shape;
use crate::value::{Ptr, Range, Val};
use crate::walk::{GivenUp, Res, Step, Walker};
use std::collections::BTreeSet;
use verify_checks::calls::{constant_string, is_model, literal_bytes};
use verify_engine::rules::is_allocation;
use verify_ir::{Body, Call, CheckKind as K, Inst, Loc};

/// Functions that write text and change nothing of the program; those with a format are looked at for `%n`.
const OUTPUT: &[(&str, Option<usize>)] = &[
    ("printf", Some(0)),
    ("fprintf", Some(1)),
    ("puts", None),
    ("putchar", None),
    ("putc", None),
    ("fputc", None),
    ("fputs", None),
    ("perror", None),
    ("fflush", None),
];

/// Functions that end the process; what the library does then is not followed.
const EXITS: &[&str] = &["exit", "_exit", "_Exit"];

/// What calls back later or runs beside, and streams that allocate when they are flushed.
const REFUSED: &[&str] = &[
    "atexit",
    "on_exit",
    "__cxa_atexit",
    "at_quick_exit",
    "quick_exit",
    "signal",
    "sigaction",
    "setjmp",
    "_setjmp",
    "__sigsetjmp",
    "sigsetjmp",
    "longjmp",
    "_longjmp",
    "siglongjmp",
    "__longjmp_chk",
    "clone",
    "clone3",
    "open_memstream",
    "open_wmemstream",
    "fopencookie",
];

impl<'a> Walker<'a> {
    /// A call.
    pub(crate) fn call_inst(
        &mut self,
        shape: &Shape,
        body: &'a Body,
        mut s: State,
        call: &'a Call,
        inst: &Inst,
    ) -> Res<Step> {
        let callee = self.operand(&mut s, &call.callee);
        if !self.must_be_set(&s, &callee) {
            return Ok(Step::Next(Vec::new()));
        }
        let Some(f) = self.function(&callee) else {
            return Err(GivenUp("a call of which the function is not known".into()));
        };
        let data = self.module.func(f);
        let name = data.name.as_str();
        let args: Vec<Val> = call.args.iter().map(|a| self.operand(&mut s, a)).collect();
        let width = inst.results.first().and_then(|r| self.width(body.ty(*r)));
        let set = |s: &mut State, v: Val| {
            if let Some(r) = inst.results.first() {
                s.top().env.insert(*r, v);
            }
        };
        let model = is_model(self.module, data);
        if name.starts_with("__verify_") && data.body.is_none() {
            return self.primitive(body, s, name, &args, inst);
        }
        if call.returns_twice
            || name.starts_with("llvm.")
            || REFUSED.contains(&name)
            || name.starts_with("pthread_")
            || name.starts_with("thrd_")
        {
            return Err(GivenUp(format!("`{name}`")));
        }
        if model && s.library_unknown && EXITS.contains(&name) {
            self.all_may_fail(&s);
            self.ends(&mut s);
            return Ok(Step::Next(Vec::new()));
        }
        if model && let Some((_, format)) = OUTPUT.iter().find(|(n, _)| *n == name) {
            let stores = |text: String| {
                text.split('%').skip(1).any(|t| {
                    t.trim_start_matches(|c: char| !c.is_ascii_alphabetic() || "hlqjzt".contains(c)).starts_with('n')
                })
            };
            if format.is_some_and(|k| call.args.get(k).and_then(|a| constant_string(self.module, a)).is_none_or(stores))
            {
                return Err(GivenUp(format!("the format of `{name}`")));
            }
            self.all_may_fail(&s);
            self.forget_library(&mut s);
            let v = self.anything(&mut s, width);
            set(&mut s, v);
            return Ok(Step::Next(vec![s]));
        }
        if data.body.is_none() {
            return self.external(s, name, call, inst, width);
        }
        let fits = call.args.len() == data.sig.params.len()
            && call.args.iter().zip(&data.sig.params).all(|(a, p)| body.operand_ty(a) == p.ty)
            && inst.results.iter().map(|r| body.ty(*r)).eq(data.sig.results.iter().copied());
        if !fits || call.params.iter().chain(&data.sig.params).any(|p| p.attrs.byval.is_some()) {
            return Err(GivenUp(format!("the arguments of `{name}`")));
        }
        // Of the caller's values those count that it needs afterwards.
        let loc = s.top().loc;
        let after = Loc { inst: loc.inst + 1, ..loc };
        let needed: BTreeSet<_> = shape.live.at(body, after).into_iter().collect();
        s.top().env.retain(|v, _| needed.contains(v));
        let mut out = Vec::new();
        for (mut s, results) in self.call(s, f, args)? {
            if call.noreturn {
                self.may_fail(&s, K::Unreachable);
            }
            let results = inst.results.iter().copied().zip(results);
            s.top().env.extend(results);
            out.push(s);
        }
        Ok(Step::Next(out))
    }

    /// A function without a body: by agreement it returns anything and changes nothing.
    fn external(&mut self, mut s: State, name: &str, call: &Call, inst: &Inst, width: Option<u32>) -> Res<Step> {
        if !self.rules.externals_pure {
            return Err(GivenUp(format!("`{name}` has no body")));
        }
        self.all_may_fail(&s);
        if call.noreturn {
            return Err(GivenUp(format!("`{name}` has no body and does not return")));
        }
        for r in &inst.results {
            let v = self.anything(&mut s, width);
            s.top().env.insert(*r, v);
        }
        Ok(Step::Next(vec![s]))
    }

    fn primitive(&mut self, body: &Body, mut s: State, name: &str, args: &[Val], inst: &Inst) -> Res<Step> {
        let width = inst.results.first().and_then(|r| self.width(body.ty(*r)));
        let arg = |k: usize| args.get(k).copied().unwrap_or(Val::MAYBE);
        let mut result = None;
        match name {
            "__verify_alloc" => {
                let size = arg(0);
                if !self.must_be_set(&s, &size) {
                    return Ok(Step::Next(Vec::new()));
                }
                let (lo, hi) = s.range(&size).map_or((0, u64::MAX.into()), |r| r.unsigned());
                let Val::Int { value: family, .. } = arg(2) else { return Err(GivenUp("a family".into())) };
                let bytes = |n: u128| u64::try_from(n).unwrap_or(u64::MAX);
                let Some(site) = self.check_here(&s, K::Leak) else {
                    return Err(GivenUp("an allocation without a check that it is lost".into()));
                };
                let sites = [site].into();
                let o = s.add(Object::new(Kind::Heap { family, sites }, bytes(lo), bytes(hi), self.fresh()));
                result = Some(Val::Ptr(Ptr::to(o)));
            }
            "__verify_free" => {
                let p = arg(0);
                if !self.must_be_set(&s, &p) {
                    return Ok(Step::Next(Vec::new()));
                }
                let p = match p {
                    Val::Ptr(p) => p,
                    Val::Int { value: 0, .. } | Val::Func(_) => {
                        self.may_fail(&s, K::InvalidFree);
                        return Ok(Step::Next(Vec::new()));
                    }
                    _ => return Err(GivenUp("an address of which nothing is known is freed".into())),
                };
                let Some(o) = s.get(p.obj) else { return Err(GivenUp("an object that is not there".into())) };
                if o.segment.is_some() {
                    return Ok(Step::Again(s.unfold(p.obj, p.end)));
                }
                let (Kind::Heap { family, .. }, live) = (&o.kind, o.live) else {
                    self.may_fail(&s, K::InvalidFree);
                    return Ok(Step::Next(Vec::new()));
                };
                let fits = arg(1) == Val::int(32, *family);
                if !live {
                    self.may_fail(&s, K::DoubleFree);
                    self.may_fail(&s, K::InvalidFree);
                    return Ok(Step::Next(Vec::new()));
                }
                if p.exact() != Some(0) || !fits {
                    self.may_fail(&s, K::InvalidFree);
                    if p.lo > 0 || p.hi < 0 || !fits {
                        return Ok(Step::Next(Vec::new()));
                    }
                }
                self.dies(&mut s, p.obj);
            }
            "__verify_object_size" => {
                let p = match arg(0) {
                    Val::Ptr(p) => p,
                    Val::Int { value: 0, .. } => {
                        let v = width.map_or(Val::SOME, |w| Val::int(w, 0));
                        result = Some(v);
                        Ptr::to(crate::heap::Obj(u32::MAX))
                    }
                    _ => return Err(GivenUp("the size of something unknown".into())),
                };
                if result.is_none() {
                    let Some(o) = s.get(p.obj) else { return Err(GivenUp("an object that is not there".into())) };
                    if o.segment.is_some() {
                        return Ok(Step::Again(s.unfold(p.obj, p.end)));
                    }
                    let (live, heap, size, most) = (o.live, o.on_heap(), o.size, o.most);
                    if !(live && heap && p.exact() == Some(0)) {
                        [K::DoubleFree, K::InvalidFree, K::UseAfterFree].into_iter().for_each(|k| self.may_fail(&s, k));
                        return Ok(Step::Next(Vec::new()));
                    }
                    result = width.map(|w| match size == most {
                        true => Val::int(w, size),
                        false => s.unknown(Range::between(w, size.into(), most.into())),
                    });
                }
            }
            "__verify_choose_failure" => {
                let never = self.rules.allocation_succeeds && self.text(&s, &arg(0)).is_some_and(|t| is_allocation(&t));
                result = Some(match never {
                    true => Val::int(width.unwrap_or(32), 0),
                    false => self.anything(&mut s, width),
                });
            }
            "__verify_nondet_u64" => result = Some(self.anything(&mut s, width)),
            "__verify_nondet_bytes" => {
                let Val::Int { value: n, .. } = arg(1) else { return Err(GivenUp("input of unknown length".into())) };
                if n > 0 {
                    match self.target(&s, &arg(0), n, Touch::Write)? {
                        Target::Apart(states) => return Ok(Step::Again(states)),
                        Target::Nowhere => return Ok(Step::Next(Vec::new())),
                        Target::In(o, lo, hi) => self.store(&mut s, o, lo, hi, n, Val::SOME),
                    }
                }
            }
            "__verify_assume" => {
                let c = arg(0);
                if !self.must_be_set(&s, &c) {
                    return Ok(Step::Next(Vec::new()));
                }
                let zero = s.range(&c).map(|r| Val::int(r.width, 0));
                if let Some(zero) = zero
                    && !self.equal(&mut s, &c, &zero, false)
                {
                    return Ok(Step::Next(Vec::new()));
                }
            }
            "__verify_fail" => {
                match self.text(&s, &arg(0)).and_then(|t| K::from_name(&t)) {
                    Some(k) => self.may_fail(&s, k),
                    None => self.all_may_fail(&s),
                }
                return Ok(Step::Next(Vec::new()));
            }
            "__verify_check_defined" => {
                self.may_fail(&s, K::UninitRead);
                self.all_may_fail(&s);
            }
            // There are none: see `Walker::program`.
            "__verify_analysis_only" | "__verify_run_destructors" => {}
            "__verify_exit" => {
                self.ends(&mut s);
                return Ok(Step::Next(Vec::new()));
            }
            "__verify_abort" => return Ok(Step::Next(Vec::new())),
            _ => return Err(GivenUp(format!("`{name}`"))),
        }
        if let (Some(r), Some(v)) = (inst.results.first(), result) {
            s.top().env.insert(*r, v);
        }
        Ok(Step::Next(vec![s]))
    }

    /// The constant text that an address is of.
    fn text(&self, s: &State, v: &Val) -> Option<String> {
        let Val::Ptr(p) = v else { return None };
        let Kind::Global(g) = s.get(p.obj)?.kind else { return None };
        let data = self.module.global(g);
        if !data.constant {
            return None;
        }
        let bytes = literal_bytes(data.init.as_ref()?, data.size)?;
        let from = bytes.get(usize::try_from(p.exact()?).ok()?..)?;
        let n = from.iter().position(|b| *b == 0)?;
        String::from_utf8(from[..n].to_vec()).ok()
    }
}
