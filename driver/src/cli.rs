//! The command line of `verify`. Commands that take C files hand every option that is not theirs to the compiler, as a
//! compiler would take it (`-I`, `-D`, `-std=`, ...); [`split_compiler_args`] is that rule.

use crate::exit::usage;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use verify_kiki::Ways;

/// More threads would be in each other's way, and be refused by the system in the end.
pub const MAX_JOBS: usize = 256;

/// Whole-project static verification of C.
#[derive(Parser, Debug)]
#[command(name = "verify", version, about, max_term_width = 100)]
#[command(after_help = "Capture first: `make CC=verify-cc`, then `verify scan`. The book explains the rest.")]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// Options of commands that hand the others to the compiler: clap does not know them.
const HELP: &str = "{about}\n\nUsage: {usage}{after-help}";

const RUN_HELP: &str = "\
Options:
      --function <F>      Start at F under the input contract, with random inputs, instead of at `main`
      --seed <N>          Seed of these inputs [default: 0]
      --runs <N>          So many runs with successive seeds [default: 1]
      --steps <MILLIONS>  Stop after so many million steps
      --memory <MIB>      Stop when the program holds more
      --no-models         Link without the models of the C library
  -h, --help              Print help

All other options go to the compiler (-I, -D, -std=, ...); what stands after `--` are the program's arguments.";

const CHECK_HELP: &str = "\
Options:
      --property <P>      unreach-call, valid-memsafety (or valid-deref, valid-free, valid-memtrack), no-overflow,
                          termination, or FILE.prp; may be repeated [default: all but termination]
      --data-model <M>    ILP32 or LP64; also --32, --64 [default: the machine's own]
      --entry <F>         The program starts at F, with any arguments, instead of at `main`
      --mode <M>          kiki, bmc, k-induction or ai [default: kiki]
      --timeout <S>       Wall-clock limit in seconds
  -j, --jobs <N>          Threads [default: all cores]
  -v, --list              Print every check that belongs to the properties with its verdict
      --witness <FILE>    Write the witness of the verdict
      --query-log <DIR>   Write every query that the solver answered, as SMT-LIB 2
      --stats             Print counters and times, as one line of JSON
  -h, --help              Print help

All other options go to the compiler (-I, -D, -std=, ...).";

const DIFF_HELP: &str = "\
Options:
      --functions <FILE|REGEX>  Only these: names in a file, or a regular expression for whole names
      --assume <NAME,...>       Take these functions to be equal
      --globals <NAME,...>      Compare what these variables influence
      --patterns <DIR>          Custom change patterns
      --other-options           Compare builds that were made with different options all the same
      --git <REV1..REV2>        Check out and build two revisions, by the command that stands after `--`
      --format <FORMAT>         terminal or json [default: terminal]
      --all                     List equal functions too
  -o, --output <FILE>           Write SARIF
      --html <FILE>             Write a page with both sources side by side
  -j, --jobs <N>                Threads [default: all cores]
      --queries <N>             Bound of the solver's queries
      --attack <N>              Run functions that were shown equal on N more inputs
  -q, --quiet                   No progress bar
  -h, --help                    Print help

All other options go to the compiler (-I, -D, -std=, ...), for both versions.";

const SHOW_HELP: &str = "\
More options:
      --function <F>   Only this function
      --unwind <K>     Iterations of loops (formula, invariants) [default: 1]
      --as-scan        The rules of `verify scan` (formula, invariants)
      --induction      Loops are entered in any state that they may be in (formula)
      --smt2           The query as SMT-LIB 2 (formula)
      --domain <D>     intervals, zones or octagons (invariants) [default: zones]
      --format <F>     text or json (invariants) [default: text]

All other options go to the compiler (-I, -D, -std=, ...).";

/// Commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Capture a build: `verify capture -- make -j8`, or `verify capture --compile-db FILE`.
    Capture(CaptureArgs),
    /// What was captured of a build, what was not, why, and what to do about it.
    Ledger(LedgerArgs),
    /// What was built from what: programs, libraries and archives with the sources in them.
    Programs(ProgramsArgs),
    /// Build a Cargo project and scan the C in its crates; also as `cargo verify`.
    Cargo(CargoArgs),
    /// Scan what was captured under a folder and write SARIF.
    Scan(ScanArgs),
    /// Explain a check of the last scan: what it is, its verdict and why, what was tried.
    Explain(ExplainArgs),
    /// Run a finding of the last scan for real, compiled with sanitizers.
    Replay(ReplayArgs),
    /// Verify a program; the last line is the verdict.
    #[command(override_usage = "verify check [OPTIONS] [COMPILER OPTIONS] FILE.c...", after_help = CHECK_HELP, help_template = HELP)]
    Check(CheckArgs),
    /// Why a unit was made anew, and keeping the cache small.
    Cache(CacheArgs),
    /// Compare two versions: two captured builds, or two C files.
    #[command(
        override_usage = "verify diff [OPTIONS] [COMPILER OPTIONS] OLD NEW\n       verify diff [OPTIONS] --git REV1..REV2 -- COMMAND...",
        after_help = DIFF_HELP,
        help_template = HELP
    )]
    Diff(DiffArgs),
    /// Run a program in the checked interpreter.
    #[command(override_usage = "verify run [OPTIONS] [COMPILER OPTIONS] FILE.c... [-- ARGUMENTS]", after_help = RUN_HELP, help_template = HELP)]
    Run(RunArgs),
    /// Print what the tool sees of C files or of a captured folder.
    #[command(override_usage = "verify show WHAT [OPTIONS] [COMPILER OPTIONS] FILE.c... | DIR", after_help = SHOW_HELP)]
    Show(ShowArgs),
}

