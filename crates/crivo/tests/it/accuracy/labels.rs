use super::{FALSE_ALARM, Sample};
use crivo::HashSpec;
use crivo::graph::{
    BipartiteLabels, Edge, IntersectionLabels, IntersectionSets, LabelParams, LabelScheme, Sides, TreeLabels,
};
use crivo::rng::Rng;
use crivo::stats::{beta_i_inverse, binomial_band};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::Path;

/// Each label set has its own seed.
const TRIALS: u64 = 4000;

/// Pairs of vertices are reported as edges as often as theory says: each once per seed, so that trials are independent.
fn assert_taken_for_edges<G>(
    context: &str,
    make: impl Fn(HashSpec) -> G,
    has_edge: impl Fn(&G, u32, u32) -> crivo::Result<bool>,
    pairs: &[(&str, Edge, f64)],
) {
    let mut taken = vec![0u64; pairs.len()];
    for seed in 0..TRIALS {
        let graph = make(HashSpec::seeded(seed << 20 | 0x4d));
        for (taken, (_, (one, other), _)) in taken.iter_mut().zip(pairs) {
            *taken += u64::from(has_edge(&graph, *one, *other).unwrap());
        }
    }
    for (taken, (what, pair, rate)) in taken.into_iter().zip(pairs) {
        let (least, most) = binomial_band(TRIALS, *rate, FALSE_ALARM);
        assert!(
            (least..=most).contains(&(taken as f64)),
            "{context}, {what} {pair:?}: {taken} of {TRIALS}, theory {least} to {most}"
        );
    }
}

/// A root with five children, the first of which has three, and the first of these two more.
const TREE: [Edge; 10] = [(0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (1, 6), (1, 7), (1, 8), (6, 9), (6, 10)];

fn assert_tree(scheme: LabelScheme, fpr: f64, fnr: f64) {
    let params = TreeLabels::params_for(scheme, fpr, fnr).unwrap();
    let tree = |spec| TreeLabels::freeze(11, &TREE, params, spec).unwrap();
    let stated = tree(HashSpec::default());
    assert!(stated.fpr() <= fpr && stated.fnr() <= fnr);
    let (found, fpr) = (1.0 - stated.fnr(), stated.fpr());
    // An uncle has one element in five in common: J = 1/5, and a cosine of q/4 over √(q · q/2).
    let uncle = match scheme {
        LabelScheme::SimHash => 0.125f64.sqrt(),
        _ => 0.2,
    };
    let pairs = [
        ("edge", (0, 1), found),
        ("edge", (1, 6), found),
        ("edge", (6, 10), found),
        ("siblings", (1, 2), fpr),
        ("siblings", (6, 8), fpr),
        ("siblings", (9, 10), fpr),
        ("grandparent", (0, 6), fpr),
        ("grandparent", (1, 9), fpr),
        ("uncle", (7, 9), params.fpr(uncle)),
    ];
    assert_taken_for_edges(&params.to_string(), tree, TreeLabels::has_edge, &pairs);
}

#[test]
fn trees_err_as_theory_says() {
    assert_tree(LabelScheme::MinHash, 0.05, 0.1);
    assert_tree(LabelScheme::SimHash, 0.1, 0.05);
}

#[test]
fn graphs_err_as_theory_says() {
    let wheel: Vec<Edge> = (1..7).flat_map(|rim| [(0, rim), (rim, rim % 6 + 1)]).collect();
    for (delta, scheme, fpr, fnr) in [
        ((0, 1), LabelScheme::MinHash, 0.03, 0.05),
        ((1, 5), LabelScheme::MinHash, 0.1, 0.1),
        ((1, 2), LabelScheme::SimHash, 0.2, 0.1),
    ] {
        let sets = IntersectionSets::for_graph(7, &wheel, delta).unwrap();
        let params = sets.params_for(scheme, fpr, fnr).unwrap();
        let graph = |spec| IntersectionLabels::freeze(7, &wheel, sets, params, spec).unwrap();
        let stated = graph(HashSpec::default());
        assert!(stated.fpr() <= fpr && stated.fnr() <= fnr);
        let (found, fpr) = (1.0 - stated.fnr(), stated.fpr());
        let pairs = [("spoke", (0, 3), found), ("rim", (3, 4), found), ("not joined", (2, 5), fpr)];
        let context = format!("{delta:?}, {params}");
        assert_taken_for_edges(&context, graph, IntersectionLabels::has_edge, &pairs);
    }
}

#[test]
fn graphs_of_two_sides_err_as_theory_says() {
    // Vertices 0 to 3 have five neighbours each, of ten.
    let sides: Vec<bool> = (0..14).map(|vertex| vertex > 3).collect();
    let edges: Vec<Edge> = (0..20).map(|edge| (edge % 4, 4 + edge * 7 % 10)).collect();
    assert_eq!(edges.iter().collect::<BTreeSet<_>>().len(), 20);
    let (joined, apart) = (
        (4..14).find(|&other| edges.contains(&(0, other))),
        (4..14).find(|&other| !edges.contains(&(0, other))),
    );
    let params = BipartiteLabels::params_for(&sides, &edges, 0.03, 0.05).unwrap();
    let graph = |spec| BipartiteLabels::freeze(Sides::Split, &sides, &edges, params, spec).unwrap();
    let stated = graph(HashSpec::default());
    assert!(stated.fpr() <= 0.03 && stated.fnr() <= 0.05);
    // The other side lists its neighbours if its greatest degree is smaller.
    let degree =
        edges.iter().map(|edge| edges.iter().filter(|other| other.1 == edge.1).count()).max().unwrap();
    assert_eq!(degree, 2);
    let pairs = [
        ("across, joined", (0, joined.unwrap()), 1.0 - stated.fnr()),
        ("across, not joined", (0, apart.unwrap()), stated.fpr()),
        ("on one side", (1, 2), 0.0),
        ("on the other", (7, 9), 1.0),
    ];
    assert_taken_for_edges("two sides", graph, BipartiteLabels::has_edge, &pairs);
}

/// The classification of the world's languages, if it lies next to the repository: parents by number.
fn languages() -> Option<(u32, Vec<Edge>)> {
    let name = "../../../shared/data/graphs/glottolog-tree.tsv.gz";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    let Ok(file) = std::fs::File::open(&path) else {
        println!("skipped: {} is absent", path.display());
        return None;
    };
    let mut lines = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut lines).unwrap();
    let mut numbers = BTreeMap::new();
    let mut number = |name: &str| {
        let next = numbers.len() as u32;
        *numbers.entry(name.to_string()).or_insert(next)
    };
    let edges: Vec<Edge> = lines
        .lines()
        .map(|line| line.split_once('\t').unwrap())
        .map(|(child, parent)| (number(child), number(parent)))
        .collect();
    Some((numbers.len() as u32, edges))
}

