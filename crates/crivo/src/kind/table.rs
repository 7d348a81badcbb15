//! The one table of all structures.

/// Hands every structure to another macro, family by family: its type (`as` where that has another name), its id in files,
/// its name, what merging it promises, what else it can do, and one line about it.
///
/// [`Kind`](super::Kind) is made of the names and numbers, on the ground of the library; the
/// [registry](crate::registry) of the types and what they can do, above all families. The abilities are words of
/// the registry.
macro_rules! for_each_kind {
    ($made:ident) => {
        $made! {
            membership: Membership {
                BloomFilter = 0x0101 "bloom-filter" Exact [insert, contains, filter(BloomParams)]
                    "is it there? no false negatives, a chosen rate of false positives";
                BlockedBloom = 0x0102 "blocked-bloom" Exact [insert, contains, filter(BlockedParams)]
                    "is it there? one cache line an answer, for a tenth more bits at 1 %; Parquet's layout";
                #[cfg(target_has_atomic = "64")]
                AtomicBloom = 0x0103 "atomic-bloom" Exact [insert, contains, filter(AtomicParams)]
                    "is it there? many threads insert and ask at once, without a lock";
                CountingBloom = 0x0104 "counting-bloom" Exact [copies, insert, remove, contains, filter(CountingParams)]
                    "is it there? a Bloom filter with counters, from which items can be removed";
                SpectralBloom = 0x0105 "spectral-bloom" Exact [copies, insert, remove, contains, filter(SpectralParams)]
                    "how often is it there? a Bloom filter of a multiset, most answers exact";
                DynamicBloom = 0x0106 "dynamic-bloom" Bounded [insert, contains, filter(DynamicParams)]
                    "is it there? equal filters in a row: it grows, and so does the rate";
                ScalableBloom = 0x0107 "scalable-bloom" Bounded [insert, contains, filter(ScalableParams)]
                    "is it there? it grows without limit and keeps its rate of false positives";
                PartitionedBloom = 0x0108 "partitioned-bloom" Exact [insert, contains, filter(PartitionedParams)]
                    "is it there? a Bloom filter in blocks, any number of which is a filter too";
                CompressedBloom = 0x0109 "compressed-bloom" Exact [insert, contains, filter(CompressedParams, 2.0)]
                    "is it there? a Bloom filter with a smaller file, for more memory";
                CuckooFilter = 0x010a "cuckoo-filter" Bounded [copies, insert, remove, contains, filter(CuckooParams)]
                    "is it there? items can be removed again; smaller than a Bloom filter from 1 % down";
                QuotientFilter = 0x010b "quotient-filter" Exact [copies, insert, remove, contains, filter(QuotientParams)]
                    "is it there? a table of fingerprints that gives items back, counts copies and grows";
                HashCompaction = 0x010c "hash-compaction" Exact [insert, contains, filter(HashCompactionParams)]
                    "is it there? a plain table of short hashes, longer the more items there are; grows by itself";
                BinaryFuse = 0x010d "binary-fuse" Never [contains, freeze(BinaryFuseParams)]
                    "is it there? a set that never changes, in the fewest bits";
                CuckooTable = 0x010e "cuckoo-table" Exact [insert, remove, contains, estimate, exact_counter]
                    "is it there, and how many? a table of whole hashes, exact for integers: the yardstick of sketches";
                DirectTable = 0x010f "direct-table" Exact []
                    "is it there? the exact set of numbers below a bound, a bit for each that could be";
                WindowedBloom = 0x0110 "windowed-bloom" Bounded [contains]
                    "was it there lately? it forgets what is older than a window, and keeps its rate of false positives";
            }
            cardinality: Cardinality {
                HyperLogLog = 0x0201 "hyperloglog" Exact [insert, estimate, counter]
                    "how many different? a fixed relative error whatever the number, exact while few";
                ExaLogLog = 0x0202 "exaloglog" Exact [insert, estimate, counter]
                    "how many different? the same error as HyperLogLog in half the memory, exact while few";
                LinearCounting = 0x0203 "linear-counting" Exact [insert, estimate, counter_of_items]
                    "how many different? a bit for each: the most exact while the bits last, then a lower bound";
                MinimumHash = 0x0204 "minimum-hash" Exact [insert, estimate, counter]
                    "how many different? the smallest hash of each cell: the idea at its simplest";
                ProbabilisticCounting = 0x0205 "probabilistic-counting" Exact [insert, estimate, counter]
                    "how many different? a bitmap of ranks for each cell: the first of the sketches";
                LogLog = 0x0206 "loglog" Exact [insert, estimate, counter]
                    "how many different? the mean of HyperLogLog's registers: its forerunner";
                KMinValues = 0x0207 "k-min-values" Exact [insert, estimate, similarity, counter]
                    "how many different, and how many shared? the k smallest hashes, with proven error bars";
                SlidingHyperLogLog = 0x0208 "sliding-hyperloglog" Exact []
                    "how many different lately? in the last w time units, for any w up to a limit";
                Joint = 0x0209 "joint" Exact [insert, estimate, similarity, counter]
                    "how many different, shared and alike? a hyperloglog with the k smallest hashes beside it";
                MartingaleHyperLogLog as Martingale<HyperLogLog> = 0x020a "martingale-hyperloglog" Never [insert, estimate, counter]
                    "how many different? a HyperLogLog of one stream, a fifth more accurate, not to be merged";
                MartingaleExaLogLog as Martingale<ExaLogLog> = 0x020b "martingale-exaloglog" Never [insert, estimate, counter]
                    "how many different? an ExaLogLog of one stream, an eighth more accurate, not to be merged";
            }
            frequency: Frequency {
                CountMin = 0x0301 "count-min" Exact []
                    "how often? never too low, too high by a bounded share of the total";
                SignedCountMin = 0x0302 "signed-count-min" Exact []
                    "how often? counts that go up and down, wrong by a bounded share of all that was added or taken away";
                CountSketch = 0x0303 "count-sketch" Exact []
                    "how often? right on average, up and down, best where few items make up most of the stream";
                SpaceSaving as SpaceSaving<u64> = 0x0304 "space-saving" Bounded [elements(Element: u64, i64, String, Vec<u8>)]
                    "which most, and how often? certain bounds in the least memory";
                MisraGries as MisraGries<u64> = 0x0305 "misra-gries" Bounded [elements(Element: u64, i64, String, Vec<u8>)]
                    "which most, and how often? certain bounds, the fastest";
                Majority as Majority<u64> = 0x0306 "majority" Bounded [elements(Element: u64, i64, String, Vec<u8>)]
                    "which more than half? the only candidate, in the memory of one item";
                Moments = 0x0307 "moments" Exact []
                    "how many different, how many, how uneven? the first three frequency moments";
            }
            quantile: Quantile {
                Kll as Kll<u64> = 0x0401 "kll" Bounded [elements(Element: u64, i64, f64, String, Vec<u8>, Number)]
                    "which rank, which quantile? a few values of each weight, with proven error bars; insert only";
                DyadicCountMin as DyadicCountMin<u64> = 0x0402 "dyadic-count-min" Exact [elements(Element: u64, i64, f64)]
                    "how many in a range, which quantile? counts of numbers that can be removed again, certain bounds";
            }
            sampling: Sampling {
                Reservoir as Reservoir<u64> = 0x0501 "reservoir" Distribution [elements(Element: u64, i64, f64, String, Vec<u8>)]
                    "which are typical? k items of the stream, each set of k equally likely";
                WeightedReservoir as WeightedReservoir<u64> = 0x0502 "weighted-reservoir" Distribution [elements(Element: u64, i64, f64, String, Vec<u8>)]
                    "which are typical, by weight? k items of the stream, the heavier the likelier";
            }
            counting: Counting {
                BinomialCounter = 0x0601 "binomial-counter" Distribution []
                    "how many? a share of them is counted, for counts a few times too large for the bits";
                MorrisCounter = 0x0602 "morris-counter" Distribution []
                    "how many? the logarithm of the count, in log log n bits";
                BinomialArray = 0x0603 "binomial-array" Distribution []
                    "how many of each? numbered counters that count a share, a few bits each";
                MorrisArray = 0x0604 "morris-array" Distribution []
                    "how many of each? a million counts of any size in a megabyte";
            }
            similarity: Similarity {
                MinHash = 0x0701 "min-hash" Exact [insert, similarity]
                    "how alike? the smallest value of each of k functions: the classic signature";
                OnePermutation = 0x0702 "one-permutation" Exact [insert, similarity]
                    "how alike? the smallest hash in each of k bins: one step an item, however many bins";
                BBitMinHash = 0x0703 "b-bit-min-hash" Never [similarity]
                    "how alike? a few bits of each slot of a signature: for many sets that change no more";
                WeightedMinHash = 0x0704 "weighted-min-hash" Exact [similarity]
                    "how alike are weighted sets? the weight in common, in k slots";
                SimHash = 0x0705 "sim-hash" Exact [similarity]
                    "how alike in direction? the angle of weighted sets or vectors, in 64 bits or more";
                LshIndex = 0x0706 "lsh-index" Exact []
                    "which are like this, and which like each other? signatures, found by the bands they share";
                HammingIndex = 0x0707 "hamming-index" Exact []
                    "which fingerprints are within a few bits? all of them, exactly";
                LshBloom = 0x0708 "lsh-bloom" Exact []
                    "has something like this come before? a filter of the bands of signatures, in a fixed memory";
                DistanceBloom = 0x0709 "distance-bloom" Exact []
                    "is anything within a distance of this in the set? bit strings and sets, both errors chosen";
            }
            valued: Valued {
                LinearBloom as LinearBloom<f64> = 0x0801 "linear-bloom" Exact [elements(CellValue: f64, f32, u64, i64, u32, i32, u16, i16, u8, i8)]
                    "which value has it? never too small a one, too large at a chosen rate; any ordered numbers";
                QuantisedBloom as QuantisedBloom<u8> = 0x0802 "quantised-bloom" Exact [elements(Level: u8, u16)]
                    "which value has it? rounded up to a scale, in one byte a cell or two";
                DecayingBloom = 0x0803 "decaying-bloom" Exact []
                    "which value has it, by now and from here? values fade with time and distance: a routing table";
                BloomierFilter = 0x0804 "bloomier-filter" Never []
                    "which value has it? keys that never change with values of a few bits, hardly more than the bits";
            }
            graph: Graph {
                AdjacencyMatrix = 0x0901 "adjacency-matrix" Exact []
                    "are u and v joined? a bit for each pair of vertices, exact";
                AdjacencyList = 0x0902 "adjacency-list" Never []
                    "are u and v joined? the neighbours of each vertex in a row, exact";
                ParentTree = 0x0903 "parent-tree" Never []
                    "are u and v joined? the parent of each vertex of a tree, exact";
                IntervalGraph = 0x0904 "interval-graph" Never []
                    "do u and v meet? the order of the ends of intervals, exact";
                EdgeBloom = 0x0905 "edge-bloom" Exact []
                    "are u and v joined? a Bloom filter of the edges: none is lost, a chosen share of others seems joined";
                VertexBlooms = 0x0906 "vertex-blooms" Exact []
                    "are u and v joined? a Bloom filter for each vertex, as large as it has neighbours: two of them tell";
                DeBruijn = 0x0907 "de-bruijn" Exact []
                    "which k-mers, and what follows what? a genome's graph in a few bits a k-mer";
                ExactDeBruijn = 0x0908 "exact-de-bruijn" Never []
                    "what follows what? a genome's graph that never changes, every path right, in five bits a k-mer";
                IntersectionLabels = 0x0909 "intersection-labels" Never []
                    "are u and v joined? labels of any graph that tell it alone, both errors chosen";
                TreeLabels = 0x090a "tree-labels" Never []
                    "are u and v joined? labels of a tree that tell it alone, of a size that does not grow";
                BipartiteLabels = 0x090b "bipartite-labels" Never []
                    "are u and v joined? labels of a graph of two sides, which one bit tells";
            }
            profile: Profile {
                TableProfile = 0x0a01 "table-profile" Bounded []
                    "what is in a table? types, different values, ends, quantiles and top values of all columns";
            }
        }
    };
}
pub(crate) use for_each_kind;
