//! Which value has it?
//!
//! A filter says whether an item is there; these structures also say what was kept with it.

mod answer;
mod filter;
mod linear_bloom;
mod params;
mod table;
pub mod theory;
mod value;

pub use answer::{ValueAnswer, Verdict};
pub use linear_bloom::LinearBloom;
pub use params::LinearBloomParams;
pub use value::{Cell, CellValue};
