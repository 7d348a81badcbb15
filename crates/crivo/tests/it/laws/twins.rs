//! An operation on an item, on its hash, and on a batch of hashes have the same effect.

use crate::structures::{self, Subject, specs};
use crivo::rng::Rng;
use crivo::{HashSpec, Item};

/// Items of different types in one stream.
#[derive(Clone, Debug)]
enum Thing {
    Number(u64),
    Negative(i64),
    Text(String),
    Pair(u32, String),
}

impl Item for Thing {
    fn hash_item(&self, spec: &HashSpec) -> u64 {
        match self {
            Self::Number(number) => number.hash_item(spec),
            Self::Negative(number) => number.hash_item(spec),
            Self::Text(text) => text.hash_item(spec),
            Self::Pair(number, text) => (*number, text.as_str()).hash_item(spec),
        }
    }
}

fn things(stream: Vec<u64>) -> Vec<Thing> {
    let thing = |id: u64| match id % 4 {
        0 => Thing::Number(id),
        1 => Thing::Negative(-(id as i64)),
        2 => Thing::Text(format!("thing {id}")),
        _ => Thing::Pair(id as u32, format!("{id}")),
    };
    stream.into_iter().map(thing).collect()
}

pub(super) fn twins_agree<S: Subject>(make: impl Fn(HashSpec) -> S) {
    for spec in specs() {
        let mut rng = Rng::new(30);
        let empty = make(spec);
        let lengths = [0, 1, 63, 64, 65, 200, 1000, empty.scale() + 1];
        for length in lengths {
            if length > empty.most() {
                continue;
            }
            let things = things(S::stream(&mut rng, length));
            let hashes = structures::hashes(empty.spec(), &things);
            let (mut by_item, mut by_hash, mut by_batch) = (empty.clone(), empty.clone(), empty.clone());
            for (thing, &hash) in things.iter().zip(&hashes) {
                by_item.see(thing);
                by_hash.see_hash(hash);
            }
            by_batch.see_hashes(&hashes);
            assert_eq!(by_hash, by_item, "{length} items");
            assert_eq!(by_batch, by_item, "{length} items");
            assert_eq!(by_batch.to_bytes(), by_item.to_bytes(), "{length} items");
            // A batch continues the present state, wherever the stream is cut.
            let (some, rest) = hashes.split_at(rng.below(length as u64 + 1) as usize);
            let mut in_two = empty.clone();
            in_two.see_hashes(some);
            in_two.see_hashes(rest);
            assert_eq!(in_two, by_item, "{length} items in two batches");

            let asked = [things, self::things(S::stream(&mut rng, 100.min(length)))].concat();
            let asked = &asked[asked.len().saturating_sub(300)..];
            let hashes = structures::hashes(empty.spec(), asked);
            let answers = by_item.ask_hashes(&hashes);
            assert_eq!(answers.len(), asked.len());
            for ((thing, &hash), answer) in asked.iter().zip(&hashes).zip(&answers) {
                assert_eq!((&by_item.ask(thing), &by_item.ask_hash(hash)), (answer, answer));
            }
        }
    }
}

/// `extend` inserts one by one.
pub(super) fn extends<S: Subject + Extend<u64>>(make: impl Fn(HashSpec) -> S) {
    for spec in specs() {
        let mut rng = Rng::new(31);
        for length in make(spec).lengths() {
            let items = S::stream(&mut rng, length);
            let mut extended = make(spec);
            extended.extend(items.iter().copied());
            assert_eq!(extended, make(spec).having_seen(&items), "{length} items");
        }
    }
}

/// `collect` makes a sketch of a default size, and inserts one by one.
pub(super) fn collects<S: Subject + FromIterator<u64>>(make: impl Fn(HashSpec) -> S) {
    let mut rng = Rng::new(32);
    for length in make(HashSpec::default()).lengths() {
        let items = S::stream(&mut rng, length);
        let collected: S = items.iter().copied().collect();
        assert_eq!(collected, collected.emptied().having_seen(&items), "{length} items");
        assert_eq!(collected.is_empty(), items.is_empty());
    }
}
