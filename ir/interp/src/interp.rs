//! One run, from outside: start it, get its [`Outcome`].

use crate::code::Slot;
use crate::config::Config;
use crate::ctypes;
use crate::fault::{Halt, Res};
use crate::host::Host;
use crate::machine::{Machine, Val};
use crate::object::{Kind, NULL_PROV};
use crate::outcome::{End, Outcome, Stop};
use crate::program::Program;
use crate::script::{Origin, Script};
use verify_ir::{CType, FuncId, GlobalId, Linkage, Module, SpanId, Ty, TypeId};

/// One run of a program. Cheap to make.
pub struct Interp<'p> {
    program: &'p Program,
    config: Config,
}

/// What the run came to, before it is told.
enum Done {
    Exited(i32),
    Returned(Vec<Val>),
}

impl<'p> Interp<'p> {
    /// A run that has not begun.
    pub fn new(program: &'p Program, config: &Config) -> Interp<'p> {
        Interp { program, config: config.clone() }
    }

    /// Runs constructors, `main` with these arguments and environment (`NAME=value`), and `exit`.
    pub fn run_main<'e>(
        self,
        args: &[Vec<u8>],
        env: &[Vec<u8>],
        script: &'e mut dyn Script,
        host: Option<&'e mut dyn Host>,
    ) -> Outcome {
        let mut m = Machine::new(self.program, self.config, script, host);
        let r = run_main(&mut m, args, env);
        finish(m, r, None)
    }

    /// Runs `func` on inputs that keep the input contract, drawn from the script.
    pub fn run_function<'e>(self, func: FuncId, script: &'e mut dyn Script, host: Option<&'e mut dyn Host>) -> Outcome {
        let mut m = Machine::new(self.program, self.config, script, host);
        let r = run_function(&mut m, func);
        finish(m, r, Some(func))
    }
}

fn constructors(m: &mut Machine<'_, '_>) -> Res<()> {
    let mut all = m.module.constructors.clone();
    all.sort_by_key(|c| c.priority);
    for c in all {
        m.call_nested(c.func, &[])?;
    }
    Ok(())
}

fn run_main(m: &mut Machine<'_, '_>, args: &[Vec<u8>], env: &[Vec<u8>]) -> Res<Done> {
    let Some(main) = m.module.function_named("main").filter(|f| m.module.func(*f).body.is_some()) else {
        return Halt::unmodelled("a program without `main`");
    };
    let argv = string_array(m, args)?;
    let envp = string_array(m, env)?;
    for e in env {
        if let Some(i) = e.iter().position(|b| *b == b'=')
            && m.host.is_none()
        {
            let mut value = e[i + 1..].to_vec();
            value.push(0);
            let slot = m.environment_object(&value, false, 1)?;
            let p = m.pointer_to(slot);
            m.environment.insert(e[..i].to_vec(), p);
        }
    }
    set_environ(m, envp)?;
    constructors(m)?;
    let sig = &m.module.func(main).sig;
    let mut values = Vec::new();
    for (k, p) in sig.params.iter().enumerate() {
        values.push(match k {
            0 => Val::of_u128(args.len() as u128, m.bits(p.ty)),
            1 => Val::Small(argv),
            2 => Val::Small(envp),
            _ => Val::undef(m.bits(p.ty)),
        });
    }
    let returned = m.call_main(main, &values)?;
    let status = match (returned.first(), sig.results.first()) {
        (Some(v), Some(_)) => v.slot(),
        _ => Slot::int(0),
    };
    let exit = m.module.function_named("exit").filter(|f| m.module.func(*f).body.is_some());
    if let Some(exit) = exit {
        m.call_nested(exit, &[Val::Small(status)])?;
    }
    Ok(Done::Exited(status.v as u32 as i32))
}

