//! Formulas of one program and the solver that they are asked of.

use verify_encode::{Encoder, Formula, Plan, TooBig};
use verify_engine::meter;
use verify_kiki::infer::Ask;
use verify_solver::sat::cadical::Cadical;
use verify_solver::{Bv, Outcome, Pool, Solver, Term};

/// Conflicts of one query about an invariant.
const INFERENCE_CONFLICTS: u64 = 2_000;
/// Iterations that loops decided by constants are followed where all of them are too many: loops in loops.
const FEW_FOLLOWED: u32 = 8;

/// An encoder, its solver, and what they may still spend.
pub struct Session<'a> {
    /// The encoder.
    pub encoder: Encoder<'a>,
    solver: Solver<Cadical>,
    asserted: usize,
    /// Conflicts of all queries.
    conflicts: u64,
    /// Most iterations that loops decided by constants are followed.
    followed: u32,
    stop: &'a dyn Fn() -> bool,
}

impl<'a> Session<'a> {
    /// With a budget of conflicts for all queries.
    pub fn new(encoder: Encoder<'a>, conflicts: u64, stop: &'a dyn Fn() -> bool) -> Session<'a> {
        Session { encoder, solver: Solver::default(), asserted: 0, conflicts, followed: u32::MAX, stop }
    }

    /// The formula of a plan; the error says why there is none.
    pub fn encode(&mut self, plan: &Plan) -> Result<Formula, &'static str> {
        let _running = meter::start(meter::Phase::Encode);
        let mut plan = Plan { deterministic: plan.deterministic.min(self.followed), ..plan.clone() };
        let mut encoded = self.encoder.encode(&plan, self.stop);
        if matches!(encoded, Err(TooBig::Instructions | TooBig::Terms)) && plan.deterministic > FEW_FOLLOWED {
            self.followed = FEW_FOLLOWED;
            plan.deterministic = self.followed;
            encoded = self.encoder.encode(&plan, self.stop);
        }
        encoded.map_err(|e| match e {
            TooBig::Instructions => "budget: instructions in the formula",
            TooBig::Terms => "budget: terms",
            TooBig::Objects => "budget: objects",
            TooBig::Stopped => "time",
        })
    }

    /// Queries and conflicts so far.
    pub fn spent(&self) -> (u64, u64) {
        let s = self.solver.statistics();
        (s.queries, s.conflicts)
    }

    /// The budget is used up, or somebody wants an end.
    pub fn exhausted(&self) -> bool {
        (self.stop)() || self.solver.statistics().conflicts >= self.conflicts
    }

    /// Is there a model of all of these?
    pub fn all(&mut self, conditions: &[Term], conflicts: u64) -> Outcome {
        if self.exhausted() {
            return Outcome::Unknown;
        }
        let t = &mut self.encoder.terms;
        while self.asserted < t.axioms.len() {
            let a = t.axioms[self.asserted];
            self.asserted += 1;
            self.solver.assert(&t.pool, a);
        }
        if conditions.iter().any(|c| t.pool.as_const(*c).is_some_and(|v| v.is_zero())) {
            return Outcome::Unsat(Vec::new());
        }
        let left = self.conflicts - self.solver.statistics().conflicts.min(self.conflicts);
        let _running = meter::start(meter::Phase::Solve);
        self.solver.check(&mut t.pool, conditions, Some(conflicts.min(left).max(1)))
    }

    /// Cannot all of these hold?
    pub fn never(&mut self, conditions: &[Term], conflicts: u64) -> bool {
        matches!(self.all(conditions, conflicts), Outcome::Unsat(_))
    }

    /// The value of a term of at most 128 bits in the last model, read as a signed number.
    pub fn number(&mut self, t: Term) -> i128 {
        let v = self.value(t);
        let w = v.width();
        let u = v.to_u128().unwrap_or(0);
        ((u << (128 - w)) as i128) >> (128 - w)
    }
}

impl Ask for Session<'_> {
    fn any(&mut self, conditions: &[Term], assumptions: &[Term]) -> Outcome {
        let q = self.encoder.terms.pool.or_all(conditions.iter().copied());
        let all: Vec<Term> = assumptions.iter().copied().chain([q]).collect();
        self.all(&all, INFERENCE_CONFLICTS)
    }
    fn value(&mut self, t: Term) -> Bv {
        self.solver.value(&self.encoder.terms.pool, t)
    }
    fn pool(&mut self) -> &mut Pool {
        &mut self.encoder.terms.pool
    }
}
