//! Fingerprints that make room for one another. The library's filter packs its slots otherwise and keeps them to itself:
//! what is drawn here is the filter of the literature.

use super::bloom::answer;
use super::drawing::{Cell, Drawing, Grid, Mark, Step, Verdict};
use super::majority::ROOM;
use super::setting::{Entry, Setting};
use super::words::{Percent, say};
use anyhow::Result;
use crivo::hash::reduce;
use crivo_report::{Align, shorten};

/// A chain of moves that is longer means that the filter is full.
const MOST_MOVES: usize = 32;
/// How many fingerprints there are: those of 8 bits but 0.
const FINGERPRINTS: u64 = 255;

/// What a filter knows of an item.
pub(super) struct Place {
    fingerprint: u64,
    pub(super) buckets: [u64; 2],
}

/// The fingerprint and the two buckets of a hash.
pub(super) fn place(setting: &Setting, hash: u64) -> Place {
    let fingerprint = 1 + reduce(hash << 32, FINGERPRINTS);
    let bucket = reduce(hash, setting.cells);
    Place { fingerprint, buckets: [bucket, other(setting, bucket, fingerprint)] }
}

/// The other bucket of a fingerprint in this one.
fn other(setting: &Setting, bucket: u64, fingerprint: u64) -> u64 {
    bucket ^ (1 + reduce(setting.spec.hash(&fingerprint), setting.cells - 1))
}

/// A fingerprint in its bucket. The name is there for the reader: the filter has forgotten it.
#[derive(Clone, PartialEq)]
struct Held {
    name: String,
    fingerprint: u64,
}

/// Buckets of a few places.
#[derive(Clone)]
struct Table<'a> {
    setting: &'a Setting,
    buckets: Vec<Vec<Option<Held>>>,
}

/// How an insert went.
struct Moves {
    /// What happened, in words.
    story: Vec<String>,
    is_full: bool,
}

impl<'a> Table<'a> {
    fn new(setting: &'a Setting) -> Self {
        let bucket = vec![None; setting.hashes as usize];
        Self { setting, buckets: vec![bucket; setting.cells as usize] }
    }

    fn put(&mut self, bucket: u64, held: &Held) -> bool {
        let free = self.buckets[bucket as usize].iter_mut().find(|place| place.is_none());
        free.map(|place| *place = Some(held.clone())).is_some()
    }

    /// Puts an item into one of its buckets; a full table stays as it was.
    fn insert(&mut self, entry: &Entry) -> Moves {
        let Place { fingerprint, buckets } = place(self.setting, entry.hash);
        let mut held = Held { name: entry.name.clone(), fingerprint };
        for bucket in buckets {
            if self.put(bucket, &held) {
                let (first, own) = (buckets[0].to_string(), bucket.to_string());
                let story = if bucket == buckets[0] {
                    say!(self.setting, "room", bucket = own)
                } else {
                    say!(self.setting, "second-room", first = first, bucket = own)
                };
                return Moves { story: vec![story], is_full: false };
            }
        }
        let before = self.buckets.clone();
        let mut bucket = buckets[0];
        let mut story = vec![say!(self.setting, "both-full")];
        for step in 0..MOST_MOVES {
            let places = &mut self.buckets[bucket as usize];
            let turn = step % places.len();
            let Some(evicted) = places[turn].replace(held.clone()) else { break };
            let next = other(self.setting, bucket, evicted.fingerprint);
            let (new, old) = (&held.name, &evicted.name);
            story.push(say!(self.setting, "evicts", new = new, old = old, bucket = bucket.to_string()));
            held = evicted;
            bucket = next;
            if self.put(bucket, &held) {
                story.push(say!(self.setting, "moves", item = held.name, bucket = bucket.to_string()));
                return Moves { story, is_full: false };
            }
        }
        self.buckets = before;
        let story = say!(self.setting, "full", moves = MOST_MOVES, item = entry.name);
        Moves { story: vec![story], is_full: true }
    }

    fn remove(&mut self, entry: &Entry) -> Option<u64> {
        let place = place(self.setting, entry.hash);
        let bucket = place.buckets.into_iter().find(|&bucket| self.holds(bucket, place.fingerprint))?;
        let places = &mut self.buckets[bucket as usize];
        let held = places
            .iter_mut()
            .find(|held| held.as_ref().is_some_and(|it| it.fingerprint == place.fingerprint))?;
        *held = None;
        Some(bucket)
    }

    fn holds(&self, bucket: u64, fingerprint: u64) -> bool {
        self.buckets[bucket as usize].iter().flatten().any(|held| held.fingerprint == fingerprint)
    }

    fn contains(&self, entry: &Entry) -> bool {
        let place = place(self.setting, entry.hash);
        place.buckets.iter().any(|&bucket| self.holds(bucket, place.fingerprint))
    }

