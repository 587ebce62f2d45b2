//! The loop of a task: run, look, keep what reached new code, mutate it, write down what failed.

use crate::condition::{condition, precondition};
use crate::correspond::{self, Edit};
use crate::dictionary::Dictionary;
use crate::generate::{Generator, Learned, Setting, Style, counted};
use crate::genome::Genome;
use crate::minimise::{Minimised, minimise};
use crate::rng::{Rng, mix};
use crate::wishes::Wishes;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use verify_checks::CheckId;
use verify_engine::log::Asked;
use verify_engine::replay;
use verify_engine::{
    Attribution, Budget, Certificate, Leaning, Obligation, Outcome, Start, StopFlag, Subject, TaskReport,
};
use verify_interp::{Config, Coverage, End, Failure, Outcome as Ran, Recording, Replay, Stop, Way};
use verify_ir::{CheckKind, FuncId, noted};

/// A task ends early after this many runs without news (and twice as many as it took to the last news), when they also
/// used this part of its budget.
const PATIENCE: u64 = 200;
const PATIENCE_SHARE: u64 = 4;
/// How many halves of its budget a task gets at most.
const MOST_SHARES: u64 = 4;
/// Steps of one run, at most.
const RUN_STEPS: u64 = 30_000_000;
/// Tries to make a failing run simpler.
const TRIES: u32 = 80;
/// A check that fails on a condition that callers keep is tried so often in all, for a failure that says more.
const RETRIES: u32 = 3;
/// Failures of such a check that are looked at for that.
const LOOKS: u32 = 60;
/// Inputs kept for mutation.
const CORPUS: usize = 128;
/// Inputs that are kept because an operation failed where none had.
const FAILURES: usize = CORPUS / 4;
/// Answers that an alias counts as when failures are compared.
const ALIAS: usize = 64;
/// Comparisons that are looked at in a run that reached something new.
const COMPARISONS: usize = 4_096;
/// Inputs that are made for one way after one run.
const TRIES_AT_ONCE: u32 = 12;
/// Runs that look which bytes of external input do not matter, and the part of the budget that they may take.
const COLOURINGS: usize = 4;
const COLOURING_SHARE: u64 = 256;

/// A task at work.
pub struct Explorer<'a> {
    subject: &'a Subject,
    /// The start; for `main` the arguments are filled in per run.
    start: Start,
    root: FuncId,
    dict: Dictionary,
    learned: Learned,
    corpus: Vec<Genome>,
    /// Inputs that may go a way that no run went.
    wishes: Wishes,
    /// Inputs that were kept because an operation failed where none had.
    failures: usize,
    seen: Coverage,
    found: BTreeMap<CheckId, usize>,
    /// Of these, those that failed on a trivial condition only, with the tries that are left.
    retries: BTreeMap<CheckId, u32>,
    /// The same for failures that are looked at.
    looks: BTreeMap<CheckId, u32>,
    /// Failures that could not be repeated; not tried again.
    given_up: BTreeSet<CheckId>,
    budget: Budget,
    report: TaskReport,
    /// Bytes that come with their number.
    counted: BTreeMap<String, String>,
    /// Some run had a choice.
    asked: bool,
    seed: u64,
}

/// The function that a start is about, and the constants of what it may run.
fn begin(subject: &Subject, start: &Start) -> (FuncId, Dictionary) {
    let roots = &subject.draft.roots;
    let from = match start {
        Start::Main(_) => vec![roots.entries.first().copied().unwrap_or(FuncId(0))],
        Start::Function(f) => vec![*f],
        Start::Sequence(n) => subject.sequences[*n as usize].calls.iter().map(|c| c.func).collect(),
    };
    // The constants are part of the question ([`begins_with`]), not the functions that have them.
    let dict = noted::aside(|| Dictionary::new(subject.module(), &subject.draft.reach.from(&from)));
    (from.first().copied().unwrap_or(FuncId(0)), dict)
}

/// What runs from a start begin with, in words that mean the same in every program.
pub fn begins_with(subject: &Subject, start: &Start) -> String {
    let module = subject.module();
    let (_, dict) = begin(subject, start);
    let mut with = format!("{dict:?}");
    if let Start::Sequence(n) = start {
        let s = &subject.sequences[*n as usize];
        for p in &s.params {
            with.push_str(&format!(" {:?} {}", p.ty, p.name));
        }
        for c in &s.calls {
            let f = module.func(c.func);
            let unit = module.units.get(f.unit.index()).map_or("", |u| u.source.as_str());
            with.push_str(&format!("; {} in {unit} {:?}", f.name, c.args));
        }
    }
    with
}

