//! The common part of [`MisraGries`](super::MisraGries) and [`SpaceSaving`](super::SpaceSaving): counters by
//! item, and the most occurrences that any other item can have had.

use super::Hitter;
use super::table::Table;
use super::threshold::nth_largest;
use crate::codec::{Reader, put_u64_varint};
use crate::estimate::{count_down, count_up};
use crate::places::short;
use crate::sketch::{Fact, Params, Payload, narrow};
use crate::{Element, Error, Estimate, Guarantee, HashSpec, Item, Result};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use core::borrow::Borrow;
use core::cmp::Ordering;

/// The maximum number of counters: their positions leave a few bits of a slot for the hash.
pub(super) const MOST_COUNTERS: u32 = 1 << 26;

/// The differences between the two structures, apart from how they make room.
#[derive(Clone, Copy)]
pub(super) struct Rules {
    /// Returns d such that floor ≤ total/d, for a number of counters.
    pub(super) divisor: fn(usize) -> usize,
    /// The least excess of a counter over the floor.
    pub(super) least_excess: u64,
}

/// Counters, the floor below which items are dropped, and the total.
#[derive(Clone)]
pub(super) struct Summary<T: Element> {
    pub(super) table: Table<T>,
    pub(super) spec: HashSpec,
    /// The most occurrences of an item that is not in the table.
    pub(super) floor: u64,
    /// The sum of all added counts. It saturates at the maximum.
    pub(super) total: u64,
}

/// The number of counters.
#[derive(Clone, Copy)]
pub(crate) struct Counters(pub(super) u32);

impl Counters {
    pub(super) fn new(counters: u32) -> Result<Self> {
        if counters == 0 || counters > MOST_COUNTERS {
            return Err(Error::invalid(format!(
                "expected 1 to {MOST_COUNTERS} counters, got {counters}; 1000 is usual"
            )));
        }
        Ok(Self(counters))
    }
}

impl Params for Counters {
    const REMEDY: &str = "build both with the same number of counters";
    const NAMES: &[&str] = &["counters"];

    fn numbers(&self) -> Vec<u64> {
        vec![self.0.into()]
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        Self::new(narrow(numbers[0])?)
    }
}

/// Returns the smallest d with d·share ≥ 1.
pub(super) fn divisor_for(share: f64, most: u32) -> Result<u32> {
    if !(share > 0.0 && share < 1.0) {
        return Err(Error::invalid(format!(
            "the error, a share of the total, must lie strictly between 0 and 1, got {share}; 0.001 is usual"
        )));
    }
    let mut divisor = libm::ceil(1.0 / share);
    // 1/share is rounded once; the sign of a fused product is exact. Beyond 2⁵³ adding one would change
    // nothing.
    while divisor <= f64::from(most) && libm::fma(divisor, share, -1.0) < 0.0 {
        divisor += 1.0;
    }
    if divisor > f64::from(most) {
        return Err(Error::invalid(format!(
            "an error of {share} needs more than {MOST_COUNTERS} counters; choose a larger error"
        )));
    }
    Ok(divisor as u32)
}

/// Returns how many counters of `each` bytes fit into `bytes`, in addition to `fixed` bytes.
pub(super) fn counters_for(bytes: u64, fixed: usize, each: usize) -> Result<u32> {
    let counters = bytes.saturating_sub(fixed as u64) / each as u64;
    if counters == 0 {
        let least = fixed + each;
        return Err(Error::invalid(format!(
            "one counter takes {least} bytes, got {bytes}; allow at least that"
        )));
    }
    Ok(counters.min(u64::from(MOST_COUNTERS)) as u32)
}

/// Returns an estimate whose true value lies between the two; the largest number stands for no bound.
fn certain(lower: u64, upper: u64) -> Estimate {
    let value = count_down(lower);
    let upper = if upper == u64::MAX { f64::INFINITY } else { count_up(upper) };
    Estimate::new(value, value, upper, Guarantee::Certain)
}

/// Returns whether a count of at least `lower` is certainly no less than one of at most `upper`.
fn covers(lower: u64, upper: u64) -> bool {
    lower >= upper && upper != u64::MAX
}

impl<T: Element + Item + Ord> Summary<T> {
    pub(super) fn new(counters: Counters, spec: HashSpec) -> Self {
        Self { table: Table::new(counters.0 as usize), spec, floor: 0, total: 0 }
    }

    /// Inserts a new item, for which there is a free slot and a free counter.
    #[inline]
    pub(super) fn enter<Q>(&mut self, item: &Q, hash: u32, count: u64, slot: usize)
    where
        Q: Item + ToOwned<Owned = T> + ?Sized,
    {
        self.table.push(item, hash, self.floor.saturating_add(count), self.floor, slot);
    }

