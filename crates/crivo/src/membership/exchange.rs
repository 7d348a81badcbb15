//! Set comparison between two parties that send a filter instead of the items.
//!
//! One party asks with a Bloom filter of its set. The other answers with those of its items that the filter
//! denies (the *difference*: items that the asker certainly lacks) or reports (the *intersection*: items that
//! the asker probably has too). Messages are bytes, so the traffic can be measured.
//!
//! | | the answer may | but never |
//! |---|---|---|
//! | [`difference`] | miss false positives of the filter | contains an item that the asker has |
//! | [`intersection`] | contain false positives of the filter | misses a common item |
//!
//! In both cases the number of errors is the same, and [`Reply::wrong`] estimates it. The asker can find the
//! errors of an intersection, and sends the other party one bit per item ([`verdict`], [`keep`]).
//!
//! ```text
//! asker                                  the other
//! question(S_A)   ── filter of S_A ──▶   intersection: items of S_B that the filter reports
//! read_reply      ◀── candidates ─────
//! verdict         ── one bit each ───▶   keep: both now know S_A ∩ S_B exactly
//! ```
//!
//! ```
//! use crivo::membership::exchange::{intersection, keep, question, read_reply, verdict};
//! use crivo::{DecodeOptions, HashSpec};
//! let ours: Vec<String> = (0..1000).map(|i| format!("song {i}")).collect();
//! let theirs: Vec<String> = (900..3000).map(|i| format!("song {i}")).collect();
//!
//! let asked = question(&ours, 0.01, HashSpec::default())?;
//! let reply = intersection(&asked, &DecodeOptions::default(), &theirs)?;
//! assert!(reply.wrong().contains(reply.items().len() as f64 - 100.0)); // candidates that the asker lacks
//!
//! let sent = reply.to_bytes();
//! let candidates = read_reply(&sent)?;
//! let verdict = verdict(&candidates, |song| ours.iter().any(|own| own.as_bytes() == song));
//! assert_eq!(keep(reply.items(), &verdict)?.len(), 100);
//! assert!(asked.len() + sent.len() + verdict.len() < 3200); // the 1000 songs alone take 7890
//! # Ok::<(), crivo::Error>(())
//! ```
//!
//! References: set difference and intersection with filters, Byers et al., doi:10.1145/633025.633031, and
//! Reynolds and Vahdat, doi:10.1007/3-540-44892-6_2.

use super::{BloomFilter, BloomParams};
use crate::bits::BitVec;
use crate::codec::{Reader, put_u64_varint};
use crate::stats::{binomial_cdf, binomial_sf};
use crate::{DEFAULT_CONFIDENCE, DecodeOptions, Error, Estimate, Guarantee, HashSpec, Result};
use alloc::format;
use alloc::vec::Vec;

/// Returns the first message: a filter of `mine` with a false-positive rate of at most `fpr`.
///
/// # Errors
/// The errors of [`BloomParams::for_fpr`].
pub fn question<T: AsRef<[u8]>>(mine: &[T], fpr: f64, spec: HashSpec) -> Result<Vec<u8>> {
    let params = BloomParams::for_fpr((mine.len() as u64).max(1), fpr)?;
    let mut filter = BloomFilter::with_params(params).with_hash(spec);
    filter.extend(mine.iter().map(AsRef::as_ref));
    Ok(filter.to_bytes())
}

/// Answers a question with the items of `mine` that the asker certainly lacks.
///
/// ```
/// use crivo::membership::exchange::{difference, question};
/// # use crivo::{DecodeOptions, HashSpec};
/// let asked = question(&["a", "b"], 0.001, HashSpec::default())?;
/// let reply = difference(&asked, &DecodeOptions::default(), &["b", "c"])?;
/// assert_eq!(reply.items(), [&"c"]);
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # Errors
/// The errors of [`BloomFilter::from_bytes_with`].
pub fn difference<'a, T: AsRef<[u8]>>(
    question: &[u8],
    options: &DecodeOptions,
    mine: &'a [T],
) -> Result<Reply<'a, T>> {
    answer(question, options, mine, false)
}

/// Answers a question with the items of `mine` that the asker probably has too.
///
/// # Errors
/// The errors of [`BloomFilter::from_bytes_with`].
pub fn intersection<'a, T: AsRef<[u8]>>(
    question: &[u8],
    options: &DecodeOptions,
    mine: &'a [T],
) -> Result<Reply<'a, T>> {
    answer(question, options, mine, true)
}

