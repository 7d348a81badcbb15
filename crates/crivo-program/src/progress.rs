//! How far the reading has come, for people who watch a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How finely a share is shown.
const SHARES: u64 = 1000;

/// A bar on standard error; invisible unless that is a terminal.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// `total` bytes to read, if known.
    pub fn new(total: Option<u64>, quiet: bool) -> Self {
        // Not as wide as the terminal: behind the bar there is room for ^C, which would else leave a line behind.
        let template = match total {
            Some(_) => "{bar:20} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} to go",
            None => "{spinner} {bytes}, {bytes_per_sec}",
        };
        Self::with_template(total, template, quiet)
    }

    /// A share of something, with a message that says more.
    pub fn share(quiet: bool) -> Self {
        Self::with_template(Some(SHARES), "{wide_bar} {percent} %, {msg}", quiet)
    }

    fn with_template(total: Option<u64>, template: &str, quiet: bool) -> Self {
        let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(total, target);
        bar.set_style(ProgressStyle::with_template(template).expect("a constant template, tested"));
        Self { bar }
    }

    /// So much has been read.
    pub fn set(&self, done: u64) {
        self.bar.set_position(done);
    }

    /// From 0 to 1.
    pub fn set_share(&self, done: f64, message: &str) {
        self.bar.set_position((done * SHARES as f64) as u64);
        self.bar.set_message(message.to_owned());
    }

    /// Prints without the bar in the way.
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
