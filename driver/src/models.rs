//! The C library models: their sources are in this binary; they are compiled once per tool version and target, and
//! kept in the cache.

use crate::annotations::{self, Entry, Types};
use crate::tools::Env;
use anyhow::{Context, anyhow};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::process::{Command, Stdio};
use verify_cache::Kind;
use verify_engine::replay::THREAD_STARTERS;
use verify_ir::Module;

mod table {
    include!(concat!(env!("OUT_DIR"), "/models_table.rs"));
}

/// What every program has of the library: how it ends, its environment, and what a stream is that it is handed.
pub const ROOTS: [&str; 3] = ["exit", "environ", "__verify_lib_opened_stream"];

/// [`ROOTS`] and `main`.
pub fn roots_of_program() -> Vec<String> {
    ["main"].iter().chain(&ROOTS).map(ToString::to_string).collect()
}

/// Name and text of every file of the C library models.
pub fn sources() -> impl Iterator<Item = (&'static str, &'static str)> {
    table::FILES.iter().copied()
}

/// The user's models, which come first and win, then those of the C library.
///
/// # Errors
/// As [`library`]; a model of the user's that does not compile.
pub fn load(env: &Env, target: &verify_ir::Target) -> anyhow::Result<Vec<Module>> {
    let mut library = library(env, target)?;
    if !env.race_free {
        // A program that starts threads is not decided.
        library.retain(|m| !starts_threads(m));
    }
    let mut all = user(env, target)?;
    all.extend(library);
    Ok(all)
}

/// The module has a model of a function that starts threads.
pub fn starts_threads(m: &Module) -> bool {
    THREAD_STARTERS.iter().any(|f| m.function_named(f).is_some_and(|f| m.func(f).body.is_some()))
}

/// The user's models, compiled anew: they are few.
fn user(env: &Env, target: &verify_ir::Target) -> anyhow::Result<Vec<Module>> {
    if env.user_models.is_empty() {
        return Ok(Vec::new());
    }
    let dir = with_headers(env)?;
    for (name, text) in &env.user_models {
        std::fs::write(dir.path().join(name), text).context("cannot write the models to the cache")?;
    }
    let sources = env.user_models.iter().map(|(name, _)| name).filter(|name| name.ends_with(".c"));
    sources
        .map(|name| {
            users_unit(env, target, dir.path(), name, &[])
                .map_err(|e| crate::exit::usage(e.to_string().replacen("library model", "your model", 1)))
        })
        .collect()
}

/// What verify.toml says of functions that the program of these units declares, as one more unit; none if it says nothing
/// of them. `made` keeps what was compiled, by target and text.
///
/// # Errors
/// An annotation is no C, or not what the program declares.
pub fn annotated(
    env: &Env,
    entries: &[&Entry],
    program: &[&Module],
    target: &verify_ir::Target,
    made: &mut BTreeMap<String, Module>,
) -> anyhow::Result<Option<Module>> {
    if entries.is_empty() {
        return Ok(None);
    }
    let dir = with_headers(env)?;
    let types = Types::of(program.iter().copied());
    let mut compiled = |types: Option<&Types<'_>>| -> anyhow::Result<Module> {
        let text = annotations::model(entries, types);
        // Programs of one project mostly see the same types.
        let key = format!("{}\n{text}", target.triple);
        if let Some(m) = made.get(&key) {
            return Ok(m.clone());
        }
        std::fs::write(dir.path().join(annotations::UNIT), text).context("cannot write the models to the cache")?;
        // What an expression comes to is what its type makes of it: an overflow there is no finding in the program.
        let module = users_unit(env, target, dir.path(), annotations::UNIT, &["-fwrapv", "-fno-sanitize=all"])?;
        made.insert(key, module.clone());
        Ok(module)
    };
    let said = |e: &anyhow::Error| {
        let text = e.to_string();
        let (line, rest) = text.split_once("verify.toml:")?.1.split_once(':')?;
        let entry = entries.iter().find(|e| line.parse() == Ok(e.line))?;
        let why = rest.split_once("error: ")?.1;
        // Of our own assertions the last words are for people.
        let why = if why.starts_with("static assertion") { why.rsplit(": ").next().unwrap_or(why) } else { why };
        Some(entry.wrong(why))
    };
    let module = match compiled(Some(&types)) {
        Ok(m) => m,
        Err(e) => match said(&e) {
            Some(e) => return Err(e),
            // Not the user's words but what was made of the project's types: without them.
            None => compiled(None).map_err(|e| said(&e).unwrap_or(e))?,
        },
    };
    for e in entries {
        for m in program {
            if let Some(f) = m.function_named(&e.name).filter(|f| m.func(*f).linkage != verify_ir::Linkage::Internal) {
                e.fits(&module, m, f)?;
            }
        }
    }
    Ok(Some(module))
}

