//! Two web caches send each other Bloom filters of their contents, so that a miss here can be a hit there.
//!
//! Cache digests: Lopes 2017, section 2.1.7. A false positive of the digest costs a query to the neighbour, at the rate
//! that the filter was planned for; the digest takes a seventh of a list of numbers.
//!
//! ```sh
//! cargo run -p crivo --example cache_digest
//! ```

use crivo::rng::Rng;
use crivo::{BloomFilter, Result};
use std::collections::HashSet;

/// The false-positive rate of a digest.
const RATE: f64 = 0.01;

/// A cache, and the last digest that it received from the other one.
struct Cache {
    pages: HashSet<u64>,
    neighbour: BloomFilter,
}

/// The results of a day of requests.
#[derive(Default)]
struct Day {
    requests: u32,
    own_hits: u32,
    saved_by_digest: u32,
    false_hits: u32,
    /// Pages that neither cache had, for which the digest may have false positives.
    nowhere: u32,
}

/// Draws a page out of a million: each is half as likely as the one of half its number.
fn page(rng: &mut Rng) -> u64 {
    1e6f64.powf(rng.unit()) as u64
}

fn digest(pages: &HashSet<u64>) -> Result<Vec<u8>> {
    let mut filter = BloomFilter::for_fpr(pages.len().max(1) as u64, RATE)?;
    filter.extend(pages.iter().copied());
    Ok(filter.to_bytes())
}

fn main() -> Result<()> {
    let mut rng = Rng::new(1);
    let nothing = || BloomFilter::for_fpr(1, RATE);
    let mut caches = [
        Cache { pages: HashSet::new(), neighbour: nothing()? },
        Cache { pages: HashSet::new(), neighbour: nothing()? },
    ];
    println!("day  requests  own hits  saved by digest  false hits  digest bytes  page list bytes");
    for number in 1..=5 {
        let mut day = Day::default();
        for request in 0..200_000 {
            let page = page(&mut rng);
            let (here, there) = (request % 2, 1 - request % 2);
            day.requests += 1;
            if caches[here].pages.contains(&page) {
                day.own_hits += 1;
                continue;
            }
            let is_there = caches[there].pages.contains(&page);
            day.nowhere += u32::from(!is_there);
            if caches[here].neighbour.contains(&page) {
                // Worth a query to the neighbour: it has the page, unless the digest has a false positive.
                day.saved_by_digest += u32::from(is_there);
                day.false_hits += u32::from(!is_there);
            }
            caches[here].pages.insert(page);
        }
        let digests = [digest(&caches[0].pages)?, digest(&caches[1].pages)?];
        caches[0].neighbour = BloomFilter::from_bytes(&digests[1])?;
        caches[1].neighbour = BloomFilter::from_bytes(&digests[0])?;
        println!(
            "{number:3}  {:8}  {:8}  {:15}  {:10}  {:12}  {:15}",
            day.requests,
            day.own_hits,
            day.saved_by_digest,
            day.false_hits,
            digests[0].len(),
            8 * caches[0].pages.len(),
        );
        let expected = RATE * f64::from(day.nowhere);
        assert!(f64::from(day.false_hits) < expected + 5.0 * expected.sqrt(), "more than the stated rate");
    }
    Ok(())
}