    /// Keeps at most the `keep` items with the largest upper bounds, and none that ties with a dropped one.
    pub(super) fn cut(&mut self, keep: usize) {
        let threshold = nth_largest(&self.table.uppers().iter().copied(), self.floor, keep + 1);
        self.floor = threshold;
        self.table.retain_above(threshold);
    }

    #[inline]
    pub(super) fn frequency<Q: Item + Ord + ?Sized>(&self, item: &Q, hash: u64) -> Estimate
    where
        T: Borrow<Q>,
    {
        match self.table.find(item, short(hash)) {
            Ok(place) => self.count(place),
            Err(_) => certain(0, self.floor),
        }
    }

    fn count(&self, place: usize) -> Estimate {
        certain(self.table.lower(place), self.table.upper(place))
    }

    pub(super) fn top(&self, most: usize) -> Vec<Hitter<T>> {
        let table = &self.table;
        let mut places: Vec<usize> = (0..table.len()).collect();
        let mut highest_behind = self.floor;
        if most < places.len() {
            places.select_nth_unstable_by(most, |&one, &other| self.rank(one, other));
            let uppers = places.drain(most..).map(|place| table.upper(place));
            highest_behind = uppers.fold(highest_behind, u64::max);
        }
        places.sort_unstable_by(|&one, &other| self.rank(one, other));
        let mut hitters = Vec::with_capacity(places.len());
        for (rank, &place) in places.iter().enumerate().rev() {
            let upper = table.upper(place);
            // The previous item has the smallest lower bound of all before it.
            let is_behind_all = rank == 0 || covers(table.lower(places[rank - 1]), upper);
            let is_rank_guaranteed = is_behind_all && covers(table.lower(place), highest_behind);
            highest_behind = highest_behind.max(upper);
            let item = table.item(place).clone();
            hitters.push(Hitter { item, count: self.count(place), is_rank_guaranteed });
        }
        hitters.reverse();
        hitters
    }

    /// Compares by lower bound, then upper bound, largest first; then in the order of the items.
    fn rank(&self, one: usize, other: usize) -> Ordering {
        let table = &self.table;
        let by_lower = table.lower(other).cmp(&table.lower(one));
        let by_upper = || table.upper(other).cmp(&table.upper(one));
        by_lower.then_with(by_upper).then_with(|| table.item(one).order(table.item(other)))
    }

    pub(super) fn certainly_above(&self, threshold: u64) -> Vec<Hitter<T>> {
        // Ranks are by lower bound, so these are the first.
        let count = (0..self.table.len()).filter(|&place| self.table.lower(place) > threshold).count();
        self.top(count)
    }

    pub(super) fn possibly_above(&self, threshold: u64) -> Result<Vec<Hitter<T>>> {
        if self.floor > threshold || self.floor == u64::MAX {
            return Err(Error::invalid(format!(
                "an item may occur {} times without being kept, so not all items above {threshold} are \
                 known; choose a threshold of at least {0}, or use more counters",
                self.floor
            )));
        }
        let mut hitters = self.top(self.table.len());
        // The bounds are whole numbers: no rounding puts an upper bound at or below a count that it exceeds.
        hitters.retain(|hitter| hitter.count.upper() > count_down(threshold));
        Ok(hitters)
    }

    /// Merges another summary: the bounds of common items are added, and an item of only one may have
    /// occurred in the other as often as its floor.
    pub(super) fn absorb(&mut self, other: &Self) {
        let news: Vec<usize> = (0..other.table.len())
            .filter(|&place| self.table.find(other.table.item(place), other.table.hash(place)).is_err())
            .collect();
        for place in 0..self.table.len() {
            let (upper, error) = match other.table.find(self.table.item(place), self.table.hash(place)) {
                Ok(same) => (other.table.upper(same), other.table.error(same)),
                Err(_) => (other.floor, other.floor),
            };
            self.table.shift(place, upper, error);
        }
        let ours = self.floor;
        self.floor = ours.saturating_add(other.floor);
        self.total = self.total.saturating_add(other.total);
        let upper_of = |&place: &usize| other.table.upper(place).saturating_add(ours);
        let mut least = 0;
        if self.table.len() + news.len() > self.table.most() {
            let uppers = self.table.uppers().iter().copied().chain(news.iter().map(upper_of));
            least = nth_largest(&uppers, self.floor, self.table.most() + 1);
            self.floor = least;
            self.table.retain_above(least);
        }
        for place in news.iter().filter(|&place| upper_of(place) > least) {
            let (item, hash) = (other.table.item(*place), other.table.hash(*place));
            if let Err(slot) = self.table.find(item, hash) {
                let error = other.table.error(*place).saturating_add(ours);
                self.table.push(item, hash, upper_of(place), error, slot);
            }
        }
    }

