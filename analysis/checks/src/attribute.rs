//! From a failure in the interpreter to the check it fails: the innermost frame of user code is where it is reported.

use crate::calls::is_model;
use crate::enumerate::settled_by;
use crate::{CheckId, Checks};
use verify_ir::{CheckKind, FuncId, Loc, Module, Terminator};

/// A frame of the call stack at a failure: where control is in a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame {
    /// Function.
    pub func: FuncId,
    /// The failing place, or the call that leads to the next inner frame.
    pub loc: Loc,
}

/// The innermost frame that is not in a library model.
pub fn user_frame(module: &Module, innermost_first: impl IntoIterator<Item = Frame>) -> Option<Frame> {
    innermost_first.into_iter().find(|f| !is_model(module, module.func(f.func)))
}

impl Checks {
    /// The check that a failure of `kind` with this call stack fails. `None` breaks the invariant of this crate;
    /// callers report it as an internal inconsistency.
    pub fn attribute(
        &self,
        module: &Module,
        innermost_first: impl IntoIterator<Item = Frame>,
        kind: CheckKind,
    ) -> Option<CheckId> {
        match user_frame(module, innermost_first) {
            Some(f) => self.find(f.func, f.loc, kind).or_else(|| {
                let body = module.func(f.func).body.as_ref()?;
                self.find(f.func, settled_by(body, f.loc, kind)?, kind)
            }),
            // Only library code is on the stack: the program is past `main`.
            None => self.at_program_end(module, kind),
        }
    }

    /// The check of this kind where `main` returns.
    pub fn at_program_end(&self, module: &Module, kind: CheckKind) -> Option<CheckId> {
        let main = module.function_named("main")?;
        let body = module.func(main).body.as_ref()?;
        body.block_ids().find_map(|b| {
            let data = body.block(b);
            let loc = Loc { block: b, inst: data.insts.len() as u32 };
            matches!(data.term, Terminator::Return(_)).then(|| self.find(main, loc, kind)).flatten()
        })
    }
}
