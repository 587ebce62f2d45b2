//! A link that has just happened, written down: every input with its content, libraries found where the linker
//! finds them, archives opened, and the members the linker took.

use std::collections::BTreeMap;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use verify_compile_db::archive::{self, Sort};
use verify_compile_db::paths::absolute;
use verify_compile_db::select::{self, Item as Choice};
use verify_compile_db::{Input, InputKind, Link, LinkKind, Marks, Member};

use crate::argv::{Invocation, Item, Product};

/// Writes down the link of `invocation` as it ended.
#[must_use]
pub fn describe(invocation: &Invocation, cwd: &Path) -> Link {
    let output = invocation.output.clone().unwrap_or_else(|| PathBuf::from("a.out"));
    let output = absolute(cwd, &output);
    let made = fs::metadata(&output).ok().filter(fs::Metadata::is_file).and_then(|_| fs::read(&output).ok());
    let mut link = Link {
        output_hash: made.as_deref().map(blake3::hash),
        build_id: made.as_deref().and_then(archive::build_id),
        marks: made.as_deref().filter(|_| invocation.product == Product::Relocatable).and_then(archive::marks),
        output,
        kind: match invocation.product {
            Product::Executable => LinkKind::Executable,
            Product::Shared => LinkKind::Shared,
            Product::Relocatable => LinkKind::Relocatable,
        },
        inputs: Vec::new(),
        system: Vec::new(),
        notes: Vec::new(),
    };
    let mut walk = Walk {
        cwd,
        dirs: library_dirs(invocation, cwd),
        choices: Vec::new(),
        opened: BTreeMap::new(),
        link: &mut link,
    };
    walk.items(invocation);
    let (choices, opened) = (std::mem::take(&mut walk.choices), std::mem::take(&mut walk.opened));
    let selection = select::select(&choices, &roots(invocation));
    if selection.conservative && choices.iter().any(|c| matches!(c, Choice::Archive { .. })) {
        link.notes.push(
            "symbols of some input cannot be read (link-time optimisation): every archive member counts as linked"
                .into(),
        );
    }
    for (input, pulled) in link.inputs.iter_mut().zip(selection.pulled) {
        if let (InputKind::Archive { members }, Some(archive)) = (&mut input.kind, opened.get(&input.path)) {
            let taken = archive.members.iter().zip(pulled).filter(|(_, taken)| *taken);
            members.extend(taken.map(|(m, _)| Member {
                name: m.name.clone(),
                hash: m.bytes.as_deref().map(blake3::hash),
                pulled: true,
                marks: m.bytes.as_deref().and_then(archive::marks).map(Marks::short),
            }));
        }
    }
    link
}

/// Symbols that are needed whatever the inputs say.
fn roots(invocation: &Invocation) -> Vec<Vec<u8>> {
    let mut out: Vec<Vec<u8>> = invocation.roots.iter().map(|s| s.as_bytes().to_vec()).collect();
    if invocation.product == Product::Executable {
        out.push(if invocation.no_start { b"_start".to_vec() } else { b"main".to_vec() });
    }
    out
}

fn library_dirs(invocation: &Invocation, cwd: &Path) -> Vec<PathBuf> {
    let mut dirs: Vec<PathBuf> = invocation.library_dirs.iter().map(|d| cwd.join(d)).collect();
    if let Some(path) = env::var_os("LIBRARY_PATH") {
        dirs.extend(env::split_paths(&path).filter(|p| !p.as_os_str().is_empty()).map(|p| cwd.join(p)));
    }
    dirs
}

/// An archive that was read; it may be given many times.
struct Opened {
    hash: Option<blake3::Hash>,
    members: Vec<archive::MemberBytes>,
    symbols: Rc<Vec<archive::Symbols>>,
}

struct Walk<'a> {
    cwd: &'a Path,
    dirs: Vec<PathBuf>,
    choices: Vec<Choice>,
    opened: BTreeMap<PathBuf, Opened>,
    link: &'a mut Link,
}

