//! The loop-free path to where an execution is: of every call that has not returned, what was done in it, with the
//! rounds of loops taken out ("loop erasure" of a walk, Lawler 1980) and calls that returned as one step with their
//! result. It is what explains to a reader how a place was reached, however long the execution was; it is not a record
//! of the execution (that is [`crate::Outcome::trace`]).
//!
//! A branch at a place that is on the path already takes back what came after that place. What variables were given
//! stays, the last value of each, as it is what the loop did; and that a pointer was null before something was added to
//! it (`*p++`). The path of a call is as long as the function at most.

use crate::outcome::{PathStep, TraceEvent, TraceKind};
use std::collections::{BTreeMap, VecDeque};
use verify_ir::FuncId;

/// Results of library calls that are kept.
const RESULTS: usize = 24;

/// What a step is the same as.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Key {
    /// The instruction of a function.
    Place(u32),
    /// An assignment to a variable.
    Var(String),
    /// The null pointer that the address in a variable was made from.
    Null(String),
}

/// One call that has not returned.
#[derive(Default, Debug)]
struct Open {
    /// In order; `None` where a later step took it back.
    steps: Vec<Option<(Key, PathStep)>>,
    /// Where each is in `steps`.
    at: BTreeMap<Key, usize>,
}

impl Open {
    fn add(&mut self, key: Key, step: PathStep) {
        let before = self.at.get(&key).copied();
        match (&key, before) {
            (Key::Place(_), Some(i)) => self.take_back(i),
            (Key::Var(name), _) => self.assign(name, before, &step),
            _ => {}
        }
        if self.steps.len() > 32 && self.steps.len() > 2 * self.at.len() {
            self.steps.retain(Option::is_some);
            self.at = self.steps.iter().flatten().enumerate().map(|(i, (k, _))| (k.clone(), i)).collect();
        }
        self.at.insert(key.clone(), self.steps.len());
        self.steps.push(Some((key, step)));
    }

    /// The variable has another value than that of step `before`.
    fn assign(&mut self, name: &str, before: Option<usize>, step: &PathStep) {
        let value = |s: &PathStep| match &s.event.kind {
            TraceKind::Assign { value, .. } => value.clone(),
            _ => String::new(),
        };
        let old = before.and_then(|i| self.steps[i].take());
        let null = Key::Null(name.into());
        // An address of no object: it was made from another number.
        let made = value(step).starts_with("0x");
        let from_null = made && old.as_ref().is_some_and(|(_, s)| value(s) == "NULL");
        if (from_null || !made)
            && let Some(i) = self.at.remove(&null)
        {
            self.steps[i] = None;
        }
        if let (true, Some(i), Some((_, s))) = (from_null, before, old) {
            self.steps[i] = Some((null.clone(), s));
            self.at.insert(null, i);
        }
    }

    /// Takes back what came from the step `from` on, but for what variables were given.
    fn take_back(&mut self, from: usize) {
        for (key, step) in self.steps.split_off(from).into_iter().flatten() {
            match key {
                Key::Place(_) => {
                    self.at.remove(&key);
                }
                Key::Var(_) | Key::Null(_) => {
                    self.at.insert(key.clone(), self.steps.len());
                    self.steps.push(Some((key, step)));
                }
            }
        }
    }
}

/// The paths of all open calls, and the last results of the library that came from outside.
#[derive(Default, Debug)]
pub(crate) struct Path {
    open: Vec<Open>,
    /// Open calls of the library from user code: the depth of the callee, and how many answers were asked for before.
    library: Vec<(usize, u64)>,
    results: VecDeque<(FuncId, String)>,
}

impl Path {
    /// An event of user code at `place` (an instruction of its function).
    pub fn add(&mut self, place: u32, event: &TraceEvent) {
        let key = match &event.kind {
            TraceKind::Return { .. } => return,
            TraceKind::Assign { var, .. } => Key::Var(var.clone()),
            _ => Key::Place(place),
        };
        let depth = event.depth as usize;
        self.open.truncate(depth + 1);
        self.open.resize_with(depth + 1, Open::default);
        self.open[depth].add(key, PathStep { event: event.clone(), returned: None });
    }

