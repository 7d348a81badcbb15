//! Registers on the wire: entropy-coded under the model of their estimator.
//!
//! With λ items per register, each value occurs independently with probability 1 − e^(−λP), where P is the same for the
//! four values of a group. So the first symbol of a register is its highest group with a value, and which of the four
//! occurred; five more symbols are the groups before it, as far as the window shows them. λ follows from the sum of the
//! largest values. It need not be the most likely one: an error of a few percent costs a few bits in all.
//!
//! The shares of the symbols are the same on every platform: they follow by additions, multiplications and divisions
//! from a whole number and eight constants.

use super::registers::{Registers, WINDOW_BITS, is_possible, largest_value};
use crate::bits::{Decoder, Encoder, Share};
use alloc::vec;
use alloc::vec::Vec;
use core::array;

/// Registers whose numbers are equal modulo 4 share a state.
const LANES: usize = 4;
/// Shares of the first symbol are in units of 2⁻¹⁸, of which each of up to 886 symbols has at least one.
const TOP_BITS: u32 = 18;
/// Shares of a group's 16 symbols are in units of 2⁻¹².
const GROUP_BITS: u32 = 12;
/// The number of different groups: λP is 32 to 64 in the first, where all values occur, and halves from group to group
/// to less than 2⁻¹³ in the last, where hardly any does. Groups outside have the shares of the first or the last.
const UNLIKE_GROUPS: usize = 20;
const FIRST_EXPONENT: i32 = 5;
/// A group whose values are all below 0: none counts as observed.
const BELOW_ZERO: usize = UNLIKE_GROUPS;
/// The group before the first one, whose last value is 0: it counts as observed, and none else.
const OF_ZERO: usize = UNLIKE_GROUPS + 1;
/// A power of two, so that the compiler sees that an index is in range.
const CONTEXTS: usize = (UNLIKE_GROUPS + 2).next_power_of_two();
/// The number of groups before a register's highest that its window reaches.
const REACH: usize = 5;
/// Groups are numbered from 10 on: the window of the first reaches five groups further, and an empty register has the
/// number 5, so that all groups before it are below zero.
const FIRST_GROUP: usize = 2 * REACH;
/// The lowest λ that a scale expresses is 2⁻⁸: scale 0. Eight steps double it.
const LEAST_EXPONENT: i32 = -8;
const STEPS: u32 = 8;
/// 2^(i/8).
const ROOTS: [f64; STEPS as usize] = [
    1.0,
    1.090_507_732_665_257_7,
    1.189_207_115_002_721,
    1.296_839_554_651_009_6,
    core::f64::consts::SQRT_2,
    1.542_210_825_407_940_7,
    1.681_792_830_507_429,
    1.834_008_086_409_342_4,
];
/// 256 times the mean of the largest value for λ from 2⁻⁸ to 2³; from there on it grows by 4 when λ doubles.
const MEANS: [u32; 12] = [6, 13, 26, 52, 102, 201, 389, 729, 1294, 2108, 3086, 4108];

/// Returns λ as a number of steps above its least value, from the sum of the largest values.
fn scale_of(sum: u64, precision: u8) -> u16 {
    let mean = (sum << 8 >> precision) as u32;
    let octave = MEANS.partition_point(|&least| least <= mean);
    let part = match (octave.checked_sub(1), MEANS.get(octave)) {
        (None, _) => return 0,
        (Some(before), Some(next)) => STEPS * (mean - MEANS[before]) / (next - MEANS[before]),
        (Some(last), None) => STEPS * (mean - MEANS[last]) / 1024,
    };
    (STEPS * (octave as u32 - 1) + part) as u16
}

/// Sets the bounds of symbols from the probability of a symbol below each bound, so that no share is empty.
fn set_bounds(bounds: &mut [u32], below: impl Fn(usize) -> f64, bits: u32) {
    let (all, symbols) = (1 << bits, bounds.len() - 1);
    let mut least = 0;
    for (i, bound) in bounds.iter_mut().enumerate() {
        let most = all - (symbols - i) as u32;
        *bound = if i == symbols { all } else { ((below(i) * f64::from(all)) as u32).clamp(least, most) };
        least = *bound + 1;
    }
}

/// The bounds of all shares at one λ and precision.
struct Model {
    /// Of the first symbol of a register: 0 if it is empty, otherwise 15g plus the bits of its highest group g.
    tops: Vec<u32>,
    /// Of the bits of a group, by its context.
    groups: [[u32; 17]; CONTEXTS],
    /// The context of each group.
    contexts: [u8; 128],
}

