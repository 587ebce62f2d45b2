//! The SARIF file against the schema of the standard. The schema is not kept here (its licence is the OASIS one): it
//! comes with the package `serde-sarif`, which cargo unpacks and does not compile, or from `VERIFY_SARIF_SCHEMA`.

use crate::common;
use serde_json::Value;
use std::path::PathBuf;
use verify_report::sarif::{Options, write};

fn schema_path() -> PathBuf {
    if let Some(path) = std::env::var_os("VERIFY_SARIF_SCHEMA") {
        return path.into();
    }
    let metadata = |extra: &[&str]| -> Option<Value> {
        let out = std::process::Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()))
            .args([
                "metadata",
                "--format-version",
                "1",
                "--manifest-path",
                concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"),
            ])
            .args(extra)
            .output()
            .ok()?;
        serde_json::from_slice(&out.stdout).ok()
    };
    let find = |m: Value| -> Option<PathBuf> {
        let package = m["packages"].as_array()?.iter().find(|p| p["name"] == "serde-sarif")?;
        Some(PathBuf::from(package["manifest_path"].as_str()?).with_file_name("src").join("schema.json"))
    };
    metadata(&["--offline"])
        .or_else(|| metadata(&[]))
        .and_then(find)
        .expect("no SARIF schema: run `cargo fetch`, or name the file in VERIFY_SARIF_SCHEMA")
}

fn check(log: &Value, expect: bool) {
    let path = schema_path();
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let schema: Value = serde_json::from_str(&text).unwrap();
    let mut compiler = boon::Compiler::new();
    compiler.enable_format_assertions();
    let mut schemas = boon::Schemas::new();
    let id = "https://example.org/sarif-2.1.0.json";
    let mut schema = schema;
    for name in ["id", "$id"] {
        schema.as_object_mut().unwrap().remove(name);
    }
    compiler.add_resource(id, schema).unwrap();
    let index = compiler.compile(id, &mut schemas).unwrap();
    match schemas.validate(log, index) {
        Ok(()) => assert!(expect, "accepted"),
        Err(e) => assert!(!expect, "{e:#}"),
    }
}

fn render(options: &Options) -> Value {
    let mut out = Vec::new();
    write(&common::scan(), options, &mut out).unwrap();
    if let Some(dir) = std::env::var_os("VERIFY_SARIF_SAVE") {
        std::fs::write(PathBuf::from(dir).join(format!("sample-{}.sarif", options.all)), &out).unwrap();
    }
    serde_json::from_slice(&out).unwrap()
}

#[test]
fn valid() {
    check(&render(&Options::new("/project")), true);
    check(&render(&Options { all: true, ..Options::new("/project") }), true);
}

/// That the check can fail.
#[test]
fn invalid() {
    let mut log = render(&Options::new("/project"));
    log["runs"][0]["results"][0]["level"] = "fatal".into();
    check(&log, false);
}

#[test]
fn differences() {
    use verify_report::diff::{DiffFunction, DiffOffer, DiffPlace, DiffReport, DiffSymbol, sarif};
    let place =
        |file: &str| Some(DiffPlace { file: file.into(), line: 3, column: 0, function: "f".into(), lines: Vec::new() });
    let function = |name: &str, verdict: &str| DiffFunction {
        name: name.into(),
        verdict: verdict.into(),
        how: "a[i](x) differs".into(),
        old: place("a b.c"),
        new: place("/usr/include/c.h"),
        ..DiffFunction::default()
    };
    let symbol =
        |seen| DiffSymbol { name: "v".into(), difference: "it differs".into(), seen, old: place("v.c"), new: None };
    let report = DiffReport {
        functions: vec![function("f", "changed"), function("g", "unknown"), function("h", "equal")],
        symbols: vec![symbol(true), symbol(false)],
        removed: vec![DiffOffer { name: "gone".into(), place: place("v.c") }],
        added: vec![DiffOffer { name: "come".into(), place: None }],
        notes: vec!["assembly".into()],
        ..DiffReport::default()
    };
    let mut out = Vec::new();
    sarif(&report, &mut out).unwrap();
    let log: Value = serde_json::from_slice(&out).unwrap();
    check(&log, true);
    let rules: Vec<_> = log["runs"][0]["results"].as_array().unwrap().iter().map(|r| r["ruleId"].clone()).collect();
    let want = ["changed-meaning", "not-shown-equal", "changed-definition", "not-shown-equal", "removed", "added"];
    assert_eq!(rules, want);
    // Columns are counted as the run says, and relative paths have a base.
    let lines = vec![(3, true, "/* ü\u{FFFD}😀 */ g".to_string())];
    let place = DiffPlace { file: "a.c".into(), line: 3, column: 15, function: "f".into(), lines };
    let function = DiffFunction { new: Some(place), ..function("f", "changed") };
    let roots = ("/v1".to_string(), "/v 2".to_string());
    let report = DiffReport { functions: vec![function], roots, ..DiffReport::default() };
    let mut out = Vec::new();
    sarif(&report, &mut out).unwrap();
    let log: Value = serde_json::from_slice(&out).unwrap();
    check(&log, true);
    let run = &log["runs"][0];
    assert_eq!(run["originalUriBaseIds"]["SRCROOT"]["uri"], "file:///v%202/");
    let place = &run["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uriBaseId"], "SRCROOT");
    assert_eq!(place["region"]["startColumn"], 12);
}