/// A folder with the headers of the models.
fn with_headers(env: &Env) -> anyhow::Result<tempfile::TempDir> {
    let dir = env.store.scratch()?;
    for (name, text) in table::FILES.iter().filter(|(n, _)| n.ends_with(".h")) {
        std::fs::write(dir.path().join(name), text).context("cannot write the models to the cache")?;
    }
    Ok(dir)
}

/// A compiled model that is not of the C library.
fn users_unit(
    env: &Env,
    target: &verify_ir::Target,
    dir: &std::path::Path,
    name: &str,
    options: &[&str],
) -> anyhow::Result<Module> {
    let mut extra: Vec<String> = options.iter().map(|o| (*o).to_string()).collect();
    if is_32_bit_variant(target) {
        extra.push("-m32".into());
        extra.extend(headers_32(env)?);
    }
    let bytes = compile(env.tools()?, dir, name, &extra)?;
    let mut unit =
        verify_ir::binary::decode_checked(&bytes).with_context(|| format!("your model {name} is malformed"))?;
    unit.units.iter_mut().for_each(|u| u.flags = verify_checks::calls::USERS_MODEL.into());
    Ok(unit)
}

/// The models of the C library for a target, in order of file names. Targets for which there is no C library here (other data models)
/// get none: their library calls are external.
///
/// # Errors
/// clang or the lowering refuses a model: an installation without C headers, or a defect of this tool.
fn library(env: &Env, target: &verify_ir::Target) -> anyhow::Result<Vec<Module>> {
    let native = std::env::consts::ARCH;
    let m32 = is_32_bit_variant(target);
    if !m32 && (!target.triple.starts_with(native) || target.pointer_bits != usize::BITS) {
        tracing::warn!("no C library models for {}: library functions are unknown code", target.triple);
        return Ok(Vec::new());
    }
    let tools = env.tools()?;
    let mut hasher = blake3::Hasher::new();
    hasher.update(&verify_ir::FORMAT_VERSION.to_le_bytes());
    hasher.update(target.triple.as_bytes());
    for (name, text) in table::FILES {
        hasher.update(&(name.len() as u64).to_le_bytes()).update(name.as_bytes());
        hasher.update(&(text.len() as u64).to_le_bytes()).update(text.as_bytes());
    }
    for tool in [&tools.clang, &tools.lower] {
        let meta = std::fs::metadata(tool).with_context(|| tool.display().to_string())?;
        let changed = meta.modified().ok().and_then(|t| t.duration_since(std::time::UNIX_EPOCH).ok());
        hasher.update(tool.as_os_str().as_encoded_bytes());
        hasher.update(&changed.map_or(0, |d| d.as_nanos()).to_le_bytes());
        hasher.update(&meta.len().to_le_bytes());
    }
    let base = hasher.finalize();
    let sources: Vec<&str> = table::FILES.iter().map(|(n, _)| *n).filter(|n| n.ends_with(".c")).collect();
    let key = |name: &str| blake3::hash(&[base.as_bytes().as_slice(), name.as_bytes()].concat());
    let cached: Option<Vec<Module>> = sources
        .par_iter()
        .map(|name| verify_ir::binary::decode(&env.store.get_keyed(Kind::UNIT, &key(name))?).ok())
        .collect();
    if let Some(modules) = cached {
        return Ok(modules);
    }
    let dir = env.store.scratch()?;
    let extra: Vec<String> =
        if m32 { std::iter::once("-m32".to_string()).chain(headers_32(env)?).collect() } else { Vec::new() };
    for (name, text) in table::FILES {
        std::fs::write(dir.path().join(name), text).context("cannot write the library models to the cache")?;
    }
    let units: Vec<Vec<u8>> =
        sources.par_iter().map(|name| compile(tools, dir.path(), name, &extra)).collect::<anyhow::Result<_>>()?;
    for (name, bytes) in sources.iter().zip(&units) {
        env.store.put_keyed(Kind::UNIT, &key(name), bytes)?;
    }
    units.iter().map(|b| verify_ir::binary::decode_checked(b).context("a library model is malformed")).collect()
}

