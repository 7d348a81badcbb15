//! Filters: no inserted item is denied.

use crate::structures::{OPTIONS, Subject, distinct, hashes};
use crivo::membership::{PartitionedBloom, PartitionedParams};
use crivo::rng::Rng;
use crivo::sketch::{Insert, Membership, Remove, Sketch};
use crivo::{BloomFilter, ErrorKind, HashSpec, KindInfo, decode};
use std::collections::{HashMap, HashSet};

/// Compares with an exact set, up to ten times the capacity, after all kinds of inserts, merges and round trips through
/// bytes.
pub(super) fn no_false_negatives<S: Subject + Insert + Membership>(make: impl Fn(HashSpec) -> S) {
    let mut rng = Rng::new(50);
    let mut filter = make(HashSpec::seeded(50));
    let mut inside = HashSet::new();
    let most = (10 * filter.scale()).min(filter.most() / 10 * 9);
    let copies = filter.kind().info().copies;
    while inside.len() < most {
        let items = distinct(&mut rng, 1 + most / 40);
        let hashes = hashes(filter.spec(), &items);
        match rng.below(5) {
            0 => items.iter().for_each(|item| filter.see(item)),
            1 => Insert::try_insert_hashes(&mut filter, &hashes).unwrap(),
            2 => {
                for &hash in &hashes {
                    let was_inside = Membership::contains_hash(&filter, hash);
                    assert_eq!(Insert::try_insert_hash(&mut filter, hash), Ok(copies || !was_inside));
                }
            }
            3 => {
                let other = filter.emptied().having_seen(&items);
                filter = filter.merged_with(&other);
            }
            _ => {
                filter = filter.emptied().having_seen(&items).merged_with(&filter);
                filter = S::from_bytes_with(&filter.to_bytes(), &OPTIONS).unwrap();
            }
        }
        inside.extend(hashes);
        assert!(inside.iter().all(|&hash| Membership::contains_hash(&filter, hash)));
        let all: Vec<u64> = inside.iter().copied().collect();
        assert_eq!(Membership::contains_hashes(&filter, &all), vec![true; all.len()]);
        let rate = Membership::fpr(&filter);
        assert!(rate.value() > 0.0 && rate.value() <= 1.0, "{rate}");
    }
    filter.clear();
    assert!(filter.is_empty() && inside.iter().all(|&hash| !Membership::contains_hash(&filter, hash)));
    assert_eq!(Membership::fpr(&filter).value(), 0.0);
}

/// Thousands of short sequences of inserts, removals of inserted items, merges and round trips through bytes in random
/// order, compared with an exact multiset.
pub(super) fn random_operations<S: Subject + Insert + Membership>(make: impl Fn(HashSpec) -> S) {
    let mut rng = Rng::new(51);
    let room = make(HashSpec::default()).most() / 10 * 9;
    for case in 0..2000 {
        let empty = make(HashSpec::seeded(case));
        let mut life = Life {
            empty: empty.to_bytes(),
            sketch: Box::new(empty),
            inside: HashMap::new(),
            room: room.min(1 + rng.below(200) as usize),
        };
        for _ in 0..20 {
            life.operate(&mut rng);
        }
        let hashes: Vec<u64> = life.inside.keys().copied().collect();
        let filter = life.membership();
        assert!(hashes.iter().all(|&hash| filter.contains_hash(hash)), "case {case}");
        assert_eq!(filter.contains_hashes(&hashes), vec![true; hashes.len()], "case {case}");
    }
}

/// A filter of any kind, and the number of copies of each inserted hash.
struct Life {
    empty: Vec<u8>,
    sketch: Box<dyn Sketch>,
    inside: HashMap<u64, usize>,
    room: usize,
}