    /// Returns the facts after the number of counters.
    pub(super) fn state(&self, rules: Rules) -> Vec<Fact> {
        vec![
            Fact::count("counters_used", self.table.len() as u64),
            Fact::count("total", self.total),
            Fact::count("floor", self.floor),
            Fact::number("error_share", 1.0 / (rules.divisor)(self.table.most()) as f64),
        ]
    }

    pub(super) fn write(&self, payload: &mut Vec<u8>) {
        for number in [self.total, self.floor, self.table.len() as u64] {
            put_u64_varint(payload, number);
        }
        let mut places: Vec<usize> = (0..self.table.len()).collect();
        places.sort_unstable_by(|&one, &other| self.table.item(one).order(self.table.item(other)));
        for place in places {
            self.table.item(place).encode(payload);
            put_u64_varint(payload, self.table.upper(place) - self.floor);
            put_u64_varint(payload, self.table.error(place));
        }
    }

    /// Reads a summary; `fixed` is the memory in addition to the counters.
    pub(super) fn read(
        rules: Rules,
        Counters(most): Counters,
        file: &mut Payload<'_>,
        fixed: usize,
    ) -> Result<Self> {
        let (most, payload) = (most as usize, &mut file.bytes);
        let [total, floor, count] = [payload.u64_varint()?, payload.u64_varint()?, payload.u64_varint()?];
        if count > most as u64 {
            return Err(Error::malformed(format!("a sketch of {most} counters has {count} items")));
        }
        let mut summary = Self { table: Table::new(1), spec: file.spec, floor, total };
        // First without keeping anything: a short file may claim to have many items.
        let entries = payload.take_rest();
        let items_bytes = summary.check_entries(rules, most, count, entries)?;
        let mut table = Table::with_room(most, (count as usize).max(1));
        file.check_memory((fixed + table.memory_bytes() + items_bytes) as u64)?;
        let mut reader = Reader::new(entries);
        for _ in 0..count {
            let (item, upper, error) = read_entry::<T>(&mut reader, floor)?;
            let hash = short(summary.spec.hash(&item));
            if let Err(slot) = table.find(&item, hash) {
                table.push(&item, hash, upper, error, slot);
            }
        }
        // Crowded hashes take a little more memory.
        file.check_memory((fixed + table.memory_bytes()) as u64)?;
        summary.table = table;
        Ok(summary)
    }

    /// Checks that the summary is possible; returns the heap memory of the items.
    fn check_entries(&self, rules: Rules, most: usize, count: u64, entries: &[u8]) -> Result<usize> {
        let impossible = |what: &'static str| Err(Error::malformed(what));
        let mut reader = Reader::new(entries);
        let (mut before, mut excess, mut items_bytes): (Option<T>, u128, usize) = (None, 0, 0);
        for _ in 0..count {
            let (item, upper, error) = read_entry::<T>(&mut reader, self.floor)?;
            if before.is_some_and(|before| before.order(&item) != Ordering::Less) {
                return impossible("the items are not sorted");
            }
            let is_saturated = upper == u64::MAX;
            let above_floor = upper - self.floor;
            if error > self.floor || !is_saturated && (upper == error || above_floor < rules.least_excess) {
                return impossible("an item has impossible bounds");
            }
            excess += u128::from(above_floor);
            items_bytes += item.heap_bytes();
            before = Some(item);
        }
        reader.finish()?;
        // Raising the floor by one took one away from each of d counters; without a floor nothing was taken
        // away.
        let seen = (rules.divisor)(most) as u128 * u128::from(self.floor) + excess;
        let seen = u64::try_from(seen).unwrap_or(u64::MAX);
        if seen > self.total || self.floor == 0 && seen != self.total {
            return impossible("the total contradicts the counters");
        }
        Ok(items_bytes)
    }
}

/// Reads an item, its upper bound and its error.
fn read_entry<T: Element>(reader: &mut Reader<'_>, floor: u64) -> Result<(T, u64, u64)> {
    let item = reader.element::<T>()?;
    let upper = floor.checked_add(reader.u64_varint()?);
    let upper = upper.ok_or_else(|| Error::malformed("a count exceeds 64 bits"))?;
    Ok((item, upper, reader.u64_varint()?))
}

impl<T: Element + Item + Ord> PartialEq for Summary<T> {
    /// The order of insertion does not matter.
    fn eq(&self, other: &Self) -> bool {
        let (ours, theirs) = (&self.table, &other.table);
        let has = |place: usize| {
            theirs.find(ours.item(place), ours.hash(place)).is_ok_and(|same| {
                (ours.upper(place), ours.error(place)) == (theirs.upper(same), theirs.error(same))
            })
        };
        (self.spec, self.floor, self.total, ours.most(), ours.len())
            == (other.spec, other.floor, other.total, theirs.most(), theirs.len())
            && (0..ours.len()).all(has)
    }
}
