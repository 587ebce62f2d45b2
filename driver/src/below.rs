//! Files that lie below the scanned folder by way of links.
//!
//! Where a build runs in a folder that is reached through a symbolic link, or names its sources through one, the units say so;
//! the scanned folder is the real one. Reports compare names as text, so what lies below the folder is named as from there.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use verify_ir::Module;
use verify_report::source::normalise;

/// Renames the files of a unit that are below `root` (a real path) and not called so.
pub fn name(root: &Path, module: &mut Module) {
    let Some(folder) = root.to_str() else { return };
    let mut real: BTreeMap<PathBuf, Option<PathBuf>> = BTreeMap::new();
    let mut rename = |directory: &mut String, path: &mut String| {
        if Path::new(&normalise(directory, path)).starts_with(root) {
            return;
        }
        // Links are followed before `..` is, as by those who opened the file.
        let whole = Path::new(&**directory).join(&**path);
        let (Some(parent), Some(file)) = (whole.parent(), whole.file_name()) else { return };
        let parent = real.entry(parent.into()).or_insert_with_key(|parent| parent.canonicalize().ok());
        let whole = parent.as_ref().map(|parent| parent.join(file));
        if let Some(rest) = whole.as_deref().and_then(|w| w.strip_prefix(root).ok()?.to_str()) {
            (*directory, *path) = (folder.into(), rest.into());
        }
    };
    for file in module.files.iter_mut().filter(|f| !f.system && !f.path.is_empty()) {
        rename(&mut file.directory, &mut file.path);
    }
    for unit in module.units.iter_mut().filter(|u| !u.model) {
        rename(&mut unit.directory, &mut unit.source);
    }
}

/// Files that are there with another text than was built: all that a scan says is of the earlier one.
pub fn edited<'a>(modules: impl Iterator<Item = &'a Module>) -> Vec<String> {
    let mut built: BTreeMap<String, BTreeSet<[u8; 32]>> = BTreeMap::new();
    for file in modules.flat_map(|m| &m.files).filter(|f| !f.system && f.text.is_some()) {
        built.entry(normalise(&file.directory, &file.path)).or_default().insert(file.hash);
    }
    let other = |(path, hashes): &(String, BTreeSet<[u8; 32]>)| {
        std::fs::read(path).is_ok_and(|text| !hashes.contains(blake3::hash(&text).as_bytes()))
    };
    built.into_iter().filter(other).map(|(path, _)| path).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use verify_ir::SourceFile;

    #[test]
    fn what_is_reached_through_links() {
        let dir = tempfile::tempdir().unwrap();
        let top = dir.path().canonicalize().unwrap();
        std::fs::create_dir_all(top.join("real/src")).unwrap();
        std::fs::create_dir_all(top.join("else/where")).unwrap();
        std::os::unix::fs::symlink("real", top.join("link")).unwrap();
        std::os::unix::fs::symlink("../else/where", top.join("real/other")).unwrap();
        let root = top.join("real");
        let check = |directory: &str, path: &str, wanted: Option<&str>| {
            let mut module = Module::default();
            let directory = top.join(directory).to_str().unwrap().to_string();
            let file = SourceFile {
                path: path.into(),
                directory: directory.clone(),
                hash: [0; 32],
                text: None,
                system: false,
            };
            module.files = vec![file];
            name(&root, &mut module);
            let got = (&*module.files[0].directory, &*module.files[0].path);
            match wanted {
                Some(wanted) => assert_eq!(got, (root.to_str().unwrap(), wanted)),
                None => assert_eq!(got, (&*directory, path)),
            }
        };
        check("link/src", "a.c", Some("src/a.c"));
        check("link", "./src/../src/a.c", Some("src/a.c"));
        check("", top.join("link/src/a.c").to_str().unwrap(), Some("src/a.c"));
        // The folder above is that of the link's target.
        check("else", "../link/src/../a.h", Some("a.h"));
        // Called so, elsewhere, or gone.
        check("real", "src/a.c", None);
        check("real", "other/a.c", None);
        check("else/where", "a.c", None);
        check("link/gone", "a.c", None);
    }
    #[test]
    fn texts_that_were_edited_since() {
        let dir = tempfile::tempdir().unwrap();
        let directory = dir.path().to_str().unwrap().to_string();
        let file = |path: &str, text: &str| SourceFile {
            path: path.into(),
            directory: directory.clone(),
            hash: *blake3::hash(text.as_bytes()).as_bytes(),
            text: Some(text.into()),
            system: false,
        };
        let files = vec![file("same.c", "1"), file("other.c", "1"), file("gone.c", "1"), file("twice.c", "1")];
        let (a, mut b) = (Module { files, ..Module::default() }, Module::default());
        b.files = vec![file("twice.c", "2")];
        for (name, text) in [("same.c", "1"), ("other.c", "3"), ("twice.c", "2")] {
            std::fs::write(dir.path().join(name), text).unwrap();
        }
        assert_eq!(edited([&a, &b].into_iter()), [format!("{directory}/other.c")]);
    }
}
