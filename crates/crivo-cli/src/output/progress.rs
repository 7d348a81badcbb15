//! How far the reading has come, for people who watch a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar on standard error; invisible unless that is a terminal.
pub(crate) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// `total` bytes to read, if known.
    pub(crate) fn new(total: Option<u64>, quiet: bool) -> Self {
        let template = match total {
            Some(_) => "{wide_bar} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} to go",
            None => "{spinner} {bytes}, {bytes_per_sec}",
        };
        Self::with_template(total, template, quiet)
    }

    /// Steps of something named.
    pub(crate) fn steps(name: &str, quiet: bool) -> Self {
        let progress = Self::with_template(Some(0), "{msg} {wide_bar} {pos} of {len}, {eta} to go", quiet);
        progress.bar.set_message(name.to_owned());
        progress
    }

    fn with_template(total: Option<u64>, template: &str, quiet: bool) -> Self {
        let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(total, target);
        bar.set_style(ProgressStyle::with_template(template).expect("a constant template, tested"));
        Self { bar }
    }

    pub(crate) fn set(&self, done: u64) {
        self.bar.set_position(done);
    }

    pub(crate) fn set_steps(&self, done: u64, total: u64) {
        self.bar.set_length(total);
        self.bar.set_position(done);
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
        Progress::steps("e1", true).set_steps(1, 2);
    }
}
