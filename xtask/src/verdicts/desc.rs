//! The regression tests of CBMC and its relatives: a folder per test with descriptions (`test.desc`): level, sources, options, then
//! patterns that the output of the tool must match, then (after `--`) patterns that it must not.

use super::{Expected, Task};
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// The tests of a folder: its own descriptions (`*.desc`, usually one `test.desc`), and those of the folders in it.
pub fn tasks(folder: &Path) -> Result<Vec<Task>> {
    let entries = |p: &Path| -> Result<Vec<PathBuf>> {
        let all = std::fs::read_dir(p).with_context(|| format!("cannot read {}", p.display()))?;
        let mut all = all.map(|e| Ok(e?.path())).collect::<Result<Vec<_>>>()?;
        all.sort();
        Ok(all)
    };
    let mut files = Vec::new();
    for e in entries(folder)? {
        if e.is_dir() {
            files.extend(entries(&e)?);
        } else {
            files.push(e);
        }
    }
    files.retain(|f| f.extension().is_some_and(|x| x == "desc") && f.is_file());
    let common = common_options(folder)?;
    files.iter().map(|f| read(f, &common)).collect()
}

/// The options that the makefile of a folder of 2LS gives to all tests: `FLAGS = ...`.
fn common_options(folder: &Path) -> Result<String> {
    let makefile = folder.join("Makefile");
    if !makefile.is_file() {
        return Ok(String::new());
    }
    let text = std::fs::read_to_string(&makefile).with_context(|| format!("cannot read {}", makefile.display()))?;
    let flags = text.lines().find_map(|l| l.strip_prefix("FLAGS").and_then(|l| l.trim_start().strip_prefix('=')));
    Ok(flags.unwrap_or_default().trim().to_string())
}

/// Tasks that expect what their program does not do by C and the rules of SV-COMP, and why. (Of those of 2LS it does not
/// say it either: their level is KNOWNBUG or FUTURE.)
const DISPUTED: &[(&str, &str)] = &[
    ("nontermination/break_loop1", "breaks in its first iteration"),
    ("nontermination/loop_seq_break1", "breaks in the first iteration of its last loop"),
    ("nontermination/nested_loops6", "breaks in the first iteration of each loop"),
    ("nontermination/sloop4", "counts down to 1"),
    ("nontermination/sloop8", "counts up to 10 in every other iteration"),
    ("nontermination/sloop9", "counts up to 10 in its second iteration"),
    ("nontermination/term_fail_break_loop1", "breaks in its first iteration"),
    ("termination/cav08_3", "assumes too little: with `x > 0`, `y == 0` and `z == 0` nothing changes"),
    ("termination/cav08_2p", "its precondition for termination is commented out"),
    ("termination/cav08_3p", "its precondition for termination is commented out"),
    ("termination/cav08_6p", "its precondition for termination is commented out"),
    ("termination/cav08_7p", "its precondition for termination is commented out"),
    ("termination/loop4", "goes on for ever unless `y` happens to be 15"),
    ("cbmc/Array_UF12", "writes out of bounds where its assertion would fail, before it"),
    ("cbmc/Bool/bool3", "lets a `_Bool` be neither 0 nor 1"),
    ("cbmc/Eval_Order2", "changes and reads a variable without a sequence point; clang does it in one order"),
    ("cbmc/Function_Eval_Order1", "leaves the order of evaluation open; clang takes one"),
    ("cbmc/Malloc12", "lets `malloc` fail"),
    ("cbmc/Pointer_comparison1", "lets an object lie in the first page"),
    ("cbmc/Volatile1", "lets a volatile variable change by itself"),
    ("cbmc/empty_compound_type2", "reads a struct that it does not use; clang leaves that out"),
    ("cbmc/memset_null", "counts a precondition of `memset` as an assertion"),
    ("cbmc/overflow/signed_addition_overflow2", "counts a conversion to `signed char` as an overflow"),
    ("cbmc/overflow/signed_subtraction1", "shifts a negative number, which overflows by the standard"),
    ("cbmc/void_pointer6", "reads an object of type `void`; clang leaves that out"),
    ("cbmc-with-incr/Bool3", "lets a `_Bool` be neither 0 nor 1"),
    ("cbmc-with-incr/Eval_Order2", "changes and reads a variable without a sequence point; clang does it in one order"),
    ("cbmc-with-incr/Function_Eval_Order1", "leaves the order of evaluation open; clang takes one"),
    ("cbmc-with-incr/Malloc12", "lets `malloc` fail"),
    ("cbmc-with-incr/Pointer_byte_extract8", "writes beyond what it allocated, and is asked about indices only"),
    ("cbmc-with-incr/Volatile1", "lets a volatile variable change by itself"),
    ("cbmc-with-incr/noop1", "has an intrinsic of another compiler"),
    ("cprover/safety/local_out_of_scope1", "has its unsafe access in a comment"),
    ("termination/phase5", "counts up to 10 and down to 0 long before `y` overflows"),
];

