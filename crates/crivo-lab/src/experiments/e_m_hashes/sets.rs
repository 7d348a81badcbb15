//! What is hashed.

use super::super::prelude::*;
use crate::corpus::Corpus;
use crate::{Error, Settings};

/// Distinct items of one kind.
pub(super) struct Set {
    pub(super) name: &'static str,
    pub(super) items: Vec<Vec<u8>>,
}

const SECTIONS: [&str; 6] = ["news", "sport", "culture", "science", "travel", "archive"];

/// Words of the corpus, numbers that follow each other, as text and as eight bytes, and addresses of pages.
pub(super) fn sets(settings: &Settings, count: usize) -> Result<[Set; 4]> {
    let corpus = Corpus::of(settings)?;
    let words: Vec<Vec<u8>> =
        corpus.distinct().iter().take(count).map(|word| word.as_bytes().to_vec()).collect();
    if words.len() < count {
        let message = format!(
            "{count} distinct words are hashed, but the corpus has {}; give a larger one",
            words.len()
        );
        return Err(Error::Corpus(message));
    }
    let mut rng = settings.rng("e-m-hashes items");
    let first = 1_000_000 + rng.below(8_000_000);
    let numbers = || first..first + count as u64;
    let page = |number: u64| {
        let section = SECTIONS[rng.below(SECTIONS.len() as u64) as usize];
        let (year, month) = (2000 + rng.below(25), 1 + rng.below(12));
        format!("https://www.example.org/{section}/{year}/{month:02}/page.html?id={number}").into_bytes()
    };
    let pages = numbers().map(page).collect();
    Ok([
        Set { name: "words", items: words },
        Set {
            name: "numbers as text",
            items: numbers().map(|number| number.to_string().into_bytes()).collect(),
        },
        Set {
            name: "numbers as bytes",
            items: numbers().map(|number| number.to_be_bytes().to_vec()).collect(),
        },
        Set { name: "addresses", items: pages },
    ])
}