/// Output on the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    Terminal,
    /// For programs, one JSON document.
    Json,
}

/// How much work a scan does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Effort {
    /// While you wait: facts and a few executions.
    Quick,
    /// The default.
    Standard,
    /// While you sleep.
    Nightly,
}

/// When to colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// If the output is a terminal and NO_COLOR is not set.
    Auto,
    /// Yes.
    Always,
    /// No.
    Never,
}

/// `verify capture`.
#[derive(Args, Debug)]
pub struct CaptureArgs {
    /// Capture the entries of this compile_commands.json now, without a build.
    #[arg(long, value_name = "FILE")]
    pub compile_db: Option<PathBuf>,
    /// Where the compile_commands.json of what was captured goes [default: here, unless another's lies there].
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Print the folder that has the wrapper under every compiler's name, and do nothing else.
    #[arg(long)]
    pub print_path: bool,
    /// Watch the build, and capture also what compilers called by their full path (`/usr/bin/gcc`) compile. Debuggers and
    /// leak sanitizers do not work in a build that is watched.
    #[arg(long)]
    pub trace: bool,
    /// For verify itself: capture what a compiler has compiled.
    #[arg(long, hide = true, value_name = "STATUS:PROCESS")]
    pub after: Option<String>,
    /// Say nothing when all went well.
    #[arg(long, short)]
    pub quiet: bool,
    /// The build.
    #[arg(last = true, value_name = "COMMAND")]
    pub command: Vec<std::ffi::OsString>,
}

/// `verify cache`.
#[derive(Args, Debug)]
pub struct CacheArgs {
    /// What to do.
    #[command(subcommand)]
    pub what: CacheCommand,
}

/// What `verify cache` does.
#[derive(Subcommand, Debug)]
pub enum CacheCommand {
    /// Why the units of a source were made anew by the latest builds, and whether they would be now.
    Explain {
        /// The source.
        file: PathBuf,
    },
    /// Take away what is no longer needed: repeated records, what killed builds left, and the units used longest ago
    /// until the size limit is kept.
    Gc {
        /// The size to keep to, such as 500M or 10G [default: VERIFY_CACHE_SIZE, or 20G].
        #[arg(long, value_name = "SIZE")]
        max_size: Option<String>,
        /// Say what would go, and leave it.
        #[arg(long)]
        dry_run: bool,
    },
    /// Where the cache is and how large.
    Info,
}

