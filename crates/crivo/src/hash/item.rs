//! The trait of items of a stream, and their canonical bytes (`docs/FORMAT.md`, "Items").

use super::{Domain, HashSpec};
use crate::each_type::each_type;
use alloc::string::String;
use alloc::vec::Vec;

/// A value that can be an item of a stream.
///
/// Items are hashed from canonical bytes, never through `std::hash::Hash`, so that every platform, version
/// and language computes the same hash. Text and bytes are the same item if their bytes are equal.
/// Non-negative integers of any width are the same item if their values are equal (`1u8 == 1i64`), and so are
/// negative ones. Floats are widened to `f64`; −0 equals 0, and there is one NaN. `bool`, `char`, tuples and
/// options are never equal to items of other types.
/// A slice, array or vector is the tuple of its elements, but `[u8]` is bytes. A pointer (`&T`, `Box`, `Rc`, `Arc`, `Cow`) is the
/// item that it points to, and a `NonZero` number is the number. An `IpAddr` is its octets, as bytes; for a UUID, insert
/// `uuid.as_bytes()`. A `Duration` and a `SystemTime` (since 1970) are the tuple of seconds and nanoseconds.
///
/// To implement the trait for your own type, derive it (feature `derive`): a struct hashes as the tuple of its fields, in their order,
/// a struct with one unnamed field as that field, and a variant of an enum as the tuple of the variant's name and its fields.
/// Renaming a field changes nothing; reordering fields and renaming variants do, and sketches from before no longer match.
///
#[cfg_attr(feature = "derive", doc = "```")]
#[cfg_attr(not(feature = "derive"), doc = "```ignore")]
/// use crivo::{HyperLogLog, Item};
/// #[derive(Item)]
/// struct Visit { user: u64, page: String }
/// let mut seen = HyperLogLog::for_precision(12)?;
/// seen.insert(&Visit { user: 7, page: "/".into() });
/// assert!(!seen.insert(&(7, "/"))); // the tuple of the fields is the same item
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// Or write it by hand:
///
/// ```
/// use crivo::{HashSpec, Item};
/// struct Visit { user: u64, page: String }
/// impl Item for Visit {
///     fn hash_item(&self, spec: &HashSpec) -> u64 {
///         (self.user, &self.page).hash_item(spec)
///     }
/// }
/// ```
pub trait Item {
    /// Returns the item's 64-bit hash under `spec`.
    fn hash_item(&self, spec: &HashSpec) -> u64;

    /// Returns the hash of a sequence of such items: as a tuple, but a sequence of `u8` hashes as bytes.
    #[doc(hidden)]
    fn hash_sequence(items: &[Self], spec: &HashSpec) -> u64
    where
        Self: Sized,
    {
        let hashes: Vec<u8> = items.iter().flat_map(|item| item.hash_item(spec).to_le_bytes()).collect();
        spec.framed(Domain::Tuple, &hashes)
    }
}

each_type!(Text in str, String => {
    impl Item for Text {
        #[inline]
        fn hash_item(&self, spec: &HashSpec) -> u64 {
            spec.hash_bytes(self.as_ref())
        }
    }
});

impl<T: Item> Item for [T] {
    #[inline]
    fn hash_item(&self, spec: &HashSpec) -> u64 {
        T::hash_sequence(self, spec)
    }
}

impl<T: Item, const N: usize> Item for [T; N] {
    #[inline]
    fn hash_item(&self, spec: &HashSpec) -> u64 {
        T::hash_sequence(self, spec)
    }
}

impl<T: Item> Item for Vec<T> {
    #[inline]
    fn hash_item(&self, spec: &HashSpec) -> u64 {
        T::hash_sequence(self, spec)
    }
}

impl Item for u8 {
    #[inline]
    fn hash_item(&self, spec: &HashSpec) -> u64 {
        spec.unsigned(u64::from(*self))
    }

    #[inline]
    fn hash_sequence(items: &[Self], spec: &HashSpec) -> u64 {
        spec.hash_bytes(items)
    }
}

each_type!(Unsigned in u16, u32, u64, usize => {
    impl Item for Unsigned {
        #[inline]
        fn hash_item(&self, spec: &HashSpec) -> u64 {
            spec.unsigned(*self as u64)
        }
    }
});

each_type!(Signed in i8, i16, i32, i64, isize => {
    impl Item for Signed {
        #[inline]
        fn hash_item(&self, spec: &HashSpec) -> u64 {
            if *self >= 0 {
                spec.unsigned(*self as u64)
            } else {
                spec.word(Domain::Negative, *self as i64 as u64)
            }
        }
    }
});

