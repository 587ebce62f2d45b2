//! The progress bar of a scan. It is drawn on standard error, only when that is a terminal, and never reaches a result.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar over `total` pieces of work; hidden when `quiet` or when standard error is not a terminal.
pub fn bar(total: u64, quiet: bool) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(
        Some(total),
        if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() },
    );
    let style = ProgressStyle::with_template("{elapsed_precise} [{bar:30}] {pos}/{len} {wide_msg}")
        .map_or_else(|_| ProgressStyle::default_bar(), |s| s.progress_chars("=> "));
    bar.set_style(style);
    bar
}
