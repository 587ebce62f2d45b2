//! The regression tests of ESBMC: descriptions like those of CBMC, in another order of lines' meaning: level, source, options,
//! patterns. Without options it checks assertions, pointers, bounds and divisions, and lets `malloc` fail.

use super::{Expected, Task};
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// The tests of a folder, where a folder above it has ESBMC's runner.
pub fn tasks(folder: &Path) -> Result<Vec<Task>> {
    if !folder.ancestors().any(|a| a.join("testing_tool.py").is_file()) {
        return Ok(Vec::new());
    }
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .with_context(|| format!("cannot read {}", folder.display()))?
        .filter_map(|e| Some(e.ok()?.path().join("test.desc")))
        .filter(|p| p.is_file())
        .collect();
    files.sort();
    files.iter().map(|f| read(f)).collect()
}

/// Options that ask something else, or change what the program means.
const OTHER_QUESTIONS: &[(&str, &str)] = &[
    ("--context-bound", "has threads"),
    ("--data-races-check", "has threads"),
    ("--deadlock-check", "has threads"),
    ("--lock-order-check", "has threads"),
    ("--atomicity-check", "has threads"),
    ("--16", "is for another machine"),
    ("--big-endian", "is for another machine"),
    ("--no-arch", "is for another machine"),
    ("--cheri", "is for another machine"),
    ("--i386-", "is for another machine"),
    ("--round-to-", "rounds otherwise"),
    ("--fixedbv", "has fixed-point numbers for floating ones"),
    ("--ir", "has integers without bounds"),
    ("--int-encoding", "has integers without bounds"),
    ("--error-label", "asks about a label"),
    ("--claim", "asks about one property of ESBMC's"),
    ("--goto-functions-only", "prints something"),
    ("--show-", "prints something"),
    ("--parse-tree", "prints something"),
    ("--symbol-table", "prints something"),
    ("--output", "prints something"),
    ("--smt-formula", "prints something"),
    ("--goto2c", "prints something"),
    ("--dump", "prints something"),
    ("--program-only", "prints something"),
    ("--branch-coverage", "computes coverage"),
    ("--assertion-coverage", "computes coverage"),
    ("--condition-coverage", "computes coverage"),
    ("--k-path-coverage", "computes coverage"),
    ("--dead-code-check", "finds dead code"),
    ("--dead-store-check", "finds dead code"),
    ("--enforce-contract", "has contracts of ESBMC's in it"),
    ("--replace-call", "has contracts of ESBMC's in it"),
    ("--function-contract", "has contracts of ESBMC's in it"),
    ("--loop-invariant", "has contracts of ESBMC's in it"),
    ("--no-library", "has no C library"),
    ("--no-standard-checks", "checks nothing"),
    ("--base-case", "asks about one step of a proof"),
    ("--inductive-step", "asks about one step of a proof"),
    ("--forward-condition", "asks about one step of a proof"),
    ("--termination-ltl", "asks about a formula of time"),
    ("--ltl", "asks about a formula of time"),
    ("--nondet-", "has arbitrary values in statics"),
    ("--malloc-zero-is-null", "lets allocations fail"),
    ("--gcc-nested-functions", "has functions in functions, which clang refuses"),
    ("--validate-", "checks a witness"),
    ("--partial-loops", "leaves loops in the middle"),
    ("--depth", "bounds the search"),
    ("--multi-fail-fast", "asks about some of the assertions"),
    ("--include-file", "has a header that an option names"),
    ("--conv-assert-to-assume", "takes checks for assumptions"),
    ("--restrict-assume", "takes a promise of the program for kept"),
];

/// Checks of ESBMC that are no property here: a test that expects one of them to fail is not counted.
const OTHER_CHECKS: &[&str] = &[
    "--unsigned-overflow-check",
    "--nan-check",
    "--ub-shift-check",
    "--stack-limit",
    "--total-stack-limit",
    "--uninitialised-vars-check",
    "--struct-fields-check",
    "--excessive-alloc-check",
    "--is-instance-check",
    "--printf-check",
    "--memory-cleanup-check",
    "--unchecked-return-value-check",
    "--volatile-check",
    "--restrict-check",
    "--unknown-method-args-check",
];

