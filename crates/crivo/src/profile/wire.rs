//! The file format of a [`TableProfile`] (`docs/FORMAT.md`).

use super::classify::{ColumnType, classify};
use super::column_profile::ColumnProfile;
use super::params::ProfileParams;
use super::table_profile::{TableProfile, check_rows};
use super::value_summaries::{Lengths, Line, Placed, Rest, SAMPLE, Sampled, Sums};
use super::value_table::{Counted, MOST_KEPT, ValueTable};
use crate::cardinality::K;
use crate::codec::{self, DecodeOptions, Reader, put_u64_varint};
use crate::kind::Kind;
use crate::sketch::{Core, Fact, Payload, shell};
use crate::stats::exact_sum::ExactSum;
use crate::{Element, Error, HashSpec, KMinValues, Kll, LogQuantiles, Number, QuantileEstimate, Result};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// The fewest bytes of a counted value: its length, a byte, its count. Only one text has no bytes.
const LEAST_ENTRY: usize = 3;

shell!(TableProfile: hashes, sized(ProfileParams), merges, for_target(ProfileParams::for_error(error: f64)));

impl Core for TableProfile {
    const KIND: Kind = Kind::TableProfile;

    fn heap_bytes(&self) -> usize {
        let outside = |(name, column): &(String, ColumnProfile)| {
            name.capacity() + column.memory_bytes() - size_of::<ColumnProfile>()
        };
        self.columns.capacity() * size_of::<(String, ColumnProfile)>()
            + self.columns.iter().map(outside).sum::<usize>()
    }

    fn heap_bound(&self) -> Option<usize> {
        None
    }

    fn write(&self, payload: &mut Vec<u8>) {
        put_u64_varint(payload, self.rows());
        for (name, column) in self.columns() {
            put_framed(payload, name.as_bytes());
            let mut bytes = Vec::new();
            put_column(&mut bytes, column);
            put_framed(payload, &bytes);
        }
    }

    fn read(params: ProfileParams, file: &mut Payload<'_>) -> Result<Self> {
        let rows = file.bytes.u64_varint()?;
        let (mut columns, mut memory) = (Vec::new(), size_of::<Self>());
        file.check_memory(memory as u64)?;
        while !file.bytes.rest().is_empty() {
            let name = core::str::from_utf8(file.bytes.framed()?).map_err(|_| malformed())?;
            let mut column = Reader::new(file.bytes.framed()?);
            let column = read_column(&mut column, rows, params, file.spec, &file.options)?;
            memory += name.len() + size_of::<String>() + column.memory_bytes();
            file.check_memory(memory as u64)?;
            columns.push((String::from(name), column));
        }
        columns.shrink_to_fit();
        Self::from_columns(params, file.spec, rows, columns).map_err(|_| malformed())
    }

    fn state(&self) -> Vec<Fact> {
        vec![
            Fact::count("rows", self.rows),
            Fact::count("columns", self.columns.len() as u64),
            Fact::count("counters", self.params.counters().into()),
            Fact::count("kept_hashes", self.params.kept().into()),
            Fact::number("rank_error", self.params.rank_error()),
        ]
        .into_iter()
        .chain(self.params.relative_error().map(|error| Fact::number("relative_error", error)))
        .collect()
    }

    fn absorb(&mut self, other: &Self) -> Result<()> {
        check_rows(self.rows, other.rows)?;
        let (ours, theirs) = (self.by_name(), other.by_name());
        let mut columns = self.columns.clone();
        for (name, column) in &mut columns {
            match theirs.get(name.as_str()) {
                Some(same) => column.merge(same)?,
                None => column.add_missing(other.rows),
            }
        }
        for (name, new) in other.columns.iter().filter(|(name, _)| !ours.contains_key(name.as_str())) {
            let mut column = new.clone();
            column.add_missing(self.rows);
            columns.push((name.clone(), column));
        }
        self.rows += other.rows;
        self.columns = columns;
        Ok(())
    }
}

fn malformed() -> Error {
    Error::malformed("the file is corrupt: the numbers and texts of the profile contradict each other")
}

