//! Which steps of a long trace to show. What explains a failure is the chain of calls that are still open when it
//! happens, what was done in the failing function, and what was done before in those that called it; rounds of loops
//! and calls that have returned come last.

use verify_engine::result::TraceStep;

/// How much a step explains, most first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Weight {
    /// The failure itself.
    Failure,
    /// Where the execution starts.
    Start,
    /// A call that is still open at the failure.
    OpenCall,
    /// Done in the failing call, on the way to the failure.
    SameCall,
    /// Done on the way to the failure in a call further out.
    Path,
    /// Anything else.
    Background,
}

/// A part of a trace to show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// The step with this index.
    Step(usize),
    /// So many steps are left out here.
    Gap(usize),
}

/// The weight of every step.
pub fn weights(steps: &[TraceStep]) -> Vec<Weight> {
    let mut weights = vec![Weight::Background; steps.len()];
    // Backwards: the smallest depth of all later steps tells whether a step's call has returned since.
    let mut lowest = u32::MAX;
    let innermost = steps.last().map_or(0, |s| s.depth);
    for (i, s) in steps.iter().enumerate().rev() {
        weights[i] = match () {
            () if i + 1 == steps.len() => Weight::Failure,
            () if i == 0 => Weight::Start,
            () if s.depth < lowest && s.depth < innermost => Weight::OpenCall,
            () if !s.on_path => Weight::Background,
            () if s.depth == innermost && lowest >= innermost => Weight::SameCall,
            () => Weight::Path,
        };
        lowest = lowest.min(s.depth);
    }
    weights
}

/// At most `limit` steps by weight (open calls and later steps first), in execution order, with the gaps between.
pub fn select(steps: &[TraceStep], limit: usize) -> Vec<Part> {
    let weights = weights(steps);
    let mut order: Vec<usize> = (0..steps.len()).collect();
    order.sort_by_key(|&i| (weights[i], std::cmp::Reverse(i)));
    order.truncate(limit);
    order.sort_unstable();
    let (mut parts, mut next) = (Vec::new(), 0);
    for i in order {
        if i > next {
            parts.push(Part::Gap(i - next));
        }
        parts.push(Part::Step(i));
        next = i + 1;
    }
    if next < steps.len() {
        parts.push(Part::Gap(steps.len() - next));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use verify_ir::{FuncId, SpanId};

    /// One letter per step, `-` for a gap; the depth of a step beside the path is 10 more.
    fn check(depths: &[u32], limit: usize, weights_expect: &str, parts_expect: &str) {
        let step = |&depth: &u32| TraceStep {
            span: SpanId(0),
            func: FuncId(0),
            depth: depth % 10,
            message: String::new(),
            values: vec![],
            on_path: depth < 10,
        };
        let steps: Vec<TraceStep> = depths.iter().map(step).collect();
        let letters: String = weights(&steps)
            .iter()
            .map(|w| match w {
                Weight::Failure => 'F',
                Weight::Start => 'S',
                Weight::OpenCall => 'C',
                Weight::SameCall => 's',
                Weight::Path => 'p',
                Weight::Background => '.',
            })
            .collect();
        assert_eq!(letters, weights_expect);
        let shown: Vec<String> = select(&steps, limit)
            .iter()
            .map(|p| match p {
                Part::Step(i) => i.to_string(),
                Part::Gap(n) => format!("-{n}"),
            })
            .collect();
        assert_eq!(shown.join(" "), parts_expect);
    }

    #[test]
    fn keeps_open_calls_and_the_end() {
        check(&[], 3, "", "");
        check(&[0], 3, "F", "0");
        check(&[0, 0, 1, 1, 0, 1, 1], 12, "SpppCsF", "0 1 2 3 4 5 6");
        check(&[0, 10, 11, 1, 0, 11, 1], 3, "S..pC.F", "0 -3 4 -1 6");
        check(&[0, 1, 2, 3, 3, 3, 3, 3, 3], 5, "SCCsssssF", "0 1 2 -4 7 8");
        check(&[1, 1, 0, 0], 12, "SpsF", "0 1 2 3");
    }
}
