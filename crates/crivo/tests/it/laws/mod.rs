//! Laws: written once for each claim, run for every structure that makes it.
//!
//! A new structure implements `Subject` and adds its lines to the table below, and a row to that of `golden/table.rs`;
//! `registry.rs` fails until the lines cover all claims of its row in `KINDS`.

mod any;
mod cardinality;
mod frequency;
mod frozen;
mod hamming;
mod heavy;
mod membership;
mod memory;
mod merge;
mod profile;
mod quantile;
mod quotient;
mod similarity;
mod sliding;
mod stream;
mod twins;
mod valued;
mod windowed;
mod wire;

use crate::robustness::{frozen_hostile_bytes, hostile_bytes};
use crate::structures;
use any::any_sketch;
use cardinality::{compares, distinct_count, folds, folds_to_fewer};
use crivo::Kind;
use crivo::graph::{Direction, LabelScheme, Sides};
use crivo::quantile::Tail;
use frequency::{conservative_below_plain, errs_to_both_sides, halving_decays, never_too_low};
use frozen::{
    frozen_any_sketch, frozen_copies, frozen_memory_is_told, frozen_no_false_negatives, frozen_set_decides,
    frozen_views,
};
use hamming::removal_and_reload_lose_nothing;
use heavy::{bounds_are_certain, what_just_left_comes_again};
use membership::{
    fewer_blocks, folds_and_intersects, merge_keeps_all, no_false_negatives, random_operations,
    what_went_is_gone,
};
use memory::memory_is_told;
use merge::{bounded_merge, distribution_merge, exact_merge, idempotent_merge};
use profile::merge_keeps_profile;
use quantile::{merge_keeps_ranks, ranges_hold, removals_undo, values_hold};
use quotient::{copies_are_counted, full_changes_nothing, growing_keeps_answers, removing_undoes};
use similarity::{frozen_tells_alike, tells_alike};
use sliding::windows_are_sketches;
use stream::{later_repeats_are_nothing, order_is_nothing, repeats_are_nothing};
use twins::{collects, extends, twins_agree};
use valued::{fading_commutes, least_of_the_greatest};
use windowed::windows_are_filters;
use wire::copies_behave_alike;

/// A variant of a structure: its kind, and the laws that it obeys.
pub(crate) struct Line {
    pub(crate) kind: Kind,
    pub(crate) laws: &'static [&'static str],
}

/// One test for each variant and law, and the table of them.
macro_rules! laws {
    ($($variant:ident: $kind:ident [$($law:ident)*] = $make:expr;)*) => {
        $(mod $variant {
            use super::*;
            $(#[test]
            fn $law() {
                super::$law($make);
            })*
        })*
        pub(crate) const LINES: &[Line] =
            &[$(Line { kind: Kind::$kind, laws: &[$(stringify!($law)),*] }),*];
    };
}