fn put_framed(out: &mut Vec<u8>, bytes: &[u8]) {
    put_u64_varint(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

/// Writes the number of values, the floor, the counted values in the order of arrival, and the summaries of the others.
fn put_column(out: &mut Vec<u8>, column: &ColumnProfile) {
    out.extend_from_slice(&column.values().to_le_bytes());
    out.extend_from_slice(&column.table.floor().to_le_bytes());
    put_u64_varint(out, column.table.len() as u64);
    for value in column.table.iter() {
        put_u64_varint(out, value.length.into());
        out.extend_from_slice(value.text);
        if value.is_truncated() {
            out.extend_from_slice(&value.hash.to_le_bytes());
        }
        put_u64_varint(out, value.seen);
        if column.table.floor() > 0 {
            put_u64_varint(out, value.missed);
        }
    }
    if let Some(rest) = &column.rest {
        put_rest(out, rest);
    }
}

fn read_column(
    reader: &mut Reader<'_>,
    rows: u64,
    params: ProfileParams,
    spec: HashSpec,
    options: &DecodeOptions,
) -> Result<ColumnProfile> {
    let (values, floor) = (reader.u64()?, reader.u64()?);
    let mut column = ColumnProfile::empty(params, spec);
    column.rows = rows;
    column.missing = rows.checked_sub(values).ok_or_else(malformed)?;
    let count = reader.u64_varint()?;
    if count > params.counters().into() || count > (reader.rest().len() / LEAST_ENTRY) as u64 + 1 {
        return Err(malformed());
    }
    codec::check_memory(ValueTable::bytes_for(count as usize) as u64, options)?;
    column.table = ValueTable::with_room(params.counters() as usize, count as usize, floor);
    // This is the second invariant of `value_table/`.
    let mut excess = u128::from(floor) * u128::from(params.counters() / 2);
    let mut seen = 0u64;
    for _ in 0..count {
        let value = read_counted(reader, floor, &spec)?;
        seen = seen.checked_add(value.seen).ok_or_else(malformed)?;
        excess += u128::from(value.upper() - floor);
        if column.table.get(&value).is_some() {
            return Err(malformed());
        }
        column.table.push(value);
    }
    if floor > 0 {
        let rest = read_rest(reader, params, spec, options)?;
        let others =
            rest.classes.iter().try_fold(0u64, |sum, &count| sum.checked_add(count)).ok_or_else(malformed)?;
        seen = seen.checked_add(others).filter(|_| others > 0).ok_or_else(malformed)?;
        column.rest = Some(Box::new(rest));
    }
    reader.finish()?;
    if seen == values && excess <= values.into() { Ok(column) } else { Err(malformed()) }
}

fn read_counted<'a>(reader: &mut Reader<'a>, floor: u64, spec: &HashSpec) -> Result<Counted<'a>> {
    let length = reader.u32_varint()?;
    let text = reader.bytes((length as usize).min(MOST_KEPT))?;
    let is_truncated = length as usize > MOST_KEPT;
    let hash = if is_truncated { reader.u64()? } else { spec.hash_bytes(text) };
    let seen = reader.u64_varint()?;
    let missed = if floor > 0 { reader.u64_varint()? } else { 0 };
    let value = Counted { hash, seen, missed, text, length };
    if missed <= floor && value.upper() > floor { Ok(value) } else { Err(malformed()) }
}

fn put_rest(out: &mut Vec<u8>, rest: &Rest) {
    for count in rest.classes {
        put_u64_varint(out, count);
    }
    out.extend_from_slice(&rest.lengths.least.to_le_bytes());
    out.extend_from_slice(&rest.lengths.most.to_le_bytes());
    out.extend_from_slice(&rest.lengths.sum.to_le_bytes());
    out.extend_from_slice(&rest.fingerprint.to_le_bytes());
    let is_special = rest.infinite > 0 || rest.nans > 0;
    let flags = [rest.repeats, is_special, rest.has_variants, rest.has_zones];
    out.push(flags.iter().rev().fold(0, |byte, &flag| byte << 1 | u8::from(flag)));
    if is_special {
        put_u64_varint(out, rest.infinite);
        put_u64_varint(out, rest.nans);
    }
    if let Some((first, last)) = &rest.texts {
        put_framed(out, first);
        put_framed(out, last);
    }
    put_u64_varint(out, rest.sample.len() as u64);
    for one in &rest.sample {
        out.extend_from_slice(&one.rank.to_le_bytes());
        put_framed(out, &one.text);
    }
    for line in [&rest.numbers, &rest.times] {
        let bytes = line.ranks.to_f64().map_or_else(|| line.ranks.to_bytes(), |ranks| ranks.to_bytes());
        put_framed(out, &bytes);
        if let Some((least, greatest)) = &line.ends {
            put_framed(out, &least.text);
            put_framed(out, &greatest.text);
        }
    }
    if let Some(sums) = &rest.sums {
        put_sum(out, &sums.numbers);
        put_sum(out, &sums.squares);
        if let Some(values) = &rest.values {
            let mut bytes = Vec::new();
            Core::write(values, &mut bytes);
            put_framed(out, &bytes);
        }
    }
    Core::write(&rest.kept, out);
}

