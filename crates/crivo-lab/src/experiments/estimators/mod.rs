//! One characterisation of every structure that estimates: error against n, bits against error, coverage of the bars.

mod cardinality;
mod draw;
mod subject;

use crate::Experiment;
use subject::experiment;

pub(super) const HYPERLOGLOG: Experiment = experiment::<cardinality::HyperLogLogs>();
pub(super) const EXALOGLOG: Experiment = experiment::<cardinality::ExaLogLogs>();
pub(super) const LINEAR_COUNTING: Experiment = experiment::<cardinality::LinearCountings>();
pub(super) const MINIMUM_HASH: Experiment = experiment::<cardinality::MinimumHashes>();
pub(super) const PROBABILISTIC_COUNTING: Experiment = experiment::<cardinality::ProbabilisticCountings>();
pub(super) const LOGLOG: Experiment = experiment::<cardinality::LogLogs>();
pub(super) const K_MIN_VALUES: Experiment = experiment::<cardinality::KMinValueses>();
pub(super) const SLIDING_HYPERLOGLOG: Experiment = experiment::<cardinality::SlidingHyperLogLogs>();
pub(super) const JOINT: Experiment = experiment::<cardinality::Joints>();
pub(super) const MARTINGALE_HYPERLOGLOG: Experiment = experiment::<cardinality::MartingaleHyperLogLogs>();
pub(super) const MARTINGALE_EXALOGLOG: Experiment = experiment::<cardinality::MartingaleExaLogLogs>();
