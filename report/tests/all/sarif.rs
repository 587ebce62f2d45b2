//! The SARIF file: a snapshot, what the standard and GitHub demand beyond the schema, and the limits.

use crate::common::{Program, scan};
use serde_json::Value;
use verify_engine::result::{ScanResult, Verdict};
use verify_ir::CheckKind;
use verify_report::sarif::{Options, Provenance, write};

fn render(scan: &ScanResult, options: &Options) -> Value {
    let mut out = Vec::new();
    write(scan, options, &mut out).unwrap();
    serde_json::from_slice(&out).unwrap()
}

fn options() -> Options {
    Options { tool_version: "0.1.0".into(), ..Options::new("/project") }
}

#[test]
fn failures_only() {
    let mut log = render(&scan(), &options());
    // The rules have tests of their own.
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array_mut().unwrap();
    assert_eq!(rules.len(), CheckKind::ALL.len());
    rules.truncate(1);
    rules[0]["help"] = "(help)".into();
    insta::assert_snapshot!(serde_json::to_string_pretty(&log).unwrap());
}

#[test]
fn all_verdicts() {
    let log = render(&scan(), &Options { all: true, ..options() });
    let rows: Vec<String> = log["runs"][0]["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| {
            let region = &r["locations"][0]["physicalLocation"]["region"];
            let text = |v: &Value| v.as_str().unwrap().to_string();
            format!(
                "{} {} {} {}:{}-{} {}",
                text(&r["ruleId"]),
                text(&r["kind"]),
                text(&r["level"]),
                region["startLine"],
                region["startColumn"],
                region["endColumn"],
                r["properties"]["targets"],
            )
        })
        .collect();
    assert_eq!(
        rows,
        [
            r#"null-deref fail error 6:5-9 ["app"]"#,
            r#"out-of-bounds-read fail note 7:13-29 ["lib*.so"]"#,
            r#"signed-overflow pass none 7:25-28 ["app"]"#,
            r#"out-of-bounds-write notApplicable none 6:9-15 ["app"]"#,
        ]
    );
}

/// What the schema does not say: each `kind`/`level` pair, indices, regions, links, ids.
fn check_structure(log: &Value) {
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    assert!(run["automationDetails"]["id"].as_str().unwrap().ends_with('/'));
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let artifacts = run["artifacts"].as_array().cloned().unwrap_or_default();
    for (base, location) in run["originalUriBaseIds"].as_object().unwrap() {
        assert!(location["uri"].as_str().unwrap().ends_with('/'), "{base}");
    }
    let physical = |p: &Value| {
        let artifact = &p["artifactLocation"];
        let index = artifact["index"].as_u64().unwrap() as usize;
        assert_eq!(artifacts[index]["location"]["uri"], artifact["uri"]);
        let uri = artifact["uri"].as_str().unwrap();
        assert!(uri.bytes().all(|b| b.is_ascii_graphic()), "{uri}");
        assert_eq!(artifact["uriBaseId"].is_string(), !uri.starts_with("file:///"), "{uri}");
        let region = |r: &Value| {
            let n = |name: &str| r[name].as_u64().unwrap();
            let (start, end) = ((n("startLine"), n("startColumn")), (n("endLine"), n("endColumn")));
            assert!(start.0 >= 1 && start.1 >= 1 && start <= end, "{r}");
            (start, end)
        };
        let inner = region(&p["region"]);
        if p["contextRegion"].is_object() {
            let outer = region(&p["contextRegion"]);
            assert!(outer.0 <= inner.0 && inner.1 <= outer.1 && outer != inner, "{p}");
        }
    };
    let mut previous = None;
    for r in run["results"].as_array().unwrap() {
        let rule = &rules[r["ruleIndex"].as_u64().unwrap() as usize];
        assert_eq!(rule["id"], r["ruleId"]);
        assert_eq!(r["kind"] == "fail", r["level"] != "none");
        let text = r["message"]["text"].as_str().unwrap();
        assert!(text.ends_with('.') && !text.contains('`'), "{text}");
        assert_eq!(r["locations"].as_array().unwrap().len(), 1);
        let main = &r["locations"][0]["physicalLocation"];
        physical(main);
        let key = (
            main["artifactLocation"]["uri"].to_string(),
            main["region"]["startLine"].as_u64(),
            main["region"]["startColumn"].as_u64(),
            r["ruleId"].to_string(),
        );
        assert!(previous.as_ref().is_none_or(|p| *p < key), "{key:?}");
        previous = Some(key);
        assert!(r["partialFingerprints"]["primaryLocationLineHash"].as_str().unwrap().contains(':'));
        for l in r["relatedLocations"].as_array().into_iter().flatten() {
            physical(&l["physicalLocation"]);
            assert!(text.contains(&format!("]({})", l["id"])), "{text}");
        }
        for flow in r["codeFlows"].as_array().into_iter().flatten() {
            for l in flow["threadFlows"][0]["locations"].as_array().unwrap() {
                physical(&l["location"]["physicalLocation"]);
                assert!(l["location"]["message"]["text"].is_string());
            }
        }
    }
}

