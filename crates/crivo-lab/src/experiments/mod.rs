//! All experiments, one file each.

mod bipartite_gaps;
mod bipartite_limits;
mod bloom_rates;
mod bucketed;
mod densities;
mod documents;
mod e_errata_lopes;
mod e_f10;
mod e_f15;
mod e_f16;
mod e_f17;
mod e_f19;
mod e_f20;
mod e_f21;
mod e_f22;
mod e_f23;
mod e_f26;
mod e_f27;
mod e_f28;
mod e_f33;
mod e_f39;
mod e_f40;
mod e_f5;
mod e_f6;
mod e_f7;
mod e_f9;
mod e_g6;
mod e_gaps;
mod e_l_cells;
mod e_l_distortion;
mod e_l_queries;
mod e_m_bands;
mod e_m_birthday;
mod e_m_counters;
mod e_m_flooding;
mod e_m_forger;
mod e_m_hashes;
mod e_massive_distinct;
mod e_massive_one_pass;
mod e_percolation;
mod e_s;
mod e_s_cuckoo;
mod e_tree_cost;
mod errors;
mod estimators;
mod exact;
mod filters;
mod graph_proofs;
mod graphs;
mod hyphenation_times;
mod hyphenator;
mod law;
mod linear_bloom;
mod one_pass;
mod one_pass_ours;
mod pairs;
mod silva_bound;
mod squares;
mod table2;
mod trees;
mod valued;

use crate::Experiment;

/// What every experiment needs.
mod prelude {
    pub(super) use crate::{
        Cell, Check, Cost, Entry, Experiment, Fault, Outcome, Plot, Point, Progress, Result, Series,
        Settings, Size, Source, Style, Table, Verdict,
    };
}

/// Every experiment, in the order of the documents.
pub static EXPERIMENTS: &[Experiment] = &[
    e_f5::EXPERIMENT,
    e_f6::EXPERIMENT,
    e_f7::EXPERIMENT,
    e_f9::EXPERIMENT,
    e_f10::EXPERIMENT,
    e_f15::EXPERIMENT,
    e_f16::EXPERIMENT,
    e_f17::EXPERIMENT,
    e_f19::EXPERIMENT,
    e_f20::EXPERIMENT,
    e_f21::EXPERIMENT,
    e_f22::EXPERIMENT,
    e_f23::EXPERIMENT,
    e_f26::EXPERIMENT,
    e_f27::EXPERIMENT,
    e_f28::EXPERIMENT,
    e_f33::EXPERIMENT,
    e_f39::EXPERIMENT,
    e_f40::EXPERIMENT,
    e_percolation::EXPERIMENT,
    e_g6::EXPERIMENT,
    e_errata_lopes::EXPERIMENT,
    e_m_flooding::EXPERIMENT,
    e_massive_distinct::EXPERIMENT,
    e_massive_one_pass::EXPERIMENT,
    e_m_counters::EXPERIMENT,
    e_m_birthday::EXPERIMENT,
    e_m_forger::EXPERIMENT,
    e_m_hashes::EXPERIMENT,
    e_m_bands::EXPERIMENT,
    e_s::EXPERIMENT,
    e_s_cuckoo::EXPERIMENT,
    e_l_cells::EXPERIMENT,
    e_l_queries::EXPERIMENT,
    e_l_distortion::EXPERIMENT,
    e_gaps::EXPERIMENT,
    e_tree_cost::EXPERIMENT,
    filters::BLOOM_FILTER,
    filters::BLOCKED_BLOOM,
    filters::ATOMIC_BLOOM,
    filters::COUNTING_BLOOM,
    filters::SPECTRAL_BLOOM,
    filters::DYNAMIC_BLOOM,
    filters::SCALABLE_BLOOM,
    filters::PARTITIONED_BLOOM,
    filters::COMPRESSED_BLOOM,
    filters::CUCKOO_FILTER,
    filters::QUOTIENT_FILTER,
    filters::HASH_COMPACTION,
    filters::BINARY_FUSE,
    filters::CUCKOO_TABLE,
    filters::DIRECT_TABLE,
    filters::WINDOWED_BLOOM,
    valued::LINEAR_BLOOM,
    valued::QUANTISED_BLOOM,
    valued::DECAYING_BLOOM,
    valued::BLOOMIER_FILTER,
    graphs::ADJACENCY_MATRIX,
    graphs::ADJACENCY_LIST,
    graphs::PARENT_TREE,
    graphs::INTERVAL_GRAPH,
    graphs::EDGE_BLOOM,
    graphs::VERTEX_BLOOMS,
    graphs::DE_BRUIJN,
    graphs::EXACT_DE_BRUIJN,
    graphs::INTERSECTION_LABELS,
    graphs::TREE_LABELS,
    graphs::BIPARTITE_LABELS,
    estimators::HYPERLOGLOG,
    estimators::EXALOGLOG,
    estimators::LINEAR_COUNTING,
    estimators::MINIMUM_HASH,
    estimators::PROBABILISTIC_COUNTING,
    estimators::LOGLOG,
    estimators::K_MIN_VALUES,
    estimators::SLIDING_HYPERLOGLOG,
    estimators::JOINT,
    estimators::MARTINGALE_HYPERLOGLOG,
    estimators::MARTINGALE_EXALOGLOG,
    estimators::COUNT_MIN,
    estimators::SIGNED_COUNT_MIN,
    estimators::COUNT_SKETCH,
    estimators::SPACE_SAVING,
    estimators::MISRA_GRIES,
    estimators::MAJORITY,
    estimators::MOMENTS,
    estimators::KLL,
    estimators::DYADIC_COUNT_MIN,
    estimators::LOG_QUANTILES,
    estimators::REQ_SKETCH,
    estimators::RESERVOIR,
    estimators::WEIGHTED_RESERVOIR,
    estimators::VAR_OPT,
    estimators::BINOMIAL_COUNTER,
    estimators::MORRIS_COUNTER,
    estimators::BINOMIAL_ARRAY,
    estimators::MORRIS_ARRAY,
    estimators::MIN_HASH,
    estimators::ONE_PERMUTATION,
    estimators::B_BIT_MIN_HASH,
    estimators::WEIGHTED_MIN_HASH,
    estimators::SIM_HASH,
    estimators::LSH_INDEX,
    estimators::HAMMING_INDEX,
    estimators::LSH_BLOOM,
    estimators::DISTANCE_BLOOM,
    estimators::TABLE_PROFILE,
];

/// The experiment with this id, in small or capital letters.
pub fn find(id: &str) -> Option<&'static Experiment> {
    EXPERIMENTS.iter().find(|experiment| experiment.id.eq_ignore_ascii_case(id))
}