/// A NULL-terminated array of pointers to strings.
fn string_array(m: &mut Machine<'_, '_>, strings: &[Vec<u8>]) -> Res<Slot> {
    let pb = m.mem.ptr_bytes;
    let array = m.environment_object(&vec![0; (strings.len() + 1) * pb as usize], true, 16)?;
    for (k, s) in strings.iter().enumerate() {
        let mut bytes = s.clone();
        bytes.push(0);
        let slot = m.environment_object(&bytes, true, 1)?;
        let p = Val::Small(m.pointer_to(slot));
        m.put(array, k as u64 * pb, Ty::Ptr, &p);
    }
    Ok(m.pointer_to(array))
}

/// `environ` starts out as the environment, whether the program defines it or leaves that to the C library.
fn set_environ(m: &mut Machine<'_, '_>, envp: Slot) -> Res<()> {
    for name in ["environ", "__environ"] {
        let found = m.module.globals.iter().position(|g| {
            let visible = g.linkage != Linkage::Internal && g.size == m.mem.ptr_bytes;
            g.name == name && visible && !g.constant
        });
        if let Some(i) = found {
            let p = m.program.static_slot(GlobalId::new(i).0);
            m.store(p, Ty::Ptr, &Val::Small(envp))?;
        }
    }
    Ok(())
}

fn run_function(m: &mut Machine<'_, '_>, func: FuncId) -> Res<Done> {
    let info = m.module.func(func);
    let Some(body) = &info.body else {
        return Halt::unmodelled(format!("start at `{}`, which has no body", info.name));
    };
    if m.config.constructors {
        constructors(m)?;
    }
    m.mem.open_globals = m.config.havoc_globals;
    let mut values = Vec::new();
    for (k, p) in info.sig.params.iter().enumerate() {
        let var = body.values[body.blocks[0].params[k].index()].var.and_then(|v| body.vars.get(v.index()));
        let declared = var.and_then(|v| v.ctype);
        let path = var.map_or_else(|| format!("argument {}", k + 1), |v| v.name.clone());
        let origin = Origin::Param(k as u32);
        if let Some(size) = p.attrs.sret {
            let slot = m.mem.alloc(crate::memory::Area::Input, Kind::Input, size, 16, 0, crate::object::Site::NONE)?;
            m.mem.objects[slot as usize].origin = u32::MAX;
            values.push(Val::Small(m.pointer_to(slot)));
        } else if let Some((size, _)) = p.attrs.byval {
            let elem = declared.filter(|t| ctypes::size(m.module, *t) == size);
            let slot = m.input_object(elem, size, 1, &path)?;
            if let Some(l) = &mut m.mem.objects[slot as usize].lazy {
                l.direct = true;
            }
            values.push(Val::Small(m.pointer_to(slot)));
        } else {
            let ctype = declared.and_then(|t| scalar_part(m.module, t, p.ty));
            let ctype = ctype.or_else(|| prototype_param(m.module, info.ctype, k, info.sig.params.len()));
            let v = m.scripted(p.ty, ctype, origin, &path, p.attrs.nonnull)?;
            let part = m.in_registers(body, 0, 0, body.blocks[0].params[k]);
            values.push(part.map_or(v.clone(), |(t, at)| m.valid_bools(v, p.ty, t, at)));
        }
    }
    let returned = m.call_nested(func, &values)?;
    Ok(Done::Returned(returned))
}

/// The C type of the machine value that a parameter of C type `t` (perhaps a struct in registers) is passed in.
fn scalar_part(m: &Module, t: TypeId, ty: Ty) -> Option<TypeId> {
    let t = ctypes::strip(m, t);
    match m.ctype(t) {
        CType::Base { .. } | CType::Pointer(_) | CType::Enum { .. } => Some(t),
        CType::Record(r) if ty == Ty::Ptr => {
            // The first pointer member decides what the pointer points to.
            r.fields.iter().find_map(|f| match m.ctype(ctypes::strip(m, f.ty)) {
                CType::Pointer(_) => Some(ctypes::strip(m, f.ty)),
                CType::Record(_) => scalar_part(m, f.ty, ty),
                _ => None,
            })
        }
        _ => None,
    }
}

