//! The majority vote of Boyer and Moore: see [`Majority`].

use crate::codec::put_u64_varint;
use crate::element::OfElements;
use crate::estimate::{count_down, count_up};
use crate::kind::Kind;
use crate::sketch::{Core, Fact, OfSize, Payload, shell};
use crate::{Element, Error, Estimate, Guarantee, Result};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use core::borrow::Borrow;

/// The Boyer–Moore majority vote: finds the only item that can have more than half of all counts.
///
/// # Use when / not when
/// Use it to find a majority and nothing else, in the memory of one item. For the items with more than a
/// tenth or a hundredth of the total, use [`MisraGries`](crate::MisraGries) or
/// [`SpaceSaving`](crate::SpaceSaving).
///
/// # Guarantee
/// An item that was added more often than all others together is always the [`candidate`](Self::candidate).
/// Whether the candidate is a majority is not certain: a second pass over the stream decides
/// ([`confirm`](Self::confirm)). Without a candidate there is no majority. With the surplus s and the total
/// N, the candidate was certainly added s to (N + s)/2 times and any other item at most (N − s)/2 times.
///
/// Proof: adding n of the candidate raises N and s by n. Adding n of another item raises N by n and lowers s
/// by n; if n is larger than s, that item becomes the candidate with the surplus n − s. Either way the bounds
/// hold as before.
///
/// The total saturates at the largest `u64`; then only the candidate's lower bound is guaranteed.
///
/// # Space
/// One item and two numbers.
///
/// # Time
/// One comparison, whatever the stream.
///
/// # Merge
/// Bounded: equal candidates add their surpluses, different ones cancel them. The majority of both streams
/// together is the candidate, and the bounds above hold with the joint total. The order of the two does not
/// matter, but the result may differ from one pass. Any two votes on items of one type can be merged.
///
/// # Hostile input
/// The guarantee holds for any stream; there is no hash.
///
/// # Example
/// ```
/// use crivo::frequency::Majority;
/// let votes = ["ann", "bob", "ann", "cid", "ann"];
/// let mut majority = Majority::<String>::new();
/// votes.iter().for_each(|vote| majority.add(*vote, 1));
/// assert_eq!(majority.candidate().unwrap(), "ann");
/// let confirmed = majority.confirm(votes.iter().map(|vote| (*vote, 1)))?;
/// assert!(confirmed.is_majority());
/// assert_eq!((confirmed.count(), confirmed.total()), (3, 5));
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
/// vote        ann  bob  ann  cid  ann
/// candidate   ann   –   ann   –   ann      each vote for another item takes one away
/// surplus      1    0    1    0    1
/// ```
///
/// # References
/// Boyer and Moore, doi:10.1007/978-94-011-3488-0_5. The bounds are the invariant of their proof, with
/// weights. Their algorithm keeps a candidate without surplus, which cannot be a majority; here it is
/// dropped.
///
/// # Measured
/// `crivo-lab run c-majority`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct Majority<T: Element> {
    /// The candidate with its surplus, which is at least one.
    candidate: Option<(T, u64)>,
    /// The sum of all added counts. It saturates at the maximum.
    total: u64,
}

/// The true count of a candidate: the result of [`Majority::confirm`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Confirmation {
    count: u64,
    total: u64,
}

impl Confirmation {
    /// Returns how often the candidate was added.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the sum of all counts.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Returns whether the candidate was added more often than all others together.
    pub fn is_majority(&self) -> bool {
        self.count > self.total - self.count
    }
}

impl<T: Element + Eq> Majority<T> {
    /// Creates an empty vote.
    pub const fn new() -> Self {
        Self { candidate: None, total: 0 }
    }

    /// Adds `count` occurrences of an item, which is copied only if it becomes the candidate.
    pub fn add<Q>(&mut self, item: &Q, count: u64)
    where
        T: Borrow<Q>,
        Q: Eq + ToOwned<Owned = T> + ?Sized,
    {
        self.total = self.total.saturating_add(count);
        match &mut self.candidate {
            Some((own, surplus)) if (*own).borrow() == item => *surplus = surplus.saturating_add(count),
            Some((_, surplus)) if *surplus > count => *surplus -= count,
            Some((_, surplus)) if *surplus == count => self.candidate = None,
            Some((own, surplus)) => {
                item.clone_into(own);
                *surplus = count - *surplus;
            }
            None if count > 0 => self.candidate = Some((item.to_owned(), count)),
            None => {}
        }
    }

