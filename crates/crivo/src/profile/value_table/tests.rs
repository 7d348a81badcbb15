use super::*;
use crate::HashSpec;
use crate::rng::Rng;
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};

type Hash = fn(&str) -> u64;

/// The true hashes, and one hash for all values, as an attacker may choose them.
const HASHES: [Hash; 2] = [|text| HashSpec::default().hash_bytes(text.as_bytes()), |_| 42];

fn add(table: &mut ValueTable, text: &str, hash: Hash, left: &mut BTreeMap<String, u64>) {
    let hash = hash(text);
    if table.raise(text.as_bytes(), hash, 1) {
        return;
    }
    if table.is_full() {
        purge(table, left);
    }
    table.enter(text.as_bytes(), hash, 1);
}

fn purge(table: &mut ValueTable, left: &mut BTreeMap<String, u64>) {
    table.purge(|value| {
        *left.entry(String::from_utf8(value.text.to_vec()).unwrap()).or_default() += value.seen;
    });
}

fn check(table: &ValueTable, truth: &BTreeMap<String, u64>, hash: Hash, left: &BTreeMap<String, u64>) {
    let total: u64 = truth.values().sum();
    assert!(table.floor() <= 2 * total / table.most as u64);
    assert!(table.len() <= table.most);
    let inside: BTreeMap<&str, Counted<'_>> =
        table.iter().map(|value| (core::str::from_utf8(value.text).unwrap(), value)).collect();
    assert_eq!(inside.len(), table.len());
    for (text, &count) in truth {
        let gone = left.get(text).copied().unwrap_or(0);
        match inside.get(text.as_str()) {
            Some(value) => {
                assert_eq!(value.seen + gone, count, "nothing is lost");
                assert!(value.seen <= count && count <= value.upper(), "{text}: {value:?} {count}");
                assert!(value.upper() > table.floor());
            }
            None => assert!(gone == count && count <= table.floor()),
        }
        let place = table.find(text.as_bytes(), text.len() as u32, hash(text));
        assert_eq!(place.is_some(), inside.contains_key(text.as_str()));
    }
}

/// Mostly a few values, with a long tail.
fn draw(rng: &mut Rng, most: u64) -> String {
    (rng.below(most) * rng.below(most) / most).to_string()
}

#[test]
fn bounds_are_certain_and_nothing_is_lost() {
    let sizes = [(16, 10), (16, 16), (16, 17), (16, 300), (64, 5000), (17, 100), (300, 3000)];
    for ((most, values), hash) in sizes.into_iter().flat_map(|size| HASHES.map(|hash| (size, hash))) {
        let mut rng = Rng::new(most + values);
        let (mut table, mut truth, mut left) =
            (ValueTable::new(most as usize), BTreeMap::new(), BTreeMap::new());
        for i in 0..20_000 {
            let text = draw(&mut rng, values);
            add(&mut table, &text, hash, &mut left);
            *truth.entry(text).or_default() += 1;
            if i % 999 == 0 {
                check(&table, &truth, hash, &left);
            }
        }
        check(&table, &truth, hash, &left);
        assert_eq!(left.is_empty(), truth.len() <= most as usize);
    }
}

#[test]
fn merged_tables_keep_all_bounds() {
    let sizes = [(16, 8), (16, 40), (64, 90), (64, 5000), (300, 3000)];
    for ((most, values), hash) in sizes.into_iter().flat_map(|size| HASHES.map(|hash| (size, hash))) {
        let mut rng = Rng::new(most ^ values);
        let (mut truth, mut left) = (BTreeMap::new(), BTreeMap::new());
        let mut whole = ValueTable::new(most as usize);
        for part in 0..5 {
            let mut table = ValueTable::new(most as usize);
            for _ in 0..3000 {
                let text = draw(&mut rng, values + part);
                add(&mut table, &text, hash, &mut left);
                *truth.entry(text).or_default() += 1;
            }
            whole.merge(&table);
            if whole.is_overfull() {
                purge(&mut whole, &mut left);
            }
            check(&whole, &truth, hash, &left);
        }
    }
}

#[test]
fn long_values_are_distinguished_by_hash_and_length() {
    let mut table = ValueTable::new(16);
    let long = [b'x'; 500];
    for (length, hash) in [(127, 1), (128, 1), (129, 1), (129, 2), (500, 1)] {
        assert!(!table.raise(&long[..length], hash, 1));
        table.enter(&long[..length], hash, 1);
        assert!(table.raise(&long[..length], hash, 1));
    }
    assert_eq!(table.iter().filter(Counted::is_truncated).count(), 3);
    assert!(table.texts.len() <= 5 * MOST_KEPT);
}

#[test]
fn texts_of_equal_length_compare_byte_by_byte() {
    for length in 0..40 {
        let one: Vec<u8> = (0..length).collect();
        assert!(same(&one, &one.clone()));
        for place in 0..length as usize {
            let mut other = one.clone();
            other[place] ^= 64;
            assert!(!same(&one, &other), "{length} {place}");
        }
    }
}

#[test]
fn values_of_one_hash_are_placed_by_another() {
    for (hash, was_chosen) in HASHES.into_iter().zip([false, true]) {
        let mut table = ValueTable::new(5000);
        for i in 0..5000 {
            add(&mut table, &i.to_string(), hash, &mut BTreeMap::new());
        }
        assert_eq!(table.places.is_rehashed(), was_chosen);
        assert!(!table.places.is_crowded());
        assert!((0..5000).all(|i: u32| table.raise(i.to_string().as_bytes(), hash(&i.to_string()), 1)));
    }
}
