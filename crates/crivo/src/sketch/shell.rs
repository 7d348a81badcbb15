//! The shell of every structure: the common methods, derived from what it implements itself
//! ([`Core`](super::Core)).

/// Declares the common methods of a structure from its [`Core`] and from the parts that are named; each part
/// is described below. The methods are inherent, so that users need no trait imports.
macro_rules! shell {
    ($name:ident: $($part:ident $(($($how:tt)*))?),*) => {
        crate::sketch::shell!(impl[] $name, $name: $($part $(($($how)*))?),*);
    };
    // For type parameters: `impl[T: Element] Sketch<T>, Sketch: …`.
    (impl $generics:tt $type:ty, $name:ident: $($part:ident $(($($how:tt)*))?),*) => {
        crate::sketch::shell!(@face $generics $type);
        crate::sketch::shell!(@shown $generics $type, $name);
        $(crate::sketch::shell!(@$part $generics $type $(, $($how)*)?);)*
    };
    (@face [$($generics:tt)*] $type:ty) => {
        impl<$($generics)*> $type {
            /// Returns the memory in bytes, including the struct itself.
            pub fn memory_bytes(&self) -> usize {
                crate::sketch::Sketch::memory_bytes(self)
            }

            /// Returns the most memory in bytes that it can take, whatever is inserted; `None` if that grows
            /// with the input or with the size of elements.
            pub fn memory_bound(&self) -> Option<usize> {
                crate::sketch::Sketch::memory_bound(self)
            }

            /// Returns the canonical bytes (`docs/FORMAT.md`): equal sketches have equal bytes.
            pub fn to_bytes(&self) -> alloc::vec::Vec<u8> {
                crate::sketch::Sketch::to_bytes(self)
            }

            /// Decodes [`to_bytes`](Self::to_bytes).
            ///
            /// # Errors
            /// `Malformed` for corrupt bytes, `Unsupported` for a newer format or a keyed sketch.
            pub fn from_bytes(bytes: &[u8]) -> crate::Result<Self> {
                Self::from_bytes_with(bytes, &crate::DecodeOptions::default())
            }

            /// Decodes with a key, or within a memory limit.
            ///
            /// # Errors
            /// The errors of [`from_bytes`](Self::from_bytes), and `Incompatible` if the key is not the one
            /// of the sketch.
            pub fn from_bytes_with(bytes: &[u8], options: &crate::DecodeOptions) -> crate::Result<Self> {
                crate::sketch::Sketch::from_bytes_with(bytes, options)
            }

            /// Writes [`to_bytes`](Self::to_bytes) (feature `std`).
            ///
            /// # Errors
            /// The errors of the writer.
            #[cfg(feature = "std")]
            pub fn to_writer(&self, mut writer: impl std::io::Write) -> std::io::Result<()> {
                writer.write_all(&self.to_bytes())
            }

            /// Reads what [`to_writer`](Self::to_writer) wrote, to the end of the reader (feature `std`).
            ///
            /// # Errors
            /// The errors of the reader; `InvalidData` with the error of [`from_bytes`](Self::from_bytes) inside.
            #[cfg(feature = "std")]
            pub fn from_reader(mut reader: impl std::io::Read) -> std::io::Result<Self> {
                let mut bytes = alloc::vec::Vec::new();
                reader.read_to_end(&mut bytes)?;
                let invalid = |error| std::io::Error::new(std::io::ErrorKind::InvalidData, error);
                Self::from_bytes(&bytes).map_err(invalid)
            }
        }

        #[cfg(feature = "serde")]
        impl<$($generics)*> serde::Serialize for $type {
            fn serialize<To: serde::Serializer>(&self, serializer: To) -> Result<To::Ok, To::Error> {
                crate::serialized::serialize(&self.to_bytes(), serializer)
            }
        }

        #[cfg(feature = "serde")]
        impl<'de, $($generics)*> serde::Deserialize<'de> for $type {
            fn deserialize<From: serde::Deserializer<'de>>(deserializer: From) -> Result<Self, From::Error> {
                crate::serialized::deserialize(deserializer, Self::from_bytes)
            }
        }
    };
    // The structure hashes items, with its field `spec`.
    (@hashes [$($generics:tt)*] $type:ty) => {
        crate::sketch::shell!(@hashes_by [$($generics)*] $type, self => &self.spec);
    };
    // The structure does not hash.
    (@hashes_nothing [$($generics:tt)*] $type:ty) => {
        impl<$($generics)*> crate::sketch::Hashing for $type {
            const HASHES: bool = false;

            fn spec(&self) -> Option<&crate::HashSpec> {
                None
            }
        }
    };
    // The structure has params, its field `params`.
    (@sized [$($generics:tt)*] $type:ty, $params:ty) => {
        crate::sketch::shell!(@kept [$($generics)*] $type, $params);

        impl<$($generics)*> $type {
            /// Returns the parameters.
            pub fn params(&self) -> $params {
                self.params.clone()
            }
        }
    };
    // The structure has params, all of which make a valid sketch, and starts empty (`Empty`).
    (@empty [$($generics:tt)*] $type:ty, $params:ty) => {
        crate::sketch::shell!(@kept [$($generics)*] $type, $params);
        crate::sketch::shell!(@made [$($generics)*] $type, $params);
    };
    // The structure starts empty (`Empty`).
    (@starts [$($generics:tt)*] $type:ty) => {
        impl<$($generics)*> $type {
            /// Returns an empty sketch of the same size with a custom hash. Call it before inserting
            /// anything: the contents are not kept.
            #[must_use]
            pub fn with_hash(self, spec: crate::HashSpec) -> Self {
                crate::sketch::Empty::empty(crate::sketch::OfSize::params(&self), spec)
            }
        }

        crate::sketch::shell!(@clears [$($generics)*] $type);
    };
    // The structure merges, with its `absorb`.
    (@merges [$($generics:tt)*] $type:ty) => {
        impl<$($generics)*> $type {
            /// Merges another sketch: `self` becomes the sketch of both streams.
            ///
            /// # Errors
            /// `Incompatible` if parameters or hash differ, `Full` if there is no room for both; `self` is
            /// unchanged after an error.
            pub fn merge(&mut self, other: &Self) -> crate::Result<()> {
                crate::sketch::merge(self, other)
            }
        }
    };
    // The structure is a set, with `insert_hash` and `insert_hashes`.
    (@set [$($generics:tt)*] $type:ty) => {
        impl<$($generics)*> crate::sketch::Insert for $type {
            fn try_insert_hash(&mut self, hash: u64) -> crate::Result<bool> {
                Ok(self.insert_hash(hash))
            }

            fn try_insert_hashes(&mut self, hashes: &[u64]) -> crate::Result<()> {
                self.insert_hashes(hashes);
                Ok(())
            }
        }

        impl<Each: crate::Item, $($generics)*> Extend<Each> for $type {
            fn extend<I: IntoIterator<Item = Each>>(&mut self, items: I) {
                crate::hash::for_each_block(*self.hash_spec(), items, |hashes| self.insert_hashes(hashes));
            }
        }
    };
    // Threads can fill parts of it, because it merges exactly: of `Empty` and `merges`. Hashes are taken in by `$fill`.
    (@parallel [$($generics:tt)*] $type:ty, $fill:expr) => {
        #[cfg(feature = "rayon")]
        impl<Each: crate::Item + Send, $($generics)*> rayon::iter::ParallelExtend<Each> for $type {
            fn par_extend<I: rayon::iter::IntoParallelIterator<Item = Each>>(&mut self, items: I) {
                crate::sketch::parallel::extend(self, items, $fill);
            }
        }
    };
    // The structure is a filter that takes single items, with `insert_hash`.
    (@inserts [$($generics:tt)*] $type:ty) => {
        impl<$($generics)*> $type {
            /// Inserts an item; returns true if it was certainly new.
            ///
            /// ```
            /// # use crivo::membership::*;
            #[doc = concat!("let mut filter = ", stringify!($type), "::for_fpr(100, 0.01)?;")]
            /// assert!(filter.insert("new"));
            /// assert!(!filter.insert("new"));
            /// # Ok::<(), crivo::Error>(())
            /// ```
            #[inline]
            pub fn insert<Each: crate::Item + ?Sized>(&mut self, item: &Each) -> bool {
                self.insert_hash(self.hash_spec().hash(item))
            }
        }
    };
    // The params follow from a number of items and a false-positive rate.
    (@for_fpr [$($generics:tt)*] $type:ty, $params:ident) => {
        impl<$($generics)*> $type {
            /// Creates an empty filter for `items` items at a false-positive rate of at most `fpr`.
            ///
            /// # Errors
            #[doc = concat!("As [`", stringify!($params), "::for_fpr`].")]
            pub fn for_fpr(items: u64, fpr: f64) -> crate::Result<Self> {
                $params::for_fpr(items, fpr).map(Self::with_params)
            }
        }
    };
    // The params follow from a target, by one of their functions; further arguments of `with_params` follow
    // the target.
    (@for_target [$($generics:tt)*] $type:ty,
     $params:ident::$make:ident($($target:ident: $of:ty),+) $(, $more:ident: $more_of:ty)?) => {
        impl<$($generics)*> $type {
            #[doc = concat!("Creates an empty sketch with the parameters of [`", stringify!($params), "::", stringify!($make), "`].")]
            ///
            /// # Errors
            #[doc = concat!("As [`", stringify!($params), "::", stringify!($make), "`].")]
            pub fn $make($($target: $of),+ $(, $more: $more_of)?) -> crate::Result<Self> {
                Ok(Self::with_params($params::$make($($target),+)? $(, $more)?))
            }
        }
    };
    // The structure keeps copies of items and may be full, with `insert_hash`, `insert_hashes` and
    // `remove_hash`.
    (@copies [$($generics:tt)*] $type:ty) => {
        impl<$($generics)*> crate::sketch::Insert for $type {
            fn try_insert_hash(&mut self, hash: u64) -> crate::Result<bool> {
                self.insert_hash(hash).map(|()| true)
            }

            fn try_insert_hashes(&mut self, hashes: &[u64]) -> crate::Result<()> {
                self.insert_hashes(hashes)
            }
        }

        impl<$($generics)*> crate::sketch::Remove for $type {
            fn remove_hash(&mut self, hash: u64) -> crate::Result<()> {
                self.remove_hash(hash)
            }
        }
    };
    // The structure is a filter, with `contains_hash`, `contains_hashes` and `fpr`.
    (@filter [$($generics:tt)*] $type:ty) => {
        impl<$($generics)*> $type {
            /// Returns whether the item may have been inserted: `false` is certain.
            #[inline]
            pub fn contains<Each: crate::Item + ?Sized>(&self, item: &Each) -> bool {
                self.contains_hash(self.hash_spec().hash(item))
            }
        }

        impl<$($generics)*> crate::sketch::Membership for $type {
            fn contains_hash(&self, hash: u64) -> bool {
                self.contains_hash(hash)
            }

            fn fpr(&self) -> crate::Estimate {
                self.fpr()
            }

            fn contains_hashes(&self, hashes: &[u64]) -> alloc::vec::Vec<bool> {
                self.contains_hashes(hashes)
            }
        }
    };
    // Like `empty`, for a structure that implements `OfSize` itself.
    (@made [$($generics:tt)*] $type:ty, $params:ty) => {
        crate::sketch::shell!(@starts [$($generics)*] $type);

        impl<$($generics)*> $type {
            /// Returns the parameters.
            pub fn params(&self) -> $params {
                crate::sketch::OfSize::params(self)
            }

            /// Creates an empty sketch with these parameters.
            pub fn with_params(params: $params) -> Self {
                <Self as crate::sketch::Empty>::empty(params, crate::HashSpec::default())
            }

        }
    };
    // The params are its field `params`.
    (@kept [$($generics:tt)*] $type:ty, $params:ty) => {
        impl<$($generics)*> crate::sketch::OfSize for $type {
            type Params = $params;

            fn params(&self) -> $params {
                self.params.clone()
            }
        }
    };
    // The structure hashes items with a spec that an expression finds: `hashes_by(self =>
    // self.parts[0].hash_spec())`.
    (@hashes_by [$($generics:tt)*] $type:ty, $this:ident => $spec:expr) => {
        impl<$($generics)*> crate::sketch::Hashing for $type {
            const HASHES: bool = true;

            fn spec(&$this) -> Option<&crate::HashSpec> {
                Some($spec)
            }
        }

        impl<$($generics)*> $type {
            /// Returns the hash spec.
            #[inline]
            pub fn hash_spec(&$this) -> &crate::HashSpec {
                $spec
            }

            /// Decodes a sketch that was made with [`HashSpec::keyed`](crate::HashSpec::keyed).
            ///
            /// # Errors
            /// `Incompatible` if the key is not the one of the sketch; otherwise the errors of
            /// [`from_bytes`](Self::from_bytes).
            pub fn from_bytes_with_key(bytes: &[u8], key: [u8; 16]) -> crate::Result<Self> {
                let options = crate::DecodeOptions { key: Some(key), ..Default::default() };
                Self::from_bytes_with(bytes, &options)
            }
        }
    };
    // The structure counts distinct items, with `insert_hash` and `estimate_within`.
    (@counts [$($generics:tt)*] $type:ty) => {
        impl<$($generics)*> $type {
            /// Inserts an item; returns true if the sketch changed.
            #[inline]
            pub fn insert<Each: crate::Item + ?Sized>(&mut self, item: &Each) -> bool {
                self.insert_hash(self.hash_spec().hash(item))
            }

            /// Returns the estimated number of distinct items, at 95 % confidence.
            pub fn estimate(&self) -> crate::Estimate {
                self.estimate_within(crate::DEFAULT_CONFIDENCE)
            }

            /// Returns [`estimate`](Self::estimate) at another confidence.
            ///
            /// # Errors
            /// `InvalidArgument` unless `confidence` lies strictly between 0 and 1.
            pub fn estimate_at(&self, confidence: f64) -> crate::Result<crate::Estimate> {
                crate::estimate::check_confidence(confidence)?;
                Ok(self.estimate_within(confidence))
            }
        }

        impl<$($generics)*> crate::sketch::Cardinality for $type {
            fn estimate(&self) -> crate::Estimate {
                self.estimate()
            }
        }
    };
    // The function `$make` creates the structure from numbers, if they are valid (`Empty`).
    (@for_numbers [$($generics:tt)*] $type:ty, $make:ident, $size:ident($($number:ident: $of:ty),+), $what:literal, $range:literal) => {
        impl<$($generics)*> $type {
            #[doc = $what]
            ///
            /// # Errors
            #[doc = concat!("`InvalidArgument` unless ", $range, ".")]
            pub fn $make($($number: $of),+) -> crate::Result<Self> {
                $size::new($($number),+).map(|size| crate::sketch::Empty::empty(size.into(), crate::HashSpec::default()))
            }
        }
    };
    // Items can be collected into a sketch of the default size that `$size` describes.
    (@collects [$($generics:tt)*] $type:ty, $make:expr, $size:literal) => {
        crate::sketch::shell!(@collects_by [$($generics)*] $type, $make, $size, Self::insert_hashes);
    };
    // As `collects`; hashes are taken in by `$fill`.
    (@collects_by [$($generics:tt)*] $type:ty, $make:expr, $size:literal, $fill:expr) => {
        impl<Each: crate::Item, $($generics)*> FromIterator<Each> for $type {
            #[doc = $size]
            fn from_iter<I: IntoIterator<Item = Each>>(items: I) -> Self {
                let mut sketch = $make.expect("the default size is in range");
                sketch.extend(items);
                sketch
            }
        }

        crate::sketch::shell!(@parallel [$($generics)*] $type, $fill);

        #[cfg(feature = "rayon")]
        impl<Each: crate::Item + Send, $($generics)*> rayon::iter::FromParallelIterator<Each> for $type {
            #[doc = $size]
            fn from_par_iter<I: rayon::iter::IntoParallelIterator<Item = Each>>(items: I) -> Self {
                let mut sketch: Self = core::iter::empty::<Each>().collect();
                rayon::iter::ParallelExtend::par_extend(&mut sketch, items);
                sketch
            }
        }
    };
    // Items can be collected into a filter with a false-positive rate of 1 %, sized for their number.
    (@collects_at_one_percent [$($generics:tt)*] $type:ty) => {
        impl<Each: crate::Item, $($generics)*> FromIterator<Each> for $type {
            /// Creates a filter with a false-positive rate of 1 %, sized for the number of items; only their
            /// hashes are kept meanwhile.
            ///
            /// # Panics
            /// Panics if there are more items than the largest filter can hold, from about 10⁹ on: `for_fpr`
            /// returns an error instead.
            fn from_iter<I: IntoIterator<Item = Each>>(items: I) -> Self {
                let spec = crate::HashSpec::default();
                let hashes: alloc::vec::Vec<u64> = items.into_iter().map(|item| spec.hash(&item)).collect();
                let filter = <$type>::for_fpr((hashes.len() as u64).max(1), 0.01);
                #[allow(unused_mut, reason = "one kind of filter takes items in while it is shared")]
                let mut filter = filter.expect("hashes that fit in memory make a filter that does");
                filter.insert_hashes(&hashes);
                filter
            }
        }
    };
    // The structure can be cleared; its hash, if any, stays (`Empty`).
    (@clears [$($generics:tt)*] $type:ty) => {
        impl<$($generics)*> $type {
            /// Removes everything: the sketch is as good as new.
            pub fn clear(&mut self) {
                let spec = crate::sketch::Hashing::spec(self).copied().unwrap_or_default();
                *self = crate::sketch::Empty::empty(crate::sketch::OfSize::params(self), spec);
            }

            /// Returns whether nothing has been inserted.
            pub fn is_empty(&self) -> bool {
                crate::sketch::Empty::has_nothing(self)
            }
        }
    };
    // Separate from the other methods: a sample of a type without bytes is formatted too, in its own way.
    (@shown [$($generics:tt)*] $type:ty, $name:ident) => {
        impl<$($generics)*> core::fmt::Debug for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                crate::sketch::debug(self, stringify!($name), f)
            }
        }
    };
}
pub(crate) use shell;