/// `verify ledger`.
#[derive(Args, Debug)]
pub struct LedgerArgs {
    /// Folder that was built.
    #[arg(default_value = ".")]
    pub dir: PathBuf,
    /// What is printed.
    #[arg(long, value_enum, default_value = "terminal")]
    pub format: Format,
    /// Exit with 1 when fewer than this many percent of the units are captured.
    #[arg(long, value_name = "PERCENT")]
    pub min_coverage: Option<f64>,
    /// List every invocation, not only what was missed.
    #[arg(long)]
    pub all: bool,
}

/// `verify programs`.
#[derive(Args, Debug)]
pub struct ProgramsArgs {
    /// Folder that was built.
    #[arg(default_value = ".")]
    pub dir: PathBuf,
    /// What is printed.
    #[arg(long, value_enum, default_value = "terminal")]
    pub format: Format,
}

/// `cargo verify`.
#[derive(Args, Debug)]
pub struct CargoArgs {
    /// The Cargo.toml of the project.
    #[arg(long, value_name = "FILE")]
    pub manifest_path: Option<PathBuf>,
    /// Build and capture only.
    #[arg(long)]
    pub no_scan: bool,
    /// Wall-clock limit in seconds for the scan of one crate.
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    pub timeout: u64,
    /// Threads of a scan [default: all cores].
    #[arg(long, short, value_name = "N")]
    pub jobs: Option<usize>,
    /// What is printed.
    #[arg(long, value_enum, default_value = "terminal")]
    pub format: Format,
    /// Build with optimisation, as `cargo build --release`.
    #[arg(long)]
    pub release: bool,
    /// Build only this package, as `cargo build`.
    #[arg(long, short, value_name = "SPEC")]
    pub package: Vec<String>,
    /// Features, as `cargo build`.
    #[arg(long, short = 'F', value_name = "FEATURES")]
    pub features: Vec<String>,
    /// Do not use the network.
    #[arg(long)]
    pub offline: bool,
    /// More options of `cargo build`.
    #[arg(last = true, value_name = "CARGO OPTIONS")]
    pub build: Vec<std::ffi::OsString>,
}

/// `verify scan`.
#[derive(Args, Debug)]
pub struct ScanArgs {
    /// Folder that was built with `verify-cc`.
    #[arg(default_value = ".")]
    pub dir: PathBuf,
    /// Compile the entries of this compile_commands.json now, instead of using a captured build.
    #[arg(long, value_name = "FILE")]
    pub compile_db: Option<PathBuf>,
    /// Where SARIF goes [default: verify.sarif in the current folder].
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Put `proved` and `unknown` checks in the SARIF too (GitHub shows whatever it is given).
    #[arg(long)]
    pub sarif_all: bool,
    /// What is printed.
    #[arg(long, value_enum, default_value = "terminal")]
    pub format: Format,
    /// Colours.
    #[arg(long, value_enum, default_value = "auto")]
    pub color: Color,
    /// Wall-clock limit in seconds; what it cuts off is `unknown: time`.
    #[arg(long, value_name = "SECONDS")]
    pub timeout: Option<u64>,
    /// Interpreter steps per program, in millions.
    #[arg(long, value_name = "MILLIONS")]
    pub steps: Option<u64>,
    /// Threads [default: all cores].
    #[arg(long, short, value_name = "N")]
    pub jobs: Option<usize>,
    /// A function where executions start, besides `main`. May be repeated.
    #[arg(long, value_name = "FUNCTION")]
    pub entry: Vec<String>,
    /// Scan only these targets (paths relative to the folder). May be repeated.
    #[arg(long, value_name = "PATH")]
    pub target: Vec<String>,
    /// Findings printed in full; the SARIF has them all.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub max_shown: usize,
    /// How much work is done: quick (minutes, no solver), standard, nightly (hours).
    #[arg(long, value_enum)]
    pub budget: Option<Effort>,
    /// The SARIF of an earlier scan: findings are new or unchanged, and only new ones decide the exit code.
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// A folder with models in C of functions that the project calls. May be repeated.
    #[arg(long, value_name = "DIR")]
    pub models: Vec<PathBuf>,
    /// A list of findings that are accepted, besides verify-suppressions.toml in the folder.
    #[arg(long, value_name = "FILE")]
    pub suppressions: Option<PathBuf>,
    /// A kind of check that is off by default: integer-truncation or unsigned-wrap. May be repeated.
    #[arg(long = "check", value_name = "KIND", value_delimiter = ',')]
    pub checks: Vec<String>,
    /// Take it that no allocation fails.
    #[arg(long)]
    pub allocation_succeeds: bool,
    /// Decide programs that start threads, too, taking it that threads disturb each other nowhere: each runs to its end
    /// when it is started or joined, or never.
    #[arg(long)]
    pub assume_race_free: bool,
    /// Use nothing that earlier scans have found out.
    #[arg(long)]
    pub fresh: bool,
    /// No progress bar.
    #[arg(long, short)]
    pub quiet: bool,
}

