//! What the real compiler is: its target, where it looks for headers, the sizes of its types, its default language.
//!
//! It is asked once for each set of options that can change the answer, together with clang under the same options;
//! what clang must be told to be the same is kept in the cache under both tools' identity. Differences that no option
//! removes are said in a note, as the unit may mean something else than the object.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use verify_cache::{Hasher, Kind, Store};
use verify_compile_db::text;

use crate::capture::{Job, Tools};
use crate::manifest::tool_identity;
use crate::process::{self, Ended};
use crate::{pch, real, tool};

const COMPILER: Kind = Kind::new("compiler");

/// Changes when the answer is made in another way.
const VERSION: &str = "compiler-2";

/// What clang must be told to be like the real compiler.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Answer {
    #[serde(with = "text::args")]
    pub options: Vec<OsString>,
    /// What stays different.
    pub note: Option<String>,
    /// Folders that were not there to be searched; when one comes, the answer is another.
    absent: Vec<OsName>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct OsName(#[serde(with = "text::path")] PathBuf);

/// What a compiler says of itself.
#[derive(Debug, Default, PartialEq, Eq)]
struct Facts {
    target: String,
    dirs: Vec<PathBuf>,
    /// Folders it would search if they were there.
    absent: Vec<PathBuf>,
    macros: BTreeMap<String, String>,
}

/// The job with the options that make clang like its real compiler put first and precompiled headers by their text, and what
/// stays different.
pub(crate) fn complete(tools: &Tools, store: &Store, job: &Job) -> (Job, Option<String>) {
    let mut job = job.clone();
    if job.language != "c" && job.language != "cpp-output" {
        return (job, None);
    }
    pch::resolve(store, &mut job);
    let Some(answer) = answer(tools, store, &job) else { return (job, None) };
    job.args.splice(0..0, answer.options);
    (job, answer.note)
}

fn answer(tools: &Tools, store: &Store, job: &Job) -> Option<Answer> {
    let programs = job.real.iter().take_while(|w| !w.as_bytes().starts_with(b"-")).count();
    let (program, options) = (&job.real[..programs], relevant(&job.real[programs..]));
    let compiler = real::on_path(program.last()?, |_| true).or_else(|| real::on_path(program.first()?, |_| true))?;
    let told = relevant(&job.args);
    let mut hasher = Hasher::new();
    let identity = [tool_identity(&compiler), tool_identity(&tools.clang)];
    let env = ["CPATH", "C_INCLUDE_PATH", "GCC_EXEC_PREFIX", "COMPILER_PATH"]
        .map(|n| std::env::var_os(n).unwrap_or_default());
    let mut parts = vec![OsString::from(VERSION)];
    // Names in them may be relative.
    let names = |word: &OsString| {
        ["-isysroot", "--sysroot", "-specs", "--specs", "--gcc"].iter().any(|p| word.to_string_lossy().starts_with(p))
    };
    if env.iter().any(|v| !v.is_empty()) || options.iter().chain(&told).any(names) {
        parts.push(job.cwd.clone().into_os_string());
    }
    for word in parts.iter().chain(&identity).chain(&env).chain(program).chain(&options).chain(&told) {
        hasher.update(&(word.len() as u64).to_le_bytes());
        hasher.update(word.as_bytes());
    }
    let key = hasher.finalize();
    let found = store.get_keyed(COMPILER, &key).and_then(|text| serde_json::from_slice::<Answer>(&text).ok());
    if let Some(found) = found.filter(|found| !found.absent.iter().any(|OsName(dir)| job.cwd.join(dir).is_dir())) {
        return Some(found);
    }
    let scratch = store.scratch().ok()?;
    let place = Place { cwd: &job.cwd, scratch: scratch.path(), timeout: tools.timeout };
    let theirs = ask(program, &options, &place)?;
    let mut answer = compare(&theirs, &told, |options| ask(&[tools.clang.clone().into_os_string()], options, &place))?;
    answer.absent = theirs.absent.into_iter().filter(|dir| !job.cwd.join(dir).is_dir()).map(OsName).collect();
    if let Ok(text) = serde_json::to_vec(&answer) {
        // A cache that cannot be written asks again.
        let _ = store.put_keyed(COMPILER, &key, &text);
    }
    Some(answer)
}

/// The options that can change what a compiler says of itself.
fn relevant(words: &[OsString]) -> Vec<OsString> {
    let mut out = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let text = word.to_string_lossy();
        if matches!(&*text, "-isysroot" | "--sysroot" | "-target" | "-specs" | "-arch" | "--std") {
            out.push(word.clone());
            out.extend(words.next().cloned());
        } else if [
            "-isysroot",
            "--sysroot",
            "--target",
            "-specs",
            "--specs",
            "-std",
            "--std",
            "-ansi",
            "-nostdinc",
            "-m",
            "--gcc",
        ]
        .iter()
        .any(|p| text.starts_with(p))
            || ["char", "short-", "pack-struct"].iter().any(|p| text.starts_with("-f") && text.contains(p))
        {
            out.push(word.clone());
        }
    }
    out.retain(|w| !w.as_bytes().starts_with(b"-mllvm"));
    out
}

