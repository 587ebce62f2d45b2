//! `verify-lower INPUT.bc -o OUTPUT.unit [--text] [--model] [--check]`: one translation unit from LLVM bitcode to the IR.
//! `--check` has the result checked for well-formedness. Exit status 0, or 1 with one line on standard error.

use anyhow::{Context, Result, bail};
use std::io::Write;
use std::process::ExitCode;
use verify_lower::{Options, lower};

const USAGE: &str = "usage: verify-lower INPUT.bc [-o OUTPUT.unit] [--text] [--model] [--check]";

/// Debug information of generated code nests deeply; recursion follows it.
const STACK_BYTES: usize = 512 << 20;

struct Args {
    input: String,
    output: Option<String>,
    text: bool,
    model: bool,
    check: bool,
}

fn parse_args() -> Result<Option<Args>> {
    let (mut input, mut output, mut text, mut model, mut check) = (None, None, false, false, false);
    let mut it = std::env::args().skip(1);
    while let Some(a) = it.next() {
        match a.as_str() {
            "-o" => output = Some(it.next().context("-o needs a file name")?),
            "--text" => text = true,
            "--model" => model = true,
            "--check" => check = true,
            "--help" | "-h" => return Ok(None),
            "--version" => {
                println!("verify-lower {} (unit format {})", env!("CARGO_PKG_VERSION"), verify_ir::FORMAT_VERSION);
                std::process::exit(0);
            }
            s if s.starts_with('-') && s != "-" => bail!("unknown option {s}; {USAGE}"),
            _ if input.is_none() => input = Some(a),
            _ => bail!("more than one input; {USAGE}"),
        }
    }
    let input = input.with_context(|| format!("no input; {USAGE}"))?;
    if output.is_none() && !text && !check {
        bail!("nothing to do: give -o, --text or --check; {USAGE}");
    }
    Ok(Some(Args { input, output, text, model, check }))
}

fn run() -> Result<()> {
    let Some(args) = parse_args()? else {
        println!("{USAGE}");
        return Ok(());
    };
    let bytes = std::fs::read(&args.input).with_context(|| format!("cannot read {}", args.input))?;
    let module = lower(&bytes, &args.input, Options { model: args.model }).with_context(|| args.input.clone())?;
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
        let bytes = verify_ir::binary::encode(&module).context("cannot encode the unit")?;
        // A reader never sees half a file.
        let tmp = format!("{path}.{}.tmp", std::process::id());
        std::fs::write(&tmp, bytes).with_context(|| format!("cannot write {tmp}"))?;
        std::fs::rename(&tmp, path).with_context(|| format!("cannot write {path}"))?;
    }
    Ok(())
}

fn main() -> ExitCode {
    // A bug here is one line too; `RUST_BACKTRACE` still gives the whole story.
    if std::env::var_os("RUST_BACKTRACE").is_none() {
        std::panic::set_hook(Box::new(|info| {
            let at = info.location().map(|l| format!(" ({}:{})", l.file(), l.line())).unwrap_or_default();
            let text = info.payload();
            let text = text.downcast_ref::<String>().map(String::as_str).or(text.downcast_ref::<&str>().copied());
            let text = text.unwrap_or("unknown").replace('\n', " ");
            eprintln!("verify-lower: internal error: {text}{at}");
        }));
    }
    let worker = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(run);
    let result = match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(r)) => r,
        // The hook has said it.
        Ok(Err(_)) => return ExitCode::FAILURE,
        Err(e) => Err(e.into()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("verify-lower: {e:#}");
            ExitCode::FAILURE
        }
    }
}
