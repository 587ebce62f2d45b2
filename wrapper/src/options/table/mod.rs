//! The rows: what both compilers know, and what only one does. Sources: `gcc --help={common,optimizers,c,target,params}`
//! of gcc 12, the "Option Summary" of the GCC manual up to gcc 14, `clang --help-hidden` of clang 19, and what clang 19
//! answers to each of them.

mod clang;
mod gcc;
mod shared;

pub use clang::CLANG;
pub use gcc::GCC;
pub use shared::SHARED;

use super::Effect::Harmless;
use super::{Effect, Row, Shape};

const fn row(name: &'static str, shape: Shape, effect: Effect) -> Row {
    Row { name, shape, effect }
}

const OPT: Effect = Harmless("steers the optimiser only");
const CODE: Effect = Harmless("steers code generation only");
const DIAG: Effect = Harmless("diagnostics only");
pub(super) const DUMP: Effect = Harmless("extra output files only");
const DEBUG: Effect = Harmless("debug information; the capture makes its own");
pub(super) const DEPS: Effect = Harmless("dependency output; the real compiler writes it");
const HARDEN: Effect = Harmless("hardens the generated code; a correct program means the same");
const PROFILE: Effect = Harmless("instrumentation; the program means the same");
const WARN: Effect = Harmless("warning control");
const LTO: Effect = Harmless("link-time optimisation; units are linked by their own linker");
const OTHER: Effect = Harmless("concerns other languages than C");
