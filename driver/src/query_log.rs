//! `--query-log DIR`: each query that the solver answers becomes a file `NNNNNN.sat.smt2` or `NNNNNN.unsat.smt2`, to be
//! given to another solver. A query that cannot be written is lost, and that is said once; the verdict does not suffer.

use crate::exit::usage;
use std::path::Path;
use std::sync::Once;
use std::sync::atomic::{AtomicU64, Ordering};

/// Writes them from now on, for the rest of the process.
///
/// # Errors
/// There is no such folder and it cannot be made.
pub fn start(dir: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(dir).map_err(|e| usage(format!("cannot make the folder {}: {e}", dir.display())))?;
    let (dir, count, failed) = (dir.to_path_buf(), AtomicU64::new(0), Once::new());
    verify_solver::log::listen(Box::new(move |sat, text| {
        let n = count.fetch_add(1, Ordering::Relaxed);
        let name = dir.join(format!("{n:06}.{}.smt2", if sat { "sat" } else { "unsat" }));
        // Under its name when it is whole: the time may be over any moment.
        let part = dir.join(format!("{n:06}.part"));
        if let Err(e) = std::fs::write(&part, text).and_then(|()| std::fs::rename(&part, &name)) {
            failed
                .call_once(|| eprintln!("verify: cannot write {}: {e}; the query log is not complete", name.display()));
        }
    }));
    Ok(())
}
