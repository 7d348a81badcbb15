//! Graphs in Bloom filters: spurious edges, and estimates in spite of them.

use super::{COVERAGE_TRIALS, Coverage, FALSE_ALARM, sigmas};
use crivo::graph::{Direction, EdgeBloom, VertexBlooms};
use crivo::rng::Rng;
use crivo::stats::binomial_band;
use crivo::{BloomParams, HashSpec};
use std::collections::{HashMap, HashSet};
use std::io::Read;
use std::path::Path;

type Edges = Vec<(u64, u64)>;

/// `count` distinct pairs of `vertices` numbers, the smaller first.
fn random_edges(rng: &mut Rng, vertices: u64, count: usize) -> Edges {
    let mut edges = HashSet::new();
    let mut listed = Edges::new();
    while listed.len() < count {
        let (u, v) = (rng.below(vertices), rng.below(vertices));
        let edge = (u.min(v), u.max(v));
        if u != v && edges.insert(edge) {
            listed.push(edge);
        }
    }
    listed
}

fn degrees(edges: &Edges) -> HashMap<u64, u64> {
    let mut degrees = HashMap::new();
    for &(u, v) in edges {
        *degrees.entry(u).or_insert(0) += 1;
        *degrees.entry(v).or_insert(0) += 1;
    }
    degrees
}

fn edge_bloom(edges: &Edges, params: BloomParams, spec: HashSpec) -> EdgeBloom {
    let mut graph = EdgeBloom::with_params(params, Direction::Undirected).with_hash(spec);
    graph.extend(edges.iter().copied());
    graph
}

fn vertex_blooms(edges: &Edges, bits: u32, spec: HashSpec) -> VertexBlooms {
    let sizes = degrees(edges).into_iter().map(|(vertex, degree)| (spec.hash(&vertex), degree));
    let mut graph = VertexBlooms::for_degrees(sizes, bits, Direction::Undirected, spec).unwrap();
    for (u, v) in edges {
        graph.add_edge(u, v).unwrap();
    }
    graph
}

/// Spurious edges are a sum of independent rare events: at worst Poisson.
fn assert_spurious(spurious: u64, expected: f64, context: &str) {
    let margin = sigmas() * expected.sqrt() + 5.0;
    assert!(
        (spurious as f64 - expected).abs() < margin,
        "{context}: {spurious} spurious edges, expected {expected:.1} ± {margin:.1}"
    );
}

/// Lopes 2017, figure 33: spurious edges of graphs of 100 vertices in ten bits per edge, from no edge to all.
#[test]
fn spurious_edges_of_a_hundred_vertices() {
    let mut rng = Rng::new(33);
    let pairs: Edges = (0..100).flat_map(|u| (0..u).map(move |v| (v, u))).collect();
    let (mut all_of_edges, mut all_of_vertices) = ((0, 0.0), (0, 0.0));
    for count in (1..=4950).step_by(50) {
        let (mut of_edges, mut of_vertices) = ((0, 0.0), (0, 0.0));
        for trial in 0..3 {
            let spec = HashSpec::seeded(trial << 20 | count as u64);
            let edges = random_edges(&mut rng, 100, count);
            let params = EdgeBloom::params_for_bits(10, count as u64).unwrap();
            let (one, each) = (edge_bloom(&edges, params, spec), vertex_blooms(&edges, 10, spec));
            assert!(edges.iter().all(|(u, v)| one.has_edge(u, v) && each.has_edge(v, u)), "a lost edge");
            let edges: HashSet<(u64, u64)> = edges.into_iter().collect();
            let hashes: Vec<u64> = (0..100u64).map(|vertex| spec.hash(&vertex)).collect();
            for pair in pairs.iter().filter(|pair| !edges.contains(pair)) {
                let (u, v) = (hashes[pair.0 as usize], hashes[pair.1 as usize]);
                of_edges.0 += u64::from(one.has_edge_hash(u, v));
                of_vertices.0 += u64::from(each.has_edge_hash(u, v));
                of_vertices.1 += each.fpr_hash(u, v).value();
            }
            of_edges.1 += one.fpr().value() * (4950 - count) as f64;
        }
        assert_spurious(of_edges.0, of_edges.1, &format!("one filter, {count} edges"));
        assert_spurious(of_vertices.0, of_vertices.1, &format!("filters of vertices, {count} edges"));
        all_of_edges = (all_of_edges.0 + of_edges.0, all_of_edges.1 + of_edges.1);
        all_of_vertices = (all_of_vertices.0 + of_vertices.0, all_of_vertices.1 + of_vertices.1);
    }
    assert_spurious(all_of_edges.0, all_of_edges.1, "one filter");
    assert_spurious(all_of_vertices.0, all_of_vertices.1, "filters of vertices");
    assert!(all_of_edges.1 > 3000.0 && all_of_vertices.1 > 30.0, "{all_of_edges:?} {all_of_vertices:?}");
}

