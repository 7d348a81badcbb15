//! Messages find phones in a square region, cut into quarters three times: a quadtree of Bloom filters.
//!
//! ```sh
//! cargo run -p crivo --example routing
//! ```

use crivo::membership::RoutingTree;
use crivo::rng::Rng;
use crivo::{BloomParams, HashSpec, Result};

const PHONES: u64 = 10_000;
const DEPTH: u32 = 3;

/// Cuts a place into quarters, and these again; collects the smallest.
fn cut(region: &mut RoutingTree, place: usize, depth: u32, cells: &mut Vec<usize>) -> Result<()> {
    if depth == 0 {
        cells.push(place);
        return Ok(());
    }
    for _ in 0..4 {
        let quarter = region.add_child(place)?;
        cut(region, quarter, depth - 1, cells)?;
    }
    Ok(())
}

fn main() -> Result<()> {
    let mut rng = Rng::new(1);
    println!("rate     filters  cells  filters asked  cells tried  for a phone that is nowhere");
    for fpr in [0.1, 0.01, 0.001] {
        let mut region = RoutingTree::new(BloomParams::for_fpr(PHONES, fpr)?, HashSpec::default());
        let mut cells = Vec::new();
        cut(&mut region, RoutingTree::ROOT, DEPTH, &mut cells)?;
        let mut homes = Vec::new();
        for phone in 0..PHONES {
            let home = cells[rng.below(cells.len() as u64) as usize];
            region.insert(home, &phone)?;
            homes.push(home);
        }
        let (mut asked, mut tried, mut in_vain) = (0, 0, 0);
        for phone in 0..PHONES {
            let route = region.lookup(&phone);
            assert!(route.candidates.contains(&homes[phone as usize]));
            asked += route.asked;
            tried += route.candidates.len();
            in_vain += region.lookup(&(PHONES + phone)).asked;
        }
        let mean = |count: usize| count as f64 / PHONES as f64;
        println!(
            "{fpr:<7}  {:7}  {:5}  {:13.2}  {:11.3}  {:.3}",
            region.places(),
            cells.len(),
            mean(asked),
            mean(tried),
            mean(in_vain)
        );
    }
    Ok(())
}
