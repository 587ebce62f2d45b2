//! `verify scan --baseline` and suppressions: what is accepted stays accepted, and nothing else is.

use super::{Lab, same};
use anyhow::{Context, Result, ensure};
use serde_json::Value;

/// A scan of `f.c` against `old.sarif`: the exit code, and `new`, `unchanged`, `updated`, `fixed` and `not_found`.
fn against(lab: &Lab, source: &str, args: &str) -> Result<(i32, [u64; 5])> {
    lab.write("f.c", source)?;
    let (code, json) = lab.scan(&format!("--baseline old.sarif {args}"))?;
    let b = &json["baseline"];
    Ok((code, ["new", "unchanged", "updated", "fixed", "not_found"].map(|k| b[k].as_u64().unwrap_or(u64::MAX))))
}

/// Scans this as the baseline; the exit code.
fn old(lab: &Lab, source: &str, args: &str) -> Result<i32> {
    lab.write("f.c", source)?;
    let code = lab.scan(args)?.0;
    std::fs::rename(lab.dir.join("f.sarif"), lab.dir.join("old.sarif"))?;
    Ok(code)
}

fn sarif(lab: &Lab) -> Result<Value> {
    Ok(serde_json::from_slice(&std::fs::read(lab.dir.join("f.sarif"))?)?)
}

const HEAD: &str = "#include <stdlib.h>\nint t[4];\n";

fn main_of(body: &str) -> String {
    format!("{HEAD}int main(int argc, char **argv)\n{{\n{body}\n    return 0;\n}}\n")
}

pub fn baseline(lab: &Lab) -> Result<()> {
    groups(lab)?;
    places(lab)?;
    verdicts(lab)?;
    gone(lab)?;
    files(lab)
}

/// Findings of one cause are one report, and all of them are in the baseline.
fn groups(lab: &Lab) -> Result<()> {
    let two =
        main_of("    int *p = NULL;\n    if (argc == 2)\n        t[0] += *p;\n    if (argc == 3)\n        t[1] += *p;");
    same(old(lab, &two, "")?, 1)?;
    let log: Value = serde_json::from_slice(&std::fs::read(lab.dir.join("old.sarif"))?)?;
    let results = log["runs"][0]["results"].as_array().context("results")?;
    same(results.len(), 1)?;
    same(results[0]["properties"]["members"].as_array().map(Vec::len), Some(1))?;
    same(against(lab, &two, "")?, (0, [0, 1, 0, 0, 0]))?;
    // The first of them mended: the other one is known.
    same(against(lab, &two.replace("t[0] += *p", "t[0] += 1"), "")?, (0, [0, 1, 0, 0, 0]))?;
    // One more of the same cause is nobody's to have accepted.
    let three = two.replace("    return 0;", "    if (argc == 4)\n        t[2] += *p;\n    return 0;");
    same(against(lab, &three, "")?, (1, [0, 0, 1, 0, 0]))
}

/// Where it is, not the how manieth.
fn places(lab: &Lab) -> Result<()> {
    let one = main_of("    int i = argc + 7;\n    if (argc > 1)\n        t[i] = 1;");
    same(old(lab, &one, "")?, 1)?;
    // Lines, blanks and comments are nothing.
    let moved = one.replace("t[i] = 1", "t[i]  /* here */\n  = 1");
    same(against(lab, &format!("\n\n{moved}"), "")?, (0, [0, 1, 0, 0, 0]))?;
    // A harmless access of the same form above.
    let above = one.replace("    if (argc > 1)\n", "    if (i < 4 && i >= 0)\n        t[i] = 3;\n    if (argc > 1)\n");
    same(against(lab, &above, "")?, (0, [0, 1, 0, 0, 0]))?;
    // That fault is mended and another one made, which agrees in all but the statement.
    let other = main_of(
        "    int i = argc + 7;\n    if (argc > 1 && i < 4)\n        t[i] = 1;\n    if (argc > 2)\n        argc = t[i];",
    );
    let (code, [new, unchanged, updated, _, _]) = against(lab, &other, "")?;
    same((code, unchanged, new + updated), (1, 0, 1))
}

/// Worse than it was, and no longer suppressed.
fn verdicts(lab: &Lab) -> Result<()> {
    let get = "int get(int *p)\n{\n    return *p;\n}\n";
    same(old(lab, get, "")?, 0)?;
    same(against(lab, get, "")?, (0, [0, 1, 0, 0, 0]))?;
    same(against(lab, get, "--entry get")?, (1, [0, 0, 1, 0, 0]))?;
    let ignored = get.replace("    return", "    // verify: ignore[null-deref] never null\n    return");
    same(old(lab, &ignored, "--entry get")?, 0)?;
    same(against(lab, &ignored, "--entry get")?, (0, [0; 5]))?;
    same(against(lab, get, "--entry get")?, (1, [0, 0, 1, 0, 0]))?;
    // The other way round nothing is worse.
    same(old(lab, get, "--entry get")?, 1)?;
    same(against(lab, get, "")?, (0, [0, 1, 0, 0, 0]))
}