    /// A call begins at `depth`, of the library by user code or not, after `asked` answers.
    pub fn enter(&mut self, depth: usize, library: bool, asked: u64) {
        self.open.truncate(depth);
        self.library.retain(|&(d, _)| d < depth);
        if library {
            self.library.push((depth, asked));
        }
    }

    /// The call of `func` at `depth` returns `value`, after `asked` answers.
    pub fn leave(&mut self, depth: usize, func: FuncId, value: Option<&str>, asked: u64) {
        self.open.truncate(depth);
        if let Some(Open { steps, .. }) = depth.checked_sub(1).and_then(|d| self.open.get_mut(d))
            && let Some(Some((_, step))) = steps.last_mut()
            && step.event.kind == (TraceKind::Call { callee: func })
        {
            step.returned = Some(value.map(str::to_string));
        }
        if let Some(&(d, before)) = self.library.last()
            && d == depth
        {
            self.library.pop();
            if let Some(v) = value
                && before != asked
            {
                self.results.push_back((func, v.to_string()));
                if self.results.len() > RESULTS {
                    self.results.pop_front();
                }
            }
        }
    }

    /// The steps of all open calls, and the results of library calls.
    pub fn finish(self) -> (Vec<PathStep>, Vec<(FuncId, String)>) {
        let steps = self.open.into_iter().flat_map(|o| o.steps).flatten().map(|(_, s)| s);
        let mut steps: Vec<PathStep> = steps.collect();
        // A variable's last value in an outer call is older than the calls in it.
        steps.sort_by_key(|s| s.event.nr);
        (steps, self.results.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use verify_ir::SpanId;

    /// Steps: `b3` a branch at 3, `c3` a call, `r` its return, `x` an assignment; each at the depth they are at.
    fn check(steps: &str, expect: &str) {
        let mut path = Path::default();
        let mut depth = 0;
        for (nr, s) in steps.split(' ').enumerate() {
            let place = s[1..].parse().unwrap_or(0);
            let event = |kind| TraceEvent { span: SpanId(place), func: FuncId(0), depth, nr: nr as u64, kind };
            match &s[..1] {
                "b" => path.add(place, &event(TraceKind::Branch { taken: true })),
                "c" => {
                    path.enter(depth as usize + 1, true, nr as u64);
                    path.add(place, &event(TraceKind::Call { callee: FuncId(0) }));
                    depth += 1;
                }
                "r" => {
                    path.leave(depth as usize, FuncId(0), Some(&s[1..]), nr as u64);
                    depth -= 1;
                }
                "n" => path.add(0, &event(TraceKind::Assign { var: "p".into(), value: "NULL".into() })),
                "p" => path.add(0, &event(TraceKind::Assign { var: "p".into(), value: format!("0x{nr}") })),
                "q" => path.add(0, &event(TraceKind::Assign { var: "p".into(), value: "&x".into() })),
                _ => path.add(0, &event(TraceKind::Assign { var: s.into(), value: nr.to_string() })),
            }
        }
        let shown = path.finish().0.into_iter().map(|s| match s.event.kind {
            TraceKind::Branch { .. } => format!("b{}", s.event.span.0),
            TraceKind::Call { .. } => format!("c{}{}", s.event.span.0, s.returned.flatten().unwrap_or("(".into())),
            TraceKind::Assign { var, value } => format!("{var}={value}"),
            _ => unreachable!(),
        });
        assert_eq!(shown.collect::<Vec<_>>().join(" "), expect);
    }

    #[test]
    fn loops_are_taken_out() {
        check("b1 b2 b3", "b1 b2 b3");
        check("b1 b2 b3 b2 b3 b2 b4", "b1 b2 b4");
        check("x b1 x y b2 b1 x b1 b5", "y=3 x=6 b1 b5");
        check("b1 c2 b7 r= b1 c3 b7", "b1 c3( b7");
        check("c2 b7 c8 b9 r0 r1 b3", "c21 b3");
        check("c2 c2 b1 b2 b1", "c2( c2( b1");
        check("n b1 p p b1 p", "p=NULL b1 p=0x5");
        check("n p q p b1", "p=0x3 b1");
        check("n b1 n p b1", "p=NULL p=0x3 b1");
    }
}