fn read(file: &Path, common: &str) -> Result<Task> {
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let name = |p: Option<&Path>| p.and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned();
    let place = file.parent().unwrap_or(Path::new("."));
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let variant = if stem == "test" { String::new() } else { format!("/{stem}") };
    let title = format!("{}/{}{variant}", name(place.parent()), name(Some(place)));
    parse(&text, common, place, &title).with_context(|| file.display().to_string())
}

/// Options that make the test one of something else than whether checks can fail.
const OTHER_QUESTIONS: &[(&str, &str)] = &[
    ("--preconditions", "computes preconditions"),
    ("--sufficient", "computes preconditions"),
    ("--show-", "prints something"),
    ("--instrument-output", "prints something"),
    ("--program-only", "prints something"),
    ("--dimacs", "prints something"),
    ("--symex-coverage-report", "prints something"),
    ("--outfile", "prints something"),
    ("--export-", "prints something"),
    ("--cover", "computes coverage"),
    ("--localize-faults", "locates faults"),
    ("--property", "asks about one property of CBMC's"),
    ("--error-label", "asks about a label"),
    ("--string-abstraction", "abstracts strings"),
    ("--fixedbv", "has fixed-point numbers for floating ones"),
    ("--nondet-static", "has arbitrary values in statics"),
    ("--malloc-may-fail", "lets allocations fail"),
    ("--malloc-fail-", "lets allocations fail"),
    ("--big-endian", "is for another machine"),
    ("--arch", "is for another machine"),
    ("--16", "is for another machine"),
    ("--win", "is for another machine"),
    ("-win", "is for another machine"),
    ("--i386-", "is for another machine"),
    ("--partial-loops", "leaves loops in the middle"),
    ("--depth", "bounds the search"),
    ("--contract", "has contracts of CBMC's in it"),
    ("--enforce-", "has contracts of CBMC's in it"),
    ("--replace-", "has contracts of CBMC's in it"),
    ("--min-null-tree-depth", "shapes the arguments of a function"),
    ("--max-nondet-tree-depth", "shapes the arguments of a function"),
    ("--havoc-undefined-functions", "lets undefined functions change memory"),
];

/// In the source: not C, or no question about C. What else is CBMC's own is left to the tool.
const CBMC_ONLY: &[(&str, &str)] = &[
    ("#pragma CPROVER", "has pragmas of CBMC's"),
    ("__CPROVER_forall", "has quantifiers in it"),
    ("__CPROVER_exists", "has quantifiers in it"),
    ("__CPROVER_fixedbv", "has types of CBMC's"),
    ("__CPROVER_bitvector", "has types of CBMC's"),
    ("__CPROVER_requires", "has contracts of CBMC's in it"),
    ("__CPROVER_ensures", "has contracts of CBMC's in it"),
    ("__CPROVER_loop_invariant", "has contracts of CBMC's in it"),
    ("__CPROVER_havoc_", "changes memory in a way of CBMC's"),
    ("__CPROVER_try", "has exceptions of CBMC's"),
    ("==>", "has implications of CBMC's"),
];