/// `verify explain`.
#[derive(Args, Debug)]
pub struct ExplainArgs {
    /// The check: FILE:LINE[:COLUMN][:KIND], or (the beginning of) its id in the SARIF or JSON.
    pub check: String,
    /// The SARIF of the scan, or the record beside it [default: that of `verify scan` in the current folder].
    #[arg(long, value_name = "FILE")]
    pub results: Option<PathBuf>,
}

/// `verify replay`.
#[derive(Args, Debug)]
pub struct ReplayArgs {
    /// The finding: FILE:LINE[:COLUMN][:KIND], or (the beginning of) its id in the SARIF or JSON.
    pub check: Option<String>,
    /// Every violated finding.
    #[arg(long, conflicts_with = "check")]
    pub all: bool,
    /// The folder that was scanned.
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub dir: PathBuf,
    /// The compile_commands.json that was scanned, when it was one.
    #[arg(long, value_name = "FILE")]
    pub compile_db: Option<PathBuf>,
    /// The SARIF of the scan, or the record beside it; what is confirmed is noted in both [default: that of `verify scan` in the current folder].
    #[arg(long, value_name = "FILE")]
    pub results: Option<PathBuf>,
    /// Put the sources, the program and its output here and keep them.
    #[arg(long, value_name = "DIR")]
    pub keep: Option<PathBuf>,
}

/// `verify run`; the options are taken out of `rest` by [`RunOptions::parse`].
#[derive(Args, Debug)]
pub struct RunArgs {
    /// Options, files and arguments.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    pub rest: Vec<String>,
}

/// `verify check`; the options are taken out of `rest` by [`CheckOptions::parse`].
#[derive(Args, Debug)]
pub struct CheckArgs {
    /// Options and files.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    pub rest: Vec<String>,
}

/// `verify diff`; the options are taken out of `rest` by [`DiffOptions::parse`].
#[derive(Args, Debug)]
pub struct DiffArgs {
    /// Options and versions.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    pub rest: Vec<String>,
}