impl Life {
    fn info(&self) -> &'static KindInfo {
        self.sketch.kind().info()
    }

    fn membership(&self) -> &dyn Membership {
        self.info().membership.and_then(|view| view(&*self.sketch)).unwrap()
    }

    fn operate(&mut self, rng: &mut Rng) {
        let free = self.room - self.inside.values().sum::<usize>();
        let some: Vec<u64> = (0..rng.below(30).min(free as u64)).map(|_| rng.next_u64()).collect();
        match rng.below(6) {
            0 => some.iter().for_each(|&hash| self.insert(hash)),
            1 => {
                let view = self.info().insert.unwrap();
                view(&mut *self.sketch).unwrap().try_insert_hashes(&some).unwrap();
                for &hash in &some {
                    self.note(hash);
                }
            }
            2 => self.remove_some(rng),
            3 if free > 0 => {
                // Inserts an item again: a second copy, or no change.
                if let Some(&hash) = self.inside.iter().find(|(_, count)| **count == 1).map(|(hash, _)| hash)
                {
                    self.insert(hash);
                }
            }
            4 => self.merge(&some),
            _ => self.sketch = decode(&self.sketch.to_bytes(), &OPTIONS).unwrap(),
        }
    }

    fn note(&mut self, hash: u64) {
        let copies = self.info().copies;
        let count = self.inside.entry(hash).or_default();
        *count = if copies { *count + 1 } else { 1 };
    }

    fn insert(&mut self, hash: u64) {
        (self.info().insert.unwrap())(&mut *self.sketch).unwrap().try_insert_hash(hash).unwrap();
        self.note(hash);
    }

    fn remove_some(&mut self, rng: &mut Rng) {
        let Some(view) = self.info().remove else { return };
        let mut hashes: Vec<u64> = self.inside.keys().copied().filter(|_| rng.below(2) == 0).collect();
        hashes.sort_unstable();
        for hash in hashes {
            view(&mut *self.sketch).unwrap().remove_hash(hash).unwrap();
            match self.inside.get_mut(&hash) {
                Some(count) if *count > 1 => *count -= 1,
                _ => drop(self.inside.remove(&hash)),
            }
        }
    }

    /// Merges a filter of the same parameters with other items.
    fn merge(&mut self, hashes: &[u64]) {
        if self.sketch.merge_law().is_none() {
            return;
        }
        let mut other = decode(&self.empty, &OPTIONS).unwrap();
        (self.info().insert.unwrap())(&mut *other).unwrap().try_insert_hashes(hashes).unwrap();
        let before = other.to_bytes();
        self.sketch.merge_any(&*other).unwrap();
        assert_eq!(other.to_bytes(), before, "a merge changed its source");
        for &hash in hashes {
            self.note(hash);
        }
    }
}

/// A merge that is not exact still denies nothing, and its false-positive rate is at most the sum of both, now or when
/// full.
pub(super) fn merge_keeps_all<S: Subject + Membership>(make: impl Fn(HashSpec) -> S) {
    let mut rng = Rng::new(52);
    let empty = make(HashSpec::seeded(52));
    for length in empty.lengths() {
        for share in [0.0, 0.1, 0.5] {
            let items = distinct(&mut rng, length);
            let (ours, theirs) = items.split_at((length as f64 * share) as usize);
            let (ours, theirs) = (empty.clone().having_seen(ours), empty.clone().having_seen(theirs));
            let before = theirs.clone();
            let merged = ours.clone().merged_with(&theirs);
            assert_eq!(theirs, before, "a merge changed its source");
            let hashes = hashes(empty.spec(), &items);
            assert_eq!(Membership::contains_hashes(&merged, &hashes), vec![true; length], "{length} items");
            let [one, two, both] = [&ours, &theirs, &merged].map(|filter| Membership::fpr(filter).value());
            let most = (one + two).max(ours.fpr_limit() + theirs.fpr_limit());
            assert!(both <= most * (1.0 + 1e-9), "{length} items: {both} from {one} and {two}");
            if !empty.kind().info().copies {
                // Inserting the same items again changes nothing.
                assert_eq!(merged.clone().merged_with(&merged), merged, "{length} items");
                assert_eq!(merged.clone().having_seen(&items), merged, "{length} items");
            }
        }
    }
}