/// Checks of CBMC that are no property here: a test that expects one of them to fail is not run.
const OTHER_CHECKS: &[&str] = &[
    "--unsigned-overflow-check",
    "--conversion-check",
    "--pointer-overflow-check",
    "--pointer-primitive-check",
    "--float-overflow-check",
    "--nan-check",
    "--enum-range-check",
    "--undefined-shift-check",
    "--div-by-zero-check",
    "--memory-cleanup-check",
    "--unwinding-assertions",
    "--incremental-loop",
];

/// Options that change how 2LS looks for an answer about termination, not what is asked.
const PRECONDITIONS: &[&str] = &["--preconditions", "--sufficient"];

fn parse(text: &str, common: &str, place: &Path, name: &str) -> Result<Task> {
    let mut lines = text.lines().filter(|l| !l.starts_with("//")).map(str::trim_end);
    let level = lines.next().and_then(|l| l.split_whitespace().next()).context("no level in the first line")?;
    let files: Vec<&str> = lines.next().context("no sources in the second line")?.split_whitespace().collect();
    let options: Vec<&str> = lines.next().unwrap_or("").split_whitespace().collect();
    let patterns: Vec<&str> = lines.take_while(|l| *l != "--").collect();
    let has = |o: &str| options.contains(&o) || common.split_whitespace().any(|c| c == o);
    let ends = has("--termination") || has("--nontermination");
    let skip = options
        .iter()
        .find_map(|o| OTHER_QUESTIONS.iter().find(|(p, _)| o.starts_with(p) && !(ends && PRECONDITIONS.contains(p))))
        .map(|(_, why)| (*why).to_string())
        .or_else(|| files.iter().all(|f| !is_c(f)).then(|| "is not C source".to_string()))
        .or_else(|| patterns.iter().any(|p| is_refusal(p)).then(|| "expects a refusal".to_string()))
        .or_else(|| {
            let texts = files.iter().filter_map(|f| std::fs::read(place.join(f)).ok());
            let texts: Vec<String> = texts.map(|t| String::from_utf8_lossy(&t).into_owned()).collect();
            let own = CBMC_ONLY.iter().find(|(s, _)| texts.iter().any(|t| t.contains(s)));
            own.map(|(_, why)| (*why).to_string())
        });

    let mut properties = Vec::new();
    if ends {
        properties.push("termination");
    }
    if !ends && !has("--no-assertions") {
        properties.push("unreach-call");
    }
    if !ends && (has("--pointer-check") || has("--bounds-check")) {
        properties.push("valid-deref");
    }
    if !ends && has("--pointer-check") {
        properties.push("valid-free");
    }
    if !ends && has("--memory-leak-check") {
        properties.push("valid-memtrack");
    }
    if !ends && has("--signed-overflow-check") {
        properties.push("no-overflow");
    }
    let mut arguments = arguments(&properties, &options, has("--32"))?;
    arguments.extend(["-I".into(), place.display().to_string()]);
    let sources = files.iter().chain(options.iter().filter(|o| !o.starts_with('-')));
    arguments.extend(sources.filter(|f| is_c(f)).map(|f| place.join(f).display().to_string()));
    // A test for what is not there yet, made by a script: a call without arguments, then `assert(0)`.
    let skip = skip.or_else(|| {
        (level == "KNOWNBUG" && name.starts_with("cbmc-library/")).then(|| "stands for a test to be written".into())
    });
    let disputed = DISPUTED.iter().any(|(n, _)| *n == name);
    let expected = if disputed { Expected::Open } else { expected(&patterns) };
    // Success is meant up to the bound; the failure of a check that is no property here says nothing.
    let bounded = (has("--unwind") || has("--unwindset")) && !has("--unwinding-assertions");
    let foreign = OTHER_CHECKS.iter().any(|c| has(c));
    let expected = match expected {
        Expected::True if bounded || has("--unwind-max") => Expected::Open,
        Expected::False(_) if foreign => Expected::Open,
        e => e,
    };
    Ok(Task { name: name.to_string(), class: level.to_string(), expected, arguments, skip })
}

