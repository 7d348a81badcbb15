//! What is drawn: items, questions and sizes, of the user or of an example.

use super::examples::{Example, Given};
use super::kinds::{Amounts, KindInfo};
use super::words::{Language, Value, Words, say};
use anyhow::{Result, bail};
use crivo::HashSpec;
use crivo::hash::Probes;
use crivo::rng::Rng;
use crivo_report::{shorten, shown};

/// Items in all; more steps than that are no explanation.
const MOST_ITEMS: usize = 100;
/// The largest count of one item.
const MOST_COUNT: u64 = 1_000_000;
/// The room for a name.
const NAME: usize = 32;

/// All that a drawing follows from.
pub(super) struct Setting {
    pub(super) words: Words,
    pub(super) example: Option<&'static Example>,
    /// What is put in, in order; most structures take all lists as one.
    pub(super) lists: Vec<Vec<Entry>>,
    pub(super) removed: Vec<Entry>,
    asked: Option<Vec<Entry>>,
    pub(super) cells: u64,
    pub(super) hashes: u32,
    /// The number of the first cell.
    pub(super) first: u64,
    pub(super) spec: HashSpec,
    pub(super) seed: u64,
    amounts: Amounts,
}

/// An item, as often or with such a value as was said.
#[derive(Clone)]
pub(super) struct Entry {
    /// As it can be printed.
    pub(super) name: String,
    /// As it was written: two items may share a hash, and names that are cut may look alike.
    pub(super) key: String,
    pub(super) hash: u64,
    pub(super) count: u64,
    pub(super) value: Option<f64>,
    /// What an example printed about it.
    pub(super) given: Option<&'static Given>,
}

/// What the user asks for; nothing of it is checked.
pub(super) struct Wishes<'a> {
    pub(super) example: Option<&'static Example>,
    pub(super) lists: Vec<&'a str>,
    pub(super) removed: &'a str,
    pub(super) asked: Option<&'a str>,
    pub(super) cells: u64,
    pub(super) hashes: u32,
    pub(super) seed: Option<u64>,
    pub(super) language: Language,
}

impl Setting {
    pub(super) fn new(kind: &'static KindInfo, wishes: &Wishes<'_>) -> Result<Self> {
        let mut setting = Self {
            words: Words { language: wishes.language, kind: kind.name },
            example: wishes.example,
            lists: Vec::new(),
            removed: Vec::new(),
            asked: None,
            cells: wishes.cells,
            hashes: wishes.hashes,
            first: wishes.example.map_or(0, |example| example.first),
            spec: wishes.seed.map_or_else(HashSpec::default, HashSpec::seeded),
            seed: wishes.seed.unwrap_or(kind.seed),
            amounts: kind.amounts,
        };
        for list in &wishes.lists {
            let entries = setting.entries(list)?;
            setting.lists.push(entries);
        }
        setting.removed = setting.entries(wishes.removed)?;
        setting.asked = wishes.asked.map(|list| setting.entries(list)).transpose()?;
        let total = setting.items().count() + setting.removed.len() + setting.asked.iter().flatten().count();
        if total > MOST_ITEMS {
            bail!("{total} items are too many to draw; give at most {MOST_ITEMS}");
        }
        Ok(setting)
    }

    /// Items with commas between.
    fn entries(&self, list: &str) -> Result<Vec<Entry>> {
        let words = list.split(',').map(str::trim).filter(|word| !word.is_empty());
        words.map(|word| self.entry(word)).collect()
    }

    fn entry(&self, word: &str) -> Result<Entry> {
        let (name, amount) = match word.rsplit_once(':') {
            Some((name, amount)) if self.amounts != Amounts::None && amount.parse::<f64>().is_ok() => {
                (name.trim(), Some(amount.trim()))
            }
            _ => (word, None),
        };
        let (mut count, mut value) = (1, None);
        match (self.amounts, amount) {
            (Amounts::Counts, Some(amount)) => {
                count = amount.parse().ok().filter(|count| (1..=MOST_COUNT).contains(count)).ok_or_else(|| {
                    anyhow::anyhow!(
                        "'{}': expected a count from 1 to {MOST_COUNT} behind the colon, for example {}:3",
                        printable(word),
                        printable(name)
                    )
                })?;
            }
            (Amounts::Values, Some(amount)) => {
                value = amount.parse().ok().filter(|value: &f64| value.is_finite());
                if value.is_none() {
                    bail!("'{}': expected a number behind the colon, for example a:0.3", printable(word));
                }
            }
            _ => {}
        }
        let given = self.example.and_then(|example| example.given(name));
        let hash = given.and_then(|given| given.hash(self)).unwrap_or_else(|| self.spec.hash(name));
        Ok(Entry { name: printable(name), key: name.into(), hash, count, value, given })
    }

    /// A sentence about the kind that is drawn.
    pub(super) fn say(&self, key: &str, values: &[(&str, &dyn Value)]) -> String {
        self.words.say(key, values)
    }

    /// `3 × fig`, or the name alone.
    pub(super) fn times(&self, entry: &Entry) -> String {
        if entry.count > 1 {
            say!(self, "times", count = entry.count, item = entry.name)
        } else {
            entry.name.clone()
        }
    }

    /// All that is put in.
    pub(super) fn items(&self) -> impl Iterator<Item = &Entry> {
        self.lists.iter().flatten()
    }

    /// Whether this was put in, and not taken out as often.
    pub(super) fn is_inside(&self, entry: &Entry) -> bool {
        self.times_inside(entry) > 0
    }