    /// The buckets after a change; before it too, side by side, where a bucket has one place.
    fn change_from(&self, before: &Self, touched: [u64; 2]) -> Grid {
        let is_narrow = self.setting.hashes == 1;
        let titles = [say!(self.setting, "before"), say!(self.setting, "after")];
        let mut grid = self.grid(if is_narrow { &titles } else { &[] });
        for (number, (old, new)) in before.buckets.iter().zip(&self.buckets).enumerate() {
            let mark = |place: usize| match touched.contains(&(number as u64)) {
                _ if old[place] != new[place] => Mark::Changed,
                true => Mark::Seen,
                false => Mark::Plain,
            };
            let earlier = old.iter().filter(|_| is_narrow).map(|held| Cell::plain(text(held.as_ref())));
            let later =
                new.iter().enumerate().map(|(place, held)| Cell::new(text(held.as_ref()), mark(place)));
            grid = grid.row(number.to_string(), earlier.chain(later).collect());
        }
        grid
    }

    /// The buckets that a query looks at.
    fn looked_at(&self, place: &Place) -> Grid {
        let mut grid = self.grid(&[]);
        for (number, bucket) in (0..).zip(&self.buckets) {
            let mark = |held: &Option<Held>| match held {
                _ if !place.buckets.contains(&number) => Mark::Plain,
                Some(held) if held.fingerprint == place.fingerprint => Mark::Decides,
                _ => Mark::Seen,
            };
            grid = grid.row(
                number.to_string(),
                bucket.iter().map(|held| Cell::new(text(held.as_ref()), mark(held))).collect(),
            );
        }
        grid
    }

    /// Under these titles, or under the numbers of the places.
    fn grid(&self, titles: &[String]) -> Grid {
        let places = self.setting.hashes;
        let heads = match titles {
            [] if places > 1 => (1..=places).map(|place| place.to_string()).collect(),
            [] => vec![String::new()],
            titles => titles.to_vec(),
        };
        let group = usize::from(!titles.is_empty());
        Grid { corner: say!(self.setting, "bucket"), group, align: Align::Left, ..Grid::new(heads) }
    }
}

/// `3f fig`
fn text(held: Option<&Held>) -> String {
    held.map_or_else(|| "·".into(), |held| format!("{:02x} {}", held.fingerprint, shorten(&held.name, ROOM)))
}

#[expect(clippy::unnecessary_wraps, reason = "others can fail")]
pub(super) fn draw(setting: &Setting) -> Result<Drawing> {
    let mut table = Table::new(setting);
    let mut steps = Vec::new();
    let mut refused = Vec::new();
    for item in setting.items() {
        let before = table.clone();
        let moves = table.insert(item);
        if moves.is_full {
            refused.push(item.key.as_str());
        }
        let heading = say!(setting, "insert", item = item.name, places = places(setting, item));
        let grid = table.change_from(&before, place(setting, item.hash).buckets);
        let verdict = if moves.is_full { Verdict::Wrong } else { Verdict::None };
        steps.push(Step::new(heading, grid, moves.story.join("; ")).judged(verdict));
    }
    for item in &setting.removed {
        let before = table.clone();
        let removed = table.remove(item);
        let remark = match removed.map(|bucket| bucket.to_string()) {
            Some(bucket) if setting.items().any(|it| it.is(item)) => say!(setting, "leaves", bucket = bucket),
            Some(bucket) => say!(setting, "stranger", bucket = bucket),
            None => say!(setting, "refused"),
        };
        let heading = say!(setting, "remove", item = item.name, places = places(setting, item));
        steps.push(Step::new(heading, table.change_from(&before, place(setting, item.hash).buckets), remark));
    }
    for query in setting.queries(|entry| table.contains(entry)) {
        let refusals = refused.iter().filter(|key| **key == query.key).count();
        let is_inside = setting.times_inside(&query) > refusals as u64;
        let (remark, verdict) = answer(setting, table.contains(&query), is_inside, &[]);
        let heading = say!(setting, "query", item = query.name, places = places(setting, &query));
        steps.push(Step::new(heading, table.looked_at(&place(setting, query.hash)), remark).judged(verdict));
    }
    let held = table.buckets.iter().flatten().flatten().count();
    let slots = setting.cells * u64::from(setting.hashes);
    let (fill, looked_at) = (held as f64 / slots as f64, 2 * setting.hashes);
    let rate = Percent(f64::from(looked_at) * fill / FINGERPRINTS as f64);
    let rate = say!(
        setting,
        "rate",
        held = held,
        slots = slots,
        compared = looked_at,
        fingerprints = FINGERPRINTS,
        rate = rate
    );
    let title = say!(setting, "title", cells = setting.cells, places = setting.hashes);
    Ok(Drawing::new(setting, title, steps, vec![rate, say!(setting, "load")]))
}

/// `fingerprint 3f, buckets 1 and 7`
fn places(setting: &Setting, entry: &Entry) -> String {
    let Place { fingerprint, buckets } = place(setting, entry.hash);
    let buckets = buckets.map(|it| it.to_string()).to_vec();
    say!(setting, "places", fingerprint = format!("{fingerprint:02x}"), buckets = buckets)
}
