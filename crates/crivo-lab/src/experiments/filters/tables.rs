//! Tables that never err, the yardsticks of filters.

use std::collections::HashSet;

use crivo::HashSpec;
use crivo::baseline::{CuckooTable, DirectTable};
use crivo::rng::Rng;

use crate::experiments::exact::{Answer, Exact, Weighed, experiment};
use crate::experiments::prelude::*;

pub(in crate::experiments) const CUCKOO_TABLE: Experiment = experiment::<CuckooTable>();
pub(in crate::experiments) const DIRECT_TABLE: Experiment = experiment::<DirectTable>();

impl Exact for CuckooTable {
    const ID: &'static str = "c-cuckoo-table";
    const TITLE: &'static str = "Cuckoo hash table: exact answers, and bits against n";
    const REFERENCE: &'static str = "Pagh and Rodler 2004; buckets of Dietzfelbinger and Weidling 2007";
    const THEORY: &'static str = "\
The table keeps whole 64-bit hashes, which differ for different integers: no answer about integers is wrong. Its slots are a \
power of two of which at most nine tenths are taken: 71 to 142 bits per item.";
    const COST: Cost = Cost { quick: 0.1, full: 1.1 };
    const UNIT: &'static str = "items";
    const SIZES: [&'static [u64]; 2] =
        [&[100, 300, 1000, 3000, 10_000, 30_000], &[100, 300, 1000, 3000, 10_000, 30_000, 100_000, 300_000]];

    /// Two thirds of a run of numbers go in, and half of these out again. A table keeps its memory then, so a copy of what is
    /// left is weighed. All are asked for, and random numbers in and beyond the run.
    fn weigh(n: u64, rng: &mut Rng) -> Result<Weighed> {
        let mut table = Self::new().with_hash(HashSpec::seeded(rng.next_u64()));
        let start = rng.next_u64() >> 1;
        let numbers = || start..start + 3 * n;
        let stays = |number: u64| (number - start).is_multiple_of(3);
        let comes = |number: u64| (number - start) % 3 != 1;
        numbers().filter(|&number| comes(number)).for_each(|number| {
            table.insert(&number);
        });
        for number in numbers().filter(|&number| comes(number) && !stays(number)) {
            table.remove(&number)?;
        }
        let mut kept = Self::new().with_hash(*table.hash_spec());
        kept.merge(&table)?;
        let others: Vec<u64> = (0..n).map(|_| start + rng.below(6 * n)).collect();
        let truth = |number: u64| numbers().contains(&number) && stays(number);
        let asked = numbers().chain(others);
        Ok(Weighed::new(asked.map(|number| Answer::new(table.contains(&number), truth(number))), &kept))
    }

    fn bits(n: u64) -> (f64, f64) {
        let (shell, items) = (8.0 * size_of::<Self>() as f64, n as f64);
        (shell + 64.0 * items / 0.9, shell + 2.0 * 64.0 * (items + 1.0) / 0.9)
    }
}

impl Exact for DirectTable {
    const ID: &'static str = "c-direct-table";
    const TITLE: &'static str = "Direct table: exact answers, and bits against the universe";
    const REFERENCE: &'static str = "Silva 2022, chapter 2; a bit for each number";
    const THEORY: &'static str = "\
One bit for each number of the universe, in words of 64, whatever is inside: no answer is wrong, and only a universe of \
more than log2(1/ε)·1.44 numbers an item costs more than a Bloom filter of the rate ε.";
    const COST: Cost = Cost { quick: 0.1, full: 0.2 };
    const UNIT: &'static str = "numbers";
    const SIZES: [&'static [u64]; 2] =
        [&[100, 1000, 10_000, 100_000], &[100, 1000, 10_000, 100_000, 1_000_000]];

    /// A tenth of the universe, drawn at random, and some of it removed.
    fn weigh(n: u64, rng: &mut Rng) -> Result<Weighed> {
        let (mut table, mut truth) = (Self::for_universe(n)?, HashSet::new());
        for draw in 0..n / 10 {
            let number = rng.below(n);
            if draw % 4 == 3 {
                table.remove(number)?;
                truth.remove(&number);
            } else {
                table.insert(number)?;
                truth.insert(number);
            }
        }
        Ok(Weighed::new(
            (0..n).map(|number| Answer::new(table.contains(number), truth.contains(&number))),
            &table,
        ))
    }

    fn bits(n: u64) -> (f64, f64) {
        let bits = 8.0 * size_of::<Self>() as f64 + n.next_multiple_of(64) as f64;
        (bits, bits)
    }
}
