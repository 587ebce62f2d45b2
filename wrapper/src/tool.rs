//! Running the tools of a capture: clang and `verify-lower`, silent, with a time limit, their words kept.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use verify_compile_db::quote::join_gcc;

use crate::capture::{CaptureError, Job, Tools};
use crate::fallback;
use crate::process::{self, Ended};
use crate::translate::{NO_FORTIFY, common_options};

/// Above this many bytes of arguments clang gets them through a response file.
const ARGUMENT_LIMIT: usize = 60_000;

/// What clang would write beside its output, or read instead of what the real compiler read.
const HIDDEN_ENV: &[&str] = &[
    "DEPENDENCIES_OUTPUT",
    "SUNPRO_DEPENDENCIES",
    "CCC_OVERRIDE_OPTIONS",
    "CCC_PRINT_OPTIONS",
    "CCC_PRINT_PHASES",
    "CC_PRINT_OPTIONS",
    "CC_PRINT_HEADERS",
    "CC_LOG_DIAGNOSTICS",
    "CC_PRINT_PROC_STAT",
    "COMPILER_PATH",
    "GCC_EXEC_PREFIX",
];

/// The arguments of clang for the job's source with `extra` options.
pub(crate) fn clang_args(job: &Job, extra: &[OsString], output: &Path) -> Vec<OsString> {
    let mut args = common_options();
    // Under `-w` no warning becomes an error.
    let strict = job.args.iter().any(|a| a == fallback::NO_END);
    args.retain(|a| !(strict && a == "-w"));
    args.extend(job.args.iter().cloned());
    args.extend(extra.iter().cloned());
    args.extend(["-o".into(), output.into(), "-x".into(), job.language.clone().into()]);
    args.push(source_word(job));
    args
}

/// The source as an argument: a name that starts with a dash or an at sign must not be taken for an option or a
/// response file.
fn source_word(job: &Job) -> OsString {
    let name = job.source.as_os_str().as_bytes();
    match name.first() {
        // By the name it has: that is in its messages, and says where it looks for headers.
        _ if job.stdin.is_some() && !job.source.is_absolute() => "-".into(),
        Some(b'-' | b'@') => Path::new(".").join(&job.source).into(),
        _ => job.source.clone().into(),
    }
}

/// Runs clang on the job's source; what it said when it went well.
pub(crate) fn clang(
    tools: &Tools,
    job: &Job,
    scratch: &Path,
    extra: &[OsString],
    output: &Path,
) -> Result<String, CaptureError> {
    let command = told(Command::new(&tools.clang), job, scratch, extra, output)?;
    let log = scratch.join("clang.log");
    finish(command, tools.timeout, &log, output, job.stdin.as_deref()).map_err(|e| CaptureError::Clang(e.said))
}

/// The command with the words and the environment of clang.
fn told(
    mut command: Command,
    job: &Job,
    scratch: &Path,
    extra: &[OsString],
    output: &Path,
) -> Result<Command, CaptureError> {
    let args = clang_args(job, extra, output);
    let total: usize = args.iter().map(|a| a.len() + 9).sum();
    if total > ARGUMENT_LIMIT {
        let file = scratch.join("clang.args");
        fs::write(&file, join_gcc(&args).as_bytes())
            .map_err(|e| CaptureError::Cache(format!("{}: {e}", file.display())))?;
        let mut word = OsString::from("@");
        word.push(&file);
        command.arg(word);
    } else {
        command.args(&args);
    }
    command.current_dir(&job.cwd).env("LC_ALL", "C").env(crate::real::NESTED, "1");
    for name in HIDDEN_ENV {
        command.env_remove(name);
    }
    Ok(command)
}

/// Exit status of `verify-lower --clang` where the source is rejected.
const REJECTED: i32 = 65;
/// Exit status of `verify-lower --clang` where the source compiles and cannot be lowered.
const NOT_LOWERED: i32 = 70;

