//! How texts become sets.

use anyhow::{Result, bail};
use clap::Args;
use crivo::similarity::{Normalise, Shingles};

/// Which parts of a text count.
#[derive(Args, Debug)]
pub(crate) struct TextArgs {
    /// The shingles of texts: runs of 3 words (words:3), 5 characters (chars:5), 3 tokens or 8 bytes
    ///
    /// words are runs of letters and digits of any script; tokens are separated by white space. A text shorter than a
    /// run is one shingle.
    #[arg(long, value_name = "UNIT:SIZE", help_heading = "Text")]
    shingle: Option<Shingles>,

    /// Differences to ignore: any of case, space and nfc (Unicode composition), or none [default: all]
    ///
    /// For shingles of bytes the default is none.
    #[arg(long, value_name = "LIST", value_parser = parse_normalise, help_heading = "Text")]
    normalise: Option<Normalise>,
}

impl TextArgs {
    /// Returns whether the user described texts by a flag.
    pub(crate) fn is_given(&self) -> bool {
        self.shingle.is_some() || self.normalise.is_some()
    }

    /// Returns the shingles that were asked for, by default runs of 3 words.
    pub(crate) fn shingles(&self) -> Result<Shingles> {
        Ok(self.shingles_or(Shingles::words(3)?))
    }

    /// Returns the shingles that were asked for, or others.
    pub(crate) fn shingles_or(&self, usual: Shingles) -> Shingles {
        let shingles = self.shingle.unwrap_or(usual);
        self.normalise.map_or(shingles, |normalise| shingles.with_normalise(normalise))
    }
}

/// `case,space,nfc` in any order, or `none`.
fn parse_normalise(text: &str) -> Result<Normalise> {
    let mut normalise = Normalise::NONE;
    for name in text.split(',').filter(|_| text != "none") {
        match name.trim() {
            "case" => normalise.lower_case = true,
            "space" => normalise.white_space = true,
            "nfc" => normalise.nfc = true,
            _ => bail!("expected case, space, nfc with commas between, or none, for example case,space"),
        }
    }
    Ok(normalise)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_that_do_not_count() {
        assert_eq!(parse_normalise("none").unwrap(), Normalise::NONE);
        assert_eq!(parse_normalise("nfc, case,space").unwrap(), Normalise::ALL);
        assert_eq!(parse_normalise("space").unwrap(), Normalise { white_space: true, ..Normalise::NONE });
        for bad in ["", "all", "case,", "none,case", "Case"] {
            assert!(parse_normalise(bad).is_err(), "{bad}");
        }
    }
}