/// Folding commutes with inserting and merging, and a folded filter survives a round trip through bytes. An
/// intersection has the common bits of both, and so the common items.
pub(super) fn folds_and_intersects(make: impl Fn(HashSpec) -> BloomFilter) {
    let mut rng = Rng::new(53);
    let empty = make(HashSpec::seeded(53));
    for length in empty.lengths() {
        let items = distinct(&mut rng, length);
        let (some, others) = items.split_at(length / 3);
        let common = &items[length / 5..length / 3];
        let whole = empty.clone().having_seen(&items);
        let (one, two) =
            (empty.clone().having_seen(some), empty.clone().having_seen(others).having_seen(common));
        let mut both = one.clone();
        both.intersect(&two).unwrap();
        assert!(common.iter().all(|item| both.contains(item)));
        assert!(both.fpr().value() <= one.fpr().value().min(two.fpr().value()));
        for position in 0..both.params().bits() {
            assert_eq!(both.bits().get(position), one.bits().get(position) && two.bits().get(position));
        }
        let mut unchanged = whole.clone();
        unchanged.intersect(&whole).unwrap();
        assert_eq!(unchanged, whole);

        let half = whole.fold().unwrap();
        assert_eq!(half, empty.fold().unwrap().having_seen(&items), "{length} items");
        assert_eq!(half, one.fold().unwrap().merged_with(&two.fold().unwrap()), "{length} items");
        assert_eq!(half.fold().unwrap(), empty.fold().unwrap().fold().unwrap().having_seen(&items));
        assert_eq!(BloomFilter::from_bytes(&half.to_bytes()).unwrap(), half);
        assert!(half.clone().merge(&whole).is_err() && half.clone().intersect(&whole).is_err());
    }
}

/// Removal undoes insertion, as long as counters do not saturate: in state and in bytes. A removal of a certainly
/// absent item is refused and changes nothing.
pub(super) fn what_went_is_gone<S: Subject + Remove + Membership>(make: impl Fn(HashSpec) -> S) {
    let mut rng = Rng::new(54);
    let empty = make(HashSpec::seeded(54));
    for length in [0, 1, empty.scale() / 4, empty.scale() / 2] {
        let (stay, go) = (distinct(&mut rng, length), distinct(&mut rng, length));
        let hash = |item: &u64| empty.spec().hash(item);
        let alone = empty.clone().having_seen(&stay);
        let mut both = alone.clone().having_seen(&go);
        for item in &go {
            Remove::remove_hash(&mut both, hash(item)).unwrap();
        }
        assert_eq!(both, alone, "{length} items");
        assert_eq!(both.to_bytes(), alone.to_bytes(), "{length} items");
        let absent: Vec<u64> = (0..100).map(|_| rng.next_u64()).collect();
        for &hash in absent.iter().filter(|&&hash| !Membership::contains_hash(&alone, hash)) {
            let error = Remove::remove_hash(&mut both, hash).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error}");
            assert_eq!(both, alone);
        }
    }
}

/// A filter without its last blocks equals a filter that was built without them, so filters of different sizes merge on
/// their common blocks.
pub(super) fn fewer_blocks(make: impl Fn(HashSpec) -> PartitionedBloom) {
    let mut rng = Rng::new(55);
    let empty = make(HashSpec::seeded(55));
    let params = empty.params();
    for length in empty.lengths() {
        let items = distinct(&mut rng, length);
        let (some, others) = items.split_at(length / 3);
        let whole = empty.clone().having_seen(&items);
        for blocks in 1..=params.blocks() {
            let like = PartitionedParams::exact(blocks, params.bits(), params.hashes()).unwrap();
            let small = PartitionedBloom::with_params(like).with_hash(empty.spec());
            let folded = whole.fold(blocks).unwrap();
            assert_eq!(folded, small.clone().having_seen(&items));
            assert_eq!(folded.to_bytes(), small.clone().having_seen(&items).to_bytes());
            assert_eq!(folded.fold(1).unwrap(), whole.fold(1).unwrap());
            let part = empty.clone().having_seen(others).fold(blocks).unwrap();
            assert_eq!(small.having_seen(some).merged_with(&part), folded);
            assert!(folded.fpr().value() >= whole.fpr().value());
        }
    }
    assert!(empty.fold(0).is_err() && empty.fold(params.blocks() + 1).is_err());
}