impl Model {
    fn new(scale: u16, precision: u8) -> Self {
        let groups_in_use = largest_value(precision.into()) as usize / 4;
        let [octave, step] = [u32::from(scale) / STEPS, u32::from(scale) % STEPS];
        // The group of the first context, which may be one before the first group.
        let first = octave as i32 + LEAST_EXPONENT - 3 - FIRST_EXPONENT;
        let context = |group: usize| (group as i32 - first).clamp(0, UNLIKE_GROUPS as i32 - 1) as usize;

        // The probability that the bits of a group are below a number, from e^x − 1 at the last of the unlike groups
        // on. In each group before it, x is twice as large.
        let x = ROOTS[step as usize] / f64::from(1u32 << (UNLIKE_GROUPS as i32 - 1 - FIRST_EXPONENT));
        let mut grown = x + x * x / 2.0 + x * x * x / 6.0;
        let mut below = [[0.0; 17]; UNLIKE_GROUPS];
        for below in below.iter_mut().rev() {
            let absent = 1.0 / (1.0 + grown);
            let came = 1.0 - absent;
            let two = [absent * absent, came * absent, came * absent, came * came];
            for bits in 0..16 {
                below[bits + 1] = below[bits] + two[bits % 4] * two[bits / 4];
            }
            grown *= grown + 2.0;
        }

        let mut groups = [[1 << GROUP_BITS; 17]; CONTEXTS];
        for (bounds, below) in groups.iter_mut().zip(&below) {
            set_bounds(bounds, |bits| below[bits], GROUP_BITS);
        }
        groups[BELOW_ZERO][0] = 0;
        groups[OF_ZERO][..=8].fill(0);

        let mut tops = vec![0; 15 * groups_in_use + 2];
        let below_top = |top: usize| match top.checked_sub(1) {
            None => 0.0,
            // All later groups together have as many items as this one: they are empty as often.
            Some(place) => {
                let below = &below[context(place / 15)];
                below[1] * below[place % 15 + 1]
            }
        };
        set_bounds(&mut tops, below_top, TOP_BITS);

        let contexts = array::from_fn(|number| match number.checked_sub(FIRST_GROUP) {
            Some(group) => context(group) as u8,
            None if number + 1 == FIRST_GROUP => OF_ZERO as u8,
            None => BELOW_ZERO as u8,
        });
        Self { tops, groups, contexts }
    }

    /// Returns the context of the group that is `back` groups before the group with this number.
    #[inline]
    fn context(&self, number: usize, back: usize) -> usize {
        usize::from(self.contexts[(number - back) % 128]) % CONTEXTS
    }
}

/// Returns the code of registers, with the scale in front.
pub(super) fn encode(registers: &Registers, precision: u8) -> Vec<u8> {
    let scale = scale_of(registers.sum_of_largest(), precision);
    let model = Model::new(scale, precision);
    let tops: Vec<Share> = model.tops.windows(2).map(|pair| Share::new(pair[0], pair[1] - pair[0])).collect();
    // Of the bits of a group, by how many of them the window hides.
    let shares = model.groups.map(|bounds| {
        array::from_fn::<[Share; 16], 4, _>(|hidden| {
            array::from_fn(|bits| {
                let (start, end) = (bounds[bits], bounds[(bits + (1 << hidden)).min(16)]);
                Share::new(start, (end - start).max(1))
            })
        })
    });
    let mut fours = registers.fours().rev();
    let mut encoder = Encoder::<LANES>::new(fours.next().unwrap_or_default());
    for states in fours {
        let values = states.map(|state| state >> WINDOW_BITS);
        // Which of the four values of its group the largest is.
        let places = values.map(|value| value.wrapping_sub(1) % 4);
        let numbers =
            values.map(|value| if value == 0 { REACH } else { FIRST_GROUP + (value as usize - 1) / 4 });
        // The window, so that every group is four bits from a multiple of four.
        let windows: [u32; LANES] =
            array::from_fn(|lane| (states[lane] & ((1 << WINDOW_BITS) - 1)) << places[lane]);
        for back in (1..=REACH).rev() {
            for lane in (0..LANES).rev() {
                let hidden = if back == REACH { places[lane] as usize } else { 0 };
                let bits = windows[lane] >> (4 * (REACH - back)) & 15;
                let share = shares[model.context(numbers[lane], back)][hidden][bits as usize];
                encoder.put(lane, share, GROUP_BITS);
            }
        }
        for lane in (0..LANES).rev() {
            let bits = 1 << places[lane] | windows[lane] >> (4 * REACH);
            let top = if values[lane] == 0 { 0 } else { 15 * (numbers[lane] - FIRST_GROUP) + bits as usize };
            encoder.put(lane, tops[top], TOP_BITS);
        }
    }
    let mut code = Vec::from(scale.to_le_bytes());
    code.extend(encoder.finish());
    code
}

/// The symbols of equally long parts of all places: each is the one of the first place of its part.
struct Index<const PARTS: usize> {
    symbols: [u16; PARTS],
}

impl<const PARTS: usize> Index<PARTS> {
    fn new(bounds: &[u32], bits: u32) -> Self {
        let part_of = |bound: u32| bound.div_ceil(1 << (bits - PARTS.ilog2())) as usize;
        let mut symbols = [0; PARTS];
        for (symbol, pair) in bounds.windows(2).enumerate() {
            symbols[part_of(pair[0])..part_of(pair[1])].fill(symbol as u16);
        }
        Self { symbols }
    }

