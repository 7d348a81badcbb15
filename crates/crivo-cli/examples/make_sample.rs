//! Writes the sample table `examples/sample/visits.csv` to standard output: invented visits to an invented
//! site, the same bytes every time.
//!
//! ```text
//! cargo run --release -p crivo-cli --example make_sample > examples/sample/visits.csv
//! ```

use crivo::rng::Rng;
use std::io::{BufWriter, Result, Write};

const ROWS: u32 = 20_000;
const USERS: f64 = 40_000.0;
const PAGES: [&str; 12] = [
    "/",
    "/search",
    "/login",
    "/cart",
    "/about",
    "/help",
    "/blog",
    "/blog/sieves",
    "/blog/counting",
    "/prices",
    "/contact",
    "/press",
];
const COUNTRIES: [&str; 14] =
    ["BR", "US", "PT", "IN", "DE", "FR", "GB", "NG", "JP", "AR", "MX", "ES", "AO", "MZ"];

fn main() -> Result<()> {
    let mut out = BufWriter::new(std::io::stdout().lock());
    write_sample(&mut out)?;
    out.flush()
}

/// The whole table.
pub(crate) fn write_sample(out: &mut impl Write) -> Result<()> {
    let mut rng = Rng::new(2026);
    writeln!(out, "time,user,page,country,ms")?;
    let mut seconds = 0;
    for _ in 0..ROWS {
        seconds += rng.below(9);
        let time = format!(
            "2026-03-{:02}T{:02}:{:02}:{:02}Z",
            1 + seconds / 86_400,
            seconds / 3600 % 24,
            seconds / 60 % 60,
            seconds % 60
        );
        let user = power_law(&mut rng, USERS);
        let page = PAGES[power_law(&mut rng, PAGES.len() as f64)];
        // One visit in a hundred comes from nowhere known.
        let country =
            if rng.below(100) == 0 { "" } else { COUNTRIES[(user * 7 + user / 5) % COUNTRIES.len()] };
        let ms = 5 + power_law(&mut rng, 400.0);
        writeln!(out, "{time},u{user:05},{page},{country},{ms}")?;
    }
    Ok(())
}

/// A number below `bound`: the cube of a uniform one, so that a few are frequent and most are rare.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "0 <= value < bound, which is small"
)]
fn power_law(rng: &mut Rng, bound: f64) -> usize {
    let unit = rng.unit();
    (unit * unit * unit * bound) as usize
}