#[test]
fn degrees_and_spurious_edges_of_one_filter_are_covered() {
    for (degree, bits) in [(0u64, 300), (5, 300), (5, 1000), (60, 700)] {
        let params = BloomParams::exact(bits, 3).unwrap();
        let (mut degrees, mut spurious) = (Coverage::default(), Coverage::default());
        for seed in 0..COVERAGE_TRIALS {
            let spec = HashSpec::seeded(seed);
            // A star, and a separate path of 50.
            let star = (1..=degree).map(|leaf| (0, leaf));
            let edges: Edges = star.chain((100..150).map(|i| (i, i + 1))).collect();
            let graph = edge_bloom(&edges, params, spec);
            let vertices: Vec<u64> = (0..200u64).map(|vertex| spec.hash(&vertex)).collect();
            degrees.push(&graph.degree(&0u64, &vertices), degree as f64);
            if seed % 10 == 0 {
                let pairs = (0..200u64).flat_map(|u| (0..u).map(move |v| (u, v)));
                let reported = pairs.filter(|(u, v)| graph.has_edge(u, v)).count();
                let truth = (reported - edges.len()) as f64;
                spurious.push(&graph.spurious_edges(200), truth);
            }
        }
        let context = format!("degree {degree} in {bits} bits");
        degrees.assert_rule(1.0, &context);
        spurious.assert_proven(&format!("spurious edges, {context}"));
    }
}

#[test]
fn degrees_of_vertices_are_covered() {
    for degree in [1u64, 2, 5, 20, 100, 400] {
        let mut coverage = Coverage::default();
        for seed in 0..COVERAGE_TRIALS {
            let spec = HashSpec::seeded(seed);
            let hub = [(spec.hash(&0u64), degree)];
            let mut graph = VertexBlooms::for_degrees(hub, 10, Direction::Directed, spec).unwrap();
            for leaf in 1..=degree {
                graph.add_edge(&0u64, &leaf).unwrap();
            }
            coverage.push(&graph.degree(&0u64).unwrap(), degree as f64);
        }
        coverage.assert_rule(1.0, &format!("degree {degree} in its own filter"));
    }
}

/// Two hubs with 20 neighbours in common and as many of their own, among 200 vertices.
#[test]
fn common_neighbours_are_covered() {
    let edges: Edges = (10..50).map(|leaf| (0, leaf)).chain((30..70).map(|leaf| (1, leaf))).collect();
    let (mut of_edges, mut of_vertices) = (Coverage::default(), Coverage::default());
    for seed in 0..COVERAGE_TRIALS {
        let spec = HashSpec::seeded(seed);
        let vertices: Vec<u64> = (0..200u64).map(|vertex| spec.hash(&vertex)).collect();
        let graph = edge_bloom(&edges, BloomParams::exact(400, 3).unwrap(), spec);
        of_edges.push(&graph.common_neighbours(&0u64, &1u64, &vertices), 20.0);
        let graph = vertex_blooms(&edges, 2, spec);
        of_vertices.push(&graph.common_neighbours(&0u64, &1u64, &vertices), 20.0);
    }
    of_edges.assert_rule(1.0, "common neighbours from one filter");
    of_vertices.assert_rule(1.0, "common neighbours from filters of vertices");
}

