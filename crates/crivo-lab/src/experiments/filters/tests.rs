use crivo::{Family, KINDS};

use crate::experiments::prelude::*;

#[test]
fn every_structure_of_these_families_has_its_measurement() {
    let families = [Family::Membership, Family::Valued, Family::Graph];
    for info in KINDS.iter().filter(|info| families.contains(&info.kind.family())) {
        let id = format!("c-{}", info.kind.name());
        let experiment = crate::find(&id).unwrap_or_else(|| panic!("{id} is missing"));
        assert_eq!((experiment.id, experiment.source), (id.as_str(), Source::Crivo));
    }
}
