//! The machine that a replayed program sees. It is made of the C library models themselves, compiled for the host over
//! primitives that answer from the recording (`shim.c`): a function of the library asks for the same choices in the same
//! order as it did in the scan, because it is the same source. The program's object files are made to refer to it by renaming what they do not
//! define; the runtime of the sanitizers, linked into the same program, keeps the real functions.
//!
//! What the program refers to is one of three: a function of that world; one of the host's that computes and nothing
//! else; anything other, which ends the run when it is called. There is no list of dangerous functions to be complete.

use super::native::Build;
use crate::models;
use crate::tools::Env;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use verify_cache::Kind;

const SHIM: &str = include_str!("shim.c");
const FLOAT: &str = include_str!("../../../models/native/float.c");
const KIND: Kind = Kind::new("replay-world");

/// Model files of what computes and nothing else. The host's own versions of their functions are used: the sanitizers know
/// them. Every other file is of the world, so that a new one is not forgotten: what asks for a choice would be answered by
/// the machine, and what has an effect would have it.
const COMPUTES: &[&str] = &[
    "assert.c",
    "ctype.c",
    "cxx_new.c",
    // Its objects are handed to functions of the host that take a locale.
    "locale.c",
    "math.c",
    "math_exact.c",
    "stdlib_alloc.c",
    "stdlib_float.c",
    "stdlib_number.c",
    "stdlib_sort.c",
    "strerror.c",
    "string.c",
    "string_chk.c",
    "strings.c",
    "wchar.c",
];
/// Functions of the world's files of which the host's are used: the sanitizers report at the end of the process.
const HOSTS: &[&str] = &[
    "exit",
    "quick_exit",
    "_Exit",
    "_exit",
    "abort",
    "atexit",
    "on_exit",
    "__cxa_atexit",
    "at_quick_exit",
    // Called without a header; with one it is a macro.
    "assert",
];
/// What has no model and does nothing but compute, or is a variable.
const HARMLESS: &[&str] = &[
    "setjmp",
    "_setjmp",
    "sigsetjmp",
    "__sigsetjmp",
    "longjmp",
    "_longjmp",
    "siglongjmp",
    "__longjmp_chk",
    "sincos",
    "sincosf",
    "sincosl",
    "exp10",
    "exp10f",
    "bcmp",
    "environ",
    "__environ",
    "in6addr_any",
    "in6addr_loopback",
    "__stack_chk_fail",
    "__stack_chk_guard",
    "__dso_handle",
    "__cxa_finalize",
    "_DYNAMIC",
    "_GLOBAL_OFFSET_TABLE_",
    "main",
];
/// Names that compilers and sanitizers put in.
const COMPILERS: &[&str] = &[
    "__asan_",
    "___asan_",
    "__lsan_",
    "__msan_",
    "__ubsan_",
    "__sanitizer_",
    "__start_",
    "__stop_",
    "__verify_",
    "__odr_asan",
    "__tls_",
    "__emutls",
    "__atomic_",
    "__sync_",
    "__div",
    "__udiv",
    "__mod",
    "__umod",
    "__mul",
    "__add",
    "__sub",
    "__float",
    "__fix",
    "__extend",
    "__trunc",
    "__powi",
    "__ashl",
    "__ashr",
    "__lshr",
    "__neg",
    "__cmp",
    "__eq",
    "__ne",
    "__lt",
    "__le",
    "__gt",
    "__ge",
    "__unord",
    "__popcount",
    "__clz",
    "__ctz",
    "__parity",
    "__ffs",
    "__bswap",
    "llvm.",
];

/// The world, compiled for one set of sanitizers.
pub struct World {
    /// The object file.
    pub object: PathBuf,
    /// Functions and variables that the program gets from it.
    wrapped: BTreeSet<String>,
    /// Functions of the host that it may call.
    harmless: BTreeSet<String>,
}

/// Does this model file belong to the world?
fn of_the_world(file: &str) -> bool {
    !COMPUTES.contains(&file)
}

