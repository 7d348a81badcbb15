//! How often? Tables of counters that never say too little.

mod count_min;

pub use count_min::{CountMin, CountMinParams};
