//! Task definitions of the competition on software verification: YAML files, format 2.0, that name sources, properties
//! with the expected verdicts, and the data model. Of YAML what these files use is read: maps, lists of maps, strings.

use super::{Expected, Task};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

/// The definitions of a folder, one task for each property.
pub fn tasks(folder: &Path) -> Result<Vec<Task>> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .with_context(|| format!("cannot read {}", folder.display()))?
        .filter_map(|e| Some(e.ok()?.path()))
        .filter(|p| p.extension().is_some_and(|e| e == "yml"))
        .collect();
    files.sort();
    let mut out = Vec::new();
    for f in files {
        let text = std::fs::read_to_string(&f).with_context(|| format!("cannot read {}", f.display()))?;
        if text.lines().any(|l| l.starts_with("format_version")) {
            out.extend(parse(&text, &f).with_context(|| f.display().to_string())?);
        }
    }
    Ok(out)
}

/// What the tool shows, by the name of the property file.
const SUPPORTED: &[&str] = &["unreach-call", "valid-memsafety", "no-overflow", "termination"];

#[derive(Default)]
struct Definition {
    version: String,
    inputs: Vec<String>,
    properties: Vec<Wanted>,
    language: String,
    data_model: String,
}

#[derive(Default)]
struct Wanted {
    file: String,
    verdict: Option<String>,
    subproperty: Option<String>,
}

fn parse(text: &str, file: &Path) -> Result<Vec<Task>> {
    let d = read(text)?;
    // 1.0 had no options yet; its tasks were meant for 32 bits, as those of 2.0 without a data model are.
    if !d.version.starts_with(['1', '2']) {
        bail!("format_version {} is neither 1 nor 2", d.version);
    }
    let dir = file.parent().unwrap_or(Path::new("."));
    let group = dir.file_name().unwrap_or_default().to_string_lossy();
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    let mut out = Vec::new();
    for p in &d.properties {
        let path = dir.join(&p.file);
        let property = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let expected = match p.verdict.as_deref() {
            Some("true") => Expected::True,
            Some("false") if property == "valid-memsafety" => Expected::False(p.subproperty.clone()),
            Some("false") => Expected::False(None),
            _ => Expected::Open,
        };
        let supported = SUPPORTED.contains(&property.as_str());
        let skip = if !supported {
            Some(format!("asks for {property}"))
        } else if !d.language.is_empty() && d.language != "C" {
            Some(format!("is {}", d.language))
        } else {
            None
        };
        // The property file may be missing where only a folder was fetched; its name says the same.
        let asked = if path.is_file() { path.display().to_string() } else { property.clone() };
        let mut arguments = vec!["--property".to_string(), asked];
        if !d.data_model.is_empty() {
            arguments.extend(["--data-model".into(), d.data_model.clone()]);
        }
        arguments.extend(d.inputs.iter().map(|f| dir.join(f).display().to_string()));
        out.push(Task { name: format!("{group}/{name}"), class: property, expected, arguments, skip });
    }
    Ok(out)
}

fn read(text: &str) -> Result<Definition> {
    let mut d = Definition::default();
    let mut section = "";
    for (n, raw) in text.lines().enumerate() {
        let line = raw.split(" #").next().unwrap_or("");
        if line.trim().is_empty() || line.starts_with('#') || line == "---" {
            continue;
        }
        let indented = line.starts_with([' ', '-']);
        let body = line.trim();
        let (item, body) = match body.strip_prefix("- ") {
            Some(rest) => (true, rest.trim()),
            None => (false, body),
        };
        let pair = body.split_once(':').filter(|(k, _)| !k.contains(['\'', '"']));
        let value = |v: &str| v.trim().trim_matches(['\'', '"']).to_string();
        if !indented {
            let (key, v) = pair.with_context(|| format!("line {}: no key", n + 1))?;
            section = key;
            match key {
                "format_version" => d.version = value(v),
                "input_files" if v.trim().starts_with('[') => {
                    d.inputs = v.trim().trim_matches(['[', ']']).split(',').map(value).collect();
                }
                "input_files" if !v.trim().is_empty() => d.inputs.push(value(v)),
                _ => {}
            }
            continue;
        }
        match (section, pair) {
            ("input_files", _) if item => d.inputs.push(value(body)),
            ("properties", Some((k, v))) => {
                if item {
                    d.properties.push(Wanted::default());
                }
                let Some(p) = d.properties.last_mut() else { bail!("line {}: not in a list", n + 1) };
                match k {
                    "property_file" => p.file = value(v),
                    "expected_verdict" => p.verdict = Some(value(v)),
                    "subproperty" => p.subproperty = Some(value(v)),
                    _ => {}
                }
            }
            ("options", Some(("language", v))) => d.language = value(v),
            ("options", Some(("data_model", v))) => d.data_model = value(v),
            _ => {}
        }
    }
    if d.inputs.is_empty() {
        bail!("no input_files");
    }
    Ok(d)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions() {
        let text = "format_version: '2.0'\n\ninput_files: 'x.i'\n\nproperties:\n  - property_file: ../properties/no-data-race.prp\n    expected_verdict: true\n  - property_file: ../properties/valid-memsafety.prp\n    expected_verdict: false\n    subproperty: valid-free\n\noptions:\n  language: C\n  data_model: ILP32\n";
        let t = parse(text, Path::new("/c/g/x.yml")).unwrap();
        assert_eq!(t.len(), 2);
        assert_eq!(t[0].skip.as_deref(), Some("asks for no-data-race"));
        assert_eq!((t[1].name.as_str(), t[1].class.as_str()), ("g/x", "valid-memsafety"));
        assert_eq!(t[1].expected, Expected::False(Some("valid-free".into())));
        assert_eq!(t[1].arguments.join(" "), "--property valid-memsafety --data-model ILP32 /c/g/x.i");
        let text = "format_version: '2.0'\ninput_files:\n  - 'a.c'\n  - \"b.c\"\nproperties:\n- property_file: p/no-overflow.prp\n  expected_verdict: true\n";
        let t = parse(text, Path::new("/c/g/y.yml")).unwrap();
        assert_eq!(t[0].arguments.join(" "), "--property no-overflow /c/g/a.c /c/g/b.c");
        assert!(parse("format_version: '3.0'\ninput_files: 'a.c'\n", Path::new("/a.yml")).is_err());
        assert!(parse("format_version: '2.0'\n", Path::new("/a.yml")).is_err());
    }
}
