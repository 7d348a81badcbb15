use super::*;
use crate::rng::Rng;

fn built(blocks: usize, width: u32, sorted: &[(usize, u64)]) -> Table {
    let spill = spill(blocks * BLOCK, sorted.iter().map(|&(quotient, _)| (quotient, 1)));
    let mut builder = Builder::new(blocks, width, spill);
    for &(quotient, remainder) in sorted {
        builder.push(quotient, remainder);
    }
    builder.finish().unwrap()
}

/// Checks every offset against one counted from the pairs alone.
fn assert_offsets(table: &Table, sorted: &[(usize, u64)]) {
    let slots = table.slots();
    let mut end = spill(slots, sorted.iter().map(|&(quotient, _)| (quotient, 1)));
    let mut pairs = sorted.iter().peekable();
    for block in 0..table.offsets.len() {
        while let Some(&(quotient, _)) = pairs.next_if(|&&(quotient, _)| quotient < block * BLOCK) {
            end = end.max(quotient) + 1;
        }
        assert_eq!(table.offset(block), end.saturating_sub(block * BLOCK), "block {block}");
    }
}

/// Compares with a sorted list: scattered pairs, and crowds around one quotient that wrap around the end and
/// make long offsets.
#[test]
fn behaves_as_a_sorted_list() {
    let mut rng = Rng::new(5);
    for (blocks, width, crowd) in [
        (1, 3, 64),
        (1, 56, 1),
        (2, 7, 128),
        (3, 1, 5),
        (5, 64 - 8, 320),
        (20, 7, 2),
        (20, 7, 1280),
        (30, 4, 60),
    ] {
        let slots = blocks * BLOCK;
        let room = slots * 19 / 20;
        let mut table = Table::new(blocks, width);
        let mut list: Vec<(usize, u64)> = Vec::new();
        let first = rng.below(slots as u64) as usize;
        for step in 0..6 * room {
            let quotient = (first + rng.below(crowd) as usize) % slots;
            let pair = (quotient, rng.next_u64() >> (64 - width.min(1 + rng.below(3) as u32)));
            let place = list.binary_search(&pair);
            let copies = list.iter().filter(|&&other| other == pair).count() as u64;
            assert_eq!(table.copies(pair.0, pair.1), copies);
            assert_eq!(table.contains(pair.0, pair.1), copies > 0);
            if table.is_occupied(pair.0) {
                assert_eq!(table.is_in_run(pair.0, pair.1, PlainBits), copies > 0);
            }
            // Fills the table completely and empties it, twice.
            let fills = step / (2 * room) != 1;
            if fills == (rng.below(4) > 0) && list.len() < room {
                assert_eq!(table.insert(pair.0, pair.1), Some(copies == 0));
                list.insert(place.unwrap_or_else(|place| place), pair);
            } else if fills || list.is_empty() || rng.below(4) == 0 {
                assert_eq!(table.remove(pair.0, pair.1), place.ok().map(|_| copies == 1));
                place.ok().map(|place| list.remove(place));
            } else {
                let pair = list.remove(rng.below(list.len() as u64) as usize);
                assert_eq!(table.remove(pair.0, pair.1), Some(!list.contains(&pair)));
            }
            if step % 16 == 0 || list.len() + 2 > room {
                assert!(table.pairs().eq(list.iter().copied()));
                assert_offsets(&table, &list);
                assert!(table == built(blocks, width, &list), "{blocks} blocks, {width} bits");
            }
        }
    }
}

/// Pairs with one preferred slot, and pairs that each prefer the next slot but are stored one after it: an
/// insertion moves no more slots than its reach, and a refused insertion changes nothing.
#[test]
fn an_insertion_moves_no_more_than_its_reach() {
    let blocks = 2 * REACH / BLOCK;
    for step in [0, 1] {
        let mut table = Table::new(blocks, 3);
        assert_eq!(table.insert(0, 5), Some(true));
        for slot in 0..REACH - 1 {
            assert!(table.insert(slot * step, 5).is_some(), "{slot}");
        }
        let full = table.clone();
        assert_eq!(table.insert(0, 1), None);
        assert!(table == full);
        assert_eq!(table.remove(0, 5), Some(false));
        assert!(table.insert(0, 5).is_some());
        assert!(table == full);
    }
}

#[test]
fn no_table_is_built_that_insertions_could_not_have_built() {
    let build = |pairs: usize| {
        let mut builder = Builder::new(2 * REACH / BLOCK, 3, 0);
        (0..pairs).for_each(|_| builder.push(7, 0));
        builder.finish()
    };
    assert!(build(REACH).is_some());
    assert!(build(REACH + 1).is_none());
}