    /// Returns the only item that can be a majority; `None` if there certainly is none.
    pub fn candidate(&self) -> Option<&T> {
        self.candidate.as_ref().map(|(item, _)| item)
    }

    /// Returns how often an item was added.
    ///
    /// ```
    /// use crivo::frequency::Majority;
    /// let mut majority = Majority::<u64>::new();
    /// majority.extend([7, 7, 1, 7, 2]);
    /// let (seven, other) = (majority.frequency(&7u64), majority.frequency(&1u64));
    /// assert_eq!((seven.lower(), seven.upper()), (1.0, 3.0));
    /// assert_eq!((other.lower(), other.upper()), (0.0, 2.0));
    /// assert_eq!(majority.floor(), 2);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn frequency<Q: Eq + ?Sized>(&self, item: &Q) -> Estimate
    where
        T: Borrow<Q>,
    {
        let (surplus, rest) = (self.surplus(), self.floor());
        let is_candidate = self.candidate().is_some_and(|own| own.borrow() == item);
        let (lower, upper) = if is_candidate { (surplus, rest + surplus) } else { (0, rest) };
        let upper = if self.total == u64::MAX { f64::INFINITY } else { count_up(upper) };
        Estimate::new(count_down(lower), count_down(lower), upper, Guarantee::Certain)
    }

    fn surplus(&self) -> u64 {
        self.candidate.as_ref().map_or(0, |(_, surplus)| *surplus)
    }

    /// Returns a number that the count of no item other than the candidate exceeds. If the total has saturated,
    /// there is no such number.
    pub fn floor(&self) -> u64 {
        (self.total - self.surplus()) / 2
    }

    /// Makes the second pass: counts how often the candidate occurs in the stream, which must be passed
    /// again. Without a candidate its count is 0: no item is a majority.
    ///
    /// ```
    /// use crivo::ErrorKind;
    /// use crivo::frequency::Majority;
    /// let seen = [3u64, 1, 4, 1, 5];
    /// let mut majority = Majority::<u64>::new();
    /// majority.extend(seen);
    /// let again = |stream: &'static [u64]| stream.iter().map(|item| (item, 1));
    /// assert!(!majority.confirm(again(&[3, 1, 4, 1, 5]))?.is_majority());
    /// assert_eq!(majority.confirm(again(&[3, 1, 4])).unwrap_err().kind(), ErrorKind::InvalidArgument);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` if the sum of the passed counts differs from the total, so that it is another
    /// stream. `Unsupported` if the sum exceeds 64 bits.
    pub fn confirm<'a, Q>(&self, source: impl IntoIterator<Item = (&'a Q, u64)>) -> Result<Confirmation>
    where
        T: Borrow<Q>,
        Q: Eq + ?Sized + 'a,
    {
        let (mut count, mut total) = (0u64, 0u64);
        for (item, more) in source {
            total = total.saturating_add(more);
            if self.candidate().is_some_and(|own| own.borrow() == item) {
                count = count.saturating_add(more);
            }
        }
        if total == u64::MAX {
            return Err(Error::unsupported(
                "the counts exceed 64 bits; count larger units, or parts of the stream",
            ));
        }
        if total == self.total {
            return Ok(Confirmation { count, total });
        }
        Err(Error::invalid(format!(
            "counts of {} were added, but those to confirm add up to {total}; pass the same stream again",
            self.total
        )))
    }

    /// Returns the sum of all added counts; it saturates at the largest `u64`.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Removes everything.
    pub fn clear(&mut self) {
        *self = Self::new();
    }

    /// Returns whether nothing has been added.
    pub fn is_empty(&self) -> bool {
        self.total == 0
    }
}

impl<T: Element + Eq> Default for Majority<T> {
    fn default() -> Self {
        Self::new()
    }
}

shell!(impl[T: Element + Eq] Majority<T>, Majority: hashes_nothing, merges);

impl<T: Element + Eq> OfSize for Majority<T> {
    type Params = OfElements<T, ()>;

    fn params(&self) -> OfElements<T, ()> {
        OfElements::from(())
    }
}

impl<T: Element + Eq> Core for Majority<T> {
    const KIND: Kind = Kind::Majority;

    fn heap_bytes(&self) -> usize {
        self.candidate().map_or(0, Element::heap_bytes)
    }

    fn heap_bound(&self) -> Option<usize> {
        None
    }

