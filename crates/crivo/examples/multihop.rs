//! Requests find services in a network without a map: each node keeps a table for each neighbour of what can be reached
//! through it, and sends a request to the neighbour with the highest answer.
//!
//! Linear Bloom filters (Ferreira 2017) whose values decay from hop to hop. An answer that is too high leads astray.
//!
//! ```sh
//! cargo run --release -p crivo --example multihop
//! ```

use crivo::rng::Rng;
use crivo::valued::{DecayingBloom, Fading, LinearBloomParams};

/// The side of a square of nodes, whose opposite edges are connected.
const SIDE: usize = 10;
const SERVICES: u64 = 1000;
/// The factor for each hop.
const HOP: f64 = 0.5;
/// The longest path is half a side in both directions.
const REACH: i32 = SIDE as i32;

struct Node {
    /// The services of the node itself.
    own: DecayingBloom,
    /// The announcements of its neighbours.
    heard: [DecayingBloom; 4],
}

fn neighbours(node: usize) -> [usize; 4] {
    let (row, column) = (node / SIDE, node % SIDE);
    let at = |row: usize, column: usize| row % SIDE * SIDE + column % SIDE;
    [at(row + 1, column), at(row + SIDE - 1, column), at(row, column + 1), at(row, column + SIDE - 1)]
}

/// Returns the fewest hops between two nodes.
fn distance(one: usize, other: usize) -> usize {
    let around = |one: usize, other: usize| one.abs_diff(other).min(SIDE - one.abs_diff(other));
    around(one / SIDE, other / SIDE) + around(one % SIDE, other % SIDE)
}

/// Returns what a node announces to a neighbour: its services, and what it heard from the others, attenuated by a hop.
fn announcement(nodes: &[Node], from: usize, to: usize) -> crivo::Result<DecayingBloom> {
    let mut all = nodes[from].own.clone();
    for (table, neighbour) in nodes[from].heard.iter().zip(neighbours(from)) {
        if neighbour != to {
            all.merge_attenuated(table, HOP)?;
        }
    }
    Ok(all)
}

/// Returns the hops to a service, always to the neighbour with the highest answer; `None` if it is not found.
fn route(nodes: &[Node], service: u64, start: usize, home: usize) -> Option<usize> {
    let mut at = start;
    for hops in 0..2 * REACH as usize {
        if at == home {
            return Some(hops);
        }
        let answers = nodes[at].heard.iter().zip(neighbours(at));
        let known = answers.filter_map(|(table, next)| table.value(&service).map(|value| (value, next)));
        at = known.max_by(|one, other| one.0.total_cmp(&other.0))?.1;
    }
    None
}

fn main() -> crivo::Result<()> {
    println!("too high  cells / table  kB / node  found    hops  shortest");
    for rate in [0.5, 0.1, 0.01, 0.001] {
        let mut rng = Rng::new(7);
        let params = LinearBloomParams::for_distortion(SERVICES, rate)?;
        let empty = DecayingBloom::with_params(params, Fading::new(0.9, HOP.powi(REACH))?);
        let node = |_| Node { own: empty.clone(), heard: [const { 0 }; 4].map(|_| empty.clone()) };
        let mut nodes: Vec<Node> = (0..SIDE * SIDE).map(node).collect();
        let homes: Vec<usize> = (0..SERVICES).map(|_| rng.below((SIDE * SIDE) as u64) as usize).collect();
        for (service, &home) in (0..SERVICES).zip(&homes) {
            nodes[home].own.insert(&service, 1.0)?;
        }
        for _ in 0..REACH {
            let heard_by = |to| neighbours(to).map(|from| announcement(&nodes, from, to));
            let news: Vec<_> = (0..SIDE * SIDE).map(heard_by).collect();
            for (node, [a, b, c, d]) in nodes.iter_mut().zip(news) {
                node.heard = [a?, b?, c?, d?];
            }
        }
        let (mut found, mut hops, mut shortest) = (0, 0, 0);
        for (service, &home) in (0..SERVICES).zip(&homes) {
            let start = rng.below((SIDE * SIDE) as u64) as usize;
            if let Some(taken) = route(&nodes, service, start, home) {
                (found, hops, shortest) = (found + 1, hops + taken, shortest + distance(start, home));
            }
        }
        let memory: usize = nodes[0].heard.iter().map(DecayingBloom::memory_bytes).sum();
        let [hops, shortest] = [hops, shortest].map(|sum| sum as f64 / f64::from(found));
        let (cells, kilobytes) = (params.cells(), memory as f64 / 1000.0);
        let found = 100.0 * f64::from(found) / SERVICES as f64;
        println!("{rate:<8}  {cells:13}  {kilobytes:9.1}  {found:5.1} %  {hops:4.2}  {shortest:8.2}");
        // A request goes astray only if, on a path of at most REACH hops, one of four answers is too high.
        assert!(found >= 100.0 * (1.0 - 4.0 * rate * f64::from(REACH)), "{found} % at {rate}");
    }
    Ok(())
}
