//! Filters that return a value for each item.
//!
//! A membership filter reports whether an item was inserted; these structures also return the value that was stored
//! with it.

mod answer;
mod bloomier_filter;
mod cell_table;
mod decaying_bloom;
mod fading;
mod filter;
mod linear_bloom;
mod params;
mod quantised_bloom;
mod scale;
pub mod theory;
mod value;

pub use answer::{ValueAnswer, Verdict};
pub use bloomier_filter::{BloomierFilter, BloomierParams};
pub use decaying_bloom::DecayingBloom;
pub use fading::Fading;
pub use linear_bloom::LinearBloom;
pub use params::LinearBloomParams;
pub use quantised_bloom::QuantisedBloom;
#[doc(hidden)]
pub use scale::Level;
pub use scale::{Scale, Spacing};
pub use value::CellValue;
