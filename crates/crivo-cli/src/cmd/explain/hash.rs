//! What hash functions make of texts: the classical ones, one with a key, and many positions from one hash.

use super::drawing::{Cell, Drawing, Grid, Mark, Step, Verdict};
use super::setting::{Entry, Setting};
use super::words::{Fixed, Percent, Value, say};
use anyhow::Result;
use crivo::HashSpec;
use crivo::hash::classic::{
    CarterWegman, djb31ma, forge_djb31ma, java_string, murmur3_32, one_at_a_time, sha1,
};
use crivo::rng::Rng;
use std::f64::consts::LN_2;

/// The texts whose Java hash is drawn byte by byte, and the bytes of each; tables have all.
const WALKS: usize = 3;
const WALKED_BYTES: usize = 12;
/// Random functions of the universal family: those that are drawn, and those in which collisions are counted.
const DRAWN_FUNCTIONS: u64 = 4;
const FUNCTIONS: u64 = 1000;

pub(super) fn draw(setting: &Setting) -> Result<Drawing> {
    let mut texts: Vec<Entry> = Vec::new();
    for item in setting.items() {
        add(&mut texts, item.clone());
    }
    let mut steps: Vec<Step> = texts.iter().take(WALKS).map(|text| walk(setting, text)).collect();
    if let Some(original) = texts.first().cloned() {
        for start in setting.asked() {
            let forged = forge(setting, &original, start);
            steps.push(forged.1);
            add(&mut texts, forged.0);
        }
    }
    steps.extend(classical(setting, &texts));
    steps.push(keyed(setting, &texts));
    steps.push(universal(setting, &texts)?);
    steps.push(positions(setting, &texts));
    steps.push(avalanche(setting, &texts));
    let (cells, hashes) = (setting.cells as f64, f64::from(setting.hashes));
    // The least number of items of which two have the same of 2^bits values with probability 1/2.
    let birthday = |bits: i32| (2.0 * LN_2 * 2f64.powi(bits)).sqrt();
    let mut results =
        vec![say!(setting, "birthday", short = Fixed(birthday(32), 0), long = Fixed(birthday(64) / 1e9, 2))];
    if setting.cells > 1 {
        results.push(say!(
            setting,
            "independent",
            cells = setting.cells,
            positions = (64.0 / cells.log2()) as u64
        ));
        results.push(say!(
            setting,
            "lines",
            cells = setting.cells,
            k = setting.hashes,
            lines = cells.powi(2),
            all = cells.powf(hashes)
        ));
    }
    Ok(Drawing::new(setting, say!(setting, "title", texts = texts.len()), steps, results))
}

/// A text that is there already is not drawn again.
fn add(texts: &mut Vec<Entry>, text: Entry) {
    if !texts.iter().any(|other| other.is(&text)) {
        texts.push(text);
    }
}

/// As a column's head: a letter if it can be printed.
fn letter(byte: u8) -> String {
    if byte.is_ascii_graphic() { char::from(byte).into() } else { format!("{byte:02x}") }
}

/// Java's function, byte by byte.
fn walk(setting: &Setting, text: &Entry) -> Step {
    let bytes = text.key.as_bytes();
    let drawn = &bytes[..bytes.len().min(WALKED_BYTES)];
    let values = (1..=drawn.len()).map(|end| java_string(&drawn[..end]));
    let grid = Grid::new(drawn.iter().map(|&byte| letter(byte)))
        .row(say!(setting, "byte"), drawn.iter().map(Cell::plain).collect())
        .row("31h + b", values.map(|value| Cell::new(value, Mark::Changed)).collect());
    let value = java_string(bytes);
    let heading = say!(setting, "walk", item = text.name, value = value.to_string());
    let more = bytes.len() - drawn.len();
    let remark = match more {
        0 => say!(setting, "walked"),
        _ => say!(setting, "walked-on", more = more),
    };
    Step::new(heading, grid, remark)
}