    fn write(&self, payload: &mut Vec<u8>) {
        put_u64_varint(payload, self.total);
        put_u64_varint(payload, self.surplus());
        if let Some(candidate) = self.candidate() {
            candidate.encode(payload);
        }
    }

    fn read(_: OfElements<T, ()>, file: &mut Payload<'_>) -> Result<Self> {
        let (total, surplus) = (file.bytes.u64_varint()?, file.bytes.u64_varint()?);
        // Votes that cancel come in pairs.
        if surplus > total || (total - surplus) % 2 == 1 && total != u64::MAX {
            return Err(Error::malformed(format!(
                "a surplus of {surplus} is impossible with a total of {total}"
            )));
        }
        let candidate = if surplus > 0 { Some((file.bytes.element()?, surplus)) } else { None };
        let vote = Self { candidate, total };
        file.check_memory(vote.memory_bytes() as u64)?;
        Ok(vote)
    }

    fn state(&self) -> Vec<Fact> {
        let candidate = self.candidate().map_or("none".into(), |candidate| format!("{candidate:?}"));
        vec![
            Fact::text("candidate", &candidate),
            Fact::count("surplus", self.surplus()),
            Fact::count("total", self.total),
        ]
    }

    fn absorb(&mut self, other: &Self) -> Result<()> {
        let total = self.total.saturating_add(other.total);
        if let Some((item, surplus)) = &other.candidate {
            self.add(item, *surplus);
        }
        self.total = total;
        Ok(())
    }
}

impl<T: Element + Eq> Extend<T> for Majority<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        items.into_iter().for_each(|item| self.add(&item, 1));
    }
}

impl<T: Element + Eq> FromIterator<T> for Majority<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut majority = Self::new();
        majority.extend(items);
        majority
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ErrorKind, codec};

    /// MASSIVE Alg. 5.15, step by step: candidate and surplus after each vote.
    #[test]
    fn votes_one_by_one() {
        let mut vote = Majority::<u64>::new();
        let steps: [(u64, Option<u64>, u64); 8] = [
            (1, Some(1), 1),
            (2, None, 0),
            (2, Some(2), 1),
            (2, Some(2), 2),
            (1, Some(2), 1),
            (1, None, 0),
            (3, Some(3), 1),
            (3, Some(3), 2),
        ];
        for (item, candidate, surplus) in steps {
            vote.add(&item, 1);
            assert_eq!((vote.candidate().copied(), vote.surplus()), (candidate, surplus));
        }
    }

    #[test]
    fn weights_are_that_many_votes() {
        let (mut at_once, mut one_by_one) = (Majority::<u64>::new(), Majority::<u64>::new());
        for i in 0..500u64 {
            let (item, count) = (i * i % 7 % 3, i * 31 % 11);
            at_once.add(&item, count);
            (0..count).for_each(|_| one_by_one.add(&item, 1));
            assert_eq!(at_once, one_by_one);
        }
    }

    #[test]
    fn beyond_64_bits_only_the_lower_bound_is_left() {
        let mut vote = Majority::<u64>::new();
        vote.add(&1u64, u64::MAX - 1);
        assert_eq!(vote.frequency(&1u64).upper(), count_up(u64::MAX - 1));
        vote.add(&1u64, 5);
        let (one, two) = (vote.frequency(&1u64), vote.frequency(&2u64));
        assert!(one.upper().is_infinite() && two.upper().is_infinite() && one.lower() > 1e19);
        let again = [(&1u64, u64::MAX - 1), (&1, 5)];
        assert_eq!(vote.confirm(again).unwrap_err().kind(), ErrorKind::Unsupported);
        assert_eq!(Majority::from_bytes(&vote.to_bytes()).unwrap(), vote);
    }

    #[test]
    fn impossible_votes_are_refused() {
        let read = |total, surplus| {
            let mut payload = Vec::new();
            put_u64_varint(&mut payload, total);
            put_u64_varint(&mut payload, surplus);
            7u64.encode(&mut payload);
            Majority::<u64>::from_bytes(&codec::seal(Kind::Majority, None, &[u64::TAG], &payload))
        };
        assert!(read(5, 5).is_ok() && read(5, 3).is_ok() && read(u64::MAX, 2).is_ok());
        for (total, surplus) in [(5, 6), (5, 4), (0, 1), (4, 0)] {
            assert_eq!(
                read(total, surplus).unwrap_err().kind(),
                ErrorKind::Malformed,
                "{surplus} of {total}"
            );
        }
    }
}