/// Compiles and lowers in one process, with the clang that is linked into the lowering; what it said when it went well.
/// None where that cannot be done, or ended in a way that the two, one by one, tell more about.
pub(crate) fn at_once(
    tools: &Tools,
    job: &Job,
    scratch: &Path,
    extra: &[OsString],
    output: &Path,
) -> Result<Option<String>, CaptureError> {
    let mut command = Command::new(&tools.lower);
    command.arg("--clang").arg(&tools.clang).arg("-o").arg(output);
    if job.model {
        command.arg("--model");
    }
    command.arg("--");
    let command = told(command, job, scratch, extra, &scratch.join("unit.bc"))?;
    let log = scratch.join("once.log");
    match finish(command, tools.timeout, &log, output, job.stdin.as_deref()) {
        Ok(said) => Ok(Some(said)),
        Err(e) => match e.ended {
            Some(Ended::Code(REJECTED)) => Err(CaptureError::Clang(e.said)),
            Some(Ended::Code(NOT_LOWERED)) => Err(CaptureError::Lower(e.said)),
            Some(Ended::TimedOut) => Err(CaptureError::Clang(e.said)),
            _ => Ok(None),
        },
    }
}

/// How a tool failed.
struct Failure {
    /// One line or more.
    said: String,
    /// None when it could not be run.
    ended: Option<Ended>,
}

/// The job's text as the real compiler preprocesses it.
pub(crate) fn real_preprocess(
    tools: &Tools,
    job: &Job,
    scratch: &Path,
    extra: &[&str],
    output: &Path,
) -> Result<String, CaptureError> {
    let Some((program, words)) = job.real.split_first() else {
        return Err(CaptureError::Clang("there is no real compiler".into()));
    };
    let mut command = Command::new(program);
    command.args(words).args(["-w", "-E"]).args(NO_FORTIFY).args(extra).arg("-o").arg(output);
    command.args(["-x", &job.language]).arg(source_word(job));
    command.current_dir(&job.cwd).env("LC_ALL", "C").env(crate::real::NESTED, "1");
    for name in ["DEPENDENCIES_OUTPUT", "SUNPRO_DEPENDENCIES"] {
        command.env_remove(name);
    }
    let log = scratch.join("real.log");
    finish(command, tools.timeout, &log, output, job.stdin.as_deref()).map_err(|e| CaptureError::Clang(e.said))
}

/// The functions of the source that clang would not call by their name, as the lowering says.
pub(crate) fn own_library_functions(said: &str) -> impl Iterator<Item = &str> {
    let line = said.lines().find_map(|l| l.strip_prefix("verify-lower: own library functions:"));
    line.into_iter().flat_map(str::split_whitespace)
}

/// Runs the lowering on bitcode; what it said when it went well.
pub(crate) fn lower(
    tools: &Tools,
    job: &Job,
    scratch: &Path,
    bitcode: &Path,
    output: &Path,
) -> Result<String, CaptureError> {
    let mut command = Command::new(&tools.lower);
    command.arg(bitcode).arg("-o").arg(output);
    if job.model {
        command.arg("--model");
    }
    command.current_dir(&job.cwd);
    let log = scratch.join("lower.log");
    finish(command, tools.timeout, &log, output, None).map_err(|e| CaptureError::Lower(e.said))
}

