use super::*;
use crate::bits::BitVec;
use crate::rng::Rng;

/// The checked twins, one byte at a time.
#[test]
fn unchecked_cells_are_the_checked_ones() {
    let mut rng = Rng::new(4);
    let shape = Shape::for_items(100).unwrap();
    for width in 1..=32 {
        let used = (shape.cells() * u64::from(width)).div_ceil(8) as usize;
        let cells: alloc::vec::Vec<u8> = (0..used + 7).map(|_| rng.next_u64() as u8).collect();
        let bit = |index: u64| u64::from(cells[(index / 8) as usize] >> (index % 8) & 1);
        let cell = |place: u64| {
            (0..u64::from(width)).fold(0, |cell, i| cell | bit(place * u64::from(width) + i) << i)
        };
        for _ in 0..1000 {
            let spread = rng.next_u64();
            let twin = shape.places(spread).into_iter().fold(0, |sum, place| sum ^ cell(place));
            let mask = (1 << width) - 1;
            assert_eq!(xor_of_cells(&cells, &shape, width, spread) & mask, twin, "{width}");
            if matches!(width, 8 | 16 | 32) {
                let found = xor_of_byte_cells(&cells, &shape, width / 16, spread);
                assert_eq!(u64::from(found) & mask, twin, "{width}");
            }
        }
    }
}

/// The checked twin, one bit at a time.
#[test]
fn unchecked_wide_cells_are_the_checked_ones() {
    let mut rng = Rng::new(7);
    let shape = Shape::for_items(100).unwrap();
    for width in [58u32, 63, 65, 96, 121] {
        let used = (shape.cells() * u64::from(width)).div_ceil(8) as usize;
        let cells: alloc::vec::Vec<u8> = (0..used + 15).map(|_| rng.next_u64() as u8).collect();
        let bit = |index: u64| u128::from(cells[(index / 8) as usize] >> (index % 8) & 1);
        let cell = |place: u64| {
            (0..u64::from(width)).fold(0, |cell, i| cell | bit(place * u64::from(width) + i) << i)
        };
        for _ in 0..1000 {
            let spread = rng.next_u64();
            let twin = shape.places(spread).into_iter().fold(0, |sum, place| sum ^ cell(place));
            let mask = (1 << width) - 1;
            assert_eq!(xor_of_wide_cells(&cells, &shape, width, spread) & mask, twin, "{width}");
        }
    }
}

#[test]
#[should_panic(expected = "assertion failed")]
fn wide_cells_beyond_the_end_are_not_read() {
    let shape = Shape::for_items(100).unwrap();
    xor_of_wide_cells(&[0; 1000], &shape, 96, u64::MAX);
}

#[test]
fn fast_bits_are_the_plain_ones() {
    let Some(fast) = fast_bits() else { return };
    let mut rng = Rng::new(6);
    for round in 0..1000 {
        let word = if round == 0 { u64::MAX } else { rng.next_u64() & rng.next_u64() };
        assert_eq!(fast.ones(word), PlainBits.ones(word));
        for rank in 0..64 {
            assert_eq!(fast.select(word, rank), PlainBits.select(word, rank), "{word:#x} {rank}");
            let found = PlainBits.select(word, rank);
            assert!(found == 64 || word >> found & 1 == 1 && (word << (63 - found)).count_ones() == rank + 1);
        }
    }
}

#[test]
#[should_panic(expected = "assertion failed")]
fn cells_beyond_the_end_are_not_read() {
    let shape = Shape::for_items(100).unwrap();
    xor_of_byte_cells(&[0; 100], &shape, 0, u64::MAX);
}

