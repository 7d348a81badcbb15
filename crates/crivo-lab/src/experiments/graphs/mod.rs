//! What the founding documents lack: one measurement of every structure of graphs.

mod blooms;
mod kmers;
mod labelled;
mod labels;
mod numbered;

pub(super) use blooms::*;
pub(super) use kmers::*;
pub(super) use labelled::*;
pub(super) use numbered::*;

use crivo::rng::Rng;

/// The numbers 0 to n − 1 in a random order.
fn shuffled(n: u64, rng: &mut Rng) -> Vec<u32> {
    let mut order: Vec<u32> = (0..n as u32).collect();
    for last in (1..order.len()).rev() {
        order.swap(last, rng.below(last as u64 + 1) as usize);
    }
    order
}

#[cfg(test)]
mod tests;