fn answer<'a, T: AsRef<[u8]>>(
    question: &[u8],
    options: &DecodeOptions,
    mine: &'a [T],
    reported: bool,
) -> Result<Reply<'a, T>> {
    let filter = BloomFilter::from_bytes_with(question, options)?;
    let items: Vec<&T> = mine.iter().filter(|item| filter.contains(item.as_ref()) == reported).collect();
    let others = (mine.len() - items.len()) as u64;
    let (denied, reported) =
        if reported { (others, items.len() as u64) } else { (items.len() as u64, others) };
    let wrong = wrongly_reported(denied, reported, filter.fpr().value());
    Ok(Reply { items, question_bytes: question.len(), wrong })
}

/// Estimates how many of the `reported` items are false positives of a filter with the rate `fpr` that denied
/// `denied` items.
///
/// Of d + w items that the filter does not contain, it reports w, which is binomially distributed. The bounds
/// are all w that its tails do not reject.
fn wrongly_reported(denied: u64, reported: u64, fpr: f64) -> Estimate {
    let tail = (1.0 - DEFAULT_CONFIDENCE) / 2.0;
    let too_few = |wrong: u64| binomial_cdf(wrong, denied + wrong, fpr) < tail;
    let too_many = |wrong: u64| wrong > 0 && binomial_sf(wrong - 1, denied + wrong, fpr) < tail;
    let lower = first_false(reported, too_few);
    let upper = first_false(reported, |wrong| !too_many(wrong + 1));
    let expected = if denied == 0 { 0.0 } else { denied as f64 * fpr / (1.0 - fpr) };
    let guarantee = Guarantee::Proven { confidence: DEFAULT_CONFIDENCE };
    Estimate::new(expected.min(reported as f64), lower as f64, upper as f64, guarantee)
}

