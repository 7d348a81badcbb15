//! Fingerprints that make room for one another. The library's filter packs its slots otherwise and keeps them to itself:
//! what is drawn here is the filter of the literature.

use super::drawing::{Cell, Drawing, Grid, Mark, Step, Verdict, list};
use super::setting::{Entry, Setting};
use anyhow::Result;
use crivo::hash::reduce;
use crivo_report::{Align, percent, plural, shorten};

const ABOUT: &str = "Only a fingerprint f of an item is kept, in one of two buckets: i, or j = i xor h(f). From either of them \
                     and f the other follows, so that a fingerprint can move without its item. Where both are full one \
                     that is there makes room and goes to its other bucket, and so on.";
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
                let story = if bucket == buckets[0] {
                    format!("bucket {bucket} has room")
                } else {
                    format!("bucket {} is full, bucket {bucket} has room", buckets[0])
                };
                return Moves { story: vec![story], is_full: false };
            }
        }
        let before = self.buckets.clone();
        let mut bucket = buckets[0];
        let mut story = vec![String::from("both buckets are full")];
        for step in 0..MOST_MOVES {
            let places = &mut self.buckets[bucket as usize];
            let turn = step % places.len();
            let Some(evicted) = places[turn].replace(held.clone()) else { break };
            let next = other(self.setting, bucket, evicted.fingerprint);
            story.push(format!("{} takes the place of {} in {bucket}", held.name, evicted.name));
            held = evicted;
            bucket = next;
            if self.put(bucket, &held) {
                story.push(format!("{} goes to {bucket}, which has room", held.name));
                return Moves { story, is_full: false };
            }
        }
        self.buckets = before;
        let story = format!(
            "both buckets are full, and {MOST_MOVES} moves found no room: the filter is full, {} is refused",
            entry.name
        );
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

    /// The buckets before and after, side by side.
    fn change_from(&self, before: &Self, touched: [u64; 2]) -> Grid {
        let mut grid = self.grid(&["before", "after"]);
        for (number, (old, new)) in before.buckets.iter().zip(&self.buckets).enumerate() {
            let mark = |place: usize| match touched.contains(&(number as u64)) {
                _ if old[place] != new[place] => Mark::Changed,
                true => Mark::Seen,
                false => Mark::Plain,
            };
            let after =
                new.iter().enumerate().map(|(place, held)| Cell::new(text(held.as_ref()), mark(place)));
            let cells = old.iter().map(|held| Cell::plain(text(held.as_ref()))).chain(after).collect();
            grid = grid.row(number.to_string(), cells);
        }
        grid
    }

    /// The buckets that a query looks at.
    fn looked_at(&self, place: &Place) -> Grid {
        let mut grid = self.grid(&[""]);
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

    fn grid(&self, titles: &[&str]) -> Grid {
        let places = self.setting.hashes as usize;
        let heads = titles
            .iter()
            .flat_map(|title| std::iter::once(*title).chain(std::iter::repeat_n("", places - 1)));
        Grid { corner: "bucket", group: places, align: Align::Left, ..Grid::new(heads) }
    }
}

/// `3f fig`
fn text(held: Option<&Held>) -> String {
    held.map_or_else(|| "·".into(), |held| format!("{:02x} {}", held.fingerprint, shorten(&held.name, 12)))
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
        steps.push(Step {
            heading: format!("insert {} → {}", item.name, places(setting, item)),
            grid: table.change_from(&before, place(setting, item.hash).buckets),
            remark: moves.story.join("; "),
            verdict: if moves.is_full { Verdict::Wrong } else { Verdict::None },
        });
    }
    for item in &setting.removed {
        let before = table.clone();
        let removed = table.remove(item);
        let remark = match removed {
            Some(bucket) if setting.items().any(|it| it.is(item)) => {
                format!("its fingerprint leaves bucket {bucket}")
            }
            Some(bucket) => format!(
                "it was never inserted, but its fingerprint is in bucket {bucket}: an item of the same fingerprint is lost"
            ),
            None => "refused: its fingerprint is in neither bucket".into(),
        };
        steps.push(Step {
            heading: format!("remove {} → {}", item.name, places(setting, item)),
            grid: table.change_from(&before, place(setting, item.hash).buckets),
            remark,
            verdict: Verdict::None,
        });
    }
    for query in setting.queries(|entry| table.contains(entry)) {
        let refusals = refused.iter().filter(|key| **key == query.key).count();
        let is_inside = setting.times_inside(&query) > refusals as u64;
        let (remark, verdict) = match (table.contains(&query), is_inside) {
            (true, true) => ("yes, and rightly so: its fingerprint is there", Verdict::Right),
            (true, false) => {
                ("yes, but wrongly: another item has the same fingerprint there", Verdict::Wrong)
            }
            (false, false) => {
                ("no, and that is certain: its fingerprint is in neither bucket", Verdict::Right)
            }
            (false, true) => ("no, but wrongly: a removal took its fingerprint away", Verdict::Wrong),
        };
        steps.push(Step {
            heading: format!("is {} there? → {}", query.name, places(setting, &query)),
            grid: table.looked_at(&place(setting, query.hash)),
            remark: remark.into(),
            verdict,
        });
    }
    let held = table.buckets.iter().flatten().flatten().count();
    let slots = setting.cells * u64::from(setting.hashes);
    let (fill, looked_at) = (held as f64 / slots as f64, 2 * setting.hashes);
    Ok(Drawing {
        title: format!(
            "Cuckoo filter of {} with {}",
            plural(setting.cells, "bucket", "buckets"),
            plural(setting.hashes.into(), "place", "places")
        ),
        source: setting.example.map(|example| example.source),
        about: ABOUT.into(),
        steps,
        results: vec![
            format!(
                "{held} of {slots} places are taken. A query compares a fingerprint with {looked_at} places, so an item that \
                 is not inside is taken for one that is with a probability of about {looked_at} · {held}/{slots} / \
                 {FINGERPRINTS} = {}",
                percent(f64::from(looked_at) * fill / FINGERPRINTS as f64)
            ),
            "with buckets of four places, 95 % of them can be taken before an insert fails".into(),
        ],
    })
}

/// `fingerprint 3f, buckets 1 and 7`
fn places(setting: &Setting, entry: &Entry) -> String {
    let Place { fingerprint, buckets } = place(setting, entry.hash);
    format!("fingerprint {fingerprint:02x}, buckets {}", list(&buckets.map(|it| it.to_string())))
}
