//! `crivo filter route`: which of many filters may contain a key.

use crate::args::{FormArgs, KeyArgs, LimitArgs, ValueArgs};
use crate::cmd::sketch_file::{check_takes_texts, load_as};
use crate::input::{Columns, Input, Wants};
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::{Context, Result, bail};
use clap::Args;
use crivo::membership::RoutingTree;
use crivo::{BloomFilter, Estimate, HashSpec, Kind};
use crivo_report::{
    Align, Page, Records, Report, Table, Text, as_bar_or_null, count, named, percent, plural, shown,
};
use serde::Serialize;
use std::ffi::{OsStr, OsString};
use std::ops::ControlFlow;
use std::path::{Component, Path, PathBuf};

/// Find the filters that may contain a key, without asking all of them
///
/// The files form a tree by their folders, and a folder has the union of the filters in it. A key descends from the top,
/// only into folders whose union reports it, and the files that it reaches are printed: caches, sites or days that may have
/// it. They are exactly the files that 'crivo filter query' would find one by one; the tree asks fewer filters.
///
/// The files must be Bloom filters of one size: build them with one --capacity, the number of items of all files
/// together, and one --fpr. If the filters are smaller, the unions are too full to exclude anything, and the tree asks more filters
/// than there are files; the last line says how many it asked.
///
/// The exit code is 0 if a filter may contain a key, 1 if none does, and 2 after an error.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo filter route caches/*/*.crv --key /index.html
  crivo filter route north.crv south.crv --keys phones.txt
  crivo filter build north.txt -o north.crv --capacity 1e6    # and so on, for each file")]
pub(crate) struct Route {
    /// Filter files
    #[arg(required = true, value_name = "FILTER")]
    filters: Vec<PathBuf>,

    /// A key to look up; may be repeated
    #[arg(long = "key", short, value_name = "KEY", conflicts_with = "key_files")]
    keys: Vec<OsString>,

    /// A file of keys, plain, gzip or zstd, or - for standard input (the default without --key); may be repeated
    #[arg(long = "keys", value_name = "FILE", help_heading = "Input")]
    key_files: Vec<PathBuf>,

    #[command(flatten)]
    values: ValueArgs,

    #[command(flatten)]
    limit: LimitArgs,

    #[command(flatten)]
    key: KeyArgs,

    #[command(flatten)]
    form: FormArgs,
}

impl Verb for Route {
    type Report = Routes;

    fn manner(&self) -> Manner {
        self.form.manner(false)
    }

    fn run(self, session: &Session) -> Result<Routes> {
        if !self.keys.is_empty() && self.values.is_given() {
            bail!("--key names a key, and no data are read; leave out --column, --format and the like");
        }
        let sites = self.sites(session)?;
        let mut all = Routes {
            filters: sites.files.len() as u64,
            places: sites.tree.places() as u64,
            ..Routes::default()
        };
        if !self.keys.is_empty() {
            let keys = self
                .keys
                .iter()
                .map(|key| (sites.spec.hash_bytes(key.as_encoded_bytes()), key.as_encoded_bytes()));
            session.show(&sites.route(keys, &mut all))?;
            return Ok(all);
        }
        let input = self.values.open(&self.key_files, Columns::default(), self.limit, session)?;
        let input = Input { answers_early: true, ..input };
        input.read(Wants::hashes(sites.spec).and_values(), |batch| {
            all.missing += batch.missing.len() as u64;
            session.show(&sites.route(batch.hashed_values(), &mut all))?;
            session.flush()?;
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(all)
    }
}

impl Route {
    /// The filters, and the tree of them.
    fn sites(&self, session: &Session) -> Result<Sites> {
        let options = self.key.decode_options(self.limit, session)?;
        let mut filters = Vec::<BloomFilter>::new();
        for path in &self.filters {
            let filter: BloomFilter = load_as(path, &options, Kind::BloomFilter, session)?;
            check_takes_texts(path, filter.hash_spec())?;
            // Each folder of at least two files has a filter too.
            let filters_of_all = 2 * self.filters.len() as u64 + filters.len() as u64;
            self.limit.check(filters_of_all * filter.memory_bytes() as u64)?;
            filters.push(filter);
        }
        let mut names: Vec<(Vec<&OsStr>, usize)> =
            self.filters.iter().map(|path| names(path)).zip(0..).collect();
        names.sort_unstable();
        if let Some(twice) = names.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            bail!("{} is named twice; name each filter once", self.filters[twice[0].1].display());
        }
        let spec = *filters[0].hash_spec();
        let tree = RoutingTree::with_params(filters[0].params()).with_hash(spec);
        let files =
            self.filters.iter().zip(&filters).map(|(path, filter)| (path.clone(), filter.fpr())).collect();
        let mut sites = Sites { spec, tree, files, file_of: Vec::new() };
        sites.grow(RoutingTree::ROOT, first_difference(&names, 0), &names, &filters)?;
        Ok(sites)
    }
}

/// The names in a path, without those that mean the folder itself.
fn names(path: &Path) -> Vec<&OsStr> {
    path.components().filter(|name| *name != Component::CurDir).map(Component::as_os_str).collect()
}

/// From which place on the names of all files are not the same.
fn first_difference(files: &[(Vec<&OsStr>, usize)], from: usize) -> usize {
    let (first, last) = (&files[0].0, &files[files.len() - 1].0);
    let is_equal = |&place: &usize| files.len() > 1 && first.get(place) == last.get(place);
    (from..first.len()).take_while(is_equal).count() + from
}

/// A file, and the false-positive rate of its filter.
type Site = (PathBuf, Estimate);

/// Filters at the places of a tree.
struct Sites {
    spec: HashSpec,
    tree: RoutingTree,
    files: Vec<Site>,
    /// The places of the tree that are files, and which.
    file_of: Vec<(usize, usize)>,
}

impl Sites {
    /// Adds sorted files below a place, which differ in their names from `depth` on: one place for each file, and for each
    /// folder of several files.
    fn grow(
        &mut self,
        parent: usize,
        depth: usize,
        files: &[(Vec<&OsStr>, usize)],
        filters: &[BloomFilter],
    ) -> Result<()> {
        for group in files.chunk_by(|one, other| one.0.get(depth) == other.0.get(depth)) {
            let place = self.tree.add_child(parent)?;
            let [(_, file)] = group else {
                self.grow(place, first_difference(group, depth + 1), group, filters)?;
                continue;
            };
            self.file_of.push((place, *file));
            let [first, path] = [0, *file].map(|file| self.files[file].0.display().to_string());
            self.tree.merge(place, &filters[*file]).with_context(|| {
                format!("{path} and {first}: build all filters with one --capacity, --fpr and --seed")
            })?;
        }
        Ok(())
    }