fn triangles_of(edges: &Edges) -> u64 {
    let mut neighbours: HashMap<u64, HashSet<u64>> = HashMap::new();
    for &(u, v) in edges {
        neighbours.entry(u).or_default().insert(v);
        neighbours.entry(v).or_default().insert(u);
    }
    let common = |(u, v): &(u64, u64)| neighbours[u].intersection(&neighbours[v]).count() as u64;
    edges.iter().map(common).sum::<u64>() / 3
}

#[test]
fn triangles_are_covered() {
    let mut rng = Rng::new(3);
    let edges = random_edges(&mut rng, 40, 200);
    let truth = triangles_of(&edges) as f64;
    assert!(truth > 100.0);
    let (mut of_edges, mut of_vertices) = (Coverage::default(), Coverage::default());
    for seed in 0..COVERAGE_TRIALS {
        let spec = HashSpec::seeded(seed);
        let vertices: Vec<u64> = (0..40u64).map(|vertex| spec.hash(&vertex)).collect();
        let graph = edge_bloom(&edges, BloomParams::exact(1200, 4).unwrap(), spec);
        of_edges.push(&graph.triangles(&vertices).unwrap(), truth);
        of_vertices.push(&vertex_blooms(&edges, 4, spec).triangles().unwrap(), truth);
    }
    of_edges.assert_rule(1.0, "triangles from one filter");
    of_vertices.assert_rule(1.0, "triangles from filters of vertices");
}

/// Small filters of very different rates, and more spurious edges than true ones.
#[test]
fn triangles_of_a_sparse_graph_in_few_bits_are_covered() {
    let mut rng = Rng::new(5);
    let mut edges: HashSet<(u64, u64)> = random_edges(&mut rng, 200, 200).into_iter().collect();
    for _ in 0..50 {
        let corner = rng.below(198);
        edges.extend([(corner, corner + 1), (corner + 1, corner + 2), (corner, corner + 2)]);
    }
    let edges: Edges = edges.into_iter().collect();
    let truth = triangles_of(&edges) as f64;
    assert!(truth > 40.0);
    for bits in [4, 5, 6, 8] {
        let (mut of_edges, mut of_vertices) = (Coverage::default(), Coverage::default());
        for seed in 0..COVERAGE_TRIALS {
            let spec = HashSpec::seeded(seed);
            let vertices: Vec<u64> = (0..200u64).map(|vertex| spec.hash(&vertex)).collect();
            let params = EdgeBloom::params_for_bits(bits, edges.len() as u64).unwrap();
            of_edges.push(&edge_bloom(&edges, params, spec).triangles(&vertices).unwrap(), truth);
            of_vertices.push(&vertex_blooms(&edges, bits, spec).triangles().unwrap(), truth);
        }
        // Which of the reported edges are true is a guess, which makes the intervals a little too long: no upper limit.
        of_edges.assert_rule(f64::INFINITY, &format!("triangles from one filter of {bits} bits an edge"));
        of_vertices.assert_rule(f64::INFINITY, &format!("triangles from filters of {bits} bits a neighbour"));
    }
}

/// The lines of a graph, if it lies next to the repository.
fn graph_lines(name: &str) -> Option<Vec<(String, String)>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/graphs").join(name);
    let Ok(file) = std::fs::File::open(&path) else {
        println!("skipped: {} is absent", path.display());
        return None;
    };
    let mut text = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    Some(lines.filter_map(|line| line.split_once('\t')).map(|(u, v)| (u.into(), v.into())).collect())
}

