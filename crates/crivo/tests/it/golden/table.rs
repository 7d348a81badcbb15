//! The frozen bytes of every kind: see [`check_cases`](super::check_cases) and
//! [`assert_fingerprint`](super::assert_fingerprint).

use super::frozen;
use crate::golden as subject;
use crivo::graph::{Direction, LabelScheme, Sides};
use crivo::membership::{CompressedBloom, PartitionedBloom, SpectralBloom, SpectralParams};
use crivo::quantile::Tail;
use crivo::{AtomicBloom, BlockedBloom, BloomFilter, CountingBloom, CuckooFilter, Kind};

/// Writes the tests of each row, and the list of all kinds. A row builds its sketches by the functions of a file of
/// `structures`.
macro_rules! golden {
    ($kinds:ident by $by:ident: $($name:ident in $file:ident: $kind:ident
        $(cases($few:literal, $many:literal, $usual:expr))? fingerprint($expected:literal, $($make:expr),+);)*) => {
        $(mod $name {
            use super::*;
            use crate::structures::$file::*;

            $(#[test]
            fn cases() {
                super::$by::check_cases($usual, $few, $many);
            })?

            #[test]
            fn fingerprint() {
                super::$by::assert_fingerprint(Kind::$kind, &[$(&$make),+], $expected);
            }
        })*

        pub(crate) const $kinds: &[Kind] = &[$(Kind::$kind),*];
    };
}

