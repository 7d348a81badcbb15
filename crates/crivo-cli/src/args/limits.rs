//! How much memory may be used.

use super::parse_size;
use anyhow::{Result, bail};
use clap::Args;
use crivo_report::size;

/// Without --max-memory.
pub(crate) const DEFAULT_MAX_MEMORY: u64 = 2 << 30;

/// For verbs whose memory depends on their input.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct LimitArgs {
    /// Refuse to use more memory than this for the sketch or for the data being read
    #[arg(long, value_name = "SIZE", default_value = "2GiB", value_parser = parse_size)]
    pub(crate) max_memory: u64,
}

impl LimitArgs {
    /// Refuses a sketch of more bytes than the limit.
    pub(crate) fn check(self, bytes: u64) -> Result<()> {
        if bytes > self.max_memory {
            bail!(
                "the sketch would take {}, more than the limit of {}; ask for less precision or raise --max-memory",
                size(bytes),
                size(self.max_memory)
            );
        }
        Ok(())
    }

    /// Refuses the items that `flag` keeps if their bytes so far exceed the limit.
    pub(crate) fn check_items(self, bytes: usize, flag: &str) -> Result<()> {
        if bytes as u64 > self.max_memory {
            bail!(
                "{flag} keeps the items, and those read so far take {}, more than the limit of {}; raise --max-memory, or \
                 leave out {flag}",
                size(bytes as u64),
                size(self.max_memory)
            );
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_is_what_help_says() {
        assert_eq!(parse_size("2GiB"), Ok(DEFAULT_MAX_MEMORY));
    }
}