    /// Returns the symbol of a place.
    #[inline]
    fn symbol(&self, place: u32, bounds: &[u32], bits: u32) -> usize {
        let mut symbol = usize::from(self.symbols[(place >> (bits - PARTS.ilog2())) as usize % PARTS]);
        while bounds[symbol + 1] <= place {
            symbol += 1;
        }
        symbol
    }
}

/// Reads registers from their code, and returns them with the rest of the input after the code. Returns `None` if the
/// input does not start with the code of registers.
pub(super) fn decode(input: &[u8], precision: u8) -> Option<(Registers, &[u8])> {
    let (scale, code) = input.split_first_chunk()?;
    let scale = u16::from_le_bytes(*scale);
    let mut decoder = Decoder::<LANES>::new(code)?;
    let model = Model::new(scale, precision);
    let top_index = Index::<4096>::new(&model.tops, TOP_BITS);
    let indexes: [Index<1024>; CONTEXTS] =
        array::from_fn(|context| Index::new(&model.groups[context], GROUP_BITS));
    let mut registers = Registers::empty(precision);
    let last = (1usize << precision) / LANES - 1;
    for i in 0..last {
        let tops: [usize; LANES] = array::from_fn(|lane| {
            let top = top_index.symbol(decoder.place(lane, TOP_BITS), &model.tops, TOP_BITS);
            decoder.skip(lane, model.tops[top], model.tops[top + 1] - model.tops[top], TOP_BITS);
            top
        });
        let numbers = tops.map(|top| if top == 0 { REACH } else { FIRST_GROUP + (top - 1) / 15 });
        let own = tops.map(|top| if top == 0 { 1 } else { (top as u32 - 1) % 15 + 1 });
        let places = own.map(u32::ilog2);
        let mut windows: [u32; LANES] = array::from_fn(|lane| own[lane] ^ 1 << places[lane]);
        for back in 1..=REACH {
            for lane in 0..LANES {
                let context = model.context(numbers[lane], back);
                let bounds = &model.groups[context];
                let hidden = if back == REACH { places[lane] } else { 0 };
                let bits = indexes[context].symbol(decoder.place(lane, GROUP_BITS), bounds, GROUP_BITS);
                let bits = bits >> hidden << hidden;
                decoder.skip(lane, bounds[bits], bounds[bits + (1 << hidden)] - bounds[bits], GROUP_BITS);
                windows[lane] = windows[lane] << 4 | bits as u32;
            }
        }
        let states = array::from_fn(|lane| {
            if tops[lane] == 0 {
                return 0;
            }
            let largest = 4 * (numbers[lane] - FIRST_GROUP) as u32 + places[lane] + 1;
            largest << WINDOW_BITS | windows[lane] >> places[lane]
        });
        registers.set_four(i, states);
    }
    let (states, len) = decoder.finish()?;
    registers.set_four(last, states);
    let is_valid = states.iter().all(|&state| is_possible(state, precision.into()))
        && scale == scale_of(registers.sum_of_largest(), precision);
    is_valid.then_some((registers, &code[len..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use libm::{exp2, expm1, log2};

    #[test]
    fn constants_are_the_formulas() {
        for (i, root) in ROOTS.into_iter().enumerate() {
            assert!((root - exp2(i as f64 / 8.0)).abs() < 1e-15, "{i}");
        }
        // The mean of a whole number is the sum of its chances of being at least 1, 2, …: value 4g + 1 + r and
        // all beyond have the probability (8 − r)/2^(3 + g).
        let mean = |load: f64| -> f64 {
            let items = |place: i32| load * f64::from(8 - place % 4) * exp2(f64::from(-3 - place / 4));
            (0..200).map(|place| -expm1(-items(place))).sum()
        };
        for (i, rounded) in MEANS.into_iter().enumerate() {
            assert!((256.0 * mean(exp2(i as f64 - 8.0)) - f64::from(rounded)).abs() <= 0.5, "{i}");
        }
        for step in -7 * 8..30 * 8 {
            let load = exp2(f64::from(step) / 8.0);
            let scale = scale_of((f64::from(1 << 18) * mean(load)) as u64, 18);
            // Within two of the eight steps of an octave, as the mean is interpolated between octaves.
            assert!((f64::from(scale) / 8.0 - 8.0 - log2(load)).abs() <= 0.25, "{load} {scale}");
        }
    }

    #[test]
    fn every_symbol_has_a_share() {
        for precision in [4, 11, 18] {
            for scale in (0..600).chain([5000, u16::MAX]) {
                let model = Model::new(scale, precision);
                assert_eq!((model.tops[0], *model.tops.last().unwrap()), (0, 1 << TOP_BITS));
                assert!(model.tops.is_sorted_by(|a, b| a < b), "{scale}");
                for bounds in &model.groups[..UNLIKE_GROUPS] {
                    assert_eq!((bounds[0], bounds[16]), (0, 1 << GROUP_BITS));
                    assert!(bounds.is_sorted_by(|a, b| a < b), "{scale}");
                }
            }
        }
    }
}
