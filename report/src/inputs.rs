//! The inputs of a failing execution as plain data, so that a program of its own can be fed with them: how it starts and
//! every free choice with what it was about. Names stand for functions and files; nothing refers to the analysed program.

use serde::{Deserialize, Serialize};
use verify_engine::log::{Asked, Choice};
use verify_engine::result::Evidence;
use verify_engine::sequence::Arg as SequenceArg;
use verify_engine::start::{Start as EngineStart, decode};
use verify_ir::{CType, Encoding, FloatKind, FuncId, Function, Module, Ty, TypeId};

/// Inputs of an execution.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Inputs {
    /// How it starts.
    pub start: Start,
    /// The choices, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<Input>,
}

/// How an execution starts.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Start {
    /// `main` with these arguments (hexadecimal), the name of the program first.
    Main(Vec<String>),
    /// Calls, one after the other.
    Calls(Vec<Call>),
}

/// A call.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Call {
    /// The function.
    pub function: String,
    /// File that its body is in, as the compiler named it.
    pub file: String,
    /// Its arguments.
    pub args: Vec<Arg>,
    /// Why no C program can make this call; empty when one can.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub obstacle: String,
}

/// An argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Arg {
    /// The value chosen for [`Place::Param`] of this number.
    Free(u32),
    /// The result of an earlier call, counted from 0.
    Result(u32),
    /// What the pointer chosen for a parameter points to, of this many bits; 0: a pointer.
    Pointee(u32, u32),
}

/// A choice.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Input {
    /// Whether an operation (`malloc`) fails.
    Fail(String, bool),
    /// A number from outside.
    Number(String, u64),
    /// Bytes from outside, hexadecimal.
    Bytes(String, String),
    /// What a system call returns.
    System(String, i64),
    /// So many bits of a number.
    #[allow(missing_docs)]
    Scalar { place: Place, value: u64, bits: u32, part: u32, float: bool },
    /// A pointer.
    Pointer(Place, Pointer),
    /// A function; none is null, an empty name is unknown code.
    Function(Place, Option<String>),
    /// How many elements of how many bytes an object has.
    Object(u32, u64, u64),
    /// Something that a program cannot be told: the bits of an uninitialised value, a gap between objects.
    Other(u64),
}

/// Where a value ends up.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Place {
    /// Parameter, from 0.
    Param(u32),
    /// Object and byte in it.
    Cell(u32, u64),
    /// Result of a function without a body.
    External(String),
}

/// What a pointer points to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pointer {
    /// Nothing.
    Null,
    /// The object that is described next.
    New,
    /// The beginning of an object described before.
    Known(u32),
}

impl Inputs {
    /// Of a replayed failure; none when its recording is not of the form that this version writes.
    pub fn of(module: &Module, e: &Evidence) -> Option<Inputs> {
        let (start, sequence, _) = decode(&e.recording)?;
        let start = match (start, sequence) {
            (EngineStart::Main(args), _) => Start::Main(args.iter().map(|a| crate::source::hex(a)).collect()),
            (EngineStart::Function(f), _) => {
                let n = module.functions.get(f.index())?.sig.params.len() as u32;
                Start::Calls(vec![call(module, f, (0..n).map(Arg::Free).collect())?])
            }
            (EngineStart::Sequence(_), Some(s)) => {
                let args = |args: &[SequenceArg]| {
                    args.iter()
                        .map(|a| match a {
                            SequenceArg::Free(i) => Arg::Free(*i),
                            SequenceArg::Result(i) => Arg::Result(*i),
                            SequenceArg::Pointee { param, bits } => Arg::Pointee(*param, *bits),
                        })
                        .collect()
                };
                Start::Calls(s.calls.iter().map(|c| call(module, c.func, args(&c.args))).collect::<Option<_>>()?)
            }
            (EngineStart::Sequence(_), None) => return None,
        };
        let mut choices: Vec<Input> = Vec::new();
        for c in &e.choices {
            let next = input(module, c);
            match (choices.last_mut(), next) {
                (Some(Input::Bytes(of, bytes)), Input::Bytes(more_of, more)) if *of == more_of => bytes.push_str(&more),
                (_, next) => choices.push(next),
            }
        }
        Some(Inputs { start, choices })
    }
}