#[test]
fn structure() {
    let version_control = Some(Provenance {
        repository_uri: "https://example.org/project".into(),
        revision: "0123abcd".into(),
        branch: "main".into(),
    });
    check_structure(&render(&scan(), &Options { all: true, version_control, ..options() }));
    check_structure(&render(&ScanResult::default(), &options()));
}

/// `n` latent reads and one violated division in the middle.
fn many(n: usize) -> ScanResult {
    let text: String = (0..n).map(|i| format!("x = a{i:06} + b{i:06};\n")).collect();
    let mut p = Program::new("big", &[("a.c", &text)]);
    for i in 0..n {
        let place = format!("a.c:a{i:06}");
        let step = (place.as_str(), "f", 0, "read", &[] as &[(&str, &str)]);
        let e = p.evidence("f()", &format!("read of {}", i * 7919), &place, "f", &[step; 40], &[]);
        let (kind, verdict) = match i == n / 2 {
            true => (CheckKind::DivByZero, Verdict::Violated(e)),
            false => (CheckKind::OutOfBoundsRead, Verdict::Latent(e)),
        };
        p.check(kind, "f", &place, "", "read", verdict);
    }
    ScanResult { programs: vec![p.done()], assumptions: vec![], notes: vec![], suppressions: vec![] }
}

#[test]
fn the_worst_stay() {
    let log = render(&many(20), &Options { max_results: 3, ..options() });
    check_structure(&log);
    let run = &log["runs"][0];
    let lines: Vec<_> = run["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| r["locations"][0]["physicalLocation"]["region"]["startLine"].as_u64().unwrap())
        .collect();
    assert_eq!(lines, [1, 2, 11]);
    let note = &run["invocations"][0]["toolExecutionNotifications"][0];
    assert_eq!(note["message"]["text"], "17 omitted: 3 of 20 results are in this file, the worst ones.");
    assert_eq!(note["level"], "warning");
}

#[test]
fn a_related_place_is_there_once() {
    let mut p = Program::new("", &[("a.c", "x = p->next;\ny = p->next->n;\n")]);
    // One line in the bodies of three functions, as an included file makes them.
    for (func, place) in [("f", "a.c:x"), ("g", "a.c:y"), ("h", "a.c:y"), ("i", "a.c:y")] {
        let mut e = p.evidence(&format!("{func}()"), "boom", place, func, &[], &[]);
        e.condition = Some("p->next == NULL".into());
        p.check(CheckKind::NullDeref, func, place, "", "null pointer", Verdict::Latent(e));
    }
    let scan = ScanResult { programs: vec![p.done()], assumptions: vec![], notes: vec![], suppressions: vec![] };
    let log = render(&scan, &options());
    let results = log["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.len(), 1, "{log:#}");
    assert_eq!(results[0]["relatedLocations"].as_array().unwrap().len(), 1, "{log:#}");
}

#[test]
fn compressed_size_is_kept() {
    let scan = many(200);
    let size = |o: &Options| {
        let mut out = Vec::new();
        write(&scan, o, &mut out).unwrap();
        let results = serde_json::from_slice::<Value>(&out).unwrap()["runs"][0]["results"].as_array().unwrap().len();
        (results, out.len())
    };
    let (all, free) = size(&options());
    let (fewer_steps, less) = size(&Options { max_gzip_bytes: 60_000, ..options() });
    let (fewer, least) = size(&Options { max_gzip_bytes: 30_000, ..options() });
    assert_eq!((all, fewer_steps), (200, 200));
    assert!(less < free && least < less && fewer < 200, "{free} {less} {least} {fewer}");
}