#[rustfmt::skip]
golden! {
    SUBJECTS by subject:
    adjacency_matrix in adjacency_matrix: AdjacencyMatrix cases(20, 400, make(30, Direction::Undirected))
        fingerprint(0x04ce_eba8_4d33_b38a, make(1, Direction::Undirected), make(8, Direction::Directed), make(11, Direction::Undirected), make(13, Direction::Directed));
    atomic_bloom in atomic_bloom: AtomicBloom cases(20, 400, |spec| AtomicBloom::for_fpr(200, 0.01).unwrap().with_hash(spec))
        fingerprint(0x32a2_3e9f_cc84_5c4d, make(1, 2), make(2, 6), make(7, 16), make(32, 8));
    binomial_array in small_counters: BinomialArray cases(20, 4000, binomials(16, 0.3, 8))
        fingerprint(0xe395_1ecd_5c88_d2a9, binomials(1, 1.0, 8), binomials(33, 0.5, 5), binomials(7, 0.001, 13));
    binomial_counter in small_counters: BinomialCounter cases(20, 4000, binomial(0.3, 12))
        fingerprint(0x037f_fa44_6fc6_120a, binomial(1.0, 8), binomial(0.5, 5), binomial(0.001, 32));
    blocked_bloom in blocked_bloom: BlockedBloom cases(20, 400, |spec| BlockedBloom::for_fpr(200, 0.01).unwrap().with_hash(spec))
        fingerprint(0x63ed_1666_949c_e5ed, make(1), make(2), make(7), make(64));
    bloom_filter in bloom_filter: BloomFilter cases(20, 400, |spec| BloomFilter::for_fpr(200, 0.01).unwrap().with_hash(spec))
        fingerprint(0x7621_2226_1915_0847, make(1, 1), make(64, 3), make(1003, 7), make(8192, 6));
    compressed_bloom in compressed_bloom: CompressedBloom cases(20, 400, |spec| CompressedBloom::for_fpr(200, 0.01).unwrap().with_hash(spec))
        fingerprint(0x3a6b_8a95_aec8_8697, make(1, 1), make(64, 3), make(1003, 2), make(4096, 1));
    count_min in count_min: CountMin cases(20, 2000, make(50, 4, 32))
        fingerprint(0x101e_8b33_0ae8_2421, make(1, 1, 32), make(50, 5, 32), make(64, 2, 64), conservative(40, 3, 32));
    count_min_of_narrow_counters in count_min: CountMin
        fingerprint(0x4c21_981e_a257_fc5a, make(50, 3, 8), make(21, 2, 16));
    count_sketch in signed_tables: CountSketch cases(20, 2000, count_sketch(50, 7))
        fingerprint(0x4f3a_f870_44a1_2563, count_sketch(1, 1), count_sketch(50, 7), count_sketch(64, 2));
    counting_bloom in counting_bloom: CountingBloom cases(20, 200, |spec| CountingBloom::for_fpr(100, 0.01).unwrap().with_hash(spec))
        fingerprint(0x137d_7644_b693_0a38, make(1, 1, 2), make(64, 3, 4), make(1003, 7, 5), make(500, 6, 16));
    cuckoo_filter in cuckoo_filter: CuckooFilter cases(20, 200, |spec| CuckooFilter::for_fpr(200, 0.01).unwrap().with_hash(spec))
        fingerprint(0xbc21_207f_db7e_2c7c, make(2, 4), make(10, 9), make(150, 12), make(1002, 28));
    cuckoo_table in cuckoo_table: CuckooTable cases(20, 400, make)
        fingerprint(0x7296_7c90_0f89_f4c7, make);
    de_bruijn in de_bruijn: DeBruijn cases(20, 150, make(31, 1003, 4))
        fingerprint(0x70d2_1459_3262_0b7e, make(1, 1, 1), make(21, 127, 3), make(32, 512, 4), make(63, 1003, 5));
    decaying_bloom in decaying_bloom: DecayingBloom cases(20, 200, make(101, 4, 0.5, 0.01))
        fingerprint(0x4add_9b75_5a78_8aa6, make(1, 1, 0.5, 1.0), make(67, 3, 0.9, 0.01), make(128, 7, 0.999, 1e-6), aged(40, 2));
    direct_table in direct_table: DirectTable cases(20, 400, make(1000))
        fingerprint(0x83d2_4176_b64a_6182, make(1), make(64), make(77), make(300));
    distance_bloom in distance_bloom: DistanceBloom cases(20, 100, bits(100, 10, 6, 83))
        fingerprint(0x185f_887a_4152_0b5e, bits(1, 1, 1, 1), bits(100, 10, 6, 83), sets(20, 5, 4, 83));
    dyadic_count_min in dyadic_count_min: DyadicCountMin cases(20, 2000, make(16, 20, 3))
        fingerprint(0xc292_039c_4e1a_ef70, make(1, 1, 1), make(9, 7, 2), make(8, 64, 4), make(64, 10, 1));
    dynamic_bloom in layered: DynamicBloom cases(20, 400, dynamic(50, 0.01))
        fingerprint(0x1295_ff86_afd3_cac1, dynamic(1, 0.5), dynamic(10, 0.01), dynamic(100, 1e-6));
    edge_bloom in edge_bloom: EdgeBloom cases(20, 100, make(1003, 5, Direction::Undirected))
        fingerprint(0xbb85_6c08_f822_12f5, make(1, 1, Direction::Directed), make(130, 3, Direction::Directed), make(100, 7, Direction::Undirected));
    exaloglog in registers: ExaLogLog cases(100, 5000, exaloglog(8))
        fingerprint(0x5dac_7d88_95b0_7e29, exaloglog(4), exaloglog(6), exaloglog(9), exaloglog(12));
    hamming_index in hamming_index: HammingIndex cases(20, 2000, make(3, 3))
        fingerprint(0xd86c_01d8_1830_00e8, make(0, 1), make(3, 3), make(16, 0));
    hash_compaction in hash_compaction: HashCompaction cases(20, 400, make(200, 15))
        fingerprint(0xea3d_d776_6b8b_9b78, make(1, 8), make(13, 10), make(100, 31), make(300, 64));
    hyperloglog in registers: HyperLogLog cases(100, 5000, hyperloglog(10))
        fingerprint(0x03bb_ac39_34a3_48aa, hyperloglog(4), hyperloglog(6), hyperloglog(9), hyperloglog(12));
    joint in joint: Joint cases(40, 5000, make(8, 64))
        fingerprint(0x6975_d1ff_d132_e271, make(4, 40), make(8, 16), make(9, 200));
    k_min_values in k_min_values: KMinValues cases(100, 5000, make(256))
        fingerprint(0xcc83_54fd_90f5_8bc0, make(16), make(37), make(256));
    kll in kll: Kll cases(20, 2000, make::<u64>(20))
        fingerprint(0x5cee_57c2_9eeb_67c2, make::<u64>(8), make(37), make(100));
    linear_bloom in linear_bloom: LinearBloom cases(20, 200, make::<f64>(101, 4))
        fingerprint(0x608b_0d97_f873_3b0e, make::<f64>(1, 1), make(67, 3), make(128, 7));
    linear_bloom_of_integers in linear_bloom: LinearBloom
        fingerprint(0xd2e7_32f5_8dc5_b8d6, make::<i16>(21, 2), make(64, 4));
    linear_counting in linear_counting: LinearCounting cases(20, 2000, make(1000))
        fingerprint(0x8b3d_5f7e_a15c_5268, make(1), make(77), make(1000), make(4096));
    log_quantiles in log_quantiles: LogQuantiles cases(20, 400, make(5, 100))
        fingerprint(0xaed1_8d49_9114_ed7f, make(1, 1), make(3, 20), make(35, 64 * 35));
    loglog in registers: LogLog cases(20, 5000, loglog(6))
        fingerprint(0xd91a_612b_2d7f_be8e, loglog(4), loglog(6), loglog(9));
    lsh_bloom in lsh_bloom: LshBloom cases(20, 100, make(4, 2, 1003, 5))
        fingerprint(0x911b_9e43_750c_be5a, make(1, 1, 1, 1), make(4, 3, 1003, 5));
    lsh_index in lsh_index: LshIndex cases(20, 100, make(4, 2, 8))
        fingerprint(0xff95_d624_5e4e_c6d3, make(1, 1, 1), make(4, 2, 9));
    majority in frequent: Majority cases(20, 2000, majority)
        fingerprint(0x48cf_9f09_1e07_84bd, majority);
    martingale in martingale: MartingaleHyperLogLog cases(100, 5000, make(10))
        fingerprint(0xd170_eedb_59db_fce0, make(4), make(7), make(10));
    martingale_of_exaloglog in martingale: MartingaleExaLogLog cases(100, 5000, make_exa(9))
        fingerprint(0x71e4_e1b4_c333_1ba4, make_exa(4), make_exa(7), make_exa(9));
    min_hash in signatures: MinHash cases(20, 2000, min_hash(128))
        fingerprint(0x6d95_ea0a_62af_64cc, min_hash(1), min_hash(37), min_hash(128));
    minimum_hash in minimum_hash: MinimumHash cases(20, 5000, make(64))
        fingerprint(0x6877_bd73_d1ec_1ad2, make(1), make(16), make(64), make(512));
    misra_gries in frequent: MisraGries cases(20, 2000, misra_gries(50))
        fingerprint(0x1698_d1b0_d6da_ddb0, misra_gries(1), misra_gries(2), misra_gries(17), misra_gries(100));
    moments in moments: Moments cases(40, 5000, make(8, 64))
        fingerprint(0x3143_b719_dcb4_be08, make(4, 1), make(8, 37), make(6, 64));
    morris_array in small_counters: MorrisArray cases(20, 4000, morrises(16, 1.05, 8))
        fingerprint(0xc819_f02e_b124_7574, morrises(1, 2.0, 8), morrises(33, 1.3, 5), morrises(7, 1.001, 13));
    morris_counter in small_counters: MorrisCounter cases(20, 4000, morris(1.05, 12))
        fingerprint(0x4e58_3d3c_f9a7_7c5a, morris(2.0, 8), morris(1.3, 5), morris(1.001, 14));
    one_permutation in signatures: OnePermutation cases(20, 2000, one_permutation(128))
        fingerprint(0x5b23_a971_61f1_2ee7, one_permutation(1), one_permutation(37), one_permutation(128));
    partitioned_bloom in partitioned_bloom: PartitionedBloom cases(20, 400, |spec| PartitionedBloom::for_fpr(200, 0.01).unwrap().with_hash(spec))
        fingerprint(0xfe12_e2d9_7479_5fd7, make(1, 1, 1), make(3, 64, 2), make(7, 501, 1), make(4, 1024, 3));
    probabilistic_counting in registers: ProbabilisticCounting cases(20, 5000, probabilistic(6))
        fingerprint(0xbf22_b126_0ff9_e75a, probabilistic(4), probabilistic(6), probabilistic(9));
    quantised_bloom in quantised_bloom: QuantisedBloom cases(20, 200, linear::<u8>(101, 4))
        fingerprint(0x3b4c_150d_8a9a_5f57, linear::<u8>(1, 1), linear(67, 3), logarithmic(128, 5));
    quantised_bloom_of_two_bytes in quantised_bloom: QuantisedBloom
        fingerprint(0xbcfa_197a_1a92_a210, linear::<u16>(30, 2), logarithmic(64, 4));
    quotient_filter in quotient_filter: QuotientFilter cases(20, 400, make(448, 7))
        fingerprint(0x58a5_999c_1c23_1bfa, make(1, 12), make(67, 3), make(300, 51), make(1000, 7));
    req_sketch in req_sketch: ReqSketch cases(20, 4000, high::<u64>(4))
        fingerprint(0xa16b_3b5a_1d72_5e07, high::<u64>(4), make::<u64>(5, Tail::Low), high::<u64>(9));
    reservoir in reservoir: Reservoir cases(20, 4000, make::<u64>(16))
        fingerprint(0x9b3c_151f_d299_9131, make::<u64>(1), make(7), make(50));
    scalable_bloom in layered: ScalableBloom cases(20, 400, scalable(50, 0.01))
        fingerprint(0xd16d_2c09_6b70_fb51, scalable(1, 0.5), scalable(10, 0.01), scalable(100, 1e-6), growing(7, 0.1, 4, 0.5));
    signed_count_min in signed_tables: SignedCountMin cases(20, 2000, signed_count_min(50, 5))
        fingerprint(0x4545_095f_4c5c_339b, signed_count_min(1, 1), signed_count_min(50, 5), signed_count_min(64, 2));
    sim_hash in sim_hash: SimHash cases(20, 5000, make(64))
        fingerprint(0x67bc_507f_aa2f_c977, make(64), make(192));
    sliding_hyperloglog in sliding_hyperloglog: SlidingHyperLogLog cases(50, 2000, make(8, 600))
        fingerprint(0x466f_23bd_652a_ab1a, make(4, 600), make(5, u64::MAX), make(7, 100));
    space_saving in frequent: SpaceSaving cases(20, 2000, space_saving(50))
        fingerprint(0x3def_68a7_1482_4259, space_saving(1), space_saving(2), space_saving(17), space_saving(100));
    spectral_bloom in spectral_bloom: SpectralBloom cases(20, 200, |spec| SpectralBloom::with_params(SpectralParams::exact(200, 4).unwrap()).with_hash(spec))
        fingerprint(0xf72e_ca76_e8a8_d1cb, make(1, 1, 2), make(64, 3, 16), make(503, 7, 32), minimal(200, 4, 9));
    table_profile in table_profile: TableProfile cases(12, 300, make_early(1.0, BOTH))
        fingerprint(0xf919_d2c7_153e_7d2b, make_early(1.0, BOTH), make_early(0.3, BOTH));
    var_opt in var_opt: VarOpt cases(20, 4000, make::<u64>(16))
        fingerprint(0x3463_9e26_c699_d15f, make::<u64>(1), make(7), make(50));
    vertex_blooms in vertex_blooms: VertexBlooms cases(20, 100, make(20, 30, 5, Direction::Undirected))
        fingerprint(0x9f34_dd1e_c2fc_cd0c, make(1, 1, 1, Direction::Directed), make(10, 30, 3, Direction::Directed), make(40, 5, 7, Direction::Undirected));
    weighted_min_hash in weighted_min_hash: WeightedMinHash cases(20, 5000, make(64))
        fingerprint(0x158e_2954_c036_d4ec, make(1), make(37), make(128));
    weighted_reservoir in weighted_reservoir: WeightedReservoir cases(20, 4000, make::<u64>(16))
        fingerprint(0xf703_21d8_8259_b61e, make::<u64>(1), make(7), make(50));
    windowed_bloom in windowed_bloom: WindowedBloom cases(20, 400, make(50, 0.01, 600, 4))
        fingerprint(0xd523_150b_a8d8_2e0c, make(1, 0.5, 1, 1), make(10, 0.01, 600, 4), make(100, 1e-6, 3000, 7));
}