/// Runs a tool to its end. What it said comes back; as an error with how it died when it did not go well.
fn finish(
    mut command: Command,
    timeout: Duration,
    log: &Path,
    output: &Path,
    stdin: Option<&[u8]>,
) -> Result<String, Failure> {
    let not_run = |said: String| Failure { said, ended: None };
    let named = |path: &Path| {
        let name = path.display().to_string();
        move |e: std::io::Error| not_run(format!("{name}: {e}"))
    };
    let sink = fs::File::create(log).map_err(named(log))?;
    let copy = sink.try_clone().map_err(|e| not_run(e.to_string()))?;
    command.stdout(copy).stderr(sink);
    match stdin {
        None => command.stdin(Stdio::null()),
        Some(bytes) => {
            let file = log.with_extension("stdin");
            fs::File::create(&file).and_then(|mut f| f.write_all(bytes)).map_err(named(&file))?;
            command.stdin(fs::File::open(&file).map_err(named(&file))?)
        }
    };
    let program = command.get_program().to_string_lossy().into_owned();
    let ended = process::run(&mut command, timeout).map_err(|e| not_run(format!("{program}: {e}")))?;
    let text = || String::from_utf8_lossy(&fs::read(log).unwrap_or_default()).into_owned();
    let said = || {
        let text = text();
        // Where clang was asked for its search path, its complaints come after that.
        let text = text.rsplit_once(SEARCH_END).map_or(text.as_str(), |(_, rest)| rest).trim();
        // Enough to see what is wrong; a crash dump has thousands of lines.
        let mut kept: String = text.chars().take(4000).collect();
        if kept.len() < text.len() {
            kept.push('…');
        }
        kept
    };
    let said = match ended {
        Ended::Code(0) if output.exists() => return Ok(text()),
        Ended::Code(0) => format!("{program} wrote no output. {}", said()).trim_end().to_string(),
        Ended::Code(code) => match said() {
            // On a full disk what it said is lost as well.
            text if text.is_empty() => match fs::write(log, "?") {
                Ok(()) => format!("{program}: exit status {code}"),
                Err(e) => format!("{program}: exit status {code}; {}: {e}", log.display()),
            },
            text => text,
        },
        Ended::Signal(signal) => format!("{program} died by signal {signal}. {}", said()).trim_end().to_string(),
        Ended::TimedOut => format!("{program}: stopped after {} s", timeout.as_secs()),
    };
    Err(Failure { said, ended: Some(ended) })
}

const SEARCH_END: &str = "End of search list.";

/// The folders that headers are looked for in, in order, from what a compiler says under `-v`.
pub(crate) fn search_dirs(said: &str) -> Vec<PathBuf> {
    let Some((_, rest)) = said.split_once("search starts here:") else { return Vec::new() };
    let list = rest.split(SEARCH_END).next().unwrap_or_default();
    list.lines().filter_map(|line| line.strip_prefix(' ')).map(|dir| PathBuf::from(OsStr::new(dir))).collect()
}

/// The folders that a compiler left out of its search path, as they are not there or stand in it already.
pub(crate) fn left_out(said: &str) -> Vec<PathBuf> {
    let dir = |line: &str| {
        let (what, name) = line.strip_prefix("ignoring ")?.split_once(" directory \"")?;
        ["nonexistent", "duplicate"].contains(&what).then(|| PathBuf::from(name.strip_suffix('"').unwrap_or(name)))
    };
    said.lines().filter_map(dir).collect()
}

/// All folders in which a header would be found if it were there: those of the search path, those left out of it, and
/// those that the driver puts before them where they exist (`/usr/include/x86_64-linux-gnu`).
pub(crate) fn looked_in(said: &str) -> Vec<PathBuf> {
    let mut out = search_dirs(said);
    if out.is_empty() {
        return out;
    }
    out.extend(left_out(said));
    let target = said.lines().find_map(|l| l.strip_prefix("Target: ")).unwrap_or_default().trim();
    if let Some((machine, rest)) = target.split_once('-') {
        let system = rest.split_once('-').map_or(rest, |(_, system)| system);
        let own = out.iter().filter(|dir| dir.ends_with("include")).map(|dir| dir.join(format!("{machine}-{system}")));
        let own: Vec<PathBuf> = own.filter(|dir| !out.contains(dir)).collect();
        out.extend(own);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_that_are_looked_in() {
        let said = "Target: x86_64-pc-linux-gnu\nignoring nonexistent directory \"gen\"\nignoring duplicate directory \".\"\n  as it is a\n\
                    #include \"...\" search starts here:\n q\n#include <...> search starts here:\n .\n /usr/include\nEnd of search list.\n x\n";
        assert_eq!(search_dirs(said), ["q", ".", "/usr/include"].map(PathBuf::from));
        let all = ["q", ".", "/usr/include", "gen", ".", "/usr/include/x86_64-linux-gnu"];
        assert_eq!(looked_in(said), all.map(PathBuf::from));
        assert!(looked_in("nothing").is_empty());
    }
}
