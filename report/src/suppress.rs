//! Suppressed findings: what the authors have looked at and accept. Said in a comment of the source,
//!
//! ```c
//! x = a + b; // verify: ignore[signed-overflow] the caller has tested both
//! ```
//!
//! on the line of the finding or alone on the line above, or in a list outside of the sources ([`Suppression`]). Both need a reason.
//! A suppressed finding keeps its verdict and stays in the SARIF, marked; it is not shown otherwise and decides no exit
//! code. What it is not: an assumption. Nothing that is proved leans on a suppression.

use crate::source::Source;
use verify_engine::suppression::Suppression;
use verify_ir::CheckKind;

/// Why a finding is suppressed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suppressed {
    /// It stands in the source; otherwise in a list.
    pub in_source: bool,
    /// The reason that was given.
    pub reason: String,
}

/// What is wrong with an entry of a list.
///
/// # Errors
/// A sentence.
pub fn check(rule: &Suppression) -> Result<(), String> {
    if rule.reason.trim().is_empty() {
        return Err("a suppression needs a `reason`".into());
    }
    if let Some(k) = rule.kind.as_ref().filter(|k| CheckKind::from_name(k).is_none()) {
        return Err(format!("there is no kind of check `{k}`"));
    }
    if rule.id.as_ref().is_some_and(|id| id.len() < 8) {
        return Err("an `id` needs at least 8 digits".into());
    }
    if rule.kind.is_none() && rule.file.is_none() && rule.function.is_none() && rule.id.is_none() {
        return Err("a suppression needs a `kind`, `file`, `function` or `id`".into());
    }
    Ok(())
}

/// Does the entry speak of this finding?
pub fn fits(rule: &Suppression, kind: &str, file: &str, line: u32, function: &str, id: &str) -> bool {
    rule.kind.as_ref().is_none_or(|k| k == kind)
        && rule.file.as_ref().is_none_or(|f| like(f.strip_prefix("./").unwrap_or(f), file))
        && rule.line.is_none_or(|l| l == line)
        && rule.function.as_ref().is_none_or(|f| like(f, function))
        && rule.id.as_ref().is_none_or(|i| id.starts_with(i.as_str()))
}

/// `*` stands for any text.
fn like(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((head, rest)) => text
            .strip_prefix(head)
            .is_some_and(|tail| (0..=tail.len()).filter(|i| tail.is_char_boundary(*i)).any(|i| like(rest, &tail[i..]))),
    }
}

/// The comment that speaks of findings of this kind on this line.
pub fn in_source(source: &Source<'_>, line: u32, kind: CheckKind) -> Option<String> {
    let here = source.line(line).and_then(|l| comment(l, kind));
    here.or_else(|| {
        let above = source.line(line.checked_sub(1)?)?;
        if comments(above).1 { comment(above, kind) } else { None }
    })
}

/// The comments of a line, and whether there is nothing else on it. Strings and characters are passed over; a comment that
/// began on an earlier line is not known to be one.
fn comments(line: &str) -> (Vec<&str>, bool) {
    let (mut found, mut alone) = (Vec::new(), true);
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        if let Some(text) = rest.strip_prefix("//") {
            found.push(text);
            break;
        } else if let Some(text) = rest.strip_prefix("/*") {
            let (text, more) = text.split_once("*/").unwrap_or((text, ""));
            found.push(text);
            rest = more;
            continue;
        }
        alone &= c.is_whitespace();
        rest = &rest[c.len_utf8()..];
        if c == '"' || c == '\'' {
            let mut escaped = false;
            let end = rest.char_indices().find(|(_, x)| {
                let ends = *x == c && !escaped;
                escaped = *x == '\\' && !escaped;
                ends
            });
            rest = end.map_or("", |(i, x)| &rest[i + x.len_utf8()..]);
        }
    }
    (found, alone)
}

/// The reason in `// verify: ignore[kind, kind] reason`, when the kind is among them.
fn comment(line: &str, kind: CheckKind) -> Option<String> {
    comments(line).0.into_iter().find_map(|text| {
        let (kinds, reason) = text.trim_start().strip_prefix("verify: ignore[")?.split_once(']')?;
        let named = kinds.split(',').any(|k| k.trim() == kind.name());
        let reason = reason.trim();
        (named && !reason.is_empty()).then(|| reason.to_string())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_name_kinds_and_give_a_reason() {
        let get = |line: &str| comment(line, CheckKind::NullDeref);
        assert_eq!(get("*p; // verify: ignore[null-deref] set by init"), Some("set by init".into()));
        assert_eq!(get("*p; /* verify: ignore[leak, null-deref] set by init */"), Some("set by init".into()));
        assert_eq!(get("*p; // verify: ignore[leak] set by init"), None);
        assert_eq!(get("*p; // verify: ignore[null-deref]"), None);
        assert_eq!(get("puts(\"verify: ignore[null-deref] x\");"), None);
        assert_eq!(get("puts(\"a \\\" // verify: ignore[null-deref] x\", *p);"), None);
        assert_eq!(get("c = '\"'; /* x */ *p; // verify: ignore[null-deref] x"), Some("x".into()));
    }

    #[test]
    fn a_line_above_has_nothing_but_comments() {
        assert!(comments("  // verify: ignore[leak] x").1);
        assert!(comments("  /* a */ // b").1);
        assert!(!comments("/* x */ return *q; // verify: ignore[null-deref] known").1);
    }

    #[test]
    fn rules_agree_in_all_they_say() {
        let r = |text: &str| toml_like(text);
        let rule = r("leak|src/*.c||main*");
        assert!(fits(&rule, "leak", "src/a/b.c", 3, "main_loop", "00"));
        assert!(!fits(&rule, "leak", "lib/a.c", 3, "main_loop", "00"));
        assert!(!fits(&rule, "null-deref", "src/a.c", 3, "main", "00"));
        assert!(check(&rule).is_ok());
        let none = Suppression { reason: "x".into(), ..Suppression::default() };
        assert!(check(&none).is_err());
        assert!(check(&Suppression { kind: Some("leek".into()), ..none }).is_err());
    }

    fn toml_like(text: &str) -> Suppression {
        let parts: Vec<Option<String>> = text.split('|').map(|p| (!p.is_empty()).then(|| p.to_string())).collect();
        Suppression {
            kind: parts[0].clone(),
            file: parts[1].clone(),
            line: parts[2].as_ref().and_then(|l| l.parse().ok()),
            function: parts[3].clone(),
            id: None,
            reason: "known".into(),
        }
    }
}