/// Options of `verify diff`, the two versions (as sources) and what is left for the compiler.
#[derive(Debug)]
pub struct DiffOptions {
    /// A file with names, or a regular expression.
    pub functions: Option<String>,
    /// What is printed.
    pub format: Format,
    /// Print equal functions too.
    pub all: bool,
    /// Where SARIF goes.
    pub output: Option<PathBuf>,
    /// Where the page goes.
    pub html: Option<PathBuf>,
    /// Threads.
    pub jobs: usize,
    /// Solver queries of a pair of programs.
    pub queries: Option<u64>,
    /// Inputs on which functions said to be equal are run all the same.
    pub attack: u64,
    /// Functions that are taken to be equal.
    pub assume: Vec<String>,
    /// No progress bar.
    pub quiet: bool,
    /// Global variables: what they influence is compared.
    pub globals: Vec<String>,
    /// Versions built with different options are compared all the same.
    pub other_options: bool,
    /// A folder with custom change patterns.
    pub patterns: Option<PathBuf>,
    /// Revisions to be built.
    pub git: Option<String>,
    /// How they are built.
    pub command: Vec<String>,
    /// Compiler options and the versions.
    pub compiler: CompilerArgs,
}

impl DiffOptions {
    /// Splits `rest`.
    ///
    /// # Errors
    /// A missing, malformed or unknown value.
    pub fn parse(rest: &[String]) -> anyhow::Result<DiffOptions> {
        let mut o = DiffOptions {
            functions: None,
            format: Format::Terminal,
            all: false,
            output: None,
            html: None,
            jobs: 0,
            queries: None,
            attack: 0,
            assume: Vec::new(),
            quiet: false,
            globals: Vec::new(),
            other_options: false,
            patterns: None,
            git: None,
            command: Vec::new(),
            compiler: CompilerArgs::default(),
        };
        let (before, after) = match rest.iter().position(|a| a == "--") {
            Some(i) => (&rest[..i], &rest[i + 1..]),
            None => (rest, &[][..]),
        };
        o.command = after.to_vec();
        let mut compiler = Vec::new();
        let mut it = before.iter();
        while let Some(a) = it.next() {
            let (name, inline) = match a.split_once('=') {
                Some((n, v)) if n.starts_with("--") => (n, Some(v.to_string())),
                _ => (a.as_str(), None),
            };
            let flag = || match inline {
                None => Ok(true),
                Some(_) => Err(usage(format!("`{name}` takes no value"))),
            };
            let mut value = || {
                inline.clone().or_else(|| it.next().cloned()).ok_or_else(|| usage(format!("`{name}` needs a value")))
            };
            let number = |v: String| v.parse::<u64>().map_err(|_| usage(format!("`{name}` needs a number, not `{v}`")));
            match name {
                "--functions" => o.functions = Some(value()?),
                "--format" => {
                    let v = value()?;
                    o.format = match v.as_str() {
                        "json" => Format::Json,
                        "terminal" => Format::Terminal,
                        _ => return Err(usage(format!("`--format` is terminal or json, not `{v}`"))),
                    };
                }
                "--all" => o.all = flag()?,
                "--output" | "-o" | "--sarif" => o.output = Some(value()?.into()),
                "--html" => o.html = Some(value()?.into()),
                "--jobs" | "-j" => o.jobs = number(value()?)? as usize,
                "--queries" => o.queries = Some(number(value()?)?),
                "--attack" => o.attack = number(value()?)?,
                "--quiet" | "-q" => o.quiet = flag()?,
                "--git" => o.git = Some(value()?),
                "--globals" => {
                    let v = value()?;
                    o.globals.extend(v.split(',').map(str::trim).filter(|g| !g.is_empty()).map(String::from));
                    if o.globals.is_empty() {
                        return Err(usage("`--globals` needs names of variables"));
                    }
                }
                "--assume" => {
                    let v = value()?;
                    o.assume.extend(v.split(',').map(str::trim).filter(|f| !f.is_empty()).map(String::from));
                    if o.assume.is_empty() {
                        return Err(usage("`--assume` needs names of functions"));
                    }
                }
                "--other-options" => o.other_options = flag()?,
                "--patterns" => o.patterns = Some(value()?.into()),
                _ if name.starts_with("-j") && name[2..].parse::<usize>().is_ok() => o.jobs = name[2..].parse()?,
                _ => compiler.push(a.clone()),
            }
        }
        o.compiler = split_compiler_args(&compiler)?;
        if o.patterns.is_some() && !o.globals.is_empty() {
            return Err(usage("`--patterns` cannot be used together with `--globals`"));
        }
        if let (Some(_), Some(other)) = (&o.git, o.compiler.sources.first()) {
            return Err(usage(format!("`--git` names both versions: what is {} for?", other.display())));
        }
        if o.git.is_none() && !o.command.is_empty() {
            return Err(usage("a command after `--` builds the revisions of `--git`, and there is no `--git`"));
        }
        if o.git.is_none() && o.compiler.sources.len() != 2 {
            let n = o.compiler.sources.len();
            let given = if n > 2 { format!(", not {n}") } else { String::new() };
            return Err(usage(format!("two versions are needed{given}: verify diff [OPTIONS] OLD NEW")));
        }
        Ok(o)
    }
}

