//! How items are looked up in sketches of other libraries.

use anyhow::{Context, Result, bail};
use clap::Args;
use crivo_interop::ForeignItem;

/// What the items of a sketch of another library are.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct ItemArgs {
    /// Items are whole numbers in a sketch of another library, where the number 7 and the text '7' are distinct
    #[arg(long)]
    numbers: bool,
}

impl ItemArgs {
    /// Returns the item that a value stands for.
    pub(crate) fn item(self, value: &[u8]) -> Result<ForeignItem<'_>> {
        if !self.numbers {
            return Ok(ForeignItem::Bytes(value));
        }
        let number = std::str::from_utf8(value).ok().and_then(|text| text.parse().ok());
        number.map(ForeignItem::Number).with_context(|| {
            let value = String::from_utf8_lossy(value);
            format!("'{value}' is no whole number of 64 bits; leave out --numbers where items are texts")
        })
    }

    /// Refuses the flag for one of Crivo's own sketches.
    pub(crate) fn check_unused(self) -> Result<()> {
        if self.numbers {
            bail!(
                "--numbers is for sketches of other libraries; in Crivo's own, numbers are texts, so leave it out"
            );
        }
        Ok(())
    }

    pub(crate) fn are_numbers(self) -> bool {
        self.numbers
    }
}