impl<'a> Explorer<'a> {
    /// A task that has not begun.
    pub fn new(subject: &'a Subject, start: Start, budget: Budget, seed: u64) -> Explorer<'a> {
        let (root, dict) = begin(subject, &start);
        let asked = matches!(start, Start::Main(_));
        let counted = counted(subject, &start);
        Explorer {
            subject,
            start,
            root,
            dict,
            learned: Learned::default(),
            corpus: Vec::new(),
            wishes: Wishes::default(),
            failures: 0,
            seen: Coverage::default(),
            found: BTreeMap::new(),
            retries: BTreeMap::new(),
            looks: BTreeMap::new(),
            given_up: BTreeSet::new(),
            budget,
            report: TaskReport::default(),
            counted,
            asked,
            seed,
        }
    }

    /// The program.
    pub(crate) fn subject(&self) -> &'a Subject {
        self.subject
    }

    /// The start; `main` has its name as its only argument.
    pub(crate) fn plain_start(&self) -> Start {
        match &self.start {
            Start::Main(_) => Start::Main(vec![b"program".to_vec()]),
            s => s.clone(),
        }
    }

    /// What was spent so far, in steps.
    pub(crate) fn spent(&self) -> u64 {
        self.report.spent.cost()
    }

    /// Counts a run. True: it was where none was before.
    pub(crate) fn ran(&mut self, outcome: &verify_interp::Outcome) -> bool {
        self.report.spent.run(outcome.steps);
        for e in &outcome.externals {
            if let Err(at) = self.report.externals.binary_search(e) {
                self.report.externals.insert(at, e.clone());
            }
        }
        outcome.coverage.as_ref().is_some_and(|c| self.seen.merge(c))
    }

    /// Explicit-state search alone.
    pub fn states(mut self, stop: &StopFlag) -> TaskReport {
        let steps = self.budget.steps;
        self.search_states(steps, stop);
        self.finish()
    }

    /// Works until the budget is used up, nothing new turns up, or the stop flag is set.
    pub fn explore(mut self, stop: &StopFlag) -> TaskReport {
        let mut run = 0u64;
        let mut last_new = 0u64;
        let mut cost_at_news = 0u64;
        // Half of the budget to begin with; who finds something all the time gets more than it, who does not leaves it.
        let most = self.budget.steps.saturating_mul(MOST_SHARES) / 2;
        let share = self.budget.steps / 2;
        self.budget.steps = share;
        loop {
            if self.report.spent.exhausts(self.budget) {
                let idle = self.report.spent.cost() - cost_at_news;
                if self.report.spent.runs >= self.budget.runs
                    || idle > self.budget.steps / PATIENCE_SHARE
                    || self.budget.steps >= most
                {
                    break;
                }
                self.budget.steps += share;
            }
            if stop.is_set() {
                self.report.cut_off = true;
                break;
            }
            let idle = self.report.spent.cost() - cost_at_news;
            let done = self.wishes.is_empty() && run > last_new.saturating_mul(2) + PATIENCE;
            if done && idle > self.budget.steps / PATIENCE_SHARE {
                break;
            }
            // What asks nothing always does the same.
            if run > PATIENCE && !self.asked {
                break;
            }
            if self.one(run) {
                last_new = run;
                cost_at_news = self.report.spent.cost();
            }
            run += 1;
        }
        self.finish()
    }

