//! Comparisons with an earlier scan that need what a small build does not give: limits, targets that were not scanned,
//! checks that are not decided.

use crate::common::Program;
use serde_json::Value;
use std::path::Path;
use verify_engine::result::{ScanResult, UnknownReason, Verdict};
use verify_ir::CheckKind;
use verify_report::baseline::{Baseline, Changes, Comparison, violated};
use verify_report::sarif::{Options, write};

/// A scan of `name` whose function `f` has these statements; the verdict of the check of each.
fn scan_of(name: &str, statements: &[(&str, char)], incomplete: bool) -> ScanResult {
    scan_in("a.c", name, statements, incomplete)
}

/// The same with the name of the file.
fn scan_in(file: &str, name: &str, statements: &[(&str, char)], incomplete: bool) -> ScanResult {
    let text =
        format!("void f(void)\n{{\n{}}}\n", statements.iter().map(|s| format!("{};\n", s.0)).collect::<String>());
    let mut p = Program::new(name, &[(file, &text)]);
    for (statement, verdict) in statements {
        let place = format!("{file}:{statement}");
        let verdict = match verdict {
            'v' => Verdict::Violated(p.evidence("f()", "boom", &place, "f", &[], &[])),
            'l' => Verdict::Latent(p.evidence("f()", "boom", &place, "f", &[], &[])),
            '?' => Verdict::Unknown(UnknownReason::Time),
            _ => Verdict::Proved("facts".into()),
        };
        p.check(CheckKind::NullDeref, "f", &place, "*p", "dereference of null pointer", verdict);
    }
    let mut program = p.done();
    program.incomplete = incomplete;
    ScanResult { programs: vec![program], ..ScanResult::default() }
}

fn sarif(scan: &ScanResult, limit: usize, baseline: Option<Comparison>) -> Vec<u8> {
    let mut out = Vec::new();
    write(scan, &Options { max_results: limit, baseline, ..Options::new("/project") }, &mut out).unwrap();
    out
}

fn compare(before: &ScanResult, now: &ScanResult) -> (Comparison, bool) {
    let c = Baseline::read(&sarif(before, 5_000, None)).unwrap().compare(now, Path::new("/project"));
    let exit = violated(now, Path::new("/project"), Some(&c));
    (c, exit)
}

fn check(before: &[(&str, char)], now: &[(&str, char)], expect: [u64; 5], exit: bool) {
    let (c, said) = compare(&scan_of("app", before, false), &scan_of("app", now, false));
    let Changes { new, unchanged, updated, fixed, not_found } = c.changes;
    assert_eq!(([new, unchanged, updated, fixed, not_found], said), (expect, exit), "{before:?} -> {now:?}");
}

#[test]
fn places_and_verdicts() {
    check(&[("a = *p", 'v')], &[("a = *p", 'v')], [0, 1, 0, 0, 0], false);
    check(&[("a = *p", 'v')], &[("b = *p", 'p'), ("a = *p", 'v')], [0, 1, 0, 0, 0], false);
    check(&[("a = *p", 'v')], &[("a = *p", 'p'), ("b = *p", 'v')], [0, 0, 1, 0, 0], true);
    check(&[("a = *p", 'v')], &[("a = *p", 'v'), ("b = *p", 'v')], [1, 1, 0, 0, 0], true);
    check(&[("a = *p", 'l')], &[("a = *p", 'v')], [0, 0, 1, 0, 0], true);
    check(&[("a = *p", 'v')], &[("a = *p", 'l')], [0, 1, 0, 0, 0], false);
    check(&[("a = *p", 'v')], &[("a = *p", 'p')], [0, 0, 0, 1, 0], false);
    check(&[("a = *p", 'v')], &[], [0, 0, 0, 1, 0], false);
    check(&[("a = *p", 'v')], &[("a = *p", '?')], [0, 0, 0, 0, 1], false);
    check(&[("a = *p", 'v')], &[("a = 1 + *p", '?')], [0, 0, 0, 0, 1], false);
}

#[test]
fn files_move_into_other_folders() {
    let check = |file: &str, statements: &[(&str, char)], expect: [u64; 4]| {
        let before = scan_in("src/a.c", "app", &[("a = *p", 'v')], false);
        let c = compare(&before, &scan_in(file, "app", statements, false)).0;
        let Changes { new, unchanged, fixed, not_found, .. } = c.changes;
        assert_eq!([new, unchanged, fixed, not_found], expect, "{file} {statements:?}");
    };
    check("lib/a.c", &[("a = *p", 'v')], [0, 1, 0, 0]);
    check("lib/a.c", &[("a = *p", 'v'), ("b = *p", 'v')], [1, 1, 0, 0]);
    check("lib/a.c", &[("b = *p", 'v')], [1, 0, 1, 0]);
    check("lib/a.c", &[("a = *p", 'p')], [0, 0, 1, 0]);
    check("lib/a.c", &[("a = *p", '?')], [0, 0, 0, 1]);
    check("lib/b.c", &[("a = *p", 'v')], [1, 0, 1, 0]);
}

#[test]
fn what_was_not_looked_at_is_not_fixed() {
    let before = scan_of("app", &[("a = *p", 'v')], false);
    let lost = |now: &ScanResult| {
        let c = compare(&before, now).0;
        assert_eq!((c.changes.fixed, c.changes.not_found), (0, 1));
        c.absent[0]["properties"]["notFound"].as_str().map(String::from)
    };
    assert_eq!(lost(&scan_of("other", &[], false)).as_deref(), Some("its target was not scanned"));
    assert_eq!(lost(&scan_of("app", &[], true)).as_deref(), Some("part of its target could not be read"));
    // It is kept, and is no news when it is back.
    let (c, _) = compare(&before, &scan_of("other", &[], false));
    let kept = sarif(&scan_of("other", &[], false), 5_000, Some(c));
    let c = Baseline::read(&kept).unwrap().compare(&before, Path::new("/project"));
    assert_eq!((c.changes.unchanged, violated(&before, Path::new("/project"), Some(&c))), (1, false));
}

#[test]
fn results_beyond_a_limit_are_known() {
    let texts: Vec<String> = (0..9).map(|i| format!("a{i} = *p")).collect();
    let scan = scan_of("app", &texts.iter().map(|t| (t.as_str(), 'v')).collect::<Vec<_>>(), false);
    let cut = sarif(&scan, 4, None);
    let log: Value = serde_json::from_slice(&cut).unwrap();
    assert_eq!(log["runs"][0]["results"].as_array().map(Vec::len), Some(4));
    let c = Baseline::read(&cut).unwrap().compare(&scan, Path::new("/project"));
    assert_eq!(c.changes, Changes { unchanged: 9, ..Changes::default() });
    assert!(!violated(&scan, Path::new("/project"), Some(&c)));
}
