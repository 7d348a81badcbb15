//! Items through `core::hash::Hash`: see [`ByHash`].

use super::{Domain, HashSpec, Item};
use alloc::vec::Vec;
use core::hash::{Hash, Hasher};

/// Makes an [`Item`] of any value that implements [`core::hash::Hash`], **for sketches that stay inside one process**.
///
/// `Hash` promises nothing beyond the running program: how a type hashes differs between platforms (byte order, width of
/// `usize`), compilers and versions of the crate that defines the type. A sketch filled through `ByHash` must therefore not be
/// saved, sent, or merged with a sketch of another build. Nothing can check this, because a sketch does not know how its
/// items were hashed. Where sketches travel, implement [`Item`], by hand or with `#[derive(Item)]`.
///
/// ```
/// use crivo::{HyperLogLog, hash::ByHash};
/// use std::collections::BTreeSet;
/// let mut baskets = HyperLogLog::for_precision(12)?;
/// for basket in [BTreeSet::from(["tea", "milk"]), BTreeSet::from(["milk", "tea"]), BTreeSet::from(["tea"])] {
///     baskets.insert(&ByHash(&basket));
/// }
/// assert_eq!(baskets.estimate().value(), 2.0);
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// A keyed [`HashSpec`] protects such items as it does all others: the value writes its bytes, and the spec hashes them.
#[derive(Clone, Copy, Debug)]
pub struct ByHash<T>(pub T);

impl<T: Hash> Item for ByHash<T> {
    fn hash_item(&self, spec: &HashSpec) -> u64 {
        let mut written = Written(Vec::new());
        self.0.hash(&mut written);
        spec.framed(Domain::ByHash, &written.0)
    }
}

/// Collects what a value writes, instead of hashing it piece by piece: the spec hashes whole byte strings.
struct Written(Vec<u8>);

impl Hasher for Written {
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    /// Never called: only [`ByHash`] makes a `Written`, and it takes the bytes.
    fn finish(&self) -> u64 {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_are_equal_items() {
        for spec in [HashSpec::default(), HashSpec::keyed([1; 16])] {
            assert_eq!(spec.hash(&ByHash("a")), spec.hash(&ByHash(alloc::string::String::from("a"))));
            assert_eq!(spec.hash(&ByHash(&(1, 'x'))), spec.hash(&ByHash((1, 'x'))));
            assert_ne!(spec.hash(&ByHash(("ab", "c"))), spec.hash(&ByHash(("a", "bc"))));
            assert_ne!(spec.hash(&ByHash("a")), spec.hash("a"));
        }
    }
}