    /// One run; true if it reached new code or failed a new check.
    fn one(&mut self, run: u64) -> bool {
        let mut rng = Rng::new(mix(self.seed ^ mix(run)));
        let sequence = matches!(self.start, Start::Sequence(_));
        let style = Style::choose(&mut rng, run, &self.learned, sequence);
        let wish = if rng.chance(500) { self.wishes.next(&self.seen) } else { None };
        let style = if wish.is_some() { Style::Plain } else { style };
        let wished = wish.is_some();
        // That an operation fails here is new, though nothing else may be.
        let fails = wish.as_ref().is_some_and(|(w, _)| matches!(w, Way::Failure(..)) && self.wishes.is_first(*w));
        let base = if let Some((_, g)) = wish {
            Some(g)
        } else if !self.corpus.is_empty() && rng.chance(650) {
            // New inputs are the most promising.
            let n = self.corpus.len() as u64;
            let back = rng.below(n).min(rng.below(n));
            let g = &self.corpus[(n - 1 - back) as usize];
            let other = rng.pick(&self.corpus);
            Some(g.mutate(&mut rng, &self.dict, other))
        } else {
            None
        };
        let start = match &self.start {
            Start::Main(_) => Start::Main(match &base {
                Some(g) if wished => g.args.clone(),
                Some(g) => self.changed(&mut rng, &g.args),
                None => self.arguments(&mut rng),
            }),
            s => s.clone(),
        };
        let left = self.budget.steps.saturating_sub(self.report.spent.cost());
        let config = Config {
            coverage: true,
            max_steps: RUN_STEPS.min(left).min((self.budget.steps / 12).max(200_000)),
            ..replay::config(&start)
        };
        let script_rng = Rng::new(rng.bits());
        let (outcome, recording, mut genome) = {
            let setting = Setting { subject: self.subject, sequence, counted: &self.counted, dict: &self.dict };
            let mut g = Generator::new(setting, &self.learned, base.as_ref(), script_rng, style);
            let o = replay::run(self.subject, &start, &mut g, &config);
            (o, g.recording, g.genome)
        };
        let new = self.ran(&outcome);
        self.asked |= !recording.0.is_empty();
        let mut found = false;
        match &outcome.end {
            End::Failed(f) => found = self.failed(&start, &recording, f, outcome.steps),
            End::Stopped(Stop::Unmodelled { reason, span }) => self.unmodelled(reason, *span),
            _ => {}
        }
        let fails = fails && self.failures < FAILURES;
        if new || fails {
            if let Start::Main(args) = &start {
                genome.args.clone_from(args);
            }
            if new {
                self.look(&start, recording, &genome, &outcome, &mut rng);
            } else {
                self.failures += 1;
            }
            if self.corpus.len() >= CORPUS {
                // The first ones reach what most reach; half of the old ones go.
                let mut keep = false;
                self.corpus.retain(|_| {
                    keep = !keep;
                    keep
                });
            }
            self.corpus.push(genome);
        }
        new || found
    }

    /// Looks at the comparisons of a run that reached something new, and makes inputs that may go where it did not.
    fn look(&mut self, start: &Start, recording: Recording, genome: &Genome, outcome: &Ran, rng: &mut Rng) {
        let steps = outcome.steps;
        if self.report.spent.cost().saturating_add(steps) > self.budget.steps {
            return;
        }
        let (recording, genome) = self.coloured(start, recording, genome, outcome, rng);
        let max_steps = steps.saturating_add(1_000);
        let config = Config { compare: COMPARISONS, max_steps, ..replay::config(start) };
        let outcome = replay::run(self.subject, start, &mut Replay::new(&recording), &config);
        self.report.spent.run(outcome.steps);
        let mut made: BTreeMap<Way, u32> = BTreeMap::new();
        self.wishes.begin(genome.clone());
        for c in &outcome.compared {
            let made = made.entry(c.way).or_insert(0);
            if *made >= TRIES_AT_ONCE || !self.wishes.wants(c.way, &self.seen) {
                continue;
            }
            for e in correspond::edits(&genome, c, rng) {
                *made += 1;
                self.wishes.add(c.way, e);
            }
        }
        for f in &outcome.may_fail {
            if self.wishes.wants(f.way, &self.seen) {
                self.wishes.add(f.way, Edit::failure(f));
            }
        }
    }

    /// The same run with other bytes of external input where they do not matter for its way, so that equal bytes do not
    /// hide which of them is compared ("colorization": REDQUEEN, section III.A.4).
    fn coloured(
        &mut self,
        start: &Start,
        recording: Recording,
        genome: &Genome,
        outcome: &Ran,
        rng: &mut Rng,
    ) -> (Recording, Genome) {
        let mut best = (recording, genome.clone());
        if outcome.steps.saturating_mul(COLOURINGS as u64) > self.budget.steps / COLOURING_SHARE {
            return best;
        }
        let mut ranges = VecDeque::new();
        ranges.push_back(0..genome.stream.len());
        for _ in 0..COLOURINGS {
            let Some(range) = ranges.pop_front() else { break };
            if range.is_empty() {
                continue;
            }
            let mut changed = best.1.clone();
            changed.stream[range.clone()].fill_with(|| rng.bits() as u8);
            let config =
                Config { coverage: true, max_steps: outcome.steps.saturating_add(1_000), ..replay::config(start) };
            let setting = Setting {
                subject: self.subject,
                sequence: matches!(self.start, Start::Sequence(_)),
                counted: &self.counted,
                dict: &self.dict,
            };
            let script_rng = Rng::new(rng.bits());
            let mut g = Generator::new(setting, &self.learned, Some(&changed), script_rng, Style::Plain);
            let again = replay::run(self.subject, start, &mut g, &config);
            self.report.spent.run(again.steps);
            if again.steps == outcome.steps && again.coverage == outcome.coverage {
                best = (g.recording, g.genome);
            } else if range.len() > 1 {
                let middle = range.start + range.len() / 2;
                ranges.extend([range.start..middle, middle..range.end]);
            }
        }
        best
    }

