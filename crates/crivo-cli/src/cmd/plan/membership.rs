//! `crivo plan membership`: all kinds of filters side by side, or one around a rate.

use super::row::{Around, FilterCost, Row, marked, print_choice, print_columns};
use super::{around, law, permission};
use crate::args::{FilterKind, FormArgs, parse_count, parse_share, short_name};
use crate::cmd::filter::{memory_to_collect, memory_to_make};
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::Result;
use clap::Args;
use crivo::membership::FilterPlan;
use crivo::{Kind, MakeFilter, MergeLaw};
use crivo_report::{Align, Page, Records, Report, number, percent, size};
use serde::Serialize;

/// Membership: filters, from the number of items and the false-positive rate
///
/// Compares all kinds of filters, the smallest first, with the minimum that any filter needs. Stars mark the
/// recommended kinds, whose commands follow.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo plan membership --items 1e9 --fpr 0.001
  crivo plan membership --items 1e9 --fpr 0.001 --kind cuckoo")]
pub(crate) struct Membership {
    /// Number of distinct items, such as 20000 or 1e9
    #[arg(long, value_name = "N", value_parser = parse_count)]
    items: u64,

    /// False-positive rate
    #[arg(long, value_name = "P", default_value_t = 0.01, value_parser = parse_share)]
    fpr: f64,

    /// Show only this kind, at higher and lower rates
    #[arg(long, value_name = "KIND", value_parser = FilterKind::parser())]
    kind: Option<FilterKind>,

    #[command(flatten)]
    form: FormArgs,
}

/// A kind that can meet the target, and what it would cost.
struct Candidate {
    kind: FilterKind,
    plan: FilterPlan,
    /// What it is the first choice for.
    best_for: Vec<&'static str>,
}

/// One kind around the target, or all of them at it.
#[derive(Debug)]
pub(crate) enum Filters {
    One(Around),
    All {
        /// The smallest first.
        rows: Vec<Row>,
        refused: Vec<(&'static str, crivo::Error)>,
        minimum: Minimum,
    },
}

/// No filter of any kind can be smaller.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "minimum")]
pub(crate) struct Minimum {
    target: f64,
    memory_bytes: u64,
    bits_per_item: f64,
}

impl Verb for Membership {
    type Report = Filters;

    fn manner(&self) -> Manner {
        self.form.manner(false)
    }

    fn run(self, _session: &Session) -> Result<Filters> {
        let Some(kind) = self.kind else { return self.compare() };
        let row = |fpr| self.candidate(kind, fpr).map(|candidate| self.row(&candidate, fpr));
        Ok(Filters::One(Around(around(self.fpr, 10.0, row)?)))
    }
}

impl Membership {
    fn candidate(&self, kind: FilterKind, fpr: f64) -> crivo::Result<Candidate> {
        Ok(Candidate { kind, plan: (kind.target.plan)(self.items, fpr)?, best_for: Vec::new() })
    }

    /// One row for each kind, the smallest first.
    fn compare(&self) -> Result<Filters> {
        let (mut candidates, mut refused) = (Vec::new(), Vec::new());
        for kind in FilterKind::all() {
            match self.candidate(kind, self.fpr) {
                Ok(candidate) => candidates.push(candidate),
                Err(error) => refused.push((short_name(kind.info), error)),
            }
        }
        if candidates.is_empty() && !refused.is_empty() {
            // All refuse a target that makes no sense; the first says why.
            return Err(refused.swap_remove(0).1.into());
        }
        candidates.sort_by_key(|candidate| candidate.plan.memory_bytes);
        mark_choices(&mut candidates);
        let row = |candidate: &Candidate| Row { asked: true, ..self.row(candidate, self.fpr) };
        Ok(Filters::All { rows: candidates.iter().map(row).collect(), refused, minimum: self.minimum() })
    }

    fn row(&self, Candidate { kind, plan, best_for }: &Candidate, fpr: f64) -> Row {
        let (capacity, needed) = match kind.target.make {
            MakeFilter::Empty(_) => (format!(" --capacity {}", self.items), plan.memory_bytes),
            MakeFilter::Frozen(_) => {
                let collect = memory_to_collect(self.items);
                (String::new(), memory_to_make(*kind, self.items, plan.memory_bytes).max(collect))
            }
        };
        Row {
            kind: short_name(kind.info),
            asked: false,
            target: fpr,
            achieved: plan.fpr,
            memory_bytes: plan.memory_bytes,
            parameters: plan.parameters.iter().copied().collect(),
            command: format!(
                "crivo filter build FILE -o FILE.crv --kind {}{capacity} --fpr {fpr}{}",
                short_name(kind.info),
                permission(needed)
            ),
            filter: Some(FilterCost {
                bits_per_item: self.bits_per_item(plan.memory_bytes),
                cache_lines: plan.cache_lines,
                inserts: kind.info.insert.is_some(),
                removes: kind.info.remove.is_some(),
                merges: law(kind.info.kind.merge_law()),
                best_for: best_for.clone(),
            }),
            counter: None,
            work: None,
        }
    }

    fn bits_per_item(&self, bytes: u64) -> f64 {
        8.0 * bytes as f64 / self.items as f64
    }