impl Item for u128 {
    fn hash_item(&self, spec: &HashSpec) -> u64 {
        match u64::try_from(*self) {
            Ok(narrow) => spec.unsigned(narrow),
            Err(_) => spec.framed(Domain::Wide, &self.to_le_bytes()),
        }
    }
}

impl Item for i128 {
    fn hash_item(&self, spec: &HashSpec) -> u64 {
        if let Ok(unsigned) = u128::try_from(*self) {
            unsigned.hash_item(spec)
        } else if let Ok(narrow) = i64::try_from(*self) {
            narrow.hash_item(spec)
        } else {
            spec.framed(Domain::WideNegative, &self.to_le_bytes())
        }
    }
}

impl Item for f64 {
    #[inline]
    fn hash_item(&self, spec: &HashSpec) -> u64 {
        let bits = if self.is_nan() {
            0x7ff8_0000_0000_0000
        } else if *self == 0.0 {
            0
        } else {
            self.to_bits()
        };
        spec.word(Domain::Float, bits)
    }
}

impl Item for f32 {
    #[inline]
    fn hash_item(&self, spec: &HashSpec) -> u64 {
        f64::from(*self).hash_item(spec)
    }
}

impl Item for bool {
    fn hash_item(&self, spec: &HashSpec) -> u64 {
        spec.word(Domain::Bool, u64::from(*self))
    }
}

impl Item for char {
    fn hash_item(&self, spec: &HashSpec) -> u64 {
        spec.word(Domain::Char, u64::from(*self))
    }
}

impl<T: Item> Item for Option<T> {
    fn hash_item(&self, spec: &HashSpec) -> u64 {
        match self {
            None => spec.framed(Domain::Option, &[]),
            Some(item) => spec.framed(Domain::Option, &item.hash_item(spec).to_le_bytes()),
        }
    }
}

/// Hashes the fields of a tuple, or of a type that derives [`Item`]: eight bytes per field, so that ("ab", "c") and ("a", "bc")
/// are distinct items.
#[doc(hidden)]
#[inline]
pub fn hash_fields<const N: usize>(spec: &HashSpec, fields: [&dyn Item; N]) -> u64 {
    let hashes = fields.map(|field| field.hash_item(spec).to_le_bytes());
    spec.framed(Domain::Tuple, hashes.as_flattened())
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::borrow::Cow;
    use alloc::collections::BTreeSet;
    use alloc::vec;

    fn specs() -> [HashSpec; 2] {
        [HashSpec::default(), HashSpec::keyed([3; 16])]
    }

    #[test]
    fn equal_bytes_and_equal_numbers_are_equal_items() {
        for spec in specs() {
            let text = spec.hash("abc");
            assert_eq!(text, spec.hash(&String::from("abc")));
            assert_eq!(text, spec.hash(&vec![b'a', b'b', b'c']));
            assert_eq!(text, spec.hash(b"abc"));
            assert_eq!(text, spec.hash(&Cow::Borrowed("abc")));
            let seven = spec.hash(&7u64);
            assert_eq!(seven, spec.hash(&7u8));
            assert_eq!(seven, spec.hash(&7i8));
            assert_eq!(seven, spec.hash(&7usize));
            assert_eq!(seven, spec.hash(&7i128));
            assert_eq!(spec.hash(&-7i8), spec.hash(&-7i128));
            assert_eq!(spec.hash(&0.0f64), spec.hash(&-0.0f32));
            assert_eq!(spec.hash(&f64::NAN), spec.hash(&-f32::NAN));
        }
    }

    #[test]
    fn unlike_items_have_unlike_hashes() {
        for spec in specs() {
            let hashes = [
                spec.hash(&1u8),
                spec.hash(&-1i8),
                spec.hash(&u64::MAX),
                spec.hash(&1.0f64),
                spec.hash(&true),
                spec.hash(&'\u{1}'),
                spec.hash(&[1u8]),
                spec.hash(&1u64.to_le_bytes()),
                spec.hash(&(1u8,)),
                spec.hash(&Some(1u8)),
                spec.hash(&None::<u8>),
                spec.hash(""),
                spec.hash(&u128::MAX),
                spec.hash(&i128::MIN),
                spec.hash(&("ab", "c")),
                spec.hash(&("a", "bc")),
                spec.hash(&(1u8, 2u8)),
                spec.hash(&(2u8, 1u8)),
                spec.hash(&(1u8, 2u8, 3u8)),
                spec.hash(&(1u8, 2u8, 3u8, 4u8)),
            ];
            assert_eq!(hashes.iter().collect::<BTreeSet<_>>().len(), hashes.len());
        }
    }
}
