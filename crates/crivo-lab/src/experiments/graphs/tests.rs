//! Faults planted in graphs, which the verdicts must see.

use std::ops::Range;

use crivo::graph::{Edge, LabelParams};
use crivo::graph::{ParentTree, TreeLabels};
use crivo::rng::Rng;
use crivo::{BloomParams, EdgeBloom, HashSpec};

use super::blooms::pair;
use super::labels::{self, Labelled, Sample};
use crate::experiments::errors::Told;
use crate::experiments::exact::{self, Exact, Weighed};
use crate::experiments::filters::measure::{self as filters, Subject};
use crate::experiments::prelude::*;

type Measure = fn(&Settings, &mut Progress) -> Result<Outcome>;

fn passed(measure: Measure) -> Vec<bool> {
    let settings = Settings { size: Size::Quick, ..Settings::default() };
    let outcome = measure(&settings, &mut Progress::silent()).unwrap();
    outcome.verdicts.iter().map(|verdict| verdict.passed).collect()
}

#[test]
fn pairs_are_numbered_without_gaps() {
    let all = (1..300u64).flat_map(|larger| (0..larger).map(move |smaller| (smaller, larger)));
    assert!(all.zip(0..).all(|(expected, number)| pair(number) == expected));
}

/// Edges in half the bits.
struct HalfTheBits;

impl Subject for HalfTheBits {
    type Filter = EdgeBloom;
    type Params = BloomParams;
    const ID: &'static str = "faulty";
    const TITLE: &'static str = "";
    const REFERENCE: &'static str = "";
    const THEORY: &'static str = "";
    const COST: Cost = Cost { quick: 0.0, full: 0.0 };

    fn sized(capacity: u64, rate: f64) -> Result<BloomParams> {
        EdgeBloom::sized(capacity, rate)
    }

    fn filled(params: BloomParams, spec: HashSpec, items: u64) -> Result<EdgeBloom> {
        EdgeBloom::filled(BloomParams::exact(params.bits() / 2, params.hashes())?, spec, items)
    }

    fn ask(graph: &EdgeBloom, items: Range<u64>) -> Vec<bool> {
        EdgeBloom::ask(graph, items)
    }

    fn told(graph: &EdgeBloom) -> Told {
        EdgeBloom::told(graph)
    }

    fn fpr_at(params: BloomParams, items: u64) -> f64 {
        params.fpr_at(items)
    }
}

/// A threshold five slots too low.
struct LowThreshold(TreeLabels);

impl Labelled for LowThreshold {
    const ID: &'static str = "faulty";
    const TITLE: &'static str = "";
    const REFERENCE: &'static str = "";
    const THEORY: &'static str = "";
    const COST: Cost = Cost { quick: 0.0, full: 0.0 };

    fn sample(n: u32, rng: &mut Rng) -> Sample {
        TreeLabels::sample(n, rng)
    }

    fn params(n: u32, sample: &Sample, rate: f64) -> Result<LabelParams> {
        <TreeLabels as Labelled>::params(n, sample, rate)
    }

    fn freeze(n: u32, sample: &Sample, params: LabelParams, spec: HashSpec) -> Result<Self> {
        Ok(Self(<TreeLabels as Labelled>::freeze(n, sample, params, spec)?))
    }

    fn joined(&self, (one, other): Edge) -> Result<bool> {
        let params = self.0.params();
        let agreeing = params.agreeing(self.0.label(one)?, self.0.label(other)?)?;
        Ok(agreeing + 5 >= params.threshold())
    }

    fn rates(&self) -> [f64; 2] {
        self.0.rates()
    }

    fn bits(&self) -> u32 {
        self.0.bits()
    }
}

/// One wrong answer of all, and a spare byte for each vertex.
struct Careless;

impl Exact for Careless {
    const ID: &'static str = "faulty";
    const TITLE: &'static str = "";
    const REFERENCE: &'static str = "";
    const THEORY: &'static str = "";
    const COST: Cost = Cost { quick: 0.0, full: 0.0 };
    const UNIT: &'static str = "vertices";
    const SIZES: [&'static [u64]; 2] = ParentTree::SIZES;

    fn weigh(n: u64, rng: &mut Rng) -> Result<Weighed> {
        let weighed = ParentTree::weigh(n, rng)?;
        let wrong = u64::from(n == Self::SIZES[0][0]);
        Ok(Weighed { wrong, memory: weighed.memory + 8.0 * n as f64, ..weighed })
    }

    fn bits(n: u64) -> (f64, f64) {
        ParentTree::bits(n)
    }
}

#[test]
fn faults_of_graphs_are_found_out() {
    let edges = passed(filters::measure::<HalfTheBits>);
    assert!(edges[0] && !edges[1] && edges[2] && !edges[4], "{edges:?}");
    let labels = passed(labels::measure::<LowThreshold>);
    assert!(!labels[0] && !labels[1], "{labels:?}");
    assert_eq!(passed(exact::measure::<Careless>), [false, false]);
}
