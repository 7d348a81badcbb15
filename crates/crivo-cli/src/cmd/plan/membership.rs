//! `crivo plan membership`: all kinds of filters beside each other, or one around a rate.

use super::{Format, around, law, permission, print};
use crate::args::{FilterKind, parse_count, parse_share, short_name};
use crate::cmd::filter::{memory_to_collect, memory_to_make};
use crate::output::{Answer, FilterCost, Output, PlanRow, number, percent, size};
use anyhow::Result;
use clap::Args;
use crivo::membership::FilterPlan;
use crivo::{Kind, MakeFilter, MergeLaw};

/// Is it there? From the number of items and the probability of a wrong yes
///
/// Compares all kinds of filters, the smallest first, with the least that any filter could take. Stars mark
/// the first choices, whose commands follow.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo plan membership --items 1e9 --fpr 0.001
  crivo plan membership --items 1e9 --fpr 0.001 --kind cuckoo")]
pub(crate) struct Membership {
    /// How many different items, such as 20000 or 1e9
    #[arg(long, value_name = "N", value_parser = parse_count)]
    items: u64,

    /// Probability of a wrong yes
    #[arg(long, value_name = "P", default_value_t = 0.01, value_parser = parse_share)]
    fpr: f64,

    /// Show this filter alone, with what higher and lower rates would cost
    #[arg(long, value_name = "KIND", value_parser = FilterKind::parser())]
    kind: Option<FilterKind>,

    #[command(flatten)]
    format: Format,
}

/// A kind that can meet the target, and what it would cost.
struct Candidate {
    kind: FilterKind,
    plan: FilterPlan,
    /// What it is the first choice for.
    best_for: Vec<&'static str>,
}

impl Membership {
    pub(super) fn run(&self) -> Result<()> {
        match self.kind {
            Some(kind) => {
                let row = |fpr| self.candidate(kind, fpr).map(|candidate| self.row(&candidate, fpr));
                print(around(self.fpr, 10.0, row)?, self.format.json)
            }
            None => self.compare(),
        }
    }

    fn candidate(&self, kind: FilterKind, fpr: f64) -> crivo::Result<Candidate> {
        Ok(Candidate { kind, plan: (kind.target.plan)(self.items, fpr)?, best_for: Vec::new() })
    }

    /// One row for each kind, the smallest first.
    fn compare(&self) -> Result<()> {
        let (mut candidates, mut refused) = (Vec::new(), Vec::new());
        for kind in FilterKind::all() {
            match self.candidate(kind, self.fpr) {
                Ok(candidate) => candidates.push(candidate),
                Err(error) => refused.push((short_name(kind.info), error)),
            }
        }
        if candidates.is_empty() {
            // All refuse a target that makes no sense; the first says why.
            refused.truncate(1);
            return refused.pop().map_or(Ok(()), |(_, error)| Err(error.into()));
        }
        candidates.sort_by_key(|candidate| candidate.plan.memory_bytes);
        mark_choices(&mut candidates);
        let row = |candidate| PlanRow { asked: true, ..self.row(candidate, self.fpr) };
        let mut output = Output::new();
        if self.format.json {
            for candidate in &candidates {
                output.json(&Answer::Plan(row(candidate)))?;
            }
            let (bits_per_item, memory_bytes) = self.minimum();
            output.json(&Answer::Minimum { target: self.fpr, memory_bytes, bits_per_item })?;
            return output.flush();
        }
        self.table(&candidates, &mut output)?;
        for (kind, error) in &refused {
            output.line(&format!("  {kind}: {error}"))?;
        }
        if candidates.iter().any(|candidate| candidate.kind.info.kind == Kind::CuckooFilter) {
            output
                .line("  cuckoo merges while there is room, which an item in a dozen of the parts uses up")?;
        }
        for candidate in candidates.iter().filter(|candidate| !candidate.best_for.is_empty()) {
            output.line("")?;
            output.line(&format!("# {}", candidate.best_for.join(", ")))?;
            output.line(&row(candidate).command)?;
        }
        output.flush()
    }

    fn table(&self, candidates: &[Candidate], output: &mut Output) -> Result<()> {
        let mut line = |mark: char, cells: [&str; 8]| {
            let [kind, memory, bits, rate, lines, inserts, removes, merges] = cells;
            let text = format!(
                "{mark} {kind:<16}{memory:>9}{bits:>11}{rate:>13}{lines:>13}  {inserts:<9}{removes:<9}{merges}"
            );
            output.line(text.trim_end())
        };
        line(
            ' ',
            ["kind", "memory", "bits/item", "wrong yes", "cache lines", "inserts", "removes", "merges"],
        )?;
        let yes_or_no = |yes: bool| if yes { "yes" } else { "no" };
        for Candidate { kind, plan, best_for } in candidates {
            line(
                if best_for.is_empty() { ' ' } else { '*' },
                [
                    short_name(kind.info),
                    &size(plan.memory_bytes),
                    &number(self.bits_per_item(plan.memory_bytes)),
                    &percent(plan.fpr),
                    &format!("{:.1}", plan.cache_lines),
                    yes_or_no(kind.info.insert.is_some()),
                    yes_or_no(kind.info.remove.is_some()),
                    law(kind.info.kind.merge_law()).unwrap_or("no"),
                ],
            )?;
        }
        let (bits, bytes) = self.minimum();
        line(' ', ["(minimum)", &size(bytes), &number(bits), &percent(self.fpr), "", "", "", ""])
    }

    fn row(&self, Candidate { kind, plan, best_for }: &Candidate, fpr: f64) -> PlanRow {
        let (capacity, needed) = match kind.target.make {
            MakeFilter::Empty(_) => (format!(" --capacity {}", self.items), plan.memory_bytes),
            MakeFilter::Frozen(_) => {
                let collect = memory_to_collect(self.items);
                (String::new(), memory_to_make(*kind, self.items, plan.memory_bytes).max(collect))
            }
        };
        PlanRow {
            kind: kind.info.kind.name(),
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

    /// The bits for each item and the bytes that any filter needs for its rate, by counting the sets that it
    /// must tell apart.
    fn minimum(&self) -> (f64, u64) {
        let bits = -self.fpr.log2();
        (bits, (bits * self.items as f64 / 8.0).ceil() as u64)
    }
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
