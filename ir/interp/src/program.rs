//! A module made ready to run: shared by all runs and threads.

use std::sync::Arc;
use verify_ir::{Block, FuncId, Module};

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

/// A module made ready to run.
pub struct Program {
    pub(crate) module: Arc<Module>,
}

impl Program {
    /// Prepares a linked, well-formed module (see `verify_ir`'s checker).
    pub fn new(module: Arc<Module>) -> Program {
        Program { module }
    }
    /// The module.
    pub fn module(&self) -> &Module {
        &self.module
    }
}