/// Returns the first number up to `most` at which a monotone condition becomes false; `most` if there is none
/// before.
fn first_false(most: u64, condition: impl Fn(u64) -> bool) -> u64 {
    let (mut low, mut high) = (0, most);
    while low < high {
        let middle = low + (high - low) / 2;
        if condition(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// The second message: the items that answer a question.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply<'a, T> {
    items: Vec<&'a T>,
    question_bytes: usize,
    wrong: Estimate,
}

impl<'a, T: AsRef<[u8]>> Reply<'a, T> {
    /// Returns the items, in the order in which they were given.
    pub fn items(&self) -> &[&'a T] {
        &self.items
    }

    /// Returns the estimated number of errors, at 95 % confidence: items that a difference misses, or that an
    /// intersection contains in excess.
    pub fn wrong(&self) -> Estimate {
        self.wrong
    }

    /// Returns the size of the question in bytes; the size of the answer is `to_bytes().len()`.
    pub fn question_bytes(&self) -> usize {
        self.question_bytes
    }

    /// Returns the message: the number of items, and the length and the bytes of each.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        put_u64_varint(&mut bytes, self.items.len() as u64);
        for item in &self.items {
            put_u64_varint(&mut bytes, item.as_ref().len() as u64);
            bytes.extend_from_slice(item.as_ref());
        }
        bytes
    }
}

/// Decodes [`Reply::to_bytes`].
///
/// # Errors
/// `Malformed` for corrupt bytes.
pub fn read_reply(bytes: &[u8]) -> Result<Vec<&[u8]>> {
    let mut reader = Reader::new(bytes);
    let count = reader.u64_varint()?;
    if count > reader.rest().len() as u64 {
        return Err(Error::malformed(format!(
            "the reply is corrupt: it cannot contain {count} items; send it again"
        )));
    }
    let items = (0..count).map(|_| reader.framed()).collect::<Result<_>>()?;
    reader.finish()?;
    Ok(items)
}

/// Returns the third message: one bit for each candidate of an intersection, set if the asker `has` it.
pub fn verdict(candidates: &[&[u8]], has: impl Fn(&[u8]) -> bool) -> Vec<u8> {
    let mut bits = BitVec::new(candidates.len() as u64);
    for (place, _) in candidates.iter().enumerate().filter(|(_, item)| has(item)) {
        bits.set(place as u64);
    }
    let mut bytes = Vec::new();
    bits.to_bytes(&mut bytes);
    bytes
}

/// Returns the candidates that a verdict keeps: the intersection, exactly.
///
/// # Errors
/// `Malformed` if the verdict is not one bit for each candidate.
pub fn keep<'a, T>(candidates: &[&'a T], verdict: &[u8]) -> Result<Vec<&'a T>> {
    let bits = BitVec::from_bytes(candidates.len() as u64, verdict).ok_or_else(|| {
        Error::malformed(format!(
            "expected a verdict on {} candidates, got {} bytes; send the verdict on this reply",
            candidates.len(),
            verdict.len()
        ))
    })?;
    Ok(candidates.iter().zip(0..).filter(|&(_, place)| bits.get(place)).map(|(&item, _)| item).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeSet;
    use alloc::string::String;

    fn names(range: core::ops::Range<u32>) -> Vec<String> {
        range.map(|i| format!("item {i}")).collect()
    }

    const OPTIONS: DecodeOptions = DecodeOptions { key: None, max_memory: None, accept_untagged: false };

    #[test]
    fn a_difference_never_invents_and_an_intersection_never_misses() {
        for (ours, theirs) in
            [(0..500, 300..2000), (0..500, 0..500), (0..500, 500..900), (0..0, 0..10), (0..5, 0..0)]
        {
            let ours = names(ours);
            let theirs = names(theirs);
            let held: BTreeSet<&String> = ours.iter().collect();
            for fpr in [0.5, 0.01, 1e-6] {
                let asked = question(&ours, fpr, HashSpec::seeded(5)).unwrap();
                let missing = difference(&asked, &OPTIONS, &theirs).unwrap();
                let common = intersection(&asked, &OPTIONS, &theirs).unwrap();
                assert!(missing.items().iter().all(|item| !held.contains(item)));
                assert!(
                    theirs
                        .iter()
                        .filter(|item| held.contains(item))
                        .all(|item| common.items().contains(&item))
                );
                assert_eq!(missing.items().len() + common.items().len(), theirs.len());
                assert_eq!((missing.wrong(), missing.question_bytes()), (common.wrong(), asked.len()));

                let sent = common.to_bytes();
                let candidates = read_reply(&sent).unwrap();
                assert!(candidates.iter().zip(common.items()).all(|(sent, item)| *sent == item.as_bytes()));
                let verdict = verdict(&candidates, |item| ours.iter().any(|own| own.as_bytes() == item));
                assert_eq!(verdict.len(), candidates.len().div_ceil(8));
                let kept = keep(common.items(), &verdict).unwrap();
                assert_eq!(kept, theirs.iter().filter(|item| held.contains(item)).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn the_number_of_mistakes_has_its_bounds() {
        let some = wrongly_reported(9900, 200, 0.01);
        assert!((some.value() - 100.0).abs() < 1e-9);
        assert!(
            some.lower() > 75.0 && some.lower() < 85.0 && some.upper() > 116.0 && some.upper() < 125.0,
            "{some}"
        );
        assert_eq!(wrongly_reported(9900, 3, 0.01).upper(), 3.0); // never more than there are
        assert_eq!(wrongly_reported(0, 50, 0.01).upper(), 0.0);
        let saturated = wrongly_reported(0, 50, 1.0);
        assert_eq!((saturated.lower(), saturated.upper()), (0.0, 50.0));
        assert_eq!(wrongly_reported(10, 0, 0.0), Estimate::new(0.0, 0.0, 0.0, some.guarantee()));
    }

    #[test]
    fn damaged_messages_are_refused() {
        let theirs = names(0..3);
        let asked = question(&names(0..2), 0.01, HashSpec::default()).unwrap();
        assert!(difference(&asked[1..], &OPTIONS, &theirs).is_err());
        let reply = intersection(&asked, &OPTIONS, &theirs).unwrap();
        let sent = reply.to_bytes();
        for end in 0..sent.len() {
            assert!(read_reply(&sent[..end]).is_err(), "{end}");
        }
        assert!(read_reply(&[&sent[..], &[0]].concat()).is_err());
        assert!(read_reply(&[0xff; 9]).is_err());
        for verdict in [&[][..], &[0xff], &[0, 0]] {
            assert!(keep(reply.items(), verdict).is_err(), "{verdict:?}");
        }
    }
}
