//! A source line with its position underlined. Tabs are expanded, wide characters take two cells, a line that does not
//! fit is shown as the window around the position.

use super::style::Style;
use crate::source::{Place, Source};
use crate::wording;
use std::io::{Result, Write};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

const TAB: usize = 4;

/// How to draw.
pub struct Drawing<'s> {
    pub style: Style,
    /// Terminal width in cells.
    pub width: usize,
    /// Width of the line numbers.
    pub gutter: usize,
    /// Written after the underline.
    pub label: &'s str,
    /// The main position, not a note's.
    pub primary: bool,
}

/// The number of cells for line numbers.
pub fn gutter(lines: impl Iterator<Item = u32>) -> usize {
    lines.max().unwrap_or(1).to_string().len()
}

/// Writes `--> path:line:column` and the line, if its text is known.
pub fn write(mut out: impl Write, d: &Drawing<'_>, source: &Source<'_>, place: Place, expr: &str) -> Result<()> {
    let s = d.style;
    let pad = " ".repeat(d.gutter);
    writeln!(out, "{pad}{} {}", s.blue("-->"), position(source, place))?;
    let (Some(line), Some(region)) = (source.line(place.line), source.region(place, expr)) else {
        if !d.label.is_empty() {
            writeln!(out, "{pad} {} {}", s.blue("="), d.label)?;
        }
        return Ok(());
    };
    let line_start = source.lines()[place.line as usize - 1].0;
    let from = region.start - line_start;
    let to = (region.end - line_start).min(line.len()).max(from);
    let (before, marked, after) = (&line[..from], &line[from..to], &line[to..]);
    let room = d.width.saturating_sub(d.gutter + 3).max(40);
    let shown = window(&cells(before, 0), before, marked, after, room);
    let (mark, colour): (&str, fn(Style, &str) -> String) =
        if d.primary { ("^", Style::red) } else { ("-", Style::blue) };
    let underline = mark.repeat(shown.marked.width().max(1));
    writeln!(out, "{pad} {}", s.blue("|"))?;
    let number = format!("{:>width$}", place.line, width = d.gutter);
    writeln!(out, "{} {} {}", s.blue(&number), s.blue("|"), shown.text.trim_end())?;
    let indent = " ".repeat(shown.indent);
    let label = if d.label.is_empty() { String::new() } else { format!(" {}", d.label) };
    writeln!(out, "{pad} {} {indent}{}", s.blue("|"), colour(s, &format!("{underline}{label}")))
}

/// `path:line:column`; the column in characters, as editors count.
pub fn position(source: &Source<'_>, place: Place) -> String {
    let path = wording::printable(&source.path).replace(['\n', '\t'], " ");
    if place.column == 0 {
        return format!("{path}:{}", place.line);
    }
    let column = source
        .offset(place.line, place.column)
        .and_then(|o| {
            let start = source.lines()[place.line as usize - 1].0;
            Some(source.text?[start..o].chars().count() + 1)
        })
        .unwrap_or(place.column as usize);
    format!("{path}:{}:{column}", place.line)
}

struct Shown {
    text: String,
    marked: String,
    /// Cells before the mark.
    indent: usize,
}

/// Text as it appears from cell `at`: tabs expanded, control characters replaced.
fn cells(text: &str, mut at: usize) -> String {
    let mut out = String::new();
    for c in wording::printable(text).chars() {
        match c {
            '\t' => {
                let n = TAB - at % TAB;
                out.push_str(&" ".repeat(n));
                at += n;
            }
            c => {
                out.push(c);
                at += c.width().unwrap_or(0);
            }
        }
    }
    out
}

/// Cuts a line to `room` cells around the marked part.
fn window(left: &str, before: &str, marked: &str, after: &str, room: usize) -> Shown {
    debug_assert_eq!(left, cells(before, 0));
    let start = left.width();
    let mut middle = cells(marked, start);
    let right = cells(after, start + middle.width());
    if start + middle.width() + right.width() <= room {
        return Shown { text: format!("{left}{middle}{right}"), marked: middle, indent: start };
    }
    let mut cut = "";
    if middle.width() > room / 2 {
        middle = take(&middle, room / 2).to_string();
        cut = "...";
    }
    let budget = room - middle.width() - 6;
    let keep_left = start.min(budget.saturating_sub(right.width().min(budget / 2)));
    let keep_right = budget - keep_left;
    let dropped = start - keep_left;
    let tail: String = if dropped > 0 { format!("...{}", skip(left, dropped)) } else { left.to_string() };
    let indent = tail.width();
    let end = if !cut.is_empty() {
        cut.to_string()
    } else if right.width() > keep_right {
        format!("{}...", take(&right, keep_right))
    } else {
        right
    };
    Shown { text: format!("{tail}{middle}{end}"), marked: middle, indent }
}

/// The longest prefix of at most `n` cells.
fn take(s: &str, n: usize) -> &str {
    let mut used = 0;
    for (i, c) in s.char_indices() {
        used += c.width().unwrap_or(0);
        if used > n {
            return &s[..i];
        }
    }
    s
}

/// What is left without the first `n` cells or a little more.
fn skip(s: &str, n: usize) -> &str {
    let mut used = 0;
    for (i, c) in s.char_indices() {
        if used >= n {
            return &s[i..];
        }
        used += c.width().unwrap_or(0);
    }
    ""
}