    /// Looks up keys, and counts them.
    fn route<'a>(&self, keys: impl Iterator<Item = (u64, &'a [u8])>, all: &mut Routes) -> Routed<'a, '_> {
        let mut routed = Routed(Vec::new());
        for (hash, key) in keys {
            let route = self.tree.route_hash(hash);
            let file = |place: &usize| self.file_of.binary_search_by_key(place, |(place, _)| *place);
            let found = route.candidates.iter().filter_map(|place| Some(self.file_of[file(place).ok()?].1));
            let before = routed.0.len();
            routed.0.extend(found.map(|file| (key, Some(&self.files[file]))));
            all.keys += 1;
            all.asked += route.asked as u64;
            if routed.0.len() > before {
                all.routed += 1;
            } else {
                routed.0.push((key, None));
            }
        }
        routed
    }
}

/// Keys, each with a file that may contain it; or none, if no file does.
struct Routed<'a, 'b>(Vec<(&'a [u8], Option<&'b Site>)>);

#[derive(Serialize)]
#[serde(tag = "type", rename = "route")]
struct RouteRecord<'a> {
    key: Text<'a>,
    file: Option<String>,
    #[serde(serialize_with = "as_bar_or_null")]
    fpr: Option<Estimate>,
}

impl Report for Routed<'_, '_> {
    fn text(&self, page: &mut Page) {
        let mut table = Table::new([Align::Left, Align::Left, Align::Left]);
        for &(key, file) in &self.0 {
            let [file, bar] = match file {
                Some((path, fpr)) => [named(path), format!("(false-positive rate {})", percent(fpr.value()))],
                None => ["no filter".into(), "(certain)".into()],
            };
            table.push([shown(key), file, bar]);
        }
        table.print(page);
    }

    fn records(&self, records: &mut Records) {
        for &(key, file) in &self.0 {
            let (file, fpr) = file.map(|(path, fpr)| (path.display().to_string(), *fpr)).unzip();
            records.row(&RouteRecord { key: Text::from(key), file, fpr });
        }
    }
}

/// How many keys were looked up, and how many filters were asked.
#[derive(Debug, Default, Serialize)]
#[serde(tag = "type", rename = "routes")]
pub(crate) struct Routes {
    keys: u64,
    /// Keys that some filter may contain.
    routed: u64,
    missing: u64,
    filters: u64,
    /// Filters and folders.
    places: u64,
    asked: u64,
}

impl Report for Routes {
    fn text(&self, page: &mut Page) {
        let (asked, keys) = (plural(self.asked, "filter", "filters"), plural(self.keys, "key", "keys"));
        let alone = count(self.keys.saturating_mul(self.filters));
        page.note(&format!("{asked} asked for {keys}, {alone} without the tree"));
        if self.missing > 0 {
            let missing = plural(self.missing, "missing value", "missing values");
            page.note(&format!("{missing}, certainly in no filter"));
        }
    }

    fn records(&self, records: &mut Records) {
        records.total(self);
    }

    fn exit_code(&self) -> u8 {
        u8::from(self.routed == 0)
    }
}
