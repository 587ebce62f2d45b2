//! One run.

use crate::config::Config;
use crate::host::Host;
use crate::outcome::{End, Outcome, Stop};
use crate::program::Program;
use crate::script::Script;
use verify_ir::{FuncId, SpanId};

/// One run of a program. Cheap to make.
pub struct Interp<'p> {
    #[allow(dead_code)]
    program: &'p Program,
    #[allow(dead_code)]
    config: Config,
}

impl<'p> Interp<'p> {
    /// A run that has not begun.
    pub fn new(program: &'p Program, config: &Config) -> Interp<'p> {
        Interp { program, config: config.clone() }
    }

    /// Runs constructors, `main` with these arguments and environment (`NAME=value`), and `exit`.
    pub fn run_main(
        self,
        args: &[Vec<u8>],
        env: &[Vec<u8>],
        script: &mut dyn Script,
        host: Option<&mut dyn Host>,
    ) -> Outcome {
        let _ = (args, env, script, host);
        self.stop()
    }

    /// Runs `func` on inputs that keep the input contract, drawn from the script.
    pub fn run_function(self, func: FuncId, script: &mut dyn Script, host: Option<&mut dyn Host>) -> Outcome {
        let _ = (func, script, host);
        self.stop()
    }

    fn stop(self) -> Outcome {
        Outcome {
            end: End::Stopped(Stop::Unmodelled { reason: "the interpreter".into(), span: SpanId(0) }),
            steps: 0,
            peak_memory: 0,
            coverage: None,
            trace: vec![],
            externals: vec![],
        }
    }
}
