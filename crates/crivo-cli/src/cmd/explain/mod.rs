//! `crivo explain`: draws a structure at work, step by step.

mod bloom;
mod bottom_k;
mod count_min;
mod count_sketch;
mod counting;
mod cuckoo;
mod drawing;
mod dyadic;
mod examples;
mod fuse;
mod hash;
mod heavy;
mod html;
mod hyperloglog;
mod kinds;
mod kll;
mod linear_bloom;
mod linear_counting;
mod majority;
mod matrix;
mod min_hash;
mod morris;
#[cfg(test)]
mod picture_tests;
mod quotient;
mod reservoir;
mod setting;
mod sim_hash;
#[cfg(test)]
mod structure_tests;
mod svg;
mod terminal;
#[cfg(test)]
mod tests;
mod tree_labels;
mod words;

use crate::args::parse_seed;
use crate::output::{Target, is_stdout};
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::{Context, Result, bail};
use clap::Args;
use crivo_report::{Align, Page, Records, Report, Table};
use drawing::Drawing;
use kinds::{KINDS, KindInfo, kind_parser, names};
use setting::{Setting, Wishes};
use std::io::{BufRead, IsTerminal};
use std::ops::Range;
use std::path::PathBuf;
use std::rc::Rc;
use terminal::Look;
use words::{Language, Words, say};

/// Draw a structure step by step: in the terminal, as a picture, or as slides
///
/// Every insert shows which cells it touches and what changes. Every query shows which cells it looks at, the answer, the reason,
/// and whether the answer is correct. Without --items the drawing is a worked example, most of them from the literature.
/// Without KIND, lists the kinds and their examples.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo explain
  crivo explain bloom
  crivo explain bloom --lang pt
  crivo explain bloom --step
  crivo explain bloom --example ferreira --svg bloom.svg
  crivo explain cuckoo --example removal --html cuckoo.html
  crivo explain bloom --items fig,plum,pear --query fig,nut --cells 12 --hashes 3
  crivo explain count-min --items fig:5,plum:2,pear
  crivo explain linear-bloom --items fig:0.3,plum:0.7 --query plum:0.7
  crivo explain minhash --items fig,plum,pear --items plum,pear,nut
  crivo explain kll --items 5,3,8,1,9,2,7,4,6,0 --query 0.5
  crivo explain tree-labels --items root-a,root-b,a-c --query root-c
  crivo explain dyadic --items 3,7:2,12 --query 5-14
  crivo explain morris --items event:1000 --seed 7
  crivo explain hash --items BBB,BAa,AaB --query bill")]
pub(crate) struct Explain {
    /// Structure to draw
    #[arg(value_parser = kind_parser())]
    kind: Option<&'static KindInfo>,

    /// Items to insert, separated by commas; name:3 gives a count or a value; kinds that compare sets take several lists
    #[arg(long, value_name = "LIST", requires = "kind", allow_hyphen_values = true)]
    items: Vec<String>,

    /// Items to remove again, where the structure supports it
    #[arg(long, value_name = "LIST", requires = "kind")]
    remove: Option<String>,

    /// Queries: names, name:value, ranges such as 5-14, quantiles such as 0.5, pairs of vertices such as a-b, or beginnings of
    /// texts to forge
    #[arg(long, value_name = "LIST", requires = "kind", allow_hyphen_values = true)]
    query: Option<String>,

    /// Number of bits, counters, registers, buckets or slots
    #[arg(long, value_name = "M", requires = "items")]
    cells: Option<u64>,

    /// Number of hash functions, rows, places per bucket or bits per remainder
    #[arg(long, value_name = "K", requires = "items")]
    hashes: Option<u32>,

    /// Seed of the hash function, or of random choices
    #[arg(long, value_name = "N", value_parser = parse_seed, requires = "kind")]
    seed: Option<u64>,

    /// Worked example to draw; the default is the first
    #[arg(long, value_name = "NAME", conflicts_with = "items", requires = "kind")]
    example: Option<String>,

    /// Language of the explanation
    #[arg(long, value_enum, value_name = "LANGUAGE", default_value = "en")]
    lang: Language,

    /// Show one step at a time: Enter for the next, q to end; needs a terminal
    #[arg(long, requires = "kind", conflicts_with = "file", help_heading = "Output")]
    step: bool,

