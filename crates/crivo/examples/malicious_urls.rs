//! Checks addresses against a list of bad ones. A browser keeps a million bad addresses in a static filter of a few
//! bits each, and asks the server only if the filter reports an address.
//!
//! Lopes 2017, section 2.1.7. No bad address passes, and good ones cost queries at the filter's false-positive rate.
//!
//! ```sh
//! cargo run --release -p crivo --example malicious_urls
//! ```

use crivo::{BinaryFuse, BloomFilter, Result};

const BAD: u64 = 300_000;
const VISITS: u64 = 1_000_000;
/// One visit in this many goes to a bad address.
const ONE_BAD_IN: u64 = 1000;

fn bad(number: u64) -> String {
    format!("http://bad{number}.example/login")
}

fn main() -> Result<()> {
    let list: usize = (0..BAD).map(|number| bad(number).len() + 1).sum();
    println!(
        "{BAD} bad addresses, a list of {list} bytes; {VISITS} visits, {} of them bad\n",
        VISITS / ONE_BAD_IN
    );
    println!("rate     Bloom filter  static filter  bits per address  queries for good ones  expected");
    for rate in [0.1, 0.01, 0.001, 0.0001] {
        let mut bloom = BloomFilter::for_fpr(BAD, rate)?;
        bloom.extend((0..BAD).map(bad));
        let filter = BinaryFuse::freeze((0..BAD).map(bad), rate)?;
        let (mut stopped, mut asked) = (0, 0u64);
        for visit in 0..VISITS {
            if visit % ONE_BAD_IN == 0 {
                stopped += u64::from(filter.contains(&bad(visit % BAD)));
            } else {
                asked += u64::from(filter.contains(&format!("https://good{visit}.example/")));
            }
        }
        let sent = filter.to_bytes().len();
        let expected = filter.fpr().value() * (VISITS - VISITS / ONE_BAD_IN) as f64;
        println!(
            "{rate:<7}  {:12}  {sent:13}  {:16.2}  {asked:21}  {expected:8.0}",
            bloom.to_bytes().len(),
            8.0 * sent as f64 / BAD as f64
        );
        assert_eq!(stopped, VISITS / ONE_BAD_IN, "no bad address passes");
        // The standard deviation of a number of rare events is its root.
        assert!(
            (asked as f64 - expected).abs() < 5.0 * expected.sqrt() + 1.0,
            "{asked}, expected {expected}"
        );
        assert!(filter.fpr().value() <= rate);
    }
    Ok(())
}
