//! What files are called: as the user named them, else relative to where the command runs.

use std::path::{Component, Path, PathBuf};
use verify_ir::{FileId, Module};

/// Names of a program's files.
pub struct Names<'a> {
    module: &'a Module,
    here: PathBuf,
    /// Sources as given, with where they are.
    given: Vec<(PathBuf, String)>,
}

impl<'a> Names<'a> {
    /// For a program that was made from these sources.
    pub fn new(module: &'a Module, sources: &[PathBuf]) -> Names<'a> {
        let here = std::env::current_dir().unwrap_or_default();
        let given = sources.iter().map(|s| (plain(&here.join(s)), s.display().to_string())).collect();
        Names { module, here, given }
    }

    /// The name of a file.
    pub fn of(&self, f: FileId) -> String {
        let Some(file) = self.module.files.get(f.index()) else { return "?".into() };
        let whole = plain(&self.here.join(&file.directory).join(&file.path));
        match self.given.iter().find(|(p, _)| *p == whole) {
            Some((_, name)) => name.clone(),
            None => whole.strip_prefix(&self.here).unwrap_or(&whole).display().to_string(),
        }
    }
}

/// Without `.` and, as far as it goes, `..`.
fn plain(p: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for c in p.components() {
        match c {
            Component::CurDir => {}
            Component::ParentDir => _ = out.pop(),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_without_detours() {
        assert_eq!(plain(Path::new("/a/./b/../c.c")), Path::new("/a/c.c"));
    }
}