/// Tests that expect what their program does not do by C and the rules of SV-COMP, and why.
const DISPUTED: &[(&str, &str)] = &[
    ("cbmc/01_cbmc_BV_Arithmetic4", "counts a loop that goes on as a failure"),
    ("cstd/scanf-true-2", "reads a word of any length into ten bytes"),
    ("cstd/strcoll", "has a locale that need not be there"),
    ("cstd/strcoll_bug", "has a locale that need not be there"),
    ("cstd/strstr_bug", "expects a copy of a part not to be as long as that part"),
    ("cstd/strxfrm_bug", "has a locale that need not be there"),
    ("esbmc-unix/github_1009-atoi-no-ovfl", "lets `atoi` saturate, which glibc does not"),
    ("esbmc-unix/time_clock_getres", "knows how fine a clock is"),
    ("esbmc/align-deref_success", "begins with `f`, where `main` gives `atoi` an argument that need not be there"),
    ("esbmc/aligned-alloc-1", "expects a size that is no multiple of the alignment to be refused"),
    ("esbmc/bitvector_04", "calls `nondet_float` undeclared, which makes it return an `int`"),
    (
        "esbmc/builtin_object_size_array_idx",
        "expects the size of the whole array where that behind the pointer is meant",
    ),
    ("esbmc/fam_true_4", "writes behind a structure, as its own comment says"),
    ("esbmc/github_1229_fail", "calls `nondet_double` undeclared, which makes it return an `int`"),
    ("esbmc/github_1507", "reads a member of an array that has none, behind the end of its object"),
    ("esbmc/github_1539", "has an object in the first page"),
    ("esbmc/github_1539_2", "has an object in the first page"),
    ("esbmc/github_159_postdecrement", "reads behind an array"),
    ("esbmc/github_159_postdecrement_fail", "counts a pointer before an array as an access"),
    ("esbmc/github_159_postincrement", "reads behind an array of arrays"),
    ("esbmc/github_159_preincrement", "reads behind an array of arrays"),
    ("esbmc/github_197", "takes an array of arrays for one of pointers"),
    ("esbmc/github_2153_3", "has an object in the first page"),
    ("esbmc/github_2377", "counts a loop that goes on as a failure"),
    ("esbmc/github_2377_2", "counts a loop that goes on as a failure"),
    ("esbmc/github_2618", "expects a loop not to reach an assertion that is false in its first iteration"),
    ("esbmc/github_2673_roundtrip", "cuts an address to an `int` and uses it"),
    ("esbmc/github_273_fail", "takes the order of two objects for an access"),
    ("esbmc/github_364_4", "reads a union without members, of which nothing is read"),
    ("esbmc/github_371_8", "has an `assert` of its own that does nothing"),
    ("esbmc/github_405", "reads a structure that is not used, of which nothing is read"),
    ("esbmc/github_6508", "takes an index that stays in the structure for an access outside of it"),
    ("esbmc/github_6508-nondet", "counts an index as an access outside of the whole object"),
    ("esbmc/github_669-union-struct", "counts an access through a union of the same layout as a failure"),
    ("esbmc/github_6949-misaligned", "counts an access that is not aligned"),
    ("esbmc/github_6949-pack2-misaligned", "expects alignment to be checked"),
    ("esbmc/github_6951_fail", "counts an access that is not aligned"),
    ("esbmc/irep2_only_builtin_shadowed", "defines a function of the library, which C forbids"),
    ("esbmc/struct_bitfields_02", "reads a bit-field that ends behind its object"),
    ("esbmc/struct_ptr_field_recursion_constprop_fail", "counts recursion deeper than a bound as a failure"),
    ("floats-regression/nextafter-spec", "declares `errno` itself"),
    ("floats-regression/nextafterf-spec", "declares `errno` itself"),
    ("floats/Float-overflow2", "counts an infinite result as an overflow"),
    ("llvm/compound_literal", "expects the failure of a program without checks"),
    ("llvm/indirect_goto", "expects the failing assertion of label 2 not to be reached"),
    ("termination/github_6031", "goes on after `__VERIFIER_error`"),
];

/// In the source: no question about C.
const ESBMC_ONLY: &[(&str, &str)] = &[
    ("__ESBMC_forall", "has quantifiers in it"),
    ("__ESBMC_exists", "has quantifiers in it"),
    ("__ESBMC_", "has intrinsics of ESBMC's"),
    ("__CPROVER_", "has intrinsics of CBMC's"),
    ("pthread_", "has threads"),
    ("thrd_", "has threads"),
];

fn read(file: &Path) -> Result<Task> {
    let text = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let place = file.parent().unwrap_or(Path::new("."));
    let part = |p: Option<&Path>| p.and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned();
    let title = format!("{}/{}", part(place.parent()), part(Some(place)));
    parse(&String::from_utf8_lossy(&text), place, &title).with_context(|| file.display().to_string())
}

