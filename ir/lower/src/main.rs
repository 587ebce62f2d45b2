//! `verify-lower INPUT.bc -o OUTPUT.unit [--text] [--model] [--check]`: one translation unit from LLVM bitcode to the IR.
//! `--check` has the result checked for well-formedness. Exit status 0, or 1 with one line on standard error.
//!
//! `verify-lower --clang CLANG -o OUTPUT.unit [--model] -- ARGS...` compiles as well, in one process, as that clang would
//! with `ARGS`. Exit status 65: the source is rejected, as said on standard error; 70: it cannot be lowered; 69: this
//! clang or this command is not one that can be done here.

mod clang;

use anyhow::{Context, Result, bail};
use clang::Answer;
use std::ffi::OsString;
use std::io::Write;
use std::mem::ManuallyDrop;
use std::path::PathBuf;
use std::process::ExitCode;
use verify_lower::{Options, lower, lower_module};

const USAGE: &str =
    "usage: verify-lower (INPUT.bc | --clang CLANG) [-o OUTPUT.unit] [--text] [--model] [--check] [-- ARGS...]";

/// The source is rejected.
const REJECTED: u8 = 65;
/// What compiled cannot be lowered.
const NOT_LOWERED: u8 = 70;
/// The clang has to be run.
const NOT_HERE: u8 = 69;

/// Debug information of generated code nests deeply; recursion follows it.
const STACK_BYTES: usize = 512 << 20;

struct Args {
    input: String,
    clang: Option<PathBuf>,
    words: Vec<OsString>,
    output: Option<PathBuf>,
    text: bool,
    model: bool,
    check: bool,
}

fn parse_args() -> Result<Option<Args>> {
    let (mut input, mut output, mut text, mut model, mut check) = (None, None, false, false, false);
    let (mut clang, mut words) = (None, Vec::new());
    let mut it = std::env::args_os().skip(1);
    while let Some(word) = it.next() {
        match word.to_str() {
            Some("-o") => output = Some(PathBuf::from(it.next().context("-o needs a file name")?)),
            Some("--clang") => clang = Some(PathBuf::from(it.next().context("--clang needs a program")?)),
            Some("--text") => text = true,
            Some("--model") => model = true,
            Some("--check") => check = true,
            Some("--help" | "-h") => return Ok(None),
            Some("--version") => {
                println!("verify-lower {} (unit format {})", env!("CARGO_PKG_VERSION"), verify_ir::FORMAT_VERSION);
                std::process::exit(0);
            }
            Some("--") if clang.is_some() => words.extend(it.by_ref()),
            Some(s) if s.starts_with('-') && s != "-" => bail!("unknown option {s}; {USAGE}"),
            _ if input.is_none() => input = Some(word.to_string_lossy().into_owned()),
            _ => bail!("more than one input; {USAGE}"),
        }
    }
    if input.is_some() == clang.is_some() {
        bail!("{} input; {USAGE}", if clang.is_some() { "more than one" } else { "no" });
    }
    let input = input.unwrap_or_default();
    if output.is_none() && !text && !check {
        bail!("nothing to do: give -o, --text or --check; {USAGE}");
    }
    Ok(Some(Args { input, clang, words, output, text, model, check }))
}

fn run() -> Result<u8> {
    let Some(args) = parse_args()? else {
        println!("{USAGE}");
        return Ok(0);
    };
    let options = Options { model: args.model };
    let module = match &args.clang {
        None => {
            let bytes = std::fs::read(&args.input).with_context(|| format!("cannot read {}", args.input))?;
            lower(&bytes, &args.input, options).with_context(|| args.input.clone())?
        }
        Some(clang) => match clang::compile(clang, &args.words) {
            // To take it apart again would only cost time; the process ends.
            Answer::Module(llvm) => lower_module(&ManuallyDrop::new(llvm), options)?,
            Answer::Rejected => return Ok(REJECTED),
            Answer::NotHere => return Ok(NOT_HERE),
        },
    };
    let module = ManuallyDrop::new(module);
    if let Some(path) = verify_lower::storage_order::set_in(&module) {
        bail!("{path}: the byte order that `scalar_storage_order` sets is not known to clang");
    }
    if args.check
        && let Err(problems) = verify_ir::check::check(&module)
    {
        let first = problems.first().map(ToString::to_string).unwrap_or_default();
        bail!("{}: {} problems of form, the first: {first}", args.input, problems.len());
    }
    if args.text {
        let mut out = std::io::stdout().lock();
        out.write_all(verify_ir::text::print(&module).as_bytes()).context("cannot write to standard output")?;
    }
    if let Some(path) = &args.output {
        let own = verify_ir::builtin::defined(&module);
        if !own.is_empty() && !args.model {
            let _ = writeln!(std::io::stderr(), "{} {}", verify_ir::builtin::MARK, own.join(" "));
        }
        let bytes = verify_ir::binary::encode(&module).context("cannot encode the unit")?;
        // A reader never sees half a file.
        let mut tmp = path.clone().into_os_string();
        tmp.push(format!(".{}.tmp", std::process::id()));
        let tmp = PathBuf::from(tmp);
        std::fs::write(&tmp, bytes).with_context(|| format!("cannot write {}", tmp.display()))?;
        std::fs::rename(&tmp, path).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(0)
}

/// Standard error may be a file on a full disk, which is no reason to panic.
fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "verify-lower: {text}");
}

fn main() -> ExitCode {
    // A bug here is one line too; `RUST_BACKTRACE` still gives the whole story.
    if std::env::var_os("RUST_BACKTRACE").is_none() {
        std::panic::set_hook(Box::new(|info| {
            let at = info.location().map(|l| format!(" ({}:{})", l.file(), l.line())).unwrap_or_default();
            let text = info.payload();
            let text = text.downcast_ref::<String>().map(String::as_str).or(text.downcast_ref::<&str>().copied());
            let text = text.unwrap_or("unknown").replace('\n', " ");
            say(&format!("internal error: {text}{at}"));
        }));
    }
    let failed = if std::env::args_os().any(|a| a == "--clang") { NOT_LOWERED } else { 1 };
    let worker = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(run);
    let result = match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(r)) => r,
        // The hook has said it.
        Ok(Err(_)) => return ExitCode::from(failed),
        Err(e) => Err(e.into()),
    };
    match result {
        Ok(code) => ExitCode::from(code),
        Err(e) => {
            say(&format!("{e:#}"));
            ExitCode::from(failed)
        }
    }
}