/// Do the models and primitives of the world ask for a choice of this name? A name is looked for as a word of their
/// source text: macros put some of them together.
pub fn asks(what: &str) -> bool {
    let last = what.strip_prefix("__VERIFIER_nondet_").unwrap_or(what);
    let texts = models::sources().filter(|(n, _)| n.ends_with(".c")).map(|(_, t)| t).chain([SHIM]);
    let word = |c: char| c.is_alphanumeric() || c == '_';
    texts
        .into_iter()
        .any(|t| t.match_indices(last).any(|(i, m)| !t[..i].ends_with(word) && !t[i + m.len()..].starts_with(word)))
}

impl World {
    /// From the cache, or compiled.
    ///
    /// # Errors
    /// What the compiler or a tool of the linker said.
    pub fn make(env: &Env, build: &Build<'_>, dir: &Path) -> Result<World, String> {
        std::fs::create_dir_all(dir).map_err(|e| e.to_string())?;
        let mut hasher = blake3::Hasher::new();
        // This text says how the object is made.
        let made = [SHIM, FLOAT, build.sanitizer_of_the_world(), include_str!("world.rs")];
        for text in models::sources().flat_map(|(n, t)| [n, t]).chain(made) {
            hasher.update(&(text.len() as u64).to_le_bytes()).update(text.as_bytes());
        }
        let compiler = std::fs::metadata(build.clang).map_err(|e| e.to_string())?;
        hasher.update(build.clang.as_os_str().as_encoded_bytes()).update(&compiler.len().to_le_bytes());
        let key = hasher.finalize();
        let object = dir.join("world.o");
        if let Some(bytes) = env.store.get_keyed(KIND, &key) {
            std::fs::write(&object, bytes).map_err(|e| e.to_string())?;
        } else {
            compile(build, dir, &object)?;
            let bytes = std::fs::read(&object).map_err(|e| e.to_string())?;
            env.store.put_keyed(KIND, &key, &bytes).map_err(|e| e.to_string())?;
        }
        let symbols = Symbols::of(build, std::slice::from_ref(&object))?;
        let named = |prefix| -> BTreeSet<String> {
            symbols.defined.iter().filter_map(|n| n.strip_prefix(prefix)).map(str::to_string).collect()
        };
        let (wrapped, mut harmless) = (named("__wrap_"), named("__verify_model_"));
        harmless.extend(HARMLESS.iter().map(|s| (*s).to_string()));
        Ok(World { object, wrapped, harmless })
    }

    /// Makes the objects of a program refer to the world. The C text is of the functions that end the run.
    ///
    /// # Errors
    /// As [`World::make`].
    pub fn bind(&self, build: &Build<'_>, objects: &[PathBuf]) -> Result<String, String> {
        let symbols = Symbols::of(build, objects)?;
        let mut stubs = String::from("void __verify_refuse(const char *);\n");
        let mut map: BTreeMap<&str, String> = BTreeMap::new();
        // A function of the program's own wins.
        for name in symbols.undefined.difference(&symbols.defined) {
            let other = self.harmless.contains(name) || COMPILERS.iter().any(|c| name.starts_with(c));
            if !self.wrapped.contains(name) {
                if other || !is_identifier(name) {
                    continue;
                }
                let _ = writeln!(stubs, "void __wrap_{name}(void) {{ __verify_refuse({name:?}); }}");
            }
            map.insert(name, format!("__wrap_{name}"));
        }
        for object in objects {
            rename(build, object, &map)?;
        }
        Ok(stubs)
    }
}