/// The mean of a sample of unknown spread is at most, or about, `theory`: by Student's t distribution.
fn assert_mean_rate(rates: &Sample, theory: f64, is_exact: bool, context: &str) {
    let freedom = rates.values.len() as f64 - 1.0;
    // T²/(T² + freedom) has a beta distribution.
    let share = beta_i_inverse(0.5, freedom / 2.0, 1.0 - FALSE_ALARM);
    let student = (freedom * share / (1.0 - share)).sqrt();
    let mean = rates.mean();
    let margin = student * (rates.moment(mean, 2) / freedom).sqrt();
    println!("{context}: {mean:.5}, theory {theory:.5} ± {margin:.5}");
    assert!(mean <= theory + margin, "{context}: {mean}, theory {theory} ± {margin}");
    assert!(!is_exact || mean >= theory - margin, "{context}: {mean}, theory {theory} ± {margin}");
}

/// All edges, all siblings, all vertices with their grandparents, and many random pairs, of labels with their own
/// seeds.
fn assert_languages(scheme: LabelScheme, seeds: u64) {
    let Some((vertices, edges)) = languages() else { return };
    assert_eq!((vertices, edges.len()), (13_217, 13_216));
    let parent: BTreeMap<u32, u32> = edges.iter().copied().collect();
    let mut children: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for &(child, parent) in &edges {
        children.entry(parent).or_default().push(child);
    }
    let siblings: Vec<Edge> = children
        .values()
        .flat_map(|all| {
            all.iter()
                .enumerate()
                .flat_map(|(place, &one)| all[..place].iter().map(move |&other| (one, other)))
        })
        .collect();
    let grandparents: Vec<Edge> =
        edges.iter().filter_map(|(child, above)| parent.get(above).map(|&top| (*child, top))).collect();
    let mut rng = Rng::new(1);
    let others: Vec<Edge> = (0..100_000)
        .map(|_| (rng.below(vertices.into()) as u32, rng.below(vertices.into()) as u32))
        .filter(|(one, other)| {
            one != other && parent.get(one) != Some(other) && parent.get(other) != Some(one)
        })
        .collect();
    let params = TreeLabels::params_for(scheme, 0.2, 0.2).unwrap();
    let mut rates: [Sample; 4] = Default::default();
    let mut stated = (0.0, 0.0);
    for seed in 0..seeds {
        let tree = TreeLabels::freeze(vertices, &edges, params, HashSpec::seeded(seed)).unwrap();
        stated = (tree.fpr(), tree.fnr());
        for (sample, pairs) in rates.iter_mut().zip([&edges, &siblings, &grandparents, &others]) {
            let taken = pairs.iter().filter(|(one, other)| tree.has_edge(*one, *other).unwrap()).count();
            sample.push(taken as f64 / pairs.len() as f64);
        }
    }
    let name = scheme.name();
    assert_mean_rate(&rates[0], 1.0 - stated.1, true, &format!("{name}, {} edges", edges.len()));
    assert_mean_rate(&rates[1], stated.0, true, &format!("{name}, {} siblings", siblings.len()));
    assert_mean_rate(&rates[2], stated.0, true, &format!("{name}, {} grandparents", grandparents.len()));
    assert_mean_rate(&rates[3], stated.0, false, &format!("{name}, {} others", others.len()));
}

#[test]
#[ignore = "long tier: labels of 13,217 languages under many seeds"]
fn languages_err_as_theory_says_by_bits() {
    assert_languages(LabelScheme::MinHash, 16);
}

#[test]
#[ignore = "long tier: labels of 13,217 languages under many seeds"]
fn languages_err_as_theory_says_by_signs() {
    assert_languages(LabelScheme::SimHash, 10);
}

/// The parameters for a target are the same on every platform.
#[test]
fn params_are_frozen() {
    let tree = |scheme, rate| {
        let params = TreeLabels::params_for(scheme, rate, rate).unwrap();
        (params.slots(), params.bits(), params.threshold())
    };
    assert_eq!(tree(LabelScheme::MinHash, 0.01), (646, 1, 459));
    assert_eq!(tree(LabelScheme::SimHash, 0.01), (646, 1, 459));
    let of = |delta, degree| {
        let params =
            IntersectionSets::new(delta, degree).unwrap().params_for(LabelScheme::MinHash, 0.01, 0.01);
        params.map(|params: LabelParams| params.bits_per_vertex())
    };
    assert_eq!(of((0, 1), 3).unwrap(), 240);
    // One bit per slot would take fewer bits, but more slots than a label may have.
    assert_eq!(of((1, 3), 30).unwrap(), 85_766);
    assert!(of((1, 2), 100).is_err());
}