    /// Returns the bytes, and the bits per item, that any filter needs for its rate: a count of the sets that it must
    /// distinguish.
    fn minimum(&self) -> Minimum {
        let bits_per_item = -self.fpr.log2();
        let memory_bytes = (bits_per_item * self.items as f64 / 8.0).ceil() as u64;
        Minimum { target: self.fpr, memory_bytes, bits_per_item }
    }
}

impl Report for Filters {
    fn text(&self, page: &mut Page) {
        let (rows, refused, minimum) = match self {
            Self::One(around) => return around.text(page),
            Self::All { rows, refused, minimum } => (rows, refused, minimum),
        };
        print_table(rows, minimum, page);
        for (kind, error) in refused {
            page.sentence(&format!("  {kind}: {error}"));
        }
        if rows.iter().any(|row| row.kind == short_name(Kind::CuckooFilter.info())) {
            page.sentence(
                "  cuckoo merges while there is room, which an item in a dozen of the parts uses up",
            );
        }
        for (row, cost) in rows.iter().filter_map(|row| Some((row, row.filter.as_ref()?))) {
            if !cost.best_for.is_empty() {
                print_choice(&cost.best_for, &row.command, page);
            }
        }
    }

    fn records(&self, records: &mut Records) {
        match self {
            Self::One(around) => around.records(records),
            Self::All { rows, minimum, .. } => {
                for row in rows {
                    records.row(row);
                }
                records.total(minimum);
            }
        }
    }
}

fn print_table(rows: &[Row], minimum: &Minimum, page: &mut Page) {
    let costs = || rows.iter().filter_map(|row| Some((row, row.filter.as_ref()?)));
    let cells = |cell: &dyn Fn(&Row, &FilterCost) -> String, last: String| {
        costs().map(|(row, cost)| cell(row, cost)).chain([last]).collect::<Vec<_>>()
    };
    let yes_or_no = |yes: bool| if yes { "yes" } else { "no" }.to_owned();
    let (left, right) = (Align::Left, Align::Right);
    let kind = |row: &Row, cost: &FilterCost| marked(row.kind, !cost.best_for.is_empty());
    let [bytes, bits] = [size(minimum.memory_bytes), number(minimum.bits_per_item)];
    let columns = vec![
        ("  kind".into(), left, 0, cells(&kind, marked("(minimum)", false))),
        ("memory".into(), right, 1, cells(&|row, _| size(row.memory_bytes), bytes)),
        ("bits/item".into(), right, 7, cells(&|_, cost| number(cost.bits_per_item), bits)),
        ("FP rate".into(), right, 2, cells(&|row, _| percent(row.achieved), percent(minimum.target))),
        ("cache lines".into(), right, 6, cells(&|_, cost| format!("{:.1}", cost.cache_lines), String::new())),
        ("inserts".into(), left, 3, cells(&|_, cost| yes_or_no(cost.inserts), String::new())),
        ("removes".into(), left, 4, cells(&|_, cost| yes_or_no(cost.removes), String::new())),
        ("merges".into(), left, 5, cells(&|_, cost| cost.merges.unwrap_or("no").into(), String::new())),
    ];
    print_columns(columns, page);
}

/// Notes what each is the first choice for; the candidates are in the order of their size.
fn mark_choices(candidates: &mut [Candidate]) {
    let first = |has: fn(&Candidate) -> bool| candidates.iter().position(has);
    let lines = |&place: &usize| candidates[place].plan.cache_lines;
    let choices = [
        ("smallest", first(|_| true)),
        (
            "inserts and merges",
            first(|Candidate { kind: FilterKind { info, .. }, .. }| {
                info.insert.is_some() && info.kind.merge_law() == Some(MergeLaw::Exact)
            }),
        ),
        ("removes", first(|Candidate { kind, .. }| kind.info.remove.is_some())),
        ("fewest cache lines", (0..candidates.len()).min_by(|a, b| lines(a).total_cmp(&lines(b)))),
    ];
    for (wish, choice) in choices {
        if let Some(choice) = choice {
            candidates[choice].best_for.push(wish);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Folder;

    #[test]
    fn filters_are_compared_and_the_first_choices_marked() {
        let filters = Folder::new().report::<Membership>("--items 1e6");
        let Filters::All { rows, minimum, .. } = &filters else { panic!("{filters:?}") };
        assert!(rows.is_sorted_by_key(|row| row.memory_bytes) && rows.iter().all(|row| row.asked));
        assert!(rows[0].memory_bytes > minimum.memory_bytes && minimum.bits_per_item > 6.6);
        let wishes: Vec<&str> =
            rows.iter().flat_map(|row| &row.filter.as_ref().unwrap().best_for).copied().collect();
        for wish in ["smallest", "inserts and merges", "removes", "fewest cache lines"] {
            assert_eq!(wishes.iter().filter(|&&other| other == wish).count(), 1, "{wish}");
        }
        assert!(rows.iter().all(|row| row.command.contains(&format!(" --kind {} ", row.kind))), "{rows:?}");
        let text = Folder::new().printed::<Membership>("--items 1e6");
        assert!(
            text.contains("\n  (minimum) ") && text.contains("\n# smallest\ncrivo filter build "),
            "{text}"
        );
    }

    #[test]
    fn one_filter_is_shown_around_the_rate() {
        let filters = Folder::new().report::<Membership>("--items 1000000 --fpr 0.01 --kind bloom");
        let Filters::One(Around(rows)) = &filters else { panic!("{filters:?}") };
        let shown: Vec<(f64, bool)> = rows.iter().map(|row| (row.target, row.asked)).collect();
        assert_eq!(shown, [(0.1, false), (0.01, true), (0.001, false), (0.0001, false)]);
        let text = Folder::new().printed::<Membership>("--items 1000000 --fpr 0.01 --kind bloom");
        let command = "crivo filter build FILE -o FILE.crv --kind bloom --capacity 1000000 --fpr 0.01";
        assert!(text.ends_with(&format!("\n\n{command}\n")), "{text}");
    }
}