#[rustfmt::skip]
golden! {
    FROZEN by frozen:
    adjacency_list in numbered_graphs: AdjacencyList cases(20, 400, list(30, Direction::Undirected))
        fingerprint(0xd4b1_f10c_7240_9a2d, list(1, Direction::Undirected), list(8, Direction::Directed), list(40, Direction::Undirected), list(100, Direction::Directed));
    b_bit_min_hash in b_bit_min_hash: BBitMinHash cases(20, 2000, of_bins(128, 2))
        fingerprint(0x7c53_96f5_4c92_11bb, of_functions(1, 1), of_functions(37, 4), of_bins(128, 2), of_bins(67, 16));
    binary_fuse in binary_fuse: BinaryFuse cases(20, 400, make(8))
        fingerprint(0x62d0_91b8_eae7_1e04, make(1), make(8), make(13), make(32));
    bipartite_labels in numbered_graphs: BipartiteLabels cases(20, 200, bipartite(Sides::Bipartite, (20, 8, 1)))
        fingerprint(0x92c5_b054_5f7b_b40e, bipartite(Sides::Bipartite, (1, 1, 1)), bipartite(Sides::CoBipartite, (37, 4, 8)), bipartite(Sides::Split, (8, 16, 1)));
    bloomier_filter in bloomier_filter: BloomierFilter cases(20, 400, make(8, 8))
        fingerprint(0x42b_21b3_24ab_bf31, make(1, 0), make(8, 8), make(13, 5), make(64, 32));
    exact_de_bruijn in exact_de_bruijn: ExactDeBruijn cases(20, 200, make(31))
        fingerprint(0xc8bc_4efa_70ac_7da8, make(4), make(31), make(45));
    intersection_labels in numbered_graphs: IntersectionLabels cases(20, 200, intersection((0, 1), (40, 4, 6)))
        fingerprint(0x1f2e_889b_c2ce_8e90, intersection((0, 1), (1, 1, 1)), intersection((1, 2), (37, 2, 20)), intersection((2, 7), (8, 16, 3)));
    interval_graph in numbered_graphs: IntervalGraph cases(20, 400, intervals(100))
        fingerprint(0x8d32_2be9_3aa9_b181, intervals(1), intervals(40), intervals(100_000));
    parent_tree in numbered_graphs: ParentTree cases(20, 400, parent_tree)
        fingerprint(0xb557_e0d8_6f9a_5c39, parent_tree, rooted_tree);
    tree_labels in numbered_graphs: TreeLabels cases(20, 200, tree_labels(LabelScheme::MinHash, (100, 1, 71)))
        fingerprint(0xaf7b_071f_5c2a_b291, tree_labels(LabelScheme::MinHash, (1, 1, 1)), tree_labels(LabelScheme::MinHash, (37, 4, 17)), tree_labels(LabelScheme::SimHash, (64, 1, 45)), tree_labels(LabelScheme::SimHash, (7, 1, 5)));
}