/// Where a compiler is asked.
struct Place<'a> {
    cwd: &'a Path,
    scratch: &'a Path,
    timeout: Duration,
}

/// Asks a compiler: the preprocessor's macros on its standard output, target and search path on the other.
fn ask(program: &[OsString], options: &[OsString], place: &Place) -> Option<Facts> {
    let (first, rest) = program.split_first()?;
    let (out, err) = (place.scratch.join("ask.out"), place.scratch.join("ask.err"));
    let mut command = Command::new(first);
    command.args(rest).args(options).args(["-E", "-dM", "-v", "-x", "c", "/dev/null"]);
    command.current_dir(place.cwd).env("LC_ALL", "C").env(real::NESTED, "1");
    command.stdin(Stdio::null()).stdout(File::create(&out).ok()?).stderr(File::create(&err).ok()?);
    if process::run(&mut command, place.timeout).ok()? != Ended::Code(0) {
        return None;
    }
    let (text, said) = (fs::read(out).ok()?, fs::read(err).ok()?);
    let (text, said) = (String::from_utf8_lossy(&text), String::from_utf8_lossy(&said));
    let target = said.lines().find_map(|l| l.strip_prefix("Target: ")).unwrap_or_default().trim().to_string();
    let define = |l: &str| {
        let (name, value) = l.strip_prefix("#define ")?.split_once(' ')?;
        Some((name.to_string(), value.to_string()))
    };
    let own = |dir: &PathBuf| {
        let text = dir.to_string_lossy();
        // Headers that belong to the compiler itself are for each to have its own.
        !(text.contains("/lib/clang/") || text.contains("/gcc/") || text.contains("/gcc-cross/"))
    };
    let clean = |dir: PathBuf| dir.canonicalize().unwrap_or(dir);
    let dirs = tool::search_dirs(&said).into_iter().map(clean).filter(own).collect();
    let absent = tool::left_out(&said);
    Some(Facts { target, dirs, absent, macros: text.lines().filter_map(define).collect() })
}

/// A target without what does not matter: `x86_64-pc-linux-gnu` and `x86_64-linux-gnu` are one.
fn plain(target: &str) -> Vec<&str> {
    target.split('-').filter(|p| !["pc", "unknown", "none", "redhat", "suse", "alpine", "gentoo"].contains(p)).collect()
}

const SIZES: &[&str] = &[
    "__SIZEOF_SHORT__",
    "__SIZEOF_INT__",
    "__SIZEOF_LONG__",
    "__SIZEOF_LONG_LONG__",
    "__SIZEOF_POINTER__",
    "__SIZEOF_SIZE_T__",
    "__SIZEOF_PTRDIFF_T__",
    "__SIZEOF_FLOAT__",
    "__SIZEOF_DOUBLE__",
    "__SIZEOF_LONG_DOUBLE__",
    "__SIZEOF_WCHAR_T__",
    "__CHAR_UNSIGNED__",
    "__BYTE_ORDER__",
    "__STDC_VERSION__",
];

