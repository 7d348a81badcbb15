use super::*;
use crate::rng::Rng;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::cell::Cell;

/// Items with chosen hashes in a vector, by position, and the number of comparisons between them.
struct Model {
    places: Places,
    items: Vec<u64>,
    hash: fn(u64) -> u32,
    compared: Cell<u64>,
}

impl Model {
    fn new(most: usize, hash: fn(u64) -> u32) -> Self {
        Self { places: Places::new(most, most), items: Vec::new(), hash, compared: Cell::new(0) }
    }

    fn count(&self) {
        self.compared.set(self.compared.get() + 1);
    }

    fn find(&self, item: u64) -> Result<usize, usize> {
        let is_same = |place: usize| {
            self.count();
            self.items[place] == item
        };
        self.places.find((self.hash)(item), is_same, |place| {
            self.count();
            self.items[place].cmp(&item)
        })
    }

    fn insert(&mut self, item: u64) {
        let Err(slot) = self.find(item) else { return };
        assert_eq!(slot, self.places.free_slot((self.hash)(item)));
        self.items.push(item);
        let place = self.items.len() - 1;
        let Self { places, items, compared, .. } = self;
        places.put(slot, (self.hash)(item), place, |other| {
            compared.set(compared.get() + 1);
            items[other].cmp(&item)
        });
    }

    /// Replaces the item at a position.
    fn replace(&mut self, place: usize, item: u64) {
        let old = self.items[place];
        let Self { places, items, compared, hash } = self;
        places.remove(
            hash(old),
            place,
            |other| hash(items[other]),
            |other| {
                compared.set(compared.get() + 1);
                items[other].cmp(&old)
            },
        );
        items[place] = item;
        let slot = places.free_slot(hash(item));
        places.put(slot, hash(item), place, |other| items[other].cmp(&item));
    }
}

/// Hashes with all bits equal; all in one slot with other low bits; in consecutive slots; in consecutive
/// slots, two in each; and random ones.
const HASHES: [fn(u64) -> u32; 5] = [
    |_| 7,
    |item| 0x8000_0000 | item as u32 & 0xf_ffff,
    |item| (item as u32) << 10,
    |item| (item as u32 / 2) << 10,
    |item| short(crate::HashSpec::default().hash(&item)),
];

#[test]
fn places_are_a_map_whatever_the_hashes() {
    for (case, hash) in HASHES.into_iter().enumerate() {
        for most in [1, 2, 70, 700] {
            let mut rng = Rng::new(case as u64);
            let (mut items, mut model) = (Model::new(most, hash), BTreeMap::new());
            for _ in 0..20 * most as u64 {
                let item = rng.below(3 * most as u64);
                if items.find(item).is_ok() {
                    assert_eq!(items.find(item).ok(), model.get(&item).copied());
                } else if items.items.len() < most {
                    model.insert(item, items.items.len());
                    items.insert(item);
                } else {
                    let place = rng.below(most as u64) as usize;
                    model.remove(&items.items[place]);
                    items.replace(place, item);
                    model.insert(item, place);
                }
            }
            for item in 0..3 * most as u64 {
                assert_eq!(items.find(item).ok(), model.get(&item).copied(), "{case} {most} {item}");
            }
        }
    }
}

#[test]
fn a_search_compares_with_few_items_whatever_the_hashes() {
    let n = 20_000u64;
    for (case, hash) in HASHES.into_iter().enumerate() {
        let mut items = Model::new(n as usize, hash);
        (0..n).for_each(|item| items.insert(item));
        (0..n).for_each(|item| assert!(items.find(item).is_ok()));
        (0..n).for_each(|item| items.replace(item as usize, item + n));
        // Three searches for each item (insert, find, replace) compare with at most 8 items in the slots and
        // log₂ n + 2 in the crowd; each of the 2n insertions may search the crowd for its position.
        let most = 3 * n * (8 + 17) + 2 * n * 17;
        assert!(items.compared.get() <= most, "{case}: {}", items.compared.get());
    }
}

/// Slots are visited in order from an item's own slot on. So searches are bounded if no item is stored far
/// from its own slot, and if a search for an absent item stops early.
#[test]
fn a_search_goes_through_few_slots_whatever_the_hashes() {
    const FARTHEST: usize = 63;
    let n = 5_000u64;
    for (case, hash) in HASHES.into_iter().enumerate() {
        let mut items = Model::new(n as usize, hash);
        (0..n).for_each(|item| items.insert(item));
        (0..n / 2).for_each(|item| items.replace(item as usize, item + n));
        let Model { places, items: kept, .. } = &items;
        let distance = |item: u64, slot: usize| places.distance(places.home(hash(item)), slot);
        for (slot, &word) in places.slots.iter().enumerate().filter(|(_, word)| **word != EMPTY) {
            let item = kept[(word & places.place_mask()) as usize];
            assert!(distance(item, slot) <= FARTHEST, "{case}: {item} in {slot}");
        }
        for absent in 2 * n..3 * n {
            let slot = items.find(absent).unwrap_err();
            assert!(slot == NO_SLOT || distance(absent, slot) <= FARTHEST, "{case}: {absent} in {slot}");
        }
    }
}

#[test]
fn hashes_that_nobody_chose_stay_in_their_slots() {
    let mut items = Model::new(100_000, HASHES[4]);
    (0..100_000).for_each(|item| items.insert(item));
    assert!(items.places.crowd.is_empty());
    assert_eq!(items.places.memory_bytes(), 100_000 * Places::BYTES);
}