/// Fixed is what is proved or gone; what is not decided any more is not, and is not forgotten either.
fn gone(lab: &Lab) -> Result<()> {
    let bad = main_of("    t[argc + 7] = 1;");
    same(old(lab, &bad, "")?, 1)?;
    same(against(lab, &main_of("    t[argc & 3] = 1;"), "")?, (0, [0, 0, 0, 1, 0]))?;
    // A program that starts threads is not decided.
    let thread = "#include <pthread.h>\nstatic void *work(void *p) { return p; }\n";
    let unknown = main_of("    pthread_t id;\n    pthread_create(&id, NULL, work, NULL);\n    t[argc + 7] = 1;");
    let unknown = format!("{thread}{unknown}");
    same(against(lab, &unknown, "")?, (0, [0, 0, 0, 0, 1]))?;
    let log = sarif(lab)?;
    let lost = log["runs"][0]["results"].as_array().into_iter().flatten().find(|r| r["baselineState"] == "absent");
    same(lost.and_then(|r| r["kind"].as_str()), Some("open"))?;
    // Known again when it is back.
    std::fs::rename(lab.dir.join("f.sarif"), lab.dir.join("old.sarif"))?;
    same(against(lab, &bad, "")?, (0, [0, 1, 0, 0, 0]))
}

/// Files that are no baseline.
fn files(lab: &Lab) -> Result<()> {
    let refused = |text: &str, why: &str| -> Result<()> {
        lab.write("other.sarif", text)?;
        let err = lab.expect(3, "scan --quiet --baseline other.sarif")?.err();
        ensure!(err.trim_end().lines().count() == 1 && err.contains(why), "{err}");
        Ok(())
    };
    refused("{\"runs\": []}", "no runs")?;
    refused("{\"runs\": [{\"tool\": {\"driver\": {\"name\": \"verify\"}}, \"results\": 5}]}", "no list of results")?;
    refused("{\"runs\": [{\"tool\": {\"driver\": {\"name\": \"lint\"}}, \"results\": []}]}", "another tool: lint")?;
    refused("{\"runs\": [{\"tool\": {\"driver\": {\"name\": \"verify\"}}, \"results\": [{}]}]}", "no `ruleId`")?;
    let bad = main_of("    t[argc + 7] = 1;");
    same(old(lab, &bad, "")?, 1)?;
    let elsewhere = std::fs::read_to_string(lab.dir.join("old.sarif"))?.replace("f.c", "src/elsewhere.c");
    lab.write("elsewhere.sarif", &elsewhere)?;
    let err = lab.expect(0, "scan --quiet --baseline elsewhere.sarif")?.err();
    ensure!(err.contains("is of another folder"), "{err}");
    Ok(())
}

pub fn suppressions(lab: &Lab) -> Result<()> {
    let get = |comment: &str| format!("int get(int *p)\n{{\n    {comment}\n    return *p;\n}}\n");
    let said = |source: &str, args: &str| -> Result<(i32, String)> {
        lab.write("f.c", source)?;
        let (code, json) = lab.scan(&format!("--entry get {args}"))?;
        Ok((code, format!("{} {}", json["remarks"], json["assumptions"])))
    };
    for comment in
        ["// verify: ignore[null-deref] x", "//verify:ignore[null-deref] x", "/* verify: ignore[null-deref]\n x */"]
    {
        let (code, remarks) = said(&get(comment), "")?;
        same(code, 0)?;
        ensure!(remarks.contains("accepted findings do not happen") && !remarks.contains("effect"), "{remarks}");
    }
    for (comment, why) in [
        ("// verify: ignore[null-deref]", "f.c:3: this `verify: ignore` has no effect: it gives no reason"),
        ("// verify: ignore[nul-deref] x", "there is no kind of check `nul-deref`"),
        ("// verify: ignore null-deref", "it names no kind"),
        ("// verify: ignore[leak] x", "f.c:3: this `verify: ignore` accepts nothing"),
    ] {
        let (code, remarks) = said(&get(comment), "")?;
        same(code, 1)?;
        ensure!(remarks.contains(why) && !remarks.contains("do not happen"), "{comment}: {remarks}");
    }
    // Text of a string.
    let text =
        "const char *s;\nint get(int *p)\n{\n    s = \"\\\n// verify: ignore[null-deref] x\\\n\"; return *p;\n}\n";
    let (code, remarks) = said(text, "")?;
    same(code, 1)?;
    ensure!(remarks.starts_with("null "), "{remarks}");
    // Ids in capital letters; entries that are for nothing.
    let plain = get("");
    lab.write("f.c", &plain)?;
    let (_, json) = lab.scan("--entry get")?;
    let id = json["findings"][0]["id"].as_str().context("an id")?.to_uppercase();
    let entry = |key: &str, value: &str| format!("[[suppress]]\n{key} = \"{value}\"\nreason = \"x\"\n");
    lab.write("list.toml", &(entry("id", &id) + &entry("function", "set")))?;
    let (code, remarks) = said(&plain, "--suppressions list.toml")?;
    same(code, 0)?;
    ensure!(
        remarks.contains("a suppression accepts nothing: function = set") && !remarks.contains("id = "),
        "{remarks}"
    );
    // The id outlives a harmless check of the same form above.
    let above = plain.replace("return *p", "if (p)\n        (void)*(volatile int *)p;\n    return *p");
    same(said(&above, "--suppressions list.toml")?.0, 0)?;
    let shown = lab.expect(0, "scan --quiet --steps 2 --entry get --suppressions list.toml")?.out();
    ensure!(shown.contains("Suppressions without effect (1)"), "{shown}");
    Ok(())
}