/// Options of `verify check` and what is left for the compiler.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct CheckOptions {
    /// What is to be shown; all that the tool can when empty.
    pub property: Vec<String>,
    /// 32-bit `long` and pointers.
    pub ilp32: bool,
    /// Where the program starts, instead of `main`.
    pub entry: Option<String>,
    /// Which ways the engine goes.
    pub mode: verify_kiki::Ways,
    /// Wall-clock limit in seconds.
    pub timeout: Option<u64>,
    /// Threads.
    pub jobs: usize,
    /// Print every check that was asked for with its verdict.
    pub list: bool,
    /// Print counters and where the time went, as one line of JSON.
    pub stats: bool,
    /// The folder that every answered query of the solver is written to.
    pub query_log: Option<PathBuf>,
    /// Where the witness of the verdict is written to.
    pub witness: Option<PathBuf>,
    /// Compiler options and source files.
    pub compiler: CompilerArgs,
}

impl CheckOptions {
    /// Splits `rest`.
    ///
    /// # Errors
    /// A missing or malformed value; no source file.
    pub fn parse(rest: &[String]) -> anyhow::Result<CheckOptions> {
        let mut o = CheckOptions::default();
        let mut compiler = Vec::new();
        let mut it = rest.iter();
        while let Some(a) = it.next() {
            let (name, inline) = match a.split_once('=') {
                Some((n, v)) if n.starts_with("--") => (n, Some(v.to_string())),
                _ => (a.as_str(), None),
            };
            let flag = || match inline {
                None => Ok(true),
                Some(_) => Err(usage(format!("`{name}` takes no value"))),
            };
            let mut value = || {
                inline.clone().or_else(|| it.next().cloned()).ok_or_else(|| usage(format!("`{name}` needs a value")))
            };
            let number = |v: String| v.parse::<u64>().map_err(|_| usage(format!("`{name}` needs a number, not `{v}`")));
            match name {
                "--property" => o.property.push(value()?),
                "--data-model" => {
                    let v = value()?;
                    o.ilp32 = match v.to_ascii_uppercase().as_str() {
                        "ILP32" => true,
                        "LP64" => false,
                        _ => return Err(usage(format!("`--data-model` is ILP32 or LP64, not `{v}`"))),
                    };
                }
                "--mode" => {
                    let v = value()?;
                    o.mode = match v.as_str() {
                        "bmc" => Ways::Bmc,
                        "k-induction" => Ways::KInduction,
                        "ai" => Ways::Ai,
                        "kiki" => Ways::Kiki,
                        _ => return Err(usage(format!("`--mode` is bmc, k-induction, ai or kiki, not `{v}`"))),
                    };
                }
                "--32" => o.ilp32 = flag()?,
                "--64" => o.ilp32 = !flag()?,
                "--entry" => o.entry = Some(value()?),
                "--timeout" => o.timeout = Some(number(value()?)?.max(1)),
                "--jobs" | "-j" => o.jobs = (number(value()?)? as usize).min(MAX_JOBS),
                _ if name.starts_with("-j") && name[2..].parse::<usize>().is_ok() => {
                    o.jobs = name[2..].parse::<usize>()?.min(MAX_JOBS);
                }
                "--list" | "-v" => o.list = flag()?,
                "--stats" => o.stats = flag()?,
                "--query-log" => o.query_log = Some(value()?.into()),
                "--witness" => o.witness = Some(value()?.into()),
                "--" => {}
                _ => compiler.push(a.clone()),
            }
        }
        o.compiler = split_compiler_args(&compiler)?;
        if o.compiler.sources.is_empty() {
            return Err(usage("no source file given: verify check [OPTIONS] FILE.c..."));
        }
        Ok(o)
    }
}

