//! A web crawler follows links, and remembers the pages that it has seen in a filter that grows with them: a few bits
//! per page instead of its address.
//!
//! The problem is from "Algoritmos de Dados Massivos", section 5.6, and Lopes 2017, section 2.1.7. A false positive
//! costs one page, which is never visited; a false negative would visit pages again and again, and there is none.
//!
//! ```sh
//! cargo run --release -p crivo --example crawler
//! ```

use crivo::rng::Rng;
use crivo::{Result, ScalableBloom};
use std::collections::{HashSet, VecDeque};

const PAGES: u64 = 100_000;
/// The links of a page: enough that few pages depend on a single one.
const LINKS: u64 = 12;

fn address(page: u64) -> String {
    format!("https://www.example/{:02}/article-{page}.html", page % 37)
}

/// Returns the pages that a page links to, the same at every visit.
fn links(page: u64) -> impl Iterator<Item = u64> {
    let mut rng = Rng::new(page);
    (0..LINKS).map(move |_| rng.below(PAGES))
}

/// Visits all pages that can be reached from page 0; `is_new` returns whether a page is new, and records it.
fn crawl(mut is_new: impl FnMut(&str) -> bool) -> u64 {
    let (mut waiting, mut visited) = (VecDeque::from([0]), 0);
    is_new(&address(0));
    while let Some(page) = waiting.pop_front() {
        visited += 1;
        waiting.extend(links(page).filter(|&link| is_new(&address(link))));
    }
    visited
}

fn main() -> Result<()> {
    let mut exact: HashSet<String> = HashSet::new();
    let all = crawl(|page| exact.insert(page.to_string()));
    let bytes: usize = exact.iter().map(|page| size_of::<String>() + page.capacity()).sum();
    println!("rate   pages visited  lost  expected at most  layers     bytes  per page");
    let a_page = |bytes: usize| bytes as f64 / all as f64;
    println!("exact  {all:13}     0                 0       –  {bytes:8}  {:8.1}", a_page(bytes));
    for rate in [0.1, 0.01, 0.001] {
        // The number of pages is not known in advance: this guess of a thousand is a hundred times too low.
        let mut seen = ScalableBloom::for_fpr(1000, rate)?;
        let visited = crawl(|page| seen.insert(page));
        assert!(visited <= all, "no page is visited twice");
        let (lost, most) = (all - visited, rate * all as f64);
        let (layers, bytes) = (seen.layers(), seen.memory_bytes());
        println!(
            "{rate:<5}  {visited:13}  {lost:4}  {most:16.0}  {layers:6}  {bytes:8}  {:8.1}",
            a_page(bytes)
        );
        // A page is lost on a false positive of the filter, or if all pages that link to it are lost.
        let nobody_links = |share: f64| all as f64 * (-share * LINKS as f64).exp();
        let unlinked = nobody_links(1.0 - rate) - nobody_links(1.0);
        assert!((lost as f64) < most + unlinked + 5.0 * most.sqrt(), "{lost} pages lost at {rate}");
        assert!(seen.fpr().value() <= rate, "the rate holds at any number of pages");
    }
    Ok(())
}