/// The checked twins, one bit at a time.
#[test]
fn unchecked_bits_are_the_checked_ones() {
    let mut rng = Rng::new(3);
    for bits in [1u64, 63, 64, 65, 1000, 4095] {
        let mut words = vec![0; bits.div_ceil(64) as usize];
        let mut twin = BitVec::new(bits);
        for count in 1..=20 {
            let hash = rng.next_u64();
            let asked = rng.next_u64();
            let is_set = Probes::new(asked, bits).take(count as usize).all(|position| twin.get(position));
            assert_eq!(probed_bits_are_set(&words[..], bits, asked, count), is_set);
            // As a file holds them: the last word is cut, and other bytes come behind it.
            let mut bytes: alloc::vec::Vec<u8> =
                words.iter().flat_map(|word: &u64| word.to_le_bytes()).collect();
            bytes.truncate(bits.div_ceil(8) as usize);
            bytes.extend([0xff; 8]);
            assert_eq!(probed_bits_are_set(&FileWords(&bytes), bits, asked, count), is_set);
            let probes = Probes::new(hash, bits).take(count as usize);
            let were_clear = probes.map(|position| u32::from(twin.set(position))).sum::<u32>();
            assert_eq!(set_probed_bits(&mut words, bits, hash, count), were_clear);
            assert_eq!(words, twin.words());
            assert!(probed_bits_are_set(&words[..], bits, hash, count));
        }
    }
}

/// Their twins, which are compiled for every processor.
#[test]
fn directions_and_lots_are_the_same_with_and_without_avx2() {
    let mut rng = Rng::new(7);
    let (mut sums, mut twins) = (vec![0.0; 3 * BLOCK], vec![0.0; 3 * BLOCK]);
    let ranks: Vec<f64> = (0..BATCH).map(|_| rng.unit() * 20.0 - 15.0).collect();
    for _ in 0..100 {
        let hashes = [rng.next_u64(), rng.next_u64()];
        add_to_directions(&mut sums, &hashes);
        add_weighted_to_directions(&mut sums, hashes[0], 0.1);
        let marks = possible_winners(&ranks, 7, hashes[0], 1.0);
        for (block, twins) in (0..).zip(twins.as_chunks_mut::<BLOCK>().0) {
            let [first, second] = hashes.map(|hash| components(hash, block));
            for (twin, (first, second)) in twins.iter_mut().zip(first.into_iter().zip(second)) {
                *twin += f64::from(first + second);
                *twin += 0.1 * f64::from(first);
            }
        }
        let twins = (7..)
            .zip(&ranks)
            .map(|(slot, rank)| u8::from(may_be_below(hashes[0], slot, log2_limit(rank + 1.0))));
        assert!(twins.eq(marks));
        let mut counts = [0; 70];
        let others: Vec<u64> = (0..70).map(|i| rng.next_u64() >> (i % 64)).collect();
        count_differences(&mut counts, hashes[0], &others);
        assert!(
            others.iter().zip(counts).all(|(other, count)| (hashes[0] ^ other).count_ones() == count.into())
        );
    }
    assert_eq!(sums, twins);
}

/// The checked twin, which is compiled for every processor.
#[test]
fn blocks_are_the_same_with_and_without_avx2() {
    let mut rng = Rng::new(4);
    for count in [1usize, 2, 7, 100] {
        let mut blocks = vec![SplitBlock::EMPTY; count];
        let mut twins = blocks.clone();
        for _ in 0..30 * count {
            let (hash, asked) = (rng.next_u64(), rng.next_u64());
            let has = |hash| twins[SplitBlock::index(hash, count)].has(hash);
            assert_eq!(block_bits_are_set(&blocks, asked), has(asked));
            assert_eq!(bits_in_blocks_are_set(&blocks, &[asked, hash]), [has(asked), has(hash)]);
            let was_clear = twins[SplitBlock::index(hash, count)].set(hash);
            let mut in_batch = blocks.clone();
            set_bits_in_blocks(&mut in_batch, &[hash]);
            assert_eq!(set_block_bits(&mut blocks, hash), was_clear);
            assert_eq!((&blocks, &in_batch), (&twins, &twins));
            assert!(block_bits_are_set(&blocks, hash));
        }
    }
}
