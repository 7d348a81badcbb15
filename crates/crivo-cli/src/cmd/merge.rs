//! `crivo merge`: sketches of parts become the sketch of the whole.

use super::foreign;
use super::sketch_file::{Folded, Union, load_merged};
use crate::args::{FormArgs, KeyArgs, LimitArgs, OutputArgs};
use crate::output::Target;
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::{Result, bail};
use clap::Args;
use crivo::sketch::Sketch;
use crivo::{CountMin, MergeLaw};
use crivo_interop::{Foreign, Format};
use crivo_report::{Page, Records, Report, count, plural, size};
use serde::Serialize;
use std::path::PathBuf;

/// Merge sketches into one sketch of all their inputs
///
/// The sketches must be of the same kind, with the same parameters and the same seed or key; samples must have
/// different seeds. With --fold, counters of different precision and filters of different size first become as small as
/// the smallest. The output states the merge law: a sketch merged exactly equals, byte for byte, the sketch of a
/// single pass over all inputs; one merged within its error keeps its error bars; one merged by distribution has the
/// same probabilities as a single pass.
///
/// Theta, HyperLogLog and KLL sketches of DataSketches are merged too, and the sketches of Redis and Spark; they are
/// written in their own format.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo merge monday.crv tuesday.crv -o week.crv && crivo info week.crv
  crivo merge precise.crv coarse.crv --fold -o both.crv    # as precise as the coarser one
  crivo merge visitors.crv --compact -o small.crv          # the same counter in 60 % of the bytes
  crivo merge monday.theta tuesday.theta -o week.theta     # sketches of DataSketches, as Spark writes them")]
pub(crate) struct Merge {
    /// Sketch files
    #[arg(required = true, value_name = "FILE.crv")]
    files: Vec<PathBuf>,

    /// Fold sketches to the size of the smallest: the precision of a hyperloglog, exaloglog, loglog or
    /// probabilistic-counting, the k of k-min-values, the bits of a bloom-filter (if halving makes them equal) or the
    /// blocks of a partitioned-bloom
    #[arg(long)]
    fold: bool,

    /// Save the sketch in its compact form, to send or archive it: 40 % less for an exaloglog or martingale-exaloglog, and
    /// less for a theta sketch of DataSketches (serial version 4).
    /// Every command reads it. Other kinds have one form
    #[arg(long)]
    compact: bool,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    limit: LimitArgs,

    #[command(flatten)]
    key: KeyArgs,

    #[command(flatten)]
    form: FormArgs,
}

/// `law` is `exact`, `bounded` or `distribution`, null for a single file. `folded` are the sketches that were made
/// smaller, with the parameter before and after.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "merged")]
pub(crate) struct Merged {
    saved: String,
    kind: &'static str,
    files: u64,
    law: Option<&'static str>,
    folded: Vec<Folded>,
    file_bytes: u64,
}

impl Verb for Merge {
    type Report = Merged;

    fn manner(&self) -> Manner {
        self.form.manner(false)
    }

    fn run(self, session: &Session) -> Result<Merged> {
        let target = self.output.target(session)?;
        let options = self.key.decode_options(self.limit, session)?;
        if let Some(merged) = foreign::load_merged(&self.files, &options, session)? {
            return self.foreign(&merged, &target, session);
        }
        let Union { sketch: merged, folded } = load_merged(&self.files, self.fold, &options, session)?;
        let bytes = if self.compact { merged.to_compact_bytes() } else { merged.to_bytes() };
        target.write(&bytes, session)?;
        Ok(Merged {
            saved: target.name(),
            kind: merged.kind().name(),
            files: self.files.len() as u64,
            law: if self.files.len() > 1 { law(&*merged) } else { None },
            folded,
            file_bytes: bytes.len() as u64,
        })
    }
}

impl Merge {
    /// Saves a merged sketch of another library.
    fn foreign(&self, merged: &Foreign, target: &Target, session: &Session) -> Result<Merged> {
        if self.fold {
            bail!("--fold is for Crivo's own sketches; those of other libraries merge without it");
        }
        let bytes = match merged {
            Foreign::Theta(sketch) if self.compact => sketch.to_compact_bytes(),
            other => other.to_bytes(),
        };
        target.write(&bytes, session)?;
        let law = match merged.format() {
            Format::Kll | Format::Req | Format::Frequent => Some("bounded"),
            // Nothing is proven of its merges.
            Format::TDigest => None,
            _ => Some("exact"),
        };
        Ok(Merged {
            saved: target.name(),
            kind: merged.format().name(),
            files: self.files.len() as u64,
            law: law.filter(|_| self.files.len() > 1),
            folded: Vec::new(),
            file_bytes: bytes.len() as u64,
        })
    }
}

impl Report for Merged {
    fn text(&self, page: &mut Page) {
        let files = plural(self.files, "sketch", "sketches");
        let law = match self.law {
            Some("exact") => ", merged exactly",
            Some("bounded") => ", merged within its error",
            Some(_) => ", merged by distribution",
            None => "",
        };
        page.line(&format!("{}: {} from {files}{law}, {}", self.saved, self.kind, size(self.file_bytes)));
        for Folded { file, parameter, from, to } in &self.folded {
            page.line(&format!("  {file} was folded from {parameter} {} to {}", count(*from), count(*to)));
        }
    }

    fn records(&self, records: &mut Records) {
        records.row(self);
    }
}

