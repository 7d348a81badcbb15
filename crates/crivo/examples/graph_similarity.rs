//! Compares whole graphs: each day's crawl of a site is one SimHash, and a day on which a part is missing stands out.
//! Lopes 2017, section 2.3.7.
//!
//! ```sh
//! cargo run -p crivo --example graph_similarity
//! ```

use crivo::rng::Rng;
use crivo::{Result, SimHash};
use std::collections::BTreeSet;

/// The number of pages of the site; a page links to pages that are linked already.
const PAGES: u32 = 5000;
/// The similarity of days that differ by ordinary changes is never below this.
const USUAL: f64 = 0.9;

type Edges = BTreeSet<(u32, u32)>;

fn crawl(rng: &mut Rng) -> Edges {
    let mut ends = vec![0];
    let mut edges = Edges::new();
    for page in 1..PAGES {
        for _ in 0..4 {
            let target = ends[rng.below(ends.len() as u64) as usize];
            edges.insert((page, target));
            ends.extend([page, target]);
        }
    }
    edges
}

/// A day passes: a hundredth of the links are replaced.
fn change(edges: &Edges, rng: &mut Rng) -> Edges {
    let mut page = |_| rng.below(PAGES.into()) as u32;
    let changed: Edges = (0..edges.len() / 100).map(|place| (page(place), page(place))).collect();
    edges
        .iter()
        .enumerate()
        .filter(|(place, _)| place % 100 != 0)
        .map(|(_, &edge)| edge)
        .chain(changed)
        .collect()
}

/// The signature of a graph: its links, each weighted by the root of the number of links to the linking page.
fn signature(edges: &Edges) -> Result<SimHash> {
    let mut linked = vec![1.0f64; PAGES as usize];
    for &(_, target) in edges {
        linked[target as usize] += 1.0;
    }
    let mut signature = SimHash::for_bits(1024)?;
    for &(page, target) in edges {
        signature.add(&(page, target), linked[page as usize].sqrt())?;
    }
    Ok(signature)
}

/// The exact cosine of the two weighted sets of links would need both graphs at once; a signature has 128 bytes.
fn main() -> Result<()> {
    let mut rng = Rng::new(1);
    let mut site = crawl(&mut rng);
    let mut yesterday = signature(&site)?;
    let mut alarms = Vec::new();
    println!("day  similarity with the day before");
    for day in 1..=10 {
        site = change(&site, &mut rng);
        // On the sixth day the crawler fails on a third of the pages.
        let seen: Edges = site.iter().copied().filter(|(page, _)| day != 6 || page % 3 != 0).collect();
        let today = signature(&seen)?;
        let similarity = today.cosine(&yesterday)?;
        let is_unusual = similarity.upper() < USUAL;
        println!("{day:3}  {similarity}{}", if is_unusual { "  unusual" } else { "" });
        if is_unusual {
            alarms.push(day);
        }
        yesterday = signature(&site)?;
    }
    println!("a graph of {} links is kept in {} bytes", site.len(), 8 * yesterday.signature().len());
    assert_eq!(alarms, [6], "only the failed crawl is unusual");
    Ok(())
}