    fn unmodelled(&mut self, reason: &str, span: verify_ir::SpanId) {
        let module = self.subject.program.module();
        let s = module.span(span);
        // The function is the one whose body has the position.
        let func = noted::aside(|| {
            (0..module.functions.len())
                .map(FuncId::new)
                .find(|&f| {
                    module.func(f).body.as_ref().is_some_and(|b| {
                        b.blocks.iter().any(|b| b.term_span == span || b.insts.iter().any(|i| i.span == span))
                    })
                })
                .unwrap_or(self.root)
        });
        noted::function(func);
        if self.subject.is_sequence(func) || self.report.unmodelled.iter().any(|(f, _)| *f == func) {
            return;
        }
        let file = module.files.get(s.file.index()).map_or("", |f| f.path.as_str());
        self.report.unmodelled.push((func, format!("{reason} at {file}:{}", s.line)));
        self.report.unmodelled.sort();
    }

    /// A run failed: true when it is news.
    pub(crate) fn failed(
        &mut self,
        start: &Start,
        recording: &verify_interp::Recording,
        f: &Failure,
        steps: u64,
    ) -> bool {
        let check = match self.subject.attribute(f) {
            Attribution::Check(c) => c,
            Attribution::Outside => return false,
            Attribution::Inconsistent => {
                let frame = f.user_frame();
                let module = self.subject.program.module();
                let s = module.span(frame.span);
                let file = module.files.get(s.file.index()).map_or("", |f| f.path.as_str());
                let text = format!(
                    "{} in `{}` at {file}:{} is not an enumerated check",
                    f.kind,
                    module.func(frame.func).name,
                    s.line
                );
                if !self.report.inconsistencies.contains(&text) {
                    self.report.inconsistencies.push(text);
                }
                return false;
            }
        };
        let known = self.found.get(&check).copied();
        if self.given_up.contains(&check) || known.is_some() && self.retries.get(&check).is_none_or(|left| *left == 0) {
            return false;
        }
        let max_steps = steps.saturating_mul(2).saturating_add(100_000);
        if known.is_some() {
            let looks = self.looks.entry(check).or_insert(LOOKS);
            if *looks == 0 {
                return false;
            }
            *looks -= 1;
            let as_it_is = minimise(self.subject, start, recording, check, 0, max_steps, &mut self.report.spent);
            if as_it_is.is_none_or(|m| condition(&m.failure, &m).is_some()) {
                return false;
            }
        }
        // Simplifying must not eat the budget of finding.
        let left = self.budget.steps.saturating_sub(self.report.spent.cost());
        let affordable = ((self.budget.steps / 20).min(left / 4) / steps.max(1)).min(u64::from(TRIES)) as u32;
        let m = minimise(self.subject, start, recording, check, affordable, max_steps, &mut self.report.spent);
        let confirmed = m.and_then(|m| match replay::confirm(self.subject, start, &m.recording, check) {
            Ok(c) => Some((m, c)),
            Err(e) => {
                self.report.inconsistencies.push(e);
                None
            }
        });
        let Some((m, mut c)) = confirmed else {
            // A second try that does not repeat leaves what the first one found.
            self.given_up.insert(check);
            return known.is_none();
        };
        let declared = self.subject.draft.roots.entries.contains(&self.root);
        let precondition = || precondition(self.subject, &m.failure, &self.subject.checks.get(check).expr);
        c.evidence.condition = condition(&m.failure, &m).or_else(precondition).filter(|_| !declared);
        let trivial = c.evidence.condition.is_some() || c.evidence.made_up.is_some();
        if trivial {
            *self.retries.entry(check).or_insert(RETRIES) -= 1;
        }
        self.learn(f, &m);
        let mut leaning = Vec::new();
        if !declared || matches!(self.start, Start::Sequence(_)) {
            leaning.push(Leaning::Inputs(self.root));
        }
        if !c.externals.is_empty() {
            if c.evidence.bodiless.is_empty() {
                let names = c.externals.join(", ");
                c.evidence.notes.push((c.evidence.span, format!("the results of {names} are chosen freely")));
            }
            leaning.push(Leaning::Externals(c.externals.clone()));
        }
        let class = u64::from(trivial) << 2
            | u64::from(matches!(self.start, Start::Sequence(_))) << 1
            | u64::from(!c.externals.is_empty());
        // Few callers pass one object twice.
        let length = m.recording.0.len() + ALIAS * m.recording.aliases();
        let rank = class << 40 | (length as u64).min(1 << 20) << 20 | m.steps.min((1 << 20) - 1);
        let outcome = Outcome::Refuted {
            certificate: Certificate::ReplayedTrace(c.trace),
            evidence: Box::new(c.evidence),
            leaning,
            rank,
        };
        match known {
            // A failure that says more takes the place of a trivial one.
            Some(n) if !trivial => {
                self.retries.remove(&check);
                self.report.outcomes[n].1 = outcome;
            }
            Some(_) => {}
            None => {
                self.found.insert(check, self.report.outcomes.len());
                self.report.outcomes.push((Obligation::Check(check), outcome));
            }
        }
        known.is_none()
    }