/// A text with another beginning and the value of the first one, and how it is found.
fn forge(setting: &Setting, original: &Entry, start: &Entry) -> (Entry, Step) {
    let seed = setting.seed as u32;
    let value = djb31ma(original.key.as_bytes(), seed);
    let forged = forge_djb31ma(start.key.as_bytes(), seed, value);
    let digits = &forged[start.key.len()..];
    let blank = vec![b'@'; digits.len()];
    let blank = djb31ma(&blank, djb31ma(start.key.as_bytes(), seed));
    let cells =
        |cell: fn(u8) -> String| digits.iter().map(|&it| Cell::new(cell(it), Mark::Changed)).collect();
    let powers = (0..digits.len()).rev().map(|power| format!("31^{power}"));
    let grid = Grid::new(powers)
        .row(say!(setting, "digit"), cells(|byte| (byte - b'@').to_string()))
        .row(say!(setting, "letter"), cells(letter));
    let text = setting.named(&String::from_utf8_lossy(&forged));
    let heading = say!(setting, "forge", start = start.name, item = original.name);
    let remark = say!(
        setting,
        "forged",
        seed = seed.to_string(),
        value = value.to_string(),
        blank = blank.to_string(),
        missing = value.wrapping_sub(blank).to_string(),
        forged = text.name
    );
    (text, Step::new(heading, grid, remark).judged(Verdict::Wrong))
}

/// The functions without a key.
fn classical(setting: &Setting, texts: &[Entry]) -> Vec<Step> {
    let seed = setting.seed as u32;
    let seeds = [0, seed, seed.wrapping_add(1)];
    let heads = |seeds: &[u32]| -> Vec<String> {
        seeds.iter().map(|seed| say!(setting, "seed", seed = seed.to_string())).collect()
    };
    let words = (1..=5u32).map(|word| say!(setting, "word", number = word)).collect();
    let word = |text: &[u8], place: usize| {
        let hash = sha1(text);
        format!("{:08x}", u32::from_be_bytes(hash.as_chunks().0[place]))
    };
    vec![
        table(setting, texts, ("djb", "djb-how"), heads(&seeds), |text, place| {
            djb31ma(text, seeds[place]).to_string()
        }),
        table(setting, texts, ("jenkins", "jenkins-how"), vec![say!(setting, "value")], |text, _| {
            format!("{:08x}", one_at_a_time(text))
        }),
        table(setting, texts, ("murmur", "murmur-how"), heads(&seeds[..2]), |text, place| {
            format!("{:08x}", murmur3_32(text, seeds[place]))
        }),
        table(setting, texts, ("sha", "sha-how"), words, word),
    ]
}

/// `SipHash` under the key of its authors' test vectors, and under a random one.
fn keyed(setting: &Setting, texts: &[Entry]) -> Step {
    let mut random = Rng::new(setting.seed);
    let keys = [std::array::from_fn(|place| place as u8), std::array::from_fn(|_| random.below(256) as u8)];
    // The 64 bits are two words, as those of SHA-1 are five.
    let heads = [1u32, 2].into_iter().flat_map(|key| [say!(setting, "key", number = key), String::new()]);
    table(setting, texts, ("sip", "sip-how"), heads.collect(), |text, place| {
        let hash = HashSpec::keyed(keys[place / 2]).hash_bytes(text);
        format!("{:08x}", if place % 2 == 0 { hash >> 32 } else { hash & u64::from(u32::MAX) })
    })
}

/// A row for each text and a column for each variant of a function, with the number of pairs that collide below.
fn table(
    setting: &Setting,
    texts: &[Entry],
    (heading, how): (&str, &str),
    heads: Vec<String>,
    value: impl Fn(&[u8], usize) -> String,
) -> Step {
    let rows: Vec<Vec<String>> = texts
        .iter()
        .map(|text| (0..heads.len()).map(|place| value(text.key.as_bytes(), place)).collect())
        .collect();
    let (grid, collisions) = with_collisions(setting, texts, Grid::new(heads), &rows);
    let verdict = if collisions > 0 { Verdict::Wrong } else { Verdict::None };
    Step::new(setting.say(heading, &[]), grid, setting.say(how, &[])).judged(verdict)
}

/// The grid with all rows, cells marked that distinct texts share in a column, and the pairs that share one.
fn with_collisions(setting: &Setting, texts: &[Entry], grid: Grid, rows: &[Vec<String>]) -> (Grid, usize) {
    let equal = |row: usize, place: usize| {
        rows.iter()
            .enumerate()
            .filter(|(other, cells)| *other != row && cells[place] == rows[row][place])
            .count()
    };
    let columns = grid.heads.len();
    let mut grid = Grid { corner: say!(setting, "text"), ..grid };
    for (row, text) in texts.iter().enumerate() {
        let mark = |place| if equal(row, place) > 0 { Mark::Decides } else { Mark::Plain };
        let cells = rows[row].iter().enumerate().map(|(place, value)| Cell::new(value, mark(place)));
        grid = grid.row(&*text.name, cells.collect());
    }
    let pairs: Vec<usize> =
        (0..columns).map(|place| (0..texts.len()).map(|row| equal(row, place)).sum::<usize>() / 2).collect();
    let total = pairs.iter().sum();
    (grid.row(say!(setting, "pairs"), pairs.into_iter().map(Cell::plain).collect()), total)
}

