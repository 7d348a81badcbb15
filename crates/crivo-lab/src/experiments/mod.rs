//! All experiments, one file each.

mod e_f27;
mod e_f9;
mod table2;

use crate::Experiment;

/// Every experiment, in the order of the documents.
pub static EXPERIMENTS: &[Experiment] = &[e_f9::EXPERIMENT, e_f27::EXPERIMENT];

/// The experiment with this id.
pub fn find(id: &str) -> Option<&'static Experiment> {
    EXPERIMENTS.iter().find(|experiment| experiment.id == id)
}