fn is_identifier(name: &str) -> bool {
    name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

fn compile(build: &Build<'_>, dir: &Path, object: &Path) -> Result<(), String> {
    let write = |name: &str, text: &str| std::fs::write(dir.join(name), text).map_err(|e| format!("{name}: {e}"));
    for (name, text) in models::sources() {
        write(name, text)?;
    }
    std::fs::create_dir_all(dir.join("native")).map_err(|e| e.to_string())?;
    write("shim.c", SHIM)?;
    write("native/float.c", FLOAT)?;
    let files: Vec<&str> = models::sources().map(|(n, _)| n).filter(|n| n.ends_with(".c")).collect();
    let compiled: Vec<(PathBuf, Symbols)> = files
        .par_iter()
        .map(|name| {
            let object = build.own(&dir.join(name))?;
            let symbols = Symbols::of(build, std::slice::from_ref(&object))?;
            Ok((object, symbols))
        })
        .collect::<Result<_, String>>()?;
    let own: Vec<PathBuf> =
        [dir.join("shim.c"), dir.join("native/float.c")].iter().map(|p| build.own(p)).collect::<Result<_, _>>()?;
    let public = |n: &&String| !COMPILERS.iter().any(|c| n.starts_with(c));
    let shim = Symbols::of(build, &own)?;
    let mut world: BTreeMap<&str, String> = BTreeMap::new();
    world.extend(shim.defined.iter().filter_map(|n| Some((n.strip_prefix("__wrap_")?, n.clone()))));
    for (name, (_, symbols)) in files.iter().zip(&compiled) {
        if of_the_world(name) {
            let names = symbols.defined.iter().filter(public).filter(|n| !HOSTS.contains(&n.as_str()));
            world.extend(names.map(|n| (n.as_str(), format!("__wrap_{n}"))));
        }
    }
    // The models of what the host does stay, for what the world shares with them, under names that nobody calls.
    for (name, (object, symbols)) in files.iter().zip(&compiled) {
        let mut map = if of_the_world(name) { world.clone() } else { BTreeMap::new() };
        for n in symbols.defined.iter().filter(public) {
            map.entry(n).or_insert_with(|| format!("__verify_model_{n}"));
        }
        rename(build, object, &map)?;
    }
    let all: Vec<&Path> = compiled.iter().map(|(o, _)| o.as_path()).chain(own.iter().map(PathBuf::as_path)).collect();
    build.join(&all, object)
}

fn rename(build: &Build<'_>, object: &Path, map: &BTreeMap<&str, String>) -> Result<(), String> {
    let mut text = String::new();
    for (from, to) in map {
        let _ = writeln!(text, "{from} {to}");
    }
    let list = object.with_extension("names");
    std::fs::write(&list, text).map_err(|e| e.to_string())?;
    let option = format!("--redefine-syms={}", list.display());
    build.tool("objcopy", &[option.as_ref(), object.as_os_str()]).map(|_| ())
}

/// Names that object files define and refer to.
#[derive(Default, Debug)]
struct Symbols {
    defined: BTreeSet<String>,
    undefined: BTreeSet<String>,
}

impl Symbols {
    fn of(build: &Build<'_>, objects: &[PathBuf]) -> Result<Symbols, String> {
        let mut all = Symbols::default();
        for o in objects {
            all.read(&build.tool("nm", &["-P".as_ref(), "-g".as_ref(), o.as_os_str()])?);
        }
        Ok(all)
    }

    /// Lines of `nm -P`: a name, a letter, numbers. What is weak and undefined may stay so.
    fn read(&mut self, text: &str) {
        for line in text.lines() {
            let mut words = line.split_whitespace();
            match (words.next(), words.next()) {
                (Some(name), Some("U")) => _ = self.undefined.insert(name.into()),
                (Some(_), Some("w" | "v")) | (_, None) | (None, _) => {}
                (Some(name), Some(_)) => _ = self.defined.insert(name.into()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_world_asks_for_is_known() {
        for what in
            ["read", "rand", "getpid", "st_ino", "__VERIFIER_nondet_int", "socket" /* a word */, "recvfrom"]
        {
            assert!(asks(what), "{what}");
        }
        assert!(!asks("nobody_knows"));
    }

    #[test]
    fn what_the_host_computes_asks_for_nothing() {
        // Allocations are asked for by the shim; those of C++ that may fail are not told to the program.
        let of_the_host = |n: &str| n.ends_with(".c") && !of_the_world(n) && n != "stdlib_alloc.c" && n != "cxx_new.c";
        for (name, text) in models::sources().filter(|(n, _)| of_the_host(n)) {
            for word in ["vm_fails", "__verify_choose", "__verify_nondet", "__verify_sys_"] {
                assert!(!text.contains(word), "{name} has {word}");
            }
        }
    }

    #[test]
    fn symbols_are_read() {
        let mut s = Symbols::default();
        s.read("main T 0 10\nremove U         \n__gmon_start__ w\ncount C 4 4\n");
        assert!(s.defined.contains("main") && s.defined.contains("count"));
        assert_eq!(s.undefined.iter().collect::<Vec<_>>(), ["remove"]);
    }
}