fn parse(text: &str, place: &Path, name: &str) -> Result<Task> {
    let mut lines = text.lines().map(str::trim);
    let level = lines.next().and_then(|l| l.split_whitespace().next()).context("no level in the first line")?;
    let source = lines.next().context("no source in the second line")?;
    let options: Vec<&str> = lines.next().unwrap_or("").split_whitespace().collect();
    let patterns: Vec<&str> = lines.take_while(|l| *l != "--").collect();
    let has = |o: &str| options.contains(&o);
    let sources: Vec<&str> = std::iter::once(source).chain(options.iter().copied()).filter(|f| is_c(f)).collect();
    let texts: Vec<String> = sources
        .iter()
        .filter_map(|f| Some((std::fs::read(place.join(f)).ok()?, f.ends_with(".i"))))
        .map(|(t, preprocessed)| match preprocessed {
            // No option defines a name in it.
            true => String::from_utf8_lossy(&t).into_owned(),
            false => String::from_utf8_lossy(&t).replace("__ESBMC_assume", "").replace("__ESBMC_assert", ""),
        })
        .collect();
    let contains = |s: &str| texts.iter().any(|t| t.contains(s));
    let other = options.iter().find_map(|o| OTHER_QUESTIONS.iter().find(|(p, _)| o.starts_with(p)));
    let skip = other
        .or_else(|| ESBMC_ONLY.iter().find(|(s, _)| contains(s)))
        .map(|(_, why)| (*why).to_string())
        .or_else(|| sources.is_empty().then(|| "is not C source".to_string()))
        .or_else(|| patterns.iter().any(|p| p.contains("ERROR")).then(|| "expects a refusal".to_string()));

    let mut properties = Vec::new();
    if has("--termination") {
        properties.push("termination");
    } else {
        let checks = [
            (!has("--no-assertions"), "unreach-call"),
            (!has("--no-pointer-check") && !has("--no-bounds-check"), "valid-deref"),
            (!has("--no-pointer-check"), "valid-free"),
            (has("--memory-leak-check"), "valid-memtrack"),
            (has("--overflow-check") || has("--overflow"), "no-overflow"),
        ];
        properties.extend(checks.iter().filter(|(asked, _)| *asked).map(|(_, p)| *p));
    }
    let mut arguments = super::desc::arguments(&properties, &options, has("--32"))?;
    arguments.push("-D__ESBMC_assume=__VERIFIER_assume".into());
    arguments.push("-D__ESBMC_assert(e,m)=__CPROVER_assert(e,m)".into());
    arguments.extend(sources.iter().map(|f| place.join(f).display().to_string()));
    // Success is meant up to the bound; a failure of what is no property here, or because `malloc` failed, says nothing.
    let bounded = has("--unwind") || has("--no-unwinding-assertions") || has("--falsification");
    let fails = ["malloc", "calloc", "realloc", "alloca"].iter().any(|f| contains(f)) && !has("--force-malloc-success");
    // Memory that is not freed is no lost memory.
    let unfreed = has("--memory-leak-check") && !has("--no-reachable-memory-leak");
    let foreign =
        OTHER_CHECKS.iter().any(|c| has(c)) || fails || unfreed || (!has("--no-div-by-zero-check") && divides(&texts));
    let disputed = DISPUTED.iter().any(|(n, _)| *n == name);
    let expected = match expected(&patterns) {
        _ if disputed => Expected::Open,
        Expected::True if bounded => Expected::Open,
        // The bound is too small, which says nothing about the program.
        Expected::False(_) if patterns.iter().any(|p| p.contains("unwinding assertion")) => Expected::Open,
        Expected::False(_) if foreign => Expected::Open,
        e => e,
    };
    Ok(Task { name: name.to_string(), class: level.to_string(), expected, arguments, skip })
}

/// A division may be by zero, which is no property here. (Comments are no divisions.)
fn divides(texts: &[String]) -> bool {
    let code = |l: &str| l.split("//").next().unwrap_or("").replace("/*", "").replace("*/", "");
    texts.iter().flat_map(|t| t.lines()).any(|l| {
        let l = code(l);
        !l.trim_start().starts_with('#') && !l.contains('"') && (l.contains('/') || l.contains('%'))
    })
}

fn is_c(file: &str) -> bool {
    file.ends_with(".c") || file.ends_with(".i")
}

fn expected(patterns: &[&str]) -> Expected {
    let any = |what: &str| patterns.iter().any(|p| p.contains(what));
    match (any("VERIFICATION FAILED"), any("VERIFICATION SUCCESSFUL")) {
        (true, false) => Expected::False(None),
        (false, true) => Expected::True,
        _ => Expected::Open,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions() {
        let check = |text: &str, expected: Expected, arguments: &str, skip: Option<&str>| {
            let t = parse(text, Path::new("/d"), "g/t").expect("a description");
            assert_eq!((t.expected, t.skip.as_deref()), (expected, skip));
            assert_eq!(t.arguments.join(" "), arguments);
        };
        let own = "-D__ESBMC_assume=__VERIFIER_assume -D__ESBMC_assert(e,m)=__CPROVER_assert(e,m)";
        check(
            "CORE\nmain.c\n--overflow-check --no-pointer-check\n^VERIFICATION FAILED$\n",
            Expected::False(None),
            &format!("--property unreach-call --property no-overflow --64 {own} /d/main.c"),
            None,
        );
        check(
            "CORE\nmain.c\n--unwind 3\n^VERIFICATION SUCCESSFUL$\n",
            Expected::Open,
            &format!("--property unreach-call --property valid-deref --property valid-free --64 {own} /d/main.c"),
            None,
        );
        check(
            "CORE\nmain.py\n--no-pointer-check\n^VERIFICATION SUCCESSFUL$\n",
            Expected::True,
            &format!("--property unreach-call --64 {own}"),
            Some("is not C source"),
        );
        assert!(parse("", Path::new("/d"), "x").is_err());
    }
}