    /// How often this was put in and not taken out.
    pub(super) fn times_inside(&self, entry: &Entry) -> u64 {
        let times = |entries: &mut dyn Iterator<Item = &Entry>| -> u64 {
            entries.filter(|other| other.is(entry)).map(|other| other.count).sum()
        };
        times(&mut self.items()).saturating_sub(times(&mut self.removed.iter()))
    }

    /// The queries. By default: the first item, and items that are not inside, one of them a false positive if any is.
    pub(super) fn queries(&self, answers_yes: impl Fn(&Entry) -> bool) -> Vec<Entry> {
        /// Among 200 items there is a false positive in all but the emptiest structures.
        const STRANGERS: u32 = 200;
        if let Some(asked) = &self.asked {
            return asked.clone();
        }
        let stranger = |number: u32| self.named(&format!("x{number}"));
        let strangers = || (1..STRANGERS).map(stranger).filter(|entry| !self.is_inside(entry));
        let [no, yes] = [false, true].map(|answer| strangers().find(|entry| answers_yes(entry) == answer));
        self.items().next().cloned().into_iter().chain(no).chain(yes).collect()
    }

    /// A new item, once.
    pub(super) fn named(&self, key: &str) -> Entry {
        let (name, hash) = (printable(key), self.spec.hash(key));
        Entry { name, key: key.into(), hash, count: 1, value: None, given: None }
    }

    /// What is asked, if anything is.
    pub(super) fn asked(&self) -> &[Entry] {
        self.asked.as_deref().unwrap_or_default()
    }

    /// The cells of an item, in the order of the functions.
    pub(super) fn positions(&self, entry: &Entry) -> Vec<u64> {
        positions(entry.hash, self.cells, self.hashes)
    }

    /// The number of a cell, as it is printed.
    pub(super) fn number(&self, position: u64) -> String {
        (position + self.first).to_string()
    }

    /// The numbers of some cells, each once.
    pub(super) fn numbers(&self, positions: &[u64]) -> Vec<String> {
        let mut numbers: Vec<String> = Vec::new();
        for number in positions.iter().map(|&position| self.number(position)) {
            if !numbers.contains(&number) {
                numbers.push(number);
            }
        }
        numbers
    }

    /// The numbers of all cells.
    pub(super) fn heads(&self) -> Vec<String> {
        (0..self.cells).map(|position| self.number(position)).collect()
    }

    /// `6, 11`
    pub(super) fn places(&self, entry: &Entry) -> String {
        let numbers: Vec<String> = self.positions(entry).into_iter().map(|it| self.number(it)).collect();
        numbers.join(", ")
    }

    /// The number of distinct items inside.
    pub(super) fn distinct(&self) -> usize {
        let mut keys: Vec<&str> =
            self.items().filter(|item| self.is_inside(item)).map(|item| item.key.as_str()).collect();
        keys.sort_unstable();
        keys.dedup();
        keys.len()
    }

    /// Who among the items has this cell, each once.
    pub(super) fn owners(&self, position: u64) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for item in self.items().filter(|item| self.positions(item).contains(&position)) {
            if !names.contains(&item.name.as_str()) && self.is_inside(item) {
                names.push(&item.name);
            }
        }
        names
    }

    /// `11 by Arthur Dent and 3 by Ford Prefect`
    pub(super) fn blame(&self, entry: &Entry) -> String {
        let mut positions = self.positions(entry);
        positions.dedup();
        let parts: Vec<String> = positions
            .iter()
            .map(|&position| {
                let owners = match self.owners(position) {
                    owners if owners.is_empty() => say!(self, "leavers"),
                    owners => self.words.list(&owners),
                };
                say!(self, "by", cell = self.number(position), owners = owners)
            })
            .collect();
        self.words.list(&parts)
    }
}

impl Entry {
    /// Whether it is the same item.
    pub(super) fn is(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

fn positions(hash: u64, cells: u64, hashes: u32) -> Vec<u64> {
    Probes::new(hash, cells).take(hashes as usize).collect()
}

impl Given {
    /// A hash with which the library does what was printed; where values are given, any will do.
    fn hash(&'static self, setting: &Setting) -> Option<u64> {
        Some(match self {
            Self::Positions(wanted) => {
                let wanted: Vec<u64> = wanted.iter().map(|position| position - setting.first).collect();
                hash_where(|hash| positions(hash, setting.cells, setting.hashes) == wanted)
            }
            Self::Bits(bits) => {
                let hash = bits
                    .chars()
                    .filter_map(|bit| bit.to_digit(2))
                    .fold(0, |hash, bit| hash << 1 | u64::from(bit));
                hash << (64 - bits.chars().filter(char::is_ascii_digit).count())
            }
            Self::Buckets(wanted) => {
                hash_where(|hash| super::cuckoo::place(setting, hash).buckets == *wanted)
            }
            Self::Fingerprint(quotient, remainder) => {
                hash_where(|hash| super::quotient::pair(setting, hash) == (*quotient, *remainder))
            }
            Self::Values(_) => return None,
        })
    }
}

/// The first of an endless sequence of hashes that will do. Examples ask for what one in thousands has.
fn hash_where(will_do: impl Fn(u64) -> bool) -> u64 {
    let mut random = Rng::new(0);
    std::iter::repeat_with(|| random.next_u64()).find(|&hash| will_do(hash)).unwrap_or_default()
}

/// A name without anything that a terminal or a picture would obey, and not too long.
pub(super) fn printable(name: &str) -> String {
    shorten(&shown(name.as_bytes()), NAME)
}
