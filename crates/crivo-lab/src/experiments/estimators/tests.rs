use crivo::{Family, KINDS};

use super::super::prelude::*;

#[test]
fn every_estimator_is_characterised() {
    for info in KINDS {
        if matches!(info.kind.family(), Family::Membership | Family::Valued | Family::Graph) {
            continue;
        }
        let id = format!("c-{}", info.kind.name());
        let experiment = crate::find(&id).unwrap_or_else(|| panic!("{id} is missing"));
        assert_eq!(experiment.source, Source::Crivo, "{id}");
    }
}
