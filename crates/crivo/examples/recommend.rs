//! Recommends items by similar users, who chose nearly the same items (Lopes 2017, section 2.3.7). A line is a user, a tab
//! and an item. Without a file, a small town of readers is generated.
//! ```sh
//! cargo run --release -p crivo --example recommend
//! zcat debian-bookworm-debtags.tsv.gz > tags.tsv && cargo run --release -p crivo --example recommend tags.tsv
//! ```

use crivo::rng::Rng;
use crivo::similarity::LshParams;
use crivo::{LshIndex, MinHash};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::error::Error;

/// The least similarity of users whose choices count.
const ALIKE: f64 = 0.5;
/// The number of test users: one item of each is hidden, and should be recommended again.
const TESTED: usize = 1000;
/// The number of recommended items.
const SHOWN: usize = 3;

/// Generates 600 readers of three tastes. Circles of friends read along the shelf of their taste, and a crime story each.
fn town() -> String {
    let mut rng = Rng::new(1);
    let mut lines = Vec::new();
    for reader in 0..600 {
        let taste = ["crime", "verse", "travel"][reader % 3];
        let circle = reader as u64 / 3 % 20 * 2;
        for _ in 0..12 {
            lines.push(format!("reader{reader}\t{taste}{}", (circle + rng.below(8)) % 40));
        }
        lines.push(format!("reader{reader}\tcrime{}", rng.below(40)));
    }
    lines.join("\n")
}

fn main() -> Result<(), Box<dyn Error>> {
    let text = std::env::args().nth(1).map_or_else(|| Ok(town()), std::fs::read_to_string)?;
    let mut chosen: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut popular: HashMap<&str, usize> = HashMap::new();
    for (user, item) in text.lines().filter_map(|line| line.split_once('\t')) {
        if chosen.entry(user).or_default().insert(item) {
            *popular.entry(item).or_default() += 1;
        }
    }
    let users: Vec<(&str, BTreeSet<&str>)> = chosen.into_iter().collect();

    // Users with nearly the same items are found without comparing all pairs.
    let params = LshParams::for_recall(ALIKE, 0.9, 128)?;
    let mut index = LshIndex::with_params(params, &MinHash::for_slots(params.slots())?)?;
    for (id, (_, items)) in (0..).zip(&users) {
        index.insert(id, &signature(params.slots(), items)?)?;
    }
    println!("{} users, {} items; {params}", users.len(), popular.len());
    println!("{:.0} bytes per user\n", index.bytes_per_set());
    let most_popular = {
        let mut items: Vec<_> = popular.iter().map(|(item, times)| (*times as f64, *item)).collect();
        items.sort_by(|one, other| other.partial_cmp(one).expect("numbers"));
        items
    };
    let mut rng = Rng::new(2);
    let (mut tested, mut right, mut right_by_popularity) = (0, 0, 0);
    while tested < TESTED {
        let user = rng.below(users.len() as u64);
        let (name, items) = &users[user as usize];
        if items.len() < 4 {
            continue;
        }
        let hidden = *items.iter().nth(rng.below(items.len() as u64) as usize).expect("it is one of them");
        let mut rest = items.clone();
        rest.remove(hidden);
        // Each similar user votes for its other items, weighted by similarity.
        let mut votes: BTreeMap<&str, f64> = BTreeMap::new();
        for (id, alike) in index.similar(&signature(params.slots(), &rest)?, ALIKE)? {
            for &item in users[id as usize].1.difference(&rest).filter(|_| id != user) {
                *votes.entry(item).or_default() += alike.value();
            }
        }
        let mut ranked: Vec<_> = votes.into_iter().map(|(item, vote)| (vote, item)).collect();
        ranked.sort_by(|one, other| other.partial_cmp(one).expect("numbers"));
        let first: Vec<&str> = ranked.iter().take(SHOWN).map(|(_, item)| *item).collect();
        if tested < 5 {
            println!("{name}: {}; hidden was {hidden}", first.join(", "));
        }
        tested += 1;
        right += usize::from(first.contains(&hidden));
        let most = most_popular.iter().filter(|(_, item)| !rest.contains(item)).take(SHOWN);
        right_by_popularity += usize::from(most.map(|(_, item)| item).any(|item| *item == hidden));
    }
    let percent = |count: usize| count as f64 * 100.0 / TESTED as f64;
    println!("\nthe hidden item is among {SHOWN} recommended for {:.0} % of {TESTED} users,", percent(right));
    println!("among the {SHOWN} most popular that the user lacks for {:.0} %", percent(right_by_popularity));
    assert!(right > right_by_popularity, "users are more than a crowd");
    Ok(())
}

fn signature(slots: u32, items: &BTreeSet<&str>) -> crivo::Result<MinHash> {
    let mut signature = MinHash::for_slots(slots)?;
    signature.extend(items.iter().copied());
    Ok(signature)
}