/// The type of parameter `k` in the C prototype, when it has as many parameters as the machine signature.
fn prototype_param(m: &Module, ctype: Option<TypeId>, k: usize, n: usize) -> Option<TypeId> {
    match m.ctype(ctypes::strip(m, ctype?)) {
        CType::Function { params, .. } if params.len() == n => params.get(k).map(|t| ctypes::strip(m, *t)),
        _ => None,
    }
}

fn finish(mut m: Machine<'_, '_>, r: Res<Done>, func: Option<FuncId>) -> Outcome {
    let snapshot = m.config.snapshot.then(|| {
        let types = func.map(|f| m.module.func(f).sig.results.clone()).unwrap_or_default();
        let values = match &r {
            Ok(Done::Returned(values)) => values.iter().cloned().zip(types).collect(),
            _ => Vec::new(),
        };
        Box::new(m.snapshot(&values))
    });
    let end = match r {
        Ok(Done::Exited(status)) => exited(&mut m, status),
        Ok(Done::Returned(values)) => returned(&mut m, &values, func),
        Err(halt) => match *halt {
            Halt::Exit(status) => exited(&mut m, status),
            Halt::Abort => End::Aborted,
            Halt::Fail(kind, detail) => End::Failed(Box::new(m.failure(kind, &detail))),
            Halt::Steps => End::Stopped(Stop::Steps),
            Halt::Repeats { from, to } => End::Stopped(Stop::Repeats { from, to, span: m.place_now() }),
            Halt::Memory => End::Stopped(Stop::Memory),
            Halt::Depth => End::Stopped(Stop::CallDepth),
            Halt::Unmodelled(reason) => End::Stopped(Stop::Unmodelled { reason: reason.into(), span: where_now(&m) }),
            Halt::External(name) => End::Stopped(Stop::External { name: name.into(), span: where_now(&m) }),
            Halt::AssumeFalse => End::Stopped(Stop::AssumeFalse),
            Halt::Script(s) => End::Stopped(Stop::Script(s)),
        },
    };
    let (path, results) = m.path.take().map(|p| p.finish()).unwrap_or_default();
    Outcome {
        end,
        path,
        results,
        steps: m.steps,
        peak_memory: m.mem.peak,
        coverage: m.coverage.take(),
        addresses_read: m.mem.looked.get(),
        trace: std::mem::take(&mut m.trace).into(),
        observed: std::mem::take(&mut m.observed),
        watched: std::mem::take(&mut m.watched).into_all(),
        compared: std::mem::take(&mut m.compared.all),
        may_fail: std::mem::take(&mut m.compared.may_fail)
            .into_iter()
            .map(|(way, (nth, answer))| crate::MayFail { way, nth, answer })
            .collect(),
        externals: std::mem::take(&mut m.externals).into_iter().collect(),
        snapshot,
    }
}

/// The innermost user position.
fn where_now(m: &Machine<'_, '_>) -> SpanId {
    SpanId(m.user_site().span)
}

fn exited(m: &mut Machine<'_, '_>, status: i32) -> End {
    let roots = std::mem::take(&mut m.main_roots);
    // Of a program that gives up because memory is exhausted, what it lost does not matter.
    let gave_up = m.out_of_memory && status != 0;
    if m.config.leaks_at_exit
        && !gave_up
        && let Some(slot) = m.leaked(&roots)
    {
        return End::Failed(Box::new(m.leak_failure(slot)));
    }
    End::Exited(status)
}

fn returned(m: &mut Machine<'_, '_>, values: &[Val], func: Option<FuncId>) -> End {
    if m.config.leaks_at_return {
        let roots: Vec<Slot> = values.iter().map(Val::slot).filter(|s| s.p > NULL_PROV || s.v != 0).collect();
        if let Some(slot) = m.leaked(&roots) {
            return End::Failed(Box::new(m.leak_failure(slot)));
        }
    }
    let types = func.map(|f| m.module.func(f).sig.results.clone()).unwrap_or_default();
    let text = values.iter().zip(types).map(|(v, t)| m.show(v, t, None)).collect();
    End::Returned(text)
}
