//! Messages find phones in a square region that is cut into quarters three times: a quadtree of Bloom filters, each with the
//! phones of all quarters below it. A message goes down only where a filter says yes.
//!
//! Silva 2022, section 3.5.5: routing in a tree of filters, and its geographic form. The phone's quarter is always found; how
//! many filters are asked follows from their rates.
//!
//! ```sh
//! cargo run --release -p crivo --example routing
//! ```

use crivo::membership::RoutingTree;
use crivo::rng::Rng;
use crivo::{BloomParams, Result};

const PHONES: u64 = 10_000;
const DEPTH: u32 = 3;
/// Quarters on a side of the region, when all cuts are made.
const SIDE: usize = 1 << DEPTH;

/// Cuts the square at `corner` into quarters, and these again; notes the smallest by row and column.
fn cut(
    tree: &mut RoutingTree,
    place: usize,
    corner: [usize; 2],
    side: usize,
    cells: &mut [[usize; SIDE]],
) -> Result<()> {
    if side == 1 {
        cells[corner[0]][corner[1]] = place;
        return Ok(());
    }
    let half = side / 2;
    for [row, column] in [[0, 0], [0, half], [half, 0], [half, half]] {
        let quarter = tree.add_child(place)?;
        cut(tree, quarter, [corner[0] + row, corner[1] + column], half, cells)?;
    }
    Ok(())
}

fn main() -> Result<()> {
    let mut rng = Rng::new(1);
    println!("{PHONES} phones in {} cells", SIDE * SIDE);
    println!("         a phone that is there:                  one that is nowhere:");
    println!("rate     cells tried  filters asked  expected    filters asked  expected");
    for fpr in [0.1, 0.01, 0.001] {
        let mut tree = RoutingTree::with_params(BloomParams::for_fpr(PHONES, fpr)?);
        let mut cells = [[0; SIDE]; SIDE];
        cut(&mut tree, RoutingTree::ROOT, [0, 0], SIDE, &mut cells)?;
        let mut homes = Vec::new();
        for phone in 0..PHONES {
            let (north, east) = (rng.unit(), rng.unit());
            homes.push(cells[(north * SIDE as f64) as usize][(east * SIDE as f64) as usize]);
            tree.insert(homes[phone as usize], &phone)?;
        }
        let (mut tried, mut asked, mut in_vain) = (0, 0, 0);
        for phone in 0..PHONES {
            let route = tree.route(&phone);
            assert!(route.candidates.contains(&homes[phone as usize]), "a phone is found where it is");
            (tried, asked) = (tried + route.candidates.len(), asked + route.asked);
            in_vain += tree.route(&(PHONES + phone)).asked;
        }
        // A place with quarters that answers yes, rightly or not, costs four questions.
        let mut wrong_yes = 0.0;
        for place in (0..tree.places()).filter(|place| cells.iter().all(|row| !row.contains(place))) {
            wrong_yes += tree.filter(place)?.fpr().value();
        }
        // Of those on the way, one at each depth, the yes is right.
        let on_the_way = (0..DEPTH).map(|depth| {
            BloomParams::for_fpr(PHONES, fpr).map(|params| params.fpr_at(PHONES >> (2 * depth)))
        });
        let wrong_beside = wrong_yes - on_the_way.sum::<Result<f64>>()?;
        let mean = |count: usize| count as f64 / PHONES as f64;
        let expected = [1.0 + 4.0 * (f64::from(DEPTH) + wrong_beside), 1.0 + 4.0 * wrong_yes];
        println!(
            "{fpr:<7}  {:11.3}  {:13.3}  {:8.3}    {:13.3}  {:8.3}",
            mean(tried),
            mean(asked),
            expected[0],
            mean(in_vain),
            expected[1]
        );
        // Rare events at three depths, which may come together: their variance is at most three times their number.
        for (found, expected) in [mean(asked), mean(in_vain)].into_iter().zip(expected) {
            let deviation = 4.0 * (f64::from(DEPTH) * wrong_yes / PHONES as f64).sqrt();
            assert!((found - expected).abs() < 5.0 * deviation + 0.001, "{found} asked, expected {expected}");
        }
    }
    Ok(())
}
