//! What the environment of a program does, as far as it is a matter of agreement: the same for every engine, for replay
//! and for what is printed.

pub use verify_interp::is_allocation;
use verify_interp::{Config, ExternalPolicy, Question, Script, ScriptStop};

/// The agreement.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Rules {
    /// `malloc` and its relatives never fail.
    pub allocation_succeeds: bool,
    /// Threads disturb each other nowhere; programs that start some have models that run one after another.
    pub race_free: bool,
    /// A function without a body returns any value and changes nothing.
    pub externals_pure: bool,
    /// An index outside an array inside a larger object is no failure; an access outside the whole object is.
    pub whole_objects: bool,
    /// An uninitialised variable has an arbitrary value; reading it is no failure.
    pub uninit_is_arbitrary: bool,
    /// What only the variables of `main` point to when `main` returns is lost.
    pub main_frame_is_gone: bool,
}

impl Rules {
    /// The rules of the competition on software verification (SV-COMP).
    pub const SV_COMP: Rules = Rules {
        allocation_succeeds: true,
        race_free: false,
        externals_pure: true,
        whole_objects: true,
        uninit_is_arbitrary: true,
        main_frame_is_gone: true,
    };

    /// The configuration of a run under these rules.
    pub fn configure(self, config: &mut Config) {
        if self.externals_pure {
            config.externals = ExternalPolicy::Pure;
        }
        config.uninit_is_arbitrary = self.uninit_is_arbitrary;
        config.inner_bounds = !self.whole_objects;
        config.main_frame_keeps = !self.main_frame_is_gone;
    }

    /// What a script may not choose: the answer that the rules give to a question.
    pub fn answer(self, q: &Question<'_>) -> Option<u64> {
        match q {
            Question::Fail { what } if self.allocation_succeeds && is_allocation(what) => Some(0),
            _ => None,
        }
    }
}

/// A script under rules.
pub struct Ruled<'a> {
    /// The rules.
    pub rules: Rules,
    /// Who chooses what is left.
    pub inner: &'a mut dyn Script,
}

impl Script for Ruled<'_> {
    fn choose(&mut self, q: &Question<'_>) -> Result<u64, ScriptStop> {
        match self.rules.answer(q) {
            Some(a) => Ok(a),
            None => self.inner.choose(q),
        }
    }

    fn watches(&self) -> bool {
        self.inner.watches()
    }

    fn visit(&mut self, state: u64) -> Result<(), ScriptStop> {
        self.inner.visit(state)
    }
}
