//! Tables of counts that may be negative.

use super::*;
use crivo::CountSketch;
use crivo::frequency::{CountSketchParams, SignedCountMin, SignedCountMinParams};

macro_rules! signed_table {
    ($make:ident, $table:ident, $params:ident) => {
        impl Subject for $table {
            verbs!(add, frequency);

            fn scale(&self) -> usize {
                self.params().width() as usize
            }

            fn peculiar(&mut self, rng: &mut Rng) {
                let count = rng.next_u64() as i64 >> rng.below(64);
                unless_full(self.add_hash(rng.next_u64(), count));
            }
        }

        pub(crate) fn $make(width: u64, depth: u32) -> impl Fn(HashSpec) -> $table {
            move |spec| $table::with_params($params::exact(width, depth).unwrap()).with_hash(spec)
        }
    };
}
signed_table!(signed_count_min, SignedCountMin, SignedCountMinParams);
signed_table!(count_sketch, CountSketch, CountSketchParams);

#[test]
fn files() {
    macro_rules! check_table {
        ($table:expr) => {
            let mut table = filled($table(HashSpec::default()), 200);
            table.add("taken", -1_000_000).unwrap();
            table.add("item 1", -5).unwrap();
            check("taken", &table);
            table.add("much", i64::MAX - table.volume() as i64).unwrap();
            check("full", &table);
        };
    }
    check_table!(signed_count_min(50, 5));
    check_table!(count_sketch(50, 7));
}
