//! Programs with invariants that must be found: `tests/invariants/*.c`. `// show: OPTIONS` goes to `verify show
//! invariants`; `// invariant: LINE [returns]: EXPRESSIONS` must be among what it prints of the loop (or function) there.

use crate::sh::{self, Tools};
use std::path::Path;

/// One program.
pub fn check(tools: &Tools, path: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let dir = path.parent().ok_or("a file has a folder")?;
    let mut c = tools.verify(dir, ["show", "invariants"]);
    for line in text.lines() {
        if let Some(options) = line.strip_prefix("// show: ") {
            c.args(options.split_whitespace());
        }
    }
    let out = sh::capture(c.arg(path), 120).map_err(|e| format!("{e:#}"))?;
    let printed = out.out();
    if out.code != 0 {
        return Err(format!("exit {}: {}", out.code, out.err().trim()));
    }
    let mut any = false;
    for wanted in text.lines().filter_map(|l| l.strip_prefix("// invariant: ")) {
        any = true;
        let (place, expressions) = wanted.split_once(": ").ok_or(format!("`{wanted}` has no line"))?;
        let (line, kind) = place.strip_suffix(" returns").map_or((place, "loop"), |l| (l, "returns"));
        let start = format!("{}:{line}: ", path.display());
        let is = |l: &str| {
            let rest = l.strip_prefix(&start)?;
            let (_, rest) = rest.split_once(&format!(": {kind}: "))?;
            Some(format!(" && {rest} && ").contains(&format!(" && {expressions} && ")))
        };
        if !printed.lines().any(|l| is(l) == Some(true)) {
            return Err(format!("line {line}: `{expressions}` is not among\n{printed}"));
        }
    }
    if any { Ok(()) } else { Err("it names no invariant".into()) }
}
