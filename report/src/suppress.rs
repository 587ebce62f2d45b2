//! Suppressed findings: what the authors have looked at and accept. Said in a comment of the source,
//!
//! ```c
//! x = a + b; // verify: ignore[signed-overflow] the caller has tested both
//! ```
//!
//! on the line of the finding or alone on the line above, or in a list outside of the sources ([`Suppression`]). Both need a reason.
//! A suppressed finding keeps its verdict and stays in the SARIF, marked; it is not shown otherwise and decides no exit
//! code. What it is not: a statement about other checks. But an execution ends at its first failing check, accepted or not:
//! what comes after an accepted failure is proved only for executions in which it does not happen ([`assumption`]).
//!
//! A comment or entry without effect is named ([`Comments::remarks`]): a typing mistake would otherwise look like a finding
//! that came back.

use crate::finding::Finding;
use crate::lexer::Lexed;
use crate::source::Source;
use std::cell::Cell;
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
    if let Some(id) = rule.id.as_ref().filter(|id| !id.chars().all(|c| c.is_ascii_hexdigit())) {
        return Err(format!("`{id}` is no id: ids are of hexadecimal digits"));
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
        && rule.id.as_ref().is_none_or(|i| id.get(..i.len()).is_some_and(|head| head.eq_ignore_ascii_case(i)))
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

/// What the entry says, for a remark.
pub fn describe(rule: &Suppression) -> String {
    let line = rule.line.map(|l| l.to_string());
    let keys =
        [("kind", &rule.kind), ("file", &rule.file), ("line", &line), ("function", &rule.function), ("id", &rule.id)];
    let said = keys.iter().filter_map(|(k, v)| Some(format!("{k} = {}", v.as_ref()?)));
    said.collect::<Vec<_>>().join(", ")
}

/// What proofs lean on where failures are accepted, when any is.
pub fn assumption(findings: &[Finding<'_>]) -> Option<String> {
    // What does not end an execution hides nothing.
    let ends = |k: CheckKind| !matches!(k, CheckKind::Leak | CheckKind::UnsignedWrap | CheckKind::IntegerTruncation);
    let n = findings.iter().filter(|f| f.suppressed.is_some() && ends(f.kind)).count();
    let s = if n == 1 { "" } else { "s" };
    (n > 0).then(|| {
        format!(
            "Proofs assume that accepted findings do not happen ({n} finding{s}): what an execution does after one was not \
             looked at."
        )
    })
}

/// `verify: ignore[...]` in a comment.
#[derive(Debug)]
struct Ignore {
    /// Its lines, both included.
    first: u32,
    last: u32,
    /// Nothing else stands on them.
    alone: bool,
    /// Why it has no effect; otherwise the kinds and the reason.
    said: Result<(Vec<CheckKind>, String), String>,
    used: Cell<bool>,
}

/// The comments of a source that accept findings.
#[derive(Debug, Default)]
pub struct Comments(Vec<Ignore>);

impl Comments {
    /// Of a source.
    pub fn of(source: &Source<'_>) -> Comments {
        let Some(text) = source.text else { return Comments::default() };
        // Few files have any.
        if !text.to_ascii_lowercase().contains("verify:") {
            return Comments::default();
        }
        let lexed = Lexed::of(text);
        let starts = source.lines();
        let line_of = |at: usize| starts.partition_point(|l| l.0 <= at) as u32;
        let ignores = lexed.comments.iter().filter_map(|c| {
            let said = parse(c.text)?;
            let (first, last) = (line_of(c.start), line_of(c.end.max(c.start + 1) - 1));
            let (from, to) = (starts[first as usize - 1].0, starts[last as usize - 1].1);
            let alone = !lexed.tokens.iter().any(|t| t.start < to && t.end > from);
            Some(Ignore { first, last, alone, said, used: Cell::new(false) })
        });
        Comments(ignores.collect())
    }

    /// The reason of the comment that speaks of findings of this kind on this line.
    pub fn reason(&self, line: u32, kind: CheckKind) -> Option<String> {
        let speaks = |i: &Ignore| (i.first..=i.last).contains(&line) || (i.alone && i.last + 1 == line);
        self.0.iter().filter(|i| speaks(i)).find_map(|i| {
            let (kinds, reason) = i.said.as_ref().ok()?;
            kinds.contains(&kind).then(|| {
                i.used.set(true);
                reason.clone()
            })
        })
    }

    /// Comments without effect, by line.
    pub fn remarks(&self) -> impl Iterator<Item = (u32, String)> {
        self.0.iter().filter_map(|i| match &i.said {
            Err(why) => Some((i.first, format!("this `verify: ignore` has no effect: {why}"))),
            Ok(_) if !i.used.get() => {
                Some((i.first, "this `verify: ignore` accepts nothing: nothing fails there".into()))
            }
            Ok(_) => None,
        })
    }
}

/// What a comment says, when it is one of these.
fn parse(text: &str) -> Option<Result<(Vec<CheckKind>, String), String>> {
    let text = text.trim_start_matches(['*', '!', ' ', '\t', '\r', '\n', '/']);
    let head = text.get(..7).filter(|h| h.eq_ignore_ascii_case("verify:"))?;
    let rest = text[head.len()..].trim_start();
    let rest = rest.get(..6).filter(|h| h.eq_ignore_ascii_case("ignore")).map(|h| &rest[h.len()..])?;
    let Some((list, reason)) = rest.trim_start().strip_prefix('[').and_then(|r| r.split_once(']')) else {
        return Some(Err("it names no kind, as in `verify: ignore[leak] the reason`".into()));
    };
    let mut kinds = Vec::new();
    for name in list.split(',').map(str::trim) {
        match CheckKind::from_name(name) {
            Some(k) => kinds.push(k),
            None => return Some(Err(format!("there is no kind of check `{name}`"))),
        }
    }
    let reason = reason.split_whitespace().collect::<Vec<_>>().join(" ");
    Some(if reason.is_empty() { Err("it gives no reason".into()) } else { Ok((kinds, reason)) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, line: u32, kind: CheckKind) -> Option<String> {
        let file = verify_ir::SourceFile {
            path: "a.c".into(),
            directory: String::new(),
            hash: [0; 32],
            text: Some(text.into()),
            system: false,
        };
        let mut sources = crate::source::Sources::new(std::path::Path::new("/"));
        let id = sources.intern(&file);
        let c = Comments::of(sources.get(id));
        let said = c.reason(line, kind);
        let mut left: Vec<String> = c.remarks().map(|(l, t)| format!("{l}: {t}")).collect();
        left.extend(said);
        (!left.is_empty()).then(|| left.join("; "))
    }

    #[test]
    fn comments_name_kinds_and_give_a_reason() {
        let get = |text: &str| of(text, 1, CheckKind::NullDeref);
        assert_eq!(get("*p; // verify: ignore[null-deref] set by init"), Some("set by init".into()));
        assert_eq!(get("*p; //verify:ignore[null-deref] set by init"), Some("set by init".into()));
        assert_eq!(get("*p; /* verify: ignore[leak, null-deref] set by init */"), Some("set by init".into()));
        assert_eq!(get("puts(\"// verify: ignore[null-deref] x\");"), None);
        assert_eq!(get("puts(\"a \\\" // verify: ignore[null-deref] x\", *p);"), None);
        assert_eq!(get("c = '\"'; /* x */ *p; // verify: ignore[null-deref] x"), Some("x".into()));
        let without =
            |text: &str, why: &str| assert!(get(text).is_some_and(|t| t.contains(why)), "{text}: {:?}", get(text));
        without("*p; // verify: ignore[leak] set by init", "accepts nothing");
        without("*p; // verify: ignore[null-deref]", "gives no reason");
        without("*p; // verify: ignore[nul-deref] x", "no kind of check `nul-deref`");
        without("*p; // Verify: Ignore null-deref", "names no kind");
    }

    #[test]
    fn text_of_a_string_is_no_comment() {
        let text = "puts(\"a \\\n// verify: ignore[null-deref] x\\\n\", *p);\n*p;";
        assert_eq!(of(text, 3, CheckKind::NullDeref), None);
        assert_eq!(of("/* a\n// verify: ignore[null-deref] x\n*/ *p;", 3, CheckKind::NullDeref), None);
    }

    #[test]
    fn a_line_above_has_nothing_but_comments() {
        let above = |line: &str| of(&format!("{line}\n*p;"), 2, CheckKind::NullDeref);
        assert_eq!(above("  // verify: ignore[null-deref] x"), Some("x".into()));
        assert_eq!(above("  /* verify: ignore[null-deref] x */ // b"), Some("x".into()));
        assert_eq!(of("/* verify: ignore[null-deref]\n * x\n */\n*p;", 4, CheckKind::NullDeref), Some("* x".into()));
        let no = above("/* verify: ignore[null-deref] known */ return *q;");
        assert!(no.is_some_and(|t| t.contains("accepts nothing")));
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
        assert!(check(&Suppression { id: Some("not an id".into()), ..none.clone() }).is_err());
        let upper = Suppression { id: Some("00AB00AB".into()), ..none.clone() };
        assert!(fits(&upper, "leak", "a.c", 1, "f", "00ab00ab77") && check(&upper).is_ok());
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
