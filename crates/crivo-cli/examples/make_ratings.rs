//! A table of ratings in the shape of `MovieLens` 10M: 10,000,054 rows by 69,878 users of 10,677 films, sorted by user.
//!
//! Every thousandth user has the films of the one before, in another order, and so forth: `crivo dups --group user --item
//! film --threshold 1` finds 69 pairs. With another number of rows, the others shrink alike:
//!
//! ```sh
//! cargo run --release -p crivo-cli --example make_ratings > ratings.csv
//! cargo run --release -p crivo-cli --example make_ratings 100000 > small.csv
//! ```

use crivo::rng::Rng;
use std::io::{BufWriter, Result, Write};

const ROWS: u64 = 10_000_054;
const USERS: u64 = 69_878;
const FILMS: u64 = 10_677;
/// Nobody rates fewer films.
const FEWEST: u64 = 20;
/// One user in this many is a copy.
const COPIES: u64 = 1_000;

fn main() -> Result<()> {
    let rows = std::env::args().nth(1).and_then(|rows| rows.parse().ok()).unwrap_or(ROWS);
    let scale = rows as f64 / ROWS as f64;
    let users = ((USERS as f64 * scale).round() as u64).max(2);
    let films = ((FILMS as f64 * scale.sqrt()).round() as u64).max(10 * FEWEST);
    let mut rng = Rng::new(20_261_116);
    let mut output = BufWriter::new(std::io::stdout().lock());
    writeln!(output, "user,film,stars")?;
    let (mut left, mut rated) = (rows, Vec::new());
    for user in 1..=users {
        let others = users - user;
        if user % COPIES == 0 && rated.len() as u64 + FEWEST * others <= left && others > 0 {
            // In another order.
            rated.reverse();
        } else {
            let number = if others == 0 { left } else { draw_number(&mut rng, left, others) };
            rate(&mut rng, &mut rated, number.min(films), films);
        }
        for &film in &rated {
            writeln!(output, "{user},{film},{}", 1 + rng.below(5))?;
        }
        left -= rated.len() as u64;
    }
    output.flush()
}

/// How many films a user rates: few rate many.
fn draw_number(rng: &mut Rng, left: u64, others: u64) -> u64 {
    let mean = (left / (others + 1)).saturating_sub(FEWEST) as f64;
    let number = FEWEST + (-(1.0 - rng.unit()).ln() * mean) as u64;
    number.min(left.saturating_sub(FEWEST * others))
}

/// Different films, the popular ones more often.
fn rate(rng: &mut Rng, rated: &mut Vec<u64>, number: u64, films: u64) {
    rated.clear();
    let mut seen = vec![false; films as usize + 1];
    while (rated.len() as u64) < number {
        let mut film = 1 + (films as f64 * rng.unit().powi(3)) as u64;
        // The next that is not rated yet.
        while seen[film as usize] {
            film = film % films + 1;
        }
        seen[film as usize] = true;
        rated.push(film);
    }
}
