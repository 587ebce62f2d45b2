//! The assumptions that hold for every verdict, printed with every run.

use crate::result::{ProgramResult, TargetKind};
use crate::rules::Rules;

/// As sentences with final stop, for these programs under these rules.
pub fn assumptions(programs: &[ProgramResult], rules: Rules) -> Vec<String> {
    let mut out = vec![
        "Input contract: at a boundary a pointer is null or points into a live, initialised object that is not smaller \
         than the type it points to; unknown callers may pass any object and call any function that escaped to them. \
         What a function releases came from the allocator that fits; unknown code that takes sizes and returns \
         `void *` returns null or that much memory."
            .to_string(),
        "An execution ends at its first failing check.".to_string(),
        format!(
            "There are no data races; {}; signals arrive only where the program sends them to itself or waits for them.",
            if rules.race_free {
                "threads disturb each other nowhere (--assume-race-free): each runs to its end when it is started or \
                 joined, or never, and what other schedules do is not looked at"
            } else {
                "what starts threads is not decided, nor what shares functions or variables with it"
            }
        ),
        "A number that no address was made into is no address of an object; an address that is written to a stream is not \
         read back and used."
            .to_string(),
        format!(
            "The C library behaves as its models say, {}, and whatever comes from outside the process is arbitrary.",
            if rules.allocation_succeeds { "no allocation fails" } else { "any allocation may fail" }
        ),
        "The program is the one that clang sees for the recorded commands; inline assembly may do anything to what it \
         names."
            .to_string(),
    ];
    if programs.iter().any(|p| p.kind != TargetKind::Executable) {
        out.push(
            "Every externally visible function of a library may be called by unknown code, in any order.".to_string(),
        );
    }
    let mut externals: Vec<&str> = programs.iter().flat_map(|p| p.externals.iter().map(String::as_str)).collect();
    externals.sort_unstable();
    externals.dedup();
    if !externals.is_empty() {
        out.push(format!(
            "Functions without a body return any value and {}: {}.",
            if rules.externals_pure { "change nothing" } else { "change only what their arguments reach" },
            externals.join(", ")
        ));
    }
    out
}
