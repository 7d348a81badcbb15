//! `crivo explain`: draws a structure at work, step by step.

mod bloom;
mod count_min;
mod counting;
mod cuckoo;
mod drawing;
mod dyadic;
mod examples;
mod hyperloglog;
mod kinds;
mod linear_bloom;
mod min_hash;
mod morris;
mod setting;
mod svg;
mod terminal;
#[cfg(test)]
mod tests;

use crate::args::parse_seed;
use crate::output::{Target, is_stdout};
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::{Result, bail};
use clap::Args;
use crivo_report::{Align, Page, Records, Report, Table, plural};
use drawing::Drawing;
use kinds::{KINDS, KindInfo, kind_parser, names};
use setting::{Setting, Wishes};
use std::path::PathBuf;
use terminal::Look;

/// Draw a structure step by step, here or as a picture
///
/// Every insert shows which cells it touches and what changes; every query what it looks at, its answer and why, and
/// whether that is right. Without --items it is a worked example of the literature. Without KIND, lists the kinds and their
/// examples.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo explain
  crivo explain bloom
  crivo explain bloom --example ferreira --svg bloom.svg
  crivo explain bloom --items fig,plum,pear --query fig,nut --cells 12 --hashes 3
  crivo explain count-min --items fig:5,plum:2,pear
  crivo explain linear-bloom --items fig:0.3,plum:0.7 --query plum:0.7
  crivo explain minhash --items fig,plum,pear --items plum,pear,nut
  crivo explain dyadic --items 3,7:2,12 --query 5-14
  crivo explain morris --items event:1000 --seed 7")]
pub(crate) struct Explain {
    /// Which structure
    #[arg(value_parser = kind_parser())]
    kind: Option<&'static KindInfo>,

    /// What to put in, with commas between; name:3 for a count or a value; minhash takes several lists, one for each set
    #[arg(long, value_name = "LIST", requires = "kind")]
    items: Vec<String>,

    /// What to take out again, where that is possible
    #[arg(long, value_name = "LIST", requires = "kind")]
    remove: Option<String>,

    /// What to ask for: names, name:value, or ranges such as 5-14
    #[arg(long, value_name = "LIST", requires = "kind")]
    query: Option<String>,

    /// How many bits, counters, registers, buckets or values it has
    #[arg(long, value_name = "M", requires = "items")]
    cells: Option<u64>,

    /// How many functions it has
    #[arg(long, value_name = "K", requires = "items")]
    hashes: Option<u32>,

    /// Seed of the hash, or of what is drawn
    #[arg(long, value_name = "N", value_parser = parse_seed, requires = "kind")]
    seed: Option<u64>,

    /// Which worked example; the first unless told
    #[arg(long, value_name = "NAME", conflicts_with = "items", requires = "kind")]
    example: Option<String>,

    /// Draw into this file instead, as SVG; - for standard output
    #[arg(long, value_name = "FILE.svg", requires = "kind", help_heading = "Output")]
    svg: Option<PathBuf>,

    /// Replace the file if it exists
    #[arg(long, requires = "svg", help_heading = "Output")]
    force: bool,
}

/// What is drawn, and where; the list of kinds without.
enum Place {
    Terminal,
    /// A picture on standard output.
    Stdout,
    Picture(Target),
}

/// What is shown.
pub(crate) struct Explained(Shown);

enum Shown {
    Kinds,
    Drawing(Drawing, Look),
    Picture(String),
    /// A picture was drawn to a file.
    Saved {
        steps: u64,
        name: String,
    },
}

impl Verb for Explain {
    type Report = Explained;

    fn manner(&self) -> Manner {
        Manner::default()
    }

    fn run(self, session: &Session) -> Result<Explained> {
        let Some(kind) = self.kind else { return Ok(Explained(Shown::Kinds)) };
        let drawing = (kind.draw)(&self.setting(kind)?)?;
        let place = match &self.svg {
            Some(path) if !is_stdout(path) => Place::Picture(Target::check(path, self.force, session)?),
            Some(_) => Place::Stdout,
            None => Place::Terminal,
        };
        Ok(Explained(match place {
            Place::Terminal => Shown::Drawing(drawing, Look::of_stdout()),
            Place::Stdout => Shown::Picture(svg::picture(&drawing)),
            Place::Picture(target) => {
                target.write(svg::picture(&drawing).as_bytes(), session)?;
                Shown::Saved { steps: drawing.steps.len() as u64, name: target.name() }
            }
        }))
    }
}

impl Report for Explained {
    fn text(&self, page: &mut Page) {
        match &self.0 {
            Shown::Kinds => print_kinds(page),
            Shown::Drawing(drawing, look) => {
                for line in terminal::lines(drawing, page.width(), *look) {
                    // It may have colours of ours; names in it are printable.
                    page.record(line.as_bytes(), b'\n');
                }
            }
            Shown::Picture(picture) => page.bytes(picture.as_bytes()),
            Shown::Saved { steps, name } => {
                page.line(&format!("{} drawn to {name}", plural(*steps, "step", "steps")));
            }
        }
    }

    /// A drawing is for people.
    fn records(&self, _records: &mut Records) {}
}

impl Explain {
    fn setting(&self, kind: &'static KindInfo) -> Result<Setting> {
        if self.remove.is_some() && !kind.removes {
            bail!("items cannot leave {}; --remove is for {}", kind.name, names(|kind| kind.removes));
        }
        if self.query.is_some() && !kind.answers {
            bail!(
                "{} answers one question by itself; --query is for {}",
                kind.name,
                names(|kind| kind.answers)
            );
        }
        let seed = self.seed;
        if self.items.is_empty() {
            let example = kind.example(self.example.as_deref())?;
            let query = Some(example.query).filter(|query| !query.is_empty());
            return Setting::new(
                kind,
                &Wishes {
                    example: Some(example),
                    lists: example.items.to_vec(),
                    removed: self.remove.as_deref().unwrap_or(example.remove),
                    asked: self.query.as_deref().or(query),
                    cells: example.cells,
                    hashes: example.hashes,
                    seed,
                },
            );
        }
        Setting::new(
            kind,
            &Wishes {
                example: None,
                lists: self.items.iter().map(String::as_str).collect(),
                removed: self.remove.as_deref().unwrap_or_default(),
                asked: self.query.as_deref(),
                cells: kind.cells(self.cells)?,
                hashes: kind.hashes(self.hashes)?,
                seed,
            },
        )
    }
}

fn print_kinds(page: &mut Page) {
    let mut table = Table::new([Align::Left; 3]);
    for kind in KINDS {
        let examples: Vec<&str> = kind.examples.iter().map(|example| example.name).collect();
        table.push([kind.name.into(), kind.summary.into(), examples.join(", ")]);
    }
    table.print(page);
    page.line("");
    page.line("crivo explain bloom --example lopes, or with items of your own: --items a,b,c --query a,x");
}
