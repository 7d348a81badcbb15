//! The progress of reading, shown on a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The number of steps of a bar that shows a share.
const SHARES: u64 = 1000;

/// A progress bar on standard error. It is invisible if standard error is not a terminal.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// Creates a bar for `total` bytes, or a spinner if the total is unknown.
    pub fn new(total: Option<u64>, quiet: bool) -> Self {
        // The bar is narrower than the terminal, so that `^C` fits behind it. Otherwise the terminal would wrap the
        // line, and a copy of it would stay on the screen.
        let template = match total {
            Some(_) => "{bar:20} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} to go",
            None => "{spinner} {bytes}, {bytes_per_sec}",
        };
        Self::with_template(total, template, quiet)
    }

    /// Creates a bar for a share of some work, with a message.
    pub fn share(quiet: bool) -> Self {
        Self::with_template(Some(SHARES), "{wide_bar} {percent} %, {msg}", quiet)
    }

    fn with_template(total: Option<u64>, template: &str, quiet: bool) -> Self {
        let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(total, target);
        bar.set_style(ProgressStyle::with_template(template).expect("a constant template, tested"));
        Self { bar }
    }

    /// Sets the number of bytes that have been read.
    pub fn set(&self, done: u64) {
        self.bar.set_position(done);
    }

    /// Sets the share that is done, from 0 to 1, and the message.
    pub fn set_share(&self, done: f64, message: &str) {
        self.bar.set_position((done * SHARES as f64) as u64);
        self.bar.set_message(message.to_owned());
    }

    /// Hides the bar while `print` runs.
    pub fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_valid() {
        Progress::new(Some(10), true).set(5);
        Progress::new(None, true).set(5);
        Progress::share(true).set_share(0.5, "half of it");
    }
}