/// What holds for a merged sketch.
fn law(merged: &dyn Sketch) -> Option<&'static str> {
    // The sum of conservative sketches is as correct as a sketch of a single pass, but not as close.
    let table = merged.downcast_ref::<CountMin>();
    if table.is_some_and(|table| table.params().is_conservative()) {
        return Some("bounded");
    }
    match merged.kind().merge_law()? {
        MergeLaw::Exact => Some("exact"),
        MergeLaw::Bounded => Some("bounded"),
        MergeLaw::Distribution => Some("distribution"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cmd::distinct::Distinct;
    use crate::cmd::verify::Verify;
    use crate::testing::Folder;
    use crivo::{BloomFilter, BloomParams};

    fn lines(numbers: std::ops::Range<u32>) -> String {
        numbers.map(|number| format!("{number}\n")).collect()
    }

    /// Few items stay in a list, many fill the registers; the coarsest sketch may stand anywhere.
    #[test]
    fn folded_sketches_merge_to_the_sketch_of_one_pass() {
        let folder = Folder::with(&[
            ("a", &lines(0..100)),
            ("b", &lines(50..40_000)),
            ("c", &lines(39_000..60_000)),
            ("all", &lines(0..60_000)),
        ]);
        for (kind, sizes) in [
            ("hyperloglog", [14, 12, 13]),
            ("hyperloglog", [10, 12, 10]),
            ("exaloglog", [12, 12, 9]),
            ("exaloglog", [8, 9, 10]),
        ] {
            let least = sizes.into_iter().min().unwrap();
            for (name, size) in ["a", "b", "c", "all"].into_iter().zip(sizes.into_iter().chain([least])) {
                let line = format!("@{name} --kind {kind} --precision {size} --save @{name}.crv --force");
                folder.report::<Distinct>(&line);
            }
            let merged = folder.report::<Merge>("@a.crv @b.crv @c.crv --fold -o @m.crv --force");
            assert_eq!(folder.read("m.crv"), folder.read("all.crv"), "{kind} {sizes:?}");
            let folded: Vec<_> = merged.folded.iter().map(|one| (one.parameter, one.from, one.to)).collect();
            let finer = sizes.into_iter().filter(|&size| size > least);
            assert_eq!(folded, finer.map(|size| ("precision", size, least)).collect::<Vec<_>>());
            let error = folder.error::<Merge>("@a.crv @b.crv @c.crv -o @n.crv");
            assert!(error.contains("differ in precision") && error.contains("crivo merge --fold"), "{error}");
        }
    }

    /// A compact file is merged, described and counted like the usual one, and becomes the usual one again.
    #[test]
    fn a_compact_file_is_the_same_sketch() {
        let folder = Folder::with(&[("few", &lines(0..100)), ("many", &lines(0..60_000))]);
        for name in ["few", "many"] {
            folder.report::<Distinct>(&format!("@{name} --kind exaloglog --precision 10 --save @{name}.crv"));
            let compact = folder.report::<Merge>(&format!("@{name}.crv --compact -o @{name}.small"));
            assert!(compact.file_bytes * 10 < folder.read(&format!("{name}.crv")).len() as u64 * 9);
            folder.report::<Merge>(&format!("@{name}.small -o @{name}.again"));
            assert_eq!(folder.read(&format!("{name}.again")), folder.read(&format!("{name}.crv")));
            let printed = |file: &str| folder.printed::<Distinct>(&format!("--from @{name}.{file}"));
            assert_eq!(printed("small"), printed("crv"));
            folder.report::<Verify>(&format!("@{name}.small"));
        }
        folder.report::<Merge>("@few.small @many.small -o @both.crv");
        assert_eq!(folder.read("both.crv"), folder.read("many.crv"));
    }

    #[test]
    fn what_was_folded_is_printed() {
        let folder = Folder::with(&[("a", "x\n"), ("b", "y\n")]);
        folder.report::<Distinct>("@a --precision 14 --save @a.crv");
        folder.report::<Distinct>("@b --precision 12 --save @b.crv");
        let printed = folder.printed::<Merge>("@a.crv @b.crv --fold -o @m.crv");
        assert!(printed.contains("a.crv was folded from precision 14 to 12\n"), "{printed}");
        assert!(!printed.contains("b.crv was"), "{printed}");
        let printed = folder.printed::<Merge>("@b.crv @b.crv --fold -o @n.crv");
        assert_eq!(printed.lines().count(), 1, "{printed}");
    }

    #[test]
    fn filters_fold_if_halving_makes_them_equal() {
        let folder = Folder::new();
        let save = |name: &str, bits, items: std::ops::Range<u32>| {
            let mut filter = BloomFilter::with_params(BloomParams::exact(bits, 5).unwrap());
            filter.extend(items);
            folder.write(name, filter.to_bytes());
        };
        save("large", 4096, 0..100);
        save("small", 1024, 50..150);
        save("odd", 1000, 0..10);
        save("whole", 1024, 0..150);
        let merged = folder.report::<Merge>("@small @large --fold -o @merged");
        assert_eq!(folder.read("merged"), folder.read("whole"));
        assert_eq!(merged.folded.iter().map(|one| (one.from, one.to)).collect::<Vec<_>>(), [(4096, 1024)]);
        let error = folder.error::<Merge>("@odd @large --fold -o @other");
        assert!(error.contains("bits: 1000 and 4096") && error.contains("folds only to half"), "{error}");
    }
}
