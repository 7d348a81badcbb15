//! How many k-mers occur once, twice, …

use crivo::DEFAULT_CONFIDENCE;
use crivo::stats::binomial_quantile;
use crivo_report::{Align, Bar, Page, Records, Table, count, percent, plural, text_bar, whole};
use serde::Serialize;

/// How many distinct k-mers occur how often.
#[derive(Debug)]
pub(super) struct Spectrum {
    /// Place i for i + 1 times, the last place for all above.
    pub(super) places: Vec<u64>,
    /// At most this share is missing: k-mers taken for others that came before.
    pub(super) left_out: f64,
}

impl Spectrum {
    /// How many were counted, which is no more than there are.
    pub(super) fn different(&self) -> u64 {
        self.places.iter().sum()
    }

    /// How many there are at most, with the usual confidence, as each was left out with at most that probability; infinite
    /// where the filter is full.
    pub(super) fn most_different(&self) -> f64 {
        let counted = self.different() as f64;
        if self.left_out >= 1.0 {
            return f64::INFINITY;
        }
        let all = (counted / (1.0 - self.left_out)).ceil();
        counted + binomial_quantile(all as u64, self.left_out, DEFAULT_CONFIDENCE)
    }

    pub(super) fn bar(&self) -> Bar {
        let counted = self.different() as f64;
        Bar::approximate(counted, counted, self.most_different())
    }

    /// `3,940,316 distinct (95 %: 3,940,316 to 3,940,324)`
    pub(super) fn shown(&self) -> String {
        let (counted, most) = (count(self.different()), self.most_different());
        let bar = match whole(most) {
            _ if most.is_infinite() => format!("{counted} or more"),
            most if most == counted => most,
            most => format!("{counted} to {most}"),
        };
        format!("{counted} distinct ({}: {bar})", percent(DEFAULT_CONFIDENCE))
    }

    /// How many occur once, twice, … up to the highest frequency that one has, and how many above the last place of its own.
    fn rows(&self) -> (&[u64], u64) {
        let (&above, counted) = self.places.split_last().expect("a place for all above");
        let last = counted.iter().rposition(|&kmers| kmers > 0).map_or(0, |last| last + 1);
        (&counted[..last], above)
    }

    /// The highest frequency with a place of its own.
    fn most(&self) -> usize {
        self.places.len() - 1
    }

    /// With bars, after what is to be said of wrong counts.
    pub(super) fn print(&self, over_counted: f64, page: &mut Page) {
        /// The expected number of wrong counts that goes without saying.
        const UNLIKELY: f64 = 0.1;
        let (counted, above) = self.rows();
        let wrong = over_counted * self.different() as f64;
        if wrong > UNLIKELY {
            let wrong = plural(wrong.ceil() as u64, "k-mer", "k-mers");
            page.line(&format!("up to {wrong} counted too often, most of them by one"));
        }
        let mut table = Table::new([Align::Right, Align::Right, Align::Left]);
        for (times, &kmers) in (1u64..).zip(counted) {
            table.push([format!("{times}×"), count(kmers), String::new()]);
        }
        let most = counted.iter().max().copied().unwrap_or(0) as f64;
        let room = page.width().saturating_sub(table.width()).clamp(10, 60);
        table.set_last(counted.iter().map(|&kmers| text_bar(kmers as f64 / most, room)));
        table.print(page);
        if above > 0 {
            let kmers = plural(above, "k-mer", "k-mers");
            page.line(&format!("{kmers} more than {} times; see --most", self.most()));
        }
    }

    /// Two columns.
    pub(super) fn print_csv(&self, page: &mut Page) {
        let (counted, above) = self.rows();
        page.line("times,kmers");
        for (times, kmers) in (1u64..).zip(counted) {
            page.line(&format!("{times},{kmers}"));
        }
        if above > 0 {
            page.line(&format!(">{},{above}", self.most()));
        }
    }

    pub(super) fn records(&self, records: &mut Records) {
        let (counted, above) = self.rows();
        for (times, &kmers) in (1..).zip(counted) {
            records.row(&TimesRecord { times, kmers });
        }
        if above > 0 {
            records.row(&AboveRecord { more_than: self.most(), kmers: above });
        }
    }
}

/// How many distinct k-mers have this frequency.
#[derive(Serialize)]
#[serde(tag = "type", rename = "kmers_of")]
struct TimesRecord {
    times: u64,
    kmers: u64,
}

/// How many distinct k-mers occur more often than --most, if there are any.
#[derive(Serialize)]
#[serde(tag = "type", rename = "kmers_above")]
struct AboveRecord {
    more_than: usize,
    kmers: u64,
}
