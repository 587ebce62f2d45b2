//! What a run may use up and how it treats the world outside the program. All budgets are counters, never the clock.

/// Configuration of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// IR instructions that may be executed. Counted per block; an execution may exceed it by one block.
    pub max_steps: u64,
    /// Bytes of live memory (objects of all kinds).
    pub max_memory: u64,
    /// Depth of the call stack.
    pub max_depth: u32,
    /// Largest fresh input object in bytes; a larger answer of the script is cut.
    pub max_input_size: u64,
    /// Depth of calls of unknown code, and how its effects are treated.
    pub externals: ExternalPolicy,
    /// Run the program's constructors before [`crate::Interp::run_function`] (`run_main` always does).
    pub constructors: bool,
    /// Record which edges of the control-flow graphs are taken.
    pub coverage: bool,
    /// Keep the last this many [`crate::TraceEvent`]s; 0 switches tracing off.
    pub trace: usize,
    /// Events of the first this many steps are not kept: what a second run of the same execution does not need.
    pub trace_from: u64,
    /// Keep the loop-free path to where the run ends, [`crate::Outcome::path`] (only with `trace`).
    pub path: bool,
    /// Record what user code computes, as [`crate::Observed`] steps, about this many at most: the run is out of steps
    /// then. 0 switches it off.
    pub observe: usize,
    /// Record values at these places, in [`crate::Outcome::watched`].
    pub watch: crate::Watch,
    /// Record this many comparisons that decided for one of several ways, in [`crate::Outcome::compared`]. 0: none.
    pub compare: usize,
    /// `array-index` checks can fail; otherwise only accesses outside the whole object do.
    pub inner_bounds: bool,
    /// Check for lost memory when the process exits normally, other than with an error after an allocation failed.
    pub leaks_at_exit: bool,
    /// What the frame of `main` points to is kept when `main` returns; otherwise its variables are gone by then.
    pub main_frame_keeps: bool,
    /// Check for lost memory when the function of `run_function` returns.
    pub leaks_at_return: bool,
    /// Ask the script for the bits of uninitialised values. They never decide anything before a failing check, so the
    /// default is not to ask (they are 0).
    pub ask_uninit: bool,
    /// Ask the script what a new stack or heap object holds that nobody has written yet (only with
    /// `uninit_is_arbitrary`; otherwise, and where the script says nothing, zeros).
    pub ask_contents: bool,
    /// An uninitialised variable is one arbitrary defined value, asked of the script, and reading it fails no check.
    /// Memory that was not written is zero, of all that it may be.
    pub uninit_is_arbitrary: bool,
    /// Ask the script for the gap before each stack, heap and input object.
    pub ask_bases: bool,
    /// Watch for a state that repeats: [`crate::Stop::Repeats`].
    pub lasso: bool,
    /// Show the script the states that the run is in where control goes backwards behind an input: [`crate::Script::visit`].
    pub states: bool,
    /// Keep what can be seen of the run when it ends: [`crate::Outcome::snapshot`].
    pub snapshot: bool,
    /// In `run_function`: the function is a made-up caller that keeps the input contract. A call of it with a pointer to
    /// an object that is no longer live would not be made: the execution ends there, as by `exit`.
    pub contract_caller: bool,
    /// In `run_function`: the non-constant globals of user code hold arbitrary values of their type (materialised
    /// lazily) instead of their initial ones.
    pub havoc_globals: bool,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            max_steps: u64::MAX,
            max_memory: 4 << 30,
            max_depth: 100_000,
            max_input_size: 1 << 16,
            externals: ExternalPolicy::Stop,
            constructors: true,
            coverage: false,
            trace: 0,
            trace_from: 0,
            path: false,
            observe: 0,
            watch: crate::Watch::default(),
            compare: 0,
            inner_bounds: true,
            leaks_at_exit: false,
            main_frame_keeps: true,
            leaks_at_return: false,
            ask_uninit: false,
            ask_contents: false,
            uninit_is_arbitrary: false,
            ask_bases: false,
            lasso: false,
            states: false,
            snapshot: false,
            contract_caller: false,
            havoc_globals: false,
        }
    }
}

/// What a call of a function without a body does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExternalPolicy {
    /// Ends the run as [`crate::Stop::External`].
    Stop,
    /// The result is a scripted value; all writable memory reachable through the pointer arguments becomes arbitrary
    /// (and counts as kept alive by the unknown code). Each such call is listed in [`crate::Outcome::externals`].
    Havoc,
    /// The result is a scripted value; nothing is changed (the rule of verification competitions).
    Pure,
}
