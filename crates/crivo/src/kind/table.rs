//! The table of all structures.

/// Passes every structure to another macro, family by family: its type (`as` if the name differs), its id in
/// files, its name, its merge law, its other abilities, and a one-line description.
///
/// [`Kind`](super::Kind) takes the names and ids, at the bottom of the library; the
/// [registry](crate::registry) takes the types and abilities, above all families. The registry defines the
/// words for abilities. Bindings to other languages take the table too; it is no interface for others.
#[doc(hidden)]
#[macro_export]
macro_rules! for_each_kind {
    ($made:ident) => {
        $made! {
            membership: Membership {
                BloomFilter = 0x0101 "bloom-filter" Exact [fold, insert, contains, filter(BloomParams)]
                    "membership: no false negatives, a chosen false-positive rate";
                BlockedBloom = 0x0102 "blocked-bloom" Exact [insert, contains, filter(BlockedParams)]
                    "membership: one cache line per query, for a tenth more bits at 1 %; Parquet's layout";
                #[cfg(target_has_atomic = "64")]
                AtomicBloom = 0x0103 "atomic-bloom" Exact [insert, contains, filter(AtomicParams)]
                    "membership: many threads insert and query at once, without a lock";
                CountingBloom = 0x0104 "counting-bloom" Exact [copies, insert, remove, contains, filter(CountingParams)]
                    "membership: a Bloom filter with counters, so that items can be removed";
                SpectralBloom = 0x0105 "spectral-bloom" Exact [copies, insert, remove, contains, filter(SpectralParams)]
                    "membership and frequency: a Bloom filter of a multiset; most frequencies are exact";
                DynamicBloom = 0x0106 "dynamic-bloom" Bounded [insert, contains, filter(DynamicParams)]
                    "membership: grows by equal filters, and the false-positive rate grows with it";
                ScalableBloom = 0x0107 "scalable-bloom" Bounded [insert, contains, filter(ScalableParams)]
                    "membership: grows without limit and keeps its false-positive rate";
                PartitionedBloom = 0x0108 "partitioned-bloom" Exact [fold, insert, contains, filter(PartitionedParams)]
                    "membership: a Bloom filter in blocks; any number of the blocks is a filter too";
                CompressedBloom = 0x0109 "compressed-bloom" Exact [insert, contains, filter(CompressedParams, 2.0)]
                    "membership: a Bloom filter with a smaller file but more memory";
                CuckooFilter = 0x010a "cuckoo-filter" Bounded [copies, insert, remove, contains, filter(CuckooParams)]
                    "membership: items can be removed; smaller than a Bloom filter from 1 % down";
                QuotientFilter = 0x010b "quotient-filter" Exact [copies, insert, remove, contains, filter(QuotientParams)]
                    "membership: a table of fingerprints that supports deletion, counts copies and grows";
                HashCompaction = 0x010c "hash-compaction" Exact [insert, contains, filter(HashCompactionParams)]
                    "membership: a plain table of short hashes, which get longer with more items; grows by itself";
                BinaryFuse = 0x010d "binary-fuse" Never [contains, freeze(BinaryFuseParams)]
                    "membership: a set that never changes, in the fewest bits";
                CuckooTable = 0x010e "cuckoo-table" Exact [insert, remove, contains, estimate, exact_counter]
                    "membership and cardinality: a table of whole hashes, exact for integers; a baseline for sketches";
                DirectTable = 0x010f "direct-table" Exact []
                    "membership: the exact set of numbers below a bound, in one bit for each possible number";
                WindowedBloom = 0x0110 "windowed-bloom" Bounded [contains]
                    "membership in a time window: older items expire, and the false-positive rate stays";
            }
            cardinality: Cardinality {
                HyperLogLog = 0x0201 "hyperloglog" Exact [fold, insert, estimate, counter]
                    "distinct items: a fixed relative error at every cardinality; small sets are exact";
                ExaLogLog = 0x0202 "exaloglog" Exact [fold, insert, estimate, counter]
                    "distinct items: the error of HyperLogLog in half the memory; small sets are exact";
                LinearCounting = 0x0203 "linear-counting" Exact [insert, estimate, counter_of_items]
                    "distinct items: a bitmap, the most accurate counter until it is full, then a lower bound";
                MinimumHash = 0x0204 "minimum-hash" Exact [insert, estimate, counter]
                    "distinct items: the smallest hash in each cell, the simplest method";
                ProbabilisticCounting = 0x0205 "probabilistic-counting" Exact [fold, insert, estimate, counter]
                    "distinct items: a bitmap of ranks in each cell, the first sketch of this kind";
                LogLog = 0x0206 "loglog" Exact [fold, insert, estimate, counter]
                    "distinct items: the mean of the registers, the predecessor of HyperLogLog";
                KMinValues = 0x0207 "k-min-values" Exact [fold, insert, estimate, similarity, counter]
                    "distinct items and intersections: the k smallest hashes, with proven intervals";
                SlidingHyperLogLog = 0x0208 "sliding-hyperloglog" Exact []
                    "distinct items in the last w time units, for any w up to a limit";
                Joint = 0x0209 "joint" Exact [insert, estimate, similarity, counter]
                    "distinct items, intersections and similarity: a HyperLogLog with the k smallest hashes";
                MartingaleHyperLogLog as Martingale<HyperLogLog> = 0x020a "martingale-hyperloglog" Never [insert, estimate, counter]
                    "distinct items: a HyperLogLog of one stream, a fifth more accurate; cannot be merged";
                MartingaleExaLogLog as Martingale<ExaLogLog> = 0x020b "martingale-exaloglog" Never [insert, estimate, counter]
                    "distinct items: an ExaLogLog of one stream, an eighth more accurate; cannot be merged";
            }
            frequency: Frequency {
                CountMin = 0x0301 "count-min" Exact []
                    "frequencies: never too low, too high by at most a share of the total";
                SignedCountMin = 0x0302 "signed-count-min" Exact []
                    "frequencies: counts go up and down; the error is at most a share of all additions and removals";
                CountSketch = 0x0303 "count-sketch" Exact []
                    "frequencies: unbiased, up and down; best if few items make up most of the stream";
                SpaceSaving as SpaceSaving<u64> = 0x0304 "space-saving" Bounded [elements(Element: u64, i64, String, Vec<u8>)]
                    "heavy hitters: deterministic bounds in the least memory";
                MisraGries as MisraGries<u64> = 0x0305 "misra-gries" Bounded [elements(Element: u64, i64, String, Vec<u8>)]
                    "heavy hitters: deterministic bounds, the fastest";
                Majority as Majority<u64> = 0x0306 "majority" Bounded [elements(Element: u64, i64, String, Vec<u8>)]
                    "majority: the only candidate for more than half, in the memory of one item";
                Moments = 0x0307 "moments" Exact []
                    "frequency moments: the number of distinct items, the total, and the skew";
            }
            quantile: Quantile {
                Kll as Kll<u64> = 0x0401 "kll" Bounded [elements(Element: u64, i64, f64, String, Vec<u8>, Number)]
                    "quantiles and ranks: a sample of weighted values with proven intervals; insertion only";
                DyadicCountMin as DyadicCountMin<u64> = 0x0402 "dyadic-count-min" Exact [elements(Element: u64, i64, f64)]
                    "range counts and quantiles: counts of numbers, which can be removed; deterministic bounds";
                LogQuantiles = 0x0403 "log-quantiles" Exact []
                    "quantiles and ranks: values within a relative error, for certain; values can be removed";
                ReqSketch as ReqSketch<u64> = 0x0404 "req-sketch" Bounded [elements(Element: u64, i64, f64, String, Vec<u8>, Number)]
                    "quantiles and ranks: exact at one end, with an error relative to the tail; insertion only";
            }
            sampling: Sampling {
                Reservoir as Reservoir<u64> = 0x0501 "reservoir" Distribution [elements(Element: u64, i64, f64, String, Vec<u8>)]
                    "random sample: k items of the stream, every set of k equally likely";
                WeightedReservoir as WeightedReservoir<u64> = 0x0502 "weighted-reservoir" Distribution [elements(Element: u64, i64, f64, String, Vec<u8>)]
                    "weighted random sample: k items of the stream, heavier items more likely";
                VarOpt as VarOpt<u64> = 0x0503 "var-opt" Distribution [elements(Element: u64, i64, f64, String, Vec<u8>)]
                    "weighted random sample: sums of the weights of any subset, with proven intervals";
            }
            counting: Counting {
                BinomialCounter = 0x0601 "binomial-counter" Distribution []
                    "approximate counter: counts a share of all events, for counts a few times too large for its bits";
                MorrisCounter = 0x0602 "morris-counter" Distribution []
                    "approximate counter: the logarithm of the count, in log log n bits";
                BinomialArray = 0x0603 "binomial-array" Distribution []
                    "array of approximate counters that count a share of all events, a few bits each";
                MorrisArray = 0x0604 "morris-array" Distribution []
                    "array of approximate counters: a million counts of any size in a megabyte";
            }
            similarity: Similarity {
                MinHash = 0x0701 "min-hash" Exact [insert, similarity]
                    "set similarity: the minimum of each of k hash functions, the classic signature";
                OnePermutation = 0x0702 "one-permutation" Exact [insert, similarity]
                    "set similarity: the smallest hash in each of k bins; one step per item, whatever k is";
                BBitMinHash = 0x0703 "b-bit-min-hash" Never [similarity]
                    "set similarity: a few bits of each slot of a signature, for many sets that no longer change";
                WeightedMinHash = 0x0704 "weighted-min-hash" Exact [similarity]
                    "similarity of weighted sets: the weight in common, in k slots";
                SimHash = 0x0705 "sim-hash" Exact [similarity]
                    "cosine similarity: the angle between weighted sets or vectors, in 64 bits or more";
                LshIndex = 0x0706 "lsh-index" Exact []
                    "similar sets: an index of signatures, which are found by the bands that they share";
                HammingIndex = 0x0707 "hamming-index" Exact []
                    "similar fingerprints: all within a few bits of Hamming distance, exactly";
                LshBloom = 0x0708 "lsh-bloom" Exact []
                    "near-duplicates: a filter of the bands of signatures, in fixed memory";
                DistanceBloom = 0x0709 "distance-bloom" Exact []
                    "membership within a distance: bit strings and sets, with both error rates chosen";
            }
            valued: Valued {
                LinearBloom as LinearBloom<f64> = 0x0801 "linear-bloom" Exact [elements(CellValue: f64, f32, u64, i64, u32, i32, u16, i16, u8, i8)]
                    "value of a key: never too small, too large at a chosen rate; any ordered numbers";
                QuantisedBloom as QuantisedBloom<u8> = 0x0802 "quantised-bloom" Exact [elements(Level: u8, u16)]
                    "value of a key: rounded up to a scale, in one or two bytes per cell";
                DecayingBloom = 0x0803 "decaying-bloom" Exact []
                    "value of a key: values decay with time and distance, as in a routing table";
                BloomierFilter = 0x0804 "bloomier-filter" Never []
                    "value of a key: a fixed set of keys with values of a few bits, in hardly more than those bits";
            }
            graph: Graph {
                AdjacencyMatrix = 0x0901 "adjacency-matrix" Exact []
                    "adjacency: a bit for each pair of vertices, exact";
                AdjacencyList = 0x0902 "adjacency-list" Never []
                    "adjacency: the list of neighbours of each vertex, exact";
                ParentTree = 0x0903 "parent-tree" Never []
                    "adjacency: the parent of each vertex of a tree, exact";
                IntervalGraph = 0x0904 "interval-graph" Never []
                    "adjacency of intervals: the order of their ends, exact";
                EdgeBloom = 0x0905 "edge-bloom" Exact []
                    "adjacency: a Bloom filter of the edges; none is lost, and other pairs are false positives at a chosen rate";
                VertexBlooms = 0x0906 "vertex-blooms" Exact []
                    "adjacency: a Bloom filter for each vertex, sized by its degree; two of them answer a query";
                DeBruijn = 0x0907 "de-bruijn" Exact []
                    "k-mers: the de Bruijn graph of a genome in a few bits per k-mer";
                ExactDeBruijn = 0x0908 "exact-de-bruijn" Never []
                    "k-mers: a static de Bruijn graph of a genome, all paths correct, in five bits per k-mer";
                IntersectionLabels = 0x0909 "intersection-labels" Never []
                    "adjacency from two labels alone: any graph, with both error rates chosen";
                TreeLabels = 0x090a "tree-labels" Never []
                    "adjacency from two labels alone: trees, with labels of constant size";
                BipartiteLabels = 0x090b "bipartite-labels" Never []
                    "adjacency from two labels alone: bipartite graphs, with one bit for the side";
            }
            profile: Profile {
                TableProfile = 0x0a01 "table-profile" Bounded []
                    "profile of a table: types, distinct values, minimum and maximum, quantiles and top values of all columns";
            }
        }
    };
}
pub(crate) use for_each_kind;
