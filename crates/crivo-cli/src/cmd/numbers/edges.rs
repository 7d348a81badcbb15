//! Where the bins of `crivo histogram` begin and end.

use crivo::Number;

/// From here on not every whole number is a double.
const SPARSE: f64 = 9_007_199_254_740_992.0;
/// The most bins with round edges.
const MOST: u32 = 20;

/// Both as whole numbers, if they are, and one of them is so large that doubles are not fine enough.
fn large(min: Number, max: Number) -> Option<(i128, i128)> {
    let is_large = min.to_f64().abs().max(max.to_f64().abs()) >= SPARSE;
    min.to_integer().zip(max.to_integer()).filter(|_| is_large)
}

/// Returns the edges of this many bins of one width.
pub(super) fn equal_edges(min: Number, max: Number, bins: u32) -> Vec<Number> {
    if min == max {
        return vec![min, max];
    }
    let edge = |bin: u32| {
        if let Some((min, max)) = large(min, max) {
            // A part of a bin may be no whole number: edges are rounded down. The product of all could overflow.
            let (bin, bins) = (i128::from(bin), i128::from(bins));
            let (whole, rest) = ((max - min) / bins, (max - min) % bins);
            return Number::from(min + whole * bin + rest * bin / bins);
        }
        let width = (max.to_f64() - min.to_f64()) / f64::from(bins);
        Number::from(min.to_f64() + f64::from(bin) * width)
    };
    (0..bins).map(edge).take_while(|&edge| edge < max).chain([max]).collect()
}

/// Multiples of a round width, 1, 2 or 5 times a power of ten, so that there are some 8 to 20 bins.
pub(super) fn round_edges(min: Number, max: Number) -> Vec<Number> {
    if min == max {
        return vec![min, max];
    }
    if let Some((min, max)) = large(min, max) {
        let widths = (0..).flat_map(|power| [1, 2, 5].map(|factor| factor * 10i128.pow(power)));
        let Some(width) = widths.take(100).find(|width| (max - min) / width < MOST.into()) else {
            return vec![min.into(), max.into()];
        };
        let (first, last) = (min.div_euclid(width), -(-max).div_euclid(width));
        return (first..=last).map(|edge| Number::from(edge * width)).collect();
    }
    round_doubles(min.to_f64(), max.to_f64()).into_iter().map(Number::from).collect()
}

fn round_doubles(min: f64, max: f64) -> Vec<f64> {
    let least = (max - min) / f64::from(MOST);
    let power = least.log10().floor();
    // Read from its digits, a power of ten is the nearest double.
    let scale = format!("1e{}", power.abs()).parse().unwrap_or(f64::INFINITY);
    // A power of ten below 1 is no double: dividing by its inverse, which is one, gives the nearest multiples.
    let times = |number: f64| if power < 0.0 { number / scale } else { number * scale };
    let factor = [1.0, 2.0, 5.0].into_iter().find(|&factor| times(factor) >= least).unwrap_or(10.0);
    let width = times(factor);
    if width < f64::MIN_POSITIVE {
        return vec![min, max];
    }
    let (mut first, mut last) = ((min / width).floor(), (max / width).ceil());
    // The quotients are rounded.
    if times(factor * first) > min {
        first -= 1.0;
    }
    if times(factor * last) < max {
        last += 1.0;
    }
    if !width.is_normal() || last - first > 4.0 * f64::from(MOST) {
        return vec![f64::INFINITY];
    }
    (0..=(last - first) as u32).map(|bin| times(factor * (first + f64::from(bin)))).collect()
}

/// The edges in as many digits as a person compares, or as many as distinguish them.
pub(super) fn labels(edges: &[Number]) -> Vec<String> {
    let rounded = |digits: usize| -> Vec<String> {
        let shown = |edge: &Number| {
            let rounded = format!("{:.digits$e}", edge.to_f64()).parse().unwrap_or(edge.to_f64());
            Number::from(rounded).to_string()
        };
        edges.iter().map(shown).collect()
    };
    let are_apart =
        |labels: &Vec<String>| edges.len() < 3 || labels.windows(2).all(|pair| pair[0] != pair[1]);
    (5..17)
        .map(rounded)
        .find(are_apart)
        .filter(|_| edges.iter().all(|edge| *edge == edge.to_f64()))
        .unwrap_or_else(|| edges.iter().map(Number::to_string).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doubles(edges: &[Number]) -> Vec<f64> {
        edges.iter().map(|edge| edge.to_f64()).collect()
    }

    #[test]
    fn edges_are_round_and_hold_all() {
        let round = |min: f64, max: f64| doubles(&round_edges(min.into(), max.into()));
        assert_eq!(round(0.0, 100.0), (0..=20).map(|i| f64::from(i) * 5.0).collect::<Vec<_>>());
        assert_eq!(round(3.0, 3.0), [3.0, 3.0]);
        let edges = round(0.05, 1.07);
        assert_eq!((edges[0], edges[3]), (0.0, 0.3), "no 0.30000000000000004: {edges:?}");
        let mut rng = crivo::rng::Rng::new(6);
        for _ in 0..1000 {
            let [a, b] = [(); 2].map(|()| f64::from_bits(rng.next_u64() % (2046 << 52)));
            let (min, max) = (-a, b);
            let edges = round(min, max);
            if edges.iter().all(|edge| edge.is_finite()) {
                assert!(edges[0] <= min && max <= edges[edges.len() - 1], "{min} {max} {edges:?}");
                assert!((2..=24).contains(&edges.len()) && edges.is_sorted(), "{min} {max} {edges:?}");
            }
        }
    }

    #[test]
    fn edges_of_large_whole_numbers_are_whole() {
        let mut rng = crivo::rng::Rng::new(7);
        for _ in 0..1000 {
            let min = (1i128 << 53) + i128::from(rng.next_u64() >> rng.below(64));
            let max = min + 1 + i128::from(rng.next_u64() >> rng.below(64));
            for sign in [1, -1] {
                let (min, max) = (min.min(max) * sign, max * sign);
                let (min, max) = (Number::from(min.min(max)), Number::from(min.max(max)));
                for edges in [round_edges(min, max), equal_edges(min, max, 7)] {
                    assert!(
                        edges.len() <= 23 && edges[0] <= min && max <= edges[edges.len() - 1],
                        "{edges:?}"
                    );
                    assert!(edges.iter().all(|edge| edge.to_integer().is_some()), "{edges:?}");
                }
            }
        }
    }

    #[test]
    fn labels_tell_edges_apart() {
        let edges = |numbers: &[i128]| numbers.iter().map(|&it| Number::from(it)).collect::<Vec<_>>();
        assert_eq!(labels(&edges(&[0, 50_000_000, 100_000_000])), ["0", "50000000", "100000000"]);
        let large = [1i128 << 60, (1 << 60) + 1, (1 << 60) + 2];
        assert_eq!(labels(&edges(&large)), large.map(|it| it.to_string()));
        assert_eq!(labels(&[0.1, 0.200_000_000_000_000_04].map(Number::from)), ["0.1", "0.2"]);
        let near = [1.0, 1.000_000_000_1, 1.000_000_000_2].map(Number::from);
        assert_eq!(labels(&near), ["1", "1.0000000001", "1.0000000002"]);
    }
}