#[test]
fn autonomous_systems() {
    let Some(lines) = graph_lines("as20graph.txt.gz") else { return };
    let number = |text: &String| text.parse::<u64>().unwrap();
    let pairs = lines.iter().map(|(u, v)| (number(u), number(v))).filter(|(u, v)| u != v);
    let edges: HashSet<(u64, u64)> = pairs.map(|(u, v)| (u.min(v), u.max(v))).collect();
    let edges: Edges = edges.into_iter().collect();
    assert_eq!((edges.len(), triangles_of(&edges)), (12_572, 6584));
    let spec = HashSpec::default();
    let params = EdgeBloom::params_for_bits(10, edges.len() as u64).unwrap();
    let (one, each) = (edge_bloom(&edges, params, spec), vertex_blooms(&edges, 10, spec));
    assert!(edges.iter().all(|(u, v)| one.has_edge(u, v) && each.has_edge(u, v)), "a lost edge");
    assert!(one.edges().contains(12_572.0) && one.fpr().value() < 0.01);
    // The spurious edges of the neighbours of one vertex in ten.
    let joined: HashSet<(u64, u64)> = edges.iter().flat_map(|&(u, v)| [(u, v), (v, u)]).collect();
    let vertices: Vec<u64> = degrees(&edges).into_keys().collect();
    let (mut spurious, mut others) = (0u64, 0u64);
    for &u in vertices.iter().step_by(20) {
        for &v in vertices.iter().filter(|&&v| v < u && !joined.contains(&(u, v))) {
            others += 1;
            spurious += u64::from(one.has_edge(&u, &v));
        }
    }
    let (least, most) = binomial_band(others, one.fpr().value(), FALSE_ALARM);
    assert!((least..=most).contains(&(spurious as f64)), "{spurious} of {others}");
}

#[test]
#[ignore = "long tier: twenty million pairs, twice"]
fn triangles_of_autonomous_systems() {
    let Some(lines) = graph_lines("as20graph.txt.gz") else { return };
    let pairs = lines.iter().map(|(u, v)| (u.parse().unwrap(), v.parse().unwrap()));
    let edges: HashSet<(u64, u64)> =
        pairs.filter(|(u, v)| u != v).map(|(u, v): (u64, u64)| (u.min(v), u.max(v))).collect();
    let edges: Edges = edges.into_iter().collect();
    let spec = HashSpec::default();
    let found = vertex_blooms(&edges, 10, spec).triangles().unwrap();
    assert!(found.contains(6584.0) && found.upper() - found.lower() < 1000.0, "{found}");
    let vertices: Vec<u64> = degrees(&edges).keys().map(|vertex| spec.hash(vertex)).collect();
    let params = EdgeBloom::params_for_bits(20, edges.len() as u64).unwrap();
    let found = edge_bloom(&edges, params, spec).triangles(&vertices).unwrap();
    assert!(found.contains(6584.0) && found.upper() - found.lower() < 2000.0, "{found}");
}

#[test]
fn dependencies_of_packages() {
    let Some(lines) = graph_lines("debian-bookworm-depends.tsv.gz") else { return };
    let distinct: HashSet<&(String, String)> = lines.iter().collect();
    assert_eq!(distinct.len(), 340_684);
    let params = EdgeBloom::params_for_bits(10, 340_684).unwrap();
    let mut graph = EdgeBloom::with_params(params, Direction::Directed);
    graph.extend(lines.iter().map(|(from, to)| (from.as_str(), to.as_str())));
    assert!(lines.iter().all(|(from, to)| graph.has_edge(from.as_str(), to.as_str())), "a lost edge");
    let truth = distinct.len() as f64;
    let edges = graph.edges();
    assert!((edges.value() - truth).abs() < 3.0 * (edges.upper() - edges.lower()), "{edges}");
    // Reversed edges are other edges, except those that go both ways.
    let turned = lines.iter().filter(|(from, to)| !distinct.contains(&(to.clone(), from.clone())));
    let (mut others, mut spurious) = (0, 0);
    for (from, to) in turned.collect::<HashSet<_>>() {
        others += 1;
        spurious += u64::from(graph.has_edge(to.as_str(), from.as_str()));
    }
    let (least, most) = binomial_band(others, graph.fpr().value(), FALSE_ALARM);
    assert!((least..=most).contains(&(spurious as f64)), "{spurious} of {others}");
}