fn read_rest(
    reader: &mut Reader<'_>,
    params: ProfileParams,
    spec: HashSpec,
    options: &DecodeOptions,
) -> Result<Rest> {
    let mut rest = Rest::none(params, spec);
    for count in &mut rest.classes {
        *count = reader.u64_varint()?;
    }
    rest.lengths =
        Lengths { least: reader.u32()?, most: reader.u32()?, sum: u128::from_le_bytes(reader.array()?) };
    rest.fingerprint = u128::from_le_bytes(reader.array()?);
    let flags = reader.u8()?;
    (rest.repeats, rest.has_variants, rest.has_zones) = (flags & 1 > 0, flags & 4 > 0, flags & 8 > 0);
    if flags & 2 == 2 {
        (rest.infinite, rest.nans) = (reader.u64_varint()?, reader.u64_varint()?);
    }
    let [_, integers, floats, dates, timestamps, _] = rest.classes;
    if flags > 15
        || (flags & 2 == 2) != (rest.infinite > 0 || rest.nans > 0)
        || rest.has_variants && integers == 0 && dates == 0
        || rest.has_zones && timestamps == 0
    {
        return Err(malformed());
    }
    rest.texts = Some((read_text(reader)?, read_text(reader)?)).filter(|(first, last)| first <= last);
    rest.sample = read_sample(reader)?;
    let ranked = floats.checked_sub(rest.nans).ok_or_else(malformed)?;
    rest.numbers = read_line(reader, &rest.numbers, [integers, ranked], ColumnType::is_number, options)?;
    rest.times = read_line(reader, &rest.times, [dates, timestamps], ColumnType::is_time, options)?;
    if let Some((least, greatest)) = &rest.numbers.ends {
        let sums = Sums { numbers: read_sum(reader)?, squares: read_sum(reader)? };
        let ends = [least.position.number, greatest.position.number];
        let are_infinite = ends.iter().any(|end| end.to_f64().is_infinite());
        let finite = rest.numbers.ranks.total().checked_sub(rest.infinite).ok_or_else(malformed)?;
        if are_infinite != (rest.infinite > 0) || !are_sums_between(&sums, ends, finite) {
            return Err(malformed());
        }
        rest.sums = Some(Box::new(sums));
        if let Some(size) = params.values_kept() {
            let file = Payload::new(spec, Reader::new(&[]), options);
            let values: LogQuantiles = file.inner(size, reader.framed()?, 0)?;
            if values.total() != finite || !has_ends(&values, ends) {
                return Err(malformed());
            }
            rest.values = Some(values);
        }
    } else if rest.infinite > 0 {
        return Err(malformed());
    }
    let kept = K::new(params.kept())?;
    rest.kept = KMinValues::read(kept, &mut Payload::new(spec, Reader::new(reader.take_rest()), options))?;
    let is_sound = rest.texts.is_some() && rest.lengths.least <= rest.lengths.most && !rest.kept.is_empty();
    if is_sound { Ok(rest) } else { Err(malformed()) }
}

/// Returns whether the least and the greatest value may be these numbers, unless infinite numbers hide them.
fn has_ends(values: &LogQuantiles, ends: [Number; 2]) -> bool {
    ends.into_iter().map(Number::to_f64).zip([0.0, 1.0]).all(|(end, q)| {
        let may_be = |it: QuantileEstimate<f64>| *it.lower() <= end && end <= *it.upper();
        end.is_infinite() || values.quantile(q).is_ok_and(may_be)
    })
}