/// `verify show`.
#[derive(Args, Debug)]
pub struct ShowArgs {
    /// What to print.
    #[arg(value_enum)]
    pub what: Show,
    /// Options, and files or a folder.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    pub rest: Vec<String>,
}

/// What `verify show` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Show {
    /// The intermediate representation, as text.
    Ir,
    /// Control-flow graphs, in Graphviz's language.
    Cfg,
    /// The call graph, in Graphviz's language.
    Callgraph,
    /// Targets, their units and what could not be captured.
    Units,
    /// The checks, with their places and messages.
    Checks,
    /// What is known without a solver: calls, loops, where pointers point, what is read and written.
    Facts,
    /// What holds at every loop, and what functions return, in C.
    Invariants,
    /// What the solver is asked.
    Formula,
}

/// Options of `verify run` and what is left for the compiler and the program.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct RunOptions {
    /// Start here, under the input contract, instead of at `main`.
    pub function: Option<String>,
    /// Seed of the random inputs of `--function`.
    pub seed: u64,
    /// How many runs with successive seeds.
    pub runs: u64,
    /// Step budget.
    pub steps: Option<u64>,
    /// Memory budget in bytes.
    pub memory: Option<u64>,
    /// Link without the C library models.
    pub no_models: bool,
    /// Compiler options and source files.
    pub compiler: CompilerArgs,
    /// Arguments of the program, after `--`.
    pub args: Vec<String>,
}

/// A compiler-like command line.
#[derive(Debug, Default, PartialEq, Eq, Clone)]
pub struct CompilerArgs {
    /// Options, in order, to be given for every source.
    pub options: Vec<String>,
    /// Source files.
    pub sources: Vec<PathBuf>,
    /// Checks of clang's sanitizers beyond those that every unit has.
    pub checks: Vec<&'static str>,
}

impl RunOptions {
    /// Splits `rest`.
    ///
    /// # Errors
    /// A missing or malformed value; no source file.
    pub fn parse(rest: &[String]) -> anyhow::Result<RunOptions> {
        let mut o = RunOptions { runs: 1, ..RunOptions::default() };
        let (before, after) = match rest.iter().position(|a| a == "--") {
            Some(i) => (&rest[..i], &rest[i + 1..]),
            None => (rest, &[][..]),
        };
        o.args = after.to_vec();
        let mut compiler = Vec::new();
        let mut it = before.iter();
        while let Some(a) = it.next() {
            let (name, inline) = match a.split_once('=') {
                Some((n, v)) if n.starts_with("--") => (n, Some(v.to_string())),
                _ => (a.as_str(), None),
            };
            let flag = || match inline {
                None => Ok(true),
                Some(_) => Err(usage(format!("`{name}` takes no value"))),
            };
            let mut value = || {
                inline.clone().or_else(|| it.next().cloned()).ok_or_else(|| usage(format!("`{name}` needs a value")))
            };
            let number = |v: String| v.parse::<u64>().map_err(|_| usage(format!("`{name}` needs a number, not `{v}`")));
            match name {
                "--function" => o.function = Some(value()?),
                "--seed" => o.seed = number(value()?)?,
                "--runs" => o.runs = number(value()?)?.max(1),
                "--steps" => o.steps = Some(number(value()?)?.saturating_mul(1_000_000)),
                "--memory" => o.memory = Some(number(value()?)?.saturating_mul(1 << 20)),
                "--no-models" => o.no_models = flag()?,
                _ => compiler.push(a.clone()),
            }
        }
        o.compiler = split_compiler_args(&compiler)?;
        if o.compiler.sources.is_empty() {
            return Err(usage("no source file given: verify run [OPTIONS] FILE.c... [-- ARGS]"));
        }
        Ok(o)
    }
}

