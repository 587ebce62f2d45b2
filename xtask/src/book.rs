//! What can be checked of the book without building it: the table of contents lists every page, and whatever a page
//! links to or includes is there. Building it is `mdbook build book`.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

/// Where the pages are.
const PAGES: &str = "book/src/";
const SUMMARY: &str = "book/src/SUMMARY.md";

/// Faults of the Markdown files among `files` (name and text), as (name, fault). `exists` tells whether there is a file
/// or folder of this name, relative to the workspace.
pub fn faults(files: &[(String, String)], exists: impl Fn(&Path) -> bool) -> Vec<(String, String)> {
    let mut faults = Vec::new();
    // Pages that the book shows: those of the table of contents, and those that these include.
    let mut shown: BTreeSet<PathBuf> = BTreeSet::from([SUMMARY.into()]);
    for (name, text) in files.iter().filter(|(n, _)| n.ends_with(".md")) {
        let folder = Path::new(name).parent().unwrap_or(Path::new(""));
        for (line, target) in targets(text) {
            let path = resolved(&folder.join(&target));
            if !exists(&path) {
                faults.push((name.clone(), format!("line {line}: there is no {target}")));
            } else if name == SUMMARY || text.contains(&format!("{{{{#include {target}")) {
                shown.insert(path);
            }
        }
    }
    let is_page = |n: &str| n.starts_with(PAGES) && n.ends_with(".md");
    for (name, _) in files.iter().filter(|(n, _)| is_page(n) && !shown.contains(Path::new(n))) {
        faults.push((name.clone(), "neither SUMMARY.md lists this page nor does another one include it".into()));
    }
    faults
}

/// Relative link targets and included files of a Markdown text, with their lines; without anchors. Code is left out.
fn targets(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut fenced = false;
    for (i, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        }
        let links = if fenced { Vec::new() } else { after(line, "](", ')') };
        let included = after(line, "{{#include ", '}').into_iter().map(|t| t.split(':').next().unwrap_or_default());
        for target in links.into_iter().chain(included) {
            let path = target.split('#').next().unwrap_or_default().trim();
            if !path.is_empty() && !path.contains("://") && !path.starts_with("mailto:") {
                found.push((i + 1, path.to_string()));
            }
        }
    }
    found
}

/// What stands between `open` and the next `close`, outside of `code`.
fn after<'a>(line: &'a str, open: &str, close: char) -> Vec<&'a str> {
    line.match_indices(open)
        .filter(|(at, _)| line[..*at].matches('`').count().is_multiple_of(2) || line[..*at].ends_with('`'))
        .filter_map(|(at, _)| line[at + open.len()..].split_once(close).map(|(inside, _)| inside))
        .collect()
}

/// The path without `.` and `..`.
fn resolved(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                out.pop();
            }
            Component::CurDir => {}
            part => out.push(part),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pages: &[(&str, &str)], expect: &[&str]) {
        let files: Vec<_> = pages.iter().map(|(n, t)| (n.to_string(), t.to_string())).collect();
        let found = faults(&files, |p| pages.iter().any(|(n, _)| Path::new(n) == p));
        let found: Vec<String> = found.into_iter().map(|(n, f)| format!("{n}: {f}")).collect();
        assert_eq!(found, expect);
    }

    #[test]
    fn links_resolve_and_pages_are_listed() {
        let summary = ("book/src/SUMMARY.md", "- [a](use/a.md)\n- [b](b.md)\n");
        let a =
            ("book/src/use/a.md", "[b](../b.md#top), [out](https://example.org), `x[i](n)`\n```\n[no](no.md)\n```\n");
        let b = ("book/src/b.md", "{{#include c.md}}\n");
        let c = ("book/src/c.md", "c");
        check(&[summary, a, b, c], &[]);
        check(
            &[summary, a, c, ("book/src/b.md", "")],
            &["book/src/c.md: neither SUMMARY.md lists this page nor does another one include it"],
        );
        check(
            &[summary, a, c, ("book/src/b.md", "{{#include c.md}} [gone](d.md)")],
            &["book/src/b.md: line 1: there is no d.md"],
        );
        check(&[("README.md", "[x](book/)")], &["README.md: line 1: there is no book/"]);
    }
}
