//! What people see.

use crate::common::{Program, Step, scan};
use verify_engine::result::{ScanResult, Verdict};
use verify_ir::CheckKind;
use verify_report::terminal::{Options, write};

fn render(scan: &ScanResult, options: &Options) -> String {
    let mut out = Vec::new();
    write(scan, options, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn whole_report() {
    insta::assert_snapshot!(render(&scan(), &Options::new("/project")));
}

#[test]
fn colours_are_only_added() {
    let plain = render(&scan(), &Options::new("/project"));
    assert!(!plain.contains('\u{1b}'));
    let coloured = render(&scan(), &Options { colour: true, ..Options::new("/project") });
    assert!(coloured.contains("\u{1b}[1;31mviolated[null-deref]\u{1b}[0m"));
    let mut stripped = String::new();
    let mut rest = coloured.as_str();
    while let Some(i) = rest.find('\u{1b}') {
        stripped.push_str(&rest[..i]);
        rest = &rest[i + rest[i..].find('m').unwrap() + 1..];
    }
    stripped.push_str(rest);
    assert_eq!(stripped, plain);
}

#[test]
fn made_up_results_are_named() {
    let mut p = Program::new("", &[("a.c", "x = *place_of(0);")]);
    let mut e = p.evidence("main()", "boom", "a.c:*", "main", &[], &[]);
    e.bodiless = vec!["place_of".into(), "start".into()];
    p.check(CheckKind::NullDeref, "main", "a.c:*", "*place_of(0)", "null pointer", Verdict::Latent(e));
    let out = render(
        &ScanResult { programs: vec![p.done()], assumptions: vec![], notes: vec![], suppressions: vec![] },
        &Options::new("/project"),
    );
    assert!(out.contains("= run: main()"), "{out}");
    assert!(out.contains("results of `place_of` and `start` (without body or model) are made up"), "{out}");
    assert!(!out.contains("no caller excludes"), "{out}");
}

#[test]
fn what_rests_on_one_made_up_record_is_one_finding_and_a_constant_null_pointer_another() {
    let texts = ["a = p->next->x;", "b = p->prev->x;", "((T *)0)->x = 1;"];
    let mut p = Program::new("", &[("a.c", &texts.join("\n"))]);
    for (text, expr) in texts.iter().zip(["p->next", "p->prev", "NULL"]) {
        let at = format!("a.c:{text}");
        let mut e = p.evidence("main()", "boom", &at, "main", &[], &[]);
        e.made_up = Some(format!("node.{}", expr.len()));
        p.check(CheckKind::NullDeref, "main", &at, expr, "null pointer", Verdict::Latent(e));
    }
    let scan = ScanResult { programs: vec![p.done()], assumptions: vec![], notes: vec![], suppressions: vec![] };
    let findings = verify_report::finding::Findings::of(&scan, std::path::Path::new("/project"));
    let listed: Vec<_> = findings.failures().map(|f| (f.place.map(|p| p.line), f.also.len())).collect();
    assert_eq!(listed, [(Some(1), 1), (Some(3), 0)]);
}

#[test]
fn uses_that_step_from_one_null_pointer_are_one_finding() {
    let texts = ["p = q;", "*p++ = 1;", "*p++ = 2;", "p = r; *p++ = 3;"];
    let mut p = Program::new("", &[("a.c", &texts.join("\n"))]);
    let mut evidence = |use_: &str, given: &str| {
        let (at, given) = (format!("a.c:{use_}"), format!("a.c:{given}"));
        let steps: [Step<'_>; 3] = [
            (&given, "main", 0, "", &[("p", "NULL")]),
            (&at, "main", 0, "", &[("p", "0x1")]),
            (&at, "main", 0, "boom", &[]),
        ];
        p.evidence("main()", "boom", &at, "main", &steps, &[])
    };
    let (first, mut second, other) =
        (evidence(texts[1], texts[0]), evidence(texts[2], texts[0]), evidence("*p++ = 3;", "p = r;"));
    second.steps[0].span = first.steps[0].span;
    for (at, e) in [(texts[1], first), (texts[2], second), ("*p++ = 3;", other)] {
        p.check(CheckKind::NullDeref, "main", &format!("a.c:{at}"), "p", "null pointer", Verdict::Violated(e));
    }
    let scan = ScanResult { programs: vec![p.done()], assumptions: vec![], notes: vec![], suppressions: vec![] };
    let findings = verify_report::finding::Findings::of(&scan, std::path::Path::new("/project"));
    let listed: Vec<_> = findings.failures().map(|f| (f.place.map(|p| p.line), f.also.len())).collect();
    assert_eq!(listed, [(Some(2), 1), (Some(4), 0)]);
}

/// One violated check in a one-line file; the lines of the snippet.
fn check_snippet(text: &str, needle: &str, expr: &str, expect: &str) {
    let mut p = Program::new("", &[("a.c", text)]);
    let e = p.evidence("main()", "boom", &format!("a.c:{needle}"), "main", &[], &[]);
    p.check(CheckKind::DivByZero, "main", &format!("a.c:{needle}"), expr, "division by zero", Verdict::Violated(e));
    let out = render(
        &ScanResult { programs: vec![p.done()], assumptions: vec![], notes: vec![], suppressions: vec![] },
        &Options::new("/project"),
    );
    let lines: Vec<&str> = out.lines().filter(|l| l.contains('|')).skip(1).collect();
    assert_eq!(lines.join("\n"), expect, "in\n{out}");
}

#[test]
fn snippets() {
    check_snippet("\tx\t= a / b;", "/", "a / b", "1 |     x   = a / b;\n  |             ^^^ boom");
    check_snippet("f(\"日本\", a/b);", "a/b", "a/b", "1 | f(\"日本\", a/b);\n  |           ^^^ boom");
    check_snippet("\u{1b}[31m a % b", "a", "a % b", "1 | \u{FFFD}[31m a % b\n  |       ^^^^^ boom");
    check_snippet(
        &format!("{} + a/b{}", " + 1".repeat(100), " + 2".repeat(100)),
        "a/b",
        "a/b",
        &format!("1 | ...{}a/b{} + ...\n  | {}^^^ boom", "1 + ".repeat(11), " + 2".repeat(10), " ".repeat(47)),
    );
}

#[test]
fn limits_are_told() {
    let o = Options { max_findings: 0, ..Options::new("/project") };
    assert!(render(&scan(), &o).starts_with("1 more violated and 1 more latent not shown here"));
}
