//! One characterisation of every structure that estimates: error against n, bits against error, coverage of the bars.

mod cardinality;
mod counting;
mod draw;
mod frequency;
mod heavy;
mod histories;
mod law;
mod measure;
mod near;
mod profile;
mod quantile;
mod sampling;
mod similarity;
mod subject;
#[cfg(test)]
mod tests;
mod vectors;

use crate::Experiment;
use subject::experiment;

pub(super) const HYPERLOGLOG: Experiment = experiment::<cardinality::HyperLogLogs>();
pub(super) const EXALOGLOG: Experiment = experiment::<cardinality::ExaLogLogs>();
pub(super) const LINEAR_COUNTING: Experiment = experiment::<cardinality::LinearCountings>();
pub(super) const MINIMUM_HASH: Experiment = experiment::<cardinality::MinimumHashes>();
pub(super) const PROBABILISTIC_COUNTING: Experiment = experiment::<cardinality::ProbabilisticCountings>();
pub(super) const LOGLOG: Experiment = experiment::<cardinality::LogLogs>();
pub(super) const K_MIN_VALUES: Experiment = experiment::<cardinality::KMinValueses>();
pub(super) const SLIDING_HYPERLOGLOG: Experiment = experiment::<histories::SlidingHyperLogLogs>();
pub(super) const JOINT: Experiment = experiment::<histories::Joints>();
pub(super) const MARTINGALE_HYPERLOGLOG: Experiment = experiment::<histories::MartingaleHyperLogLogs>();
pub(super) const MARTINGALE_EXALOGLOG: Experiment = experiment::<histories::MartingaleExaLogLogs>();
pub(super) const COUNT_MIN: Experiment = experiment::<frequency::CountMins>();
pub(super) const SIGNED_COUNT_MIN: Experiment = experiment::<frequency::SignedCountMins>();
pub(super) const COUNT_SKETCH: Experiment = experiment::<frequency::CountSketches>();
pub(super) const SPACE_SAVING: Experiment = experiment::<heavy::SpaceSavings>();
pub(super) const MISRA_GRIES: Experiment = experiment::<heavy::MisraGrieses>();
pub(super) const MAJORITY: Experiment = experiment::<heavy::Majorities>();
pub(super) const MOMENTS: Experiment = experiment::<frequency::Momentses>();
pub(super) const KLL: Experiment = experiment::<quantile::Klls>();
pub(super) const DYADIC_COUNT_MIN: Experiment = experiment::<quantile::DyadicCountMins>();
pub(super) const RESERVOIR: Experiment = experiment::<sampling::Reservoirs>();
pub(super) const WEIGHTED_RESERVOIR: Experiment = experiment::<sampling::WeightedReservoirs>();
pub(super) const BINOMIAL_COUNTER: Experiment = experiment::<counting::BinomialCounters>();
pub(super) const MORRIS_COUNTER: Experiment = experiment::<counting::MorrisCounters>();
pub(super) const BINOMIAL_ARRAY: Experiment = experiment::<counting::BinomialArrays>();
pub(super) const MORRIS_ARRAY: Experiment = experiment::<counting::MorrisArrays>();
pub(super) const MIN_HASH: Experiment = experiment::<similarity::MinHashes>();
pub(super) const ONE_PERMUTATION: Experiment = experiment::<similarity::OnePermutations>();
pub(super) const B_BIT_MIN_HASH: Experiment = experiment::<similarity::BBitMinHashes>();
pub(super) const WEIGHTED_MIN_HASH: Experiment = experiment::<vectors::WeightedMinHashes>();
pub(super) const SIM_HASH: Experiment = experiment::<vectors::SimHashes>();
pub(super) const LSH_INDEX: Experiment = experiment::<near::LshIndices>();
pub(super) const HAMMING_INDEX: Experiment = experiment::<near::HammingIndices>();
pub(super) const LSH_BLOOM: Experiment = experiment::<near::LshBlooms>();
pub(super) const DISTANCE_BLOOM: Experiment = experiment::<near::DistanceBlooms>();
pub(super) const TABLE_PROFILE: Experiment = experiment::<profile::TableProfiles>();
