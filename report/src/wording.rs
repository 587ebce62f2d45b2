//! The sentences about a finding, for all outputs. Sentences mark C with backticks; [`plain`] and [`markdown`] turn
//! them into what SARIF's two message forms allow.

use crate::finding::Finding;
use verify_checks::rules;
use verify_engine::result::Verdict;

/// What goes wrong, e.g. ``dereference of null pointer `p->next` ``, without final stop.
pub fn title<'a>(f: &Finding<'a>) -> &'a str {
    if f.check.message.is_empty() { rules::rule(f.kind).short } else { &f.check.message }
}

/// The title, starting with a capital unless it starts with C.
pub fn capital(s: &str) -> String {
    let mut chars = s.chars();
    chars.next().map_or(String::new(), |c| c.to_uppercase().chain(chars).collect())
}

/// What went wrong with its values, when that says more than the title.
pub fn detail<'a>(f: &Finding<'a>) -> Option<&'a str> {
    let m = f.evidence()?.message.trim().trim_end_matches('.');
    (!m.is_empty() && m != title(f)).then_some(m)
}

/// How the verdict came about, a sentence without final stop.
pub fn explanation(f: &Finding<'_>) -> String {
    match f.verdict {
        Verdict::Violated(e) => format!("it fails when the program runs `{}`", e.call),
        Verdict::Latent(e) if !e.bodiless.is_empty() => {
            format!("it fails when the program runs `{}`; {}", e.call, bodiless(&e.bodiless))
        }
        Verdict::Latent(e) => {
            let condition = match (&e.made_up, &e.condition) {
                (Some(m), _) => format!(" (it fails with a `{m}` that the library did not make)"),
                (None, Some(c)) => format!(" (it fails when `{c}`)"),
                (None, None) => String::new(),
            };
            format!("it fails for the call `{}`, which no caller in the program excludes{condition}", e.call)
        }
        Verdict::Proved(by) if by.is_empty() => "no execution fails it".into(),
        Verdict::Proved(by) => format!("no execution fails it ({by})"),
        Verdict::Unknown(why) => format!("not decided ({why})"),
        Verdict::Unreachable => "no entry reaches it".into(),
    }
}

/// What an execution takes for granted of functions nobody has the code of.
pub fn bodiless(names: &[String]) -> String {
    const SHOWN: usize = 6;
    let mut list: Vec<String> = names.iter().take(SHOWN).map(|n| format!("`{n}`")).collect();
    if names.len() > SHOWN {
        list.push(format!("{} more", names.len() - SHOWN));
    }
    let last = list.pop().unwrap_or_default();
    let list = if list.is_empty() { last } else { format!("{} and {last}", list.join(", ")) };
    format!("results of {list} (without body or model) are made up")
}

/// The whole message: title, values, explanation.
pub fn message(f: &Finding<'_>) -> String {
    let detail = detail(f).map(|d| format!(": {d}")).unwrap_or_default();
    format!("{}{detail}. {}.", capital(title(f)), capital(&explanation(f)))
}

/// Control characters and characters that reorder text become visible and harmless.
pub fn printable(s: &str) -> String {
    let mut out = String::with_capacity(s.len());
    for c in s.chars() {
        match c {
            '\t' | '\n' => out.push(c),
            '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{200E}' | '\u{200F}' | '\u{2028}' | '\u{2029}' => {
                out.push_str(&format!("<U+{:04X}>", u32::from(c)));
            }
            c if c.is_control() => out.push(char::REPLACEMENT_CHARACTER),
            c => out.push(c),
        }
    }
    out
}

/// A sentence for SARIF's plain text: no backticks, and nothing that reads as an embedded link (`[i](x)` in C).
pub fn plain(sentence: &str) -> String {
    printable(sentence).replace('`', "'").replace("](", "] (")
}

/// A sentence for SARIF's Markdown: code stays code, other characters lose their meaning in Markdown.
pub fn markdown(sentence: &str) -> String {
    let s = printable(sentence);
    // With an odd number of backticks there is no telling what is code.
    let balanced = s.matches('`').count().is_multiple_of(2);
    let mut out = String::with_capacity(s.len() + 8);
    let mut code = false;
    for c in s.chars() {
        match c {
            '`' if balanced => code = !code,
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '~' if !code => out.push('\\'),
            _ => {}
        }
        out.push(c);
    }
    out
}

/// The text of an embedded link: brackets would end it.
pub fn link_text(sentence: &str) -> String {
    plain(sentence).replace('\\', "\\\\").replace('[', "\\[").replace(']', "\\]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms() {
        assert_eq!(plain("call of `f[i](x)`"), "call of 'f[i] (x)'");
        assert_eq!(markdown("`a*b` is * of a_b"), "`a*b` is \\* of a\\_b");
        assert_eq!(markdown("one ` here"), "one \\` here");
        assert_eq!(link_text("see a[1]"), "see a\\[1\\]");
        assert_eq!(printable("a\u{1b}[31m\u{202E}"), "a\u{FFFD}[31m<U+202E>");
        assert_eq!(capital("write"), "Write");
    }
}
