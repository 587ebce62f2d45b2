//! Abstract objects: what a pointer may point to, named by paths that mean the same in every run (files, functions,
//! variables, chains of calls), not by numbers of this module.

use crate::points_to::offset::Offset;
use verify_ir::{FuncId, GlobalId, InitData, InstKind, Linkage, Loc, Module, Value};

/// An abstract object of a [`crate::PointsTo`]: an index into [`crate::PointsTo::objects`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ObjectId(pub u32);

impl ObjectId {
    /// All that unknown code owns.
    pub const UNKNOWN: ObjectId = ObjectId(0);
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A call in a function.
pub type Site = (FuncId, Loc);

/// What an abstract object stands for.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ObjectKind {
    /// Everything that unknown code owns: what its pointers point to besides escaped objects.
    Unknown,
    /// A variable or literal.
    Global(GlobalId),
    /// A function; its only place is offset 0.
    Function(FuncId),
    /// All objects made by an `alloca` (in clones of a function for one call: of these).
    Stack {
        /// Function.
        func: FuncId,
        /// The result of the `alloca`.
        value: Value,
        /// Calls that the function was cloned for, outermost first.
        calls: Vec<Site>,
    },
    /// All objects made by one call of the allocation primitive in clones for one chain of calls.
    Heap {
        /// Function that calls the primitive.
        func: FuncId,
        /// The call.
        loc: Loc,
        /// Calls that lead there, outermost first.
        calls: Vec<Site>,
    },
    /// The callee's copy of a struct argument.
    ByVal {
        /// Callee.
        func: FuncId,
        /// Parameter, from 0.
        param: u32,
        /// Calls that the function was cloned for.
        calls: Vec<Site>,
    },
    /// Memory that holds the further arguments of a variadic function.
    VarArgs {
        /// Function.
        func: FuncId,
        /// Calls that the function was cloned for.
        calls: Vec<Site>,
    },
    /// The array that `argv` or the environment is.
    Argv,
    /// Its strings.
    ArgvString,
    /// What `getenv` gives: texts that nobody may write to.
    EnvironmentString,
    /// What a memory copy moves; not an object of the program.
    Transfer,
}

impl ObjectKind {
    /// Calls that the function it belongs to was cloned for, outermost first.
    pub fn calls(&self) -> &[Site] {
        match self {
            ObjectKind::Stack { calls, .. }
            | ObjectKind::Heap { calls, .. }
            | ObjectKind::ByVal { calls, .. }
            | ObjectKind::VarArgs { calls, .. } => calls,
            _ => &[],
        }
    }
}

/// An abstract object.
#[derive(Clone, Debug)]
pub struct AbstractObject {
    /// What it stands for.
    pub kind: ObjectKind,
    /// Name.
    pub name: String,
    /// Bytes, when all that it stands for have one known size.
    pub size: Option<u64>,
    /// Bytes; a power of two.
    pub align: u64,
    /// A store to it fails a check.
    pub read_only: bool,
    /// Stands for at most one object in an execution (not: stack objects of functions that may be active twice or of
    /// loops, heap objects).
    pub single: bool,
    /// Unknown code has its address.
    pub escaped: bool,
}

/// A place in memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Location {
    /// Object.
    pub object: ObjectId,
    /// Offsets in it.
    pub offset: Offset,
}

/// The name of a function: as the linker has it, with the source file for internal ones.
pub fn function_name(m: &Module, f: FuncId) -> String {
    let func = m.func(f);
    match (func.linkage, m.units.get(func.unit.index())) {
        (Linkage::Internal, Some(u)) => format!("{}::{}", u.source, func.name),
        _ => func.name.clone(),
    }
}

fn position(m: &Module, (f, loc): Site) -> String {
    let Some(b) = m.func(f).body.as_ref() else { return function_name(m, f) };
    let s = m.span(b.span_at(loc));
    let path = m.files.get(s.file.index()).map_or("", |f| f.path.as_str());
    // Calls on one position (a macro) are told apart by their place in the function.
    format!("{path}:{}:{} in {} {}.{}", s.line, s.column, function_name(m, f), loc.block, loc.inst)
}

fn chain(m: &Module, calls: &[Site]) -> String {
    calls.iter().rev().map(|c| format!(" < {}", position(m, *c))).collect()
}

/// The name of an object.
pub fn name(m: &Module, kind: &ObjectKind) -> String {
    match kind {
        ObjectKind::Unknown => "unknown".into(),
        ObjectKind::Global(g) => global_name(m, *g),
        ObjectKind::Function(f) => format!("function {}", function_name(m, *f)),
        ObjectKind::Stack { func, value, calls } => {
            let body = m.func(*func).body.as_ref();
            let var = body.and_then(|b| Some(&b.vars[b.values[value.index()].var?.index()].name));
            let var = var.map_or_else(String::new, |v| format!(" ({v})"));
            format!("{}: alloca {value}{var}{}", function_name(m, *func), chain(m, calls))
        }
        ObjectKind::Heap { func, loc, calls } => {
            // The outermost call that is named is what the user wrote.
            let what = calls.first().and_then(|c| callee_name(m, *c));
            let what = what.unwrap_or_else(|| function_name(m, *func));
            format!("heap: {what}@{}{}", position(m, (*func, *loc)), chain(m, calls))
        }
        ObjectKind::ByVal { func, param, calls } => {
            format!("{}: copy of argument {}{}", function_name(m, *func), param + 1, chain(m, calls))
        }
        ObjectKind::VarArgs { func, calls } => {
            format!("{}: further arguments{}", function_name(m, *func), chain(m, calls))
        }
        ObjectKind::Argv => "argv".into(),
        ObjectKind::ArgvString => "argv[]".into(),
        ObjectKind::EnvironmentString => "environment".into(),
        ObjectKind::Transfer => "transfer".into(),
    }
}

fn callee_name(m: &Module, (f, loc): Site) -> Option<String> {
    let block = m.func(f).body.as_ref()?.blocks.get(loc.block.index())?;
    let InstKind::Call(c) = &block.insts.get(loc.inst as usize)?.kind else { return None };
    match &c.callee {
        verify_ir::Operand::Const(verify_ir::Const::Symbol(s)) => Some(m.symbol_name(*s).to_string()),
        _ => None,
    }
}

fn global_name(m: &Module, g: GlobalId) -> String {
    let global = m.global(g);
    let unit = m.units.get(global.unit.index()).map_or("", |u| u.source.as_str());
    if global.compiler_made && global.source_name.is_empty() {
        // Numbers of literals change with every edit above them; their text does not.
        let pieces = global.init.iter().flat_map(|i| &i.pieces);
        let mut text = String::new();
        for p in pieces.take(1) {
            if let InitData::Bytes(b) = &p.data {
                text = format!(" \"{}\"", String::from_utf8_lossy(&b[..b.len().min(24)]).escape_default());
            }
        }
        return format!("literal {unit}::{}{text}", global.name);
    }
    match global.linkage {
        Linkage::Internal => format!("global {unit}::{}", global.name),
        _ => format!("global {}", global.name),
    }
}