/// Random functions of Carter and Wegman's family.
fn universal(setting: &Setting, texts: &[Entry]) -> Result<Step> {
    let function = |number: u64| CarterWegman::new(setting.seed.wrapping_add(number), setting.cells);
    let drawn = (0..DRAWN_FUNCTIONS).map(function).collect::<crivo::Result<Vec<_>>>()?;
    let rows: Vec<Vec<String>> =
        texts.iter().map(|text| drawn.iter().map(|it| it.hash(text.hash).to_string()).collect()).collect();
    let heads = Grid::new((1..=DRAWN_FUNCTIONS).map(|number| format!("h{number}")));
    let (grid, _) = with_collisions(setting, texts, heads, &rows);
    let mut remark = say!(setting, "universal-how", cells = setting.cells);
    if let [one, other, ..] = texts {
        let mut collisions = 0u64;
        for number in 0..FUNCTIONS {
            let function = function(number)?;
            collisions += u64::from(function.hash(one.hash) == function.hash(other.hash));
        }
        remark = remark
            + " "
            + &say!(
                setting,
                "universal-found",
                one = one.name,
                other = other.name,
                collisions = collisions,
                functions = FUNCTIONS,
                cells = setting.cells,
                share = Percent(1.0 / setting.cells as f64)
            );
    }
    Ok(Step::new(say!(setting, "universal", cells = setting.cells), grid, remark))
}

/// The positions that a filter takes from one hash.
fn positions(setting: &Setting, texts: &[Entry]) -> Step {
    let k = setting.hashes;
    let heads = std::iter::once(say!(setting, "fraction")).chain((1..=k).map(|number| number.to_string()));
    let mut grid = Grid { corner: say!(setting, "text"), ..Grid::new(heads) };
    for text in texts {
        let fraction = Fixed(text.hash as f64 / 2f64.powi(64), 3).text(setting.words);
        let places = setting.positions(text).into_iter().map(|it| Cell::new(it, Mark::Changed));
        grid = grid.row(&*text.name, std::iter::once(Cell::plain(fraction)).chain(places).collect());
    }
    let remark = match setting.cells % 2 {
        1 => say!(setting, "digits", cells = setting.cells),
        _ => say!(setting, "multiplied", cells = setting.cells),
    };
    Step::new(say!(setting, "positions", k = k, cells = setting.cells), grid, remark)
}

/// How much of each hash changes with one bit of the text, on average over its bits.
fn avalanche(setting: &Setting, texts: &[Entry]) -> Step {
    /// A function, as its bits.
    type Function = fn(&[u8]) -> Vec<u8>;
    let functions: [(&str, Function); 5] = [
        ("Java", |text| java_string(text).to_le_bytes().into()),
        ("one-at-a-time", |text| one_at_a_time(text).to_le_bytes().into()),
        ("Murmur3", |text| murmur3_32(text, 0).to_le_bytes().into()),
        ("SHA-1", |text| sha1(text).into()),
        ("SipHash", |text| HashSpec::keyed([0; 16]).hash_bytes(text).to_le_bytes().into()),
    ];
    let mut grid = Grid { corner: say!(setting, "text"), ..Grid::new(functions.map(|(name, _)| name)) };
    for text in texts {
        let share = |(_, function): (&str, Function)| {
            let share = changed_share(text.key.as_bytes(), function);
            Cell::plain(Percent(share).text(setting.words))
        };
        grid = grid.row(&*text.name, functions.map(share).into());
    }
    Step::new(say!(setting, "avalanche"), grid, say!(setting, "half"))
}

/// The mean share of the bits of a hash that change with one bit of a text.
fn changed_share(text: &[u8], function: fn(&[u8]) -> Vec<u8>) -> f64 {
    let hash = function(text);
    let mut other = text.to_vec();
    let mut changed = 0;
    for bit in 0..8 * text.len() {
        other[bit / 8] ^= 1 << (bit % 8);
        changed += hash.iter().zip(function(&other)).map(|(a, b)| (a ^ b).count_ones()).sum::<u32>();
        other[bit / 8] ^= 1 << (bit % 8);
    }
    f64::from(changed) / (8 * hash.len() * 8 * text.len()) as f64
}
