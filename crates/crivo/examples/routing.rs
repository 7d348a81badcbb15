//! Messages find phones in a square region that is cut into quarters three times: a quadtree of Bloom filters, each
//! with the phones of all quarters below it. A message goes down only where a filter reports its phone.
//!
//! Silva 2022, section 3.5.5: routing in a tree of filters, and its geographic form. The phone's quarter is always
//! found; the number of queried filters follows from their false-positive rates.
//!
//! ```sh
//! cargo run --release -p crivo --example routing
//! ```

use crivo::membership::RoutingTree;
use crivo::rng::Rng;
use crivo::{BloomParams, Result};

const PHONES: u64 = 10_000;
const DEPTH: u32 = 3;
/// The number of quarters on a side of the region after all cuts.
const SIDE: usize = 1 << DEPTH;

/// Cuts the square at `corner` into quarters, and these again; records the smallest by row and column.
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
    println!("         a phone in the region:                    an unknown phone:");
    println!("rate     cells tried  filters queried  expected    filters queried  expected");
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
        // A place with quarters that reports a phone, correctly or not, costs four queries.
        let mut false_positives = 0.0;
        for place in (0..tree.places()).filter(|place| cells.iter().all(|row| !row.contains(place))) {
            false_positives += tree.filter(place)?.fpr().value();
        }
        // On the path there is one place per depth, whose report is correct.
        let on_the_way = (0..DEPTH).map(|depth| {
            BloomParams::for_fpr(PHONES, fpr).map(|params| params.fpr_at(PHONES >> (2 * depth)))
        });
        let off_the_path = false_positives - on_the_way.sum::<Result<f64>>()?;
        let mean = |count: usize| count as f64 / PHONES as f64;
        let expected = [1.0 + 4.0 * (f64::from(DEPTH) + off_the_path), 1.0 + 4.0 * false_positives];
        println!(
            "{fpr:<7}  {:11.3}  {:15.3}  {:8.3}    {:15.3}  {:8.3}",
            mean(tried),
            mean(asked),
            expected[0],
            mean(in_vain),
            expected[1]
        );
        // Rare events at three depths, which may coincide: their variance is at most three times their number.
        for (found, expected) in [mean(asked), mean(in_vain)].into_iter().zip(expected) {
            let deviation = 4.0 * (f64::from(DEPTH) * false_positives / PHONES as f64).sqrt();
            assert!(
                (found - expected).abs() < 5.0 * deviation + 0.001,
                "{found} queries, expected {expected}"
            );
        }
    }
    Ok(())
}