fn call(module: &Module, f: FuncId, args: Vec<Arg>) -> Option<Call> {
    let func = module.functions.get(f.index())?;
    let file = module.files.get(module.span(func.span).file.index()).map_or("", |f| f.path.as_str());
    let obstacle = match obstacle(module, func) {
        Some(what) => format!("`{}` {what}", func.name),
        None => String::new(),
    };
    Some(Call { function: func.name.clone(), file: file.into(), args, obstacle })
}

/// Why no C text that is made of numbers and pointers calls the function.
fn obstacle(module: &Module, func: &Function) -> Option<String> {
    let sig = &func.sig;
    // The place for the result would be the first parameter.
    if sig.params.iter().any(|p| p.attrs.sret.is_some()) {
        return Some("returns a struct by value".into());
    }
    if let Some(CType::Function { params, .. }) = func.ctype.map(|t| module.ctype(t)) {
        if let Some(what) = params.iter().find_map(|t| by_value(module, *t)) {
            return Some(format!("takes {what} by value"));
        }
        // Under a prototype each parameter is one value.
        if params.len() != sig.params.len() {
            return Some("has parameters that are not passed as they are declared".into());
        }
    }
    // What the types of the machine still say, where the debug information says nothing.
    let odd = |p: &verify_ir::Param| match p.ty {
        _ if p.attrs.byval.is_some() => Some("takes a struct by value"),
        _ if p.attrs.lanes > 1 => Some("takes a vector by value"),
        Ty::Float(k) if !matches!(k, FloatKind::Single | FloatKind::Double) => Some("takes a `long double` by value"),
        Ty::Int(bits) if bits > 64 => Some("takes a number of more than 64 bits"),
        _ => None,
    };
    if let Some(what) = sig.params.iter().find_map(odd) {
        return Some(what.into());
    }
    sig.variadic.then(|| "takes a variable number of arguments".into())
}

/// The words for a type whose values cannot be written as a number or a pointer.
fn by_value(module: &Module, ty: TypeId) -> Option<String> {
    let mut at = ty;
    for _ in 0..64 {
        match module.ctype(at) {
            CType::Typedef { ty, .. } | CType::Qualified { ty, .. } => at = *ty,
            CType::Record(r) => return Some(if r.is_union { "a union" } else { "a struct" }.into()),
            // A parameter that is declared as an array is a pointer: this is a vector.
            CType::Array { .. } => return Some("a vector".into()),
            CType::Base { encoding: Encoding::ComplexFloat, .. } => return Some("a complex number".into()),
            CType::Base { name, encoding: Encoding::Float, bits } if !matches!(bits, 32 | 64) => {
                return Some(format!("a `{name}`"));
            }
            CType::Base { name, bits, .. } if *bits > 64 => return Some(format!("an `{name}`")),
            _ => return None,
        }
    }
    None
}

fn input(module: &Module, c: &Choice) -> Input {
    use verify_engine::log::Place as P;
    let place = |p: &P| match p {
        P::Param(n) => Place::Param(*n),
        P::Cell { object, offset } => Place::Cell(*object, *offset),
        P::External(name) => Place::External(name.clone()),
    };
    match &c.what {
        Asked::Fail { what } => Input::Fail(what.clone(), c.value != 0),
        Asked::Nondet { what } => Input::Number(what.clone(), c.value),
        Asked::Bytes { what, count, .. } => {
            let n = (*count as usize).min(8);
            Input::Bytes(what.clone(), crate::source::hex(&c.value.to_le_bytes()[..n]))
        }
        Asked::Syscall { what } => Input::System(what.clone(), c.value as i64),
        Asked::Scalar { place: p, ty, bits, part, .. } => Input::Scalar {
            place: place(p),
            value: c.value,
            bits: *bits,
            part: *part,
            float: matches!(ty, Ty::Float(_)),
        },
        Asked::Pointer { place: p, aliases, .. } => {
            let to = match c.value {
                0 => Pointer::Null,
                1 => Pointer::New,
                k => aliases.get(k as usize - 2).map_or(Pointer::New, |o| Pointer::Known(*o)),
            };
            Input::Pointer(place(p), to)
        }
        Asked::Function { place: p, candidates } => {
            let name = |k: u64| candidates.get(k as usize - 2).map(|f| module.func(*f).name.clone());
            let function = match c.value {
                0 => None,
                1 => Some(String::new()),
                k => Some(name(k).unwrap_or_default()),
            };
            Input::Function(place(p), function)
        }
        Asked::Elements { object, size, .. } => Input::Object(*object, c.value, *size),
        Asked::Other => Input::Other(c.value),
    }
}
