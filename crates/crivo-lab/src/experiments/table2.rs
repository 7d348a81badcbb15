//! The two data sets of Lopes' table 2, on which Bloom filters and linear counting are tried.

use crate::corpus::{Corpus, alphanumeric, distinct_strings};
use crate::{Error, Result, Settings, Size};

/// Distinct items: the first ones to insert, the others to test.
pub(super) struct DataSet {
    pub(super) name: &'static str,
    pub(super) what: &'static str,
    pub(super) inserted: Vec<String>,
    pub(super) tested: Vec<String>,
}

/// 20000 distinct words of the corpus, and all its others.
pub(super) fn words(settings: &Settings) -> Result<DataSet> {
    let needed = 20_000;
    let mut inserted = Corpus::of(settings)?.distinct().to_vec();
    if inserted.len() <= needed {
        return Err(Error::Corpus(format!(
            "{needed} distinct words are inserted and all others tested, but the corpus has {}; give a larger one",
            inserted.len()
        )));
    }
    let tested = inserted.split_off(needed);
    Ok(DataSet { name: "words", what: "distinct words", inserted, tested })
}

/// 2^20 random strings of 32 characters, and 2^14 others; a sixteenth and a quarter of that when quick.
pub(super) fn strings(settings: &Settings) -> DataSet {
    let (needed, others) = match settings.size {
        Size::Quick => (1 << 16, 1 << 12),
        Size::Full => (1 << 20, 1 << 14),
    };
    let mut rng = settings.rng("table 2, strings");
    let mut inserted = distinct_strings(&mut rng, needed + others, |rng| alphanumeric(rng, 32));
    let tested = inserted.split_off(needed);
    DataSet { name: "strings", what: "random 32-character strings", inserted, tested }
}
