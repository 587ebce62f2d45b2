//! A program made ready for the engines: checks, starting points, reachability and the interpreter's translation.

use crate::entries::{Roots, roots};
use crate::reach::Reach;
use crate::result::TargetKind;
use crate::rules::Rules;
use crate::scheduler::ScanOptions;
use crate::sequence::{Sequence, with_sequences};
use std::any::{Any, TypeId};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, OnceLock};
use verify_checks::calls::is_model;
use verify_checks::{CheckId, Checks, Frame};
use verify_facts::points_to::{Externals, Options, PointsTo};
use verify_facts::reach::implicit_roots;
use verify_facts::values::{self, Given, Settled};
use verify_facts::{MemoryEffects, Ownership, World};
use verify_interp::{Failure, Program};
use verify_ir::{CheckKind, FuncId, Module, noted};

/// A program to be scanned.
#[derive(Clone, Debug)]
pub struct ProgramInput {
    /// Path of the target, relative to the scanned folder.
    pub name: String,
    /// How it is made.
    pub kind: TargetKind,
    /// Linked with the library models; well formed.
    pub module: Arc<Module>,
    /// What the linker and the reader had to say, as sentences.
    pub diagnostics: Vec<String>,
    /// Part of the program could not be read.
    pub incomplete: bool,
}

/// A program without what costs time to make; enough to plan sequences.
pub struct Draft {
    /// Name.
    pub name: String,
    /// Kind.
    pub kind: TargetKind,
    /// The linked program.
    pub module: Arc<Module>,
    /// Starting points.
    pub roots: Roots,
    /// Call graph.
    pub reach: Reach,
    /// What the environment does.
    pub rules: Rules,
}

impl Draft {
    /// Reads the program.
    pub fn new(input: &ProgramInput, options: &ScanOptions) -> Draft {
        Draft {
            name: input.name.clone(),
            kind: input.kind,
            module: input.module.clone(),
            roots: roots(&input.module, input.kind, &options.entries, options.only_named),
            rules: options.rules,
            reach: Reach::new(&input.module, input.kind),
        }
    }
}

/// A program under analysis. Shared by all tasks.
pub struct Subject {
    /// The program as read.
    pub draft: Draft,
    /// Its checks.
    pub checks: Arc<Checks>,
    /// The sequences of calls that may be run.
    pub sequences: Vec<Sequence>,
    /// The program with the sequences, translated.
    pub program: Program,
    first_sequence: FuncId,
    implicit: BTreeSet<FuncId>,
    address_taken: Vec<FuncId>,
    settled: OnceLock<Settled>,
    ownership: OnceLock<Ownership>,
    shared: Mutex<BTreeMap<TypeId, Arc<dyn Any + Send + Sync>>>,
}

/// What a failure in the interpreter means for the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Attribution {
    /// It fails this check.
    Check(CheckId),
    /// It happens in a sequence of calls itself, outside the program.
    Outside,
    /// It is no enumerated check: a defect of this tool.
    Inconsistent,
}

impl Subject {
    /// Enumerates the checks and translates the program.
    pub fn new(draft: Draft, sequences: Vec<Sequence>) -> Subject {
        let checks = Arc::new(verify_checks::enumerate(&draft.module));
        let (module, first_sequence) = with_sequences(&draft.module, &sequences);
        let implicit = implicit_roots(&draft.module).into_iter().collect();
        let address_taken = verify_checks::calls::Calls::new(&draft.module).address_taken().iter().copied().collect();
        Subject {
            draft,
            checks,
            sequences,
            program: Program::new(module),
            first_sequence,
            implicit,
            address_taken,
            settled: OnceLock::new(),
            ownership: OnceLock::new(),
            shared: Mutex::default(),
        }
    }
    /// Functions that the system calls: constructors and the like.
    pub fn implicit(&self) -> &BTreeSet<FuncId> {
        &self.implicit
    }
    /// Functions whose address the program takes, in order.
    pub fn address_taken(&self) -> &[FuncId] {
        &self.address_taken
    }
    /// What an engine makes of the program as a whole, made once. Whoever looks at it in a task that is known by what it
    /// looked at says in [`crate::Engine::whole`] what it is.
    pub fn shared<T: Any + Send + Sync>(&self, make: impl FnOnce() -> T) -> Arc<T> {
        let mut all = self.shared.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let one = all.entry(TypeId::of::<T>()).or_insert_with(|| noted::aside(|| Arc::new(make())));
        one.clone().downcast().expect("it is kept under its type")
    }
    /// What callers get from the library only.
    pub fn ownership(&self) -> &Ownership {
        let find = || Ownership::new(self.module(), &self.draft.roots.boundary);
        self.ownership.get_or_init(|| noted::aside(find))
    }
    /// What is known of the program's values, computed when it is first asked for. When `stop` says so meanwhile,
    /// nothing is known from then on.
    pub fn settled(&self, stop: &dyn Fn() -> bool) -> &Settled {
        let find = || {
            let module = self.module();
            let (roots, rules) = (&self.draft.roots, &self.draft.rules);
            let world = if self.draft.kind == TargetKind::Executable { World::Closed } else { World::Open };
            let externals = if rules.externals_pure { Externals::Pure } else { Externals::Havoc };
            let whole = rules.whole_objects;
            let roots = roots.entries.iter().chain(&roots.boundary).copied().collect();
            let linked = matches!(self.draft.kind, TargetKind::Executable | TargetKind::SharedObject);
            let options = Options { world, linked, roots, externals, indexes_checked: !whole };
            let points_to = PointsTo::new(module, &options);
            let effects = MemoryEffects::new(module, &points_to);
            let calls = self.draft.reach.calls();
            let unchecked = whole.then_some(CheckKind::ArrayIndex);
            let (points_to, effects) = (&points_to, &effects);
            let uninit_is_arbitrary = rules.uninit_is_arbitrary;
            values::settle(Given { module, points_to, effects, calls, unchecked, uninit_is_arbitrary }, stop)
        };
        self.settled.get_or_init(|| noted::aside(find))
    }
    /// The linked program.
    pub fn module(&self) -> &Arc<Module> {
        &self.draft.module
    }
    /// The function that makes the calls of a sequence; it exists in [`Program::module`] only.
    pub fn sequence_function(&self, n: u32) -> FuncId {
        FuncId(self.first_sequence.0 + n)
    }
    /// The function is a sequence, not part of the program.
    pub fn is_sequence(&self, f: FuncId) -> bool {
        f >= self.first_sequence
    }
    /// User code: neither library model nor sequence, and with a body.
    pub fn is_user(&self, f: FuncId) -> bool {
        !self.is_sequence(f) && self.module().func(f).body.is_some() && !is_model(self.module(), self.module().func(f))
    }
    /// The check that a failure fails.
    pub fn attribute(&self, failure: &Failure) -> Attribution {
        let module = self.program.module();
        let frames = || failure.stack.iter().map(|f| Frame { func: f.func, loc: f.loc });
        if verify_checks::user_frame(module, frames()).is_some_and(|f| self.is_sequence(f.func)) {
            return Attribution::Outside;
        }
        match self.checks.attribute(module, frames(), failure.kind) {
            Some(id) => Attribution::Check(id),
            None => Attribution::Inconsistent,
        }
    }
}