fn read_text(reader: &mut Reader<'_>) -> Result<Vec<u8>> {
    let text = reader.framed()?;
    if text.len() <= MOST_KEPT { Ok(text.to_vec()) } else { Err(malformed()) }
}

fn read_sample(reader: &mut Reader<'_>) -> Result<Vec<Sampled>> {
    let count = reader.u64_varint()?;
    if count > SAMPLE as u64 {
        return Err(malformed());
    }
    let sample =
        reader.entries(count, |reader| Ok(Sampled { rank: reader.u64()?, text: read_text(reader)? }))?;
    if sample.is_sorted_by(|one, next| one < next) { Ok(sample) } else { Err(malformed()) }
}

/// Reads numbers or times, of which there are this many in two classes.
fn read_line(
    reader: &mut Reader<'_>,
    empty: &Line,
    counts: [u64; 2],
    is_class: fn(ColumnType) -> bool,
    options: &DecodeOptions,
) -> Result<Line> {
    let ranks = read_ranks(reader.framed()?, options)?;
    let count = counts[0].checked_add(counts[1]).ok_or_else(malformed)?;
    if (ranks.k(), ranks.seed(), ranks.total()) != (empty.ranks.k(), empty.ranks.seed(), count) {
        return Err(malformed());
    }
    if count == 0 {
        return if ranks == empty.ranks { Ok(empty.clone()) } else { Err(malformed()) };
    }
    let [least, greatest] = [read_placed(reader, is_class)?, read_placed(reader, is_class)?];
    if least.position.order(&greatest.position).is_gt() {
        return Err(malformed());
    }
    Ok(Line { ranks, ends: Some((least, greatest)) })
}

/// Reads ranks; numbers that are all `f64` are written as such.
fn read_ranks(bytes: &[u8], options: &DecodeOptions) -> Result<Kll<Number>> {
    if codec::element_tag(bytes)? == f64::TAG {
        return Ok(Kll::from(&Kll::<f64>::from_bytes_with(bytes, options)?));
    }
    let ranks = Kll::<Number>::from_bytes_with(bytes, options)?;
    if ranks.to_f64().is_none() { Ok(ranks) } else { Err(malformed()) }
}

fn read_placed(reader: &mut Reader<'_>, is_class: fn(ColumnType) -> bool) -> Result<Placed> {
    let text = read_text(reader)?;
    match classify(&text) {
        (class, Some(position)) if is_class(class) => Ok(Placed { position, text }),
        _ => Err(malformed()),
    }
}

fn put_sum(out: &mut Vec<u8>, sum: &ExactSum) {
    let (negative, lowest, digits) = sum.to_parts();
    out.push(u8::from(negative));
    out.push(lowest as u8);
    out.push(digits.len() as u8);
    for digit in digits {
        out.extend_from_slice(&digit.to_le_bytes());
    }
}

fn read_sum(reader: &mut Reader<'_>) -> Result<ExactSum> {
    let (negative, lowest, count) = (reader.u8()?, reader.u8()?, reader.u8()?);
    let digits = reader.entries(count.into(), Reader::u32)?;
    let sum = ExactSum::from_parts(negative == 1, lowest.into(), &digits);
    sum.filter(|_| negative <= 1).ok_or_else(malformed)
}

/// Returns whether this many finite numbers between two ends can have these sums, as far as each of the two shows.
/// Other sums could overflow where deviations are computed.
fn are_sums_between(sums: &Sums, ends: [Number; 2], count: u64) -> bool {
    let none = ExactSum::new();
    let finite = |end: Number| {
        if end.to_f64().is_finite() { end } else { Number::from(end.to_f64().clamp(f64::MIN, f64::MAX)) }
    };
    let (mut low, mut high, mut most) = (none.clone(), none.clone(), none.clone());
    let [least, greatest] = ends.map(finite);
    low.add(least, count);
    high.add(greatest, count);
    for end in [least, greatest] {
        let mut square = none.clone();
        square.add_square(end, count);
        if most.is_at_most(&square) {
            most = square;
        }
    }
    let is_between =
        |low: &ExactSum, sum: &ExactSum, high: &ExactSum| low.is_at_most(sum) && sum.is_at_most(high);
    is_between(&low, &sums.numbers, &high) && is_between(&none, &sums.squares, &most)
}