impl Walk<'_> {
    fn items(&mut self, invocation: &Invocation) {
        let mut whole = false;
        let mut fixed_static = invocation.static_link;
        let mut remembered = Vec::new();
        let mut group = None;
        let mut groups = 0;
        let mut sources = 0;
        for item in &invocation.items {
            match item {
                Item::Whole(on) => whole = *on,
                Item::Static(on) => fixed_static = *on || invocation.static_link,
                Item::GroupStart => {
                    groups += 1;
                    group = Some(groups);
                }
                Item::GroupEnd => group = None,
                Item::Push => remembered.push((whole, fixed_static)),
                Item::Pop => (whole, fixed_static) = remembered.pop().unwrap_or((whole, fixed_static)),
                Item::File { path, language: Some(_) } => {
                    let input = Input {
                        path: absolute(self.cwd, path),
                        hash: None,
                        kind: InputKind::Source(sources),
                        library: None,
                        whole: false,
                        group: None,
                        marks: None,
                    };
                    sources += 1;
                    // The object is gone, so what it needs is not known; its archives are taken whole.
                    self.push(input, Choice::Object(archive::Symbols { opaque: true, ..Default::default() }));
                }
                Item::File { path, language: None } => self.file(&absolute(self.cwd, path), None, whole, group),
                Item::Library(name) => match self.library(name, fixed_static) {
                    Some(path) => self.file(&path, Some(name), whole, group),
                    None => self.link.system.push(name.to_string_lossy().into_owned()),
                },
            }
        }
        self.sources_from_output(sources > 0);
    }

    /// Sources compiled in the link command leave no object; what they need is taken from the link's product:
    /// a member of an archive is in it exactly when one of its symbols is.
    fn sources_from_output(&mut self, any: bool) {
        if !any {
            return;
        }
        let Ok(bytes) = fs::read(&self.link.output) else { return };
        let defined = archive::linked_definitions(&bytes);
        if defined.is_empty() {
            return;
        }
        for choice in &mut self.choices {
            if let Choice::Object(symbols) = choice
                && symbols.opaque
                && symbols.defined.is_empty()
            {
                // Everything the product defines was needed or came along.
                symbols.opaque = false;
                symbols.needed.clone_from(&defined);
            }
        }
    }

    fn push(&mut self, input: Input, choice: Choice) {
        self.link.inputs.push(input);
        self.choices.push(choice);
    }

    /// `-lname`, as the linker looks for it; none when it is none of the project's.
    fn library(&self, name: &OsStr, only_static: bool) -> Option<PathBuf> {
        let bytes = name.as_bytes();
        let names: Vec<OsString> = match bytes.strip_prefix(b":") {
            Some(exact) => vec![OsStr::from_bytes(exact).to_owned()],
            None => {
                let suffixes: &[&str] = if only_static { &[".a"] } else { &[".so", ".dylib", ".a"] };
                let file = |suffix: &&str| {
                    let mut file = OsString::from("lib");
                    file.push(name);
                    file.push(suffix);
                    file
                };
                suffixes.iter().map(file).collect()
            }
        };
        let candidates = self.dirs.iter().flat_map(|dir| names.iter().map(move |n| dir.join(n)));
        let found = candidates.into_iter().find(|path| path.is_file())?;
        Some(absolute(self.cwd, &found))
    }

    fn file(&mut self, path: &Path, library: Option<&OsString>, whole: bool, group: Option<u32>) {
        let mut input = Input {
            path: path.to_path_buf(),
            hash: None,
            kind: InputKind::Object,
            library: library.map(|n| n.to_string_lossy().into_owned()),
            whole,
            group,
            marks: None,
        };
        let members = |archive: &Opened| {
            let choice = Choice::Archive { members: archive.symbols.clone(), whole, group };
            (archive.hash, InputKind::Archive { members: Vec::new() }, choice)
        };
        if let Some(archive) = self.opened.get(path) {
            let choice;
            (input.hash, input.kind, choice) = members(archive);
            return self.push(input, choice);
        }
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(e) => {
                input.kind = InputKind::Other(e.to_string());
                return self.push(input, Choice::Nothing);
            }
        };
        input.hash = Some(blake3::hash(&bytes));
        let choice = match archive::sort_of(&bytes) {
            Sort::Object => {
                input.marks = archive::marks(&bytes).map(Marks::short);
                Choice::Object(archive::symbols(&bytes))
            }
            Sort::Dynamic => {
                input.kind = InputKind::Shared;
                Choice::Shared(archive::symbols(&bytes))
            }
            Sort::Other => {
                input.kind = InputKind::Other("linker script or unknown format".into());
                Choice::Nothing
            }
            Sort::Archive => match archive::members(path, &bytes) {
                Ok(read) => {
                    let of = |b: &Vec<u8>| archive::symbols(b);
                    let symbols = read.iter().map(|m| m.bytes.as_ref().map(of).unwrap_or_default()).collect();
                    let archive = Opened { hash: input.hash, members: read, symbols: Rc::new(symbols) };
                    let choice;
                    (input.hash, input.kind, choice) = members(&archive);
                    self.opened.insert(path.to_path_buf(), archive);
                    choice
                }
                Err(problem) => {
                    input.kind = InputKind::Other(problem);
                    Choice::Nothing
                }
            },
        };
        self.push(input, choice);
    }
}