    /// Write a picture to this file instead, as SVG; - for standard output
    #[arg(long, value_name = "FILE.svg", group = "file", requires = "kind", help_heading = "Output")]
    svg: Option<PathBuf>,

    /// Write slides to this file instead, as one HTML page with arrow keys; - for standard output
    #[arg(long, value_name = "FILE.html", group = "file", requires = "kind", help_heading = "Output")]
    html: Option<PathBuf>,

    /// Replace the file if it exists
    #[arg(long, requires = "file", help_heading = "Output")]
    force: bool,
}

/// A drawing as a file.
type Render = fn(&Drawing) -> String;

/// What is shown.
pub(crate) struct Explained(Shown);

enum Shown {
    Kinds(Language),
    /// These parts of a drawing.
    Drawing(Rc<Drawing>, Look, Range<usize>),
    File(String),
    /// What was written to a file.
    Saved(String),
}

impl Verb for Explain {
    type Report = Explained;

    fn manner(&self) -> Manner {
        Manner::default()
    }

    fn run(self, session: &Session) -> Result<Explained> {
        let Some(kind) = self.kind else { return Ok(Explained(Shown::Kinds(self.lang))) };
        let drawing = (kind.draw)(&self.setting(kind)?)?;
        let file = self.svg.map(|path| (path, svg::picture as Render));
        let look = Look::of_stdout();
        Ok(Explained(match file.or(self.html.map(|path| (path, html::slides as Render))) {
            Some((path, render)) if is_stdout(&path) => Shown::File(render(&drawing)),
            Some((path, render)) => {
                let target = Target::check(&path, self.force, session)?;
                target.write(render(&drawing).as_bytes(), session)?;
                Shown::Saved(say!(drawing.words, "saved", steps = drawing.steps.len(), file = target.name()))
            }
            None if !self.step => Shown::Drawing(Rc::new(drawing), look, 0..usize::MAX),
            None if std::io::stdin().is_terminal() && std::io::stdout().is_terminal() => {
                walk(drawing, look, session, std::io::stdin().lock())?
            }
            None => bail!(
                "--step waits for Enter at a terminal, and this is none; leave it out to print all steps, or write slides with \
                 --html FILE"
            ),
        }))
    }
}

/// Shows a part after each line that the reader enters, until it is q or there are no more lines; what is left to show.
fn walk(drawing: Drawing, look: Look, session: &Session, mut input: impl BufRead) -> Result<Shown> {
    let drawing = Rc::new(drawing);
    let last = drawing.steps.len() + 1;
    for part in 0..last {
        session.show(&Explained(Shown::Drawing(drawing.clone(), look, part..part + 1)))?;
        session.show(&Explained(Shown::Saved(say!(drawing.words, "prompt"))))?;
        session.flush()?;
        let mut line = String::new();
        let read = input.read_line(&mut line).context("cannot read from the terminal")?;
        if look.colours {
            // The line of the prompt makes room for the step.
            session.pass(b"\x1b[1A\x1b[2K")?;
        }
        if read == 0 || line.trim() == "q" {
            return Ok(Shown::Drawing(drawing, look, 0..0));
        }
    }
    Ok(Shown::Drawing(drawing, look, last..last + 1))
}

impl Report for Explained {
    fn text(&self, page: &mut Page) {
        match &self.0 {
            Shown::Kinds(language) => print_kinds(*language, page),
            Shown::Drawing(drawing, look, parts) => {
                for line in terminal::lines(drawing, parts.clone(), page.width(), *look) {
                    // It may have colours of ours; names in it are printable.
                    page.record(line.as_bytes(), b'\n');
                }
            }
            Shown::File(text) => page.bytes(text.as_bytes()),
            Shown::Saved(line) => page.line(line),
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
                    language: self.lang,
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
                language: self.lang,
            },
        )
    }
}

fn print_kinds(language: Language, page: &mut Page) {
    let mut table = Table::new([Align::Left; 3]);
    for kind in KINDS {
        let examples: Vec<&str> = kind.examples.iter().map(|example| example.name).collect();
        table.push([kind.name.into(), kind.summary(language), examples.join(", ")]);
    }
    table.print(page);
    page.line("");
    let words = Words { language, kind: "" };
    page.line(&say!(words, "usage"));
}
