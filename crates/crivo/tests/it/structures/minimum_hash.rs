use super::*;
use crivo::baseline::MinimumHash;

impl Subject for MinimumHash {
    verbs!(insert, estimate);

    fn scale(&self) -> usize {
        self.cells() as usize
    }

    fn exact_up_to(&self) -> usize {
        0
    }

    /// It has no operation of its own: inserts a hash at either end of the range.
    fn peculiar(&mut self, rng: &mut Rng) {
        self.insert_hash(if rng.below(2) == 0 { 0 } else { u64::MAX });
    }
}

pub(crate) fn make(cells: u32) -> impl Fn(HashSpec) -> MinimumHash {
    move |spec| MinimumHash::for_cells(cells).unwrap().with_hash(spec)
}

#[test]
fn files() {
    check("one-cell", &filled(make(1)(HashSpec::default()), 100));
    check("many-cells", &filled(make(1024)(HashSpec::default()), 1000));
    let mut ends = make(16)(HashSpec::default());
    ends.insert_hashes(&[0, 1 << 60, 1 << 63 | 1, u64::MAX]);
    check("ends", &ends);
}
