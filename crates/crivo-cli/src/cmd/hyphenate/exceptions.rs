//! Words that patterns get wrong, with their right breaks, and a filter in front of them.

use super::letters::lower;
use crate::args::{FilterKind, LimitArgs};
use crate::cmd::filter::{filter_of, membership};
use crate::words::plain;
use anyhow::{Result, bail};
use crivo::HashSpec;
use crivo::sketch::{Membership, Sketch};
use crivo_report::size;
use std::collections::HashMap;
use std::ops::AddAssign;

/// What is written between the parts of a word in a list of exceptions.
const HYPHENS: [char; 2] = ['-', '\u{ad}'];

/// A word in lower case, and after how many letters it may be broken.
pub(super) type Exception = (Box<str>, Box<[u32]>);

/// The exceptions of a language.
#[derive(Debug)]
pub(super) struct Exceptions {
    /// After how many letters each word, in lower case, may be broken.
    breaks: HashMap<Box<str>, Box<[u32]>>,
    filter: Option<Box<dyn Sketch>>,
    spec: HashSpec,
}

/// The exceptions, to be asked for many words.
#[derive(Clone, Copy)]
pub(super) struct Lookup<'a> {
    exceptions: &'a Exceptions,
    filter: Option<&'a dyn Membership>,
}

/// What the dictionary and its filter were asked.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Asked {
    /// How often.
    pub(super) times: u64,
    /// How often the dictionary had to be looked into.
    pub(super) looked_up: u64,
    /// How often the word was there.
    pub(super) found: u64,
}

impl AddAssign for Asked {
    fn add_assign(&mut self, other: Self) {
        self.times += other.times;
        self.looked_up += other.looked_up;
        self.found += other.found;
    }
}

impl Exceptions {
    /// The later of two that are about the same word counts; `kind` is that of the filter.
    pub(super) fn new(
        exceptions: impl IntoIterator<Item = Exception>,
        kind: Option<FilterKind>,
        fpr: f64,
        limit: LimitArgs,
    ) -> Result<Self> {
        let breaks: HashMap<_, _> = exceptions.into_iter().collect();
        let spec = HashSpec::default();
        let filter = match kind {
            Some(kind) if !breaks.is_empty() => {
                limit.check((kind.target.plan)(breaks.len() as u64, fpr)?.memory_bytes)?;
                let hashes: Vec<u64> = breaks.keys().map(|word| spec.hash_bytes(word.as_bytes())).collect();
                Some(filter_of(kind, &hashes, hashes.len() as u64, fpr, spec)?)
            }
            _ => None,
        };
        let exceptions = Self { breaks, filter, spec };
        let bytes = exceptions.memory_bytes() as u64;
        if bytes > limit.max_memory {
            bail!(
                "the exceptions take {}, more than --max-memory {}; raise it",
                size(bytes),
                size(limit.max_memory)
            );
        }
        Ok(exceptions)
    }

    pub(super) fn len(&self) -> usize {
        self.breaks.len()
    }

    pub(super) fn filter(&self) -> Option<&dyn Sketch> {
        self.filter.as_deref()
    }

    pub(super) fn lookup(&self) -> Lookup<'_> {
        Lookup { exceptions: self, filter: self.filter().and_then(membership) }
    }

    /// Of the dictionary alone.
    pub(super) fn memory_bytes(&self) -> usize {
        let heap = |word: &str, breaks: &[u32]| word.len() + size_of_val(breaks);
        // And a byte of the table.
        let entry = size_of::<Exception>() + 1;
        self.breaks.capacity() * entry
            + self.breaks.iter().map(|(word, breaks)| heap(word, breaks)).sum::<usize>()
    }
}

impl<'a> Lookup<'a> {
    /// After how many letters a word, which is given in lower case, may be broken; none if it is no exception.
    #[inline]
    pub(super) fn find(&self, word: &str, asked: &mut Asked) -> Option<&'a [u32]> {
        asked.times += 1;
        if let Some(filter) = self.filter
            && !filter.contains_hash(self.exceptions.spec.hash_bytes(word.as_bytes()))
        {
            return None;
        }
        asked.looked_up += 1;
        let breaks = self.exceptions.breaks.get(word)?;
        asked.found += 1;
        Some(breaks)
    }
}

/// A word with hyphens where it may be broken.
pub(super) fn parse(entry: &str) -> Result<Exception> {
    let (mut word, mut breaks, mut letters) = (String::new(), Vec::new(), 0);
    for c in plain(entry).chars() {
        if HYPHENS.contains(&c) {
            breaks.push(letters);
        } else if c.is_ascii_digit() {
            bail!(
                "'{entry}' has a digit; an exception is a word with hyphens where it may be broken, such as ta-ble"
            );
        } else {
            word.push(lower(c));
            letters += 1;
        }
    }
    let is_inner = |&at: &u32| 0 < at && at < letters;
    if !breaks.iter().all(is_inner) || !breaks.is_sorted_by(|a, b| a < b) || letters == 0 {
        bail!("'{entry}' has a hyphen that is not between two letters; exceptions are words such as ta-ble");
    }
    Ok((word.into(), breaks.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::DEFAULT_MAX_MEMORY;

    fn exceptions(entries: &[&str], kind: Option<FilterKind>) -> Exceptions {
        let limit = LimitArgs { max_memory: DEFAULT_MAX_MEMORY };
        Exceptions::new(entries.iter().map(|entry| parse(entry).unwrap()), kind, 0.01, limit).unwrap()
    }

    #[test]
    fn every_filter_finds_every_exception() {
        let entries: Vec<String> = (0..500).map(|i| format!("wo-r{}d", "é".repeat(i))).collect();
        let entries: Vec<&str> = entries.iter().map(String::as_str).collect();
        for kind in FilterKind::all().map(Some).chain([None]) {
            let exceptions = exceptions(&entries, kind);
            let (lookup, mut asked) = (exceptions.lookup(), Asked::default());
            for entry in &entries {
                assert_eq!(lookup.find(&entry.replace('-', ""), &mut asked), Some(&[2][..]), "{kind:?}");
            }
            assert!((0..1000).all(|i| lookup.find(&format!("other{i}"), &mut asked).is_none()), "{kind:?}");
            assert_eq!((asked.times, asked.found), (1500, 500));
            // Binomial with 1,000 trials and at most 1 % each: 40 or more have a probability below 10⁻¹².
            let most = if kind.is_some() { 540 } else { 1500 };
            assert!(asked.looked_up <= most, "{kind:?}: {asked:?}");
        }
    }

    #[test]
    fn the_later_one_counts_in_any_case() {
        let exceptions = exceptions(&["Ta-ble", "tab-LE", "un\u{ad}breakable", "present"], None);
        let (lookup, mut asked) = (exceptions.lookup(), Asked::default());
        assert_eq!(exceptions.len(), 3);
        assert_eq!(lookup.find("table", &mut asked), Some(&[3][..]));
        assert_eq!(lookup.find("unbreakable", &mut asked), Some(&[2][..]));
        assert_eq!(lookup.find("present", &mut asked), Some(&[][..]));
    }

    #[test]
    fn bad_entries_are_told() {
        for (bad, why) in [
            ("hy3ph", "digit"),
            ("-a", "not between"),
            ("a-", "not between"),
            ("a--b", "not between"),
            ("-", "not"),
        ] {
            let error = parse(bad).unwrap_err().to_string();
            assert!(error.contains(why), "{bad}: {error}");
        }
    }
}
