//! Counting: what passed, what failed and why; a table; and the closing line `N passed, N failed`.

use anyhow::{Result, bail};

/// Results of a suite.
#[derive(Default)]
pub struct Tally {
    pub passed: usize,
    /// Name and reason.
    pub failed: Vec<(String, String)>,
    /// Name and reason: neither passed nor failed (over budget, tool missing).
    pub skipped: Vec<(String, String)>,
}

impl Tally {
    pub fn pass(&mut self) {
        self.passed += 1;
    }
    pub fn fail(&mut self, name: impl Into<String>, why: impl Into<String>) {
        self.failed.push((name.into(), why.into()));
    }
    pub fn skip(&mut self, name: impl Into<String>, why: impl Into<String>) {
        self.skipped.push((name.into(), why.into()));
    }
    /// Counts one result.
    pub fn add(&mut self, name: &str, result: Result<(), String>) {
        match result {
            Ok(()) => self.pass(),
            Err(why) => self.fail(name, why),
        }
    }
    /// Prints the failures and the closing line; an error when something failed or nothing ran.
    pub fn into_result(self, name: &str) -> Result<()> {
        for (what, why) in &self.skipped {
            println!("skipped {what}: {why}");
        }
        for (what, why) in &self.failed {
            println!("FAILED {what}\n    {}", why.trim_end().replace('\n', "\n    "));
        }
        println!("{name}:");
        let skipped = if self.skipped.is_empty() { String::new() } else { format!(", {} skipped", self.skipped.len()) };
        println!("{} passed, {} failed{skipped}", self.passed, self.failed.len());
        if !self.failed.is_empty() {
            bail!("{name}: {} failed", self.failed.len());
        }
        if self.passed == 0 {
            bail!("{name}: nothing was tested");
        }
        Ok(())
    }
}

/// A table in Markdown with padded columns; the first row is the heading.
pub fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |c: usize| rows.iter().filter_map(|r| r.get(c)).map(|s| s.chars().count()).max().unwrap_or(0).max(3);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for (i, row) in rows.iter().enumerate() {
        for (c, w) in widths.iter().enumerate() {
            let cell = row.get(c).map_or("", String::as_str);
            text.push_str(&format!("| {cell:w$} "));
        }
        text.push_str("|\n");
        if i == 0 {
            for w in &widths {
                text.push_str(&format!("|{}", "-".repeat(w + 2)));
            }
            text.push_str("|\n");
        }
    }
    text
}

/// A row of a table.
#[macro_export]
macro_rules! row {
    ($($cell:expr),* $(,)?) => { vec![$($cell.to_string()),*] };
}