/// Options of `verify check` that ask about properties as these options of CBMC and ESBMC do.
///
/// # Errors
/// An option has no value where it needs one.
pub fn arguments(properties: &[&str], options: &[&str], narrow: bool) -> Result<Vec<String>> {
    let mut out: Vec<String> = Vec::new();
    for p in properties {
        out.extend(["--property".into(), (*p).to_string()]);
    }
    out.push(if narrow { "--32" } else { "--64" }.into());
    let mut it = options.iter();
    while let Some(o) = it.next() {
        match *o {
            "--function" => {
                let f = it.next().context("`--function` without a name")?;
                out.extend(["--entry".into(), (*f).to_string()]);
            }
            "-I" | "-D" => {
                let v = it.next().with_context(|| format!("`{o}` without a value"))?;
                out.push(format!("{o}{v}"));
            }
            "--unsigned-char" | "-funsigned-char" => out.push("-funsigned-char".into()),
            _ if o.starts_with("-I") || o.starts_with("-D") => out.push((*o).to_string()),
            _ => {}
        }
    }
    Ok(out)
}

/// The test is about what the tool does not read.
fn is_refusal(pattern: &str) -> bool {
    ["^EXIT=6", "^EXIT=1$", "^EXIT=(1|64)", "^EXIT=64", "^EXIT=134", "CONVERSION ERROR", "PARSING ERROR"]
        .iter()
        .any(|r| pattern.contains(r))
}

fn is_c(file: &str) -> bool {
    file.ends_with(".c") || file.ends_with(".i")
}

fn expected(patterns: &[&str]) -> Expected {
    let any = |what: &[&str]| patterns.iter().any(|p| what.iter().any(|w| p.contains(w)));
    if any(&["VERIFICATION INCONCLUSIVE", "^EXIT=5"]) {
        Expected::Open
    } else if any(&["VERIFICATION FAILED", "^EXIT=10"]) {
        Expected::False(None)
    } else if any(&["VERIFICATION SUCCESSFUL", "^EXIT=0"]) {
        Expected::True
    } else {
        Expected::Open
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, class: &str, expected: Expected, arguments: &str, skip: Option<&str>) {
        let t = parse(text, "", Path::new("/d"), "g/t").unwrap();
        assert_eq!((t.class.as_str(), t.expected, t.skip.as_deref()), (class, expected, skip));
        assert_eq!(t.arguments.join(" "), arguments);
    }

    #[test]
    fn descriptions() {
        check(
            "CORE\nmain.c\n--heap --pointer-check --no-assertions --k-induction\n^EXIT=10$\n^VERIFICATION FAILED$\n",
            "CORE",
            Expected::False(None),
            "--property valid-deref --property valid-free --64 -I /d /d/main.c",
            None,
        );
        check(
            "KNOWNBUG\na.c b.c\n--32 -D N=3 --function f\n^EXIT=0$\n--\n^VERIFICATION FAILED$\n",
            "KNOWNBUG",
            Expected::True,
            "--property unreach-call --32 -DN=3 --entry f -I /d /d/a.c /d/b.c",
            None,
        );
        let t = "CORE\nmain.c\n--termination\n^EXIT=5$\n";
        check(t, "CORE", Expected::Open, "--property termination --64 -I /d /d/main.c", None);
        let t = "CORE\nmain.c\n--preconditions\n^EXIT=10$\n^VERIFICATION FAILED$\n";
        check(
            t,
            "CORE",
            Expected::False(None),
            "--property unreach-call --64 -I /d /d/main.c",
            Some("computes preconditions"),
        );
        let t = parse(t, "--verbosity 10 --nontermination", Path::new("/d"), "g/t").unwrap();
        assert_eq!((t.expected, t.skip), (Expected::False(None), None));
        assert_eq!(t.arguments[..2], ["--property", "termination"]);
        assert!(parse("", "", Path::new("/d"), "x").is_err());
    }
}