fn compare(theirs: &Facts, told: &[OsString], clang: impl Fn(&[OsString]) -> Option<Facts>) -> Option<Answer> {
    let mut answer = Answer::default();
    let has = |prefix: &str| told.iter().any(|w| w.to_string_lossy().starts_with(prefix));
    let ours = |answer: &Answer| clang(&[&answer.options, told].concat());
    let mut now = ours(&answer)?;
    let told_target = has("--target") || has("-target");
    if !theirs.target.is_empty() && !told_target && plain(&theirs.target) != plain(&now.target) {
        // `-m32` makes clang say i386 where gcc says what it is built for.
        let with = Answer { options: vec![format!("--target={}", theirs.target).into()], ..Answer::default() };
        if let Some(facts) = ours(&with).filter(|f| differing(theirs, f).len() <= differing(theirs, &now).len())
            && theirs.macros.get("__SIZEOF_POINTER__") == facts.macros.get("__SIZEOF_POINTER__")
            && !(has("-m32") || has("-m64") || has("-mx32"))
        {
            (answer, now) = (with, facts);
        }
    }
    // A script that calls gcc with `-m32` names the target of gcc itself.
    let pointer = |f: &Facts| f.macros.get("__SIZEOF_POINTER__").cloned();
    if pointer(theirs) != pointer(&now) && theirs.macros.contains_key("__SIZEOF_POINTER__") {
        let width = match pointer(theirs).as_deref() {
            Some("4") if theirs.macros.contains_key("__x86_64__") => "-mx32",
            Some("4") => "-m32",
            _ => "-m64",
        };
        let with = Answer { options: [&answer.options[..], &[width.into()]].concat(), ..Answer::default() };
        if let Some(facts) = ours(&with).filter(|f| pointer(f) == pointer(theirs)) {
            (answer, now) = (with, facts);
        }
    }
    if theirs.dirs != now.dirs && !has("-nostdinc") && !theirs.dirs.is_empty() {
        answer.options.push("-nostdlibinc".into());
        for dir in &theirs.dirs {
            answer.options.extend(["-idirafter".into(), dir.clone().into_os_string()]);
        }
    }
    let differs = |name: &str| theirs.macros.get(name) != now.macros.get(name);
    if differs("__STDC_VERSION__") && !has("-std") && !has("--std") && !has("-ansi") {
        let version = theirs.macros.get("__STDC_VERSION__").map(String::as_str);
        let standard = match version {
            None => "gnu89",
            Some("199409L") => "iso9899:199409",
            Some("199901L") => "gnu99",
            Some("201112L") => "gnu11",
            Some("201710L") => "gnu17",
            Some(_) => "gnu23",
        };
        answer.options.push(format!("-std={standard}").into());
    }
    if differs("__CHAR_UNSIGNED__") {
        let unsigned = theirs.macros.contains_key("__CHAR_UNSIGNED__");
        answer.options.push(if unsigned { "-funsigned-char" } else { "-fsigned-char" }.into());
    }
    if differs("__SIZEOF_WCHAR_T__") && theirs.macros.get("__SIZEOF_WCHAR_T__").is_some_and(|s| s == "2") {
        answer.options.push("-fshort-wchar".into());
    }
    let left = differing(theirs, &ours(&answer).unwrap_or(now));
    if !left.is_empty() {
        answer.note = Some(format!("differs from the real compiler: {}", left.join(", ")));
    }
    Some(answer)
}

/// Sizes and the like in which two compilers differ.
fn differing(theirs: &Facts, ours: &Facts) -> Vec<String> {
    let value = |f: &Facts, name: &str| f.macros.get(name).cloned().unwrap_or_else(|| "not defined".into());
    let differs = |name: &&&str| theirs.macros.get(**name) != ours.macros.get(**name);
    SIZES
        .iter()
        .filter(differs)
        .map(|n| format!("{n} is {} there and {} here", value(theirs, n), value(ours, n)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn os(words: &[&str]) -> Vec<OsString> {
        words.iter().map(OsString::from).collect()
    }

    fn facts(target: &str, dirs: &[&str], macros: &[(&str, &str)]) -> Facts {
        Facts {
            target: target.into(),
            dirs: dirs.iter().map(PathBuf::from).collect(),
            absent: Vec::new(),
            macros: macros.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect(),
        }
    }

    #[test]
    fn clang_is_told_what_differs() {
        let host = || {
            facts(
                "x86_64-pc-linux-gnu",
                &["/usr/include"],
                &[("__SIZEOF_POINTER__", "8"), ("__STDC_VERSION__", "201710L")],
            )
        };
        let check = |theirs: &Facts, told: &[&str], expect: &[&str]| {
            let clang = |options: &[OsString]| {
                let arm = options.iter().any(|o| o.to_string_lossy().contains("arm"));
                Some(if arm {
                    facts(
                        "arm-linux-gnueabihf",
                        &["/usr/include"],
                        &[("__SIZEOF_POINTER__", "4"), ("__STDC_VERSION__", "201710L")],
                    )
                } else {
                    host()
                })
            };
            let answer = compare(theirs, &os(told), clang).unwrap();
            assert_eq!(answer.options, os(expect), "{theirs:?}");
        };
        check(&host(), &[], &[]);
        check(&Facts { target: "x86_64-linux-gnu".into(), ..host() }, &[], &[]);
        let arm = facts(
            "arm-linux-gnueabihf",
            &["/usr/arm/include"],
            &[("__SIZEOF_POINTER__", "4"), ("__CHAR_UNSIGNED__", "1"), ("__STDC_VERSION__", "201710L")],
        );
        check(
            &arm,
            &[],
            &["--target=arm-linux-gnueabihf", "-nostdlibinc", "-idirafter", "/usr/arm/include", "-funsigned-char"],
        );
        let old = facts("x86_64-linux-gnu", &["/usr/include"], &[("__SIZEOF_POINTER__", "8")]);
        check(&old, &[], &["-std=gnu89"]);
        check(&old, &["-std=c99"], &[]);
    }

    #[test]
    fn options_that_matter() {
        let words =
            os(&["-O2", "-m32", "-I", "x", "--sysroot", "/s", "-funsigned-char", "-DX", "-std=c99", "-fno-plt"]);
        assert_eq!(relevant(&words), os(&["-m32", "--sysroot", "/s", "-funsigned-char", "-std=c99"]));
    }
}