#[rustfmt::skip]
laws! {
    bloom_of_one_bit: BloomFilter [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree extends collects no_false_negatives random_operations] = structures::bloom_filter::make(1, 1);
    bloom_of_odd_size: BloomFilter [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree extends collects no_false_negatives random_operations folds_and_intersects] = structures::bloom_filter::make(1003, 5);
    bloom_of_whole_words: BloomFilter [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree extends collects no_false_negatives random_operations folds_and_intersects] = structures::bloom_filter::make(1 << 14, 8);

    blocked_bloom_of_one_block: BlockedBloom [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree extends collects no_false_negatives random_operations] = structures::blocked_bloom::make(1);
    blocked_bloom_of_a_few: BlockedBloom [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree extends collects no_false_negatives random_operations] = structures::blocked_bloom::make(13);
    blocked_bloom: BlockedBloom [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree extends collects no_false_negatives random_operations] = structures::blocked_bloom::make(64);

    atomic_bloom_of_one_block: AtomicBloom [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree extends collects no_false_negatives random_operations] = structures::atomic_bloom::make(1, 2);
    atomic_bloom_of_a_few: AtomicBloom [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree extends collects no_false_negatives random_operations] = structures::atomic_bloom::make(7, 16);
    atomic_bloom: AtomicBloom [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree extends collects no_false_negatives random_operations] = structures::atomic_bloom::make(32, 6);
    bloom_folded: BloomFilter [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree extends no_false_negatives random_operations folds_and_intersects] = structures::bloom_filter::folded;

    dynamic_of_one_item: DynamicBloom [copies_behave_alike memory_is_told any_sketch hostile_bytes merge_keeps_all later_repeats_are_nothing twins_agree extends collects no_false_negatives random_operations] = structures::layered::dynamic(1, 0.5);
    dynamic_small: DynamicBloom [copies_behave_alike memory_is_told any_sketch hostile_bytes merge_keeps_all later_repeats_are_nothing twins_agree extends collects no_false_negatives random_operations] = structures::layered::dynamic(23, 0.05);
    dynamic_usual: DynamicBloom [copies_behave_alike memory_is_told any_sketch hostile_bytes merge_keeps_all later_repeats_are_nothing twins_agree extends collects no_false_negatives random_operations] = structures::layered::dynamic(300, 0.01);

    scalable_of_one_item: ScalableBloom [copies_behave_alike memory_is_told any_sketch hostile_bytes merge_keeps_all later_repeats_are_nothing twins_agree extends collects no_false_negatives random_operations] = structures::layered::growing(1, 0.5, 2, 0.95);
    scalable_small: ScalableBloom [copies_behave_alike memory_is_told any_sketch hostile_bytes merge_keeps_all later_repeats_are_nothing twins_agree extends collects no_false_negatives random_operations] = structures::layered::growing(23, 0.05, 4, 0.5);
    scalable_usual: ScalableBloom [copies_behave_alike memory_is_told any_sketch hostile_bytes merge_keeps_all later_repeats_are_nothing twins_agree extends collects no_false_negatives random_operations] = structures::layered::growing(300, 0.01, 2, 0.8);
    windowed_of_one_time: WindowedBloom [copies_behave_alike memory_is_told any_sketch hostile_bytes twins_agree windows_are_filters] = structures::windowed_bloom::make(1, 0.5, 1, 1);
    windowed_small: WindowedBloom [copies_behave_alike memory_is_told any_sketch hostile_bytes twins_agree windows_are_filters] = structures::windowed_bloom::make(20, 0.05, 600, 3);
    windowed_usual: WindowedBloom [copies_behave_alike memory_is_told any_sketch hostile_bytes twins_agree windows_are_filters] = structures::windowed_bloom::make(200, 0.01, 400, 4);
    windowed_within_a_generation: WindowedBloom [copies_behave_alike memory_is_told any_sketch hostile_bytes merge_keeps_all twins_agree windows_are_filters] = structures::windowed_bloom::make(300, 0.01, 4096, 4);

    fuse_of_one_bit: BinaryFuse [frozen_copies frozen_memory_is_told frozen_any_sketch frozen_hostile_bytes frozen_set_decides frozen_no_false_negatives frozen_views] = structures::binary_fuse::make(1);
    fuse_of_bytes: BinaryFuse [frozen_copies frozen_memory_is_told frozen_any_sketch frozen_hostile_bytes frozen_set_decides frozen_no_false_negatives frozen_views] = structures::binary_fuse::make(8);
    fuse_of_odd_width: BinaryFuse [frozen_copies frozen_memory_is_told frozen_any_sketch frozen_hostile_bytes frozen_set_decides frozen_no_false_negatives frozen_views] = structures::binary_fuse::make(13);
    fuse_of_32_bits: BinaryFuse [frozen_copies frozen_memory_is_told frozen_any_sketch frozen_hostile_bytes frozen_set_decides frozen_no_false_negatives frozen_views] = structures::binary_fuse::make(32);

    counting_of_one_counter: CountingBloom [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge order_is_nothing twins_agree extends no_false_negatives random_operations what_went_is_gone] = structures::counting_bloom::make(1, 1, 2);
    counting_of_odd_size: CountingBloom [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge order_is_nothing twins_agree extends no_false_negatives random_operations what_went_is_gone] = structures::counting_bloom::make(1003, 5, 4);
    counting_of_wide_counters: CountingBloom [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge order_is_nothing twins_agree extends no_false_negatives random_operations what_went_is_gone] = structures::counting_bloom::make(640, 3, 13);

    spectral_of_one_counter: SpectralBloom [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge order_is_nothing twins_agree no_false_negatives random_operations what_went_is_gone never_too_low] = structures::spectral_bloom::make(1, 1, 5);
    spectral_of_odd_size: SpectralBloom [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge order_is_nothing twins_agree no_false_negatives random_operations what_went_is_gone never_too_low] = structures::spectral_bloom::make(1003, 5, 16);
    spectral_of_wide_counters: SpectralBloom [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge order_is_nothing twins_agree no_false_negatives random_operations what_went_is_gone never_too_low] = structures::spectral_bloom::make(320, 3, 32);
    minimal_increase: SpectralBloom [copies_behave_alike memory_is_told any_sketch hostile_bytes bounded_merge twins_agree no_false_negatives never_too_low conservative_below_plain] = structures::spectral_bloom::minimal(401, 4, 16);
    minimal_increase_of_wide_counters: SpectralBloom [copies_behave_alike memory_is_told any_sketch hostile_bytes bounded_merge twins_agree no_false_negatives never_too_low conservative_below_plain] = structures::spectral_bloom::minimal(128, 3, 31);

    partitioned_of_one_bit: PartitionedBloom [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree extends collects no_false_negatives random_operations fewer_blocks] = structures::partitioned_bloom::make(1, 1, 1);
    partitioned_of_odd_size: PartitionedBloom [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree extends collects no_false_negatives random_operations fewer_blocks] = structures::partitioned_bloom::make(3, 335, 2);
    partitioned_of_whole_words: PartitionedBloom [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree extends collects no_false_negatives random_operations fewer_blocks] = structures::partitioned_bloom::make(7, 1 << 10, 1);

    compressed_of_one_bit: CompressedBloom [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree extends collects no_false_negatives random_operations] = structures::compressed_bloom::make(1, 1);
    compressed_of_odd_size: CompressedBloom [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree extends collects no_false_negatives random_operations] = structures::compressed_bloom::make(5003, 2);
    compressed_of_whole_words: CompressedBloom [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree extends collects no_false_negatives random_operations] = structures::compressed_bloom::make(1 << 14, 4);

    cuckoo_of_five_slots: CuckooFilter [copies_behave_alike memory_is_told hostile_bytes merge_keeps_all twins_agree no_false_negatives random_operations] = structures::cuckoo_filter::make(2, 4);
    cuckoo_small: CuckooFilter [copies_behave_alike memory_is_told hostile_bytes merge_keeps_all twins_agree no_false_negatives random_operations] = structures::cuckoo_filter::make(26, 9);
    cuckoo_wide: CuckooFilter [copies_behave_alike memory_is_told any_sketch hostile_bytes merge_keeps_all twins_agree no_false_negatives random_operations] = structures::cuckoo_filter::make(80, 28);
    cuckoo_usual: CuckooFilter [copies_behave_alike memory_is_told any_sketch hostile_bytes merge_keeps_all twins_agree no_false_negatives random_operations] = structures::cuckoo_filter::make(1002, 9);

    cuckoo_table: CuckooTable [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree extends collects no_false_negatives random_operations distinct_count] = structures::cuckoo_table::make;

    quotient_of_one: QuotientFilter [copies_behave_alike memory_is_told hostile_bytes exact_merge order_is_nothing twins_agree random_operations copies_are_counted removing_undoes growing_keeps_answers full_changes_nothing] = structures::quotient_filter::make(1, 12);
    quotient_of_odd_size: QuotientFilter [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge order_is_nothing twins_agree no_false_negatives random_operations copies_are_counted removing_undoes growing_keeps_answers full_changes_nothing] = structures::quotient_filter::make(131, 3);
    quotient_with_long_remainders: QuotientFilter [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge order_is_nothing twins_agree no_false_negatives random_operations copies_are_counted removing_undoes growing_keeps_answers full_changes_nothing] = structures::quotient_filter::make(192, 52);
    quotient_usual: QuotientFilter [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge order_is_nothing twins_agree no_false_negatives random_operations copies_are_counted removing_undoes growing_keeps_answers full_changes_nothing] = structures::quotient_filter::make(1024, 7);

    compaction_of_bytes: HashCompaction [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree extends collects no_false_negatives random_operations] = structures::hash_compaction::make(5, 8);
    compaction_of_odd_size: HashCompaction [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree extends collects no_false_negatives random_operations] = structures::hash_compaction::make(97, 29);
    compaction_of_whole_hashes: HashCompaction [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree extends collects no_false_negatives random_operations] = structures::hash_compaction::make(30, 64);

    direct_of_one: DirectTable [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree] = structures::direct_table::make(1);
    direct_of_odd_size: DirectTable [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree] = structures::direct_table::make(67);
    direct_of_whole_words: DirectTable [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree] = structures::direct_table::make(1024);

    hyperloglog_4: HyperLogLog [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree extends collects distinct_count folds] = structures::registers::hyperloglog(4);
    hyperloglog_7: HyperLogLog [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree extends collects distinct_count folds] = structures::registers::hyperloglog(7);
    hyperloglog_10: HyperLogLog [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree extends collects distinct_count folds] = structures::registers::hyperloglog(10);
    hyperloglog_13: HyperLogLog [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree extends collects distinct_count folds] = structures::registers::hyperloglog(13);
    hyperloglog_18: HyperLogLog [memory_is_told any_sketch hostile_bytes twins_agree distinct_count folds] = structures::registers::hyperloglog(18);

    exaloglog_4: ExaLogLog [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree extends collects distinct_count folds] = structures::registers::exaloglog(4);
    exaloglog_7: ExaLogLog [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree extends collects distinct_count folds] = structures::registers::exaloglog(7);
    exaloglog_10: ExaLogLog [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree extends collects distinct_count folds] = structures::registers::exaloglog(10);
    exaloglog_18: ExaLogLog [memory_is_told any_sketch hostile_bytes twins_agree distinct_count folds] = structures::registers::exaloglog(18);
    k_min_values_16: KMinValues [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree extends collects distinct_count compares tells_alike folds_to_fewer] = structures::k_min_values::make(16);
    k_min_values_of_odd_size: KMinValues [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree extends collects distinct_count compares tells_alike folds_to_fewer] = structures::k_min_values::make(37);
    k_min_values_usual: KMinValues [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree extends collects distinct_count compares tells_alike folds_to_fewer] = structures::k_min_values::make(300);

    sliding_small: SlidingHyperLogLog [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree windows_are_sketches] = structures::sliding_hyperloglog::make(4, 600);
    sliding_of_one_time: SlidingHyperLogLog [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree windows_are_sketches] = structures::sliding_hyperloglog::make(5, 1);
    sliding_usual: SlidingHyperLogLog [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree windows_are_sketches] = structures::sliding_hyperloglog::make(8, 300);
    sliding_of_all_times: SlidingHyperLogLog [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree windows_are_sketches] = structures::sliding_hyperloglog::make(6, u64::MAX);

    joint_small: Joint [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree extends collects distinct_count compares tells_alike] = structures::joint::make(4, 16);
    joint_of_odd_size: Joint [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree extends collects distinct_count compares tells_alike] = structures::joint::make(7, 101);
    joint_of_a_long_counter: Joint [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree extends collects distinct_count compares tells_alike] = structures::joint::make(10, 20);

    martingale_4: MartingaleHyperLogLog [copies_behave_alike memory_is_told any_sketch hostile_bytes later_repeats_are_nothing twins_agree extends collects distinct_count] = structures::martingale::make(4);
    martingale_7: MartingaleHyperLogLog [copies_behave_alike memory_is_told any_sketch hostile_bytes later_repeats_are_nothing twins_agree extends collects distinct_count] = structures::martingale::make(7);
    martingale_12: MartingaleHyperLogLog [copies_behave_alike memory_is_told any_sketch hostile_bytes later_repeats_are_nothing twins_agree extends collects distinct_count] = structures::martingale::make(12);
    exa_martingale_4: MartingaleExaLogLog [copies_behave_alike memory_is_told any_sketch hostile_bytes later_repeats_are_nothing twins_agree extends collects distinct_count] = structures::martingale::make_exa(4);
    exa_martingale_9: MartingaleExaLogLog [copies_behave_alike memory_is_told any_sketch hostile_bytes later_repeats_are_nothing twins_agree extends collects distinct_count] = structures::martingale::make_exa(9);

    linear_of_one_bit: LinearCounting [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree extends collects distinct_count] = structures::linear_counting::make(1);
    linear_of_odd_size: LinearCounting [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree extends collects distinct_count] = structures::linear_counting::make(67);
    linear_of_whole_words: LinearCounting [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree extends collects distinct_count] = structures::linear_counting::make(1024);

    minimum_of_one_cell: MinimumHash [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree extends collects distinct_count] = structures::minimum_hash::make(1);
    minimum_of_a_few: MinimumHash [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree extends collects distinct_count] = structures::minimum_hash::make(16);
    minimum_usual: MinimumHash [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree extends collects distinct_count] = structures::minimum_hash::make(256);

    probabilistic_4: ProbabilisticCounting [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree extends collects distinct_count] = structures::registers::probabilistic(4);
    probabilistic_7: ProbabilisticCounting [copies_behave_alike memory_is_told any_sketch exact_merge idempotent_merge repeats_are_nothing twins_agree extends collects distinct_count] = structures::registers::probabilistic(7);
    probabilistic_10: ProbabilisticCounting [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree extends collects distinct_count] = structures::registers::probabilistic(10);

    loglog_4: LogLog [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree extends collects distinct_count] = structures::registers::loglog(4);
    loglog_7: LogLog [copies_behave_alike memory_is_told any_sketch exact_merge idempotent_merge repeats_are_nothing twins_agree extends collects distinct_count] = structures::registers::loglog(7);
    loglog_10: LogLog [copies_behave_alike memory_is_told any_sketch exact_merge idempotent_merge repeats_are_nothing twins_agree extends collects distinct_count] = structures::registers::loglog(10);

    count_min_of_one_cell: CountMin [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge order_is_nothing twins_agree never_too_low halving_decays] = structures::count_min::make(1, 1, 32);
    count_min_narrow: CountMin [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge order_is_nothing twins_agree never_too_low halving_decays] = structures::count_min::make(37, 3, 32);
    count_min_wide: CountMin [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge order_is_nothing twins_agree never_too_low halving_decays] = structures::count_min::make(29, 4, 64);
    conservative_narrow: CountMin [copies_behave_alike memory_is_told any_sketch hostile_bytes bounded_merge twins_agree never_too_low conservative_below_plain halving_decays] = structures::count_min::conservative(53, 4, 32);
    conservative_wide: CountMin [copies_behave_alike memory_is_told any_sketch hostile_bytes bounded_merge twins_agree never_too_low conservative_below_plain] = structures::count_min::conservative(31, 2, 64);
    count_min_of_bytes: CountMin [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge order_is_nothing twins_agree never_too_low halving_decays] = structures::count_min::make(41, 3, 8);
    count_min_of_16_bits: CountMin [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge order_is_nothing twins_agree never_too_low halving_decays] = structures::count_min::make(64, 2, 16);
    conservative_of_bytes: CountMin [copies_behave_alike memory_is_told any_sketch hostile_bytes bounded_merge twins_agree never_too_low conservative_below_plain halving_decays] = structures::count_min::conservative(43, 3, 8);

    signed_count_min_of_one_cell: SignedCountMin [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge order_is_nothing twins_agree errs_to_both_sides] = structures::signed_tables::signed_count_min(1, 1);
    signed_count_min_of_odd_size: SignedCountMin [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge order_is_nothing twins_agree errs_to_both_sides] = structures::signed_tables::signed_count_min(37, 5);
    signed_count_min_of_even_depth: SignedCountMin [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge order_is_nothing twins_agree errs_to_both_sides] = structures::signed_tables::signed_count_min(64, 4);

    count_sketch_of_one_cell: CountSketch [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge order_is_nothing twins_agree errs_to_both_sides] = structures::signed_tables::count_sketch(1, 1);
    count_sketch_of_odd_size: CountSketch [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge order_is_nothing twins_agree errs_to_both_sides] = structures::signed_tables::count_sketch(37, 7);
    count_sketch_of_even_depth: CountSketch [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge order_is_nothing twins_agree errs_to_both_sides] = structures::signed_tables::count_sketch(64, 6);

    moments_of_one_cell: Moments [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge order_is_nothing twins_agree] = structures::moments::make(4, 1);
    moments_of_odd_size: Moments [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge order_is_nothing twins_agree] = structures::moments::make(7, 101);
    moments_usual: Moments [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge order_is_nothing twins_agree] = structures::moments::make(9, 512);

    space_saving_of_one_counter: SpaceSaving [copies_behave_alike memory_is_told any_sketch hostile_bytes bounded_merge twins_agree bounds_are_certain what_just_left_comes_again] = structures::frequent::space_saving(1);
    space_saving_of_a_few: SpaceSaving [copies_behave_alike memory_is_told any_sketch hostile_bytes bounded_merge twins_agree bounds_are_certain what_just_left_comes_again] = structures::frequent::space_saving(7);
    space_saving_usual: SpaceSaving [copies_behave_alike memory_is_told any_sketch hostile_bytes bounded_merge twins_agree bounds_are_certain what_just_left_comes_again] = structures::frequent::space_saving(100);

    misra_gries_of_one_counter: MisraGries [copies_behave_alike memory_is_told any_sketch hostile_bytes bounded_merge twins_agree bounds_are_certain what_just_left_comes_again] = structures::frequent::misra_gries(1);
    misra_gries_of_a_few: MisraGries [copies_behave_alike memory_is_told any_sketch hostile_bytes bounded_merge twins_agree bounds_are_certain what_just_left_comes_again] = structures::frequent::misra_gries(7);
    misra_gries_usual: MisraGries [copies_behave_alike memory_is_told any_sketch hostile_bytes bounded_merge twins_agree bounds_are_certain what_just_left_comes_again] = structures::frequent::misra_gries(100);

    majority: Majority [copies_behave_alike memory_is_told any_sketch hostile_bytes bounded_merge twins_agree] = structures::frequent::majority;

    kll_smallest: Kll [copies_behave_alike memory_is_told any_sketch hostile_bytes twins_agree merge_keeps_ranks] = structures::kll::make::<u64>(8);
    kll_of_odd_size: Kll [copies_behave_alike memory_is_told any_sketch hostile_bytes twins_agree merge_keeps_ranks] = structures::kll::make::<u64>(37);
    kll_usual: Kll [copies_behave_alike memory_is_told any_sketch hostile_bytes twins_agree merge_keeps_ranks] = structures::kll::make::<u64>(200);

    dyadic_of_one_cell: DyadicCountMin [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge order_is_nothing twins_agree ranges_hold removals_undo] = structures::dyadic_count_min::make(5, 1, 1);
    dyadic_of_odd_size: DyadicCountMin [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge order_is_nothing twins_agree ranges_hold removals_undo] = structures::dyadic_count_min::make(11, 13, 3);
    dyadic_all_exact: DyadicCountMin [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge order_is_nothing twins_agree ranges_hold removals_undo] = structures::dyadic_count_min::make(7, 40, 4);
    dyadic_of_all_bits: DyadicCountMin [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge order_is_nothing twins_agree ranges_hold removals_undo] = structures::dyadic_count_min::make(64, 30, 2);

    req_smallest: ReqSketch [copies_behave_alike memory_is_told any_sketch hostile_bytes twins_agree merge_keeps_ranks] = structures::req_sketch::make::<u64>(4, Tail::High);
    req_of_odd_size: ReqSketch [copies_behave_alike memory_is_told any_sketch hostile_bytes twins_agree merge_keeps_ranks] = structures::req_sketch::make::<u64>(7, Tail::Low);
    req_usual: ReqSketch [copies_behave_alike memory_is_told any_sketch hostile_bytes twins_agree merge_keeps_ranks] = structures::req_sketch::make::<u64>(16, Tail::High);
    log_of_one_bucket: LogQuantiles [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge order_is_nothing twins_agree values_hold] = structures::log_quantiles::make(1, 1);
    log_of_a_few: LogQuantiles [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge order_is_nothing twins_agree values_hold] = structures::log_quantiles::make(3, 20);
    log_of_all_octaves: LogQuantiles [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge order_is_nothing twins_agree values_hold] = structures::log_quantiles::make(2, 2 * 2098);
    log_usual: LogQuantiles [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge order_is_nothing twins_agree values_hold] = structures::log_quantiles::make(35, 64 * 35);

    reservoir_of_one: Reservoir [copies_behave_alike memory_is_told any_sketch hostile_bytes distribution_merge twins_agree] = structures::reservoir::make::<u64>(1);
    reservoir_of_a_few: Reservoir [copies_behave_alike memory_is_told any_sketch hostile_bytes distribution_merge twins_agree] = structures::reservoir::make::<u64>(7);
    reservoir: Reservoir [copies_behave_alike memory_is_told any_sketch hostile_bytes distribution_merge twins_agree] = structures::reservoir::make::<u64>(64);
    reservoir_of_texts: Reservoir [copies_behave_alike memory_is_told any_sketch hostile_bytes distribution_merge twins_agree] = structures::reservoir::make::<String>(5);

    weighted_of_one: WeightedReservoir [copies_behave_alike memory_is_told any_sketch hostile_bytes distribution_merge twins_agree] = structures::weighted_reservoir::make::<u64>(1);
    weighted_of_a_few: WeightedReservoir [copies_behave_alike memory_is_told any_sketch hostile_bytes distribution_merge twins_agree] = structures::weighted_reservoir::make::<u64>(7);
    weighted: WeightedReservoir [copies_behave_alike memory_is_told any_sketch hostile_bytes distribution_merge twins_agree] = structures::weighted_reservoir::make::<u64>(64);
    weighted_of_texts: WeightedReservoir [copies_behave_alike memory_is_told any_sketch hostile_bytes distribution_merge twins_agree] = structures::weighted_reservoir::make::<String>(5);

    var_opt_of_one: VarOpt [copies_behave_alike memory_is_told any_sketch hostile_bytes distribution_merge twins_agree] = structures::var_opt::make::<u64>(1);
    var_opt_of_a_few: VarOpt [copies_behave_alike memory_is_told any_sketch hostile_bytes distribution_merge twins_agree] = structures::var_opt::make::<u64>(7);
    var_opt: VarOpt [copies_behave_alike memory_is_told any_sketch hostile_bytes distribution_merge twins_agree] = structures::var_opt::make::<u64>(64);
    var_opt_of_texts: VarOpt [copies_behave_alike memory_is_told any_sketch hostile_bytes distribution_merge twins_agree] = structures::var_opt::make::<String>(5);

    binomial_of_one_bit: BinomialCounter [copies_behave_alike memory_is_told any_sketch hostile_bytes distribution_merge twins_agree] = structures::small_counters::binomial(0.5, 1);
    binomial_exact: BinomialCounter [copies_behave_alike memory_is_told any_sketch hostile_bytes distribution_merge twins_agree] = structures::small_counters::binomial(1.0, 7);
    binomial_of_32_bits: BinomialCounter [copies_behave_alike memory_is_told any_sketch hostile_bytes distribution_merge twins_agree] = structures::small_counters::binomial(0.1, 32);

    morris_of_two_bits: MorrisCounter [copies_behave_alike memory_is_told any_sketch hostile_bytes distribution_merge twins_agree] = structures::small_counters::morris(2.0, 2);
    morris_of_eight_bits: MorrisCounter [copies_behave_alike memory_is_told any_sketch hostile_bytes distribution_merge twins_agree] = structures::small_counters::morris(1.1, 8);
    morris_near_one: MorrisCounter [copies_behave_alike memory_is_told any_sketch hostile_bytes distribution_merge twins_agree] = structures::small_counters::morris(1.001, 13);

    binomials_of_one: BinomialArray [copies_behave_alike memory_is_told any_sketch hostile_bytes distribution_merge twins_agree] = structures::small_counters::binomials(1, 0.5, 3);
    binomials_of_bytes: BinomialArray [copies_behave_alike memory_is_told any_sketch hostile_bytes distribution_merge twins_agree] = structures::small_counters::binomials(64, 0.25, 8);
    binomials_of_odd_width: BinomialArray [copies_behave_alike memory_is_told any_sketch hostile_bytes distribution_merge twins_agree] = structures::small_counters::binomials(67, 0.01, 13);

    morrises_of_one: MorrisArray [copies_behave_alike memory_is_told any_sketch hostile_bytes distribution_merge twins_agree] = structures::small_counters::morrises(1, 2.0, 2);
    morrises_of_bytes: MorrisArray [copies_behave_alike memory_is_told any_sketch hostile_bytes distribution_merge twins_agree] = structures::small_counters::morrises(64, 1.1, 8);
    morrises_of_odd_width: MorrisArray [copies_behave_alike memory_is_told any_sketch hostile_bytes distribution_merge twins_agree] = structures::small_counters::morrises(67, 1.01, 11);

    min_hash_of_one_slot: MinHash [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree extends collects tells_alike] = structures::signatures::min_hash(1);
    min_hash_of_odd_size: MinHash [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree extends collects tells_alike] = structures::signatures::min_hash(37);
    min_hash_usual: MinHash [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree extends collects tells_alike] = structures::signatures::min_hash(128);

    one_permutation_of_one_bin: OnePermutation [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree extends collects tells_alike] = structures::signatures::one_permutation(1);
    one_permutation_of_odd_size: OnePermutation [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree extends collects tells_alike] = structures::signatures::one_permutation(37);
    one_permutation_usual: OnePermutation [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree extends collects tells_alike] = structures::signatures::one_permutation(128);

    b_bit_of_one_slot: BBitMinHash [frozen_copies frozen_memory_is_told frozen_any_sketch frozen_hostile_bytes frozen_set_decides frozen_tells_alike] = structures::b_bit_min_hash::of_functions(1, 1);
    b_bit_of_odd_size: BBitMinHash [frozen_copies frozen_memory_is_told frozen_any_sketch frozen_hostile_bytes frozen_set_decides frozen_tells_alike] = structures::b_bit_min_hash::of_functions(37, 2);
    b_bit_of_bins: BBitMinHash [frozen_copies frozen_memory_is_told frozen_any_sketch frozen_hostile_bytes frozen_set_decides frozen_tells_alike] = structures::b_bit_min_hash::of_bins(128, 4);
    b_bit_of_wide_bins: BBitMinHash [frozen_copies frozen_memory_is_told frozen_any_sketch frozen_hostile_bytes frozen_set_decides frozen_tells_alike] = structures::b_bit_min_hash::of_bins(67, 16);
    weighted_min_hash_of_one_slot: WeightedMinHash [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree tells_alike] = structures::weighted_min_hash::make(1);
    weighted_min_hash_of_odd_size: WeightedMinHash [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree tells_alike] = structures::weighted_min_hash::make(37);
    weighted_min_hash_usual: WeightedMinHash [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree tells_alike] = structures::weighted_min_hash::make(128);

    sim_hash_64: SimHash [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge order_is_nothing twins_agree extends collects tells_alike] = structures::sim_hash::make(64);
    sim_hash_192: SimHash [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge order_is_nothing twins_agree extends collects tells_alike] = structures::sim_hash::make(192);

    hamming_of_equals: HammingIndex [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree removal_and_reload_lose_nothing] = structures::hamming_index::make(0, 1);
    hamming_usual: HammingIndex [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree removal_and_reload_lose_nothing] = structures::hamming_index::make(3, 3);
    hamming_of_eight_blocks: HammingIndex [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree removal_and_reload_lose_nothing] = structures::hamming_index::make(7, 8);
    hamming_by_comparing_all: HammingIndex [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree removal_and_reload_lose_nothing] = structures::hamming_index::make(12, 0);

    index_of_one_band: LshIndex [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing] = structures::lsh_index::make(1, 1, 1);
    index_of_some_slots: LshIndex [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing] = structures::lsh_index::make(3, 2, 9);
    index_usual: LshIndex [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing] = structures::lsh_index::make(16, 8, 128);

    bands_of_one_bit: LshBloom [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing] = structures::lsh_bloom::make(1, 1, 1, 1);
    bands_of_odd_size: LshBloom [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing] = structures::lsh_bloom::make(5, 3, 1003, 5);

    distances_of_one_bit: DistanceBloom [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing] = structures::distance_bloom::bits(1, 1, 1, 1);
    distances_of_bits: DistanceBloom [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing] = structures::distance_bloom::bits(100, 10, 6, 83);
    distances_of_sets: DistanceBloom [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing] = structures::distance_bloom::sets(20, 5, 4, 83);

    linear_of_one_cell: LinearBloom [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree least_of_the_greatest] = structures::linear_bloom::make::<f64>(1, 1);
    linear_of_odd_number: LinearBloom [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree least_of_the_greatest] = structures::linear_bloom::make::<f64>(67, 3);
    linear_of_integers: LinearBloom [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree least_of_the_greatest] = structures::linear_bloom::make::<i16>(256, 5);
    linear_of_bytes: LinearBloom [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree least_of_the_greatest] = structures::linear_bloom::make::<u8>(301, 2);
    quantised_of_one_cell: QuantisedBloom [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree least_of_the_greatest] = structures::quantised_bloom::linear::<u8>(1, 1);
    quantised_usual: QuantisedBloom [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree least_of_the_greatest] = structures::quantised_bloom::logarithmic::<u8>(301, 4);
    quantised_of_two_bytes: QuantisedBloom [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree least_of_the_greatest] = structures::quantised_bloom::linear::<u16>(128, 3);
    decaying_of_one_cell: DecayingBloom [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree least_of_the_greatest fading_commutes] = structures::decaying_bloom::make(1, 1, 0.5, 1.0);
    decaying_usual: DecayingBloom [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree least_of_the_greatest fading_commutes] = structures::decaying_bloom::make(101, 4, 0.9, 0.01);
    decaying_aged: DecayingBloom [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree least_of_the_greatest fading_commutes] = structures::decaying_bloom::aged(64, 3);
    bloomier_of_one_bit: BloomierFilter [frozen_copies frozen_memory_is_told frozen_any_sketch frozen_hostile_bytes frozen_set_decides] = structures::bloomier_filter::make(1, 0);
    bloomier_of_bytes: BloomierFilter [frozen_copies frozen_memory_is_told frozen_any_sketch frozen_hostile_bytes frozen_set_decides] = structures::bloomier_filter::make(8, 8);
    bloomier_of_odd_width: BloomierFilter [frozen_copies frozen_memory_is_told frozen_any_sketch frozen_hostile_bytes frozen_set_decides] = structures::bloomier_filter::make(13, 6);
    bloomier_widest: BloomierFilter [frozen_copies frozen_memory_is_told frozen_any_sketch frozen_hostile_bytes frozen_set_decides] = structures::bloomier_filter::make(64, 32);

    edges_of_one_bit: EdgeBloom [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree] = structures::edge_bloom::make(1, 1, Direction::Undirected);
    edges_directed: EdgeBloom [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree] = structures::edge_bloom::make(1003, 5, Direction::Directed);
    edges_undirected: EdgeBloom [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing twins_agree] = structures::edge_bloom::make(1 << 10, 7, Direction::Undirected);

    vertices_of_one: VertexBlooms [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing] = structures::vertex_blooms::make(1, 1, 1, Direction::Undirected);
    vertices_directed: VertexBlooms [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing] = structures::vertex_blooms::make(10, 30, 3, Direction::Directed);
    vertices_undirected: VertexBlooms [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing] = structures::vertex_blooms::make(40, 5, 7, Direction::Undirected);
    de_bruijn_of_one_bit: DeBruijn [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing order_is_nothing] = structures::de_bruijn::make(1, 1, 1);
    de_bruijn: DeBruijn [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing order_is_nothing] = structures::de_bruijn::make(31, 1003, 4);
    de_bruijn_of_long_words: DeBruijn [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge repeats_are_nothing order_is_nothing] = structures::de_bruijn::make(63, 512, 3);

    exact_de_bruijn_of_short_words: ExactDeBruijn [frozen_copies frozen_memory_is_told frozen_any_sketch frozen_hostile_bytes frozen_set_decides] = structures::exact_de_bruijn::make(4);
    exact_de_bruijn: ExactDeBruijn [frozen_copies frozen_memory_is_told frozen_any_sketch frozen_hostile_bytes frozen_set_decides] = structures::exact_de_bruijn::make(31);
    exact_de_bruijn_of_long_words: ExactDeBruijn [frozen_copies frozen_memory_is_told frozen_any_sketch frozen_hostile_bytes frozen_set_decides] = structures::exact_de_bruijn::make(45);
    matrix_of_one: AdjacencyMatrix [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge order_is_nothing repeats_are_nothing twins_agree] = structures::adjacency_matrix::make(1, Direction::Undirected);
    matrix_directed: AdjacencyMatrix [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge order_is_nothing repeats_are_nothing twins_agree] = structures::adjacency_matrix::make(9, Direction::Directed);
    matrix_undirected: AdjacencyMatrix [copies_behave_alike memory_is_told any_sketch hostile_bytes exact_merge idempotent_merge order_is_nothing repeats_are_nothing twins_agree] = structures::adjacency_matrix::make(13, Direction::Undirected);
    list_directed: AdjacencyList [frozen_copies frozen_memory_is_told frozen_any_sketch frozen_hostile_bytes frozen_set_decides] = structures::numbered_graphs::list(30, Direction::Directed);
    list_undirected: AdjacencyList [frozen_copies frozen_memory_is_told frozen_any_sketch frozen_hostile_bytes frozen_set_decides] = structures::numbered_graphs::list(100, Direction::Undirected);
    parents_given: ParentTree [frozen_copies frozen_memory_is_told frozen_any_sketch frozen_hostile_bytes frozen_set_decides] = structures::numbered_graphs::parent_tree;
    parents_of_edges: ParentTree [frozen_copies frozen_memory_is_told frozen_any_sketch frozen_hostile_bytes frozen_set_decides] = structures::numbered_graphs::rooted_tree;
    intervals_of_one_point: IntervalGraph [frozen_copies frozen_memory_is_told frozen_any_sketch frozen_hostile_bytes frozen_set_decides] = structures::numbered_graphs::intervals(1);
    intervals_sparse: IntervalGraph [frozen_copies frozen_memory_is_told frozen_any_sketch frozen_hostile_bytes frozen_set_decides] = structures::numbered_graphs::intervals(1000);

    intersection_of_nothing_else: IntersectionLabels [frozen_copies frozen_memory_is_told frozen_any_sketch frozen_hostile_bytes frozen_set_decides] = structures::numbered_graphs::intersection((0, 1), (5, 8, 1));
    intersection_half_alike: IntersectionLabels [frozen_copies frozen_memory_is_told frozen_any_sketch frozen_hostile_bytes frozen_set_decides] = structures::numbered_graphs::intersection((1, 2), (70, 1, 50));
    tree_of_bits: TreeLabels [frozen_copies frozen_memory_is_told frozen_any_sketch frozen_hostile_bytes frozen_set_decides] = structures::numbered_graphs::tree_labels(LabelScheme::MinHash, (37, 2, 20));
    tree_of_signs: TreeLabels [frozen_copies frozen_memory_is_told frozen_any_sketch frozen_hostile_bytes frozen_set_decides] = structures::numbered_graphs::tree_labels(LabelScheme::SimHash, (70, 1, 50));
    two_sides: BipartiteLabels [frozen_copies frozen_memory_is_told frozen_any_sketch frozen_hostile_bytes frozen_set_decides] = structures::numbered_graphs::bipartite(Sides::Bipartite, (5, 8, 1));
    two_sides_split: BipartiteLabels [frozen_copies frozen_memory_is_told frozen_any_sketch frozen_hostile_bytes frozen_set_decides] = structures::numbered_graphs::bipartite(Sides::Split, (37, 2, 12));
    profile_smallest: TableProfile [copies_behave_alike memory_is_told any_sketch hostile_bytes merge_keeps_profile] = structures::table_profile::make(1.0, structures::table_profile::BOTH);
    profile_of_a_few: TableProfile [copies_behave_alike memory_is_told any_sketch hostile_bytes merge_keeps_profile] = structures::table_profile::make(0.3, structures::table_profile::BOTH);
    profile_of_one_column: TableProfile [copies_behave_alike memory_is_told any_sketch hostile_bytes merge_keeps_profile] = structures::table_profile::make(1.0, structures::table_profile::SHORT);
}
