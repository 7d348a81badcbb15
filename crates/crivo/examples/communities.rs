//! Finds communities of a graph: nodes whose neighbours are nearly the same.
//! Lopes 2017, section 2.3.7.
//!
//! Each line of the input has two linked nodes, separated by a space or tab; `#` begins a comment. Without a file, a
//! small network is generated.
//! ```sh
//! cargo run --release -p crivo --example communities
//! zcat as20graph.txt.gz > graph.txt && cargo run --release -p crivo --example communities graph.txt
//! ```

use crivo::HashSpec;
use crivo::rng::Rng;
use crivo::similarity::{GroupedRows, Keep, NearDuplicates, NearParams, Verify};
use std::collections::{BTreeSet, HashMap};
use std::error::Error;

/// The similarity of the neighbours of two nodes of one community.
const ALIKE: f64 = 0.6;
/// The fewest neighbours of a node; with fewer, nodes are similar by chance.
const FEWEST: usize = 3;

/// Generates ten networks of fifteen customers, each linked with nearly all of its network's five providers, and a few
/// links between any two customers.
fn network() -> String {
    let mut rng = Rng::new(1);
    let mut lines = vec!["# made up".to_string()];
    for customer in 0..150 {
        for provider in (0..5).filter(|_| rng.below(10) > 0) {
            lines.push(format!("customer{customer} provider{}", customer / 15 * 5 + provider));
        }
    }
    for _ in 0..20 {
        lines.push(format!("customer{} customer{}", rng.below(150), rng.below(150)));
    }
    lines.join("\n")
}

fn main() -> Result<(), Box<dyn Error>> {
    let text = std::env::args().nth(1).map_or_else(|| Ok(network()), std::fs::read_to_string)?;
    let spec = HashSpec::default();
    let mut rows = GroupedRows::new();
    let mut nodes: Vec<&str> = Vec::new();
    let mut neighbours: HashMap<&str, BTreeSet<&str>> = HashMap::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let mut ends = line.split_whitespace();
        let (Some(one), Some(other)) = (ends.next(), ends.next()) else { continue };
        if one == other {
            continue;
        }
        for (from, to) in [(one, other), (other, one)] {
            let number = rows.insert(spec.hash(from), spec.hash(to))? as usize;
            if number == nodes.len() {
                nodes.push(from);
            }
            neighbours.entry(from).or_default().insert(to);
        }
    }

    let params = NearParams::for_threshold(ALIKE)?;
    let mut search = NearDuplicates::keeping_sets(params);
    let mut searched: Vec<&str> = Vec::new();
    rows.for_each(|number, items| {
        let document = params.sign(items);
        if document.hashes().len() >= FEWEST && search.insert(&document).is_ok() {
            searched.push(nodes[number as usize]);
        }
    });
    let (mut groups, summary) = search.groups(Verify::Kept, Keep::First)?;
    groups.sort_by_key(|group| std::cmp::Reverse(group.members.len()));
    let all_pairs = searched.len() * searched.len().saturating_sub(1) / 2;
    println!("{} nodes, {} of them with {FEWEST} neighbours or more", nodes.len(), searched.len());
    println!("{} of {all_pairs} pairs were compared, in {} bytes", summary.candidates, search.memory_bytes());
    println!("{} communities, the largest:", groups.len());
    for group in groups.iter().take(5) {
        let members: Vec<&str> = group.members.iter().map(|&member| searched[member as usize]).collect();
        // The nodes with which more than half of them are linked.
        let mut links: HashMap<&str, usize> = HashMap::new();
        for neighbour in members.iter().flat_map(|member| &neighbours[member]) {
            *links.entry(neighbour).or_default() += 1;
        }
        let mut shared: Vec<&str> = Vec::new();
        shared.extend(
            links.iter().filter(|(_, count)| **count * 2 > members.len()).map(|(neighbour, _)| neighbour),
        );
        shared.sort_unstable();
        let shown = members[..members.len().min(8)].join(" ");
        println!("{:4} nodes linked with {}: {shown} ...", members.len(), shared.join(" "));
    }
    assert!(summary.candidates <= all_pairs as u64 / 10, "most pairs are never looked at");
    assert!(groups.len() >= 10, "there are communities");
    Ok(())
}