/// Splits a compiler-like command line into options and sources, knowing which options take a separate value.
///
/// # Errors
/// An option that lacks its value.
pub fn split_compiler_args(args: &[String]) -> anyhow::Result<CompilerArgs> {
    const SEPARATE: &[&str] = &[
        "-I",
        "-D",
        "-U",
        "-L",
        "-l",
        "-x",
        "-include",
        "-imacros",
        "-isystem",
        "-iquote",
        "-idirafter",
        "-isysroot",
        "--sysroot",
        "-target",
        "-Xclang",
        "-o",
        "-MF",
        "-MT",
        "-MQ",
        "-iprefix",
        "-iwithprefix",
        "-mllvm",
    ];
    let mut out = CompilerArgs::default();
    let mut it = args.iter();
    while let Some(a) = it.next() {
        if a.starts_with('-') && a != "-" {
            let separate = SEPARATE.contains(&a.as_str());
            // What the linker or the dependency writer would use has no meaning here.
            let ignored = a.starts_with("-l") || a.starts_with("-L") || matches!(a.as_str(), "-o" | "-c");
            if !ignored {
                out.options.push(a.clone());
            }
            if separate {
                let v = it.next().ok_or_else(|| usage(format!("`{a}` needs a value")))?;
                if !ignored {
                    out.options.push(v.clone());
                }
            }
        } else {
            out.sources.push(PathBuf::from(a));
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(s: &str) -> Vec<String> {
        s.split_whitespace().map(String::from).collect()
    }

    #[test]
    fn run_options_and_compiler_options_mix() {
        let o = RunOptions::parse(&strings("--function f -I inc -DX=1 --seed=7 a.c -lm -- --function x")).unwrap();
        assert_eq!(o.function.as_deref(), Some("f"));
        assert_eq!(o.seed, 7);
        assert_eq!(o.compiler.options, strings("-I inc -DX=1"));
        assert_eq!(o.compiler.sources, [PathBuf::from("a.c")]);
        assert_eq!(o.args, strings("--function x"));
    }

    #[test]
    fn check_options_and_compiler_options_mix() {
        let o =
            CheckOptions::parse(&strings("--property no-overflow --32 --list -DX --timeout=5 --stats a.c")).unwrap();
        assert_eq!((o.ilp32, o.list, o.stats, o.timeout), (true, true, true, Some(5)));
        assert_eq!(o.property, ["no-overflow"]);
        assert_eq!(o.compiler.options, ["-DX"]);
        assert!(CheckOptions::parse(&strings("--data-model LP32 a.c")).is_err());
        assert!(CheckOptions::parse(&strings("--list=yes a.c")).unwrap_err().to_string().contains("takes no value"));
        assert_eq!(CheckOptions::parse(&strings("-j3 a.c")).unwrap().jobs, 3);
        assert_eq!(CheckOptions::parse(&strings("--jobs 100000 a.c")).unwrap().jobs, MAX_JOBS);
    }

    #[test]
    fn missing_values_are_usage_errors() {
        assert!(RunOptions::parse(&strings("a.c --seed")).unwrap_err().to_string().contains("needs a value"));
        assert!(RunOptions::parse(&strings("a.c --seed=x")).unwrap_err().to_string().contains("needs a number"));
        assert!(RunOptions::parse(&strings("-- x")).unwrap_err().to_string().contains("no source file"));
        assert!(RunOptions::parse(&strings("a.c -I")).unwrap_err().to_string().contains("`-I` needs"));
    }
}