    /// Choices that made this failure are avoided from now on, so that the code behind it is reached.
    fn learn(&mut self, f: &Failure, m: &Minimised) {
        let input = f.object.as_ref().is_some_and(|o| o.kind == "input");
        for c in &m.choices {
            match &c.what {
                Asked::Pointer { .. } if c.value == 0 && c.natural != 0 => {
                    self.learned.not_null.insert(c.path.clone());
                }
                Asked::Function { .. } if c.value < 2 => {
                    self.learned.known_function.insert(c.path.clone());
                }
                Asked::Fail { .. } if c.value == 1 => self.learned.fails += 1,
                _ => {}
            }
        }
        if input && matches!(f.kind, CheckKind::OutOfBoundsRead | CheckKind::OutOfBoundsWrite) {
            self.learned.clip = true;
            // Which object it was is not said; the smallest that is too small for the access is the likeliest.
            let Some(o) = &f.object else { return };
            let need = (o.offset.max(0) as u64).saturating_add(o.access);
            for c in &m.choices {
                if let Asked::Elements { size, .. } = &c.what
                    && c.value.saturating_mul(*size) == o.size
                    && need < 1 << 14
                {
                    self.learned.elements.insert(c.path.clone(), need.div_ceil((*size).max(1)));
                }
            }
        }
    }

    fn arguments(&self, rng: &mut Rng) -> Vec<Vec<u8>> {
        let mut args = vec![b"program".to_vec()];
        let n = rng.below(4).min(rng.below(5));
        for _ in 0..n {
            // What other inputs have got somewhere with may do so here as well.
            let theirs = rng.pick(&self.corpus).filter(|_| rng.chance(500));
            let theirs = theirs.and_then(|g| rng.pick(g.args.get(1..)?).cloned());
            let arg = theirs.unwrap_or_else(|| self.argument(rng));
            args.push(arg);
        }
        args
    }

    fn argument(&self, rng: &mut Rng) -> Vec<u8> {
        match rng.below(6) {
            0 | 1 => match rng.pick(&self.dict.options) {
                Some(o) => o.clone(),
                None => vec![b'-', b'a' + rng.below(26) as u8],
            },
            2 => {
                let c = rng.pick(&self.dict.chars).copied().unwrap_or(b'h');
                vec![b'-', c]
            }
            3 => b"file".to_vec(),
            4 => rng.below(300).to_string().into_bytes(),
            _ => self.dict.text(rng, 12),
        }
    }

    fn changed(&self, rng: &mut Rng, args: &[Vec<u8>]) -> Vec<Vec<u8>> {
        let mut args = args.to_vec();
        if args.is_empty() {
            return self.arguments(rng);
        }
        if rng.chance(300) {
            let arg = self.argument(rng);
            let at = 1 + rng.below(args.len() as u64) as usize;
            if rng.chance(500) && at < args.len() {
                args[at] = arg;
            } else if args.len() < 8 {
                args.insert(at, arg);
            }
        }
        args
    }

    fn finish(mut self) -> TaskReport {
        let mut entered: BTreeSet<FuncId> = BTreeSet::new();
        let module = self.subject.program.module();
        for i in 0..module.functions.len() {
            let f = FuncId::new(i);
            let edges = self.subject.program.edges_of(f);
            if !edges.is_empty() && !self.subject.is_sequence(f) && self.seen.get(edges.start) {
                entered.insert(f);
            }
        }
        self.report.entered = entered.into_iter().collect();
        self.report
    }
}
