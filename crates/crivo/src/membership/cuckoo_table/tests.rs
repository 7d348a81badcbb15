use super::*;

/// Returns a hash with these two buckets, in a table of the same size.
fn hash_with(table: &CuckooTable, buckets: [usize; 2], skip: usize) -> u64 {
    let wanted = buckets.map(|bucket| bucket * BUCKET);
    (1..).filter(|&hash| table.buckets(hash) == wanted).nth(skip).expect("every pair has hashes")
}

/// SILVA Fig. 4.1: x goes to bucket 1 and evicts b to bucket 5, which evicts c to bucket 4. The buckets of
/// the document have one slot; here hashes that are not involved fill the other three.
#[test]
fn worked_example_of_silva() {
    let mut table = CuckooTable { slots: vec![u64::MAX; 8 * BUCKET], ..CuckooTable::new() };
    let [b, c, x] = [[1, 5], [5, 4], [1, 7]].map(|buckets| hash_with(&table, buckets, 0));
    let (a, d, e) = (u64::MAX - 1, u64::MAX - 2, u64::MAX - 3);
    for (bucket, hash) in [(0, a), (1, b), (2, 0), (3, 0), (4, 0), (5, c), (6, d), (7, e)] {
        // The first eviction of a chain takes slot 0, the second slot 1.
        table.slots[bucket * BUCKET + usize::from(bucket == 5)] = hash;
    }
    assert_eq!(table.place(x), None);
    let content = [1, 5, 4].map(|bucket: usize| &table.slots[bucket * BUCKET..(bucket + 1) * BUCKET]);
    for (bucket, hash) in content.into_iter().zip([x, b, c]) {
        assert!(bucket.contains(&hash));
    }
    assert_eq!([0, 6, 7].map(|bucket| table.slots[bucket * BUCKET]), [a, d, e]);
}

/// More hashes than two buckets have slots for.
#[test]
fn hostile_hashes_go_into_the_crowd() {
    let mut table: CuckooTable = (0..1000u64).collect();
    let before: Vec<u64> = table.iter().collect();
    let hostile: Vec<u64> = (0..30).map(|i| hash_with(&table, [3, 7], i)).collect();
    table.insert_hashes(&hostile);
    assert!(table.crowd.iter().count() >= 22);
    assert_eq!((table.len(), table.slots.len()), (1030, slots_for(1030)));
    assert!(before.iter().chain(&hostile).all(|&hash| table.contains_hash(hash)));
    let read = CuckooTable::from_bytes(&table.to_bytes()).unwrap();
    assert_eq!((read == table, read.to_bytes()), (true, table.to_bytes()));
    for (left, &hash) in hostile.iter().enumerate() {
        assert!(!table.insert_hash(hash));
        table.remove_hash(hash).unwrap();
        assert!(!table.contains_hash(hash) && table.remove_hash(hash).is_err());
        assert!(hostile[left + 1..].iter().chain(&before).all(|&other| table.contains_hash(other)));
    }
    assert!(table.crowd.is_empty() && table.len() == 1000);
}

#[test]
fn slots_follow_from_the_number_of_items() {
    assert_eq!([0, 1, 7, 8, 14, 15, 1000].map(slots_for), [0, 8, 8, 16, 16, 32, 2048]);
    let mut table = CuckooTable::new();
    for i in 0..20_000u64 {
        assert_eq!(table.slots.len(), slots_for(table.len()));
        assert!(table.insert(&i));
    }
    assert!(table.crowd.is_empty(), "unchosen hashes find slots");
}

#[test]
fn the_hash_zero_is_a_hash() {
    let mut table = CuckooTable::new();
    assert!(!table.contains_hash(0) && table.remove_hash(0).is_err());
    assert!(table.insert_hash(0) && !table.insert_hash(0) && table.contains_hash(0));
    assert_eq!((table.len(), table.iter().collect::<Vec<_>>()), (1, vec![0]));
    let read = CuckooTable::from_bytes(&table.to_bytes()).unwrap();
    assert!(read == table && read.contains_hash(0));
    table.remove_hash(0).unwrap();
    assert!(table.is_empty() && !table.contains_hash(0));
}

#[test]
fn unlike_hashes_do_not_merge() {
    let (mut one, other) = (CuckooTable::new(), CuckooTable::empty((), HashSpec::seeded(1)));
    assert_eq!(one.merge(&other).unwrap_err().kind(), crate::ErrorKind::Incompatible);
    assert_ne!(one, other);
}
