//! `verify cache`: why a unit was made anew, and keeping the cache small.

use crate::cli::{CacheArgs, CacheCommand};
use crate::exit::{self, usage};
use crate::tools::Env;
use anyhow::Context;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use verify_compile_db::{Ledger, Outcome, Record};
use verify_wrapper::capture;
use verify_wrapper::config;

/// What was used within this time stays, whatever the limit.
const IN_USE: Duration = Duration::from_secs(3600);

/// Runs the command.
///
/// # Errors
/// Usage; nothing is known of the file.
pub fn cache(args: &CacheArgs) -> anyhow::Result<u8> {
    let env = Env::open()?;
    let text = match &args.what {
        CacheCommand::Explain { file } => explain(&env, file)?,
        CacheCommand::Gc { max_size, dry_run } => gc(&env, max_size.as_deref(), !dry_run)?,
        CacheCommand::Info => info(&env)?,
    };
    std::io::stdout().lock().write_all(text.as_bytes())?;
    Ok(exit::CLEAN)
}

fn info(env: &Env) -> anyhow::Result<String> {
    let used = env.store.usage();
    let limit = config::size_limit().map_err(usage)?;
    Ok(format!(
        "{}\n{} entries, {}; limit {}\n",
        env.store.root().display(),
        used.entries,
        bytes(used.bytes),
        bytes(limit)
    ))
}

fn gc(env: &Env, max_size: Option<&str>, really: bool) -> anyhow::Result<String> {
    let limit = match max_size {
        Some(text) => config::parse_size(text).map_err(usage)?,
        None => config::size_limit().map_err(usage)?,
    };
    verify_wrapper::pending::recover_from_env();
    let records = Ledger::open(env.store.root()).prune(really).context("the capture ledger")?;
    let now = SystemTime::now();
    let left = if really { env.store.sweep(now - IN_USE) } else { 0 };
    // A limit that is given by hand is meant; builds that run now make again what they miss.
    let keep_since = if max_size.is_some() { now } else { now - IN_USE };
    let done = env.store.collect(limit, keep_since, really);
    let verb = if really { "removed" } else { "would remove" };
    Ok(format!(
        "{verb} {} of {} entries ({} of {}), {records} records, {left} left-over temporary files\n",
        done.removed.entries,
        done.before.entries,
        bytes(done.removed.bytes),
        bytes(done.before.bytes),
    ))
}

fn bytes(n: u64) -> String {
    match n {
        0..=9_999 => format!("{n} B"),
        10_000..=9_999_999 => format!("{:.1} kB", n as f64 / 1e3),
        10_000_000..=9_999_999_999 => format!("{:.1} MB", n as f64 / 1e6),
        _ => format!("{:.1} GB", n as f64 / 1e9),
    }
}

/// Compiles of a source that are shown per object.
const SHOWN: usize = 5;

fn explain(env: &Env, file: &Path) -> anyhow::Result<String> {
    let cwd = std::env::current_dir().context("current folder")?;
    let source = verify_compile_db::paths::absolute(&cwd, file);
    verify_wrapper::pending::recover_from_env();
    let contents = Ledger::open(env.store.root()).read().context("the capture ledger")?;
    let mut places: BTreeMap<(PathBuf, PathBuf), Vec<(&Record, usize)>> = BTreeMap::new();
    for record in contents.records.iter().filter(|r| r.compiled()) {
        for (i, compile) in record.compiles.iter().enumerate() {
            if compile.source == source {
                places.entry(record.place(i)).or_default().push((record, i));
            }
        }
    }
    if places.is_empty() {
        let all = contents.records.iter().flat_map(|r| &r.compiles);
        let other = all.map(|c| &c.source).find(|s| s.file_name() == source.file_name());
        let hint = other.map_or(String::new(), |o| format!("; there is {}", o.display()));
        return Err(usage(format!("{} was never compiled through verify-cc{hint}", source.display())));
    }
    let mut out = String::new();
    for ((object, _), compiles) in places {
        writeln!(out, "{}", if object.as_os_str().is_empty() { source.display() } else { object.display() })?;
        for (record, i) in compiles.iter().rev().take(SHOWN).rev() {
            let compile = &record.compiles[*i];
            let what = match &compile.outcome {
                Outcome::Captured { cached: true } => {
                    "taken from the cache: nothing that it depends on had changed".into()
                }
                Outcome::Captured { cached: false } if compile.rebuilt.is_empty() => "made for the first time".into(),
                Outcome::Captured { cached: false } => format!("made anew: {}", compile.rebuilt.join("; ")),
                other => verify_compile_db::project::reason(other),
            };
            writeln!(out, "  {}  {what}", when(record.time))?;
        }
        if let Some((record, i)) = compiles.last() {
            writeln!(out, "  now: {}", now(env, record, *i))?;
        }
    }
    Ok(out)
}

/// What a build would do with the source as things are.
fn now(env: &Env, record: &Record, index: usize) -> String {
    let tools = match env.tools() {
        Ok(tools) => tools,
        Err(why) => return why.to_string(),
    };
    match capture::of_record(record, index).and_then(|job| capture::differences(tools, &env.store, &job)) {
        Some(changes) if changes.is_empty() => "would be taken from the cache".into(),
        Some(changes) => format!("would be made anew: {}", changes.join("; ")),
        None => "nothing is known of what it was made from".into(),
    }
}

/// A moment in UTC, to the second.
fn when(nanos: u64) -> String {
    let time = UNIX_EPOCH + Duration::from_nanos(nanos);
    let seconds = time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Days since 1970-01-01 to a date of the Gregorian calendar, by eras of 400 years that start in March.
    let z = days + 719_468;
    let (era, day_of_era) = (z / 146_097, z % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let m = (5 * day_of_year + 2) / 153;
    let (day, month) = (day_of_year - (153 * m + 2) / 5 + 1, if m < 10 { m + 3 } else { m - 9 });
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}:{:02} UTC", rest / 3600, rest / 60 % 60, rest % 60)
}

#[cfg(test)]
mod tests {
    use super::when;

    #[test]
    fn moments() {
        assert_eq!(when(0), "1970-01-01 00:00:00 UTC");
        assert_eq!(when(1_709_210_096_000_000_000), "2024-02-29 12:34:56 UTC");
    }
}
