//! The least value of a function without derivatives.

/// Where `function` is least near `start`, by the simplex method of Nelder and Mead (The Computer Journal 7, 1965).
///
/// `steps` says how far to look at first along each axis. A search is begun anew where the last one ended, with a
/// tenth of its steps, until that gains nothing: a simplex that has gone flat stops too early. What is not a number
/// counts as infinite.
pub(crate) fn minimise<const N: usize>(
    start: [f64; N],
    steps: [f64; N],
    function: impl Fn(&[f64; N]) -> f64,
) -> [f64; N] {
    let value = |point: &[f64; N]| {
        let value = function(point);
        if value.is_nan() { f64::INFINITY } else { value }
    };
    let (mut best, mut steps) = ((value(&start), start), steps);
    for _ in 0..RESTARTS {
        let found = descend(best, steps, &value);
        let gained = best.0 - found.0;
        best = found;
        // Infinite less infinite is not a number: nothing was gained.
        if gained.is_nan() || gained <= PRECISION {
            break;
        }
        steps = steps.map(|step| step / 10.0);
    }
    best.1
}

const RESTARTS: u32 = 8;
const MOVES: u32 = 1_000;
/// Function values nearer than this are equal.
const PRECISION: f64 = 1e-10;

fn descend<const N: usize>(
    start: (f64, [f64; N]),
    steps: [f64; N],
    value: &impl Fn(&[f64; N]) -> f64,
) -> (f64, [f64; N]) {
    let mut simplex = vec![start];
    for axis in 0..N {
        let mut corner = start.1;
        corner[axis] += steps[axis];
        simplex.push((value(&corner), corner));
    }
    for _ in 0..MOVES {
        simplex.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (best, next_worst, worst) = (simplex[0], simplex[N - 1], simplex[N]);
        if worst.0 - best.0 <= PRECISION {
            break;
        }
        let centre: [f64; N] = std::array::from_fn(|axis| {
            simplex[..N].iter().map(|corner| corner.1[axis]).sum::<f64>() / N as f64
        });
        // The worst corner seen from the centre: −1 reflects it, −2 goes on, ±½ stays near.
        let at = |factor: f64| {
            let corner = std::array::from_fn(|axis| centre[axis] + factor * (worst.1[axis] - centre[axis]));
            (value(&corner), corner)
        };
        let reflected = at(-1.0);
        let moved = if reflected.0 < best.0 {
            let further = at(-2.0);
            if further.0 < reflected.0 { further } else { reflected }
        } else if reflected.0 < next_worst.0 {
            reflected
        } else {
            let nearer = at(if reflected.0 < worst.0 { -0.5 } else { 0.5 });
            if nearer.0 < worst.0.min(reflected.0) { nearer } else { worst }
        };
        if moved.0 < worst.0 {
            simplex[N] = moved;
            continue;
        }
        for corner in &mut simplex[1..] {
            let half = std::array::from_fn(|axis| f64::midpoint(corner.1[axis], best.1[axis]));
            *corner = (value(&half), half);
        }
    }
    simplex.into_iter().min_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rosenbrock's valley, whose least value is 0 at (1, 1).
    #[test]
    fn a_curved_valley() {
        let valley = |&[x, y]: &[f64; 2]| {
            let (across, along) = (y - x * x, 1.0 - x);
            100.0 * across * across + along * along
        };
        let found = minimise([-1.2, 1.0], [0.5, 0.5], valley);
        assert!(found.iter().all(|x| (x - 1.0).abs() < 1e-5), "{found:?}");
    }

    #[test]
    fn what_is_no_number_is_avoided() {
        let root = |&[x]: &[f64; 1]| libm::sqrt(x) + 1.0 / x;
        let [found] = minimise([5.0], [-4.0], root);
        assert!((found - libm::cbrt(4.0)).abs() < 1e-5, "{found}");
        assert_eq!(minimise([2.0], [1.0], |_| f64::NAN), [2.0]);
    }
}
