//! Filters of bits.

use crivo::membership::{
    AtomicParams, BlockedParams, CompressedBloom, CompressedParams, PartitionedBloom, PartitionedParams,
};
use crivo::rng::Rng;
use crivo::{AtomicBloom, BlockedBloom, BloomFilter, BloomParams, HashSpec};

use super::from_target;
use super::measure::{Plan, RATE, Subject, experiment};
use crate::experiments::prelude::*;
use crate::summary::{Summary, student};

pub(in crate::experiments) const BLOOM_FILTER: Experiment = experiment::<BloomFilter>();
pub(in crate::experiments) const BLOCKED_BLOOM: Experiment = experiment::<BlockedBloom>();
pub(in crate::experiments) const ATOMIC_BLOOM: Experiment = experiment::<AtomicBloom>();
pub(in crate::experiments) const PARTITIONED_BLOOM: Experiment = experiment::<PartitionedBloom>();
pub(in crate::experiments) const COMPRESSED_BLOOM: Experiment = experiment::<CompressedBloom>();

impl Subject for BloomFilter {
    const ID: &'static str = "c-bloom-filter";
    const TITLE: &'static str = "Bloom filter: rate, bits and the rate it states";
    const REFERENCE: &'static str = "Bloom 1970; Bose and others 2008 for the exact rate";
    const THEORY: &'static str = "\
The rate is the mean of (ones/m)^k over all hash functions (`BloomParams::fpr_at`); given the ones it is (ones/m)^k (`fpr`). \
At the best k a filter takes 1.44·log2(1/ε) bits per item, 1.44 times the least.";
    const COST: Cost = Cost { quick: 0.1, full: 3.4 };
    from_target!(BloomParams);
}

impl Subject for BlockedBloom {
    const ID: &'static str = "c-blocked-bloom";
    const TITLE: &'static str = "Blocked Bloom filter: rate, bits and the rate it states";
    const REFERENCE: &'static str = "Putze, Sanders and Singler 2007; the split blocks of Parquet";
    const THEORY: &'static str = "\
A block of eight words has j items, binomially distributed; each word gets one of its 32 bits from each. The rate is the \
mean of (1 − (31/32)^j)^8 (`BlockedParams::fpr_at`); given the bits it is the mean over the blocks of the product of the shares \
of ones (`fpr`).";
    const COST: Cost = Cost { quick: 0.1, full: 1.6 };
    from_target!(BlockedParams);
}

impl Subject for AtomicBloom {
    const ID: &'static str = "c-atomic-bloom";
    const TITLE: &'static str = "Atomic Bloom filter: rate, bits and the rate it states";
    const REFERENCE: &'static str =
        "Putze, Sanders and Singler 2007, blocks; Lang and others 2019, their words";
    const THEORY: &'static str = "\
An item sets k/2 bits in each of two of a block's eight words. `AtomicParams::fpr_at` sums over the loads of two words, by \
inclusion and exclusion; given the bits the rate is the mean over blocks and pairs of words (`fpr`).";
    const COST: Cost = Cost { quick: 0.1, full: 2.8 };
    from_target!(AtomicParams);
}

impl Subject for PartitionedBloom {
    const ID: &'static str = "c-partitioned-bloom";
    const TITLE: &'static str = "Partitioned Bloom filter: rate, bits and the rate it states";
    const REFERENCE: &'static str = "Papapetrou, Siberski and Nejdl 2010, block partitioning";
    const THEORY: &'static str = "\
Blocks are Bloom filters that err independently: the rate is that of one to the power of their number \
(`PartitionedParams::fpr_at`), and given the ones the product over the blocks (`fpr`).";
    const COST: Cost = Cost { quick: 0.2, full: 10.4 };
    from_target!(PartitionedParams);
}

/// How much memory a compressed filter may take for a smaller file: as the command makes it.
const MEMORY_FACTOR: f64 = 2.0;

impl Subject for CompressedBloom {
    const ID: &'static str = "c-compressed-bloom";
    const TITLE: &'static str = "Compressed Bloom filter: rate, bits in memory and in the file";
    const REFERENCE: &'static str = "Mitzenmacher 2002";
    const THEORY: &'static str = "\
Twice the bits of a Bloom filter with fewer functions have fewer ones, which an entropy coder writes in few more bits than their entropy: \
`CompressedParams::wire_bytes_at` is the mean of the file's size, at most. The rate is a Bloom filter's (`fpr_at`, `fpr`).";
    const COST: Cost = Cost { quick: 0.1, full: 7.9 };
    from_target!(CompressedParams, MEMORY_FACTOR);

    fn more(plan: &Plan, rng: &mut Rng, outcome: &mut Outcome) -> Result<()> {
        let (params, made) = (Self::sized(plan.capacity, RATE)?, Self::sized(plan.capacity, plan.rate())?);
        let plain = BloomParams::for_fpr(plan.capacity, RATE)?.memory_bytes();
        let mut sizes = Vec::new();
        for _ in 0..plan.filters {
            let spec = HashSpec::seeded(rng.next_u64());
            let filter = Self::filled(made, spec, plan.capacity)?;
            sizes.push(filter.to_bytes().len() as f64);
        }
        let (seen, mean) = (Summary::of(&sizes), params.wire_bytes_at(plan.capacity));
        let spread = student(plan.filters as f64 - 1.0, 1e-6) * seen.standard_error;
        let check = Check {
            place: format!("{} items at {} %", plan.capacity, 100.0 * RATE),
            value: seen.mean,
            expected: mean,
            lower: f64::NEG_INFINITY,
            upper: mean + spread,
        };
        let smaller = Check { expected: plain as f64, upper: plain as f64, ..check.clone() };
        outcome.verdicts.push(Verdict::within("A file takes no more than theory says.", " bytes", [check]));
        outcome.verdicts.push(Verdict::within(
            "It is smaller than the bits of a plain Bloom filter of the same rate.",
            " bytes",
            [smaller],
        ));
        Ok(())
    }
}