/// The 32-bit data model of this machine (`-m32`).
fn is_32_bit_variant(target: &verify_ir::Target) -> bool {
    std::env::consts::ARCH == "x86_64"
        && target.pointer_bits == 32
        && ["i386", "i486", "i586", "i686"].iter().any(|a| target.triple.starts_with(a))
}

/// Options by which the machine's own C headers serve for `-m32` too: they are written for both word sizes, only the
/// list of missing functions is kept apart per size, and in packages of its own.
///
/// # Errors
/// The cache cannot be written.
pub fn headers_32(env: &Env) -> anyhow::Result<Vec<String>> {
    let dir = env.store.root().join("headers-32");
    let gnu = dir.join("gnu");
    std::fs::create_dir_all(&gnu).with_context(|| gnu.display().to_string())?;
    let stubs = gnu.join("stubs-32.h");
    if !stubs.exists() {
        std::fs::write(&stubs, "").with_context(|| stubs.display().to_string())?;
    }
    let after = |p: &std::path::Path| ["-idirafter".to_string(), p.display().to_string()];
    let multiarch = std::path::Path::new("/usr/include/x86_64-linux-gnu");
    let mut out: Vec<String> = Vec::new();
    if multiarch.exists() {
        out.extend(after(multiarch));
    }
    out.extend(after(&dir));
    Ok(out)
}

fn compile(
    tools: &verify_wrapper::capture::Tools,
    dir: &std::path::Path,
    name: &str,
    extra: &[String],
) -> anyhow::Result<Vec<u8>> {
    let flags = table::FILES.iter().find(|(n, _)| *n == "flags").map_or("", |(_, t)| *t);
    let mut args: Vec<OsString> = verify_wrapper::common_options();
    args.extend(flags.lines().filter(|l| !l.starts_with('#') && !l.trim().is_empty()).map(|l| l.trim().into()));
    args.extend(verify_wrapper::emit_options());
    args.extend(extra.iter().map(OsString::from));
    let (bitcode, unit) = (format!("{name}.bc"), format!("{name}.unit"));
    args.extend(["-I", ".", "-o", &bitcode, name].map(OsString::from));
    // As one process; where that cannot be, as two, which also tell more of what is wrong.
    let mut once = Command::new(&tools.lower);
    once.arg("--clang").arg(&tools.clang).args(["-o", &unit, "--model", "--"]).args(&args).current_dir(dir);
    if run(&mut once, name).is_err() {
        run(Command::new(&tools.clang).args(&args).current_dir(dir), name)?;
        run(Command::new(&tools.lower).args([&bitcode, "-o", &unit, "--model"]).current_dir(dir), name)?;
    }
    std::fs::read(dir.join(unit)).context("the lowering wrote no unit")
}

fn run(command: &mut Command, name: &str) -> anyhow::Result<()> {
    let program = command.get_program().to_string_lossy().into_owned();
    let out = command.stdin(Stdio::null()).output().with_context(|| program.clone())?;
    if out.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&out.stderr);
    // What included what comes before it.
    let first = said.lines().find(|l| l.contains("error: ")).or(said.lines().next());
    Err(anyhow!("library model {name}: {program}: {}", first.unwrap_or("failed without a message")))
}
